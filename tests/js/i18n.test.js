import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { chooseLanguage, Language, LANGUAGES, loadLanguage } from '../../client_web/js/i18n.js';

const folder = new URL('../../client_web/lang/', import.meta.url);
const read = (tag) => JSON.parse(readFileSync(new URL(`${tag}.json`, folder), 'utf8'));
const texts = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry));
const holes = (entry) => [...new Set(texts(entry).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();

test('the first wanted language on offer is taken, English otherwise', () => {
  assert.equal(chooseLanguage(['de-DE', 'tr-TR', 'en']), 'tr');
  assert.equal(chooseLanguage(['in-ID']), 'id');
  assert.equal(chooseLanguage(['fr', 'constructor']), 'en');
  assert.equal(chooseLanguage([]), 'en');
});

test('placeholders are filled; numbers get the language’s separators', () => {
  const language = new Language('tr', { hello: 'Merhaba {name}', many: '{n} oyuncu' });
  assert.equal(language.t('hello', { name: 'Ayşe' }), 'Merhaba Ayşe');
  assert.equal(language.t('many', { n: 1284 }), '1.284 oyuncu');
});

test('a name that ends with a full stop does not double that of the sentence', () => {
  const language = new Language('en', { waits: 'Waiting for {names}. Soon.' });
  assert.equal(language.t('waits', { names: 'Ayşe K.' }), 'Waiting for Ayşe K. Soon.');
  assert.equal(language.t('waits', { names: 'Bo' }), 'Waiting for Bo. Soon.');
});

test('what is put into a placeholder is not read again', () => {
  const language = new Language('en', { hello: 'Hello {name}' });
  assert.equal(language.t('hello', { name: '{name} <b>' }), 'Hello {name} <b>');
});

test('a plural is chosen by n', () => {
  const language = new Language('en', { cards: { one: '{n} card', other: '{n} cards' } });
  assert.equal(language.t('cards', { n: 1 }), '1 card');
  assert.equal(language.t('cards', { n: 81 }), '81 cards');
});

test('a gap is shown by its key', () => {
  assert.equal(new Language('en', {}).t('no.such.key'), 'no.such.key');
});

test('clocks, exact times and scores are written as the language does', () => {
  const en = new Language('en', {});
  const tr = new Language('tr', {});
  assert.equal(en.clock(277_999), '4:37');
  assert.equal(en.clock(3_725_000), '1:02:05');
  assert.equal(en.clock(-5), '0:00');
  assert.equal(en.exact(422_460), '7:02.460');
  assert.equal(tr.exact(422_460), '7:02,460');
  assert.equal(en.score(1315, false), '1,315');
  assert.equal(en.score(-104, true), '-$104');
  assert.equal(en.score(416, true), '$416');
});

test('a span is said in words', () => {
  assert.equal(new Language('en', {}).span(17_342), '17 seconds');
  assert.equal(new Language('en', {}).span(1000), '1 second');
  assert.equal(new Language('tr', {}).span(400), '0,4 saniye');
  assert.equal(new Language('id', {}).span(180_000), '3 menit');
});

test('a file that cannot be had is an error', async () => {
  await assert.rejects(loadLanguage('en', async () => new Response('', { status: 503 })), /503/);
});

test('whatever there is in one language there is in every language on offer and no other', () => {
  const kinds = new Set(readdirSync(folder).map((file) => file.replace(/[a-z]+\.json$/, '')));
  assert.ok(kinds.has('') && kinds.has('pages.'));
  assert.deepEqual(readdirSync(folder).sort(), [...kinds].flatMap((kind) => Object.keys(LANGUAGES).map((tag) => `${kind}${tag}.json`)).sort());
});

test('all languages have the same keys and the same placeholders', () => {
  const english = read('en');
  for (const tag of Object.keys(LANGUAGES)) {
    const words = read(tag);
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort(), tag);
    for (const key of Object.keys(english)) assert.deepEqual(holes(words[key]), holes(english[key]), `${tag} ${key}`);
  }
});

test('plurals have the categories of their language and no others', () => {
  for (const tag of Object.keys(LANGUAGES)) {
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(read(tag))) {
      if (typeof entry === 'string') continue;
      assert.ok('other' in entry, `${tag} ${key}`);
      for (const category of Object.keys(entry)) assert.ok(categories.includes(category), `${tag} ${key} ${category}`);
    }
  }
});

test('no text is empty, and none has a straight apostrophe or three dots', () => {
  for (const tag of Object.keys(LANGUAGES)) {
    for (const [key, entry] of Object.entries(read(tag))) {
      for (const text of texts(entry)) assert.match(text, /^(?!.*('|\.\.\.)).+$/u, `${tag} ${key}: ${text}`);
    }
  }
});

test('Indonesian has one word for a place and one for a heat, on every page and on paper', () => {
  const all = Object.assign({}, ...['', 'tournament.', 'hall.'].map((kind) => read(`${kind}id`)));
  assert.deepEqual(Object.keys(all).filter((key) => texts(all[key]).some((text) => /\bheat\b/i.test(text))), []);
  const places = Object.keys(all).filter((key) => /(^|[._])place(_|$)/.test(key) && texts(all[key]).some((text) => /posisi|peringkat/i.test(text)));
  assert.ok(places.includes('result.place') && places.includes('print.place') && places.includes('tour.your_place'));
  assert.deepEqual(places.filter((key) => texts(all[key]).some((text) => /peringkat/i.test(text))), []);
});

test('what is counted out of one is one', () => {
  const en = new Language('en', { ...read('en'), ...read('tournament.en') });
  assert.equal(en.t('room.seats_taken', { taken: 1, n: 1 }), '1 of 1 seat');
  assert.equal(en.t('room.seats_taken', { taken: 1, n: 4 }), '1 of 4 seats');
  assert.equal(en.t('tour.round.open', { done: 0, n: 1 }), '0 of 1 heat finished');
  assert.equal(en.t('tour.count_heats', { done: 1, n: 2 }), '1 of 2 heats finished');
  assert.equal(en.t('tour.round.people', { n: 1, heats: 1 }), '1 player, heats: 1');
  assert.equal(en.t('tour.edit.points', { name: 'Bo', points: '−1', n: -1 }), 'Bo: −1 point');
});
