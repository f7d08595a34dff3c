// Wraps SRP-6a of fast-srp-hap for `Uint8Array`. The build bundles the library into this file, together
// with replacements for the Node modules that it uses.

import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';
import { SRP, SrpClient } from 'fast-srp-hap';

import { type Group, isGroup } from './groups.js';

/** The client's proof, and the one that it expects of the server. */
export interface Proof {
  /** A, the client's public value. */
  readonly clientPublic: Uint8Array;
  /** M1, which proves that the client knows the password. */
  readonly clientProof: Uint8Array;
  /** M2, which proves that the service knows the verifier. */
  readonly serverProof: Uint8Array;
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
  const [clientPublic, clientProof] = [client.computeA(), client.computeM1()];
  // The library compares M2 and does not return it.
  const serverProof = sha256(Buffer.concat([clientPublic, clientProof, client.computeK()]));
  return { clientPublic, clientProof, serverProof };
}
