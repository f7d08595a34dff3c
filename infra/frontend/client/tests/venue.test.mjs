import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { ApproveBuilderFeeRequest, ApproveBuilderFeeTypes, SendAssetRequest, SendAssetTypes, SetReferrerRequest } from '@nktkas/hyperliquid/api/exchange';
import { createL1ActionHash } from '@nktkas/hyperliquid/signing';
import * as v from 'valibot';
import { encodeFunctionData, parseAbi, serializeSignature, verifyTypedData, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import {
  approveBuilderFee, checkDeposit, createDeposit, depositRequest, sendDeposit, setReferrer, VENUE_DEPLOYMENTS, venueAction,
  withdrawFromVenue,
} from '@runeport/client/venue';
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
    token: 'USDC:0xeb62eee3685fc4c43992febcd9e75443', amount: '2.5', fromSubAccount: '',
  },
};

const mainnetUsdc = 'USDC:0x6d1e7cde53ba9467b783cb7c530ce054';

/** Checks that the wallet signed the request, and that the venue's own schema accepts it. */
async function isGood(body, schema, { name, chainId, types, message }) {
  assert.deepEqual(v.parse(schema, body), body);
  const { r, s, v: parity } = body.signature;
  const [primaryType] = Object.keys(types);
  const domain = { name, version: '1', chainId, verifyingContract: zeroAddress };
  const signature = serializeSignature({ r, s, v: BigInt(parity) });
  assert.ok(await verifyTypedData({ address: userAddress, domain, types, primaryType, message, signature }));
}

test('a referral is signed as an L1 action of the right network', async () => {
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
    await assert.rejects(setReferrer(answers({ action }), account, { userAddress, venueChain: 'Testnet' }), { key: 'client.venueActionRefused' });
  }
});

test('a builder fee above the limit is not approved', async () => {
  const api = answers({ kind: 'approve_builder_fee', action: actions.fee });
  const { body } = await approveBuilderFee(api, account, { userAddress }, { nonce });
  const { venueChain: hyperliquidChain, ...rest } = actions.fee;
  assert.deepEqual(body.action, { ...rest, hyperliquidChain, nonce });
  const signed = { name: 'HyperliquidSignTransaction', chainId: 998, types: ApproveBuilderFeeTypes, message: body.action };
  await isGood(body, ApproveBuilderFeeRequest, signed);
  for (const wrong of [{ maxFeeRate: '0.11%' }, { maxFeeRate: 'all' }, { maxFeeRate: '0.05' }, { maxFeeRate: '0.05%0%' }, { maxFeeRate: '-1%' }, { type: 'sendAsset' }]) {
    await assert.rejects(approveBuilderFee(answers({ action: { ...actions.fee, ...wrong } }), account), { key: 'client.venueActionRefused' });
  }
  await assert.rejects(approveBuilderFee(api, account, { mostFeeRate: '0.04%' }), { key: 'client.venueActionRefused' });
});

