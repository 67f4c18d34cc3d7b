import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { joined, readAttempt, readHeat, ReplayError } from '../../client_web/js/replay-file.js';
import { instant, moveOf, parseInstant, parting, solutionBoard, Track } from '../../client_web/js/replay.js';
import { cardsOut } from '../../client_web/js/rules.js';

const FOLDER = new URL('../golden/replays/', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

/** @param {string} name @returns {any} */
function told(name) {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** @param {string} fault */
const refused = (fault) => (/** @type {unknown} */ error) => error instanceof ReplayError && error.fault === fault;

// ---------------------------------------------------------------- the golden heats

for (const name of files) {
  test(`the browser plays ${name} again to its result, board by board`, () => {
    const heat = readHeat(told(name));
    assert.equal(heat.bound, heat.open ? null : true);
    for (const board of heat.boards) {
      const track = new Track(heat, board);
      assert.equal(track.views.length, board.entries.length + 1);
      assert.equal(track.holds, true, board.name);
      const last = track.viewAt(track.endMs + 1);
      assert.deepEqual([last.ended, cardsOut(last), last.score, last.moves], [board.ended, board.out, board.score, board.moves]);
    }
  });

  test(`every card of ${name} is in its place at every moment`, () => {
    const heat = readHeat(told(name));
    const all = heat.ruleset.startsWith('DS1') ? 104 : 52;
    for (const board of heat.boards) {
      for (const view of new Track(heat, board).views) {
        const columns = view.columns.reduce((sum, [down, up]) => sum + down + up.length, 0);
        assert.equal(columns + view.stock + view.waste.length + cardsOut(view), all);
        assert.ok(view.columns.every(([down, up]) => up.length > 0 || down === 0));
        assert.ok(![...view.waste, ...view.columns.flatMap(([, up]) => up)].includes(255), 'no card is unknown');
      }
    }
  });
}

test('there are golden heats of every ruleset', () => {
  assert.equal(new Set(files.map((name) => told(name).ruleset)).size, 7);
});

// ---------------------------------------------------------------- reading

test('what is no replay is told apart from one of a newer server', () => {
  const good = told('ds1-d1n-secret.json');
  for (const bad of [null, {}, [], 'x', { ...good, format: 'other' }, { ...good, boards: {} }, { ...good, code: 'DS1-D1N' }, { ...good, code: 5 },
    { ...good, ruleset: 'DS9-D1N' }, { ...good, boards: [{}] }, { ...good, boards: [{ ...good.boards[0], entries: [[1, 0, 0]] }] },
    { ...good, boards: [{ ...good.boards[0], entries: [[1, 0, 0, 0, -1]] }] }, { ...good, solution: 'draw' }]) {
    assert.throws(() => readHeat(bad), refused('bad'));
  }
  assert.throws(() => readHeat({ ...good, rules: 2 }), refused('newer'));
  assert.throws(() => readHeat({ ...good, version: 2 }), refused('newer'));
});

test('a deal that is not the one that was bound is seen', () => {
  assert.equal(readHeat({ ...told('ds1-d1n-secret.json'), nonce: '00'.repeat(32) }).bound, false);
});

test('a result that was altered does not hold, and a log that cannot be stops where it breaks', () => {
  const heat = readHeat(told('ds1-d1n-secret.json'));
  const [board] = heat.boards;
  assert.ok(board);
  assert.equal(new Track(heat, { ...board, score: board.score + 5 }).holds, false);
  const broken = new Track(heat, { ...board, entries: [...board.entries.slice(0, 9), [2, 0, 0, 0, 9000], ...board.entries.slice(9)] });
  assert.equal(broken.holds, false);
  assert.equal(broken.views.length, 10);
  assert.equal(broken.plyAt(1e9), 9);
});

test('a daily attempt is read as a heat of one board', () => {
  const heat = told('ds1-d1n-secret.json');
  const [board] = heat.boards;
  const deal = { id: heat.heat, nonce: heat.nonce, commitment: heat.commitment, solution: null };
  const told0 = {
    date: '2026-07-29', ruleset: heat.ruleset, code: heat.code, rules: 1, undo: 'all', ranked: true, player: 'ABCDEFGHJK', name: 'Ada', tag: '0000',
    game: 'KMPQRTVWXY', deadline_ms: 1e8, ended: board.ended, out: board.out, score: board.score, moves: board.moves,
    elapsed_ms: 5, flags: [], entries: board.entries,
  };
  const attempt = readAttempt(told0, deal);
  assert.deepEqual([attempt.boards.length, attempt.boards[0]?.name, attempt.bound], [1, 'Ada', true]);
  assert.equal(readAttempt(told0, { ...deal, nonce: '00' }).bound, false);
  assert.deepEqual(readAttempt(told0, { ...deal, solution: ['draw'] }).solution, ['draw']);
  assert.equal(new Track(attempt, /** @type {any} */ (attempt.boards[0])).holds, true);
  assert.throws(() => readAttempt({ error: 'not_found' }, deal), refused('bad'));
  assert.throws(() => readAttempt(told0, {}), refused('bad'));
  assert.throws(() => readAttempt({ ...told0, rules: 2 }, deal), refused('newer'));
});

test('a heat that came in pages is one heat', () => {
  const heat = readHeat(told('ds1-d3n-score.json'));
  const pages = heat.boards.map((board) => ({ ...heat, boards: [board], pages: 3 }));
  assert.deepEqual(joined(pages).boards, heat.boards);
  assert.throws(() => joined([]), refused('bad'));
});

// ---------------------------------------------------------------- time

test('the table at an instant is the one after the last entry before it', () => {
  const heat = readHeat(told('ds1-d1n-secret.json'));
  const track = new Track(heat, /** @type {any} */ (heat.boards[0]));
  const [first = 0, second = 0] = track.times;
  assert.equal(track.plyAt(-1), 0);
  assert.equal(track.plyAt(first - 1), 0);
  assert.equal(track.plyAt(first), 1);
  assert.equal(track.plyAt(second - 1), first === second ? 2 : 1);
  assert.equal(track.plyAt(track.endMs), track.times.length);
  assert.equal(track.viewAt(0), track.views[0]);
});

test('a board whose time ran out ends after its last entry', () => {
  const heat = readHeat(told('ds1-d3n-score.json'));
  const track = new Track(heat, /** @type {any} */ (heat.boards[0]));
  assert.equal(track.viewAt(track.endMs).ended, '');
  assert.equal(track.viewAt(track.endMs + 1).ended, 'time_up');
});

test('a curve has a point whenever cards out or points change, and ends with the result', () => {
  const heat = readHeat(told('ds1-d1n-secret.json'));
  for (const board of heat.boards) {
    const points = new Track(heat, board).points();
    assert.deepEqual([points.at(-1)?.out, points.at(-1)?.score], [board.out, board.score]);
    assert.ok(points.every((point, i) => i === 0 || point.atMs >= /** @type {any} */ (points[i - 1]).atMs));
  }
});

// ---------------------------------------------------------------- comparing

test('two players part with the first move that is not the same', () => {
  const heat = readHeat(told('ds1-d1n-secret.json'));
  const [a, b] = /** @type {any[]} */ (heat.boards);
  const at = parting(a, b);
  assert.ok(at);
  for (let i = 0; i < at.ply; i++) assert.deepEqual(a.entries[i].slice(0, 4), b.entries[i].slice(0, 4));
  assert.notDeepEqual(a.entries[at.ply].slice(0, 4), b.entries[at.ply].slice(0, 4));
  assert.equal(at.atMs, Math.min(a.entries[at.ply][4], b.entries[at.ply][4]));
});

test('who does the same at another pace never parts, and who stops earlier parts there', () => {
  const heat = readHeat(told('ds1-d1n-secret.json'));
  const [a] = /** @type {any[]} */ (heat.boards);
  const slower = { ...a, entries: a.entries.map((/** @type {any} */ [k, s, t, c, ms]) => [k, s, t, c, 2 * ms]) };
  assert.equal(parting(a, slower), null);
  assert.deepEqual(parting(a, { ...a, entries: a.entries.slice(0, 20) }), { ply: 20, atMs: a.entries[20][4] });
});

test('a solution is a board that wins, spread over the time the others took', () => {
  const told0 = told('ss1-d3n-open.json');
  const won = told0.boards[0].entries.filter((/** @type {number[]} */ [kind]) => kind !== 5);
  /** @type {string[]} */
  const words = [];
  for (const [kind, source, target, count] of won) {
    if (kind === 4) words.pop();
    else words.push(kind === 1 ? 'draw' : kind === 2 ? 'recycle' : `${pile(source)}>${target === 2 ? 'f' : pile(target)}${count > 1 ? `*${count}` : ''}`);
  }
  const heat = readHeat({ ...told0, solution: words });
  const board = solutionBoard(heat, 60_000);
  assert.ok(board);
  assert.equal(board.entries.at(-1)?.[4], 60_000);
  const track = new Track(heat, board);
  assert.equal(track.views.length, words.length + 1, 'each of its moves is allowed');
  assert.equal(solutionBoard(readHeat(told0), 1), null);
});

/** @param {number} at */
const pile = (at) => (at === 1 ? 'w' : at < 20 ? `f${at - 9}` : `c${at - 19}`);

test('moves as text are read', () => {
  assert.deepEqual(moveOf('draw'), { kind: 1, source: 0, target: 0, count: 0 });
  assert.deepEqual(moveOf('c2>c5*13'), { kind: 3, source: 21, target: 24, count: 13 });
  assert.deepEqual(moveOf('w>f'), { kind: 3, source: 1, target: 2, count: 1 });
  assert.deepEqual(moveOf('f8>c1'), { kind: 3, source: 17, target: 20, count: 1 });
  for (const word of ['', 'toString', 'c1>c1>c1', 'f9>c1', 'c2>c5*14']) assert.throws(() => moveOf(word), refused('bad'));
});

test('an address leads to an instant and to boards', () => {
  assert.deepEqual(parseInstant('#t=83.2&b=0,2'), { atMs: 83_200, boards: ['0', '2'] });
  assert.deepEqual(parseInstant(''), { atMs: 0, boards: [] });
  assert.deepEqual(parseInstant('#t=-5&b=x,1,__proto__,solution'), { atMs: 0, boards: ['1', 'solution'] });
  assert.deepEqual(parseInstant('#t=NaN'), { atMs: 0, boards: [] });
  assert.equal(instant(83_249, ['0', '2']), '#t=83.2&b=0,2');
});
