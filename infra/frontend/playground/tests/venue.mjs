import assert from 'node:assert/strict';

import { accessible, ask, demoUser, fits } from './harness.mjs';

export const title = 'Venue: deposit, referral, builder fee, withdrawal';
export const panel = 'venue';
export const weight = 3;

export async function run({ page, context }) {
  const main = page.getByRole('main');
  await main.getByText('You are not signed in').waitFor();
  await demoUser(page);
  await main.getByRole('button', { name: 'Link an EVM wallet of this tab' }).click();
  await main.getByText('The builder fee is not approved yet').waitFor();

  // The wallet has no USDC to deposit.
  await main.getByRole('button', { name: 'Create the deposit' }).click();
  await main.getByRole('alert').getByText('perpVenue.insufficientUsdc').waitFor();
  await accessible(page, 'a refused deposit');
  const lever = async (name, said) => {
    await main.getByRole('button', { name, exact: true }).click();
    await main.getByText(said).waitFor();
  };
  await lever('Open a venue account with 12 USDC', 'The wallet has a venue account with 12 USDC.');
  await lever('Give 25.5 USDC and gas', 'The wallet has 25.5 USDC and gas.');
  const wallet = main.getByRole('region', { name: 'Your wallet', exact: true });
  await wallet.getByText(/^25\.5\s/).waitFor();

  // The page shows the exact calldata, then both receipts.
  await main.getByRole('button', { name: 'Create the deposit' }).click();
  await main.getByText('0x095ea7b3').first().waitFor();
  await main.getByText('0x2b2dfd2c').first().waitFor();
  await accessible(page, 'a deposit to sign');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'a deposit on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });
  // It survives a reload, and a wallet or a network that fails in the middle: what was sent is not sent again.
  const waits = main.getByRole('group', { name: 'A deposit of 10.5 USDC to the venue' });
  await page.reload();
  await waits.getByText('waits for your signature', { exact: false }).waitFor();
  await waits.getByRole('link', { name: 'Continue' }).click();
  const sent = [];
  await context.route((url) => url.hostname === '127.0.0.1', async (route) => {
    const body = route.request().postData() ?? '';
    if (!body.includes('eth_sendRawTransaction')) return route.fallback();
    sent.push(body);
    return sent.length === 2 ? route.abort() : route.fallback();
  });
  await main.getByRole('button', { name: 'Sign and broadcast both' }).click();
  await main.getByRole('alert').getByText('client.walletRefused').waitFor();
  await main.getByText(/^The approval 0x\S+ was sent, the deposit was not\./).waitFor();
  await accessible(page, 'a deposit that was interrupted');
  await page.reload();
  await waits.getByText('is not complete yet', { exact: false }).waitFor();
  assert.equal(await waits.getByRole('button').count(), 0);
  const [twin] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => { open(location.href); })]);
  await twin.getByRole('button', { name: 'Go on with the deposit' }).waitFor();
  await main.getByRole('button', { name: 'Go on with the deposit' }).click();
  await main.getByRole('table', { name: 'Events of the deposit' }).getByText('SendAsset').waitFor();
  await twin.getByRole('table', { name: 'Events of the deposit' }).getByText('SendAsset').waitFor();
  await twin.close();
  assert.equal(sent.length, 3);
  await wallet.getByText(/^15\s/).waitFor();
  assert.match(await wallet.innerText(), /Allowance\s*0 USDC/);
  await accessible(page, 'receipts of a deposit');

  // The page shows each action before the wallet signs it; the user can decline.
  const action = async (tab, asks, signs) => {
    await main.getByRole('tab', { name: tab }).click();
    await main.getByRole('button', { name: asks }).click();
    await main.getByText('The bytes that are signed').click();
    await main.getByText('domainSeparator').waitFor();
    await accessible(page, `${tab}, to sign`);
    await main.getByRole('button', { name: signs }).click();
    const body = JSON.parse(await main.getByRole('group', { name: 'Body for the venue' }).innerText());
    assert.deepEqual(Object.keys(body), ['action', 'nonce', 'signature']);
    await main.getByRole('button', { name: 'Send it to the stand-in' }).click();
    await main.getByText('The venue’s stand-in has received it', { exact: false }).waitFor();
    return body.action;
  };
  await main.getByRole('button', { name: 'Request the referral' }).click();
  await main.getByRole('button', { name: 'Do not sign' }).click();
  await main.getByRole('alert').getByText('client.walletRefused').waitFor();
  const referral = await action('Referral', 'Request the referral', 'Sign the referral');
  assert.deepEqual(Object.keys(referral), ['type', 'code']);
  const fee = await action('Builder fee', 'Request the approval', 'Sign the approval');
  assert.equal(fee.type, 'approveBuilderFee');
  await main.getByText('ready to trade').waitFor();
  const withdrawal = await action('Withdraw', 'Request the withdrawal', 'Sign the withdrawal');
  assert.deepEqual([withdrawal.type, withdrawal.amount], ['sendAsset', '2.5']);
  await wallet.getByText(/^17\.5\s/).waitFor();
  await main.getByRole('region', { name: 'The venue', exact: true }).getByText(/^20\s/).waitFor();

  // The venue is paused, then down.
  try {
    await lever('Pause deposits and withdrawals', 'Deposits and withdrawals are paused.');
    await main.getByRole('button', { name: 'Request the withdrawal' }).click();
    await main.getByRole('alert').getByText('perpVenue.paused').waitFor();
    await lever('Resume', 'Deposits and withdrawals work again.');
    await lever('Take the venue down', 'The venue does not answer.');
    await main.getByText('checks unavailable').waitFor();
    await accessible(page, 'an unreachable venue');
  } finally {
    await ask('POST', '/_local/venue', { paused: false });
    await ask('POST', '/_local/venue', { down: false });
  }
}
