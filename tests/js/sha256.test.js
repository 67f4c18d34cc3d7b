import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { hex, sha256, utf8 } from '../../client_web/js/sha256.js';

test('the vectors of FIPS 180-4', () => {
  assert.equal(hex(sha256(utf8(''))), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(hex(sha256(utf8('abc'))), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(hex(sha256(utf8('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))),
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1');
  assert.equal(hex(sha256(utf8('a'.repeat(1_000_000)))), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
});

test('every length around the block borders agrees with the platform', () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = randomBytes(length);
    assert.equal(hex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'), `${length} bytes: ${bytes.toString('hex')}`);
  }
});

test('a view into a larger buffer is hashed alone', () => {
  const whole = randomBytes(100);
  assert.deepEqual(sha256(new Uint8Array(whole.buffer, whole.byteOffset + 10, 20)), sha256(Uint8Array.from(whole.subarray(10, 30))));
});
