// The wallets of a browser: each fake behaves as the published documentation of its wallet says.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { base58, base64, hex } from '@scure/base';
import { ed25519 } from '@noble/curves/ed25519.js';
import { recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { proveWallet } from '@runeport/client';
import { checkSigned } from '@runeport/client/bitcoin';
import { withdraw } from '@runeport/client/wallet';
import { discoverWallets } from '@runeport/client/wallets';
import { bitcoinKeyWallet, leatherWallet, satsConnectWallet } from '@runeport/client/wallets/bitcoin';
import { solanaKeyWallet, standardSolanaWallet } from '@runeport/client/wallets/solana';
import { runExample } from './readme.mjs';
import { challengeText, ok, played } from './service.mjs';
import { issued, key, recipient, trading, user } from './trading.mjs';

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

beforeEach(() => { globalThis.window = new EventTarget(); });

/** Searches until `stop`; `found` grows. */
function search(context, options) {
  const [found, controller] = [[], new AbortController()];
  const over = (async () => {
    for await (const wallet of discoverWallets({ ...options, signal: controller.signal })) found.push(wallet);
  })();
  const stop = async () => {
    controller.abort();
    await over;
  };
  context.after(stop);
  return { found, stop };
}

const named = (found) => found.map(({ name, chains }) => `${name}: ${chains}`);
const refusal = (code, message) => Object.assign(new Error(message), { code });
const walletRefused = (about, cause) => (error) => {
  assert.equal(error.key, 'client.walletRefused');
  assert.match(error.message, about);
  if (cause) assert.deepEqual(error.cause, cause);
  return true;
};

/** UniSat: hex, promises that reject with `{code, message}`, accounts only after `requestAccounts`. */
function unisat(wallet = user, { rejects = false } = {}) {
  let isConnected = false;
  const asked = [];
  const may = (method, ...parameters) => {
    asked.push([method, ...parameters]);
    if (rejects) throw refusal(4001, 'User rejected the request.');
    if (!isConnected) throw refusal(4100, 'The requested account and/or method has not been authorized by the user.');
  };
  return {
    asked,
    async requestAccounts() {
      isConnected = !rejects;
      may('requestAccounts');
      return [wallet.address];
    },
    async getPublicKey() {
      may('getPublicKey');
      return wallet.publicKey;
    },
    async signMessage(text, type = 'ecdsa') {
      may('signMessage', type);
      return type === 'bip322-simple' ? wallet.signMessage(text) : 'ecdsa';
    },
    async signPsbt(psbtHex, { autoFinalized = true, toSignInputs }) {
      may('signPsbt', { autoFinalized, toSignInputs });
      return hex.encode(base64.decode(await wallet.signPsbt(base64.encode(hex.decode(psbtHex)), toSignInputs.map(({ index }) => index))));
    },
  };
}

/** Xverse: base64, promises that resolve with an error, addresses only after a connection. */
function xverse({ wallet = user, methods = ['wallet_connect', 'getAccounts', 'signMessage', 'signPsbt'], rejects = [] } = {}) {
  let isConnected = false;
  const asked = [];
  const address = { address: wallet.address, publicKey: wallet.publicKey, purpose: 'payment', addressType: 'p2wpkh', walletType: 'software' };
  const ordinals = { ...address, address: 'bc1pordinals', publicKey: '00'.repeat(32), purpose: 'ordinals', addressType: 'p2tr' };
  const of = (purposes) => [ordinals, address].filter(({ purpose }) => purposes.includes(purpose));
  const results = {
    wallet_connect: ({ addresses }) => {
      isConnected = true;
      return { id: 'account', addresses: of(addresses), walletType: 'software', network: {} };
    },
    getAccounts: ({ purposes }) => {
      isConnected = true;
      return of(purposes);
    },
    signMessage: async ({ address: by, message, protocol }) => ({
      signature: await wallet.signMessage(message), messageHash: '', address: by, protocol,
    }),
    signPsbt: async ({ psbt, signInputs, broadcast }) => {
      assert.equal(broadcast, false);
      return { psbt: await wallet.signPsbt(psbt, signInputs[wallet.address]) };
    },
  };
  return {
    asked,
    async request(method, params) {
      asked.push([method, params]);
      const answer = (more) => ({ jsonrpc: '2.0', id: 'x', ...more });
      const error = (code, message) => answer({ error: { code, message } });
      if (!methods.includes(method)) return error(-32601, 'Method not found.');
      if (rejects.includes(method)) return error(-32000, 'User rejected request to connect.');
      if (method.startsWith('sign') && !isConnected) return error(-32002, 'Access denied.');
      return answer({ result: await results[method](params) });
    },
  };
}

/** Leather: hex, promises that reject with the whole response. */
function leather({ rejects = [], path = "m/84'/1'/3'/0/0" } = {}) {
  const asked = [];
  const results = {
    getAddresses: () => ({ addresses: [
      { symbol: 'STX', address: 'SP1', publicKey: '02' },
      { symbol: 'BTC', type: 'p2tr', address: 'bc1pother', publicKey: '03', derivationPath: "m/86'/1'/3'/0/0", descriptor: '', tweakedPublicKey: '' },
      { symbol: 'BTC', type: 'p2wpkh', address: user.address, publicKey: user.publicKey, derivationPath: path, descriptor: '' },
    ] }),
    signMessage: async ({ message, paymentType }) => {
      assert.equal(paymentType, 'p2wpkh');
      return { signature: await user.signMessage(message), address: user.address, message };
    },
    signPsbt: async ({ hex: psbt, signAtIndex, broadcast }) => {
      assert.equal(broadcast, false);
      return { hex: hex.encode(base64.decode(await user.signPsbt(base64.encode(hex.decode(psbt)), signAtIndex))) };
    },
  };
  return {
    asked,
    async request(method, params) {
      asked.push([method, params]);
      if (rejects.includes(method)) throw { jsonrpc: '2.0', id: 'x', error: { code: 4001, message: 'User rejected' } };
      return { jsonrpc: '2.0', id: 'x', result: await results[method](params) };
    },
  };
}

/** EIP-6963: announces itself when it loads, and whenever a page asks. */
function announce({ name, uuid, icon = 'data:image/png;base64,AA==', provider }) {
  const detail = Object.freeze({ info: Object.freeze({ uuid, name, icon, rdns: 'org.example' }), provider });
  const say = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', say);
  say();
}

function eip1193(account, { rejects = [] } = {}) {
  return {
    async request({ method, params }) {
      if (rejects.includes(method)) throw refusal(4001, 'User rejected the request.');
      if (method === 'eth_requestAccounts') return [account.address];
      assert.equal(method, 'personal_sign');
      assert.equal(params[1], account.address);
      return account.signMessage({ message: { raw: params[0] } });
    },
  };
}

/** The Wallet Standard: registers itself when it loads, and when an app is ready. */
function register(wallet) {
  const callback = ({ register: take }) => take(wallet);
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
  window.addEventListener('wallet-standard:app-ready', ({ detail: api }) => callback(api));
}

function standardWallet({ name = 'Phantom', seed = key(9), chains = ['solana:mainnet'], rejects = [], more = {} } = {}) {
  const account = {
    address: solanaKeyWallet(seed).address, publicKey: ed25519.getPublicKey(seed), chains, features: ['solana:signMessage'],
  };
  return {
    version: '1.0.0', name, icon: 'data:image/svg+xml;base64,PHN2Zy8+', chains, accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          if (rejects.includes('connect')) throw new Error('User rejected the request.');
          return { accounts: [{ ...account, chains: ['sui:mainnet'], features: [], address: '0x1' }, account] };
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        async signMessage(...inputs) {
          if (rejects.includes('signMessage')) throw new Error('User rejected the request.');
          return inputs.map(({ account: by, message }) => {
            assert.equal(by, account);
            return { signedMessage: message, signature: ed25519.sign(message, seed) };
          });
        },
      },
      ...more,
    },
  };
}

