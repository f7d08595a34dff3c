// Requests of webhooks: what the service signs, two published libraries and this client verify.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { verifyWebhook } from '@runeport/client/webhooks';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

/** Signed by the service's own code: a test of the worker compares it. */
const { secrets, headers, body } = JSON.parse(readFileSync(new URL('webhook.json', import.meta.url), 'utf8'));
const sentAt = Number(headers['webhook-timestamp']) * 1_000;
const OTHER = 'whsec_' + Buffer.alloc(32, 9).toString('base64');

const verifiers = {
  standardwebhooks: async (request, secret) => new StandardWebhook(secret).verify(request.body, request.headers),
  svix: async (request, secret) => new SvixWebhook(secret).verify(request.body, request.headers),
  'this client': verifyWebhook,
};

for (const [name, verify] of Object.entries(verifiers)) {
  test(`${name} verifies a request, by the secret and by the one before a rotation`, async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: sentAt + 1_000 });
    for (const secret of secrets) {
      assert.deepEqual(await verify({ headers, body }, secret), JSON.parse(body));
    }
  });

  test(`${name} refuses what is forged, changed, old or early`, async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: sentAt });
    const [secret] = secrets;
    await assert.rejects(verify({ headers, body }, OTHER));
    await assert.rejects(verify({ headers, body: body.replace('signed', 'failed') }, secret));
    await assert.rejects(verify({ headers: { ...headers, 'webhook-id': 'x' }, body }, secret));
    await assert.rejects(verify({ headers: { ...headers, 'webhook-signature': 'v1,AAAA v1a,x' }, body }, secret));
    const { 'webhook-signature': _none, ...unsigned } = headers;
    await assert.rejects(verify({ headers: unsigned, body }, secret));
    for (const shift of [301_000, -301_000]) {
      context.mock.timers.setTime(sentAt + shift);
      await assert.rejects(verify({ headers, body }, secret));
    }
  });
}

test('headers of the Fetch API and bodies of bytes are read too', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: sentAt });
  const request = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
  assert.deepEqual(await verifyWebhook(request, secrets[0]), JSON.parse(body));
  context.mock.timers.setTime(sentAt + 400_000);
  await assert.rejects(verifyWebhook(request, secrets[0]), { key: 'client.webhookInvalid' });
  assert.ok(await verifyWebhook(request, secrets[0], { tolerance: 500 }));
});
