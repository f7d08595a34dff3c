/**
 * Bitcoin transactions of the trading wallet: the service makes them, this package checks them, the
 * wallet signs them.
 *
 * @packageDocumentation
 */

import { hex } from '@scure/base';
import { sha256 } from '@scure/btc-signer/utils.js';

import { type Api, call, type CallOptions, type Schemas } from '../api.js';
import { clientError, RuneportError } from '../error.js';
import { rows } from '../lists.js';
import { type BitcoinNetwork, networkOf } from './network.js';
import { checkPsbt, checkSigned, describePsbt, type ExpectedPsbt, type Payment, type PsbtDescription } from './psbt.js';

export { type BitcoinNetwork, networkOf } from './network.js';
export {
  checkPsbt, checkSigned, describePsbt, type ExpectedPsbt, type Payment, type PsbtDescription, type PsbtInput, type PsbtOutput,
} from './psbt.js';
export { type Edict, isRunestone, readRunestone, type Runestone } from './runestone.js';

/** Signs transactions. */
export interface PsbtSigner {
  /**
   * Signs the inputs with these indexes with SIGHASH_ALL, and does not finalise them.
   *
   * @param base64Psbt The PSBT, base64.
   * @returns The PSBT with the signatures, base64.
   */
  signPsbt(base64Psbt: string, inputIndexes: readonly number[]): Promise<string>;
}

/** A transaction to be signed: `{base64Psbt, txId, fee, userInputIndexes, expiresAt}`. */
export type UnsignedTransaction = Schemas['UnsignedTransaction'];

/** How far a transaction is. */
export type TransactionStatus = Schemas['TransactionStatus'];

/** How far a batch of requests is. */
export type VmTransactionStatus = Schemas['VmTransactionStatus'];

/** What every flow takes. */
export interface TransactionOptions extends Pick<CallOptions, 'signal'> {
  /** Is asked, once the PSBT is checked, whether the wallet shall sign; `false` ends the flow. */
  readonly confirm?: (psbt: PsbtDescription, transaction: UnsignedTransaction) => boolean | Promise<boolean>;
  /** The most that the fee may be, in sats; 100,000 unless given. */
  readonly mostFee?: number;
  /** Whose addresses `confirm` is shown; that of the address that is paid unless given. */
  readonly network?: BitcoinNetwork;
}

const MOST_FEE = 100_000;

/** Checks, asks, signs, and makes sure of what was signed. */
async function signed(
  signer: PsbtSigner,
  transaction: UnsignedTransaction,
  description: PsbtDescription,
  { confirm, signal }: TransactionOptions,
): Promise<string> {
  const { base64Psbt, txId, userInputIndexes } = transaction;
  if (confirm && !(await confirm(description, transaction))) {
    throw clientError('client.walletRefused', 'the transaction was not confirmed');
  }
  signal?.throwIfAborted();
  // What nobody has to sign goes back as it came.
  if (userInputIndexes.length === 0) return base64Psbt;
  let signedPsbt: string;
  try {
    signedPsbt = await signer.signPsbt(base64Psbt, userInputIndexes);
  } catch (error) {
    if (error instanceof RuneportError) throw error;
    throw clientError('client.walletRefused', 'the wallet did not sign the transaction', error);
  }
  checkSigned(signedPsbt, txId, userInputIndexes);
  return signedPsbt;
}

function expectedOf(
  { fee, txId, userInputIndexes }: UnsignedTransaction,
  payments: readonly Payment[],
  { mostFee = MOST_FEE }: TransactionOptions,
): ExpectedPsbt {
  return { payments, userInputIndexes, txId, fee: fee.totalFee, mostFee };
}

// Withdrawals.

/** What {@link withdraw} takes. */
export type Withdrawal = Schemas['WithdrawParams'];

/** A withdrawal to be signed, and what is worth a second look before. */
export interface CreatedWithdrawal {
  readonly transaction: UnsignedTransaction;
  readonly notes: Schemas['Notes'];
}

/**
 * Withdraws BTC or a rune from the trading address: creates the transaction, checks it, has it
 * signed, submits it.
 *
 * @param withdrawal `tokenId` is `0:0` for BTC, else the rune's; `amount` in the smallest unit.
 * @throws {@link RuneportError} `bitcoin.insufficientBalance`, `bitcoin.reservationExpired`,
 *   `client.psbtRefused`, `client.walletRefused`, …
 */
export async function withdraw(
  api: Api,
  signer: PsbtSigner,
  withdrawal: Withdrawal,
  options: TransactionOptions = {},
): Promise<TransactionStatus> {
  const { signal } = options;
  const { transaction } = await createWithdrawal(api, withdrawal, { signal });
  const description = checkWithdrawal(transaction, withdrawal, options);
  return submitWithdrawal(api, await signed(signer, transaction, description, options), { signal });
}

