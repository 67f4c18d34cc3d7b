import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ServerClock } from '../../client_web/js/clock.js';

test('before any answer the local time is shown', () => {
  const clock = new ServerClock();
  assert.equal(clock.known, false);
  assert.equal(clock.at(123), 123);
});

test('an answer is taken to be read half-way through its round trip', () => {
  const clock = new ServerClock();
  clock.sample(1000, 1100, 501_050);
  assert.equal(clock.at(1100), 501_100);
});

test('of the last eight probes the one with the shortest round trip is believed', () => {
  const clock = new ServerClock();
  clock.sample(0, 400, 10_350);
  clock.sample(1000, 1020, 11_010);
  clock.sample(2000, 2500, 12_450);
  assert.equal(clock.rttMs, 20);
  assert.equal(clock.best?.offset, 10_000);
  for (let i = 0; i < 8; i += 1) clock.sample(3000 + i, 3100 + i, 13_050 + i + 7);
  assert.equal(clock.rttMs, 100);
});

test('the shown time moves towards a better estimate, without a jump and never back', () => {
  const clock = new ServerClock();
  clock.sample(0, 400, 10_200);
  assert.equal(clock.at(400), 10_400);
  clock.sample(500, 520, 10_310);
  const readings = [];
  for (let local = 520; local <= 4520; local += 100) readings.push(clock.at(local));
  for (let i = 1; i < readings.length; i += 1) {
    const step = readings[i] - readings[i - 1];
    assert.ok(step > 0 && Math.abs(step - 100) <= 10.001, `step ${step}`);
  }
  assert.equal(readings.at(-1), 4520 + 9800);
});

test('more than a second off, the time is set', () => {
  const clock = new ServerClock();
  clock.sample(0, 10, 10_005);
  clock.restart();
  clock.sample(1000, 1010, 91_005);
  assert.equal(clock.at(1010), 91_010);
});
