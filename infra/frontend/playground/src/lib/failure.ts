/** An error in the form that every panel shows. */
export interface Failure {
  kind: 'refused' | 'offline' | 'unexpected';
  /** A sentence for the user. */
  title: string;
  status?: number;
  code?: string;
  message?: string;
  details?: string;
  requestId?: string;
  /** After how many seconds the service answers again. */
  retryAfter?: number;
  /** The error of each field, by the field's name. */
  fields: Record<string, string>;
}

/** The fields that errors of the client and of the levers may have. With a key, the message is a sentence. */
interface Carried {
  name?: unknown;
  message?: unknown;
  key?: unknown;
  status?: unknown;
  code?: unknown;
  details?: unknown;
  requestId?: unknown;
  retryAfter?: unknown;
  fieldErrors?: unknown;
  errors?: unknown;
  fields?: unknown;
  cause?: unknown;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What the service says of a field, without its name: `must be a number` becomes `Must be a number.` */
const sentence = (said: string): string => `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`;

function fieldsOf(list: unknown): Record<string, string> {
  if (!Array.isArray(list)) {
    return typeof list === 'object' && list !== null
      ? Object.fromEntries(Object.entries(list).map(([field, message]) => [field, String(message)]))
      : {};
  }
  const pairs = list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('field' in entry)) return [];
    return [[String(entry.field), sentence('message' in entry ? String(entry.message) : 'is invalid')] as const];
  });
  return Object.fromEntries(pairs);
}

const TITLES: Record<string, string> = {
  'client.walletRefused': 'The wallet did not sign.',
  'client.psbtRefused': 'The transaction does not match your request, so it was not signed.',
  'client.serverProofWrong': 'The server does not know your password’s verifier, so it is not the service.',
  'client.unavailable': 'The gateway did not accept the request. Try again in a moment.',
  'client.answerMalformed': 'The response is not one of the service.',
  'client.unsupported': 'This browser does not support this.',
  'auth.otpRequired': 'This account requires a code of the second factor.',
  'auth.otpInvalid': 'The code is wrong or was already used.',
  'auth.reauthRequired': 'Nothing was changed: you did not confirm that it is you.',
  'common.forbidden': 'This account may not do that.',
  'auth.invalidCredentials': 'The e-mail address or the password is wrong.',
  'auth.unauthorized': 'You are not signed in, or the session has ended.',
  'auth.emailTaken': 'Another account already uses this e-mail address.',
  'auth.addressTaken': 'Another account already uses this address.',
  'auth.tradingWallet': 'This key cannot be used for the trading wallet. Create a new key.',
  'auth.passkeyRefused': 'The service did not accept this passkey.',
  'account.lastWayIn': 'This is the only way to sign in to the account, so it cannot be removed.',
  'common.validation': 'The service does not accept this.',
  'common.rateLimited': 'Too many calls. Wait a moment, then try again.',
  'common.tooManyRequests': 'Too many calls. Wait a moment, then try again.',
  'common.unavailable': 'A required part has not started yet. Try again in a moment.',
  'bitcoin.chainBusy': 'The Bitcoin world is still starting. Try again in a moment.',
};

export function toFailure(error: unknown): Failure {
  const carried: Carried = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const name = text(carried.name) ?? '';
  const status = typeof carried.status === 'number' ? carried.status : undefined;
  const key = text(carried.key) ?? text(carried.message);
  const said = text(carried.details) ?? (carried.key === undefined ? undefined : text(carried.message));
  if (status !== undefined && status >= 400) {
    const title = TITLES[key ?? ''] ?? said ?? `The service rejected the request (HTTP ${status}).`;
    return {
      kind: 'refused',
      title,
      status,
      code: text(carried.code) ?? (typeof carried.code === 'number' ? String(carried.code) : undefined),
      message: key,
      details: said === title ? undefined : said,
      requestId: text(carried.requestId),
      retryAfter: typeof carried.retryAfter === 'number' ? carried.retryAfter : undefined,
      fields: { ...fieldsOf(carried.fields), ...fieldsOf(carried.fieldErrors), ...fieldsOf(carried.errors) },
    };
  }
  const cause: unknown = carried.cause;
  const unreachable = error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
  if (unreachable || key === 'client.network') {
    return { kind: 'offline', title: 'The service cannot be reached.', details: said, fields: {} };
  }
  const reason = name === 'RuneportError' && cause instanceof Error ? cause : error;
  const why = reason instanceof Error ? reason.name : '';
  const title =
    why === 'NotAllowedError' || why === 'AbortError'
      ? 'This was cancelled, or this device does not allow it.'
      : why === 'InvalidStateError'
        ? 'This device already has a passkey of this account.'
        : (TITLES[key ?? ''] ?? (name === 'RuneportError' ? said ?? 'The page could not continue.' : key) ?? 'Something went wrong in the page.');
  return {
    kind: 'unexpected',
    title,
    message: name === 'RuneportError' ? key : undefined,
    details: said === title ? undefined : said,
    fields: {},
  };
}
