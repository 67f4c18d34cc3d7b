/**
 * Playing on another device: a one-time code, given here and typed there, or the other way round.
 */

import { h } from '../dom.js';
import { button, page } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */

/** @param {App} app @returns {VNode[]} */
export function device(app) {
  return page(app, [
    h('h1', { key: 'title', tabindex: '-1' }, app.t('device.title')),
    h('p.muted', { key: 'lead' }, app.t('device.lead')),
    h('div.two.two--even', { key: 'two' }, give(app), take(app)),
    h('section.panel.gap', { key: 'revoke' },
      h('h2', null, app.t('device.revoke')),
      h('p.muted', null, app.t('device.revoke_lead')),
      h('div.row', null, button(app, { name: 'revoke', cls: 'btn--bad', click: () => app.act.open('revoke') }, app.t('device.revoke_go')))),
  ]);
}

/** @param {App} app */
function give(app) {
  const { deviceCode } = app.ui;
  const left = deviceCode ? deviceCode.expires_ms - app.now() : 0;
  const shown = deviceCode && left > 0;
  return h('section.panel', { key: 'give' },
    h('h2', null, app.t('device.give')),
    h('p.muted', null, app.t('device.give_lead')),
    shown && h('p.roomcode.roomcode--long', { key: 'code', translate: 'no', 'aria-live': 'polite' }, deviceCode.code),
    shown && h('p.small.muted', { key: 'left' }, app.t('device.left', { time: app.lang.clock(left) })),
    h('div.row', null,
      button(app, { name: 'link', cls: shown ? '' : 'btn--do', click: () => app.act.linkDevice() }, app.t(shown ? 'device.give_again' : 'device.give_go')),
      shown && button(app, { icon: 'copy', click: () => app.act.copy('device', deviceCode.code) }, app.t(app.ui.copied === 'device' ? 'room.copied' : 'room.copy'))));
}

/** @param {App} app */
function take(app) {
  return h('section.panel', { key: 'take' },
    h('h2', null, app.t('device.take')),
    h('p.muted', null, app.t('device.take_lead')),
    h('form.joinrow', { on: { submit: (event) => { event.preventDefault(); void app.act.useDeviceCode(); } } },
      h('label.sr', { for: 'device-code' }, app.t('device.code')),
      h('input.input.input--code', {
        id: 'device-code', maxlength: '16', autocomplete: 'one-time-code', autocapitalize: 'characters', spellcheck: 'false',
        value: app.ui.typedDevice, on: { input: (event) => app.set({ typedDevice: event.target.value }) },
      }),
      h('button.btn.btn--do', { type: 'submit', disabled: app.ui.busy === 'use' || app.ui.typedDevice.trim() === '' }, app.t('device.take_go'))));
}
