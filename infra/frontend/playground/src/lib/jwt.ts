import { base64urlnopad } from '@scure/base';

/** What a token says, unchecked: for reading alone. */
export function claimsOf(token: string): unknown {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload))) as unknown;
  } catch {
    return undefined;
  }
}

/** When a token ends, in milliseconds by the service's clock. */
export function expiryOf(token: string): number | undefined {
  const claims = claimsOf(token);
  return typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number'
    ? claims.exp * 1000
    : undefined;
}
