/**
 * Fair, and checked here: the story of the seal, with what this browser found.
 */

import { h } from '../dom.js';
import { shortSeal } from '../phrases.js';
import { button, mark } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { Check } from '../fairness.js' */
/** @import { HeatResult } from '../wire.gen.js' */

/** @param {App} app @param {HeatResult} result @returns {VNode} */
export function proof(app, result) {
  const { copied, proof: found } = app.ui;
  const done = found?.heat === result.heat ? found : null;
  const fair = done?.checks.every((check) => check.ok) ?? true;
  return h('section.panel', { key: 'proof' },
    h('h2', null, app.t(fair ? 'proof.title' : 'proof.title_bad')),
    done === null
      ? h('p.muted', null, app.t('proof.checking'))
      : h('ul.proof', null, done.checks.map((check) => item(app, result, check, done.ms)), winnable(app, result)),
    h('div.row', null,
      button(app, { click: () => app.act.checkFairness(result) }, app.t('proof.again')),
      result.code !== '' && button(app, { icon: copied === 'code' ? 'check' : 'copy', key: `copy ${copied === 'code'}`, click: () => app.act.copy('code', result.code) },
        app.t(copied === 'code' ? 'room.copied' : 'proof.copy'))));
}

/** Whether the deal was certified, once it is open, and the way to the proof. @param {App} app @param {HeatResult} result */
function winnable(app, result) {
  if (!result.code) return null;
  const certified = Boolean(result.difficulty);
  return h('li', { key: 'winnable' }, mark(certified ? 'check' : 'eye'),
    h('div', null, app.t(certified ? 'daily.certified' : result.nonce ? 'fact.uncertified' : 'fact.given'),
      certified && h('small', null, `${app.t(`difficulty.${result.difficulty}`)} · `,
        h('a', { href: `/replay/${result.heat}#b=${result.rows.slice(0, 1).map(({ seat }) => seat)},solution` }, app.t('result.way')))));
}

/** @param {App} app @param {HeatResult} result @param {Check} check @param {number} ms */
function item(app, result, check, ms) {
  return h('li', { key: check.name, class: check.ok ? null : 'is-bad' },
    h('span', { key: `mark ${check.ok}` }, mark(check.ok ? 'check' : 'no')),
    h('div', null, app.t(`proof.${check.name}${check.ok ? '' : '.bad'}`), detail(app, result, check, ms)));
}

/** @param {App} app @param {HeatResult} result @param {Check} check @param {number} ms */
function detail(app, result, check, ms) {
  if (check.name === 'sealed' || check.name === 'waits') return h('small.code', { translate: 'no' }, shortSeal(result.commitment));
  if (check.name === 'opened' || check.name === 'open_deal') return h('small.code', { translate: 'no' }, result.code);
  if (check.name === 'fits') return h('small', null, app.t('proof.computed', { n: Math.max(1, Math.round(ms)) }));
  return h('small', null, app.t('proof.compared', { n: check.count ?? 0 }));
}
