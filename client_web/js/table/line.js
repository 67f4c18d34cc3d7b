/**
 * A board's line: a view, and what stood before each action that can be undone.
 *
 * Lives here: one step along a line, and holding it against what the server shows. Pure.
 */

import { KIND, UNKNOWN, applyMove, check, viewOf } from '../rules.js';

/** @import { Move, Ruleset, View, WireView } from '../rules.js' */

/** @typedef {{view: View, past: Line | null}} Line */

/**
 * The line after a move, or null when it cannot be known here (an undo of what was not seen, or a
 * move that does not fit any more).
 * @param {Ruleset} ruleset
 * @param {Line} line
 * @param {Move} move
 * @returns {Line | null}
 */
export function advance(ruleset, line, move) {
  if (check(ruleset, line.view, move) !== null) return null;
  if (move.kind === KIND.UNDO) return line.past && { view: undone(line.view, line.past.view), past: line.past.past };
  const view = applyMove(ruleset, line.view, move);
  return { view, past: view.undoable ? line : null };
}

/**
 * R7.2, R7.3: position and score of before; the counters go on, and drawn cards stay known.
 * @param {View} now
 * @param {View} before
 * @returns {View}
 */
function undone(now, before) {
  const drawn = now.stock < before.stock ? [...now.waste.slice(before.waste.length), ...now.known] : before.known;
  const unseen = drawn.indexOf(UNKNOWN);
  const known = unseen < 0 ? drawn : drawn.slice(0, unseen);
  return { ...before, known, ply: now.ply + 1, moves: now.moves, undoable: now.undoable - 1 };
}

/**
 * The server's view, with what stood before it where both are the same table.
 * @param {Line | null} line
 * @param {WireView} wire
 * @returns {Line}
 */
export function adopt(line, wire) {
  const view = viewOf(wire);
  if (!line || !matches(line.view, view)) return { view, past: null };
  return { view, past: view.undoable ? line.past : null };
}

/**
 * Whether two views show the same table, as far as both know its cards.
 * @param {View} a
 * @param {View} b
 */
export function matches(a, b) {
  return a.stock === b.stock && alike(a.waste, b.waste) && alike(a.foundations, b.foundations) && a.columns.length === b.columns.length
    && a.columns.every(([down, up], i) => down === b.columns[i]?.[0] && alike(up, b.columns[i]?.[1] ?? []));
}

/** @param {readonly number[]} a @param {readonly number[]} b */
function alike(a, b) {
  return a.length === b.length && a.every((card, i) => card === b[i] || card === UNKNOWN || b[i] === UNKNOWN);
}
