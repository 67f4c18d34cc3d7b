import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { decode, encode } from '../../client_web/js/msgpack.js';
import { Connection, Refusal } from '../../client_web/js/socket.js';
import { C, cmd, V } from '../../client_web/js/wire.gen.js';

/** A server that does only what the test says. */
class FakeSocket {
  constructor() {
    this.readyState = 0;
    this.binaryType = '';
    this.sent = [];
    this.closed = false;
    this.onopen = this.onmessage = this.onclose = null;
  }

  send(data) {
    this.sent.push(decode(data));
  }

  close() {
    this.closed = true;
    this.readyState = 3;
  }

  accept() {
    this.readyState = 1;
    this.onopen?.({});
  }

  say(...frame) {
    const bytes = encode(frame);
    this.onmessage?.({ data: bytes.buffer });
  }

  end(code) {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  of(tag) {
    return this.sent.filter((frame) => frame[0] === tag);
  }
}

/** Time that passes when told to. */
class Timers {
  constructor() {
    this.now = 1000;
    this.timers = [];
  }

  later(run, ms) {
    const timer = { run, at: this.now + ms };
    this.timers.push(timer);
    return timer;
  }

  cancel(timer) {
    this.timers = this.timers.filter((one) => one !== timer);
  }

  pass(ms) {
    const end = this.now + ms;
    for (;;) {
      const next = this.timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.cancel(next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }
}

let sockets, time, events, phases, line, token;

beforeEach(() => {
  sockets = [];
  time = new Timers();
  events = [];
  phases = [];
  token = 'secret';
  line = new Connection({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    now: () => time.now,
    random: () => 0.5,
    later: (run, ms) => time.later(run, ms),
    cancel: (timer) => time.cancel(timer),
    hello: () => ({ token, name: '', lang: 'tr' }),
    onEvent: (event) => events.push(event),
    onStatus: (status) => phases.push(status.phase),
    onIdentityLost: () => {
      token = '';
    },
  });
});

const last = () => sockets.at(-1);

function welcome({ room = '', serverMs = 500_000 } = {}) {
  line.start();
  last().accept();
  answerHello({ room, serverMs });
}

function answerHello({ room = '', serverMs = 500_000 } = {}) {
  const n = last().of(C.Hello)[0][1];
  last().say(V.Welcome, n, 'p1', '4F2A', 'Deniz', '', serverMs, room);
}

test('the first frame says who we are, and Welcome opens the line', () => {
  welcome();
  assert.deepEqual(last().sent[0].slice(2), [1, 'secret', '', 'tr']);
  assert.equal(line.status.phase, 'open');
  assert.equal(events[0].type, 'Welcome');
});

test('every command gets exactly the answer with its own number', async () => {
  welcome();
  const ready = line.request((n) => cmd.ready(n, true));
  const rooms = line.request((n) => cmd.listRooms(n));
  const [readyFrame] = last().of(C.Ready);
  const [listFrame] = last().of(C.ListRooms);
  assert.notEqual(readyFrame[1], listFrame[1]);
  last().say(V.Rooms, listFrame[1], []);
  last().say(V.Done, readyFrame[1]);
  assert.equal((await rooms).type, 'Rooms');
  assert.equal((await ready).type, 'Done');
});

test('a refusal rejects with its code', async () => {
  welcome();
  const start = line.request((n) => cmd.startHeat(n));
  last().say(V.Refused, last().of(C.StartHeat)[0][1], 'too_early');
  await assert.rejects(start, (error) => error instanceof Refusal && error.code === 'too_early');
});

test('the store has seen an answer before the one who awaits it goes on', async () => {
  welcome();
  const done = line.request((n) => cmd.listRooms(n)).then(() => events.map((event) => event.type));
  last().say(V.Rooms, last().of(C.ListRooms)[0][1], []);
  assert.ok((await done).includes('Rooms'));
});

test('commands given before Welcome wait for it and keep their order', () => {
  line.start();
  void line.request((n) => cmd.ready(n, true));
  void line.request((n) => cmd.listRooms(n));
  last().accept();
  assert.deepEqual(last().sent.map((frame) => frame[0]), [C.Hello]);
  answerHello();
  assert.deepEqual(last().sent.map((frame) => frame[0]), [C.Hello, C.Ready, C.ListRooms]);
});

test('a command that found no line within ten seconds was never sent', async () => {
  line.start();
  const asked = line.request((n) => cmd.listRooms(n));
  time.pass(10_000);
  await assert.rejects(asked, (error) => error.code === 'offline');
});

test('a command whose line is lost has an unknown outcome and is not sent again', async () => {
  welcome();
  const asked = line.request((n) => cmd.ready(n, true));
  last().end(1006);
  await assert.rejects(asked, (error) => error.code === 'lost');
  time.pass(300);
  last().accept();
  answerHello();
  assert.deepEqual(last().of(C.Ready), []);
});

test('pings go out while the line is idle, and their answers set the clock', () => {
  line.start();
  last().accept();
  time.pass(300);
  answerHello({ serverMs: 700_300 });
  assert.equal(line.serverNow(), 700_450);
  time.pass(50);
  const [[, sent]] = last().of(C.Ping);
  time.pass(20);
  last().say(V.Pong, sent, 700_360);
  assert.equal(line.clock.rttMs, 20);
  time.pass(5000);
  assert.equal(line.serverNow(), 700_360 + 10 + 5000);
});

test('a sign of life is asked for at most once a second, and tells how long the line was quiet', () => {
  welcome();
  time.pass(5000);
  const before = last().of(C.Ping).length;
  for (let quarter = 0; quarter < 8; quarter += 1) {
    line.quietMs();
    time.pass(250);
  }
  const asked = last().of(C.Ping);
  assert.ok(asked.length > before && asked.length <= before + 2);
  const quiet = line.quietMs();
  assert.ok(quiet >= 2000);
  last().say(V.Pong, asked.at(-1)[1], 700_000);
  assert.equal(line.quietMs(), 0);
});

test('nine silent seconds end the line, and the next try is made', () => {
  welcome();
  const first = last();
  time.pass(8500);
  assert.equal(first.closed, false);
  time.pass(1600);
  assert.equal(first.closed, true);
  assert.equal(sockets.length, 2);
});

test('a server that speaks is not given up, whatever became of the pong', () => {
  welcome();
  for (let i = 0; i < 10; i += 1) {
    time.pass(3000);
    last().say(V.Progress, []);
  }
  assert.equal(sockets.length, 1);
  assert.equal(line.status.phase, 'open');
});

test('a try that does not open within nine seconds is given up', () => {
  line.start();
  time.pass(12_000);
  assert.ok(sockets.length >= 2);
});

test('a restart of the server is come back from within what its goodbye asked for', () => {
  welcome();
  last().say(V.Goodbye, 4000);
  last().end(1012);
  time.pass(1999);
  assert.equal(sockets.length, 1);
  time.pass(1);
  assert.equal(sockets.length, 2);
});

test('waits grow while tries fail and start small again after a welcome', () => {
  welcome();
  last().end(1006);
  const gaps = [];
  for (let i = 0; i < 4; i += 1) {
    gaps.push(line.status.retryAtMs - time.now);
    time.pass(line.status.retryAtMs - time.now);
    last().end(1006);
  }
  assert.deepEqual(gaps, [250, 500, 1000, 2000]);
  time.pass(line.status.retryAtMs - time.now);
  last().accept();
  answerHello();
  last().end(1006);
  assert.equal(line.status.retryAtMs - time.now, 250);
});

test('opened elsewhere: nothing is tried until the user takes it back', async () => {
  welcome();
  last().say(V.Superseded);
  last().end(4409);
  time.pass(600_000);
  assert.equal(sockets.length, 1);
  assert.deepEqual([line.status.phase, line.status.verdict], ['stopped', 'elsewhere']);
  await assert.rejects(line.request((n) => cmd.listRooms(n)), (error) => error.code === 'offline');
  line.start();
  last().accept();
  answerHello();
  assert.equal(line.status.phase, 'open');
});

test('an old page and a broken protocol stop too', () => {
  for (const [code, verdict] of [[4426, 'outdated'], [4400, 'broken']]) {
    welcome();
    last().end(code);
    assert.deepEqual([line.status.phase, line.status.verdict], ['stopped', verdict]);
  }
});

test('a worthless token is forgotten and a new player is made at once', () => {
  welcome();
  last().end(4401);
  time.pass(0);
  last().accept();
  assert.equal(last().of(C.Hello)[0][3], '');
});

test('a flood is answered by thirty seconds of quiet', () => {
  welcome();
  last().end(4429);
  time.pass(30_000);
  assert.equal(sockets.length, 1);
  time.pass(15_001);
  assert.equal(sockets.length, 2);
});

test('a network that comes back is used at once', () => {
  welcome();
  last().end(1006);
  line.hurry();
  assert.equal(sockets.length, 2);
  line.hurry();
  assert.equal(sockets.length, 2);
});

test('a device that says it has no network gives the line up at once, whatever becomes of its socket', () => {
  welcome();
  line.offline();
  assert.equal(line.status.phase, 'waiting');
  line.hurry();
  assert.equal(line.status.phase, 'connecting');
  line.offline();
  assert.equal(line.status.phase, 'waiting');
});

test('a frame that is not of the protocol stops the line instead of looping', (t) => {
  t.mock.method(console, 'error', () => {});
  welcome();
  last().onmessage({ data: new Uint8Array([0xc1]).buffer });
  assert.deepEqual([line.status.phase, line.status.verdict], ['stopped', 'broken']);
});

test('an event this client does not know is a sign of life and nothing else', () => {
  welcome();
  const before = events.length;
  last().say(127, 'new', 'thing');
  assert.equal(events.length, before);
  assert.equal(line.status.phase, 'open');
});

test('a play is sent while the line is up and only then', () => {
  line.start();
  assert.equal(line.post(cmd.play(0, 1, 0, 0, 0)), false);
  last().accept();
  answerHello();
  assert.equal(line.post(cmd.play(0, 1, 0, 0, 0)), true);
  assert.deepEqual(last().of(C.Play), [[C.Play, 0, 1, 0, 0, 0]]);
});

test('a socket that was let go is not heard any more', () => {
  welcome();
  const old = last();
  last().end(1006);
  time.pass(250);
  assert.equal(old.onmessage, null);
  assert.equal(old.onclose, null);
});
