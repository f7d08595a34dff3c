import assert from 'node:assert/strict';

import { accessible, ask, demoUser, fits, goTo, sure, until } from './harness.mjs';

export const title = 'Virtual mint: bids, replacement, virtual blocks, closing, refund, cancellation; few reads, however many batches';
export const panel = 'mint';
export const weight = 4;
// The blocks that make a mint final move the clock by more than a sign-in counts as recent.
export const runs = 'alone';

/** Waits until a table has these rows, `undefined` standing for any text. */
async function hasRows(table, expected) {
  const read = () => table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
  const known = (rows) => rows.map((row, at) => row.map((text, column) => (expected[at]?.[column] === undefined ? undefined : text)));
  const right = async () => {
    const rows = await read();
    return rows.length === expected.length && JSON.stringify(known(rows)) === JSON.stringify(expected) ? true : undefined;
  };
  await until('the rows', right).catch(async () => assert.deepEqual(await read(), expected));
}

export async function run({ page }) {
  const lists = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'GET' && url.pathname === '/api/vm-transactions') lists.push(url.searchParams);
  });
  const main = page.getByRole('main');
  const picture = page.locator('.scene svg');
  const says = (pattern) => until(`the picture says ${pattern}`, async () => {
    const label = await picture.getAttribute('aria-label').catch(() => null);
    return label !== null && pattern.test(label) ? label : undefined;
  });

  // The local world has created a mint, which is visible without a sign-in.
  await picture.waitFor();
  await main.getByText('You are not signed in').waitFor();
  await accessible(page, 'Virtual mint, signed out');
  await demoUser(page);

  // An admin opens a new mint, which contains nothing from other tests.
  await main.getByRole('button', { name: 'Make me an admin here' }).click();
  await main.getByText('you are an admin').waitFor();
  const name = main.getByLabel('Name of the rune');
  const openMint = async () => {
    const called = await name.inputValue();
    await main.getByRole('button', { name: 'Etch and open the mint' }).click();
    return called;
  };
  const isShown = (called) => until('the new mint is shown', async () =>
    ((await main.getByRole('heading', { level: 2 }).first().innerText()).endsWith(called.slice(-8)) && await name.inputValue() !== called ? true : undefined));
  if (!(await name.isVisible())) await main.getByText('Open a mint of a new rune').click();
  await main.getByLabel('Total requests').fill('9');
  await main.getByLabel('Per virtual block').fill('3');
  await main.getByLabel('Minimum sats').fill('1');
  await openMint();
  await main.getByRole('alert').getByText('Check 1 field.').waitFor();
  assert.equal(await main.getByLabel('Minimum sats').getAttribute('aria-invalid'), 'true');
  await accessible(page, 'a refused mint');
  await main.getByLabel('Minimum sats').fill('1000');
  const rune = await openMint();
  await isShown(rune);
  await says(/^0 of 9 requests taken, 9 left\. No requests wait/);

  // A link leads to its mint, also to one that is not among the newest, and says if there is none.
  const first = main.getByRole('heading', { level: 2 }).first();
  const own = new URL(page.url()).hash;
  assert.match(own, /^#\/mint\?id=[0-9a-f-]{36}$/);
  const { data: [{ id: older, runeName: olderName }] } = await ask('GET', '/api/vm-transactions/mints?sort=createdAt&pageSize=1');
  const newest = (url) => url.pathname === '/api/vm-transactions/mints';
  await page.route(newest, async (route) => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    await route.fulfill({ response: answer, json: { data: data.filter(({ id }) => id !== older), ...rest } });
  });
  await goTo(page, `mint?id=${older}`);
  await until('the mint of the link', async () => ((await first.innerText()).endsWith(olderName.slice(-8)) ? true : undefined));
  await goTo(page, 'mint?id=01a00000-0000-7000-8000-000000000000');
  await main.getByRole('alert').getByText('404', { exact: false }).waitFor();
  await accessible(page, 'a link to no mint');
  await page.unroute(newest);
  await goTo(page, own.replace('#/', ''));
  await until('the own mint', async () => ((await first.innerText()).endsWith(rune.slice(-8)) ? true : undefined));

  // A price below the minimum, then a batch of two requests.
  const batch = async (requests, price, shown = /^[\d,]+ sats: [\d.]+ sat\/vB for [\d,]+ vB$/) => {
    await main.getByLabel('Requests', { exact: true }).fill(String(requests));
    await main.getByLabel('Sats per request').fill(String(price));
    await main.getByRole('button', { name: 'Show what it would cost' }).click();
    await main.getByText(shown).first().waitFor();
    await main.getByRole('button', { name: /^Create the (batch|replacement): pay \d+ sats/ }).click();
  };
  const finish = async () => {
    await main.getByRole('button', { name: /^Sign \d inputs?$/ }).click();
    await main.getByRole('button', { name: 'Submit', exact: true }).click();
    await main.getByRole('button', { name: 'Create another batch' }).click();
  };
  await batch(2, 500, 'vm.priceTooLow');
  await main.getByRole('alert').last().waitFor();
  await batch(2, 1100);
  await main.getByText('treasury').first().waitFor();
  await accessible(page, 'a batch to read');
  // The page keeps it when it is loaded again, and offers it on other panels.
  const waits = main.getByRole('group', { name: /^A batch of 2 requests for / });
  await page.reload();
  await waits.getByText(/waits for your signature, \d+ minutes left/).waitFor();
  await page.evaluate(() => { location.hash = '#/start'; });
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await waits.getByRole('link', { name: 'Continue' }).click();
  await main.getByRole('heading', { level: 2, name: rune, exact: false }).waitFor();
  await main.getByText('The page has checked the transaction', { exact: false }).waitFor();
  await finish();
  await says(/next virtual block takes 2 requests, at 1,100 to 1,100 sats/);
  await main.getByRole('table', { name: 'Batches' }).getByText('waiting', { exact: true }).waitFor();

  // Before a block confirms the batch, another one replaces it and pays for both.
  await main.getByText('is not in a Bitcoin block yet', { exact: false }).waitFor();
  await batch(3, 2000);
  await main.getByRole('cell', { name: '8,200' }).waitFor();
  await finish();
  await says(/takes 3 requests, at 2,000 to 2,000 sats\. 2 requests behind it/);
  await main.getByText('replaced', { exact: true }).first().waitFor();
  await main.locator('dl > div', { hasText: 'Price to enter the next block' }).getByText('2,001').waitFor();
  await main.getByText('2,001 enters the next block').waitFor();
  assert.equal(await page.locator('.scene-square[data-mine="true"]').count(), 5);
  await main.getByText('for 8,200 sats').waitFor();
  await main.getByText('What waits, as a table').click();
  const waiting = main.getByRole('table', { name: 'Waiting requests by price' });
  await hasRows(waiting, [['2,000', '3', '3', '0', '3'], ['1,100', '2', '0', '0', '2']]);
  await accessible(page, 'Virtual mint with bids');
  await page.setViewportSize({ width: 390, height: 844 });
  await until('the picture is narrow', async () => ((await picture.boundingBox())?.width ?? 999) < 390 ? true : undefined);
  await fits(page, 'Virtual mint on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  // A block that is mined elsewhere on the page moves three requests into the mint.
  await page.getByRole('banner').getByRole('button', { name: 'Mine' }).click();
  await says(/^3 of 9 requests taken, 6 left\. The next virtual block takes 2 requests/);
  await main.getByText('its virtual block took 3 requests', { exact: false }).waitFor();
  assert.equal(await page.locator('.scene-square[data-place="taken"][data-mine="true"]').count(), 3);
  await hasRows(waiting, [['1,100', '2', '2', '2', '2']]);
  await hasRows(main.getByRole('table', { name: 'Virtual blocks' }), [[undefined, '3', '1', '2,000', '2,000', '2,000', 'not yet']]);

  // Other users bid too.
  await main.getByRole('button', { name: 'Let others bid' }).click();
  await until('others bid', async () => (await page.locator('.scene-square:not([data-mine="true"])').count() > 0 ? true : undefined));
  // The mint's own reads draw all this: of batches, the page has read the user's, and bidders theirs.
  assert.ok(lists.length > 0 && lists.every((query) => query.has('tradingAddress_eq') && !query.has('page')), lists.join('\n'));
  await main.getByRole('button', { name: 'Include others' }).click();
  const batches = main.getByRole('table', { name: 'Batches' }).getByRole('row');
  await until('the batches of others', async () => (await batches.count() >= 5 ? true : undefined));
  await main.getByRole('button', { name: 'Only mine' }).click();
  await until('only the own batches', async () => (await batches.count() === 3 ? true : undefined));

  // After the mint closes, requests that were not taken can be refunded.
  await sure(page, main.getByRole('button', { name: /^Close / }), 'Close the mint');
  await main.getByText('The mint is closed.', { exact: false }).waitFor();
  const entry = main.locator('dl > div', { hasText: 'Price to enter the next block' });
  await until('no price of a full block', async () => (/^Price to enter the next block\s+full$/.test((await entry.innerText()).trim()) ? true : undefined));
  await main.getByRole('button', { name: 'Mine the blocks that make it final' }).click();
  await main.getByText('The mint closed before every request was taken.', { exact: false }).waitFor();
  await main.getByText('This mint no longer accepts requests.', { exact: false }).waitFor();
  await main.getByRole('button', { name: 'Create the refund' }).click();
  await main.getByText('The refund spends the outputs', { exact: false }).waitFor();
  await accessible(page, 'a refund to read');
  await page.reload();
  await main.getByRole('group', { name: /^A refund of [\d,]+ sats from / }).getByText('waits to be submitted', { exact: false }).waitFor();
  await main.getByRole('button', { name: /submit the refund/i }).click();
  await main.getByRole('button', { name: /^Mine the seven blocks/ }).click();
  await main.getByText('refund refunded').first().waitFor();

  // The service reports the same state as the page.
  const { data } = await ask('GET', '/api/vm-transactions/mints?sort=-createdAt&pageSize=5');
  assert.equal(data.find(({ runeName }) => runeName === rune)?.state, 'failed');

  // A batch that no Bitcoin block has when its mint ends: its owner cancels it, and has the coins back.
  const later = await openMint();
  await isShown(later);
  await batch(2, 1500);
  await finish();
  await main.getByRole('table', { name: 'Batches' }).getByText('waiting', { exact: true }).waitFor();
  await sure(page, main.getByRole('button', { name: /^Close / }), 'Close the mint');
  await main.getByText('The mint is closed.', { exact: false }).waitFor();
  const look = async () => {
    await ask('POST', '/_local/clock', { advanceMs: 61_000 });
    await ask('POST', '/_local/tick', { worker: 'chain-watcher' });
  };
  for (let block = 0; block < 8; block += 1) {
    await ask('POST', '/_local/bitcoin/purge');
    await look();
  }
  await main.getByText('The mint closed before every request was taken.', { exact: false }).waitFor();
  await main.getByRole('table', { name: 'Batches' }).getByText('not taken', { exact: true }).waitFor();
  // The service sends the batch again, after the node has dropped it.
  const end = main.getByRole('button', { name: /^Cancel the batch / });
  await until('the offer to cancel', async () => {
    await look();
    return (await end.isVisible()) || undefined;
  });
  await accessible(page, 'a batch that can be cancelled');
  await end.click();
  await main.getByRole('heading', { name: 'Cancel a transaction' }).waitFor();
  await main.getByText('The client has checked the transaction', { exact: false }).waitFor();
  await main.getByRole('button', { name: /^Sign \d+ inputs?$/ }).click();
  await main.getByRole('button', { name: 'Submit' }).click();
  const way = main.getByRole('list', { name: 'Withdrawal' });
  await way.getByText('in mempool', { exact: true }).waitFor();
  await goTo(page, 'mint');
  await main.getByRole('heading', { level: 2, name: later, exact: false }).waitFor();
  await main.getByRole('table', { name: 'Batches' }).waitFor();
  await until('the end of the offer', async () => (await end.count() === 0 ? true : undefined));
  await goTo(page, 'wallet');
  await way.getByRole('button', { name: 'Mine a block' }).click();
  await way.getByText('confirmed', { exact: true }).waitFor();
}
