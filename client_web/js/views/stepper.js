/**
 * A small board that can be stepped through: a figure with cards, a sentence for each step, and two
 * buttons.
 *
 * Lives here: its nodes and their upkeep. Does not live here: where cards lie (`mini.js`), the deal and
 * its moves (`data/examples.json`), the sentences.
 */

import { cardNode, icon, setFace, suitMark } from '../cards.js';
import { gameParts } from '../phrases.js';
import { miniCards, miniMetrics } from '../mini.js';
import { SUITS } from '../table/art.js';
import { el } from '../table/dom.js';
import { cardName } from '../table/labels.js';

/** @import { App } from '../app.js' */
/** @import { Params } from '../i18n.js' */
/** @import { Example, Frame, MiniCard } from '../mini.js' */

export class Stepper {
  /**
   * @param {App} app
   * @param {Example} example
   * @param {readonly string[]} steps a sentence for each frame
   */
  constructor(app, example, steps) {
    this.app = app;
    this.example = example;
    this.steps = steps;
    this.at = 0;
    this.large = app.settings.index === 'large';
    /** @type {Map<string, HTMLElement>} */
    this.cards = new Map();
    this.score = el('p', { class: 'demo-score' });
    this.board = el('div', { class: 'mini', 'aria-hidden': 'true' });
    /** @type {Map<string, HTMLElement>} */
    this.slots = new Map(example.rows.flat().map((pile) => [pile, this.makeSlot(pile)]));
    this.count = el('div', { class: 'count' });
    this.board.append(...this.slots.values(), ...(this.slots.has('s') ? [this.count] : []));
    this.piles = el('ul', { class: 'sr' });
    this.line = el('figcaption', { class: 'say-line', 'aria-live': 'polite' });
    this.nextText = el('span');
    this.pos = el('span', { class: 'pos' });
    this.back = el('button', { class: 'btn', type: 'button' }, icon('back'), el('span', {}, app.t('book.back')));
    this.next = el('button', { class: 'btn btn--gold', type: 'button' }, this.nextText, icon('next'));
    this.back.addEventListener('click', () => this.show(this.at - 1));
    this.next.addEventListener('click', () => this.show(this.at < example.frames.length - 1 ? this.at + 1 : 0));
    this.element = el('figure', { class: 'felt-box on-felt demo' }, this.score, this.board, this.piles, this.line,
      el('div', { class: 'stepbar' }, this.back, this.pos, this.next));
    this.observer = new ResizeObserver(() => this.lay());
    this.observer.observe(this.board);
    this.show(0);
  }

  /** @param {string} pile */
  makeSlot(pile) {
    const { decks } = gameParts(this.example.code);
    const slot = el('div', { class: 'slot' });
    if (pile.startsWith('f')) slot.append(suitMark(SUITS[Math.floor((Number(pile.slice(1)) - 1) / decks)] ?? ''));
    if (pile === 's') slot.append(icon('again', 'again'));
    return slot;
  }

  /** @returns {Frame} */
  get frame() {
    return /** @type {Frame} */ (this.example.frames[this.at]);
  }

  /** @param {number} at number of a frame */
  show(at) {
    const { app, example } = this;
    const last = example.frames.length - 1;
    this.at = Math.max(0, Math.min(last, at));
    const n = { n: this.at + 1, of: example.frames.length };
    this.pos.textContent = app.t('book.step', n);
    this.back.setAttribute('aria-disabled', String(this.at === 0));
    this.nextText.textContent = app.t(this.at === last ? 'book.again' : 'book.next');
    this.line.textContent = this.steps[this.at] ?? '';
    const { score, moves } = this.frame;
    const points = gameParts(example.code).vegas ? app.lang.score(score, true) : app.t('points', { n: score });
    this.score.textContent = `${points} · ${app.t('moves', { n: moves })}`;
    this.piles.replaceChildren(...example.rows.flat().map((pile) => el('li', {}, this.pileText(pile))));
    this.lay();
  }

