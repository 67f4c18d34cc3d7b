/**
 * One's own board in a race: the table with the model of unanswered moves behind it, in the words of
 * the wire.
 *
 * Lives here: carrying wants to the model, commands to the server, views to the table, and saying
 * what has changed. Does not live here: any of those three themselves.
 */

import { cardsOut, check, hint, resignMove, undoMove } from '../rules.js';
import * as model from './board-model.js';
import { cardName, moveName, turnedCard } from './labels.js';
import { Sound } from './sound.js';
import { mountTable } from './table.js';

/** @import { Move, Ruleset, View, WireView } from '../rules.js' */
/** @import { BoardModel, Step, Want } from './board-model.js' */
/** @import { Translate } from './labels.js' */
/** @import { Rival } from './rivals.js' */
/** @import { TableSettings } from './table.js' */

/**
 * What is shown of the board after a change.
 * @typedef {object} BoardChange
 * @property {number} score
 * @property {number} moves
 * @property {number} out cards on the foundations
 * @property {number} undoable
 * @property {boolean} canUndo
 * @property {boolean} canHint
 * @property {string} ended
 * @property {number} pending moves without an answer
 * @property {View} view
 */

/**
 * @typedef {object} BoardOptions
 * @property {Translate} t
 * @property {Ruleset} ruleset
 * @property {TableSettings & {sound?: boolean}} settings
 * @property {boolean} [hints] whether hints are allowed (P2); they are unless it says no
 * @property {(ply: number, move: Move) => void} send a command for the server; never more than 16 are unanswered
 * @property {(code: string) => void} onRefuse a refusal, one's own or the server's, to put into words
 * @property {(change: BoardChange) => void} onChange
 * @property {() => void} [onLift] a gesture begins
 * @property {(text: string) => void} [onSay] what a screen reader should hear of a move played by keyboard
 * @property {() => void} [onResync] the server's board and this one differ: ask for a snapshot
 */

export class Board {
  /**
   * @param {HTMLElement} felt
   * @param {BoardOptions} options
   */
  constructor(felt, options) {
    this.options = options;
    this.ruleset = options.ruleset;
    /** @type {BoardModel | null} */
    this.model = null;
    this.sound = new Sound(options.settings.sound ?? false);
    this.table = mountTable(felt, {
      t: options.t, ruleset: options.ruleset, settings: options.settings,
      onMove: (want) => this.want(want),
      onRefuse: (code) => this.refuse(code),
      onLift: options.onLift, onUndo: () => this.undo(), onHint: () => this.hint(), onSay: options.onSay,
    });
  }

  /** Before the gun: only slots are drawn. */
  slots() {
    this.model = null;
    this.table.show(null, { animate: false });
  }

  /** The gun, or a return to a running heat. @param {WireView} view */
  dealt(view) {
    if (!this.model) {
      this.model = model.newModel(this.ruleset, view);
      this.table.show(this.model.shown, { deal: view.ply === 0 });
      this.changed();
      return;
    }
    this.take(model.dealt(this.model, view));
  }

  /** @param {{ply: number, score: number, turned: ArrayLike<number>, auto: boolean}} answer */
  moved(answer) {
    if (this.model) this.take(model.moved(this.model, answer));
  }

  /** @param {{ply: number, code: string}} answer */
  denied(answer) {
    if (this.model) this.take(model.denied(this.model, answer));
  }

  /** @param {{ply: number, view: WireView}} answer */
  restored(answer) {
    if (this.model) this.take(model.restored(this.model, answer));
  }

  /** Ended from outside. @param {string} ended time_up, resigned, abandoned or won */
  end(ended) {
    if (this.model && this.model.shown.ended !== ended) this.take(model.end(this.model, ended));
  }

  /**
   * A gesture wants something.
   * @param {Want} want
   * @returns {string | null} why not
   */
  want(want) {
    if (!this.model) return 'early';
    const step = model.play(this.model, want);
    this.take({ ...step, refused: null });
    return step.refused;
  }

  undo() {
    this.command(() => undoMove());
  }

  resign() {
    this.command(() => resignMove());
  }

  /** @param {Want} want */
  command(want) {
    const code = this.want(want);
    if (code) this.refuse(code);
  }

  /** R11.10: show what could be tried. */
  hint() {
    const view = this.model?.shown;
    if (!view || view.ended) return;
    if (this.options.hints === false) return this.refuse('hints_off');
    const move = hint(this.ruleset, view);
    if (!move) return this.refuse('no_hint');
    this.table.showHint(move);
    this.options.onSay?.(this.options.t('said.hint', { text: moveName(this.options.t, view, move) }));
  }

  /** @param {string} code */
  refuse(code) {
    this.sound.refuse();
    this.options.onRefuse(code);
  }

  /** @param {Step} step */
  take(step) {
    const before = this.model?.shown ?? null;
    this.model = step.model;
    for (const { ply, move } of step.send) this.options.send(ply, move);
    if (this.model.shown !== before) {
      this.table.show(this.model.shown);
      this.announce(before, this.model.shown);
      this.sound.change(before, this.model.shown);
    }
    if (step.refused) this.refuse(step.refused);
    if (step.resync) this.options.onResync?.();
    this.changed();
  }

  /** @param {View | null} before @param {View} after */
  announce(before, after) {
    if (!before || !this.table.hasFocus) return;
    const { t } = this.options;
    const turned = turnedCard(before, after);
    const last = this.model?.pending.at(-1);
    const text = turned >= 0 ? t('said.turned', { card: cardName(t, turned) })
      : after.ended === 'won' ? t('said.won')
      : last && last.ply === after.ply - 1 && after.ply === before.ply + 1 ? moveName(t, before, last.move) : '';
    if (text) this.options.onSay?.(text);
  }

  changed() {
    if (!this.model) return;
    const { shown, pending, blocked } = this.model;
    this.options.onChange({
      score: shown.score, moves: shown.moves, out: cardsOut(shown), undoable: shown.undoable, ended: shown.ended,
      pending: pending.length, view: shown,
      canUndo: !blocked && check(this.ruleset, shown, undoMove()) === null, canHint: !shown.ended && this.options.hints !== false,
    });
  }

  /** @param {boolean} enabled whether the table takes input */
  setEnabled(enabled) {
    this.table.setEnabled(enabled);
  }

  /** @param {TableSettings & {sound?: boolean}} settings */
  setSettings(settings) {
    this.sound.on = settings.sound ?? false;
    this.table.setSettings(settings);
  }

  /** @param {readonly Rival[]} rows in order of the race */
  setRivals(rows) {
    this.table.setRivals(rows);
  }

  destroy() {
    this.table.destroy();
    this.sound.destroy();
  }
}

/**
 * @param {HTMLElement} felt
 * @param {BoardOptions} options
 */
export function mountBoard(felt, options) {
  return new Board(felt, options);
}
