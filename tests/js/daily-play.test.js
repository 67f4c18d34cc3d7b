import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DailyPlay } from '../../client_web/js/daily-play.js';
import { Refusal } from '../../client_web/js/socket.js';

const WANT = { date: '2026-07-29', ruleset: 'DS1-D1N', practice: false, fresh: false };
const game = (more = {}) => ({ type: 'DailyGame', n: 1, date: WANT.date, ruleset: WANT.ruleset, practice: false, gun_ms: 1000, elapsed_ms: 5, view: { ended: '' }, ...more });
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

function setUp(refusal = '') {
  const did = [];
  const asked = [];
  const state = { status: { phase: 'open' } };
  const line = { request: async (make) => {
    asked.push(make(1));
    if (refusal) throw new Refusal(refusal);
  } };
  const play = new DailyPlay({
    line, state: () => state, changed: () => {}, session: { playAlone: (on) => did.push(['alone', on]) },
    onBegun: ({ ruleset }) => did.push(['begun', ruleset]), onResult: ({ ended }) => did.push(['result', ended]), onRefused: (code) => did.push(['refused', code]),
  });
  return { play, did, asked, state };
}

test('a deal is asked for, shown, and asked for again after the line was lost', async () => {
  const { play, did, asked } = setUp();
  await play.open(WANT);
  assert.deepEqual(asked, [[26, 1, 'DS1-D1N', '2026-07-29', false, false]]);
  const shown = [];
  play.table = (one, anew) => shown.push([one.gun_ms, anew]);
  play.onEvent(game());
  play.onEvent(game({ n: 0 }));
  assert.deepEqual(shown, [[1000, true], [1000, false]]);
  await play.again();
  assert.equal(asked.length, 2);
  assert.deepEqual(did.slice(0, 2), [['alone', true], ['begun', 'DS1-D1N']]);
});

test('practice anew asks for fresh cards once only', async () => {
  const { play, asked } = setUp();
  await play.open({ ...WANT, practice: true });
  play.onEvent(game({ practice: true }));
  await play.dealAgain();
  play.onEvent(game({ practice: true }));
  await play.again();
  assert.deepEqual(asked.map((frame) => frame[5]), [false, true, false]);
});

test('while the line is down nothing is asked; then it is', async () => {
  const { play, asked, state } = setUp();
  state.status.phase = 'waiting';
  await play.open(WANT);
  assert.equal(asked.length, 0);
  state.status.phase = 'open';
  await play.again();
  assert.equal(asked.length, 1);
});

test('a deal that is refused is wanted no more; a lost line is no refusal', async () => {
  const no = setUp('not_now');
  await no.play.open(WANT);
  await settled();
  assert.deepEqual([no.play.want, no.did.at(-1)], [null, ['refused', 'not_now']]);
  const lost = setUp('lost');
  await lost.play.open(WANT);
  assert.deepEqual(lost.play.want, WANT);
});

test('the result is that of the attempt on the table, and stops the clock at its time', async () => {
  const { play, did } = setUp();
  await play.open(WANT);
  play.onEvent(game());
  play.over(8000);
  assert.equal(play.endedMs, 7000);
  play.onEvent({ type: 'DailyResult', date: '2026-07-28', ruleset: WANT.ruleset, ended: 'won', elapsed_ms: 1 });
  assert.equal(play.result, null);
  play.onEvent({ type: 'DailyResult', date: WANT.date, ruleset: WANT.ruleset, ended: 'resigned', elapsed_ms: 6990 });
  assert.deepEqual([play.endedMs, did.at(-1)], [6990, ['result', 'resigned']]);
  play.leave();
  assert.deepEqual([play.want, play.result, did.at(-1)], [null, null, ['alone', false]]);
});
