import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { textOf } from '../../client_web/js/dom.js';
import { LANGUAGES } from '../../client_web/js/i18n.js';
import { TournamentActions } from '../../client_web/js/tournament/actions.js';
import { keepHosted } from '../../client_web/js/tournament/hosted.js';
import { awaited, editText, faultOf, FORMATS, formOf, keptFields, knockedOut, lateRules, optionsOf, roundName, standingOf, tieValue, wentOn } from '../../client_web/js/tournament/model.js';
import { Refusal } from '../../client_web/js/socket.js';
import { memoryKeep } from '../../client_web/js/storage.js';
import { home } from '../../client_web/js/views/home.js';
import { hostConsole } from '../../client_web/js/views/tournament/console.js';
import { form } from '../../client_web/js/views/tournament/form.js';
import { list } from '../../client_web/js/views/tournament/list.js';
import { player } from '../../client_web/js/views/tournament/player.js';
import { all, assertSound, assertWorded, buttons, links, makeApp, NOW, press, tell } from './kit.js';

const CODE = 'KVMXR';
const texts = (tag) => JSON.parse(readFileSync(new URL(`../../client_web/lang/tournament.${tag}.json`, import.meta.url), 'utf8'));
const options = (more = {}) => optionsOf({ ...formOf('league'), name: 'Thursday League', ...more });
const info = (more = {}) => ({
  type: 'TournamentInfo', code: CODE, options: options(), phase: 'entry', entrants: 3, waiting: 0, checked: 0, start_ms: 0, check_in_ms: 0, next_ms: 0, round: 0, rounds: 3,
  heats: 0, reported: 0, gun_ms: 0, deadline_ms: 0, late: true, sentence: -1, sentence_ms: 0, version: 1, ...more,
});
const you = (more = {}) => ({ type: 'TournamentYou', status: 'in', checked: true, room: '', round: 0, gun_ms: 0, bye: false, place: 0, points: 0, queue: 0, ...more });
const entrant = (id, more = {}) => ({ entrant: id, name: `N ${id}`, tag: '4F2A', bot: 0, number: 1, status: 'in', checked: true, seed: 1, given: 0, ...more });
const standing = (id, place, more = {}) => ({ entrant: id, name: id, tag: '', bot: 0, place, points: 9 - place, values: [1, -2], decided_by: 'points', status: 'in', played: 1, ...more });
const row = (id, place) => ({ entrant: id, place, ended: place === 1 ? 'won' : 'time_up', out: 104 - place, score: 50, moves: 9, at_ms: 60_000 });
const heat = (room, entrants, open, rows = []) => ({ room, heat: open ? '' : 'HEATAAAAAA', entrants, open, rows });
const round = (number, open, heats, byes = [], code = 'DS1-D1N-AAAAAAAAAAAAAB') => ({ round: number, drawn_ms: 1, gun_ms: 2, deadline_ms: NOW + 60_000, open, byes, code: open ? '' : code, nonce: '', heats });
const TIES = ['first_places', 'best_place', 'total_out', 'total_time', 'direct', 'buchholz', 'sonneborn_berger', 'last_place', 'last_result']
  .map((id) => ({ id, name: id, rule: id, link: id === 'buchholz' ? 'https://rules.example/' : '' }));
const EDITS = [['status', 'p1', 'in', 'dropped'], ['points', 'p1', 0, 3], ['seed', 'p1', 0, 2], ['seed', 'p1', 2, 0], ['extra_ms', '1', 0, 120_000], ['start_ms', '', 0, 5], ['start_ms', '', 5, 0], ['break_ms', '1', -1, 9000],
  ['break_ms', '1', 9000, -1], ['check_in_ms', '', 5, 0], ['paused', '', 0, 1], ['paused', '', 1, 0], ['ending', '', 0, 1], ['rounds', '', 3, 4], ['late_round', '', 0, 2]]
  .map(([what, key, before, after], at) => ({ number: at + 1, at_ms: NOW, by: 'Olga', what, key, before, after, undoes: 0, undone: at === 1 }));
const whole = (more = {}) => ({
  info: info(), tie_breaks: TIES, entrants: [entrant('p0'), entrant('p1', { status: 'absent' }), entrant('bot-1', { bot: 2, name: 'Bot 1' })],
  rounds: [round(1, false, [heat('ABCDE', ['p0', 'p1', 'bot-1'], false, [row('p0', 1), row('p1', 2), row('bot-1', 3)])]), round(2, true, [heat('FGHJK', ['p0', 'bot-1'], true)], ['p1'])],
  standings: [standing('p0', 1, { decided_by: 'first' }), standing('p1', 2, { decided_by: 'tie', status: 'absent' }), standing('bot-1', 2, { bot: 2, decided_by: 'total_time' })],
  edits: [...EDITS, { ...EDITS[0], number: 16, undoes: 1 }], ...more,
});

