/**
 * What the client knows, and how each event changes it.
 *
 * Lives here: the state as a plain value and `reduce`, a pure function over wire events and a few
 * local ones (their types begin with `@`). Does not live here: the own board's cards (the table
 * keeps them, fed by `sync.js`), sending, drawing, words.
 */

import { gameParts } from './phrases.js';

/** @import { HeatInfo, HeatResult, BoardEnded, RatingChanged, RoomInfo, RoomRow, SeatRow, SoloGame, SoloRow, TournamentInfo, TournamentYou, WireEvent } from './wire.gen.js' */
/** @import { Status } from './socket.js' */

/** @typedef {{player: string, tag: string, name: string}} Me */
/**
 * How far a seat is. `sinceMs`: when it was first seen to stand like this, from the gun.
 * @typedef {{seat: number, out: number, score: number, moves: number, state: number, sinceMs: number}} Row
 */
/** @typedef {{atMs: number, out: number, score: number}} Point one step of a curve; `atMs` from the gun */
/**
 * @typedef {object} Heat
 * @property {HeatInfo} info
 * @property {Readonly<Record<number, Row>>} rows by seat
 * @property {Readonly<Record<number, readonly Point[]>>} curves by seat, as seen live
 * @property {Readonly<Record<number, BoardEnded>>} ended by seat; places provisional
 * @property {Readonly<Record<number, SeatRow>>} gone who raced and has left the room since, by seat
 */
/**
 * @typedef {object} Room
 * @property {string} code
 * @property {number} seat the own seat, −1 while watching
 * @property {RoomInfo} info
 * @property {Readonly<Record<number, SeatRow>>} seats by number, taken ones only
 * @property {Heat | null} heat the one that is fixed, runs, or ran last
 * @property {HeatResult | null} result of the last heat
 * @property {RatingChanged | null} ratings what a rated heat did, of the last one that did something
 * @property {boolean} raced we were here for it, so that it is shown by itself
 * @property {Readonly<Record<number, {reaction: number, atMs: number}>>} reactions the last one by seat
 * @property {{seats: Record<number, SeatRow>, heat: boolean} | null} snapshot what came since everything was asked for
 */
/**
 * The game one plays alone. `gunMs`: as if its clock had never stood still; `endedMs`: time played when it ended, −1
 * before that.
 * @typedef {{ruleset: string, code: string, certified: boolean, gunMs: number, endedMs: number}} Alone
 */
/** @typedef {{code: string, info: TournamentInfo | null, you: TournamentYou | null}} Tournament */
/**
 * @typedef {object} State
 * @property {Status} status of the line
 * @property {Me | null} me
 * @property {string} elsewhere code of the room this player is in, as far as this page has not entered it
 * @property {Room | null} room
 * @property {readonly RoomRow[] | null} lobby null: not yet known
 * @property {string} left why the last room was left: left, kicked, closed; empty while in one
 * @property {Alone | null} alone the game on the table, null while there is none
 * @property {readonly SoloRow[] | null} saved one's games alone; null: not yet known
 * @property {Tournament | null} tournament the one that the line tells of
 */

/**
 * @typedef {{type: '@status', status: Status} | {type: '@snapshot'} | {type: '@snapshot-done'}
 *   | {type: '@renamed', name: string} | {type: '@own', seat: number, out: number, score: number, moves: number}
 *   | {type: '@out', left: string} | {type: '@alone', out: number, score: number, moves: number, ended: string}
 *   | {type: '@left-alone'} | {type: '@tournament', code: string}} LocalEvent
 * `@snapshot`: everything about the room was asked for, what does not come again is gone; `@snapshot-done`: it has
 * come; `@own`: how far the own board is; `@out`: the room cannot be returned to, `left` says why as in the state;
 * `@alone`: how far the game alone is; `@left-alone`: it is not on the table any more; `@tournament`: the line tells of
 * this one from now on, of none when `code` is empty.
 */

/** @type {Status} */
const NOT_YET = Object.freeze({ phase: 'connecting', verdict: null, retryAtMs: 0, attempt: 0 });

