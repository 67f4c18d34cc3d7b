/**
 * A closed heat played again, move by move.
 *
 * Lives here: a track of views for each board, where two players part, links to an instant. Pure. Does
 * not live here: the file (`replay-file.js`), time and nodes (`views/replay-player.js`), the rules.
 *
 * All cards are known: the deal follows from its code. So a track is the line of a player who has seen
 * everything, and what a move turns up is put where it lies.
 */

import { dealOf } from './deal.js';
import { ReplayError } from './replay-file.js';
import { COLUMN0, KIND, STOCK, UNKNOWN, WASTE, autoComplete, cardsOut, reveal, rulesetOf, suitTotal, viewOf } from './rules.js';
import { advance } from './table/line.js';

/** @import { Board, Entry, Heat } from './replay-file.js' */
/** @import { Move, Ruleset, View } from './rules.js' */
/** @import { Line } from './table/line.js' */

/** Key of the board that a solution is played on. */
export const SOLUTION = 'solution';

// ---------------------------------------------------------------- playing

/**
 * The table as it is dealt; `known` has the whole stock.
 * @param {string} code
 * @returns {View}
 */
export function dealt(code) {
  const cards = Array.from(dealOf(code));
  const ruleset = rulesetOf(code.slice(0, 7));
  /** @type {[number, number[]][]} */
  const columns = [];
  let at = 0;
  for (let down = 0; down < ruleset.columns; down++) {
    columns.push([down, cards.slice(at + down, at + down + 1)]);
    at += down + 1;
  }
  const stock = cards.slice(at);
  const foundations = new Uint8Array(4 * ruleset.decks);
  const view = viewOf({ ply: 0, score: ruleset.vegas ? -52 * ruleset.decks : 0, moves: 0, stock: stock.length, waste: [], foundations, columns, undoable: 0, ended: '' });
  return { ...view, known: stock };
}

/** @typedef {{atMs: number, out: number, score: number}} Point */

/** One board, played again. */
export class Track {
  /**
   * @param {Heat} heat
   * @param {Board} board
   */
  constructor(heat, board) {
    this.board = board;
    /** When each entry was made; `views[i]` is the table after i entries. */
    this.times = board.entries.map(([, , , , ms]) => ms);
    this.ruleset = rulesetOf(heat.ruleset, { ranked: true, undo: 'all' });
    this.hidden = hiddenCards(heat.code);
    /** @type {View[]} */
    this.views = [];
    this.play(dealt(heat.code));
    /** When the last thing happened. */
    this.endMs = this.times.at(-1) ?? 0;
    /** The result is the one that was told. */
    this.holds = this.agrees();
  }

  /** @param {View} first */
  play(first) {
    /** @type {Line} */
    let line = { view: first, past: null };
    this.views.push(first);
    for (const entry of this.board.entries) {
      const next = this.after(line, entry);
      if (!next) return;
      line = next;
      this.views.push(line.view);
    }
  }

  /** @param {Line} line @param {Entry} entry @returns {Line | null} null: no play could have gone on so */
  after(line, [kind, source, target, count]) {
    if (kind === KIND.AUTO) return { view: completed(this.ruleset, line.view), past: null };
    const move = { kind, source, target, count };
    const next = advance(this.ruleset, line, move);
    if (!next || kind === KIND.UNDO) return next;
    if (kind === KIND.RESIGN) return { ...next, view: { ...next.view, ended: count ? 'abandoned' : 'resigned' } };
    return { ...next, view: this.turned(next.view, move) };
  }

  /** What the move has turned up in a column is seen. @param {View} view @param {Move} move */
  turned(view, move) {
    const [down, up] = view.columns[move.source - COLUMN0] ?? [0, []];
    return up.at(-1) === UNKNOWN ? reveal(view, move, [this.hidden[move.source - COLUMN0]?.[down] ?? UNKNOWN]) : view;
  }

  agrees() {
    const last = this.views.at(-1);
    const { entries, out, score, moves } = this.board;
    return last !== undefined && this.views.length === entries.length + 1 && cardsOut(last) === out && last.score === score && last.moves === moves;
  }

