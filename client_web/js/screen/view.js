/**
 * The screen of a hall, as elements.
 *
 * Lives here: from what is shown (`model.js`) to a description of the page. Nothing on it can be pressed.
 * Does not live here: asking the server, time.
 */

import { brandMark, icon } from '../cards.js';
import { foreign, h } from '../dom.js';
import { arrivals, bracket, cardsOf, clockOf, heatsPage, page, panels, partOf, podium, roundName, SOON_MS, stillIn } from './model.js';

/** @import { Language } from '../i18n.js' */
/** @import { Children } from '../dom.js' */
/** @import { Column, Info, Line, Live, Panel, Runner, Seen, Summary } from './model.js' */
/** @typedef {{lang: Language, code: string, address: string, whole: Summary | null, live: Live | null, fault: string, now: number, seen: Seen}} Scene */

const SIDE_ROWS = 8;
const MAIN_ROWS = 20;
const NAMES = 24;
/** What hosts announce are words of the tournament's own pages. */
const PAGES = 'tour';

/** @param {Scene} scene @returns {Children[]} */
export function screen(scene) {
  const { whole, live } = scene;
  if (!whole || !live) return [waiting(scene)];
  const { info } = live;
  const part = partOf(whole, info, scene.now);
  return [
    header(scene, whole, info),
    h('main.part', { key: part, class: `part--${part}` }, mainPart(scene, part, whole, live)),
    side(scene, part, whole),
    footer(scene, whole, info),
  ];
}

/** @param {Scene} scene */
function waiting({ lang, code, fault }) {
  const unknown = fault === 'unknown';
  return h('main.wait', { key: 'wait' }, brand(), h('h1', null, lang.t(unknown ? 'screen.unknown' : 'screen.loading', { code })),
    fault !== '' && h('p', null, lang.t(unknown ? 'screen.unknown_text' : 'screen.offline')));
}

const brand = () => h('span.brand', { key: 'brand', translate: 'no' }, foreign('cup', () => brandMark()), h('span', null, 'Kupa'));

/** @param {Scene} scene @param {Summary} whole @param {Info} info */
function header({ lang, now }, whole, info) {
  const clock = clockOf(info, now);
  const round = roundTitle(lang, whole, info);
  return h('header', { key: 'header' }, brand(),
    h('h1', { translate: 'no' }, info.options.name, round !== '' && h('span.round', { translate: 'yes' }, ` · ${round}`)),
    clock && h('span.clock', { key: 'clock', class: clock.ms < SOON_MS && clock.word !== 'round' ? 'soon' : '' },
      h('span.time', { role: 'timer', translate: 'no' }, lang.clock(clock.ms + 999)), h('span.of', null, lang.t(`screen.clock.${clock.word}`))),
    !clock && h('span.clock', { key: 'state' }, h('span.state', null, lang.t(`screen.phase.${info.phase}`))));
}

/** @param {Language} lang @param {Summary} whole @param {Info} info */
function roundTitle(lang, whole, info) {
  const name = roundName(whole, info);
  if (name !== 'round') return name && lang.t(`screen.${name}`);
  return info.rounds ? lang.t('screen.round_of', { round: info.round, rounds: info.rounds }) : lang.t('screen.round', { round: info.round });
}

/** @param {Scene} scene @param {string} part @param {Summary} whole @param {Live} live */
function mainPart(scene, part, whole, live) {
  if (part === 'join') return joining(scene, whole, live.info);
  if (part === 'heats') return heats(scene, whole, live);
  if (part === 'bracket') return brackets(scene, whole);
  if (part === 'podium') return winners(scene, whole);
  return standings(scene, whole.standings, MAIN_ROWS);
}

// ------------------------------------------------------------ before the start

