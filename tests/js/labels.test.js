import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Language } from '../../client_web/js/i18n.js';
import { COLUMN0, FOUNDATIONS, KIND, SLOT0, STOCK, UNKNOWN, WASTE, rulesetOf, stockMove, undoMove, viewOf } from '../../client_web/js/rules.js';
import { clockText, scoreText } from '../../client_web/js/table/frame.js';
import { cardName, moveName, placeName, turnedCard } from '../../client_web/js/table/labels.js';
import { parseCard } from './referee.js';

/** @param {string} tag */
const translate = (tag) => {
  const lang = new Language(tag, JSON.parse(readFileSync(new URL(`../../client_web/lang/${tag}.json`, import.meta.url), 'utf8')));
  return lang.t.bind(lang);
};
const words = { en: translate('en'), tr: translate('tr'), id: translate('id') };

const double = rulesetOf('DS1-D1N');
const view = viewOf({
  ply: 0, score: 0, moves: 0, stock: 17, waste: [parseCard('8S')], foundations: [0, 0, 5, 0, 0, 0, 0, 0], undoable: 0, ended: '',
  columns: [[0, []], [0, [parseCard('8C'), parseCard('7H')]], [2, [parseCard('7H')]], ...Array.from({ length: 6 }, () => /** @type {const} */ ([1, [UNKNOWN]]))],
});

/** What is focused, and its name in English, Turkish and Indonesian. @type {[number, number, string, string, string][]} */
const names = [
  [STOCK, -1, 'stock, 17 cards', 'çekme destesi, 17 kart', 'tumpukan ambil, 17 kartu'],
  [WASTE, 0, 'waste, eight of spades on top', 'açık deste, üstte maça sekizlisi', 'tumpukan buangan, teratas delapan sekop'],
  [COLUMN0 + 2, 0, 'column 3, seven of hearts, 2 face down beneath', 'sütun 3, kupa yedilisi, altında 2 kapalı kart', 'kolom 3, tujuh hati, 2 tertutup di bawahnya'],
  [COLUMN0 + 1, 0, 'column 2, eight of clubs, run of 2 cards', 'sütun 2, sinek sekizlisi, 2 kartlık dizi', 'kolom 2, delapan keriting, urutan 2 kartu'],
  [COLUMN0, -1, 'column 1, empty', 'sütun 1, boş', 'kolom 1, kosong'],
  [SLOT0 + 2, 0, 'hearts, slot 1, five', 'kupa, 1. yer, beşli', 'hati, tempat ke-1, lima'],
  [SLOT0 + 3, -1, 'hearts, slot 2, empty', 'kupa, 2. yer, boş', 'hati, tempat ke-2, kosong'],
];

for (const [pile, index, en, tr, id] of names) {
  test(`“${en}”, in three languages`, () => {
    const read = Object.values(words).map((t) => placeName(t, view, pile, index, double));
    assert.deepEqual(read, [en, tr, id]);
  });
}

test('an empty stock says whether it turns the waste over', () => {
  const empty = { ...view, stock: 0 };
  assert.match(placeName(words.en, empty, STOCK, -1, double), /turns the waste over/);
  assert.equal(placeName(words.en, empty, STOCK, -1, rulesetOf('DS1-D1V')), 'stock, empty');
});

test('a card that only the server knows is not guessed', () => {
  assert.equal(cardName(words.en, UNKNOWN), 'a card that is being turned');
});

test('a move is read out as what it does', () => {
  const move = { kind: KIND.TRANSFER, source: COLUMN0 + 1, target: COLUMN0 + 4, count: 2 };
  assert.equal(moveName(words.en, view, move), 'eight of clubs to column 5');
  assert.equal(moveName(words.en, view, { ...move, target: FOUNDATIONS, count: 1 }), 'seven of hearts to the foundations');
  assert.equal(moveName(words.en, view, undoMove()), 'undone');
  assert.equal(moveName(words.en, { ...view, stock: 0 }, stockMove({ ...view, stock: 0 })), 'waste turned over');
});

test('a card that comes to light is noticed, in a column and on the waste', () => {
  const known = { ...view, columns: view.columns.map(([down, up], i) => /** @type {const} */ ([down, i === 5 ? [3] : up])) };
  assert.equal(turnedCard(view, known), 3);
  assert.equal(turnedCard(view, view), -1);
  const drawn = { ...view, waste: [UNKNOWN] };
  assert.equal(turnedCard(drawn, { ...drawn, waste: [9] }), 9);
});

test('the clock has minutes and seconds, and hours when there are any', () => {
  assert.deepEqual([0, 999, 277_000, 3_600_000].map(clockText), ['00:00', '00:00', '04:37', '1:00:00']);
});

test('Vegas is written in dollars (R6.4)', () => {
  assert.deepEqual([scoreText(416, true), scoreText(0, true), scoreText(-104, true), scoreText(385, false)], ['$416', '$0', '-$104', '385']);
});
