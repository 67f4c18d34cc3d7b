/**
 * What hosts have changed, to be taken back; and who may host.
 */

import { h } from '../../dom.js';
import { editText, timeOfDay } from '../../tournament/model.js';
import { button, mark } from '../frame.js';
import { field } from './controls.js';
import { does, names, sure, tour } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

const SHOWN = 20;

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole */
export function editsPanel(app, info, whole) {
  const name = names(app, whole);
  const rows = [...whole.edits].reverse();
  return h('section.panel', { key: 'edits' },
    h('h2', null, app.t('tour.edits')),
    rows.length === 0 && h('p.muted', null, app.t('tour.edits_none')),
    rows.length > 0 && h('ol.edits', null, rows.slice(0, SHOWN).map((edit) => {
      const text = edit.undoes ? app.t('tour.edit.undoes', { what: editText(app.lang, { ...edit, ...whole.edits[edit.undoes - 1], number: edit.number }, name) }) : editText(app.lang, edit, name);
      return h('li', { key: String(edit.number), class: edit.undone ? 'undone' : null },
        h('span.grow', null, text, h('span.block.small.muted', null, h('span', { translate: 'no' }, edit.by), ` · ${timeOfDay(app.lang, edit.at_ms)}`, edit.undone && ` · ${app.t('tour.edit.undone')}`)),
        !edit.undone && !edit.undoes && does(app, info, 'undo', app.t('tour.do.undo'), { value: edit.number, cls: 'btn--small', icon: 'undo', aria: app.t('tour.do.undo_of', { what: text }) }));
    })),
    rows.length > SHOWN && h('p.small.muted', null, app.t('tour.edits_more', { n: rows.length - SHOWN })));
}

/** @param {App} app @param {TournamentInfo} info */
export function hostsPanel(app, info) {
  const { hosts, shared } = app.ui.tour;
  const act = tour(app);
  return h('section.panel.stack', { key: 'hosts' },
    h('h2', null, app.t('tour.hosts')),
    h('p.small.muted', null, app.t('tour.hosts_lead')),
    hosts && hosts.length > 0 && h('ul.list', null, hosts.map((name) => h('li', { key: name }, h('b.grow', { translate: 'no' }, name), revoke(app, info, name)))),
    field(app, 'cohost', app.t('tour.cohost'), 'text', app.t('tour.cohost_go'), () => act.share(info.code)),
    shared && link(app, info, shared));
}

/** @param {App} app @param {TournamentInfo} info @param {string} name */
function revoke(app, info, name) {
  if (app.ui.tour.sure === `revoke ${name}`) return sure(app, `revoke ${name}`, app.t('tour.revoke_sure', { name }), app.t('tour.revoke'), () => tour(app).revoke(info.code, name));
  return button(app, { cls: 'btn--quiet btn--small', 'aria-label': app.t('tour.revoke_of', { name }), click: () => tour(app).set({ sure: `revoke ${name}` }) }, app.t('tour.revoke'));
}

/** The link for a co-host: what follows the # never reaches a server. @param {App} app @param {TournamentInfo} info @param {{name: string, token: string}} shared */
function link(app, info, shared) {
  const url = `${app.origin}/t/${info.code}/host#${shared.token}`;
  const copied = app.ui.copied === 'cohost';
  return h('div.alert.alert--calm', { key: 'shared', role: 'status' }, mark('key'),
    h('span.grow', null, app.t('tour.cohost_link', { name: shared.name })),
    app.canShare && button(app, { icon: 'share', click: () => app.act.share(url, 'tour.hosts') }, app.t('room.share')),
    button(app, { cls: 'btn--do', icon: copied ? 'check' : 'copy', key: `copy ${copied}`, click: () => app.act.copy('cohost', url) }, app.t(copied ? 'room.copied' : 'room.copy_link')));
}
