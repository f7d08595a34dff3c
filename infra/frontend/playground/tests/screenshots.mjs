// Takes the README's screenshots of the playground at BASE. Without BASE, it starts a local world with
// `make dev`.
//
//   BASE=http://localhost:9000 node tests/screenshots.mjs

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const OWN_PORT = '9599';
const MOST_BYTES = 250_000;
const root = new URL('../../../../', import.meta.url);
const folder = new URL('../../screenshots/', import.meta.url);

const own = process.env.BASE === undefined;
process.env.BASE ??= `http://localhost:${OWN_PORT}`;
const { ask, base, demoUser, idle, launch, openTab, until } = await import('./harness.mjs');

const world = own
  ? spawn('make', ['dev', `PORT=${OWN_PORT}`], { cwd: fileURLToPath(root), detached: true, stdio: 'ignore' })
  : undefined;

async function ready() {
  const state = async () => {
    try {
      return (await ask('GET', '/_local/bitcoin')).state;
    } catch {
      return undefined;
    }
  };
  await until(`a local world at ${base}`, async () => ((await state()) === 'ready' ? true : undefined), { patience: 30 * 60_000 });
}

/** Takes one screenshot, after `prepare` has brought the page into the right state. */
async function picture(browser, name, window, prepare) {
  const { page, context, problems } = await openTab(browser, window);
  await prepare(page);
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur());
  // A message covers what the picture is about; it goes by itself.
  await page.locator('.toast').waitFor({ state: 'detached' });
  const path = fileURLToPath(new URL(`${name}.png`, folder));
  await page.screenshot({ path });
  await context.close();
  assert.deepEqual(problems, [], name);
  const { size } = await stat(path);
  assert.ok(size < MOST_BYTES, `${name}.png has ${size} bytes`);
  console.log(`${name}.png, ${Math.round(size / 1000)} kB`);
}

/** Scrolls until this begins below the bar and the list of sections. */
const toTop = (locator) => locator.evaluate((one) => {
  const covered = document.querySelector('nav[aria-label="Sections of this panel"]').getBoundingClientRect().height;
  const bar = document.querySelector('header').getBoundingClientRect().height;
  window.scrollTo(0, one.getBoundingClientRect().top + window.scrollY - bar - covered - 16);
});

const create = async (page) => {
  await demoUser(page);
  await page.getByRole('button', { name: 'Create the transaction' }).click();
  await page.getByText('The client has checked the transaction', { exact: false }).waitFor();
};

try {
  await ready();
  await mkdir(folder, { recursive: true });
  const browser = await launch();
  try {
    await picture(browser, 'start', { panel: 'start', width: 1440, height: 900 }, async (page) => {
      await demoUser(page);
      await page.getByRole('button', { name: /POST \/auth\/authenticate/ }).click();
    });
    await picture(browser, 'withdrawal', { panel: 'wallet', width: 1440, height: 1000, colorScheme: 'dark' }, async (page) => {
      await create(page);
      await page.getByRole('button', { name: /POST \/api\/transactions(?!\/)/ }).click();
      await page.getByRole('tab', { name: 'Client code' }).click();
      await toTop(page.getByRole('heading', { name: 'Withdraw', exact: true }));
    });
    await picture(browser, 'mint', { panel: 'mint', width: 1440, height: 900 }, async (page) => {
      await demoUser(page);
      // If the mint no longer accepts bids, take the screenshot without new ones.
      const others = page.getByRole('button', { name: 'Let others bid' });
      await others.or(page.getByText('This mint no longer accepts requests.', { exact: false })).first().waitFor();
      if (await others.isVisible()) {
        await others.click();
        await page.getByText('No requests are waiting.', { exact: false }).waitFor({ state: 'detached' });
      }
      await idle(page);
    });
    await picture(browser, 'phone', { panel: 'wallet', width: 390, height: 844 }, async (page) => {
      await create(page);
      await toTop(page.getByRole('list', { name: 'Withdrawal' }));
    });
  } finally {
    await browser.close();
  }
} finally {
  if (world) process.kill(-world.pid, 'SIGINT');
}
