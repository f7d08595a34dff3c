/**
 * The trading wallet: what it holds, withdrawals to Bitcoin addresses, renewals, and replacements of both. The
 * service creates the transactions, this package checks them, and the wallet signs them.
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, type Schemas } from './api.js';
import {
  BTC, canonicalAddress, type CheckOptions, checkOrRelease, describeAndCheck, type Notes, ownTradingAddress,
  paymentOf, type Preview, type PsbtSigner, type SignedTransaction, signOrRelease, type TradingKey, type TransactionOptions,
  type TransactionStatus, type UnsignedTransaction,
} from './bitcoin/flow.js';
import { networkOf } from './bitcoin/network.js';
import type { Payment, PsbtDescription } from './bitcoin/psbt.js';
import { describeTransaction, type TransactionDescription } from './bitcoin/transaction.js';
import { clientError } from './error.js';
import { pages } from './lists.js';
import type { ListQuery, Row } from './rows.js';
import { wholeUnits } from './units.js';

export {
  type CheckOptions, type Notes, ownTradingAddress, type Preview, type PsbtSigner, type SignedTransaction, type TradingKey, type TransactionOptions,
  type TransactionStatus, type UnsignedTransaction,
} from './bitcoin/flow.js';
export type { PsbtDescription } from './bitcoin/psbt.js';
export { describeTransaction, type TransactionDescription } from './bitcoin/transaction.js';

const COINS = '/api/account/trading-wallet/coins';
const DEPOSITS = '/api/account/trading-wallet/deposits';

// What the wallet holds.

/** The balance; `checks` says whether the service could read the contents of the coins. */
export type Balance = Schemas['Balance'] & Pick<Schemas['MetaDataWith_BalanceMeta'], 'checks'>;

/** A coin, with what it holds, its state, and what it can be used for. */
export type Coin = Row<typeof COINS>;

/** The coins of the wallet. */
export interface Coins extends Pick<Schemas['MetaDataWith_CoinsMeta'], 'height' | 'checks' | 'notRead'> {
  /** The most valuable first, unless the query sorts them. */
  readonly coins: readonly Coin[];
}

/**
 * Reads the balance: confirmed, available now, incoming, and held back.
 *
 * @example
 * const { btc, runes } = await balance(api);
 */
export async function balance(api: Api, options: CallOptions = {}): Promise<Balance> {
  const { data, metaData } = await call(api, 'get', '/api/account/trading-wallet/balance', options);
  return { ...data, checks: metaData.checks };
}

/**
 * Reads all coins.
 *
 * @param query Filters and `sort`.
 *
 * @example
 * const { coins: due } = await coins(api, { renewal_eq: ['needed'], sort: 'expiresInBlocks' })
 */
export async function coins(
  api: Api,
  query: Pick<ListQuery<typeof COINS>, 'sort' | 'state_eq' | 'renewal_eq' | 'runeId_eq'> = {},
  options: CallOptions = {},
): Promise<Coins> {
  const found: Coin[] = [];
  let meta: Schemas['MetaDataWith_CoinsMeta'] | undefined;
  for await (const { data, metaData } of pages(api, COINS, { ...query, pageSize: 100 }, options)) {
    found.push(...data);
    meta = metaData;
  }
  if (!meta) throw clientError('client.answerMalformed', 'The list of coins has no page.');
  const { height, checks, notRead } = meta;
  return { coins: found, height, checks, notRead };
}

/** A deposit, with its state and how deep its block is. */
export type Deposit = Row<typeof DEPOSITS>;

/**
 * Announces a transaction that pays the trading address, so that its deposits are listed before a block has them.
 *
 * @returns Its deposits: `seen` or `confirmed`, or `awaited` while the network does not know the transaction.
 *
 * @example
 * const [deposit] = await announceDeposit(api, txId)
 */
export async function announceDeposit(
  api: Api,
  txId: string,
  options: CallOptions = {},
): Promise<readonly Schemas['DepositRow'][]> {
  return (await call(api, 'post', DEPOSITS, { ...options, body: { txId } })).data.deposits;
}

/**
 * Calculates the largest amount that one transaction can pay now, and counts the coins that it leaves, by reason.
 *
 * @example
 * const { maxAmount, leftOut } = await largestAmount(api, { type: 'withdraw', params: { tokenId: '0:0' } });
 */
export async function largestAmount(
  api: Api,
  body: Schemas['MaxSpent'],
  options: CallOptions = {},
): Promise<Schemas['LargestAmount']> {
  return (await call(api, 'post', '/api/transactions/max-spent', { ...options, body })).data;
}

