import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { base64, hex } from '@scure/base';
import { p2wsh, RawTx, Transaction, WIF } from '@scure/btc-signer';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js';

import {
  checkMintRequest, checkRefund, checkSigned, checkHubWithdrawal, describePsbt, networkOf, readRunestone, refund, requestMint,
  tradingAddressOf, withdrawThroughHub, withPreviousTransactions,
} from '@runeport/client/bitcoin';
import { bitcoinKeyWallet, injectedBitcoinWallet } from '@runeport/client/wallets/bitcoin';
import { DOWN, ok, played, problem, simulatedTime } from './service.mjs';
import {
  network, key, user, witnessScript, tradingScript, trading, wshOf, poison, hasty, foreign, elsewhere, signIn, treasury,
  recipient, stranger, opReturn, runestone, issued, altered, EDICT, refused,
} from './trading.mjs';

const xchainData = '0xdeadbeef';
const commitment = createHash('sha256').update(hex.decode('deadbeef')).digest();
const btc = { tokenId: '0:0', amount: '30000', withdrawTo: recipient.address, xchainData };
const rune = { tokenId: '840000:3', amount: '100', withdrawTo: recipient.address, xchainData };
const honest = {
  btc: () => issued([{ sats: 50_000 }, { sats: 10_000 }], [
    { sats: 30_000, to: recipient.address }, { script: opReturn(commitment) }, { sats: 29_000, to: trading },
  ]),
  rune: () => issued([{ sats: 50_000 }], [
    { script: runestone(22, 1, 0, ...EDICT, 100, 2) }, { sats: 546, to: trading }, { sats: 546, to: recipient.address },
    { sats: 48_000, to: trading },
  ]),
};

test('describePsbt returns inputs, outputs, runestone and fee', () => {
  const { inputs, outputs, runestone: stone, fee, txId } = describePsbt(honest.rune().base64Psbt, 'regtest');
  assert.deepEqual(inputs, [{
    txId: '07'.repeat(32), vout: 0, sats: 50_000, address: trading, script: hex.encode(tradingScript.script),
    witnessScript: hex.encode(witnessScript), isProven: false, sighashType: undefined, isSigned: false,
  }]);
  assert.deepEqual(outputs.map(({ sats, address }) => [sats, address]), [
    [0, undefined], [546, trading], [546, recipient.address], [48_000, trading],
  ]);
  assert.deepEqual(stone, { edicts: [{ runeId: '840000:3', amount: 100n, output: 2 }], pointer: 1 });
  assert.deepEqual([fee, txId], [908, honest.rune().txId]);
  assert.deepEqual(describePsbt(honest.btc().base64Psbt, 'regtest').outputs[1].data, Uint8Array.from(commitment));
  assert.match(describePsbt(honest.rune().base64Psbt, 'bitcoin').inputs[0].address, /^bc1q/);
  for (const text of ['', 'AAAA', 'not base64!', base64.encode(hex.decode('70736274ff'))]) {
    assert.throws(() => describePsbt(text, 'regtest'), refused(/PSBT/));
  }
});

test('an input without an amount is rejected', () => {
  const { base64Psbt } = altered(honest.btc(), ({ inputs: [, input] }) => { delete input.witnessUtxo; });
  assert.throws(() => describePsbt(base64Psbt, 'regtest'), refused(/amount of input 1/));
});

test('withdrawals that match the request are accepted', () => {
  checkHubWithdrawal(honest.btc(), btc, user);
  checkHubWithdrawal(honest.btc(), { ...btc, withdrawTo: recipient.address.toUpperCase() }, user);
  checkHubWithdrawal(honest.rune(), rune, user);
  // If no runes remain, the pointer refers to the BTC change.
  checkHubWithdrawal(issued([{ sats: 50_000 }], [
    { script: runestone(22, 2, 0, ...EDICT, 100, 1) }, { sats: 546, to: recipient.address }, { sats: 48_000, to: trading },
  ]), rune, user);
  // Some deployments add a second OP_RETURN with the data.
  checkHubWithdrawal(issued([{ sats: 50_000 }], [
    { script: runestone(22, 1, 0, ...EDICT, 100, 2) }, { sats: 546, to: trading }, { sats: 546, to: recipient.address },
    { script: opReturn(commitment) }, { sats: 48_000, to: trading },
  ]), rune, user);
});

