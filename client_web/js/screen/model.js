/**
 * What a hall sees of a tournament at a moment.
 *
 * Lives here: from what is known to what is shown: which part fills the screen, the order in running heats,
 * pages that turn by themselves, the bracket. Pure. Does not live here: words and elements (`view.js`).
 */

/** @typedef {{name: string, format: string, ruleset: string, goal: string, rounds: number, heat: number, advance: number}} Options */
/**
 * @typedef {{code: string, options: Options, phase: string, entrants: number, waiting: number, checked: number,
 *   start_ms: number, check_in_ms: number, next_ms: number, round: number, rounds: number, heats: number,
 *   reported: number, gun_ms: number, deadline_ms: number, late: boolean, sentence: number, sentence_ms: number,
 *   version: number}} Info
 */
/** @typedef {{entrant: string, name: string, tag: string, status: string, bot: unknown, seed: number}} Entrant */
/** @typedef {{entrant: string, place: number, ended: string, out: number, score: number, moves: number, at_ms: number}} Row */
/** @typedef {{room: string, heat: string, entrants: string[], open: boolean, rows: Row[]}} Heat */
/** @typedef {{round: number, drawn_ms: number, gun_ms: number, open: boolean, byes: string[], heats: Heat[]}} Round */
/** @typedef {{entrant: string, name: string, tag: string, bot: unknown, place: number, points: number, status: string, decided_by: string, played: number, values: number[]}} Line */
/** @typedef {{id: string, name: string, rule: string, link: string}} TieBreak */
/** @typedef {{info: Info, tie_breaks: TieBreak[], entrants: Entrant[], rounds: Round[], standings: Line[]}} Summary */
/** @typedef {{entrant: string, there: string, out: number, score: number, moves: number, ended: string}} LiveRow */
/** @typedef {{now_ms: number, info: Info, heats: {round: number, room: string, rows: LiveRow[]}[]}} Live */
/** @typedef {{entrant: string, name: string, place: number, count: number, ended: string, best: boolean, cut: boolean}} Runner */
/** @typedef {{room: string, number: number, done: boolean, runners: Runner[], more: number}} Panel */
/** @typedef {'join' | 'heats' | 'standings' | 'bracket' | 'podium'} Part */

export const PAGE_MS = 9000;
/** A cup shows the bracket between its heats for one page out of so many. */
const BRACKET_EVERY = 3;
/** A bracket with more heats in a column cannot be read. */
const COLUMN = 8;
const COLUMNS = 4;
/** The countdown before a gun fills the screen's clock from here on. */
export const SOON_MS = 3 * 60_000;

/** The same with names for bots, which have none of their own. @param {Summary} whole @param {(n: number) => string} bot @returns {Summary} */
export function named(whole, bot) {
  const name = (/** @type {{entrant: string, name: string, bot: unknown}} */ one) => (one.bot ? bot(Number(one.entrant.slice('bot-'.length))) : one.name);
  return {
    ...whole, entrants: whole.entrants.map((one) => ({ ...one, name: name(one) })),
    standings: whole.standings.map((one) => ({ ...one, name: name(one) })),
  };
}

/** What fills the screen. @param {Summary} whole @param {Info} info @param {number} now @returns {Part} */
export function partOf(whole, info, now) {
  if (info.phase === 'ended') return 'podium';
  if (info.round === 0) return 'join';
  const drawn = info.options.format === 'cup' && bracket(whole).length > 0;
  if (info.phase === 'round') return drawn && turn(now) % BRACKET_EVERY === BRACKET_EVERY - 1 ? 'bracket' : 'heats';
  return drawn ? 'bracket' : 'standings';
}

/** @param {number} now */
function turn(now) {
  return Math.floor(now / PAGE_MS);
}

/**
 * Page of a list that turns by itself.
 * @template T
 * @param {readonly T[]} list @param {number} size @param {number} now
 * @returns {{rows: readonly T[], page: number, pages: number}}
 */
export function page(list, size, now) {
  const pages = Math.max(1, Math.ceil(list.length / size));
  const at = turn(now) % pages;
  return { rows: list.slice(at * size, (at + 1) * size), page: at + 1, pages };
}

