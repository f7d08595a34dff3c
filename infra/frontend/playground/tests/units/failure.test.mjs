// How the page shows errors of the client, of the levers, and others.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RuneportError } from '@runeport/client';

import { load } from './library.mjs';

const { toFailure } = await load('lib/failure.ts');

test('an error of the service has its key, and a sentence once', () => {
  const fields = { code: '2006', key: 'bitcoin.coinsReserved', message: 'Other transactions hold the coins.', status: 409, requestId: 'r' };
  const { kind, title, details, message, code } = toFailure(new RuneportError(fields));
  assert.deepEqual([kind, title, details, message, code], ['refused', 'Other transactions hold the coins.', undefined, 'bitcoin.coinsReserved', '2006']);
  const known = toFailure(new RuneportError({ code: '4006', key: 'auth.invalidCredentials', message: 'Wrong.', status: 401 }));
  assert.deepEqual([known.title, known.details], ['The e-mail address or the password is wrong.', 'Wrong.']);
});

test('an error of the client, a lever or the page says why', () => {
  const of = (error) => {
    const { kind, title, details } = toFailure(error);
    return [kind, title, details];
  };
  const client = (key, message) => new RuneportError({ code: '0', key, message });
  assert.deepEqual(of(client('client.network', 'No answer.')), ['offline', 'The service cannot be reached.', 'No answer.']);
  assert.deepEqual(of(client('client.walletRefused', 'UniSat did not sign.')), ['unexpected', 'The wallet did not sign.', 'UniSat did not sign.']);
  assert.deepEqual(of(client('client.amountInvalid', 'Use a point.')), ['unexpected', 'Use a point.', undefined]);
  const lever = Object.assign(new Error('No such rune.'), { name: 'LocalError', key: 'local.refused', status: 400, details: 'No such rune.' });
  assert.deepEqual(of(lever), ['refused', 'No such rune.', undefined]);
  assert.deepEqual(of(new Error('Nothing is signed yet.')), ['unexpected', 'Nothing is signed yet.', undefined]);
});
