/** A link to send: as a QR code, by the device's share sheet, or copied. */

import { h } from '../dom.js';
import { button } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */

/**
 * @param {App} app
 * @param {string} title key of the heading
 * @param {string} path of a page of this site
 * @returns {VNode}
 */
export function linkPanel(app, title, path) {
  const url = `${app.origin}${path}`;
  const copied = app.ui.copied === path;
  return h('section.panel', { key: `link ${path}` },
    h('h2', null, app.t(title)),
    h('div.invite', null,
      h('img.qr', { src: `/qr${path}.svg`, alt: app.t('ghost.qr'), width: '168', height: '168', on: { error: (event) => { event.target.hidden = true; } } }),
      h('span.code.small.muted', { translate: 'no' }, app.origin.replace(/^https?:\/\//, ''), h('wbr', null), path)),
    h('div.row', null,
      app.canShare && button(app, { cls: 'btn--do', icon: 'share', click: () => app.act.share(url, 'ghost.share') }, app.t('room.share')),
      button(app, { cls: app.canShare ? '' : 'btn--do', icon: copied ? 'check' : 'copy', key: `copy ${copied}`, click: () => app.act.copy(path, url) },
        app.t(copied ? 'room.copied' : app.canShare ? 'room.copy' : 'room.copy_link'))));
}
