/**
 * The window of a new game alone, and the question before a link replaces a saved one.
 *
 * Lives here: these two pages. Does not live here: what an address leads to (`desk.js`), the sheets
 * over the table (`solo-sheets.js`).
 */

import { DealCodeError, isCertifiable, parseDealCode } from '../deal.js';
import { h } from '../dom.js';
import { gameName, gameParts } from '../phrases.js';
import { savedGame } from '../store.js';
import { button, mark, page } from './frame.js';
import { choice, rulesetOf, toggle } from './options.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { DealCode } from '../deal.js' */
/** @import { SoloRow } from '../wire.gen.js' */

/** @param {App} app @returns {VNode[]} */
export function soloNew(app) {
  return page(app, h('div.window', { key: 'solo' }, h('div.sheet.sheet--page', null,
    h('h1', { tabindex: '-1' }, app.t('solo.title')),
    h('form.stack.stack--wide', { novalidate: true, on: { submit: (event) => { event.preventDefault(); deal(app); } } },
      pick(app), modes(app), winnable(app), codeField(app), note(app), buttons(app)))));
}

/** @param {App} app */
function read(app) {
  const { code } = app.ui.solo;
  return code.trim() ? readCode(code) : null;
}

/** @param {string} text @returns {DealCode | DealCodeError} */
function readCode(text) {
  try {
    return parseDealCode(text);
  } catch (error) {
    if (error instanceof DealCodeError) return error;
    throw error;
  }
}

/** @param {App} app */
function deal(app) {
  const typed = read(app);
  if (typed === null) app.act.dealAny(app.ui.solo.ruleset);
  else if ('ruleset' in typed) app.act.dealCode(typed);
  else document.getElementById('solo-code')?.focus();
}

/** Choosing a game takes a code of another one away. @param {App} app @param {string} ruleset */
function choose(app, ruleset) {
  app.set({ solo: { ...app.ui.solo, ruleset, code: '' } });
}

/** The two games, each with its picture. @param {App} app */
function pick(app) {
  const { family, draw, vegas } = gameParts(app.ui.solo.ruleset);
  return h('fieldset.pick', { key: 'family' },
    h('legend.sr', null, app.t('form.game')),
    ['DS1', 'SS1'].map((id) => h('label', { key: id },
      h('input', {
        type: 'radio', name: 'solo-family', value: id, checked: id === family, on: { change: () => choose(app, rulesetOf(id, draw, vegas)) },
      }),
      picture(id === 'DS1' ? 9 : 7, id === 'DS1' ? 2 : 1),
      h('b', null, app.t(`game.${id}`)),
      h('span.small.muted', null, app.t(`solo.about.${id}`)),
      h('span.check', null, mark('check')))));
}

/** A table at its start, small. @param {number} columns @param {number} decks */
function picture(columns, decks) {
  const step = columns === 9 ? 17 : 20;
  const [w, high] = columns === 9 ? [14, 20] : [17, 24];
  const left = columns === 9 ? 8.5 : 21.5;
  const cards = Array.from({ length: columns }, (_, i) => {
    const depth = Math.min(i, 4);
    return Array.from({ length: depth + 1 }, (_, k) => h('rect', {
      class: k === depth ? 'open' : 'shut', x: left + i * step, y: 14 + k * 4, width: w, height: high, rx: 2,
    }));
  });
  const homes = Array.from({ length: 4 * decks }, (_, i) => h('rect', {
    class: 'home', x: 165.5 + (i % decks) * 13, y: 12 + Math.floor(i / decks) * 18, width: 11, height: 15, rx: 2,
  }));
  return h('svg', { viewBox: '0 0 200 92', 'aria-hidden': 'true' }, cards, homes);
}

/** @param {App} app @returns {VNode[]} */
function modes(app) {
  const { family, draw, vegas } = gameParts(app.ui.solo.ruleset);
  const fields = [choice('solo-draw', app.t('form.draw'), family === 'SS1' ? [1, 2, 3] : [1, 3], draw, (n) => app.t(`form.draw.${n}`),
    (n) => choose(app, rulesetOf(family, n, vegas)))];
  if (family === 'DS1') {
    fields.push(choice('solo-scoring', app.t('form.scoring'), ['N', 'V'], vegas ? 'V' : 'N', (id) => app.t(`scoring.${id}`),
      (id) => choose(app, rulesetOf(family, draw, id === 'V'))));
  }
  return fields;
}

