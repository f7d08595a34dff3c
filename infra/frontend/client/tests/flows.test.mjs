import assert from 'node:assert/strict';
import { test } from 'node:test';

import { memoryTokenStore, proveWallet } from '@runeport/client';
import {
  createMintRequest, createHubWithdrawal, mintTerms, previewHubWithdrawal, previewMintRequest, refund,
} from '@runeport/client/bitcoin';
import { exportHistory, watchExport } from '@runeport/client/exports';
import { uploadMedia } from '@runeport/client/media';
import { registerWithPasskey, signInWithPasskey } from '@runeport/client/passkeys';
import { evmWallet, injectedEvmWallet } from '@runeport/client/wallets/evm';
import { injectedSolanaWallet, solanaKeyWallet } from '@runeport/client/wallets/solana';
import { challengeText, ok, played, problem, simulatedTime, tokens } from './service.mjs';

const page = (rows) => ok(rows, { totalItems: rows.length, currentPage: 1, pageSize: 100, totalPages: 1 });

/** A service whose export advances through these states, one per poll. */
function exporting(states) {
  let at = 0;
  return played(({ method }) => {
    if (method === 'POST') return ok({ id: 'x', status: 'pending' }, undefined, 201);
    const state = states[Math.min(at, states.length - 1)];
    at += 1;
    return page([{ id: 'y', status: 'completed' }, ...(state ? [{ id: 'x', ...state }] : [])]);
  });
}

test('exportHistory waits until the export has ended', async (context) => {
  const { api } = exporting([{ status: 'pending' }, { status: 'processing', rowCount: 3 }, { status: 'completed', url: 'http://file' }]);
  const seen = [];
  const row = await exportHistory(api, { format: 'csv' }, { interval: 1, onProgress: ({ status }) => seen.push(status) });
  assert.equal(row.url, 'http://file');
  assert.deepEqual(seen, ['pending', 'pending', 'processing', 'completed']);
  for (const [state, details] of [[{ status: 'failed', error: 'too large' }, 'too large'], [{ status: 'expired' }, /expired/], [undefined, /no export x/]]) {
    const failing = exportHistory(exporting([{ status: 'processing' }, state]).api, { format: 'csv' }, { interval: 1 });
    await assert.rejects(failing, { key: 'client.exportFailed', message: details });
  }
  const { until, at } = simulatedTime(context);
  const controller = new AbortController();
  const reason = new Error('enough');
  const watching = (async () => {
    for await (const { status } of watchExport(exporting([{ status: 'pending' }]).api, 'x', { interval: 60_000, signal: controller.signal })) {
      assert.equal(status, 'pending');
      setTimeout(() => controller.abort(reason), 5_000);
    }
  })();
  await assert.rejects(until(watching), (error) => error === reason);
  assert.ok(at() < 60_000, `${at()}`);
});

test('a preview of a hub withdrawal or a batch has the body of the request, and creates nothing', async () => {
  const preview = { fee: { feeRate: 5, totalFee: 1_000 }, vbytes: 200, inputs: [], outputs: [], remaining: { sats: 7, runes: [] } };
  const notes = { warnings: [], expiresInBlocks: 9, amount: '6000', left: 0, coinsLeftAside: {} };
  const { api, requests } = played(({ query }) => (query.dryRun === 'true' ? ok(preview, notes) : ok({ txId: 'a' }, notes, 201)));
  const withdrawal = { tokenId: '0:0', amount: '25000', withdrawTo: 'bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muy', xchainData: '0x00' };
  const batch = { userAddress: 'x', runeId: '840000:3', requestCount: 3, satsNewRequests: 6_000 };
  const shown = { transaction: preview, notes };
  assert.deepEqual(await previewHubWithdrawal(api, withdrawal), shown);
  assert.deepEqual(await previewMintRequest(api, batch), shown);
  assert.deepEqual(await createHubWithdrawal(api, withdrawal), { transaction: { txId: 'a' }, notes });
  assert.deepEqual(await createMintRequest(api, batch), { txId: 'a' });
  const asked = requests.map(({ method, path, query }) => [method, path, query]);
  const paths = ['/api/xchain/transaction', '/api/vm-transactions'];
  assert.deepEqual(asked, [{ dryRun: 'true' }, {}].flatMap((query) => paths.map((path) => ['POST', path, query])));
  assert.deepEqual(requests.slice(2).map(({ body }) => body), requests.slice(0, 2).map(({ body }) => body));
  await assert.rejects(previewHubWithdrawal(api, { ...withdrawal, amount: 'max' }), { key: 'client.amountInvalid' });
  assert.equal(requests.length, 4);
});

