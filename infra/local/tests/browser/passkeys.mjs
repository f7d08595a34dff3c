// Passkeys in a real browser: Chromium, with virtual authenticators (WebAuthn of the DevTools protocol).
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 CHROMIUM=/usr/bin/chromium node infra/local/tests/browser/passkeys.mjs
//
// Exits with 0 if every answer is as it should be.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// The packages of infra/tools/package.json, where `make` installs them, and the browser next to them.
const local = new URL('../../../../.local/', import.meta.url);
const require = createRequire(new URL('node/package.json', local));
const { chromium } = require('playwright-core');

const base = process.env.BASE ?? 'http://127.0.0.1:9000';
/** How long the browser may take for one step, in ms. This only ends a script that hangs. */
const PATIENCE = 600_000;
const origin = 'http://localhost:5173';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? fileURLToPath(new URL('chromium', local)),
  args: ['--disable-gpu', '--disable-quic'],
  timeout: PATIENCE,
});

/** A separate browser with one authenticator, on an empty page of an origin. */
async function device({ at = origin, hasUserVerification = true } = {}) {
  // Chromium treats a page without a server as a public page, which may not call this machine.
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.route(`${at}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${at}/`);
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  });
  /** Whether the user passes verification by fingerprint or PIN. */
  const verifies = (isUserVerified) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { page, verifies };
}

/** Calls the service from a page, under CORS; returns the data of a success, or the whole body of an error. */
async function call({ page }, method, path, { token, body, status = 200 } = {}) {
  const headers = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  const request = { url: base + path, method, headers, body: body && JSON.stringify(body) };
  const answer = await page.evaluate(async ({ url, ...init }) => {
    const response = await fetch(url, init);
    return { status: response.status, body: await response.json() };
  }, request);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return status < 300 ? answer.body.data : answer.body;
}

/** A call that is refused with this error key. */
async function refused(on, status, message, method, path, options) {
  const answer = await call(on, method, path, { ...options, status });
  assert.equal(answer.message, message, `${method} ${path}: ${JSON.stringify(answer)}`);
}

/** Creates a passkey, as a frontend does. */
function create({ page }, options) {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  }, options);
}

/** Signs with a passkey, as a frontend does. */
function get({ page }, options) {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  }, options);
}

const authenticate = '/auth/authenticate';

/** The fields of a sign-in, for one attempt; `asked` is what the page makes of the service's options. */
async function assertion(on, asked = (options) => options) {
  const { sessionId, options } = await call(on, 'POST', '/auth/passkey/init', { body: {} });
  return { sessionId, credential: await get(on, asked(options)) };
}

async function signIn(on) {
  return call(on, 'POST', authenticate, { body: await assertion(on) });
}

/** The options of a page that skips user verification, regardless of the service's options. */
const unverified = (options) => ({ ...options, userVerification: 'discouraged' });
const unverifiedCreation = ({ authenticatorSelection, ...options }) => ({
  ...options,
  authenticatorSelection: unverified(authenticatorSelection),
});

try {
  const phone = await device();
  const encryptedBlob = randomBytes(500).toString('base64');
  const email = `carol.${randomBytes(6).toString('hex')}@example.com`;
  const creation = await call(phone, 'POST', '/auth/register/passkey/init', { body: { email } });
  assert.equal(creation.options.rp.id, 'localhost');
  assert.equal(creation.options.authenticatorSelection.userVerification, 'required');
  assert.equal(creation.options.user.name, email);
  const registered = await call(phone, 'POST', '/auth/register/passkey/verify', {
    body: { sessionId: creation.sessionId, credential: await create(phone, creation.options), email, encryptedBlob },
    status: 201,
  });
  assert.equal(registered.account.authMethod, 'passkey');
  assert.equal(registered.account.email, email);

  // The user types nothing: the authenticator knows the account. And a signature is accepted once.
  const body = await assertion(phone);
  const first = await call(phone, 'POST', authenticate, { body });
  assert.equal(first.account.id, registered.account.id);
  assert.equal(first.encryptedBlob, encryptedBlob);
  await refused(phone, 400, 'auth.handshakeInvalid', 'POST', authenticate, { body });
  console.log(`account ${first.account.id} registered and signed in with a passkey`);

  const { accessToken: token } = first;
  const passkeys = '/api/account/passkeys';
  // A second device. The first one already has a passkey, and its browser reports that.
  const again = await call(phone, 'POST', `${passkeys}/init`, { token, body: {} });
  await assert.rejects(create(phone, again.options), /InvalidStateError/);
  const laptop = await device();
  const added = await call(laptop, 'POST', `${passkeys}/init`, { token, body: {} });
  const second = await call(laptop, 'POST', `${passkeys}/verify`, {
    token,
    body: { sessionId: added.sessionId, credential: await create(laptop, added.options), name: 'Laptop' },
    status: 201,
  });
  assert.equal(second.name, 'Laptop');
  assert.equal((await signIn(laptop)).account.id, first.account.id);
  const listed = await call(phone, 'GET', passkeys, { token });
  assert.equal(listed.length, 2);
  assert.equal(listed.find(({ id }) => id === second.id).name, 'Laptop');
  console.log('a second device has a passkey of the account');

  // Someone who holds the device but fails verification; and a device that cannot verify users.
  await laptop.verifies(false);
  await assert.rejects(signIn(laptop), /NotAllowedError/);
  await refused(laptop, 401, 'auth.passkeyRefused', 'POST', authenticate, {
    body: await assertion(laptop, unverified),
  });
  const key = await device({ hasUserVerification: false });
  const careless = await call(key, 'POST', '/auth/register/passkey/init', { body: {} });
  await assert.rejects(create(key, careless.options), /NotAllowedError/);
  await refused(key, 401, 'auth.passkeyRefused', 'POST', '/auth/register/passkey/verify', {
    body: { sessionId: careless.sessionId, credential: await create(key, unverifiedCreation(careless.options)) },
  });
  await laptop.verifies(true);
  await signIn(laptop);
  console.log('a passkey without a proof of the person is refused');

  // Another site on the same host: the browser allows it, the service does not.
  const elsewhere = await device({ at: 'http://localhost:4321' });
  const phished = await call(phone, 'POST', '/auth/register/passkey/init', { body: {} });
  await refused(phone, 401, 'auth.passkeyRefused', 'POST', '/auth/register/passkey/verify', {
    body: { sessionId: phished.sessionId, credential: await create(elsewhere, phished.options) },
  });
  console.log('a passkey made at another origin is refused');

  const old = listed.find(({ id }) => id !== second.id);
  await call(phone, 'DELETE', `${passkeys}/${old.id}`, { token });
  assert.deepEqual((await call(phone, 'GET', passkeys, { token })).map(({ id }) => id), [second.id]);
  await refused(phone, 401, 'auth.passkeyRefused', 'POST', authenticate, { body: await assertion(phone) });
  await refused(phone, 409, 'account.lastWayIn', 'DELETE', `${passkeys}/${second.id}`, { token });
  assert.equal((await signIn(laptop)).account.id, first.account.id);
  console.log('a deleted passkey signs in no more, and the last one stays');
} finally {
  await browser.close();
}
