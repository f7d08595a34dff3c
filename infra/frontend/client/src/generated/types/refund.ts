// Generated from infra/openapi.json by `npm run generate`.

/**
 * Refunds of requests that no virtual block includes.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Envelope_TransactionStatus,
    Envelope_UnsignedTransaction,
    EtchedRune,
    MetaDataWith_Polling,
    MintId,
    RefundState,
    Timestamp,
    TransactionProgress,
    TransactionState,
    headers,
} from './shared.js';
export type {
    Envelope_TransactionStatus,
    Envelope_UnsignedTransaction,
    EtchedRune,
    Fee,
    MetaData,
    MetaDataWith_Polling,
    MintId,
    RefundState,
    StateSince,
    Timestamp,
    TransactionProgress,
    TransactionState,
    TransactionStatus,
    UnsignedTransaction,
} from './shared.js';

/** The refund that could be created now. */
export type Calculation = {
    /** One item per rune. */
    items: RefundItem[];
    /** Whether more VM transactions are refundable than fit into one refund. */
    more: boolean;
    /**
     * Format: int64
     *
     * Network fee of the refund, in sats.
     */
    networkFee: number;
    /**
     * Format: int64
     *
     * Amount that would arrive, in sats; 0 if the refund is not worth its fee.
     */
    refundableSats: number;
    /**
     * Format: int64
     *
     * Total amount paid, in sats.
     */
    totalSats: number;
    type: RefundType;
    /**
     * Format: address
     *
     * The address of the query.
     */
    userAddress: string;
};

