import { type Api, call, type CallOptions, type Schemas, tokensOf } from './api.js';
import { claimOf } from './claims.js';
import { RuneportError } from './error.js';

/** The response of a sign-in or a registration: tokens, the account and related data. */
export type SignedIn = Schemas['SignedIn'];

/** The response of a re-authentication: new tokens of the same session. */
export type Reauthenticated = Schemas['Reauthenticated'];

/** A session that has not ended. */
export type LiveSession = Schemas['LiveSession'];

/**
 * A six-digit code of the second factor, or a recovery code. A function is called only if the account
 * requires a code. The sign-in then starts again, and a wallet or passkey signs a second time, because a
 * proof can be used only once.
 */
export type OtpCode = string | (() => string | Promise<string>);

/** Options of every sign-in. */
export interface SignInOptions {
  /** Required if the account has a second factor. */
  readonly otpCode?: OtpCode | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Signs in with a proof. It does not store the tokens; {@link keepSession} does.
 *
 * @param prove Creates a proof. It is called a second time if the account requires a code and
 *   `options.otpCode` is a function.
 * @throws {@link RuneportError} `auth.otpRequired`, `auth.otpInvalid`, or another error of
 *   `POST /auth/authenticate`.
 */
export async function signInBy(
  api: Api,
  prove: () => Promise<Schemas['Authenticate']>,
  options: SignInOptions = {},
): Promise<SignedIn> {
  const { signal } = options;
  return proveBy(prove, options, async (body) => (await call(api, 'post', '/auth/authenticate', { body, signal, anonymous: true })).data);
}

/**
 * Proves the signed-in account again. It does not store the tokens; {@link keepRenewed} does.
 *
 * @param prove As for {@link signInBy}.
 * @throws {@link RuneportError} `common.forbidden` if the proof is of another account, `auth.otpRequired`,
 *   `auth.otpInvalid`, or another error of `POST /auth/reauthenticate`.
 */
export async function reauthenticateBy(
  api: Api,
  prove: () => Promise<Schemas['Authenticate']>,
  options: SignInOptions = {},
): Promise<Reauthenticated> {
  const { signal } = options;
  return proveBy(prove, options, async (body) => (await call(api, 'post', '/auth/reauthenticate', { body, signal })).data);
}

/** Stores the new tokens of the session, unless another one has begun in the meantime. */
export async function keepRenewed(api: Api, renewed: Reauthenticated): Promise<Reauthenticated> {
  await api.device.set(renewed.deviceToken);
  const now = await api.tokens.get();
  if (now && claimOf(now.accessToken, 'sid') === claimOf(renewed.accessToken, 'sid')) await api.tokens.set(tokensOf(renewed));
  return renewed;
}

/** Sends a proof, and another one with a code if the account requires it. */
async function proveBy<T>(
  prove: () => Promise<Schemas['Authenticate']>,
  { otpCode }: SignInOptions,
  send: (proof: Schemas['Authenticate']) => Promise<T>,
): Promise<T> {
  const attempt = async (code: string | undefined): Promise<T> =>
    send({ ...(await prove()), ...(code !== undefined && { otpCode: code }) });
  if (typeof otpCode !== 'function') return attempt(otpCode);
  try {
    return await attempt(undefined);
  } catch (error) {
    if (!(error instanceof RuneportError) || error.key !== 'auth.otpRequired') throw error;
    return attempt(await otpCode());
  }
}

/** Stores the tokens of a new session and the device token. */
export async function keepSession(api: Api, signedIn: SignedIn): Promise<SignedIn> {
  await api.device.set(signedIn.deviceToken);
  await api.tokens.set(tokensOf(signedIn));
  return signedIn;
}

/**
 * Ends the session and removes its tokens from the store. The tokens are removed even if the service does
 * not answer or has already ended the session. The tokens of a session that begins in the meantime remain.
 *
 * @throws {@link RuneportError} `client.network`, or an error of the service. The session then remains
 *   valid on the service until it expires.
 *
 * @example
 * await signOut(api);
 */
export async function signOut(api: Api, options: CallOptions = {}): Promise<void> {
  const ending = await api.tokens.get();
  if (!ending) return;
  try {
    await call(api, 'post', '/auth/logout', options);
  } catch (error) {
    if (!(error instanceof RuneportError) || error.status !== 401) throw error;
  } finally {
    const now = await api.tokens.get();
    // A refresh may have replaced the tokens; the session of both is the same.
    if (now && claimOf(now.accessToken, 'sid') === claimOf(ending.accessToken, 'sid')) await api.tokens.set(undefined);
  }
}

/**
 * Lists the account's sessions that have not ended.
 *
 * @example
 * for (const { id, lastUsedAt } of await listSessions(api)) console.log(id, lastUsedAt);
 */
export async function listSessions(api: Api, options: CallOptions = {}): Promise<LiveSession[]> {
  return (await call(api, 'get', '/auth/sessions', options)).data;
}

/**
 * Ends one of the account's sessions.
 *
 * @throws {@link RuneportError} `auth.sessionNotFound`.
 *
 * @example
 * for (const { id, current } of await listSessions(api)) if (!current) await endSession(api, id);
 */
export async function endSession(api: Api, id: string, options: CallOptions = {}): Promise<void> {
  await call(api, 'delete', '/auth/sessions/{id}', { ...options, params: { path: { id } } });
}
