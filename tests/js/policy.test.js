import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  comesBack, FLOOD_RETRY_MS, liveness, MAX_RETRY_MS, PING_EVERY_MS, retryDelay, SILENCE_MS, verdictOf,
} from '../../client_web/js/policy.js';

const half = () => 0.5;
const most = () => 0.999999;

test('a lost line, a restart, a slow reader and a server fault all come back', () => {
  for (const code of [1000, 1001, 1005, 1006, 1011, 1012, 4013, 4408, 3000]) assert.equal(verdictOf(code, true), 'retry');
});

test('opened elsewhere, too old a page and a broken protocol are not tried again', () => {
  assert.equal(verdictOf(4409, true), 'elsewhere');
  assert.equal(verdictOf(4426, true), 'outdated');
  for (const code of [4400, 4403, 1002, 1003, 1007, 1009]) assert.equal(verdictOf(code, true), 'broken');
  for (const verdict of /** @type {const} */ (['elsewhere', 'outdated', 'broken'])) assert.equal(comesBack(verdict), false);
});

test('a token that is not known makes a new identity; without one the server has had enough of us', () => {
  assert.equal(verdictOf(4401, true), 'identity');
  assert.equal(verdictOf(4401, false), 'flood');
});

test('the first try after a goodbye falls anywhere within what the server asked for', () => {
  assert.equal(retryDelay('retry', 0, 4000, () => 0), 0);
  assert.equal(retryDelay('retry', 0, 4000, half), 2000);
  assert.ok(retryDelay('retry', 0, 4000, most) < 4000);
});

test('without a goodbye the range doubles from half a second and ends at thirty', () => {
  const ranges = [0, 1, 2, 3, 10, 1000].map((attempt) => Math.round(retryDelay('retry', attempt, null, half) * 2));
  assert.deepEqual(ranges, [500, 1000, 2000, 4000, MAX_RETRY_MS, MAX_RETRY_MS]);
});

test('a goodbye counts for the first try only', () => {
  assert.equal(retryDelay('retry', 1, 5000, half), 500);
});

test('after a flood the next try is at least thirty seconds away', () => {
  assert.equal(retryDelay('flood', 0, 100, () => 0), FLOOD_RETRY_MS);
  assert.ok(retryDelay('flood', 3, null, most) > FLOOD_RETRY_MS);
});

test('an answered line is pinged every four seconds', () => {
  const line = { heardMs: 0, pingedMs: 0, answered: true };
  assert.equal(liveness(line, PING_EVERY_MS - 1), 'wait');
  assert.equal(liveness(line, PING_EVERY_MS), 'ping');
});

test('nine seconds without a sign of life are the end of a line', () => {
  const line = { heardMs: 0, pingedMs: 4000, answered: false };
  assert.equal(liveness(line, SILENCE_MS - 1), 'wait');
  assert.equal(liveness(line, SILENCE_MS), 'dead');
});

test('a tab that was asleep asks before it despairs', () => {
  const asleep = { heardMs: 0, pingedMs: 0, answered: true };
  assert.equal(liveness(asleep, 60_000), 'ping');
  assert.equal(liveness({ heardMs: 0, pingedMs: 60_000, answered: false }, 61_000), 'wait');
});
