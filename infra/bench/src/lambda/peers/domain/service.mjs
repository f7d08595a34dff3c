/** The three endpoints, independent of the framework. */

import { SQSClient, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { createHash, randomBytes } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";

import { DEFAULT_GROUP, canonicalEmail, verifierOf } from "./inputs.mjs";
import * as keys from "./keys.mjs";
import { listQuery, readPage } from "./lists.mjs";
import { Problem } from "./problems.mjs";
import { bytesOf, freshId, referralCode, sha256 } from "./random.mjs";
import { ConditionFailed, Store, expiry } from "./store.mjs";
import { LIFETIME, Tokens } from "./tokens.mjs";
import { Vault } from "./vault.mjs";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SIGN_IN_BY_SOURCE = ["signInBySource", 100, 5 * MINUTE];
const REGISTRATION_BY_SOURCE = ["registrationBySource", 50, 60 * MINUTE];
const EMAIL_BY_ADDRESS = ["emailByAddress", 5, 60 * MINUTE];
const PRIZE_FIELDS = ["prizeNumber", "name", "inscriptionId", "controllingUtxo", "createdAt"];

/** An account as its owner sees it. */
function meOf(account) {
  return {
    id: account.id,
    email: account.email,
    emailVerified: account.emailVerified,
    authMethod: account.authMethod,
    hasKeystore: account.hasKeystore,
    role: account.role,
    wallet: account.wallet,
    addresses: account.addresses,
    tradingAddress: account.tradingWallet?.address ?? null,
    totpEnabled: account.totpEnabled,
    passkeys: account.passkeys,
    avatar: account.avatar,
    defaultTokens: account.defaultTokens,
    referralCode: account.referralCode,
    referredBy: account.referredBy,
    passwordHint: account.passwordHint,
    createdAt: account.createdAt,
  };
}

/** The subject of an address for rate limits: for IPv6, its network of 64 bits. */
function subjectOf(source) {
  const mapped = source.replace(/^::ffff:/i, "");
  if (isIPv4(mapped)) return mapped;
  const [head, tail] = source.split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array(missing).fill("0"), ...right].slice(0, 4);
  return `${new URL(`http://[${groups.join(":")}::]`).hostname.slice(1, -1)}/64`;
}

export class Service {
  #settings;
  #store;
  #tokens;
  #vault;
  #sqs;
  #log;

  /** `log` receives errors that do not affect the response. */
  constructor(settings, log) {
    this.#settings = settings;
    this.#store = new Store(settings);
    this.#tokens = new Tokens(settings);
    this.#vault = new Vault(settings, this.#store);
    this.#log = log;
  }

  /** The caller, from the header `Authorization`. */
  caller(header) {
    return this.#tokens.caller(header);
  }

  /** `GET /api/account/me`. */
  async me(caller) {
    const account = await this.#store.get(keys.account(caller));
    if (!account) throw new Problem("accountNotFound");
    if (account.status !== "active") throw new Problem("accountDisabled");
    return meOf(account);
  }

