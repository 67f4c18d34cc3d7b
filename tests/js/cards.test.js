import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BACK, cardNode, cardText, faceSymbol, icon, mountSprite, moved, oldSide, setFace, sprite, suitMark } from '../../client_web/js/cards.js';
import { COURTS } from '../../client_web/js/table/art.js';
import { FakeElement, fakeDocument } from './fake-dom.js';

const document = fakeDocument();
const drawn = /** @type {FakeElement} */ (/** @type {unknown} */ (sprite()));
const marksOnly = drawn.all('symbol').length;
for (let card = 0; card < 52; card++) drawn.append(/** @type {any} */ (faceSymbol(card, 'f')), /** @type {any} */ (faceSymbol(card, 'b')));
const ids = drawn.all().map((one) => one.getAttribute('id')).filter(Boolean);

test('every card has a full and a bold face, once', () => {
  for (let card = 0; card < 52; card++) {
    for (const face of 'fb') assert.equal(ids.filter((id) => id === `face-${face}${cardText(card)}`).length, 1);
  }
  assert.equal(new Set(ids).size, ids.length);
});

test('everything that a face is composed of exists', () => {
  for (const one of drawn.all('use')) assert.ok(ids.includes(String(one.getAttribute('href')).slice(1)), String(one.getAttribute('href')));
});

/** The outlines of a card's full face, one text for each colour. @param {string} name */
function outlines(name) {
  const face = drawn.all('symbol').find((one) => one.getAttribute('id') === `face-f${name}`);
  return (face?.all('path') ?? []).map((one) => String(one.getAttribute('d')));
}

/** Where the pieces of an outline begin. @param {string} d @returns {[number, number][]} */
const begins = (d) => d.split('M').slice(1).map((piece) => /** @type {[number, number]} */ ((piece.match(/-?[\d.]+/g) ?? []).slice(0, 2).map(Number)));

test('a number card bears as many pips as its rank, besides its two corners', () => {
  for (let card = 0; card < 52; card++) {
    const rank = (card % 13) + 1;
    const all = outlines(cardText(card));
    const marks = begins(all[rank > 10 ? all.length - 1 : 1] ?? '');
    assert.equal(marks.length - 2, rank > 10 ? 2 : rank, cardText(card));
  }
});

test('half of the pips stand on their heads, but for the one in the middle', () => {
  // A spade begins at its tip, near the upper edge: above the middle of each pip that stands, below that of one that does not
  const tips = begins(outlines('9S')[1] ?? '').slice(2);
  const middles = [36, 36, 58.7, 58.7, 70, 81.3, 81.3, 104, 104];
  assert.deepEqual(tips.map(([, y], i) => Math.sign(y - (middles[i] ?? 0))), [-1, -1, -1, -1, -1, 1, 1, 1, 1]);
});

test('a face is the same when the card is turned round', () => {
  const [letters = '', marks = ''] = outlines('8D');
  for (const d of [letters, marks]) {
    const points = begins(d).map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    const turned = begins(d).map(([x, y]) => `${(100 - x).toFixed(1)} ${(140 - y).toFixed(1)}`);
    if (d === letters) assert.deepEqual(new Set(turned), new Set(points));
    else assert.equal(points.filter((point) => turned.includes(point)).length, points.length - 2, 'but for the two in the middle row');
  }
});

test('an outline is moved, stretched and turned with all its commands', () => {
  const d = 'M1 2h3V-4c.5-1 2 3 4 5a6 7 0 1 1-3.9 10.2L0 0Z';
  assert.equal(moved(d, { x: 10, y: 20, w: 2, h: 3 }), 'M12 26h6V8c1 -3 4 9 8 15a12 21 0 1 1 -7.8 30.6L10 20Z');
  assert.equal(moved(d, { x: 0, y: 0, w: -1, h: -1 }), 'M-1 -2h-3V4c-0.5 1 -2 -3 -4 -5a6 7 0 1 1 3.9 -10.2L0 0Z');
});

test('a court figure has as many outlines as it has pieces, twice looked at or once', () => {
  for (const [rank, pieces] of Object.entries(COURTS)) {
    assert.equal(outlines(`${rank}H`).length, pieces.length + 3, 'with the line in the middle, the letters and the marks');
  }
});

test('a side that turns away looks like the card did', () => {
  const side = /** @type {any} */ (oldSide(cardNode(25, 'b')));
  assert.deepEqual([side.getAttribute('data-suit'), side.querySelector('use').getAttribute('href')], ['H', '#face-bKH']);
});

test('a card shows its face, and its back when it is not known', () => {
  const node = /** @type {any} */ (cardNode(25, 'b'));
  assert.deepEqual([node.dataset.card, node.dataset.suit, node.querySelector('use').getAttribute('href')], ['KH', 'H', '#face-bKH']);
  for (const card of [BACK, 255]) {
    setFace(node, card, 'f');
    assert.deepEqual([node.dataset.card, node.dataset.suit, node.querySelector('use').getAttribute('href')], ['back', 'B', '#card-back']);
  }
});

test('faces and icons are pictures for the eye only', () => {
  for (const one of [icon('undo'), suitMark('S'), drawn]) assert.equal(one.getAttribute('aria-hidden'), 'true');
});

test('the sprite is put on a page once', () => {
  mountSprite(/** @type {any} */ (document));
  mountSprite(/** @type {any} */ (document));
  assert.equal(document.body.children.length, 1);
});

test('a face joins the sprite when it is first shown, once', () => {
  mountSprite(/** @type {any} */ (document));
  const onPage = /** @type {FakeElement} */ (document.body.children[0]);
  assert.equal(onPage.all('symbol').length, marksOnly);
  const node = cardNode(51, 'f');
  setFace(node, BACK, 'f');
  setFace(node, 51, 'f');
  assert.equal(onPage.all('symbol').length, marksOnly + 1);
  assert.ok(document.getElementById('face-fKC'));
});

test('nothing on a card is styled in the markup: the policy of the page forbids it', () => {
  for (const one of drawn.all()) assert.equal(one.getAttribute('style'), null);
});
