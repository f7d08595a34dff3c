// The example of a bot, run as it is against a simulated service.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { base64, hex } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { pubECDSA } from '@scure/btc-signer/utils.js';

import { challengeText, ok, played, problem } from './service.mjs';
import { issued, key, stranger, trading, user } from './trading.mjs';

const folder = mkdtempSync(join(tmpdir(), 'runeport-bot-'));
const kept = join(folder, 'signed.json');
after(() => rmSync(folder, { recursive: true }));
Object.assign(process.env, {
  RUNEPORT_URL: 'http://service', RUNEPORT_NETWORK: 'regtest', RUNEPORT_KEY: hex.encode(key(1)), RUNEPORT_KEPT: kept, RUNEPORT_MOST_FEE: '1000',
});
// Node 22 has sockets; the simulated service has none.
globalThis.WebSocket = undefined;

const renewal = issued([{ sats: 60_000 }], [{ sats: 59_500, to: trading }]);

/** A service with this many renewals due. `create` and `sign` replace its answers; `happen` adds an event. */
function service({ due = 1, create = () => ok(renewal, { warnings: [] }, 201), sign = () => ok({ txId: renewal.txId, state: 'inMempool' }, undefined, 201) } = {}) {
  const events = [];
  let news = () => {};
  const list = (from) => ok(events.slice(from), { next: events.length, newest: events.length, oldest: 1, pollAfterMs: 0 });
  const paths = {
    'GET /auth/wallet/challenge': () => ok({ challengeId: 'c1', message: challengeText({ chain: 'Bitcoin', address: user.address }) }),
    'POST /auth/authenticate': () => ok({ accessToken: 'a', refreshToken: 'r', expiresIn: 600, account: { id: 'bot' }, tradingAddress: trading }),
    'POST /auth/logout': () => ok({}),
    'GET /api/account/trading-wallet': () => ok({ address: trading, platformPublicKey: hex.encode(pubECDSA(key(2))) }),
    'POST /api/transactions': () => {
      if (due === 0) return problem(400, '2018', 'bitcoin.nothingToRenew');
      due -= 1;
      return create();
    },
    'POST /api/transactions/sign': sign,
    'GET /api/events': ({ query, signal }) => {
      const from = Number(query.after ?? events.length);
      if (query.after === undefined || from < events.length) return list(from);
      // A list without news answers when there is one, or not at all.
      return new Promise((resolve, reject) => {
        news = () => resolve(list(from));
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
  const released = [];
  const { requests, fetch } = played((request) => {
    const { method, path } = request;
    if (method === 'DELETE') {
      released.push(path);
      return ok({ state: 'expired' });
    }
    return (paths[`${method} ${path}`] ?? assert.fail(`${method} ${path}`))(request);
  });
  globalThis.fetch = (request, init) => fetch(request.url ?? request, init ?? request);
  return {
    requests,
    released,
    made: () => requests.filter(({ method, path }) => `${method} ${path}` === 'POST /api/transactions'),
    sent: () => requests.filter(({ path }) => path === '/api/transactions/sign').map(({ body }) => body.params.signedBase64Tx),
    happen(type, more) {
      due = more;
      events.push({ sequence: events.length + 1, id: `e${events.length}`, type, data: { blockHeight: 800_000, before: null, after: 'advised' } });
      news();
    },
  };
}

let runs = 0;

/** Starts the bot as Node does; `stopped` stops it as a supervisor does. */
async function started(context) {
  const [said, failed] = [[], []];
  context.mock.method(console, 'log', (text) => said.push(text));
  context.mock.method(console, 'error', (text) => failed.push(text));
  runs += 1;
  const running = import(`../examples/bot/main.mjs?${runs}`);
  const until = async (isReady) => {
    for (let turn = 0; !isReady(); turn += 1) {
      assert.ok(turn < 2_000, `${said} ${failed}`);
      await new Promise((resolve) => { setTimeout(resolve, 1); });
    }
  };
  const stopped = async () => {
    process.emit('SIGTERM');
    await running;
    context.mock.restoreAll();
  };
  return { said, failed, until, stopped };
}

const ended = ({ requests }) => requests.at(-1).path === '/auth/logout';

test('it renews what is due, follows the events, and signs out at the end', async (context) => {
  const world = service({ due: 2 });
  const bot = await started(context);
  await bot.until(() => world.made().length === 3);
  assert.deepEqual(bot.said, Array(2).fill(`renewed in ${renewal.txId}: inMempool`));
  const watches = () => world.requests.some(({ path, query }) => path === '/api/events' && query.after !== undefined);
  await bot.until(watches);
  world.happen('deposit.seen', 1);
  world.happen('coins.renewalNeeded', 1);
  await bot.until(() => world.sent().length === 3);
  await bot.until(() => bot.said.length === 4);
  assert.equal(bot.said[2], 'coins.renewalNeeded: coins of block 800000');
  await bot.stopped();
  assert.deepEqual([bot.failed, readdirSync(folder), ended(world)], [[], [], true]);
  for (const { body } of world.made()) assert.deepEqual(body, { type: 'renew-utxo', params: {} });
  for (const psbt of world.sent()) assert.equal(RawPSBTV0.decode(base64.decode(psbt)).inputs[0].partialSig.length, 1);
});

test('a renewal of unknown outcome is sent again after a restart, and not built again', async (context) => {
  const lost = service({ sign: () => problem(500, '1000', 'common.internal') });
  const first = await started(context);
  await first.until(() => first.failed.length === 1);
  await first.stopped();
  assert.deepEqual(first.failed, ['common.internal: why']);
  const [psbt] = lost.sent();
  assert.deepEqual(JSON.parse(readFileSync(kept, 'utf8')), { base64Psbt: psbt, txId: renewal.txId });
  assert.deepEqual([readdirSync(folder), ended(lost)], [['signed.json'], true]);

  const world = service({ due: 0 });
  const next = await started(context);
  await next.until(() => world.made().length === 1);
  await next.stopped();
  assert.deepEqual(world.sent(), [psbt]);
  assert.deepEqual([next.said, next.failed, readdirSync(folder)], [[`submitted ${renewal.txId} again: inMempool`], [], []]);
  const paths = world.requests.map(({ path }) => path);
  assert.ok(paths.indexOf('/api/transactions/sign') < paths.indexOf('/api/transactions'), 'it sends before it builds');
});

test('a kept renewal that the service refuses is forgotten', async (context) => {
  writeFileSync(kept, JSON.stringify({ base64Psbt: renewal.base64Psbt, txId: renewal.txId }));
  const world = service({ sign: () => problem(409, '2015', 'bitcoin.reservationExpired') });
  const bot = await started(context);
  await bot.until(() => bot.failed.length === 1);
  await bot.stopped();
  assert.deepEqual([bot.failed, world.sent(), world.made(), readdirSync(folder)], [['bitcoin.reservationExpired: why'], [renewal.base64Psbt], [], []]);
});

test('it signs no renewal that pays others, or more than its fee', async (context) => {
  for (const outputs of [[{ sats: 30_000, to: stranger }, { sats: 29_500, to: trading }], [{ sats: 58_999, to: trading }]]) {
    const wrong = issued([{ sats: 60_000 }], outputs);
    const world = service({ create: () => ok(wrong, { warnings: [] }, 201) });
    const bot = await started(context);
    await bot.until(() => bot.failed.length === 1);
    await bot.stopped();
    assert.match(bot.failed[0], /^client\.psbtRefused: /);
    assert.deepEqual([world.sent(), world.released, readdirSync(folder)], [[], [`/api/transactions/${wrong.txId}`], []]);
  }
});

test('it does not start without a key, or with a fee that is no number', async () => {
  for (const [name, wrong] of [['RUNEPORT_KEY', 'ab'], ['RUNEPORT_KEY', ''], ['RUNEPORT_MOST_FEE', '1e9'], ['RUNEPORT_MOST_FEE', '0']]) {
    const right = process.env[name];
    process.env[name] = wrong;
    runs += 1;
    await assert.rejects(import(`../examples/bot/main.mjs?${runs}`), { message: new RegExp(`^Set ${name} `) });
    process.env[name] = right;
  }
});
