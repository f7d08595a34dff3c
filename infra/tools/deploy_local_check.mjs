// The first check of `make deploy-local CHECK=yes`: calls of every kind to the deployment at BASE, through
// gateway, functions, tables, keys, queues, workers, buckets and mails. AWS is the address of the emulator,
// which lists the sent mails.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { base, call, exported, until, Wallet } from '../local/tests/browser/service.mjs';
import { require, signIn } from '../local/tests/venue/service.mjs';

const { generatePrivateKey, privateKeyToAccount } = require('viem/accounts');

const { AWS: aws, MAIL_FROM: mailFrom } = process.env;

function passed(what) {
  console.log(`ok  ${what}`);
}

const { data: health } = await call('GET', '/api/health?deep=1');
assert.equal(health.status, 'ok');
await call('GET', '/api/nowhere', { status: 404 });
passed('health, and an unknown path');

// Calls of browsers.
const origin = 'http://localhost:5173';
const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
const preflight = await fetch(`${base}/api/prizes`, { method: 'OPTIONS', headers: asks });
assert.ok(preflight.ok, `preflight: ${preflight.status}`);
assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
const stranger = await fetch(`${base}/api/prizes`, {
  method: 'OPTIONS',
  headers: { ...asks, origin: 'https://elsewhere.example' },
});
assert.equal(stranger.headers.get('access-control-allow-origin'), null);
passed('preflight: an allowed origin and another one');

// A Bitcoin wallet signs in with the deployment's message.
const wallet = new Wallet();
const { address } = wallet;
const first = await wallet.signIn();
const { data: second } = await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken } });
await call('GET', '/api/account/me', { token: second.accessToken });
const { data: again } = await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken } });
assert.equal(again.refreshToken, second.refreshToken);
const { data: third } = await call('POST', '/auth/refresh-token', { body: { refreshToken: second.refreshToken } });
await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken }, status: 400 });
await call('POST', '/auth/refresh-token', { body: { refreshToken: third.refreshToken }, status: 400 });
passed('sign-in, refresh, and a reused refresh token that ends the session');

const { accessToken: token } = await wallet.signIn(Date.now() + 1);
const trading = await call('GET', '/api/account/trading-wallet', { token });
assert.match(trading.data.address, /^bcrt1q/);
await call('POST', '/api/account/2fa/setup', { token, body: {} });
await call('GET', '/api/account/keystore', { token, status: 404 });
await call('GET', '/api/account', { token, status: 403 });
await call('GET', '/.well-known/jwks.json');
await call('GET', '/api/openapi.json');
await call('GET', '/api/openapi-3.0.json');
assert.match(await (await fetch(`${base}/api/docs`)).text(), /<h2/);
passed('account, trading wallet, second factor');

for (const path of [
  '/auth/sessions',
  '/api/account/activity',
  '/api/account/addresses',
  '/api/account/passkeys',
  '/api/download-histories',
  '/api/events',
  '/api/webhooks',
  '/api/prizes',
  `/api/refund/calculate?type=virtual_mint&runeIds=1:1&userAddress=${address}`,
  '/api/tokens',
  '/api/vm-transactions',
  '/api/vm-transactions/count-unconfirmed-requests',
  '/api/vm-transactions/mints',
  '/api/xchain/affiliate',
  '/api/xchain/transactions',
]) {
  await call('GET', path, { token });
}
passed('lists of all groups');