/** An app with the words and actions of tournaments; `line` answers commands, `tells` what is asked by GET. */
function evening({ tag = 'en', told = whole(), live = { heats: [] }, token = true, answer = async () => ({ type: 'Done' }) } = {}) {
  const app = makeApp(tag);
  Object.assign(app.lang.words, texts(tag));
  app.asked = [];
  const line = { request: async (make) => {
    app.asked.push(make(7));
    return answer(make(7));
  } };
  const answers = { [`/api/tournament/${CODE}.live`]: live, [`/api/tournament/${CODE}`]: told, '/api/tournaments': [{ code: CODE, name: 'Cup', format: 'cup', ruleset: 'DS1-D1N', start_ms: NOW + 60_000 }] };
  app.pull = { stale: () => {}, at: (path) => ({ fault: answers[path] === undefined ? '404' : '', ageMs: 0, value: answers[path] ?? null }) };
  app.tour = new TournamentActions(app, line, memoryKeep(), { open: async () => {}, told: () => {}, signal: { get: () => null } });
  if (token) app.tour.keepToken(CODE, 'secret-token');
  app.ui.tour.hosts = ['Olga', 'Ayşe'];
  return app;
}

const here = (app, event, mine = you()) => tell(app, { type: '@tournament', code: CODE }, event, mine);

globalThis.window ??= { location: { hash: '' } };

test('each format has a form that holds as soon as it has a name, and says what does not hold', () => {
  for (const format of FORMATS) {
    assert.equal(faultOf(formOf(format), NOW), 'name');
    assert.equal(faultOf({ ...formOf(format), name: 'Club' }, NOW), '');
  }
  const club = { ...formOf('cup'), name: 'Club' };
  assert.equal(faultOf({ ...club, advance: 4 }, NOW), 'advance');
  assert.equal(faultOf({ ...club, heat: 9 }, NOW), 'heat');
  assert.equal(faultOf({ ...club, places: NaN }, NOW), 'places');
  assert.equal(faultOf({ ...club, start: 'time', at: '' }, NOW), 'at');
  assert.equal(faultOf({ ...club, start: 'time', at: '2999-01-01T20:00' }, NOW), '');
});

test('another format keeps the name and the game, and brings its own numbers', () => {
  const typed = { ...formOf('league'), name: 'Club', ruleset: 'SS1-D3N', rounds: 9 };
  const cup = formOf('cup', keptFields(typed));
  assert.deepEqual([cup.name, cup.ruleset, cup.format, cup.heat, cup.advance], ['Club', 'SS1-D3N', 'cup', 4, 2]);
  assert.equal(optionsOf(cup).late_round, 0);
  assert.equal(optionsOf(formOf('swiss', { heat: 5 })).heat, 2);
});

test('late, absent, bye, waiting, dropped and the others are different words', () => {
  const racing = info({ phase: 'round', round: 1 });
  const states = [
    standingOf(info(), null, false, false), standingOf(info({ phase: 'round', late: false }), you({ status: '' }), false, false), standingOf(racing, you({ room: 'ABCDE' }), true, false),
    standingOf(racing, you(), true, false), standingOf(racing, you(), false, false), standingOf(racing, you({ bye: true }), false, false), standingOf(racing, you({ status: 'waiting' }), false, false),
    standingOf(racing, you({ status: 'absent' }), false, false), standingOf(racing, you({ status: 'out' }), false, false), standingOf(racing, you({ status: 'dropped' }), false, false),
    standingOf(racing, you({ status: 'unchecked' }), false, false), standingOf(info({ phase: 'check_in', check_in_ms: 5 }), you({ checked: false }), false, false),
    standingOf(info({ phase: 'check_in', check_in_ms: 5 }), you(), false, false), standingOf(info({ phase: 'break' }), you(), true, false), standingOf(racing, you(), true, true),
    standingOf(info({ phase: 'ended' }), you(), true, false), standingOf(info({ phase: 'ended' }), null, false, false),
  ];
  assert.deepEqual(states, ['none', 'closed', 'racing', 'done', 'late', 'bye', 'waiting', 'absent', 'out', 'dropped', 'unchecked', 'check', 'checked', 'in', 'beaten', 'over', 'ended']);
  for (const tag of Object.keys(LANGUAGES)) {
    const found = states.map((state) => texts(tag)[`tour.you.${state}`]);
    assert.equal(new Set(found).size, states.length, tag);
  }
});

