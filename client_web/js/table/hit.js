/**
 * What lies under a pointer, and over what a dropped card lies. Pure; by places, not by nodes, so
 * that a card in flight never catches a press that is meant for what lies beneath.
 */

import { COLUMN0, FOUNDATIONS, SLOT0, STOCK, WASTE, isSlot } from '../rules.js';

/** @import { Box, Metrics, Place, Point } from './layout.js' */

/** @typedef {{pile: number, index: number}} Hit index among the open cards; −1: a face-down card, the stock or bare felt of the pile */
/** @typedef {{target: number, box: Box}} Zone */

/** A drop must share this part of the card's area with a legal target to be taken for it. */
const SHARED = 0.22;

/** @param {Box} box @param {Point} at */
const inside = ({ x, y, w, h }, at) => at.x >= x && at.x < x + w && at.y >= y && at.y < y + h;

/**
 * @param {readonly Place[]} places
 * @param {Metrics} m
 * @param {Point} at
 * @returns {Hit | null}
 */
export function hitAt(places, m, at) {
  /** @type {Place | null} */
  let best = null;
  for (const one of places) {
    if (inside({ x: one.x, y: one.y, w: m.cw, h: m.ch }, at) && (!best || one.z > best.z)) best = one;
  }
  if (best) return { pile: best.pile, index: best.index };
  const zone = pileZones(m).find(({ box }) => inside(box, at));
  return zone ? { pile: zone.target, index: -1 } : null;
}

/** Every pile with the felt that belongs to it, half the gap around. @param {Metrics} m @returns {Zone[]} */
function pileZones(m) {
  const side = m.gap / 2;
  const around = (/** @type {Point} */ { x, y }) => ({ x: x - side, y: y - side, w: m.cw + m.gap, h: m.ch + m.gap });
  const waste = around(m.waste);
  return [
    { target: STOCK, box: around(m.stock) },
    ...m.found.map((at, slot) => ({ target: SLOT0 + slot, box: around(at) })),
    { target: WASTE, box: { ...waste, w: waste.w + 2 * m.fan } },
    ...columnZones(m),
  ];
}

/** @param {Metrics} m @returns {Zone[]} */
function columnZones(m) {
  const side = m.gap / 2;
  return m.cols.map((x, i) => ({ target: COLUMN0 + i, box: { x: x - side, y: m.top - m.pad, w: m.cw + m.gap, h: m.H - m.top + m.pad } }));
}

/**
 * Where a dropped card may fall: each column down to the felt's edge, the foundations as one area (R4.2).
 * @param {Metrics} m
 * @returns {Zone[]}
 */
export function dropZones(m) {
  const side = m.gap / 2;
  const xs = m.found.map(({ x }) => x);
  const ys = m.found.map(({ y }) => y);
  const [x, y] = [Math.min(...xs) - side, Math.min(...ys) - m.pad];
  const box = { x, y, w: Math.max(...xs) + m.cw + side - x, h: Math.max(...ys) + m.ch + m.pad - y };
  return [{ target: FOUNDATIONS, box }, ...columnZones(m)];
}

/** @param {Box} a @param {Box} b area they share */
export function overlap(a, b) {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}

/**
 * The target of a drop: of the legal ones the one that the card covers most, when it covers enough;
 * else whatever it covers most.
 * @param {readonly Zone[]} zones
 * @param {Box} card the first card of what is dropped
 * @param {ReadonlySet<number>} legal
 * @param {number} home where it came from
 * @returns {number} −1: no target, or home again
 */
export function dropTarget(zones, card, legal, home) {
  const own = isSlot(home) ? FOUNDATIONS : home;
  const shares = zones.map(({ target, box }) => ({ target, share: overlap(box, card) / (card.w * card.h) })).sort((a, b) => b.share - a.share);
  const fit = shares.find(({ target, share }) => legal.has(target) && share >= SHARED);
  const [most] = shares;
  // A card that has hardly left its place is put back, even where a neighbour would take it
  if (most && most.target === own && most.share > 0.6) return -1;
  if (fit) return fit.target;
  return most && most.share > 0 && most.target !== own ? most.target : -1;
}
