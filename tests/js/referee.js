/**
 * A referee for tests: knows the whole deal, answers moves as the server does (Moved, Restored,
 * Denied), and keeps every view for undo. The rules it applies are the client's own, which other
 * tests hold to the golden games.
 */

import { COLUMN0, KIND, applyMove, autoComplete, autoReady, check, rankOf, reveal, viewOf } from '../../client_web/js/rules.js';

/** @import { Move, Ruleset, View } from '../../client_web/js/rules.js' */

export class Referee {
  /**
   * @param {Ruleset} ruleset
   * @param {ArrayLike<number>} deal the whole pack in dealing order
   * @param {{auto?: boolean}} [options] auto: complete the game as a race does (R11.6)
   */
  constructor(ruleset, deal, { auto = true } = {}) {
    const cards = Array.from(deal);
    this.ruleset = ruleset;
    this.auto = auto && ruleset.autoCompletes;
    /** @type {number[][]} */
    this.hidden = [];
    const columns = Array.from({ length: ruleset.columns }, (_, i) => {
      const column = cards.splice(0, i + 1);
      this.hidden.push(column.slice(0, -1));
      return /** @type {[number, number[]]} */ ([i, column.slice(-1)]);
    });
    this.stock = cards;
    this.view = viewOf({
      ply: 0, score: ruleset.vegas ? -52 * ruleset.decks : 0, moves: 0, stock: cards.length, waste: [],
      foundations: Array(4 * ruleset.decks).fill(0), columns, undoable: 0, ended: '',
    });
    /** @type {{view: View, hidden: number[][], stock: number[]}[]} */
    this.past = [];
    /** Cards of the stock that were never drawn (ruling 6). */
    this.unseen = this.stock.length;
  }

  /**
   * @param {Move} move
   * @returns {{code: string | null, turned: number[], auto: boolean}}
   */
  play(move) {
    const code = check(this.ruleset, this.view, move);
    if (code) return { code, turned: [], auto: false };
    if (move.kind === KIND.UNDO) {
      const { ply, moves } = this.view;
      const before = /** @type {{view: View, hidden: number[][], stock: number[]}} */ (this.past.pop());
      Object.assign(this, before, { view: { ...before.view, ply: ply + 1, moves, undoable: this.past.length } });
      return { code: null, turned: [], auto: false };
    }
    this.past.push({ view: this.view, hidden: this.hidden.map((column) => column.slice()), stock: this.stock.slice() });
    this.past = this.past.slice(-Math.min(this.ruleset.undoLimit, 1000));
    const turned = this.turn(move);
    if (this.ruleset.undo === 'none' || (this.ruleset.undo === 'hidden' && this.reveals(move, turned))) this.past = [];
    this.unseen = Math.min(this.unseen, move.kind === KIND.DRAW ? this.stock.length : this.unseen);
    this.view = { ...reveal(applyMove(this.ruleset, this.view, move), move, turned), undoable: this.past.length };
    const auto = this.auto && autoReady(this.ruleset, this.view);
    if (auto) this.complete();
    return { code: null, turned, auto };
  }

  /** The cards that a move shows. @param {Move} move */
  turn(move) {
    if (move.kind === KIND.RECYCLE) this.stock = this.view.waste.slice();
    if (move.kind === KIND.DRAW || (move.kind === KIND.RECYCLE && this.ruleset.recycleDraws)) return this.stock.splice(0, this.ruleset.draw);
    const column = this.view.columns[move.source - COLUMN0];
    if (move.kind !== KIND.TRANSFER || !column || !column[0] || column[1].length !== move.count) return [];
    return [/** @type {number[]} */ (this.hidden[move.source - COLUMN0]).pop() ?? -1];
  }

  /** Whether an action first showed a card to this player. @param {Move} move @param {number[]} turned */
  reveals(move, turned) {
    return move.kind === KIND.TRANSFER ? turned.length > 0 : move.kind === KIND.DRAW && this.stock.length < this.unseen;
  }

  complete() {
    const left = 52 * this.ruleset.decks - this.view.foundations.reduce((sum, height) => sum + height, 0);
    this.view = autoComplete(this.ruleset, { ...this.view, score: this.view.score + 10 * left });
  }
}

/** Two characters a card, as the golden files write a deal. @param {string} text */
export function parseDeal(text) {
  return text.match(/../g)?.map((pair) => parseCard(pair)) ?? [];
}

/** @param {string} text */
export const parseCard = (text) => 'SHDC'.indexOf(text.charAt(1)) * 13 + 'A23456789TJQK'.indexOf(text.charAt(0));

/** @param {number} card */
export const cardText = (card) => `${'A23456789TJQK'.charAt(rankOf(card) - 1)}${'SHDC'.charAt(Math.floor(card / 13))}`;
