/**
 * The screen of a hall: `/t/CODE/screen`.
 *
 * Lives here: wiring feed, words and drawing, and keeping the machine awake. The page makes no player, opens
 * no socket and takes no input: it goes on by itself whatever happens to the line.
 */

import { publicAddress } from '../base.js';
import { patch } from '../dom.js';
import { Feed } from './feed.js';
import { named } from './model.js';
import { stage } from './stage.js';
import { screen } from './view.js';

const TICK_MS = 250;

const root = document.getElementById('screen');
if (!root) throw new Error('the page has no #screen');
const { code, lang } = await stage();

/** @type {Map<string, string[]>} */
const seen = new Map();
const feed = new Feed(code, {
  get: (path, patience) => fetch(path, { signal: AbortSignal.timeout(patience) }),
  now: () => Date.now(),
  later: (run, ms) => void window.setTimeout(run, ms),
  changed: draw,
});

function draw() {
  const { live, fault } = feed;
  const whole = feed.whole && named(feed.whole, (n) => lang.t('screen.bot', { n }));
  const address = publicAddress(document, window.location);
  patch(/** @type {HTMLElement} */ (root), screen({ lang, code, address, whole, live, fault, now: feed.serverNow(), seen }));
  document.title = `${live?.info.options.name ?? lang.t('screen.title')} · Kupa`;
}

/** Browsers give it on HTTPS and on this machine only, and take it back when the page is hidden. */
async function stayAwake() {
  if (document.visibilityState !== 'visible' || !navigator.wakeLock) return;
  try {
    await navigator.wakeLock.request('screen');
  } catch (error) {
    // An empty battery, or a setting
    if (!(error instanceof DOMException)) throw error;
    console.warn(error);
  }
}

document.addEventListener('visibilitychange', () => void stayAwake());
window.setInterval(draw, TICK_MS);
void stayAwake();
void feed.run();
draw();
