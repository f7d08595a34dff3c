// Swaps: registered, followed to their end, and resumed after a reload.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { followSwap, registerSwap, swapStatus, watchSwap } from '@runeport/client/swaps';

import { DOWN, ok, played, problem, simulatedTime } from './service.mjs';

const swap = {
  intentTxHash: `0x${'11'.repeat(32)}`,
  spokeTxHash: `0x${'22'.repeat(32)}`,
  walletAddress: '0xb483d87d0ef3af2fadbe88ff7228b535f3875011',
  inputToken: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  outputToken: 'So11111111111111111111111111111111111111112',
  inputAmount: '1000000',
  minOutputAmount: '990000',
  srcChain: 42_161,
  dstChain: 1,
  srcAddress: '0xb483d87d0ef3af2fadbe88ff7228b535f3875011',
  dstAddress: 'So11111111111111111111111111111111111111112',
};
const REGISTER = '/api/xchain/transactions/register';
const pathOf = (txId) => `/api/xchain/transactions/${txId}/status`;
const FINAL = ['filled', 'failed', 'refunded'];

const statusOf = (status, more = {}) => ({
  txId: swap.intentTxHash, status, isFinal: FINAL.includes(status), stale: false, verified: status !== 'registered',
  srcChain: 42_161, dstChain: 1, updatedAt: 1, history: [{ status, at: 1 }], ...more,
});

/** A service that knows the registered swaps, and whose hub advances through these statuses, one per poll. */
function service(statuses, registered = new Map()) {
  let at = 0;
  return played(({ method, path, body }) => {
    if (method === 'POST') {
      assert.equal(path, REGISTER);
      const known = registered.get(body.intentTxHash);
      if (known !== undefined && known !== JSON.stringify(body)) return problem(409, '8001', 'xchain.registered');
      registered.set(body.intentTxHash, JSON.stringify(body));
      return ok({ registered: known === undefined });
    }
    if (![...registered.keys()].map(pathOf).includes(path)) return problem(404, '8003', 'xchain.notFound');
    const next = statuses[Math.min(at, statuses.length - 1)];
    at += 1;
    return next === DOWN ? DOWN : ok(next);
  }, { retryFor: 0 });
}

test('a swap is registered and followed to its end', async () => {
  const { api, requests } = service(['registered', 'pending', 'pending', 'relaying', 'filled'].map((status) => statusOf(status)));
  const seen = [];
  const last = await followSwap(api, swap, { interval: 1, onProgress: ({ status }) => seen.push(status) });
  assert.deepEqual(last, statusOf('filled'));
  assert.deepEqual(seen, ['registered', 'pending', 'relaying', 'filled']);
  const [{ method, path, body }, ...polls] = requests;
  assert.deepEqual([method, path, body], ['POST', REGISTER, swap]);
  assert.deepEqual(polls.map((poll) => `${poll.method} ${poll.path}`), Array(5).fill(`GET ${pathOf(swap.intentTxHash)}`));
});

test('a swap that fails or is refunded is an outcome, and not an error', async () => {
  for (const end of [statusOf('failed', { failedAtStep: 'verification', failureReason: 'dstChain' }), statusOf('refunded')]) {
    assert.deepEqual(await followSwap(service([statusOf('pending'), end]).api, swap, { interval: 1 }), end);
  }
});

test('after a reload, or a lost connection, the same call goes on', async () => {
  const registered = new Map();
  const first = service([statusOf('pending'), DOWN], registered);
  await assert.rejects(followSwap(first.api, swap, { interval: 1 }), { key: 'client.network' });

  // The page has kept the swap as JSON, and nothing else.
  const kept = JSON.parse(JSON.stringify(swap));
  const next = service([statusOf('relayed'), statusOf('filled')], registered);
  assert.deepEqual(await registerSwap(next.api, kept), { registered: false });
  const seen = [];
  await followSwap(next.api, kept, { interval: 1, onProgress: ({ status }) => seen.push(status) });
  assert.deepEqual(seen, ['relayed', 'filled']);
  assert.deepEqual([...registered.keys()], [swap.intentTxHash]);
});

