// Generated from infra/openapi.json by `npm run generate`.

/**
 * The caller's credentials: sign-in wallet, linked addresses, password, passkeys, second factor, keystore.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Chain,
    Envelope_Me,
    Envelope_Nothing,
    Envelope_PasskeySession,
    Envelope_SrpSession,
    OwnedAddress,
    RegistrationResponse,
    Timestamp,
    headers,
} from './shared.js';
export type {
    AccountId,
    AttestationResponse,
    AuthMethod,
    Base64Url,
    Chain,
    CredentialType,
    DefaultTokens,
    EmailAddress,
    Envelope_Me,
    Envelope_Nothing,
    Envelope_PasskeySession,
    Envelope_SrpSession,
    Group,
    InscriptionId,
    Me,
    Nothing,
    OwnedAddress,
    PasskeySession,
    RegistrationResponse,
    Role,
    SrpSession,
    Timestamp,
    TokenId,
    Wallet,
} from './shared.js';

/** A passkey to add. */
export type AddPasskey = {
    /** The result of `navigator.credentials.create()`, serialized with `toJSON()`. */
    credential: RegistrationResponse;
    /**
     * Format: label
     *
     * A name for the passkey, at most 64 characters.
     */
    name?: string | null;
    /**
     * Format: uuid
     *
     * From the first step.
     */
    sessionId: string;
};

