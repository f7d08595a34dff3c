/**
 * Accounts with a password, using Argon2id and SRP-6a. The password never leaves the client.
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, type Schemas } from '../api.js';
import { base64, bytesOf, randomBytes, sameBytes } from '../bytes.js';
import { clientError } from '../error.js';
import {
  keepRenewed, keepSession, type Reauthenticated, reauthenticateBy, type SignedIn, signInBy, type SignInOptions,
} from '../sessions.js';
import { dropUndefined, type Me, proveWallet, type RegistrationExtras, type Wallet } from '../wallets.js';
import { type Group, isGroup } from './groups.js';
import { compute } from './thread.js';
import type { PasswordCost } from './work.js';

export type { PasswordCost };

/**
 * The default cost: memory and passes of RFC 9106's second recommendation, with one lane because a single
 * thread computes it here.
 */
export const PASSWORD_COST: PasswordCost = { memorySize: 65_536, iterations: 3, parallelism: 1 };

/** Options of every function that uses a password. */
export interface PasswordOptions {
  /** Must never change for an account. Default: {@link PASSWORD_COST}. */
  readonly cost?: PasswordCost | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The RFC 5054 group of new accounts. */
const GROUP = 3072;
const SALT_BYTES = 32;

/**
 * An e-mail address as the service compares it: NFKC, trimmed, in lowercase.
 *
 * @example
 * canonicalEmail(' Alice@Example.com');
 * // 'alice@example.com'
 */
export function canonicalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

async function computeVerifier(group: Group, password: string, salt: Uint8Array, identity: string, { cost = PASSWORD_COST, signal }: PasswordOptions) {
  return base64(await compute('verifier', { group, password, salt, identity, cost }, signal));
}

/** Answers a handshake that the service has begun. */
async function answerHandshake(session: Schemas['SrpSession'], password: string, identity: string, { cost = PASSWORD_COST, signal }: PasswordOptions) {
  const { sessionId, group, hash, salt, serverPublic } = session;
  if (hash !== 'SHA-256') {
    throw clientError('client.unsupported', `The service uses SRP with ${hash}, which this client does not support.`);
  }
  if (!isGroup(group)) {
    throw clientError('client.unsupported', `The service uses an SRP group of ${String(group)} bits, which this client does not support.`);
  }
  const saltBytes = bytesOf(salt);
  if (saltBytes.length !== SALT_BYTES) {
    throw clientError('client.answerMalformed', `The salt has ${saltBytes.length} bytes instead of ${SALT_BYTES}.`);
  }
  const serverBytes = bytesOf(serverPublic);
  const proof = await compute('proof', { group, password, salt: saltBytes, identity, cost, serverPublic: serverBytes }, signal);
  return {
    fields: { sessionId, clientPublic: base64(proof.clientPublic), clientProof: base64(proof.clientProof) },
    check(serverProof: string | undefined) {
      if (serverProof === undefined || !sameBytes(proof.serverProof, bytesOf(serverProof))) {
        const message = 'The server does not know the verifier of this password, so it is not the service. Do not continue.';
        throw clientError('client.serverProofWrong', message);
      }
    },
  };
}

/** Input of {@link registerWithPassword}. */
export interface PasswordRegistration extends Omit<RegistrationExtras, 'email' | 'encryptedBlob'>, PasswordOptions {
  /** The service sends a verification mail to this address. */
  readonly email: string;
  readonly password: string;
  /** The client's own keystore, encrypted by the client, as base64. */
  readonly encryptedBlob: string;
  /** Visible only to the signed-in owner. */
  readonly passwordHint?: string | undefined;
  /** A Bitcoin wallet. If given, the account immediately gets a trading wallet with its key. */
  readonly tradingWallet?: Wallet | undefined;
}

/**
 * Creates an account with a password and signs in.
 *
 * @throws {@link RuneportError} `auth.emailTaken`, `auth.referralCodeUnknown`, `auth.tradingWallet`, …
 *
 * @example
 * const { account } = await registerWithPassword(api, { email, password, encryptedBlob, passwordHint });
 */
export async function registerWithPassword(api: Api, registration: PasswordRegistration): Promise<SignedIn> {
  const { password, tradingWallet, cost, signal, email, ...extras } = registration;
  const salt = randomBytes(SALT_BYTES);
  const srpVerifier = await computeVerifier(GROUP, password, salt, canonicalEmail(email), { cost, signal });
  const proof = tradingWallet && (await proveWallet(api, tradingWallet, 'signIn', { signal }));
  const trading = proof && {
    tradingPublicKey: proof.publicKey, challengeId: proof.challengeId, signature: proof.signature,
  };
  const body = { ...dropUndefined(extras), ...trading, email, srpSalt: base64(salt), srpVerifier, srpGroup: GROUP } as const;
  const { data } = await call(api, 'post', '/auth/register/srp', { body, signal, anonymous: true });
  return keepSession(api, data);
}

/** Input of {@link signInWithPassword}. */
export interface PasswordSignIn extends SignInOptions, PasswordOptions {
  /** The account's e-mail address. */
  readonly email: string;
  /**
   * The account's id. Required if the address does not identify the account: another account has verified
   * the address, or this account has not verified it and was not the first to use it.
   */
  readonly account?: string | undefined;
  readonly password: string;
}

/**
 * Signs in with a password, and checks that the service knows the password's verifier.
 *
 * @throws {@link RuneportError} `auth.invalidCredentials`, `auth.otpRequired`, `auth.otpInvalid`,
 *   `client.serverProofWrong`, …
 *
 * @example
 * const { account, encryptedBlob } = await signInWithPassword(api, { email, password, otpCode: () => askCode() });
 */
export async function signInWithPassword(
  api: Api,
  { email, account, password, cost, ...options }: PasswordSignIn,
): Promise<SignedIn> {
  const proof = passwordProof(api, { email, account, password, cost, ...options });
  const signedIn = await signInBy(api, proof.prove, options);
  proof.check(signedIn.serverProof);
  return keepSession(api, signedIn);
}

/**
 * Proves with the password that the signed-in account is still the user's, for `onReauth` of `createApi`.
 *
 * @throws {@link RuneportError} `common.forbidden` if the password is another account's, and the errors of
 *   {@link signInWithPassword}.
 *
 * @example
 * await reauthenticateWithPassword(api, { email, password });
 */
export async function reauthenticateWithPassword(api: Api, signIn: PasswordSignIn): Promise<Reauthenticated> {
  const proof = passwordProof(api, signIn);
  const renewed = await reauthenticateBy(api, proof.prove, signIn);
  proof.check(renewed.serverProof);
  return keepRenewed(api, renewed);
}

/** Proofs of a password, and the check of what the service answers to the last one. */
function passwordProof(api: Api, { email, account, password, cost, signal }: PasswordSignIn) {
  let check: (serverProof: string | undefined) => void = () => {};
  return {
    async prove(): Promise<Schemas['SrpProof']> {
      const body = { email: account ?? email };
      const { data } = await call(api, 'post', '/auth/srp/init', { body, signal, anonymous: true });
      const proof = await answerHandshake(data, password, canonicalEmail(email), { cost, signal });
      check = proof.check;
      return proof.fields;
    },
    check: (serverProof: string | undefined) => { check(serverProof); },
  };
}

/** Input of {@link changePassword}. */
export interface PasswordChange extends PasswordOptions {
  /** The account's e-mail address. */
  readonly email: string;
  /** The current password. */
  readonly password: string;
  readonly newPassword: string;
  /** The keystore for the new password, base64. */
  readonly newEncryptedBlob: string;
  readonly newPasswordHint?: string | undefined;
}

/**
 * Changes the password and the keystore, and ends all other sessions.
 *
 * @throws {@link RuneportError} `account.passwordProofInvalid`, `account.noPassword`,
 *   `client.serverProofWrong`, …
 *
 * @example
 * await changePassword(api, { email, password, newPassword, newEncryptedBlob });
 */
export async function changePassword(api: Api, change: PasswordChange): Promise<void> {
  const { email, password, newPassword, newEncryptedBlob, newPasswordHint, cost, signal } = change;
  const identity = canonicalEmail(email);
  const { data: session } = await call(api, 'post', '/api/account/srp/change-password/init', { signal });
  const proof = await answerHandshake(session, password, identity, { cost, signal });
  const salt = randomBytes(SALT_BYTES);
  const body = {
    ...proof.fields,
    newSrpSalt: base64(salt),
    newSrpVerifier: await computeVerifier(session.group, newPassword, salt, identity, { cost, signal }),
    newEncryptedBlob,
    ...dropUndefined({ newPasswordHint }),
  };
  const { data } = await call(api, 'post', '/api/account/srp/change-password/verify', { body, signal });
  proof.check(data.serverProof);
}

/** An e-mail address change that waits for the token from the mail. */
export type EmailChange = Schemas['ChangeEmailSession'];

/**
 * Starts an e-mail address change: the service mails a token to the new address.
 *
 * @returns Input of {@link confirmEmailChange}; empty unless the account has a password.
 * @throws {@link RuneportError} `account.emailTaken`, `account.emailUnchanged`, `common.rateLimited`, …
 *
 * @example
 * const change = await requestEmailChange(api, { newEmail });
 */
export async function requestEmailChange(
  api: Api,
  { newEmail }: { readonly newEmail: string },
  options: CallOptions = {},
): Promise<EmailChange> {
  return (await call(api, 'post', '/api/account/change-email/init', { ...options, body: { newEmail } })).data;
}

/** Input of {@link confirmEmailChange}. */
export interface EmailConfirmation extends PasswordOptions {
  /** The result of {@link requestEmailChange}, usable once. */
  readonly change: EmailChange;
  /** From the mail. */
  readonly token: string;
  /** The account's current e-mail address; required if the account has a password. */
  readonly email?: string | undefined;
  /** Required if the account has a password. */
  readonly password?: string | undefined;
  readonly newEmail: string;
  /** Required if the account has a second factor. */
  readonly otpCode?: string | undefined;
}

/**
 * Changes the e-mail address and the password's verifier, and ends all other sessions.
 *
 * @throws {@link RuneportError} `account.emailTokenInvalid`, `account.emailMismatch`,
 *   `account.reauthMissing`, `account.passwordProofInvalid`, …
 *
 * @example
 * const { email: confirmed } = await confirmEmailChange(api, { change, token, email, newEmail, password });
 */
export async function confirmEmailChange(api: Api, confirmation: EmailConfirmation): Promise<Me> {
  const { change, token, email, password, newEmail, otpCode, cost, signal } = confirmation;
  const { srpSession } = change;
  let srpData: Schemas['ChangeEmailProof'] | undefined;
  if (srpSession && email !== undefined && password !== undefined) {
    const proof = await answerHandshake(srpSession, password, canonicalEmail(email), { cost, signal });
    const newSrpVerifier = await computeVerifier(
      srpSession.group, password, bytesOf(srpSession.salt), canonicalEmail(newEmail), { cost, signal },
    );
    srpData = { ...proof.fields, newSrpVerifier };
  }
  const body = { token, email: newEmail, ...dropUndefined({ srpData, otpCode }) };
  return (await call(api, 'post', '/api/account/change-email/verify', { body, signal })).data;
}
