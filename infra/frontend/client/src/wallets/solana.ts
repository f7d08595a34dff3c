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
 */
export async function injectedSolanaWallet(provider: SolanaProvider, name = 'solana'): Promise<Wallet> {
  let address: string;
  try {
    address = (await provider.connect()).publicKey.toString();
  } catch (error) {
    throw clientError('client.walletRefused', `${name} did not connect. Allow it in your wallet.`, error);
  }
  return {
    chain: 'solana',
    address,
    publicKey: address,
    provider: name,
    signMessage: async (message) => base64((await provider.signMessage(new TextEncoder().encode(message), 'utf8')).signature),
  };
}

/**
 * Creates a wallet from a secret key, for tests and for servers.
 *
 * @param secretKey 32 bytes, or 64 bytes as Solana's tools write them (secret key, then public key).
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
