import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DailyTable } from '../../client_web/js/views/daily-table.js';
import { SoloTable } from '../../client_web/js/views/solo-table.js';
import { makeApp } from './kit.js';

const FEAST_MS = 1900;

/** A table whose game has just been won, as far as its panel is concerned. */
function won(t, View = SoloTable) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const app = makeApp();
  app.sheets.won = () => ({ title: '', content: [] });
  app.actions = {
    open: (dialog) => {
      app.did.push(dialog);
      app.set({ dialog });
    },
  };
  const motion = { on: true, scale: 1, whenStill: (then) => then() };
  const table = Object.assign(Object.create(View.prototype), { app, own: { ended: 'won' }, ending: false, board: { table: { motion } } });
  table.celebrate(true);
  return { app, table, tick: (ms) => t.mock.timers.tick(ms) };
}

for (const [View, panel] of [[SoloTable, 'won'], [DailyTable, 'daily']]) {
  test(`the panel ${panel} comes when the cards have arrived`, (t) => {
    const { app, tick } = won(t, View);
    tick(FEAST_MS - 1);
    assert.deepEqual(app.did, []);
    tick(1);
    assert.deepEqual(app.did, [panel]);
  });

  test(`what was opened before the panel ${panel} stays, and the panel comes when it is closed, once`, (t) => {
    const { app, table, tick } = won(t, View);
    app.set({ dialog: 'settings' });
    tick(FEAST_MS);
    table.openEnd();
    assert.equal(app.ui.dialog, 'settings');
    app.set({ dialog: '' });
    table.openEnd();
    assert.deepEqual(app.did, [panel]);
    app.set({ dialog: '' });
    table.openEnd();
    assert.deepEqual(app.did, [panel]);
  });
}

test('who asks for another game has the panel already: it does not come again', (t) => {
  const { app, table, tick } = won(t);
  table.tool('new');
  app.set({ dialog: '' });
  tick(FEAST_MS);
  table.openEnd();
  assert.deepEqual(app.did, ['won']);
});

test('another deal while something was read leaves no panel behind', (t) => {
  const { app, table, tick } = won(t);
  app.set({ dialog: 'settings' });
  tick(FEAST_MS);
  Object.assign(table, { ruleset: 'DS1-D1N', board: { slots: () => {}, dealt: () => {} } });
  table.dealt({ ruleset: 'DS1-D1N', view: {} }, true);
  app.set({ dialog: '' });
  table.openEnd();
  assert.deepEqual(app.did, []);
});

test('a dialog whose part has not come hides no panel', (t) => {
  const { app, tick } = won(t);
  app.set({ dialog: 'rules' });
  tick(FEAST_MS);
  assert.deepEqual(app.did, ['won']);
});
