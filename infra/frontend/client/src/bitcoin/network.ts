import { NETWORK, TEST_NETWORK } from '@scure/btc-signer/utils.js';

/** A Bitcoin network, as `BITCOIN_NETWORK` of the service names it; testnet4 and signet write addresses like testnet. */
export type BitcoinNetwork = 'bitcoin' | 'testnet' | 'testnet4' | 'signet' | 'regtest';

/** How a network writes addresses. */
export function networkParameters(network: BitcoinNetwork): typeof NETWORK {
  if (network === 'bitcoin') return NETWORK;
  return network === 'regtest' ? { ...TEST_NETWORK, bech32: 'bcrt' } : TEST_NETWORK;
}

/**
 * The network of an address: testnet for all that write it alike, which for base58 regtest does too.
 */
export function networkOf(address: string): BitcoinNetwork {
  if (/^bcrt1/i.test(address)) return 'regtest';
  return /^(bc1|[13])/i.test(address) ? 'bitcoin' : 'testnet';
}
