/**
 * Options for queries of TanStack Query, with any of its frameworks. Requires `@tanstack/query-core`, which each of
 * them brings.
 *
 * @packageDocumentation
 */

import type { DataTag, InfiniteData } from '@tanstack/query-core';
import type { MaybeOptionalInit } from 'openapi-fetch';
import type { PathsWithMethod } from 'openapi-typescript-helpers';

import { type Answer, type Api, call, type Schemas } from './api.js';
import type { RuneportError } from './error.js';
import type { paths } from './generated/openapi.js';
import type { ListPath, ListQuery, Page } from './rows.js';

/** The paths that a query can read. */
export type QueryPath = PathsWithMethod<paths, 'get'>;

/** Whose data a query reads. */
export interface QueryOwner {
  /**
   * The id of the signed-in account, which is part of the key: after a change of accounts, no account sees the data of
   * another. If a different account is signed in when the call is made, it fails with `client.accountChanged`. `null`
   * means that the call is sent without an access token.
   */
  readonly account: string | null;
}

/** `['runeport', base URL, account, path, params]`; shorter keys match all that begin with them. */
export type RuneportQueryKey = readonly ['runeport', baseUrl: string, account: string | null, ...rest: unknown[]];

/** The options of a query; `data` is the envelope of the call. */
export interface RuneportQueryOptions<Data> {
  readonly queryKey: DataTag<RuneportQueryKey, Data, RuneportError>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
  /** What the answer asks for in `metaData.pollAfterMs`; `false`, which means never, if it asks for nothing. */
  refetchInterval(query: { readonly state: { readonly data: Data | undefined } }): number | false;
  /** The client repeats calls itself. */
  readonly retry: false;
}

/** Which page of a list to read, and of which length the list was at the first one. */
export interface PageParam {
  readonly page: number;
  readonly asOf?: number;
}

/** The options of a query of several pages. */
export interface RuneportInfiniteQueryOptions<Data, Param = PageParam> {
  readonly queryKey: DataTag<RuneportQueryKey, InfiniteData<Data, Param>, RuneportError>;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Param }) => Promise<Data>;
  readonly initialPageParam: Param;
  readonly getNextPageParam: (last: Data) => Param | undefined;
  readonly getPreviousPageParam: (first: Data) => Param | undefined;
  /** The client repeats calls itself. */
  readonly retry: false;
}

/** The parameters of a path. */
type Params<P extends QueryPath> = MaybeOptionalInit<paths[P], 'get'> extends infer I
  ? Pick<NonNullable<I>, Extract<keyof NonNullable<I>, 'params'>>
  : never;

interface ListParams<P extends ListPath, Select extends string, Populate extends string> {
  readonly params?: { readonly query?: ListQuery<P, Select, Populate> };
}

/**
 * The beginning of the keys of an account's queries, or of those of one path, for `invalidateQueries` and
 * `removeQueries`.
 *
 * @example
 * await queryClient.invalidateQueries({ queryKey: queryKey(api, account, '/api/account/activity') });
 */
export function queryKey(api: Api, account: string | null, path?: QueryPath): RuneportQueryKey {
  return ['runeport', api.baseUrl, account, ...(path === undefined ? [] : [path])];
}

/**
 * The options of a query that reads a page of a list.
 *
 * @param options `account`, and `params.query`. The type of the rows follows from `select` and `populate`.
 *
 * @example
 * useQuery(queryOptions(api, '/api/tokens', { account: null, params: { query: { sort: 'symbol' } } }))
 */
export function queryOptions<P extends ListPath, const Select extends string = '', const Populate extends string = ''>(
  api: Api,
  path: P,
  options: QueryOwner & ListParams<P, Select, Populate>,
): RuneportQueryOptions<Page<P, Select, Populate>>;
/**
 * The options of a query that reads any GET of the service.
 *
 * @param options `account`, and the `params` of the call.
 *
 * @example
 * useQuery(queryOptions(api, '/api/account/me', { account: me.id }))
 */
export function queryOptions<P extends QueryPath>(
  api: Api,
  path: P,
  options: QueryOwner & Params<P>,
): RuneportQueryOptions<Answer<'get', P>>;
export function queryOptions(api: Api, path: QueryPath, { account, params }: AnyOptions): RuneportQueryOptions<unknown> {
  const key = [...queryKey(api, account, path), ...(params ? [params] : [])] as unknown;
  return {
    queryKey: key as RuneportQueryOptions<unknown>['queryKey'],
    queryFn: ({ signal }) => read(api, path, account, { params, signal }),
    refetchInterval: ({ state: { data } }) => pollAfterOf(data),
    retry: false,
  };
}

