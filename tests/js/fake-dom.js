/**
 * As much of a document as the card sprite needs: elements with attributes, children and look-up by
 * id. Nothing is laid out.
 */

export class FakeElement {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    /** @type {Map<string, string>} */
    this.attributes = new Map();
    /** @type {(FakeElement | string)[]} */
    this.children = [];
    /** @type {Record<string, string>} */
    this.dataset = {};
    /** @type {FakeElement | null} */
    this.parentNode = null;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  /** @param {...(FakeElement | string)} nodes */
  append(...nodes) {
    this.children.push(...nodes);
    this.adopt(nodes);
  }

  /** @param {...(FakeElement | string)} nodes */
  prepend(...nodes) {
    this.children.unshift(...nodes);
    this.adopt(nodes);
  }

  /** @param {(FakeElement | string)[]} nodes */
  adopt(nodes) {
    for (const node of nodes) if (node instanceof FakeElement) node.parentNode = this;
  }

  /** @param {string} tag @returns {FakeElement[]} */
  all(tag = '') {
    return this.children.flatMap((child) => (child instanceof FakeElement ? [...(!tag || child.tag === tag ? [child] : []), ...child.all(tag)] : []));
  }

  /** @param {string} tag */
  querySelector(tag) {
    return this.all(tag)[0] ?? null;
  }
}

/** Put a document in the place where modules look for one. */
export function fakeDocument() {
  const body = new FakeElement('body');
  const document = {
    body,
    createElement: (/** @type {string} */ tag) => new FakeElement(tag),
    createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => new FakeElement(tag),
    getElementById: (/** @type {string} */ id) => body.all().find((one) => one.getAttribute('id') === id) ?? null,
  };
  Object.assign(globalThis, { document });
  return document;
}
