// MessagePack, as much of it as the protocol uses: nil, booleans, integers within ±(2^53 − 1), strings,
// bytes and arrays. Floats, maps, extensions and timestamps are errors, in both directions.

/** Not MessagePack, or a part of it that the protocol does not use. */
export class MsgpackError extends Error {}

const DEPTH = 16;
const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/**
 * @param {unknown} value null, a boolean, a safe integer, a string, a Uint8Array, or an array of these
 * @returns {Uint8Array<ArrayBuffer>} the shortest encoding
 * @throws {MsgpackError} for anything else
 */
export function encode(value) {
  /** @type {number[]} */
  const out = [];
  put(out, value, 0);
  return Uint8Array.from(out);
}

/** @param {number[]} out @param {unknown} value @param {number} depth */
function put(out, value, depth) {
  if (value === null) out.push(0xc0);
  else if (typeof value === 'boolean') out.push(value ? 0xc3 : 0xc2);
  else if (typeof value === 'number') putInt(out, value);
  else if (typeof value === 'string') {
    const text = toUtf8.encode(value);
    if (text.length < 32) out.push(0xa0 | text.length);
    else putLength(out, text.length, 0xd9);
    for (const byte of text) out.push(byte);
  } else if (value instanceof Uint8Array) {
    putLength(out, value.length, 0xc4);
    for (const byte of value) out.push(byte);
  } else if (Array.isArray(value)) {
    if (depth === DEPTH) throw new MsgpackError('nested too deeply');
    if (value.length < 16) out.push(0x90 | value.length);
    else if (value.length < 0x10000) putNumber(out, 0xdc, value.length, 2);
    else putNumber(out, 0xdd, value.length, 4);
    for (const item of value) put(out, item, depth + 1);
  } else throw new MsgpackError(`cannot be sent: ${typeof value}`);
}

/** The head of a string or of bytes: `head` for one byte of length, then two, then four.
 * @param {number[]} out @param {number} length @param {number} head */
function putLength(out, length, head) {
  if (length < 0x100) putNumber(out, head, length, 1);
  else if (length < 0x10000) putNumber(out, head + 1, length, 2);
  else putNumber(out, head + 2, length, 4);
}

/** @param {number[]} out @param {number} value */
function putInt(out, value) {
  if (!Number.isSafeInteger(value)) throw new MsgpackError(`cannot be sent: ${value}`);
  if (value >= -32 && value < 128) out.push(value & 0xff);
  else if (value >= 0) {
    const size = value < 0x100 ? 0 : value < 0x10000 ? 1 : value < 0x100000000 ? 2 : 3;
    putNumber(out, 0xcc + size, value, 1 << size);
  } else {
    const size = value >= -0x80 ? 0 : value >= -0x8000 ? 1 : value >= -0x80000000 ? 2 : 3;
    putNumber(out, 0xd0 + size, value, 1 << size);
  }
}

/** A head and a number in `size` bytes, big-endian, two's complement.
 * @param {number[]} out @param {number} head @param {number} value @param {number} size */
function putNumber(out, head, value, size) {
  out.push(head);
  if (size === 8) {
    const high = Math.floor(value / 0x100000000);
    for (let shift = 24; shift >= 0; shift -= 8) out.push((high >> shift) & 0xff);
  }
  for (let shift = Math.min(size, 4) * 8 - 8; shift >= 0; shift -= 8) out.push((value >>> shift) & 0xff);
}

/**
 * @param {Uint8Array} bytes exactly one value
 * @returns {unknown} null, a boolean, a number, a string, a Uint8Array (a copy), or an array of these
 * @throws {MsgpackError} for anything else
 */
export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new MsgpackError('bytes after the end');
  return value;
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  /** Step over `size` bytes. @param {number} size @returns {number} where they begin */
  take(size) {
    const from = this.at;
    if (size > this.bytes.length - from) throw new MsgpackError('cut short');
    this.at = from + size;
    return from;
  }

  /** @param {number} size 1, 2, 4 or 8 @returns {number} */
  unsigned(size) {
    const at = this.take(size);
    if (size === 1) return this.view.getUint8(at);
    if (size === 2) return this.view.getUint16(at);
    if (size === 4) return this.view.getUint32(at);
    return safe(this.view.getUint32(at) * 0x100000000 + this.view.getUint32(at + 4));
  }

  /** @param {number} size 1, 2, 4 or 8 @returns {number} */
  signed(size) {
    const at = this.take(size);
    if (size === 1) return this.view.getInt8(at);
    if (size === 2) return this.view.getInt16(at);
    if (size === 4) return this.view.getInt32(at);
    return safe(this.view.getInt32(at) * 0x100000000 + this.view.getUint32(at + 4));
  }

  /** @param {number} length @returns {string} */
  text(length) {
    const at = this.take(length);
    try {
      return fromUtf8.decode(this.bytes.subarray(at, at + length));
    } catch {
      throw new MsgpackError('not UTF-8');
    }
  }

  /** @param {number} length @returns {Uint8Array} */
  blob(length) {
    const at = this.take(length);
    return this.bytes.slice(at, at + length);
  }

  /** @param {number} length @param {number} depth @returns {unknown[]} */
  array(length, depth) {
    if (depth === DEPTH) throw new MsgpackError('nested too deeply');
    if (length > this.bytes.length - this.at) throw new MsgpackError('cut short');
    const items = [];
    for (let i = 0; i < length; i += 1) items.push(this.value(depth + 1));
    return items;
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    const head = this.unsigned(1);
    if (head < 0x80) return head;
    if (head >= 0xe0) return head - 0x100;
    if (head >= 0xa0 && head < 0xc0) return this.text(head & 0x1f);
    if (head >= 0x90 && head < 0xa0) return this.array(head & 0x0f, depth);
    if (head === 0xc0) return null;
    if (head === 0xc2 || head === 0xc3) return head === 0xc3;
    if (head >= 0xc4 && head <= 0xc6) return this.blob(this.unsigned(1 << (head - 0xc4)));
    if (head >= 0xcc && head <= 0xcf) return this.unsigned(1 << (head - 0xcc));
    if (head >= 0xd0 && head <= 0xd3) return this.signed(1 << (head - 0xd0));
    if (head >= 0xd9 && head <= 0xdb) return this.text(this.unsigned(1 << (head - 0xd9)));
    if (head === 0xdc || head === 0xdd) return this.array(this.unsigned(head === 0xdc ? 2 : 4), depth);
    throw new MsgpackError(`not in the protocol: 0x${head.toString(16)}`);
  }
}

/** @param {number} value @returns {number} */
function safe(value) {
  if (!Number.isSafeInteger(value)) throw new MsgpackError('an integer beyond 2^53');
  return value;
}
