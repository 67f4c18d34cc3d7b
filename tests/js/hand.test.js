import assert from 'node:assert/strict';
import { test } from 'node:test';

import { COLUMN0, FOUNDATIONS, KIND, SLOT0, STOCK, UNKNOWN, WAITING, WASTE, applyMove, check, rulesetOf, viewOf } from '../../client_web/js/rules.js';
import { Hand, liftable } from '../../client_web/js/table/hand.js';
import { step, stops, topOf, walk } from '../../client_web/js/table/keyboard.js';
import { keepOrder } from '../../client_web/js/table/rivals.js';
import { parseCard } from './referee.js';

/** @import { Move, Ruleset, View } from '../../client_web/js/rules.js' */
/** @import { Reach } from '../../client_web/js/table/hand.js' */

const double = rulesetOf('DS1-D1N');
const single = rulesetOf('SS1-D1N');

/** @param {string} text */
const cards = (text) => text.split(' ').filter(Boolean).map(parseCard);

/** @param {Ruleset} ruleset @param {string[]} columns @param {{waste?: string, heights?: number[]}} [rest] */
const table = (ruleset, columns, { waste = '', heights } = {}) => viewOf({
  ply: 0, score: 0, moves: 0, stock: 9, waste: cards(waste), foundations: heights ?? Array(4 * ruleset.decks).fill(0), undoable: 0, ended: '',
  columns: Array.from({ length: ruleset.columns }, (_, i) => [Number((columns[i] ?? '0|').split('|')[0]), cards((columns[i] ?? '0|').split('|')[1] ?? '')]),
});

/** A hand over a table that plays every legal move at once. */
class Player {
  /** @param {Ruleset} ruleset @param {View} view @param {{doubleTap?: boolean, oneTap?: boolean}} [settings] */
  constructor(ruleset, view, settings = {}) {
    /** @type {string[]} */
    this.log = [];
    /** @type {Reach} */
    this.reach = {
      ruleset, view, settings: { doubleTap: true, oneTap: true, ...settings }, showPick: () => {},
      attempt: (want) => {
        const move = want(/** @type {View} */ (this.reach.view));
        const code = typeof move === 'string' ? move : check(ruleset, /** @type {View} */ (this.reach.view), move);
        if (code !== '') this.log.push(code ?? text(/** @type {Move} */ (move)));
        if (code === null) this.reach.view = applyMove(ruleset, /** @type {View} */ (this.reach.view), /** @type {Move} */ (move));
        return code === null;
      },
    };
    this.hand = new Hand(this.reach);
    this.ms = 0;
  }

  /** @param {number} pile @param {number} index @param {number} [pause] since the last tap */
  tap(pile, index, pause = 1000) {
    this.ms += pause;
    this.hand.tap({ pile, index }, { x: 0, y: 0, ms: this.ms });
    return this;
  }
}

/** @param {Move} move */
const text = ({ kind, source, target, count }) => (kind === KIND.TRANSFER ? `${source}>${target}*${count}` : `kind ${kind}`);

test('a tap sends a top card out, and is silent where none takes it (R9.1)', () => {
  const player = new Player(double, table(double, ['0|AS', '0|7H']));
  player.tap(COLUMN0, 0).tap(COLUMN0 + 1, 0);
  assert.deepEqual(player.log, [`${COLUMN0}>${FOUNDATIONS}*1`]);
});

test('two quick taps are one action: nothing follows a first tap that did it (R9.2)', () => {
  const player = new Player(double, table(double, ['0|2S AS']));
  player.tap(COLUMN0, 1).tap(COLUMN0, 0, 120);
  assert.deepEqual(player.log, [`${COLUMN0}>${FOUNDATIONS}*1`]);
  player.tap(COLUMN0, 0, 120);
  assert.equal(player.log.length, 2);
});

test('two quick taps find a place on the table, and say so when there is none (R9.2)', () => {
  const player = new Player(double, table(double, ['0|7H', '0|8S', '0|5D']));
  player.tap(COLUMN0, 0).tap(COLUMN0, 0, 120).tap(COLUMN0 + 2, 0).tap(COLUMN0 + 2, 0, 120);
  assert.deepEqual(player.log, [`${COLUMN0}>${COLUMN0 + 1}*1`, 'no_place']);
});

