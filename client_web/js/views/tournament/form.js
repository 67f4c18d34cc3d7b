/**
 * The form of a new tournament: a format with what suits an evening in a club, and everything else to be changed.
 */

import { h } from '../../dom.js';
import { gameName } from '../../phrases.js';
import { BOUNDS, FIELDS, FORMATS, formOf, keptFields, lateRules, MINUTES, optionsOf, takesLate } from '../../tournament/model.js';
import { page } from '../frame.js';
import { GAMES } from '../home.js';
import { choice, toggle } from '../options.js';
import { tour } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { VNode } from '../../dom.js' */
/** @import { Format, TournamentForm } from '../../tournament/model.js' */

/** @param {App} app @param {Partial<TournamentForm>} change */
function edit(app, change) {
  tour(app).set({ form: { ...current(app), ...change }, bad: '' });
}

/** @param {App} app @returns {TournamentForm} */
function current(app) {
  return app.ui.tour.form ?? formOf('league');
}

/** @param {App} app @returns {VNode[]} */
export function form(app) {
  const now = current(app);
  const { bad } = app.ui.tour;
  return page(app, h('div.sheet.sheet--page', { key: 'tournament' },
    h('h1', { tabindex: '-1' }, app.t('tour.new')),
    h('form.stack.stack--wide', { novalidate: true, on: { submit: (event) => { event.preventDefault(); void tour(app).create(); } } },
      text(app, 'name', 'text', now.name, (name) => edit(app, { name }), { maxlength: '60', autocomplete: 'off', required: true }),
      choice('format', app.t('tour.field.format'), FORMATS, /** @type {Format} */ (now.format), (id) => app.t(`tour.format.${id}`), (id) => tour(app).set({ form: formOf(id, keptFields(now)), bad: '' })),
      h('p.small.muted', { key: `about ${now.format}` }, app.t(`tour.about.${now.format}`)),
      game(app, now), start(app, now), more(app, now),
      h('ul.rules', { key: 'rules' }, lateRules(app.lang, optionsOf(now)).map((rule) => h('li', { key: rule }, rule))),
      bad && h('p.bad', { key: 'bad', role: 'alert' }, app.t(`tour.bad.${bad}`)),
      h('div.go', { key: 'go' }, h('button.btn.btn--gold.btn--big', { type: 'submit', disabled: app.ui.busy === 'create' }, app.t('tour.create'))))));
}

/** What is raced. @param {App} app @param {TournamentForm} now @returns {VNode[]} */
function game(app, now) {
  return [
    h('div.field', { key: 'ruleset' }, h('label', { for: 'tour-ruleset' }, app.t('form.game')),
      h('select.input', { id: 'tour-ruleset', on: { change: (event) => edit(app, { ruleset: event.target.value }) } },
        GAMES.map((id) => h('option', { value: id, selected: id === now.ruleset }, gameName(app.lang, id))))),
    choice('goal', app.t('form.goal'), ['first', 'score'], now.goal, (id) => app.t(`goal.${id}`), (goal) => edit(app, { goal })),
    choice('minutes', app.t('form.minutes'), MINUTES, now.minutes, (n) => app.t('limit.minutes', { n }), (minutes) => edit(app, { minutes })),
    h('div.pairs', { key: 'numbers' }, (FIELDS[/** @type {Format} */ (now.format)] ?? []).map((field) => number(app, now, field))),
    ...(now.format === 'league' ? [choice('points', app.t('tour.field.points'), ['place', 'score'], now.points, (id) => app.t(`tour.points_by.${id}`), (points) => edit(app, { points }))] : []),
  ];
}

/** When it starts. @param {App} app @param {TournamentForm} now @returns {VNode[]} */
function start(app, now) {
  return [
    choice('start', app.t('tour.field.start'), /** @type {const} */ (['host', 'time']), now.start, (id) => app.t(`tour.start.${id}`), (when) => edit(app, { start: when })),
    ...(now.start === 'time' ? [
      text(app, 'at', 'datetime-local', now.at, (at) => edit(app, { at })),
      number(app, now, 'check_in_s'),
    ] : []),
  ];
}

/** What need not be looked at. @param {App} app @param {TournamentForm} now */
function more(app, now) {
  return h('details.more', { key: 'more' },
    h('summary', null, app.t('tour.more')),
    h('div.stack.stack--wide', null,
      choice('undo', app.t('form.undo'), ['all', 'hidden', 'none'], now.undo, (id) => app.t(`undo.${id}`), (undo) => edit(app, { undo })),
      h('div.field', { key: 'switches' },
        toggle(app.t('form.hints'), now.hints, (hints) => edit(app, { hints })),
        toggle(app.t('tour.field.public'), now.public, (listed) => edit(app, { public: listed })),
        now.format === 'arena' && toggle(app.t('tour.field.late_counts'), now.late_counts, (counts) => edit(app, { late_counts: counts }))),
      h('div.pairs', { key: 'numbers' },
        takesLate(now.format) && number(app, now, 'late_round'), number(app, now, 'break_s'), number(app, now, 'absent_s'), number(app, now, 'places'))));
}

/** @param {App} app @param {TournamentForm} now @param {string} field */
function number(app, now, field) {
  const [min, max] = BOUNDS[field] ?? [0, 0];
  const value = /** @type {any} */ (now)[field];
  return text(app, field, 'number', String(value), (typed) => edit(app, { [field]: typed.trim() === '' ? NaN : Number(typed) }), { min, max, inputmode: 'numeric' });
}

/** @param {App} app @param {string} field @param {string} type @param {string} value @param {(text: string) => void} change @param {{[attribute: string]: any}} [attributes] */
function text(app, field, type, value, change, attributes = {}) {
  const id = `tour-${field}`;
  const bad = app.ui.tour.bad === field;
  return h('div.field', { key: field }, h('label', { for: id }, app.t(`tour.field.${field}`)),
    h('input.input', { id, type, value, 'aria-invalid': bad ? 'true' : null, on: { input: (event) => change(event.target.value) }, ...attributes }));
}
