import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { accessible, ask, base, demoUser, fits, PATIENCE, until } from './harness.mjs';

export const title = 'Recovery: the service is gone, and the page from the disk gets everything out';
export const panel = 'recovery';
export const runs = 'alone';
// With all cases it mines away the delay of every coin, and with it the mints of this world.
export const isLast = true;

/** What the panel shows next to a name, as its button copies it. */
async function copied(page, name) {
  const shown = page.getByRole('main').locator(`dt:text-is("${name}") + dd`);
  const code = shown.locator('code');
  const whole = await code.getAttribute('title') ?? await code.innerText();
  await shown.getByRole('button', { name: /^Copy/ }).click();
  return until(`the copy of ${name}`, async () => {
    const copy = await page.evaluate(() => navigator.clipboard.readText());
    return copy === whole ? copy : undefined;
  });
}

/** The saved page, opened from the disk, may contact nothing but one Esplora. */
async function recover(browser, folder, { server, to, key }) {
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  try {
    const page = await context.newPage();
    const contacted = new Set();
    await context.route('**', (route) => {
      const { protocol, origin } = new URL(route.request().url());
      contacted.add(protocol === 'file:' ? 'file:' : origin);
      return protocol === 'file:' || origin === new URL(server).origin ? route.continue() : route.abort();
    });
    await page.goto(pathToFileURL(join(folder, 'runeport-recovery.html')).href);
    await page.setInputFiles('#file', join(folder, 'kit.json'));
    await page.locator('#kit-said', { hasText: 'The file is complete' }).waitFor();
    await page.fill('#esplora', server);
    await page.click('#look');
    await page.locator('#coins-said', { hasText: 'All are free now' }).waitFor();
    await page.fill('#destination', to);
    await page.fill('#rate', '2');
    await page.fill('#key', key);
    await page.click('#sign');
    await page.locator('#sign-said', { hasText: 'Signed. Nothing is sent yet' }).waitFor();
    await page.click('#send');
    await page.locator('#send-said', { hasText: 'Sent. The network has' }).waitFor();
    assert.deepEqual([...contacted].sort(), ['file:', new URL(server).origin].sort());
  } finally {
    await context.close();
  }
}

/** Three months pass, and the page from the disk moves the coins. */
async function drill({ page, browser, folder, coins }) {
  const main = page.getByRole('main');
  const button = (name) => main.getByRole('button', { name, exact: true });
  const table = main.getByRole('table', { name: 'What became of each coin' });
  await button('Mine 12,960 blocks').click();
  // The blocks are mined some at a time.
  const passed = main.getByRole('region', { name: '3. Time passes', exact: true }).getByRole('status');
  for (let said = await passed.innerText(); said !== 'The delay has passed.';) {
    const before = said;
    said = await until('further blocks', async () => {
      const now = await passed.innerText();
      return now === before ? undefined : now;
    });
  }
  await recover(browser, folder, {
    server: await copied(page, 'Server'), to: await copied(page, 'Address of another wallet'), key: await copied(page, 'Private key'),
  });
  await table.getByText('waits for a block').first().waitFor();
  await button('Mine the block that confirms it').click();
  await main.getByText(`Everything has arrived: ${coins} coins,`, { exact: false }).waitFor();
  await main.getByText(', without the service', { exact: false }).waitFor();
  assert.equal(await table.getByText('arrived', { exact: true }).count(), coins);
}

export async function run({ page, browser }) {
  const main = page.getByRole('main');
  await page.getByText('You are not signed in').waitFor();
  await demoUser(page);
  const button = (name) => main.getByRole('button', { name, exact: true });
  await button('Take the service away').waitFor();
  await main.getByText('Save the recovery kit first.').waitFor();
  assert.equal(await button('Take the service away').getAttribute('aria-disabled'), 'true');
  const { tradingAddress } = await page.evaluate(async () => {
    const { accessToken } = JSON.parse(sessionStorage.getItem('runeport.playground.tokens'));
    const answer = await fetch('/api/account/me', { headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' } });
    return (await answer.json()).data;
  });
  const { inscriptionId } = await ask('POST', '/_local/bitcoin/inscribe', { to: tradingAddress, contentType: 'text/plain', body: 'mine' });

  const folder = await mkdtemp(join(tmpdir(), 'drill-'));
  try {
    const saved = async (press, name) => {
      const [file] = await Promise.all([page.waitForEvent('download'), press.click()]);
      await file.saveAs(join(folder, name));
      return { name: file.suggestedFilename(), text: await readFile(join(folder, name), 'utf8') };
    };
    // The service reads the block of the inscription soon.
    const kit = await until('a kit with the inscription', async () => {
      const file = await saved(main.getByRole('button', { name: 'Save the recovery kit' }), 'kit.json');
      const read = { file, ...JSON.parse(file.text) };
      return read.coins.some(({ inscriptions }) => inscriptions.includes(inscriptionId)) ? read : undefined;
    });
    assert.equal(kit.file.name, `runeport-recovery-kit-${kit.address.slice(-8)}.json`);
    await main.getByText(`coins of ${kit.address}`).waitFor();
    const tool = await saved(main.getByRole('link', { name: 'Save the recovery page' }), 'runeport-recovery.html');
    assert.equal(tool.name, 'runeport-recovery.html');
    assert.match(tool.text, /content-security-policy.*Get your coins out without Runeport/s);
    assert.equal(createHash('sha256').update(tool.text).digest('hex'), kit.tool.sha256);
    assert.ok(tool.text.includes(`Runeport recovery ${kit.tool.version}.`));
    const table = main.getByRole('table', { name: 'What became of each coin' });
    await until('all coins are still there', async () => (await table.getByText('still there').count() === kit.coins.length ? true : undefined));
    await table.getByText(`inscription ${inscriptionId.slice(0, 8)}`).waitFor();
    await accessible(page, 'Recovery before the drill');

    // The service goes. The page calls neither it nor its sockets from here on. A socket that it opens again, because it has
    // lost one, is open before.
    await page.getByRole('banner').locator('.live').getByText('Live').waitFor();
    const ofService = [];
    page.on('request', (request) => {
      const { host, pathname } = new URL(request.url());
      if (host === new URL(base).host && !/^\/(playground|_local)\//.test(pathname)) ofService.push(`${request.method()} ${pathname}`);
    });
    page.on('websocket', (socket) => ofService.push(socket.url()));
    await button('Take the service away').click();
    await main.getByText('This page has just called the service. The service cannot be reached.').waitFor();
    await main.getByText('A drill: the service is gone.', { exact: false }).waitFor();
    await page.getByRole('banner').locator('.live').getByText('Reading').waitFor();
    // The kit cannot be had any more: the one on the disk is what there is.
    await main.getByRole('button', { name: 'Save the recovery kit' }).click();
    await main.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await accessible(page, 'Recovery without the service');
    if (process.env.RUNEPORT_CASES === 'all') await drill({ page, browser, folder, coins: kit.coins.length });
    assert.deepEqual(ofService, []);
    await accessible(page, 'Recovery after the drill');
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, 'Recovery on a phone');
    await page.setViewportSize({ width: 1360, height: 900 });

    // Back again, the service answers.
    await button('Bring the service back').click();
    await main.getByRole('button', { name: 'Save the recovery kit' }).waitFor();
    await saved(main.getByRole('button', { name: 'Save the recovery kit' }), 'kit.json');
    assert.ok(ofService.includes('GET /api/account/trading-wallet/recovery-kit'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
