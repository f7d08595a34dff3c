import assert from 'node:assert/strict';
import { test } from 'node:test';

import { watch } from '@runeport/client/events';
import { ok, played, problem, simulatedTime } from './service.mjs';

/** A list of events of the service, and its sockets: `say` decides what a socket answers to a message of the client. */
function service(count = 0, { refuse = () => false, oldest = 1 } = {}) {
  const events = Array.from({ length: count }, (_, index) => ({ sequence: index + 1, type: index % 2 ? 'refund.stateChanged' : 'session.ended' }));
  const sockets = [];
  const news = (more) => JSON.stringify({ lists: [{ list: 'account', newest: events.length, ...more }] });
  class Socket extends EventTarget {
    constructor(url) {
      super();
      Object.assign(this, { url, sent: [], isOpen: true });
      sockets.push(this);
      queueMicrotask(() => this.dispatchEvent(new Event(refuse(sockets.length) ? 'close' : 'open')));
    }

    send(text) {
      const message = JSON.parse(text);
      this.sent.push(message);
      if (this.isSilent) return;
      if (message.ping) this.says(JSON.stringify({ pong: message.ping, ...JSON.parse(news()) }));
      else this.says(news({ events: events.slice(message.after) }));
    }

    says(data) {
      queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('message'), { data })));
    }

    close() {
      this.isOpen = false;
    }

    drop() {
      this.dispatchEvent(new Event('close'));
    }
  }
  const { api, requests } = played(({ path, query: { after, limit } }) => {
    if (path === '/api/events/ticket') return ok({ ticket: 'abc', url: 'ws://service/live', expiresAt: 1 });
    if (path === '/api/config') return ok({ socketUrl: 'ws://service/live' });
    if (after !== undefined && Number(after) < oldest - 1) return problem(410, '1101', 'events.tooOld');
    const from = after === undefined ? oldest - 1 : Number(after);
    const page = events.slice(from, from + Number(limit));
    const next = from + page.length;
    return ok(page, { next, newest: events.length, oldest, pollAfterMs: next === events.length ? 5_000 : 0 });
  });
  /** Adds events, and tells the sockets of some of them. */
  const happen = (added, told = (event) => [event]) => {
    for (let n = 0; n < added; n += 1) {
      const event = { sequence: events.length + 1, type: 'session.ended' };
      events.push(event);
      for (const socket of sockets.filter(({ isOpen }) => isOpen)) for (const each of told(event)) socket.says(news({ events: [each] }));
    }
  };
  return { api, requests, Socket, sockets, happen, news, reads: () => requests.filter(({ path }) => path.endsWith('/events')) };
}

