/**
 * Accounts with a password: SRP-6a behind Argon2id. The password never leaves this side.
 *
 * @packageDocumentation
 */

import { argon2id } from 'hash-wasm';

import { type Api, call, type CallOptions, type Schemas } from '../api.js';
import { base64, bytesOf, randomBytes } from '../bytes.js';
import { clientError } from '../error.js';
import { keepSession, type SignedIn, signInBy, type SignInOptions } from '../sessions.js';
import { given, type Me, proveWallet, type RegistrationExtras, type Wallet } from '../wallets.js';
import { isGroup, type Proof, proofOf, verifierOf } from './engine.js';

/** What Argon2id costs whoever computes it. */
export interface PasswordCost {
  /** In KiB. */
  readonly memorySize: number;
  /** Passes over the memory. */
  readonly iterations: number;
  /** Lanes. */
  readonly parallelism: number;
}

/**
 * What passwords cost unless told otherwise: memory and passes of the second recommendation of RFC
 * 9106, in one lane, since one thread computes it here.
 */
export const PASSWORD_COST: PasswordCost = { memorySize: 65_536, iterations: 3, parallelism: 1 };

/** What every function takes that has to do with a password. */
export interface PasswordOptions {
  /** The same for all of an account's passwords, ever; {@link PASSWORD_COST} unless given. */
  readonly cost?: PasswordCost | undefined;
  /** Aborts it. */
  readonly signal?: AbortSignal | undefined;
}

/** The group that new accounts have, RFC 5054. */
const GROUP = 3072;
const SALT_BYTES = 32;

/** An e-mail address as the service compares it: NFKC, trimmed, in lowercase. */
export function canonicalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/** What SRP takes as the password, 32 bytes. */
function stretched(password: string, salt: Uint8Array, identity: string, cost = PASSWORD_COST): Promise<Uint8Array> {
  const { memorySize, iterations, parallelism } = cost;
  // Of the address as well: two accounts never have the same secret, whatever salt they are told.
  const address = new TextEncoder().encode(identity);
  const both = new Uint8Array(salt.length + address.length);
  both.set(salt);
  both.set(address, salt.length);
  return argon2id({
    password, salt: both, memorySize, iterations, parallelism, hashLength: 32, outputType: 'binary',
  });
}

async function verifier(group: Schemas['Group'], password: string, salt: Uint8Array, identity: string, cost?: PasswordCost) {
  return base64(verifierOf(group, salt, identity, await stretched(password, salt, identity, cost)));
}

/** The answer to a handshake that the service has begun. */
async function proved(session: Schemas['SrpSession'], password: string, identity: string, cost?: PasswordCost) {
  const { sessionId, group, hash, salt, serverPublic } = session;
  if (hash !== 'SHA-256') throw clientError('client.unsupported', `SRP with ${hash}`);
  if (!isGroup(group)) throw clientError('client.unsupported', `SRP of ${String(group)} bits`);
  const saltBytes = bytesOf(salt);
  if (saltBytes.length !== SALT_BYTES) throw clientError('client.answerMalformed', `a salt of ${saltBytes.length} bytes`);
  const secret = await stretched(password, saltBytes, identity, cost);
  let proof: Proof;
  try {
    proof = proofOf(group, saltBytes, identity, secret, bytesOf(serverPublic));
  } catch (error) {
    throw clientError('client.answerMalformed', 'serverPublic cannot be a value of SRP', error);
  }
  return {
    fields: { sessionId, clientPublic: base64(proof.clientPublic), clientProof: base64(proof.clientProof) },
    check(serverProof: string | undefined) {
      if (serverProof === undefined || !proof.verifies(bytesOf(serverProof))) {
        throw clientError('client.serverProofWrong', 'whoever answered does not know the verifier of the password');
      }
    },
  };
}

/** What {@link registerWithPassword} takes. */
export interface PasswordRegistration extends Omit<RegistrationExtras, 'email' | 'encryptedBlob'>, PasswordOptions {
  /** Is to be verified by a mail. */
  readonly email: string;
  readonly password: string;
  /** The client's own keystore, encrypted by it: base64. */
  readonly encryptedBlob: string;
  /** Is shown to the signed-in owner alone. */
  readonly passwordHint?: string | undefined;
  /** The Bitcoin wallet whose key makes the account's trading wallet, at once. */
  readonly tradingWallet?: Wallet | undefined;
}

/**
 * Makes an account with a password, and signs in.
 *
 * @throws {@link RuneportError} `auth.emailTaken`, `auth.referralCodeUnknown`, `auth.tradingWallet`, …
 */
export async function registerWithPassword(api: Api, registration: PasswordRegistration): Promise<SignedIn> {
  const { password, tradingWallet, cost, signal, email, ...extras } = registration;
  const salt = randomBytes(SALT_BYTES);
  const srpVerifier = await verifier(GROUP, password, salt, canonicalEmail(email), cost);
  const proof = tradingWallet && (await proveWallet(api, tradingWallet, 'signIn', { signal }));
  const trading = proof && {
    tradingPublicKey: proof.publicKey, challengeId: proof.challengeId, signature: proof.signature,
  };
  const body = { ...given(extras), ...trading, email, srpSalt: base64(salt), srpVerifier, srpGroup: GROUP } as const;
  const { data } = await call(api, 'post', '/auth/register/srp', { body, signal, anonymous: true });
  return keepSession(api, data);
}

