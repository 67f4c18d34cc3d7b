/**
 * Being in the right room, and getting one's board back.
 *
 * Lives here: what is sent after every Welcome, which room is entered, the way of board events
 * between the line and the table, and what was seen of the deal. Does not live here: the line
 * (`socket.js`), the state (`store.js`), the board's moves and their resending (the table).
 */

import * as fairness from './fairness.js';
import { Refusal } from './socket.js';
import { waitsForMatch } from './store.js';
import { cmd } from './wire.gen.js';

/** @import { Connection, Status } from './socket.js' */
/** @import { LocalEvent, State } from './store.js' */
/** @import { Keep } from './storage.js' */
/** @import { BoardView, Dealt, Denied, Moved, Restored, WireArray, WireEvent } from './wire.gen.js' */
/** @import { Seen } from './fairness.js' */

/** @typedef {{kind: number, source: number, target: number, count: number}} Move */
/**
 * @typedef {object} BoardLike the table, as far as the wire is concerned
 * @property {(view: BoardView) => void} dealt
 * @property {(event: Moved) => void} moved
 * @property {(event: Denied) => void} denied
 * @property {(event: Restored) => void} restored
 */

const TOKEN = 'kupa:token';
/** What was seen of the latest deal: another window, or this one after a reload, proves as much with it. */
const SEEN = 'kupa:seen';

/**
 * @typedef {object} Parts
 * @property {Connection} line
 * @property {Keep} keep
 * @property {() => State} state
 * @property {(event: WireEvent | LocalEvent) => void} dispatch
 * @property {() => string} lang
 * @property {() => number} now the server's time, in milliseconds
 * @property {(code: string, refusal: string) => void} onNoEntry a wanted room could not be entered
 * @property {(code: string) => void} onLed we are in another room than that of the address now, without a press
 */

