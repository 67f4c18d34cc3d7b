"""Whether text can be read where axe-core does not say: over gradients, pictures and things that lie under it.

What lives here: what is behind a text, as every colour that it may lie upon, and the contrast with each of them. What
does not: going through pages (test_axe, test_pages), the rules of axe-core itself.

axe-core finds the colour behind most texts. Where it finds no single one it calls the node "incomplete", which is no
violation: whatever is wrong there would never fail a test.
"""

from __future__ import annotations

SOURCE = r"""(() => {
  const ENOUGH = 4.5;
  const ENOUGH_LARGE = 3;
  const COLOUR = /(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch|color)\([^()]*\)|#[0-9a-f]{3,8}|\btransparent\b/gi;
  const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

  /** Red, green, blue of 0 to 255, and how much it covers. */
  const parsed = (colour) => {
    if (colour === 'none') return [0, 0, 0, 0];
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = '#000';
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((one, i) => one * a + under[i] * (1 - a));
  const light = (rgb) => {
    const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb.map((one) => linear(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };

  /** A list of images at the commas that are outside of all brackets. */
  const split = (list) => {
    const found = [''];
    let depth = 0;
    for (const sign of list) {
      depth += { '(': 1, ')': -1 }[sign] ?? 0;
      if (sign === ',' && depth === 0) found.push('');
      else found[found.length - 1] += sign;
    }
    return found;
  };

  /** What one box or its pseudo-element may show at some place, from below: each layer as the colours in it. */
  const layersOf = (style) => {
    const images = split(style.backgroundImage).filter((image) => image.trim() !== 'none').reverse();
    const found = images.map((image) => (image.includes('gradient(') ? image.match(COLOUR).map(parsed) : [null]));
    return [[parsed(style.backgroundColor)], ...found];
  };
  const boxes = (element) => {
    if (element.matches('img, canvas, video')) return [[null]];
    if (element instanceof SVGGeometryElement) return [[parsed(getComputedStyle(element).fill)]];
    const own = layersOf(getComputedStyle(element));
    for (const pseudo of ['::before', '::after']) {
      const style = getComputedStyle(element, pseudo);
      const shown = style.content !== 'none' && style.content !== 'normal';
      if (shown && style.position === 'absolute') own.push(...layersOf(style));
    }
    return own;
  };

  /** What lies under the text, the nearest first: the element, and whatever was painted before it. */
  const under = (element) => {
    const ancestors = [];
    for (let one = element; one; one = one.parentElement) ancestors.push(one);
    const { left, top, width, height } = element.getBoundingClientRect();
    const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
    const at = stack.indexOf(element);
    if (at < 0) return ancestors;
    const seen = new Set(stack.slice(at));
    // What does not take the pointer is not in the stack
    const between = ancestors.filter((one) => !seen.has(one));
    return between.length === 0 ? [...seen] : [...ancestors, ...[...seen].filter((one) => !ancestors.includes(one))];
  };

  /** Every colour that the text may lie upon; null: a picture is among them. */
  const backdrops = (element) => {
    let behind = [[255, 255, 255]];
    const layers = [];
    for (const one of under(element)) {
      const own = boxes(one);
      layers.unshift(...own);
      if (own.some((colours) => colours.every((colour) => colour?.[3] === 1))) break;
    }
    for (const colours of layers) {
      if (colours.includes(null)) return null;
      const mixed = behind.flatMap((rgb) => colours.map((colour) => over(colour, rgb)));
      behind = [...new Map(mixed.map((rgb) => [rgb.map(Math.round).join(), rgb])).values()];
    }
    return behind;
  };

  const text = (element) => {
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    let cover = 1;
    for (let one = element; one; one = one.parentElement) cover *= Number(getComputedStyle(one).opacity);
    const [r, g, b, a] = parsed(element instanceof SVGElement ? style.fill : style.color);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    return { colour: [r, g, b, a * cover], enough: large ? ENOUGH_LARGE : ENOUGH };
  };

  /** Bring it into view for as long as it is looked at. */
  const inView = (element, look) => {
    const places = [];
    for (let one = element; one; one = one.parentElement) places.push([one, one.scrollLeft, one.scrollTop]);
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const found = look();
    for (const [one, left, top] of places) one.scrollTo({ left, top, behavior: 'instant' });
    return found;
  };

  /** Why a text that axe-core could not judge cannot be read, in words; nothing when it can, or when it has gone. */
  const judge = ({ element, html }) => {
    if (!element.isConnected) return '';
    const behind = inView(element, () => backdrops(element));
    if (behind === null) return `color-contrast: ${html} lies on a picture`;
    const { colour, enough } = text(element);
    const least = Math.min(...behind.map((rgb) => ratio(over(colour, rgb), rgb)));
    return least < enough ? `color-contrast: ${html} has ${least.toFixed(2)} of ${enough} at its worst place` : '';
  };

  window.unreadable = (incomplete) => {
    const open = incomplete.filter(({ id }) => id === 'color-contrast');
    return open.flatMap(({ nodes }) => nodes.map(judge).filter(Boolean));
  };
})()"""
"""Gives the page `unreadable`: from what axe-core left open (with `elementRef`) to what is wrong with it, in words.

Every colour of a gradient counts wherever it is, and a text may lie anywhere on it: rather too strict than too mild.
"""
