// A swap between two other chains, as a frontend registers it and sees it to its end, with viem.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 node infra/local/tests/browser/swap.mjs
//
// Exits with 0 if every answer is as it should be.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { call, exported, require, watch } from './service.mjs';
import { signIn } from '../venue/service.mjs';

const { generatePrivateKey, privateKeyToAccount } = require('viem/accounts');

const hash = () => `0x${randomBytes(32).toString('hex')}`;

const account = privateKeyToAccount(generatePrivateKey());
const token = await signIn(account);
const registered = () => ({
  intentTxHash: hash(),
  spokeTxHash: hash(),
  walletAddress: account.address,
  inputToken: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  outputToken: 'So11111111111111111111111111111111111111112',
  inputAmount: '1000000',
  minOutputAmount: '990000',
  srcChain: 42_161,
  dstChain: 1,
  srcAddress: account.address,
  dstAddress: 'So11111111111111111111111111111111111111112',
});
const register = (body) => call('POST', '/api/xchain/transactions/register', { token, body });
await register(registered());
const swap = registered();
assert.equal((await register(swap)).data.registered, true);
assert.equal((await register(swap)).data.registered, false);

// Found by its addresses and by its tokens.
const [wanted, given] = [swap.outputToken, swap.inputToken];
for (const filter of [
  `relatedAddress_eq=${account.address}`,
  `intentToken_eq=${wanted}`,
  `intentTokenPair_eq=${wanted},${given}`,
  `relatedAddress_eq=${account.address}&intentToken_eq=${given}`,
  `relatedAddress_eq=${account.address}&intentTokenPair_eq=${given},${wanted}`,
  '',
]) {
  const { data } = await call('GET', `/api/xchain/transactions?${filter}&populate=inputToken`);
  assert(data.some(({ intentTxHash }) => intentTxHash === swap.intentTxHash), filter);
}

// The hub learns about it, and the worker learns that from the hub.
const status = async () => (await call('GET', `/api/xchain/transactions/${swap.intentTxHash}/status`, { token })).data;
await call('POST', '/_local/hub', { body: { record: swap } });
await call('POST', '/_local/hub', { body: { intentTxHash: swap.intentTxHash, status: 'relaying' } });
await watch();
const confirmed = await status();
assert.deepEqual([confirmed.verified, confirmed.status, confirmed.stale], [true, 'relaying', false]);
assert.equal((await call('GET', `/api/xchain/transactions/${swap.spokeTxHash}/status`, { token })).data.verified, true);

const fillTxHash = hash();
await call('POST', '/_local/hub', { body: { intentTxHash: swap.intentTxHash, status: 'filled', fillTxHash } });
await watch();
const filled = await status();
assert.deepEqual([filled.status, filled.isFinal, filled.fillTxHash], ['filled', true, fillTxHash]);
await exported(token, 'swap', 2);
console.log(`the swap ${swap.intentTxHash} is filled by ${fillTxHash}`);
