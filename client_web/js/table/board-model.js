/**
 * One's own board while answers are outstanding: what the server has confirmed, what was played on
 * top of it, and what is shown. Pure: every function takes a model and returns a `Step`.
 *
 * Lives here: optimistic play, and how each answer of the server changes it. Does not live here:
 * rules (`rules.js`), the socket, nodes.
 *
 * Three lists wait. `pending`: moves that are shown and unanswered, the first of them at ply
 * `base.view.ply`. `waiting`: wants that cannot be judged yet, since they touch a card that only the
 * server knows. `ghosts`: plies of moves that were sent on top of a refused one; each will be
 * refused too (`seq`), which is nobody's fault and shown to nobody.
 */

import { KIND, WAITING, autoComplete, autoReady, check, reveal, viewOf } from '../rules.js';
import { adopt, advance, matches } from './line.js';

/** @import { Move, Ruleset, View, WireView } from '../rules.js' */
/** @import { Line } from './line.js' */

/** Most moves of a player that may be unanswered. */
export const WINDOW = 16;
/** Most wants that wait for a card. */
export const MAX_WAITING = 32;

/**
 * What a gesture means once the cards are known: a move, or why not; '': nothing, and nobody need be told.
 * @typedef {(view: View) => Move | string} Want
 */
/** @typedef {{ply: number, move: Move, sent: boolean}} Pending */
/** @typedef {{ply: number, move: Move}} Play a command for the server */

/**
 * @typedef {object} BoardModel
 * @property {Ruleset} ruleset
 * @property {Line} base confirmed by the server
 * @property {readonly Pending[]} pending
 * @property {readonly Want[]} waiting
 * @property {readonly number[]} ghosts
 * @property {string} over how the board ended from outside, or empty
 * @property {Line} tip base and what pending makes of it
 * @property {boolean} blocked what is shown depends on an answer: new wants must wait
 * @property {View} shown
 */

/**
 * @typedef {object} Step
 * @property {BoardModel} model
 * @property {Play[]} send commands to send now, in order
 * @property {string | null} refused why the player's move was not played
 * @property {boolean} resync the server's board and this one differ: ask for a snapshot
 */

/**
 * @param {Ruleset} ruleset
 * @param {WireView} wire
 * @returns {BoardModel}
 */
export function newModel(ruleset, wire) {
  return settle({ ruleset, base: { view: viewOf(wire), past: null }, pending: [], waiting: [], ghosts: [], over: '' });
}

/**
 * Work out what is shown.
 * @param {Omit<BoardModel, 'tip' | 'blocked' | 'shown'>} parts
 * @returns {BoardModel}
 */
function settle(parts) {
  const { ruleset, base, pending, over } = parts;
  let tip = base;
  let stuck = false;
  for (const { move } of pending) {
    const next = advance(ruleset, tip, move);
    if (!next) { stuck = true; break; }
    tip = next;
  }
  const blocked = stuck || (pending.length > 0 && autoReady(ruleset, tip.view));
  return { ...parts, tip, blocked, shown: over ? { ...tip.view, ended: over } : tip.view };
}

/**
 * Play what a gesture wants: at once, or as soon as the card it depends on is known.
 * @param {BoardModel} model
 * @param {Want} want
 * @returns {Step}
 */
export function play(model, want) {
  if (!model.shown.ended && (model.waiting.length || model.blocked)) return defer(model, want);
  const result = judge(model, want);
  if (result === WAITING) return defer(model, want);
  return typeof result === 'string' ? { ...idle(model), refused: result || null } : flush(added(model, result));
}

/**
 * @param {BoardModel} model
 * @param {Want} want
 * @returns {Move | string}
 */
function judge(model, want) {
  const wanted = want(model.shown);
  return typeof wanted === 'string' ? wanted : check(model.ruleset, model.shown, wanted) ?? wanted;
}

/** @param {BoardModel} model @param {Want} want @returns {Step} */
function defer(model, want) {
  if (model.waiting.length >= MAX_WAITING) return { ...idle(model), refused: 'busy' };
  return idle({ ...model, waiting: [...model.waiting, want] });
}

/** @param {BoardModel} model @param {Move} move @returns {BoardModel} */
function added(model, move) {
  const ply = model.base.view.ply + model.pending.length;
  return settle({ ...model, pending: [...model.pending, { ply, move, sent: false }] });
}

/** @param {BoardModel} model @returns {Step} */
const idle = (model) => ({ model, send: [], refused: null, resync: false });

/**
 * Hand out the commands that the window has room for.
 * @param {BoardModel} model
 * @param {string | null} [refused]
 * @returns {Step}
 */
function flush(model, refused = null) {
  let room = WINDOW - model.ghosts.length - model.pending.filter(({ sent }) => sent).length;
  /** @type {Play[]} */
  const send = [];
  const pending = model.pending.map((one) => {
    if (one.sent || room-- <= 0) return one;
    send.push({ ply: one.ply, move: one.move });
    return { ...one, sent: true };
  });
  return { model: { ...model, pending }, send, refused, resync: false };
}

