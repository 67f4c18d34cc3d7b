// Generated from server/wire/messages.py by `python -m server.wire.generate`; do not edit.
// PROTOCOL.md says what each message means.

/** @typedef {number | string | boolean | null | Uint8Array | WireArray} Wire */
/** @typedef {Wire[]} WireArray A frame or a part, as MessagePack carries it. */

export const PROTOCOL_VERSION = 1;

/** Tags of commands. */
export const C = Object.freeze(/** @type {const} */ ({
  Hello: 1,
  Ping: 2,
  Play: 3,
  Rename: 4,
  LinkDevice: 5,
  UseDeviceCode: 6,
  RevokeDevices: 7,
  CreateRoom: 8,
  EnterRoom: 9,
  LeaveRoom: 10,
  Ready: 11,
  StartHeat: 12,
  AddBot: 13,
  RemoveSeat: 14,
  LockRoom: 15,
  HandOver: 16,
  SetOptions: 17,
  React: 18,
  SitDown: 19,
  StandUp: 20,
  ListRooms: 21,
  QuickMatch: 22,
  Resync: 23,
  OpenSolo: 24,
  ListSolo: 25,
  OpenDaily: 26,
  CreateTournament: 27,
  OpenTournament: 28,
  CloseTournament: 29,
  CheckIn: 30,
  Withdraw: 31,
  HostTournament: 32,
  ShareHost: 33,
  RevokeHost: 34,
  ListHosts: 35,
  ListStandings: 36,
  Challenge: 37,
  RaceGhosts: 38,
}));

/** Tags of events. */
export const V = Object.freeze(/** @type {const} */ ({
  Welcome: 64,
  Pong: 65,
  Done: 66,
  Refused: 67,
  Moved: 68,
  Denied: 69,
  Restored: 70,
  Dealt: 71,
  Progress: 72,
  Entered: 73,
  RoomInfo: 74,
  SeatRow: 75,
  SeatFreed: 76,
  HeatInfo: 77,
  BoardEnded: 78,
  HeatResult: 79,
  Reacted: 80,
  Superseded: 81,
  Rooms: 82,
  DeviceCode: 83,
  LeftRoom: 84,
  Goodbye: 85,
  SoloGame: 86,
  SoloGames: 87,
  DailyGame: 88,
  DailyResult: 89,
  RatingChanged: 95,
  TournamentMade: 90,
  TournamentInfo: 91,
  TournamentYou: 92,
  Hosts: 93,
  Standings: 94,
}));

/** Codes of refusals, of moves and of other commands. */
export const E = Object.freeze(/** @type {const} */ ({
  bad_action: "bad_action",
  not_in_this_game: "not_in_this_game",
  game_won: "game_won",
  ended: "ended",
  undo_off: "undo_off",
  undo_revealed: "undo_revealed",
  nothing_to_undo: "nothing_to_undo",
  stock_not_empty: "stock_not_empty",
  stock_exhausted: "stock_exhausted",
  nothing_to_draw: "nothing_to_draw",
  stock_empty: "stock_empty",
  auto_not_ready: "auto_not_ready",
  empty_source: "empty_source",
  same_column: "same_column",
  face_down: "face_down",
  too_many: "too_many",
  no_foundation: "no_foundation",
  foundation_to_foundation: "foundation_to_foundation",
  king_only: "king_only",
  no_fit: "no_fit",
  no_place: "no_place",
  early: "early",
  seq: "seq",
  busy: "busy",
  slow: "slow",
  internal: "internal",
  type: "type",
  state: "state",
  name: "name",
  name_short: "name_short",
  name_long: "name_long",
  name_chars: "name_chars",
  name_mixed: "name_mixed",
  name_reserved: "name_reserved",
  name_often: "name_often",
  noroom: "noroom",
  full: "full",
  locked: "locked",
  quota: "quota",
  host_only: "host_only",
  not_seated: "not_seated",
  not_watching: "not_watching",
  not_now: "not_now",
  not_ready: "not_ready",
  too_early: "too_early",
  bad_options: "bad_options",
  bad_code: "bad_code",
  code_expired: "code_expired",
  no_seat: "no_seat",
  heat_running: "heat_running",
  no_deal: "no_deal",
}));

/** The rulesets of which there are certified deals.
 * @type {readonly string[]} */
export const CERTIFIABLE = Object.freeze(["DS1-D1N", "DS1-D1V", "DS1-D3N", "SS1-D1N", "SS1-D2N", "SS1-D3N"]);

/** Close codes. */
export const CLOSE = Object.freeze(/** @type {const} */ ({
  DONE: 1000,
  GOING_AWAY: 1001,
  PROTOCOL_ERROR: 1002,
  UNSUPPORTED_DATA: 1003,
  INVALID_DATA: 1007,
  TOO_BIG: 1009,
  INTERNAL: 1011,
  RESTART: 1012,
  OVERLOADED: 1013,
  TOO_SLOW: 4013,
  MALFORMED: 4400,
  UNAUTHENTICATED: 4401,
  FORBIDDEN: 4403,
  HELLO_TIMEOUT: 4408,
  ELSEWHERE: 4409,
  OLD_PROTOCOL: 4426,
  FLOOD: 4429,
}));

/** Names of the fields after the tag, in order.
 * @type {Readonly<Record<string, readonly string[]>>} */
