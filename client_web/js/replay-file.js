/**
 * What GET /api/heat and the file of `kupa export` hold, checked.
 *
 * Lives here: from JSON to a heat that can be played again, or why not. Pure. Does not live here: playing
 * it (`replay.js`), fetching it (`replay-desk.js`).
 */

import { dealOf, verify } from './deal.js';
import { rulesetOf } from './rules.js';

/** The newest rules that are known here. */
export const RULES = 1;
const FORMAT = 'kupa-replay';

/** Why something is no replay that can be shown. @typedef {'bad' | 'newer' | 'part'} ReplayFault */

export class ReplayError extends Error {
  /** @param {ReplayFault} fault */
  constructor(fault) {
    super(`no replay: ${fault}`);
    this.name = 'ReplayError';
    this.fault = fault;
  }
}

/** @typedef {readonly [number, number, number, number, number]} Entry kind, source, target, count, ms since the gun */
/**
 * @typedef {object} Board
 * @property {string} key
 * @property {string} name empty for a bot and for the solution
 * @property {string} player public id; empty for bots
 * @property {number} bot level, 0 for a person
 * @property {number} place 0 for the solution
 * @property {string} ended
 * @property {number} out
 * @property {number} score
 * @property {number} moves
 * @property {readonly Entry[]} entries
 */
/**
 * @typedef {object} Heat
 * @property {string} id of the heat, or of the attempt
 * @property {string} ruleset
 * @property {string} goal
 * @property {string} code
 * @property {boolean} open the deal was known before
 * @property {boolean | null} bound the deal is the one that the commitment binds; null: there was none
 * @property {boolean} rated
 * @property {number} lengthMs from the gun to the deadline
 * @property {readonly Board[]} boards in order of places
 * @property {readonly string[]} solution moves as text; empty: none is known
 * @property {string} difficulty of a certified deal; empty: not certified
 * @property {number} pages
 */

/**
 * @param {any} told what GET /api/heat answers, or the content of a file
 * @returns {Heat}
 * @throws {ReplayError}
 */
export function readHeat(told) {
  if (told?.format !== FORMAT || !Array.isArray(told.boards)) throw new ReplayError('bad');
  if (!(told.version <= 1 && told.rules <= RULES)) throw new ReplayError('newer');
  const sealed = { heat: text(told.heat), code: text(told.code), nonce: text(told.nonce), commitment: text(told.commitment) };
  return guarded({
    id: sealed.heat, ruleset: text(told.ruleset), goal: text(told.goal), code: sealed.code, open: told.open === true,
    bound: told.open === true ? null : verify(sealed), rated: told.rated === true, lengthMs: whole(told.length_ms),
    boards: told.boards.map(readBoard), solution: list(told.solution).map(text), pages: whole(told.pages ?? 1),
    difficulty: level(told.difficulty),
  });
}

/**
 * @param {any} told what GET /api/daily/<date>/<ruleset>/<player> answers, once the day is final
 * @param {any} deal what GET /api/daily/<date>/<ruleset> answers then
 * @returns {Heat}
 * @throws {ReplayError}
 */
export function readAttempt(told, deal) {
  if (typeof told?.code !== 'string' || !Array.isArray(told.entries)) throw new ReplayError('bad');
  if (!((told.rules ?? 1) <= RULES)) throw new ReplayError('newer');
  return guarded({
    id: text(told.game), ruleset: text(told.ruleset), goal: 'first', code: told.code, open: false, rated: false,
    bound: verify({ heat: text(deal?.id), code: told.code, nonce: text(deal.nonce), commitment: text(deal.commitment) }),
    lengthMs: whole(told.deadline_ms), boards: [readBoard({ ...told, seat: 0, bot: 0, place: 0 })], solution: list(deal.solution ?? []).map(text), pages: 1,
    difficulty: level(deal.difficulty),
  });
}

/** Heats that are one, in pages. @param {readonly Heat[]} pages @returns {Heat} */
export function joined(pages) {
  const [first] = pages;
  if (!first) throw new ReplayError('bad');
  return { ...first, boards: pages.flatMap(({ boards }) => boards) };
}

/** @param {Heat} heat @returns {Heat} one whose deal and ruleset are known here */
function guarded(heat) {
  try {
    rulesetOf(heat.ruleset);
    dealOf(heat.code);
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && error.name === 'DealCodeError')) throw new ReplayError('bad');
    throw error;
  }
  return heat;
}

/** @param {any} told @returns {Board} */
function readBoard(told) {
  return {
    key: String(whole(told?.seat)), name: text(told.name), player: text(told.player), bot: whole(told.bot), place: whole(told.place), ended: text(told.ended),
    out: whole(told.out), score: number(told.score), moves: whole(told.moves), entries: list(told.entries).map(readEntry),
  };
}

/** @param {any} told @returns {Entry} */
function readEntry(told) {
  const [kind, source, target, count, ms] = list(told).map(whole);
  if (kind === undefined || source === undefined || target === undefined || count === undefined || ms === undefined) throw new ReplayError('bad');
  return [kind, source, target, count, ms];
}

/** How hard a deal is; empty where nothing is said, or nothing that is known here. @param {any} value @returns {string} */
function level(value) {
  return ['easy', 'medium', 'hard'].includes(value) ? value : '';
}

/** @param {any} value @returns {string} */
function text(value) {
  if (typeof value !== 'string') throw new ReplayError('bad');
  return value;
}

/** @param {any} value @returns {number} */
function number(value) {
  if (!Number.isSafeInteger(value)) throw new ReplayError('bad');
  return value;
}

/** @param {any} value @returns {number} */
function whole(value) {
  if (number(value) < 0) throw new ReplayError('bad');
  return value;
}

/** @param {any} value @returns {any[]} */
function list(value) {
  if (!Array.isArray(value)) throw new ReplayError('bad');
  return value;
}