/** What the clock counts down to, if anything. @param {Info} info @param {number} now @returns {{ms: number, word: string} | null} */
export function clockOf(info, now) {
  const left = (/** @type {number} */ at) => Math.max(0, at - now);
  if (info.phase === 'ended' || info.phase === 'paused') return null;
  if (info.phase === 'round') {
    if (now < info.gun_ms) return { ms: left(info.gun_ms), word: 'gun' };
    return info.deadline_ms ? { ms: left(info.deadline_ms), word: info.options.format === 'arena' ? 'arena' : 'round' } : null;
  }
  if (!info.next_ms) return null;
  return { ms: left(info.next_ms), word: info.round ? 'next' : 'start' };
}

/** Which name a round has. @param {Summary} whole @param {Info} info @returns {'' | 'final' | 'semi' | 'round'} */
export function roundName(whole, info) {
  if (info.phase !== 'round' || info.options.format === 'arena') return '';
  const last = whole.rounds.at(-1);
  if (info.options.format === 'cup' && last && last.byes.length === 0) {
    if (last.heats.length === 1) return 'final';
    if (last.heats.length === 2 && 2 * info.options.advance <= info.options.heat) return 'semi';
  }
  return 'round';
}

/** How many of a cup may still win it, while that is a number to tell; else 0. @param {Summary} whole @param {Info} info */
export function stillIn(whole, info) {
  const last = whole.rounds.at(-1);
  if (info.options.format !== 'cup' || info.phase !== 'round' || !last) return 0;
  return last.byes.length + last.heats.reduce((sum, heat) => sum + heat.entrants.length, 0);
}

/** Cards of the pack. @param {string} ruleset */
export function cardsOf(ruleset) {
  return ruleset.startsWith('SS') ? 52 : 104;
}

/** Who won was seen to win in this order; it outlives single answers. @typedef {Map<string, string[]>} Seen */

/**
 * Running heats, and those of the same rounds that have their result.
 * @param {Summary} whole
 * @param {Live} live
 * @param {Seen} seen by room
 * @returns {Panel[]} with all runners
 */
export function panels(whole, live, seen) {
  const { info } = live;
  const names = new Map(whole.entrants.map((one) => [one.entrant, one.name]));
  const rows = new Map(live.heats.map((heat) => [heat.room, heat.rows]));
  const open = whole.rounds.filter((round) => round.open);
  const shown = open.length ? open : whole.rounds.slice(-1);
  return shown.flatMap((round) => round.heats.map((heat, at) => {
    const running = rows.get(heat.room);
    const ordered = heat.open && running ? liveOrder(running, info.options.goal, won(heat.room, running, seen)) : resultOrder(heat);
    return {
      room: heat.room, number: info.options.format === 'arena' ? round.round : at + 1, done: !heat.open, more: 0,
      runners: ordered.map((row) => runner(row, names.get(row.entrant) ?? '', info)),
    };
  }));
}

/** @param {{entrant: string, place: number, out: number, score: number, ended: string}} row @param {string} name @param {Info} info @returns {Runner} */
function runner(row, name, info) {
  const { goal, format, advance } = info.options;
  const best = format === 'cup' && row.place > 0 && row.place <= advance;
  const cut = format === 'cup' && row.place === advance + 1;
  return { entrant: row.entrant, name, place: row.place, count: goal === 'score' ? row.score : row.out, ended: row.ended, best, cut };
}

/** @param {Heat} heat */
function resultOrder(heat) {
  if (!heat.rows.length) return heat.entrants.map((entrant) => ({ entrant, place: 0, out: 0, score: 0, ended: '' }));
  return [...heat.rows].sort((a, b) => a.place - b.place);
}

/** @param {string} room @param {LiveRow[]} rows @param {Seen} seen @returns {string[]} */
function won(room, rows, seen) {
  const known = seen.get(room) ?? [];
  const fresh = rows.filter((row) => row.ended === 'won' && !known.includes(row.entrant)).map((row) => row.entrant);
  const all = [...known, ...fresh];
  seen.set(room, all);
  return all;
}

