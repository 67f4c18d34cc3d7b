/**
 * What the addresses of rules, examples and questions lead to.
 *
 * Lives here: fetching the long texts and their pages when they are first wanted. Does not live here: what they look
 * like (`views/book.js`), the texts (`lang/pages.*.json`).
 */

import { loadBook } from './book.js';
import { addStyles, Later } from './later.js';
import { awaited, loading } from './views/states.js';

/** @import { App } from './app.js' */
/** @import { Page } from './main.js' */
/** @import { Route } from './router.js' */

export class BookDesk {
  /** @param {App} app @param {() => void} changed */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    this.views = new Later(() => import('./views/book.js'), changed);
    this.texts = this.textsOf(app.lang.tag);
  }

  /** The long texts in a language. @param {string} tag */
  textsOf(tag) {
    return { tag, book: new Later(() => this.load(tag), this.changed) };
  }

  /** @param {string} tag */
  async load(tag) {
    const [book] = await Promise.all([
      loadBook(tag, (file) => fetch(new URL(`../${file}`, import.meta.url))), addStyles(document, new URL('../css/book.css', import.meta.url)),
    ]);
    return book;
  }

  /** Views and texts; null while they are on their way. */
  get() {
    const { tag } = this.app.lang;
    if (this.texts.tag !== tag) this.texts = this.textsOf(tag);
    const [views, book] = [this.views.get(), this.texts.book.get()];
    const { app } = this;
    app.sheets.rules = views && book ? views.rulesSheet(book)
      : () => ({ title: app.t('foot.rules'), content: awaited(app, this.views, this.texts.book) });
    return views && book ? { views, book } : null;
  }

  /** @param {Extract<Route, {page: 'rules' | 'examples' | 'faq'}>} route @returns {Page} */
  page(route) {
    const { app } = this;
    const found = this.get();
    if (!found) return { key: 'loading', draw: () => loading(app, this.views, this.texts.book) };
    const { views, book } = found;
    if (route.page === 'rules') return { key: `rules ${route.game}`, draw: () => views.rulesPage(app, book, route.game) };
    if (route.page === 'examples') return { key: `examples ${route.name}`, draw: () => views.examplesPage(app, book, route.name) };
    return { key: 'faq', draw: () => views.faqPage(app, book) };
  }
}
