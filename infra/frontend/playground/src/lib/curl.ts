import type { Exchange } from '../stores/calls.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same call in a shell. The token stays out of it: it is `$TOKEN`. */
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
    const body = typeof exchange.requestBody === 'string' ? exchange.requestBody : JSON.stringify(exchange.requestBody);
    parts.push(`-d ${quoted(body)}`);
  }
  return parts.join(' \\\n  ');
}
