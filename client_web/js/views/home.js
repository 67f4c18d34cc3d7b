/**
 * The first page: play now, match, create, join, open rooms.
 *
 * Lives here: its parts. Does not live here: the form of a new room (`options.js`).
 */

import { cardNode } from '../cards.js';
import { foreign, h } from '../dom.js';
import { gameName, gameParts, initials, optionFacts } from '../phrases.js';
import { button, mark, page, seatMark } from './frame.js';

/** @import { App } from '../app.js' */
/** @import { VNode } from '../dom.js' */
/** @import { RoomRow, SoloRow } from '../wire.gen.js' */

/** Rulesets in the order in which they are offered. */
export const GAMES = Object.freeze(['DS1-D1N', 'DS1-D3N', 'DS1-D1V', 'DS1-D3V', 'SS1-D1N', 'SS1-D2N', 'SS1-D3N']);

/** Today's deals are asked for again after this. */
const DAILY_MS = 30_000;

/** The hand in the hero: king of spades, queen of hearts, ace of spades, jack of diamonds, ten of clubs. */
const HAND = Object.freeze([12, 24, 0, 36, 48]);

/** @param {App} app @returns {VNode[]} */
export function home(app) {
  return page(app, [
    back(app),
    hero(app),
    h('div.tiles.tiles--three', { key: 'tiles' }, createTile(app), joinTile(app), dailyTile(app)),
    h('div.two', { key: 'two' }, lobby(app), own(app)),
  ]);
}

/** A seat in a running room is one tap away. @param {App} app */
function back(app) {
  const { tournament } = app.state;
  if (tournament?.info && tournament.you?.status && tournament.info.phase !== 'ended') return evening(app, tournament.code, tournament.info.options.name);
  const code = app.state.room?.code ?? app.state.elsewhere;
  return code !== '' && h('div.alert.alert--calm', { key: 'back', role: 'status' },
    mark('play'), h('p.grow', null, app.t('home.back', { code })),
    h('a.btn.btn--do', { href: `/r/${code}` }, app.t('home.return')));
}

/** The tournament one takes part in is one tap away. @param {App} app @param {string} code @param {string} name */
function evening(app, code, name) {
  return h('div.alert.alert--calm', { key: 'evening', role: 'status' }, mark('people'), h('p.grow', null, app.t('home.tournament', { name })),
    h('a.btn.btn--do', { href: `/t/${code}` }, app.t('home.tournament_go')));
}

/** @param {App} app */
function hero(app) {
  const { me } = app.state;
  return h('section.hero.on-felt', { key: 'hero' },
    h('div', null,
      h('h1', { tabindex: '-1' }, app.t('home.title')),
      h('p', null, app.t('home.lead')),
      h('div.calls', null,
        button(app, { name: 'play', cls: 'btn--gold btn--big', icon: 'bolt', click: () => app.act.playNow() }, app.t('home.play')),
        button(app, { name: 'match', cls: 'btn--big', click: () => app.act.quickMatch() }, app.t('home.match'))),
      h('div.gamepick', null,
        h('label', null, h('span.sr', null, app.t('home.game')),
          h('select.input', { on: { change: (event) => app.set({ game: event.target.value }) } },
            GAMES.map((id) => h('option', { value: id, selected: id === app.ui.game }, gameName(app.lang, id))))),
        h('p.under', null, app.t('home.under'))),
      me && !app.named && h('p.under', null, app.t('home.as', { name: me.name }), ' ',
        h('button.link', { type: 'button', on: { click: () => app.act.open('name') } }, app.t('home.rename'))),
      me && h('p.under', { key: 'mine' }, h('a', { href: `/player/${me.player}` }, app.t('foot.mine')))),
    foreign('hand', makeHand));
}

/** The fan of cards; it is an ornament. @returns {HTMLElement} */
function makeHand() {
  const box = document.createElement('div');
  box.className = 'hand';
  box.setAttribute('aria-hidden', 'true');
  const cards = HAND.map((card) => cardNode(card, 'f'));
  box.append(...cards);
  const lay = () => layHand(box, cards);
  new ResizeObserver(lay).observe(box);
  return box;
}

/** @param {HTMLElement} box @param {HTMLElement[]} cards */
function layHand(box, cards) {
  const w = box.clientWidth;
  const high = box.clientHeight;
  const middle = (cards.length - 1) / 2;
  const cw = Math.floor(Math.min(high / 1.92, w / (1.25 + (cards.length - 1) * 0.58)));
  box.style.setProperty('--cw', `${cw}px`);
  box.style.setProperty('--ch', `${Math.round(cw * 1.4)}px`);
  cards.forEach((card, i) => {
    const k = i - middle;
    card.style.setProperty('--x', `${w / 2 - cw / 2 + k * cw * 0.55}px`);
    card.style.setProperty('--y', `${high * 0.5 - cw * 0.8 + Math.abs(k) ** 1.8 * cw * 0.075}px`);
    card.style.setProperty('--z', String(i + 1));
    card.style.setProperty('rotate', `${k * 8}deg`);
  });
}

