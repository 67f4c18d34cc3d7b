/** All-time boards of the daily deals and the best times of races, for each game. */

import { DAILY, withGame } from '../daily.js';
import { h } from '../dom.js';
import { gameName } from '../phrases.js';
import { boardPanel, tabs } from './board.js';
import { page } from './frame.js';
import { GAMES } from './home.js';

/** @import { App } from '../app.js' */
/** @import { Choice, Period, Tab } from '../daily.js' */
/** @import { VNode } from '../dom.js' */

/** @param {App} app @returns {VNode[]} */
export function leaderboards(app) {
  const choice = app.ui.boards;
  const choose = (/** @type {Partial<Choice>} */ change) => app.set({ boards: { ...app.ui.boards, page: 1, ...change } });
  const race = choice.period === 'race';
  const games = race ? GAMES : DAILY;
  return page(app, [
    h('h1', { key: 'h', tabindex: '-1' }, app.t('boards.title')),
    h('p.muted', { key: 'lead' }, app.t(race ? 'boards.about_race' : `board.about.${choice.tab}`)),
    h('div.tabs', { key: 'tabs' },
      tabs('boards-kind', app.t('boards.kind'), /** @type {Period[]} */ (['race', 'all']), choice.period, (id) => app.t(`boards.kind.${id}`),
        (period) => choose({ period, tab: 'time', ruleset: period === 'race' || DAILY.includes(choice.ruleset) ? choice.ruleset : 'DS1-D1N' })),
      !race && tabs('boards-tab', app.t('board.order'), /** @type {Tab[]} */ (['time', 'score']), choice.tab, (id) => app.t(`board.tab.${id}`), (tab) => choose({ tab })),
      h('label.gamechoice', { key: 'game' }, h('span.sr', null, app.t('form.game')),
        h('select.input', { key: choice.period, on: { change: (event) => choose(withGame(choice, event.target.value)) } },
          games.map((id) => h('option', { key: id, value: id, selected: id === choice.ruleset }, gameName(app.lang, id)))))),
    boardPanel(app, choice, '', choose),
    h('p.gap', { key: 'daily' }, h('a', { href: '/daily' }, app.t('boards.to_daily'))),
  ]);
}
