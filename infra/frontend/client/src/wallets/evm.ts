/**
 * EVM wallets, which sign in.
 *
 * @packageDocumentation
 */

import { clientError } from '../error.js';
import type { Wallet } from '../wallets.js';
import { askWallet, noAccount } from './ask.js';

/** The required part of a viem account; every account from `viem/accounts` has it. */
export interface EvmAccount {
  readonly address: string;
  signMessage(parameters: { message: string }): Promise<string>;
}

/**
 * Turns a viem account, or another signer of EIP-191 messages, into a {@link Wallet}.
 *
 * @example
 * await signInWithWallet(api, evmWallet(viemAccount));
 */
export function evmWallet(account: EvmAccount, provider = 'viem'): Wallet {
  return {
    chain: 'evm',
    address: account.address,
    publicKey: '',
    provider,
    signMessage: (message) => account.signMessage({ message }),
  };
}

/** The required part of a browser wallet (EIP-1193), such as `window.ethereum`. */
export interface Eip1193Provider {
  request(request: { method: string; params?: unknown }): Promise<unknown>;
}

/**
 * Connects to a browser wallet and uses its first account. The wallet asks the user for permission.
 *
 * @param name The name of the wallet software.
 * @throws {@link RuneportError} `client.walletRefused`.
 *
 * @example
 * await signInWithWallet(api, await injectedEvmWallet(window.ethereum));
 */
export async function injectedEvmWallet(provider: Eip1193Provider, name = 'eip1193'): Promise<Wallet> {
  const ask = (method: string, params?: unknown[]): Promise<unknown> =>
    askWallet(name, method, () => provider.request({ method, ...(params && { params }) }));
  const accounts = await ask('eth_requestAccounts');
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address !== 'string') throw noAccount(name);
  return evmWallet({
    address,
    signMessage: async ({ message }) => {
      const bytes = [...new TextEncoder().encode(message)];
      const hex = `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      const signature = await ask('personal_sign', [hex, address]);
      if (typeof signature !== 'string') throw clientError('client.walletRefused', `${name} returned no signature.`);
      return signature;
    },
  }, name);
}
