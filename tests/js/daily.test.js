import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
  barOf, barText, besides, boardPath, boxes, calendar, dayText, neighbour, pageOf, shareText, shift, weekdays, withGame,
} from '../../client_web/js/daily.js';
import { Language } from '../../client_web/js/i18n.js';

const lang = (tag) => new Language(tag, JSON.parse(readFileSync(new URL(`../../client_web/lang/${tag}.json`, import.meta.url), 'utf8')));
const choice = { ruleset: 'DS1-D1N', period: 'day', tab: 'time', page: 2 };
const CHART = [{ from: null, to: 120_000, count: 0 }, { from: 120_000, to: 180_000, count: 1 }, { from: 180_000, to: null, count: 50 }];

test('days are counted in UTC, over the ends of months and a leap day', () => {
  assert.equal(shift('2026-12-31', 1), '2027-01-01');
  assert.equal(shift('2028-02-28', 1), '2028-02-29');
  assert.equal(shift('2026-03-01', -1), '2026-02-28');
});

test('the next period is offered until today, and none that is still to come', () => {
  assert.equal(neighbour('2026-07-28', 'day', 1, '2026-07-29'), '2026-07-29');
  assert.equal(neighbour('2026-07-29', 'day', 1, '2026-07-29'), '');
  assert.equal(neighbour('2026-07-26', 'week', 1, '2026-07-29'), '2026-07-29');
  assert.equal(neighbour('2026-07-27', 'week', 1, '2026-07-29'), '');
  assert.equal(neighbour('2026-07-29', 'month', -1, '2026-07-29'), '2026-06-01');
  assert.equal(neighbour('2026-07-01', 'month', 1, '2026-07-29'), '');
  assert.equal(neighbour('2026-07-29', 'all', -1, '2026-07-29'), '');
});

test('a day is written in the user’s language, with the year when it is another one', () => {
  assert.equal(dayText(lang('en'), '2026-11-23'), 'Monday, November 23');
  assert.equal(dayText(lang('tr'), '2026-11-23'), '23 Kasım Pazartesi');
  assert.match(dayText(lang('id'), '2025-11-23', '2026-01-01'), /2025/);
});

test('a month is laid out from Monday, with the days played, today, and those to come', () => {
  const cells = calendar('2026-07-15', { '2026-07-03': ['DS1-D1N'], '2026-07-04': [] }, '2026-07-29');
  assert.deepEqual(cells.slice(0, 3).map((cell) => cell?.n ?? null), [null, null, 1]);
  assert.equal(cells.length, 2 + 31);
  assert.deepEqual(cells.filter((cell) => cell?.played).map((cell) => cell.n), [3]);
  assert.deepEqual(cells.filter((cell) => cell?.now).map((cell) => cell.n), [29]);
  assert.deepEqual(cells.filter((cell) => cell?.ahead).map((cell) => cell.n), [30, 31]);
  assert.equal(weekdays(lang('en'))[0], 'Mon');
});

test('a board’s address names what the server asks for and no more', () => {
  assert.equal(boardPath(choice, '2026-07-29', { you: 'ABCDEFGHJK' }), '/api/board?period=day&date=2026-07-29&ruleset=DS1-D1N&tab=time&page=2&player=ABCDEFGHJK');
  assert.equal(boardPath({ ...choice, period: 'race' }, ''), '/api/board?period=race&ruleset=DS1-D1N&tab=time&page=2');
  assert.equal(boardPath(choice, '2026-07-29', { csv: true }), '/api/board.csv?period=day&date=2026-07-29&ruleset=DS1-D1N&tab=time');
  assert.equal(boardPath(choice, '2026-07-29', { around: 'ABCDEFGHJK' }), '/api/board?period=day&date=2026-07-29&ruleset=DS1-D1N&tab=time&around=ABCDEFGHJK');
});

test('Vegas is about dollars; other games keep the order that was chosen', () => {
  assert.equal(withGame(choice, 'DS1-D1V').tab, 'score');
  assert.equal(withGame({ ...choice, tab: 'score', ruleset: 'DS1-D1V' }, 'DS1-D3N').tab, 'time');
  assert.equal(withGame({ ...choice, tab: 'score' }, 'SS1-D3N').tab, 'score');
  assert.equal(withGame({ ...choice, period: 'race' }, 'DS1-D3V').tab, 'time');
  assert.equal(withGame(choice, 'SS1-D3N').page, 1);
});

test('a place leads to its page', () => {
  assert.deepEqual([1, 50, 51, 148].map(pageOf), [1, 1, 2, 3]);
});

test('neighbours stand on both sides of one’s own row, fewer at the ends', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((player) => ({ player }));
  const names = (you) => besides(rows, { player: you }, 1).map((row) => row.player).join('');
  assert.deepEqual(['a', 'c', 'e', 'x'].map(names), ['ab', 'bcd', 'de', 'x']);
});

test('a value is in the step that begins with it, and in none before or after', () => {
  assert.deepEqual([0, 119_999, 120_000, 179_999, 9e9].map((ms) => barOf(CHART, ms)), [0, 0, 1, 1, 2]);
  assert.equal(barOf([], 1), -1);
});

test('bars share the width; the fullest has the height, one result is seen, none is not', () => {
  const [none, one, most] = boxes(CHART, { left: 0, right: 300, top: 10, bottom: 110 });
  assert.deepEqual([none.h, one.h, most.h], [0, 4, 100]);
  assert.deepEqual([none.x, one.x, most.x, most.w], [2, 102, 202, 96]);
  assert.equal(most.y, 10);
});

test('a step is told in words', () => {
  assert.deepEqual(CHART.map((bar) => barText(lang('en'), bar, 'time', false)), ['under 2:00', '2:00 to 3:00', '3:00 and more']);
  assert.equal(barText(lang('en'), { from: -104, to: 0, count: 1 }, 'score', true), '-$104 to $0');
});

test('what is shared tells the result and no card', () => {
  const what = { day: '2026-11-23', ruleset: 'DS1-D1N', ended: 'won', elapsed_ms: 405_110, out: 104, score: 1285, place: 148, players: 1284, url: 'https://kupa.example/daily/2026-11-23' };
  assert.deepEqual(shareText(lang('en'), what).split('\n'), [
    'Kupa · Nov 23, 2026 · Double · Draw 1', 'Won in 6:45 · 1,285 points', 'Place 148 of 1,284', 'https://kupa.example/daily/2026-11-23',
  ]);
  const lost = shareText(lang('en'), { ...what, ruleset: 'DS1-D1V', ended: 'resigned', out: 4, score: -32, place: 0 });
  assert.deepEqual(lost.split('\n').slice(1), ['4 of 104 cards out · -$32', 'https://kupa.example/daily/2026-11-23']);
});
