// The life of an account in a frontend that uses only npm packages: SRP by fast-srp-hap behind Argon2id, TOTP
// from the QR code as shown, wallets of three chains.
//
//   make dev         in one shell
//   BASE=http://127.0.0.1:9000 node infra/local/tests/browser/accounts.mjs
//
// Exits with 0 if every answer is as it should be. Moves the service's clock by a few
// minutes, or waits as long.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { bitcoin, call as ask, ECPair, network, require, Signer, until } from './service.mjs';

const { initWasm, Resvg } = require('@resvg/resvg-wasm');
const bs58 = require('bs58');
const { SRP, SrpClient } = require('fast-srp-hap');
const { argon2id } = require('hash-wasm');
const jsQR = require('jsqr');
const OTPAuth = require('otpauth');
const nacl = require('tweetnacl');
const { generatePrivateKey, privateKeyToAccount } = require('viem/accounts');

/** Calls the service; returns the data of a success, or the whole body of an error. */
async function call(method, path, options = {}) {
  const answer = await ask(method, path, options);
  return (options.status ?? 200) < 300 && 'code' in answer ? answer.data : answer;
}

/** A call that is refused with this error key. */
async function refused(status, message, method, path, options) {
  const answer = await call(method, path, { ...options, status });
  assert.equal(answer.message, message, `${method} ${path}: ${JSON.stringify(answer)}`);
}

/** Moves the service's clock forward; returns its time in milliseconds. */
async function clock(advanceMs) {
  const { now } = await call('POST', '/_local/clock', { body: { advanceMs } });
  return now;
}

/** The parameters of the link to a page of the frontend, from the newest mail with such a link to an address. */
async function mailedLink(to, page) {
  const link = await until(`a mail to ${to} with a link to ${page}`, async () => {
    const mails = await call('GET', `/_local/mail?to=${encodeURIComponent(to)}`);
    const links = mails
      .sort((a, b) => b.at - a.at)
      .flatMap(({ text }) => text.match(/https?:\/\/\S+token=\S+/g) ?? [])
      .map((text) => new URL(text));
    return links.find(({ pathname }) => pathname === page);
  });
  return Object.fromEntries(link.searchParams);
}

/** A placeholder for keys that a frontend has encrypted. */
const blob = () => randomBytes(500).toString('base64');

// SRP.

/** The password for SRP: Argon2id with small parameters, because this is a test. */
async function stretched(password, salt) {
  const cost = { parallelism: 1, iterations: 1, memorySize: 64, hashLength: 32 };
  return Buffer.from(await argon2id({ password, salt, ...cost, outputType: 'binary' }));
}

async function verifierOf(email, password, salt) {
  const secret = await stretched(password, salt);
  return SRP.computeVerifier(SRP.params[3072], salt, Buffer.from(email), secret).toString('base64');
}

/** The client's half of a handshake, and the check of the service's. */
async function srpProof({ sessionId, salt, serverPublic, group, hash }, email, password) {
  assert.equal(hash, 'SHA-256');
  const saltBytes = Buffer.from(salt, 'base64');
  const secret = await stretched(password, saltBytes);
  const client = new SrpClient(SRP.params[group], saltBytes, Buffer.from(email), secret, randomBytes(32), true);
  client.setB(Buffer.from(serverPublic, 'base64'));
  return {
    fields: {
      sessionId,
      clientPublic: client.computeA().toString('base64'),
      clientProof: client.computeM1().toString('base64'),
    },
    check: (serverProof) => client.checkM2(Buffer.from(serverProof, 'base64')),
  };
}

/** The fields of a sign-in, for one attempt. */
async function handshake(email, password) {
  return srpProof(await call('POST', '/auth/srp/init', { body: { email } }), email, password);
}

async function signIn(email, password, otpCode) {
  const { fields, check } = await handshake(email, password);
  const data = await call('POST', '/auth/authenticate', { body: { ...fields, otpCode } });
  check(data.serverProof);
  return data;
}

async function refusedSignIn(message, email, password, otpCode) {
  const { fields } = await handshake(email, password);
  await refused(401, message, 'POST', '/auth/authenticate', { body: { ...fields, otpCode } });
}

const email = `alice.${randomBytes(6).toString('hex')}@example.com`;
const password = 'correct horse battery staple é';
const salt = randomBytes(32);
const keystore = blob();
const registration = {
  email,
  srpSalt: salt.toString('base64'),
  srpVerifier: await verifierOf(email, password, salt),
  encryptedBlob: keystore,
  passwordHint: 'four words',
};
// As a user may type it: the verifier is computed from the canonical address.
const typed = { ...registration, email: ` ${email.toUpperCase()} ` };
const registered = await call('POST', '/auth/register/srp', { body: typed, status: 201 });
assert.equal(registered.account.email, email);
assert.equal(registered.account.authMethod, 'srp');
assert.equal(registered.account.passwordHint, 'four words');

