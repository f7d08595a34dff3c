import { NETWORK, TEST_NETWORK } from '@scure/btc-signer/utils.js';

/** A Bitcoin network, named as in a kit. */
export const NETWORKS = ['bitcoin', 'testnet', 'testnet4', 'signet', 'regtest'] as const;

export type Network = (typeof NETWORKS)[number];

/** The prefixes of a network's addresses and keys; testnet4 and signet use those of testnet. */
export function parametersOf(network: Network): typeof NETWORK {
  if (network === 'bitcoin') return NETWORK;
  return network === 'regtest' ? { ...TEST_NETWORK, bech32: 'bcrt' } : TEST_NETWORK;
}

/** A public server with ord's API, as a suggestion; empty if none is known. */
export function ordOf(network: Network): string {
  return network === 'bitcoin' ? 'https://ordinals.com' : '';
}

/** Public Esplora servers, as a suggestion. The user can name any other one. */
export function serversOf(network: Network): readonly string[] {
  switch (network) {
    case 'bitcoin':
      return ['https://mempool.space/api', 'https://blockstream.info/api'];
    case 'testnet':
      return ['https://blockstream.info/testnet/api', 'https://mempool.space/testnet/api'];
    case 'testnet4':
      return ['https://mempool.space/testnet4/api'];
    case 'signet':
      return ['https://mempool.space/signet/api'];
    case 'regtest':
      return ['http://127.0.0.1:3002'];
  }
}
