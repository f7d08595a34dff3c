// What the page shows, and what its buttons do.

import { createApi, formatUnits, parseUnits, signInWithWallet, signOut, webStorageDeviceStore } from '@runeport/client';
import { watch } from '@runeport/client/events';
import { balance } from '@runeport/client/wallet';
import { type DiscoveredWallet, discoverWallets } from '@runeport/client/wallets';
import type { BitcoinWallet } from '@runeport/client/wallets/bitcoin';

import { paymentsOf } from '../payments.js';

const api = createApi({ baseUrl: 'http://127.0.0.1:9000', device: webStorageDeviceStore(localStorage) });
const btc = (sats: number | bigint): string => `${formatUnits(BigInt(sats), 8)} BTC`;

export class Session {
  wallets = $state.raw<readonly DiscoveredWallet<'bitcoin'>[]>([]);
  account = $state<string>();
  tradingAddress = $state('');
  balance = $state('');
  events = $state<string[]>([]);
  problem = $state('');
  isBusy = $state(false);
  #wallet: BitcoinWallet | undefined;
  #stop = new AbortController();

  /** Finds the wallets of the browser, until the returned function is called. */
  search(): () => void {
    const search = new AbortController();
    void this.#run(async () => {
      for await (const wallet of discoverWallets({ chains: ['bitcoin'], signal: search.signal })) this.wallets = [...this.wallets, wallet];
    });
    return () => search.abort();
  }

  signIn({ connect }: DiscoveredWallet<'bitcoin'>): Promise<void> {
    return this.#act(async () => {
      this.#wallet = await connect();
      const otpCode = () => prompt('The code of your authenticator app') ?? '';
      const { account, tradingAddress } = await signInWithWallet(api, this.#wallet, { otpCode });
      this.account = account.id;
      this.tradingAddress = tradingAddress ?? '';
      void this.#run(() => this.#follow(), this.#stop.signal);
      await this.#showBalance();
      await paymentsOf(api, account.id).submitKept();
    });
  }

  pay(amount: string, withdrawTo: string): Promise<void> {
    const [wallet, account] = [this.#wallet, this.account];
    return this.#act(async () => {
      if (wallet === undefined || account === undefined) return;
      const sats = parseUnits(amount, 8);
      await paymentsOf(api, account).pay(wallet, { tokenId: '0:0', amount: String(sats), withdrawTo }, ({ fee }) =>
        confirm(`Pay ${btc(sats)} to ${withdrawTo}, and ${btc(fee)} to the network?`));
      await this.#showBalance();
    });
  }

  leave(): Promise<void> {
    return this.#act(async () => {
      this.#stop.abort();
      this.#stop = new AbortController();
      await signOut(api);
      this.account = undefined;
      this.events = [];
    });
  }

  async #showBalance(): Promise<void> {
    const { btc: { available, incoming }, runes } = await balance(api);
    const held = (runes ?? []).map(({ name, confirmed, divisibility }) => `${formatUnits(BigInt(confirmed), divisibility ?? 0)} ${name}`);
    const coming = incoming.external + incoming.own;
    this.balance = [btc(available), ...(coming > 0 ? [`${btc(coming)} on its way`] : []), ...held].join(', ');
  }

  /** Shows each event of the account once, and what it changed. */
  async #follow(): Promise<void> {
    const types = ['transaction.stateChanged', 'deposit.seen', 'deposit.confirmed'] as const;
    for await (const { type, data } of watch(api, { types, signal: this.#stop.signal })) {
      this.events.push(`${type} ${'txId' in data ? data.txId : data.depositId}: ${data.after}`);
      await this.#showBalance();
    }
  }

  /** Does what a button says, and shows why it failed. */
  async #act(act: () => Promise<void>): Promise<void> {
    this.problem = '';
    this.isBusy = true;
    await this.#run(act);
    this.isBusy = false;
  }

  async #run(work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!signal?.aborted) this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}
