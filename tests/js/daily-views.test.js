import assert from 'node:assert/strict';
import { test } from 'node:test';

import { textOf } from '../../client_web/js/dom.js';
import { LANGUAGES } from '../../client_web/js/i18n.js';
import { layer } from '../../client_web/js/views/dialogs.js';
import { ended, gate } from '../../client_web/js/views/daily-end.js';
import { daily } from '../../client_web/js/views/daily.js';
import { home } from '../../client_web/js/views/home.js';
import { leaderboards } from '../../client_web/js/views/leaderboards.js';
import { profile } from '../../client_web/js/views/profile.js';
import { all, assertSound, assertWorded, buttons, links, makeApp } from './kit.js';

const DAY = '2026-07-29';
const notBegun = () => false;
/** @param {string} game the only attempt of the day that was begun on this device */
const begun = (game) => (/** @type {{date: string, ruleset: string}} */ { date, ruleset }) => date === DAY && ruleset === game;
const ROUTE = { page: 'attempt', date: DAY, ruleset: 'DS1-D1N', practice: false };
const row = (place, more = {}) => ({
  place, player: `p${place}`, name: `N${place}`, tag: '4F2A', score: 900 - place, time_ms: 200_000 + place, won: true, out: 104, moves: 200, days: 2, game: '', flags: [], ...more,
});
const YOU = row(148, { player: 'p0', name: 'Deniz' });
const CHART = [{ from: null, to: 200_000, count: 0 }, { from: 200_000, to: 300_000, count: 12 }, { from: 300_000, to: null, count: 3 }];
const board = (more = {}) => ({
  period: 'day', date: DAY, ruleset: 'DS1-D1N', tab: 'time', from: DAY, to: DAY, final: false, players: 322, page: 1, pages: 7,
  rows: [row(1, { flags: ['quick'] }), row(2), row(2, { player: 'p3' })], you: YOU, chart: CHART, ...more,
});
const RESULT = { kind: 'daily', at_ms: 1, ruleset: 'DS1-D1N', date: DAY, game: '', room: '', ended: 'won', out: 104, score: 752, moves: 229, elapsed_ms: 200_148, place: 0, racers: 0 };
const RATING = { ruleset: 'DS1-D1N', rating: 1512, deviation: 471, games: 2, provisional: true, curve: [[1, 1581, 484, 'KMPQRTVWXY'], [2, 1512, 471, 'KMPQRTVWXA']] };
const person = (more = {}) => ({
  player: 'p0', name: 'Deniz', tag: '4F2A', made_ms: 1_790_000_000_000, streak: { now: 7, best: 23, today: false }, days: { [DAY]: ['DS1-D1N'] },
  rulesets: [{ ruleset: 'DS1-D1V', results: 4, won: 1, best_score: { value: -8 }, best_time: null }], races: { results: 3, firsts: 1 },
  results: [RESULT, { ...RESULT, kind: 'race', date: '', place: 2, racers: 3, ended: 'resigned' }], ...more,
});
const today = (more = {}, when = {}) => ({
  date: DAY, now_ms: 1000, ends_ms: 3_601_000, final_ms: 9_000_000, ...when,
  rulesets: [{ ruleset: 'DS1-D1N', headline: true, ready: true, certified: true, players: 340, finished: 322, won: 300, best_time: row(1), best_score: row(1), ...more }],
});
const deal = (more = {}) => ({ date: DAY, ruleset: 'DS1-D1N', final: false, ready: true, certified: true, id: 'X', commitment: 'ab'.repeat(32), ...more });

/** An app to which the server tells these things by the beginning of their address. */
function told(tag, answers) {
  const app = makeApp(tag);
  app.pull = { stale: () => {}, at: (path) => ({ fault: '', ageMs: 0, value: Object.entries(answers).find(([start]) => path.startsWith(start))?.[1] ?? null }) };
  return app;
}
const everything = { '/api/daily/': deal(), '/api/daily': today(), '/api/board': board(), '/api/player': person() };
const result = (more = {}) => ({
  date: DAY, ruleset: 'DS1-D1N', ended: 'won', out: 104, score: 752, moves: 229, elapsed_ms: 200_148, at_ms: 9, score_place: 3, score_players: 322, time_place: 2, time_players: 300,
  percentile: 88, streak: 8, best_streak: 23, ...more,
});

function sheet(tag, outcome, practice = false) {
  const app = told(tag, everything);
  app.sheets.daily = (one) => ended(one, { want: { date: DAY, ruleset: 'DS1-D1N', practice, fresh: false }, result: outcome });
  app.ui.dialog = 'daily';
  return layer(app);
}

