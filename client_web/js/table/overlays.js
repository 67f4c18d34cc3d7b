/**
 * What lies over the felt for a while: a sentence, the reactions, a question, the countdown.
 *
 * Lives here: showing, hiding, focus and reading out. Does not live here: when.
 */

import { icon } from '../cards.js';
import { el } from './dom.js';

/** @import { Translate } from './labels.js' */

/** How long a sentence stays. */
const TOAST_MS = 4000;
export const REACTIONS = 6;

export class Toast {
  /** @param {HTMLElement} felt @param {{polite: HTMLElement, assertive: HTMLElement}} live */
  constructor(felt, live) {
    this.live = live;
    this.node = el('p', { class: 'toast', hidden: true, 'aria-hidden': 'true' });
    /** What stays until it is taken away. @type {{text: string, bad: boolean} | null} */
    this.lasting = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    felt.append(this.node);
  }

  /**
   * @param {string | null} text null takes away what stays
   * @param {{bad?: boolean, ms?: number}} [how] ms 0: it stays
   */
  show(text, { bad = false, ms = TOAST_MS } = {}) {
    clearTimeout(this.timer);
    // What was true until now is not found by reading on either
    if (!text && this.lasting) unsay(this.lasting.bad ? this.live.assertive : this.live.polite, this.lasting.text);
    if (!text || ms === 0) this.lasting = text ? { text, bad } : null;
    this.draw(text ? { text, bad } : null);
    if (!text) return;
    speak(bad ? this.live.assertive : this.live.polite, text);
    if (ms > 0) this.timer = setTimeout(() => this.draw(this.lasting), ms);
  }

  /** @param {{text: string, bad: boolean} | null} content */
  draw(content) {
    this.node.hidden = !content;
    this.node.classList.toggle('toast--bad', content?.bad ?? false);
    this.node.replaceChildren(...(content ? [...(content.bad ? [icon('no')] : []), el('span', {}, content.text)] : []));
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

/**
 * Have a text read out, even when it is the same as before.
 * @param {HTMLElement} region
 * @param {string} text
 */
export function speak(region, text) {
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Take away what is not true any more; nothing is read out. @param {HTMLElement} region @param {string} text */
export function unsay(region, text) {
  if (region.textContent?.trim() === text) region.textContent = '';
}

/**
 * A box over the felt that takes the focus and gives it back.
 */
export class Box {
  /**
   * @param {HTMLElement} felt
   * @param {HTMLElement} node
   * @param {(open: boolean) => void} changed
   */
  constructor(felt, node, changed) {
    this.felt = felt;
    this.node = node;
    this.changed = changed;
    node.hidden = true;
    felt.append(node);
    /** @type {HTMLElement | null} */
    this.back = null;
    node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.close();
    });
    this.outside = (/** @type {Event} */ event) => {
      if (!node.hidden && !node.contains(/** @type {Node} */ (event.target))) this.close();
    };
    felt.addEventListener('pointerdown', this.outside, { capture: true });
  }

  get open() {
    return !this.node.hidden;
  }

  /** @param {HTMLElement} [first] what gets the focus */
  show(first) {
    this.back = /** @type {HTMLElement | null} */ (this.node.ownerDocument.activeElement);
    this.node.hidden = false;
    this.changed(true);
    (first ?? this.node.querySelector('button'))?.focus({ preventScroll: true });
  }

  close() {
    if (!this.open) return;
    const within = this.node.contains(this.node.ownerDocument.activeElement);
    this.node.hidden = true;
    this.changed(false);
    if (within) this.back?.focus({ preventScroll: true });
  }
}

/**
 * The reactions, a fixed set.
 * @param {HTMLElement} felt
 * @param {Translate} t
 * @param {(index: number) => void} onReact
 * @param {(open: boolean) => void} changed
 */
export function makeTray(felt, t, onReact, changed) {
  const buttons = Array.from({ length: REACTIONS }, (_, i) => el('button', { class: 'btn', type: 'button' }, t(`react.${i}`)));
  const box = new Box(felt, el('div', { class: 'tray', role: 'group', 'aria-label': t('react.tray') }, ...buttons), changed);
  buttons.forEach((button, i) => button.addEventListener('click', () => {
    box.close();
    onReact(i);
  }));
  return box;
}

/**
 * A question before a step that cannot be taken back.
 * @param {HTMLElement} felt
 * @param {{text: string, yes: string, no: string}} words
 * @param {() => void} onYes
 */
export function makeQuestion(felt, { text, yes, no }, onYes) {
  const keep = el('button', { class: 'btn', type: 'button' }, no);
  const go = el('button', { class: 'btn btn--bad', type: 'button' }, yes);
  const question = el('p', {}, text);
  const sheet = el('div', { class: 'ask', role: 'alertdialog', 'aria-modal': 'true', 'aria-label': text }, question, el('div', {}, keep, go));
  const box = new Box(felt, sheet, () => {});
  keep.addEventListener('click', () => box.close());
  go.addEventListener('click', () => {
    box.close();
    onYes();
  });
  return { ask: () => box.show(keep), destroy: () => box.close() };
}

export class Veil {
  /** @param {HTMLElement} felt @param {{polite: HTMLElement, assertive: HTMLElement}} live */
  constructor(felt, live) {
    this.live = live;
    this.node = el('div', { class: 'veil', hidden: true, 'aria-hidden': 'true' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    felt.append(this.node);
  }

  /** @param {string | null} text @param {string} [big] */
  show(text, big = '') {
    clearTimeout(this.timer);
    this.node.hidden = text === null;
    this.node.replaceChildren(...(text ? [el('p', {}, text)] : []), ...(big ? [el('strong', { class: 'beat' }, big)] : []));
  }

  /**
   * Count down to the gun, one number a second.
   * @param {{now: () => number, gunMs: number, text: string, go: string, onTick: (left: number) => void, onGo: () => void}} count
   */
  count({ now, gunMs, text, go, onTick, onGo }) {
    let shown = -1;
    const tick = () => {
      const left = gunMs - now();
      const number = Math.ceil(left / 1000);
      if (left <= 0) {
        this.show(null);
        speak(this.live.assertive, go);
        onTick(0);
        return onGo();
      }
      if (number !== shown) {
        this.show(text, String(number));
        speak(this.live.assertive, shown < 0 ? `${text} ${number}` : String(number));
        onTick(number);
        shown = number;
      }
      this.timer = setTimeout(tick, Math.max(8, Math.min(200, left - (number - 1) * 1000)));
    };
    clearTimeout(this.timer);
    tick();
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
