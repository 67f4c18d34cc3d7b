/**
 * The tournaments that everybody may see, those one hosts, and the way to a new one.
 */

import { h } from '../../dom.js';
import { gameName } from '../../phrases.js';
import { roomCode } from '../../router.js';
import { hostedNames } from '../../tournament/hosted.js';
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
  const names = hostedNames(tour(app).keep);
  return page(app, [
    h('div.tour-head', { key: 'head' }, h('div', null, h('h1', { tabindex: '-1' }, app.t('tour.title')), h('p.muted', null, app.t('tour.lead'))),
      h('a.btn.btn--gold.btn--big', { href: '/t/new' }, app.t('tour.host_one'))),
    byCode(app),
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
          h('div.grow', null, h('strong', { translate: 'no' }, names.get(code) ?? code), names.has(code) && h('span.muted.small.code', { translate: 'no' }, code)),
          h('a.btn', { href: `/t/${code}/host`, 'aria-label': app.t('tour.console_of', { code: names.get(code) ?? code }) }, app.t('tour.console'))))))),
  ]);
}

/** The code as the screen of a hall shows it. @param {App} app */
function byCode(app) {
  const { joinCode, joinBad } = app.ui;
  return h('section.panel', { key: 'code' },
    h('h2', null, app.t('tour.by_code')),
    h('form.joinrow', { novalidate: true, on: { submit: (event) => { event.preventDefault(); join(app); } } },
      h('label.sr', { for: 'code' }, app.t('tour.code')),
      h('input.input.input--code', {
        id: 'code', maxlength: '60', placeholder: 'KVMXR', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false',
        'aria-invalid': joinBad ? 'true' : null, 'aria-describedby': 'code-help', value: joinCode,
        on: { input: (event) => app.set({ joinCode: event.target.value, joinBad: false }) },
      }),
      h('button.btn.btn--do', { type: 'submit' }, app.t('home.join_go'))),
    h('p.small', { id: 'code-help', class: joinBad ? 'bad' : null, role: joinBad ? 'alert' : null }, app.t(joinBad ? 'tour.code_bad' : 'tour.code_help')));
}

/** @param {App} app */
function join(app) {
  const code = roomCode(app.ui.joinCode);
  app.set({ joinBad: code === '' });
  if (code) app.act.go({ page: 'tournament', code });
}