/** Proves a wallet as a sign-in does; returns the proof and the text. */
async function proof(wallet) {
  const chain = { bitcoin: 'Bitcoin', evm: 'Ethereum', solana: 'Solana' }[wallet.chain];
  const message = challengeText({ chain, address: wallet.address });
  const { api } = played(() => ok({ challengeId: 'c1', message }));
  return { message, ...(await proveWallet(api, wallet, 'signIn')) };
}

const told = issued([{ sats: 50_000 }, { sats: 10_000 }], [{ sats: 30_000, to: recipient.address }, { sats: 29_000, to: trading }]);

/** Signs in and signs both inputs of a transaction. */
async function signsEverything(wallet) {
  const { signature, message, provider, address, publicKey } = await proof(wallet);
  assert.equal(signature, await user.signMessage(message));
  assert.deepEqual([address, publicKey], [user.address, user.publicKey]);
  checkSigned(await wallet.signPsbt(told.base64Psbt, [0, 1]), told.txId, [0, 1]);
  return provider;
}

test('UniSat and OKX are found where they put themselves', async (context) => {
  const [one, two] = [unisat(), unisat()];
  Object.assign(window, { unisat: one, okxwallet: { bitcoin: two } });
  const { found } = search(context);
  await settled();
  assert.deepEqual(named(found), ['UniSat Wallet: bitcoin', 'OKX Wallet: bitcoin']);
  assert.equal(await signsEverything(await found[0].connect()), 'UniSat Wallet');
  assert.equal(await signsEverything(await found[1].connect()), 'OKX Wallet');
  const signed = ['signPsbt', {
    autoFinalized: false, toSignInputs: [0, 1].map((index) => ({ index, publicKey: user.publicKey, sighashTypes: [1] })),
  }];
  for (const { asked } of [one, two]) {
    assert.deepEqual(asked, [['requestAccounts'], ['getPublicKey'], ['signMessage', 'bip322-simple'], signed]);
  }
});

