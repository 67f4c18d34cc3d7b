/**
 * The standings of a tournament: places, points, what told equals apart, and the rules for that.
 */

import { h } from '../../dom.js';
import { initials } from '../../phrases.js';
import { podiumOf, tieValue } from '../../tournament/model.js';
import { seatMark } from '../frame.js';
import { names } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { Children } from '../../dom.js' */
/** @import { Standing, Whole } from '../../tournament/model.js' */

/** So many rows are shown at first; one's own is always among them. */
const SHORT = 40;
/** So many names are shown before the first round. */
const FIELD = 120;

/** @param {App} app @param {Whole} whole */
export function standingsPanel(app, whole) {
  const rows = whole.standings;
  const me = app.state.me?.player;
  const shown = rows.filter((row, at) => at < SHORT || row.entrant === me);
  return h('section.panel', { key: 'standings' },
    h('h2', null, app.t('tour.standings')),
    whole.rounds.length === 0 ? [h('p.muted', { key: 'none' }, app.t('tour.standings_none')), field(app, whole)] : table(app, whole, shown),
    rows.length > shown.length && h('p.small.muted', null, app.t('tour.standings_more', { n: rows.length - shown.length })),
    tieRules(app, whole));
}

/** @param {App} app @param {Whole} whole @param {readonly Standing[]} shown */
function table(app, whole, shown) {
  const me = app.state.me?.player;
  const name = names(app, whole);
  const deepest = Math.max(0, ...whole.standings.map((row) => row.values.length));
  const columns = whole.tie_breaks.slice(0, deepest);
  return h('div.scrollx', { key: 'table', tabindex: '0', role: 'region', 'aria-label': app.t('tour.standings') }, h('table.tbl', null,
    h('thead', null, h('tr', null,
      h('th', { scope: 'col' }, app.t('result.place')), h('th', { scope: 'col' }, app.t('result.player')), h('th.num', { scope: 'col' }, app.t('tour.points')),
      columns.map((one) => h('th.num', { scope: 'col', key: one.id }, app.t(`tour.tie.${one.id}`))))),
    h('tbody', null, shown.map((row) => h('tr', { key: row.entrant, class: row.entrant === me ? 'is-me' : null },
      h('td.place', null, app.lang.place(row.place)),
      h('td', null, h('span', { translate: row.bot ? null : 'no' }, name(row.entrant)), why(app, row), gone(app, row)),
      h('td.num', null, app.lang.number(row.points)),
      columns.map((one, at) => h('td.num', { key: one.id }, at < row.values.length ? tieValue(app.lang, one.id, row.values[at] ?? 0) : '')))))));
}

/** Who is there before anybody has raced. @param {App} app @param {Whole} whole */
function field(app, whole) {
  const name = names(app, whole);
  const me = app.state.me?.player;
  return whole.entrants.length > 0 && h('ul.field-list', { key: 'field' },
    whole.entrants.slice(0, FIELD).map((one) => h('li.chip', { key: one.entrant, class: one.entrant === me ? 'is-me' : null, translate: one.bot ? null : 'no' }, name(one.entrant))),
    whole.entrants.length > FIELD && h('li.muted', { key: 'more' }, app.t('tour.standings_more', { n: whole.entrants.length - FIELD })));
}

/** What put a row behind the one before, where that is not the points. @param {App} app @param {Standing} row */
function why(app, row) {
  if (row.place === 0 || row.decided_by === 'first' || row.decided_by === 'points') return null;
  return h('span.block.muted.small', null, app.t(row.decided_by === 'tie' ? 'tour.shared' : 'tour.by', row.decided_by === 'tie' ? {} : { rule: app.t(`tour.tie.${row.decided_by}`) }));
}

/** @param {App} app @param {Standing} row @returns {Children} */
function gone(app, row) {
  return row.status !== 'in' && h('span', null, ' ', h('span.chip.chip--warn', null, app.t(`tour.status.${row.status}`)));
}

/** How equals are told apart, in the order in which it is asked. @param {App} app @param {Whole} whole */
function tieRules(app, whole) {
  return h('details.more', null,
    h('summary', null, app.t('tour.ties')),
    h('ol.ties', null, whole.tie_breaks.map((one) => h('li', { key: one.id },
      h('b', null, app.t(`tour.tie.${one.id}`)), ' ', app.t(`tour.rule_of.${one.id}`), ' ',
      one.link && h('a', { href: one.link, target: '_blank', rel: 'noopener' }, app.t('tour.rule_link', { rule: app.t(`tour.tie.${one.id}`) }))))),
    h('p.small.muted', null, app.t('tour.ties_end')));
}

/** The first three on their steps. @param {App} app @param {Whole} whole */
export function podium(app, whole) {
  const [first, second, third] = podiumOf(whole);
  if (first === undefined) return null;
  const name = names(app, whole);
  const winners = whole.standings.filter((row) => row.place === 1).map((row) => name(row.entrant));
  return h('section.stage.on-felt', { key: 'podium' },
    h('h2.stage__title', null, app.t(winners.length > 1 ? 'tour.winners' : 'tour.winner', { name: app.lang.list(winners) })),
    h('p.sub', null, app.t('tour.podium_sub', { n: whole.entrants.length })),
    h('ol.podium', null, [second, first, third].filter((row) => row !== undefined).map((row) => h('li', { key: row.entrant, 'data-place': row.place },
      seatMark(initials(app.lang, name(row.entrant)), row.entrant === app.state.me?.player ? 1 : row.bot ? 8 : 2 + (row.place % 6)),
      h('b', { translate: row.bot ? null : 'no' }, name(row.entrant)),
      h('span.v', null, app.t('points', { n: row.points })),
      h('span', { class: `step-${Math.min(3, row.place)}` }, app.lang.number(row.place))))));
}
