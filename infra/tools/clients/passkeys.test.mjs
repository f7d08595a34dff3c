// Passkeys in a browser, with a virtual authenticator.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { base, CHROMIUM, inPackages, requireTool } from './service.mjs';

const { chromium } = requireTool('playwright-core');
const ORIGIN = 'http://localhost:5173';

test('@simplewebauthn/browser: registers a passkey and signs in with it', async (context) => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--disable-gpu', '--disable-quic'] });
  context.after(() => browser.close());
  // Chromium treats a page without a server as a public page, which may not call this machine.
  const page = await (await browser.newContext({ permissions: ['local-network-access'] })).newPage();
  await page.route(`${ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${ORIGIN}/`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.addScriptTag({ path: inPackages('@simplewebauthn/browser/dist/bundle/index.umd.min.js') });
  const { registered, signedIn } = await page.evaluate(async (url) => {
    const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;
    const post = async (path, body) => {
      const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      const answer = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(answer));
      return answer.data;
    };
    const creation = await post('/auth/register/passkey/init', {});
    const created = await startRegistration({ optionsJSON: creation.options });
    const first = await post('/auth/register/passkey/verify', { sessionId: creation.sessionId, credential: created });
    const request = await post('/auth/passkey/init', {});
    const credential = await startAuthentication({ optionsJSON: request.options });
    const second = await post('/auth/authenticate', { sessionId: request.sessionId, credential });
    return { registered: first.account.id, signedIn: second.account.id };
  }, base);
  assert.match(registered, /^[0-9a-f-]{36}$/);
  assert.equal(signedIn, registered);
});
