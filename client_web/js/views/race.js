/**
 * The race: the table with its frame, kept in step with the state.
 *
 * Lives here: what the frame is told (clock, lanes, numbers, warnings) and what its buttons do.
 * Does not live here: drawing cards and gestures (`table/`), the own board's moves (the table's
 * model), sending (`sync.js`).
 */

import { LineWatch } from '../line-watch.js';
import { gameParts, seatName } from '../phrases.js';
import { progressText } from '../progress.js';
import { ownStanding, standings } from '../ranking.js';
import { rulesetOf } from '../rules.js';
import { racerOf } from '../store.js';
import { mountBoard } from '../table/board.js';
import { mountFrame } from '../table/frame.js';

/** @import { App } from '../app.js' */
/** @import { Session } from '../sync.js' */
/** @import { Heat, Room } from '../store.js' */
/** @import { BoardChange } from '../table/board.js' */
/** @import { RoomOptions } from '../wire.gen.js' */

/** Progress is spoken at most this often, as the player wishes. */
const SPEAK_MS = Object.freeze({ all: 10_000, less: 40_000, none: Infinity });
/** A reaction is shown for this long. */
const REACTION_MS = 4000;
/** A refusal is read in peace. */
const REFUSAL_MS = 4000;

export class Race {
  /**
   * @param {HTMLElement} root
   * @param {App} app
   * @param {Session} session
   * @param {Room} room
   * @param {Heat} heat
   */
  constructor(root, app, session, room, heat) {
    this.app = app;
    this.session = session;
    this.heat = heat.info.heat;
    this.lang = app.lang;
    this.settings = app.settings;
    /** @type {BoardChange | null} */
    this.own = null;
    this.pendingSinceMs = 0;
    this.watch = new LineWatch();
    this.refusedAtMs = -REFUSAL_MS;
    this.spokenAtMs = 0;
    this.spoken = '';
    this.times = '';
    this.toast = '';
    this.frame = this.makeFrame(root);
    this.board = this.makeBoard(room.info.options);
    this.frame.setTool('hint', { hidden: !room.info.options.hints });
    this.frame.setTool('undo', { hidden: room.info.options.undo === 'none' });
    this.begin(heat);
  }

  /** @param {HTMLElement} root */
  makeFrame(root) {
    const { app } = this;
    return mountFrame(root, {
      t: (key, params) => app.t(key, params),
      home: '/',
      tools: ['undo', 'hint', 'react', 'resign', 'settings'],
      onTool: (name) => this.tool(name),
      onReact: (index) => void app.act.react(index),
      confirmResign: true,
      onTick: (left) => this.board.sound.tick(left === 0),
    });
  }

  /** @param {RoomOptions} options */
  makeBoard(options) {
    const { app, session } = this;
    return mountBoard(this.frame.felt, {
      t: (key, params) => app.t(key, params),
      ruleset: rulesetOf(options.ruleset, { ranked: true, undo: undoPolicy(options.undo) }),
      settings: boardSettings(app),
      hints: options.hints,
      send: (ply, move) => session.play(ply, move),
      onRefuse: (code) => this.refuse(code),
      onChange: (change) => this.changed(change),
      onLift: () => this.frame.tray.close(),
      onSay: (text) => this.frame.say(text),
      onResync: () => void session.resync(),
    });
  }

  /** @param {Heat} heat */
  begin(heat) {
    const { info } = heat;
    const running = this.app.now() >= info.gun_ms;
    this.board.slots();
    if (!running) {
      this.frame.countdown({ now: this.app.now, gunMs: info.gun_ms, players: info.seats.length, onGo: () => this.app.draw() });
    }
    this.session.attach(this.board, info.heat, running);
  }

  /** @param {string} name of a tool */
  tool(name) {
    if (name === 'undo') this.board.undo();
    else if (name === 'hint') this.board.hint();
    else if (name === 'resign') this.board.resign();
    else if (name === 'settings') this.app.act.open('settings');
  }

  /** @param {string} code why a move was not played */
  refuse(code) {
    this.refusedAtMs = this.app.now();
    this.toast = '';
    this.frame.refuse(code);
  }

  /** The own board changed. @param {BoardChange} change */
  changed(change) {
    const fewer = this.own !== null && change.pending < this.own.pending;
    if (change.pending === 0 || fewer || this.own?.pending === 0) this.pendingSinceMs = this.app.now();
    this.own = change;
    const { room } = this.app.state;
    if (!room) return;
    this.app.dispatch({ type: '@own', seat: room.seat, out: change.out, score: change.score, moves: change.moves });
    this.app.draw();
  }

  /** Make the frame agree with the state. @param {Room} room @param {Heat} heat */
  update(room, heat) {
    if (this.settings !== this.app.settings) {
      this.settings = this.app.settings;
      this.board.setSettings(boardSettings(this.app));
    }
    const ended = heat.ended[room.seat]?.ended;
    if (ended) this.board.end(ended);
    this.clock(heat);
    this.lanes(room, heat);
    this.stats(room);
    this.tools();
    this.warn(room, heat);
    this.speak(room, heat);
  }

