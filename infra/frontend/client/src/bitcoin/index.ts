/**
 * Bitcoin transactions of the trading wallet: the service creates them, this package checks them, and the
 * wallet signs them.
 *
 * @packageDocumentation
 */

import { hex } from '@scure/base';
import { sha256 } from '@scure/btc-signer/utils.js';

import { type Api, call, type CallOptions, type Schemas } from '../api.js';
import { clientError, RuneportError } from '../error.js';
import { pages } from '../lists.js';
import { wholeUnits } from '../units.js';
import {
  BTC, canonicalAddress, type CheckOptions, checkOrRelease, confirmAndSign, describeAndCheck, type Notes, ownTradingAddress,
  paymentOf, type Preview, type PsbtSigner, signOrRelease, type TradingKey, type TransactionOptions, type TransactionStatus, type UnsignedTransaction,
} from './flow.js';
import type { PsbtDescription } from './psbt.js';

export {
  type CheckOptions, type Notes, ownTradingAddress, type Preview, type PsbtSigner, type SignedTransaction, type TradingKey, type TransactionOptions,
  type TransactionStatus, type UnsignedTransaction,
} from './flow.js';
export { type BitcoinNetwork, networkOf } from './network.js';
export {
  checkPsbt, checkSigned, describePsbt, type ExpectedPsbt, type Payment, type PsbtDescription, type PsbtInput, withPreviousTransactions,
} from './psbt.js';
export type { PsbtOutput } from './transaction.js';
export { tradingAddressOf } from './trading.js';
export { type Edict, isRunestone, readRunestone, type Runestone } from './runestone.js';

/** The state of a submitted batch of mint requests. */
export type VmTransactionStatus = Schemas['VmTransactionStatus'];

// Withdrawals.

/** Input of {@link withdrawThroughHub}. The check needs to know the recipient, so it is not left to the service. */
export type HubWithdrawal = Schemas['XchainWithdrawParams'] & { readonly withdrawTo: string };

/** A withdrawal to sign, with warnings that the user should see first. */
export interface CreatedHubWithdrawal {
  readonly transaction: UnsignedTransaction;
  readonly notes: Notes;
}

/**
 * Withdraws BTC or a rune from the trading address through the hub: creates the transaction, checks it, has the wallet
 * sign it, and submits it. If it is not signed, its coins are released. The `withdraw` of `@runeport/client/wallet` pays
 * a Bitcoin address without the hub.
 *
 * @param withdrawal `tokenId` is `0:0` for BTC or the id of the rune; `amount` is in the smallest unit.
 * @throws {@link RuneportError} `client.amountInvalid`, `bitcoin.insufficientBalance`, `bitcoin.reservationExpired`,
 *   `client.psbtRefused`, `client.walletRefused`, …
 *
 * @example
 * const { txId, state } = await withdrawThroughHub(api, wallet, { tokenId: '0:0', amount: '25000', withdrawTo, xchainData: '0x00' }, {
 *   onSigned: (signed) => keep(signed),
 * });
 */
export async function withdrawThroughHub(
  api: Api,
  signer: PsbtSigner,
  withdrawal: HubWithdrawal,
  options: TransactionOptions = {},
): Promise<TransactionStatus> {
  const { signal } = options;
  const { transaction } = await createHubWithdrawal(api, withdrawal, { signal });
  const description = await checkOrRelease(api, transaction, () => checkHubWithdrawal(transaction, withdrawal, signer, options));
  return submitHubWithdrawal(api, await signOrRelease(api, signer, transaction, description, options), { signal });
}

/**
 * Creates a withdrawal, which must be signed within ten minutes.
 *
 * @throws {@link RuneportError} `client.amountInvalid`, `bitcoin.insufficientBalance`, …
 *
 * @example
 * const { transaction, notes } = await createHubWithdrawal(api, withdrawal);
 */
export async function createHubWithdrawal(api: Api, params: HubWithdrawal, options: CallOptions = {}): Promise<CreatedHubWithdrawal> {
  wholeUnits(params.amount);
  const body = { type: 'xchain-withdraw', params } as const;
  const { data, metaData } = await call(api, 'post', '/api/xchain/transaction', { ...options, body });
  return { transaction: data, notes: metaData };
}

/**
 * Shows the withdrawal that {@link withdrawThroughHub} would create now: fee, coins, outputs, and what could still be spent.
 * Nothing is created, and no coin is reserved. The withdrawal itself is the same if nothing changes in the meantime.
 *
 * @throws {@link RuneportError} As {@link createHubWithdrawal}.
 *
 * @example
 * const { transaction, notes } = await previewHubWithdrawal(api, withdrawal);
 * const { fee, remaining } = transaction;
 */
