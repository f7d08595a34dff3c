// Keystores: test vectors that another implementation can check, and every reason to refuse a keystore.

import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { decryptKeystore, encryptKeystore, reencryptKeystore } from '@runeport/client/keystore';

const vectors = JSON.parse(readFileSync(new URL('keystore.json', import.meta.url), 'utf8'));
const [{ password, owner, encryptedBlob }] = vectors;
const unhex = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
const hexOf = (bytes) => Buffer.from(bytes).toString('hex');
const unpack = (blob) => Buffer.from(blob, 'base64');
const pack = (bytes) => Buffer.from(bytes).toString('base64');
const LONGEST = 13_708;

/** Another implementation of the README's table, by Node's own cryptography. */
const nodes = {
  encrypt({ password: typed, owner: named, secret, iterations, salt, nonce }) {
    const head = Buffer.concat([Buffer.of(1, 1, 0, 0, 0, 0), salt, nonce, Buffer.of(Buffer.byteLength(named)), Buffer.from(named)]);
    head.writeUInt32BE(iterations, 2);
    const key = pbkdf2Sync(typed.normalize('NFC'), salt, iterations, 32, 'sha256');
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(head);
    return pack(Buffer.concat([head, cipher.update(secret), cipher.final(), cipher.getAuthTag()]));
  },
  decrypt(blob, typed) {
    const bytes = unpack(blob);
    const head = bytes.subarray(0, 35 + bytes[34]);
    const key = pbkdf2Sync(typed.normalize('NFC'), bytes.subarray(6, 22), bytes.readUInt32BE(2), 32, 'sha256');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(22, 34)).setAAD(head);
    decipher.setAuthTag(bytes.subarray(-16));
    const secret = Buffer.concat([decipher.update(bytes.subarray(head.length, -16)), decipher.final()]);
    return { secret, owner: head.subarray(35).toString(), key };
  },
};

/** Fails if a key is derived: a refusal must cost nothing. */
function withoutKeys(context) {
  return context.mock.method(crypto.subtle, 'deriveKey', () => assert.fail('a key was derived'));
}

for (const vector of vectors) {
  test(`each implementation encrypts and decrypts the vector of ${vector.owner}`, async (context) => {
    const [secret, salt, nonce] = [vector.secret, vector.salt, vector.nonce].map(unhex);
    assert.equal(nodes.encrypt({ ...vector, secret, salt, nonce }), vector.encryptedBlob);
    assert.equal(hexOf(nodes.decrypt(vector.encryptedBlob, vector.password).key), vector.key);

    const drawn = [salt, nonce];
    const random = context.mock.method(crypto, 'getRandomValues', (array) => {
      const next = drawn.shift();
      assert.equal(array.length, next.length);
      array.set(next);
      return array;
    });
    const { password: typed, owner: named, iterations } = vector;
    assert.equal(await encryptKeystore({ secret, password: typed, owner: named, iterations }), vector.encryptedBlob);
    random.mock.restore();
    const opened = await decryptKeystore(vector.encryptedBlob, { password: typed, owner: named });
    assert.deepEqual(opened, { secret, owner: named });
  });
}

test('a new keystore has its own salt and nonce, and the iterations that OWASP recommends', async () => {
  const secret = new TextEncoder().encode('a secret');
  const contents = { secret, password, owner };
  const [one, other] = (await Promise.all([encryptKeystore(contents), encryptKeystore(contents)])).map(unpack);
  assert.equal(one.readUInt32BE(2), 600_000);
  for (const [from, to] of [[6, 22], [22, 34]]) assert.notDeepEqual(one.subarray(from, to), other.subarray(from, to));
  const { secret: read, owner: named } = nodes.decrypt(pack(one), password);
  assert.deepEqual([read.toString(), named], ['a secret', owner]);
  assert.equal(hexOf(secret), hexOf(Buffer.from('a secret')), 'the caller keeps its bytes');
});

test('the password may be typed in either form of Unicode, and must be the right one', async () => {
  const vector = vectors[1];
  const composed = vector.password.normalize('NFC');
  assert.notEqual(composed, vector.password);
  assert.equal((await decryptKeystore(vector.encryptedBlob, { password: composed })).owner, vector.owner);
  for (const wrong of [`${password} `, password.toUpperCase(), '']) {
    await assert.rejects(decryptKeystore(encryptedBlob, { password: wrong }), { key: 'client.keystorePasswordWrong' });
  }
});

// The bytes of the first vector, by the README's table.
const sealedAt = 35 + owner.length;
const regions = {
  salt: [6, 22], nonce: [22, 34], owner: [35, sealedAt], ciphertext: [sealedAt, sealedAt + 32], tag: [sealedAt + 32, sealedAt + 48],
};

test('the regions are the whole of a keystore', () => {
  assert.equal(unpack(encryptedBlob).length, regions.tag[1]);
});

for (const [region, [from, to]] of Object.entries(regions)) {
  test(`a changed ${region} is refused`, async () => {
    for (const at of [from, to - 1]) {
      const bytes = unpack(encryptedBlob);
      bytes[at] ^= 1;
      await assert.rejects(decryptKeystore(pack(bytes), { password }), { key: 'client.keystorePasswordWrong' }, `byte ${at}`);
    }
  });
}

test('a changed count of iterations is refused, and so is an owner of another length', async () => {
  const more = unpack(encryptedBlob);
  more.writeUInt32BE(600_001, 2);
  // One byte more or less of the owner is one less or more of the ciphertext.
  const [longer, shorter] = [unpack(encryptedBlob), unpack(encryptedBlob)];
  longer[34] += 1;
  shorter[34] -= 1;
  for (const bytes of [more, longer, shorter]) {
    await assert.rejects(decryptKeystore(pack(bytes), { password }), { key: 'client.keystorePasswordWrong' });
  }
});