const change = { sats: 29_000, to: trading };
const data = { script: opReturn(commitment) };
const wrongBtc = {
  'pays less': [[{ sats: 29_999, to: recipient.address }, data, change], /receives 29999 sats/],
  'pays more': [[{ sats: 30_001, to: recipient.address }, data, { ...change, sats: 28_999 }], /receives 30001 sats/],
  'pays twice': [[{ sats: 30_000, to: recipient.address }, { sats: 1_000, to: recipient.address }, data, change], /receives 31000 sats/],
  'pays another address': [[{ sats: 30_000, to: stranger }, data, change], /receives nothing/],
  'also pays another address': [
    [{ sats: 30_000, to: recipient.address }, data, { ...change, sats: 28_000 }, { sats: 1_000, to: stranger }], /not requested/],
  'gives the change away': [[{ sats: 30_000, to: recipient.address }, data, { sats: 29_000, to: stranger }], /not requested/],
  'commits to other data': [
    [{ sats: 30_000, to: recipient.address }, { script: opReturn(commitment.map((byte) => byte ^ 1)) }, change], /unexpected data/],
  'commits to no data': [[{ sats: 30_000, to: recipient.address }, change], /swap data is missing/],
  'burns sats': [[{ sats: 30_000, to: recipient.address }, { ...data, sats: 1_000 }, change], /burns 1000 sats/],
  'pays a script without an address': [
    [{ sats: 30_000, to: recipient.address }, data, { script: Uint8Array.of(0x51), sats: 1_000 }, change], /without an address/],
  'moves runes away': [
    [{ script: runestone(22, 3, 0, ...EDICT, 1, 1) }, { sats: 30_000, to: recipient.address }, data, change], /moves 1 of 840000:3 to output 1/],
  'leaves runes to the recipient': [
    [{ script: runestone(22, 1) }, { sats: 30_000, to: recipient.address }, data, change], /remaining runes go to output 1/],
};
for (const [name, [outputs, why]] of Object.entries(wrongBtc)) {
  test(`a withdrawal of BTC that ${name} is rejected`, () => {
    assert.throws(() => checkHubWithdrawal(issued([{ sats: 50_000 }, { sats: 10_000 }], outputs), btc, user), refused(why));
  });
}

const runeOutputs = (...numbers) => [
  { script: runestone(...numbers) }, { sats: 546, to: trading }, { sats: 546, to: recipient.address }, { sats: 48_000, to: trading },
];
const wrongRunes = {
  'moves less': [runeOutputs(22, 1, 0, ...EDICT, 99, 2), /is 1 too low/],
  'moves more': [runeOutputs(22, 1, 0, ...EDICT, 101, 2), /is 1 too high/],
  'moves the whole remainder': [runeOutputs(22, 1, 0, ...EDICT, 0, 2), /0 of 840000:3/],
  'moves another rune': [runeOutputs(22, 1, 0, 0xc0, 0xa2, 0x33, 4, 100, 2), /100 of 840000:4/],
  'also moves another rune': [runeOutputs(22, 1, 0, ...EDICT, 100, 2, 0, 1, 5, 2), /5 of 840000:4/],
  'moves it to every output': [runeOutputs(22, 1, 0, ...EDICT, 100, 4), /to output 4/],
  'moves nothing': [[{ sats: 546, to: recipient.address }, { sats: 48_000, to: trading }], /moves no runes/],
  'points to the recipient': [runeOutputs(22, 2, 0, ...EDICT, 100, 2), /remaining runes go to output 2/],
  'burns the remaining runes': [runeOutputs(22, 0, 0, ...EDICT, 100, 2), /remaining runes are burned/],
  'leaves the remaining runes to the recipient': [[
    { script: runestone(0, ...EDICT, 100, 1) }, { sats: 546, to: recipient.address }, { sats: 48_000, to: trading },
  ], /remaining runes go to output 1/],
  'mints': [runeOutputs(20, 1, 20, 1, 22, 1, 0, ...EDICT, 100, 2), /has the field 20/],
  'points beyond the outputs': [runeOutputs(22, 4, 0, ...EDICT, 100, 2), /points beyond/],
  'pays too many sats': [[
    { script: runestone(22, 1, 0, ...EDICT, 100, 2) }, { sats: 546, to: trading }, { sats: 10_001, to: recipient.address }, change,
  ], /receives 10001 sats/],
};
for (const [name, [outputs, why]] of Object.entries(wrongRunes)) {
  test(`a withdrawal of a rune that ${name} is rejected`, () => {
    assert.throws(() => checkHubWithdrawal(issued([{ sats: 50_000 }], outputs), rune, user), refused(why));
  });
}

