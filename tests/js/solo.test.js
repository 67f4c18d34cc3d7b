import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { Desk } from '../../client_web/js/desk.js';
import { Refusal } from '../../client_web/js/socket.js';
import { Solo } from '../../client_web/js/solo.js';
import { reduce, savedGame, START } from '../../client_web/js/store.js';
import { C } from '../../client_web/js/wire.gen.js';

const open = { phase: 'open', verdict: null, retryAtMs: 0, attempt: 0 };
const down = { phase: 'waiting', verdict: 'retry', retryAtMs: 1, attempt: 1 };
const view = (more = {}) => ({ ply: 0, score: 0, moves: 0, stock: 59, foundations: [0, 0, 0, 0, 0, 0, 0, 0], ended: '', ...more });
const game = (n, ruleset = 'DS1-D1N', code = `${ruleset}-AAAAAAB`, more = {}) => ({ type: 'SoloGame', n, ruleset, code, elapsed_ms: 5000, view: view(more), certified: false });
const row = (ruleset, more = {}) => ({ ruleset, code: `${ruleset}-AAAAAAB`, out: 3, score: 40, moves: 12, ended: '', ...more });
const NOW = 60_000;

let later, state, asked, session, solo, refused, shown, app, desk, went;

beforeEach(() => {
  state = reduce(START, { type: '@status', status: open }, NOW);
  asked = [];
  refused = [];
  later = [];
  shown = [];
  went = [];
  session = { alone: [], playAlone: (alone) => session.alone.push(alone) };
  const dispatch = (event) => {
    state = reduce(state, event, NOW);
    app.state = state;
  };
  solo = new Solo({
    line: { request: (make) => new Promise((resolve, reject) => asked.push({ frame: make(asked.length + 1), resolve, reject })) },
    session, state: () => state, dispatch, onRefused: (code) => refused.push(code),
    later: (run, ms) => later.push([run, ms]),
  });
  solo.table = ({ code }, anew) => shown.push([code, anew]);
  app = { state, route: { page: 'home' }, act: { refused: (code) => refused.push(code) } };
  desk = new Desk(app, solo, (route, how = {}) => {
    went.push([route, how.replace ?? false]);
    app.route = route;
  });
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
const tell = (event) => {
  state = reduce(state, event, NOW);
  app.state = state;
  solo.onEvent(event);
};
const status = (value) => tell({ type: '@status', status: value });

/** The server answers the last question. */
async function answer(event) {
  tell(event);
  asked.at(-1).resolve(event);
  await settle();
}

test('a saved game is asked for, and shown when it comes', async () => {
  void solo.open('SS1-D3N', { code: 'SS1-D3N-AAAAAAB' });
  assert.deepEqual(asked[0].frame, [C.OpenSolo, 1, 'SS1-D3N', 'SS1-D3N-AAAAAAB', false, false]);
  assert.deepEqual(session.alone, [true]);
  await answer(game(1, 'SS1-D3N'));
  assert.deepEqual(shown, [['SS1-D3N-AAAAAAB', true]]);
  assert.deepEqual(state.alone, { ruleset: 'SS1-D3N', code: 'SS1-D3N-AAAAAAB', certified: false, gunMs: NOW - 5000, endedMs: -1 });
});

test('after a lost line the game one is in is asked for by its code, and is not new', async () => {
  void solo.open('DS1-D1N', { fresh: true });
  await answer(game(1));
  status(down);
  void solo.again();
  assert.equal(asked.length, 1);
  status(open);
  void solo.again();
  assert.deepEqual(asked[1].frame, [C.OpenSolo, 2, 'DS1-D1N', 'DS1-D1N-AAAAAAB', false, false]);
  await answer(game(2));
  assert.deepEqual(shown.at(-1), ['DS1-D1N-AAAAAAB', false]);
});

test('a question that was lost with the line is asked again with the next one', async () => {
  void solo.open('DS1-D1N', { fresh: true });
  status(down);
  asked[0].reject(new Refusal('lost'));
  await settle();
  status(open);
  void solo.again();
  assert.deepEqual(asked[1].frame, [C.OpenSolo, 2, 'DS1-D1N', '', true, false]);
  assert.deepEqual(refused, []);
});

test('the same cards dealt once more are a new game', async () => {
  void solo.open('DS1-D1N');
  await answer(game(1));
  void solo.open('DS1-D1N', { code: 'DS1-D1N-AAAAAAB', fresh: true });
  await answer(game(2));
  assert.deepEqual(shown, [['DS1-D1N-AAAAAAB', true], ['DS1-D1N-AAAAAAB', true]]);
});

test('who chooses another game while the first is on its way gets the second only', async () => {
  void solo.open('DS1-D1N');
  void solo.open('SS1-D1N');
  assert.equal(asked.length, 1);
  await answer(game(1));
  assert.deepEqual(asked[1].frame, [C.OpenSolo, 2, 'SS1-D1N', '', false, false]);
  await answer(game(2, 'SS1-D1N'));
  assert.deepEqual(shown, [['SS1-D1N-AAAAAAB', true]]);
});

test('a deal that can be won is looked for until there is one', async () => {
  desk.dealAny('DS1-D1N', true);
  assert.deepEqual(asked[0].frame, [C.OpenSolo, 1, 'DS1-D1N', '', true, true]);
  asked[0].reject(new Refusal('no_deal'));
  await settle();
  assert.ok(solo.looking);
  assert.deepEqual([asked.length, refused, later[0][1]], [1, [], 1000]);
  later[0][0]();
  assert.deepEqual(asked[1].frame, [C.OpenSolo, 2, 'DS1-D1N', '', true, true]);
  await answer(game(2));
  assert.ok(!solo.looking);
  void solo.again();
  assert.deepEqual(asked[2].frame, [C.OpenSolo, 3, 'DS1-D1N', 'DS1-D1N-AAAAAAB', false, false]);
});

test('who wants something else meanwhile looks no more', async () => {
  desk.dealAny('DS1-D1N', true);
  asked[0].reject(new Refusal('no_deal'));
  await settle();
  desk.dealAny('DS1-D3V', true);
  assert.deepEqual(asked[1].frame, [C.OpenSolo, 2, 'DS1-D3V', '', true, false]);
  later[0][0]();
  assert.equal(asked.length, 2);
});

test('a game that the server read again by itself is shown again', async () => {
  void solo.open('DS1-D1N');
  await answer(game(1));
  tell(game(0, 'DS1-D1N', 'DS1-D1N-AAAAAAB', { ply: 3 }));
  assert.deepEqual(shown.at(-1), ['DS1-D1N-AAAAAAB', false]);
});

test('a refused game is let go, and said', async () => {
  void solo.open('DS1-D1N', { code: 'DS1-D1N-AAAAAAB', fresh: true });
  asked[0].reject(new Refusal('busy'));
  await settle();
  assert.deepEqual(refused, ['busy']);
  assert.equal(solo.want, null);
  assert.deepEqual(session.alone, [true, false]);
});

test('leaving gives the line back to rooms; what comes late changes nothing', async () => {
  void solo.open('DS1-D1N');
  solo.leave();
  assert.deepEqual(session.alone, [true, false]);
  await answer(game(1));
  assert.deepEqual(shown, []);
});

// ---------------------------------------------------------------- the state

test('the row of a saved game follows the game on the table, and its clock stops at the end', () => {
  tell({ type: 'SoloGames', n: 1, rows: [row('SS1-D1N'), row('DS1-D1N')] });
  tell(game(2, 'DS1-D1N', 'DS1-D1N-BBBBBBB'));
  assert.deepEqual(state.saved.map(({ ruleset, code }) => [ruleset, code]), [['DS1-D1N', 'DS1-D1N-BBBBBBB'], ['SS1-D1N', 'SS1-D1N-AAAAAAB']]);
  state = reduce(state, { type: '@alone', out: 104, score: 1300, moves: 200, ended: 'won' }, NOW + 1000);
  assert.equal(state.alone.endedMs, 6000);
  assert.equal(savedGame(state, 'DS1-D1N'), null);
  assert.equal(savedGame(state, 'SS1-D1N').moves, 12);
  state = reduce(state, { type: '@alone', out: 104, score: 1300, moves: 200, ended: 'won' }, NOW + 9000);
  assert.equal(state.alone.endedMs, 6000);
});

test('another player has other games', () => {
  const welcome = (player) => ({ type: 'Welcome', player, tag: '', name: 'N', token: '', room: '' });
  tell(welcome('p'));
  tell({ type: 'SoloGames', n: 1, rows: [row('SS1-D1N')] });
  tell(welcome('p'));
  assert.equal(state.saved.length, 1);
  tell(welcome('q'));
  assert.equal(state.saved, null);
});

// ---------------------------------------------------------------- addresses

const at = (route, rows) => {
  if (rows) tell({ type: 'SoloGames', n: 1, rows });
  app.route = route;
  desk.turn();
  desk.settle();
};

test('the address of a ruleset opens its saved game, also one that has ended', () => {
  at({ page: 'play', ruleset: 'SS1-D1N' }, [row('SS1-D1N', { ended: 'won' })]);
  assert.deepEqual(asked.at(-1).frame, [C.OpenSolo, 1, 'SS1-D1N', 'SS1-D1N-AAAAAAB', false, false]);
  desk.settle();
  assert.equal(asked.length, 1);
});

test('before it is known what is saved, that is asked for, once', () => {
  at({ page: 'play', ruleset: 'SS1-D1N' });
  desk.settle();
  assert.deepEqual(asked.map(({ frame }) => frame), [[C.ListSolo, 1]]);
});

test('the link of a deal opens it at once where nothing is in the way', () => {
  at({ page: 'deal', code: 'ds1-d1n-aaaaaab' }, [row('SS1-D1N')]);
  assert.deepEqual(asked.at(-1).frame, [C.OpenSolo, 1, 'DS1-D1N', 'DS1-D1N-AAAAAAB', true, false]);
  assert.deepEqual(went, [[{ page: 'play', ruleset: 'DS1-D1N' }, true]]);
});

test('the link of the deal one is in goes on with it', () => {
  at({ page: 'deal', code: 'DS1-D1N-AAAAAAB' }, [row('DS1-D1N')]);
  assert.deepEqual(asked.at(-1).frame, [C.OpenSolo, 1, 'DS1-D1N', 'DS1-D1N-AAAAAAB', false, false]);
});

test('a saved game with moves is not replaced by a link unasked; one without is', () => {
  at({ page: 'deal', code: 'DS1-D1N-BBBBBBB' }, [row('DS1-D1N')]);
  assert.equal(asked.length, 0);
  assert.equal(desk.arrival('DS1-D1N-BBBBBBB').state, 'ask');
  at({ page: 'deal', code: 'DS1-D1N-BBBBBBB' }, [row('DS1-D1N', { moves: 0 })]);
  assert.deepEqual(asked.at(-1).frame.slice(2), ['DS1-D1N', 'DS1-D1N-BBBBBBB', true, false]);
});

test('a link that names no deal says what is wrong with it', () => {
  for (const [code, fault] of [['DS1-D1N-AAAAAA9', 'bad_character'], ['DS2-D1N-AAAAAAB', 'unknown_family'], ['%E0%A4%A', 'bad_character']]) {
    const arrival = desk.arrival(code);
    assert.equal(arrival.state === 'bad' && arrival.error.code, fault, code);
  }
  assert.equal(desk.arrival('DS1-D1N-AAAAAAB').state, 'wait');
});

test('any other page lets the game go', async () => {
  at({ page: 'play', ruleset: 'DS1-D1N' }, [row('DS1-D1N')]);
  await answer(game(1));
  at({ page: 'home' });
  assert.equal(solo.want, null);
  assert.equal(state.alone, null);
});
