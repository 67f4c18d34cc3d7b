/**
 * One board of a replay: who played it, how far they are, the table.
 *
 * Lives here: its nodes, and showing an instant. Does not live here: which instant (`replay-player.js`),
 * what the table was (`replay.js`).
 */

import { gameParts, initials, seatColour, seatLetters, seatName } from '../phrases.js';
import { cardsOut, rulesetOf } from '../rules.js';
import { SOLUTION } from '../replay.js';
import { el, setAll } from '../table/dom.js';
import { mountTable } from '../table/table.js';

/** @import { App } from '../app.js' */
/** @import { Board } from '../replay-file.js' */
/** @import { Track } from '../replay.js' */

/** Whether the user has played a board. @param {App} app @param {Board} board */
export function isMine(app, board) {
  return board.player !== '' && board.player === app.state.me?.player;
}

/** Who has played a board. @param {App} app @param {Board} board */
export function boardName(app, board) {
  if (board.key === SOLUTION) return app.t('replay.solution');
  return isMine(app, board) ? app.t('room.you_name') : seatName(app.lang, board);
}

export class ReplayBoard {
  /** @param {App} app @param {Track} track @param {string} ruleset */
  constructor(app, track, ruleset) {
    this.app = app;
    this.track = track;
    this.ruleset = ruleset;
    this.name = boardName(app, track.board);
    this.ply = -1;
    this.line = el('p', { class: 'replay-now' });
    const felt = el('div', { class: 'felt' });
    const broken = !track.holds && track.board.key !== SOLUTION;
    this.element = el('article', { class: 'replay-board on-felt', 'aria-label': this.name }, this.head(), felt,
      broken && el('p', { class: 'bad' }, app.t('replay.broken')));
    const { hand, index } = app.settings;
    this.table = mountTable(felt, {
      t: (key, params) => app.t(key, params), ruleset: rulesetOf(ruleset), onMove: () => '', onRefuse: () => {},
      settings: { doubleTap: false, oneTap: false, left: hand === 'left', large: index === 'large' },
    });
    this.table.setEnabled(false);
    setAll(this.table.board, { role: 'group', 'aria-label': this.name });
  }

  head() {
    const { app, name, track: { board } } = this;
    const you = isMine(app, board);
    const letters = board.name ? initials(app.lang, board.name) : board.bot ? seatLetters(app.lang, board) : '★';
    const colour = seatColour({ seat: Number(board.key) || 0, you, bot: board.bot });
    const place = board.place ? `${app.lang.number(board.place)}. ` : '';
    return el('header', {},
      el('span', { class: 'seat', 'data-seat': colour, translate: 'no', 'aria-hidden': 'true' }, letters),
      el('h2', { translate: board.name && !you ? 'no' : null }, `${place}${name}`), this.line);
  }

  /** @param {number} ms the instant @param {boolean} animate the cards travel */
  show(ms, animate) {
    const view = this.track.viewAt(ms);
    const ply = this.track.plyAt(ms) + (view.ended === 'time_up' ? 1 : 0);
    if (ply === this.ply) return;
    this.table.show(view, { animate: animate && ply > this.ply && this.ply >= 0 });
    this.ply = ply;
    this.line.textContent = this.standing(ms);
  }

  /** How far the board is at an instant. @param {number} ms */
  standing(ms) {
    const { cards, vegas } = gameParts(this.ruleset);
    const view = this.track.viewAt(ms);
    const parts = [this.app.t('replay.out', { n: cardsOut(view), of: cards })];
    if (this.track.board.key !== SOLUTION) parts.push(this.app.t('replay.points', { score: this.app.lang.score(view.score, vegas) }));
    if (view.ended) parts.push(this.app.t(`ended.${view.ended}`));
    return parts.join(' · ');
  }

  destroy() {
    this.table.destroy();
    this.element.remove();
  }
}
