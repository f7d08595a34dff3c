// A user opens the page that checks a mint from the disk, in Chromium. It contacts nothing but what they name.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { BASE, MINT, PAGE, CHROMIUM, TOOLS, OWN } = process.env;
const { chromium } = createRequire(join(TOOLS, 'package.json'))('playwright-core');
const PATIENCE = 600_000;

const browser = await chromium.launch({ executablePath: CHROMIUM, timeout: PATIENCE, args: ['--disable-gpu', '--disable-quic'] });
try {
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  // The service has no batch that it does not list: 404.
  page.on('console', (message) => { if (!message.text().includes('status of 404')) problems.push(message.text()); });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('file:') && !url.startsWith(BASE)) problems.push(url);
  });
  await page.goto(pathToFileURL(PAGE).href);
  await page.fill('#mint', MINT);
  await page.fill('#esplora', `${BASE}/esplora`);
  await page.click('#check');
  await page.waitForSelector('#said.good, #said.bad');
  // Without the batches there is nothing to look for.
  if (await page.isVisible('#find')) await page.fill('#find', OWN);
  const lines = await page.locator('#batches tr').allInnerTexts();
  assert.deepEqual(problems, []);
  console.log(JSON.stringify({ said: await page.innerText('#said'), lines }));
} finally {
  await browser.close();
}
