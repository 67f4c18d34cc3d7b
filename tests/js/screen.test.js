import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { textOf } from '../../client_web/js/dom.js';
import { Language } from '../../client_web/js/i18n.js';
import { Feed } from '../../client_web/js/screen/feed.js';
import { bracket, clockOf, heatsPage, liveOrder, named, page, PAGE_MS, panels, partOf, podium, roundName } from '../../client_web/js/screen/model.js';
import { screen } from '../../client_web/js/screen/view.js';
import { languageOf } from '../../client_web/js/screen/words.js';
import { all } from './kit.js';

const words = (tag) => JSON.parse(readFileSync(new URL(`../../client_web/lang/hall.${tag}.json`, import.meta.url), 'utf8'));
const OPTIONS = { name: 'Thursday Cup', format: 'league', ruleset: 'DS1-D1N', goal: 'first', rounds: 3, heat: 2, advance: 1 };
const INFO = {
  code: 'KMPQR', options: OPTIONS, phase: 'entry', entrants: 3, waiting: 0, checked: 0, start_ms: 0, check_in_ms: 0, next_ms: 0,
  round: 0, rounds: 3, heats: 0, reported: 0, gun_ms: 0, deadline_ms: 0, late: false, sentence: -1, sentence_ms: 0, version: 7,
};
const info = (changed = {}, options = {}) => ({ ...INFO, ...changed, options: { ...OPTIONS, ...options } });
const entrant = (name, more = {}) => ({ entrant: name, name, tag: '4F2A', status: 'in', bot: 0, seed: 1, ...more });
const line = (name, place, points, more = {}) => ({ entrant: name, name, tag: '4F2A', bot: 0, place, points, status: 'in', decided_by: 'first', played: 1, values: [], ...more });
const row = (name, more = {}) => ({ entrant: name, there: 'yes', out: 0, score: 0, moves: 0, ended: '', ...more });
const heat = (room, names, rows = []) => ({ room, heat: room, entrants: names, open: rows.length === 0, rows });
const result = (name, place) => ({ entrant: name, place, ended: place === 1 ? 'won' : 'resigned', out: 104 - place, score: 0, moves: 9, at_ms: 1 });
const whole = (changed = {}) => ({
  info: INFO, tie_breaks: [], entrants: ['Ann', 'Bob', 'Cem'].map((name) => entrant(name)), rounds: [],
  standings: [line('Ann', 1, 6), line('Bob', 2, 4), line('Cem', 2, 4)], ...changed,
});

test('who won stays in the order in which it was seen, whatever comes later', () => {
  const rows = [row('Ann', { out: 50 }), row('Bob', { out: 104, ended: 'won' }), row('Cem', { out: 104, ended: 'won' })];
  assert.deepEqual(liveOrder(rows, 'first', ['Cem', 'Bob']).map((one) => [one.entrant, one.place]), [['Cem', 1], ['Bob', 2], ['Ann', 3]]);
  const byScore = [row('Ann', { score: 5 }), row('Bob', { score: 9 })];
  assert.deepEqual(liveOrder(byScore, 'score', []).map((one) => one.entrant), ['Bob', 'Ann']);
});

test('running heats show counts, those that have ended their result', () => {
  const rounds = [{ round: 1, open: true, byes: [], heats: [heat('AAAAA', ['Ann', 'Bob']), heat('BBBBB', ['Cem'], [result('Cem', 1)])] }];
  const live = { now_ms: 0, info: info({ phase: 'round', round: 1 }), heats: [{ round: 1, room: 'AAAAA', rows: [row('Ann', { out: 3 }), row('Bob', { out: 8 })] }] };
  const seen = new Map();
  const [first, second] = panels(whole({ rounds }), live, seen);
  assert.deepEqual(first.runners.map((one) => [one.name, one.count, one.place]), [['Bob', 8, 1], ['Ann', 3, 2]]);
  assert.equal(first.done, false);
  assert.equal(second.done, true);
  assert.deepEqual(second.runners.map((one) => [one.name, one.count]), [['Cem', 103]]);
});

test('equals share a place in a running heat, and nobody has one before anything has counted', () => {
  const places = (rows) => liveOrder(rows, 'first', []).map((one) => [one.entrant, one.place]);
  assert.deepEqual(places([row('Ann'), row('Bob'), row('Cem')]), [['Ann', 0], ['Bob', 0], ['Cem', 0]]);
  assert.deepEqual(places([row('Ann', { moves: 1 }), row('Bob'), row('Cem', { out: 2 })]), [['Cem', 1], ['Ann', 2], ['Bob', 2]]);
});

test('a big heat shows its leaders and says how many more there are', () => {
  const runners = Array.from({ length: 500 }, (_, at) => ({ entrant: `p${at}`, name: `p${at}`, place: at + 1, count: 9, ended: '', best: false, cut: false }));
  const shown = heatsPage([{ room: 'AAAAA', number: 1, done: false, runners, more: 0 }], 0);
  assert.equal(shown.panels[0].runners.length, 16);
  assert.equal(shown.panels[0].more, 484);
});

