import assert from 'node:assert/strict';

import { accessible, demoUser, goTo, idle } from './harness.mjs';

export const title = 'Waiting: a call without an answer says so, and slow answers do not move what is read';
export const panel = 'wallet';

/** The most that a page may move while it loads: Core Web Vitals call 0.1 good. */
const MOST_SHIFT = 0.05;

export async function run({ page }) {
  await demoUser(page);
  await page.getByRole('table', { name: 'Coins', exact: true }).waitFor();

  // The network fails three times. The page says what it does, and goes on by itself.
  let tries = 0;
  await page.route((url) => url.pathname === '/api/transactions', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    tries += 1;
    return tries <= 3 ? route.abort() : route.fallback();
  });
  await page.getByLabel('Amount').fill('0.0005');
  await page.getByRole('button', { name: /^Create the transaction/ }).click();
  await page.getByRole('status').getByText(/^No answer yet\. Trying again \(try [234]\)\.$/).waitFor();
  await accessible(page, 'a call without an answer');
  await page.getByText('The client has checked the transaction', { exact: false }).waitFor();
  await page.getByRole('status').getByText('No answer yet.', { exact: false }).waitFor({ state: 'detached' });
  assert.equal(tries, 4);
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).waitFor({ state: 'detached' });

  // Each answer takes about a second.
  await page.route((url) => url.pathname.startsWith('/api/'), async (route) => {
    await new Promise((resolve) => { setTimeout(resolve, 700 + (route.request().url().length % 5) * 100); });
    await route.fallback();
  });
  await page.addInitScript(() => {
    globalThis.shifted = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput) globalThis.shifted.push({ value, nodes: sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const panels = await page.getByRole('navigation', { name: 'Panels' }).locator('a[href^="#/"]').evaluateAll((all) => all.map(({ hash }) => hash.slice(2)));
  assert.ok(panels.length >= 12, panels.join());
  for (const panel of panels) {
    await goTo(page, panel);
    await page.reload();
    const main = page.getByRole('main');
    await main.getByRole('region').or(main.getByRole('button')).first().waitFor();
    await idle(page);
    const shifts = await page.evaluate(() => globalThis.shifted);
    const sum = shifts.reduce((all, { value }) => all + value, 0);
    assert.ok(sum < MOST_SHIFT, `${panel} moves by ${sum}: ${JSON.stringify(shifts)}`);
  }

  // What is not signed in time ends, and the page says so.
  await page.unrouteAll({ behavior: 'wait' });
  await goTo(page, 'wallet');
  await page.getByLabel('Amount').fill('0.0005');
  await page.getByRole('button', { name: /^Create the transaction/ }).click();
  const sign = page.getByRole('button', { name: /^Sign \d+ inputs?$/ });
  await sign.waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByRole('group', { name: /^A withdrawal of 0\.0005 BTC to / }).getByText('10 minutes left', { exact: false }).waitFor();
  await page.clock.fastForward('10:30');
  await page.getByRole('status').getByText(/^A withdrawal of 0\.0005 BTC to .* was not signed in time\./).waitFor();
  await sign.waitFor({ state: 'detached' });
}
