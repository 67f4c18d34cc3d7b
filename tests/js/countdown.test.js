import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { Veil } from '../../client_web/js/table/overlays.js';

/** A live region that keeps what it was made to say. */
class Region {
  constructor() {
    /** @type {string[]} */
    this.said = [];
  }

  get textContent() {
    return this.said.at(-1) ?? '';
  }

  set textContent(text) {
    this.said.push(text);
  }
}

/** An element, as far as the veil needs one. */
class Element {
  setAttribute() {}

  removeAttribute() {}

  getAttribute() {
    return null;
  }

  append() {}

  replaceChildren() {}
}

/**
 * What a countdown says.
 * @param {number} leftMs until the gun when the table is there
 * @param {number} lateMs how much later than asked for each timer fires
 */
function countdown(leftMs, lateMs = 0) {
  mock.timers.enable({ apis: ['setTimeout'] });
  Object.assign(globalThis, { document: { createElement: () => new Element() } });
  const [polite, assertive] = [new Region(), new Region()];
  const veil = new Veil(/** @type {any} */ (new Element()), /** @type {any} */ ({ polite, assertive }));
  /** @type {number[]} */
  const ticks = [];
  let [nowMs, fired] = [0, 0];
  veil.count({ now: () => nowMs, gunMs: leftMs, text: 'Get ready.', go: 'Go!', onTick: (left) => ticks.push(left), onGo: () => fired++ });
  while (nowMs < leftMs + lateMs) {
    nowMs += 1 + lateMs;
    mock.timers.tick(1);
  }
  mock.timers.tick(5000);
  mock.timers.reset();
  return { said: assertive.said, ticks, fired };
}

test('each second before the gun is said once, the first with the words, and then the gun', () => {
  assert.deepEqual(countdown(3000), { said: ['Get ready. 3', '2', '1', 'Go!'], ticks: [3, 2, 1, 0], fired: 1 });
});

test('a table that comes late says what is left', () => {
  assert.deepEqual(countdown(1400).said, ['Get ready. 2', '1', 'Go!']);
  assert.deepEqual(countdown(20).said, ['Get ready. 1', 'Go!']);
});

test('a table that comes after the gun says that it has come', () => {
  assert.deepEqual(countdown(0), { said: ['Go!'], ticks: [0], fired: 1 });
});

test('a page that is held up leaves seconds out and says none twice', () => {
  const { said, ticks } = countdown(3000, 30);
  assert.deepEqual([said[0], said.at(-1), new Set(said).size], ['Get ready. 3', 'Go!', said.length]);
  assert.deepEqual(ticks, ticks.toSorted((a, b) => b - a));
});
