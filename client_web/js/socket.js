/**
 * The line to the server: one WebSocket at a time, kept alive and opened again.
 *
 * Lives here: Hello, running numbers and their promises, pings, the watch for silence, coming back
 * after a loss. Does not live here: what is sent after Welcome (`sync.js`), what events mean
 * (`store.js`), the rules of waiting (`policy.js`), real time and randomness (passed in).
 *
 * Every event goes to `onEvent` first, then the promise that waits for it is settled, so that who
 * awaits an answer finds the store already changed.
 */

import { ServerClock } from './clock.js';
import { encode, decode } from './msgpack.js';
import { comesBack, liveness, OPEN_MS, PING_EVERY_MS, retryDelay, verdictOf } from './policy.js';
import { cmd, decodeEvent, PROTOCOL_VERSION } from './wire.gen.js';

/** @import { Verdict } from './policy.js' */
/** @import { WireArray, WireEvent } from './wire.gen.js' */

/**
 * @typedef {object} SocketLike the part of WebSocket that is used
 * @property {number} readyState
 * @property {string} binaryType
 * @property {(data: Uint8Array<ArrayBuffer>) => void} send
 * @property {(code?: number, reason?: string) => void} close
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 */

/**
 * `connecting`: the first try or one under way; `open`: welcomed; `waiting`: lost, next try at
 * `retryAtMs`; `stopped`: no try without the user's doing, `verdict` says why.
 * @typedef {object} Status
 * @property {'connecting' | 'open' | 'waiting' | 'stopped'} phase
 * @property {Verdict | null} verdict of the last loss
 * @property {number} retryAtMs local time of the next try, 0 when none is planned
 * @property {number} attempt tries since the last welcome
 */

/**
 * @typedef {object} Surroundings what the line needs from outside
 * @property {() => SocketLike} open makes a WebSocket to the server
 * @property {() => number} now local milliseconds that never go back
 * @property {() => number} random uniform in [0, 1)
 * @property {(run: () => void, ms: number) => unknown} later
 * @property {(timer: any) => void} cancel
 * @property {() => {token: string, name: string, lang: string}} hello who we are; asked at every try
 * @property {(event: WireEvent) => void} onEvent
 * @property {(status: Status) => void} onStatus
 * @property {() => void} onIdentityLost the token is worthless: forget it
 */

/** Why a command got no answer: `code` is a refusal of the server, or `lost` or `offline`. */
export class Refusal extends Error {
  /** @param {string} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Commands given while the line is down wait this long for it. */
const PATIENCE_MS = 10_000;
/** How often the keeper looks at the line. */
const LOOK_MS = 1000;
const OPEN = 1;

/**
 * @typedef {object} Waiting
 * @property {(event: WireEvent) => void} resolve
 * @property {(error: Refusal) => void} reject
 */

export class Connection {
  /** @param {Surroundings} around */
  constructor(around) {
    this.around = around;
    this.clock = new ServerClock();
    /** @type {SocketLike | null} */
    this.socket = null;
    /** @type {Status} */
    this.status = { phase: 'connecting', verdict: null, retryAtMs: 0, attempt: 0 };
    this.lastNumber = 0;
    this.helloNumber = 0;
    this.helloAtMs = 0;
    this.hadToken = false;
    /** @type {number | null} */
    this.retryMs = null;
    /** @type {Map<number, Waiting>} answers that are due on this socket */
    this.due = new Map();
    /** @type {Set<{start: () => void, timer: unknown, reject: (error: Refusal) => void}>} */
    this.queue = new Set();
    this.line = { heardMs: 0, pingedMs: 0, answered: true };
    /** @type {unknown} */
    this.lookTimer = null;
    /** @type {unknown} */
    this.retryTimer = null;
  }

  /** Open the line. Also the way back after `stopped`: "take back here". */
  start() {
    this.drop();
    this.set({ phase: 'connecting', retryAtMs: 0 });
    const socket = this.around.open();
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    this.line = { heardMs: this.around.now(), pingedMs: this.around.now(), answered: true };
    socket.onopen = () => this.greet();
    socket.onmessage = (message) => this.hear(message.data);
    socket.onclose = (event) => this.lose(verdictOf(event.code, this.hadToken));
    this.look();
  }

  /** Try at once instead of waiting: the network came back, or the user asks. */
  hurry() {
    if (this.status.phase === 'waiting') this.start();
  }

  /** The device says that it has no network: the line is given up at once, and tried again. */
  offline() {
    if (this.status.phase === 'open' || this.status.phase === 'connecting') this.lose('retry');
  }

  /** Look at the line now: the page was hidden or the machine asleep. */
  wake() {
    if (this.status.phase === 'waiting') this.hurry();
    else if (this.status.phase === 'open') this.ping();
  }

  /**
   * Ask for a sign of life, at most once a second.
   * @returns {number} for how many milliseconds nothing has been heard; a line that lives answers within one
   */
  quietMs() {
    const now = this.around.now();
    if (this.status.phase === 'open' && now - this.line.pingedMs >= LOOK_MS) this.ping();
    return now - this.line.heardMs;
  }

  /** The server's time now, in milliseconds; local time before the first answer. */
  serverNow() {
    return this.clock.at(this.around.now());
  }

  /**
   * Send a command that bears a running number. Waits for the line when it is down.
   * @param {(n: number) => WireArray} make
   * @returns {Promise<WireEvent>} its one answer
   * @throws {Refusal} refused, `lost` with the line (its outcome is unknown), or `offline` (never sent)
   */
  request(make) {
    return new Promise((resolve, reject) => {
      const start = () => {
        const n = this.nextNumber();
        this.due.set(n, { resolve, reject });
        this.send(make(n));
      };
      if (this.status.phase === 'open') start();
      else if (this.status.phase === 'stopped') reject(new Refusal('offline'));
      else this.enqueue(start, reject);
    });
  }

