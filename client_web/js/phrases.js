/**
 * Values of the protocol as words: games, options, people, places and their reasons.
 *
 * Lives here: choosing keys and filling them; every function takes the language and gives text.
 * Does not live here: the words themselves (`lang/*.json`), nor any element.
 */

/** @import { Language } from './i18n.js' */
/** @import { HeatResult, ResultRow, RoomOptions, SeatRow } from './wire.gen.js' */

/**
 * @param {string} ruleset id such as `DS1-D3V`
 * @returns {{family: string, draw: number, vegas: boolean, decks: number, cards: number}}
 */
export function gameParts(ruleset) {
  const [family = '', mode = ''] = ruleset.split('-');
  const decks = family === 'SS1' ? 1 : 2;
  return { family, draw: Number(mode[1] ?? 1), vegas: mode.endsWith('V'), decks, cards: 52 * decks };
}

/**
 * The game in a few words: "Double · Draw 1".
 * @param {Language} lang
 * @param {string} ruleset
 */
export function gameName(lang, ruleset) {
  const { family, draw, vegas } = gameParts(ruleset);
  const parts = [lang.t(`game.${family}`), lang.t(`draw.${draw}`)];
  if (vegas) parts.push(lang.t('scoring.V'));
  return parts.join(' · ');
}

/**
 * @param {Language} lang
 * @param {number} minutes 0: no limit
 */
export function limitName(lang, minutes) {
  return minutes ? lang.t('limit.minutes', { n: minutes }) : lang.t('limit.none');
}

/**
 * What a room plays, one text a fact; what everybody expects is left out.
 * @param {Language} lang
 * @param {Pick<RoomOptions, 'ruleset' | 'goal' | 'minutes' | 'best_of'> & Partial<RoomOptions>} options
 * @returns {string[]}
 */
export function optionFacts(lang, options) {
  const facts = [gameName(lang, options.ruleset), lang.t(`goal.${options.goal}`), limitName(lang, options.minutes)];
  if (options.best_of > 1) facts.push(lang.t(`best_of.${options.best_of}`));
  if (options.undo && options.undo !== 'all') facts.push(lang.t(`undo_fact.${options.undo}`));
  if (options.hints === false) facts.push(lang.t('fact.no_hints'));
  if (options.code) facts.push(lang.t('fact.open_deal'));
  if (options.match) facts.push(lang.t('fact.match'));
  return facts;
}

/** In place of a bot's level: a recorded board that plays again. */
export const GHOST = 4;

/**
 * Two letters that stand for a name.
 * @param {Language} lang
 * @param {string} name
 */
export function initials(lang, name) {
  const words = name.trim().split(/[\s_.-]+/u).filter(Boolean);
  const [first = '', second = ''] = words;
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join('').toLocaleUpperCase(lang.tag);
}

/**
 * The colour of a seat: brass is the user's own, grey a bot's.
 * @param {{seat: number, you: boolean, bot: number}} row
 * @returns {number} 1–8
 */
export function seatColour({ seat, you, bot }) {
  if (you) return 1;
  return bot ? 8 : 2 + (seat % 6);
}

/**
 * @param {Language} lang
 * @param {Pick<SeatRow, 'bot' | 'name'>} row
 */
export function seatName(lang, row) {
  if (row.bot === GHOST) return lang.t('ghost.name', { name: row.name });
  return row.bot ? lang.t('bot.name', { level: row.bot }) : row.name;
}

/**
 * @param {Language} lang
 * @param {Pick<SeatRow, 'bot' | 'name'>} row
 */
export function seatLetters(lang, row) {
  return row.bot && row.bot !== GHOST ? `${lang.t('bot.letter')}${row.bot}` : initials(lang, row.name);
}

/**
 * What a refusal means, and what can be done.
 * @param {Language} lang
 * @param {string} code of the server, or `lost`, `offline`
 */
export function refusalText(lang, code) {
  const key = `no.${code}`;
  if (lang.has(key)) return lang.t(key);
  return lang.has(`refusal.${code}`) ? lang.t(`refusal.${code}`) : lang.t('no.unknown', { code });
}

/** @param {Language} lang @param {ResultRow} row @param {boolean} vegas */
function points(lang, row, vegas) {
  return vegas ? lang.score(row.score, true) : lang.t('points', { n: row.score });
}

/**
 * What a board came to, in the few words that matter for the goal: "7:02", "81 cards".
 * @param {Language} lang
 * @param {ResultRow} row
 * @param {Pick<RoomOptions, 'goal' | 'ruleset'>} options
 */
export function outcome(lang, row, options) {
  const { vegas } = gameParts(options.ruleset);
  if (options.goal === 'score') return points(lang, row, vegas);
  return row.ended === 'won' ? lang.clock(row.at_ms) : lang.t('cards', { n: row.out });
}

