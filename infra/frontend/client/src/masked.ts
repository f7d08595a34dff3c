import type { Exchange } from './exchange.js';

/** What an exchange shows in place of a secret. */
export const MASK = '***';

/** Fields that grant access, prove an identity, or belong to a keystore. */
const NAMES = String.raw`(?:access|refresh|device)Token|otp(?:Code|authUri)|secret|ticket|qrCode|recoveryCodes|\w*(?:Proof|Verifier|EncryptedBlob|PasswordHint)|signature|Policy|X-Amz-(?:Signature|Credential|Security-Token)`;
const NAME = new RegExp(`^(?:${NAMES}|authorization|device-token)$`, 'i');
// A `token` may also be the name of a coin, which is shorter or has a colon.
const FIELD = new RegExp(String.raw`"(${NAMES})"\s*:\s*(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])|"(token)"\s*:\s*"[\w-]{32,}"`, 'gi');
/** The signature of a link to a file. */
const LINK = /(X-Amz-(?:Signature|Credential|Security-Token)=)[^&"\s]+/gi;

const maskText = <T extends string | undefined>(text: T): T =>
  text?.replace(FIELD, (_all, name?: string, token?: string) => `"${name ?? token}":"${MASK}"`).replace(LINK, `$1${MASK}`) as T;

const maskValue = (name: string, value: string): string =>
  NAME.test(name) ? value.replace(/^(Bearer )?.*$/s, `$1${MASK}`) : maskText(value);

const maskHeaders = (headers: Exchange['requestHeaders']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskValue(name, value)]));

/** The same exchange without tokens, codes, proofs, signatures, and keystores. */
export function masked(exchange: Exchange): Exchange {
  const { url, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  return {
    ...exchange,
    url: maskText(url),
    requestHeaders: maskHeaders(requestHeaders),
    requestBody: typeof requestBody === 'object' ? requestBody.map(([name, value]) => [name, maskValue(name, value)] as const) : maskText(requestBody),
    responseHeaders: maskHeaders(responseHeaders),
    responseBody: maskText(responseBody),
  };
}
