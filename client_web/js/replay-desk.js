/**
 * What the address of a replay leads to.
 *
 * Lives here: fetching this part of the client when it is first wanted, a heat by its address or from a
 * file, recorded boards that can be raced, and the player for as long as its page is seen. Does not live here: what a replay is
 * (`replay-file.js`), what it looks like (`views/replay.js`).
 */

import { addStyles, Later } from './later.js';
import { loading } from './views/states.js';

/** @import { App } from './app.js' */
/** @import { Page } from './main.js' */
/** @import { Heat } from './replay-file.js' */
/** @import { Route } from './router.js' */
/** @import { ReplayPlayer } from './views/replay-player.js' */

/** A closed heat never changes. */
const FRESH_MS = 3_600_000;
/** Somebody may have answered a challenge meanwhile. */
const ANSWERS_MS = 5_000;
/** Larger files are no replay. */
const MOST_BYTES = 64 * 1024 * 1024;
const ATTEMPT = /^(\d{4}-\d{2}-\d{2})-(.+)-([A-Z]{10})$/;

/** @typedef {{heat: Heat | null, fault: string}} Found */

export class ReplayDesk {
  /** @param {App} app @param {() => void} changed */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    this.part = new Later(() => this.load(), changed);
    /** @type {{id: string, lang: string, player: ReplayPlayer} | null} */
    this.on = null;
    /** What was last fetched, by what it was read from. @type {{told: readonly unknown[], found: Found} | null} */
    this.read = null;
    /** Boards that are not to be raced against. @type {{id: string, seats: Set<number>}} */
    this.left = { id: '', seats: new Set() };
    /** From a file. @type {Found} */
    this.file = { heat: null, fault: '' };
  }

  async load() {
    const [views, files, tracks, ghosts] = await Promise.all([
      import('./views/replay.js'), import('./replay-file.js'), import('./replay.js'), import('./views/ghost.js'),
      addStyles(document, new URL('../css/replay.css', import.meta.url)),
    ]);
    return { ...views, ...files, ...tracks, ...ghosts };
  }

  /** Another page is shown: nothing is played any more. */
  leave() {
    this.on?.player.destroy();
    this.on = null;
    this.file = { heat: null, fault: '' };
  }

  /** @param {Extract<Route, {page: 'replay' | 'ghost'}>} route @returns {Page} */
  page({ page, id }) {
    const { app } = this;
    const part = this.part.get();
    if (!part) return { key: 'loading', draw: () => loading(app, this.part) };
    if (page === 'ghost') return this.ghost(id);
    const { heat, fault } = id ? this.fetched(id) : this.file;
    if (!heat && !id) return { key: 'replay', draw: () => part.filePage(app, fault, (file) => void this.open(file)) };
    if (!heat) return { key: `replay ${id}`, draw: () => part.noReplay(app, fault) };
    const player = this.player(heat);
    const file = id && !ATTEMPT.test(id) && heat.pages === 1 ? `/api/heat/${id}` : '';
    return { key: `replay ${heat.id}`, draw: () => part.replayPage(app, heat, player, file) };
  }

  /** What can be raced against. @param {string} id of the heat @returns {Page} */
  ghost(id) {
    const { app } = this;
    const part = this.part.get();
    if (!part) return { key: 'loading', draw: () => loading(app, this.part) };
    const { value, fault } = app.pull.at(`/api/ghost/${id}`, ANSWERS_MS);
    if (this.left.id !== id) this.left = { id, seats: new Set() };
    return { key: `ghost ${id}`, draw: () => (value ? part.ghostPage(app, value, this.left.seats) : part.noGhost(app, fault)) };
  }

  /** The player of a heat; in another language it is made anew and goes on where it was. @param {Heat} heat */
  player(heat) {
    const part = this.part.get();
    if (!part) throw new Error('drawn before its part was there');
    const { app } = this;
    const before = this.on;
    if (before && before.id === heat.id && before.lang === app.lang.tag) return before.player;
    const moment = before?.id === heat.id ? before.player.moment : part.parseInstant(window.location.hash);
    before?.player.destroy();
    const player = new part.ReplayPlayer(app, heat, moment);
    this.on = { id: heat.id, lang: app.lang.tag, player };
    return player;
  }

  /** @param {string} id @returns {Found} */
  fetched(id) {
    const part = this.part.get();
    if (!part) return { heat: null, fault: '' };
    const [, date, ruleset, player] = ATTEMPT.exec(id) ?? [];
    const path = date ? `/api/daily/${date}/${ruleset}/${player}` : `/api/heat/${id}`;
    const first = this.app.pull.at(path, FRESH_MS);
    if (!first.value) return { heat: null, fault: first.fault };
    if (date) return this.attempt(first.value, this.app.pull.at(`/api/daily/${date}/${ruleset}`, FRESH_MS).value);
    const pages = Number.isSafeInteger(first.value.pages) ? Math.min(first.value.pages, 32) : 1;
    const rest = Array.from({ length: pages - 1 }, (_, i) => this.app.pull.at(`${path}?page=${i + 2}`, FRESH_MS));
    const missing = rest.find(({ value }) => !value);
    if (missing) return { heat: null, fault: missing.fault };
    const told = [first.value, ...rest.map(({ value }) => value)];
    return this.once(told, () => part.joined(told.map(part.readHeat)));
  }

  /** Somebody's attempt at a daily deal, and what was opened of the deal. @param {any} told @param {any} deal @returns {Found} */
  attempt(told, deal) {
    const part = this.part.get();
    if (!part || !deal) return { heat: null, fault: '' };
    return this.once([told, deal], () => part.readAttempt(told, deal));
  }

  /** Read what was told, and not again as long as it is the same. @param {readonly unknown[]} told @param {() => Heat} read @returns {Found} */
  once(told, read) {
    if (this.read?.told.length !== told.length || this.read.told.some((one, i) => one !== told[i])) this.read = { told, found: this.judged(read) };
    return this.read.found;
  }

  /** @param {() => Heat} read @returns {Found} */
  judged(read) {
    try {
      return { heat: read(), fault: '' };
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ReplayError')) throw error;
      return { heat: null, fault: /** @type {import('./replay-file.js').ReplayError} */ (error).fault };
    }
  }

  /** @param {File} file */
  async open(file) {
    const part = this.part.get();
    if (!part) return;
    const content = file.size <= MOST_BYTES ? await file.text() : '';
    this.file = this.judged(() => {
      const heat = part.readHeat(parsed(content));
      if (heat.pages > 1) throw new part.ReplayError('part');
      return heat;
    });
    this.changed();
  }
}

/** @param {string} content @returns {unknown} null: it is no JSON */
function parsed(content) {
  try {
    return JSON.parse(content);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
