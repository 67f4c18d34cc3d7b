import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dealOf } from '../../client_web/js/deal.js';
import {
  COLUMN0, FOUNDATIONS, KIND, UNKNOWN, WASTE, doubleTapMove, openCards, resignMove, rulesetOf, stockMove, transferMove, undoMove,
} from '../../client_web/js/rules.js';
import { WINDOW, dealt, denied, end, moved, newModel, play, restored } from '../../client_web/js/table/board-model.js';
import { matches } from '../../client_web/js/table/line.js';
import { Referee } from './referee.js';

/** @import { Move, Ruleset, View } from '../../client_web/js/rules.js' */
/** @import { BoardModel, Play, Step } from '../../client_web/js/table/board-model.js' */

const double = rulesetOf('DS1-D1N');

/** A player's screen and a server, joined by two queues that the test empties as it likes. */
class Pair {
  /** @param {Ruleset} ruleset @param {string} code */
  constructor(ruleset, code) {
    this.referee = new Referee(ruleset, dealOf(code));
    /** @type {{move: Move, turned: number[], score: number, auto: boolean, view: View}[]} */
    this.log = [];
    this.model = newModel(ruleset, this.referee.view);
    /** @type {Play[]} */
    this.up = [];
    /** @type {{type: string, ply: number, [field: string]: any}[]} */
    this.down = [];
    this.resyncs = 0;
    /** @type {string[]} */
    this.refusals = [];
    /** The server says `busy` to the next fresh move. */
    this.busy = false;
  }

  /** @param {Step} step */
  take(step) {
    this.model = step.model;
    this.up.push(...step.send);
    if (step.refused) this.refusals.push(step.refused);
    if (step.resync) this.resyncs++;
    const sent = this.model.pending.filter(({ sent }) => sent).length;
    assert.ok(sent + this.model.ghosts.length <= WINDOW, 'too many unanswered');
    return this;
  }

  /** @param {(view: View) => Move | string} want */
  play(want) {
    return this.take(play(this.model, want));
  }

  /** The server takes one command. */
  serve() {
    const command = this.up.shift();
    if (!command) return this;
    const { ply, move } = command;
    const known = this.log[ply];
    if (known) this.down.push(JSON.stringify(known.move) === JSON.stringify(move) ? this.answer(ply) : this.restore(ply));
    else if (ply > this.log.length) this.down.push({ type: 'Denied', ply, code: 'seq' });
    else if (this.busy) this.down.push({ type: 'Denied', ply, code: 'busy' });
    else this.judge(ply, move);
    if (!known && ply === this.log.length) this.busy = false;
    return this;
  }

  /** @param {number} ply @param {Move} move */
  judge(ply, move) {
    const { code, turned, auto } = this.referee.play(move);
    if (code) return void this.down.push({ type: 'Denied', ply, code });
    const view = this.referee.view;
    const entry = { move, turned, auto, view, score: view.score };
    this.log.push(entry);
    if (auto) this.log.push({ ...entry, move: { ...resignMove(), kind: KIND.AUTO } });
    this.down.push(this.answer(ply));
  }

  /** @param {number} ply */
  answer(ply) {
    const { move, turned, score, auto } = /** @type {(typeof this.log)[number]} */ (this.log[ply]);
    return move.kind === KIND.UNDO ? this.restore(ply) : { type: 'Moved', ply, turned, score, auto };
  }

  /** @param {number} ply */
  restore(ply) {
    return { type: 'Restored', ply, view: this.log[ply + 1] ? this.referee.view : (this.log[ply]?.view ?? this.referee.view) };
  }

  /** The screen takes one answer. */
  hear() {
    const answer = /** @type {any} */ (this.down.shift());
    if (!answer) return this;
    const verb = answer.type === 'Moved' ? moved : answer.type === 'Denied' ? denied : restored;
    return this.take(verb(this.model, answer));
  }

  /** Everything on the way arrives. */
  drain() {
    while (this.up.length || this.down.length) this.serve().hear();
    return this;
  }

  /** The line breaks: what was on its way back is lost, of what was on its way to the server some. @param {number} arriving */
  reconnect(arriving) {
    this.up.length = Math.min(this.up.length, arriving);
    while (this.up.length) this.serve();
    this.down = [];
    return this.take(dealt(this.model, this.referee.view));
  }
}

