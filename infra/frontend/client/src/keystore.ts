/**
 * Keystores: a secret of the client, encrypted with a password, as the `encryptedBlob` that the service keeps and cannot
 * read. The README documents the format byte by byte.
 *
 * @packageDocumentation
 */

import { base64, bytesOf, randomBytes, sameBytes } from './bytes.js';
import { clientError, type RuneportError } from './error.js';

const VERSION = 1;
/** The only KDF of version 1: PBKDF2 with HMAC-SHA-256. */
const PBKDF2_SHA256 = 1;

// Where the fields begin.
const ITERATIONS_AT = 2;
const SALT_AT = 6;
const NONCE_AT = 22;
const OWNER_LENGTH_AT = 34;
const OWNER_AT = 35;

const TAG_BYTES = 16;
const LONGEST_OWNER = 255;

/** The API's limit, in base64 characters. */
const LONGEST_BLOB = 13_708;
const MOST_BYTES = (LONGEST_BLOB / 4) * 3;

/** OWASP's recommendation for PBKDF2 with HMAC-SHA-256, and the fewest iterations of the format. */
const LEAST_ITERATIONS = 600_000;
/** A phone takes a few seconds for them. Without a limit, a malicious service could occupy it for as long as it likes. */
const MOST_ITERATIONS = 10_000_000;

/** Input of {@link encryptKeystore}. */
export interface KeystoreContents {
  /** At most 10,230 bytes less the bytes of `owner`. */
  readonly secret: Uint8Array;
  readonly password: string;
  /**
   * Identifies the account: its e-mail address as `canonicalEmail` of `/srp` writes it, its id, or the address of its wallet.
   * 1 to 255 bytes of UTF-8, readable without the password, and authenticated.
   */
  readonly owner: string;
  /** Of PBKDF2, 600,000 (the default) to 10,000,000. */
  readonly iterations?: number | undefined;
}

/** Input of {@link decryptKeystore}. */
export interface KeystoreUnlock {
  readonly password: string;
  /**
   * The owner that the keystore must name. Omit it where the address of the account may have changed since the keystore
   * was encrypted, and compare {@link DecryptedKeystore.owner} instead.
   */
  readonly owner?: string | undefined;
}

/** The contents of a keystore. */
export interface DecryptedKeystore {
  readonly secret: Uint8Array;
  /** As it was when the keystore was encrypted: a change of the e-mail address keeps the keystore. */
  readonly owner: string;
}

/** Input of {@link reencryptKeystore}. */
export interface KeystoreChange extends KeystoreUnlock {
  readonly newPassword: string;
  /** Default: the owner that the keystore names. */
  readonly newOwner?: string | undefined;
  /** Default: those of the keystore. */
  readonly iterations?: number | undefined;
}

/**
 * Encrypts a secret with a password. The browser does this outside the page's thread.
 *
 * @returns The `encryptedBlob` of a registration.
 * @throws {@link RuneportError} `client.keystoreInvalid` if the keystore would exceed the limit of the API, or a value
 *   is outside its limits; `client.unsupported` on a page without HTTPS.
 *
 * @example
 * const encryptedBlob = await encryptKeystore({ secret: privateKey, password, owner: canonicalEmail(email) });
 * await registerWithPassword(api, { email, password, encryptedBlob });
 */
export async function encryptKeystore(
  { secret, password, owner, iterations = LEAST_ITERATIONS }: KeystoreContents,
): Promise<string> {
  const named = new TextEncoder().encode(owner);
  if (named.length === 0 || named.length > LONGEST_OWNER) {
    throw invalid(`The owner has ${named.length} bytes of UTF-8. Use 1 to ${LONGEST_OWNER}.`);
  }
  if (!Number.isInteger(iterations) || !areAccepted(iterations)) throw invalid(iterationLimits(iterations));
  const most = MOST_BYTES - OWNER_AT - named.length - TAG_BYTES;
  if (secret.length > most) throw invalid(`The secret has ${secret.length} bytes. With this owner the limit is ${most}.`);

  const salt = new Uint8Array(randomBytes(NONCE_AT - SALT_AT));
  const iv = new Uint8Array(randomBytes(OWNER_LENGTH_AT - NONCE_AT));
  const head = new Uint8Array(OWNER_AT + named.length);
  head.set([VERSION, PBKDF2_SHA256]);
  new DataView(head.buffer).setUint32(ITERATIONS_AT, iterations);
  head.set(salt, SALT_AT);
  head.set(iv, NONCE_AT);
  head[OWNER_LENGTH_AT] = named.length;
  head.set(named, OWNER_AT);

  const key = await keyOf(password, salt, iterations, 'encrypt');
  const algorithm = { name: 'AES-GCM', iv, additionalData: head };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new Uint8Array(secret)));
  const blob = new Uint8Array(head.length + sealed.length);
  blob.set(head);
  blob.set(sealed, head.length);
  return base64(blob);
}

