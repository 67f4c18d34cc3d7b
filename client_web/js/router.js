/**
 * Addresses of pages.
 *
 * Lives here: address to page and back, and following links without loading the page again. Does
 * not live here: what a page shows.
 */

import { below, within } from './base.js';

/** Five letters without I and O, which look like digits. */
const ROOM_CODE = /^[A-HJ-NP-Z]{5}$/;

const EXAMPLE = /^[a-z]+(?:-[a-z]+)*$/;
const RULESET = /^(?:DS1-D[13][NV]|SS1-D[123]N)$/;
const DAILY = /^\/daily\/(\d{4}-\d{2}-\d{2})(?:\/(DS1-D1N|DS1-D3N|DS1-D1V|SS1-D3N)(\/practice)?)?$/;
const BOARD = /^\?game=(DS1-D1N|DS1-D3N|DS1-D1V|SS1-D3N)$/;
const PLAYER = /^[A-Z]{10}$/;
const HEAT = PLAYER;
/** A heat, or somebody's attempt at a daily deal. */
const REPLAY = /^(?:[A-Z]{10}|\d{4}-\d{2}-\d{2}-(?:DS1-D1N|DS1-D3N|DS1-D1V|SS1-D3N)-[A-Z]{10})$/;

/**
 * @typedef {{page: 'home' | 'create' | 'settings' | 'device' | 'lost'} | {page: 'solo'} | {page: 'room', code: string}
 *   | {page: 'play', ruleset: string} | {page: 'deal', code: string} | {page: 'rules', game: 'DS1' | 'SS1'}
 *   | {page: 'examples', name: string} | {page: 'faq'}
 *   | {page: 'daily', date: string, ruleset?: string} | {page: 'attempt', date: string, ruleset: string, practice: boolean}
 *   | {page: 'leaderboards'} | {page: 'profile', player: string} | {page: 'replay', id: string}
 *   | {page: 'ghost', id: string} | {page: 'tournaments'} | {page: 'tournament_new'}
 *   | {page: 'tournament' | 'console', code: string}} Route
 * `play`: the saved game of a ruleset; `deal`: the deal of a code, as it stands in the address; `examples`: `name` is
 * empty for the first; `daily`: `date` is empty for today; `replay`: `id` is empty where a file is opened;
 * `ghost`: `id` of the heat that can be raced against; `tournament`: as its players see it, `console`: as its hosts do.
 */

/** @type {Readonly<Record<string, Route>>} */
const PAGES = Object.freeze({
  '/': { page: 'home' },
  '/new': { page: 'create' },
  '/solo': { page: 'solo' },
  '/settings': { page: 'settings' },
  '/device': { page: 'device' },
  '/rules': { page: 'rules', game: 'DS1' },
  '/rules/single': { page: 'rules', game: 'SS1' },
  '/examples': { page: 'examples', name: '' },
  '/faq': { page: 'faq' },
  '/daily': { page: 'daily', date: '' },
  '/leaderboards': { page: 'leaderboards' },
  '/replay': { page: 'replay', id: '' },
  '/t': { page: 'tournaments' },
  '/t/new': { page: 'tournament_new' },
});

/** Addresses with something in them. @type {Readonly<Record<string, (rest: string) => Route | null>>} */
const FAMILIES = Object.freeze({
  t: (rest) => (roomCode(rest) ? { page: 'tournament', code: roomCode(rest) } : null),
  r: (rest) => (roomCode(rest) ? { page: 'room', code: roomCode(rest) } : null),
  d: (rest) => ({ page: 'deal', code: rest }),
  solo: (rest) => (RULESET.test(rest) ? { page: 'play', ruleset: rest } : null),
  examples: (rest) => (EXAMPLE.test(rest) ? { page: 'examples', name: rest } : null),
  player: (rest) => (PLAYER.test(rest) ? { page: 'profile', player: rest } : null),
  g: (rest) => (HEAT.test(rest) ? { page: 'ghost', id: rest } : null),
  replay: (rest) => (REPLAY.test(rest) ? { page: 'replay', id: rest } : null),
});