test('Xverse and Leather are found in either list, with their icons', async (context) => {
  const [one, two] = [xverse(), leather()];
  Object.assign(window, {
    XverseProviders: { BitcoinProvider: one }, LeatherProvider: two,
    btc_providers: [{ id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', icon: 'data:image/png;base64,AA==' }],
    wbip_providers: [{ id: 'LeatherProvider', name: 'Leather', icon: '' }, null, { id: 7 }, { id: 'Absent.Provider', name: 'Absent' }],
  });
  const { found } = search(context);
  await settled();
  assert.deepEqual(named(found), ['Xverse Wallet: bitcoin', 'Leather: bitcoin']);
  assert.deepEqual(found.map(({ icon }) => icon), ['data:image/png;base64,AA==', undefined]);
  await signsEverything(await found[0].connect());
  await signsEverything(await found[1].connect());
  assert.deepEqual(one.asked.map(([method]) => method), ['wallet_connect', 'signMessage', 'signPsbt']);
  assert.equal(one.asked[1][1].protocol, 'BIP322');
  assert.deepEqual(one.asked[2][1], { psbt: told.base64Psbt, signInputs: { [user.address]: [0, 1] }, broadcast: false });
  // The account that connected signs, whichever is selected later.
  assert.deepEqual(two.asked[2][1], {
    hex: hex.encode(base64.decode(told.base64Psbt)), signAtIndex: [0, 1], allowedSighash: [1], broadcast: false, account: 3,
  });
  assert.equal(two.asked[1][1].account, 3);
});

test('Xverse and Leather are found without a list', async (context) => {
  Object.assign(window, { XverseProviders: { BitcoinProvider: xverse() }, LeatherProvider: leather() });
  const { found } = search(context);
  await settled();
  assert.deepEqual(named(found), ['Xverse: bitcoin', 'Leather: bitcoin']);
  for (const { connect } of found) await signsEverything(await connect());
});

test('a wallet with an earlier Sats Connect has no wallet_connect', async () => {
  const provider = xverse({ methods: ['getAccounts', 'signMessage', 'signPsbt'] });
  await signsEverything(await satsConnectWallet(provider));
  assert.deepEqual(provider.asked[1], ['getAccounts', { purposes: ['payment'] }]);
});

test('for a nested SegWit address, Sats Connect signs a legacy message', async () => {
  const provider = xverse({ wallet: { ...user, address: '2N4Qhwg4YcZXyVwfnLJEvyvdkmeRWgZqDrP' } });
  await (await satsConnectWallet(provider)).signMessage('text');
  assert.equal(provider.asked[1][1].protocol, 'ECDSA');
});

test('Leather signs with the selected account if its path has none', async () => {
  const provider = leather({ path: '' });
  await (await leatherWallet(provider)).signMessage('text');
  assert.deepEqual(provider.asked[1][1], { message: 'text', paymentType: 'p2wpkh' });
});

test('a place that holds another kind of provider is no wallet', async (context) => {
  Object.assign(window, {
    unisat: { ...unisat(), isBinance: true }, LeatherProvider: 'Leather', XverseProviders: null,
    btc_providers: [{ id: 'Empty', name: 'Empty' }, { id: 'window.toString', name: 'Text' }], Empty: {},
  });
  const { found } = search(context);
  await settled();
  assert.deepEqual(found, []);
});

test('a wallet that two lists name is found once', async (context) => {
  const entry = { id: 'LeatherProvider', name: 'Leather', icon: '' };
  Object.assign(window, {
    LeatherProvider: leather(), unisat: unisat(), btc_providers: [entry, entry, { id: 'unisat', name: 'Unisat' }], wbip_providers: [entry],
  });
  const { found } = search(context);
  await settled();
  assert.deepEqual(named(found), ['Leather: bitcoin', 'Unisat: bitcoin']);
});

test('EVM wallets announce themselves before and after the search begins', async (context) => {
  const [one, two] = [privateKeyToAccount(`0x${'11'.repeat(32)}`), privateKeyToAccount(`0x${'22'.repeat(32)}`)];
  announce({ name: 'Early', uuid: 'a', provider: eip1193(one) });
  const { found } = search(context, { chains: ['evm'] });
  await settled();
  assert.deepEqual(named(found), ['Early: evm']);
  announce({ name: 'Late', uuid: 'b', provider: eip1193(two) });
  await settled();
  assert.deepEqual(named(found), ['Early: evm', 'Late: evm']);
  assert.equal(found[1].icon, 'data:image/png;base64,AA==');
  for (const [{ connect }, account] of [[found[0], one], [found[1], two]]) {
    const { message, signature, address, publicKey } = await proof(await connect());
    assert.equal(await recoverMessageAddress({ message, signature }), account.address);
    assert.deepEqual([address, publicKey], [account.address, '']);
  }
  // A second page asks, so all of them answer again.
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  await settled();
  assert.equal(found.length, 2);
});

test('two wallets of one name are two', async (context) => {
  const [one, two] = [privateKeyToAccount(`0x${'11'.repeat(32)}`), privateKeyToAccount(`0x${'22'.repeat(32)}`)];
  announce({ name: 'MetaMask', uuid: 'a', provider: eip1193(one) });
  announce({ name: 'MetaMask', uuid: 'b', provider: eip1193(two) });
  register(standardWallet({ name: 'MetaMask', seed: key(9) }));
  register(standardWallet({ name: 'MetaMask', seed: key(8) }));
  const { found } = search(context);
  await settled();
  assert.deepEqual(named(found), ['MetaMask: evm', 'MetaMask: evm', 'MetaMask: solana', 'MetaMask: solana']);
  const addresses = await Promise.all(found.map(async ({ connect }) => (await connect()).address));
  assert.deepEqual(addresses, [one.address, two.address, solanaKeyWallet(key(9)).address, solanaKeyWallet(key(8)).address]);
});

test('Solana wallets register before and after the search begins', async (context) => {
  register(standardWallet({ name: 'Early' }));
  const { found } = search(context, { chains: ['solana'] });
  register(standardWallet({ name: 'Late', seed: key(8) }));
  await settled();
  assert.deepEqual(named(found), ['Early: solana', 'Late: solana']);
  const wallet = await found[1].connect();
  const { message, signature, publicKey } = await proof(wallet);
  assert.ok(ed25519.verify(base64.decode(signature), new TextEncoder().encode(message), base58.decode(wallet.address)));
  assert.equal(publicKey, wallet.address);
});

test('wallets of other chains, and those that sign no messages, are left out', async (context) => {
  register(standardWallet({ chains: ['sui:mainnet'] }));
  const mute = standardWallet();
  delete mute.features['solana:signMessage'];
  register(mute);
  announce({ name: 'No provider', uuid: 'a' });
  announce({ name: ' \n', uuid: 'b', provider: eip1193({}) });
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider'));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet'));
  const { found } = search(context);
  await settled();
  assert.deepEqual(found, []);
  await assert.rejects(standardSolanaWallet(mute), { key: 'client.unsupported' });
});