export async function previewHubWithdrawal(api: Api, params: HubWithdrawal, options: CallOptions = {}): Promise<Preview> {
  wholeUnits(params.amount);
  const body = { type: 'xchain-withdraw', params } as const;
  const { data, metaData } = await call(api, 'post', '/api/xchain/transaction', { ...options, body, params: DRY_RUN });
  return { transaction: data, notes: metaData };
}

const DRY_RUN = { query: { dryRun: true } } as const;

/**
 * Checks that a transaction matches the withdrawal.
 *
 * @param key The key whose coins the transaction spends, for example the signing wallet.
 * @returns The description of the transaction.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const { transaction } = await createHubWithdrawal(api, withdrawal);
 * const { fee, outputs } = checkHubWithdrawal(transaction, withdrawal, wallet);
 */
export function checkHubWithdrawal(
  transaction: UnsignedTransaction,
  { amount, tokenId, withdrawTo, xchainData }: HubWithdrawal,
  key: TradingKey,
  options: CheckOptions = {},
): PsbtDescription {
  const token = tokenId ?? BTC;
  const expected = { payments: [paymentOf(amount, token, withdrawTo)], data: sha256(bytesOf(xchainData)), needsData: token === BTC };
  return describeAndCheck(transaction, expected, key, options);
}

function bytesOf(xchainData: string): Uint8Array {
  try {
    return hex.decode(xchainData.replace(/^0x/, ''));
  } catch (error) {
    throw clientError('client.psbtRefused', 'The swap data is not hex.', error);
  }
}

/**
 * Submits a signed withdrawal. If it was already submitted, returns its current state.
 *
 * @example
 * const { state } = await submitHubWithdrawal(api, signed.base64Psbt);
 */
export async function submitHubWithdrawal(api: Api, signedBase64Tx: string, options: CallOptions = {}): Promise<TransactionStatus> {
  const body = { type: 'xchain-withdraw', params: { signedBase64Tx } } as const;
  return (await call(api, 'post', '/api/xchain/transaction/sign', { ...options, body })).data;
}

// Virtual mints.

/** Input of {@link requestMint}: a batch of requests. */
export interface MintRequest {
  /** One of the account's own addresses. */
  readonly userAddress: string;
  /** The rune to mint. */
  readonly runeId: string;
  readonly requestCount: number;
  /** The total price of the requests, in sats; a multiple of `requestCount`. */
  readonly satsNewRequests: number;
}

/** The payment conditions of a batch of requests. */
export interface MintTerms {
  readonly treasuryAddress: string;
  /**
   * The price, in sats, of earlier batches that no block has confirmed. The new batch replaces them and
   * pays for them again.
   */
  readonly satsPreviousRequests: number;
}

/** Options of {@link checkMintRequest}. */
export interface MintCheckOptions extends CheckOptions {
  /**
   * The most sats that the batch may pay again for earlier batches that it replaces; default: 0. The service
   * reports their price, so limit it to the amount that the app requested.
   */
  readonly mostPreviousSats?: number | undefined;
}

/** Options of {@link requestMint}. */
export interface MintOptions extends TransactionOptions, MintCheckOptions {
  /** The treasury of the mint, if the app knows it; by default, the address that the service reports. */
  readonly treasuryAddress?: string | undefined;
}

/**
 * Requests tokens of a virtual mint: creates the transaction, checks it, has the wallet sign it, and
 * submits it. If it is not signed, its coins are released.
 *
 * @throws {@link RuneportError} `vm.noMint`, `vm.priceTooLow`, `vm.batchUnderWay`,
 *   `client.psbtRefused`, `client.walletRefused`, …
 *
 * @example
 * const { state } = await requestMint(api, wallet, { userAddress, runeId, requestCount: 3, satsNewRequests: 6_000 });
 */
export async function requestMint(
  api: Api,
  signer: PsbtSigner,
  request: MintRequest,
  { treasuryAddress, ...options }: MintOptions = {},
): Promise<VmTransactionStatus> {
  const { signal } = options;
  const said = await mintTerms(api, request, { signal });
  const terms = { ...said, treasuryAddress: treasuryAddress ?? said.treasuryAddress };
  checkPrevious(terms, options);
  const transaction = await createMintRequest(api, request, { signal });
  const description = await checkOrRelease(api, transaction, () => checkMintRequest(transaction, request, terms, signer, options));
  const signedPsbt = await signOrRelease(api, signer, transaction, description, options);
  return submitMintRequest(api, request.userAddress, signedPsbt, { signal });
}

