import createClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch';
import type { PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';

import { type DeviceStore, memoryDeviceStore } from './device.js';
import { clientError, errorOfAnswer, RuneportError } from './error.js';
import { IDEMPOTENT } from './generated/idempotent.js';
import type { components, paths } from './generated/openapi.js';
import { memoryTokenStore, type Tokens, type TokenStore } from './tokens.js';

/** The shapes of requests and answers, by the names of `infra/openapi.json`. */
export type Schemas = components['schemas'];

/** One request, and what came of it. */
export interface Exchange {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** The whole address, query included. */
  readonly url: string;
  /** As they were sent, tokens included; by their names in lowercase. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The text that was sent, or the fields of a form, in which `@name` stands for a file. */
  readonly requestBody: string | readonly (readonly [name: string, value: string])[] | undefined;
  /** The HTTP status; none where no answer came. */
  readonly status: number | undefined;
  /** By their names in lowercase; those that the browser shows. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The text of the answer; none where no answer came. */
  readonly responseBody: string | undefined;
  /** When it was sent, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** How long it took to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** Why no answer came. */
  readonly error: string | undefined;
}

/** The service works on a request for up to 20 seconds: together these are longer. */
const RETRY_DELAYS: readonly number[] = [300, 1_500, 4_000, 8_000, 10_000];

/** What {@link createApi} takes. */
export interface ApiOptions {
  /** Where the service is, such as `https://api.example.com`; empty: the page's own origin. */
  readonly baseUrl: string;
  /** Where tokens are kept; in memory unless given. */
  readonly tokens?: TokenStore;
  /** Where the token of this device is kept; in memory unless given. */
  readonly device?: DeviceStore;
  /**
   * The domain that wallets sign in to, such as `app.example.com`: a challenge of another one is not
   * signed. Unless given, any domain is taken.
   */
  readonly signInDomain?: string;
  /** Instead of the environment's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Is told of every exchange, refreshes and repetitions included, once it is over. What it throws is
   * reported, and changes nothing of the call.
   */
  readonly onExchange?: (exchange: Exchange) => void;
  /**
   * How long to wait before a request that may be repeated is sent again after a network failure, or
   * while the service works on a try before it, in milliseconds; as many repetitions as there are
   * numbers. Unless given, they last as long as the service may work on one.
   */
  readonly retryDelays?: readonly number[];
}

/** The service, as the functions of this package take it. Made by {@link createApi}. */
export interface Api {
  /** Where the service is. */
  readonly baseUrl: string;
  /** Where tokens are kept. */
  readonly tokens: TokenStore;
  /** Where the token of this device is kept. */
  readonly device: DeviceStore;
  /** The openapi-fetch client behind {@link call}; what the service refuses is its `error`. */
  readonly client: Client<paths>;
  /** The domain that wallets sign in to; any where there is none. */
  readonly signInDomain?: string | undefined;
  /** Is told of every exchange. */
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  /**
   * Sends a request with the session's access token, refreshed where that is needed. Redirects are not
   * followed: they could lead to somebody else.
   *
   * @throws {@link RuneportError} `client.network`, `client.unsupported` where the request is not to the
   *   service, and what keeps a refresh from being answered.
   */
  send(request: Request, options?: SendOptions): Promise<Response>;
}

/** How a request is sent. */
export interface SendOptions {
  /** Without the session's access token. */
  readonly anonymous?: boolean | undefined;
  /** Instead of a random one, where the call takes one. */
  readonly idempotencyKey?: string | undefined;
}

/** What every call takes. */
export interface CallOptions extends SendOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The methods that the service has. */
export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The envelope that a call answers: `{code: "1", message: "common.success", data, metaData?}`. */
export type Answer<M extends Method, P extends PathsWithMethod<paths, M>> = paths[P][M] extends { responses: infer R }
  ? R extends { 200: Json<infer Body> } | { 201: Json<infer Body> } ? Body : never
  : never;

interface Json<Body> {
  content: { 'application/json': Body };
}

/** Path, query and body of a call. */
type Init<M extends Method, P extends PathsWithMethod<paths, M>> =
  MaybeOptionalInit<paths[P], M> extends infer I
    ? Pick<NonNullable<I>, Extract<keyof NonNullable<I>, 'params' | 'body'>> & CallOptions
    : never;

type InitArgument<M extends Method, P extends PathsWithMethod<paths, M>> =
  RequiredKeysOf<Init<M, P>> extends never ? [init?: Init<M, P>] : [init: Init<M, P>];

/** The client of a service. */
export function createApi(options: ApiOptions): Api {
  const { tokens = memoryTokenStore(), device = memoryDeviceStore(), onExchange, retryDelays = RETRY_DELAYS } = options;
  const baseUrl = (options.baseUrl || globalThis.location?.origin || '').replace(/\/$/, '');
  const base = new URL(baseUrl || '/', globalThis.location?.href ?? 'http://any');
  // Looked up at each call: a page, or a test, may replace it.
  const fetch: typeof globalThis.fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);

  const sender = new Sender({ baseUrl, base, tokens, device, fetch, onExchange, retryDelays });
  const send = (request: Request, how?: SendOptions) => sender.send(request, how);
  return {
    baseUrl,
    tokens,
    device,
    signInDomain: options.signInDomain,
    onExchange,
    send,
    client: createClient<paths>({ baseUrl, fetch: (request) => send(request) }),
  };
}