/** The numbers of the next events. */
async function next(watched, count) {
  const numbers = [];
  while (numbers.length < count) numbers.push((await watched.next()).value.sequence);
  return numbers;
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('events come from the socket, after those that were missed', async () => {
  const { api, Socket, sockets, happen, reads } = service(250);
  const watched = watch(api, { after: 20, socket: Socket });
  assert.deepEqual(await next(watched, 230), range(21, 250));
  const more = next(watched, 3);
  while (!sockets[0]?.sent.length) await new Promise(setImmediate);
  const read = reads().length;
  happen(3);
  assert.deepEqual(await more, [251, 252, 253]);
  assert.deepEqual([sockets.length, reads().length], [1, read]);
  assert.equal(sockets[0].url, 'ws://service/live?ticket=abc');
  assert.deepEqual(sockets[0].sent, [{ subscribe: ['account'], after: 250 }]);
  await watched.return();
  assert.equal(sockets[0].isOpen, false);
});

test('without a number the watch begins with the next event', async () => {
  const { api, Socket, sockets, happen } = service(7);
  const watched = watch(api, { socket: Socket });
  const first = next(watched, 1);
  while (!sockets[0]?.sent.length) await new Promise(setImmediate);
  happen(1);
  assert.deepEqual(await first, [8]);
  await watched.return();
});

test('an event that the socket leaves out is read, and one that it repeats is not told twice', async () => {
  const { api, Socket, sockets, happen, news } = service(2);
  const watched = watch(api, { after: 2, socket: Socket });
  const told = next(watched, 6);
  while (!sockets[0]?.sent.length) await new Promise(setImmediate);
  happen(3, (event) => (event.sequence === 4 ? [] : [event, event]));
  happen(2, () => []);
  sockets[0].says(news({ resync: 5 }));
  happen(1);
  assert.deepEqual(await told, [3, 4, 5, 6, 7, 8]);
  await watched.return();
});

test('after a lost connection the watch goes on where it was', async (context) => {
  const { until } = simulatedTime(context, () => 0.5);
  const { api, Socket, sockets, happen } = service(1);
  const watched = watch(api, { after: 1, socket: Socket });
  const first = next(watched, 1);
  await until(Promise.race([first, new Promise((resolve) => { setTimeout(resolve, 500); })]));
  happen(1);
  assert.deepEqual(await until(first), [2]);
  const more = next(watched, 3);
  sockets[0].drop();
  happen(2);
  const connected = (async () => { while (sockets.length < 2) await new Promise((resolve) => { setTimeout(resolve, 50); }); })();
  await until(connected);
  happen(1);
  assert.deepEqual(await until(more), [3, 4, 5]);
  await watched.return();
});

test('a socket that says nothing any more is left for another one', async (context) => {
  const { until } = simulatedTime(context, () => 0.5);
  const { api, Socket, sockets, happen } = service(1);
  const watched = watch(api, { after: 1, socket: Socket });
  const told = next(watched, 2);
  const connected = (async () => { while (!sockets[0]?.sent.length) await new Promise((resolve) => { setTimeout(resolve, 50); }); })();
  await until(connected);
  // A lost last event: the answer to the next ping says its number.
  happen(1, () => []);
  await until(new Promise((resolve) => { setTimeout(resolve, 5 * 60_000 + 1_000); }));
  assert.deepEqual(sockets[0].sent.at(-1), { ping: 1 });
  sockets[0].isSilent = true;
  happen(1, () => []);
  assert.deepEqual(await until(told), [2, 3]);
  assert.equal(sockets[0].isOpen, false);
  await watched.return();
});

const MINUTE = 60_000;
const later = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

test('before the gateway ends a socket another one takes over: no gap, no double, no read', async (context) => {
  let random = 0;
  const { until, at } = simulatedTime(context, () => random, 1_000);
  const { api, requests, Socket, sockets, happen, reads } = service(1);
  const [opened, closed, told, open] = [[], [], [], () => sockets.filter(({ isOpen }) => isOpen)];
  class Timed extends Socket {
    constructor(url) {
      super(url);
      opened.push(at());
      // The gateway's end, two hours later.
      setTimeout(() => { if (this.isOpen) assert.fail('the gateway has closed a socket'); }, 120 * MINUTE);
    }

    close() {
      if (this.isOpen) closed.push(at());
      super.close();
      assert.ok(open().length > 0 || stop.signal.aborted, 'a socket is always open');
    }
  }
  const stop = new AbortController();
  const watching = (async () => {
    for await (const { sequence } of watch(api, { after: 1, socket: Timed, signal: stop.signal })) told.push(sequence);
  })();
  await until(later(5_000));
  const read = reads().length;
  random = 1;
  // An event in each minute of five hours.
  for (let minute = 0; minute < 300; minute += 1) {
    await until(later(MINUTE));
    happen(1);
  }
  await until(later(5_000));
  assert.deepEqual(told, range(2, 301));
  assert.equal(reads().length, read);
  assert.equal(requests.filter(({ path }) => path === '/api/events/ticket').length, 3);
  // The first one after 110 minutes, since the random number was 0 then; later ones up to five minutes earlier.
  assert.deepEqual(opened.map((time) => Math.round(time / MINUTE)), [0, 110, 215]);
  for (const [index, time] of closed.entries()) assert.ok(time >= opened[index + 1], 'the other one is there first');
  const pings = sockets.map(({ sent }) => sent.filter(({ ping }) => ping !== undefined).length);
  assert.deepEqual(pings.map((count, index) => count >= (index < 2 ? 20 : 16)), [true, true, true], `${pings}`);
  stop.abort(new Error('enough'));
  await assert.rejects(watching, { message: 'enough' });
  assert.equal(open().length, 0);
});

test('events during the change of sockets are told once, and none is left out', async (context) => {
  const { until } = simulatedTime(context, () => 0, 1_000);
  const { api, Socket, sockets, happen, reads } = service(1);
  const hold = [];
  class Slow extends Socket {
    send(text) {
      // The second socket answers late.
      if (sockets.length === 2 && sockets[1] === this && JSON.parse(text).subscribe) hold.push(() => super.send(text));
      else super.send(text);
    }
  }
  const watched = watch(api, { after: 1, socket: Slow });
  const told = next(watched, 4);
  await until(later(110 * MINUTE + 2_000));
  assert.deepEqual([sockets.length, sockets[0].isOpen, hold.length], [2, true, 1]);
  const read = reads().length;
  // The first socket tells of one at once, and of another one it does not.
  happen(1, (event) => [event]);
  await until(later(1_000));
  happen(1, () => []);
  hold[0]();
  await until(later(1_000));
  assert.deepEqual(sockets.map(({ isOpen }) => isOpen), [false, true]);
  happen(2);
  assert.deepEqual(await until(told), [2, 3, 4, 5]);
  assert.equal(reads().length, read);
  await watched.return();
  assert.deepEqual(sockets.map(({ isOpen }) => isOpen), [false, false]);
});

test('a socket whose successor does not open stays, and another one is tried a minute later', async (context) => {
  const { until, at } = simulatedTime(context, () => 0, 1_000);
  const { api, Socket, sockets, happen } = service(1, { refuse: (count) => count === 2 });
  const watched = watch(api, { after: 1, socket: Socket });
  const told = next(watched, 2);
  await until(later(110 * MINUTE + 2_000));
  assert.deepEqual(sockets.map(({ isOpen }) => isOpen), [true, false]);
  happen(1);
  await until(later(MINUTE + 1_000));
  assert.deepEqual(sockets.map(({ isOpen }) => isOpen), [false, false, true]);
  assert.ok(at() < 112 * MINUTE);
  happen(1);
  assert.deepEqual(await until(told), [2, 3]);
  await watched.return();
});

test('where no socket opens, the events are read', async (context) => {
  const { until, at } = simulatedTime(context, () => 0.5);
  const { api, Socket, sockets, happen } = service(1, { refuse: () => true });
  const watched = watch(api, { after: 1, socket: Socket });
  const told = next(watched, 2);
  setTimeout(() => happen(1), 12_000);
  setTimeout(() => happen(1), 20_000);
  assert.deepEqual(await until(told), [2, 3]);
  assert.ok(at() <= 26_000, `${at()}`);
  // At the start, after 5 s, and 20 s after that.
  assert.ok(sockets.length <= 3, `${sockets.length}`);
  await watched.return();

  const none = service(1);
  const read = watch(none.api, { after: 0, socket: null });
  assert.deepEqual(await next(read, 1), [1]);
  assert.deepEqual(none.requests.filter(({ path }) => path === '/api/events/ticket'), []);
});

test('a socket that did not open is tried again soon, with another ticket', async (context) => {
  const { until, at } = simulatedTime(context, () => 0.5);
  const { api, requests, Socket, sockets, happen } = service(1, { refuse: (count) => count === 1 });
  const watched = watch(api, { after: 1, socket: Socket });
  const told = next(watched, 1);
  const connected = (async () => { while (!sockets[1]?.sent.length) await new Promise((resolve) => { setTimeout(resolve, 50); }); })();
  await until(connected);
  assert.ok(at() <= 6_000, `${at()}`);
  assert.equal(requests.filter(({ path }) => path === '/api/events/ticket').length, 2);
  happen(1);
  assert.deepEqual(await until(told), [2]);
  await watched.return();
});

test('only the types that are asked for are told', async () => {
  const { api, Socket } = service(6);
  const watched = watch(api, { after: 0, types: ['refund.stateChanged'], socket: Socket });
  assert.deepEqual(await next(watched, 3), [2, 4, 6]);
  await watched.return();
});

test('a mint is watched without a ticket', async () => {
  const { api, requests, Socket, sockets } = service(1);
  const watched = watch(api, { mintId: 'm', after: 0, socket: Socket });
  assert.deepEqual(await next(watched, 1), [1]);
  const more = next(watched, 1);
  while (!sockets[0]?.sent.length) await new Promise(setImmediate);
  assert.deepEqual([sockets[0].url, sockets[0].sent], ['ws://service/live', [{ subscribe: ['mint:m'], after: 1 }]]);
  assert.ok(requests.every(({ path }) => path === '/api/config' || path === '/api/vm-transactions/mints/m/events'));
  sockets[0].says(JSON.stringify({ lists: [{ list: 'mint:m', newest: 2, events: [{ sequence: 2, type: 'mint.stateChanged' }] }] }));
  assert.deepEqual(await more, [2]);
  await watched.return();
});

test('events that are kept no longer, and an abort, end the watch', async () => {
  const { api } = service(9, { oldest: 5 });
  await assert.rejects(watch(api, { after: 2, socket: null }).next(), { key: 'events.tooOld' });

  const { api: other, Socket, sockets } = service(1);
  const stop = new AbortController();
  const watched = watch(other, { after: 1, socket: Socket, signal: stop.signal });
  const waiting = watched.next();
  while (!sockets[0]?.sent.length) await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  await assert.rejects(waiting, { message: 'enough' });
  assert.equal(sockets[0].isOpen, false);
});
