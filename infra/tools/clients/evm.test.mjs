// Wallets of EVM chains. What the service builds goes into each package as it comes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { authenticate, call, challenge, post, require } from './service.mjs';

const ethers = require('ethers');
const { SiweMessage } = require('siwe');
const { createPublicClient, createWalletClient, defineChain, http } = require('viem');
const { privateKeyToAccount } = require('viem/accounts');
const { Web3 } = require('web3');

/** A wallet that is signed in, with 100 USDC and gas on the venue's chain and 12 USDC at the venue. */
async function funded() {
  const key = `0x${randomBytes(32).toString('hex')}`;
  const wallet = new ethers.Wallet(key);
  const { address } = wallet;
  const { challengeId, message } = await challenge(address, 'evm');
  const token = await authenticate({ challengeId, signature: await wallet.signMessage(message), address, chain: 'evm' });
  await call('POST', '/_local/venue', { body: { address, usdc: '100', gas: '1', exists: true, venueBalance: '12' } });
  const build = (path, body = {}) => post(`/api/perp-venue/${path}`, { userAddress: address, ...body }, token);
  return { key, wallet, address, build, deposit: () => build('deposit', { amount: '10.5' }) };
}

test('siwe: reads a challenge, writes it again byte for byte, and verifies its signature', async () => {
  const wallet = ethers.Wallet.createRandom();
  const { challengeId, message } = await challenge(wallet.address, 'evm');
  const read = new SiweMessage(message);
  assert.equal(read.prepareMessage(), message);
  assert.equal(read.address, wallet.address);
  assert.equal(read.requestId, challengeId);
  const signature = await wallet.signMessage(message);
  const { domain, nonce, issuedAt: time } = read;
  const { success } = await read.verify({ signature, domain, nonce, time });
  assert.equal(success, true);
  await authenticate({ challengeId, signature, address: wallet.address, chain: 'evm' });
});

test('ethers: hashes each action of the venue to the digest of `signing`, and signs it', async () => {
  const { wallet, address, build } = await funded();
  for (const { action, signing } of [await build('withdraw', { amount: '2.5' }), await build('builder-fee-approval')]) {
    const { domain, types, primaryType, nonce, digest } = signing;
    const form = { ...action, hyperliquidChain: action.venueChain, nonce };
    const signed = Object.fromEntries(types[primaryType].map(({ name }) => [name, form[name]]));
    assert.equal(ethers.TypedDataEncoder.hash(domain, types, signed), digest);
    const signature = await wallet.signTypedData(domain, types, signed);
    assert.equal(ethers.recoverAddress(digest, signature), address);
  }
  const { action, signing: { domain, types, nonce, digest } } = await build('referral');
  // MessagePack: a map of two entries with short texts.
  const texts = Object.entries(action).flat().map((text) => [0xa0 | text.length, ...Buffer.from(text)]);
  const bytes = Buffer.concat([Buffer.from([0x82, ...texts.flat()]), Buffer.alloc(9)]);
  bytes.writeBigUInt64BE(BigInt(nonce), bytes.length - 9);
  const agent = { source: 'b', connectionId: ethers.keccak256(bytes) };
  assert.equal(ethers.TypedDataEncoder.hash(domain, types, agent), digest);
});

test('ethers: sends both transactions of a deposit as they are built', async () => {
  const { key, deposit } = await funded();
  const { rpcUrl, txs: [approval, transfer] } = await deposit();
  const wallet = new ethers.NonceManager(new ethers.Wallet(key, new ethers.JsonRpcProvider(rpcUrl, undefined, { pollingInterval: 100 })));
  for (const tx of [approval, { ...transfer, gasLimit: 300_000 }]) {
    const sent = await wallet.sendTransaction(tx);
    assert.equal((await sent.wait()).status, 1);
  }
});

test('web3: sends both transactions of a deposit as they are built', async () => {
  const { key, address, deposit } = await funded();
  const { rpcUrl, txs: [approval, transfer] } = await deposit();
  const web3 = new Web3(rpcUrl);
  web3.eth.transactionPollingInterval = 100;
  web3.eth.accounts.wallet.add(key);
  for (const tx of [approval, { ...transfer, gas: 300_000 }]) {
    assert.equal((await web3.eth.sendTransaction({ ...tx, from: address })).status, 1n);
  }
});

test('viem: a browser wallet sends both transactions of a deposit as they are built', async () => {
  const { address, deposit } = await funded();
  const { rpcUrl, txs: [approval, transfer] } = await deposit();
  const { publicClient, walletClient } = viem(rpcUrl, approval.chainId, address);
  await publicClient.request({ method: 'anvil_impersonateAccount', params: [address] });
  for (const tx of [approval, { ...transfer, gas: 300_000n }]) {
    const hash = await walletClient.sendTransaction(tx);
    assert.equal((await publicClient.waitForTransactionReceipt({ hash })).status, 'success');
  }
});

test('viem: a local account sends both transactions of a deposit with `value` as a bigint', async () => {
  const { key, deposit } = await funded();
  const { rpcUrl, txs: [approval, transfer] } = await deposit();
  const { publicClient, walletClient } = viem(rpcUrl, approval.chainId, privateKeyToAccount(key));
  for (const tx of [approval, { ...transfer, gas: 300_000n }]) {
    const hash = await walletClient.sendTransaction({ ...tx, value: BigInt(tx.value) });
    assert.equal((await publicClient.waitForTransactionReceipt({ hash })).status, 'success');
  }
});

// If this fails after an update of a package, one text may suit all: see "Deposit" in docs/guides/venue.md.
test('no text of a `value` of zero suits every package, and `0x0` suits all but a local account of viem', async () => {
  const { key, address, deposit } = await funded();
  const { rpcUrl, txs: [built] } = await deposit();
  assert.equal(built.value, '0x0');
  const account = viem(rpcUrl, built.chainId, privateKeyToAccount(key));
  const browser = viem(rpcUrl, built.chainId, address);
  await browser.publicClient.request({ method: 'anvil_impersonateAccount', params: [address] });
  // Without the cache, in which the next nonce would be the last one.
  const wallet = new ethers.Wallet(key, new ethers.JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1, pollingInterval: 100 }));
  const ways = {
    'viem, local': (tx) => account.walletClient.sendTransaction(tx),
    'viem, browser': (tx) => browser.walletClient.sendTransaction(tx),
    ethers: async (tx) => (await wallet.sendTransaction(tx)).wait(),
  };
  const takes = {};
  for (const value of ['0x0', '0', '0x00', '0x', '']) {
    takes[value] = [];
    for (const [way, send] of Object.entries(ways)) {
      const isSent = await send({ ...built, value }).then(() => true, () => false);
      if (isSent) takes[value].push(way);
    }
  }
  assert.deepEqual(takes, {
    '0x0': ['viem, browser', 'ethers'], 0: ['viem, browser', 'ethers'], '0x00': ['viem, browser', 'ethers'], '0x': [], '': ['viem, local', 'viem, browser'],
  });
});

/** viem's clients of a chain, for an account or an address of a browser wallet. */
function viem(rpcUrl, id, account) {
  const nativeCurrency = { name: 'HYPE', symbol: 'HYPE', decimals: 18 };
  const chain = defineChain({ id, name: 'HyperEVM', nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } });
  const transport = http(rpcUrl);
  return {
    publicClient: createPublicClient({ chain, transport, pollingInterval: 100 }),
    walletClient: createWalletClient({ account, chain, transport }),
  };
}
