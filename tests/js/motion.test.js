import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Motion, TIMES } from '../../client_web/js/table/motion.js';

/** @typedef {{frames: Record<string, any>[], timing: Record<string, any>, onfinish: () => void, cancelled: boolean}} Played */

/** A card's node, as far as motion needs one. */
class Card {
  constructor() {
    /** @type {Set<string>} */
    this.classes = new Set();
    /** @type {Played[]} */
    this.played = [];
    /** @type {Map<string, string>} */
    this.values = new Map();
    /** @type {Card[]} */
    this.others = [];
    this.gone = false;
    this.classList = { add: (/** @type {string} */ name) => this.classes.add(name), remove: (/** @type {string} */ name) => this.classes.delete(name) };
    this.style = { setProperty: (/** @type {string} */ name, /** @type {string} */ value) => this.values.set(name, value) };
  }

  /** @param {Record<string, any>[]} frames @param {Record<string, any>} timing */
  animate(frames, timing) {
    const played = { frames, timing, onfinish: () => {}, cancelled: false, cancel: () => { played.cancelled = true; } };
    this.played.push(played);
    return played;
  }

  /** @param {Card} other */
  append(other) {
    this.others.push(other);
  }

  getAttribute() {
    return null;
  }

  setAttribute() {}

  removeAttribute() {}

  remove() {
    this.gone = true;
  }
}

/** @returns {any} a card, for a reader of nodes */
const card = () => new Card();

/** @param {{speed?: string, hidden?: boolean}} [how] */
function motion({ speed = '1', hidden = false } = {}) {
  const listener = { matches: false, addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, {
    matchMedia: () => listener,
    getComputedStyle: (/** @type {any} */ node) => ({ translate: node.seen ?? 'none', getPropertyValue: () => speed }),
  });
  return new Motion(/** @type {any} */ ({ ownerDocument: { hidden } }));
}

const [here, there] = [{ x: 0, y: 0 }, { x: 50, y: 80 }];
/** @param {Card} node @param {string} property */
const course = (node, property) => node.played.flatMap(({ frames, timing }) => frames.filter((frame) => property in frame)
  .map((frame) => [Math.round(frame.offset * timing.duration), frame[property]]));

test('what belongs together begins and ends together, whatever waits before and after', () => {
  const [moves, one, two] = [motion(), card(), card()];
  moves.travel(one, here, there);
  moves.travel(two, there, here, { ms: 100, delay: 300 });
  assert.equal(one.played.length, 0, 'nothing sets out before all are ready');
  assert.equal(moves.start(), 400);
  for (const { played } of [one, two]) assert.deepEqual(played.map((/** @type {Played} */ { timing }) => timing), [{ duration: 400, fill: 'forwards' }]);
  assert.deepEqual(course(one, 'translate'), [[0, '0px 0px'], [0, '0px 0px'], [TIMES.move, '50px 80px'], [400, '50px 80px']]);
  assert.deepEqual(course(two, 'translate'), [[0, '50px 80px'], [300, '50px 80px'], [400, '0px 0px'], [400, '0px 0px']]);
});

/** The farthest of a curve, as a share of the way. @param {string} easing */
function farthest(easing) {
  const [, y1, , y2] = (/\((.*)\)/.exec(easing)?.[1] ?? '').split(',').map(Number);
  return Math.max(...Array.from({ length: 1001 }, (_, i) => i / 1000).map((t) => 3 * (1 - t) ** 2 * t * y1 + 3 * (1 - t) * t * t * y2 + t ** 3));
}

test('a card that lands flies too far as long as there is room, and never beyond', () => {
  const moves = motion();
  const beyond = (/** @type {number} */ way, /** @type {number} */ room) => {
    const one = card();
    moves.room = room;
    moves.travel(one, here, { x: way, y: 0 }, { ease: 'land' });
    moves.start();
    return way * (farthest(one.played[0].frames[1].easing) - 1);
  };
  for (const room of [0, 4, 15, 28]) for (const way of [0, 60, 200, 500, 1200, 1900]) assert.ok(beyond(way, room) <= room + 0.01, `${way} ${room}`);
  assert.ok(beyond(200, 15) > 8, 'as hard as ever where it is near');
  assert.ok(beyond(1156, 15) > 4, 'a little even from far away');
  assert.ok(beyond(300, 5) > 1, 'and on a phone');
});

