// What the tests of example frontends share: a wallet of the browser, and a service.

import assert from 'node:assert/strict';

import { base64, hex } from '@scure/base';
import { pubECDSA } from '@scure/btc-signer/utils.js';

import { challengeText, ok, played } from './service.mjs';
import { issued, key, recipient, trading, user } from './trading.mjs';

/** Waits until everything that is under way has happened. */
export async function settled() {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
}

/** UniSat, as its documentation says. */
export const unisat = () => ({
  requestAccounts: async () => [user.address],
  getPublicKey: async () => user.publicKey,
  signMessage: (text) => user.signMessage(text),
  signPsbt: async (psbt, { toSignInputs }) =>
    hex.encode(base64.decode(await user.signPsbt(base64.encode(hex.decode(psbt)), toSignInputs.map(({ index }) => index)))),
});

/** A withdrawal of 30,000 sats. */
export const told = issued([{ sats: 60_000 }], [{ sats: 30_000, to: recipient.address }, { sats: 29_000, to: trading }]);

/** A service whose account has this balance; `sign` answers a signed transaction, `happen` adds an event. */
export function service(sign) {
  const events = [];
  const listed = [];
  const paths = {
    'GET /auth/wallet/challenge': () => ok({ challengeId: 'c1', message: challengeText({ chain: 'Bitcoin', address: user.address }) }),
    'POST /auth/authenticate': () => ok({
      accessToken: `h.${Buffer.from('{"sub":"alice"}').toString('base64url')}.s`, refreshToken: 'r', expiresIn: 600, account: { id: 'alice' }, tradingAddress: trading,
    }),
    'GET /api/account/trading-wallet': () => ok({ address: trading, platformPublicKey: hex.encode(pubECDSA(key(2))) }),
    'GET /api/account/trading-wallet/balance': () => ok({
      btc: { available: 60_000, incoming: { external: 5_000, own: 0 } }, runes: [{ name: 'UNCOMMON•GOODS', confirmed: '125', divisibility: 1 }],
    }, { checks: {} }),
    'GET /api/transactions': () => ok(listed),
    'POST /api/transactions': () => ok(told, { warnings: [], expiresInBlocks: 9_000, amount: '30000', left: 0, coinsLeftAside: {} }, 201),
    'POST /api/transactions/sign': sign,
    'POST /auth/logout': () => ok({}),
    [`DELETE /api/transactions/${told.txId}`]: () => ok({ txId: told.txId, state: 'expired' }),
    'GET /api/events': async ({ query: { after } }) => {
      const page = after === undefined ? [] : events.slice(Number(after));
      // A list without news does not answer, so that the test is not kept running.
      if (after !== undefined && page.length === 0) return new Promise((resolve) => { answer = () => resolve(list(Number(after))); });
      return list(after === undefined ? 0 : Number(after));
    },
  };
  let answer = () => {};
  const list = (after) => ok(events.slice(after), { next: events.length, newest: events.length, oldest: 1, pollAfterMs: 0 });
  const { requests, fetch } = played((request) => (paths[`${request.method} ${request.path}`] ?? assert.fail(`${request.method} ${request.path}`))(request));
  globalThis.fetch = (request, init) => fetch(request.url ?? request, init ?? request);
  const happen = (type, data) => {
    events.push({ sequence: events.length + 1, id: `e${events.length}`, type, data });
    answer();
  };
  return { requests, happen, listed, posts: () => requests.filter(({ path }) => path === '/api/transactions/sign') };
}
