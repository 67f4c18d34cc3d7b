/**
 * Having a daily deal on the table: the ranked attempt, or practice after it.
 *
 * Lives here: which deal is wanted, asking the server for it, also again after the line was lost, and
 * the result when it has come. Does not live here: the line (`socket.js`), moves (`sync.js`), pages.
 */

import { Refusal } from './socket.js';
import { cmd } from './wire.gen.js';

/** @import { Connection } from './socket.js' */
/** @import { State } from './store.js' */
/** @import { Session } from './sync.js' */
/** @import { DailyGame, DailyResult, WireEvent } from './wire.gen.js' */

/** @typedef {{date: string, ruleset: string, practice: boolean, fresh: boolean}} Want */
/**
 * @typedef {object} Parts
 * @property {Connection} line
 * @property {Session} session
 * @property {() => State} state
 * @property {() => void} changed
 * @property {(want: Want) => void} onBegun the cards are there
 * @property {(result: DailyResult) => void} onResult
 * @property {(code: string, want: Want) => void} onRefused the wanted deal cannot be had
 */

export class DailyPlay {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {Want | null} */
    this.want = null;
    /** What is wanted has to be asked for (again). */
    this.due = false;
    this.asking = false;
    /** @type {DailyGame | null} the deal as it last came */
    this.game = null;
    /** @type {DailyResult | null} of the ranked attempt on the table */
    this.result = null;
    /** Something was played since it came. */
    this.stale = false;
    /** Time played when the board ended, −1 before that. */
    this.endedMs = -1;
    /** @type {((game: DailyGame, anew: boolean) => void) | null} who shows it */
    this.table = null;
  }

  /** Whether this is the deal that is wanted now. @param {Omit<Want, 'fresh'>} which */
  has({ date, ruleset, practice }) {
    return this.want?.date === date && this.want.ruleset === ruleset && this.want.practice === practice;
  }

  /** Put a deal on the table. @param {Want} want @returns {Promise<void>} */
  open(want) {
    this.want = want;
    this.game = null;
    this.result = null;
    this.endedMs = -1;
    this.parts.session.playAlone(true);
    return this.again();
  }

  /** Practise the same cards from the start; pressed twice, once. */
  dealAgain() {
    return this.want?.practice && !this.want.fresh ? this.open({ ...this.want, fresh: true }) : undefined;
  }

  /** Ask for the deal once more: the line is up again, or the boards differ. */
  again() {
    this.due = this.want !== null;
    return this.ask();
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    while (this.want && this.due && this.parts.state().status.phase === 'open') {
      this.due = false;
      await this.once(this.want);
    }
    this.asking = false;
  }

  /** @param {Want} want */
  async once(want) {
    try {
      await this.parts.line.request((n) => cmd.openDaily(n, want.ruleset, want.date, want.practice, want.fresh));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // With the line gone the next Welcome asks again
      if (error.code === 'lost' || error.code === 'offline' || this.want !== want) return;
      this.leave();
      this.parts.onRefused(error.code, want);
    }
  }

  /** @param {WireEvent} event after the state has taken it */
  onEvent(event) {
    if (!this.want) return;
    if (event.type === 'DailyGame' && this.has(event)) this.dealt(event);
    if (event.type === 'DailyResult' && this.has({ ...event, practice: false })) this.ended(event);
  }

  /** @param {DailyGame} event */
  dealt(event) {
    const anew = this.game === null;
    if (this.want) this.want = { ...this.want, fresh: false };
    this.game = event;
    this.stale = false;
    this.endedMs = event.view.ended ? event.elapsed_ms : -1;
    if (this.want) this.parts.onBegun(this.want);
    this.table?.(event, anew);
    this.parts.changed();
  }

  /** @param {DailyResult} event */
  ended(event) {
    this.result = event;
    this.endedMs = event.elapsed_ms;
    this.parts.onResult(event);
    this.parts.changed();
  }

  /** The board on the table has ended. @param {number} nowMs the server's time */
  over(nowMs) {
    if (this.game && this.endedMs < 0) this.endedMs = Math.max(0, nowMs - this.game.gun_ms);
  }

  /** It is not on the table any more; the clock of an attempt runs on. */
  leave() {
    if (!this.want) return;
    this.want = null;
    this.game = null;
    this.result = null;
    this.parts.session.playAlone(false);
  }
}
