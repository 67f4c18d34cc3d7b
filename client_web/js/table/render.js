/**
 * The cards and slots on the felt: one node a card, kept for as long as the card can be seen.
 *
 * Lives here: making, placing, turning and removing nodes, marks on them, what they are called.
 * Does not live here: where they belong (`layout.js`), gestures.
 *
 * Each pile is a group of its own in reading order (stock, waste, columns, foundations); all groups
 * share the felt's coordinates.
 */

import { BACK, cardNode, icon, oldSide, setFace, suitMark } from '../cards.js';
import { COLUMN0, FOUNDATIONS, SLOT0, STOCK, UNKNOWN, WASTE, isColumn, isSlot, slotFor } from '../rules.js';
import { SUITS } from './art.js';
import { diff } from './diff.js';
import { el, put } from './dom.js';
import { isOpen, place } from './layout.js';
import { TIMES } from './motion.js';
import { climbOf, dealPace, paceOf } from './pace.js';

/** @import { Ruleset, View } from '../rules.js' */
/** @import { Change, Leaving } from './diff.js' */
/** @import { Metrics, Place, Point } from './layout.js' */
/** @import { Motion, Pace } from './motion.js' */
/** @import { Climb } from './pace.js' */

/** @typedef {{node: HTMLElement, place: Place}} Entry the place's x and y are where the node is seen, dragged ones too */
/** So long a card is not known without a sign that it is waited for, which has a layer of its own. */
const WAIT_MS = 250;

/** @typedef {'is-legal' | 'is-over' | 'is-picked' | 'is-refused' | 'is-hint' | 'is-lifted'} Mark */

export class Stage {
  /**
   * @param {HTMLElement} board
   * @param {Ruleset} ruleset
   * @param {Motion} motion
   */
  constructor(board, ruleset, motion) {
    this.board = board;
    this.ruleset = ruleset;
    this.motion = motion;
    /** @type {Map<number, Entry>} */
    this.entries = new Map();
    /** @type {Map<number, {group: HTMLElement, slot: HTMLElement}>} */
    this.piles = new Map();
    /** @type {Map<HTMLElement, Set<Mark>>} */
    this.marks = new Map();
    this.nextKey = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.patience = undefined;
    this.count = el('div', { class: 'count', 'aria-hidden': 'true', hidden: true });
    this.makePiles();
  }

  makePiles() {
    const { columns, decks } = this.ruleset;
    const range = (/** @type {number} */ first, /** @type {number} */ n) => Array.from({ length: n }, (_, i) => first + i);
    for (const pile of [STOCK, WASTE, ...range(COLUMN0, columns), ...range(SLOT0, 4 * decks)]) {
      const slot = el('div', { class: 'slot', 'aria-hidden': 'true', 'data-pile': pile, 'data-index': -1 });
      if (isSlot(pile)) slot.append(suitMark(SUITS[Math.floor((pile - SLOT0) / decks)] ?? ''));
      if (pile === STOCK) slot.append(icon('again', 'again'));
      const group = el('div', { class: 'pile' }, slot);
      this.piles.set(pile, { group, slot });
      this.board.append(group);
    }
    this.piles.get(STOCK)?.group.append(this.count);
    this.board.append(el('div', { class: 'scrim' }));
  }

  /** Give the slots their places. @param {Metrics} m */
  arrange(m) {
    this.board.style.setProperty('--cw', `${m.cw}px`);
    this.board.style.setProperty('--ch', `${m.ch}px`);
    const tucked = m.tuck > 0 && m.tuck < m.ch;
    for (const [pile, { slot }] of this.piles) {
      put(slot, slotPoint(m, pile));
      if (!isSlot(pile)) continue;
      slot.classList.toggle('slot--tuck', tucked);
      slot.style.setProperty('--z', String(9 + 2 * (pile - SLOT0)));
    }
    put(this.count, m.stock);
  }

  /**
   * Show a view.
   * @param {View | null} view null: only slots
   * @param {Metrics} m
   * @param {{animate: boolean, deal?: boolean}} how deal: the cards come from the stock
   * @returns {number} how long it takes until the last card has arrived, in milliseconds at normal speed
   */
  show(view, m, { animate, deal = false }) {
    this.motion.look();
    this.showStock(view);
    if (!view) return this.clear();
    const old = [...this.entries].map(([key, { place }]) => ({ key, place }));
    const { changes, leaving } = diff(old, place(this.ruleset, view, m), view, m);
    const climb = climbOf(leaving);
    /** @type {Map<number, number>} */
    const order = new Map();
    for (const change of changes) {
      const nth = order.get(change.place.pile) ?? 0;
      const dealt = deal && isColumn(change.place.pile);
      const climbing = isSlot(change.place.pile) ? climb(change.place.card, change.place.top) : null;
      const pace = dealt ? dealPace(change.place) : climbing ?? paceOf(change, nth);
      if (change.from || dealt) order.set(change.place.pile, nth + 1);
      this.enter(dealt ? { ...change, from: m.stock, faceDown: true } : change, animate, pace);
    }
    for (const gone of leaving) this.leave(gone, animate, climb);
    this.wait();
    return this.motion.start();
  }

  /** What is not known for a while is seen to be waited for. */
  wait() {
    clearTimeout(this.patience);
    const unknown = [...this.entries.values()].filter(({ place }) => place.card === UNKNOWN);
    if (unknown.length) this.patience = setTimeout(() => { for (const { node } of unknown) node.classList.add('is-waiting'); }, WAIT_MS);
  }

  /** Forget all cards. */
  clear() {
    clearTimeout(this.patience);
    this.motion.finish();
    for (const { node } of this.entries.values()) node.remove();
    this.entries.clear();
    return 0;
  }