test('a name fits what the service takes', async (context) => {
  announce({ name: `Line\n${'🦊'.repeat(70)}`, uuid: 'a', provider: eip1193(privateKeyToAccount(`0x${'11'.repeat(32)}`)) });
  const { found } = search(context);
  await settled();
  assert.equal(found[0].name, `Line ${'🦊'.repeat(59)}`);
  assert.equal((await found[0].connect()).provider, found[0].name);
});

test('Bitcoin wallets that load late are found', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const { found, stop } = search(context);
  await settled();
  assert.deepEqual(found, []);
  window.unisat = unisat();
  context.mock.timers.tick(250);
  await settled();
  assert.deepEqual(named(found), ['UniSat Wallet: bitcoin']);
  context.mock.timers.tick(1_000);
  await settled();
  assert.equal(found.length, 1);
  await stop();
  window.LeatherProvider = leather();
  context.mock.timers.tick(1_000);
  await settled();
  assert.equal(found.length, 1);
});

test('a search of one chain leaves out the others, and asks no wallet of them', async (context) => {
  let asked = 0;
  window.addEventListener('eip6963:requestProvider', () => { asked += 1; });
  window.addEventListener('wallet-standard:app-ready', () => { asked += 1; });
  window.unisat = unisat();
  const { found } = search(context, { chains: ['bitcoin'] });
  announce({ name: 'EVM', uuid: 'a', provider: eip1193({}) });
  await settled();
  assert.deepEqual(named(found), ['UniSat Wallet: bitcoin']);
  assert.equal(asked, 0);
});