/**
 * What people type or paste for a room, as its code; empty when it cannot be one.
 * @param {string} text a code, or a link that ends in one
 */
export function roomCode(text) {
  const tail = text.trim().replace(/[?#].*$/, '').replace(/\/+$/, '').split('/').pop() ?? '';
  // Turkish keyboards: the dotted and dotless i are the same letter here
  const code = tail.replace(/[\s-]/g, '').replace(/[ıİi]/g, 'I').toUpperCase();
  return ROOM_CODE.test(code) ? code : '';
}

/**
 * @param {string} path the path of an address
 * @param {string} [search] what follows it: the game of a daily board
 * @returns {Route}
 */
export function parse(path, search = '') {
  const route = parsePath(path);
  const [, ruleset = ''] = BOARD.exec(search) ?? [];
  return route.page === 'daily' && route.date && ruleset ? { ...route, ruleset } : route;
}

/** @param {string} path @returns {Route} */
function parsePath(path) {
  const page = PAGES[path];
  if (page) return page;
  if (path.startsWith('/daily/')) return parseDaily(path);
  if (path.startsWith('/t/') && path.endsWith('/host')) return parseConsole(path);
  const [, family = '', rest = ''] = /^\/([a-z]+)\/([^/]+)$/.exec(path) ?? [];
  return (Object.hasOwn(FAMILIES, family) && FAMILIES[family]?.(rest)) || { page: 'lost' };
}

/** @param {string} path @returns {Route} */
function parseConsole(path) {
  const code = roomCode(path.slice(0, -'/host'.length));
  return code && path.split('/').length === 4 ? { page: 'console', code } : { page: 'lost' };
}

/** @param {string} path @returns {Route} */
function parseDaily(path) {
  const [, date = '', ruleset = '', practice] = DAILY.exec(path) ?? [];
  if (!isDay(date)) return { page: 'lost' };
  return ruleset ? { page: 'attempt', date, ruleset, practice: practice !== undefined } : { page: 'daily', date };
}

/** @param {string} text such as 2026-07-29 */
function isDay(text) {
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
}

/**
 * @param {Route} route
 * @returns {string} its path
 */
export function pathOf(route) {
  if (route.page === 'room') return `/r/${route.code}`;
  if (route.page === 'tournament') return `/t/${route.code}`;
  if (route.page === 'console') return `/t/${route.code}/host`;
  if (route.page === 'deal') return `/d/${route.code}`;
  if (route.page === 'play') return `/solo/${route.ruleset}`;
  if (route.page === 'rules') return route.game === 'SS1' ? '/rules/single' : '/rules';
  if (route.page === 'daily' && route.date) return `/daily/${route.date}${route.ruleset ? `?game=${route.ruleset}` : ''}`;
  if (route.page === 'attempt') return `/daily/${route.date}/${route.ruleset}${route.practice ? '/practice' : ''}`;
  if (route.page === 'ghost') return `/g/${route.id}`;
  if (route.page === 'profile') return `/player/${route.player}`;
  if (route.page === 'replay' && route.id) return `/replay/${route.id}`;
  if (route.page === 'examples' && route.name) return `/examples/${route.name}`;
  return Object.keys(PAGES).find((path) => PAGES[path]?.page === route.page) ?? '/';
}

/**
 * Follows links and the back button. Starts at once with the present address.
 * @param {Window} win
 * @param {(route: Route) => void} show called after every change
 * @returns {{go: (route: Route, how?: {replace?: boolean}) => void}}
 */
export function follow(win, show) {
  const now = () => show(parse(within(win.location.pathname), win.location.search));
  win.addEventListener('popstate', now);
  win.document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target) return;
    if (link.origin !== win.location.origin || link.hash || parse(within(link.pathname)).page === 'lost') return;
    event.preventDefault();
    win.history.pushState(null, '', link.pathname + link.search);
    now();
  });
  now();
  return {
    go(route, how = {}) {
      const path = below(pathOf(route));
      if (path !== win.location.pathname + win.location.search) {
        if (how.replace) win.history.replaceState(null, '', path);
        else win.history.pushState(null, '', path);
      }
      show(route);
    },
  };
}
