import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applySettings, DEFAULTS, loadSettings, parseSettings, saveSettings } from '../../client_web/js/settings.js';
import { browserKeep, memoryKeep } from '../../client_web/js/storage.js';

test('what was chosen is there on the next visit', () => {
  const keep = memoryKeep();
  saveSettings(keep, { ...DEFAULTS, theme: 'dark', oneTap: false, lang: 'tr' });
  const settings = loadSettings(keep);
  assert.deepEqual([settings.theme, settings.oneTap, settings.lang], ['dark', false, 'tr']);
});

test('text that is broken, old or hostile gives the defaults where it does not fit', () => {
  for (const text of [null, '', '{', 'null', '7', '[]']) assert.deepEqual(parseSettings(text), { ...DEFAULTS });
  const settings = parseSettings('{"theme":"pink","sound":"yes","hand":"left","other":1,"__proto__":{"deck":"4"}}');
  assert.deepEqual(settings, { ...DEFAULTS, hand: 'left' });
});

test('the root element bears what differs from the usual', () => {
  const root = { dataset: { theme: 'light' } };
  applySettings(root, { ...DEFAULTS, deck: '4', motion: 'off', contrast: 'more' });
  assert.deepEqual(root.dataset, { deck: '4', motion: 'off', contrast: 'more' });
  applySettings(root, { ...DEFAULTS, contrast: 'normal' });
  assert.deepEqual(root.dataset, { contrast: 'normal' });
});

test('where the browser forbids storage it is kept while the page is open', () => {
  const keep = browserKeep(() => {
    throw new DOMException('no', 'SecurityError');
  });
  keep.set('a', '1');
  assert.equal(keep.get('a'), '1');
  keep.remove('a');
  assert.equal(keep.get('a'), null);
});