  /** Put everything in its place for the width there is. */
  lay() {
    const width = this.board.clientWidth;
    if (!width) return;
    const m = miniMetrics(this.example, width, this.large);
    this.board.style.setProperty('--cw', `${m.cw}px`);
    this.board.style.setProperty('--ch', `${m.ch}px`);
    this.board.style.setProperty('height', `${m.height}px`);
    for (const { pile, x, y } of m.slots) {
      const slot = this.slots.get(pile);
      if (slot) put(slot, x, y, 0);
      if (pile === 's') put(this.count, x, y, 60);
    }
    this.deal(miniCards(this.frame, m), m.face);
    this.marks();
  }

  /** @param {readonly MiniCard[]} cards @param {'f' | 'b'} face */
  deal(cards, face) {
    const kept = new Set(cards.map(({ key }) => key));
    for (const [key, node] of this.cards) {
      if (kept.has(key)) continue;
      node.remove();
      this.cards.delete(key);
    }
    for (const { key, card, pile, last, x, y, z } of cards) {
      const node = this.cards.get(key) ?? cardNode(card, face);
      setFace(node, card, face);
      put(node, x, y, z);
      node.dataset.pile = pile;
      node.dataset.last = String(last);
      if (this.cards.has(key)) continue;
      this.cards.set(key, node);
      this.board.append(node);
    }
  }

  /** What the frame wants to be seen: a refusal, places that take a card. */
  marks() {
    const { refused, from = '', legal = [], piles } = this.frame;
    for (const node of [...this.cards.values(), ...this.slots.values()]) node.classList.remove('is-picked', 'is-refused', 'is-legal');
    const [stock = 0] = piles['s'] ?? [];
    this.slots.get('s')?.classList.toggle('is-again', stock === 0 && !this.example.code.includes('V'));
    this.count.hidden = stock === 0;
    this.count.textContent = this.app.lang.number(stock);
    if (refused && refused.from !== refused.to) this.lastOf(refused.from)?.classList.add('is-picked');
    if (refused) this.lastOf(refused.to)?.classList.add('is-refused');
    if (from) this.lastOf(from)?.classList.add('is-picked');
    for (const pile of legal) this.lastOf(pile)?.classList.add('is-legal');
  }

  /** @param {string} pile @returns {HTMLElement | undefined} its last card, or its empty place */
  lastOf(pile) {
    return [...this.cards.values()].find((node) => node.dataset.pile === pile && node.dataset.last === 'true') ?? this.slots.get(pile);
  }

  /** A pile in words. @param {string} pile */
  pileText(pile) {
    const say = (/** @type {string} */ key, /** @type {Params} */ params = {}) => this.app.t(key, params);
    const [down, open] = this.frame.piles[pile] ?? [0, []];
    const card = open.length ? cardName(say, /** @type {number} */ (open.at(-1))) : '';
    const column = Number(pile.slice(1));
    if (pile === 's') return down ? say('pile.stock', { n: down }) : say('pile.stock.empty');
    if (pile === 'w') return card ? say('pile.waste', { card }) : say('pile.waste.empty');
    if (pile.startsWith('c')) {
      if (!card) return say('pile.column.empty', { column });
      return down ? say('pile.column.down', { column, card, n: down }) : say('pile.column', { column, card });
    }
    const { decks } = gameParts(this.example.code);
    const suit = say(`suit.${SUITS[Math.floor((column - 1) / decks)]}`);
    const rank = open.length ? say(`rank.${(/** @type {number} */ (open.at(-1)) % 13) + 1}`) : '';
    return say(`pile.foundation${decks === 1 ? '.single' : ''}${open.length ? '' : '.empty'}`, { suit, slot: ((column - 1) % decks) + 1, rank });
  }
}

/** @param {HTMLElement} node @param {number} x @param {number} y @param {number} z */
function put(node, x, y, z) {
  node.style.setProperty('--x', `${x}px`);
  node.style.setProperty('--y', `${y}px`);
  node.style.setProperty('--z', String(z));
}
