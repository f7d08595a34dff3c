import assert from 'node:assert/strict';

import { accessible, ask, authenticator, base, fits, goTo, openTab, signOut, sure, until, withPassword } from './harness.mjs';

export const title = 'Security: passkeys, sessions, addresses, e-mail, password, wallet';
export const panel = 'access';
export const weight = 4;
export const runs = 'passive';

/** The token in the newest mail to an address. */
function mailedToken(to) {
  return until(`a mail to ${to}`, async () => {
    const mails = await ask('GET', `/_local/mail?to=${encodeURIComponent(to)}`);
    const text = mails.sort((a, b) => b.at - a.at).map((mail) => mail.text).find((mail) => mail.includes('token='));
    return text && decodeURIComponent(/token=([^&\s]+)/.exec(text)[1]);
  });
}

export async function run({ page, browser }) {
  const id = crypto.randomUUID().slice(0, 8);
  const email = `security.${id}@example.com`;
  const password = 'four old secret words';
  const section = (name) => page.getByRole('region', { name, exact: true });

  await goTo(page, 'security');
  await page.getByText('You are not signed in').waitFor();
  await accessible(page, 'Security, signed out');
  await goTo(page, 'access');
  await withPassword(page, 'Sign up', { email, password });
  await page.getByRole('heading', { name: 'Your session' }).waitFor();
  await goTo(page, 'security');

  // End another session.
  const elsewhere = await openTab(browser, { panel: 'access' });
  await withPassword(elsewhere.page, 'Sign in', { email, password });
  await elsewhere.page.getByRole('heading', { name: 'Your session' }).waitFor();
  assert.deepEqual(elsewhere.problems, []);
  await elsewhere.context.close();
  const sessions = section('Sessions').first();
  await sessions.getByRole('button', { name: 'Reload' }).click();
  await sure(page, sessions.getByRole('button', { name: /^End/ }), 'End it');
  await sessions.getByRole('button', { name: /^End/ }).waitFor({ state: 'detached' });

  // Add and remove a passkey.
  if (new URL(base).hostname === 'localhost') {
    await authenticator(page);
    const passkeys = section('Passkeys').first();
    await passkeys.getByLabel('Name').fill('A laptop');
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByRole('cell', { name: 'A laptop', exact: true }).waitFor();
    // The device already has a passkey of this account.
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByText('This device already has a passkey of this account.').waitFor();
    const remove = passkeys.getByRole('button', { name: 'Remove passkey A laptop' });
    await remove.click();
    await accessible(page, 'a question before what cannot be undone');
    await page.keyboard.press('Escape');
    await sure(page, remove, 'Remove it');
    await passkeys.getByText('No passkeys').waitFor();
  }

  // Link and unlink an address of another chain.
  const addresses = section('Linked addresses').first();
  await addresses.getByText('Link another address').click();
  await addresses.getByRole('button', { name: 'Sign and link' }).click();
  await addresses.getByRole('cell', { name: /^0x/ }).waitFor();
  await addresses.getByRole('button', { name: /^Unlink 0x/ }).click();
  await addresses.getByText('No addresses').waitFor();

  // What has no place of its own in the panel is shown as a message.
  const mail = section('E-mail address').first();
  await mail.getByRole('button', { name: 'Send another link' }).click();
  const message = page.getByRole('status').filter({ hasText: 'Another e-mail was sent.' });
  await message.waitFor();
  assert.ok((await message.boundingBox()).height > 20, 'the result is visible');
  await accessible(page, 'a result');

  // Change the e-mail address, with the token from the mailbox.
  const newEmail = `moved.${id}@example.com`;
  await mail.getByLabel('New address').fill(newEmail);
  await mail.getByRole('button', { name: 'Send a token' }).click();
  await mail.getByLabel('Token from the e-mail').waitFor();
  await mailedToken(newEmail);
  await mail.getByRole('link', { name: /Get it from\s+the mailbox/ }).click();
  await page.getByRole('list').getByRole('button', { name: new RegExp(newEmail) }).first().click();
  await page.getByRole('button', { name: 'Continue in Security' }).click();
  await mail.getByRole('textbox', { name: 'Password', exact: true }).fill('not this one');
  await mail.getByRole('button', { name: 'Change the address' }).click();
  await mail.getByRole('alert').waitFor();
  await mail.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await mail.getByRole('button', { name: 'Change the address' }).click();
  await mail.getByText('verified', { exact: true }).waitFor();
  await mail.getByText(newEmail).first().waitFor();

  // The keystore still names the earlier address, which a sign-in says.
  const later = await openTab(browser, { panel: 'access' });
  await withPassword(later.page, 'Sign in', { email: newEmail, password });
  await later.page.getByText(`1 key restored. It was encrypted for ${email}.`, { exact: false }).waitFor();
  assert.deepEqual(later.problems, []);
  await later.context.close();

  // Change the password.
  const change = section('Password').first();
  await change.getByLabel('Current password').fill(password);
  await change.getByLabel('New password').fill('four new secret words');
  await change.getByLabel('New hint').fill('four of them');
  await change.getByRole('button', { name: 'Change the password' }).click();
  await change.getByText('The password was changed', { exact: false }).waitFor();
  await change.getByText('four of them').waitFor();
  // The keystore is encrypted with the new password, for the address of today.
  const anew = await openTab(browser, { panel: 'access' });
  await withPassword(anew.page, 'Sign in', { email: newEmail, password: 'four new secret words' });
  await anew.page.getByText(/^This page decrypted your keystore: 2 keys restored\.$/).waitFor();
  assert.deepEqual(anew.problems, []);
  await anew.context.close();

  // A change that needs a recent proof asks for it in place, once, and then goes on. Without it, nothing changes.
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const factor = section('Second factor').first();
  const stale = async () => {
    let refused = 0;
    await page.route('**/api/account/2fa/setup', async (route) => {
      refused += 1;
      if (refused > 1) return route.fallback();
      const json = { code: '4024', message: 'auth.reauthRequired', details: 'This requires a recent proof.', requestId: 'r' };
      return route.fulfill({ status: 401, json });
    });
    await factor.getByRole('button', { name: 'Set up' }).click();
    await dialog.waitFor();
  };
  await stale();
  await accessible(page, 'the dialog that asks for a proof');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await factor.getByRole('alert').getByText('auth.reauthRequired').waitFor();
  await page.unroute('**/api/account/2fa/setup');
  await stale();
  await dialog.getByLabel('Password of the account').fill('not this one');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').getByText('auth.invalidCredentials').waitFor();
  await dialog.getByLabel('Password of the account').fill('four new secret words');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await factor.getByText('Scan the QR code', { exact: false }).waitFor();
  await page.unroute('**/api/account/2fa/setup');

  // The activity lists all changes.
  const activity = section('Activity').first();
  await activity.getByRole('cell', { name: 'password changed' }).waitFor();
  await activity.getByRole('cell', { name: 'e-mail address changed' }).waitFor();
  await activity.getByRole('cell', { name: 'reauthenticated' }).waitFor();
  await accessible(page, 'Security of a password account');
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Security on a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  // Replace the sign-in wallet.
  await signOut(page);
  await goTo(page, 'access');
  await page.getByRole('tab', { name: 'Wallet' }).click();
  await page.getByRole('tab', { name: 'Solana' }).click();
  await page.getByText('Sign up with e-mail address and keystore').click();
  await page.getByLabel('Passphrase of the keystore').fill('a passphrase');
  await page.getByRole('button', { name: 'Sign up with this wallet' }).click();
  await page.getByRole('heading', { name: 'Your session' }).waitFor();
  await goTo(page, 'security');
  const wallet = section('Sign-in wallet').first();
  const before = await wallet.locator('dd code').first().getAttribute('title');
  await wallet.getByLabel('Passphrase of the keystore').fill('a passphrase');
  await wallet.getByRole('button', { name: 'Replace with a new key' }).click();
  await wallet.getByText('The account now signs in with the new wallet.').waitFor();
  assert.notEqual(await wallet.locator('dd code').first().getAttribute('title'), before);
  await activity.getByRole('cell', { name: 'wallet rotated' }).waitFor();
}
