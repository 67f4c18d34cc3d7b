/**
 * The page to print from: `/t/CODE/print`.
 *
 * Lives here: fetching the tournament once, printing parts of it, and saving it as one file. Does not live
 * here: the sheets themselves (`sheet.js`).
 */

import { below, publicAddress } from '../base.js';
import { patch } from '../dom.js';
import { collect } from './archive.js';
import { Feed } from './feed.js';
import { named } from './model.js';
import { sheets } from './sheet.js';
import { stage } from './stage.js';

/** @import { Fetching } from './sheet.js' */

const root = document.getElementById('sheets');
if (!root) throw new Error('the page has no #sheets');
const { code, lang } = await stage();

/** @type {Fetching | null} */
let fetching = null;
const get = (/** @type {string} */ path) => fetch(path);
const feed = new Feed(code, { get, now: () => Date.now(), later: (run, ms) => void window.setTimeout(run, ms), changed: draw });

function draw() {
  const { whole, fault } = feed;
  const address = publicAddress(document, window.location);
  patch(/** @type {HTMLElement} */ (root), sheets({
    lang, code, address, whole: whole && named(whole, (n) => lang.t('screen.bot', { n })), fault, fetching, print, save: () => void save(),
  }));
  document.title = `${whole?.info.options.name ?? lang.t('print.title')} · Kupa`;
}

/** @param {'' | 'standings' | 'certificates'} what empty: both */
function print(what) {
  document.documentElement.dataset['print'] = what;
  window.print();
}

async function save() {
  try {
    const file = await collect((page) => get(below(`/api/tournament/${code}.archive?page=${page}`)), (at, pages) => {
      fetching = { at, pages, bad: false };
      draw();
    });
    fetching = null;
    offer(new Blob([JSON.stringify(file)], { type: 'application/json' }), `${code}.json`);
  } catch (error) {
    console.warn(error);
    fetching = { at: 0, pages: 0, bad: true };
  }
  draw();
}

/** Have the browser save a file. @param {Blob} blob @param {string} name */
function offer(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

draw();
await feed.askWhole();
draw();
