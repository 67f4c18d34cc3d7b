import assert from 'node:assert/strict';
import { test } from 'node:test';

import { commitment, dealOf, verify } from '../../client_web/js/deal.js';
import { begin, checks, dealt, drew, lostCount } from '../../client_web/js/fairness.js';

const CODE = 'DS1-D1N-ABCDEFG-HIJKLMN';
const NONCE = 'ab'.repeat(32);
const HEAT = 'HEATAAAAAA';
const SEAL = commitment(HEAT, CODE, NONCE);
const pack = dealOf(CODE);
const result = { heat: HEAT, code: CODE, nonce: NONCE, commitment: SEAL };
const found = (seen, claim = result) => Object.fromEntries(checks(claim, seen, { verify, dealOf }).map((one) => [one.name, one.ok]));

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
  const seen = drew(dealt(begin(HEAT, SEAL), opening()), pack.slice(45, 47));
  assert.deepEqual(found(seen), { sealed: true, opened: true, fits: true, cards: true });
  assert.equal(checks(result, seen, { verify, dealOf }).at(-1)?.count, 11);
});

test('a code that was changed after the start does not fit the seal', () => {
  const claim = { ...result, code: 'DS1-D1N-ABCDEFG-HIJKLMO' };
  assert.equal(found(null, claim).fits, false);
});

test('a seal that was changed after the start is not the one that came before', () => {
  const claim = { ...result, nonce: 'cd'.repeat(32), commitment: commitment(HEAT, CODE, 'cd'.repeat(32)) };
  const bad = found(dealt(begin(HEAT, SEAL), opening()), claim);
  assert.deepEqual([bad.sealed, bad.fits], [false, true]);
});

test('a card that lay elsewhere is noticed', () => {
  const seen = drew(dealt(begin(HEAT, SEAL), opening()), [pack[46]]);
  assert.equal(found(seen).cards, false);
  const other = opening();
  other.columns[4][1][0] = (other.columns[4][1][0] + 1) % 52;
  assert.equal(found(dealt(begin(HEAT, SEAL), other)).cards, false);
});

test('after an undo or a turn-over further draws prove nothing and are left out', () => {
  const seen = drew(lostCount(drew(dealt(begin(HEAT, SEAL), opening()), [pack[45]])), [pack[50]]);
  assert.deepEqual([...seen.drawn], [pack[45]]);
  assert.equal(found(seen).cards, true);
});

test('who came back in the middle compares what was seen before', () => {
  const seen = drew(dealt(drew(dealt(begin(HEAT, SEAL), opening()), [pack[45]]), { ply: 7, columns: [] }), [pack[49]]);
  assert.deepEqual([...seen.drawn], [pack[45]]);
});

test('a watcher, or one who came late, checks the seal without cards', () => {
  assert.deepEqual(Object.keys(found(null)), ['sealed', 'opened', 'fits']);
  assert.deepEqual(Object.keys(found(begin(HEAT, SEAL))), ['sealed', 'opened', 'fits']);
  assert.deepEqual(Object.keys(found(dealt(begin('OTHERHEAT', SEAL), opening()))), ['sealed', 'opened', 'fits']);
});

test('an open deal was never sealed', () => {
  const claim = { ...result, nonce: '', commitment: '' };
  assert.deepEqual(found(null, claim), { open_deal: true });
});
