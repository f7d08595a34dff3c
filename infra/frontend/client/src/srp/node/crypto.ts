// The part of Node's `crypto` that fast-srp-hap uses.

import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';

/** SHA-256 with Node's interface. */
function createHash(algorithm: string) {
  if (algorithm !== 'sha256') throw new Error(`The hash ${algorithm} is not supported.`);
  const hash = sha256.create();
  const state = {
    update(bytes: Uint8Array) {
      hash.update(bytes);
      return state;
    },
    digest: () => Buffer.from(hash.digest()),
  };
  return state;
}

export default { createHash };
