import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

import {
  call, createApi, memoryDeviceStore, memoryTokenStore, pages, reauthenticateWithMessage, rows, RuneportError, signInWithWallet, signOut,
  webStorageTokenStore,
} from '@runeport/client';
import { challengeText, DOWN, ok, played, problem, simulatedTime, tokens } from './service.mjs';

const expired = problem(401, '4003', 'auth.tokenExpired');
const pair = (n) => ok({ accessToken: `access ${n}`, refreshToken: `refresh ${n}`, expiresIn: 600 });
const me = (api) => call(api, 'get', '/api/account/me');
const isRefresh = ({ path }) => path === '/auth/refresh-token';

/** A service that takes the active refresh token only. */
function rotating() {
  let current = 1;
  const store = memoryTokenStore(tokens(0));
  const made = played(async ({ path, headers, body }) => {
    // Other calls begin before this one is answered.
    await turn();
    if (path === '/auth/refresh-token') {
      if (body.refreshToken !== `refresh ${current - 1}`) return problem(400, '4005', 'auth.invalidRefreshToken');
      current += 1;
      return pair(current - 1);
    }
    return headers.authorization === `Bearer access ${current}` || current > 1 && headers.authorization === `Bearer access ${current - 1}`
      ? ok({ id: 'me' }) : expired;
  }, { tokens: store });
  return { ...made, store };
}

test('concurrent calls share one refresh', async () => {
  const { api, requests, store } = rotating();
  const answers = await Promise.all(Array.from({ length: 8 }, () => me(api)));
  assert.equal(answers.length, 8);
  assert.equal(requests.filter(isRefresh).length, 1);
  assert.deepEqual((await store.get()).refreshToken, 'refresh 1');
});

test('a call whose 401 arrives after the refresh uses the new token', async () => {
  const gates = [];
  const { api, requests } = played(({ path, headers }) => {
    if (path === '/auth/refresh-token') return pair(1);
    if (headers.authorization === 'Bearer access 1') return ok({});
    return new Promise((resolve) => gates.push(() => resolve(expired)));
  }, { tokens: memoryTokenStore(tokens(0)) });
  const [first, late] = [me(api), me(api)];
  while (gates.length < 2) await turn();
  gates[0]();
  await first;
  gates[1]();
  await late;
  assert.equal(requests.filter(isRefresh).length, 1);
});

test('after a refresh, a call is repeated once', async () => {
  const { api, requests } = played(({ path }) => (path === '/auth/refresh-token' ? pair(1) : expired), {
    tokens: memoryTokenStore(tokens(0)),
  });
  await assert.rejects(me(api), { key: 'auth.tokenExpired', status: 401 });
  assert.deepEqual(requests.map(({ path }) => path), ['/api/account/me', '/auth/refresh-token', '/api/account/me']);
});

test('if the session has ended, the tokens are removed and the refresh is not repeated', async () => {
  const store = memoryTokenStore(tokens(0));
  const { api, requests } = played(({ path }) =>
    path === '/auth/refresh-token' ? problem(400, '4005', 'auth.invalidRefreshToken') : expired, { tokens: store });
  await assert.rejects(me(api), { key: 'auth.tokenExpired' });
  assert.equal(await store.get(), undefined);
  assert.equal(requests.filter(isRefresh).length, 1);
});

test('if a refresh gets no response, the tokens remain and the refresh is not repeated', async () => {
  const store = memoryTokenStore(tokens(0));
  const { api, requests } = played(({ path }) => (path === '/auth/refresh-token' ? DOWN : expired), { tokens: store });
  await assert.rejects(me(api), { key: 'client.network' });
  assert.deepEqual(await store.get(), tokens(0));
  assert.equal(requests.filter(isRefresh).length, 1);

  const busy = played(({ path }) => (path === '/auth/refresh-token'
    ? problem(429, '1013', 'common.rateLimited', { headers: { 'retry-after': '7' } }) : expired), { tokens: store });
  await assert.rejects(me(busy.api), { key: 'common.rateLimited', retryAfter: 7 });
  assert.deepEqual(await store.get(), tokens(0));
});

