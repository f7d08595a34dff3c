import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { WIF } from '@scure/btc-signer';

import { ordinaryAddresses, type TradingWallet } from './kit.js';
import { NETWORKS, parametersOf } from './network.js';
import { Problem } from './problem.js';

/** The private key that signs, and its public key. */
export interface UserKey {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Hex of 33 bytes. */
  readonly publicKey: string;
  /** Where the key is under a seed phrase. */
  readonly path?: string;
}

// Where wallets keep keys: BIP 44, 49, 84 and 86, and the plain paths of old wallets.
const PURPOSES = [84, 86, 49, 44];
const ACCOUNTS = 5;
const ADDRESSES = 20;

/**
 * Reads a private key as wallets export it: WIF, 64 hex digits, an extended private key, or a seed phrase of English
 * words. Under a seed phrase, it looks for the key of this trading wallet where wallets keep keys.
 *
 * @param passphrase The seed phrase's additional passphrase, which few users have.
 * @param path Where to look, such as `m/84'/0'/0'/0/0`; empty for the usual places.
 * @throws {@link Problem}
 */
export function readKey(text: string, wallet: TradingWallet, passphrase = '', path = ''): UserKey {
  const entered = text.trim();
  const words = entered.toLowerCase().split(/\s+/);
  if (words.length >= 12) return fromSeed(words.join(' '), wallet, passphrase, path.trim());
  if (/^[xt]prv/.test(entered)) return fromRoot(extended(entered), wallet, path.trim());
  const privateKey = /^[0-9a-f]{64}$/i.test(entered) ? hex.decode(entered.toLowerCase()) : fromWif(entered);
  const publicKey = publicKeyOf(privateKey);
  if (!wallet.user.includes(publicKey)) throw otherKey(wallet);
  return { privateKey, publicKey };
}

function fromWif(text: string): Uint8Array {
  if (text === '') throw new Problem('Enter your private key or your seed phrase.');
  for (const network of NETWORKS) {
    try {
      return WIF(parametersOf(network)).decode(text);
    } catch {
      // Of another network, or no WIF.
    }
  }
  throw new Problem(
    'This is neither a private key nor a seed phrase. A private key has 52 characters (WIF) or 64 hex digits; a seed '
    + 'phrase has 12 or 24 words. Copy it again, completely.',
  );
}

function fromSeed(words: string, wallet: TradingWallet, passphrase: string, path: string): UserKey {
  if (!validateMnemonic(words, wordlist)) {
    throw new Problem('The seed phrase has a mistake: a word is misspelled, missing, or in the wrong place. Compare it with your note word by word.');
  }
  return fromRoot(HDKey.fromMasterSeed(mnemonicToSeedSync(words, passphrase)), wallet, path);
}

function extended(text: string): HDKey {
  const versions = text.startsWith('xprv') ? undefined : { private: 0x0435_8394, public: 0x0435_87cf };
  try {
    return HDKey.fromExtendedKey(text, versions);
  } catch {
    throw new Problem('The extended private key has a mistake. Copy it again, completely.');
  }
}

function fromRoot(root: HDKey, wallet: TradingWallet, path: string): UserKey {
  const wanted = new Set(wallet.user);
  const found = path === '' ? search(root, wanted) : [at(root, path)];
  for (const key of found) {
    if (key?.privateKey && wanted.has(key.publicKey)) return { ...key, privateKey: key.privateKey };
  }
  throw otherKey(wallet);
}

interface Candidate {
  readonly privateKey: Uint8Array | null;
  readonly publicKey: string;
  readonly path: string;
}

function at(root: HDKey, path: string): Candidate {
  try {
    return candidate(root.derive(path), path);
  } catch {
    throw new Problem('A path looks like m/84\'/0\'/0\'/0/0. Correct it, or leave it empty.');
  }
}

function candidate(key: HDKey, path: string): Candidate {
  return { privateKey: key.privateKey, publicKey: key.publicKey === null ? '' : hex.encode(key.publicKey), path };
}

function* search(root: HDKey, wanted: ReadonlySet<string>): Generator<Candidate> {
  yield candidate(root, 'm');
  const parents = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    for (const purpose of PURPOSES) {
      for (const coin of [0, 1]) for (const chain of [0, 1]) parents.push(`m/${purpose}'/${coin}'/${account}'/${chain}`);
    }
  }
  parents.push('m', 'm/0', 'm/0\'', 'm/0\'/0\'', 'm/0\'/0');
  for (const parent of parents) {
    const key = root.derive(parent);
    for (let place = 0; place < ADDRESSES; place += 1) {
      const child = candidate(key.deriveChild(place), `${parent}/${place}`);
      yield child;
      if (wanted.has(child.publicKey)) return;
    }
  }
}

function publicKeyOf(privateKey: Uint8Array): string {
  try {
    return hex.encode(secp256k1.getPublicKey(privateKey, true));
  } catch {
    throw new Problem('This is not a private key.');
  }
}

function otherKey(wallet: TradingWallet): Problem {
  return new Problem(
    'This is a key, but not the one of this trading wallet. The right one belongs to the wallet in which you see one of '
    + `these addresses: ${ordinaryAddresses(wallet).join(', ')}.`,
  );
}
