/**
 * A running race as a spectator sees it: counts, order and curves, never a card (ruling 10).
 */

import { h } from '../dom.js';
import { gameParts, optionFacts, seatColour, seatLetters, seatName } from '../phrases.js';
import { standings } from '../ranking.js';
import { racerOf } from '../store.js';
import { chart } from './chart.js';
import { button, mark, page, seatMark } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { Heat, Room } from '../store.js' */
/** @import { Standing } from '../ranking.js' */

/** @param {App} app @param {Room} room @param {Heat} heat @returns {VNode[]} */
export function watch(app, room, heat) {
  const { options } = room.info;
  const rows = standings(heat, options.goal);
  return page(app, [
    h('section.stage.on-felt.watch', { key: 'stage' },
      h('h1', { tabindex: '-1' }, app.t('watch.title')),
      h('p.sub', null, optionFacts(app.lang, options).join(' · ')),
      h('p.watchclock', { role: 'timer', translate: 'no' }, clockText(app, heat)),
      h('ol.watchlanes', null, rows.map((row) => lane(app, room, row)))),
    h('div.row', { key: 'tools' },
      room.result && button(app, { click: () => app.act.showResult(true) }, app.t('room.last_result')),
      button(app, { name: 'leave', click: () => app.act.leaveRoom() }, app.t('room.leave'))),
    h('p.seal', { key: 'seal' }, mark('eye'), h('span', null, app.t('watch.why'))),
    h('section.panel', { key: 'curves' },
      h('h2', null, app.t('watch.how')), liveChart(app, room, heat, rows)),
  ]);
}

/** @param {App} app @param {Heat} heat */
function clockText(app, heat) {
  const now = app.now();
  if (now < heat.info.gun_ms) return `−${app.lang.clock(heat.info.gun_ms - now + 999)}`;
  return app.lang.clock(Math.max(0, Math.min(heat.info.deadline_ms, now) - heat.info.gun_ms));
}

/** @param {Room} room @param {number} seat */
function person(room, seat) {
  return racerOf(room, seat) ?? { seat, name: '', tag: '', bot: 0, you: false, present: false };
}

/** @param {App} app @param {Room} room @param {Standing} row */
function lane(app, room, row) {
  const who = person(room, row.seat);
  const { cards, vegas } = gameParts(room.info.options.ruleset);
  const byScore = room.info.options.goal === 'score';
  return h('li', { key: `lane ${row.seat}` },
    h('b.place', null, app.lang.number(row.place)),
    seatMark(seatLetters(app.lang, who), seatColour(who)),
    h('span.n', { translate: who.bot ? null : 'no' }, seatName(app.lang, who), !who.present && !who.bot && mark('off')),
    h('progress', { max: cards, value: row.out, 'aria-label': app.t('watch.out_of', { name: seatName(app.lang, who), n: row.out, of: cards }) }),
    h('span.v', null, byScore ? app.lang.score(row.score, vegas) : row.ended === 'won' ? app.lang.clock(row.atMs) : app.lang.number(row.out)),
    row.ended && row.ended !== 'won' && h('span.tag', null, app.t(`ended.${row.ended}`)));
}

/** @param {App} app @param {Room} room @param {Heat} heat @param {Standing[]} rows */
function liveChart(app, room, heat, rows) {
  const what = room.info.options.goal === 'score' ? 'score' : 'out';
  const now = Math.max(0, app.now() - heat.info.gun_ms);
  const { cards, vegas } = gameParts(room.info.options.ruleset);
  const lines = rows.map((row) => {
    const name = seatName(app.lang, person(room, row.seat));
    const value = what === 'score' ? app.lang.score(row.score, vegas) : app.lang.number(row.out);
    return { name, you: false, points: heat.curves[row.seat] ?? [], endMs: row.ended ? row.atMs : now, label: value };
  });
  return chart(app, lines, what, what === 'out' ? cards : 0);
}
