import type { components } from './generated/openapi.js';

/** A field of a request that is missing or wrong. */
export type FieldError = components['schemas']['FieldError'];

/** The numbers and ids that an error mentions, by name. Amounts that may exceed 2^53 are digits. */
export type ErrorParams = Readonly<Record<string, number | string | readonly string[]>>;

/**
 * The errors that the client itself raises. They have the code `0` and the HTTP status of the response (0
 * if there was none):
 *
 * - `client.network`: no response came.
 * - `client.accountChanged`: a different account is signed in than the call is for, or none.
 * - `client.unavailable`: the gateway in front of the service rejected the request. The status says why:
 *   413 too large, 429 too many requests, 503 service not reachable.
 * - `client.answerMalformed`: the response is not one of the service, or fails a check.
 * - `client.serverProofWrong`: the server does not know the account's password verifier, so it is not
 *   the service.
 * - `client.amountInvalid`: an amount cannot be read in one way only, or is not positive. Nothing was requested.
 * - `client.psbtRefused`: the PSBT does not match the request. It was not signed, or not submitted.
 * - `client.walletRefused`: the wallet did not sign.
 * - `client.venueActionRefused`: the venue action does not match the request and was not signed.
 * - `client.depositFailed`: a transaction of a deposit was reverted, or is not mined yet.
 * - `client.uploadFailed`: the storage rejected a file.
 * - `client.exportFailed`: the export failed or has expired.
 * - `client.keystoreInvalid`: a keystore, or a value of a new one, is outside the format or its limits, or the keystore
 *   names another owner.
 * - `client.keystorePasswordWrong`: the password does not open the keystore, or the keystore was changed.
 * - `client.webhookInvalid`: the request of a webhook is not signed by the service, or its time is too far from now.
 * - `client.unsupported`: this environment, or this client, does not support the operation.
 */
export type ClientProblem =
  | 'client.network'
  | 'client.accountChanged'
  | 'client.unavailable'
  | 'client.answerMalformed'
  | 'client.serverProofWrong'
  | 'client.amountInvalid'
  | 'client.psbtRefused'
  | 'client.walletRefused'
  | 'client.venueActionRefused'
  | 'client.depositFailed'
  | 'client.uploadFailed'
  | 'client.exportFailed'
  | 'client.keystoreInvalid'
  | 'client.keystorePasswordWrong'
  | 'client.webhookInvalid'
  | 'client.unsupported';

/** The fields of a {@link RuneportError}. */
export interface RuneportErrorFields {
  /** Four digits, or `0` for an error of the client. */
  readonly code: string;
  /** The stable key, such as `auth.otpRequired`, or a {@link ClientProblem}. */
  readonly key: string;
  /** A sentence for people. */
  readonly message: string;
  /** Identifies the request in the service's log; empty if there was no response. */
  readonly requestId?: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status?: number;
  /** All missing or invalid fields. */
  readonly errors?: readonly FieldError[];
  /** The numbers and ids that `message` mentions. */
  readonly params?: ErrorParams;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The error that all functions of this package throw. Its `message` is a sentence for people, which consoles and reports show; the
 * service calls it `details`, and the `key` `message`. Only aborts differ: they throw the reason of the
 * `AbortSignal` unchanged.
 */
export class RuneportError extends Error {
  override readonly name = 'RuneportError';
  /** Four digits, such as `4017`, or `0` for an error of the client. A code never changes its meaning. */
  readonly code: string;
  /** The stable key, such as `auth.otpRequired`, or a {@link ClientProblem}. */
  readonly key: string;
  /** Identifies the request in the service's log; empty if there was no response. */
  readonly requestId: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** All missing or invalid fields; empty for other errors. */
  readonly errors: readonly FieldError[];
  /** The numbers and ids that `message` mentions; empty if there are none. */
  readonly params: ErrorParams;
  /** Seconds to wait before the next attempt (`Retry-After`). */
  readonly retryAfter: number | undefined;

  constructor(fields: RuneportErrorFields) {
    super(fields.message, { cause: fields.cause });
    this.code = fields.code;
    this.key = fields.key;
    this.requestId = fields.requestId ?? '';
    this.status = fields.status ?? 0;
    this.errors = fields.errors ?? [];
    this.params = fields.params ?? {};
    this.retryAfter = fields.retryAfter;
  }
}

/** Creates an error of the client itself. */
export function clientError(key: ClientProblem, message: string, cause?: unknown): RuneportError {
  return new RuneportError({ code: '0', key, message, cause });
}

/** The gateway answers these statuses itself, without the service's error body. */
const OF_GATEWAY: readonly number[] = [413, 429, 503];

/** Creates the error of an unsuccessful response with the given body. */
export function errorOfAnswer(response: Response, body: unknown): RuneportError {
  const { status } = response;
  const retryAfter = retryAfterOf(response);
  if (isErrorBody(body)) {
    const { message: key, details, ...rest } = body;
    return new RuneportError({ ...rest, key, message: details, status, retryAfter });
  }
  return new RuneportError({
    code: '0',
    key: OF_GATEWAY.includes(status) ? 'client.unavailable' : 'client.answerMalformed',
    message: `HTTP ${status} ${response.statusText}`.trim(),
    status,
    retryAfter,
  });
}

/** The seconds of `Retry-After`, which may also be a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const seconds = Number(text);
  const wait = Number.isNaN(seconds) ? (Date.parse(text) - Date.now()) / 1_000 : seconds;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function isErrorBody(body: unknown): body is components['schemas']['Error'] {
  return (
    typeof body === 'object' && body !== null &&
    'code' in body && typeof body.code === 'string' &&
    'message' in body && typeof body.message === 'string'
  );
}
