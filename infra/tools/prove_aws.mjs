// The second half of `make prove-aws`: calls that together need almost every right of the functions behind the API, up
// to a signed withdrawal. Says in ten lines what held. BASE is the API; the wallet's key is in the file KEY, so that
// coins that were sent to its trading address are still its own in the next run.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { call, ECPair, network, until, Wallet } from '../local/tests/browser/service.mjs';

const { KEY: key } = process.env;
/** What the withdrawal pays to the wallet's own address, in sats. */
const PAID = 1_000;
/** What the trading address should hold before: the payment, and its fee at 20 sat/vB. */
const ENOUGH = 10_000;

if (!existsSync(key)) writeFileSync(key, ECPair.makeRandom({ network }).toWIF(), { mode: 0o600, flag: 'wx' });
const wallet = new Wallet(ECPair.fromWIF(readFileSync(key, 'utf8').trim(), network));

let failed = 0;

/** Does `work`, and says whether it held; what it returns is added to the line. */
async function step(what, work) {
  try {
    const more = await work();
    console.log(`ok  ${what}${more ? `: ${more}` : ''}`);
  } catch (error) {
    failed += 1;
    console.log(`NO  ${what}: ${error.message.split('\n')[0].slice(0, 400)}`);
  }
}

let token;
let withdrawal;

await step('the API, and all that it depends on', async () => {
  const { data } = await call('GET', '/api/health?deep=1');
  assert.equal(data.status, 'ok');
});

await step('sign-in: the key of tokens, rows in one transaction', async () => {
  const first = await wallet.signIn();
  const { data: second } = await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken } });
  await call('POST', '/auth/refresh-token', { body: { refreshToken: second.refreshToken } });
  await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken }, status: 400 });
  ({ accessToken: token } = await wallet.signIn(Date.now() + 1));
});

await step('account, trading wallet and second factor: KMS signs and encrypts for the functions', async () => {
  const { data } = await call('GET', '/api/account/trading-wallet', { token });
  assert.equal(data.publicKey, wallet.pubkey.toString('hex'));
  await call('POST', '/api/account/2fa/setup', { token, body: {} });
});

await step('lists of every group', async () => {
  const paths = [
    '/auth/sessions', '/api/account/activity', '/api/account/addresses', '/api/download-histories', '/api/prizes',
    '/api/tokens', '/api/vm-transactions', '/api/vm-transactions/mints', '/api/xchain/affiliate',
    '/api/xchain/transactions', '/api/transactions',
    `/api/refund/calculate?type=virtual_mint&runeIds=1:1&userAddress=${wallet.address}`,
  ];
  for (const path of paths) await call('GET', path, { token });
});

await step('an upload: a signed form, and the bucket', async () => {
  const body = { files: [{ filename: 'proof.png' }] };
  const { code, data } = await call('POST', '/api/medias/presigned-url', { token, body, status: [200, 503] });
  if (code !== '1') {
    assert.equal(code, '5101');
    return 'refused, as ServeMedia = "no" asks for';
  }
  const [media] = data;
  const form = new FormData();
  for (const [name, value] of Object.entries(media.signedUrl.fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' }), 'proof.png');
  const upload = await fetch(media.signedUrl.url, { method: 'POST', body: form });
  assert.equal(upload.status, 204, await upload.text());
});

await step('an export: queue, worker, bucket and link', async () => {
  const now = Date.now();
  const body = { format: 'csv', filter: { type: 'withdraw', from: now - 86_400_000, to: now } };
  const { data: { id } } = await call('POST', '/api/download-histories', { token, body, status: 201 });
  const url = await until('the file', async () => {
    const { data } = await call('GET', '/api/download-histories', { token });
    const file = data.find((each) => each.id === id);
    assert.notEqual(file.status, 'failed');
    return file.url;
  });
  const file = await fetch(url);
  assert.equal(file.status, 200, await file.text());
});

await step('the chain: Esplora and ord', async () => {
  const { data, metaData } = await call('GET', '/api/account/trading-wallet/balance', { token });
  assert.equal(metaData.checks, 'complete');
  return `${data.btc.confirmed} sats confirmed at ${wallet.trading}`;
});

await step('a withdrawal: coins read in batches, rows and reservations in one transaction', async () => {
  const params = { tokenId: '0:0', amount: String(PAID), withdrawTo: wallet.address, feeTarget: 'economy' };
  const body = { type: 'withdraw', params };
  const answer = await call('POST', '/api/transactions', { token, body, status: [201, 400] });
  if (answer.code === '1') {
    withdrawal = answer.data;
    return undefined;
  }
  assert.equal(answer.code, '2002', answer.details);
  return 'planned, and refused for want of coins';
});

await step('a signed withdrawal: both signatures, the broadcast', async () => {
  assert.ok(withdrawal, `not shown; send ${ENOUGH} sats to ${wallet.trading}, and run again once a block has them`);
  const params = { signedBase64Tx: wallet.sign(withdrawal).toBase64() };
  const { data } = await call('POST', '/api/transactions/sign', { token, body: { type: 'withdraw', params }, status: 201 });
  assert.ok(['signing', 'broadcasting', 'inMempool'].includes(data.state), data.state);
  return `${data.txId} is ${data.state}`;
});

await step('sign-out, after which sensitive calls are refused', async () => {
  await call('POST', '/auth/logout', { token, body: {} });
  await call('POST', '/api/account/2fa/setup', { token, body: {}, status: 401 });
});

process.exitCode = failed ? 1 : 0;
