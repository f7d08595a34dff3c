// Runs every flow of the client against the local world, including its Bitcoin network and the venue's
// chain, and every example of the README but those for passkeys, which `browser.mjs` runs.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 node infra/frontend/client/tests/journey.mjs
//
// Exits with 0 if every check passes. Moves the service's clock. PARTS selects parts, separated by commas
// (accounts, wallets, lists, refresh, bitcoin, trading, mint, swaps, venue, media, support, exports); default: all.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';

import { ABSENT, HIDDEN, RELATIONS, VISIBLE } from './lists.mjs';
import { allRan, runExample } from './readme.mjs';
import { base, bitcoinWorld, clock, lever, mailedLink, mine, runeName, runesOf } from './world.mjs';

import { QueryClient } from '@tanstack/query-core';
import { base58, base64, hex } from '@scure/base';
import * as OTPAuth from 'otpauth';
import { Webhook } from 'standardwebhooks';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import {
  call, createApi, endSession, linkAddress, listSessions, makeTradingWallet, pages, registerWithWallet, rotateWallet, rows,
  RuneportError, signInWithMessage, signInWithWallet, signOut, unlinkAddress,
} from '@runeport/client';
import { calculateRefund, refund, requestMint, submitHubWithdrawal, withdrawThroughHub } from '@runeport/client/bitcoin';
import { exportHistory } from '@runeport/client/exports';
import { createInspector } from '@runeport/client/inspect';
import { decryptKeystore } from '@runeport/client/keystore';
import { deleteMedia, uploadMedia } from '@runeport/client/media';
import { infiniteQueryOptions, queryOptions } from '@runeport/client/query';
import {
  changePassword, confirmEmailChange, registerWithPassword, requestEmailChange, signInWithPassword,
} from '@runeport/client/srp';
import {
  getSupportAccount, listPayouts, listStuckRows, listSupportReads, listSupportRows, listSupportWebhooks, searchSupport,
} from '@runeport/client/support';
import { registerSwap } from '@runeport/client/swaps';
import {
  approveBuilderFee, createDeposit, sendDeposit, setReferrer, venueEvmChain, venueStatus, withdrawFromVenue,
} from '@runeport/client/venue';
import { balance, coins, release, renew } from '@runeport/client/wallet';
import { bitcoinKeyWallet } from '@runeport/client/wallets/bitcoin';
import { evmWallet } from '@runeport/client/wallets/evm';
import { solanaKeyWallet } from '@runeport/client/wallets/solana';

// Cheap, to keep this test fast.
const cost = { memorySize: 64, iterations: 1, parallelism: 1 };
const blob = () => randomBytes(500).toString('base64');
const address = (name) => `${name}.${randomBytes(6).toString('hex')}@example.com`;

const example = (name, values, returned) => runExample(name, base, values, returned);
const client = (options) => createApi({ baseUrl: base, ...options });
const refused = (key) => (error) => error instanceof RuneportError && error.key === key || assert.fail(error);

const wallets = {
  bitcoin: (type) => bitcoinKeyWallet({ privateKey: randomBytes(32), network: 'regtest', type }),
  evm: () => evmWallet(privateKeyToAccount(generatePrivateKey())),
  solana: () => solanaKeyWallet(randomBytes(32)),
};

