// The calls of a published client of this kind of service and of its frontend, as they are sent: the same paths, fields, headers
// and order, with a token only where that client sends one. Only the host and the words of its brand differ: its hub path,
// type and field are `/xchain`, `xchain-withdraw` and `xchainData` here. It sends no idempotency keys and no device token.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 node infra/local/tests/browser/published.mjs
//
// Runs each flow with wallets of both address types, and exits with 0 if every answer is as the client reads it. Otherwise it
// names the flows that fail.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';

import { base, bitcoin, call, ECPair, lever, network, Signer, watch } from './service.mjs';

const apiUrl = `${base}/api`;

/** The error that the client throws if an answer is not a success or has no data. */
class ApiError extends Error {
  constructor(where, status, { code, message, details } = {}) {
    super(`${where}: ${status} ${code} ${message}: ${details}`);
    Object.assign(this, { status, code });
  }
}

/** The client. Each method is one of its calls, with the parameters that it takes. */
class Client {
  async request(path, { method = 'GET', token, body } = {}) {
    const response = await fetch(apiUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok || !answer.data) throw new ApiError(`${method} ${path}`, response.status, answer);
    return answer.data;
  }

  post(path, body, token) {
    return this.request(path, { method: 'POST', body, token });
  }

  async authenticate({ message, signature, address, publicKey }) {
    const data = await this.post('/auth/authenticate', { message, signature, address, publicKey });
    const { accessToken, refreshToken } = data;
    return { accessToken, refreshToken, tradingAddress: data.tradingAddress ?? data.wallet?.tradingAddress };
  }

  refresh(refreshToken) {
    return this.post('/auth/refresh-token', { refreshToken });
  }

  createTradingWallet({ walletAddress, publicKey }, token) {
    return this.post('/wallets', { walletAddress, publicKey }, token);
  }

  tradingWallet(userAddress) {
    return this.request(`/wallets/details/${userAddress}`);
  }

  async balance(address) {
    const data = await this.request(`/wallets/balance?address=${address}`);
    return [BigInt(data.btcSatoshi), BigInt(data.pendingSatoshi), BigInt(data.externalPendingSatoshi), Number(data.totalUtxos)];
  }

  expiredCoins(address) {
    return this.coins(address, true);
  }

  coins(address, isExpired) {
    return this.request(`/utxos?address_eq=${address}&isSpent_eq=false&isExpired_eq=${isExpired}&page=1&pageSize=100`);
  }

  /** Its hub deposit: sats as a text, BTC, and 32 bytes in hex without 0x. */
  createHubWithdrawal({ amount, tokenId, xchainData }, token) {
    return this.post('/xchain/transaction', { type: 'xchain-withdraw', params: { amount, tokenId, xchainData } }, token);
  }

  async signHubWithdrawal({ userAddress, signedBase64Tx, relayData }, token) {
    const params = { userAddress, signedBase64Tx, relayData };
    return (await this.post('/xchain/transaction/sign', { type: 'xchain-withdraw', params }, token)).txId;
  }

  build(type, params, token) {
    return this.post('/transactions', { type, params }, token);
  }

  async sign(type, { userAddress, signedBase64Tx }, token) {
    const { txId } = await this.post('/transactions/sign', { type, params: { userAddress, signedBase64Tx } }, token);
    return typeof txId === 'object' ? txId.data : txId;
  }

  largest(params, token) {
    return this.post('/transactions/max-spent', { type: 'withdraw', params }, token);
  }
}

const BTC = '0:0';
const client = new Client();

/** A wallet of the user, in a browser. */
class UserWallet {
  constructor(type) {
    this.pair = ECPair.makeRandom({ network });
    const pubkey = Buffer.from(this.pair.publicKey);
    this.publicKey = pubkey.toString('hex');
    this.address = type === 'P2TR'
      ? bitcoin.payments.p2tr({ internalPubkey: pubkey.subarray(1), network }).address
      : bitcoin.payments.p2wpkh({ pubkey, network }).address;
  }

  /** All inputs, not finalised. */
  sign({ base64Psbt, fee, txId }) {
    assert.match(txId, /^[0-9a-f]{64}$/);
    assert.deepEqual([typeof fee.feeRate, typeof fee.totalFee], ['number', 'number']);
    return bitcoin.Psbt.fromBase64(base64Psbt, { network }).signAllInputs(this.pair).toBase64();
  }
}

