import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Refusal } from '../../client_web/js/socket.js';
import { memoryKeep } from '../../client_web/js/storage.js';
import { hostedNames } from '../../client_web/js/tournament/hosted.js';
import { Signal } from '../../client_web/js/tournament/signal.js';
import { isTournament, TournamentDesk } from '../../client_web/js/tournament-desk.js';
import { makeApp, NOW, tell } from './kit.js';

const CODE = 'KVMXR';
const OPEN = 28;
const info = (more = {}) => ({ type: 'TournamentInfo', code: CODE, options: { name: 'Club' }, phase: 'round', version: 1, ...more });
const you = (more = {}) => ({ type: 'TournamentYou', status: 'in', checked: true, room: '', round: 1, gun_ms: NOW + 9000, bye: false, place: 0, points: 0, queue: 0, ...more });

/** A desk that is told over a line whose answers are `answer`. */
function seated({ keep = memoryKeep(), answer = async () => ({ type: 'Done' }) } = {}) {
  const app = makeApp();
  const asked = [];
  let turned = 0;
  const line = { request: (make) => {
    asked.push(make(7));
    return answer(make(7));
  } };
  const desk = new TournamentDesk({ app, line, keep, changed: () => {}, turned: () => (turned += 1) });
  desk.signal = { get: () => null };
  const hear = (...events) => {
    for (const event of events) {
      tell(app, event);
      desk.onEvent(event);
    }
  };
  return { app, asked, desk, keep, hear, turned: () => turned, went: () => app.did.filter(([name]) => name === 'go').map(([, route]) => route) };
}

test('one’s heat opens by itself, once, and the page that is not drawn follows too', () => {
  const { desk, hear, went, turned, app } = seated();
  tell(app, { type: '@tournament', code: CODE });
  hear(info(), you());
  assert.deepEqual(went(), []);
  hear(you({ room: 'ABCDE' }), you({ room: 'ABCDE', points: 1 }));
  assert.deepEqual(went(), [{ page: 'room', code: 'ABCDE' }]);
  assert.equal(turned(), 1);
  hear(you(), you({ room: 'FGHJK', round: 2 }));
  assert.deepEqual(went().at(-1), { page: 'room', code: 'FGHJK' });
  assert.equal(desk.tournamentOf('ABCDE'), CODE);
  assert.equal(app.tournamentOf('QQQQQ'), '');
});

test('a device remembers the tournament over a reload, and is told again after every connection', () => {
  const first = seated();
  tell(first.app, { type: '@tournament', code: CODE });
  first.hear(info(), you({ room: 'ABCDE' }));
  const again = seated({ keep: first.keep });
  again.desk.again();
  assert.deepEqual(again.asked, [[OPEN, 7, CODE, false]]);
  assert.equal(again.desk.tournamentOf('ABCDE'), CODE);
  again.hear(info(), you({ room: 'ABCDE' }));
  assert.deepEqual(again.went(), [{ page: 'room', code: 'ABCDE' }]);
});

test('who hosts and races is not called away from a console that was just opened in the middle of a heat', () => {
  const { app, hear, went } = seated();
  app.route = { page: 'console', code: CODE };
  tell(app, { type: '@tournament', code: CODE });
  hear(info(), you({ room: 'ABCDE', gun_ms: NOW - 60_000 }));
  assert.deepEqual(went(), []);
});

test('looking at another tournament does not let go of the one that one races in', () => {
  const { app, asked, desk, hear } = seated();
  tell(app, { type: '@tournament', code: CODE });
  hear(info(), you());
  app.route = { page: 'tournament', code: 'ABCDE' };
  desk.settle();
  assert.deepEqual(asked, []);
  hear(info({ phase: 'ended' }));
  desk.settle();
  assert.deepEqual(asked, [[OPEN, 7, 'ABCDE', false]]);
});

test('a tournament that is not there is forgotten and not asked for again by itself', async () => {
  const { app, asked, desk } = seated({ answer: async () => { throw new Refusal('noroom'); } });
  app.route = { page: 'tournament', code: CODE };
  await desk.open(CODE);
  desk.settle();
  assert.equal(asked.length, 1);
  assert.equal(desk.refused, CODE);
  assert.equal(app.state.tournament, null);
});

