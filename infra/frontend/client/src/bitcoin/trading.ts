import { hex } from '@scure/base';
import { Address } from '@scure/btc-signer/payment.js';
import { sha256 } from '@scure/btc-signer/utils.js';

import { clientError } from '../error.js';
import { type BitcoinNetwork, networkParameters } from './network.js';

// The scripts of trading wallets differ only in their keys. The plain script is
// wsh(and_v(v:pk(USER),or_d(pk(PLATFORM),older(12960)))), in opcodes
// <USER> CHECKSIGVERIFY <PLATFORM> CHECKSIG IFDUP NOTIF <12960> CHECKSEQUENCEVERIFY ENDIF.
// If only a Taproot signature has proved the key, its parity is unknown. The script is then
// wsh(and_v(or_c(pk(02X),v:pk(03X)),or_d(pk(PLATFORM),older(12960)))), in opcodes
// <02X> CHECKSIG NOTIF <03X> CHECKSIGVERIFY ENDIF <PLATFORM> CHECKSIG IFDUP ...
const plainScript = (user: string, platform: string) => `21${user}ad${restOf(platform)}`;
const eitherScript = (xOnly: string, platform: string) => `2102${xOnly}ac642103${xOnly}ad68${restOf(platform)}`;
const restOf = (platform: string) => `21${platform}ac736402a032b268`;
const PLATFORM = /21(0[23][0-9a-f]{64})ac736402a032b268$/;
const ANY = /^(?:210[23][0-9a-f]{64}ad|2102([0-9a-f]{64})ac642103\1ad68)21(0[23][0-9a-f]{64})ac736402a032b268$/;

/**
 * Normalizes a public key to lowercase hex: 33 bytes, or 32 bytes if the wallet provides it x-only.
 *
 * @throws {@link RuneportError} `client.psbtRefused` if the key has another form.
 */
export function keyOf(publicKey: string): string {
  const key = publicKey.toLowerCase();
  if (!/^(0[23])?[0-9a-f]{64}$/.test(key)) {
    throw clientError('client.psbtRefused', 'The wallet\'s public key must be hex of 33 or 32 bytes.');
  }
  return key;
}

/** The scripts that a trading wallet with this key can have, as hex. */
function scriptsOf(key: string, platform: string): string[] {
  const either = eitherScript(key.slice(-64), platform);
  return key.length === 64 ? [either] : [plainScript(key, platform), either];
}

function addressOf(script: string, network: BitcoinNetwork): string {
  return Address(networkParameters(network)).encode({ type: 'wsh', hash: sha256(hex.decode(script)) });
}

/**
 * The address of the trading wallet with these two keys. Spending a coin needs both signatures, or only
 * the user's once the coin has 12,960 confirmations.
 *
 * @param publicKey The user's key in hex, from `GET /api/account/trading-wallet`: 33 bytes, or 32 bytes
 *   for a key proved only by a Taproot signature. In that case either key with this x can sign.
 * @param platformPublicKey The platform's key, 33 bytes in hex, from the same endpoint.
 * @throws {@link RuneportError} `client.psbtRefused` if a key has another form.
 *
 * @example
 * const { data } = await call(api, 'get', '/api/account/trading-wallet');
 * const isOwn = data.address === tradingAddressOf(wallet.publicKey, data.platformPublicKey, 'bitcoin');
 */
export function tradingAddressOf(publicKey: string, platformPublicKey: string, network: BitcoinNetwork): string {
  const [key, platform] = [keyOf(publicKey), keyOf(platformPublicKey)];
  if (platform.length !== 66) throw clientError('client.psbtRefused', 'The platform\'s public key must have 33 bytes.');
  return addressOf(key.length === 64 ? eitherScript(key, platform) : plainScript(key, platform), network);
}

/** Whether an address belongs to a trading wallet with these keys, in either script form. */
export function isTradingAddress(address: string, publicKey: string, platformPublicKey: string, network: BitcoinNetwork): boolean {
  const key = keyOf(publicKey);
  return [key, key.slice(-64)].some((form) => tradingAddressOf(form, platformPublicKey, network) === address);
}

/** Whether a coin belongs to a trading wallet with this user key and any platform key. */
export function isTradingCoin(
  { script, witnessScript = '' }: { readonly script: string; readonly witnessScript: string | undefined },
  publicKey: string,
): boolean {
  const [, platform = ''] = PLATFORM.exec(witnessScript) ?? [];
  const isScript = scriptsOf(publicKey, platform).includes(witnessScript);
  return isScript && script === `0020${hex.encode(sha256(hex.decode(witnessScript)))}`;
}

/** The service's key in the script of any trading wallet, as hex; `undefined` for any other script. */
export function platformKeyOf(witnessScript: string): string | undefined {
  return ANY.exec(witnessScript)?.[2];
}