export const FIELDS = Object.freeze({
  Hello: ["n", "proto", "token", "name", "lang"],
  Ping: ["sent_ms"],
  Play: ["ply", "kind", "source", "target", "count"],
  Rename: ["n", "name"],
  LinkDevice: ["n"],
  UseDeviceCode: ["n", "code"],
  RevokeDevices: ["n"],
  CreateRoom: ["n", "options", "bots", "ready"],
  EnterRoom: ["n", "code", "watch"],
  LeaveRoom: ["n"],
  Ready: ["n", "ready"],
  StartHeat: ["n"],
  AddBot: ["n", "level"],
  RemoveSeat: ["n", "seat"],
  LockRoom: ["n", "locked"],
  HandOver: ["n", "seat"],
  SetOptions: ["n", "options"],
  React: ["n", "reaction"],
  SitDown: ["n"],
  StandUp: ["n"],
  ListRooms: ["n"],
  QuickMatch: ["n", "ruleset"],
  Resync: ["n"],
  OpenSolo: ["n", "ruleset", "code", "fresh", "certified"],
  ListSolo: ["n"],
  OpenDaily: ["n", "ruleset", "date", "practice", "fresh"],
  CreateTournament: ["n", "options"],
  OpenTournament: ["n", "code", "enter"],
  CloseTournament: ["n"],
  CheckIn: ["n"],
  Withdraw: ["n"],
  HostTournament: ["n", "code", "token", "action", "key", "value"],
  ShareHost: ["n", "code", "token", "name"],
  RevokeHost: ["n", "code", "token", "name"],
  ListHosts: ["n", "code", "token"],
  ListStandings: ["n", "start"],
  Challenge: ["n", "options"],
  RaceGhosts: ["n", "heat", "seats"],
  Welcome: ["n", "player", "tag", "name", "token", "server_ms", "room"],
  Pong: ["sent_ms", "server_ms"],
  Done: ["n"],
  Refused: ["n", "code"],
  Moved: ["ply", "score", "turned", "auto"],
  Denied: ["ply", "code"],
  Restored: ["ply", "view"],
  Dealt: ["heat", "seat", "view"],
  Progress: ["rows", "place"],
  Entered: ["n", "code", "seat"],
  RoomInfo: ["code", "options", "phase", "host", "locked", "watchers", "deal", "decided", "startable_ms", "kind"],
  SeatRow: ["seat", "player", "name", "tag", "bot", "ready", "present", "you", "wins"],
  SeatFreed: ["seat"],
  HeatInfo: ["heat", "number", "commitment", "gun_ms", "deadline_ms", "seats", "certified", "gone"],
  BoardEnded: ["seat", "ended", "elapsed_ms", "place"],
  HeatResult: ["heat", "number", "rows", "code", "nonce", "commitment", "difficulty"],
  Reacted: ["seat", "reaction"],
  Superseded: [],
  Rooms: ["n", "rows"],
  DeviceCode: ["n", "code", "expires_ms"],
  LeftRoom: ["reason"],
  Goodbye: ["retry_ms"],
  SoloGame: ["n", "ruleset", "code", "elapsed_ms", "view", "certified"],
  SoloGames: ["n", "rows"],
  DailyGame: ["n", "date", "ruleset", "practice", "id", "commitment", "certified", "gun_ms", "elapsed_ms", "final_ms", "view"],
  DailyResult: ["date", "ruleset", "ended", "out", "score", "moves", "elapsed_ms", "at_ms", "score_place", "score_players", "time_place", "time_players", "percentile", "streak", "best_streak"],
  RatingChanged: ["heat", "rows"],
  TournamentMade: ["n", "code", "token"],
  TournamentInfo: ["code", "options", "phase", "entrants", "waiting", "checked", "start_ms", "check_in_ms", "next_ms", "round", "rounds", "heats", "reported", "gun_ms", "deadline_ms", "late", "sentence", "sentence_ms", "version"],
  TournamentYou: ["status", "checked", "room", "round", "gun_ms", "bye", "place", "points", "queue"],
  Hosts: ["n", "names"],
  Standings: ["n", "start", "total", "rows"],
});

/**
 * What a host chooses for a room (product P2).
 * @typedef {object} RoomOptions
 * @property {string} ruleset Id of a ruleset, e.g. DS1-D1N.
 * @property {string} goal `first`: first to finish; `score`: best score.
 * @property {number} minutes Time limit: 3, 5, 10, 15, 20, 30 or 60; 0 means no limit (a hard cap of 60 min holds).
 * @property {number} seats Playing places, 1–8 (organisers more).
 * @property {string} undo `all`, `hidden` (until a card is revealed, ruling 6) or `none`.
 * @property {boolean} hints The client may show hints.
 * @property {boolean} public Listed in the lobby.
 * @property {number} best_of 1, 3 or 5 deals (ruling 3).
 * @property {string} code A given deal code: the deal is open and the race unrated. Empty: a secret deal.
 * @property {boolean} match A quick-match room: starts by itself when two people are seated.
 * @property {boolean} certified Secret deals that are known to be winnable, where there are such for the ruleset and one is ready in time (ruling 24); `HeatInfo` says what a deal is.
 */

/**
 * All that the player of a board may see of it (engine.view; rules R2–R5).
 * @typedef {object} BoardView
 * @property {number} ply Entries of the log so far.
 * @property {number} score By the rules of the ruleset.
 * @property {number} moves Counted moves, undone ones left out.
 * @property {number} stock Cards left in the stock.
 * @property {Uint8Array} waste The waste from bottom to top.
 * @property {Uint8Array} foundations One byte a slot: height 0–13, slots suit by suit (R4.1).
 * @property {Array<[number, Uint8Array]>} columns For each column: number of face-down cards, face-up cards from deepest to last.
 * @property {number} undoable How many undos would be accepted now in a row.
 * @property {string} ended Empty while it is played, else how it ended: won, resigned, abandoned, time_up.
 * @property {Uint8Array} marks For each suit the most cards that were out: ranked, only a card beyond that scores. Empty: not ranked.
 * @property {Uint8Array} known The cards at the front of the stock that you have seen, next first: a draw of these shows nothing new.
 */

/**
 * A public room in the lobby.
 * @typedef {object} RoomRow
 * @property {string} code Code of the room.
 * @property {string} host Name of the host.
 * @property {string} ruleset Id of its ruleset.
 * @property {string} goal As in `RoomOptions`.
 * @property {number} minutes As in `RoomOptions`.
 * @property {number} seats Playing places.
 * @property {number} taken Seats that are taken.
 * @property {number} best_of As in `RoomOptions`.
 * @property {boolean} running A heat runs: who enters now watches.
 */

/**
 * A seat of a heat whose player has left the room since the draw.
 * @typedef {object} SeatLeft
 * @property {number} seat Whose board.
 * @property {string} name The name at the draw.
 */

/**
 * One board of a closed heat, in order of places (product P3).
 * @typedef {object} ResultRow
 * @property {number} seat Whose board.
 * @property {number} place From 1; equals share a place: 1, 2, 2, 4.
 * @property {string} ended won, resigned, abandoned or time_up.
 * @property {number} out Cards on the foundations.
 * @property {number} score Final score.
 * @property {number} moves Counted moves.
 * @property {number} at_ms From the gun: when it was won, else when the board last came to what ranks it.
 * @property {string} reason Why it stands behind the row before: first, time, out, score, earlier, tie, ended.
 * @property {number} tally Points in the match so far, this heat included (ruling 3).
 * @property {string} name Who played it, as shown at the end of the heat.
 * @property {number} undos Actions that were taken back.
 * @property {number} peeks Of these, how many had first shown a card (ruling 6).
 */

/**
 * A player's rating after a rated heat (product P9).
 * @typedef {object} RatingRow
 * @property {number} seat Whose rating.
 * @property {number} rating In points.
 * @property {number} change By this heat.
 * @property {number} deviation How sure it is: in two of three cases the strength lies within rating ± deviation.
 * @property {number} games Rated heats so far; below 10 the rating is provisional.
 */

/**
 * A saved game of one's own, one a ruleset (rules R11.9).
 * @typedef {object} SoloRow
 * @property {string} ruleset Id of the ruleset.
 * @property {string} code The deal's code.
 * @property {number} out Cards on the foundations.
 * @property {number} score Score so far.
 * @property {number} moves Counted moves.
 * @property {string} ended Empty while it can be resumed, else how it ended.
 */

