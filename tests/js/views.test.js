import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { App } from '../../client_web/js/app.js';
import { h, textOf } from '../../client_web/js/dom.js';
import { Language, LANGUAGES } from '../../client_web/js/i18n.js';
import { DEFAULTS } from '../../client_web/js/settings.js';
import { reduce } from '../../client_web/js/store.js';
import { scale, shortName } from '../../client_web/js/views/chart.js';
import { device } from '../../client_web/js/views/device.js';
import { layer } from '../../client_web/js/views/dialogs.js';
import { home } from '../../client_web/js/views/home.js';
import { create, rulesetOf } from '../../client_web/js/views/options.js';
import { resultPage } from '../../client_web/js/views/result.js';
import { waiting, why } from '../../client_web/js/views/room.js';
import { settingsPage } from '../../client_web/js/views/settings.js';
import { entering, lost, noEntry, stopped } from '../../client_web/js/views/states.js';
import { watch } from '../../client_web/js/views/watch.js';

const words = (tag) => JSON.parse(readFileSync(new URL(`../../client_web/lang/${tag}.json`, import.meta.url), 'utf8'));
const NOW = 100_000;

/** An app whose actions are remembered by name. */
function makeApp(tag = 'en') {
  const app = new App({
    lang: new Language(tag, words(tag)), settings: DEFAULTS, route: { page: 'home' }, now: () => NOW, draw: () => {},
    origin: 'https://kupa.example', canShare: true, named: false,
  });
  app.did = [];
  app.actions = new Proxy({}, { get: (_, name) => (...args) => app.did.push([name, ...args]) });
  app.dispatch({ type: '@status', status: { phase: 'open', verdict: null, retryAtMs: 0, attempt: 0 } });
  app.dispatch({ type: 'Welcome', player: 'p0', tag: '4F2A', name: 'Deniz', token: '', room: '' });
  return app;
}

const options = { ruleset: 'DS1-D1N', goal: 'first', minutes: 10, seats: 5, undo: 'all', hints: true, public: false, best_of: 3, code: '', match: false, certified: false };
const info = (more = {}) => ({ type: 'RoomInfo', code: 'KVMXR', options, phase: 'open', host: 0, locked: false, watchers: 2, deal: 1, decided: false, startable_ms: 0, ...more });
const seat = (number, name, more = {}) => ({ type: 'SeatRow', seat: number, player: `p${number}`, name, tag: `T${number}`, bot: 0, ready: false, present: true, you: number === 0, wins: 0, ...more });
const heatInfo = { type: 'HeatInfo', heat: 'HEATAAAAAA', number: 1, commitment: 'aa', gun_ms: NOW - 60_000, deadline_ms: NOW + 540_000, seats: [0, 1, 2], gone: [] };
const resultRow = (number, place, more = {}) => ({ seat: number, place, ended: 'time_up', out: 10, score: 100, moves: 50, at_ms: 300_000, reason: 'out', tally: 3 - place, name: ['Deniz', 'Ayşe K.', ''][number], ...more });
const result = { type: 'HeatResult', heat: 'HEATAAAAAA', number: 1, rows: [resultRow(1, 1, { ended: 'won', reason: 'first' }), resultRow(0, 2), resultRow(2, 3)], code: 'DS1-D1N-ABCDEFG-HIJKLMN', nonce: 'bb', commitment: 'aa' };

function inRoom(tag, ...events) {
  const app = makeApp(tag);
  const all = [info(), seat(0, 'Deniz'), seat(1, 'Ayşe K.'), seat(2, '', { bot: 2, player: '', ready: true }), { type: 'Entered', n: 1, code: 'KVMXR', seat: 0 }, ...events];
  for (const event of all) app.state = reduce(app.state, event, NOW);
  return app;
}

/** What `waiting` takes. */
function roomOf(...events) {
  const app = inRoom('en', ...events);
  return [app, app.state.room];
}

/** All elements of a description. */
function all(nodes) {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...all(node.kids)]));
}
const buttons = (nodes) => all(nodes).filter((node) => node.tag === 'button');
const press = (nodes, label) => {
  const found = buttons(nodes).find((node) => textOf(node) === label || node.props['aria-label'] === label);
  assert.ok(found, `a button ${label} among ${buttons(nodes).map((node) => textOf(node)).join(' | ')}`);
  found.props.on.click({});
};

