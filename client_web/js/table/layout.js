/**
 * Where everything lies. Pure: numbers in, numbers out; `render.js` writes them to the nodes.
 *
 * Lives here: the sizes of the table for any felt, the fan of a column, the place of every card that
 * can be seen. Does not live here: nodes, events, rules, what a pointer hits (`hit.js`).
 * All lengths are CSS pixels from the felt's corner.
 */

import { BACK, FULL_FROM } from '../cards.js';
import { COLUMN0, SLOT0, STOCK, UNKNOWN, WASTE } from '../rules.js';

/** @import { View } from '../rules.js' */
/** @import { Face } from '../cards.js' */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {{columns: number, decks: number}} Game */

/**
 * @typedef {object} Options
 * @property {boolean} [left] left-handed: the rails change sides
 * @property {boolean} [large] large indices
 * @property {number} [lanes] rivals' lanes that want a place
 * @property {number} [rem] root font size, for the height of a lane
 */

/**
 * @typedef {object} Metrics
 * @property {boolean} tall foundations and stock above the columns
 * @property {number} W width of the felt
 * @property {number} H height of the felt
 * @property {number} cw width of a card
 * @property {number} ch height of a card
 * @property {number} gap between columns
 * @property {number} pad
 * @property {Face} face
 * @property {number} fan step of the waste
 * @property {number} tuck step between rows of foundations
 * @property {readonly number[]} cols left edge of each column
 * @property {number} top upper edge of the columns
 * @property {number} room from there to the bottom
 * @property {readonly Point[]} found each foundation slot
 * @property {Point} stock
 * @property {Point} waste
 * @property {Box} rivals
 * @property {boolean} line lanes are one line each
 * @property {boolean} left
 */

/**
 * One card that can be seen.
 * @typedef {object} Place
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {number} card 0–51, UNKNOWN or BACK
 * @property {Face} face
 * @property {number} pile
 * @property {number} depth from the bottom of its pile
 * @property {number} index among the open cards of its pile; −1: face down
 * @property {boolean} top last of its pile
 */

const FAN = 0.46;
const RAIL = 0.36;
const RATIO = 1.4;
const MAX_WIDTH = 240;
/** Height of a one-line lane in rem. */
const LANE = 1.84;

/** @param {number} low @param {number} value @param {number} high */
const clamp = (low, value, high) => Math.max(low, Math.min(value, high));
/** @param {number} n @param {(i: number) => any} make */
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));

/**
 * Sizes and places of the table on a felt of W × H.
 * @param {Game} game
 * @param {number} W
 * @param {number} H
 * @param {Options} [options]
 * @returns {Metrics}
 */
export function metrics(game, W, H, options = {}) {
  const tall = H > 0.9 * W;
  const pad = Math.round(clamp(4, 0.012 * W, 28));
  const n = game.columns;
  const step = tall ? 0.08 : 0.09;
  const block = game.decks + (game.decks - 1) * step;
  const rails = tall ? 0 : 1 + 2 * FAN + block + 2 * RAIL;
  const units = n + (n - 1) * step + rails;
  const cw = Math.max(1, Math.floor(Math.min((W - 2 * pad) / units, ((tall ? 0.17 : 0.27) * H) / RATIO, MAX_WIDTH)));
  const ch = Math.round(RATIO * cw);
  const gap = tall ? Math.min((W - 2 * pad - n * cw) / (n - 1), 0.3 * cw) : step * cw;
  const used = rails * cw + n * cw + (n - 1) * gap;
  const face = /** @type {Face} */ (options.large || cw < FULL_FROM ? 'b' : 'f');
  const base = { tall, W, H, cw, ch, gap, pad, face, fan: FAN * cw, left: options.left ?? false };
  const frame = { ...base, x0: (W - used) / 2, top: pad + 4, used, block: block * cw };
  const laid = tall ? tallTable(game, frame, options) : wideTable(game, frame);
  return { ...base, ...laid, room: H - laid.top - pad, line: tall && laid.rivals.h < 170 };
}

/** @typedef {Pick<Metrics, 'tuck' | 'cols' | 'top' | 'found' | 'stock' | 'waste' | 'rivals'>} Laid */
/** @typedef {Omit<Metrics, keyof Laid | 'room' | 'line'> & {x0: number, top: number, used: number, block: number}} Frame */

/**
 * @param {Game} game
 * @param {Frame} frame
 * @param {Options} options
 * @returns {Laid}
 */
function tallTable({ columns: n, decks }, { H, W, cw, ch, gap, x0, top, used, fan, left }, { lanes = 0, rem = 16 }) {
  /** @type {number[]} */
  const cols = times(n, (i) => x0 + i * (cw + gap));
  const at = (/** @type {number} */ i) => cols[i] ?? 0;
  const double = decks === 2;
  const tuck = double ? clamp(0.44 * ch, (0.32 * H - ch) / 3, ch + gap) : 0;
  const found = double
    ? times(8, (i) => ({ x: at(left ? i % 2 : n - 2 + (i % 2)), y: top + (i >> 1) * tuck }))
    : times(4, (i) => ({ x: at(left ? i : n - 4 + i), y: top }));
  const shared = { cols, tuck, found, stock: { x: at(left ? n - 1 : 0), y: top }, waste: { x: left ? at(n - 2) - 2 * fan : at(1), y: top } };
  const below = top + ch + 0.22 * ch;
  if (double) {
    const band = ch + 3 * tuck;
    const w = at(n - 2) - gap - 0.4 * cw - x0;
    return { ...shared, top: top + band + Math.max(10, 0.2 * ch), rivals: { x: left ? W - x0 - w : x0, y: below, w, h: band - 1.22 * ch } };
  }
  // One row of foundations leaves no corner: the lanes get a strip of their own, at most three
  const h = Math.min(lanes, H > 30 * rem ? 3 : 2) * LANE * rem;
  return { ...shared, top: h ? below + h + 0.14 * ch : top + ch + Math.max(10, 0.2 * ch), rivals: { x: x0, y: below, w: used, h } };
}