test('the announced fee, id and inputs must match the transaction', () => {
  const told = honest.btc();
  for (const [wrong, why] of [
    [{ fee: { ...told.fee, totalFee: 999 } }, /The fee is 1000 sats, not 999/],
    [{ txId: '00'.repeat(32) }, /The transaction is/],
    [{ userInputIndexes: [0] }, /coins that the wallet does not sign/],
    [{ userInputIndexes: [0, 2] }, /no input 2/],
    [{ userInputIndexes: [1, 1] }, /inputs to sign is invalid: 1,1/],
    [{ userInputIndexes: [0, 1, 1] }, /inputs to sign is invalid: 0,1,1/],
    [{ userInputIndexes: [0, 0.5] }, /inputs to sign is invalid/],
    [{ userInputIndexes: [0, '1'] }, /inputs to sign is invalid/],
    [{ userInputIndexes: [0, -1] }, /no input -1/],
  ]) assert.throws(() => checkHubWithdrawal({ ...told, ...wrong }, btc, user), refused(why));
  assert.throws(() => checkHubWithdrawal(told, btc, user, { mostFee: 999 }), refused(/fee of 1000 sats is above the limit of 999/));
  const wasteful = issued([{ sats: 200_000 }], [{ sats: 30_000, to: recipient.address }, data, { sats: 60_000, to: trading }]);
  assert.throws(() => checkHubWithdrawal(wasteful, btc, user), refused(/fee of 110000 sats/));
  const partial = issued([{ sats: 60_000 }], [{ sats: 30_000, to: recipient.address }, data, change], { sighashType: 0x83 });
  assert.throws(() => checkHubWithdrawal(partial, btc, user), refused(/sighash type 131/));
});

test('a batch pays for itself and for the batch that it replaces', () => {
  const request = { userAddress: user.address, runeId: '840000:3', requestCount: 2, satsNewRequests: 6_000 };
  const batch = issued([{ sats: 50_000 }], [{ sats: 12_000, to: treasury.address }, { sats: 37_000, to: trading }]);
  const terms = { treasuryAddress: treasury.address, satsPreviousRequests: 6_000 };
  const most = { mostPreviousSats: 6_000 };
  checkMintRequest(batch, request, terms, user, most);
  // The app, not the service, limits the price of replaced batches.
  assert.throws(() => checkMintRequest(batch, request, terms, user), refused(/6000 sats for replaced batches; the limit is 0/));
  assert.throws(() => checkMintRequest(batch, request, terms, user, { mostPreviousSats: 5_999 }), refused(/the limit is 5999/));
  for (const satsPreviousRequests of [-6_000, 0.5, Number.NaN]) {
    assert.throws(() => checkMintRequest(batch, request, { ...terms, satsPreviousRequests }, user, most), refused(/sats for replaced batches/));
  }
  assert.throws(() => checkMintRequest(batch, request, { ...terms, satsPreviousRequests: 0 }, user, most), refused(/receives 12000/));
  assert.throws(() => checkMintRequest(batch, request, { ...terms, treasuryAddress: stranger }, user, most), refused(/receives nothing/));
});

test('a refund pays its full amount in addition to the user’s own coins', () => {
  const request = { userAddress: user.address, runeIds: ['840000:3'], refundableSats: 691 };
  const coins = [{ sats: 2_000, of: treasury }, { sats: 100_000 }];
  const back = issued(coins, [{ sats: 691, to: trading }, { sats: 100_000, to: trading }], { users: [1] });
  checkRefund(back, request, trading, user);
  checkRefund(issued([coins[0]], [{ sats: 691, to: trading }], { users: [] }), request, trading, user);
  for (const [outputs, why] of [
    [[{ sats: 690, to: trading }, { sats: 100_000, to: trading }], /gains 690 sats, not 691/],
    [[{ sats: 691, to: trading }, { sats: 99_000, to: trading }, { sats: 1_000, to: stranger }], /not requested/],
  ]) assert.throws(() => checkRefund(issued(coins, outputs, { users: [1] }), request, trading, user), refused(why));
  assert.throws(() => checkRefund(back, request, stranger, user), refused(/Input 1 is at/));
});

