/**
 * Days, addresses and numbers of the daily deals and the leaderboards.
 *
 * Lives here: what can be worked out without a page or a line. Does not live here: elements
 * (`views/`), the attempt on the table (`daily-play.js`).
 *
 * A day is a text such as `2026-07-29`, always UTC (ruling 25); no local date is ever taken.
 */

import { gameName, gameParts } from './phrases.js';

/** @import { Language } from './i18n.js' */

/** Rulesets with a daily deal, the headline first. */
export const DAILY = Object.freeze(['DS1-D1N', 'DS1-D3N', 'DS1-D1V', 'SS1-D3N']);
/** @typedef {'day' | 'week' | 'month' | 'all' | 'race'} Period */
/** @typedef {'time' | 'score'} Tab */
/** @typedef {{ruleset: string, period: Period, tab: Tab, page: number}} Choice */
/**
 * @typedef {object} Row of a leaderboard
 * @property {number} place
 * @property {string} player
 * @property {string} name
 * @property {string} tag
 * @property {number} score
 * @property {number} time_ms
 * @property {boolean} won
 * @property {number} out
 * @property {number} moves
 * @property {number} days
 * @property {string} game
 * @property {string[]} flags
 */
/** @typedef {{from: number | null, to: number | null, count: number}} Bar one step of a chart; `to` exclusive */
/**
 * @typedef {object} Board
 * @property {Period} period
 * @property {string} date
 * @property {string} ruleset
 * @property {Tab} tab
 * @property {string | null} from
 * @property {string | null} to
 * @property {boolean} final
 * @property {number} players
 * @property {number} page
 * @property {number} pages
 * @property {Row[]} rows
 * @property {Row | null} you
 * @property {Bar[]} chart
 */
/** One cell of a month: the day, or null before the first. @typedef {{day: string, n: number, played: boolean, now: boolean, ahead: boolean} | null} Cell */

/** Rows of a page. */
export const PAGE_ROWS = 50;
const DAY_MS = 86_400_000;

/** @param {string} day */
const at = (day) => Date.parse(`${day}T00:00:00Z`);

/** @param {number} ms @returns {string} */
const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/** @param {string} day @param {number} days @returns {string} */
export function shift(day, days) {
  return dayOf(at(day) + days * DAY_MS);
}

/**
 * The same weekday or the first of the month one period on, never after `today`.
 * @param {string} day
 * @param {Period} period day, week or month
 * @param {1 | -1} way
 * @param {string} today
 * @returns {string} empty when it is still to come
 */
export function neighbour(day, period, way, today) {
  if (period === 'all' || period === 'race') return '';
  if (period !== 'month') {
    const next = shift(day, way * (period === 'week' ? 7 : 1));
    return next <= today ? next : period === 'week' && weekStart(next) <= today ? today : '';
  }
  const date = new Date(at(day));
  const first = dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + way, 1));
  return first <= today ? first : '';
}

/** The Monday of a week. @param {string} day */
export function weekStart(day) {
  return shift(day, -((new Date(at(day)).getUTCDay() + 6) % 7));
}

/**
 * A day in words: "Monday 23 November"; with the year when it is not the present one.
 * @param {Language} lang
 * @param {string} day
 * @param {string} [today]
 */
export function dayText(lang, day, today = day) {
  const year = day.slice(0, 4) === today.slice(0, 4) ? undefined : 'numeric';
  return new Intl.DateTimeFormat(lang.tag, { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year }).format(at(day));
}

/** @param {Language} lang @param {string} day */
export function shortDay(lang, day) {
  return new Intl.DateTimeFormat(lang.tag, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }).format(at(day));
}