// What a transaction would be.

/**
 * Shows the withdrawal that {@link withdraw} would create now: fee, coins, outputs, and what could still be spent. Nothing is
 * created, and no coin is reserved. The withdrawal itself is the same if nothing changes in the meantime.
 *
 * @throws {@link RuneportError} As {@link prepareWithdrawal}, without the check.
 *
 * @example
 * const { transaction, notes } = await previewWithdrawal(api, { tokenId: '0:0', amount: '25000', withdrawTo });
 * const { fee, remaining } = transaction;
 */
export async function previewWithdrawal(api: Api, request: WithdrawalRequest, options: CallOptions = {}): Promise<Preview> {
  return tried(api, withdrawalBody(request), options);
}

/**
 * Shows the renewal that {@link renew} would create now, as {@link previewWithdrawal} does. Nothing is created.
 *
 * @throws {@link RuneportError} `bitcoin.nothingToRenew`, `bitcoin.coinUnknown`, …
 *
 * @example
 * const { transaction: { fee, inputs } } = await previewRenewal(api);
 */
export async function previewRenewal(api: Api, request: RenewalRequest = {}, options: CallOptions = {}): Promise<Preview> {
  return tried(api, renewalBody(request), options);
}

async function tried(api: Api, body: Schemas['CreateTransaction'], options: CallOptions): Promise<Preview> {
  const params = { query: { dryRun: true } } as const;
  const { data, metaData } = await call(api, 'post', '/api/transactions', { ...options, body, params });
  return { transaction: data, notes: metaData };
}

function withdrawalBody(request: WithdrawalRequest) {
  if (request.amount !== 'max') wholeUnits(request.amount);
  return { type: 'withdraw', params: request } as const;
}

function renewalBody({ txIdVouts, feeTarget }: RenewalRequest) {
  return { type: 'renew-utxo', params: { ...(txIdVouts && { txIdVouts: [...txIdVouts] }), ...(feeTarget && { feeTarget }) } } as const;
}

// Transactions.

/** A transaction to sign, which passed the check. */
export interface Prepared {
  readonly transaction: UnsignedTransaction;
  readonly notes: Notes;
  readonly psbt: PsbtDescription;
}

/** Input of {@link withdraw}. */
export type WithdrawalRequest = Schemas['WithdrawParams'];

/** Input of {@link renew}. Without `txIdVouts`, the coins whose delay ends within four weeks. */
export interface RenewalRequest {
  /** The coins, `<txid>:<vout>`. */
  readonly txIdVouts?: readonly string[] | undefined;
  readonly feeTarget?: Schemas['FeeTarget'] | undefined;
}

/**
 * A transaction that was signed before: as `onSigned` received it, or in hex from any source, since its hash
 * must be `txId`.
 */
export type SignedVersion = SignedTransaction | { readonly txId: string; readonly hex: string };

/**
 * All versions of one transaction, the newest last: the first one, and each replacement that was signed since. A
 * replacement must spend a coin of every version that could still confirm.
 */
export type SignedVersions = readonly [...SignedVersion[], SignedVersion];

/** Options of {@link bump} and {@link cancel}. */
export interface ReplaceOptions extends TransactionOptions {
  /** How fast the replacement should confirm. */
  readonly feeTarget?: Schemas['FeeTarget'] | undefined;
  /** Its fee rate in sat/vB, in the place of `feeTarget`. */
  readonly feeRate?: number | undefined;
  /**
   * For a bump of a BTC withdrawal without change, such as one of `max`: if no other coin can pay the higher fee, the recipient
   * may get less, but at least so many sats. Without it, such a bump is refused.
   */
  readonly leastSats?: number | undefined;
}

/**
 * Withdraws BTC or a rune to a Bitcoin address: creates the transaction, checks it, has the wallet sign it, and
 * submits it. If it is not signed, its coins are released.
 *
 * @param request `tokenId` is `0:0` for BTC or the id of the rune; `amount` is in the smallest unit, or `max`.
 * @throws {@link RuneportError} `client.amountInvalid`, `bitcoin.insufficientBalance`, `client.psbtRefused`,
 *   `client.walletRefused`, …
 *
 * @example
 * const { txId, state } = await withdraw(api, wallet, { tokenId: '0:0', amount: '25000', withdrawTo }, {
 *   confirm: ({ fee }) => askUser(`Pay ${fee} sats to the network?`),
 *   onSigned: (signed) => keep(signed),
 * });
 */