/** Every page the shell can show, in a language. */
function pages(tag) {
  const race = inRoom(tag, heatInfo, info({ phase: 'running' }), { type: 'Progress', rows: [0, 3, 30, 9, 0, 1, 5, 50, 9, 2] });
  const over = inRoom(tag, heatInfo, info({ phase: 'running' }), { type: 'Progress', rows: [0, 3, 30, 9, 0] }, result, info());
  over.ui.proof = { heat: 'HEATAAAAAA', ms: 3, checks: [{ name: 'sealed', ok: true }, { name: 'opened', ok: true }, { name: 'fits', ok: false }, { name: 'cards', ok: true, count: 9 }, { name: 'waits', ok: null }] };
  const empty = makeApp(tag);
  const forms = makeApp(tag);
  forms.ui.deviceCode = { code: 'ABCDEFGH', expires_ms: NOW + 5000 };
  forms.ui.form = { options: { ...options, code: 'DS1-D1N-AAAAAA9' }, bots: 2, level: 1 };
  const lobby = makeApp(tag);
  lobby.state = reduce(lobby.state, { type: 'Rooms', rows: [{ code: 'KVMXR', host: 'Ayşe', ruleset: 'SS1-D3N', goal: 'score', minutes: 0, seats: 4, taken: 4, best_of: 5, running: true }] }, NOW);
  const dialogs = ['name', 'settings', 'options', 'revoke'].map((dialog) => {
    const app = inRoom(tag);
    app.ui.dialog = dialog;
    app.ui.notice = { text: 'x', bad: true };
    return layer(app);
  });
  const stop = (verdict) => {
    const app = makeApp(tag);
    app.state = reduce(app.state, { type: '@status', status: { phase: 'stopped', verdict, retryAtMs: 0, attempt: 0 } }, NOW);
    return stopped(app);
  };
  const waits = inRoom(tag);
  return [
    home(empty), home(lobby), create(forms), settingsPage(empty), device(forms), lost(empty), entering(empty, 'KVMXR'),
    noEntry(waits, 'BBBBB', 'locked'), noEntry(empty, 'BBBBB', 'noroom'), waiting(waits, waits.state.room),
    watch(race, race.state.room, race.state.room.heat), resultPage(over, over.state.room, result),
    stop('elsewhere'), stop('outdated'), stop('broken'), ...dialogs,
  ];
}

test('no page shows a key instead of a text, in any language', () => {
  for (const tag of Object.keys(LANGUAGES)) {
    const keys = new Set(Object.keys(words(tag)));
    const groups = new Set([...keys].map((key) => key.split('.')[0]));
    for (const page of pages(tag)) {
      for (const node of all(page)) {
        const texts = [...node.kids.filter((kid) => typeof kid === 'string'), node.props['aria-label'], node.props.alt].filter(Boolean);
        for (const text of texts) {
          const word = /^[a-z_]+(\.[A-Za-z0-9_-]+)+$/.test(text) ? text : '';
          assert.ok(!word || !groups.has(word.split('.')[0]), `${tag}: ${text}`);
          assert.ok(!/\{\w+\}/.test(text), `${tag}: ${text}`);
        }
      }
    }
  }
});

test('every button, link and field has a name, and every page one first heading', () => {
  for (const page of pages('en')) {
    const nodes = all(page);
    for (const node of nodes.filter((one) => ['button', 'a'].includes(one.tag))) assert.ok(node.props['aria-label'] || textOf(node), JSON.stringify(node.props));
    const labels = new Set(nodes.filter((one) => one.tag === 'label').map((one) => one.props.for));
    const wrapped = new Set(nodes.filter((one) => one.tag === 'label').flatMap((label) => all(label.kids)));
    for (const node of nodes.filter((one) => ['input', 'select'].includes(one.tag))) assert.ok(labels.has(node.props.id) || wrapped.has(node), JSON.stringify(node.props));
    const headings = nodes.filter((one) => one.tag === 'h1').length;
    assert.equal(headings, nodes.some((one) => one.tag === 'main') ? 1 : 0);
  }
});

