import { Address, OutScript } from '@scure/btc-signer';
import { TEST_NETWORK } from '@scure/btc-signer/utils.js';
import { isAddress } from 'viem';

/** A text that is no address of the network: what is wrong, as a sentence. */
export interface NoAddress {
  problem: string;
}

export interface BitcoinAddress {
  address: string;
  /** The smallest payment that nodes relay to it. */
  leastSats: bigint;
}

/** The local chain. */
const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' };

/** Reads a Bitcoin address that a person typed. */
export function readBitcoinAddress(text: string): BitcoinAddress | NoAddress {
  const address = text.trim();
  if (address === '') return { problem: 'Enter the address that receives the payment.' };
  if (/^(bc1|tb1|[13])/i.test(address)) return { problem: 'This address belongs to another network. Enter a regtest address, which begins with bcrt1.' };
  let script: Uint8Array;
  try {
    script = OutScript.encode(Address(REGTEST).decode(address));
  } catch {
    return { problem: 'This is not a regtest address. Copy it again, completely: it begins with bcrt1.' };
  }
  return { address, leastSats: leastSatsOf(script) };
}

/** What it costs to make an output and to spend it, at 3 sats per virtual byte. */
function leastSatsOf(script: Uint8Array): bigint {
  const isWitness = script[0] === 0 || (script[0] ?? 0) >= 0x51;
  return BigInt(3 * (9 + script.length + (isWitness && script[1] === script.length - 2 ? 67 : 148)));
}

/** Reads an EVM address that a person typed. Mixed letters must be its checksum. */
export function readEvmAddress(text: string): { address: string } | NoAddress {
  const address = text.trim();
  if (address === '') return { problem: 'Enter the address that receives the tokens.' };
  if (isAddress(address)) return { address };
  return { problem: 'This is not an EVM address. Copy it again, completely: it is 0x and 40 digits.' };
}
