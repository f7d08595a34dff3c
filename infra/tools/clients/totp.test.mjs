// Apps of second factors.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { authenticate, call, challenge, post, require } from './service.mjs';

const ethers = require('ethers');
const { generate, verify } = require('otplib');

test('otplib: its code turns the second factor on', async () => {
  const wallet = ethers.Wallet.createRandom();
  const { address } = wallet;
  const { challengeId, message } = await challenge(address, 'evm');
  const token = await authenticate({ challengeId, signature: await wallet.signMessage(message), address, chain: 'evm' });
  const { secret, otpauthUri } = await post('/api/account/2fa/setup', {}, token);
  assert.equal(new URL(otpauthUri).searchParams.get('secret'), secret);
  const { now } = await (await fetch(`${process.env.BASE}/_local/clock`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advanceMs: 0 }),
  })).json();
  const epoch = Math.floor(now / 1_000);
  const code = await generate({ secret, epoch });
  assert.equal((await verify({ secret, token: code, epoch })).valid, true);
  const { enabled, recoveryCodes } = await post('/api/account/2fa/toggle', { otpCode: code }, token);
  assert.deepEqual([enabled, recoveryCodes.length], [true, 10]);
  assert.equal((await call('GET', '/api/account/me', { token })).totpEnabled, true);
});
