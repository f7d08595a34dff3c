import { hex } from '@scure/base';
import { Address } from '@scure/btc-signer/payment.js';
import { sha256 } from '@scure/btc-signer/utils.js';

import { clientError } from '../error.js';
import { type BitcoinNetwork, networkParameters } from './network.js';

// The script of a trading wallet, of which only the two keys vary:
// wsh(and_v(v:pk(USER),or_d(pk(PLATFORM),older(12960)))), which is
// <USER> CHECKSIGVERIFY <PLATFORM> CHECKSIG IFDUP NOTIF <12960> CHECKSEQUENCEVERIFY ENDIF.
const scriptOf = (user: string, platform: string) => `21${user}ad21${platform}ac736402a032b268`;
const PLATFORM = /^21[0-9a-f]{66}ad21(0[23][0-9a-f]{64})/;

/**
 * A public key as scripts hold it.
 *
 * @throws {@link RuneportError} `client.psbtRefused`: not hex of 33 bytes.
 */
export function keyOf(publicKey: string): string {
  const key = publicKey.toLowerCase();
  if (!/^0[23][0-9a-f]{64}$/.test(key)) throw clientError('client.psbtRefused', 'the wallet tells no public key of 33 bytes');
  return key;
}

/**
 * The address of the trading wallet of two keys: both sign, or the user's alone once a coin has rested
 * for 12,960 blocks.
 *
 * @param publicKey The user's, hex, 33 bytes.
 * @param platformPublicKey Likewise, as `GET /api/account/trading-wallet` tells it.
 * @throws {@link RuneportError} `client.psbtRefused`: one of them is no such key.
 */
export function tradingAddressOf(publicKey: string, platformPublicKey: string, network: BitcoinNetwork): string {
  const hash = sha256(hex.decode(scriptOf(keyOf(publicKey), keyOf(platformPublicKey))));
  return Address(networkParameters(network)).encode({ type: 'wsh', hash });
}

/** Whether a coin is one of a trading wallet of this key, whatever the platform's is. */
export function isTradingCoin(
  { script, witnessScript = '' }: { readonly script: string; readonly witnessScript: string | undefined },
  publicKey: string,
): boolean {
  const [, platform = ''] = PLATFORM.exec(witnessScript) ?? [];
  return witnessScript === scriptOf(publicKey, platform) && script === `0020${hex.encode(sha256(hex.decode(witnessScript)))}`;
}