/**
 * What a host chooses for a tournament (product P7). Times in seconds unless named otherwise.
 * @typedef {object} TournamentOptions
 * @property {string} name 2–40 visible characters.
 * @property {string} format league, cup, swiss or arena.
 * @property {string} ruleset Id of a ruleset.
 * @property {string} goal As in `RoomOptions`.
 * @property {number} minutes Time limit of a heat, as in `RoomOptions`.
 * @property {string} undo As in `RoomOptions`.
 * @property {boolean} hints As in `RoomOptions`.
 * @property {number} rounds League, Swiss: how many rounds.
 * @property {number} heat Cup, Swiss (2), Arena: entrants in a heat at most.
 * @property {number} advance Cup: how many of a heat go on.
 * @property {string} points League: `place` or `score`.
 * @property {number} arena_minutes Arena: how long heats are drawn.
 * @property {boolean} late_counts Arena: a heat that is still raced at the end counts.
 * @property {number} places Entrants at most; who comes later is on the waiting list.
 * @property {number} start_ms When it starts by itself; 0: when the host says so.
 * @property {number} check_in_s For so long before the start entrants have to check in; 0: nobody has to.
 * @property {number} late_round Up to which round somebody may still come in after the start; 0: nobody. (Not in a Cup.)
 * @property {number} break_s Pause between two rounds.
 * @property {number} absent_s Who is not there so long after the gun has missed the heat; 0: comes as late as they like. Until then a late race counts like any other, with the clock running from the gun.
 * @property {boolean} public Listed for everybody.
 */

/**
 * An entrant's place in a tournament.
 * @typedef {object} StandingRow
 * @property {string} entrant Public id of the player, or `bot-1`, …
 * @property {string} name As others see it.
 * @property {string} tag Tells people of one name apart.
 * @property {number} bot Level of a bot, 0 for a person.
 * @property {number} place From 1; equals share a place: 1, 2, 2, 4. 0 for everybody before anything has counted.
 * @property {number} points As the format counts, with what hosts have given or taken.
 * @property {Array<number>} values Of the tie-breaks that were needed, in the format's order (see GET /api/tournament).
 * @property {string} decided_by Why behind the row before: first, points, the id of a tie-break, or tie.
 * @property {string} status in, waiting, absent, out, dropped or unchecked.
 * @property {number} played Heats with a result.
 */

/**
 * Answer to `Hello` and `UseDeviceCode`: who you are.
 * @typedef {object} Welcome
 * @property {'Welcome'} type
 * @property {number} n The running number.
 * @property {string} player Public id of the player.
 * @property {string} tag Short tag that tells people of one name apart, e.g. 4F2A.
 * @property {string} name As others see it.
 * @property {string} token A new secret for this device, or empty when the one sent is still good.
 * @property {number} server_ms Now.
 * @property {string} room Code of the room this player is in, or empty: enter it to resume.
 */

/**
 * Answer to `Ping`.
 * @typedef {object} Pong
 * @property {'Pong'} type
 * @property {number} sent_ms As sent.
 * @property {number} server_ms Now.
 */

/**
 * The command was carried out.
 * @typedef {object} Done
 * @property {'Done'} type
 * @property {number} n The running number.
 */

/**
 * The command was refused; nothing changed.
 * @typedef {object} Refused
 * @property {'Refused'} type
 * @property {number} n The running number.
 * @property {string} code An `ErrorCode`, stable; the words are the client's.
 */

/**
 * The move is in the log.
 * @typedef {object} Moved
 * @property {'Moved'} type
 * @property {number} ply The ply that is answered.
 * @property {number} score After the move.
 * @property {Uint8Array} turned Cards newly seen: the drawn ones in order, or the one turned up in the source column.
 * @property {boolean} auto The game then completed itself (R11.6): one more entry was written, and `score` includes it.
 */

/**
 * The move was refused; nothing changed and the ply may be used again.
 * @typedef {object} Denied
 * @property {'Denied'} type
 * @property {number} ply The ply that is answered.
 * @property {string} code Why: see refusals of moves.
 */

/**
 * The board as it stands, in answer to an undo or to a ply that did not fit.
 * @typedef {object} Restored
 * @property {'Restored'} type
 * @property {number} ply The ply that is answered.
 * @property {BoardView} view The board now.
 */

/**
 * Your board: at the gun, and at every return to a running heat.
 * @typedef {object} Dealt
 * @property {'Dealt'} type
 * @property {string} heat Id of the heat.
 * @property {number} seat Your seat.
 * @property {BoardView} view The board now.
 */

/**
 * How far the others are: five ints a row: seat, cards out, score, moves, state (0 playing, 1 won, 2 resigned, 3 abandoned, 4 time up). Only counts, never cards (A6).
 * @typedef {object} Progress
 * @property {'Progress'} type
 * @property {Array<number>} rows Five ints for each row that changed.
 * @property {number} place In heats of more than 16 seats, where only some rows are sent: your place as it stands; else 0.
 */

/**
 * You are in a room; its `RoomInfo`, `SeatRow`s and `HeatInfo` came before this.
 * @typedef {object} Entered
 * @property {'Entered'} type
 * @property {number} n The running number.
 * @property {string} code Code of the room.
 * @property {number} seat Your seat, or −1 when you watch.
 */

/**
 * The room as a whole; sent on entering and whenever one of the fields changes.
 * @typedef {object} RoomInfo
 * @property {'RoomInfo'} type
 * @property {string} code Code of the room.
 * @property {RoomOptions} options What is played, and how.
 * @property {string} phase open, countdown, running or closing.
 * @property {number} host Seat of the host, or −1 while the host watches.
 * @property {boolean} locked Nobody new gets in.
 * @property {number} watchers How many watch.
 * @property {number} deal Number of the next or running deal of the match, from 1.
 * @property {boolean} decided The match is over; a rematch begins a new one.
 * @property {number} startable_ms From when on the host may start without the unready; 0: not yet known.
 * @property {string} kind `challenge` or `chase`: a ghost race, of one heat only.
 */

/**
 * One seat that is taken.
 * @typedef {object} SeatRow
 * @property {'SeatRow'} type
 * @property {number} seat Number of the seat.
 * @property {string} player Public id; empty for a bot.
 * @property {string} name As others see it.
 * @property {string} tag Tells people of one name apart.
 * @property {number} bot Level of the bot, 0 for a person.
 * @property {boolean} ready For the next heat.
 * @property {boolean} present Connected now.
 * @property {boolean} you It is your seat.
 * @property {number} wins Points in the match so far.
 */

/**
 * The seat is free again.
 * @typedef {object} SeatFreed
 * @property {'SeatFreed'} type
 * @property {number} seat Number of the seat.
 */

/**
 * A heat is fixed: the countdown runs, or the heat does. Sent again when its times shift.
 * @typedef {object} HeatInfo
 * @property {'HeatInfo'} type
 * @property {string} heat Id of the heat.
 * @property {number} number Number of the deal in the match, from 1.
 * @property {string} commitment Hex SHA-256 that binds the deal (deal-code.md); empty when the deal is open.
 * @property {number} gun_ms When play begins.
 * @property {number} deadline_ms When time is up.
 * @property {Array<number>} seats The seats that race.
 * @property {boolean} certified The deal is known to be winnable.
 * @property {Array<SeatLeft>} gone Seats of the heat whose players have left by now, in the order of `seats`. Who was there is told by `SeatFreed` alone, and knows the name.
 */

