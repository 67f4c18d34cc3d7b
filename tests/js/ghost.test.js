import assert from 'node:assert/strict';
import { test } from 'node:test';

import { textOf } from '../../client_web/js/dom.js';
import { checks } from '../../client_web/js/fairness.js';
import { LANGUAGES } from '../../client_web/js/i18n.js';
import { seatLetters, seatName } from '../../client_web/js/phrases.js';
import { parse, pathOf } from '../../client_web/js/router.js';
import { reduce } from '../../client_web/js/store.js';
import { ghostPage, noGhost } from '../../client_web/js/views/ghost.js';
import { create } from '../../client_web/js/views/options.js';
import { resultPage } from '../../client_web/js/views/result.js';
import { waiting } from '../../client_web/js/views/room.js';
import { all, assertSound, assertWorded, buttons, links, makeApp, press } from './kit.js';

const HEAT = 'KMPQRTVWXY';
const OPTIONS = { ruleset: 'DS1-D1N', goal: 'first', minutes: 10, seats: 1, undo: 'all', hints: true, public: false, best_of: 1, code: '', match: false, certified: false };
const ghost = (seat, name, more = {}) => ({ seat, player: `p${seat + 1}`, name, bot: 0, ...more });
const told = (more = {}) => ({
  heat: HEAT, ruleset: 'DS1-D1N', goal: 'first', minutes: 10, undo: 'all', hints: true, challenge: true, open: false, ghosts: [ghost(0, 'Ada')], answers: [], ...more,
});
const several = told({ challenge: false, open: true, ghosts: [ghost(0, 'Ada'), ghost(1, 'Grace'), ghost(2, '', { bot: 2, player: '' })], answers: [{ player: 'p9', name: 'Emmy', heat: 'KMPQRTVWXA', at_ms: 1 }] });
const mine = told({ ghosts: [ghost(0, 'Deniz', { player: 'p0' })] });

const row = (seat, name, bot, you = false) => ({ type: 'SeatRow', seat, player: bot ? '' : `p${seat}`, name, tag: '', bot, ready: bot > 0, present: true, you, wins: 0 });
const resultRow = (seat, place, name) => ({ seat, place, ended: 'resigned', out: 3, score: 30, moves: 9, at_ms: 9000, reason: place === 1 ? 'first' : 'out', tally: 0, name, undos: 0, peeks: 0 });

/** A room of a ghost race. */
function inRoom(tag, kind, ...events) {
  const app = makeApp(tag);
  const info = { type: 'RoomInfo', code: 'KVMXR', options: { ...OPTIONS, seats: 2 }, phase: 'open', host: 0, locked: false, watchers: 0, deal: 1, decided: false, startable_ms: 0, kind };
  const rows = kind === 'chase' ? [row(0, 'Deniz', 0, true), row(1, 'Ada', 4)] : [row(0, 'Deniz', 0, true)];
  for (const event of [info, ...rows, { type: 'Entered', n: 1, code: 'KVMXR', seat: 0 }, ...events]) app.state = reduce(app.state, event, 100_000);
  return app;
}
const result = (kind) => ({
  type: 'HeatResult', heat: HEAT, number: 1, rows: kind === 'chase' ? [resultRow(1, 1, 'Ada'), resultRow(0, 2, 'Deniz')] : [resultRow(0, 1, 'Deniz')],
  code: kind === 'chase' ? 'DS1-D1N-ABCDEFG-HIJKLMA' : '', nonce: '', commitment: kind === 'chase' ? '' : 'ab'.repeat(32),
});
function over(tag, kind) {
  const app = inRoom(tag, kind, result(kind));
  app.ui.proof = { heat: HEAT, ms: 1, checks: kind === 'chase' ? [{ name: 'open_deal', ok: true }] : [{ name: 'waits', ok: true }] };
  return resultPage(app, app.state.room, app.state.room.result);
}

function pages(tag) {
  const form = makeApp(tag);
  form.ui.form = { ...form.ui.form, challenge: true };
  return [
    ghostPage(makeApp(tag), told(), new Set()), ghostPage(makeApp(tag), several, new Set([1])), ghostPage(makeApp(tag), mine, new Set()),
    noGhost(makeApp(tag), ''), noGhost(makeApp(tag), 'not_found'), noGhost(makeApp(tag), 'offline'), create(form),
    ...['challenge', 'chase'].flatMap((kind) => {
      const app = inRoom(tag, kind);
      return [waiting(app, app.state.room), over(tag, kind)];
    }),
  ];
}

