import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { decode, encode } from '../../client_web/js/msgpack.js';
import { C, CLOSE, cmd, decodeEvent, E, FIELDS, RoomOptionsDefaults, V, WireError } from '../../client_web/js/wire.gen.js';

/** @typedef {{message: string, name: string, tag: number, fields: Record<string, any>, hex: string}} Row */

/** @type {Row[]} */
const rows = JSON.parse(readFileSync(new URL('../golden/frames.json', import.meta.url), 'utf8'));
const unhex = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text, 'hex'));
const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');
const camel = (/** @type {string} */ name) => name[0].toLowerCase() + name.slice(1);

/** A field of the golden file as the client holds it. @param {any} value @returns {any} */
function held(value) {
  if (Array.isArray(value)) return value.map(held);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.bytes === 'string') return unhex(value.bytes);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, held(field)]));
}

/** The part of `value` that `pattern` has: fields may have been appended since. @param {any} value @param {any} pattern @returns {any} */
function within(value, pattern) {
  if (pattern instanceof Uint8Array || pattern === null || typeof pattern !== 'object') return value;
  if (Array.isArray(pattern)) return value.map((/** @type {any} */ item, /** @type {number} */ i) => within(item, pattern[i]));
  return Object.fromEntries(Object.keys(pattern).map((name) => [name, within(value[name], pattern[name])]));
}

/** As much of every array as there was when the frame was made. @param {any} value @param {any} old @returns {any} */
function cut(value, old) {
  return Array.isArray(value) && Array.isArray(old) ? value.slice(0, old.length).map((item, i) => cut(item, old[i])) : value;
}

test('there are golden frames for every message', () => {
  for (const name of [...Object.keys(C), ...Object.keys(V)]) {
    assert.equal(rows.filter((row) => row.message === name).length >= 3, true, name);
  }
});

for (const row of rows.filter(({ tag }) => tag < 64)) {
  test(`the browser writes ${row.message} ${row.name} to the byte`, () => {
    const count = Object.keys(row.fields).length;
    const names = FIELDS[row.message];
    assert.deepEqual(Object.keys(row.fields), names.slice(0, count));
    const fields = names.map((name) => held(row.fields[name]));
    const build = /** @type {Record<string, (...fields: any[]) => any[]>} */ (/** @type {unknown} */ (cmd))[camel(row.message)];
    // Fields may have been appended since, to the message or to a part of it
    assert.equal(hex(encode(cut(build(...fields), decode(unhex(row.hex))))), row.hex);
  });
}

for (const row of rows.filter(({ tag }) => tag >= 64)) {
  test(`the browser reads ${row.message} ${row.name}`, () => {
    const event = decodeEvent(decode(unhex(row.hex)));
    assert.equal(event?.type, row.message);
    assert.deepEqual(within(event, held(row.fields)), held(row.fields));
  });
}

test('numbers are exact up to 2^53 − 1, and beyond is an error', () => {
  const pong = rows.find((row) => row.message === 'Pong' && row.name === 'most');
  assert.equal(/** @type {any} */ (decodeEvent(decode(unhex(pong?.hex ?? '')))).server_ms, 2 ** 53 - 1);
  assert.throws(() => decode(unhex('9341cf002000000000000000')));
});

test('an event this client does not know is ignored', () => {
  assert.equal(decodeEvent([127, 1, 2]), null);
  assert.equal(decodeEvent([1000]), null);
});

test('fields a newer server appended are ignored, and missing ones have their default', () => {
  assert.deepEqual(decodeEvent([V.Done, 5, 'appended']), { type: 'Done', n: 5 });
  assert.deepEqual(decodeEvent([V.Moved, 3, 15, new Uint8Array(0)]), {
    type: 'Moved', ply: 3, score: 15, turned: new Uint8Array(0), auto: false,
  });
});

test('an event with a field that is not what it should be is an error', () => {
  for (const frame of [null, {}, [], ['64'], [V.Done], [V.Done, '5'], [V.Done, 1.5], [V.Moved, 1, 2, [3]], [V.Progress, 5],
    [V.Restored, 1, [1, 2, 3]], [V.Reacted, 1, 2 ** 53]]) {
    assert.throws(() => decodeEvent(frame), WireError);
  }
});

test('codes are constants', () => {
  assert.equal(E.no_fit, 'no_fit');
  assert.equal(CLOSE.ELSEWHERE, 4409);
  assert.equal(RoomOptionsDefaults.ruleset, 'DS1-D1N');
  assert.throws(() => { /** @type {any} */ (E).no_fit = 'x'; }, TypeError);
});
