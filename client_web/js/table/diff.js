/**
 * How one picture of the table becomes the next: which card on the felt is which, what comes from
 * the stock, what goes where nobody sees it any more. Pure.
 *
 * Lives here: matching two lists of places. Does not live here: nodes and their animation.
 *
 * Cards are matched in this order: what lies where it lay (a face-down or unknown card may turn
 * there); the same card elsewhere, the nearest of twins first; then stock and waste trade cards
 * that were not seen on one side, and a card that turned up and went out at once is the one that is
 * missing.
 */

import { SLOT0, STOCK, UNKNOWN, WASTE, isColumn, isSlot } from '../rules.js';
import { isOpen } from './layout.js';

/** @import { Metrics, Place, Point } from './layout.js' */
/** @import { View } from '../rules.js' */

/**
 * @typedef {object} Change
 * @property {number} key of the card's node; −1: a new one
 * @property {Place} place where it lies now
 * @property {Point | null} from where it comes from; null: it does not move
 * @property {boolean} faceDown it comes face down, though it lies open now
 */
/**
 * @typedef {object} Leaving
 * @property {number} key
 * @property {Point | null} to where it goes before it is gone; null: it stays under what covers it
 * @property {boolean} faceDown it turns its back on the way
 * @property {number} card which it is, as far as that is known now
 */
/** @typedef {{changes: Change[], leaving: Leaving[]}} Diff */
/** @typedef {{key: number, place: Place}} Known */

/**
 * @param {readonly Known[]} old what is on the felt
 * @param {readonly Place[]} next
 * @param {View} view that `next` is made from
 * @param {Metrics} m
 * @returns {Diff}
 */
export function diff(old, next, view, m) {
  const left = new Set(old);
  /** @type {(Known | null)[]} */
  const matched = next.map(() => null);
  const pair = (/** @type {number} */ i, /** @type {Known} */ known) => {
    matched[i] = known;
    left.delete(known);
  };
  matchStill(left, next, pair);
  matchSame(left, next, matched, pair);
  matchTraded(left, next, matched, pair);
  const unseen = matchUnseen(left, next, matched, pair) ? UNKNOWN : missing(old, left, view);
  const changes = next.map((place, i) => change(matched[i] ?? null, place, old, m));
  return { changes, leaving: [...left].map((known) => leaving(known, unseen, view, m)) };
}

/** @typedef {(i: number, known: Known) => void} Pair */

/** @param {Place} at */
const spot = (at) => `${at.pile}:${at.depth}`;

/**
 * What lies where it lay; a card that is seen on one side only has turned there.
 * @param {Set<Known>} left
 * @param {readonly Place[]} next
 * @param {Pair} pair
 */
function matchStill(left, next, pair) {
  const bySpot = new Map([...left].map((known) => [spot(known.place), known]));
  next.forEach((place, i) => {
    const known = bySpot.get(spot(place));
    if (known && (known.place.card === place.card || !isOpen(known.place) || !isOpen(place))) pair(i, known);
  });
}

/**
 * The same card elsewhere; of twins, the nearest pair first.
 * @param {Set<Known>} left
 * @param {readonly Place[]} next
 * @param {readonly (Known | null)[]} matched
 * @param {Pair} pair
 */
function matchSame(left, next, matched, pair) {
  /** @type {{i: number, known: Known, distance: number}[]} */
  const pairs = [];
  next.forEach((place, i) => {
    if (matched[i] || !isOpen(place)) return;
    for (const known of left) {
      if (known.place.card === place.card) pairs.push({ i, known, distance: Math.hypot(known.place.x - place.x, known.place.y - place.y) });
    }
  });
  for (const { i, known } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (!matched[i] && left.has(known)) pair(i, known);
  }
}

/**
 * A drawn card is a back of the stock that turns, a waste turned over is the stock again, and an
 * undo the other way round.
 * @param {Set<Known>} left
 * @param {readonly Place[]} next
 * @param {readonly (Known | null)[]} matched
 * @param {Pair} pair
 */