function pollAfterOf(answer: unknown): number | false {
  const { metaData } = (answer ?? {}) as { metaData?: { pollAfterMs?: unknown } | null };
  const pollAfter = metaData?.pollAfterMs;
  return typeof pollAfter === 'number' && pollAfter > 0 ? pollAfter : false;
}

/**
 * The options of a query that reads the pages of a list one after the other. Rows that are added after the first page was
 * read are left out until the query is read again, as with `pages`.
 *
 * @param options `account`, and `params.query`, whose `page` is the first one to read.
 *
 * @example
 * useInfiniteQuery(infiniteQueryOptions(api, '/api/account/activity', { account: me.id }))
 */
export function infiniteQueryOptions<P extends ListPath, const Select extends string = '', const Populate extends string = ''>(
  api: Api,
  path: P,
  { account, params }: QueryOwner & ListParams<P, Select, Populate>,
): RuneportInfiniteQueryOptions<Page<P, Select, Populate>> {
  type Answered = Page<P, Select, Populate>;
  const { page: first = 1, ...query } = (params?.query ?? {}) as { page?: number };
  const beside = (answer: Answered, by: 1 | -1): PageParam | undefined => {
    const { asOf, currentPage, totalPages } = (answer as unknown as { metaData: Schemas['MetaData'] }).metaData;
    const page = currentPage + by;
    if (page < 1 || (by > 0 && page > totalPages)) return undefined;
    return typeof asOf === 'number' ? { page, asOf } : { page };
  };
  const key = [...queryKey(api, account, path), 'pages', { first, query }] as unknown;
  return {
    queryKey: key as RuneportInfiniteQueryOptions<Answered>['queryKey'],
    queryFn: ({ signal, pageParam }) =>
      read(api, path, account, { params: { query: { ...query, ...pageParam } }, signal }) as Promise<Answered>,
    initialPageParam: { page: first },
    getNextPageParam: (last) => beside(last, 1),
    getPreviousPageParam: (page) => beside(page, -1),
    retry: false,
  };
}

/** Whose events a query reads, from which one on. */
export interface EventsQuery extends QueryOwner {
  /** Reads the events of a mint, which are public, instead of those of the account. */
  readonly mintId?: string;
  /** Begins after the event with this number; without it, with the oldest that is kept. */
  readonly after?: number;
  /** Only events of these types. */
  readonly types?: readonly Schemas['EventItem']['type'][];
}

/**
 * The options of a query that reads what has changed, one page after the other. The next page has the events since the
 * last one, so `fetchNextPage` can be called at any time: at once if `metaData.pollAfterMs` is 0, otherwise after that time.
 *
 * @example
 * const events = useInfiniteQuery(eventsQueryOptions(api, { account, types: ['refund.stateChanged'] }))
 */
export function eventsQueryOptions(
  api: Api,
  { account, mintId, after, types }: EventsQuery,
): RuneportInfiniteQueryOptions<Answer<'get', '/api/events'>, number> {
  type Answered = Answer<'get', '/api/events'>;
  const path = mintId === undefined ? '/api/events' : '/api/vm-transactions/mints/{id}/events';
  const of = mintId === undefined ? {} : { path: { id: mintId } };
  const only = types?.length ? { types: types.join(',') } : {};
  // Before the oldest event that is kept there is no number to send.
  const first = after ?? -1;
  const key = [...queryKey(api, account, path), 'pages', { ...of, first, ...only }] as unknown;
  return {
    queryKey: key as RuneportInfiniteQueryOptions<Answered, number>['queryKey'],
    queryFn: ({ signal, pageParam }) => {
      const from = pageParam < 0 ? {} : { after: pageParam };
      return read(api, path, account, { params: { ...of, query: { ...from, ...only } }, signal }) as Promise<Answered>;
    },
    initialPageParam: first,
    getNextPageParam: (last) => (last as unknown as { metaData: Schemas['MetaDataWith_EventsMeta'] }).metaData.next,
    getPreviousPageParam: () => undefined,
    retry: false,
  };
}

