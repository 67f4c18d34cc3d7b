import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BACK, cardNode, cardText, faceSymbol, icon, mountSprite, setFace, sprite, suitMark } from '../../client_web/js/cards.js';
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

test('a number card bears as many pips as its rank, besides its two corners', () => {
  for (let card = 0; card < 52; card++) {
    const face = drawn.all('symbol').find((one) => one.getAttribute('id') === `face-f${cardText(card)}`);
    const marks = face?.all('use').filter((one) => one.getAttribute('href')?.startsWith('#suit-')).length ?? 0;
    const rank = (card % 13) + 1;
    assert.equal(marks - 2, rank > 10 ? 2 : rank, cardText(card));
  }
});

test('half of the pips stand on their heads, but for the one in the middle', () => {
  const ten = drawn.all('symbol').find((one) => one.getAttribute('id') === 'face-fTH');
  const turned = ten?.all('use').filter((one) => one.getAttribute('href') === '#suit-H' && one.getAttribute('transform')).length;
  assert.equal(turned, 5 + 1);
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
