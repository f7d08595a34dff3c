// Generated from infra/openapi.json by `npm run generate`.

/**
 * Settings of the deployment, its public keys and its health.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Affiliate,
    VenueChain,
    headers,
} from './shared.js';
export type {
    Affiliate,
    VenueChain,
} from './shared.js';

/** The settings of the deployment that a frontend calls. */
export type Deployment = {
    affiliate: Affiliate;
    /**
     * Format: uri
     *
     * The base address of the frontend, to which links in mails point.
     * @example https://app.example.com
     */
    appUrl: string;
    /**
     * Format: int32
     *
     * Number of blocks after which the user alone can spend a coin of the trading wallet.
     */
    delayBlocks: number;
    /** The optional features that this deployment has enabled. */
    features: Feature[];
    fees: FeeLimits;
    /**
     * Format: bitcoin-address
     *
     * The Bitcoin address that receives withdrawals through the hub that name no recipient. Null if every such
     *     withdrawal must name one.
     */
    hubVault: string | null;
    /** Whether withdrawals through the hub to any other address are refused. */
    hubVaultOnly: boolean;
    /** The rate limits. */
    limits: RateLimit[];
    /** The Bitcoin network. */
    network: string;
    /**
     * Format: host
     *
     * The domain that passkeys belong to (WebAuthn's RP ID).
     */
    passkeyRpId: string;
    renewal: RenewalBlocks;
    signIn: SignIn;
    /**
     * Format: socket-url
     *
     * The URL at which clients open sockets: with a ticket or, for the events of mints only, without one.
     * @example wss://abc123.execute-api.eu-central-1.amazonaws.com/live
     */
    socketUrl: string;
    venue: VenueNetwork;
    /**
     * Format: version
     *
     * The version of the service.
     */
    version: string;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Deployment = {
    /** @enum {string} */
    code: "1";
    data: Deployment;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Health = {
    /** @enum {string} */
    code: "1";
    data: Health;
    /** @enum {string} */
    message: "common.success";
};

/**
 * An optional feature of a deployment.
 * @enum {string}
 */
export type Feature = "contractWallets" | "media";

/** Limits on the fees of Bitcoin transactions. `GET /api/bitcoin/fee-rates` returns the current rates. */
export type FeeLimits = {
    /**
     * Format: int64
     *
     * The highest fee that one transaction of a user may pay, in sats.
     * @example 100000
     */
    cap: number;
    range: FeeRange;
    /** The number of blocks within which transactions of each `feeTarget` should confirm. */
    targets: TargetBlocks;
};

/** The fee rates that the service uses, regardless of estimates, in sat/vB. */
export type FeeRange = {
    /**
     * Format: double
     *
     * The highest rate.
     * @example 500
     */
    highest: number;
    /**
     * Format: double
     *
     * The lowest rate.
     * @example 1
     */
    lowest: number;
};

/** The state of the service. */
export type Health = {
    /**
     * The dependencies that were checked.
     * @example [
     *       "database",
     *       "token keys"
     *     ]
     */
    asked: string[];
    /**
     * Format: health
     *
     * Always `ok`; a failed check is an error instead.
     * @example ok
     */
    status: string;
};

/** A public key that verifies access tokens (RFC 8037, section 2). */
export type Jwk = {
    /**
     * Format: key-algorithm
     *
     * Algorithm: `EdDSA`.
     */
    alg: string;
    /**
     * Format: key-curve
     *
     * Curve: `Ed25519`.
     */
    crv: string;
    /**
     * Format: base64url
     *
     * The key id that tokens refer to.
     */
    kid: string;
    /**
     * Format: key-type
     *
     * Key type: `OKP`.
     */
    kty: string;
    /**
     * Format: key-use
     *
     * Use: `sig`.
     */
    use: string;
    /**
     * Format: base64url-of-32-bytes
     *
     * The public key, 32 bytes, base64url without padding.
     */
    x: string;
};

/** The public keys (RFC 7517, section 5), newest first. */
export type Jwks = {
    /** At most two: the key that signs, and the previous one. */
    keys: Jwk[];
};

/** A rate limit. Above it, the service answers 429 with `Retry-After`. */
export type RateLimit = {
    /**
     * Format: prose
     *
     * What the limit counts.
     */
    counts: string;
    /**
     * Format: int32
     *
     * The number of hits allowed in a window.
     */
    hits: number;
    /**
     * Format: limit
     *
     * The name of the limit.
     * @example walletByAccount
     */
    name: string;
    /**
     * Format: int64
     *
     * Length of the window, which begins with its first hit, in seconds.
     */
    windowSeconds: number;
};

/** When coins of the trading wallet should be renewed, in blocks until the user alone can spend them. */
export type RenewalBlocks = {
    /**
     * Format: int32
     *
     * Below this number, the service advises a renewal.
     */
    advised: number;
    /**
     * Format: int32
     *
     * Below this number, mints refuse the coin.
     */
    needed: number;
};

/** The messages that wallets sign to sign in. */
export type SignIn = {
    /**
     * Format: host
     *
     * The domain that messages are bound to.
     */
    domain: string;
    /**
     * Format: int64
     *
     * The chain id that messages of EVM wallets name.
     */
    evmChainId: number;
    /**
     * Format: sign-in-message
     *
     * The message that a Bitcoin wallet signs without a challenge. Replace `{address}`, if present, and the
     *     closing `{timestamp}` (ms since the epoch). Null if the service accepts any text that ends in the time.
     */
    messageTemplate: string | null;
    /**
     * Format: uri
     *
     * The URI that messages name.
     */
    uri: string;
};

/** The number of blocks within which transactions of each `feeTarget` should confirm. */
export type TargetBlocks = {
    /**
     * Format: int32
     *
     * The number of blocks for `economy`.
     * @example 24
     */
    economy: number;
    /**
     * Format: int32
     *
     * The number of blocks for `fast`.
     * @example 1
     */
    fast: number;
    /**
     * Format: int32
     *
     * The number of blocks for `normal`, the default.
     * @example 3
     */
    normal: number;
};

/** The perpetuals venue, whose transactions clients send themselves. */
export type VenueNetwork = {
    /** Its network. */
    chain: VenueChain;
    /**
     * Format: int64
     *
     * The chain id of its EVM chain.
     * @example 999
     */
    chainId: number;
    /**
     * Format: uri
     *
     * A JSON-RPC endpoint of that chain.
     * @example https://rpc.hyperliquid.xyz/evm
     */
    rpcUrl: string;
};

export interface schemas {
    Deployment: Deployment;
    Envelope_Deployment: Envelope_Deployment;
    Envelope_Health: Envelope_Health;
    Feature: Feature;
    FeeLimits: FeeLimits;
    FeeRange: FeeRange;
    Health: Health;
    Jwk: Jwk;
    Jwks: Jwks;
    RateLimit: RateLimit;
    RenewalBlocks: RenewalBlocks;
    SignIn: SignIn;
    TargetBlocks: TargetBlocks;
    VenueNetwork: VenueNetwork;
}

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the public keys of access tokens (RFC 7517).
         *
         * The response has no envelope, so that libraries can read it directly.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the settings of this deployment that a frontend needs before a user signs in.
         *
         * Clients may cache the response for five minutes.
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports whether the service is up and, with `deep=1`, whether its dependencies are too.
         *
         * Reports whether the service is up and, with `deep=1`, whether its dependencies are too.
         */
        get: operations["getHealth"];
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
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The keys */
            200: {
                headers: {
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "alg": "EdDSA",
                     *           "crv": "Ed25519",
                     *           "kid": "YNhS__Lt49LR-TR9",
                     *           "kty": "OKP",
                     *           "use": "sig",
                     *           "x": "YNhS__Lt49LR-TR9PY_grbvbZDTmaqJAoB2Z_G0VEFE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Jwks;
                };
            };
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The deployment */
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
                     *         "affiliate": {
                     *           "affiliateAddress": "0x00000000000000000000000000000000000000aa",
                     *           "feeBps": 25,
                     *           "feePercent": 0.25
                     *         },
                     *         "appUrl": "http://localhost:5173",
                     *         "delayBlocks": 12960,
                     *         "features": [
                     *           "media"
                     *         ],
                     *         "fees": {
                     *           "cap": 100000,
                     *           "range": {
                     *             "highest": 500,
                     *             "lowest": 1
                     *           },
                     *           "targets": {
                     *             "economy": 24,
                     *             "fast": 1,
                     *             "normal": 3
                     *           }
                     *         },
                     *         "hubVault": null,
                     *         "hubVaultOnly": false,
                     *         "limits": [
                     *           {
                     *             "counts": "sign-ins and registrations",
                     *             "hits": 100,
                     *             "name": "signInBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "sign-ins of an account, counted once all of its factors are proved",
                     *             "hits": 60,
                     *             "name": "signInByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "handshakes that start a proof by password or passkey",
                     *             "hits": 60,
                     *             "name": "handshakeBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "handshakes that start a password proof for one account on one known device",
                     *             "hits": 20,
                     *             "name": "handshakeByDevice",
                     *             "windowSeconds": 900
                     *           },
                     *           {
                     *             "counts": "wallet challenges",
                     *             "hits": 120,
                     *             "name": "challengeBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "wallet challenges requested by a signed-in account",
                     *             "hits": 60,
                     *             "name": "challengeByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "codes since the last correct one on one known device; each code restarts the window",
                     *             "hits": 5,
                     *             "name": "otpByDevice",
                     *             "windowSeconds": 900
                     *           },
                     *           {
                     *             "counts": "codes of the second factor",
                     *             "hits": 60,
                     *             "name": "otpBySource",
                     *             "windowSeconds": 900
                     *           },
                     *           {
                     *             "counts": "changes of e-mail address and repeated verification mails requested by an account",
                     *             "hits": 3,
                     *             "name": "emailByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "attempts with mailed tokens on one known device",
                     *             "hits": 20,
                     *             "name": "emailTokenByDevice",
                     *             "windowSeconds": 600
                     *           },
                     *           {
                     *             "counts": "attempts with one mailed token for a change of e-mail address (custody rule 20), per known device and for all other devices together",
                     *             "hits": 5,
                     *             "name": "emailTokenByAccount",
                     *             "windowSeconds": 600
                     *           },
                     *           {
                     *             "counts": "mails with a link requested by accounts",
                     *             "hits": 10,
                     *             "name": "emailBySource",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "mails with a link to one address: repeated mails per account, registrations per source, and changes to the address",
                     *             "hits": 5,
                     *             "name": "emailByAddress",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "registrations with an e-mail address",
                     *             "hits": 50,
                     *             "name": "registrationBySource",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "mails with a link to one address caused by registrations from all sources; beyond the limit a registration succeeds without a mail, and its account can request one",
                     *             "hits": 20,
                     *             "name": "registrationMailByAddress",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "mails to an account about new devices; later sign-ins appear only in its audit trail",
                     *             "hits": 20,
                     *             "name": "noticeByAccount",
                     *             "windowSeconds": 86400
                     *           },
                     *           {
                     *             "counts": "Bitcoin transactions that an account creates or signs",
                     *             "hits": 60,
                     *             "name": "transactionByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "reads of an account's trading wallet: balance, coins, the largest amount",
                     *             "hits": 120,
                     *             "name": "walletByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "reads of a trading address, which need no token",
                     *             "hits": 300,
                     *             "name": "walletBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "deposits that an account announces",
                     *             "hits": 60,
                     *             "name": "depositByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "deposits that an account announces before Esplora knows their transactions",
                     *             "hits": 5,
                     *             "name": "awaitedDepositByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "reads of a rune, which need no token",
                     *             "hits": 300,
                     *             "name": "runeBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "refunds that an account created and did not sign in time; beyond the limit it can create no more",
                     *             "hits": 3,
                     *             "name": "refundExpiryByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "refund calculations, which need no token",
                     *             "hits": 300,
                     *             "name": "refundBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "swaps registered by an account",
                     *             "hits": 60,
                     *             "name": "swapByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "upload forms for media requested by an account",
                     *             "hits": 20,
                     *             "name": "mediaByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "history exports requested by an account",
                     *             "hits": 10,
                     *             "name": "exportByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "webhooks that an account adds or whose URL it changes, tests, redeliveries and replays",
                     *             "hits": 30,
                     *             "name": "webhookByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "tickets for sockets that an account draws",
                     *             "hits": 60,
                     *             "name": "ticketByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "sockets that are opened",
                     *             "hits": 120,
                     *             "name": "socketBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "calls by an account about a wallet at the perpetuals venue",
                     *             "hits": 60,
                     *             "name": "venueByAccount",
                     *             "windowSeconds": 300
                     *           }
                     *         ],
                     *         "network": "regtest",
                     *         "passkeyRpId": "localhost",
                     *         "renewal": {
                     *           "advised": 4032,
                     *           "needed": 1152
                     *         },
                     *         "signIn": {
                     *           "domain": "localhost",
                     *           "evmChainId": 1,
                     *           "messageTemplate": "Runeport signs {address} in: {timestamp}",
                     *           "uri": "http://localhost:5173"
                     *         },
                     *         "socketUrl": "ws://127.0.0.1:43865/socket",
                     *         "venue": {
                     *           "chain": "Testnet",
                     *           "chainId": 998,
                     *           "rpcUrl": "https://rpc.hyperliquid-testnet.xyz/evm"
                     *         },
                     *         "version": "1.0.0"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Deployment;
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
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /**
                 * `1`: also check the dependencies of the service.
                 * @example 1
                 */
                deep?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The service is up */
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
                     *         "asked": [
                     *           "database",
                     *           "token keys"
                     *         ],
                     *         "status": "ok"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Health;
                };
            };
            400: responses["getHealth400"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