test('every page of ghost races has words in every language, and names for everything', () => {
  for (const tag of Object.keys(LANGUAGES)) for (const page of pages(tag)) assertWorded(page, tag);
  for (const page of pages('en')) assertSound(page);
});

test('a challenge has an address', () => {
  assert.deepEqual(parse(`/g/${HEAT}`), { page: 'ghost', id: HEAT });
  assert.equal(pathOf({ page: 'ghost', id: HEAT }), `/g/${HEAT}`);
  for (const path of ['/g/', '/g/kmpqrtvwxy', '/g/KMPQR']) assert.deepEqual(parse(path), { page: 'lost' });
});

test('a ghost bears the name of who played it', () => {
  const app = makeApp('en');
  assert.equal(seatName(app.lang, { bot: 4, name: 'Ada' }), 'Ada’s ghost');
  assert.equal(seatLetters(app.lang, { bot: 4, name: 'Ada Lovelace' }), 'AL');
  assert.equal(seatName(app.lang, { bot: 2, name: '' }), 'Bot, level 2');
});

test('who is challenged races with one press', () => {
  const app = makeApp('en');
  const page = ghostPage(app, told(), new Set());
  assert.match(textOf(page), /Ada challenges you/);
  press(page, 'Race');
  assert.deepEqual(app.did, [['raceGhosts', HEAT, [0]]]);
});

test('of several boards those are raced that are not left out', () => {
  const app = makeApp('en');
  const left = new Set();
  const box = all(ghostPage(app, several, left)).find((node) => node.tag === 'input' && node.props['aria-label'] === 'Grace');
  box?.props.on.change();
  assert.deepEqual([...left], [1]);
  press(ghostPage(app, several, left), 'Race');
  assert.deepEqual(app.did, [['raceGhosts', HEAT, [0, 2]]]);
  const none = buttons(ghostPage(app, several, new Set([0, 1, 2]))).find((node) => textOf(node) === 'Race');
  assert.equal(none?.props.disabled, true);
});

test('who knows the deal is given the link instead, and sees who has answered', () => {
  const page = ghostPage(makeApp('en'), mine, new Set());
  assert.equal(buttons(page).some((node) => textOf(node) === 'Race'), false);
  assert.match(textOf(page), /\/g\/KMPQRTVWXY/);
  assert.match(textOf(page), /stays sealed/);
  const answered = ghostPage(makeApp('en'), { ...mine, open: true, answers: several.answers }, new Set());
  assert.deepEqual(links(answered).filter((/** @type {string} */ href) => href.startsWith('/replay')), ['/replay/KMPQRTVWXA', `/replay/${HEAT}`]);
});

test('who has answered does not race again', () => {
  const page = ghostPage(makeApp('en'), told({ answers: [{ player: 'p0', name: 'Deniz', heat: HEAT, at_ms: 1 }] }), new Set());
  assert.equal(buttons(page).some((node) => textOf(node) === 'Race'), false);
});

test('a challenge ends with its link, sealed, and without a rematch', () => {
  const page = over('en', 'challenge');
  const text = textOf(page);
  assert.match(text, /Send the challenge/);
  assert.match(text, /Sealed before the start, and still/);
  assert.doesNotMatch(text, /Rematch|Watch replay|Copy code/);
  assert.ok(links(page).includes(`/g/${HEAT}`));
});

test('a chase ends with both, a replay, and without a rematch', () => {
  const text = textOf(over('en', 'chase'));
  assert.match(text, /Ada’s ghost/);
  assert.match(text, /Watch replay/);
  assert.doesNotMatch(text, /Rematch/);
});

test('a deal that others are yet to race on is checked against its seal, and no card is', () => {
  const seen = { heat: HEAT, seal: 'ab'.repeat(32), before: true, opening: [1], drawn: [], counting: true, ply: 0 };
  const deals = { verify: () => assert.fail('nothing to verify'), dealOf: () => assert.fail('no deal') };
  assert.deepEqual(checks(result('challenge'), seen, true, deals), [{ name: 'waits', ok: true }]);
  assert.deepEqual(checks(result('challenge'), { ...seen, seal: 'cd' }, true, deals), [{ name: 'waits', ok: false }]);
  assert.deepEqual(checks(result('challenge'), null, true, deals), [{ name: 'waits', ok: null }]);
});
