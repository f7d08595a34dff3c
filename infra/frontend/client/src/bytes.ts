import { base64 as coder } from '@scure/base';

import { clientError } from './error.js';

/** Encodes bytes as base64 with padding. */
export function base64(bytes: Uint8Array): string {
  return coder.encode(bytes);
}

/**
 * Decodes base64.
 *
 * @throws {@link RuneportError} `client.answerMalformed`.
 */
export function bytesOf(text: string): Uint8Array {
  try {
    return coder.decode(text);
  } catch (error) {
    throw clientError('client.answerMalformed', 'A value of the response is not base64.', error);
  }
}

/** Cryptographically secure random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
