import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Pull } from '../../client_web/js/pull.js';

/** A server whose answers are taken from a list, and a clock that is set. */
function setUp(...answers) {
  const one = { asked: [], now: 0, changes: 0 };
  const get = async (path) => {
    one.asked.push(path);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return { ok: answer.status === undefined, status: answer.status ?? 200, json: async () => answer };
  };
  one.pull = new Pull(get, () => one.now, () => { one.changes += 1; });
  one.wait = () => new Promise((resolve) => { setImmediate(resolve); });
  return one;
}

test('what is not known is asked for once, and told when it has come', async () => {
  const one = setUp({ n: 1 });
  assert.equal(one.pull.at('/a', 1000).value, null);
  one.pull.at('/a', 1000);
  await one.wait();
  assert.deepEqual([one.asked.length, one.changes, one.pull.at('/a', 1000).value.n], [1, 1, 1]);
});

test('an old answer is shown until the new one has come', async () => {
  const one = setUp({ n: 1 }, { n: 2 });
  one.pull.at('/a', 5000);
  await one.wait();
  one.now = 5001;
  assert.deepEqual(one.pull.at('/a', 5000), { value: { n: 1 }, fault: '', ageMs: 5001 });
  await one.wait();
  assert.equal(one.pull.at('/a', 5000).value.n, 2);
  assert.equal(one.asked.length, 2);
});

test('a server that does not answer is asked again after a pause', async () => {
  const one = setUp(new TypeError('no line'), { status: 503, error: 'busy' }, { n: 3 });
  one.pull.at('/a', 60_000);
  await one.wait();
  assert.equal(one.pull.at('/a', 60_000).fault, 'offline');
  assert.equal(one.asked.length, 1);
  one.now = 4001;
  one.pull.at('/a', 60_000);
  await one.wait();
  assert.equal(one.pull.at('/a', 60_000).fault, 'busy');
  one.now = 8002;
  one.pull.at('/a', 60_000);
  await one.wait();
  assert.deepEqual([one.pull.at('/a', 60_000).value.n, one.pull.at('/a', 60_000).fault], [3, '']);
});

test('that there is nothing is an answer too', async () => {
  const one = setUp({ status: 404, error: 'not_found' });
  one.pull.at('/a', 60_000);
  await one.wait();
  one.now = 30_000;
  assert.equal(one.pull.at('/a', 60_000).fault, 'not_found');
  assert.equal(one.asked.length, 1);
});

test('what may have changed is asked for again, and shown until then', async () => {
  const one = setUp({ n: 1 }, { n: 2 });
  one.pull.at('/a', 60_000);
  await one.wait();
  one.pull.stale();
  assert.equal(one.pull.at('/a', 60_000).value.n, 1);
  await one.wait();
  assert.equal(one.pull.at('/a', 60_000).value.n, 2);
});
