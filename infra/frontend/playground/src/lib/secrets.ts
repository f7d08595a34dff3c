/** Fields that grant access or move coins. Only their first characters are shown. */
const SECRET = /token$|secret|^signature$|password$|privatekey|recoverycodes|otpcode|otpauthuri|qrcode|policy|x-amz-(signature|credential|security-token)/i;
/** Public fields whose names match {@link SECRET}. */
const PUBLIC = new Set(['inputToken', 'outputToken', 'token', 'usdcToken']);

function shortened(text: string): string {
  return text.length <= 12 ? '•'.repeat(Math.max(4, text.length)) : `${text.slice(0, 6)}…(${text.length} characters)`;
}

/** The same JSON with its secrets shortened. */
export function redacted(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    // A field called token may also hold a short text or an address; secrets are long and contain no colon.
    const secret = SECRET.test(key) && !(PUBLIC.has(key) && (value.length < 24 || /^0x|:/.test(value)));
    return secret ? shortened(value) : value;
  }
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, redacted(entry, name)]));
  }
  return value;
}

export function redactedHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) =>
      name.toLowerCase() === 'authorization' ? [name, value.replace(/^(Bearer .{6}).*$/, '$1…')] : [name, value],
    ),
  );
}
