/**
 * A leaderboard: its rows with one's own always in sight, and the ways to its other pages.
 *
 * Lives here: what `/daily` and `/leaderboards` share. Does not live here: which board is shown, the
 * chart beside it (`daily-side.js`).
 */

import { besides, boardPath, pageOf, shortDay } from '../daily.js';
import { h } from '../dom.js';
import { gameParts } from '../phrases.js';
import { button, mark } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { Board, Choice, Row } from '../daily.js' */
/** @import { Children, VNode } from '../dom.js' */
/** @import { Pulled } from '../pull.js' */

/** A board is asked for again after this. */
const FRESH_MS = 15_000;
/** Neighbours shown on each side of one's own row. */
const BESIDES = 2;

/**
 * @param {App} app
 * @param {Choice} choice
 * @param {string} day
 * @returns {Pulled & {value: Board | null}}
 */
export function pullBoard(app, choice, day) {
  return app.pull.at(boardPath(choice, day, { you: app.state.me?.player ?? '' }), FRESH_MS);
}

/**
 * A choice among a few, as radios in a row with a hidden legend.
 * @template {string} T
 * @param {string} name
 * @param {string} legend
 * @param {readonly T[]} values
 * @param {T} value
 * @param {(value: T) => string} label
 * @param {(value: T) => void} choose
 * @returns {VNode}
 */
export function tabs(name, legend, values, value, label, choose) {
  return h('fieldset.seg', { key: name },
    h('legend.sr', null, legend),
    values.map((one) => h('label', { key: one },
      h('input', { type: 'radio', name, value: one, checked: one === value, on: { change: () => choose(one) } }), label(one))));
}

/**
 * @param {App} app
 * @param {Choice} choice
 * @param {string} day
 * @param {(change: Partial<Choice>) => void} choose
 * @returns {VNode}
 */
export function boardPanel(app, choice, day, choose) {
  const { value: board, fault } = pullBoard(app, choice, day);
  if (!board) {
    return h('section.panel', { key: 'board', 'aria-busy': fault ? null : 'true' },
      h('p', { class: fault ? 'bad' : 'muted', role: 'status' }, app.t(fault ? 'board.fault' : 'board.loading')));
  }
  return h('section.panel', { key: 'board' },
    h('div.row.boardhead', { key: 'head' },
      h('h2', { id: 'board-title' }, app.t('board.players', { n: board.players })),
      choice.period === 'day' && h('span.chip', { class: board.final ? 'chip--ok' : null }, app.t(board.final ? 'board.final' : 'board.open')),
      span(app, board)),
    board.players === 0 ? h('p.muted', { key: 'none' }, app.t(choice.tab === 'time' ? 'board.none_won' : 'board.none')) : table(app, choice, board, day),
    paging(app, choice, board, day, choose));
}

/** Which days a longer board adds up. @param {App} app @param {Board} board */
function span(app, board) {
  if (board.period === 'day' || !board.from || !board.to) return false;
  return h('span.muted.small.push', null, `${shortDay(app.lang, board.from)} – ${shortDay(app.lang, board.to)}`);
}

/**
 * @typedef {{name: string, cls: string, text: (row: Row) => Children}} Column
 * @param {App} app
 * @param {Choice} choice
 * @returns {Column[]} after place and player, the one that decides first
 */
function columns(app, { ruleset, period, tab }) {
  const { vegas } = gameParts(ruleset);
  const sum = !['day', 'race'].includes(period);
  /** @type {Column} */
  const time = { name: app.t(sum ? 'board.time_sum' : 'clock.name'), cls: '', text: (row) => (row.time_ms ? app.lang.exact(row.time_ms) : '–') };
  /** @type {Column} */
  const score = { name: app.t(sum ? 'board.score_sum' : 'stat.score'), cls: '', text: (row) => app.lang.score(row.score, vegas) };
  /** @type {Column} */
  const days = { name: app.t(tab === 'time' ? 'board.days_won' : 'board.days'), cls: '', text: (row) => app.lang.number(row.days) };
  /** @type {Column} */
  const moves = { name: app.t('stat.moves'), cls: 'opt', text: (row) => app.lang.number(row.moves) };
  if (sum) return tab === 'time' ? [days, time] : [score, days];
  return tab === 'time' ? [time, { ...score, cls: 'opt' }, moves] : [score, { ...time, name: app.t('board.reached'), cls: 'opt' }, moves];
}

