import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { writePage } from '../scripts/support-page.mjs';
import { accessible, ask, authenticator, base, fits, focused, goTo, idle, openTab, PATIENCE, signOut, until, withPassword } from './harness.mjs';

export const title = 'Support: where is my withdrawal? An e-mail address, no click, and the answer is one sentence';
export const panel = 'access';
export const weight = 4;
// A block that another test mines would confirm the withdrawal.
export const runs = 'exclusive';

/** The most that the page may move while it loads: Core Web Vitals call 0.1 good. */
const MOST_SHIFT = 0.05;
/** How long a person at the desk may need for the answer, in ms. */
const A_MINUTE = 60_000;

const person = (name) => ({ email: `${name}.${crypto.randomUUID().slice(0, 8)}@example.com`, password: `four old words of ${name}` });

/** Calls the service with the session of the playground. */
async function asSignedIn(page, method, path, body) {
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('runeport.playground.tokens')).accessToken);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const { data, ...rest } = await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(rest)}`);
  return data;
}

/** Signs up in the playground; returns the account. */
async function signUp(page, who) {
  await withPassword(page, 'Sign up', who);
  await page.getByRole('heading', { name: 'Your session' }).waitFor();
  return asSignedIn(page, 'GET', '/api/account/me');
}

/** Mines a block, and lets the worker read it. */
async function mine() {
  await ask('POST', '/_local/bitcoin/mine', { blocks: 1 });
  await ask('POST', '/_local/clock', { advanceMs: 61_000 });
  await ask('POST', '/_local/tick', { worker: 'chain-watcher' });
}

/** A customer whose withdrawal waits for his signature. */
async function withdrawing(page) {
  const customer = person('customer');
  const { id, tradingAddress } = await signUp(page, customer);
  await ask('POST', '/_local/bitcoin/fund', { address: tradingAddress, sats: 250_000 });
  await mine();
  const hook = await asSignedIn(page, 'POST', '/api/webhooks', { url: `http://127.0.0.1:${new URL(base).port}/_local/hooks/${id}`, types: [], note: 'shop' });
  await until('a webhook that its receiver has confirmed', async () => {
    const [{ state }] = await asSignedIn(page, 'GET', '/api/webhooks');
    return state === 'on' ? true : undefined;
  });
  await goTo(page, 'wallet');
  await page.getByRole('table', { name: 'Coins', exact: true }).getByRole('cell', { name: '250,000' }).waitFor();
  await page.getByLabel('Amount').fill('0.0005');
  await page.getByRole('button', { name: 'To a new address' }).click();
  await page.getByRole('button', { name: /^Create the transaction/ }).click();
  await page.getByRole('button', { name: /^Sign \d+ inputs?$/ }).waitFor();
  return { ...customer, id, hookId: hook.id };
}

/** A row that is stuck and a payout under way, which are too much work to bring about here. */
const NOW = Date.now();
const STUCK = {
  '/api/support/stuck': {
    data: (accountId) => [{
      id: `transaction#${'5f'.repeat(32)}/transaction`, kind: 'transaction', accountId, state: 'broadcasting', since: NOW - 400_000, stuckAt: NOW - 300_000,
      failures: 4, cause: 'esplora: no answer',
    }],
    metaData: { queues: [{ kind: 'draft', waiting: 0, stuck: 0 }, { kind: 'transaction', waiting: 3, stuck: 1 }] },
  },
  '/api/support/payouts': {
    data: () => [{
      id: '018bcfe5-6800-7000-8000-000000000001-3', mintId: '018bcfe5-6800-7000-8000-000000000001', number: 3, leg: 'distribution', state: 'planned',
      batches: 12, requests: 480, txId: null, sentAt: null, createdAt: NOW,
    }],
    metaData: {},
  },
};

/** Counts what the page moves, and the clicks and the places that it sees. */
const watched = (page) => page.addInitScript(() => {
  Object.assign(globalThis, { shifted: [], clicks: 0, places: [] });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) globalThis.shifted.push({ value, nodes: sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  addEventListener('click', ({ detail }) => { if (detail > 0) globalThis.clicks += 1; }, { capture: true });
  for (const change of ['pushState', 'replaceState']) {
    const own = history[change].bind(history);
    history[change] = (...to) => { own(...to); globalThis.places.push(location.hash); };
  }
  addEventListener('hashchange', () => globalThis.places.push(location.hash));
});

/** A wallet of the browser, which announces itself (EIP-6963) and signs everything. */
async function browserWallet(page, name) {
  const signer = privateKeyToAccount(generatePrivateKey());
  await page.exposeFunction('signText', (raw) => signer.signMessage({ message: { raw } }));
  await page.addInitScript(({ address, shown }) => {
    const request = async ({ method, params }) => {
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address];
      if (method === 'personal_sign') return globalThis.signText(params[0]);
      throw new Error(method);
    };
    const detail = { info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: shown, icon: 'data:,', rdns: 'com.example' }, provider: { request } };
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) }));
    addEventListener('eip6963:requestProvider', announce);
  }, { address: signer.address, shown: name });
}

