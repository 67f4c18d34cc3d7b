/**
 * Several boards on one timeline, played, scrubbed and stepped.
 *
 * Lives here: the player's nodes, its clock, which boards are shown. Does not live here: one board
 * (`replay-board.js`), curves (`replay-curves.js`), the page around it (`replay.js`).
 */

import { icon } from '../cards.js';
import { within } from '../base.js';
import { instant, parting, solutionBoard, Track } from '../replay.js';
import { el, setAll } from '../table/dom.js';
import { boardName, isMine, ReplayBoard } from './replay-board.js';
import { ReplayCurves } from './replay-curves.js';

/** @import { App } from '../app.js' */
/** @import { Params } from '../i18n.js' */
/** @import { Board, Heat } from '../replay-file.js' */

/** @typedef {{atMs: number, boards: readonly string[]}} Moment `boards`: keys of those that are shown */

const SPEEDS = Object.freeze([0.5, 1, 2, 4, 8, 16]);
/** Faster than this, cards jump to their places. */
const GLIDES = 4;
const MOST_SHOWN = 4;
/** The timeline goes on for a moment after the last move. */
const AFTER_MS = 1000;
const PAGE_MS = 10_000;
/** A tab that slept does not jump. */
const LONGEST_FRAME_MS = 250;
/** A way to win is shown no faster than this a move, however soon the others gave up. */
const SOLUTION_MS = 100;
const NARROW = '(max-width: 44rem)';

export class ReplayPlayer {
  /** @param {App} app @param {Heat} heat @param {Moment} moment */
  constructor(app, heat, moment) {
    this.app = app;
    this.heat = heat;
    this.t = (/** @type {string} */ key, /** @type {Params} */ params = {}) => app.t(key, params);
    const played = heat.boards.map((board) => board.entries.at(-1)?.[4] ?? 0);
    this.longMs = Math.max(heat.solution.length * SOLUTION_MS, ...played) + AFTER_MS;
    const solution = solutionBoard(heat, this.longMs - AFTER_MS);
    /** @type {readonly Board[]} */
    this.boards = solution ? [...heat.boards, solution] : heat.boards;
    /** @type {Map<string, Track>} */
    this.tracks = new Map();
    /** In the order in which they came. @type {Map<string, ReplayBoard>} */
    this.shown = new Map();
    this.atMs = 0;
    this.playing = false;
    this.speed = 1;
    this.frame = 0;
    this.chips = this.boards.map((board) => this.chip(board));
    this.grid = el('div', { class: 'replay-boards' });
    this.slider = el('input', { type: 'range', min: 0, max: this.longMs, step: 100, 'aria-label': this.t('replay.time') });
    this.marks = el('div', { class: 'replay-marks', 'aria-hidden': 'true' });
    this.clock = el('p', { class: 'replay-clock' });
    this.playButton = el('button', { class: 'btn btn--gold', type: 'button', 'data-replay': 'play' });
    this.partings = el('div', { class: 'row replay-partings' });
    this.live = el('p', { class: 'sr', 'aria-live': 'polite' });
    this.curves = new ReplayCurves(app, heat, this.longMs);
    this.element = this.build();
    for (const key of this.first(moment.boards)) this.open(key);
    this.changed();
    this.seek(moment.atMs);
  }

  /** Which boards are shown at first: those of the address, else one's own and the best. @param {readonly string[]} wanted */
  first(wanted) {
    const known = wanted.filter((key) => this.boards.some((board) => board.key === key)).slice(0, MOST_SHOWN);
    if (known.length) return known;
    const own = this.boards.filter((board) => isMine(this.app, board)).map(({ key }) => key);
    const most = matchMedia(NARROW).matches ? 1 : 2;
    return [...new Set([...own, ...this.heat.boards.map(({ key }) => key)])].slice(0, most);
  }

  // ---------------------------------------------------------------- nodes

