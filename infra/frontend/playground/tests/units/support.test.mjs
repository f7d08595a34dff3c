// What the support page says of each row, where its links lead, and the page that is written for one service.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { pageFor } from '../../scripts/support-page.mjs';
import { load } from './library.mjs';

process.env.TZ = 'UTC';
const words = await load('support/words.ts');
const { hashOf, LISTS, onlyPlace, placeOf } = await load('support/place.ts');
const read = (path) => readFile(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
const { components: { schemas } } = JSON.parse(await read('infra/openapi.json'));

const NOW = Date.UTC(2026, 10, 27, 12, 34);
const MINUTE = 60_000;
const txId = 'ab'.repeat(32);
const row = {
  id: txId, txId, type: 'withdraw', state: 'unsigned', tokenId: '0:0', amount: '50000', withdrawTo: 'bcrt1q', feeSats: 300, replaceTxId: null,
  replacedByTxId: null, blockHeight: null, createdAt: NOW - 30 * MINUTE,
};
const one = (state, history, more = {}) => ({
  ...row, state, expiresAt: null, confirmations: null, isFinal: false, accountId: 'a', email: null, failing: null, blocked: null,
  history: history.map(([name, minutes]) => ({ state: name, at: NOW - minutes * MINUTE })), ...more,
});

test('each state of a withdrawal is a sentence that says since when', () => {
  for (const [shown, said] of [
    [row, 'Waits for the customer’s signature since 12:04.'],
    [one('unsigned', [['unsigned', 5]], { expiresAt: NOW + 5 * MINUTE }), 'Waits for the customer’s signature since 12:29. If it is not signed, it ends at 12:39.'],
    [one('signing', [['unsigned', 9], ['signing', 8]]), 'The customer signed it at 12:26. It waits for the platform’s signature.'],
    [
      one('signing', [['signing', 8]], { blocked: 'promise' }),
      'The customer signed it at 12:26. It waits for the platform’s signature. The platform does not sign it: a coin is gone, or it would no longer do what was promised.',
    ],
    [one('broadcasting', [['broadcasting', 3]]), 'Signed by the customer and the platform. The service has been sending it to the network since 12:31.'],
    [one('inMempool', [['broadcasting', 12], ['inMempool', 10]]), 'Broadcast 10 minutes ago. No block has it yet: 0 of 7 confirmations.'],
    [
      one('inMempool', [['inMempool', 10]], { failing: { times: 4, since: NOW - 9 * MINUTE, stuckAt: null, cause: 'esplora: no answer' } }),
      'Broadcast 10 minutes ago. No block has it yet: 0 of 7 confirmations. The worker has failed 4 times since 12:25: esplora: no answer.',
    ],
    [
      one('broadcasting', [['broadcasting', 3]], { failing: { times: 1, since: NOW - 2 * MINUTE, stuckAt: NOW, cause: 'No answer.' } }),
      'Signed by the customer and the platform. The service has been sending it to the network since 12:31. It is stuck: the worker has failed 1 time since 12:32: No answer.',
    ],
    [{ ...row, state: 'confirmed', blockHeight: 1234 }, 'Confirmed in block 1,234.'],
    [one('confirmed', [['confirmed', 1]], { blockHeight: 1234, confirmations: 3 }), 'Confirmed in block 1,234: 3 of 7 confirmations.'],
    [one('confirmed', [['confirmed', 90]], { blockHeight: 1234, confirmations: 9, isFinal: true }), 'Confirmed in block 1,234, permanently.'],
    [one('replaced', [['replaced', 1]], { replacedByTxId: 'cd'.repeat(32) }), 'Replaced by the version cdcdcd…cdcdcd.'],
  ]) assert.equal(words.whereIs(shown, NOW), said);
  // A time of another day has its date.
  assert.equal(words.whereIs({ ...row, createdAt: NOW - 24 * 60 * MINUTE }, NOW), 'Waits for the customer’s signature since 26 Nov 2026, 12:34.');
});

test('every state that the service knows has a sentence, for each kind of row', () => {
  const sentences = (name, say) => {
    const said = schemas[name].enum.map(say);
    for (const [index, text] of said.entries()) assert.match(text ?? '', /^[A-Z0-9].*[.]$/, `${name} ${schemas[name].enum[index]}`);
    assert.equal(new Set(said).size, said.length, name);
  };
  const crossChain = { type: 'swap', createdAt: NOW, updatedAt: NOW, failedAtStep: null, failureReason: null };
  const deposit = { createdAt: NOW, seenAt: null, blockHeight: 7, confirmations: 2 };
  const batch = { createdAt: NOW, requestsInMempoolCount: 1, requestsInBlocksCount: 2, distributeRuneAt: null };
  const file = { createdAt: NOW, completedAt: null, rowCount: 3, sizeBytes: 4, error: null };
  sentences('TransactionState', (state) => words.whereIs({ ...row, state }, NOW));
  sentences('XchainStatus', (status) => words.whereIsCrossChain({ ...crossChain, status }, NOW));
  sentences('DepositState', (state) => words.whereIsDeposit({ ...deposit, state }, NOW));
  sentences('VmState', (state) => words.whereIsBatch({ ...batch, state }, NOW));
  sentences('ExportStatus', (status) => words.whereIsExport({ ...file, status }, NOW));
  sentences('WebhookOff', (offReason) => words.howIsWebhook({ state: 'off', offReason, failures: null }, NOW));
  for (const type of schemas.Kind.enum) assert.ok(words.TYPES[type], type);
  for (const method of schemas.AuthMethod.enum) assert.ok(words.methodOf({ authMethod: method }), method);
  assert.equal(
    words.whereIsCrossChain({ ...crossChain, status: 'failed', failedAtStep: 'fill', failureReason: 'No solver' }, NOW),
    'Failed at 12:34, at the step fill. No solver.',
  );
  const failures = { tries: 2, since: NOW - MINUTE, nextAt: NOW + MINUTE, cause: 'The receiver answered with the status 500.' };
  assert.equal(
    words.howIsWebhook({ state: 'on', offReason: null, failures }, NOW),
    'On. It has failed 2 times since 12:33: The receiver answered with the status 500. It tries again at 12:35.',
  );
});

test('seven confirmations are final, as the service counts', async () => {
  const [, final] = /pub const FINAL: u32 = (\d+);/.exec(await read('shared/chain/src/models/transaction.rs'));
  assert.equal(words.FINAL_AFTER, Number(final));
});

test('amounts have the unit of their token', () => {
  assert.equal(words.amountOf('0:0', '50000'), '0.0005 BTC');
  assert.equal(words.amountOf('840000:1', '123450', { symbol: 'DOG', divisibility: 2 }), '1,234.5 DOG');
  assert.equal(words.amountOf('840000:1', '123450', null), '123,450 in the smallest unit of 840000:1');
  assert.equal(words.amountOf(null, null), undefined);
  assert.equal(words.refundOf({ refundState: 'none', isRefundable: true, notTakenSats: 5000 }), '5,000 sats can be refunded.');
  assert.equal(words.refundOf({ refundState: 'none', isRefundable: false, notTakenSats: 0 }), undefined);
});

test('failed sign-ins of the last day and used-up limits are summed up', () => {
  const none = { hour: 0, password: 0, secondFactor: 0, passkey: 0, wallet: 0, emailToken: 0 };
  const failedProofs = [
    { ...none, lastAt: NOW - MINUTE, password: 2 }, { ...none, lastAt: NOW - 90 * MINUTE, password: 1, secondFactor: 1 },
    { ...none, lastAt: NOW - 48 * 60 * MINUTE, wallet: 9 },
  ];
  assert.equal(words.failedProofs({ failedProofs }, NOW), '3 wrong passwords, 1 wrong code, the last at 12:33');
  assert.equal(words.failedProofs({ failedProofs: failedProofs.slice(2) }, NOW), undefined);
  const limit = { counts: 'history exports', most: 10, left: 0, until: NOW + MINUTE };
  assert.deepEqual(words.refusedBy({ limits: [limit, { ...limit, left: 1 }, { ...limit, until: NOW - 1 }] }, NOW), ['history exports: all 10 are used up until 12:35']);
});

test('a link to each place survives', () => {
  const account = '018bcfe5-6800-7000-8000-000000000001';
  const places = [
    { view: 'start' }, { view: 'stuck', page: 1 }, { view: 'stuck', page: 3 }, { view: 'transaction', txId },
    ...['ann+tag@example.com', '=&#%', 'a=', 'JKJaXmPLvHcESHA='].map((text) => ({ view: 'search', text })),
    ...LISTS.map((list) => ({ view: 'account', account, list, page: 1, asOf: undefined, before: undefined, webhook: undefined })),
    { view: 'reads', admin: account, before: undefined }, { view: 'reads', admin: account, before: '1-2=' },
    { view: 'account', account, list: 'deposits', page: 2, asOf: 40, before: undefined, webhook: undefined },
    { view: 'account', account, list: 'webhooks', page: 1, asOf: undefined, before: '1-2=', webhook: 'w' },
  ];
  for (const place of places) assert.deepEqual(placeOf(hashOf(place)), place, hashOf(place));
  assert.equal(hashOf({ view: 'account', account, list: 'withdrawals', page: 1 }), `#account=${account}&list=withdrawals`);
  assert.equal(hashOf({ view: 'stuck', page: 1 }), '#stuck');
  for (const [hash, place] of [
    ['', { view: 'start' }], ['#', { view: 'start' }], ['#nonsense', { view: 'start' }], ['#account=', { view: 'start' }], ['#search=', { view: 'start' }],
    ['#stuck&page=-1', { view: 'stuck', page: 1 }],
  ]) assert.deepEqual(placeOf(hash), place, hash);
  assert.equal(placeOf(`#account=${account}&list=secrets&page=1e3`).list, 'withdrawals');
  assert.equal(placeOf(`#account=${account}&page=1e3`).page, 1);
});

test('what a search has found alone is shown right away', () => {
  const hit = { kind: 'account', id: 'a', accountId: 'a', email: null, foundBy: 'email', verified: null, state: 'active', createdAt: NOW };
  const found = (...data) => onlyPlace({ data, metaData: { forms: [], logsQuery: null } });
  const account = (list) => ({ view: 'account', account: 'a', list, page: 1 });
  assert.deepEqual(found(hit), account('withdrawals'));
  assert.deepEqual(found({ ...hit, kind: 'crossChain', id: txId }), account('swaps'));
  assert.deepEqual(found({ ...hit, kind: 'crossChain', id: txId, verified: true }), account('swaps'));
  assert.deepEqual(found({ ...hit, kind: 'export', id: 'e' }), account('exports'));
  // Anyone may register a swap: it is listed with what the hub says of it.
  const claimed = { ...hit, kind: 'crossChain', id: txId, foundBy: 'intentHash', verified: false };
  assert.equal(found(claimed), undefined);
  assert.match(words.foundBy(claimed), /not confirmed by the hub$/);
  assert.doesNotMatch(words.foundBy({ ...claimed, verified: true }), /hub$/);
  for (const kind of ['transaction', 'batch', 'refund']) assert.deepEqual(found({ ...hit, kind, id: txId }), { view: 'transaction', txId });
  // Several hits, none, and what belongs to the platform are listed.
  for (const hits of [[], [hit, hit], [{ ...hit, kind: 'mint', accountId: null }], [{ ...hit, kind: 'payout', accountId: null }]]) assert.equal(found(...hits), undefined);
  for (const kind of ['account', 'transaction', 'batch', 'refund', 'payout', 'crossChain', 'mint', 'export']) assert.ok(words.KINDS[kind], kind);
});

test('the page for a service calls it, and its policy allows no other', async () => {
  const html = await readFile(new URL('../../dist/support/index.html', import.meta.url), 'utf8');
  assert.match(html, /content="default-src &#39;none&#39;; script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39;;[^"]*connect-src &#39;self&#39;;/);
  assert.doesNotMatch(html, /(?:src|href)="(?!\.\/)/);
  assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|style=/);
  const page = pageFor(html, 'https://api.example.com/');
  assert.match(page, /name="runeport-api" content="https:\/\/api\.example\.com"/);
  assert.match(page, /; connect-src https:\/\/api\.example\.com;/);
  assert.match(pageFor(html, 'https://example.com/v1/'), /content="https:\/\/example\.com\/v1".*connect-src https:\/\/example\.com;|connect-src https:\/\/example\.com;[^]*content="https:\/\/example\.com\/v1"/);
  assert.match(pageFor(html, 'http://127.0.0.1:9000'), /connect-src http:\/\/127\.0\.0\.1:9000;/);
  for (const wrong of ['http://api.example.com', 'api.example.com', 'https://user@example.com', 'https://example.com?a=1', 'javascript:alert(1)', '']) {
    assert.throws(() => pageFor(html, wrong), wrong);
  }
  // A page that is already for one service cannot become another's by mistake.
  assert.throws(() => pageFor(page, 'https://other.example.com'));
});
