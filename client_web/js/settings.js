/**
 * What the player has chosen for this device.
 *
 * Lives here: the settings with their values and defaults, keeping them, and putting them on the
 * page's root for the style sheets. Does not live here: the page that edits them.
 */

/** @import { Keep } from './storage.js' */

/**
 * @typedef {object} Settings
 * @property {string} lang language tag, or empty: the browser's
 * @property {'system' | 'light' | 'dark'} theme
 * @property {'system' | 'normal' | 'more'} contrast
 * @property {'2' | '4'} deck colours of the suits
 * @property {'normal' | 'large'} index size of the cards' indices
 * @property {'right' | 'left'} hand
 * @property {'system' | 'off' | 'fast' | 'normal' | 'slow'} motion
 * @property {'all' | 'less' | 'none'} spoken how often a screen reader hears how a race stands
 * @property {boolean} sound
 * @property {boolean} doubleTap R9.2
 * @property {boolean} oneTap R11.11
 * @property {boolean} showTime
 * @property {boolean} showMoves
 */

const KEY = 'kupa:settings';

/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
  lang: '',
  theme: 'system',
  contrast: 'system',
  deck: '2',
  index: 'normal',
  hand: 'right',
  motion: 'system',
  spoken: 'all',
  sound: false,
  doubleTap: true,
  oneTap: true,
  showTime: true,
  showMoves: true,
});

/** Values of the settings that are a choice. */
export const CHOICES = Object.freeze({
  theme: Object.freeze(['system', 'light', 'dark']),
  contrast: Object.freeze(['system', 'normal', 'more']),
  deck: Object.freeze(['2', '4']),
  index: Object.freeze(['normal', 'large']),
  hand: Object.freeze(['right', 'left']),
  motion: Object.freeze(['system', 'off', 'fast', 'normal', 'slow']),
  spoken: Object.freeze(['all', 'less', 'none']),
});

/**
 * Settings from text that an older or a broken version may have written: what fits is taken.
 * @param {string | null} text
 * @returns {Settings}
 */
export function parseSettings(text) {
  const found = readObject(text);
  /** @type {Record<string, unknown>} */
  const settings = { ...DEFAULTS };
  for (const [key, fallback] of Object.entries(DEFAULTS)) {
    const value = found[key];
    const choices = /** @type {Record<string, readonly string[]>} */ (CHOICES)[key];
    if (typeof value === typeof fallback && (!choices || choices.includes(String(value)))) settings[key] = value;
  }
  return /** @type {Settings} */ (/** @type {unknown} */ (settings));
}

/**
 * @param {string | null} text
 * @returns {Record<string, unknown>}
 */
function readObject(text) {
  try {
    const value = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/**
 * @param {Keep} keep
 * @returns {Settings}
 */
export function loadSettings(keep) {
  return parseSettings(keep.get(KEY));
}

/**
 * @param {Keep} keep
 * @param {Settings} settings
 */
export function saveSettings(keep, settings) {
  keep.set(KEY, JSON.stringify(settings));
}

/**
 * Put on the root element what the style sheets read.
 * @param {HTMLElement} root
 * @param {Settings} settings
 */
export function applySettings(root, settings) {
  const data = root.dataset;
  for (const key of /** @type {const} */ (['theme', 'contrast', 'deck', 'index', 'hand', 'motion'])) {
    const value = settings[key];
    if (value === DEFAULTS[key] || value === 'system') delete data[key];
    else data[key] = value;
  }
}
