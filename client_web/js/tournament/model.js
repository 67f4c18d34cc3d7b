/**
 * Tournaments as pages think of them: forms with their checks, states as words, brackets.
 *
 * Lives here: pure functions over what the server tells; those that give text take the language. Does not live here:
 * asking (`actions.js`), elements (`views/tournament/`), the words (`lang/tournament.*.json`).
 */

/** @import { Language } from '../i18n.js' */
/** @import { TournamentInfo, TournamentOptions, TournamentYou } from '../wire.gen.js' */

/** @typedef {'league' | 'cup' | 'swiss' | 'arena'} Format */
/** @typedef {{entrant: string, name: string, tag: string, bot: number, number: number, status: string, checked: boolean, seed: number, given: number}} Entrant */
/** @typedef {{entrant: string, place: number, ended: string, out: number, score: number, moves: number, at_ms: number, percentile?: number | null, absent?: boolean}} HeatRow */
/** @typedef {{room: string, heat: string, entrants: string[], open: boolean, rows: HeatRow[]}} HeatOf */
/** @typedef {{round: number, drawn_ms: number, gun_ms: number, deadline_ms: number, open: boolean, byes: string[], code: string, nonce: string, heats: HeatOf[]}} RoundOf */
/** @typedef {{entrant: string, name: string, tag: string, bot: number, place: number, points: number, values: number[], decided_by: string, status: string, played: number}} Standing */
/** @typedef {{number: number, at_ms: number, by: string, what: string, key: string, before: number | string, after: number | string, undoes: number, undone: boolean}} Edit */
/** @typedef {{info: TournamentInfo, tie_breaks: {id: string, name: string, rule: string, link: string}[], entrants: Entrant[], rounds: RoundOf[], standings: Standing[], edits: Edit[]}} Whole as `GET /api/tournament/<code>` tells it */
/** @typedef {{entrant: string, out: number, score: number, moves: number, ended: string, there: string}} LiveRow */
/** @typedef {{heats: {round: number, room: string, rows: LiveRow[]}[]}} Live */
/**
 * What is chosen and typed on these pages.
 * @typedef {object} Tour
 * @property {TournamentForm} form of a tournament to make
 * @property {string} bad name of the field that does not hold
 * @property {string} sure the action that is asked about before it is done
 * @property {string} about the entrant whose row is open
 * @property {Record<string, string>} typed by field of the console
 * @property {readonly string[] | null} hosts names of those who may host; null: not known
 * @property {{name: string, token: string} | null} shared the link that was made for a co-host
 * @property {number} tab which part of a player's page is shown on a phone
 */
/** @typedef {Omit<TournamentOptions, 'start_ms'> & {start: 'host' | 'time', at: string}} TournamentForm `at`: local date and time as a field gives it */

/** @type {readonly Format[]} */
export const FORMATS = Object.freeze(['league', 'cup', 'swiss', 'arena']);
export const MINUTES = Object.freeze([3, 5, 10, 15, 20, 30]);
export const SENTENCES = Object.freeze([0, 1, 2, 3, 4, 5, 6, 7]);
const MAX_NAME = 40;

/** What suits an evening in a club, whatever the format. */
const EVENING = Object.freeze({
  name: '', ruleset: 'DS1-D1N', goal: 'first', minutes: 10, undo: 'all', hints: true, rounds: 3, heat: 4, advance: 2, points: 'place',
  arena_minutes: 60, late_counts: true, places: 200, check_in_s: 300, late_round: 0, break_s: 60, absent_s: 60, public: false,
});
/** What each format has otherwise. @type {Readonly<Record<Format, Partial<TournamentForm>>>} */
const OWN = Object.freeze({
  league: { rounds: 3, late_round: 2 },
  cup: { heat: 4, advance: 2, break_s: 120 },
  swiss: { rounds: 5, heat: 2, advance: 1, late_round: 2 },
  arena: { heat: 2, advance: 1, minutes: 5, break_s: 10, late_round: 30 },
});

/**
 * The form as it is offered for a format; what was typed by hand stays.
 * @param {Format} format
 * @param {Partial<TournamentForm>} [kept]
 * @returns {TournamentForm}
 */
export function formOf(format, kept = {}) {
  return { ...EVENING, ...OWN[format], start: 'host', at: '', ...kept, format };
}

/** Fields that go over to another format. @param {TournamentForm} form @returns {Partial<TournamentForm>} */
export function keptFields({ name, ruleset, goal, undo, hints, places, public: listed, start, at }) {
  return { name, ruleset, goal, undo, hints, places, public: listed, start, at };
}

/** Bounds of what is typed as a number. @type {Readonly<Record<string, readonly [number, number]>>} */
export const BOUNDS = Object.freeze({
  rounds: [1, 30], heat: [2, 8], advance: [1, 7], arena_minutes: [1, 600], places: [2, 999], check_in_s: [0, 7200], late_round: [0, 30],
  break_s: [0, 86_400], absent_s: [0, 3600],
});