/**
 * Calls the service.
 *
 * @param api The service.
 * @param method In lowercase.
 * @param path As it stands in `infra/openapi.json`, with its braces.
 * @param init `params` (`path`, `query`), `body`, and {@link CallOptions}.
 * @returns The envelope.
 * @throws {@link RuneportError} What the service answers otherwise, `client.network`,
 *   `client.answerMalformed`.
 */
export async function call<M extends Method, P extends PathsWithMethod<paths, M>>(
  api: Api,
  method: M,
  path: P,
  ...[init]: InitArgument<M, P>
): Promise<Answer<M, P>> {
  const { anonymous, idempotencyKey, ...rest } = (init ?? {}) as CallOptions;
  // POSTs without fields take an empty object.
  const body = method === 'post' && !('body' in rest) ? { body: {} } : {};
  // That `method` goes with `path`, and `rest` with both, the signature says.
  const request = api.client.request as unknown as UntypedRequest;
  const { data, error, response } = await request(method, path, {
    ...rest,
    ...body,
    parseAs: 'text',
    fetch: (sent: Request) => api.send(sent, { anonymous, idempotencyKey }),
  });
  const parsed = parse(response.ok ? data : error);
  if (response.ok && typeof parsed === 'object' && parsed !== null) return parsed as Answer<M, P>;
  if (!response.ok) throw errorOfAnswer(response, parsed);
  throw new RuneportError({
    code: '0',
    message: 'client.answerMalformed',
    details: `${String(path)}: not the JSON of an answer`,
    status: response.status,
  });
}

