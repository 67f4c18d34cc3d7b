/**
 * The rounds of a tournament: as a list with their heats and replays, and as a bracket for a cup.
 */

import { h } from '../../dom.js';
import { roundName, wentOn } from '../../tournament/model.js';
import { mark } from '../frame.js';
import { names } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { HeatOf, HeatRow, RoundOf, Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

/** So many heats of a round are listed; the files have them all. */
const SHOWN = 24;
/** So many rows of a heat: everybody of a league is in one. */
const ROWS = 12;

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole */
export function roundsPanel(app, info, whole) {
  if (whole.rounds.length === 0) return null;
  const last = whole.rounds.length;
  return h('section.panel', { key: 'rounds' },
    h('h2', null, app.t('tour.rounds')),
    [...whole.rounds].reverse().map((round) => h('details.round', { key: String(round.round), open: round.round === last },
      h('summary', null, h('b', null, roundName(app.lang, info, round, round.round)), ' ', h('span.small.muted', null, roundState(app, round))),
      h('div.heatgrid', { class: round.heats.length > 1 ? 'heatgrid--many' : null }, round.heats.slice(0, SHOWN).map((heat, at) => heatBlock(app, info, whole, round, heat, at))),
      round.heats.length > SHOWN && h('p.small.muted', null, app.t('tour.heats_more', { n: round.heats.length - SHOWN })),
      byes(app, whole, round))));
}

/** @param {App} app @param {RoundOf} round */
function roundState(app, round) {
  const done = round.heats.filter((heat) => !heat.open).length;
  if (!round.open) return app.t('tour.round.closed');
  return app.t('tour.round.open', { done, n: round.heats.length });
}

/** @param {App} app @param {Whole} whole @param {RoundOf} round */
function byes(app, whole, round) {
  const name = names(app, whole);
  return round.byes.length > 0 && h('p.small', { key: 'byes' }, app.t('tour.byes', { names: app.lang.list(round.byes.map(name)) }));
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @param {RoundOf} round @param {HeatOf} heat @param {number} at */
function heatBlock(app, info, whole, round, heat, at) {
  const name = names(app, whole);
  const label = app.t('tour.heat', { n: at + 1 });
  const many = round.heats.length > 1;
  const rows = heat.rows.length ? heat.rows : heat.entrants.map((entrant) => ({ entrant, place: 0 }));
  return h('div.heatrow', { key: heat.room },
    many && h('h3', null, label),
    heat.rows.length === 0 && !heat.open && h('p.small.muted', null, app.t('tour.given_up')),
    h('ol.heatlist', null, rows.slice(0, ROWS).map((row) => h('li', { key: row.entrant, class: row.entrant === app.state.me?.player ? 'is-me' : null },
      h('span.num', null, app.lang.place(row.place)), h('span.n', { translate: 'no' }, name(row.entrant)),
      'ended' in row && h('span.small.muted', null, result(app, info, /** @type {HeatRow} */ (row))), many && 'ended' in row && inField(app, /** @type {HeatRow} */ (row))))),
    rows.length > ROWS && h('p.small.muted', null, app.t('tour.rows_more', { n: rows.length - ROWS })),
    link(app, round, heat, many ? label : ''));
}

/** @param {App} app @param {TournamentInfo} info @param {HeatRow} row */
function result(app, info, row) {
  if (info.options.goal === 'score') return app.lang.score(row.score, info.options.ruleset.endsWith('V'));
  return row.ended === 'won' ? app.lang.clock(row.at_ms) : app.t('cards', { n: row.out });
}

/** Ruling 26: among all who had the deal, in whichever heat. @param {App} app @param {HeatRow} row */
function inField(app, { percentile }) {
  return typeof percentile === 'number' && percentile >= 0 && h('span.small.muted.field', null, app.t('daily.field_better', { n: percentile }));
}

/** A heat can be watched while it runs, and seen again once the round's deal is open. @param {App} app @param {RoundOf} round @param {HeatOf} heat @param {string} label */
function link(app, round, heat, label) {
  const of = label && `: ${roundLabel(app, round)}, ${label}`;
  if (heat.open) return h('a.btn.btn--small', { href: `/r/${heat.room}`, 'aria-label': app.t('tour.watch') + of }, mark('eye'), app.t('tour.watch'));
  if (!round.code || !heat.heat || heat.rows.length === 0) return heat.rows.length > 0 && h('p.small.muted', null, mark('lock'), ' ', app.t('tour.sealed'));
  return h('a.btn.btn--small', { href: `/replay/${heat.heat}`, 'aria-label': app.t('tour.replay') + of }, mark('play'), app.t('tour.replay'));
}

/** @param {App} app @param {RoundOf} round */
function roundLabel(app, round) {
  return app.t('tour.round.n', { n: round.round });
}

/** Who goes on from where. @param {App} app @param {TournamentInfo} info @param {Whole} whole */
export function bracket(app, info, whole) {
  if (info.options.format !== 'cup' || whole.rounds.length === 0) return null;
  const name = names(app, whole);
  const champion = info.phase === 'ended' ? whole.standings.find((row) => row.place === 1)?.entrant : undefined;
  return h('section.panel', { key: 'bracket' },
    h('h2', null, app.t('tour.bracket')),
    h('div.scrollx', { tabindex: '0', role: 'region', 'aria-label': app.t('tour.bracket') }, h('ol.bracket', null, whole.rounds.map((round, at) => {
      const on = wentOn(whole.rounds, at);
      const last = at === whole.rounds.length - 1;
      return h('li', { key: String(round.round) },
        h('h3', null, roundName(app.lang, info, round, round.round)),
        h('div.bracket__heats', null,
          round.heats.map((heat) => h('ol.bout', { key: heat.room }, bout(heat).map((row) => {
            const through = last ? row.entrant === champion : on.has(row.entrant);
            return h('li', { key: row.entrant, class: [through && 'through', row.entrant === app.state.me?.player && 'is-me'].filter(Boolean).join(' ') || null },
              h('span.n', { translate: 'no' }, name(row.entrant)), through && h('span.mark', null, mark('check'), h('span.sr', null, app.t('tour.through'))),
              row.place > 0 && h('span.num', null, app.lang.number(row.place)));
          }))),
          round.byes.map((entrant) => h('ol.bout.bout--bye', { key: entrant }, h('li.through', null, h('span.n', { translate: 'no' }, name(entrant)), h('span.small', null, app.t('tour.bye')))))));
    }))));
}

/** @param {HeatOf} heat @returns {{entrant: string, place: number}[]} in order of places, or as drawn */
function bout(heat) {
  return heat.rows.length ? [...heat.rows].sort((a, b) => a.place - b.place) : heat.entrants.map((entrant) => ({ entrant, place: 0 }));
}
