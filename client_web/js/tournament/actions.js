/**
 * What players and hosts of tournaments can do: one function a button, each refusal in words.
 *
 * Lives here: commands, host tokens on this device. Does not live here: which tournament the line tells of
 * (`tournament-desk.js`), elements.
 */

import { requested } from '../actions.js';
import { refusalText } from '../phrases.js';
import { Refusal } from '../socket.js';
import { cmd } from '../wire.gen.js';
import { TOKENS } from './hosted.js';
import { faultOf, formOf, optionsOf } from './model.js';

/** @import { App } from '../app.js' */
/** @import { Connection } from '../socket.js' */
/** @import { Keep } from '../storage.js' */
/** @import { TournamentDesk } from '../tournament-desk.js' */
/** @import { WireArray, WireEvent } from '../wire.gen.js' */
/** @import { Tour } from './model.js' */

const TOKENS_MOST = 20;

export class TournamentActions {
  /** @param {App} app @param {Connection} line @param {Keep} keep @param {TournamentDesk} desk */
  constructor(app, line, keep, desk) {
    this.app = app;
    this.line = line;
    this.keep = keep;
    this.desk = desk;
    /** Tournaments whose token was refused here. @type {Set<string>} */
    this.worthless = new Set();
  }

  /**
   * Send a command; a refusal is said, in the words of tournaments.
   * @param {string} name of the button
   * @param {(n: number) => WireArray} make
   * @returns {Promise<WireEvent | null>} null: refused, or on its way already
   */
  send(name, make) {
    return this.app.once.run(`tour.${name}`, () => requested(this.app, this.line, name, make, (code) => this.refused(code)), (run, ms) => setTimeout(run, ms));
  }

  /** @param {string} code of a refusal */
  refused(code) {
    const { lang } = this.app;
    this.app.act.notice(lang.has(`tour.no.${code}`) ? lang.t(`tour.no.${code}`) : refusalText(lang, code), true);
  }

  /** @param {Partial<Tour>} change */
  set(change) {
    this.app.set({ tour: { ...this.app.ui.tour, ...change } });
  }

  /** @param {string} field of the console @param {string} text */
  type(field, text) {
    this.set({ typed: { ...this.app.ui.tour.typed, [field]: text } });
  }

  // ------------------------------------------------------------ players

  /** Take part, for the first time or again. @param {string} code */
  async enter(code) {
    const { app } = this;
    if (app.once.has('tour.enter')) return;
    if (app.state.tournament?.code !== code) app.dispatch({ type: '@tournament', code });
    if (await this.send('enter', (n) => cmd.openTournament(n, code, true))) this.desk.told();
    else await this.desk.open(code);
  }

  checkIn() {
    return this.send('check_in', (n) => cmd.checkIn(n));
  }

  async withdraw() {
    this.set({ sure: '' });
    await this.send('withdraw', (n) => cmd.withdraw(n));
  }

  /** To the heat that is on. @param {string} room */
  toHeat(room) {
    this.app.act.go({ page: 'room', code: room });
  }

  /** Whether the device tells when one's heat starts. */
  get signals() {
    return this.desk.signal.get()?.on ?? false;
  }

  /** Asked for by a button only: browsers want a gesture before sound and before the question. @param {boolean} on */
  async setSignals(on) {
    await this.desk.signal.get()?.set(on);
    this.app.draw();
  }

  // ------------------------------------------------------------ making and hosting

  async create() {
    const form = this.app.ui.tour.form ?? formOf('league');
    const bad = faultOf(form, this.app.now());
    this.set({ bad });
    if (bad) return;
    const answer = await this.send('create', (n) => cmd.createTournament(n, optionsOf(form)));
    if (answer?.type !== 'TournamentMade') return;
    this.keepToken(answer.code, answer.token);
    this.set({ form: undefined });
    this.app.act.go({ page: 'console', code: answer.code });
  }

