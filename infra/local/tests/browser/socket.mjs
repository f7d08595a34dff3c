// Sockets, as a page has them: what it missed, what happens, a session that ends, and too many messages.

import assert from 'node:assert/strict';

import { call, Socket, Wallet } from './service.mjs';

const wallet = new Wallet();
const { now } = await call('POST', '/_local/clock', { body: { advanceMs: 0 } });
let signIns = 0;
const signIn = async () => {
  signIns += 1;
  return (await wallet.signIn(now + signIns)).accessToken;
};
/** Signs in elsewhere and ends that session, which is an event of the account; returns its id. */
async function event(token) {
  const elsewhere = await signIn();
  const { data } = await call('GET', '/auth/sessions', { token: elsewhere });
  const { id } = data.find(({ current }) => current);
  await call('DELETE', `/auth/sessions/${id}`, { token });
  return id;
}

// The answer has the events that the page has missed. Later events are pushed.
const token = await signIn();
const missed = await event(token);
const page = await Socket.open(token);
page.send({ subscribe: ['account'], after: 0 });
const told = ({ lists }) => lists?.find(({ list }) => list === 'account')?.events?.at(-1);
const first = await page.find('what was missed', told);
assert.deepEqual([first.sequence, first.type, first.data.sessionId], [1, 'session.ended', missed]);
const pushed = await event(token);
const second = await page.find('an event', (message) => (told(message)?.sequence === 2 ? told(message) : undefined));
assert.equal(second.data.sessionId, pushed);

// The answer to a ping has the newest number of each list that the socket reads.
page.send({ ping: 7 });
const ping = await page.find('a pong', (message) => (message.pong === 7 ? message : undefined));
assert.deepEqual(ping.lists.map(({ list, newest }) => [list, newest]), [['account', 2]]);
page.send({ unsubscribe: ['account'] });
await page.find('the end of a subscription', ({ unsubscribed }) => unsubscribed?.[0] === 'account');
page.send({ ping: 8 });
assert.deepEqual((await page.find('a pong', (message) => (message.pong === 8 ? message : undefined))).lists, []);

// A page that sends without end is closed.
for (let sent = 0; sent < 80; sent += 1) page.send({ ping: sent });
await page.closed();

// A socket reads nothing more once its session has ended: the next event closes it.
const owner = await signIn();
const guest = await signIn();
const watching = await Socket.open(guest);
watching.send({ subscribe: ['account'] });
await watching.find('a subscription', ({ lists }) => lists?.length === 1);
const { data: sessions } = await call('GET', '/auth/sessions', { token: guest });
await call('DELETE', `/auth/sessions/${sessions.find(({ current }) => current).id}`, { token: owner });
await watching.closed();
assert.equal(watching.messages.length, 0);

const last = await Socket.open(owner);
last.close();
await last.closed();
console.log(`${wallet.address} was told of ${second.sequence} events as they happened`);
