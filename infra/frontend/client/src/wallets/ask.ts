import { clientError, RuneportError } from '../error.js';

/**
 * Asks a browser wallet for something that its user may refuse.
 *
 * @param name The name of the wallet software.
 * @param what The name of the request.
 * @throws {@link RuneportError} `client.walletRefused`; its `cause` is what the wallet threw.
 */
export async function askWallet<T>(name: string, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RuneportError) throw error;
    throw clientError('client.walletRefused', `${name} did not complete ${what}. Confirm it in your wallet.`, error);
  }
}

/** The error of a wallet that has no account to use. */
export function noAccount(name: string): RuneportError {
  return clientError('client.walletRefused', `${name} has no account. Create one in your wallet.`);
}

/** Reads a text of a wallet's answer. */
export function textOf(answer: unknown, field: string, name: string): string {
  const value = fieldOf(answer, field);
  if (typeof value === 'string') return value;
  throw clientError('client.walletRefused', `${name} returned no ${field}. Update your wallet.`);
}

export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
