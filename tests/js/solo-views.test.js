import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DealCodeError, parseDealCode } from '../../client_web/js/deal.js';
import { textOf } from '../../client_web/js/dom.js';
import { LANGUAGES } from '../../client_web/js/i18n.js';
import { layer } from '../../client_web/js/views/dialogs.js';
import { home } from '../../client_web/js/views/home.js';
import { dealPage, opening, soloNew } from '../../client_web/js/views/solo-new.js';
import * as sheets from '../../client_web/js/views/solo-sheets.js';
import { all, assertSound, assertWorded, buttons, links, makeApp, press, tell } from './kit.js';

const row = (ruleset, more = {}) => ({ ruleset, code: `${ruleset}-AAAAAAB`, out: 3, score: 640, moves: 71, ended: '', ...more });
const saved = (...rows) => ({ type: 'SoloGames', n: 1, rows });
const game = (ruleset, view) => ({
  type: 'SoloGame', n: 1, ruleset, code: `${ruleset}-AAAAAAB`, elapsed_ms: 61_000, view: { score: 640, moves: 71, foundations: [3], ended: '', ...view },
});
const type = (app, text) => {
  all(soloNew(app)).find((node) => node.props.id === 'solo-code').props.on.input({ target: { value: text } });
  return textOf(all(soloNew(app)).find((node) => node.props.id === 'solo-code-help'));
};
const bad = (code) => {
  try {
    parseDealCode(code);
  } catch (error) {
    if (error instanceof DealCodeError) return error;
  }
  return null;
};

function sheet(app, name) {
  app.sheets = { again: sheets.again, code: sheets.code, won: sheets.won };
  app.ui.dialog = name;
  return layer(app);
}

/** Every page and sheet of games alone. */
function pages(tag) {
  const arrivals = [
    { state: 'wait' }, { state: 'bad', error: bad('DS1-D1N-AAAAAA9') },
    { state: 'ask', deal: parseDealCode('DS1-D3V-BBBBBBB'), saved: row('DS1-D3V', { score: -64 }) },
  ];
  const table = tell(makeApp(tag), saved(row('DS1-D3V')), game('DS1-D3V', { score: 416, ended: 'won' }));
  const going = tell(makeApp(tag), saved(row('SS1-D2N')), game('SS1-D2N'));
  const typed = makeApp(tag);
  typed.ui.solo = { ruleset: 'SS1-D3N', code: 'SS1-D3N-AAAAAAB' };
  return [
    soloNew(makeApp(tag)), soloNew(typed), soloNew(tell(makeApp(tag), saved(row('DS1-D1N')))), opening(makeApp(tag)),
    home(tell(makeApp(tag), saved(row('DS1-D1N'), row('DS1-D1V', { score: -64 })))),
    ...arrivals.map((arrival) => dealPage(makeApp(tag, { arrival: () => arrival }), 'x')),
    sheet(table, 'won'), sheet(table, 'code'), sheet(going, 'again'),
  ];
}

test('every page and sheet has words in every language, names for everything, and one brass button at most', () => {
  for (const tag of Object.keys(LANGUAGES)) for (const page of pages(tag)) assertWorded(page, tag);
  for (const page of pages('en')) assertSound(page);
});

test('the window offers what each game has', () => {
  const app = makeApp();
  const radios = (name) => all(soloNew(app)).filter((node) => node.props.name === name).map((node) => node.props.value);
  assert.deepEqual([radios('solo-draw'), radios('solo-scoring')], [['1', '3'], ['N', 'V']]);
  all(soloNew(app)).find((node) => node.props.value === 'SS1').props.on.change();
  assert.deepEqual([radios('solo-draw'), radios('solo-scoring')], [['1', '2', '3'], []]);
  assert.equal(app.ui.solo.ruleset, 'SS1-D1N');
});

test('a typed code is forgiven its form, brings its game, and is said to be given', () => {
  const app = makeApp();
  assert.equal(type(app, 'ss1 d3n aaaa aab'), 'Single · Draw 3. Given code: whether it can be won is not checked here.');
  assert.equal(app.ui.solo.ruleset, 'SS1-D3N');
});

