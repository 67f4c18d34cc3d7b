/**
 * Pointers on the felt: a press becomes a tap or a drag, with mouse, finger and pen alike.
 *
 * Lives here: one pointer's way from down to up. Does not live here: what a tap means (`hand.js`),
 * how dragged cards look (the table).
 */

/** @import { Point } from './layout.js' */

/** How far a pointer may stray and still tap; CSS pixels. @type {Readonly<Record<string, number>>} */
const SLACK = Object.freeze({ mouse: 5, pen: 7, touch: 9 });

/**
 * What the felt does with a pointer.
 * @typedef {object} Felt
 * @property {(at: Point) => void} down before anything else
 * @property {(at: Point & {ms: number}) => void} tap
 * @property {(at: Point) => boolean} lift whether there is something to drag here
 * @property {(by: Point) => void} drag
 * @property {() => void} drop
 * @property {() => void} cancel what was lifted goes back
 */

/**
 * Listen to pointers on an element.
 * @param {HTMLElement} element
 * @param {Felt} felt positions are relative to the element
 * @returns {{cancel: () => void, destroy: () => void}}
 */
export function bindGestures(element, felt) {
  /** @type {{id: number, start: Point, slack: number, dragging: boolean, dead: boolean} | null} */
  let pointer = null;
  const stop = new AbortController();
  // Measured again only when it may have moved: asking the browser at every press would make it lay out the page each time
  /** @type {DOMRect | null} */
  let box = null;
  const forget = () => { box = null; };
  const where = (/** @type {PointerEvent} */ event) => {
    box ??= element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const sizes = new ResizeObserver(forget);
  sizes.observe(element);
  const end = (/** @type {boolean} */ given) => {
    const { dragging } = pointer ?? { dragging: false };
    pointer = null;
    if (dragging) given ? felt.drop() : felt.cancel();
  };

  const down = (/** @type {PointerEvent} */ event) => {
    if (pointer || event.button !== 0) return;
    const start = where(event);
    pointer = { id: event.pointerId, start, slack: SLACK[event.pointerType] ?? 7, dragging: false, dead: false };
    felt.down(start);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (pointer?.id !== event.pointerId || pointer.dead) return;
    const at = where(event);
    const by = { x: at.x - pointer.start.x, y: at.y - pointer.start.y };
    if (!pointer.dragging) {
      if (Math.hypot(by.x, by.y) <= pointer.slack) return;
      pointer.dragging = felt.lift(pointer.start);
      pointer.dead = !pointer.dragging;
      if (pointer.dragging) element.setPointerCapture(event.pointerId);
    }
    if (pointer.dragging) felt.drag(by);
  };
  const up = (/** @type {PointerEvent} */ event) => {
    if (pointer?.id !== event.pointerId) return;
    const { dragging, dead, start } = pointer;
    end(true);
    if (!dragging && !dead) felt.tap({ ...start, ms: event.timeStamp });
  };
  const lost = (/** @type {PointerEvent} */ event) => {
    if (pointer?.id === event.pointerId) end(false);
  };

  const options = { signal: stop.signal };
  element.addEventListener('pointerdown', down, options);
  element.addEventListener('pointermove', move, options);
  element.addEventListener('pointerup', up, options);
  element.addEventListener('pointercancel', lost, options);
  // A finger is first captured by the card it touched; handing it over to the felt is no loss
  element.addEventListener('lostpointercapture', (event) => { if (event.target === element) lost(event); }, options);
  window.addEventListener('scroll', forget, { ...options, capture: true, passive: true });
  window.addEventListener('resize', forget, options);
  element.addEventListener('dragstart', (event) => event.preventDefault(), options);
  element.addEventListener('contextmenu', (event) => { if (pointer) event.preventDefault(); }, options);
  return { cancel: () => end(false), destroy: () => { end(false); stop.abort(); sizes.disconnect(); } };
}