test('keys among brothers are unique', () => {
  const check = (kids) => {
    const keys = kids.filter((kid) => typeof kid !== 'string').map((kid) => kid.props.key).filter((key) => key !== undefined);
    assert.equal(new Set(keys).size, keys.length, keys.join(', '));
    for (const kid of kids) if (typeof kid !== 'string') check(kid.kids);
  };
  for (const page of pages('en')) check(page);
});

test('a room says whether its deals are certified, and the result how hard the deal was and where the proof is', () => {
  const facts = (/** @type {any} */ more) => textOf(waiting(...roomOf(info({ options: { ...options, ...more } }))));
  assert.match(facts({ certified: true }), /Certified deals/);
  assert.match(facts({ certified: false }), /Not certified/);
  const over = inRoom('en', heatInfo, result, info());
  over.ui.proof = { heat: result.heat, ms: 3, checks: [] };
  const shown = (/** @type {string} */ difficulty) => resultPage(over, over.state.room, { ...result, difficulty });
  assert.match(textOf(shown('hard')), /Certified: it can be won.*Difficulty: hard/);
  assert.ok(all(shown('hard')).some(({ props }) => props.href === '/replay/HEATAAAAAA#b=1,solution'));
  assert.match(textOf(shown('')), /Not certified/);
  assert.match(textOf(resultPage(over, over.state.room, { ...result, nonce: '', commitment: '' })), /Given code: not checked here/);
  assert.match(facts({ code: 'DS1-D1N-AAAAAAB' }), /Given code: not checked here/);
});

test('one’s own results are one link away, and a name of the wrong length is said so before it is sent', () => {
  const app = makeApp('en');
  assert.ok(all(home(app)).filter(({ props }) => props.href === '/player/p0').length >= 2);
  app.ui.dialog = 'name';
  const save = (/** @type {string} */ name) => {
    app.ui.name = name;
    app.did.length = 0;
    const sheet = layer(app);
    assert.ok(all(sheet).some(({ props }) => props.href === '/player/p0'));
    all(sheet).find(({ tag }) => tag.startsWith('form')).props.on.submit({ preventDefault() {} });
    return app.did;
  };
  assert.deepEqual(save(' x '), [['notice', 'A name has at least two characters.', true]]);
  assert.deepEqual(save('x'.repeat(21)), [['notice', 'A name has at most 20 characters.', true]]);
  assert.deepEqual(save('Deniz'), [['rename']]);
});

test('the form asks for certified deals, and says so where there are none', () => {
  const app = makeApp('en');
  const form = (/** @type {any} */ more) => {
    app.ui.form = { options: { ...options, ...more }, bots: 0, level: 1 };
    return create(app);
  };
  assert.match(textOf(form({})), /Certified deals, when one is ready/);
  assert.doesNotMatch(textOf(form({})), /Not certified/);
  for (const [more, said] of [[{ ruleset: 'DS1-D3V' }, /Not certified/], [{ code: 'DS1-D1N-AAAAAAB' }, /Given code: not checked here/]]) {
    assert.doesNotMatch(textOf(form(more)), /Certified deals, when one is ready/);
    assert.match(textOf(form(more)), said);
  }
});

test('no page has two brass buttons', () => {
  for (const page of pages('en')) assert.ok(buttons(page).filter((node) => node.props.class?.includes('btn--gold')).length <= 1);
});

test('the first page starts a race with one press', () => {
  const app = makeApp();
  press(home(app), 'Play now');
  assert.deepEqual(app.did, [['playNow']]);
});

test('a seat elsewhere is offered on the first page', () => {
  const app = makeApp();
  app.state = reduce(app.state, { type: 'Welcome', player: 'p', tag: '', name: 'N', token: '', room: 'KVMXR' }, NOW);
  assert.ok(all(home(app)).some((node) => node.tag === 'a' && node.props.href === '/r/KVMXR'));
});

