/**
 * The lanes of a race: who is how far, one lane a person, in order of the race.
 *
 * Lives here: lanes and which of them are shown when not all fit. Does not live here: the order
 * (given), the place on the felt (`layout.js`).
 */

import { icon } from '../cards.js';
import { el, put, setAll } from './dom.js';

/** @import { Metrics } from './layout.js' */
/** @import { Translate } from './labels.js' */

/**
 * @typedef {object} Rival
 * @property {number} seat
 * @property {number} place from 1
 * @property {string} name empty for a bot: it is named by its level
 * @property {string} [tag]
 * @property {boolean} you
 * @property {number} out cards on the foundations
 * @property {number} total cards of the deal
 * @property {boolean} away
 * @property {number} bot level, 0 for a person
 * @property {string} ended empty, or how the board ended
 * @property {string} say text of a reaction, or empty
 */

/** @typedef {Record<'lane' | 'place' | 'name' | 'marks' | 'value' | 'say' | 'spoken', HTMLElement> & {bar: HTMLProgressElement}} Lane */

/**
 * Which lanes to keep first when there is no room for all: you, the leader, those next to you, the others.
 * @param {readonly {you: boolean}[]} rows in order of the race
 * @returns {number[]} indices, the most wanted first
 */
export function keepOrder(rows) {
  const me = rows.findIndex(({ you }) => you);
  const rank = (/** @type {number} */ i) => (i === me ? 0 : i === 0 ? 1 : 1 + (me < 0 ? i : Math.abs(i - me)));
  return rows.map((_, i) => i).sort((a, b) => rank(a) - rank(b) || a - b);
}

export class Rivals {
  /**
   * @param {HTMLElement} felt
   * @param {Translate} t
   */
  constructor(felt, t) {
    this.t = t;
    this.list = el('ol', { class: 'rivals', 'aria-label': t('table.race'), hidden: true });
    felt.append(this.list);
    /** @type {Map<number, Lane>} */
    this.lanes = new Map();
    /** @type {readonly Rival[]} */
    this.rows = [];
    this.drawn = '';
    /** @type {Metrics | null} */
    this.m = null;
  }

  /** @param {readonly Rival[]} rows @returns {boolean} whether anything is new */
  set(rows) {
    const drawn = JSON.stringify(rows);
    if (drawn === this.drawn) return false;
    this.drawn = drawn;
    this.rows = rows;
    const seats = new Set(rows.map(({ seat }) => seat));
    for (const [seat, { lane }] of this.lanes) {
      if (seats.has(seat)) continue;
      lane.remove();
      this.lanes.delete(seat);
    }
    rows.forEach((row, i) => {
      const parts = this.lanes.get(row.seat) ?? this.makeLane(row.seat);
      this.fill(parts, row);
      if (this.list.children[i] !== parts.lane) this.list.insertBefore(parts.lane, this.list.children[i] ?? null);
    });
    this.list.hidden = !rows.length;
    this.fit();
    return true;
  }

  /** @param {number} seat @returns {Lane} */
  makeLane(seat) {
    const [place, name, marks, value] = [el('b'), el('span'), el('span'), el('span', { class: 'v' })];
    const bar = el('progress', { max: 1, value: 0 });
    const say = el('span', { class: 'say', hidden: true });
    const spoken = el('span', { class: 'sr' });
    const parts = [place, el('span', { class: 'n' }, marks, name), value, bar, say];
    for (const part of parts) part.setAttribute('aria-hidden', 'true');
    const lane = el('li', { class: 'lane', 'data-seat': seat }, spoken, ...parts);
    const made = { lane, place, name, marks, value, bar, say, spoken };
    this.lanes.set(seat, made);
    return made;
  }

  /** @param {Lane} lane @param {Rival} row */
  fill({ lane, place, name, marks, value, bar, say, spoken }, row) {
    const shown = row.you ? this.t('lane.you') : row.bot && !row.name ? this.t('lane.bot', { level: row.bot }) : row.name;
    lane.classList.toggle('is-me', row.you);
    lane.classList.toggle('is-out', Boolean(row.ended) && row.ended !== 'won');
    text(place, String(row.place));
    text(name, shown);
    text(value, String(row.out));
    setAll(bar, { max: row.total, value: row.out });
    const icons = [row.bot ? 'bot' : '', row.away ? 'off' : '', row.ended === 'won' ? 'check' : row.ended ? 'flag' : ''].filter(Boolean);
    if (marks.dataset.icons !== icons.join()) {
      marks.dataset.icons = icons.join();
      marks.replaceChildren(...icons.flatMap((one) => [icon(one), ' ']));
    }
    say.hidden = !row.say;
    text(say, row.say);
    const state = row.ended ? this.t(`lane.${row.ended}`) : row.away ? this.t('lane.away') : '';
    const label = this.t('lane.label', { place: row.place, name: shown, out: row.out, total: row.total });
    text(spoken, [label, state, row.say].filter(Boolean).join(', '));
  }

  /** Give the lanes their place on the felt. @param {Metrics} m */
  arrange(m) {
    this.m = m;
    put(this.list, m.rivals);
    this.list.style.setProperty('--w', `${m.rivals.w}px`);
    this.list.style.setProperty('--h', `${Math.max(0, m.rivals.h)}px`);
    this.list.classList.toggle('rivals--line', m.line);
    this.list.classList.toggle('rivals--tight', !m.line && m.rivals.w < 180);
    this.fit();
  }

  /** Show as many lanes as fit. */
  fit() {
    const { m, rows } = this;
    if (!m || !rows.length) return;
    const lanes = keepOrder(rows).map((i) => this.lanes.get(rows[i]?.seat ?? -1)?.lane).filter((lane) => lane !== undefined);
    for (const lane of lanes) lane.hidden = false;
    while (lanes.length && this.list.scrollHeight > m.rivals.h + 1) {
      const lane = lanes.pop();
      if (lane) lane.hidden = true;
    }
  }

  destroy() {
    this.list.remove();
  }
}

/** @param {HTMLElement} node @param {string} value */
function text(node, value) {
  if (node.textContent !== value) node.textContent = value;
}
