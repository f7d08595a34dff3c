import assert from 'node:assert/strict';

import { accessible, demoUser, fits, goTo, idle, until } from './harness.mjs';

export const title = 'Inspector: groups, filter, calls without an answer, edit and send';
export const panel = 'start';

export async function run({ page }) {
  const calls = page.getByRole('complementary', { name: 'Calls' });
  await demoUser(page);
  await goTo(page, 'wallet');
  await page.getByRole('table', { name: 'Coins', exact: true }).waitFor();
  await idle(page);

  // What the user does is a group. What the page reads again after it is folded.
  await page.getByRole('main').getByRole('button', { name: /^Pay 100000 sats to / }).click();
  const group = calls.getByRole('group', { name: /^Pay 100000 sats to / });
  await group.getByRole('button', { name: /POST \/_local\/bitcoin\/fund/ }).waitFor();
  const reloads = group.getByText(/^\d+ reloads? since$/);
  await reloads.waitFor();
  const balance = group.getByRole('button', { name: /GET \/api\/account\/trading-wallet\/balance/ }).first();
  assert.equal(await balance.isVisible(), false);
  await reloads.click();
  await balance.waitFor();
  await accessible(page, 'groups of calls');

  // The filter: by kind, and by text of the path or of a body.
  const listed = calls.getByRole('button', { name: /^(GET|POST|DELETE|PATCH) / });
  await calls.getByLabel('Kind of call').selectOption('changes');
  await until('only changes', async () => ((await listed.allInnerTexts()).every((text) => !text.startsWith('GET')) ? true : undefined));
  assert.ok(await listed.count() > 0);
  await calls.getByLabel('Kind of call').selectOption('failures');
  await calls.getByText('No call matches').waitFor();
  await calls.getByLabel('Kind of call').selectOption('all');
  await calls.getByLabel('Text in a call').fill('maxAmount');
  await until('only calls with this text', async () => ((await listed.allInnerTexts()).every((text) => text.includes('max-spent')) ? true : undefined));
  await calls.getByLabel('Text in a call').fill('');

  // A call without an answer is shown at once.
  const answers = [];
  await page.route('**/api/account/trading-wallet/deposits?**', async (route) => {
    await new Promise((resolve) => { answers.push(resolve); });
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Reload deposits' }).click();
  const waiting = calls.locator('.calls-waiting');
  await waiting.getByText('GET /api/account/trading-wallet/deposits').waitFor();
  await waiting.getByText('no answer yet', { exact: false }).waitFor();
  await accessible(page, 'a call without an answer');
  await page.unroute('**/api/account/trading-wallet/deposits?**');
  for (const answer of answers) answer();
  await waiting.getByText('deposits', { exact: false }).waitFor({ state: 'detached' });

  // Ids are shortened in the middle, so that the end of the path can be seen.
  await page.getByLabel('Amount').fill('0.0005');
  await page.getByRole('button', { name: /^Create the transaction/ }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await calls.getByRole('button', { name: /DELETE \/api\/transactions\/[0-9a-f]{6}…/ }).waitFor();

  // A call can be changed and sent again.
  await calls.getByRole('button', { name: /POST \/api\/transactions\s/ }).first().click();
  await calls.getByRole('tab', { name: 'Edit' }).click();
  const body = calls.getByLabel('Body');
  await accessible(page, 'a call to edit');
  const text = await body.inputValue();
  await body.fill(`${text}}`);
  await calls.getByText('This is not JSON.').waitFor();
  await body.fill(text.replace('"50000"', '"1"'));
  await calls.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('status').getByText('The service answered 400.', { exact: false }).waitFor();
  await calls.getByLabel('Kind of call').selectOption('failures');
  await calls.getByRole('group', { name: 'Send' }).getByRole('button', { name: /POST \/api\/transactions\s+400/ }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /calls recorded/ }).click();
  await fits(page, 'the inspector on a phone');
}