test('the host may add bots, remove people, lock, hand over and change options; others may not', () => {
  const host = inRoom();
  const labels = buttons(waiting(host, host.state.room)).map((node) => node.props['aria-label'] ?? textOf(node));
  for (const label of ['Add a bot', 'Remove Ayşe K.', 'Remove Bot, level 2', 'Make Ayşe K. the host', 'Let nobody in', 'Options']) assert.ok(labels.includes(label), label);
  const guest = inRoom('en', info({ host: 1 }));
  const fewer = buttons(waiting(guest, guest.state.room)).map((node) => node.props['aria-label'] ?? textOf(node));
  for (const label of ['Add a bot', 'Remove Ayşe K.', 'Let nobody in', 'Options']) assert.ok(!fewer.includes(label), label);
});

test('a quick match has no host powers and says when it starts', () => {
  const app = inRoom('en', info({ options: { ...options, match: true }, startable_ms: NOW + 8000 }));
  const labels = buttons(waiting(app, app.state.room)).map((node) => node.props['aria-label'] ?? textOf(node));
  assert.ok(!labels.includes('Options') && !labels.includes('Add a bot'));
  assert.equal(why(app, app.state.room), 'Starts in 0:08.');
});

test('what the room waits for is said in a sentence', () => {
  const own = { ready: true };
  const ready = inRoom('en', seat(0, 'Deniz', own), info({ startable_ms: NOW + 12_000 }));
  assert.equal(why(ready, ready.state.room), 'Waiting for Ayşe K. You can start in 0:12.');
  const guest = inRoom('en', seat(0, 'Deniz', own), info({ host: 1, startable_ms: NOW + 12_000 }));
  assert.equal(why(guest, guest.state.room), 'Waiting for Ayşe K. The host can start in 0:12.');
  const unready = inRoom('en');
  assert.equal(why(unready, unready.state.room), 'Starts when all are ready.');
  const lastOne = inRoom('en', seat(1, 'Ayşe K.', { ready: true }));
  assert.equal(why(lastOne, lastOne.state.room), 'Starts as soon as you are ready.');
});

test('the host can start without the unready only from the moment the server names', () => {
  const at = (ms) => {
    const app = inRoom('en', seat(0, 'Deniz', { ready: true }), info({ startable_ms: ms }));
    return buttons(waiting(app, app.state.room)).find((node) => textOf(node) === 'Start now');
  };
  assert.equal(at(NOW + 1)?.props.disabled, true);
  assert.equal(at(NOW)?.props.disabled, false);
  assert.equal(at(0), undefined);
});

