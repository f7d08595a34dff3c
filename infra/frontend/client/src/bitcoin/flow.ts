// What every flow of a Bitcoin transaction consists of.

import { type Api, call, type CallOptions, type Schemas } from '../api.js';
import { clientError, RuneportError } from '../error.js';
import { type BitcoinNetwork, networkOf } from './network.js';
import { checkPsbt, checkSigned, describePsbt, type ExpectedPsbt, type Payment, type PsbtDescription } from './psbt.js';
import { isTradingAddress } from './trading.js';
import { satsOf } from './transaction.js';

/** The user's key, whose signature the coins of the trading wallet need. */
export interface TradingKey {
  /** In hex: 33 bytes, or 32 bytes if a Taproot wallet provides the key x-only. */
  readonly publicKey: string;
}

/** Signs transactions. */
export interface PsbtSigner extends TradingKey {
  /**
   * Signs the inputs with these indexes with SIGHASH_ALL, without finalising them.
   *
   * @returns The PSBT with the signatures, as base64.
   */
  signPsbt(base64Psbt: string, inputIndexes: readonly number[]): Promise<string>;
}

/** A transaction to sign: `{base64Psbt, txId, fee, userInputIndexes, expiresAt}`. */
export type UnsignedTransaction = Schemas['UnsignedTransaction'];

/** Information that accompanies a transaction to sign: warnings, the amount, the coins that it leaves. */
export type Notes = Schemas['MetaDataWith_Notes'];

/** A transaction that a request would create now, and what accompanies it. */
export interface Preview {
  readonly transaction: Schemas['TransactionPreview'];
  readonly notes: Notes;
}

/** The state of a submitted transaction. */
export type TransactionStatus = Schemas['TransactionStatus'];

/** Options of all checks. */
export interface CheckOptions {
  /** The highest acceptable fee, in sats; default: 100,000. */
  readonly mostFee?: number | undefined;
  /** Determines the format of addresses; default: the network of the given addresses. */
  readonly network?: BitcoinNetwork | undefined;
  /**
   * The address of the trading wallet, if the app knows it. By default, the check accepts coins at any one
   * address whose script is that of a trading wallet with the signer's key.
   */
  readonly tradingAddress?: string | undefined;
}

/** A signed transaction. */
export interface SignedTransaction {
  /** The input of the `submit…` functions. */
  readonly base64Psbt: string;
  readonly txId: string;
}

/** Options of every flow. */
export interface TransactionOptions extends CheckOptions, Pick<CallOptions, 'signal'> {
  /** Called after the PSBT passed the check and before the wallet signs; `false` ends the flow. */
  readonly confirm?: (psbt: PsbtDescription, transaction: UnsignedTransaction) => boolean | Promise<boolean>;
  /**
   * Receives the signed transaction; the flow waits for it before submitting. Store the transaction: if the
   * outcome is unknown (`client.network`, `client.unavailable`, `common.inProgress`, HTTP 502 or 504),
   * submit the same one again. Starting the flow again would create a second payment.
   */
  readonly onSigned?: (signed: SignedTransaction) => void | Promise<void>;
}

const MOST_FEE = 100_000;
/** The `tokenId` of BTC. */
export const BTC = '0:0';

/** Asks for confirmation, signs, checks the signed PSBT, and passes it to `onSigned`. */
export async function confirmAndSign(
  signer: PsbtSigner,
  transaction: UnsignedTransaction,
  description: PsbtDescription,
  { confirm, onSigned, signal }: TransactionOptions,
): Promise<string> {
  if (confirm && !(await confirm(description, transaction))) {
    throw clientError('client.walletRefused', 'The transaction was not confirmed, so it was not signed.');
  }
  signal?.throwIfAborted();
  const base64Psbt = await signWith(signer, transaction);
  await onSigned?.({ base64Psbt, txId: transaction.txId });
  return base64Psbt;
}

