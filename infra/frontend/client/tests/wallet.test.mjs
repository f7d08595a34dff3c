// The trading wallet: what a service could make up must not be signed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { base64, hex } from '@scure/base';
import { RawTx } from '@scure/btc-signer';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA } from '@scure/btc-signer/utils.js';

import {
  balance, bump, cancel, checkRenewal, checkReplacement, checkWithdrawal, coins, describeTransaction, largestAmount,
  prepareRenewal, prepareWithdrawal, previewRenewal, previewWithdrawal, release, renew, submit, withdraw,
} from '@runeport/client/wallet';
import { ok, played, problem } from './service.mjs';
import {
  altered, EDICT, foreign, issued, key, opReturn, poison, recipient, refused, runestone, stranger, trading, user,
} from './trading.mjs';

const to = recipient.address;
const btc = { tokenId: '0:0', amount: '30000', withdrawTo: to };
const rune = { tokenId: '840000:3', amount: '100', withdrawTo: to };
const coin = (vout) => `${'07'.repeat(32)}:${vout}`;
const notes = (amount) => ({ warnings: [], expiresInBlocks: 9_000, amount, left: 0, coinsLeftAside: {} });

const inputs = [{ sats: 50_000 }, { sats: 10_000 }];
const paying = (sats = 30_000, rest = 29_000) => issued(inputs, [{ sats, to }, { sats: rest, to: trading }]);
const emptied = (sats = 59_000) => issued(inputs, [{ sats, to }]);
const runeOutputs = (amount, pointer = 1) => [
  { script: runestone(22, pointer, 0, ...EDICT, amount, 2) }, { sats: 546, to: trading }, { sats: 546, to }, { sats: 48_000, to: trading },
];
const renewed = (coins = inputs) => issued(coins, [{ script: runestone(22, 1) }, { sats: 546, to: trading }, { sats: 58_000, to: trading }]);

/** A service that creates this transaction. */
function service(told, amount = null, more = {}) {
  return played(({ method, path, body }) => {
    if (more[path]) return more[path](body);
    if (method === 'DELETE') return ok({ txId: told.txId, state: 'expired' });
    if (path === '/api/account/trading-wallet') return ok({ address: trading, platformPublicKey: hex.encode(pubECDSA(key(2))) });
    return path.endsWith('/sign') ? ok({ txId: told.txId, state: 'inMempool' }, undefined, 201) : ok(told, notes(amount), 201);
  });
}
const paths = (requests) => requests.map(({ method, path }) => `${method} ${path}`);

test('a withdrawal pays the recipient, and the rest returns', async () => {
  const { api, requests } = service(paying(), '30000');
  assert.deepEqual(await withdraw(api, user, { ...btc, feeTarget: 'fast' }), { txId: paying().txId, state: 'inMempool' });
  assert.deepEqual(requests[0].body, { type: 'withdraw', params: { ...btc, feeTarget: 'fast' } });
  assert.ok(requests[0].headers['idempotency-key']);
  const { inputs: signed } = RawPSBTV0.decode(base64.decode(requests[1].body.params.signedBase64Tx));
  assert.ok(signed.every(({ partialSig }) => partialSig.length === 1));
  assert.deepEqual(paths(requests), ['POST /api/transactions', 'POST /api/transactions/sign']);
  checkWithdrawal(issued([{ sats: 50_000 }], runeOutputs(100)), notes('100'), rune, user);
});