function checkPrevious({ satsPreviousRequests }: MintTerms, { mostPreviousSats = 0 }: MintCheckOptions): void {
  const isRight = Number.isSafeInteger(satsPreviousRequests) && satsPreviousRequests >= 0 && satsPreviousRequests <= mostPreviousSats;
  if (!isRight) {
    const why = `The batch pays ${satsPreviousRequests} sats for replaced batches; the limit is ${mostPreviousSats}.`;
    throw clientError('client.psbtRefused', why);
  }
}

/**
 * Reads the open mint's treasury and the price of the account's own unconfirmed batches from the service.
 *
 * @throws {@link RuneportError} `vm.noMint`.
 *
 * @example
 * const { treasuryAddress, satsPreviousRequests } = await mintTerms(api, { runeId, userAddress });
 */
export async function mintTerms(
  api: Api,
  { runeId, userAddress }: Pick<MintRequest, 'runeId' | 'userAddress'>,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<MintTerms> {
  const open = { runeId_eq: runeId, state_eq: ['open' as const], pageSize: 1 };
  const [mint] = await firstRows(pages(api, '/api/vm-transactions/mints', open, options));
  if (mint?.id === undefined || mint.treasuryAddress === undefined) {
    throw new RuneportError({ code: '6001', key: 'vm.noMint', message: `No open mint of ${runeId} accepts requests.` });
  }
  // Batches of earlier mints of the rune do not count.
  const own = { userAddress_eq: userAddress, runeId_eq: runeId, mintId_eq: [mint.id], sort: '-timestamp', pageSize: 25 };
  let satsPreviousRequests = 0;
  for (const batch of await firstRows(pages(api, '/api/vm-transactions', own, options))) {
    const { state, replacedByTxId, satsNewRequests = 0, satsPreviousRequests: before = 0, paidSats = 0 } = batch;
    if (state === 'unsigned' || state === 'expired' || state === 'failed' || replacedByTxId) continue;
    // Once a block has it, it has paid and is not replaced.
    const isReplaced = (state === 'allInMempool' || state === 'broadcasting') && paidSats === 0;
    if (isReplaced) satsPreviousRequests = satsNewRequests + before;
    break;
  }
  return { treasuryAddress: mint.treasuryAddress, satsPreviousRequests };
}

async function firstRows<Row>(found: AsyncIterable<{ readonly data: readonly Row[] }>): Promise<readonly Row[]> {
  for await (const page of found) return page.data;
  return [];
}

/**
 * Creates a batch of requests, which must be signed within ten minutes.
 *
 * @example
 * const transaction = await createMintRequest(api, { userAddress, runeId, requestCount: 3, satsNewRequests: 6_000 });
 */
export async function createMintRequest(api: Api, body: MintRequest, options: CallOptions = {}): Promise<UnsignedTransaction> {
  return (await call(api, 'post', '/api/vm-transactions', { ...options, body })).data;
}

/**
 * Shows the batch that {@link requestMint} would create now, as {@link previewHubWithdrawal} does. `notes.amount` is what it pays
 * in all, also for a batch that it would replace. Nothing is created.
 *
 * @throws {@link RuneportError} `vm.noMint`, `vm.priceTooLow`, `vm.batchUnderWay`, …
 *
 * @example
 * const { transaction: { fee, remaining } } = await previewMintRequest(api, { userAddress, runeId, requestCount: 3, satsNewRequests: 6_000 });
 */
export async function previewMintRequest(api: Api, body: MintRequest, options: CallOptions = {}): Promise<Preview> {
  const { data, metaData } = await call(api, 'post', '/api/vm-transactions', { ...options, body, params: DRY_RUN });
  return { transaction: data, notes: metaData };
}

/**
 * Checks that a transaction matches the batch.
 *
 * @param key The key whose coins the transaction spends, for example the signing wallet.
 * @returns The description of the transaction.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const request = { userAddress, runeId, requestCount: 3, satsNewRequests: 6_000 };
 * const terms = await mintTerms(api, request);
 * const { fee } = checkMintRequest(await createMintRequest(api, request), request, terms, wallet);
 */
export function checkMintRequest(
  transaction: UnsignedTransaction,
  { satsNewRequests }: MintRequest,
  terms: MintTerms,
  key: TradingKey,
  options: MintCheckOptions = {},
): PsbtDescription {
  checkPrevious(terms, options);
  const payment = { address: canonicalAddress(terms.treasuryAddress), sats: satsNewRequests + terms.satsPreviousRequests };
  return describeAndCheck(transaction, { payments: [payment] }, key, options);
}

/**
 * Submits a signed batch. If it was already submitted, returns its current state.
 *
 * @example
 * const { state } = await submitMintRequest(api, userAddress, signed.base64Psbt);
 */
export async function submitMintRequest(
  api: Api,
  userAddress: string,
  signedBase64Tx: string,
  options: CallOptions = {},
): Promise<VmTransactionStatus> {
  return (await call(api, 'post', '/api/vm-transactions/sign', { ...options, body: { userAddress, signedBase64Tx } })).data;
}

// Refunds.

/** The amounts of a possible refund. */
export type RefundCalculation = Schemas['Calculation'];

/** Input of {@link refund}. */
export interface RefundRequest {
  /** One of the account's own addresses. */
  readonly userAddress: string;
  /** The runes whose mints should pay back requests that they did not accept. */
  readonly runeIds: readonly string[];
  /** The amount of the calculation. If it has changed since, the service rejects the refund. */
  readonly refundableSats: number;
}

/**
 * Calculates the refund that is currently possible.
 *
 * @example
 * const { refundableSats } = await calculateRefund(api, { userAddress, runeIds: [runeId] });
 */
export async function calculateRefund(
  api: Api,
  { userAddress, runeIds }: Pick<RefundRequest, 'userAddress' | 'runeIds'>,
  options: CallOptions = {},
): Promise<RefundCalculation> {
  const query = { type: 'virtual_mint', runeIds: runeIds.join(','), userAddress } as const;
  return (await call(api, 'get', '/api/refund/calculate', { ...options, params: { query } })).data;
}

/**
 * Refunds unaccepted mint requests: creates the transaction, checks it, has the wallet sign it if there is
 * anything to sign, and submits it.
 *
 * The money goes to `options.tradingAddress`. By default, this function requests the address from the
 * service and accepts it only if it belongs to a trading wallet with the signer's key.
 *
 * @throws {@link RuneportError} `refund.nothing`, `refund.belowFee`, `refund.changed`,
 *   `client.psbtRefused`, `client.walletRefused`, …
 *
 * @example
 * const { refundableSats } = await calculateRefund(api, { userAddress, runeIds: [runeId] });
 * const { txId } = await refund(api, wallet, { userAddress, runeIds: [runeId], refundableSats });
 */
export async function refund(
  api: Api,
  signer: PsbtSigner,
  request: RefundRequest,
  options: TransactionOptions = {},
): Promise<TransactionStatus> {
  const { signal } = options;
  const tradingAddress = options.tradingAddress ?? (await ownTradingAddress(api, signer, { signal }));
  const transaction = await createRefund(api, request, { signal });
  const description = checkRefund(transaction, request, tradingAddress, signer, options);
  return submitRefund(api, request.userAddress, await confirmAndSign(signer, transaction, description, options), { signal });
}

/**
 * Creates a refund, which must be signed within ten minutes.
 *
 * @example
 * const transaction = await createRefund(api, { userAddress, runeIds: [runeId], refundableSats });
 */
export async function createRefund(api: Api, request: RefundRequest, options: CallOptions = {}): Promise<UnsignedTransaction> {
  const body = { ...request, type: 'virtual_mint' as const, runeIds: [...request.runeIds] };
  return (await call(api, 'post', '/api/refund', { ...options, body })).data;
}

/**
 * Checks that a transaction matches the refund.
 *
 * @param tradingAddress The account's own address that receives the refund; see {@link ownTradingAddress}.
 * @param key The key whose coins the transaction may also spend, for example the signing wallet.
 * @returns The description of the transaction.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const request = { userAddress, runeIds: [runeId], refundableSats };
 * const { fee } = checkRefund(await createRefund(api, request), request, await ownTradingAddress(api, wallet), wallet);
 */
export function checkRefund(
  transaction: UnsignedTransaction,
  { refundableSats }: RefundRequest,
  tradingAddress: string,
  key: TradingKey,
  options: Omit<CheckOptions, 'tradingAddress'> = {},
): PsbtDescription {
  return describeAndCheck(transaction, { payments: [], gain: refundableSats }, key, { ...options, tradingAddress });
}

/**
 * Submits a refund, signed if necessary. If it was already submitted, returns its current state.
 *
 * @example
 * const { state } = await submitRefund(api, userAddress, signed.base64Psbt);
 */
export async function submitRefund(
  api: Api,
  userAddress: string,
  base64Psbt: string,
  options: CallOptions = {},
): Promise<TransactionStatus> {
  return (await call(api, 'post', '/api/refund/sign', { ...options, body: { userAddress, base64Psbt } })).data;
}