/** Places with words of their own: first, second, third. */
const NAMED_PLACES = 3;

/**
 * Why a board stands where it stands (product P3), in words.
 * @param {Language} lang
 * @param {ResultRow} row
 * @param {Pick<RoomOptions, 'goal' | 'ruleset'>} options
 */
export function reasonText(lang, row, options) {
  const { vegas } = gameParts(options.ruleset);
  const params = { time: lang.exact(row.at_ms), cards: lang.t('cards', { n: row.out }), points: points(lang, row, vegas) };
  const tie = row.reason === 'tie';
  // Nothing has counted since the gun, so there is no moment to be equal at
  if (tie && row.at_ms === 0) return withEnd(lang, row, lang.t('reason.tie_none'));
  if (options.goal === 'score') {
    const key = row.reason === 'earlier' ? 'reason.score_later' : tie ? 'reason.tie_score' : 'reason.score_best';
    return withEnd(lang, row, lang.t(key, params));
  }
  if (row.ended === 'won') {
    if (tie) return lang.t('reason.tie_time', params);
    return lang.t(row.place <= NAMED_PLACES ? `reason.finished.${row.place}` : 'reason.finished.n', params);
  }
  const key = { score: 'reason.fewer_points', earlier: 'reason.later', tie: 'reason.tie_cards' }[row.reason] ?? 'reason.cards';
  return withEnd(lang, row, lang.t(key, params));
}

/**
 * How the board ended, too, unless it was won. That time was up is left out beside "also": the row above says it.
 * @param {Language} lang
 * @param {ResultRow} row
 * @param {string} text
 */
function withEnd(lang, row, text) {
  if (row.ended === 'won') return text;
  if (!['score', 'earlier', 'tie'].includes(row.reason)) return lang.t(`reason.ended.${row.ended}`, { text });
  return row.ended === 'time_up' ? text : `${text} (${lang.t(`ended.${row.ended}`)})`;
}

/**
 * One's place as a headline: "Second, by 17 seconds".
 * @param {Language} lang
 * @param {readonly ResultRow[]} rows in order of places
 * @param {number} seat the own seat, −1 for a watcher
 * @param {Pick<RoomOptions, 'goal' | 'ruleset'>} options
 * @param {(row: ResultRow) => string} nameOf
 */
export function headline(lang, rows, seat, options, nameOf) {
  const mine = rows.find((row) => row.seat === seat);
  const firsts = rows.filter((row) => row.place === 1);
  if (!mine) {
    return lang.t(firsts.length > 1 ? 'headline.tie_of' : 'headline.won_by', { name: lang.list(firsts.map(nameOf)) });
  }
  const shared = rows.filter((row) => row.place === mine.place).length > 1;
  const place = mine.place <= NAMED_PLACES ? String(mine.place) : 'n';
  if (rows.length === 1) return lang.t(mine.ended === 'won' ? 'headline.alone_won' : 'headline.alone');
  if (shared) return lang.t(`headline.shared.${place}`, { place: mine.place });
  const gap = gapText(lang, rows, mine, options);
  return gap ? lang.t(`headline.gap.${place}`, { gap, place: mine.place }) : lang.t(`headline.${place}`, { place: mine.place });
}

/**
 * How far one is from the neighbour that matters: the next one for a winner, else the one ahead.
 * @param {Language} lang
 * @param {readonly ResultRow[]} rows
 * @param {ResultRow} mine
 * @param {Pick<RoomOptions, 'goal' | 'ruleset'>} options
 * @returns {string} empty when there is nothing to compare
 */
function gapText(lang, rows, mine, options) {
  const at = rows.indexOf(mine);
  const other = rows[mine.place === 1 ? at + 1 : at - 1];
  if (!other) return '';
  const { vegas } = gameParts(options.ruleset);
  const score = Math.abs(mine.score - other.score);
  const byScore = score === 0 ? '' : vegas ? lang.score(score, true) : lang.t('points', { n: score });
  if (options.goal === 'score') return byScore;
  if (mine.ended === 'won' && other.ended === 'won') return lang.span(Math.abs(mine.at_ms - other.at_ms));
  if (mine.ended === 'won' || other.ended === 'won') return '';
  const cards = Math.abs(mine.out - other.out);
  return cards ? lang.t('cards', { n: cards }) : byScore;
}

/**
 * The seal in a short form: `9f3a 71c0 … 4be1`.
 * @param {string} hex
 */
export function shortSeal(hex) {
  return hex ? `${hex.slice(0, 4)} ${hex.slice(4, 8)} … ${hex.slice(-4)}` : '';
}

/**
 * @param {HeatResult} result
 * @returns {boolean} whether the deal was secret until its end
 */
export function wasSealed(result) {
  return result.commitment !== '' && result.nonce !== '';
}