test('a preview asks for what the transaction asks for, and nothing is created', async () => {
  const preview = { fee: { feeRate: 5, totalFee: 1_000 }, vbytes: 200, inputs: [], outputs: [], remaining: { sats: 7, runes: [] } };
  const { api, requests } = played(({ query }) => (query.dryRun === 'true' ? ok(preview, notes('30000')) : problem(500, '1008', 'common.internal')));
  const shown = { transaction: preview, notes: notes('30000') };
  const fast = { ...btc, feeTarget: 'fast' };
  assert.deepEqual(await previewWithdrawal(api, fast), shown);
  assert.deepEqual(await previewWithdrawal(api, { ...rune, amount: 'max' }), shown);
  assert.deepEqual(await previewRenewal(api), shown);
  assert.deepEqual(await previewRenewal(api, { txIdVouts: [coin(0)], feeTarget: 'economy' }), shown);
  assert.ok(requests.every(({ method, path, query }) => method === 'POST' && path === '/api/transactions' && query.dryRun === 'true'));
  // The real requests have the same bodies, and no such query.
  const real = service(paying(), '30000');
  await prepareWithdrawal(real.api, user, fast);
  await assert.rejects(prepareWithdrawal(real.api, user, { ...rune, amount: 'max' }));
  await assert.rejects(prepareRenewal(real.api, user, undefined, { tradingAddress: trading }));
  await assert.rejects(prepareRenewal(real.api, user, { txIdVouts: [coin(0)], feeTarget: 'economy' }, { tradingAddress: trading }));
  const created = real.requests.filter(({ method, path }) => method === 'POST' && path === '/api/transactions');
  assert.deepEqual(created.map(({ body }) => body), requests.map(({ body }) => body));
  assert.ok(created.every(({ query }) => query.dryRun === undefined));

  await assert.rejects(previewWithdrawal(api, { ...btc, amount: '1.5' }), { key: 'client.amountInvalid', message: /smallest unit/ });
  assert.equal(requests.length, 4);
  const poor = played(() => problem(400, '2002', 'bitcoin.insufficientBalance'));
  await assert.rejects(previewWithdrawal(poor.api, btc), { key: 'bitcoin.insufficientBalance' });
});

test('the largest withdrawal leaves nothing of its coins', () => {
  const max = { ...btc, amount: 'max' };
  const check = (told, amount, wanted = max) => checkWithdrawal(told, notes(amount), wanted, user);
  check(emptied(), '59000');
  assert.throws(() => check(emptied(), '58999'), refused(/receives 59000 sats/));
  assert.throws(() => check(paying(), '30000'), refused(/keeps a part of its coins/));
  for (const amount of [null, '', '0', '-1', '1.5', 'max']) assert.throws(() => check(emptied(), amount), refused(/not a positive whole number/));
  // The fee is limited as always.
  assert.throws(() => checkWithdrawal(emptied(1_000), notes('1000'), max, user, { mostFee: 58_999 }), refused(/fee of 59000 sats/));
  check(issued([{ sats: 50_000 }], runeOutputs(100)), '100', { ...rune, amount: 'max' });
  assert.throws(() => check(issued([{ sats: 50_000 }], runeOutputs(99)), '100', { ...rune, amount: 'max' }), refused(/is 1 too low/));
});

const lies = {
  'another amount': [paying(30_001, 28_999), /receives 30001 sats/],
  'a payment to a stranger': [issued(inputs, [{ sats: 30_000, to: stranger }, { sats: 29_000, to: trading }]), /receives nothing/],
  'change for a stranger': [issued(inputs, [{ sats: 30_000, to }, { sats: 29_000, to: stranger }]), /not requested/],
  'data': [issued(inputs, [{ sats: 30_000, to }, { script: opReturn(Array(32).fill(1)) }, { sats: 29_000, to: trading }]), /unexpected data/],
  'a runestone that moves runes': [issued(inputs, [
    { script: runestone(22, 2, 0, ...EDICT, 1, 1) }, { sats: 30_000, to }, { sats: 29_000, to: trading }]), /moves 1 of 840000:3/],
  'coins of a script that is not the wallet’s': [issued([{ sats: 50_000 }, { sats: 10_000, of: poison }], [
    { sats: 30_000, to }, { sats: 29_000, to: trading }]), /Input 1 is not a coin of the trading wallet/],
  'coins of another user': [issued([{ sats: 60_000, of: foreign }], [{ sats: 30_000, to }, { sats: 29_000, to: trading }]), /Input 0 is not a coin/],
  'an input that the wallet does not sign': [{ ...paying(), userInputIndexes: [0] }, /coins that the wallet does not sign/],
  'a fee that was not announced': [{ ...paying(), fee: { totalFee: 1, feeRate: 1 } }, /The fee is 1000 sats, not 1/],
  'another id': [{ ...paying(), txId: '00'.repeat(32) }, /The transaction is/],
  'a partial signature': [issued(inputs, [{ sats: 30_000, to }, { sats: 29_000, to: trading }], { sighashType: 0x83 }), /sighash type 131/],
};
for (const [name, [told, why]] of Object.entries(lies)) {
  test(`a withdrawal with ${name} is neither signed nor kept`, async () => {
    const { api, requests } = service(told, '30000');
    const signer = { ...user, signPsbt: () => assert.fail('the wallet was asked') };
    await assert.rejects(withdraw(api, signer, btc), refused(why));
    assert.deepEqual(paths(requests), ['POST /api/transactions', `DELETE /api/transactions/${told.txId}`]);
  });
}

