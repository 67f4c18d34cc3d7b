/**
 * Card faces. Each is composed from 4 suits, 13 ranks and 3 court figures into a symbol of one sprite;
 * a card on the page is one `<use>` of it. So are the suit marks, the cup and the icons.
 *
 * A face consists of as few outlines as have a colour of their own: the browser makes all elements of a
 * symbol anew for each card that shows it, which a table of fifty cards feels.
 *
 * Lives here: composing and showing faces. Does not live here: outlines (`table/art.js`), places.
 *
 * The full face is for cards from 48 px on; the bold one for small cards and for large indices.
 */

import { COURTS, CUP, EARS, ICONS, PIPS, RANKS, RANK_PATHS, SUITS, SUIT_PATHS } from './table/art.js';
import { el, svg } from './table/dom.js';

/** @typedef {'f' | 'b'} Face full or bold */

/** A card whose face is not seen. */
export const BACK = -1;
/** Narrower cards bear the bold face; CSS pixels. */
export const FULL_FROM = 48;

const FILLS = { coat: 'currentColor', brass: 'var(--brass)', skin: 'var(--skin)', dark: 'var(--suit-black)' };

/** @param {number} card 0–51 @returns {{suit: string, rank: string}} */
const partsOf = (card) => ({ suit: SUITS[Math.floor(card / 13)] ?? '', rank: RANKS[card % 13] ?? '' });

/** Two characters, as everywhere in the project: `AS`, `TD`. @param {number} card */
export function cardText(card) {
  const { suit, rank } = partsOf(card);
  return `${rank === '10' ? 'T' : rank}${suit}`;
}

/** Where an outline is put: its origin, and its width and height in times; below 0 it stands on its head. @typedef {{x: number, y: number, w: number, h: number}} Put */

/** @param {number} n */
const short = (n) => Math.round(n * 1000) / 1000;

/**
 * An outline drawn elsewhere: every command but those whose arcs are turned.
 * @param {string} d
 * @param {Put} put
 */
export function moved(d, { x, y, w, h }) {
  return d.replace(/([a-zA-Z])([^a-zA-Z]*)/g, (_, /** @type {string} */ command, /** @type {string} */ rest) => {
    const numbers = (rest.match(/-?(\d*\.\d+|\d+)/g) ?? []).map(Number);
    const here = command < 'a' ? { x, y } : { x: 0, y: 0 };
    const kind = command.toUpperCase();
    return command + numbers.map((n, i) => {
      if (kind === 'A' && i % 7 < 5) return i % 7 < 2 ? short(Math.abs(n * (i % 7 ? h : w))) : n;
      const upright = kind === 'V' || (kind === 'A' ? i % 7 === 6 : kind !== 'H' && i % 2 === 1);
      return short(upright ? here.y + n * h : here.x + n * w);
    }).join(' ');
  });
}

/**
 * An outline with its middle at x, y.
 * @param {string} d
 * @param {readonly [number, number]} size of the drawing
 * @param {number} x
 * @param {number} y
 * @param {number} w width that it gets
 * @param {boolean} [turned] standing on its head
 */
function centred(d, [width, height], x, y, w, turned = false) {
  const k = (turned ? -w : w) / width;
  return moved(d, { x: x - (k * width) / 2, y: y - (k * height) / 2, w: k, h: k });
}

/** @param {string} suit */
const marker = (suit) => (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, turned = false) =>
  centred(SUIT_PATHS[suit] ?? '', [32, 32], x, y, w, turned);

/** Digits and letters. @param {string} d @param {number} w the width of one, by which the line is as thick */
const index = (d, w) => svg('path', { ...stroke, d, 'stroke-width': short((3.6 * w) / 22) });

/** A court figure, once or with its mirror image. @param {string} rank @param {readonly Put[]} puts */
function court(rank, puts) {
  return (COURTS[rank] ?? []).map((part) => {
    const d = puts.map((put) => moved(part.d, put)).join('');
    if (!('stroke' in part)) return svg('path', { d, fill: FILLS[part.fill] });
    return svg('path', { d, stroke: FILLS.dark, 'stroke-width': short((part.stroke * ((puts[0]?.w ?? 1) + (puts[0]?.h ?? 1))) / 2), 'stroke-linecap': 'round' });
  });
}

