// A trading wallet's own transactions: a withdrawal that is released, one that is signed and replaced at a higher fee, a
// renewal, what the wallet shows of them, and what others pay to it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

import { bitcoin, call, ECPair, lever, network, submit, Wallet, watch } from './service.mjs';

const wallet = new Wallet();
await wallet.signIn();
const { token, trading } = wallet;
// The service lists deposits from the block on at which it begins to follow the chain.
await watch();
for (let coin = 0; coin < 3; coin += 1) await lever('fund', { address: trading, sats: 60_000 });
await lever('mine', { blocks: 1 });

await watch();

// The deposits of the wallet, and its balance.
const deposits = async () => (await call('GET', '/api/account/trading-wallet/deposits', { token })).data;
assert.deepEqual((await deposits()).map(({ sats, state }) => [sats, state]), Array(3).fill([60_000, 'confirmed']));
const { data: balance } = await call('GET', '/api/account/trading-wallet/balance', { token });
assert.equal(balance.btc.available, 180_000);
const { data: coins } = await call('GET', '/api/account/trading-wallet/coins', { token });
assert.deepEqual(coins.map(({ state }) => state), ['free', 'free', 'free']);
const { data: kit } = await call('GET', '/api/account/trading-wallet/recovery-kit', { token });
assert.equal(kit.coins.length, 3);
await call('GET', `/api/wallets/details/${wallet.address}`, { token });
await call('GET', '/api/runes/1:99', { status: 404 });
await call('GET', `/api/wallets/balance?address=${trading}`);
await call('GET', `/api/utxos?address_eq=${trading}`);
// A young chain has no estimates.
await call('GET', '/api/bitcoin/fee-rates', { status: [200, 502] });

const payee = ECPair.makeRandom({ network });
const recipient = bitcoin.payments.p2wpkh({ pubkey: Buffer.from(payee.publicKey), network }).address;
const create = async (type, params) => {
  const { data } = await call('POST', '/api/transactions', { token, body: { type, params }, status: 201 });
  return data;
};
const sign = (created, type) => {
  const body = { type, params: { signedBase64Tx: wallet.sign(created).toBase64() } };
  return submit('/api/transactions/sign', token, body, 'inMempool');
};

// A withdrawal that its owner does not sign holds its coins until it is released.
const query = { type: 'withdraw', params: { tokenId: '0:0', withdrawTo: recipient } };
const { data: most } = await call('POST', '/api/transactions/max-spent', { token, body: query });
assert.equal(most.maxSatsAmt + most.fee, 180_000);
const given = { tokenId: '0:0', amount: '50000', withdrawTo: recipient };
const dropped = await create('withdraw', given);
const { data: released } = await call('DELETE', `/api/transactions/${dropped.txId}`, { token });
assert.deepEqual(released, { txId: dropped.txId, state: 'expired' });

// One is signed, and replaced at a higher fee; only one of the two is confirmed.
const first = await create('withdraw', { ...given, feeTarget: 'economy' });
await sign(first, 'withdraw');
const bump = { token, body: { action: 'bump', feeTarget: 'fast' }, status: 201 };
const { data: dearer } = await call('POST', `/api/transactions/${first.txId}/replace`, bump);
assert.ok(dearer.fee.totalFee > first.fee.totalFee);
await sign(dearer, 'withdraw');
await lever('mine', { blocks: 1 });
await watch();
const { data: listed } = await call('GET', '/api/transactions', { token });
assert.equal(listed.filter(({ state }) => state === 'confirmed').length, 1);
await call('GET', `/api/transactions/${first.txId}`, { token });
// Once this one is seven blocks deep, the other one cannot come back, and the coins that only the other one
// spends are free.
await lever('mine', { blocks: 6 });
await watch();

// The rest is renewed: all of it returns to the trading address.
const { data: left } = await call('GET', '/api/account/trading-wallet/coins', { token });
const renewal = await create('renew-utxo', { txIdVouts: left.filter(({ state }) => state === 'free').map(({ id }) => id) });
await sign(renewal, 'renew-utxo');
await lever('mine', { blocks: 1 });
await watch();

// The hub receives a withdrawal, and continues it.
const further = await create('xchain-withdraw', { ...given, xchainData: '0xdeadbeef' });
await sign(further, 'xchain-withdraw');
const { data: swaps } = await call('GET', `/api/xchain/transactions?relatedAddress_eq=${trading}`);
assert.deepEqual(swaps.map(({ type }) => type), ['xchain-withdraw']);

// A deposit is listed before a block has it, if it is announced; even one that the network does not know yet.
const deposit = async (txId) => {
  const { data } = await call('POST', '/api/account/trading-wallet/deposits', { token, body: { txId }, status: 201 });
  return data.deposits.map(({ id, state }) => [id, state]);
};
const unknown = randomBytes(32).toString('hex');
assert.deepEqual(await deposit(unknown), [[unknown, 'awaited']]);
const { outpoint } = await lever('fund', { address: trading, sats: 30_000 });
assert.deepEqual(await deposit(outpoint.split(':')[0]), [[outpoint, 'seen']]);
await lever('mine', { blocks: 1 });
await watch();
const [newest] = await deposits();
assert.deepEqual([newest.id, newest.state], [outpoint, 'confirmed']);
console.log(`${trading} paid ${recipient}, and renewed the rest in ${renewal.txId}`);