/** @param {App} app */
function createTile(app) {
  return h('section.tile.tile--go', { key: 'create' },
    h('h2', null, mark('people'), app.t('home.create')),
    h('p', null, app.t('home.create_lead')),
    h('a.btn.btn--do', { href: '/new' }, app.t('home.create_go')));
}

/** @param {App} app */
function joinTile(app) {
  const { joinCode, joinBad } = app.ui;
  return h('section.tile', { key: 'join' },
    h('h2', null, mark('key'), app.t('home.join')),
    h('form.joinrow', { novalidate: true, on: { submit: (event) => { event.preventDefault(); app.act.join(); } } },
      h('label.sr', { for: 'code' }, app.t('home.code')),
      h('input.input.input--code', {
        id: 'code', maxlength: '60', placeholder: 'KVMXR', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false',
        'aria-invalid': joinBad ? 'true' : null, 'aria-describedby': 'code-help', value: joinCode,
        on: { input: (event) => app.set({ joinCode: event.target.value, joinBad: false }) },
      }),
      h('button.btn.btn--do', { type: 'submit' }, app.t('home.join_go'))),
    h('p.small', { id: 'code-help', class: joinBad ? 'bad' : null, role: joinBad ? 'alert' : null },
      app.t(joinBad ? 'home.code_bad' : 'home.code_help')));
}

/** Today's deal of the headline game: who has played it, the best, how long it lasts. @param {App} app */
function dailyTile(app) {
  const { value, ageMs } = app.pull.at('/api/daily', DAILY_MS);
  const deal = value?.rulesets[0];
  const best = deal?.best_time;
  const lines = deal ? [...(deal.players ? [app.t('daily.started', { n: deal.players })] : []), ...(best ? [app.t('daily.best', { time: app.lang.exact(best.time_ms), name: best.name })] : [])] : [];
  return h('section.tile.tile--go', { key: 'daily' },
    h('h2', null, mark('clock'), app.t('daily.title')),
    h('p', null, deal ? [...lines, app.t('daily.next_in', { time: app.lang.clock(Math.max(0, value.ends_ms - value.now_ms - ageMs)) })].join(' · ') : app.t('daily.lead')),
    h('a.btn.btn--do', { href: '/daily', 'aria-label': app.t('daily.open_of') }, app.t('daily.open')));
}

/** @param {App} app */
function lobby(app) {
  const rows = app.state.lobby;
  return h('section.panel', { key: 'lobby', 'aria-busy': rows === null ? 'true' : null },
    h('h2', null, app.t('home.rooms')),
    rows === null && h('p.muted', null, app.t('home.rooms_loading')),
    rows?.length === 0 && h('p.muted', null, app.t('home.rooms_none')),
    h('ul.list', null, rows?.map((row) => roomRow(app, row)),
      h('li', { key: 'tournament' },
        h('div.grow', null, h('strong', null, app.t('nav.tournaments')), h('span.muted.small', null, app.t('home.tournaments_lead'))),
        h('a.btn', { href: '/t', 'aria-label': app.t('home.tournaments_go') }, app.t('daily.open')))));
}

/** Games alone: those that wait, and a new one. @param {App} app */
function own(app) {
  const waiting = app.state.saved?.filter((row) => !row.ended) ?? [];
  return h('section.panel', { key: 'own' },
    h('h2', null, app.t('home.own')),
    h('ul.list', null,
      waiting.map((row) => ownRow(app, row)),
      h('li', { key: 'new' },
        h('div.grow', null, h('strong', null, app.t('home.own_new')), h('span.muted.small', null, app.t('home.own_new_lead'))),
        h('a.btn', { href: '/solo' }, app.t('home.own_choose')))));
}

/** @param {App} app @param {SoloRow} row */
function ownRow(app, row) {
  const game = gameName(app.lang, row.ruleset);
  const { vegas } = gameParts(row.ruleset);
  const score = vegas ? app.lang.score(row.score, true) : app.t('points', { n: row.score });
  return h('li', { key: row.ruleset },
    h('div.grow', null, h('strong', null, app.t('home.own_continue')), h('span.muted.small', null, `${game} · ${score}`)),
    h('a.btn', { href: `/solo/${row.ruleset}`, 'aria-label': app.t('home.own_resume_of', { game }) }, app.t('home.own_resume')));
}

/** @param {App} app @param {RoomRow} row */
function roomRow(app, row) {
  const watch = row.running || row.taken >= row.seats;
  const facts = optionFacts(app.lang, row).join(' · ');
  return h('li', { key: row.code },
    seatMark(initials(app.lang, row.host), 2 + (row.code.charCodeAt(0) % 6)),
    h('div.grow', null, h('strong', { translate: 'no' }, row.host), h('span.muted.small', null, facts)),
    row.running && h('span.chip', null, app.t('room.running')),
    h('span.chip', { 'aria-label': app.t('room.seats_taken', { taken: row.taken, n: row.seats }) },
      h('span', { translate: 'no' }, `${app.lang.number(row.taken)} / ${app.lang.number(row.seats)}`)),
    h('a.btn', { href: `/r/${row.code}`, 'aria-label': app.t(watch ? 'home.watch_of' : 'home.join_of', { name: row.host }) },
      app.t(watch ? 'home.watch_go' : 'home.join_go')));
}
