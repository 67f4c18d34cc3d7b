/**
 * The waiting room: who is here, how to invite more, and the way to the start.
 *
 * Lives here: the page between heats. Does not live here: the seats' rows (`seats.js`), the result.
 */

import { h } from '../dom.js';
import { optionFacts, seatName } from '../phrases.js';
import { isHost, seatsOf } from '../store.js';
import { button, mark, page } from './frame.js';
import { seatList } from './seats.js';

/** @import { App } from '../app.js' */
/** @import { Room } from '../store.js' */
/** @import { VNode } from '../dom.js' */

/** @param {App} app @param {Room} room @returns {VNode[]} */
export function waiting(app, room) {
  return page(app, [
    h('h1', { key: 'title', tabindex: '-1' }, title(app, room)),
    h('div.row.facts-row', { key: 'facts' },
      optionFacts(app.lang, { ...room.info.options, match: false }).map((fact) => h('span.chip', null, fact)),
      room.info.kind !== 'chase' && h('span.chip', null, app.t(room.info.options.certified ? 'fact.certified' : room.info.options.code ? 'fact.given' : 'fact.uncertified')),
      room.info.options.best_of > 1 && h('span.chip', null, app.t('room.deal_of', { n: room.info.deal, of: room.info.options.best_of })),
      room.info.locked && h('span.chip.chip--warn', null, mark('lock'), app.t('room.locked'))),
    h('div.two.room', { key: 'two' },
      h('div.stack', null, seatList(app, room), tools(app, room)),
      h('div.stack', null, !room.info.options.match && !room.info.kind && invite(app, room), seal(app, room))),
    start(app, room),
  ]);
}

/** @param {App} app @param {Room} room */
function title(app, room) {
  if (room.info.options.match) return app.t('room.title_match');
  if (room.info.kind) return app.t(`room.title_${room.info.kind}`);
  const host = room.seats[room.info.host];
  return host ? app.t('room.title', { name: seatName(app.lang, host) }) : app.t('room.title_code', { code: room.code });
}

/** What can be done besides getting ready. @param {App} app @param {Room} room */
function tools(app, room) {
  const host = isHost(room) && !room.info.options.match && !room.info.kind;
  const { locked } = room.info;
  return h('div.row', { key: 'tools' },
    room.result && button(app, { click: () => app.act.showResult(true) }, app.t('room.last_result')),
    host && button(app, { icon: 'settings', click: () => app.act.open('options') }, app.t('room.options')),
    host && button(app, { name: 'lock', icon: 'lock', click: () => app.act.lock(!locked) }, app.t(locked ? 'room.unlock' : 'room.lock')),
    room.seat >= 0 && button(app, { name: 'stand', icon: 'eye', click: () => app.act.stand() }, app.t('room.stand')),
    button(app, { name: 'leave', click: () => app.act.leaveRoom() }, app.t('room.leave')));
}

/** @param {App} app @param {Room} room */
function invite(app, room) {
  const url = `${app.origin}/r/${room.code}`;
  const copied = app.ui.copied === 'link';
  return h('section.panel', { key: 'invite' },
    h('h2', null, app.t('room.invite')),
    h('div.invite', null,
      h('img.qr', { src: `/qr/r/${room.code}.svg`, alt: app.t('room.qr'), width: '168', height: '168', on: { error: (event) => { event.target.hidden = true; } } }),
      h('div.stack', null, h('span.roomcode', { translate: 'no' }, room.code), h('span.code.small.muted', { translate: 'no' }, app.origin.replace(/^https?:\/\//, ''), h('wbr', null), `/r/${room.code}`))),
    h('div.row', null,
      app.canShare && button(app, { cls: 'btn--do', icon: 'share', click: () => app.act.share(url) }, app.t('room.share')),
      button(app, { cls: app.canShare ? '' : 'btn--do', icon: copied ? 'check' : 'copy', key: `copy ${copied}`, click: () => app.act.copy('link', url) },
        app.t(copied ? 'room.copied' : app.canShare ? 'room.copy' : 'room.copy_link'))));
}

/** @param {App} app @param {Room} room */
function seal(app, room) {
  const open = room.info.options.code;
  if (room.info.kind) return h('p.seal', { key: 'seal' }, mark('lock'), h('span', null, app.t(`room.about_${room.info.kind}`)));
  return h('p.seal', { key: 'seal' }, mark(open ? 'eye' : 'lock'),
    open
      ? h('span', null, h('b', null, app.t('seal.open')), ' ', app.t('seal.open_more'), ' ', h('span.code', { translate: 'no' }, open))
      : h('span', null, h('b', null, app.t('seal.will')), ' ', app.t('seal.will_more')));
}

/** @param {App} app @param {Room} room */
function start(app, room) {
  const evening = app.tournamentOf(room.code);
  if (evening) return h('div.go', { key: 'go' }, h('a.btn.btn--big', { href: `/t/${evening}` }, app.t('heat.back')), h('p.small.muted', { role: 'status' }, app.t('heat.waits')));
  if (room.info.kind && room.result) return null;
  const own = room.seats[room.seat];
  if (!own) return h('div.go', { key: 'go' }, h('p.small.muted', { role: 'status' }, app.t(hasFree(room) ? 'room.you_watch_free' : 'room.you_watch')));
  return h('div.go', { key: 'go' },
    own.ready
      ? button(app, { name: 'ready', cls: 'btn--big', icon: 'check', key: 'unready', 'aria-pressed': 'true', click: () => app.act.ready(false) }, app.t('room.take_back'))
      : button(app, { name: 'ready', cls: 'btn--gold btn--big', key: 'ready', click: () => app.act.ready(true) }, app.t('room.im_ready')),
    startNow(app, room),
    h('p.small.muted', { key: 'why' }, why(app, room)));
}

/** @param {Room} room */
function hasFree(room) {
  return Object.keys(room.seats).length < room.info.options.seats;
}

/** The host may start without the unready after a while. @param {App} app @param {Room} room */
function startNow(app, room) {
  const { startable_ms: from, options } = room.info;
  if (!isHost(room) || options.match || from === 0 || seatsOf(room).every((row) => row.ready || row.you)) return null;
  return button(app, { name: 'start', cls: 'btn--big', key: 'start', disabled: app.now() < from, click: () => app.act.start() }, app.t('room.start_now'));
}

/**
 * What the room waits for, in a sentence.
 * @param {App} app
 * @param {Room} room
 * @returns {string}
 */
export function why(app, room) {
  const { startable_ms: from, options } = room.info;
  const left = Math.ceil(Math.max(0, from - app.now()) / 1000) * 1000;
  const time = app.lang.clock(left);
  if (options.match) return from === 0 ? app.t('room.match_wait') : app.t('room.match_starts', { time });
  const missing = seatsOf(room).filter((row) => !row.ready && row.present && !row.you).map((row) => seatName(app.lang, row));
  const own = room.seats[room.seat];
  if (own && !own.ready) return app.t(missing.length ? 'room.all_ready_starts' : 'room.you_start');
  const waits = missing.length ? app.t('room.waits_for', { names: app.lang.list(missing) }) : app.t('room.starting');
  if (!missing.length || from === 0 || left === 0) return waits;
  return `${waits} ${app.t(isHost(room) ? 'room.you_can_start' : 'room.host_can_start', { time })}`;
}
