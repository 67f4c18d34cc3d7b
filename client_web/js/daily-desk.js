/**
 * What the addresses of daily deals, leaderboards and people lead to.
 *
 * Lives here: fetching these parts of the client when they are first wanted, and the way from an
 * address to an attempt on the table. Does not live here: asking for a deal (`daily-play.js`), what
 * the pages look like (`views/`).
 */

import { addStyles, Later } from './later.js';
import { loading } from './views/states.js';

/** @import { App } from './app.js' */
/** @import { DailyPlay, Want } from './daily-play.js' */
/** @import { Page } from './main.js' */
/** @import { Route } from './router.js' */
/** @import { Connection } from './socket.js' */
/** @import { Keep } from './storage.js' */
/** @import { Session } from './sync.js' */
/** @import { WireEvent } from './wire.gen.js' */

/** @typedef {{page: 'attempt', date: string, ruleset: string, practice: boolean}} AttemptRoute */
/** @typedef {{app: App, line: Connection, session: Session, keep: Keep, changed: () => void}} Parts */

/** Attempts begun on this device, so that loading the page again does not ask first. */
const BEGUN = 'kupa:attempts';
const BEGUN_MOST = 12;

export class DailyDesk {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {DailyPlay | null} */
    this.play = null;
    /** The deal whose cards were asked for on this page. */
    this.shown = '';
    /** The address whose game was taken over. @type {Route | null} */
    this.turned = null;
    this.pages = new Later(() => this.loadPages(), parts.changed);
    this.person = new Later(() => this.loadPerson(), parts.changed);
    this.table = new Later(() => this.loadTable(), parts.changed);
  }

  async loadPages() {
    const [daily, boards] = await Promise.all([import('./views/daily.js'), import('./views/leaderboards.js'), styles()]);
    return { ...daily, ...boards };
  }

  async loadPerson() {
    const [person] = await Promise.all([import('./views/profile.js'), styles()]);
    return person;
  }

  async loadTable() {
    const { app, line, session, changed } = this.parts;
    const [{ DailyPlay: Play }, { DailyTable }, { gate, ended }] = await Promise.all([
      import('./daily-play.js'), import('./views/daily-table.js'), import('./views/daily-end.js'), styles(),
    ]);
    const play = new Play({
      line, session, changed, state: () => app.state,
      onBegun: (want) => this.begun(want),
      onResult: () => app.pull.stale(),
      onRefused: (code, want) => this.refused(code, want),
    });
    this.play = play;
    app.sheets.daily = (one) => ended(one, play);
    return { DailyTable, gate, play };
  }

  /** @param {WireEvent} event */
  onEvent(event) {
    this.play?.onEvent(event);
  }

  /** The line is up again. */
  again() {
    void this.play?.again();
  }

  /** Do what follows from where one is; called whenever something has changed. */
  settle() {
    const { route, state } = this.parts.app;
    this.turn(route);
    if (route.page !== 'attempt') {
      this.shown = '';
      this.play?.leave();
      return;
    }
    const part = this.table.get();
    if (!part || part.play.has(route) || state.status.phase !== 'open' || !this.allowed(route)) return;
    const { date, ruleset, practice } = route;
    void part.play.open({ date, ruleset, practice, fresh: false });
  }

  /** The board of an address that names a game shows that game first. @param {Route} route */
  turn(route) {
    if (route === this.turned) return;
    this.turned = route;
    if (route.page !== 'daily' || !route.ruleset) return;
    const { ruleset } = route;
    this.parts.app.ui.daily = { ruleset, period: 'day', tab: ruleset.endsWith('V') ? 'score' : 'time', page: 1 };
  }

  /** Cards are shown to who asked for them: a link alone starts no clock. @param {AttemptRoute} route */
  allowed(route) {
    return route.practice || this.shown === nameOf(route) || this.hasBegun(route);
  }

  /** Whether this attempt was begun on this device. @param {{date: string, ruleset: string}} attempt */
  hasBegun(attempt) {
    return this.known().includes(nameOf(attempt));
  }

  /** @returns {string[]} */
  known() {
    return (this.parts.keep.get(BEGUN) ?? '').split(' ').filter(Boolean);
  }

  /** @param {Want} want */
  begun(want) {
    if (want.practice || this.hasBegun(want)) return;
    this.parts.keep.set(BEGUN, [...this.known(), nameOf(want)].slice(-BEGUN_MOST).join(' '));
  }

  /** @param {string} code @param {Want} want */
  refused(code, want) {
    const { app } = this.parts;
    if (code === 'not_now' && !want.practice) app.act.notice(app.t('daily.not_begun'), true);
    else app.act.refused(code);
    app.act.go({ page: 'daily', date: want.date, ruleset: want.ruleset }, { replace: true });
  }

  /** @param {Extract<Route, {page: 'daily' | 'leaderboards' | 'profile'}>} route @returns {Page} */
  page(route) {
    const { app } = this.parts;
    if (route.page === 'profile') {
      const person = this.person.get();
      return person ? { key: `profile ${route.player}`, draw: () => person.profile(app, route.player) } : { key: 'loading', draw: () => loading(app, this.person) };
    }
    const pages = this.pages.get();
    if (!pages) return { key: 'loading', draw: () => loading(app, this.pages) };
    if (route.page === 'leaderboards') return { key: 'leaderboards', draw: () => pages.leaderboards(app) };
    return { key: `daily ${route.date}`, draw: () => pages.daily(app, route.date, (attempt) => this.hasBegun(attempt)) };
  }

  /** @param {AttemptRoute} route @returns {Page} */
  attemptPage(route) {
    const { app, session } = this.parts;
    const part = this.table.get();
    if (!part) return { key: 'loading', draw: () => loading(app, this.table) };
    const { DailyTable, gate, play } = part;
    if (!play.has(route)) {
      const show = () => {
        this.shown = nameOf(route);
        app.draw();
      };
      return { key: `gate ${nameOf(route)}`, draw: () => gate(app, route, this.allowed(route), show) };
    }
    const id = `attempt ${nameOf(route)} ${route.practice}`;
    return { key: id, id, mount: (root) => new DailyTable(root, app, session, play, route.ruleset), update: (table) => table.update() };
  }
}

function styles() {
  return addStyles(document, new URL('../css/daily.css', import.meta.url));
}

/** @param {{date: string, ruleset: string}} which */
function nameOf({ date, ruleset }) {
  return `${date}/${ruleset}`;
}
