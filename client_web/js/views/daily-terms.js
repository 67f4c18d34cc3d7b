/** What one attempt at a daily deal means (ruling 25), in words. */

import { h } from '../dom.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */

/** @param {App} app @returns {VNode} */
export function rules(app) {
  return h('ul.terms', { key: 'terms' },
    ['one', 'clock', 'final'].map((name) => h('li', { key: name }, app.t(`daily.terms.${name}`))));
}
