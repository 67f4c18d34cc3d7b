/**
 * Racing somebody who is asleep: what can be raced against, the link to send, who has answered.
 *
 * Lives here: the page of `/g/<heat>`, and the link's panel that the result of a challenge shows too. Does
 * not live here: the race (a room like any other), fetching (`replay-desk.js`).
 */

import { h } from '../dom.js';
import { initials, optionFacts, seatColour, seatLetters, seatName } from '../phrases.js';
import { button, mark, page, seatMark } from './frame.js';
import { linkPanel } from './link.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */

/** @typedef {{seat: number, player: string, name: string, bot: number}} Ghost */
/** @typedef {{player: string, name: string, heat: string, at_ms: number}} Answer */
/**
 * What GET /api/ghost answers.
 * @typedef {{heat: string, ruleset: string, goal: string, minutes: number, undo: string, hints: boolean, challenge: boolean,
 *   open: boolean, ghosts: readonly Ghost[], answers: readonly Answer[]}} Recorded
 */

/** As many sit at a table beside oneself. */
const MOST = 7;

/**
 * @param {App} app
 * @param {Recorded} told
 * @param {Set<number>} left seats that are not to be raced
 * @returns {VNode[]}
 */
export function ghostPage(app, told, left) {
  const me = app.state.me?.player ?? '';
  const mine = told.ghosts.some(({ player }) => player === me && me !== '');
  const answer = told.answers.find(({ player }) => player === me);
  return page(app, [
    h('h1', { key: 'title', tabindex: '-1' }, title(app, told, mine)),
    h('div.row.facts-row', { key: 'facts' }, optionFacts(app.lang, { ...told, best_of: 1 }).map((fact) => h('span.chip', null, fact))),
    h('div.two.room', { key: 'two' },
      h('div.stack', null,
        mine || answer ? h('p', { key: 'known', role: 'status' }, app.t(mine ? 'ghost.yours' : 'ghost.answered')) : choice(app, told, left),
        mine && linkPanel(app, 'ghost.send', `/g/${told.heat}`)),
      h('div.stack', null, answers(app, told))),
  ]);
}

/** @param {App} app @param {Recorded} told @param {boolean} mine */
function title(app, told, mine) {
  if (mine) return app.t('ghost.title_mine');
  const names = app.lang.list(told.ghosts.filter(({ bot }) => bot === 0).map(({ name }) => name));
  return told.challenge ? app.t('ghost.title', { names }) : app.t('ghost.title_race');
}

/** Whose boards are raced against. @param {App} app @param {Recorded} told @param {Set<number>} left */
function choice(app, told, left) {
  const chosen = told.ghosts.filter(({ seat }) => !left.has(seat)).map(({ seat }) => seat);
  const several = told.ghosts.length > 1;
  const flip = (/** @type {number} */ seat) => {
    if (left.has(seat)) left.delete(seat);
    else left.add(seat);
    app.draw();
  };
  return h('section.panel', { key: 'choice' },
    h('h2', null, app.t('ghost.against')),
    h('ul.seats', null, told.ghosts.map((ghost) => h('li', { key: String(ghost.seat) },
      seatMark(ghost.name ? initials(app.lang, ghost.name) : seatLetters(app.lang, ghost), seatColour({ ...ghost, you: false })),
      h('label.grow', null, h('b', { translate: ghost.name ? 'no' : null }, seatName(app.lang, ghost))),
      several && h('input', {
        type: 'checkbox', 'aria-label': seatName(app.lang, ghost), checked: !left.has(ghost.seat), on: { change: () => flip(ghost.seat) },
      })))),
    h('p.small.muted', null, app.t('ghost.how')),
    h('div.row', null, button(app, {
      name: 'ghosts', cls: 'btn--gold btn--big', disabled: chosen.length === 0 || chosen.length > MOST, click: () => app.act.raceGhosts(told.heat, chosen),
    }, app.t('ghost.race'))));
}

/** Who has raced against these boards. @param {App} app @param {Recorded} told */
function answers(app, told) {
  return h('section.panel', { key: 'answers' },
    h('h2', null, app.t('ghost.answers')),
    told.answers.length === 0
      ? h('p.muted', null, app.t('ghost.none'))
      : h('ul.stack', null, told.answers.map((one) => h('li', { key: one.player },
        h('a', { href: `/replay/${one.heat}` }, app.t('ghost.replay_of', { name: one.name }))))),
    told.challenge && h('p.seal.gap', null, mark(told.open ? 'eye' : 'lock'), h('span', null, app.t(told.open ? 'ghost.open' : 'ghost.sealed'))),
    told.open && h('p', null, h('a', { href: `/replay/${told.heat}` }, app.t('ghost.recorded'))));
}

/**
 * Nothing to race: it is on its way, or there is none.
 * @param {App} app
 * @param {string} fault
 * @returns {VNode[]}
 */
export function noGhost(app, fault) {
  const key = !fault ? 'board.loading' : fault === 'not_found' ? 'ghost.gone' : 'board.fault';
  return page(app, [
    h('h1', { key: 'h', tabindex: '-1' }, app.t('ghost.title_race')),
    h('p', { key: 'p', role: 'status' }, app.t(key)),
    fault && h('div.calls.gap', { key: 'calls' }, h('a.btn', { href: '/' }, app.t('nav.race'))),
  ]);
}
