/**
 * Accounts with passkeys (WebAuthn).
 *
 * @packageDocumentation
 */

import { type Api, call, type CallOptions, type Schemas } from './api.js';
import { clientError } from './error.js';
import {
  keepRenewed, keepSession, type Reauthenticated, reauthenticateBy, type SignedIn, signInBy, type SignInOptions,
} from './sessions.js';
import { dropUndefined, type RegistrationExtras } from './wallets.js';

export type Passkey = Schemas['PasskeyRow'];

/** Creates passkeys and signs with them. */
export interface Authenticator {
  /** @param options `PublicKeyCredentialCreationOptionsJSON`. */
  create(options: Schemas['PasskeySession']['options'], signal?: AbortSignal): Promise<Schemas['RegistrationResponse']>;
  /** @param options `PublicKeyCredentialRequestOptionsJSON`. */
  get(options: Schemas['PasskeySession']['options'], signal?: AbortSignal): Promise<Schemas['AuthenticationResponse']>;
}

/**
 * The browser's own WebAuthn implementation. Its functions throw `client.walletRefused` with the browser's
 * error as the cause: `NotAllowedError`, `InvalidStateError`, …
 *
 * @throws {@link RuneportError} `client.unsupported` if the environment has no passkeys.
 *
 * @example
 * await signInWithPasskey(api, { authenticator: browserAuthenticator() });
 */
export function browserAuthenticator(): Authenticator {
  if (!('PublicKeyCredential' in globalThis) || !('parseCreationOptionsFromJSON' in PublicKeyCredential)) {
    throw clientError('client.unsupported', 'This environment does not support passkeys.');
  }
  return {
    async create(options, signal) {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      );
      const made = await receiveCredential(signal, navigator.credentials.create({ publicKey, ...dropUndefined({ signal }) }));
      return made.toJSON() as Schemas['RegistrationResponse'];
    },
    async get(options, signal) {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      );
      const got = await receiveCredential(signal, navigator.credentials.get({ publicKey, ...dropUndefined({ signal }) }));
      return got.toJSON() as Schemas['AuthenticationResponse'];
    },
  };
}

async function receiveCredential(signal: AbortSignal | undefined, answer: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await answer;
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : 'The browser returned no passkey.';
    throw clientError('client.walletRefused', reason, error);
  }
  throw clientError('client.walletRefused', 'The browser returned no passkey.');
}

/** Options of every function that uses a passkey. */
export interface PasskeyOptions {
  /** Default: {@link browserAuthenticator}. */
  readonly authenticator?: Authenticator | undefined;
}

/**
 * Creates an account with a passkey and signs in.
 *
 * @throws {@link RuneportError} `client.walletRefused`, `auth.passkeyRefused`, `auth.emailTaken`, …
 *
 * @example
 * const { account } = await registerWithPasskey(api, { email });
 */
export async function registerWithPasskey(
  api: Api,
  { authenticator = browserAuthenticator(), signal, ...extras }: RegistrationExtras & PasskeyOptions = {},
): Promise<SignedIn> {
  const { data: begun } = await call(api, 'post', '/auth/register/passkey/init', {
    body: dropUndefined({ email: extras.email }), signal, anonymous: true,
  });
  const credential = await authenticator.create(begun.options, signal);
  const body = { sessionId: begun.sessionId, credential, ...dropUndefined(extras) };
  const { data } = await call(api, 'post', '/auth/register/passkey/verify', { body, signal, anonymous: true });
  return keepSession(api, data);
}

/**
 * Signs in with a passkey. The user types nothing: the passkey identifies the account.
 *
 * @throws {@link RuneportError} `client.walletRefused`, `auth.passkeyRefused`, `auth.otpRequired`, …
 *
 * @example
 * const { account } = await signInWithPasskey(api, { otpCode: () => askCode() });
 */
export async function signInWithPasskey(
  api: Api,
  { authenticator = browserAuthenticator(), ...options }: SignInOptions & PasskeyOptions = {},
): Promise<SignedIn> {
  return keepSession(api, await signInBy(api, () => provePasskey(api, authenticator, options), options));
}

async function provePasskey(api: Api, authenticator: Authenticator, { signal }: SignInOptions): Promise<Schemas['PasskeyAnswer']> {
  const { data } = await call(api, 'post', '/auth/passkey/init', { signal, anonymous: true });
  return { sessionId: data.sessionId, credential: await authenticator.get(data.options, signal) };
}

/**
 * Proves with a passkey that the signed-in account is still the user's, for `onReauth` of `createApi`.
 *
 * @throws {@link RuneportError} `common.forbidden` if the passkey is another account's, and the errors of
 *   {@link signInWithPasskey}.
 *
 * @example
 * await reauthenticateWithPasskey(api);
 */
export async function reauthenticateWithPasskey(
  api: Api,
  { authenticator = browserAuthenticator(), ...options }: SignInOptions & PasskeyOptions = {},
): Promise<Reauthenticated> {
  return keepRenewed(api, await reauthenticateBy(api, () => provePasskey(api, authenticator, options), options));
}

/**
 * Adds a passkey to the account and ends all other sessions.
 *
 * @throws {@link RuneportError} `auth.reauthRequired`, `auth.passkeyTaken`, `account.tooMany`, …
 *
 * @example
 * const { id } = await addPasskey(api, { name: 'Laptop' });
 */
export async function addPasskey(
  api: Api,
  { authenticator = browserAuthenticator(), name, ...options }: CallOptions & PasskeyOptions & { readonly name?: string | undefined } = {},
): Promise<Passkey> {
  const { signal } = options;
  const { data: begun } = await call(api, 'post', '/api/account/passkeys/init', { signal });
  const credential = await authenticator.create(begun.options, signal);
  const body = { sessionId: begun.sessionId, credential, ...dropUndefined({ name }) };
  return (await call(api, 'post', '/api/account/passkeys/verify', { ...options, body })).data;
}

/**
 * Lists the passkeys of the account.
 *
 * @example
 * for (const { id, name } of await listPasskeys(api)) console.log(id, name);
 */
export async function listPasskeys(api: Api, options: CallOptions = {}): Promise<Passkey[]> {
  return (await call(api, 'get', '/api/account/passkeys', options)).data;
}

/**
 * Removes a passkey from the account and ends all other sessions.
 *
 * @throws {@link RuneportError} `account.passkeyNotFound`, `account.lastWayIn`, `auth.reauthRequired`, …
 *
 * @example
 * await removePasskey(api, id);
 */
export async function removePasskey(api: Api, id: string, options: CallOptions = {}): Promise<void> {
  await call(api, 'delete', '/api/account/passkeys/{id}', { ...options, params: { path: { id } } });
}