test('a withdrawal pays the requested amount to the wallet itself', async () => {
  const ask = (action, amount = '2.50', more = { venueChain: 'Testnet' }) =>
    withdrawFromVenue(answers({ kind: 'withdraw', action }), account, { userAddress, amount, ...more }, { nonce });
  const { body, metaData: told } = await ask(actions.withdrawal);
  assert.deepEqual(told, metaData);
  await isGood(body, SendAssetRequest, { name: 'HyperliquidSignTransaction', chainId: 998, types: SendAssetTypes, message: body.action });
  for (const wrong of [
    { destination: `0x${'ee'.repeat(20)}` }, { amount: '25' }, { type: 'usdSend' }, { token: `PURR:0x${'cd'.repeat(16)}` },
    { fromSubAccount: `0x${'ee'.repeat(20)}` }, { destinationDex: '' }, { sourceDex: 'other' }, { venueChain: 'Mainnet' },
    { token: `USDC:0x${'cd'.repeat(16)}` }, { token: mainnetUsdc }, { amount: '2.5000001' }, { amount: '-2.5' }, { amount: '2.5 ' }, { amount: '0x2' },
  ]) await assert.rejects(ask({ ...actions.withdrawal, ...wrong }), { key: 'client.venueActionRefused' }, JSON.stringify(wrong));
  for (const amount of ['2.5000004', '2,5', '-2.5', '', '0', '0.0', '2.5 ', '02.5', '2.', '.5', '1e1', '٢.٥']) {
    await assert.rejects(ask({ ...actions.withdrawal, amount }, amount), { key: 'client.amountInvalid' }, amount);
  }
  // Without `venueChain`, only Mainnet withdrawals are accepted.
  await assert.rejects(ask(actions.withdrawal, '2.5', {}), { key: 'client.venueActionRefused' });
  const mainnet = { ...actions.withdrawal, venueChain: 'Mainnet', signatureChainId: '0x3e7', token: mainnetUsdc, sourceDex: 'spot' };
  assert.equal((await ask(mainnet, '2.5', {})).body.action.hyperliquidChain, 'Mainnet');
  const own = `USDC:0x${'cd'.repeat(16)}`;
  await ask({ ...actions.withdrawal, token: own }, '2.5', { venueChain: 'Testnet', usdcToken: own });
  const no = { address: userAddress, signTypedData: () => Promise.reject(new Error('no')) };
  await assert.rejects(
    withdrawFromVenue(answers({ action: actions.withdrawal }), no, { userAddress, amount: '2.5', venueChain: 'Testnet' }), { key: 'client.walletRefused' },
  );
});

const abi = parseAbi([
  'function approve(address spender, uint256 value)', 'function deposit(uint256 amount, uint32 destinationDex)',
  'function transfer(address to, uint256 value)',
]);
const encode = (functionName, ...args) => encodeFunctionData({ abi, functionName, args });
const { usdcToken, depositContract } = VENUE_DEPLOYMENTS[998];
const stranger = `0x${'ee'.repeat(20)}`;
const tx = (to, data, chainId = 998) => ({ chainId, to, data, value: '0x0' });
/** A consistent deposit with the given chain and contracts. */
const depositAt = ({ usdcToken: usdc, depositContract: contract, chainId = 998, rpcUrl = 'http://rpc' }) => ({
  usdcToken: usdc, depositContract: contract, rpcUrl, from: userAddress, amount: '10.5',
  txs: [tx(usdc, encode('approve', contract, 10_500_000n), chainId), tx(contract, encode('deposit', 10_500_000n, 0), chainId)],
});

test('a deposit only approves and deposits the amount', async () => {
  const deposit = (approval, transfer, more) => {
    const { txs: [first, second], ...rest } = depositAt({ usdcToken, depositContract });
    return { ...rest, txs: [{ ...first, ...approval }, { ...second, ...transfer }], ...more };
  };
  const ask = (data, amount = '10.50') => createDeposit(answers(data), { userAddress: userAddress.toLowerCase(), amount });
  assert.equal((await ask(deposit())).deposit.amount, '10.5');
  for (const wrong of [
    deposit({ data: encode('approve', depositContract, 10_500_001n) }),
    deposit({ data: encode('approve', stranger, 10_500_000n) }),
    deposit({ data: `${encode('approve', depositContract, 10_500_000n)}00` }),
    deposit({ to: stranger }),
    deposit({ value: '0x1' }),
    deposit({ chainId: 1 }),
    deposit({}, { chainId: 999 }),
    deposit({}, { data: encode('transfer', stranger, 10_500_000n) }),
    deposit({}, { data: encode('deposit', 10_500_000n, 1) }),
    deposit({}, { data: encode('deposit', 105n, 0) }),
    deposit({}, { to: stranger }),
    deposit({}, { value: '0xde0b6b3a7640000' }),
    deposit({}, {}, { from: stranger }),
    // The stated amount must match the transactions.
    deposit({}, {}, { amount: '1' }),
    deposit({}, {}, { amount: '10.5000001' }),
    { ...deposit(), txs: deposit().txs.slice(0, 1) },
    { ...deposit(), txs: [...deposit().txs, tx(stranger, '0x')] },
  ]) await assert.rejects(ask(wrong), { key: 'client.venueActionRefused' }, JSON.stringify(wrong));
  for (const amount of ['10.5000004', '-10.5', '10,5', '1e1', '', '0', '010.5', '10 .5', '10.']) {
    await assert.rejects(ask(deposit(), amount), { key: 'client.amountInvalid' }, amount);
  }
});

