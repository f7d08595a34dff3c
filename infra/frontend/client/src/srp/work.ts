// What takes long: Argon2id and the arithmetic of SRP. A worker bundles this file; pages without one load it.

import { argon2id } from 'hash-wasm';

import { clientError } from '../error.js';
import { type Proof, proofOf, verifierOf } from './engine.js';
import type { Group } from './groups.js';

/** The cost parameters of Argon2id. */
export interface PasswordCost {
  /** In KiB. */
  readonly memorySize: number;
  /** Passes over the memory. */
  readonly iterations: number;
  /** Lanes. */
  readonly parallelism: number;
}

/** A password, and what its verifier depends on. */
export interface Password {
  readonly password: string;
  readonly salt: Uint8Array;
  /** The canonical e-mail address. */
  readonly identity: string;
  readonly group: Group;
  readonly cost: PasswordCost;
}

/** A password to prove, with B, the service's public value. */
export interface Handshake extends Password {
  readonly serverPublic: Uint8Array;
}

/** Stretches the password to the 32-byte secret that SRP uses. */
function stretchPassword({ password, salt, identity, cost }: Password): Promise<Uint8Array> {
  const { memorySize, iterations, parallelism } = cost;
  // With the address in the salt, two accounts never share a secret, even if a server sends both the same salt.
  const address = new TextEncoder().encode(identity);
  const both = new Uint8Array(salt.length + address.length);
  both.set(salt);
  both.set(address, salt.length);
  return argon2id({
    password, salt: both, memorySize, iterations, parallelism, hashLength: 32, outputType: 'binary',
  });
}

export const works = {
  async verifier(asked: Password): Promise<Uint8Array> {
    return verifierOf(asked.group, asked.salt, asked.identity, await stretchPassword(asked));
  },
  async proof(asked: Handshake): Promise<Proof> {
    const secret = await stretchPassword(asked);
    try {
      return proofOf(asked.group, asked.salt, asked.identity, secret, asked.serverPublic);
    } catch (error) {
      throw clientError('client.answerMalformed', 'serverPublic is not a valid SRP value.', error);
    }
  },
};

export type Works = typeof works;
