import assert from 'node:assert/strict';

import { accessible, ask, demoUser, fits } from './harness.mjs';

export const title = 'Venue: deposit, referral, builder fee, withdrawal';
export const panel = 'venue';
export const weight = 3;

export async function run({ page, context }) {
  context.setDefaultTimeout(30_000);
  const main = page.getByRole('main');
  await main.getByText('Nobody is signed in').waitFor();
  await demoUser(page);
  await main.getByRole('button', { name: 'Link an EVM wallet of this tab' }).click();
  await main.getByText('The builder fee is not approved yet').waitFor();

  // Nothing there to deposit.
  await main.getByRole('button', { name: 'Make the deposit' }).click();
  await main.getByRole('alert').getByText('perpVenue.insufficientUsdc').waitFor();
  await accessible(page, 'a refused deposit');
  const lever = async (name, said) => {
    await main.getByRole('button', { name, exact: true }).click();
    await main.getByText(said).waitFor();
  };
  await lever('Known at the venue, with 12 USDC', 'The venue knows the wallet now.');
  await lever('Give 25.5 USDC and gas', 'The wallet has 25.5 USDC and gas.');
  const wallet = main.getByRole('region', { name: 'Your wallet', exact: true });
  await wallet.getByText(/^25\.5\s/).waitFor();

  // The exact calldata, then both receipts.
  await main.getByRole('button', { name: 'Make the deposit' }).click();
  await main.getByText('0x095ea7b3').first().waitFor();
  await main.getByText('0x2b2dfd2c').first().waitFor();
  await accessible(page, 'a deposit to be signed');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'a deposit on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });
  await main.getByRole('button', { name: 'Sign and broadcast both' }).click();
  await main.getByRole('table', { name: 'Events of the deposit' }).getByText('SendAsset').waitFor();
  await wallet.getByText(/^15\s/).waitFor();
  assert.match(await wallet.innerText(), /The contract may take\s*0 USDC/);
  await accessible(page, 'receipts of a deposit');

  // The actions: what is signed is shown first, and can be left unsigned.
  const action = async (tab, asks, signs) => {
    await main.getByRole('tab', { name: tab }).click();
    await main.getByRole('button', { name: asks }).click();
    await main.getByText('The bytes that are signed').click();
    await main.getByText('domainSeparator').waitFor();
    await accessible(page, `${tab}, to be signed`);
    await main.getByRole('button', { name: signs }).click();
    const body = JSON.parse(await main.getByRole('group', { name: 'Body for the venue' }).innerText());
    assert.deepEqual(Object.keys(body), ['action', 'nonce', 'signature']);
    await main.getByRole('button', { name: 'Send it to the stand-in' }).click();
    await main.getByText('The venue’s stand-in has it now', { exact: false }).waitFor();
    return body.action;
  };
  await main.getByRole('button', { name: 'Ask for the referral' }).click();
  await main.getByRole('button', { name: 'Do not sign' }).click();
  await main.getByRole('alert').getByText('client.walletRefused').waitFor();
  const referral = await action('Referral', 'Ask for the referral', 'Sign the referral');
  assert.deepEqual(Object.keys(referral), ['type', 'code']);
  const fee = await action('Builder fee', 'Ask for the approval', 'Sign the approval');
  assert.equal(fee.type, 'approveBuilderFee');
  await main.getByText('ready to trade').waitFor();
  const withdrawal = await action('Withdraw', 'Ask for the withdrawal', 'Sign the withdrawal');
  assert.deepEqual([withdrawal.type, withdrawal.amount], ['sendAsset', '2.5']);
  await wallet.getByText(/^17\.5\s/).waitFor();
  await main.getByRole('region', { name: 'The venue', exact: true }).getByText(/^20\s/).waitFor();

  // Paused, and down.
  try {
    await lever('Pause both ways', 'Deposits and withdrawals are paused.');
    await main.getByRole('button', { name: 'Ask for the withdrawal' }).click();
    await main.getByRole('alert').getByText('perpVenue.paused').waitFor();
    await lever('Resume', 'Nothing is paused.');
    await lever('Take the venue down', 'The venue does not answer.');
    await main.getByText('checks unavailable').waitFor();
    await accessible(page, 'a venue that is down');
  } finally {
    await ask('POST', '/_local/venue', { paused: false });
    await ask('POST', '/_local/venue', { down: false });
  }
}
