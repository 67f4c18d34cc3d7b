/**
 * Beside the board of a day: how everybody did, one's own days, and words to share.
 *
 * Lives here: the chart of results with its table for screen readers, streak and calendar. Does not
 * live here: the numbers behind them (`daily.js`).
 */

import { barOf, barText, boundText, boxes, calendar, dayText, monthText, shareText, weekdays } from '../daily.js';
import { h } from '../dom.js';
import { gameParts } from '../phrases.js';
import { pullBoard } from './board.js';
import { button } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { Bar, Board, Cell, Choice } from '../daily.js' */
/** @import { Children, VNode } from '../dom.js' */

/** @typedef {{kind: string, ruleset: string, date: string, ended: string, out: number, score: number, moves: number, elapsed_ms: number}} OwnResult */

/** One's own days are asked for again after this. */
const FRESH_MS = 30_000;
const WIDTH = 360;
const AREA = Object.freeze({ left: 4, right: 356, top: 34, bottom: 140 });

/** @param {App} app @returns {any} what is known of oneself, or null */
function self(app) {
  const player = app.state.me?.player;
  return player ? app.pull.at(`/api/player/${player}`, FRESH_MS).value : null;
}

/** One's own result of a day. @param {App} app @param {string} day @param {string} ruleset @returns {OwnResult | null} */
export function own(app, day, ruleset) {
  return self(app)?.results.find((/** @type {OwnResult} */ one) => one.kind === 'daily' && one.date === day && one.ruleset === ruleset) ?? null;
}

/** @param {App} app @param {Choice} choice @param {string} day @returns {Children} */
export function distribution(app, choice, day) {
  const board = pullBoard(app, choice, day).value;
  if (!board || board.chart.length === 0 || board.players === 0) return null;
  const { you, players } = board;
  return h('section.panel', { key: 'chart' },
    h('h2', null, you ? app.t('daily.your_place', { place: you.place, of: players }) : app.t('chart.title')),
    h('div.sr', null, asTable(app, board)),
    picture(app, board),
    share(app, day, choice));
}

/** @param {Board} board */
function ownValue({ you, tab }) {
  return you ? (tab === 'time' ? you.time_ms : you.score) : null;
}

/** @param {App} app @param {Board} board @returns {VNode} */
function asTable(app, board) {
  const { vegas } = gameParts(board.ruleset);
  const value = ownValue(board);
  const mine = value === null ? -1 : barOf(board.chart, value);
  return h('table', null,
    h('caption', null, app.t('chart.title')),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, app.t(`board.tab.${board.tab}`)), h('th', { scope: 'col' }, app.t('chart.count')))),
    h('tbody', null, board.chart.map((bar, i) => h('tr', { key: String(i) },
      h('th', { scope: 'row' }, barText(app.lang, bar, board.tab, vegas), i === mine && ` (${app.t('room.you_name')})`),
      h('td', null, app.lang.number(bar.count))))));
}

/** @param {App} app @param {Board} board @returns {VNode} */
function picture(app, board) {
  const { chart, tab, ruleset } = board;
  const { vegas } = gameParts(ruleset);
  const value = ownValue(board);
  const mine = value === null ? -1 : barOf(chart, value);
  const all = boxes(chart, AREA);
  return h('svg.chart', { viewBox: `0 0 ${WIDTH} 160`, 'aria-hidden': 'true' },
    h('path', { class: 'axis', d: `M${AREA.left} ${AREA.bottom}H${AREA.right}` }),
    all.map(({ x, y, w, h: high }, i) => h('rect', { key: String(i), class: i === mine ? 'bar-me' : 'bar-x', x, y, width: w, height: high, rx: 3 })),
    value !== null && mine >= 0 && marker(app, all[mine], boundText(app.lang, value, tab, vegas)),
    bounds(chart).map(([i, bound]) => h('text', { key: `t${i}`, x: edge(i, chart.length), y: 155, 'text-anchor': 'middle' }, boundText(app.lang, bound, tab, vegas))));
}

