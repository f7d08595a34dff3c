// Generated from infra/openapi.json by `npm run generate`.

/**
 * Swaps between chains, and withdrawals through the hub.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    AddressText,
    Affiliate,
    CreateTransaction,
    CreatedWith_UnsignedTransaction_Notes,
    Envelope_TransactionStatus,
    MetaData,
    MetaDataWith_Polling,
    OkWith_TransactionPreview_Notes,
    PositiveUnits,
    SignTransaction,
    Timestamp,
    Units,
    headers,
} from './shared.js';
export type {
    AddressText,
    Affiliate,
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
    Timestamp,
    TransactionPreview,
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
export type Envelope_Affiliate = {
    /** @enum {string} */
    code: "1";
    data: Affiliate;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Registration = {
    /** @enum {string} */
    code: "1";
    data: Registration;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_SwapStatus = {
    /** @enum {string} */
    code: "1";
    data: SwapStatus;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_XchainRow = {
    /** @enum {string} */
    code: "1";
    data: ListedXchainRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** The tokens and amounts to exchange. */
export type Intent = {
    /** Amount sold, smallest unit. */
    inputAmount: Units;
    /** The token sold: its address on the source chain, or a rune id. */
    inputToken: TokenAddress;
    minOutputAmount: Units | null;
    outputToken: TokenAddress | null;
};

/** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
export type IntentHash = string;

/** One cross-chain transaction of a list. */
export type ListedXchainRow = {
    /** When the swap was registered or the withdrawal signed; ms since the epoch. */
    createdAt?: Timestamp;
    /**
     * Format: int64
     *
     * The hub's id of the destination chain; null if the service does not know it.
     */
    dstChain?: number | null;
    /**
     * Format: hub-text
     *
     * The step that failed.
     */
    failedAtStep?: string | null;
    /**
     * Format: hub-text
     *
     * The reason of the failure.
     */
    failureReason?: string | null;
    /**
     * Format: hub-text
     *
     * The transaction on the destination chain that filled it.
     */
    fillTxHash?: string | null;
    /** Format: xchain-id */
    id: string;
    /** The tokens and amounts of the exchange. */
    intent?: Intent;
    intentTxHash?: IntentHash | null;
    /**
     * Format: txid
     *
     * The withdrawal that this one replaces; null otherwise.
     */
    replaceTxId?: string | null;
    /**
     * Format: txid
     *
     * The withdrawal that its owner signed to replace this one; null otherwise.
     */
    replacedByTxId?: string | null;
    spokeTxHash?: TxHash | null;
    /**
     * Format: int64
     *
     * The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
     */
    srcChain?: number | null;
    status?: XchainStatus;
    /**
     * Format: address
     *
     * The address that pays, on its own chain; for a withdrawal the trading address.
     */
    tradingAddress?: string;
    /**
     * Format: transaction-id
     *
     * Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent.
     */
    txId?: string;
    type?: XchainType;
    /** When it last changed, ms since the epoch. */
    updatedAt?: Timestamp;
    /**
     * Format: address
     *
     * The wallet that started it. For a withdrawal, the sign-in wallet of its account, or the trading address
     *     if the account has none.
     */
    userAddress?: string;
    /**
     * Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
     *     it.
     */
    verified?: boolean;
    /**
     * Format: address
     *
     * The recipient's address.
     */
    withdrawTo?: string;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_OneXchainTransaction_Polling = {
    /** @enum {string} */
    code: "1";
    data: OneXchainTransaction;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** One cross-chain transaction. */
export type OneXchainTransaction = XchainRow & {
    /** All statuses so far, oldest first, including the current one. */
    history: StatusChange[];
};

/** Outcome of a registration. */
export type Registration = {
    /** False if the account has already registered the identical swap. */
    registered: boolean;
};

/** A single item, and when to poll for it again. */
export type Single_OneXchainTransaction = OkWith_OneXchainTransaction_Polling;

/** A change of a cross-chain transaction's state. */
export type StatusChange = {
    /** When the service learned of it, ms since the epoch. */
    at: Timestamp;
    /** The new state. */
    status: XchainStatus;
};

/**
 * A swap between chains other than Bitcoin, as registered by its owner and as found in the hub's record of
 *     its intent.
 */
export type Swap = {
    /** The address on the destination chain. */
    dstAddress: AddressText;
    /**
     * Format: int64
     *
     * The hub's id of the destination chain.
     */
    dstChain: number;
    /** Amount sold, smallest unit; at least 1. */
    inputAmount: PositiveUnits;
    /** The token sold: its address on the source chain. */
    inputToken: TokenAddress;
    /** Hash of the intent on the hub's chain. */
    intentTxHash: IntentHash;
    /** Minimum amount bought, smallest unit. */
    minOutputAmount: Units;
    /** The token bought: its address on the destination chain. */
    outputToken: TokenAddress;
    /** Hash of the transaction on the source chain. */
    spokeTxHash: TxHash;
    /** The address on the source chain. */
    srcAddress: AddressText;
    /**
     * Format: int64
     *
     * The hub's id of the source chain.
     */
    srcChain: number;
    /** The wallet that started it. */
    walletAddress: AddressText;
};

/** Status and history of a cross-chain transaction. */
export type SwapStatus = {
    /**
     * Format: int64
     *
     * The hub's id of the destination chain; null if the service does not know it.
     */
    dstChain: number | null;
    /**
     * Format: hub-text
     *
     * The step that failed, in the hub's words; `verification` if the hub's record of the intent differs
     *     from the registration, `bitcoin` if the Bitcoin transaction cannot confirm.
     */
    failedAtStep?: string | null;
    /**
     * Format: hub-text
     *
     * The reason of the failure.
     */
    failureReason?: string | null;
    /**
     * Format: hub-text
     *
     * The transaction on the destination chain that filled it.
     */
    fillTxHash?: string | null;
    /** All statuses so far, oldest first, including the current one. */
    history: StatusChange[];
    /** Whether the status is final. */
    isFinal: boolean;
    /**
     * Format: int64
     *
     * The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
     */
    srcChain: number | null;
    /** True if the hub could not be reached; the status is then the last known one. */
    stale: boolean;
    status: XchainStatus;
    /**
     * Format: transaction-id
     *
     * Swap: the hash of the intent. Withdrawal: the Bitcoin transaction id.
     */
    txId: string;
    /** When it last changed, ms since the epoch. */
    updatedAt: Timestamp;
    /** Whether the hub confirms the registration. */
    verified: boolean;
};

/** @example 0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
export type TokenAddress = string;

/** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
export type TxHash = string;

/** One cross-chain transaction of a list. */
export type XchainRow = {
    /** When the swap was registered or the withdrawal signed; ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int64
     *
     * The hub's id of the destination chain; null if the service does not know it.
     */
    dstChain: number | null;
    /**
     * Format: hub-text
     *
     * The step that failed.
     */
    failedAtStep: string | null;
    /**
     * Format: hub-text
     *
     * The reason of the failure.
     */
    failureReason: string | null;
    /**
     * Format: hub-text
     *
     * The transaction on the destination chain that filled it.
     */
    fillTxHash: string | null;
    /** Format: xchain-id */
    id: string;
    /** The tokens and amounts of the exchange. */
    intent: Intent;
    intentTxHash: IntentHash | null;
    /**
     * Format: txid
     *
     * The withdrawal that this one replaces; null otherwise.
     */
    replaceTxId: string | null;
    /**
     * Format: txid
     *
     * The withdrawal that its owner signed to replace this one; null otherwise.
     */
    replacedByTxId: string | null;
    spokeTxHash: TxHash | null;
    /**
     * Format: int64
     *
     * The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
     */
    srcChain: number | null;
    status: XchainStatus;
    /**
     * Format: address
     *
     * The address that pays, on its own chain; for a withdrawal the trading address.
     */
    tradingAddress: string;
    /**
     * Format: transaction-id
     *
     * Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent.
     */
    txId: string;
    type: XchainType;
    /** When it last changed, ms since the epoch. */
    updatedAt: Timestamp;
    /**
     * Format: address
     *
     * The wallet that started it. For a withdrawal, the sign-in wallet of its account, or the trading address
     *     if the account has none.
     */
    userAddress: string;
    /**
     * Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
     *     it.
     */
    verified: boolean;
    /**
     * Format: address
     *
     * The recipient's address.
     */
    withdrawTo: string;
};

/**
 * The state of a cross-chain transaction.
 * @enum {string}
 */
export type XchainStatus = "registered" | "pending" | "relaying" | "relayed" | "solving" | "filled" | "failed" | "refunded";

/**
 * The kind of a cross-chain transaction.
 * @enum {string}
 */
export type XchainType = "swap" | "xchain-withdraw";

export interface schemas {
    Envelope_Affiliate: Envelope_Affiliate;
    Envelope_Registration: Envelope_Registration;
    Envelope_SwapStatus: Envelope_SwapStatus;
    Envelope_Vec_XchainRow: Envelope_Vec_XchainRow;
    Intent: Intent;
    IntentHash: IntentHash;
    ListedXchainRow: ListedXchainRow;
    OkWith_OneXchainTransaction_Polling: OkWith_OneXchainTransaction_Polling;
    OneXchainTransaction: OneXchainTransaction;
    Registration: Registration;
    Single_OneXchainTransaction: Single_OneXchainTransaction;
    StatusChange: StatusChange;
    Swap: Swap;
    SwapStatus: SwapStatus;
    TokenAddress: TokenAddress;
    TxHash: TxHash;
    XchainRow: XchainRow;
    XchainStatus: XchainStatus;
    XchainType: XchainType;
}

export interface paths {
    "/api/xchain/affiliate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the affiliate fee of cross-chain swaps and the address that earns it.
         *
         * Returns the affiliate fee of cross-chain swaps and the address that earns it.
         */
        get: operations["getAffiliate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a withdrawal from the caller's trading address.
         *
         * The caller has ten minutes to sign it.
         *
         *     It spends no inscription and no rune other than the one withdrawn; other runes of the same coins return to
         *     the trading address. An OP_RETURN holds the SHA-256 of `xchainData`; for runes only if the deployment
         *     enables it.
         *
         *     With `replaceTxId` it replaces a withdrawal that waits in the mempool or that the network has refused for
         *     half an hour (BIP 125). It spends a coin of that withdrawal, so only one of the two can confirm.
         *
         *     The other types are those of `POST /api/transactions`.
         */
        post: operations["createXchainWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transaction/sign": {
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
         * A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
         *     returns its current status. `signing` and `broadcasting` mean that it is in progress; the service finishes
         *     it without another request.
         */
        post: operations["signXchainWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists cross-chain transactions, newest first: registered swaps and signed withdrawals.
         *
         * Filters can be combined freely; those by status, kind and chains work on up to 5,000 transactions of one address.
         *
         *     Relations: `inputToken` and `outputToken` are the token catalogue's entries or null; `token` is the same as
         *     `inputToken`.
         */
        get: operations["listXchainTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a swap between chains other than Bitcoin.
         *
         * Addresses and tokens are compared by the rules of their chains and need no proof: a registration counts only if the hub's record confirms it.
         *
         *     Each account that registers a swap follows it in its own history; the public list shows the swap once. A
         *     repeated registration with the same content returns `registered: false`. A swap that contradicts the hub's
         *     record is refused; a swap that the hub does not know yet is listed with `verified: false` until the hub
         *     knows it. A swap that failed because the hub did not know it within a day can be registered again.
         */
        post: operations["registerSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a cross-chain transaction with its history.
         *
         * `txId` is the hash of its intent, of its transaction on the source chain or, for a withdrawal, of the Bitcoin transaction.
         *
         *     If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
         *     caller's own; without a token, none.
         */
        get: operations["getXchainTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions/{txId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the status of a cross-chain transaction.
         *
         * `txId` is the hash of its intent, of its transaction on the source chain or, for a withdrawal, of the Bitcoin transaction.
         *
         *     If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
         *     caller's own.
         */
        get: operations["getSwapStatus"];
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
    getAffiliate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The fee */
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
                     *         "affiliateAddress": "0x00000000000000000000000000000000000000aa",
                     *         "feeBps": 25,
                     *         "feePercent": 0.25
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Affiliate;
                };
            };
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createXchainWithdrawal: {
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
                 *         "amount": "5000",
                 *         "tokenId": "0:0",
                 *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39",
                 *         "xchainData": "0xdeadbeef"
                 *       },
                 *       "type": "xchain-withdraw"
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
                     *           "feeRate": 6,
                     *           "totalFee": 2004
                     *         },
                     *         "inputs": [
                     *           {
                     *             "id": "9e9c565fd888b6907ede70e3247800899dba717c5e1ee6dbcfe3af740791fc17:0",
                     *             "runes": [],
                     *             "sats": 60000
                     *           },
                     *           {
                     *             "id": "ad6c956c4e2d6b7f82fe74fb42830e26f4d96d668f0b8e790accd832b464fd22:0",
                     *             "runes": [],
                     *             "sats": 60000
                     *           }
                     *         ],
                     *         "outputs": [
                     *           {
                     *             "address": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39",
                     *             "isOwn": false,
                     *             "runes": [],
                     *             "sats": 20000
                     *           },
                     *           {
                     *             "address": null,
                     *             "isOwn": false,
                     *             "runes": [],
                     *             "sats": 0
                     *           },
                     *           {
                     *             "address": "bcrt1q6a9vkn65esp2duy089f3px7l9fxum3wttzmndhr8y9fzdz57ezpqe6qnu6",
                     *             "isOwn": true,
                     *             "runes": [],
                     *             "sats": 97996
                     *           }
                     *         ],
                     *         "remaining": {
                     *           "runes": [],
                     *           "sats": 0
                     *         },
                     *         "vbytes": 334
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
                     *         "expiresInBlocks": 12958,
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
                     *         "base64Psbt": "cHNidP8BALQCAAAAATykcjqGrKjPUwdAxJ9oRwofTDs1Sb3xeKiwKnQVYM3TAAAAAAD9////A4gTAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk0AAAAAAAAAACJqIF94wzJ05D+p3lZZJlwdkX4lwDci3LC40n241f6qgTlTd24BAAAAAAAiACCBvNRIGLPKWdxqMqbMc4EWs36/I+mLz7iizL7oMmG71QAAAAAAAQEroIYBAAAAAAAiACCBvNRIGLPKWdxqMqbMc4EWs36/I+mLz7iizL7oMmG71QEDBAEAAAABBU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSECKA4OVUctNbFaCN451iN/4VDyVgEOqoIkbboyE2BiPRmsc2QCoDKyaAAAAAA=",
                     *         "expiresAt": 1795597314197,
                     *         "fee": {
                     *           "feeRate": 5,
                     *           "totalFee": 1185
                     *         },
                     *         "txId": "ff24ad807d8b78d8d8165376827ba163195b2ecc609c0a81a38b5caeeb2e8dc8",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "5000",
                     *         "coinsLeftAside": {
                     *           "immature": 0,
                     *           "inscribed": 0,
                     *           "notRead": 0,
                     *           "reserved": 0,
                     *           "unconfirmed": 0,
                     *           "unknown": 0
                     *         },
                     *         "currentPage": 1,
                     *         "expiresInBlocks": 12959,
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
            400: responses["createXchainWithdrawal400"];
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
    signXchainWithdrawal: {
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
                 *         "signedBase64Tx": "cHNidP8BALQCAAAAAfphN8idV0VN8GWzCfbWd/PRK7QdfC6EXL1j3CJngky5AAAAAAD9////AyBOAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk0AAAAAAAAAACJqIF94wzJ05D+p3lZZJlwdkX4lwDci3LC40n241f6qgTlT3zMBAAAAAAAiACBec2tcZai4mb4L7qlZ8zybrsz3F8j/6h99jfPzl8KwpwAAAAAAAQEroIYBAAAAAAAiACBec2tcZai4mb4L7qlZ8zybrsz3F8j/6h99jfPzl8KwpyICA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsRzBEAiBCgNKcAfLOCF23WIysYRnh6pF/t658bCVeMSLDUA1HGAIgTleIo7qaXL53Z/UiCGDbWzQKblXGuTHLesp/YC/1380BAQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQNmU+pTcdmq2SkAKgAGI6Y8jC7EtzjXRURzxuvCEcxwo6xzZAKgMrJoAAAAAA=="
                 *       },
                 *       "type": "xchain-withdraw"
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
                     *         "state": "signing",
                     *         "txId": "34c4c9eed3e5acce23a53d44076967141cc9f4ddff1f217c8a0593adca98033c"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_TransactionStatus;
                };
            };
            400: responses["signXchainWithdrawal400"];
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
    listXchainTransactions: {
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
                /** Only transactions whose tradingAddress, withdrawTo or userAddress is this address. */
                relatedAddress_eq?: string;
                /**
                 * Only transactions that exchange these two tokens, in either direction: two token addresses separated
                 *     by a comma.
                 */
                intentTokenPair_eq?: string;
                /** Only transactions that sell or buy this token. */
                intentToken_eq?: string;
                /** Only transactions with one of these statuses; requires `relatedAddress_eq`. */
                status_eq?: XchainStatus[];
                /** Only transactions of one of these kinds; requires `relatedAddress_eq`. */
                type_eq?: XchainType[];
                /** Only transactions from one of these chains, by the hub's ids; requires `relatedAddress_eq`. */
                srcChain_eq?: number[];
                /** Only transactions to one of these chains, by the hub's ids; requires `relatedAddress_eq`. */
                dstChain_eq?: number[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of cross-chain transactions */
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
                     *           "createdAt": 1795596985299,
                     *           "dstChain": null,
                     *           "id": "f5d1ba516d300a9753996d762a7e52740e1430661135c33525a594a34ed2c1cf",
                     *           "intent": {
                     *             "inputAmount": "10000",
                     *             "inputToken": "0:0",
                     *             "minOutputAmount": null,
                     *             "outputToken": null
                     *           },
                     *           "intentTxHash": null,
                     *           "spokeTxHash": null,
                     *           "srcChain": null,
                     *           "status": "pending",
                     *           "tradingAddress": "bcrt1qufyqql4lpr25sqyv32vjcj6vf9fjc7fl97zcj4kxp3z5ygf63qzss7rzvs",
                     *           "txId": "f5d1ba516d300a9753996d762a7e52740e1430661135c33525a594a34ed2c1cf",
                     *           "type": "xchain-withdraw",
                     *           "updatedAt": 1795596985299,
                     *           "userAddress": "bcrt1qufyqql4lpr25sqyv32vjcj6vf9fjc7fl97zcj4kxp3z5ygf63qzss7rzvs",
                     *           "verified": true,
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
                    "application/json": Envelope_Vec_XchainRow;
                };
            };
            400: responses["listXchainTransactions400"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerSwap: {
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
                 *       "dstAddress": "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
                 *       "dstChain": 8453,
                 *       "inputAmount": "1000000",
                 *       "inputToken": "0:0",
                 *       "intentTxHash": "0x110000000000000000000000000000000000000000000000000000000000000f",
                 *       "minOutputAmount": "990000",
                 *       "outputToken": "0:0",
                 *       "spokeTxHash": "0x220000000000000000000000000000000000000000000000000000000000000f",
                 *       "srcAddress": "0xb483d87d0ef3af2fadbe88ff7228b535f3875011",
                 *       "srcChain": 42161,
                 *       "walletAddress": "0xb483d87d0ef3af2fadbe88ff7228b535f3875011"
                 *     }
                 */
                "application/json": Swap;
            };
        };
        responses: {
            /** The swap is registered */
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
                     *         "registered": true
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Registration;
                };
            };
            400: responses["registerSwap400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            409: responses["registerSwap409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getXchainTransaction: {
        parameters: {
            query?: {
                /** The hub's id of the source chain, if `txId` is a transaction on it. */
                srcChain?: number;
            };
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The hash: 32 bytes in hex, or 32 or 64 in base58
                 * @example 0x1100000000000000000000000000000000000000000000000000000000000001
                 */
                txId: TxHash;
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
                     *         "createdAt": 1795596728079,
                     *         "dstChain": 8453,
                     *         "failedAtStep": null,
                     *         "failureReason": null,
                     *         "fillTxHash": null,
                     *         "history": [
                     *           {
                     *             "at": 1795596728079,
                     *             "status": "registered"
                     *           }
                     *         ],
                     *         "id": "01a211e7-b6d9-75e1-9a35-4a778a3d98ec",
                     *         "intent": {
                     *           "inputAmount": "1000000",
                     *           "inputToken": "0x00000000000000000000000000000000000000aa",
                     *           "minOutputAmount": "990000",
                     *           "outputToken": "0x00000000000000000000000000000000000000bb"
                     *         },
                     *         "intentTxHash": "0x1100000000000000000000000000000000000000000000000000000000000001",
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "spokeTxHash": "0x2200000000000000000000000000000000000000000000000000000000000001",
                     *         "srcChain": 42161,
                     *         "status": "registered",
                     *         "tradingAddress": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *         "txId": "0x1100000000000000000000000000000000000000000000000000000000000001",
                     *         "type": "swap",
                     *         "updatedAt": 1795596728079,
                     *         "userAddress": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *         "verified": false,
                     *         "withdrawTo": "0x00000000000000000000000000000000000000dd"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "pollAfterMs": 5000,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Single_OneXchainTransaction;
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
            400: responses["getXchainTransaction400"];
            404: responses["Error404_8003"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getSwapStatus: {
        parameters: {
            query?: {
                /** The hub's id of the source chain, if `txId` is a transaction on it. */
                srcChain?: number;
            };
            header?: never;
            path: {
                /**
                 * The hash: 32 bytes in hex, or 32 or 64 in base58
                 * @example 0x1100000000000000000000000000000000000000000000000000000000000002
                 */
                txId: TxHash;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Status of the transaction */
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
                     *         "dstChain": 8453,
                     *         "failedAtStep": "verification",
                     *         "failureReason": "The hub's record differs: dstChain.",
                     *         "history": [
                     *           {
                     *             "at": 1795596793130,
                     *             "status": "registered"
                     *           },
                     *           {
                     *             "at": 1795596824378,
                     *             "status": "failed"
                     *           }
                     *         ],
                     *         "isFinal": true,
                     *         "srcChain": 42161,
                     *         "stale": false,
                     *         "status": "failed",
                     *         "txId": "0x1100000000000000000000000000000000000000000000000000000000000002",
                     *         "updatedAt": 1795596824378,
                     *         "verified": false
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_SwapStatus;
                };
            };
            400: responses["getSwapStatus400"];
            401: responses["Unauthorized"];
            404: responses["Error404_8003"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