/** @param {Scene} scene @param {Summary} whole @param {Info} info */
function joining(scene, whole, info) {
  const { lang } = scene;
  const { rows, page: at, pages } = page(arrivals(whole), NAMES, scene.now);
  return [
    h('section.comein', { key: 'come' }, qr(scene), h('div', null,
      h('p', null, lang.t(info.phase === 'check_in' ? 'screen.check_in' : 'screen.join')),
      h('p.code', { translate: 'no' }, scene.code), h('p.address', { translate: 'no' }, scene.address.replace(/^https?:\/\//, ''), h('wbr', null), '/t'))),
    h('section.names', { key: 'names' }, h('h2', null, lang.t('screen.here', { n: info.entrants }), pageSign(lang, at, pages)),
      h('ul', null, rows.map((name) => h('li', { translate: 'no' }, name)))),
  ];
}

/** @param {Scene} scene */
const qr = ({ lang, code }) => h('img.qr', { src: `/qr/t/${code}.svg`, alt: lang.t('screen.qr') });

/** @param {Language} lang @param {number} at @param {number} pages */
const pageSign = (lang, at, pages) => pages > 1 && h('span.page', null, ` ${lang.t('screen.page', { at, pages })}`);

// ------------------------------------------------------------ a round

/** @param {Scene} scene @param {Summary} whole @param {Live} live */
function heats(scene, whole, live) {
  const { lang, now, seen } = scene;
  const { panels: shown, columns, page: at, pages } = heatsPage(panels(whole, live, seen), now);
  return [
    h('div.heats', { key: 'heats', class: `heats--${shown.length}` }, shown.map((panel) => heatPanel(lang, panel, live.info, columns))),
    pages > 1 && h('p.page', { key: 'page' }, lang.t('screen.page', { at, pages })),
  ];
}

/** @param {Language} lang @param {Panel} panel @param {Info} info @param {number} columns */
function heatPanel(lang, panel, info, columns) {
  const only = info.options.format === 'league';
  return h('section.heat', { key: panel.room, class: columns > 1 ? 'heat--wide' : '' },
    h('h2', null, lang.t(only ? 'screen.race' : 'screen.heat', { n: panel.number }), panel.done && h('span.done', null, ` · ${lang.t('screen.done')}`),
      panel.more > 0 && h('span.page', null, ` ${lang.t('screen.more', { n: panel.more })}`)),
    h('ol', { style: { '--rows': String(Math.ceil(panel.runners.length / columns)) } }, panel.runners.map((one) => runnerRow(lang, one, panel, info))));
}

/** @param {Language} lang @param {Runner} one @param {Panel} panel @param {Info} info */
function runnerRow(lang, one, panel, info) {
  const byScore = info.options.goal === 'score';
  const most = byScore ? Math.max(1, ...panel.runners.map((each) => each.count)) : cardsOf(info.options.ruleset);
  const out = ['resigned', 'abandoned'].includes(one.ended);
  return h('li', { key: one.entrant, class: [one.best && 'best', one.cut && 'cut', one.place === 1 && 'first', out && 'out'].filter(Boolean).join(' ') },
    h('span.place', { translate: 'no' }, one.place ? lang.number(one.place) : ''), h('span.name', { translate: 'no' }, one.name),
    h('b', { translate: 'no' }, one.ended === 'won' && foreign('won', () => icon('check')), out && foreign('out', () => icon('no')),
      lang.score(one.count, byScore && info.options.ruleset.endsWith('V'))),
    h('progress', { max: most, value: Math.max(0, one.count), 'aria-label': lang.number(one.count) }));
}

// ------------------------------------------------------------ tables

/** @param {Scene} scene @param {readonly Line[]} lines @param {number} size */
function standings({ lang, now }, lines, size) {
  const { rows, page: at, pages } = page(lines, size, now);
  return h('section.standings', { key: 'standings' }, h('h2', null, lang.t('screen.standings'), pageSign(lang, at, pages)),
    h('ol', null, rows.map((line) => h('li', { key: line.entrant, class: line.place === 1 ? 'first' : '' },
      h('b', { translate: 'no' }, lang.place(line.place)), h('span.name', { translate: 'no' }, line.name), h('b', { translate: 'no' }, lang.number(line.points))))));
}

/** @param {Scene} scene @param {Summary} whole */
function brackets({ lang }, whole) {
  const columns = bracket(whole);
  return h('div.bracket', { key: 'bracket' }, columns.map((column) => h('section', { key: String(column.number) },
    h('h2', null, lang.t('screen.round', { round: column.number })), h('div.column', null, column.heats.map((heat) => bracketHeat(heat))))));
}

/** @param {Column['heats'][number]} heat */
const bracketHeat = (heat) => h('ul', { key: heat.room }, heat.runners.map((one) => h('li', { class: one.on ? 'on' : one.done ? 'out' : '', translate: 'no' },
  h('span.name', null, one.name), one.on && foreign('on', () => icon('check')))));

/** @param {Scene} scene @param {Summary} whole */
function winners({ lang }, whole) {
  return h('div.podium', { key: 'podium' }, podium(whole.standings).map(({ place, names }) => h('section.step', { key: String(place), class: `step--${place}` },
    h('div.who', { translate: 'no' }, place === 1 && foreign('cup', () => brandMark()), names.slice(0, 4).map((name) => h('p', null, name)),
      names.length > 4 && h('p.page', { translate: 'yes' }, lang.t('screen.more', { n: names.length - 4 }))),
    h('div.block', { translate: 'no' }, lang.number(place)))));
}

// ------------------------------------------------------------ beside and below

/** @param {Scene} scene @param {string} part @param {Summary} whole */
function side(scene, part, whole) {
  if (part === 'join') return null;
  const lines = part === 'standings' ? null : standings(scene, whole.standings, SIDE_ROWS);
  return h('aside', { key: 'side', class: lines ? '' : 'alone' }, lines, h('section.join', { key: 'join' }, qr(scene), h('div', null,
    h('p', null, scene.lang.t(part === 'podium' ? 'screen.results' : 'screen.watch')), h('p.code', { translate: 'no' }, scene.code),
    h('p.address', { translate: 'no' }, scene.address.replace(/^https?:\/\//, ''), h('wbr', null), '/t'))));
}

/** @param {Scene} scene @param {Summary} whole @param {Info} info */
function footer({ lang, fault }, whole, info) {
  const { options } = info;
  const playing = stillIn(whole, info);
  const rule = options.format === 'cup' ? lang.t('screen.rule.cup', { n: options.advance }) : lang.t(`screen.rule.${options.format}`);
  const said = info.sentence >= 0 && lang.has(`${PAGES}.say.${info.sentence}`);
  return h('footer', { key: 'footer' },
    fault !== '' ? h('span.away', { role: 'status' }, lang.t('screen.away')) : said ? h('span.said', { role: 'status' }, lang.t(`${PAGES}.say.${info.sentence}`)) : h('span', null, rule),
    h('span', null, [lang.t('screen.players', { n: whole.entrants.length }), info.heats > 1 && lang.t('screen.reported', { n: info.heats, done: info.reported }),
      info.waiting > 0 && lang.t('screen.waiting', { n: info.waiting }), playing > 0 && lang.t('screen.still', { n: playing })]
      .filter(Boolean).join(' · ')));
}