/** @type {Readonly<State>} */
export const START = Object.freeze({
  status: NOT_YET,
  me: null,
  elsewhere: '',
  room: null,
  lobby: null,
  left: '',
  alone: null,
  saved: null,
  tournament: null,
});

/** Who has left, apart from the seat and the name. */
const GONE = Object.freeze({ type: 'SeatRow', player: '', tag: '', bot: 0, ready: false, present: false, you: false, wins: 0 });

/** Points kept of one curve; beyond, every second one goes. */
const CURVE_POINTS = 240;

/**
 * @param {State} state
 * @param {WireEvent | LocalEvent} event
 * @param {number} nowMs the server's time
 * @returns {State} the same object when nothing changed
 */
export function reduce(state, event, nowMs) {
  switch (event.type) {
    case '@status':
      return { ...state, status: event.status };
    case 'Welcome':
      return {
        ...state,
        me: { player: event.player, tag: event.tag, name: event.name },
        elsewhere: event.room,
        saved: state.me?.player === event.player ? state.saved : null,
      };
    case '@renamed':
      return state.me ? { ...state, me: { ...state.me, name: event.name } } : state;
    case 'Rooms':
      return { ...state, lobby: event.rows };
    case 'SoloGames':
      return { ...state, saved: event.rows };
    case 'SoloGame':
      return soloGame(state, event, nowMs);
    case '@alone':
      return alone(state, event, nowMs);
    case '@left-alone':
      return { ...state, alone: null };
    case 'RoomInfo':
      return { ...state, left: '', room: roomInfo(state.room, event) };
    case 'Entered':
      return entered(state, event.code, event.seat);
    case 'HeatResult':
      return state.room ? { ...state, room: heatResult(state.room, event, state.elsewhere) } : state;
    case 'LeftRoom':
      return { ...state, room: null, elsewhere: '', left: event.reason };
    case '@tournament':
      return { ...state, tournament: event.code ? { code: event.code, info: null, you: null } : null };
    case 'TournamentInfo':
      return { ...state, tournament: { code: event.code, you: state.tournament?.code === event.code ? state.tournament.you : null, info: event } };
    case 'TournamentYou':
      return state.tournament ? { ...state, tournament: { ...state.tournament, you: event } } : state;
    case '@out':
      return { ...state, room: null, elsewhere: '', left: event.left };
    default:
      return state.room ? withRoom(state, state.room, inRoom(state.room, event, nowMs)) : state;
  }
}

/** @param {State} state @param {SoloGame} event @param {number} nowMs @returns {State} */
function soloGame(state, { ruleset, code, elapsed_ms: elapsedMs, view, certified }, nowMs) {
  const { score, moves, ended } = view;
  const out = view.foundations.reduce((sum, height) => sum + height, 0);
  return {
    ...state,
    alone: { ruleset, code, certified, gunMs: nowMs - elapsedMs, endedMs: ended ? elapsedMs : -1 },
    saved: withRow(state.saved, { ruleset, code, out, score, moves, ended }),
  };
}

/** @param {State} state @param {Omit<SoloRow, 'ruleset' | 'code'>} now @param {number} nowMs @returns {State} */
function alone(state, { out, score, moves, ended }, nowMs) {
  const game = state.alone;
  if (!game) return state;
  const { ruleset, code, gunMs } = game;
  const endedMs = !ended ? -1 : game.endedMs < 0 ? nowMs - gunMs : game.endedMs;
  return { ...state, alone: { ...game, endedMs }, saved: withRow(state.saved, { ruleset, code, out, score, moves, ended }) };
}

/** @param {readonly SoloRow[] | null} rows @param {SoloRow} row @returns {readonly SoloRow[] | null} with this row in its place */
function withRow(rows, row) {
  if (!rows) return rows;
  return [...rows.filter(({ ruleset }) => ruleset !== row.ruleset), row].sort((a, b) => (a.ruleset < b.ruleset ? -1 : 1));
}

/** @param {State} state @param {Room} before @param {Room} after @returns {State} */
function withRoom(state, before, after) {
  return before === after ? state : { ...state, room: after };
}

/** @param {Room | null} room @param {RoomInfo} info @returns {Room} */
function roomInfo(room, info) {
  if (room?.code === info.code) return { ...room, info };
  return { code: info.code, seat: -1, info, seats: {}, heat: null, result: null, ratings: null, raced: false, reactions: {}, snapshot: null };
}

