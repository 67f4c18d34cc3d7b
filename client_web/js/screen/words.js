/**
 * Words of the pages that stand alone: the hall's screen and what is printed.
 *
 * Lives here: which language, and fetching it. Does not live here: the words (`lang/hall.*.json`).
 */

import { chooseLanguage, Language, loadLanguage } from '../i18n.js';

/**
 * @param {string} search of the address: `?lang=tr` wins
 * @param {string} chosen on this device, or empty
 * @param {readonly string[]} browser what the browser wants, best first
 */
export function languageOf(search, chosen, browser) {
  return chooseLanguage([new URLSearchParams(search).get('lang') ?? '', chosen, ...browser]);
}

/**
 * @param {string} search of the address
 * @param {string} chosen on this device, or empty
 * @returns {Promise<Language>} the hall's words, with those of the tournament's own pages where there are some
 */
export async function wordsFor(search, chosen) {
  const tag = languageOf(search, chosen, navigator.languages);
  const get = (/** @type {string} */ file) => fetch(new URL(`../../lang/${file}`, import.meta.url));
  const fileOf = (/** @type {string} */ kind) => `${kind}.${tag}.json`;
  const [hall, pages] = await Promise.all([loadLanguage(tag, () => get(fileOf('hall'))), get(fileOf('tournament'))]);
  return pages.ok ? new Language(tag, { ...(await pages.json()), ...hall.words }) : hall;
}
