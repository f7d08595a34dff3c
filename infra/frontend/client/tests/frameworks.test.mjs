// The examples for React and Svelte: bundled as the README says, on a simulated page, with a simulated service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { base64 } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { build } from 'esbuild';
import { JSDOM } from 'jsdom';

import { options as svelte } from '../examples/svelte/build.mjs';
import { service, told, unisat } from './frontend.mjs';
import { ok, problem } from './service.mjs';
import { recipient, trading } from './trading.mjs';

const examples = new URL('../examples/', import.meta.url);
const react = { entryPoints: [fileURLToPath(new URL('react/main.tsx', examples))], bundle: true, format: 'esm', jsx: 'automatic', logLevel: 'error' };

/** What a page has in addition to its elements. */
const OF_THE_PAGE = [
  'document', 'localStorage', 'Node', 'Text', 'Comment', 'Element', 'DocumentFragment', 'Event', 'CustomEvent', 'FormData', 'navigator',
  'MutationObserver', 'requestAnimationFrame',
];

// A page that stays open keeps searching for wallets, and its queries for some minutes: that does not keep the tests running.
const { setInterval: every, setTimeout: later } = globalThis;
globalThis.setInterval = (...rest) => every(...rest).unref();
globalThis.setTimeout = (...rest) => later(...rest).unref();

/** Waits until `look` finds something; it only ends a test that hangs. */
async function until(what, look) {
  for (const latest = performance.now() + 20_000; performance.now() < latest;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => { later(resolve, 2); });
  }
  return assert.fail(`${what}:\n${document.body.innerHTML}`);
}

const find = (selector, text = '') => [...document.querySelectorAll(selector)].find((one) => one.textContent.includes(text));
const appears = (selector, text) => until(`${selector} ${text}`, () => find(selector, text));

let pages = 0;

/** Opens the page of a framework, and signs in. */
async function signedIn(context, name, script, { sign = () => ok({ txId: told.txId, state: 'inMempool' }, undefined, 201), kept = {}, confirms = true } = {}) {
  const html = readFileSync(new URL(`${name}/index.html`, examples), 'utf8').replace(/<script.*<\/script>/, '');
  const { window } = new JSDOM(html, { url: 'http://localhost:5173/', pretendToBeVisual: true });
  const asked = [];
  Object.assign(window, { unisat: unisat() });
  const elements = Object.getOwnPropertyNames(window).filter((part) => /^(HTML|SVG)\w*Element$/.test(part));
  const own = Object.fromEntries([...OF_THE_PAGE, ...elements].map((part) => [part, window[part]]));
  for (const [part, value] of Object.entries({ ...own, window, confirm: (text) => asked.push(text) && confirms })) {
    Object.defineProperty(globalThis, part, { value, configurable: true, writable: true });
  }
  for (const [key, value] of Object.entries(kept)) window.localStorage.setItem(key, value);
  const world = service(sign);
  pages += 1;
  await import(`data:text/javascript;base64,${Buffer.from(`${script}\n//${pages}`).toString('base64')}`);
  (await appears('button', 'Sign in with UniSat Wallet')).click();
  await appears('code', trading);
  const withdraw = async (amount) => {
    document.querySelector('[name=amount]').value = amount;
    document.querySelector('[name=to]').value = recipient.address;
    find('button', 'Withdraw').click();
    await until('the end of the payment', () => !find('button', 'Withdraw').disabled);
  };
  const leave = async () => {
    find('button', 'Sign out').click();
    await appears('button', 'Sign in with UniSat Wallet');
  };
  context.after(() => window.close());
  return { ...world, asked, storage: window.localStorage, withdraw, leave };
}

for (const [name, options] of [['react', react], ['svelte', svelte]]) {
  const { outputFiles: [{ text: script }] } = await build({ ...options, write: false, define: { 'process.env.NODE_ENV': '"production"' } });

  test(`${name}: it signs in, shows the balance, withdraws, follows, and signs out`, async (context) => {
    const { asked, posts, happen, listed, storage, withdraw, leave, requests } = await signedIn(context, name, script);
    await appears('output', '0.0006 BTC, 0.00005 BTC on its way, 12.5 UNCOMMON•GOODS');
    await withdraw('0.0003');
    await until('the payment', () => posts().length > 0);
    assert.deepEqual(asked, [`Pay 0.0003 BTC to ${recipient.address}, and 0.00001 BTC to the network?`]);
    const [{ body }] = posts();
    assert.equal(RawPSBTV0.decode(base64.decode(body.params.signedBase64Tx)).inputs[0].partialSig.length, 1);
    await until('nothing is kept', () => storage.getItem('signed alice') === null);
    assert.equal(find('[role=alert]'), undefined);
    const reads = requests.filter(({ path }) => path.endsWith('/balance')).length;
    listed.push({ txId: told.txId, state: 'confirmed', amount: '30000' });
    happen('transaction.stateChanged', { txId: told.txId, before: 'inMempool', after: 'confirmed' });
    await appears('li', 'confirmed');
    await until('the balance is read again', () => requests.filter(({ path }) => path.endsWith('/balance')).length > reads);
    await leave();
    assert.equal(requests.filter(({ method, path }) => method === 'POST' && path === '/auth/logout').length, 1);
    assert.equal(find('[role=alert]'), undefined);
  });

  test(`${name}: an amount with a comma, and a payment that the user does not confirm, are not sent`, async (context) => {
    const { asked, posts, requests, withdraw, leave } = await signedIn(context, name, script, { confirms: false });
    await withdraw('0,0003');
    await appears('[role=alert]', 'point for decimals');
    assert.deepEqual(asked, []);
    await withdraw('0.0003');
    await appears('[role=alert]', 'not confirmed');
    assert.deepEqual([asked.length, posts().length, requests.filter(({ method }) => method === 'DELETE').length], [1, 0, 1]);
    await leave();
  });

  test(`${name}: a transaction of unknown outcome is sent again, and not built again`, async (context) => {
    const failing = await signedIn(context, name, script, { sign: () => problem(500, '1000', 'common.internal') });
    await failing.withdraw('0.0003');
    await appears('[role=alert]', 'why');
    const kept = failing.storage.getItem('signed alice');
    assert.equal(JSON.parse(kept).txId, told.txId);
    const [{ body }] = failing.posts();
    await failing.leave();

    const again = await signedIn(context, name, script, { kept: { 'signed alice': kept, 'signed bob': '{}' } });
    await until('nothing is kept', () => again.storage.getItem('signed alice') === null);
    assert.deepEqual([again.posts().map((post) => post.body), again.storage.getItem('signed bob')], [[body], '{}']);
    await again.leave();
  });
}

test('they are short', () => {
  for (const file of ['react/main.tsx', 'svelte/session.svelte.ts', 'payments.ts']) {
    assert.ok(readFileSync(new URL(file, examples), 'utf8').split('\n').length <= 150, file);
  }
});
