/**
 * Play by keyboard (R11.12): arrows walk the table, Enter acts, Space draws, U undoes, H hints,
 * Shift and Enter pick, Escape lets go.
 *
 * Lives here: the cursor, its way over the piles, one tab stop for each area, the names of what can
 * be focused. Does not live here: what acting means (`hand.js`).
 */

import { COLUMN0, SLOT0, STOCK, WASTE, isColumn, isSlot, openCards } from '../rules.js';
import { setAll } from './dom.js';

/** @import { Ruleset, View } from '../rules.js' */
/** @import { Hit } from './hit.js' */
/** @import { Stage } from './render.js' */

/** Areas in focus order, each one tab stop. */
const areaOf = (/** @type {number} */ pile) => (pile === STOCK ? 0 : pile === WASTE ? 1 : isColumn(pile) ? 2 : 3);

/**
 * The places of a pile that can be focused, deepest first: every open card of a column, else the top.
 * @param {View} view
 * @param {number} pile
 * @returns {Hit[]}
 */
export function stops(view, pile) {
  const open = pile === STOCK ? [] : openCards(view, pile);
  if (isColumn(pile) && open.length) return open.map((_, index) => ({ pile, index }));
  return [{ pile, index: open.length - 1 }];
}

/**
 * All piles in the order in which arrows walk them.
 * @param {Ruleset} ruleset
 */
export function walk({ columns, decks }) {
  return [STOCK, WASTE, ...Array.from({ length: columns }, (_, i) => COLUMN0 + i), ...Array.from({ length: 4 * decks }, (_, i) => SLOT0 + i)];
}

/**
 * Where an arrow leads.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {Hit} from
 * @param {string} key
 * @returns {Hit}
 */
export function step(ruleset, view, from, key) {
  const order = walk(ruleset);
  const at = order.indexOf(from.pile);
  const jump = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : key === 'Home' ? -at : key === 'End' ? order.length - 1 - at : 0;
  if (jump) return topOf(view, order[Math.max(0, Math.min(order.length - 1, at + jump))] ?? from.pile);
  const down = key === 'ArrowDown' ? 1 : -1;
  if (isColumn(from.pile)) {
    const index = Math.max(0, Math.min(openCards(view, from.pile).length - 1, from.index + down));
    return { pile: from.pile, index: openCards(view, from.pile).length ? index : -1 };
  }
  if (!isSlot(from.pile)) return topOf(view, down > 0 ? WASTE : STOCK);
  const slot = from.pile - SLOT0 + down * ruleset.decks;
  return topOf(view, slot >= 0 && slot < 4 * ruleset.decks ? SLOT0 + slot : from.pile);
}

/** @param {View} view @param {number} pile @returns {Hit} */
export const topOf = (view, pile) => /** @type {Hit} */ (stops(view, pile).at(-1));

/**
 * @typedef {object} Keys what the table does for a key
 * @property {(hit: Hit) => void} act
 * @property {(hit: Hit) => void} pick
 * @property {() => void} press the stock
 * @property {() => void} undo
 * @property {() => void} hint
 * @property {() => boolean} escape whether there was something to let go
 * @property {(hit: Hit) => string} name
 */

export class Cursor {
  /**
   * @param {HTMLElement} board
   * @param {Ruleset} ruleset
   * @param {Stage} stage
   * @param {Keys} keys
   */
  constructor(board, ruleset, stage, keys) {
    this.board = board;
    this.ruleset = ruleset;
    this.stage = stage;
    this.keys = keys;
    /** @type {View | null} */
    this.view = null;
    /** @type {Hit} */
    this.at = { pile: STOCK, index: -1 };
    /** The tab stop of each area. @type {Hit[]} */
    this.resting = [STOCK, WASTE, COLUMN0, SLOT0].map((pile) => ({ pile, index: -1 }));
    /** @type {Set<HTMLElement>} */
    this.named = new Set();
    /** The focus was on the table before its nodes were moved, and comes back with the next frame. */
    this.lost = false;
    /** It could be seen there. */
    this.lit = false;
    /** The frame that brings it back. */
    this.frame = 0;
    const stop = new AbortController();
    this.stop = () => {
      cancelAnimationFrame(this.frame);
      stop.abort();
    };
    board.ownerDocument.addEventListener('keydown', (event) => this.key(event), { signal: stop.signal });
    board.addEventListener('focusin', (event) => this.focused(event), { signal: stop.signal });
    board.addEventListener('click', (event) => this.clicked(event), { signal: stop.signal });
  }

