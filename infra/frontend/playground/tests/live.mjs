import assert from 'node:assert/strict';

import { accessible, ask, base, demoUser, fits, goTo, openTab, until } from './harness.mjs';

export const title = 'Live: one socket, events instead of polls, a lost socket, a sign-out, a lost session';
export const panel = 'start';
export const weight = 3;
// It counts what its page asks for, and ends sockets and sessions.
export const runs = 'alone';

const EVENTS = /\/api\/events(\?|$)/;

/** Without sockets the page reads the events, and shows changes a few seconds later. */
async function withoutSockets(browser) {
  const { page, context, problems } = await openTab(browser, { panel: 'export' });
  try {
    await page.routeWebSocket(/\/socket/, (socket) => socket.close({ code: 1011 }));
    let reads = 0;
    page.on('request', (request) => { reads += EVENTS.test(request.url()) ? 1 : 0; });
    await page.reload();
    await demoUser(page);
    await page.getByRole('banner').locator('.live').getByText('Reading').waitFor();
    await page.getByRole('button', { name: 'Request the CSV' }).click();
    await page.getByRole('link', { name: 'Download the CSV' }).waitFor();
    const before = reads;
    await until('another read', () => (reads > before ? true : undefined));
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

export async function run({ page, browser }) {
  await withoutSockets(browser);
  const sockets = [];
  const open = () => sockets.filter(({ isOpen }) => isOpen);
  await page.routeWebSocket(/\/socket/, (socket) => {
    const entry = { socket, server: socket.connectToServer(), isOpen: true, isOfMint: !socket.url().includes('ticket=') };
    sockets.push(entry);
    socket.onClose((code) => {
      entry.isOpen = false;
      entry.server.close({ code });
    });
    entry.server.onClose((code, reason) => {
      entry.isOpen = false;
      void socket.close({ code, reason });
    });
  });
  const reads = [];
  page.on('request', (request) => reads.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const count = (what) => reads.filter((read) => read === what).length;
  // The page's time can be moved.
  await page.clock.install();
  await page.reload();

  const sign = page.getByRole('banner').locator('.live');
  await sign.getByText('Signed out').waitFor();
  assert.equal(sockets.length, 0);
  await demoUser(page);
  await sign.getByText('Live').waitFor();
  await accessible(page, 'the sign of a live page');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'the sign on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  // All panels share the account's socket; a mint has one of its own, while it is shown. The demo user moves the clock,
  // so the page may have opened its socket with a second ticket.
  const ofAccount = () => sockets.filter(({ isOfMint }) => !isOfMint).length;
  const opened = ofAccount();
  await goTo(page, 'mint');
  await page.getByRole('heading', { name: 'Mempool and virtual blocks' }).waitFor();
  await until('the socket of the mint', () => (open().some(({ isOfMint }) => isOfMint) ? true : undefined));
  await goTo(page, 'security');
  await until('the end of the mint’s socket', () => (open().some(({ isOfMint }) => isOfMint) ? undefined : true));
  assert.equal(ofAccount(), opened);
  assert.equal(open().length, 1);

  // A file is read when it is requested and when it is ready, not in between.
  await goTo(page, 'export');
  await page.getByRole('button', { name: 'Request the CSV' }).click();
  await page.getByRole('link', { name: 'Download the CSV' }).waitFor();
  const lists = reads.filter((read) => /^GET \/api\/download-histories\/./.test(read)).length;
  assert.ok(lists <= 3, `${lists} reads of an export`);
  assert.equal(reads.filter((read) => EVENTS.test(read)).length <= 4, true, 'the events are read over the socket');

  // A read that is refused for a while is made again once that time is over.
  const histories = ({ pathname }) => pathname === '/api/download-histories';
  let isRefused = true;
  await page.route(histories, (route) => {
    if (!isRefused || route.request().method() !== 'GET') return route.fallback();
    const body = { code: '1013', message: 'common.rateLimited', details: 'Too many requests.', requestId: 'test' };
    return route.fulfill({ status: 429, headers: { 'retry-after': '60' }, contentType: 'application/json', body: JSON.stringify(body) });
  });
  await goTo(page, 'mail');
  await goTo(page, 'export');
  await page.getByRole('alert').getByText('Too many calls.', { exact: false }).waitFor();
  isRefused = false;
  await page.clock.fastForward(60_000);
  await page.getByRole('table', { name: 'Exports' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.unroute(histories);

  // A status that changes elsewhere arrives. The panel does not ask for it.
  await goTo(page, 'swaps');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Link an EVM wallet of this tab' }).click();
  const intentTxHash = await main.locator('input[name="intentTxHash"]').inputValue();
  await ask('POST', '/_local/hub', { intentTxHash, status: 'pending' });
  await main.getByRole('button', { name: /^Register / }).click();
  const at = main.getByRole('list', { name: 'Status history' }).locator('[aria-current="step"]');
  await at.waitFor();
  const statusReads = () => reads.filter((read) => read.endsWith('/status')).length;
  const before = statusReads();
  const change = async (status) => {
    await ask('POST', '/_local/hub', { intentTxHash, status });
    // The worker asks the hub again some time after it asked last.
    await ask('POST', '/_local/clock', { advanceMs: 61_000 });
    await ask('POST', '/_local/tick', { worker: 'chain-watcher' });
  };
  await change('relayed');
  await at.getByText('relayed', { exact: true }).waitFor();
  assert.ok(statusReads() - before <= 3, `${statusReads() - before} reads of a status`);

  // What happens while the socket is closed is not lost: the page opens another and catches up.
  const said = await sign.evaluateHandle((element) => {
    const texts = [];
    new MutationObserver(() => texts.push(element.innerText)).observe(element, { attributes: true, characterData: true, childList: true, subtree: true });
    return texts;
  });
  const [first] = open();
  first.isOpen = false;
  await first.socket.close({ code: 1001 });
  // Perhaps only for a moment, as the page waits a random time before it opens another one.
  await page.waitForFunction((texts) => texts.some((text) => text.includes('Reading')), said);
  await change('solving');
  await at.getByText('solving', { exact: true }).waitFor();
  await sign.getByText('Live').waitFor();
  assert.equal(open().length, 1);

  // A sign-out ends the watch.
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await sign.getByText('Signed out').waitFor();
  await until('the end of the socket', () => (open().length === 0 ? true : undefined));
  const LAST = '/playground/icon.svg';
  /** Lets a minute of the page's time pass, as fast as its timers run. */
  const quiet = async (what) => {
    const asked = () => count('GET /api/events') + count('POST /api/events/ticket');
    const [events, opened, last] = [asked(), sockets.length, count(`GET ${LAST}`)];
    for (let left = 60_000; left > 0; left -= 5_000) await page.clock.runFor(5_000);
    // Requests are reported in their order, so all before this one are known once it is.
    await page.evaluate((address) => fetch(address, { cache: 'no-store' }), LAST);
    await until('the last request', () => (count(`GET ${LAST}`) > last ? true : undefined));
    assert.equal(asked(), events, what);
    assert.equal(sockets.length, opened, what);
  };
  await quiet('a signed-out page is quiet');

  // A session that ends elsewhere ends the watch as well.
  await demoUser(page);
  await sign.getByText('Live').waitFor();
  const held = await page.evaluate(() => sessionStorage.getItem('runeport.playground.tokens'));
  const { accessToken } = JSON.parse(held);
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const { data: sessions } = await (await fetch(`${base}/auth/sessions`, { headers })).json();
  const { id } = sessions.find(({ current }) => current) ?? sessions[0];
  const ended = await fetch(`${base}/auth/sessions/${id}`, { method: 'DELETE', headers });
  assert.ok(ended.ok, await ended.text());
  await sign.getByText('Signed out').waitFor();
  await until('the end of the socket', () => (open().length === 0 ? true : undefined));
  await quiet('a page whose session has ended is quiet');
}
