/**
 * Where everything is put together: line, state, words, addresses, drawing.
 *
 * Lives here: the wiring and the choice of the page. Does not live here: any part's own work.
 */

import { Actions } from './actions.js';
import { App } from './app.js';
import { below, publicAddress, within } from './base.js';
import { BookDesk } from './book-desk.js';
import { mountSprite } from './cards.js';
import { device as browserDevice, readyOffline } from './device.js';
import { Desk } from './desk.js';
import { patch } from './dom.js';
import { DailyDesk } from './daily-desk.js';
import { chooseLanguage, LANGUAGES, loadLanguage } from './i18n.js';
import { addStyles, Later } from './later.js';
import { Pull } from './pull.js';
import { ReplayDesk } from './replay-desk.js';
import { follow, parse } from './router.js';
import { applySettings, loadSettings, saveSettings } from './settings.js';
import { Connection } from './socket.js';
import { Solo } from './solo.js';
import { browserKeep } from './storage.js';
import { stageOf } from './store.js';
import { Session } from './sync.js';
import { isTournament, TournamentDesk } from './tournament-desk.js';
import { create } from './views/options.js';
import { device } from './views/device.js';
import { layer } from './views/dialogs.js';
import { home } from './views/home.js';
import { resultPage } from './views/result.js';
import { settingsPage } from './views/settings.js';
import { entering, loading, lost, noEntry, stopped } from './views/states.js';
import { waiting } from './views/room.js';
import { watch } from './views/watch.js';

/** @import { Language } from './i18n.js' */
/** @import { Route } from './router.js' */
/** @import { Settings } from './settings.js' */
/** @import { Heat, Room } from './store.js' */
/** @import { VNode } from './dom.js' */
/** @import { Race } from './views/race.js' */
/** @import { DailyTable } from './views/daily-table.js' */
/** @import { SoloTable } from './views/solo-table.js' */

/** Things that show time are drawn this often. */
const TICK_MS = 250;
const TICKING = Object.freeze(['home', 'room', 'device', 'play', 'daily', 'attempt', 'leaderboards', 'profile', 'ghost', 'tournament', 'console', 'tournaments']);
/** The open rooms are asked for this often while they are seen. */
const LOBBY_MS = 5000;
/** The table stays for a moment after the result has come: the last card is still on its way. */
const FEAST_MS = 1400;
const NAMED = 'kupa:named';
/** The tables are fetched once the first page has settled. */
const SETTLE_MS = 800;

/** @typedef {Race | SoloTable | DailyTable} Table */
/**
 * A page of elements, or one with a table: `id` tells tables apart, `mount` makes one, `update` keeps it in step.
 * @typedef {{key: string, draw: () => VNode[]}
 *   | {key: string, id: string, mount: (root: HTMLElement) => Table, update: (table: any) => void}} Page
 */

class Client {
  /** @param {Language} lang @param {Settings} settings @param {import('./storage.js').Keep} keep */
  constructor(lang, settings, keep) {
    this.keep = keep;
    this.pageRoot = element('page');
    this.raceRoot = element('race');
    this.layerRoot = element('layer');
    /** @type {(route: Route, how?: {replace?: boolean}) => void} */
    this.go = () => {};
    this.drawing = false;
    this.shownKey = '';
    this.lobbyAtMs = -LOBBY_MS;
    this.resultAtMs = 0;
    /** @type {Table | null} */
    this.table = null;
    this.tableId = '';
    this.tableLang = lang;
    this.parts = this.makeParts();
    this.app = new App({
      lang, settings, route: parse(within(window.location.pathname), window.location.search), now: () => this.line.serverNow(), draw: () => this.soon(),
      origin: publicAddress(document, window.location), canShare: typeof navigator.share === 'function', named: keep.get(NAMED) !== null,
      pull: new Pull((path) => fetch(below(path)), () => performance.now(), () => this.soon()),
    });
    this.line = this.makeLine();
    this.session = new Session({
      line: this.line, keep, state: () => this.app.state, dispatch: (event) => this.app.dispatch(event),
      lang: () => this.app.lang.tag, now: () => this.line.serverNow(), onNoEntry: (code, refusal) => this.noEntry(code, refusal),
      onLed: (code) => this.go({ page: 'room', code }, { replace: true }),
    });
    this.solo = new Solo({
      line: this.line, session: this.session, state: () => this.app.state, dispatch: (event) => this.app.dispatch(event),
      onRefused: (code) => this.desk.refused(code), later: (run, ms) => window.setTimeout(run, ms),
    });
    this.daily = new DailyDesk({ app: this.app, line: this.line, session: this.session, keep, changed: () => this.soon() });
    this.desk = new Desk(this.app, this.solo, (route, how) => this.go(route, how));
    this.replays = new ReplayDesk(this.app, () => this.soon());
    this.books = new BookDesk(this.app, () => this.soon());
    this.tournaments = new TournamentDesk({ app: this.app, line: this.line, keep, changed: () => this.soon(), turned: () => this.settle() });
    this.touchedMs = 0;
  }