test('the wallet signs only coins of the trading wallet, and the rest returns there', () => {
  const { script } = poison;
  const outputs = [{ sats: 30_000, to: recipient.address }, data];
  // A script that merely contains the user's key does not belong to the user: its change would be lost.
  const theft = issued([{ sats: 100_000_000 }, { sats: 546, of: poison }], [...outputs, { script, sats: 99_969_546 }]);
  assert.throws(() => checkHubWithdrawal(theft, btc, user), refused(/Input 1 is not a coin of the trading wallet/));
  const outputsOf = ({ address }) => [...outputs, { sats: 29_000, to: address }];
  for (const of of [poison, hasty, foreign, signIn, { script: tradingScript.script }]) {
    const coins = [{ sats: 50_000 }, { sats: 10_000, of }];
    assert.throws(() => checkHubWithdrawal(issued(coins, outputsOf({ address: trading })), btc, user), refused(/Input 1 is not a coin of the trading wallet/));
  }
  for (const change of [
    ({ inputs: [, input] }) => { input.witnessScript = poison.witnessScript; },
    ({ inputs: [, input] }) => { input.witnessUtxo = { ...input.witnessUtxo, script: poison.script }; },
  ]) assert.throws(() => checkHubWithdrawal(altered(honest.btc(), change), btc, user), refused(/Input 1 is not a coin of the trading wallet/));
  // Coins with another platform key: accepted alone, but not together with other coins or if the address is known.
  const moved = issued([{ sats: 60_000, of: elsewhere }], outputsOf(elsewhere));
  checkHubWithdrawal(moved, btc, user);
  checkHubWithdrawal(moved, btc, user, { tradingAddress: elsewhere.address.toUpperCase() });
  assert.throws(() => checkHubWithdrawal(moved, btc, user, { tradingAddress: trading }), refused(/Input 0 is at/));
  const both = issued([{ sats: 50_000 }, { sats: 10_000, of: elsewhere }], outputsOf(elsewhere));
  assert.throws(() => checkHubWithdrawal(both, btc, user), refused(/Input 1 is at/));
  const stranger = bitcoinKeyWallet({ privateKey: key(5), network: 'regtest' });
  assert.throws(() => checkHubWithdrawal(honest.btc(), btc, stranger), refused(/Input 0 is not a coin/));
  for (const publicKey of ['', user.publicKey.slice(4), `04${user.publicKey.slice(2)}`]) {
    assert.throws(() => checkHubWithdrawal(honest.btc(), btc, { publicKey }), refused(/must be hex of 33 or 32 bytes/));
  }
  checkHubWithdrawal(honest.btc(), btc, { publicKey: user.publicKey.toUpperCase() });
});

test('a refund spends no coins of the sign-in address', () => {
  const request = { userAddress: user.address, runeIds: ['840000:3'], refundableSats: 691 };
  const coins = [{ sats: 2_000, of: treasury }, { sats: 100_000_000, of: signIn }, { sats: 546, of: poison }];
  const theft = issued(coins, [{ sats: 691, to: trading }, { script: poison.script, sats: 100_000_546 }], { users: [1, 2] });
  assert.throws(() => checkRefund(theft, request, trading, user), refused(/Input 1 is not a coin of the trading wallet/));
});

// The test vector of `shared/src/models/trading_wallet.rs`: the public keys of the private keys 1 and 2.
test('tradingAddressOf computes the same address as the service', () => {
  const keys = [
    '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
  ];
  const script = hex.decode(`21${keys[0]}ad21${keys[1]}ac736402a032b268`);
  assert.equal(tradingAddressOf(...keys, 'regtest'), p2wsh({ type: 'unknown', script }, network).address);
  assert.equal(tradingAddressOf(user.publicKey, hex.encode(pubECDSA(key(2))), 'regtest'), trading);
});

test('if a coin is proven, its stated amount and script must match the proof', () => {
  const before = {
    version: 2, segwitFlag: false, lockTime: 0, witnesses: [],
    inputs: [{ txid: new Uint8Array(32).fill(9), index: 0, finalScriptSig: Uint8Array.of(), sequence: 0 }],
    outputs: [{ amount: 60_000n, script: tradingScript.script }],
  };
  const txid = Transaction.fromRaw(RawTx.encode(before), { allowUnknownOutputs: true }).id;
  const proven = (change) => {
    const transaction = new Transaction({ allowUnknownInputs: true, allowUnknownOutputs: true });
    transaction.addInput({ txid, index: 0, witnessUtxo: { amount: 60_000n, script: tradingScript.script }, witnessScript });
    transaction.addOutputAddress(trading, 59_000n, network);
    const psbt = RawPSBTV0.decode(transaction.toPSBT());
    psbt.inputs[0].nonWitnessUtxo = before;
    change?.(psbt.inputs[0]);
    return base64.encode(RawPSBTV0.encode(psbt));
  };
  assert.equal(describePsbt(proven(), 'regtest').inputs[0].isProven, true);
  for (const change of [
    (input) => { input.witnessUtxo = { ...input.witnessUtxo, amount: 59_999n }; },
    (input) => { input.witnessUtxo = { ...input.witnessUtxo, script: poison.script }; },
    (input) => { input.nonWitnessUtxo = { ...before, lockTime: 1 }; },
    (input) => { input.nonWitnessUtxo = { ...before, outputs: [] }; },
  ]) assert.throws(() => describePsbt(proven(change), 'regtest'), refused(/Input 0 differs from the output/));
});

