/**
 * The page of a replay: what was raced, the boards on their timeline, the standings.
 *
 * Lives here: the page around the player, and the page on which a file is opened. Does not live here:
 * the player (`replay-player.js`), fetching (`replay-desk.js`).
 */

import { foreign, h } from '../dom.js';
import { gameName, gameParts, seatName } from '../phrases.js';
import { mark, page } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { Heat } from '../replay-file.js' */
/** @import { ReplayPlayer } from './replay-player.js' */

export { ReplayPlayer } from './replay-player.js';

/**
 * @param {App} app
 * @param {Heat} heat
 * @param {ReplayPlayer} player
 * @param {string} file where the heat can be had as a file; empty: nowhere
 * @returns {VNode[]}
 */
export function replayPage(app, heat, player, file) {
  return page(app, [
    head(app, heat),
    foreign(`player ${heat.id} ${app.lang.tag}`, () => player.element),
    standings(app, heat),
    h('div.calls.gap', { key: 'calls' },
      file && h('a.btn', { href: file, download: `kupa-${heat.id}.json`, target: '_self' }, mark('copy'), app.t('replay.save')),
      file && h('a.btn', { href: `/g/${heat.id}` }, mark('people'), app.t('ghost.link')),
      h('a.btn', { href: `/d/${heat.code}` }, mark('play'), app.t('replay.try'))),
  ]);
}

/** @param {App} app @param {Heat} heat */
function head(app, heat) {
  const parts = [gameName(app.lang, heat.ruleset), app.t(`goal.${heat.goal}`)];
  return h('div', { key: 'head' },
    h('h1', { tabindex: '-1' }, app.t('replay.title')),
    h('p.row.replay-about', null, h('span', null, parts.join(' · ')), h('span.code', { translate: 'no' }, heat.code),
      heat.open && h('span.chip', null, app.t('replay.open')),
      heat.bound === true && h('span.chip.chip--ok', null, mark('check'), app.t('replay.bound')),
      heat.bound === false && h('span.chip.chip--warn', null, app.t('replay.unbound')),
      heat.rated && h('span.chip', null, app.t('replay.rated')),
      heat.difficulty && h('span.chip', null, app.t(`difficulty.${heat.difficulty}`))));
}

/** @param {App} app @param {Heat} heat */
function standings(app, heat) {
  const { vegas } = gameParts(heat.ruleset);
  const ranked = heat.boards.some(({ place }) => place > 0);
  const column = (/** @type {string} */ key) => h('th.num', { scope: 'col' }, app.t(key));
  return h('section.panel.gap', { key: 'standings' },
    h('h2', null, app.t('result.standings')),
    h('div.scrollx', null, h('table.tbl', null,
      h('thead', null, h('tr', null,
        ranked && h('th', { scope: 'col' }, app.t('result.place')), h('th', { scope: 'col' }, app.t('result.player')),
        column('stat.score'), column('result.moves'), column('result.undos'), h('th', { scope: 'col' }, app.t('replay.end')))),
      h('tbody', null, heat.boards.map((board) => h('tr', { key: board.key },
        ranked && h('td.place', null, app.lang.number(board.place)),
        h('td', { translate: board.name ? 'no' : null }, seatName(app.lang, board)),
        h('td.num', null, app.lang.score(board.score, vegas)),
        h('td.num', null, app.lang.number(board.moves)),
        h('td.num', null, app.lang.number(board.entries.filter(([kind]) => kind === 4).length)),
        h('td', null, app.t(`ended.${board.ended}`))))))));
}

/**
 * Nothing to play: it is on its way, or why not.
 * @param {App} app
 * @param {string} fault a refusal of the server, one of `ReplayError`, or empty
 * @returns {VNode[]}
 */
export function noReplay(app, fault) {
  const known = ['not_found', 'bad', 'newer', 'part'];
  const key = !fault ? 'replay.loading' : known.includes(fault) ? `replay.no.${fault}` : 'board.fault';
  return page(app, [
    h('h1', { key: 'h', tabindex: '-1' }, app.t('replay.title')),
    h('p', { key: 'p', role: 'status' }, app.t(key)),
    fault && h('div.calls.gap', { key: 'calls' }, h('a.btn', { href: '/replay' }, app.t('replay.file')), h('a.btn', { href: '/' }, app.t('nav.race'))),
  ]);
}

/**
 * Where a file is opened.
 * @param {App} app
 * @param {string} fault why the last one cannot be shown
 * @param {(file: File) => void} open
 * @returns {VNode[]}
 */
export function filePage(app, fault, open) {
  const chosen = (/** @type {Event} */ event) => {
    const file = event.target instanceof HTMLInputElement ? event.target.files?.[0] : null;
    if (file) open(file);
  };
  return page(app, [
    h('h1', { key: 'h', tabindex: '-1' }, app.t('replay.file')),
    h('div.panel.stack.gap', { key: 'file' },
      h('label', { for: 'replay-file' }, app.t('replay.choose')),
      h('div.row', null, h('label.btn.btn--do.pick', null, app.t('replay.pick'),
        h('input', { id: 'replay-file', type: 'file', accept: 'application/json,.json', on: { change: chosen } }))),
      fault && h('p.bad', { role: 'alert' }, app.t(`replay.no.${fault}`))),
  ]);
}