  /** The place an event is about, if it is one that can be focused. @param {Event} event @returns {Hit | null} */
  placeOf(event) {
    const node = /** @type {HTMLElement} */ (event.target);
    return this.named.has(node) ? { pile: Number(node.dataset.pile), index: Number(node.dataset.index) } : null;
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const hit = this.placeOf(event);
    if (hit) this.moveTo(hit);
  }

  /** Screen readers press without a pointer; a pointer's own clicks are taps already. @param {MouseEvent} event */
  clicked(event) {
    const hit = event.detail === 0 ? this.placeOf(event) : null;
    if (!hit) return;
    this.moveTo(hit);
    this.keys.act(hit);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { view, board } = this;
    const { activeElement } = board.ownerDocument;
    const here = board.contains(activeElement) || this.lost;
    const free = !activeElement || activeElement === board.ownerDocument.body;
    if (!view || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !(here || free)) return;
    if (this.does(view, event, here)) event.preventDefault();
  }

  /**
   * @param {View} view
   * @param {KeyboardEvent} event
   * @param {boolean} here the focus is on the table
   * @returns {boolean} whether the key meant something
   */
  does(view, event, here) {
    const { key } = event;
    if (/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) this.go(here ? step(this.ruleset, view, this.at, key) : this.at);
    else if (key === 'Enter' && here) event.shiftKey ? this.keys.pick(this.at) : this.keys.act(this.at);
    else if (key === ' ') this.keys.press();
    else if (key === 'u' || key === 'U') this.keys.undo();
    else if (key === 'h' || key === 'H') this.keys.hint();
    else return key === 'Escape' && this.keys.escape();
    return true;
  }

  /** Move the focus. @param {Hit} hit */
  go(hit) {
    this.moveTo(hit);
    this.stage.nodeAt(hit.pile, hit.index)?.focus({ preventScroll: true });
  }

  /** @param {Hit} hit */
  moveTo(hit) {
    this.at = hit;
    this.resting[areaOf(hit.pile)] = hit;
    this.update(this.view);
  }

  /**
   * The table has changed: name everything that can be focused and keep the focus where it was.
   * @param {View | null} view
   */
  update(view) {
    const { activeElement } = this.board.ownerDocument;
    this.view = view;
    const before = this.named;
    this.named = new Set();
    if (view) for (const pile of walk(this.ruleset)) this.nameArea(view, pile);
    for (const node of before) {
      if (this.named.has(node)) continue;
      setAll(node, { role: null, 'aria-label': null });
      if (node !== activeElement || !view) hide(node);
    }
    if (!view) this.lost = false;
    else if ((this.lost || this.board.contains(activeElement)) && this.stage.nodeAt(this.at.pile, this.at.index) !== activeElement) this.comeBack();
    else this.lost = false;
  }

  /**
   * The focus goes to the cursor's place with the next frame: to move it has the whole table styled and laid out at once,
   * which a frame does anyway.
   */
  comeBack() {
    this.lost = true;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      const { activeElement, body } = this.board.ownerDocument;
      const here = this.board.contains(activeElement);
      if (this.lost && (here || !activeElement || activeElement === body)) this.stage.nodeAt(this.at.pile, this.at.index)?.focus({ preventScroll: true });
      this.lost = false;
      const left = /** @type {HTMLElement | null} */ (here ? activeElement : null);
      if (left && !this.named.has(left)) hide(left);
    });
  }

  /** Call before nodes are moved or removed: the browser then forgets where the focus was. */
  hold() {
    if (!this.board.contains(this.board.ownerDocument.activeElement)) return;
    this.lost = true;
    this.lit = this.board.querySelector(':focus-visible') !== null;
  }

  /** Whether somebody sees the focus on the table. */
  get seen() {
    return this.lost ? this.lit : this.board.querySelector(':focus-visible') !== null;
  }

  /** @param {View} view @param {number} pile */
  nameArea(view, pile) {
    const rest = this.resting[areaOf(pile)];
    const all = stops(view, pile);
    const last = all.length - 1;
    if (rest?.pile === pile && (rest.index > last || rest.index < 0)) rest.index = all[last]?.index ?? -1;
    if (this.at.pile === pile && (this.at.index > last || this.at.index < 0)) this.at = { ...(all[last] ?? this.at) };
    for (const hit of all) {
      const node = this.stage.nodeAt(pile, hit.index);
      if (!node) continue;
      this.named.add(node);
      setAll(node, {
        role: 'button', tabindex: rest?.pile === pile && (rest.index === hit.index || !isColumn(pile)) ? 0 : -1, 'aria-hidden': null,
        'aria-label': this.keys.name(hit),
      });
    }
  }
}

/** Nobody can come to it any more. @param {HTMLElement} node */
const hide = (node) => setAll(node, { tabindex: null, 'aria-hidden': 'true' });