  /** @param {Heat} heat */
  clock(heat) {
    const { gun_ms: gunMs, deadline_ms: deadlineMs } = heat.info;
    const times = `${gunMs} ${deadlineMs} ${this.app.settings.showTime}`;
    if (times === this.times) return;
    this.times = times;
    this.frame.startClock({ now: this.app.now, gunMs, deadlineMs });
    this.frame.showClock(this.app.settings.showTime);
  }

  /** @param {Room} room @param {Heat} heat */
  lanes(room, heat) {
    const { cards } = gameParts(room.info.options.ruleset);
    const now = this.app.now();
    this.board.setRivals(standings(heat, room.info.options.goal).map((row) => {
      const who = racerOf(room, row.seat);
      const reaction = room.reactions[row.seat];
      return {
        seat: row.seat, place: row.place, out: row.out, total: cards, ended: row.ended,
        name: who ? seatName(this.app.lang, who) : '', tag: who?.tag ?? '', you: row.seat === room.seat, bot: who?.bot ?? 0,
        away: !who?.present && !who?.bot,
        say: reaction && now - reaction.atMs < REACTION_MS ? this.app.t(`react.${reaction.reaction}`) : '',
      };
    }));
  }

  /** @param {Room} room */
  stats(room) {
    const own = ownStanding(room);
    const { vegas } = gameParts(room.info.options.ruleset);
    this.frame.setStats({
      place: own?.mine.place ?? null, of: own?.of ?? null, score: this.own?.score ?? 0, vegas,
      moves: this.app.settings.showMoves ? this.own?.moves ?? 0 : null,
    });
  }

  tools() {
    const over = Boolean(this.own?.ended);
    this.frame.setTool('undo', { disabled: over || !this.own?.canUndo });
    this.frame.setTool('hint', { disabled: over || !this.own?.canHint });
    this.frame.setTool('resign', { disabled: over || !this.own });
  }

  /** What the player should know now, the gravest first. @param {Room} room @param {Heat} heat */
  warn(room, heat) {
    const now = this.app.now();
    const open = this.app.state.status.phase === 'open';
    const { lost, back, saving } = this.watch.look({ now, open, pending: this.own?.pending ?? 0, pendingSinceMs: this.pendingSinceMs, quietMs: () => this.app.act.quietMs() });
    if (back) this.back(now);
    this.frame.setSaving(saving);
    const end = this.endText(room, heat);
    this.show(lost ? this.app.t('race.lost') : end, lost, Boolean(end));
  }

  /** The words about the loss go away; who cannot see that hears it. @param {number} now */
  back(now) {
    this.spokenAtMs = now;
    this.frame.say(this.app.t('line.back'));
  }

  /** @param {string} text @param {boolean} bad @param {boolean} over the end of the own game waits for nothing */
  show(text, bad, over) {
    if (text === this.toast || (!over && this.app.now() - this.refusedAtMs < REFUSAL_MS)) return;
    this.toast = text;
    this.frame.toast(text || null, { bad, ms: 0 });
  }

  /** The own board is over, the race is not. @param {Room} room @param {Heat} heat @returns {string} */
  endText(room, heat) {
    const ended = heat.ended[room.seat]?.ended ?? this.own?.ended ?? '';
    const own = ownStanding(room);
    if (!ended || !own) return '';
    const others = standings(heat, room.info.options.goal).some((row) => row.seat !== room.seat && !row.ended);
    const text = this.app.t(`race.ended.${ended}`, { time: this.app.lang.clock(own.mine.atMs) });
    const place = this.app.t('race.place_so_far', { place: own.mine.place, of: own.of });
    return `${text} ${others ? `${place} ${this.app.t('race.others_play')}` : this.app.t('race.closing')}`;
  }

  /** Progress for those who listen, not too often. @param {Room} room @param {Heat} heat */
  speak(room, heat) {
    const now = this.app.now();
    const text = progressText(this.app.lang, room, heat);
    if (!text || text === this.spoken || now < heat.info.gun_ms) return;
    // What was said stands there to be read, also by those who come upon it later
    if (this.spoken) this.frame.unsay(this.spoken);
    if (now - this.spokenAtMs < SPEAK_MS[this.app.settings.spoken]) return;
    this.spoken = text;
    this.spokenAtMs = now;
    this.frame.say(text);
  }

  destroy() {
    this.session.detach();
    this.board.destroy();
    this.frame.destroy();
  }
}

/** @param {App} app */
function boardSettings(app) {
  const { doubleTap, oneTap, hand, index, sound } = app.settings;
  return { doubleTap, oneTap, left: hand === 'left', large: index === 'large', sound };
}

/** @param {string} undo as in RoomOptions @returns {'all' | 'hidden' | 'none'} */
function undoPolicy(undo) {
  return undo === 'hidden' || undo === 'none' ? undo : 'all';
}