test('a code that is none names the first bad character or group, and nothing can be dealt', () => {
  const app = makeApp();
  assert.match(type(app, 'DS1-D1N-AAA!AAB'), /^“!”/);
  assert.match(type(app, 'DS2-D1N-AAAAAAB'), /^“DS2”/);
  assert.match(type(app, 'SS1-D1V-AAAAAAB'), /^“D1V”/);
  assert.match(type(app, 'DS1-D1N-AAAAAABCDEFGHI2'), /^“2”/);
  assert.match(type(app, 'DS1-D1N-AAA'), /^“AAA”/);
  assert.ok(buttons(soloNew(app)).find((node) => textOf(node) === 'Deal').props.disabled);
});

test('a saved game is said to be replaced, and can be resumed instead', () => {
  const app = tell(makeApp(), saved(row('DS1-D1N'), row('DS1-D1V', { score: -64, moves: 1 })));
  assert.match(textOf(soloNew(app)), /You have a saved game here: 640 points, 71 moves\. A new game replaces it\./);
  assert.ok(links(soloNew(app)).includes('/solo/DS1-D1N'));
  app.ui.solo = { ruleset: 'DS1-D1V', code: '' };
  assert.match(textOf(soloNew(app)), /-\$64, 1 move\./);
  app.ui.solo = { ruleset: 'SS1-D1N', code: '' };
  assert.doesNotMatch(textOf(soloNew(app)), /saved game/);
});

test('a link that would replace a saved game asks first', () => {
  const deal = parseDealCode('DS1-D1N-BBBBBBB');
  const app = makeApp('en', { arrival: () => ({ state: 'ask', deal, saved: row('DS1-D1N') }) });
  press(dealPage(app, 'x'), 'Open the deal');
  assert.deepEqual(app.did.at(-1), ['dealCode', deal]);
  assert.ok(links(dealPage(app, 'x')).includes('/solo/DS1-D1N'));
});

test('a link that is none says what is wrong with it', () => {
  const app = makeApp('en', { arrival: () => ({ state: 'bad', error: bad('DS1-D1N-AAAAAA9') }) });
  assert.match(textOf(dealPage(app, 'x')), /“9” cannot be in a deal code/);
});

test('the first page leads to games that wait and to a new one', () => {
  const app = tell(makeApp(), saved(row('SS1-D3N', { score: 214 }), row('DS1-D1N', { ended: 'won' })));
  assert.match(textOf(home(app)), /Single · Draw 3 · 214 points/);
  const found = links(home(app));
  assert.ok(found.includes('/solo/SS1-D3N') && found.includes('/solo') && !found.includes('/solo/DS1-D1N'));
});

test('the win shows the score, and time and moves if they are shown (R11.5)', () => {
  const app = tell(makeApp(), saved(), game('DS1-D1V', { score: 416, ended: 'won' }));
  const text = () => textOf(sheet(app, 'won'));
  assert.match(text(), /Score\$416Time1:01Moves71/);
  app.settings = { ...app.settings, showTime: false, showMoves: false };
  assert.match(text(), /Score\$416(?!Time|Moves)/);
});

test('the win offers another deal and the same one', () => {
  const app = tell(makeApp(), saved(), game('DS1-D1N', { ended: 'won' }));
  press(sheet(app, 'won'), 'New deal');
  press(sheet(app, 'won'), 'Same deal again');
  assert.deepEqual(app.did, [['dealAny', 'DS1-D1N'], ['dealAgain']]);
});

test('the code of a deal is passed on as a code and as a link', () => {
  const app = tell(makeApp(), game('DS1-D1N'));
  press(sheet(app, 'code'), 'Copy code');
  press(sheet(app, 'code'), 'Copy link');
  press(sheet(app, 'code'), 'Share link');
  const url = 'https://kupa.example/d/DS1-D1N-AAAAAAB';
  assert.deepEqual(app.did, [['copy', 'deal-code', 'DS1-D1N-AAAAAAB'], ['copy', 'deal-link', url], ['share', url, 'code.share_title']]);
});

test('no sheet opens before its part has come', () => {
  const app = makeApp();
  app.ui.dialog = 'won';
  assert.deepEqual(layer(app), []);
});