test('previous transactions are added for wallets that need them, and none but those', async () => {
  const before = (lockTime) => RawTx.encode({
    version: 2, segwitFlag: false, lockTime, witnesses: [],
    inputs: [{ txid: new Uint8Array(32).fill(9), index: 0, finalScriptSig: Uint8Array.of(), sequence: 0 }],
    outputs: [{ amount: 60_000n, script: tradingScript.script }, { amount: 50_000n, script: tradingScript.script }],
  });
  const idOf = (raw) => Transaction.fromRaw(raw, { allowUnknownOutputs: true }).id;
  const previous = new Map([1, 2].map((lockTime) => [idOf(before(lockTime)), hex.encode(before(lockTime))]));
  const [first, second] = previous.keys();
  const transaction = new Transaction({ allowUnknownInputs: true, allowUnknownOutputs: true });
  for (const [txid, index, amount] of [[first, 0, 60_000n], [first, 1, 50_000n], [second, 0, 60_000n]]) {
    transaction.addInput({ txid, index, witnessUtxo: { amount, script: tradingScript.script }, witnessScript });
  }
  transaction.addOutputAddress(trading, 169_000n, network);
  const psbt = base64.encode(transaction.toPSBT());
  const asked = [];
  const proven = await withPreviousTransactions(psbt, async (txId) => {
    asked.push(txId);
    return `${previous.get(txId)}\n`;
  });
  assert.deepEqual(asked, [first, second]);
  const description = describePsbt(proven, 'regtest');
  assert.ok(description.inputs.every(({ isProven }) => isProven));
  assert.deepEqual(description.remarks, [`If its coins hold runes, these go to output 0, ${trading}.`]);
  assert.equal(description.txId, transaction.id);
  // The user's wallet signs it as it signs the other one.
  checkSigned(await user.signPsbt(proven, [0, 1, 2]), transaction.id, [0, 1, 2]);
  await assert.rejects(withPreviousTransactions(psbt, async () => previous.get(second)), refused(/Another transaction/));
  await assert.rejects(withPreviousTransactions(psbt, async () => 'Transaction not found'), refused(/no transaction/));
});

test('remarks name the points that the PSBT cannot prove', () => {
  const { unallocated, remarks } = describePsbt(honest.btc().base64Psbt, 'regtest');
  assert.equal(unallocated, 0);
  assert.deepEqual(remarks, [
    `If its coins hold runes, these go to output 0, ${recipient.address}.`,
    'The fee is 1000 sats only if its 2 coins hold the amounts in the PSBT.',
  ]);
  assert.deepEqual(describePsbt(honest.rune().base64Psbt, 'regtest').remarks, [`Runes on its coins that no edict moves go to output 1, ${trading}.`]);
  const burning = describePsbt(issued([{ sats: 50_000 }], [data]).base64Psbt, 'regtest');
  assert.deepEqual([burning.unallocated, burning.remarks], [undefined, ['If its coins hold runes, these are burned.']]);
});

test('every failed check throws a RuneportError', () => {
  for (const [change, why] of [
    [{ amount: 'abc', tokenId: '1:1' }, /"abc" is not a positive whole number/],
    [{ amount: '1e5' }, /"1e5" is not a positive whole number/],
    [{ amount: '-1' }, /"-1" is not a positive whole number/],
    [{ amount: '' }, /"" is not a positive whole number/],
    [{ amount: '0' }, /"0" is not a positive whole number/],
    [{ amount: '030000' }, /"030000" is not a positive whole number/],
    [{ amount: '2100000000000001' }, /larger than the supply of bitcoin/],
    // A float would make it 30000.
    [{ amount: '30000.000000000000001' }, /is not a positive whole number/],
    [{ xchainData: '0xzz' }, /not hex/],
    [{ xchainData: 'abc' }, /not hex/],
  ]) assert.throws(() => checkHubWithdrawal(honest.btc(), { ...btc, ...change }, user), refused(why));
  const cut = altered(honest.btc(), ({ global }) => { global.unsignedTx.outputs[1].script = Uint8Array.of(0x6a, 0x4c); });
  assert.throws(() => checkHubWithdrawal(cut, btc, user), refused(/OP_RETURN contains an incomplete push/));
  const endless = issued([{ sats: 50_000 }], [{ sats: 2_100_000_000_000_001, to: trading }]);
  assert.throws(() => checkHubWithdrawal(endless, btc, user), refused(/amount of 2100000000000001 sats/));
});

