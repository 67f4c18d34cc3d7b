import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BookDesk } from '../../client_web/js/book-desk.js';
import { textOf } from '../../client_web/js/dom.js';
import { LANGUAGES } from '../../client_web/js/i18n.js';
import { Later } from '../../client_web/js/later.js';
import { layer } from '../../client_web/js/views/dialogs.js';
import { loading } from '../../client_web/js/views/states.js';
import { all, assertSound, assertWorded, buttons, makeApp, press, tell } from './kit.js';

const AGAIN_MS = 3000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A part that comes when the test lets it, drawn whenever it asks for it. */
function setUp(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(console, 'warn', () => {});
  const app = makeApp();
  const tries = [];
  const seen = [];
  const part = new Later(() => new Promise((resolve, reject) => tries.push({ come: () => resolve('part'), fail: () => reject(new Error('fetch')) })), () => draw());
  function draw() {
    seen.push(part.get() ?? title(loading(app, part)));
  }
  draw();
  const fail = async () => {
    tries.at(-1).fail();
    await settled();
  };
  return { app, part, tries, seen, fail, page: () => loading(app, part), tick: (ms) => t.mock.timers.tick(ms) };
}
const title = (page) => textOf(all(page).find((node) => node.tag === 'h1'));

test('a part that is on its way is waited for', async (t) => {
  const { tries, seen } = setUp(t);
  tries[0].come();
  await settled();
  assert.deepEqual(seen, ['One moment.', 'part']);
  assert.equal(tries.length, 1);
});

test('a part that cannot be had is said at once, and asked for again by itself', async (t) => {
  const { tries, seen, fail, page, tick } = setUp(t);
  await fail();
  assert.equal(seen.at(-1), 'Connection lost. Trying again…');
  assert.equal(all(page()).find((node) => node.props.key === 'missing').props.role, 'alert');
  tick(AGAIN_MS - 1);
  assert.equal(tries.length, 1);
  tick(1);
  assert.equal(tries.length, 2);
  assert.equal(seen.at(-1), 'Connection lost. Trying again…', 'still so while it is tried');
  tries[1].come();
  await settled();
  assert.equal(seen.at(-1), 'part');
});

test('the button asks at once, however often it is pressed', async (t) => {
  const { app, tries, fail, page, tick } = setUp(t);
  await fail();
  press(page(), 'Try now');
  press(page(), 'Try now');
  assert.equal(tries.length, 2);
  tick(AGAIN_MS);
  assert.equal(tries.length, 2, 'what would have asked by itself does not ask besides');
  assert.deepEqual(app.did, []);
});

test('what was not had three times is had by another page, since a browser may keep that it failed', async (t) => {
  const { app, tries, fail, page, tick } = setUp(t);
  for (let i = 0; i < 3; i += 1) {
    await fail();
    tick(AGAIN_MS);
  }
  assert.equal(tries.length, 4);
  press(page(), 'Try now');
  assert.deepEqual(app.did, [['reload']]);
});

test('while the page says that the line is down it says it once', async (t) => {
  const { app, fail, page } = setUp(t);
  await fail();
  tell(app, { type: '@status', status: { phase: 'waiting', verdict: null, retryAtMs: 0, attempt: 1 } });
  assert.equal(title(page()), 'One moment.');
  assert.equal(buttons(page()).filter((node) => textOf(node) === 'Try now').length, 1);
});

test('the panel of rules opens at once, and says what it waits for', async (t) => {
  const { app, part, tries, fail } = setUp(t);
  app.ui.dialog = 'rules';
  const desk = Object.assign(new BookDesk(app, () => {}), { views: part, texts: { tag: 'en', book: part } });
  const shown = () => {
    desk.get();
    return layer(app);
  };
  assert.match(shown().map(textOf).join(), /Rules and examples.*The page is on its way\./);
  await fail();
  assertSound(shown());
  press(shown(), 'Try now');
  assert.equal(tries.length, 2);
  tries[1].come();
  await settled();
  Object.assign(desk, { views: { get: () => ({ rulesSheet: () => () => ({ title: 'The rules', content: [] }) }) } });
  assert.equal(shown().map(textOf).join(), 'The rules');
});

test('the page of a missing part has words in every language and names for everything', async (t) => {
  const { part, fail } = setUp(t);
  await fail();
  for (const tag of Object.keys(LANGUAGES)) assertWorded(loading(makeApp(tag), part), tag);
  assertSound(loading(makeApp(), part));
});
