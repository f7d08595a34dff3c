/**
 * What admins read of other accounts to answer their questions. Each of these reads is recorded.
 *
 * @packageDocumentation
 */

import { type Answer, type Api, call, type CallOptions, type Schemas } from './api.js';
import type { paths } from './generated/openapi.js';
import type { Page } from './rows.js';

/** Something that a search has found. */
export type SupportHit = Schemas['SupportHit'];

/** What a search has found, and how the text was understood. */
export interface SupportSearch {
  readonly hits: readonly SupportHit[];
  /** The forms that the text has. */
  readonly forms: readonly Schemas['SearchForm'][];
  /** The query for CloudWatch Logs Insights that finds the text as the id of a request; `null` if it is no such id. */
  readonly logsQuery: string | null;
}

/**
 * Finds accounts, transactions and other things by an e-mail address, a wallet address of any chain, an id or a hash.
 *
 * @throws {@link RuneportError} `common.forbidden` without the role admin.
 *
 * @example
 * const { hits: [hit] } = await searchSupport(api, 'ann@example.com');
 */
export async function searchSupport(api: Api, q: string, options: CallOptions = {}): Promise<SupportSearch> {
  const { data, metaData } = await call(api, 'get', '/api/support/search', { ...options, params: { query: { q } } });
  return { hits: data, forms: metaData.forms, logsQuery: metaData.logsQuery };
}

/** An account as admins see it. */
export type SupportAccount = Schemas['SupportAccount'];

/**
 * An account with its failed proofs, its open limits, and how much each of its lists has.
 *
 * @throws {@link RuneportError} `account.noSuchAccount`.
 *
 * @example
 * const { email, counts } = await getSupportAccount(api, accountId);
 */
export async function getSupportAccount(api: Api, accountId: string, options: CallOptions = {}): Promise<SupportAccount> {
  const params = { path: { accountId } };
  return (await call(api, 'get', '/api/support/accounts/{accountId}', { ...options, params })).data;
}

/** The lists of an account that have pages, by name. */
const LISTS = {
  transactions: '/api/support/accounts/{accountId}/transactions',
  'cross-chain': '/api/support/accounts/{accountId}/cross-chain',
  deposits: '/api/support/accounts/{accountId}/deposits',
  batches: '/api/support/accounts/{accountId}/batches',
  refunds: '/api/support/accounts/{accountId}/refunds',
  exports: '/api/support/accounts/{accountId}/exports',
  activity: '/api/support/accounts/{accountId}/activity',
} as const;

/** The name of a list of an account. */
export type SupportList = keyof typeof LISTS;

/** The account's own list of the same rows. */
interface OwnLists {
  transactions: '/api/transactions';
  'cross-chain': '/api/xchain/transactions';
  deposits: '/api/account/trading-wallet/deposits';
  batches: '/api/vm-transactions';
  refunds: '/api/transactions';
  exports: '/api/download-histories';
  activity: '/api/account/activity';
}

/** The parameters of a list of an account. */
export type SupportListQuery<L extends SupportList, Select extends string = string, Populate extends string = string> =
  Omit<NonNullable<paths[(typeof LISTS)[L]]['get']['parameters']['query']>, 'select' | 'populate'>
  & { select?: Select; populate?: Populate };

/** A page of a list of an account, whose rows have what `select` and `populate` name. */
export type SupportPage<L extends SupportList, Select extends string = '', Populate extends string = ''> =
  Page<OwnLists[L], Select, Populate>;

/**
 * A page of a list of an account, newest first. The rows are those of the account's own list.
 *
 * @throws {@link RuneportError} `account.noSuchAccount`, `common.validation` for an unknown parameter.
 *
 * @example
 * const { data: withdrawals } = await listSupportRows(api, accountId, 'transactions', { type_eq: ['withdraw'] });
 */
export async function listSupportRows<L extends SupportList, const Select extends string = '', const Populate extends string = ''>(
  api: Api,
  accountId: string,
  list: L,
  query?: SupportListQuery<L, Select, Populate>,
  options: CallOptions = {},
): Promise<SupportPage<L, Select, Populate>> {
  // The types of `call` take one path, and here is one of seven, which have the same parameter.
  const get = call as unknown as GetPage<SupportPage<L, Select, Populate>>;
  return get(api, 'get', LISTS[list], { ...options, params: { path: { accountId }, query } });
}