test('onSigned receives the signed transaction before it is submitted', async (context) => {
  const { until } = simulatedTime(context);
  const told = honest.btc();
  const { api, requests } = played(({ path }) => (path === '/api/xchain/transaction' ? ok(told, {}, 201) : DOWN));
  const kept = [];
  const onSigned = async (signed) => {
    await null;
    kept.push([signed, requests.length]);
  };
  await assert.rejects(until(withdrawThroughHub(api, user, btc, { onSigned })), { key: 'client.network' });
  const [[{ base64Psbt, txId }, before]] = kept;
  assert.deepEqual([kept.length, before, txId], [1, 1, told.txId]);
  checkSigned(base64Psbt, txId, [0, 1]);
  assert.ok(requests.slice(1).every(({ path, body }) => path.endsWith('/sign') && body.params.signedBase64Tx === base64Psbt));
  // If `onSigned` fails, the transaction is not submitted.
  const lost = new Error('disk full');
  const other = played(() => ok(told, {}, 201));
  await assert.rejects(withdrawThroughHub(other.api, user, btc, { onSigned: () => Promise.reject(lost) }), (error) => error === lost);
  assert.equal(other.requests.length, 1);
});

const page = (rows) => ok(rows, { totalItems: rows.length, currentPage: 1, pageSize: 100, totalPages: 1 });

test('a batch pays only the known treasury, and no more for replaced batches than the app allows', async () => {
  const request = { userAddress: user.address, runeId: '840000:3', requestCount: 2, satsNewRequests: 6_000 };
  const batch = issued([{ sats: 50_000 }], [{ sats: 12_000, to: treasury.address }, { sats: 37_000, to: trading }]);
  const service = () => played(({ method, path }) => {
    if (method === 'GET' && path.endsWith('/mints')) return page([{ id: 'm', runeId: request.runeId, state: 'open', treasuryAddress: treasury.address }]);
    if (method === 'GET') return page([{ state: 'allInMempool', satsNewRequests: 6_000 }]);
    return path.endsWith('/sign') ? ok({ txId: batch.txId, state: 'allInMempool' }, undefined, 201) : ok(batch, undefined, 201);
  });
  const greedy = service();
  await assert.rejects(requestMint(greedy.api, user, request), refused(/6000 sats for replaced batches; the limit is 0/));
  assert.ok(greedy.requests.every(({ method }) => method === 'GET'));
  const kept = [];
  const options = { mostPreviousSats: 6_000, onSigned: (signed) => { kept.push(signed.txId); } };
  const { api } = service();
  await assert.rejects(requestMint(api, user, request, { ...options, treasuryAddress: stranger }), refused(/receives nothing/));
  assert.equal((await requestMint(api, user, request, { ...options, treasuryAddress: treasury.address })).state, 'allInMempool');
  assert.deepEqual(kept, [batch.txId]);
});

test('a refund goes only to a trading wallet with the user’s key', async () => {
  const request = { userAddress: user.address, runeIds: ['840000:3'], refundableSats: 691 };
  const platformPublicKey = hex.encode(pubECDSA(key(2)));
  const service = (address) => {
    const told = issued([{ sats: 2_000, of: treasury }], [{ sats: 691, to: address }], { users: [] });
    return played(({ path }) => {
      if (path === '/api/account/trading-wallet') return ok({ address, platformPublicKey });
      return path.endsWith('/sign') ? ok({ txId: told.txId, state: 'inMempool' }, undefined, 201) : ok(told, undefined, 201);
    });
  };
  const kept = [];
  const onSigned = ({ base64Psbt }) => { kept.push(base64Psbt); };
  const { api, requests } = service(trading);
  assert.equal((await refund(api, user, request, { onSigned })).state, 'inMempool');
  assert.deepEqual(kept, [requests.at(-1).body.base64Psbt]);
  for (const address of [stranger, poison.address, foreign.address]) {
    const lies = service(address);
    await assert.rejects(refund(lies.api, user, request), { key: 'client.answerMalformed' });
    assert.equal(lies.requests.length, 1);
    await assert.rejects(refund(lies.api, user, request, { tradingAddress: trading }), refused(/gains|not requested/));
  }
  const none = played(() => problem(404, '3026', 'account.tradingWalletNotFound'));
  await assert.rejects(refund(none.api, user, request), { key: 'account.tradingWalletNotFound' });
});

