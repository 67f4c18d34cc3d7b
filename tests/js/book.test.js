import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadBook } from '../../client_web/js/book.js';
import { textOf } from '../../client_web/js/dom.js';
import { LANGUAGES } from '../../client_web/js/i18n.js';
import { miniCards, miniMetrics } from '../../client_web/js/mini.js';
import { layer } from '../../client_web/js/views/dialogs.js';
import { examplesPage, faqPage, rulesPage, rulesSheet } from '../../client_web/js/views/book.js';
import { assertSound, assertWorded, links, makeApp, press } from './kit.js';

const read = (path) => JSON.parse(readFileSync(new URL(`../../client_web/${path}`, import.meta.url), 'utf8'));
const examples = read('data/examples.json');
const bookOf = (tag) => ({ tag, pages: read(`lang/pages.${tag}.json`), examples });
const tags = Object.keys(LANGUAGES);

/** The shape of a value: every text as the numbers that stand in it. */
function shape(value) {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map(shape);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'id' || key === 'see' ? inner : shape(inner)]));
}
const texts = (value) => (typeof value === 'string' ? [value] : Object.entries(value).flatMap(([key, inner]) => (key === 'id' || key === 'see' ? [] : texts(inner))));

test('the long texts have one shape in every language, down to the last paragraph', () => {
  const english = shape(bookOf('en').pages);
  for (const tag of tags) assert.deepEqual(shape(bookOf(tag).pages), english, tag);
});

test('tables have the same points in every language', () => {
  const points = (tag) => texts(bookOf(tag).pages).filter((text) => /^[-+−]?\$?\d+$/.test(text));
  for (const tag of tags) assert.deepEqual(points(tag), points('en'), tag);
});

test('no text is empty, cut off, or has a straight apostrophe or three dots', () => {
  for (const tag of tags) {
    for (const text of texts(bookOf(tag).pages)) assert.match(text, /^\S(?!.*('|\.\.\.|\{|\}|  )).*\S$|^\d$/u, `${tag}: ${text}`);
  }
});

test('every example has a sentence for each frame, and every mention of one leads to one', () => {
  const { pages } = bookOf('en');
  assert.deepEqual(Object.keys(pages.examples), examples.map(({ name }) => name));
  for (const { name, frames } of examples) assert.equal(pages.examples[name].steps.length, frames.length, name);
  const named = Object.values(pages.rules).flatMap(({ sections }) => sections.flatMap(({ blocks }) => blocks.flatMap(({ see = [] }) => see)));
  assert.deepEqual(new Set(named), new Set(examples.map(({ name }) => name)));
});

test('the pages have words in every language, and names for everything', () => {
  for (const tag of tags) {
    const app = makeApp(tag);
    const book = bookOf(tag);
    const pages = [rulesPage(app, book, 'DS1'), rulesPage(app, book, 'SS1'), faqPage(app, book), ...examples.map(({ name }) => examplesPage(app, book, name))];
    for (const page of pages) {
      assertWorded(page, tag);
      assertSound(page);
    }
  }
});

test('an example shows which deal it is, and the way to play it', () => {
  const page = examplesPage(makeApp(), bookOf('en'), 'second-ace');
  assert.ok(links(page).includes('/d/DS1-D1N-ACESAF5'));
  assert.match(textOf(page), /Next: A black six with four homes/);
});

test('an example that is not there is the first one', () => {
  assert.match(textOf(examplesPage(makeApp(), bookOf('en'), 'nope')), /A seven on an empty column/);
});

test('the panel shows the rules of the game one is in, and an example and back (R11.13)', () => {
  const app = makeApp('en', {});
  app.sheets = { rules: rulesSheet(bookOf('en')) };
  app.ui.dialog = 'rules';
  assert.match(textOf(layer(app)), /The rules of Double/);
  app.route = { page: 'play', ruleset: 'SS1-D1N' };
  assert.match(textOf(layer(app)), /The rules of Single/);
  press(layer(app), 'Turning over in the single game');
  assert.equal(app.ui.demo, 'single-turn-over');
  press(layer(app), 'Back to the rules');
  assert.equal(app.ui.demo, '');
  assertSound(layer(app));
});

test('texts that cannot be had are an error', async () => {
  await assert.rejects(loadBook('en', async (file) => new Response('[]', { status: file.startsWith('data') ? 404 : 200 })), /examples\.json: 404/);
  const book = await loadBook('tr', async (file) => new Response(JSON.stringify({ file })));
  assert.deepEqual([book.tag, book.pages.file, book.examples.file], ['tr', 'lang/pages.tr.json', 'data/examples.json']);
});

// ---------------------------------------------------------------- the small boards

test('nothing sticks out at any width, and every card of the data is shown once', () => {
  for (const example of examples) {
    for (const width of [240, 320, 384]) {
      const m = miniMetrics(example, width, false);
      for (const frame of example.frames) {
        const cards = miniCards(frame, m);
        for (const { key, x, y } of cards) {
          assert.ok(x >= -0.5 && x + m.cw <= width + m.cw * 0.03, `${example.name} ${key} ${x}`);
          assert.ok(y >= -m.ch && y + m.ch <= m.height + 1, `${example.name} ${key} ${y}`);
        }
        assert.equal(new Set(cards.map(({ key }) => key)).size, cards.length, example.name);
        const open = Object.values(frame.piles).flatMap(([, up]) => up);
        assert.deepEqual(cards.filter(({ card }) => card >= 0).map(({ card }) => card).sort(), [...open].sort(), example.name);
      }
    }
  }
});

test('a card that moves keeps its key, so that it is seen to travel', () => {
  const king = examples.find(({ name }) => name === 'king-only');
  const m = miniMetrics(king, 384, false);
  const at = (i) => miniCards(king.frames[i], m).find(({ card }) => card === 24);
  assert.equal(at(0).key, at(1).key);
  assert.notEqual(at(0).x, at(1).x);
  assert.ok(at(1).z > at(0).z);
});

test('narrow boards and large indices show the bold face', () => {
  const four = examples.find(({ name }) => name === 'four-homes');
  assert.equal(miniMetrics(four, 384, false).face, 'f');
  assert.equal(miniMetrics(four, 384, true).face, 'b');
  assert.equal(miniMetrics(four, 230, false).face, 'b');
});

test('a refused move is shown on its cards, and the words of the step say why', () => {
  for (const example of examples) {
    for (const [i, { refused }] of example.frames.entries()) {
      if (!refused) continue;
      assert.ok(example.rows.flat().includes(refused.to), example.name);
      assert.ok(bookOf('en').pages.examples[example.name].steps[i].length > 40);
    }
  }
});
