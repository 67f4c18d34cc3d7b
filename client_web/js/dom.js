/**
 * The page as a value: `h` describes elements, `patch` makes the document agree with them.
 *
 * Lives here: descriptions, creating and changing nodes, keeping focus and what was typed. Does not
 * live here: what any view looks like. Text only ever becomes text nodes and attributes; nothing
 * here can parse markup.
 */

import { below } from './base.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {string | number | boolean | null | undefined} Attribute */
/** @typedef {(event: any) => void} Handler */
/**
 * @typedef {{[attribute: string]: any} & {
 *   key?: string,
 *   on?: {[event: string]: Handler | undefined},
 *   style?: {[property: string]: string},
 *   ref?: (element: any) => void,
 * }} Props
 * `on`: listeners; `style`: set through the style object; `ref`: called once, when the element is made and in the
 * document; `value`, `checked`: set only when the description changes, so that what was typed stays.
 */
/** @typedef {{tag: string, props: Props, kids: Kid[], make?: () => Element}} VNode */
/** @typedef {VNode | string} Kid */
/** @typedef {Kid | number | false | null | undefined | Children[]} Children */

/**
 * Describe an element.
 * @param {string} selector tag with classes, `p.small.muted`
 * @param {Props | null} [props]
 * @param {...Children} children texts, descriptions, lists of them; nothing for false and null
 * @returns {VNode}
 */
export function h(selector, props, ...children) {
  const [tag = 'div', ...classes] = selector.split('.');
  const own = { ...props };
  if (classes.length) own.class = [...classes, own.class].filter(Boolean).join(' ');
  return { tag, props: own, kids: flat(children) };
}

/**
 * An element made by somebody else, kept as long as its key stays at this place.
 * @param {string} key
 * @param {() => Element} make
 * @returns {VNode}
 */
export function foreign(key, make) {
  return { tag: '#foreign', props: { key }, kids: [], make };
}

/**
 * @param {Children[]} children
 * @returns {Kid[]}
 */
function flat(children) {
  return children.flat(/** @type {1} */ (Infinity)).flatMap((child) => {
    if (child === null || child === undefined || child === false || child === '') return [];
    return [typeof child === 'number' ? String(child) : /** @type {Kid} */ (child)];
  });
}

/**
 * All text of a description, for labels and tests.
 * @param {Children} node
 * @returns {string}
 */
export function textOf(node) {
  return flat([node]).map((kid) => (typeof kid === 'string' ? kid : kid.kids.map(textOf).join(''))).join('');
}

/** @type {WeakMap<Node, VNode>} what each node was made from */
const shown = new WeakMap();

/**
 * Make the children of an element agree with a description.
 * @param {Element} parent
 * @param {Children[]} children
 */
export function patch(parent, children) {
  patchKids(parent, flat(children));
}

/**
 * @param {Element} parent
 * @param {Kid[]} kids
 */
function patchKids(parent, kids) {
  const keyed = new Map();
  for (const node of parent.childNodes) {
    const key = shown.get(node)?.props.key;
    if (key !== undefined) keyed.set(key, node);
  }
  let next = parent.firstChild;
  for (const kid of kids) {
    const key = typeof kid === 'string' ? undefined : kid.props.key;
    const found = key === undefined ? unkeyed(next) : keyed.get(key) ?? null;
    if (found && fits(found, kid)) {
      if (found === next) next = next?.nextSibling ?? null;
      else parent.insertBefore(found, next);
      keyed.delete(key);
      update(found, kid);
    } else {
      parent.insertBefore(create(kid, parent.namespaceURI === SVG), next);
      tell(kid, next ? next.previousSibling : parent.lastChild);
    }
  }
  while (next) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
}

/** @param {Node | null} node @returns {Node | null} the node unless a key claims it */
function unkeyed(node) {
  return node && shown.get(node)?.props.key === undefined ? node : null;
}

/** @param {Node} node @param {Kid} kid */
function fits(node, kid) {
  if (typeof kid === 'string') return node.nodeType === Node.TEXT_NODE;
  return shown.get(node)?.tag === kid.tag;
}

/** @param {Kid} kid @param {boolean} svg @returns {Node} */
function create(kid, svg) {
  if (typeof kid === 'string') return document.createTextNode(kid);
  const inside = svg || kid.tag === 'svg';
  const element = kid.make?.() ?? (inside ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag));
  shown.set(element, kid);
  if (kid.make) return element;
  setProps(element, {}, kid.props);
  for (const child of kid.kids) element.append(create(child, inside));
  return element;
}

/** Call the `ref`s of a new node and of those in it. @param {Kid} kid @param {Node | null} node */
function tell(kid, node) {
  if (typeof kid === 'string' || kid.make || !node) return;
  kid.kids.forEach((child, i) => tell(child, node.childNodes[i] ?? null));
  kid.props.ref?.(node);
}

/** @param {Node} node @param {Kid} kid */
function update(node, kid) {
  if (typeof kid === 'string') {
    if (node.nodeValue !== kid) node.nodeValue = kid;
    return;
  }
  if (kid.make || !(node instanceof Element)) return;
  const before = shown.get(node);
  shown.set(node, kid);
  setProps(node, before?.props ?? {}, kid.props);
  patchKids(node, kid.kids);
}

const SPECIAL = new Set(['key', 'on', 'style', 'ref', 'value', 'checked']);

/** @param {Element} element @param {Props} before @param {Props} now */
function setProps(element, before, now) {
  for (const name of Object.keys({ ...before, ...now })) {
    if (SPECIAL.has(name) || before[name] === now[name]) continue;
    setAttribute(element, name, now[name]);
  }
  for (const type of Object.keys(now.on ?? {})) listen(element, type);
  for (const [property, value] of Object.entries(now.style ?? {})) {
    if (before.style?.[property] !== value) styleOf(element).setProperty(property, value);
  }
  for (const name of ['value', 'checked']) {
    if (name in now && before[name] !== now[name]) Object.assign(element, { [name]: now[name] });
  }
}

/** @param {Element} element @returns {CSSStyleDeclaration} */
function styleOf(element) {
  return /** @type {HTMLElement} */ (element).style;
}

/** @param {Element} element @param {string} name @param {Attribute} value */
function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : addressed(name, String(value)));
}

/** Addresses of this site lie below its path. @param {string} name @param {string} value */
function addressed(name, value) {
  return (name === 'href' || name === 'src') && value.startsWith('/') ? below(value) : value;
}

/** @type {WeakMap<Element, Set<string>>} event types already listened to */
const heard = new WeakMap();

/** One listener a type; it asks the present description. @param {Element} element @param {string} type */
function listen(element, type) {
  const types = heard.get(element) ?? new Set();
  heard.set(element, types);
  if (types.has(type)) return;
  types.add(type);
  element.addEventListener(type, (event) => shown.get(element)?.props.on?.[type]?.(event));
}