  /** What the first page does without. */
  makeParts() {
    const soon = () => this.soon();
    return {
      race: new Later(() => import('./views/race.js'), soon),
      soloTable: new Later(() => import('./views/solo-table.js'), soon),
      solo: new Later(() => this.loadSolo(), soon),
    };
  }

  async loadSolo() {
    const [pages, sheets] = await Promise.all([
      import('./views/solo-new.js'), import('./views/solo-sheets.js'), addStyles(document, new URL('../css/solo.css', import.meta.url)),
    ]);
    Object.assign(this.app.sheets, { again: sheets.again, code: sheets.code, won: sheets.won });
    return pages;
  }

  makeLine() {
    const url = `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}${below('/ws')}`;
    return new Connection({
      open: () => new WebSocket(url + this.wayTo()),
      now: () => performance.now(),
      random: Math.random,
      later: (run, ms) => window.setTimeout(run, ms),
      cancel: (timer) => window.clearTimeout(timer),
      hello: () => this.session.hello(),
      onEvent: (event) => {
        this.session.onEvent(event);
        this.solo.onEvent(event);
        this.daily.onEvent(event);
        this.tournaments.onEvent(event);
      },
      onStatus: (status) => {
        this.session.onStatus(status);
        if (status.phase !== 'open') return;
        void this.solo.again();
        this.daily.again();
        this.tournaments.again();
      },
      onIdentityLost: () => this.session.forgetIdentity(),
    });
  }

  /** Of the room that we come for, if any: a server of several processes brings its people together in one. */
  wayTo() {
    const { state, route } = this.app;
    const code = route.page === 'room' ? route.code : state.room?.code;
    return code ? `?room=${code}` : '';
  }

