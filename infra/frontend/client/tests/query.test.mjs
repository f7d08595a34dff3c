import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core';

import { createApi, memoryTokenStore, RuneportError } from '@runeport/client';
import { eventsQueryOptions, infiniteQueryOptions, invalidateFor, queryKey, queryOptions } from '@runeport/client/query';
import { ok, played, problem } from './service.mjs';

/** Tokens of an account. */
const tokensOf = (sub) => ({ accessToken: `h.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.s`, refreshToken: sub, expiresAt: 0 });
const answering = (account, answer, more) => played(answer, { tokens: memoryTokenStore(account && tokensOf(account)), ...more });
const client = () => new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });

test('a query reads the envelope once, under a key of path and account', async () => {
  const { api, requests } = answering('alice', ({ query }) => ok([{ id: '1' }], { ...query }));
  const queries = client();
  const options = queryOptions(api, '/api/prizes', { account: 'alice', params: { query: { page: 2, select: 'name' } } });
  assert.deepEqual(options.queryKey, ['runeport', 'http://service', 'alice', '/api/prizes', { query: { page: 2, select: 'name' } }]);
  const read = await queries.fetchQuery({ ...options, staleTime: Infinity });
  assert.deepEqual([read.data, read.metaData], [[{ id: '1' }], { page: '2', select: 'name' }]);
  // The order of the parameters does not matter.
  const same = queryOptions(api, '/api/prizes', { account: 'alice', params: { query: { select: 'name', page: 2 } } });
  assert.equal(await queries.fetchQuery({ ...same, staleTime: Infinity }), read);
  assert.equal(requests.length, 1);
  assert.equal(requests[0].headers.authorization, `Bearer ${tokensOf('alice').accessToken}`);
  assert.equal(queries.getQueryData(options.queryKey), read);
});

test('an account never sees the data of another, not even during a change of accounts', async () => {
  const { api, requests } = answering('alice', ({ headers }) => ok({ token: headers.authorization }));
  const queries = client();
  const me = (account) => queryOptions(api, '/api/account/me', { account });
  await queries.fetchQuery(me('alice'));
  assert.equal(queries.getQueryData(me('bob').queryKey), undefined);
  // Another tab has signed in as somebody else, and the page does not know it yet.
  await api.tokens.set(tokensOf('bob'));
  const refused = await queries.fetchQuery(me('alice')).catch((error) => error);
  assert.ok(refused instanceof RuneportError);
  assert.deepEqual([refused.key, refused.code], ['client.accountChanged', '0']);
  await api.tokens.set(undefined);
  await assert.rejects(queries.fetchQuery(me('alice')), { key: 'client.accountChanged' });
  assert.equal(requests.length, 1);
  queries.removeQueries({ queryKey: queryKey(api, 'alice') });
  assert.equal(queries.getQueryCache().getAll().filter(({ queryKey: [, , account] }) => account === 'alice').length, 0);
});

test('a query is repeated as long as its answer asks for it', async () => {
  const waits = [2_000, null];
  const { api } = answering('alice', () => ok({ state: 'inMempool' }, { pollAfterMs: waits.shift() }));
  const options = queryOptions(api, '/api/transactions/{txId}', { account: 'alice', params: { path: { txId: 'ab' } } });
  const queries = client();
  const next = async () => {
    await queries.fetchQuery(options);
    return options.refetchInterval(queries.getQueryCache().find({ queryKey: options.queryKey }));
  };
  assert.deepEqual([await next(), await next()], [2_000, false]);
  for (const data of [undefined, null, {}, { metaData: null }, { metaData: { pollAfterMs: 0 } }, { metaData: { pollAfterMs: '5' } }]) {
    assert.equal(options.refetchInterval({ state: { data } }), false);
  }
});

