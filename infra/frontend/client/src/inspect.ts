/**
 * A record of the client's calls, for a page that shows them and for reports of errors: as HAR, and as curl.
 * Nothing is recorded unless an app imports this module and passes the inspector's `fetch` to `createApi`.
 *
 * @packageDocumentation
 */

import { type Exchange, notify } from './exchange.js';
import { MASK, masked } from './masked.js';

/** An exchange in the record. */
export interface RecordedExchange extends Exchange {
  /** Counts from 1. */
  readonly id: number;
}

/** A record of exchanges; see {@link createInspector}. */
export interface Inspector {
  /**
   * Fetches, and records the exchange: the option `fetch` of `createApi`. It reads the whole response before it
   * returns.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Records an exchange that was sent by other means. */
  readonly record: (exchange: Exchange) => void;
  /** The recorded exchanges, oldest first. Each change replaces the array. */
  readonly exchanges: readonly RecordedExchange[];
  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Forgets all exchanges. */
  clear(): void;
}

/** Options of {@link createInspector}. */
export interface InspectorOptions {
  /** How many exchanges are kept; then the oldest are forgotten. Default: 200. */
  readonly limit?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates a record of exchanges, in memory. The values of tokens, codes, proofs, signatures, and keystores are not
 * in it.
 *
 * @example
 * const inspector = createInspector();
 * const api = createApi({ baseUrl, fetch: inspector.fetch });
 */
export function createInspector({ limit = 200, fetch }: InspectorOptions = {}): Inspector {
  let exchanges: readonly RecordedExchange[] = [];
  let next = 1;
  const listeners = new Set<() => void>();
  const replace = (all: readonly RecordedExchange[]): void => {
    exchanges = all;
    for (const listener of [...listeners]) notify(listener, undefined);
  };
  const record = (exchange: Exchange): void => {
    const recorded = { ...masked(exchange), id: next };
    next += 1;
    replace([...exchanges, recorded].slice(-limit));
  };
  return {
    record,
    // The global function is looked up at each call, because a page or a test may replace it.
    fetch: (input, init) => recordedFetch(fetch ?? globalThis.fetch, record, input, init),
    get exchanges() {
      return exchanges;
    },
    subscribe: (listener) => {
      // A function of its own, so that the same listener can subscribe twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    clear: () => replace([]),
  };
}

async function recordedFetch(
  fetch: typeof globalThis.fetch,
  record: (exchange: Exchange) => void,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = input instanceof Request ? input : undefined;
  const { body } = init ?? {};
  const sent = {
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    url: new URL(request?.url ?? String(input), globalThis.location?.href).href,
    requestHeaders: Object.fromEntries(new Headers(init?.headers ?? request?.headers)),
    requestBody: typeof body === 'string' ? body : request?.body && !body ? await request.clone().text() : undefined,
    startedAt: Date.now(),
  };
  const start = performance.now();
  const missing = { status: undefined, responseHeaders: {}, responseBody: undefined, error: undefined };
  const since = (): number => performance.now() - start;
  try {
    const answer = await fetch(input, init);
    const responseBody = await answer.text();
    const { status, headers } = answer;
    record({ ...sent, ...missing, status, responseHeaders: Object.fromEntries(headers), responseBody, durationMs: since() });
    return new Response(responseBody || null, answer);
  } catch (error) {
    record({ ...sent, ...missing, durationMs: since(), error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `refreshToken` becomes `$REFRESH_TOKEN`. */
const variable = (name: string): string => `$${name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/\W/g, '_').toUpperCase()}`;

/**
 * The request as a shell command. Masked values are variables of the shell, such as `$TOKEN` for the access token
 * and `$OTP_CODE` for the field `otpCode`.
 *
 * @example
 * for (const exchange of inspector.exchanges) console.log(toCurl(exchange));
 */
export function toCurl({ method, url, requestHeaders, requestBody }: Exchange): string {
  const implied = requestBody === undefined ? 'GET' : 'POST';
  const parts = [`curl -s ${quoted(url)}${method === implied ? '' : ` -X ${method}`}`];
  for (const [name, value] of Object.entries(requestHeaders)) {
    // curl writes the type of a form itself, because it chooses the boundary.
    const known = name === 'accept' && value.includes('json') || name === 'content-type' && typeof requestBody === 'object';
    if (name === 'authorization' && value.endsWith(MASK)) parts.push('-H "Authorization: Bearer $TOKEN"');
    else if (value === MASK) parts.push(`-H "${name}: ${variable(name)}"`);
    else if (!known) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (typeof requestBody === 'string') {
    const text = quoted(requestBody).replaceAll(/"([\w-]+)":"\*\*\*"/g, (_all, name: string) => `"${name}":"'"${variable(name)}"'"`);
    parts.push(`-d ${text}`);
  } else {
    for (const [name, value] of requestBody ?? []) parts.push(value === MASK ? `-F "${name}=${variable(name)}"` : `-F ${quoted(`${name}=${value}`)}`);
  }
  return parts.join(' \\\n  ');
}

/** A pair in a HAR file. */
interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** An HTTP archive, version 1.2: `JSON.stringify` gives the text of a `.har` file. */
export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

/** One exchange of a {@link Har}. */
export interface HarEntry {
  /** RFC 3339. */
  readonly startedDateTime: string;
  /** Milliseconds. */
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: { readonly mimeType: string; readonly text: string } | { readonly mimeType: string; readonly params: readonly HarPair[] };
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    /** 0 if no response came. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarPair[];
    readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string };
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
    /** Why no response came. */
    readonly _error?: string;
  };
  readonly cache: Record<string, never>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}

const harPairs = (pairs: Iterable<readonly [string, string]>): HarPair[] => [...pairs].map(([name, value]) => ({ name, value }));

/**
 * The exchanges as an HTTP archive, which the network panels of browsers open.
 *
 * @example
 * const file = new Blob([JSON.stringify(toHar(inspector.exchanges))]);
 */
export function toHar(exchanges: readonly Exchange[]): Har {
  return { log: { version: '1.2', creator: { name: '@runeport/client', version: '0.1.0' }, entries: exchanges.map(harEntry) } };
}

function harEntry(exchange: Exchange): HarEntry {
  const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody, startedAt, durationMs, error } = masked(exchange);
  const mimeType = requestHeaders['content-type'] ?? '';
  // An exchange does not say how many bytes went over the wire, nor which HTTP carried them.
  const unknown = { httpVersion: '', cookies: [] as const, headersSize: -1, bodySize: -1 };
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      ...unknown,
      method,
      url,
      headers: harPairs(Object.entries(requestHeaders)),
      queryString: harPairs(new URL(url).searchParams),
      ...(requestBody !== undefined && {
        postData: typeof requestBody === 'string' ? { mimeType, text: requestBody } : { mimeType, params: harPairs(requestBody) },
      }),
    },
    response: {
      ...unknown,
      status: status ?? 0,
      statusText: '',
      headers: harPairs(Object.entries(responseHeaders)),
      content: {
        size: new TextEncoder().encode(responseBody).length,
        mimeType: responseHeaders['content-type'] ?? '',
        ...(responseBody !== undefined && { text: responseBody }),
      },
      redirectURL: '',
      ...(error !== undefined && { _error: error }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}