test('a search ends with its signal, or with the loop', async (context) => {
  const { found, stop } = search(context);
  await settled();
  await stop();
  announce({ name: 'Late', uuid: 'a', provider: eip1193({}) });
  await settled();
  assert.deepEqual(found, []);

  const timers = context.mock.method(globalThis, 'clearInterval');
  for await (const { name } of discoverWallets()) {
    assert.equal(name, 'Late');
    break;
  }
  assert.equal(timers.mock.callCount(), 1);
  for await (const wallet of discoverWallets({ signal: AbortSignal.abort() })) assert.fail(wallet.name);
  delete globalThis.window;
  for await (const wallet of discoverWallets()) assert.fail(wallet.name);
});

test('what the user refuses is refused', async () => {
  const evm = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const first = async (chain) => {
    for await (const wallet of discoverWallets({ chains: [chain] })) return wallet;
  };
  window.unisat = unisat(user, { rejects: true });
  await assert.rejects((await first('bitcoin')).connect(), walletRefused(/UniSat Wallet did not complete requestAccounts/));
  delete window.unisat;
  const resolved = { jsonrpc: '2.0', id: 'x', error: { code: -32000, message: 'User rejected request to connect.' } };
  const provider = xverse({ rejects: ['wallet_connect'] });
  await assert.rejects(satsConnectWallet(provider), walletRefused(/xverse did not complete wallet_connect/, resolved));
  assert.equal(provider.asked.length, 1);
  const rejected = { jsonrpc: '2.0', id: 'x', error: { code: 4001, message: 'User rejected' } };
  await assert.rejects(leatherWallet(leather({ rejects: ['getAddresses'] })), walletRefused(/leather did not complete getAddresses/, rejected));
  for (const [make, connect] of [[xverse, satsConnectWallet], [leather, leatherWallet]]) {
    const wallet = await connect(make({ rejects: ['signMessage', 'signPsbt'] }));
    await assert.rejects(wallet.signMessage('text'), walletRefused(/signMessage/));
    await assert.rejects(wallet.signPsbt(told.base64Psbt, [0]), walletRefused(/signPsbt/));
  }
  announce({ name: 'MetaMask', uuid: 'a', provider: eip1193(evm, { rejects: ['personal_sign'] }) });
  await assert.rejects((await (await first('evm')).connect()).signMessage('text'), walletRefused(/MetaMask did not complete personal_sign/));
  await assert.rejects(standardSolanaWallet(standardWallet({ rejects: ['connect'] })), walletRefused(/Phantom did not complete connect/));
  const solana = await standardSolanaWallet(standardWallet({ rejects: ['signMessage'] }));
  await assert.rejects(solana.signMessage('text'), walletRefused(/Phantom did not complete signMessage/));
});

