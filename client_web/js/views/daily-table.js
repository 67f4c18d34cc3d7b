/**
 * A daily deal on the table: the ranked attempt, and practice of the same cards.
 *
 * Lives here: what differs from a game alone: a clock that never stops, no hints, an end that is
 * final, the sheet with the places. Does not live here: the table itself (`solo-table.js`), asking
 * for the deal (`daily-play.js`).
 */

import { gameParts } from '../phrases.js';
import { rulesetOf } from '../rules.js';
import { mountBoard } from '../table/board.js';
import { mountFrame } from '../table/frame.js';
import { boardSettings, SoloTable } from './solo-table.js';

/** @import { App } from '../app.js' */
/** @import { DailyPlay } from '../daily-play.js' */
/** @import { Session } from '../sync.js' */
/** @import { BoardChange } from '../table/board.js' */
/** @import { Params } from '../i18n.js' */

/** What the clock does is said for so long. */
const TERMS_MS = 7000;
/** Words of the frame that mean something else here. @type {Readonly<Record<string, string>>} */
const WORDS = Object.freeze({ 'resign.ask': 'daily.resign_ask', 'refusal.hints_off': 'daily.no_hints' });
const RANKED = Object.freeze(['undo', 'resign', 'leave', 'rules', 'settings']);
const PRACTICE = Object.freeze(['undo', 'hint', 'new', 'leave', 'rules', 'settings']);

/** @extends {SoloTable<DailyPlay>} */
export class DailyTable extends SoloTable {
  /** @param {HTMLElement} root @param {App} app @param {Session} session @param {DailyPlay} play @param {string} ruleset */
  constructor(root, app, session, play, ruleset) {
    super(root, app, session, play, ruleset);
    this.seenResult = '';
    this.shownTimes = '';
    if (!this.practice) this.frame.toast(app.t('daily.terms.clock'), { ms: TERMS_MS });
  }

  get practice() {
    return this.solo.want?.practice ?? false;
  }

  /** @param {HTMLElement} root */
  makeFrame(root) {
    const { app } = this;
    return mountFrame(root, {
      t: this.words(), home: '/', tools: this.practice ? PRACTICE : RANKED, onTool: (name) => this.tool(name), confirmResign: true,
    });
  }

  /** @returns {(key: string, params?: Params) => string} */
  words() {
    return (key, params) => this.app.t(WORDS[key] ?? key, params);
  }

  makeBoard() {
    const { app, session } = this;
    return mountBoard(this.frame.felt, {
      t: this.words(),
      ruleset: rulesetOf(this.ruleset, { ranked: !this.practice }),
      settings: boardSettings(app),
      hints: this.practice,
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

  /** @param {string} name of a tool */
  tool(name) {
    const { app, board, solo } = this;
    if (name === 'undo') board.undo();
    else if (name === 'hint') board.hint();
    else if (name === 'resign') board.resign();
    else if (name === 'new') void solo.dealAgain();
    else if (name === 'leave') app.act.go({ page: 'daily', date: solo.want?.date ?? '', ruleset: this.ruleset });
    else if (name === 'rules') app.act.open('rules');
    else if (name === 'settings') app.act.open('settings');
  }

  /** The board changed. @param {BoardChange} change */
  changed(change) {
    const was = this.own?.ended ?? '';
    this.count(change);
    if (change.ended) this.solo.over(this.app.now());
    // An attempt opens its sheet when the places have come
    if (this.practice && change.ended === 'won' && was !== 'won') this.celebrate(true);
    this.app.draw();
  }

  /** The sheet with the places opens once, after the last card has come to rest. */
  result() {
    const { result } = this.solo;
    if (!result || !this.own || this.seenResult) return;
    this.seenResult = result.date;
    this.celebrate(result.ended === 'won' && this.solo.stale);
  }

  get end() {
    return /** @type {const} */ ('daily');
  }

  update() {
    super.update();
    this.result();
  }

  clock() {
    const { game, endedMs } = this.solo;
    if (!game) return;
    const times = `${game.gun_ms} ${endedMs}`;
    if (times === this.shownTimes) return;
    this.shownTimes = times;
    if (endedMs < 0) this.frame.startClock({ now: this.app.now, gunMs: game.gun_ms, deadlineMs: 0 });
    else {
      this.frame.stopClock();
      this.frame.setClock(endedMs);
    }
    // A race against the clock is never without it
    this.frame.showClock(true);
  }

  stats() {
    const { vegas } = gameParts(this.ruleset);
    const moves = this.app.settings.showMoves ? this.own?.moves ?? null : null;
    this.frame.setStats({ score: this.own?.score ?? null, vegas, moves, code: this.practice ? this.app.t('daily.practice') : null });
  }

  tools() {
    const over = Boolean(this.own?.ended);
    this.frame.setTool('undo', { disabled: over || !this.own?.canUndo });
    this.frame.setTool('hint', { disabled: over || !this.own?.canHint });
    this.frame.setTool('resign', { disabled: over || !this.own });
  }

  lostText() {
    return this.app.t(this.practice ? 'solo.lost' : 'race.lost');
  }
}
