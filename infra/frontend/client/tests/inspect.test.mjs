import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { call, createApi, memoryDeviceStore, memoryTokenStore } from '@runeport/client';
import { createInspector, toCurl, toHar } from '@runeport/client/inspect';
import { uploadMedia } from '@runeport/client/media';
import { DOWN, ok, played, problem, tokens } from './service.mjs';

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEF';
const json = (value) => JSON.stringify(value);

/** An exchange as a lever or a program may note it. */
const exchange = (more) => ({
  method: 'GET', url: 'http://service/x', requestHeaders: {}, requestBody: undefined, status: 200, responseHeaders: {},
  responseBody: undefined, startedAt: 1_790_000_000_000, durationMs: 12.5, error: undefined, ...more,
});

/** What the inspector keeps of a response body. */
const kept = (responseBody) => {
  const inspector = createInspector();
  inspector.record(exchange({ responseBody }));
  return inspector.exchanges[0].responseBody;
};

// Names of the interface that sound like secrets and are none.
const PUBLIC = new Set([
  'earlierSecretUntil',
  'inputToken', 'outputToken', 'usdcToken', 'tokenId', 'tokensPerRequest', 'defaultTokens', 'emailToken', 'failedProofs', 'password',
  'secondFactor', 'signatureChainId', 'intentTokenPair_eq', 'intentToken_eq', 'signedBase64Tx', 'signedUrl', 'totpEnabled', 'keys', 'key', 'publicKey',
  'platformPublicKey', 'publicKeys', 'tradingPublicKey', 'passkey', 'passkeys', 'passkeyRpId', 'userPublicKey', 'keystore', 'hasKeystore', 'X-Amz-Algorithm', 'X-Amz-Date', 'Idempotency-Key',
  // Of a passkey: public, or of no use without the signature.
  'credential',
  // Of one message, to its receiver.
  'webhook-signature',
]);

test('every secret of the interface is masked', () => {
  const names = new Set();
  const walk = (value) => {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys(value.properties ?? {})) names.add(name);
    if (value.in === 'header') names.add(value.name);
    Object.values(value).forEach(walk);
  };
  walk(JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')));
  const suspicious = [...names].filter((name) =>
    /token|ticket|secret|proof|verifier|blob|signature|otp|hint|recoverycodes|qrcode|policy|password|key|credential|amz/i.test(name) && !PUBLIC.has(name));
  assert.ok(suspicious.length > 15, `${suspicious}`);
  for (const name of suspicious) {
    const text = json({ [name]: SECRET });
    const header = createInspector();
    header.record(exchange({ requestHeaders: { [name.toLowerCase()]: SECRET } }));
    const shown = name === 'Device-Token' ? header.exchanges[0].requestHeaders['device-token'] : JSON.parse(kept(text))[name];
    assert.equal(shown, '***', name);
  }
  for (const name of PUBLIC) assert.equal(kept(json({ [name]: SECRET })), json({ [name]: SECRET }), name);
});

test('secrets are masked at any depth, and nothing else is', () => {
  const data = {
    accessToken: 'a"b\\', account: { email: 'a@b' }, recoveryCodes: ['one', 'two'], list: [{ signature: 's' }, { token: 'USDC:0x1' }],
    token: { symbol: 'USDC' }, encryptedBlob: 'AAAA', passwordHint: null,
  };
  const shown = JSON.parse(kept(JSON.stringify(data, null, 2)));
  assert.deepEqual(shown, {
    ...data, accessToken: '***', recoveryCodes: '***', list: [{ signature: '***' }, { token: 'USDC:0x1' }], encryptedBlob: '***',
  });
  const link = 'https://bucket/file.csv?X-Amz-Date=1&X-Amz-Signature=abc&X-Amz-Credential=k%2Fs';
  assert.equal(kept(json({ url: link })), json({ url: 'https://bucket/file.csv?X-Amz-Date=1&X-Amz-Signature=***&X-Amz-Credential=***' }));
  assert.equal(kept('<html>'), '<html>');
  assert.equal(kept(undefined), undefined);
});

/** A client of a simulated service, whose calls an inspector records. */
function inspected(answer, options) {
  const inspector = createInspector({ fetch: played(answer).fetch, ...options });
  return { inspector, create: (more) => createApi({ baseUrl: 'http://service', fetch: inspector.fetch, ...more }) };
}

