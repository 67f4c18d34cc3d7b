/**
 * What several pages of tournaments share: what is known of one, its head, clocks, who is who.
 */

import { h } from '../../dom.js';
import { gameName } from '../../phrases.js';
import { awaited, facts, timeOfDay } from '../../tournament/model.js';
import { button, mark, page } from '../frame.js';

/** @import { App } from '../../app.js' */
/** @import { Children, VNode } from '../../dom.js' */
/** @import { TournamentActions } from '../../tournament/actions.js' */
/** @import { Live, Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

/** What is told over the line says when the rest is old; without it, and to be sure, it is asked for again. */
const OLD_MS = 1500;
const EACH_MS = 15;
const POLL_MS = 3000;
const SURE_MS = 30_000;
const LIVE_MS = 1500;
/** An announcement is shown for this long. */
const SAID_MS = 600_000;

/** @param {App} app @returns {TournamentActions} */
export function tour(app) {
  if (!app.tour) throw new Error('a page of tournaments is drawn before their actions are there');
  return app.tour;
}

/**
 * @param {App} app
 * @param {string} code
 * @returns {{info: TournamentInfo, whole: Whole} | null} null: not known yet
 */
export function known(app, code) {
  const told = app.state.tournament?.code === code ? app.state.tournament.info : null;
  const path = `/api/tournament/${code}`;
  const first = app.pull.at(path, told ? SURE_MS : POLL_MS);
  // Many phones that ask at once are asked to wait a little
  const oldMs = Math.max(OLD_MS, (told?.entrants ?? 0) * EACH_MS);
  /** @type {Whole | null} */
  const whole = (told && first.value && told.version !== first.value.info.version ? app.pull.at(path, oldMs) : first).value;
  return whole && { info: told ?? whole.info, whole };
}

/** How far the running heats are, by room. @param {App} app @param {string} code @returns {Map<string, Live['heats'][number]>} */
export function liveHeats(app, code) {
  /** @type {Live | null} */
  const live = app.pull.at(`/api/tournament/${code}.live`, LIVE_MS).value;
  return new Map((live?.heats ?? []).map((heat) => [heat.room, heat]));
}

/** @param {App} app @param {Whole} whole @returns {(entrant: string) => string} */
export function names(app, whole) {
  const found = new Map(whole.entrants.map((one) => [one.entrant, one.bot ? app.t('tour.bot', { n: Number(one.entrant.slice(4)), level: one.bot }) : one.name]));
  return (entrant) => found.get(entrant) ?? entrant;
}

/** @param {App} app @param {TournamentInfo} info @param {Children} tools */
export function head(app, info, tools) {
  return h('div.tour-head', { key: 'head' },
    h('div', null,
      h('h1', { tabindex: '-1' }, h('span', { translate: 'no' }, info.options.name)),
      h('p.muted', null, facts(app.lang, info.options, (ruleset) => gameName(app.lang, ruleset)).join(' · '))),
    h('div.row', null, tools));
}

/** What is waited for, in words, with the time that is left. @param {App} app @param {TournamentInfo} info @returns {{words: string, clock: string}} */
export function countdown(app, info) {
  const { what, atMs } = awaited(info, app.now());
  if (!what) return { words: app.t('tour.phase.ended'), clock: '' };
  if (what === 'paused') return { words: app.t('tour.phase.paused'), clock: '' };
  const left = Math.max(0, Math.ceil((atMs - app.now()) / 1000) * 1000);
  const far = left >= 12 * 3_600_000;
  const words = app.t(atMs ? `tour.until.${what}` : `tour.until.${what}_unknown`, { n: info.round + 1, time: atMs ? timeOfDay(app.lang, atMs) : '' });
  return { words, clock: atMs && !far ? app.lang.clock(left) : '' };
}

/** The last thing a host has said to everybody. @param {App} app @param {TournamentInfo} info */
export function announcement(app, info) {
  const fresh = info.sentence >= 0 && app.now() - info.sentence_ms < SAID_MS;
  return h('div', { key: 'said', role: 'status' },
    fresh && h('p.alert.alert--calm', { key: String(info.sentence_ms) }, mark('hint'), h('span.grow', null, app.t(`tour.say.${info.sentence}`)), h('span.small.muted', null, timeOfDay(app.lang, info.sentence_ms))));
}

/**
 * A question before something that cannot simply be pressed again.
 * @param {App} app
 * @param {string} name of the action
 * @param {string} question
 * @param {string} yes
 * @param {() => unknown} go
 * @returns {VNode}
 */
export function sure(app, name, question, yes, go) {
  return h('div.sure', { key: `sure ${name}`, role: 'alertdialog', 'aria-label': question },
    h('p', null, question),
    h('div.row', null,
      button(app, { name, cls: 'btn--bad', click: go, ref: (/** @type {HTMLElement} */ node) => node.focus() }, yes),
      button(app, { click: () => tour(app).set({ sure: '' }) }, app.t('dialog.cancel'))));
}

/** There is no tournament of this code. @param {App} app @param {string} code @returns {VNode[]} */
export function unknownPage(app, code) {
  return page(app, h('section.plain', { key: 'unknown' }, mark('no'), h('h1', { tabindex: '-1' }, app.t('tour.unknown', { code })), h('p', null, app.t('tour.no.noroom')),
    h('div.calls', null, h('a.btn.btn--do.btn--big', { href: '/t' }, app.t('tour.all')), h('a.btn.btn--big', { href: '/' }, app.t('nav.home')))));
}

/** @param {App} app @param {string} code @returns {VNode[]} */
export function comingPage(app, code) {
  return page(app, h('section.plain', { key: 'coming' }, mark('clock'), h('h1', { tabindex: '-1' }, app.t('tour.title_of', { code })), h('p', { role: 'status' }, app.t('entry.going_text'))));
}

/** A link to a page that others may see, with its code large and as a picture. @param {App} app @param {TournamentInfo} info */
export function invite(app, info) {
  const path = `/t/${info.code}`;
  const url = `${app.origin}${path}`;
  const copied = app.ui.copied === path;
  return h('section.panel', { key: 'invite' },
    h('h2', null, app.t('tour.invite')),
    h('div.invite', null,
      h('img.qr', { src: `/qr${path}.svg`, alt: app.t('tour.qr'), width: '168', height: '168', on: { error: (event) => { event.target.hidden = true; } } }),
      h('div.stack', null, h('span.roomcode', { translate: 'no' }, info.code), h('span.code.small.muted', { translate: 'no' }, app.origin.replace(/^https?:\/\//, ''), h('wbr', null), path))),
    h('div.row', null,
      app.canShare && button(app, { cls: 'btn--do', icon: 'share', click: () => app.act.share(url, 'tour.invite') }, app.t('room.share')),
      button(app, { cls: app.canShare ? '' : 'btn--do', icon: copied ? 'check' : 'copy', key: `copy ${copied}`, click: () => app.act.copy(path, url) }, app.t(copied ? 'room.copied' : app.canShare ? 'room.copy' : 'room.copy_link'))));
}

/** A button of a host. @param {App} app @param {TournamentInfo} info @param {string} action @param {string} label @param {{key?: string, value?: number, cls?: string, icon?: string, disabled?: boolean, aria?: string}} [how] */
export function does(app, info, action, label, { key = '', value = 0, cls = '', icon = '', disabled = false, aria } = {}) {
  return button(app, { name: `${action} ${key} ${value}`, cls, icon, disabled, key: `${action} ${key} ${value}`, 'aria-label': aria, click: () => tour(app).host(info.code, action, key, value) }, label);
}
