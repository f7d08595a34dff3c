// A virtual mint, as a frontend and a bot see it with bitcoinjs-lib: a batch is created and replaced, its
// runes arrive, and the remaining money is refunded. If a mint is closed, all of the money is refunded.

import assert from 'node:assert/strict';

import {
  bitcoin, call, ECPair, exported, lever, network, runeName, runesOf, Socket, submit, Wallet, watch, without,
} from './service.mjs';

// An admin creates a mint of four requests. The pool must hold its runes; the refusal names what is missing.
const admin = new Wallet();
await admin.signIn();
await call('POST', '/_local/role', { body: { address: admin.address, role: 'admin' } });
const nobody = bitcoin.payments.p2tr({
  internalPubkey: Buffer.from(ECPair.makeRandom({ network }).publicKey).subarray(1),
  network,
}).address;
const { runeId: other } = await lever('etch', { name: runeName(), supply: '1000', divisibility: 0 });
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
await lever('fund', { address: pool, sats: 50_000, runeId: other, amount: '1000' });
for (let coin = 0; coin < 3; coin += 1) await lever('fund', { address: pool, sats: 50_000 });
await lever('mine', { blocks: 6 });
const { data: made } = await mint(runeId, 201);
assert.equal(made.poolAddress, pool);
const { data: second } = await mint(other, 201);
const { data: mints } = await call('GET', '/api/vm-transactions/mints');
assert.deepEqual(mints.slice(0, 2).map(({ id }) => id), [second.id, made.id]);

// Anyone may receive the events of a mint.
const live = await Socket.open();
live.send({ subscribe: [`mint:${made.id}`], after: 0 });
await live.find('the mint', ({ lists }) => lists?.[0]?.newest >= 1);

// Three requests at 2,000 sats and, before they are in a block, two more at 3,000.
const wallet = new Wallet();
await wallet.signIn(now);
async function fund() {
  for (let coin = 0; coin < 2; coin += 1) await lever('fund', { address: wallet.trading, sats: 100_000 });
  await lever('mine', { blocks: 1 });
}
await fund();
const userAddress = wallet.address;
async function ask(requestCount, price, { rune = runeId, status = 201 } = {}) {
  const body = { userAddress, runeId: rune, requestCount, satsNewRequests: requestCount * price };
  return (await call('POST', '/api/vm-transactions', { token: wallet.token, body, status })).data;
}
async function bid(...wanted) {
  const created = await ask(...wanted);
  const signed = wallet.sign(created);
  const paid = signed.txOutputs.filter((output) => output.address === made.treasuryAddress);
  const body = { userAddress, signedBase64Tx: signed.toBase64() };
  const answer = await submit('/api/vm-transactions/sign', wallet.token, body, 'allInMempool');
  assert.equal(answer.data.txId, created.txId);
  assert.deepEqual(answer.metaData, { totalItems: 1, currentPage: 1, pageSize: 1, totalPages: 1 });
  return { txId: created.txId, paid: paid.map((output) => output.value) };
}
const inVain = await bid(1, 5_000, { rune: other });
await fund();
await without('esplora', () => ask(3, 2_000, { status: 502 }));
const first = await bid(3, 2_000);
const better = await bid(2, 3_000);
assert.deepEqual([first.paid, better.paid], [[6_000], [12_000]]);

// The bot's query.
const query = (state) =>
  call('GET', `/api/vm-transactions?page=1&pageSize=100&sort=-timestamp&state_eq=${state}&runeId_eq=${runeId}`);
const { data: waiting, metaData } = await query('allInMempool');
assert.deepEqual(metaData, { totalItems: 1, currentPage: 1, pageSize: 100, totalPages: 1 });
const [row] = waiting;
assert.deepEqual([row.txId, row.replaceTxId], [better.txId, first.txId]);
assert.deepEqual([row.requestsInMempoolCount, row.requestsInBlocksCount], [5, 0]);
const byPrice = `/api/vm-transactions?sort=-satsPerNewRequest&state_eq=allInMempool&runeId_eq=${runeId}`;
assert.deepEqual((await call('GET', byPrice)).data.map(({ txId }) => txId), [better.txId]);
const count = await call('GET', `/api/vm-transactions/count-unconfirmed-requests?runeId=${runeId}`);
assert.deepEqual(count.data, { count: 5, byRune: [{ runeId, count: 5 }] });
const own = await call('GET', `/api/vm-transactions/count-unconfirmed-requests?userAddress=${userAddress}`);
assert(own.data.byRune.some((each) => each.runeId === runeId && each.count === 5));
for (const filter of [`userAddress_eq=${userAddress}`, `tradingAddress_eq=${wallet.trading}`, `runeId_eq=${runeId}`, '']) {
  const { data } = await call('GET', `/api/vm-transactions?${filter}`);
  assert(data.some(({ txId }) => txId === better.txId), filter);
}

