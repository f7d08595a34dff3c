// Helpers for the panel tests: a browser that opens the playground and blocks requests to other machines, and
// axe.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { chromium } = require('playwright-core');
const axeSource = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

export const base = (process.env.BASE ?? 'http://localhost:5173').replace(/\/$/, '');

/**
 * How long a test waits for one condition, in ms. This only ends a test that hangs: on an idle machine no condition takes a
 * tenth of it.
 */
export const PATIENCE = 180_000;
/** The pause between two looks at a condition of which nothing tells, in ms. */
const LOOKS_EVERY = 150;

export function launch() {
  return chromium.launch({
    timeout: PATIENCE,
    executablePath: process.env.CHROMIUM ?? new URL('../../../../.local/chromium', import.meta.url).pathname,
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  });
}

/** The programs of the local world (storage, ord, the venue's chain) listen only on this machine. */
const isLocal = (url) =>
  ['data:', 'blob:', 'about:'].includes(url.protocol) || url.origin === base || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);

/**
 * Opens a panel in a browser context of its own: no other test shares its storage or its pages. `problems` collects
 * requests to other machines and script errors, which fail the test.
 */
export async function openTab(browser, { panel = 'start', width = 1360, height = 900, colorScheme = 'light' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    permissions: ['local-network-access', 'clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE);
  const problems = [];
  const page = await context.newPage();
  await context.route((url) => !isLocal(url), (route) => {
    problems.push(`request to another machine: ${route.request().url()}`);
    return route.abort();
  });
  page.on('pageerror', (error) => problems.push(`error in the page: ${error.message}`));
  page.on('console', (message) => {
    // The browser also logs errors of the service; the tests check those themselves.
    if (message.type() === 'error' && !/^(Failed to load resource|WebSocket connection to )/.test(message.text())) problems.push(message.text());
  });
  await page.goto(`${base}/playground/#/${panel}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, context, problems };
}

/** Opens another panel in the same tab. */
export async function goTo(page, panel) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/${panel}`);
  await page.locator(`nav a[aria-current="page"][href^="#/${panel.split('?')[0]}"]`).first().waitFor({ state: 'attached' });
}

/** Creates a demo user, then returns to the current panel. */
export async function demoUser(page) {
  const panel = new URL(page.url()).hash.replace(/^#\/?/, '') || 'start';
  await goTo(page, 'start');
  // The last thing that the page does for a new block, after it has moved the clock.
  const followed = page.waitForResponse((response) => new URL(response.url()).pathname === '/_local/tick');
  await Promise.all([followed, page.getByRole('button', { name: 'Create a demo user' }).click()]);
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  // The coins are paid, mined, and known to ord.
  await page.getByText('0.003 BTC').waitFor();
  if (panel !== 'start') await goTo(page, panel);
}

/** Adds a virtual authenticator, which confirms every passkey request. */
export async function authenticator(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Calls a lever of the local world, or the service. */
export async function ask(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Polls `look` and returns its first result that is not undefined. */
export async function until(what, look, { patience = PATIENCE } = {}) {
  const latest = performance.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > latest) return assert.fail(`${what}: timed out`);
    await new Promise((resolve) => { setTimeout(resolve, LOOKS_EVERY); });
  }
}

/** Fills in one of the password forms of Sign up & in, and presses the button with its name. */
export async function withPassword(page, button, { email, password }) {
  const tab = page.getByRole('tab', { name: button, exact: true });
  await page.getByRole('button', { name: button, exact: true }).or(tab).first().waitFor();
  // The page of support has one form.
  if (await tab.count() > 0) await tab.click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Answers the question before what cannot be undone: first no, then yes. */
export async function sure(page, ask, yes) {
  const dialog = page.getByRole('dialog');
  await ask.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await ask.click();
  await dialog.getByRole('button', { name: yes, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Signs out, and waits until the page has no session: what a test does next belongs to the next one. */
export async function signOut(page) {
  const button = page.getByRole('banner').getByRole('button', { name: 'Sign out' });
  await button.click();
  await button.waitFor({ state: 'detached' });
}

/** Waits until the element with the focus has this text: a panel moves the focus some time after it has drawn. */
export const focused = (page, text) =>
  page.waitForFunction((pattern) => new RegExp(pattern).test(document.activeElement?.textContent ?? ''), text.source);

/** Waits until no button is busy and no content is loading. */
export const idle = (page) => page.waitForFunction(() => document.querySelector('[aria-busy="true"], .skeleton') === null);

/** Fails if axe finds a violation on the page, in light or dark mode. */
export async function accessible(page, what) {
  await page.evaluate(axeSource);
  // Further down, the header covers parts of buttons, which axe then finds too small.
  await page.evaluate(() => scrollTo(0, 0));
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate(async () => {
      // Wait for colour transitions to end, because intermediate colours may lack contrast.
      await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
      const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
      await Promise.allSettled(ending.map((one) => one.finished));
      const found = await globalThis.axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        // The HTML of a mail is in an iframe without scripts, where axe cannot run.
        iframes: false,
      });
      return found.violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html}\n${failureSummary}`) }));
    });
    assert.ok(violations.length === 0, `${what}, ${colorScheme}: ${JSON.stringify(violations, null, 2)}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Fails if the page is wider than the window. */
export async function fits(page, what) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${what} is ${over} px too wide`);
}
