/**
 * A run in the air: where it hangs, where it may land, and what happens when it is let go.
 *
 * Lives here: one drag from lifting to landing. Does not live here: pointers (`gestures.js`), the
 * rules of what fits.
 */

import { FOUNDATIONS, UNKNOWN, legalTargets, openCards, transferMove } from '../rules.js';
import { liftable } from './hand.js';
import { dropTarget, dropZones } from './hit.js';

/** @import { Ruleset, View } from '../rules.js' */
/** @import { Want } from './board-model.js' */
/** @import { Hit } from './hit.js' */
/** @import { Metrics, Place, Point } from './layout.js' */
/** @import { Motion } from './motion.js' */
/** @import { Stage } from './render.js' */

/**
 * What a drag needs of the table.
 * @typedef {object} Ground
 * @property {HTMLElement} felt
 * @property {Ruleset} ruleset
 * @property {View | null} view
 * @property {Metrics} m
 * @property {readonly Place[]} places
 * @property {Stage} stage
 * @property {Motion} motion
 * @property {{onMove: (want: Want) => string | null}} options
 * @property {(how: {animate: boolean}) => number} render
 * @property {(code: string, node: HTMLElement | null) => void} refuse
 */

/** @param {View | null} view @param {Hit} hit */
const cardsAt = (view, { pile, index }) => (view ? openCards(view, pile).slice(index).join() : '');

export class Drag {
  /** @param {Ground} ground */
  constructor(ground) {
    this.ground = ground;
    /** What is held. @type {Hit | null} */
    this.hit = null;
    this.card = UNKNOWN;
    this.by = { x: 0, y: 0 };
    this.over = -1;
    /** @type {Set<number>} */
    this.legal = new Set();
    /** Where the held cards lie when they are let go. @type {Place[]} */
    this.homes = [];
  }

  /** @param {Hit | null} hit @returns {boolean} whether there was something to lift */
  lift(hit) {
    const { view, felt } = this.ground;
    if (!view || view.ended || !hit || !liftable(view, hit)) return false;
    this.hit = hit;
    this.card = openCards(view, hit.pile)[hit.index] ?? UNKNOWN;
    this.by = { x: 0, y: 0 };
    this.over = -1;
    felt.classList.add('is-dragging');
    this.hold();
    return true;
  }

  /** The view has changed under the hand. @param {View | null} before @returns {boolean} whether the same cards are still there to be held */
  survives(before) {
    return !this.hit || cardsAt(before, this.hit) === cardsAt(this.ground.view, this.hit);
  }

  /** Mark what is held and where it may go, on the table as it is now. */
  hold() {
    const { hit, card, ground: { view, ruleset, stage, motion, places } } = this;
    if (!hit || !view) return;
    this.homes = places.filter(({ pile, index }) => pile === hit.pile && index >= hit.index);
    this.legal = new Set(legalTargets(ruleset, view, hit.pile, hit.index));
    stage.clearMark('is-legal');
    for (const { node } of stage.run(hit.pile, hit.index)) {
      motion.stop(node);
      stage.mark(node, 'is-lifted');
    }
    for (const target of this.legal) stage.mark(stage.targetNode(view, target, card), 'is-legal');
    this.move(this.by);
  }

  /** @param {Point} by way of the pointer from where it pressed */
  move(by) {
    const { hit, ground: { view, stage } } = this;
    if (!hit || !view) return;
    this.by = by;
    stage.run(hit.pile, hit.index).forEach((entry, i) => {
      const home = this.homes[i] ?? entry.place;
      stage.carry(entry, { x: home.x + by.x, y: home.y + by.y });
    });
    const over = this.target();
    if (over === this.over) return;
    this.over = over;
    stage.clearMark('is-over');
    if (this.legal.has(over)) stage.mark(stage.targetNode(view, over, this.card), 'is-over');
  }

  /** @returns {number} −1: nowhere, or home again */
  target() {
    const [home] = this.homes;
    const { m } = this.ground;
    if (!home || !this.hit) return -1;
    return dropTarget(dropZones(m), { x: home.x + this.by.x, y: home.y + this.by.y, w: m.cw, h: m.ch }, this.legal, this.hit.pile);
  }

  /** Let go: it is played, or it flies back and the target says no. @param {boolean} dropped false: the gesture was broken off */
  release(dropped) {
    const { hit, card, ground } = this;
    const { view, stage } = ground;
    if (!hit || !view) return;
    const target = dropped ? this.target() : -1;
    this.hit = null;
    ground.felt.classList.remove('is-dragging');
    for (const mark of /** @type {const} */ (['is-lifted', 'is-legal', 'is-over'])) stage.clearMark(mark);
    const move = transferMove(view, hit.pile, hit.index, target);
    const code = target < 0 ? null : ground.options.onMove(() => move);
    if (ground.view === view) ground.render({ animate: true });
    if (code) ground.refuse(code, target === FOUNDATIONS ? stage.targetNode(view, target, card) : stage.nodeAt(target, -1));
  }
}
