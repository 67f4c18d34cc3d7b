/**
 * Pages for when there is nothing to play: opened elsewhere, too old, broken, no such room.
 */

import { h } from '../dom.js';
import { refusalText } from '../phrases.js';
import { button, lineIsDown, mark, page } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */
/** @import { Later } from '../later.js' */

/** So often a part is asked for without loading the page anew. */
const IN_PLACE = 3;

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
  const waits = key === 'loading' || key === 'entering';
  return page(app, h('section.plain', { key, class: waits ? 'plain--wait' : null, role: key === 'missing' ? 'alert' : null },
    mark(icon), h('h1', { tabindex: '-1' }, title), text && h('p', null, text), h('div.calls', null, ways)));
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

/**
 * Parts of the client are on their way, or cannot be had for now.
 * @param {App} app
 * @param {...Later<any>} parts
 * @returns {VNode[]}
 */
export function loading(app, ...parts) {
  const missing = missingOf(parts);
  // That the line is down is said above already, and then nothing else can be had either
  if (!missing.length || lineIsDown(app)) return plain(app, 'loading', 'clock', app.t('entry.going_text'), app.t('entry.loading'));
  return plain(app, 'missing', 'off', app.t('line.lost'), '',
    button(app, { cls: 'btn--do btn--big', click: () => fetchNow(app, missing) }, app.t('line.retry')));
}

/**
 * The same in a dialog that is open already.
 * @param {App} app
 * @param {...Later<any>} parts
 * @returns {Children}
 */
export function awaited(app, ...parts) {
  const missing = missingOf(parts);
  if (!missing.length) return h('p', { key: 'loading' }, app.t('entry.loading'));
  return h('div.stack', { key: 'missing', role: 'alert' }, h('p', null, app.t('line.lost')),
    h('div.row', null, button(app, { cls: 'btn--do', click: () => fetchNow(app, missing) }, app.t('line.retry'))));
}

/** Those that could not be had. @param {Later<any>[]} parts */
function missingOf(parts) {
  return parts.filter((part) => part.failures > 0 && !part.value);
}

/**
 * Some browsers keep that a module could not be had for as long as the page stands: then only another page helps.
 * @param {App} app
 * @param {Later<any>[]} missing
 */
function fetchNow(app, missing) {
  if (missing.some((part) => part.failures >= IN_PLACE)) app.act.reload();
  else for (const part of missing) part.hurry();
}

/** An address without a page. @param {App} app @returns {VNode[]} */
export function lost(app) {
  return plain(app, 'lost', 'no', app.t('lost.title'), app.t('lost.text'), h('a.btn.btn--do.btn--big', { href: '/' }, app.t('nav.home')));
}
