/**
 * What the rules allow, and what a move does to the view.
 *
 * Lives here: R3–R8 and R11 for the cards that are visible. Does not live here: the order of hidden
 * cards (the server's) and unanswered moves (`table/board-model.js`).
 */

import {
  COLUMN0, FOUNDATIONS, KIND, SLOT0, UNKNOWN, WASTE, cardsOut, isRed, isSlot, openCards, rankOf, replaced, slotFor, suitOf, suitTotal,
} from './view.js';

/** @import { Column, Move, Ruleset, View } from './view.js' */

/** Not a refusal: the answer depends on a card that is not known yet. */
export const WAITING = 'waiting';

/**
 * R3.1, R3.3: whether a card goes on a column.
 * @param {number} card
 * @param {Column} column
 * @returns {string | null} null: it fits
 */
function fitsColumn(card, [down, up]) {
  const last = up[up.length - 1];
  if (last === UNKNOWN || card === UNKNOWN) return WAITING;
  if (last === undefined) return down ? 'no_fit' : rankOf(card) === 13 ? null : 'king_only';
  return isRed(card) !== isRed(last) && rankOf(last) === rankOf(card) + 1 ? null : 'no_fit';
}

/**
 * Whether the rules allow a move.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {Move} move
 * @returns {string | null} null: allowed; a refusal code (ErrorCode); or WAITING when an unknown card decides
 */
export function check(ruleset, view, move) {
  const code = move.kind === KIND.TRANSFER ? checkTransfer(view, move) : checkPress(ruleset, view, move);
  if (!view.ended || code === 'bad_action' || code === 'not_in_this_game') return code;
  return view.ended === 'won' ? 'game_won' : 'ended';
}

/**
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {Move} move
 * @returns {string | null}
 */
function checkPress(ruleset, view, { kind, source, target, count }) {
  if (source || target || (count && kind !== KIND.RESIGN)) return 'bad_action';
  switch (kind) {
    case KIND.DRAW: return view.stock ? null : recyclable(ruleset, view) ?? 'stock_empty';
    case KIND.RECYCLE: return view.stock ? 'stock_not_empty' : recyclable(ruleset, view);
    case KIND.UNDO: return checkUndo(ruleset, view);
    case KIND.AUTO: return !ruleset.autoCompletes ? 'not_in_this_game' : autoReady(ruleset, view) ? null : 'auto_not_ready';
    case KIND.RESIGN: return count > 1 ? 'bad_action' : null;
    default: return 'bad_action';
  }
}

/**
 * R5.3, R5.4: with an empty stock, whether the waste may be turned over.
 * @param {Ruleset} ruleset
 * @param {View} view
 */
function recyclable(ruleset, view) {
  if (ruleset.vegas) return 'stock_exhausted';
  return view.waste.length ? null : 'nothing_to_draw';
}

/**
 * @param {Ruleset} ruleset
 * @param {View} view
 */
function checkUndo(ruleset, view) {
  if (ruleset.undo === 'none') return 'undo_off';
  if (view.undoable > 0) return null;
  return ruleset.undo === 'hidden' && view.moves > 0 ? 'undo_revealed' : 'nothing_to_undo';
}

/**
 * @param {View} view
 * @param {Move} move
 * @returns {string | null}
 */
function checkTransfer(view, { source, target, count }) {
  const column = view.columns[source - COLUMN0];
  const goal = view.columns[target - COLUMN0];
  const slotted = isSlot(source) && source < SLOT0 + view.foundations.length;
  if (!(source === WASTE || slotted || column) || !(goal || target === FOUNDATIONS)) return 'bad_action';
  if (count < 1 || (count > 1 && !column)) return 'bad_action';
  const open = openCards(view, source);
  if (!open.length) return 'empty_source';
  if (source === target) return 'same_column';
  if (column && count > open.length) return count > open.length + column[0] ? 'too_many' : 'face_down';
  const card = /** @type {number} */ (open[open.length - count]);
  if (goal) return fitsColumn(card, goal);
  if (slotted) return 'foundation_to_foundation';
  if (card === UNKNOWN) return WAITING;
  return count > 1 || slotFor(view, card) < 0 ? 'no_foundation' : null;
}

/**
 * The view after a move that `check` allows, but an undo (that needs the views before; see the
 * board's model). Cards that only the server knows are UNKNOWN.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {Move} move
 * @returns {View}
 */
export function applyMove(ruleset, view, move) {
  if (move.kind === KIND.RESIGN) return { ...view, ply: view.ply + 1, undoable: 0, ended: 'resigned' };
  if (move.kind === KIND.DRAW) return counted(ruleset, view, draw(ruleset, view));
  if (move.kind === KIND.RECYCLE) return counted(ruleset, view, recycle(ruleset, view));
  if (move.kind === KIND.TRANSFER) return counted(ruleset, view, transfer(ruleset, view, move));
  throw new RangeError(`no view follows from a move of kind ${move.kind}`);
}

/**
 * What every accepted action changes besides the cards: ply, moves, the undos left, the end (R7, R8).
 * @param {Ruleset} ruleset
 * @param {View} before
 * @param {View} after
 * @returns {View}
 */
