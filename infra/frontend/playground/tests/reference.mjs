// The reference is no panel, but a page of the service: without the playground's styles, under a policy of its own.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

import { call, createApi } from '@runeport/client';

import { accessible, base, fits } from './harness.mjs';

export const title = 'Reference';
export const panel = 'start';
export const runs = 'passive';

/** The most that the page may move while it arrives: Core Web Vitals call 0.1 good. */
const MOST_SHIFT = 0.05;
/** A slow line, in bytes per second. */
const SLOW = { downloadThroughput: 200_000, uploadThroughput: 100_000 };

/** The contrast of the page's text to what it declares as its background. */
const contrast = (page) => page.evaluate(() => {
  const luminance = (color) => {
    const parts = color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { color, backgroundColor } = getComputedStyle(document.body);
  if (/^rgba\(.*, 0\)$/.test(backgroundColor)) return 0;
  const [dark, light] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
});

export async function run({ page, browser }) {
  await page.goto(`${base}/api/docs`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const navigation = page.getByRole('navigation');
  await page.evaluate(() => document.querySelectorAll('nav details').forEach((one) => { one.open = true; }));
  const wide = await navigation.evaluate((nav) => nav.scrollWidth - nav.clientWidth);
  assert.ok(wide <= 0, `an entry of the navigation is ${wide} px too long`);

  // Each colour scheme, a page of forced colours and a printed one declare both colours.
  for (const media of [{ colorScheme: 'dark' }, { colorScheme: 'light' }, { forcedColors: 'active' }, { media: 'print', colorScheme: 'dark' }]) {
    await page.emulateMedia(media);
    const found = await contrast(page);
    assert.ok(found > 7, `${JSON.stringify(media)}: ${found}`);
    assert.equal(await navigation.isVisible(), media.media !== 'print');
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null });
  }
  await accessible(page, 'the reference');

  // A link leads to a whole row, which is marked, and not to one that the edge of the window cuts.
  for (const [anchor, shown] of [['code-2005', 'tr'], ['guide-errors', 'h2'], ['listMints', 'h3']]) {
    await page.goto(`${base}/api/docs#${anchor}`);
    const { top, outline } = await page.evaluate(([id, name]) => {
      const one = document.getElementById(id).closest(name);
      return { top: one.getBoundingClientRect().top, outline: getComputedStyle(one).outlineStyle };
    }, [anchor, shown]);
    assert.ok(top >= 2, `#${anchor} is at ${top} px`);
    assert.equal(outline, 'solid', `#${anchor} is not marked`);
  }

  // The navigation marks where the reader is, and opens that group alone.
  await page.reload();
  const place = navigation.locator('[aria-current="location"]');
  await page.waitForFunction(() => document.querySelector('nav [aria-current]')?.hash === '#listMints');
  assert.ok(await place.isVisible());
  await page.goto(`${base}/api/docs#listWebhooks`);
  await page.waitForFunction(() => document.querySelector('nav [aria-current]')?.hash === '#listWebhooks');
  assert.equal(await navigation.locator('details[open]').count(), 1);

  // `/` searches everything: operations by path and summary, fields, schemas, codes.
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Search' });
  const results = navigation.locator('#results a');
  for (const [text, wanted] of [['redeliver', 'redeliverEvent'], ['trading-wallet balance', 'getTradingWalletBalance'], ['2005', 'code-2005'], ['idempotency', 'guide-idempotency']]) {
    await field.fill(text);
    await navigation.locator(`#results a[href="#${wanted}"]`).first().waitFor();
  }
  await field.fill('xyzzy');
  await page.getByText('Nothing was found.', { exact: true }).waitFor();
  await field.fill('redeliver');
  await page.keyboard.press('ArrowDown');
  assert.equal(await results.first().evaluate((link) => link === document.activeElement), true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.equal(new URL(page.url()).hash, '#redeliverEvent');
  await page.keyboard.press('Escape');
  assert.equal(await field.inputValue(), '');
  assert.ok(await navigation.getByText('Guide', { exact: true }).first().isVisible());
  // A slash in the field is a slash.
  await page.keyboard.press('/');
  await page.keyboard.press('/');
  assert.equal(await field.inputValue(), '/');
  // axe has seen the rest of the page, of which it would take a minute more.
  await field.fill('redeliver');
  await page.evaluate(() => document.querySelector('main').replaceChildren(document.querySelector('h1')));
  await accessible(page, 'a search of the reference');
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'the reference on a phone');
  await samples(page);
  await tryOut(page);
  await withoutScript(browser);
  await staysInPlace(browser);
}

