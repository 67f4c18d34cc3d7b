/**
 * What pointers and keys do to the table.
 *
 * Lives here: handing presses, drags and keys to the hand and to the drag in progress. Does not live
 * here: telling a tap from a drag (`gestures.js`), the cursor (`keyboard.js`), what a tap means (`hand.js`).
 */

import { UNKNOWN, openCards } from '../rules.js';
import { hitAt } from './hit.js';
import { cardName, placeName } from './labels.js';

/** @import { Felt } from './gestures.js' */
/** @import { Keys } from './keyboard.js' */
/** @import { Table } from './table.js' */

/** @param {Table} table @returns {Felt} */
export function pointersOf(table) {
  return {
    down: () => {
      table.motion.finish();
      table.signs.clearHint();
      table.options.onLift?.();
    },
    tap: (at) => {
      const hit = table.enabled ? hitAt(table.places, table.m, at) : null;
      if (hit) table.hand.tap(hit, at);
      else table.hand.drop();
    },
    lift: (at) => {
      table.hand.drop();
      return table.enabled && table.held.lift(hitAt(table.places, table.m, at));
    },
    drag: (by) => table.held.move(by),
    drop: () => table.held.release(true),
    cancel: () => table.held.release(false),
  };
}

/** @param {Table} table @returns {Keys} */
export function keysOf(table) {
  const { t, onLift, onUndo, onHint } = table.options;
  const begin = () => {
    table.motion.finish();
    onLift?.();
  };
  return {
    act: (hit) => { begin(); table.hand.act(hit); sayPick(table); },
    pick: (hit) => { begin(); table.hand.take(hit); sayPick(table); },
    press: () => { begin(); if (table.view) table.hand.press(); },
    undo: () => { begin(); onUndo?.(); },
    hint: () => { begin(); onHint?.(); },
    escape: () => {
      const had = Boolean(table.hand.pick || table.held.hit);
      table.gestures.cancel();
      table.hand.drop();
      return had;
    },
    name: ({ pile, index }) => (table.view ? placeName(t, table.view, pile, index, table.ruleset) : ''),
  };
}

/** @param {Table} table */
function sayPick({ hand: { pick }, view, options: { t, onSay } }) {
  if (pick && view) onSay?.(t('said.picked', { card: cardName(t, openCards(view, pick.pile)[pick.index] ?? UNKNOWN) }));
}
