import assert from 'node:assert/strict';
import { test } from 'node:test';

import { COLUMN0, FOUNDATIONS, KIND, UNKNOWN, WASTE, applyMove, autoComplete, reveal, rulesetOf, stockMove, viewOf } from '../../client_web/js/rules.js';
import { diff } from '../../client_web/js/table/diff.js';
import { metrics, place } from '../../client_web/js/table/layout.js';
import { parseCard } from './referee.js';

/** @import { Ruleset, View } from '../../client_web/js/rules.js' */

const double = rulesetOf('DS1-D1N');

/** @param {string} text */
const cards = (text) => text.split(' ').filter(Boolean).map(parseCard);

/** @param {{columns?: string[], waste?: string, stock?: number, heights?: number[], ruleset?: Ruleset}} parts @returns {View} */
function table({ columns = [], waste = '', stock = 0, heights, ruleset = double }) {
  return viewOf({
    ply: 0, score: 0, moves: 0, stock, waste: cards(waste), foundations: heights ?? Array(4 * ruleset.decks).fill(0), undoable: 0, ended: '',
    columns: Array.from({ length: ruleset.columns }, (_, i) => [Number((columns[i] ?? '0|').split('|')[0]), cards((columns[i] ?? '0|').split('|')[1] ?? '')]),
  });
}

/** How one view becomes another: what moves, turns, appears and goes. @param {View} before @param {View} after @param {Ruleset} [ruleset] */
function between(before, after, ruleset = double) {
  const m = metrics(ruleset, 1440, 840);
  const old = place(ruleset, before, m).map((at, key) => ({ key, place: at }));
  const { changes, leaving } = diff(old, place(ruleset, after, m), after, m);
  const name = (/** @type {number} */ key) => old.find((one) => one.key === key)?.place;
  return {
    m, leaving, changes,
    moves: changes.filter(({ from }) => from).map(({ key, place: to, faceDown }) => ({ from: name(key)?.pile ?? -1, to: to.pile, card: to.card, turns: faceDown === (to.card >= 0 && to.card < 52) })),
    fresh: changes.filter(({ key, from }) => key < 0 && !from).map(({ place: { pile, card } }) => ({ pile, card })),
  };
}

/** @param {number} source @param {number} target @param {number} [count] */
const to = (source, target, count = 1) => ({ kind: KIND.TRANSFER, source, target, count });

test('a run travels card by card and everything else stays', () => {
  const before = table({ columns: ['1|8H 7S', '0|9S', '0|KD'], stock: 7, waste: '2C' });
  const { moves, leaving, fresh } = between(before, applyMove(double, before, to(COLUMN0, COLUMN0 + 1, 2)));
  assert.deepEqual(moves.map(({ from, to: pile, card }) => [from, pile, card]), [[COLUMN0, COLUMN0 + 1, parseCard('8H')], [COLUMN0, COLUMN0 + 1, parseCard('7S')]]);
  assert.deepEqual([leaving, fresh], [[], []]);
});

test('a card that comes to light turns where it lies', () => {
  const before = table({ columns: ['1|8H', '0|9S'] });
  const played = applyMove(double, before, to(COLUMN0, COLUMN0 + 1));
  const known = reveal(played, to(COLUMN0, COLUMN0 + 1), [5]);
  const { changes, leaving } = between(played, known);
  const turned = changes.filter(({ place: { card } }) => card === 5);
  assert.deepEqual(turned.map(({ from, faceDown }) => [from, faceDown]), [[null, true]]);
  assert.deepEqual(leaving, []);
});

test('of twins the one that did not move is the one that stays, the nearest travels', () => {
  const before = table({ columns: ['0|9S', '0|TH 9S', '0|TD'] });
  const { moves } = between(before, applyMove(double, before, to(COLUMN0 + 1, COLUMN0 + 2)));
  assert.deepEqual(moves.map(({ from, to: pile }) => [from, pile]), [[COLUMN0 + 1, COLUMN0 + 2]]);
});

