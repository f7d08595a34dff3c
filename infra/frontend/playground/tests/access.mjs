import assert from 'node:assert/strict';

import { decryptKeystore } from '@runeport/client/keystore';
import { bitcoinKeyWallet } from '@runeport/client/wallets/bitcoin';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { accessible, authenticator, base, fits, until } from './harness.mjs';

export const title = 'Sign-up and sign-in: password, passkey, wallets of three chains and of the browser';
export const panel = 'access';
export const weight = 3;
export const runs = 'passive';

/** Installs two wallets of the browser as extensions do: one has a place in the page, the other announces itself. */
async function installWallets(page) {
  const bitcoin = bitcoinKeyWallet({ privateKey: crypto.getRandomValues(new Uint8Array(32)), network: 'regtest' });
  const evm = privateKeyToAccount(generatePrivateKey());
  const asked = { refuses: false };
  await page.exposeFunction('isRefused', () => asked.refuses);
  await page.exposeFunction('signBitcoin', (text) => bitcoin.signMessage(text));
  await page.exposeFunction('signEvm', (raw) => evm.signMessage({ message: { raw } }));
  await page.evaluate(([bitcoinAddress, publicKey, evmAddress]) => {
    const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>')}`;
    const mayRefuse = async () => {
      if (await window.isRefused()) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    };
    window.unisat = {
      requestAccounts: () => mayRefuse().then(() => [bitcoinAddress]),
      getPublicKey: async () => publicKey,
      signMessage: (text, type) => (type === 'bip322-simple' ? window.signBitcoin(text) : Promise.reject(new Error(type))),
      signPsbt: () => Promise.reject(new Error('nothing to sign')),
    };
    const provider = {
      async request({ method, params }) {
        await mayRefuse();
        if (method === 'eth_requestAccounts') return [evmAddress];
        return window.signEvm(params[0]);
      },
    };
    const detail = { info: { uuid: crypto.randomUUID(), name: 'A wallet with an icon', icon, rdns: 'example.wallet' }, provider };
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  }, [bitcoin.address, bitcoin.publicKey, evm.address]);
  return { asked, bitcoin: bitcoin.address, evm: evm.address };
}

/** The names of the scripts that the page has loaded. */
const loaded = (page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)));

