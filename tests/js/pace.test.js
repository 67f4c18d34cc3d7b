import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TIMES } from '../../client_web/js/table/motion.js';
import { climbOf } from '../../client_web/js/table/pace.js';

/** @param {number} card @returns {any} a card that leaves for its foundation */
const leaving = (card) => ({ key: card, to: { x: 0, y: 0 }, faceDown: false, card });
const [fourOfSpades, fiveOfSpades, fourOfHearts] = [3, 4, 16];

test('a game that completes itself begins with the lowest card, suit by suit', () => {
  const climb = climbOf([fiveOfSpades, fourOfHearts, fourOfSpades].map(leaving));
  const delays = [fourOfSpades, fourOfHearts, fiveOfSpades].map((card) => climb(card, false)?.delay);
  assert.deepEqual(delays, [0, TIMES.run, 4 * TIMES.run]);
});

test('who goes out sooner lies higher, as in its column, and below what is held', () => {
  const climb = climbOf([leaving(0)]);
  const heights = Array.from({ length: 13 }, (_, rank) => [0, 1, 2, 3].map((suit) => climb(suit * 13 + rank, false)?.z ?? NaN)).flat();
  assert.deepEqual(heights, heights.toSorted((a, b) => b - a));
  assert.equal(new Set(heights).size, 52);
  // Cards in a column lie at 30 and higher, what is held at 500 and what moves 300 higher than it lies
  assert.ok(Math.min(...heights) > 100 && Math.max(...heights) < 200);
});

test('a card is seen until the next one of its suit has arrived, the last one for good', () => {
  const climb = climbOf([leaving(fourOfSpades)]);
  const [four, five] = [climb(fourOfSpades, false), climb(fiveOfSpades, true)];
  assert.equal((four?.delay ?? 0) + (four?.covered ?? 0), five?.delay);
  assert.equal(five?.covered, undefined);
});

test('where nothing leaves for a foundation, each move goes at its own pace', () => {
  assert.equal(climbOf([{ ...leaving(fourOfSpades), to: null }])(fourOfSpades, true), null);
});
