/**
 * The tournaments that everybody may see, those one hosts, and the way to a new one.
 */

import { h } from '../../dom.js';
import { gameName } from '../../phrases.js';
import { timeOfDay } from '../../tournament/model.js';
import { page } from '../frame.js';
import { tour } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { VNode } from '../../dom.js' */

const FRESH_MS = 5000;

/** @param {App} app @returns {VNode[]} */
export function list(app) {
  const { value } = app.pull.at('/api/tournaments', FRESH_MS);
  /** @type {{code: string, name: string, format: string, ruleset: string, start_ms: number}[] | null} */
  const rows = value;
  const hosted = tour(app).tokens();
  return page(app, [
    h('div.tour-head', { key: 'head' }, h('div', null, h('h1', { tabindex: '-1' }, app.t('tour.title')), h('p.muted', null, app.t('tour.lead'))),
      h('a.btn.btn--gold.btn--big', { href: '/t/new' }, app.t('tour.host_one'))),
    h('div.two.gap', { key: 'two' },
      h('section.panel', { key: 'public', 'aria-busy': rows === null ? 'true' : null },
        h('h2', null, app.t('tour.public')),
        rows === null && h('p.muted', null, app.t('home.rooms_loading')),
        rows?.length === 0 && h('p.muted', null, app.t('tour.public_none')),
        rows !== null && rows.length > 0 && h('ul.list', null, rows.map((row) => h('li', { key: row.code },
          h('div.grow', null, h('strong', { translate: 'no' }, row.name),
            h('span.muted.small', null, [app.t(`tour.format.${row.format}`), gameName(app.lang, row.ruleset), row.start_ms > app.now() ? app.t('tour.starts_at', { time: timeOfDay(app.lang, row.start_ms) }) : ''].filter(Boolean).join(' · '))),
          h('a.btn', { href: `/t/${row.code}`, 'aria-label': app.t('tour.open_of', { name: row.name }) }, app.t('tour.open')))))),
      h('section.panel', { key: 'own' },
        h('h2', null, app.t('tour.hosted')),
        hosted.length === 0 && h('p.muted', null, app.t('tour.hosted_none')),
        hosted.length > 0 && h('ul.list', null, hosted.map(([code]) => h('li', { key: code },
          h('strong.grow.code', { translate: 'no' }, code), h('a.btn', { href: `/t/${code}/host`, 'aria-label': app.t('tour.console_of', { code }) }, app.t('tour.console'))))))),
  ]);
}