/**
 * A seat has ended its board; the place is provisional until `HeatResult`.
 * @typedef {object} BoardEnded
 * @property {'BoardEnded'} type
 * @property {number} seat Whose board.
 * @property {string} ended won, resigned, abandoned or time_up.
 * @property {number} elapsed_ms From the gun.
 * @property {number} place From 1.
 */

/**
 * The heat is closed: places for good, and what was sealed.
 * @typedef {object} HeatResult
 * @property {'HeatResult'} type
 * @property {string} heat Id of the heat.
 * @property {number} number Number of the deal in the match, from 1.
 * @property {Array<ResultRow>} rows Every board, in order of places.
 * @property {string} code The deal code.
 * @property {string} nonce Hex nonce of the commitment; empty when the deal was open from the start.
 * @property {string} commitment As given in `HeatInfo`.
 * @property {string} difficulty How much work the deal was for who certified it, once it is open: easy, medium or hard; empty: not certified.
 */

/**
 * Somebody reacted.
 * @typedef {object} Reacted
 * @property {'Reacted'} type
 * @property {number} seat −1: a watcher.
 * @property {number} reaction Number in the fixed set.
 */

/**
 * This connection was replaced by a newer one of the same player; close code 4409 follows.
 * @typedef {object} Superseded
 * @property {'Superseded'} type
 */

/**
 * The public rooms, newest first.
 * @typedef {object} Rooms
 * @property {'Rooms'} type
 * @property {number} n The running number.
 * @property {Array<RoomRow>} rows At most as many as the server lists.
 */

/**
 * A one-time code for another device.
 * @typedef {object} DeviceCode
 * @property {'DeviceCode'} type
 * @property {number} n The running number.
 * @property {string} code To be typed on the other device.
 * @property {number} expires_ms Until when it works.
 */

/**
 * You are no longer in the room.
 * @typedef {object} LeftRoom
 * @property {'LeftRoom'} type
 * @property {string} reason left, kicked or closed.
 */

/**
 * The server is about to close this connection; come back after `retry_ms`.
 * @typedef {object} Goodbye
 * @property {'Goodbye'} type
 * @property {number} retry_ms How long to wait, so that not everybody comes at once.
 */

/**
 * Your board of a game alone.
 * @typedef {object} SoloGame
 * @property {'SoloGame'} type
 * @property {number} n 0 when the server had to read it again by itself.
 * @property {string} ruleset Id of the ruleset.
 * @property {string} code The deal's code.
 * @property {number} elapsed_ms Time played so far; it stands still while the game is not open.
 * @property {BoardView} view The board.
 * @property {boolean} certified The deal is known to be winnable.
 */

/**
 * The saved games.
 * @typedef {object} SoloGames
 * @property {'SoloGames'} type
 * @property {number} n The running number.
 * @property {Array<SoloRow>} rows By ruleset.
 */

/**
 * Your board of a daily deal.
 * @typedef {object} DailyGame
 * @property {'DailyGame'} type
 * @property {number} n 0 when the server had to read it again by itself.
 * @property {string} date UTC date of the deal.
 * @property {string} ruleset Id of the ruleset.
 * @property {boolean} practice It counts for nothing.
 * @property {string} id Stands for the heat in the commitment (deal-code.md).
 * @property {string} commitment Hex SHA-256 that binds the deal.
 * @property {boolean} certified The deal is known to be winnable.
 * @property {number} gun_ms From when on the clock runs; of practice, as if it had not rested.
 * @property {number} elapsed_ms Time of play so far; of a board that has ended, its whole time.
 * @property {number} final_ms Until when the attempt may be played; then code and replays are shown.
 * @property {BoardView} view The board.
 */

/**
 * Your ranked attempt has ended and stands on the leaderboards.
 * @typedef {object} DailyResult
 * @property {'DailyResult'} type
 * @property {string} date UTC date of the deal.
 * @property {string} ruleset Id of the ruleset.
 * @property {string} ended won, resigned or time_up.
 * @property {number} out Cards on the foundations.
 * @property {number} score Final score.
 * @property {number} moves Counted moves.
 * @property {number} elapsed_ms From the first sight of the cards to the end.
 * @property {number} at_ms When the board last came to its score: what separates equal scores.
 * @property {number} score_place Place by score, from 1; equals share a place.
 * @property {number} score_players How many stand on that board.
 * @property {number} time_place Place by time; 0: not won.
 * @property {number} time_players How many stand on that board.
 * @property {number} percentile Of all others with a result, how many in a hundred have a lower one (by score, then time); −1: nobody else.
 * @property {number} streak Days in a row with a daily result, this one included.
 * @property {number} best_streak The most days in a row so far.
 */

/**
 * What a rated heat did to the ratings of who raced: a moment after its `HeatResult`, and after it on entering.
 * @typedef {object} RatingChanged
 * @property {'RatingChanged'} type
 * @property {string} heat Id of the heat.
 * @property {Array<RatingRow>} rows By seat; people only.
 */

/**
 * A token with which one hosts a tournament.
 * @typedef {object} TournamentMade
 * @property {'TournamentMade'} type
 * @property {number} n The running number.
 * @property {string} code Code of the tournament.
 * @property {string} token The secret; keep it: it is not told again.
 */

/**
 * The open tournament as a whole; sent on opening it and whenever one of the fields changes.
 * @typedef {object} TournamentInfo
 * @property {'TournamentInfo'} type
 * @property {string} code Code of the tournament.
 * @property {TournamentOptions} options As created; fields below say what hosts have changed since.
 * @property {string} phase entry, check_in, break, paused, round or ended.
 * @property {number} entrants How many have one of the places.
 * @property {number} waiting How many are on the waiting list.
 * @property {number} checked How many have checked in.
 * @property {number} start_ms When it starts by itself; 0: not known.
 * @property {number} check_in_ms From when on one can check in; 0: nobody has to.
 * @property {number} next_ms When the next thing happens that people wait for: start or next round; 0: not known.
 * @property {number} round Number of the last round that was drawn, 0: none.
 * @property {number} rounds How many there will be; 0: not known before (Cup, Arena).
 * @property {number} heats Heats of open rounds.
 * @property {number} reported How many of them have a result.
 * @property {number} gun_ms Of the last round.
 * @property {number} deadline_ms Of the last round; of an arena: when no more heats are drawn.
 * @property {boolean} late Somebody may still come in.
 * @property {number} sentence The last announcement of a host, −1: none.
 * @property {number} sentence_ms When it was made.
 * @property {number} version Grows with everything that happens: what was read by GET /api/tournament before is old.
 */

/**
 * How you stand to the open tournament; sent on opening it and whenever one of the fields changes. When `room` is not empty, a heat of yours is on: enter the room.
 * @typedef {object} TournamentYou
 * @property {'TournamentYou'} type
 * @property {string} status Empty: you take no part. Else in, waiting, absent, out, dropped or unchecked.
 * @property {boolean} checked You have checked in, or need not.
 * @property {string} room Code of the room of the heat that you are drawn for, while it has no result.
 * @property {number} round Number of its round; without a heat: that of the last round.
 * @property {number} gun_ms When it begins.
 * @property {boolean} bye You go on without a race in the last round.
 * @property {number} place 0: none yet.
 * @property {number} points So far.
 * @property {number} queue Place on the waiting list, from 1; 0: not on it.
 */