test('for a key proved by Taproot, either parity can sign', async () => {
  const platformPublicKey = hex.encode(pubECDSA(key(2)));
  // The public key of key(6) is odd, that of key(7) is even.
  for (const [secret, parity] of [[key(6), '03'], [key(7), '02']]) {
    const wallet = bitcoinKeyWallet({ privateKey: secret, network: 'regtest', type: 'p2tr' });
    const x = wallet.publicKey.slice(2);
    assert.equal(wallet.publicKey, `${parity}${x}`);
    const script = hex.decode(`2102${x}ac642103${x}ad6821${platformPublicKey}ac736402a032b268`);
    const of = wshOf(script);
    assert.equal(tradingAddressOf(x.toUpperCase(), platformPublicKey, 'regtest'), of.address);
    assert.notEqual(tradingAddressOf(wallet.publicKey, platformPublicKey, 'regtest'), of.address);
    const told = issued([{ sats: 50_000, of }, { sats: 10_000, of }], [
      { sats: 30_000, to: recipient.address }, { script: opReturn(commitment) }, { sats: 29_000, to: of.address },
    ]);
    // The wallet may provide its key with the right parity, with the other parity, or x-only.
    for (const publicKey of [wallet.publicKey, `${parity === '02' ? '03' : '02'}${x}`, x]) {
      const signer = { publicKey, signPsbt: wallet.signPsbt };
      const { api, requests } = played(({ path }) => (path === '/api/xchain/transaction'
        ? ok(told, { warnings: [], expiresInBlocks: 9_000 }, 201) : ok({ txId: told.txId, state: 'inMempool' }, undefined, 201)));
      assert.equal((await withdrawThroughHub(api, signer, btc)).state, 'inMempool');
      const { inputs } = RawPSBTV0.decode(base64.decode(requests[1].body.params.signedBase64Tx));
      for (const { partialSig } of inputs) assert.deepEqual(partialSig.map(([own]) => hex.encode(own)), [wallet.publicKey]);

      const request = { userAddress: wallet.address, runeIds: ['840000:3'], refundableSats: 691 };
      const back = issued([{ sats: 2_000, of: treasury }], [{ sats: 691, to: of.address }], { users: [] });
      const refunding = played(({ path }) => {
        if (path === '/api/account/trading-wallet') return ok({ address: of.address, publicKey: x, platformPublicKey });
        return path.endsWith('/sign') ? ok({ txId: back.txId, state: 'inMempool' }, undefined, 201) : ok(back, undefined, 201);
      });
      assert.equal((await refund(refunding.api, signer, request)).state, 'inMempool');
    }
    // The same script form, but with a key of another owner.
    const other = hex.encode(pubSchnorr(key(5)));
    for (const text of [
      `2102${x}ac642103${other}ad68`, `2102${other}ac642103${x}ad68`, `2103${x}ac642102${x}ad68`, `2102${other}ac642103${other}ad68`,
    ]) {
      const poisoned = wshOf(hex.decode(`${text}21${platformPublicKey}ac736402a032b268`));
      const theft = issued([{ sats: 60_000, of: poisoned }], [
        { sats: 30_000, to: recipient.address }, { script: opReturn(commitment) }, { sats: 29_000, to: poisoned.address },
      ]);
      assert.throws(() => checkHubWithdrawal(theft, btc, wallet), refused(/not a coin of the trading wallet/), text);
    }
    // A wallet that provides its key x-only has no trading wallet with the plain script.
    assert.throws(() => checkHubWithdrawal(honest.btc(), btc, { publicKey: user.publicKey.slice(2) }), refused(/not a coin of the trading wallet/));
  }
});

// The vectors come from the protocol's guide and the tests of `ordinals`.
test('runestones match the published test vectors', () => {
  const guide = readRunestone(hex.decode('6a5d131602000a05050100000a030002010828011904'), 9);
  assert.deepEqual(guide.pointer, 2);
  assert.deepEqual(guide.edicts, [['10:5', 5n, 1], ['10:5', 10n, 3], ['10:7', 1n, 8], ['50:1', 25n, 4]]
    .map(([runeId, amount, output]) => ({ runeId, amount, output })));
  assert.deepEqual(readRunestone(hex.decode('6a5d09000101020000030500'), 1).edicts.map(({ runeId, amount }) => [runeId, amount]), [
    ['1:1', 2n], ['1:4', 5n],
  ]);
  const max = [...Array(18).fill(0xff), 3];
  assert.equal(readRunestone(Uint8Array.from([0x6a, 0x5d, 23, 0, 1, 1, ...max, 0]), 1).edicts[0].amount, 2n ** 128n - 1n);
  for (const text of [
    '6a5d0180', '6a5d0101', '6a5d027e00', '6a5d06000101020001', '6a5d050001010202', '6a5d050000010200', '6a5d0069', '6a5d0400',
    // An etching, a number of more than 128 bits, a truncated push length, two pointers.
    '6a5d270207040901070 30a054006080a0e080b0c0c0e0d100f12101411141216000002030100030604 01'.replaceAll(' ', ''),
    `6a5d17000101${'ff'.repeat(18)}0400`, '6a5d4d01', '6a5d0416001600',
  ]) assert.throws(() => readRunestone(hex.decode(text), 1), refused(/runestone/), text);
  assert.deepEqual(readRunestone(hex.decode('6a5d4c021600'), 1), { edicts: [], pointer: 0 });
});