test('a sign-in during a refresh keeps its new session', async () => {
  const store = memoryTokenStore(tokens(0));
  const { api } = played(async ({ path, headers }) => {
    if (path === '/auth/refresh-token') {
      await store.set(tokens(9));
      return pair(1);
    }
    return headers.authorization === 'Bearer access 9' ? ok({}) : expired;
  }, { tokens: store });
  await me(api);
  assert.deepEqual(await store.get(), tokens(9));
});

test('other 401 errors cause no refresh', async () => {
  const { api, requests } = played(() => problem(401, '4024', 'auth.reauthRequired'), { tokens: memoryTokenStore(tokens(0)) });
  await assert.rejects(me(api), { key: 'auth.reauthRequired' });
  assert.equal(requests.length, 1);
});

/** A service that wants a recent authentication for one call; a proof renews the session's tokens. */
function guarded(onReauth, prove = () => ok({ accessToken: token('me', 1), refreshToken: 'renewed', expiresIn: 600, deviceToken: 'd' })) {
  const recent = new Set();
  const made = played(({ path, body, headers }) => {
    if (path === '/auth/reauthenticate') {
      const answer = prove(body);
      if (answer.status === 200) recent.add(`Bearer ${answer.body.data.accessToken}`);
      return answer;
    }
    if (path === '/auth/refresh-token') return ok({ accessToken: token('me', 2), refreshToken: 'refreshed', expiresIn: 600 });
    return recent.has(headers.authorization) ? ok({}) : problem(401, '4024', 'auth.reauthRequired');
  }, { tokens: memoryTokenStore({ accessToken: token('me', 0), refreshToken: 'first', expiresAt: 1 }), onReauth });
  return { ...made, paths: () => made.requests.map(({ path }) => path) };
}
const token = (sub, n, sid = 'session') => `${n}.${Buffer.from(JSON.stringify({ sub, sid })).toString('base64url')}.signature`;
const bitcoin = { chain: 'bitcoin', address: 'a', publicKey: 'k', provider: 'w', signMessage: async () => 'signature' };
const byMessage = (api) => reauthenticateWithMessage(api, bitcoin, () => 'Sign in: 1');
const setUp = (api) => call(api, 'post', '/api/account/2fa/setup');

test('onReauth runs once for all calls that wait for it, and each is sent once more', async () => {
  let asked = 0;
  const { api, paths, requests } = guarded(async (given) => {
    asked += 1;
    await turn();
    await byMessage(given);
    return true;
  });
  await Promise.all([setUp(api), setUp(api), setUp(api)]);
  assert.equal(asked, 1);
  assert.equal(paths().filter((path) => path === '/auth/reauthenticate').length, 1);
  assert.equal(paths().filter((path) => path === '/api/account/2fa/setup').length, 6);
  const proof = requests.find(({ path }) => path === '/auth/reauthenticate');
  assert.equal(proof.headers.authorization, `Bearer ${token('me', 0)}`);
  assert.deepEqual(proof.body, { message: 'Sign in: 1', signature: 'signature', address: 'a', publicKey: 'k' });
  assert.equal((await api.tokens.get()).refreshToken, 'renewed');
  await setUp(api);
  assert.equal(asked, 1, 'the next call needs no proof');
});

test('a call is repeated once, whatever it answers then', async () => {
  let asked = 0;
  const { api, paths } = guarded(async () => {
    asked += 1;
    return true;
  });
  await assert.rejects(setUp(api), { key: 'auth.reauthRequired' });
  assert.deepEqual([asked, paths().length], [1, 2]);
});

test('without a proof the call throws auth.reauthRequired, and an error of the hook passes through', async () => {
  const declined = guarded(async () => false);
  await assert.rejects(setUp(declined.api), { key: 'auth.reauthRequired', code: '4024', message: 'why' });
  assert.equal(declined.paths().length, 1);
  const failed = guarded(byMessage, () => problem(403, '1007', 'common.forbidden'));
  await assert.rejects(setUp(failed.api), { key: 'common.forbidden' });
  assert.equal((await failed.api.tokens.get()).refreshToken, 'first');
  // The next call asks again.
  await assert.rejects(setUp(failed.api), { key: 'common.forbidden' });
  assert.equal(failed.paths().filter((path) => path === '/auth/reauthenticate').length, 2);
});

