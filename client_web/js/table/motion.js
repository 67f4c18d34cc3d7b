/**
 * Travel and turning of cards, by the browser's own animations, with transforms and opacity only.
 *
 * Lives here: collecting what moves together, starting and ending it. Does not live here: where cards
 * belong (`layout.js`) and which of them changed (`diff.js`). A card's node has its place and its face
 * already when it sets out; the animation only shows where it came from.
 *
 * The compositor runs it alone: what belongs to one change of the table begins with one frame and ends
 * with one frame, a card's waiting before and after is part of its keyframes (an `endDelay` would bring
 * the animation back to the page's own thread), and in between there is nothing for the page to do.
 */

import { snap } from './dom.js';

/** @import { Point } from './layout.js' */

/** As the tokens of the same names; milliseconds at normal speed. */
export const TIMES = Object.freeze({ move: 210, draw: 180, recycle: 260, turn: 180, feast: 900, run: 12, deal: 9 });
const EASE = Object.freeze({ move: 'cubic-bezier(0.3, 0.1, 0.15, 1)', out: 'cubic-bezier(0.16, 0.84, 0.32, 1)' });
/** How hard a card comes in, the hardest first. */
const LANDINGS = Object.freeze([1.35, 1.25, 1.18, 1.12, 1.06, 1]);

/**
 * @typedef {object} Pace
 * @property {number} [ms]
 * @property {number} [delay]
 * @property {'move' | 'land'} [ease] land: a little too far, and back
 * @property {number} [z] height among what moves
 * @property {number} [covered] so long after its arrival another card lies on it, and it is not seen any more
 */
/** When, which value, and how it goes on from there; milliseconds at normal speed. @typedef {[ms: number, value: string, easing?: string]} Step */
/** @typedef {{node: HTMLElement, property: string, steps: Step[]}} Part */
/**
 * Something that moves, with all that has to be undone when it has arrived or is broken off.
 * @typedef {object} Act
 * @property {HTMLElement} node
 * @property {Map<HTMLElement, Act>} [among] acts of its kind, one a node
 * @property {Part[]} parts
 * @property {HTMLElement[]} extras nodes for the time being
 * @property {() => void} [then]
 * @property {Animation[]} [animations] once it has set out
 * @property {Point} [seen] where it was when it was looked at last
 */

