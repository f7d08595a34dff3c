import assert from 'node:assert/strict';

import { accessible, ask, demoUser, fits, focused, goTo, idle, signOut, until } from './harness.mjs';

export const title = 'Trading wallet: faucet, coins, withdrawals, renewal, bump and cancel';
export const panel = 'wallet';
export const weight = 6;
export const runs = 'exclusive';

export async function run({ page, context }) {
  await page.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await page.getByRole('heading', { name: 'Holdings' }).waitFor();
  const coins = page.getByRole('table', { name: 'Coins', exact: true });
  await coins.getByRole('cell', { name: '250,000' }).waitFor();

  // Get sats from the faucet, mine a block, then add a rune and an inscription.
  await page.getByLabel('Sats from the faucet').fill('70000');
  await page.getByRole('button', { name: /^Pay 70000 sats to / }).click();
  await page.getByText('1 payment not in a block yet').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Mine a block' }).click();
  await coins.getByRole('cell', { name: '70,000' }).waitFor();
  await page.getByRole('button', { name: 'Create an inscription' }).click();
  await coins.getByText('inscription').waitFor();
  await page.getByRole('button', { name: 'Etch a rune to this address' }).click();
  await coins.getByText(/10,000 RUNEPORT•/).waitFor();
  await coins.getByText(/^in about 89 days, from block [\d,]+$/).first().waitFor();
  await page.getByText('How to spend without the platform').click();
  await accessible(page, 'Trading wallet');

  // Next to the inspector, no column is cut.
  const fitsTables = async (names) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const name of names) {
      const table = page.getByRole('group', { name, exact: true });
      await table.locator('tbody tr').first().waitFor();
      const { needed, has } = await table.evaluate((one) => ({ needed: one.scrollWidth, has: one.clientWidth }));
      assert.ok(needed <= has, `the table ${name} needs ${needed} px and has ${has}`);
    }
    await page.setViewportSize({ width: 1360, height: 900 });
  };
  await fitsTables(['Coins', 'Deposits', 'Runes']);

  // A block reloads what shows the wallet, and the three choices of a fee share one look at the rates.
  await idle(page);
  const asked = [];
  const note = (request) => asked.push(new URL(request.url()).pathname);
  page.on('request', note);
  const tables = page.waitForResponse((response) => response.url().endsWith('/api/account/trading-wallet/balance'));
  await page.getByRole('main').getByRole('button', { name: 'Mine a block' }).click();
  await tables;
  await idle(page);
  page.off('request', note);
  const times = (path) => asked.filter((one) => one === path).length;
  assert.ok(times('/api/bitcoin/fee-rates') <= times('/api/account/trading-wallet/balance'), asked.join());

  // A withdrawal of more than the balance.
  await page.getByLabel('Amount').fill('21');
  await page.getByRole('button', { name: 'Create the transaction' }).click();
  await page.getByRole('alert').getByText('bitcoin.insufficientBalance').waitFor();
  await accessible(page, 'a refused withdrawal');
  await page.getByLabel('Amount').fill('0.123456789');
  await page.getByText('At most 8 decimals').waitFor();

  // A withdrawal of BTC.
  const way = page.getByRole('list', { name: 'Withdrawal' });
  const finish = async (what) => {
    await page.getByText('The client has checked the transaction', { exact: false }).waitFor();
    await accessible(page, `${what}, to read`);
    await page.getByRole('button', { name: /^Sign \d+ inputs?$/ }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await way.getByText('in mempool', { exact: true }).waitFor();
    // The faucet has a button with the same name.
    await way.getByRole('button', { name: 'Mine a block' }).click();
    await way.getByText('confirmed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Withdraw again' }).click();
  };
  const create = page.getByRole('button', { name: 'Create the transaction' });
  await page.getByLabel('Amount').fill('0.0005');
  // What it would cost, without creating it; another amount has another preview.
  await page.getByRole('button', { name: 'Show what it would cost' }).click();
  const cost = page.getByText(/^[\d,]+ sats: [\d.]+ sat\/vB for [\d,]+ vB$/);
  await cost.waitFor();
  await accessible(page, 'a preview of a withdrawal');
  assert.equal(await way.getByText('The client has checked the transaction', { exact: false }).count(), 0);
  await page.getByLabel('Amount').fill('0.00051');
  await cost.waitFor({ state: 'detached' });
  await page.getByLabel('Amount').fill('0.0005');
  await create.click();
  // The focus moves to the next step.
  await page.getByText('The client has checked the transaction', { exact: false }).waitFor();
  await focused(page, /^Read and sign/);
  await finish('a withdrawal of BTC');

  // A withdrawal of a rune to another user. It is kept while the user visits another panel.
  const rune = await page.getByLabel('Token', { exact: true }).locator('option').nth(1).getAttribute('value');
  await page.getByLabel('Token', { exact: true }).selectOption(rune);
  await page.getByLabel('Amount').fill('1234.5');
  await page.getByRole('button', { name: 'To a new address' }).click();
  await page.getByRole('button', { name: 'Create the transaction' }).click();
  await page.getByText(/1,234\.5 RUNEPORT•/).first().waitFor();
  await ask('POST', '/_local/tokens', { tokenId: rune, chain: 'bitcoin', symbol: 'PLAY', divisibility: 1, slots: [] });
  await goTo(page, 'start');
  await goTo(page, 'wallet');
  await page.getByText(/1,234\.5 RUNEPORT•/).first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'a withdrawal on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });
  await finish('a withdrawal of a rune');
  await coins.getByText(/8,765\.5 RUNEPORT•/).waitFor();
  // The catalogue has a symbol for the rune.
  await until('the symbol of the rune', async () => {
    const label = await page.getByLabel('Token', { exact: true }).locator(`option[value="${rune}"]`).innerText();
    return /^RUNEPORT•\w+ \(PLAY\) · 8,765\.5 available$/.test(label) ? true : undefined;
  });

  // A transaction that is not signed holds its coins until it is released, from its own step or from the coins.
  await page.getByLabel('Token', { exact: true }).selectOption('0:0');
  await page.getByLabel('Amount').fill('0.0005');
  await create.click();
  await coins.getByText('reserved', { exact: true }).first().waitFor();
  await fitsTables(['Coins', 'Deposits', 'Own transactions']);
  // The page keeps it, and what was signed, when it is loaded again.
  const sign = page.getByRole('button', { name: /^Sign \d+ inputs?$/ });
  const waits = (tab) => tab.getByRole('main').getByRole('group', { name: /^A withdrawal of 0\.0005 BTC to bcrt1/ });
  await page.reload();
  await page.getByText('The client has checked the transaction', { exact: false }).waitFor();
  await waits(page).getByText(/waits for your signature, (9|10) minutes left/).waitFor();
  await accessible(page, 'a withdrawal that waits');
  await waits(page).getByRole('link', { name: 'Continue' }).click();
  await focused(page, /^Withdraw$/);
  await waits(page).waitFor({ state: 'detached' });
  // It is offered on other panels as well, and a duplicate of the tab follows it.
  await goTo(page, 'start');
  await waits(page).waitFor();
  await goTo(page, 'wallet');
  const [twin] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => { open(location.href); })]);
  await twin.getByText('The client has checked the transaction', { exact: false }).waitFor();
  await sign.click();
  await page.getByRole('button', { name: 'Submit' }).waitFor();
  await twin.getByRole('button', { name: 'Submit' }).waitFor();
  await page.reload();
  await waits(page).getByText('is signed, but not submitted', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Submit' }).waitFor();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  const toast = page.getByRole('status').getByText('The transaction has ended. Its coins are free again.');
  await toast.waitFor();
  assert.ok((await toast.boundingBox()).height > 10, 'the result is visible');
  await twin.getByRole('button', { name: 'Submit' }).waitFor({ state: 'detached' });
  await coins.getByText('reserved', { exact: true }).waitFor({ state: 'detached' });
  await twin.close();
  await create.click();
  await coins.getByRole('button', { name: /^Release / }).first().click();
  await coins.getByText('reserved', { exact: true }).waitFor({ state: 'detached' });

  // What may I spend: the inscribed coin is not in it, and the page says why.
  const spend = page.getByRole('region', { name: 'What may I spend, and why not more?' });
  await spend.getByText(/coins? left out/).waitFor();
  await spend.getByText('The service never spends them; your key alone can, after the delay.', { exact: false }).waitFor();
  const limited = spend.getByRole('table', { name: 'Coins with a limit' });
  await limited.getByText('It carries an inscription', { exact: false }).waitFor();
  await limited.getByText('It holds runes, so a mint does not take it', { exact: false }).waitFor();
  await spend.getByLabel('For').selectOption('virtual_mint');
  await spend.getByText('At most').waitFor();
  await accessible(page, 'what may I spend');

  // A withdrawal that waits is bumped, then cancelled: the cancellation confirms.
  const own = page.getByRole('table', { name: 'Own transactions' });
  const signAndSubmit = async () => {
    await page.getByText('The client has checked the transaction', { exact: false }).waitFor();
    await page.getByRole('button', { name: /^Sign \d+ inputs?$/ }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await way.getByText('in mempool', { exact: true }).waitFor();
  };
  await create.click();
  await signAndSubmit();
  await way.getByRole('button', { name: 'Leave it in the mempool' }).click();
  await own.getByRole('button', { name: /^Bump / }).first().click();
  await page.getByRole('heading', { name: 'Raise the fee' }).waitFor();
  await signAndSubmit();
  await way.getByRole('button', { name: 'Leave it in the mempool' }).click();
  await own.getByText('replaced', { exact: true }).first().waitFor();
  await own.getByRole('button', { name: /^Cancel / }).first().click();
  await page.getByRole('heading', { name: 'Cancel a transaction' }).waitFor();
  await signAndSubmit();
  await accessible(page, 'a cancellation');
  await way.getByRole('button', { name: 'Mine a block' }).click();
  await way.getByText('confirmed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Withdraw again' }).click();

  // Coins are renewed by choice.
  const boxes = coins.getByRole('checkbox', { name: /^Renew / });
  await boxes.first().check();
  await page.getByRole('button', { name: 'Renew 1 chosen coin' }).click();
  await page.getByRole('heading', { name: 'Renew coins' }).waitFor();
  await signAndSubmit();
  await coins.getByText('pending', { exact: true }).first().waitFor();
  await way.getByRole('button', { name: 'Mine a block' }).click();
  await way.getByText('confirmed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Withdraw again' }).click();

  // As much as one transaction can pay.
  await page.getByLabel('As much as one transaction can pay').check();
  await page.getByLabel('Amount').waitFor({ state: 'detached' });
  await create.click();
  // While all coins are in the withdrawal, there is nothing to spend: that is no error.
  await spend.getByLabel('For').selectOption('withdraw');
  await spend.getByText(/^Nothing more now: [\d,]+ sats are in a transaction that is not signed yet/).waitFor();
  assert.equal(await spend.getByRole('alert').count(), 0);
  await accessible(page, 'nothing to spend');
  await signAndSubmit();
  await way.getByRole('button', { name: 'Mine a block' }).click();
  await way.getByText('confirmed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Withdraw again' }).click();
  await spend.getByText('Nothing can be spent now.').waitFor();
  assert.equal(await spend.getByRole('alert').count(), 0);

  // Through the hub.
  await page.getByLabel('Route').selectOption('xchain-withdraw');
  await page.getByLabel('xchainData').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'the trading wallet on a phone');
  for (const table of await page.locator('.table-wrap').all()) {
    const [name, needed, has] = await table.evaluate((one) => [one.getAttribute('aria-label'), one.scrollWidth, one.clientWidth]);
    assert.ok(needed <= has, `on a phone, the table ${name} needs ${needed} px and has ${has}`);
  }
  await accessible(page, 'the trading wallet on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  // An EVM account creates its trading wallet later.
  await signOut(page);
  await goTo(page, 'access');
  await page.getByRole('tab', { name: 'Wallet' }).click();
  await page.getByRole('tab', { name: 'EVM' }).click();
  await page.getByRole('button', { name: 'Create a key and sign in' }).click();
  await page.getByRole('heading', { name: 'Your session' }).waitFor();
  await goTo(page, 'wallet');
  await page.getByText('This account has no trading wallet yet').waitFor();
  await accessible(page, 'no trading wallet yet');
  // The demo user's key already belongs to another trading wallet.
  await page.getByRole('button', { name: 'Create the trading wallet' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('button', { name: 'Create the trading wallet' }).click();
  await page.getByText('No coins yet').waitFor();
  assert.match(await page.getByRole('group', { name: 'Descriptor' }).innerText(), /^wsh\(and_v\(v:pk\(/);
}