test('pages of a list turn by themselves, and every row has its page', () => {
  const rows = Array.from({ length: 21 }, (_, at) => at);
  const shown = [0, 1, 2].flatMap((turn) => page(rows, 8, turn * PAGE_MS).rows);
  assert.deepEqual(shown, rows);
  assert.equal(page(rows, 8, 3 * PAGE_MS).page, 1);
  assert.deepEqual(page([], 8, 0), { rows: [], page: 1, pages: 1 });
});

test('the clock counts to what comes next', () => {
  assert.equal(clockOf(info(), 0), null);
  assert.deepEqual(clockOf(info({ next_ms: 500 }), 200), { ms: 300, word: 'start' });
  assert.deepEqual(clockOf(info({ phase: 'round', round: 1, gun_ms: 500, deadline_ms: 900 }), 400), { ms: 100, word: 'gun' });
  assert.deepEqual(clockOf(info({ phase: 'round', round: 1, gun_ms: 500, deadline_ms: 900 }), 600), { ms: 300, word: 'round' });
  assert.deepEqual(clockOf(info({ phase: 'break', round: 1, next_ms: 900 }), 1000), { ms: 0, word: 'next' });
  assert.equal(clockOf(info({ phase: 'paused', round: 1, next_ms: 900 }), 600), null);
});

test('each phase has its part; a cup shows its bracket between heats and now and then during them', () => {
  const cup = whole({ info: info({}, { format: 'cup' }), rounds: [{ round: 1, open: true, byes: [], heats: [heat('AAAAA', ['Ann', 'Bob'])] }] });
  assert.equal(partOf(whole(), info(), 0), 'join');
  assert.equal(partOf(whole(), info({ phase: 'round', round: 1 }), 0), 'heats');
  assert.equal(partOf(whole(), info({ phase: 'break', round: 1 }), 0), 'standings');
  assert.equal(partOf(whole(), info({ phase: 'ended', round: 1 }), 0), 'podium');
  const parts = [0, 1, 2].map((turn) => partOf(cup, info({ phase: 'round', round: 1 }, { format: 'cup' }), turn * PAGE_MS));
  assert.deepEqual(parts, ['heats', 'heats', 'bracket']);
  assert.equal(partOf(cup, info({ phase: 'break', round: 1 }, { format: 'cup' }), 0), 'bracket');
});

test('in a bracket those who go on are marked, and a column too long to read is left out', () => {
  const rounds = [
    { round: 1, open: false, byes: ['Cem'], heats: [heat('AAAAA', ['Ann', 'Bob'], [result('Bob', 1), result('Ann', 2)])] },
    { round: 2, open: true, byes: [], heats: [heat('BBBBB', ['Bob', 'Cem'])] },
  ];
  const [first, final] = bracket(whole({ rounds, info: info({}, { format: 'cup' }) }));
  assert.deepEqual(first.heats.map((one) => one.runners.map((who) => [who.name, who.on])), [[['Cem', true]], [['Ann', false], ['Bob', true]]]);
  assert.deepEqual(final.heats[0].runners.map((who) => who.on), [false, false]);
  const wide = { round: 1, open: false, byes: [], heats: Array.from({ length: 9 }, (_, at) => heat(`H${at}`, [`p${at}`], [result(`p${at}`, 1)])) };
  assert.deepEqual(bracket(whole({ rounds: [wide, rounds[1]], info: info({}, { format: 'cup' }) })).map((one) => one.number), [2]);
});

test('the last rounds of a cup have names', () => {
  const cup = (heats, byes = []) => roundName(whole({ rounds: [{ round: 1, open: true, byes, heats }] }), info({ phase: 'round', round: 1 }, { format: 'cup' }));
  const one = heat('AAAAA', ['Ann', 'Bob']);
  assert.equal(cup([one]), 'final');
  assert.equal(cup([one, one]), 'semi');
  assert.equal(cup([one], ['Cem']), 'round');
});

test('a shared place stands on one step of the podium', () => {
  assert.deepEqual(podium(whole().standings), [{ place: 1, names: ['Ann'] }, { place: 2, names: ['Bob', 'Cem'] }]);
});

test('bots get names in the language of the screen', () => {
  const told = named(whole({ entrants: [entrant('bot-3', { name: '', bot: 2 })], standings: [line('bot-3', 1, 2, { name: '', bot: 2 })] }), (n) => `Bot ${n}`);
  assert.equal(told.entrants[0].name, 'Bot 3');
  assert.equal(told.standings[0].name, 'Bot 3');
});

test('the language in the address wins, then the chosen one, then the browser’s', () => {
  assert.equal(languageOf('?lang=tr', 'id', ['en']), 'tr');
  assert.equal(languageOf('', 'id', ['en']), 'id');
  assert.equal(languageOf('?lang=xx', '', ['tr-TR']), 'tr');
});

