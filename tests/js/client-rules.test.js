import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { COLUMN0, FOUNDATIONS, KIND, SLOT0, WASTE, applyMove, autoComplete, check, reveal, rulesetOf, viewOf } from '../../client_web/js/rules.js';

/** @import { Move, Ruleset } from '../../client_web/js/rules.js' */

// The format of this file stands in engine/golden.py, which writes it.
const golden = JSON.parse(readFileSync(new URL('../golden/client-rules.json', import.meta.url), 'utf8'));

/** @param {any} position @returns {Ruleset} */
const rulesOf = ({ ruleset, ranked, undo }) => rulesetOf(ruleset, { ranked, undo });

/** @param {any} position */
const seen = ({ view }) => viewOf(view);

/** Every possible move, in the order of the golden file. @param {Ruleset} ruleset @returns {Move[]} */
function everyMove({ decks, columns }) {
  const table = Array.from({ length: columns }, (_, i) => COLUMN0 + i);
  const slots = Array.from({ length: 4 * decks }, (_, i) => SLOT0 + i);
  const presses = [KIND.DRAW, KIND.RECYCLE, KIND.UNDO, KIND.AUTO, KIND.RESIGN].map((kind) => ({ kind, source: 0, target: 0, count: 0 }));
  const moves = [...presses, { kind: KIND.RESIGN, source: 0, target: 0, count: 1 }];
  for (const source of [WASTE, ...slots, ...table]) {
    for (const target of [FOUNDATIONS, ...table]) {
      for (let count = 1; count <= (source >= COLUMN0 ? 13 : 1); count++) moves.push({ kind: KIND.TRANSFER, source, target, count });
    }
  }
  return moves;
}

/** @param {string} runs */
const unpacked = (runs) => [...runs.matchAll(/(\d*)(\D)/g)].flatMap(([, count, letter]) => Array(Number(count || 1)).fill(letter));

test('the browser refuses what the server refuses, with the same reason', () => {
  for (const [number, position] of golden.positions.entries()) {
    const [ruleset, view] = [rulesOf(position), seen(position)];
    const moves = everyMove(ruleset);
    const letters = unpacked(position.refusals);
    assert.equal(letters.length, moves.length);
    moves.forEach((move, i) => {
      if (letters[i] !== '?') assert.equal(check(ruleset, view, move), golden.codes[letters[i]], `position ${number} ${JSON.stringify(move)}`);
    });
  }
});

test('the browser shows after a move what the server has, score included', () => {
  for (const [number, position] of golden.positions.entries()) {
    const [ruleset, view] = [rulesOf(position), seen(position)];
    for (const { move: [kind, source, target, count], turned, after } of position.legal) {
      if (kind === KIND.UNDO || (kind === KIND.RESIGN && count)) continue;
      const move = { kind, source, target, count };
      const found = kind === KIND.AUTO ? autoComplete(ruleset, view) : reveal(applyMove(ruleset, view, move), move, turned);
      for (const [field, value] of Object.entries({ ...position.view, ...after })) {
        if (field === 'marks' ? !ruleset.ranked : kind === KIND.AUTO && field === 'score') continue;
        assert.deepEqual(found[/** @type {keyof typeof found} */ (field)], value, `position ${number} ${JSON.stringify(move)} ${field}`);
      }
    }
  }
});
