// A withdrawal of half a rune, as a frontend does it with bitcoinjs-lib and bip322-js against a real
// node and a real ord: nothing else that the trading address holds may move.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

// The packages of infra/tools/package.json, where `make` installs them.
const require = createRequire(new URL('../../../../.local/node/package.json', import.meta.url));
const { Signer } = require('bip322-js');
const bitcoin = require('bitcoinjs-lib');
const ecc = require('@bitcoinerlab/secp256k1');
const { ECPairFactory } = require('ecpair');
bitcoin.initEccLib(ecc);

const base = process.env.BASE ?? 'http://127.0.0.1:9000';
const network = bitcoin.networks.regtest;
const ECPair = ECPairFactory(ecc);

async function call(method, path, { token, body, status = 200 } = {}) {
  const headers = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert.equal(response.status, status, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const lever = (name, body) => call('POST', `/_local/bitcoin/${name}`, { body });
const ord = async (path) => {
  const { ord } = await call('GET', '/_local/bitcoin');
  const response = await fetch(ord + path, { headers: { accept: 'application/json' } });
  assert.equal(response.status, 200, path);
  return response.json();
};

// A wallet signs in, and has a trading address.
const pair = ECPair.makeRandom({ network });
const pubkey = Buffer.from(pair.publicKey);
const { address } = bitcoin.payments.p2wpkh({ pubkey, network });
const message = `Sign in to Runeport: ${Date.now()}`;
const { data: session } = await call('POST', '/auth/authenticate', {
  body: {
    message,
    signature: Signer.sign(pair.toWIF(), address, message).toString(),
    address,
    publicKey: pubkey.toString('hex'),
  },
});
const token = session.accessToken;
const trading = session.tradingAddress;
assert.match(trading, /^bcrt1q[0-9a-z]{58}$/);

// The recovery document says which script that is, and anybody can check it.
const { data: recovery } = await call('GET', '/api/account/trading-wallet', { token });
const [user, platform] = [recovery.publicKey, recovery.platformPublicKey].map((key) => Buffer.from(key, 'hex'));
assert.deepEqual(user, pubkey);
const { opcodes } = bitcoin;
const witnessScript = bitcoin.script.compile([
  user, opcodes.OP_CHECKSIGVERIFY, platform, opcodes.OP_CHECKSIG,
  opcodes.OP_IFDUP, opcodes.OP_NOTIF, bitcoin.script.number.encode(recovery.delayBlocks),
  opcodes.OP_CHECKSEQUENCEVERIFY, opcodes.OP_ENDIF,
]);
assert.equal(bitcoin.payments.p2wsh({ redeem: { output: witnessScript }, network }).address, trading);

// It gets BTC, a rune and an inscription.
const name = 'RUNEPORT' + [...Array(8)].map(() => String.fromCharCode(65 + Math.random() * 26)).join('');
const { runeId } = await lever('etch', { name, supply: '1000000', divisibility: 2, to: trading });
await lever('fund', { address: trading, sats: 200_000 });
const inscribed = await lever('inscribe', { to: trading, contentType: 'text/plain', body: 'a keepsake' });
await lever('mine', { blocks: 1 });

// Part of the rune is withdrawn to an address that is nobody's here.
const recipient = bitcoin.payments.p2tr({
  internalPubkey: Buffer.from(ECPair.makeRandom({ network }).publicKey).subarray(1),
  network,
}).address;
const { data: created, metaData } = await call('POST', '/api/xchain/transaction', {
  token,
  status: 201,
  body: {
    type: 'xchain-withdraw',
    params: { amount: '400000', tokenId: runeId, withdrawTo: recipient, xchainData: '0xdeadbeef' },
  },
});
assert.deepEqual(metaData.warnings, []);

// The wallet reads what it is to sign, and signs.
const psbt = bitcoin.Psbt.fromBase64(created.base64Psbt, { network });
const spent = psbt.txInputs.map(({ hash, index }) => `${Buffer.from(hash).reverse().toString('hex')}:${index}`);
assert.ok(!spent.includes(inscribed.outpoint));
const paid = (to) => psbt.txOutputs.filter((output) => output.address === to);
assert.equal(paid(recipient).length, 1);
const inputs = psbt.data.inputs.reduce((sum, input) => sum + input.witnessUtxo.value, 0);
const outputs = psbt.txOutputs.reduce((sum, output) => sum + output.value, 0);
assert.equal(inputs - outputs, created.fee.totalFee);
assert.deepEqual(created.userInputIndexes, psbt.data.inputs.map((_input, index) => index));
for (const index of created.userInputIndexes) psbt.signInput(index, pair);

const body = { type: 'xchain-withdraw', params: { signedBase64Tx: psbt.toBase64() } };
const { data: signed } = await call('POST', '/api/xchain/transaction/sign', { token, body, status: 201 });
assert.deepEqual(signed, { txId: created.txId, state: 'inMempool' });

// Signing again is answered alike; once a block has it, so does the service's worker see it.
const { data: again } = await call('POST', '/api/xchain/transaction/sign', { token, body, status: 201 });
assert.deepEqual(again, signed);
await lever('mine', { blocks: 1 });
await call('POST', '/_local/clock', { body: { advanceMs: 61_000 } });
await call('POST', '/_local/tick', { body: { worker: 'chain-watcher' } });
const { data: confirmed } = await call('POST', '/api/xchain/transaction/sign', { token, body, status: 201 });
assert.deepEqual(confirmed, { txId: created.txId, state: 'confirmed' });

// To the last unit.
const held = async (of) => (await ord(`/address/${of}`)).runes_balances.map(([rune, amount]) => [rune.replaceAll('•', ''), amount]);
assert.deepEqual(await held(recipient), [[name, '4000']]);
assert.deepEqual(await held(trading), [[name, '6000']]);
const keepsake = await ord(`/inscription/${inscribed.inscriptionId}`);
assert.equal(keepsake.address, trading);
assert.equal(keepsake.satpoint.split(':').slice(0, 2).join(':'), inscribed.outpoint);
console.log(`${trading} paid 4000.00 of ${name} to ${recipient} in ${created.txId}`);
