/**
 * Addresses of pages.
 *
 * Lives here: address to page and back, and following links without loading the page again. Does
 * not live here: what a page shows.
 */

/** Five letters without I and O, which look like digits. */
const ROOM_CODE = /^[A-HJ-NP-Z]{5}$/;

/** @typedef {{page: 'home' | 'create' | 'settings' | 'device' | 'lost'} | {page: 'room', code: string}} Route */

/** @type {Readonly<Record<string, Route>>} */
const PAGES = Object.freeze({
  '/': { page: 'home' },
  '/new': { page: 'create' },
  '/settings': { page: 'settings' },
  '/device': { page: 'device' },
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
 * @returns {Route}
 */
export function parse(path) {
  const page = PAGES[path];
  if (page) return page;
  const code = /^\/r\/[^/]+$/.test(path) ? roomCode(path) : '';
  return code ? { page: 'room', code } : { page: 'lost' };
}

/**
 * @param {Route} route
 * @returns {string} its path
 */
export function pathOf(route) {
  if (route.page === 'room') return `/r/${route.code}`;
  return Object.keys(PAGES).find((path) => PAGES[path]?.page === route.page) ?? '/';
}

/**
 * Follows links and the back button. Starts at once with the present address.
 * @param {Window} win
 * @param {(route: Route) => void} show called after every change
 * @returns {{go: (route: Route, how?: {replace?: boolean}) => void}}
 */
export function follow(win, show) {
  const now = () => show(parse(win.location.pathname));
  win.addEventListener('popstate', now);
  win.document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target) return;
    if (link.origin !== win.location.origin || link.hash || parse(link.pathname).page === 'lost') return;
    event.preventDefault();
    win.history.pushState(null, '', link.pathname);
    now();
  });
  now();
  return {
    go(route, how = {}) {
      const path = pathOf(route);
      if (path !== win.location.pathname) {
        if (how.replace) win.history.replaceState(null, '', path);
        else win.history.pushState(null, '', path);
      }
      show(route);
    },
  };
}