test('without an account a query sends no token', async () => {
  const { api, requests } = answering('alice', () => ok([]));
  const options = queryOptions(api, '/api/tokens', { account: null });
  await client().fetchQuery(options);
  assert.deepEqual([requests[0].headers.authorization, options.queryKey], [undefined, ['runeport', 'http://service', null, '/api/tokens']]);
});

test('queries of two services do not share their data', () => {
  const [one, two] = ['http://one', 'http://two'].map((baseUrl) => queryOptions(createApi({ baseUrl }), '/api/health', { account: null }));
  assert.notDeepEqual(one.queryKey, two.queryKey);
});

test('a path with parameters is part of the key', async () => {
  const { api, requests } = answering('alice', () => ok({ valid: true }));
  const options = queryOptions(api, '/api/account/referral-code/{code}/verify', { account: 'alice', params: { path: { code: 'a b' } } });
  await client().fetchQuery(options);
  assert.equal(requests[0].path, '/api/account/referral-code/a%20b/verify');
  assert.deepEqual(options.queryKey.slice(3), ['/api/account/referral-code/{code}/verify', { path: { code: 'a b' } }]);
});

test('an error is not repeated by the query', async () => {
  const { api, requests } = answering('alice', () => problem(400, '1001', 'common.validation'));
  // TanStack Query repeats three times by default.
  const observer = new QueryObserver(new QueryClient(), { ...queryOptions(api, '/api/account/me', { account: 'alice' }), retryDelay: 1 });
  const result = await new Promise((resolve) => {
    const stop = observer.subscribe((now) => now.isError && (stop(), resolve(now)));
  });
  assert.deepEqual([result.error.key, requests.length], ['common.validation', 1]);
});

test('an aborted query aborts its call', async () => {
  let signal;
  const { api } = answering('alice', (request) => new Promise((_resolve, reject) => {
    signal = request.signal;
    signal.addEventListener('abort', () => reject(signal.reason));
  }));
  const queries = client();
  const options = queryOptions(api, '/api/account/me', { account: 'alice' });
  const asked = queries.fetchQuery(options).catch((error) => error);
  while (!signal) await new Promise(setImmediate);
  await queries.cancelQueries({ queryKey: queryKey(api, 'alice', '/api/account/me') });
  await asked;
  assert.ok(signal.aborted);
});

test('an infinite query reads page after page until the last', async () => {
  const { api, requests } = answering('alice', ({ query: { page, pageSize } }) =>
    ok([{ id: page }], { totalItems: 3, currentPage: Number(page), pageSize: Number(pageSize), totalPages: 3 }));
  const queries = client();
  const options = infiniteQueryOptions(api, '/api/account/activity', { account: 'alice', params: { query: { pageSize: 1 } } });
  const observer = new InfiniteQueryObserver(queries, options);
  const stop = observer.subscribe(() => {});
  try {
    let now = await observer.refetch();
    while (now.hasNextPage) now = await observer.fetchNextPage();
    assert.deepEqual(now.data.pages.flatMap(({ data }) => data), [{ id: '1' }, { id: '2' }, { id: '3' }]);
    assert.deepEqual(now.data.pageParams, [{ page: 1 }, { page: 2 }, { page: 3 }]);
    assert.equal(now.hasPreviousPage, false);
  } finally {
    stop();
  }
  assert.ok(requests.every(({ query }) => query.pageSize === '1'));
  // The pages and a single page of the same list have keys of their own, which the path's key covers.
  const single = queryOptions(api, '/api/account/activity', { account: 'alice', params: { query: { pageSize: 1 } } });
  assert.notDeepEqual(single.queryKey, options.queryKey);
  await queries.invalidateQueries({ queryKey: queryKey(api, 'alice', '/api/account/activity'), refetchType: 'none' });
  assert.equal(queries.getQueryState(options.queryKey).isInvalidated, true);

  const middle = infiniteQueryOptions(api, '/api/account/activity', { account: 'alice', params: { query: { page: 2 } } });
  const { pages: [second] } = await queries.fetchInfiniteQuery(middle);
  assert.deepEqual([second.data, middle.getPreviousPageParam(second), middle.getNextPageParam(second)], [
    [{ id: '2' }], { page: 1 }, { page: 3 },
  ]);
});