  /** How many entries there are up to an instant. @param {number} ms since the gun */
  plyAt(ms) {
    let [low, high] = [0, Math.min(this.times.length, this.views.length - 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (/** @type {number} */ (this.times[middle]) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The table at an instant; once the last entry is past, as it ended. @param {number} ms */
  viewAt(ms) {
    const ply = this.plyAt(ms);
    const view = /** @type {View} */ (this.views[ply]);
    const over = ply === this.views.length - 1 && !view.ended && this.board.ended === 'time_up' && ms > this.endMs;
    return over ? { ...view, ended: 'time_up' } : view;
  }

  /** How often something was taken back. */
  get undos() {
    return this.board.entries.filter(([kind]) => kind === KIND.UNDO).length;
  }

  /** Cards out and points, whenever one of them changed. @returns {Point[]} */
  points() {
    /** @type {Point[]} */
    const points = [];
    let before = { out: 0, score: this.views[0]?.score ?? 0 };
    this.views.forEach((view, i) => {
      const now = { out: cardsOut(view), score: view.score };
      if (i > 0 && (now.out !== before.out || now.score !== before.score)) points.push({ atMs: this.times[i - 1] ?? 0, ...now });
      before = now;
    });
    return points;
  }
}

/** The cards of each column as dealt, deepest first. @param {string} code @returns {number[][]} */
function hiddenCards(code) {
  const cards = Array.from(dealOf(code));
  const { columns } = rulesetOf(code.slice(0, 7));
  return Array.from({ length: columns }, (_, at) => cards.slice((at * (at + 1)) / 2, ((at + 1) * (at + 2)) / 2));
}

/** R11.6, with the points that the server counts. @param {Ruleset} ruleset @param {View} view */
function completed(ruleset, view) {
  const full = 13 * ruleset.decks;
  const scoring = [0, 1, 2, 3].map((suit) => full - Math.max(view.marks[suit] ?? 0, suitTotal(view.foundations, suit)));
  return { ...autoComplete(ruleset, view), score: view.score + 10 * scoring.reduce((sum, cards) => sum + cards, 0) };
}

// ---------------------------------------------------------------- comparing

/**
 * Where two players part: the first entry that is not the same move; null when one does just what the other does.
 * @param {Board} a
 * @param {Board} b
 * @returns {{ply: number, atMs: number} | null} `atMs`: when the first of them goes their own way
 */
export function parting(a, b) {
  const most = Math.max(a.entries.length, b.entries.length);
  for (let ply = 0; ply < most; ply++) {
    const [one, other] = [a.entries[ply], b.entries[ply]];
    if (one && other && [0, 1, 2, 3].every((i) => one[i] === other[i])) continue;
    return { ply, atMs: Math.min(one?.[4] ?? Infinity, other?.[4] ?? Infinity) };
  }
  return null;
}

/**
 * A way to win the deal, spread over the time that the others took.
 * @param {Heat} heat
 * @param {number} overMs
 * @returns {Board | null} null when none is known
 */
export function solutionBoard(heat, overMs) {
  const { solution } = heat;
  if (!solution.length) return null;
  const moves = solution.map(moveOf);
  const entries = moves.map(({ kind, source, target, count }, i) => /** @type {Entry} */ (
    [kind, source, target, count, Math.round(((i + 1) * overMs) / moves.length)]));
  const full = 52 * rulesetOf(heat.ruleset).decks;
  return { key: SOLUTION, name: '', player: '', bot: 0, place: 0, ended: 'won', out: full, score: 0, moves: moves.length, entries };
}

const WORDS = Object.freeze({ draw: KIND.DRAW, recycle: KIND.RECYCLE, undo: KIND.UNDO, auto: KIND.AUTO, resign: KIND.RESIGN });
const TRANSFER = /^(w|f[1-8]|c[1-9])>(f|c[1-9])(?:\*([2-9]|1[0-3]))?$/;

/** @param {string} word a move as text @returns {Move} @throws {ReplayError} */
export function moveOf(word) {
  if (Object.hasOwn(WORDS, word)) return { kind: WORDS[/** @type {keyof typeof WORDS} */ (word)], source: STOCK, target: 0, count: 0 };
  const [, source = '', target = '', count = '1'] = TRANSFER.exec(word) ?? [];
  if (!source) throw new ReplayError('bad');
  return { kind: KIND.TRANSFER, source: pileOf(source), target: target === 'f' ? 2 : pileOf(target), count: Number(count) };
}

/** @param {string} word w, f1…, c1… */
function pileOf(word) {
  if (word === 'w') return WASTE;
  return (word.startsWith('f') ? 10 : COLUMN0) + Number(word.slice(1)) - 1;
}

// ---------------------------------------------------------------- a link to an instant

/**
 * @param {string} hash of an address, such as #t=83.2&b=0,2
 * @returns {{atMs: number, boards: string[]}}
 */
export function parseInstant(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const seconds = Number(fields.get('t') ?? 0);
  const boards = (fields.get('b') ?? '').split(',').filter((key) => /^(\d{1,3}|solution)$/.test(key));
  return { atMs: Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0, boards };
}

/** @param {number} atMs @param {readonly string[]} boards keys @returns {string} hash */
export function instant(atMs, boards) {
  return `#t=${(Math.round(atMs / 100) / 10).toFixed(1)}&b=${boards.join(',')}`;
}