const parts = {
  async accounts() {
    const api = client();
    const email = address('alice');
    const [password, newPassword] = ['correct horse battery staple é', 'another four words 日本'];
    const keystore = blob();
    const registered = await registerWithPassword(api, {
      email: ` ${email.toUpperCase()} `, password, encryptedBlob: keystore, passwordHint: 'four words',
      tradingWallet: wallets.bitcoin(), cost,
    });
    assert.equal(registered.account.email, email);
    assert.match(registered.account.tradingAddress, /^bcrt1q[0-9a-z]{58}$/);
    // The address is not verified yet: another account may use it too, and does not take it over.
    const other = await registerWithPassword(client(), { email, password, encryptedBlob: blob(), cost });
    assert.notEqual(other.account.id, registered.account.id);
    const signedIn = await signInWithPassword(api, { email, password, cost });
    assert.equal(signedIn.encryptedBlob, keystore);
    await assert.rejects(signInWithPassword(api, { email, password: 'wrong', cost }), refused('auth.invalidCredentials'));

    // A second factor: its code is requested only when required.
    const { data: setup } = await call(api, 'post', '/api/account/2fa/setup');
    const totp = OTPAuth.URI.parse(setup.otpauthUri);
    const code = async () => totp.generate({ timestamp: await clock(30_000) });
    await call(api, 'post', '/api/account/2fa/toggle', { body: { otpCode: await code() } });
    await assert.rejects(signInWithPassword(api, { email, password, cost }), refused('auth.otpRequired'));
    let asked = 0;
    const otpCode = () => {
      asked += 1;
      return code();
    };
    await signInWithPassword(api, { email, password, cost, otpCode });
    assert.equal(asked, 1);
    await signInWithPassword(api, { email, password, cost, otpCode: await code() });

    const change = { email, password, newPassword, newEncryptedBlob: blob(), cost };
    await changePassword(api, change);
    await assert.rejects(changePassword(api, change), refused('account.passwordProofInvalid'));
    await assert.rejects(signInWithPassword(client(), { email, password, cost }), refused('auth.invalidCredentials'));
    await signInWithPassword(api, { email, password: newPassword, cost, otpCode });

    const newEmail = address('bob');
    const begun = await requestEmailChange(api, { newEmail });
    const { token } = await mailedLink(newEmail, '/change-email');
    const moved = await confirmEmailChange(api, { change: begun, token, email, newEmail, password: newPassword, cost });
    assert.equal(moved.email, newEmail);
    const last = await signInWithPassword(api, { email: newEmail, password: newPassword, cost, otpCode });
    assert.equal(last.account.id, registered.account.id);

    const activity = await collected(rows(api, '/api/account/activity', { sort: '-createdAt', pageSize: 3 }));
    const changes = activity.map(({ change: what }) => what).filter((what) => !['signedIn', 'newDevice'].includes(what));
    assert.deepEqual(changes, [
      'emailChanged', 'emailChangeRequested', 'passwordChanged', 'totpEnabled', 'accountCreated',
    ]);
    const inPages = await collected(pages(api, '/api/account/activity', { pageSize: 3 }));
    assert.equal(inPages.length, Math.ceil(activity.length / 3));

    const reader = { email: address('erin'), newEmail: address('frank'), password, newPassword, encryptedBlob: keystore, newEncryptedBlob: blob() };
    const values = { ...reader, api: client(), passwordHint: 'four words', otpCode: undefined };
    const told = await example('Passwords 1', values, ['change', 'stored']);
    assert.equal(told.stored, keystore);
    const link = await mailedLink(reader.newEmail, '/change-email');
    await example('Passwords 2', { ...values, change: told.change, token: link.token });
    assert.equal((await call(values.api, 'get', '/api/account/me')).data.email, reader.newEmail);

    const owned = { api: client(), email: address('grace'), password, newPassword, secret: randomBytes(32) };
    const { opened, owner, kept } = await example('Keystores 1', owned, ['opened', 'owner', 'kept']);
    assert.deepEqual([Buffer.from(opened), owner], [owned.secret, owned.email]);
    const { data: { encryptedBlob: latest } } = await call(owned.api, 'get', '/api/account/keystore');
    assert.notEqual(latest, kept);
    assert.deepEqual(Buffer.from((await decryptKeystore(latest, { password: newPassword, owner })).secret), owned.secret);
    console.log(`${email} registered, changed the password, and changed its address to ${newEmail}`);
  },

  async wallets() {
    for (const [chain, make] of Object.entries(wallets)) {
      const api = client();
      const [before, after] = [make(), make()];
      const encryptedBlob = blob();
      const made = await registerWithWallet(api, before, { encryptedBlob, email: address(chain) });
      assert.deepEqual([made.account.authMethod, made.wallet.chain], ['wallet', chain]);
      const again = await signInWithWallet(api, before);
      assert.equal(again.encryptedBlob, encryptedBlob);
      // The service returns EVM addresses in lowercase.
      const rotated = await rotateWallet(api, after, blob());
      assert.equal(rotated.wallet.address.toLowerCase(), after.address.toLowerCase());
      await assert.rejects(signInWithWallet(client(), before), refused('auth.addressRetired'));
      await signInWithWallet(api, after);

      const other = wallets[chain === 'evm' ? 'solana' : 'evm']();
      const linked = await linkAddress(api, other);
      assert.ok(linked.addresses.some((owned) => owned.address.toLowerCase() === other.address.toLowerCase()));
      await unlinkAddress(api, other.address);
      if (chain !== 'bitcoin') {
        assert.match((await makeTradingWallet(api, wallets.bitcoin())).tradingAddress, /^bcrt1q/);
      }

      const { data: setup } = await call(api, 'post', '/api/account/2fa/setup');
      const totp = OTPAuth.URI.parse(setup.otpauthUri);
      const otpCode = async () => totp.generate({ timestamp: await clock(30_000) });
      await call(api, 'post', '/api/account/2fa/toggle', { body: { otpCode: await otpCode() } });
      await signInWithWallet(api, after, { otpCode });

      const elsewhere = client();
      await signInWithWallet(elsewhere, after, { otpCode });
      const sessions = await listSessions(api);
      const theirs = (await listSessions(elsewhere)).find(({ current }) => current);
      assert.ok(sessions.some(({ id }) => id === theirs.id));
      await endSession(api, theirs.id);
      await assert.rejects(listSessions(elsewhere), refused('auth.sessionEnded'));
      await signOut(api);
      assert.equal(await api.tokens.get(), undefined);
      await signOut(api);
      console.log(`${chain.padEnd(7)} ${before.address} is replaced by ${after.address}`);
    }

    const keys = Object.fromEntries(Object.entries(wallets).map(([chain, make]) => [chain, make()]));
    const api = client();
    const { account, tradingAddress } = await example('Wallets 1', {
      api, window: injectedWallets(keys), otpCode: undefined,
    }, ['account', 'tradingAddress']);
    assert.match(tradingAddress, /^bcrt1q/);
    assert.equal((await call(api, 'get', '/api/account/me')).data.addresses.length, 3);

    const search = new AbortController();
    const chosen = [];
    const addButton = (label, _icon, onClick) => {
      chosen.push(label, onClick);
      search.abort();
    };
    globalThis.window = Object.assign(new EventTarget(), injectedWallets(keys));
    await example('Browser wallets 1', { api: client(), addButton, signal: search.signal });
    delete globalThis.window;
    assert.equal(chosen[0], 'UniSat Wallet (bitcoin)');
    assert.equal((await chosen[1]()).account.id, account.id);

    const { api: made, data } = await example('Calls 1', {}, ['api', 'data']);
    assert.ok(Array.isArray(data));
    await signInWithWallet(made, keys.bitcoin);
    const { id } = (await listSessions(made)).find(({ current }) => !current);
    const { title, isOver } = await example('Types 1', {}, ['title', 'isOver']);
    const { data: me } = await call(made, 'get', '/api/account/me');
    assert.equal(title(me), keys.bitcoin.address);
    assert.deepEqual(['confirmed', 'inMempool'].map((state) => isOver({ state })), [true, false]);
    const { setup } = await example('Calls 2', { api: made, id }, ['setup']);
    assert.match(setup.otpauthUri, /^otpauth:/);
    const lines = [];
    await example('Calls 3', { api: made, address: keys.bitcoin.address, console: { log: (...line) => lines.push(line) } });
    assert.ok(lines.some(([first]) => first === 'accountCreated'));
    let shown = 0;
    await example('Errors 1', { api: client(), showSignIn: () => { shown += 1; } });
    assert.equal(shown, 1);
    const queryClient = new QueryClient();
    const queried = await example('Queries 1', {
      api: made, account: account.id, queryClient,
      useQuery: (options) => queryClient.fetchQuery(options), useInfiniteQuery: (options) => queryClient.fetchInfiniteQuery(options),
    }, ['me', 'activity']);
    assert.equal((await queried.me).data.id, account.id);
    assert.equal((await queried.activity).pages.length, 1);
    await example('Queries 2', { api: made, account: account.id, queryClient });
    assert.deepEqual(queryClient.getQueryCache().getAll().map(({ queryKey: [, , whose] }) => whose), [null]);
    const { events } = await example('Queries 3', {
      api: made, account: account.id, useInfiniteQuery: (options) => queryClient.fetchInfiniteQuery(options),
    }, ['events']);
    assert.equal((await events).pages.length, 1);

    const [handled, stop] = [[], new AbortController()];
    const handle = async ({ sequence, type, data: { sessionId } }) => {
      handled.push([sequence, type, sessionId]);
      if (handled.length > 1) return stop.abort(new Error('enough'));
      const other = client();
      await signInWithWallet(other, keys.bitcoin);
      await signOut(other);
    };
    const watched = example('Events 1', { api: made, lastHandled: 0, handle, signal: stop.signal });
    await assert.rejects(watched, { message: 'enough' });
    assert.deepEqual(handled.map(([sequence, type]) => [sequence, type]), [[1, 'session.ended'], [2, 'session.ended']]);
    assert.equal(handled[0][2], id);
    const sessions = queryOptions(made, '/auth/sessions', { account: account.id });
    await queryClient.fetchQuery(sessions);
    const enough = new AbortController();
    const invalidateQueries = async (filter) => {
      await QueryClient.prototype.invalidateQueries.call(queryClient, filter);
      enough.abort(new Error('enough'));
    };
    const invalidating = example('Queries 4', {
      api: made, account: account.id, lastHandled: 1, queryClient: { invalidateQueries }, signal: enough.signal,
    });
    await assert.rejects(invalidating, { message: 'enough' });
    assert.equal(queryClient.getQueryState(sessions.queryKey).isInvalidated, true);

    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const request = (event) => {
      const [at, body] = [new Date(), JSON.stringify(event)];
      const headers = {
        'webhook-id': 'some-1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign('some-1', at, body),
      };
      return new Request('https://example.com/hook', { method: 'POST', headers, body });
    };
    const printed = [];
    const { receive } = await example('Webhooks 1', { console: { log: (...line) => printed.push(line) } }, ['receive']);
    const asked = { sequence: 0, type: 'webhook.verification', data: { challenge: 'ab' } };
    assert.deepEqual(await (await receive(request(asked), secret)).json(), { challenge: 'ab' });
    await receive(request({ sequence: 1, type: 'export.completed' }), secret);
    assert.deepEqual(printed, [[1, 'export.completed']]);

    let recorded;
    const { commands } = await example('Inspector 1', { baseUrl: base, show: (exchanges) => { recorded = exchanges; } }, ['commands']);
    assert.deepEqual([recorded.length, commands.length], [1, 1]);

    // Sign-in in one call, with a Taproot address.
    const wallet = wallets.bitcoin('p2tr');
    const now = await clock();
    const signedIn = await signInWithMessage(client(), wallet, () => `Sign in to Runeport: ${now}`);
    assert.equal(signedIn.wallet.address, wallet.address);
  },

  async lists() {
    const api = client();
    const wallet = wallets.bitcoin('p2wpkh');
    await signInWithWallet(api, wallet);
    const { data: { address } } = await call(api, 'get', '/api/account/trading-wallet');
    const needed = { '/api/utxos': { address_eq: address } };
    await call(api, 'post', '/api/download-histories', { body: { format: 'csv', filter: { type: 'swap' } } });
    await lever('role', { address: wallet.address, role: 'admin' });
    let seen = 0;
    for (const [path, visible] of Object.entries(VISIBLE)) {
      // The service names what it knows.
      const query = { select: 'nothing', populate: 'nothing' };
      const { errors } = await call(api, 'get', path, { params: { query } }).catch((error) => error);
      const allowed = (field) => errors.find((error) => error.field === field).message.split('allowed: ')[1].split(', ').sort();
      assert.deepEqual(allowed('select'), [...visible.filter((name) => name !== 'id'), ...HIDDEN[path]].sort(), path);
      assert.deepEqual(allowed('populate'), ['wallet', 'token', ...RELATIONS[path] ?? []].sort(), path);
      const { data } = await call(api, 'get', path, { params: { query: { ...needed[path], pageSize: 100 } } });
      for (const row of data) {
        seen += 1;
        const names = Object.keys(row);
        assert.deepEqual(names.filter((name) => !visible.includes(name)), [], path);
        assert.deepEqual(visible.filter((name) => !names.includes(name) && !ABSENT[path]?.includes(name)), [], path);
      }
      const select = visible.find((name) => name !== 'id' && !ABSENT[path]?.includes(name));
      const populate = allowed('populate').join(',');
      const [narrow] = (await call(api, 'get', path, { params: { query: { ...needed[path], select, populate } } })).data;
      if (narrow) assert.deepEqual(Object.keys(narrow).sort(), [...new Set(['id', select, ...allowed('populate')])].sort(), path);
      const hidden = HIDDEN[path].map((name) => `+${name}`).join(' ');
      const [whole] = (await call(api, 'get', path, { params: { query: { ...needed[path], select: hidden } } })).data;
      if (whole) assert.deepEqual(HIDDEN[path].filter((name) => !(name in whole)), [], path);
    }
    assert.ok(seen > 0);

    const { data: { id: account } } = await call(api, 'get', '/api/account/me');
    const queries = new QueryClient();
    assert.equal((await queries.fetchQuery(queryOptions(api, '/api/account/me', { account }))).data.id, account);
    const options = infiniteQueryOptions(api, '/api/account/activity', { account, params: { query: { pageSize: 1 } } });
    assert.equal((await queries.fetchInfiniteQuery({ ...options, pages: 2 })).pages.length, 2);
    await signInWithWallet(api, wallets.solana());
    await assert.rejects(queries.fetchQuery(queryOptions(api, '/api/account/me', { account })), refused('client.accountChanged'));
    console.log(`the ${Object.keys(VISIBLE).length} lists have the fields that the types name`);
  },

  async refresh() {
    const inspector = createInspector();
    const api = client({ fetch: inspector.fetch });
    await signInWithWallet(api, wallets.evm());
    await clock(11 * 60_000);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call(api, 'get', '/api/account/me')));
    assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1);
    assert.equal(inspector.exchanges.filter(({ url }) => url.endsWith('/auth/refresh-token')).length, 1);
    await listSessions(api);
    // After the session has ended, the tokens are removed.
    await clock(8 * 24 * 3_600_000);
    await assert.rejects(call(api, 'get', '/api/account/me'), refused('auth.tokenExpired'));
    assert.equal(await api.tokens.get(), undefined);
    console.log('five concurrent calls refreshed the tokens once');

    // A change long after the sign-in asks for a proof, in the same session.
    const wallet = wallets.evm();
    let asked = 0;
    const askUser = async () => {
      asked += 1;
      return true;
    };
    const { asking } = await example('Recent authentication 1', { wallet, askUser }, ['asking']);
    await signInWithWallet(asking, wallet);
    await clock(16 * 60_000);
    // Neither changes what the other one does.
    await Promise.all(['/api/account/2fa/setup', '/api/account/passkeys/init'].map((path) => call(asking, 'post', path)));
    assert.equal(asked, 1);
    assert.equal((await listSessions(asking)).length, 1);
    console.log('two changes asked for one proof');
  },

  async bitcoin() {
    await bitcoinWorld();
    const api = client();
    const wallet = wallets.bitcoin();
    const { tradingAddress } = await signInWithWallet(api, wallet);
    const name = runeName();
    const { runeId } = await lever('bitcoin/etch', { name, supply: '1000000', divisibility: 2, to: tradingAddress });
    await lever('bitcoin/fund', { address: tradingAddress, sats: 200_000 });
    const inscribed = await lever('bitcoin/inscribe', { to: tradingAddress, contentType: 'text/plain', body: 'a keepsake' });
    await mine();

    const withdrawTo = wallets.bitcoin('p2tr').address;
    let seen;
    const rune = { tokenId: runeId, amount: '400000', withdrawTo, xchainData: '0xdeadbeef' };
    const sent = await withdrawThroughHub(api, wallet, rune, {
      confirm: (psbt) => {
        seen = psbt;
        return true;
      },
    });
    assert.equal(sent.state, 'inMempool');
    assert.equal(seen.txId, sent.txId);
    assert.deepEqual(seen.runestone.edicts.map((edict) => edict.amount), [400_000n]);
    const keepsake = inscribed.outpoint;
    assert.ok(!seen.inputs.some(({ txId, vout }) => `${txId}:${vout}` === keepsake));
    await mine();
    assert.deepEqual(await runesOf(withdrawTo), [[name, '4000']]);
    assert.deepEqual(await runesOf(tradingAddress), [[name, '6000']]);

    const btc = { tokenId: '0:0', amount: '25000', withdrawTo, xchainData: '00' };
    const notSigned = async (signer, options, message) => {
      await assert.rejects(withdrawThroughHub(api, signer, btc, options), refused(message));
      // After eleven minutes, its coins are released and the access token has expired.
      await clock(11 * 60_000);
    };
    await notSigned(wallet, { confirm: () => false }, 'client.walletRefused');
    await notSigned(wallet, { mostFee: 1 }, 'client.psbtRefused');
    await notSigned({ ...wallet, signPsbt: async (psbt) => psbt }, {}, 'client.psbtRefused');
    await notSigned(wallets.bitcoin(), {}, 'client.psbtRefused');
    await notSigned(wallet, { tradingAddress: withdrawTo }, 'client.psbtRefused');
    let kept;
    const paid = await withdrawThroughHub(api, wallet, btc, {
      tradingAddress,
      confirm: (psbt) => psbt.outputs.some(({ sats }) => sats === 25_000),
      onSigned: (transaction) => { kept = transaction; },
    });
    assert.equal(paid.state, 'inMempool');
    // Submit again, as after a lost response.
    const again = await submitHubWithdrawal(api, kept.base64Psbt);
    assert.deepEqual([kept.txId, again.txId, again.state], [paid.txId, paid.txId, 'inMempool']);
    await mine();
    const readers = { api, wallet, withdrawTo };
    assert.equal((await example('Bitcoin transactions 1', readers, ['txId', 'state'])).state, 'inMempool');
    await mine();
    const { fileName, text, kit } = await example('Recovery kit 1', { api }, ['fileName', 'text', 'kit']);
    assert.equal(fileName, `runeport-recovery-kit-${tradingAddress.slice(-8)}.json`);
    assert.deepEqual(JSON.parse(text), kit);
    assert.ok(kit.coins.some(({ id, inscriptions }) => id === keepsake && inscriptions[0] === inscribed.inscriptionId));
    const keep = async (signed) => { kept = signed; };
    const { txId } = await example('When the outcome is unknown 1', { ...readers, withdrawal: btc, keep }, ['txId']);
    assert.equal(kept.txId, txId);
    console.log(`${tradingAddress} paid 4000.00 of ${name} and 25000 sats to ${withdrawTo}`);
  },

  async trading() {
    await bitcoinWorld();
    const api = client();
    const wallet = wallets.bitcoin();
    const { tradingAddress } = await signInWithWallet(api, wallet);
    const name = runeName();
    const { runeId } = await lever('bitcoin/etch', { name, supply: '1000', divisibility: 0, to: tradingAddress });
    for (const sats of [120_000, 80_000]) await lever('bitcoin/fund', { address: tradingAddress, sats });
    const inscribed = await lever('bitcoin/inscribe', { to: tradingAddress, contentType: 'text/plain', body: 'a keepsake' });
    await mine();

    const told = await example('Trading wallet 1', { api }, ['btc', 'runes', 'due', 'maxAmount', 'leftOut']);
    assert.deepEqual([told.btc.available, told.due, told.leftOut.map(({ reason }) => reason)], [200_000, [], ['inscribed']]);
    assert.deepEqual(told.runes.map(({ runeId: id, available }) => [id, available]), [[runeId, '1000']]);
    assert.ok(Number(told.maxAmount) > 195_000);

    // A withdrawal, its bump, and the cancellation of both, of which the last confirms.
    const withdrawTo = wallets.bitcoin('p2tr').address;
    const { versions } = await example('Trading wallet 2', { api, wallet, withdrawTo }, ['versions']);
    await mine();
    const states = async () => (await Promise.all(versions.map(async ({ txId }) =>
      (await call(api, 'get', '/api/transactions/{txId}', { params: { path: { txId } } })).data)));
    assert.deepEqual((await states()).map(({ state, replaceTxId }) => [state, replaceTxId]), [
      ['replaced', null], ['replaced', versions[0].txId], ['confirmed', versions[1].txId],
    ]);
    // The coins of a replaced version are free once nothing can bring it back.
    await mine(6);

    // What the wallet does not sign keeps no coin.
    await assert.rejects(renew(api, wallet, {}), refused('bitcoin.nothingToRenew'));
    const { coins: free } = await coins(api, { state_eq: ['free'] });
    await assert.rejects(renew(api, wallet, { txIdVouts: [free[0].id] }, { confirm: () => false }), refused('client.walletRefused'));
    assert.equal((await coins(api, { state_eq: ['free'] })).coins.length, free.length);
    await assert.rejects(release(api, versions[2].txId), refused('bitcoin.alreadySigned'));

    // All coins but the inscribed one are renewed, then all sats are withdrawn.
    await example('Trading wallet 3', { api, wallet, txIdVouts: free.map(({ id }) => id) });
    assert.ok((await balance(api)).btc.incoming.own > 185_000);
    await mine();
    await example('Trading wallet 4', { api, wallet, withdrawTo });
    await mine();
    const { btc, coins: counted } = await balance(api);
    assert.deepEqual([btc.available, counted.free, counted.inscribed], [0, 1, 1]);
    assert.deepEqual(await runesOf(tradingAddress), [[name, '1000']]);
    const { coins: [kept] } = await coins(api, { state_eq: ['inscribed'] });
    assert.equal(kept.id, inscribed.outpoint);
    console.log(`${tradingAddress} replaced a withdrawal twice and renewed ${free.length} coins`);
  },

  async mint() {
    await bitcoinWorld();
    const admin = client();
    const adminWallet = wallets.bitcoin();
    await signInWithWallet(admin, adminWallet);
    await lever('role', { address: adminWallet.address, role: 'admin' });
    const proceedsAddress = wallets.bitcoin('p2tr').address;
    const mintOf = async (runeId) => call(admin, 'post', '/api/vm-transactions/mints', {
      body: {
        runeId, proceedsAddress, tokensPerRequest: '250', totalRequests: 4, requestsPerBlock: 4, minSatsPerRequest: 1_000,
        closesAt: await clock() + 86_400_000,
      },
    });
    const { runeId: other } = await lever('bitcoin/etch', { name: runeName(), supply: '1', divisibility: 0 });
    const tooSmall = await mintOf(other).catch((error) => error);
    assert.equal(tooSmall.key, 'vm.poolTooSmall');
    const [pool] = tooSmall.message.match(/bcrt1q[0-9a-z]+/);
    const name = runeName();
    const { runeId } = await lever('bitcoin/etch', { name, supply: '1000', divisibility: 0, to: pool });
    for (let coin = 0; coin < 3; coin += 1) await lever('bitcoin/fund', { address: pool, sats: 50_000 });
    await mine(6);
    await mintOf(runeId);

    const api = client();
    const wallet = wallets.bitcoin();
    const { tradingAddress } = await signInWithWallet(api, wallet);
    for (let coin = 0; coin < 2; coin += 1) await lever('bitcoin/fund', { address: tradingAddress, sats: 100_000 });
    await mine();
    const userAddress = wallet.address;
    const bid = (requestCount, price, options) =>
      requestMint(api, wallet, { userAddress, runeId, requestCount, satsNewRequests: requestCount * price }, options);
    // 3 requests for 2,000 sats each; trying them creates nothing.
    const { transaction: shown, notes } = await example('Bitcoin transactions 4', { api, wallet, userAddress, runeId }, ['transaction', 'notes']);
    const sum = (list) => list.reduce((sats, one) => sats + one.sats, 0);
    assert.deepEqual([notes.amount, sum(shown.outputs) + shown.fee.totalFee], ['6000', sum(shown.inputs)]);
    assert.deepEqual((await call(api, 'get', '/api/transactions', { params: { query: { state_eq: ['unsigned'] } } })).data, []);
    assert.equal((await example('Bitcoin transactions 2', { api, wallet, userAddress, runeId }, ['state'])).state, 'allInMempool');
    // The second batch replaces the first, so it pays for both.
    await assert.rejects(bid(2, 3_000), refused('client.psbtRefused'));
    const pays = (sats) => ({ mostPreviousSats: 6_000, confirm: ({ outputs }) => outputs.some((output) => output.sats === sats) });
    assert.equal((await bid(2, 3_000, pays(12_000))).state, 'allInMempool');

    for (let block = 0; block < 18; block += 1) await mine();
    assert.deepEqual(await runesOf(tradingAddress), [[name, '1000']]);
    const calculation = await calculateRefund(api, { userAddress, runeIds: [runeId] });
    assert.equal(calculation.totalSats, 2_000);
    const { refundableSats } = calculation;
    const back = await example('Bitcoin transactions 3', { api, wallet, userAddress, runeId }, ['txId', 'state']);
    assert.equal(back.state, 'inMempool');
    await mine(1);
    await mine(6);
    const [row] = await collected(rows(api, '/api/vm-transactions', { state_eq: ['distributed'], runeId_eq: runeId }));
    assert.deepEqual([row.refundState, row.refundTxId], ['refunded', back.txId]);
    console.log(`${tradingAddress} received 1000 of ${name} and a refund of ${refundableSats} sats in ${back.txId}`);
  },

  async swaps() {
    const api = client();
    const wallet = wallets.evm();
    await signInWithWallet(api, wallet);
    const hash = () => `0x${randomBytes(32).toString('hex')}`;
    const swap = {
      intentTxHash: hash(), spokeTxHash: hash(), walletAddress: wallet.address, srcAddress: wallet.address, srcChain: 42_161, dstChain: 1,
      inputToken: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', inputAmount: '1000000', minOutputAmount: '990000',
      outputToken: 'So11111111111111111111111111111111111111112', dstAddress: 'So11111111111111111111111111111111111111112',
    };
    const fillTxHash = hash();
    await lever('hub', { record: swap });
    await lever('hub', { intentTxHash: swap.intentTxHash, status: 'filled', fillTxHash });
    const kept = new Map();
    const localStorage = { setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name) };
    const { signal } = new AbortController();
    const told = await example('Swaps 1', { api, swap, signal, localStorage }, ['status', 'fillTxHash']);
    assert.deepEqual([told.status, told.fillTxHash, kept.size], ['filled', fillTxHash, 0]);
    assert.deepEqual(await registerSwap(api, swap), { registered: false });
    await assert.rejects(registerSwap(api, { ...swap, inputAmount: '2' }), refused('xchain.registered'));
    await example('Swaps 2', { api, txId: swap.spokeTxHash, signal });
    console.log(`the swap ${swap.intentTxHash} is filled by ${fillTxHash}`);
  },

  async venue() {
    const api = client();
    const account = privateKeyToAccount(generatePrivateKey());
    const userAddress = account.address;
    await signInWithWallet(api, evmWallet(account));
    await lever('venue', { address: userAddress, usdc: '25.5', gas: '1', exists: true, venueBalance: '12' });
    const { deposit, metaData } = await createDeposit(api, { userAddress, amount: '10.50' }, { chainId: 998 });
    assert.equal(metaData.checks, 'complete');
    const wallet = createWalletClient({ account, chain: venueEvmChain(deposit), transport: http(deposit.rpcUrl) });
    const sent = await sendDeposit(wallet, deposit, { pollingInterval: 100 });
    assert.equal(sent.receipt.status, 'success');
    const { status } = await venueStatus(api, userAddress);
    assert.equal(status.allowance, '0');

    const nonce = Date.now();
    const referral = await setReferrer(api, account, { userAddress }, { nonce });
    assert.deepEqual([referral.body.action.type, referral.body.nonce], ['setReferrer', nonce]);
    const approval = await approveBuilderFee(api, account, {}, { nonce });
    assert.deepEqual([approval.body.action.type, approval.body.action.hyperliquidChain], ['approveBuilderFee', 'Testnet']);
    await assert.rejects(approveBuilderFee(api, account, { mostFeeRate: '0.01%' }), refused('client.venueActionRefused'));
    const withdrawal = await withdrawFromVenue(api, account, { userAddress, amount: '2.50', venueChain: 'Testnet' }, { nonce });
    assert.deepEqual([withdrawal.body.action.amount, withdrawal.body.action.nonce], ['2.5', nonce]);
    const { body, depositHash } = await example('Perpetuals venue 1', {
      api, wallet: account, walletClient: wallet, userAddress, onSent: () => {},
    }, ['body', 'depositHash']);
    assert.deepEqual([body.action.amount, depositHash.length], ['2.5', 66]);
    console.log(`${userAddress} deposited 10.5 USDC, and signed three actions`);
  },

  async media() {
    const api = client();
    await signInWithWallet(api, wallets.evm());
    const bytes = randomBytes(100_000);
    const progress = [];
    const [image] = await uploadMedia(api, [new File([bytes], 'picture.png')], { onProgress: (at) => progress.push(at) });
    assert.equal(progress.at(-1).loaded, bytes.length);
    const served = await fetch(image.url);
    assert.equal(served.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), bytes);
    await assert.rejects(uploadMedia(api, [new File([bytes], 'program.exe')]), refused('common.validation'));
    await assert.rejects(uploadMedia(api, [new File([], 'empty.png')]), refused('client.uploadFailed'));
    const { signal } = new AbortController();
    const { image: other, remove } = await example('Uploads and exports 1', { api, file: new File([bytes], 'other.png'), signal }, ['image', 'remove']);
    await read(other.url);
    for (const again of [remove, () => deleteMedia(api, other.key)]) {
      await again();
      assert.equal((await fetch(other.url)).status, 403);
    }
    await assert.rejects(deleteMedia(api, 'other.png'), refused('common.validation'));
    await read(image.url);
    console.log(`100000 bytes are at ${image.url}`);
  },

  async support() {
    const api = client();
    const wallet = wallets.bitcoin('p2wpkh');
    await signInWithWallet(api, wallet);
    const { data: { id: accountId } } = await call(api, 'get', '/api/account/me');
    await assert.rejects(searchSupport(api, wallet.address), refused('common.forbidden'));
    await lever('role', { address: wallet.address, role: 'admin' });
    // What a customer names need not be an e-mail address.
    const { hit } = await example('Support 1', { api, email: wallet.address }, ['hit']);
    assert.deepEqual([hit.accountId, hit.foundBy], [accountId, 'signInWallet']);
    assert.equal((await getSupportAccount(api, accountId)).wallet.address, wallet.address);
    const { data: [change] } = await listSupportRows(api, accountId, 'activity', { sort: 'createdAt' });
    assert.equal(change.change, 'accountCreated');
    assert.deepEqual(await listSupportWebhooks(api, accountId), []);
    const { metaData: { queues, deadLetters } } = await listStuckRows(api);
    assert.deepEqual([queues.length, deadLetters.length], [12, 4]);
    await listPayouts(api);
    const { data: reads } = await listSupportReads(api, { accountId });
    assert.deepEqual(reads.map(({ read }) => read).slice(0, 3), ['webhooks', 'activity', 'account']);
    console.log(`${reads.length} reads of ${accountId} are recorded`);
  },

  async exports() {
    const api = client();
    await signInWithWallet(api, wallets.bitcoin());
    const states = [];
    const made = await exportHistory(api, { format: 'csv', filter: { type: 'withdraw' } }, {
      interval: 100, onProgress: ({ status }) => states.push(status),
    });
    assert.equal(states[0], 'pending');
    assert.equal(states.at(-1), 'completed');
    const file = await (await fetch(made.url)).text();
    assert.equal(file.trimEnd().split('\n').length, 1);
    const { signal } = new AbortController();
    const { url } = await example('Uploads and exports 2', { api, signal }, ['url']);
    await read(url);
    console.log(`an export of ${made.rowCount} rows is at ${new URL(made.url).pathname}`);
  },
};

