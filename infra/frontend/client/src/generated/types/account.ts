// Generated from infra/openapi.json by `npm run generate`.

/**
 * The caller's account, its e-mail address and its audit trail. Admins can list all accounts.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    AccountId,
    AuthMethod,
    EmailAddress,
    Envelope_Me,
    Envelope_Nothing,
    InscriptionId,
    MetaData,
    MetaDataWith_Polling,
    Role,
    SessionId,
    Slot,
    SrpSession,
    Timestamp,
    TokenId,
    Wallet,
    headers,
} from './shared.js';
export type {
    AccountId,
    AuthMethod,
    Chain,
    DefaultTokens,
    EmailAddress,
    Envelope_Me,
    Envelope_Nothing,
    Group,
    InscriptionId,
    Me,
    MetaData,
    MetaDataWith_Polling,
    Nothing,
    OwnedAddress,
    Role,
    SessionId,
    Slot,
    SrpSession,
    Timestamp,
    TokenId,
    Wallet,
} from './shared.js';

/**
 * A change to how an account is accessed or protected. It is recorded in the audit trail and reported by
 *     mail.
 * @enum {string}
 */
export type Change = "accountCreated" | "signedIn" | "newDevice" | "reauthenticated" | "emailVerified" | "emailLost" | "emailChangeRequested" | "emailChanged" | "passwordChanged" | "walletRotated" | "totpEnabled" | "totpDisabled" | "recoveryCodeUsed" | "passkeyAdded" | "passkeyRemoved" | "addressLinked" | "addressUnlinked" | "tradingWalletMade" | "webhookAdded" | "webhookChanged" | "webhookRemoved" | "webhookFailed" | "sessionRevoked" | "refreshTokenReused" | "mediaDeleted" | "refreshTokenRepeated" | "roleChanged" | "accountDisabled" | "accountEnabled" | "sessionsEnded" | "emailReleased";

/** The e-mail address to change to. */
export type ChangeEmailInit = {
    /** The new e-mail address. */
    newEmail: EmailAddress;
};

/** The password proof, and the verifier of the same password for the new address. */
export type ChangeEmailProof = {
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
     * `A` for the new verifier, base64. With `newClientProof`, made with the new address and `B = k v + g`, it
     *     proves that client and service compute the same values. A wrong proof changes nothing. Send both fields
     *     or neither.
     */
    newClientPublic?: string | null;
    /**
     * Format: srp-number
     *
     * The verifier of the current password for the new address, with the unchanged salt, base64.
     */
    newSrpVerifier: string;
    /**
     * Format: uuid
     *
     * From `srpSession`.
     */
    sessionId: string;
};

/** What the client needs in addition to the mailed token. */
export type ChangeEmailSession = {
    /**
     * For an account with a password: the handshake to prove it, with the *old* address as the identity.
     *     Valid for 10 minutes.
     */
    srpSession?: SrpSession;
};

/** The token, and the password proof if the account has a password. */
export type ChangeEmailVerify = {
    /** The new e-mail address. */
    email: EmailAddress;
    /**
     * Format: otp-code
     *
     * A code of the second factor: checked if sent, never required.
     */
    otpCode?: string | null;
    srpData?: ChangeEmailProof | null;
    /**
     * Format: mailed-token
     *
     * From the mailed link.
     */
    token: string;
};