test('other versions, other KDFs, absurd iteration counts and malformed blobs are refused before a key is derived', async (context) => {
  withoutKeys(context);
  const changed = (at, ...values) => {
    const bytes = unpack(encryptedBlob);
    bytes.set(values, at);
    return pack(bytes);
  };
  const iterations = (count) => {
    const bytes = unpack(encryptedBlob);
    bytes.writeUInt32BE(count, 2);
    return pack(bytes);
  };
  const [invalid, unsupported] = ['client.keystoreInvalid', 'client.unsupported'];
  const cases = [
    ...[0, 2, 255].map((version) => [changed(0, version), unsupported]),
    ...[0, 2, 255].map((kdf) => [changed(1, kdf), unsupported]),
    ['Ag==', unsupported],
    ...[0, 1, 599_999, 10_000_001, 0xffff_ffff].map((count) => [iterations(count), invalid]),
    [changed(34, 0), invalid],
    [changed(34, owner.length + 33), invalid],
    [changed(34, 255), invalid],
    ...[1, 2, 34, 35, 35 + owner.length, sealedAt + 15].map((length) => [pack(unpack(encryptedBlob).subarray(0, length)), invalid]),
    ['', invalid],
    ['no base64', invalid],
    [`${encryptedBlob} `, invalid],
    [encryptedBlob.replaceAll('=', ''), invalid],
    ['A'.repeat(LONGEST + 4), invalid],
    [pack(Buffer.concat([unpack(encryptedBlob), Buffer.alloc(LONGEST)])), invalid],
  ];
  for (const [blob, message] of cases) {
    await assert.rejects(decryptKeystore(blob, { password }), { name: 'RuneportError', key: message }, blob.slice(0, 60));
  }
});

test('the keystore of another owner is refused, and says whose it is', async (context) => {
  withoutKeys(context);
  for (const other of ['bob@example.com', owner.toUpperCase(), `${owner}.org`, owner.slice(1), '']) {
    await assert.rejects(decryptKeystore(encryptedBlob, { password, owner: other }), ({ key, message }) => {
      assert.equal(key, 'client.keystoreInvalid');
      return message.includes(owner);
    });
  }
});

test('after a change of the password only the new one opens the keystore', async () => {
  const newPassword = 'four other words';
  const next = await reencryptKeystore(encryptedBlob, { password, owner, newPassword });
  assert.equal(hexOf((await decryptKeystore(next, { password: newPassword, owner })).secret), vectors[0].secret);
  await assert.rejects(decryptKeystore(next, { password }), { key: 'client.keystorePasswordWrong' });
  const [before, after] = [unpack(encryptedBlob), unpack(next)];
  for (const [from, to] of [regions.salt, regions.nonce]) assert.notDeepEqual(after.subarray(from, to), before.subarray(from, to));

  const moved = await reencryptKeystore(encryptedBlob, { password, newPassword, newOwner: 'alice@example.org', iterations: 700_000 });
  assert.equal(unpack(moved).readUInt32BE(2), 700_000);
  assert.equal((await decryptKeystore(moved, { password: newPassword })).owner, 'alice@example.org');
});

test('a change of the password keeps a higher count of iterations', async () => {
  const { password: typed, encryptedBlob: stronger, iterations } = vectors[1];
  assert.equal(unpack(await reencryptKeystore(stronger, { password: typed, newPassword: 'new' })).readUInt32BE(2), iterations);
});

test('a keystore that could not be decrypted is not encrypted again', async (context) => {
  const encrypted = context.mock.method(crypto.subtle, 'encrypt');
  const change = { password: 'wrong', newPassword: 'new' };
  await assert.rejects(reencryptKeystore(encryptedBlob, change), { key: 'client.keystorePasswordWrong' });
  assert.equal(encrypted.mock.callCount(), 0);
});

test('a keystore fills the limit of the API, and does not exceed it', async (context) => {
  const longest = 'é'.repeat(127) + 'x';
  for (const named of ['a', longest]) {
    const secret = new Uint8Array(10_230 - Buffer.byteLength(named)).fill(7);
    const blob = await encryptKeystore({ secret, password, owner: named });
    assert.equal(blob.length, LONGEST);
    assert.deepEqual(await decryptKeystore(blob, { password, owner: named }), { secret, owner: named });
    await assert.rejects(encryptKeystore({ secret: new Uint8Array(secret.length + 1), password, owner: named }), { key: 'client.keystoreInvalid' });
  }
  withoutKeys(context);
  const secret = new Uint8Array(1);
  for (const wrong of [
    { owner: '' }, { owner: `${longest}x` }, ...[0, 1, 599_999, 10_000_001, 600_000.5, NaN, Infinity].map((iterations) => ({ iterations })),
  ]) {
    await assert.rejects(encryptKeystore({ secret, password, owner, ...wrong }), { key: 'client.keystoreInvalid' }, JSON.stringify(wrong));
  }
});

test('without WebCrypto, both directions fail with client.unsupported', async (context) => {
  context.mock.getter(crypto, 'subtle', () => undefined);
  await assert.rejects(decryptKeystore(encryptedBlob, { password }), { key: 'client.unsupported' });
  await assert.rejects(encryptKeystore({ secret: new Uint8Array(1), password, owner }), { key: 'client.unsupported' });
});
