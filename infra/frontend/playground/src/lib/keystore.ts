// The keystore of this page, `encryptedBlob`: the secrets of the tab's wallets, in the client's format. The service stores
// it, but cannot read it.

import { decryptKeystore, encryptKeystore } from '@runeport/client/keystore';

export interface KeystoreEntry {
  chain: string;
  secret: string;
}

/** Encrypts the entries. */
export function sealKeystore(password: string, owner: string, entries: readonly KeystoreEntry[]): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify({ keys: entries }));
  return encryptKeystore({ secret, password, owner });
}

export interface OpenedKeystore {
  entries: KeystoreEntry[];
  /** For whom it was encrypted: the address of the account may have changed since. */
  owner: string;
}

function isEntry(value: unknown): value is KeystoreEntry {
  return typeof value === 'object' && value !== null && 'chain' in value && 'secret' in value
    && typeof value.chain === 'string' && typeof value.secret === 'string';
}

function entriesOf(secret: Uint8Array): KeystoreEntry[] {
  try {
    const kept: unknown = JSON.parse(new TextDecoder().decode(secret));
    if (typeof kept === 'object' && kept !== null && 'keys' in kept && Array.isArray(kept.keys)) return kept.keys.filter(isEntry);
  } catch {
    // Another client keeps its secrets as it likes.
  }
  throw new Error('Another client has written the contents of the keystore.');
}

/**
 * Decrypts a keystore of this page.
 *
 * @throws if the password is wrong, or if the contents are not those of this page.
 */
export async function openKeystore(password: string, blob: string): Promise<OpenedKeystore> {
  const { secret, owner } = await decryptKeystore(blob, { password });
  return { entries: entriesOf(secret), owner };
}

/** Encrypts a keystore again with another password; `entries` come first, followed by what only the keystore contains. */
export async function sealAgain(
  blob: string,
  { password, newPassword, owner, entries }: { password: string; newPassword: string; owner: string; entries: readonly KeystoreEntry[] },
): Promise<string> {
  const kept = (await openKeystore(password, blob)).entries;
  const known = new Set(entries.map(({ chain, secret }) => `${chain} ${secret}`));
  return sealKeystore(newPassword, owner, [...entries, ...kept.filter(({ chain, secret }) => !known.has(`${chain} ${secret}`))]);
}
