import assert from 'node:assert/strict';
import { test } from 'node:test';

import { commitment, dealOf, verify } from '../../client_web/js/deal.js';
import { begin, checks, dealt, lostCount, moved, recall } from '../../client_web/js/fairness.js';

const CODE = 'DS1-D1N-ABCDEFG-HIJKLMN';
const NONCE = 'ab'.repeat(32);
const HEAT = 'HEATAAAAAA';
const SEAL = commitment(HEAT, CODE, NONCE);
const pack = dealOf(CODE);
const result = { heat: HEAT, code: CODE, nonce: NONCE, commitment: SEAL };
const found = (seen, claim = result, seated = false) => Object.fromEntries(checks(claim, seen, seated, { verify, dealOf }).map((one) => [one.name, one.ok]));
const [DRAW, RECYCLE, TRANSFER] = [1, 2, 3];
const start = (seal = SEAL) => begin(HEAT, seal, true);
const move = (seen, kind, turned = [], more = {}) => moved(seen, { type: 'Moved', ply: seen.ply, score: 0, turned: Uint8Array.from(turned), auto: false, ...more }, kind);
const drew = (seen, cards) => move(seen, DRAW, cards);

/** The board as it is dealt: column c has c cards down and its last one up. */
function opening() {
  let at = 0;
  const columns = Array.from({ length: 9 }, (_, c) => {
    at += c + 1;
    return [c, Uint8Array.of(pack[at - 1])];
  });
  return { ply: 0, columns };
}

test('an honest race passes every check, with the cards one saw', () => {
  const seen = drew(dealt(start(), opening()), pack.slice(45, 47));
  assert.deepEqual(found(seen), { sealed: true, opened: true, fits: true, cards: true });
  assert.equal(checks(result, seen, true, { verify, dealOf }).at(-1)?.count, 11);
});

test('a code that was changed after the start does not fit the seal', () => {
  const claim = { ...result, code: 'DS1-D1N-ABCDEFG-HIJKLMO' };
  assert.equal(found(null, claim).fits, false);
});

test('a seal that was changed after the start is not the one that came before', () => {
  const claim = { ...result, nonce: 'cd'.repeat(32), commitment: commitment(HEAT, CODE, 'cd'.repeat(32)) };
  const bad = found(dealt(start(), opening()), claim);
  assert.deepEqual([bad.sealed, bad.fits], [false, true]);
});

test('a card that lay elsewhere is noticed', () => {
  const seen = drew(dealt(start(), opening()), [pack[46]]);
  assert.equal(found(seen).cards, false);
  const other = opening();
  other.columns[4][1][0] = (other.columns[4][1][0] + 1) % 52;
  assert.equal(found(dealt(start(), other)).cards, false);
});

test('after an undo or a turn-over further draws prove nothing and are left out', () => {
  const seen = drew(lostCount(drew(dealt(start(), opening()), [pack[45]])), [pack[50]]);
  assert.deepEqual([...seen.drawn], [pack[45]]);
  assert.equal(found(seen).cards, true);
});

test('who came back in the middle compares what was seen before', () => {
  const seen = drew(dealt(drew(dealt(start(), opening()), [pack[45]]), { ply: 7, columns: [] }), [pack[49]]);
  assert.deepEqual([...seen.drawn], [pack[45]]);
});

test('who came back and has missed nothing goes on counting', () => {
  const before = move(drew(dealt(start(), opening()), [pack[45]]), TRANSFER, [pack[3]]);
  const seen = drew(dealt(recall(JSON.stringify(before), HEAT), { ply: 2, columns: [] }), [pack[46]]);
  assert.deepEqual([...seen.drawn], [pack[45], pack[46]]);
  assert.deepEqual(found(seen), { sealed: true, opened: true, fits: true, cards: true });
});

test('after a turn-over, a move that was missed or one of no known kind draws prove nothing and are left out', () => {
  const first = drew(dealt(start(), opening()), [pack[45]]);
  for (const stopped of [move(first, RECYCLE, [pack[45]]), move(first, TRANSFER, [], { ply: 4 }), move(first, undefined, [pack[46]])]) {
    assert.deepEqual([...drew(stopped, [pack[50]]).drawn], [pack[45]]);
  }
  assert.equal(move(first, TRANSFER, [], { auto: true }).ply, 3);
});

test('what was kept is taken for the same heat only, and nothing that is no memory of one', () => {
  const kept = JSON.stringify(drew(dealt(start(), opening()), [pack[45]]));
  assert.deepEqual(recall(kept, HEAT), JSON.parse(kept));
  assert.equal(recall(kept, 'OTHERHEAT'), null);
  for (const text of [null, '', '{', 'null', '7', '"x"', '[]', `{"heat":"${HEAT}"}`, kept.replace('"drawn":[', '"drawn":["x",'), kept.replace('true', '1')]) {
    assert.equal(recall(text, HEAT), null);
  }
});

test('a watcher checks the seal without cards', () => {
  assert.deepEqual(found(start()), { sealed: true, opened: true, fits: true });
});

test('who came after the start has checked neither the seal from before it nor the own cards', () => {
  const late = begin(HEAT, SEAL, false);
  for (const seen of [null, late, dealt(begin('OTHERHEAT', SEAL, true), opening())]) {
    assert.deepEqual(found(seen), { sealed: null, opened: true, fits: true });
    assert.deepEqual(found(seen, result, true), { sealed: null, opened: true, fits: true, cards: null });
  }
  assert.equal(found({ ...late, seal: 'other' }).sealed, false);
});

test('a deal that stays sealed is checked against the seal that was seen', () => {
  const claim = { ...result, code: '', nonce: '' };
  assert.deepEqual([start(), begin(HEAT, SEAL, false), null, start('other')].map((seen) => found(seen, claim, true)),
    [{ waits: true }, { waits: null }, { waits: null }, { waits: false }]);
});

test('an open deal was never sealed', () => {
  const claim = { ...result, nonce: '', commitment: '' };
  assert.deepEqual(found(null, claim), { open_deal: true });
});
