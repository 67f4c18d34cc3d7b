import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { DealCodeError, commitment, dealOf, parseDealCode, verify } from '../../client_web/js/deal.js';
import { cardText } from './referee.js';

/** @type {{family: string, letters: string, deal: string}[]} */
const deals = JSON.parse(readFileSync(new URL('../golden/deal-codes.json', import.meta.url), 'utf8'));

test('each golden code gives back its deal', () => {
  assert.ok(deals.length > 20);
  for (const { family, letters, deal } of deals) {
    assert.equal(Array.from(dealOf(`${family}-D1N-${letters}`), cardText).join(''), deal, `${family} ${letters}`);
  }
});

test('draw and scoring take no part in the deal (R10.2)', () => {
  assert.deepEqual(dealOf('DS1-D3V-AAAAAAB'), dealOf('DS1-D1N-AAAAAAB'));
});

test('typed codes are forgiving (R10.3)', () => {
  for (const typed of ['DS1-D1N-AAAAAAB', 'ds1d1naaaaaab', ' ds1 d1n aaaa-aa8 ', 'dsı-dın-aaaaaab', 'DSİ–DİN–AAAAAAB', 'dsi\u0307-d1n-aaaaaab', 'DSI\u2212D1N AAAAAAB']) {
    assert.equal(parseDealCode(typed).text, 'DS1-D1N-AAAAAAB', typed);
  }
  assert.equal(parseDealCode('SS1D2N0000000').text, 'SS1-D2N-OOOOOOO');
});

test('fourteen letters are a secret code, printed in two groups', () => {
  const code = parseDealCode('ds1-d1n-abcdefghijklmn');
  assert.deepEqual([code.text, code.secret, code.ruleset, code.letters], ['DS1-D1N-ABCDEFG-HIJKLMN', true, 'DS1-D1N', 'ABCDEFGHIJKLMN']);
  assert.equal(parseDealCode('DS1-D1N-AAAAAAA').secret, false);
});

/** @type {[string, string, number, string][]} */
const faults = [
  ['DS2-D1N-AAAAAAA', 'unknown_family', 0, 'DS2'],
  ['DS1-D2N-AAAAAAA', 'unknown_mode', 4, 'D2N'],
  ['SS1-D1V-AAAAAAA', 'unknown_mode', 4, 'D1V'],
  ['DS1-D1N-AAA9AAA', 'bad_character', 11, '9'],
  ['DS1-D1N-AAAßAAA', 'bad_character', 11, 'SS'],
  ['DS1-D1N-😀AAAAAA', 'bad_character', 8, '😀'],
  ['DS1', 'too_short', 3, ''],
  ['', 'too_short', 0, ''],
  ['DS1-D1N-AAAAAA', 'too_short', 14, 'AAAAAA'],
  ['DS1-D1N-AAAAAAAA', 'too_short', 16, 'AAAAAAAA'],
  ['DS1-D1N-AAAAAAA-AAAAAAABB ', 'too_long', 23, 'BB'],
];

for (const [typed, code, at, found] of faults) {
  test(`“${typed}” is refused: ${code} at ${at}`, () => {
    assert.throws(() => parseDealCode(typed), (error) => {
      assert.ok(error instanceof DealCodeError);
      assert.deepEqual([error.code, error.at, error.found], [code, at, found]);
      return true;
    });
  });
}

test('a commitment is the hash of heat, code and nonce', () => {
  const nonce = randomBytes(32).toString('hex');
  const expected = createHash('sha256').update(`kupa commit v1|HEATAAAAAA|DS1-D1N-ABCDEFG-HIJKLMN|${nonce}`).digest('hex');
  assert.equal(commitment('HEATAAAAAA', 'DS1-D1N-ABCDEFG-HIJKLMN', nonce), expected);
});

test('the check fails when heat, code or nonce is another', () => {
  const sealed = { heat: 'HEATAAAAAA', code: 'DS1-D1N-ABCDEFG-HIJKLMN', nonce: 'ab'.repeat(32), commitment: '' };
  sealed.commitment = commitment(sealed.heat, sealed.code, sealed.nonce);
  assert.equal(verify(sealed), true);
  assert.equal(verify({ ...sealed, heat: 'HEATAAAAAB' }), false);
  assert.equal(verify({ ...sealed, code: 'DS1-D1N-ABCDEFG-HIJKLMO' }), false);
  assert.equal(verify({ ...sealed, nonce: 'ba'.repeat(32) }), false);
  assert.equal(verify({ ...sealed, nonce: 'ab|'.repeat(16) }), false);
});