/** @param {Language} lang @param {string} day */
export function monthText(lang, day) {
  return new Intl.DateTimeFormat(lang.tag, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(at(day));
}

/** Short names of the weekdays, Monday first. @param {Language} lang */
export function weekdays(lang) {
  const format = new Intl.DateTimeFormat(lang.tag, { timeZone: 'UTC', weekday: 'short' });
  return Array.from({ length: 7 }, (_, i) => format.format(at(shift('2024-01-01', i))));
}

/** A moment in this device's own time of day. @param {Language} lang @param {number} ms */
export function momentText(lang, ms) {
  return new Intl.DateTimeFormat(lang.tag, { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(ms);
}

/**
 * The month of a day as rows of seven, Monday first.
 * @param {string} day
 * @param {Readonly<Record<string, readonly string[]>>} days those with a result
 * @param {string} today
 * @returns {Cell[]}
 */
export function calendar(day, days, today) {
  const first = `${day.slice(0, 8)}01`;
  const date = new Date(at(first));
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const before = (date.getUTCDay() + 6) % 7;
  const cells = Array.from({ length }, (_, i) => {
    const one = shift(first, i);
    return { day: one, n: i + 1, played: (days[one]?.length ?? 0) > 0, now: one === today, ahead: one > today };
  });
  return [...Array.from({ length: before }, () => null), ...cells];
}

/**
 * The address of a leaderboard.
 * @param {Choice} choice
 * @param {string} day any of the period; not needed for `all` and `race`
 * @param {{csv?: boolean, you?: string, around?: string}} [how]
 */
export function boardPath({ ruleset, period, tab, page }, day, { csv = false, you = '', around = '' } = {}) {
  const dated = period !== 'all' && period !== 'race';
  const query = [['period', period], ...(dated ? [['date', day]] : []), ['ruleset', ruleset], ['tab', tab]];
  if (around) query.push(['around', around]);
  else if (!csv) query.push(['page', String(page)]);
  if (you) query.push(['player', you]);
  return `/api/board${csv ? '.csv' : ''}?${query.map((pair) => pair.join('=')).join('&')}`;
}

/** The page somebody is on. @param {number} place */
export function pageOf(place) {
  return Math.max(1, Math.ceil(place / PAGE_ROWS));
}

/**
 * The choice with another game: Vegas is about dollars, so its score comes first.
 * @param {Choice} choice
 * @param {string} ruleset
 * @returns {Choice}
 */
export function withGame(choice, ruleset) {
  const vegas = gameParts(ruleset).vegas;
  const was = gameParts(choice.ruleset).vegas;
  const tab = choice.period === 'race' ? 'time' : vegas ? 'score' : was ? 'time' : choice.tab;
  return { ...choice, ruleset, tab, page: 1 };
}

/**
 * Neighbours of somebody who is not on the page: those next to their row, with it.
 * @param {readonly Row[]} rows around it
 * @param {Row} you
 * @param {number} each how many on each side
 * @returns {Row[]} at least `you`
 */
export function besides(rows, you, each) {
  const i = rows.findIndex((row) => row.player === you.player);
  return i < 0 ? [you] : rows.slice(Math.max(0, i - each), i + each + 1);
}

/**
 * Which step of a chart a value is in.
 * @param {readonly Bar[]} chart
 * @param {number} value
 * @returns {number} −1: none
 */
export function barOf(chart, value) {
  return chart.findIndex(({ from, to }) => (from === null || value >= from) && (to === null || value < to));
}

/**
 * A chart as boxes.
 * @param {readonly Bar[]} chart
 * @param {{left: number, right: number, top: number, bottom: number}} area
 * @returns {{x: number, y: number, w: number, h: number}[]} what has a result is never too low to be seen
 */
export function boxes(chart, { left, right, top, bottom }) {
  const most = Math.max(1, ...chart.map(({ count }) => count));
  const step = (right - left) / Math.max(1, chart.length);
  return chart.map(({ count }, i) => {
    const h = count === 0 ? 0 : Math.max(4, ((bottom - top) * count) / most);
    return { x: round(left + i * step + 2), y: round(bottom - h), w: round(step - 4), h: round(h) };
  });
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/**
 * A bound of a chart's step.
 * @param {Language} lang
 * @param {number} value
 * @param {Tab} tab
 * @param {boolean} vegas
 */
export function boundText(lang, value, tab, vegas) {
  return tab === 'time' ? lang.clock(value) : lang.score(value, vegas);
}

/**
 * What a step of a chart holds: "under 2:00", "2:00 to 3:00", "2:00:00 and more".
 * @param {Language} lang
 * @param {Bar} bar
 * @param {Tab} tab
 * @param {boolean} vegas
 */
export function barText(lang, { from, to }, tab, vegas) {
  const text = (/** @type {number | null} */ value) => (value === null ? '' : boundText(lang, value, tab, vegas));
  const key = from === null ? 'chart.under' : to === null ? 'chart.over' : 'chart.between';
  return lang.t(key, { from: text(from), to: text(to) });
}

/**
 * What can be told without spoiling anything: the day, the game, the result, the place.
 * @param {Language} lang
 * @param {{day: string, ruleset: string, ended: string, elapsed_ms: number, out: number, score: number, place: number, players: number, url: string}} what
 *   place 0: unknown
 */
export function shareText(lang, { day, ruleset, ended, elapsed_ms: ms, out, score, place, players, url }) {
  const { vegas, cards } = gameParts(ruleset);
  const points = vegas ? lang.score(score, true) : lang.t('points', { n: score });
  const how = ended === 'won' ? lang.t('daily.share_won', { time: lang.clock(ms) }) : lang.t('daily.share_out', { n: out, of: cards });
  const lines = [`Kupa · ${shortDay(lang, day)} · ${gameName(lang, ruleset)}`, `${how} · ${points}`];
  if (place > 0) lines.push(lang.t('daily.place_of', { place, of: players }));
  return [...lines, url].join('\n');
}