/** @param {State} state @param {string} code @param {number} seat @returns {State} */
function entered(state, code, seat) {
  if (state.room?.code !== code) return state;
  return { ...state, elsewhere: code, room: { ...finishSnapshot(state.room), seat } };
}

/** @param {Room} room @returns {Room} without what did not come again */
function finishSnapshot(room) {
  if (!room.snapshot) return room;
  const heat = room.snapshot.heat || room.info.phase === 'open' ? room.heat : null;
  return { ...room, seats: room.snapshot.seats, heat, snapshot: null };
}

/**
 * @param {Room} room
 * @param {WireEvent | LocalEvent} event
 * @param {number} nowMs
 * @returns {Room}
 */
function inRoom(room, event, nowMs) {
  switch (event.type) {
    case '@snapshot':
      return { ...room, snapshot: { seats: {}, heat: false } };
    case '@snapshot-done':
      return finishSnapshot(room);
    case 'SeatRow':
      return seatRow(room, event);
    case 'SeatFreed':
      return seatFreed(room, event.seat);
    case 'HeatInfo':
      return heatInfo(room, event);
    case 'Progress':
      return progress(room, event.rows, nowMs);
    case '@own':
      return row(room, event.seat, event.out, event.score, event.moves, null, nowMs);
    case 'BoardEnded':
      return boardEnded(room, event);
    case 'RatingChanged':
      return { ...room, ratings: event };
    case 'Reacted':
      return {
        ...room, reactions: { ...room.reactions, [event.seat]: { reaction: event.reaction, atMs: nowMs } },
      };
    default:
      return room;
  }
}

/** @param {Room} room @param {SeatRow} event @returns {Room} */
function seatRow(room, event) {
  const snapshot = room.snapshot && { ...room.snapshot, seats: { ...room.snapshot.seats, [event.seat]: event } };
  const seat = event.you ? event.seat : room.seat === event.seat ? -1 : room.seat;
  return { ...room, seat, snapshot, seats: { ...room.seats, [event.seat]: event } };
}

/** @param {Room} room @param {HeatInfo} info @returns {Room} */
function heatInfo(room, info) {
  const snapshot = room.snapshot && { ...room.snapshot, heat: true };
  const before = room.heat?.info.heat === info.heat ? room.heat : { ...atGun(room.info.options.ruleset, info.seats), ended: {}, gone: {} };
  const rows = info.gone.map(({ seat, name }) => ({ ...GONE, seat, name }));
  const gone = { ...Object.fromEntries(rows.map((one) => [one.seat, one])), ...before.gone };
  return { ...room, snapshot, heat: { ...before, info, gone } };
}

/**
 * Everybody stands the same until something is heard of them, on whichever server they play.
 * @param {string} ruleset @param {readonly number[]} seats
 * @returns {Pick<Heat, 'rows' | 'curves'>}
 */
function atGun(ruleset, seats) {
  const { vegas, cards } = gameParts(ruleset);
  const at = { out: 0, score: vegas ? -cards : 0 };
  return {
    rows: Object.fromEntries(seats.map((seat) => [seat, { seat, ...at, moves: 0, state: 0, sinceMs: 0 }])),
    curves: Object.fromEntries(seats.map((seat) => [seat, [{ atMs: 0, ...at }]])),
  };
}

/** @param {Room} room @param {number} seat @returns {Room} who raced there keeps the name until the next heat */
function seatFreed(room, seat) {
  const { heat } = room;
  const row = room.seats[seat];
  const left = heat && row && heat.info.seats.includes(seat) && !heat.gone[seat];
  return {
    ...room, seats: without(room.seats, seat), seat: room.seat === seat ? -1 : room.seat,
    heat: left ? { ...heat, gone: { ...heat.gone, [seat]: { ...row, present: false, you: false } } } : heat,
  };
}

/**
 * Who races on a seat of the heat, even when they have left the room since.
 * @param {Room} room @param {number} seat @returns {SeatRow | undefined}
 */
export function racerOf(room, seat) {
  return room.heat?.gone[seat] ?? room.seats[seat];
}