const first = await signIn(email, password);
assert.equal(first.account.id, registered.account.id);
assert.equal(first.encryptedBlob, keystore);
await refusedSignIn('auth.invalidCredentials', email, 'another password');
await refusedSignIn('auth.invalidCredentials', `nobody.${email}`, password);

assert.equal(first.account.emailVerified, false);
await mailedLink(email, '/verify-email');
await call('POST', '/api/account/verify-email/resend', { token: first.accessToken, body: {} });
const { token: emailToken } = await mailedLink(email, '/verify-email');
const verified = await call('POST', '/api/account/verify-email', {
  token: first.accessToken,
  body: { token: emailToken },
});
await refused(409, 'auth.emailTaken', 'POST', '/auth/register/srp', { body: registration });
assert.equal(verified.emailVerified, true);
console.log(`${email} registered, signed in, and verified the address`);

// TOTP, from the QR code.

await initWasm(await readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));

/** The text of a QR code, whatever the background of its image. */
async function scanned(svg) {
  const picture = await (await fetch(svg)).text();
  const { pixels, width, height } = new Resvg(picture, { fitTo: { mode: 'width', value: 600 } }).render();
  const code = jsQR(new Uint8ClampedArray(pixels), width, height);
  assert(code, 'no QR code can be seen');
  return code.data;
}

const { qrCode, otpauthUri } = await call('POST', '/api/account/2fa/setup', {
  token: first.accessToken,
  body: {},
});
assert(qrCode.startsWith('data:image/svg+xml;base64,'), qrCode);
const uri = await scanned(qrCode);
assert.equal(uri, otpauthUri);
const totp = OTPAuth.URI.parse(uri);
assert.deepEqual([totp.algorithm, totp.digits, totp.period, totp.secret.bytes.length], ['SHA1', 6, 30, 20]);
assert(totp.issuer && totp.label.includes(email), uri);

let lastStep = 0;
/** A code of a time step that has not been used yet. */
async function freshCode() {
  await clock(30_000);
  // The clock of a deployment cannot be moved.
  const now = await until('another time step', async () => {
    const time = await clock(0);
    return time >= lastStep + 30_000 && time;
  });
  lastStep = now - (now % 30_000);
  return totp.generate({ timestamp: now });
}

const enabled = await call('POST', '/api/account/2fa/toggle', {
  token: first.accessToken,
  body: { otpCode: await freshCode() },
});
assert.equal(enabled.enabled, true);
assert.equal(new Set(enabled.recoveryCodes).size, 10);

await refusedSignIn('auth.otpRequired', email, password);
// A caller without the password learns nothing about the second factor.
await refusedSignIn('auth.invalidCredentials', email, 'another password');
const code = await freshCode();
await signIn(email, password, code);
await refusedSignIn('auth.otpInvalid', email, password, code);
const [recoveryCode] = enabled.recoveryCodes;
const second = await signIn(email, password, recoveryCode);
assert.equal(second.account.totpEnabled, true);
await refusedSignIn('auth.otpInvalid', email, password, recoveryCode);
console.log('a code of the scanned secret signs in once, and so does a recovery code');

// Another password.

const newPassword = 'another four words 日本';
const newSalt = randomBytes(32);
const newKeystore = blob();
const change = await srpProof(
  await call('POST', '/api/account/srp/change-password/init', { token: second.accessToken, body: {} }),
  email,
  password,
);
const changed = await call('POST', '/api/account/srp/change-password/verify', {
  token: second.accessToken,
  body: {
    ...change.fields,
    newSrpSalt: newSalt.toString('base64'),
    newSrpVerifier: await verifierOf(email, newPassword, newSalt),
    newEncryptedBlob: newKeystore,
    newPasswordHint: 'four others',
  },
});
change.check(changed.serverProof);
// The session that made the change continues; the others end.
await call('GET', '/api/account/keystore', { token: second.accessToken });
await call('GET', '/api/account/keystore', { token: first.accessToken, status: 401 });
await refusedSignIn('auth.invalidCredentials', email, password);
const third = await signIn(email, newPassword, await freshCode());
assert.equal(third.encryptedBlob, newKeystore);
assert.equal(third.account.passwordHint, 'four others');
console.log('the new password signs in, the old one does not');

// Another e-mail address: the salt stays, and the proof uses the old address.

const newEmail = `bob.${randomBytes(6).toString('hex')}@example.com`;
const { srpSession } = await call('POST', '/api/account/change-email/init', {
  token: third.accessToken,
  body: { newEmail },
});
assert.equal(srpSession.salt, newSalt.toString('base64'));
const link = await mailedLink(newEmail, '/change-email');
assert.equal(link.email, newEmail);
const { fields } = await srpProof(srpSession, email, newPassword);
const newSrpVerifier = await verifierOf(newEmail, newPassword, newSalt);
const moved = await call('POST', '/api/account/change-email/verify', {
  token: third.accessToken,
  body: { token: link.token, email: newEmail, srpData: { ...fields, newSrpVerifier } },
});
assert.equal(moved.email, newEmail);
assert.equal(moved.emailVerified, true);
await refusedSignIn('auth.invalidCredentials', email, newPassword);
const fourth = await signIn(newEmail, newPassword, await freshCode());
assert.equal(fourth.account.id, registered.account.id);
assert.equal(fourth.encryptedBlob, newKeystore);
console.log(`the account signs in as ${newEmail} from now on`);

