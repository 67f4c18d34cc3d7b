import assert from 'node:assert/strict';
import { test } from 'node:test';

import { standings } from '../../client_web/js/ranking.js';
import { isHost, racerOf, reduce, seatsOf, stageOf, START } from '../../client_web/js/store.js';

const options = { ruleset: 'DS1-D1N', goal: 'first', minutes: 10, seats: 4 };
const info = (more = {}) => ({
  type: 'RoomInfo', code: 'KVMXR', options, phase: 'open', host: 0, locked: false, watchers: 0, deal: 1, decided: false,
  startable_ms: 0, ...more,
});
const seat = (number, more = {}) => ({
  type: 'SeatRow', seat: number, player: `p${number}`, name: `N${number}`, tag: '', bot: 0, ready: false,
  present: true, you: false, wins: 0, ...more,
});
const heat = (more = {}) => ({
  type: 'HeatInfo', heat: 'HEATAAAAAA', number: 1, commitment: 'ab', gun_ms: 10_000, deadline_ms: 610_000,
  seats: [0, 1], gone: [], ...more,
});
const progress = (...rows) => ({ type: 'Progress', rows: rows.flat() });

/** The state after events, each at a moment of the server's clock. */
function after(events, state = START, nowMs = 0) {
  return events.reduce((before, event) => {
    const { at = nowMs, ...rest } = event;
    return reduce(before, rest, at);
  }, state);
}

const inside = [info(), seat(0, { you: true }), seat(1), { type: 'Entered', n: 1, code: 'KVMXR', seat: 0 }];
const racing = [...inside, heat(), info({ phase: 'countdown' })];

test('Welcome says who we are and where we still have a seat', () => {
  const state = after([{ type: 'Welcome', player: 'p', tag: '4F', name: 'Deniz', room: 'KVMXR' }]);
  assert.deepEqual(state.me, { player: 'p', tag: '4F', name: 'Deniz' });
  assert.equal(state.elsewhere, 'KVMXR');
  assert.equal(after([{ type: '@renamed', name: 'Ada' }], state).me?.name, 'Ada');
});

test('a room is known by its info, its seats and our place in it', () => {
  const { room } = after(inside);
  assert.equal(room.seat, 0);
  assert.deepEqual(seatsOf(room).map((row) => row.name), ['N0', 'N1']);
  assert.equal(isHost(room), true);
  assert.equal(stageOf(room), 'waiting');
});

test('what belongs to a room is ignored outside one', () => {
  assert.equal(after([seat(0), heat(), progress([0, 1, 10, 1, 0])]), START);
});

test('another room begins empty', () => {
  const { room } = after([...racing, info({ code: 'BBBBB' })]);
  assert.deepEqual([room.code, room.seats, room.heat, room.seat], ['BBBBB', {}, null, -1]);
});

test('a freed seat is gone; our own makes us a watcher', () => {
  const { room } = after([...inside, { type: 'SeatFreed', seat: 0 }]);
  assert.deepEqual(Object.keys(room.seats), ['1']);
  assert.equal(room.seat, -1);
});

test('sitting down and standing up follow the rows marked as ours', () => {
  const state = after([...inside, { type: 'SeatFreed', seat: 0 }, seat(2, { you: true })]);
  assert.equal(state.room.seat, 2);
});

test('a returning client keeps nothing that did not come again', () => {
  const state = after([...inside, { type: '@snapshot' }, info(), seat(0, { you: true }), seat(3),
    { type: 'Entered', n: 2, code: 'KVMXR', seat: 0 }]);
  assert.deepEqual(Object.keys(state.room.seats), ['0', '3']);
});

test('a heat that did not come again while one is said to run is forgotten, a finished one stays', () => {
  const running = [...racing, { type: '@snapshot' }];
  const entered = { type: 'Entered', n: 2, code: 'KVMXR', seat: 0 };
  assert.equal(after([...running, info({ phase: 'countdown' }), entered]).room.heat, null);
  assert.notEqual(after([...running, info({ phase: 'countdown' }), heat(), entered]).room.heat, null);
  assert.notEqual(after([...running, info({ phase: 'open' }), entered]).room.heat, null);
});

test('everything asked for again while inside ends with the same rule', () => {
  const { room } = after([...inside, { type: '@snapshot' }, info(), seat(0, { you: true }), { type: '@snapshot-done' }]);
  assert.deepEqual(Object.keys(room.seats), ['0']);
});

test('a seat that races sees the race, everybody else watches', () => {
  assert.equal(stageOf(after(racing).room), 'race');
  const late = after([...racing, { type: 'SeatFreed', seat: 0 }]);
  assert.equal(stageOf(late.room), 'watch');
});

test('who leaves in the middle of a race keeps the name until the next heat, for those who come late too', () => {
  const room = (...events) => after([...racing, ...events]).room;
  const left = room({ type: 'SeatFreed', seat: 1 });
  assert.equal(left.seats[1], undefined);
  assert.deepEqual([racerOf(left, 1).name, racerOf(left, 1).present], ['N1', false]);
  assert.equal(racerOf(room({ type: 'SeatFreed', seat: 1 }, heat({ gun_ms: 11_000 })), 1).name, 'N1');
  const late = after([info(), heat({ gone: [{ seat: 1, name: 'Bo' }] }), seat(0)]).room;
  assert.deepEqual([racerOf(late, 0).name, racerOf(late, 1).name], ['N0', 'Bo']);
  assert.equal(racerOf(room({ type: 'SeatFreed', seat: 1 }, heat({ heat: 'HEATBBBBBB' })), 1), undefined);
});

