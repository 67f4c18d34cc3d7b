import assert from 'node:assert/strict';
import { test } from 'node:test';

import { COLUMN0, SLOT0, STOCK, UNKNOWN, WASTE, viewOf } from '../../client_web/js/rules.js';
import { dropTarget, dropZones, hitAt } from '../../client_web/js/table/hit.js';
import { fan, metrics, place } from '../../client_web/js/table/layout.js';

/** @import { Metrics, Options } from '../../client_web/js/table/layout.js' */

const DOUBLE = { columns: 9, decks: 2 };
const SINGLE = { columns: 7, decks: 1 };

/** Screen, its felt once bar and dock are there, and what the look promises for a column of 8 + 12 cards: width of a card, step of an open one. */
const SCREENS = /** @type {const} */ ([
  ['360 × 640', 360, 536, 36, 20],
  ['390 × 844', 390, 740, 39, 22],
  ['844 × 390', 844, 346, 57, 20],
  ['768 × 1024', 768, 920, 77, 30],
  ['1440 × 900', 1440, 840, 97, 38],
  ['3840 × 2160', 3840, 2066, 240, 94],
]);

/** @param {Partial<Parameters<typeof viewOf>[0]>} parts */
const view = (parts = {}) => viewOf({
  ply: 0, score: 0, moves: 0, stock: 0, waste: [], foundations: Array(8).fill(0), columns: Array.from({ length: 9 }, () => /** @type {const} */ ([0, []])),
  undoable: 0, ended: '', ...parts,
});

for (const [screen, W, H, cw, step] of SCREENS) {
  test(`${screen}: cards ${cw} wide, twenty in a column with steps of ${step}`, () => {
    const m = metrics(DOUBLE, W, H);
    assert.equal(m.cw, cw);
    assert.equal(Math.round(fan(m, 8, 12).U), step);
    assert.equal(fan(m, 8, 13).tight, false, 'twenty-one cards can still be read');
  });

  test(`${screen}: nothing lies outside the felt, nothing scrolls`, () => {
    for (const game of [DOUBLE, SINGLE]) {
      for (const options of /** @type {Options[]} */ ([{}, { left: true }, { large: true }, { left: true, large: true, lanes: 3 }])) {
        const m = metrics(game, W, H, options);
        const long = view({
          stock: 9, waste: [1, 2, 3, 4], foundations: Array(4 * game.decks).fill(2),
          columns: Array.from({ length: game.columns }, (_, i) => [i, Array.from({ length: 13 }, (_, k) => k)]),
        });
        for (const at of place(game, long, m)) {
          assert.ok(at.x >= 0 && at.x + m.cw <= W + 0.01 && at.y >= 0 && at.y + m.ch <= H + 0.01, `${JSON.stringify(options)} ${JSON.stringify(at)}`);
        }
      }
    }
  });

  test(`${screen}: columns, stock, waste and foundations do not overlap`, () => {
    for (const game of [DOUBLE, SINGLE]) {
      for (const left of [false, true]) {
        const m = metrics(game, W, H, { left });
        const columns = m.cols.map((x) => ({ x, y: m.top, w: m.cw, h: m.room }));
        const waste = { ...m.waste, w: m.cw + 2 * m.fan, h: m.ch };
        const boxes = [...columns, waste, { ...m.stock, w: m.cw, h: m.ch }, ...m.found.filter((_, i) => i < game.decks).map((at) => ({ ...at, w: m.cw, h: m.ch }))];
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
          assert.ok(a.x + a.w <= b.x + 0.01 || b.x + b.w <= a.x + 0.01 || a.y + a.h <= b.y + 0.01 || b.y + b.h <= a.y + 0.01, JSON.stringify([left, a, b]));
        }));
      }
    }
  });
}

test('the bold face is for narrow cards and for large indices', () => {
  assert.equal(metrics(DOUBLE, 360, 536).face, 'b');
  assert.equal(metrics(DOUBLE, 1440, 840).face, 'f');
  assert.equal(metrics(DOUBLE, 1440, 840, { large: true }).face, 'b');
});

test('a column too long for large indices shows full faces', () => {
  const m = metrics(DOUBLE, 844, 346, { large: true });
  const columns = /** @type {[number, number[]][]} */ ([[8, Array.from({ length: 13 }, (_, k) => k)], ...Array.from({ length: 8 }, () => [0, [5]])]);
  const faces = place(DOUBLE, view({ columns }), m).filter(({ pile, index }) => pile === COLUMN0 && index >= 0).map(({ face }) => face);
  assert.deepEqual([...new Set(faces)], ['f']);
});

test('face-down cards give way first, then open ones', () => {
  const m = { room: 400, ch: 50, face: /** @type {const} */ ('b') };
  assert.deepEqual(fan(m, 8, 13), { D: 6, U: 20, tight: false });
  assert.deepEqual(fan({ ...m, room: 322 }, 8, 13), { D: 4, U: 20, tight: false });
  const least = fan({ ...m, room: 280 }, 8, 13);
  assert.deepEqual([least.D, Math.round(least.U * 10) / 10, least.tight], [2, 17.8, false]);
  assert.equal(fan({ ...m, room: 250 }, 8, 13).tight, true);
});

