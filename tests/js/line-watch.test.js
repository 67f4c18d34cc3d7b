import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LineWatch } from '../../client_web/js/line-watch.js';

/** What is said at each quarter of a second: `at` tells of the line then. */
function follow(untilMs, at) {
  const watch = new LineWatch();
  const said = [];
  for (let now = 1000; now <= 1000 + untilMs; now += 250) {
    const { lost, saving, back } = watch.look({ now, pendingSinceMs: 1000, quietMs: () => now - 1000, ...at(now - 1000) });
    said.push(back ? 'back' : lost ? 'lost' : saving ? 'saving' : '');
  }
  return said;
}
const runs = (said) => said.filter((one, i) => one !== said[i - 1]);

test('a move without an answer is being saved, then the connection is lost, with no gap while the line is given up late', () => {
  const said = follow(20_000, (ms) => ({ open: ms < 11_000, pending: ms < 18_000 ? 1 : 0 }));
  assert.deepEqual(runs(said), ['', 'saving', 'lost']);
  assert.ok(said.indexOf('lost') * 250 < 2600);
});

test('while the line lives a move is being saved, however long the store takes', () => {
  const said = follow(20_000, (ms) => ({ open: true, pending: ms < 18_000 ? 1 : 0, quietMs: () => ms % 1000 }));
  assert.deepEqual(runs(said), ['', 'saving', '']);
});

test('nobody is asked for a sign of life while answers come', () => {
  follow(2000, (ms) => ({ open: true, pending: ms < 500 ? 1 : 0, quietMs: () => assert.fail('asked') }));
});

test('a line that is down is said soon, also when nothing was played', () => {
  const said = follow(4000, () => ({ open: false, pending: 0 }));
  assert.deepEqual(runs(said), ['', 'lost']);
  assert.ok(said.indexOf('lost') * 250 < 2000);
});

test('"lost" stays until the line is up and everything is answered, and goes with "back"', () => {
  const said = follow(9000, (ms) => ({ open: ms > 6000, pending: ms < 7000 ? 2 : 0 }));
  assert.deepEqual(runs(said), ['', 'saving', 'lost', 'back', '']);
  assert.equal(said.indexOf('back') * 250, 7000);
});

test('a short break is not worth a word', () => {
  assert.deepEqual(runs(follow(4000, (ms) => ({ open: ms > 1000, pending: 0 }))), ['']);
});