function pages(tag) {
  const opened = deal({ final: true, code: 'DS1-D1N-AAAAAAAAAAAAAB', nonce: '00', solution: ['draw', 'w>f'] });
  const monthly = told(tag, { ...everything, '/api/board': board({ period: 'month', chart: [] }) });
  monthly.ui.daily = { ...monthly.ui.daily, period: 'month', tab: 'score' };
  const sums = told(tag, everything);
  sums.ui.boards = { ...sums.ui.boards, period: 'all', tab: 'score' };
  return [
    daily(told(tag, {}), '', notBegun), daily(told(tag, everything), '', notBegun), daily(told(tag, { ...everything, '/api/daily/': opened }), '2026-07-28', notBegun), daily(monthly, '', notBegun),
    daily(told(tag, { ...everything, '/api/player': person({ results: [] }), '/api/board': board({ you: null, players: 0, rows: [], pages: 1 }) }), '', notBegun),
    leaderboards(told(tag, everything)), leaderboards(sums), profile(told(tag, everything), 'p0'), profile(told(tag, { ...everything, '/api/player': person({ ratings: [RATING] }) }), 'p0'), profile(told(tag, {}), 'p0'), home(told(tag, everything)),
    gate(makeApp(tag), ROUTE, false, () => {}), gate(makeApp(tag), ROUTE, true, () => {}),
    sheet(tag, result()), sheet(tag, result({ ended: 'resigned', time_place: 0, percentile: -1 })), sheet(tag, null), sheet(tag, null, true),
  ];
}

test('every page and sheet has words in every language, names for everything, and one brass button at most', () => {
  for (const tag of Object.keys(LANGUAGES)) for (const page of pages(tag)) assertWorded(page, tag);
  for (const page of pages('en')) assertSound(page);
});

test('who has come to no score has no time of it', () => {
  const rows = [row(1, { time_ms: 187_450 }), row(2, { player: 'p3', score: 0, time_ms: 0, won: false })];
  const app = told('en', { ...everything, '/api/board': board({ tab: 'score', rows, you: null }) });
  app.ui.daily.tab = 'score';
  const cells = all(daily(app, DAY, notBegun)).filter((node) => node.tag === 'td').map(textOf);
  assert.ok(cells.includes('3:07.450'));
  assert.ok(cells.includes('–') && !cells.includes('0:00.000'));
});

test('a row leads to its replay once there is one', () => {
  const shown = (/** @type {any} */ more, /** @type {any} */ choice) => {
    const app = told('en', { ...everything, '/api/board': board({ rows: [row(1, { game: 'KMPQRTVWXY', player: 'ABCDEFGHJK' })], ...more }) });
    if (choice) Object.assign(app.ui.boards, choice);
    return (choice ? links(leaderboards(app)) : links(daily(app, DAY, notBegun))).filter((/** @type {string} */ href) => href.startsWith('/replay'));
  };
  assert.deepEqual(shown({ final: true }, null), ['/replay/2026-07-29-DS1-D1N-ABCDEFGHJK']);
  assert.deepEqual(shown({ period: 'race', date: '' }, { period: 'race' }), ['/replay/KMPQRTVWXY']);
  assert.deepEqual(shown({ rows: [row(1)] }, null), []);
});

test('a player’s page has ratings with how sure they are, and the curve as a table', () => {
  const curve = [[1_790_000_000_000, 1581, 484, 'KMPQRTVWXY'], [1_790_000_900_000, 1512, 471, 'KMPQRTVWXA']];
  const rating = { ruleset: 'DS1-D1N', rating: 1512, deviation: 471, games: 2, provisional: true, curve };
  const shown = (/** @type {any[]} */ ratings) => profile(told('en', { ...everything, '/api/player': person({ ratings }) }), 'p0');
  const page = shown([rating]);
  assert.match(textOf(page), /Ratings.*1512 ± 471.*2 rated races.*provisional/);
  const table = all(page).find((node) => node.tag === 'table' && textOf(node).startsWith('Rating after each race'));
  assert.deepEqual(all([table]).filter((node) => node.tag === 'td').map(textOf), ['1581 ± 484', '1512 ± 471']);
  assert.doesNotMatch(textOf(shown([{ ...rating, provisional: false }])), /provisional/);
  assert.equal(all(shown([{ ...rating, curve: curve.slice(1) }])).some((node) => node.tag === 'path' && node.props.class === 'band'), false, 'one point is no curve');
  assert.doesNotMatch(textOf(shown([])), /Ratings/);
});