  /** `GET /api/prizes`: a page, `data` and `metaData`. */
  prizes(parameters) {
    return readPage(this.#store, keys.prizes, listQuery(parameters, PRIZE_FIELDS));
  }

  /** `POST /auth/register/srp` with a validated body. `client` has `requestId`, `source` (an IP address) and
   * `userAgent`. */
  async register(body, client) {
    const source = isIPv4(client.source ?? "") || isIPv6(client.source ?? "") ? client.source : null;
    if (source) await this.#hit(SIGN_IN_BY_SOURCE, subjectOf(source));
    const email = canonicalEmail(body.email);
    const group = body.srpGroup ?? DEFAULT_GROUP;
    const id = freshId(Date.now());
    const verifier = await this.#vault.seal(`verifier#${id}`, verifierOf(body.srpVerifier, group));
    const referredBy = body.referralCode ? await this.#referrer(body.referralCode) : null;
    if (source) await this.#hit(REGISTRATION_BY_SOURCE, subjectOf(source));
    const blob = await this.#vault.seal(`keystore#${id}`, body.encryptedBlob);
    const code = referralCode();
    const opening = await this.#open(id, { ...client, source });
    const entry = await this.#entry(id, opening.session.id, client.requestId, source);
    const account = (at) => ({
      id,
      version: 1,
      createdAt: at,
      email,
      emailVerified: false,
      authMethod: "srp",
      hasKeystore: true,
      role: "user",
      status: "active",
      epoch: 0,
      wallet: null,
      walletSince: 0,
      addresses: [],
      earlierAddresses: [],
      totpEnabled: false,
      passkeys: 0,
      avatar: null,
      defaultTokens: { usdc: null },
      referralCode: code,
      referredBy,
      passwordHint: body.passwordHint || null,
      lastSignInAt: at,
    });
    const store = this.#store;
    const draft = (at) => ({
      value: id,
      actions: [
        store.insert(keys.account(id), "account", account(at), "code"),
        store.insert(keys.referral(code), "uniqueness", { accountId: id }, "code"),
        store.insert(keys.session(id, opening.session.id), "session", opening.session, "code"),
        ...store.start(keys.activity(id), { ...entry, createdAt: at }, at, "code"),
        store.insert(keys.srp(id), "srpCredential", { group, salt: body.srpSalt, verifier }, "code"),
        store.insert(
          keys.email(email),
          "emailOwner",
          { accountId: id, verified: false, heldUntil: at + DAY },
          "email",
          { condition: "verified = :no AND heldUntil < :at", values: { ":no": false, ":at": at } },
        ),
        store.insert(keys.keystore(id), "keystore", { blob }, "code"),
      ],
    });
    const at = await store.append(keys.accounts, draft).catch((error) => {
      if (!(error instanceof ConditionFailed)) throw error;
      throw new Problem(error.meaning === "email" ? "emailTaken" : "unavailable");
    });
    if (source) await this.#remember(id, subjectOf(source));
    // The account exists even if the mail fails; its owner can request another mail.
    await this.#mail(id, email).catch((error) => {
      if (error.status !== 429) this.#log("verification mail not queued", error);
    });
    return { ...opening.tokens, tradingAddress: null, wallet: null, account: meOf(account(at)) };
  }

  async #hit([name, most, window], subject) {
    const until = await this.#store.hit(keys.limit(name, subject), most, window);
    if (until === undefined) return;
    const retryAfter = Math.max(Math.ceil((until - Date.now()) / 1000), 1);
    const details = `Too many requests. Try again in ${retryAfter} s.`;
    throw new Problem("rateLimited", { details, retryAfter });
  }

  async #referrer(code) {
    const claimed = await this.#store.get(keys.referral(code.toUpperCase()));
    if (!claimed) throw new Problem("referralCodeUnknown");
    return claimed.accountId;
  }

  /** A new session and its tokens. */
  async #open(account, { source, userAgent }) {
    const now = Date.now();
    const id = freshId(now);
    const bytes = [bytesOf(account), bytesOf(id), randomBytes(32)];
    const refreshToken = Buffer.concat(bytes).toString("base64url");
    const session = {
      id,
      accountId: account,
      epoch: 0,
      refreshHash: sha256(refreshToken),
      authTime: now,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: expiry(now + 7 * DAY),
      userAgent: userAgent?.slice(0, 200) ?? null,
      sourceIp: source,
    };
    const accessToken = await this.#tokens.issue(account, id, "user", now);
    return { session, tokens: { accessToken, refreshToken, expiresIn: LIFETIME } };
  }

  /** The first entry of the account's audit trail. */
  async #entry(account, sessionId, requestId, source) {
    const hash = source && (await this.#vault.keyedHash("source", `${account}\0${source}`));
    const sourceHash = hash && hash.subarray(0, 16).toString("hex");
    return { id: freshId(Date.now()), change: "accountCreated", requestId, sessionId, sourceHash };
  }

  /** Records the source of the sign-in. The sign-in succeeds even if this fails. */
  async #remember(account, source) {
    const row = { expiresAt: expiry(Date.now() + 90 * DAY) };
    const put = this.#store.put(keys.knownSource(account, source), "knownSource", row);
    await put.catch((error) => this.#log("failed to record the known source", error));
  }

  /** Sends the account a mail with a token that verifies its address. */
  async #mail(account, email) {
    const hash = createHash("sha256").update(email).digest("hex");
    await this.#hit(EMAIL_BY_ADDRESS, `${hash}#${account}`);
    const token = randomBytes(32).toString("base64url");
    const expiresAt = Date.now() + 10 * MINUTE;
    const row = { accountId: account, email, expiresAt: expiry(expiresAt) };
    await this.#store.put(keys.emailToken(sha256(token)), "emailVerification", row);
    const at = Date.now();
    const mail = { id: freshId(at), to: email, letter: { verifyEmail: { token, expiresAt } }, at };
    this.#sqs ??= new SQSClient();
    const { Failed = [] } = await this.#sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: this.#settings.mailQueueUrl,
        Entries: [{ Id: "0", MessageBody: JSON.stringify(mail) }],
      }),
    );
    if (Failed.length > 0) throw new Error(`The queue rejected a message: ${Failed[0].Code}.`);
  }
}