test('actions and transactions have a form for the SDKs', async () => {
  const action = venueAction(actions.withdrawal, nonce);
  const { body } = await withdrawFromVenue(
    answers({ kind: 'withdraw', action: actions.withdrawal }), account, { userAddress, amount: '2.5', venueChain: 'Testnet' }, { nonce });
  assert.deepEqual(action, body.action);
  const { venueChain, ...rest } = actions.withdrawal;
  assert.deepEqual(action, { ...rest, hyperliquidChain: venueChain, nonce });
  assert.throws(() => venueAction({ ...actions.fee, signatureChainId: '998' }, nonce), { key: 'client.venueActionRefused' });
  const [approval] = depositAt({ usdcToken, depositContract }).txs;
  assert.deepEqual(depositRequest(approval), { to: approval.to, data: approval.data, value: 0n });
  assert.throws(() => depositRequest({ ...approval, to: 'usdc' }), { key: 'client.venueActionRefused' });
});

test('a deposit uses the published USDC and deposit contract of its chain', () => {
  const wbtc = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599';
  const check = (at, place) => checkDeposit(depositAt(at), { userAddress, amount: '10.5' }, place);
  const [mainnet, testnet] = [{ chainId: 999, ...VENUE_DEPLOYMENTS[999] }, { chainId: 998, ...VENUE_DEPLOYMENTS[998] }];
  check(mainnet);
  check(testnet);
  check(mainnet, { chainId: 999 });
  check({ ...testnet, usdcToken: testnet.usdcToken.toLowerCase() });
  const own = { usdcToken: wbtc, depositContract: stranger };
  check({ chainId: 31_337, ...own }, { chainId: 31_337, deployment: own });
  for (const [at, place] of [
    [{ ...testnet, usdcToken: wbtc }], [{ ...testnet, depositContract: stranger }], [{ ...testnet, chainId: 1 }], [{ ...testnet, chainId: 999 }],
    [{ chainId: 1, usdcToken: wbtc, depositContract: stranger }], [{ ...mainnet, chainId: 998 }],
    [testnet, { chainId: 999 }], [mainnet, { chainId: 998 }],
    [{ chainId: 31_337, ...own }, { chainId: 31_337 }], [{ chainId: 1, ...own }, { chainId: 31_337, deployment: own }],
    [testnet, { chainId: 998, deployment: own }],
    // Own contracts need their chain.
    [{ chainId: 1, ...own }, { deployment: own }],
  ]) assert.throws(() => check(at, place), { key: 'client.venueActionRefused' }, JSON.stringify([at, place]));
});