/** As the race stands: who is home, then cards out, then score. @param {LiveRow[]} rows @param {string} goal @param {string[]} home */
export function liveOrder(rows, goal, home) {
  const rank = (/** @type {LiveRow} */ row) => {
    if (goal === 'score') return [0, -row.score, 0];
    return row.ended === 'won' ? [0, home.indexOf(row.entrant), 0] : [1, -row.out, -row.score];
  };
  const ordered = rows.map((row, seat) => ({ row, key: [...rank(row), seat] })).sort((a, b) => {
    const at = a.key.findIndex((value, i) => value !== b.key[i]);
    return at < 0 ? 0 : (a.key[at] ?? 0) - (b.key[at] ?? 0);
  });
  // Equals share a place; before anything has counted there is none
  const same = (/** @type {(number | undefined)[]} */ a, /** @type {(number | undefined)[]} */ b) => a.slice(0, -1).every((value, i) => value === b[i]);
  const started = rows.some((row) => row.moves > 0 || row.out > 0 || row.ended);
  return ordered.map(({ row, key }) => ({ ...row, place: started ? ordered.findIndex((one) => same(one.key, key)) + 1 : 0 }));
}

/** How many panels and rows fit, for so many heats. @param {Panel[]} all */
export function fitting(all) {
  const longest = Math.max(0, ...all.map((panel) => panel.runners.length));
  if (all.length === 1) return { panels: 1, rows: 16, columns: longest > 8 ? 2 : 1 };
  if (all.length === 2) return { panels: 2, rows: 8, columns: 1 };
  return longest <= 2 && all.length > 4 ? { panels: 8, rows: 2, columns: 1 } : { panels: 4, rows: 4, columns: 1 };
}

/** A page of heats with the rows that fit. @param {Panel[]} all @param {number} now */
export function heatsPage(all, now) {
  const fit = fitting(all);
  const { rows, page: at, pages } = page(all, fit.panels, now);
  const cut = rows.map((panel) => ({
    ...panel, runners: panel.runners.slice(0, fit.rows), more: Math.max(0, panel.runners.length - fit.rows),
  }));
  return { panels: cut, columns: fit.columns, page: at, pages };
}

/** @typedef {{number: number, heats: {room: string, runners: {name: string, on: boolean, done: boolean}[]}[]}} Column */

/** The last rounds of a cup, as far as a column can be read; empty: it is too wide. @param {Summary} whole @returns {Column[]} */
export function bracket(whole) {
  const names = new Map(whole.entrants.map((one) => [one.entrant, one.name]));
  const { advance } = whole.info.options;
  const columns = whole.rounds.map((round, at) => {
    const places = new Map(round.heats.flatMap((heat) => heat.rows.map((row) => [row.entrant, row.place])));
    const next = whole.rounds[at + 1];
    const on = next ? new Set([...next.byes, ...next.heats.flatMap((heat) => heat.entrants)]) : null;
    const final = round.heats.length === 1 && !round.byes.length;
    return {
      number: round.round,
      heats: [...round.byes.map((entrant) => ({ room: entrant, entrants: [entrant], open: false })), ...round.heats].map((heat) => ({
        room: heat.room,
        runners: heat.entrants.map((entrant) => ({
          name: names.get(entrant) ?? '', done: !heat.open,
          on: on ? on.has(entrant) : !heat.open && (places.get(entrant) ?? 1) <= (final ? 1 : advance),
        })),
      })),
    };
  });
  const wide = columns.filter((column) => column.heats.length > COLUMN).at(-1);
  return columns.slice(wide ? columns.indexOf(wide) + 1 : 0).slice(-COLUMNS);
}

/** The first three places, each with all who share it. @param {Line[]} standings */
export function podium(standings) {
  return [1, 2, 3].map((place) => ({ place, names: standings.filter((line) => line.place === place).map((line) => line.name) }))
    .filter((step) => step.names.length > 0);
}

/** Who has come, the latest first. @param {Summary} whole */
export function arrivals(whole) {
  return whole.entrants.filter((one) => one.status === 'in').map((one) => one.name).reverse();
}
