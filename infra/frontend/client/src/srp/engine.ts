// SRP-6a by fast-srp-hap, in terms of `Uint8Array`. The build puts the library into this file, with
// what stands for the modules of Node that it is written for.

import { Buffer } from 'buffer/';
import { SRP, SrpClient } from 'fast-srp-hap';

/** The groups of RFC 5054 that accounts have, by their bits. */
export type Group = 2048 | 3072 | 4096;

/** Both halves of a proof. */
export interface Proof {
  /** A: what the client makes public. */
  readonly clientPublic: Uint8Array;
  /** M1: that it knows the password. */
  readonly clientProof: Uint8Array;
  /** Whether this is M2: that the service knows the verifier. */
  verifies(serverProof: Uint8Array): boolean;
}

/** All of them. The library knows smaller ones too, which whoever plays the service could break. */
const GROUPS: readonly number[] = [2048, 3072, 4096] satisfies Group[];

/** Whether it is one of them: types do not hold what the service answers. */
export function isGroup(bits: number): bits is Group {
  return GROUPS.includes(bits);
}

/** The parameters of a group, with SHA-256, which all of the service's have. */
function parametersOf(group: Group) {
  if (!isGroup(group)) throw new RangeError(`SRP of ${String(group)} bits`);
  return { ...SRP.params[group], hash: 'sha256' };
}

/**
 * The verifier of a password.
 *
 * @param identity The canonical e-mail address.
 * @param secret The password, stretched.
 */
export function verifierOf(group: Group, salt: Uint8Array, identity: string, secret: Uint8Array): Uint8Array {
  return SRP.computeVerifier(parametersOf(group), Buffer.from(salt), Buffer.from(identity, 'utf8'), Buffer.from(secret));
}

/**
 * Proves a password.
 *
 * @param serverPublic B.
 * @throws Error where B cannot be one.
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