/**
 * @param {Game} game
 * @param {Frame} frame
 * @returns {Laid}
 */
function wideTable({ columns: n, decks }, { H, pad, cw, ch, gap, x0, top, used, block, left }) {
  const room = H - top - pad;
  const rail = (1 + 2 * FAN) * cw;
  const first = x0 + (left ? block : rail) + RAIL * cw;
  const tuck = Math.min(ch + gap, (room - ch) / 3);
  const x = left ? x0 + used - rail : x0;
  const slots = left ? x0 : x0 + used - block;
  const lanes = top + 2 * (ch + gap) + 0.1 * ch;
  return {
    cols: times(n, (i) => first + i * (cw + gap)), top, tuck,
    found: times(4 * decks, (i) => ({ x: slots + (i % decks) * (cw + gap), y: top + Math.floor(i / decks) * tuck })),
    stock: { x, y: top }, waste: { x, y: top + ch + gap },
    rivals: { x, y: lanes, w: rail, h: top + room - lanes },
  };
}

/**
 * How far each face-down and each open card of a column pushes the next one down.
 * @param {{room: number, ch: number, face: Face}} m
 * @param {number} down
 * @param {number} up
 * @returns {{D: number, U: number, tight: boolean}} tight: indices can no longer be read
 */
export function fan({ room, ch, face }, down, up) {
  const bold = face === 'b';
  const wish = (bold ? 0.4 : 0.28) * ch;
  const least = (bold ? 0.32 : 0.185) * ch;
  const steps = Math.max(0, up - 1);
  const space = room - ch;
  let D = 0.12 * ch;
  let U = wish;
  if (down && down * D + steps * U > space) D = clamp(Math.max(2, 0.035 * ch), (space - steps * U) / down, D);
  if (steps && down * D + steps * U > space) U = Math.min(wish, (space - down * D) / steps);
  return { D, U, tight: U < least };
}

/**
 * Every card that can be seen, in its place.
 * @param {Game} game
 * @param {View} view
 * @param {Metrics} m
 * @returns {Place[]}
 */
export function place(game, view, m) {
  return [...stockCards(view, m), ...wasteCards(view, m), ...columnCards(view, m), ...foundationCards(game, view, m)];
}

/** @param {View} view @param {Metrics} m @returns {Place[]} */
function stockCards(view, m) {
  const n = Math.min(view.stock, 3);
  return times(n, (k) => ({
    card: BACK, face: m.face, pile: STOCK, depth: k, index: -1, top: k === n - 1, z: 1 + k,
    x: m.stock.x + k * 0.012 * m.cw, y: m.stock.y - k * 0.012 * m.cw,
  }));
}

/** The last three; the top one is never covered. @param {View} view @param {Metrics} m @returns {Place[]} */
function wasteCards(view, m) {
  const from = Math.max(0, view.waste.length - 3);
  const shift = m.left ? 3 - (view.waste.length - from) : 0;
  return view.waste.slice(from).map((card, k) => ({
    card, face: m.face, pile: WASTE, depth: from + k, index: from + k, top: from + k === view.waste.length - 1, z: 5 + k,
    x: m.waste.x + (k + shift) * m.fan, y: m.waste.y,
  }));
}

/** @param {View} view @param {Metrics} m @returns {Place[]} */
function columnCards(view, m) {
  return view.columns.flatMap(([down, up], i) => {
    let face = m.face;
    let step = fan(m, down, up.length);
    if (step.tight && face === 'b' && m.cw >= FULL_FROM) {
      face = 'f';
      step = fan({ ...m, face }, down, up.length);
    }
    const { D, U } = step;
    const base = { x: m.cols[i] ?? 0, pile: COLUMN0 + i, face };
    const hidden = times(down, (k) => ({
      ...base, card: BACK, depth: k, index: -1, top: k === down - 1 && !up.length, z: 30 + k, y: m.top + k * D,
    }));
    const open = up.map((card, k) => ({
      ...base, card, depth: down + k, index: k, top: k === up.length - 1, z: 30 + down + k, y: m.top + down * D + k * U,
    }));
    return [...hidden, ...open];
  });
}

/** The top card of each slot and the one it covers. @param {Game} game @param {View} view @param {Metrics} m @returns {Place[]} */
function foundationCards({ decks }, view, m) {
  return view.foundations.flatMap((height, slot) => [height - 1, height].filter((rank) => rank > 0).map((rank) => ({
    card: Math.floor(slot / decks) * 13 + rank - 1, face: m.face, pile: SLOT0 + slot, depth: rank - 1,
    index: rank === height ? 0 : -1, top: rank === height, z: 10 + 2 * slot + (rank === height ? 1 : 0),
    x: m.found[slot]?.x ?? 0, y: m.found[slot]?.y ?? 0,
  })));
}

/** Whether a place shows a face. @param {Place} at */
export const isOpen = (at) => at.card !== BACK && at.card !== UNKNOWN;
