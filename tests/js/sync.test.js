import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Refusal } from '../../client_web/js/socket.js';
import { memoryKeep } from '../../client_web/js/storage.js';
import { reduce, START } from '../../client_web/js/store.js';
import { Session } from '../../client_web/js/sync.js';
import { C } from '../../client_web/js/wire.gen.js';

const open = { phase: 'open', verdict: null, retryAtMs: 0, attempt: 0 };
const down = { phase: 'waiting', verdict: 'retry', retryAtMs: 1, attempt: 1 };
const options = { ruleset: 'DS1-D1N', goal: 'first', minutes: 10, seats: 4 };
const info = (code = 'KVMXR', phase = 'open') => ({ type: 'RoomInfo', code, options, phase, host: 0, locked: false, watchers: 0, deal: 1, decided: false, startable_ms: 0 });
const heat = { type: 'HeatInfo', heat: 'HEATAAAAAA', number: 1, commitment: 'seal', gun_ms: 5, deadline_ms: 9, seats: [0], gone: [] };
const view = (ply) => ({ ply, columns: [[0, Uint8Array.of(7)]] });
const dealt = (ply) => ({ type: 'Dealt', heat: 'HEATAAAAAA', seat: 0, view: view(ply) });

let state, sent, asked, session, keep, refusals, led, board, nowMs;

beforeEach(() => {
  state = START;
  sent = [];
  asked = [];
  refusals = [];
  led = [];
  keep = memoryKeep();
  board = { calls: [] };
  for (const name of ['dealt', 'moved', 'denied', 'restored']) board[name] = (value) => board.calls.push([name, value.ply ?? value]);
  nowMs = 0;
  session = makeSession();
});

/** The client of a page, as it is before anything has come. */
function makeSession() {
  return new Session({
    line: {
      request: (make) => new Promise((resolve, reject) => asked.push({ frame: make(asked.length + 1), resolve, reject })),
      post: (frame) => sent.push(frame),
    },
    keep,
    state: () => state,
    dispatch: (event) => {
      state = reduce(state, event, 0);
    },
    lang: () => 'en',
    now: () => nowMs,
    onNoEntry: (code, refusal) => refusals.push([code, refusal]),
    onLed: (code) => led.push(code),
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The server lets us in: everything about the room, then the answer. */
async function letIn(code = 'KVMXR', seat = 0) {
  session.onEvent(info(code));
  session.onEvent({ type: 'SeatRow', seat, player: 'p', name: 'N', tag: '', bot: 0, ready: false, present: true, you: true, wins: 0 });
  const entered = { type: 'Entered', n: asked.length, code, seat };
  session.onEvent(entered);
  asked.at(-1).resolve(entered);
  await settle();
}

test('a new secret is kept and shown at the next Hello', () => {
  assert.deepEqual(session.hello(), { token: '', name: '', lang: 'en' });
  session.onEvent({ type: 'Welcome', n: 1, player: 'p', tag: '', name: 'N', token: 'secret', server_ms: 0, room: '' });
  assert.equal(session.hello().token, 'secret');
  session.onEvent({ type: 'Welcome', n: 2, player: 'p', tag: '', name: 'N', token: '', server_ms: 0, room: '' });
  assert.equal(session.hello().token, 'secret');
});

test('the room of the address is entered once the line is up', async () => {
  session.want('KVMXR');
  assert.equal(asked.length, 0);
  session.onStatus(open);
  assert.deepEqual(asked[0].frame, [C.EnterRoom, 1, 'KVMXR', false]);
  await letIn();
  assert.equal(state.room.code, 'KVMXR');
  assert.equal(asked.length, 1);
});

test('after a loss the room is entered again, as a watcher if one was', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  await letIn('KVMXR', 0);
  session.onEvent({ type: 'SeatFreed', seat: 0 });
  session.onStatus(down);
  session.onStatus(open);
  assert.deepEqual(asked[1].frame, [C.EnterRoom, 2, 'KVMXR', true]);
});

/** The room of a quick match: everything about it, with these seats taken and the first of them one's own. */
function tellMatch(code, seats = [0]) {
  session.onEvent({ ...info(code), options: { ...options, match: true } });
  for (const seat of seats) session.onEvent({ type: 'SeatRow', seat, player: `p${seat}`, name: 'N', tag: '', bot: 0, ready: true, present: true, you: seat === seats[0], wins: 0 });
}

/** The answer to the latest command: in this room, on this seat. */
async function answer(code, seat = 0) {
  const entered = { type: 'Entered', n: asked.length, code, seat };
  session.onEvent(entered);
  asked.at(-1).resolve(entered);
  await settle();
}

test('who comes back to a quick match and is alone there looks again, and goes where somebody waits', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  tellMatch('KVMXR');
  await answer('KVMXR');
  assert.deepEqual(asked[1].frame, [C.QuickMatch, 2, 'DS1-D1N']);
  session.onEvent({ type: 'LeftRoom', reason: 'left' });
  session.want(''); // the page of a room one has left gives way
  tellMatch('BBBBB', [1, 0]);
  await answer('BBBBB', 1);
  assert.deepEqual(led, ['BBBBB']);
  assert.equal(state.room.code, 'BBBBB');
  session.want('BBBBB');
  session.onStatus(open);
  assert.equal(asked.length, 2, 'inside already');
});

test('who looks at another page as somebody is found stays on it', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  tellMatch('KVMXR', [0, 1]);
  await answer('KVMXR');
  session.want('');
  session.onEvent({ type: 'SeatFreed', seat: 1 });
  tellMatch('BBBBB', [1, 0]);
  await answer('BBBBB', 1);
  assert.deepEqual([led, state.room.code, asked.length], [[], 'BBBBB', 2]);
});

