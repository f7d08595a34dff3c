// Generated from infra/openapi.json by `npm run generate`.

/**
 * Registration, sign-in by wallet, password or passkey, and sessions.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Base64Url,
    Chain,
    CredentialType,
    EmailAddress,
    Envelope_Nothing,
    Envelope_PasskeySession,
    Envelope_SrpSession,
    Group,
    Me,
    RegistrationResponse,
    SessionId,
    Timestamp,
    Wallet,
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
    SessionId,
    SrpSession,
    Timestamp,
    TokenId,
    Wallet,
} from './shared.js';

/** `AuthenticatorAssertionResponseJSON`. */
export type AssertionResponse = {
    /** Authenticator data (section 6.1). */
    authenticatorData: Base64Url;
    /** JSON of the client data (section 5.8.1). */
    clientDataJSON: Base64Url;
    /** Signature over the authenticator data and the SHA-256 hash of the client data. */
    signature: Base64Url;
    userHandle?: Base64Url | null;
};

export type Authenticate = SignedMessage | SignedChallenge | SrpAnswer | PasskeyAnswer;

/**
 * The result of `navigator.credentials.get()`, serialized with `toJSON()`: `AuthenticationResponseJSON`.
 *     Members not listed here are ignored.
 */
export type AuthenticationResponse = {
    /** The credential id. */
    id: Base64Url;
    /** The authenticator's response. */
    response: AssertionResponse;
    /** Always `public-key`. */
    type: CredentialType;
};

/**
 * What a challenge is for.
 * @enum {string}
 */