export class Motion {
  /** @param {HTMLElement} host element whose --motion says how fast things move */
  constructor(host) {
    this.host = host;
    /** What sets out with the next `start`. @type {Act[]} */
    this.next = [];
    /** What has not been ended. @type {Set<Act>} */
    this.acts = new Set();
    /** @type {Map<HTMLElement, Act>} */
    this.travels = new Map();
    /** @type {Map<HTMLElement, Act>} */
    this.turns = new Map();
    /** Who waits until nothing moves. @type {Set<() => void>} */
    this.waiting = new Set();
    this.scale = 1;
    /** So many pixels beyond its place a card may fly. */
    this.room = 0;
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
   * Let a card travel to the place it has been given, from where it is seen now.
   * @param {HTMLElement} node
   * @param {Point} from
   * @param {Point} to
   * @param {Pace} [pace]
   * @param {() => void} [then]
   */
  travel(node, from, to, { ms = TIMES.move, delay = 0, ease = 'move', covered } = {}, then) {
    const start = this.travels.get(node)?.seen ?? from;
    const course = ease === 'land' ? landing(Math.hypot(to.x - start.x, to.y - start.y), this.room) : EASE.move;
    const act = this.plan(node, [
      { node, property: 'translate', steps: [[0, at(start)], [delay, at(start), course], [delay + ms, at(to)]] },
    ], this.travels, then);
    if (covered !== undefined) act?.parts.push({ node, property: 'opacity', steps: [[0, '1', 'step-end'], [delay + ms + covered, '0']] });
  }

  /** A card stays until all others have arrived. @param {HTMLElement} node @param {() => void} then */
  stay(node, then) {
    this.plan(node, [], this.travels, then);
  }

  /**
   * Turn a card on its spot: narrow to a line, and widen again with its other side up.
   * @param {HTMLElement} node shows its new side already
   * @param {HTMLElement} over its old side, to lie on it until then
   * @param {number} [delay]
   */
  turn(node, over, delay = 0) {
    const [middle, end] = [delay + TIMES.turn / 2, delay + TIMES.turn];
    const act = this.plan(node, [
      { node, property: 'scale', steps: [[0, '1 1'], [delay, '1 1', 'ease-in'], [middle, '0 1', 'ease-out'], [end, '1 1']] },
      { node: over, property: 'opacity', steps: [[0, '1', 'step-end'], [middle, '0']] },
    ], this.turns);
    if (!act) return;
    node.append(over);
    act.extras.push(over);
  }

  /**
   * The foundations ripple by suit, once.
   * @param {readonly HTMLElement[]} nodes in order
   * @param {number} after when the last card has arrived
   */
  feast(nodes, after) {
    const ms = TIMES.feast * 0.45;
    nodes.forEach((node, i) => {
      const delay = after + (i / nodes.length) * TIMES.feast * 0.55;
      this.plan(node, [{ node, property: 'scale', steps: [[0, '1'], [delay, '1', EASE.out], [delay + ms * 0.4, '1.09', EASE.move], [delay + ms, '1']] }]);
    });
    this.start();
  }

  /**
   * @param {HTMLElement} node
   * @param {Part[]} parts
   * @param {Map<HTMLElement, Act>} [among]
   * @param {() => void} [then]
   * @returns {Act | null} null: nothing moves, and what was to follow has followed
   */
  plan(node, parts, among, then) {
    this.end(among?.get(node));
    if (!this.on) {
      then?.();
      return null;
    }
    const act = { node, parts, among, extras: [], then };
    this.acts.add(act);
    among?.set(node, act);
    this.next.push(act);
    return act;
  }

  /**
   * All that was planned sets out together.
   * @returns {number} how long it takes, in milliseconds at normal speed
   */
  start() {
    const acts = this.next.filter((act) => this.acts.has(act));
    this.next = [];
    const total = Math.max(0, ...acts.flatMap(({ parts }) => parts.map(({ steps }) => steps.at(-1)?.[0] ?? 0)));
    const finish = () => { for (const act of acts) this.end(act); };
    if (!total) finish();
    else for (const act of acts) this.setOut(act, total, finish);
    return total;
  }

  /**
   * @param {Act} act
   * @param {number} total
   * @param {() => void} finish all end with the same frame, whichever is told first
   */
  setOut(act, total, finish) {
    if (act.among === this.travels && act.parts.length) act.node.classList.add('is-moving');
    act.animations = [...new Set(act.parts.map(({ node }) => node))].map((node) => {
      const animation = node.animate(keyframes(act.parts.filter((part) => part.node === node), total), { duration: total * this.scale, fill: 'forwards' });
      animation.onfinish = finish;
      return animation;
    });
  }

  /** Note where travelling cards are seen right now. Call before nodes are changed: then the browser knows it already. */
  look() {
    for (const [node, act] of this.travels) {
      if (!act.animations?.length) continue;
      const [x = 0, y = 0] = getComputedStyle(node).translate.split(' ').map(Number.parseFloat);
      act.seen = { x, y };
    }
  }

  /** End the travel of one card where it is; what was to follow follows. @param {HTMLElement} node */
  stop(node) {
    this.end(this.travels.get(node));
  }

  /** @param {Act | undefined} act */
  end(act) {
    if (!act || !this.acts.delete(act)) return;
    act.among?.delete(act.node);
    if (act.among === this.travels) act.node.classList.remove('is-moving');
    for (const animation of act.animations ?? []) animation.cancel();
    for (const extra of act.extras) extra.remove();
    act.then?.();
    if (!this.acts.size) this.rest();
  }

  rest() {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const then of waiting) then();
  }

  /** When nothing moves any more. @param {() => void} then at once if nothing does */
  whenStill(then) {
    this.waiting.add(then);
    if (!this.acts.size) this.rest();
  }

  destroy() {
    this.waiting.clear();
    this.finish();
    this.wish.removeEventListener('change', this.heed);
  }

  /** Input ends whatever still moves, at once. */
  finish() {
    for (const act of [...this.acts]) this.end(act);
  }
}

/**
 * A card comes in as hard as it may: what it flies too far is a share of its way, and the felt ends somewhere.
 * @param {number} way pixels
 * @param {number} room
 */
function landing(way, room) {
  const hard = LANDINGS.find((y) => tooFar(y) * way <= room) ?? 1;
  return `cubic-bezier(0.3, ${hard}, 0.5, 1)`;
}

/** Share of the way, at the farthest, that a curve with its first point at this height and its second at 1 goes too far. @param {number} y */
function tooFar(y) {
  const u = 3 * (y - 1);
  return (4 * u ** 3) / (27 * (1 + u) ** 2);
}

/** @param {Point} point */
const at = ({ x, y }) => `${snap(x)}px ${snap(y)}px`;

/**
 * All that happens to one node, as one animation.
 * @param {readonly Part[]} parts
 * @param {number} total milliseconds at normal speed
 * @returns {Keyframe[]}
 */
function keyframes(parts, total) {
  return parts.flatMap(({ property, steps }) => {
    const frames = steps.map(([ms, value, easing = 'linear']) => ({ [property]: value, offset: ms / total, easing }));
    return [...frames, { ...frames.at(-1), offset: 1 }];
  }).sort((a, b) => a.offset - b.offset);
}
