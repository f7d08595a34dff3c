// The keystore, `encryptedBlob`: keys of the client, which the service stores but cannot read. This page
// stores the secrets of the tab's wallets there, encrypted with a key derived from the password.

import { base64 } from '@scure/base';

const SALT = 16;
const NONCE = 12;
/** OWASP's recommendation for PBKDF2 with SHA-256. */
const ROUNDS = 600_000;

export interface KeystoreEntry {
  chain: string;
  secret: string;
}

async function keyOf(password: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Encrypts the entries with AES-256-GCM; returns salt, nonce and ciphertext as base64. */
export async function sealKeystore(password: string, entries: readonly KeystoreEntry[]): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT));
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const text = new TextEncoder().encode(JSON.stringify({ v: 1, keys: entries }));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(password, salt), text);
  return base64.encode(Uint8Array.from([...salt, ...iv, ...new Uint8Array(sealed)]));
}

function isEntry(value: unknown): value is KeystoreEntry {
  return typeof value === 'object' && value !== null && 'chain' in value && 'secret' in value
    && typeof value.chain === 'string' && typeof value.secret === 'string';
}

/** The entries of a keystore; undefined if another client or another password created it. */
export async function openKeystore(password: string, blob: string): Promise<KeystoreEntry[] | undefined> {
  try {
    const bytes = Uint8Array.from(base64.decode(blob));
    const iv = bytes.slice(SALT, SALT + NONCE);
    const key = await keyOf(password, bytes.slice(0, SALT));
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(SALT + NONCE));
    const kept: unknown = JSON.parse(new TextDecoder().decode(text));
    return typeof kept === 'object' && kept !== null && 'keys' in kept && Array.isArray(kept.keys)
      ? kept.keys.filter(isEntry)
      : undefined;
  } catch {
    return undefined;
  }
}