/** A token for a slot. */
export type DefaultToken = {
    /** The slot to set or empty. */
    slot: Slot;
    /** The token's id in the catalogue (`GET /api/tokens`). */
    tokenId: TokenId;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_ReferralCodeCheck = {
    /** @enum {string} */
    code: "1";
    data: ReferralCodeCheck;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_AccountRow = {
    /** @enum {string} */
    code: "1";
    data: ListedAccountRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** Failed proofs of one hour. */
export type FailedProofs = {
    /**
     * Format: int32
     *
     * Wrong tokens from mails.
     * @default 0
     */
    emailToken: number;
    /**
     * When the hour began, ms since the epoch.
     * @default 0
     */
    hour: Timestamp;
    /**
     * When the last proof failed, ms since the epoch.
     * @default 0
     */
    lastAt: Timestamp;
    /**
     * Format: int32
     *
     * Refused passkey responses.
     * @default 0
     */
    passkey: number;
    /**
     * Format: int32
     *
     * Wrong passwords.
     * @default 0
     */
    password: number;
    /**
     * Format: int32
     *
     * Wrong codes of the second factor.
     * @default 0
     */
    secondFactor: number;
    /**
     * Format: int32
     *
     * Wrong signatures of the sign-in wallet.
     * @default 0
     */
    wallet: number;
};

/** An account as shown to admins. */
export type ListedAccountRow = {
    /** How the account was created. */
    authMethod?: AuthMethod;
    /** When the account was created, ms since the epoch. */
    createdAt?: Timestamp;
    email?: EmailAddress | null;
    /** Account id. */
    id: AccountId;
    /** When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`. */
    lastSignInAt?: Timestamp;
    referredBy?: AccountId | null;
    referrer?: null | Referrer;
    /** Permissions of the account. */
    role?: Role;
    /** Whether sign-in requires a second factor. */
    totpEnabled?: boolean;
    /**
     * Format: bitcoin-address
     *
     * The two-signature Bitcoin address.
     */
    tradingAddress?: string | null;
    wallet?: Wallet | null;
};

/** A change to the account. */
export type ListedActivityRow = {
    /** What changed. */
    change?: Change;
    /** When, ms since the epoch. */
    createdAt?: Timestamp;
    /**
     * Format: uuid
     *
     * Entry id.
     */
    id: string;
    /**
     * Format: request-id
     *
     * Id of the request that made the change; `operator` for an operator's command.
     */
    requestId?: string;
    sessionId?: SessionId | null;
    /**
     * Format: source-hash
     *
     * Keyed hash of the source address. Equal hashes mean equal addresses.
     */
    sourceHash?: string | null;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_ActivityMeta = MetaData & {
    /** Failed proofs of identity by hour, newest first; at most 100 hours of the last 90 days. */
    failedProofs: FailedProofs[];
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_ChangeEmailMailed = MetaData & {
    /** Whether this request mailed a token. False within a minute of the last mail, whose link stays valid. */
    mailed: boolean;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_AccountRow_Polling = {
    /** @enum {string} */
    code: "1";
    /** An account as shown to admins. */
    data: {
        /** How the account was created. */
        authMethod: AuthMethod;
        /** When the account was created, ms since the epoch. */
        createdAt: Timestamp;
        email?: EmailAddress | null;
        /** Account id. */
        id: AccountId;
        /** When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`. */
        lastSignInAt: Timestamp;
        referredBy?: AccountId | null;
        /** Permissions of the account. */
        role: Role;
        /** Whether sign-in requires a second factor. */
        totpEnabled: boolean;
        /**
         * Format: bitcoin-address
         *
         * The two-signature Bitcoin address.
         */
        tradingAddress?: string | null;
        wallet?: Wallet | null;
    };
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_ChangeEmailSession_ChangeEmailMailed = {
    /** @enum {string} */
    code: "1";
    data: ChangeEmailSession;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_ChangeEmailMailed;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_ActivityRow_ActivityMeta = {
    /** @enum {string} */
    code: "1";
    data: ListedActivityRow[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_ActivityMeta;
};

/** Whether a referral code can be used. */
export type ReferralCodeCheck = {
    /** Whether the code belongs to an account. */
    valid: boolean;
};

/** The account that invited another one: its relation `referrer`. */
export type Referrer = {
    email: EmailAddress | null;
    /** Account id. */
    id: AccountId;
    /**
     * Format: referral-code
     *
     * The referral code that was used.
     */
    referralCode: string;
};

/** The avatar to show. */
export type SetAvatar = {
    inscriptionId?: InscriptionId | null;
};

/** A single item, and when to poll for it again. */
export type Single_AccountRow = OkWith_AccountRow_Polling;

/** A mailed token. */
export type VerifyEmail = {
    /**
     * Format: mailed-token
     *
     * From the mailed link.
     */
    token: string;
};

export interface schemas {
    Change: Change;
    ChangeEmailInit: ChangeEmailInit;
    ChangeEmailProof: ChangeEmailProof;
    ChangeEmailSession: ChangeEmailSession;
    ChangeEmailVerify: ChangeEmailVerify;
    DefaultToken: DefaultToken;
    Envelope_ReferralCodeCheck: Envelope_ReferralCodeCheck;
    Envelope_Vec_AccountRow: Envelope_Vec_AccountRow;
    FailedProofs: FailedProofs;
    ListedAccountRow: ListedAccountRow;
    ListedActivityRow: ListedActivityRow;
    MetaDataWith_ActivityMeta: MetaDataWith_ActivityMeta;
    MetaDataWith_ChangeEmailMailed: MetaDataWith_ChangeEmailMailed;
    OkWith_AccountRow_Polling: OkWith_AccountRow_Polling;
    OkWith_ChangeEmailSession_ChangeEmailMailed: OkWith_ChangeEmailSession_ChangeEmailMailed;
    OkWith_Vec_ActivityRow_ActivityMeta: OkWith_Vec_ActivityRow_ActivityMeta;
    ReferralCodeCheck: ReferralCodeCheck;
    Referrer: Referrer;
    SetAvatar: SetAvatar;
    Single_AccountRow: Single_AccountRow;
    VerifyEmail: VerifyEmail;
}

export interface paths {
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all accounts, newest first. Admins only.
         *
         * Hidden fields: `referredBy`, `lastSignInAt`. Relations: `wallet`, and
         *     `referrer`, the account that invited this one, or null.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes to the caller's account, newest first: what changed, when and from where.
         *
         * Sign-ins are included. Failed proofs of identity are counted by hour in `metaData.failedProofs`.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Sets or removes the account's avatar.
         *
         * Sets or removes the account's avatar.
         */
        patch: operations["setAvatar"];
        trace?: never;
    };
    "/api/account/change-email/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a token to the new address and a notice to the current one.
         *
         * A repeated request with the same address gets a new handshake. If the last mail is at least 60 seconds old, it also mails a new token; the earlier one stays valid until it expires or the address changes. A request for another address voids all earlier tokens. At most 3 requests per hour may send mail.
         */
        post: operations["initChangeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/change-email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the e-mail address and, if the account has a password, the verifier.
         *
         * The address, the verifier, the uniqueness records and the token change together or not at all. Every other session ends.
         */
        post: operations["verifyChangeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/default-token": {
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
         * Empties a slot.
         *
         * `tokenId` must name the token in the slot.
         */
        delete: operations["removeDefaultToken"];
        options?: never;
        head?: never;
        /**
         * Sets the account's default token for a slot.
         *
         * Sets the account's default token for a slot.
         */
        patch: operations["setDefaultToken"];
        trace?: never;
    };
    "/api/account/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller's account.
         *
         * Returns the caller's account.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/referral-code/{code}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Checks whether a referral code can be used.
         *
         * Case is ignored; an unknown code is not an error.
         */
        get: operations["verifyReferralCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies the account's e-mail address with a mailed token.
         *
         * If another account holds the address without having verified it, the caller takes it over. That account keeps everything else and, if it has a password, signs in by its id.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails another token to the account's e-mail address.
         *
         * An account may request at most 3 mails per hour.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one account. Admins only.
         *
         * Returns one account. Admins only.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    listAccounts: {
        parameters: {
            query?: {
                /** Page number, from 1. */
                page?: number;
                /**
                 * Items per page. Values above 100 count as 100.
                 * @example 1
                 */
                pageSize?: number;
                /**
                 * Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 * @example +lastSignInAt
                 */
                select?: string;
                /**
                 * Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of accounts */
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
                     *           "authMethod": "wallet",
                     *           "createdAt": 1795596138914,
                     *           "email": null,
                     *           "id": "01a211de-b98d-797b-8a8c-f512b1ad2d11",
                     *           "lastSignInAt": 1795596138914,
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qk2m83ct7k0zeuvx9450feqdggjswlkksgc20qhk8y00wynzsa0gsk4ywp5",
                     *           "wallet": {
                     *             "address": "bcrt1q0xmfp89z05dxhdtua90hq2d9mypx7096lga0jl",
                     *             "chain": "bitcoin",
                     *             "provider": null,
                     *             "publicKey": "03c552efed7a98552cce9be79524631a413132b64ecc76de2e9cb8d81ffe3ac5de"
                     *           }
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 13,
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "totalItems": 13,
                     *         "totalPages": 13
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_AccountRow;
                };
            };
            400: responses["listAccounts400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** Page number, from 1. */
                page?: number;
                /**
                 * Items per page. Values above 100 count as 100.
                 * @example 100
                 */
                pageSize?: number;
                /**
                 * Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of changes */
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
                     *           "change": "accountCreated",
                     *           "createdAt": 1795596153428,
                     *           "id": "01a211de-f253-7235-9516-e77d284f95b0",
                     *           "requestId": "01a211de-f22b-73ef-93e0-8ccf423d3edd",
                     *           "sessionId": "01a211de-f253-7077-ae90-f531abb6ec29",
                     *           "sourceHash": "fefe1bb4aa90fdc9c3a8416841f7650d"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 1,
                     *         "currentPage": 1,
                     *         "failedProofs": [
                     *           {
                     *             "emailToken": 0,
                     *             "hour": 1795593600000,
                     *             "lastAt": 1795596154746,
                     *             "passkey": 0,
                     *             "password": 4,
                     *             "secondFactor": 0,
                     *             "wallet": 0
                     *           }
                     *         ],
                     *         "pageSize": 100,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_ActivityRow_ActivityMeta;
                };
            };
            400: responses["listActivity400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    setAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "inscriptionId": "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0"
                 *     }
                 */
                "application/json": SetAvatar;
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
                     *             "address": "bcrt1psasx9rcz36xy68rt8yvfdx6acw4k8ctfam00yh90vp7lfuxqxcnqzjvmn3",
                     *             "chain": "bitcoin"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0",
                     *         "createdAt": 1795596157941,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-03e0-75f6-9a15-b08b5591e5e5",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "BFS9V1XW",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qh0ftuprk2mx8kwlu6yrcry2m66ahuu66jrzwr3uqrh9y40vv73hqeud3fk",
                     *         "wallet": {
                     *           "address": "bcrt1psasx9rcz36xy68rt8yvfdx6acw4k8ctfam00yh90vp7lfuxqxcnqzjvmn3",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "03b37a8401ef6ac964667d005395c87a7d49000e720ded73787163214bf595263e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Me;
                };
            };
            400: responses["setAvatar400"];
            401: responses["listAccounts401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    initChangeEmail: {
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
                 *       "newEmail": "new@example.com"
                 *     }
                 */
                "application/json": ChangeEmailInit;
            };
        };
        responses: {
            /** The token was mailed, now or less than a minute ago */
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
                     *         "srpSession": {
                     *           "group": 3072,
                     *           "hash": "SHA-256",
                     *           "salt": "DIzbeYDHJB0I72MviA+t3xaE2op0lyBPSiWoGN0YOYc=",
                     *           "serverPublic": "Ewk3ti0CEz5gKTA7NwFPyYrrUvW2AOZo8+U4FuFGkeEZmuETmRxcnMThNqE9zqiKT5siIe0vSwjpsapHJb2pXTfXanz+k5s+gMAMe8i5dK7paKk+WC7hCBKqxa0rG0+NzSC8/cyGYKHPE3XR3ug6kFmja4LD0YiQCFGcJk9rnEyodJFO49K5vrd4RAcrdBMAy0xHU9GruYFE7xcFv/sevqx96Y2MNXbgC8Oy275Kp6pP8k/wLQ65VnQuw2/zrvpmj6N22JHZUF5cCGz/Et7LS/NSrvyIhb4ZV9hPRfJz246zRtBWekjNfjnmXcp4OIViuMTpdqbeQzb2uUbL+Xv+VSfr+Hz9tZezay71iv8rYvoaO33ROmzyJqAvrTpXd/5sH508nR/fw+hmnKqI5QmTK8BvYwIK4XWhwlPXhgrEn9DdVYXiis88XLiTE1RTvg4LybbrYXTqb5XEPDsPjNf6cwXNXV4+k66o4kBT27Fni4gBQNGJlq1sCjrnQLgyd78f",
                     *           "sessionId": "53438122-ea6f-22e2-3fb0-e24d6a6c0e5e"
                     *         }
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "mailed": true,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_ChangeEmailSession_ChangeEmailMailed;
                };
            };
            400: responses["initChangeEmail400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    verifyChangeEmail: {
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
                 *       "email": "b@example.com",
                 *       "token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": ChangeEmailVerify;
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
                     *             "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *             "chain": "bitcoin"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596175400,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": "b@example.com",
                     *         "emailVerified": true,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-4827-77aa-9b44-a8503a5d5d79",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "CJAHXSFM",
                     *         "role": "user",
                     *         "totpEnabled": true,
                     *         "tradingAddress": "bcrt1q6e5w4kr0csg7zl24syunpqdqsjvqvvxtgdeeh3tda6x8jes3738qtyfgrt",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Me;
                };
            };
            400: responses["verifyChangeEmail400"];
            401: responses["listAccounts401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013_4019"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    removeDefaultToken: {
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
                 *       "slot": "usdc",
                 *       "tokenId": "solana-usdc"
                 *     }
                 */
                "application/json": DefaultToken;
            };
        };
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
                     *         "createdAt": 1795596171986,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-3ac5-7986-935d-36ea5afa44e7",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "0A7BMBXF",
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
            400: responses["removeDefaultToken400"];
            401: responses["listAccounts401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    setDefaultToken: {
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
                 *       "slot": "usdc",
                 *       "tokenId": "solana-usdc"
                 *     }
                 */
                "application/json": DefaultToken;
            };
        };
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
                     *         "createdAt": 1795596171986,
                     *         "defaultTokens": {
                     *           "usdc": "solana-usdc"
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-3ac5-7986-935d-36ea5afa44e7",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "0A7BMBXF",
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
            400: responses["setDefaultToken400"];
            401: responses["listAccounts401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
                     *         "createdAt": 1795596171986,
                     *         "defaultTokens": {
                     *           "usdc": "solana-usdc"
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-3ac5-7986-935d-36ea5afa44e7",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "0A7BMBXF",
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
            401: responses["getMe401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    verifyReferralCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The code
                 * @example A5BKPSHP
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Whether it can be used */
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
                     *         "valid": true
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_ReferralCodeCheck;
                };
            };
            400: responses["verifyReferralCode400"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    verifyEmail: {
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
                 *       "token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": VerifyEmail;
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
                     *         "addresses": [],
                     *         "authMethod": "srp",
                     *         "avatar": null,
                     *         "createdAt": 1795596182692,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": "old@example.com",
                     *         "emailVerified": true,
                     *         "hasKeystore": true,
                     *         "id": "01a211df-6496-7c0f-ba53-764080c11778",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": "stays",
                     *         "referralCode": "EXY6G7JZ",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Me;
                };
            };
            400: responses["verifyEmail400"];
            401: responses["listAccounts401"];
            409: responses["verifyEmail409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The token was mailed */
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
                     *       "data": null,
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Nothing;
                };
            };
            400: responses["resendVerification400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The account
                 * @example 01a211df-3d23-7305-962a-503ccc8b81a8
                 */
                id: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The account */
            200: {
                headers: {
                    ETag: headers["ETag"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "authMethod": "wallet",
                     *         "createdAt": 1795596172580,
                     *         "email": null,
                     *         "id": "01a211df-3d23-7305-962a-503ccc8b81a8",
                     *         "lastSignInAt": 1795596172580,
                     *         "referredBy": null,
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qkec688nkg3rcn7h03z6y0v7hn7zclm4z9tl7rz7xh5k0mkeks5dqfpwelz",
                     *         "wallet": {
                     *           "address": "bcrt1qu4ysvkvvtcyg4d9vq5xdz4jzg8dvdf35pkapam",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "024264cd74f1cabea0d06f3f72c90f9b52881576750aa7fb30b0a8610ff229ba92"
                     *         }
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "pollAfterMs": null,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Single_AccountRow;
                };
            };
            /** Nothing has changed: the client already has this response. */
            304: {
                headers: {
                    ETag: headers["ETag"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: responses["getAccount400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