test('two quick taps on a card that is still unknown wait for it, as one action', () => {
  const view = { ...table(double, ['0|8S']), waste: [UNKNOWN] };
  const player = new Player(double, view);
  /** @type {((view: View) => Move | string)[]} */
  const waiting = [];
  player.reach.attempt = (want) => {
    if (want(view) === WAITING) waiting.push(want);
    return true;
  };
  player.tap(WASTE, 0).tap(WASTE, 0, 120);
  assert.deepEqual(waiting.map((want) => want({ ...view, waste: cards('7H') })), [{ kind: KIND.TRANSFER, source: WASTE, target: COLUMN0, count: 1 }]);
});

test('one tap on a card that is still unknown is as silent as on any other', () => {
  const view = { ...table(double, ['0|8S']), waste: [UNKNOWN] };
  const player = new Player(double, view);
  /** @type {((view: View) => Move | string)[]} */
  const waiting = [];
  player.reach.attempt = (want) => Boolean(waiting.push(want));
  player.tap(WASTE, 0);
  assert.deepEqual(waiting.map((want) => want({ ...view, waste: cards('7H') })), ['']);
});

test('without the setting a second tap is a tap like the first', () => {
  const player = new Player(double, table(double, ['0|7H', '0|8S']), { doubleTap: false });
  player.tap(COLUMN0, 0).tap(COLUMN0, 0, 120);
  assert.deepEqual(player.log, []);
});

test('every press on the stock counts, however fast', () => {
  const player = new Player(double, table(double, []));
  for (let i = 0; i < 9; i++) player.tap(STOCK, -1, 10);
  assert.equal(player.reach.view?.waste.length, 9);
});

test('no tap and no double tap takes a card back from a foundation', () => {
  for (const ruleset of [double, single]) {
    const heights = Array.from({ length: 4 * ruleset.decks }, (_, i) => (i === ruleset.decks ? 3 : 0));
    const player = new Player(ruleset, table(ruleset, ['0|4S'], { heights }));
    player.tap(SLOT0 + ruleset.decks, 0).tap(SLOT0 + ruleset.decks, 0, 100).tap(COLUMN0, 0);
    assert.deepEqual(player.log.filter((one) => one.includes('>')), []);
  }
});

test('in the single game one tap finds a place for a run (R11.11)', () => {
  const player = new Player(single, table(single, ['1|8H 7S', '0|9S']));
  player.tap(COLUMN0, 0);
  assert.deepEqual(player.log, [`${COLUMN0}>${COLUMN0 + 1}*2`]);
});

test('two steps: pick a card with its run, then tap the target (R11.11)', () => {
  const player = new Player(single, table(single, ['0|9S', '1|8H 7S', '0|5D']), { oneTap: false });
  player.tap(COLUMN0 + 1, 0);
  assert.deepEqual(player.hand.pick, { pile: COLUMN0 + 1, index: 0 });
  player.tap(COLUMN0, 0).tap(COLUMN0 + 2, 0).tap(COLUMN0, 2).tap(COLUMN0, 2);
  assert.deepEqual(player.log, [`${COLUMN0 + 1}>${COLUMN0}*2`, 'no_fit']);
});

test('two steps: a second tap on the picked card lets it go, another card of the pile is picked instead', () => {
  const player = new Player(double, table(double, ['0|8H 7S']), { oneTap: false, doubleTap: false });
  player.tap(COLUMN0, 0).tap(COLUMN0, 1);
  assert.deepEqual(player.hand.pick, { pile: COLUMN0, index: 1 });
  player.tap(COLUMN0, 1);
  assert.equal(player.hand.pick, null);
});

test('two steps take a card back from a foundation, since it was picked on purpose', () => {
  const player = new Player(double, table(double, ['0|4S'], { heights: [0, 0, 3, 0, 0, 0, 0, 0] }), { oneTap: false });
  player.tap(SLOT0 + 2, 0).tap(COLUMN0, 0);
  assert.deepEqual(player.log, [`${SLOT0 + 2}>${COLUMN0}*1`]);
});

