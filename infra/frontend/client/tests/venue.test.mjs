import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApproveBuilderFeeRequest, ApproveBuilderFeeTypes, SendAssetRequest, SendAssetTypes, SetReferrerRequest } from '@nktkas/hyperliquid/api/exchange';
import { createL1ActionHash } from '@nktkas/hyperliquid/signing';
import * as v from 'valibot';
import { encodeFunctionData, parseAbi, serializeSignature, verifyTypedData, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { approveBuilderFee, createDeposit, setReferrer, withdrawFromVenue } from '@runeport/client/venue';
import { ok, played } from './service.mjs';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const userAddress = account.address;
const nonce = 1_700_000_000_000;
const metaData = { gates: [], warnings: [], checks: 'complete' };
const answers = (data) => played(() => ok(data, metaData)).api;

const chain = { venueChain: 'Testnet', signatureChainId: '0x3e6' };
const actions = {
  referral: { type: 'setReferrer', code: 'RUNEPORT' },
  fee: { type: 'approveBuilderFee', ...chain, maxFeeRate: '0.05%', builder: `0x${'ab'.repeat(20)}` },
  withdrawal: {
    type: 'sendAsset', ...chain, destination: '0x2000000000000000000000000000000000000000', sourceDex: '', destinationDex: 'spot',
    token: `USDC:0x${'cd'.repeat(16)}`, amount: '2.5', fromSubAccount: '',
  },
};

/** The signature is the wallet's, and the venue's own schema takes the whole request. */
async function isGood(body, schema, { name, chainId, types, message }) {
  assert.deepEqual(v.parse(schema, body), body);
  const { r, s, v: parity } = body.signature;
  const [primaryType] = Object.keys(types);
  const domain = { name, version: '1', chainId, verifyingContract: zeroAddress };
  const signature = serializeSignature({ r, s, v: BigInt(parity) });
  assert.ok(await verifyTypedData({ address: userAddress, domain, types, primaryType, message, signature }));
}

test('a referral is signed as an L1 action of its network', async () => {
  const types = { Agent: [{ name: 'source', type: 'string' }, { name: 'connectionId', type: 'bytes32' }] };
  for (const [venueChain, source] of [['Testnet', 'b'], ['Mainnet', 'a']]) {
    const api = answers({ kind: 'set_referrer', action: actions.referral });
    const { body } = await setReferrer(api, account, { userAddress, venueChain }, { nonce });
    assert.deepEqual(body.action, actions.referral);
    const message = { source, connectionId: createL1ActionHash({ action: actions.referral, nonce }) };
    await isGood(body, SetReferrerRequest, { name: 'Exchange', chainId: 1337, types, message });
  }
  assert.deepEqual(await setReferrer(answers(null), account, { userAddress }), { body: null, metaData });
  const asked = played(({ path }) => path.endsWith('/referral')
    ? ok({ kind: 'set_referrer', action: actions.referral }, metaData) : ok({ kind: 'approve_builder_fee', action: actions.fee }, metaData));
  const { body } = await setReferrer(asked.api, account, { userAddress }, { nonce });
  const message = { source: 'b', connectionId: createL1ActionHash({ action: actions.referral, nonce }) };
  await isGood(body, SetReferrerRequest, { name: 'Exchange', chainId: 1337, types, message });
  for (const action of [{ ...actions.referral, type: 'usdSend' }, { ...actions.referral, amount: '1' }, { code: 'x', type: 'setReferrer' }]) {
    await assert.rejects(setReferrer(answers({ action }), account, { userAddress, venueChain: 'Testnet' }), { message: 'client.venueActionRefused' });
  }
});

test('a builder fee is approved up to what the wallet takes', async () => {
  const api = answers({ kind: 'approve_builder_fee', action: actions.fee });
  const { body } = await approveBuilderFee(api, account, { userAddress }, { nonce });
  const { venueChain: hyperliquidChain, ...rest } = actions.fee;
  assert.deepEqual(body.action, { ...rest, hyperliquidChain, nonce });
  const signed = { name: 'HyperliquidSignTransaction', chainId: 998, types: ApproveBuilderFeeTypes, message: body.action };
  await isGood(body, ApproveBuilderFeeRequest, signed);
  for (const wrong of [{ maxFeeRate: '0.11%' }, { maxFeeRate: 'all' }, { type: 'sendAsset' }]) {
    await assert.rejects(approveBuilderFee(answers({ action: { ...actions.fee, ...wrong } }), account), { message: 'client.venueActionRefused' });
  }
  await assert.rejects(approveBuilderFee(api, account, { mostFeeRate: '0.04%' }), { message: 'client.venueActionRefused' });
});

test('a withdrawal goes to the wallet itself, and is of the amount', async () => {
  const ask = (action, amount = '2.50') => withdrawFromVenue(answers({ kind: 'withdraw', action }), account, { userAddress, amount }, { nonce });
  const { body, metaData: told } = await ask(actions.withdrawal);
  assert.deepEqual(told, metaData);
  await isGood(body, SendAssetRequest, { name: 'HyperliquidSignTransaction', chainId: 998, types: SendAssetTypes, message: body.action });
  for (const wrong of [
    { destination: `0x${'ee'.repeat(20)}` }, { amount: '25' }, { type: 'usdSend' }, { token: `PURR:0x${'cd'.repeat(16)}` },
    { fromSubAccount: `0x${'ee'.repeat(20)}` }, { destinationDex: '' },
  ]) await assert.rejects(ask({ ...actions.withdrawal, ...wrong }), { message: 'client.venueActionRefused' }, JSON.stringify(wrong));
  const no = { address: userAddress, signTypedData: () => Promise.reject(new Error('no')) };
  await assert.rejects(
    withdrawFromVenue(answers({ action: actions.withdrawal }), no, { userAddress, amount: '2.5' }), { message: 'client.walletRefused' },
  );
});

test('a deposit approves the amount and deposits it, and nothing else', async () => {
  const abi = parseAbi([
    'function approve(address spender, uint256 value)', 'function deposit(uint256 amount, uint32 destinationDex)',
    'function transfer(address to, uint256 value)',
  ]);
  const [usdcToken, depositContract] = ['0x2B3370eE501B4a559b57D449569354196457D8Ab', '0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206'];
  const encode = (functionName, ...args) => encodeFunctionData({ abi, functionName, args });
  const tx = (to, data, more) => ({ chainId: 998, to, data, value: '0x0', ...more });
  const deposit = (approval, transfer, more) => ({
    usdcToken, depositContract, rpcUrl: 'http://rpc', from: userAddress, amount: '10.5',
    txs: [
      { ...tx(usdcToken, encode('approve', depositContract, 10_500_000n)), ...approval },
      { ...tx(depositContract, encode('deposit', 10_500_000n, 0)), ...transfer },
    ],
    ...more,
  });
  const ask = (data) => createDeposit(answers(data), { userAddress: userAddress.toLowerCase(), amount: '10.50' });
  assert.equal((await ask(deposit())).deposit.amount, '10.5');
  const stranger = `0x${'ee'.repeat(20)}`;
  for (const wrong of [
    deposit({ data: encode('approve', depositContract, 10_500_001n) }),
    deposit({ data: encode('approve', stranger, 10_500_000n) }),
    deposit({ data: `${encode('approve', depositContract, 10_500_000n)}00` }),
    deposit({ to: stranger }),
    deposit({ value: '0x1' }),
    deposit({ chainId: 1 }),
    deposit({}, { data: encode('transfer', stranger, 10_500_000n) }),
    deposit({}, { data: encode('deposit', 10_500_000n, 1) }),
    deposit({}, { data: encode('deposit', 105n, 0) }),
    deposit({}, { to: stranger }),
    deposit({}, { value: '0xde0b6b3a7640000' }),
    deposit({}, {}, { from: stranger }),
    { ...deposit(), txs: deposit().txs.slice(0, 1) },
    { ...deposit(), txs: [...deposit().txs, tx(stranger, '0x')] },
  ]) await assert.rejects(ask(wrong), { message: 'client.venueActionRefused' }, JSON.stringify(wrong.txs));
});