  /** @param {View | null} view */
  showStock(view) {
    const again = Boolean(view && !view.stock && view.waste.length && !this.ruleset.vegas);
    this.piles.get(STOCK)?.slot.classList.toggle('is-again', again);
    this.count.hidden = !view?.stock;
    this.count.textContent = view ? String(view.stock) : '';
  }

  /**
   * @param {Change} change
   * @param {boolean} animate
   * @param {Pace} pace
   */
  enter({ key, place, from, faceDown }, animate, pace) {
    const known = this.entries.get(key);
    if (known && alike(known.place, place)) return;
    const node = known?.node ?? cardNode(faceDown ? BACK : place.card, place.face);
    const id = known ? key : this.nextKey++;
    this.entries.set(id, { node, place });
    Object.assign(node.dataset, { pile: String(place.pile), index: String(place.index) });
    const lie = (/** @type {number} */ z) => node.style.setProperty('--z', String(z));
    lie(place.z);
    put(node, place);
    const group = this.piles.get(place.pile)?.group;
    if (node.parentNode !== group) group?.append(node);
    if (animate && from && pace.z) {
      lie(pace.z);
      this.motion.travel(node, from, place, pace, () => { if (this.entries.get(id)?.place === place) lie(place.z); });
    } else if (animate && from) this.motion.travel(node, from, place, pace);
    else if (!animate) this.motion.stop(node);
    if (place.card !== UNKNOWN) node.classList.remove('is-waiting');
    node.classList.toggle('can-move', place.index >= 0 && (isColumn(place.pile) || place.top) && isOpen(place));
    node.classList.toggle('can-tap', place.pile === STOCK && place.top);
    if (animate && faceDown === isOpen(place)) this.motion.turn(node, oldSide(node), pace.delay);
    setFace(node, isOpen(place) ? place.card : BACK, place.face);
  }

  /**
   * A card that will not be seen any more goes where it belongs, and stays until all have arrived.
   * @param {Leaving} gone
   * @param {boolean} animate
   * @param {Climb} climb
   */
  leave({ key, to, faceDown, card }, animate, climb) {
    const entry = this.entries.get(key);
    if (!entry) return;
    const { node, place } = entry;
    this.entries.delete(key);
    this.unmark(node);
    if (!animate || place.pile === STOCK) return node.remove();
    node.classList.remove('is-waiting');
    const gone = () => node.remove();
    const pace = (to && !faceDown ? climb(card, false) : null) ?? { ms: faceDown ? TIMES.recycle : TIMES.move };
    node.style.setProperty('--z', String(to ? pace.z ?? place.z : 0));
    if (!to) return this.motion.stay(node, gone);
    if (faceDown === isOpen(place)) {
      this.motion.turn(node, oldSide(node), pace.delay);
      setFace(node, faceDown ? BACK : card, place.face);
    }
    this.motion.travel(node, place, to, pace, gone);
    put(node, to);
  }

  /**
   * The node that stands for a place: a card, or the slot of an empty pile.
   * @param {number} pile
   * @param {number} index among the open cards; below 0 the last one
   * @returns {HTMLElement | null}
   */
  nodeAt(pile, index) {
    for (const { node, place } of this.entries.values()) {
      if (place.pile === pile && (index < 0 || pile === STOCK ? place.top : place.index === index)) return node;
    }
    return this.piles.get(pile)?.slot ?? null;
  }

  /** Cards of a run, the first one first. @param {number} pile @param {number} index @returns {Entry[]} */
  run(pile, index) {
    return [...this.entries.values()].filter(({ place }) => place.pile === pile && place.index >= index)
      .sort((a, b) => a.place.index - b.place.index);
  }

  /**
   * The node that lights up for a target; of the foundations, the slot that takes the card.
   * @param {View} view
   * @param {number} target
   * @param {number} card
   */
  targetNode(view, target, card) {
    if (target !== FOUNDATIONS) return this.nodeAt(target, -1);
    const slot = card === UNKNOWN ? -1 : slotFor(view, card);
    return this.nodeAt(SLOT0 + Math.max(slot, Math.floor(card / 13) * this.ruleset.decks), -1);
  }

  /** Show a card under the pointer; its own place stays what it is. @param {Entry} entry @param {Point} at */
  carry(entry, at) {
    entry.place = { ...entry.place, ...at };
    put(entry.node, at);
  }

  /** @param {HTMLElement | null} node @param {Mark} mark */
  mark(node, mark) {
    if (!node) return;
    node.classList.add(mark);
    const marks = this.marks.get(node) ?? new Set();
    this.marks.set(node, marks.add(mark));
  }

  /** @param {Mark} mark */
  clearMark(mark) {
    for (const [node, marks] of this.marks) {
      if (!marks.delete(mark)) continue;
      node.classList.remove(mark);
      if (!marks.size) this.marks.delete(node);
    }
  }

  /** @param {HTMLElement} node */
  unmark(node) {
    for (const mark of this.marks.get(node) ?? []) node.classList.remove(mark);
    this.marks.delete(node);
  }
}

/** Whether two places show the same card in the same spot. @param {Place} a @param {Place} b */
function alike(a, b) {
  return a.x === b.x && a.y === b.y && a.z === b.z && a.card === b.card && a.face === b.face && a.pile === b.pile
    && a.index === b.index && a.top === b.top;
}

/** @param {Metrics} m @param {number} pile @returns {Point} */
function slotPoint(m, pile) {
  if (pile === STOCK) return m.stock;
  if (pile === WASTE) return { x: m.waste.x + (m.left ? 2 * m.fan : 0), y: m.waste.y };
  if (isSlot(pile)) return m.found[pile - SLOT0] ?? m.stock;
  return { x: m.cols[pile - COLUMN0] ?? 0, y: m.top };
}
