import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ownStanding, standings } from '../../client_web/js/ranking.js';

const row = (seat, out, score, sinceMs, state = 0) => ({ seat, out, score, moves: 1, state, sinceMs });
const heat = (rows, ended = {}) => ({
  info: { seats: rows.map((one) => one.seat) }, rows: Object.fromEntries(rows.map((one) => [one.seat, one])), curves: {}, ended,
});
const places = (list) => list.map((one) => [one.seat, one.place]);

test('first to finish: who won by time, then cards out, then score, then who was there first', () => {
  const ended = { 2: { ended: 'won', elapsed_ms: 400_000 }, 3: { ended: 'won', elapsed_ms: 300_000 } };
  const rows = [row(0, 40, 500, 10), row(1, 40, 520, 99), row(2, 104, 900, 0), row(3, 104, 800, 0), row(4, 40, 500, 5)];
  assert.deepEqual(places(standings(heat(rows, ended), 'first')), [[3, 1], [2, 2], [1, 3], [4, 4], [0, 5]]);
});

test('best score: by score, then who reached it first; winning does not matter', () => {
  const rows = [row(0, 104, 500, 10, 1), row(1, 3, 520, 99), row(2, 9, 500, 5)];
  assert.deepEqual(places(standings(heat(rows), 'score')), [[1, 1], [2, 2], [0, 3]]);
});

test('equals share a place and the next one is skipped', () => {
  const rows = [row(0, 4, 40, 7), row(1, 4, 40, 7), row(2, 1, 10, 7)];
  assert.deepEqual(places(standings(heat(rows), 'first')), [[0, 1], [1, 1], [2, 3]]);
});

test('seats of which nothing has been heard stand at nothing', () => {
  const empty = { info: { seats: [0, 1] }, rows: {}, curves: {}, ended: {} };
  assert.deepEqual(places(standings(empty, 'first')), [[0, 1], [1, 1]]);
});

test('how a board ended comes from the news, or from the row', () => {
  const list = standings(heat([row(0, 1, 1, 0, 2), row(1, 1, 1, 0, 0)], { 1: { ended: 'time_up', elapsed_ms: 1 } }), 'first');
  assert.deepEqual(list.map((one) => one.ended).sort(), ['resigned', 'time_up']);
});

test('a watcher has no standing of their own', () => {
  const room = { seat: -1, heat: heat([row(0, 1, 1, 0)]), info: { options: { goal: 'first' } } };
  assert.equal(ownStanding(room), null);
  assert.deepEqual(ownStanding({ ...room, seat: 0 }).of, 1);
  assert.equal(ownStanding({ ...room, heat: null }), null);
});