type GetPage<Answered> = (api: Api, method: 'get', path: string, init: object) => Promise<Answered>;

/** A webhook as admins see it. */
export type SupportWebhook = Schemas['SupportWebhook'];

/**
 * The webhooks of an account, oldest first, without their secrets and URLs.
 *
 * @throws {@link RuneportError} `account.noSuchAccount`.
 *
 * @example
 * const webhooks = await listSupportWebhooks(api, accountId);
 */
export async function listSupportWebhooks(api: Api, accountId: string, options: CallOptions = {}): Promise<SupportWebhook[]> {
  const params = { path: { accountId } };
  return (await call(api, 'get', '/api/support/accounts/{accountId}/webhooks', { ...options, params })).data;
}

/** What a webhook sent, and where the next page begins. */
export type SupportDeliveries = Answer<'get', '/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries'>;

/**
 * The delivery attempts of an account's webhook, newest first.
 *
 * @param query `before` is `metaData.next` of the previous page.
 * @throws {@link RuneportError} `account.noSuchAccount`, `webhooks.notFound`.
 *
 * @example
 * const { data: attempts, metaData: { next } } = await listSupportDeliveries(api, accountId, webhookId, { limit: 50 });
 */
export async function listSupportDeliveries(
  api: Api,
  accountId: string,
  webhookId: string,
  query: { readonly before?: string; readonly limit?: number } = {},
  options: CallOptions = {},
): Promise<SupportDeliveries> {
  const params = { path: { accountId, webhookId }, query };
  return call(api, 'get', '/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries', { ...options, params });
}

/** One transaction of an account, as admins see it. */
export type SupportTransaction = Schemas['SupportTransaction'];

/**
 * One transaction of any account: its states with their times, and why it does not go on.
 *
 * @throws {@link RuneportError} `bitcoin.transactionNotFound`.
 *
 * @example
 * const { state, history, failing } = await getSupportTransaction(api, txId);
 */
export async function getSupportTransaction(api: Api, txId: string, options: CallOptions = {}): Promise<SupportTransaction> {
  return (await call(api, 'get', '/api/support/transactions/{txId}', { ...options, params: { path: { txId } } })).data;
}

/** A page of the rows that the service cannot take further. */
export type StuckPage = Answer<'get', '/api/support/stuck'>;

/**
 * The rows that the service cannot take further, latest first, and what waits in each queue.
 *
 * @throws {@link RuneportError} `common.forbidden` without the role admin.
 *
 * @example
 * const { data: stuck } = await listStuckRows(api, { sort: 'since', pageSize: 100 });
 */
export async function listStuckRows(
  api: Api,
  query: { readonly page?: number; readonly pageSize?: number; readonly sort?: string } = {},
  options: CallOptions = {},
): Promise<StuckPage> {
  return call(api, 'get', '/api/support/stuck', { ...options, params: { query } });
}

/** A payout that is not final. */
export type OpenPayout = Schemas['OpenPayout'];

/**
 * The payouts that are not final, by mint and number.
 *
 * @throws {@link RuneportError} `common.forbidden` without the role admin.
 *
 * @example
 * const planned = (await listPayouts(api)).filter(({ state }) => state === 'planned');
 */
export async function listPayouts(api: Api, options: CallOptions = {}): Promise<OpenPayout[]> {
  return (await call(api, 'get', '/api/support/payouts', options)).data;
}

/** Entries in the record of reads, and where the next page begins. */
export type SupportReads = Answer<'get', '/api/support/reads'>;

/**
 * Who has read the data of an account, or what an admin has read, newest first.
 *
 * @param of `accountId` or `adminId`.
 * @param query `before` is `metaData.next` of the previous page.
 * @throws {@link RuneportError} `common.forbidden` without the role admin.
 *
 * @example
 * const { data: reads } = await listSupportReads(api, { accountId });
 */
export async function listSupportReads(
  api: Api,
  of: { readonly accountId: string } | { readonly adminId: string },
  query: { readonly before?: string; readonly limit?: number } = {},
  options: CallOptions = {},
): Promise<SupportReads> {
  return call(api, 'get', '/api/support/reads', { ...options, params: { query: { ...of, ...query } } });
}
