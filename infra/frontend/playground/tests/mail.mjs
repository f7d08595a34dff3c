import { accessible, base, fits, goTo, until } from './harness.mjs';

export const title = 'Mailbox';
export const panel = 'mail';
export const runs = 'passive';

export async function run({ page, context }) {
  const email = `mail.${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.getByLabel('To', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('No e-mail yet').waitFor();
  await accessible(page, 'an empty mailbox');

  // A wallet account with an e-mail address gets a verification mail.
  await goTo(page, 'access');
  await page.getByRole('tab', { name: 'Wallet' }).click();
  await page.getByText('Sign up with e-mail address and keystore').click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Sign up with this wallet' }).click();
  await page.getByRole('heading', { name: 'Your session' }).waitFor();

  await goTo(page, `mail?to=${encodeURIComponent(email)}`);
  const mail = page.getByRole('list').getByRole('button', { name: new RegExp(email) });
  await until('the mail', async () => {
    await page.getByRole('button', { name: 'Reload' }).click();
    return (await mail.count()) > 0 || undefined;
  });
  await mail.first().click();
  await page.getByRole('group', { name: 'Text of the e-mail' }).waitFor();
  await page.getByText('As HTML').click();
  await accessible(page, 'a mail');
  // The button of the mail opens the page that a frontend has for it, in the same tab.
  await page.frameLocator('iframe').getByRole('link', { name: 'Confirm this address' }).click();
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  await page.getByText('You have opened the link of an e-mail.').waitFor();
  await page.getByRole('region', { name: 'E-mail address' }).getByRole('button', { name: 'Verify the address' }).waitFor();
  await accessible(page, 'the link of a mail');
  await goTo(page, `mail?to=${encodeURIComponent(email)}`);
  await page.getByRole('button', { name: 'Verify the address' }).click();
  await page.getByText('The address is verified.').first().waitFor();
  // The token works only once.
  await page.getByRole('button', { name: 'Verify the address' }).click();
  await page.getByRole('alert').waitFor();
  await accessible(page, 'a used token');
  // The page of the mails has no panel around it: a link of a mail opens the playground in another tab.
  const mailbox = await context.newPage();
  await mailbox.goto(`${base}/_local/mail?to=${encodeURIComponent(email)}`);
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    mailbox.frameLocator('iframe').getByRole('link', { name: 'Confirm this address' }).click(),
  ]);
  await opened.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  // The new tab has no session: after a sign-in it goes on with the link.
  await opened.getByText('You have opened the link of an e-mail: sign in').waitFor();
  await accessible(opened, 'the link of a mail without a session');
  await opened.getByRole('link', { name: 'Sign up or in' }).click();
  await opened.getByRole('tab', { name: 'Wallet' }).click();
  await opened.getByRole('button', { name: /^(Sign in with this wallet|Create a key and sign in)$/ }).click();
  await opened.getByRole('link', { name: 'Go on with it' }).click();
  await opened.getByRole('button', { name: 'Verify the address' }).waitFor();
  // The front page of the world leads to both.
  await mailbox.goto(`${base}/`);
  await accessible(mailbox, 'the front page');
  await mailbox.getByRole('link', { name: 'mailbox' }).click();
  await mailbox.getByRole('heading', { name: 'Mailbox' }).waitFor();
  await opened.close();
  await mailbox.close();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Mailbox on a phone');

  // The age of a mail grows while the page is open. The frame of an open one runs no scripts, also not those of the test.
  await mail.first().click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  await page.clock.install();
  await page.reload();
  const age = mail.first().locator('time');
  await age.waitFor();
  await page.clock.fastForward('15:00');
  await until('the age of the mail', async () => (/^1[5-9] minutes ago$/.test((await age.innerText()).trim()) ? true : undefined));
}
