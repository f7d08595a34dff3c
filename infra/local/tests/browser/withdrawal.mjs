// Withdrawals of a rune, as a frontend does them with bitcoinjs-lib and bip322-js against a real
// node and a real ord: nothing else that the trading address holds may move.

import assert from 'node:assert/strict';

import {
  bitcoin, call, ECPair, exported, lever, network, ord, runeName, runesOf, submit, Wallet, watch, without,
} from './service.mjs';

// A wallet signs in, and has a trading address.
const wallet = new Wallet();
await wallet.signIn();
const { token, trading, pubkey } = wallet;
assert.match(trading, /^bcrt1q[0-9a-z]{58}$/);

// The recovery document names the script, which anyone can verify.
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
const name = runeName();
const { runeId } = await lever('etch', { name, supply: '1000000', divisibility: 2, to: trading });
await lever('fund', { address: trading, sats: 200_000 });
const inscribed = await lever('inscribe', { to: trading, contentType: 'text/plain', body: 'a keepsake' });
await lever('mine', { blocks: 1 });

// Part of the rune is withdrawn to an external address.
const recipient = bitcoin.payments.p2tr({
  internalPubkey: Buffer.from(ECPair.makeRandom({ network }).publicKey).subarray(1),
  network,
}).address;
const create = (status) => call('POST', '/api/xchain/transaction', {
  token,
  status,
  body: {
    type: 'xchain-withdraw',
    params: { amount: '400000', tokenId: runeId, withdrawTo: recipient, xchainData: '0xdeadbeef' },
  },
});
await without('esplora', () => create(502));
const { data: created, metaData } = await create(201);
assert.deepEqual(metaData.warnings, []);

// The wallet signs the transaction it has checked.
const psbt = wallet.sign(created);
const spent = psbt.txInputs.map(({ hash, index }) => `${Buffer.from(hash).reverse().toString('hex')}:${index}`);
assert.ok(!spent.includes(inscribed.outpoint));
const paid = (to) => psbt.txOutputs.filter((output) => output.address === to);
assert.equal(paid(recipient).length, 1);
const inputs = psbt.data.inputs.reduce((sum, input) => sum + input.witnessUtxo.value, 0);
const outputs = psbt.txOutputs.reduce((sum, output) => sum + output.value, 0);
assert.equal(inputs - outputs, created.fee.totalFee);
assert.deepEqual(created.userInputIndexes, psbt.data.inputs.map((_input, index) => index));

const body = { type: 'xchain-withdraw', params: { signedBase64Tx: psbt.toBase64() } };
const { data: signed } = await submit('/api/xchain/transaction/sign', token, body, 'inMempool');
assert.deepEqual(signed, { txId: created.txId, state: 'inMempool' });

// Signing again gets the same answer; once the transaction is in a block, the service's worker sees it.
const { data: again } = await call('POST', '/api/xchain/transaction/sign', { token, body, status: 201 });
assert.deepEqual(again, signed);
await lever('mine', { blocks: 1 });
await watch();
const { data: confirmed } = await call('POST', '/api/xchain/transaction/sign', { token, body, status: 201 });
assert.deepEqual(confirmed, { txId: created.txId, state: 'confirmed' });

// And once more.
const { data: another } = await create(201);
const more = { type: 'xchain-withdraw', params: { signedBase64Tx: wallet.sign(another).toBase64() } };
await submit('/api/xchain/transaction/sign', token, more, 'inMempool');
await lever('mine', { blocks: 1 });

// To the last unit.
assert.deepEqual(await runesOf(recipient), [[name, '8000']]);
assert.deepEqual(await runesOf(trading), [[name, '2000']]);
const keepsake = await ord(`/inscription/${inscribed.inscriptionId}`);
assert.equal(keepsake.address, trading);
assert.equal(keepsake.satpoint.split(':').slice(0, 2).join(':'), inscribed.outpoint);
const history = (await exported(token, 'withdraw', 2)).join();
assert(history.includes(created.txId) && history.includes(another.txId), history);
console.log(`${trading} paid 4000.00 of ${name} to ${recipient} in ${created.txId}, and in ${another.txId}`);
