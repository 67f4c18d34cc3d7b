/**
 * Travel and turning of cards, by the browser's own animations, with transforms only.
 *
 * Lives here: starting, joining and ending animations. Does not live here: where cards belong
 * (`layout.js`) and which of them changed (`diff.js`). A card's node has its place already when it
 * sets out; the animation only shows where it came from.
 */

/** @import { Point } from './layout.js' */

/** As the tokens of the same names; milliseconds at normal speed. */
export const TIMES = Object.freeze({ move: 210, draw: 180, recycle: 260, turn: 180, feast: 900, run: 12, deal: 9 });
const EASE = Object.freeze({
  move: 'cubic-bezier(0.3, 0.1, 0.15, 1)', land: 'cubic-bezier(0.3, 1.35, 0.5, 1)', out: 'cubic-bezier(0.16, 0.84, 0.32, 1)',
});

/** @typedef {{from: Point, to: Point, animation: Animation}} Travel */
/**
 * @typedef {object} Pace
 * @property {number} [ms]
 * @property {number} [delay]
 * @property {keyof typeof EASE} [ease]
 * @property {number} [until] it stays where it arrived until then
 * @property {number} [waitZ] z-index while it waits for its turn; when it sets out, that of the style sheet holds
 */

export class Motion {
  /** @param {HTMLElement} host element whose --motion says how fast things move */
  constructor(host) {
    this.host = host;
    /** @type {Map<HTMLElement, Travel>} */
    this.travels = new Map();
    /** What remains to be done when an animation ends, early or not. @type {Map<Animation, () => void>} */
    this.endings = new Map();
    this.scale = 1;
    this.wish = matchMedia('(prefers-reduced-motion: reduce)');
    this.heed = () => this.measure();
    this.wish.addEventListener('change', this.heed);
    this.measure();
  }

  /** Read the speed again: a setting or the system's wish has changed. */
  measure() {
    const scale = Number.parseFloat(getComputedStyle(this.host).getPropertyValue('--motion'));
    this.scale = Number.isFinite(scale) ? scale : 1;
  }

  /** Whether anything moves at all. */
  get on() {
    return this.scale > 0 && !this.host.ownerDocument.hidden;
  }

  /**
   * Let a card travel to the place it has been given.
   * @param {HTMLElement} node
   * @param {Point} from
   * @param {Point} to
   * @param {Pace} [pace]
   * @param {() => void} [then]
   */
  travel(node, from, to, { ms = TIMES.move, delay = 0, ease = 'move', until = 0, waitZ } = {}, then = () => {}) {
    const start = this.whereIs(node) ?? from;
    this.stop(node);
    if (!this.on) return void then();
    const stay = Math.max(0, until - delay - ms);
    const animation = node.animate(
      [{ translate: `${start.x}px ${start.y}px` }, { translate: `${to.x}px ${to.y}px` }],
      { duration: ms * this.scale, delay: delay * this.scale, endDelay: stay * this.scale, easing: EASE[ease], fill: 'both' },
    );
    if (waitZ !== undefined && delay > 0) {
      const wait = node.animate([{ zIndex: waitZ }, { zIndex: waitZ }], { duration: delay * this.scale });
      this.whenDone(wait, () => wait.cancel());
    }
    node.classList.add('is-moving');
    this.travels.set(node, { from: start, to, animation });
    this.whenDone(animation, () => {
      if (this.travels.get(node)?.animation === animation) this.travels.delete(node);
      node.classList.remove('is-moving');
      animation.cancel();
      then();
    });
  }

  /** Where a travelling card is seen right now. @param {HTMLElement} node @returns {Point | null} */
  whereIs(node) {
    const travel = this.travels.get(node);
    const progress = travel?.animation.effect?.getComputedTiming().progress;
    if (!travel || progress === null || progress === undefined) return travel?.from ?? null;
    const { from, to } = travel;
    return { x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress };
  }

  /** End the travel of one card where it is; what was to follow follows. @param {HTMLElement} node */
  stop(node) {
    const travel = this.travels.get(node);
    if (travel) this.endings.get(travel.animation)?.();
  }

  /**
   * Turn a card on its spot: narrow to a line, change the face, widen again.
   * @param {HTMLElement} node
   * @param {() => void} swap changes the face
   * @param {number} [delay]
   */
  turn(node, swap, delay = 0) {
    if (!this.on) return void swap();
    const half = { duration: (TIMES.turn / 2) * this.scale, fill: /** @type {const} */ ('both') };
    const away = node.animate([{ scale: '1 1' }, { scale: '0 1' }], { ...half, delay: delay * this.scale, easing: 'ease-in' });
    this.whenDone(away, (early) => {
      swap();
      away.cancel();
      if (early) return;
      const back = node.animate([{ scale: '0 1' }, { scale: '1 1' }], { ...half, easing: 'ease-out' });
      this.whenDone(back, () => back.cancel());
    });
  }

  /**
   * The foundations ripple by suit, once.
   * @param {readonly HTMLElement[]} nodes in order
   * @param {number} after when the last card has arrived
   */
  feast(nodes, after) {
    if (!this.on) return;
    nodes.forEach((node, i) => {
      const delay = after + (i / nodes.length) * TIMES.feast * 0.55;
      const ripple = node.animate([{ scale: '1' }, { scale: '1.09', offset: 0.4 }, { scale: '1' }],
        { duration: TIMES.feast * 0.45 * this.scale, delay: delay * this.scale, easing: EASE.out });
      this.whenDone(ripple, () => ripple.cancel());
    });
  }

  /**
   * @param {Animation} animation
   * @param {(early: boolean) => void} ending called once: at its end, or early by `finish` or `stop`
   */
  whenDone(animation, ending) {
    const once = (/** @type {boolean} */ early) => {
      if (!this.endings.delete(animation)) return;
      ending(early);
    };
    this.endings.set(animation, () => once(true));
    animation.onfinish = () => once(false);
  }

  destroy() {
    this.finish();
    this.wish.removeEventListener('change', this.heed);
  }

  /** Input ends whatever still moves, at once. */
  finish() {
    for (const end of [...this.endings.values()]) end();
  }
}