function matchTraded(left, next, matched, pair) {
  const from = (/** @type {number} */ pile) => [...left].filter(({ place }) => place.pile === pile);
  const [backs, wastes] = [from(STOCK), from(WASTE)];
  next.forEach((place, i) => {
    if (matched[i]) return;
    const known = place.pile === WASTE ? backs.pop() : place.pile === STOCK ? wastes.pop() : undefined;
    if (known) pair(i, known);
  });
}

/** A face-down card of a column. @param {Known} known */
const isHidden = ({ place }) => isColumn(place.pile) && !isOpen(place);

/**
 * The only face-down card that is gone lies on a foundation, where one has come from nowhere.
 * @param {Set<Known>} left
 * @param {readonly Place[]} next
 * @param {readonly (Known | null)[]} matched
 * @param {Pair} pair
 * @returns {boolean}
 */
function matchUnseen(left, next, matched, pair) {
  const [hidden, more] = [...left].filter(isHidden);
  const at = next.findIndex((place, i) => isSlot(place.pile) && !matched[i]);
  if (!hidden || more || at < 0) return false;
  pair(at, hidden);
  return true;
}

/**
 * Which card was the only face-down one that is gone: it is covered on a foundation now, and no card that was seen is it.
 * @param {readonly Known[]} old
 * @param {Set<Known>} left
 * @param {View} view
 * @returns {number} UNKNOWN: that cannot be told
 */
function missing(old, left, view) {
  if ([...left].filter(isHidden).length !== 1) return UNKNOWN;
  const seen = new Set(old.map(({ place }) => place.card));
  const decks = view.foundations.length / 4;
  const out = view.foundations.flatMap((height, slot) => {
    const before = Math.max(0, ...old.filter(({ place }) => isSlot(place.pile) && place.pile - SLOT0 === slot).map(({ place }) => place.depth + 1));
    return Array.from({ length: Math.max(0, height - before) }, (_, i) => Math.floor(slot / decks) * 13 + before + i);
  }).filter((card) => !seen.has(card));
  return out.length === 1 ? out[0] ?? UNKNOWN : UNKNOWN;
}

/**
 * @param {Known | null} known
 * @param {Place} place
 * @param {readonly Known[]} old
 * @param {Metrics} m
 * @returns {Change}
 */
function change(known, place, old, m) {
  if (known) {
    const { x, y } = known.place;
    return { key: known.key, place, from: x === place.x && y === place.y ? null : { x, y }, faceDown: !isOpen(known.place) };
  }
  if (!old.length || !comesFromStock(place, old)) return { key: -1, place, from: null, faceDown: !isOpen(place) };
  return { key: -1, place, from: m.stock, faceDown: true };
}

/**
 * Whether a card that was not on the felt was drawn; else it only lay beneath another.
 * @param {Place} place
 * @param {readonly Known[]} old
 */
function comesFromStock(place, old) {
  if (place.pile !== WASTE) return false;
  return old.every((known) => known.place.pile !== WASTE || known.place.depth < place.depth);
}

/**
 * @param {Known} known
 * @param {number} unseen which card a face-down one is
 * @param {View} view
 * @param {Metrics} m
 * @returns {Leaving}
 */
function leaving({ key, place }, unseen, view, m) {
  const card = isColumn(place.pile) && !isOpen(place) ? unseen : place.card;
  const slot = isOpen({ ...place, card }) ? slotOver(card, view) : -1;
  const moved = isColumn(place.pile) || (place.pile === WASTE && place.depth >= view.waste.length);
  if (moved && slot >= 0) return { key, to: m.found[slot] ?? null, faceDown: false, card };
  if (place.pile === WASTE && place.depth >= view.waste.length) return { key, to: m.stock, faceDown: true, card };
  return { key, to: null, faceDown: false, card };
}

/**
 * A slot in which a card lies covered.
 * @param {number} card
 * @param {View} view
 */
function slotOver(card, view) {
  const decks = view.foundations.length / 4;
  const first = Math.floor(card / 13) * decks;
  for (let slot = first; slot < first + decks; slot++) if ((view.foundations[slot] ?? 0) > (card % 13) + 1) return slot;
  return -1;
}
