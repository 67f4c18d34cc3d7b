import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Actions } from '../../client_web/js/actions.js';
import { Once } from '../../client_web/js/once.js';
import { Refusal } from '../../client_web/js/socket.js';
import { memoryKeep } from '../../client_web/js/storage.js';
import { TournamentActions } from '../../client_web/js/tournament/actions.js';
import { formOf } from '../../client_web/js/tournament/model.js';
import { button } from '../../client_web/js/views/frame.js';
import { makeApp } from './kit.js';

/** A page whose line keeps what is asked until the test answers. */
function setUp() {
  const asked = [];
  const gone = [];
  const rests = [];
  const line = { request: (make) => new Promise((resolve, reject) => asked.push({ frame: make(1), resolve, reject })) };
  const app = makeApp();
  const later = (run, ms) => rests.push({ run, ms });
  app.actions = new Actions(app, line, { arrived: () => {} }, (route) => gone.push(route), { later, now: () => 0 }, {});
  app.tour = new TournamentActions(app, line, memoryKeep(), { open: async () => {}, told: () => {} });
  return { app, asked, gone, rests, settled: () => new Promise((resolve) => setTimeout(resolve)) };
}
const isBusy = (app, name) => button(app, { name, click: () => {} }, 'x').props['aria-disabled'] === 'true';
const entered = { type: 'Entered', code: 'KVMXR' };

for (const press of ['playNow', 'quickMatch', 'createRoom']) {
  test(`a double click on ${press} asks once, and goes on asking nothing until the room is drawn`, async () => {
    const { app, asked, gone, rests, settled } = setUp();
    void app.act[press]();
    void app.act[press]();
    assert.equal(asked.length, 1);
    asked[0].resolve(entered);
    await settled();
    void app.act[press]();
    assert.equal(asked.length, 1);
    assert.deepEqual(gone, [{ page: 'room', code: 'KVMXR' }]);
    rests[0].run();
    void app.act[press]();
    assert.equal(asked.length, 2);
  });
}

test('what leads into a room rests while another way into one is under way', async () => {
  const { app, asked } = setUp();
  void app.act.playNow();
  void app.act.quickMatch();
  assert.equal(asked.length, 1);
  assert.deepEqual([isBusy(app, 'play'), isBusy(app, 'match'), isBusy(app, 'ready')], [true, true, false]);
});

for (const code of ['busy', 'lost', 'offline']) {
  test(`the button is back at once after "${code}"`, async () => {
    const { app, asked, settled } = setUp();
    void app.act.playNow();
    asked[0].reject(new Refusal(code));
    await settled();
    assert.equal(isBusy(app, 'play'), false);
    void app.act.playNow();
    assert.equal(asked.length, 2);
  });
}

test('a double click makes one tournament', async () => {
  const { app, asked } = setUp();
  app.tour.set({ form: { ...formOf('league'), name: 'Club evening' } });
  void app.tour.create();
  void app.tour.create();
  assert.equal(asked.length, 1);
});

test('ready is not taken back by the second click of a double click', async () => {
  const { app, asked, settled } = setUp();
  void app.act.ready(true);
  asked[0].resolve({ type: 'Done' });
  await settled();
  void app.act.ready(false);
  assert.equal(asked.length, 1);
});

test('other presses are free with the answer', async () => {
  const once = new Once(() => {});
  assert.equal(await once.run('bot', async () => 'added', () => assert.fail('rests')), 'added');
  assert.equal(once.has('bot'), false);
});
