// What the scripts in this folder share: the packages, the service, and a wallet that signs in.

import { call, PATIENCE, require } from '../browser/service.mjs';

export { call, PATIENCE, require };

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
