/** Making elements without markup: the page's policy allows no inline styles, and text stays text. */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | null | undefined | false} Child nothing is left out */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] false, null and undefined are left out, true is empty
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  setAll(node, attributes);
  appendAll(node, children);
  return node;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  setAll(node, attributes);
  appendAll(node, children);
  return node;
}

/**
 * @param {Element} node
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 */
export function setAll(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value === true ? '' : value)) node.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * @param {Element} node
 * @param {Child[]} children
 */
function appendAll(node, children) {
  for (const child of children) if (child) node.append(child);
}

/**
 * Put a thing on the felt: places are custom properties, read by the style sheet.
 * @param {HTMLElement} node
 * @param {{x: number, y: number}} place CSS pixels from the felt's corner
 */
export function put(node, { x, y }) {
  node.style.setProperty('--x', `${snap(x)}px`);
  node.style.setProperty('--y', `${snap(y)}px`);
}

/** The nearest pixel of the screen: what has a layer of its own blurs between two of them. @param {number} value CSS pixels */
export function snap(value) {
  const dense = globalThis.devicePixelRatio || 1;
  return Math.round(Math.round(value * dense) / dense * 1000) / 1000;
}