test('a registration whose answer was lost is repeated, and changes nothing', async () => {
  const registered = new Map();
  const known = service([statusOf('filled')], registered);
  const lost = played(async ({ body }) => {
    registered.set(body.intentTxHash, JSON.stringify(body));
    return DOWN;
  }, { retryFor: 0 });
  await assert.rejects(followSwap(lost.api, swap), { key: 'client.network' });
  assert.equal((await followSwap(known.api, swap, { interval: 1 })).status, 'filled');
});

test('a swap that the service refuses is not followed', async () => {
  for (const [status, code, message] of [[400, '8002', 'xchain.contradicted'], [409, '8001', 'xchain.registered'], [429, '1013', 'common.rateLimited']]) {
    const { api, requests } = played(() => problem(status, code, message), { retryFor: 0 });
    await assert.rejects(followSwap(api, swap, { interval: 1 }), { key: message });
    assert.deepEqual(requests.map(({ path }) => path), [REGISTER]);
  }
  const { api, requests } = played(() => ok({ registered: true }));
  for (const wrong of [{ inputAmount: '0' }, { inputAmount: '1.5' }, { inputAmount: 1_000_000 }, { minOutputAmount: '' }, { minOutputAmount: '-1' }, { minOutputAmount: '00' }]) {
    await assert.rejects(registerSwap(api, { ...swap, ...wrong }), { key: 'client.amountInvalid' }, JSON.stringify(wrong));
  }
  assert.equal(requests.length, 0);
  assert.deepEqual(await registerSwap(api, { ...swap, minOutputAmount: '0' }), { registered: true });
});

test('a watch reports a silent hub, and skips a status that has not changed', async () => {
  const registered = new Map([[swap.intentTxHash, '']]);
  const stale = { stale: true };
  const { api, requests } = service([
    statusOf('pending'), statusOf('pending'), statusOf('pending', stale), statusOf('pending', stale), statusOf('pending'),
    statusOf('pending', { updatedAt: 2 }), statusOf('filled', { fillTxHash: 'f' }),
  ], registered);
  const seen = [];
  for await (const status of watchSwap(api, swap.intentTxHash, { interval: 1 })) seen.push([status.status, status.stale, status.updatedAt]);
  assert.deepEqual(seen, [['pending', false, 1], ['pending', true, 1], ['pending', false, 1], ['pending', false, 2], ['filled', false, 1]]);
  assert.equal(requests.length, 7);
});

test('a swap is found by its transaction on the source chain, and an unknown one is not', async () => {
  const { api, requests } = service([statusOf('filled')], new Map([[swap.spokeTxHash, '']]));
  assert.equal((await swapStatus(api, swap.spokeTxHash, { srcChain: 42_161 })).status, 'filled');
  await swapStatus(api, swap.spokeTxHash);
  assert.deepEqual(requests.map(({ query }) => query), [{ srcChain: '42161' }, {}]);
  const watching = watchSwap(api, swap.intentTxHash);
  await assert.rejects(watching.next(), { key: 'xchain.notFound' });
});

test('a watch polls every five seconds, and ends with its signal', async (context) => {
  const { until, at } = simulatedTime(context);
  const { api, requests } = service([statusOf('pending')], new Map([[swap.intentTxHash, '']]));
  const controller = new AbortController();
  const reason = new Error('enough');
  const following = followSwap(api, { ...swap, intentTxHash: `0x${'33'.repeat(32)}` }, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 12_000);
  await assert.rejects(until(following), (error) => error === reason);
  assert.ok(at() >= 12_000 && at() < 13_000, `${at()}`);
  assert.equal(requests.filter(({ method }) => method === 'GET').length, 3);
});

test('a listener that throws does not end the watch', async (context) => {
  const reported = context.mock.method(console, 'error', () => {});
  const { api } = service([statusOf('pending'), statusOf('filled')]);
  const onProgress = () => {
    throw new Error('of the page');
  };
  assert.equal((await followSwap(api, swap, { interval: 1, onProgress })).status, 'filled');
  assert.equal(reported.mock.callCount(), 2);
});
