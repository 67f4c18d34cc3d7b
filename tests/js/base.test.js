import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BASE, baseOf, below, publicAddress, within } from '../../client_web/js/base.js';

test('a site at the top of its host has no path before its own', () => {
  assert.equal(baseOf('https://play.example.org/js/base.js'), '');
  assert.equal(baseOf('https://play.example.org/v/0123456789ab/js/base.js'), '');
  assert.equal(below('/solo', ''), '/solo');
  assert.equal(within('/solo', ''), '/solo');
});

test('a site below a path writes it before every address and takes it off again', () => {
  assert.equal(baseOf('https://example.org/club/kupa/v/0123456789ab/js/base.js'), '/club/kupa');
  assert.equal(baseOf('http://example.org/kupa/js/base.js'), '/kupa');
  assert.equal(below('/r/KMPQR', '/kupa'), '/kupa/r/KMPQR');
  assert.equal(within('/kupa/r/KMPQR', '/kupa'), '/r/KMPQR');
  assert.equal(within('/kupa/', '/kupa'), '/');
  assert.equal(within('/kupas', '/kupa'), '/kupas');
});

test('a module that came from a file has no path', () => {
  assert.equal(BASE, '');
});

test('the address to share is the one that was set, else the one in the browser', () => {
  const location = { origin: 'http://192.0.2.1:8000' };
  const told = { querySelector: () => ({ getAttribute: () => 'https://example.org/kupa' }) };
  assert.equal(publicAddress(told, location), 'https://example.org/kupa');
  assert.equal(publicAddress({ querySelector: () => null }, location), 'http://192.0.2.1:8000');
});