/** Ruling 24: where no deal of the game is proved to be winnable the switch is off, and says why. @param {App} app */
function winnable(app) {
  const { ruleset, certified } = app.ui.solo;
  const able = isCertifiable(ruleset);
  return h('div.field', { key: 'certified' },
    toggle(app.t('solo.certified'), certified && able, (on) => app.set({ solo: { ...app.ui.solo, certified: on } }), { disabled: !able, 'aria-describedby': 'solo-certified-help' }),
    h('p.small.muted', { id: 'solo-certified-help' }, app.t(able ? 'solo.certified_help' : 'solo.certified_no')));
}

/** R10.3: what is wrong with a typed code is said under it. @param {App} app */
function codeField(app) {
  const typed = read(app);
  const bad = typed !== null && 'found' in typed;
  const help = typed === null ? app.t('solo.code_help')
    : 'found' in typed ? app.t(`form.code.${typed.code}`, { found: typed.found })
    : app.t('solo.code_ok', { game: gameName(app.lang, typed.ruleset) });
  return h('div.field', { key: 'code' },
    h('label', { for: 'solo-code' }, app.t('solo.code')),
    h('input.input.code', {
      id: 'solo-code', maxlength: '40', placeholder: 'DS1-D1N-AAAAAAB', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'characters',
      value: app.ui.solo.code, 'aria-describedby': 'solo-code-help', 'aria-invalid': bad ? 'true' : null,
      on: { input: (event) => type(app, event.target.value) },
    }),
    h('p.small', { id: 'solo-code-help', class: bad ? 'bad' : 'muted', role: 'status' }, help));
}

/** A code brings its game along. @param {App} app @param {string} code */
function type(app, code) {
  const typed = code.trim() ? readCode(code) : null;
  app.set({ solo: { ...app.ui.solo, code, ruleset: typed && 'ruleset' in typed ? typed.ruleset : app.ui.solo.ruleset } });
}

/** @param {App} app @param {SoloRow} row points and moves so far */
export function soFar(app, row) {
  const { vegas } = gameParts(row.ruleset);
  return [vegas ? app.lang.score(row.score, true) : app.t('points', { n: row.score }), app.t('moves', { n: row.moves })].join(', ');
}

/** @param {App} app */
function note(app) {
  const saved = savedGame(app.state, app.ui.solo.ruleset);
  return saved !== null && saved.moves > 0 && h('p.seal', { key: 'saved', role: 'status' }, mark('clock'), h('span', null, app.t('solo.saved', { facts: soFar(app, saved) })));
}

/** @param {App} app */
function buttons(app) {
  const { ruleset } = app.ui.solo;
  const typed = read(app);
  return h('div.row.row--big', { key: 'go' },
    h('button.btn.btn--do.btn--big', { type: 'submit', disabled: typed !== null && 'found' in typed }, app.t('solo.deal')),
    savedGame(app.state, ruleset) && h('a.btn.btn--big', { key: 'resume', href: `/solo/${ruleset}` }, app.t('solo.resume')));
}

/** The address of a deal: it waits, it is no code, or it would replace a saved game. @param {App} app @param {string} code @returns {VNode[]} */
export function dealPage(app, code) {
  const arrival = app.act.arrival(code);
  if (arrival.state === 'bad') {
    const { code: fault, found } = arrival.error;
    return plain(app, 'no', app.t('deal.bad'), app.t(`form.code.${fault}`, { found }), h('a.btn.btn--do.btn--big', { href: '/solo' }, app.t('deal.choose')));
  }
  if (arrival.state !== 'ask') return opening(app);
  const { deal: found, saved } = arrival;
  const game = gameName(app.lang, found.ruleset);
  return plain(app, 'clock', app.t('deal.ask'), app.t('deal.ask_text', { code: found.text, game, facts: soFar(app, saved) }),
    button(app, { cls: 'btn--do btn--big', click: () => app.act.dealCode(found) }, app.t('deal.replace')),
    h('a.btn.btn--big', { href: `/solo/${found.ruleset}` }, app.t('deal.keep')));
}

/** A game is on its way to the table. @param {App} app @returns {VNode[]} */
export function opening(app) {
  return plain(app, 'clock', app.t('solo.opening'), app.t('entry.going_text'), h('a.btn', { href: '/' }, app.t('nav.home')));
}

/** @param {App} app @param {string} icon @param {string} title @param {string} text @param {...VNode} ways @returns {VNode[]} */
function plain(app, icon, title, text, ...ways) {
  return page(app, h('section.plain', { key: `deal ${icon}` }, mark(icon), h('h1', { tabindex: '-1' }, title), h('p', null, text), h('div.calls', null, ways)));
}
