// What admins read of other accounts: which paths are asked, and what comes back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  getSupportAccount, getSupportTransaction, listPayouts, listStuckRows, listSupportDeliveries, listSupportReads, listSupportRows,
  listSupportWebhooks, searchSupport,
} from '@runeport/client/support';

import { ok, played, problem } from './service.mjs';

const account = '018bcfe5-6800-7000-8000-000000000001';
const webhook = '018bcfe5-6800-7000-8000-000000000002';

test('a search returns hits, forms and the query for the logs', async () => {
  const hit = { kind: 'account', id: account, accountId: account, email: 'a+b@example.com', foundBy: 'email', verified: null, state: 'active', createdAt: 1 };
  const { api, requests } = played(() => ok([hit], { totalItems: 1, forms: ['email'], logsQuery: null }));
  assert.deepEqual(await searchSupport(api, 'a+b@example.com'), { hits: [hit], forms: ['email'], logsQuery: null });
  const [{ method, path, query }] = requests;
  assert.deepEqual([method, path, query], ['GET', '/api/support/search', { q: 'a+b@example.com' }]);
});

test('each function asks its path', async () => {
  const { api, requests } = played(() => ok([{ id: 'x' }], { next: 'n' }));
  const txId = '11'.repeat(32);
  const calls = [
    [getSupportAccount(api, account), `/api/support/accounts/${account}`, {}],
    [listSupportWebhooks(api, account), `/api/support/accounts/${account}/webhooks`, {}],
    [
      listSupportDeliveries(api, account, webhook, { before: '1-2', limit: 5 }),
      `/api/support/accounts/${account}/webhooks/${webhook}/deliveries`, { before: '1-2', limit: '5' },
    ],
    [getSupportTransaction(api, txId), `/api/support/transactions/${txId}`, {}],
    [listStuckRows(api, { sort: 'since', pageSize: 100 }), '/api/support/stuck', { sort: 'since', pageSize: '100' }],
    [listPayouts(api), '/api/support/payouts', {}],
    [listSupportReads(api, { accountId: account }, { limit: 5 }), '/api/support/reads', { accountId: account, limit: '5' }],
    [listSupportReads(api, { adminId: account }), '/api/support/reads', { adminId: account }],
    ...['transactions', 'cross-chain', 'deposits', 'batches', 'refunds', 'exports', 'activity'].map((list) => [
      listSupportRows(api, account, list, { pageSize: 5, sort: 'createdAt' }),
      `/api/support/accounts/${account}/${list}`, { pageSize: '5', sort: 'createdAt' },
    ]),
  ];
  for (const [answer, path, query] of calls) {
    assert.ok(await answer, path);
    assert.ok(requests.some((request) => request.method === 'GET' && request.path === path
      && JSON.stringify(request.query) === JSON.stringify(query)), path);
  }
  assert.equal(requests.length, calls.length);
});

test('a page has its position, and a refusal is an error', async () => {
  const metaData = { totalItems: 1, currentPage: 1, pageSize: 10, totalPages: 1, asOf: 1 };
  const { api } = played(({ path }) => (path.endsWith('refunds') ? ok([], metaData) : problem(403, '1007', 'common.forbidden')));
  assert.deepEqual((await listSupportRows(api, account, 'refunds')).metaData, metaData);
  for (const refused of [searchSupport(api, 'x'), listStuckRows(api), listSupportRows(api, account, 'transactions')]) {
    await assert.rejects(refused, { key: 'common.forbidden' });
  }
});
