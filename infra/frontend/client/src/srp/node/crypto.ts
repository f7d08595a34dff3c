// What fast-srp-hap takes of Node's `crypto`.

import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';

/** SHA-256, by Node's interface. */
function createHash(algorithm: string) {
  if (algorithm !== 'sha256') throw new Error(`no ${algorithm} here`);
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
