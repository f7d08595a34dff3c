import { base64 as coder } from '@scure/base';

import { clientError } from './error.js';

/** Bytes as base64, padded. */
export function base64(bytes: Uint8Array): string {
  return coder.encode(bytes);
}

/**
 * The bytes of base64.
 *
 * @throws {@link RuneportError} `client.answerMalformed`.
 */
export function bytesOf(text: string): Uint8Array {
  try {
    return coder.decode(text);
  } catch (error) {
    throw clientError('client.answerMalformed', 'not base64', error);
  }
}

/** Bytes of the system's generator. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Whether they are the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
