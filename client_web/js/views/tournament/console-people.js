/**
 * Who takes part, with what a host can do about each.
 */

import { h } from '../../dom.js';
import { knockedOut } from '../../tournament/model.js';
import { button } from '../frame.js';
import { field } from './controls.js';
import { does, names, tour } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { Entrant, Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

const SHOWN = 100;
const MOST_POINTS = 10_000;
/** What can be done about whom, by how they stand. */
const DROPS = Object.freeze(['in', 'absent', 'waiting']);
const RESTORES = Object.freeze(['dropped', 'out', 'unchecked', 'absent', 'waiting']);

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole */
export function peoplePanel(app, info, whole) {
  const points = new Map(whole.standings.map((row) => [row.entrant, row.points]));
  const search = (app.ui.tour.typed?.search ?? '').trim().toLocaleLowerCase(app.lang.tag);
  const name = names(app, whole);
  const fits = whole.entrants.filter((one) => name(one.entrant).toLocaleLowerCase(app.lang.tag).includes(search));
  return h('section.panel', { key: 'people' },
    h('h2', null, app.t('tour.people', { n: whole.entrants.length })),
    whole.entrants.length === 0 && h('p.muted', null, app.t('tour.people_none')),
    whole.entrants.length > 12 && h('label.field', { key: 'search' }, h('span.small', null, app.t('tour.search')),
      h('input.input', { type: 'search', value: app.ui.tour.typed?.search ?? '', on: { input: (event) => tour(app).type('search', event.target.value) } })),
    whole.entrants.length > 0 && h('ul.people', null, fits.slice(0, SHOWN).map((one) => person(app, info, whole, one, name(one.entrant), points.get(one.entrant) ?? 0))),
    fits.length > SHOWN && h('p.small.muted', null, app.t('tour.people_more', { n: fits.length - SHOWN })));
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @param {Entrant} one @param {string} name @param {number} points */
function person(app, info, whole, one, name, points) {
  const state = stateOf(info, whole, one);
  const open = app.ui.tour.about === one.entrant;
  const bad = ['absent', 'dropped', 'unchecked', 'out'].includes(state);
  return h('li', { key: one.entrant },
    h('div.people__row', null,
      h('span.grow', null, h('b', { translate: one.bot ? null : 'no' }, name), one.tag && h('span.tag', { translate: 'no' }, ` #${one.tag}`)),
      h('span.chip', { class: bad ? 'chip--warn' : state === 'racing' ? 'chip--ok' : null }, app.t(`tour.status.${state}`)),
      h('span.num', null, app.t('points', { n: points })),
      button(app, { cls: 'btn--quiet btn--small', 'aria-expanded': String(open), 'aria-label': app.t(open ? 'tour.close_of' : 'tour.about_of', { name }), click: () => tour(app).set({ about: open ? '' : one.entrant, bad: '' }) }, app.t(open ? 'tour.close' : 'tour.change'))),
    open && h('div.people__more', null,
      h('div.row', null,
        DROPS.includes(one.status) && does(app, info, 'drop', app.t('tour.do.drop'), { key: one.entrant, cls: 'btn--bad btn--small' }),
        RESTORES.includes(one.status) && does(app, info, 'restore', app.t('tour.do.restore'), { key: one.entrant, cls: 'btn--small' }),
        one.status === 'in' && does(app, info, 'absent', app.t('tour.do.absent'), { key: one.entrant, cls: 'btn--small' })),
      field(app, 'points', app.t('tour.do.points'), 'number', app.t('tour.do.give'), () => tour(app).hostTyped(info.code, 'points', 'points', [-MOST_POINTS, MOST_POINTS], one.entrant)),
      whole.rounds.length === 0 && field(app, 'seed', app.t('tour.do.seed', { n: one.seed }), 'number', app.t('tour.do.set'), () => tour(app).hostTyped(info.code, 'seed', 'seed', [0, whole.entrants.length], one.entrant))));
}

/** How an entrant stands, in the words that a host tells apart. @param {TournamentInfo} info @param {Whole} whole @param {Entrant} one */
function stateOf(info, whole, one) {
  if (one.status !== 'in') return one.status;
  const last = whole.rounds[whole.rounds.length - 1];
  if (knockedOut(info, whole.rounds, one.entrant)) return 'beaten';
  if (whole.rounds.some((round) => round.open && round.heats.some((heat) => heat.open && heat.entrants.includes(one.entrant)))) return 'racing';
  if (last?.open && last.byes.includes(one.entrant)) return 'bye';
  if (last?.open && info.options.format !== 'arena' && !last.heats.some((heat) => heat.entrants.includes(one.entrant))) return 'late';
  if (last?.open && info.options.format !== 'arena') return 'done';
  if (info.phase === 'check_in') return one.checked ? 'checked' : 'to_check';
  return 'in';
}
