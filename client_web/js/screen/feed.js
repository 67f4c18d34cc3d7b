/**
 * What a screen knows of its tournament, asked for again and again.
 *
 * Lives here: asking at most once a second, coming back after an outage, the server's time. Does not live
 * here: what is shown of it (`model.js`).
 */

import { below } from '../base.js';

/** @typedef {import('./model.js').Summary} Summary */
/** @typedef {import('./model.js').Live} Live */

/** Between the answer to one question and the next question. */
const EVERY_MS = 1000;
/** The whole is asked for again after this at the earliest: it is long. */
const WHOLE_MS = 2500;
/** After a question without an answer. */
const AGAIN_MS = 2000;
/** An answer that takes longer does not come. */
const PATIENCE_MS = 8000;
/** So many of the last answers tell the time; the quickest of them is believed. */
const SAMPLES = 12;

/**
 * @typedef {object} Outside
 * @property {(path: string, patience: number) => Promise<Response>} get rejects with TypeError or DOMException
 * @property {() => number} now milliseconds of this machine
 * @property {(run: () => void, ms: number) => void} later
 * @property {() => void} changed something new is known
 */

export class Feed {
  /** @param {string} code of the tournament @param {Outside} outside */
  constructor(code, outside) {
    this.code = code;
    this.outside = outside;
    /** @type {Summary | null} */
    this.whole = null;
    /** @type {Live | null} */
    this.live = null;
    /** @type {'' | 'offline' | 'unknown'} why nothing newer is known */
    this.fault = '';
    this.wholeAtMs = -Infinity;
    /** @type {{rtt: number, offset: number}[]} */
    this.samples = [];
  }

  /** The server's time, as well as it is known. */
  serverNow() {
    const best = this.samples.reduce((a, b) => (b.rtt < a.rtt ? b : a), { rtt: Infinity, offset: 0 });
    return this.outside.now() + best.offset;
  }

  /** Ask, and go on asking. */
  async run() {
    await this.round();
    this.outside.later(() => void this.run(), this.fault ? AGAIN_MS : EVERY_MS);
  }

  /** One question, and a second one when the first answer says that something has changed. */
  async round() {
    const asked = this.outside.now();
    const live = /** @type {Live | null} */ (await this.ask('.live'));
    if (live) {
      const rtt = this.outside.now() - asked;
      this.samples = [...this.samples.slice(1 - SAMPLES), { rtt, offset: live.now_ms - asked - rtt / 2 }];
      this.live = live;
      if (this.isOld(live)) await this.askWhole();
    }
    this.outside.changed();
  }

  /** @param {Live} live */
  isOld(live) {
    return !this.whole || (this.whole.info.version !== live.info.version && this.outside.now() - this.wholeAtMs >= WHOLE_MS);
  }

  async askWhole() {
    const whole = /** @type {Summary | null} */ (await this.ask(''));
    if (whole) Object.assign(this, { whole, wholeAtMs: this.outside.now() });
  }

  /** @param {string} kind @returns {Promise<unknown>} null when there is no answer; then `fault` says why */
  async ask(kind) {
    try {
      const response = await this.outside.get(below(`/api/tournament/${this.code}${kind}`), PATIENCE_MS);
      this.fault = response.ok ? '' : response.status === 404 ? 'unknown' : 'offline';
      return response.ok ? await response.json() : null;
    } catch (error) {
      // No line, too slow, or an answer of somebody else's: all pass
      if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException)) throw error;
      this.fault = 'offline';
      return null;
    }
  }
}
