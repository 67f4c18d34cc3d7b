/**
 * Card faces. One sprite is composed from 4 suits, 13 ranks and 3 court figures; a card on the
 * page is one `<use>` of it. So are the suit marks, the cup and the icons.
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

/**
 * A symbol of the sprite, its middle at x, y.
 * @param {string} id
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {boolean} [turned] standing on its head
 */
function use(id, x, y, w, h, turned = false) {
  const node = svg('use', { href: `#${id}`, x: x - w / 2, y: y - h / 2, width: w, height: h });
  if (turned) node.setAttribute('transform', `rotate(180 ${x} ${y})`);
  return node;
}

/**
 * @param {string} rank
 * @param {string} transform
 */
const court = (rank, transform) => svg('use', { href: `#court-${rank}`, x: -30, y: -47, width: 60, height: 47, transform });

/** @param {string} suit @param {string} rank */
function fullFace(suit, rank) {
  const mark = `suit-${suit}`;
  const dx = rank === '10' ? 1.5 : 0;
  const corners = [
    use(`rank-${rank}`, 14 + dx, 15.5, 15.7, 20), use(mark, 32.5, 15.5, 15, 15),
    use(`rank-${rank}`, 86 - dx, 124.5, 15.7, 20, true), use(mark, 67.5, 124.5, 15, 15, true),
  ];
  if (rank === 'A') return [...corners, use(mark, 50, 70, 46, 46), ...(suit === 'S' ? [aceCup()] : [])];
  if (!COURTS[rank]) return [...corners, ...(PIPS[rank] ?? []).map(([x, y]) => use(mark, x, y, 19.5, 19.5, y > 71))];
  return [
    ...corners,
    svg('rect', {
      x: 17, y: 29, width: 66, height: 82, rx: 5, fill: 'currentColor', 'fill-opacity': 0.07, stroke: 'currentColor',
      'stroke-opacity': 0.5, 'stroke-width': 1.2,
    }),
    court(rank, 'translate(50 70) scale(.86)'), court(rank, 'rotate(180 50 70) translate(50 70) scale(.86)'),
    svg('path', { d: 'M17.6 70H82.4', stroke: 'var(--paper)', 'stroke-width': 1.6 }),
    use(mark, 74, 38, 11, 11), use(mark, 26, 102, 11, 11, true),
  ];
}

const aceCup = () => svg('svg', { x: 40, y: 60, width: 20, height: 20, viewBox: '0 0 32 32' }, svg('path', { d: CUP, fill: 'var(--paper)' }));

/** One rank, one suit, one big mark. @param {string} suit @param {string} rank */
function boldFace(suit, rank) {
  const mark = `suit-${suit}`;
  const corners = [use(`rank-${rank}`, rank === '10' ? 27.5 : 26, 26, 27.5, 35), use(mark, 73, 26, 32, 32)];
  if (!COURTS[rank]) return [...corners, use(mark, 50, 92, 62, 62)];
  return [
    ...corners, svg('rect', { x: 13, y: 56, width: 74, height: 73, rx: 7, fill: 'currentColor', 'fill-opacity': 0.09 }),
    court(rank, 'translate(50 129) scale(1.23 1.43)'),
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
      svg('svg', { x: 39, y: 58.5, width: 22, height: 22, viewBox: '0 0 32 32' }, svg('path', { d: CUP, fill: 'var(--back-ring)' })),
      svg('rect', {
        x: 7.5, y: 7.5, width: 85, height: 125, rx: 3.5, fill: 'none', stroke: 'var(--back-ring)', 'stroke-width': 1, 'stroke-opacity': 0.75,
      })),
  ];
}

const stroke = { fill: 'none', stroke: 'currentColor', 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };

/** @returns {SVGElement[]} the symbols that faces are composed of */
function alphabet() {
  return [
    ...SUITS.map((suit) => svg('symbol', { id: `suit-${suit}`, viewBox: '0 0 32 32' }, svg('path', { d: SUIT_PATHS[suit] ?? '' }))),
    ...RANKS.map((rank) => svg('symbol', { id: `rank-${rank}`, viewBox: '0 0 22 28' },
      svg('path', { ...stroke, d: RANK_PATHS[rank] ?? '', 'stroke-width': 'var(--rank-weight, 3.6)' }))),
    ...Object.entries(COURTS).map(([rank, parts]) => svg('symbol', { id: `court-${rank}`, viewBox: '-30 -47 60 47' },
      ...parts.map((part) => svg('path', 'stroke' in part
        ? { d: part.d, stroke: FILLS.dark, 'stroke-width': part.stroke, 'stroke-linecap': 'round' }
        : { d: part.d, fill: FILLS[part.fill] })))),
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
 * Show another face on a card's node.
 * @param {HTMLElement} node made by cardNode
 * @param {number} card 0–51, or anything else for the back
 * @param {Face} face
 */
export function setFace(node, card, face) {
  const open = card >= 0 && card < 52;
  const text = open ? cardText(card) : '';
  if (open) needFace(document, card, face);
  node.dataset.suit = open ? text.slice(-1) : 'B';
  node.dataset.card = open ? text : 'back';
  node.querySelector('use')?.setAttribute('href', open ? `#face-${face}${text}` : '#card-back');
}
