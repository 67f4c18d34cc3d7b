/**
 * SHA-256 (FIPS 180-4), small and synchronous.
 *
 * Pages that come by plain HTTP, a hall's LAN address for example, have no WebCrypto; the fairness
 * check must work there too, so the client carries its own. Inputs are a few dozen bytes long.
 */

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * The first 32 bits of the fractional parts of a root of the first primes.
 * @param {number} count
 * @param {number} root 2 or 3
 */
function primeRoots(count, root) {
  const words = [];
  for (let n = 2; words.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
    if (prime) words.push(((n ** (1 / root)) % 1) * 2 ** 32);
  }
  return Uint32Array.from(words);
}

const START = primeRoots(8, 2);
const ROUND = primeRoots(64, 3);

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(bytes) {
  const blocks = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, bytes.length << 3);
  const state = START.slice();
  for (let at = 0; at < blocks.length; at += 64) compress(state, view, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return digest;
}

/**
 * @param {Uint32Array} state changed in place
 * @param {DataView} view
 * @param {number} at
 */
function compress(state, view, at) {
  const w = schedule(view, at);
  let [a, b, c, d, e, f, g, h] = /** @type {[number, number, number, number, number, number, number, number]} */ (/** @type {unknown} */ (state));
  for (let i = 0; i < 64; i++) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + /** @type {number} */ (ROUND[i]) + /** @type {number} */ (w[i])) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = /** @type {number} */ (state[i]) + word; });
}

/** @param {DataView} view @param {number} at */
function schedule(view, at) {
  const w = new Uint32Array(64);
  const word = (/** @type {number} */ i) => /** @type {number} */ (w[i]);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [word(i - 15), word(i - 2)];
    w[i] = word(i - 16) + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + word(i - 7) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  return w;
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);
