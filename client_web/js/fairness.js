/**
 * Whether a race was fair, checked in this browser.
 *
 * Lives here: remembering what one was shown of a deal, and comparing it after the end with what
 * the published code gives. Does not live here: deriving deals and seals (`deal.js`), where it is
 * kept (`sync.js`), words.
 */

/** @import { BoardView, HeatResult, Moved } from './wire.gen.js' */

const DRAW = 1;
const RECYCLE = 2;

/**
 * What this browser was shown of a deal at known places.
 * @typedef {object} Seen
 * @property {string} heat
 * @property {string} seal the first commitment that came; empty for an open deal
 * @property {boolean} before it came before the gun
 * @property {readonly number[] | null} opening the open card of each column at the gun; null: came later
 * @property {readonly number[]} drawn cards from the stock, in order, of its first pass
 * @property {boolean} counting further draws are the next cards of the stock
 * @property {number} ply while counting: entries of the board's log so far
 */

/** `waits`: the deal stays sealed, since others are yet to race on it. @typedef {'sealed' | 'opened' | 'fits' | 'cards' | 'open_deal' | 'waits'} CheckName */
/** @typedef {{name: CheckName, ok: boolean | null, count?: number}} Check `ok`: null when it could not be made here; `count`: cards compared */

/**
 * @typedef {object} Deals
 * @property {(claim: {heat: string, code: string, nonce: string, commitment: string}) => boolean} verify
 * @property {(code: string) => ArrayLike<number>} dealOf the whole pack, columns then stock
 */

/**
 * Begin to remember a heat.
 * @param {string} heat
 * @param {string} seal
 * @param {boolean} before the gun has not been yet
 * @returns {Seen}
 */
export function begin(heat, seal, before) {
  return { heat, seal, before, opening: null, drawn: [], counting: false, ply: 0 };
}

/**
 * What was kept of this heat by an earlier page or another window, which may have seen more than this one.
 * @param {string | null} text as `JSON.stringify` writes a `Seen`
 * @param {string} heat
 * @returns {Seen | null} null: nothing of this heat
 */
export function recall(text, heat) {
  try {
    const kept = JSON.parse(text ?? 'null');
    return kept?.heat === heat && isSeen(kept) ? kept : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** @param {any} kept */
function isSeen(kept) {
  const cards = (/** @type {any} */ list) => Array.isArray(list) && list.every(Number.isInteger);
  return typeof kept.seal === 'string' && typeof kept.before === 'boolean' && typeof kept.counting === 'boolean'
    && Number.isInteger(kept.ply) && (kept.opening === null || cards(kept.opening)) && cards(kept.drawn);
}

/**
 * The own board came: at the gun it shows the first cards; later nothing new can be placed, and draws are
 * counted on only when nothing was played that was not seen.
 * @param {Seen} seen
 * @param {BoardView} view
 * @returns {Seen}
 */
export function dealt(seen, view) {
  if (view.ply > 0) return view.ply === seen.ply ? seen : lostCount(seen);
  return { ...seen, opening: view.columns.map(([, up]) => up[up.length - 1] ?? -1), drawn: [], counting: true, ply: 0 };
}

/**
 * A move of one's own was confirmed: a draw shows the next cards of the stock. After a turn-over, a move that was
 * missed or one that is not known a draw proves nothing.
 * @param {Seen} seen
 * @param {Moved} event
 * @param {number | undefined} kind of the move; undefined: not known
 * @returns {Seen}
 */
export function moved(seen, event, kind) {
  if (event.ply !== seen.ply || kind === undefined || kind === RECYCLE) return lostCount(seen);
  const drawn = kind === DRAW && seen.counting ? [...seen.drawn, ...Array.from(event.turned)] : seen.drawn;
  return { ...seen, drawn, ply: event.ply + (event.auto ? 2 : 1) };
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
 * @param {boolean} seated one has raced oneself
 * @param {Deals} deals
 * @returns {Check[]} in the order of the story: sealed, opened, fits, and the own cards; or that it waits
 */
export function checks(result, seen, seated, deals) {
  const own = seen?.heat === result.heat ? seen : null;
  if (result.code === '') return [{ name: 'waits', ok: sealedBefore(result, own) }];
  const sealed = result.commitment !== '' && result.nonce !== '';
  /** @type {Check[]} */
  const list = sealed
    ? [
      { name: 'sealed', ok: sealedBefore(result, own) },
      { name: 'opened', ok: result.code !== '' },
      { name: 'fits', ok: deals.verify(result) },
    ]
    : [{ name: 'open_deal', ok: true }];
  if (own?.opening) list.push({ name: 'cards', ok: sameCards(own, deals.dealOf(result.code)), count: countOf(own) });
  else if (seated) list.push({ name: 'cards', ok: null });
  return list;
}

/**
 * Another seal than the one that was seen is a fault at any time; the same one proves something only if it came before the gun.
 * @param {HeatResult} result
 * @param {Seen | null} own
 */
function sealedBefore(result, own) {
  if (own !== null && own.seal !== result.commitment) return false;
  return own?.before ? true : null;
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