test('the order of HeatInfo and RoomInfo does not matter', () => {
  assert.equal(stageOf(after([...inside, heat()]).room), 'waiting');
  assert.equal(stageOf(after([...inside, info({ phase: 'running' }), heat()]).room), 'race');
});

test('progress draws a curve of cards out from the gun', () => {
  const { room } = after([...racing, { ...progress([1, 3, 30, 5, 0]), at: 12_000 }, { ...progress([1, 3, 30, 6, 0]), at: 13_000 },
    { ...progress([1, 4, 40, 7, 0]), at: 15_000 }]);
  assert.deepEqual(room.heat.curves[1], [{ atMs: 0, out: 0, score: 0 }, { atMs: 2000, out: 3, score: 30 }, { atMs: 5000, out: 4, score: 40 }]);
  assert.deepEqual(room.heat.rows[1], { seat: 1, out: 4, score: 40, moves: 7, state: 0, sinceMs: 5000 });
});

test('who has not put a card out shares the place, whether a row of theirs has come or not', () => {
  const draws = [{ type: '@own', seat: 0, out: 0, score: 0, moves: 0, at: 10_500 }, { ...progress([1, 0, 0, 1, 0]), at: 14_000 }];
  for (let heard = 0; heard <= draws.length; heard += 1) {
    const { room } = after([...racing, ...draws.slice(0, heard)]);
    assert.deepEqual(standings(room.heat, 'first').map(({ place }) => place), [1, 1]);
    assert.deepEqual(standings(room.heat, 'score').map(({ place }) => place), [1, 1]);
  }
});

test('a game of Vegas begins with its stake', () => {
  const options = { ruleset: 'DS1-D1V', goal: 'score' };
  const { room } = after([info({ options }), heat({ heat: 'HEATVEGAAA' })]);
  assert.deepEqual(Object.values(room.heat.rows).map(({ score }) => score), [-104, -104]);
});

test('a row that says nothing new changes nothing', () => {
  const state = after([...racing, progress([1, 3, 30, 5, 0])]);
  assert.equal(reduce(state, progress([1, 3, 30, 5, 0]), 99_000), state);
});

test('the own board is a row like the others', () => {
  const { room } = after([...racing, { type: '@own', seat: 0, out: 2, score: 20, moves: 9, at: 11_000 }]);
  assert.deepEqual(room.heat.rows[0], { seat: 0, out: 2, score: 20, moves: 9, state: 0, sinceMs: 1000 });
});

test('a long curve is thinned and keeps its last point', () => {
  let state = after(racing);
  for (let i = 1; i <= 600; i += 1) state = reduce(state, progress([1, i % 104, i, i, 0]), 10_000 + i * 100);
  const curve = state.room.heat.curves[1];
  assert.ok(curve.length <= 241);
  assert.equal(curve.at(-1).score, 600);
});

test('times of a heat may shift; what was seen of it stays', () => {
  const { room } = after([...racing, progress([1, 3, 30, 5, 0]), heat({ deadline_ms: 620_000 })]);
  assert.equal(room.heat.info.deadline_ms, 620_000);
  assert.equal(room.heat.rows[1].out, 3);
});

test('a result ends the race; the next heat begins a new one', () => {
  const result = { type: 'HeatResult', heat: 'HEATAAAAAA', number: 1, rows: [], code: '', nonce: '', commitment: '' };
  const closed = after([...racing, result]);
  assert.equal(stageOf(closed.room), 'result');
  const next = after([heat({ heat: 'HEATBBBBBB' }), info({ phase: 'countdown' })], closed);
  assert.equal(stageOf(next.room), 'race');
  assert.deepEqual(Object.values(next.room.heat.rows).map(({ seat, out, moves }) => [seat, out, moves]), [[0, 0, 0], [1, 0, 0]]);
});

test('boards that have ended have a place until the result says better', () => {
  const ended = { type: 'BoardEnded', seat: 1, ended: 'won', elapsed_ms: 300_000, place: 1 };
  assert.equal(after([...racing, ended]).room.heat.ended[1].place, 1);
});

test('the last reaction of each seat is kept with its moment', () => {
  const { room } = after([...inside, { type: 'Reacted', seat: 1, reaction: 2, at: 500 }]);
  assert.deepEqual(room.reactions[1], { reaction: 2, atMs: 500 });
});

test('of another tournament nothing is known until it is told', () => {
  const told = [{ type: '@tournament', code: 'KVMXR' }, { type: 'TournamentInfo', code: 'KVMXR', phase: 'entry' }, { type: 'TournamentYou', status: 'in', room: '' }].reduce((state, event) => reduce(state, event, 0), START);
  assert.equal(told.tournament?.info?.phase, 'entry');
  assert.equal(told.tournament?.you?.status, 'in');
  assert.deepEqual(reduce(told, { type: '@tournament', code: 'ABCDE' }, 0).tournament, { code: 'ABCDE', info: null, you: null });
  assert.equal(reduce(told, { type: '@tournament', code: '' }, 0).tournament, null);
});

test('leaving, being removed and a closed room are told apart', () => {
  for (const reason of ['left', 'kicked', 'closed']) {
    const state = after([...inside, { type: 'LeftRoom', reason }]);
    assert.deepEqual([state.room, state.elsewhere, state.left], [null, '', reason]);
  }
  assert.equal(after([...inside, { type: '@out', left: 'closed' }]).left, 'closed');
});