/** A chain that mines the hashes in `mined`, and a wallet that sends every transaction. */
async function evm(context) {
  const mined = new Set();
  const sent = [];
  let height = 16;
  const hashOf = (index) => `0x${String(index + 1).padStart(64, '0')}`;
  const waiting = new Map();
  /** Resolves once somebody waits for a transaction that is not mined. */
  const awaited = (hash) => new Promise((resolve) => { waiting.set(hash, resolve); });
  const answer = ({ method, params }) => {
    if (method === 'eth_blockNumber') return `0x${(height += 1).toString(16)}`;
    if (method !== 'eth_getTransactionReceipt') return null;
    if (!mined.has(params[0])) {
      waiting.get(params[0])?.();
      return null;
    }
    return {
      transactionHash: params[0], blockHash: `0x${'01'.repeat(32)}`, blockNumber: '0x10', transactionIndex: '0x0', status: '0x1', logs: [],
      from: userAddress, to: stranger, cumulativeGasUsed: '0x1', gasUsed: '0x1', effectiveGasPrice: '0x1', logsBloom: '0x', type: '0x2', contractAddress: null,
    };
  };
  const server = createServer(async (request, response) => {
    const question = JSON.parse(Buffer.concat(await request.toArray()).toString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: answer(question) }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const wallet = {
    account,
    async sendTransaction({ to, data, value, chain: { id } }) {
      sent.push({ to, data, value, chainId: id });
      return hashOf(sent.length - 1);
    },
  };
  return { mined, sent, hashOf, awaited, wallet, rpcUrl: `http://127.0.0.1:${server.address().port}` };
}

test('a deposit is sent once its approval is mined', async (context) => {
  const { mined, sent, hashOf, wallet, rpcUrl } = await evm(context);
  const deposit = depositAt({ usdcToken, depositContract, rpcUrl });
  const told = [];
  const sending = sendDeposit(wallet, deposit, { pollingInterval: 5, onSent: (hashes) => { told.push(hashes); mined.add(hashOf(told.length - 1)); } });
  const { approvalHash, depositHash, receipt } = await sending;
  assert.deepEqual([approvalHash, depositHash, receipt.status], [hashOf(0), hashOf(1), 'success']);
  assert.deepEqual(told, [{ approvalHash }, { approvalHash, depositHash }]);
  assert.deepEqual(sent, deposit.txs.map(({ to, data, chainId }) => ({ to, data, value: 0n, chainId })));
});

test('if the deposit fails a check, nothing is sent', async (context) => {
  const { sent, wallet, rpcUrl } = await evm(context);
  for (const [wrong, place] of [
    [depositAt({ usdcToken: stranger, depositContract, rpcUrl })], [depositAt({ usdcToken, depositContract: stranger, rpcUrl })],
    [depositAt({ usdcToken, depositContract, rpcUrl, chainId: 1 })], [depositAt({ usdcToken, depositContract, rpcUrl }), { chainId: 999 }],
    [{ ...depositAt({ usdcToken, depositContract, rpcUrl }), from: stranger }], [{ ...depositAt({ usdcToken, depositContract, rpcUrl }), amount: '1' }],
  ]) await assert.rejects(sendDeposit(wallet, wrong, { pollingInterval: 5, ...place }), { key: 'client.venueActionRefused' }, JSON.stringify(wrong));
  assert.deepEqual(sent, []);
});

test('a deposit that stopped after its approval can be resumed', { timeout: 180_000 }, async (context) => {
  const { mined, sent, hashOf, awaited, wallet, rpcUrl } = await evm(context);
  const deposit = depositAt({ usdcToken, depositContract, rpcUrl });
  const controller = new AbortController();
  const reason = new Error('enough');
  let resume;
  const onSent = (hashes) => { resume = hashes; };
  const isAwaited = awaited(hashOf(0));
  const sending = sendDeposit(wallet, deposit, { pollingInterval: 5, signal: controller.signal, onSent });
  void isAwaited.then(() => controller.abort(reason));
  await assert.rejects(sending, (error) => error === reason);
  assert.deepEqual([sent.length, resume], [1, { approvalHash: hashOf(0) }]);
  mined.add(hashOf(0)).add(hashOf(1));
  assert.equal((await sendDeposit(wallet, deposit, { pollingInterval: 5, resume, onSent })).depositHash, hashOf(1));
  assert.deepEqual(sent.map(({ to }) => to), [usdcToken, depositContract]);
  // If both transactions were sent, neither is sent again.
  await sendDeposit(wallet, deposit, { pollingInterval: 5, resume });
  assert.equal(sent.length, 2);
});