// Wallets, each replaced by another of its chain.

/** Fresh wallets, by their chain. */
const wallets = {
  bitcoin() {
    const pair = ECPair.makeRandom({ network });
    const pubkey = Buffer.from(pair.publicKey);
    const { address } = bitcoin.payments.p2wpkh({ pubkey, network });
    const sign = (message) => Signer.sign(pair.toWIF(), address, message).toString();
    return { address, publicKey: pubkey.toString('hex'), provider: 'bip322-js', sign };
  },
  evm() {
    const { address, publicKey, signMessage } = privateKeyToAccount(generatePrivateKey());
    // As the service answers it: in lowercase.
    const canonical = address.toLowerCase();
    return { address: canonical, publicKey, provider: 'viem', sign: (message) => signMessage({ message }) };
  },
  solana() {
    const { publicKey, secretKey } = nacl.sign.keyPair();
    const address = bs58.encode(publicKey);
    const sign = (message) => bs58.encode(nacl.sign.detached(Buffer.from(message), secretKey));
    return { address, publicKey: address, provider: 'tweetnacl', sign };
  },
};

/** The fields that prove a wallet, for one attempt. */
async function signed(chain, { address, publicKey, provider, sign }, purpose, token) {
  const query = new URLSearchParams({ address, chain, purpose });
  const { challengeId, message } = await call('GET', `/auth/wallet/challenge?${query}`, { token });
  return { address, chain, publicKey, provider, challengeId, signature: await sign(message) };
}

for (const chain of Object.keys(wallets)) {
  const [before, after] = [wallets[chain](), wallets[chain]()];
  const [oldBlob, newBlob] = [blob(), blob()];
  const made = await call('POST', '/auth/register/wallet', {
    body: { ...(await signed(chain, before, 'signIn')), encryptedBlob: oldBlob },
    status: 201,
  });
  assert.equal(made.account.authMethod, 'wallet');
  assert.equal(made.account.hasKeystore, true);
  await refused(409, 'auth.addressTaken', 'POST', '/auth/register/wallet', {
    body: { ...(await signed(chain, before, 'signIn')), encryptedBlob: blob() },
  });
  const mine = await call('POST', '/auth/authenticate', { body: await signed(chain, before, 'signIn') });
  assert.equal(mine.encryptedBlob, oldBlob);

  const { accessToken: token } = mine;
  const rotated = await call('POST', '/api/account/wallet/rotate', {
    token,
    body: { ...(await signed(chain, after, 'rotate', token)), encryptedBlob: newBlob },
  });
  assert.deepEqual([rotated.wallet.chain, rotated.wallet.address], [chain, after.address]);
  assert.equal((await call('GET', '/api/account/keystore', { token })).encryptedBlob, newBlob);
  await refused(401, 'auth.addressRetired', 'POST', '/auth/authenticate', {
    body: await signed(chain, before, 'signIn'),
  });
  const again = await call('POST', '/auth/authenticate', { body: await signed(chain, after, 'signIn') });
  assert.equal(again.account.id, made.account.id);
  assert.equal(again.encryptedBlob, newBlob);
  console.log(`${chain.padEnd(7)} ${before.address} is replaced by ${after.address}`);
}

// An account of an EVM wallet has no Bitcoin key: it gets a trading wallet of one, and links its address
// for as long as it likes.
const evm = wallets.evm();
const { accessToken: token } = await call('POST', '/auth/authenticate', { body: await signed('evm', evm, 'signIn') });
const own = wallets.bitcoin();
const proof = async (purpose) => {
  const { provider: _provider, ...fields } = await signed('bitcoin', own, purpose, token);
  return fields;
};
const { publicKey, challengeId, signature } = await proof('tradingWallet');
const made = await call('POST', '/api/account/trading-wallet', {
  token,
  body: { publicKey, challengeId, signature },
  status: 201,
});
assert.match(made.tradingAddress, /^bcrt1q[0-9a-z]{58}$/);
await call('POST', '/api/account/addresses', { token, body: await proof('link'), status: 201 });
const addresses = async () => (await call('GET', '/api/account/addresses', { token })).map(({ address }) => address);
assert((await addresses()).includes(own.address));
await call('DELETE', `/api/account/addresses/${own.address}`, { token });
assert(!(await addresses()).includes(own.address));
console.log(`${evm.address} has the trading wallet ${made.tradingAddress}`);