export async function withdraw(
  api: Api,
  signer: PsbtSigner,
  request: WithdrawalRequest,
  options: TransactionOptions = {},
): Promise<TransactionStatus> {
  return finish(api, signer, await prepareWithdrawal(api, signer, request, options), options);
}

/**
 * Renews coins: returns them to the trading address, so that their delay begins again. If the transaction is not
 * signed, its coins are released.
 *
 * @throws {@link RuneportError} `bitcoin.nothingToRenew`, `bitcoin.coinUnknown`, `client.psbtRefused`, …
 *
 * @example
 * const { txId } = await renew(api, wallet);
 */
export async function renew(
  api: Api,
  signer: PsbtSigner,
  request: RenewalRequest = {},
  options: TransactionOptions = {},
): Promise<TransactionStatus> {
  return finish(api, signer, await prepareRenewal(api, signer, request, options), options);
}

/**
 * Replaces an unconfirmed withdrawal or renewal by the same transaction at a higher fee.
 *
 * @param versions What was signed before, the newest last. The replacement pays what the newest one pays.
 * @throws {@link RuneportError} `bitcoin.notReplaceable`, `client.psbtRefused`, …
 *
 * @example
 * const { txId } = await bump(api, wallet, [signed], { feeTarget: 'fast', onSigned: (version) => keep(version) });
 */
export async function bump(
  api: Api,
  signer: PsbtSigner,
  versions: SignedVersions,
  options: ReplaceOptions = {},
): Promise<TransactionStatus> {
  return finish(api, signer, await prepareReplacement(api, signer, 'bump', versions, options), options);
}

/**
 * Replaces an unconfirmed withdrawal or renewal by a transaction that returns its coins to the trading address.
 * The network decides which of the two confirms.
 *
 * @param versions What was signed before, the newest last.
 * @throws {@link RuneportError} `bitcoin.notReplaceable`, `client.psbtRefused`, …
 *
 * @example
 * const { txId } = await cancel(api, wallet, [signed], { feeTarget: 'fast', onSigned: (version) => keep(version) });
 */
export async function cancel(
  api: Api,
  signer: PsbtSigner,
  versions: SignedVersions,
  options: ReplaceOptions = {},
): Promise<TransactionStatus> {
  return finish(api, signer, await prepareReplacement(api, signer, 'cancel', versions, options), options);
}

/**
 * Ends an unsigned transaction, so that its coins are free again.
 *
 * @throws {@link RuneportError} `bitcoin.alreadySigned`, `bitcoin.transactionNotFound`, …
 *
 * @example
 * await release(api, txId);
 */
export async function release(api: Api, txId: string, options: CallOptions = {}): Promise<TransactionStatus> {
  return (await call(api, 'delete', '/api/transactions/{txId}', { ...options, params: { path: { txId } } })).data;
}

/**
 * Submits a signed transaction. If it was already submitted, returns its current state.
 *
 * @example
 * const { state } = await submit(api, signed.base64Psbt);
 */
export async function submit(api: Api, signedBase64Tx: string, options: CallOptions = {}): Promise<TransactionStatus> {
  return (await call(api, 'post', '/api/transactions/sign', { ...options, body: { params: { signedBase64Tx } } })).data;
}

// The steps.

/**
 * Creates a withdrawal and checks it. Sign it within ten minutes, or {@link release} it.
 *
 * @throws {@link RuneportError} `client.amountInvalid`, `bitcoin.insufficientBalance`, `client.psbtRefused`, …
 *
 * @example
 * const { transaction, psbt } = await prepareWithdrawal(api, wallet, { tokenId: '0:0', amount: 'max', withdrawTo });
 * if (!(await askUser(`Pay ${psbt.fee} sats to the network?`))) await release(api, transaction.txId);
 */
export async function prepareWithdrawal(
  api: Api,
  key: TradingKey,
  request: WithdrawalRequest,
  options: CheckOptions & CallOptions = {},
): Promise<Prepared> {
  const body = withdrawalBody(request);
  const { data, metaData } = await call(api, 'post', '/api/transactions', { ...callOptions(options), body });
  return prepared(api, data, metaData, () => checkWithdrawal(data, metaData, request, key, options));
}

/**
 * Creates a renewal and checks it. Sign it within ten minutes, or {@link release} it.
 *
 * @example
 * const { transaction, psbt } = await prepareRenewal(api, wallet, { txIdVouts });
 */
export async function prepareRenewal(
  api: Api,
  key: TradingKey,
  request: RenewalRequest = {},
  options: CheckOptions & CallOptions = {},
): Promise<Prepared> {
  const tradingAddress = options.tradingAddress ?? (await ownTradingAddress(api, key, callOptions(options)));
  const body = renewalBody(request);
  const { data, metaData } = await call(api, 'post', '/api/transactions', { ...callOptions(options), body });
  return prepared(api, data, metaData, () => checkRenewal(data, request.txIdVouts, tradingAddress, key, options));
}

