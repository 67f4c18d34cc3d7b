/**
 * What every view is given: the state, the words, the settings, and what can be done.
 *
 * Lives here: the one mutable object of the page and asking for a drawing. Does not live here:
 * drawing (`main.js`, `views/`), commands (`actions.js`).
 */

import { Once } from './once.js';
import { NOTHING } from './pull.js';
import { reduce, START } from './store.js';

/** @import { Choice } from './daily.js' */
/** @import { Language, Params } from './i18n.js' */
/** @import { Pull }  from './pull.js' */
/** @import { Route } from './router.js' */
/** @import { Settings } from './settings.js' */
/** @import { LocalEvent, State } from './store.js' */
/** @import { DeviceCode, RoomOptions, WireEvent } from './wire.gen.js' */
/** @import { Actions } from './actions.js' */
/** @import { Check } from './fairness.js' */
/** @import { Children } from './dom.js' */
/** @import { Tour } from './tournament/model.js' */
/** @import { TournamentActions } from './tournament/actions.js' */

/** @typedef {'' | 'name' | 'settings' | 'options' | 'leave' | 'revoke' | 'again' | 'code' | 'won' | 'rules' | 'daily'} DialogName */
/** @typedef {(app: App) => {title: string, content: Children}} Sheet what a dialog of a part that came later shows */
/** @typedef {{options: RoomOptions, bots: number, level: number, challenge: boolean}} RoomForm */
/**
 * What the page remembers of itself: nothing here is known to the server.
 * @typedef {object} Ui
 * @property {{text: string, bad: boolean} | null} notice
 * @property {DialogName} dialog
 * @property {string} busy name of the command under way
 * @property {string} game ruleset for Play now and Quick match
 * @property {RoomForm} form of a room to create, or of the options being edited
 * @property {string} joinCode as typed
 * @property {boolean} joinBad what was typed is no code
 * @property {string} name as typed
 * @property {string} typedDevice a device code as typed
 * @property {DeviceCode | null} deviceCode
 * @property {{heat: string, open: boolean} | null} choice whether the user wants to see the result of this heat
 * @property {{code: string, refusal: string} | null} noEntry
 * @property {string} copied what was copied a moment ago
 * @property {{heat: string, code: string, checks: Check[], ms: number} | null} proof
 * @property {string} demo name of the example that the panel of rules shows; empty: the rules
 * @property {Choice} daily which leaderboard the page of the daily deals shows
 * @property {Choice} boards which one the page of the leaderboards shows
 * @property {Partial<Tour>} tour what is chosen and typed on the pages of tournaments
 * @property {{ruleset: string, code: string, certified: boolean}} solo the game to deal for oneself: what is chosen, a code
 *   as typed, and whether the deal should be one that can be won
 */

/** @type {Readonly<RoomOptions>} */
export const FIRST_OPTIONS = Object.freeze({
  ruleset: 'DS1-D1N', goal: 'first', minutes: 10, seats: 4, undo: 'all', hints: true, public: false, best_of: 1,
  code: '', match: false, certified: true,
});

/** @returns {Ui} */
export function freshUi() {
  return {
    notice: null,
    dialog: '',
    busy: '',
    game: FIRST_OPTIONS.ruleset,
    form: { options: { ...FIRST_OPTIONS }, bots: 0, level: 2, challenge: false },
    joinCode: '',
    joinBad: false,
    name: '',
    typedDevice: '',
    deviceCode: null,
    choice: null,
    noEntry: null,
    copied: '',
    proof: null,
    demo: '',
    daily: { ruleset: FIRST_OPTIONS.ruleset, period: 'day', tab: 'time', page: 1 },
    boards: { ruleset: FIRST_OPTIONS.ruleset, period: 'race', tab: 'time', page: 1 },
    tour: {},
    solo: { ruleset: FIRST_OPTIONS.ruleset, code: '', certified: false },
  };
}

/**
 * @typedef {object} Outside
 * @property {Language} lang
 * @property {Settings} settings
 * @property {Route} route
 * @property {() => number} now the server's time
 * @property {() => void} draw asks for a drawing soon
 * @property {string} origin of the page's address
 * @property {boolean} canShare the device has a share sheet
 * @property {Pull} [pull] what the server tells by GET; nothing is told without it
 * @property {boolean} named the player has chosen a name on this device
 */

export class App {
  /** @param {Outside} outside */
  constructor(outside) {
    this.lang = outside.lang;
    this.settings = outside.settings;
    this.route = outside.route;
    this.now = outside.now;
    this.draw = outside.draw;
    this.origin = outside.origin;
    this.canShare = outside.canShare;
    this.named = outside.named;
    /** @type {Pick<Pull, 'at' | 'stale'>} */
    this.pull = outside.pull ?? { at: NOTHING, stale: () => {} };
    /** @type {State} */
    this.state = START;
    /** @type {Ui} */
    this.ui = freshUi();
    /** Which commands are on their way. */
    this.once = new Once(() => this.draw());
    /** @type {Actions | null} */
    this.actions = null;
    /** What players and hosts of tournaments can do; there with their pages. @type {TournamentActions | null} */
    this.tour = null;
    /** Code of the tournament that a room's heat belongs to, empty for other rooms. @type {(room: string) => string} */
    this.tournamentOf = () => '';
    /** Dialogs of the parts that have come by now. @type {Partial<Record<DialogName, Sheet>>} */
    this.sheets = {};
  }

  /** What can be done; there from the first drawing on. @returns {Actions} */
  get act() {
    if (!this.actions) throw new Error('drawn before the actions were there');
    return this.actions;
  }

  /**
   * @param {string} key
   * @param {Params} [params]
   */
  t(key, params) {
    return this.lang.t(key, params);
  }

  /** @param {WireEvent | LocalEvent} event */
  dispatch(event) {
    const next = reduce(this.state, event, this.now());
    if (next === this.state) return;
    this.state = next;
    this.draw();
  }

  /** @param {Partial<Ui>} change */
  set(change) {
    this.ui = { ...this.ui, ...change };
    this.draw();
  }
}