/** Numbers that a format asks for. @type {Readonly<Record<Format, readonly string[]>>} */
export const FIELDS = Object.freeze({
  league: ['rounds'], cup: ['heat', 'advance'], swiss: ['rounds'], arena: ['heat', 'arena_minutes'],
});

/** Whether people may come in after the start. @param {string} format */
export function takesLate(format) {
  return format !== 'cup';
}

/**
 * The first thing that does not hold in a form.
 * @param {TournamentForm} form
 * @param {number} nowMs
 * @returns {string} the field, or empty; words: `tour.bad.<field>`
 */
export function faultOf(form, nowMs) {
  const letters = [...form.name.trim()].length;
  if (letters < 2 || letters > MAX_NAME) return 'name';
  for (const [field, [least, most]] of Object.entries(BOUNDS)) {
    const value = Number(/** @type {any} */ (form)[field]);
    if (!Number.isInteger(value) || value < least || value > most) return field;
  }
  if (form.format === 'cup' && form.advance >= form.heat) return 'advance';
  if (form.format === 'arena' && form.minutes < 1) return 'minutes';
  if (form.start === 'time' && !(Date.parse(form.at) > nowMs)) return 'at';
  return '';
}

/** What is sent for a form without a fault. @param {TournamentForm} form @returns {TournamentOptions} */
export function optionsOf({ start, at, ...form }) {
  return {
    ...form, name: form.name.trim().normalize('NFC'), start_ms: start === 'time' ? Date.parse(at) : 0,
    late_round: takesLate(form.format) ? form.late_round : 0, heat: form.format === 'swiss' ? 2 : form.heat,
    check_in_s: start === 'time' ? form.check_in_s : 0,
  };
}

/**
 * Whether somebody is out of a cup: their last heat is over and they are not among the next, or behind who goes on.
 * @param {TournamentInfo} info
 * @param {readonly RoundOf[]} rounds
 * @param {string} entrant
 */
export function knockedOut(info, rounds, entrant) {
  if (info.options.format !== 'cup') return false;
  const at = rounds.map((round) => round.byes.includes(entrant) || round.heats.some((heat) => heat.entrants.includes(entrant))).lastIndexOf(true);
  if (at < 0) return rounds.length > 0;
  if (at < rounds.length - 1) return true;
  const heat = rounds[at]?.heats.find((one) => one.entrants.includes(entrant));
  return (heat?.rows.find((row) => row.entrant === entrant)?.place ?? 0) > info.options.advance;
}

/**
 * How one stands, as one of the words that must not be mixed up.
 * @param {TournamentInfo} info
 * @param {TournamentYou | null} you
 * @param {boolean} drawn one is in a heat of the last round
 * @param {boolean} beaten one is out of a cup
 * @returns {string} `none`, `closed` (no entry any more), `ended`, `check` (has to check in), `checked`, `in`, `racing`, `done` (waits for the others
 *   of the round), `bye`, `late` (came in during a round), `waiting`, `absent`, `beaten`, `out`, `dropped`, `unchecked`, `over`
 */
export function standingOf(info, you, drawn, beaten) {
  const status = you?.status ?? '';
  if (info.phase === 'ended' && status === '') return 'ended';
  if (!you || status === '') return info.phase !== 'ended' && (info.late || info.phase === 'entry' || info.phase === 'check_in') ? 'none' : 'closed';
  if (you.room) return 'racing';
  if (info.phase === 'ended') return 'over';
  if (status !== 'in') return status;
  if (beaten) return 'beaten';
  if (info.phase === 'entry' || info.phase === 'check_in') return entering(info, you);
  if (you.bye && info.phase === 'round') return 'bye';
  if (info.phase === 'round' && info.options.format !== 'arena') return drawn ? 'done' : 'late';
  return 'in';
}

/** @param {TournamentInfo} info @param {TournamentYou} you */
function entering(info, you) {
  if (info.check_in_ms === 0) return 'in';
  if (you.checked) return 'checked';
  return info.phase === 'check_in' ? 'check' : 'in';
}

/**
 * What is waited for now, and until when.
 * @param {TournamentInfo} info
 * @param {number} nowMs
 * @returns {{what: string, atMs: number}} `what`: `start`, `gun`, `round`, `next`, `end` (of an arena), or empty; `atMs` 0: not known
 */
export function awaited(info, nowMs) {
  if (info.phase === 'ended') return { what: '', atMs: 0 };
  if (info.phase === 'entry' || info.phase === 'check_in') return { what: 'start', atMs: info.start_ms };
  if (info.phase === 'paused') return { what: 'paused', atMs: 0 };
  if (info.options.format === 'arena') return { what: 'end', atMs: info.deadline_ms };
  if (info.phase === 'round') return info.gun_ms > nowMs ? { what: 'gun', atMs: info.gun_ms } : { what: 'round', atMs: info.deadline_ms };
  return { what: 'next', atMs: info.next_ms };
}

/**
 * The name of a round: in a cup of duels by what is left, else by its number.
 * @param {Language} lang
 * @param {TournamentInfo} info
 * @param {RoundOf | null} round
 * @param {number} number
 */