test('twins are told apart by their tags', () => {
  const app = inRoom('en', seat(1, 'Deniz'));
  assert.match(textOf(waiting(app, app.state.room)), /#T0.*#T1/s);
});

test('the result offers a rematch, or the next deal of a match that goes on', () => {
  const next = inRoom('en', heatInfo, result, info());
  press(resultPage(next, next.state.room, result), 'Next deal');
  assert.deepEqual(next.did, [['ready', true]]);
  const over = inRoom('en', heatInfo, result, info({ decided: true }));
  press(resultPage(over, over.state.room, result), 'Rematch');
});

test('a rated heat shows what it did to ratings, with how sure they are', () => {
  const rated = { type: 'RatingChanged', heat: 'HEATAAAAAA', rows: [
    { seat: 0, rating: 1581, change: 81, deviation: 354, games: 12 }, { seat: 1, rating: 1419, change: -81, deviation: 354, games: 2 },
  ] };
  const app = inRoom('en', heatInfo, result, rated, info());
  const text = textOf(resultPage(app, app.state.room, result)).replace(/\u2212/g, '-');
  assert.match(text, /Rating/);
  assert.match(text, /1581 ± 354 \+81(?!provisional)/);
  assert.match(text, /1419 ± 354 -81provisional/);
  const other = inRoom('en', heatInfo, { ...result, heat: 'HEATBBBBBB' }, rated, info());
  assert.doesNotMatch(textOf(resultPage(other, other.state.room, { ...result, heat: 'HEATBBBBBB' })), /Rating/);
});

test('a result says how often somebody took back, and how often that had shown them a card', () => {
  const rows = result.rows.map((row, i) => ({ ...row, undos: 3 * i, peeks: i }));
  const app = inRoom('en', heatInfo, result, info());
  const text = textOf(resultPage(app, app.state.room, { ...result, rows }));
  assert.match(text, /Taken back/);
  assert.match(text, /31 of them after a new card/);
  assert.doesNotMatch(textOf(resultPage(app, app.state.room, result)), /Taken back/);
});

test('a result leads to its replay', () => {
  const app = inRoom('en', heatInfo, result, info());
  const link = all(resultPage(app, app.state.room, result)).find((node) => node.tag === 'a' && node.props.href === '/replay/HEATAAAAAA');
  assert.equal(textOf(link), 'Watch replay');
});

test('a proof that fails says so in its title and marks the step', () => {
  const app = inRoom('en', heatInfo, result, info());
  app.ui.proof = { heat: 'HEATAAAAAA', ms: 3, checks: [{ name: 'fits', ok: false }] };
  const text = textOf(resultPage(app, app.state.room, result));
  assert.match(text, /This does not fit/);
  assert.match(text, /The code does not fit the seal/);
});

test('a check that could not be made is shown as not made, and the title does not claim it', () => {
  const app = inRoom('en', heatInfo, result, info());
  app.ui.proof = { heat: 'HEATAAAAAA', ms: 3, checks: [{ name: 'sealed', ok: null }, { name: 'fits', ok: true }, { name: 'cards', ok: null }] };
  const page = resultPage(app, app.state.room, result);
  const unseen = all(page).filter((node) => node.tag === 'li' && node.props.class === 'is-unseen').map(textOf);
  assert.match(unseen[0], /Sealed before the start: not checked.*This page was opened after the start/);
  assert.match(unseen[1], /Your cards: not compared.*This page was opened after the start/);
  assert.equal(unseen.length, 2);
  assert.match(textOf(page), /Checked here in part/);
  assert.doesNotMatch(textOf(page), /Fair, and checked here|does not fit/);
});

test('a spectator sees counts and order, and no table', () => {
  const app = inRoom('en', { type: 'SeatFreed', seat: 0 }, heatInfo, info({ phase: 'running' }), { type: 'Progress', rows: [1, 5, 50, 9, 0] });
  const page = watch(app, app.state.room, app.state.room.heat);
  assert.match(textOf(page), /1:00/);
  assert.match(textOf(page), /How the race goes/);
  assert.ok(all(page).some((node) => node.tag === 'progress' && node.props.value === 5));
});

test('the scale of a chart has even, whole steps and ends where its curves nearly fill it', () => {
  const tops = (/** @type {number[]} */ values, /** @type {number} */ most) => values.map((value) => scale(0, value, most).at(-1));
  assert.deepEqual(tops([1, 13, 14, 27, 53, 104], 104), [2, 20, 20, 30, 60, 104]);
  assert.deepEqual(tops([1, 13, 52], 52), [2, 20, 52]);
  assert.deepEqual(scale(0, 7, 104), [0, 4, 8]);
  assert.deepEqual(tops([7, 90, 430, 1300], 0), [8, 100, 500, 2000]);
  assert.deepEqual(scale(-104, 1, 0), [-120, -80, -40, 0, 40]);
});

test('the end of a curve bears a short name', () => {
  assert.deepEqual(['Silver Ferret 81', 'Bot, level 2', 'Abcdefghijkl', 'Ayşe K.'].map(shortName), ['Silver', 'Bot', 'Abcdefgh…', 'Ayşe']);
});

test('a ruleset is put together from what the family has', () => {
  assert.equal(rulesetOf('DS1', 3, true), 'DS1-D3V');
  assert.equal(rulesetOf('DS1', 2, false), 'DS1-D1N');
  assert.equal(rulesetOf('SS1', 2, true), 'SS1-D2N');
});

test('a description holds text only; markup stays text', () => {
  const node = h('p.a.b', { class: 'c' }, '<b>x</b>', 7, null, false, ['y', [h('i', null, 'z')]]);
  assert.equal(node.props.class, 'a b c');
  assert.equal(textOf(node), '<b>x</b>7yz');
});
