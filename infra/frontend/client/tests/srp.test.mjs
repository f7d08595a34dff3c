import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { SRP, SrpServer } from 'fast-srp-hap';
import { argon2id } from 'hash-wasm';

import { canonicalEmail, changePassword, PASSWORD_COST, registerWithPassword, signInWithPassword } from '@runeport/client/srp';
import { proofOf, verifierOf } from '../dist/srp/engine.js';
import { ok, played, problem } from './service.mjs';

const cost = { memorySize: 64, iterations: 1, parallelism: 1 };
const [email, password] = ['alice@example.com', 'correct horse é'];
const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const bytes = (text) => Buffer.from(text, 'base64');

/** The service's side of SRP, with the library's version for Node. */
function service({ group = 3072, lies = false } = {}) {
  const params = { ...SRP.params[group], hash: 'sha256' };
  let account;
  let server;
  return played(({ path, body }) => {
    if (path === '/auth/register/srp') {
      account = body;
      return ok({ accessToken: 'a', refreshToken: 'r', expiresIn: 600, account: {} }, undefined, 201);
    }
    if (path.endsWith('/init')) {
      const identity = { username: email, salt: bytes(account.srpSalt), verifier: bytes(account.srpVerifier) };
      server = new SrpServer(params, identity, randomBytes(32));
      return ok({ sessionId: 's', salt: account.srpSalt, serverPublic: base64(server.computeB()), group, hash: 'SHA-256' });
    }
    server.setA(bytes(body.clientPublic));
    try {
      server.checkM1(bytes(body.clientProof));
    } catch {
      return problem(401, '4016', 'auth.invalidCredentials');
    }
    if (body.newSrpVerifier) account = { srpSalt: body.newSrpSalt, srpVerifier: body.newSrpVerifier };
    const serverProof = base64(lies ? randomBytes(32) : server.computeM2());
    return ok({ accessToken: 'b', refreshToken: 'r', expiresIn: 600, account: {}, serverProof });
  });
}

const registered = async (options) => {
  const made = service(options);
  await registerWithPassword(made.api, { email, password, encryptedBlob: 'AAAA', cost });
  return made;
};

test('handshakes match the test vectors of the service', async (context) => {
  const vectors = JSON.parse(await readFile(new URL('../../../../shared/identity/src/srp/vectors.json', import.meta.url), 'utf8'));
  const hex = (part) => Buffer.from(part).toString('hex');
  const of = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
  for (const { bits, I, P, salt, a, B, v, A, M1, M2 } of vectors) {
    const secret = new TextEncoder().encode(P);
    assert.equal(hex(verifierOf(bits, of(salt), I, secret)).padStart(v.length, '0'), v.padStart(bits / 4, '0'));
    const random = context.mock.method(crypto, 'getRandomValues', () => of(a));
    const proof = proofOf(bits, of(salt), I, secret, of(B));
    random.mock.restore();
    assert.deepEqual([proof.clientPublic, proof.clientProof, proof.serverProof].map(hex), [A.padStart(bits / 4, '0'), M1, M2]);
  }
});

test('a password registers and signs in, and a wrong password does not', async () => {
  const { api, requests } = await registered();
  assert.deepEqual(Object.keys(requests[0].body).sort(), ['email', 'encryptedBlob', 'srpGroup', 'srpSalt', 'srpVerifier']);
  assert.ok(!JSON.stringify(requests).includes('horse'));
  await signInWithPassword(api, { email: ` ${email.toUpperCase()}`, password, cost });
  assert.equal((await api.tokens.get()).accessToken, 'b');
  await assert.rejects(signInWithPassword(api, { email, password: `${password} `, cost }), { key: 'auth.invalidCredentials' });
  await assert.rejects(
    signInWithPassword(api, { email, password, cost: { ...cost, iterations: 2 } }), { key: 'auth.invalidCredentials' },
  );
});