/**
 * Creates a replacement and checks it. Sign it within ten minutes, or {@link release} it.
 *
 * @example
 * const { transaction, psbt } = await prepareReplacement(api, wallet, 'bump', [signed], { feeRate: 12 });
 */
export async function prepareReplacement(
  api: Api,
  key: TradingKey,
  action: Schemas['Replacement'],
  versions: SignedVersions,
  options: Pick<ReplaceOptions, 'feeTarget' | 'feeRate' | 'leastSats'> & CheckOptions & CallOptions = {},
): Promise<Prepared> {
  const tradingAddress = options.tradingAddress ?? (await ownTradingAddress(api, key, callOptions(options)));
  // Before the service reserves coins for it.
  const read = readVersions(action, versions, tradingAddress, options);
  const { feeTarget, feeRate } = options;
  const { data, metaData } = await call(api, 'post', '/api/transactions/{txId}/replace', {
    ...callOptions(options),
    params: { path: { txId: read.newest } },
    body: { action, ...(feeTarget && { feeTarget }), ...(feeRate !== undefined && { feeRate }) },
  });
  const wanted = { ...read, payments: loweredPayments(read.payments, metaData, options.leastSats) };
  return prepared(api, data, metaData, () => checkAgainst(data, wanted, tradingAddress, key, options));
}

/** The payments of a bump, lowered as the notes say where the caller allows that. */
function loweredPayments(payments: readonly Payment[], { warnings, amount }: Notes, leastSats?: number): readonly Payment[] {
  const [payment] = payments;
  const sats = /^[1-9]\d*$/.test(amount ?? '') ? Number(amount) : NaN;
  const isAllowed = leastSats !== undefined && warnings.some(({ kind }) => kind === 'amountLowered') && sats >= leastSats;
  if (payments.length !== 1 || !payment || !('sats' in payment) || !isAllowed || sats >= payment.sats) return payments;
  return [{ ...payment, sats }];
}

// The checks.

/**
 * Checks that a transaction matches the withdrawal. With `max`, the recipient must get the amount of the notes; if
 * it is BTC, the transaction has no other output.
 *
 * @param key The key whose coins the transaction spends, for example the signing wallet.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const request = { tokenId: '0:0', amount: 'max', withdrawTo };
 * const { data, metaData } = await call(api, 'post', '/api/transactions', { body: { type: 'withdraw', params: request } });
 * const { fee } = checkWithdrawal(data, metaData, request, wallet);
 */
export function checkWithdrawal(
  transaction: UnsignedTransaction,
  notes: Pick<Notes, 'amount'>,
  { amount: wanted, tokenId, withdrawTo }: Pick<WithdrawalRequest, 'amount' | 'tokenId' | 'withdrawTo'>,
  key: TradingKey,
  options: CheckOptions = {},
): PsbtDescription {
  const isMax = wanted === 'max';
  const token = tokenId ?? BTC;
  const payment = paymentOf(isMax ? notes.amount ?? '' : wanted, token, withdrawTo);
  const description = describeAndCheck(transaction, { payments: [payment] }, key, options);
  if (isMax && token === BTC && description.outputs.length !== 1) throw refused('The transaction keeps a part of its coins.');
  return description;
}

/**
 * Checks that a transaction returns all that its coins hold, except for the fee, to the trading address, and that
 * it spends the wanted coins. It may spend further coins of the wallet for its fee.
 *
 * @param txIdVouts The wanted coins, if the request named them.
 * @param tradingAddress The account's own address; see {@link ownTradingAddress}.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const { data } = await call(api, 'post', '/api/transactions', { body: { type: 'renew-utxo', params: { txIdVouts } } });
 * const { fee } = checkRenewal(data, txIdVouts, await ownTradingAddress(api, wallet), wallet);
 */
export function checkRenewal(
  transaction: UnsignedTransaction,
  txIdVouts: readonly string[] | undefined,
  tradingAddress: string,
  key: TradingKey,
  options: Omit<CheckOptions, 'tradingAddress'> = {},
): PsbtDescription {
  const description = describeAndCheck(transaction, { payments: [] }, key, { ...options, tradingAddress });
  const spent = spentBy(description);
  const missing = txIdVouts?.find((coin) => !spent.has(coin.toLowerCase()));
  if (missing !== undefined) throw refused(`The transaction does not spend ${missing}.`);
  return description;
}