test('if another account has signed in during the proof, the call is not repeated', async () => {
  const { api, paths } = guarded(async ({ tokens: store }) => {
    await store.set({ accessToken: token('another', 5, 'theirs'), refreshToken: 'theirs', expiresAt: 1 });
    return true;
  });
  await assert.rejects(setUp(api), { key: 'auth.reauthRequired' });
  assert.equal(paths().length, 1);
  // A renewal of a session that is no longer the current one does not replace it.
  await byMessage(api);
  assert.equal((await api.tokens.get()).refreshToken, 'theirs');
});

test('a refresh sends the token of the device', async () => {
  const { api, requests } = played(({ path }) => (path === '/auth/refresh-token' ? pair(1) : expired), {
    tokens: memoryTokenStore(tokens(0)), device: memoryDeviceStore('this device'),
  });
  await assert.rejects(me(api));
  assert.equal(requests.find(isRefresh).headers['device-token'], 'this device');
});

test('pages of one origin refresh in turn, and the second page uses the tokens of the first', async () => {
  const items = new Map();
  const storage = { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, value), removeItem: (key) => items.delete(key) };
  let last = Promise.resolve();
  const locks = { request: (_name, work) => (last = last.then(work, work)) };
  Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
  const store = () => webStorageTokenStore(storage);
  await store().set(tokens(0));
  let refreshes = 0;
  const answer = async ({ path, headers }) => {
    await turn();
    if (path === '/auth/refresh-token') {
      refreshes += 1;
      return pair(1);
    }
    return headers.authorization === 'Bearer access 1' ? ok({}) : expired;
  };
  await Promise.all([1, 2].map(() => me(played(answer, { tokens: store() }).api)));
  assert.equal(refreshes, 1);
  items.set('runeport.tokens', '{"accessToken":1}');
  assert.equal(store().get(), undefined);
  await store().set(undefined);
  assert.equal(items.size, 0);
});

test('a duplicate of a tab receives the tokens of its session, and of no other', async () => {
  const tab = (text) => {
    const items = new Map(text === undefined ? [] : [['runeport.tokens', text]]);
    const storage = { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, value), removeItem: (key) => items.delete(key) };
    const changed = [];
    return { storage, changed, store: webStorageTokenStore(storage, 'runeport.tokens', { onChange: (next) => changed.push(next) }) };
  };
  const of = (session, count) => ({
    accessToken: `.${Buffer.from(JSON.stringify({ sid: session, count })).toString('base64url')}.`, refreshToken: `${session} ${count}`, expiresAt: count,
  });
  const first = tab();
  await first.store.set(of('one', 1));
  const copy = tab(first.storage.getItem('runeport.tokens'));
  const other = tab();
  await other.store.set(of('two', 1));
  const heard = async (count) => {
    while (copy.changed.length < count) await turn();
  };
  await first.store.set(of('one', 2));
  await heard(1);
  assert.deepEqual(copy.store.get(), of('one', 2));
  // A sign-in as another user concerns the tab where it happens.
  await first.store.set(of('three', 1));
  await copy.store.set(of('one', 3));
  await copy.store.set(undefined);
  await first.store.set(of('three', 2));
  assert.deepEqual(first.store.get(), of('three', 2));
  const last = tab(JSON.stringify(of('one', 3)));
  await copy.store.set(of('one', 4));
  await copy.store.set(undefined);
  while (last.changed.length < 1) await turn();
  assert.deepEqual(last.changed, [undefined]);
  assert.equal(last.store.get(), undefined);
  assert.deepEqual(other.changed, []);
  assert.deepEqual(other.store.get(), of('two', 1));
});

const exportNow = (api, more) => call(api, 'post', '/api/download-histories', { body: { format: 'csv' }, ...more });

test('only GETs and POSTs with an idempotency key are repeated', async (context) => {
  const { until } = simulatedTime(context);
  const made = played((_request, count) => (count < 3 ? DOWN : ok({ id: 'x' }, undefined, 201)));
  assert.equal((await until(exportNow(made.api))).data.id, 'x');
  const keys = made.requests.map(({ headers }) => headers['idempotency-key']);
  assert.match(keys[0], /^[0-9a-f-]{36}$/);
  assert.deepEqual(keys, [keys[0], keys[0], keys[0]]);

  const again = played(() => ok({}, undefined, 201));
  await exportNow(again.api);
  await exportNow(again.api, { idempotencyKey: 'mine' });
  const [first, second] = again.requests.map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(first, keys[0]);
  assert.equal(second, 'mine');

  for (const answer of [DOWN, problem(503, '1009', 'common.unavailable')]) {
    const signIn = played(() => answer);
    await assert.rejects(call(signIn.api, 'post', '/auth/srp/init', { body: { email: 'a@b' } }), { code: answer === DOWN ? '0' : '1009' });
    assert.equal(signIn.requests.length, 1);
    assert.equal(signIn.requests[0].headers['idempotency-key'], undefined);
  }

  const read = played((_request, count) => (count < 2 ? DOWN : ok({})));
  await until(me(read.api));
  assert.equal(read.requests.length, 2);
});