/** @param {string} suit @param {string} rank */
function fullFace(suit, rank) {
  const mark = marker(suit);
  const dx = rank === '10' ? 1.5 : 0;
  const letter = RANK_PATHS[rank] ?? '';
  const corners = index(centred(letter, [22, 28], 14 + dx, 15.5, 15.7) + centred(letter, [22, 28], 86 - dx, 124.5, 15.7, true), 15.7);
  const marks = [mark(32.5, 15.5, 15), mark(67.5, 124.5, 15, true)];
  const drawn = (/** @type {string[]} */ ...more) => [corners, svg('path', { d: [...marks, ...more].join('') })];
  if (rank === 'A') return [...drawn(mark(50, 70, 46)), ...(suit === 'S' ? [svg('path', { d: cup(50, 70, 20), fill: 'var(--paper)' })] : [])];
  if (!COURTS[rank]) return drawn(...(PIPS[rank] ?? []).map(([x, y]) => mark(x, y, 19.5, y > 71)));
  return [
    svg('rect', {
      x: 17, y: 29, width: 66, height: 82, rx: 5, fill: 'currentColor', 'fill-opacity': 0.07, stroke: 'currentColor',
      'stroke-opacity': 0.5, 'stroke-width': 1.2,
    }),
    ...court(rank, [{ x: 50, y: 70, w: 0.86, h: 0.86 }, { x: 50, y: 70, w: -0.86, h: -0.86 }]),
    svg('path', { d: 'M17.6 70H82.4', stroke: 'var(--paper)', 'stroke-width': 1.6 }),
    ...drawn(mark(74, 38, 11), mark(26, 102, 11, true)),
  ];
}

/** @param {number} x @param {number} y @param {number} w */
const cup = (x, y, w) => centred(CUP, [32, 32], x, y, w);

/** One rank, one suit, one big mark. @param {string} suit @param {string} rank */
function boldFace(suit, rank) {
  const mark = marker(suit);
  const corner = index(centred(RANK_PATHS[rank] ?? '', [22, 28], rank === '10' ? 27.5 : 26, 26, 27.5), 27.5);
  if (!COURTS[rank]) return [corner, svg('path', { d: mark(73, 26, 32) + mark(50, 92, 62) })];
  return [
    corner, svg('path', { d: mark(73, 26, 32) }),
    svg('rect', { x: 13, y: 56, width: 74, height: 73, rx: 7, fill: 'currentColor', 'fill-opacity': 0.09 }),
    ...court(rank, [{ x: 50, y: 129, w: 1.23, h: 1.43 }]),
  ];
}

/** Quatrefoils of four hearts around the cup. */
function backFace() {
  const heart = 'M10 10C8.8 7.8 5 6.3 5 3.6 5 2 6.2 1 7.5 1 8.7 1 9.5 1.6 10 2.6 10.5 1.6 11.3 1 12.5 1 13.8 1 15 2 15 3.6 15 6.3 11.2 7.8 10 10Z';
  const hearts = [0, 90, 180, 270].map((turn) => svg('path', { d: heart, transform: `rotate(${turn} 10 10)` }));
  return [
    svg('pattern', { id: 'back-tile', width: 20, height: 20, patternUnits: 'userSpaceOnUse' }, svg('g', { fill: 'var(--back-2)' }, ...hearts)),
    svg('symbol', { id: 'card-back', viewBox: '0 0 100 140' },
      svg('rect', { x: 5, y: 5, width: 90, height: 130, rx: 5, fill: 'var(--back)' }),
      svg('rect', { x: 10, y: 10, width: 80, height: 120, rx: 2, fill: 'url(#back-tile)' }),
      svg('path', { d: 'M50 46 70 70 50 94 30 70Z', fill: 'var(--back)', stroke: 'var(--back-ring)', 'stroke-width': 2 }),
      svg('path', { d: cup(50, 69.5, 22), fill: 'var(--back-ring)' }),
      svg('rect', {
        x: 7.5, y: 7.5, width: 85, height: 125, rx: 3.5, fill: 'none', stroke: 'var(--back-ring)', 'stroke-width': 1, 'stroke-opacity': 0.75,
      })),
  ];
}

const stroke = { fill: 'none', stroke: 'currentColor', 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };

