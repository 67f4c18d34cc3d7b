/**
 * Fair, and checked here: the story of the seal, with what this browser found, and what it could not look at.
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
  const title = done?.checks.some((check) => check.ok === false) ? 'proof.title_bad' : done?.checks.some((check) => check.ok === null) ? 'proof.title_part' : 'proof.title';
  return h('section.panel', { key: 'proof' },
    h('h2', null, app.t(title)),
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

/** What a check is shown as: made and well, made and not well, not made. */
const SHOWN = Object.freeze({
  true: { suffix: '', cls: null, icon: 'check' }, false: { suffix: '.bad', cls: 'is-bad', icon: 'no' }, null: { suffix: '.unseen', cls: 'is-unseen', icon: 'eye' },
});

/** @param {App} app @param {HeatResult} result @param {Check} check @param {number} ms */
function item(app, result, check, ms) {
  const { suffix, cls, icon } = SHOWN[/** @type {'true' | 'false' | 'null'} */ (String(check.ok))];
  return h('li', { key: check.name, class: cls },
    h('span', { key: `mark ${check.ok}` }, mark(icon)),
    h('div', null, app.t(`proof.${check.name}${suffix}`), check.ok === null && h('small', null, app.t('proof.late')), detail(app, result, check, ms)));
}

/** @param {App} app @param {HeatResult} result @param {Check} check @param {number} ms */
function detail(app, result, check, ms) {
  if (check.name === 'sealed' || check.name === 'waits') return h('small.code', { translate: 'no' }, shortSeal(result.commitment));
  if (check.name === 'opened' || check.name === 'open_deal') return h('small.code', { translate: 'no' }, result.code);
  if (check.name === 'fits') return h('small', null, app.t('proof.computed', { n: Math.max(1, Math.round(ms)) }));
  return check.count !== undefined && h('small', null, app.t('proof.compared', { n: check.count }));
}
