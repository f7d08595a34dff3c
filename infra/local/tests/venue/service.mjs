// What the scripts in this folder share: the packages, the service, and a wallet that signs in.

import { createRequire } from 'node:module';
import { call } from '../browser/service.mjs';

export { call };

/** Of the packages of infra/tools/package.json, where `make` installs them. */
export const require = createRequire(new URL('../../../../.local/node/package.json', import.meta.url));

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
