/**
 * The form of a room: what is played, how, and by how many.
 *
 * Lives here: the fields of `RoomOptions` and the page that creates a room. Does not live here:
 * which values the server allows (`server/core/options.py` is asked by sending).
 */

import { DealCodeError, isCertifiable, parseDealCode } from '../deal.js';
import { h } from '../dom.js';
import { gameName, gameParts } from '../phrases.js';
import { button, page } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { DealCode } from '../deal.js' */
/** @import { RoomOptions } from '../wire.gen.js' */

const MINUTES = Object.freeze([3, 5, 10, 15, 20, 30, 60, 0]);
const SEATS = Object.freeze([1, 2, 3, 4, 5, 6, 7, 8]);
const BEST_OF = Object.freeze([1, 3, 5]);
const BOTS = Object.freeze([0, 1, 2, 3]);
const LEVELS = Object.freeze([1, 2, 3]);

/**
 * A choice among a few, as radios in a row.
 * @template {string | number} T
 * @param {string} name
 * @param {string} legend
 * @param {readonly T[]} values
 * @param {T} value
 * @param {(value: T) => string} label
 * @param {(value: T) => void} choose
 * @returns {VNode}
 */
export function choice(name, legend, values, value, label, choose) {
  // Words that a phone has no room for in one row stand in two even ones
  const long = values.length > 4 && values.some((one) => label(one).length > 2);
  return h('fieldset.field', { key: name },
    h('legend', null, legend),
    h('div.seg', { class: long ? `seg--${Math.ceil(values.length / 2)}` : null }, values.map((one) => h('label', { key: String(one) },
      h('input', { type: 'radio', name, value: String(one), checked: one === value, on: { change: () => choose(one) } }),
      label(one)))));
}

/**
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => void} change
 * @param {{[attribute: string]: any}} [more] attributes
 * @returns {VNode}
 */
export function toggle(label, on, change, more = {}) {
  return h('label.switch', null, label,
    h('input', { ...more, type: 'checkbox', role: 'switch', checked: on, on: { change: (event) => change(event.target.checked) } }));
}

/**
 * A ruleset from its parts; what the family does not have falls back to what it has.
 * @param {string} family
 * @param {number} draw
 * @param {boolean} vegas
 */
export function rulesetOf(family, draw, vegas) {
  if (family === 'SS1') return `SS1-D${draw}N`;
  return `DS1-D${draw === 2 ? 1 : draw}${vegas ? 'V' : 'N'}`;
}

/** @param {App} app @param {Partial<RoomOptions>} change */
function edit(app, change) {
  app.set({ form: { ...app.ui.form, options: { ...app.ui.form.options, ...change } } });
}

/** @param {App} app @returns {VNode[]} which game, how many cards a draw, which scoring */
function gameFields(app) {
  const { family, draw, vegas } = gameParts(app.ui.form.options.ruleset);
  const set = (/** @type {string} */ f, /** @type {number} */ d, /** @type {boolean} */ v) => edit(app, { ruleset: rulesetOf(f, d, v) });
  const fields = [
    choice('family', app.t('form.game'), ['DS1', 'SS1'], family, (id) => app.t(`game_long.${id}`), (id) => set(id, draw, vegas)),
    choice('draw', app.t('form.draw'), family === 'SS1' ? [1, 2, 3] : [1, 3], draw, (n) => app.t(`form.draw.${n}`), (n) => set(family, n, vegas)),
  ];
  if (family === 'DS1') {
    fields.push(choice('scoring', app.t('form.scoring'), ['N', 'V'], vegas ? 'V' : 'N', (id) => app.t(`scoring.${id}`), (id) => set(family, draw, id === 'V')));
  }
  return fields;
}

/** @param {App} app @returns {VNode[]} */
export function optionFields(app) {
  const { options } = app.ui.form;
  const taken = Object.keys(app.state.room?.seats ?? {}).map(Number);
  const least = app.ui.dialog === 'options' ? Math.max(0, ...taken) + 1 : 1;
  return [
    ...gameFields(app),
    choice('goal', app.t('form.goal'), ['first', 'score'], options.goal, (id) => app.t(`goal.${id}`), (goal) => edit(app, { goal })),
    choice('minutes', app.t('form.minutes'), MINUTES, options.minutes, (n) => app.t(n ? 'limit.minutes' : 'limit.none', { n }), (minutes) => edit(app, { minutes })),
    choice('seats', app.t('form.seats'), SEATS.filter((n) => n >= least), options.seats, (n) => app.lang.number(n), (seats) => edit(app, { seats })),
    choice('best_of', app.t('form.best_of'), BEST_OF, options.best_of, (n) => app.t(`best_of.${n}`), (best_of) => edit(app, { best_of })),
    choice('undo', app.t('form.undo'), ['all', 'hidden', 'none'], options.undo, (id) => app.t(`undo.${id}`), (undo) => edit(app, { undo })),
    h('div.field', { key: 'switches' },
      toggle(app.t('form.hints'), options.hints, (hints) => edit(app, { hints })),
      toggle(app.t('form.public'), options.public, (isPublic) => edit(app, { public: isPublic })),
      certifiedField(app)),
    codeField(app),
  ];
}

