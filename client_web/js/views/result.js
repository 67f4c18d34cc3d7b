/**
 * The end of a race: one's place, the podium, why everybody stands where they stand, the next deal.
 *
 * Lives here: the page of a `HeatResult`. Does not live here: the check of fairness (`proof.js`),
 * curves (`chart.js`).
 */

import { h } from '../dom.js';
import { GHOST, gameName, gameParts, headline, initials, outcome, reasonText, seatColour, seatLetters, seatName } from '../phrases.js';
import { isMine, seatsOf } from '../store.js';
import { chart } from './chart.js';
import { button, mark, page, seatMark } from './frame.js';
import { linkPanel } from './link.js';
import { proof } from './proof.js';
import { why } from './room.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */
/** @import { Heat, Room } from '../store.js' */
/** @import { HeatResult, ResultRow } from '../wire.gen.js' */

/** A rating of fewer races is provisional. */
const PROVISIONAL = 10;

/** @param {App} app @param {Room} room @param {HeatResult} result @returns {VNode[]} */
export function resultPage(app, room, result) {
  return page(app, [
    stage(app, room, result),
    next(app, room, result),
    h('div.two', { key: 'two' },
      h('div.stack', null, table(app, room, result), curves(app, room, result)),
      h('div.stack', null, room.info.kind === 'challenge' && linkPanel(app, 'ghost.send', `/g/${result.heat}`), proof(app, result))),
  ]);
}

/**
 * Who a row is: the name it was played under; bots have none of their own.
 * @param {App} app
 * @param {Room} room
 * @param {ResultRow} row
 */
export function rowName(app, room, row) {
  const bot = room.seats[row.seat]?.bot ?? 0;
  if (row.name) return bot === GHOST ? seatName(app.lang, { bot, name: row.name }) : row.name;
  return bot ? seatName(app.lang, { bot, name: '' }) : app.t('bot.any');
}

/** @param {App} app @param {Room} room @param {ResultRow} row */
function rowMark(app, room, row) {
  const bot = row.name ? 0 : room.seats[row.seat]?.bot || 1;
  const letters = bot ? seatLetters(app.lang, { bot, name: '' }) : initials(app.lang, row.name);
  return seatMark(letters, seatColour({ seat: row.seat, you: isMine(room, row), bot }));
}

/** @param {App} app @param {Room} room @param {HeatResult} result */
function stage(app, room, result) {
  const { options } = room.info;
  const mine = result.rows.some((row) => isMine(room, row)) ? room.seat : -1;
  const parts = [gameName(app.lang, options.ruleset), app.t(`goal.${options.goal}`)];
  if (options.best_of > 1) parts.unshift(app.t('result.deal_of', { n: result.number, of: options.best_of }));
  return h('section.stage.on-felt', { key: 'stage' },
    h('h1', { tabindex: '-1' }, headline(app.lang, result.rows, mine, options, (row) => rowName(app, room, row))),
    h('p.sub', null, parts.join(' · ')),
    h('ol.podium', null, podium(result.rows).map((row) => step(app, room, row))));
}

/** The first three as they stand on the steps: second, first, third. @param {ResultRow[]} rows */
function podium(rows) {
  const [first, second, third] = rows;
  return [second, first, third].filter((row) => row !== undefined);
}

/** @param {App} app @param {Room} room @param {ResultRow} row */
function step(app, room, row) {
  const mine = isMine(room, row);
  return h('li', { key: `step ${row.seat}`, 'data-place': row.place },
    rowMark(app, room, row),
    h('b', { translate: mine || !row.name ? null : 'no' }, mine ? app.t('room.you_name') : rowName(app, room, row)),
    h('span.v', null, outcome(app.lang, row, room.info.options)),
    h('span', { class: `step-${Math.min(3, row.place)}` }, app.lang.number(row.place)));
}

/** @param {App} app @param {Room} room @param {HeatResult} result */
function next(app, room, result) {
  // A ghost race has one heat: nothing to be ready for
  const evening = app.tournamentOf(room.code);
  if (evening) return afterHeat(app, result, evening);
  const own = room.info.kind ? undefined : room.seats[room.seat];
  const inMatch = room.info.options.best_of > 1 && !room.info.decided;
  return h('div.go', { key: 'go' },
    own && !own.ready && button(app, { name: 'ready', cls: 'btn--gold btn--big', key: 'ready', click: () => app.act.ready(true) },
      app.t(inMatch ? 'result.next' : 'result.rematch')),
    own?.ready && button(app, { name: 'ready', cls: 'btn--big', icon: 'check', key: 'unready', click: () => app.act.ready(false) }, app.t('room.take_back')),
    result.code !== '' && h('a.btn.btn--big', { href: `/replay/${result.heat}`, key: 'replay' }, mark('play'), app.t('result.replay')),
    room.info.kind === 'challenge' && h('a.btn.btn--big', { href: `/g/${result.heat}`, key: 'ghost' }, app.t('ghost.answers')),
    button(app, { cls: 'btn--big', icon: 'people', key: 'room', click: () => app.act.showResult(false) }, app.t('result.room')),
    button(app, { name: 'leave', cls: 'btn--big', key: 'leave', click: () => app.act.leaveRoom() }, app.t('room.leave')),
    !room.info.kind && h('p.small.muted', { key: 'why', role: 'status' }, own ? readyLine(app, room) : app.t('room.you_watch')));
}