  /** @returns {[string, string][]} code and token of the tournaments hosted from this device, the last one first */
  tokens() {
    return (this.keep.get(TOKENS) ?? '').split(' ').filter(Boolean).map((pair) => {
      const [code = '', token = ''] = pair.split(':');
      return [code, token];
    });
  }

  /** @param {string} code */
  tokenOf(code) {
    return this.tokens().find(([known]) => known === code)?.[1] ?? '';
  }

  /** @param {string} code @param {string} token */
  keepToken(code, token) {
    this.worthless.delete(code);
    const others = this.tokens().filter(([known]) => known !== code).map((pair) => pair.join(':'));
    this.keep.set(TOKENS, [`${code}:${token}`, ...others].slice(0, TOKENS_MOST).join(' '));
    this.set({ hosts: undefined, shared: null });
  }

  /** Take over the token of a link to the console. @param {string} code @param {string} hash of the address */
  adopt(code, hash) {
    const token = /^#([A-Za-z0-9_-]{8,200})$/.exec(hash)?.[1];
    if (token) this.keepToken(code, token);
    return token !== undefined;
  }

  /**
   * Carry out a host's action.
   * @param {string} code
   * @param {string} action
   * @param {string} [key]
   * @param {number} [value]
   */
  async host(code, action, key = '', value = 0) {
    this.set({ sure: '' });
    const token = this.tokenOf(code);
    const done = await this.send(`${action} ${key} ${value}`, (n) => cmd.hostTournament(n, code, token, action, key, value));
    if (done) {
      this.app.pull.stale();
      this.app.act.notice(this.app.t(`tour.done.${action}`));
    }
    return done !== null;
  }

  /** An action whose value was typed. @param {string} code @param {string} action @param {string} field @param {[number, number]} bounds @param {string} [key] @param {number} [times] units in one of what is typed */
  async hostTyped(code, action, field, [least, most], key = '', times = 1) {
    const text = (this.app.ui.tour.typed?.[field] ?? '').trim();
    const value = Number(text);
    const good = text !== '' && Number.isInteger(value) && value >= least && value <= most;
    this.set({ bad: good ? '' : field });
    if (good && await this.host(code, action, key, value * times)) this.type(field, '');
  }

  /** Start at a time of the clock. @param {string} code */
  async startAt(code) {
    const at = Date.parse(this.app.ui.tour.typed?.start_at ?? '');
    const good = at > this.app.now();
    this.set({ bad: good ? '' : 'start_at' });
    if (good) await this.host(code, 'start_at', '', at);
  }

  /** Who may host, asked once a page. @param {string} code */
  async listHosts(code) {
    const token = this.tokenOf(code);
    if (!token || this.worthless.has(code)) return;
    try {
      const answer = await this.line.request((n) => cmd.listHosts(n, code, token));
      if (answer.type === 'Hosts') this.set({ hosts: answer.names });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'host_only') this.worthless.add(code);
      this.set({ hosts: error.code === 'host_only' ? [] : undefined });
    }
  }

  /** @param {string} code */
  async share(code) {
    const name = (this.app.ui.tour.typed?.cohost ?? '').trim();
    this.set({ bad: [...name].length < 1 || [...name].length > 20 ? 'cohost' : '' });
    if (this.app.ui.tour.bad) return;
    const answer = await this.send('share', (n) => cmd.shareHost(n, code, this.tokenOf(code), name));
    if (answer?.type !== 'TournamentMade') return;
    this.type('cohost', '');
    this.set({ shared: { name, token: answer.token } });
    await this.listHosts(code);
  }

  /** @param {string} code @param {string} name */
  async revoke(code, name) {
    this.set({ sure: '' });
    if (!(await this.send(`revoke ${name}`, (n) => cmd.revokeHost(n, code, this.tokenOf(code), name)))) return;
    if (this.app.ui.tour.shared?.name === name) this.set({ shared: null });
    await this.listHosts(code);
  }
}
