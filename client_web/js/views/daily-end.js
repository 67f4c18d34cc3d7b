/**
 * Before a ranked attempt and after it: what it means to see the cards, and what came of it.
 *
 * Lives here: the page that asks, and the sheet over the table with the places. Does not live here:
 * the table (`daily-table.js`), the board (`daily.js`).
 */

import { brandMark } from '../cards.js';
import { dayText, shareText } from '../daily.js';
import { foreign, h } from '../dom.js';
import { gameName, gameParts } from '../phrases.js';
import { isLate, pullToday } from './daily.js';
import { rules } from './daily-terms.js';
import { button, mark, page } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { AttemptRoute } from '../daily-desk.js' */
/** @import { DailyPlay } from '../daily-play.js' */
/** @import { Children, VNode } from '../dom.js' */
/** @import { DailyResult } from '../wire.gen.js' */

/**
 * Asks before the clock starts.
 * @param {App} app
 * @param {AttemptRoute} route
 * @param {boolean} coming the cards were asked for
 * @param {() => void} show
 * @returns {VNode[]}
 */
export function gate(app, route, coming, show) {
  const now = pullToday(app);
  const today = now?.today ?? route.date;
  const over = route.date < today;
  const late = now !== null && isLate(route.date, now);
  const sub = `${dayText(app.lang, route.date, today)} · ${gameName(app.lang, route.ruleset)}`;
  return page(app, h('section.plain', { key: 'gate' },
    mark('clock'),
    h('h1', { tabindex: '-1' }, app.t(coming ? 'solo.opening' : over ? 'daily.over' : 'daily.gate')),
    h('p', null, sub),
    !coming && !over && rules(app),
    !coming && late && h('p', null, app.t('daily.late', { time: app.lang.clock(now.lateMs) })),
    h('div.calls', null,
      !coming && (late || !over) && button(app, { key: 'show', cls: 'btn--gold btn--big', click: show }, app.t(late ? 'daily.play_on' : 'daily.show_cards')),
      h('a.btn.btn--big', { key: 'back', href: `/daily/${route.date}?game=${route.ruleset}` }, app.t('daily.to_board')))));
}

/** What came of the attempt. @param {App} app @param {DailyPlay} play @returns {{title: string, content: Children}} */
export function ended(app, play) {
  const { result, want } = play;
  if (!want) return { title: app.t('daily.title'), content: [] };
  if (want.practice) return { title: app.t('won.title'), content: h('div.choices', null, practiceWays(app, play)) };
  if (!result) return { title: app.t('daily.ended'), content: h('p', { role: 'status' }, app.t('daily.placing')) };
  return { title: app.t(`daily.ended.${result.ended}`), content: h('div.stack', null,
    h('div.won.on-felt', null,
      result.ended === 'won' && foreign('cup', () => brandMark()),
      h('p', null, gameName(app.lang, result.ruleset)),
      h('dl.wonstats', null, facts(app, result).map(([name, value]) => h('div', { key: name }, h('dt', null, name), h('dd', null, value))))),
    places(app, result),
    h('div.choices', null,
      h('a.btn.btn--do.btn--big', { href: `/daily/${result.date}?game=${result.ruleset}` }, app.t('daily.to_board')),
      button(app, { icon: app.ui.copied === 'daily' ? 'check' : 'share', click: () => app.act.shareText('daily', resultText(app, result)) },
        app.t(app.ui.copied === 'daily' ? 'room.copied' : 'daily.share')),
      h('a.btn', { href: `/daily/${result.date}/${result.ruleset}/practice` }, app.t('daily.practise')))) };
}

/** @param {App} app @param {DailyPlay} play */
function practiceWays(app, play) {
  const again = () => {
    app.act.close();
    void play.dealAgain();
  };
  return [
    button(app, { key: 'again', cls: 'btn--gold btn--big', click: again }, app.t('solo.restart')),
    h('a.btn.btn--big', { key: 'board', href: `/daily/${play.want?.date ?? ''}?game=${play.want?.ruleset ?? ''}` }, app.t('daily.to_board')),
  ];
}

/** @param {App} app @param {DailyResult} result @returns {[string, string][]} */
function facts(app, result) {
  const { vegas, cards } = gameParts(result.ruleset);
  return [
    [app.t('clock.name'), app.lang.exact(result.elapsed_ms)],
    [app.t('stat.score'), app.lang.score(result.score, vegas)],
    [app.t('daily.cards_out'), `${app.lang.number(result.out)} / ${app.lang.number(cards)}`],
    [app.t('stat.moves'), app.lang.number(result.moves)],
  ];
}

/** Both places, the field, the days in a row. @param {App} app @param {DailyResult} result */
function places(app, result) {
  const of = (/** @type {number} */ place, /** @type {number} */ players) => app.t('daily.place_of', { place, of: players });
  return h('dl.facts', null,
    fact('time', app.t('daily.by_time'), result.time_place ? of(result.time_place, result.time_players) : app.t('daily.not_won')),
    fact('score', app.t('daily.by_score'), of(result.score_place, result.score_players)),
    fact('field', app.t('daily.field'), result.percentile < 0 ? app.t('daily.field_alone') : app.t('daily.field_better', { n: result.percentile })),
    fact('streak', app.t('daily.streak'), app.t('daily.streak_of', { n: result.streak, best: result.best_streak })));
}

/** @param {string} key @param {string} name @param {string} value */
function fact(key, name, value) {
  return h('div', { key }, h('dt', null, name), h('dd', null, value));
}

/** @param {App} app @param {DailyResult} result */
function resultText(app, result) {
  const byTime = result.time_place > 0 && !gameParts(result.ruleset).vegas;
  return shareText(app.lang, {
    ...result, day: result.date, place: byTime ? result.time_place : result.score_place,
    players: byTime ? result.time_players : result.score_players, url: `${app.origin}/daily/${result.date}?game=${result.ruleset}`,
  });
}
