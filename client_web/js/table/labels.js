/**
 * What a screen reader says: the name of every pile and card, and what a move did.
 *
 * Lives here: choosing the words' keys and parameters. The words themselves come through `t`.
 */

import { SUITS } from './art.js';
import { COLUMN0, FOUNDATIONS, KIND, SLOT0, STOCK, UNKNOWN, WASTE, isSlot, openCards, rankOf, suitOf } from '../rules.js';

/** @import { Move, View } from '../rules.js' */

/** @typedef {(key: string, params?: {[name: string]: string | number}) => string} Translate */

/**
 * @param {Translate} t
 * @param {number} card
 */
export function cardName(t, card) {
  if (card === UNKNOWN || card < 0) return t('card.unknown');
  return t('card.name', { rank: t(`rankof.${rankOf(card)}`), suit: suitName(t, suitOf(card)) });
}

/** @param {Translate} t @param {number} suit */
const suitName = (t, suit) => t(`suit.${SUITS[suit] ?? ''}`);

/**
 * A place that can be focused, as it is read out.
 * @param {Translate} t
 * @param {View} view
 * @param {number} pile
 * @param {number} index among the open cards; −1: the pile is empty
 * @param {{vegas: boolean}} ruleset
 */
export function placeName(t, view, pile, index, ruleset) {
  if (pile === STOCK) return stockName(t, view, ruleset);
  if (pile === WASTE) return index < 0 ? t('pile.waste.empty') : t('pile.waste', { card: cardName(t, view.waste[index] ?? UNKNOWN) });
  if (isSlot(pile)) return slotName(t, view, pile - SLOT0);
  return columnName(t, view, pile, index);
}

/** @param {Translate} t @param {View} view @param {{vegas: boolean}} ruleset */
function stockName(t, view, { vegas }) {
  if (view.stock) return t('pile.stock', { n: view.stock });
  return t(view.waste.length && !vegas ? 'pile.stock.recycle' : 'pile.stock.empty');
}

/** @param {Translate} t @param {View} view @param {number} pile @param {number} index */
function columnName(t, view, pile, index) {
  const column = pile - COLUMN0 + 1;
  const [down, up] = view.columns[pile - COLUMN0] ?? [0, []];
  if (!up.length) return t('pile.column.empty', { column });
  const card = cardName(t, up[index] ?? UNKNOWN);
  if (index < up.length - 1) return t('pile.column.run', { column, card, n: up.length - index });
  return down ? t('pile.column.down', { column, card, n: down }) : t('pile.column', { column, card });
}

/** @param {Translate} t @param {View} view @param {number} slot */
function slotName(t, view, slot) {
  const decks = view.foundations.length / 4;
  const height = view.foundations[slot] ?? 0;
  const key = `pile.foundation${decks === 1 ? '.single' : ''}${height ? '' : '.empty'}`;
  return t(key, { suit: suitName(t, Math.floor(slot / decks)), slot: (slot % decks) + 1, rank: height ? t(`rank.${height}`) : '' });
}

/**
 * What a move does, in a few words.
 * @param {Translate} t
 * @param {View} before
 * @param {Move} move
 */
export function moveName(t, before, move) {
  if (move.kind === KIND.UNDO) return t('said.undone');
  if (move.kind === KIND.RECYCLE) return t('said.recycled');
  if (move.kind !== KIND.TRANSFER) return t('said.draw');
  const open = openCards(before, move.source);
  const card = cardName(t, open[open.length - move.count] ?? UNKNOWN);
  return move.target === FOUNDATIONS ? t('said.out', { card }) : t('said.moved', { card, column: move.target - COLUMN0 + 1 });
}

/**
 * The card that has come to light between two views, if one has.
 * @param {View} before
 * @param {View} after
 * @returns {number} −1: none
 */
export function turnedCard(before, after) {
  const last = before.waste.length - 1;
  if (after.waste.length === last + 1 && before.waste[last] === UNKNOWN) return after.waste[last] ?? -1;
  for (const [i, [, up]] of before.columns.entries()) {
    const now = after.columns[i]?.[1];
    const at = up.length - 1;
    if (up[at] === UNKNOWN && now && now[at] !== undefined && now[at] !== UNKNOWN) return now[at] ?? -1;
  }
  return -1;
}

