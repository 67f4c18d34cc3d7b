/**
 * The page of the daily deals: the board of a day and of longer periods, readable by anybody.
 *
 * Lives here: which day and board are shown, and the way to the table. Does not live here: the board
 * (`board.js`), what stands beside it (`daily-side.js`), the opened deal (`reveal.js`).
 */

import { DAILY, dayText, monthText, neighbour, shortDay, weekStart, withGame } from '../daily.js';
import { h } from '../dom.js';
import { gameName, gameParts } from '../phrases.js';
import { boardPanel, pullBoard, tabs } from './board.js';
import { rules } from './daily-terms.js';
import { distribution, own, streakPanel } from './daily-side.js';
import { mark, page } from './frame.js';
import { reveal } from './reveal.js';

/** @import { App } from '../app.js' */
/** @import { Choice, Period, Tab } from '../daily.js' */
/** @import { Children, VNode } from '../dom.js' */
/** @typedef {(attempt: {date: string, ruleset: string}) => boolean} Begun whether an attempt was begun on this device */

/** The deals of today are asked for again after this; sooner once the day is over. */
const FRESH_MS = 20_000;
const OVER_MS = 2000;
const DAY_MS = 86_400_000;

/**
 * Today's deals, how long they are today's, and how long yesterday's may still be finished by who began them.
 * @param {App} app
 * @returns {{today: string, leftMs: number, lateMs: number, finalMs: number, deals: any[]} | null}
 */
export function pullToday(app) {
  const known = app.pull.at('/api/daily', FRESH_MS);
  if (!known.value) return null;
  const left = known.value.ends_ms - known.value.now_ms - known.ageMs;
  const { value } = left > 0 ? known : app.pull.at('/api/daily', OVER_MS);
  const lateMs = Math.max(0, value.final_ms - value.ends_ms - (DAY_MS - left));
  return { today: value.date, leftMs: Math.max(0, left), lateMs, finalMs: value.final_ms, deals: value.rulesets };
}

/** A game of the daily deals in few words. @param {App} app @param {string} ruleset */
export function shortGame(app, ruleset) {
  const { family, vegas } = gameParts(ruleset);
  return vegas ? `${app.t(`game.${family}`)}, ${app.t('scoring.V')}` : `${app.t(`game.${family}`)}, ${app.t(`draw.${gameParts(ruleset).draw}`).toLocaleLowerCase(app.lang.tag)}`;
}

/** @param {App} app @param {string} date empty: today @param {Begun} begun @returns {VNode[]} */
export function daily(app, date, begun) {
  const now = pullToday(app);
  if (!now) return page(app, [h('h1', { key: 'h', tabindex: '-1' }, app.t('daily.title')), waiting(app)]);
  const day = date || now.today;
  const choice = app.ui.daily;
  const choose = (/** @type {Partial<Choice>} */ change) => app.set({ daily: { ...app.ui.daily, page: 1, ...change } });
  return page(app, [
    head(app, day, now),
    h('div.tabs', { key: 'tabs' }, tabs('daily-game', app.t('form.game'), DAILY, choice.ruleset, (id) => shortGame(app, id), (id) => choose(withGame(choice, id)))),
    h('div.dailygrid', { key: 'grid' },
      h('div.stack', { key: 'first' }, play(app, day, now, begun), distribution(app, choice, day)),
      h('div.boardside', { key: 'board' },
        controls(app, choice, choose),
        days(app, choice, day, now.today),
        boardPanel(app, choice, day, choose)),
      h('div.stack', { key: 'more' }, streakPanel(app, day, now.today), drawn(app, day, now.today) && reveal(app, day, choice.ruleset))),
  ]);
}

/** Whether there was a deal on a day: that of a day on which nobody was here was never drawn. @param {App} app @param {string} day @param {string} today */
function drawn(app, day, today) {
  const { ruleset } = app.ui.daily;
  return day === today || (pullBoard(app, { ruleset, period: 'day', tab: 'score', page: 1 }, day).value?.players ?? 0) > 0;
}

/** @param {App} app */
function waiting(app) {
  const { fault } = app.pull.at('/api/daily', FRESH_MS);
  return h('p', { key: 'wait', role: 'status', 'aria-busy': fault ? null : 'true', class: fault ? 'bad' : 'muted' }, app.t(fault ? 'board.fault' : 'board.loading'));
}

/** @param {App} app @param {string} day @param {{today: string, leftMs: number}} now */
function head(app, day, { today, leftMs }) {
  const isToday = day === today;
  const text = dayText(app.lang, day, today);
  return h('div.row.dayhead', { key: 'head' },
    h('div', null,
      h('h1', { tabindex: '-1' }, isToday ? app.t('daily.title') : text),
      h('p.muted', null, `${isToday ? text : app.t('daily.past')} · ${gameName(app.lang, app.ui.daily.ruleset)}`)),
    h('div.push.next', null,
      h('p.small.muted', null, app.t('daily.next')),
      h('p.big', { role: 'timer', translate: 'no' }, app.lang.clock(leftMs))));
}

