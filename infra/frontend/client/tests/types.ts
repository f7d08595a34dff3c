// Checks the types: `npm test` compiles this file but does not run it.

import {
  type Api, call, type ClientProblem, type HiddenField, isErrorOf, type ListPath, type ListQuery, pages, type RelatedToken, type Relations, type Row, rows, type RuneportError,
  type Schemas, type TokenStore,
} from '@runeport/client';
import { type Event, type EventOf, watch } from '@runeport/client/events';
import { infiniteQueryOptions, queryKey, queryOptions } from '@runeport/client/query';
import { createDeposit, type DepositPlace, VENUE_DEPLOYMENTS } from '@runeport/client/venue';
import type { WebhookEvent } from '@runeport/client/webhooks';

import {
  balance, bump, coins, type Coin, prepareWithdrawal, type SignedTransaction, type SignedVersions, withdraw,
} from '@runeport/client/wallet';
import { type ConnectedWallet, discoverWallets } from '@runeport/client/wallets';
import { bitcoinKeyWallet, type BitcoinWallet } from '@runeport/client/wallets/bitcoin';

import { type QueryClient, QueryObserver } from '@tanstack/query-core';

import type { ABSENT, HIDDEN, RELATIONS, VISIBLE } from './lists.mjs';

export async function answers(api: Api): Promise<void> {
  const { data, metaData } = await call(api, 'get', '/api/prizes', { params: { query: { page: 2, sort: '-prizeNumber' } } });
  metaData.totalItems satisfies number;
  data[0]?.name satisfies string | undefined;
  data[0]?.id satisfies string | undefined;
  (await call(api, 'post', '/api/account/2fa/setup')).data.otpauthUri satisfies string;
  (await call(api, 'get', '/.well-known/jwks.json')).keys satisfies Schemas['Jwk'][];
  (await call(api, 'get', '/api/perp-venue/status', { params: { query: { userAddress: '0x' } } })).metaData.warnings satisfies object[];
  await call(api, 'delete', '/api/account/passkeys/{id}', { params: { path: { id: 'x' } }, signal: AbortSignal.timeout(1) });
  for await (const row of rows(api, '/api/xchain/transactions', { relatedAddress_eq: 'x' })) row.status satisfies string;
  for await (const page of pages(api, '/api/tokens')) page.metaData.currentPage satisfies number;
}

/** A call that is only tried has another answer, and whether it is tried is known where it is written. */
export async function tried(api: Api, isTried: boolean): Promise<void> {
  const body = { type: 'withdraw', params: { tokenId: '0:0', amount: '1', withdrawTo: 'x' } } as const;
  const { data, metaData } = await call(api, 'post', '/api/transactions', { body, params: { query: { dryRun: true } } });
  data.remaining.sats satisfies number;
  data.inputs[0]?.runes?.[0]?.amount satisfies string | undefined;
  metaData.warnings satisfies object[];
  // @ts-expect-error There is nothing to sign.
  data.base64Psbt;
  (await call(api, 'post', '/api/transactions', { body })).data.base64Psbt satisfies string;
  (await call(api, 'post', '/api/transactions', { body, params: { query: { dryRun: false } } })).data.base64Psbt satisfies string;
  // @ts-expect-error The answer would be either of two.
  await call(api, 'post', '/api/transactions', { body, params: { query: { dryRun: isTried } } });
  // @ts-expect-error The service would refuse it, and has nothing to show.
  await call(api, 'post', '/api/transactions/sign', { body: { params: { signedBase64Tx: 'x' } }, params: { query: { dryRun: true } } });
}

/** The type of an event tells what its data has. */
export function received(event: WebhookEvent): string {
  switch (event.type) {
    case 'webhook.test': return event.data.webhookId;
    case 'webhook.verification': return event.data.challenge;
    case 'coins.renewalNeeded': return `${event.data.blockHeight + 1}`;
    case 'session.ended': return event.data.sessionId ?? event.data.after;
    case 'transaction.stateChanged':
      // @ts-expect-error It is no export.
      return event.data.exportId ?? event.data.txId;
    default: return event.id;
  }
}