/** A user of the frontend: a wallet, and the session that the frontend keeps in the browser. */
class User {
  constructor(type) {
    this.wallet = new UserWallet(type);
    this.address = this.wallet.address;
  }

  /** A user who is signed in, with coins in the trading wallet. */
  static async with(type, ...coins) {
    const user = new User(type);
    await user.signIn();
    for (const sats of coins) await lever('fund', { address: user.trading, sats });
    if (coins.length > 0) await lever('mine', { blocks: 1 });
    return user;
  }

  async signIn() {
    // The service's time.
    const { now } = await call('POST', '/_local/clock', { body: { advanceMs: 0 } });
    const message = `Sign in to Runeport: ${now}`;
    const { address, wallet: { publicKey, pair } } = this;
    const signature = Signer.sign(pair.toWIF(), address, message).toString();
    const session = await client.authenticate({ message, signature, address, publicKey });
    this.trading = session.tradingAddress;
    this.save(session);
  }

  save({ accessToken, refreshToken }) {
    Object.assign(this, { token: accessToken, refreshToken });
  }

  /** The frontend's withdrawal form. */
  withdrawal(amount) {
    return { userAddress: this.address, amount: `${amount}`, tokenId: BTC, withdrawTo: this.address };
  }

  build(amount) {
    return client.build('withdraw', this.withdrawal(amount), this.token);
  }

  /** A swap and a bridge are the same deposit to the hub, at an address that the service knows. */
  buildSwap(amount) {
    const xchainData = createHash('sha256').update(randomBytes(8)).digest('hex');
    return client.createHubWithdrawal({ amount: `${amount}`, tokenId: BTC, xchainData }, this.token);
  }

  /** Confirms the wallet's prompt: what the frontend sends then is in a block. */
  async confirm(type, built) {
    const signed = { userAddress: this.address, signedBase64Tx: this.wallet.sign(built) };
    // The hub wallet of the user, and the whole payload whose hash the service got.
    const relayData = { address: `0x${'ab'.repeat(20)}`, payload: `0x${'cd'.repeat(100)}` };
    const txId = type === 'xchain-withdraw'
      ? await client.signHubWithdrawal({ ...signed, relayData }, this.token)
      : await client.sign(type, signed, this.token);
    assert.equal(txId, built.txId);
    await lever('mine', { blocks: 1 });
    await watch();
  }

  async sats() {
    return Number((await client.balance(this.trading))[0]);
  }
}

/** The client's error, with this code if the client reads it. */
const fails = (work, status, code) => assert.rejects(work, (error) => {
  assert.ok(error instanceof ApiError, error);
  assert.equal(error.status, status, error.message);
  if (code) assert.equal(error.code, code, error.message);
  return true;
});

/** What a transaction pays to addresses other than the user's own trading address. */
const paid = ({ base64Psbt }, user) => bitcoin.Psbt.fromBase64(base64Psbt, { network }).txOutputs
  .filter(({ address }) => address && address !== user.trading)
  .map(({ address, value }) => [address, value]);

