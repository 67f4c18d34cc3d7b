/**
 * What a table says of its line: nothing, "saving…", or that the connection is lost; never a gap between the two.
 *
 * Lives here: after how long which of them is true. Does not live here: the line (`socket.js`), the words (`views/`).
 */

/** An answer that takes longer than this is worth a word. */
const SAVING_MS = 700;
/** A line that is down for less is not worth a word. */
const LOST_MS = 1200;
/** An answer missing for this long, on a line on which nothing else is heard either, is a lost connection. */
const MISSING_MS = 2200;

export class LineWatch {
  constructor() {
    this.downSinceMs = 0;
    this.lost = false;
  }

  /**
   * @param {{now: number, open: boolean, pending: number, pendingSinceMs: number, quietMs: () => number}} what
   *   `pending`: moves without an answer; `quietMs`: asks whether the line lives, and tells for how long it was quiet
   * @returns {{lost: boolean, back: boolean, saving: boolean}} `back`: it was lost until now
   */
  look({ now, open, pending, pendingSinceMs, quietMs }) {
    const waitMs = pending > 0 ? now - pendingSinceMs : 0;
    const quiet = waitMs > SAVING_MS ? quietMs() : 0;
    if (open) this.downSinceMs = 0;
    else if (this.downSinceMs === 0) this.downSinceMs = now;
    const was = this.lost;
    this.lost = (waitMs > MISSING_MS && quiet > MISSING_MS) || (!open && (was || now - this.downSinceMs > LOST_MS));
    return { lost: this.lost, back: was && !this.lost, saving: !this.lost && waitMs > SAVING_MS };
  }
}
