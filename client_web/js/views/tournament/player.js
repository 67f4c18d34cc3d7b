/**
 * A tournament as its players see it: how one stands, when it goes on, standings, bracket, rounds.
 */

import { h } from '../../dom.js';
import { knockedOut, lateRules, standingOf } from '../../tournament/model.js';
import { button, mark, page } from '../frame.js';
import { toggle } from '../options.js';
import { announcement, comingPage, countdown, head, invite, known, sure, tour, unknownPage } from './parts.js';
import { bracket, roundsPanel } from './rounds.js';
import { podium, standingsPanel } from './standings.js';

/** @import { App } from '../../app.js' */
/** @import { Children, VNode } from '../../dom.js' */
/** @import { Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo, TournamentYou } from '../../wire.gen.js' */

/** Whoever stands like this may come in, or come back. */
const ENTERS = Object.freeze(['none', 'out', 'unchecked']);
/** Whoever stands like this may withdraw. */
const LEAVES = Object.freeze(['check', 'checked', 'in', 'done', 'bye', 'late', 'waiting', 'absent']);

/** @param {App} app @param {string} code @param {boolean} unknown @returns {VNode[]} */
export function player(app, code, unknown) {
  const found = known(app, code);
  if (unknown || (!found && app.pull.at(`/api/tournament/${code}`, 3000).fault === '404')) return unknownPage(app, code);
  if (!found) return comingPage(app, code);
  const { info, whole } = found;
  const you = app.state.tournament?.code === code ? app.state.tournament.you : null;
  const ended = info.phase === 'ended';
  return page(app, [
    head(app, info, [
      tour(app).tokenOf(code) && h('a.btn', { href: `/t/${code}/host` }, mark('settings'), app.t('tour.console')),
      h('a.btn', { href: `/t/${code}/screen`, target: '_blank' }, mark('tv'), app.t('tour.screen')),
    ]),
    announcement(app, info),
    ended && whole.standings.length > 0 && podium(app, whole),
    h('div.tour-grid', { key: 'grid' },
      h('div.stack', { key: 'own' }, own(app, info, whole, you), !ended && rules(app, info), !ended && invite(app, info)),
      h('div.stack', { key: 'all' }, bracket(app, info, whole), standingsPanel(app, whole), roundsPanel(app, info, whole))),
  ]);
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @param {TournamentYou | null} you */
function own(app, info, whole, you) {
  const last = whole.rounds[whole.rounds.length - 1];
  const me = app.state.me?.player ?? '';
  const drawn = last?.heats.some((heat) => heat.entrants.includes(me)) ?? false;
  const stands = standingOf(info, you, drawn, knockedOut(info, whole.rounds, me));
  const { words, clock } = countdown(app, info);
  return h('section.panel.own', { key: 'own' },
    h('div', { role: 'status' },
      h('h2', { key: stands }, app.t(`tour.you.${stands}`)),
      h('p', { key: 'more' }, app.t(`tour.you_more.${stands}`, { n: stands === 'waiting' ? you?.queue ?? 0 : info.round }))),
    info.phase !== 'ended' && h('div.next', { key: 'next' }, h('p.small.muted', null, words), clock && h('p.bigclock', { translate: 'no', role: 'timer' }, clock)),
    place(app, you),
    h('p.small', { key: 'count' }, counts(app, info)),
    actions(app, info, you, stands),
    me && !['closed', 'ended', 'over'].includes(stands) && h('p.small.muted', { key: 'as' }, app.t('home.as', { name: app.state.me?.name ?? '' }), ' ',
      h('button.link', { type: 'button', on: { click: () => app.act.open('name') } }, app.t('home.rename'))),
    LEAVES.includes(stands) && h('div.field', { key: 'signal' },
      toggle(app.t('tour.signal'), tour(app).signals, (on) => void tour(app).setSignals(on)), h('p.small.muted', null, app.t('tour.signal_help'))));
}

/** @param {App} app @param {TournamentYou | null} you */
function place(app, you) {
  return you !== null && you.place > 0 && h('p.yourplace', { key: 'place' }, h('b', null, app.t('tour.your_place', { place: you.place })), ' · ', app.t('points', { n: you.points }));
}

/** @param {App} app @param {TournamentInfo} info */
function counts(app, info) {
  const parts = [app.t('tour.count', { n: info.entrants })];
  if (info.waiting) parts.push(app.t('tour.count_waiting', { n: info.waiting }));
  if (info.phase === 'round') parts.push(app.t('tour.count_heats', { done: info.reported, n: info.heats }));
  return parts.join(' · ');
}

/** @param {App} app @param {TournamentInfo} info @param {TournamentYou | null} you @param {string} stands @returns {Children} */
function actions(app, info, you, stands) {
  const act = tour(app);
  if (app.ui.tour.sure === 'withdraw') return sure(app, 'withdraw', app.t('tour.withdraw_sure'), app.t('tour.withdraw'), () => act.withdraw());
  const elsewhere = app.state.tournament !== null && app.state.tournament.code !== info.code ? app.state.tournament.code : '';
  return h('div.stack', { key: 'actions' },
    elsewhere && h('p.alert', { key: 'elsewhere' }, mark('people'), h('span.grow', null, app.t('tour.elsewhere', { code: elsewhere })), h('a.btn', { href: `/t/${elsewhere}` }, app.t('tour.open'))),
    stands === 'racing' && button(app, { cls: 'btn--gold btn--big btn--wide', icon: 'play', key: 'heat', click: () => act.toHeat(you?.room ?? '') }, app.t('tour.to_heat')),
    stands === 'check' && button(app, { name: 'check_in', cls: 'btn--gold btn--big btn--wide', icon: 'check', key: 'check', click: () => act.checkIn() }, app.t('tour.check_in')),
    stands === 'absent' && button(app, { name: 'check_in', cls: 'btn--gold btn--big btn--wide', key: 'back', click: () => act.checkIn() }, app.t('tour.here_again')),
    ENTERS.includes(stands) && info.phase !== 'ended' && button(app, { name: 'enter', cls: 'btn--gold btn--big btn--wide', key: 'enter', click: () => act.enter(info.code) },
      app.t(stands === 'none' ? 'tour.enter' : 'tour.return')),
    LEAVES.includes(stands) && button(app, { cls: 'btn--quiet', key: 'out', click: () => act.set({ sure: 'withdraw' }) }, app.t('tour.withdraw')));
}

/** What happens with those who come late, before anybody does (T6). @param {App} app @param {TournamentInfo} info */
function rules(app, info) {
  return h('section.panel', { key: 'rules' }, h('h2', null, app.t('tour.rules')),
    h('ul.rules', null, [app.t(`tour.about.${info.options.format}`), ...lateRules(app.lang, info.options), app.t('tour.rule.deal')].map((rule) => h('li', { key: rule }, rule))));
}
