/** Encryption at rest, as in `shared/src/crypto/vault.rs`: AES-256-GCM with data keys that KMS wraps. Each data
 * key is requested once and cached. */

import { createCipheriv, createHmac, randomBytes } from "node:crypto";

import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";

import * as keys from "./keys.mjs";
import { freshId } from "./random.mjs";

const CURRENT = "current";
const HASHING = "hashing";

export class Vault {
  #keyId;
  #store;
  #kept = new Map();
  #kms;

  constructor(settings, store) {
    this.#keyId = settings.dataKeyId;
    this.#store = store;
  }

  /** Encrypts a value for a purpose, such as `keystore#<account>`. */
  async seal(purpose, plain) {
    const { kid, key } = await this.#current();
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
    const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return `${kid}.${Buffer.concat(sealed).toString("base64")}`;
  }

  /** HMAC-SHA-256 of a text for a purpose, with a key that never changes. */
  async keyedHash(purpose, text) {
    const { key } = (await this.#named(HASHING)) ?? (await this.#generate(HASHING));
    return createHmac("sha256", key).update(`${purpose}\0${text}`).digest();
  }

  async #current() {
    if (this.#kept.has(CURRENT)) return this.#kept.get(CURRENT);
    const pointer = keys.dataKey(CURRENT);
    const named = await this.#store.get(pointer);
    let key = named && (await this.#named(named.kid));
    if (!named) {
      const made = await this.#generate(freshId(Date.now()));
      // If several instances start concurrently, one of them chooses the key for all.
      const other = await this.#store.claim(pointer, "dataKey", { kid: made.kid });
      key = other ? await this.#named(other.kid) : made;
    }
    if (!key) throw new Error("A data key is missing.");
    this.#kept.set(CURRENT, key);
    return key;
  }

  async #named(kid) {
    if (this.#kept.has(kid)) return this.#kept.get(kid);
    const stored = await this.#store.get(keys.dataKey(kid));
    return stored && this.#unwrap(stored);
  }

  async #unwrap({ kid, wrapped }) {
    this.#kms ??= new KMSClient();
    const { Plaintext } = await this.#kms.send(
      new DecryptCommand({
        KeyId: this.#keyId,
        CiphertextBlob: Buffer.from(wrapped, "base64"),
        EncryptionContext: { kid },
      }),
    );
    return this.#keep(kid, Plaintext);
  }

  async #generate(kid) {
    this.#kms ??= new KMSClient();
    const { Plaintext, CiphertextBlob } = await this.#kms.send(
      new GenerateDataKeyCommand({
        KeyId: this.#keyId,
        KeySpec: "AES_256",
        EncryptionContext: { kid },
      }),
    );
    const wrapped = Buffer.from(CiphertextBlob).toString("base64");
    const earlier = await this.#store.claim(keys.dataKey(kid), "dataKey", { kid, wrapped });
    return earlier ? this.#unwrap(earlier) : this.#keep(kid, Plaintext);
  }

  #keep(kid, key) {
    this.#kept.set(kid, { kid, key });
    return this.#kept.get(kid);
  }
}