test('only what the compositor can run is animated', () => {
  const [moves, one, two, side, top] = [motion(), card(), card(), card(), card()];
  moves.travel(one, here, there, { delay: 50, ease: 'land', covered: 40 });
  moves.turn(two, side);
  moves.start();
  moves.feast([top], 0);
  const all = [one, two, side, top].flatMap(({ played }) => played);
  assert.equal(all.length, 4, 'one animation a node');
  for (const { frames, timing } of all) {
    assert.deepEqual(Object.keys(timing).sort(), ['duration', 'fill'], 'a delay at the end would bring it back to the page');
    for (const frame of frames) assert.ok(['opacity', 'scale', 'translate'].includes(Object.keys(frame).filter((key) => key !== 'offset' && key !== 'easing').join()));
  }
});

test('when the first is told that it has arrived, all have: one change of the page for all of them', () => {
  const [moves, one, two] = [motion(), card(), card()];
  /** @type {string[]} */
  const then = [];
  moves.travel(one, here, there, {}, () => then.push('one'));
  moves.stay(two, () => then.push('two'));
  moves.start();
  assert.deepEqual([[...one.classes], [...two.classes], then], [['is-moving'], [], []]);
  one.played[0].onfinish();
  assert.deepEqual([[...one.classes], then, one.played[0].cancelled], [[], ['one', 'two'], true]);
  moves.finish();
  assert.deepEqual(then, ['one', 'two'], 'and only once');
});

test('a card turns with its old side on it until it is a line', () => {
  const [moves, one, side] = [motion(), card(), card()];
  moves.turn(one, side, 20);
  moves.start();
  assert.deepEqual(course(one, 'scale').map(([, value]) => value), ['1 1', '1 1', '0 1', '1 1', '1 1']);
  assert.deepEqual(course(side, 'opacity'), [[0, '1'], [20 + TIMES.turn / 2, '0'], [20 + TIMES.turn, '0']]);
  assert.equal(side.played[0].frames[0].easing, 'step-end');
  one.played[0].onfinish();
  assert.ok(side.gone);
});

test('a card on which another one comes to lie is not seen from then on', () => {
  const [moves, one] = [motion(), card()];
  moves.travel(one, here, there, { delay: 100, covered: 40 });
  assert.equal(moves.start(), 100 + TIMES.move + 40);
  assert.deepEqual(course(one, 'opacity'), [[0, '1'], [140 + TIMES.move, '0'], [140 + TIMES.move, '0']]);
  const { frames } = one.played[0];
  assert.equal(frames.find((/** @type {any} */ frame) => 'opacity' in frame).easing, 'step-end', 'until then it is seen as it is');
  const offsets = frames.map((/** @type {any} */ frame) => frame.offset);
  assert.deepEqual(offsets, offsets.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b), 'a browser takes frames in their order only');
});

test('who waits until nothing moves is told once, with the last that arrives', () => {
  const [moves, one, two] = [motion(), card(), card()];
  let told = 0;
  moves.whenStill(() => told++);
  assert.equal(told, 1, 'nothing moves');
  moves.travel(one, here, there);
  moves.start();
  moves.travel(two, here, there);
  moves.start();
  moves.whenStill(() => told++);
  one.played[0].onfinish();
  assert.equal(told, 1, 'another one is on its way');
  two.played[0].onfinish();
  assert.equal(told, 2);
  moves.travel(one, here, there);
  moves.start();
  moves.whenStill(() => told++);
  moves.destroy();
  assert.equal(told, 2, 'who leaves is told no more');
});

test('a card that is sent elsewhere on its way goes on from where it is seen', () => {
  const [moves, one] = [motion(), card()];
  moves.travel(one, here, there);
  moves.start();
  one.seen = '12.5px 7px';
  moves.look();
  moves.travel(one, here, here);
  moves.start();
  assert.deepEqual([one.played[0].cancelled, course(one, 'translate').at(4)], [true, [0, '13px 7px']]);
});

test('input ends whatever moves, also what has not set out', () => {
  const [moves, one, two] = [motion(), card(), card()];
  /** @type {string[]} */
  const then = [];
  moves.travel(one, here, there, {}, () => then.push('one'));
  moves.start();
  moves.travel(two, here, there, {}, () => then.push('two'));
  moves.finish();
  assert.deepEqual([then, moves.start(), two.played], [['one', 'two'], 0, []]);
});

test('nothing moves when it is not wanted or not seen, and what was to follow follows at once', () => {
  for (const how of [{ speed: '0' }, { hidden: true }]) {
    const [moves, one, side] = [motion(how), card(), card()];
    let done = 0;
    moves.travel(one, here, there, {}, () => done++);
    moves.turn(one, side);
    moves.stay(one, () => done++);
    moves.feast([one], 0);
    assert.deepEqual([moves.start(), done, one.played, one.others], [0, 2, [], []]);
  }
});
