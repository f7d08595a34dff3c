import { base64urlnopad } from '@scure/base';

/** The claims of a token, for display; the signature is not checked. */
export function claimsOf(token: string): unknown {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload))) as unknown;
  } catch {
    return undefined;
  }
}

/** When a token expires, in milliseconds since the epoch by the service's clock. */
export function expiryOf(token: string): number | undefined {
  const claims = claimsOf(token);
  return typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number'
    ? claims.exp * 1000
    : undefined;
}
