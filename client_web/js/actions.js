/**
 * What a user can do: one function a button.
 *
 * Lives here: commands with their refusals put into words, and the little that only this device
 * does (copying, sharing). Does not live here: elements, the state's rules.
 */

import { dealOf, verify } from './deal.js';
import { checks } from './fairness.js';
import { refusalText } from './phrases.js';
import { roomCode } from './router.js';
import { Refusal } from './socket.js';
import { isMine } from './store.js';
import { cmd } from './wire.gen.js';

/** @import { App, DialogName } from './app.js' */
/** @import { DealCode } from './deal.js' */
/** @import { Desk } from './desk.js' */
/** @import { Connection } from './socket.js' */
/** @import { Language } from './i18n.js' */
/** @import { Route } from './router.js' */
/** @import { Settings } from './settings.js' */
/** @import { Session } from './sync.js' */
/** @import { HeatResult, RoomOptions, WireArray, WireEvent } from './wire.gen.js' */

/** Level and number of the bots behind "Play now". */
const QUICK_BOTS = [2, 2];
const NOTICE_MS = 6000;
const COPIED_MS = 2000;

/**
 * @typedef {object} Device what the browser does for us
 * @property {(text: string) => Promise<boolean>} copy
 * @property {(data: {title: string, url?: string, text?: string}) => Promise<void>} share
 * @property {(run: () => void, ms: number) => unknown} later
 * @property {() => void} reload
 * @property {(settings: Settings) => void} keepSettings keeps them and puts them on the page
 * @property {() => void} keepNamed remembers that a name was chosen
 * @property {(tag: string) => Promise<Language>} language fetches the words
 * @property {() => number} now milliseconds for measuring
 */

/**
 * Ask the server; the button is busy until it has answered.
 * @param {App} app @param {Connection} line
 * @param {string} name of the button
 * @param {(n: number) => WireArray} make
 * @param {(code: string) => void} refused says a refusal
 * @returns {Promise<WireEvent | null>} null: refused
 */
export async function requested(app, line, name, make, refused) {
  app.set({ busy: name, notice: null });
  try {
    return await line.request(make);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused(error.code);
    return null;
  } finally {
    if (app.ui.busy === name) app.set({ busy: '' });
  }
}

export class Actions {
  /**
   * @param {App} app
   * @param {Connection} line
   * @param {Session} session
   * @param {(route: Route, how?: {replace?: boolean}) => void} go
   * @param {Device} device
   * @param {Desk} desk
   */
  constructor(app, line, session, go, device, desk) {
    this.app = app;
    this.line = line;
    this.session = session;
    this.go = go;
    this.device = device;
    this.desk = desk;
  }

  /**
   * Send a command; while it is under way its button rests, and a refusal is said.
   * @param {string} name of the button
   * @param {(n: number) => WireArray} make
   * @returns {Promise<WireEvent | null>} the answer, or null when it was refused, or was on its way already
   */
  send(name, make) {
    return this.app.once.run(name, () => requested(this.app, this.line, name, make, (code) => this.refused(code)), this.device.later);
  }

  /** @param {string} text @param {boolean} [bad] */
  notice(text, bad = false) {
    const notice = { text, bad };
    this.app.set({ notice });
    this.device.later(() => {
      if (this.app.ui.notice === notice) this.app.set({ notice: null });
    }, NOTICE_MS);
  }

  /** @param {string} code of a refusal, to be said */
  refused(code) {
    this.notice(refusalText(this.app.lang, code), true);
  }

  /** @param {WireEvent | null} answer */
  follow(answer) {
    if (answer?.type !== 'Entered') return;
    this.session.arrived();
    this.go({ page: 'room', code: answer.code });
  }

  /** Race against two bots at once. */
  async playNow() {
    const { game, form } = this.app.ui;
    const options = { ...form.options, ruleset: game, goal: 'first', minutes: 10, seats: 4, best_of: 1, public: false, code: '' };
    this.follow(await this.send('play', (n) => cmd.createRoom(n, { ...options, undo: 'all', hints: true }, QUICK_BOTS, true)));
  }

