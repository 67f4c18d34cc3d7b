/**
 * The running heats as a host sees them, and who has not appeared.
 */

import { h } from '../../dom.js';
import { gameParts } from '../../phrases.js';
import { roundName } from '../../tournament/model.js';
import { mark } from '../frame.js';
import { does, liveHeats, names } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { HeatOf, HeatRow, LiveRow, RoundOf, Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

const SHOWN = 32;
const ROWS = 12;
/** A host is told of somebody who is not there once the race has run for this long. */
const MISSED_MS = 5000;

/** Who has not come to their heat, with what a host can do. @param {App} app @param {TournamentInfo} info @param {Whole} whole */
export function missing(app, info, whole) {
  const name = names(app, whole);
  const absentMs = info.options.absent_s * 1000;
  const found = whole.rounds.filter((round) => round.open && app.now() - round.gun_ms > MISSED_MS).flatMap((round) => {
    const live = liveHeats(app, info.code);
    return round.heats.filter((heat) => heat.open).flatMap((heat) => (live.get(heat.room)?.rows ?? []).filter((row) => row.there === 'never' && !row.ended).map((row) => ({ row, round })));
  });
  return h('div.stack', { key: 'missing', role: 'status' }, found.slice(0, 6).map(({ row, round }) => {
    const left = round.gun_ms + absentMs - app.now();
    return h('p.alert', { key: row.entrant }, mark('clock'),
      h('span.grow', null, h('b', null, app.t('tour.missing', { name: name(row.entrant) })), ' ',
        absentMs === 0 ? app.t('tour.missing_waits') : app.t('tour.missing_until', { time: app.lang.clock(Math.max(0, left)) })),
      does(app, info, 'absent', app.t('tour.do.absent_now'), { key: row.entrant, aria: app.t('tour.do.absent_of', { name: name(row.entrant) }) }));
  }));
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole */
export function heatsPanel(app, info, whole) {
  const open = whole.rounds.filter((round) => round.open);
  const round = open[open.length - 1];
  if (!round) return null;
  const live = liveHeats(app, info.code);
  const heats = open.flatMap((one) => one.heats.map((heat) => ({ heat, one }))).slice(0, SHOWN);
  return h('section.panel', { key: 'live' },
    h('h2', null, app.t('tour.live', { round: roundName(app.lang, info, round, round.round) })),
    h('div.heats', null, heats.map(({ heat, one }, at) => card(app, info, whole, one, heat, at, live.get(heat.room)?.rows ?? []))));
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @param {RoundOf} round @param {HeatOf} heat @param {number} at @param {LiveRow[]} live */
function card(app, info, whole, round, heat, at, live) {
  const away = live.filter((row) => (row.there === 'never' || row.there === 'away') && !row.ended).length;
  const state = !heat.open ? ['tour.heat_done', 'chip--ok'] : away && app.now() > round.gun_ms ? ['tour.heat_away', 'chip--warn'] : ['tour.heat_live', ''];
  const rows = lines(info, heat, live);
  return h('section.heat', { key: heat.room },
    h('h3', null, app.t('tour.heat', { n: at + 1 }), h('span.chip', { class: state[1] || null }, app.t(state[0] ?? '', { n: away }))),
    h('ol', null, rows.slice(0, ROWS).map((row) => line(app, info, whole, row))),
    rows.length > ROWS && h('p.small.muted', null, app.t('tour.rows_more', { n: rows.length - ROWS })),
    heat.open && h('a.small', { href: `/r/${heat.room}`, 'aria-label': app.t('tour.watch_of', { n: at + 1 }) }, app.t('tour.watch')));
}

/** @typedef {{entrant: string, place: number, value: number, there: string}} Line 0: there is no order yet */

/** Rows of a heat, best first: as they end, or as they are. @param {TournamentInfo} info @param {HeatOf} heat @param {LiveRow[]} live @returns {Line[]} */
function lines(info, heat, live) {
  const score = info.options.goal === 'score';
  const value = (/** @type {LiveRow | HeatRow} */ row) => (score ? row.score : row.out);
  if (heat.rows.length) return [...heat.rows].sort((a, b) => a.place - b.place).map((row) => ({ entrant: row.entrant, place: row.place, value: value(row), there: 'yes' }));
  const started = live.some((row) => row.moves > 0 || row.out > 0 || row.ended);
  const place = (/** @type {LiveRow} */ row) => (started ? 1 + live.filter((other) => value(other) > value(row)).length : 0);
  if (live.length) return [...live].sort((a, b) => value(b) - value(a)).map((row) => ({ entrant: row.entrant, place: place(row), value: value(row), there: row.there }));
  return heat.entrants.map((entrant) => ({ entrant, place: 0, value: 0, there: '' }));
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @param {Line} row */
function line(app, info, whole, row) {
  const name = names(app, whole)(row.entrant);
  const { cards, vegas } = gameParts(info.options.ruleset);
  const score = info.options.goal === 'score';
  const shown = score ? app.lang.score(row.value, vegas) : app.lang.number(row.value);
  return h('li', { key: row.entrant },
    h('span', { 'aria-hidden': 'true' }, app.lang.place(row.place)),
    h('span.n', null, h('span', { translate: 'no' }, name), (row.there === 'away' || row.there === 'never') && h('span.off', null, mark('off'), h('span.sr', null, app.t(`tour.there.${row.there}`)))),
    score ? h('span', null) : h('progress', { max: cards, value: row.value, 'aria-label': app.t('cards', { n: row.value }) }),
    h('b.num', null, shown));
}
