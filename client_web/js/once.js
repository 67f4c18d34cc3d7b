/**
 * A press counts once: the second click of a double click finds its command on its way.
 *
 * Lives here: which commands are on their way, and those that rest a moment after their answer, because the page they
 * lead to is yet to be drawn. Does not live here: sending, buttons.
 */

/** Longest pause between the two clicks of one double click, with some to spare. */
const REST_MS = 500;
/** Each of these leads into a room: while one is on its way, the others would lead out of it again. */
const INTO_A_ROOM = Object.freeze(['play', 'match', 'create', 'ghosts']);
/** Their second press would undo the first, or do it twice. */
const RESTING = Object.freeze(['into a room', 'tour.create', 'ready']);

/** @param {string} name of a button */
const kindOf = (name) => (INTO_A_ROOM.includes(name) ? 'into a room' : name);

export class Once {
  /** @param {() => void} changed a button is busy or free again */
  constructor(changed) {
    this.changed = changed;
    /** @type {Set<string>} */
    this.under = new Set();
  }

  /** Whether a press would do nothing now. @param {string} name of the button */
  has(name) {
    return this.under.has(kindOf(name));
  }

  /**
   * @template T
   * @param {string} name of the button
   * @param {() => Promise<T | null>} run null: refused, the button is free at once
   * @param {(free: () => void, ms: number) => unknown} later
   * @returns {Promise<T | null>} null also where the same is on its way
   */
  async run(name, run, later) {
    const kind = kindOf(name);
    if (this.under.has(kind)) return null;
    this.under.add(kind);
    let done = false;
    try {
      const answer = await run();
      done = answer !== null;
      return answer;
    } finally {
      if (done && RESTING.includes(kind)) later(() => this.free(kind), REST_MS);
      else this.free(kind);
    }
  }

  /** @param {string} kind */
  free(kind) {
    this.under.delete(kind);
    this.changed();
  }
}
