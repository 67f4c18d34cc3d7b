import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Language } from '../../client_web/js/i18n.js';
import { progressText } from '../../client_web/js/progress.js';
import { ownStanding } from '../../client_web/js/ranking.js';
import { words } from './kit.js';

const lang = (tag) => new Language(tag, words(tag));
const seat = (name) => ({ name, tag: '4F2A', bot: 0, present: true });

/** A room of three in a race, seen from one seat. */
function race(own, outs, atMs = [0, 0, 0]) {
  const rows = Object.fromEntries(outs.map((out, i) => [i, { seat: i, out, score: 0, moves: 0, state: 0, sinceMs: atMs[i] }]));
  const heat = { info: { seats: [0, 1, 2] }, rows, curves: {}, ended: {}, gone: {} };
  const room = { seat: own, heat, seats: { 0: seat('Ann'), 1: seat('Bob'), 2: seat('Cem') }, info: { options: { goal: 'first', seats: 3 } } };
  return [room, heat];
}

test('nobody leads at the gun, whatever seat one has', () => {
  for (const own of [0, 1, 2]) assert.equal(progressText(lang('en'), ...race(own, [0, 0, 0])), 'Place 1 of 3, 0 cards out.');
});

test('who leads alone is told so, with one card in the singular', () => {
  assert.equal(progressText(lang('en'), ...race(1, [0, 1, 0])), 'You are first of 3, 1 card out.');
  assert.equal(progressText(lang('en'), ...race(2, [0, 3, 1])), 'Place 2 of 3, 1 card out. Bob leads with 3.');
});

test('the place said is the place shown, for every seat and order', () => {
  for (const own of [0, 1, 2]) {
    for (const outs of [[0, 0, 0], [1, 1, 0], [0, 5, 5], [3, 2, 1], [1, 2, 3]]) {
      const [room, heat] = race(own, outs);
      const { place } = ownStanding(room).mine;
      const said = progressText(lang('en'), room, heat);
      assert.match(said, place > 1 ? new RegExp(`^Place ${place} of 3, .* leads`) : /^You are first of 3, |^Place 1 of 3, \d cards? out\.$/);
    }
  }
});

test('who leads keeps the name after leaving the room', () => {
  const [room, heat] = race(2, [0, 3, 1]);
  const left = { ...heat, gone: { 1: seat('Bob') } };
  assert.equal(progressText(lang('en'), { ...room, heat: left, seats: { 2: seat('Cem') } }, left), 'Place 2 of 3, 1 card out. Bob leads with 3.');
});

test('who races alone hears of the cards, and of no place', () => {
  const [room, heat] = race(0, [52]);
  const alone = { ...heat, info: { seats: [0] } };
  for (const [tag, said] of [['en', '52 cards out.'], ['tr', '52 kart çıktı.'], ['id', '52 kartu keluar.']]) {
    assert.equal(progressText(lang(tag), { ...room, heat: alone }, alone), said);
  }
});

test('a watcher is told nothing', () => {
  assert.equal(progressText(lang('en'), ...race(-1, [0, 0, 0])), '');
});

test('one of what is counted is not many', () => {
  for (const [key, one] of [['daily.in_a_row', 'day in a row'], ['daily.this_month', 'day this month'], ['profile.days', 'day played']]) {
    assert.equal(lang('en').t(key, { n: 1 }), one);
    assert.equal(lang('en').t(key, { n: 2 }), one.replace('day', 'days'));
    for (const tag of ['tr', 'id']) assert.equal(lang(tag).t(key, { n: 1 }), lang(tag).t(key, { n: 2 }));
  }
});