/** What {@link signInWithPassword} takes. */
export interface PasswordSignIn extends SignInOptions, PasswordOptions {
  /** The address that the account names. */
  readonly email: string;
  /**
   * The account's id, where the address does not lead to it: another account has proved the address, or
   * this one has named it after another one and not proved it yet.
   */
  readonly account?: string | undefined;
  readonly password: string;
}

/**
 * Signs in with a password, and makes sure that the service knows its verifier.
 *
 * @throws {@link RuneportError} `auth.invalidCredentials`, `auth.otpRequired`, `auth.otpInvalid`,
 *   `client.serverProofWrong`, …
 */
export async function signInWithPassword(
  api: Api,
  { email, account, password, cost, ...options }: PasswordSignIn,
): Promise<SignedIn> {
  let check: (serverProof: string | undefined) => void = () => {};
  const signedIn = await signInBy(api, async () => {
    const { signal } = options;
    const body = { email: account ?? email };
    const { data } = await call(api, 'post', '/auth/srp/init', { body, signal, anonymous: true });
    const proof = await proved(data, password, canonicalEmail(email), cost);
    check = proof.check;
    return proof.fields;
  }, options);
  check(signedIn.serverProof);
  return keepSession(api, signedIn);
}

/** What {@link changePassword} takes. */
export interface PasswordChange extends PasswordOptions {
  /** The account's address. */
  readonly email: string;
  /** The one until now. */
  readonly password: string;
  readonly newPassword: string;
  /** The keystore for the new password, base64. */
  readonly newEncryptedBlob: string;
  readonly newPasswordHint?: string | undefined;
}

/**
 * Changes the password, and the keystore with it. All other sessions end.
 *
 * @throws {@link RuneportError} `account.passwordProofInvalid`, `account.noPassword`,
 *   `client.serverProofWrong`, …
 */
export async function changePassword(api: Api, change: PasswordChange): Promise<void> {
  const { email, password, newPassword, newEncryptedBlob, newPasswordHint, cost, signal } = change;
  const identity = canonicalEmail(email);
  const { data: session } = await call(api, 'post', '/api/account/srp/change-password/init', { signal });
  const proof = await proved(session, password, identity, cost);
  const salt = randomBytes(SALT_BYTES);
  const body = {
    ...proof.fields,
    newSrpSalt: base64(salt),
    newSrpVerifier: await verifier(session.group, newPassword, salt, identity, cost),
    newEncryptedBlob,
    ...given({ newPasswordHint }),
  };
  const { data } = await call(api, 'post', '/api/account/srp/change-password/verify', { body, signal });
  proof.check(data.serverProof);
}

/** A change of the e-mail address that waits for the token of the mail. */
export type EmailChange = Schemas['ChangeEmailSession'];

/**
 * Has a token mailed to another e-mail address.
 *
 * @returns What {@link confirmEmailChange} needs of an account with a password; of others it is empty.
 * @throws {@link RuneportError} `account.emailTaken`, `account.emailUnchanged`, `auth.reauthRequired`, …
 */
export async function requestEmailChange(
  api: Api,
  { newEmail }: { readonly newEmail: string },
  options: CallOptions = {},
): Promise<EmailChange> {
  return (await call(api, 'post', '/api/account/change-email/init', { ...options, body: { newEmail } })).data;
}

/** What {@link confirmEmailChange} takes. */
export interface EmailConfirmation extends PasswordOptions {
  /** Of {@link requestEmailChange}. Good once. */
  readonly change: EmailChange;
  /** Of the mail. */
  readonly token: string;
  /** The account's address until now, and its password; not needed where it has no password. */
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly newEmail: string;
  /** The code of the second factor, where the account has one. */
  readonly otpCode?: string | undefined;
}

/**
 * Changes the e-mail address, and with it the verifier of the password. All other sessions end.
 *
 * @throws {@link RuneportError} `account.emailTokenInvalid`, `account.emailMismatch`,
 *   `account.reauthMissing`, `account.passwordProofInvalid`, …
 */
export async function confirmEmailChange(api: Api, confirmation: EmailConfirmation): Promise<Me> {
  const { change, token, email, password, newEmail, otpCode, cost, signal } = confirmation;
  const { srpSession } = change;
  let srpData: Schemas['ChangeEmailProof'] | undefined;
  if (srpSession && email !== undefined && password !== undefined) {
    const proof = await proved(srpSession, password, canonicalEmail(email), cost);
    const newSrpVerifier = await verifier(
      srpSession.group, password, bytesOf(srpSession.salt), canonicalEmail(newEmail), cost,
    );
    srpData = { ...proof.fields, newSrpVerifier };
  }
  const body = { token, email: newEmail, ...given({ srpData, otpCode }) };
  return (await call(api, 'post', '/api/account/change-email/verify', { body, signal })).data;
}
