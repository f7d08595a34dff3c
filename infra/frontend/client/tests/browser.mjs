// Tests in Chromium, with the client bundled as in a frontend: passkeys, the README's examples for them, passwords
// without Node's modules and in a worker, uploads with progress, tokens shared by several pages.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 CHROMIUM=/usr/bin/chromium node infra/frontend/client/tests/browser.mjs
//
// Exits with 0 if every check passes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';

import { javascript } from './readme.mjs';
import { base, PATIENCE } from './world.mjs';

const origin = 'http://localhost:5173';

const { outputFiles: [{ text: script }] } = await build({
  stdin: {
    resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    contents: `
      export * from '@runeport/client';
      export * from '@runeport/client/inspect';
      export * from '@runeport/client/media';
      export * from '@runeport/client/passkeys';
      export * from '@runeport/client/srp';`,
  },
  bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false,
});
/** A frontend: its page, the bundle, and the worker as a copy next to it, as the README has it for esbuild. */
const files = {
  '/': ['text/html', '<!doctype html><script type="module">import * as runeport from "/runeport.js"; globalThis.runeport = runeport;</script>'],
  '/runeport.js': ['text/javascript', script],
  '/worker.js': ['text/javascript', await readFile(new URL('../dist/srp/worker.js', import.meta.url))],
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? fileURLToPath(new URL('../../../../.local/chromium', import.meta.url)),
  args: ['--disable-gpu', '--disable-quic'],
  timeout: PATIENCE,
});
try {
  // The page does not come from a local server, so Chromium needs this permission to let it call localhost.
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  const open = async ({ policy, without } = {}) => {
    const page = await context.newPage();
    page.on('pageerror', (error) => assert.fail(error));
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const [contentType, body] = files[pathname] ?? [];
      if (body === undefined || pathname === without) return route.fulfill({ status: 404 });
      return route.fulfill({ contentType, body, headers: policy && { 'content-security-policy': policy } });
    });
    await page.addInitScript(() => {
      globalThis.compiled = 0;
      for (const name of ['compile', 'instantiate']) {
        const real = WebAssembly[name];
        WebAssembly[name] = (...given) => {
          globalThis.compiled += 1;
          return real(...given);
        };
      }
      globalThis.ended = 0;
      const { terminate } = Worker.prototype;
      Worker.prototype.terminate = function end() {
        globalThis.ended += 1;
        terminate.call(this);
      };
    });
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => globalThis.runeport);
    await page.evaluate((baseUrl) => {
      globalThis.inspector = runeport.createInspector();
      globalThis.api = runeport.createApi({ baseUrl, tokens: runeport.sharedTokenStore(), fetch: inspector.fetch });
    }, base);
    return page;
  };
  const page = await open();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const device = () => devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { authenticatorId } = await device();

  const passkeys = await page.evaluate(async ({ email, encryptedBlob }) => {
    const registered = await runeport.registerWithPasskey(api, { email, encryptedBlob });
    const signedIn = await runeport.signInWithPasskey(api);
    // The device already has a passkey of this account.
    const again = await runeport.addPasskey(api, { name: 'again' }).catch(({ key, cause }) => [key, cause.name]);
    const [{ id }] = await runeport.listPasskeys(api);
    const last = await runeport.removePasskey(api, id).catch(({ key }) => key);
    return { same: registered.account.id === signedIn.account.id, blob: signedIn.encryptedBlob, again, last };
  }, { email: `carol.${randomBytes(6).toString('hex')}@example.com`, encryptedBlob: 'AAAA' });
  assert.deepEqual(passkeys, {
    same: true, blob: 'AAAA', again: ['client.walletRefused', 'InvalidStateError'], last: 'account.lastWayIn',
  });
  console.log('a passkey registers and signs in, and the last one cannot be removed');

  const example = (name, values) => {
    const { imports, body } = javascript(name, base);
    const names = imports.flatMap((one) => one.names);
    return page.evaluate(({ names, values, body }) => {
      const known = { api, ...Object.fromEntries(names.map((one) => [one, runeport[one]])), ...values };
      const AsyncFunction = (async () => {}).constructor;
      return new AsyncFunction(...Object.keys(known), body)(...Object.values(known));
    }, { names, values, body });
  };
  await example('Passkeys 1', { email: `erin.${randomBytes(6).toString('hex')}@example.com`, encryptedBlob: 'AAAA', otpCode: undefined });
  // Another device.
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  await device();
  await example('Passkeys 2', {});
  assert.equal(await page.evaluate(async () => (await runeport.listPasskeys(api)).length), 2);
  console.log('the examples of passkeys work');

  /** Registers and signs in on a page, and counts what it used. */
  const signsIn = (one) => one.evaluate(async (email) => {
    const password = 'correct horse é';
    await runeport.registerWithPassword(api, { email, password, encryptedBlob: 'AAAA' });
    let longest = 0;
    const observer = new PerformanceObserver((list) => { longest = Math.max(longest, ...list.getEntries().map(({ duration }) => duration)); });
    observer.observe({ type: 'longtask' });
    const start = performance.now();
    const { account } = await runeport.signInWithPassword(api, { email, password });
    const milliseconds = performance.now() - start;
    // The observer reports a task after its end.
    await new Promise((resolve) => { setTimeout(resolve); });
    return { email: account.email, buffer: typeof globalThis.Buffer, ended, compiled, milliseconds, longest };
  }, `dave.${randomBytes(6).toString('hex')}@example.com`);
  const policy = (workers) => `default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src *; worker-src ${workers}`;
  const strict = { policy: policy("'self'") };
  for (const [where, options, counts] of [
    ['a worker', strict, [2, false]],
    ['the page, whose policy forbids workers', { policy: policy("'none'") }, [1, true]],
    ['the page, whose bundler has left out the worker', { without: '/worker.js' }, [1, true]],
  ]) {
    const one = await open(options);
    const { email, buffer, ended, compiled, milliseconds, longest } = await signsIn(one);
    assert.equal(buffer, 'undefined');
    // Two workers that have ended, or one that did not start.
    assert.deepEqual([ended, compiled > 0], counts, where);
    await Promise.all(one.workers().map((worker) => new Promise((resolve) => { worker.once('close', resolve); })));
    console.log(`${email} signs in with a password in ${Math.round(milliseconds)} ms, in ${where}; longest task ${Math.round(longest)} ms`);
    await one.close();
  }
  const aborted = await open(strict);
  const reason = await aborted.evaluate(async () => {
    const controller = new AbortController();
    const password = { email: 'erin@example.com', password: 'correct horse é', encryptedBlob: 'AAAA', signal: controller.signal };
    const registering = runeport.registerWithPassword(api, password).catch((error) => error.message);
    controller.abort(new Error('left'));
    return [await registering, ended, inspector.exchanges.length];
  });
  assert.deepEqual(reason, ['left', 1, 0]);
  await aborted.close();
  await signsIn(page);

  const upload = await page.evaluate(async () => {
    const file = new File([new Uint8Array(3_000_000)], 'picture.png');
    const progress = [];
    const [{ url }] = await runeport.uploadMedia(api, [file], {
      onProgress: ({ loaded }) => progress.push(loaded), onExchange: inspector.record,
    });
    const { status, requestBody } = inspector.exchanges.at(-1);
    return { url, progress, status, last: requestBody.at(-1) };
  });
  assert.deepEqual([upload.status, upload.last, upload.progress[0], upload.progress.at(-1)], [204, ['file', '@picture.png'], 0, 3_000_000]);
  assert.ok(upload.progress.length > 2);
  assert.equal((await (await fetch(upload.url)).arrayBuffer()).byteLength, 3_000_000);
  console.log(`uploaded 3 MB in ${upload.progress.length - 1} steps`);

  // A password account has no trading wallet until its owner proves a key.
  const refusedKit = await page.evaluate(() => runeport.downloadRecoveryKit(api).catch(({ key }) => key));
  assert.equal(refusedKit, 'account.tradingWalletNotFound');

  // Two pages share a stale access token; only one of them refreshes it.
  const other = await open();
  await page.evaluate(async () => {
    const tokens = await api.tokens.get();
    await api.tokens.set({ ...tokens, accessToken: tokens.accessToken.replace(/.$/, '!') });
  });
  const refreshes = await Promise.all([page, other].map((one) => one.evaluate(async () => {
    inspector.clear();
    await Promise.all([1, 2, 3].map(() => runeport.call(api, 'get', '/api/account/me')));
    return inspector.exchanges.filter(({ url }) => url.endsWith('/auth/refresh-token')).length;
  })));
  assert.deepEqual(refreshes.sort(), [0, 1]);
  assert.equal(await page.evaluate(async () => (await runeport.call(api, 'get', '/auth/sessions')).code), '1');
  console.log('two pages refreshed their tokens once');
} finally {
  await browser.close();
}
