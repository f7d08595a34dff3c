/**
 * EVM wallets that sign in.
 *
 * @packageDocumentation
 */

import { clientError } from '../error.js';
import type { Wallet } from '../wallets.js';

/** What is needed of an account of viem: any that `viem/accounts` makes will do. */
export interface EvmAccount {
  readonly address: string;
  signMessage(parameters: { message: string }): Promise<string>;
}

/** An account of viem, or of whatever else signs EIP-191 messages, as a {@link Wallet}. */
export function evmWallet(account: EvmAccount, provider = 'viem'): Wallet {
  return {
    chain: 'evm',
    address: account.address,
    publicKey: '',
    provider,
    signMessage: (message) => account.signMessage({ message }),
  };
}

/** What is needed of a browser's wallet (EIP-1193), such as `window.ethereum`. */
export interface Eip1193Provider {
  request(request: { method: string; params?: unknown }): Promise<unknown>;
}

/**
 * The first account of a browser's wallet, which asks the person for it.
 *
 * @param provider EIP-1193.
 * @param name Of the wallet's software.
 * @throws {@link RuneportError} `client.walletRefused`.
 */
export async function injectedEvmWallet(provider: Eip1193Provider, name = 'eip1193'): Promise<Wallet> {
  const ask = async (method: string, params?: unknown[]): Promise<unknown> => {
    try {
      return await provider.request({ method, ...(params && { params }) });
    } catch (error) {
      throw clientError('client.walletRefused', `${name}: ${method}`, error);
    }
  };
  const accounts = await ask('eth_requestAccounts');
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address !== 'string') throw clientError('client.walletRefused', `${name} has no account`);
  return evmWallet({
    address,
    signMessage: async ({ message }) => {
      const bytes = [...new TextEncoder().encode(message)];
      const hex = `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      const signature = await ask('personal_sign', [hex, address]);
      if (typeof signature !== 'string') throw clientError('client.walletRefused', `${name} gave no signature`);
      return signature;
    },
  }, name);
}
