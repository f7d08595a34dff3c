// A whole frontend: sign in with a wallet of the browser, read the balance, withdraw, and follow what happens.

import { createApi, formatUnits, parseUnits, RuneportError, signInWithWallet, signOut, webStorageDeviceStore } from '@runeport/client';
import { watch } from '@runeport/client/events';
import { balance, type SignedTransaction, submit, withdraw } from '@runeport/client/wallet';
import { type DiscoveredWallet, discoverWallets } from '@runeport/client/wallets';
import type { BitcoinWallet } from '@runeport/client/wallets/bitcoin';

const api = createApi({
  baseUrl: 'http://127.0.0.1:9000',
  device: webStorageDeviceStore(localStorage),
});
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const btc = (sats: number | bigint): string => `${formatUnits(BigInt(sats), 8)} BTC`;

const search = new AbortController();
let wallet: BitcoinWallet | undefined;
let keptAs = '';

/** Runs what a button does, and shows why it failed. */
async function run(act: () => Promise<void>): Promise<void> {
  element('problem').textContent = '';
  try {
    await act();
  } catch (error) {
    element('problem').textContent = error instanceof Error ? error.message : String(error);
  }
}

async function offerWallets(): Promise<void> {
  // The trading wallet belongs to the key of a Bitcoin wallet.
  for await (const found of discoverWallets({ chains: ['bitcoin'], signal: search.signal })) {
    const button = document.createElement('button');
    button.textContent = `Sign in with ${found.name}`;
    button.onclick = () => run(() => signIn(found));
    element('wallets').append(button);
  }
}

async function signIn({ connect }: DiscoveredWallet<'bitcoin'>): Promise<void> {
  wallet = await connect();
  const otpCode = () => prompt('The code of your authenticator app') ?? '';
  const { account, tradingAddress } = await signInWithWallet(api, wallet, { otpCode });
  search.abort();
  keptAs = `signed ${account.id}`;
  element('wallets').hidden = true;
  element('account').hidden = false;
  element('address').textContent = tradingAddress ?? '';
  await showBalance();
  void run(follow);
  await submitKept();
}

async function showBalance(): Promise<void> {
  const { btc: { available, incoming }, runes } = await balance(api);
  const held = (runes ?? []).map(({ name, confirmed, divisibility }) => `${formatUnits(BigInt(confirmed), divisibility ?? 0)} ${name}`);
  const coming = incoming.external + incoming.own;
  element('balance').textContent = [btc(available), ...(coming > 0 ? [`${btc(coming)} on its way`] : []), ...held].join(', ');
}

/** Shows each event of the account once, and what it changed. */
async function follow(): Promise<void> {
  const types = ['transaction.stateChanged', 'deposit.seen', 'deposit.confirmed'] as const;
  for await (const { type, data } of watch(api, { types })) {
    const row = document.createElement('li');
    row.textContent = `${type} ${'txId' in data ? data.txId : data.depositId}: ${data.after}`;
    element('events').append(row);
    await showBalance();
  }
}

// A signed transaction is kept until the service has answered: sent again, it pays once. Built again, it would pay twice.
async function pay(signer: BitcoinWallet, amount: string, withdrawTo: string): Promise<void> {
  const sats = parseUnits(amount, 8);
  await submitKept();
  await settle(() => withdraw(api, signer, { tokenId: '0:0', amount: String(sats), withdrawTo }, {
    confirm: ({ fee }) => confirm(`Pay ${btc(sats)} to ${withdrawTo}, and ${btc(fee)} to the network?`),
    onSigned: (signed) => localStorage.setItem(keptAs, JSON.stringify(signed)),
  }));
}

async function submitKept(): Promise<void> {
  const kept = localStorage.getItem(keptAs);
  if (kept !== null) await settle(() => submit(api, (JSON.parse(kept) as SignedTransaction).base64Psbt));
}

async function settle(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
    localStorage.removeItem(keptAs);
  } catch (error) {
    if (!isUnknown(error)) localStorage.removeItem(keptAs);
    throw error;
  }
  await showBalance();
}

/** Whether the service may have the transaction in spite of the error. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof RuneportError)) return true;
  return error.status >= 500 || ['client.network', 'client.unavailable', 'common.inProgress'].includes(error.key);
}

element<HTMLFormElement>('withdrawal').onsubmit = (event) => {
  event.preventDefault();
  const [form, button] = [new FormData(event.target as HTMLFormElement), element<HTMLButtonElement>('withdraw')];
  button.disabled = true;
  void run(async () => {
    if (wallet) await pay(wallet, String(form.get('amount')), String(form.get('to')));
  }).finally(() => { button.disabled = false; });
};
element('sign-out').onclick = () => run(async () => {
  await signOut(api);
  location.reload();
});
void run(offerWallets);
