// Generated from infra/openapi.json by `npm run generate`.

/**
 * Trading wallets, looked up by any address.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    AddressText,
    EtchedRune,
    MetaData,
    Units,
    headers,
} from './shared.js';
export type {
    AddressText,
    EtchedRune,
    MetaData,
    Units,
} from './shared.js';

/** The sats of a trading address. */
export type AddressBalance = {
    /**
     * Format: int64
     *
     * Sats in confirmed coins without runes and inscriptions, except for mined coins with fewer than 100
     *     confirmations.
     */
    btcSatoshi: number;
    /**
     * Format: int64
     *
     * Unconfirmed sats that others sent.
     */
    externalPendingSatoshi: number;
    /**
     * Format: int64
     *
     * Unconfirmed change and renewals of the address's own transactions.
     */
    pendingSatoshi: number;
    /** Number of confirmed coins. */
    totalUtxos: number;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_AddressBalance = {
    /** @enum {string} */
    code: "1";
    data: AddressBalance;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_UtxoRow = {
    /** @enum {string} */
    code: "1";
    data: ListedUtxoRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_WalletDetails = {
    /** @enum {string} */
    code: "1";
    data: WalletDetails;
    /** @enum {string} */
    message: "common.success";
};

/** An unspent output of a trading address. */
export type ListedUtxoRow = {
    /**
     * Format: outpoint
     *
     * Same as `id`, under the name that published clients read.
     */
    _id?: string;
    /**
     * Format: bitcoin-address
     *
     * The trading address.
     */
    address?: string;
    /**
     * The same amount in BTC, as published clients show it.
     * @example 0.002
     */
    amount?: string;
    /**
     * Format: int32
     *
     * The number of blocks from its own to the newest; 0 if it has none yet.
     */
    confirmations?: number;
    /**
     * Format: int32
     *
     * The height of its block; null if it has none yet.
     */
    height?: number | null;
    /**
     * Format: outpoint
     *
     * The outpoint, `<txid>:<vout>`.
     */
    id: string;
    /** Whether mints refuse it, because its delay ends within 1,152 blocks or has ended. */
    isExpired?: boolean;
    /** Always false: spent outputs are not listed. */
    isSpent?: boolean;
    /** The runes in it; null if they are unknown. */
    runes?: UtxoRune[] | null;
    /**
     * Format: int64
     *
     * Its sats.
     */
    satoshi?: number;
    /** Whether the output is in a block. */
    status?: UtxoStatus;
    /** Format: txid */
    txid?: string;
    /**
     * Format: outpoint
     *
     * The outpoint, `<txid>:<vout>`.
     */
    txidVout?: string;
    /** Format: int32 */
    vout?: number;
};

/** Request body of published clients that request the trading wallet of a wallet. */
export type OwnWallet = {
    /** The user's key in the trading wallet, hex: 33 bytes or, without its parity, 32. */
    publicKey?: string | null;
    /** One of the caller's own addresses. */
    walletAddress: AddressText;
};

/** An amount of a rune in an output. */
export type UtxoRune = {
    /** In the smallest unit. */
    amount: Units;
    /**
     * Format: int32
     *
     * Decimals of displayed amounts; null in an unconfirmed output.
     */
    divisibility: number | null;
    runeid: EtchedRune | null;
    /**
     * Format: rune-name
     *
     * The name with spacers.
     */
    spacedRune: string;
    /**
     * Format: symbol
     *
     * Null if the rune has none.
     */
    symbol: string | null;
};

/**
 * Whether an output is in a block.
 * @enum {string}
 */
export type UtxoStatus = "confirmed" | "unconfirmed";

/** The trading wallet of an address. */
export type WalletDetails = {
    /**
     * Format: bitcoin-address
     *
     * The trading address.
     */
    tradingAddress: string;
    /**
     * Format: address
     *
     * The address of the request, or the sign-in wallet if that is the trading address.
     */
    userAddress: string;
    /**
     * Format: trading-key
     *
     * For the owner of the wallet: the user's key in it, hex of 33 bytes, or of 32 if only Taproot has proved
     *     it.
     */
    userPublicKey?: string | null;
};

export interface schemas {
    AddressBalance: AddressBalance;
    Envelope_AddressBalance: Envelope_AddressBalance;
    Envelope_Vec_UtxoRow: Envelope_Vec_UtxoRow;
    Envelope_WalletDetails: Envelope_WalletDetails;
    ListedUtxoRow: ListedUtxoRow;
    OwnWallet: OwnWallet;
    UtxoRune: UtxoRune;
    UtxoStatus: UtxoStatus;
    WalletDetails: WalletDetails;
}

export interface paths {
    "/api/utxos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the unspent outputs of a trading address of this service, the most valuable first.
         *
         * Lists the unspent outputs of a trading address of this service, the most valuable first.
         */
        get: operations["listUtxos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the caller's trading wallet in the form that published clients use.
         *
         * It does not create a wallet; `POST /api/account/trading-wallet` does.
         */
        post: operations["getOwnWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallets/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the sats of a trading address of this service.
         *
         * Returns the sats of a trading address of this service.
         */
        get: operations["getAddressBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallets/details/{userAddress}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the trading wallet of a sign-in wallet or of a trading address, without a token.
         *
         * The owner of the wallet also receives the user's key, and can name any of the account's addresses.
         */
        get: operations["getWalletDetails"];
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
    listUtxos: {
        parameters: {
            query: {
                /** Page number, from 1. */
                page?: number;
                /** Items per page. Values above 100 count as 100. */
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
                 * A trading address; required.
                 * @example BCRT1Q5ZQPF6QH8UK7QSSUE248END2YTDZWS9UXZQZAWE2HQKVFXKYAT7QLX7D6K
                 */
                address_eq: string;
                /** `true` lists nothing: spent outputs are not listed. */
                isSpent_eq?: boolean;
                /** `true`: only outputs that mints refuse. `false`: only other outputs. */
                isExpired_eq?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of outputs */
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
                     *       "data": [
                     *         {
                     *           "_id": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d:0",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.0005",
                     *           "confirmations": 9,
                     *           "height": 111,
                     *           "id": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d:0",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": [],
                     *           "satoshi": 50000,
                     *           "status": "confirmed",
                     *           "txid": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d",
                     *           "txidVout": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d:0",
                     *           "vout": 0
                     *         },
                     *         {
                     *           "_id": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d:0",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.0003",
                     *           "confirmations": 9,
                     *           "height": 111,
                     *           "id": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d:0",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": [],
                     *           "satoshi": 30000,
                     *           "status": "confirmed",
                     *           "txid": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d",
                     *           "txidVout": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d:0",
                     *           "vout": 0
                     *         },
                     *         {
                     *           "_id": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e:1",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.0001",
                     *           "confirmations": 2,
                     *           "height": 118,
                     *           "id": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e:1",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": [
                     *             {
                     *               "amount": "1000",
                     *               "divisibility": 2,
                     *               "runeid": "118:1",
                     *               "spacedRune": "WANTEDWANTEDWANTED",
                     *               "symbol": null
                     *             }
                     *           ],
                     *           "satoshi": 10000,
                     *           "status": "confirmed",
                     *           "txid": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e",
                     *           "txidVout": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e:1",
                     *           "vout": 1
                     *         },
                     *         {
                     *           "_id": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1:0",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.00007",
                     *           "confirmations": 0,
                     *           "height": null,
                     *           "id": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1:0",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": null,
                     *           "satoshi": 7000,
                     *           "status": "unconfirmed",
                     *           "txid": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1",
                     *           "txidVout": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1:0",
                     *           "vout": 0
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 4,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_UtxoRow;
                };
            };
            400: responses["listUtxos400"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getOwnWallet: {
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
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "walletAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                 *     }
                 */
                "application/json": OwnWallet;
            };
        };
        responses: {
            /** The trading wallet */
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
                     *         "tradingAddress": "bcrt1q299chf6perjwt3080vtr4hz2y7walady5ft86zttlangrnwecm3svvk4g8",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *         "userPublicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WalletDetails;
                };
            };
            400: responses["getOwnWallet400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getAddressBalance: {
        parameters: {
            query: {
                /**
                 * A trading address.
                 * @example bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k
                 */
                address: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The balance */
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
                     *         "btcSatoshi": 80000,
                     *         "externalPendingSatoshi": 7000,
                     *         "pendingSatoshi": 0,
                     *         "totalUtxos": 3
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_AddressBalance;
                };
            };
            400: responses["getAddressBalance400"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getWalletDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The address of a sign-in wallet, or a trading address
                 * @example bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2
                 */
                userAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The trading wallet */
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
                     *         "tradingAddress": "bcrt1q299chf6perjwt3080vtr4hz2y7walady5ft86zttlangrnwecm3svvk4g8",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WalletDetails;
                };
            };
            400: responses["getWalletDetails400"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
