import { signal } from '@preact/signals';
import { base58, hex } from '@scure/base';
import { WIF } from '@scure/btc-signer';
import { TEST_NETWORK as REGTEST } from '@scure/btc-signer/utils.js';
import type { Chain, Wallet } from '@runeport/client';
import type { DiscoveredWallet } from '@runeport/client/wallets';
import { type BitcoinWallet, bitcoinKeyWallet } from '@runeport/client/wallets/bitcoin';
import { useEffect, useState } from 'preact/hooks';

/** A key of this tab, created in the page or pasted; worthless outside the local world. */
export interface KeptKey {
  chain: Chain;
  /** Hex: 32 bytes; for Solana the seed. */
  secret: string;
  address: string;
  origin: 'made' | 'pasted';
}

/** A browser wallet, which keeps its own keys. */
export interface BrowserWallet {
  chain: Chain;
  address: string;
  origin: 'browser';
  wallet: Wallet;
}

export type DemoWallet = KeptKey | BrowserWallet;

const KEY = 'runeport.playground.wallets';

function isKept(value: unknown): value is KeptKey {
  return typeof value === 'object' && value !== null && 'secret' in value && 'address' in value && 'chain' in value;
}

function kept(): KeptKey[] {
  const text = sessionStorage.getItem(KEY);
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter(isKept) : [];
}

/** All wallets of this tab; for each chain, the one in use comes first. */
export const wallets = signal<DemoWallet[]>(kept());

function keep(list: DemoWallet[]): void {
  wallets.value = list;
  sessionStorage.setItem(KEY, JSON.stringify(list.filter(({ origin }) => origin !== 'browser')));
}

const same = (a: DemoWallet, b: DemoWallet): boolean => a.chain === b.chain && a.address === b.address;

export const CHAINS: readonly { value: Chain; label: string }[] = [
  { value: 'bitcoin', label: 'Bitcoin' },
  { value: 'evm', label: 'EVM' },
  { value: 'solana', label: 'Solana' },
];

const bytesOf = (secret: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.decode(secret));

const bitcoinOf = (secret: string): BitcoinWallet =>
  bitcoinKeyWallet({ privateKey: bytesOf(secret), network: 'regtest' });

/** The libraries of the other chains are loaded when a key of that chain is used. */
async function keyWallet(chain: Chain, secret: string): Promise<Wallet> {
  switch (chain) {
    case 'bitcoin': return bitcoinOf(secret);
    case 'evm': {
      const [{ evmWallet }, { evmAccountOf }] = await Promise.all([import('@runeport/client/wallets/evm'), import('./evm-accounts.ts')]);
      return evmWallet(evmAccountOf(secret));
    }
    case 'solana': return (await import('@runeport/client/wallets/solana')).solanaKeyWallet(bytesOf(secret));
  }
}

/** The signer of a wallet. */
export async function signerOf(wallet: DemoWallet): Promise<Wallet> {
  return wallet.origin === 'browser' ? wallet.wallet : keyWallet(wallet.chain, wallet.secret);
}

/** The wallet in use for a chain; undefined if there is none. */
export const walletOf = (chain: Chain): DemoWallet | undefined =>
  wallets.value.find((wallet) => wallet.chain === chain);

/** A wallet of this tab by its address. */
export const walletAt = (address: string): DemoWallet | undefined =>
  wallets.value.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase());

/** The Bitcoin wallet with this public key (33 bytes or x-only), which signs for the trading wallet. */
export const bitcoinWalletWithKey = (publicKey: string): DemoWallet | undefined =>
  wallets.value.find((wallet) => wallet.chain === 'bitcoin' && bitcoinSignerOf(wallet).publicKey.endsWith(publicKey));

/** The signer of a Bitcoin wallet, which also signs PSBTs. */
export function bitcoinSignerOf(wallet: DemoWallet): BitcoinWallet {
  if (wallet.chain !== 'bitcoin') throw new Error('This is not a Bitcoin wallet.');
  return wallet.origin === 'browser' ? (wallet.wallet as BitcoinWallet) : bitcoinOf(wallet.secret);
}

