/**
 * Rules, examples, questions: the pages, and the panel of rules over a running game (R11.13).
 *
 * Lives here: how texts and boards are shown. Does not live here: fetching them (`book.js`), a board's
 * steps (`stepper.js`).
 */

import { foreign, h } from '../dom.js';
import { button, mark, page } from './frame.js';
import { Stepper } from './stepper.js';

/** @import { App, Sheet } from '../app.js' */
/** @import { Block, Book, Rules, Section } from '../book.js' */
/** @import { Example } from '../mini.js' */
/** @import { VNode } from '../dom.js' */

/** @typedef {(name: string) => VNode} Link leads to an example */

/** @param {App} app @param {Book} book @param {'DS1' | 'SS1'} game @returns {VNode[]} */
export function rulesPage(app, book, game) {
  const rules = book.pages.rules[game];
  return page(app, h('div.book', { key: `rules ${game}` },
    h('article.prose', null, h('h1', { tabindex: '-1' }, rules.title), h('p.lead', null, rules.lead),
      rules.sections.map((section) => sectionOf(section, 'h2', (name) => exampleLink(book, name)))),
    contents(app, book, game === 'SS1' ? '/rules/single' : '/rules')));
}

/** @param {App} app @param {Book} book @param {string} name empty for the first @returns {VNode[]} */
export function examplesPage(app, book, name) {
  const example = book.examples.find((one) => one.name === name) ?? book.examples[0];
  const text = example && book.pages.examples[example.name];
  if (!example || !text) return page(app, h('h1', { tabindex: '-1' }, app.t('book.examples')));
  return page(app, h('div.book.book--demo', { key: `example ${example.name}` },
    h('div.prose', { key: 'head' }, h('h1', { tabindex: '-1' }, text.title), h('p.lead', null, text.lead)),
    stepper(app, book, example),
    h('div.prose.book-more', { key: 'more' }, from(app, example), neighbours(app, book, example)),
    contents(app, book, `/examples/${example.name}`)));
}

/** @param {App} app @param {Book} book @returns {VNode[]} */
export function faqPage(app, book) {
  return page(app, h('div.book', { key: 'faq' },
    h('article.prose', null, h('h1', { tabindex: '-1' }, app.t('book.faq')),
      book.pages.faq.map(({ id, q, a }) => h('section', { key: id, id }, h('h2', null, q), a.map((text) => h('p', null, text))))),
    contents(app, book, '/faq')));
}

/** What there is, and where one is. @param {App} app @param {Book} book @param {string} here */
function contents(app, book, here) {
  const link = (/** @type {string} */ href, /** @type {string} */ text) => h('a', { key: href, href, 'aria-current': href === here ? 'page' : null }, text);
  return h('nav.toc', { key: 'toc', 'aria-label': app.t('book.contents') },
    link('/rules', book.pages.rules.DS1.title), link('/rules/single', book.pages.rules.SS1.title), link('/faq', app.t('book.faq')),
    h('p.toc-head', null, app.t('book.examples')),
    book.examples.map(({ name }) => link(`/examples/${name}`, book.pages.examples[name]?.title ?? name)));
}

/**
 * @param {Section} section
 * @param {string} heading
 * @param {Link} link
 * @returns {VNode}
 */
function sectionOf({ id, title, blocks }, heading, link) {
  return h('section', { key: id, id }, h(heading, null, title), blocks.map((block) => blockOf(block, link)));
}

/** @param {Block} block @param {Link} link @returns {VNode | false} */
function blockOf({ p, ul, table, see }, link) {
  if (p) return h('p', null, p);
  if (ul) return h('ul', null, ul.map((text) => h('li', null, text)));
  if (see) return h('div.see', null, see.map(link));
  if (!table) return false;
  return h('div.scrollx', { tabindex: '0', role: 'group', 'aria-label': table.head.join(', ') }, h('table.tbl', null,
    h('thead', null, h('tr', null, table.head.map((text, i) => h(i ? 'th.num' : 'th', { scope: 'col' }, text)))),
    h('tbody', null, table.rows.map((row) => h('tr', null, row.map((text, i) => h(i ? 'td.num' : 'td', null, text)))))));
}

/** @param {Book} book @param {string} name @returns {VNode} */
function exampleLink(book, name) {
  return h('a.chip.chip--see', { key: name, href: `/examples/${name}` }, mark('play'), book.pages.examples[name]?.title ?? name);
}

/** The board with its steps; made anew in another language or with other faces. @param {App} app @param {Book} book @param {Example} example */
function stepper(app, book, example) {
  const key = `stepper ${example.name} ${book.tag} ${app.settings.index}`;
  return foreign(key, () => new Stepper(app, example, book.pages.examples[example.name]?.steps ?? []).element);
}

/** Which deal it is. @param {App} app @param {Example} example */
function from(app, { code }) {
  return h('p.seal', { key: 'from' }, mark('key'), h('span', null, app.t('book.real_deal'), ' ',
    h('a.code', { href: `/d/${code}`, translate: 'no' }, code)));
}

/** @param {App} app @param {Book} book @param {Example} example */
function neighbours(app, book, example) {
  const at = book.examples.indexOf(example);
  const next = book.examples[(at + 1) % book.examples.length] ?? example;
  return h('p', { key: 'next' }, h('a.btn', { href: `/examples/${next.name}` },
    h('span', null, app.t('book.next_example', { title: book.pages.examples[next.name]?.title ?? '' })), mark('next')));
}

// ---------------------------------------------------------------- the panel

/** Family of the game on the table, or of the room. @param {App} app @returns {'DS1' | 'SS1'} */
function gameHere(app) {
  const ruleset = ('ruleset' in app.route && app.route.ruleset) || (app.state.room?.info.options.ruleset ?? '');
  return ruleset.startsWith('SS1') ? 'SS1' : 'DS1';
}

/** The rules of the game one is in, or an example among them. @param {Book} book @returns {Sheet} */
export function rulesSheet(book) {
  return (app) => {
    const example = book.examples.find(({ name }) => name === app.ui.demo);
    if (example) return { title: book.pages.examples[example.name]?.title ?? '', content: panelExample(app, book, example) };
    const rules = book.pages.rules[gameHere(app)];
    return { title: rules.title, content: panelRules(app, book, rules) };
  };
}

/** @param {App} app @param {Book} book @param {Rules} rules */
function panelRules(app, book, rules) {
  const link = (/** @type {string} */ name) => h('button.chip.chip--see', { key: name, type: 'button', on: { click: () => app.set({ demo: name }) } },
    mark('play'), book.pages.examples[name]?.title ?? name);
  return h('div.prose', { key: 'rules' }, h('p.lead', null, rules.lead), rules.sections.map((section) => sectionOf(section, 'h3', link)));
}

/** @param {App} app @param {Book} book @param {Example} example */
function panelExample(app, book, example) {
  return h('div.stack', { key: `example ${example.name}` },
    h('p', null, book.pages.examples[example.name]?.lead ?? ''), stepper(app, book, example),
    h('div.row', null, button(app, { icon: 'back', click: () => app.set({ demo: '' }) }, app.t('book.to_rules'))));
}