test('a code that is no room’s leads to the tournament of that code, and is asked about once', () => {
  const { app, desk, went } = seated();
  const told = { [`/api/tournament/${CODE}.there`]: { value: { there: true }, fault: '' } };
  const asked = [];
  app.pull = { stale: () => {}, at: (path) => {
    asked.push(path);
    return { ageMs: 0, ...(told[path] ?? { value: { there: false }, fault: '' }) };
  } };
  desk.instead(CODE);
  assert.deepEqual(went(), [{ page: 'tournament', code: CODE }]);
  desk.instead('QQQQQ');
  desk.instead('QQQQQ');
  assert.deepEqual(asked.slice(1), ['/api/tournament/QQQQQ.there']);
  assert.equal(went().length, 1);
});

test('the name of a tournament is kept beside its token, and no other', () => {
  const keep = memoryKeep();
  keep.set('kupa:hosting', `${CODE}:secret ABCDE:other`);
  const { hear } = seated({ keep });
  hear(info(), info({ code: 'QQQQQ' }), info({ code: 'ABCDE', options: { name: 'Cup of the club' } }));
  assert.deepEqual([...hostedNames(keep)], [[CODE, 'Club'], ['ABCDE', 'Cup of the club']]);
});

test('after a heat one is taken back when nothing was touched for a while', () => {
  const { app, desk, hear, went } = seated();
  tell(app, { type: '@tournament', code: CODE });
  hear(info(), you({ room: 'ABCDE' }), you());
  app.route = { page: 'room', code: 'ABCDE' };
  app.state = { ...app.state, room: { code: 'ABCDE', result: { heat: 'HEATAAAAAA' } } };
  desk.tick(1000, 0);
  desk.tick(19_000, 10_000);
  desk.tick(29_000, 10_000);
  assert.deepEqual(went(), [{ page: 'room', code: 'ABCDE' }]);
  desk.tick(30_000, 10_000);
  assert.deepEqual(went().at(-1), { page: 'tournament', code: CODE });
});

test('pages of tournaments are told from others', () => {
  assert.ok(['tournaments', 'tournament_new', 'tournament', 'console'].every((page) => isTournament({ page })));
  assert.equal(isTournament({ page: 'home' }), false);
});

/** A browser with what a phone may have. */
function phone(permission, hidden = true) {
  const did = [];
  const notes = { permission, requestPermission: async () => did.push(['asked']) };
  const win = {
    navigator: { vibrate: (pattern) => did.push(['buzz', pattern.length]), serviceWorker: { getRegistration: async () => ({ showNotification: async (title, what) => did.push(['note', title, what.data.path]) }) } },
    Notification: notes, document: { visibilityState: hidden ? 'hidden' : 'visible' },
  };
  return { win, did };
}

test('the phone in the pocket is told where its owner wants it and the browser allows it', async () => {
  const app = makeApp();
  Object.assign(app.lang.words, { 'tour.signal.title': 'Your heat starts', 'tour.signal.body': 'Tap' });
  const { win, did } = phone('granted');
  const signal = new Signal(win, memoryKeep());
  signal.heat(app, you({ room: 'ABCDE' }));
  assert.deepEqual(did, [['buzz', 5]]);
  await signal.set(true);
  signal.heat(app, you({ room: 'ABCDE' }));
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(did.slice(1), [['buzz', 1], ['buzz', 5], ['note', 'Your heat starts', '/r/ABCDE']]);
});

test('the browser is asked for notes by the button alone, and a page that is seen needs none', async () => {
  const { win, did } = phone('default', false);
  const signal = new Signal(win, memoryKeep());
  assert.deepEqual(did, []);
  await signal.set(true);
  assert.deepEqual(did.at(-1), ['asked']);
  assert.equal(signal.on, true);
  signal.heat(makeApp(), you({ room: 'ABCDE' }));
  await new Promise((done) => setImmediate(done));
  assert.ok(did.every(([what]) => what !== 'note'));
  await signal.set(false);
  assert.equal(signal.on, false);
});