/** The type of a listed event does too, and a watch of some types yields these. */
export async function listed(api: Api, event: Event): Promise<string> {
  for await (const { data } of watch(api, { types: ['export.completed', 'export.failed'] })) {
    data.exportId satisfies string;
    // @ts-expect-error An export is no mint.
    data.mintId;
  }
  for await (const each of watch(api)) each satisfies Event;
  const [first] = (await call(api, 'get', '/api/events')).data;
  if (first?.type === 'deposit.seen') return first.data.depositId;
  const [filled] = (await call(api, 'get', '/api/vm-transactions/mints/{id}/events', { params: { path: { id: 'x' } } })).data;
  if (filled?.type === 'vmBlock.filled') return `${filled.data.mintId}: ${filled.data.after - filled.data.before}`;
  switch (event.type) {
    case 'mint.stateChanged': return event.data.after;
    case 'refund.stateChanged':
      // @ts-expect-error Its state may be null.
      return event.data.before;
    default: return event.id;
  }
}
const ofMints = (event: EventOf<'mint.stateChanged' | 'vmBlock.filled'>): string => event.data.mintId;
void ofMints;

/** Whether two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_same: Same<A, B>): void => {};
type Rows<T> = T extends { data: (infer R)[] } ? R : never;

/** A search for Bitcoin wallets finds those that sign transactions; another one may find others. */
export async function discovered(): Promise<void> {
  for await (const { chains, connect } of discoverWallets({ chains: ['bitcoin'] })) {
    chains satisfies readonly 'bitcoin'[];
    (await connect()) satisfies BitcoinWallet;
  }
  for await (const { connect } of discoverWallets({ chains: ['bitcoin', 'evm'] })) {
    // @ts-expect-error A wallet of EVM signs no PSBT.
    (await connect()).signPsbt;
  }
  for await (const { connect, icon } of discoverWallets()) {
    icon satisfies string | undefined;
    (await connect()).chain satisfies 'bitcoin' | 'evm' | 'solana';
  }
  same<ConnectedWallet<'bitcoin'>, BitcoinWallet>(true);
}

/** An error is one of those that the operation answers with. */
export function errors(error: unknown): void {
  if (!isErrorOf(error, 'post', '/auth/refresh-token')) throw error;
  if (error.key === 'auth.invalidRefreshToken' || error.key === 'client.network') return;
  if (error.key === 'common.unavailable') return;
  // @ts-expect-error No refresh answers this.
  if (error.key === 'prizes.notFound') return;
  error.key satisfies Exclude<typeof error.key, ClientProblem> | ClientProblem;
}

