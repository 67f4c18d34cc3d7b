/**
 * The table: any view of a board on a felt, played by pointer and keyboard.
 *
 * Lives here: joining layout, nodes, motion, gestures, keys and lanes. Does not live here: unanswered
 * moves (`board-model.js`), the server (`board.js`), bar and dock (`frame.js`).
 *
 * What the player wants goes out through `onMove`; the table changes when the owner calls `show`,
 * at once for a move that counts before it is confirmed.
 */

import { KIND, SLOT0, STOCK, UNKNOWN, isSlot, legalTargets, openCards } from '../rules.js';
import { matches } from './board-model.js';
import { el } from './dom.js';
import { Drag } from './drag.js';
import { bindGestures } from './gestures.js';
import { Hand } from './hand.js';
import { hitAt } from './hit.js';
import { Cursor } from './keyboard.js';
import { cardName, placeName } from './labels.js';
import { metrics, place } from './layout.js';
import { Motion } from './motion.js';
import { Stage } from './render.js';
import { Rivals } from './rivals.js';

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

/** How long a refusal's ring and a hint stay. */
const RING_MS = 1600;
const HINT_MS = 3600;

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
    /** @type {Place[]} */
    this.places = [];
    this.enabled = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ringTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.hintTimer = undefined;
    this.board = el('div', { class: 'board', role: 'application', 'aria-label': options.t('table.name') });
    felt.prepend(this.board);
    this.motion = new Motion(this.board);
    this.stage = new Stage(this.board, this.ruleset, this.motion);
    this.rivals = new Rivals(felt, options.t);
    this.hand = new Hand(this);
    this.held = new Drag(this);
    this.cursor = new Cursor(this.board, this.ruleset, this.stage, this.keys());
    this.gestures = bindGestures(this.board, this.pointers());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(felt);
    this.resize();
  }

  /** The felt has another size, or a setting changes the layout: everything takes its place at once. */
  resize() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const { left, large } = this.settings;
    this.m = metrics(this.ruleset, this.felt.clientWidth, this.felt.clientHeight, { left, large, rem, lanes: this.rivals.rows.length });
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
    if (!before || !view || !matches(before, view)) this.clearHint();
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
   * @param {string} code
   * @param {HTMLElement | null} node
   */
  refuse(code, node) {
    clearTimeout(this.ringTimer);
    this.stage.clearMark('is-refused');
    // A ring that is there already must shake again
    if (node) void node.offsetWidth;
    this.stage.mark(node, 'is-refused');
    this.ringTimer = setTimeout(() => this.stage.clearMark('is-refused'), RING_MS);
    this.options.onRefuse(code);
  }

  /** @param {Hit | null} pick */
  showPick(pick) {
    this.stage.clearMark('is-picked');
    this.stage.clearMark('is-legal');
    if (!pick || !this.view) return;
    for (const { node } of this.stage.run(pick.pile, pick.index)) this.stage.mark(node, 'is-picked');
    const card = openCards(this.view, pick.pile)[pick.index] ?? UNKNOWN;
    for (const target of legalTargets(this.ruleset, this.view, pick.pile, pick.index)) {
      this.stage.mark(this.stage.targetNode(this.view, target, card), 'is-legal');
    }
  }

  /** Show a move that could be tried (R11.10). @param {Move} move */
  showHint(move) {
    const { view } = this;
    if (!view) return;
    this.clearHint();
    const card = openCards(view, move.source).at(-move.count) ?? UNKNOWN;
    if (move.kind === KIND.TRANSFER) {
      for (const { node } of this.stage.run(move.source, openCards(view, move.source).length - move.count)) this.stage.mark(node, 'is-hint');
      this.stage.mark(this.stage.targetNode(view, move.target, card), 'is-hint');
    } else this.stage.mark(this.stage.nodeAt(STOCK, -1), 'is-hint');
    this.hintTimer = setTimeout(() => this.clearHint(), HINT_MS);
  }

  clearHint() {
    clearTimeout(this.hintTimer);
    this.stage.clearMark('is-hint');
  }

  // ---------------------------------------------------------------- pointers

  /** @returns {import('./gestures.js').Felt} */
  pointers() {
    return {
      down: () => {
        this.motion.finish();
        this.clearHint();
        this.options.onLift?.();
      },
      tap: (at) => {
        const hit = this.enabled ? hitAt(this.places, this.m, at) : null;
        if (hit) this.hand.tap(hit, at);
        else this.hand.drop();
      },
      lift: (at) => {
        this.hand.drop();
        return this.enabled && this.held.lift(hitAt(this.places, this.m, at));
      },
      drag: (by) => this.held.move(by),
      drop: () => this.held.release(true),
      cancel: () => this.held.release(false),
    };
  }

  // ---------------------------------------------------------------- keys

  /** @returns {import('./keyboard.js').Keys} */
  keys() {
    const { t } = this.options;
    const before = () => {
      this.motion.finish();
      this.options.onLift?.();
    };
    return {
      act: (hit) => { before(); this.hand.act(hit); this.sayPick(); },
      pick: (hit) => { before(); this.hand.take(hit); this.sayPick(); },
      press: () => { before(); if (this.view) this.hand.press(); },
      undo: () => { before(); this.options.onUndo?.(); },
      hint: () => { before(); this.options.onHint?.(); },
      escape: () => {
        const had = Boolean(this.hand.pick || this.held.hit);
        this.gestures.cancel();
        this.hand.drop();
        return had;
      },
      name: ({ pile, index }) => (this.view ? placeName(t, this.view, pile, isSlot(pile) || index >= 0 ? index : -1, this.ruleset) : ''),
    };
  }

  sayPick() {
    const { pick } = this.hand;
    if (!pick || !this.view) return;
    const card = openCards(this.view, pick.pile)[pick.index] ?? UNKNOWN;
    this.options.onSay?.(this.options.t('said.picked', { card: cardName(this.options.t, card) }));
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
    return this.board.querySelector(':focus-visible') !== null;
  }

  destroy() {
    clearTimeout(this.ringTimer);
    clearTimeout(this.hintTimer);
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
