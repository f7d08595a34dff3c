/**
 * One request with its response, or with the error if no response came. The values of tokens, codes, proofs,
 * signatures, and keystores are `***`.
 */
export interface Exchange {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** The full URL, including the query. */
  readonly url: string;
  /** Names in lowercase. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The text that was sent, or the fields of a form; the value of a file field is `@` and the file name. */
  readonly requestBody: string | readonly (readonly [name: string, value: string])[] | undefined;
  /** Missing if no response came. */
  readonly status: number | undefined;
  /** Names in lowercase; only the headers that the browser exposes. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Missing if no response came. */
  readonly responseBody: string | undefined;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds until the end of the response. */
  readonly durationMs: number;
  /** Why no response came. */
  readonly error: string | undefined;
}

/** Calls a listener. If it throws, the error is reported and does not affect the caller. */
export function notify<T>(listener: ((event: T) => void) | undefined, event: T): void {
  try {
    listener?.(event);
  } catch (error) {
    // Node has no `reportError`, and an uncaught error would end the process.
    if (typeof globalThis.reportError === 'function') globalThis.reportError(error);
    else console.error(error);
  }
}
