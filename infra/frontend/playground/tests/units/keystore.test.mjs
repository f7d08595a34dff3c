// The keystore of the page, in the format of the client.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decryptKeystore, encryptKeystore } from '@runeport/client/keystore';

import { load } from './library.mjs';

const { openKeystore, sealAgain, sealKeystore } = await load('lib/keystore.ts');

const owner = 'alice@example.com';
const bitcoin = { chain: 'bitcoin', secret: '11'.repeat(32) };
const solana = { chain: 'solana', secret: '22'.repeat(32) };

test('the client reads what the page has encrypted', async () => {
  const blob = await sealKeystore('a password', owner, [bitcoin, solana]);
  const { secret } = await decryptKeystore(blob, { password: 'a password', owner });
  assert.deepEqual(JSON.parse(new TextDecoder().decode(secret)), { keys: [bitcoin, solana] });
  assert.deepEqual(await openKeystore('a password', blob), { entries: [bitcoin, solana], owner });
  await assert.rejects(openKeystore('another one', blob), { key: 'client.keystorePasswordWrong' });
});

test('a keystore with the contents of another client is not taken for an empty one', async () => {
  for (const secret of [new Uint8Array(32).fill(7), new TextEncoder().encode('{"words": "…"}')]) {
    const blob = await encryptKeystore({ secret, password: 'a password', owner });
    await assert.rejects(openKeystore('a password', blob), /Another client/);
    await assert.rejects(sealAgain(blob, { password: 'a password', newPassword: 'b', owner, entries: [] }), /Another client/);
  }
});

test('a change of the password keeps the keys that only the keystore has', async () => {
  const before = await sealKeystore('a password', 'earlier@example.com', [bitcoin]);
  const after = await sealAgain(before, { password: 'a password', newPassword: 'a new one', owner, entries: [solana] });
  assert.deepEqual(await openKeystore('a new one', after), { entries: [solana, bitcoin], owner });
  const again = await sealAgain(after, { password: 'a new one', newPassword: 'a third', owner, entries: [bitcoin] });
  assert.deepEqual(await openKeystore('a third', again), { entries: [bitcoin, solana], owner });
  await assert.rejects(sealAgain(after, { password: 'a password', newPassword: 'x', owner, entries: [] }), { key: 'client.keystorePasswordWrong' });
});