/** In a tournament the next race comes by itself. @param {App} app @param {HeatResult} result @param {string} code of the tournament */
function afterHeat(app, result, code) {
  return h('div.go', { key: 'go' },
    h('a.btn.btn--gold.btn--big', { href: `/t/${code}`, key: 'evening' }, app.t('heat.back')),
    result.code !== '' && h('a.btn.btn--big', { href: `/replay/${result.heat}`, key: 'replay' }, mark('play'), app.t('result.replay')),
    h('p.small.muted', { key: 'why', role: 'status' }, app.t(result.code ? 'heat.next' : 'heat.sealed')));
}

/** @param {App} app @param {Room} room */
function readyLine(app, room) {
  const rows = seatsOf(room).filter((row) => !row.bot);
  const ready = rows.filter((row) => row.ready).length;
  return ready && rows.length > 1 ? `${app.t('result.ready_of', { n: ready, of: rows.length })} ${why(app, room)}` : why(app, room);
}

/** @param {App} app @param {Room} room @param {HeatResult} result */
function table(app, room, result) {
  const { options } = room.info;
  const match = options.best_of > 1;
  const undos = result.rows.some((row) => row.undos > 0);
  const rated = room.ratings?.heat === result.heat;
  return h('section.panel', { key: 'table' },
    h('h2', null, app.t('result.standings')),
    h('div.scrollx', null, h('table.tbl.tbl--why', null,
      h('thead', null, h('tr', null,
        h('th', { scope: 'col' }, app.t('result.place')), h('th', { scope: 'col' }, app.t('result.player')),
        h('th', { scope: 'col' }, app.t('result.why')), h('th.num', { scope: 'col' }, app.t('result.moves')),
        undos && h('th.num', { scope: 'col' }, app.t('result.undos')), rated && h('th.num', { scope: 'col' }, app.t('result.rating')),
        match && h('th.num', { scope: 'col' }, app.t('result.match')))),
      h('tbody', null, result.rows.map((row) => h('tr', { key: `row ${row.seat}`, class: isMine(room, row) ? 'is-me' : null },
        h('td.place', null, app.lang.number(row.place)),
        h('td', { translate: row.name ? 'no' : null }, rowName(app, room, row)),
        h('td', null, reasonText(app.lang, row, options)),
        h('td.num', null, app.lang.number(row.moves)),
        undos && h('td.num', null, takenBack(app, row)), rated && h('td.num', null, rating(app, room, result, row)),
        match && h('td.num', null, app.lang.number(row.tally))))))),
    match && room.info.decided && h('p.small.muted', null, app.t('result.decided')));
}

/** How often somebody took back, and how often that had shown them a card. @param {App} app @param {ResultRow} row @returns {Children} */
function takenBack(app, row) {
  return [app.lang.number(row.undos), row.peeks > 0 && h('span.block.muted.small', null, app.t('result.peeks', { n: row.peeks }))];
}

/** What the race did to a player's rating. @param {App} app @param {Room} room @param {HeatResult} result @param {ResultRow} row @returns {Children} */
function rating(app, room, result, row) {
  const now = room.ratings?.heat === result.heat ? room.ratings.rows.find(({ seat }) => seat === row.seat) : undefined;
  if (!now) return '–';
  return [
    h('span.block', null, app.t('result.rating_value', { rating: String(now.rating), deviation: String(now.deviation) }), ' ',
      h('span', { class: now.change > 0 ? 'up' : 'muted' }, app.lang.signed(now.change))),
    now.games < PROVISIONAL && h('span.block.muted.small', null, app.t('result.provisional')),
  ];
}

/** @param {App} app @param {Room} room @param {HeatResult} result */
function curves(app, room, result) {
  const { heat } = room;
  if (!heat || heat.info.heat !== result.heat) return null;
  const what = room.info.options.goal === 'score' ? 'score' : 'out';
  const lines = result.rows.map((row) => {
    const you = isMine(room, row);
    const points = heat.curves[row.seat] ?? [];
    const name = you ? app.t('room.you_name') : rowName(app, room, row);
    const endMs = endOf(heat, row);
    return { name, you, points, endMs, label: shortOutcome(app, row, room.info.options) };
  });
  const most = what === 'out' ? gameParts(room.info.options.ruleset).cards : 0;
  return h('section.panel', { key: 'curves' }, h('h2', null, app.t('result.how')), chart(app, lines, what, most));
}

/** How long a board was played, from the gun. @param {Heat} heat @param {ResultRow} row */
function endOf(heat, row) {
  if (row.ended === 'won') return row.at_ms;
  if (row.ended === 'time_up') return heat.info.deadline_ms - heat.info.gun_ms;
  return Math.max(row.at_ms, heat.ended[row.seat]?.elapsed_ms ?? 0);
}

/** @param {App} app @param {ResultRow} row @param {Room['info']['options']} options */
function shortOutcome(app, row, options) {
  if (options.goal === 'score') return app.lang.score(row.score, gameParts(options.ruleset).vegas);
  return row.ended === 'won' ? app.lang.clock(row.at_ms) : app.lang.number(row.out);
}
