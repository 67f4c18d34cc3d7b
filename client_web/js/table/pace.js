/**
 * How fast and in what order cards travel: runs card by card, a waste turned over as one packet, a
 * deal row by row, a game that completes itself from the lowest card up. Pure.
 */

import { COLUMN0, STOCK, WASTE, isSlot, rankOf } from '../rules.js';
import { TIMES } from './motion.js';

/** @import { Change, Leaving } from './diff.js' */
/** @import { Place } from './layout.js' */
/** @import { Pace } from './motion.js' */

/** @typedef {(card: number, last: boolean) => Pace | null} Climb last: no other card comes to lie on it */

/** Higher than whatever moves otherwise. */
const TOP = 180;

/**
 * When the game completes itself, the cards go out one after another, the lowest first; else null.
 *
 * Who goes sooner lies higher: so it was in the columns, and a height that changes on the way would need the page's own
 * thread. A card comes to lie on the one before it, which is no longer seen from then on.
 * @param {readonly Leaving[]} leaving
 * @returns {Climb}
 */
export function climbOf(leaving) {
  const ranks = leaving.filter(({ to, faceDown }) => to && !faceDown).map(({ card }) => rankOf(card));
  if (!ranks.length) return () => null;
  const lowest = Math.min(...ranks);
  return (card, last) => {
    const nth = (rankOf(card) - lowest) * 4 + Math.floor(card / 13);
    return { delay: nth * TIMES.run, ease: 'land', z: TOP - nth, ...(last ? {} : { covered: 4 * TIMES.run }) };
  };
}

/**
 * @param {Change} change
 * @param {number} nth of the cards that move to the same pile
 * @returns {Pace}
 */
export function paceOf({ place, faceDown }, nth) {
  if (place.pile === STOCK) return { ms: TIMES.recycle };
  if (place.pile === WASTE && faceDown) return { ms: TIMES.draw, delay: nth * TIMES.run };
  if (isSlot(place.pile)) return { ms: TIMES.move, ease: 'land' };
  return { ms: TIMES.move, delay: nth * TIMES.run };
}

/** Cards are dealt row by row. @param {Place} place @returns {Pace} */
export function dealPace({ pile, depth }) {
  return { ms: TIMES.move, delay: (depth * 5 + (pile - COLUMN0)) * TIMES.deal };
}