/** The rows of lists follow from `select` and `populate`. */
export async function lists(api: Api, text: string, query: ListQuery<'/api/prizes'>): Promise<void> {
  type Prize = Schemas['Prize'];
  const prizes = await call(api, 'get', '/api/prizes');
  same<Rows<typeof prizes>, Prize>(true);
  const sorted = await call(api, 'get', '/api/prizes', { params: { query: { sort: 'name', pageSize: 3 } } });
  same<Rows<typeof sorted>, Prize>(true);
  const named = await call(api, 'get', '/api/prizes', { params: { query: { select: 'name,prizeNumber' } } });
  same<Rows<typeof named>, Pick<Prize, 'id' | 'name' | 'prizeNumber'>>(true);
  const spaced = await call(api, 'get', '/api/prizes', { params: { query: { select: 'name prizeNumber, id', page: 2 } } });
  same<Rows<typeof spaced>, Pick<Prize, 'id' | 'name' | 'prizeNumber'>>(true);
  const without = await call(api, 'get', '/api/prizes', { params: { query: { select: '-name' } } });
  same<Rows<typeof without>, Omit<Prize, 'name'>>(true);
  const empty = await call(api, 'get', '/api/prizes', { params: { query: { select: '' } } });
  same<Rows<typeof empty>, Prize>(true);
  const populated = await call(api, 'get', '/api/prizes', { params: { query: { select: 'name', populate: 'wallet,token' } } });
  same<Rows<typeof populated>, { id: string; name: string; wallet: Schemas['Wallet'] | null; token: RelatedToken | null }>(true);
  // A text that is not known before the program runs.
  const unknown = await call(api, 'get', '/api/prizes', { params: { query: { select: text } } });
  same<Rows<typeof unknown>, Pick<Prize, 'id'> & Partial<Prize> extends infer R ? { [K in keyof R]: R[K] } : never>(true);
  const asGiven = await call(api, 'get', '/api/prizes', { params: { query } });
  asGiven.data[0]?.name satisfies string | undefined;
  // @ts-expect-error The query may have a `select` without it.
  asGiven.data[0]!.name satisfies string;

  for await (const swap of rows(api, '/api/xchain/transactions', { select: 'status +failureReason', populate: 'inputToken' })) {
    same<keyof typeof swap, 'id' | 'status' | 'failureReason' | 'inputToken'>(true);
    swap.inputToken?.divisibility satisfies number | undefined;
    // @ts-expect-error Only on request.
    swap.fillTxHash;
  }
  for await (const { data, metaData } of pages(api, '/api/account', { populate: 'referrer' })) {
    data[0]!.referrer?.referralCode satisfies string | undefined;
    data[0]!.email satisfies string | null;
    metaData.totalPages satisfies number;
    // @ts-expect-error Only with `select=+lastSignInAt`.
    data[0]!.lastSignInAt;
  }
  for await (const one of rows(api, '/api/account', { select: '+lastSignInAt' })) one.lastSignInAt satisfies number;
  const either = Math.random() < 0.5 ? 'name' : 'prizeNumber';
  for await (const one of rows(api, '/api/prizes', { select: either })) {
    one.id satisfies string;
    // @ts-expect-error It is one of two.
    one.name;
  }
}

// Each list has the fields that `lists.mjs` names, which the journey compares with the service.
type Names<T, P> = P extends keyof T ? T[P] extends readonly (infer Name)[] ? Name : never : never;
type OptionalKeys<T> = { [K in keyof T]-?: Record<string, never> extends Pick<T, K> ? K : never }[keyof T];
type Checks = {
  [P in ListPath]: [
    Same<HiddenField<P>, Names<typeof HIDDEN, P>>, Same<keyof Row<P>, Names<typeof VISIBLE, P>>,
    Same<OptionalKeys<Row<P>>, Names<typeof ABSENT, P>>, Same<keyof Relations<P>, 'wallet' | 'token' | Names<typeof RELATIONS, P>>,
  ];
}[ListPath];
same<Checks, [true, true, true, true]>(true);

export async function mistakes(api: Api): Promise<void> {
  // @ts-expect-error The body lacks fields.
  await call(api, 'post', '/api/xchain/transaction', { body: { type: 'xchain-withdraw' } });
  // @ts-expect-error The path needs its parameter.
  await call(api, 'delete', '/api/account/passkeys/{id}');
  // @ts-expect-error The path does not have this method.
  await call(api, 'get', '/api/account/passkeys/init');
  // @ts-expect-error The path does not exist.
  await call(api, 'get', '/api/nothing');
  // @ts-expect-error The filter does not exist.
  await call(api, 'get', '/api/prizes', { params: { query: { name_eq: 'x' } } });
  // @ts-expect-error The filter does not exist, next to others that do.
  await call(api, 'get', '/api/prizes', { params: { query: { select: 'name', name_eq: 'x' } } });
  // @ts-expect-error The field is not selected.
  (await call(api, 'get', '/api/prizes', { params: { query: { select: 'name' } } })).data[0]?.prizeNumber;
  // @ts-expect-error The path does not return a list.
  for await (const row of rows(api, '/api/account/me')) void row;
}

