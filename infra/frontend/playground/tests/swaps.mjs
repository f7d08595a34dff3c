import assert from 'node:assert/strict';

import { accessible, ask, demoUser, fits } from './harness.mjs';

export const title = 'Swaps: register, follow, filter, an unreachable hub';
export const panel = 'swaps';
export const weight = 2;
export const runs = 'exclusive';

export async function run({ page }) {
  const main = page.getByRole('main');
  await main.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await main.getByText('0.25%').waitFor();
  await main.getByRole('button', { name: 'Link an EVM wallet of this tab' }).click();

  // An error appears next to its field: one of the page, and one of the service.
  const register = main.getByRole('button', { name: /^Register / });
  await main.getByLabel('Amount', { exact: true }).fill('0');
  await main.getByText('Enter an amount above zero.').waitFor();
  assert.equal(await main.getByLabel('Amount', { exact: true }).getAttribute('aria-invalid'), 'true');
  assert.equal(await register.getAttribute('aria-disabled'), 'true');
  await main.getByLabel('Amount', { exact: true }).fill('12.5');
  await main.getByText('Hashes and addresses').click();
  const hash = main.locator('input[name="intentTxHash"]');
  const own = await hash.inputValue();
  await hash.fill('not a hash');
  await register.click();
  await main.getByRole('alert').getByText('common.validation').waitFor();
  assert.equal(await hash.getAttribute('aria-invalid'), 'true');
  await accessible(page, 'a refused swap');
  await hash.fill(own);
  // Set a status at the hub; otherwise the hub advances with the clock.
  const intentTxHash = await hash.inputValue();
  await ask('POST', '/_local/hub', { intentTxHash, status: 'pending' });
  await register.click();
  await main.getByText('Registered.', { exact: false }).waitFor();
  const way = main.getByRole('list', { name: 'Status history' });
  await way.getByText('registered').waitFor();
  await accessible(page, 'Swaps');
  await register.click();
  await main.getByText('The same swap was already registered', { exact: false }).waitFor();

  // The hub decides the status. In the end, the swap fails with a reason.
  const say = async (status) => {
    await main.getByLabel('Status at the hub').selectOption(status);
    await main.getByRole('button', { name: 'Set the status' }).click();
    await way.locator('[aria-current="step"]').getByText(status, { exact: true }).waitFor();
  };
  await say('relayed');
  try {
    await main.getByRole('button', { name: 'is down' }).click();
    await main.getByText('stale: the hub does not answer').waitFor();
    await accessible(page, 'a stale swap');
  } finally {
    await ask('POST', '/_local/hub', {});
  }
  await main.getByRole('button', { name: 'answers', exact: true }).click();
  // After five failures in a row, the service does not call the hub for half a minute of its own time.
  await ask('POST', '/_local/clock', { advanceMs: 31_000 });
  await main.getByText('stale: the hub does not answer').waitFor({ state: 'detached' });
  await say('failed');
  await main.getByText('No solver accepted it.').first().waitFor();
  await main.getByText('final status').waitFor();

  // Filter the list.
  const table = main.getByRole('table', { name: 'Cross-chain transactions' });
  await main.getByRole('button', { name: 'My EVM address' }).click();
  await main.getByText('· 1 transaction').waitFor();
  await table.getByText('12.5 USDC').waitFor();
  assert.equal(await table.getByRole('row').count(), 2);
  await main.getByLabel('Token', { exact: true }).fill('0x0000000000000000000000000000000000000001');
  await main.getByRole('button', { name: 'Filter' }).click();
  await main.getByText('No transaction matches the filter.').waitFor();
  await main.getByRole('button', { name: 'USDC and WETH' }).click();
  await table.waitFor();

  // The catalogue names a token, and its decimals are those of its amounts.
  const address = `0x${crypto.randomUUID().replaceAll('-', '')}00000000`;
  const symbol = `T${address.slice(2, 8).toUpperCase()}`;
  const names = main.getByRole('table', { name: 'Token catalogue' });
  const entry = main.getByRole('form', { name: 'Token of the catalogue' });
  await main.getByRole('button', { name: 'Add the sample tokens' }).click();
  await names.getByRole('row').filter({ hasText: 'USDT' }).filter({ hasText: 'Ethereum' }).waitFor();
  await entry.getByLabel('Token id').fill('two words');
  await entry.getByLabel('Symbol').fill(symbol);
  await entry.getByRole('button', { name: 'Add the token' }).click();
  await main.getByRole('alert').getByText('visible ASCII characters', { exact: false }).waitFor();
  await accessible(page, 'a refused token');
  await entry.getByLabel('Token id').fill(address);
  await entry.getByLabel('Decimals').selectOption('2');
  await entry.getByRole('button', { name: 'Add the token' }).click();
  await names.getByRole('row').filter({ hasText: symbol }).filter({ hasText: 'Arbitrum' }).waitFor();
  await accessible(page, 'the catalogue of tokens');
  const swap = main.getByRole('form', { name: 'Swap' });
  await swap.getByLabel('Pay', { exact: true }).selectOption({ label: `${symbol} on Arbitrum` });
  await swap.getByLabel('Amount', { exact: true }).fill('1.234');
  await swap.getByText(/at most 2 decimals/).waitFor();
  await swap.getByLabel('Amount', { exact: true }).fill('1.23');
  await swap.getByRole('button', { name: 'New hashes' }).click();
  await swap.getByRole('button', { name: new RegExp(`^Register 1\\.23 ${symbol} for at least `) }).click();
  await main.getByRole('button', { name: 'All', exact: true }).click();
  await table.getByText(`1.23 ${symbol}`).waitFor();
  // A reload knows it too.
  await page.reload();
  await table.getByText(`1.23 ${symbol}`).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Swaps on a phone');
}
