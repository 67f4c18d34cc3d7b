import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MsgpackError, decode, encode } from '../../client_web/js/msgpack.js';

const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');
const unhex = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text, 'hex'));

/** @type {[unknown, string][]} */
const known = [
  [null, 'c0'],
  [false, 'c2'],
  [true, 'c3'],
  [0, '00'],
  [127, '7f'],
  [128, 'cc80'],
  [255, 'ccff'],
  [256, 'cd0100'],
  [65535, 'cdffff'],
  [65536, 'ce00010000'],
  [4294967295, 'ceffffffff'],
  [4294967296, 'cf0000000100000000'],
  [9007199254740991, 'cf001fffffffffffff'],
  [-1, 'ff'],
  [-32, 'e0'],
  [-33, 'd0df'],
  [-128, 'd080'],
  [-129, 'd1ff7f'],
  [-32768, 'd18000'],
  [-32769, 'd2ffff7fff'],
  [-2147483648, 'd280000000'],
  [-2147483649, 'd3ffffffff7fffffff'],
  [-9007199254740991, 'd3ffe0000000000001'],
  ['', 'a0'],
  ['ö', 'a2c3b6'],
  ['\ufeff', 'a3efbbbf'],
  ['a'.repeat(31), 'bf' + '61'.repeat(31)],
  ['a'.repeat(32), 'd920' + '61'.repeat(32)],
  ['a'.repeat(256), 'da0100' + '61'.repeat(256)],
  [new Uint8Array(0), 'c400'],
  [Uint8Array.of(0, 255), 'c40200ff'],
  [new Uint8Array(256), 'c50100' + '00'.repeat(256)],
  [[], '90'],
  [[1, [2, 'x']], '92019202a178'],
  [new Array(16).fill(0), 'dc0010' + '00'.repeat(16)],
];

test('each value has one shortest encoding, and it reads back', () => {
  for (const [value, bytes] of known) {
    assert.equal(hex(encode(value)), bytes);
    assert.deepEqual(decode(unhex(bytes)), value);
  }
});

test('the longest heads read and write', () => {
  for (const value of ['a'.repeat(65536), new Uint8Array(65536), new Array(65536).fill(1)]) {
    assert.deepEqual(decode(encode(value)), value);
  }
});

test('longer encodings than needed are read', () => {
  assert.equal(decode(unhex('cf0000000000000005')), 5);
  assert.deepEqual(decode(unhex('dd0000000101')), [1]);
});

test('what the protocol does not use is an error', () => {
  const broken = ['', 'c1', '80', '8101 02', 'ca3f800000', 'cb3ff0000000000000', 'd40001', 'c70101ff', 'de0000',
    'cf0020000000000000', 'd3ffe0000000000000', 'cfffffffffffffffff', '0000', '9201', 'a261', 'c402ff', 'ddffffffff',
    'dbffffffff', 'a1ff', '91'.repeat(17) + '00'];
  for (const bytes of broken) assert.throws(() => decode(unhex(bytes.replace(' ', ''))), MsgpackError, bytes);
});

test('what cannot be said is an error', () => {
  /** @type {unknown[]} */
  let deep = [];
  for (let i = 0; i < 16; i += 1) deep = [deep];
  for (const value of [1.5, NaN, Infinity, 2 ** 53, -(2 ** 53), undefined, {}, new Map(), 1n, () => 1, deep]) {
    assert.throws(() => encode(value), MsgpackError);
  }
});

test('bytes are copied out of the frame', () => {
  const frame = unhex('c40101');
  const value = decode(frame);
  frame[2] = 9;
  assert.deepEqual(value, Uint8Array.of(1));
});

test('a view into a larger buffer reads from its own beginning', () => {
  const large = unhex('ffffcd0100ffff');
  assert.equal(decode(large.subarray(2, 5)), 256);
});