test('who finds nobody stays where one waits, and nobody is led from company, a race or another kind of room', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  tellMatch('KVMXR', [0, 1]);
  await answer('KVMXR');
  assert.equal(asked.length, 1, 'company');
  session.onEvent({ type: 'SeatFreed', seat: 1 });
  assert.deepEqual(asked[1].frame, [C.QuickMatch, 2, 'DS1-D1N'], 'left alone');
  await answer('KVMXR');
  assert.deepEqual(led, []);
  session.onStatus(down);
  session.onStatus(open);
  tellMatch('KVMXR');
  await answer('KVMXR');
  assert.equal(asked.length, 4);
  asked[3].reject(new Refusal('busy'));
  await settle();
  assert.deepEqual([led, refusals, state.room.code], [[], [], 'KVMXR']);
  session.onEvent(heat);
  session.onEvent({ ...info('KVMXR', 'running'), options: { ...options, match: true } });
  session.onStatus(down);
  session.onStatus(open);
  session.onEvent({ ...info('KVMXR', 'running'), options: { ...options, match: true } });
  session.onEvent({ type: 'SeatRow', seat: 0, player: 'p', name: 'N', tag: '', bot: 0, ready: true, present: true, you: true, wins: 0 });
  session.onEvent(heat);
  await answer('KVMXR');
  assert.equal(asked.length, 5, 'a race');
});

test('a room that is refused is said and not asked for again by itself', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  asked[0].reject(new Refusal('locked'));
  await settle();
  assert.deepEqual(refusals, [['KVMXR', 'locked']]);
  session.onStatus(down);
  session.onStatus(open);
  assert.equal(asked.length, 1);
  session.retry();
  assert.equal(asked.length, 2);
});

test('an entry that was lost with the line is asked for with the next one', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  asked[0].reject(new Refusal('lost'));
  session.onStatus(down);
  await settle();
  session.onStatus(open);
  assert.equal(asked.length, 2);
  assert.deepEqual(refusals, []);
});

test('a room that closed while we were away is left', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  await letIn();
  session.onStatus(down);
  session.onStatus(open);
  asked[1].reject(new Refusal('noroom'));
  await settle();
  assert.equal(state.room, null);
  assert.equal(state.left, 'closed');
});

test('who was removed is not let in again by the address alone', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  await letIn();
  session.onEvent({ type: 'LeftRoom', reason: 'kicked' });
  session.reconcile();
  assert.equal(asked.length, 1);
});