export async function run({ page, context }) {
  const email = `access.${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = `correct horse ${crypto.randomUUID()}`;
  const sent = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const session = page.getByRole('heading', { name: 'Your session' });
  const out = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await session.waitFor({ state: 'detached' });
  };

  // With a password. An error appears next to its field.
  const form = (name) => page.getByRole('tab', { name, exact: true }).click();
  const secret = page.getByRole('textbox', { name: 'Password', exact: true });
  await accessible(page, 'the form to sign in with a password');
  assert.equal(await secret.getAttribute('autocomplete'), 'current-password');
  await form('Sign up');
  assert.equal(await secret.getAttribute('autocomplete'), 'new-password');
  await page.getByLabel('E-mail address').fill('nobody');
  // The service never sees the password, so the page alone can refuse a short one.
  const signUp = page.getByRole('button', { name: 'Sign up', exact: true });
  await secret.fill('abc');
  await page.getByText('Use at least 12 characters.').waitFor();
  assert.equal(await signUp.getAttribute('aria-disabled'), 'true');
  await accessible(page, 'a password that is too short');
  await secret.fill(password);
  await page.getByLabel('Show the password').check();
  assert.equal(await secret.getAttribute('type'), 'text');
  await page.getByLabel('Show the password').uncheck();
  assert.equal(await secret.getAttribute('type'), 'password');
  await signUp.click();
  await page.getByRole('alert').getByText('common.validation').waitFor();
  const field = page.getByLabel('E-mail address');
  // The fault is said once, at its field.
  const said = page.getByRole('main').getByText(/e-mail address such as/i);
  assert.match(await said.innerText(), /^Must be an e-mail address such as .*\.$/);
  await page.getByRole('alert').getByText('Check 1 field.').waitFor();
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await until('the focus on the invalid field', async () => (await field.evaluate((input) => input === document.activeElement)) || undefined);
  await accessible(page, 'a refused sign-up');
  await field.fill(email);
  // The password is computed in a worker, which ends: the policy of the page allows it, and the bundle contains it.
  const worker = page.waitForEvent('worker');
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  assert.match((await worker).url(), /\/playground\/assets\/worker-[\w-]+\.js$/);
  await session.waitFor();
  await until('the end of the worker', async () => (page.workers().length === 0 ? true : undefined));
  assert.ok(!(await loaded(page)).some((name) => name.startsWith('work-')), 'the page loads the arithmetic too');
  await page.getByText('Contents of the access token').click();
  await accessible(page, 'a session');

  const tokens = () => page.evaluate(() => sessionStorage.getItem('runeport.playground.tokens'));
  const before = await tokens();
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await page.waitForFunction((old) => sessionStorage.getItem('runeport.playground.tokens') !== old, before);
  const calls = page.getByRole('complementary', { name: 'Calls' });
  await calls.getByRole('button', { name: /POST \/auth\/refresh-token/ }).click();
  // A duplicate of the tab begins with a copy of the session, and gets its new tokens.
  const [twin] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => { open(location.href); })]);
  await twin.getByRole('heading', { name: 'Your session' }).waitFor();
  const refresh = async (tab) => {
    const old = await tab.evaluate(() => sessionStorage.getItem('runeport.playground.tokens'));
    await tab.getByRole('button', { name: 'Refresh now' }).click();
    await tab.waitForFunction((spent) => sessionStorage.getItem('runeport.playground.tokens') !== spent, old);
    return tab.evaluate(() => sessionStorage.getItem('runeport.playground.tokens'));
  };
  const held = (tab, kept) => tab.waitForFunction((want) => sessionStorage.getItem('runeport.playground.tokens') === want, kept);
  await refresh(page);
  await held(twin, await refresh(page));
  await held(page, await refresh(twin));
  await session.waitFor();
  // It says why it is signed out.
  await twin.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('You signed out in another tab', { exact: false }).waitFor();
  await accessible(page, 'a session that ended elsewhere');
  await twin.close();
  await form('Sign in');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await session.waitFor();
  assert.equal(await page.getByText('You signed out in another tab', { exact: false }).count(), 0);

  await calls.getByRole('tab', { name: 'curl' }).click();
  const curl = await calls.getByRole('group', { name: 'curl' }).innerText();
  assert.ok(curl.includes(`-d '{"refreshToken":"'"$REFRESH_TOKEN"'"}'`), curl);
  await out();

  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('something else');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('auth.invalidCredentials').waitFor();

  // The keystore has the format that the client documents, and says whose it is.
  const key = await page.evaluate(() => sessionStorage.getItem('runeport.playground.wallets'));
  const [registered] = sent.filter((request) => request.includes('/auth/register/srp ') && request.includes(email));
  const { encryptedBlob } = JSON.parse(registered.slice(registered.indexOf('{')));
  const opened = await decryptKeystore(encryptedBlob, { password, owner: email });
  const { keys } = JSON.parse(new TextDecoder().decode(opened.secret));
  assert.deepEqual(keys, JSON.parse(key).map(({ chain, secret: own }) => ({ chain, secret: own })));

  // In another browser, the keystore restores the keys.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByLabel('E-mail address').fill(email.toUpperCase());
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('1 key restored').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem('runeport.playground.wallets')), key);
  assert.ok(sent.length > 8 && !sent.some((request) => request.includes(password)), 'the password is never sent');
  await out();

  // A second user in the same tab: the tab's key has a trading wallet already, and one click makes another key.
  const second = `second.${email}`;
  await form('Sign up');
  await page.getByLabel('E-mail address').fill(second);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await page.getByRole('alert').getByText('auth.tradingWallet').waitFor();
  await accessible(page, 'a sign-up with a key that has an account');
  await page.getByRole('button', { name: 'Sign up with a new key' }).click();
  await session.waitFor();
  await page.getByRole('main').getByText(second, { exact: true }).waitFor();
  await out();

  // A third user takes the address of the second one: the page shows the account id, without which the password is refused.
  const third = `${password} of the third`;
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(third);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await page.getByRole('button', { name: 'Sign up with a new key' }).click();
  await page.getByText('Store your account id.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Copy account id' }).first().click();
  const id = await until('the copied account id', async () => {
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    return /^[0-9a-f-]{36}$/.test(copied) ? copied : undefined;
  });
  await accessible(page, 'the account id after a sign-up');
  await out();
  await form('Sign in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('auth.invalidCredentials').waitFor();
  await accessible(page, 'a sign-in that needs the account id');
  await page.getByRole('button', { name: 'Use the account signed up here' }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Account id' }).inputValue(), id);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await session.waitFor();
  await page.getByRole('main').getByText(second, { exact: true }).waitFor();
  await out();

  // With a passkey, which works only on the origin localhost.
  await page.getByRole('tab', { name: 'Passkey' }).click();
  await accessible(page, 'the passkey form');
  if (new URL(base).hostname === 'localhost') {
    await authenticator(page);
    await page.getByLabel('E-mail address (optional)').fill(`passkey.${email}`);
    await page.getByRole('button', { name: 'Sign up with a new passkey' }).click();
    await session.waitFor();
    await out();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await session.waitFor();
    await page.getByRole('main').getByText(`passkey.${email}`).first().waitFor();
    await out();
  }

  // With wallets.
  await page.getByRole('tab', { name: 'Wallet' }).click();
  for (const chain of ['Bitcoin', 'EVM', 'Solana']) {
    await page.getByRole('tab', { name: chain }).click();
    await accessible(page, `the form of ${chain}`);
    // The current Bitcoin key already belongs to the trading wallet of the password account.
    if (chain === 'Bitcoin') await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: /^(Create a key and sign in|Sign in with this wallet)$/ }).click();
    await session.waitFor();
    await out();
  }
  await page.getByRole('tab', { name: 'Bitcoin' }).click();
  await page.getByRole('button', { name: 'Sign in with one message' }).click();
  await session.waitFor();
  await out();

  // With wallets that the browser has. They come late, and a user may refuse.
  const installed = await installWallets(page);
  installed.asked.refuses = true;
  await page.getByRole('button', { name: 'Use UniSat Wallet' }).click();
  await page.getByRole('alert').getByText('UniSat Wallet did not complete requestAccounts.', { exact: false }).waitFor();
  await accessible(page, 'a browser wallet that refuses');
  installed.asked.refuses = false;
  for (const [chain, name, address] of [['Bitcoin', 'UniSat Wallet', installed.bitcoin], ['EVM', 'A wallet with an icon', installed.evm]]) {
    await page.getByRole('tab', { name: chain }).click();
    await page.getByRole('button', { name: `Use ${name}` }).click();
    await page.getByText(name, { exact: true }).waitFor();
    await accessible(page, `the form of ${chain} with a browser wallet`);
    await page.getByRole('button', { name: 'Sign in with this wallet' }).click();
    await session.waitFor();
    await page.locator(`dt:text-is("Signed in as") + dd [title="${address}" i]`).waitFor();
    if (chain === 'Bitcoin') await out();
  }
  await page.getByRole('tab', { name: 'Bitcoin' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 'Sign up & in on a phone');

  // Paste the private key 1 as WIF: first with a wrong letter, which the checksum detects.
  await page.getByRole('button', { name: 'Paste a key' }).click();
  await page.getByLabel('Private key', { exact: true }).fill('cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JCbXMTcA');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('This is not a private key', { exact: false }).waitFor();
  await page.getByLabel('Private key', { exact: true }).fill('cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await until('the address of that key', async () =>
    (await page.getByLabel('Bitcoin wallet').inputValue()).startsWith('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7k') || undefined);
}