/** Which board of the game is shown. @param {App} app @param {Choice} choice @param {(change: Partial<Choice>) => void} choose */
function controls(app, choice, choose) {
  return h('div.tabs', { key: 'tabs' },
    tabs('daily-tab', app.t('board.order'), /** @type {Tab[]} */ (['time', 'score']), choice.tab, (id) => app.t(`board.tab.${id}`), (tab) => choose({ tab })),
    tabs('daily-period', app.t('board.period'), /** @type {Period[]} */ (['day', 'week', 'month', 'all']), choice.period,
      (id) => app.t(`board.period.${id}`), (period) => choose({ period })));
}

/** The way to earlier days. @param {App} app @param {Choice} choice @param {string} day @param {string} today */
function days(app, choice, day, today) {
  if (choice.period === 'all') return h('p.small.muted.about', { key: 'days' }, app.t(`board.about.${choice.tab}`));
  const link = (/** @type {string} */ to, /** @type {string} */ key, /** @type {string} */ icon) => to !== '' && h('a.btn.btn--small', {
    key, href: to === today ? '/daily' : `/daily/${to}`,
  }, icon && mark(icon), app.t(key, { day: label(app, choice, to) }));
  return h('div.row.days', { key: 'days' },
    link(neighbour(day, choice.period, -1, today), 'daily.earlier', 'back'),
    link(neighbour(day, choice.period, 1, today), 'daily.later', ''),
    day !== today && h('a.btn.btn--small', { key: 'today', href: '/daily' }, app.t('daily.to_today')),
    choice.period !== 'day' && h('span.small.muted', { key: 'about' }, app.t(`board.about.${choice.tab}`)));
}

/** @param {App} app @param {Choice} choice @param {string} day */
function label(app, choice, day) {
  return choice.period === 'month' ? monthText(app.lang, day) : shortDay(app.lang, choice.period === 'week' ? weekStart(day) : day);
}

/** The way to the table, or what came of it. @param {App} app @param {string} day @param {NonNullable<ReturnType<typeof pullToday>>} now @param {Begun} begun @returns {Children} */
function play(app, day, now, begun) {
  const { ruleset } = app.ui.daily;
  const mine = own(app, day, ruleset);
  if (mine) return result(app, day, mine);
  if (day !== now.today) return late(app, day, now);
  if (begun({ date: day, ruleset })) return running(app, day);
  const deal = now.deals.find((one) => one.ruleset === ruleset);
  const facts = [app.t('daily.started', { n: deal?.players ?? 0 }), ...(deal?.certified ? [app.t('daily.certified')] : [])];
  return h('section.panel', { key: 'play' },
    h('h2', null, app.t('daily.play_title')),
    h('p.small.muted', null, facts.join(' · ')),
    deal?.ready === false
      ? h('p', { role: 'status' }, app.t('no.no_deal'))
      : h('a.btn.btn--gold.btn--big.btn--wide', { href: `/daily/${day}/${ruleset}` }, app.t('daily.play')),
    // They are read once more before the cards are shown
    rules(app));
}

/** The one try was begun, here at least: its clock goes on, whatever page one looks at. @param {App} app @param {string} day @returns {Children} */
function running(app, day) {
  return h('section.panel', { key: 'play' },
    h('h2', null, app.t('daily.running')),
    h('p', { role: 'status' }, app.t('daily.running_text')),
    h('a.btn.btn--gold.btn--big.btn--wide', { href: `/daily/${day}/${app.ui.daily.ruleset}` }, app.t('daily.play_on')));
}

/** Yesterday's deal may be finished for a while by who began it. @param {App} app @param {string} day @param {NonNullable<ReturnType<typeof pullToday>>} now @returns {Children} */
function late(app, day, now) {
  if (!isLate(day, now)) return null;
  return h('section.panel', { key: 'play' },
    h('p', null, app.t('daily.late', { time: app.lang.clock(now.lateMs) })),
    h('a.btn', { href: `/daily/${day}/${app.ui.daily.ruleset}` }, app.t('daily.play_on')));
}

/** Whether a day is over but not final. @param {string} day @param {{today: string, lateMs: number}} now */
export function isLate(day, now) {
  return now.lateMs > 0 && day === neighbour(now.today, 'day', -1, now.today);
}

/** @param {App} app @param {string} day @param {import('./daily-side.js').OwnResult} mine */
function result(app, day, mine) {
  const { vegas, cards } = gameParts(mine.ruleset);
  const board = pullBoard(app, app.ui.daily, day).value;
  const place = board?.you && app.ui.daily.period === 'day' ? app.t('daily.place_of', { place: board.you.place, of: board.players }) : '';
  return h('section.panel', { key: 'play' },
    h('h2', null, app.t('daily.yours')),
    h('p', null, [app.t(`daily.ended.${mine.ended}`), mine.ended === 'won' ? app.lang.exact(mine.elapsed_ms) : app.t('daily.share_out', { n: mine.out, of: cards }),
      vegas ? app.lang.score(mine.score, true) : app.t('points', { n: mine.score })].join(' · ')),
    place && h('p', null, h('strong', null, place)),
    h('div.row', null, h('a.btn', { href: `/daily/${day}/${mine.ruleset}/practice` }, app.t('daily.practise'))));
}