/**
 * Decrypts the `encryptedBlob` of a sign-in or of `GET /api/account/keystore`.
 *
 * @throws {@link RuneportError} `client.keystorePasswordWrong` if the password is wrong or the keystore was changed;
 *   `client.keystoreInvalid` if it is not a keystore of this format, or names another owner; `client.unsupported` if it
 *   has a later version, or on a page without HTTPS.
 *
 * @example
 * const { data } = await call(api, 'get', '/api/account/keystore');
 * const { secret, owner } = await decryptKeystore(data.encryptedBlob, { password });
 */
export async function decryptKeystore(encryptedBlob: string, { password, owner }: KeystoreUnlock): Promise<DecryptedKeystore> {
  const { head, salt, iv, iterations, named, sealed } = fieldsOf(encryptedBlob);
  const namedText = new TextDecoder('utf-8', { ignoreBOM: true }).decode(named);
  if (owner !== undefined && !sameBytes(named, new TextEncoder().encode(owner))) {
    throw invalid(`The keystore is of "${namedText}", and not of "${owner}".`);
  }
  const key = await keyOf(password, salt, iterations, 'decrypt');
  try {
    const secret = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: head }, key, sealed);
    return { secret: new Uint8Array(secret), owner: namedText };
  } catch (error) {
    throw clientError('client.keystorePasswordWrong', 'The password does not open the keystore, or the keystore was changed.', error);
  }
}

/**
 * Encrypts a keystore with another password, under a new salt and nonce. The old keystore remains readable with the old
 * password: if somebody else knows that, replace the secret too.
 *
 * @returns The `newEncryptedBlob` of a password change.
 * @throws {@link RuneportError} The errors of {@link decryptKeystore} and {@link encryptKeystore}.
 *
 * @example
 * const { data } = await call(api, 'get', '/api/account/keystore');
 * const newEncryptedBlob = await reencryptKeystore(data.encryptedBlob, { password, newPassword });
 * await changePassword(api, { email, password, newPassword, newEncryptedBlob });
 */
export async function reencryptKeystore(
  encryptedBlob: string,
  { password, newPassword, owner, newOwner, iterations }: KeystoreChange,
): Promise<string> {
  const opened = await decryptKeystore(encryptedBlob, { password, owner });
  return encryptKeystore({
    secret: opened.secret, password: newPassword, owner: newOwner ?? opened.owner, iterations: iterations ?? fieldsOf(encryptedBlob).iterations,
  });
}

/** Splits a blob into its fields, and refuses a malformed one before any key is derived. */
function fieldsOf(encryptedBlob: string) {
  if (encryptedBlob.length > LONGEST_BLOB) {
    throw invalid(`The keystore has ${encryptedBlob.length} characters. The limit is ${LONGEST_BLOB}.`);
  }
  const bytes = decoded(encryptedBlob);
  const [version, kdf] = bytes;
  if (version === undefined) throw invalid('The keystore is empty.');
  if (version !== VERSION) throw unsupported(`The keystore has version ${version}, which this client does not support.`);
  if (kdf !== undefined && kdf !== PBKDF2_SHA256) throw unsupported(`The keystore uses the KDF ${kdf}, which this client does not support.`);
  const ownerLength = bytes[OWNER_LENGTH_AT];
  const sealedAt = OWNER_AT + (ownerLength ?? 0);
  if (ownerLength === undefined || bytes.length < sealedAt + TAG_BYTES) throw invalid('The keystore is cut off.');
  if (ownerLength === 0) throw invalid('The keystore names no owner.');
  const iterations = new DataView(bytes.buffer).getUint32(ITERATIONS_AT);
  if (!areAccepted(iterations)) throw invalid(iterationLimits(iterations));
  return {
    head: bytes.slice(0, sealedAt),
    iterations,
    salt: bytes.slice(SALT_AT, NONCE_AT),
    iv: bytes.slice(NONCE_AT, OWNER_LENGTH_AT),
    named: bytes.slice(OWNER_AT, sealedAt),
    sealed: bytes.slice(sealedAt),
  };
}

function decoded(encryptedBlob: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytesOf(encryptedBlob));
  } catch (error) {
    throw clientError('client.keystoreInvalid', 'The keystore is not base64.', error);
  }
}

async function keyOf(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
  use: 'encrypt' | 'decrypt',
): Promise<CryptoKey> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle) throw unsupported('Browsers encrypt only on pages of HTTPS or of localhost.');
  // NFC, as RFC 8265 has it: keyboards write the same letter in different ways.
  const typed = new TextEncoder().encode(password.normalize('NFC'));
  const material = await subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveKey']);
  const kdf = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return subtle.deriveKey(kdf, material, { name: 'AES-GCM', length: 256 }, false, [use]);
}

function areAccepted(iterations: number): boolean {
  return iterations >= LEAST_ITERATIONS && iterations <= MOST_ITERATIONS;
}

function iterationLimits(iterations: number): string {
  return `The keystore has ${iterations} iterations. The limits are ${LEAST_ITERATIONS} and ${MOST_ITERATIONS}.`;
}

function invalid(message: string): RuneportError {
  return clientError('client.keystoreInvalid', message);
}

function unsupported(message: string): RuneportError {
  return clientError('client.unsupported', message);
}