test('the further pages of an infinite query are of the list as it was at the first one', async () => {
  let length = 4;
  const { api, requests } = answering('alice', ({ query: { page, asOf } }) => {
    const totalItems = Number(asOf ?? length);
    length += 1;
    return ok([], { totalItems, currentPage: Number(page), pageSize: 2, totalPages: Math.ceil(totalItems / 2), asOf: totalItems });
  });
  const options = infiniteQueryOptions(api, '/api/account/activity', { account: 'alice' });
  const observer = new InfiniteQueryObserver(client(), options);
  const stop = observer.subscribe(() => {});
  try {
    let now = await observer.refetch();
    while (now.hasNextPage) now = await observer.fetchNextPage();
    now = await observer.refetch();
    assert.equal(now.data.pages.length, 2);
  } finally {
    stop();
  }
  const asked = requests.slice(-4).map(({ query: { page, asOf } }) => [page, asOf]);
  assert.equal(asked[0][1], undefined);
  assert.ok(asked[1][1] > 0 && asked[2][1] === undefined && asked[3][1] > asked[1][1], JSON.stringify(asked));
});

test('the next page of events begins after the last event', async () => {
  const pages = [
    [[{ sequence: 4 }, { sequence: 5 }], { next: 5, newest: 6, oldest: 4, pollAfterMs: 0 }],
    [[{ sequence: 6 }], { next: 6, newest: 6, oldest: 4, pollAfterMs: 5_000 }],
    [[], { next: 6, newest: 6, oldest: 4, pollAfterMs: 5_000 }],
  ];
  const { api, requests } = answering('alice', () => ok(...pages.shift()));
  const options = eventsQueryOptions(api, { account: 'alice', types: ['refund.stateChanged', 'session.ended'] });
  const read = await client().fetchInfiniteQuery({ ...options, pages: 3 });
  assert.deepEqual(read.pages.flatMap(({ data }) => data.map(({ sequence }) => sequence)), [4, 5, 6]);
  const types = 'refund.stateChanged,session.ended';
  assert.deepEqual(requests.map(({ query }) => ({ ...query })), [{ types }, { after: '5', types }, { after: '6', types }]);
});

test('the events of a mint are read without an account', async () => {
  const { api, requests } = answering(undefined, () => ok([], { next: 7, newest: 7, oldest: 1, pollAfterMs: 5_000 }));
  const options = eventsQueryOptions(api, { account: null, mintId: 'm', after: 7 });
  await client().fetchInfiniteQuery(options);
  assert.equal(requests[0].path, '/api/vm-transactions/mints/m/events');
  assert.deepEqual([{ ...requests[0].query }, requests[0].headers.authorization], [{ after: '7' }, undefined]);
});