/** Imitates the browser's `XMLHttpRequest`: uploads 10 bytes at a time. */
class Upload {
  upload = {};
  open(method, url) {
    Object.assign(this, { method, url });
  }
  abort() {
    this.aborted = true;
    this.onabort();
    this.onloadend();
  }
  async send(form) {
    Upload.sent.push([this.url, [...form.keys()]]);
    for (let loaded = 10; loaded <= 1_000; loaded += 10) {
      this.upload.onprogress({ loaded });
      if (this.aborted) return;
      if (loaded % 100 === 0) await null;
    }
    Object.assign(this, Upload.answer);
    if (this.status) this.onload();
    else this.onerror();
    this.onloadend();
  }
}

test('uploads report their progress and the errors of the storage', async (context) => {
  const upload = (n) => ({
    key: `k${n}`, url: `http://media/${n}`, fileName: `${n}.png`, mimeType: 'image/png', size: 2_000,
    signedUrl: { url: 'http://storage', fields: { key: `k${n}`, Policy: 'p' } },
  });
  const exchanges = [];
  const { api } = played(({ body }) => ok(body.files.map((_file, index) => upload(index))));
  const onExchange = (exchange) => exchanges.push(exchange);
  const files = [600, 900].map((size, n) => new File([new Uint8Array(size)], `${n}.png`));
  globalThis.XMLHttpRequest = Upload;
  try {
    Upload.sent = [];
    Upload.answer = { status: 204, responseText: '' };
    const progress = [];
    const uploaded = await uploadMedia(api, files, { onProgress: (at) => progress.push(at), onExchange });
    assert.deepEqual(uploaded.map(({ url }) => url), ['http://media/0', 'http://media/1']);
    // The file is the last field.
    assert.deepEqual(Upload.sent, [['http://storage', ['key', 'Policy', 'file']], ['http://storage', ['key', 'Policy', 'file']]]);
    assert.ok(progress.length > 100);
    progress.reduce((before, at) => {
      assert.ok(at.loaded >= before.loaded && at.loaded <= at.total && at.total === 1_500);
      return at;
    });
    assert.deepEqual(progress.at(-1), { loaded: 1_500, total: 1_500, file: 1 });
    assert.deepEqual(exchanges[0].requestBody, [['key', 'k0'], ['Policy', '***'], ['file', '@0.png']]);
    assert.deepEqual(exchanges.map(({ status }) => status), [204, 204]);

    Upload.answer = { status: 400, responseText: '<Error><Code>EntityTooSmall</Code><Message>too small</Message></Error>' };
    await assert.rejects(uploadMedia(api, files), { key: 'client.uploadFailed', status: 400, message: /too small/ });
    Upload.answer = { status: 0 };
    await assert.rejects(uploadMedia(api, files), { key: 'client.network' });
    Upload.answer = { status: 204, responseText: '' };
    const controller = new AbortController();
    const reason = new Error('enough');
    const stopping = uploadMedia(api, files, {
      signal: controller.signal, onProgress: ({ loaded }) => loaded > 700 && controller.abort(reason),
    });
    await assert.rejects(stopping, (error) => error === reason);
    Upload.sent = [];

    // An abort before the first byte sends nothing and leaves no event listener.
    const before = new AbortController();
    const listens = context.mock.method(before.signal, 'addEventListener');
    let asked;
    const stopped = uploadMedia(api, files, { signal: before.signal, onProgress: () => { asked ??= listens.mock.callCount(); before.abort(reason); } });
    await assert.rejects(stopped, (error) => error === reason);
    assert.deepEqual([Upload.sent.length, listens.mock.callCount() - asked], [0, 0]);

    // Errors in listeners do not stop the upload.
    const reported = context.mock.method(console, 'error', () => {});
    const fail = () => { throw reason; };
    const loud = played(({ body }) => ok(body.files.map((_file, index) => upload(index))));
    assert.equal((await uploadMedia(loud.api, files, { onProgress: fail, onExchange: fail })).length, 2);
    assert.ok(reported.mock.callCount() > 3);
    Upload.sent = [];
    await assert.rejects(uploadMedia(api, [files[0], new File([new Uint8Array(2_001)], 'x.png')]), { key: 'client.uploadFailed' });
    assert.equal(Upload.sent.length, 0);
  } finally {
    delete globalThis.XMLHttpRequest;
  }
});

