/**
 * Solana wallets, which sign in.
 *
 * @packageDocumentation
 */

import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';

import { base64 } from '../bytes.js';
import { clientError } from '../error.js';
import type { Wallet } from '../wallets.js';
import { askWallet, noAccount } from './ask.js';

/** The required part of a browser wallet, such as `window.solana` or `window.phantom.solana`. */
export interface SolanaProvider {
  connect(): Promise<{ readonly publicKey: { toString(): string } }>;
  signMessage(message: Uint8Array, display?: 'utf8'): Promise<{ readonly signature: Uint8Array }>;
}

/**
 * Connects to a browser wallet. The wallet asks the user for permission.
 *
 * @param provider Phantom, or a wallet with the same interface.
 * @param name The name of the wallet software.
 * @throws {@link RuneportError} `client.walletRefused`.
 *
 * @example
 * await signInWithWallet(api, await injectedSolanaWallet(window.solana));
 */
export async function injectedSolanaWallet(provider: SolanaProvider, name = 'solana'): Promise<Wallet> {
  const address = (await askWallet(name, 'connect', () => provider.connect())).publicKey.toString();
  const sign = (message: Uint8Array) => askWallet(name, 'signMessage', () => provider.signMessage(message, 'utf8'));
  return solanaWallet(address, name, async (message) => (await sign(message)).signature);
}

function solanaWallet(address: string, provider: string, sign: (message: Uint8Array) => Promise<Uint8Array>): Wallet {
  return {
    chain: 'solana',
    address,
    publicKey: address,
    provider,
    signMessage: async (message) => base64(await sign(new TextEncoder().encode(message))),
  };
}

/**
 * The required part of a wallet of the Wallet Standard.
 *
 * {@link https://github.com/wallet-standard/wallet-standard/blob/master/packages/core/base/src/wallet.ts | Wallet}
 */
export interface StandardWallet {
  readonly name: string;
  readonly icon?: string;
  /** Such as `solana:mainnet`. */
  readonly chains: readonly string[];
  readonly features: Readonly<Record<string, unknown>>;
}

interface StandardAccount {
  /** Base58. */
  readonly address: string;
  readonly chains: readonly string[];
  readonly features: readonly string[];
}

interface ConnectFeature {
  connect(): Promise<{ readonly accounts: readonly StandardAccount[] }>;
}

interface SignMessageFeature {
  signMessage(
    ...inputs: { readonly account: StandardAccount; readonly message: Uint8Array }[]
  ): Promise<readonly { readonly signature: Uint8Array }[]>;
}

const CONNECT = 'standard:connect';
const SIGN_MESSAGE = 'solana:signMessage';
const isSolana = (chain: string): boolean => chain.startsWith('solana:');

/**
 * Whether {@link standardSolanaWallet} can connect to a wallet: it has Solana accounts, and signs messages with them.
 *
 * @example
 * if (signsSolanaMessages(standardWallet)) await signInWithWallet(api, await standardSolanaWallet(standardWallet));
 */
export function signsSolanaMessages({ chains, features }: StandardWallet): boolean {
  return chains.some(isSolana) && CONNECT in features && SIGN_MESSAGE in features;
}

/**
 * Connects to a wallet of the Wallet Standard and uses its first Solana account that signs messages. The wallet asks the
 * user for permission.
 *
 * {@link https://github.com/wallet-standard/wallet-standard/blob/master/packages/core/features/src/connect.ts | standard:connect},
 * {@link https://github.com/anza-xyz/wallet-standard/blob/master/packages/core/features/src/signMessage.ts | solana:signMessage}
 *
 * @param name The name of the wallet software.
 * @throws {@link RuneportError} `client.walletRefused`; `client.unsupported` if the wallet does not sign messages of Solana.
 *
 * @example
 * await signInWithWallet(api, await standardSolanaWallet(standardWallet));
 */
export async function standardSolanaWallet(wallet: StandardWallet, name = wallet.name): Promise<Wallet> {
  if (!signsSolanaMessages(wallet)) throw clientError('client.unsupported', `${name} does not sign messages of Solana.`);
  const connecting = wallet.features[CONNECT] as ConnectFeature;
  const signing = wallet.features[SIGN_MESSAGE] as SignMessageFeature;
  const { accounts } = await askWallet(name, 'connect', () => connecting.connect());
  const account = accounts.find(({ chains, features }) => chains.some(isSolana) && features.includes(SIGN_MESSAGE));
  if (account === undefined) throw noAccount(name);
  return solanaWallet(account.address, name, async (message) => {
    const [signed] = await askWallet(name, 'signMessage', () => signing.signMessage({ account, message }));
    if (signed === undefined) throw clientError('client.walletRefused', `${name} returned no signature.`);
    return signed.signature;
  });
}

/**
 * Creates a wallet from a secret key, for tests and for servers.
 *
 * @param secretKey 32 bytes, or 64 bytes as Solana's tools write them (secret key, then public key).
 *
 * @example
 * await signInWithWallet(api, solanaKeyWallet(secretKey));
 */
export function solanaKeyWallet(secretKey: Uint8Array): Wallet {
  const seed = secretKey.slice(0, 32);
  const address = base58.encode(ed25519.getPublicKey(seed));
  return {
    chain: 'solana',
    address,
    publicKey: address,
    provider: 'runeport-client',
    signMessage: async (message) => base58.encode(ed25519.sign(new TextEncoder().encode(message), seed)),
  };
}