  build() {
    const choice = el('div', { class: 'row replay-choice', role: 'group', 'aria-label': this.t('replay.boards') }, ...this.chips);
    const element = el('section', { class: 'replay', 'aria-label': this.t('replay.title') },
      this.chips.length > 1 && choice, this.grid, this.bar(), this.partings, this.live, this.curves.element);
    this.slider.addEventListener('input', () => this.scrub(Number(this.slider.value)));
    this.slider.addEventListener('keydown', (event) => this.key(event));
    this.playButton.addEventListener('click', () => this.toggle());
    element.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || !(event.target instanceof HTMLElement) || event.target.closest('button, select')) return;
      event.preventDefault();
      this.toggle();
    });
    return element;
  }

  bar() {
    const speed = el('select', { class: 'input replay-speed', 'aria-label': this.t('replay.speed') },
      ...SPEEDS.map((times) => el('option', { value: times, selected: times === 1 }, this.t('replay.times', { n: times < 1 ? '½' : times }))));
    speed.addEventListener('change', () => { this.speed = Number(speed.value); });
    return el('div', { class: 'replay-bar panel' },
      el('div', { class: 'replay-line' }, this.slider, this.marks),
      el('div', { class: 'row' },
        this.button('back', 'replay.step_back', () => this.step(-1)), this.playButton, this.button('next', 'replay.step', () => this.step(1)),
        speed, this.clock, this.linkButton()));
  }

  /** @param {'back' | 'next'} picture @param {string} label @param {() => void} click */
  button(picture, label, click) {
    const button = el('button', { class: 'btn', type: 'button', 'aria-label': this.t(label), title: this.t(label), 'data-replay': picture }, icon(picture));
    button.addEventListener('click', click);
    return button;
  }

  linkButton() {
    const button = el('button', { class: 'btn push', type: 'button', 'data-replay': 'link' }, icon('copy'), el('span', {}, this.t('replay.link')));
    button.addEventListener('click', () => {
      const hash = instant(this.atMs, [...this.shown.keys()]);
      window.history.replaceState(null, '', hash);
      this.live.textContent = this.t('replay.copied');
      void this.app.act.copy('instant', `${this.app.origin}${within(window.location.pathname)}${hash}`);
    });
    return button;
  }

  /** @param {Board} board */
  chip(board) {
    const chip = el('button', { class: 'btn btn--small', type: 'button', 'data-board': board.key }, boardName(this.app, board));
    chip.addEventListener('click', () => this.toggleBoard(board.key));
    return chip;
  }

  // ---------------------------------------------------------------- boards

  /** @param {string} key */
  toggleBoard(key) {
    if (!this.shown.has(key)) this.open(key);
    else if (this.shown.size > 1) this.close(key);
    this.changed();
    this.seek(this.atMs);
  }

  /** Show a board; the one that has been there longest makes room. @param {string} key */
  open(key) {
    const board = this.boards.find((one) => one.key === key);
    if (!board) return;
    const [oldest] = this.shown.keys();
    if (this.shown.size >= MOST_SHOWN && oldest !== undefined) this.close(oldest);
    const track = this.tracks.get(key) ?? new Track(this.heat, board);
    this.tracks.set(key, track);
    const shown = new ReplayBoard(this.app, track, this.heat.ruleset);
    this.shown.set(key, shown);
    this.grid.append(shown.element);
  }

  /** @param {string} key */
  close(key) {
    this.shown.get(key)?.destroy();
    this.shown.delete(key);
  }

  /** What follows from which boards are shown. */
  changed() {
    for (const chip of this.chips) setAll(chip, { 'aria-pressed': String(this.shown.has(chip.dataset.board ?? '')) });
    const boards = [...this.shown.values()];
    this.showPartings(boards);
    this.curves.show(boards.map(({ track, name }) => ({ track, name, you: isMine(this.app, track.board) })));
  }

  /** Where the others part from the first. @param {readonly ReplayBoard[]} boards */
  showPartings([first, ...others]) {
    this.partings.replaceChildren();
    this.marks.replaceChildren();
    for (const other of others) {
      const at = first ? parting(first.track.board, other.track.board) : null;
      if (!first || !at) continue;
      const names = this.app.lang.list([first.name, other.name]);
      const go = el('button', { class: 'btn btn--small', type: 'button', 'data-parting': other.track.board.key },
        this.t('replay.part', { names, n: at.ply + 1, time: this.app.lang.clock(at.atMs) }));
      go.addEventListener('click', () => this.goTo(at.atMs));
      this.partings.append(go);
      const mark = el('i');
      mark.style.setProperty('--at', String(at.atMs / this.longMs));
      this.marks.append(mark);
    }
  }

  // ---------------------------------------------------------------- time

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.atMs >= this.longMs) this.seek(0);
    this.playing = true;
    this.showPlay();
    let last = performance.now();
    const next = () => {
      const now = performance.now();
      this.seek(this.atMs + Math.min(LONGEST_FRAME_MS, now - last) * this.speed, this.speed <= GLIDES);
      last = now;
      if (this.atMs >= this.longMs) this.pause();
      if (this.playing) this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }

  pause() {
    if (this.playing) this.say();
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.showPlay();
  }

  showPlay() {
    const word = this.t(this.playing ? 'replay.pause' : 'replay.play');
    this.playButton.replaceChildren(icon(this.playing ? 'pause' : 'play'), el('span', {}, word));
  }

  /** @param {number} ms */
  scrub(ms) {
    if (this.playing) this.pause();
    this.seek(ms);
  }

  /** @param {number} ms */
  goTo(ms) {
    this.scrub(ms);
    this.say();
  }

  /** One entry further, of whichever board has it, or one back. @param {1 | -1} way */
  step(way) {
    this.pause();
    const times = [...this.shown.values()].flatMap(({ track }) => track.times);
    if (way > 0) {
      this.seek(Math.min(...times.filter((ms) => ms > this.atMs), this.longMs), true);
    } else {
      const past = Math.max(0, ...times.filter((ms) => ms <= this.atMs));
      this.seek(Math.max(0, ...times.filter((ms) => ms < past)));
    }
    this.say();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const moves = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      PageUp: () => this.goTo(this.atMs + PAGE_MS), PageDown: () => this.goTo(this.atMs - PAGE_MS),
    };
    if (!Object.hasOwn(moves, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moves[/** @type {keyof typeof moves} */ (event.key)]();
  }

  /** Show an instant. @param {number} ms @param {boolean} [animate] the cards travel */
  seek(ms, animate = false) {
    this.atMs = Math.max(0, Math.min(this.longMs, ms));
    const told = this.t('replay.at', { time: this.app.lang.clock(this.atMs), of: this.app.lang.clock(this.longMs) });
    this.slider.value = String(this.atMs);
    setAll(this.slider, { 'aria-valuetext': told });
    this.clock.textContent = told;
    for (const board of this.shown.values()) board.show(this.atMs, animate);
    this.curves.at(this.atMs);
    if (!this.playing) this.showPlay();
  }

  /** Read out where everybody is. */
  say() {
    const boards = [...this.shown.values()].map((board) => `${board.name}: ${board.standing(this.atMs)}`);
    this.live.textContent = [this.app.lang.clock(this.atMs), ...boards].join('. ');
  }

  /** What is shown now. @returns {Moment} */
  get moment() {
    return { atMs: this.atMs, boards: [...this.shown.keys()] };
  }

  destroy() {
    this.playing = false;
    cancelAnimationFrame(this.frame);
    for (const key of [...this.shown.keys()]) this.close(key);
  }
}
