/**
 * The settings of this device, as a page and as a sheet over the table.
 */

import { cardNode } from '../cards.js';
import { foreign, h } from '../dom.js';
import { LANGUAGES } from '../i18n.js';
import { CHOICES } from '../settings.js';
import { page } from './frame.js';
import { choice, toggle } from './options.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { Settings } from '../settings.js' */

/** Ace of spades, king of hearts, seven of diamonds, ten of clubs, and how far each lies from the one before, in rem. */
const SHOWN = Object.freeze([0, 25, 32, 48]);
const PREVIEW_STEP = 4.5;

/** Switches in the order in which they are shown. */
const SWITCHES = Object.freeze(/** @type {const} */ (['doubleTap', 'oneTap', 'sound', 'showTime', 'showMoves']));

/** @param {App} app @returns {VNode[]} */
export function settingsFields(app) {
  const { settings } = app;
  const set = (/** @type {Partial<Settings>} */ change) => app.act.setSettings(change);
  const pick = (/** @type {keyof typeof CHOICES} */ key) => choice(key, app.t(`settings.${key}`), CHOICES[key], settings[key],
    (value) => app.t(`settings.${key}.${value}`), (value) => set({ [key]: value }));
  return [
    choice('lang', app.t('settings.lang'), Object.keys(LANGUAGES), app.lang.tag, (tag) => LANGUAGES[tag] ?? tag, (tag) => app.act.setLanguage(tag)),
    pick('theme'),
    pick('contrast'),
    pick('deck'),
    pick('index'),
    preview(settings),
    pick('hand'),
    pick('motion'),
    pick('spoken'),
    h('div.field', { key: 'switches' }, SWITCHES.map((key) => toggle(app.t(`settings.${key}`), settings[key], (on) => set({ [key]: on })))),
  ];
}

/** A few cards as they look now. @param {Settings} settings */
function preview({ index }) {
  return foreign(`preview ${index}`, () => {
    const box = document.createElement('div');
    box.className = 'preview';
    box.setAttribute('aria-hidden', 'true');
    box.append(...SHOWN.map((card, i) => {
      const node = cardNode(card, index === 'large' ? 'b' : 'f');
      node.style.setProperty('--x', `${i * PREVIEW_STEP}rem`);
      return node;
    }));
    return box;
  });
}

/** @param {App} app @returns {VNode[]} */
export function settingsPage(app) {
  return page(app, h('div.sheet.sheet--page', { key: 'settings' },
    h('h1', { tabindex: '-1' }, app.t('settings.title')),
    h('p.muted', null, app.t('settings.lead')),
    h('div.stack.stack--wide', null, settingsFields(app)),
    h('div.row', null, h('a.btn', { href: '/device' }, app.t('foot.device')))));
}
