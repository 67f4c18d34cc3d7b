/**
 * What the server tells whoever asks by GET, kept while it is fresh.
 *
 * Lives here: asking once, again when an answer is old, and what is known meanwhile. Does not live
 * here: which addresses there are (`daily.js`), what answers mean.
 */

/** `fault`: why there is no newer answer, empty when there is one. @typedef {{value: any, fault: string, ageMs: number}} Pulled */
/** @typedef {{value: any, fault: string, askedMs: number, atMs: number, under: boolean}} Kept */
/** @typedef {(path: string, maxAgeMs: number) => Pulled} PullAt */

/** A question without an answer is asked again after this. */
const AGAIN_MS = 4000;
/** So many answers are kept. */
const MOST = 48;

/** Nothing is known, and nothing is asked. @type {PullAt} */
export const NOTHING = () => ({ value: null, fault: '', ageMs: 0 });

export class Pull {
  /**
   * @param {(path: string) => Promise<Response>} get
   * @param {() => number} now milliseconds that never go back
   * @param {() => void} changed something new is known
   */
  constructor(get, now, changed) {
    this.get = get;
    this.now = now;
    this.changed = changed;
    /** @type {Map<string, Kept>} in order of their last use */
    this.kept = new Map();
  }

  /**
   * What is known now; it is asked for when that is nothing, or older than `maxAgeMs`.
   * @param {string} path
   * @param {number} maxAgeMs
   * @returns {Pulled}
   */
  at(path, maxAgeMs) {
    const one = this.kept.get(path) ?? { value: null, fault: '', askedMs: -Infinity, atMs: -Infinity, under: false };
    this.kept.delete(path);
    this.kept.set(path, one);
    const now = this.now();
    if (!one.under && now - one.atMs > maxAgeMs && now - one.askedMs > Math.min(maxAgeMs, AGAIN_MS)) void this.ask(path, one);
    if (this.kept.size > MOST) this.forgetOldest();
    return { value: one.value, fault: one.fault, ageMs: Math.max(0, now - one.atMs) };
  }

  /** What was told may have changed: ask again when it is next wanted; what is known stays until then. */
  stale() {
    for (const one of this.kept.values()) Object.assign(one, { atMs: -Infinity, askedMs: -Infinity });
  }

  forgetOldest() {
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  /** @param {string} path @param {Kept} one */
  async ask(path, one) {
    Object.assign(one, { under: true, askedMs: this.now() });
    const answer = await this.fetch(path);
    one.under = false;
    one.fault = answer.fault;
    if (answer.told) Object.assign(one, { value: answer.value, atMs: this.now() });
    this.changed();
  }

  /** @param {string} path @returns {Promise<{value: any, fault: string, told: boolean}>} `told`: it is an answer, if only that there is nothing */
  async fetch(path) {
    try {
      const response = await this.get(path);
      const value = await response.json();
      if (response.ok) return { value, fault: '', told: true };
      return { value: null, fault: String(value?.error ?? response.status), told: response.status < 500 };
    } catch (error) {
      // No line, or an answer of somebody else's: both pass
      if (error instanceof TypeError || error instanceof SyntaxError) return { value: null, fault: 'offline', told: false };
      throw error;
    }
  }
}
