/**
 * The page around a table: bar with clock and numbers, the felt, the dock of tools, and what comes
 * over the felt for a while.
 *
 * Lives here: building these parts and showing what the owner tells them. Does not live here: cards
 * (`table.js`), what the tools do, where the numbers come from.
 */

import { below } from '../base.js';
import { brandMark, icon } from '../cards.js';
import { el, setAll } from './dom.js';
import { Toast, Veil, makeQuestion, makeTray, speak, unsay } from './overlays.js';

/** @import { Translate } from './labels.js' */

/** Tools of the dock and their icons. @type {Readonly<Record<string, string>>} */
const ICON = Object.freeze({
  undo: 'undo', hint: 'hint', react: 'smile', resign: 'flag', settings: 'settings', share: 'share', new: 'plus', rules: 'book', leave: 'back',
});
/** From here on the clock says that time is short. */
const SHORT_MS = 60_000;

/**
 * @typedef {object} FrameOptions
 * @property {Translate} t
 * @property {string} [home] where the mark leads
 * @property {readonly string[]} tools names of ICON, in order
 * @property {(name: string) => void} onTool
 * @property {(index: number) => void} [onReact]
 * @property {boolean} [confirmResign] ask before `resign` is handed on
 * @property {(left: number) => void} [onTick] each second of a countdown; 0: the gun
 * @property {() => void} [onCode] makes the code in the bar a button
 */

/**
 * What the bar shows; a missing field leaves it as it is, null hides it.
 * @typedef {object} Stats
 * @property {number | null} [place]
 * @property {number | null} [of]
 * @property {number | null} [score]
 * @property {boolean} [vegas] the score is in dollars (R6.4)
 * @property {number | null} [moves]
 * @property {string | null} [code] of the deal, where it may be known
 */

/** Minutes and seconds, two digits each; hours when there are any. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h ? `${h}:` : ''}${two(m)}:${two(s)}`;
}

/** R6.4. @param {number} score @param {boolean} vegas */
export const scoreText = (score, vegas) => (vegas ? `${score < 0 ? '-' : ''}$${Math.abs(score)}` : String(score));

export class Frame {
  /**
   * @param {HTMLElement} root becomes the page of the table
   * @param {FrameOptions} options
   */
  constructor(root, options) {
    const { t } = options;
    this.root = root;
    this.options = options;
    this.vegas = false;
    this.live = { polite: el('p', { class: 'sr', role: 'status' }), assertive: el('p', { class: 'sr', role: 'alert' }) };
    this.felt = el('main', { class: 'felt' });
    /** @type {Map<string, HTMLButtonElement>} */
    this.tools = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.clockTimer = undefined;
    this.time = el('span');
    this.limit = el('small');
    this.clock = el('div', { class: 'clock', role: 'timer', 'aria-label': t('clock.name'), hidden: true }, this.time, this.limit);
    this.clockHidden = false;
    this.code = this.makeCode();
    this.saving = el('span', { class: 'saving', hidden: true }, icon('clock'), el('span', {}, t('table.saving')));
    this.stats = { place: makeStat(t('stat.place')), score: makeStat(t('stat.score')), moves: makeStat(t('stat.moves')) };
    root.classList.add('page-table', 'on-felt');
    root.replaceChildren(this.makeBar(), this.felt, this.makeDock(), this.live.polite, this.live.assertive);
    this.note = new Toast(this.felt, this.live);
    this.tray = makeTray(this.felt, t, (index) => options.onReact?.(index), (open) => this.unfold(open));
    const words = { text: t('resign.ask'), yes: t('resign.yes'), no: t('resign.no') };
    this.question = makeQuestion(this.felt, words, () => options.onTool('resign'));
    this.cover = new Veil(this.felt, this.live);
  }

  makeBar() {
    const { t, home = '/' } = this.options;
    const boxes = Object.values(this.stats).map(({ box }) => box);
    const brand = el('a', { class: 'brand', href: below(home), translate: 'no', 'aria-label': t('table.home') }, brandMark(), el('span', {}, 'Kupa'));
    return el('header', { class: 'bar' }, brand, this.clock, this.code, this.saving, el('dl', { class: 'stats' }, ...boxes));
  }

  /** @returns {HTMLElement} the chip with the code of the deal */
  makeCode() {
    const { onCode } = this.options;
    const chip = { class: 'chip chip--felt code', translate: 'no', hidden: true };
    if (!onCode) return el('span', chip);
    const button = el('button', { ...chip, type: 'button' });
    button.addEventListener('click', onCode);
    return button;
  }

  makeDock() {
    const { t, tools } = this.options;
    for (const name of tools) {
      const label = el('span', {}, t(`tool.${name}`));
      const button = el('button', { class: 'tool', type: 'button', 'data-tool': name }, icon(ICON[name] ?? 'menu'), label);
      button.addEventListener('click', () => this.press(name, button));
      this.tools.set(name, button);
    }
    return el('nav', { class: 'dock', 'aria-label': t('table.tools') }, ...this.tools.values());
  }