/** The second step: the proof of the current password, and the credentials for the new one. */
export type ChangePassword = {
    /**
     * Format: srp-proof
     *
     * `M1`, base64 of 32 bytes.
     */
    clientProof: string;
    /**
     * Format: srp-number
     *
     * `A`, base64.
     */
    clientPublic: string;
    /**
     * Format: srp-proof
     *
     * `M1` for the new verifier, base64 of 32 bytes.
     */
    newClientProof?: string | null;
    /**
     * Format: srp-number
     *
     * `A` for the new verifier, base64. With `newClientProof`, made with `B = k v + g`, it proves that client
     *     and service compute the same values. A wrong proof changes nothing. Send both fields or neither.
     */
    newClientPublic?: string | null;
    /**
     * Format: byte
     *
     * The keystore, encrypted by the client for the new password, base64.
     */
    newEncryptedBlob: string;
    /**
     * Format: label
     *
     * The new hint; empty removes the hint. If missing, the old hint stays.
     */
    newPasswordHint?: string | null;
    /**
     * Format: base64-of-32-bytes
     *
     * The new salt: base64 of 32 bytes.
     */
    newSrpSalt: string;
    /**
     * Format: srp-number
     *
     * The new verifier, base64, in the group named by the first step.
     */
    newSrpVerifier: string;
    /**
     * Format: uuid
     *
     * From the first step.
     */
    sessionId: string;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_KeystoreBlob = {
    /** @enum {string} */
    code: "1";
    data: KeystoreBlob;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_PasskeyRow = {
    /** @enum {string} */
    code: "1";
    data: PasskeyRow;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_PasswordChanged = {
    /** @enum {string} */
    code: "1";
    data: PasswordChanged;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_TotpSetup = {
    /** @enum {string} */
    code: "1";
    data: TotpSetup;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_TotpState = {
    /** @enum {string} */
    code: "1";
    data: TotpState;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_OwnedAddress = {
    /** @enum {string} */
    code: "1";
    data: OwnedAddress[];
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_PasskeyRow = {
    /** @enum {string} */
    code: "1";
    data: PasskeyRow[];
    /** @enum {string} */
    message: "common.success";
};

/** The client's keys, encrypted by the client. */
export type KeystoreBlob = {
    /**
     * Format: byte
     *
     * Base64, as sent by the client.
     */
    encryptedBlob: string;
};

/** An address to link, and the proof that the caller controls it. */
export type LinkAddress = {
    /**
     * Format: address
     *
     * The address to link.
     */
    address: string;
    /** The chain of the address. */
    chain: Chain;
    /**
     * Format: uuid
     *
     * From `GET /auth/wallet/challenge?purpose=link`, requested with the caller's token.
     */
    challengeId: string;
    /**
     * Format: public-key
     *
     * The public key: required for Bitcoin, may be empty for other chains.
     */
    publicKey?: string | null;
    /**
     * Format: signature
     *
     * The wallet's signature of the challenge.
     */
    signature: string;
};

/** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
export type PasskeyId = string;

/** A passkey as shown to its owner. */
export type PasskeyRow = {
    /** Whether the passkey is backed up to other devices. */
    backedUp: boolean;
    /** When it was added, ms since the epoch. */
    createdAt: Timestamp;
    /** Passkey id. */
    id: PasskeyId;
    lastUsedAt: Timestamp | null;
    /**
     * Format: label
     *
     * The name given by its owner.
     */
    name: string;
};

/** The result of a change of password: the service's own proof. */
export type PasswordChanged = {
    /**
     * Format: base64-of-32-bytes
     *
     * `M2`, base64 of 32 bytes.
     */
    serverProof: string;
};

/** The new wallet, its proof, and the keystore encrypted for it. */
export type RotateWallet = {
    /**
     * Format: address
     *
     * The new wallet's address.
     */
    address: string;
    /** The chain of the address. */
    chain: Chain;
    /**
     * Format: uuid
     *
     * From `GET /auth/wallet/challenge` for the new address.
     */
    challengeId: string;
    /**
     * Format: byte
     *
     * The keystore, encrypted by the client for the new wallet, base64.
     */
    encryptedBlob: string;
    /**
     * Format: label
     *
     * The wallet software, at most 64 characters.
     */
    provider: string;
    /**
     * Format: public-key
     *
     * The public key; may be empty for EVM and Solana.
     */
    publicKey: string;
    /**
     * Format: signature
     *
     * The new wallet's signature of the challenge.
     */
    signature: string;
};

/** A code of the second factor. */
export type ToggleTotp = {
    /**
     * Format: otp-code
     *
     * 6 digits; to disable the second factor, a recovery code also works. White space and dashes do not count.
     *     `code`, `otp` and `token` are aliases of this field.
     */
    otpCode: string;
};

/** What an authenticator app needs. Nothing changes until one of its codes is sent to `2fa/toggle`. */
export type TotpSetup = {
    /**
     * Format: otpauth-uri
     *
     * `otpauth://totp/...` (SHA-1, 6 digits, 30 s).
     */
    otpauthUri: string;
    /**
     * Format: image-uri
     *
     * The URI as a QR code: `data:image/svg+xml;base64,...`.
     */
    qrCode: string;
    /**
     * Format: base32-of-20-bytes
     *
     * The secret for users who cannot scan: base32 of 20 bytes.
     */
    secret: string;
};

/** The state of the second factor. */
export type TotpState = {
    /** Whether sign-in requires a code. */
    enabled: boolean;
    /** After enabling: ten single-use codes in case the app is lost. They are shown only once. */
    recoveryCodes?: string[];
};

export interface schemas {
    AddPasskey: AddPasskey;
    ChangePassword: ChangePassword;
    Envelope_KeystoreBlob: Envelope_KeystoreBlob;
    Envelope_PasskeyRow: Envelope_PasskeyRow;
    Envelope_PasswordChanged: Envelope_PasswordChanged;
    Envelope_TotpSetup: Envelope_TotpSetup;
    Envelope_TotpState: Envelope_TotpState;
    Envelope_Vec_OwnedAddress: Envelope_Vec_OwnedAddress;
    Envelope_Vec_PasskeyRow: Envelope_Vec_PasskeyRow;
    KeystoreBlob: KeystoreBlob;
    LinkAddress: LinkAddress;
    PasskeyId: PasskeyId;
    PasskeyRow: PasskeyRow;
    PasswordChanged: PasswordChanged;
    RotateWallet: RotateWallet;
    ToggleTotp: ToggleTotp;
    TotpSetup: TotpSetup;
    TotpState: TotpState;
}

export interface paths {
    "/api/account/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a secret for the second factor.
         *
         * A secret in use stays in use until the new one is confirmed with `2fa/toggle`.
         */
        post: operations["setUpTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/2fa/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enables the second factor with a code of the new secret, or disables it with a code of the secret in use.
         *
         * Within 15 minutes after a sign-in, a code of a new secret replaces the secret in use. Every other session ends.
         */
        post: operations["toggleTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's addresses: the sign-in wallet first, then linked addresses.
         *
         * Lists the caller's addresses: the sign-in wallet first, then linked addresses.
         */
        get: operations["listAddresses"];
        put?: never;
        /**
         * Links an address to the account.
         *
         * A linked address can be used wherever one of the caller's own addresses is required, but it cannot sign in. Requires a sign-in within the last 15 minutes.
         */
        post: operations["linkAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/addresses/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlinks an address.
         *
         * Requires a sign-in within the last 15 minutes. An address stays linked while it is used by open VM transactions or swaps.
         */
        delete: operations["unlinkAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/keystore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller's keystore.
         *
         * Returns the caller's keystore.
         */
        get: operations["getKeystore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's passkeys.
         *
         * Lists the caller's passkeys.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts adding a passkey.
         *
         * Requires a sign-in within the last 15 minutes.
         */
        post: operations["initPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a passkey, which can sign in from now on.
         *
         * Every other session ends. Requires a sign-in within the last 15 minutes.
         */
        post: operations["verifyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a passkey, unless it is the only way to sign in.
         *
         * Every other session ends. Requires a sign-in within the last 15 minutes.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/srp/change-password/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a change of password with the handshake that proves the current password.
         *
         * Starts a change of password with the handshake that proves the current password.
         */
        post: operations["initChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/srp/change-password/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the password.
         *
         * Salt, verifier, keystore and hint change together, provided that the verifier is still the one against which the proof was checked. Every other session ends.
         */
        post: operations["verifyChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/wallet/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the sign-in wallet together with the keystore.
         *
         * The old wallet can no longer sign in, and cannot register an account for 90 days. Every other session ends.
         */
        post: operations["rotateWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    setUpTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The secret */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "otpauthUri": "otpauth://totp/Runeport:01a211e0-720d-7a53-8f92-640766174707?secret=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&issuer=Runeport",
                     *         "qrCode": "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
                     *         "secret": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TotpSetup;
                };
            };
            400: responses["Error400_1001"];
            401: responses["setUpTotp401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    toggleTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "otpCode": "000000"
                 *     }
                 */
                "application/json": ToggleTotp;
            };
        };
        responses: {
            /** The new state of the second factor */
            200: {
                headers: {
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "enabled": true,
                     *         "recoveryCodes": [
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA"
                     *         ]
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TotpState;
                };
            };
            400: responses["toggleTotp400"];
            401: responses["setUpTotp401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013_4019"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The addresses */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm"
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_OwnedAddress;
                };
            };
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    linkAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Any text chosen by the client. Within 24 hours the same request with the same key gets the first
                 *     response again. It gets 409 while the first request is in progress, or if the body differs.
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "2FG9nouHFpx6sUu99RVRWNQ7Ms5sVZ2HWtjQPy6dgEgf",
                 *       "chain": "solana",
                 *       "challengeId": "33c54e2e-b49e-1c3f-c096-994b3177212c",
                 *       "publicKey": "2FG9nouHFpx6sUu99RVRWNQ7Ms5sVZ2HWtjQPy6dgEgf",
                 *       "signature": "3W7uL6dAua3ho1FpWMvmDDr8DD8mnZY2WKNT35kt8iDHvfz9ime4sZZDjZRuP3uyrmSRyGznH276KdztDwwQozhU"
                 *     }
                 */
                "application/json": LinkAddress;
            };
        };
        responses: {
            /** The account */
            201: {
                headers: {
                    "Idempotent-Replayed": headers["Idempotent-Replayed"];
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *             "chain": "bitcoin"
                     *           },
                     *           {
                     *             "address": "2FG9nouHFpx6sUu99RVRWNQ7Ms5sVZ2HWtjQPy6dgEgf",
                     *             "chain": "solana"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596242696,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": true,
                     *         "id": "01a211e0-4efa-72ad-a02e-f742c3b3de1a",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "XZWN92H0",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qwy80cun7537n053mxs7nc3gpxpaazsf5glhjwdyh69c57t85eudsdaecp9",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Me;
                };
            };
            400: responses["linkAddress400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011_4024"];
            409: responses["linkAddress409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Error503_1009_4014"];
        };
    };
    unlinkAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The address
                 * @example 0xB483D87d0ef3Af2FaDBE88ff7228B535F3875011
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The account */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *             "chain": "evm"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596792675,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211e8-b358-7c56-ab6c-a5a76b031157",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "BEXYG0XF",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm",
                     *           "provider": "metamask",
                     *           "publicKey": "0x0341df024c85ef5a614a9072d66dc77c7be48c1f8e142b2312d4d32f769134a06e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Me;
                };
            };
            400: responses["unlinkAddress400"];
            401: responses["setUpTotp401"];
            404: responses["unlinkAddress404"];
            409: responses["unlinkAddress409"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getKeystore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The keystore */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "encryptedBlob": "0013"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_KeystoreBlob;
                };
            };
            401: responses["listAccounts401"];
            404: responses["getKeystore404"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The passkeys */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "backedUp": false,
                     *           "createdAt": 1795596233837,
                     *           "id": "b9c10228791f31c694ae2699e339fd7e2756348f50ae2f34fe756c69a2f55c72",
                     *           "lastUsedAt": 1795596234054,
                     *           "name": "Ada's phone"
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_PasskeyRow;
                };
            };
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The ceremony */
            200: {
                headers: {
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "options": {
                     *           "attestation": "none",
                     *           "authenticatorSelection": {
                     *             "requireResidentKey": true,
                     *             "residentKey": "required",
                     *             "userVerification": "required"
                     *           },
                     *           "challenge": "6Qj_3aiORl7PzoKyXasGXk6Sq2Smbth_MzM5LzHBTpg",
                     *           "excludeCredentials": [
                     *             {
                     *               "id": "qvuE0aZrugBIWuci9XPKw2rulEUflDCuGhpABlo-0ow",
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "pubKeyCredParams": [
                     *             {
                     *               "alg": -7,
                     *               "type": "public-key"
                     *             },
                     *             {
                     *               "alg": -257,
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "rp": {
                     *             "id": "localhost",
                     *             "name": "Runeport"
                     *           },
                     *           "timeout": 300000,
                     *           "user": {
                     *             "displayName": "01a211e0-31d5-7f92-a359-305022f3f861",
                     *             "id": "AaIR4DHVf5KjWTBQIvP4YQ",
                     *             "name": "01a211e0-31d5-7f92-a359-305022f3f861"
                     *           }
                     *         },
                     *         "sessionId": "7decfc20-00f4-9edc-7d1b-222467d3820e"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasskeySession;
                };
            };
            400: responses["initPasskey400"];
            401: responses["setUpTotp401"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    verifyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Any text chosen by the client. Within 24 hours the same request with the same key gets the first
                 *     response again. It gets 409 while the first request is in progress, or if the body differs.
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "id": "YGz33_xKYW4hwy8i4K3VD8Hj7lnPzL95SYtHpGo07to",
                 *         "response": {
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIGBs99_8SmFuIcMvIuCt1Q_B4-5Zz8y_eUmLR6RqNO7apQECAyYgASFYICy8tu7kx8lFWJHiXT49nqb0TTgULnS9b2rQnZ7XswWQIlgg-tip-kgKKZgDyYfeWvkJz-BsIkqE2OSWk3O8enPQhK8",
                 *           "clientDataJSON": "eyJjaGFsbGVuZ2UiOiItU09ZNldmRFAyV3R3b2dkZ240YVpBTEdOXzRFb1AzZkMyaE5ydi16ZGVFIiwiY3Jvc3NPcmlnaW4iOmZhbHNlLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0OjUxNzMiLCJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                 *           "transports": [
                 *             "internal",
                 *             "hybrid"
                 *           ]
                 *         },
                 *         "type": "public-key"
                 *       },
                 *       "sessionId": "d7a933a8-8810-e2f5-e6c2-1d0684e5a62d"
                 *     }
                 */
                "application/json": AddPasskey;
            };
        };
        responses: {
            /** The passkey */
            201: {
                headers: {
                    "Idempotent-Replayed": headers["Idempotent-Replayed"];
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "backedUp": false,
                     *         "createdAt": 1795596157549,
                     *         "id": "c1c4498f98a12ea1553aff917af2d4a7903d7a97a12c4819fa8f63f31c1faba8",
                     *         "lastUsedAt": null,
                     *         "name": "Passkey"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasskeyRow;
                };
            };
            400: responses["verifyPasskey400"];
            401: responses["verifyPasskey401"];
            409: responses["verifyPasskey409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Passkey id
                 * @example 31fb61a08af0c88075267900de1638c334c641465ee97dc38bd2e163f1996e2b
                 */
                id: PasskeyId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The passkey is removed */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": null,
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Nothing;
                };
            };
            400: responses["deletePasskey400"];
            401: responses["setUpTotp401"];
            404: responses["deletePasskey404"];
            409: responses["deletePasskey409"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The handshake */
            200: {
                headers: {
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "group": 3072,
                     *         "hash": "SHA-256",
                     *         "salt": "NenNv/iHM/SBt/oPXLbpYYtRGn3tOzK1fUTXiMYCay0=",
                     *         "serverPublic": "LDi3sPni7wFcQ3VwNJa13SUYMLM5U/j9xqJo23xFW0YyCAqP/FsmGLRWy1lE/TkAfuOHbgo2DMwk42uFWU2qizjT85JaqizbPxOOi3Od9c+/pdg7X/sCGF4HFbWvorxjhXFLC2FNTtUIX9oMLRJDQReklQLrUBuZqqHQGlOnAsfjh9ttWbDCky3YNRfC801aAxilWXsD6lYo0LXo3HZ8Hv3zUHeDWvcU8Sp+VMLHuwVUoJYPbxzL0tq2czc/4NqWZootREskB4ZAGH9MJEtNEKKQYrDchK6IHhX9gjnv0QF9/Yz2MGcOwmekr1/R4ahUGTX6cqQNuuD+S2uYFGy/lLHg31sthEzNNLlIRm2icqa5DzMFVQuhe21WdrTOAQXFGXzj+oEnLQ1O2vms2FlYIug0V+pGokLo3CRxLa7W+GRwbKdP7IGrTnz6Ycqjm37Tw519Jbbt3YxJ7LMOXQLShbAdwg7A8zzjOWSH6XswDEDojZWo3P2RrmypN40cYgNg",
                     *         "sessionId": "0e754f3e-5367-d922-a1da-1613a1b9630f"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SrpSession;
                };
            };
            400: responses["initChangePassword400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    verifyChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "clientPublic": "lA2IrNW+HoctQyiWLlAiJ2AaoMicvpMu9fftVHx4UMe3Mf5x2GwaKe9ABqJOclE3Tn9J84GgnQO1XpGd9KrWfm6d1uXbl1RRFJxdgs23Dj1p/InAWCpFyJSfm9zAUXZ/SZXFtzWSbGDF6oF5JxhjOSuqHA3sYaoEhOygi7EmmcFduqsLZBvail48BffSBgATthiiPzmKaK+r3X/Qj9X61PZZf4HsaBVcxM13VenRZx5aaS2urGsnJzROwr0hg7gxNCb/EqDR4sl+WqUTrqh34ZvXBwMJxVMFl3y+StJUpUKVd92s7r688ij7PKGVVoYMzd2D810+kvp8QOhWatLT6C5fPBn3mN7nsk0cPeZPmmIAknlWLz41VA5lm6jgyZqQ9iUOarqcWACYj8HKbFbtqrLjiOZy6Em1pJYJkwaVN0dyBzbA2do4QvVx8OnPWah3lonigxx14aXoYLjNKvImapTJgsWteH9zBvz4BUhSa6DgZx25qEHJIYqK0n8ym8hd",
                 *       "newEncryptedBlob": "AAAA",
                 *       "newSrpSalt": "6NqdKWp2091WGJgbwvzmTV5hx9Kd1+urMhK6iX/cBXo=",
                 *       "newSrpVerifier": "f5ES0V1PERpYqeeXAZhrShum0DX4zABxdsnJpu/9fJNcFzPYRbIAKwBGxqgmlrt9vRllkw0qVJ3fOr0b7HDff5vevvCpazsNm2pJtmMGYWouHGlIUEJ0IGpBkfCa5AAGwhbxu92PHJeT+i5ygG7R4gD42YQfTf39y/CnvDajz0OGXntSRvhOvS5eZHMCalOXo7ycc+TZr+HiRAOIZ5uA9w6udItQrru74T8aPMklRBEDh6AijaRGRYZZauj8wZ4dxAHjHXlYJhtM0AdqnrnLjezHWOTtDtdS1QHAmi8LVczG3Eh4VkFaVnvSlW2lc0o58jUsEoedXQp7t/UViFJIjDYaT8ehNZcBvwo6zo1pjKwEneyO96446IW1cgva6AeTD2+iNLSwtC/M4vfWOx6aUBSts53h2d7unjEtoACKZg5vsr0Ko00OOeMs1mUQbhZJfKL366uIFYPiXcUGjy5gCU8Pkb0NcsCcoCztK9A5XHbe8DjcFnQll2YpruY+8bB4",
                 *       "sessionId": "cddeff32-907f-7e9f-4a35-282b416fa310"
                 *     }
                 */
                "application/json": ChangePassword;
            };
        };
        responses: {
            /** The password is changed */
            200: {
                headers: {
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "serverProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasswordChanged;
                };
            };
            400: responses["verifyChangePassword400"];
            401: responses["listAccounts401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    rotateWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                 *       "chain": "solana",
                 *       "challengeId": "b58a0c3c-2d2d-0059-3890-52701c9bc5ab",
                 *       "encryptedBlob": "bmV3",
                 *       "provider": "phantom",
                 *       "publicKey": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                 *       "signature": "5MYZ6RBSuzH3RreDUVqV4YZwtb7HQZfH3WpoL55ZGPhUpswevR9CkroZ39Pr2Yr4VLTtZgbqZw9QePumb7w2ZrNH"
                 *     }
                 */
                "application/json": RotateWallet;
            };
        };
        responses: {
            /** The account */
            200: {
                headers: {
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                     *             "chain": "solana"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596242743,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": true,
                     *         "id": "01a211e0-4f18-7cb8-afd3-d46df8c6212d",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "CPA3PWJ9",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *         "wallet": {
                     *           "address": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                     *           "chain": "solana",
                     *           "provider": "phantom",
                     *           "publicKey": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Me;
                };
            };
            400: responses["rotateWallet400"];
            401: responses["setUpTotp401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Error503_1009_4014"];
        };
    };
}
