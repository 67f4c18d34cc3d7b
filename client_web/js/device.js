/**
 * What the browser does for the player: copying, sharing, loading the page again, a page for when there is no connection.
 *
 * Lives here: the calls with their ways round what a browser lacks. Does not live here: when they
 * are made.
 */

import { below } from './base.js';

/**
 * @param {Window} win
 */
export function device(win) {
  return {
    copy: (/** @type {string} */ text) => copy(win, text),
    share: (/** @type {{title: string, url?: string, text?: string}} */ data) => share(win, data),
    later: (/** @type {() => void} */ run, /** @type {number} */ ms) => win.setTimeout(run, ms),
    reload: () => win.location.reload(),
    now: () => win.performance.now(),
  };
}

/**
 * @param {Window} win
 * @param {string} text
 * @returns {Promise<boolean>} whether it is on the clipboard now
 */
async function copy(win, text) {
  // A hall's plain-HTTP page has no clipboard of the new kind (ruling 13)
  if (!win.navigator.clipboard) return copyOldWay(win.document, text);
  try {
    await win.navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return copyOldWay(win.document, text);
    throw error;
  }
}

/** @param {Document} doc @param {string} text */
function copyOldWay(doc, text) {
  const field = doc.createElement('textarea');
  field.className = 'sr';
  field.value = text;
  doc.body.append(field);
  const focused = doc.activeElement;
  field.select();
  const done = doc.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}

/**
 * @param {Window} win
 * @param {{title: string, url?: string, text?: string}} data
 */
async function share(win, data) {
  try {
    await win.navigator.share(data);
  } catch (error) {
    // The user closed the sheet again
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}

/**
 * Have a page at hand that says that there is no connection (`sw.js`). Browsers do that on HTTPS and on this machine
 * only (ruling 13); elsewhere everything works without it.
 * @param {Window} win
 */
export async function readyOffline(win) {
  if (!win.isSecureContext || !win.navigator.serviceWorker) return;
  try {
    await win.navigator.serviceWorker.register(below('/sw.js'));
  } catch (error) {
    // Forbidden by a setting or a private window, or the server is away: the browser's own page will do
    console.warn(error);
  }
}
