// A deposit at the venue, as a frontend does it with viem: the service builds an approval and a
// deposit, the wallet checks and signs both, the EVM mines them.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 node infra/local/tests/venue/deposit.mjs
//
// KEY is the wallet's private key, random where it is missing. Exits with 0 if every answer is as
// it should be.

import assert from 'node:assert/strict';
import { call, PATIENCE, require, signIn } from './service.mjs';

const {
  createPublicClient, decodeEventLog, decodeFunctionData, getAddress, http, parseAbi,
} = require('viem');
const { generatePrivateKey, privateKeyToAccount } = require('viem/accounts');

const abi = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function deposit(uint256 amount, uint32 destinationDex)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function credited(address account) view returns (uint64)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event NewCoreAccountFeeApplied(address indexed coreRecipient, uint64 newCoreAccountFee,'
    + ' uint256 evmDepositAmount, uint64 coreSentAmount)',
  'event SendAsset(address indexed coreRecipient, uint64 coreAmount)',
]);
const system = '0x2000000000000000000000000000000000000000';

/** Asks for a deposit, checks every part of the answer, and returns what the service has built. */
async function askDeposit(account, token, amount, { canonical, units }) {
  const answer = await call('POST', '/api/perp-venue/deposit', {
    token,
    body: { userAddress: account.address, amount },
  });
  assert.deepEqual(Object.keys(answer), ['code', 'message', 'data', 'metaData']);
  assert.deepEqual([answer.code, answer.message], ['1', 'common.success']);
  const { data } = answer;
  assert.deepEqual(Object.keys(data), ['usdcToken', 'depositContract', 'rpcUrl', 'from', 'amount', 'txs']);
  assert.equal(getAddress(data.from), account.address);
  assert.equal(data.amount, canonical);
  const [usdc, contract] = [getAddress(data.usdcToken), getAddress(data.depositContract)];

  assert.equal(data.txs.length, 2);
  const [approval, deposit] = data.txs;
  for (const [tx, to] of [[approval, usdc], [deposit, contract]]) {
    assert.deepEqual(Object.keys(tx), ['chainId', 'to', 'data', 'value']);
    assert.equal(typeof tx.chainId, 'number');
    assert.equal(tx.chainId, approval.chainId);
    assert.equal(tx.to, to);
    assert.match(tx.data, /^0x([0-9a-f]{2})+$/);
    assert.equal(tx.value, '0x0');
    // USDC that is transferred to the contract, rather than deposited, is lost.
    assert(!tx.data.startsWith('0xa9059cbb'), 'a transfer');
  }
  assert.deepEqual(data.txs.map((tx) => decodeFunctionData({ abi, data: tx.data })), [
    { functionName: 'approve', args: [contract, units] },
    { functionName: 'deposit', args: [units, 0] },
  ]);
  // Longer data would decode as well.
  assert.deepEqual(data.txs.map((tx) => tx.data.length), [138, 138]);
  return { usdc, contract, rpcUrl: data.rpcUrl, approval, deposit };
}

/** A wallet on the chain of a deposit. */
class Wallet {
  constructor(account, { usdc, contract, rpcUrl }) {
    Object.assign(this, { account, usdc, contract });
    this.client = createPublicClient({ transport: http(rpcUrl, { timeout: PATIENCE }), pollingInterval: 100 });
  }

  /** Signs transactions, with nonces one after another. */
  async sign(txs) {
    const { address } = this.account;
    const fees = await this.client.estimateFeesPerGas();
    const nonce = await this.client.getTransactionCount({ address, blockTag: 'pending' });
    return Promise.all(txs.map((tx, index) => this.account.signTransaction({
      ...tx, ...fees, type: 'eip1559', value: BigInt(tx.value), nonce: nonce + index,
    })));
  }

  async broadcast(serializedTransaction) {
    const hash = await this.client.sendRawTransaction({ serializedTransaction });
    return this.client.waitForTransactionReceipt({ hash, timeout: PATIENCE });
  }

  /** Approves and deposits; answers what the deposit's receipt logs. */
  async deposit({ approval, deposit }) {
    assert.equal(await this.client.getChainId(), approval.chainId);
    const { address } = this.account;
    const gas = await this.client.estimateGas({ account: address, to: approval.to, data: approval.data });
    // A deposit that nothing is approved for yet cannot be estimated.
    const signed = await this.sign([{ ...approval, gas }, { ...deposit, gas: 300_000n }]);
    const receipts = [];
    for (const tx of signed) receipts.push(await this.broadcast(tx));
    assert.deepEqual(receipts.map(({ status }) => status), ['success', 'success']);
    return receipts[1].logs.map(({ address: emitter, data, topics }) => {
      const { eventName, args } = decodeEventLog({ abi, data, topics });
      return [getAddress(emitter), eventName, ...Object.values(args)];
    });
  }

  /** The amounts that a deposit changes: the balance, the allowance, and the credit. */
  async state() {
    const { account: { address: mine }, usdc, contract } = this;
    const read = (address, functionName, ...args) =>
      this.client.readContract({ address, abi, functionName, args });
    return Promise.all([
      read(usdc, 'balanceOf', mine), read(usdc, 'allowance', mine, contract), read(contract, 'credited', mine),
    ]);
  }
}

const account = privateKeyToAccount(process.env.KEY || generatePrivateKey());
const token = await signIn(account);
await call('POST', '/_local/venue', {
  body: { address: account.address, usdc: '25.5', gas: '1', exists: true },
});
const asked = await askDeposit(account, token, '10.50', { canonical: '10.5', units: 10_500_000n });
const { usdc, contract } = asked;
const wallet = new Wallet(account, asked);
const [, , creditedBefore] = await wallet.state();
const logs = await wallet.deposit(asked);
assert.deepEqual(logs, [
  [usdc, 'Transfer', account.address, contract, 10_500_000n],
  [contract, 'Transfer', contract, system, 10_500_000n],
  [contract, 'SendAsset', account.address, 1_050_000_000n],
]);
const after = await wallet.state();
assert.deepEqual(after, [15_000_000n, 0n, creditedBefore + 1_050_000_000n]);
console.log(`${account.address} deposited 10.5 USDC`);

// The approval is used up.
const [again] = await wallet.sign([{ ...asked.deposit, gas: 300_000n }]);
assert.equal((await wallet.broadcast(again)).status, 'reverted');
assert.deepEqual(await wallet.state(), after);
console.log('the same deposit once more is reverted');

// A wallet that is new at the venue pays for its account.
const stranger = privateKeyToAccount(generatePrivateKey());
const strangerToken = await signIn(stranger);
await call('POST', '/_local/venue', {
  body: { address: stranger.address, usdc: '5', gas: '1', exists: false },
});
const first = await askDeposit(stranger, strangerToken, '5', { canonical: '5', units: 5_000_000n });
const newcomer = new Wallet(stranger, first);
const firstLogs = await newcomer.deposit(first);
assert.deepEqual(firstLogs.filter(([, event]) => event !== 'Transfer'), [
  [contract, 'NewCoreAccountFeeApplied', stranger.address, 100_000_000n, 5_000_000n, 400_000_000n],
  [contract, 'SendAsset', stranger.address, 400_000_000n],
]);
assert.deepEqual(await newcomer.state(), [0n, 0n, 400_000_000n]);
console.log(`${stranger.address} deposited 5 USDC, of which 1 paid for the account`);
