/** Random ids, codes and tokens. */

import { createHash, randomBytes } from "node:crypto";

import { v7 } from "uuid";

/** A time-ordered id with the current time. */
export const freshId = (now) => v7({ msecs: now, random: randomBytes(16) });

/** A referral code: 8 characters of Crockford's base32. */
export function referralCode() {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  return Array.from(randomBytes(8), (byte) => alphabet[byte & 31]).join("");
}

/** SHA-256 as hex. */
export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** The bytes of an id. */
export const bytesOf = (id) => Buffer.from(id.replaceAll("-", ""), "hex");