/** @param {Room} room @param {readonly number[]} ints five a seat @param {number} nowMs @returns {Room} */
function progress(room, ints, nowMs) {
  let next = room;
  for (let i = 0; i + 4 < ints.length; i += 5) {
    const [seat = 0, out = 0, score = 0, moves = 0, state = 0] = ints.slice(i, i + 5);
    next = row(next, seat, out, score, moves, state, nowMs);
  }
  return next;
}

/**
 * @param {Room} room
 * @param {number} seat
 * @param {number} out
 * @param {number} score
 * @param {number} moves
 * @param {number | null} state null: as before
 * @param {number} nowMs
 * @returns {Room}
 */
function row(room, seat, out, score, moves, state, nowMs) {
  const { heat } = room;
  if (!heat) return room;
  const atMs = Math.max(0, nowMs - heat.info.gun_ms);
  const before = heat.rows[seat];
  const same = before?.out === out && before.score === score;
  if (same && before.moves === moves && (state === null || before.state === state)) return room;
  const sinceMs = same ? before.sinceMs : atMs;
  const now = { seat, out, score, moves, state: state ?? before?.state ?? 0, sinceMs };
  const curves = same ? heat.curves : { ...heat.curves, [seat]: grown(heat.curves[seat] ?? [], { atMs, out, score }) };
  return { ...room, heat: { ...heat, curves, rows: { ...heat.rows, [seat]: now } } };
}

/** @param {readonly Point[]} curve @param {Point} point @returns {Point[]} */
function grown(curve, point) {
  const kept = curve.length < CURVE_POINTS ? curve : curve.filter((_, i) => i % 2 === 0);
  return [...kept, point];
}

/** @param {Room} room @param {BoardEnded} event @returns {Room} */
function boardEnded(room, event) {
  const { heat } = room;
  if (!heat) return room;
  return { ...room, heat: { ...heat, ended: { ...heat.ended, [event.seat]: event } } };
}

/**
 * A newcomer is told the last result too, and is not to be met by a race of others.
 * @param {Room} room
 * @param {HeatResult} result
 * @param {string} elsewhere code of the room this player was in before
 * @returns {Room}
 */
function heatResult(room, result, elsewhere) {
  const raced = room.heat?.info.heat === result.heat || elsewhere === room.code;
  return { ...room, result, raced };
}

/**
 * @template T
 * @param {Readonly<Record<number, T>>} record
 * @param {number} key
 * @returns {Record<number, T>}
 */
function without(record, key) {
  const { [key]: _gone, ...rest } = record;
  return rest;
}

/**
 * Which page a room is on.
 * @param {Room} room
 * @returns {'waiting' | 'race' | 'watch' | 'result'} `result` until the next heat; the page may show `waiting` instead
 *   when the user asks
 */
export function stageOf(room) {
  const { heat, result, info } = room;
  if (heat && info.phase !== 'open' && result?.heat !== heat.info.heat) {
    return heat.info.seats.includes(room.seat) ? 'race' : 'watch';
  }
  return result && room.raced ? 'result' : 'waiting';
}

/** Whether one waits in a quick match for somebody to come, and nobody has. @param {Room} room */
export function waitsForMatch(room) {
  return room.info.options.match && room.seat >= 0 && stageOf(room) === 'waiting' && seatsOf(room).length === 1;
}

/** Whether a row of a result is one's own. @param {Room} room @param {import('./wire.gen.js').ResultRow} row */
export function isMine(room, row) {
  return row.seat === room.seat && row.name !== '';
}

/**
 * @param {Room} room
 * @returns {SeatRow[]} taken seats in order
 */
export function seatsOf(room) {
  return Object.values(room.seats).sort((a, b) => a.seat - b.seat);
}

/**
 * The saved game of a ruleset that can be gone on with.
 * @param {State} state
 * @param {string} ruleset
 * @returns {SoloRow | null}
 */
export function savedGame(state, ruleset) {
  return state.saved?.find((row) => row.ruleset === ruleset && !row.ended) ?? null;
}

/**
 * Whether the own seat is the host's.
 * @param {Room} room
 */
export function isHost(room) {
  return room.seat >= 0 && room.info.host === room.seat;
}