test('an earlier batch counts until a block confirms it', async () => {
  const mint = { id: 'second', runeId: '1:1', state: 'open', treasuryAddress: 'treasury' };
  const service = (mints, batches) => played(({ path, query }) => page(path.endsWith('/mints')
    ? mints.filter(({ runeId, state }) => runeId === query.runeId_eq && state === query.state_eq)
    : batches.filter(({ mintId }) => mintId === query.mintId_eq)));
  const terms = (mints, batches) => mintTerms(service(mints, batches).api, { runeId: '1:1', userAddress: 'u' });
  const batch = (state, more) => ({ mintId: 'second', state, satsNewRequests: 2_000, satsPreviousRequests: 1_000, paidSats: 0, ...more });
  for (const [batches, sats] of [
    [[], 0],
    [[batch('allInMempool')], 3_000],
    [[batch('unsigned'), batch('expired'), batch('allInMempool')], 3_000],
    [[batch('allInBlock'), batch('allInMempool')], 0],
    [[batch('replaced', { replacedByTxId: 'x' }), batch('allInMempool')], 3_000],
    [[batch('failed'), batch('broadcasting')], 3_000],
    // A block has it: it has paid, and waits for a virtual block.
    [[batch('allInMempool', { paidSats: 3_000 })], 0],
    // A batch of the rune's first mint, which failed, is not paid again.
    [[batch('notTaken', { mintId: 'first', paidSats: 3_000 }), batch('allInMempool', { mintId: 'first' })], 0],
    [[batch('allInMempool', { mintId: 'first' }), batch('allInMempool')], 3_000],
  ]) assert.deepEqual(await terms([{ ...mint, id: 'first', state: 'failed', treasuryAddress: 'old' }, mint], batches), { treasuryAddress: 'treasury', satsPreviousRequests: sats });
  await assert.rejects(terms([{ ...mint, runeId: '2:2' }], []), { key: 'vm.noMint' });
  // One request each, limited to this rune, and to this address and the open mint.
  const { api, requests } = service([mint], []);
  await mintTerms(api, { runeId: '1:1', userAddress: 'u' });
  const { path, query: { userAddress_eq, runeId_eq, mintId_eq } } = requests[1];
  assert.deepEqual([requests.length, path, userAddress_eq, runeId_eq, mintId_eq], [2, '/api/vm-transactions', 'u', '1:1', 'second']);
});

test('without a trading wallet, a refund fails', async () => {
  const none = () => problem(404, '3026', 'account.tradingWalletNotFound');
  const { api, requests } = played(none, { tokens: memoryTokenStore(tokens(0)) });
  const asked = refund(api, {}, { userAddress: 'u', runeIds: ['1:1'], refundableSats: 1 });
  await assert.rejects(asked, { key: 'account.tradingWalletNotFound' });
  assert.deepEqual(requests.map(({ path }) => path), ['/api/account/trading-wallet']);
});

