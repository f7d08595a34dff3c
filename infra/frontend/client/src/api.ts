import createClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch';
import type { PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';

import { claimOf } from './claims.js';
import { type DeviceStore, memoryDeviceStore } from './device.js';
import { clientError, errorOfAnswer, retryAfterOf, RuneportError } from './error.js';
import { IDEMPOTENT } from './generated/idempotent.js';
import type { components, paths } from './generated/openapi.js';
import { Pace, RETRY_FOR, Waits } from './retries.js';
import type { ListPath, ListQuery, Page } from './rows.js';
import { memoryTokenStore, type Tokens, type TokenStore } from './tokens.js';

/** The request and response types, by their names in `infra/openapi.json`. */
export type Schemas = components['schemas'];

/** Options of {@link createApi}. */
export interface ApiOptions {
  /** The address of the service, such as `https://api.example.com`; empty for the page's own origin. */
  readonly baseUrl: string;
  /** Stores the session's tokens; default: in memory. */
  readonly tokens?: TokenStore;
  /** Stores the token of this device; default: in memory. */
  readonly device?: DeviceStore;
  /**
   * The domain that wallets sign in to, such as `app.example.com`. The client rejects challenges of other
   * domains. By default it accepts any domain.
   */
  readonly signInDomain?: string;
  /** Replaces the global `fetch`; the `fetch` of an inspector records each exchange. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Milliseconds that one call waits in all before its retries; 0 means no retries. Default: 24,000, which is
   * longer than the service works on one request.
   */
  readonly retryFor?: number;
  /**
   * Proves the account again if a call requires a recent authentication (`auth.reauthRequired`): asks the user, and calls
   * `reauthenticateWithWallet`, `reauthenticateWithPassword` or `reauthenticateWithPasskey`. The hook runs once for all
   * calls that wait for it, and each of them is then sent once more. Calls of the hook must not need it themselves.
   *
   * @returns Whether the account was proved. If not, the call throws `auth.reauthRequired`.
   */
  readonly onReauth?: ((api: Api) => Promise<boolean>) | undefined;
}

/** The connection to the service that every function of this package takes; see {@link createApi}. */
export interface Api {
  readonly baseUrl: string;
  readonly tokens: TokenStore;
  readonly device: DeviceStore;
  /** The openapi-fetch client that {@link call} uses; it returns errors of the service as `error`. */
  readonly client: Client<paths>;
  /** See {@link ApiOptions.signInDomain}. */
  readonly signInDomain?: string | undefined;
  /**
   * Sends a request with the session's access token, and refreshes the token if necessary. It does not
   * follow redirects, because they could lead to another host.
   *
   * @throws {@link RuneportError} `client.network`; `client.unsupported` if the request is not for the
   *   service; any error that prevents the refresh.
   */
  send(request: Request, options?: SendOptions): Promise<Response>;
}

/** Options of {@link Api.send}. */
export interface SendOptions {
  /** Sends the request without the session's access token. */
  readonly anonymous?: boolean | undefined;
  /**
   * The id of the account that the call is for. If a different account is signed in, or none, the call is not sent and
   * throws `client.accountChanged`.
   */
  readonly account?: string | undefined;
  /** Replaces the random key, for calls that accept a key. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of every call. */
export interface CallOptions extends SendOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The HTTP methods that the service uses. */
export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The envelope that a call returns: `{code: "1", message: "common.success", data, metaData?}`; see also {@link Page}. */
export type Answer<M extends Method, P extends PathsWithMethod<paths, M>> =
  [M, P] extends ['get', ListPath] ? Page<P & ListPath> : paths[P][M] extends { responses: infer R }
    // Next to 201, 200 is the answer of a dry run.
    ? R extends { 201: Json<infer Body> } ? Body : R extends { 200: Json<infer Body> } ? Body : never
    : never;

/** The paths whose POST can be tried: with the query `dryRun: true` it shows what it would create, and creates nothing. */
export type DryRunPath = {
  [P in PathsWithMethod<paths, 'post'>]: paths[P]['post'] extends { responses: { 200: unknown; 201: unknown } } ? P : never;
}[PathsWithMethod<paths, 'post'>];

/** The envelope that the dry run of a call returns. */
export type DryRunAnswer<P extends DryRunPath> =
  paths[P]['post'] extends { responses: { 200: Json<infer Body> } } ? Body : never;

interface Json<Body> {
  content: { 'application/json': Body };
}

/** Path, query and body of a call. */
type AnyInit<M extends Method, P extends PathsWithMethod<paths, M>> =
  MaybeOptionalInit<paths[P], M> extends infer I
    ? Pick<NonNullable<I>, Extract<keyof NonNullable<I>, 'params' | 'body'>> & CallOptions
    : never;

/** The same for a call that is not only tried. */
type Init<M extends Method, P extends PathsWithMethod<paths, M>> =
  P extends DryRunPath ? AnyInit<M, P> & DryRunQuery<false> : AnyInit<M, P>;

interface DryRunQuery<Wanted extends boolean> {
  readonly params?: { readonly query?: { readonly dryRun?: Wanted } };
}

/** The body of a call that is only tried, and the query that asks for it. */
export type DryRunInit<P extends DryRunPath> =
  AnyInit<'post', P> & { readonly params: { readonly query: { readonly dryRun: true } } };

type InitArgument<M extends Method, P extends PathsWithMethod<paths, M>> =
  RequiredKeysOf<Init<M, P>> extends never ? [init?: Init<M, P>] : [init: Init<M, P>];

/** The query of a list, and the options of a call. */
export interface ListInit<P extends ListPath, Select extends string = string, Populate extends string = string> extends CallOptions {
  readonly params?: { readonly query?: ListQuery<P, Select, Populate> };
}

/**
 * Creates a client of the service.
 *
 * @example
 * const api = createApi({ baseUrl: 'https://api.example.com', tokens: sharedTokenStore() });
 */
export function createApi(options: ApiOptions): Api {
  const { tokens = memoryTokenStore(), device = memoryDeviceStore(), retryFor = RETRY_FOR } = options;
  const baseUrl = (options.baseUrl || globalThis.location?.origin || '').replace(/\/$/, '');
  const base = new URL(baseUrl || '/', globalThis.location?.href ?? 'http://any');
  // Looked up at each call, because a page or a test may replace the global function.
  const fetch: typeof globalThis.fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);

  const { onReauth } = options;
  const reauthenticate = onReauth && (() => onReauth(api));
  const sender = new Sender({ baseUrl, base, tokens, device, fetch, retryFor, reauthenticate });
  const send = (request: Request, how?: SendOptions) => sender.send(request, how);
  const api: Api = {
    baseUrl,
    tokens,
    device,
    signInDomain: options.signInDomain,
    send,
    client: createClient<paths>({ baseUrl, fetch: (request) => send(request), querySerializer: { array: { style: 'form', explode: false } } }),
  };
  return api;
}

/**
 * Reads a page of a list.
 *
 * @param init `params.query`, and {@link CallOptions}. The type of the rows follows from `select` and `populate`; see {@link Row}.
 * @throws {@link RuneportError} The service's error, `client.network`, `client.answerMalformed`.
 *
 * @example
 * const { data, metaData } = await call(api, 'get', '/api/tokens', { params: { query: { sort: 'symbol', pageSize: 50 } } });
 */
export async function call<P extends ListPath, const Select extends string = '', const Populate extends string = ''>(
  api: Api,
  method: 'get',
  path: P,
  init?: ListInit<P, Select, Populate>,
): Promise<Page<P, Select, Populate>>;
/**
 * Tries a call that creates a Bitcoin transaction, and creates nothing.
 *
 * @param init The body, `params: { query: { dryRun: true } }`, and {@link CallOptions}.
 * @returns The transaction that the call would create now.
 * @throws {@link RuneportError} As the call itself.
 *
 * @example
 * const body = { type: 'withdraw', params: { tokenId: '0:0', amount: '25000', withdrawTo } } as const;
 * const { data } = await call(api, 'post', '/api/transactions', { body, params: { query: { dryRun: true } } });
 */
export async function call<P extends DryRunPath>(api: Api, method: 'post', path: P, init: DryRunInit<P>): Promise<DryRunAnswer<P>>;
/**
 * Calls the service.
 *
 * @param method In lowercase.
 * @param path As written in `infra/openapi.json`, including the braces.
 * @param init `params` (`path`, `query`), `body`, and {@link CallOptions}.
 * @returns The envelope of a successful response.
 * @throws {@link RuneportError} The service's error, `client.network`, `client.answerMalformed`.
 *
 * @example
 * const { data: me } = await call(api, 'get', '/api/account/me');
 * await call(api, 'delete', '/auth/sessions/{id}', { params: { path: { id } } });
 */
export async function call<M extends Method, P extends PathsWithMethod<paths, M>>(
  api: Api,
  method: M,
  path: P,
  ...init: InitArgument<M, P>
): Promise<Answer<M, P>>;
export async function call(api: Api, method: Method, path: string, init: CallOptions = {}): Promise<unknown> {
  // A POST without fields needs an empty object as its body.
  const body = method === 'post' && !('body' in init) ? { body: {} } : {};
  // The signature of `call` already ensures that `method`, `path` and `init` belong together.
  const request = api.client.request as unknown as UntypedRequest;
  const { data, error, response } = await request(method, path, {
    ...init,
    ...body,
    parseAs: 'text',
    fetch: (sent: Request) => api.send(sent, init),
  });
  const parsed = parse(response.ok ? data : error);
  if (response.ok && typeof parsed === 'object' && parsed !== null) return parsed;
  if (!response.ok) throw errorOfAnswer(response, parsed);
  throw new RuneportError({
    code: '0',
    key: 'client.answerMalformed',
    message: `The response of ${path} is not valid JSON.`,
    status: response.status,
  });
}

type UntypedRequest = (
  method: string,
  path: unknown,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Parses JSON text. openapi-fetch has already parsed the body of an error, which passes through. */
function parse(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The service still works on an earlier attempt with the same key; a retry may get its response. */
const IN_PROGRESS = '1010';
/** The gateway refuses, the service is unavailable, or a limit is reached: another attempt may fare better. */
const TEMPORARY: readonly number[] = [429, 502, 503, 504];
/** The access token is invalid or has expired; a refresh replaces it. */
const STALE_TOKEN: readonly unknown[] = ['4002', '4003'];
/** The call needs a more recent authentication; a proof of the account renews it. */
const REAUTH_REQUIRED = '4024';
/** These paths accept the device token, which protects the owner from lock-outs caused by others. */
const KNOWS_DEVICES = /^\/(api\/)?(auth|account)\//;
/** The session has ended, or its account is deleted or disabled. */
const SESSION_OVER: readonly unknown[] = ['4006', '4010', '4011'];

interface Sending {
  readonly baseUrl: string;
  readonly base: URL;
  readonly tokens: TokenStore;
  readonly device: DeviceStore;
  readonly fetch: typeof globalThis.fetch;
  readonly retryFor: number;
  readonly reauthenticate: (() => Promise<boolean>) | undefined;
}

/** A request whose body can be sent more than once. */
interface Sendable {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

class Sender {
  readonly #with: Sending;
  readonly #pace = new Pace();
  #refreshing: Promise<Tokens | undefined> | undefined;
  #reauthenticating: Promise<boolean> | undefined;

  constructor(sending: Sending) {
    this.#with = sending;
  }

  async send(request: Request, { anonymous = false, account, idempotencyKey }: SendOptions = {}): Promise<Response> {
    const { method, url, signal } = request;
    const headers = new Headers(request.headers);
    headers.set('accept', 'application/json');
    const path = this.#pathOf(url);
    const keyed = method === 'POST' && IDEMPOTENT.has(path);
    if (keyed && !headers.has('idempotency-key')) {
      headers.set('idempotency-key', idempotencyKey ?? crypto.randomUUID());
    }
    const device = method === 'POST' && KNOWS_DEVICES.test(path) ? await this.#with.device.get() : undefined;
    if (device) headers.set('device-token', device);
    const body = method === 'GET' ? undefined : await request.text();
    const sendable: Sendable = { method, url, headers, body: body || undefined, signal };
    const waits = method === 'GET' || keyed ? new Waits(this.#with.retryFor) : undefined;

    if (anonymous || headers.has('authorization')) return this.#sendRepeatedly(sendable, waits);
    const { tokens } = this.#with;
    const before = await tokens.get();
    if (account !== undefined && account !== subjectOf(before?.accessToken ?? '')) {
      throw clientError('client.accountChanged', 'Another account is signed in.');
    }
    const answer = await this.#sendRefreshed(sendable, before, waits);
    const { reauthenticate } = this.#with;
    if (answer.status !== 401 || !before || !reauthenticate || (await codeOf(answer)) !== REAUTH_REQUIRED) return answer;
    this.#reauthenticating ??= reauthenticate().finally(() => { this.#reauthenticating = undefined; });
    if (!(await this.#reauthenticating)) return answer;
    const after = await tokens.get();
    const same = after && subjectOf(after.accessToken) === subjectOf(before.accessToken);
    return same ? this.#sendRefreshed(sendable, after, waits) : answer;
  }

  /** Sends a request with the access token, and once more if the token has to be refreshed. */
  async #sendRefreshed(sendable: Sendable, before: Tokens | undefined, waits: Waits | undefined): Promise<Response> {
    const first = await this.#sendAuthorized(sendable, before, waits);
    if (first.status !== 401 || !before || !STALE_TOKEN.includes(await codeOf(first))) return first;
    const after = await this.#refreshOnce(before.accessToken);
    // If another account has signed in since, for example in another tab, it did not make this call.
    const same = after && subjectOf(after.accessToken) === subjectOf(before.accessToken);
    return same ? this.#sendAuthorized(sendable, after, waits) : first;
  }

  /**
   * The path below `baseUrl`.
   *
   * @throws {@link RuneportError} The URL is not below `baseUrl`, so its host must not receive the token.
   */
  #pathOf(url: string): string {
    const { base } = this.#with;
    const { protocol, host, pathname } = new URL(url);
    const basePath = base.pathname.replace(/\/$/, '');
    if (protocol !== base.protocol || host !== base.host || !`${pathname}/`.startsWith(`${basePath}/`)) {
      throw clientError('client.unsupported', `${url} is not below the base URL ${this.#with.baseUrl}.`);
    }
    return pathname.slice(basePath.length);
  }

  /** Sends a request with the access token. If the session is over, removes its tokens from the store. */
  async #sendAuthorized(sendable: Sendable, session: Tokens | undefined, waits: Waits | undefined): Promise<Response> {
    const { tokens } = this.#with;
    const response = await this.#sendRepeatedly(withToken(sendable, session), waits);
    if (session && response.status === 401 && SESSION_OVER.includes(await codeOf(response))) {
      // Keep the tokens of a session that began in the meantime.
      if ((await tokens.get())?.accessToken === session.accessToken) await tokens.set(undefined);
    }
    return response;
  }

  /** Sends a request, and repeats it as long as another attempt may fare better and `waits` allows one. */
  async #sendRepeatedly(sendable: Sendable, waits: Waits | undefined): Promise<Response> {
    const { method, url, signal } = sendable;
    for (let wait: number | undefined = this.#pace.wait(); ; ) {
      if (wait > 0) await pause(wait, signal);
      let response: Response | undefined;
      let failure: unknown;
      try {
        response = await this.#transmit(sendable);
      } catch (error) {
        signal?.throwIfAborted();
        failure = error;
      }
      const outcome = response ? await outcomeOf(response) : 'throttled';
      if (outcome === 'throttled') this.#pace.strike();
      if (response && outcome === 'final') return response;
      wait = waits?.next(response && (retryAfterOf(response) ?? 0) * 1_000, this.#pace.wait());
      if (wait === undefined) {
        if (response) return response;
        throw clientError('client.network', `${method} ${url} got no response. Check the network connection.`, failure);
      }
    }
  }

  async #transmit({ method, url, headers, body, signal }: Sendable): Promise<Response> {
    const { fetch } = this.#with;
    const answer = await fetch(url, { method, headers, body: body ?? null, signal: signal ?? null, redirect: 'error' });
    // Read the whole body, so that an incomplete response counts as a network failure.
    return new Response((await answer.text()) || null, answer);
  }

  /** The tokens that replace the stale one, or none if the session has ended. */
  #refreshOnce(stale: string): Promise<Tokens | undefined> {
    const { tokens } = this.#with;
    this.#refreshing ??= (tokens.exclusively?.bind(tokens) ?? run)(() => this.#refresh(stale)).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(stale: string): Promise<Tokens | undefined> {
    const { baseUrl, device, tokens } = this.#with;
    const spent = await tokens.get();
    // Another call or tab has already refreshed, signed in or signed out.
    if (!spent || spent.accessToken !== stale) return spent;
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' });
    const known = await device.get();
    if (known) headers.set('device-token', known);
    const response = await this.#sendRepeatedly(
      {
        method: 'POST',
        url: `${baseUrl}/auth/refresh-token`,
        headers,
        body: JSON.stringify({ refreshToken: spent.refreshToken }),
        signal: undefined,
      },
      // Not retried here. If the answer is lost, the next call refreshes with the same token and gets the same successor.
      undefined,
    );
    const text = await response.text();
    const answer = parse(text) as { data?: Schemas['TokenPair'] } | undefined;
    const fresh = response.ok && answer?.data ? tokensOf(answer.data) : undefined;
    const ended = response.status === 400 || response.status === 401;
    if (!fresh && !ended) throw errorOfAnswer(response, answer);
    // Keep the tokens of a session that began in the meantime.
    const now = await tokens.get();
    if (now?.refreshToken !== spent.refreshToken) return now;
    await tokens.set(fresh);
    return fresh;
  }
}

function run<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** The tokens of a response, with the expiry as an absolute time. */
export function tokensOf({ accessToken, refreshToken, expiresIn }: Schemas['TokenPair']): Tokens {
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1_000 };
}