test('Enter acts like the taps, and picks what taps would leave alone (R11.12)', () => {
  const player = new Player(double, table(double, ['0|8H 7S', '0|9S', '0|4C'], { heights: [0, 0, 3, 0, 0, 0, 0, 0] }));
  player.hand.act({ pile: COLUMN0, index: 0 });
  player.hand.act({ pile: COLUMN0 + 1, index: 0 });
  player.hand.act({ pile: SLOT0 + 2, index: 0 });
  player.hand.act({ pile: COLUMN0 + 2, index: 0 });
  player.hand.act({ pile: STOCK, index: -1 });
  assert.deepEqual(player.log, [`${COLUMN0}>${COLUMN0 + 1}*2`, `${SLOT0 + 2}>${COLUMN0 + 2}*1`, `kind ${KIND.DRAW}`]);
});

test('a pick lasts only while its cards lie where they lay', () => {
  const view = table(double, ['0|8H 7S', '0|9S']);
  const player = new Player(double, view, { oneTap: false });
  player.tap(COLUMN0, 0);
  player.hand.keep(view, { ...view, score: 5 });
  assert.notEqual(player.hand.pick, null);
  player.hand.keep(view, table(double, ['0|8H', '0|9S']));
  assert.equal(player.hand.pick, null);
});

test('face-down cards, the stock and covered waste cards cannot be lifted', () => {
  const view = table(double, ['1|8H'], { waste: '2C 3C' });
  assert.equal(liftable(view, { pile: STOCK, index: -1 }), false);
  assert.equal(liftable(view, { pile: COLUMN0, index: -1 }), false);
  assert.equal(liftable(view, { pile: WASTE, index: 0 }), false);
  assert.equal(liftable(view, { pile: WASTE, index: 1 }), true);
});

// ---------------------------------------------------------------- walking by keyboard

test('arrows walk stock, waste, columns and foundations in order, and stop at the ends', () => {
  const view = table(double, ['0|8H 7S', '0|9S'], { waste: '2C' });
  const order = walk(double);
  let at = { pile: STOCK, index: -1 };
  assert.deepEqual(step(double, view, at, 'ArrowLeft'), at);
  const seen = [at.pile];
  for (let i = 1; i < order.length; i++) seen.push((at = step(double, view, at, 'ArrowRight')).pile);
  assert.deepEqual(seen, order);
  assert.deepEqual(step(double, view, at, 'ArrowRight'), at);
  assert.equal(step(double, view, at, 'Home').pile, STOCK);
});

test('Up walks a run from its top card down, and stops at the first open one', () => {
  const view = table(double, ['2|8H 7S 6D']);
  const top = topOf(view, COLUMN0);
  assert.equal(top.index, 2);
  const up = step(double, view, step(double, view, top, 'ArrowUp'), 'ArrowUp');
  assert.equal(up.index, 0);
  assert.deepEqual(step(double, view, up, 'ArrowUp'), up);
  assert.equal(step(double, view, up, 'ArrowDown').index, 1);
});

test('Up and Down change the row among foundations, and lead between stock and waste', () => {
  const view = table(double, []);
  assert.equal(step(double, view, { pile: SLOT0 + 1, index: -1 }, 'ArrowDown').pile, SLOT0 + 3);
  assert.equal(step(double, view, { pile: SLOT0 + 1, index: -1 }, 'ArrowUp').pile, SLOT0 + 1);
  assert.equal(step(double, view, { pile: STOCK, index: -1 }, 'ArrowDown').pile, WASTE);
});

test('an empty pile is one place, a column as many as it has open cards', () => {
  const view = table(double, ['3|8H 7S']);
  assert.deepEqual(stops(view, COLUMN0), [{ pile: COLUMN0, index: 0 }, { pile: COLUMN0, index: 1 }]);
  assert.deepEqual(stops(view, COLUMN0 + 1), [{ pile: COLUMN0 + 1, index: -1 }]);
  assert.deepEqual(stops(view, WASTE), [{ pile: WASTE, index: -1 }]);
});

// ---------------------------------------------------------------- lanes

test('when not all lanes fit: you, the leader, those next to you, the others', () => {
  const rows = [0, 1, 2, 3, 4, 5].map((i) => ({ you: i === 3 }));
  assert.deepEqual(keepOrder(rows), [3, 0, 2, 4, 1, 5]);
  assert.deepEqual(keepOrder(rows.map(() => ({ you: false }))), [0, 1, 2, 3, 4, 5]);
});
