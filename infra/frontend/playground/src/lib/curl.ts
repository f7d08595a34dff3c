import type { Exchange } from '../stores/calls.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Replaces the refresh token with a shell variable, so that copied commands contain no tokens. */
function withoutToken(body: unknown): string {
  if (typeof body === 'string') return quoted(body);
  const TOKEN = '$REFRESH_TOKEN';
  const json = JSON.stringify(body, (key, value: unknown) => (key === 'refreshToken' ? TOKEN : value));
  return quoted(json).replace(TOKEN, `'"${TOKEN}"'`);
}

/** The same call as a shell command, which reads the access token from `$TOKEN`. */
export function toCurl(exchange: Exchange): string {
  const parts = [`curl -s ${quoted(exchange.url)}`];
  const bare = exchange.method === 'GET' || (exchange.method === 'POST' && exchange.requestBody !== undefined);
  if (!bare) parts[0] += ` -X ${exchange.method}`;
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    const header = name.toLowerCase();
    if (header === 'authorization') parts.push('-H "Authorization: Bearer $TOKEN"');
    else if (header !== 'accept' || !value.includes('json')) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (exchange.requestBody !== undefined) {
    if (!Object.keys(exchange.requestHeaders).some((name) => name.toLowerCase() === 'content-type')) {
      parts.push("-H 'Content-Type: application/json'");
    }
    parts.push(`-d ${withoutToken(exchange.requestBody)}`);
  }
  return parts.join(' \\\n  ');
}
