/**
 * What is printed of a tournament: standings, and a certificate for everybody who raced.
 *
 * Lives here: from a tournament to a description of the sheets. Does not live here: fetching, printing.
 */

import { brandMark, suitMark } from '../cards.js';
import { foreign, h } from '../dom.js';

/** @import { Language } from '../i18n.js' */
/** @import { Children } from '../dom.js' */
/** @import { Line, Summary } from './model.js' */
/** @typedef {{at: number, pages: number, bad: boolean}} Fetching how far the file is */
/**
 * @typedef {{lang: Language, code: string, address: string, whole: Summary | null, fault: string, fetching: Fetching | null,
 *   print: (what: '' | 'standings' | 'certificates') => void, save: () => void}} Desk
 */

/** Names of tie-breaks are words of the tournament's own pages. */
const PAGES = 'tour';

/** @param {Desk} desk @returns {Children[]} */
export function sheets(desk) {
  const { lang, whole, code, fault } = desk;
  if (!whole) {
    return [h('main.wait', { key: 'wait' }, h('h1', null, lang.t(fault === 'unknown' ? 'screen.unknown' : 'screen.loading', { code })),
      fault === 'offline' && h('p', null, lang.t('print.away')))];
  }
  const raced = whole.standings.filter((line) => line.played > 0 && !line.bot);
  return [
    tools(desk, whole),
    h('main', { key: 'main' }, standings(desk, whole),
      h('section.certs', { key: 'certs', 'aria-label': lang.t('print.certs') }, raced.map((line) => certificate(desk, whole, line)))),
  ];
}

/** @param {Desk} desk @param {Summary} whole */
function tools({ lang, code, fetching, print, save }, whole) {
  const api = `/api/tournament/${code}`;
  const going = fetching && !fetching.bad;
  return h('header.tools', { key: 'tools' },
    h('h1', null, lang.t('print.title')), whole.info.phase !== 'ended' && h('p.open', { role: 'status' }, lang.t('print.open')),
    h('p.row', null, h('button.do', { on: { click: () => print('') } }, lang.t('print.print')),
      h('button', { on: { click: () => print('standings') } }, lang.t('print.standings_only')),
      h('button', { on: { click: () => print('certificates') } }, lang.t('print.cert_only'))),
    h('ul', null,
      h('li', null, h('a', { href: `${api}.csv`, download: true }, lang.t('print.csv'))),
      h('li', null, h('a', { href: `${api}.heats.csv`, download: true }, lang.t('print.heats'))),
      h('li', null, h('a', { href: api, target: '_blank', rel: 'noopener' }, lang.t('print.json')))),
    h('p.row', null, h('button', { disabled: going, on: { click: save } }, lang.t('print.file')),
      h('span', { role: 'status' }, fetching && (fetching.bad ? lang.t('print.file_bad') : lang.t('print.file_going', { at: fetching.at, pages: fetching.pages })))),
    h('p.small', null, lang.t('print.boards'), '. ', lang.t('print.file_text', { command: `kupa tournament show ${code}.json` })));
}

/** @param {Language} lang @param {Summary} whole */
const dayOf = (lang, whole) => new Intl.DateTimeFormat(lang.tag, { dateStyle: 'long' }).format(whole.info.start_ms || whole.rounds[0]?.drawn_ms || Date.now());

/** Name of a tie-break; the server's own where there are no words for it. @param {Language} lang @param {{id: string, name: string}} tie */
const tieName = (lang, tie) => (lang.has(`${PAGES}.tie.${tie.id}`) ? lang.t(`${PAGES}.tie.${tie.id}`) : tie.name);

/** @param {Desk} desk @param {Summary} whole */
function standings({ lang, address, code }, whole) {
  const ties = whole.tie_breaks;
  return h('section.sheet', { key: 'standings' },
    h('p.head', null, h('span.brand', { translate: 'no' }, foreign('cup', () => brandMark()), 'Kupa'), h('span', null, dayOf(lang, whole))),
    h('h2', { translate: 'no' }, whole.info.options.name),
    h('p', null, lang.t('screen.standings'), ' · ', lang.t('screen.players', { n: whole.standings.length })),
    h('table', null,
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, lang.t('print.place')), h('th.who', { scope: 'col' }, lang.t('print.name')),
        h('th', { scope: 'col' }, lang.t('print.points')), ties.map((tie) => h('th.tie', { scope: 'col' }, tieName(lang, tie))))),
      h('tbody', null, whole.standings.map((line) => h('tr', { key: line.entrant }, h('td', null, lang.place(line.place)),
        h('td.who', { translate: 'no' }, line.name, ' ', !line.bot && h('span.tag', null, `#${line.tag}`)), h('td', null, h('b', null, lang.number(line.points))),
        ties.map((tie, at) => h('td', null, tieValue(lang, tie.id, line.values[at]))))))),
    ties.length > 0 && h('p.small', null, lang.t('print.ties', { list: lang.list(ties.map((tie) => tieName(lang, tie))) })),
    h('p.small', { translate: 'no' }, `${address.replace(/^https?:\/\//, '')}/t/${code}`));
}

/** Times are told as times. @param {Language} lang @param {string} id @param {number | undefined} value */
function tieValue(lang, id, value) {
  if (value === undefined) return '';
  return id === 'total_time' ? lang.clock(Math.abs(value)) : lang.number(Math.abs(value));
}

/** @param {Desk} desk @param {Summary} whole @param {Line} line */
function certificate({ lang, address, code }, whole, line) {
  return h('article.cert', { key: line.entrant, class: line.place <= 3 ? `cert--${line.place}` : '' }, h('div.frame', null,
    foreign('cup', () => brandMark()), h('p.kind', null, lang.t('print.cert')), h('h2', { translate: 'no' }, line.name),
    h('p', null, lang.t('print.cert_text')), h('p.what', { translate: 'no' }, whole.info.options.name),
    h('p.place', null, lang.t('print.place_of', { place: line.place, n: whole.standings.length })),
    h('p.sign', null, h('span', null, h('b', null, dayOf(lang, whole)), h('small', null, lang.t('print.date'))),
      foreign('suit', () => suitMark('H')), h('span', null, h('b', null, '\u00a0'), h('small', null, lang.t('print.host')))),
    h('p.from', { translate: 'no' }, `Kupa · ${address.replace(/^https?:\/\//, '')}/t/${code}`)));
}