test('a transaction that is not signed releases its coins; one that may be signed does not', async () => {
  const run = async (signer, options) => {
    const { api, requests } = service(paying(), '30000');
    const error = await withdraw(api, signer, btc, options).catch((failure) => failure);
    return [error.key ?? error.message, ...paths(requests).slice(1)];
  };
  const gone = `DELETE /api/transactions/${paying().txId}`;
  assert.deepEqual(await run(user, { confirm: () => false }), ['client.walletRefused', gone]);
  assert.deepEqual(await run({ ...user, signPsbt: () => Promise.reject(new Error('no')) }), ['client.walletRefused', gone]);
  assert.deepEqual(await run({ ...user, signPsbt: async (psbt) => psbt }), ['client.psbtRefused', gone]);
  assert.deepEqual(await run(user, { onSigned: () => Promise.reject(new Error('disk full')) }), ['disk full']);
  const refusing = service(paying(), '30000', {
    [`/api/transactions/${paying().txId}`]: () => problem(409, '2020', 'bitcoin.alreadySigned'),
  });
  await assert.rejects(withdraw(refusing.api, user, btc, { confirm: () => false }), { key: 'client.walletRefused' });
  const { api } = service(paying());
  assert.equal((await release(api, paying().txId)).state, 'expired');
  assert.equal((await submit(api, 'signed')).state, 'inMempool');
});

test('a renewal returns everything to the own address', async () => {
  const { api, requests } = service(renewed());
  assert.equal((await renew(api, user, { txIdVouts: [coin(1)], feeTarget: 'economy' })).state, 'inMempool');
  assert.deepEqual(requests[1].body, { type: 'renew-utxo', params: { txIdVouts: [coin(1)], feeTarget: 'economy' } });
  const whole = service(renewed());
  await renew(whole.api, user, {}, { tradingAddress: trading });
  assert.deepEqual([paths(whole.requests)[0], whole.requests[0].body.params], ['POST /api/transactions', {}]);

  const check = (told, wanted) => checkRenewal(told, wanted, trading, user);
  check(renewed(), [coin(0), coin(1)]);
  assert.throws(() => check(renewed(), [coin(2)]), refused(/does not spend/));
  assert.throws(() => check(paying()), refused(/receives 30000 sats, which were not requested/));
  assert.throws(() => check(issued(inputs, [{ script: runestone(22, 0) }, { sats: 59_000, to: trading }])), refused(/remaining runes are burned/));
  assert.throws(() => check(issued(inputs, [{ sats: 59_000, to: poison.address }])), refused(/not requested/));
  assert.throws(() => checkRenewal(issued(inputs, [{ sats: 59_000, to: trading }]), undefined, stranger, user), refused(/Input 0 is at/));
  // A trading address with another key is rejected before a transaction exists.
  const lying = service(renewed(), null, {
    '/api/account/trading-wallet': () => ok({ address: foreign.address, platformPublicKey: hex.encode(pubECDSA(key(2))) }),
  });
  await assert.rejects(prepareRenewal(lying.api, user), { key: 'client.answerMalformed' });
  assert.equal(lying.requests.length, 1);
});

