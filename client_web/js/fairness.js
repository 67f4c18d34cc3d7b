/**
 * Whether a race was fair, checked in this browser.
 *
 * Lives here: remembering what one was shown of a deal, and comparing it after the end with what
 * the published code gives. Does not live here: deriving deals and seals (`deal.js`), words.
 */

/** @import { BoardView, HeatResult } from './wire.gen.js' */

/**
 * What this browser was shown of a deal at known places.
 * @typedef {object} Seen
 * @property {string} heat
 * @property {string} seal the commitment that came before the gun; empty for an open deal
 * @property {readonly number[] | null} opening the open card of each column at the gun; null: came later
 * @property {readonly number[]} drawn cards from the stock, in order, of its first pass
 * @property {boolean} counting further draws are the next cards of the stock
 */

/** `waits`: the deal stays sealed, since others are yet to race on it. @typedef {'sealed' | 'opened' | 'fits' | 'cards' | 'open_deal' | 'waits'} CheckName */
/** @typedef {{name: CheckName, ok: boolean, count?: number}} Check `count`: cards compared */

/**
 * @typedef {object} Deals
 * @property {(claim: {heat: string, code: string, nonce: string, commitment: string}) => boolean} verify
 * @property {(code: string) => ArrayLike<number>} dealOf the whole pack, columns then stock
 */

/**
 * Begin to remember a heat.
 * @param {string} heat
 * @param {string} seal
 * @returns {Seen}
 */
export function begin(heat, seal) {
  return { heat, seal, opening: null, drawn: [], counting: false };
}

/**
 * The own board came: at the gun it shows the first cards; later nothing new can be placed.
 * @param {Seen} seen
 * @param {BoardView} view
 * @returns {Seen}
 */
export function dealt(seen, view) {
  if (view.ply > 0) return { ...seen, counting: false };
  return { ...seen, opening: view.columns.map(([, up]) => up[up.length - 1] ?? -1), drawn: [], counting: true };
}

/**
 * Cards were drawn from the stock.
 * @param {Seen} seen
 * @param {ArrayLike<number>} cards in the order in which they were turned
 * @returns {Seen}
 */
export function drew(seen, cards) {
  return seen.counting ? { ...seen, drawn: [...seen.drawn, ...Array.from(cards)] } : seen;
}

/**
 * From here on a drawn card is not the next of the stock: something was undone, or the waste turned over.
 * @param {Seen} seen
 * @returns {Seen}
 */
export function lostCount(seen) {
  return seen.counting ? { ...seen, counting: false } : seen;
}

/**
 * @param {HeatResult} result
 * @param {Seen | null} seen of the same heat, or null
 * @param {Deals} deals
 * @returns {Check[]} in the order of the story: sealed, opened, fits, and the own cards; or that it waits
 */
export function checks(result, seen, deals) {
  const own = seen?.heat === result.heat ? seen : null;
  if (result.code === '') return [{ name: 'waits', ok: own === null || own.seal === result.commitment }];
  const sealed = result.commitment !== '' && result.nonce !== '';
  /** @type {Check[]} */
  const list = sealed
    ? [
      { name: 'sealed', ok: own === null || own.seal === result.commitment },
      { name: 'opened', ok: result.code !== '' },
      { name: 'fits', ok: deals.verify(result) },
    ]
    : [{ name: 'open_deal', ok: true }];
  if (own?.opening) list.push({ name: 'cards', ok: sameCards(own, deals.dealOf(result.code)), count: countOf(own) });
  return list;
}

/** @param {Seen} seen */
function countOf(seen) {
  return (seen.opening?.length ?? 0) + seen.drawn.length;
}

/**
 * Column c holds c cards, its last one open; the stock is what comes after them (deal-code.md, step 5).
 * @param {Seen} seen
 * @param {ArrayLike<number>} deal
 */
function sameCards(seen, deal) {
  const columns = seen.opening?.length ?? 0;
  const stock = (columns * (columns + 1)) / 2;
  const opening = (seen.opening ?? []).every((card, c) => card === deal[((c + 1) * (c + 2)) / 2 - 1]);
  return opening && seen.drawn.every((card, i) => card === deal[stock + i]);
}
