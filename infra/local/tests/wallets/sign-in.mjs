// A frontend's first visit, held by a JavaScript wallet library (bip322-js, bitcoinjs-lib):
//
//   make dev         in one shell
//   make sign-in     in another; both with PORT=9100 for another port
//
// Signs in with BIP-322, reads the account, refreshes, replays the spent refresh token, and
// registers and lists prizes as an admin. Exits with 0 if every answer is as it should be.

import assert from 'node:assert/strict';
import { bitcoin, call, ECPair, network, Signer, without } from '../browser/service.mjs';

/** A fresh wallet of an address type, and how it is named on the way. */
function wallet(type) {
  const pair = ECPair.makeRandom({ network });
  const pubkey = Buffer.from(pair.publicKey);
  const payments = {
    p2wpkh: () => bitcoin.payments.p2wpkh({ pubkey, network }),
    p2tr: () => bitcoin.payments.p2tr({ internalPubkey: pubkey.subarray(1), network }),
    p2pkh: () => bitcoin.payments.p2pkh({ pubkey, network }),
  };
  return { wif: pair.toWIF(), address: payments[type]().address, publicKey: pubkey.toString('hex') };
}

async function signIn({ wif, address, publicKey }) {
  const message = `Sign in to Runeport: ${now()}`;
  const signature = Signer.sign(wif, address, message).toString();
  const { data } = await call('POST', '/auth/authenticate', { body: { message, signature, address, publicKey } });
  return data;
}

let lastSigned = 0;
/** The time; never the same twice, since a message signs in once. */
function now() {
  lastSigned = Math.max(lastSigned + 1, Date.now());
  return lastSigned;
}

// Every address type signs in and reads its account.
for (const type of ['p2wpkh', 'p2tr', 'p2pkh']) {
  const me = wallet(type);
  const { accessToken, account } = await signIn(me);
  const { data } = await call('GET', '/api/account/me', { token: accessToken });
  assert.equal(data.id, account.id);
  assert.equal(data.wallet.address, me.address);
  console.log(`${type.padEnd(6)} ${me.address} is account ${data.id}`);
}

// A challenge, signed.
const admin = wallet('p2wpkh');
const { data: challenge } = await call('GET', `/auth/wallet/challenge?address=${admin.address}`);
const { data: first } = await call('POST', '/auth/authenticate', {
  body: {
    challengeId: challenge.challengeId,
    signature: Signer.sign(admin.wif, admin.address, challenge.message).toString(),
    address: admin.address,
    publicKey: admin.publicKey,
    chain: 'bitcoin',
    provider: 'bip322-js',
  },
});

// A refresh, the same again (two tabs, a lost answer), and a replay after the successor was used, which ends the session.
const { data: second } = await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken } });
await call('GET', '/auth/sessions', { token: second.accessToken });
const { data: again } = await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken } });
assert.equal(again.refreshToken, second.refreshToken);
await call('POST', '/auth/refresh-token', { body: { refreshToken: second.refreshToken } });
const replay = await call('POST', '/auth/refresh-token', { body: { refreshToken: first.refreshToken }, status: 400 });
assert.equal(replay.code, '4005');
await call('POST', '/auth/refresh-token', { body: { refreshToken: second.refreshToken }, status: 400 });
const ended = await call('GET', '/auth/sessions', { token: second.accessToken, status: 401 });
assert.equal(ended.code, '4010');
console.log('a replayed refresh token ends its family');

// The Bitcoin world comes a little later than the rest.
for (;;) {
  const { state, error } = await call('GET', '/_local/bitcoin');
  assert.notEqual(state, 'failed', error);
  if (state === 'ready') break;
  await new Promise((resolve) => setTimeout(resolve, 200));
}

// An admin registers prizes that the treasury holds.
const { accessToken: user } = await signIn(admin);
await call('POST', '/_local/role', { body: { address: admin.address, role: 'admin' } });
const { data: listed } = await call('GET', '/api/prizes?pageSize=100', { token: user });
const taken = new Set(listed.map(({ prizeNumber }) => prizeNumber));
const { world } = await call('GET', '/_local');
for (const free of [...Array(100).keys()].map((n) => n + 1).filter((n) => !taken.has(n)).slice(0, 2)) {
  const { inscriptionId, outpoint } = await call('POST', '/_local/bitcoin/inscribe', {
    body: { to: world.treasury, contentType: 'text/plain;charset=utf-8', body: `Prize ${free}` },
  });
  const prize = { prizeNumber: free, name: `Prize ${free}`, inscriptionId, controllingUtxo: outpoint };
  const register = (status) => call('POST', '/api/prizes', { token: user, body: prize, status });
  await without('ord', () => register(502));
  const { data: made } = await register(201);
  assert.equal(made.inscriptionId, prize.inscriptionId);
  console.log(`prize ${made.prizeNumber} is registered`);
}

// Page 2, sorted, with two fields.
const page = await call('GET', '/api/prizes?page=2&sort=-prizeNumber&select=name,prizeNumber', { token: user });
assert.equal(page.metaData.currentPage, 2);
assert.equal(page.metaData.totalItems, listed.length + 2);
const numbers = page.data.map((row) => row.prizeNumber);
assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
for (const row of page.data) assert.deepEqual(Object.keys(row).sort(), ['id', 'name', 'prizeNumber']);
console.log(`page 2 of the prizes: ${numbers.join(', ')}`);