type UntypedRequest = (
  method: string,
  path: unknown,
  init: Record<string, unknown>,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** JSON that openapi-fetch has parsed, where it is of an error, or has not. */
function parse(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The code of an error whose answer another try may get: the first one is being worked on. */
const IN_PROGRESS = '1010';
/** The codes of an access token that a refresh replaces. */
const STALE_TOKEN: readonly unknown[] = ['4002', '4003'];
/** The paths of proofs: where an account knows the device, others cannot lock it out there. */
const KNOWS_DEVICES = /^\/(api\/)?(auth|account)\//;
/** Those of a session that is over: its account is gone or disabled, or it has ended. */
const SESSION_OVER: readonly unknown[] = ['4006', '4010', '4011'];

interface Sending {
  readonly baseUrl: string;
  readonly base: URL;
  readonly tokens: TokenStore;
  readonly device: DeviceStore;
  readonly fetch: typeof globalThis.fetch;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  readonly retryDelays: readonly number[];
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
  #refreshing: Promise<Tokens | undefined> | undefined;

  constructor(sending: Sending) {
    this.#with = sending;
  }

  async send(request: Request, { anonymous = false, idempotencyKey }: SendOptions = {}): Promise<Response> {
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
    const repeats = method === 'GET' || keyed;

    if (anonymous || headers.has('authorization')) return this.#repeated(sendable, repeats);
    const { tokens } = this.#with;
    const before = await tokens.get();
    const first = await this.#authorized(sendable, before, repeats);
    if (first.status !== 401 || !before || !STALE_TOKEN.includes(await codeOf(first))) return first;
    const after = await this.#refreshed(before.accessToken);
    // Whoever else signed in meanwhile, in another tab, has not asked for this.
    const same = after && subjectOf(after.accessToken) === subjectOf(before.accessToken);
    return same ? this.#authorized(sendable, after, repeats) : first;
  }

  /**
   * The path of a URL of the service.
   *
   * @throws {@link RuneportError} Where it is another one's, who would be told the token.
   */
  #pathOf(url: string): string {
    const { base } = this.#with;
    const { protocol, host, pathname } = new URL(url);
    const basePath = base.pathname.replace(/\/$/, '');
    if (protocol !== base.protocol || host !== base.host || !`${pathname}/`.startsWith(`${basePath}/`)) {
      throw clientError('client.unsupported', `${url} is not of the service`);
    }
    return pathname.slice(basePath.length);
  }

  /** Sends it with a token, which is forgotten where its session is over. */
  async #authorized(sendable: Sendable, session: Tokens | undefined, repeats: boolean): Promise<Response> {
    const { tokens } = this.#with;
    const response = await this.#repeated(withToken(sendable, session), repeats);
    if (session && response.status === 401 && SESSION_OVER.includes(await codeOf(response))) {
      // Whoever signed in meanwhile keeps the new session.
      if ((await tokens.get())?.accessToken === session.accessToken) await tokens.set(undefined);
    }
    return response;
  }

  /** Sends it, again where the network fails or the service is still at it, and that does no harm. */
  async #repeated(sendable: Sendable, repeats: boolean): Promise<Response> {
    const delays = repeats ? this.#with.retryDelays : [];
    for (let tries = 0; ; tries += 1) {
      const delay = delays[tries];
      try {
        const response = await this.#transmit(sendable);
        // A try before this one, maybe of a page before this one, is at work under its key.
        const waits = response.status === 409 && (await codeOf(response)) === IN_PROGRESS;
        if (!waits || delay === undefined) return response;
      } catch (error) {
        sendable.signal?.throwIfAborted();
        if (delay === undefined) {
          throw clientError('client.network', `${sendable.method} ${sendable.url}: no answer`, error);
        }
      }
      await pause(delay, sendable.signal);
    }
  }

  async #transmit({ method, url, headers, body, signal }: Sendable): Promise<Response> {
    const { fetch, onExchange } = this.#with;
    const startedAt = Date.now();
    const start = performance.now();
    const told = (result: Partial<Exchange>): void =>
      tell(onExchange, {
        method,
        url,
        requestHeaders: Object.fromEntries(headers),
        requestBody: body,
        status: undefined,
        responseHeaders: {},
        responseBody: undefined,
        startedAt,
        durationMs: performance.now() - start,
        error: undefined,
        ...result,
      });
    try {
      const answer = await fetch(url, { method, headers, body: body ?? null, signal: signal ?? null, redirect: 'error' });
      // To its end, so that an answer that breaks off counts as none.
      const text = await answer.text();
      const { status, statusText, headers: responseHeaders } = answer;
      told({ status, responseHeaders: Object.fromEntries(responseHeaders), responseBody: text });
      return new Response(status === 204 || status === 304 ? null : text, { status, statusText, headers: responseHeaders });
    } catch (error) {
      told({ error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  /** Other tokens than the one that is stale, or none if the session has ended. */
  #refreshed(stale: string): Promise<Tokens | undefined> {
    const { tokens } = this.#with;
    this.#refreshing ??= (tokens.exclusively?.bind(tokens) ?? run)(() => this.#refresh(stale)).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(stale: string): Promise<Tokens | undefined> {
    const { baseUrl, tokens } = this.#with;
    const spent = await tokens.get();
    // Somebody has been faster: signed out, signed in, or refreshed.
    if (!spent || spent.accessToken !== stale) return spent;
    const response = await this.#repeated(
      {
        method: 'POST',
        url: `${baseUrl}/auth/refresh-token`,
        headers: new Headers({ accept: 'application/json', 'content-type': 'application/json' }),
        body: JSON.stringify({ refreshToken: spent.refreshToken }),
        signal: undefined,
      },
      // A token that may have been spent must not be sent again: that would end the session.
      false,
    );
    const text = await response.text();
    const answer = parse(text) as { data?: Schemas['TokenPair'] } | undefined;
    const fresh = response.ok && answer?.data ? tokensOf(answer.data) : undefined;
    const ended = response.status === 400 || response.status === 401;
    if (!fresh && !ended) throw errorOfAnswer(response, answer);
    // Whoever signed in meanwhile keeps the new session.
    const now = await tokens.get();
    if (now?.refreshToken !== spent.refreshToken) return now;
    await tokens.set(fresh);
    return fresh;
  }
}

function run<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** The tokens of an answer. */
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

/** Whose an access token is; of one that is no JWT, nobody knows. */
function subjectOf(token: string): unknown {
  const [, payload = ''] = token.split('.');
  try {
    const claims = parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

/** Tells a listener. What it throws is reported, and stops nothing. */
export function tell<T>(listener: ((event: T) => void) | undefined, event: T): void {
  try {
    listener?.(event);
  } catch (error) {
    // Node has none, and what nobody catches ends it.
    if (typeof globalThis.reportError === 'function') globalThis.reportError(error);
    else console.error(error);
  }
}

/** Waits so many milliseconds, or until the signal. */
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