  /**
   * Send a frame that is answered in another way (Play). Nothing is kept when the line is down.
   * @param {WireArray} frame
   * @returns {boolean} whether it went out
   */
  post(frame) {
    return this.status.phase === 'open' && this.send(frame);
  }

  /** @param {() => void} start @param {(error: Refusal) => void} reject */
  enqueue(start, reject) {
    const entry = { start, reject, timer: /** @type {unknown} */ (null) };
    entry.timer = this.around.later(() => {
      this.queue.delete(entry);
      reject(new Refusal('offline'));
    }, PATIENCE_MS);
    this.queue.add(entry);
  }

  nextNumber() {
    this.lastNumber = (this.lastNumber % 0x7fff_ffff) + 1;
    return this.lastNumber;
  }

  /** @param {WireArray} frame @returns {boolean} */
  send(frame) {
    if (!this.socket || this.socket.readyState !== OPEN) return false;
    this.socket.send(encode(frame));
    return true;
  }

  greet() {
    const { token, name, lang } = this.around.hello();
    this.hadToken = token !== '';
    this.helloNumber = this.nextNumber();
    this.helloAtMs = this.around.now();
    this.line.heardMs = this.helloAtMs;
    this.send(cmd.hello(this.helloNumber, PROTOCOL_VERSION, token, name, lang));
  }

  ping() {
    const now = this.around.now();
    // Sent a moment ago and not yet answered: another would say nothing more
    if (!this.line.answered && now - this.line.pingedMs < LOOK_MS) return;
    if (this.send(cmd.ping(Math.max(0, Math.round(now))))) {
      this.line.pingedMs = now;
      this.line.answered = false;
    }
  }

  /** Once a second: ping when it is time, give the line up when it is dead. */
  look() {
    this.around.cancel(this.lookTimer);
    const now = this.around.now();
    if (this.status.phase === 'connecting') {
      if (now - this.line.heardMs >= OPEN_MS) return this.lose('retry');
    } else {
      const what = liveness(this.line, now);
      if (what === 'dead') return this.lose('retry');
      if (what === 'ping') this.ping();
    }
    this.lookTimer = this.around.later(() => this.look(), LOOK_MS);
  }

  /** @param {unknown} data */
  hear(data) {
    this.line.heardMs = this.around.now();
    this.line.answered = true;
    if (!(data instanceof ArrayBuffer)) return this.lose('broken');
    /** @type {WireEvent | null} */
    let event;
    try {
      event = decodeEvent(decode(new Uint8Array(data)));
    } catch (error) {
      console.error(error);
      return this.lose('broken');
    }
    if (event) this.take(event);
  }

  /** @param {WireEvent} event */
  take(event) {
    if (event.type === 'Pong') this.clock.sample(event.sent_ms, this.around.now(), event.server_ms);
    if (event.type === 'Goodbye') this.retryMs = event.retry_ms;
    const welcome = event.type === 'Welcome' && event.n === this.helloNumber;
    if (welcome) this.clock.sample(this.helloAtMs, this.around.now(), event.server_ms);
    this.around.onEvent(event);
    if (welcome) this.welcomed();
    this.settle(event);
  }

  /** @param {WireEvent} event */
  settle(event) {
    if (!('n' in event)) return;
    const waiting = this.due.get(event.n);
    if (!waiting) return;
    this.due.delete(event.n);
    if (event.type === 'Refused') waiting.reject(new Refusal(event.code));
    else waiting.resolve(event);
  }

  welcomed() {
    this.retryMs = null;
    this.set({ phase: 'open', verdict: null, attempt: 0, retryAtMs: 0 });
    const queue = [...this.queue];
    this.queue.clear();
    for (const entry of queue) {
      this.around.cancel(entry.timer);
      entry.start();
    }
    // A few probes soon: the first one of a fresh line is often slow
    for (const ms of [50, PING_EVERY_MS / 8, PING_EVERY_MS / 3]) this.around.later(() => this.ping(), ms);
  }

  /**
   * The line is gone or given up.
   * @param {Verdict} verdict
   */
  lose(verdict) {
    this.drop();
    this.clock.restart();
    if (verdict === 'identity') this.around.onIdentityLost();
    if (!comesBack(verdict)) {
      this.set({ phase: 'stopped', verdict, retryAtMs: 0 });
      for (const entry of this.queue) {
        this.around.cancel(entry.timer);
        entry.reject(new Refusal('offline'));
      }
      this.queue.clear();
      return;
    }
    const { attempt } = this.status;
    const delay = verdict === 'identity' ? 0 : retryDelay(verdict, attempt, this.retryMs, this.around.random);
    this.set({ phase: 'waiting', verdict, attempt: attempt + 1, retryAtMs: this.around.now() + delay });
    this.retryTimer = this.around.later(() => this.start(), delay);
  }

  /** Let go of the socket and of the answers that will never come. */
  drop() {
    this.around.cancel(this.lookTimer);
    this.around.cancel(this.retryTimer);
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    const due = [...this.due.values()];
    this.due.clear();
    for (const waiting of due) waiting.reject(new Refusal('lost'));
  }

  /** @param {Partial<Status>} change */
  set(change) {
    this.status = { ...this.status, ...change };
    this.around.onStatus(this.status);
  }
}