const flows = {
  async 'sign-in and refresh'(type) {
    const user = await User.with(type);
    assert.match(user.trading, /^bcrt1q[0-9a-z]{58}$/);
    const session = await client.refresh(user.refreshToken);
    assert.notEqual(session.refreshToken, user.refreshToken);
    await user.signIn();
  },

  async 'the trading wallet, without a token'(type) {
    const user = await User.with(type);
    assert.deepEqual(await client.tradingWallet(user.address), {
      tradingAddress: user.trading, userAddress: user.address,
    });
    // The frontend asks whether a wallet exists.
    await fails(() => client.tradingWallet(new UserWallet(type).address), 404);
  },

  async 'creation of a trading wallet that exists'(type) {
    const user = await User.with(type);
    const { address: walletAddress, wallet: { publicKey } } = user;
    const created = await client.createTradingWallet({ walletAddress, publicKey }, user.token);
    // A Taproot wallet proves its key without the parity.
    const proven = type === 'P2TR' ? publicKey.slice(2) : publicKey;
    assert.deepEqual(
      [created.tradingAddress, created.userAddress, created.userPublicKey],
      [user.trading, walletAddress, proven],
    );
  },

  async 'balance and coins'(type) {
    const user = await User.with(type);
    assert.deepEqual(await client.balance(user.trading), [0n, 0n, 0n, 0]);
    await lever('fund', { address: user.trading, sats: 200_000 });
    assert.deepEqual(await client.balance(user.trading), [0n, 0n, 200_000n, 0]);
    await lever('fund', { address: user.trading, sats: 100_000 });
    await lever('mine', { blocks: 1 });
    assert.deepEqual(await client.balance(user.trading), [300_000n, 0n, 0n, 2]);
    assert.deepEqual(await client.expiredCoins(user.trading), []);
    const [coin] = await client.coins(user.trading, false);
    assert.deepEqual(
      [coin._id, coin.txid, coin.vout, coin.satoshi, coin.address, coin.isSpent, coin.status, coin.runes],
      [coin.txidVout, ...coin.txidVout.split(':').map((part, index) => (index ? Number(part) : part)), 200_000, user.trading, false, 'confirmed', []],
    );
  },

  /** The frontend shows `amount` with the word BTC behind it. */
  async 'amounts of coins in BTC'(type) {
    const user = await User.with(type, 200_000);
    const [coin] = await client.coins(user.trading, false);
    assert.equal(typeof coin.amount, 'string');
    assert.deepEqual([Number(coin.amount), coin.satoshi], [0.002, 200_000]);
  },

  /** The client looks the trading address up, and the user's wallet pays there. */
  async 'top-up'(type) {
    const user = await User.with(type);
    const { tradingAddress } = await client.tradingWallet(user.address);
    await lever('fund', { address: tradingAddress, sats: 50_000 });
    await lever('mine', { blocks: 1 });
    assert.equal(await user.sats(), 50_000);
  },

  /** Without a recipient, the coins go to the hub's vault, which `GET /api/config` names. */
  async 'swap and bridge'(type) {
    const user = await User.with(type, 100_000);
    const built = await user.buildSwap(30_000);
    const [[vault, sats]] = paid(built, user);
    assert.equal(sats, 30_000);
    const { data: config } = await call('GET', '/api/config');
    assert.ok(JSON.stringify(config).includes(`"${vault}"`), `the configuration does not name ${vault}`);
    await user.confirm('xchain-withdraw', built);
    assert.equal(await user.sats(), 70_000 - built.fee.totalFee);
    // The next one, a bridge.
    const next = await user.buildSwap(20_000);
    await user.confirm('xchain-withdraw', next);
    assert.equal(await user.sats(), 50_000 - built.fee.totalFee - next.fee.totalFee);
  },

  async 'the largest amount and a withdrawal of it'(type) {
    const user = await User.with(type, 200_000, 100_000);
    const largest = await client.largest(user.withdrawal(10_000), user.token);
    assert.equal(largest.maxSatsAmt + largest.fee, 300_000);
    assert.ok(largest.feeRate > 0);
    const built = await user.build(largest.maxSatsAmt);
    await user.confirm('withdraw', built);
    assert.equal(await user.sats(), 0);
  },

  async 'withdrawal'(type) {
    const user = await User.with(type, 200_000, 100_000);
    const built = await user.build(50_000);
    await user.confirm('withdraw', built);
    assert.equal(await user.sats(), 250_000 - built.fee.totalFee);
    const { data: own } = await call('GET', '/api/transactions', { token: user.token });
    assert.deepEqual(own.map((row) => [row.type, row.state]), [['withdraw', 'confirmed']]);
  },

  /** The client's script for operators leaves BTC out. */
  async 'withdrawal without a token id'(type) {
    const user = await User.with(type, 200_000);
    const { tokenId, ...params } = user.withdrawal(50_000);
    assert.equal(tokenId, BTC);
    const built = await client.build('withdraw', params, user.token);
    assert.deepEqual(paid(built, user), [[user.address, 50_000]]);
    await user.confirm('withdraw', built);
    assert.equal(await user.sats(), 150_000 - built.fee.totalFee);
  },

  async 'renewal'(type) {
    const user = await User.with(type, 200_000, 100_000);
    const txIdVouts = (await client.coins(user.trading, false)).map(({ txidVout }) => txidVout);
    const built = await client.build('renew-utxo', { userAddress: user.address, txIdVouts }, user.token);
    await user.confirm('renew-utxo', built);
    assert.deepEqual(await client.balance(user.trading), [BigInt(300_000 - built.fee.totalFee), 0n, 0n, 1]);
  },

  async 'a rejected prompt, the same withdrawal again'(type) {
    const user = await User.with(type, 200_000);
    const rejected = await user.build(50_000);
    const again = await user.build(50_000);
    assert.equal(again.txId, rejected.txId);
    await user.confirm('withdraw', again);
    assert.equal(await user.sats(), 150_000 - again.fee.totalFee);
  },

  async 'a rejected prompt, another withdrawal'(type) {
    const user = await User.with(type, 200_000);
    const rejected = await user.build(50_000);
    const next = await user.build(60_000);
    assert.notEqual(next.txId, rejected.txId);
    // The first prompt was open in another tab.
    await fails(() => client.sign('withdraw', { userAddress: user.address, signedBase64Tx: user.wallet.sign(rejected) }, user.token), 400, '2015');
    await user.confirm('withdraw', next);
    assert.equal(await user.sats(), 140_000 - next.fee.totalFee);
  },

  async 'a rejected prompt, then the largest amount'(type) {
    const user = await User.with(type, 200_000);
    await user.build(50_000);
    const largest = await client.largest(user.withdrawal(10_000), user.token);
    assert.equal(largest.maxSatsAmt + largest.fee, 200_000);
    await user.confirm('withdraw', await user.build(largest.maxSatsAmt));
    assert.equal(await user.sats(), 0);
  },

  async 'a rejected prompt, then a renewal'(type) {
    const user = await User.with(type, 200_000);
    await user.build(50_000);
    const txIdVouts = (await client.coins(user.trading, false)).map(({ txidVout }) => txidVout);
    const renewal = { userAddress: user.address, txIdVouts };
    await client.build('renew-utxo', renewal, user.token);
    await user.confirm('renew-utxo', await client.build('renew-utxo', renewal, user.token));
  },

  async 'a rejected prompt of a swap, then a withdrawal and a swap'(type) {
    const user = await User.with(type, 200_000);
    await user.buildSwap(50_000);
    await user.build(60_000);
    const swap = await user.buildSwap(70_000);
    await user.confirm('xchain-withdraw', swap);
    assert.equal(await user.sats(), 130_000 - swap.fee.totalFee);
  },

  /** Each tab refreshes every five minutes with the token that all tabs keep together. */
  async 'refresh in two tabs'(type) {
    const user = await User.with(type);
    const tabs = await Promise.all([client.refresh(user.refreshToken), client.refresh(user.refreshToken)]);
    assert.equal(tabs[0].refreshToken, tabs[1].refreshToken);
    for (const { accessToken } of tabs) await call('GET', '/api/account/me', { token: accessToken });
    user.save(tabs[1]);
    user.save(await client.refresh(user.refreshToken));
    await call('GET', '/api/account/me', { token: user.token });
  },

  /** Before a swap the client refreshes and keeps the new token to itself: the frontend's next refresh sends the old one. */
  async 'refresh without saving'(type) {
    const user = await User.with(type);
    const unsaved = await client.refresh(user.refreshToken);
    const saved = await client.refresh(user.refreshToken);
    assert.equal(saved.refreshToken, unsaved.refreshToken);
    const next = await client.refresh(saved.refreshToken);
    // The successor was used, so a request with the old token comes from another client.
    await fails(() => client.refresh(user.refreshToken), 400, '4005');
    await fails(() => client.refresh(next.refreshToken), 400, '4005');
  },
};

const failed = [];
for (const [name, flow] of Object.entries(flows)) {
  for (const type of ['P2WPKH', 'P2TR']) {
    try {
      await flow(type);
    } catch (error) {
      failed.push(`${name}, ${type}: ${error.message.split('\n')[0]}`);
      if (!(error instanceof ApiError)) console.error(error);
    }
  }
}
for (const line of failed) console.error(line);
process.exitCode = failed.length > 0 ? 1 : 0;