export class Session {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** Code of the room the address names; empty for none. */
    this.wanted = '';
    /** Code that is being entered. */
    this.entering = '';
    /** The wanted room was refused: it is not asked for again until it is wanted anew. */
    this.refused = '';
    /** Whether this connection has entered the room of the state. */
    this.inside = false;
    /** A game alone has the line: rooms wait, and boards that come are not of a race. */
    this.alone = false;
    /** @type {BoardLike | null} */
    this.board = null;
    /** @type {Dealt | null} the last board that came, while nothing has happened on it since */
    this.fresh = null;
    /** @type {Map<number, number>} kinds of the moves that are out, by ply */
    this.kinds = new Map();
    /** @type {Seen | null} */
    this.seen = null;
  }

  /** Who we are, for Hello. */
  hello() {
    return { token: this.parts.keep.get(TOKEN) ?? '', name: '', lang: this.parts.lang() };
  }

  /** The token is worthless: the next Hello makes a new player, who is in no room. */
  forgetIdentity() {
    this.parts.keep.remove(TOKEN);
    this.parts.dispatch({ type: '@out', left: '' });
  }

  /** @param {Status} status */
  onStatus(status) {
    if (status.phase !== 'open') {
      this.inside = false;
      this.entering = '';
    }
    this.parts.dispatch({ type: '@status', status });
    if (status.phase === 'open') this.reconcile();
  }

  /** @param {WireEvent} event */
  onEvent(event) {
    if (event.type === 'Welcome' && event.token) this.parts.keep.set(TOKEN, event.token);
    if (event.type === 'LeftRoom') this.leave();
    this.watch(event);
    this.parts.dispatch(event);
    this.toBoard(event);
    if (event.type === 'SeatFreed') void this.matchAgain();
  }

  /** We are in no room any more; the address may still name it, but it is not entered again by itself. */
  leave() {
    this.refused = this.parts.state().room?.code ?? this.refused;
    this.inside = false;
    this.fresh = null;
  }

  /**
   * The address names this room (or none).
   * @param {string} code
   */
  want(code) {
    if (code !== this.wanted) this.refused = '';
    this.wanted = code;
    this.reconcile();
  }

  /** The user asks for the wanted room again. */
  retry() {
    this.refused = '';
    this.reconcile();
  }

  /** A command brought us into a room: CreateRoom and QuickMatch enter by themselves. */
  arrived() {
    this.inside = true;
    this.refused = '';
  }

  /** Enter what has to be entered, if anything and if the line is up. */
  reconcile() {
    const { room, status } = this.parts.state();
    if (status.phase !== 'open' || this.entering || this.alone) return;
    if (room && !this.inside) void this.enter(room.code, room.seat < 0);
    else if (this.wanted && room?.code !== this.wanted && this.refused !== this.wanted) void this.enter(this.wanted, false);
  }

  /** @param {string} code @param {boolean} watch */
  async enter(code, watch) {
    this.entering = code;
    this.parts.dispatch({ type: '@snapshot' });
    try {
      await this.parts.line.request((n) => cmd.enterRoom(n, code, watch));
      this.inside = true;
      void this.matchAgain();
    } catch (error) {
      this.failed(code, error);
    }
    if (this.entering === code) this.entering = '';
    this.reconcile();
  }

  /** Whoever is alone (again) in a quick match looks again: somebody may have begun to wait elsewhere meanwhile. */
  async matchAgain() {
    const { room } = this.parts.state();
    if (!room || !this.inside || !waitsForMatch(room)) return;
    // Whoever looks at another page meanwhile stays there
    const looking = this.wanted === room.code;
    try {
      const answer = await this.parts.line.request((n) => cmd.quickMatch(n, room.info.options.ruleset));
      if (answer?.type !== 'Entered' || answer.code === room.code) return;
      this.arrived();
      if (looking) this.parts.onLed(answer.code);
    } catch (error) {
      // Refused: one waits on where one is
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** @param {string} code @param {unknown} error */
  failed(code, error) {
    if (!(error instanceof Refusal)) throw error;
    // With the line gone the next Welcome asks again
    if (error.code === 'lost' || error.code === 'offline') return;
    this.refused = code;
    if (this.parts.state().room?.code === code) this.parts.dispatch({ type: '@out', left: 'closed' });
    else this.parts.dispatch({ type: '@snapshot-done' });
    this.parts.onNoEntry(code, error.code);
  }

  /** Play alone from now on, or not any more: the server keeps one's place in a running race. @param {boolean} alone */
  playAlone(alone) {
    this.alone = alone;
    if (alone) {
      this.inside = false;
      this.fresh = null;
    } else this.reconcile();
  }

  /** Ask for everything about the room again. */
  async resync() {
    this.parts.dispatch({ type: '@snapshot' });
    try {
      await this.parts.line.request((n) => cmd.resync(n));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    this.parts.dispatch({ type: '@snapshot-done' });
  }

  /**
   * The table is there: it gets the board that has come, or asks for it.
   * @param {BoardLike} board
   * @param {string} heat
   * @param {boolean} running the gun has been
   */
  attach(board, heat, running) {
    this.board = board;
    if (this.fresh?.heat === heat) board.dealt(this.fresh.view);
    else if (running && this.inside) void this.resync();
  }

  detach() {
    this.board = null;
    this.kinds.clear();
  }

  /**
   * Play a move; what does not go out now is sent again by the table after the next Dealt.
   * @param {number} ply
   * @param {Move} move
   */
  play(ply, move) {
    this.fresh = null;
    this.kinds.set(ply, move.kind);
    this.parts.line.post(cmd.play(ply, move.kind, move.source, move.target, move.count));
  }

  /** @param {WireEvent} event */
  toBoard(event) {
    if (event.type === 'Dealt') {
      this.fresh = event;
      this.board?.dealt(event.view);
    } else if (event.type === 'Moved') this.board?.moved(event);
    else if (event.type === 'Denied') this.board?.denied(event);
    else if (event.type === 'Restored') this.board?.restored(event);
  }

  /** Remember what is shown of the deal. @param {WireEvent} event */
  watch(event) {
    if (event.type === 'HeatInfo') this.keepSeen(this.seenOf(event.heat) ?? fairness.begin(event.heat, event.commitment, this.parts.now() < event.gun_ms));
    if (!this.seen || this.alone) return;
    if (event.type === 'Dealt' && event.heat === this.seen.heat) this.keepSeen(fairness.dealt(this.seen, event.view));
    if (event.type === 'Restored') this.keepSeen(fairness.lostCount(this.seen));
    if (event.type === 'Moved') this.moved(this.seen, event);
  }

  /** @param {Seen} seen @param {Moved} event */
  moved(seen, event) {
    const kind = this.kinds.get(event.ply);
    this.kinds.delete(event.ply);
    this.keepSeen(fairness.moved(seen, event, kind));
  }

  /** What was seen of a heat, here or in another window. @param {string} heat @returns {Seen | null} */
  seenOf(heat) {
    return fairness.recall(this.parts.keep.get(SEEN), heat) ?? (this.seen?.heat === heat ? this.seen : null);
  }

  /** @param {Seen} seen */
  keepSeen(seen) {
    if (seen === this.seen) return;
    this.seen = seen;
    this.parts.keep.set(SEEN, JSON.stringify(seen));
  }
}
