import { NETWORK, TEST_NETWORK } from '@scure/btc-signer/utils.js';

/** A Bitcoin network, named as in the service's setting `BITCOIN_NETWORK`. */
export type BitcoinNetwork = 'bitcoin' | 'testnet' | 'testnet4' | 'signet' | 'regtest';

/** The address prefixes of a network; testnet4 and signet use those of testnet. */
export function networkParameters(network: BitcoinNetwork): typeof NETWORK {
  if (network === 'bitcoin') return NETWORK;
  return network === 'regtest' ? { ...TEST_NETWORK, bech32: 'bcrt' } : TEST_NETWORK;
}

/**
 * The network of an address. The result is `testnet` for testnet4 and signet, and for base58 addresses of
 * regtest, because all of these look the same.
 *
 * @example
 * networkOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
 * // 'bitcoin'
 */
export function networkOf(address: string): BitcoinNetwork {
  if (/^bcrt1/i.test(address)) return 'regtest';
  return /^(bc1|[13])/i.test(address) ? 'bitcoin' : 'testnet';
}