const press = (/** @type {View} */ view) => stockMove(view);
const undo = () => undoMove();
/** @param {number} pile */
const tapTop = (pile) => (/** @type {View} */ view) => doubleTapMove(double, view, pile, openCards(view, pile).length - 1);

test('a move shows at once and is confirmed by its answer', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press);
  assert.deepEqual(pair.model.shown.waste, [UNKNOWN]);
  assert.deepEqual(pair.up, [{ ply: 0, move: { kind: KIND.DRAW, source: 0, target: 0, count: 0 } }]);
  pair.drain();
  assert.deepEqual(pair.model.shown.waste, pair.referee.view.waste);
  assert.equal(pair.model.pending.length, 0);
});

test('twenty presses in a row lose nothing, and no more than the window are sent unanswered', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB');
  for (let i = 0; i < 20; i++) pair.play(press);
  assert.equal(pair.model.shown.waste.length, 20);
  assert.equal(pair.up.length, WINDOW);
  pair.drain();
  assert.deepEqual(pair.model.base.view.waste, pair.referee.view.waste);
  assert.equal(pair.referee.view.ply, 20);
});

test('a want that touches an unknown card waits for it, and what comes after waits behind', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press).play(tapTop(WASTE)).play(press);
  assert.deepEqual([pair.model.pending.length, pair.model.waiting.length, pair.up.length], [1, 2, 1]);
  pair.drain();
  assert.deepEqual([pair.model.pending.length, pair.model.waiting.length], [0, 0]);
  assert.ok(pair.referee.view.ply >= 1);
  assert.deepEqual(pair.model.shown.waste, pair.referee.view.waste);
});

test('a want that turns out impossible takes those behind it along, and says why', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAA').play(press).play((view) => transferMove(view, WASTE, 0, FOUNDATIONS)).play(press);
  pair.drain();
  assert.deepEqual(pair.refusals, ['no_foundation']);
  assert.equal(pair.referee.view.ply, 1);
});

test('a want that turns out to mean nothing is dropped alone, without a word', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAA').play(press).play((view) => (view.waste[0] === UNKNOWN ? 'waiting' : '')).play(press);
  pair.drain();
  assert.deepEqual([pair.refusals, pair.referee.view.ply], [[], 2]);
});

test('a refused move is rolled back with all that was built on it, and says so once', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press).drain();
  pair.busy = true;
  for (let i = 0; i < 5; i++) pair.play(press);
  pair.serve().hear();
  assert.equal(pair.model.shown.waste.length, 1);
  pair.play(press);
  assert.equal(pair.model.shown.waste.length, 2);
  pair.drain();
  assert.deepEqual([pair.refusals, pair.resyncs, pair.model.ghosts], [['busy'], 0, []]);
  assert.deepEqual(pair.model.shown.waste, pair.referee.view.waste);
  assert.equal(pair.referee.view.ply, 2);
});

test('an undo shows the view before at once; drawn cards stay known', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press).drain();
  const card = pair.model.shown.waste[0];
  pair.play(undo);
  assert.deepEqual([pair.model.shown.waste, pair.model.shown.stock, pair.model.shown.ply], [[], 59, 2]);
  pair.play(press);
  assert.deepEqual(pair.model.shown.waste, [card]);
  pair.drain();
  assert.deepEqual([pair.model.shown.waste, pair.resyncs], [[card], 0]);
});

test('undo after a return waits for the server, since nothing before is known', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press).play(press).drain();
  pair.model = newModel(double, pair.referee.view);
  pair.play(undo).play(press);
  assert.deepEqual([pair.model.blocked, pair.model.shown.waste.length, pair.model.waiting.length], [true, 2, 1]);
  pair.drain();
  assert.deepEqual([pair.model.shown.waste.length, pair.model.blocked], [2, false]);
  assert.ok(matches(pair.model.shown, pair.referee.view));
});

test('on return, what the server has is done and the rest is sent again', () => {
  for (let arriving = 0; arriving <= 4; arriving++) {
    const pair = new Pair(double, 'DS1-D1N-AAAAAAB');
    for (let i = 0; i < 4; i++) pair.play(press);
    pair.reconnect(arriving).drain();
    assert.deepEqual([pair.referee.view.ply, pair.resyncs], [4, 0]);
    assert.deepEqual(pair.model.shown.waste, pair.referee.view.waste);
  }
});

