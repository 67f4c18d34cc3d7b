/**
 * A game alone: the table with its frame, kept in step with the state.
 *
 * Lives here: what the frame is told (clock, numbers, code, warnings), what its buttons do, and when
 * the win is celebrated. Does not live here: drawing cards and gestures (`table/`), which game is on
 * the table (`solo.js`), the sheets that open over it (`solo-sheets.js`).
 */

import { LineWatch } from '../line-watch.js';
import { gameParts } from '../phrases.js';
import { rulesetOf } from '../rules.js';
import { mountBoard } from '../table/board.js';
import { mountFrame } from '../table/frame.js';
import { hasDialog } from './dialogs.js';

/** @import { App, DialogName } from '../app.js' */
/** @import { Solo } from '../solo.js' */
/** @import { Session } from '../sync.js' */
/** @import { BoardChange } from '../table/board.js' */
/** @import { BoardView } from '../wire.gen.js' */
/**
 * Who has the game that lies on the table, and asks the server for it.
 * @typedef {object} Dealer
 * @property {boolean} stale something was played since it came
 * @property {boolean} [looking] another one is being looked for
 * @property {{ruleset: string, view: BoardView} | null} game
 * @property {((game: any, anew: boolean) => void) | null} table who shows it
 * @property {() => unknown} again asks for it once more
 */

/** A refusal is read in peace. */
const REFUSAL_MS = 4000;
/** The last cards arrive and the foundations ripple before the panel covers them, at the soonest; at normal speed. */
const FEAST_MS = 1900;

/** @template {Dealer} [D=Solo] */
export class SoloTable {
  /**
   * @param {HTMLElement} root
   * @param {App} app
   * @param {Session} session
   * @param {D} solo
   * @param {string} ruleset
   */
  constructor(root, app, session, solo, ruleset) {
    this.app = app;
    this.session = session;
    this.solo = solo;
    this.ruleset = ruleset;
    this.settings = app.settings;
    /** @type {BoardChange | null} */
    this.own = null;
    this.pendingSinceMs = 0;
    this.watch = new LineWatch();
    this.refusedAtMs = -REFUSAL_MS;
    this.toast = '';
    this.times = '';
    this.code = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.feast = undefined;
    /** The panel of the end opens as soon as nothing else is open. */
    this.ending = false;
    this.frame = this.makeFrame(root);
    this.board = this.makeBoard();
    this.begin();
  }

  /** @param {HTMLElement} root */
  makeFrame(root) {
    const { app } = this;
    return mountFrame(root, {
      t: (key, params) => app.t(key, params),
      home: '/',
      tools: ['undo', 'hint', 'new', 'share', 'rules', 'settings'],
      onTool: (name) => this.tool(name),
      onCode: () => app.act.open('code'),
    });
  }

  makeBoard() {
    const { app, session } = this;
    return mountBoard(this.frame.felt, {
      t: (key, params) => app.t(key, params),
      ruleset: rulesetOf(this.ruleset, { ranked: false }),
      settings: boardSettings(app),
      send: (ply, move) => {
        this.solo.stale = true;
        session.play(ply, move);
      },
      onRefuse: (code) => this.refuse(code),
      onChange: (change) => this.changed(change),
      onSay: (text) => this.frame.say(text),
      onResync: () => void this.solo.again(),
    });
  }

  begin() {
    const { solo } = this;
    this.board.slots();
    this.session.board = this.board;
    solo.table = (game, anew) => this.dealt(game, anew);
    if (solo.game?.ruleset !== this.ruleset) return;
    if (solo.stale) void solo.again();
    else this.board.dealt(solo.game.view);
  }

  /** @param {{ruleset: string, view: BoardView}} game @param {boolean} anew it is not the one that lies here */
  dealt(game, anew) {
    if (game.ruleset !== this.ruleset) return;
    if (anew) {
      this.calm();
      this.own = null;
      this.board.slots();
    }
    this.board.dealt(game.view);
  }

  /** @param {string} name of a tool */
  tool(name) {
    if (name === 'undo') this.board.undo();
    else if (name === 'hint') this.board.hint();
    else if (name === 'new') this.more();
    else if (name === 'share') this.app.act.open('code');
    else if (name === 'rules') this.app.act.open('rules');
    else if (name === 'settings') this.app.act.open('settings');
  }

  /** Another game is asked for; after a win its panel has all that can come. */
  more() {
    if (this.own?.ended !== 'won') return this.app.act.open('again');
    this.calm();
    this.app.act.open(this.end);
  }