/** The transaction in hex, as a node has it. */
const hexOf = ({ base64Psbt }) => hex.encode(RawTx.encode({
  ...RawPSBTV0.decode(base64.decode(base64Psbt)).global.unsignedTx, segwitFlag: true, witnesses: inputs.map(() => [Uint8Array.of(1)]),
}));
const signedOf = ({ base64Psbt, txId }) => ({ base64Psbt, txId });
const bumped = paying(30_000, 28_000);

test('a bump pays the same, and conflicts with every version', async () => {
  const check = (told, versions, action = 'bump') => checkReplacement(told, action, versions, trading, user);
  const first = signedOf(paying());
  check(bumped, [first]);
  check(bumped, [{ txId: first.txId, hex: hexOf(paying()) }]);
  assert.throws(() => check(paying(30_001, 27_999), [first]), refused(/receives 30001 sats/));
  assert.throws(() => check(issued(inputs, [{ sats: 30_000, to: stranger }, { sats: 28_000, to: trading }]), [first]), refused(/receives nothing/));
  assert.throws(() => check(issued(inputs, [{ sats: 58_000, to: trading }]), [first]), refused(/receives nothing/));
  // A second payment, next to the first.
  const second = issued([{ sats: 60_000, vout: 5 }], [{ sats: 30_000, to }, { sats: 28_000, to: trading }]);
  assert.throws(() => check(second, [first]), refused(/spends no coin of .*both could confirm/));
  // It conflicts with the first version alone.
  const later = issued([{ sats: 50_000 }, { sats: 60_000, vout: 4 }], [{ sats: 30_000, to }, { sats: 78_000, to: trading }]);
  const apart = issued([{ sats: 10_000, vout: 1 }, { sats: 60_000, vout: 5 }], [{ sats: 30_000, to }, { sats: 38_000, to: trading }]);
  check(apart, [first]);
  assert.throws(() => check(apart, [first, signedOf(later)]), refused(new RegExp(`no coin of ${later.txId}`)));
  // The service, not the user, says what the transaction was.
  assert.throws(() => check(bumped, [{ ...first, txId: '00'.repeat(32) }]), refused(/The transaction is/));
  assert.throws(() => check(bumped, [{ txId: first.txId, hex: 'zz' }]), refused(/neither a PSBT nor a transaction/));
  assert.throws(() => check(bumped, []), refused(/needs the transaction/));

  const runic = issued([{ sats: 50_000 }], runeOutputs(100));
  const again = (amount, pointer) => issued([{ sats: 50_000 }], runeOutputs(amount, pointer).with(3, { sats: 47_000, to: trading }));
  check(again(100), [signedOf(runic)]);
  assert.throws(() => check(again(101), [signedOf(runic)]), refused(/1 too high/));
  // What cannot be repeated is not bumped: data of a swap, runes for everybody or for a stranger.
  for (const outputs of [
    [{ sats: 30_000, to }, { script: opReturn(Array(32).fill(1)) }, { sats: 29_000, to: trading }],
    [{ script: runestone(22, 2, 0, ...EDICT, 100, 3) }, { sats: 546, to }, { sats: 29_000, to: trading }],
    [{ script: runestone(22, 1) }, { sats: 546, to }, { sats: 29_000, to: trading }],
    [{ sats: 1_000, to }, { sats: 1_000, to }],
  ]) assert.throws(() => check(bumped, [signedOf(issued(inputs, outputs))]), refused(/not a transaction that can be bumped/));

  const { api, requests } = service(bumped);
  assert.equal((await bump(api, user, [first], { feeTarget: 'fast' })).state, 'inMempool');
  assert.deepEqual(paths(requests)[1], `POST /api/transactions/${first.txId}/replace`);
  assert.deepEqual(requests[1].body, { action: 'bump', feeTarget: 'fast' });
  const rated = service(bumped);
  assert.equal((await bump(rated.api, user, [first], { feeRate: 12.5 })).state, 'inMempool');
  assert.deepEqual(rated.requests[1].body, { action: 'bump', feeRate: 12.5 });
});