  async quickMatch() {
    this.follow(await this.send('match', (n) => cmd.quickMatch(n, this.app.ui.game)));
  }

  async createRoom() {
    const { options, bots, level, challenge } = this.app.ui.form;
    if (challenge) return this.follow(await this.send('create', (n) => cmd.challenge(n, options)));
    const levels = Array.from({ length: Math.min(bots, options.seats - 1) }, () => level);
    this.follow(await this.send('create', (n) => cmd.createRoom(n, options, levels, false)));
  }

  /** Race against recorded boards. @param {string} heat @param {readonly number[]} seats */
  async raceGhosts(heat, seats) {
    this.follow(await this.send('ghosts', (n) => cmd.raceGhosts(n, heat, [...seats])));
  }

  /** Go to the room whose code was typed. */
  join() {
    const code = roomCode(this.app.ui.joinCode);
    this.app.set({ joinBad: code === '' });
    if (code) this.go({ page: 'room', code });
  }

  /** Try once more to enter the room of the address. */
  enterAgain() {
    this.app.set({ noEntry: null });
    this.session.retry();
  }

  async leaveRoom() {
    this.app.set({ dialog: '' });
    if (await this.send('leave', (n) => cmd.leaveRoom(n))) this.go({ page: 'home' });
  }

  /** Leave the room one still has a seat in, and enter the one of the address. */
  async switchRoom() {
    if (await this.send('leave', (n) => cmd.leaveRoom(n))) this.enterAgain();
  }

  /** @param {boolean} ready */
  ready(ready) {
    return this.send('ready', (n) => cmd.ready(n, ready));
  }

  start() {
    return this.send('start', (n) => cmd.startHeat(n));
  }

  /** @param {number} level */
  addBot(level) {
    return this.send('bot', (n) => cmd.addBot(n, level));
  }

  /** @param {number} seat */
  removeSeat(seat) {
    return this.send(`remove ${seat}`, (n) => cmd.removeSeat(n, seat));
  }

  /** @param {number} seat */
  handOver(seat) {
    return this.send(`host ${seat}`, (n) => cmd.handOver(n, seat));
  }

  /** @param {boolean} locked */
  lock(locked) {
    return this.send('lock', (n) => cmd.lockRoom(n, locked));
  }

  sit() {
    return this.send('sit', (n) => cmd.sitDown(n));
  }

  stand() {
    return this.send('stand', (n) => cmd.standUp(n));
  }

  /** @param {string} ruleset of a game to play alone; a code that was typed is done with */
  chosen(ruleset) {
    this.app.set({ dialog: '', solo: { ...this.app.ui.solo, ruleset, code: '' } });
  }

  /** Deal for oneself, in place of the saved game. @param {string} ruleset */
  dealAny(ruleset) {
    this.chosen(ruleset);
    this.desk.dealAny(ruleset, this.app.ui.solo.certified);
  }

  /** @param {DealCode} deal */
  dealCode(deal) {
    this.chosen(deal.ruleset);
    this.desk.deal(deal);
  }

  /** What the address of a deal leads to. @param {string} code as it stands there */
  arrival(code) {
    return this.desk.arrival(code);
  }

  /** The same cards once more. */
  dealAgain() {
    this.close();
    this.desk.dealAgain();
  }

  /** Choose another game to play alone. @param {string} ruleset the one chosen so far */
  chooseGame(ruleset) {
    this.chosen(ruleset);
    this.go({ page: 'solo' });
  }

  /** @param {number} reaction 0–5 */
  react(reaction) {
    return this.send(`react ${reaction}`, (n) => cmd.react(n, reaction));
  }

  async saveOptions() {
    const { options } = this.app.ui.form;
    if (await this.send('options', (n) => cmd.setOptions(n, options))) this.app.set({ dialog: '' });
  }

