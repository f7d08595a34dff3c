import { type Api, call, type CallOptions, type Schemas, tokensOf } from './api.js';
import { RuneportError } from './error.js';

/** What a sign-in or a registration answers: tokens, the account, and what else there is of it. */
export type SignedIn = Schemas['SignedIn'];

/** A session that is alive. */
export type LiveSession = Schemas['LiveSession'];

/**
 * A code of the second factor, of six digits, or a recovery code. A function is asked for one once
 * the account wants it, and the sign-in begins again: proofs are good once, so wallets and passkeys
 * are asked a second time.
 */
export type OtpCode = string | (() => string | Promise<string>);

/** What every sign-in takes. */
export interface SignInOptions {
  /** The code of the second factor, where the account has one. */
  readonly otpCode?: OtpCode | undefined;
  /** Aborts it. */
  readonly signal?: AbortSignal | undefined;
}


/**
 * Signs in by a proof, and keeps the tokens.
 *
 * @param api The service.
 * @param prove Makes a proof: once, or twice where the code of the second factor is asked for after
 *   the first one.
 * @param options The second factor.
 * @throws {@link RuneportError} `auth.otpRequired`, `auth.otpInvalid`, and what else
 *   `POST /auth/authenticate` refuses.
 */
export async function signInBy(
  api: Api,
  prove: () => Promise<Schemas['Authenticate']>,
  { otpCode, signal }: SignInOptions = {},
): Promise<SignedIn> {
  const attempt = async (code: string | undefined): Promise<SignedIn> => {
    const body = { ...(await prove()), ...(code !== undefined && { otpCode: code }) };
    const { data } = await call(api, 'post', '/auth/authenticate', { body, signal, anonymous: true });
    return data;
  };
  if (typeof otpCode !== 'function') return attempt(otpCode);
  try {
    return await attempt(undefined);
  } catch (error) {
    if (!(error instanceof RuneportError) || error.message !== 'auth.otpRequired') throw error;
    return attempt(await otpCode());
  }
}

/** Keeps the tokens of a session that was opened, and that of the device. */
export async function keepSession(api: Api, signedIn: SignedIn): Promise<SignedIn> {
  await api.device.set(signedIn.deviceToken);
  await api.tokens.set(tokensOf(signedIn));
  return signedIn;
}

/**
 * Ends the session, and forgets its tokens, even where the service does not answer or has ended it
 * before.
 *
 * @throws {@link RuneportError} `client.network`, and a failure of the service: the session lives on
 *   there until it ends by itself.
 */
export async function signOut(api: Api, options: CallOptions = {}): Promise<void> {
  if (!(await api.tokens.get())) return;
  try {
    await call(api, 'post', '/auth/logout', options);
  } catch (error) {
    if (!(error instanceof RuneportError) || error.status !== 401) throw error;
  } finally {
    await api.tokens.set(undefined);
  }
}

/** The sessions of the account that are alive. */
export async function listSessions(api: Api, options: CallOptions = {}): Promise<LiveSession[]> {
  return (await call(api, 'get', '/auth/sessions', options)).data;
}

/**
 * Ends one of the account's sessions.
 *
 * @throws {@link RuneportError} `auth.sessionNotFound`.
 */
export async function endSession(api: Api, id: string, options: CallOptions = {}): Promise<void> {
  await call(api, 'delete', '/auth/sessions/{id}', { ...options, params: { path: { id } } });
}