test('one’s own row is in sight with its neighbours, wherever the page is', () => {
  const around = board({ rows: [row(145), row(146), row(147), YOU, row(149), row(150), row(151)] });
  const app = told('en', everything);
  const { at } = app.pull;
  app.pull.at = (path, ms) => (path.includes('around') ? { value: around, fault: '', ageMs: 0 } : at(path, ms));
  const places = all(daily(app, '', notBegun)).filter((node) => node.tag === 'td' && node.props.class === 'place').map(textOf);
  assert.deepEqual(places, ['1', '2', '2', '146', '147', '148', '149', '150']);
  assert.ok(buttons(daily(app, '', notBegun)).some((node) => textOf(node) === 'My place'));
});

test('the chart can be read as a table, with one’s own step named', () => {
  const rows = all(daily(told('en', everything), '', notBegun)).filter((node) => node.tag === 'th' && node.props.scope === 'row').map(textOf);
  assert.deepEqual(rows, ['under 3:20', '3:20 to 5:00 (You)', '5:00 and more']);
});

test('while the one try runs the page says so, and leads back to it', () => {
  const unplayed = { ...everything, '/api/player': person({ results: [] }) };
  const page = daily(told('en', unplayed), '', begun('DS1-D1N'));
  assert.ok(textOf(page).includes('Your one try is running'));
  assert.ok(!textOf(page).includes('The clock starts when'));
  assert.ok(links(page).includes(`/daily/${DAY}/DS1-D1N`));
  assert.ok(!textOf(daily(told('en', unplayed), '', begun('SS1-D1N'))).includes('is running'), 'another game');
  assert.ok(!textOf(daily(told('en', everything), '', begun('DS1-D1N'))).includes('is running'), 'it has ended');
});

test('before the attempt the page offers it; afterwards it shows the result and practice', () => {
  const fresh = daily(told('en', { ...everything, '/api/player': person({ results: [] }) }), '', notBegun);
  assert.ok(links(fresh).includes(`/daily/${DAY}/DS1-D1N`));
  const after = daily(told('en', everything), '', notBegun);
  assert.ok(!links(after).includes(`/daily/${DAY}/DS1-D1N`));
  assert.ok(links(after).includes(`/daily/${DAY}/DS1-D1N/practice`));
});

test('the code of a day is shown only once the server has opened it', () => {
  assert.ok(!links(daily(told('en', everything), '', notBegun)).some((href) => href.startsWith('/d/')));
  const opened = deal({ final: true, code: 'DS1-D1N-AAAAAAAAAAAAAB', nonce: '00', solution: null });
  const page = daily(told('en', { ...everything, '/api/daily/': opened }), '2026-07-28', notBegun);
  assert.ok(links(page).includes('/d/DS1-D1N-AAAAAAAAAAAAAB'));
  assert.ok(all(page).some((node) => textOf(node) === 'The code does not fit the seal'), 'the check is made here, on what was told');
});

test('for two hours after midnight yesterday’s deal is finished by who began it, on whatever device', () => {
  const at = (/** @type {number} */ sinceMidnight) => told('en', {
    ...everything, '/api/player': person({ results: [] }),
    '/api/daily': today({}, { now_ms: sinceMidnight, ends_ms: 86_400_000, final_ms: 93_600_000 }),
  });
  const yesterday = '2026-07-28';
  let shown = 0;
  const asked = (/** @type {any} */ app) => gate(app, { ...ROUTE, date: yesterday }, false, () => { shown += 1; });
  const page = asked(at(1_800_000));
  assert.match(textOf(page), /This day is over.*Begun before midnight UTC\? It can be finished for another 1:30:00\./);
  buttons(page).find((node) => textOf(node) === 'Play on').props.on.click();
  assert.equal(shown, 1);
  assert.ok(links(daily(at(1_800_000), yesterday)).includes(`/daily/${yesterday}/DS1-D1N`));
  for (const [app, date] of /** @type {[any, string][]} */ ([[at(7_200_000), yesterday], [at(1_800_000), '2026-07-27']])) {
    assert.ok(!links(daily(app, date)).includes(`/daily/${date}/DS1-D1N`));
    assert.deepEqual(buttons(gate(app, { ...ROUTE, date }, false, () => {})).filter((node) => /^(Play on|Show the cards)$/.test(textOf(node))), []);
  }
});

test('no clock starts before the cards are asked for', () => {
  let shown = 0;
  const page = gate(makeApp(), ROUTE, false, () => { shown += 1; });
  assert.match(all(page).map(textOf).join(' '), /never stops, not even when you leave the page/);
  buttons(page).find((node) => textOf(node) === 'Show the cards').props.on.click();
  assert.equal(shown, 1);
});
