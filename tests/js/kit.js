/**
 * What tests of views share: an app without a browser, and ways to look into a description.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { App } from '../../client_web/js/app.js';
import { textOf } from '../../client_web/js/dom.js';
import { Language } from '../../client_web/js/i18n.js';
import { DEFAULTS } from '../../client_web/js/settings.js';
import { reduce } from '../../client_web/js/store.js';

export const NOW = 100_000;
export const words = (tag) => JSON.parse(readFileSync(new URL(`../../client_web/lang/${tag}.json`, import.meta.url), 'utf8'));

/** An app whose actions are remembered by name in `did`; `answers` has what some of them return. */
export function makeApp(tag = 'en', answers = {}) {
  const app = new App({
    lang: new Language(tag, words(tag)), settings: DEFAULTS, route: { page: 'home' }, now: () => NOW, draw: () => {},
    origin: 'https://kupa.example', canShare: true, named: false,
  });
  app.did = [];
  app.actions = new Proxy({}, { get: (_, name) => (...args) => {
    app.did.push([name, ...args]);
    return answers[name]?.(...args);
  } });
  tell(app, { type: '@status', status: { phase: 'open', verdict: null, retryAtMs: 0, attempt: 0 } });
  tell(app, { type: 'Welcome', player: 'p0', tag: '4F2A', name: 'Deniz', token: '', room: '' });
  return app;
}

export function tell(app, ...events) {
  for (const event of events) app.state = reduce(app.state, event, NOW);
  return app;
}

/** All elements of a description. */
export function all(nodes) {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...all(node.kids)]));
}

export const buttons = (nodes) => all(nodes).filter((node) => node.tag === 'button');
export const links = (nodes) => all(nodes).filter((node) => node.tag === 'a').map((node) => node.props.href);

export function press(nodes, label) {
  const found = buttons(nodes).find((node) => textOf(node) === label || node.props['aria-label'] === label);
  assert.ok(found, `a button ${label} among ${buttons(nodes).map((node) => textOf(node)).join(' | ')}`);
  found.props.on.click({});
}

/** Nothing that is shown is a key, or has a hole that was not filled. */
export function assertWorded(nodes, tag) {
  const groups = new Set(Object.keys(words(tag)).map((key) => key.split('.')[0]));
  for (const node of all(nodes)) {
    for (const text of [...node.kids.filter((kid) => typeof kid === 'string'), node.props['aria-label'], node.props.alt].filter(Boolean)) {
      const key = /^[a-z_]+(\.[A-Za-z0-9_-]+)+$/.test(text) ? text : '';
      assert.ok(!key || !groups.has(key.split('.')[0]), `${tag}: ${text}`);
      assert.ok(!/\{\w+\}/.test(text), `${tag}: ${text}`);
    }
  }
}

/** Every button, link and field has a name; keys among brothers are unique; a page has one first heading. */
export function assertSound(nodes) {
  const every = all(nodes);
  for (const node of every.filter((one) => ['button', 'a'].includes(one.tag))) assert.ok(node.props['aria-label'] || textOf(node), JSON.stringify(node.props));
  const labels = new Set(every.filter((one) => one.tag === 'label').map((one) => one.props.for));
  const wrapped = new Set(every.filter((one) => one.tag === 'label').flatMap((label) => all(label.kids)));
  for (const node of every.filter((one) => ['input', 'select'].includes(one.tag))) assert.ok(labels.has(node.props.id) || wrapped.has(node), JSON.stringify(node.props));
  const unique = (kids) => {
    const keys = kids.filter((kid) => typeof kid !== 'string').map((kid) => kid.props.key).filter((key) => key !== undefined);
    assert.equal(new Set(keys).size, keys.length, keys.join(', '));
    for (const kid of kids) if (typeof kid !== 'string') unique(kid.kids);
  };
  unique(nodes);
  assert.equal(every.filter((one) => one.tag === 'h1').length, every.some((one) => one.tag === 'main') ? 1 : 0);
  assert.ok(buttons(nodes).filter((node) => node.props.class?.includes('btn--gold')).length <= 1);
}