function counted(ruleset, before, after) {
  const shown = ruleset.undo === 'hidden' && showsNew(after);
  const undoable = ruleset.undo === 'none' || shown ? 0 : Math.min(before.undoable + 1, ruleset.undoLimit);
  const won = cardsOut(after) === 52 * ruleset.decks;
  return { ...after, ply: before.ply + 1, moves: before.moves + 1, undoable: won ? 0 : undoable, ended: won ? 'won' : '' };
}

/** Whether a view holds an open card that the player has yet to see. @param {View} view */
export function showsNew(view) {
  return view.waste.includes(UNKNOWN) || view.columns.some(([, up]) => up[up.length - 1] === UNKNOWN);
}

/**
 * R5.1, R11.2: turn cards from the stock, the last one turned on top.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @returns {View}
 */
function draw(ruleset, view) {
  const count = Math.min(ruleset.draw, view.stock);
  const drawn = Array.from({ length: count }, (_, i) => view.known[i] ?? UNKNOWN);
  return { ...view, stock: view.stock - count, waste: [...view.waste, ...drawn], known: view.known.slice(count) };
}

/**
 * R5.3, R11.3: turn the waste over; the card drawn first comes first again, and all are known now.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @returns {View}
 */
function recycle(ruleset, view) {
  const over = { ...view, stock: view.waste.length, waste: [], known: view.waste, score: Math.max(0, view.score - ruleset.recycleCost) };
  return ruleset.recycleDraws ? draw(ruleset, over) : over;
}

/**
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {Move} move
 * @returns {View}
 */
function transfer(ruleset, view, { source, target, count }) {
  const run = openCards(view, source).slice(-count);
  const { view: left, turned } = takeOff(view, source, count);
  const bonus = turned && !ruleset.vegas ? 5 : 0;
  if (target === FOUNDATIONS) return putOut(ruleset, { ...left, score: left.score + bonus }, /** @type {number} */ (run[0]));
  const gain = source === WASTE && !ruleset.vegas ? 5 : 0;
  const columns = replaced(left.columns, target - COLUMN0, grown(left.columns[target - COLUMN0], run));
  return { ...left, columns, score: left.score + gain + bonus };
}

/**
 * @param {Column | undefined} column
 * @param {readonly number[]} run
 * @returns {Column}
 */
function grown(column, run) {
  return column ? [column[0], [...column[1], ...run]] : [0, run];
}

/**
 * Take the last open cards off a pile; a face-down card that is last then turns up (R3.5).
 * @param {View} view
 * @param {number} source
 * @param {number} count
 * @returns {{view: View, turned: boolean}}
 */
function takeOff(view, source, count) {
  if (source === WASTE) return { view: { ...view, waste: view.waste.slice(0, -1) }, turned: false };
  if (isSlot(source)) {
    const slot = source - SLOT0;
    return { view: { ...view, foundations: replaced(view.foundations, slot, (view.foundations[slot] ?? 0) - 1) }, turned: false };
  }
  const [down, up] = view.columns[source - COLUMN0] ?? [0, []];
  const turned = down > 0 && up.length === count;
  /** @type {Column} */
  const column = turned ? [down - 1, [UNKNOWN]] : [down, up.slice(0, -count)];
  return { view: { ...view, columns: replaced(view.columns, source - COLUMN0, column) }, turned };
}

/**
 * R4.2 and the score of a card sent out; ranked, a card scores when its suit was never that far.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {number} card
 * @returns {View}
 */
function putOut(ruleset, view, card) {
  const slot = slotFor(view, card);
  const suit = suitOf(card);
  const foundations = replaced(view.foundations, slot, rankOf(card));
  const total = suitTotal(foundations, suit);
  const mark = view.marks[suit] ?? 0;
  const points = ruleset.ranked && total <= mark ? 0 : ruleset.vegas ? 5 : 10;
  return { ...view, foundations, score: view.score + points, marks: replaced(view.marks, suit, Math.max(mark, total)) };
}

/**
 * R11.6: whether the game completes itself from here.
 * @param {Ruleset} ruleset
 * @param {View} view
 */
export function autoReady(ruleset, view) {
  return ruleset.autoCompletes && !view.ended && !view.stock && !view.waste.length && view.columns.every(([down]) => !down);
}

/**
 * R11.6: the view after the game has completed itself; one more entry, each card a move.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @returns {View}
 */
export function autoComplete(ruleset, view) {
  const full = 13 * ruleset.decks;
  return {
    ...view, ply: view.ply + 1, moves: view.moves + 4 * full - cardsOut(view), undoable: 0, ended: 'won', marks: [full, full, full, full],
    foundations: view.foundations.map(() => 13), columns: view.columns.map(() => /** @type {Column} */ ([0, []])),
  };
}

/**
 * Put cards that the server has shown where they lie open unknown: the drawn ones in order, or the
 * one turned up in a column.
 * @param {View} view
 * @param {Move} move the move that showed them
 * @param {ArrayLike<number>} turned
 * @returns {View}
 */
export function reveal(view, move, turned) {
  const cards = Array.from(turned);
  if (!cards.length) return view;
  if (move.kind === KIND.DRAW || move.kind === KIND.RECYCLE) {
    return { ...view, waste: [...view.waste.slice(0, view.waste.length - cards.length), ...cards] };
  }
  const at = move.source - COLUMN0;
  const [down, up] = view.columns[at] ?? [0, []];
  return up.length ? { ...view, columns: replaced(view.columns, at, [down, [...up.slice(0, -1), ...cards]]) } : view;
}