export const store: TokenStore = { get: async () => undefined, set: async () => {} };
export const codeOf = ({ code, key, errors, retryAfter }: RuneportError): unknown => [code, key, errors[0]?.field, retryAfter];

const own = { usdcToken: '0x1', depositContract: '0x2' };
export const places: DepositPlace[] = [{}, { chainId: 999 }, { chainId: 31_337, deployment: own }];
// @ts-expect-error `deployment` requires `chainId`.
export const nowhere: DepositPlace = { deployment: own };
export const deposit = (api: Api): unknown =>
  createDeposit(api, { userAddress: '0x', amount: '1' }, { chainId: 998, signal: AbortSignal.timeout(1) });
VENUE_DEPLOYMENTS[998]?.usdcToken satisfies string | undefined;

/** Queries of TanStack Query. */
export async function queries(api: Api, client: QueryClient): Promise<void> {
  const account = 'id';
  const me = queryOptions(api, '/api/account/me', { account });
  (await client.fetchQuery(me)).data.id satisfies string;
  client.getQueryData(me.queryKey)?.data.id satisfies string | undefined;
  const prizes = queryOptions(api, '/api/prizes', { account, params: { query: { select: 'name', populate: 'token' } } });
  const read = await client.fetchQuery(prizes);
  same<keyof (typeof read.data)[number], 'id' | 'name' | 'token'>(true);
  new QueryObserver(client, { ...prizes, select: ({ data }) => data.length }).getCurrentResult().data satisfies number | undefined;
  const endless = await client.fetchInfiniteQuery(infiniteQueryOptions(api, '/api/prizes', { account, params: { query: { pageSize: 3 } } }));
  endless.pages[0]?.data[0]?.prizeNumber satisfies number | undefined;
  await client.invalidateQueries({ queryKey: queryKey(api, account, '/api/prizes') });
  queryOptions(api, '/api/tokens', { account: null });
  queryOptions(api, '/api/account/referral-code/{code}/verify', { account, params: { path: { code: 'x' } } });
  // @ts-expect-error The account is part of the key.
  queryOptions(api, '/api/account/me', {});
  // @ts-expect-error The path needs its parameter.
  queryOptions(api, '/api/account/referral-code/{code}/verify', { account });
  // @ts-expect-error A query cannot use this method.
  queryOptions(api, '/api/account/2fa/setup', { account });
  // @ts-expect-error The path does not return a list.
  infiniteQueryOptions(api, '/api/account/me', { account });
  // @ts-expect-error The filter does not exist.
  queryOptions(api, '/api/prizes', { account, params: { query: { select: 'name', name_eq: 'x' } } });
}

export async function tradingWallet(api: Api, signed: SignedTransaction): Promise<void> {
  const held = await balance(api);
  held.btc.available satisfies number;
  same<typeof held.checks, 'complete' | 'unavailable'>(true);
  const all = await coins(api, { state_eq: ['free'] });
  same<Coin['state'], Schemas['CoinState']>(true);
  all.coins[0]?.heldBy?.txId satisfies string | undefined;
  // @ts-expect-error All pages are read.
  await coins(api, { page: 2 });
  const wallet = bitcoinKeyWallet({ privateKey: new Uint8Array(32), network: 'regtest' });
  const { notes, psbt } = await prepareWithdrawal(api, wallet, { tokenId: '0:0', amount: 'max', withdrawTo: 'x' });
  notes.amount satisfies string | null;
  psbt.fee satisfies number;
  // @ts-expect-error A withdrawal has a recipient.
  await withdraw(api, wallet, { tokenId: '0:0', amount: 'max' });
  await bump(api, wallet, [signed, { txId: 'x', hex: '00' }], { feeTarget: 'fast' });
  // @ts-expect-error A replacement needs what it replaces.
  [] satisfies SignedVersions;
}
