/**
 * The seats of a waiting room: who sits where, who is ready, and what the host may do about it.
 */

import { h } from '../dom.js';
import { GHOST, seatColour, seatLetters, seatName } from '../phrases.js';
import { isHost } from '../store.js';
import { button, mark, seatMark } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { Room } from '../store.js' */
/** @import { SeatRow } from '../wire.gen.js' */
/** @import { VNode } from '../dom.js' */

const LEVELS = Object.freeze([1, 2, 3]);

/**
 * @param {App} app
 * @param {Room} room
 * @returns {VNode}
 */
export function seatList(app, room) {
  const numbers = Array.from({ length: room.info.options.seats }, (_, seat) => seat);
  const firstFree = numbers.find((seat) => !room.seats[seat]);
  return h('section.panel', { key: 'seats' },
    h('h2', null, app.t('room.players'), ' ',
      h('span.muted.small', null, app.t('room.seats_taken', { taken: Object.keys(room.seats).length, n: numbers.length }))),
    h('ul.seats', null, numbers.map((seat) => {
      const row = room.seats[seat];
      return row ? taken(app, room, row) : free(app, room, seat, seat === firstFree);
    })),
    room.info.watchers > 0 && h('p.muted.small', null, mark('eye'), ' ', app.t('room.watchers', { n: room.info.watchers })));
}

/** @param {App} app @param {Room} room @param {SeatRow} row */
function taken(app, room, row) {
  const twins = Object.values(room.seats).filter((one) => !one.bot && one.name === row.name).length > 1;
  return h('li', { key: `seat ${row.seat}` },
    seatMark(seatLetters(app.lang, row), seatColour(row)),
    h('div.grow', null,
      h('b', { translate: row.bot ? null : 'no' }, seatName(app.lang, row)),
      twins && h('span.tag', { translate: 'no' }, ` #${row.tag}`),
      h('span.tag', null, ` ${notes(app, room, row).join(', ')}`)),
    hostTools(app, room, row),
    state(app, row));
}

/** @param {App} app @param {Room} room @param {SeatRow} row @returns {string[]} */
function notes(app, room, row) {
  const list = [];
  if (row.you) list.push(app.t('room.you'));
  if (row.seat === room.info.host && !room.info.options.match) list.push(app.t('room.host'));
  if (row.bot) list.push(app.t(row.bot === GHOST ? 'ghost.speed' : 'bot.speed'));
  if (row.wins > 0) list.push(app.t('room.wins', { n: row.wins }));
  return list;
}

/** @param {App} app @param {SeatRow} row */
function state(app, row) {
  if (!row.present && !row.bot) return h('span.chip.chip--warn', { key: 'state' }, mark('off'), app.t('room.away'));
  if (row.ready) return h('span.chip.chip--ok', { key: 'state' }, mark('check'), app.t('room.ready'));
  return h('span.chip', { key: 'state' }, app.t('room.unready'));
}

/** @param {App} app @param {Room} room @param {SeatRow} row */
function hostTools(app, room, row) {
  if (!isHost(room) || row.you || room.info.options.match || room.info.kind) return null;
  const name = seatName(app.lang, row);
  return h('div.row.tools', { key: 'tools' },
    !row.bot && button(app, {
      name: `host ${row.seat}`, cls: 'btn--quiet btn--small', 'aria-label': app.t('room.hand_over_to', { name }), click: () => app.act.handOver(row.seat),
    }, app.t('room.hand_over')),
    button(app, {
      name: `remove ${row.seat}`, cls: 'btn--quiet btn--small', 'aria-label': app.t('room.remove_of', { name }), click: () => app.act.removeSeat(row.seat),
    }, app.t('room.remove')));
}

/** @param {App} app @param {Room} room @param {number} seat @param {boolean} first */
function free(app, room, seat, first) {
  const mayAdd = first && isHost(room) && !room.info.options.match && !room.info.kind;
  return h('li.free', { key: `free ${seat}` },
    h('span.seat', { 'aria-hidden': 'true' }, '+'),
    h('div.grow.muted', null, app.t('room.free')),
    first && room.seat < 0 && button(app, { name: 'sit', click: () => app.act.sit() }, app.t('room.sit')),
    mayAdd && h('div.row.addbot', { key: 'bots' },
      h('label.sr', { for: 'bot-level' }, app.t('form.level')),
      h('select.input', {
        id: 'bot-level', value: String(app.ui.form.level),
        on: { change: (event) => app.set({ form: { ...app.ui.form, level: Number(event.target.value) } }) },
      }, LEVELS.map((level) => h('option', { value: String(level), selected: level === app.ui.form.level }, app.t(`bot.level.${level}`)))),
      button(app, { name: 'bot', icon: 'bot', click: () => app.act.addBot(app.ui.form.level) }, app.t('room.add_bot'))));
}
