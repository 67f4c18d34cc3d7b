/**
 * A tournament as its hosts see it: what needs a decision, the running heats, the players, every power.
 *
 * Lives here: the page and its right-hand side. Does not live here: heats (`console-heats.js`), players
 * (`console-people.js`), edits and co-hosts (`console-log.js`).
 */

import { h } from '../../dom.js';
import { roundName, timeOfDay } from '../../tournament/model.js';
import { mark, page } from '../frame.js';
import { heatsPanel, missing } from './console-heats.js';
import { editsPanel, hostsPanel } from './console-log.js';
import { peoplePanel } from './console-people.js';
import { controls } from './controls.js';
import { announcement, comingPage, head, invite, known, tour, unknownPage } from './parts.js';
import { podium, standingsPanel } from './standings.js';

/** @import { App } from '../../app.js' */
/** @import { VNode } from '../../dom.js' */
/** @import { Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

/** @param {App} app @param {string} code @param {boolean} unknown @returns {VNode[]} */
export function hostConsole(app, code, unknown) {
  const act = tour(app);
  if (window.location.hash && act.adopt(code, window.location.hash)) window.history.replaceState(null, '', window.location.pathname);
  const found = known(app, code);
  if (unknown || (!found && app.pull.at(`/api/tournament/${code}`, 3000).fault === '404')) return unknownPage(app, code);
  if (!act.tokenOf(code) || act.worthless.has(code)) return locked(app, code);
  if (!found) return comingPage(app, code);
  if (app.ui.tour.hosts === undefined && app.state.status.phase === 'open') {
    app.ui.tour = { ...app.ui.tour, hosts: null };
    void act.listHosts(code);
  }
  const { info, whole } = found;
  return page(app, [
    head(app, info, [
      h('a.btn', { href: `/t/${code}/screen`, target: '_blank' }, mark('tv'), app.t('tour.screen')),
      h('a.btn', { href: `/t/${code}` }, mark('people'), app.t('tour.as_player')),
    ]),
    announcement(app, info),
    info.phase === 'ended' && whole.standings.length > 0 && podium(app, whole),
    h('div.host', { key: 'host' },
      h('div.stack.host__side', { key: 'rounds' }, roundsPanel(app, info, whole), hostsPanel(app, info)),
      h('div.stack.host__main', { key: 'main' }, missing(app, info, whole), heatsPanel(app, info, whole), peoplePanel(app, info, whole), standingsPanel(app, whole), editsPanel(app, info, whole)),
      h('div.stack.host__tools', { key: 'tools' }, controls(app, info, whole), invite(app, info), files(app, info))),
  ]);
}

/** Without a token that is good there is nothing to see here. @param {App} app @param {string} code @returns {VNode[]} */
function locked(app, code) {
  const revoked = tour(app).worthless.has(code);
  return page(app, h('section.plain', { key: 'locked' }, mark('lock'), h('h1', { tabindex: '-1' }, app.t('tour.locked')),
    h('p', null, app.t(revoked ? 'tour.locked_revoked' : 'tour.locked_none')),
    h('div.calls', null, h('a.btn.btn--do.btn--big', { href: `/t/${code}` }, app.t('tour.as_player')), h('a.btn.btn--big', { href: '/t' }, app.t('tour.all')))));
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole */
function roundsPanel(app, info, whole) {
  const coming = Array.from({ length: Math.max(0, info.rounds - whole.rounds.length) }, (_, at) => whole.rounds.length + at + 1);
  const people = (/** @type {Whole['rounds'][number]} */ round) => round.byes.length + round.heats.reduce((sum, heat) => sum + heat.entrants.length, 0);
  return h('section.panel', { key: 'rounds' },
    h('h2', null, app.t('tour.rounds')),
    whole.rounds.length + coming.length === 0 && h('p.muted', null, app.t('tour.rounds_none')),
    h('ol.roundline', null,
      whole.rounds.map((round) => h('li', { key: String(round.round), class: round.open ? 'live' : 'done' },
        h('span.dot', { 'aria-hidden': 'true' }, app.lang.number(round.round)),
        h('div', null, h('b', null, roundName(app.lang, info, round, round.round)),
          h('span.block.small.muted', null, round.open ? app.t('tour.round.running', { time: timeOfDay(app.lang, round.deadline_ms) }) : app.t('tour.round.people', { n: people(round), heats: round.heats.length }))))),
      coming.map((number) => h('li', { key: String(number) }, h('span.dot', { 'aria-hidden': 'true' }, app.lang.number(number)),
        h('div', null, h('b', null, app.t('tour.round.n', { n: number })), h('span.block.small.muted', null, app.t('tour.round.coming')))))));
}

/** Everything to take away. @param {App} app @param {TournamentInfo} info */
function files(app, info) {
  const base = `/api/tournament/${info.code}`;
  const link = (/** @type {string} */ path, /** @type {string} */ key) => h('li', { key }, h('a', { href: path, target: '_blank', download: key === 'print' ? null : '' }, app.t(`tour.file.${key}`)));
  return h('section.panel', { key: 'files' }, h('h2', null, app.t('tour.files')),
    h('ul.files', null, link(`/t/${info.code}/print`, 'print'), link(`${base}.csv`, 'csv'), link(`${base}.heats.csv`, 'heats'), link(base, 'json')));
}