/** The page at an operator's own address, an origin that the local world lets call it. No server is there: the files are the answers. */
const DESK = 'http://localhost:3000';

/** The written page works in any folder of any server, and calls nothing but its service. */
async function elsewhere(browser, admin, customer) {
  const folder = await mkdtemp(join(tmpdir(), 'support-'));
  const context = await browser.newContext({ permissions: ['local-network-access'] });
  context.setDefaultTimeout(PATIENCE);
  try {
    await writePage(base, folder);
    const page = await context.newPage();
    const contacted = new Set();
    await context.route('**', (route) => {
      const { origin, pathname } = new URL(route.request().url());
      contacted.add(origin);
      if (origin === DESK) return route.fulfill({ path: join(folder, pathname.replace('/desk/', '') || 'index.html') });
      return origin === base ? route.continue() : route.abort();
    });
    await page.goto(`${DESK}/desk/`);
    await withPassword(page, 'Sign in', admin);
    await page.getByRole('searchbox').fill(customer.email);
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Withdrawals' }).getByText(/^Waits for the customer’s signature since /).waitFor();
    assert.deepEqual([...contacted].sort(), [DESK, base].sort());
    const refused = await page.evaluate(async () => {
      const violation = new Promise((resolve) => { addEventListener('securitypolicyviolation', resolve, { once: true }); });
      await fetch('icon.svg').catch(() => undefined);
      return (await violation).effectiveDirective;
    });
    assert.equal(refused, 'connect-src');
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
}

export async function run({ page: shop, browser }) {
  const customer = await withdrawing(shop);
  const { page, context, problems } = await openTab(browser, { panel: 'access' });
  try {
    await watched(page);
    await authenticator(page);
    await page.getByRole('tab', { name: 'Passkey' }).click();
    await page.getByRole('button', { name: 'Sign up with a new passkey' }).click();
    await page.getByRole('heading', { name: 'Your session' }).waitFor();
    await signOut(page);
    await page.getByRole('tab', { name: 'Password' }).click();
    const admin = person('desk');
    const { id: adminId } = await signUp(page, admin);

    // Without the role, the page says what is missing, however the account signs in.
    await browserWallet(page, 'Desk Wallet');
    await page.goto(`${base}/playground/support/`);
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'Sign in' }).waitFor();
    await accessible(page, 'Support, signed out');
    const noRole = main.getByRole('heading', { name: 'This account may not read the accounts of others' });
    for (const [way, button] of [['Passkey', 'Sign in with a passkey'], ['Wallet', 'Sign in with Desk Wallet (EVM)']]) {
      await main.getByRole('tab', { name: way }).click();
      await main.getByRole('button', { name: button }).waitFor();
      await accessible(page, `Support, sign-in by ${way}`);
      await main.getByRole('button', { name: button }).click();
      await noRole.waitFor();
      await main.getByRole('button', { name: 'Sign out' }).click();
      await main.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    await main.getByRole('tab', { name: 'Password' }).click();
    // The policy of this page allows the worker of the client too.
    const worker = page.waitForEvent('worker');
    await withPassword(page, 'Sign in', admin);
    assert.match((await worker).url(), /\/playground\/support\/assets\/worker-[\w-]+\.js$/);
    await noRole.waitFor();
    await main.getByText(adminId).waitFor();
    await accessible(page, 'Support without the role');
    await ask('POST', '/_local/role', { address: adminId, role: 'admin' });
    await main.getByRole('button', { name: 'Check the role again' }).click();
    const search = main.getByRole('searchbox');
    await search.waitFor();
    await main.getByText('Everything that you read of an account is recorded', { exact: false }).waitFor();
    await accessible(page, 'Support, before a search');

    // "Where is my withdrawal?", with an e-mail address. By keyboard: its key, the address, Enter.
    await page.evaluate(() => { Object.assign(globalThis, { clicks: 0, places: [] }); document.activeElement.blur(); });
    const asked = performance.now();
    await page.keyboard.press('/');
    await page.keyboard.type(customer.email);
    await page.keyboard.press('Enter');
    const withdrawals = main.getByRole('table', { name: 'Withdrawals' });
    const answer = withdrawals.getByText(/^Waits for the customer’s signature since .*\d\d:\d\d\. If it is not signed, it ends at .*\d\d:\d\d\.$/);
    await answer.waitFor();
    const took = performance.now() - asked;
    const { clicks, places } = await page.evaluate(() => ({ clicks: globalThis.clicks, places: globalThis.places }));
    assert.ok(took < A_MINUTE, `${took} ms`);
    assert.equal(clicks, 0);
    const link = `#account=${customer.id}&list=withdrawals`;
    assert.deepEqual(places, [`#search=${encodeURIComponent(customer.email)}`, link]);
    await withdrawals.getByText('0.0005 BTC').waitFor();
    await focused(page, new RegExp(customer.email));
    await idle(page);
    await main.getByText(customer.id.slice(0, 7), { exact: false }).first().waitFor();
    await accessible(page, 'Support, an account');

    await elsewhere(browser, admin, customer);

    // The link alone leads there, also with slow answers, which do not move what is read.
    await page.route((url) => url.pathname.startsWith('/api/'), async (route) => {
      await new Promise((resolve) => { setTimeout(resolve, 700 + (route.request().url().length % 5) * 100); });
      await route.fallback();
    });
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await answer.waitFor();
      await idle(page);
      const shifts = await page.evaluate(() => globalThis.shifted);
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      assert.ok(sum < MOST_SHIFT, `at ${width} px, the page moves by ${sum}: ${JSON.stringify(shifts)}`);
      await fits(page, `an account at ${width} px`);
    }
    await page.unrouteAll({ behavior: 'wait' });
    await accessible(page, 'Support, an account on a phone');
    await page.setViewportSize({ width: 1360, height: 900 });

    // The customer signs. Nothing is read by itself, because each read is recorded.
    await shop.getByRole('button', { name: /^Sign \d+ inputs?$/ }).click();
    await shop.getByRole('button', { name: 'Submit' }).click();
    await shop.getByRole('list', { name: 'Withdrawal' }).getByText('in mempool', { exact: true }).waitFor();
    await answer.waitFor();
    const again = main.getByRole('button', { name: 'Read again' });
    await again.click();
    await withdrawals.getByText(/^Broadcast .*\. No block has it yet: 0 of 7 confirmations\.$/).waitFor();
    await mine();
    const confirmed = /^Confirmed in block [\d,]+(: \d of 7 confirmations)?\.$/;
    await until('the withdrawal is confirmed', async () => {
      await again.click();
      await idle(page);
      return await withdrawals.getByText(confirmed).count() > 0 ? true : undefined;
    });

    // The transaction itself, which its id finds as well.
    await withdrawals.getByRole('link').first().click();
    await main.getByText(/^Confirmed in block [\d,]+: \d of 7 confirmations\.$/).waitFor();
    for (const step of ['unsigned', 'in mempool', 'confirmed']) await main.getByRole('definition').getByText(step, { exact: true }).first().waitFor();
    await accessible(page, 'Support, a transaction');
    const at = new URL(page.url()).hash;
    const txId = at.replace('#transaction=', '');
    assert.match(txId, /^[0-9a-f]{64}$/);
    await main.getByRole('link', { name: 'Search', exact: true }).click();
    await search.fill(txId);
    await page.keyboard.press('Enter');
    await main.getByRole('heading', { name: 'Transaction', exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, at);

    // Every other list of the account, by its link.
    await main.getByRole('link', { name: customer.email }).click();
    const lists = main.getByRole('navigation', { name: 'Lists of the account' });
    for (const name of ['All transactions', 'Deposits', 'Swaps and hub', 'Batches', 'Refunds', 'Exports', 'Webhooks', 'Activity', 'Who read it']) {
      await lists.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await main.getByRole('region', { name, exact: true }).waitFor();
      await idle(page);
      assert.equal(await main.getByRole('alert').count(), 0, name);
      await accessible(page, `Support, ${name}`);
    }
    const reads = main.getByRole('table', { name: 'Who read the data of this account' });
    for (const what of ['Deposits', 'Webhooks', 'Activity']) await reads.getByRole('cell', { name: what, exact: true }).first().waitFor();
    const newest = await reads.innerText();
    await main.getByRole('link', { name: 'Older' }).click();
    await until('older reads', async () => (await reads.innerText() === newest ? undefined : true));
    // The first read of all was the search.
    const first = reads.getByRole('row').filter({ hasText: customer.email }).filter({ hasText: 'Search' });
    await until('the search is recorded', async () => {
      await idle(page);
      if (await first.count() > 0) return true;
      const shown = await reads.innerText();
      await main.getByRole('link', { name: 'Older' }).click();
      await until('older reads', async () => (await reads.innerText() === shown ? undefined : true));
      return undefined;
    });
    await lists.getByRole('link', { name: /^Deposits/ }).click();
    await main.getByRole('table', { name: 'Deposits' }).getByRole('cell', { name: '250,000' }).waitFor();
    await page.goBack();
    await first.first().waitFor();

    // A webhook, without its URL, and what it has sent.
    await lists.getByRole('link', { name: /^Webhooks/ }).click();
    const hooks = main.getByRole('table', { name: 'Webhooks' });
    await hooks.getByText(/^On, and its last attempt succeeded/).waitFor();
    assert.equal(await hooks.getByText('_local/hooks').count(), 0);
    await hooks.getByRole('link', { name: 'Deliveries of' }).click();
    const deliveries = main.getByRole('table', { name: 'Deliveries of the webhook' });
    await deliveries.getByText('webhook.verification').waitFor();
    assert.equal(new URL(page.url()).hash, `#account=${customer.id}&list=webhooks&webhook=${customer.hookId}`);
    await accessible(page, 'Support, deliveries');

    // Pages of a list: here with one row each.
    await page.route((url) => url.pathname.endsWith('/activity'), (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('pageSize', '1');
      return route.fallback({ url: url.href });
    });
    await lists.getByRole('link', { name: /^Activity/ }).click();
    await main.getByText(/^Page 1 of [2-9], [2-9] rows$/).waitFor();
    await main.getByRole('link', { name: 'Older' }).click();
    await main.getByText(/^Page 2 of [2-9], [2-9] rows$/).waitFor();
    assert.match(new URL(page.url()).hash, /&page=2&asOf=\d+$/);
    await page.reload();
    await main.getByText(/^Page 2 of /).waitFor();
    await main.getByRole('link', { name: 'Newer' }).click();
    await main.getByText(/^Page 1 of /).waitFor();
    await page.unrouteAll({ behavior: 'wait' });

    // A request id is not in the tables: the page shows how the logs find it.
    await search.fill('JKJaXmPLvHcESHA=');
    await page.keyboard.press('Enter');
    await main.getByRole('group', { name: 'Query for the logs' }).getByText('JKJaXmPLvHcESHA=', { exact: false }).waitFor();
    await main.getByText('Nothing was found').waitFor();
    await accessible(page, 'Support, nothing found');

    await main.getByRole('link', { name: 'Your reads' }).click();
    const own = main.getByRole('table', { name: /^What the admin .* has read$/ });
    await own.getByRole('row').filter({ hasText: 'Deliveries of a webhook' }).getByRole('link', { name: customer.id.slice(0, 6) }).first().waitFor();
    await accessible(page, 'Support, what an admin has read');

    // First as the service answers, then with a row that is stuck.
    await main.getByRole('link', { name: 'Stuck rows and payouts' }).click();
    for (const name of ['Stuck rows', 'Payouts under way']) await main.getByRole('region', { name }).waitFor();
    await idle(page);
    assert.equal(await main.getByRole('alert').count(), 0);
    await accessible(page, 'Support, stuck rows and payouts');
    for (const [path, part] of Object.entries(STUCK)) {
      const metaData = { totalItems: 1, currentPage: 1, pageSize: 20, totalPages: 1, ...part.metaData };
      const json = { code: '1', message: 'common.success', data: part.data(customer.id), metaData };
      await page.route((url) => url.pathname === path, (route) => route.fulfill({ json }));
    }
    await page.reload();
    const stuck = main.getByRole('table', { name: 'Stuck rows' });
    await stuck.getByText(/^4 failures since .*\d\d:\d\d: esplora: no answer$/).waitFor();
    await main.getByText('Waiting: transaction 3 (1 stuck).').waitFor();
    await main.getByRole('table', { name: 'Payouts under way' }).getByText('12 batches, 480 requests').waitFor();
    await accessible(page, 'Support, a stuck row and a payout');
    await page.setViewportSize({ width: 390, height: 844 });
    await fits(page, 'stuck rows on a phone');
    await stuck.getByRole('link').click();
    await main.getByRole('heading', { name: customer.email }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });

    // The service decides: a role that was taken away reads nothing more.
    await ask('POST', '/_local/role', { address: adminId, role: 'user' });
    await search.fill(customer.email);
    await page.keyboard.press('Enter');
    await main.getByRole('alert').getByText('common.forbidden').waitFor();
    assert.equal(await withdrawals.count(), 0);
    await accessible(page, 'Support, refused');
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await main.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.getItem('runeport.support.tokens')), null);
    assert.deepEqual(problems, []);
  } catch (error) {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/support-page.png`, fullPage: true }).catch(() => {});
    throw error;
  } finally {
    await context.close();
  }
}