  start() {
    const { go } = follow(window, (route) => this.turn(route));
    this.go = go;
    this.app.actions = new Actions(this.app, this.line, this.session, go, {
      ...browserDevice(window),
      keepSettings: (settings) => this.keepSettings(settings),
      keepNamed: () => this.keep.set(NAMED, '1'),
      language: (tag) => words(tag),
    }, this.desk);
    window.addEventListener('online', () => this.line.hurry());
    window.addEventListener('offline', () => this.line.offline());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.line.wake();
    });
    window.setInterval(() => this.tick(), TICK_MS);
    for (const type of ['pointerdown', 'keydown', 'wheel']) document.addEventListener(type, () => (this.touchedMs = performance.now()), { passive: true });
    this.line.start();
    this.soon();
    window.setTimeout(() => {
      this.parts.race.get();
      this.parts.soloTable.get();
      void readyOffline(window);
    }, SETTLE_MS);
  }

  /** Another address. @param {Route} route */
  turn(route) {
    this.app.route = route;
    this.desk.turn();
    this.app.set({ noEntry: null, dialog: '' });
    this.session.want(route.page === 'room' ? route.code : '');
  }

  /** @param {string} code @param {string} refusal */
  noEntry(code, refusal) {
    this.app.set({ noEntry: { code, refusal } });
  }

  /** @param {Settings} settings */
  keepSettings(settings) {
    saveSettings(this.keep, settings);
    applySettings(document.documentElement, settings);
  }

  tick() {
    if (document.visibilityState === 'hidden') return;
    const { route, state } = this.app;
    this.tournaments.tick(performance.now(), this.touchedMs);
    if (route.page === 'home' && state.status.phase === 'open' && performance.now() - this.lobbyAtMs >= LOBBY_MS) {
      this.lobbyAtMs = performance.now();
      void this.app.act.listRooms();
    }
    if (TICKING.includes(route.page) || state.status.phase === 'waiting') this.soon();
  }

  /** Draw once, with the next frame. */
  soon() {
    if (this.drawing) return;
    this.drawing = true;
    window.requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  draw() {
    this.afterEvents();
    const { lang, ui } = this.app;
    if (ui.dialog === 'rules') this.books.get();
    // Written only when it differs: the browser takes the same words for a change and styles the whole page again
    if (document.documentElement.lang !== lang.tag) document.documentElement.lang = lang.tag;
    const page = this.page();
    if ('draw' in page) this.drawPage(page.draw());
    else this.drawTable(page);
    patch(this.layerRoot, layer(this.app));
    document.title = this.title(page.key);
    if (page.key !== this.shownKey) this.arrive(page.key);
  }

  /** Tables that one has left let go of the line. */
  settle() {
    this.desk.settle();
    this.daily.settle();
  }

  /** What follows from the state besides the page: where one is now, and the check of a new result. */
  afterEvents() {
    this.settle();
    this.tournaments.settle();
    if (this.app.route.page !== 'replay') this.replays.leave();
    const { route, state, ui } = this.app;
    // Going from room to room one leaves the first as well
    if (state.left && route.page === 'room' && !state.room && !ui.noEntry && !this.session.entering) {
      if (state.left !== 'left') this.app.act.notice(this.app.t(`left.${state.left}`), true);
      this.app.act.go({ page: 'home' }, { replace: true });
    }
    if (route.page === 'room' && ui.noEntry?.code === route.code && ui.noEntry.refusal === 'noroom') this.tournaments.instead(route.code);
    const result = state.room?.result;
    if (result && (ui.proof?.heat !== result.heat || ui.proof.code !== result.code)) {
      if (ui.proof?.heat !== result.heat) this.resultAtMs = performance.now();
      this.app.act.checkFairness(result);
    }
  }

  /** @returns {Page} */
  page() {
    const { app } = this;
    const { route, state, ui } = app;
    if (state.status.phase === 'stopped') return { key: 'stopped', draw: () => stopped(app) };
    if (route.page === 'room') return this.roomPage(route.code);
    if (route.page === 'solo' || route.page === 'deal') return this.soloPage(route);
    if (route.page === 'play') return this.playPage(route.ruleset);
    if (route.page === 'attempt') return this.daily.attemptPage(route);
    if (route.page === 'daily' || route.page === 'leaderboards' || route.page === 'profile') return this.daily.page(route);
    if (route.page === 'replay' || route.page === 'ghost') return this.replays.page(route);
    if (route.page === 'rules' || route.page === 'examples' || route.page === 'faq') return this.books.page(route);
    if (isTournament(route)) return this.tournaments.page(route);
    const pages = { home, create, settings: settingsPage, device, lost };
    return { key: route.page + (ui.noEntry ? ' ' : ''), draw: () => pages[route.page](app) };
  }

  /** @param {string} code @returns {Page} */
  roomPage(code) {
    const { app } = this;
    const { room } = app.state;
    const { noEntry: refused } = app.ui;
    if (refused?.code === code) return { key: 'no-entry', draw: () => noEntry(app, code, refused.refusal) };
    if (room?.code !== code) return { key: 'entering', draw: () => entering(app, code) };
    const { heat, result } = room;
    const stage = stageOf(room);
    const feast = result && this.tableId === `race ${result.heat}` && performance.now() - this.resultAtMs < FEAST_MS;
    if (heat && (stage === 'race' || feast)) return this.racePage(room, heat);
    if (heat && stage === 'watch') return { key: `watch ${heat.info.heat}`, draw: () => watch(app, room, heat) };
    const open = app.ui.choice && app.ui.choice.heat === result?.heat ? app.ui.choice.open : stage === 'result';
    if (result && open) return { key: `result ${result.heat}`, draw: () => resultPage(app, room, result) };
    return { key: `room ${code}`, draw: () => waiting(app, room) };
  }

  /** @param {Room} room @param {Heat} heat @returns {Page} */
  racePage(room, heat) {
    const { app, session } = this;
    const { race } = this.parts;
    const View = race.get()?.Race;
    if (!View) return { key: 'entering', draw: () => (race.failures ? loading(app, race) : entering(app, room.code)) };
    return {
      key: `race ${heat.info.heat}`, id: `race ${heat.info.heat}`,
      mount: (root) => new View(root, app, session, room, heat), update: (race) => race.update(room, heat),
    };
  }

  /** @param {{page: 'solo'} | {page: 'deal', code: string}} route @returns {Page} */
  soloPage(route) {
    const pages = this.parts.solo.get();
    if (!pages) return { key: 'loading', draw: () => loading(this.app, this.parts.solo) };
    if (route.page === 'solo') return { key: 'solo', draw: () => pages.soloNew(this.app) };
    return { key: 'deal', draw: () => pages.dealPage(this.app, route.code) };
  }

  /** @param {string} ruleset @returns {Page} */
  playPage(ruleset) {
    const { app, session, solo } = this;
    const View = this.parts.soloTable.get()?.SoloTable;
    const sheets = this.parts.solo.get();
    if (!View || !sheets) return { key: 'loading', draw: () => loading(app, this.parts.soloTable, this.parts.solo) };
    return {
      key: `play ${ruleset}`, id: `play ${ruleset}`,
      mount: (root) => new View(root, app, session, solo, ruleset), update: (table) => table.update(),
    };
  }

  /** @param {VNode[]} content */
  drawPage(content) {
    this.clearTable();
    this.raceRoot.hidden = true;
    this.pageRoot.hidden = false;
    patch(this.pageRoot, content);
  }

  clearTable() {
    this.table?.destroy();
    this.table = null;
    this.tableId = '';
  }

  /** @param {{id: string, mount: (root: HTMLElement) => Table, update: (table: any) => void}} page */
  drawTable({ id, mount, update }) {
    // The frame keeps its words: in another language it is made anew, and asks for its board
    if (this.tableId !== id || this.tableLang !== this.app.lang) this.clearTable();
    this.pageRoot.hidden = true;
    patch(this.pageRoot, []);
    this.raceRoot.hidden = false;
    this.table ??= mount(this.raceRoot);
    this.tableId = id;
    this.tableLang = this.app.lang;
    update(this.table);
  }

  /** @param {string} key of the page */
  title(key) {
    const [kind = ''] = key.split(' ');
    const { lang } = this.app;
    const what = lang.has(`title.${kind}`) ? lang.t(`title.${kind}`, { code: this.app.state.room?.code ?? '' }) : '';
    return what ? `${what} · Kupa` : 'Kupa';
  }

  /** A new page begins at its heading; the first one keeps the focus where the browser put it. @param {string} key */
  arrive(key) {
    const first = this.shownKey === '';
    this.shownKey = key;
    if (first) return;
    window.scrollTo(0, 0);
    const heading = this.pageRoot.querySelector('h1');
    if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
  }
}

/** @param {string} id @returns {HTMLElement} */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {string} tag @returns {Promise<Language>} */
function words(tag) {
  return loadLanguage(tag, (file) => fetch(new URL(`../lang/${file}`, import.meta.url)));
}

const keep = browserKeep(() => window.localStorage);
const settings = loadSettings(keep);
applySettings(document.documentElement, settings);
mountSprite(document);
const lang = await words(Object.hasOwn(LANGUAGES, settings.lang) ? settings.lang : chooseLanguage(navigator.languages));
new Client(lang, settings, keep).start();