/** Request body of a refund. */
export type CreateRefund = {
    /**
     * Format: int64
     *
     * The amount that the client expects to arrive, in sats, from the calculation; the service answers 409
     *     if it would differ.
     */
    refundableSats?: number | null;
    /** The runes whose mints to refund; at most 40. */
    runeIds: EtchedRune[];
    type: RefundType;
    /**
     * Format: address
     *
     * The address that created the VM transactions, or the trading address that paid for them.
     */
    userAddress: string;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Calculation = {
    /** @enum {string} */
    code: "1";
    data: Calculation;
    /** @enum {string} */
    message: "common.success";
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_OneRefund_Polling = {
    /** @enum {string} */
    code: "1";
    data: OneRefund;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** One refund of the caller. */
export type OneRefund = TransactionProgress & {
    /**
     * Format: int32
     *
     * The height of its block.
     */
    blockHeight: number | null;
    /** When it was created, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int64
     *
     * The fee in sats, which is taken from the refund.
     */
    feeSats: number;
    /** The payments that the refund returns. */
    items: RefundedBatch[];
    /**
     * Format: int64
     *
     * Amount that arrives, in sats. A coin that the caller adds returns in full and is not included.
     */
    refundedSats: number;
    /**
     * Format: txid
     *
     * The refund that it replaces.
     */
    replaceTxId: string | null;
    /**
     * Format: txid
     *
     * The signed refund that replaces it.
     */
    replacedByTxId: string | null;
    state: TransactionState;
    /**
     * Format: int64
     *
     * The sum of the items, in sats.
     */
    totalSats: number;
    /** Format: txid */
    txId: string;
    /**
     * Format: address
     *
     * The address for which the caller requested the refund.
     */
    userAddress: string;
};

/** The refundable VM transactions of one rune. */
export type RefundItem = {
    runeId: EtchedRune;
    /**
     * Format: int64
     *
     * Amount paid for them, in sats.
     */
    sats: number;
    /** The refundable VM transactions. */
    txIds: string[];
};

/**
 * The kind of payment to refund.
 * @enum {string}
 */
export type RefundType = "virtual_mint";

/** A VM transaction that a refund pays back. */
export type RefundedBatch = {
    mintId: MintId;
    /** The state of its refund: by this transaction, or by a later one. */
    refundState: RefundState;
    /** The rune that was to be minted. */
    runeId: EtchedRune;
    /**
     * Format: int64
     *
     * Amount that was paid for requests that no virtual block took, in sats.
     */
    sats: number;
    /**
     * Format: txid
     *
     * The VM transaction.
     */
    txId: string;
};

/** Request body of a refund's signature. */
export type SignRefund = {
    /**
     * Format: psbt
     *
     * The PSBT as issued, with the user's signature on each of the user's inputs: base64 or hex. If no input
     *     is the user's, send the PSBT as issued.
     */
    base64Psbt: string;
    /**
     * Format: address
     *
     * The address that the refund was created with, or the trading address.
     */
    userAddress: string;
};

/** A single item, and when to poll for it again. */
export type Single_OneRefund = OkWith_OneRefund_Polling;

export interface schemas {
    Calculation: Calculation;
    CreateRefund: CreateRefund;
    Envelope_Calculation: Envelope_Calculation;
    OkWith_OneRefund_Polling: OkWith_OneRefund_Polling;
    OneRefund: OneRefund;
    RefundItem: RefundItem;
    RefundType: RefundType;
    RefundedBatch: RefundedBatch;
    SignRefund: SignRefund;
    Single_OneRefund: Single_OneRefund;
}

export interface paths {
    "/api/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates the refund that was calculated.
         *
         * The caller has ten minutes to sign the refund. It pays the trading address that paid for the transactions.
         *
         *     An account has one unsigned refund at a time. Until it expires, the same request returns the same
         *     transaction, and a different request ends it. The ended refund counts as a refund that was not signed in
         *     time. The transaction spends the refunded outputs and, if the trading address has one, a coin of the user.
         *     The user signs for this coin and gets it back in full. If `userInputIndexes` is empty, the client sends the
         *     transaction back unchanged.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/calculate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calculates what a refund created now would pay.
         *
         * The fee rate used is cached for ten minutes.
         */
        get: operations["calculateRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts the user's signatures, adds the platform's and broadcasts the transaction.
         *
         * A refused transaction was not broadcast, and its payments can be refunded again. Signing the same
         *     transaction again returns its current status. `signing` and `broadcasting` mean that it is in progress;
         *     the service finishes it without another request.
         */
        post: operations["signRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one refund of the caller, signed or not, with the payments that it returns.
         *
         * Returns one refund of the caller, signed or not, with the payments that it returns.
         */
        get: operations["getRefund"];
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
    createRefund: {
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
                 *       "runeIds": [
                 *         "117:1"
                 *       ],
                 *       "type": "virtual_mint",
                 *       "userAddress": "0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa"
                 *     }
                 */
                "application/json": CreateRefund;
            };
        };
        responses: {
            /** The transaction to sign */
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
                     *         "base64Psbt": "cHNidP8BALICAAAAArstUIpDs3J/svXwr0Nnq8nM8YLkXbG8AAwVPvvwI1R8AAAAAAD9////OE9IQykRSUGaL2IVYh9ypflTDojDR4JOkQQiZYeQ1cYBAAAAAP3///8C428AAAAAAAAiACCUnVUgy63aLmFVMA/BXApOw4tv5DZWL9sHiuCj+n0oQYpvAQAAAAAAIgAglJ1VIMut2i5hVTAPwVwKTsOLb+Q2Vi/bB4rgo/p9KEEAAAAAAAEBHzB1AAAAAAAAFgAUcC4ezUF1Tq/qDXv5AVqrn1IFOGgBAwQBAAAAAAEBK4pvAQAAAAAAIgAglJ1VIMut2i5hVTAPwVwKTsOLb+Q2Vi/bB4rgo/p9KEEBAwQBAAAAAQVNIQOgxGf/0qV/MTWk87JA8d3rDPhkrxkGFhKOJ1/MgsBSrK0hA1vqdyk+kzz2oYHJ+Y5jjwV6dEc+WWDTvod/V+j454k9rHNkAqAysmgAAAA=",
                     *         "expiresAt": 1795597350970,
                     *         "fee": {
                     *           "feeRate": 4.988,
                     *           "totalFee": 1357
                     *         },
                     *         "txId": "a58e11b6fe3774d31dc52e105190b17c3a41faeaa5c5272e08402927beda953e",
                     *         "userInputIndexes": [
                     *           1
                     *         ]
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_UnsignedTransaction;
                };
            };
            400: responses["createRefund400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            409: responses["createRefund409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    calculateRefund: {
        parameters: {
            query: {
                /**
                 * The kind of payment to refund.
                 * @example virtual_mint
                 */
                type: RefundType;
                /**
                 * Rune ids, separated by commas.
                 * @example 117:1
                 */
                runeIds: string;
                /**
                 * The address that created the VM transactions, or the trading address that paid for them.
                 * @example bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2
                 */
                userAddress: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund */
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
                     *         "items": [
                     *           {
                     *             "runeId": "117:1",
                     *             "sats": 335,
                     *             "txIds": [
                     *               "908034f223985bf34868038a17a03596cae307c6062a57f707c1fec29a30aac1"
                     *             ]
                     *           }
                     *         ],
                     *         "more": false,
                     *         "networkFee": 1357,
                     *         "refundableSats": 0,
                     *         "totalSats": 335,
                     *         "type": "virtual_mint",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Calculation;
                };
            };
            400: responses["calculateRefund400"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    signRefund: {
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
                 *       "base64Psbt": "cHNidP8BAF4CAAAAAXdekk0go62KYcKuLuZ5cX2AsVnbWBiUQNO8wNbs3l7iAAAAAAD9////ATsOAAAAAAAAIgAgtOFiPyhkIzs4dTIx5hVrTxjI6vNO5z7dXElphMyJZeIAAAAAAAEBH4gTAAAAAAAAFgAUcDDJSa2jqJ+j39fS3tVwDja8ZtsBAwQBAAAAAAA=",
                 *       "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                 *     }
                 */
                "application/json": SignRefund;
            };
        };
        responses: {
            /** Status of the transaction */
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
                     *         "state": "inMempool",
                     *         "txId": "001bf7618f134f5a008df86e746e14867f015b5fca30ee78823859249e307568"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TransactionStatus;
                };
            };
            400: responses["signRefund400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            409: responses["Error409_1010_1011_2016"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The refund
                 * @example 50cccdd71702ce08c5d659d0a3d420662499234d081efd824e1f8e47c4eebd7e
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund */
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
                     *         "base64Psbt": "cHNidP8BANsCAAAAA7Sys0Px8nm56pr2Jxv4N/+iSRbm5XsyHmkOKkhB16NmAAAAAAD9////1ZWbmV4bthQZFieMr9NKueRQcqvkCCaKCr1m56p2wPwAAAAAAP3///+0srND8fJ5ueqa9icb+Df/okkW5uV7Mh5pDipIQdejZgEAAAAA/f///wInLAAAAAAAACIAIGSrMXsQ9sMexwlGTEmgtTPQfbwQUaxWtUPv/tvLqmRNvEwBAAAAAAAiACBkqzF7EPbDHscJRkxJoLUz0H28EFGsVrVD7/7by6pkTQAAAAAAAQEfQB8AAAAAAAAWABRx2wofTqYmGcuB/2owUKEWcpIoaQEDBAEAAAAAAQEfiBMAAAAAAAAWABRx2wofTqYmGcuB/2owUKEWcpIoaQEDBAEAAAAAAQErvEwBAAAAAAAiACBkqzF7EPbDHscJRkxJoLUz0H28EFGsVrVD7/7by6pkTQEDBAEAAAABBU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSECdEcCwEuyE/PeSufxfvLx6112Y/ZNQzvwrThgjV5GuD+sc2QCoDKyaAAAAA==",
                     *         "blockHeight": null,
                     *         "confirmations": null,
                     *         "createdAt": 1795646736417,
                     *         "expiresAt": 1795647336417,
                     *         "feeSats": 1697,
                     *         "history": [
                     *           {
                     *             "at": 1795646736417,
                     *             "state": "unsigned"
                     *           }
                     *         ],
                     *         "isFinal": false,
                     *         "items": [
                     *           {
                     *             "mintId": "01a214de-f5f8-710a-8542-ba0c0574d69d",
                     *             "refundState": "open",
                     *             "runeId": "117:1",
                     *             "sats": 8000,
                     *             "txId": "66a3d741482a0e691e327be5e61649a2ff37f81b27f69aeab979f2f143b3b2b4"
                     *           },
                     *           {
                     *             "mintId": "01a214de-f5f8-710a-8542-ba0c0574d69d",
                     *             "refundState": "open",
                     *             "runeId": "117:1",
                     *             "sats": 5000,
                     *             "txId": "fcc076aae766bd0a8a2608e4ab7250e4b94ad3af8c27161914b61b5e999b95d5"
                     *           }
                     *         ],
                     *         "refundedSats": 11303,
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "state": "unsigned",
                     *         "totalSats": 13000,
                     *         "txId": "50cccdd71702ce08c5d659d0a3d420662499234d081efd824e1f8e47c4eebd7e",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "pollAfterMs": 2000,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Single_OneRefund;
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
            400: responses["getRefund400"];
            401: responses["Unauthorized"];
            404: responses["Error404_2019"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
