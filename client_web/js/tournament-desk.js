/**
 * Taking part in a tournament, wherever in the site one is.
 *
 * Lives here: which tournament the line tells of, remembering it, going to one's next heat when it is drawn, and
 * fetching the pages when they are first wanted. Does not live here: commands of players and hosts
 * (`tournament/actions.js`), signals (`tournament/signal.js`), pages (`views/tournament/`).
 */

import { addStyles, Later } from './later.js';
import { Refusal } from './socket.js';
import { keepHosted } from './tournament/hosted.js';
import { loading } from './views/states.js';
import { cmd } from './wire.gen.js';

/** @import { App } from './app.js' */
/** @import { Page } from './main.js' */
/** @import { Route } from './router.js' */
/** @import { Connection } from './socket.js' */
/** @import { Keep } from './storage.js' */
/** @import { WireEvent } from './wire.gen.js' */

/** The tournament one takes part in, and the rooms of one's heats there: `KVMXR ABCDE FGHJK`. */
const MINE = 'kupa:tournament';
/** So many rooms are remembered. */
const ROOMS = 40;
/** Whoever stands like this is drawn, or may be again. */
const PART = Object.freeze(['in', 'waiting', 'absent', 'unchecked']);
/** Whoever comes to the console so long after the gun is not called away from it. */
const LATE_MS = 3000;
/** After a heat one is taken back to the tournament, unless one does something on the page of the result. */
const STAY_MS = 20_000;
/** Whether a code is a tournament's is known for so long. */
const INSTEAD_MS = 60_000;

/** @typedef {Extract<Route, {page: 'tournaments' | 'tournament_new' | 'tournament' | 'console'}>} TournamentRoute */

/** @param {Route} route @returns {route is TournamentRoute} */
export function isTournament(route) {
  return ['tournaments', 'tournament_new', 'tournament', 'console'].includes(route.page);
}

export class TournamentDesk {
  /** @param {{app: App, line: Connection, keep: Keep, changed: () => void, turned: () => void}} parts `turned`: leave what holds the line */
  constructor(parts) {
    this.parts = parts;
    /** Code of the tournament that is being opened. */
    this.opening = '';
    /** This connection cannot open it: it is not asked again by itself. */
    this.refused = '';
    /** A code that is neither a room's nor a tournament's. */
    this.nothing = '';
    /** Room of the heat that was gone to by itself. */
    this.taken = '';
    this.resultAtMs = 0;
    this.resultOf = '';
    parts.app.tournamentOf = (room) => this.tournamentOf(room);
    const [code = '', ...rooms] = (parts.keep.get(MINE) ?? '').split(' ');
    this.mine = code;
    this.rooms = rooms;
    this.pages = new Later(() => this.loadPages(), parts.changed);
    this.words = { tag: '', texts: new Later(() => this.loadWords(''), parts.changed) };
    this.signal = new Later(() => this.loadSignal(), parts.changed);
  }

  async loadPages() {
    const { app, line, keep } = this.parts;
    const [{ TournamentActions }, list, form, player, console] = await Promise.all([
      import('./tournament/actions.js'), import('./views/tournament/list.js'), import('./views/tournament/form.js'),
      import('./views/tournament/player.js'), import('./views/tournament/console.js'),
      addStyles(document, new URL('../css/tournament.css', import.meta.url)),
    ]);
    app.tour = new TournamentActions(app, line, keep, this);
    return { ...list, ...form, ...player, ...console };
  }

  async loadSignal() {
    const { Signal } = await import('./tournament/signal.js');
    return new Signal(window, this.parts.keep);
  }

  /** @param {string} tag */
  async loadWords(tag) {
    const response = await fetch(new URL(`../lang/tournament.${tag}.json`, import.meta.url));
    if (!response.ok) throw new Error(`words of tournaments: ${response.status}`);
    return response.json();
  }

  /** Whether the words are there; they join those of the language. */
  worded() {
    const { lang } = this.parts.app;
    if (this.words.tag !== lang.tag) this.words = { tag: lang.tag, texts: new Later(() => this.loadWords(lang.tag), this.parts.changed) };
    const texts = this.words.texts.get();
    if (texts && !lang.has('tour.title')) Object.assign(lang.words, texts);
    return texts !== null;
  }

  /** The line is up, perhaps for somebody else: be told again. */
  again() {
    this.refused = '';
    this.opening = '';
    const { route } = this.parts.app;
    void this.open(this.mine || (route.page === 'tournament' || route.page === 'console' ? route.code : ''));
  }