/**
 * Play what was waiting, as far as the cards are known now. A want that turns out to be impossible
 * takes those behind it along: they were meant for another table.
 * @param {BoardModel} model
 * @returns {Step}
 */
function resume(model) {
  while (model.waiting.length && !model.blocked) {
    const [want, ...waiting] = model.waiting;
    const result = judge(model, /** @type {Want} */ (want));
    if (result === WAITING) break;
    if (typeof result === 'string' && result) return flush({ ...model, waiting: [] }, result);
    model = typeof result === 'string' ? { ...model, waiting } : added({ ...model, waiting }, result);
  }
  return flush(model);
}

/**
 * What to do about an answer that belongs to no pending move: one to a ghost is spent, one to a ply
 * that is long confirmed came twice, anything else means that the boards differ.
 * @param {BoardModel} model
 * @param {number} ply
 * @returns {Step | null} null: it is the answer to the first pending move
 */
function stray(model, ply) {
  const ghost = model.ghosts.indexOf(ply);
  if (ghost < 0 && model.pending[0]?.ply === ply) return null;
  const ghosts = model.ghosts.filter((_, i) => i !== ghost);
  return { ...flush({ ...model, ghosts }), resync: ply >= model.base.view.ply };
}

/**
 * `Moved`: the first pending move is in the log.
 * @param {BoardModel} model
 * @param {{ply: number, score: number, turned: ArrayLike<number>, auto: boolean}} answer
 * @returns {Step}
 */
export function moved(model, { ply, score, turned, auto }) {
  const astray = stray(model, ply);
  if (astray) return astray;
  const [first, ...pending] = model.pending;
  const { move } = /** @type {Pending} */ (first);
  const line = advance(model.ruleset, model.base, move);
  if (!line) return { ...idle(model), resync: true };
  const seen = reveal(line.view, move, turned);
  const honest = matches(line.view, seen) ? seen : { ...seen, known: [] };
  const view = { ...(auto ? autoComplete(model.ruleset, honest) : honest), score };
  return resume(settle({ ...model, base: { view, past: auto ? null : line.past }, pending }));
}

/**
 * `Restored`: the board as it stands, after an undo or instead of a move that did not fit.
 * @param {BoardModel} model
 * @param {{ply: number, view: WireView}} answer
 * @returns {Step}
 */
export function restored(model, { ply, view }) {
  const astray = stray(model, ply);
  if (astray) return astray;
  const [first, ...later] = model.pending;
  const { move } = /** @type {Pending} */ (first);
  const own = move.kind === KIND.UNDO ? advance(model.ruleset, model.base, move) : null;
  const base = adopt(own, view);
  if (view.ply === ply + 1) return resume(settle({ ...model, base, pending: later }));
  return flush(settle({ ...model, base, pending: [], waiting: [], ghosts: [...model.ghosts, ...sentPlies(later)] }));
}

/**
 * `Denied`: the first pending move and all that was built on it are taken back.
 * @param {BoardModel} model
 * @param {{ply: number, code: string}} answer
 * @returns {Step}
 */
export function denied(model, { ply, code }) {
  const astray = stray(model, ply);
  if (astray) return { ...astray, resync: astray.resync && !model.ghosts.includes(ply) };
  const ghosts = [...model.ghosts, ...sentPlies(model.pending.slice(1))];
  const step = flush(settle({ ...model, pending: [], waiting: [], ghosts }), code);
  return { ...step, resync: code === 'seq' };
}

/** @param {readonly Pending[]} pending */
const sentPlies = (pending) => pending.filter(({ sent }) => sent).map(({ ply }) => ply);

/**
 * `Dealt`: a snapshot on a new connection. Pending moves that are in it are done; those that it can
 * be the ground of are sent again; anything else is dropped.
 * @param {BoardModel} model
 * @param {WireView} wire
 * @returns {Step & {dropped: number}} dropped: moves of the player that are lost
 */
export function dealt(model, wire) {
  const { ruleset, pending } = model;
  /** @type {(Line | null)[]} */
  const lines = [model.base];
  for (const { move } of pending) {
    const last = lines[lines.length - 1];
    lines.push(last ? advance(ruleset, last, move) : null);
  }
  const done = wire.ply - model.base.view.ply;
  const line = lines[done] ?? null;
  const fits = line !== null && matches(line.view, viewOf(wire));
  const rest = fits ? pending.slice(done).map((one) => ({ ...one, sent: false })) : [];
  const kept = { ruleset, base: adopt(line, wire), pending: rest, waiting: fits ? model.waiting : [], ghosts: [], over: '' };
  return { ...resume(settle(kept)), dropped: fits ? 0 : pending.length };
}

/**
 * The board has ended from outside (time up, resigned elsewhere).
 * @param {BoardModel} model
 * @param {string} ended
 * @returns {Step}
 */
export function end(model, ended) {
  return idle(settle({ ...model, over: ended, waiting: [] }));
}
