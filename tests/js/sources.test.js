import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../client_web/', import.meta.url);
const names = readdirSync(root, { recursive: true }).map(String);
const read = (name) => readFileSync(new URL(name, root), 'utf8');
const scripts = names.filter((name) => name.endsWith('.js')).map((name) => [name, read(name)]);
const words = JSON.parse(read('lang/en.json'));
/** The others come with the pages that show them. */
const allWords = Object.assign({}, ...names.filter((name) => /^lang.(?!pages)[a-z]*\.?en\.json$/.test(name)).map((name) => JSON.parse(read(name))));

/** Keys written out, and the beginnings of those that are put together. */
function usedKeys() {
  const keys = new Set();
  const beginnings = new Set();
  for (const [, source] of scripts) {
    for (const [, key] of source.matchAll(/(?<!\bh\()['"`]([a-z_]+(?:\.[A-Za-z0-9_-]+)+)['"`]/g)) keys.add(key);
    for (const [, beginning] of source.matchAll(/`([a-z_]+\.[A-Za-z0-9_.-]*)\$\{/g)) beginnings.add(beginning);
    for (const [, key] of source.matchAll(/\bt\('([a-z]+)'/g)) keys.add(key);
  }
  return { keys, beginnings };
}

test('every key that a script names is in the language files', () => {
  const groups = new Set(Object.keys(allWords).map((key) => key.split('.')[0]));
  const { keys, beginnings } = usedKeys();
  for (const key of keys) {
    const ending = /\.(js|json|css|svg)$/.test(key);
    if (groups.has(key.split('.')[0]) && key.includes('.') && !ending) assert.ok(key in allWords, key);
  }
  for (const beginning of beginnings) {
    assert.ok(Object.keys(allWords).some((key) => key.startsWith(beginning)), beginning);
  }
});

test('no key lies about unused', () => {
  const { keys, beginnings } = usedKeys();
  const stems = ['stopped.outdated', 'stopped.broken'];
  const unused = Object.keys(words).filter((key) => !keys.has(key) && ![...beginnings, ...stems].some((beginning) => key.startsWith(beginning)));
  assert.deepEqual(unused, []);
});

test('nothing in the client can turn text into markup or code', () => {
  const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\('style'|\bon[a-z]+=|javascript:|DOMParser|createContextualFragment/;
  for (const [name, source] of scripts) assert.doesNotMatch(source, forbidden, name);
});

test('the page has no inline script or style, and everything comes from here', () => {
  const html = read('index.html');
  assert.doesNotMatch(html, /<style|style="|\son[a-z]+="|<script(?![^>]*\bsrc=)/);
  for (const [, address] of html.matchAll(/(?:src|href)="([^"]+)"/g)) assert.match(address, /^\/[a-z]/);
  for (const name of names.filter((one) => one.endsWith('.css'))) assert.doesNotMatch(read(name), /url\((?!["']?#)|@import/, name);
});

test('modules import each other by relative paths, so that a version stays whole', () => {
  for (const [name, source] of scripts) {
    for (const [, from] of source.matchAll(/^(?:import|export)[^'"]*from '([^']+)'/gm)) assert.match(from, /^\.\.?\//, `${name}: ${from}`);
  }
});

test('modules import and export so that the server can join them: by name, nothing by default, nothing that changes', () => {
  const good = /^(?:import (?:\{[^}]*\}|\* as \w+) from '[^']+';|import '[^']+';|import\(|export (?:\{[^}]*\}|\*) from '[^']+';|export (?:async )?(?:function\*?|class|const) \w)/;
  for (const [name, source] of scripts.filter(([one]) => one.startsWith('js/'))) {
    for (const { index } of source.matchAll(/^(?:import|export)\b/gm)) assert.match(source.slice(index), good, name);
  }
});

test('no text spans lines, so that a line that begins like a comment is one when comments are left out', () => {
  for (const [name, source] of scripts) {
    const code = source.replace(/^[ \t]*\/\*(?:(?!\*\/)[^])*\*\/[ \t]*$/gm, '').replace(/(^|\s)\/\/.*$/gm, '');
    for (const line of code.split('\n')) assert.equal((line.match(/(?<!\\)`/g) ?? []).length % 2, 0, `${name}: ${line}`);
  }
});

test('files stay small enough to be read', () => {
  for (const [name, source] of scripts) {
    if (!name.endsWith('.gen.js')) assert.ok(source.split('\n').length <= 400, name);
  }
});
