/**
 * What opens over a game alone: another deal, the code of this one, and the win.
 *
 * Lives here: these sheets. Does not live here: the frame of a sheet (`dialogs.js`), the table.
 */

import { brandMark } from '../cards.js';
import { foreign, h } from '../dom.js';
import { gameName, gameParts } from '../phrases.js';
import { savedGame } from '../store.js';
import { button, mark } from './frame.js';
import { soFar } from './solo-new.js';

/** @import { App, Sheet } from '../app.js' */
/** @import { Alone } from '../store.js' */
/** @import { Children } from '../dom.js' */

/** @param {App} app @returns {Alone} the game on the table; without one nothing opens */
function game(app) {
  return app.state.alone ?? { ruleset: app.ui.solo.ruleset, code: '', certified: false, gunMs: 0, endedMs: -1 };
}

/** Another deal, or this one again. @type {Sheet} */
export function again(app) {
  const { ruleset } = game(app);
  const saved = savedGame(app.state, ruleset);
  return { title: app.t('solo.title'), content: h('div.stack', null,
    h('p', null, gameName(app.lang, ruleset)),
    saved !== null && saved.moves > 0 && h('p.seal', { key: 'saved' }, mark('clock'), h('span', null, app.t('solo.replaces', { facts: soFar(app, saved) }))),
    h('div.choices', null,
      button(app, { cls: 'btn--do btn--big', click: () => app.act.dealAny(ruleset) }, app.t('solo.other')),
      button(app, { cls: 'btn--big', click: () => app.act.dealAgain() }, app.t('solo.restart')),
      button(app, { cls: 'btn--big', click: () => app.act.chooseGame(ruleset) }, app.t('solo.change')))) };
}

/** The code of the deal, to be passed on. @type {Sheet} */
export function code(app) {
  const { code: text, ruleset, certified } = game(app);
  return { title: app.t('code.title'), content: h('div.stack', null,
    h('p.roomcode.roomcode--deal', { translate: 'no' }, pieces(text)),
    h('p.muted', null, app.t('code.lead', { game: gameName(app.lang, ruleset) })),
    sharing(app, text),
    h('p.seal', { key: 'certified' }, mark(certified ? 'check' : 'eye'), h('span', null, app.t(certified ? 'daily.certified' : 'code.not_certified')))) };
}

/** A code may break after its dashes. @param {string} text @returns {Children} */
function pieces(text) {
  return text.split('-').map((part, i, all) => (i < all.length - 1 ? [`${part}-`, h('wbr', null)] : part));
}

/** @param {App} app @param {string} text the code */
function sharing(app, text) {
  const url = `${app.origin}/d/${text}`;
  const copied = (/** @type {string} */ what, /** @type {string} */ key) => app.t(app.ui.copied === what ? 'room.copied' : key);
  return h('div.row', { key: 'sharing' },
    app.canShare && button(app, { cls: 'btn--do', icon: 'share', click: () => app.act.share(url, 'code.share_title') }, app.t('code.share')),
    button(app, { icon: 'copy', click: () => app.act.copy('deal-code', text) }, copied('deal-code', 'code.copy')),
    button(app, { icon: 'copy', click: () => app.act.copy('deal-link', url) }, copied('deal-link', 'code.copy_link')));
}

/** R11.5: the score; time and moves if they are shown. @type {Sheet} */
export function won(app) {
  const { ruleset, code: text, endedMs } = game(app);
  const row = app.state.saved?.find((one) => one.ruleset === ruleset);
  return { title: app.t('won.title'), content: h('div.stack', null,
    h('div.won.on-felt', null,
      foreign('cup', () => brandMark()),
      h('p', null, gameName(app.lang, ruleset)),
      h('dl.wonstats', null, facts(app, ruleset, row?.score ?? 0, row?.moves ?? 0, endedMs).map(([name, value]) =>
        h('div', { key: name }, h('dt', null, name), h('dd', null, value))))),
    h('div.choices', null,
      button(app, { cls: 'btn--gold btn--big', autofocus: true, click: () => app.act.dealAny(ruleset) }, app.t('won.next')),
      button(app, { cls: 'btn--big', click: () => app.act.dealAgain() }, app.t('won.again'))),
    h('div.row', null,
      h('p.code.grow', { translate: 'no' }, text),
      button(app, { icon: 'copy', click: () => app.act.copy('deal-link', `${app.origin}/d/${text}`) },
        app.t(app.ui.copied === 'deal-link' ? 'room.copied' : 'code.copy_link')))) };
}

/** @param {App} app @param {string} ruleset @param {number} score @param {number} moves @param {number} ms @returns {[string, string][]} */
function facts(app, ruleset, score, moves, ms) {
  const { showTime, showMoves } = app.settings;
  /** @type {[string, string][]} */
  const list = [[app.t('stat.score'), app.lang.score(score, gameParts(ruleset).vegas)]];
  if (showTime && ms >= 0) list.push([app.t('clock.name'), app.lang.clock(ms)]);
  if (showMoves) list.push([app.t('stat.moves'), app.lang.number(moves)]);
  return list;
}
