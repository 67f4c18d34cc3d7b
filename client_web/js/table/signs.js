/**
 * Signs on the table that pass by themselves: a refusal's ring, a hint; and those of a picked run.
 *
 * Lives here: which nodes bear a sign, and for how long. Does not live here: how a sign looks.
 */

import { KIND, STOCK, UNKNOWN, legalTargets, openCards } from '../rules.js';

/** @import { Move, Ruleset, View } from '../rules.js' */
/** @import { Hit } from './hit.js' */
/** @import { Stage } from './render.js' */

const RING_MS = 1600;
const HINT_MS = 3600;

export class Signs {
  /**
   * @param {Stage} stage
   * @param {Ruleset} ruleset
   */
  constructor(stage, ruleset) {
    this.stage = stage;
    this.ruleset = ruleset;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ringTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.hintTimer = undefined;
  }

  /** Here it was refused. @param {HTMLElement | null} node */
  refuse(node) {
    clearTimeout(this.ringTimer);
    this.stage.clearMark('is-refused');
    // A ring that is there already must shake again
    if (node) void node.offsetWidth;
    this.stage.mark(node, 'is-refused');
    this.ringTimer = setTimeout(() => this.stage.clearMark('is-refused'), RING_MS);
  }

  /** A picked run and where it may go. @param {View | null} view @param {Hit | null} pick */
  pick(view, pick) {
    const { stage } = this;
    stage.clearMark('is-picked');
    stage.clearMark('is-legal');
    if (!pick || !view) return;
    for (const { node } of stage.run(pick.pile, pick.index)) stage.mark(node, 'is-picked');
    const card = openCards(view, pick.pile)[pick.index] ?? UNKNOWN;
    for (const target of legalTargets(this.ruleset, view, pick.pile, pick.index)) stage.mark(stage.targetNode(view, target, card), 'is-legal');
  }

  /** A move that could be tried (R11.10). @param {View} view @param {Move} move */
  hint(view, move) {
    const { stage } = this;
    this.clearHint();
    const open = openCards(view, move.source);
    if (move.kind === KIND.TRANSFER) {
      for (const { node } of stage.run(move.source, open.length - move.count)) stage.mark(node, 'is-hint');
      stage.mark(stage.targetNode(view, move.target, open[open.length - move.count] ?? UNKNOWN), 'is-hint');
    } else stage.mark(stage.nodeAt(STOCK, -1), 'is-hint');
    this.hintTimer = setTimeout(() => this.clearHint(), HINT_MS);
  }

  clearHint() {
    clearTimeout(this.hintTimer);
    this.stage.clearMark('is-hint');
  }

  destroy() {
    clearTimeout(this.ringTimer);
    clearTimeout(this.hintTimer);
  }
}
