/**
 * What surrounds every page: head, state of the line, foot.
 *
 * Lives here: the parts all pages share. Does not live here: their contents, and the table, which
 * has a frame of its own.
 */

import { brandMark, icon } from '../cards.js';
import { foreign, h } from '../dom.js';
import { LANGUAGES } from '../i18n.js';
import { initials } from '../phrases.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */

/** Pages under "Rules". */
const BOOK = Object.freeze(['rules', 'examples', 'faq']);

/**
 * An icon of the sprite.
 * @param {string} name
 * @returns {VNode}
 */
export function mark(name) {
  return foreign(`icon-${name}`, () => icon(/** @type {any} */ (name)));
}

/**
 * A button that runs a command and rests while it is under way; it keeps the focus meanwhile.
 * @param {App} app
 * @param {{name?: string, cls?: string, icon?: string, disabled?: boolean, click: () => unknown, [attribute: string]: any}} how
 * @param {...Children} label
 * @returns {VNode}
 */
export function button(app, { name = '', cls = '', icon: picture = '', disabled = false, click, ...attributes }, ...label) {
  const busy = name !== '' && (app.ui.busy === name || app.once.has(name));
  return h('button.btn', {
    type: 'button', class: cls, disabled, 'aria-disabled': busy ? 'true' : null, 'aria-busy': busy ? 'true' : null, on: { click }, ...attributes,
  }, picture && mark(picture), label);
}

/**
 * A square with letters that stands for a person.
 * @param {string} letters
 * @param {number} colour 1–8
 * @returns {VNode}
 */
export function seatMark(letters, colour) {
  return h('span.seat', { 'data-seat': colour, translate: 'no', 'aria-hidden': 'true' }, letters);
}

/**
 * @param {App} app
 * @param {Children} content of `main`; its `h1` gets the focus when the page changes
 * @returns {VNode[]}
 */
export function page(app, content) {
  return [head(app), ...lineState(app), h('main.wrap', { id: 'main', key: 'main', tabindex: '-1' }, content), foot(app)];
}

/** @param {App} app @returns {VNode} */
function head(app) {
  const { me } = app.state;
  const here = app.route.page;
  return h('header.wrap.top', { key: 'head' },
    h('a.brand', { href: '/', translate: 'no' }, foreign('cup', () => brandMark()), h('span', null, 'Kupa')),
    h('nav', { 'aria-label': app.t('nav.label') },
      h('a', { href: '/', 'aria-current': here === 'home' ? 'page' : null }, app.t('nav.race')),
      h('a', { href: '/daily', 'aria-current': here === 'daily' ? 'page' : null }, app.t('nav.daily')),
      h('a', { href: '/t', 'aria-current': here === 'tournaments' ? 'page' : null }, app.t('nav.tournaments')),
      h('a', { href: '/solo', 'aria-current': here === 'solo' ? 'page' : null }, app.t('nav.solo')),
      h('a', { href: '/rules', 'aria-current': BOOK.includes(here) ? 'page' : null }, app.t('nav.rules')),
      h('a', { href: '/settings', 'aria-current': here === 'settings' ? 'page' : null }, app.t('nav.settings'))),
    me && h('button.me', { type: 'button', key: 'me', on: { click: () => app.act.open('name') } },
      seatMark(initials(app.lang, me.name), 1), h('span.n', { translate: 'no', title: me.name }, me.name), h('span.sr', null, app.t('me.change'))));
}

/** Whether the page says that the line is down. @param {App} app */
export function lineIsDown(app) {
  const { phase, attempt } = app.state.status;
  return phase !== 'open' && phase !== 'stopped' && attempt > 0;
}

/** A line that is down is said once it has been down for a moment. @param {App} app @returns {VNode[]} */
function lineState(app) {
  const { phase } = app.state.status;
  if (!lineIsDown(app)) return [];
  return [h('div.wrap', { key: 'line' }, h('div.alert', { role: 'status' },
    mark('off'), h('p.grow', null, app.t('line.lost')),
    button(app, { click: () => app.act.retryNow(), disabled: phase === 'connecting' }, app.t('line.retry'))))];
}

/** @param {App} app @returns {VNode} */
function foot(app) {
  return h('footer.wrap.foot', { key: 'foot' },
    h('a', { href: '/daily' }, app.t('daily.title')),
    h('a', { href: '/leaderboards' }, app.t('boards.title')),
    app.state.me && h('a', { key: 'mine', href: `/player/${app.state.me.player}` }, app.t('foot.mine')),
    h('a', { href: '/t' }, app.t('nav.tournaments')),
    h('a', { href: '/solo' }, app.t('nav.solo')),
    h('a', { href: '/rules' }, app.t('foot.rules')),
    h('a', { href: '/faq' }, app.t('foot.faq')),
    h('a', { href: '/device' }, app.t('foot.device')),
    h('a', { href: '/settings' }, app.t('nav.settings')),
    h('div.row.langs', { role: 'group', 'aria-label': app.t('settings.lang') },
      Object.entries(LANGUAGES).map(([tag, name]) => h('button.link', {
        type: 'button', lang: tag, translate: 'no', 'aria-pressed': String(tag === app.lang.tag),
        on: { click: () => app.act.setLanguage(tag) },
      }, name))));
}
