import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import {
  COLUMN0, FOUNDATIONS, KIND, SLOT0, UNKNOWN, WAITING, WASTE, applyMove, autoComplete, autoReady, cardsOut, check, doubleTapMove, hint,
  legalTargets, oneTapMove, openCards, reveal, rulesetOf, stockMove, tapMove, undoMove, viewOf,
} from '../../client_web/js/rules.js';
import { Referee, cardText, parseCard, parseDeal } from './referee.js';

/** @import { Move, Ruleset, View } from '../../client_web/js/rules.js' */

const double = rulesetOf('DS1-D1N');
const single = rulesetOf('SS1-D1N');
const vegas = rulesetOf('DS1-D3V');

/** @param {string} text cards, deepest first */
const cards = (text) => text.split(' ').filter(Boolean).map(parseCard);

/**
 * A small table: columns as `down|open cards`.
 * @param {{columns?: string[], waste?: string, stock?: number, heights?: number[], score?: number, undoable?: number, ruleset?: Ruleset}} parts
 */
function table({ columns = [], waste = '', stock = 0, heights, score = 0, undoable = 0, ruleset = double }) {
  const laid = Array.from({ length: ruleset.columns }, (_, i) => columns[i] ?? '0|');
  return viewOf({
    ply: 0, moves: 0, score, stock, undoable, ended: '', waste: cards(waste), foundations: heights ?? Array(4 * ruleset.decks).fill(0),
    columns: laid.map((text) => /** @type {[number, number[]]} */ ([Number(text.split('|')[0]), cards(text.split('|')[1] ?? '')])),
  });
}
/** @param {number} n from 1 */
const c = (n) => COLUMN0 + n - 1;
/** @param {number} source @param {number} target @param {number} [count] @returns {Move} */
const to = (source, target, count = 1) => ({ kind: KIND.TRANSFER, source, target, count });
const draw = { kind: KIND.DRAW, source: 0, target: 0, count: 0 };
const recycle = { ...draw, kind: KIND.RECYCLE };

/** @param {View} view */
const shown = (view) => [
  ...view.columns.map(([down, up]) => `${down}|${up.map(cardText).join(' ')}`), `w ${view.waste.map(cardText).join(' ')}`, `f ${view.foundations.join('')}`,
].join(' / ');

// ---------------------------------------------------------------- the golden games

/** @param {string} name */
const games = (name) => gunzipSync(readFileSync(new URL(`../golden/${name}`, import.meta.url))).toString().trim().split('\n');

/**
 * The move that an action of the golden files stands for, or a refusal of the gesture.
 * @param {Ruleset} ruleset
 * @param {View} view
 * @param {any[]} action
 * @returns {Move | string | null} null: an action that this client has no way to ask for
 */
function meaning(ruleset, view, action) {
  const [verb, a, b, n] = action;
  const pile = a === 'w' ? WASTE : c(a);
  switch (verb) {
    case 'draw': return stockMove(view);
    case 'wf': return to(WASTE, FOUNDATIONS);
    case 'wc': return to(WASTE, c(a));
    case 'cf': return to(c(a), FOUNDATIONS);
    case 'cc': return to(c(a), c(b), n);
    case 'fc': return to(SLOT0 + 'SHDC'.indexOf(a) * ruleset.decks + b - 1, c(n));
    case 'undo': return undoMove();
    case 'tap': case 'tap2': {
      const top = openCards(view, pile).length - 1;
      if (view.ended || top < 0) return view.ended ? 'game_won' : 'empty_source';
      return (verb === 'tap' ? tapMove : doubleTapMove)(ruleset, view, pile, top);
    }
    default: return null;
  }
}

