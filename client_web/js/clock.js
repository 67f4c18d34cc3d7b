/**
 * The server's time as this device can know it.
 *
 * Lives here: estimating the offset from pings and moving towards it without a visible jump. Does
 * not live here: reading any clock; the caller passes local times (monotonic, milliseconds).
 */

/** How many recent pings are weighed; the one with the shortest round trip is believed. */
const KEPT = 8;
/** The shown time runs at most this much faster or slower than the local one. */
const SLEW = 0.1;
/** Further off than this, slewing would take too long: the time is set. */
const STEP_MS = 1000;

/** @typedef {{offset: number, rtt: number}} Sample */

export class ServerClock {
  constructor() {
    /** @type {Sample[]} */
    this.samples = [];
    /** @type {number | null} */
    this.offset = null;
    this.offsetAtMs = 0;
  }

  /** Whether any sample has come in; before that `at` is of no use. */
  get known() {
    return this.offset !== null;
  }

  /** Round trip of the sample that is believed, in milliseconds; 0 before the first. */
  get rttMs() {
    return this.best?.rtt ?? 0;
  }

  /** @returns {Sample | undefined} the sample with the shortest round trip */
  get best() {
    return this.samples.reduce(
      (/** @type {Sample | undefined} */ best, one) => (best && best.rtt <= one.rtt ? best : one), undefined);
  }

  /**
   * One probe: sent and received on the local clock, the server's reading in between.
   * @param {number} sentMs
   * @param {number} receivedMs
   * @param {number} serverMs
   */
  sample(sentMs, receivedMs, serverMs) {
    const rtt = Math.max(0, receivedMs - sentMs);
    this.samples = [...this.samples, { rtt, offset: serverMs - (sentMs + rtt / 2) }].slice(-KEPT);
    const target = this.best?.offset ?? 0;
    if (this.offset === null || Math.abs(target - this.offset) > STEP_MS) {
      this.offset = target;
      this.offsetAtMs = receivedMs;
    }
  }

  /** Forget the samples (another server, a machine that slept); the shown time goes on. */
  restart() {
    this.samples = [];
  }

  /**
   * The server's time at a local time. Call with local times that do not go back.
   * @param {number} localMs
   * @returns {number} milliseconds of the server's clock; the local time itself before the first sample
   */
  at(localMs) {
    if (this.offset === null) return localMs;
    const target = this.best?.offset ?? this.offset;
    const room = Math.max(0, localMs - this.offsetAtMs) * SLEW;
    this.offset += Math.max(-room, Math.min(room, target - this.offset));
    this.offsetAtMs = Math.max(this.offsetAtMs, localMs);
    return localMs + this.offset;
  }
}
