/**
 * Parts of the client that the first page does without.
 *
 * Lives here: fetching one when it is first wanted, once, and again after a failure. Does not live
 * here: which parts there are (`main.js`).
 */

/** A fetch that failed is tried again after this. */
const AGAIN_MS = 3000;

/** @template T */
export class Later {
  /**
   * @param {() => Promise<T>} load
   * @param {() => void} changed it is there, or could not be had, or may be wanted again
   */
  constructor(load, changed) {
    this.load = load;
    this.changed = changed;
    /** @type {T | null} */
    this.value = null;
    this.asked = false;
    /** How often it could not be had. */
    this.failures = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** What was fetched, or null while it is on its way. @returns {T | null} */
  get() {
    if (!this.value && !this.asked) void this.fetch();
    return this.value;
  }

  async fetch() {
    this.asked = true;
    try {
      this.value = await this.load();
      this.changed();
    } catch (error) {
      console.warn(error); // no error yet: the line may be down, and it is tried again
      this.failures += 1;
      this.timer = setTimeout(() => this.again(), AGAIN_MS);
      this.changed();
    }
  }

  /** It may be wanted again. */
  again() {
    this.timer = undefined;
    this.asked = false;
    this.changed();
  }

  /** What is going to be tried again is tried at once. */
  hurry() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.again();
  }
}

/**
 * Add a style sheet to the page, once.
 * @param {Document} doc
 * @param {URL} address
 * @returns {Promise<void>} when it holds
 * @throws {Error} it cannot be had
 */
export function addStyles(doc, address) {
  const known = doc.querySelector(`link[rel="stylesheet"][href="${address.pathname}"]`);
  if (known) return Promise.resolve();
  const link = doc.createElement('link');
  link.rel = 'stylesheet';
  link.href = address.pathname;
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`style sheet: ${address.pathname}`));
    });
    doc.head.append(link);
  });
}