test('left-handed, the rails change sides and columns and rows keep their order', () => {
  const [right, left] = [metrics(DOUBLE, 1440, 840), metrics(DOUBLE, 1440, 840, { left: true })];
  const xs = (/** @type {Metrics} */ m) => [m.stock.x, m.cols[0] ?? 0, m.found[0]?.x ?? 0];
  assert.deepEqual(xs(right), xs(right).sort((a, b) => a - b));
  assert.deepEqual(xs(left), xs(left).sort((a, b) => b - a));
  for (const m of [right, left]) assert.ok((m.found[0]?.x ?? 0) < (m.found[1]?.x ?? 0) && (m.cols[0] ?? 0) < (m.cols[1] ?? 0));
});

test('a tall felt of the single game keeps a strip for the lanes that want one', () => {
  assert.equal(metrics(SINGLE, 390, 740).rivals.h, 0);
  const m = metrics(SINGLE, 390, 740, { lanes: 5, rem: 16 });
  assert.ok(m.rivals.h > 80 && m.rivals.y + m.rivals.h <= m.top);
});

test('the fan of the waste shows exactly what is there (R5.2)', () => {
  const m = metrics(DOUBLE, 1440, 840);
  for (const waste of [[], [7], [7, 8], [7, 8, 9], [6, 7, 8, 9]]) {
    const shown = place(DOUBLE, view({ waste }), m).filter(({ pile }) => pile === WASTE);
    assert.deepEqual(shown.map(({ card }) => card), waste.slice(-3));
    assert.deepEqual(shown.filter(({ top }) => top).map(({ card }) => card), waste.slice(-1));
  }
});

test('of a foundation the top card is seen and the one it covers; of the stock at most three backs', () => {
  const m = metrics(DOUBLE, 1440, 840);
  const places = place(DOUBLE, view({ stock: 17, foundations: [3, 0, 1, 0, 0, 0, 0, 0] }), m);
  assert.deepEqual(places.filter(({ pile }) => pile === SLOT0).map(({ card, index }) => [card, index]), [[1, -1], [2, 0]]);
  assert.deepEqual(places.filter(({ pile }) => pile === SLOT0 + 2).map(({ card }) => card), [13]);
  assert.equal(places.filter(({ pile }) => pile === STOCK).length, 3);
});

// ---------------------------------------------------------------- what a pointer hits

const wide = metrics(DOUBLE, 1440, 840);
const sample = view({
  stock: 5, waste: [3, 4], columns: [[2, [8, 20, 6]], [0, []], [0, [UNKNOWN]], ...Array.from({ length: 6 }, () => /** @type {[number, number[]]} */ ([1, [9]]))],
});
const places = place(DOUBLE, sample, wide);
/** @param {number} i */
const colX = (i) => (wide.cols[i] ?? 0) + wide.cw / 2;

test('a pointer hits the uppermost card, an empty pile, or the felt below a column', () => {
  const { U, D } = fan(wide, 2, 3);
  const y = (/** @type {number} */ k) => wide.top + 2 * D + k * U + 2;
  assert.deepEqual(hitAt(places, wide, { x: colX(0), y: y(0) }), { pile: COLUMN0, index: 0 });
  assert.deepEqual(hitAt(places, wide, { x: colX(0), y: y(2) }), { pile: COLUMN0, index: 2 });
  assert.deepEqual(hitAt(places, wide, { x: colX(0), y: wide.top + 1 }), { pile: COLUMN0, index: -1 });
  assert.deepEqual(hitAt(places, wide, { x: colX(0), y: 800 }), { pile: COLUMN0, index: -1 });
  assert.deepEqual(hitAt(places, wide, { x: colX(1), y: wide.top + 9 }), { pile: COLUMN0 + 1, index: -1 });
  assert.deepEqual(hitAt(places, wide, { x: wide.stock.x + 9, y: wide.stock.y + 9 }), { pile: STOCK, index: -1 });
  assert.deepEqual(hitAt(places, wide, { x: wide.waste.x + wide.fan + 9, y: wide.waste.y + 9 }), { pile: WASTE, index: 1 });
  assert.equal(hitAt(places, wide, { x: 5, y: 830 }), null);
});

test('a drop takes the legal target that the card covers most, and says where it was refused', () => {
  const zones = dropZones(wide);
  const over = (/** @type {number} */ i, /** @type {number} */ dx) => ({ x: (wide.cols[i] ?? 0) + dx, y: 300, w: wide.cw, h: wide.ch });
  const legal = new Set([COLUMN0 + 4]);
  assert.equal(dropTarget(zones, over(4, 0), legal, COLUMN0), COLUMN0 + 4);
  assert.equal(dropTarget(zones, over(3, wide.cw * 0.4), legal, COLUMN0), COLUMN0 + 4, 'a legal neighbour is preferred');
  assert.equal(dropTarget(zones, over(3, 0), legal, COLUMN0), COLUMN0 + 3);
  assert.equal(dropTarget(zones, over(0, 4), new Set([COLUMN0 + 1]), COLUMN0), -1, 'hardly moved: back home');
  assert.equal(dropTarget(zones, { ...over(0, 0), x: 4, y: 700 }, legal, COLUMN0), -1, 'bare felt');
});
