/**
 * Curves of a race: cards out, or points, over time.
 *
 * Lives here: scales, paths and labels; pure but for making descriptions. Does not live here: where
 * the points come from (`store.js`).
 */

import { h } from '../dom.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { Point } from '../store.js' */

/** @typedef {{name: string, you: boolean, points: readonly Point[], endMs: number, label: string}} Curve `label`: what it came to */

const WIDTH = 640;
const HEIGHT = 236;
const LEFT = 44;
const RIGHT = 500;
const TOP = 20;
const BOTTOM = 200;
/** Labels are larger on phones; this is enough for both. */
const LINE_HEIGHT = 23;
const MOST_LETTERS = 9;

/**
 * A name for the end of a curve: its first word, cut short.
 * @param {string} name
 */
export function shortName(name) {
  const [word = ''] = name.split(/[\s,]+/u);
  const letters = [...word];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join('')}…` : word;
}

/**
 * @param {App} app
 * @param {Curve[]} curves
 * @param {'out' | 'score'} what
 * @param {number} most the value that ends a game, or 0 where there is none
 * @returns {VNode}
 */
export function chart(app, curves, what, most) {
  const values = curves.flatMap((curve) => curve.points.map((point) => point[what]));
  const ticks = scale(Math.min(0, ...values), Math.max(1, ...values), most);
  const [low = 0] = ticks;
  const high = ticks.at(-1) ?? 1;
  const long = Math.max(1000, ...curves.map((curve) => curve.endMs));
  const x = (/** @type {number} */ ms) => LEFT + (Math.min(ms, long) / long) * (RIGHT - LEFT);
  const y = (/** @type {number} */ value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
  const ordered = [...curves].sort((a, b) => Number(a.you) - Number(b.you));
  return h('svg.chart.chart--wide', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': describe(app, curves, what) },
    h('path', { class: 'axis', d: `M${LEFT} ${BOTTOM}H${RIGHT}M${LEFT} ${TOP}V${BOTTOM}${ticks.slice(1, -1).map((value) => `M${LEFT} ${round(y(value))}H${RIGHT}`).join('')}` }),
    ticks.map((value) => h('text', { x: LEFT - 5, y: round(y(value)) + 4, 'text-anchor': 'end' }, app.lang.number(value))),
    [0, long / 2, long].map((ms, i) => h('text', { x: x(ms), y: BOTTOM + 22, 'text-anchor': ['start', 'middle', 'end'][i] }, app.lang.clock(ms))),
    ordered.map((curve) => h('path', { class: curve.you ? 'me' : null, d: pathOf(curve, what, x, y) })),
    labels(ordered, what, x, y));
}

/**
 * Where an instant lies in a chart, as a share of its width.
 * @param {number} ms
 * @param {number} longMs how long the longest curve is
 */
export function chartShare(ms, longMs) {
  return (LEFT + (Math.min(ms, longMs) / Math.max(1000, longMs)) * (RIGHT - LEFT)) / WIDTH;
}

/**
 * The marks of the scale, whole and evenly spaced, from the lowest to the highest: so far that the
 * curves fill it, but not beyond the end of a game.
 * @param {number} least 0 or less
 * @param {number} value the highest there is
 * @param {number} most 0 for no end
 * @returns {number[]}
 */
export function scale(least, value, most) {
  const sizes = [1, 2, 4, 5, 10, 15, 20, 25, 30, 40, 50];
  if (most && least === 0) {
    const half = sizes.find((size) => 2 * size >= value) ?? most / 2;
    const step = Math.min(half, most / 2);
    return [0, step, 2 * step];
  }
  const tall = 10 ** Math.max(0, Math.floor(Math.log10(value - least)) - 1);
  const step = sizes.map((size) => size * tall).find((size) => count(least, value, size) <= (least < 0 ? 4 : 2)) ?? value;
  return Array.from({ length: count(least, value, step) + 1 }, (_, i) => (Math.floor(least / step) + i) * step);
}

/** How many steps reach from one value to the other. @param {number} least @param {number} value @param {number} step */
function count(least, value, step) {
  return Math.ceil(value / step) - Math.floor(least / step);
}

/**
 * @param {Curve} curve
 * @param {'out' | 'score'} what
 * @param {(ms: number) => number} x
 * @param {(value: number) => number} y
 */
function pathOf(curve, what, x, y) {
  const start = { atMs: 0, out: 0, score: curve.points[0]?.score ?? 0 };
  const last = curve.points.at(-1) ?? start;
  const steps = [start, ...curve.points, { ...last, atMs: Math.max(curve.endMs, last.atMs) }];
  return steps.map((point, i) => `${i ? 'L' : 'M'}${round(x(point.atMs))} ${round(y(point[what]))}`).join('');
}

/**
 * Labels at the ends of the curves, moved apart where they would touch.
 * @param {Curve[]} curves
 * @param {'out' | 'score'} what
 * @param {(ms: number) => number} x
 * @param {(value: number) => number} y
 * @returns {VNode[]}
 */
function labels(curves, what, x, y) {
  const ends = curves.map((curve) => ({ curve, x: x(curve.endMs) + 8, y: y(curve.points.at(-1)?.[what] ?? 0) + 4 }));
  ends.sort((a, b) => a.y - b.y);
  let free = TOP - LINE_HEIGHT / 2;
  for (const end of ends) {
    end.y = Math.max(end.y, free);
    free = end.y + LINE_HEIGHT;
  }
  const over = free - LINE_HEIGHT - (BOTTOM + 4);
  return ends.map((end) => h('text', {
    class: end.curve.you ? 'me' : null, x: round(end.x), y: round(over > 0 ? end.y - over : end.y),
  }, `${shortName(end.curve.name)} ${end.curve.label}`));
}

/** @param {App} app @param {Curve[]} curves @param {'out' | 'score'} what */
function describe(app, curves, what) {
  return `${app.t(`chart.${what}`)}: ${app.lang.list(curves.map((curve) => `${curve.name} ${curve.label}`))}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
