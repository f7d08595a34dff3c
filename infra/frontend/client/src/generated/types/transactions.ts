// Generated from infra/openapi.json by `npm run generate`.

/**
 * Transactions of the trading wallet: withdrawals, renewals, replacements.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    BitcoinToken,
    CreateTransaction,
    CreatedWith_UnsignedTransaction_Notes,
    Envelope_TransactionStatus,
    FeeTarget,
    MetaData,
    MetaDataWith_Polling,
    OkWith_TransactionPreview_Notes,
    SignTransaction,
    Timestamp,
    TransactionProgress,
    TransactionState,
    Units,
    headers,
} from './shared.js';
export type {
    BitcoinToken,
    CreateTransaction,
    CreateTransactionRenewUtxo,
    CreateTransactionWithdraw,
    CreateTransactionXchainWithdraw,
    CreatedWith_UnsignedTransaction_Notes,
    Envelope_TransactionStatus,
    Fee,
    FeeTarget,
    LeftAside,
    MetaData,
    MetaDataWith_Notes,
    MetaDataWith_Polling,
    OkWith_TransactionPreview_Notes,
    PositiveUnits,
    PreviewInput,
    PreviewOutput,
    Remaining,
    RenewUtxoParams,
    RuneAmount,
    SignTransaction,
    SignedTransaction,
    StateSince,
    Timestamp,
    TransactionPreview,
    TransactionProgress,
    TransactionState,
    TransactionStatus,
    TransactionType,
    TransactionWarning,
    TransactionWarningKind,
    Units,
    UnsignedTransaction,
    WithdrawParams,
    XchainData,
    XchainWithdrawParams,
} from './shared.js';

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_LargestAmount = {
    /** @enum {string} */
    code: "1";
    data: LargestAmount;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_TransactionRow = {
    /** @enum {string} */
    code: "1";
    data: ListedTransactionRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/**
 * The kind of a transaction of an account.
 * @enum {string}
 */
export type Kind = "withdraw" | "xchain-withdraw" | "renew-utxo" | "virtual_mint" | "refund";

/** The largest amount that one transaction can pay now. */
export type LargestAmount = {
    /** Coins that it would spend. */
    coins: number;
    /**
     * Format: int64
     *
     * Its fee, in sats.
     */
    fee: number;
    /**
     * Format: double
     *
     * The fee rate of the transaction, in sat/vB.
     * @example 5.25
     */
    feeRate: number;
    /** Coins that it would not spend, by reason. */
    leftOut: LeftOut[];
    /** The amount in the token's smallest unit. */
    maxAmount: Units;
    /**
     * Format: int64
     *
     * Sats that the recipient can get; 0 if the token is a rune.
     */
    maxSatsAmt: number;
};

/** Coins that a transaction would not spend. */
export type LeftOut = {
    /** Number of coins. */
    coins: number;
    reason: Reason;
    /**
     * Format: int64
     *
     * Their total in sats.
     */
    sats: number;
};

/** A transaction of an account. */
export type ListedTransactionRow = {
    amount?: Units | null;
    /**
     * Format: int32
     *
     * The height of its block.
     */
    blockHeight?: number | null;
    /** When it was signed or, if it is unsigned, when it was created; ms since the epoch. */
    createdAt?: Timestamp;
    /**
     * Format: int64
     *
     * The fee, in sats.
     */
    feeSats?: number;
    /**
     * Format: txid
     *
     * Same as `txId`.
     */
    id: string;
    /**
     * Format: txid
     *
     * The transaction that it replaces.
     */
    replaceTxId?: string | null;
    /**
     * Format: txid
     *
     * The signed transaction that replaces it.
     */
    replacedByTxId?: string | null;
    state?: TransactionState;
    tokenId?: BitcoinToken | null;
    /** Format: txid */
    txId?: string;
    type?: Kind;
    /**
     * Format: address
     *
     * The recipient of a withdrawal; null for other kinds.
     */
    withdrawTo?: string | null;
};

/** Request body for the largest amount. */
export type MaxSpent = {
    params: MaxSpentParams;
    type: SpendType;
};

/** Parameters for the largest amount. */
export type MaxSpentParams = {
    feeTarget?: FeeTarget | null;
    /**
     * Format: int64
     *
     * The number of requests of a batch; the amount is a multiple of it.
     */
    requestCount?: number | null;
    /** The token: a rune id, or `0:0` for BTC; a mint accepts only BTC. */
    tokenId: BitcoinToken;
    /**
     * Format: bitcoin-address
     *
     * The recipient, whose address determines the weight of its output; by default, the heaviest output is
     *     assumed.
     */
    withdrawTo?: string | null;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_OneTransaction_Polling = {
    /** @enum {string} */
    code: "1";
    data: OneTransaction;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** One transaction of the caller. */
export type OneTransaction = TransactionRow & TransactionProgress;

/**
 * Why coins are not spent.
 * @enum {string}
 */
export type Reason = "notSpent" | "unconfirmed" | "immature" | "reserved" | "inscribed" | "unknown" | "notRead";

/** Request body of a replacement. */
export type ReplaceTransaction = {
    action: Replacement;
    /**
     * Format: double
     *
     * Instead of `feeTarget`: the fee rate in sat/vB, within `fees.range` of `GET /api/config`. If the network
     *     requires a higher fee of a replacement (BIP 125), the replacement pays what the network requires.
     * @example 12.5
     */
    feeRate?: number | null;
    feeTarget?: FeeTarget | null;
};

/**
 * The kind of a replacement.
 * @enum {string}
 */
export type Replacement = "bump" | "cancel";

/** A single item, and when to poll for it again. */
export type Single_OneTransaction = OkWith_OneTransaction_Polling;

/**
 * What the amount is for.
 * @enum {string}
 */
export type SpendType = "withdraw" | "xchain-withdraw" | "virtual_mint";

/** A transaction of an account. */
export type TransactionRow = {
    amount: Units | null;
    /**
     * Format: int32
     *
     * The height of its block.
     */
    blockHeight: number | null;
    /** When it was signed or, if it is unsigned, when it was created; ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int64
     *
     * The fee, in sats.
     */
    feeSats: number;
    /**
     * Format: txid
     *
     * Same as `txId`.
     */
    id: string;
    /**
     * Format: txid
     *
     * The transaction that it replaces.
     */
    replaceTxId: string | null;
    /**
     * Format: txid
     *
     * The signed transaction that replaces it.
     */
    replacedByTxId: string | null;
    state: TransactionState;
    tokenId: BitcoinToken | null;
    /** Format: txid */
    txId: string;
    type: Kind;
    /**
     * Format: address
     *
     * The recipient of a withdrawal; null for other kinds.
     */
    withdrawTo: string | null;
};

export interface schemas {
    Envelope_LargestAmount: Envelope_LargestAmount;
    Envelope_Vec_TransactionRow: Envelope_Vec_TransactionRow;
    Kind: Kind;
    LargestAmount: LargestAmount;
    LeftOut: LeftOut;
    ListedTransactionRow: ListedTransactionRow;
    MaxSpent: MaxSpent;
    MaxSpentParams: MaxSpentParams;
    OkWith_OneTransaction_Polling: OkWith_OneTransaction_Polling;
    OneTransaction: OneTransaction;
    Reason: Reason;
    ReplaceTransaction: ReplaceTransaction;
    Replacement: Replacement;
    Single_OneTransaction: Single_OneTransaction;
    SpendType: SpendType;
    TransactionRow: TransactionRow;
}

export interface paths {
    "/api/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's signed Bitcoin transactions of every kind, newest first.
         *
         * Filters work on up to 5,000 transactions.
         *
         *     With `state_eq=unsigned`, the list contains the transactions that wait for the caller's signature. They hold
         *     coins until they are signed or end.
         */
        get: operations["listBitcoinTransactions"];
        put?: never;
        /**
         * Creates a transaction of the caller's trading wallet.
         *
         * The transaction is a withdrawal through the hub or to a Bitcoin address, or a renewal of coins. The caller has ten minutes to sign it.
         *
         *     The transaction spends no inscription. Runes that it does not pay to the recipient return to the trading
         *     address.
         *
         *     - `xchain-withdraw` is the withdrawal of `POST /api/xchain/transaction`.
         *     - `withdraw` pays any Bitcoin address. Its only OP_RETURN is the runestone of a rune payment. The hub is not
         *       notified, and it appears in no public list. `amount: "max"` pays as much as one transaction can; the
         *       service calculates the amount and reserves the coins in one step.
         *     - `renew-utxo` returns coins to the trading address, so that their delay of 90 days begins again. Plain
         *       coins merge into one coin, and all their runes into another coin.
         */
        post: operations["createBitcoinTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/max-spent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the largest amount that one transaction of the caller's trading wallet can pay now.
         *
         * The request reserves nothing: a withdrawal with `amount: "max"` calculates the amount and reserves its coins in one step. Coins of unsigned transactions count, because the withdrawal ends those transactions.
         */
        post: operations["calculateMaxSpent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts the user's signatures of a withdrawal or renewal, adds the platform's and broadcasts the transaction.
         *
         * A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
         *     returns its current status. `signing` and `broadcasting` mean that it is in progress; the service finishes
         *     it without another request.
         */
        post: operations["signBitcoinTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one transaction of the caller, signed or not.
         *
         * Returns one transaction of the caller, signed or not.
         */
        get: operations["getBitcoinTransaction"];
        put?: never;
        post?: never;
        /**
         * Ends an unsigned transaction of the caller, of any kind, so that its coins are free again immediately.
         *
         * An ended refund counts as a refund that was not signed in time.
         *
         *     If the transaction has already ended, the response is the same. Repeating the request that created it with
         *     the same idempotency key then fails with 2015.
         */
        delete: operations["releaseBitcoinTransaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/{txId}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a replacement of an unconfirmed `withdraw` or `renew-utxo` transaction (BIP 125).
         *
         * The transaction to replace waits in the mempool, or the network has refused it for half an hour. Sign the
         *     replacement with `POST /api/transactions/sign`.
         *
         *     `bump` creates the same transaction at a higher fee. `cancel` returns a coin of the transaction to the
         *     trading address, so only one of the two can confirm; the network decides which. If the transaction has
         *     already been replaced, its newest version is replaced. An earlier unsigned replacement ends. A bump pays the
         *     same amount. If a withdrawal of BTC has no change and no other coin is free, the higher fee is taken from
         *     its amount: `metaData.amount` is the lower amount, and the response has the warning `amountLowered`.
         *
         *     A batch whose mint has ended without it (`notTaken`) can be cancelled too, but not bumped. This operation
         *     does not replace other transactions: a withdrawal through the hub is replaced by one with `replaceTxId`, a
         *     batch of an open mint by a further batch, a refund by the service itself.
         */
        post: operations["replaceBitcoinTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    listBitcoinTransactions: {
        parameters: {
            query?: {
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
                 * The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /**
                 * Only transactions in one of these states. Transactions that are not signed are listed only if `unsigned`
                 *     is among them.
                 */
                state_eq?: TransactionState[];
                /** Only transactions of one of these kinds. */
                type_eq?: Kind[];
                /** Only withdrawals of one of these tokens. */
                tokenId_eq?: BitcoinToken[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of transactions */
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
                     *           "amount": "20000",
                     *           "blockHeight": null,
                     *           "createdAt": 1795597659696,
                     *           "feeSats": 970,
                     *           "id": "53b5cf4f26473c0f527c85167e02eeaa12218f12faf9f77eaf9e057915404456",
                     *           "replaceTxId": null,
                     *           "replacedByTxId": null,
                     *           "state": "inMempool",
                     *           "tokenId": "0:0",
                     *           "txId": "53b5cf4f26473c0f527c85167e02eeaa12218f12faf9f77eaf9e057915404456",
                     *           "type": "withdraw",
                     *           "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 1,
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_TransactionRow;
                };
            };
            400: responses["listBitcoinTransactions400"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createBitcoinTransaction: {
        parameters: {
            query?: {
                /**
                 * With `true`, the request is checked and planned as usual, and the response with status 200 shows the
                 *     transaction that it would create. Nothing is created, no coin is reserved, no draft ends, and
                 *     `Idempotency-Key` is ignored. It counts against the limit of wallet reads, not against that of
                 *     transactions.
                 */
                dryRun?: boolean;
            };
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
                 *       "params": {
                 *         "amount": "40000",
                 *         "tokenId": "0:0",
                 *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39"
                 *       },
                 *       "type": "withdraw"
                 *     }
                 */
                "application/json": CreateTransaction;
            };
        };
        responses: {
            /** With `dryRun`: the transaction that would be created */
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
                     *         "fee": {
                     *           "feeRate": 5,
                     *           "totalFee": 2530
                     *         },
                     *         "inputs": [
                     *           {
                     *             "id": "75ced5fc4c0048fd0b3a8e918e4419801a85ee01b82aee89f34ee3d613a26472:1",
                     *             "runes": [
                     *               {
                     *                 "amount": "1000",
                     *                 "name": "WANTEDWANTEDWANTED"
                     *               }
                     *             ],
                     *             "sats": 10000
                     *           },
                     *           {
                     *             "id": "e1d396ab365ee398047d4fe73e91a02821785c6d3fd8197cbb174c566306844f:0",
                     *             "runes": [],
                     *             "sats": 50000
                     *           },
                     *           {
                     *             "id": "390293fcf5ee7d69b0f56a4f1ee5ddb5a84cff88e4d8d752a05ada0e684aa459:0",
                     *             "runes": [],
                     *             "sats": 90000
                     *           },
                     *           {
                     *             "id": "76e587ccf35a68b8c3886d713d2fc9f4e19d6d0336b5af70a5a3214bd66cc9f6:0",
                     *             "runes": [],
                     *             "sats": 20000
                     *           }
                     *         ],
                     *         "outputs": [
                     *           {
                     *             "address": null,
                     *             "isOwn": false,
                     *             "runes": [],
                     *             "sats": 0
                     *           },
                     *           {
                     *             "address": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39",
                     *             "isOwn": false,
                     *             "runes": [
                     *               {
                     *                 "amount": "1000",
                     *                 "name": "WANTEDWANTEDWANTED"
                     *               }
                     *             ],
                     *             "sats": 546
                     *           },
                     *           {
                     *             "address": "bcrt1qsjld28jgtn7hqe47jl8cd46weqth4wh63jmvat3sv90h0qmghpfsqp2qhx",
                     *             "isOwn": true,
                     *             "runes": [],
                     *             "sats": 166924
                     *           }
                     *         ],
                     *         "remaining": {
                     *           "runes": [],
                     *           "sats": 0
                     *         },
                     *         "vbytes": 506
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "1000",
                     *         "coinsLeftAside": {
                     *           "immature": 0,
                     *           "inscribed": 1,
                     *           "notRead": 0,
                     *           "reserved": 0,
                     *           "unconfirmed": 0,
                     *           "unknown": 0
                     *         },
                     *         "currentPage": 1,
                     *         "expiresInBlocks": 12950,
                     *         "left": 0,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": OkWith_TransactionPreview_Notes;
                };
            };
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
                     *         "base64Psbt": "cHNidP8BAIkCAAAAAUwFnz5xniFB3wfM3SQjtucAiRovp0NfFuj9i1FCOn9oAAAAAAD9////AkCcAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk1UEAAAAAAAACIAIBMFXZzlcJZgw++OoXj5Ncvya32TTwzZfElMmCRW9rK9AAAAAAABAStQwwAAAAAAACIAIBMFXZzlcJZgw++OoXj5Ncvya32TTwzZfElMmCRW9rK9AQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQPnuAwUaoyRKTTiv/ARrqCX2VW0pqWpW3WMLMyBimGEwqxzZAKgMrJoAAAA",
                     *         "expiresAt": 1795597581161,
                     *         "fee": {
                     *           "feeRate": 30,
                     *           "totalFee": 5820
                     *         },
                     *         "txId": "e0c2699a8bf0cc17a7e6bf013d65cadfb885e18902799a5047530cf64daa36ca",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "40000",
                     *         "coinsLeftAside": {
                     *           "immature": 0,
                     *           "inscribed": 1,
                     *           "notRead": 0,
                     *           "reserved": 0,
                     *           "unconfirmed": 1,
                     *           "unknown": 0
                     *         },
                     *         "currentPage": 1,
                     *         "expiresInBlocks": 12957,
                     *         "left": 0,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": [
                     *           {
                     *             "kind": "feeShareHigh",
                     *             "message": "The fee is more than a tenth of the amount."
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": CreatedWith_UnsignedTransaction_Notes;
                };
            };
            400: responses["createBitcoinTransaction400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            404: responses["Error404_2017"];
            409: responses["Error409_1010_1011_2016_2021_2023"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    calculateMaxSpent: {
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
                 *       "params": {
                 *         "tokenId": "0:0"
                 *       },
                 *       "type": "xchain-withdraw"
                 *     }
                 */
                "application/json": MaxSpent;
            };
        };
        responses: {
            /** The largest amount */
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
                     *         "coins": 2,
                     *         "fee": 1455,
                     *         "feeRate": 5,
                     *         "leftOut": [
                     *           {
                     *             "coins": 1,
                     *             "reason": "inscribed",
                     *             "sats": 10000
                     *           }
                     *         ],
                     *         "maxAmount": "78545",
                     *         "maxSatsAmt": 78545
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_LargestAmount;
                };
            };
            400: responses["calculateMaxSpent400"];
            401: responses["listAccounts401"];
            409: responses["calculateMaxSpent409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    signBitcoinTransaction: {
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
                 *       "params": {
                 *         "signedBase64Tx": "cHNidP8BAF4CAAAAAcPo1YYYzQk53JgfhumFIhSYnlO2S8aTvWV2SczhtjzyAAAAAAD9////Aa7YAAAAAAAAIgAgPN++O9z5ErMQEYFAhs2O9j0viHIkcOwCWQshlxVIsxgAAAAAAAEBK2DqAAAAAAAAIgAgPN++O9z5ErMQEYFAhs2O9j0viHIkcOwCWQshlxVIsxgiAgOgxGf/0qV/MTWk87JA8d3rDPhkrxkGFhKOJ1/MgsBSrEcwRAIgGsrWupDYESQDX+uQq7TFc1qLiA31Ld9/7nEMdziy66kCIBnqGcmZM5osnKAlS6JAK0XETNysSMrAbpgfHAQreNXXAQEDBAEAAAABBU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSECh+xv7PnLPdpg35YuyzXI5FGe5RXXIHpGFOtpRSD8WnCsc2QCoDKyaAAA"
                 *       }
                 *     }
                 */
                "application/json": SignTransaction;
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
                     *         "txId": "20968e3b8bbd691ea4191bcf1993d51e6ce3686d8531e34beec10a18c4340206"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TransactionStatus;
                };
            };
            400: responses["signBitcoinTransaction400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            409: responses["Error409_1010_1011_2016"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The transaction
                 * @example 34a3f278e97b17563abb800dad9c088a8dc7a6078746f4b0c31e1491da19d5b2
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The transaction */
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
                     *         "amount": "10000",
                     *         "base64Psbt": null,
                     *         "blockHeight": 112,
                     *         "confirmations": 1,
                     *         "createdAt": 1795645254246,
                     *         "expiresAt": null,
                     *         "feeSats": 970,
                     *         "history": [
                     *           {
                     *             "at": 1795645254246,
                     *             "state": "unsigned"
                     *           },
                     *           {
                     *             "at": 1795645254283,
                     *             "state": "signing"
                     *           },
                     *           {
                     *             "at": 1795645254312,
                     *             "state": "broadcasting"
                     *           },
                     *           {
                     *             "at": 1795645254322,
                     *             "state": "inMempool"
                     *           },
                     *           {
                     *             "at": 1795645315542,
                     *             "state": "confirmed"
                     *           }
                     *         ],
                     *         "id": "34a3f278e97b17563abb800dad9c088a8dc7a6078746f4b0c31e1491da19d5b2",
                     *         "isFinal": false,
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "state": "confirmed",
                     *         "tokenId": "0:0",
                     *         "txId": "34a3f278e97b17563abb800dad9c088a8dc7a6078746f4b0c31e1491da19d5b2",
                     *         "type": "withdraw",
                     *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "pollAfterMs": 30000,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Single_OneTransaction;
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
            400: responses["getBitcoinTransaction400"];
            401: responses["Unauthorized"];
            404: responses["Error404_2019"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    releaseBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The transaction
                 * @example 0cf859cb6a1863de314da06c57acff5940b11971fbfb0f7263f721fa4992562b
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The transaction, `expired` */
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
                     *         "state": "expired",
                     *         "txId": "0cf859cb6a1863de314da06c57acff5940b11971fbfb0f7263f721fa4992562b"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TransactionStatus;
                };
            };
            400: responses["releaseBitcoinTransaction400"];
            401: responses["listAccounts401"];
            404: responses["Error404_2019"];
            409: responses["releaseBitcoinTransaction409"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    replaceBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Any text chosen by the client. Within 24 hours the same request with the same key gets the first
                 *     response again. It gets 409 while the first request is in progress, or if the body differs.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The transaction
                 * @example c3800d0bcb05cad0ba3e9e324f0575ec3bf8296c02a23186ba5797786b9b37bc
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "bump"
                 *     }
                 */
                "application/json": ReplaceTransaction;
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
                     *         "base64Psbt": "cHNidP8BAIkCAAAAAVkSfN6vqMizOfvWN21kfcCaKJrYrZj9p1IFGnm45sYVAAAAAAD9////AiBOAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk30MwEAAAAAACIAINcgiHiM+r7Yd62+LGM4yhLPjAspa24X14dHIF8+eaBzAAAAAAABASughgEAAAAAACIAINcgiHiM+r7Yd62+LGM4yhLPjAspa24X14dHIF8+eaBzAQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQLaUdljRDGFZPoBcSQa8R9m9GVgw7xHaGpiuifsD5CiSaxzZAKgMrJoAAAA",
                     *         "expiresAt": 1795597577230,
                     *         "fee": {
                     *           "feeRate": 6,
                     *           "totalFee": 1164
                     *         },
                     *         "txId": "28bca0be5c923dea17d6790fa619b6d608969f3fd83738d55b372954b384fcce",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "20000",
                     *         "coinsLeftAside": {
                     *           "immature": 0,
                     *           "inscribed": 0,
                     *           "notRead": 0,
                     *           "reserved": 0,
                     *           "unconfirmed": 1,
                     *           "unknown": 0
                     *         },
                     *         "currentPage": 1,
                     *         "expiresInBlocks": 12959,
                     *         "left": 0,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": CreatedWith_UnsignedTransaction_Notes;
                };
            };
            400: responses["replaceBitcoinTransaction400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            404: responses["replaceBitcoinTransaction404"];
            409: responses["Error409_1010_1011_2016_2021_2023"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
}
