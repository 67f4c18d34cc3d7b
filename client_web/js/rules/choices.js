/**
 * Which move a gesture means, where a card may go, and what could be tried.
 *
 * Lives here: R9.1, R9.2, R11.10 and R11.11 over a view. Does not live here: pointers and keys.
 */

import { WAITING, check } from './moves.js';
import { COLUMN0, FOUNDATIONS, KIND, UNKNOWN, WASTE, isColumn, isSlot, openCards, rankOf, replaced } from './view.js';

/** @import { Move, Ruleset, View } from './view.js' */

/** A press on the stock: draws, or turns the waste over (R9.4). @param {View} view @returns {Move} */
export const stockMove = (view) => ({ kind: view.stock ? KIND.DRAW : KIND.RECYCLE, source: 0, target: 0, count: 0 });
/** @returns {Move} */
export const undoMove = () => ({ kind: KIND.UNDO, source: 0, target: 0, count: 0 });
/** @returns {Move} */
export const resignMove = () => ({ kind: KIND.RESIGN, source: 0, target: 0, count: 0 });

/**
 * The move of the open cards from `index` on to a target.
 * @param {View} view
 * @param {number} pile waste, slot or column
 * @param {number} index place among the pile's open cards, from 0
 * @param {number} target
 * @returns {Move}
 */
export function transferMove(view, pile, index, target) {
  const count = isColumn(pile) ? openCards(view, pile).length - index : 1;
  return { kind: KIND.TRANSFER, source: pile, target, count };
}

/**
 * Where the open cards of a pile from `index` on may go.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {number} pile
 * @param {number} index place among the pile's open cards
 * @returns {number[]} targets: FOUNDATIONS and columns
 */
export function legalTargets(ruleset, view, pile, index) {
  const targets = [FOUNDATIONS, ...view.columns.map((_, i) => COLUMN0 + i)];
  return targets.filter((target) => check(ruleset, view, transferMove(view, pile, index, target)) === null);
}

/**
 * R9.1: a tap on a top card sends it to a foundation. Foundation tops stay: nothing is worried back by a tap.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {number} pile
 * @param {number} index
 * @returns {Move | string} a move, or why not: a refusal code, or WAITING
 */
export function tapMove(ruleset, view, pile, index) {
  const open = openCards(view, pile);
  if (isSlot(pile) || index !== open.length - 1) return 'no_place';
  if (open[index] === UNKNOWN) return WAITING;
  const move = transferMove(view, pile, index, FOUNDATIONS);
  const code = check(ruleset, view, move);
  return code === 'no_foundation' ? 'no_place' : code ?? move;
}

/**
 * R9.2: two quick taps on a top card: a foundation, else a place on the table; never a run.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {number} pile
 * @param {number} index
 * @returns {Move | string} a move, or why not: a refusal code, or WAITING
 */
export function doubleTapMove(ruleset, view, pile, index) {
  const move = tapMove(ruleset, view, pile, index);
  if (move !== 'no_place' || isSlot(pile) || index !== openCards(view, pile).length - 1) return move;
  return tableMove(ruleset, view, pile, index);
}

/**
 * R11.11: a tap makes the game try a place for a card, or for the run that begins with it.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {number} pile
 * @param {number} index
 * @returns {Move | string} a move, or why not: a refusal code, or WAITING
 */
export function oneTapMove(ruleset, view, pile, index) {
  const move = tapMove(ruleset, view, pile, index);
  return move === 'no_place' && !isSlot(pile) ? tableMove(ruleset, view, pile, index) : move;
}

/**
 * The place on the table that R9.2 names: of the columns that accept it the one with the most cards,
 * the leftmost of equals; for a king the leftmost empty column, unless it is the whole column already.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {number} pile
 * @param {number} index
 * @returns {Move | string}
 */
function tableMove(ruleset, view, pile, index) {
  const sizeOf = (/** @type {number} */ at) => (view.columns[at - COLUMN0]?.[0] ?? 0) + openCards(view, at).length;
  const targets = view.columns.map((_, i) => COLUMN0 + i);
  const codes = targets.map((target) => check(ruleset, view, transferMove(view, pile, index, target)));
  const fits = targets.filter((target, i) => codes[i] === null && !(sizeOf(target) === 0 && isWholeColumn(view, pile, index)));
  const [best] = fits.sort((a, b) => sizeOf(b) - sizeOf(a) || a - b);
  if (best !== undefined) return transferMove(view, pile, index, best);
  return codes.includes(WAITING) ? WAITING : 'no_place';
}

