/** The keys of all rows that these endpoints use, as in `shared/src/keys.rs`. */

const key = (table, pk, sk) => ({ table, pk, sk });

export const account = (id) => key("accountsTable", `account#${id}`, "account");
export const session = (id, session) => key("accountsTable", `account#${id}`, `session#${session}`);
export const srp = (id) => key("accountsTable", `credential#${id}`, "srp");
export const keystore = (id) => key("accountsTable", `credential#${id}`, "keystore");
export const email = (address) => key("accountsTable", `email#${address}`, "email");
export const dataKey = (kid) => key("accountsTable", `dataKey#${kid}`, "dataKey");
export const referral = (code) => key("accountsTable", `referral#${code}`, "referral");
export const emailToken = (hash) => key("ephemeralTable", `emailToken#${hash}`, "emailToken");
export const limit = (name, subject) => key("ephemeralTable", `limit#${name}#${subject}`, "limit");
export const knownSource = (id, source) => key("ephemeralTable", `source#${id}#${source}`, "source");

/** A list: the key of its head, which counts the members, and of its n-th member, counted from 1. */
const list = (table, name) => ({
  head: key(table, `list#${name}`, "head"),
  member: (n) => key(table, `list#${name}`, String(n).padStart(12, "0")),
});

export const accounts = list("accountsTable", "accounts");
export const activity = (id) => list("accountsTable", `activity#${id}`);
export const prizes = list("activityTable", "prizes");
