/**
 * Telling somebody whose phone is in the pocket that their heat starts: it vibrates, sounds, notifies, where allowed.
 *
 * Lives here: the browser's ways to do so, and whether the player wants it. Does not live here: when it is done
 * (`tournament-desk.js`), what a tap on the note does (`sw.js`).
 */

import { below } from '../base.js';
import { Sound } from '../table/sound.js';

/** @import { App } from '../app.js' */
/** @import { Keep } from '../storage.js' */
/** @import { TournamentYou } from '../wire.gen.js' */

const WANTED = 'kupa:signal';
const BUZZ = Object.freeze([300, 120, 300, 120, 500]);

export class Signal {
  /** @param {Window & typeof globalThis} win @param {Keep} keep */
  constructor(win, keep) {
    this.win = win;
    this.keep = keep;
    this.sound = new Sound(this.on);
  }

  /** Whether the player wants to be told. */
  get on() {
    return this.keep.get(WANTED) === '1';
  }

  /** Inside a click: the first sound unlocks the others, and browsers ask about notes only then. @param {boolean} on */
  async set(on) {
    if (on) this.keep.set(WANTED, '1');
    else this.keep.remove(WANTED);
    this.sound.on = on;
    if (!on) return;
    this.sound.tick(true);
    this.buzz([60]);
    if ('Notification' in this.win && this.win.Notification.permission === 'default') await this.win.Notification.requestPermission();
  }

  /** A heat of one's own was drawn. @param {App} app @param {TournamentYou} you */
  heat(app, you) {
    this.buzz([...BUZZ]);
    if (app.lang.has('tour.signal.title')) app.act.notice(app.t('tour.signal.title'));
    if (!this.on) return;
    this.sound.chord();
    if (this.win.document.visibilityState === 'hidden') void this.note(app, `/r/${you.room}`);
  }

  /** @param {number[]} pattern */
  buzz(pattern) {
    // Some browsers have it and do nothing before the first touch
    if (typeof this.win.navigator.vibrate === 'function' && this.win.navigator.userActivation?.hasBeenActive !== false) this.win.navigator.vibrate(pattern);
  }

  /** On Android a page may not show a note itself, only its service worker. @param {App} app @param {string} path */
  async note(app, path) {
    if (!('Notification' in this.win) || this.win.Notification.permission !== 'granted') return;
    const what = { body: app.t('tour.signal.body'), tag: 'kupa-heat', icon: below('/icon.svg'), data: { path: below(path) }, requireInteraction: true };
    const worker = await this.win.navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(app.t('tour.signal.title'), what);
    else new this.win.Notification(app.t('tour.signal.title'), what);
  }
}
