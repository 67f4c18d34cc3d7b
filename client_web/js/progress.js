/**
 * How the own race stands, for those who listen: the same place as in the bar.
 *
 * Lives here: the choice of words. Does not live here: when they are said (`views/race.js`), the order (`ranking.js`).
 */

import { seatName } from './phrases.js';
import { ownStanding, standings } from './ranking.js';
import { racerOf } from './store.js';

/** @import { Language } from './i18n.js' */
/** @import { Heat, Room } from './store.js' */

/** @param {Language} lang @param {Room} room @param {Heat} heat @returns {string} empty for a watcher */
export function progressText(lang, room, heat) {
  const own = ownStanding(room);
  if (!own) return '';
  const { place, out: n } = own.mine;
  if (own.of === 1) return lang.t('race.progress_alone', { n });
  const rows = standings(heat, room.info.options.goal);
  const leader = rows.find((row) => row.place === 1);
  const who = leader && place > 1 ? racerOf(room, leader.seat) : undefined;
  if (who) return lang.t('race.progress_behind', { place, of: own.of, n, leader: seatName(lang, who), lead: leader?.out ?? 0 });
  const alone = rows.filter((row) => row.place === 1).length === 1;
  return alone && place === 1 ? lang.t('race.progress_ahead', { of: own.of, n }) : lang.t('race.progress_level', { place, of: own.of, n });
}
