import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse, pathOf, roomCode } from '../../client_web/js/router.js';

test('every page has an address and the way back', () => {
  for (const path of ['/', '/new', '/rules', '/rules/single', '/examples', '/examples/king-only', '/faq', '/solo', '/solo/DS1-D1N', '/solo/SS1-D2N', '/d/DS1-D1N-AAAAAAB', '/settings', '/device', '/r/KVMXR']) assert.equal(pathOf(parse(path)), path);
});

test('days, attempts, practice, leaderboards and people have addresses; days that are none have not', () => {
  for (const path of ['/daily', '/daily/2028-02-29', '/daily/2026-07-29/DS1-D1V', '/daily/2026-07-29/SS1-D3N/practice', '/leaderboards', '/player/ABCDEFGHJK']) {
    assert.notEqual(parse(path).page, 'lost', path);
    assert.equal(pathOf(parse(path)), path);
  }
  for (const path of ['/daily/2026-02-29', '/daily/2026-13-01', '/daily/x', '/daily/2026-07-29/DS1-D3V', '/daily/2026-07-29/DS1-D1N/x', '/player/x']) {
    assert.deepEqual(parse(path), { page: 'lost' }, path);
  }
});

test('a heat, an attempt and a file have addresses for their replay', () => {
  for (const path of ['/replay', '/replay/KMPQRTVWXY', '/replay/2026-07-29-DS1-D1N-KMPQRTVWXY']) {
    assert.equal(parse(path).page, 'replay');
    assert.equal(pathOf(parse(path)), path);
  }
  for (const path of ['/replay/kmpqrtvwxy', '/replay/KMPQRTVWX', '/replay/2026-07-29-DS1-D3V-KMPQRTVWXY', '/replay/KMPQRTVWXY/x', '/replay/']) {
    assert.deepEqual(parse(path), { page: 'lost' }, path);
  }
});

test('anything else is a page that is not there', () => {
  for (const path of ['/nope', '/r/', '/r/KVMX', '/r/KVMXR/x', '/r/KVMX%20', '/r/../x', '//', '/r/%E0%A4%A', '/solo/DS1-D2N', '/solo/x', '/examples/King', '/rules/double', '/d', '/d/', '/constructor/x']) {
    assert.deepEqual(parse(path), { page: 'lost' }, path);
  }
});

test('a code is read however it is typed, with or without its link', () => {
  for (const text of ['kvmxr', ' KV-MXR ', 'kv mxr', 'https://kupa.example/r/KVMXR', 'kupa.example/r/kvmxr/?x#y']) {
    assert.equal(roomCode(text), 'KVMXR', text);
  }
});

test('tournaments have addresses: the list, a new one, the page of the players and that of the hosts', () => {
  for (const [path, route] of [
    ['/t', { page: 'tournaments' }], ['/t/new', { page: 'tournament_new' }], ['/t/KVMXR', { page: 'tournament', code: 'KVMXR' }], ['/t/KVMXR/host', { page: 'console', code: 'KVMXR' }],
  ]) {
    assert.deepEqual(parse(path), route);
    assert.equal(pathOf(route), path);
  }
  for (const path of ['/t/KVMXR/screen', '/t/KVMXR/print', '/t/x/host', '/t/KVMXR/KVMXR/host', '/t/host']) assert.equal(parse(path).page, 'lost', path);
});

test('five letters, never I or O, are a code and nothing else is', () => {
  for (const text of ['', 'KVMX', 'KVMXRA', 'KVM1R', 'KVMOR', 'kıvır', '<b>ab']) assert.equal(roomCode(text), '', text);
});

test('the board of a day carries its game in the address, and others ignore what follows', () => {
  const board = { page: 'daily', date: '2026-11-30', ruleset: 'SS1-D3N' };
  assert.deepEqual(parse('/daily/2026-11-30', '?game=SS1-D3N'), board);
  assert.equal(pathOf(board), '/daily/2026-11-30?game=SS1-D3N');
  for (const search of ['', '?game=XX', '?x=1']) assert.deepEqual(parse('/daily/2026-11-30', search), { page: 'daily', date: '2026-11-30' });
  assert.deepEqual(parse('/solo', '?game=SS1-D3N'), { page: 'solo' });
});
