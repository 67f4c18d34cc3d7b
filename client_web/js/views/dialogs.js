/**
 * What lies over the page for a moment: the own name, settings during play, a room's options, and
 * notices.
 */

import { h } from '../dom.js';
import { button, mark } from './frame.js';
import { optionFields } from './options.js';
import { settingsFields } from './settings.js';

/** @import { App, DialogName } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */

const MIN_NAME = 2;
const MAX_NAME = 20;

/** @param {App} app @returns {VNode[]} */
export function layer(app) {
  const over = dialog(app);
  return over.length ? over : notice(app);
}

/** Whether a dialog lies over the page; one whose part has not come does not yet. @param {App} app */
export function hasDialog(app) {
  return dialog(app).length > 0;
}

/** @param {App} app @returns {VNode[]} */
function dialog(app) {
  switch (app.ui.dialog) {
    case 'name':
      return [nameDialog(app)];
    case 'settings':
      return [sheet(app, 'settings', app.t('settings.title'), h('div.stack.stack--wide', null, settingsFields(app),
        h('div.row', null, button(app, { click: () => app.act.open('rules') }, app.t('foot.rules')))))];
    case 'options':
      return [optionsDialog(app)];
    case 'revoke':
      return [sheet(app, 'revoke', app.t('device.revoke'), h('div.stack', null,
        h('p', null, app.t('device.revoke_sure')),
        h('div.row', null,
          button(app, { cls: 'btn--bad', click: () => app.act.revokeDevices() }, app.t('device.revoke_go')),
          button(app, { click: () => app.act.close() }, app.t('dialog.cancel')))))];
    default:
      return later(app, app.ui.dialog);
  }
}

/** @param {App} app @param {DialogName} name @returns {VNode[]} */
function later(app, name) {
  const made = app.sheets[name]?.(app);
  return made ? [sheet(app, name, made.title, made.content)] : [];
}

/**
 * @param {App} app
 * @param {string} key
 * @param {string} title
 * @param {...Children} content
 * @returns {VNode}
 */
function sheet(app, key, title, ...content) {
  return h('dialog.sheet', {
    key, class: `sheet--${key}`, 'aria-labelledby': 'dialog-title',
    ref: (/** @type {HTMLDialogElement} */ element) => element.showModal(),
    on: {
      close: () => app.act.close(),
      click: (event) => { if (event.target === event.currentTarget) app.act.close(); },
    },
  },
  h('div.sheet__in', null,
    h('header', null,
      h('h2', { id: 'dialog-title' }, title),
      h('button.btn', { type: 'button', 'aria-label': app.t('dialog.close'), on: { click: () => app.act.close() } }, mark('no'))),
    content,
    notice(app)));
}

/** What can be told of a name without the server is said at once. @param {App} app */
function rename(app) {
  const letters = [...app.ui.name.trim().normalize('NFC')].length;
  if (letters < MIN_NAME) app.act.notice(app.t('no.name_short'), true);
  else if (letters > MAX_NAME) app.act.notice(app.t('no.name_long'), true);
  else void app.act.rename();
}

/** @param {App} app */
function nameDialog(app) {
  const { tag = '', player = '' } = app.state.me ?? {};
  return sheet(app, 'name', app.t('name.title'),
    h('form.stack', { on: { submit: (event) => { event.preventDefault(); rename(app); } } },
      h('div.field', null,
        h('label', { for: 'name' }, app.t('name.label')),
        h('input.input', {
          id: 'name', maxlength: MAX_NAME * 2, autocomplete: 'nickname', spellcheck: 'false', autofocus: true, value: app.ui.name,
          'aria-describedby': 'name-help', on: { input: (event) => app.set({ name: event.target.value }) },
        }),
        h('p.small.muted', { id: 'name-help' }, app.t('name.help', { tag }))),
      h('div.row', null,
        h('button.btn.btn--do', { type: 'submit', disabled: app.ui.busy === 'name' }, app.t('name.save')),
        button(app, { click: () => app.act.close() }, app.t('dialog.cancel')),
        player && h('a.push', { key: 'mine', href: `/player/${player}`, on: { click: () => app.act.close() } }, app.t('foot.mine')),
        h('a', { key: 'device', class: player ? null : 'push', href: '/device', on: { click: () => app.act.close() } }, app.t('foot.device')))));
}

/** @param {App} app */
function optionsDialog(app) {
  return sheet(app, 'options', app.t('room.options'),
    h('form.stack.stack--wide', { on: { submit: (event) => { event.preventDefault(); void app.act.saveOptions(); } } },
      h('p.small.muted', null, app.t('room.options_lead')),
      optionFields(app),
      h('div.row.sheet__end', null,
        h('button.btn.btn--do', { type: 'submit', disabled: app.ui.busy === 'options' }, app.t('room.options_save')),
        button(app, { click: () => app.act.close() }, app.t('dialog.cancel')))));
}

/** Within an open sheet, since a modal one lies over everything else. @param {App} app @returns {VNode[]} */
function notice(app) {
  const { notice: what } = app.ui;
  if (!what) return [];
  return [h('div.notice', { key: `notice ${what.text}`, class: what.bad ? 'notice--bad' : null, role: what.bad ? 'alert' : 'status' },
    mark(what.bad ? 'no' : 'check'), h('span', null, what.text))];
}
