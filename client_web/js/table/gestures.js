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
 * dead: it strayed where nothing could be lifted.
 * @typedef {{id: number, start: Point, slack: number, dragging: boolean, dead: boolean}} Pointer
 */

export class Gestures {
  /**
   * Listen to pointers on an element, until `destroy`.
   * @param {HTMLElement} element
   * @param {Felt} felt positions are relative to the element
   */
  constructor(element, felt) {
    this.element = element;
    this.felt = felt;
    /** @type {Pointer | null} */
    this.pointer = null;
    // Measured again only when it may have moved: asking at every press would make the browser lay out the page each time
    /** @type {DOMRect | null} */
    this.box = null;
    this.stop = new AbortController();
    this.sizes = new ResizeObserver(() => { this.box = null; });
    this.sizes.observe(element);
    this.listen({ signal: this.stop.signal });
  }

  /** @param {{signal: AbortSignal}} options */
  listen(options) {
    const { element } = this;
    element.addEventListener('pointerdown', (event) => this.down(event), options);
    element.addEventListener('pointermove', (event) => this.move(event), options);
    element.addEventListener('pointerup', (event) => this.up(event), options);
    element.addEventListener('pointercancel', (event) => this.lost(event), options);
    // A finger is first captured by the card it touched; handing it over to the felt is no loss
    element.addEventListener('lostpointercapture', (event) => { if (event.target === element) this.lost(event); }, options);
    element.addEventListener('dragstart', (event) => event.preventDefault(), options);
    element.addEventListener('contextmenu', (event) => { if (this.pointer) event.preventDefault(); }, options);
    window.addEventListener('scroll', () => { this.box = null; }, { ...options, capture: true, passive: true });
    window.addEventListener('resize', () => { this.box = null; }, options);
  }

  /** @param {PointerEvent} event @returns {Point} */
  where(event) {
    this.box ??= this.element.getBoundingClientRect();
    return { x: event.clientX - this.box.left, y: event.clientY - this.box.top };
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (this.pointer || event.button !== 0) return;
    const start = this.where(event);
    this.pointer = { id: event.pointerId, start, slack: SLACK[event.pointerType] ?? 7, dragging: false, dead: false };
    this.felt.down(start);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { pointer } = this;
    if (pointer?.id !== event.pointerId || pointer.dead) return;
    const at = this.where(event);
    const by = { x: at.x - pointer.start.x, y: at.y - pointer.start.y };
    if (!pointer.dragging) {
      if (Math.hypot(by.x, by.y) <= pointer.slack) return;
      pointer.dragging = this.felt.lift(pointer.start);
      pointer.dead = !pointer.dragging;
      if (pointer.dragging) this.element.setPointerCapture(event.pointerId);
    }
    if (pointer.dragging) this.felt.drag(by);
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { pointer } = this;
    if (pointer?.id !== event.pointerId) return;
    this.pointer = null;
    if (pointer.dragging) this.felt.drop();
    else if (!pointer.dead) this.felt.tap({ ...pointer.start, ms: event.timeStamp });
  }

  /** @param {PointerEvent} event */
  lost(event) {
    if (this.pointer?.id === event.pointerId) this.cancel();
  }

  /** Break off what is going on; what was lifted goes back. */
  cancel() {
    const { pointer } = this;
    this.pointer = null;
    if (pointer?.dragging) this.felt.cancel();
  }

  destroy() {
    this.cancel();
    this.stop.abort();
    this.sizes.disconnect();
  }
}
