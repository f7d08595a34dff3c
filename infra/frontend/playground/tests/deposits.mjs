import assert from 'node:assert/strict';

import { accessible, ask, base, demoUser, fits, until } from './harness.mjs';

export const title = 'Deposits: found in blocks, announced, live, refused';
export const panel = 'wallet';
export const weight = 2;
export const runs = 'exclusive';

export async function run({ page }) {
  await demoUser(page);
  const section = page.getByRole('region', { name: 'Deposits', exact: true });
  const table = section.getByRole('table', { name: 'Deposits' });
  const row = (sats) => table.getByRole('row').filter({ has: page.getByRole('cell', { name: sats, exact: true }) });
  // The demo user's two coins are found in their block.
  await row('250,000').getByText('confirmed', { exact: true }).waitFor();
  await row('50,000').getByText('confirmed', { exact: true }).waitFor();

  // A payment of the faucet is seen as soon as it is announced, and confirmed by its block.
  await page.getByLabel('Sats from the faucet').fill('61000');
  await page.getByRole('button', { name: /^Pay 61000 sats to / }).click();
  await section.getByRole('button', { name: 'Announce the payment of the faucet' }).click();
  await row('61,000').getByText('seen', { exact: true }).waitFor();
  await accessible(page, 'deposits');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'deposits on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.getByRole('main').getByRole('button', { name: 'Mine a block' }).click();
  await row('61,000').getByText('confirmed', { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Announce the payment of the faucet' }).waitFor({ state: 'detached' });

  // A transaction that the network does not know is awaited.
  const txId = 'ab'.repeat(32);
  await section.getByLabel('Transaction that pays you').fill(txId);
  await section.getByRole('button', { name: 'Announce', exact: true }).click();
  await table.getByText('awaited', { exact: true }).waitFor();

  // One that pays somebody else is refused, and so is what is no transaction.
  const { outpoint } = await ask('POST', '/_local/bitcoin/fund', { address: 'bcrt1qer7a3uae3azfu3kqaat0tljm6yl8tzf4gv7muy', sats: 20_000 });
  await section.getByLabel('Transaction that pays you').fill(outpoint.slice(0, 64));
  await section.getByRole('button', { name: 'Announce', exact: true }).click();
  await section.getByRole('alert').waitFor();
  await section.getByLabel('Transaction that pays you').fill('not a transaction');
  await section.getByRole('button', { name: 'Announce', exact: true }).click();
  await section.getByRole('alert').getByText('common.validation').waitFor();
  await accessible(page, 'a refused deposit');

  // A payment that another client announces arrives over the socket: no block, and nothing that this page does.
  const { accessToken } = JSON.parse(await page.evaluate(() => sessionStorage.getItem('runeport.playground.tokens')));
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', accept: 'application/json' };
  const { data: { address } } = await (await fetch(`${base}/api/account/trading-wallet`, { headers })).json();
  const paid = await ask('POST', '/_local/bitcoin/fund', { address: address, sats: 62_000 });
  const announced = await until('the announcement', async () => {
    const answer = await fetch(`${base}/api/account/trading-wallet/deposits`, {
      method: 'POST', headers, body: JSON.stringify({ txId: paid.outpoint.slice(0, 64) }),
    });
    const { data } = await answer.json();
    return answer.ok && data.deposits[0].state === 'seen' ? data : undefined;
  });
  assert.equal(announced.deposits.length, 1);
  await row('62,000').getByText('seen', { exact: true }).waitFor();
}
