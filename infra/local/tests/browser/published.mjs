// The eleven calls of a published client of this kind of service, with its paths, field names and headers; only host and
// brand differ. It sends no idempotency keys, and fields that the service does not need.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 node infra/local/tests/browser/published.mjs
//
// Exits with 0 if every answer is as the client reads it.

import assert from 'node:assert/strict';

import { base, bitcoin, call, ECPair, lever, network, Signer, watch, Wallet } from './service.mjs';

const apiUrl = `${base}/api`;

/** A call as the client makes it: the envelope of the answer, which must be a success. */
async function request(path, { method = 'GET', accessToken, body } = {}) {
  const response = await fetch(apiUrl + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(accessToken && { Authorization: `Bearer ${accessToken}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  assert.ok(response.ok && answer.data, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
const post = (path, body, accessToken) => request(path, { method: 'POST', body, accessToken });

const wallet = new Wallet();
const userAddress = wallet.address;

/** A PSBT as the wallet signs it: all inputs, not finalised. */
function signed({ base64Psbt, fee, txId }) {
  assert.match(txId, /^[0-9a-f]{64}$/);
  assert.deepEqual([typeof fee.feeRate, typeof fee.totalFee], ['number', 'number']);
  return bitcoin.Psbt.fromBase64(base64Psbt, { network }).signAllInputs(wallet.pair).toBase64();
}

// The service's time.
const { now } = await call('POST', '/_local/clock', { body: { advanceMs: 0 } });

// 1: sign in. 2: refresh.
const message = `Sign in to Runeport: ${now}`;
const { data: session } = await post('/auth/authenticate', {
  message, signature: Signer.sign(wallet.pair.toWIF(), userAddress, message).toString(), address: userAddress,
  publicKey: wallet.pubkey.toString('hex'),
});
const tradingAddress = session.tradingAddress ?? session.wallet?.tradingAddress;
assert.match(tradingAddress, /^bcrt1q[0-9a-z]{58}$/);
const { data: { accessToken, refreshToken } } = await post('/auth/refresh-token', { refreshToken: session.refreshToken });
assert.notEqual(refreshToken, session.refreshToken);

// 3: the wallet.
const { data: details } = await request(`/wallets/details/${userAddress}`, { accessToken });
assert.deepEqual(details, { tradingAddress, userAddress, userPublicKey: wallet.pubkey.toString('hex') });

// 4: the balance. 5: the coins to renew. Both without a token.
const balance = async () => {
  const { data } = await request(`/wallets/balance?address=${tradingAddress}`);
  return [BigInt(data.btcSatoshi), BigInt(data.pendingSatoshi), BigInt(data.externalPendingSatoshi), data.totalUtxos];
};
const utxos = async (isExpired) =>
  (await request(`/utxos?address_eq=${tradingAddress}&isSpent_eq=false&isExpired_eq=${isExpired}&page=1&pageSize=100`)).data;
assert.deepEqual(await balance(), [0n, 0n, 0n, 0]);
await lever('fund', { address: tradingAddress, sats: 200_000 });
assert.deepEqual(await balance(), [0n, 0n, 200_000n, 0]);
await lever('fund', { address: tradingAddress, sats: 100_000 });
await lever('mine', { blocks: 1 });
assert.deepEqual(await balance(), [300_000n, 0n, 0n, 2]);
assert.deepEqual(await utxos(true), []);
const [coin] = await utxos(false);
assert.deepEqual(
  [coin._id, coin.txid, coin.vout, coin.satoshi, coin.amount, coin.address, coin.isSpent, coin.status, coin.runes],
  [coin.txidVout, ...coin.txidVout.split(':').map((part, index) => (index ? Number(part) : part)), 200_000, '0.002', tradingAddress, false, 'confirmed', []],
);

// 6: the largest amount. 7: a plain withdrawal. 8: its signature.
const withdrawal = { userAddress, amount: '50000', tokenId: '0:0', withdrawTo: userAddress };
const { data: largest } = await post('/transactions/max-spent', { type: 'withdraw', params: withdrawal }, accessToken);
assert.equal(largest.maxSatsAmt + largest.fee, 300_000);
assert.ok(largest.feeRate > 0);
const submitted = async (path, type, created) => {
  const params = { userAddress, signedBase64Tx: signed(created) };
  const { data } = await post(path, { type, params }, accessToken);
  assert.equal(data.txId, created.txId);
  await lever('mine', { blocks: 1 });
  await watch();
};
const { data: plain } = await post('/transactions', { type: 'withdraw', params: withdrawal }, accessToken);
await submitted('/transactions/sign', 'withdraw', plain);
assert.equal((await balance())[0], 250_000n - BigInt(plain.fee.totalFee));

// 9: a renewal of coins that the list has named.
const txIdVouts = (await utxos(false)).map(({ txidVout }) => txidVout);
const { data: renewal } = await post('/transactions', { type: 'renew-utxo', params: { userAddress, txIdVouts } }, accessToken);
await submitted('/transactions/sign', 'renew-utxo', renewal);
const left = 250_000n - BigInt(plain.fee.totalFee + renewal.fee.totalFee);
assert.deepEqual(await balance(), [left, 0n, 0n, 1]);

// 10: a withdrawal through the hub. 11: its signature.
const recipient = bitcoin.payments.p2wpkh({ pubkey: Buffer.from(ECPair.makeRandom({ network }).publicKey), network }).address;
const params = { amount: '30000', tokenId: '0:0', withdrawTo: recipient, xchainData: '0xdeadbeef' };
const { data: swap } = await post('/xchain/transaction', { type: 'xchain-withdraw', params }, accessToken);
await submitted('/xchain/transaction/sign', 'xchain-withdraw', swap);
assert.deepEqual(await balance(), [left - 30_000n - BigInt(swap.fee.totalFee), 0n, 0n, 1]);

// What a frontend without these calls sees of it.
const { data: own } = await call('GET', '/api/transactions', { token: accessToken });
assert.deepEqual(own.map(({ type, state }) => [type, state]), [
  ['xchain-withdraw', 'confirmed'], ['renew-utxo', 'confirmed'], ['withdraw', 'confirmed'],
]);