test('a room that was created is not entered twice', async () => {
  session.onStatus(open);
  session.onEvent(info());
  session.onEvent({ type: 'Entered', n: 9, code: 'KVMXR', seat: 0 });
  session.arrived();
  session.want('KVMXR');
  assert.equal(asked.length, 0);
});

test('a board that came before its table is given to it', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  await letIn();
  session.onEvent(heat);
  session.onEvent(dealt(0));
  session.attach(board, 'HEATAAAAAA', true);
  assert.deepEqual(board.calls, [['dealt', 0]]);
  session.onEvent({ type: 'Moved', ply: 0, score: 5, turned: Uint8Array.of(), auto: false });
  session.onEvent({ type: 'Denied', ply: 1, code: 'no_fit' });
  session.onEvent({ type: 'Restored', ply: 2, view: view(1) });
  assert.deepEqual(board.calls.map(([name]) => name), ['dealt', 'moved', 'denied', 'restored']);
});

test('a table that comes back after moves asks for everything again', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  await letIn();
  session.onEvent(heat);
  session.onEvent(dealt(0));
  session.attach(board, 'HEATAAAAAA', true);
  session.play(0, { kind: 1, source: 0, target: 0, count: 0 });
  session.detach();
  session.attach(board, 'HEATAAAAAA', true);
  assert.equal(asked.at(-1).frame[0], C.Resync);
});

test('before the gun there is nothing to ask for', async () => {
  session.want('KVMXR');
  session.onStatus(open);
  await letIn();
  session.attach(board, 'HEATAAAAAA', false);
  assert.equal(asked.length, 1);
});

test('what was seen of the deal is remembered from the gun on', () => {
  session.onEvent(heat);
  session.onEvent(dealt(0));
  session.play(0, { kind: 1, source: 0, target: 0, count: 0 });
  session.onEvent({ type: 'Moved', ply: 0, score: 0, turned: Uint8Array.of(33), auto: false });
  session.play(1, { kind: 3, source: 1, target: 20, count: 1 });
  session.onEvent({ type: 'Moved', ply: 1, score: 5, turned: Uint8Array.of(44), auto: false });
  assert.deepEqual([session.seen.opening, session.seen.drawn, session.seen.seal], [[7], [33], 'seal']);
  session.onEvent({ type: 'Restored', ply: 2, view: view(1) });
  assert.equal(session.seen.counting, false);
  assert.deepEqual(sent[0], [C.Play, 0, 1, 0, 0, 0]);
});

test('a page that was loaded again, or another window, goes on from what was seen', () => {
  session.onEvent(heat);
  session.onEvent(dealt(0));
  session.play(0, { kind: 1, source: 0, target: 0, count: 0 });
  session.onEvent({ type: 'Moved', ply: 0, score: 0, turned: Uint8Array.of(33), auto: false });
  nowMs = 6;
  const other = makeSession();
  other.onEvent(heat);
  other.onEvent(dealt(1));
  other.play(1, { kind: 1, source: 0, target: 0, count: 0 });
  other.onEvent({ type: 'Moved', ply: 1, score: 0, turned: Uint8Array.of(34), auto: false });
  for (const seen of [other.seen, other.seenOf('HEATAAAAAA'), session.seenOf('HEATAAAAAA'), makeSession().seenOf('HEATAAAAAA')]) {
    assert.deepEqual([seen.before, seen.opening, seen.drawn, seen.counting], [true, [7], [33, 34], true]);
  }
  session.onEvent(heat);
  assert.deepEqual(session.seen.drawn, [33, 34]);
  assert.equal(session.seenOf('OTHERHEAT'), null);
});

test('a seal that came after the gun is not one from before it, however often it is said again', () => {
  nowMs = 5;
  session.onEvent(heat);
  assert.equal(session.seen.before, false);
  nowMs = 4;
  session.onEvent(heat);
  assert.equal(session.seen.before, false);
});

test('a worthless token is forgotten, and the room with it', () => {
  keep.set('kupa:token', 'old');
  session.forgetIdentity();
  assert.equal(session.hello().token, '');
  assert.equal(state.left, '');
});