  async rename() {
    const name = this.app.ui.name.trim().normalize('NFC');
    if (!(await this.send('name', (n) => cmd.rename(n, name)))) return;
    this.device.keepNamed();
    this.app.named = true;
    this.app.dispatch({ type: '@renamed', name });
    this.app.set({ dialog: '' });
  }

  /** The public rooms, quietly: what fails now is asked again soon. */
  async listRooms() {
    try {
      await this.line.request((n) => cmd.listRooms(n));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async linkDevice() {
    const answer = await this.send('link', (n) => cmd.linkDevice(n));
    if (answer?.type === 'DeviceCode') this.app.set({ deviceCode: answer });
  }

  async useDeviceCode() {
    const code = this.app.ui.typedDevice.trim();
    const answer = await this.send('use', (n) => cmd.useDeviceCode(n, code));
    if (!answer) return;
    this.app.set({ typedDevice: '' });
    this.notice(this.app.t('device.done', { name: this.app.state.me?.name ?? '' }));
    // A new line, so that everything belongs to the player one is now
    this.line.start();
  }

  async revokeDevices() {
    this.app.set({ dialog: '' });
    if (await this.send('revoke', (n) => cmd.revokeDevices(n))) this.notice(this.app.t('device.revoked'));
  }

  /** See the last result, or the waiting room instead. @param {boolean} open */
  showResult(open) {
    const heat = this.app.state.room?.result?.heat;
    if (heat) this.app.set({ choice: { heat, open } });
  }

  /** @param {DialogName} dialog */
  open(dialog) {
    const { state, ui } = this.app;
    const options = state.room?.info.options;
    this.app.set({
      dialog,
      demo: '',
      name: dialog === 'name' ? state.me?.name ?? '' : ui.name,
      form: dialog === 'options' && options ? { ...ui.form, options: { ...options } } : ui.form,
    });
  }

  close() {
    this.app.set({ dialog: '' });
  }

  /**
   * @param {string} what a name for the button
   * @param {string} text
   */
  async copy(what, text) {
    if (!(await this.device.copy(text))) return this.notice(text);
    this.app.set({ copied: what });
    this.device.later(() => {
      if (this.app.ui.copied === what) this.app.set({ copied: '' });
    }, COPIED_MS);
  }

  /** @param {string} url @param {string} [key] of what it is called */
  share(url, key = 'share.title') {
    return this.device.share({ title: this.app.t(key), url });
  }

  /** Pass words on, by the device's own sheet where it has one. @param {string} what a name for the button @param {string} text */
  shareText(what, text) {
    return this.app.canShare ? this.device.share({ title: this.app.t('daily.title'), text }) : this.copy(what, text);
  }

  /** Check the seal and the cards of a heat that is over. @param {HeatResult} result */
  checkFairness(result) {
    const start = this.device.now();
    const { room } = this.app.state;
    const seated = room !== null && result.rows.some((row) => isMine(room, row));
    const found = checks(result, this.session.seenOf(result.heat), seated, { verify, dealOf });
    this.app.set({ proof: { heat: result.heat, code: result.code, checks: found, ms: this.device.now() - start } });
  }

  /** @param {Partial<Settings>} change */
  setSettings(change) {
    this.app.settings = { ...this.app.settings, ...change };
    this.device.keepSettings(this.app.settings);
    this.app.draw();
  }

  /** Other words at once, on the page as it stands. @param {string} tag */
  async setLanguage(tag) {
    this.app.lang = await this.device.language(tag);
    this.setSettings({ lang: tag });
  }

  /** Take the race back from the other window. */
  takeBack() {
    this.line.start();
  }

  retryNow() {
    this.line.hurry();
  }

  /** For how long nothing has been heard from the server; asks. */
  quietMs() {
    return this.line.quietMs();
  }

  reload() {
    this.device.reload();
  }
}