export type ChallengePurpose = "signIn" | "link" | "rotate" | "tradingWallet";

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_IssuedChallenge = {
    /** @enum {string} */
    code: "1";
    data: IssuedChallenge;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Reauthenticated = {
    /** @enum {string} */
    code: "1";
    data: Reauthenticated;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_SignedIn = {
    /** @enum {string} */
    code: "1";
    data: SignedIn;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_TokenPair = {
    /** @enum {string} */
    code: "1";
    data: TokenPair;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_LiveSession = {
    /** @enum {string} */
    code: "1";
    data: LiveSession[];
    /** @enum {string} */
    message: "common.success";
};

/** Optional fields that every registration accepts. */
export type Extras = {
    email?: EmailAddress | null;
    /**
     * Format: byte
     *
     * The keystore: the client's keys, encrypted by the client, base64.
     */
    encryptedBlob?: string | null;
    /**
     * Format: referral-code
     *
     * The referral code of the account that invited this one.
     */
    referralCode?: string | null;
};

/** A challenge, as issued. */
export type IssuedChallenge = {
    /**
     * Format: uuid
     *
     * Send it back with the signature.
     */
    challengeId: string;
    /** When the challenge expires, ms since the epoch. */
    expiresAt: Timestamp;
    /**
     * Format: sign-in-message
     *
     * The text to sign byte for byte: an EIP-4361 message for EVM, the same layout for other chains.
     */
    message: string;
};

/** A valid session. */
export type LiveSession = {
    /** When it was opened, ms since the epoch. */
    createdAt: Timestamp;
    /** Whether it is the session of this request. */
    current: boolean;
    /** When it expires unless refreshed, ms since the epoch. */
    expiresAt: Timestamp;
    /** Session id. */
    id: SessionId;
    /** When it was last refreshed, ms since the epoch. */
    lastUsedAt: Timestamp;
    /**
     * Format: ip-address
     *
     * The source address of the sign-in.
     * @example 192.0.2.1
     */
    sourceIp: string | null;
    /**
     * Format: user-agent
     *
     * The client software, as reported at sign-in.
     */
    userAgent: string | null;
};

/** A new passkey. */
export type NewPasskey = {
    /** The result of `navigator.credentials.create()`, serialized with `toJSON()`. */
    credential: RegistrationResponse;
    /**
     * Format: uuid
     *
     * From the first step.
     */
    sessionId: string;
};

/** The second step of a sign-in by passkey. */
export type PasskeyAnswer = {
    /** The result of `navigator.credentials.get()`, serialized with `toJSON()`. */
    credential: AuthenticationResponse;
    /**
     * Format: otp-code
     *
     * 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
     *     count.
     */
    otpCode?: string | null;
    /**
     * Format: uuid
     *
     * From `POST /auth/passkey/init`.
     */
    sessionId: string;
};

/** A renewed session. */
export type Reauthenticated = TokenPair & {
    /**
     * Format: device-token
     *
     * As after a sign-in.
     */
    deviceToken: string;
    /**
     * Format: base64-of-32-bytes
     *
     * After a password proof: the service's proof `M2`, base64 of 32 bytes.
     */
    serverProof?: string;
};

/** The refresh token to spend. */
export type RefreshRequest = {
    /**
     * Format: refresh-token
     *
     * From the sign-in or the last refresh.
     */
    refreshToken: string;
};

export type RegisterPasskey = NewPasskey & Extras;

/** The user for whom a passkey will be created. */
export type RegisterPasskeyInit = {
    email?: EmailAddress | null;
};

/** A registration with a password. */
export type RegisterSrp = {
    /**
     * Format: uuid
     *
     * From `GET /auth/wallet/challenge` for any Bitcoin address of that key, requested without a token.
     */
    challengeId?: string | null;
    /**
     * Format: srp-proof
     *
     * `M1`, base64 of 32 bytes. The response then has `serverProof`.
     */
    clientProof?: string | null;
    /**
     * Format: srp-number
     *
     * `A`, base64. With `clientProof`, made as for a sign-in but with `B = k v + g`, it proves that client and
     *     service compute the same values. A wrong proof is refused before the account is created. Send both
     *     fields or neither.
     */
    clientPublic?: string | null;
    /**
     * The e-mail address, which is also the SRP identity `I`. The service mails a link to verify it. If
     *     another account named the address earlier and neither has verified it, this account signs in by its
     *     account id until it verifies the address.
     */
    email: EmailAddress;
    /**
     * Format: byte
     *
     * The keystore: the client's keys, encrypted by the client, base64.
     */
    encryptedBlob: string;
    /**
     * Format: label
     *
     * A hint shown only to the owner, at most 200 characters.
     */
    passwordHint?: string | null;
    /**
     * Format: referral-code
     *
     * The referral code of the account that invited this one.
     */
    referralCode?: string | null;
    /**
     * Format: signature
     *
     * The signature of the challenge for that address: base64, as for sign-in.
     */
    signature?: string | null;
    srpGroup?: Group | null;
    /**
     * Format: base64-of-32-bytes
     *
     * The salt: base64 of 32 bytes.
     */
    srpSalt: string;
    /**
     * Format: srp-number
     *
     * The verifier `v`, base64.
     */
    srpVerifier: string;
    /**
     * Format: bitcoin-key
     *
     * The user's key in the account's trading wallet: hex of 33 bytes, or 32 if the challenge is for its
     *     Taproot address. Send it together with `challengeId` and `signature`, or send none of the three.
     */
    tradingPublicKey?: string | null;
};

export type RegisterWallet = SignedChallenge & Extras;

/** The code of the second factor, sent with a proof. */
export type SecondFactor = {
    /**
     * Format: otp-code
     *
     * 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
     *     count.
     */
    otpCode?: string | null;
};

/** A wallet's signature of an issued challenge. */
export type SignedChallenge = {
    /**
     * Format: address
     *
     * The address for which the challenge was issued.
     */
    address: string;
    /** The chain of the address. */
    chain: Chain;
    /**
     * Format: uuid
     *
     * From `GET /auth/wallet/challenge`.
     */
    challengeId: string;
    /**
     * Format: otp-code
     *
     * 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
     *     count.
     */
    otpCode?: string | null;
    /**
     * Format: label
     *
     * The wallet software, at most 64 characters.
     */
    provider?: string | null;
    /**
     * Format: public-key
     *
     * Bitcoin: required, as for a signed message. EVM: hex, may be empty. Solana: base58, may be empty.
     */
    publicKey?: string | null;
    /**
     * Format: signature
     *
     * EVM: hex (EIP-191; EIP-1271 and EIP-6492 for contract wallets). Solana: base58, base64 or hex
     *     (Ed25519). Bitcoin: base64, as for a signed message.
     */
    signature: string;
};

/** A successful sign-in. */
export type SignedIn = TokenPair & {
    /** The account. */
    account: Me;
    /**
     * Format: device-token
     *
     * Send it in the header `Device-Token` of later requests from this device. It has 64 characters and is
     *     valid for 90 days after a sign-in with it. A client uses one token for all of its accounts.
     */
    deviceToken: string;
    /**
     * Format: byte
     *
     * The account's keystore, if it has one: base64, as sent by the client.
     */
    encryptedBlob?: string;
    /**
     * Format: base64-of-32-bytes
     *
     * After a password proof: the service's proof `M2`, base64 of 32 bytes. If it is wrong, the client is
     *     not connected to the service that stores its verifier.
     */
    serverProof?: string;
    /**
     * Format: bitcoin-address
     *
     * The two-signature Bitcoin address; null until it is created.
     */
    tradingAddress: string | null;
    wallet: Wallet | null;
};

/** A Bitcoin wallet's signature of the deployment's sign-in message. */
export type SignedMessage = {
    /**
     * Format: bitcoin-address
     *
     * The wallet's Bitcoin address.
     */
    address: string;
    /**
     * Format: sign-in-message
     *
     * The deployment's sign-in message; ends in the current time, ms since the epoch.
     * @example Sign in to Runeport: 1700000000000
     */
    message: string;
    /**
     * Format: otp-code
     *
     * 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
     *     count.
     */
    otpCode?: string | null;
    /**
     * Format: bitcoin-key
     *
     * The wallet's public key, hex: 33 bytes, for P2TR also 32 (x-only, before the BIP-86 tweak).
     */
    publicKey: string;
    /**
     * Format: signature
     *
     * Base64. P2WPKH and P2TR: BIP-322. P2PKH and P2SH-P2WPKH: legacy signed message.
     */
    signature: string;
};

export type SrpAnswer = SrpProof & SecondFactor;

/** The account whose password will be proved. */
export type SrpInit = {
    /**
     * Format: email-or-account-id
     *
     * The account's e-mail address or id. If two accounts name an address that neither has verified, it
     *     refers to the one that named it first.
     * @example name@example.com
     */
    email: string;
};

/** The second step of a password proof, as sent by the client. Both values are base64. */
export type SrpProof = {
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
     * Format: uuid
     *
     * From the first step.
     */
    sessionId: string;
};

/** The tokens of a session. */
export type TokenPair = {
    /**
     * Format: jwt
     *
     * JWT for the header `Authorization: Bearer <accessToken>`.
     */
    accessToken: string;
    /**
     * Format: int64
     *
     * Seconds until the access token expires.
     * @example 600
     */
    expiresIn: number;
    /**
     * Format: refresh-token
     *
     * For `POST /auth/refresh-token`, within 7 days. Until this token is used, the token that it replaced can
     *     still be exchanged for it.
     */
    refreshToken: string;
};

export interface schemas {
    AssertionResponse: AssertionResponse;
    Authenticate: Authenticate;
    AuthenticationResponse: AuthenticationResponse;
    ChallengePurpose: ChallengePurpose;
    Envelope_IssuedChallenge: Envelope_IssuedChallenge;
    Envelope_Reauthenticated: Envelope_Reauthenticated;
    Envelope_SignedIn: Envelope_SignedIn;
    Envelope_TokenPair: Envelope_TokenPair;
    Envelope_Vec_LiveSession: Envelope_Vec_LiveSession;
    Extras: Extras;
    IssuedChallenge: IssuedChallenge;
    LiveSession: LiveSession;
    NewPasskey: NewPasskey;
    PasskeyAnswer: PasskeyAnswer;
    Reauthenticated: Reauthenticated;
    RefreshRequest: RefreshRequest;
    RegisterPasskey: RegisterPasskey;
    RegisterPasskeyInit: RegisterPasskeyInit;
    RegisterSrp: RegisterSrp;
    RegisterWallet: RegisterWallet;
    SecondFactor: SecondFactor;
    SignedChallenge: SignedChallenge;
    SignedIn: SignedIn;
    SignedMessage: SignedMessage;
    SrpAnswer: SrpAnswer;
    SrpInit: SrpInit;
    SrpProof: SrpProof;
    TokenPair: TokenPair;
}

export interface paths {
    "/api/auth/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in.
         * @deprecated
         *
         * The same as `POST /auth/authenticate`.
         */
        post: operations["authenticateUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the caller's session.
         * @deprecated
         *
         * The same as `POST /auth/logout`.
         */
        post: operations["logOutUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in with any passkey that the user picks.
         * @deprecated
         *
         * The same as `POST /auth/passkey/init`.
         */
        post: operations["initPasskeySignInUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticates the signed-in account again, without opening another session.
         * @deprecated
         *
         * The same as `POST /auth/reauthenticate`.
         */
        post: operations["reauthenticateUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair of tokens.
         * @deprecated
         *
         * The same as `POST /auth/refresh-token`.
         */
        post: operations["refreshTokenUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a registration with a passkey.
         * @deprecated
         *
         * The same as `POST /auth/register/passkey/init`.
         */
        post: operations["initPasskeyRegistrationUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/passkey/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a passkey.
         * @deprecated
         *
         * The same as `POST /auth/register/passkey/verify`.
         */
        post: operations["registerPasskeyUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/srp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a password.
         * @deprecated
         *
         * The same as `POST /auth/register/srp`.
         */
        post: operations["registerSrpUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account with a sign-in wallet, and optionally a keystore and an e-mail address.
         * @deprecated
         *
         * The same as `POST /auth/register/wallet`.
         */
        post: operations["registerWalletUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's valid sessions, newest first; at most 100.
         * @deprecated
         *
         * The same as `GET /auth/sessions`.
         */
        get: operations["listSessionsUnderApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
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
         * Ends one of the caller's sessions.
         * @deprecated
         *
         * The same as `DELETE /auth/sessions/{id}`.
         */
        delete: operations["revokeSessionUnderApi"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/srp/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in by password.
         * @deprecated
         *
         * The same as `POST /auth/srp/init`.
         */
        post: operations["initSrpSignInUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/wallet/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Issues a challenge bound to this service, the address and a purpose.
         * @deprecated
         *
         * The same as `GET /auth/wallet/challenge`.
         */
        get: operations["getWalletChallengeUnderApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in.
         *
         * A wallet's first sign-in creates its account.
         *
         *     The body has one of four forms: a Bitcoin wallet's signature of the deployment's message, which ends in a
         *     timestamp, is valid for 5 minutes and can be used once; any wallet's signature of a challenge; the second
         *     step of a password handshake (SRP); or a passkey's response. Each form accepts `otpCode`, 6 digits or a
         *     recovery code, which is required if the account has a second factor. Without it the response is 401
         *     `auth.otpRequired`, and the proof is used up.
         */
        post: operations["authenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the caller's session.
         *
         * Its refresh token becomes invalid immediately, and so does its access token for sensitive endpoints; elsewhere the access token expires within 10 minutes.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in with any passkey that the user picks.
         *
         * Starts a sign-in with any passkey that the user picks.
         */
        post: operations["initPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticates the signed-in account again, without opening another session.
         *
         * Changes of credentials require an authentication within the last 15 minutes; without one, they return 401
         *     `auth.reauthRequired`. The body has one of the four forms of `POST /auth/authenticate`, and must prove the
         *     account of the token. The response contains new tokens of the same session.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair of tokens.
         *
         * If the response is lost, or two tabs refresh, the same request returns the same refresh token again until that token is used. Presenting an earlier token ends its session.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a registration with a passkey.
         *
         * Starts a registration with a passkey.
         */
        post: operations["initPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/passkey/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a passkey.
         *
         * Creates an account that signs in with a passkey.
         */
        post: operations["registerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/srp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a password.
         *
         * The password never reaches the service, which stores a verifier (SRP-6a, RFC 5054) and the client's keys as encrypted by the client.
         */
        post: operations["registerSrp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account with a sign-in wallet, and optionally a keystore and an e-mail address.
         *
         * The proof is a signed challenge, as for sign-in. The timestamped message can only sign in.
         */
        post: operations["registerWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's valid sessions, newest first; at most 100.
         *
         * Lists the caller's valid sessions, newest first; at most 100.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
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
         * Ends one of the caller's sessions.
         *
         * Ends one of the caller's sessions.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/srp/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in by password.
         *
         * `email` may also be an account id. The SRP identity `I` is in both cases the e-mail address with which the
         *     account was registered or to which it was changed. An account that has not verified its address, or has lost
         *     it to an account that did, signs in by its id with that address as `I`. For an unknown name, the response
         *     looks the same: its salt never changes, and the service does the same work.
         *
         *     The service slows down guesses from devices that the account does not know: it returns 429 with
         *     `Retry-After`.
         */
        post: operations["initSrpSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/wallet/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Issues a challenge bound to this service, the address and a purpose.
         *
         * The challenge can be used once, within 5 minutes. With a token, the text also names the account; `link` requires a token.
         */
        get: operations["getWalletChallenge"];
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
    authenticateUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                 *       "chain": "bitcoin",
                 *       "challengeId": "1a7f6085-4f3b-ec0d-55db-5a755e0773bc",
                 *       "provider": "xverse",
                 *       "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1",
                 *       "signature": "smpAUHOSpTn5e8bFIgIgafsIskIPORlz6goW7EbyxDwc5KO1YL+OB/mJuAJFfgpE1oigUBry7cZvMMWt/lE4snWjPr2AQ=="
                 *     }
                 */
                "application/json": Authenticate;
            };
        };
        responses: {
            /** Signed in */
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjBuN1NHSnRkREpDWTVrS2cifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMzllZS03NDA4LTkxM2YtNDlkMDMxMDVjM2E5Iiwic2lkIjoiMDFhMjExZTItM2FkMi03ZDVkLWE0ZDEtYmE4OWQ0ZWY0MDM3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjgsImlhdCI6MTc5NTU5NjM2OCwiZXhwIjoxNzk1NTk2OTY4LCJqdGkiOiIwMWEyMTFlMi0zYWQyLTcwMTktYjRhMC00ZTQxNjc1NWViOTIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596368431,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-39ee-7408-913f-49d03105c3a9",
                     *           "isReferred": true,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "ZZQR54Y7",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *           "wallet": {
                     *             "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "encryptedBlob": "a2V5cw==",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *         "wallet": {
                     *           "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["authenticate400"];
            401: responses["authenticate401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013_4019"];
            500: responses["Internal"];
            503: responses["Error503_1009_4014"];
        };
    };
    logOutUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended */
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
            400: responses["Error400_1001"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initPasskeySignInUnderApi: {
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
                     *           "allowCredentials": [],
                     *           "challenge": "-5eOsjDZsR8kWQnqxOeWMZkcBK_9p2SFgl02VFNsKIo",
                     *           "rpId": "localhost",
                     *           "timeout": 300000,
                     *           "userVerification": "required"
                     *         },
                     *         "sessionId": "3a4df8b7-fc6d-ebc6-a551-29a9324fac47"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasskeySession;
                };
            };
            400: responses["Error400_1001"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    reauthenticateUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "clientPublic": "J1UKA1sK2l7ljwYhCw+ohgYQ8CKaVaW7R+BgvoSi8ZG58JY5RU/gtpkzi4MaZ2LP8H/JkDtjWPKqhcWrDBHjvBPnxFtenNnR1ER+Qsm3kiIg2Jd744wxG1ufL4d1O53AzjgbhqAejXwEYCfAWtX2odNK55EMZ/tIH2xlrAsKrbrNPTHRzQRsB5cZM9Imsbvfv4C16mQBaogJQPE0ZvtYB35gBUZLwh4/7PE94hTYjWGS9rIBgGEc76AoUEnvhD4pTKhFhr9LqV74ceovPBkLhxPuKRMwztX7uB/bbsgSuJYIlpZuxLFmnNiKXQMnw23fVlgj8fu5DFwIcYMcNT5Qq442m6vA6K9R/I2YBVcJ2DA6VCRx+vdOnXCDrCAZQKncVYt1DUjohsZF2kqBwZZZD2JAeMwtf7cd52i9V1pmLkhGPr7jBQkh2P/jCF6cSRFsE023xr4xp131drY40y5WBcDoh9pyqWv9gnIP5Hg39SuQoZbbNb7at7VrqmVCGPAo",
                 *       "sessionId": "9a940898-b820-d916-a8c1-c866a1f81ce0"
                 *     }
                 */
                "application/json": Authenticate;
            };
        };
        responses: {
            /** Authenticated */
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjN6azF0SnZfTHZTZ0tub2kifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjFkNzYtYzNiYS03MjY3LThmOGItYjcwNWI2OWE1NTZkIiwic2lkIjoiMDFhMjFkNzYtYzNkNS03M2I2LWFiYmItMmZhNDY2ZjI3OTkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU3OTE4NTIsImlhdCI6MTc5NTc5MTg1MiwiZXhwIjoxNzk1NzkyNDUyLCJqdGkiOiIwMWEyMWQ4OS0xNDBmLTdjMjUtOTkzMi03YTI3ZWMwNzFjYzIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "serverProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Reauthenticated;
                };
            };
            400: responses["reauthenticate400"];
            401: responses["reauthenticate401"];
            403: responses["listAccounts403"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013_4019"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    refreshTokenUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": RefreshRequest;
            };
        };
        responses: {
            /** A new pair */
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjI0NlJZZTdyYnJZMkZXVE0ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMmY3Zi03YTdmLThmYTktNWVhMjJjYTEzYjljIiwic2lkIjoiMDFhMjExZTItMmY5OS03NDJjLWIxNzctMDI4ODFhN2M2NDk5Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjUsImlhdCI6MTc5NTU5NjM2NSwiZXhwIjoxNzk1NTk2OTY1LCJqdGkiOiIwMWEyMTFlMi0yZmVhLTdiZTctODc2Ny0wZDk0OTYxMDcxZWYifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TokenPair;
                };
            };
            400: responses["refreshToken400"];
            401: responses["refreshToken401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initPasskeyRegistrationUnderApi: {
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
                 *       "email": "Ada@Example.com"
                 *     }
                 */
                "application/json": RegisterPasskeyInit;
            };
        };
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
                     *           "challenge": "0sOjjSAuaBhX_AMN5x0Ywp4LGmKxDp-ObY4d2ZOIVNo",
                     *           "excludeCredentials": [],
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
                     *             "displayName": "ada@example.com",
                     *             "id": "AaIR4gtze2q7I-CmaLCpag",
                     *             "name": "ada@example.com"
                     *           }
                     *         },
                     *         "sessionId": "8f460c82-5098-0bf9-6dda-b235eb4f8fc1"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasskeySession;
                };
            };
            400: responses["initPasskeyRegistration400"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerPasskeyUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "id": "_TixGm0cIF5v_HJTIAiHfIoR9EV-h7ECQxAVxirDmCk",
                 *         "response": {
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIP04sRptHCBeb_xyUyAIh3yKEfRFfoexAkMQFcYqw5gppQECAyYgASFYIL0Huc0ZAEaqLBmHVAfe50WDqRinl_29nX6jzhKvMZfDIlggeZ-QJsF3L2FbTqKKIyhzLsNMUv5vVHKbSkDykho16Ls",
                 *           "clientDataJSON": "eyJjaGFsbGVuZ2UiOiJUdHVyeEdnRFljT1VNRG5oOUpOSVphaUUzRG5fVF9oamhSRkRNUi1pSjlNIiwiY3Jvc3NPcmlnaW4iOmZhbHNlLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0OjUxNzMiLCJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                 *           "transports": [
                 *             "internal",
                 *             "hybrid"
                 *           ]
                 *         },
                 *         "type": "public-key"
                 *       },
                 *       "email": "Ada@Example.com",
                 *       "encryptedBlob": "a2V5cw==",
                 *       "referralCode": "wxv34te7",
                 *       "sessionId": "5b4687b4-9456-b1c6-6da4-f645e2d09868"
                 *     }
                 */
                "application/json": RegisterPasskey;
            };
        };
        responses: {
            /** The account, signed in */
            201: {
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6Im5od3MwNUdHVjdLTFpUeG4ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTEtZmRhMC03NDA2LTk5NjgtZmYyMjVkODM5ZGUyIiwic2lkIjoiMDFhMjExZTEtZmRmOC03ZTI3LWE4MmMtYjFmMTgxNWY0OTU3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNTMsImlhdCI6MTc5NTU5NjM1MywiZXhwIjoxNzk1NTk2OTUzLCJqdGkiOiIwMWEyMTFlMS1mZGY4LTcxYzUtYTYyNC1mYTlmYzVhNGYzNGMifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "passkey",
                     *           "avatar": null,
                     *           "createdAt": 1795596353038,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e1-fda0-7406-9968-ff225d839de2",
                     *           "isReferred": true,
                     *           "passkeys": 1,
                     *           "passwordHint": null,
                     *           "referralCode": "CWEBTG6Z",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": null,
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": null,
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["registerPasskey400"];
            401: responses["registerPasskey401"];
            409: responses["registerPasskey409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerSrpUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challengeId": "9195b3ce-788d-3b07-8f1b-97f0758b2ec4",
                 *       "email": "p2pkh@example.com",
                 *       "encryptedBlob": "AAAA",
                 *       "signature": "H9iUxNqzOqx9GL/S7Dw8B/ycqXYt9WtkVCEeuorZ+flMDspaeAcT9ssMw7OM5jXUBpqqg9p9cYjc9hQC5k9HuCY=",
                 *       "srpGroup": 3072,
                 *       "srpSalt": "e/Ufppvqj8FpgMl3zaOXZFXi9QBIlZWsTOr1KXUELpo=",
                 *       "srpVerifier": "3qQm7Bsd/hIJUqEx3D/XIfyoNjws3/mKltmx4CsEvsCIhxddaNP0VP90qiFfHXfOH9F5qbanQYobNa3jwvPkCXJB/dvccTmKtpLZzSUKKK+7QTK7rkToIE4JDmneg4xKNVRnKUk+nXTewd10SWZQnrWMCKbMEjtRWao3+9LKtuonC64V7+9PaqvCispxmdiUx/7fUHsJq9sgaL1HbTsiJ4yImtXSZdV5wmkNRWZVJqbe9P+RcDqMBqajmpICnt++087NuU+24atix6pTRHY8SiMIpXzYj4aQkSIfto9j3SxeefjkAO25f4SrsxH+1c7SSRW10Bw39yF0k6B/KRHMCVs8fHZX1yFCqLTMG6SFub20l9J/EGmK2IGOm0aV+6jaElPkHYeHdQRh8E/lQydCbD2WnIToe5GmfCKIKCgAMdmBbXnSKRceSHGZkCYr+vm5XerjjDGWXaKBYaPUQyWQRQCaisA0DsMvkkuCE/Gc3k6pSKzHOdoesNaWJG0eoupV",
                 *       "tradingPublicKey": "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62"
                 *     }
                 */
                "application/json": RegisterSrp;
            };
        };
        responses: {
            /** The account, signed in */
            201: {
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjZpMDRnX01jT081dU1GeW8ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItY2MzZC03NTQ3LWJkZmMtODBlMmI3NThiNzFmIiwic2lkIjoiMDFhMjExZTItY2M0MC03MzA1LTlhOWItNDk1NzYxNzM3ZmUzIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTY0MDUsImlhdCI6MTc5NTU5NjQwNSwiZXhwIjoxNzk1NTk3MDA1LCJqdGkiOiIwMWEyMTFlMi1jYzQwLTc5NTUtOGNiNC01YzUyYzI4Yzk3MTEifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "srp",
                     *           "avatar": null,
                     *           "createdAt": 1795596405838,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "p2pkh@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-cc3d-7547-bdfc-80e2b758b71f",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "EG8T0CRF",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["registerSrp400"];
            409: responses["registerSrp409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerWalletUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                 *       "chain": "bitcoin",
                 *       "challengeId": "6272ff2c-c6e8-3d4e-d2d2-024a8bf58efa",
                 *       "encryptedBlob": "b2xk",
                 *       "provider": "xverse",
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "signature": "smpAkcwRAIgKDYYHwwzISj/kcopYYrsHW5sOyxYvpG/a/5MEgX+POoCIHQ0EN+3GzUJhoa3XQPiNYe/tsGEc+rT+7n904ykITo0ASEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqw="
                 *     }
                 */
                "application/json": RegisterWallet;
            };
        };
        responses: {
            /** The account, signed in */
            201: {
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjRUZGF5WEZVYUNNQVhwZGUifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTAtNGYxOC03Y2I4LWFmZDMtZDQ2ZGY4YzYyMTJkIiwic2lkIjoiMDFhMjExZTAtNGYzNi03ZTBiLWEyYmEtZjliOGQxYTY0NjkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYyNDIsImlhdCI6MTc5NTU5NjI0MiwiZXhwIjoxNzk1NTk2ODQyLCJqdGkiOiIwMWEyMTFlMC00ZjM2LTdjYTUtOGU1ZC03NWNlYzhjZjZkNjQifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596242743,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": null,
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e0-4f18-7cb8-afd3-d46df8c6212d",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "CPA3PWJ9",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *           "wallet": {
                     *             "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
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
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["registerWallet400"];
            409: responses["registerWallet409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Error503_1009_4014"];
        };
    };
    listSessionsUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The sessions */
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
                     *           "createdAt": 1795596107454,
                     *           "current": true,
                     *           "expiresAt": 1796200908000,
                     *           "id": "01a211de-3ebe-7ee4-8395-b34ad597a24e",
                     *           "lastUsedAt": 1795596107454,
                     *           "sourceIp": "127.0.0.1",
                     *           "userAgent": null
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_LiveSession;
                };
            };
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    revokeSessionUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Session id
                 * @example 01a211de-3c3e-7843-8693-e62ecc4b7e39
                 */
                id: SessionId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended */
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
            400: responses["revokeSession400"];
            401: responses["listAccounts401"];
            404: responses["revokeSession404"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initSrpSignInUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "a2048@example.com"
                 *     }
                 */
                "application/json": SrpInit;
            };
        };
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
                     *         "group": 2048,
                     *         "hash": "SHA-256",
                     *         "salt": "9Lwpu24Jsoz503fjUFtCrNCLiKGQ+lstPfpFy90vufs=",
                     *         "serverPublic": "IE/0UbKpE3VXOymqp1aUIqfrE/Xaw4G5pjic06pI3/ZwLPQYLRVdJw798Qz+i4oFTCZLCighoxJe6pUo1Lb12jBUG6mwQ6bLID/YSDiOn0PpH9ci759omtGgif3u5rpQmoZla0aI7e7JkxLwmq9B83APEFEV3jQRcYXwH3Ir9UU5eIM25c9bP5sxizQHwTNgtKD9rmEQeX9uGDjHZg5hDDbfefdYkV4fINHBl4rUOF5ViRNYxVm5X4zjBejvKxsTRAwZ9k6pCtpqo0C0mi7XcjfqG+1xmVLU+U5QbsnnMmiNFyh77R67kjZQ/BrwnvB7WOyFwinHDcD5GQ8V/KwAUA==",
                     *         "sessionId": "06a86f07-2b0c-5a72-e290-b260726a765c"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SrpSession;
                };
            };
            400: responses["initSrpSignIn400"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getWalletChallengeUnderApi: {
        parameters: {
            query: {
                /**
                 * The wallet's address.
                 * @example mjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP
                 */
                address: string;
                /** The chain of the address. Required only if the address is ambiguous. */
                chain?: Chain;
                /**
                 * The use of the signature. By default, it serves both `signIn` and `rotate`; with a token, it serves
                 *     `signIn` if the address belongs to the account, and otherwise `rotate`.
                 */
                purpose?: ChallengePurpose;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The challenge */
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
                     *         "challengeId": "2f5e6326-f67e-b08b-b466-a94a597828f6",
                     *         "expiresAt": 1795596680591,
                     *         "message": "localhost wants you to sign in with your Bitcoin account:\nmjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP\n\nProve to Runeport that this wallet is yours. This costs nothing and moves nothing. Purpose: sign in.\n\nURI: http://localhost:5173\nVersion: 1\nChain ID: regtest\nNonce: 5079DQMQJQJ2FSRS5A77\nIssued At: 2026-11-25T08:46:20.591Z\nExpiration Time: 2026-11-25T08:51:20.591Z\nRequest ID: 2f5e6326-f67e-b08b-b466-a94a597828f6"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_IssuedChallenge;
                };
            };
            400: responses["getWalletChallenge400"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    authenticate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                 *       "chain": "bitcoin",
                 *       "challengeId": "1a7f6085-4f3b-ec0d-55db-5a755e0773bc",
                 *       "provider": "xverse",
                 *       "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1",
                 *       "signature": "smpAUHOSpTn5e8bFIgIgafsIskIPORlz6goW7EbyxDwc5KO1YL+OB/mJuAJFfgpE1oigUBry7cZvMMWt/lE4snWjPr2AQ=="
                 *     }
                 */
                "application/json": Authenticate;
            };
        };
        responses: {
            /** Signed in */
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjBuN1NHSnRkREpDWTVrS2cifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMzllZS03NDA4LTkxM2YtNDlkMDMxMDVjM2E5Iiwic2lkIjoiMDFhMjExZTItM2FkMi03ZDVkLWE0ZDEtYmE4OWQ0ZWY0MDM3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjgsImlhdCI6MTc5NTU5NjM2OCwiZXhwIjoxNzk1NTk2OTY4LCJqdGkiOiIwMWEyMTFlMi0zYWQyLTcwMTktYjRhMC00ZTQxNjc1NWViOTIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596368431,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-39ee-7408-913f-49d03105c3a9",
                     *           "isReferred": true,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "ZZQR54Y7",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *           "wallet": {
                     *             "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "encryptedBlob": "a2V5cw==",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *         "wallet": {
                     *           "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["authenticate400"];
            401: responses["authenticate401"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013_4019"];
            500: responses["Internal"];
            503: responses["Error503_1009_4014"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended */
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
            400: responses["Error400_1001"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initPasskeySignIn: {
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
                     *           "allowCredentials": [],
                     *           "challenge": "-5eOsjDZsR8kWQnqxOeWMZkcBK_9p2SFgl02VFNsKIo",
                     *           "rpId": "localhost",
                     *           "timeout": 300000,
                     *           "userVerification": "required"
                     *         },
                     *         "sessionId": "3a4df8b7-fc6d-ebc6-a551-29a9324fac47"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasskeySession;
                };
            };
            400: responses["Error400_1001"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "clientPublic": "J1UKA1sK2l7ljwYhCw+ohgYQ8CKaVaW7R+BgvoSi8ZG58JY5RU/gtpkzi4MaZ2LP8H/JkDtjWPKqhcWrDBHjvBPnxFtenNnR1ER+Qsm3kiIg2Jd744wxG1ufL4d1O53AzjgbhqAejXwEYCfAWtX2odNK55EMZ/tIH2xlrAsKrbrNPTHRzQRsB5cZM9Imsbvfv4C16mQBaogJQPE0ZvtYB35gBUZLwh4/7PE94hTYjWGS9rIBgGEc76AoUEnvhD4pTKhFhr9LqV74ceovPBkLhxPuKRMwztX7uB/bbsgSuJYIlpZuxLFmnNiKXQMnw23fVlgj8fu5DFwIcYMcNT5Qq442m6vA6K9R/I2YBVcJ2DA6VCRx+vdOnXCDrCAZQKncVYt1DUjohsZF2kqBwZZZD2JAeMwtf7cd52i9V1pmLkhGPr7jBQkh2P/jCF6cSRFsE023xr4xp131drY40y5WBcDoh9pyqWv9gnIP5Hg39SuQoZbbNb7at7VrqmVCGPAo",
                 *       "sessionId": "9a940898-b820-d916-a8c1-c866a1f81ce0"
                 *     }
                 */
                "application/json": Authenticate;
            };
        };
        responses: {
            /** Authenticated */
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjN6azF0SnZfTHZTZ0tub2kifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjFkNzYtYzNiYS03MjY3LThmOGItYjcwNWI2OWE1NTZkIiwic2lkIjoiMDFhMjFkNzYtYzNkNS03M2I2LWFiYmItMmZhNDY2ZjI3OTkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU3OTE4NTIsImlhdCI6MTc5NTc5MTg1MiwiZXhwIjoxNzk1NzkyNDUyLCJqdGkiOiIwMWEyMWQ4OS0xNDBmLTdjMjUtOTkzMi03YTI3ZWMwNzFjYzIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "serverProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Reauthenticated;
                };
            };
            400: responses["reauthenticate400"];
            401: responses["reauthenticate401"];
            403: responses["listAccounts403"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013_4019"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": RefreshRequest;
            };
        };
        responses: {
            /** A new pair */
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjI0NlJZZTdyYnJZMkZXVE0ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMmY3Zi03YTdmLThmYTktNWVhMjJjYTEzYjljIiwic2lkIjoiMDFhMjExZTItMmY5OS03NDJjLWIxNzctMDI4ODFhN2M2NDk5Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjUsImlhdCI6MTc5NTU5NjM2NSwiZXhwIjoxNzk1NTk2OTY1LCJqdGkiOiIwMWEyMTFlMi0yZmVhLTdiZTctODc2Ny0wZDk0OTYxMDcxZWYifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TokenPair;
                };
            };
            400: responses["refreshToken400"];
            401: responses["refreshToken401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initPasskeyRegistration: {
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
                 *       "email": "Ada@Example.com"
                 *     }
                 */
                "application/json": RegisterPasskeyInit;
            };
        };
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
                     *           "challenge": "0sOjjSAuaBhX_AMN5x0Ywp4LGmKxDp-ObY4d2ZOIVNo",
                     *           "excludeCredentials": [],
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
                     *             "displayName": "ada@example.com",
                     *             "id": "AaIR4gtze2q7I-CmaLCpag",
                     *             "name": "ada@example.com"
                     *           }
                     *         },
                     *         "sessionId": "8f460c82-5098-0bf9-6dda-b235eb4f8fc1"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_PasskeySession;
                };
            };
            400: responses["initPasskeyRegistration400"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "id": "_TixGm0cIF5v_HJTIAiHfIoR9EV-h7ECQxAVxirDmCk",
                 *         "response": {
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIP04sRptHCBeb_xyUyAIh3yKEfRFfoexAkMQFcYqw5gppQECAyYgASFYIL0Huc0ZAEaqLBmHVAfe50WDqRinl_29nX6jzhKvMZfDIlggeZ-QJsF3L2FbTqKKIyhzLsNMUv5vVHKbSkDykho16Ls",
                 *           "clientDataJSON": "eyJjaGFsbGVuZ2UiOiJUdHVyeEdnRFljT1VNRG5oOUpOSVphaUUzRG5fVF9oamhSRkRNUi1pSjlNIiwiY3Jvc3NPcmlnaW4iOmZhbHNlLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0OjUxNzMiLCJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                 *           "transports": [
                 *             "internal",
                 *             "hybrid"
                 *           ]
                 *         },
                 *         "type": "public-key"
                 *       },
                 *       "email": "Ada@Example.com",
                 *       "encryptedBlob": "a2V5cw==",
                 *       "referralCode": "wxv34te7",
                 *       "sessionId": "5b4687b4-9456-b1c6-6da4-f645e2d09868"
                 *     }
                 */
                "application/json": RegisterPasskey;
            };
        };
        responses: {
            /** The account, signed in */
            201: {
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6Im5od3MwNUdHVjdLTFpUeG4ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTEtZmRhMC03NDA2LTk5NjgtZmYyMjVkODM5ZGUyIiwic2lkIjoiMDFhMjExZTEtZmRmOC03ZTI3LWE4MmMtYjFmMTgxNWY0OTU3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNTMsImlhdCI6MTc5NTU5NjM1MywiZXhwIjoxNzk1NTk2OTUzLCJqdGkiOiIwMWEyMTFlMS1mZGY4LTcxYzUtYTYyNC1mYTlmYzVhNGYzNGMifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "passkey",
                     *           "avatar": null,
                     *           "createdAt": 1795596353038,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e1-fda0-7406-9968-ff225d839de2",
                     *           "isReferred": true,
                     *           "passkeys": 1,
                     *           "passwordHint": null,
                     *           "referralCode": "CWEBTG6Z",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": null,
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": null,
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["registerPasskey400"];
            401: responses["registerPasskey401"];
            409: responses["registerPasskey409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerSrp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challengeId": "9195b3ce-788d-3b07-8f1b-97f0758b2ec4",
                 *       "email": "p2pkh@example.com",
                 *       "encryptedBlob": "AAAA",
                 *       "signature": "H9iUxNqzOqx9GL/S7Dw8B/ycqXYt9WtkVCEeuorZ+flMDspaeAcT9ssMw7OM5jXUBpqqg9p9cYjc9hQC5k9HuCY=",
                 *       "srpGroup": 3072,
                 *       "srpSalt": "e/Ufppvqj8FpgMl3zaOXZFXi9QBIlZWsTOr1KXUELpo=",
                 *       "srpVerifier": "3qQm7Bsd/hIJUqEx3D/XIfyoNjws3/mKltmx4CsEvsCIhxddaNP0VP90qiFfHXfOH9F5qbanQYobNa3jwvPkCXJB/dvccTmKtpLZzSUKKK+7QTK7rkToIE4JDmneg4xKNVRnKUk+nXTewd10SWZQnrWMCKbMEjtRWao3+9LKtuonC64V7+9PaqvCispxmdiUx/7fUHsJq9sgaL1HbTsiJ4yImtXSZdV5wmkNRWZVJqbe9P+RcDqMBqajmpICnt++087NuU+24atix6pTRHY8SiMIpXzYj4aQkSIfto9j3SxeefjkAO25f4SrsxH+1c7SSRW10Bw39yF0k6B/KRHMCVs8fHZX1yFCqLTMG6SFub20l9J/EGmK2IGOm0aV+6jaElPkHYeHdQRh8E/lQydCbD2WnIToe5GmfCKIKCgAMdmBbXnSKRceSHGZkCYr+vm5XerjjDGWXaKBYaPUQyWQRQCaisA0DsMvkkuCE/Gc3k6pSKzHOdoesNaWJG0eoupV",
                 *       "tradingPublicKey": "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62"
                 *     }
                 */
                "application/json": RegisterSrp;
            };
        };
        responses: {
            /** The account, signed in */
            201: {
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjZpMDRnX01jT081dU1GeW8ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItY2MzZC03NTQ3LWJkZmMtODBlMmI3NThiNzFmIiwic2lkIjoiMDFhMjExZTItY2M0MC03MzA1LTlhOWItNDk1NzYxNzM3ZmUzIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTY0MDUsImlhdCI6MTc5NTU5NjQwNSwiZXhwIjoxNzk1NTk3MDA1LCJqdGkiOiIwMWEyMTFlMi1jYzQwLTc5NTUtOGNiNC01YzUyYzI4Yzk3MTEifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "srp",
                     *           "avatar": null,
                     *           "createdAt": 1795596405838,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "p2pkh@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-cc3d-7547-bdfc-80e2b758b71f",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "EG8T0CRF",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["registerSrp400"];
            409: responses["registerSrp409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                 *       "chain": "bitcoin",
                 *       "challengeId": "6272ff2c-c6e8-3d4e-d2d2-024a8bf58efa",
                 *       "encryptedBlob": "b2xk",
                 *       "provider": "xverse",
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "signature": "smpAkcwRAIgKDYYHwwzISj/kcopYYrsHW5sOyxYvpG/a/5MEgX+POoCIHQ0EN+3GzUJhoa3XQPiNYe/tsGEc+rT+7n904ykITo0ASEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqw="
                 *     }
                 */
                "application/json": RegisterWallet;
            };
        };
        responses: {
            /** The account, signed in */
            201: {
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
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjRUZGF5WEZVYUNNQVhwZGUifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTAtNGYxOC03Y2I4LWFmZDMtZDQ2ZGY4YzYyMTJkIiwic2lkIjoiMDFhMjExZTAtNGYzNi03ZTBiLWEyYmEtZjliOGQxYTY0NjkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYyNDIsImlhdCI6MTc5NTU5NjI0MiwiZXhwIjoxNzk1NTk2ODQyLCJqdGkiOiIwMWEyMTFlMC00ZjM2LTdjYTUtOGU1ZC03NWNlYzhjZjZkNjQifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596242743,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": null,
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e0-4f18-7cb8-afd3-d46df8c6212d",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "CPA3PWJ9",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *           "wallet": {
                     *             "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
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
                    "application/json": Envelope_SignedIn;
                };
            };
            400: responses["registerWallet400"];
            409: responses["registerWallet409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Error503_1009_4014"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The sessions */
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
                     *           "createdAt": 1795596107454,
                     *           "current": true,
                     *           "expiresAt": 1796200908000,
                     *           "id": "01a211de-3ebe-7ee4-8395-b34ad597a24e",
                     *           "lastUsedAt": 1795596107454,
                     *           "sourceIp": "127.0.0.1",
                     *           "userAgent": null
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_LiveSession;
                };
            };
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Session id
                 * @example 01a211de-3c3e-7843-8693-e62ecc4b7e39
                 */
                id: SessionId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended */
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
            400: responses["revokeSession400"];
            401: responses["listAccounts401"];
            404: responses["revokeSession404"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    initSrpSignIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "a2048@example.com"
                 *     }
                 */
                "application/json": SrpInit;
            };
        };
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
                     *         "group": 2048,
                     *         "hash": "SHA-256",
                     *         "salt": "9Lwpu24Jsoz503fjUFtCrNCLiKGQ+lstPfpFy90vufs=",
                     *         "serverPublic": "IE/0UbKpE3VXOymqp1aUIqfrE/Xaw4G5pjic06pI3/ZwLPQYLRVdJw798Qz+i4oFTCZLCighoxJe6pUo1Lb12jBUG6mwQ6bLID/YSDiOn0PpH9ci759omtGgif3u5rpQmoZla0aI7e7JkxLwmq9B83APEFEV3jQRcYXwH3Ir9UU5eIM25c9bP5sxizQHwTNgtKD9rmEQeX9uGDjHZg5hDDbfefdYkV4fINHBl4rUOF5ViRNYxVm5X4zjBejvKxsTRAwZ9k6pCtpqo0C0mi7XcjfqG+1xmVLU+U5QbsnnMmiNFyh77R67kjZQ/BrwnvB7WOyFwinHDcD5GQ8V/KwAUA==",
                     *         "sessionId": "06a86f07-2b0c-5a72-e290-b260726a765c"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SrpSession;
                };
            };
            400: responses["initSrpSignIn400"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getWalletChallenge: {
        parameters: {
            query: {
                /**
                 * The wallet's address.
                 * @example mjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP
                 */
                address: string;
                /** The chain of the address. Required only if the address is ambiguous. */
                chain?: Chain;
                /**
                 * The use of the signature. By default, it serves both `signIn` and `rotate`; with a token, it serves
                 *     `signIn` if the address belongs to the account, and otherwise `rotate`.
                 */
                purpose?: ChallengePurpose;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The challenge */
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
                     *         "challengeId": "2f5e6326-f67e-b08b-b466-a94a597828f6",
                     *         "expiresAt": 1795596680591,
                     *         "message": "localhost wants you to sign in with your Bitcoin account:\nmjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP\n\nProve to Runeport that this wallet is yours. This costs nothing and moves nothing. Purpose: sign in.\n\nURI: http://localhost:5173\nVersion: 1\nChain ID: regtest\nNonce: 5079DQMQJQJ2FSRS5A77\nIssued At: 2026-11-25T08:46:20.591Z\nExpiration Time: 2026-11-25T08:51:20.591Z\nRequest ID: 2f5e6326-f67e-b08b-b466-a94a597828f6"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_IssuedChallenge;
                };
            };
            400: responses["getWalletChallenge400"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
