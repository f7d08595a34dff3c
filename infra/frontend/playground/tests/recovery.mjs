import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { accessible, demoUser } from './harness.mjs';

export const title = 'Recovery: the kit, the page, and what to enter';
export const panel = 'recovery';

export async function run({ page }) {
  await page.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await page.getByRole('heading', { name: '3. Get it out' }).waitFor();
  const saved = async (press) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press.click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };
  const kit = await saved(page.getByRole('button', { name: 'Save the recovery kit' }));
  const { address, coins } = JSON.parse(kit.text);
  assert.equal(kit.name, `runeport-recovery-kit-${address.slice(-8)}.json`);
  assert.ok(coins.length > 0);
  await page.getByText(`coins of ${address}`).waitFor();
  const tool = await saved(page.getByRole('link', { name: 'Save the recovery page' }));
  assert.equal(tool.name, 'runeport-recovery.html');
  assert.match(tool.text, /content-security-policy.*Get your coins out without Runeport/s);
  await page.getByText(/^http:\/\/127\.0\.0\.1:\d+$/).waitFor();
  await page.getByRole('button', { name: 'Mine 12,960 blocks' }).waitFor();
  await accessible(page, 'Recovery');
}
