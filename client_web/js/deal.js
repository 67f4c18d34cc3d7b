/**
 * From a deal code to the cards, and the check that a race's deal was the one it was bound to.
 *
 * Lives here: reading typed codes (R10), the frozen derivation, the commitment. Synchronous, so that
 * it can run before any connection. The server's own copy is held to the same vectors.
 */

import { hex, sha256, utf8 } from './sha256.js';
import { CERTIFIABLE } from './wire.gen.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SHORT = 7;
const SECRET = 14;
/** Typed characters that stand for another (R10.3). @type {Readonly<Record<string, string>>} */
const FOLD = Object.freeze({ İ: 'I', 0: 'O', 1: 'I', 8: 'B' });
const SKIPPED = /[\s\p{Pd}\p{Zs}\p{Cf}\u2212]/u;
/** Families and modes as they look once folded. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const KNOWN = Object.freeze({
  DSI: Object.freeze({ DIN: 'DS1-D1N', DIV: 'DS1-D1V', D3N: 'DS1-D3N', D3V: 'DS1-D3V' }),
  SSI: Object.freeze({ DIN: 'SS1-D1N', D2N: 'SS1-D2N', D3N: 'SS1-D3N' }),
});

/** Whether there are deals of a ruleset that are known to be winnable. @param {string} ruleset */
export const isCertifiable = (ruleset) => CERTIFIABLE.includes(ruleset);

/** @typedef {'bad_character' | 'unknown_family' | 'unknown_mode' | 'too_short' | 'too_long'} CodeFault */
/** @typedef {{ruleset: string, family: string, letters: string, text: string, secret: boolean}} DealCode text: the canonical form */

/** A typed code that is none; it names the first bad character or group (R10.3). */
export class DealCodeError extends Error {
  /**
   * @param {CodeFault} code
   * @param {number} at where in the typed text, in characters from 0
   * @param {string} found what stands there
   */
  constructor(code, at, found) {
    super(`${code} at ${at}: ${found}`);
    this.name = 'DealCodeError';
    this.code = code;
    this.at = at;
    this.found = found;
  }
}

/** @typedef {{at: number, letter: string}} Typed */

/** @param {readonly string[]} text @returns {Typed[]} everything that counts, folded */
function folded(text) {
  /** @type {Typed[]} */
  const typed = [];
  text.forEach((character, at) => {
    if (SKIPPED.test(character)) return;
    // A dotted capital I falls apart into I and a combining dot when it is lowered or decomposed
    if (character === '\u0307' && typed[typed.length - 1]?.letter === 'I') return;
    const upper = character.toUpperCase();
    typed.push({ at, letter: FOLD[upper] ?? upper });
  });
  return typed;
}

/** @param {readonly Typed[]} typed */
function refuseForeign(typed) {
  for (const { at, letter } of typed) {
    if (letter.length !== 1 || !ALPHABET.includes(letter)) throw new DealCodeError('bad_character', at, letter);
  }
}

/**
 * What three typed characters stand for.
 * @template T
 * @param {readonly string[]} text
 * @param {readonly Typed[]} group
 * @param {CodeFault} fault
 * @param {Readonly<Record<string, T>>} known
 * @returns {T}
 */
function grouped(text, group, fault, known) {
  refuseForeign(group);
  const word = group.map(({ letter }) => letter).join('');
  if (word.length < 3) throw new DealCodeError('too_short', text.length, word);
  const [first, last] = [group[0]?.at ?? 0, group[2]?.at ?? 0];
  if (!Object.hasOwn(known, word)) throw new DealCodeError(fault, first, text.slice(first, last + 1).join(''));
  return /** @type {T} */ (known[word]);
}

/**
 * The code a person typed: case, spaces, dashes, 0/O, 1/I, 8/B do not matter (R10.3).
 * @param {string} typedText
 * @returns {DealCode}
 * @throws {DealCodeError}
 */
export function parseDealCode(typedText) {
  const text = Array.from(typedText);
  const typed = folded(text);
  const modes = grouped(text, typed.slice(0, 3), 'unknown_family', KNOWN);
  const ruleset = grouped(text, typed.slice(3, 6), 'unknown_mode', modes);
  const rest = typed.slice(6);
  refuseForeign(rest);
  const letters = rest.map(({ letter }) => letter).join('');
  if (letters.length > SECRET) {
    const at = rest[SECRET]?.at ?? 0;
    throw new DealCodeError('too_long', at, text.slice(at).join('').trimEnd());
  }
  if (letters.length !== SHORT && letters.length !== SECRET) throw new DealCodeError('too_short', text.length, letters);
  const groups = letters.length === SECRET ? [letters.slice(0, SHORT), letters.slice(SHORT)] : [letters];
  return { ruleset, family: ruleset.slice(0, 3), letters, text: [ruleset, ...groups].join('-'), secret: letters.length === SECRET };
}

/**
 * The cards of a code in dealing order: column 1's card, column 2's two, … deepest first, then the
 * stock as it is drawn. Frozen: a change would be a new family name.
 * @param {string} code
 * @returns {Uint8Array} cards as suit × 13 + rank − 1
 * @throws {DealCodeError}
 */
export function dealOf(code) {
  const { family, letters } = parseDealCode(code);
  const cards = Uint8Array.from({ length: family === 'DS1' ? 104 : 52 }, (_, i) => i % 52);
  const words = stream(family, letters);
  for (let last = cards.length - 1; last > 0; last--) {
    const size = last + 1;
    // Words at or above the largest multiple of `size` would favour low positions
    const limit = Math.floor(2 ** 32 / size) * size;
    let word = words();
    while (word >= limit) word = words();
    const chosen = word % size;
    [cards[last], cards[chosen]] = [/** @type {number} */ (cards[chosen]), /** @type {number} */ (cards[last])];
  }
  return cards;
}

/**
 * The endless stream of 32-bit words of a deal.
 * @param {string} family
 * @param {string} letters
 * @returns {() => number}
 */
function stream(family, letters) {
  const seed = new Uint8Array(36);
  seed.set(sha256(utf8(`kupa deal v1|${family}|${letters}`)));
  const counter = new DataView(seed.buffer);
  /** @type {DataView} */
  let digest = new DataView(new ArrayBuffer(32));
  let used = 0;
  return () => {
    if (used % 8 === 0) {
      counter.setUint32(32, used / 8);
      digest = new DataView(sha256(seed).buffer);
    }
    return digest.getUint32(4 * (used++ % 8));
  };
}

/**
 * What every racer gets before the start.
 * @param {string} heat id
 * @param {string} code in canonical form
 * @param {string} nonce 256 bits in hex
 * @returns {string} hex
 */
export const commitment = (heat, code, nonce) => hex(sha256(utf8(`kupa commit v1|${heat}|${code}|${nonce}`)));

/**
 * Whether what was published after a heat is what it was bound to before.
 * @param {{heat: string, code: string, nonce: string, commitment: string}} sealed
 */
export function verify(sealed) {
  return /^[0-9a-f]{64}$/.test(sealed.nonce) && commitment(sealed.heat, sealed.code, sealed.nonce) === sealed.commitment.toLowerCase();
}