  /** @param {string} code why a move was not played */
  refuse(code) {
    this.refusedAtMs = this.app.now();
    this.toast = '';
    this.frame.refuse(code);
  }

  /** The board changed. @param {BoardChange} change */
  changed(change) {
    const { own } = this;
    this.count(change);
    if (change.ended === 'won' && own?.ended !== 'won') this.celebrate(own !== null);
    const { out, score, moves, ended } = change;
    this.app.dispatch({ type: '@alone', out, score, moves, ended });
    this.app.draw();
  }

  /** Since when an answer is missing. @param {BoardChange} change */
  count(change) {
    const { own } = this;
    const fewer = own !== null && change.pending < own.pending;
    if (change.pending === 0 || fewer || own?.pending === 0) this.pendingSinceMs = this.app.now();
    this.own = change;
  }

  /** Open the panel of the win. @param {boolean} now it was won this moment, before one's eyes */
  celebrate(now) {
    const { motion } = this.board.table;
    this.calm();
    this.feast = setTimeout(() => motion.whenStill(() => {
      this.ending = Boolean(this.own?.ended);
      this.openEnd();
    }), now && motion.on ? FEAST_MS * motion.scale : 0);
  }

  /** No panel of an end is on its way. */
  calm() {
    clearTimeout(this.feast);
    this.ending = false;
  }

  /** Name of the panel. @returns {DialogName} */
  get end() {
    return 'won';
  }

  /** What somebody has opened a moment ago they are reading: the panel comes when it is closed. */
  openEnd() {
    if (!this.ending || hasDialog(this.app)) return;
    this.ending = false;
    this.app.act.open(this.end);
  }

  /** That the line is down. */
  lostText() {
    return this.app.t('solo.lost');
  }

  /** Make the frame agree with the state. */
  update() {
    if (this.settings !== this.app.settings) {
      this.settings = this.app.settings;
      this.board.setSettings(boardSettings(this.app));
    }
    if (this.solo.looking) this.lookOn();
    this.clock();
    this.stats();
    this.tools();
    this.warn();
    this.openEnd();
  }

  /** Another deal is on its way: what lies here is not played on. */
  lookOn() {
    if (this.own === null) return;
    this.calm();
    this.own = null;
    this.board.slots();
  }

  clock() {
    const { alone } = this.app.state;
    const { showTime } = this.app.settings;
    const times = alone ? `${alone.gunMs} ${alone.endedMs} ${showTime}` : '';
    if (!alone || times === this.times) return;
    this.times = times;
    if (alone.endedMs < 0) this.frame.startClock({ now: this.app.now, gunMs: alone.gunMs, deadlineMs: 0 });
    else {
      this.frame.stopClock();
      this.frame.setClock(alone.endedMs);
    }
    this.frame.showClock(showTime);
  }

  stats() {
    const { vegas } = gameParts(this.ruleset);
    this.frame.setStats({
      score: this.own?.score ?? null, vegas, moves: this.app.settings.showMoves ? this.own?.moves ?? null : null,
      code: this.app.state.alone?.code ?? null,
    });
  }

  tools() {
    const over = Boolean(this.own?.ended);
    this.frame.setTool('undo', { disabled: over || !this.own?.canUndo });
    this.frame.setTool('hint', { disabled: over || !this.own?.canHint });
    this.frame.setTool('share', { disabled: !this.own });
  }

  /** What the player should know now. */
  warn() {
    const now = this.app.now();
    const open = this.app.state.status.phase === 'open';
    const { lost, back, saving } = this.watch.look({ now, open, pending: this.own?.pending ?? 0, pendingSinceMs: this.pendingSinceMs, quietMs: () => this.app.act.quietMs() });
    if (back) this.frame.say(this.app.t('line.back'));
    this.frame.setSaving(saving);
    const text = lost ? this.lostText() : this.solo.looking ? this.app.t('solo.looking') : '';
    if (text === this.toast || now - this.refusedAtMs < REFUSAL_MS) return;
    this.toast = text;
    this.frame.toast(text || null, { bad: lost, ms: 0 });
  }

  destroy() {
    this.calm();
    this.solo.table = null;
    this.session.detach();
    this.board.destroy();
    this.frame.destroy();
  }
}

/** @param {App} app */
export function boardSettings(app) {
  const { doubleTap, oneTap, hand, index, sound } = app.settings;
  return { doubleTap, oneTap, left: hand === 'left', large: index === 'large', sound };
}