/**
 * Who may host a tournament.
 * @typedef {object} Hosts
 * @property {'Hosts'} type
 * @property {number} n The running number.
 * @property {Array<string>} names Of the token holders.
 */

/**
 * A page of a tournament's standings.
 * @typedef {object} Standings
 * @property {'Standings'} type
 * @property {number} n The running number.
 * @property {number} start Index of the first row.
 * @property {number} total How many rows there are.
 * @property {Array<StandingRow>} rows At most 20.
 */

/** @typedef {Welcome | Pong | Done | Refused | Moved | Denied | Restored | Dealt | Progress | Entered | RoomInfo | SeatRow | SeatFreed | HeatInfo | BoardEnded | HeatResult | Reacted | Superseded | Rooms | DeviceCode | LeftRoom | Goodbye | SoloGame | SoloGames | DailyGame | DailyResult | RatingChanged | TournamentMade | TournamentInfo | TournamentYou | Hosts | Standings} WireEvent */

/** What came is not what the protocol says. */
export class WireError extends Error {}

/** @param {unknown} value @returns {number} */
function int(value) {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WireError('expected an integer');
}

/** @param {unknown} value @returns {string} */
function str(value) {
  if (typeof value === 'string') return value;
  throw new WireError('expected a string');
}

/** @param {unknown} value @returns {boolean} */
function bool(value) {
  if (typeof value === 'boolean') return value;
  throw new WireError('expected a boolean');
}

/** @param {unknown} value @returns {Uint8Array} */
function bytes(value) {
  if (value instanceof Uint8Array) return value;
  throw new WireError('expected bytes');
}

/** @param {unknown} value @returns {unknown[]} */
function array(value) {
  if (Array.isArray(value)) return value;
  throw new WireError('expected an array');
}

/** @template T @param {unknown} value @param {(item: unknown) => T} read @returns {T[]} */
function list(value, read) {
  return array(value).map((item) => read(item));
}

/** @param {unknown} value @returns {RoomOptions} */
function readRoomOptions(value) {
  const f = array(value);
  return {
    ruleset: f.length > 0 ? str(f[0]) : "DS1-D1N",
    goal: f.length > 1 ? str(f[1]) : "first",
    minutes: f.length > 2 ? int(f[2]) : 10,
    seats: f.length > 3 ? int(f[3]) : 4,
    undo: f.length > 4 ? str(f[4]) : "all",
    hints: f.length > 5 ? bool(f[5]) : true,
    public: f.length > 6 ? bool(f[6]) : false,
    best_of: f.length > 7 ? int(f[7]) : 1,
    code: f.length > 8 ? str(f[8]) : "",
    match: f.length > 9 ? bool(f[9]) : false,
    certified: f.length > 10 ? bool(f[10]) : false,
  };
}

/** @param {RoomOptions} part @returns {WireArray} */
function writeRoomOptions(part) {
  return [part.ruleset, part.goal, part.minutes, part.seats, part.undo, part.hints, part.public, part.best_of, part.code, part.match, part.certified];
}

/** What RoomOptions holds where nothing else is said.
 * @type {Readonly<RoomOptions>} */
export const RoomOptionsDefaults = Object.freeze({ ruleset: "DS1-D1N", goal: "first", minutes: 10, seats: 4, undo: "all", hints: true, public: false, best_of: 1, code: "", match: false, certified: false });

/** @param {unknown} value @returns {BoardView} */
function readBoardView(value) {
  const f = array(value);
  return {
    ply: int(f[0]),
    score: int(f[1]),
    moves: int(f[2]),
    stock: int(f[3]),
    waste: bytes(f[4]),
    foundations: bytes(f[5]),
    columns: list(f[6], (item) => { const pair = array(item); return /** @type {[number, Uint8Array]} */ ([int(pair[0]), bytes(pair[1])]); }),
    undoable: int(f[7]),
    ended: str(f[8]),
    marks: f.length > 9 ? bytes(f[9]) : Uint8Array.from([]),
    known: f.length > 10 ? bytes(f[10]) : Uint8Array.from([]),
  };
}

/** @param {unknown} value @returns {RoomRow} */
function readRoomRow(value) {
  const f = array(value);
  return {
    code: str(f[0]),
    host: str(f[1]),
    ruleset: str(f[2]),
    goal: str(f[3]),
    minutes: int(f[4]),
    seats: int(f[5]),
    taken: int(f[6]),
    best_of: int(f[7]),
    running: bool(f[8]),
  };
}

/** @param {unknown} value @returns {SeatLeft} */
function readSeatLeft(value) {
  const f = array(value);
  return {
    seat: int(f[0]),
    name: str(f[1]),
  };
}

/** @param {unknown} value @returns {ResultRow} */
function readResultRow(value) {
  const f = array(value);
  return {
    seat: int(f[0]),
    place: int(f[1]),
    ended: str(f[2]),
    out: int(f[3]),
    score: int(f[4]),
    moves: int(f[5]),
    at_ms: int(f[6]),
    reason: str(f[7]),
    tally: int(f[8]),
    name: f.length > 9 ? str(f[9]) : "",
    undos: f.length > 10 ? int(f[10]) : 0,
    peeks: f.length > 11 ? int(f[11]) : 0,
  };
}

/** @param {unknown} value @returns {RatingRow} */
function readRatingRow(value) {
  const f = array(value);
  return {
    seat: int(f[0]),
    rating: int(f[1]),
    change: int(f[2]),
    deviation: int(f[3]),
    games: int(f[4]),
  };
}

/** @param {unknown} value @returns {SoloRow} */
function readSoloRow(value) {
  const f = array(value);
  return {
    ruleset: str(f[0]),
    code: str(f[1]),
    out: int(f[2]),
    score: int(f[3]),
    moves: int(f[4]),
    ended: str(f[5]),
  };
}

/** @param {unknown} value @returns {TournamentOptions} */
function readTournamentOptions(value) {
  const f = array(value);
  return {
    name: str(f[0]),
    format: f.length > 1 ? str(f[1]) : "league",
    ruleset: f.length > 2 ? str(f[2]) : "DS1-D1N",
    goal: f.length > 3 ? str(f[3]) : "first",
    minutes: f.length > 4 ? int(f[4]) : 10,
    undo: f.length > 5 ? str(f[5]) : "all",
    hints: f.length > 6 ? bool(f[6]) : true,
    rounds: f.length > 7 ? int(f[7]) : 3,
    heat: f.length > 8 ? int(f[8]) : 2,
    advance: f.length > 9 ? int(f[9]) : 1,
    points: f.length > 10 ? str(f[10]) : "place",
    arena_minutes: f.length > 11 ? int(f[11]) : 60,
    late_counts: f.length > 12 ? bool(f[12]) : true,
    places: f.length > 13 ? int(f[13]) : 500,
    start_ms: f.length > 14 ? int(f[14]) : 0,
    check_in_s: f.length > 15 ? int(f[15]) : 0,
    late_round: f.length > 16 ? int(f[16]) : 0,
    break_s: f.length > 17 ? int(f[17]) : 60,
    absent_s: f.length > 18 ? int(f[18]) : 60,
    public: f.length > 19 ? bool(f[19]) : false,
  };
}