/** What decides leads to the replay, where there is one by now. @param {App} app @param {Choice} choice @param {Board} board @param {Column} col @returns {Column} */
function watched(app, { ruleset, period }, { date }, col) {
  const id = (/** @type {Row} */ row) => (period === 'race' ? row.game : `${date}-${ruleset}-${row.player}`);
  const link = (/** @type {Row} */ row) => h('a', { href: `/replay/${id(row)}`, title: app.t('replay.title') }, col.text(row));
  return { ...col, text: (row) => (row.game ? link(row) : col.text(row)) };
}

/** @param {App} app @param {Choice} choice @param {Board} board @param {string} day */
function table(app, choice, board, day) {
  const cols = columns(app, choice).map((col, i) => (i ? col : watched(app, choice, board, col)));
  const head = (/** @type {string} */ name, cls = '') => h('th', { scope: 'col', class: cls || null }, name);
  return h('div.scrollx', { key: 'rows', tabindex: '0', role: 'region', 'aria-labelledby': 'board-title' }, h('table.tbl.tbl--board', null,
    h('thead', null, h('tr', null,
      head(app.t('result.place')), head(app.t('result.player')), cols.map(({ name, cls }) => head(name, `num ${cls}`.trim())))),
    h('tbody', null,
      board.rows.map((row) => line(app, row, cols)),
      outside(app, choice, board, day, cols))));
}

/** One's own row with its neighbours, where the page does not have it. @param {App} app @param {Choice} choice @param {Board} board @param {string} day @param {Column[]} cols */
function outside(app, choice, board, day, cols) {
  const { you, rows } = board;
  if (!you || rows.some((row) => row.player === you.player)) return null;
  const around = /** @type {Board | null} */ (app.pull.at(boardPath(choice, day, { around: you.player }), FRESH_MS).value);
  const shown = new Set(rows.map((row) => row.player));
  const near = besides(around?.rows ?? [], you, BESIDES).filter((row) => !shown.has(row.player));
  const gap = h('tr.gap', { key: 'gap', 'aria-hidden': 'true' }, h('td', { colspan: 2 + cols.length }, '···'));
  const below = you.place > (rows[0]?.place ?? 0);
  const lines = near.map((row) => line(app, row, cols));
  return below ? [gap, ...lines] : [...lines, gap];
}

/** @param {App} app @param {Row} row @param {Column[]} cols */
function line(app, row, cols) {
  const mine = row.player === app.state.me?.player;
  return h('tr', { key: row.player, class: mine ? 'is-me' : null },
    h('td.place', null, app.lang.number(row.place)),
    h('td.who', null, h('a', { href: `/player/${row.player}`, translate: 'no' }, row.name), ' ', h('span.tag', { translate: 'no' }, `#${row.tag}`),
      mine && h('span.sr', null, ` (${app.t('room.you')})`),
      row.flags.length > 0 && h('span.chip.chip--warn', { title: app.t('board.flag_more') }, app.t('board.flag'))),
    cols.map(({ cls, text }, i) => h('td.num', { key: String(i), class: cls || null, translate: 'no' }, text(row))));
}

/** @param {App} app @param {Choice} choice @param {Board} board @param {string} day @param {(change: Partial<Choice>) => void} choose */
function paging(app, choice, board, day, choose) {
  const { page, pages, you } = board;
  const json = boardPath(choice, day);
  const csv = boardPath(choice, day, { csv: true });
  return h('div.row.paging', { key: 'paging' },
    pages > 1 && [
      h('button.btn', { key: 'prev', type: 'button', disabled: page <= 1, on: { click: () => choose({ page: page - 1 }) } }, mark('back'), app.t('board.prev')),
      button(app, { key: 'next', disabled: page >= pages, click: () => choose({ page: page + 1 }) }, app.t('board.next')),
      you && pageOf(you.place) !== page && button(app, { key: 'mine', click: () => choose({ page: pageOf(you.place) }) }, app.t('board.mine')),
      h('span.small.muted', { key: 'page', role: 'status' }, app.t('board.page', { n: page, of: pages })),
    ],
    h('span.push.small.files', { key: 'files' },
      h('a', { href: csv, download: true }, 'CSV'), h('a', { href: json, target: '_blank', rel: 'noopener' }, 'JSON')));
}