// Uploads of images with signed forms.
for (const filename of ['first.png', 'second.png']) {
  const { data: [media] } = await call('POST', '/api/medias/presigned-url', { token, body: { files: [{ filename }] } });
  const form = new FormData();
  for (const [name, value] of Object.entries(media.signedUrl.fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' }), filename);
  const upload = await fetch(media.signedUrl.url, { method: 'POST', body: form });
  assert.equal(upload.status, 204, await upload.text());
  if (filename === 'second.png') await call('DELETE', `/api/medias/${media.key.split('/').at(-1)}`, { token });
}
passed('media uploads');

// Exports: queue, worker, bucket and link, and the worker's schedule.
for (const type of ['swap', 'withdraw']) {
  const [head] = await exported(token, type, 0);
  assert.match(head, /^id,type,createdAt/);
}
for (const worker of ['export-worker', 'event-worker']) {
  await call('POST', '/_local/tick', { body: { worker } });
}
for (let asked = 3; asked <= 11; asked += 1) {
  await call('POST', '/api/download-histories', { token, body: { format: 'csv' }, status: asked > 10 ? 429 : 201 });
}
passed('exports through queue and worker, their downloads, and the limit of ten per hour');

// The operator's catalogue.
const { data: [usdc] } = await call('GET', '/api/tokens');
const slot = { slot: 'usdc', tokenId: usdc.tokenId };
const chosen = await call('PATCH', '/api/account/default-token', { token, body: slot });
assert.equal(chosen.data.defaultTokens.usdc, usdc.tokenId);
passed('a catalogue token as an account\'s default token');

// An admin reads the account, and finds it by what its owner knows.
const admin = new Wallet();
await admin.signIn();
await call('POST', '/_local/role', { body: { address: admin.address, role: 'admin' } });
const support = async (path) => (await call('GET', `/api/support${path}`, { token: admin.token })).data;
const [{ accountId }] = await support(`/search?q=${address}`);
const hash = '11'.repeat(32);
for (const q of [accountId, trading.data.address, 'nobody@example.com', hash]) await support(`/search?q=${q}`);
const { account: { id: adminId } } = await admin.signIn(Date.now() + 1);
for (const list of [
  '', '/transactions', '/transactions?state_eq=unsigned', '/cross-chain', '/deposits', '/batches', '/refunds', '/exports',
  '/activity', '/webhooks',
]) {
  await support(`/accounts/${accountId}${list}`);
}
for (const path of ['/stuck', '/payouts', `/reads?accountId=${accountId}`, `/reads?adminId=${adminId}`]) await support(path);
await call('GET', `/api/support/transactions/${hash}`, { token: admin.token, status: 404 });
await call('GET', '/api/support/stuck', { token, status: 403 });
passed('what an admin reads to answer a question');

// A mail: queue, worker, SES. The verifier is a random valid number.
const email = `check-${Date.now()}@example.com`;
await call('POST', '/auth/register/srp', {
  body: {
    email,
    srpSalt: randomBytes(32).toString('base64'),
    srpVerifier: Buffer.concat([Buffer.from([1]), randomBytes(255)]).toString('base64'),
    encryptedBlob: randomBytes(64).toString('base64'),
  },
  status: 201,
});
await call('POST', '/auth/srp/init', { body: { email } });
const mail = await until('a mail', async () => {
  const { messages } = await (await fetch(`${aws}/_ministack/ses/messages`)).json();
  return Object.values(messages).flat().find(({ To: to }) => to.includes(email));
});
assert.equal(mail.Source, mailFrom);
passed('a password account, and its mail through queue and worker');

// The status at the venue of a new wallet.
const evm = privateKeyToAccount(generatePrivateKey());
const trader = await signIn(evm);
const status = await call('GET', `/api/perp-venue/status?userAddress=${evm.address}`, { token: trader });
assert.equal(status.metaData.checks, 'complete');
const referral = await call('POST', '/api/perp-venue/referral', { token: trader, body: { userAddress: evm.address } });
assert.equal(referral.data.action.code, 'RUNEPORT');
passed('the venue: status and referral');

// The signature of a contract wallet must be checked on its chain, which is down.
const contract = privateKeyToAccount(generatePrivateKey()).address;
const link = { address: contract, chain: 'evm', purpose: 'link' };
const { data: challenge } = await call('GET', `/auth/wallet/challenge?${new URLSearchParams(link)}`, { token: trader });
const signature = await evm.signMessage({ message: challenge.message });
const body = { address: contract, chain: 'evm', challengeId: challenge.challengeId, signature };
await call('POST', '/_local/venue', { body: { of: 'rpc', status: 500 } });
await call('POST', '/api/account/addresses', { token: trader, body, status: 503 });
await call('POST', '/_local/venue', { body: { of: 'rpc' } });
passed('an address whose chain does not answer');
