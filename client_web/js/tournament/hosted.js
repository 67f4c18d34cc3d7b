/**
 * Names of the tournaments that are hosted from this device.
 *
 * Lives here: keeping them beside the tokens. Does not live here: the tokens (`tournament/actions.js`).
 */

/** @import { Keep } from '../storage.js' */

/** Host tokens by tournament: `KVMXR:token`, the last ones. */
export const TOKENS = 'kupa:hosting';
/** A line each: `KVMXR Thursday League`. */
const NAMES = 'kupa:hosting-names';
const CODE_LETTERS = 5;

/** @param {Keep} keep @returns {Map<string, string>} names by code, as far as they are known here */
export function hostedNames(keep) {
  const lines = (keep.get(NAMES) ?? '').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(0, CODE_LETTERS), line.slice(CODE_LETTERS + 1)]));
}

/** Keep the name of a tournament whose token is here; names of others go. @param {Keep} keep @param {string} code @param {string} name */
export function keepHosted(keep, code, name) {
  const hosted = (keep.get(TOKENS) ?? '').split(' ').map((pair) => pair.split(':')[0]);
  const names = hostedNames(keep);
  if (!hosted.includes(code) || names.get(code) === name) return;
  names.set(code, name);
  keep.set(NAMES, [...names].filter(([known]) => hosted.includes(known)).map((pair) => pair.join(' ')).join('\n'));
}