test('a bump of all that the coins hold lowers the amount only if the caller allows it, and as far', async () => {
  const [first, lowered] = [signedOf(emptied()), issued(inputs, [{ sats: 57_000, to }])];
  const replaced = (amount, warnings, options) => {
    const replace = () => ok(lowered, { ...notes(amount), warnings: warnings.map((kind) => ({ kind, message: '' })) }, 201);
    const { api } = service(lowered, amount, { [`/api/transactions/${first.txId}/replace`]: replace });
    return bump(api, user, [first], options);
  };
  assert.equal((await replaced('57000', ['amountLowered'], { leastSats: 57_000 })).state, 'inMempool');
  for (const [amount, warnings, options] of [
    ['57000', ['amountLowered'], {}],
    ['57000', ['amountLowered'], { leastSats: 57_001 }],
    ['57000', [], { leastSats: 50_000 }],
    ['56000', ['amountLowered'], { leastSats: 50_000 }],
    ['60000', ['amountLowered'], { leastSats: 50_000 }],
  ]) await assert.rejects(replaced(amount, warnings, options), refused(/receives 57000 sats/));
});

test('a cancellation pays nobody else, and conflicts with the transaction', async () => {
  const back = issued([inputs[0]], [{ sats: 48_000, to: trading }]);
  const { api, requests } = service(back);
  assert.equal((await cancel(api, user, [signedOf(paying())], { tradingAddress: trading })).state, 'inMempool');
  assert.deepEqual(requests[0].body, { action: 'cancel' });
  const greedy = service(bumped);
  await assert.rejects(cancel(greedy.api, user, [signedOf(paying())], { tradingAddress: trading }), refused(/not requested/));
  assert.deepEqual(paths(greedy.requests).at(-1), `DELETE /api/transactions/${bumped.txId}`);
  const elsewhere = issued([{ sats: 50_000, vout: 9 }], [{ sats: 48_000, to: trading }]);
  await assert.rejects(cancel(service(elsewhere).api, user, [signedOf(paying())], { tradingAddress: trading }), refused(/both could confirm/));
});

test('the id of a transaction is computed from its text', () => {
  const { txId, spends } = describeTransaction(hexOf(paying()), 'regtest');
  assert.deepEqual([txId, spends], [paying().txId, [coin(0), coin(1)]]);
  const { base64Psbt } = altered(paying(), ({ global }) => { global.unsignedTx.outputs[0].amount = 30_001n; });
  assert.notEqual(describeTransaction(base64Psbt, 'regtest').txId, txId);
  for (const text of ['', '00', 'AAAA', hexOf(paying()).slice(2)]) assert.throws(() => describeTransaction(text, 'regtest'), refused(/neither/));
});

test('balance, coins and the largest amount', async () => {
  const { api, requests } = played(({ path, query }) => {
    if (path.endsWith('/balance')) return ok({ address: trading, btc: { available: 5 } }, { checks: 'complete' });
    if (path.endsWith('/max-spent')) return ok({ maxAmount: '4', leftOut: [] });
    const meta = { totalItems: 3, currentPage: Number(query.page), pageSize: 2, totalPages: 2, height: 9, checks: 'complete', notRead: 1 };
    return ok(query.page === '1' ? [{ id: coin(0) }, { id: coin(1) }] : [{ id: coin(2) }], meta);
  });
  assert.deepEqual(await balance(api), { address: trading, btc: { available: 5 }, checks: 'complete' });
  const held = await coins(api, { renewal_eq: ['needed'] });
  assert.deepEqual([held.coins.map(({ id }) => id), held.height, held.checks, held.notRead], [[0, 1, 2].map(coin), 9, 'complete', 1]);
  assert.deepEqual(requests[1].query, { renewal_eq: 'needed', pageSize: '100', page: '1' });
  assert.equal((await largestAmount(api, { type: 'withdraw', params: { tokenId: '0:0' } })).maxAmount, '4');
});

test('options of calls reach every call', async () => {
  const { signal } = new AbortController();
  const { api, requests } = service(paying(), '30000');
  const { psbt, notes: said } = await prepareWithdrawal(api, user, btc, { signal });
  assert.deepEqual([psbt.fee, said.amount], [1_000, '30000']);
  await assert.rejects(withdraw(api, user, btc, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(requests.length, 1);
});