/** The position as the golden files name it: 16 hex digits over its lines. @param {Referee} referee */
function digest({ view, hidden, stock }) {
  const text = (/** @type {readonly number[]} */ list) => list.map(cardText).join('');
  const lines = [
    ...view.columns.map(([, up], i) => `C${i + 1} ${text(hidden[i] ?? [])}|${text(up)}`), `S ${text(stock)}`, `W ${text(view.waste)}`, `F ${view.foundations.join(',')}`,
  ];
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/** Refusals that the golden files give and that mean the same as ours. @type {Record<string, string>} */
const SAME = { no_foundation: 'no_place' };

for (const [name, ranked, every] of /** @type {[string, boolean, number][]} */ ([['rules.jsonl.gz', false, 8], ['rules-ranked.jsonl.gz', true, 4]])) {
  test(`golden games of ${name}: the same refusals, scores and moves`, () => {
    let steps = 0;
    for (const line of games(name).filter((_, i) => i % every === 0)) {
      const game = JSON.parse(line);
      const ruleset = rulesetOf(`${game.variant === 'double' ? 'DS1' : 'SS1'}-D${game.draw}${game.scoring}`, { ranked });
      const referee = new Referee(ruleset, parseDeal(game.deal), { auto: false });
      assert.deepEqual([referee.view.score, referee.view.moves], game.start.slice(0, 2));
      for (const [action, result, score, moves, position, won] of game.steps) {
        if (action[0] === 'auto' && result === 'ok') {
          assert.ok(autoReady(ruleset, referee.view));
          break;
        }
        if (result === 'bad_action' || result === 'not_in_this_game') continue;
        const move = meaning(ruleset, referee.view, action);
        if (move === null) continue;
        const code = typeof move === 'string' ? move : referee.play(move).code;
        assert.ok((code ?? 'ok') === result || code === SAME[result], `${game.id} ${JSON.stringify(action)}: ${code}, not ${result}`);
        assert.deepEqual([referee.view.score, referee.view.moves, referee.view.ended === 'won'], [score, moves, won], `${game.id} ${JSON.stringify(action)}`);
        assert.equal(digest(referee), position, `${game.id} ${JSON.stringify(action)}`);
        steps++;
      }
    }
    assert.ok(steps > 2000, `${steps} steps`);
  });
}

// ---------------------------------------------------------------- single rules

test('only a king goes on an empty column (R3.3)', () => {
  const view = table({ columns: ['0|KS', '0|', '2|7H'] });
  assert.equal(check(double, view, to(c(3), c(2))), 'king_only');
  assert.equal(check(double, view, to(c(1), c(2))), null);
});

test('a card goes on one of the other colour and one rank higher (R3.1)', () => {
  const view = table({ columns: ['0|8S', '0|8H', '0|7H', '0|7D'] });
  assert.deepEqual(legalTargets(double, view, c(3), 0), [c(1)]);
  assert.deepEqual(legalTargets(double, view, c(1), 0), []);
});

test('a run moves whole from any open card (R3.2), face-down cards do not (R3.5)', () => {
  const view = table({ columns: ['2|8H 7S 6D', '0|9S', '0|8D'] });
  assert.equal(check(double, view, to(c(1), c(2), 3)), null);
  assert.equal(check(double, view, to(c(1), c(3), 2)), null);
  assert.equal(check(double, view, to(c(1), c(2), 4)), 'face_down');
  assert.equal(check(double, view, to(c(1), c(2), 6)), 'too_many');
});

test('the second ace of spades goes to the second slot (R4.2)', () => {
  const view = table({ columns: ['0|AS', '0|AS'] });
  const first = applyMove(double, view, to(c(1), FOUNDATIONS));
  const second = applyMove(double, first, to(c(2), FOUNDATIONS));
  assert.deepEqual(second.foundations, [1, 1, 0, 0, 0, 0, 0, 0]);
  assert.equal(second.score, 20);
});

test('a foundation top goes back to a column it fits, never to another slot (R3.7)', () => {
  const view = table({ columns: ['0|4S'], heights: [0, 0, 3, 2, 0, 0, 0, 0] });
  assert.deepEqual(legalTargets(double, view, SLOT0 + 2, 0), [c(1)]);
  assert.deepEqual(legalTargets(double, view, SLOT0 + 3, 0), []);
  assert.equal(check(double, view, to(SLOT0 + 2, FOUNDATIONS)), 'foundation_to_foundation');
});

test('a card sent out again scores in solo play and not in a race (R6.3, P3)', () => {
  const solo = rulesetOf('DS1-D1N', { ranked: false });
  const start = table({ columns: ['0|4S', '0|3H'], heights: [0, 0, 2, 0, 0, 0, 0, 0] });
  for (const [ruleset, score] of /** @type {[Ruleset, number][]} */ ([[solo, 20], [double, 10]])) {
    const moves = [to(c(2), FOUNDATIONS), to(SLOT0 + 2, c(1)), to(c(1), FOUNDATIONS)];
    assert.equal(moves.reduce((view, move) => applyMove(ruleset, view, move), start).score, score);
  }
});

test('draw three turns what is left (R5.1); what the server must tell is unknown', () => {
  const view = applyMove(vegas, table({ stock: 2, ruleset: vegas }), draw);
  assert.deepEqual([view.stock, view.waste], [0, [UNKNOWN, UNKNOWN]]);
  assert.deepEqual(reveal(view, draw, Uint8Array.of(5, 6)).waste, [5, 6]);
});

test('in Vegas the stock comes once (R5.4), else the waste turns over (R5.3)', () => {
  const view = table({ waste: '5H KD', score: 40 });
  assert.equal(check(vegas, view, draw), 'stock_exhausted');
  assert.equal(check(double, view, draw), 'stock_empty');
  assert.equal(check(double, view, recycle), null);
  assert.equal(check(double, { ...view, stock: 3 }, recycle), 'stock_not_empty');
  assert.equal(check(double, table({}), recycle), 'nothing_to_draw');
});

test('a turn-over costs 100 but never goes below 0, and its cards are known from then on (R6.1)', () => {
  const over = applyMove(double, table({ waste: '5H KD', score: 40 }), recycle);
  assert.deepEqual([over.score, over.stock, over.waste], [0, 2, []]);
  const drawn = applyMove(double, over, draw);
  assert.deepEqual([drawn.waste.map(cardText), drawn.stock], [['5H'], 1]);
});

test('the single game turns over and draws in one action, for nothing (R11.3, R11.4)', () => {
  const ruleset = rulesetOf('SS1-D2N');
  const view = applyMove(ruleset, table({ waste: '5H KD 2C', score: 40, ruleset }), recycle);
  assert.deepEqual([view.waste.map(cardText), view.stock, view.score, view.ply], [['5H', 'KD'], 1, 40, 1]);
});

test('a column that is uncovered waits for its card', () => {
  const view = applyMove(double, table({ columns: ['1|7H', '0|8S'] }), to(c(1), c(2)));
  assert.deepEqual(view.columns[0], [0, [UNKNOWN]]);
  assert.equal(view.score, 5);
  assert.equal(tapMove(double, view, c(1), 0), WAITING);
  assert.equal(check(double, view, to(c(1), c(3))), WAITING);
  assert.equal(check(double, view, to(c(2), c(1))), WAITING);
  assert.deepEqual(reveal(view, to(c(1), c(2)), [12]).columns[0], [0, [12]]);
});

test('undo follows the room: none, until a card is revealed, all (P2, ruling 6)', () => {
  const view = table({ stock: 4, columns: ['0|8S', '0|7H'], undoable: 3 });
  assert.equal(check(rulesetOf('DS1-D1N', { undo: 'none' }), view, undoMove()), 'undo_off');
  assert.equal(check(double, table({}), undoMove()), 'nothing_to_undo');
  const hidden = rulesetOf('DS1-D1N', { undo: 'hidden' });
  assert.equal(applyMove(hidden, view, to(c(2), c(1))).undoable, 4);
  const drawn = applyMove(hidden, view, draw);
  assert.equal(drawn.undoable, 0);
  assert.equal(check(hidden, drawn, undoMove()), 'undo_revealed');
  assert.equal(applyMove(hidden, { ...view, known: [3] }, draw).undoable, 4);
});

test('at most 200 actions can be undone in the double game (R7.1)', () => {
  assert.equal(applyMove(double, table({ stock: 1, undoable: 200 }), draw).undoable, 200);
  assert.equal(applyMove(single, table({ stock: 1, undoable: 200, ruleset: single }), draw).undoable, 201);
});

test('once won nothing more is accepted (R8.1)', () => {
  const view = table({ columns: ['0|KC'], heights: [13, 13, 13, 13, 13, 13, 13, 12] });
  const won = applyMove(double, view, to(c(1), FOUNDATIONS));
  assert.deepEqual([won.ended, cardsOut(won), won.undoable], ['won', 104, 0]);
  assert.equal(check(double, won, undoMove()), 'game_won');
  assert.equal(check(double, { ...view, ended: 'time_up' }, draw), 'ended');
});

test('the single game completes itself once nothing is hidden (R11.6)', () => {
  const view = table({ columns: ['0|KS QH', '1|KH'], heights: [12, 11, 13, 13], ruleset: single });
  assert.equal(autoReady(single, view), false);
  const open = { ...view, columns: view.columns.map(([, up]) => /** @type {const} */ ([0, up])) };
  assert.equal(autoReady(single, open), true);
  assert.equal(autoReady(double, open), false);
  assert.deepEqual([autoComplete(single, open).ended, cardsOut(autoComplete(single, open))], ['won', 52]);
});

test('an id that is no ruleset is refused', () => {
  for (const id of ['DS1-D2N', 'SS1-D1V', 'DS1', '']) assert.throws(() => rulesetOf(id), RangeError);
});

// ---------------------------------------------------------------- gestures

test('a tap sends a top card out and does nothing else (R9.1)', () => {
  const view = table({ columns: ['0|AS', '0|7H', '0|8S'], heights: [0, 0, 0, 0, 0, 0, 0, 0] });
  assert.deepEqual(tapMove(double, view, c(1), 0), to(c(1), FOUNDATIONS));
  assert.equal(tapMove(double, view, c(2), 0), 'no_place');
});

test('two taps find the column with the most cards, the leftmost of equals (R9.2)', () => {
  const view = table({ columns: ['0|8S', '2|8C', '0|9H 8S 7D', '2|8S', '0|7H'] });
  assert.deepEqual(doubleTapMove(double, view, c(5), 0), to(c(5), c(2)));
  assert.equal(doubleTapMove(double, view, c(3), 1), 'no_place');
});

test('two taps send a king to the leftmost empty column, but a lone king stays (R9.2)', () => {
  const view = table({ columns: ['1|KS', '0|KH', '0|', '0|'] });
  assert.deepEqual(doubleTapMove(double, view, c(1), 0), to(c(1), c(3)));
  assert.equal(doubleTapMove(double, view, c(2), 0), 'no_place');
});

test('one tap finds a place for a run, too (R11.11)', () => {
  const view = table({ columns: ['1|8H 7S', '0|9S', '0|KH QS', '0|', '2|KD QC'], ruleset: single });
  assert.deepEqual(oneTapMove(single, view, c(1), 0), to(c(1), c(2), 2));
  assert.equal(oneTapMove(single, view, c(3), 0), 'no_place');
  assert.deepEqual(oneTapMove(single, view, c(5), 0), to(c(5), c(4), 2));
});

test('no tap ever takes a card back from a foundation', () => {
  const view = table({ columns: ['0|4S'], heights: [0, 0, 3, 0, 0, 0, 0, 0] });
  for (const gesture of [tapMove, doubleTapMove, oneTapMove]) assert.equal(gesture(double, view, SLOT0 + 2, 0), 'no_place');
});

// ---------------------------------------------------------------- hint

test('a hint sees aces first, then what turns a card, then the stock (R11.10)', () => {
  assert.deepEqual(hint(double, table({ columns: ['2|7H', '0|8S', '0|AC'], stock: 5 })), to(c(3), FOUNDATIONS));
  assert.deepEqual(hint(double, table({ columns: ['2|7H', '0|8S'], stock: 5 })), to(c(1), c(2)));
  assert.deepEqual(hint(double, table({ columns: ['0|7H', '0|9S'], stock: 5 })), draw);
  assert.deepEqual(hint(double, table({ columns: ['0|7H', '0|9S'], waste: '2C' })), recycle);
  assert.equal(hint(vegas, table({ columns: ['0|7H', '0|9S'], waste: '2C', ruleset: vegas })), null);
});

test('a hint frees a card for its foundation by moving what lies on it', () => {
  const view = table({ columns: ['0|3H 2S', '0|3D'], heights: [0, 0, 2, 0, 0, 0, 0, 0] });
  assert.deepEqual(hint(double, view), to(c(1), c(2)));
});

test('every hint is a legal move, in a hundred deals played by hints alone', () => {
  const deal = Array.from({ length: 104 }, (_, i) => i % 52);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let game = 0; game < 100; game++) {
    const order = deal.map((card) => ({ card, key: random() })).sort((a, b) => a.key - b.key).map(({ card }) => card);
    const referee = new Referee(double, order);
    for (let step = 0; step < 200; step++) {
      const move = hint(double, referee.view);
      if (!move) break;
      assert.equal(referee.play(move).code, null, `${shown(referee.view)}: ${JSON.stringify(move)}`);
    }
  }
});