/** @param {TournamentOptions} part @returns {WireArray} */
function writeTournamentOptions(part) {
  return [part.name, part.format, part.ruleset, part.goal, part.minutes, part.undo, part.hints, part.rounds, part.heat, part.advance, part.points, part.arena_minutes, part.late_counts, part.places, part.start_ms, part.check_in_s, part.late_round, part.break_s, part.absent_s, part.public];
}

/** What TournamentOptions holds where nothing else is said.
 * @type {Readonly<Omit<TournamentOptions, 'name'>>} */
export const TournamentOptionsDefaults = Object.freeze({ format: "league", ruleset: "DS1-D1N", goal: "first", minutes: 10, undo: "all", hints: true, rounds: 3, heat: 2, advance: 1, points: "place", arena_minutes: 60, late_counts: true, places: 500, start_ms: 0, check_in_s: 0, late_round: 0, break_s: 60, absent_s: 60, public: false });

/** @param {unknown} value @returns {StandingRow} */
function readStandingRow(value) {
  const f = array(value);
  return {
    entrant: str(f[0]),
    name: str(f[1]),
    tag: str(f[2]),
    bot: int(f[3]),
    place: int(f[4]),
    points: int(f[5]),
    values: list(f[6], int),
    decided_by: str(f[7]),
    status: str(f[8]),
    played: int(f[9]),
  };
}

