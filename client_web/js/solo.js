/**
 * Having one's game alone on the table.
 *
 * Lives here: which game is wanted, asking the server for it, also again after the line was lost. Does
 * not live here: the line (`socket.js`), moves (`sync.js` carries them, the table makes them), pages.
 */

import { Refusal } from './socket.js';
import { cmd } from './wire.gen.js';

/** @import { Connection } from './socket.js' */
/** @import { State } from './store.js' */
/** @import { LocalEvent } from './store.js' */
/** @import { Session } from './sync.js' */
/** @import { SoloGame, WireEvent } from './wire.gen.js' */

/** A deal that is known to be winnable is asked for again after this, as long as none is found. */
const LOOK_MS = 1000;

/**
 * `code`: with `fresh` the deal to play, without it the game one is in; empty: none. `certified`: a deal that can be won.
 * @typedef {{ruleset: string, code: string, fresh: boolean, certified: boolean}} Want
 */
/**
 * @typedef {object} Parts
 * @property {Connection} line
 * @property {Session} session
 * @property {() => State} state
 * @property {(event: LocalEvent) => void} dispatch
 * @property {(code: string) => void} onRefused the wanted game cannot be had
 * @property {(run: () => void, ms: number) => unknown} later
 */

export class Solo {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {Want | null} */
    this.want = null;
    /** The want that was asked for last. @type {Want | null} */
    this.asked = null;
    /** What is wanted has to be asked for (again). */
    this.due = false;
    this.asking = false;
    /** @type {SoloGame | null} the game as it last came */
    this.game = null;
    /** Something was played since it came. */
    this.stale = false;
    /** @type {((game: SoloGame, anew: boolean) => void) | null} who shows it */
    this.table = null;
  }

  /**
   * Put a game on the table: the saved one of a ruleset, or a new one.
   * @param {string} ruleset
   * @param {{code?: string, fresh?: boolean, certified?: boolean}} [how]
   */
  open(ruleset, { code = '', fresh = false, certified = false } = {}) {
    const { want } = this;
    // Pressed twice: these cards are on their way
    if (fresh && want?.fresh && want.ruleset === ruleset && want.code === code && want.certified === certified) return this.ask();
    this.want = { ruleset, code, fresh, certified };
    this.parts.session.playAlone(true);
    return this.again();
  }

  /** Whether a deal that can be won is being looked for, which may take some seconds. */
  get looking() {
    return this.want?.certified ?? false;
  }

  /** Ask for the game once more: the line is up again, or the boards differ. */
  again() {
    this.due = this.want !== null;
    return this.ask();
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    while (this.want && this.due && this.parts.state().status.phase === 'open') {
      this.due = false;
      this.asked = this.want;
      await this.once(this.want);
    }
    this.asking = false;
  }

  /** @param {Want} want */
  async once(want) {
    try {
      await this.parts.line.request((n) => cmd.openSolo(n, want.ruleset, want.code, want.fresh, want.certified));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // With the line gone the next Welcome asks again
      if (error.code === 'lost' || error.code === 'offline' || this.want !== want) return;
      if (error.code === 'no_deal') {
        this.parts.later(() => { if (this.want === want) void this.again(); }, LOOK_MS);
        return;
      }
      this.leave();
      this.parts.onRefused(error.code);
    }
  }

  /** @param {WireEvent} event after the state has taken it */
  onEvent(event) {
    if (event.type !== 'SoloGame' || !this.want || (event.n !== 0 && this.want !== this.asked)) return;
    const anew = this.want.fresh || this.game?.code !== event.code;
    this.want = { ruleset: event.ruleset, code: event.code, fresh: false, certified: false };
    this.asked = this.want;
    this.game = event;
    this.stale = false;
    this.table?.(event, anew);
  }

  /** Nothing is played alone any more; the server has what was played. */
  leave() {
    if (!this.want) return;
    this.want = null;
    this.game = null;
    this.parts.dispatch({ type: '@left-alone' });
    this.parts.session.playAlone(false);
  }

  /** The saved games, quietly: what fails now is asked again with the next page. */
  async list() {
    try {
      await this.parts.line.request((n) => cmd.listSolo(n));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
