/**
 * The order of a running race, from what has been seen of it.
 *
 * Lives here: places while it runs, provisional and from counts alone. Does not live here: the
 * places that count (the server's, in `HeatResult`).
 */

/** @import { Heat, Room } from './store.js' */

/**
 * @typedef {object} Standing
 * @property {number} seat
 * @property {number} place from 1; equals share a place
 * @property {number} out
 * @property {number} score
 * @property {number} moves
 * @property {string} ended empty while it plays
 * @property {number} atMs from the gun: when it finished, else when it came to where it is
 */

const STATES = Object.freeze(['', 'won', 'resigned', 'abandoned', 'time_up']);

/**
 * The seats of a heat in the order of the race (product P3).
 * @param {Heat} heat
 * @param {string} goal `first` or `score`
 * @returns {Standing[]}
 */
export function standings(heat, goal) {
  const rows = heat.info.seats.map((seat) => standing(heat, seat));
  const compare = goal === 'score' ? byScore : byFinish;
  rows.sort((a, b) => compare(a, b) || a.seat - b.seat);
  rows.forEach((row, i) => {
    const ahead = rows[i - 1];
    row.place = ahead && compare(ahead, row) === 0 ? ahead.place : i + 1;
  });
  return rows;
}

/** @param {Heat} heat @param {number} seat @returns {Standing} */
function standing(heat, seat) {
  const row = heat.rows[seat];
  const news = heat.ended[seat];
  const ended = news?.ended ?? STATES[row?.state ?? 0] ?? '';
  const atMs = ended === 'won' && news ? news.elapsed_ms : row?.sinceMs ?? 0;
  return { seat, place: 0, out: row?.out ?? 0, score: row?.score ?? 0, moves: row?.moves ?? 0, ended, atMs };
}

/** @param {Standing} a @param {Standing} b */
function byFinish(a, b) {
  const won = Number(b.ended === 'won') - Number(a.ended === 'won');
  if (won) return won;
  if (a.ended === 'won') return a.atMs - b.atMs;
  return b.out - a.out || b.score - a.score || a.atMs - b.atMs;
}

/** @param {Standing} a @param {Standing} b */
function byScore(a, b) {
  return b.score - a.score || a.atMs - b.atMs;
}

/**
 * The own standing and the number of racers; null for a watcher.
 * @param {Room} room
 * @returns {{mine: Standing, of: number} | null}
 */
export function ownStanding(room) {
  if (!room.heat) return null;
  const rows = standings(room.heat, room.info.options.goal);
  const mine = rows.find((row) => row.seat === room.seat);
  return mine ? { mine, of: rows.length } : null;
}
