/**
 * Pages for when there is nothing to play: opened elsewhere, too old, broken, no such room.
 */

import { h } from '../dom.js';
import { refusalText } from '../phrases.js';
import { button, mark, page } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */

/**
 * @param {App} app
 * @param {string} key
 * @param {string} icon
 * @param {string} title
 * @param {string} text
 * @param {...Children} ways out
 * @returns {VNode[]}
 */
function plain(app, key, icon, title, text, ...ways) {
  return page(app, h('section.plain', { key, class: key === 'loading' || key === 'entering' ? 'plain--wait' : null },
    mark(icon), h('h1', { tabindex: '-1' }, title), h('p', null, text), h('div.calls', null, ways)));
}

/** The line was closed for good. @param {App} app @returns {VNode[]} */
export function stopped(app) {
  const { verdict } = app.state.status;
  if (verdict === 'elsewhere') {
    return plain(app, 'elsewhere', 'tv', app.t('stopped.elsewhere'), app.t('stopped.elsewhere_text'),
      button(app, { cls: 'btn--do btn--big', click: () => app.act.takeBack() }, app.t('stopped.take_back')));
  }
  const key = verdict === 'outdated' ? 'stopped.outdated' : 'stopped.broken';
  return plain(app, 'stopped', 'off', app.t(key), app.t(`${key}_text`),
    button(app, { cls: 'btn--do btn--big', click: () => app.act.reload() }, app.t('stopped.reload')));
}

/** The room of the address was refused. @param {App} app @param {string} code @param {string} refusal @returns {VNode[]} */
export function noEntry(app, code, refusal) {
  const other = app.state.room?.code ?? app.state.elsewhere;
  const away = other !== '' && other !== code;
  return plain(app, 'no-entry', refusal === 'locked' ? 'lock' : 'no', app.t('entry.title', { code }), refusalText(app.lang, refusal),
    away && h('a.btn.btn--do.btn--big', { href: `/r/${other}` }, app.t('entry.other', { code: other })),
    away && button(app, { name: 'leave', cls: 'btn--big', click: () => app.act.switchRoom() }, app.t('entry.switch')),
    !away && button(app, { cls: 'btn--do btn--big', click: () => app.act.enterAgain() }, app.t('entry.again')),
    h('a.btn.btn--big', { href: '/' }, app.t('nav.home')));
}

/** The room of the address is being entered. @param {App} app @param {string} code @returns {VNode[]} */
export function entering(app, code) {
  return plain(app, 'entering', 'clock', app.t('entry.going', { code }), app.t('entry.going_text'), h('a.btn', { href: '/' }, app.t('nav.home')));
}

/** A part of the client is on its way. @param {App} app @returns {VNode[]} */
export function loading(app) {
  return plain(app, 'loading', 'clock', app.t('entry.going_text'), app.t('entry.loading'));
}

/** An address without a page. @param {App} app @returns {VNode[]} */
export function lost(app) {
  return plain(app, 'lost', 'no', app.t('lost.title'), app.t('lost.text'), h('a.btn.btn--do.btn--big', { href: '/' }, app.t('nav.home')));
}