/**
 * Checks that a transaction replaces what was signed before: it spends a coin of every version, so at most one of
 * them confirms. A bump pays exactly what the newest version pays; a cancellation pays nobody but the wallet.
 *
 * @param versions What was signed before, the newest last.
 * @param tradingAddress The account's own address; see {@link ownTradingAddress}.
 * @throws {@link RuneportError} `client.psbtRefused`.
 *
 * @example
 * const init = { params: { path: { txId: signed.txId } }, body: { action: 'cancel' } } as const;
 * const { data } = await call(api, 'post', '/api/transactions/{txId}/replace', init);
 * const { fee } = checkReplacement(data, 'cancel', [signed], await ownTradingAddress(api, wallet), wallet);
 */
export function checkReplacement(
  transaction: UnsignedTransaction,
  action: Schemas['Replacement'],
  versions: SignedVersions,
  tradingAddress: string,
  key: TradingKey,
  options: Omit<CheckOptions, 'tradingAddress'> = {},
): PsbtDescription {
  return checkAgainst(transaction, readVersions(action, versions, tradingAddress, options), tradingAddress, key, options);
}

/** What a replacement must pay and conflict with. */
interface ReadVersions {
  readonly newest: string;
  readonly payments: readonly Payment[];
  readonly all: readonly TransactionDescription[];
}

function readVersions(
  action: Schemas['Replacement'],
  versions: SignedVersions,
  tradingAddress: string,
  { network = networkOf(tradingAddress) }: CheckOptions,
): ReadVersions {
  const all = versions.map((version) => {
    const description = describeTransaction('hex' in version ? version.hex : version.base64Psbt, network);
    if (description.txId !== version.txId) throw refused(`The transaction is ${description.txId}, not ${version.txId}.`);
    return description;
  });
  const newest = all.at(-1);
  if (!newest) throw refused('A replacement needs the transaction that it replaces.');
  const payments = action === 'bump' ? paymentsOf(newest, canonicalAddress(tradingAddress)) : [];
  return { newest: newest.txId, payments, all };
}

function checkAgainst(
  transaction: UnsignedTransaction,
  { payments, all }: ReadVersions,
  tradingAddress: string,
  key: TradingKey,
  options: CheckOptions,
): PsbtDescription {
  const description = describeAndCheck(transaction, { payments }, key, { ...options, tradingAddress });
  const spent = spentBy(description);
  const apart = all.find(({ spends }) => !spends.some((coin) => spent.has(coin)));
  if (apart) throw refused(`The transaction spends no coin of ${apart.txId}, so both could confirm.`);
  return description;
}

/** What a transaction pays to others. */
function paymentsOf({ txId, outputs, runestone, unallocated }: TransactionDescription, own: string): Payment[] {
  const unusual = () => refused(`${txId} is not a transaction that can be bumped.`);
  const payments = new Map<string, Payment>();
  for (const [index, { address, sats, script, data }] of outputs.entries()) {
    if (address === own || script.startsWith('6a5d')) continue;
    // Two payments to one address cannot be told apart.
    if (address === undefined || data || payments.has(address)) throw unusual();
    const edicts = runestone?.edicts.filter(({ output }) => output === index) ?? [];
    const [edict] = edicts;
    if (edicts.length > 1 || edict?.amount === 0n) throw unusual();
    payments.set(address, edict ? { address, runeId: edict.runeId, amount: edict.amount } : { address, sats });
  }
  const toAll = runestone?.edicts.some(({ output }) => output >= outputs.length);
  const isKept = !runestone || unallocated !== undefined && outputs[unallocated]?.address === own;
  if (toAll || !isKept) throw unusual();
  return [...payments.values()];
}

const spentBy = ({ inputs }: PsbtDescription) => new Set(inputs.map(({ txId, vout }) => `${txId}:${vout}`));

const refused = (why: string) => clientError('client.psbtRefused', why);

/** The options of a call, among those of a flow. */
function callOptions({ signal, account }: CallOptions): CallOptions {
  return { signal, account };
}

async function prepared(
  api: Api,
  transaction: UnsignedTransaction,
  notes: Notes,
  check: () => PsbtDescription,
): Promise<Prepared> {
  return { transaction, notes, psbt: await checkOrRelease(api, transaction, check) };
}

async function finish(
  api: Api,
  signer: PsbtSigner,
  { transaction, psbt }: Prepared,
  options: TransactionOptions,
): Promise<TransactionStatus> {
  return submit(api, await signOrRelease(api, signer, transaction, psbt, options), callOptions(options));
}
