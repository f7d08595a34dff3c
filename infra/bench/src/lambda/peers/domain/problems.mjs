/** The service's problems that these endpoints can return. */

const PROBLEMS = {
  validation: [400, "1001", "common.validation", "Fields of the request are missing or wrong; `errors` names each."],
  malformedBody: [400, "1002", "common.malformedBody", "The body is not JSON, or not a JSON object."],
  notFound: [404, "1003", "common.notFound", "There is nothing at this path."],
  payloadTooLarge: [413, "1005", "common.payloadTooLarge", "The body is larger than 256 KiB."],
  unsupportedMediaType: [415, "1006", "common.unsupportedMediaType", "The body must be JSON: set Content-Type to application/json."],
  internal: [500, "1008", "common.internal", "The service failed. Contact support with the request id."],
  unavailable: [503, "1009", "common.unavailable", "The service is temporarily unavailable. Try again."],
  sortTooLarge: [400, "1012", "common.sortTooLarge", "The list is too long to be sorted by this field."],
  rateLimited: [429, "1013", "common.rateLimited", "Too many requests. Try again after the time in Retry-After."],
  invalidToken: [401, "4002", "auth.invalidToken", "The access token is invalid."],
  tokenExpired: [401, "4003", "auth.tokenExpired", "The access token has expired. Refresh it."],
  noAuthorization: [401, "4004", "auth.noAuthorization", "The request has no Authorization header with a Bearer token."],
  accountNotFound: [401, "4006", "auth.accountNotFound", "The account does not exist."],
  accountDisabled: [401, "4011", "auth.accountDisabled", "The account is disabled."],
  emailTaken: [409, "4023", "auth.emailTaken", "The e-mail address already belongs to an account."],
  referralCodeUnknown: [400, "4030", "auth.referralCodeUnknown", "The referral code does not exist."],
};

/** The maximum size of a body, in bytes. */
export const LONGEST_BODY = 256 * 1024;

/** An error for the client. */
export class Problem extends Error {
  constructor(name, { details, errors = [], retryAfter, cause } = {}) {
    const [status, code, key, meaning] = PROBLEMS[name];
    super(details ?? meaning, { cause });
    Object.assign(this, { status, code, key, errors, retryAfter });
  }

  /** The problem of missing or invalid fields. */
  static fields(errors) {
    const names = errors.map(({ field }) => field).join(", ");
    return new Problem("validation", { details: `Missing or wrong: ${names}.`, errors });
  }

  /** The problem for any other error: AWS is busy, or the service has a fault. */
  static of(error) {
    if (error instanceof Problem) return error;
    return new Problem(isBusy(error) ? "unavailable" : "internal", { cause: error });
  }

  /** The body of the response. */
  body(requestId) {
    const { code, key: message, message: details, errors } = this;
    return { code, message, details, requestId, ...(errors.length > 0 && { errors }) };
  }

  /** Additional headers of the response. */
  headers() {
    return {
      ...(this.status === 401 && { "www-authenticate": "Bearer" }),
      ...(this.retryAfter !== undefined && { "retry-after": String(this.retryAfter) }),
    };
  }
}

/** The body of every successful response. */
export function success(data, metaData) {
  return { code: "1", message: "common.success", data, metaData };
}

const BUSY = new Set([
  "InternalServerError",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "TimeoutError",
  "TransactionConflictException",
  "TransactionInProgressException",
]);

function isBusy(error) {
  return BUSY.has(error.name) || error.code === "ECONNREFUSED" || error.code === "ECONNRESET";
}