/** The wallets that extensions add to `window`, with these keys. */
function injectedWallets({ bitcoin, evm, solana }) {
  const signed = (text) => bitcoin.signMessage(text);
  return {
    ethereum: {
      request: async ({ method, params }) =>
        (method === 'eth_requestAccounts' ? [evm.address] : evm.signMessage(Buffer.from(params[0].slice(2), 'hex').toString())),
    },
    unisat: {
      requestAccounts: async () => [bitcoin.address], getPublicKey: async () => bitcoin.publicKey, signMessage: signed,
      signPsbt: async (psbt, { toSignInputs }) =>
        hex.encode(base64.decode(await bitcoin.signPsbt(base64.encode(hex.decode(psbt)), toSignInputs.map(({ index }) => index)))),
    },
    solana: {
      connect: async () => ({ publicKey: solana.address }),
      signMessage: async (bytes) => ({ signature: base58.decode(await solana.signMessage(Buffer.from(bytes).toString())) }),
    },
  };
}

/** Reads a file to its end: with one that is not read, Node keeps its connection, and does not exit. */
async function read(url) {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  assert.equal(answer.status, 200);
}

async function collected(iterable) {
  const all = [];
  for await (const item of iterable) all.push(item);
  return all;
}

for (const part of process.env.PARTS?.split(',') ?? Object.keys(parts)) await parts[part]();
if (!process.env.PARTS) allRan(/^Passkeys/);
