/**
 * The rules of patience for one pair of eyes: what a player may do with the cards that are visible.
 * The words are in `rules/view.js`, what is allowed in `rules/moves.js`, what a gesture means and
 * what could be tried in `rules/choices.js`; this is the door.
 */

export * from './rules/view.js';
export * from './rules/moves.js';
export * from './rules/choices.js';