test('GETs and keyed POSTs are repeated after 429, 502, 503 and 504, and after no other status', async (context) => {
  const { until } = simulatedTime(context);
  for (const [status, code] of [[429, '1013'], [502], [503, '1009'], [503], [504]]) {
    const failed = code ? problem(status, code, 'x') : { status, body: '' };
    for (const ask of [me, exportNow]) {
      const { api, requests } = played((_request, count) => (count < 3 ? failed : ok({ id: 'x' })));
      assert.equal((await until(ask(api))).data.id, 'x');
      assert.equal(requests.length, 3, `${status}`);
    }
  }
  for (const failed of [problem(500, '1000', 'common.internal'), problem(409, '1011', 'common.idempotencyConflict'), problem(400, '1001', 'common.validation'), { status: 413, body: '' }]) {
    const { api, requests } = played(() => failed);
    await assert.rejects(me(api), { status: failed.status });
    assert.equal(requests.length, 1);
  }
});

test('the waits are random, below a ceiling that doubles up to 8 seconds', async (context) => {
  for (const random of [0.25, 0.999]) {
    const { until, at } = simulatedTime(context, () => random);
    const times = [];
    const { api } = played(() => {
      times.push(at());
      return problem(503, '1009', 'common.unavailable');
    });
    await assert.rejects(until(me(api)), { key: 'common.unavailable' });
    const waits = times.slice(1).map((time, index) => time - times[index]);
    const ceilings = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000];
    waits.slice(0, -1).forEach((wait, index) => assert.ok(Math.abs(wait - random * ceilings[index]) <= 50, `${waits}`));
    // The last wait takes the rest, so the retries last longer than the service works on a request.
    assert.ok(times.at(-1) >= 23_900 && times.at(-1) <= 24_500, `${times}`);
    assert.ok(times.length <= 9);
    context.mock.timers.reset();
  }
});

test('the attempts end even if every draw is zero', async (context) => {
  const { until, at } = simulatedTime(context, () => 0);
  const { api, requests } = played(() => problem(503, '1009', 'common.unavailable'));
  await assert.rejects(until(me(api)), { key: 'common.unavailable' });
  assert.deepEqual([requests.length, at() >= 24_000 && at() < 24_500], [9, true]);
});

test('a retry waits for Retry-After, and there is none if that is too long', async (context) => {
  const { until, at } = simulatedTime(context, () => 0.5);
  const limited = (seconds) => problem(429, '1013', 'common.rateLimited', { headers: { 'retry-after': seconds } });
  const { api } = played((_request, count) => (count < 2 ? limited('7') : ok({})));
  await until(me(api));
  assert.ok(at() >= 7_500 && at() < 7_700, `${at()}`);

  const before = at();
  const long = played(() => limited('25'));
  await assert.rejects(until(me(long.api)), { key: 'common.rateLimited', retryAfter: 25 });
  assert.deepEqual([long.requests.length, at()], [1, before]);
  // The second one does not fit into the 24 seconds any more.
  const twice = played(() => limited('13'));
  await assert.rejects(until(me(twice.api)), { key: 'common.rateLimited', retryAfter: 13 });
  assert.equal(twice.requests.length, 2);

  context.mock.timers.reset();
  context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 2, 1) });
  const date = new Date(Date.now() + 60_000).toUTCString();
  await assert.rejects(me(played(() => limited(date)).api), ({ retryAfter }) => retryAfter === 60);
  for (const nonsense of ['soon', '-5', '']) {
    const answered = await call(played(() => ({ ...limited(nonsense), status: 400 })).api, 'get', '/api/tokens').catch((error) => error);
    assert.equal(answered.retryAfter, nonsense === '-5' ? 0 : undefined);
  }
});

