import { hex } from '@scure/base';
import { Address, p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer';
import { sha256 } from '@scure/btc-signer/utils.js';

import { type Coin, runeOf } from './coins.js';
import { type Keys, readDescriptor, witnessScriptOf } from './descriptor.js';
import { type Network, NETWORKS, parametersOf } from './network.js';
import { Problem } from './problem.js';

/** A trading wallet: everything about it follows from its keys and its network. */
export interface TradingWallet extends Keys {
  readonly network: Network;
  readonly address: string;
  /** The script of its outputs. */
  readonly script: Uint8Array;
  /** The script that locks the coins. */
  readonly witnessScript: Uint8Array;
}

/** What a recovery file contains. */
export interface Kit {
  readonly wallet: TradingWallet;
  /** The coins when the file was made; undefined if the file has none. */
  readonly coins: readonly Coin[] | undefined;
  /** The height of the chain at that time. */
  readonly height: number | undefined;
}

/** The wallet with these keys. */
export function tradingWallet(keys: Keys, network: Network): TradingWallet {
  const witnessScript = witnessScriptOf(keys);
  const hash = sha256(witnessScript);
  const address = Address(parametersOf(network)).encode({ type: 'wsh', hash });
  return { ...keys, network, address, script: hex.decode(`0020${hex.encode(hash)}`), witnessScript };
}

/**
 * Reads a recovery file, the older document of `GET /api/account/trading-wallet`, or just a descriptor.
 * Address and script are computed from the keys, and compared with those in the file.
 *
 * @param network Of a file that does not name one.
 * @throws {@link Problem}
 */
export function readKit(text: string, network?: Network): Kit {
  if (text.trim().startsWith('wsh(')) {
    return { wallet: tradingWallet(readDescriptor(text), network ?? 'bitcoin'), coins: undefined, height: undefined };
  }
  const file = objectOf(text);
  if (typeof file.descriptor !== 'string') {
    throw new Problem('This is not a Runeport recovery file: it has no descriptor. Choose the file that you downloaded as your recovery kit.');
  }
  if (file.kind === 'runeport-recovery-kit' && file.version !== 1) {
    throw new Problem('This recovery file is newer than this program. Get a newer version of the program.');
  }
  const address = typeof file.address === 'string' ? file.address : undefined;
  const wallet = tradingWallet(readDescriptor(file.descriptor), networkOf(file.network, address, network));
  const sameScript = file.witnessScript === undefined || file.witnessScript === hex.encode(wallet.witnessScript);
  if ((address !== undefined && address !== wallet.address) || !sameScript) {
    throw new Problem(
      'The file contradicts itself: its address does not belong to its keys. Someone or something has changed it. '
      + 'Use another copy of the file.',
    );
  }
  const coins = Array.isArray(file.coins) ? file.coins.map(coinOf) : undefined;
  return { wallet, coins, height: typeof file.height === 'number' ? file.height : undefined };
}

function objectOf(text: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Problem('This is not a Runeport recovery file. Choose the file that you downloaded as your recovery kit; its name ends in .json.');
  }
  if (!isObject(file)) throw new Problem('This is not a Runeport recovery file.');
  // The whole answer of the service is a recovery file too.
  return isObject(file.data) ? file.data : file;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function networkOf(named: unknown, address: string | undefined, chosen: Network | undefined): Network {
  const known = NETWORKS.find((network) => network === named);
  if (known !== undefined) return known;
  if (named !== undefined) throw new Problem('The file names a Bitcoin network that this program does not know.');
  if (address?.startsWith('bcrt1')) return 'regtest';
  if (address?.startsWith('tb1')) return chosen ?? 'testnet';
  return chosen ?? 'bitcoin';
}

function coinOf(value: unknown): Coin {
  const wrong = new Problem('The list of coins in the file is damaged. Use another copy of the file, or only its descriptor.');
  if (!isObject(value)) throw wrong;
  const { id, sats, runes, inscriptions, confirmedHeight } = value;
  const [, txid, vout] = (typeof id === 'string' && /^([0-9a-f]{64}):(\d{1,9})$/.exec(id)) || [];
  if (txid === undefined || typeof sats !== 'number' || !Number.isSafeInteger(sats) || sats < 0) throw wrong;
  return {
    txid,
    vout: Number(vout),
    sats: BigInt(sats),
    height: typeof confirmedHeight === 'number' && Number.isSafeInteger(confirmedHeight) ? confirmedHeight : undefined,
    contents: Array.isArray(runes)
      ? { runes: runes.map((rune: unknown) => runeOf(isObject(rune) ? String(rune.name) : 'a rune', rune)), inscriptions: Array.isArray(inscriptions) ? inscriptions.map(String) : [] }
      : undefined,
  };
}

/** The ordinary addresses of the user's key, by which the user can tell which wallet holds it. */
export function ordinaryAddresses({ user, network }: TradingWallet): readonly string[] {
  const parameters = parametersOf(network);
  const [first = ''] = user;
  const key = hex.decode(first);
  const taproot = p2tr(key.slice(1), undefined, parameters).address;
  const others = user.length > 1 ? [] : [
    p2wpkh(key, parameters).address,
    p2sh(p2wpkh(key, parameters), parameters).address,
    p2pkh(key, parameters).address,
  ];
  return [...others, taproot].filter((address) => address !== undefined);
}
