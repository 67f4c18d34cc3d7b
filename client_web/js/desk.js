/**
 * What the addresses of games alone lead to.
 *
 * Lives here: the way from an address to a game on the table, with the question before a saved game is
 * replaced. Does not live here: asking the server (`solo.js`), what the pages look like (`views/`).
 */

import { DealCodeError, isCertifiable, parseDealCode } from './deal.js';
import { savedGame } from './store.js';

/** @import { App } from './app.js' */
/** @import { DealCode } from './deal.js' */
/** @import { Route } from './router.js' */
/** @import { Solo } from './solo.js' */
/** @import { SoloRow } from './wire.gen.js' */

/** Pages that show one's saved games, and those that only need to know of them. */
const SHOWING = Object.freeze(['home', 'solo']);
const NEEDING = Object.freeze(['play', 'deal']);

/**
 * What the address of a deal leads to: `bad`, it is no code; `ask`, a saved game would be replaced; `go`, nothing is in
 * the way; `wait`, it is not known yet.
 * @typedef {{state: 'bad', error: DealCodeError} | {state: 'ask', deal: DealCode, saved: SoloRow}
 *   | {state: 'go', deal: DealCode, resume: boolean} | {state: 'wait'}} Arrival
 */

export class Desk {
  /**
   * @param {App} app
   * @param {Solo} solo
   * @param {(route: Route, how?: {replace?: boolean}) => void} go
   */
  constructor(app, solo, go) {
    this.app = app;
    this.solo = solo;
    this.go = go;
    /** The saved games were asked for on this page and connection. */
    this.asked = false;
  }

  /** Another page or another connection: what failed may be asked for again. */
  turn() {
    this.asked = false;
  }

  /** Do what follows from where one is; called whenever something has changed. */
  settle() {
    const { route, state } = this.app;
    if (route.page !== 'play') this.solo.leave();
    if (state.status.phase !== 'open') return this.turn();
    if (SHOWING.includes(route.page) || (state.saved === null && NEEDING.includes(route.page))) this.ask();
    if (state.saved === null) return;
    if (route.page === 'play') this.sitDown(route.ruleset);
    if (route.page === 'deal') this.arrive(route.code);
  }

  /** Once a page: somebody may have played on another device. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    void this.solo.list();
  }

  /** The saved game of a ruleset, also one that has ended, so that its end can be seen again. @param {string} ruleset */
  sitDown(ruleset) {
    if (this.solo.want?.ruleset === ruleset) return;
    const row = this.app.state.saved?.find((one) => one.ruleset === ruleset);
    void this.solo.open(ruleset, { code: row?.code ?? '' });
  }

  /** @param {string} code as it stands in the address */
  arrive(code) {
    const arrival = this.arrival(code);
    if (arrival.state === 'go') this.deal(arrival.deal, arrival.resume);
  }

  /** @param {string} code @returns {Arrival} */
  arrival(code) {
    /** @type {DealCode} */
    let deal;
    try {
      deal = parseDealCode(decoded(code));
    } catch (error) {
      if (error instanceof DealCodeError) return { state: 'bad', error };
      throw error;
    }
    if (this.app.state.saved === null) return { state: 'wait' };
    const saved = savedGame(this.app.state, deal.ruleset);
    if (saved?.code === deal.text) return { state: 'go', deal, resume: true };
    // A game without a move is missed by nobody
    return saved?.moves ? { state: 'ask', deal, saved } : { state: 'go', deal, resume: false };
  }

  /**
   * Put a deal on the table in place of the saved game of its ruleset, or go on with it.
   * @param {DealCode} deal
   * @param {boolean} [resume]
   */
  deal({ ruleset, text }, resume = false) {
    void this.solo.open(ruleset, { code: text, fresh: !resume });
    this.go({ page: 'play', ruleset }, { replace: this.app.route.page === 'deal' });
  }

  /** Deal anew. @param {string} ruleset @param {boolean} certified a deal that can be won, where there are such */
  dealAny(ruleset, certified) {
    void this.solo.open(ruleset, { fresh: true, certified: certified && isCertifiable(ruleset) });
    this.go({ page: 'play', ruleset });
  }

  /** The cards of the game on the table once more. */
  dealAgain() {
    const { alone } = this.app.state;
    if (alone) void this.solo.open(alone.ruleset, { code: alone.code, fresh: true });
  }

  /** @param {string} code why a wanted game cannot be had */
  refused(code) {
    this.app.act.refused(code);
    this.go({ page: 'solo' }, { replace: true });
  }
}

/** @param {string} part of an address */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