test('on return to a board that another device played on, pending moves are dropped', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press);
  const other = new Pair(double, 'DS1-D1N-AAAAAAB');
  other.referee.play(press(other.referee.view));
  other.referee.play(press(other.referee.view));
  const step = dealt(pair.model, other.referee.view);
  assert.deepEqual([step.dropped, step.send, step.model.pending], [1, [], []]);
  assert.deepEqual(step.model.shown.waste, other.referee.view.waste);
});

test('an answer that fits nothing asks for a snapshot; one that comes twice is no news', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press);
  assert.equal(moved(pair.model, { ply: 3, score: 0, turned: [], auto: false }).resync, true);
  pair.drain();
  assert.equal(moved(pair.model, { ply: 0, score: 0, turned: [1], auto: false }).resync, false);
});

test('a board ended from outside takes no more moves, and still hears its answers', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press);
  pair.take(end(pair.model, 'time_up')).play(press);
  assert.deepEqual([pair.model.shown.ended, pair.refusals], ['time_up', ['ended']]);
  pair.drain();
  assert.deepEqual([pair.model.shown.waste.length, pair.resyncs, pair.model.shown.ended], [1, 0, 'time_up']);
});

test('the scores of a chain are those that the server confirms', () => {
  const pair = new Pair(double, 'DS1-D1N-AAAAAAB').play(press);
  const step = moved(pair.model, { ply: 0, score: 77, turned: [3], auto: false });
  assert.equal(step.model.shown.score, 77);
});

/** @param {() => number} random @returns {(view: View) => Move | string} something a player might try */
function anyWant(random) {
  const roll = random();
  if (roll < 0.35) return press;
  if (roll < 0.47) return undo;
  const pile = roll < 0.6 ? WASTE : COLUMN0 + Math.floor(random() * 9);
  if (roll < 0.85) return tapTop(pile);
  const target = random() < 0.2 ? FOUNDATIONS : COLUMN0 + Math.floor(random() * 9);
  const depth = Math.floor(random() * 3);
  return (view) => transferMove(view, pile, Math.max(0, openCards(view, pile).length - 1 - depth), target);
}

for (const id of ['DS1-D1N', 'DS1-D3V', 'SS1-D1N', 'SS1-D3N']) {
  test(`${id}: whatever order commands, answers, refusals and lost lines come in, both sides agree in the end`, () => {
    for (let game = 0; game < 40; game++) {
      let seed = 1 + game * 7919;
      const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
      const undoPolicy = /** @type {const} */ (['all', 'hidden', 'none'])[game % 3] ?? 'all';
      const letters = Array.from({ length: 7 }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Math.floor(random() * 32))).join('');
      const pair = new Pair(rulesetOf(id, { undo: undoPolicy }), `${id}-${letters}`);
      const log = `${id}-${letters} ${undoPolicy} seed ${game}`;
      for (let step = 0; step < 300; step++) {
        const roll = random();
        if (roll < 0.4) pair.play(anyWant(random));
        else if (roll < 0.68) pair.serve();
        else if (roll < 0.96) pair.hear();
        else if (roll < 0.98) pair.busy = true;
        else pair.reconnect(Math.floor(random() * 6));
        assert.equal(pair.resyncs, 0, log);
      }
      pair.busy = false;
      pair.drain().drain();
      const { model, referee } = pair;
      assert.deepEqual([model.pending.length, model.waiting.length, model.ghosts.length, model.blocked], [0, 0, 0, false], log);
      assert.deepEqual(model.shown.columns, referee.view.columns, log);
      assert.deepEqual([model.shown.waste, model.shown.foundations, model.shown.stock], [referee.view.waste, referee.view.foundations, referee.view.stock], log);
      const counters = (/** @type {View} */ view) => [view.ply, view.score, view.ended];
      assert.deepEqual(counters(model.shown), counters(referee.view), log);
      // A card whose answer was lost with the line is new to this side only: it may promise less, never more
      assert.ok(model.shown.undoable <= referee.view.undoable && (undoPolicy !== 'all' || model.shown.undoable === referee.view.undoable), log);
    }
  });
}