/** Creates a withdrawal, to be signed within ten minutes. */
export async function createWithdrawal(api: Api, params: Withdrawal, options: CallOptions = {}): Promise<CreatedWithdrawal> {
  const body = { type: 'xchain-withdraw', params } as const;
  const { data, metaData } = await call(api, 'post', '/api/xchain/transaction', { ...options, body });
  return { transaction: data, notes: metaData };
}

/**
 * Makes sure that a transaction is the withdrawal.
 *
 * @returns What it does.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkWithdrawal(
  transaction: UnsignedTransaction,
  { amount, tokenId, withdrawTo, xchainData }: Withdrawal,
  options: TransactionOptions = {},
): PsbtDescription {
  const isBtc = tokenId === '0:0';
  const address = /^(bc|tb|bcrt)1/i.test(withdrawTo) ? withdrawTo.toLowerCase() : withdrawTo;
  const payment: Payment = isBtc
    ? { address, sats: Number(amount) }
    : { address, runeId: tokenId, amount: BigInt(amount) };
  const bytes = hex.decode(xchainData.replace(/^0x/, ''));
  const description = describePsbt(transaction.base64Psbt, options.network ?? networkOf(withdrawTo));
  checkPsbt(description, { ...expectedOf(transaction, [payment], options), data: sha256(bytes), needsData: isBtc });
  return description;
}

/** Submits a signed withdrawal. The same again is answered as it stands. */
export async function submitWithdrawal(api: Api, signedBase64Tx: string, options: CallOptions = {}): Promise<TransactionStatus> {
  const body = { type: 'xchain-withdraw', params: { signedBase64Tx } } as const;
  return (await call(api, 'post', '/api/xchain/transaction/sign', { ...options, body })).data;
}

// Virtual mints.

/** What {@link requestMint} takes: a batch of requests. */
export interface MintRequest {
  /** One of the account's own addresses. */
  readonly userAddress: string;
  /** The rune that is minted. */
  readonly runeId: string;
  readonly requestCount: number;
  /** What they cost together, sats: a multiple of `requestCount`. */
  readonly satsNewRequests: number;
}

/** What a batch of requests pays, and to whom. */
export interface MintTerms {
  /** Of the mint. */
  readonly treasuryAddress: string;
  /**
   * What batches cost that the new one replaces, since no block has them: it pays for them again, in
   * their place. Sats.
   */
  readonly satsPreviousRequests: number;
}

/**
 * Asks for requests of a virtual mint: creates the transaction, checks it, has it signed, submits it.
 *
 * @param terms Asked of the service unless given.
 * @throws {@link RuneportError} `vm.noMint`, `vm.priceTooLow`, `vm.batchUnderWay`,
 *   `client.psbtRefused`, `client.walletRefused`, …
 */
export async function requestMint(
  api: Api,
  signer: PsbtSigner,
  request: MintRequest,
  { terms, ...options }: TransactionOptions & { readonly terms?: MintTerms } = {},
): Promise<VmTransactionStatus> {
  const { signal } = options;
  const known = terms ?? (await mintTerms(api, request, { signal }));
  const transaction = await createMintRequest(api, request, { signal });
  const description = checkMintRequest(transaction, request, known, options);
  const signedPsbt = await signed(signer, transaction, description, options);
  return submitMintRequest(api, request.userAddress, signedPsbt, { signal });
}

/**
 * What the service says of the mint, and of one's own batch that waits for a block.
 *
 * @throws {@link RuneportError} `vm.noMint`.
 */
