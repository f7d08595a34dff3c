// Webhooks of an account and of the deployment: a test, an event, redelivery, a new secret, replay, a receiver that fails
// and one that is gone. The receiver is this script, so the service must accept one on this machine.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { call, exported, until, Wallet } from './service.mjs';

/** Stores the requests that arrive, and answers them with a status. */
class Receiver {
  constructor() {
    this.got = [];
    this.status = 200;
    this.server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      this.got.push({ headers: request.headers, body });
      const { type, data } = JSON.parse(body);
      if (type === 'webhook.verification') response.writeHead(200).end(JSON.stringify({ challenge: data.challenge }));
      else response.writeHead(this.status).end();
    });
  }

  async listen() {
    await new Promise((resolve) => { this.server.listen(0, '127.0.0.1', resolve); });
    this.url = `http://127.0.0.1:${this.server.address().port}/hooks`;
    return this;
  }

  of(type) {
    return this.got.filter(({ body }) => JSON.parse(body).type === type);
  }
}

/** Whether one of a delivery's signatures is by a secret, as Standard Webhooks defines it. */
function isSigned({ headers, body }, secret) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return headers['webhook-signature'].split(' ').includes(signature);
}

/** Moves the service's clock forward; returns its time in milliseconds. */
const clock = async (advanceMs) => (await call('POST', '/_local/clock', { body: { advanceMs } })).now;

/** How many looks at what a sweep has caused come before the next sweep. */
const LOOKS = 24;
/** Events in one row of a list. */
const EVENTS_OF_A_ROW = 8;

const admin = new Wallet();
let token;

/** Signs in, since tokens expire however slow the script is; `now` is the service's time. */
async function signIn(now) {
  ({ accessToken: token } = await admin.signIn(now));
}

/** Makes due what waits, and runs the worker, until `done`. */
async function sweepUntil(what, done) {
  let looks = 0;
  return until(what, async () => {
    if (looks % LOOKS === 0) {
      await signIn(await clock(61_000));
      await call('POST', '/_local/tick', { body: { worker: 'event-worker' } });
    }
    looks += 1;
    return done();
  });
}

// An account with a past: more events than one row of its list holds.
for (let ended = 0; ended <= EVENTS_OF_A_ROW; ended += 1) {
  await signIn();
  await call('POST', '/auth/logout', { token });
}
await signIn();
await call('POST', '/_local/role', { body: { address: admin.address, role: 'admin' } });
const own = await new Receiver().listen();
const every = await new Receiver().listen();

// Each receiver gets the same event, in a request that its own secret signs.
const add = async (body) => (await call('POST', '/api/webhooks', { token, body, status: 201 })).data;
const webhook = await add({ url: own.url, note: 'the shop' });
const ofDeployment = await add({ url: every.url, scope: 'deployment' });
const path = `/api/webhooks/${webhook.id}`;
const state = async (id) => (await call('GET', `/api/webhooks/${id}`, { token })).data.state;
await sweepUntil('the confirmation of both receivers', async () => await state(webhook.id) === 'on' && await state(ofDeployment.id) === 'on');
const { data: { eventId } } = await call('POST', `${path}/test`, { token });
const tested = await until('a test', async () => {
  const { data } = await call('GET', `${path}/deliveries`, { token });
  return data.find((each) => each.eventId === eventId);
});
assert.equal(tested.status, 200, JSON.stringify(tested));
assert.ok(isSigned(own.of('webhook.test')[0], webhook.secret));
const exporting = 'export.completed';
// A webhook of the deployment sends what is written half a minute later. The clock of a deployment cannot be moved.
const added = await clock(0);
await clock(31_000);
await until('half a minute', async () => await clock(0) >= added + 31_000);
await exported(token, 'swap', 0);
await sweepUntil('the event, for both', () => own.of(exporting).length > 0 && every.of(exporting).length > 0);
assert.ok(isSigned(own.of(exporting)[0], webhook.secret));
assert.ok(isSigned(every.of(exporting)[0], ofDeployment.secret));

// Its owner asks for the event again, and for all events; a new secret signs next to the earlier one.
const { sequence } = await until('the row of a delivery', async () => {
  const { data } = await call('GET', `${path}/deliveries`, { token });
  return data.find((each) => each.type === exporting);
});
await call('POST', `${path}/deliveries/${sequence}/redeliver`, { token, body: {}, status: [200, 201] });
await sweepUntil('the event again', () => own.of(exporting).length > 1);
const { data: rotated } = await call('POST', `${path}/rotate-secret`, { token, body: {} });
await call('POST', `${path}/replay`, { token, body: { after: 0 } });
await sweepUntil('all events again', () => own.of(exporting).length > 2);
for (const secret of [webhook.secret, rotated.secret]) assert.ok(isSigned(own.of(exporting).at(-1), secret));

// A receiver that fails is tried again. One that is gone is switched off, and its owner hears of it.
own.status = 500;
await exported(token, 'withdraw', 0);
const row = async () => (await call('GET', path, { token })).data;
await sweepUntil('a failure', async () => (await row()).failures);
own.status = 200;
await sweepUntil('a success after it', async () => !(await row()).failures);
own.status = 410;
await call('POST', `${path}/replay`, { token, body: { after: 0 } });
await sweepUntil('a webhook that is off', async () => (await row()).state === 'off');
await call('PATCH', path, { token, body: { enabled: true, note: 'the old shop' } });

// An admin sees what was sent, and not what the receiver said.
const { data: { id: me } } = await call('GET', '/api/account/me', { token });
const support = `/api/support/accounts/${me}/webhooks`;
assert.equal((await call('GET', support, { token })).data[0].note, 'the old shop');
const { data: attempts } = await call('GET', `${support}/${webhook.id}/deliveries`, { token });
assert.ok(attempts.length > 0 && attempts.every(({ answer }) => answer === null));
for (const id of [webhook.id, ofDeployment.id]) await call('DELETE', `/api/webhooks/${id}`, { token });
assert.deepEqual((await call('GET', '/api/webhooks', { token })).data, []);
for (const { server } of [own, every]) {
  server.closeAllConnections();
  server.close();
}