/** Ruling 24: a game without certified deals says so, and so does a given one. @param {App} app */
function certifiedField(app) {
  const { ruleset, code, certified } = app.ui.form.options;
  if (code || !isCertifiable(ruleset)) return h('p.small.muted', { key: 'uncertified' }, app.t(code ? 'fact.given' : 'fact.uncertified'));
  return toggle(app.t('form.certified'), certified, (on) => edit(app, { certified: on }));
}

/** A deal that is given; what is wrong with a typed code is said under it (R10.3). @param {App} app */
function codeField(app) {
  const { code, ruleset } = app.ui.form.options;
  const read = code.trim() ? readCode(code) : null;
  const help = read === null
    ? app.t('form.code_help')
    : 'ruleset' in read ? app.t('form.code_ok', { game: gameName(app.lang, ruleset) }) : app.t(`form.code.${read.code}`, { found: read.found });
  const bad = read !== null && 'found' in read;
  return h('div.field', { key: 'code' },
    h('label', { for: 'deal-code' }, app.t('form.code')),
    h('input.input.code', {
      id: 'deal-code', maxlength: '40', placeholder: 'DS1-D1N-AAAAAAB', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'characters',
      value: code, 'aria-describedby': 'deal-code-help', 'aria-invalid': bad ? 'true' : null, on: { input: (event) => typeCode(app, event.target.value) },
    }),
    h('p.small', { id: 'deal-code-help', class: bad ? 'bad' : 'muted' }, help));
}

/** A code brings its game along. @param {App} app @param {string} code */
function typeCode(app, code) {
  const read = code.trim() ? readCode(code) : null;
  edit(app, read && 'ruleset' in read ? { code, ruleset: read.ruleset } : { code });
}

/** @param {string} text @returns {DealCode | DealCodeError} */
function readCode(text) {
  try {
    return parseDealCode(text);
  } catch (error) {
    if (error instanceof DealCodeError) return error;
    throw error;
  }
}

/** @param {App} app @returns {VNode[]} who fills the seats until people come */
function botFields(app) {
  const { form } = app.ui;
  const most = Math.min(3, form.options.seats - 1);
  const fields = [choice('bots', app.t('form.bots'), BOTS.filter((n) => n <= most), Math.min(form.bots, most), (n) => app.lang.number(n),
    (bots) => app.set({ form: { ...app.ui.form, bots } }))];
  if (Math.min(form.bots, most) > 0) {
    fields.push(choice('level', app.t('form.level'), LEVELS, form.level, (n) => app.t(`bot.level.${n}`), (level) => app.set({ form: { ...app.ui.form, level } })));
  }
  return most > 0 ? fields : [];
}

/** Whether one races alone now, for others to race the recording later. @param {App} app */
function challengeField(app) {
  const { form } = app.ui;
  return h('div.field', { key: 'challenge' },
    toggle(app.t('form.challenge'), form.challenge, (challenge) => app.set({ form: { ...form, challenge } })),
    h('p.small.muted', null, app.t('form.challenge_help')));
}

/** What a challenge does not ask for. */
const FOR_SEVERAL = Object.freeze(['seats', 'best_of', 'code']);

/** @param {App} app @returns {VNode[]} */
function roomFields(app) {
  if (!app.ui.form.challenge) return [...optionFields(app), ...botFields(app)];
  return optionFields(app).filter(({ props }) => !FOR_SEVERAL.includes(props.key ?? ''));
}

/** @param {App} app @returns {VNode[]} */
export function create(app) {
  return page(app, h('div.sheet.sheet--page', { key: 'create' },
    h('h1', { tabindex: '-1' }, app.t('create.title')),
    h('form.stack.stack--wide', { on: { submit: (event) => { event.preventDefault(); void app.act.createRoom(); } } },
      challengeField(app), roomFields(app),
      h('div.go', null, h('button.btn.btn--gold.btn--big', { type: 'submit', disabled: app.ui.busy === 'create' }, app.t(app.ui.form.challenge ? 'create.challenge' : 'create.go'))))));
}