/** While a slow page arrives, nothing that is shown moves: not for the search, the links to the playground, or the marked place. */
async function staysInPlace(browser) {
  for (const width of [1360, 390]) {
    for (const anchor of ['', '#createBitcoinTransaction', '#guide-errors', '#code-2005']) {
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 100, ...SLOW });
      await page.addInitScript(() => {
        globalThis.shifts = [];
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries()) globalThis.shifts.push({ value, of: sources.map(({ node }) => node?.textContent.slice(0, 40)) });
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`${base}/api/docs${anchor}`);
      await page.locator('nav [aria-current="location"]').waitFor({ state: 'attached' });
      // The observer reports a frame in the next one.
      const shifts = await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        return globalThis.shifts;
      });
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      assert.ok(sum < MOST_SHIFT, `${anchor} at ${width} px: the page moves by ${sum}: ${JSON.stringify(shifts)}`);
      await context.close();
    }
  }
}

/** "Open in the playground" opens the operation's request, filled in, ready to be sent. */
async function tryOut(page) {
  await page.setViewportSize({ width: 1440, height: 900 });
  const calls = page.getByRole('complementary', { name: 'Calls' });
  const draft = calls.getByRole('group', { name: 'From the reference' });
  const follow = async (id) => {
    await page.goto(`${base}/api/docs#${id}`);
    await page.locator(`#${id} + .try`).getByRole('link', { name: 'Open in the playground' }).click();
    await draft.waitFor();
  };
  await follow('createBitcoinTransaction');
  assert.match(page.url(), /\/playground\/#\/wallet\?operation=createBitcoinTransaction$/);
  assert.equal(await draft.getByLabel('POST to').inputValue(), '/api/transactions');
  assert.equal(JSON.parse(await draft.getByLabel('Body').inputValue()).type, 'withdraw');
  await accessible(page, 'an operation of the reference');
  // Another panel keeps it; without an account, the service refuses it.
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Media' }).click();
  await draft.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('status').getByText('The service answered 401.', { exact: false }).waitFor();

  // Start shows an operation that no panel uses.
  await follow('listTokens');
  assert.match(page.url(), /#\/start\?operation=listTokens$/);
  assert.match(await draft.getByLabel('GET to').inputValue(), /^\/api\/tokens(\?|$)/);
  assert.equal(await draft.getByLabel('Body').count(), 0);
  await draft.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('status').getByText('The service answered 200.', { exact: false }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await draft.waitFor();
  await fits(page, 'an operation of the reference on a phone');
  await draft.getByRole('button', { name: 'Close' }).click();
  await draft.waitFor({ state: 'detached' });
  assert.ok(!page.url().includes('operation'), page.url());

  // A request that the service sends to webhooks is none that a reader sends.
  await page.goto(`${base}/api/docs`);
  const sent = await page.locator('#receiveTransactionStateChanged + .try a').getAttribute('href');
  assert.match(sent, /#\/webhooks$/);
  const ids = await page.locator('main h3[id] + .try a[href*="operation="]').evaluateAll((all) => all.map(({ hash }) => hash.split('=')[1]));
  const { paths } = await (await fetch(`${base}/api/openapi.json`)).json();
  const known = Object.values(paths).flatMap((item) => Object.values(item)).map(({ operationId }) => operationId);
  assert.ok(ids.length > 100 && ids.every((id) => known.includes(id)), `${ids}`);
  await page.goto(`${base}/playground/#/start?operation=absent`);
  await page.reload();
  await draft.getByText('The reference has no operation absent that can be called.').waitFor();
}

/** Reads the samples of an operation, of which one is open at a time. */
async function samplesOf(page, id) {
  const found = await page.evaluate((heading) => {
    let next = document.getElementById(heading).nextElementSibling;
    while (next && !next.matches('.samples')) next = next.matches('h2, h3') ? null : next.nextElementSibling;
    return next && [...next.querySelectorAll('details')].map((one) => [one.querySelector('summary').textContent, one.querySelector('code').textContent]);
  }, id);
  assert.ok(found, `${id} has samples`);
  return Object.fromEntries(found);
}

/** The samples are programs, name this server, and those that need no account work as they are. */
async function samples(page) {
  const setUp = await page.locator('#guide-samples ~ pre').evaluateAll((all) => all.slice(0, 3).map((one) => one.textContent));
  const python = setUp[2];
  for (const text of setUp) assert.ok(text.includes(base), text);
  const ids = await page.locator('main h3[id]').evaluateAll((all) => all.map(({ id }) => id));
  const first = ids.indexOf('receiveCoinsRenewalAdvised');
  const none = ['getReference', 'getOpenapi', 'getOlderOpenapi'];
  const operations = ids.slice(0, first).filter((id) => !none.includes(id));
  assert.ok(operations.length > 100, `${operations.length}`);
  const pythonOf = [];
  for (const id of operations) {
    const { curl, TypeScript: typescript, Python } = await samplesOf(page, id);
    const shell = spawnSync('sh', ['-n'], { input: curl });
    assert.equal(shell.status, 0, `${id}: ${curl}: ${shell.stderr}`);
    // A call in an async function; nothing of it runs here.
    assert.doesNotThrow(() => new Function('call', 'api', `return async () => { ${typescript} }`), `${id}: ${typescript}`);
    pythonOf.push(Python);
  }
  const parsed = spawnSync('python3', ['-c', 'import ast, json, sys; [ast.parse(text) for text in json.load(sys.stdin)]'], { input: JSON.stringify(pythonOf) });
  assert.equal(parsed.status, 0, `${parsed.stderr}`);

  for (const id of ['getConfig', 'getHealth', 'listTokens', 'getFeeRates', 'listMints']) {
    const { curl, TypeScript: typescript, Python } = await samplesOf(page, id);
    const called = spawnSync('sh', ['-c', `BASE=${base}\n${curl}`], { encoding: 'utf8' });
    assert.equal(JSON.parse(called.stdout).code, '1', `${id}: ${called.stdout} ${called.stderr}`);
    const sent = spawnSync('python3', ['-c', `${python}\n${Python}\nprint(answer["code"])`], { encoding: 'utf8' });
    assert.equal(sent.stdout.trim(), '1', `${id}: ${sent.stderr}`);
    const data = await new Function('call', 'api', `return (async () => { ${typescript}; return data })()`)(call, createApi({ baseUrl: base }));
    assert.ok(data !== undefined, `${id}: ${typescript}`);
  }
}

/** Without script, everything is there but the search. */
async function withoutScript(browser) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${base}/api/docs#createBitcoinTransaction`);
  assert.equal(await page.getByRole('searchbox').count(), 0);
  const navigation = page.getByRole('navigation');
  await navigation.getByText('transactions', { exact: true }).click();
  await navigation.getByRole('link', { name: 'POST /api/transactions', exact: false }).first().waitFor();
  await page.getByText('Fields of ').first().waitFor();
  const curl = page.locator('#createBitcoinTransaction ~ .samples').first().getByText('curl', { exact: true });
  await curl.click();
  await page.locator('#createBitcoinTransaction ~ .samples').first().getByText('"$BASE/api/transactions"').waitFor();
  await context.close();
}
