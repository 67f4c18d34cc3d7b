/**
 * What the pages of the hall begin with: the tournament in the address, this device's look, card faces, words.
 */

import { within } from '../base.js';
import { mountSprite } from '../cards.js';
import { applySettings, loadSettings } from '../settings.js';
import { browserKeep } from '../storage.js';
import { wordsFor } from './words.js';

/** @returns {Promise<{code: string, lang: Awaited<ReturnType<typeof wordsFor>>}>} */
export async function stage() {
  const settings = loadSettings(browserKeep(() => window.localStorage));
  applySettings(document.documentElement, settings);
  mountSprite(document);
  const lang = await wordsFor(window.location.search, settings.lang);
  document.documentElement.lang = lang.tag;
  return { code: (within(window.location.pathname).split('/')[2] ?? '').toUpperCase(), lang };
}