export function roundName(lang, info, round, number) {
  if (info.options.format === 'cup' && round && round.byes.length === 0) {
    if (round.heats.length === 1) return lang.t('tour.round.final');
    if (round.heats.length === 2) return lang.t('tour.round.semi');
    if (round.heats.length === 4) return lang.t('tour.round.quarter');
  }
  return lang.t('tour.round.n', { n: number });
}

/**
 * Who of a heat goes on in a cup: whoever is in the next round; before that is drawn, nobody is marked.
 * @param {readonly RoundOf[]} rounds
 * @param {number} at index of the round
 * @returns {Set<string>}
 */
export function wentOn(rounds, at) {
  const next = rounds[at + 1];
  return new Set(next ? [...next.byes, ...next.heats.flatMap((heat) => heat.entrants)] : []);
}

/** Who is first in the final of a cup, or first of all. @param {Whole} whole @returns {Standing[]} the first three places; none where nothing has counted */
export function podiumOf(whole) {
  return whole.standings.filter((row) => row.place > 0 && row.place <= 3).slice(0, 3);
}

/**
 * A value of a tie-break as it is read: places are kept as negative numbers, times in milliseconds.
 * @param {Language} lang
 * @param {string} id
 * @param {number} value
 */
export function tieValue(lang, id, value) {
  if (id === 'total_time') return lang.clock(Math.abs(value));
  if (id === 'sonneborn_berger') return new Intl.NumberFormat(lang.tag, { maximumFractionDigits: 1 }).format(value / 2);
  return lang.number(Math.abs(value));
}

/** Options in a few words. @param {Language} lang @param {TournamentOptions} options @param {(ruleset: string) => string} gameName @returns {string[]} */
export function facts(lang, options, gameName) {
  const first = options.format === 'cup' ? lang.t('tour.fact.cup', { seats: options.heat, n: options.advance }) : lang.t(`tour.format.${options.format}`);
  const list = [first, gameName(options.ruleset)];
  if (options.format === 'league' || options.format === 'swiss') list.splice(1, 0, lang.t('tour.fact.rounds', { n: options.rounds }));
  if (options.format === 'arena') list.splice(1, 0, lang.t('tour.fact.arena', { n: options.arena_minutes }));
  if (options.minutes) list.push(lang.t('limit.minutes', { n: options.minutes }));
  list.push(lang.t(`goal.${options.goal}`));
  return list;
}

/**
 * What happens with those who come late, as the lobby shows it (T6).
 * @param {Language} lang
 * @param {TournamentOptions} options
 * @returns {string[]} sentences
 */
export function lateRules(lang, options) {
  const rules = [lang.t('tour.rule.clock')];
  rules.push(options.absent_s ? lang.t('tour.rule.absent', { n: options.absent_s }) : lang.t('tour.rule.never_absent'));
  if (!takesLate(options.format)) rules.push(lang.t('tour.rule.no_late'));
  else rules.push(options.late_round ? lang.t('tour.rule.late', { n: options.late_round }) : lang.t('tour.rule.none_late'));
  if (options.format === 'arena') rules.push(lang.t(options.late_counts ? 'tour.rule.arena_counts' : 'tour.rule.arena_not'));
  return rules;
}

/**
 * What an edit did, in a sentence.
 * @param {Language} lang
 * @param {Edit} edit
 * @param {(entrant: string) => string} nameOf
 */
export function editText(lang, edit, nameOf) {
  const { what, key, after, before } = edit;
  const n = Number(after);
  switch (what) {
    case 'status':
      return lang.t(`tour.edit.status.${after}`, { name: nameOf(key) });
    case 'points':
      return lang.t('tour.edit.points', { name: nameOf(key), points: lang.signed(n - Number(before)), n: n - Number(before) });
    case 'seed':
      return n ? lang.t('tour.edit.seed', { name: nameOf(key), seed: n }) : lang.t('tour.edit.seed_lot', { name: nameOf(key) });
    case 'extra_ms':
      return lang.t('tour.edit.extra', { n: Number(key), time: lang.signed(Math.round((n - Number(before)) / 1000)) });
    case 'start_ms':
      return n > 0 ? lang.t('tour.edit.start', { time: timeOfDay(lang, n) }) : lang.t('tour.edit.start_none');
    case 'break_ms':
      return n >= 0 ? lang.t('tour.edit.break', { n: Math.round(n / 1000) }) : lang.t('tour.edit.break_usual');
    case 'check_in_ms':
      return lang.t(n > 0 ? 'tour.edit.check_in' : 'tour.edit.check_in_none');
    case 'paused':
    case 'ending':
      return lang.t(`tour.edit.${what}.${n ? 1 : 0}`);
    default:
      return lang.t(`tour.edit.${what}`, { n });
  }
}

/** @param {Language} lang @param {number} ms @returns {string} the time of the day, with the date when it is another day */
export function timeOfDay(lang, ms) {
  const at = new Date(ms);
  const today = new Date().toDateString() === at.toDateString();
  return new Intl.DateTimeFormat(lang.tag, today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