export async function mintTerms(
  api: Api,
  { runeId, userAddress }: Pick<MintRequest, 'runeId' | 'userAddress'>,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<MintTerms> {
  let treasuryAddress: string | undefined;
  for await (const mint of rows(api, '/api/vm-transactions/mints', { sort: '-createdAt', pageSize: 100 }, options)) {
    if (mint.runeId === runeId && mint.state === 'open') {
      treasuryAddress = mint.treasuryAddress;
      break;
    }
  }
  if (treasuryAddress === undefined) {
    throw new RuneportError({ code: '6001', message: 'vm.noMint', details: `no mint of ${runeId} takes requests` });
  }
  let satsPreviousRequests = 0;
  const query = { userAddress_eq: userAddress, runeId_eq: runeId, sort: '-timestamp', pageSize: 10 };
  for await (const batch of rows(api, '/api/vm-transactions', query, options)) {
    const { state, replacedByTxId, satsNewRequests = 0, satsPreviousRequests: before = 0 } = batch;
    if (state === 'unsigned' || state === 'expired' || replacedByTxId) continue;
    if (state === 'allInMempool' || state === 'broadcasting') satsPreviousRequests = satsNewRequests + before;
    break;
  }
  return { treasuryAddress, satsPreviousRequests };
}

/** Creates a batch of requests, to be signed within ten minutes. */
export async function createMintRequest(api: Api, body: MintRequest, options: CallOptions = {}): Promise<UnsignedTransaction> {
  return (await call(api, 'post', '/api/vm-transactions', { ...options, body })).data;
}

/**
 * Makes sure that a transaction is the batch.
 *
 * @returns What it does.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkMintRequest(
  transaction: UnsignedTransaction,
  { satsNewRequests }: MintRequest,
  { treasuryAddress, satsPreviousRequests }: MintTerms,
  options: TransactionOptions = {},
): PsbtDescription {
  const payment = { address: treasuryAddress, sats: satsNewRequests + satsPreviousRequests };
  const description = describePsbt(transaction.base64Psbt, options.network ?? networkOf(treasuryAddress));
  checkPsbt(description, expectedOf(transaction, [payment], options));
  return description;
}

/** Submits a signed batch. The same again is answered as it stands. */
export async function submitMintRequest(
  api: Api,
  userAddress: string,
  signedBase64Tx: string,
  options: CallOptions = {},
): Promise<VmTransactionStatus> {
  return (await call(api, 'post', '/api/vm-transactions/sign', { ...options, body: { userAddress, signedBase64Tx } })).data;
}

// Refunds.

/** What there is to refund. */
export type RefundCalculation = Schemas['Calculation'];

/** What {@link refund} takes. */
export interface RefundRequest {
  /** One of the account's own addresses. */
  readonly userAddress: string;
  /** The runes whose mints are to give back what they did not take. */
  readonly runeIds: readonly string[];
  /** What the calculation said: by another amount meanwhile, the service refuses. */
  readonly refundableSats: number;
}

/** What a refund would be now. */
export async function calculateRefund(
  api: Api,
  { userAddress, runeIds }: Pick<RefundRequest, 'userAddress' | 'runeIds'>,
  options: CallOptions = {},
): Promise<RefundCalculation> {
  const query = { type: 'virtual_mint', runeIds: runeIds.join(','), userAddress } as const;
  return (await call(api, 'get', '/api/refund/calculate', { ...options, params: { query } })).data;
}

/**
 * Gets money back: creates the transaction, checks it, has it signed where there is anything to sign,
 * submits it.
 *
 * @param tradingAddress The account's own, where the money goes; asked of the service unless given.
 * @throws {@link RuneportError} `refund.nothing`, `refund.belowFee`, `refund.changed`,
 *   `client.psbtRefused`, `client.walletRefused`, …
 */
export async function refund(
  api: Api,
  signer: PsbtSigner,
  request: RefundRequest,
  { tradingAddress, ...options }: TransactionOptions & { readonly tradingAddress?: string } = {},
): Promise<TransactionStatus> {
  const { signal } = options;
  const address = tradingAddress ?? (await call(api, 'get', '/api/account/me', { signal })).data.tradingAddress;
  if (address === null) {
    throw new RuneportError({ code: '2009', message: 'bitcoin.noTradingWallet', details: 'the account has no trading wallet' });
  }
  const transaction = await createRefund(api, request, { signal });
  const description = checkRefund(transaction, request, address, options);
  return submitRefund(api, request.userAddress, await signed(signer, transaction, description, options), { signal });
}

/** Creates a refund, to be signed within ten minutes. */
export async function createRefund(api: Api, request: RefundRequest, options: CallOptions = {}): Promise<UnsignedTransaction> {
  const body = { ...request, type: 'virtual_mint' as const, runeIds: [...request.runeIds] };
  return (await call(api, 'post', '/api/refund', { ...options, body })).data;
}

/**
 * Makes sure that a transaction is the refund.
 *
 * @param tradingAddress The account's own.
 * @returns What it does.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkRefund(
  transaction: UnsignedTransaction,
  { refundableSats }: RefundRequest,
  tradingAddress: string,
  options: TransactionOptions = {},
): PsbtDescription {
  const description = describePsbt(transaction.base64Psbt, options.network ?? networkOf(tradingAddress));
  const gain = { address: tradingAddress, sats: refundableSats };
  checkPsbt(description, { ...expectedOf(transaction, [], options), gain });
  return description;
}

/** Submits a refund, signed where there was anything to sign. The same again is answered as it stands. */
export async function submitRefund(
  api: Api,
  userAddress: string,
  base64Psbt: string,
  options: CallOptions = {},
): Promise<TransactionStatus> {
  return (await call(api, 'post', '/api/refund/sign', { ...options, body: { userAddress, base64Psbt } })).data;
}
