import { hex } from '@scure/base';
import { Address } from '@scure/btc-signer/payment.js';
import { sha256 } from '@scure/btc-signer/utils.js';

import { clientError } from '../error.js';
import { type BitcoinNetwork, networkParameters } from './network.js';

// The scripts of trading wallets, of which only the keys vary. The plain one:
// wsh(and_v(v:pk(USER),or_d(pk(PLATFORM),older(12960)))), which is
// <USER> CHECKSIGVERIFY <PLATFORM> CHECKSIG IFDUP NOTIF <12960> CHECKSEQUENCEVERIFY ENDIF.
// That of a key which Taproot alone has proved, and so without its parity:
// wsh(and_v(or_c(pk(02X),v:pk(03X)),or_d(pk(PLATFORM),older(12960)))), which is
// <02X> CHECKSIG NOTIF <03X> CHECKSIGVERIFY ENDIF <PLATFORM> CHECKSIG IFDUP ...
const plainScript = (user: string, platform: string) => `21${user}ad${restOf(platform)}`;
const eitherScript = (xOnly: string, platform: string) => `2102${xOnly}ac642103${xOnly}ad68${restOf(platform)}`;
const restOf = (platform: string) => `21${platform}ac736402a032b268`;
const PLATFORM = /21(0[23][0-9a-f]{64})ac736402a032b268$/;

/**
 * A public key as scripts hold it: of 33 bytes, or of 32 where the wallet tells it x-only.
 *
 * @throws {@link RuneportError} `client.psbtRefused`: not hex of so many bytes.
 */
export function keyOf(publicKey: string): string {
  const key = publicKey.toLowerCase();
  if (!/^(0[23])?[0-9a-f]{64}$/.test(key)) throw clientError('client.psbtRefused', 'the wallet tells no public key of 33 bytes, or 32');
  return key;
}

/** The scripts that a trading wallet of this key can have, hex. */
function scriptsOf(key: string, platform: string): string[] {
  const either = eitherScript(key.slice(-64), platform);
  return key.length === 64 ? [either] : [plainScript(key, platform), either];
}

function addressOf(script: string, network: BitcoinNetwork): string {
  return Address(networkParameters(network)).encode({ type: 'wsh', hash: sha256(hex.decode(script)) });
}

/**
 * The address of the trading wallet of two keys: both sign, or the user's alone once a coin has rested
 * for 12,960 blocks.
 *
 * @param publicKey The user's, hex, as `GET /api/account/trading-wallet` tells it: 33 bytes, or 32 of
 *   a key that Taproot alone has proved, so that either key with this x signs.
 * @param platformPublicKey The platform's, 33 bytes, from there too.
 * @throws {@link RuneportError} `client.psbtRefused`: one of them is no such key.
 */
export function tradingAddressOf(publicKey: string, platformPublicKey: string, network: BitcoinNetwork): string {
  const [key, platform] = [keyOf(publicKey), keyOf(platformPublicKey)];
  if (platform.length !== 66) throw clientError('client.psbtRefused', 'the key of the platform has 33 bytes');
  return addressOf(key.length === 64 ? eitherScript(key, platform) : plainScript(key, platform), network);
}

/** Whether an address is one of a trading wallet of this key, in either form. */
export function isTradingAddress(address: string, publicKey: string, platformPublicKey: string, network: BitcoinNetwork): boolean {
  const key = keyOf(publicKey);
  return [key, key.slice(-64)].some((form) => tradingAddressOf(form, platformPublicKey, network) === address);
}

/** Whether a coin is one of a trading wallet of this key, whatever the platform's is. */
export function isTradingCoin(
  { script, witnessScript = '' }: { readonly script: string; readonly witnessScript: string | undefined },
  publicKey: string,
): boolean {
  const [, platform = ''] = PLATFORM.exec(witnessScript) ?? [];
  const isScript = scriptsOf(publicKey, platform).includes(witnessScript);
  return isScript && script === `0020${hex.encode(sha256(hex.decode(witnessScript)))}`;
}
