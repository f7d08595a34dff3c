/** Access tokens, as in `shared/src/crypto/token.rs`. The keys come from the same places as in the service, and
 * are cached for the same time. */

import { createPrivateKey } from "node:crypto";

import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { SignJWT, errors, importJWK, jwtVerify } from "jose";

import { Problem } from "./problems.mjs";
import { freshId } from "./random.mjs";

/** Lifetime of an access token, in seconds. */
export const LIFETIME = 600;
const LEEWAY = 5;
const TYPE = "at+jwt";
const LONGEST = 4096;
const KEPT_MS = 300_000;
const STALE_MS = 3_600_000;
const PAUSE_MS = 10_000;

/** A cached value. It is read again when it is 5 minutes old or is not the wanted one. After a failed or
 * unsuccessful read, the cache waits 10 seconds before the next one. */
class Cache {
  #value;
  #readAt = -Infinity;
  #pausedUntil = -Infinity;

  constructor(read) {
    this.read = read;
  }

  async get(wanted = () => true) {
    const usable = this.#usable(wanted);
    if (usable) return usable;
    try {
      this.#value = await this.read();
      this.#readAt = Date.now();
      if (!wanted(this.#value)) this.#pausedUntil = Date.now() + PAUSE_MS;
      return this.#value;
    } catch (cause) {
      this.#pausedUntil = Date.now() + PAUSE_MS;
      const stale = this.#usable(wanted);
      if (stale) return stale;
      throw new Problem("unavailable", { cause });
    }
  }

  #usable(wanted) {
    const now = Date.now();
    if (this.#value === undefined) return undefined;
    const fresh = now < this.#readAt + KEPT_MS && wanted(this.#value);
    const paused = now < this.#pausedUntil && now < this.#readAt + STALE_MS;
    return fresh || paused ? this.#value : undefined;
  }
}

export class Tokens {
  #settings;
  #public = new Cache(() => this.#readPublic());
  #private = new Cache(() => this.#readPrivate());

  constructor(settings) {
    this.#settings = settings;
  }

  /** The caller: the account in the token of an `Authorization` header. */
  async caller(header) {
    const [, token] = /^bearer +(.*)$/i.exec(header ?? "") ?? [];
    if (token === undefined) throw new Problem("noAuthorization");
    const { sub } = await this.verify(token.trim());
    return sub;
  }

  /** Checks a token's algorithm, type, key, signature, issuer, audience and times. */
  async verify(token) {
    if (token.length > LONGEST) throw new Problem("invalidToken");
    const keyOf = async ({ kid }) => {
      const keys = await this.#public.get((keys) => keys.has(kid));
      if (!keys.has(kid)) throw new Problem("invalidToken");
      return keys.get(kid);
    };
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: ["EdDSA"],
        typ: TYPE,
        issuer: this.#settings.tokenIssuer,
        audience: this.#settings.tokenAudience,
        requiredClaims: ["sub", "exp", "iat"],
      });
      const early = payload.iat * 1000 > Date.now() + LEEWAY * 1000;
      if (early || typeof payload.aud !== "string") throw new Problem("invalidToken");
      return payload;
    } catch (error) {
      if (error instanceof Problem) throw error;
      const expired = error instanceof errors.JWTExpired;
      throw new Problem(expired ? "tokenExpired" : "invalidToken", { cause: error });
    }
  }

  /** Issues a token for a session that began at `authTime`. */
  async issue(account, session, role, authTime) {
    const { kid, key } = await this.#private.get();
    const now = Date.now();
    const iat = Math.floor(now / 1000);
    const claims = {
      iss: this.#settings.tokenIssuer,
      aud: this.#settings.tokenAudience,
      sub: account,
      sid: session,
      role,
      auth_time: Math.floor(authTime / 1000),
      iat,
      exp: iat + LIFETIME,
      jti: freshId(now),
    };
    return new SignJWT(claims).setProtectedHeader({ typ: TYPE, alg: "EdDSA", kid }).sign(key);
  }

  async #readPublic() {
    const Name = this.#settings.tokenJwksParameter;
    const { Parameter } = await new SSMClient().send(new GetParameterCommand({ Name }));
    const { keys } = JSON.parse(Parameter.Value);
    const usable = keys.filter(({ kty, crv }) => kty === "OKP" && crv === "Ed25519");
    return new Map(
      await Promise.all(usable.map(async (jwk) => [jwk.kid, await importJWK(jwk, "EdDSA")])),
    );
  }

  async #readPrivate() {
    const SecretId = this.#settings.tokenSecretId;
    const secrets = new SecretsManagerClient();
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    const { kid, privateKey } = JSON.parse(SecretString);
    const key = Buffer.from(privateKey, "base64");
    return { kid, key: createPrivateKey({ key, format: "der", type: "pkcs8" }) };
  }
}