const scenes = [
  ['join', info({ waiting: 2 }), []],
  ['heats', info({ phase: 'round', round: 1, heats: 1 }), [{ round: 1, open: true, byes: [], heats: [heat('AAAAA', ['Ann', 'Bob', 'Cem'])] }]],
  ['standings', info({ phase: 'break', round: 1 }), [{ round: 1, open: false, byes: [], heats: [heat('AAAAA', ['Ann'], [result('Ann', 1)])] }]],
  ['bracket', info({ phase: 'break', round: 1 }, { format: 'cup', advance: 2 }), [{ round: 1, open: false, byes: [], heats: [heat('AAAAA', ['Ann'], [result('Ann', 1)])] }]],
  ['podium', info({ phase: 'ended', round: 1 }, { format: 'swiss' }), []],
  ['paused', info({ phase: 'paused', round: 1 }, { format: 'arena' }), []],
];

for (const tag of ['en', 'tr', 'id']) {
  test(`every part of the screen is worded in ${tag}`, () => {
    const lang = new Language(tag, words(tag));
    for (const [name, told, rounds] of scenes) {
      const live = { now_ms: 0, info: told, heats: rounds.length ? [{ round: 1, room: 'AAAAA', rows: [row('Ann'), row('Bob')] }] : [] };
      const nodes = screen({ lang, code: 'KMPQR', address: 'https://kupa.example', whole: whole({ rounds, info: told }), live, fault: '', now: 0, seen: new Map() });
      const text = textOf(nodes);
      assert.match(text, /Thursday Cup/, name);
      assert.doesNotMatch(text, /screen\.|\{\w+\}|undefined/, name);
      assert.ok(all(nodes.filter(Boolean)).some((one) => one.props.src === '/qr/t/KMPQR.svg'), name);
      assert.ok(all(nodes.filter(Boolean)).every((one) => !['a', 'button', 'input'].includes(one.tag)), `${name}: nothing can be pressed`);
    }
    for (const fault of ['', 'offline', 'unknown']) {
      const text = textOf(screen({ lang, code: 'KMPQR', address: '', whole: null, live: null, fault, now: 0, seen: new Map() }));
      assert.doesNotMatch(text, /screen\./);
      assert.match(text, /KMPQR/);
    }
  });
}

test('the words of the hall are the same keys in every language, and each is used', () => {
  const keys = Object.keys(words('en'));
  const holes = (entry) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g))].sort();
  for (const tag of ['tr', 'id']) {
    assert.deepEqual(Object.keys(words(tag)), keys, tag);
    for (const key of keys) assert.deepEqual(holes(words(tag)[key]), holes(words('en')[key]), `${tag} ${key}`);
  }
  const sources = ['view', 'main', 'print', 'sheet'].map((name) => readFileSync(new URL(`../../client_web/js/screen/${name}.js`, import.meta.url), 'utf8')).join('\n');
  const unused = keys.filter((key) => !sources.includes(`'${key}'`) && !sources.includes(`\`${key.replace(/\.[^.]+$/, '')}.\${`));
  assert.deepEqual(unused.filter((key) => !['screen.final', 'screen.semi'].includes(key)), []);
});

/** A feed whose answers are given by hand. */
function makeFeed(answers) {
  let now = 1_000_000;
  const asked = [];
  const later = [];
  const feed = new Feed('KMPQR', {
    get: async (path) => {
      asked.push(path);
      now += 20;
      const answer = answers(path);
      if (answer instanceof Error) throw answer;
      return { ok: answer.status === undefined, status: answer.status ?? 200, json: async () => answer };
    },
    now: () => now, later: (run, ms) => later.push([run, ms]), changed: () => {},
  });
  return { feed, asked, later, pass: (ms) => { now += ms; } };
}

test('the whole is asked for only when the version has grown, and not too often', async () => {
  let version = 7;
  const { feed, asked, pass } = makeFeed((path) => (path.endsWith('.live') ? { now_ms: 5_000_000, info: info({ version }), heats: [] } : whole({ info: info({ version }) })));
  await feed.round();
  await feed.round();
  version = 8;
  await feed.round();
  assert.equal(asked.filter((path) => !path.endsWith('.live')).length, 1);
  pass(3000);
  await feed.round();
  assert.equal(asked.filter((path) => !path.endsWith('.live')).length, 2);
  assert.equal(feed.whole.info.version, 8);
});

test('after an outage the screen goes on by itself, with what it knew meanwhile', async () => {
  let away = false;
  const { feed, later } = makeFeed((path) => (away ? new TypeError('no line') : path.endsWith('.live') ? { now_ms: 5_000_000, info: INFO, heats: [] } : whole()));
  await feed.run();
  away = true;
  await later.pop()[0]();
  await new Promise(setImmediate);
  assert.equal(feed.fault, 'offline');
  assert.equal(feed.whole.standings.length, 3);
  away = false;
  await later.pop()[0]();
  await new Promise(setImmediate);
  assert.equal(feed.fault, '');
});

test('the server’s time is told by the quickest answer', async () => {
  const { feed } = makeFeed((path) => (path.endsWith('.live') ? { now_ms: 5_000_000, info: INFO, heats: [] } : whole()));
  await feed.round();
  assert.ok(Math.abs(feed.serverNow() - 5_000_030) <= 20);
});

test('a tournament that is not there is told apart from a server that is not', async () => {
  const { feed } = makeFeed(() => ({ status: 404 }));
  await feed.round();
  assert.equal(feed.fault, 'unknown');
});
