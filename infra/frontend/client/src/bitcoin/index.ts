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
import { isTradingAddress } from './trading.js';

export { type BitcoinNetwork, networkOf } from './network.js';
export {
  checkPsbt, checkSigned, describePsbt, type ExpectedPsbt, type Payment, type PsbtDescription, type PsbtInput, type PsbtOutput,
} from './psbt.js';
export { tradingAddressOf } from './trading.js';
export { type Edict, isRunestone, readRunestone, type Runestone } from './runestone.js';

/** Whose signature the coins of a trading wallet need. */
export interface TradingKey {
  /** The user's key of the trading wallet: hex, 33 bytes, or 32 where a Taproot wallet tells it x-only. */
  readonly publicKey: string;
}

/** Signs transactions. */
export interface PsbtSigner extends TradingKey {
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

/** What checks take. */
export interface CheckOptions {
  /** The most that the fee may be, in sats; 100,000 unless given. */
  readonly mostFee?: number | undefined;
  /** Whose addresses are shown; that of the addresses that are given unless given. */
  readonly network?: BitcoinNetwork | undefined;
  /**
   * Of the trading wallet, as the app knows it. Unless given, coins at any one address will do whose
   * script is that of a trading wallet of the signer's key.
   */
  readonly tradingAddress?: string | undefined;
}

/** A transaction that the wallet has signed. */
export interface SignedTransaction {
  /** What `submit…` takes. */
  readonly base64Psbt: string;
  readonly txId: string;
}

/** What every flow takes. */
export interface TransactionOptions extends CheckOptions, Pick<CallOptions, 'signal'> {
  /** Is asked, once the PSBT is checked, whether the wallet shall sign; `false` ends the flow. */
  readonly confirm?: (psbt: PsbtDescription, transaction: UnsignedTransaction) => boolean | Promise<boolean>;
  /**
   * Is given the signed transaction, and waited for, before it is submitted: whoever keeps it submits
   * the very same again where the outcome stays unknown (`client.network`, `client.unavailable`,
   * `common.inProgress`, HTTP 502 or 504). Another flow instead would be another payment.
   */
  readonly onSigned?: (signed: SignedTransaction) => void | Promise<void>;
}

const MOST_FEE = 100_000;

/** Asks, signs, makes sure of what was signed, and hands it over before it is submitted. */
async function signed(
  signer: PsbtSigner,
  transaction: UnsignedTransaction,
  description: PsbtDescription,
  { confirm, onSigned, signal }: TransactionOptions,
): Promise<string> {
  if (confirm && !(await confirm(description, transaction))) {
    throw clientError('client.walletRefused', 'the transaction was not confirmed');
  }
  signal?.throwIfAborted();
  const base64Psbt = await signedBy(signer, transaction);
  await onSigned?.({ base64Psbt, txId: transaction.txId });
  return base64Psbt;
}

async function signedBy(signer: PsbtSigner, { base64Psbt, txId, userInputIndexes }: UnsignedTransaction): Promise<string> {
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

/** Describes it, with the addresses of the network that this one is of, and makes sure of it. */
function checked(
  { base64Psbt, fee, txId, userInputIndexes }: UnsignedTransaction,
  expected: Pick<ExpectedPsbt, 'payments' | 'data' | 'needsData' | 'gain'>,
  { publicKey }: TradingKey,
  { mostFee = MOST_FEE, tradingAddress, network }: CheckOptions,
): PsbtDescription {
  const [paid] = expected.payments;
  const own = tradingAddress && canonical(tradingAddress);
  const description = describePsbt(base64Psbt, network ?? networkOf(own ?? paid?.address ?? ''));
  checkPsbt(description, { ...expected, userInputIndexes, txId, fee: fee.totalFee, mostFee, publicKey, tradingAddress: own });
  return description;
}

/** As descriptions have it. */
function canonical(address: string): string {
  return /^(bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address;
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
  const description = checkWithdrawal(transaction, withdrawal, signer, options);
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
 * @param key Whose coins it is to spend: the wallet that is to sign will do.
 * @returns What it does.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkWithdrawal(
  transaction: UnsignedTransaction,
  { amount, tokenId, withdrawTo, xchainData }: Withdrawal,
  key: TradingKey,
  options: CheckOptions = {},
): PsbtDescription {
  if (!/^\d+$/.test(amount)) throw clientError('client.psbtRefused', `${amount} is no amount in the smallest unit`);
  const isBtc = tokenId === '0:0';
  const address = canonical(withdrawTo);
  const payment: Payment = isBtc
    ? { address, sats: Number(amount) }
    : { address, runeId: tokenId, amount: BigInt(amount) };
  return checked(transaction, { payments: [payment], data: sha256(bytesOf(xchainData)), needsData: isBtc }, key, options);
}

function bytesOf(xchainData: string): Uint8Array {
  try {
    return hex.decode(xchainData.replace(/^0x/, ''));
  } catch (error) {
    throw clientError('client.psbtRefused', 'the data of the swap is not hex', error);
  }
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

/** What checks of a batch take. */
export interface MintCheckOptions extends CheckOptions {
  /**
   * The most sats to be paid again for batches that the new one replaces; 0 unless given. The service
   * says what they cost, the app knows what it asked for.
   */
  readonly mostPreviousSats?: number | undefined;
}

/** What {@link requestMint} takes beside the request. */
export interface MintOptions extends TransactionOptions, MintCheckOptions {
  /** The mint's, where the app knows it; the service's word unless given. */
  readonly treasuryAddress?: string | undefined;
}

/**
 * Asks for requests of a virtual mint: creates the transaction, checks it, has it signed, submits it.
 *
 * @throws {@link RuneportError} `vm.noMint`, `vm.priceTooLow`, `vm.batchUnderWay`,
 *   `client.psbtRefused`, `client.walletRefused`, …
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
  const description = checkMintRequest(transaction, request, terms, signer, options);
  const signedPsbt = await signed(signer, transaction, description, options);
  return submitMintRequest(api, request.userAddress, signedPsbt, { signal });
}

function checkPrevious({ satsPreviousRequests }: MintTerms, { mostPreviousSats = 0 }: MintCheckOptions): void {
  const isRight = Number.isSafeInteger(satsPreviousRequests) && satsPreviousRequests >= 0 && satsPreviousRequests <= mostPreviousSats;
  if (!isRight) {
    const why = `${satsPreviousRequests} sats for batches of before, where ${mostPreviousSats} are the most`;
    throw clientError('client.psbtRefused', why);
  }
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
 * @param key Whose coins it is to spend: the wallet that is to sign will do.
 * @returns What it does.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkMintRequest(
  transaction: UnsignedTransaction,
  { satsNewRequests }: MintRequest,
  terms: MintTerms,
  key: TradingKey,
  options: MintCheckOptions = {},
): PsbtDescription {
  checkPrevious(terms, options);
  const payment = { address: canonical(terms.treasuryAddress), sats: satsNewRequests + terms.satsPreviousRequests };
  return checked(transaction, { payments: [payment] }, key, options);
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
 * The money goes to `options.tradingAddress`. Unless given, the service is asked for it, and the answer
 * is taken where it is the address of a trading wallet of the signer's key.
 *
 * @throws {@link RuneportError} `refund.nothing`, `refund.belowFee`, `refund.changed`,
 *   `client.psbtRefused`, `client.walletRefused`, …
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
  return submitRefund(api, request.userAddress, await signed(signer, transaction, description, options), { signal });
}

/**
 * The address of the account's trading wallet, made sure to be one of this key.
 *
 * @param key The user's; the wallet that signs will do.
 * @throws {@link RuneportError} `account.tradingWalletNotFound`, `client.answerMalformed`: the address
 *   is that of other keys.
 */
export async function ownTradingAddress(
  api: Api,
  { publicKey }: TradingKey,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<string> {
  const { data } = await call(api, 'get', '/api/account/trading-wallet', options);
  if (!isTradingAddress(data.address, publicKey, data.platformPublicKey, networkOf(data.address))) {
    throw clientError('client.answerMalformed', `${data.address} is no trading wallet of the key ${publicKey}`);
  }
  return data.address;
}

/** Creates a refund, to be signed within ten minutes. */
export async function createRefund(api: Api, request: RefundRequest, options: CallOptions = {}): Promise<UnsignedTransaction> {
  const body = { ...request, type: 'virtual_mint' as const, runeIds: [...request.runeIds] };
  return (await call(api, 'post', '/api/refund', { ...options, body })).data;
}

/**
 * Makes sure that a transaction is the refund.
 *
 * @param tradingAddress The account's own, where the money goes: see {@link ownTradingAddress}.
 * @param key Whose coins it may spend too: the wallet that is to sign will do.
 * @returns What it does.
 * @throws {@link RuneportError} `client.psbtRefused`.
 */
export function checkRefund(
  transaction: UnsignedTransaction,
  { refundableSats }: RefundRequest,
  tradingAddress: string,
  key: TradingKey,
  options: Omit<CheckOptions, 'tradingAddress'> = {},
): PsbtDescription {
  return checked(transaction, { payments: [], gain: refundableSats }, key, { ...options, tradingAddress });
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
