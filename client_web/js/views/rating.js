/**
 * A player's ratings: how strong, how sure that is, and how it came about.
 *
 * Lives here: numbers and curves, which are tables for the ear. Does not live here: the arithmetic (the
 * server's), the rest of a player's page (`profile.js`).
 */

import { h } from '../dom.js';
import { gameName } from '../phrases.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */

/** When, rating, deviation, heat. @typedef {readonly [number, number, number, string]} Step */
/** @typedef {{ruleset: string, rating: number, deviation: number, games: number, provisional: boolean, curve: readonly Step[]}} Rating */

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 48;
const RIGHT = 394;
const TOP = 12;
const BOTTOM = 140;
/** Rows of the table for the ear, the last ones. */
const ROWS = 20;

/** @param {App} app @param {readonly Rating[]} rows @returns {Children} nothing for who has no rating */
export function ratings(app, rows) {
  return rows.length > 0 && h('section.panel', { key: 'ratings' },
    h('h2', { title: app.t('profile.rating_more') }, app.t('profile.ratings')),
    rows.map((row) => h('div.rating', { key: row.ruleset },
      h('h3', null, gameName(app.lang, row.ruleset)),
      h('p.row', null,
        h('b.big', null, app.t('result.rating_value', { rating: String(row.rating), deviation: String(row.deviation) })),
        h('span.muted', null, app.t('profile.rated', { n: row.games })),
        row.provisional && h('span.chip', null, app.t('result.provisional'))),
      row.curve.length > 1 && curve(app, row))));
}

/** @param {App} app @param {Rating} row @returns {VNode} */
function curve(app, { curve: steps }) {
  const ends = steps.flatMap(([, rating, deviation]) => [rating - deviation, rating + deviation]);
  const [low, high] = [Math.floor(Math.min(...ends) / 100) * 100, Math.ceil(Math.max(...ends) / 100) * 100];
  const x = (/** @type {number} */ i) => LEFT + (i / (steps.length - 1)) * (RIGHT - LEFT);
  const y = (/** @type {number} */ value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
  const path = (/** @type {(step: Step) => number} */ value, /** @type {number} */ from = 0) => steps.slice(from)
    .map((step, i) => `${Math.round(10 * x(i + from)) / 10} ${Math.round(10 * y(value(step))) / 10}`).join('L');
  const upper = path(([, rating, deviation]) => rating + deviation);
  const lower = path(([, rating, deviation]) => rating - deviation).split('L').reverse().join('L');
  return h('div', { key: 'curve' },
    h('svg.chart', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' },
      h('path', { class: 'band', d: `M${upper}L${lower}Z` }),
      h('path', { class: 'axis', d: `M${LEFT} ${BOTTOM}H${RIGHT}M${LEFT} ${TOP}V${BOTTOM}` }),
      [high, low].map((value) => h('text', { x: LEFT - 6, y: y(value) + 5, 'text-anchor': 'end' }, String(value))),
      h('path', { class: 'me', d: `M${path(([, rating]) => rating)}` })),
    table(app, steps.slice(-ROWS)));
}

/** @param {App} app @param {readonly Step[]} steps */
function table(app, steps) {
  const day = new Intl.DateTimeFormat(app.lang.tag, { day: 'numeric', month: 'short', year: 'numeric' });
  return h('table.sr', null,
    h('caption', null, app.t('profile.rating_curve')),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, app.t('profile.what')), h('th', { scope: 'col' }, app.t('result.rating')))),
    h('tbody', null, steps.map(([atMs, rating, deviation, heat]) => h('tr', { key: heat },
      h('th', { scope: 'row' }, day.format(atMs)),
      h('td', null, app.t('result.rating_value', { rating: String(rating), deviation: String(deviation) }))))));
}
