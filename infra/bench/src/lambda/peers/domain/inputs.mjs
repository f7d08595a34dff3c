/** The rules for the fields of a registration, and their error messages. The framework's own validation calls
 * these functions for rules that the framework does not have. */

const decode = (text) => {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
};

/** The groups of RFC 5054, appendix A, by the bits of their primes, and the group of new accounts. */
export const GROUPS = [2048, 3072, 4096];
export const DEFAULT_GROUP = 3072;

/** The primes, hexadecimal. */
const PRIMES = {
  2048:
    "AC6BDB41324A9A9BF166DE5E1389582FAF72B6651987EE07FC3192943DB56050A37329CBB4A099ED8193E075" +
    "7767A13DD52312AB4B03310DCD7F48A9DA04FD50E8083969EDB767B0CF6095179A163AB3661A05FBD5FAAAE8" +
    "2918A9962F0B93B855F97993EC975EEAA80D740ADBF4FF747359D041D5C33EA71D281E446B14773BCA97B43A" +
    "23FB801676BD207A436C6481F1D2B9078717461A5B9D32E688F87748544523B524B0D57D5EA77A2775D2ECFA" +
    "032CFBDBF52FB3786160279004E57AE6AF874E7303CE53299CCC041C7BC308D82A5698F3A8D0C38271AE35F8" +
    "E9DBFBB694B5C803D89F7AE435DE236D525F54759B65E372FCD68EF20FA7111F9E4AFF73",
  3072:
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A0879" +
    "8E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B" +
    "0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA4836" +
    "1C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804" +
    "F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6" +
    "955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64" +
    "ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D226" +
    "1AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2" +
    "08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
  4096:
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A0879" +
    "8E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B" +
    "0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA4836" +
    "1C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804" +
    "F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6" +
    "955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64" +
    "ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D226" +
    "1AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2" +
    "08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A92108011A723C12A787E6D788719A10BDBA5B2699C32718" +
    "6AF4E23C1A946834B6150BDA2583E9CA2AD44CE8DBBBC2DB04DE8EF92E8EFC141FBECAA6287C59474E6BC05D" +
    "99B2964FA090C3A2233BA186515BE7ED1F612970CEE2D7AFB81BDD762170481CD0069127D5B05AA993B4EA98" +
    "8D8FDDC186FFB7DC90A6C08F4DF435C934063199FFFFFFFFFFFFFFFF",
};

export const LONGEST_EMAIL = 254;
export const LONGEST_SALT = 44;
export const LONGEST_VERIFIER = 684;
export const LONGEST_BLOB = 13_708;
export const LONGEST_HINT = 200;
export const LONGEST_CODE = 64;

/** The order of the fields in errors. */
const FIELDS = [
  "email", "srpSalt", "srpGroup", "srpVerifier", "encryptedBlob", "passwordHint", "referralCode",
  "tradingPublicKey",
];
/** Fields of the service that the peers reject; see the README of the peers. */
export const TRADING_KEY_FIELDS = ["tradingPublicKey", "challengeId", "signature"];

export const messages = {
  required: "is required",
  empty: "must not be empty",
  atMost: (longest) => `must have at most ${longest} characters`,
  email: "must be an e-mail address such as name@example.com, of at most 254 ASCII characters",
  base64: "must be base64, padded",
  salt: "must be base64 of 32 bytes",
  group: "must be a group of RFC 5054: 2048, 3072 or 4096",
  verifier: "the verifier is not a number of the group",
  tradingKey: "is not taken here",
  /** The message of the service's parser for a value of another type. */
  type: (value, expected) => `invalid type: ${kindOf(value)}, expected ${expected}`,
};

function kindOf(value) {
  switch (typeof value) {
    case "string": return `string ${JSON.stringify(value)}`;
    case "boolean": return `boolean \`${value}\``;
    case "number": return `${Number.isInteger(value) ? "integer" : "floating point"} \`${value}\``;
    default: return Array.isArray(value) ? "sequence" : "map";
  }
}

/** The error of an invalid group. */
export function wrongGroup(value) {
  if (!Number.isInteger(value)) return messages.type(value, "u16");
  if (value < 0 || value > 65_535) return `invalid value: integer \`${value}\`, expected u16`;
  return GROUPS.includes(value) ? undefined : messages.group;
}

/** The error of an invalid salt. */
export function wrongSalt(text) {
  const bytes = decode(text);
  if (!bytes) return messages.base64;
  return bytes.length === 32 ? undefined : messages.salt;
}

/** The error of an invalid keystore. */
export const wrongBlob = (text) => (decode(text) ? undefined : messages.base64);

/** The error of an invalid verifier. A valid one is a number `0 < v < N` of its group. */
export function wrongVerifier(text, group) {
  const bytes = decode(text);
  if (!bytes) return messages.base64;
  return padded(bytes, group) ? undefined : messages.verifier;
}

/** A checked verifier, as bytes of the group's size. */
export const verifierOf = (text, group) => padded(decode(text), group);

function padded(bytes, group) {
  const prime = Buffer.from(PRIMES[group], "hex");
  if (bytes.length > prime.length || bytes.every((byte) => byte === 0)) return undefined;
  const number = Buffer.concat([Buffer.alloc(prime.length - bytes.length), bytes]);
  return number.compare(prime) < 0 ? number : undefined;
}

const ATOM = /^[a-z0-9!#$%&'*+\-/=?^_`{|}~]+$/;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** The canonical form of an e-mail address: NFKC, trimmed, in lowercase; `undefined` if it is invalid. */
export function canonicalEmail(text) {
  const canonical = text.normalize("NFKC").trim().toLowerCase();
  const at = canonical.lastIndexOf("@");
  const [local, domain] = [canonical.slice(0, Math.max(at, 0)), canonical.slice(at + 1)];
  const sound =
    at > 0 &&
    canonical.length <= LONGEST_EMAIL &&
    local.length <= 64 &&
    local.split(".").every((part) => ATOM.test(part)) &&
    domain.includes(".") &&
    domain.split(".").every((label) => LABEL.test(label));
  return sound ? canonical : undefined;
}

/** The error of an invalid e-mail address. */
export const wrongEmail = (text) => (canonicalEmail(text) === undefined ? messages.email : undefined);

/** Keeps one error per field, in the order of the fields. If the group is invalid, drops errors of the
 * verifier. */
export function inOrder(errors) {
  const first = new Map();
  for (const error of errors) {
    if (!first.has(error.field)) first.set(error.field, error);
  }
  if (first.has("srpGroup")) first.delete("srpVerifier");
  return [...first.values()].sort((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field));
}
