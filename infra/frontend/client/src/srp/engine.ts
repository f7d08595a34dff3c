// Wraps SRP-6a of fast-srp-hap for `Uint8Array`. The build bundles the library into this file, together
// with replacements for the Node modules that it uses.

import { Buffer } from 'buffer/';
import { SRP, SrpClient } from 'fast-srp-hap';

/** The RFC 5054 groups that accounts can have, by their bits. */
export type Group = 2048 | 3072 | 4096;

/** The client's proof, with the check of the server's proof. */
export interface Proof {
  /** A, the client's public value. */
  readonly clientPublic: Uint8Array;
  /** M1, which proves that the client knows the password. */
  readonly clientProof: Uint8Array;
  /** Whether `serverProof` is M2, which proves that the service knows the verifier. */
  verifies(serverProof: Uint8Array): boolean;
}

/** The library also supports smaller groups, which an attacker who imitates the service could break. */
const GROUPS: readonly number[] = [2048, 3072, 4096] satisfies Group[];

/** Checks a value from the service, which its type does not guarantee. */
export function isGroup(bits: number): bits is Group {
  return GROUPS.includes(bits);
}

/** The parameters of a group, with SHA-256 as the service uses it. */
function parametersOf(group: Group) {
  if (!isGroup(group)) throw new RangeError(`SRP groups of ${String(group)} bits are not supported.`);
  return { ...SRP.params[group], hash: 'sha256' };
}

/**
 * Computes the verifier of a password.
 *
 * @param identity The canonical e-mail address.
 * @param secret The stretched password.
 */
export function verifierOf(group: Group, salt: Uint8Array, identity: string, secret: Uint8Array): Uint8Array {
  return SRP.computeVerifier(parametersOf(group), Buffer.from(salt), Buffer.from(identity, 'utf8'), Buffer.from(secret));
}

/**
 * Computes the proof of a password.
 *
 * @param serverPublic B, the service's public value.
 * @throws Error if B is not a valid value.
 */
export function proofOf(
  group: Group,
  salt: Uint8Array,
  identity: string,
  secret: Uint8Array,
  serverPublic: Uint8Array,
): Proof {
  const ephemeral = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  const client = new SrpClient(
    parametersOf(group), Buffer.from(salt), Buffer.from(identity, 'utf8'), Buffer.from(secret), ephemeral, true,
  );
  client.setB(Buffer.from(serverPublic));
  return {
    clientPublic: client.computeA(),
    clientProof: client.computeM1(),
    verifies: (serverProof) => {
      try {
        client.checkM2(Buffer.from(serverProof));
        return true;
      } catch {
        return false;
      }
    },
  };
}