/** What a client asks: each returns the array to send. */
export const cmd = Object.freeze({
  /**
   * First frame of every connection. Answer: `Welcome`, or a close code (4401, 4426).
   * @param {number} n The running number.
   * @param {number} proto Version of this protocol the client speaks.
   * @param {string} token The device's secret, or empty: a new player is made.
   * @param {string} name Wanted name for a new player; empty: one is proposed.
   * @param {string} lang Language tag of the client, for proposed names.
   * @returns {WireArray}
   */
  hello: (n, proto, token, name, lang) => [1, n, proto, token, name, lang],

  /**
   * Sign of life and clock probe. Answer: `Pong`.
   * @param {number} sent_ms Any number of the client's; it comes back.
   * @returns {WireArray}
   */
  ping: (sent_ms) => [2, sent_ms],

  /**
   * A move on the own board: entry number `ply` of its log (rules R3–R7). Answer under the same ply: `Moved`, or `Restored` for an undo, or `Denied`. A ply already taken by the same four bytes is answered again; by others, `Restored`; beyond the log, `Denied` with `seq`.
   * @param {number} ply The number of the entry this move wants to be, from 0.
   * @param {number} kind 1 draw, 2 recycle, 3 transfer, 4 undo, 5 auto-complete (the server's own), 6 resign.
   * @param {number} source 0 stock, 1 waste, 10–17 a foundation slot, 20–28 a column; 0 where it means nothing.
   * @param {number} target 2 the foundations (the slot follows, R4.2), 20–28 a column; 0 where it means nothing.
   * @param {number} count Cards moved as one run; 0 where it means nothing.
   * @returns {WireArray}
   */
  play: (ply, kind, source, target, count) => [3, ply, kind, source, target, count],

  /**
   * Change the own name. Answer: `Done`.
   * @param {number} n The running number.
   * @param {string} name Wanted name.
   * @returns {WireArray}
   */
  rename: (n, name) => [4, n, name],

  /**
   * Ask for a one-time code that brings this identity to another device. Answer: `DeviceCode`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  linkDevice: (n) => [5, n],

  /**
   * Take over the identity behind a one-time code. Answer: `Welcome` with a token of this device.
   * @param {number} n The running number.
   * @param {string} code As shown on the other device.
   * @returns {WireArray}
   */
  useDeviceCode: (n, code) => [6, n, code],

  /**
   * Make the tokens of all other devices of this player worthless. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  revokeDevices: (n) => [7, n],

  /**
   * Open a room, sit down in it, and seat bots. Answer: `Entered`.
   * @param {number} n The running number.
   * @param {RoomOptions} options What is played, and how.
   * @param {Array<number>} bots Level of each bot to seat.
   * @param {boolean} ready Be ready at once: with bots alone the countdown starts.
   * @returns {WireArray}
   */
  createRoom: (n, options, bots, ready) => [8, n, writeRoomOptions(options), bots, ready],

  /**
   * Go into a room by its code: to a free seat, or to watch where none is free, a heat runs or `watch` is asked. Who is in already comes back to the same place. Answer: `Entered`.
   * @param {number} n The running number.
   * @param {string} code Code of the room.
   * @param {boolean} watch Only watch, even where a seat is free.
   * @returns {WireArray}
   */
  enterRoom: (n, code, watch) => [9, n, code, watch],

  /**
   * Leave the room for good; a running board counts as resigned. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  leaveRoom: (n) => [10, n],

  /**
   * Say whether one is ready for the next heat (rematch is the same). Answer: `Done`.
   * @param {number} n The running number.
   * @param {boolean} ready False takes it back.
   * @returns {WireArray}
   */
  ready: (n, ready) => [11, n, ready],

  /**
   * Host: start without those who are not ready, from 20 s after the first was. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  startHeat: (n) => [12, n],

  /**
   * Host: seat a bot of level 1–3. Answer: `Done`.
   * @param {number} n The running number.
   * @param {number} level 1 easy, 2 middling, 3 strong.
   * @returns {WireArray}
   */
  addBot: (n, level) => [13, n, level],

  /**
   * Host: take a bot or a person out of a seat (a person is kicked from the room). Answer: `Done`.
   * @param {number} n The running number.
   * @param {number} seat Whose.
   * @returns {WireArray}
   */
  removeSeat: (n, seat) => [14, n, seat],

  /**
   * Host: let nobody new in, or open again. Answer: `Done`.
   * @param {number} n The running number.
   * @param {boolean} locked False opens it again.
   * @returns {WireArray}
   */
  lockRoom: (n, locked) => [15, n, locked],

  /**
   * Host: make the person in this seat the host. Answer: `Done`.
   * @param {number} n The running number.
   * @param {number} seat Whose.
   * @returns {WireArray}
   */
  handOver: (n, seat) => [16, n, seat],

  /**
   * Host: change the options between heats; everybody becomes unready. Answer: `Done`.
   * @param {number} n The running number.
   * @param {RoomOptions} options All of them, changed or not.
   * @returns {WireArray}
   */
  setOptions: (n, options) => [17, n, writeRoomOptions(options)],

  /**
   * A quick reaction from the fixed set 0–5. Answer: `Done`.
   * @param {number} n The running number.
   * @param {number} reaction Number in the fixed set.
   * @returns {WireArray}
   */
  react: (n, reaction) => [18, n, reaction],

  /**
   * Watcher: take a free seat between heats. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  sitDown: (n) => [19, n],

  /**
   * Seated: become a watcher between heats. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  standUp: (n) => [20, n],

  /**
   * The public rooms. Answer: `Rooms`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  listRooms: (n) => [21, n],

  /**
   * Be put together with people who wait for the same ruleset. Answer: `Entered`.
   * @param {number} n The running number.
   * @param {string} ruleset Id of the ruleset.
   * @returns {WireArray}
   */
  quickMatch: (n, ruleset) => [22, n, ruleset],

  /**
   * Ask for everything about the own room again. Answer: `Done`, after the snapshots.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  resync: (n) => [23, n],

  /**
   * Play alone: go on with the saved game of `ruleset`, or deal a new one. Answer: `SoloGame`; `Play` is then for this board. Scoring is to the letter (rules R6.3), undo as R7 says.
   * @param {number} n The running number.
   * @param {string} ruleset Id of the ruleset; with a fresh code, that of the code counts.
   * @param {string} code With `fresh`: the deal to play. Without: the game one is in, which is then resumed even if it has ended. Empty: none.
   * @param {boolean} fresh Deal anew, in place of the saved game.
   * @param {boolean} certified With `fresh` and without a code: a deal that is known to be winnable. Refused: `bad_options` (deals of this ruleset are not certified), `no_deal`.
   * @returns {WireArray}
   */
  openSolo: (n, ruleset, code, fresh, certified) => [24, n, ruleset, code, fresh, certified],

  /**
   * The saved games. Answer: `SoloGames`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  listSolo: (n) => [25, n],

  /**
   * Play a daily deal (ruling 25). Answer: `DailyGame`; `Play` is then for this board, and `DailyResult` follows once it has ended, or at once if it had. The first time starts the one ranked attempt: its clock runs from the answer on and does not stop; later it is resumed, on any device. Refused: `bad_options` (no such daily), `no_deal`, `not_now` (its day is over, or is not yet; practice before the own attempt has ended).
   * @param {number} n The running number.
   * @param {string} ruleset Id of the ruleset.
   * @param {string} date UTC date of the deal, e.g. 2026-07-29; empty: today.
   * @param {boolean} practice Play the deal again after the own attempt: it counts for nothing and the clock rests while away.
   * @param {boolean} fresh With `practice`: begin anew instead of going on.
   * @returns {WireArray}
   */
  openDaily: (n, ruleset, date, practice, fresh) => [26, n, ruleset, date, practice, fresh],

  /**
   * Make a tournament. Answer: `TournamentMade`, with the token that hosts it.
   * @param {number} n The running number.
   * @param {TournamentOptions} options What is played, and how.
   * @returns {WireArray}
   */
  createTournament: (n, options) => [27, n, writeTournamentOptions(options)],

  /**
   * Be told of a tournament from now on, over this connection (one at a time), and take part in it if asked. Answer: `Done`, after `TournamentInfo` and `TournamentYou`. Who had withdrawn or was absent and takes part again is back. Refused: `noroom`, `locked`.
   * @param {number} n The running number.
   * @param {string} code Code of the tournament.
   * @param {boolean} enter Take part; false: only look.
   * @returns {WireArray}
   */
  openTournament: (n, code, enter) => [28, n, code, enter],

  /**
   * Be told no more of the tournament; one takes part as before. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  closeTournament: (n) => [29, n],

  /**
   * Entrant: be there, for the start or again after an absence. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  checkIn: (n) => [30, n],

  /**
   * Entrant: drop out of the open tournament; results stay. Answer: `Done`.
   * @param {number} n The running number.
   * @returns {WireArray}
   */
  withdraw: (n) => [31, n],

  /**
   * Host: carry out an action. Answer: `Done`. Refused: `host_only` for a token that is not good here, and what the action says. Actions, with what `key` and `value` mean there: `start` (value: in so many seconds; 0: at once, without a check-in), `start_at` (instant; 0: not by itself), `pause`, `resume`, `next` (the next round in value seconds), `extend` (value seconds more or less; key: number of the round, empty: the running one), `close_round` (again 30 s later: give up heats without a result), `rounds` (value in all), `late` (people may come in up to round value), `end`, `drop`, `restore`, `absent` (key: entrant), `points` (key, value), `seed` (key, value), `announce` (value 0–7), `bots` (value of level key), `undo` (value: number of the edit; 0: the last).
   * @param {number} n The running number.
   * @param {string} code Code of the tournament.
   * @param {string} token A host token.
   * @param {string} action Name of the action.
   * @param {string} key What it is about, or empty.
   * @param {number} value How much, or 0.
   * @returns {WireArray}
   */
  hostTournament: (n, code, token, action, key, value) => [32, n, code, token, action, key, value],

  /**
   * Host: make a token for a co-host. Answer: `TournamentMade` with the new token.
   * @param {number} n The running number.
   * @param {string} code Code of the tournament.
   * @param {string} token One's own host token.
   * @param {string} name Whose it will be: actions are logged under it. 1–20 characters, not one that is in use.
   * @returns {WireArray}
   */
  shareHost: (n, code, token, name) => [33, n, code, token, name],

  /**
   * Host: make the tokens of a co-host worthless. Answer: `Done`; `no_seat` when there is none of that name, or when it is one's own.
   * @param {number} n The running number.
   * @param {string} code Code of the tournament.
   * @param {string} token One's own host token.
   * @param {string} name Whose.
   * @returns {WireArray}
   */
  revokeHost: (n, code, token, name) => [34, n, code, token, name],

  /**
   * Host: who may host. Answer: `Hosts`.
   * @param {number} n The running number.
   * @param {string} code Code of the tournament.
   * @param {string} token One's own host token.
   * @returns {WireArray}
   */
  listHosts: (n, code, token) => [35, n, code, token],

  /**
   * A page of the open tournament's standings. Answer: `Standings`.
   * @param {number} n The running number.
   * @param {number} start Index of the first row, from 0; −1: the page with oneself in the middle.
   * @returns {WireArray}
   */
  listStandings: (n, start) => [36, n, start],

  /**
   * Open a room to race alone, for others to race against the recording later: its deal stays sealed until somebody has, or for seven days, and nothing of it ranks. Of the options, who may come, the code and the number of deals are not asked for. Answer: `Entered`.
   * @param {number} n The running number.
   * @param {RoomOptions} options What is played, and how.
   * @returns {WireArray}
   */
  challenge: (n, options) => [37, n, writeRoomOptions(options)],

  /**
   * Open a room to race against recorded boards of a closed heat, on its deal and under its rules; it ranks nowhere. Answer: `Entered`; `noroom` when there is no such heat or its deal is still sealed, `not_now` for who raced in it, `bad_options` for seats that were none.
   * @param {number} n The running number.
   * @param {string} heat Id of the heat.
   * @param {Array<number>} seats Its seats whose boards are raced against.
   * @returns {WireArray}
   */
  raceGhosts: (n, heat, seats) => [38, n, heat, seats],
});

/**
 * The event in an array that came; null for a tag this client does not know (it is to be ignored).
 * @param {unknown} frame
 * @returns {WireEvent | null}
 * @throws {WireError} where a field is not what the protocol says
 */
