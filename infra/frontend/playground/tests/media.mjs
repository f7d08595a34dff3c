import assert from 'node:assert/strict';

import { accessible, demoUser, fits, sure, until } from './harness.mjs';

export const title = 'Media: choose, drop, progress, refusals';
export const panel = 'media';

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

export async function run({ page }) {
  const main = page.getByRole('main');
  await main.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await main.getByText('Nothing uploaded yet').waitFor();
  await accessible(page, 'Media, nothing uploaded');

  // Choose two files at the same time.
  await main.locator('input[type=file]').setInputFiles([
    { name: 'one.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'two.png', mimeType: 'image/png', buffer: PIXEL },
  ]);
  await main.getByText('2 of 2 files uploaded').waitFor();
  const served = main.getByRole('img', { name: 'one.png, as the storage serves it' });
  await until('the thumbnail', async () => ((await served.evaluate((image) => image.naturalWidth)) === 1 ? true : undefined));

  // Drop a file.
  const data = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }));
    return transfer;
  }, [...PIXEL]);
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
  await main.getByText('3 of 3 files uploaded').waitFor();
  await main.getByRole('button', { name: 'Draw a sample image' }).click();
  await main.getByText('4 of 4 files uploaded').waitFor();

  // Delete a file: the storage does not serve it any more.
  const address = await main.getByRole('img', { name: 'two.png, as the storage serves it' }).getAttribute('src');
  assert.equal((await page.request.get(address)).status(), 200);
  await sure(page, main.getByRole('button', { name: 'Delete two.png' }), 'Delete it');
  await main.getByText('3 of 3 files uploaded').waitFor();
  assert.equal((await page.request.get(address)).status(), 403);

  // Refusals: by the service, by the page, and by the storage.
  await main.getByRole('button', { name: 'Try a text file' }).click();
  await main.getByText('The service does not accept this file name', { exact: false }).waitFor();
  await main.getByRole('button', { name: 'Try 40 MiB' }).click();
  await main.getByText('huge.png is larger than 10 MiB. Choose a smaller file. It has 40.0 MiB and was not sent.', { exact: false }).waitFor();
  for (const [name, code] of [
    ['Wrong type', 'content-type'], ['Wrong key', 'key'], ['Empty file', 'EntityTooSmall'], ['One byte too large', 'EntityTooLarge'],
  ]) {
    await main.getByRole('button', { name }).click();
    await main.getByText(new RegExp(`Refused: HTTP 4`)).waitFor();
    await until(code, async () => ((await main.locator('.callout').last().innerText()).includes(code) ? true : undefined));
  }
  await accessible(page, 'Media with refusals');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Media on a phone');

  await main.getByRole('button', { name: 'Remove notes.txt from the list' }).click();
  assert.equal(await main.getByText('notes.txt').count(), 0);
}
