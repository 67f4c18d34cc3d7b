/**
 * What taps and keys mean: R9.1, R9.2, R11.11, and picking a card first and its target second.
 *
 * Lives here: the picked run, the memory of the last tap, the choice between gestures by family and
 * setting. Does not live here: pointers (`gestures.js`), keys (`keyboard.js`), nodes.
 *
 * A tap never takes a card back from a foundation: foundation tops move by dragging, or when they
 * were picked on purpose (two-step setting, or keyboard).
 */

import {
  FOUNDATIONS, STOCK, UNKNOWN, WAITING, WASTE, doubleTapMove, isColumn, isSlot, oneTapMove, openCards, stockMove, tapMove, transferMove,
} from '../rules.js';

/** @import { Move, Ruleset, View } from '../rules.js' */
/** @import { Want } from './board-model.js' */
/** @import { Hit } from './hit.js' */

/** A second tap this soon and this near makes a double tap. */
const DOUBLE_MS = 300;
const DOUBLE_PX = 24;

/** @typedef {{x: number, y: number, ms: number}} Moment */

/**
 * What the hand needs of the table.
 * @typedef {object} Reach
 * @property {Ruleset} ruleset
 * @property {View | null} view
 * @property {{doubleTap: boolean, oneTap: boolean}} settings
 * @property {(want: Want, at: {pile: number, index: number} | null) => boolean} attempt plays; a refusal is shown at a place
 * @property {(pick: Hit | null) => void} showPick
 */

/** @typedef {(ruleset: Ruleset, view: View, pile: number, index: number) => Move | string} Gesture */
/**
 * A first tap: whether a second one came while it waited, and what became of it.
 * @typedef {{double: boolean, done: boolean, acted: boolean}} Tap
 */

/**
 * Whether a card can be taken in hand at all.
 * @param {View} view
 * @param {Hit} hit
 */
export function liftable(view, { pile, index }) {
  if (pile === STOCK || index < 0) return false;
  const open = openCards(view, pile);
  const card = open[index];
  return card !== undefined && card !== UNKNOWN && (isColumn(pile) || index === open.length - 1);
}

/** @returns {Tap} */
const newTap = () => ({ double: false, done: true, acted: false });

export class Hand {
  /** @param {Reach} reach */
  constructor(reach) {
    this.reach = reach;
    /** @type {Hit | null} */
    this.pick = null;
    /** @type {(Moment & {pile: number, tap: Tap}) | null} */
    this.last = null;
  }

  /** A tap by pointer. @param {Hit} hit @param {Moment} at */
  tap(hit, at) {
    const { view, ruleset, settings } = this.reach;
    if (!view) return;
    const second = this.isSecond(hit, at);
    const first = this.last?.tap ?? newTap();
    this.last = second ? null : { ...at, pile: hit.pile, tap: newTap() };
    if (hit.pile === STOCK) this.press();
    else if (this.pick && !(second && this.isPicked(hit))) this.place(hit);
    else if (second && ruleset.family === 'DS1') this.secondTap(hit, first);
    else if (!settings.oneTap) this.take(hit);
    else if (ruleset.family === 'DS1') this.firstTap(view, hit);
    else if (!isSlot(hit.pile) && hit.index >= 0) this.perform(oneTapMove, hit);
  }

  /** @param {Hit} hit @param {Moment} at */
  isSecond(hit, at) {
    if (!this.reach.settings.doubleTap || !this.last || this.last.pile !== hit.pile) return false;
    return at.ms - this.last.ms < DOUBLE_MS && Math.hypot(at.x - this.last.x, at.y - this.last.y) < DOUBLE_PX;
  }

  /** R9.4. */
  press() {
    this.drop();
    this.reach.attempt(stockMove, { pile: STOCK, index: -1 });
  }

  /**
   * R9.1: a card that no foundation takes stays, without a word: a second tap may follow. It may
   * follow while the first still waits for its card, and both are one then.
   * @param {View} view
   * @param {Hit} hit
   */
  firstTap(view, hit) {
    const { tap } = this.last ?? { tap: newTap() };
    tap.done = true;
    if (!this.isTop(view, hit)) return;
    tap.done = false;
    this.perform((ruleset, now, pile, index) => {
      const result = (tap.double ? doubleTapMove : tapMove)(ruleset, now, pile, index);
      tap.done = result !== WAITING;
      tap.acted = typeof result !== 'string';
      return result === 'no_place' && !tap.double ? '' : result;
    }, hit);
  }

  /** R9.2: both taps are one action, so nothing follows a first one that did it. @param {Hit} hit @param {Tap} first */
  secondTap(hit, first) {
    this.drop();
    const { view } = this.reach;
    if (!first.done) first.double = true;
    else if (!first.acted && view && this.isTop(view, hit)) this.perform(doubleTapMove, hit);
  }

  /** @param {View} view @param {Hit} hit */
  isTop(view, { pile, index }) {
    return !isSlot(pile) && index >= 0 && index === openCards(view, pile).length - 1;
  }

  /**
   * Play what a gesture means, on the table as it is when it can be judged.
   * @param {Gesture} gesture
   * @param {Hit} hit
   */
  perform(gesture, hit) {
    const { ruleset, view } = this.reach;
    const top = view !== null && this.isTop(view, hit);
    const want = (/** @type {View} */ now) => gesture(ruleset, now, hit.pile, top ? openCards(now, hit.pile).length - 1 : hit.index);
    return this.reach.attempt(want, hit);
  }

  /** Enter, or a screen reader's press. @param {Hit} hit */
  act(hit) {
    const { view, ruleset, settings } = this.reach;
    if (!view) return;
    if (hit.pile === STOCK) this.press();
    else if (this.pick) this.place(hit);
    else if (!settings.oneTap || isSlot(hit.pile)) this.take(hit);
    else if (ruleset.family === 'SS1') this.perform(oneTapMove, hit);
    else if (this.isTop(view, hit)) this.perform(settings.doubleTap ? doubleTapMove : tapMove, hit);
    else this.take(hit);
  }

  /** Pick a card with all that lies on it. @param {Hit} hit */
  take(hit) {
    const { view } = this.reach;
    if (!view || !liftable(view, hit)) return this.drop();
    this.pick = hit;
    this.reach.showPick(hit);
  }

  /** @param {Hit} hit */
  isPicked({ pile, index }) {
    return this.pick?.pile === pile && this.pick.index === index;
  }

  /** Play the picked run to where was tapped. @param {Hit} hit */
  place(hit) {
    const { view } = this.reach;
    const { pick } = this;
    if (!view || !pick) return;
    if (this.isPicked(hit)) return this.drop();
    if (hit.pile === pick.pile || hit.pile === WASTE) return this.take(hit);
    const target = isSlot(hit.pile) ? FOUNDATIONS : hit.pile;
    const move = transferMove(view, pick.pile, pick.index, target);
    this.drop();
    this.reach.attempt(() => move, { pile: hit.pile, index: -1 });
  }

  drop() {
    if (!this.pick) return;
    this.pick = null;
    this.reach.showPick(null);
  }

  /** The view has changed: keep the pick only while the same cards lie there. @param {View | null} before @param {View | null} after */
  keep(before, after) {
    const { pick } = this;
    if (!pick) return;
    const cards = (/** @type {View | null} */ view) => (view ? openCards(view, pick.pile).slice(pick.index).join() : '');
    if (after && cards(before) === cards(after) && liftable(after, pick)) this.reach.showPick(pick);
    else this.drop();
  }
}