/** Checks a transaction that was just created; one that is refused is released. */
export async function checkOrRelease(api: Api, transaction: UnsignedTransaction, check: () => PsbtDescription): Promise<PsbtDescription> {
  try {
    return check();
  } catch (error) {
    await releaseQuietly(api, transaction);
    throw error;
  }
}

/** As {@link confirmAndSign}; a transaction that is not signed is released. */
export async function signOrRelease(
  api: Api,
  signer: PsbtSigner,
  transaction: UnsignedTransaction,
  description: PsbtDescription,
  options: TransactionOptions,
): Promise<string> {
  let isSigned = false;
  const onSigned = (signed: SignedTransaction) => {
    isSigned = true;
    return options.onSigned?.(signed);
  };
  try {
    return await confirmAndSign(signer, transaction, description, { ...options, onSigned });
  } catch (error) {
    // What `onSigned` received may still be submitted.
    if (!isSigned) await releaseQuietly(api, transaction);
    throw error;
  }
}

/** Releases a transaction that is not going to be signed. If this fails, its coins are free after ten minutes. */
async function releaseQuietly(api: Api, { txId }: UnsignedTransaction): Promise<void> {
  await call(api, 'delete', '/api/transactions/{txId}', { params: { path: { txId } } }).catch(() => undefined);
}

async function signWith(signer: PsbtSigner, { base64Psbt, txId, userInputIndexes }: UnsignedTransaction): Promise<string> {
  // If there is nothing to sign, the PSBT is submitted unchanged.
  if (userInputIndexes.length === 0) return base64Psbt;
  let signedPsbt: string;
  try {
    signedPsbt = await signer.signPsbt(base64Psbt, userInputIndexes);
  } catch (error) {
    if (error instanceof RuneportError) throw error;
    throw clientError('client.walletRefused', 'The wallet did not sign the transaction. Confirm the signature in your wallet.', error);
  }
  checkSigned(signedPsbt, txId, userInputIndexes);
  return signedPsbt;
}

export function describeAndCheck(
  { base64Psbt, fee, txId, userInputIndexes }: UnsignedTransaction,
  expected: Pick<ExpectedPsbt, 'payments' | 'data' | 'needsData' | 'gain'>,
  { publicKey }: TradingKey,
  { mostFee = MOST_FEE, tradingAddress, network }: CheckOptions,
): PsbtDescription {
  const [paid] = expected.payments;
  const own = tradingAddress && canonicalAddress(tradingAddress);
  const description = describePsbt(base64Psbt, network ?? networkOf(own ?? paid?.address ?? ''));
  checkPsbt(description, { ...expected, userInputIndexes, txId, fee: fee.totalFee, mostFee, publicKey, tradingAddress: own });
  return description;
}

/** What a withdrawal pays. */
export function paymentOf(amount: string, tokenId: string, withdrawTo: string): Payment {
  if (!/^[1-9]\d*$/.test(amount)) {
    throw clientError('client.psbtRefused', `The amount "${amount}" is not a positive whole number in the smallest unit.`);
  }
  const address = canonicalAddress(withdrawTo);
  return tokenId === BTC ? { address, sats: satsOf(BigInt(amount)) } : { address, runeId: tokenId, amount: BigInt(amount) };
}

/** Lowercases a bech32 address, as descriptions contain it. */
export function canonicalAddress(address: string): string {
  return /^(bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address;
}

/**
 * Reads the account's trading address, and checks that it belongs to a trading wallet with this key.
 *
 * @param key The user's key, for example the signing wallet.
 * @throws {@link RuneportError} `account.tradingWalletNotFound`; `client.answerMalformed` if the address
 *   belongs to other keys.
 *
 * @example
 * const tradingAddress = await ownTradingAddress(api, wallet);
 */
export async function ownTradingAddress(
  api: Api,
  { publicKey }: TradingKey,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<string> {
  const { data } = await call(api, 'get', '/api/account/trading-wallet', options);
  if (!isTradingAddress(data.address, publicKey, data.platformPublicKey, networkOf(data.address))) {
    throw clientError('client.answerMalformed', `${data.address} is not a trading address of the key ${publicKey}.`);
  }
  return data.address;
}