// The other mint ends before all of its requests are taken.
const close = `/api/vm-transactions/mints/${second.id}/close`;
assert.equal((await call('POST', close, { token: admin.token, body: {} })).data.id, second.id);

// Four are taken, the best ones first; seven blocks later that is final, and seven later so are the
// transactions that follow from it.
for (let block = 0; block < 18; block += 1) {
  await lever('mine', { blocks: 1 });
  await watch();
}
const { data: distributed } = await query('distributed');
assert.equal(distributed.length, 1);
const filled = ({ lists }) => lists?.[0]?.events?.some(({ type }) => type === 'vmBlock.filled');
await live.find('a virtual block', filled);
live.close();
assert.deepEqual(await runesOf(wallet.trading), [[name, '1000']]);

// One at 2,000 sats was not taken; and the other mint has failed.
const time = (await call('POST', '/_local/clock', { body: { advanceMs: 0 } })).now;
await wallet.signIn(time);
async function refund(rune, bid, sats) {
  const path = `/api/refund/calculate?type=virtual_mint&runeIds=${rune}&userAddress=${userAddress}`;
  const { data: calculated } = await call('GET', path);
  assert.deepEqual(calculated.items, [{ runeId: rune, txIds: [bid.txId], sats }]);
  const { refundableSats } = calculated;
  const wanted = { type: 'virtual_mint', runeIds: [rune], userAddress, refundableSats };
  const create = (status) => call('POST', '/api/refund', { token: wallet.token, body: wanted, status });
  await without('esplora', () => create(502));
  const { data: created } = await create(201);
  const signed = wallet.sign(created);
  assert.equal(signed.txOutputs[0].address, wallet.trading);
  assert.equal(signed.txOutputs[0].value, refundableSats);
  const body = { userAddress, base64Psbt: signed.toBase64() };
  const { data: sent } = await submit('/api/refund/sign', wallet.token, body, 'inMempool');
  assert.equal(sent.txId, created.txId);
  return { txId: sent.txId, refundableSats };
}
const back = await refund(runeId, better, 2_000);
const all = await refund(other, inVain, 5_000);
await lever('mine', { blocks: 1 });
await watch();
await lever('mine', { blocks: 6 });
await watch();
const { data: [last] } = await query('distributed');
assert.deepEqual([last.refundState, last.refundTxId, last.isRefundable], ['refunded', back.txId, false]);
await exported(wallet.token, 'virtual_mint', 3);
await exported(wallet.token, 'refund', 2);

// An admin who is asked where the money is finds it by the address, and by what the wallet signed.
await admin.signIn((await call('POST', '/_local/clock', { body: { advanceMs: 0 } })).now);
const support = async (path) => (await call('GET', `/api/support${path}`, { token: admin.token })).data;
const [{ accountId }] = await support(`/search?q=${wallet.trading}`);
const listed = async (list) => (await support(`/accounts/${accountId}/${list}?populate=token`)).map(({ txId }) => txId);
assert.ok((await listed('batches')).includes(better.txId));
assert.deepEqual(await listed('refunds'), [all.txId, back.txId]);
assert.ok((await listed('transactions')).includes(back.txId));
assert.ok((await listed('deposits')).length > 0);
assert.equal((await support(`/transactions/${back.txId}`)).state, 'confirmed');
assert.equal((await support(`/search?q=${last.vmDistributionId}`))[0].state, 'final');
assert.deepEqual(await support('/payouts'), []);
console.log(`${wallet.trading} got 1000 of ${name}, and ${back.refundableSats} sats back in ${back.txId}`);
console.log(`of a mint that was closed it got ${all.refundableSats} sats back in ${all.txId}`);