test('without a response the client may be throttled: it waits at least a second, then twice as long each time', async (context) => {
  const { until, at } = simulatedTime(context, () => 0);
  const times = [];
  const { api } = played(() => {
    times.push(at());
    return DOWN;
  });
  await assert.rejects(until(me(api)), { key: 'client.network' });
  const waits = times.slice(1).map((time, index) => Math.floor((time - times[index]) / 1_000));
  assert.deepEqual(waits, [1, 2, 4, 8, 8, 1]);
});

test('after three throttled attempts within ten seconds, the client slows all of its calls', async (context) => {
  const { until, at } = simulatedTime(context, () => 0);
  const refused = { status: 429, body: '{"message":"Too Many Requests"}' };
  let answer = DOWN;
  const { api, requests } = played(() => answer);
  const signIn = () => call(api, 'post', '/auth/srp/init', { body: { email: 'a@b' } });
  const lasts = async (work) => {
    const start = at();
    await until(work().catch(() => {}));
    return at() - start;
  };
  assert.equal(await lasts(signIn), 0);
  answer = refused;
  assert.equal(await lasts(signIn), 0);
  // A limit of the service for one kind of call says nothing about others.
  answer = problem(429, '1013', 'common.rateLimited');
  assert.equal(await lasts(signIn), 0);
  assert.equal(await lasts(signIn), 0);
  answer = { status: 503, body: '' };
  assert.equal(await lasts(signIn), 0);
  answer = ok({});
  assert.equal(await lasts(signIn), 500);
  assert.equal(await lasts(() => me(api)), 500);
  answer = DOWN;
  assert.equal(await lasts(signIn), 500);
  answer = ok({});
  assert.equal(await lasts(signIn), 1_000);
  for (let more = 0; more < 5; more += 1) {
    answer = DOWN;
    await lasts(signIn);
  }
  answer = ok({});
  assert.ok(await lasts(signIn) <= 2_000);
  assert.equal(requests.length, 15);
  // Calls of another client are not affected.
  assert.equal(await lasts(() => me(played(() => ok({})).api)), 0);
  await until(new Promise((resolve) => setTimeout(resolve, 10_000)));
  assert.equal(await lasts(signIn), 0);
});

