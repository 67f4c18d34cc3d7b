/**
 * What a host can do with the tournament as a whole: start, pause, times, the end, bots, announcements.
 */

import { h } from '../../dom.js';
import { SENTENCES, takesLate } from '../../tournament/model.js';
import { button } from '../frame.js';
import { countdown, does, sure, tour } from './parts.js';

/** @import { App } from '../../app.js' */
/** @import { Children, VNode } from '../../dom.js' */
/** @import { Whole } from '../../tournament/model.js' */
/** @import { TournamentInfo } from '../../wire.gen.js' */

/** A round that was stopped can be given up after this. */
const GIVE_UP_MS = 30_000;
const MINUTE_S = 60;

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @returns {VNode[]} */
export function controls(app, info, whole) {
  if (info.phase === 'ended') return [];
  const { words, clock } = countdown(app, info);
  const before = info.phase === 'entry' || info.phase === 'check_in';
  return [
    h('section.panel.stack', { key: 'now' },
      h('h2', { role: 'status' }, app.t(`tour.phase.${info.phase}`)),
      h('p.small.muted', null, words),
      clock && h('p.bigclock', { translate: 'no', role: 'timer' }, clock),
      before ? starting(app, info) : running(app, info, whole),
      h('p.small.muted', null, app.t('tour.safe'))),
    h('section.panel.stack', { key: 'settings' }, h('h2', null, app.t('tour.settings')), settings(app, info)),
    h('section.panel.stack', { key: 'say' }, h('h2', null, app.t('tour.say')), say(app, info)),
    ...(before || info.late ? [h('section.panel.stack', { key: 'bots' }, h('h2', null, app.t('tour.bots')), bots(app, info))] : []),
  ];
}

/** @param {App} app @param {TournamentInfo} info @returns {Children} */
function starting(app, info) {
  const enough = info.entrants >= 2;
  return [
    does(app, info, 'start', app.t('tour.do.start'), { cls: 'btn--gold btn--wide', icon: 'play', disabled: !enough }),
    !enough && h('p.small', { key: 'few' }, app.t('tour.too_few')),
    h('div.row', { key: 'soon' }, [2, 5, 10].map((n) => does(app, info, 'start', app.t('tour.do.start_in', { n }), { value: n * MINUTE_S, cls: 'btn--small' }))),
    field(app, 'start_at', app.t('tour.do.start_at'), 'datetime-local', app.t('tour.do.set'), () => tour(app).startAt(info.code)),
    info.start_ms > 0 && does(app, info, 'start_at', app.t('tour.do.start_not'), { cls: 'btn--small' }),
  ];
}

/** @param {App} app @param {TournamentInfo} info @param {Whole} whole @returns {Children} */
function running(app, info, whole) {
  const racing = info.phase === 'round';
  const arena = info.options.format === 'arena';
  const paused = info.phase === 'paused' || isPaused(whole);
  return [
    paused ? does(app, info, 'resume', app.t('tour.do.resume'), { cls: 'btn--do btn--wide', icon: 'play' }) : does(app, info, 'pause', app.t(racing ? 'tour.do.pause_after' : 'tour.do.pause'), { cls: 'btn--do btn--wide', icon: 'pause' }),
    !racing && does(app, info, 'next', app.t('tour.do.next'), { cls: 'btn--wide', icon: 'next' }),
    !racing && h('div.row', { key: 'later' }, [1, 5].map((n) => does(app, info, 'next', app.t('tour.do.next_in', { n }), { value: n * MINUTE_S, cls: 'btn--small' }))),
    racing && !arena && h('div.row', { key: 'extend' },
      does(app, info, 'extend', app.t('tour.do.extend', { n: 2 }), { value: 2 * MINUTE_S, icon: 'plus' }), does(app, info, 'extend', app.t('tour.do.shorten', { n: 1 }), { value: -MINUTE_S })),
    racing && !arena && field(app, 'extend', app.t('tour.do.extend_by'), 'number', app.t('tour.do.set'), () => tour(app).hostTyped(info.code, 'extend', 'extend', [-86_400, 86_400])),
    racing && closing(app, info, whole),
    ending(app, info),
  ];
}

/** Whether the last word about pausing was to do so. @param {Whole} whole */
function isPaused(whole) {
  const last = [...whole.edits].reverse().find((edit) => edit.what === 'paused');
  return Number(last?.after ?? 0) === 1;
}

