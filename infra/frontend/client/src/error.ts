import type { components } from './generated/openapi.js';

/** A field of a request that is missing or wrong. */
export type FieldError = components['schemas']['FieldError'];

/**
 * What goes wrong on this side of the service. Errors of these have the code `0`, and the HTTP status of
 * the answer where one came, or else 0:
 *
 * - `client.network`: no answer came.
 * - `client.unavailable`: the gateway before the service did not let the request through. The status says
 *   why: 413 is too large, 429 too many at once, 503 nobody there.
 * - `client.answerMalformed`: what came is no answer of the service.
 * - `client.serverProofWrong`: whoever answered does not know the account's verifier. Not the service.
 * - `client.psbtRefused`: the PSBT is not what was asked for, and was not signed, or not submitted.
 * - `client.walletRefused`: the wallet did not sign.
 * - `client.venueActionRefused`: what the venue should get is not what was asked for, and was not signed.
 * - `client.depositFailed`: a transaction of a deposit was reverted, or is not mined yet.
 * - `client.uploadFailed`: the storage did not take a file.
 * - `client.exportFailed`: the file of an export could not be made, or is gone.
 * - `client.unsupported`: this environment, or this client, cannot do it.
 */
export type ClientProblem =
  | 'client.network'
  | 'client.unavailable'
  | 'client.answerMalformed'
  | 'client.serverProofWrong'
  | 'client.psbtRefused'
  | 'client.walletRefused'
  | 'client.venueActionRefused'
  | 'client.depositFailed'
  | 'client.uploadFailed'
  | 'client.exportFailed'
  | 'client.unsupported';

/** What a {@link RuneportError} is made of. */
export interface RuneportErrorFields {
  /** Four digits, or `0` where the service did not say it. */
  readonly code: string;
  /** The stable key, such as `auth.otpRequired`, or a {@link ClientProblem}. */
  readonly message: string;
  /** For people. */
  readonly details: string;
  /** Finds the request in the service's log; empty where there is none. */
  readonly requestId?: string;
  /** The HTTP status; 0 where there is none. */
  readonly status?: number;
  /** Every field that is missing or wrong. */
  readonly errors?: readonly FieldError[];
  /** Seconds until the next try may be good. */
  readonly retryAfter?: number | undefined;
  /** What led to it. */
  readonly cause?: unknown;
}

/**
 * Everything that functions of this package throw, but for the reason of an `AbortSignal`, which
 * they pass on as it is.
 */
export class RuneportError extends Error {
  override readonly name = 'RuneportError';
  /** Four digits, such as `4017`; `0` where the service did not say it. Never changes its meaning. */
  readonly code: string;
  /** For people. */
  readonly details: string;
  /** Finds the request in the service's log; empty where there is none. */
  readonly requestId: string;
  /** The HTTP status; 0 where there is none. */
  readonly status: number;
  /** Every field that is missing or wrong, if that is the matter. */
  readonly errors: readonly FieldError[];
  /** Seconds until the next try may be good (`Retry-After`). */
  readonly retryAfter: number | undefined;

  constructor(fields: RuneportErrorFields) {
    super(fields.message, { cause: fields.cause });
    this.code = fields.code;
    this.details = fields.details;
    this.requestId = fields.requestId ?? '';
    this.status = fields.status ?? 0;
    this.errors = fields.errors ?? [];
    this.retryAfter = fields.retryAfter;
  }
}

/** An error of this side. */
export function clientError(message: ClientProblem, details: string, cause?: unknown): RuneportError {
  return new RuneportError({ code: '0', message, details, cause });
}

/** What the gateway answers by itself, in a shape of its own. */
const OF_GATEWAY: readonly number[] = [413, 429, 503];

/** The error that an answer with this body is. */
export function errorOfAnswer(response: Response, body: unknown): RuneportError {
  const { status } = response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  if (isErrorBody(body)) {
    return new RuneportError({ ...body, status, retryAfter });
  }
  return new RuneportError({
    code: '0',
    message: OF_GATEWAY.includes(status) ? 'client.unavailable' : 'client.answerMalformed',
    details: `HTTP ${status} ${response.statusText}`.trim(),
    status,
    retryAfter,
  });
}

function isErrorBody(body: unknown): body is components['schemas']['Error'] {
  return (
    typeof body === 'object' && body !== null &&
    'code' in body && typeof body.code === 'string' &&
    'message' in body && typeof body.message === 'string'
  );
}
