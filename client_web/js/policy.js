/**
 * What a connection does next: the rules of reconnecting, as pure functions.
 *
 * Lives here: what a close code means, how long to wait before the next try, when silence means
 * that the line is dead. Does not live here: sockets, timers, clocks, randomness; `socket.js`
 * brings those and asks.
 */

/** A ping goes out when the last one is this old. */
export const PING_EVERY_MS = 4000;
/** No sign of life for this long, with a ping unanswered: the line is dead. */
export const SILENCE_MS = 9000;
/** A ping must have been out for this long before silence counts: a throttled tab sends late. */
export const PING_PATIENCE_MS = 4000;
/** A try that has not opened after this long is given up. */
export const OPEN_MS = 9000;
/** Range of the first wait when the server named none. */
export const FIRST_RETRY_MS = 500;
/** Longest range of the random wait. */
export const MAX_RETRY_MS = 30_000;
/** Least wait after the server said "too much". */
export const FLOOD_RETRY_MS = 30_000;

/**
 * `retry`: come back; `flood`: come back late; `identity`: come back as somebody new;
 * `elsewhere`: another window took over; `outdated`: the page is too old; `broken`: no use trying.
 * @typedef {'retry' | 'flood' | 'identity' | 'elsewhere' | 'outdated' | 'broken'} Verdict
 */

/** @type {Readonly<Record<number, Verdict>>} */
const VERDICTS = Object.freeze({
  1002: 'broken',
  1003: 'broken',
  1007: 'broken',
  1009: 'broken',
  1013: 'flood',
  4400: 'broken',
  4401: 'identity',
  4403: 'broken',
  4409: 'elsewhere',
  4426: 'outdated',
  4429: 'flood',
});

/**
 * What a close code asks of us. Codes without a meaning of their own are a lost line.
 * @param {number} code WebSocket close code
 * @param {boolean} hadToken whether the last Hello bore a token: without one, "not authenticated" can only mean a ban
 * @returns {Verdict}
 */
export function verdictOf(code, hadToken) {
  const verdict = VERDICTS[code] ?? 'retry';
  return verdict === 'identity' && !hadToken ? 'flood' : verdict;
}

/**
 * Whether a verdict leads to another try without the user's doing.
 * @param {Verdict} verdict
 */
export function comesBack(verdict) {
  return verdict === 'retry' || verdict === 'flood' || verdict === 'identity';
}

/**
 * How long to wait before the next try: full jitter.
 * @param {Verdict} verdict
 * @param {number} attempt 0 for the first try after a loss
 * @param {number | null} retryMs what a Goodbye asked for, or null
 * @param {() => number} random uniform in [0, 1)
 * @returns {number} milliseconds
 */
export function retryDelay(verdict, attempt, retryMs, random) {
  const range = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 16));
  if (verdict === 'flood') return FLOOD_RETRY_MS + random() * Math.max(range, FLOOD_RETRY_MS / 2);
  if (attempt === 0 && retryMs !== null) return random() * retryMs;
  return random() * range;
}

/**
 * What the keeper of the line does now.
 * @param {{heardMs: number, pingedMs: number, answered: boolean}} line when anything last came in, when the last
 *   ping went out, whether anything came in since
 * @param {number} nowMs on the same clock
 * @returns {'wait' | 'ping' | 'dead'}
 */
export function liveness(line, nowMs) {
  const pingAge = nowMs - line.pingedMs;
  if (!line.answered) {
    return pingAge >= PING_PATIENCE_MS && nowMs - line.heardMs >= SILENCE_MS ? 'dead' : 'wait';
  }
  return pingAge >= PING_EVERY_MS ? 'ping' : 'wait';
}
