// The venue's exchange endpoint takes the actions that the service builds, signed with viem and @nktkas/hyperliquid, and
// does them.
//
// BASE is the service's address, KEY the wallet's private key.

import assert from 'node:assert/strict';
import { call, require, signIn } from './service.mjs';

const { ApproveBuilderFeeTypes, SendAssetTypes } = require('@nktkas/hyperliquid/api/exchange');
const { signL1Action, signUserSignedAction } = require('@nktkas/hyperliquid/signing');
const { generatePrivateKey, privateKeyToAccount } = require('viem/accounts');

const wallet = privateKeyToAccount(process.env.KEY);
const userAddress = wallet.address;
const token = await signIn(wallet);
const { world } = await call('GET', '/_local');
await call('POST', '/_local/venue', { body: { address: userAddress, exists: true, usdc: '1', venueBalance: '12' } });

async function post(url, body) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return answer.json();
}
const exchange = (body) => post(world.venueExchange, body);
const info = (type, more) => post(world.venueInfo, { type, user: userAddress, ...more });
const build = async (path, body) => (await call('POST', `/api/perp-venue/${path}`, { token, body })).data.action;

const OK = { status: 'ok', response: { type: 'default' } };
const refused = (text) => ({ status: 'err', response: text });
let nonce = Date.now();

async function signed({ venueChain: hyperliquidChain, ...rest }, types, by = wallet) {
  nonce += 1;
  const action = { ...rest, hyperliquidChain, nonce };
  return { action, nonce, signature: await signUserSignedAction({ wallet: by, action, types }) };
}

// A withdrawal moves exactly its amount, and only what its wallet has signed.
const withdrawal = await build('withdraw', { userAddress, amount: '2.5' });
const stranger = privateKeyToAccount(generatePrivateKey());
assert.deepEqual(
  await exchange(await signed(withdrawal, SendAssetTypes, stranger)),
  refused(`User or API Wallet ${stranger.address.toLowerCase()} does not exist.`),
);
const order = await signed(withdrawal, SendAssetTypes);
const changed = await exchange({ ...order, action: { ...order.action, amount: '3.5' } });
assert.match(changed.response, /^User or API Wallet 0x[0-9a-f]{40} does not exist\.$/);
assert.deepEqual(await exchange({ ...order, nonce: order.nonce + 1 }), refused('Invalid signature'));
assert.equal((await info('clearinghouseState')).withdrawable, '12');
assert.deepEqual(await exchange(order), OK);
assert.equal((await info('clearinghouseState')).withdrawable, '9.5');
const { data: { usdcBalance } } = await call('GET', `/api/perp-venue/status?userAddress=${userAddress}`, { token });
assert.equal(usdcBalance, '3.5');
assert.deepEqual(
  await exchange(await signed({ ...withdrawal, amount: '9.6' }, SendAssetTypes)), refused('Insufficient balance for withdrawal.'),
);

// The builder fee.
const approval = await build('builder-fee-approval', {});
assert.deepEqual(await exchange(await signed(approval, ApproveBuilderFeeTypes)), OK);
const approved = await info('maxBuilderFee', { builder: approval.builder });
assert.equal(approved, Math.round(Number(approval.maxFeeRate.replace('%', '')) * 1_000));

// The referrer, once.
const referral = await build('referral', { userAddress });
const refer = async () => {
  nonce += 1;
  return exchange({ action: referral, nonce, signature: await signL1Action({ wallet, action: referral, nonce, isTestnet: true }) });
};
assert.deepEqual(await refer(), OK);
assert.equal((await info('referral')).referredBy.code, referral.code);
assert.deepEqual(await refer(), refused('Referrer already set.'));