/** Time is up now; a second time gives up what has no result (T4). @param {App} app @param {TournamentInfo} info @param {Whole} whole */
function closing(app, info, whole) {
  const open = whole.rounds.filter((round) => round.open);
  const last = open[open.length - 1];
  if (!last) return null;
  const overMs = app.now() - last.deadline_ms;
  const again = overMs > 0;
  if (app.ui.tour.sure === 'close_round') {
    return sure(app, `close_round ${last.round} 0`, app.t(again ? 'tour.do.give_up_sure' : 'tour.do.close_sure'), app.t(again ? 'tour.do.give_up' : 'tour.do.close'), () => tour(app).host(info.code, 'close_round', String(last.round)));
  }
  return h('div.stack', { key: 'closing' },
    button(app, { cls: 'btn--bad btn--wide', disabled: again && overMs < GIVE_UP_MS, click: () => tour(app).set({ sure: 'close_round' }) }, app.t(again ? 'tour.do.give_up_ask' : 'tour.do.close_ask')),
    again && overMs < GIVE_UP_MS && h('p.small.muted', null, app.t('tour.do.give_up_wait', { n: Math.ceil((GIVE_UP_MS - overMs) / 1000) })));
}

/** @param {App} app @param {TournamentInfo} info */
function ending(app, info) {
  if (app.ui.tour.sure === 'end') return sure(app, 'end  0', app.t('tour.do.end_sure'), app.t('tour.do.end'), () => tour(app).host(info.code, 'end'));
  return button(app, { cls: 'btn--bad btn--wide', key: 'end', click: () => tour(app).set({ sure: 'end' }) }, app.t('tour.do.end_ask'));
}

/** @param {App} app @param {TournamentInfo} info @returns {Children} */
function settings(app, info) {
  const { format } = info.options;
  const act = tour(app);
  return [
    (format === 'league' || format === 'swiss') && field(app, 'rounds', app.t('tour.do.rounds', { n: info.rounds }), 'number', app.t('tour.do.set'), () => act.hostTyped(info.code, 'rounds', 'rounds', [1, 30])),
    takesLate(format) && field(app, 'late', app.t('tour.do.late'), 'number', app.t('tour.do.set'), () => act.hostTyped(info.code, 'late', 'late', [0, 30])),
    h('p.small.muted', { key: 'late now' }, app.t(info.late || info.phase === 'entry' || info.phase === 'check_in' ? 'tour.entry_open' : 'tour.entry_closed')),
  ];
}

/** @param {App} app @param {TournamentInfo} info */
function say(app, info) {
  const chosen = Number(app.ui.tour.typed?.say ?? 0);
  return h('form.stack', { key: 'say', on: { submit: (event) => { event.preventDefault(); void tour(app).host(info.code, 'announce', '', chosen); } } },
    h('label.field', null, h('span.small', null, app.t('tour.say_which')),
      h('select.input', { on: { change: (event) => tour(app).type('say', event.target.value) } }, SENTENCES.map((n) => h('option', { value: String(n), selected: n === chosen }, app.t(`tour.say.${n}`))))),
    h('button.btn.btn--wide', { type: 'submit', disabled: app.ui.busy.startsWith('announce') }, app.t('tour.say_go')));
}

/** @param {App} app @param {TournamentInfo} info */
function bots(app, info) {
  const level = app.ui.tour.typed?.level ?? '2';
  return h('form.stack', { key: 'bots', novalidate: true, on: { submit: (event) => { event.preventDefault(); void tour(app).hostTyped(info.code, 'bots', 'bots', [1, 64], level); } } },
    h('div.pairs', null,
      h('label.field', null, h('span.small', null, app.t('form.level')), h('select.input', { on: { change: (event) => tour(app).type('level', event.target.value) } },
        ['1', '2', '3'].map((id) => h('option', { value: id, selected: id === level }, app.t(`bot.level.${id}`))))),
      typed(app, 'bots', app.t('tour.bots_count'), 'number')),
    h('button.btn.btn--wide', { type: 'submit' }, app.t('tour.bots_go')));
}

/** @param {App} app @param {string} name @param {string} label @param {string} type */
function typed(app, name, label, type) {
  const bad = app.ui.tour.bad === name;
  return h('label.field', { key: name }, h('span.small', null, label),
    h('input.input', { type, value: app.ui.tour.typed?.[name] ?? '', 'aria-invalid': bad ? 'true' : null, on: { input: (event) => tour(app).type(name, event.target.value) } }),
    bad && h('span.bad.small', { role: 'alert' }, app.t(`tour.bad.${name}`)));
}

/** A value with its button. @param {App} app @param {string} name @param {string} label @param {string} type @param {string} go @param {() => unknown} done */
export function field(app, name, label, type, go, done) {
  return h('form.setrow', { key: `set ${name}`, novalidate: true, on: { submit: (event) => { event.preventDefault(); void done(); } } }, typed(app, name, label, type),
    h('button.btn', { type: 'submit', 'aria-label': `${label}: ${go}` }, go));
}
