// Receivers of webhooks.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { call, post, require } from './service.mjs';

const token = process.env.TOKEN;

/** Waits until the service has recorded the receiver's confirmation. */
async function confirmed(id) {
  for (;;) {
    const { state } = await call('GET', `/api/webhooks/${id}`, { token });
    if (state === 'on') return;
    await setTimeout(100);
  }
}

/** A signed request of the service to a receiver that has confirmed its URL, and the secret that signs it. */
async function delivered(context) {
  let receive;
  const received = new Promise((resolve) => { receive = resolve; });
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { type, data } = JSON.parse(body);
    if (type === 'webhook.verification') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ challenge: data.challenge }));
      return;
    }
    receive({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  context.after(() => server.close());
  const { id, secret } = await post('/api/webhooks', { url: `http://127.0.0.1:${server.address().port}/hooks` }, token);
  context.after(() => call('DELETE', `/api/webhooks/${id}`, { token }));
  await confirmed(id);
  await post(`/api/webhooks/${id}/test`, undefined, token);
  return { secret, ...(await received) };
}

for (const name of ['standardwebhooks', 'svix']) {
  test(`${name}: verifies a request by its secret, and refuses another body, another secret and an old one`, async (context) => {
    const { Webhook } = require(name);
    const { secret, headers, body } = await delivered(context);
    new Webhook(secret).verify(body, headers);
    assert.equal(JSON.parse(body).type, 'webhook.test');
    assert.throws(() => new Webhook(secret).verify(body.replace('webhook.test', 'webhook.best'), headers));
    assert.throws(() => new Webhook(`whsec_${Buffer.alloc(24, 1).toString('base64')}`).verify(body, headers));
    const late = { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 600}` };
    assert.throws(() => new Webhook(secret).verify(body, late));
  });
}