test('a drawn card comes face down from the stock', () => {
  const before = table({ stock: 9, waste: '2C 3C 4C 5C' });
  const drawn = applyMove(double, before, stockMove(before));
  const { changes, m, leaving } = between(before, drawn);
  const [fresh] = changes.filter(({ key }) => key < 0);
  assert.deepEqual([fresh?.place.card, fresh?.from, fresh?.faceDown], [UNKNOWN, m.stock, true]);
  assert.deepEqual(leaving.map(({ to: point }) => point), [null], 'the card that the fan covers stays until it is covered');
});

test('the last card of the stock travels itself', () => {
  const before = table({ stock: 1 });
  const { moves } = between(before, applyMove(double, before, stockMove(before)));
  assert.deepEqual(moves.map(({ from, to: pile }) => [from, pile]), [[0, WASTE]]);
});

test('a waste that is turned over goes back as the stock it becomes, and an undo brings it again', () => {
  const before = table({ waste: '2C 3C 4C 5C' });
  const over = applyMove(double, before, stockMove(before));
  for (const [one, two] of [[before, over], [over, before]]) {
    const { moves, fresh } = between(/** @type {View} */ (one), /** @type {View} */ (two));
    assert.deepEqual(moves.map(({ turns }) => turns), [true, true, true]);
    assert.deepEqual(fresh, []);
  }
});

test('an undone draw goes back to the stock and turns its back', () => {
  const before = table({ stock: 9, waste: '2C 3C 4C' });
  const after = { ...before, stock: 10, waste: before.waste.slice(0, 2) };
  const { leaving, m } = between(before, after);
  assert.deepEqual(leaving.map(({ to: point, faceDown }) => [point, faceDown]), [[m.stock, true]]);
});

test('a card under a played waste top only lay covered: it does not travel', () => {
  const before = table({ waste: 'KC QC 2C 9H', columns: ['0|TS'] });
  const { fresh, changes } = between(before, applyMove(double, before, to(WASTE, COLUMN0)));
  assert.deepEqual(fresh, [{ pile: WASTE, card: parseCard('KC') }]);
  assert.ok(changes.filter(({ place: { pile } }) => pile === WASTE).length === 3);
});

test('a card sent out lies on the one it covers', () => {
  const before = table({ columns: ['0|4S'], heights: [3, 0, 0, 0, 0, 0, 0, 0] });
  const { moves, leaving } = between(before, applyMove(double, before, to(COLUMN0, FOUNDATIONS)));
  assert.deepEqual(moves.map(({ card }) => card), [parseCard('4S')]);
  assert.deepEqual(leaving.map(({ to: point }) => point), [null]);
});

test('when the game completes itself every card flies to its own foundation', () => {
  const single = rulesetOf('SS1-D1N');
  const before = table({ columns: ['0|KS QH JS', '0|KH QS JH', '0|KD', '0|KC'], heights: [10, 10, 12, 12], ruleset: single });
  const { moves, leaving, m } = between(before, autoComplete(single, before), single);
  assert.ok(moves.length >= 4);
  assert.ok(leaving.filter(({ to: point }) => point).every(({ to: point }) => m.found.some(({ x, y }) => point?.x === x && point.y === y)));
});

test('a card that turned up and went out at once turns and flies with the others, whichever it is', () => {
  const single = rulesetOf('SS1-D1N');
  for (const hidden of ['QH', 'JH', 'KH']) {
    const up = ['KS QH', 'KH', 'KD', 'KC', 'JH'].map((column) => column.split(' ').filter((card) => card !== hidden).join(' '));
    const before = table({ columns: [...up.map((column) => `0|${column}`), '1|'], heights: [12, 10, 12, 12], ruleset: single });
    const after = { ...before, columns: before.columns.map(() => /** @type {const} */ ([0, []])), foundations: [13, 13, 13, 13] };
    const { changes, leaving, m } = between(before, after, single);
    const flies = changes.filter(({ place: at, faceDown }) => faceDown && at.card === parseCard(hidden)).map(({ from }) => from?.x);
    const goes = leaving.filter(({ card }) => card === parseCard(hidden)).map(({ to: point }) => point && m.cols[5]);
    assert.deepEqual([...flies, ...goes], [m.cols[5]], hidden);
  }
});
