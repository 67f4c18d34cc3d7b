/**
 * The table: any view of a board on a felt, played by pointer and keyboard.
 *
 * Lives here: joining layout, nodes, motion, gestures, keys and lanes. Does not live here: unanswered
 * moves (`board-model.js`), the server (`board.js`), bar and dock (`frame.js`).
 *
 * What the player wants goes out through `onMove`; the table changes when the owner calls `show`,
 * at once for a move that counts before it is confirmed.
 */

import { SLOT0 } from '../rules.js';
import { keysOf, pointersOf } from './controls.js';
import { el } from './dom.js';
import { Drag } from './drag.js';
import { Gestures } from './gestures.js';
import { Hand } from './hand.js';
import { Cursor } from './keyboard.js';
import { metrics, place } from './layout.js';
import { matches } from './line.js';
import { Motion } from './motion.js';
import { Stage } from './render.js';
import { Rivals } from './rivals.js';
import { Signs } from './signs.js';

/** @import { Move, Ruleset, View } from '../rules.js' */
/** @import { Want } from './board-model.js' */
/** @import { Hit } from './hit.js' */
/** @import { Translate } from './labels.js' */
/** @import { Metrics, Place } from './layout.js' */
/** @import { Rival } from './rivals.js' */

/**
 * @typedef {object} TableSettings
 * @property {boolean} doubleTap R9.2
 * @property {boolean} oneTap R11.11; off: pick a card, then its target
 * @property {boolean} left left-handed
 * @property {boolean} large large indices
 */

/**
 * @typedef {object} TableOptions
 * @property {Translate} t
 * @property {Ruleset} ruleset
 * @property {TableSettings} settings
 * @property {(want: Want) => string | null} onMove what the player wants; answers why not, or null
 * @property {(code: string) => void} onRefuse a refusal to put into words
 * @property {() => void} [onLift] a gesture begins
 * @property {() => void} [onUndo] key U
 * @property {() => void} [onHint] key H
 * @property {(text: string) => void} [onSay] something to read out
 */

export class Table {
  /**
   * @param {HTMLElement} felt
   * @param {TableOptions} options
   */
  constructor(felt, options) {
    this.felt = felt;
    this.options = options;
    this.ruleset = options.ruleset;
    this.settings = options.settings;
    /** @type {View | null} */
    this.view = null;
    /** @type {Metrics} */
    this.m = metrics(this.ruleset, 1, 1);
    this.width = 0;
    /** @type {Place[]} */
    this.places = [];
    this.enabled = true;
    this.board = el('div', { class: 'board', role: 'application', 'aria-label': options.t('table.name') });
    felt.prepend(this.board);
    this.motion = new Motion(this.board);
    this.stage = new Stage(this.board, this.ruleset, this.motion);
    this.signs = new Signs(this.stage, this.ruleset);
    this.rivals = new Rivals(felt, options.t);
    this.hand = new Hand(this);
    this.held = new Drag(this);
    this.cursor = new Cursor(this.board, this.ruleset, this.stage, keysOf(this));
    this.gestures = new Gestures(this.board, pointersOf(this));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(felt);
    this.resize();
  }

  /** The felt has another size, or a setting changes the layout: everything takes its place at once. */
  resize() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const { left, large } = this.settings;
    const width = this.felt.clientWidth;
    if (this.width && this.width !== width) this.motion.finish(); // what flies would fly to where the piles were
    this.width = width;
    this.m = metrics(this.ruleset, width, this.felt.clientHeight, { left, large, rem, lanes: this.rivals.rows.length });
    this.motion.room = this.m.pad;
    this.stage.arrange(this.m);
    this.rivals.arrange(this.m);
    this.render({ animate: false });
    this.held.hold();
  }

  /**
   * Show a view; the cards travel from where they are seen now.
   * @param {View | null} view null: only slots
   * @param {{animate?: boolean, deal?: boolean}} [how]
   */
  show(view, { animate = true, deal = false } = {}) {
    const before = this.view;
    this.view = view;
    if (!before || !view || !matches(before, view)) this.signs.clearHint();
    if (!this.held.survives(before)) this.gestures.cancel();
    const end = this.render({ animate, deal });
    this.hand.keep(before, view);
    this.held.hold();
    if (before && !before.ended && view?.ended === 'won' && animate) this.feast(end);
  }

  /** @param {{animate: boolean, deal?: boolean}} how */
  render(how) {
    this.places = this.view ? place(this.ruleset, this.view, this.m) : [];
    this.cursor.hold();
    const end = this.stage.show(this.view, this.m, how);
    this.cursor.update(this.enabled ? this.view : null);
    return end;
  }

  /** Won: the foundations ripple by suit, once. @param {number} after when the last card has arrived */
  feast(after) {
    const tops = this.m.found.map((_, slot) => this.stage.nodeAt(SLOT0 + slot, -1)).filter((node) => node !== null);
    this.motion.feast(tops, after);
  }

  // ---------------------------------------------------------------- what the hand asks for

  /**
   * Play what is wanted; a refusal shows where it was wanted.
   * @param {Want} want
   * @param {{pile: number, index: number} | null} at
   */
  attempt(want, at) {
    if (!this.enabled) return false;
    const code = this.options.onMove(want);
    if (code) this.refuse(code, at ? this.stage.nodeAt(at.pile, at.index) : null);
    return !code;
  }

  /**
   * Show where something was refused, and have it put into words.
   * @param {string} code
   * @param {HTMLElement | null} node
   */
  refuse(code, node) {
    this.signs.refuse(node);
    this.options.onRefuse(code);
  }

  /** @param {Hit | null} pick */
  showPick(pick) {
    this.signs.pick(this.view, pick);
  }

  /** Show a move that could be tried (R11.10). @param {Move} move */
  showHint(move) {
    if (this.view) this.signs.hint(this.view, move);
  }

  // ---------------------------------------------------------------- settings

  /** @param {boolean} enabled whether the table takes input */
  setEnabled(enabled) {
    if (this.enabled === enabled) return;
    this.enabled = enabled;
    this.gestures.cancel();
    this.hand.drop();
    this.cursor.update(enabled ? this.view : null);
  }

  /** @param {TableSettings} settings */
  setSettings(settings) {
    this.settings = settings;
    this.hand.drop();
    this.motion.measure();
    this.resize();
  }

  /** @param {readonly Rival[]} rows in order of the race */
  setRivals(rows) {
    const lanes = this.rivals.rows.length;
    if (this.rivals.set(rows) && rows.length !== lanes) this.resize();
  }

  /** Whether the keyboard is on the table. */
  get hasFocus() {
    return this.cursor.seen;
  }

  destroy() {
    this.signs.destroy();
    this.observer.disconnect();
    this.gestures.destroy();
    this.cursor.stop();
    this.motion.destroy();
    this.rivals.destroy();
    this.board.remove();
  }
}

/**
 * @param {HTMLElement} felt
 * @param {TableOptions} options
 */
export function mountTable(felt, options) {
  return new Table(felt, options);
}
