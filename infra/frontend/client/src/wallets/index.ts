/**
 * The wallets of the user's browser.
 *
 * @packageDocumentation
 */

import type { Chain, Wallet } from '../wallets.js';
import { fieldOf } from './ask.js';
import {
  type BitcoinProvider, type BitcoinWallet, injectedBitcoinWallet, leatherWallet, type RpcProvider, satsConnectWallet,
} from './bitcoin.js';
import { type Eip1193Provider, injectedEvmWallet } from './evm.js';
import { signsSolanaMessages, type StandardWallet, standardSolanaWallet } from './solana.js';

/** A connected wallet: one of Bitcoin also signs transactions. */
export type ConnectedWallet<C extends Chain = Chain> = [C] extends ['bitcoin'] ? BitcoinWallet : Wallet;

/** A wallet that the user has installed. */
export interface DiscoveredWallet<C extends Chain = Chain> {
  /** The wallet chooses it: two wallets may have the same name. */
  readonly name: string;
  /** A URI for the `src` of an `<img>`. Use it nowhere else: an SVG may contain scripts. */
  readonly icon?: string;
  /** The chains of the accounts that `connect` returns. A wallet of several chains is found once for each. */
  readonly chains: readonly C[];
  /**
   * Asks the user for permission, and uses the first account.
   *
   * @throws {@link RuneportError} `client.walletRefused`.
   */
  connect(): Promise<ConnectedWallet<C>>;
}

