/** A claim of an access token, or undefined if the token is not a JWT. */
export function claimOf(token: string, name: 'sub' | 'sid'): unknown {
  const [, payload = ''] = token.split('.');
  try {
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown> | null;
    return claims?.[name];
  } catch {
    return undefined;
  }
}
