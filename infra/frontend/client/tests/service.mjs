// A simulated service for the tests in this folder.

import { createApi, memoryTokenStore } from '@runeport/client';

/** A successful response. */
export const ok = (data, metaData, status = 200) => ({
  status, body: { code: '1', message: 'common.success', data, ...(metaData && { metaData }) },
});

/** An error response. */
export const problem = (status, code, message, more = {}) => ({
  status, body: { code, message, details: 'why', requestId: 'r', ...more.body }, headers: more.headers,
});

/** Simulates a network failure. */
export const DOWN = Symbol('down');

/**
 * A client of a service that `answer` simulates. `answer` receives `{method, path, query, headers, body,
 * signal}` and returns the result of `ok` or `problem`, or `DOWN`.
 */
export function played(answer, options = {}) {
  const requests = [];
  const fetch = async (url, { method, headers, body, signal, redirect }) => {
    signal?.throwIfAborted();
    const { pathname: path, searchParams } = new URL(url);
    const request = {
      method, path, query: Object.fromEntries(searchParams), headers: Object.fromEntries(headers),
      body: body ? JSON.parse(body) : undefined, signal, redirect,
    };
    requests.push(request);
    const said = await answer(request, requests.length);
    if (said === DOWN) throw new TypeError('fetch failed');
    const text = typeof said.body === 'string' ? said.body : JSON.stringify(said.body);
    return new Response(text, { status: said.status, headers: said.headers });
  };
  const api = createApi({ baseUrl: 'http://service', fetch, tokens: memoryTokenStore(), ...options });
  return { api, requests, fetch };
}

/**
 * Time that passes only while a test waits for a promise with `until`; `at` says how much has passed, in
 * milliseconds, in steps of `step`. `random` replaces `Math.random`.
 */
export function simulatedTime(context, random = Math.random, step = 50) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  context.mock.method(Math, 'random', random);
  const until = async (promise) => {
    let over = false;
    const ended = promise.then((value) => [value], (error) => [undefined, error]).finally(() => { over = true; });
    for (;;) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      if (over) break;
      now += step;
      context.mock.timers.tick(step);
    }
    const [value, error] = await ended;
    if (error) throw error;
    return value;
  };
  return { until, at: () => now };
}

/** The text of a challenge, as `shared/identity/src/wallet/sign_in_text.rs` writes it. */
export const challengeText = ({
  domain = 'app.example.org', chain = 'Ethereum', address = '0x1', purpose = 'sign in', account, id = 'c1',
} = {}) => [
  `${domain} wants you to sign in with your ${chain} account:`, address, '',
  `Prove to Runeport that this wallet is yours. This costs nothing and moves nothing. Purpose: ${purpose}.${account ? ` Account: ${account}.` : ''}`, '',
  `URI: https://${domain}/sign-in`, 'Version: 1', 'Chain ID: 1', 'Nonce: k3JdP0vQ8sXz', 'Issued At: 2026-03-01T12:00:00.123Z',
  'Expiration Time: 2026-03-01T12:05:00.123Z', `Request ID: ${id}`,
].join('\n');

export const tokens = (n) => ({ accessToken: `access ${n}`, refreshToken: `refresh ${n}`, expiresAt: 0 });
