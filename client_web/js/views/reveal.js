/**
 * A finished day's deal, opened: its code, and whether it fits what was sealed, found in this browser.
 */

import { verify } from '../deal.js';
import { h } from '../dom.js';
import { shortSeal } from '../phrases.js';
import { button, mark } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { Children, VNode } from '../dom.js' */

const FRESH_MS = 60_000;

/** The last check: a deal is opened once and checked once. @type {{path: string, fair: boolean} | null} */
let checked = null;

/** @param {string} path @param {{id: string, code: string, nonce: string, commitment: string}} deal */
function fits(path, { id, code, nonce, commitment }) {
  if (checked?.path !== path) checked = { path, fair: verify({ heat: id, code, nonce, commitment }) };
  return checked.fair;
}

/** @param {App} app @param {string} day @param {string} ruleset @returns {Children} */
export function reveal(app, day, ruleset) {
  const path = `/api/daily/${day}/${ruleset}`;
  const deal = app.pull.at(path, FRESH_MS).value;
  if (!deal?.ready) return null;
  const seal = h('small.code', { translate: 'no' }, shortSeal(deal.commitment));
  if (!deal.final || !deal.code) {
    return h('section.panel', { key: 'reveal' }, h('h2', null, app.t('reveal.sealed_title')),
      h('ul.proof', null, item('lock', true, app.t('reveal.sealed'), seal)),
      h('p.small.muted', null, app.t('reveal.when')));
  }
  const fair = fits(path, deal);
  const copied = app.ui.copied === 'code';
  return h('section.panel', { key: 'reveal' },
    h('h2', null, app.t(fair ? 'proof.title' : 'proof.title_bad')),
    h('ul.proof', null,
      item('lock', true, app.t('proof.sealed'), seal),
      item('check', true, app.t('reveal.opened'), h('small.code', { translate: 'no' }, deal.code)),
      item(fair ? 'check' : 'no', fair, app.t(fair ? 'proof.fits' : 'proof.fits.bad')),
      deal.certified && item('check', true, app.t('daily.certified'), deal.solution && h('small', null, app.t('reveal.solution', { n: deal.solution.length }),
        deal.difficulty && ` · ${app.t(`difficulty.${deal.difficulty}`)}`))),
    h('div.row', null,
      h('a.btn', { href: `/d/${deal.code}` }, app.t('reveal.play')),
      button(app, { key: `copy ${copied}`, icon: copied ? 'check' : 'copy', click: () => app.act.copy('code', deal.code) }, app.t(copied ? 'room.copied' : 'proof.copy'))));
}

/** @param {string} icon @param {boolean} good @param {string} text @param {Children} [more] @returns {VNode} */
function item(icon, good, text, more) {
  return h('li', { key: text, class: good ? null : 'is-bad' }, mark(icon), h('div', null, text, more));
}