test('an inspector never has a token', async () => {
  const { inspector, create } = inspected(({ path, headers }) => {
    if (path === '/auth/refresh-token') return ok({ accessToken: 'fresh-access', refreshToken: 'fresh-refresh', expiresIn: 600 });
    if (path === '/api/medias/presigned-url') {
      const fields = { Policy: 'the-policy', 'X-Amz-Signature': 'the-signature', key: 'a.png' };
      return ok([{ size: 10, fileName: 'a.png', key: 'a.png', url: 'http://files/a.png', signedUrl: { url: 'http://storage/', fields } }]);
    }
    return headers.authorization === 'Bearer access 0' ? problem(401, '4003', 'auth.tokenExpired') : ok({});
  });
  const api = create({ tokens: memoryTokenStore(tokens(0)), device: memoryDeviceStore('device-secret') });
  await call(api, 'post', '/api/account/2fa/toggle', { body: { otpCode: '123456' } });
  assert.equal((await api.tokens.get()).refreshToken, 'fresh-refresh');
  const fetched = globalThis.fetch;
  globalThis.fetch = async () => new Response(null, { status: 204 });
  const uploads = [];
  try {
    await uploadMedia(api, [new File(['x'], 'a.png')], { onExchange: (one) => uploads.push(one) });
  } finally {
    globalThis.fetch = fetched;
  }
  uploads.forEach(inspector.record);
  const seen = inspector.exchanges;
  assert.deepEqual(seen.map(({ method, url, status }) => [method, url, status]), [
    ['POST', 'http://service/api/account/2fa/toggle', 401], ['POST', 'http://service/auth/refresh-token', 200],
    ['POST', 'http://service/api/account/2fa/toggle', 200], ['POST', 'http://service/api/medias/presigned-url', 200], ['POST', 'http://storage/', 204],
  ]);
  for (const secret of ['access 0', 'refresh 0', 'fresh-access', 'fresh-refresh', 'device-secret', '123456', 'the-policy', 'the-signature']) {
    assert.ok(!json(seen).includes(secret), secret);
    assert.ok(!json(uploads).includes(secret), secret);
  }
  assert.equal(seen[0].requestHeaders.authorization, 'Bearer ***');
  assert.deepEqual(seen[4].requestBody, [['Policy', '***'], ['X-Amz-Signature', '***'], ['key', 'a.png'], ['file', '@a.png']]);
  assert.ok(seen[0].durationMs >= 0 && seen[0].startedAt > 1e12);
  assert.match(seen[0].responseBody, /auth.tokenExpired/);
});

test('the inspector keeps the newest exchanges and reports changes', async (context) => {
  const { inspector, create } = inspected(({ path }) => (path === '/api/tokens' ? ok({}) : DOWN), { limit: 2 });
  const api = create({ retryFor: 0 });
  let changes = 0;
  const stop = inspector.subscribe(() => { changes += 1; });
  assert.deepEqual(inspector.exchanges, []);
  for (let turn = 0; turn < 2; turn += 1) await call(api, 'get', '/api/tokens');
  await assert.rejects(call(api, 'get', '/api/health'), { key: 'client.network' });
  assert.deepEqual(inspector.exchanges.map(({ id, status, error }) => [id, status, error]), [[2, 200, undefined], [3, undefined, 'fetch failed']]);
  const before = inspector.exchanges;
  assert.equal(inspector.exchanges, before);
  inspector.clear();
  assert.deepEqual([inspector.exchanges.length, before.length, changes], [0, 2, 4]);
  stop();
  // A listener that throws does not affect the call.
  const reported = context.mock.method(console, 'error', () => {});
  const thrown = new Error('listener');
  inspector.subscribe(() => { throw thrown; });
  await call(api, 'get', '/api/tokens');
  assert.deepEqual([changes, inspector.exchanges[0].id, reported.mock.calls[0].arguments], [4, 4, [thrown]]);
});

test('the fetch of an inspector answers as fetch does', async () => {
  const seen = [];
  const inspector = createInspector({ fetch: async (...request) => {
    seen.push(request);
    return new Response('{"a":1}', { status: 201, statusText: 'Created', headers: { etag: 'x' } });
  } });
  const request = new Request('http://service/a', { method: 'POST', body: 'text', headers: { A: 'b' } });
  const answer = await inspector.fetch(request);
  assert.deepEqual([answer.status, answer.statusText, answer.headers.get('etag'), await answer.json()], [201, 'Created', 'x', { a: 1 }]);
  assert.equal(await seen[0][0].text(), 'text');
  await inspector.fetch(new URL('http://service/b'), { method: 'put', body: 'more' });
  await inspector.fetch('http://service/c');
  assert.deepEqual(inspector.exchanges.map(({ method, url, requestBody, requestHeaders }) => [method, url, requestBody, requestHeaders.a]), [
    ['POST', 'http://service/a', 'text', 'b'], ['PUT', 'http://service/b', 'more', undefined], ['GET', 'http://service/c', undefined, undefined],
  ]);
  for (const status of [204, 205, 304]) {
    const empty = createInspector({ fetch: async () => new Response(null, { status }) });
    assert.deepEqual([(await empty.fetch('http://service/')).status, empty.exchanges[0].responseBody], [status, '']);
  }
});

