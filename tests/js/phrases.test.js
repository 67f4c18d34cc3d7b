import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Language } from '../../client_web/js/i18n.js';
import {
  gameName, gameParts, headline, initials, optionFacts, outcome, reasonText, refusalText, seatColour, shortSeal,
} from '../../client_web/js/phrases.js';
import { E } from '../../client_web/js/wire.gen.js';

const language = (tag) => new Language(tag, JSON.parse(readFileSync(new URL(`../../client_web/lang/${tag}.json`, import.meta.url), 'utf8')));
const en = language('en');
const tr = language('tr');
const id = language('id');
const first = { goal: 'first', ruleset: 'DS1-D1N' };
const score = { goal: 'score', ruleset: 'DS1-D1V' };
const row = (more) => ({ seat: 0, place: 1, ended: 'time_up', out: 81, score: 905, moves: 310, at_ms: 598_020, reason: 'first', tally: 0, name: 'Ada', ...more });

test('a ruleset is named by its parts', () => {
  assert.deepEqual(gameParts('DS1-D3V'), { family: 'DS1', draw: 3, vegas: true, decks: 2, cards: 104 });
  assert.equal(gameName(en, 'SS1-D2N'), 'Single · Draw 2');
  assert.equal(gameName(tr, 'DS1-D3V'), 'Çift deste · 3’er kart · Vegas');
});

test('only what is not expected is said of a room', () => {
  const usual = { ruleset: 'DS1-D1N', goal: 'first', minutes: 10, best_of: 1, undo: 'all', hints: true, code: '' };
  assert.deepEqual(optionFacts(en, usual), ['Double · Draw 1', 'First to finish', '10 min']);
  const facts = optionFacts(en, { ...usual, minutes: 0, best_of: 3, undo: 'none', hints: false, code: 'DS1-D1N-AAAAAAB', match: true });
  assert.deepEqual(facts.slice(2), ['No limit', 'Best of 3', 'No undo', 'No hints', 'Open deal', 'Quick match']);
});

test('initials are those of the language', () => {
  assert.equal(initials(en, 'Silver Ferret 81'), 'SF');
  assert.equal(initials(tr, 'irem'), 'İR');
  assert.equal(initials(en, 'Ada'), 'AD');
  assert.equal(initials(en, '👍🏽 x'), '👍X');
});

test('brass is the own seat, grey a bot, and nobody else has these', () => {
  assert.equal(seatColour({ seat: 5, you: true, bot: 0 }), 1);
  assert.equal(seatColour({ seat: 5, you: false, bot: 2 }), 8);
  for (let seat = 0; seat < 12; seat += 1) assert.ok([2, 3, 4, 5, 6, 7].includes(seatColour({ seat, you: false, bot: 0 })));
});

test('every refusal the server knows has words in every language', () => {
  for (const lang of [en, tr, id]) {
    for (const code of [...Object.values(E), 'lost', 'offline']) {
      const text = refusalText(lang, code);
      assert.ok(!text.includes(code) || code === 'full' || code === 'state' || code === 'slow' || code === 'name', `${lang.tag} ${code}: ${text}`);
      assert.ok(lang.has(`no.${code}`) || lang.has(`refusal.${code}`), `${lang.tag} ${code}`);
    }
  }
  assert.match(refusalText(en, 'brand_new'), /brand_new/);
});

test('each place has its reason in words', () => {
  const text = (more, options = first) => reasonText(en, row(more), options);
  assert.equal(text({ ended: 'won', at_ms: 405_118 }), 'Finished first, 6:45.118');
  assert.equal(text({ ended: 'won', place: 2, reason: 'earlier', at_ms: 422_460 }), 'Finished second, 7:02.460');
  assert.equal(text({ ended: 'won', place: 1, reason: 'tie', at_ms: 405_118 }), 'Finished at the same moment, 6:45.118');
  assert.equal(text({ place: 3, reason: 'ended' }), 'Time was up: 81 cards, 905 points');
  assert.equal(text({ place: 4, reason: 'score', score: 880 }), 'Also 81 cards, with fewer points: 880 points');
  assert.equal(text({ reason: 'tie', ended: 'resigned', out: 0, score: 0, at_ms: 0 }), 'Equal: no card out (resigned)');
  assert.equal(text({ reason: 'tie', ended: 'resigned' }), 'Equal: 81 cards, 905 points, at the same moment (resigned)');
  assert.equal(text({ place: 5, reason: 'out', ended: 'resigned', out: 1, score: 1 }), 'Resigned: 1 card, 1 point');
  assert.equal(text({ reason: 'first', ended: 'won', score: 416, at_ms: 61_000 }, score), '$416, reached at 1:01.000');
  assert.equal(text({ reason: 'earlier', score: -4, at_ms: 61_000 }, score), 'Also -$4, but later: 1:01.000');
});

test('what a board came to is told by the goal', () => {
  assert.equal(outcome(en, row({ ended: 'won', at_ms: 405_118 }), first), '6:45');
  assert.equal(outcome(en, row({}), first), '81 cards');
  assert.equal(outcome(en, row({ score: -104 }), score), '-$104');
  assert.equal(outcome(tr, row({ score: 1315 }), { ...first, goal: 'score' }), '1.315 puan');
});

test('the headline says the own place and how far it was', () => {
  const name = (one) => one.name;
  const rows = [row({ ended: 'won', at_ms: 405_118 }), row({ seat: 1, place: 2, ended: 'won', at_ms: 422_460, name: 'Bo' }), row({ seat: 2, place: 3, name: 'Cy' })];
  assert.equal(headline(en, rows, 1, first, name), 'Second, by 17 seconds');
  assert.equal(headline(tr, rows, 1, first, name), '17 saniye farkla ikinci');
  assert.equal(headline(id, rows, 1, first, name), 'Kedua, terpaut 17 detik');
  assert.equal(headline(en, rows, 0, first, name), 'First, by 17 seconds');
  assert.equal(headline(en, rows, 2, first, name), 'Third');
  assert.equal(headline(en, rows, -1, first, name), 'Ada wins');
});

test('shared places and races of one have headlines too', () => {
  const name = (one) => one.name;
  const tie = [row({ place: 1 }), row({ seat: 1, place: 1, name: 'Bo', reason: 'tie' })];
  assert.equal(headline(en, tie, 1, first, name), 'First, shared');
  assert.equal(headline(en, tie, -1, first, name), 'Ada and Bo share the first place');
  assert.equal(headline(en, [row({ ended: 'won' })], 0, first, name), 'Finished!');
  const cards = [row({}), row({ seat: 1, place: 2, out: 40, reason: 'out' })];
  assert.equal(headline(en, cards, 1, first, name), 'Second, by 41 cards');
  const points = [row({}), row({ seat: 1, place: 2, score: 900, reason: 'score' })];
  assert.equal(headline(en, points, 1, first, name), 'Second, by 5 points');
});

test('a seal is shown by its ends', () => {
  assert.equal(shortSeal(`9f3a71c0${'0'.repeat(52)}4be1`), '9f3a 71c0 … 4be1');
  assert.equal(shortSeal(''), '');
});