test('a call that waits its turn can be aborted', async (context) => {
  const { until } = simulatedTime(context, () => 0);
  let answer = DOWN;
  const { api, requests } = played(() => answer);
  for (let strike = 0; strike < 3; strike += 1) await assert.rejects(call(api, 'post', '/auth/srp/init', { body: { email: 'a@b' } }));
  answer = ok({});
  const reason = new Error('enough');
  const controller = new AbortController();
  const asked = call(api, 'get', '/api/tokens', { signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(until(asked), (error) => error === reason);
  assert.equal(requests.length, 3);
});

test('a call that is repeated after a refresh has its 24 seconds once', async (context) => {
  const { until, at } = simulatedTime(context, () => 0.5);
  let fails = 4;
  const { api } = played(({ path }) => {
    if (path === '/auth/refresh-token') return pair(1);
    if (fails > 0) {
      fails -= 1;
      return problem(503, '1009', 'common.unavailable');
    }
    fails = 100;
    return expired;
  }, { tokens: memoryTokenStore(tokens(0)) });
  await assert.rejects(until(me(api)), { key: 'common.unavailable' });
  assert.ok(at() >= 24_000 && at() < 24_700, `${at()}`);
});

test('retryFor limits the waits, and 0 means no retries', async () => {
  const { api, requests } = played(() => DOWN, { retryFor: 0 });
  await assert.rejects(me(api), { key: 'client.network' });
  assert.equal(requests.length, 1);
  const short = played(() => DOWN, { retryFor: 5 });
  await assert.rejects(me(short.api), { key: 'client.network' });
  assert.equal(short.requests.length, 2);
});

test('a base URL may contain a path', async () => {
  const { api, requests } = played(() => ok({}, undefined, 201), { baseUrl: 'http://service/v1/' });
  await call(api, 'post', '/api/download-histories', { body: { format: 'csv' } });
  assert.equal(requests[0].path, '/v1/api/download-histories');
  assert.ok(requests[0].headers['idempotency-key']);
  assert.equal(api.baseUrl, 'http://service/v1');
});

test('a retry waits while the service works on an earlier attempt', async (context) => {
  const { until, at } = simulatedTime(context);
  const busy = problem(409, '1010', 'common.inProgress');
  const { api, requests } = played((_request, count) => [DOWN, busy, ok({ id: 'x' }, undefined, 201)][count - 1]);
  await until(exportNow(api));
  assert.equal(requests.length, 3);
  // The earlier attempt may come from an earlier page load; the wait is limited.
  const again = (other) => exportNow(other, { idempotencyKey: 'k' });
  const other = played((_request, count) => (count < 2 ? busy : ok({ id: 'x' }, undefined, 201)));
  assert.equal((await until(again(other.api))).data.id, 'x');
  const start = at();
  await assert.rejects(until(again(played(() => busy).api)), { key: 'common.inProgress' });
  // The service works on a request for up to 20 seconds.
  assert.ok(at() - start > 20_000 && at() - start < 24_600);
});

const jwt = (sub, n) => `h.${Buffer.from(JSON.stringify({ sub, n, name: 'é?>' })).toString('base64url')}.s${n}`;
const of = (sub, n) => ({ accessToken: jwt(sub, n), refreshToken: `${sub} ${n}`, expiresAt: 0 });

test('a call is not repeated if another account has signed in since', async () => {
  for (const [next, message] of [[of('bob', 0), 'auth.tokenExpired'], [tokens(1), 'auth.tokenExpired'], [of('alice', 1), undefined]]) {
    const store = memoryTokenStore(of('alice', 0));
    const { api, requests } = played(async ({ headers }) => {
      if (headers.authorization !== `Bearer ${jwt('alice', 0)}`) return ok({});
      await store.set(next);
      return expired;
    }, { tokens: store });
    const asked = call(api, 'patch', '/api/account/avatar', { body: { inscriptionId: null } });
    await (message ? assert.rejects(asked, { key: message }) : asked);
    assert.equal(requests.length, message ? 1 : 2);
    assert.deepEqual(await store.get(), next);
  }
});

test('if the session is over, its tokens are removed', async () => {
  for (const [code, message] of [['4010', 'auth.sessionEnded'], ['4006', 'auth.accountNotFound'], ['4011', 'auth.accountDisabled']]) {
    const store = memoryTokenStore(tokens(0));
    await assert.rejects(me(played(() => problem(401, code, message), { tokens: store }).api), { key: message });
    assert.equal(await store.get(), undefined);
    // The same after a refresh.
    await store.set(tokens(0));
    const later = played(({ path, headers }) => {
      if (path === '/auth/refresh-token') return pair(1);
      return headers.authorization === 'Bearer access 0' ? expired : problem(401, code, message);
    }, { tokens: store });
    await assert.rejects(me(later.api), { key: message });
    assert.equal(await store.get(), undefined);
    // The tokens of a session that began in the meantime remain.
    await store.set(tokens(0));
    const raced = played(async () => {
      await store.set(tokens(9));
      return problem(401, code, message);
    }, { tokens: store });
    await assert.rejects(me(raced.api), { key: message });
    assert.deepEqual(await store.get(), tokens(9));
  }
});

test('the token is sent only to the service', async () => {
  const { api, requests } = played(() => ok({}), { baseUrl: 'http://service/v1', tokens: memoryTokenStore(tokens(0)) });
  for (const url of [
    'http://evil/v1/x', 'https://service/v1/x', 'http://service:81/v1/x', 'http://service.evil/v1/x', 'http://service/v1x', 'http://service/v1/../x',
    'http://service/x',
  ]) {
    await assert.rejects(api.send(new Request(url)), { key: 'client.unsupported' }, url);
    await assert.rejects(api.send(new Request(url), { anonymous: true }), { key: 'client.unsupported' }, url);
  }
  await assert.rejects(api.client.GET('/api/tokens', { baseUrl: 'http://evil' }), { key: 'client.unsupported' });
  assert.equal(requests.length, 0);
  await api.send(new Request('http://SERVICE:80/v1/x'));
  await api.client.GET('/api/tokens');
  assert.deepEqual(requests.map(({ headers, redirect }) => [headers.authorization, redirect]), [
    ['Bearer access 0', 'error'], ['Bearer access 0', 'error'],
  ]);

  const seen = [];
  globalThis.location = new URL('https://page.example/app/index.html');
  try {
    const own = createApi({ baseUrl: '', tokens: memoryTokenStore(tokens(0)), fetch: async (url) => seen.push(url) && new Response('{}') });
    await own.send(new Request('https://page.example/api/tokens'));
    await assert.rejects(own.send(new Request('https://other.example/api/tokens')), { key: 'client.unsupported' });
  } finally {
    delete globalThis.location;
  }
  assert.deepEqual(seen, ['https://page.example/api/tokens']);
});

test('an error of the gateway is client.unavailable', async () => {
  for (const [status, body] of [[429, '{"message":"Too Many Requests"}'], [413, '{"message":"Request Entity Too Large"}'], [503, '{"message":"Service Unavailable"}'], [503, '']]) {
    const { api } = played(() => ({ status, body, headers: { 'retry-after': '2' } }), { retryFor: 0 });
    await assert.rejects(call(api, 'get', '/api/tokens'), { key: 'client.unavailable', code: '0', status, retryAfter: 2 });
  }
  // Errors of the service with the same status remain as they are.
  const { api } = played(() => problem(503, '1009', 'common.unavailable'), { retryFor: 0 });
  await assert.rejects(call(api, 'get', '/api/tokens'), { key: 'common.unavailable', code: '1009', status: 503 });
});

test('an error has all fields of the response', async () => {
  const errors = [{ field: 'page', message: 'must be at least 1' }];
  const params = { minimum: 1, holders: ['a', 'b'] };
  const { api } = played(() => problem(400, '1001', 'common.validation', { body: { errors, params }, headers: { 'retry-after': '3' } }));
  const error = await call(api, 'get', '/api/tokens').catch((thrown) => thrown);
  assert.ok(error instanceof RuneportError && error instanceof Error);
  assert.deepEqual({ ...error, message: error.message }, {
    name: 'RuneportError', code: '1001', key: 'common.validation', message: 'why', requestId: 'r', status: 400, errors, params, retryAfter: 3,
  });
  for (const body of ['<html>', '', '[]', '"text"', 'null']) {
    const gateway = played(() => ({ status: 502, body }), { retryFor: 0 });
    await assert.rejects(call(gateway.api, 'get', '/api/tokens'), { key: 'client.answerMalformed', status: 502 });
  }
  for (const body of ['<html>', '']) {
    await assert.rejects(call(played(() => ({ status: 200, body })).api, 'get', '/api/tokens'), { key: 'client.answerMalformed', status: 200 });
  }
});

test('an abort throws its reason unchanged, also between attempts', async (context) => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const { api, requests } = played(() => {
    controller.abort(reason);
    return DOWN;
  }, { retryFor: 60_000 });
  await assert.rejects(call(api, 'get', '/api/tokens', { signal: controller.signal }), (error) => error === reason);
  assert.equal(requests.length, 1);

  // On the last attempt, an abort is not reported as a network failure either.
  const during = new AbortController();
  const last = played(() => {
    during.abort(reason);
    return DOWN;
  }, { retryFor: 0 });
  await assert.rejects(call(last.api, 'get', '/api/tokens', { signal: during.signal }), (error) => error === reason);

  // The first wait lasts at least a second.
  const { until } = simulatedTime(context);
  const later = new AbortController();
  const waiting = played(() => DOWN, { retryFor: 60_000 });
  const calling = call(waiting.api, 'get', '/api/tokens', { signal: later.signal });
  setTimeout(() => later.abort(reason), 500);
  await assert.rejects(until(calling), (error) => error === reason);
  assert.equal(waiting.requests.length, 1);
});

test('the iteration ends with the last page', async () => {
  const list = ({ query }) => ok([{ id: `${query.page}a` }, { id: `${query.page}b` }], {
    totalItems: 6, currentPage: Number(query.page), pageSize: 2, totalPages: 3,
  });
  const { api, requests } = played(list);
  const ids = [];
  for await (const { id } of rows(api, '/api/prizes', { sort: '-createdAt', pageSize: 2 })) ids.push(id);
  assert.deepEqual(ids, ['1a', '1b', '2a', '2b', '3a', '3b']);
  assert.deepEqual(requests.map(({ query }) => query.sort), ['-createdAt', '-createdAt', '-createdAt']);
  const from = [];
  for await (const { metaData } of pages(api, '/api/prizes', { page: 2 })) from.push(metaData.currentPage);
  assert.deepEqual(from, [2, 3]);
  assert.ok(requests.every(({ query }) => query.asOf === undefined), 'this list cannot be frozen');
  let length = 6;
  const growing = played(({ query }) => {
    const asOf = Number(query.asOf ?? length);
    length += 1;
    return ok([{ id: query.page }], { totalItems: asOf, currentPage: Number(query.page), pageSize: 2, totalPages: Math.ceil(asOf / 2), asOf });
  });
  const read = [];
  for await (const { id } of rows(growing.api, '/api/xchain/transactions', { relatedAddress_eq: 'a', status_eq: ['pending', 'relaying'] })) read.push(id);
  assert.deepEqual(read, ['1', '2', '3']);
  assert.deepEqual(growing.requests.map(({ query }) => query.asOf), [undefined, '6', '6']);
  assert.ok(growing.requests.every(({ query }) => query.status_eq === 'pending,relaying'));
  const none = played(() => ok([], { totalItems: 0, currentPage: 1, pageSize: 10, totalPages: 0 }));
  for await (const row of rows(none.api, '/api/prizes')) assert.fail(row);
  assert.equal(none.requests.length, 1);
});

const wallet = {
  chain: 'evm', address: '0x1', publicKey: '', provider: 'test', signMessage: async (message) => `signed ${message}`,
};

test('a second-factor code is requested only when required, with a new proof', async () => {
  let challenges = 0;
  const { api, requests } = played(({ path, body }) => {
    if (path === '/auth/wallet/challenge') {
      challenges += 1;
      return ok({ challengeId: `c${challenges}`, message: challengeText({ id: `c${challenges}` }), expiresAt: 0 });
    }
    return body.otpCode === '123456'
      ? ok({ accessToken: 'a', refreshToken: 'r', expiresIn: 600, account: {} }) : problem(401, '4017', 'auth.otpRequired');
  }, { tokens: memoryTokenStore(tokens(0)) });
  await assert.rejects(signInWithWallet(api, wallet), { key: 'auth.otpRequired' });
  await signInWithWallet(api, wallet, { otpCode: async () => '123456' });
  assert.equal((await api.tokens.get()).accessToken, 'a');
  const proofs = requests.filter(({ path }) => path === '/auth/authenticate').map(({ body }) => body);
  assert.deepEqual(proofs.map(({ challengeId, otpCode }) => [challengeId, otpCode]), [['c1', undefined], ['c2', undefined], ['c3', '123456']]);
  assert.deepEqual(proofs[2], { chain: 'evm', address: '0x1', publicKey: '', provider: 'test', challengeId: 'c3', signature: `signed ${challengeText({ id: 'c3' })}`, otpCode: '123456' });
  // A sign-in request carries no access token.
  assert.ok(requests.every(({ headers }) => headers.authorization === undefined));
  const no = { ...wallet, signMessage: () => Promise.reject(new Error('no')) };
  await assert.rejects(signInWithWallet(api, no), (error) => error.key === 'client.walletRefused' && error.cause.message === 'no');
});

test('a sign-out keeps the tokens of a session that begins in the meantime', async () => {
  const ofSession = (sid) => ({ ...tokens(0), accessToken: `e30.${Buffer.from(JSON.stringify({ sub: 'a', sid })).toString('base64url')}.` });
  for (const [then, kept] of [[ofSession('second'), true], [{ ...ofSession('first'), refreshToken: 'refresh 1' }, false]]) {
    const store = memoryTokenStore(ofSession('first'));
    const { api } = played(async () => {
      await store.set(then);
      return ok(null);
    }, { tokens: store });
    await signOut(api);
    assert.deepEqual(await store.get(), kept ? then : undefined);
  }
});

test('a sign-out removes the tokens even if the service fails', async () => {
  for (const [answer, thrown] of [[ok(null)], [problem(401, '4010', 'auth.sessionEnded')], [DOWN, 'client.network']]) {
    const { api } = played(() => answer, { tokens: memoryTokenStore(tokens(0)) });
    await (thrown ? assert.rejects(signOut(api), { key: thrown }) : signOut(api));
    assert.equal(await api.tokens.get(), undefined);
  }
});
