/** Why something did not work, in the form that every panel shows. */
export interface Failure {
  kind: 'refused' | 'offline' | 'unexpected';
  /** A line for a person. */
  title: string;
  status?: number;
  code?: string;
  message?: string;
  details?: string;
  requestId?: string;
  /** What is wrong with each field, by its name. */
  fields: Record<string, string>;
}

/** What the errors of client and levers carry, whichever class they are of. */
interface Carried {
  name?: unknown;
  message?: unknown;
  key?: unknown;
  status?: unknown;
  code?: unknown;
  details?: unknown;
  requestId?: unknown;
  fieldErrors?: unknown;
  errors?: unknown;
  fields?: unknown;
  cause?: unknown;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function fieldsOf(list: unknown): Record<string, string> {
  if (!Array.isArray(list)) {
    return typeof list === 'object' && list !== null
      ? Object.fromEntries(Object.entries(list).map(([field, message]) => [field, String(message)]))
      : {};
  }
  const pairs = list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('field' in entry)) return [];
    return [[String(entry.field), 'message' in entry ? String(entry.message) : 'is wrong'] as const];
  });
  return Object.fromEntries(pairs);
}

const TITLES: Record<string, string> = {
  'client.walletRefused': 'The wallet did not sign.',
  'client.psbtRefused': 'The transaction is not what was asked for, so it was not signed.',
  'client.serverProofWrong': 'Whoever answered does not know your verifier. That is not the service.',
  'client.unavailable': 'The gateway did not let this through. Try again in a moment.',
  'client.answerMalformed': 'What came is no answer of the service.',
  'client.unsupported': 'This browser cannot do that.',
  'auth.otpRequired': 'A code of the second factor is needed.',
  'auth.otpInvalid': 'That code is not good, or was used before.',
  'auth.reauthRequired': 'Sign in again first. This needs a sign-in within the last 15 minutes.',
  'auth.invalidCredentials': 'E-mail address or password is wrong.',
  'auth.unauthorized': 'You are not signed in, or the session has ended.',
  'auth.emailTaken': 'An account has this e-mail address already.',
  'auth.addressTaken': 'An account has this address already.',
  'auth.tradingWallet': 'This key cannot be that of the trading wallet. Make a new key.',
  'auth.passkeyRefused': 'This passkey was refused.',
  'account.lastWayIn': 'This is the last way into the account, so it stays.',
  'common.validation': 'Something in the form is not right.',
  'common.rateLimited': 'Too many calls. Wait a little, then try again.',
  'common.tooManyRequests': 'Too many calls. Wait a little, then try again.',
  'common.unavailable': 'A required part has not started yet. Try again in a moment.',
};

export function toFailure(error: unknown): Failure {
  const carried: Carried = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const name = text(carried.name) ?? '';
  const status = typeof carried.status === 'number' ? carried.status : undefined;
  const key = text(carried.key) ?? text(carried.message);
  if (status !== undefined && status >= 400) {
    const said = text(carried.details);
    const title = TITLES[key ?? ''] ?? said ?? `The service said no (${status}).`;
    return {
      kind: 'refused',
      title,
      status,
      code: text(carried.code) ?? (typeof carried.code === 'number' ? String(carried.code) : undefined),
      message: key,
      details: said === title ? undefined : said,
      requestId: text(carried.requestId),
      fields: { ...fieldsOf(carried.fields), ...fieldsOf(carried.fieldErrors), ...fieldsOf(carried.errors) },
    };
  }
  const cause: unknown = carried.cause;
  const unreachable = error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
  if (unreachable || key === 'client.network') {
    return { kind: 'offline', title: 'The service cannot be reached.', details: text(carried.details), fields: {} };
  }
  const reason = name === 'RuneportError' && cause instanceof Error ? cause : error;
  const why = reason instanceof Error ? reason.name : '';
  const title =
    why === 'NotAllowedError' || why === 'AbortError'
      ? 'This was cancelled, or is not allowed on this device.'
      : why === 'InvalidStateError'
        ? 'This device has a passkey of this account already.'
        : (TITLES[key ?? ''] ?? (name === 'RuneportError' ? 'The page stopped here.' : key) ?? 'Something went wrong in the page.');
  return {
    kind: 'unexpected',
    title,
    message: name === 'RuneportError' ? key : undefined,
    details: text(carried.details),
    fields: {},
  };
}