/** The arguments that a shell passes to curl. */
const argumentsOf = (command, env) =>
  execFileSync('sh', ['-c', `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }\n${command}`], { encoding: 'utf8', env })
    .split('\0').slice(0, -1);

test('a curl command is what was sent, with the secrets from the shell', () => {
  const body = json({ otpCode: '***', name: "it's $HOME `id` \\", clientProof: '***' });
  const command = toCurl(exchange({
    method: 'POST', url: "http://service/x?a='b'", requestBody: body,
    requestHeaders: { accept: 'application/json', authorization: 'Bearer ***', 'content-type': 'application/json', 'device-token': '***', 'idempotency-key': 'k' },
  }));
  assert.deepEqual(argumentsOf(command, { TOKEN: 't', OTP_CODE: '1', CLIENT_PROOF: 'p', DEVICE_TOKEN: 'd' }), [
    '-s', "http://service/x?a='b'", '-H', 'Authorization: Bearer t', '-H', 'content-type: application/json', '-H', 'device-token: d',
    '-H', 'idempotency-key: k', '-d', json({ otpCode: '1', name: "it's $HOME `id` \\", clientProof: 'p' }),
  ]);
  assert.equal(toCurl(exchange({})), "curl -s 'http://service/x'");
  assert.deepEqual(argumentsOf(toCurl(exchange({ method: 'DELETE' })), {}), ['-s', 'http://service/x', '-X', 'DELETE']);
  const form = exchange({ method: 'POST', requestHeaders: { 'content-type': 'multipart/form-data' }, requestBody: [['key', 'a b'], ['Policy', '***'], ['file', '@a.png']] });
  assert.deepEqual(argumentsOf(toCurl(form), { POLICY: 'p' }), ['-s', 'http://service/x', '-F', 'key=a b', '-F', 'Policy=p', '-F', 'file=@a.png']);
});

test('a HAR has every required field, and no secret', async () => {
  const { inspector, create } = inspected(({ path }) => (path === '/api/tokens' ? DOWN : ok({ accessToken: 'secret' })));
  const api = create({ retryFor: 0 });
  await call(api, 'get', '/api/prizes', { params: { query: { select: 'name,id' } } });
  await call(api, 'post', '/auth/srp/init', { body: { email: 'a@b' } });
  await call(api, 'get', '/api/tokens').catch(() => {});
  inspector.record(exchange({ requestBody: [['key', 'k']], requestHeaders: { 'content-type': 'multipart/form-data' } }));
  const { log } = JSON.parse(json(toHar(inspector.exchanges)));
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.deepEqual([log.version, log.creator], ['1.2', { name, version }]);
  for (const entry of log.entries) {
    assert.ok(!Number.isNaN(Date.parse(entry.startedDateTime)));
    assert.equal(entry.time, entry.timings.send + entry.timings.wait + entry.timings.receive);
    for (const field of ['method', 'url', 'httpVersion', 'cookies', 'headers', 'queryString', 'headersSize', 'bodySize']) assert.ok(field in entry.request, field);
    for (const field of ['status', 'statusText', 'httpVersion', 'cookies', 'headers', 'content', 'redirectURL', 'headersSize', 'bodySize']) assert.ok(field in entry.response, field);
  }
  const [get, post, down, form] = log.entries;
  assert.deepEqual(get.request.queryString, [{ name: 'select', value: 'name,id' }]);
  assert.deepEqual([get.response.content.size, get.response.content.text.includes('"accessToken":"***"')], [get.response.content.text.length, true]);
  assert.deepEqual(post.request.postData, { mimeType: 'application/json', text: '{"email":"a@b"}' });
  assert.deepEqual([down.response.status, down.response._error], [0, 'fetch failed']);
  assert.deepEqual(form.request.postData, { mimeType: 'multipart/form-data', params: [{ name: 'key', value: 'k' }] });
  // Also if the exchanges come from elsewhere.
  assert.ok(!json(toHar([exchange({ responseBody: '{"refreshToken":"secret"}' })])).includes('secret"}'));
});