test('a cup names its last rounds, knows who goes on and who is out', () => {
  const { lang } = evening();
  const cup = info({ options: options({ format: 'cup', heat: 2, advance: 1 }) });
  const rounds = [round(1, false, [heat('ABCDE', ['a', 'b'], false, [row('a', 1), row('b', 2)]), heat('ABCDF', ['c', 'd'], false, [row('c', 1), row('d', 2)])]), round(2, true, [heat('ABCDG', ['a', 'c'], true)])];
  assert.deepEqual(rounds.map((one) => roundName(lang, cup, one, one.round)), ['Semi-finals', 'Final']);
  assert.equal(roundName(lang, info(), rounds[1], 2), 'Round 2');
  assert.deepEqual([...wentOn(rounds, 0)], ['a', 'c']);
  assert.deepEqual(['a', 'b'].map((one) => knockedOut(cup, rounds, one)), [false, true]);
  assert.deepEqual(['c', 'd'].map((one) => knockedOut(cup, rounds.slice(0, 1), one)), [false, true]);
});

test('what is waited for has its instant', () => {
  assert.deepEqual(awaited(info({ start_ms: 9 }), NOW), { what: 'start', atMs: 9 });
  assert.deepEqual(awaited(info({ phase: 'break', next_ms: 8 }), NOW), { what: 'next', atMs: 8 });
  assert.deepEqual(awaited(info({ phase: 'round', gun_ms: NOW + 5 }), NOW), { what: 'gun', atMs: NOW + 5 });
  assert.deepEqual(awaited(info({ phase: 'round', deadline_ms: 7 }), NOW), { what: 'round', atMs: 7 });
  assert.equal(awaited(info({ phase: 'paused' }), NOW).what, 'paused');
  assert.equal(awaited(info({ phase: 'ended' }), NOW).what, '');
});

test('values of tie-breaks are read as what they are', () => {
  const { lang } = evening();
  assert.equal(tieValue(lang, 'best_place', -2), '2');
  assert.equal(tieValue(lang, 'total_time', -754_000), '12:34');
  assert.equal(tieValue(lang, 'sonneborn_berger', 15), '7.5');
});

