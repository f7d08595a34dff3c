// What the tests in this folder share: the packages, the service, and accounts that sign in. BASE is the address of a local
// world, TOKEN the token of its admin.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const local = process.env.RUNEPORT_LOCAL_DIR;
/** Loads a package of package.json from where `make clients` installs it. */
export const require = createRequire(`${local}/clients-node/package.json`);
/** Loads a package of infra/tools/package.json. */
export const requireTool = createRequire(`${local}/node/package.json`);
export const inPackages = (path) => `${local}/clients-node/node_modules/${path}`;
export const CHROMIUM = `${local}/chromium`;
export const base = process.env.BASE;

/** The data of a success. */
export async function call(method, path, { token, body } = {}) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

export const post = (path, body, token) => call('POST', path, { body, token });

/** The challenge of an address. */
export const challenge = (address, chain) =>
  call('GET', `/auth/wallet/challenge?${new URLSearchParams({ address, chain })}`);

/** Signs in with a signed challenge: the access token. */
export async function authenticate({ challengeId, signature, address, publicKey = '', chain }) {
  const { accessToken } = await post('/auth/authenticate', { challengeId, signature, address, publicKey, chain, provider: 'test' });
  return accessToken;
}