test('a wallet signs only challenges of the right address, purpose and domain', async () => {
  const bech32 = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
  const account = '0195b0f2-0000-7000-8000-000000000001';
  const good = challengeText();
  const proved = async (message, { chain = 'evm', address = '0x1', purpose = 'signIn', signInDomain } = {}) => {
    const { api } = played(() => ok({ challengeId: 'c1', message, expiresAt: 0 }), { signInDomain, tokens: memoryTokenStore(tokens(0)) });
    const asked = [];
    const wallet = { chain, address, publicKey: '', provider: 'test', signMessage: async (text) => asked.push(text) && 'signature' };
    try {
      return (await proveWallet(api, wallet, purpose)).signature;
    } catch (error) {
      assert.deepEqual([error.key, asked], ['client.answerMalformed', []]);
      return error.message;
    }
  };
  for (const [message, options] of [
    [good],
    [good, { signInDomain: 'app.example.org' }],
    [`${good}\nResources:\n- https://app.example.org/terms`],
    [challengeText({ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }), { address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' }],
    [challengeText({ chain: 'Bitcoin', address: bech32 }), { chain: 'bitcoin', address: bech32.toUpperCase() }],
    [challengeText({ chain: 'Solana', address: 'So1' }), { chain: 'solana', address: 'So1' }],
    [challengeText({ domain: 'localhost:9000', purpose: 'link this address', account }), { purpose: 'link' }],
    [challengeText({ purpose: 'become the sign-in wallet', account }), { purpose: 'rotate' }],
    [challengeText({ purpose: 'become the key of the trading wallet', account }), { purpose: 'tradingWallet' }],
  ]) assert.equal(await proved(message, options), 'signature', message);
  for (const [message, why, options] of [
    ['I owe you 1 BTC', /begins with "I owe you/],
    ['', /begins with/],
    [challengeText({ domain: 'evil.example' }), /is for evil.example, not for app.example.org/, { signInDomain: 'app.example.org' }],
    [challengeText({ domain: 'I owe you 1 BTC. x' }), /begins with/],
    [challengeText({ chain: 'Solana' }), /begins with/],
    [challengeText({ address: '0x2' }), /for the address 0x2/],
    [challengeText({ chain: 'Solana', address: 'So1' }), /for the address So1/, { chain: 'solana', address: 'so1' }],
    [challengeText({ purpose: 'become the sign-in wallet' }), /Purpose: become the sign-in wallet/],
    [challengeText(), /Purpose: sign in/, { purpose: 'rotate' }],
    [challengeText({ id: 'c2' }), /not a challenge/],
    [`${good}\nI owe you 1 BTC`, /not a challenge/],
    [`${good}\nResources:\nI owe you 1 BTC`, /not a challenge/],
    [good.replace('\nVersion: 1', ''), /not a challenge/],
    [good.replace(':\n0x1\n\n', ':\n0x1\nI owe you 1 BTC\n'), /says/],
  ]) assert.match(await proved(message, options), why, message);
});

test('browser wallets receive requests in their own format', async () => {
  const asked = [];
  const answers = { eth_requestAccounts: ['0xAbc'], personal_sign: '0xsigned' };
  const evm = await injectedEvmWallet({ request: async (request) => asked.push(request) && answers[request.method] });
  assert.equal(await evm.signMessage('é'), '0xsigned');
  assert.deepEqual(asked, [{ method: 'eth_requestAccounts' }, { method: 'personal_sign', params: ['0xc3a9', '0xAbc'] }]);
  await assert.rejects(injectedEvmWallet({ request: async () => [] }), { key: 'client.walletRefused' });
  await assert.rejects(injectedEvmWallet({ request: () => Promise.reject(new Error('4001')) }), { key: 'client.walletRefused' });
  assert.equal(await evmWallet({ address: '0x1', signMessage: async ({ message }) => `!${message}` }).signMessage('m'), '!m');

  const solana = await injectedSolanaWallet({
    connect: async () => ({ publicKey: { toString: () => 'Addr' } }),
    signMessage: async (bytes, display) => ({ signature: Uint8Array.from([...bytes, display.length]) }),
  });
  assert.deepEqual([solana.chain, solana.address, await solana.signMessage('ab')], ['solana', 'Addr', 'YWIE']);
  await assert.rejects(injectedSolanaWallet({ connect: () => Promise.reject(new Error('no')) }), { key: 'client.walletRefused' });
  // Both formats of a secret key result in the same wallet.
  const seed = new Uint8Array(32).fill(9);
  assert.equal(solanaKeyWallet(seed).address, solanaKeyWallet(Uint8Array.from([...seed, ...new Uint8Array(32)])).address);
});

test('passkey functions use the given authenticator', async () => {
  const signedIn = ok({ accessToken: 'a', refreshToken: 'r', expiresIn: 600, account: {} });
  const { api, requests } = played(({ path, body }) => {
    if (path.endsWith('/init')) return ok({ sessionId: 's', options: { challenge: path } });
    return path === '/auth/authenticate' && !body.otpCode ? problem(401, '4017', 'auth.otpRequired') : signedIn;
  });
  await assert.rejects(signInWithPasskey(api), { key: 'client.unsupported' });
  const authenticator = { create: async ({ challenge }) => ({ made: challenge }), get: async ({ challenge }) => ({ got: challenge }) };
  await registerWithPasskey(api, { authenticator, email: 'a@b.c', encryptedBlob: 'AAAA' });
  assert.deepEqual(requests.map(({ body }) => body), [
    { email: 'a@b.c' },
    { sessionId: 's', credential: { made: '/auth/register/passkey/init' }, email: 'a@b.c', encryptedBlob: 'AAAA' },
  ]);
  await signInWithPasskey(api, { authenticator, otpCode: () => '123456' });
  assert.deepEqual(requests.at(-1).body, { sessionId: 's', credential: { got: '/auth/passkey/init' }, otpCode: '123456' });
  assert.equal(requests.filter(({ path }) => path === '/auth/passkey/init').length, 2);
});