function withToken(sendable: Sendable, tokens: Tokens | undefined): Sendable {
  if (!tokens) return sendable;
  const headers = new Headers(sendable.headers);
  headers.set('authorization', `Bearer ${tokens.accessToken}`);
  return { ...sendable, headers };
}

async function codeOf(response: Response): Promise<unknown> {
  const body = parse(await response.clone().text());
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/**
 * Whether another attempt may fare better. `throttled`: the gateway has refused the request, which it does
 * without the service's error body.
 */
async function outcomeOf(response: Response): Promise<'final' | 'temporary' | 'throttled'> {
  const { status } = response;
  if (status !== 409 && !TEMPORARY.includes(status)) return 'final';
  const code = await codeOf(response);
  // The service works on an earlier attempt with this key, perhaps from an earlier page load.
  if (status === 409) return code === IN_PROGRESS ? 'temporary' : 'final';
  return code === undefined && (status === 429 || status === 503) ? 'throttled' : 'temporary';
}

/** The account id of an access token, or undefined if the token is not a JWT. */
const subjectOf = (token: string): unknown => claimOf(token, 'sub');

/** Waits, unless the signal aborts first; then rejects with the signal's reason. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (finish: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      finish();
    };
    const aborted = done(() => reject(signal?.reason));
    const timer = setTimeout(done(resolve), milliseconds);
    signal?.addEventListener('abort', aborted);
    if (signal?.aborted) aborted();
  });
}