/** Bounds worth a label: a few between bars. @param {readonly Bar[]} chart @returns {[number, number][]} index of the bar, its lower bound */
function bounds(chart) {
  const at = [1, Math.round(chart.length / 3), Math.round((2 * chart.length) / 3), chart.length - 1];
  return [...new Set(at)].flatMap((i) => {
    const from = chart[i]?.from ?? null;
    return from === null ? [] : [/** @type {[number, number]} */ ([i, from])];
  });
}

/** @param {number} i @param {number} n */
function edge(i, n) {
  return Math.max(18, Math.min(WIDTH - 22, AREA.left + ((AREA.right - AREA.left) * i) / n));
}

/** @param {App} app @param {{x: number, y: number, w: number} | undefined} box @param {string} text @returns {Children} */
function marker(app, box, text) {
  if (!box) return null;
  const x = box.x + box.w / 2;
  const right = x > WIDTH / 2;
  return [
    h('path', { key: 'tick', class: 'tick', d: `M${x} 12V${box.y - 4}` }),
    h('text.me', { key: 'you', x: right ? x - 6 : x + 6, y: 20, 'text-anchor': right ? 'end' : 'start' }, `${app.t('room.you_name')} ${text}`),
  ];
}

/** @param {App} app @param {string} day @param {Choice} choice @returns {Children} */
function share(app, day, choice) {
  const mine = own(app, day, choice.ruleset);
  const board = pullBoard(app, choice, day).value;
  if (!mine) return null;
  const done = app.ui.copied === 'daily';
  const text = () => shareText(app.lang, { ...mine, day, place: board?.you?.place ?? 0, players: board?.players ?? 0, url: `${app.origin}/daily/${day}?game=${choice.ruleset}` });
  return button(app, { key: `share ${done}`, cls: 'btn--do btn--wide', icon: done ? 'check' : 'share', click: () => app.act.shareText('daily', text()) },
    app.t(done ? 'room.copied' : 'daily.share'));
}

/** @param {App} app @param {string} day @param {string} today @returns {Children} */
export function streakPanel(app, day, today) {
  const me = self(app);
  if (!me) return null;
  const month = Object.keys(me.days).filter((one) => one.startsWith(day.slice(0, 7))).length;
  const numbers = [[me.streak.now, 'daily.in_a_row'], [me.streak.best, 'daily.longest'], [month, 'daily.this_month']];
  return h('section.panel', { key: 'streak' },
    h('h2', null, app.t('daily.days')),
    h('dl.streak', null, numbers.map(([n, key]) => h('div', { key: String(key) }, h('dt', null, app.t(String(key), { n: Number(n) })), h('dd', null, app.lang.number(Number(n)))))),
    !me.streak.today && me.streak.now > 0 && h('p.small', null, app.t('daily.keep_streak')),
    h('h3.small', { id: 'cal' }, monthText(app.lang, day)),
    h('ol.cal', { 'aria-labelledby': 'cal' },
      weekdays(app.lang).map((name, i) => h('li.h', { key: `h${i}`, 'aria-hidden': 'true' }, name)),
      calendar(day, me.days, today).map((cell, i) => dayCell(app, cell, i, today))),
    h('p.small.muted', null, app.t('daily.utc')));
}

/** @param {App} app @param {Cell} cell @param {number} i @param {string} today */
function dayCell(app, cell, i, today) {
  if (!cell) return h('li.off', { key: `e${i}`, 'aria-hidden': 'true' });
  const cls = [cell.played && 'won', cell.now && 'now', cell.ahead && 'off'].filter(Boolean).join(' ') || null;
  const said = `${dayText(app.lang, cell.day, today)}${cell.played ? `, ${app.t('daily.played')}` : ''}`;
  const inside = cell.ahead ? app.lang.number(cell.n)
    : h('a', { href: cell.now ? '/daily' : `/daily/${cell.day}`, 'aria-label': said, 'aria-current': cell.now ? 'date' : null }, app.lang.number(cell.n));
  return h('li', { key: cell.day, class: cls }, inside);
}
