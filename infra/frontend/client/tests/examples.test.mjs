// The example of a frontend, bundled as its README says, on a page without a browser: only the parts of the DOM that it uses.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { base64, hex } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { build } from 'esbuild';

import { challengeText, ok, played, problem } from './service.mjs';
import { issued, key, recipient, trading, user } from './trading.mjs';

const folder = new URL('../examples/frontend/', import.meta.url);
const html = readFileSync(new URL('index.html', folder), 'utf8');
const { outputFiles: [{ text: script }] } = await build({
  entryPoints: [fileURLToPath(new URL('main.ts', folder))], bundle: true, format: 'esm', write: false, logLevel: 'error',
});

class FakeElement {
  children = [];
  textContent = '';
  append(child) {
    this.children.push(child);
  }
}

/** A page of the example: its elements by id, what it keeps, and what it asks the user. */
function openPage({ kept = {}, confirms = true } = {}) {
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const elements = Object.fromEntries(ids.map((id) => [id, new FakeElement()]));
  const [storage, asked] = [new Map(Object.entries(kept)), []];
  const page = {
    window: Object.assign(new EventTarget(), { unisat: unisat() }),
    document: { getElementById: (id) => elements[id] ?? assert.fail(`no element ${id}`), createElement: () => new FakeElement() },
    localStorage: {
      getItem: (name) => storage.get(name) ?? null, setItem: (name, value) => storage.set(name, value), removeItem: (name) => storage.delete(name),
    },
    confirm: (text) => asked.push(text) && confirms,
    FormData: class {
      constructor({ fields }) {
        this.get = (name) => fields[name];
      }
    },
  };
  for (const [name, value] of Object.entries(page)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return { elements, storage, asked };
}

const unisat = () => ({
  requestAccounts: async () => [user.address],
  getPublicKey: async () => user.publicKey,
  signMessage: (text) => user.signMessage(text),
  signPsbt: async (psbt, { toSignInputs }) =>
    hex.encode(base64.decode(await user.signPsbt(base64.encode(hex.decode(psbt)), toSignInputs.map(({ index }) => index)))),
});

const told = issued([{ sats: 60_000 }], [{ sats: 30_000, to: recipient.address }, { sats: 29_000, to: trading }]);

/** A service whose account has this balance; `sign` answers a signed transaction, `happen` adds an event. */
function service(sign) {
  const events = [];
  const paths = {
    'GET /auth/wallet/challenge': () => ok({ challengeId: 'c1', message: challengeText({ chain: 'Bitcoin', address: user.address }) }),
    'POST /auth/authenticate': () => ok({
      accessToken: 'a', refreshToken: 'r', expiresIn: 600, account: { id: 'alice' }, tradingAddress: trading,
    }),
    'GET /api/account/trading-wallet': () => ok({ address: trading, platformPublicKey: hex.encode(pubECDSA(key(2))) }),
    'GET /api/account/trading-wallet/balance': () => ok({
      btc: { available: 60_000, incoming: { external: 5_000, own: 0 } }, runes: [{ name: 'UNCOMMON•GOODS', confirmed: '125', divisibility: 1 }],
    }, { checks: {} }),
    'POST /api/transactions': () => ok(told, { warnings: [], expiresInBlocks: 9_000, amount: '30000', left: 0, coinsLeftAside: {} }, 201),
    'POST /api/transactions/sign': sign,
    [`DELETE /api/transactions/${told.txId}`]: () => ok({ txId: told.txId, state: 'expired' }),
    'GET /api/events': async ({ query: { after } }) => {
      const page = after === undefined ? [] : events.slice(Number(after));
      // A list without news does not answer, so that the test is not kept running.
      if (after !== undefined && page.length === 0) return new Promise((resolve) => { answer = () => resolve(list(Number(after))); });
      return list(after === undefined ? 0 : Number(after));
    },
  };
  let answer = () => {};
  const list = (after) => ok(events.slice(after), { next: events.length, newest: events.length, oldest: 1, pollAfterMs: 0 });
  const { requests, fetch } = played((request) => (paths[`${request.method} ${request.path}`] ?? assert.fail(`${request.method} ${request.path}`))(request));
  globalThis.fetch = (request, init) => fetch(request.url ?? request, init ?? request);
  const happen = (type, data) => {
    events.push({ sequence: events.length + 1, id: `e${events.length}`, type, data });
    answer();
  };
  return { requests, happen, posts: () => requests.filter(({ path }) => path === '/api/transactions/sign') };
}

let pages = 0;
const settled = async () => {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
};

async function signedIn(options, sign = () => ok({ txId: told.txId, state: 'inMempool' }, undefined, 201)) {
  const page = openPage(options);
  const world = service(sign);
  pages += 1;
  await import(`data:text/javascript;base64,${Buffer.from(`${script}\n//${pages}`).toString('base64')}`);
  await settled();
  const [button] = page.elements.wallets.children;
  assert.equal(button.textContent, 'Sign in with UniSat Wallet');
  await button.onclick();
  await settled();
  const withdraw = async (amount) => {
    let isLeft = true;
    const preventDefault = () => { isLeft = false; };
    page.elements.withdrawal.onsubmit({ preventDefault, target: { fields: { amount, to: recipient.address } } });
    assert.equal(isLeft, false, 'the browser leaves the page');
    await settled();
  };
  return { ...page, ...world, withdraw, problem: () => page.elements.problem.textContent };
}

test('it signs in, shows the balance, withdraws, and follows', async () => {
  const { elements, asked, posts, happen, problem: shown, storage, withdraw } = await signedIn();
  assert.deepEqual([elements.account.hidden, elements.wallets.hidden, elements.address.textContent], [false, true, trading]);
  assert.equal(elements.balance.textContent, '0.0006 BTC, 0.00005 BTC on its way, 12.5 UNCOMMON•GOODS');
  await withdraw('0.0003');
  assert.equal(shown(), '');
  assert.deepEqual(asked, [`Pay 0.0003 BTC to ${recipient.address}, and 0.00001 BTC to the network?`]);
  const [{ body }] = posts();
  assert.equal(RawPSBTV0.decode(base64.decode(body.params.signedBase64Tx)).inputs[0].partialSig.length, 1);
  assert.deepEqual([[...storage.keys()].filter((name) => name.startsWith('signed')), elements.withdraw.disabled], [[], false]);
  happen('transaction.stateChanged', { txId: told.txId, before: 'inMempool', after: 'confirmed' });
  happen('deposit.seen', { depositId: 'd1', before: null, after: 'seen' });
  await settled();
  assert.deepEqual(elements.events.children.map(({ textContent }) => textContent), [
    `transaction.stateChanged ${told.txId}: confirmed`, 'deposit.seen d1: seen',
  ]);
});

test('an amount with a comma, and a payment that the user does not confirm, are not sent', async () => {
  const { asked, posts, problem: shown, requests, withdraw } = await signedIn({ confirms: false });
  await withdraw('0,0003');
  assert.match(shown(), /point for decimals/);
  assert.deepEqual(asked, []);
  await withdraw('0.0003');
  assert.match(shown(), /not confirmed/);
  assert.deepEqual([asked.length, posts().length, requests.filter(({ method }) => method === 'DELETE').length], [1, 0, 1]);
});

test('a transaction of unknown outcome is sent again, and not built again', async () => {
  const first = await signedIn({}, () => problem(500, '1000', 'common.internal'));
  await first.withdraw('0.0003');
  assert.equal(first.problem(), 'why');
  const [{ body }] = first.posts();
  const kept = { 'signed alice': first.storage.get('signed alice'), 'signed bob': '{}' };
  assert.equal(JSON.parse(kept['signed alice']).txId, told.txId);
  // A second payment waits for the first.
  await first.withdraw('0.0003');
  assert.deepEqual([first.posts().length, first.requests.filter(({ path }) => path === '/api/transactions').length], [2, 1]);

  const later = await signedIn({ kept });
  assert.deepEqual(later.posts().map((post) => post.body), [body]);
  assert.deepEqual([later.storage.get('signed alice'), later.storage.get('signed bob')], [undefined, '{}']);
});

test('a transaction that the service refuses is not kept', async () => {
  const { problem: shown, storage, withdraw } = await signedIn({}, () => problem(409, '2015', 'bitcoin.reservationExpired'));
  await withdraw('0.0003');
  assert.equal(shown(), 'why');
  assert.equal(storage.get('signed alice'), undefined);
});

test('it is short', () => {
  const lines = ['index.html', 'main.ts'].map((name) => readFileSync(new URL(name, folder), 'utf8').split('\n').length - 1);
  assert.ok(lines[0] + lines[1] < 150, `${lines}`);
});