test('a wallet without an account, or with an answer of another form, is refused', async () => {
  const answering = (results) => ({ request: async (method) => ({ result: results[method] ?? null }) });
  const account = { purpose: 'payment', address: user.address, publicKey: user.publicKey };
  await assert.rejects(satsConnectWallet(answering({ wallet_connect: { addresses: [{ ...account, purpose: 'ordinals' }] } })), walletRefused(/has no account/));
  await assert.rejects(satsConnectWallet(answering({})), walletRefused(/has no account/));
  await assert.rejects(satsConnectWallet(answering({ wallet_connect: { addresses: [{ ...account, publicKey: undefined }] } })), walletRefused(/no publicKey/));
  const wallet = await satsConnectWallet(answering({ wallet_connect: { addresses: [account] }, signPsbt: { psbt: 7 } }));
  await assert.rejects(wallet.signMessage('text'), walletRefused(/no signature/));
  await assert.rejects(wallet.signPsbt(told.base64Psbt, [0]), walletRefused(/no psbt/));
  await assert.rejects(leatherWallet(answering({ getAddresses: { addresses: [{ type: 'p2tr' }] } })), walletRefused(/has no account/));
  const empty = standardWallet({ more: { 'standard:connect': { connect: async () => ({ accounts: [] }) } } });
  await assert.rejects(standardSolanaWallet(empty), walletRefused(/has no account/));
  const silent = await standardSolanaWallet(standardWallet({ more: { 'solana:signMessage': { signMessage: async () => [] } } }));
  await assert.rejects(silent.signMessage('text'), walletRefused(/no signature/));
});

test('a withdrawal that Xverse or Leather does not sign is released; one that they sign is submitted', async () => {
  const service = () => played(({ method, path }) => {
    if (method === 'DELETE') return ok({ txId: told.txId, state: 'expired' });
    if (path === '/api/account/trading-wallet') return ok({ address: trading, platformPublicKey: bitcoinKeyWallet({ privateKey: key(2), network: 'regtest' }).publicKey });
    if (path.endsWith('/sign')) return ok({ txId: told.txId, state: 'inMempool' }, undefined, 201);
    return ok(told, { warnings: [], expiresInBlocks: 9_000, amount: '30000', left: 0, coinsLeftAside: {} }, 201);
  });
  const payment = { tokenId: '0:0', amount: '30000', withdrawTo: recipient.address };
  for (const [make, connect] of [[xverse, satsConnectWallet], [leather, leatherWallet]]) {
    const signing = service();
    assert.deepEqual(await withdraw(signing.api, await connect(make()), payment), { txId: told.txId, state: 'inMempool' });
    const refusing = service();
    await assert.rejects(withdraw(refusing.api, await connect(make({ rejects: ['signPsbt'] })), payment), walletRefused(/signPsbt/));
    assert.equal(refusing.requests.at(-1).method, 'DELETE');
  }
});

test('the example of the README signs in with the wallet that the user chooses', async () => {
  window.unisat = unisat();
  const { api, requests } = played(({ path }) => (path === '/auth/wallet/challenge'
    ? ok({ challengeId: 'c1', message: challengeText({ chain: 'Bitcoin', address: user.address }) })
    : ok({ accessToken: 'a', refreshToken: 'r', expiresIn: 600, account: { id: 'x' } })));
  const controller = new AbortController();
  const buttons = [];
  const addButton = (label, icon, onClick) => {
    buttons.push([label, icon, onClick]);
    controller.abort();
  };
  await runExample('Browser wallets 1', 'http://service', { api, addButton, signal: controller.signal });
  assert.deepEqual(buttons.map(([label]) => label), ['UniSat Wallet (bitcoin)']);
  assert.equal((await buttons[0][2]()).account.id, 'x');
  assert.deepEqual([requests.at(-1).body.address, requests.at(-1).body.provider], [user.address, 'UniSat Wallet']);
});
