/**
 * Where this site begins: at the top of its host, or below a path of it.
 *
 * Lives here: the path, found from where this file came from, and addresses made with it. Does not live
 * here: which addresses there are.
 */

/** Path of the site, without a `/` at its end; empty at the top. */
export const BASE = baseOf(import.meta.url);

/**
 * @param {string} url of a module of the client
 * @returns {string} the path that the site lies below
 */
export function baseOf(url) {
  const { protocol, pathname } = new URL(url);
  return protocol.startsWith('http') ? pathname.replace(/(?:\/v\/[0-9a-f]{12})?\/js\/[^]*$/, '') : '';
}

/** An address of this site as the browser needs it. @param {string} path `/solo` @param {string} [base] */
export function below(path, base = BASE) {
  return base + path;
}

/** The other way round: a path of the browser as one of this site. @param {string} path @param {string} [base] */
export function within(path, base = BASE) {
  return base && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

/**
 * The address to share: the one the host has set, else the one in the browser.
 * @param {Document} doc
 * @param {Location} location
 */
export function publicAddress(doc, location) {
  return doc.querySelector('meta[name="kupa-address"]')?.getAttribute('content') || location.origin + BASE;
}