// Paths of queries that belong together.
const WALLET = [
  '/api/account/trading-wallet/balance', '/api/account/trading-wallet/coins', '/api/account/trading-wallet/recovery-kit',
  '/api/wallets/balance', '/api/utxos',
] as const;
const BATCHES = ['/api/vm-transactions', '/api/vm-transactions/{txId}', '/api/vm-transactions/count-unconfirmed-requests'] as const;
const MINTS = [
  '/api/vm-transactions/mints', '/api/vm-transactions/mints/{id}', '/api/vm-transactions/mints/{id}/next-block',
  '/api/vm-transactions/mints/{id}/blocks',
] as const;
const TRANSACTIONS = ['/api/transactions', '/api/transactions/{txId}'] as const;
const EXPORTS = ['/api/download-histories', '/api/download-histories/{id}'] as const;
const DEPOSITS = ['/api/account/trading-wallet/deposits', ...WALLET] as const;
/** The queries that an event makes out of date, by its type. */
const STALE: Readonly<Record<Schemas['EventItem']['type'], readonly QueryPath[]>> = {
  'transaction.stateChanged': [...TRANSACTIONS, ...WALLET],
  'xchain.statusChanged': ['/api/xchain/transactions', '/api/xchain/transactions/{txId}', '/api/xchain/transactions/{txId}/status'],
  'vmTransaction.stateChanged': [...BATCHES, ...MINTS, ...TRANSACTIONS, ...WALLET, '/api/refund/calculate'],
  'refund.stateChanged': ['/api/refund/calculate', '/api/refund/{txId}', ...BATCHES, ...TRANSACTIONS, ...WALLET],
  'export.completed': EXPORTS,
  'export.failed': EXPORTS,
  'session.ended': ['/auth/sessions', '/api/auth/sessions', '/api/account/activity'],
  'deposit.seen': DEPOSITS,
  'deposit.confirmed': DEPOSITS,
  'coins.renewalAdvised': WALLET,
  'coins.renewalNeeded': WALLET,
  'vmBlock.filled': [...MINTS, ...BATCHES],
  'mint.stateChanged': [...MINTS, ...BATCHES, '/api/refund/calculate'],
};

/** The field of an event that names the one thing that a query of such a path reads. */
const NAMED_BY: Partial<Record<QueryPath, 'txId' | 'exportId' | 'mintId'>> = {
  '/api/transactions/{txId}': 'txId',
  '/api/refund/{txId}': 'txId',
  '/api/download-histories/{id}': 'exportId',
  '/api/vm-transactions/mints/{id}': 'mintId',
  '/api/vm-transactions/mints/{id}/next-block': 'mintId',
  '/api/vm-transactions/mints/{id}/blocks': 'mintId',
};

/** A filter of queries, for `invalidateQueries`. */
export interface QueryFilter {
  readonly predicate: (query: { readonly queryKey: readonly unknown[] }) => boolean;
}

/**
 * The queries that an event makes out of date: those of the account, and those that need no account. A query of one
 * transaction, export or mint is among them if the event is about that one. Queries of events are not: their next page has the event.
 *
 * @param options `account`: whose event it is; `null` for one of a mint that is watched without an account.
 *
 * @example
 * for await (const event of watch(api)) void queryClient.invalidateQueries(invalidateFor(api, event, { account }))
 */
export function invalidateFor(api: Api, event: Schemas['EventItem'], { account }: QueryOwner): QueryFilter {
  // A newer service may tell of types that this client does not know.
  const stale: readonly string[] = STALE[event.type] ?? [];
  return {
    predicate: ({ queryKey: [root, baseUrl, owner, path, ...rest] }) => {
      const isOwn = root === 'runeport' && baseUrl === api.baseUrl && (owner === account || owner === null);
      if (!isOwn || typeof path !== 'string' || !stale.includes(path)) return false;
      const field = NAMED_BY[path as QueryPath];
      const named = field && (event.data as Partial<Record<typeof field, string>>)[field];
      if (named == null) return true;
      const { id, txId } = (rest.at(-1) as { path?: { id?: unknown; txId?: unknown } } | undefined)?.path ?? {};
      const read = id ?? txId;
      return typeof read !== 'string' || read.toLowerCase() === named.toLowerCase();
    },
  };
}

interface AnyOptions extends QueryOwner {
  readonly params?: unknown;
}

function read(api: Api, path: QueryPath, account: string | null, init: { params?: unknown; signal: AbortSignal }): Promise<unknown> {
  // The signatures above ensure that `path` and `params` belong together.
  const get = call as unknown as (api: Api, method: 'get', path: QueryPath, init: object) => Promise<unknown>;
  return get(api, 'get', path, { ...init, ...(account === null ? { anonymous: true } : { account }) });
}
