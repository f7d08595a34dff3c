// What the scripts in this folder share: the packages, the service, and a wallet that signs in.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

/** Of the packages of infra/tools/package.json, where `make` installs them. */
export const require = createRequire(new URL('../../../../.local/node/package.json', import.meta.url));

const base = process.env.BASE ?? 'http://127.0.0.1:9000';

/** The whole answer, which must be a success. */
export async function call(method, path, { token, body } = {}) {
  const headers = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${answer}`);
  return JSON.parse(answer);
}

/** The access token of an EVM wallet, an account of viem. */
export async function signIn(account) {
  const query = new URLSearchParams({ address: account.address, chain: 'evm' });
  const { data: { challengeId, message } } = await call('GET', `/auth/wallet/challenge?${query}`);
  const signature = await account.signMessage({ message });
  const { data } = await call('POST', '/auth/authenticate', {
    body: { challengeId, signature, address: account.address, publicKey: '', chain: 'evm', provider: 'viem' },
  });
  return data.accessToken;
}
