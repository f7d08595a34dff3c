import assert from 'node:assert/strict';

import { accessible, demoUser, fits, goTo } from './harness.mjs';

export const title = 'Exports: a file, its progress, its first rows';
export const panel = 'export';

export async function run({ page }) {
  const main = page.getByRole('main');
  await main.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await main.getByText('No export yet').waitFor();
  await accessible(page, 'Exports, none yet');

  // A start time that is too early.
  await main.getByLabel('From').fill('2020-01-01T00:00');
  await main.getByRole('button', { name: 'Request the CSV' }).click();
  await main.getByRole('alert').getByText('common.validation').waitFor();
  await accessible(page, 'a refused export');
  await main.getByLabel('From').fill('');

  // The history is still empty.
  await main.getByRole('button', { name: 'Request the CSV' }).click();
  await main.getByText('The file has a header and no rows').waitFor();

  // With a swap, the file has a row.
  await goTo(page, 'swaps');
  await main.getByRole('button', { name: 'Link an EVM wallet of this tab' }).click();
  await main.getByRole('button', { name: /^Register / }).click();
  await main.getByText('Registered.', { exact: false }).waitFor();
  await goTo(page, 'export');
  await main.getByRole('button', { name: 'Request the CSV' }).click();
  const rows = main.getByRole('table', { name: 'First rows of the file' });
  await rows.getByRole('cell', { name: 'swap', exact: true }).waitFor();
  await main.getByText('completed, 1 row', { exact: false }).waitFor();
  await main.getByText('1 row', { exact: true }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), main.getByRole('link', { name: 'Download the CSV' }).click()]);
  assert.equal(await download.failure(), null);
  assert.equal(await main.getByRole('table', { name: 'Exports' }).getByRole('row').count(), 3);
  await accessible(page, 'an export');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Exports on a phone');
}
