// A virtual mint, as a frontend and a bot see it with bitcoinjs-lib: a batch, another one in its place,
// runes in hand, and the rest of the money back.

import assert from 'node:assert/strict';

import { bitcoin, call, ECPair, lever, network, runeName, runesOf, Wallet, watch } from './service.mjs';

// An admin makes a mint of four requests. The pool has to hold its runes; what it lacks, it says.
const admin = new Wallet();
await admin.signIn();
await call('POST', '/_local/role', { body: { address: admin.address, role: 'admin' } });
const nobody = bitcoin.payments.p2tr({
  internalPubkey: Buffer.from(ECPair.makeRandom({ network }).publicKey).subarray(1),
  network,
}).address;
const { runeId: other } = await lever('etch', { name: runeName(), supply: '1', divisibility: 0 });
const { now } = await call('POST', '/_local/clock', { body: { advanceMs: 0 } });
const mint = (runeId, status) => call('POST', '/api/vm-transactions/mints', {
  token: admin.token,
  status,
  body: {
    runeId,
    proceedsAddress: nobody,
    tokensPerRequest: '250',
    totalRequests: 4,
    requestsPerBlock: 4,
    minSatsPerRequest: 1_000,
    closesAt: now + 86_400_000,
  },
});
const { details } = await mint(other, 400);
const [pool] = details.match(/bcrt1q[0-9a-z]+/);
const name = runeName();
const { runeId } = await lever('etch', { name, supply: '1000', divisibility: 0, to: pool });
for (let coin = 0; coin < 3; coin += 1) await lever('fund', { address: pool, sats: 50_000 });
await lever('mine', { blocks: 1 });
const { data: made } = await mint(runeId, 201);
assert.equal(made.poolAddress, pool);

// Three requests at 2,000 sats, and while no block has them two more at 3,000.
const wallet = new Wallet();
await wallet.signIn(now);
await lever('fund', { address: wallet.trading, sats: 100_000 });
await lever('fund', { address: wallet.trading, sats: 100_000 });
await lever('mine', { blocks: 1 });
const userAddress = wallet.address;
async function bid(requestCount, price) {
  const body = { userAddress, runeId, requestCount, satsNewRequests: requestCount * price };
  const { data: created } = await call('POST', '/api/vm-transactions', { token: wallet.token, body, status: 201 });
  const signed = wallet.sign(created);
  const paid = signed.txOutputs.filter((output) => output.address === made.treasuryAddress);
  const answer = await call('POST', '/api/vm-transactions/sign', {
    token: wallet.token,
    body: { userAddress, signedBase64Tx: signed.toBase64() },
    status: 201,
  });
  assert.deepEqual(answer.data, { txId: created.txId, state: 'allInMempool' });
  assert.deepEqual(answer.metaData, {});
  return { txId: created.txId, paid: paid.map((output) => output.value) };
}
const first = await bid(3, 2_000);
const second = await bid(2, 3_000);
assert.deepEqual([first.paid, second.paid], [[6_000], [12_000]]);

// The bot's query.
const query = (state) =>
  call('GET', `/api/vm-transactions?page=1&pageSize=100&sort=-timestamp&state_eq=${state}&runeId_eq=${runeId}`);
const { data: waiting, metaData } = await query('allInMempool');
assert.deepEqual(metaData, { totalItems: 1, currentPage: 1, pageSize: 100, totalPages: 1 });
const [row] = waiting;
assert.deepEqual([row.txId, row.replaceTxId], [second.txId, first.txId]);
assert.deepEqual([row.requestsInMempoolCount, row.requestsInBlocksCount], [5, 0]);
const count = await call('GET', `/api/vm-transactions/count-unconfirmed-requests?runeId=${runeId}`);
assert.deepEqual(count.data, { count: 5, byRune: [{ runeId, count: 5 }] });

// Four are taken, the best ones first; seven blocks later that is final, and seven later so are the
// transactions that follow from it.
for (let block = 0; block < 18; block += 1) {
  await lever('mine', { blocks: 1 });
  await watch();
}
const { data: distributed } = await query('distributed');
assert.equal(distributed.length, 1);
assert.deepEqual(await runesOf(wallet.trading), [[name, '1000']]);

// One at 2,000 sats was not.
const path = `/api/refund/calculate?type=virtual_mint&runeIds=${runeId}&userAddress=${userAddress}`;
const { data: calculated } = await call('GET', path);
assert.deepEqual(calculated.items, [{ runeId, txIds: [second.txId], sats: 2_000 }]);
const time = (await call('POST', '/_local/clock', { body: { advanceMs: 0 } })).now;
await wallet.signIn(time);
const { data: refund } = await call('POST', '/api/refund', {
  token: wallet.token,
  body: { type: 'virtual_mint', runeIds: [runeId], userAddress, refundableSats: calculated.refundableSats },
  status: 201,
});
const signed = wallet.sign(refund);
assert.equal(signed.txOutputs[0].address, wallet.trading);
assert.equal(signed.txOutputs[0].value, calculated.refundableSats);
const body = { userAddress, base64Psbt: signed.toBase64() };
const { data: sent } = await call('POST', '/api/refund/sign', { token: wallet.token, body, status: 201 });
assert.deepEqual(sent, { txId: refund.txId, state: 'inMempool' });
await lever('mine', { blocks: 1 });
await watch();
await lever('mine', { blocks: 6 });
await watch();
const { data: [last] } = await query('distributed');
assert.deepEqual([last.refundState, last.refundTxId, last.isRefundable], ['refunded', refund.txId, false]);
console.log(`${wallet.trading} got 1000 of ${name}, and ${calculated.refundableSats} sats back in ${refund.txId}`);
