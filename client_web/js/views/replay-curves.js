/**
 * How far each board was at any time: curves for the eye, the same as a table for the ear.
 *
 * Lives here: both, and the line at the instant that is shown. Does not live here: scales and paths
 * (`chart.js`), the boards (`replay.js`).
 */

import { h, patch } from '../dom.js';
import { gameParts } from '../phrases.js';
import { cardsOut } from '../rules.js';
import { el } from '../table/dom.js';
import { chart, chartShare } from './chart.js';

/** @import { App } from '../app.js' */
/** @import { Heat } from '../replay-file.js' */
/** @import { Track } from '../replay.js' */

/** @typedef {{track: Track, name: string, you: boolean}} Line */

/** Rows of the table besides the start. */
const ROWS = 10;

export class ReplayCurves {
  /** @param {App} app @param {Heat} heat @param {number} longMs */
  constructor(app, heat, longMs) {
    this.app = app;
    this.heat = heat;
    this.longMs = longMs;
    this.what = /** @type {'out' | 'score'} */ (heat.goal === 'score' ? 'score' : 'out');
    this.box = el('div', { class: 'replay-chart' });
    this.now = el('i', { class: 'replay-cursor', 'aria-hidden': 'true' });
    this.words = el('div', { class: 'sr' });
    this.element = el('section', { class: 'panel' }, el('h2', {}, app.t('result.how')), el('div', { class: 'replay-curves' }, this.box, this.now), this.words);
  }

  /** @param {readonly Line[]} lines the boards that are shown */
  show(lines) {
    const { cards, vegas } = gameParts(this.heat.ruleset);
    const curves = lines.map(({ track, name, you }) => ({
      name, you, points: track.points(), endMs: Math.min(track.endMs, this.longMs),
      label: this.what === 'score' ? this.app.lang.score(track.views.at(-1)?.score ?? 0, vegas) : this.outcome(track),
    }));
    const ends = curves.map(({ endMs }) => endMs);
    this.lastMs = Math.max(1000, ...ends);
    patch(this.box, [chart(this.app, curves, this.what, this.what === 'out' ? cards : 0)]);
    patch(this.words, [this.table(lines)]);
  }

  /** @param {Track} track */
  outcome(track) {
    const last = track.views.at(-1);
    return last?.ended === 'won' ? this.app.lang.clock(track.endMs) : this.app.lang.number(last ? cardsOut(last) : 0);
  }

  /** @param {readonly Line[]} lines */
  table(lines) {
    const { lang } = this.app;
    const { vegas } = gameParts(this.heat.ruleset);
    const times = Array.from({ length: ROWS + 1 }, (_, i) => Math.round(((this.lastMs ?? 0) * i) / ROWS));
    const value = (/** @type {Track} */ track, /** @type {number} */ ms) => {
      const view = track.viewAt(ms);
      return this.what === 'score' ? lang.score(view.score, vegas) : lang.number(cardsOut(view));
    };
    return h('table', null,
      h('caption', null, this.app.t(`chart.${this.what}`)),
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, this.app.t('clock.name')), lines.map(({ name }) => h('th', { scope: 'col' }, name)))),
      h('tbody', null, times.map((ms) => h('tr', null,
        h('th', { scope: 'row' }, lang.clock(ms)), lines.map(({ track }) => h('td', null, value(track, ms)))))));
  }

  /** @param {number} ms the instant that is shown */
  at(ms) {
    this.now.style.setProperty('--at', String(chartShare(ms, this.lastMs ?? 0)));
  }
}