export function decodeEvent(frame) {
  const f = array(frame);
  switch (int(f[0])) {
    case 64:
      return {
        type: 'Welcome',
        n: int(f[1]),
        player: str(f[2]),
        tag: str(f[3]),
        name: str(f[4]),
        token: str(f[5]),
        server_ms: int(f[6]),
        room: str(f[7]),
      };
    case 65:
      return {
        type: 'Pong',
        sent_ms: int(f[1]),
        server_ms: int(f[2]),
      };
    case 66:
      return {
        type: 'Done',
        n: int(f[1]),
      };
    case 67:
      return {
        type: 'Refused',
        n: int(f[1]),
        code: str(f[2]),
      };
    case 68:
      return {
        type: 'Moved',
        ply: int(f[1]),
        score: int(f[2]),
        turned: bytes(f[3]),
        auto: f.length > 4 ? bool(f[4]) : false,
      };
    case 69:
      return {
        type: 'Denied',
        ply: int(f[1]),
        code: str(f[2]),
      };
    case 70:
      return {
        type: 'Restored',
        ply: int(f[1]),
        view: readBoardView(f[2]),
      };
    case 71:
      return {
        type: 'Dealt',
        heat: str(f[1]),
        seat: int(f[2]),
        view: readBoardView(f[3]),
      };
    case 72:
      return {
        type: 'Progress',
        rows: list(f[1], int),
        place: f.length > 2 ? int(f[2]) : 0,
      };
    case 73:
      return {
        type: 'Entered',
        n: int(f[1]),
        code: str(f[2]),
        seat: int(f[3]),
      };
    case 74:
      return {
        type: 'RoomInfo',
        code: str(f[1]),
        options: readRoomOptions(f[2]),
        phase: str(f[3]),
        host: int(f[4]),
        locked: bool(f[5]),
        watchers: int(f[6]),
        deal: int(f[7]),
        decided: bool(f[8]),
        startable_ms: int(f[9]),
        kind: f.length > 10 ? str(f[10]) : "",
      };
    case 75:
      return {
        type: 'SeatRow',
        seat: int(f[1]),
        player: str(f[2]),
        name: str(f[3]),
        tag: str(f[4]),
        bot: int(f[5]),
        ready: bool(f[6]),
        present: bool(f[7]),
        you: bool(f[8]),
        wins: int(f[9]),
      };
    case 76:
      return {
        type: 'SeatFreed',
        seat: int(f[1]),
      };
    case 77:
      return {
        type: 'HeatInfo',
        heat: str(f[1]),
        number: int(f[2]),
        commitment: str(f[3]),
        gun_ms: int(f[4]),
        deadline_ms: int(f[5]),
        seats: list(f[6], int),
        certified: f.length > 7 ? bool(f[7]) : false,
        gone: f.length > 8 ? list(f[8], readSeatLeft) : [],
      };
    case 78:
      return {
        type: 'BoardEnded',
        seat: int(f[1]),
        ended: str(f[2]),
        elapsed_ms: int(f[3]),
        place: int(f[4]),
      };
    case 79:
      return {
        type: 'HeatResult',
        heat: str(f[1]),
        number: int(f[2]),
        rows: list(f[3], readResultRow),
        code: str(f[4]),
        nonce: str(f[5]),
        commitment: str(f[6]),
        difficulty: f.length > 7 ? str(f[7]) : "",
      };
    case 80:
      return {
        type: 'Reacted',
        seat: int(f[1]),
        reaction: int(f[2]),
      };
    case 81:
      return {
        type: 'Superseded',
      };
    case 82:
      return {
        type: 'Rooms',
        n: int(f[1]),
        rows: list(f[2], readRoomRow),
      };
    case 83:
      return {
        type: 'DeviceCode',
        n: int(f[1]),
        code: str(f[2]),
        expires_ms: int(f[3]),
      };
    case 84:
      return {
        type: 'LeftRoom',
        reason: str(f[1]),
      };
    case 85:
      return {
        type: 'Goodbye',
        retry_ms: int(f[1]),
      };
    case 86:
      return {
        type: 'SoloGame',
        n: int(f[1]),
        ruleset: str(f[2]),
        code: str(f[3]),
        elapsed_ms: int(f[4]),
        view: readBoardView(f[5]),
        certified: f.length > 6 ? bool(f[6]) : false,
      };
    case 87:
      return {
        type: 'SoloGames',
        n: int(f[1]),
        rows: list(f[2], readSoloRow),
      };
    case 88:
      return {
        type: 'DailyGame',
        n: int(f[1]),
        date: str(f[2]),
        ruleset: str(f[3]),
        practice: bool(f[4]),
        id: str(f[5]),
        commitment: str(f[6]),
        certified: bool(f[7]),
        gun_ms: int(f[8]),
        elapsed_ms: int(f[9]),
        final_ms: int(f[10]),
        view: readBoardView(f[11]),
      };
    case 89:
      return {
        type: 'DailyResult',
        date: str(f[1]),
        ruleset: str(f[2]),
        ended: str(f[3]),
        out: int(f[4]),
        score: int(f[5]),
        moves: int(f[6]),
        elapsed_ms: int(f[7]),
        at_ms: int(f[8]),
        score_place: int(f[9]),
        score_players: int(f[10]),
        time_place: int(f[11]),
        time_players: int(f[12]),
        percentile: int(f[13]),
        streak: int(f[14]),
        best_streak: int(f[15]),
      };
    case 95:
      return {
        type: 'RatingChanged',
        heat: str(f[1]),
        rows: list(f[2], readRatingRow),
      };
    case 90:
      return {
        type: 'TournamentMade',
        n: int(f[1]),
        code: str(f[2]),
        token: str(f[3]),
      };
    case 91:
      return {
        type: 'TournamentInfo',
        code: str(f[1]),
        options: readTournamentOptions(f[2]),
        phase: str(f[3]),
        entrants: int(f[4]),
        waiting: int(f[5]),
        checked: int(f[6]),
        start_ms: int(f[7]),
        check_in_ms: int(f[8]),
        next_ms: int(f[9]),
        round: int(f[10]),
        rounds: int(f[11]),
        heats: int(f[12]),
        reported: int(f[13]),
        gun_ms: int(f[14]),
        deadline_ms: int(f[15]),
        late: bool(f[16]),
        sentence: int(f[17]),
        sentence_ms: int(f[18]),
        version: int(f[19]),
      };
    case 92:
      return {
        type: 'TournamentYou',
        status: str(f[1]),
        checked: bool(f[2]),
        room: str(f[3]),
        round: int(f[4]),
        gun_ms: int(f[5]),
        bye: bool(f[6]),
        place: int(f[7]),
        points: int(f[8]),
        queue: int(f[9]),
      };
    case 93:
      return {
        type: 'Hosts',
        n: int(f[1]),
        names: list(f[2], str),
      };
    case 94:
      return {
        type: 'Standings',
        n: int(f[1]),
        start: int(f[2]),
        total: int(f[3]),
        rows: list(f[4], readStandingRow),
      };
    default:
      return null;
  }
}