  /** The tray is open or closed. @param {boolean} open */
  unfold(open) {
    const button = this.tools.get('react');
    if (button) setAll(button, { 'aria-expanded': open ? 'true' : null });
  }

  /** @param {string} name @param {HTMLButtonElement} button */
  press(name, button) {
    if (button.getAttribute('aria-disabled')) return;
    if (name === 'react') return this.tray.open ? this.tray.close() : this.tray.show();
    this.tray.close();
    if (name === 'resign' && this.options.confirmResign) return this.question.ask();
    this.options.onTool(name);
  }

  /**
   * Change a tool of the dock.
   * @param {string} name
   * @param {{disabled?: boolean, hidden?: boolean, pressed?: boolean}} state
   */
  setTool(name, { disabled, hidden, pressed }) {
    const button = this.tools.get(name);
    if (!button) return;
    if (disabled !== undefined) setAll(button, { 'aria-disabled': disabled ? 'true' : null });
    if (hidden !== undefined) button.hidden = hidden;
    if (pressed !== undefined) setAll(button, { 'aria-pressed': String(pressed) });
  }

  /**
   * Let the clock run by itself: time since the gun, and the limit where there is one.
   * @param {{now: () => number, gunMs: number, deadlineMs: number}} times of one clock; deadlineMs 0: no limit
   */
  startClock({ now, gunMs, deadlineMs }) {
    const limit = deadlineMs > gunMs ? deadlineMs - gunMs : 0;
    const tick = () => {
      const elapsed = Math.max(0, now() - gunMs);
      this.setClock(elapsed, limit);
      this.clockTimer = setTimeout(tick, 1000 - (elapsed % 1000) + 4);
    };
    this.stopClock();
    tick();
  }

  stopClock() {
    clearTimeout(this.clockTimer);
  }

  /** @param {number} elapsedMs since the gun @param {number} [limitMs] 0: none */
  setClock(elapsedMs, limitMs = 0) {
    const shown = limitMs ? Math.min(elapsedMs, limitMs) : elapsedMs;
    this.time.textContent = clockText(shown);
    this.limit.textContent = limitMs ? this.options.t('clock.limit', { time: clockText(limitMs) }) : '';
    this.clock.hidden = this.clockHidden;
    this.clock.classList.toggle('is-short', limitMs > 0 && limitMs - shown <= SHORT_MS);
  }

  /** @param {boolean} shown setting "show time" */
  showClock(shown) {
    this.clockHidden = !shown;
    this.clock.hidden = !shown;
  }

  /** @param {Stats} stats */
  setStats({ place, of, score, vegas, moves, code }) {
    if (vegas !== undefined) this.vegas = vegas;
    this.setStat('place', place === undefined || place === null ? place : of ? this.options.t('stat.of', { place, of }) : String(place));
    this.setStat('score', score === undefined || score === null ? score : scoreText(score, this.vegas));
    this.setStat('moves', moves === undefined || moves === null ? moves : String(moves));
    if (code === undefined) return;
    this.code.hidden = code === null;
    this.code.textContent = code ?? '';
  }

  /** @param {'place' | 'score' | 'moves'} name @param {string | null | undefined} text */
  setStat(name, text) {
    if (text === undefined) return;
    const stat = this.stats[name];
    stat.box.hidden = text === null;
    if (stat.value.textContent !== text) stat.value.textContent = text;
  }

  /**
   * The veil with 3, 2, 1; it goes away by itself.
   * @param {{now: () => number, gunMs: number, players: number, onGo: () => void}} count
   */
  countdown({ now, gunMs, players, onGo }) {
    const text = this.options.t('countdown.same', { n: players });
    this.cover.count({ now, gunMs, text, go: this.options.t('countdown.go'), onGo, onTick: (left) => this.options.onTick?.(left) });
  }

  /** @param {string | null} text words over the whole felt, or none */
  veil(text) {
    this.cover.show(text);
    if (text) speak(this.live.polite, text);
  }

  /** Why a move was not played. @param {string} code an ErrorCode */
  refuse(code) {
    this.toast(this.options.t(`refusal.${code}`), { bad: true });
  }

  /** @param {string | null} text @param {{bad?: boolean, ms?: number}} [how] ms 0: until it is taken away */
  toast(text, how) {
    this.note.show(text, how);
  }

  /** @param {boolean} saving answers are outstanding for long */
  setSaving(saving) {
    this.saving.hidden = !saving;
  }

  /** @param {string} text to be read out */
  say(text) {
    speak(this.live.polite, text);
  }

  /** @param {string} text that was read out and is not true any more */
  unsay(text) {
    unsay(this.live.polite, text);
  }

  destroy() {
    this.stopClock();
    this.note.destroy();
    this.cover.destroy();
    this.root.classList.remove('page-table', 'on-felt');
    this.root.replaceChildren();
  }
}

/** @param {string} name in words */
function makeStat(name) {
  const value = el('dd');
  return { value, box: el('div', { class: 'stat', hidden: true }, el('dt', {}, name), value) };
}

/**
 * @param {HTMLElement} root
 * @param {FrameOptions} options
 */
export function mountFrame(root, options) {
  return new Frame(root, options);
}