test('if the wallet signs another transaction, nothing is submitted', async () => {
  const told = honest.btc();
  const service = () => played(({ path }) => path === '/api/xchain/transaction'
    ? ok(told, { warnings: [], expiresInBlocks: 9_000 }, 201) : ok({ txId: told.txId, state: 'inMempool' }, undefined, 201));
  const { api, requests } = service();
  assert.deepEqual(await withdrawThroughHub(api, user, btc), { txId: told.txId, state: 'inMempool' });
  const { signedBase64Tx } = requests[1].body.params;
  const { inputs } = RawPSBTV0.decode(base64.decode(signedBase64Tx));
  // DER with SIGHASH_ALL.
  for (const { partialSig: [[publicKey, signature]] } of inputs) {
    assert.equal(hex.encode(publicKey), user.publicKey);
    assert.deepEqual([signature[0], signature.at(-1)], [0x30, 1]);
  }

  const another = issued([{ sats: 50_000 }, { sats: 10_000 }], [{ sats: 59_000, to: stranger }]);
  for (const [signPsbt, message] of [
    [async () => (await user.signPsbt(another.base64Psbt, [0, 1])), 'client.psbtRefused'],
    [async (psbt) => user.signPsbt(psbt, [0]), 'client.psbtRefused'],
    [async () => 'nothing', 'client.psbtRefused'],
    [() => Promise.reject(new Error('no')), 'client.walletRefused'],
  ]) {
    const refusing = service();
    await assert.rejects(withdrawThroughHub(refusing.api, { publicKey: user.publicKey, signPsbt }, btc), { key: message });
    // Its coins are released, so that the user can try again.
    assert.deepEqual(refusing.requests.map(({ method, path }) => `${method} ${path}`), [
      'POST /api/xchain/transaction', `DELETE /api/transactions/${told.txId}`,
    ]);
  }
  const unconfirmed = service();
  await assert.rejects(withdrawThroughHub(unconfirmed.api, user, btc, { confirm: () => false }), { key: 'client.walletRefused' });
  assert.equal(unconfirmed.requests[1].method, 'DELETE');
  // One that is not what was requested is not kept either.
  const lying = service();
  const signer = { ...user, signPsbt: () => assert.fail('the wallet was asked') };
  await assert.rejects(withdrawThroughHub(lying.api, signer, { ...btc, amount: '30001' }), { key: 'client.psbtRefused' });
  assert.deepEqual(lying.requests.map(({ method }) => method), ['POST', 'DELETE']);
  checkSigned(await user.signPsbt(told.base64Psbt, [1]), told.txId, [1]);
});

test('a browser wallet receives the PSBT as hex and the inputs to sign', async () => {
  const told = honest.btc();
  const calls = [];
  const wallet = await injectedBitcoinWallet({
    requestAccounts: async () => [user.address],
    getPublicKey: async () => user.publicKey,
    signMessage: async (...given) => calls.push(given) && 'signature',
    signPsbt: async (psbtHex, options) => {
      calls.push(options);
      return hex.encode(base64.decode(await user.signPsbt(base64.encode(hex.decode(psbtHex)), [0, 1])));
    },
  });
  assert.deepEqual([wallet.chain, wallet.address, wallet.publicKey, wallet.provider], ['bitcoin', user.address, user.publicKey, 'unisat']);
  assert.equal(await wallet.signMessage('text'), 'signature');
  checkSigned(await wallet.signPsbt(told.base64Psbt, [0, 1]), told.txId, [0, 1]);
  assert.deepEqual(calls, [['text', 'bip322-simple'], {
    autoFinalized: false,
    toSignInputs: [0, 1].map((index) => ({ index, publicKey: user.publicKey, sighashTypes: [1] })),
  }]);
  await assert.rejects(
    injectedBitcoinWallet({ requestAccounts: () => Promise.reject(new Error('no')) }), { key: 'client.walletRefused' },
  );
});

// BIP-322 has two vectors for each message: one with a signature of 70 bytes, one with 71.
test('messages match the test vectors of BIP-322', async () => {
  const privateKey = WIF().decode('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k');
  const wallet = bitcoinKeyWallet({ privateKey, network: 'bitcoin' });
  assert.equal(wallet.address, 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l');
  const published = {
    '': [
      'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
      'AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    ],
    'Hello World': [
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
      'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    ],
  };
  for (const [message, signatures] of Object.entries(published)) {
    const signature = await wallet.signMessage(message);
    assert.ok(signatures.includes(signature), `${message}: ${signature}`);
  }
});

test('networkOf recognises the network of an address', () => {
  assert.deepEqual(['bc1qx', 'BC1QX', 'bcrt1q', 'tb1q', '1Boat', '3P14', 'mipc', '2MzQ'].map(networkOf), [
    'bitcoin', 'bitcoin', 'regtest', 'testnet', 'bitcoin', 'bitcoin', 'testnet', 'testnet',
  ]);
});