/** Options of {@link discoverWallets}. */
export interface DiscoverOptions<C extends Chain = Chain> {
  /** Default: all. */
  readonly chains?: readonly C[];
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** How often the page is searched for wallets that announce themselves by no event, in milliseconds. */
const INTERVAL = 250;

/**
 * Finds the wallets of the browser: UniSat, OKX and wallets of
 * {@link https://wbips.netlify.app/wbips/WBIP004 | WBIP004} (Xverse, Leather) for Bitcoin,
 * {@link https://eips.ethereum.org/EIPS/eip-6963 | EIP-6963} for EVM, and the
 * {@link https://github.com/wallet-standard/wallet-standard | Wallet Standard} for Solana. Each is found once for each
 * search. Extensions load in any order and may come late, so the search ends only with `signal`. Without a browser it finds
 * nothing and ends.
 *
 * @example
 * for await (const { name, icon, connect } of discoverWallets({ signal })) {
 *   addButton(name, icon, async () => signInWithWallet(api, await connect()))
 * }
 */
export async function* discoverWallets<const C extends Chain = Chain>(
  { chains, signal }: DiscoverOptions<C> = {},
): AsyncGenerator<DiscoveredWallet<C>, void, undefined> {
  if (typeof window === 'undefined') return;
  const found: DiscoveredWallet[] = [];
  const seen = new Set<unknown>();
  let wake = (): void => {};
  const add: Add = (key, name, icon, chain, connect) => {
    const shown = shownName(name);
    if (seen.has(key) || shown === '') return;
    seen.add(key);
    found.push({
      name: shown, ...(typeof icon === 'string' && icon !== '' && { icon }), chains: [chain], connect: () => connect(shown),
    });
    wake();
  };
  const searches: Readonly<Record<Chain, (add: Add) => () => void>> = {
    bitcoin: searchBitcoin, evm: searchEvm, solana: searchSolana,
  };
  const stops = (chains ?? (['bitcoin', 'evm', 'solana'] as const)).map((chain) => searches[chain](add));
  const end = (): void => wake();
  signal?.addEventListener('abort', end);
  try {
    while (!signal?.aborted) {
      const next = found.shift();
      if (next) yield next as DiscoveredWallet<C>;
      else await new Promise<void>((resolve) => { wake = resolve; });
    }
  } finally {
    signal?.removeEventListener('abort', end);
    for (const stop of stops) stop();
  }
}

/** Adds a wallet that no earlier key names. `connect` receives its name. */
type Add = (
  key: unknown, name: unknown, icon: unknown, chain: Chain, connect: (name: string) => Promise<Wallet>,
) => void;

/** The service takes names of up to 64 characters, none of them a control character. */
function shownName(name: unknown): string {
  return typeof name === 'string' ? [...name.replaceAll(/\p{Cc}/gu, ' ').trim()].slice(0, 64).join('').trim() : '';
}

/** Wallets that a page finds by their place, in this order. */
const PLACES: readonly { readonly id: string; readonly name: string }[] = [
  { id: 'unisat', name: 'UniSat Wallet' },
  { id: 'okxwallet.bitcoin', name: 'OKX Wallet' },
  { id: 'XverseProviders.BitcoinProvider', name: 'Xverse' },
  { id: 'LeatherProvider', name: 'Leather' },
];

function searchBitcoin(add: Add): () => void {
  const search = (): void => {
    // The published name of the list, and the one that Xverse and Leather use.
    const lists = ['btc_providers', 'wbip_providers'].map((name) => fieldOf(window, name));
    const registered: readonly unknown[] = lists.flatMap((list) => (Array.isArray(list) ? list : []));
    for (const entry of [...registered, ...PLACES]) {
      const id = fieldOf(entry, 'id');
      const provider = typeof id === 'string' ? placed(id) : undefined;
      const connect = provider && bitcoinConnection(provider, id);
      if (connect) add(provider, fieldOf(entry, 'name'), fieldOf(entry, 'icon'), 'bitcoin', connect);
    }
  };
  search();
  const timer = setInterval(search, INTERVAL);
  return () => clearInterval(timer);
}

/** The object at a path of the page, such as `XverseProviders.BitcoinProvider`. */
function placed(path: string): object | undefined {
  const value = path.split('.').reduce(fieldOf, window as unknown);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** How to connect to a provider, by the functions that it has. */
function bitcoinConnection(provider: object, id: unknown): ((name: string) => Promise<BitcoinWallet>) | undefined {
  // Binance puts a provider in the place of UniSat's whose functions differ from UniSat's.
  if (fieldOf(provider, 'isBinance') === true) return undefined;
  if (typeof fieldOf(provider, 'requestAccounts') === 'function' && typeof fieldOf(provider, 'getPublicKey') === 'function') {
    return (name) => injectedBitcoinWallet(provider as BitcoinProvider, name);
  }
  if (typeof fieldOf(provider, 'request') !== 'function') return undefined;
  const connect = id === 'LeatherProvider' ? leatherWallet : satsConnectWallet;
  return (name) => connect(provider as RpcProvider, name);
}

function searchEvm(add: Add): () => void {
  const announced = (event: Event): void => {
    const detail = fieldOf(event, 'detail');
    const [info, provider] = [fieldOf(detail, 'info'), fieldOf(detail, 'provider')];
    const uuid = fieldOf(info, 'uuid');
    if (typeof uuid !== 'string' || typeof fieldOf(provider, 'request') !== 'function') return;
    add(`eip6963 ${uuid}`, fieldOf(info, 'name'), fieldOf(info, 'icon'), 'evm', (name) =>
      injectedEvmWallet(provider as Eip1193Provider, name));
  };
  window.addEventListener('eip6963:announceProvider', announced);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => window.removeEventListener('eip6963:announceProvider', announced);
}

function searchSolana(add: Add): () => void {
  // `register` returns a function that takes the wallets back; a wallet that was found then refuses to connect.
  const api = {
    register: (...wallets: readonly StandardWallet[]): (() => void) => {
      for (const wallet of wallets) {
        if (signsSolanaMessages(wallet)) {
          add(wallet, wallet.name, wallet.icon, 'solana', (name) => standardSolanaWallet(wallet, name));
        }
      }
      return () => {};
    },
  };
  const registers = (event: Event): void => {
    const callback = fieldOf(event, 'detail');
    if (typeof callback === 'function') callback(api);
  };
  window.addEventListener('wallet-standard:register-wallet', registers);
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  return () => window.removeEventListener('wallet-standard:register-wallet', registers);
}
