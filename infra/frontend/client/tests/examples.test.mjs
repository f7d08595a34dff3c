// The example of a frontend, bundled as its README says, on a page without a browser: only the parts of the DOM that it uses.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { base64 } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { build } from 'esbuild';

import { service, settled, told, unisat } from './frontend.mjs';
import { ok, problem } from './service.mjs';
import { recipient, trading } from './trading.mjs';

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

let pages = 0;

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