test('a server that does not know the verifier opens no session', async () => {
  const { api } = await registered({ lies: true });
  await api.tokens.set(undefined);
  await assert.rejects(signInWithPassword(api, { email, password, cost }), { key: 'client.serverProofWrong' });
  assert.equal(await api.tokens.get(), undefined);
  const change = { email, password, newPassword: 'x', newEncryptedBlob: 'AAAA', cost };
  await assert.rejects(changePassword(api, change), { key: 'client.serverProofWrong' });
});

test('invalid SRP values are rejected', async () => {
  const [malformed, unsupported] = ['client.answerMalformed', 'client.unsupported'];
  const modulus = (bits, more = 0n) => base64(Buffer.from((BigInt(SRP.params[bits].N) + more).toString(16).padStart(bits / 4, '0'), 'hex'));
  const good = base64(new Uint8Array(256).fill(5));
  for (const [wrong, message] of [
    [{ serverPublic: base64(new Uint8Array(384)) }, malformed],
    [{ serverPublic: '' }, malformed],
    [{ serverPublic: base64(new Uint8Array(385).fill(255)) }, malformed],
    [{ serverPublic: 'not base64' }, malformed],
    ...[2048, 3072, 4096].flatMap((group) => [[{ serverPublic: modulus(group), group }, malformed], [{ serverPublic: modulus(group, 5n), group }, malformed]]),
    ...[512, 1024, 1536, 6144, 8192, '3072', null].map((group) => [{ group, serverPublic: base64(new Uint8Array(64).fill(5)) }, unsupported]),
    [{ hash: 'SHA-1' }, unsupported],
    ...[0, 3, 31, 33].map((length) => [{ salt: base64(new Uint8Array(length)) }, malformed]),
  ]) {
    const evil = played(() => ok({ sessionId: 's', salt: base64(new Uint8Array(32)), serverPublic: good, group: 3072, hash: 'SHA-256', ...wrong }));
    await assert.rejects(signInWithPassword(evil.api, { email, password, cost }), { key: message }, JSON.stringify(wrong).slice(0, 60));
    assert.equal(evil.requests.length, 1);
  }
  const secret = new Uint8Array(32).fill(1);
  for (const group of [512, 1024, 1536, 6144, 8192]) {
    assert.throws(() => verifierOf(group, secret, email, secret), RangeError);
    assert.throws(() => proofOf(group, secret, email, secret, new Uint8Array(64).fill(5)), RangeError);
  }
});

test('after a password change, only the new password signs in', async () => {
  const { api, requests } = await registered();
  await changePassword(api, { email, password, newPassword: 'new', newEncryptedBlob: 'BBBB', newPasswordHint: 'hint', cost });
  const { newEncryptedBlob, newPasswordHint, newSrpSalt } = requests.at(-1).body;
  assert.deepEqual([newEncryptedBlob, newPasswordHint], ['BBBB', 'hint']);
  assert.notEqual(newSrpSalt, requests[0].body.srpSalt);
  await signInWithPassword(api, { email, password: 'new', cost });
  await assert.rejects(signInWithPassword(api, { email, password, cost }), { key: 'auth.invalidCredentials' });
});

test('the secret is Argon2id of the password, salted with the salt and the address', async () => {
  const { requests: [{ body }] } = await registered();
  const salt = Buffer.concat([bytes(body.srpSalt), Buffer.from(email)]);
  const secret = await argon2id({ password, salt, ...cost, hashLength: 32, outputType: 'binary' });
  const verifier = SRP.computeVerifier({ ...SRP.params[3072], hash: 'sha256' }, bytes(body.srpSalt), Buffer.from(email), Buffer.from(secret));
  assert.equal(body.srpVerifier, base64(verifier));
  assert.deepEqual(PASSWORD_COST, { memorySize: 65_536, iterations: 3, parallelism: 1 });
  assert.equal(canonicalEmail(' ＡLICE@Example.com\n'), 'alice@example.com');
});