  /** Whether the tournament of the state goes on and needs one: no other is opened in its place. */
  busy() {
    const { tournament } = this.parts.app.state;
    return tournament !== null && tournament.info?.phase !== 'ended' && PART.includes(tournament.you?.status ?? '');
  }

  /** @param {WireEvent} event */
  onEvent(event) {
    if (event.type === 'TournamentYou') this.told();
    if (event.type === 'TournamentInfo') keepHosted(this.parts.keep, event.code, event.options.name);
  }

  /** One stands otherwise now. */
  told() {
    const { app } = this.parts;
    const { tournament } = app.state;
    const you = tournament?.you;
    if (!tournament || !you) return;
    if (PART.includes(you.status)) {
      this.signal.get();
      this.remember(tournament.code);
    }
    if (!you.room || you.room === this.taken) return;
    this.taken = you.room;
    this.remember(tournament.code, you.room);
    // A host who races too loads the console again in the middle of a heat: that is where they want to be
    if (app.route.page === 'console' && app.now() - you.gun_ms > LATE_MS) return;
    this.signal.get()?.heat(app, you);
    app.set({ dialog: '' });
    app.act.go({ page: 'room', code: you.room });
    // A hidden page is not drawn, and a race does not wait for it
    this.parts.turned();
  }

  /** @param {string} code @param {string} [room] */
  remember(code, room = '') {
    if (this.mine !== code) this.rooms = [];
    this.mine = code;
    if (room && !this.rooms.includes(room)) this.rooms = [...this.rooms, room].slice(-ROOMS);
    this.parts.keep.set(MINE, [code, ...this.rooms].join(' '));
  }

  /** Code of the tournament that a room's heat belongs to, empty for other rooms. @param {string} room */
  tournamentOf(room) {
    return this.rooms.includes(room) ? this.mine : '';
  }

  /** Do what follows from where one is; called whenever something has changed. */
  settle() {
    const { route, state } = this.parts.app;
    if (state.status.phase !== 'open') return;
    if (route.page === 'tournament' || route.page === 'console') {
      if (state.tournament?.code !== route.code && !this.busy()) void this.open(route.code);
    }
  }

  /** Be told of a tournament. @param {string} code */
  async open(code) {
    if (!code || this.opening === code || this.refused === code) return;
    this.opening = code;
    if (this.parts.app.state.tournament?.code !== code) this.parts.app.dispatch({ type: '@tournament', code });
    try {
      await this.parts.line.request((n) => cmd.openTournament(n, code, false));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'noroom') this.refuse(code);
    }
    if (this.opening === code) this.opening = '';
  }

  /** A code that is no room's may be a tournament's: that is then where one wants to go. @param {string} code */
  instead(code) {
    if (this.nothing === code) return;
    const { app } = this.parts;
    const { value, fault } = app.pull.at(`/api/tournament/${code}.there`, INSTEAD_MS);
    if (value?.there) app.act.go({ page: 'tournament', code }, { replace: true });
    else if (value || (fault && fault !== 'offline')) this.nothing = code;
  }

  /** There is no such tournament. @param {string} code */
  refuse(code) {
    const { app, keep } = this.parts;
    this.refused = code;
    if (app.state.tournament?.code === code) app.dispatch({ type: '@tournament', code: '' });
    if (this.mine !== code) return;
    this.mine = '';
    keep.remove(MINE);
  }

  /** After a heat, back to the tournament, when nobody touches the page of the result. @param {number} nowMs @param {number} touchedMs */
  tick(nowMs, touchedMs) {
    const { app } = this.parts;
    const result = app.route.page === 'room' ? app.state.room?.result : null;
    const code = app.state.room && this.tournamentOf(app.state.room.code);
    if (!result || !code || app.state.tournament?.you?.room) return;
    if (this.resultOf !== result.heat) Object.assign(this, { resultOf: result.heat, resultAtMs: nowMs });
    if (nowMs - Math.max(this.resultAtMs, touchedMs) >= STAY_MS) app.act.go({ page: 'tournament', code });
  }

  /** @param {TournamentRoute} route @returns {Page} */
  page(route) {
    const { app } = this.parts;
    const pages = this.pages.get();
    if (!this.worded() || !pages) return { key: 'loading', draw: () => loading(app, this.pages, this.words.texts) };
    if (route.page === 'tournaments') return { key: 'tournaments', draw: () => pages.list(app) };
    if (route.page === 'tournament_new') return { key: 'tournament_new', draw: () => pages.form(app) };
    const unknown = this.refused === route.code;
    if (route.page === 'console') return { key: `console ${route.code}`, draw: () => pages.hostConsole(app, route.code, unknown) };
    return { key: `tournament ${route.code}`, draw: () => pages.player(app, route.code, unknown) };
  }
}
