/**
 * The words of the rules: rulesets, piles, kinds of moves, and the view a player has of a board.
 *
 * Lives here: values and how to read them. Does not live here: what is allowed (`moves.js`).
 *
 * A card is suit × 13 + rank − 1. A card that lies open but is not known yet, since the server's
 * answer is on its way, is `UNKNOWN`. Views are never changed in place.
 */

/** Kinds of entries of a board's log. */
export const KIND = Object.freeze({ DRAW: 1, RECYCLE: 2, TRANSFER: 3, UNDO: 4, AUTO: 5, RESIGN: 6 });

export const STOCK = 0;
export const WASTE = 1;
/** As a target only: the slot follows from the card (R4.2). */
export const FOUNDATIONS = 2;
/** First foundation slot, as a source only (R4.3). */
export const SLOT0 = 10;
/** First column. */
export const COLUMN0 = 20;

export const UNKNOWN = 255;

/** @typedef {{kind: number, source: number, target: number, count: number}} Move */
/** @typedef {readonly [number, readonly number[]]} Column face-down count, open cards from deepest to last */
/** @typedef {'all' | 'hidden' | 'none'} UndoPolicy */

/**
 * @typedef {object} Ruleset
 * @property {string} id e.g. DS1-D1N
 * @property {'DS1' | 'SS1'} family
 * @property {number} draw cards a press turns: 1, 2 or 3
 * @property {boolean} vegas scored in dollars, one pass
 * @property {number} decks
 * @property {number} columns
 * @property {boolean} recycleDraws R11.3
 * @property {boolean} autoCompletes R11.6
 * @property {number} recycleCost
 * @property {number} undoLimit actions; Infinity: no limit (R7.1)
 * @property {boolean} ranked competition scoring: a foundation card scores once
 * @property {UndoPolicy} undo
 */

/**
 * @typedef {object} View
 * @property {number} ply entries in the log
 * @property {number} score
 * @property {number} moves
 * @property {number} stock cards left
 * @property {readonly number[]} waste bottom to top
 * @property {readonly number[]} foundations height of each slot, slots suit by suit
 * @property {readonly Column[]} columns
 * @property {number} undoable undos that would be accepted in a row
 * @property {string} ended empty while it is played
 * @property {readonly number[]} marks for each suit the most cards that were out (ranked scoring)
 * @property {readonly number[]} known cards at the front of the stock that the player has seen, next first
 */

/** @typedef {ArrayLike<number>} Bytes */
/**
 * What the wire calls BoardView.
 * @typedef {object} WireView
 * @property {number} ply
 * @property {number} score
 * @property {number} moves
 * @property {number} stock
 * @property {Bytes} waste
 * @property {Bytes} foundations
 * @property {ReadonlyArray<readonly [number, Bytes]>} columns
 * @property {number} undoable
 * @property {string} ended
 * @property {Bytes} [marks] empty where the scoring is not ranked
 * @property {Bytes} [known] cards at the front of the stock that were seen, next first
 */

export const suitOf = (/** @type {number} */ card) => Math.floor(card / 13);
/** 1 ace … 13 king. */
export const rankOf = (/** @type {number} */ card) => (card % 13) + 1;
export const isRed = (/** @type {number} */ card) => suitOf(card) === 1 || suitOf(card) === 2;
export const isColumn = (/** @type {number} */ pile) => pile >= COLUMN0;
export const isSlot = (/** @type {number} */ pile) => pile >= SLOT0 && pile < COLUMN0;

/**
 * @param {string} id family, draw and scoring: DS1-D3V
 * @param {{ranked?: boolean, undo?: UndoPolicy}} [options]
 * @returns {Ruleset}
 * @throws {RangeError} for an id that is no ruleset
 */
export function rulesetOf(id, { ranked = true, undo = 'all' } = {}) {
  const found = /^(?:(DS1)-D([13])([NV])|(SS1)-D([123])N)$/.exec(id);
  if (!found) throw new RangeError(`not a ruleset: ${id}`);
  const double = found[1] === 'DS1';
  return Object.freeze({
    id, ranked, undo,
    family: double ? 'DS1' : 'SS1',
    draw: Number(found[2] ?? found[5]),
    vegas: found[3] === 'V',
    decks: double ? 2 : 1,
    columns: double ? 9 : 7,
    recycleDraws: !double,
    autoCompletes: !double,
    recycleCost: double ? 100 : 0,
    undoLimit: double ? 200 : Infinity,
  });
}

/**
 * A view as this module wants it, from the decoded wire value.
 * @param {WireView} wire
 * @returns {View}
 */
export function viewOf(wire) {
  const foundations = Array.from(wire.foundations);
  return {
    ply: wire.ply, score: wire.score, moves: wire.moves, stock: wire.stock, undoable: wire.undoable, ended: wire.ended,
    waste: Array.from(wire.waste), foundations,
    columns: wire.columns.map(([down, up]) => /** @type {Column} */ ([down, Array.from(up)])),
    marks: wire.marks?.length ? Array.from(wire.marks) : [0, 1, 2, 3].map((suit) => suitTotal(foundations, suit)),
    known: Array.from(wire.known ?? []),
  };
}

/**
 * @param {readonly number[]} foundations
 * @param {number} suit
 */
export function suitTotal(foundations, suit) {
  const decks = foundations.length / 4;
  return foundations.slice(suit * decks, (suit + 1) * decks).reduce((sum, height) => sum + height, 0);
}

/** Cards on the foundations. @param {View} view */
export const cardsOut = (view) => view.foundations.reduce((sum, height) => sum + height, 0);

/**
 * R4.2: the slot that a card sent to the foundations takes.
 * @param {View} view
 * @param {number} card
 * @returns {number} slot from 0, or −1 when none accepts it
 */
export function slotFor(view, card) {
  const decks = view.foundations.length / 4;
  for (let slot = suitOf(card) * decks; slot < (suitOf(card) + 1) * decks; slot++) {
    if (view.foundations[slot] === rankOf(card) - 1) return slot;
  }
  return -1;
}

/**
 * The open cards of a pile, deepest first; of a foundation slot its top card only.
 * @param {View} view
 * @param {number} pile waste, slot or column
 * @returns {readonly number[]}
 */
export function openCards(view, pile) {
  if (pile === WASTE) return view.waste;
  if (isColumn(pile)) return view.columns[pile - COLUMN0]?.[1] ?? [];
  const slot = pile - SLOT0;
  const height = view.foundations[slot] ?? 0;
  return height ? [Math.floor(slot / (view.foundations.length / 4)) * 13 + height - 1] : [];
}

/**
 * A list with one item replaced.
 * @template T
 * @param {readonly T[]} list
 * @param {number} at
 * @param {T} value
 * @returns {T[]}
 */
export function replaced(list, at, value) {
  const copy = list.slice();
  copy[at] = value;
  return copy;
}