/** The paths of the queries that an event makes out of date, of those that a page has read. */
async function invalidatedBy(event, { account = 'alice' } = {}) {
  const { api } = answering('alice', () => ok([]));
  const queries = client();
  const of = (path, params, owner = 'alice') => queryOptions(api, path, { account: owner, ...(params && { params }) }).queryKey;
  const keys = {
    balance: of('/api/account/trading-wallet/balance'),
    transactions: of('/api/transactions', { query: { page: 2 } }),
    transaction: of('/api/transactions/{txId}', { path: { txId: 'aB' } }),
    other: of('/api/transactions/{txId}', { path: { txId: 'cd' } }),
    pages: infiniteQueryOptions(api, '/api/transactions', { account: 'alice', params: { query: { pageSize: 5 } } }).queryKey,
    swap: of('/api/xchain/transactions/{txId}/status', { path: { txId: '0xintent' } }),
    refund: of('/api/refund/{txId}', { path: { txId: 'ab' } }),
    export: of('/api/download-histories/{id}', { path: { id: 'e1' } }),
    sessions: of('/auth/sessions'),
    deposits: of('/api/account/trading-wallet/deposits'),
    mint: of('/api/vm-transactions/mints/{id}', { path: { id: 'm1' } }, null),
    nextBlock: of('/api/vm-transactions/mints/{id}/next-block', { path: { id: 'm1' }, query: { requestCount: 3 } }, null),
    otherMint: of('/api/vm-transactions/mints/{id}/next-block', { path: { id: 'm2' } }, null),
    events: eventsQueryOptions(api, { account: 'alice' }).queryKey,
    me: of('/api/account/me'),
    tokens: of('/api/tokens', undefined, null),
    bob: of('/api/account/trading-wallet/balance', undefined, 'bob'),
    elsewhere: queryOptions(createApi({ baseUrl: 'http://other' }), '/api/transactions', { account: 'alice' }).queryKey,
    foreign: ['todos'],
  };
  for (const key of Object.values(keys)) queries.setQueryData(key, {});
  await queries.invalidateQueries(invalidateFor(api, { sequence: 1, ...event }, { account }));
  return Object.keys(keys).filter((name) => queries.getQueryState(keys[name]).isInvalidated);
}

test('an event makes out of date what it is about, of its account and of the public', async () => {
  const data = { before: 'signed', after: 'inMempool' };
  for (const [event, stale] of [
    [{ type: 'transaction.stateChanged', data: { ...data, txId: 'ab' } }, ['balance', 'transactions', 'transaction', 'pages']],
    [{ type: 'xchain.statusChanged', data: { ...data, txId: '0xother' } }, ['swap']],
    [{ type: 'vmTransaction.stateChanged', data: { ...data, txId: 'cd' } }, [
      'balance', 'transactions', 'other', 'pages', 'mint', 'nextBlock', 'otherMint',
    ]],
    [{ type: 'refund.stateChanged', data: { ...data, txId: 'AB' } }, ['balance', 'transactions', 'transaction', 'pages', 'refund']],
    [{ type: 'export.completed', data: { ...data, exportId: 'e1' } }, ['export']],
    [{ type: 'export.failed', data: { ...data, exportId: 'e2' } }, []],
    [{ type: 'session.ended', data: { ...data, sessionId: 's' } }, ['sessions']],
    [{ type: 'deposit.seen', data: { ...data, depositId: 'ab:0' } }, ['balance', 'deposits']],
    [{ type: 'deposit.confirmed', data: { ...data, depositId: 'ab:0' } }, ['balance', 'deposits']],
    [{ type: 'coins.renewalAdvised', data: { ...data, blockHeight: 7 } }, ['balance']],
    [{ type: 'coins.renewalNeeded', data: { ...data, blockHeight: 7 } }, ['balance']],
    [{ type: 'vmBlock.filled', data: { before: '1', after: '2', mintId: 'm1' } }, ['mint', 'nextBlock']],
    [{ type: 'mint.stateChanged', data: { ...data, mintId: 'm1' } }, ['mint', 'nextBlock']],
    [{ type: 'of.tomorrow', data }, []],
  ]) assert.deepEqual(await invalidatedBy(event), stale, event.type);
  // A mint that is watched without an account.
  const filled = { type: 'vmBlock.filled', data: { before: '1', after: '2', mintId: 'm2' } };
  assert.deepEqual(await invalidatedBy(filled, { account: null }), ['otherMint']);
});

test('each type of events that the service documents makes something out of date', async () => {
  const document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'));
  const paths = Object.keys(document.paths);
  for (const type of Object.keys(document.components.schemas.EventItem.discriminator.mapping)) {
    const { predicate } = invalidateFor(createApi({ baseUrl: 'http://service' }), { type, data: {} }, { account: null });
    assert.ok(paths.some((path) => predicate({ queryKey: ['runeport', 'http://service', null, path] })), type);
  }
});