/** @returns {SVGElement[]} marks and icons */
function alphabet() {
  return [
    ...SUITS.map((suit) => svg('symbol', { id: `suit-${suit}`, viewBox: '0 0 32 32' }, svg('path', { d: SUIT_PATHS[suit] ?? '' }))),
    svg('symbol', { id: 'mark-cup', viewBox: '0 0 32 32' }, svg('path', { d: CUP }), svg('path', { ...stroke, d: EARS, 'stroke-width': 2 })),
    ...Object.entries(ICONS).map(([name, d]) => svg('symbol', { id: `icon-${name}`, viewBox: '0 0 24 24' },
      svg('path', { ...stroke, d, 'stroke-width': 2 }))),
  ];
}

/** @returns {SVGSVGElement} the hidden sprite that every mark, icon and back is taken from, and every face once it was shown */
export function sprite() {
  return svg('svg', { class: 'sprite', width: 0, height: 0, 'aria-hidden': 'true', focusable: 'false' }, ...alphabet(), ...backFace());
}

/** Put the sprite on the page; a second call does nothing. @param {Document} doc */
export function mountSprite(doc) {
  if (!doc.getElementById('card-back')) doc.body.prepend(sprite());
}

/** @param {number} card 0–51 @param {Face} face @returns {SVGSymbolElement} its symbol, of which the sprite has one once the face was shown */
export function faceSymbol(card, face) {
  const { suit, rank } = partsOf(card);
  const parts = face === 'f' ? fullFace(suit, rank) : boldFace(suit, rank);
  return svg('symbol', { id: `face-${face}${cardText(card)}`, viewBox: '0 0 100 140' }, ...parts);
}

/** All faces at once would hold up the first page. @param {Document} doc @param {number} card 0–51 @param {Face} face */
function needFace(doc, card, face) {
  if (doc.getElementById(`face-${face}${cardText(card)}`)) return;
  doc.getElementById('card-back')?.parentNode?.append(faceSymbol(card, face));
}

/**
 * @param {string} id
 * @param {string} cls
 */
const shown = (id, cls) => svg('svg', { class: cls, 'aria-hidden': 'true', focusable: 'false' }, svg('use', { href: `#${id}` }));

/** @param {keyof typeof ICONS | string} name one of ICONS @param {string} [cls] */
export const icon = (name, cls = 'icon') => shown(`icon-${name}`, cls);
/** @param {string} suit S, H, D or C @param {string} [cls] */
export const suitMark = (suit, cls = 'suit') => shown(`suit-${suit}`, cls);
/** The mark of Kupa: a heart that is the bowl of a cup. @param {string} [cls] */
export const brandMark = (cls = 'cup') => shown('mark-cup', cls);

/**
 * A card for the page; its place is set by --x, --y and --z, its size by --cw and --ch of a parent.
 * @param {number} card 0–51, or BACK
 * @param {Face} [face]
 * @returns {HTMLDivElement}
 */
export function cardNode(card, face = 'f') {
  const node = el('div', { class: 'card', 'aria-hidden': 'true' }, shown('card-back', 'face'));
  setFace(node, card, face);
  return node;
}

/**
 * The side that a card shows now, to lie on it while it turns.
 * @param {HTMLElement} node made by cardNode
 * @returns {HTMLElement}
 */
export function oldSide(node) {
  const face = node.querySelector('use')?.getAttribute('href') ?? '#card-back';
  return el('div', { class: 'side', 'data-suit': node.dataset.suit }, shown(face.slice(1), 'face'));
}

/**
 * Show another face on a card's node.
 * @param {HTMLElement} node made by cardNode
 * @param {number} card 0–51, or anything else for the back
 * @param {Face} face
 */
export function setFace(node, card, face) {
  const open = card >= 0 && card < 52;
  const text = open ? cardText(card) : '';
  const id = open ? `face-${face}${text}` : 'card-back';
  // What is shown already would be made anew
  if (node.querySelector('use')?.getAttribute('href') === `#${id}` && node.dataset.card) return;
  if (open) needFace(document, card, face);
  node.dataset.suit = open ? text.slice(-1) : 'B';
  node.dataset.card = open ? text : 'back';
  node.querySelector('use')?.setAttribute('href', `#${id}`);
}
