/**
 * Words, numbers and times in the user's language.
 *
 * Lives here: choosing a language, filling placeholders and plurals, formatting by `Intl`. Does not
 * live here: the words (`lang/*.json`) and who shows them.
 *
 * An entry of a language file is a text with `{placeholders}`, or an object of texts by plural
 * category (`one`, `other`, …) chosen by the parameter `n`. Numbers among the parameters are
 * written in the language's own digits and separators; texts go in as they are.
 */

/** Languages on offer, each by its own name. @type {Readonly<Record<string, string>>} */
export const LANGUAGES = Object.freeze({ en: 'English', tr: 'Türkçe', id: 'Bahasa Indonesia' });

/** @typedef {string | {[category: string]: string}} Entry */
/** @typedef {{[key: string]: Entry}} Words */
/** @typedef {{[name: string]: string | number}} Params */

/**
 * The first language on offer among the wanted ones; English when there is none.
 * @param {readonly string[]} wanted tags such as `tr-TR`, best first
 */
export function chooseLanguage(wanted) {
  // Old systems still call Indonesian `in`
  const bases = wanted.map((tag) => (tag.toLowerCase().split(/[-_]/)[0] ?? '').replace(/^in$/, 'id'));
  return bases.find((base) => Object.hasOwn(LANGUAGES, base)) ?? 'en';
}

/** The words of one language with its ways of writing numbers. */
export class Language {
  /**
   * @param {string} tag one of LANGUAGES
   * @param {Words} words
   */
  constructor(tag, words) {
    this.tag = tag;
    this.words = words;
    /** What `Intl` has made so far: it takes its time, and the first page does almost without. @type {Map<string, any>} */
    this.made = new Map();
  }

  /**
   * @template T
   * @param {string} name
   * @param {() => T} make
   * @returns {T}
   */
  once(name, make) {
    if (!this.made.has(name)) this.made.set(name, make());
    return this.made.get(name);
  }

  /** @param {number} n @returns {string} its plural category */
  plural(n) {
    return this.once('plural', () => new Intl.PluralRules(this.tag)).select(n);
  }

  /** The decimal sign. @returns {string} */
  get decimal() {
    return this.once('decimal', () => new Intl.NumberFormat(this.tag).formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.');
  }

  /** @param {string} key */
  has(key) {
    return Object.hasOwn(this.words, key);
  }

  /**
   * @param {string} key
   * @param {Params} [params] `n` chooses the plural
   * @returns {string} the text; the key itself when there is none, so that a gap is seen and nothing breaks
   */
  t(key, params = {}) {
    const entry = this.words[key];
    if (entry === undefined) return key;
    const text = typeof entry === 'string' ? entry : entry[this.plural(Number(params['n']))] ?? entry['other'];
    return (text ?? key).replace(/\{(\w+)\}(\.?)/g, (whole, name, stop) => {
      const value = this.param(params[name]);
      if (value === undefined) return whole;
      // "Waiting for Ayşe K." ends with one full stop
      return value.endsWith('.') ? value : value + stop;
    });
  }

  /**
   * @param {string | number | undefined} value
   * @returns {string | undefined}
   */
  param(value) {
    return typeof value === 'number' ? this.number(value) : value;
  }

  /** A place; nobody has one before anything has counted. @param {number} value */
  place(value) {
    return value ? this.number(value) : '–';
  }

  /** @param {number} value */
  number(value) {
    // All languages on offer write these alike
    if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
    return this.once('whole', () => new Intl.NumberFormat(this.tag, { maximumFractionDigits: 0 })).format(value);
  }

  /**
   * Minutes and seconds, `4:37`; hours when there are any.
   * @param {number} ms
   */
  clock(ms) {
    const s = Math.max(0, Math.floor(ms / 1000));
    const h = Math.floor(s / 3600);
    const m = Math.floor(s / 60) % 60;
    const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
    return h ? `${this.number(h)}:${two(m)}:${two(s % 60)}` : `${this.number(m)}:${two(s % 60)}`;
  }

  /**
   * A time to the millisecond, `7:02.460`, with the language's own decimal sign.
   * @param {number} ms
   */
  exact(ms) {
    return `${this.clock(ms)}${this.decimal}${String(Math.max(0, Math.floor(ms)) % 1000).padStart(3, '0')}`;
  }

  /**
   * A span in words, `17 seconds` or `0.4 seconds`.
   * @param {number} ms
   */
  span(ms) {
    const unit = ms >= 120_000 ? 'minute' : 'second';
    const value = unit === 'minute' ? ms / 60_000 : ms / 1000;
    const digits = value < 10 ? 1 : 0;
    return new Intl.NumberFormat(this.tag, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: digits }).format(value);
  }

  /** @param {readonly string[]} items */
  list(items) {
    return new Intl.ListFormat(this.tag, { type: 'conjunction' }).format(items);
  }

  /** A change, with its sign: `+12`, `−3`, `0`. @param {number} value */
  signed(value) {
    return new Intl.NumberFormat(this.tag, { signDisplay: 'exceptZero' }).format(value);
  }

  /**
   * A score as its scoring writes it: points, or dollars in Vegas (R6.4).
   * @param {number} score
   * @param {boolean} vegas
   */
  score(score, vegas) {
    if (!vegas) return this.number(score);
    return `${score < 0 ? '-' : ''}$${this.number(Math.abs(score))}`;
  }
}

/**
 * @param {string} tag one of LANGUAGES
 * @param {(file: string) => Promise<Response>} get fetches a file of the language folder
 * @returns {Promise<Language>}
 * @throws {Error} when the file cannot be had
 */
export async function loadLanguage(tag, get) {
  const response = await get(`${tag}.json`);
  if (!response.ok) throw new Error(`language ${tag}: ${response.status}`);
  return new Language(tag, /** @type {Words} */ (await response.json()));
}
