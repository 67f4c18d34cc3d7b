/**
 * Where the cards of a small board lie: an example of the rules, a few piles of a real deal.
 *
 * Lives here: the data of `data/examples.json` and the layout, pure. Does not live here: nodes
 * (`views/stepper.js`), which deals they are (`engine/examples.py`).
 */

import { FULL_FROM } from './cards.js';

/** Covered or face-down cards, and the open ones from deepest to last. @typedef {readonly [number, readonly number[]]} Pile */
/**
 * @typedef {object} Frame one moment of an example
 * @property {Readonly<Record<string, Pile>>} piles by name: s stock, w waste, f1… foundation slots, c1… columns
 * @property {number} score
 * @property {number} moves
 * @property {string} [played] the move that led here
 * @property {{move: string, code: string, from: string, to: string}} [refused] a move that was tried
 * @property {string} [from] the column whose last card could move
 * @property {readonly string[]} [legal] and where to
 */
/** @typedef {{name: string, code: string, rows: readonly (readonly string[])[], frames: readonly Frame[]}} Example */

/** `card`: −1 for a back; `last`: the card of the pile that plays. @typedef {{key: string, card: number, pile: string, last: boolean, x: number, y: number, z: number}} MiniCard */
/** @typedef {{pile: string, x: number, y: number}} MiniSlot */
/** @typedef {{cw: number, ch: number, face: 'f' | 'b', height: number, slots: MiniSlot[]}} MiniMetrics */

const GAP = 0.14;
/** The waste's cards lie side by side, as at the table. */
const FAN = 0.46;
const DOWN = 0.12;
const WIDEST = 92;
const BACK = -1;

/** Width of a pile in cards. @param {string} pile */
const units = (pile) => (pile === 'w' ? 1 + 2 * FAN : 1);

/** @param {readonly string[]} row */
const rowUnits = (row) => row.reduce((sum, pile) => sum + units(pile), 0) + (row.length - 1) * GAP;

/** @param {Pile} pile @param {number} up how far an open card pushes the next one down, in card heights */
const depth = ([down, open], up) => down * DOWN + Math.max(0, open.length - 1) * up;

/** How far an open card pushes the next one down. @param {'f' | 'b'} face */
const stepOf = (face) => (face === 'b' ? 0.4 : 0.28);

/**
 * The measures of an example for all its frames, so that nothing jumps from one to the next.
 * @param {Example} example
 * @param {number} width CSS pixels
 * @param {boolean} large large indices
 * @returns {MiniMetrics}
 */
export function miniMetrics({ rows, frames }, width, large) {
  const cw = Math.max(16, Math.floor(Math.min(WIDEST, width / Math.max(...rows.map(rowUnits)))));
  const ch = Math.round(cw * 1.4);
  const face = large || cw < FULL_FROM ? 'b' : 'f';
  /** @type {MiniSlot[]} */
  const slots = [];
  let y = 0;
  for (const row of rows) {
    let x = (width - rowUnits(row) * cw) / 2;
    for (const pile of row) {
      slots.push({ pile, x, y });
      x += (units(pile) + GAP) * cw;
    }
    const columns = row.filter((pile) => pile.startsWith('c'));
    const deepest = Math.max(0, ...frames.flatMap((frame) => columns.map((pile) => depth(frame.piles[pile] ?? [0, []], stepOf(face)))));
    y += ch * (1 + deepest + 0.25);
  }
  return { cw, ch, face, slots, height: Math.ceil(y - 0.25 * ch) };
}

/**
 * The cards of a frame. Keys stay with a card from frame to frame, so that it can be seen to travel.
 * @param {Frame} frame
 * @param {MiniMetrics} m
 * @returns {MiniCard[]}
 */
export function miniCards(frame, m) {
  /** @type {Map<number, number>} */
  const seen = new Map();
  const to = frame.played?.split('>')[1]?.split('*')[0] ?? '';
  return m.slots.flatMap(({ pile, x, y }) => {
    const [down, open] = frame.piles[pile] ?? [0, []];
    const lift = pile === to || (to === 'f' && pile.startsWith('f')) ? 40 : 0;
    const backs = Array.from({ length: covers(pile, down) }, (_, i) => ({
      key: `${pile} back ${i}`, card: BACK, pile, last: pile === 's' && i === covers(pile, down) - 1, z: 1 + i, ...backPlace(pile, i, x, y, m),
    }));
    const faces = open.map((card, i) => {
      const copy = seen.get(card) ?? 0;
      seen.set(card, copy + 1);
      return { key: `${card} ${copy}`, card, pile, last: i === open.length - 1, z: 10 + lift + i, ...facePlace(pile, down, i, x, y, m) };
    });
    return [...backs, ...faces];
  });
}

/** How many backs are drawn: of a stock three at most, of a column all; what foundations and waste cover is not seen. @param {string} pile @param {number} down */
function covers(pile, down) {
  if (pile === 's') return Math.min(3, down);
  return pile.startsWith('c') ? down : 0;
}

/** @param {string} pile @param {number} i @param {number} x @param {number} y @param {MiniMetrics} m */
function backPlace(pile, i, x, y, m) {
  return pile === 's' ? { x: x + i * 0.012 * m.cw, y: y - i * 0.012 * m.cw } : { x, y: y + i * DOWN * m.ch };
}

/** @param {string} pile @param {number} down @param {number} i @param {number} x @param {number} y @param {MiniMetrics} m */
function facePlace(pile, down, i, x, y, m) {
  if (pile === 'w') return { x: x + i * FAN * m.cw, y };
  return pile.startsWith('c') ? { x, y: y + (down * DOWN + i * stepOf(m.face)) * m.ch } : { x, y };
}