test('the lobby says what happens with who comes late, and every edit has a sentence', () => {
  for (const tag of Object.keys(LANGUAGES)) {
    const { lang } = evening({ tag });
    for (const format of FORMATS) assert.ok(lateRules(lang, options({ format })).every((rule) => !rule.startsWith('tour.')), `${tag} ${format}`);
    for (const edit of EDITS) assert.doesNotMatch(editText(lang, edit, () => 'Can'), /tour\.|\{/, `${tag} ${edit.what}`);
  }
});

function pages(tag) {
  const live = { heats: [{ round: 2, room: 'FGHJK', rows: [{ entrant: 'p0', out: 9, score: 40, moves: 9, ended: '', there: 'yes' }, { entrant: 'bot-1', out: 4, score: 10, moves: 9, ended: '', there: 'never' }] }] };
  const racing = info({ phase: 'round', round: 2, heats: 1, deadline_ms: NOW + 60_000 });
  const cup = info({ phase: 'round', round: 2, options: options({ format: 'cup', heat: 2, advance: 1, name: 'Cup' }), sentence: 3, sentence_ms: NOW });
  const sure = (what) => {
    const app = here(evening({ tag }), racing);
    app.ui.tour = { ...app.ui.tour, sure: what, about: 'p1', shared: { name: 'Ayşe', token: 'x' }, bad: 'extend' };
    return app;
  };
  const timed = evening({ tag });
  timed.ui.tour.form = { ...formOf('arena'), start: 'time' };
  timed.ui.tour.bad = 'name';
  const mine = ['in', 'waiting', 'absent', 'out', 'dropped', 'unchecked', ''].map((status) => player(here(evening({ tag }), racing, you({ status, queue: 3, place: 2, points: 7 })), CODE, false));
  return [
    list(evening({ tag })), list(evening({ tag, token: false })), form(evening({ tag })), form(timed), ...mine,
    player(here(evening({ tag }), cup, you({ room: 'FGHJK' })), CODE, false), player(here(evening({ tag }), info({ phase: 'ended' }), you({ place: 1 })), CODE, false),
    player(here(evening({ tag, told: whole({ rounds: [] }) }), info({ phase: 'check_in', check_in_ms: 1, start_ms: NOW + 9 }), you({ checked: false })), CODE, false),
    player(evening({ tag }), 'AAAAA', false), player(evening({ tag, told: null }), CODE, false), player(sure('withdraw'), CODE, false),
    hostConsole(here(evening({ tag, live }), racing), CODE, false), hostConsole(here(evening({ tag, told: whole({ rounds: [], edits: [], entrants: [], standings: [] }) }), info()), CODE, false),
    hostConsole(here(evening({ tag }), info({ phase: 'paused', round: 1 })), CODE, false), hostConsole(here(evening({ tag }), info({ phase: 'ended' })), CODE, false), hostConsole(here(evening({ tag }), cup), CODE, false),
    hostConsole(sure('end'), CODE, false), hostConsole(sure('close_round'), CODE, false), hostConsole(sure('revoke Ayşe'), CODE, false), hostConsole(evening({ tag, token: false }), CODE, false),
    home(here(evening({ tag }), racing)),
  ];
}

test('every page has words in every language, names for everything, and one brass button at most', () => {
  for (const tag of Object.keys(LANGUAGES)) {
    for (const page of pages(tag)) {
      assertWorded(page, tag);
      for (const node of all(page)) for (const kid of node.kids) assert.ok(typeof kid !== 'string' || !/^tour\.|\{\w+\}/.test(kid), `${tag}: ${kid}`);
    }
  }
  for (const page of pages('en')) assertSound(page);
});

test('the console sends what its buttons say, and a host can do whatever the command line can', async () => {
  const app = here(evening(), info({ phase: 'round', round: 2 }));
  app.ui.tour.about = 'p0';
  const page = () => hostConsole(app, CODE, false);
  press(page(), 'Add 2 minutes');
  press(page(), 'Pause after this round');
  press(page(), 'Mark absent');
  press(page(), 'Take out');
  assert.deepEqual(app.asked.map(([, , , , action, key, value]) => [action, key, value]), [['extend', '', 120], ['pause', '', 0], ['absent', 'p0', 0], ['drop', 'p0', 0]]);
  const sources = ['controls', 'console-people', 'console-heats', 'console-log'].map((name) => readFileSync(new URL(`../../client_web/js/views/tournament/${name}.js`, import.meta.url), 'utf8')).join('')
    + readFileSync(new URL('../../client_web/js/tournament/actions.js', import.meta.url), 'utf8');
  const powers = readFileSync(new URL('../../server/core/tournament/hosting.py', import.meta.url), 'utf8').match(/^ {4}"(\w+)": _/gm).map((line) => line.trim().split('"')[1]);
  assert.ok(powers.length > 15);
  for (const power of powers) assert.ok(sources.includes(`'${power}'`), power);
});

test('a round is closed after a question only, and given up half a minute later at the earliest', async () => {
  const late = (ms) => here(evening({ told: whole({ rounds: [{ ...whole().rounds[1], deadline_ms: NOW - ms }] }) }), info({ phase: 'round', round: 2 }));
  const open = here(evening(), info({ phase: 'round', round: 2 }));
  press(hostConsole(open, CODE, false), 'End the round early…');
  assert.equal(open.asked.length, 0);
  press(hostConsole(open, CODE, false), 'End the round');
  assert.deepEqual(open.asked[0].slice(4), ['close_round', '2', 0]);
  const stuck = (ms) => buttons(hostConsole(late(ms), CODE, false)).find((node) => textOf(node).startsWith('Give up heats'));
  assert.equal(stuck(5000)?.props.disabled, true);
  assert.equal(stuck(31_000)?.props.disabled, false);
});

test('a value that cannot be meant is not sent, and words say so', async () => {
  const app = here(evening(), info({ phase: 'round', round: 2 }));
  app.tour.type('rounds', '3.5');
  await app.tour.hostTyped(CODE, 'rounds', 'rounds', [1, 30]);
  assert.equal(app.asked.length, 0);
  assert.ok(all(hostConsole(app, CODE, false)).some((node) => node.props.role === 'alert' && textOf(node) === app.t('tour.bad.rounds')));
  app.tour.type('rounds', '5');
  await app.tour.hostTyped(CODE, 'rounds', 'rounds', [1, 30]);
  assert.deepEqual(app.asked[0].slice(4), ['rounds', '', 5]);
});

test('every refusal of a click is said in the words of tournaments', async () => {
  for (const code of ['not_now', 'bad_options', 'no_seat', 'host_only', 'too_early', 'locked']) {
    const app = here(evening({ answer: async () => { throw new Refusal(code); } }), info());
    assert.equal(await app.tour.host(CODE, 'undo', '', 1), false);
    assert.deepEqual(app.did.at(-1), ['notice', app.t(`tour.no.${code}`), true]);
  }
});

test('a code is typed on the page of tournaments as people type it, and one hosts by name', () => {
  const app = evening();
  keepHosted(app.tour.keep, CODE, 'Thursday League');
  const submit = () => all(list(app)).find((node) => node.props?.class === 'joinrow').props.on.submit({ preventDefault: () => {} });
  app.set({ joinCode: 'zq-ph' });
  submit();
  assert.equal(app.ui.joinBad, true);
  assert.ok(textOf(list(app)).includes('five letters, and never I or O'));
  app.set({ joinCode: ' zqp hr ' });
  submit();
  assert.deepEqual(app.did.at(-1).slice(0, 2), ['go', { page: 'tournament', code: 'ZQPHR' }]);
  assert.ok(textOf(list(app)).includes('Thursday League'));
});

test('a host link is kept on the device, and a revoked one says what it is', async () => {
  const app = evening({ token: false, answer: async () => { throw new Refusal('host_only'); } });
  assert.equal(app.tour.adopt(CODE, '#'), false);
  assert.equal(app.tour.adopt(CODE, '#abcdefgh-token_1'), true);
  assert.equal(app.tour.tokenOf(CODE), 'abcdefgh-token_1');
  await app.tour.listHosts(CODE);
  const page = hostConsole(app, CODE, false);
  assert.ok(all(page).some((node) => textOf(node) === app.t('tour.locked_revoked')));
  assert.ok(links(page).includes(`/t/${CODE}`));
});

test('a deal that is sealed has no link to a replay, an open one has', () => {
  const sealed = whole({ rounds: [{ ...whole().rounds[0], open: true, code: '' }] });
  const shown = (told) => links(player(here(evening({ told }), info({ phase: 'round', round: 1 })), CODE, false));
  assert.ok(!shown(sealed).some((href) => href.startsWith('/replay/')));
  assert.ok(shown(whole()).includes('/replay/HEATAAAAAA'));
});

test('the words of tournaments are the same keys in every language, with the same holes, and each is used', () => {
  const english = texts('en');
  const holes = (entry) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g) ?? [])].sort();
  for (const tag of Object.keys(LANGUAGES)) {
    const words = texts(tag);
    assert.deepEqual(Object.keys(words), Object.keys(english), tag);
    for (const [key, entry] of Object.entries(words)) {
      assert.deepEqual(holes(entry), holes(english[key]), `${tag} ${key}`);
      assert.doesNotMatch(JSON.stringify(entry), /'|\.\.\.|""/, `${tag} ${key}`);
    }
  }
  const folder = new URL('../../client_web/js/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true }).map(String).filter((name) => /^tournament|views\/tournament/.test(name) && name.endsWith('.js')).map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const named = new Set([...sources.matchAll(/['`](tour\.[a-z_.0-9]+?)['`]/g)].map(([, key]) => key));
  const begun = [...new Set([...sources.matchAll(/`(tour\.[a-z_.]+\.)\$\{|`(tour\.[a-z_]+\.[a-z]+)\$\{/g)].map(([, one, two]) => one ?? two))];
  for (const key of named) assert.ok(key in english, key);
  for (const beginning of begun) assert.ok(Object.keys(english).some((key) => key.startsWith(beginning)), beginning);
  assert.deepEqual(Object.keys(english).filter((key) => key.startsWith('tour.') && !named.has(key) && !begun.some((beginning) => key.startsWith(beginning))), []);
});

test('nobody is shown a place before anything has counted, and nobody on the steps', () => {
  const none = ['p0', 'p1', 'bot-1'].map((id) => standing(id, 0, { points: 0, values: [], decided_by: 'tie', played: 0 }));
  const told = whole({ standings: none, rounds: [round(1, true, [heat('ABCDE', ['p0', 'p1', 'bot-1'], true)])] });
  const nodes = (/** @type {string} */ phase, /** @type {any} */ shown) => player(here(evening({ told: shown }), info({ phase, round: 1 })), CODE, false);
  const cells = all(nodes('round', told)).filter((node) => node.tag === 'td' && node.props.class === 'place');
  assert.deepEqual(cells.map(textOf), ['–', '–', '–']);
  assert.ok(!all(nodes('round', told)).some((node) => textOf(node) === 'shared place'));
  const steps = (/** @type {any} */ shown) => all(nodes('ended', shown)).filter((node) => node.props.key === 'podium').length;
  assert.deepEqual([steps(told), steps(whole())], [0, 1]);
});