/**
 * Whether moving these cards to an empty column would change nothing.
 * @param {View} view
 * @param {number} pile
 * @param {number} index
 */
function isWholeColumn(view, pile, index) {
  return isColumn(pile) && index === 0 && view.columns[pile - COLUMN0]?.[0] === 0;
}

/**
 * R11.10: one action that could be tried, from what the player sees. Promises nothing.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @returns {Move | null} null when nothing but undo is left
 */
export function hint(ruleset, view) {
  const wants = [lowCardOut, uncover, anyCardOut, fromWaste, emptyForKing, freeForFoundation];
  for (const want of wants) {
    const move = want(ruleset, view);
    if (move) return move;
  }
  const press = stockMove(view);
  return check(ruleset, view, press) === null ? press : null;
}

/** @typedef {(ruleset: Ruleset, view: View) => Move | null} Want */

/** Top cards of the waste and of all columns, as pile and index. @param {View} view */
function tops(view) {
  const piles = [WASTE, ...view.columns.map((_, i) => COLUMN0 + i)];
  return piles.map((pile) => ({ pile, index: openCards(view, pile).length - 1 })).filter(({ index }) => index >= 0);
}

/**
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {(pile: number, index: number) => boolean} wanted
 */
function cardOut(ruleset, view, wanted) {
  for (const { pile, index } of tops(view)) {
    if (!wanted(pile, index)) continue;
    const move = tapMove(ruleset, view, pile, index);
    if (typeof move !== 'string') return move;
  }
  return null;
}

/** Aces and twos are never missed on the table. @type {Want} */
const lowCardOut = (ruleset, view) =>
  cardOut(ruleset, view, (pile, index) => rankOf(/** @type {number} */ (openCards(view, pile)[index])) <= 2);

/** @type {Want} */
const anyCardOut = (ruleset, view) => cardOut(ruleset, view, () => true);

/** A move that turns a face-down card, first where most lie hidden. @type {Want} */
const uncover = (ruleset, view) => {
  const hidden = view.columns.map(([down, up], i) => ({ pile: COLUMN0 + i, down, up: up.length })).filter(({ down, up }) => down && up);
  for (const { pile } of hidden.sort((a, b) => b.down - a.down)) {
    const move = oneTapMove(ruleset, view, pile, 0);
    if (typeof move !== 'string') return move;
  }
  return null;
};

/** @type {Want} */
const fromWaste = (ruleset, view) => {
  if (!view.waste.length) return null;
  const move = oneTapMove(ruleset, view, WASTE, view.waste.length - 1);
  return typeof move === 'string' ? null : move;
};

/** Empty a column when a king waits for one. @type {Want} */
const emptyForKing = (ruleset, view) => {
  const kings = tops(view).some(({ pile, index }) => pile === WASTE && rankOf(view.waste[index] ?? 0) === 13)
    || view.columns.some(([down, up]) => down > 0 && up.length > 0 && rankOf(up[0] ?? 0) === 13);
  if (!kings || view.columns.some(([down, up]) => !down && !up.length)) return null;
  for (const [i, [down, up]] of view.columns.entries()) {
    const move = !down && up.length ? oneTapMove(ruleset, view, COLUMN0 + i, 0) : 'no_place';
    if (typeof move !== 'string') return move;
  }
  return null;
};

/** Move part of a run away so that the card beneath it can go out. @type {Want} */
const freeForFoundation = (ruleset, view) => {
  for (const [i, [down, up]] of view.columns.entries()) {
    for (let index = 1; index < up.length; index++) {
      const beneath = { ...view, columns: replaced(view.columns, i, [down, up.slice(0, index)]) };
      if (typeof tapMove(ruleset, beneath, COLUMN0 + i, index - 1) === 'string') continue;
      const move = tableMove(ruleset, view, COLUMN0 + i, index);
      if (typeof move !== 'string') return move;
    }
  }
  return null;
};