/** Selects a wallet for its chain. */
export function chooseWallet(wallet: DemoWallet): DemoWallet {
  keep([wallet, ...wallets.peek().filter((other) => !same(other, wallet))]);
  return wallet;
}

export function forgetWallet(wallet: DemoWallet): void {
  keep(wallets.peek().filter((other) => !same(other, wallet)));
}

async function add(chain: Chain, secret: string, origin: KeptKey['origin']): Promise<DemoWallet> {
  return chooseWallet({ chain, secret, origin, address: (await keyWallet(chain, secret)).address });
}

/** A new random key. */
export const makeWallet = (chain: Chain): Promise<DemoWallet> =>
  add(chain, hex.encode(crypto.getRandomValues(new Uint8Array(32))), 'made');

/** An address whose key is discarded, to use as someone else's address. */
export const strangerAddress = (): string => bitcoinOf(hex.encode(crypto.getRandomValues(new Uint8Array(32)))).address;

/** The wallet in use, or a new one. */
export const walletFor = async (chain: Chain): Promise<DemoWallet> => walletOf(chain) ?? makeWallet(chain);

/** Adds a key: hex; for Bitcoin also WIF; for Solana also base58 of the seed, with or without the public key. */
export async function pasteWallet(chain: Chain, text: string): Promise<DemoWallet> {
  const key = text.trim().replace(/^0x/i, '');
  if (/^[0-9a-f]{64}$/i.test(key)) return add(chain, key.toLowerCase(), 'pasted');
  if (chain === 'bitcoin') {
    try {
      return await add(chain, hex.encode(WIF(REGTEST).decode(key)), 'pasted');
    } catch {
      throw new Error('This is not a private key. Enter 64 hex digits, or WIF of a test network.');
    }
  }
  let bytes: Uint8Array;
  try {
    bytes = base58.decode(key);
  } catch {
    throw new Error('This is not a private key. Enter 64 hex digits.');
  }
  if (chain === 'solana' && (bytes.length === 64 || bytes.length === 32)) {
    return add(chain, hex.encode(bytes.subarray(0, 32)), 'pasted');
  }
  throw new Error('This is not a private key of this chain.');
}

/** The private key as hex, to import into another wallet. */
export const secretOf = (wallet: DemoWallet): string | undefined =>
  wallet.origin === 'browser' ? undefined : wallet.secret;

/** The wallets of that chain that the browser has, also those that announce themselves while they are shown. */
export function useBrowserWallets(chain: Chain): readonly DiscoveredWallet[] {
  const [found, setFound] = useState<readonly DiscoveredWallet[]>([]);
  useEffect(() => {
    const search = new AbortController();
    setFound([]);
    void (async () => {
      const { discoverWallets } = await import('@runeport/client/wallets');
      for await (const wallet of discoverWallets({ chains: [chain], signal: search.signal })) setFound((before) => [...before, wallet]);
    })();
    return () => search.abort();
  }, [chain]);
  return found;
}

/** Connects to a wallet of the browser, which asks the user. */
export async function connectBrowserWallet(chain: Chain, found: DiscoveredWallet): Promise<DemoWallet> {
  const wallet = await found.connect();
  return chooseWallet({ chain, wallet, address: wallet.address, origin: 'browser' });
}

/** The keys of this tab, for a keystore. */
export const keystoreEntries = (): { chain: Chain; secret: string }[] =>
  wallets.peek().flatMap((wallet) => (wallet.origin === 'browser' ? [] : [{ chain: wallet.chain, secret: wallet.secret }]));

/** Adds the keys of a keystore; returns how many were new. */
export async function restoreKeys(entries: readonly { chain: string; secret: string }[]): Promise<number> {
  let restored = 0;
  // The first key is the one in use. The last added key comes first, so add it last.
  for (const { chain, secret } of [...entries].reverse()) {
    const known = CHAINS.find(({ value }) => value === chain);
    if (!known || !/^[0-9a-f]{64}$/.test(secret)) continue;
    const before = wallets.peek().length;
    await add(known.value, secret, 'made');
    restored += wallets.peek().length - before;
  }
  return restored;
}
