/** A person: days in a row, bests and results, for everybody to read. */

import { shortDay } from '../daily.js';
import { h } from '../dom.js';
import { gameName, gameParts, initials } from '../phrases.js';
import { page, seatMark } from './frame.js';
import { ratings } from './rating.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */

const FRESH_MS = 30_000;
/** @typedef {{value: number} | null} Best */
/** @typedef {{ruleset: string, results: number, won: number, best_score: Best, best_time: Best}} GameRow */
/** @typedef {{kind: string, at_ms: number, ruleset: string, game: string, date: string, ended: string, out: number, score: number, elapsed_ms: number, place: number, racers: number}} Result */

/** @param {App} app @param {string} player @returns {VNode[]} */
export function profile(app, player) {
  const { value, fault } = app.pull.at(`/api/player/${player}`, FRESH_MS);
  if (!value) {
    const key = fault === 'not_found' ? 'profile.nobody' : fault ? 'board.fault' : 'board.loading';
    return page(app, [h('h1', { key: 'h', tabindex: '-1' }, app.t('profile.title')), h('p.muted', { key: 'p', role: 'status', 'aria-busy': fault ? null : 'true' }, app.t(key))]);
  }
  return page(app, [
    head(app, value),
    h('div.two', { key: 'two' },
      results(app, value.results),
      h('div.stack', null, days(app, value), ratings(app, value.ratings ?? []), ...value.rulesets.map((/** @type {GameRow} */ row) => game(app, row)))),
  ]);
}

/** @param {App} app @param {{player: string, name: string, tag: string, made_ms: number}} who */
function head(app, { player, name, tag, made_ms: made }) {
  const since = new Intl.DateTimeFormat(app.lang.tag, { month: 'long', year: 'numeric' }).format(made);
  return h('div.row.dayhead', { key: 'head' },
    seatMark(initials(app.lang, name), player === app.state.me?.player ? 1 : 2 + (player.charCodeAt(0) % 6)),
    h('div', null,
      h('h1', { tabindex: '-1' }, h('span', { translate: 'no' }, name), ' ', h('span.tag', { translate: 'no' }, `#${tag}`)),
      made > 0 && h('p.muted', null, app.t('profile.since', { month: since }))));
}

/** @param {App} app @param {{streak: {now: number, best: number}, days: Record<string, unknown>, races: {results: number, firsts: number}}} who */
function days(app, { streak, days: played, races }) {
  const numbers = [
    [streak.now, 'daily.in_a_row'], [streak.best, 'daily.longest'], [Object.keys(played).length, 'profile.days'],
    [races.results, 'profile.races'], [races.firsts, 'profile.firsts'],
  ];
  return h('section.panel', { key: 'days' }, h('h2', null, app.t('profile.numbers')),
    h('dl.streak', null, numbers.map(([n, key]) => h('div', { key: String(key) }, h('dt', null, app.t(String(key), { n: Number(n) })), h('dd', null, app.lang.number(Number(n)))))));
}

/** @param {App} app @param {GameRow} row */
function game(app, row) {
  const { vegas } = gameParts(row.ruleset);
  const share = row.results ? Math.round((100 * row.won) / row.results) : 0;
  const none = app.t('profile.none_yet');
  return h('section.panel', { key: row.ruleset }, h('h2', null, gameName(app.lang, row.ruleset)),
    h('dl.facts', null,
      fact('won', app.t('profile.won'), app.t('profile.won_of', { n: row.won, of: row.results, share })),
      fact('time', app.t('profile.best_time'), row.best_time ? app.lang.exact(row.best_time.value) : none),
      fact('score', app.t('profile.best_score'), row.best_score ? app.lang.score(row.best_score.value, vegas) : none)));
}

/** @param {string} key @param {string} name @param {string} value */
function fact(key, name, value) {
  return h('div', { key }, h('dt', null, name), h('dd', null, value));
}

/** @param {App} app @param {Result[]} rows @returns {VNode} */
function results(app, rows) {
  const head = (/** @type {string} */ key, cls = '') => h('th', { scope: 'col', class: cls || null }, app.t(key));
  return h('section.panel', { key: 'results' }, h('h2', { id: 'results' }, app.t('profile.results')),
    rows.length === 0 ? h('p.muted', null, app.t('profile.no_results')) : h('div.scrollx', { tabindex: '0', role: 'region', 'aria-labelledby': 'results' },
      h('table.tbl.tbl--board', null,
        h('thead', null, h('tr', null, head('profile.what'), head('profile.how'), head('stat.score', 'num'), head('clock.name', 'num opt'))),
        h('tbody', null, rows.map((row, i) => line(app, row, i))))));
}

/** @param {App} app @param {Result} row @param {number} i */
function line(app, row, i) {
  const { vegas } = gameParts(row.ruleset);
  return h('tr', { key: String(i) },
    h('td', null, h('span.block', null, what(app, row)), h('span.muted.small', null, gameName(app.lang, row.ruleset))),
    h('td', null, how(app, row)),
    h('td.num', null, app.lang.score(row.score, vegas)),
    h('td.num.opt', null, app.lang.clock(row.elapsed_ms)));
}

/** @param {App} app @param {Result} row @returns {Children} */
function what(app, row) {
  if (row.kind === 'daily') return h('a', { href: `/daily/${row.date}` }, app.t('profile.daily', { day: shortDay(app.lang, row.date) }));
  const day = new Intl.DateTimeFormat(app.lang.tag, { day: 'numeric', month: 'short', year: 'numeric' }).format(row.at_ms);
  return h('a', { href: `/replay/${row.game}` }, app.t('profile.race', { day }));
}

/** @param {App} app @param {Result} row */
function how(app, row) {
  const { cards } = gameParts(row.ruleset);
  const end = row.ended === 'won' ? app.t('profile.won_it') : app.t('daily.share_out', { n: row.out, of: cards });
  return row.place > 0 ? `${app.t('daily.place_of', { place: row.place, of: row.racers })} · ${end}` : end;
}
