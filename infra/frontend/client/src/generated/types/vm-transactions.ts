// Generated from infra/openapi.json by `npm run generate`.

/**
 * Virtual mints and the batches of requests in them.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Envelope_UnsignedTransaction,
    EtchedRune,
    MetaData,
    MetaDataWith_NoMetaData,
    MetaDataWith_Polling,
    MintId,
    OkWith_TransactionPreview_Notes,
    OkWith_Vec_EventItem_EventsMeta,
    PositiveUnits,
    RefundState,
    Timestamp,
    Units,
    headers,
} from './shared.js';
export type {
    CoinsRenewalAdvisedEvent,
    CoinsRenewalNeededEvent,
    DepositConfirmedEvent,
    DepositSeenEvent,
    Envelope_UnsignedTransaction,
    EtchedRune,
    EventItem,
    ExportCompletedEvent,
    ExportFailedEvent,
    Fee,
    LeftAside,
    MetaData,
    MetaDataWith_EventsMeta,
    MetaDataWith_NoMetaData,
    MetaDataWith_Notes,
    MetaDataWith_Polling,
    MintId,
    MintStateChangedEvent,
    OkWith_TransactionPreview_Notes,
    OkWith_Vec_EventItem_EventsMeta,
    PositiveUnits,
    PreviewInput,
    PreviewOutput,
    RefundState,
    RefundStateChangedEvent,
    Remaining,
    RuneAmount,
    SessionEndedEvent,
    Timestamp,
    TransactionPreview,
    TransactionStateChangedEvent,
    TransactionWarning,
    TransactionWarningKind,
    Units,
    UnsignedTransaction,
    VmBlockFilledEvent,
    VmTransactionStateChangedEvent,
    XchainStatusChangedEvent,
} from './shared.js';

/** Requests of a VM transaction in one virtual block. */
export type BlockOfTransaction = {
    /**
     * Format: int32
     *
     * The height of its Bitcoin block.
     */
    height: number;
    /**
     * Format: int64
     *
     * Number of requests that it took.
     */
    requests: number;
};

/** Request body of a mint. */
export type CreateMint = {
    /**
     * Format: int64
     *
     * When the mint closes, ms since the epoch: later than now and than `opensAt`.
     */
    closesAt: number;
    /**
     * Format: int64
     *
     * The lowest price of a request, in sats.
     */
    minSatsPerRequest: number;
    /**
     * Format: int64
     *
     * When the mint opens, ms since the epoch. If missing, it opens immediately.
     */
    opensAt?: number | null;
    /**
     * Format: bitcoin-address
     *
     * The Bitcoin address that receives the payments for taken requests.
     */
    proceedsAddress: string;
    /**
     * Format: int64
     *
     * The maximum number of requests that one virtual block takes; at most `totalRequests`.
     */
    requestsPerBlock: number;
    /** The rune. The pool must hold the tokens of all requests. */
    runeId: EtchedRune;
    /** Tokens per request, in the rune's smallest unit; at least 1. */
    tokensPerRequest: PositiveUnits;
    /**
     * Format: int64
     *
     * Total number of requests.
     */
    totalRequests: number;
};

/** Request body of a batch. */
export type CreateVmTransaction = {
    /**
     * Format: int64
     *
     * Number of requests.
     */
    requestCount: number;
    /** The rune to mint. */
    runeId: EtchedRune;
    /**
     * Format: int64
     *
     * Their total price in sats: a multiple of `requestCount`.
     */
    satsNewRequests: number;
    /**
     * Format: address
     *
     * One of the caller's own addresses.
     */
    userAddress: string;
};

/** A response with status 201 that carries further information about the created item in `metaData`. */
export type CreatedWith_VmTransactionStatus_NoMetaData = {
    /** @enum {string} */
    code: "1";
    data: VmTransactionStatus;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the created item. */
    metaData: MetaDataWith_NoMetaData;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_MintRow = {
    /** @enum {string} */
    code: "1";
    data: MintRow;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_UnconfirmedRequests = {
    /** @enum {string} */
    code: "1";
    data: UnconfirmedRequests;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_MintRow = {
    /** @enum {string} */
    code: "1";
    data: ListedMintRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_VirtualBlockRow = {
    /** @enum {string} */
    code: "1";
    data: ListedVirtualBlockRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_VmTransactionRow = {
    /** @enum {string} */
    code: "1";
    data: ListedVmTransactionRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** A mint as clients see it. */
export type ListedMintRow = {
    /** When the mint closes, ms since the epoch. */
    closesAt?: Timestamp;
    /** When the mint was created, ms since the epoch. */
    createdAt?: Timestamp;
    id: MintId;
    /**
     * Format: int64
     *
     * The lowest price of a request, in sats.
     */
    minSatsPerRequest?: number;
    /** When the mint opens, ms since the epoch. */
    opensAt?: Timestamp;
    /**
     * Format: bitcoin-address
     *
     * The address that sends the runes.
     */
    poolAddress?: string;
    /**
     * Format: bitcoin-address
     *
     * The Bitcoin address that receives the payments for taken requests.
     */
    proceedsAddress?: string;
    /**
     * Format: int64
     *
     * Number of its requests in virtual blocks.
     */
    requestsInBlocksCount?: number;
    /**
     * Format: int64
     *
     * Number of its requests that wait for a virtual block.
     */
    requestsInMempoolCount?: number;
    /**
     * Format: int64
     *
     * The maximum number of requests that one virtual block takes.
     */
    requestsPerBlock?: number;
    /**
     * Format: rune-id
     *
     * The rune to mint.
     */
    runeId?: string;
    /**
     * Format: rune-name
     *
     * Name of the rune, with spacers.
     */
    runeName?: string;
    state?: MintState;
    /** Tokens per request, in the rune's smallest unit. */
    tokensPerRequest?: Units;
    /**
     * Format: int64
     *
     * Total number of requests.
     */
    totalRequests?: number;
    /**
     * Format: bitcoin-address
     *
     * The address that commitments pay.
     */
    treasuryAddress?: string;
};

/** A virtual block that has taken requests. */
export type ListedVirtualBlockRow = {
    /**
     * Format: int64
     *
     * The average price of its requests, in sats, rounded down.
     */
    averagePrice?: number;
    /**
     * Format: int64
     *
     * Batches that have requests in it.
     */
    batches?: number;
    /** Whether it is seven blocks deep: a reorganisation of six blocks cannot change it. */
    final?: boolean;
    /**
     * Format: int32
     *
     * The height of its Bitcoin block.
     */
    height?: number;
    /**
     * Format: int64
     *
     * The highest price of a request in it, in sats.
     */
    highestPrice?: number;
    /**
     * Format: number
     *
     * Its height, as text.
     */
    id: string;
    /**
     * Format: int64
     *
     * The lowest price of a request in it, in sats.
     */
    lowestPrice?: number;
    /**
     * Format: int64
     *
     * Number of requests that it took.
     */
    requests?: number;
};

/** One VM transaction of a list. */
export type ListedVmTransactionRow = {
    /**
     * Format: psbt
     *
     * The PSBT as issued or, once both keys have signed, the transaction; base64.
     */
    base64Tx?: string | null;
    /** Same as `timestamp`. */
    createdAt?: Timestamp;
    distributeRuneAt?: Timestamp | null;
    /**
     * Format: txid
     *
     * The transaction that sent its runes.
     */
    distributeRuneTxId?: string | null;
    /**
     * Format: txid
     *
     * Same as `txId`.
     */
    id: string;
    /** Whether a refund can be created for it. */
    isRefundable?: boolean;
    mintId?: MintId;
    /**
     * Format: int64
     *
     * Amount paid for requests that no virtual block took, in sats; set once that is final. A refund pays it
     *     back, less its fee.
     */
    notTakenSats?: number;
    /**
     * Format: int64
     *
     * Amount that its own confirmed commitment paid, in sats.
     */
    paidSats?: number;
    refundState?: RefundState;
    /**
     * Format: txid
     *
     * The transaction that refunds it.
     */
    refundTxId?: string | null;
    /**
     * Format: txid
     *
     * The VM transaction that this one replaces.
     */
    replaceTxId?: string | null;
    /**
     * Format: txid
     *
     * The VM transaction that replaced this one.
     */
    replacedByTxId?: string | null;
    /**
     * Format: int64
     *
     * Number of requests taken over from replaced VM transactions.
     */
    replacedRequestsCount?: number;
    /**
     * Format: int64
     *
     * Number of its requests in virtual blocks.
     */
    requestsInBlocksCount?: number;
    /**
     * Format: int64
     *
     * Number of its requests that wait for a virtual block; 0 if it is not active.
     */
    requestsInMempoolCount?: number;
    /** The rune to mint. */
    runeId?: EtchedRune;
    /**
     * Format: int64
     *
     * Total price of its new requests, in sats.
     */
    satsNewRequests?: number;
    /**
     * Format: int64
     *
     * Price of each new request, in sats.
     */
    satsPerNewRequest?: number;
    /**
     * Format: int64
     *
     * Total price of the requests taken over, in sats.
     */
    satsPreviousRequests?: number;
    /** Its state. */
    state?: VmState;
    /** When it was created or, if signed, when it was signed; ms since the epoch. */
    timestamp?: Timestamp;
    /**
     * Format: bitcoin-address
     *
     * The address that pays for it and receives refunds and runes.
     */
    tradingAddress?: string;
    transferBtcAt?: Timestamp | null;
    /**
     * Format: txid
     *
     * The transaction that moved its payment out of the treasury.
     */
    transferBtcTxId?: string | null;
    /**
     * Format: txid
     *
     * Txid of the commitment.
     */
    txId?: string;
    /**
     * Format: distribution-id
     *
     * The distribution that includes it.
     */
    vmDistributionId?: string | null;
};

/** A mint as clients see it. */
export type MintRow = {
    /** When the mint closes, ms since the epoch. */
    closesAt: Timestamp;
    /** When the mint was created, ms since the epoch. */
    createdAt: Timestamp;
    id: MintId;
    /**
     * Format: int64
     *
     * The lowest price of a request, in sats.
     */
    minSatsPerRequest: number;
    /** When the mint opens, ms since the epoch. */
    opensAt: Timestamp;
    /**
     * Format: bitcoin-address
     *
     * The address that sends the runes.
     */
    poolAddress: string;
    /**
     * Format: bitcoin-address
     *
     * The Bitcoin address that receives the payments for taken requests.
     */
    proceedsAddress: string;
    /**
     * Format: int64
     *
     * Number of its requests in virtual blocks.
     */
    requestsInBlocksCount: number;
    /**
     * Format: int64
     *
     * Number of its requests that wait for a virtual block.
     */
    requestsInMempoolCount: number;
    /**
     * Format: int64
     *
     * The maximum number of requests that one virtual block takes.
     */
    requestsPerBlock: number;
    /**
     * Format: rune-id
     *
     * The rune to mint.
     */
    runeId: string;
    /**
     * Format: rune-name
     *
     * Name of the rune, with spacers.
     */
    runeName: string;
    state: MintState;
    /** Tokens per request, in the rune's smallest unit. */
    tokensPerRequest: Units;
    /**
     * Format: int64
     *
     * Total number of requests.
     */
    totalRequests: number;
    /**
     * Format: bitcoin-address
     *
     * The address that commitments pay.
     */
    treasuryAddress: string;
};

/**
 * The state of a mint.
 *
 *     ```text
 *     open ──▶ mintedOut ──▶ distributed
 *       └────▶ failed
 *     ```
 * @enum {string}
 */
export type MintState = "open" | "mintedOut" | "failed" | "distributed";

/** The next virtual block of a mint, if everything in the mempool confirms in its Bitcoin block. */
export type NextVirtualBlock = {
    /**
     * Format: int64
     *
     * Their average price, in sats, rounded down; null if there are none.
     */
    averagePrice: number | null;
    /** The waiting requests of the 200 highest prices, highest first. */
    byPrice: RequestsAtPrice[];
    /**
     * Format: int32
     *
     * The height of its Bitcoin block; null if the mint has no further block, or if the worker has not
     *     processed the mint yet.
     */
    height: number | null;
    /**
     * Format: int64
     *
     * Their highest price, in sats; null if there are none.
     */
    highestPrice: number | null;
    /**
     * Format: int64
     *
     * Their lowest price, in sats; null if there are none.
     */
    lowestPrice: number | null;
    /**
     * Format: int64
     *
     * The lowest price at which it also takes `requestCount` further requests, in sats each; null if it has no
     *     room for them. If the mint has more than half of the bids that it can have, at least the price that a further
     *     bid must offer.
     */
    priceToEnter: number | null;
    /**
     * Format: int64
     *
     * Number of requests that it takes.
     */
    requests: number;
    revision: OutlookRevision | null;
    /**
     * Format: int64
     *
     * The maximum number of requests that it can take.
     */
    room: number;
    /** All waiting requests. */
    waiting: WaitingRequests;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_MintRow_Polling = {
    /** @enum {string} */
    code: "1";
    data: MintRow;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_NextVirtualBlock_Polling = {
    /** @enum {string} */
    code: "1";
    data: NextVirtualBlock;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_OneVmTransaction_Polling = {
    /** @enum {string} */
    code: "1";
    data: OneVmTransaction;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** One VM transaction, with its prices and its virtual blocks. */
export type OneVmTransaction = VmTransactionRow & {
    /**
     * The virtual blocks that contain its requests, newest first; at most 100, and fewer if the batch is in
     *     very many blocks. `requestsInBlocksCount` counts all its requests in virtual blocks. A reorganisation
     *     can change those of the last six Bitcoin blocks.
     */
    blocks: BlockOfTransaction[];
    /**
     * Its requests by price. Requests of the VM transactions that it replaces come first, in the order of
     *     their creation.
     */
    prices: RequestsOfTransaction[];
};

/** The newest Bitcoin block that was applied. */
export type OutlookRevision = {
    /**
     * Format: block-hash
     *
     * Its hash.
     */
    hash: string;
    /**
     * Format: int32
     *
     * Its height.
     */
    height: number;
};

/** Requests that wait at one price. */
export type RequestsAtPrice = {
    /**
     * Format: int64
     *
     * Number of these requests whose commitment is in a Bitcoin block.
     */
    confirmed: number;
    /**
     * Format: int64
     *
     * The price of each request, in sats.
     */
    price: number;
    /**
     * Format: int64
     *
     * Number of requests.
     */
    requests: number;
};

/** Requests of a VM transaction at one price. */
export type RequestsOfTransaction = {
    /**
     * Format: int64
     *
     * Number of these requests that are in virtual blocks.
     */
    inBlocks: number;
    /**
     * Format: int64
     *
     * The price of each request, in sats.
     */
    price: number;
    /**
     * Format: int64
     *
     * Number of requests.
     */
    requests: number;
};

/** Request body of a batch's signature. */
export type SignVmTransaction = {
    /**
     * Format: psbt
     *
     * The PSBT as issued, with the user's signature on every input: base64 or hex.
     */
    signedBase64Tx: string;
    /**
     * Format: address
     *
     * The address that created the batch.
     */
    userAddress: string;
};

/** A single item, and when to poll for it again. */
export type Single_MintRow = OkWith_MintRow_Polling;

/** A single item, and when to poll for it again. */
export type Single_NextVirtualBlock = OkWith_NextVirtualBlock_Polling;

/** A single item, and when to poll for it again. */
export type Single_OneVmTransaction = OkWith_OneVmTransaction_Polling;

/** Requests for one rune that wait for a virtual block. */
export type UnconfirmedOfRune = {
    /**
     * Format: int64
     *
     * Number of requests.
     */
    count: number;
    /** Format: rune-id */
    runeId: string;
};

/** Requests that wait for a virtual block. */
export type UnconfirmedRequests = {
    /** The same by rune; runes without requests are omitted. */
    byRune: UnconfirmedOfRune[];
    /**
     * Format: int64
     *
     * Number of requests.
     */
    count: number;
};

/**
 * The state of a VM transaction.
 *
 *     ```text
 *     unsigned ─▶ broadcasting ◀─▶ allInMempool ◀─▶ partiallyInBlock ◀─▶ allInBlock
 *        ▼              └─────────────────┴──────┬───────┴────┼──────────────┘ │
 *     expired                                    ▼            ▼                ▼
 *                        allInMempool ◀─ replaced, failed    distributing ◀────┘
 *                                                             ▼
 *                                                            distributed
 *     ```
 *
 *     When a mint ends, a batch becomes `notTaken` if it still waits or if no block took any of its requests. The
 *     payment of its commitment is refunded once this is final; until then, the batch can still become `replaced`
 *     or `failed`.
 *
 *     Mempool and blocks are virtual. When a reorganisation of the chain removes a commitment's block, the state
 *     goes back too. A `replaced` or `failed` VM transaction can return as long as its commitment can still
 *     confirm.
 * @enum {string}
 */
export type VmState = "unsigned" | "broadcasting" | "allInMempool" | "partiallyInBlock" | "allInBlock" | "distributing" | "distributed" | "notTaken" | "expired" | "replaced" | "failed";

/** One VM transaction of a list. */
export type VmTransactionRow = {
    /**
     * Format: psbt
     *
     * The PSBT as issued or, once both keys have signed, the transaction; base64.
     */
    base64Tx: string | null;
    /** Same as `timestamp`. */
    createdAt: Timestamp;
    distributeRuneAt: Timestamp | null;
    /**
     * Format: txid
     *
     * The transaction that sent its runes.
     */
    distributeRuneTxId: string | null;
    /**
     * Format: txid
     *
     * Same as `txId`.
     */
    id: string;
    /** Whether a refund can be created for it. */
    isRefundable: boolean;
    mintId: MintId;
    /**
     * Format: int64
     *
     * Amount paid for requests that no virtual block took, in sats; set once that is final. A refund pays it
     *     back, less its fee.
     */
    notTakenSats: number;
    /**
     * Format: int64
     *
     * Amount that its own confirmed commitment paid, in sats.
     */
    paidSats: number;
    refundState: RefundState;
    /**
     * Format: txid
     *
     * The transaction that refunds it.
     */
    refundTxId: string | null;
    /**
     * Format: txid
     *
     * The VM transaction that this one replaces.
     */
    replaceTxId: string | null;
    /**
     * Format: txid
     *
     * The VM transaction that replaced this one.
     */
    replacedByTxId: string | null;
    /**
     * Format: int64
     *
     * Number of requests taken over from replaced VM transactions.
     */
    replacedRequestsCount: number;
    /**
     * Format: int64
     *
     * Number of its requests in virtual blocks.
     */
    requestsInBlocksCount: number;
    /**
     * Format: int64
     *
     * Number of its requests that wait for a virtual block; 0 if it is not active.
     */
    requestsInMempoolCount: number;
    /** The rune to mint. */
    runeId: EtchedRune;
    /**
     * Format: int64
     *
     * Total price of its new requests, in sats.
     */
    satsNewRequests: number;
    /**
     * Format: int64
     *
     * Price of each new request, in sats.
     */
    satsPerNewRequest: number;
    /**
     * Format: int64
     *
     * Total price of the requests taken over, in sats.
     */
    satsPreviousRequests: number;
    /** Its state. */
    state: VmState;
    /** When it was created or, if signed, when it was signed; ms since the epoch. */
    timestamp: Timestamp;
    /**
     * Format: bitcoin-address
     *
     * The address that pays for it and receives refunds and runes.
     */
    tradingAddress: string;
    transferBtcAt: Timestamp | null;
    /**
     * Format: txid
     *
     * The transaction that moved its payment out of the treasury.
     */
    transferBtcTxId: string | null;
    /**
     * Format: txid
     *
     * Txid of the commitment.
     */
    txId: string;
    /**
     * Format: distribution-id
     *
     * The distribution that includes it.
     */
    vmDistributionId: string | null;
};

/** Status of a VM transaction. */
export type VmTransactionStatus = {
    state: VmState;
    /**
     * Format: txid
     *
     * Txid of the commitment.
     */
    txId: string;
};

/** Requests that wait for a virtual block. */
export type WaitingRequests = {
    /**
     * Format: int64
     *
     * Number of requests.
     */
    requests: number;
    /**
     * Format: int64
     *
     * Their total price, in sats.
     */
    sats: number;
};

export interface schemas {
    BlockOfTransaction: BlockOfTransaction;
    CreateMint: CreateMint;
    CreateVmTransaction: CreateVmTransaction;
    CreatedWith_VmTransactionStatus_NoMetaData: CreatedWith_VmTransactionStatus_NoMetaData;
    Envelope_MintRow: Envelope_MintRow;
    Envelope_UnconfirmedRequests: Envelope_UnconfirmedRequests;
    Envelope_Vec_MintRow: Envelope_Vec_MintRow;
    Envelope_Vec_VirtualBlockRow: Envelope_Vec_VirtualBlockRow;
    Envelope_Vec_VmTransactionRow: Envelope_Vec_VmTransactionRow;
    ListedMintRow: ListedMintRow;
    ListedVirtualBlockRow: ListedVirtualBlockRow;
    ListedVmTransactionRow: ListedVmTransactionRow;
    MintRow: MintRow;
    MintState: MintState;
    NextVirtualBlock: NextVirtualBlock;
    OkWith_MintRow_Polling: OkWith_MintRow_Polling;
    OkWith_NextVirtualBlock_Polling: OkWith_NextVirtualBlock_Polling;
    OkWith_OneVmTransaction_Polling: OkWith_OneVmTransaction_Polling;
    OneVmTransaction: OneVmTransaction;
    OutlookRevision: OutlookRevision;
    RequestsAtPrice: RequestsAtPrice;
    RequestsOfTransaction: RequestsOfTransaction;
    SignVmTransaction: SignVmTransaction;
    Single_MintRow: Single_MintRow;
    Single_NextVirtualBlock: Single_NextVirtualBlock;
    Single_OneVmTransaction: Single_OneVmTransaction;
    UnconfirmedOfRune: UnconfirmedOfRune;
    UnconfirmedRequests: UnconfirmedRequests;
    VmState: VmState;
    VmTransactionRow: VmTransactionRow;
    VmTransactionStatus: VmTransactionStatus;
    WaitingRequests: WaitingRequests;
}

export interface paths {
    "/api/vm-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists signed VM transactions, newest first.
         *
         * With a token and `state_eq=unsigned` or `expired`, it lists the caller's own. An invalid token is then a 401; in other requests it is ignored.
         *
         *     Filters can be combined, except for `tradingAddress_eq` with `userAddress_eq`. Pages of one rune, of one
         *     mint, of one address, or of the states of a rune take the same time however long the list is. Other
         *     combinations work on up to 5,000 rows, and states of very many runes require `runeId_eq`. With
         *     `state_eq=allInMempool`, pages sorted by `satsPerNewRequest` also take the same time however many batches
         *     wait: they are the bids of open mints.
         */
        get: operations["listVmTransactions"];
        put?: never;
        /**
         * Creates a batch of requests: a Bitcoin transaction that pays the mint's treasury.
         *
         * The caller has ten minutes to sign it.
         *
         *     If the account's previous batch for the same rune is unconfirmed, the new one replaces it and pays for the
         *     requests of both (BIP 125). The same holds if the network has refused the previous batch for half an hour,
         *     or has dropped it and not accepted it again for as long. Until the transaction expires, the same request
         *     returns the same transaction; a different request supersedes it.
         */
        post: operations["createVmTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/count-unconfirmed-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the requests of open mints that the network has accepted and no virtual block has taken.
         *
         * Counts the requests of open mints that the network has accepted and no virtual block has taken.
         */
        get: operations["countUnconfirmedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/mints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists mints, newest first.
         *
         * The filter by state works on up to 5,000 mints.
         */
        get: operations["listMints"];
        put?: never;
        /**
         * Creates a mint. Admins only.
         *
         * A rune can have one mint at a time, and the pool must hold its tokens. The rune's etching must be seven blocks deep.
         */
        post: operations["createMint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/mints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one mint.
         *
         * Returns one mint.
         */
        get: operations["getMint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/mints/{id}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the virtual blocks of a mint that have taken requests, newest first.
         *
         * A reorganisation can change virtual blocks that are not final.
         */
        get: operations["listVirtualBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/mints/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes a mint now instead of at its scheduled time. Admins only.
         *
         * Closing a closed mint changes nothing.
         *
         *     The newest block is the last one that can contain its requests. Seven blocks later it is final whether
         *     every request was taken.
         */
        post: operations["closeMint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/mints/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes to the virtual blocks and the state of a mint, oldest first.
         *
         * Events are numbered 1, 2, 3 without gaps and kept for 90 days.
         */
        get: operations["listMintEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/mints/{id}/next-block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the next virtual block of a mint: the requests that it would take now, and the price to enter it.
         *
         * The worker computes it every minute and after each block, with the 1,000 batches in the mempool whose new requests have the highest prices.
         */
        get: operations["getNextVirtualBlock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/sign": {
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
         * A refused transaction was not broadcast, and its coins are free again. If the mint has become crowded since the
         *     batch was created, its price may no longer be enough. Signing the same transaction again returns its current
         *     status. `broadcasting` means that it is in progress; the service finishes it without
         *     another request.
         */
        post: operations["signVmTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one VM transaction.
         *
         * Only its owner can read it while it is unsigned or expired.
         */
        get: operations["getVmTransaction"];
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
    listVmTransactions: {
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
                 * Only rows in one of these states. `unsigned` and `expired` return only the caller's own rows, and
                 *     require `runeId_eq`.
                 * @example [
                 *       "distributed"
                 *     ]
                 */
                state_eq?: VmState[];
                /**
                 * Only rows of this rune.
                 * @example 117:1
                 */
                runeId_eq?: EtchedRune;
                /** Only rows of one of these mints. A rune can have several mints, one after the other. */
                mintId_eq?: MintId[];
                /** Only rows paid from this trading address. */
                tradingAddress_eq?: string;
                /** Only rows that this address created. */
                userAddress_eq?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of VM transactions */
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
                     *           "base64Tx": "AgAAAAABARUHRH75lTuHgq75to/ZTGP3V/Grly638CxnpoTmJ8crAAAAAAD9////AhAnAAAAAAAAFgAUGMTeFAy1yV0gQCeRblZrMxW/lNMCXAEAAAAAACIAIO7hriKuAoprLCqfM8G832zHk0cDAJlXn6MTS5tg1tsoA0gwRQIhAO6seENy4FxI/8g882dg2hbosYEkHXQW1rpSajwSCCaTAiAw7JC9m8Y1uAiXEDYjgiFbSYI69Wwn3qgWGUMCdocR2AFHMEQCICydIOHOITibespxCC8Sl9as085MC1F2aGM1xsnExwZ2AiBGBXEqxHZ4VwCRfw1mF1iYVXLrK9j0d9kaaTVvwuYpIwFNIQL7zy0bbdwDibQvryqNOTY6SBN832Ae3r1DvjshZ83Xu60hAvTE9qnMOb4dlOxNI+nppLnBZ0br5X2+4qRT/7502t8nrHNkAqAysmgAAAAA",
                     *           "createdAt": 1795596494375,
                     *           "distributeRuneAt": 1795596618522,
                     *           "distributeRuneTxId": "18128ee2ffa5c999ad00643e4f05667874273ed63a9ee5d0c473301f1ff22ee9",
                     *           "id": "2ae2a2a924c44b0d440812710d77e55b5dd13032aa244307f604e5a930c9158d",
                     *           "isRefundable": false,
                     *           "mintId": "01a211e4-22f7-787a-af18-8448802f0f8d",
                     *           "notTakenSats": 5000,
                     *           "paidSats": 10000,
                     *           "refundState": "refunded",
                     *           "refundTxId": "28a59d6d02a6003210609780a76d81bce76b9fa19e413d3a11521cae1d7dfaa9",
                     *           "replaceTxId": null,
                     *           "replacedByTxId": null,
                     *           "replacedRequestsCount": 0,
                     *           "requestsInBlocksCount": 2,
                     *           "requestsInMempoolCount": 0,
                     *           "runeId": "117:1",
                     *           "satsNewRequests": 10000,
                     *           "satsPerNewRequest": 2500,
                     *           "satsPreviousRequests": 0,
                     *           "state": "distributed",
                     *           "timestamp": 1795596494375,
                     *           "tradingAddress": "bcrt1qams6ug4wq29xktp2nueur0xldnrex3crqzv408arzd9ekcxkmv5qg652hh",
                     *           "transferBtcAt": 1795596618611,
                     *           "transferBtcTxId": "1f7c31698f38d1d6b9fb4ff0e5a014bf2af51f1c842fab1ae0189bae82fb6e64",
                     *           "txId": "2ae2a2a924c44b0d440812710d77e55b5dd13032aa244307f604e5a930c9158d",
                     *           "vmDistributionId": "01a211e4-22f7-787a-af18-8448802f0f8d-1"
                     *         },
                     *         {
                     *           "base64Tx": "AgAAAAABAeAcPpzDpX+xRWShOfLGKlezBljT4+zsix3sabqiYL/FAAAAAAD9////AigjAAAAAAAAFgAUGMTeFAy1yV0gQCeRblZrMxW/lNPqXwEAAAAAACIAIPn4Yds8S3LSB1CHciFhK3GCDJZMP1884xWhLxYkqbNNA0cwRAIgU+Olffu+Zp4qcGq6QCUC47n0OLdVbeYGou4Pl0TZ+7cCIBiAS1aRFrODbtNyBDVs7nyXtDOi4Gy2+mpGDS0Y68mTAUgwRQIhAJf6+Y9NtyO+0FBNp6P5b+ANQ3JA+1h+I0/C+6u7nTsNAiAvMr52I803ZnIn++dxy8Ng5eOW2Y7F2HfDBQD6sN4zNQFNIQOgxGf/0qV/MTWk87JA8d3rDPhkrxkGFhKOJ1/MgsBSrK0hAvTE9qnMOb4dlOxNI+nppLnBZ0br5X2+4qRT/7502t8nrHNkAqAysmgAAAAA",
                     *           "createdAt": 1795596494274,
                     *           "distributeRuneAt": 1795596618522,
                     *           "distributeRuneTxId": "18128ee2ffa5c999ad00643e4f05667874273ed63a9ee5d0c473301f1ff22ee9",
                     *           "id": "572041d50fe1b734fe683c34f9fe00022132ac9c3d8ba759737a449fd833a678",
                     *           "isRefundable": false,
                     *           "mintId": "01a211e4-22f7-787a-af18-8448802f0f8d",
                     *           "notTakenSats": 0,
                     *           "paidSats": 9000,
                     *           "refundState": "none",
                     *           "refundTxId": null,
                     *           "replaceTxId": null,
                     *           "replacedByTxId": null,
                     *           "replacedRequestsCount": 0,
                     *           "requestsInBlocksCount": 3,
                     *           "requestsInMempoolCount": 0,
                     *           "runeId": "117:1",
                     *           "satsNewRequests": 9000,
                     *           "satsPerNewRequest": 3000,
                     *           "satsPreviousRequests": 0,
                     *           "state": "distributed",
                     *           "timestamp": 1795596494274,
                     *           "tradingAddress": "bcrt1ql8uxrkeufdedyp6ssaezzcftwxpqe9jv8a0necc45yh3vf9fkdxsaw2rpy",
                     *           "transferBtcAt": 1795596618611,
                     *           "transferBtcTxId": "1f7c31698f38d1d6b9fb4ff0e5a014bf2af51f1c842fab1ae0189bae82fb6e64",
                     *           "txId": "572041d50fe1b734fe683c34f9fe00022132ac9c3d8ba759737a449fd833a678",
                     *           "vmDistributionId": "01a211e4-22f7-787a-af18-8448802f0f8d-1"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 2,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_VmTransactionRow;
                };
            };
            400: responses["listVmTransactions400"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createVmTransaction: {
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
                 *       "requestCount": 2,
                 *       "runeId": "117:1",
                 *       "satsNewRequests": 2000,
                 *       "userAddress": "0x73CEB339294a2206e651fcD555028872F0B80C9A"
                 *     }
                 */
                "application/json": CreateVmTransaction;
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
                     *           "totalFee": 910
                     *         },
                     *         "inputs": [
                     *           {
                     *             "id": "c1ba684dc65ac1180dad968a10765e467051576f4659e520c2815963cbc37f3b:0",
                     *             "runes": [],
                     *             "sats": 100000
                     *           }
                     *         ],
                     *         "outputs": [
                     *           {
                     *             "address": "bcrt1qu9g0vutap2h6rxj5qj2njpnj036g0n2wf89hle",
                     *             "isOwn": false,
                     *             "runes": [],
                     *             "sats": 8000
                     *           },
                     *           {
                     *             "address": "bcrt1qhgusrzc7zlhfwqzhakuga6tzmpzy2vne8ksc247cyrey5n82l42sgaxwhx",
                     *             "isOwn": true,
                     *             "runes": [],
                     *             "sats": 91090
                     *           }
                     *         ],
                     *         "remaining": {
                     *           "runes": [],
                     *           "sats": 0
                     *         },
                     *         "vbytes": 182
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "8000",
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
                     *         "base64Psbt": "cHNidP8BAH0CAAAAAb3tL0jvLptToxRXRErxI+21OC8vxcimpxHMheVQ+eSMAAAAAAD9////AtAHAAAAAAAAFgAUDV1SFORzrWm1qn1oh1VZjQbZ7iZCewEAAAAAACIAIE7WYgWmGaZWsCYdPzn44DNVKdizelDlDruyn58dl8rnAAAAAAABASughgEAAAAAACIAIE7WYgWmGaZWsCYdPzn44DNVKdizelDlDruyn58dl8rnAQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQJf48+9OcQM6LS1flySr5CGgbdaVm9C0ro1VcJuXsMYjaxzZAKgMrJoAAAA",
                     *         "expiresAt": 1795597648311,
                     *         "fee": {
                     *           "feeRate": 5,
                     *           "totalFee": 910
                     *         },
                     *         "txId": "3093799afd05fa9199d05b15bd634bb619ec58d9dd60b47527c4320a8bc453d3",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_UnsignedTransaction;
                };
            };
            400: responses["createVmTransaction400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            409: responses["createVmTransaction409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    countUnconfirmedRequests: {
        parameters: {
            query?: {
                /** Only requests for this rune. */
                runeId?: EtchedRune;
                /** Only requests that this address created. */
                userAddress?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The count */
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
                     *         "byRune": [
                     *           {
                     *             "count": 1,
                     *             "runeId": "117:1"
                     *           }
                     *         ],
                     *         "count": 1
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_UnconfirmedRequests;
                };
            };
            400: responses["countUnconfirmedRequests400"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listMints: {
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
                /** Only mints of this rune. */
                runeId_eq?: EtchedRune;
                /** Only mints in one of these states. */
                state_eq?: MintState[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of mints */
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
                     *           "closesAt": 1795597145150,
                     *           "createdAt": 1795597019523,
                     *           "id": "01a211ec-295a-74cc-a779-f7d1b470aba7",
                     *           "minSatsPerRequest": 1000,
                     *           "opensAt": 1795597019482,
                     *           "poolAddress": "bcrt1q2nelx89zlphe5v7427rurdptdrfkdv34gq30v4",
                     *           "proceedsAddress": "bcrt1pyj07exfa0275nh8mu00u7gfkjl9drtpjjvwz59muyyd4wy4shx5q9gxgnz",
                     *           "requestsInBlocksCount": 0,
                     *           "requestsInMempoolCount": 4,
                     *           "requestsPerBlock": 4,
                     *           "runeId": "117:1",
                     *           "runeName": "VIRTUAL•MINT•RUNE",
                     *           "state": "open",
                     *           "tokensPerRequest": "1000",
                     *           "totalRequests": 4,
                     *           "treasuryAddress": "bcrt1qv3qg2gld8gj9wtd80997eawyuhalkzkhs9u6j9"
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
                    "application/json": Envelope_Vec_MintRow;
                };
            };
            400: responses["listMints400"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createMint: {
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
                 *       "closesAt": 1795600683509,
                 *       "minSatsPerRequest": 1000,
                 *       "proceedsAddress": "bcrt1pyj07exfa0275nh8mu00u7gfkjl9drtpjjvwz59muyyd4wy4shx5q9gxgnz",
                 *       "requestsPerBlock": 1,
                 *       "runeId": "117:1",
                 *       "tokensPerRequest": "1000",
                 *       "totalRequests": 1
                 *     }
                 */
                "application/json": CreateMint;
            };
        };
        responses: {
            /** The mint */
            201: {
                headers: {
                    "Idempotent-Replayed": headers["Idempotent-Replayed"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "closesAt": 1795600683509,
                     *         "createdAt": 1795597145597,
                     *         "id": "01a211ee-15eb-7c51-9b2a-ad4fcf5bda5b",
                     *         "minSatsPerRequest": 1000,
                     *         "opensAt": 1795597145579,
                     *         "poolAddress": "bcrt1qwp4gyrlf0776fj69xdvln77wp7s9hljahntyjw",
                     *         "proceedsAddress": "bcrt1pyj07exfa0275nh8mu00u7gfkjl9drtpjjvwz59muyyd4wy4shx5q9gxgnz",
                     *         "requestsInBlocksCount": 0,
                     *         "requestsInMempoolCount": 0,
                     *         "requestsPerBlock": 1,
                     *         "runeId": "117:1",
                     *         "runeName": "VIRTUAL•MINT•RUNE",
                     *         "state": "open",
                     *         "tokensPerRequest": "1000",
                     *         "totalRequests": 1,
                     *         "treasuryAddress": "bcrt1q6dkr6vcnyrleczf0jhymcwd2aex0zvgeyz7tpx"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_MintRow;
                };
            };
            400: responses["createMint400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            409: responses["createMint409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getMint: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The mint
                 * @example 01a211f6-8a39-7bbf-b52a-e3ebd4f31346
                 */
                id: MintId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The mint */
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
                     *         "closesAt": 1795684099613,
                     *         "createdAt": 1795597699748,
                     *         "id": "01a211f6-8a39-7bbf-b52a-e3ebd4f31346",
                     *         "minSatsPerRequest": 1000,
                     *         "opensAt": 1795597699641,
                     *         "poolAddress": "bcrt1qr4ara7lt5swvnmng7r7uqyyzp548ddtfsts6vv",
                     *         "proceedsAddress": "bcrt1pyj07exfa0275nh8mu00u7gfkjl9drtpjjvwz59muyyd4wy4shx5q9gxgnz",
                     *         "requestsInBlocksCount": 10,
                     *         "requestsInMempoolCount": 25,
                     *         "requestsPerBlock": 10,
                     *         "runeId": "117:1",
                     *         "runeName": "VIRTUAL•MINT•RUNE",
                     *         "state": "open",
                     *         "tokensPerRequest": "1000",
                     *         "totalRequests": 30,
                     *         "treasuryAddress": "bcrt1qp7exnf3fs7xffn59j6u73r7hxaeqy8ctpsa3rv"
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
                    "application/json": Single_MintRow;
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
            400: responses["getMint400"];
            404: responses["Error404_6008"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listVirtualBlocks: {
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
            };
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The mint
                 * @example 01a211ed-3541-7b07-ac4c-6edf7f4d97e2
                 */
                id: MintId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of virtual blocks */
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
                     *       "data": [
                     *         {
                     *           "averagePrice": 1500,
                     *           "batches": 1,
                     *           "final": true,
                     *           "height": 125,
                     *           "highestPrice": 1500,
                     *           "id": "125",
                     *           "lowestPrice": 1500,
                     *           "requests": 6
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_VirtualBlockRow;
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
            400: responses["listVirtualBlocks400"];
            404: responses["Error404_6008"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    closeMint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The mint
                 * @example 01a211ec-295a-74cc-a779-f7d1b470aba7
                 */
                id: MintId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The mint */
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
                     *         "closesAt": 1795597145150,
                     *         "createdAt": 1795597019523,
                     *         "id": "01a211ec-295a-74cc-a779-f7d1b470aba7",
                     *         "minSatsPerRequest": 1000,
                     *         "opensAt": 1795597019482,
                     *         "poolAddress": "bcrt1q2nelx89zlphe5v7427rurdptdrfkdv34gq30v4",
                     *         "proceedsAddress": "bcrt1pyj07exfa0275nh8mu00u7gfkjl9drtpjjvwz59muyyd4wy4shx5q9gxgnz",
                     *         "requestsInBlocksCount": 0,
                     *         "requestsInMempoolCount": 4,
                     *         "requestsPerBlock": 4,
                     *         "runeId": "117:1",
                     *         "runeName": "VIRTUAL•MINT•RUNE",
                     *         "state": "open",
                     *         "tokensPerRequest": "1000",
                     *         "totalRequests": 4,
                     *         "treasuryAddress": "bcrt1qv3qg2gld8gj9wtd80997eawyuhalkzkhs9u6j9"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_MintRow;
                };
            };
            400: responses["closeMint400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_6008"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listMintEvents: {
        parameters: {
            query?: {
                /**
                 * Only events after the one with this number: `metaData.next` of the previous response, or 0. Without it,
                 *     the list begins with the oldest event that is kept.
                 * @example 2
                 */
                after?: number;
                /** The maximum number of events in the response; 100 by default. */
                limit?: number;
                /** Only events of these types, separated by comma or space. */
                types?: string;
            };
            header?: never;
            path: {
                /**
                 * The mint
                 * @example 01a2123d-b4be-7a6b-83ed-101664548997
                 */
                id: MintId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Events */
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
                     *           "data": {
                     *             "after": 0,
                     *             "before": 1,
                     *             "mintId": "01a2123d-b4be-7a6b-83ed-101664548997"
                     *           },
                     *           "id": "mint-01a2123d-b4be-7a6b-83ed-101664548997-3",
                     *           "sequence": 3,
                     *           "timestamp": 1795602486979,
                     *           "type": "vmBlock.filled"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "newest": 3,
                     *         "next": 3,
                     *         "oldest": 1,
                     *         "pageSize": 1,
                     *         "pollAfterMs": 5000,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_EventItem_EventsMeta;
                };
            };
            400: responses["listMintEvents400"];
            404: responses["Error404_6008"];
            410: responses["Error410_1101"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getNextVirtualBlock: {
        parameters: {
            query?: {
                /** The number of requests that `priceToEnter` applies to; 1 by default. */
                requestCount?: number;
            };
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The mint
                 * @example 01a214ce-5b43-7d42-83a5-5e5cc6abe9b6
                 */
                id: MintId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The next virtual block */
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
                     *         "averagePrice": 1200,
                     *         "byPrice": [
                     *           {
                     *             "confirmed": 4,
                     *             "price": 1200,
                     *             "requests": 4
                     *           }
                     *         ],
                     *         "height": 127,
                     *         "highestPrice": 1200,
                     *         "lowestPrice": 1200,
                     *         "priceToEnter": 1000,
                     *         "requests": 4,
                     *         "revision": {
                     *           "hash": "19ab90caf3428cb44244d7331782b2ead692df97d20ef46f3e8b1e1dbff820ec",
                     *           "height": 126
                     *         },
                     *         "room": 10,
                     *         "waiting": {
                     *           "requests": 4,
                     *           "sats": 4800
                     *         }
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
                    "application/json": Single_NextVirtualBlock;
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
            400: responses["getNextVirtualBlock400"];
            404: responses["Error404_6008"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    signVmTransaction: {
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
                 *       "signedBase64Tx": "cHNidP8BAH0CAAAAAb3tL0jvLptToxRXRErxI+21OC8vxcimpxHMheVQ+eSMAAAAAAD9////AtAHAAAAAAAAFgAUDV1SFORzrWm1qn1oh1VZjQbZ7iZCewEAAAAAACIAIE7WYgWmGaZWsCYdPzn44DNVKdizelDlDruyn58dl8rnAAAAAAABASughgEAAAAAACIAIE7WYgWmGaZWsCYdPzn44DNVKdizelDlDruyn58dl8rnIgIDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqxIMEUCIQC5jdkyLI6CemyG/cYOHm03RwRVrzOhOipEz91HqM6P9QIgZh5XZmRsX8t8DLPoXoRidX7R2IdUAaMeFL8e8Ao+Qv0BAQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQJf48+9OcQM6LS1flySr5CGgbdaVm9C0ro1VcJuXsMYjaxzZAKgMrJoAAAA",
                 *       "userAddress": "0x73CEB339294a2206e651fcD555028872F0B80C9A"
                 *     }
                 */
                "application/json": SignVmTransaction;
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
                     *         "state": "allInMempool",
                     *         "txId": "3093799afd05fa9199d05b15bd634bb619ec58d9dd60b47527c4320a8bc453d3"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": CreatedWith_VmTransactionStatus_NoMetaData;
                };
            };
            400: responses["signVmTransaction400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            409: responses["signVmTransaction409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getVmTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * Txid of the commitment
                 * @example f1e0742089f8512433d40686b2216d417be620e906884254067afb0c37c8fc52
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The VM transaction */
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
                     *         "base64Tx": "AgAAAAABArDdIrY75mR2OOHZF95xLp+q6bC+hWoO3gX0MMyoBLFcAAAAAAD9////8DFJv4STZhPKOGycnQz353melHr2QwCN4jAEHpkfyIsAAAAAAP3///8CoEEAAAAAAAAWABTJ+vElYwxj4q8erjlgKy8C4SLcq//DAgAAAAAAIgAgYtubvYwdbPuQyUrpYJYI+5S5cc7039hkcEJg7zSQ02gDRzBEAiBEdLV88sGbriFK/scfBA1vURpnEeg9r1AU44YPQQPKXAIgfoN29QhT37wW1p6v98Oc99hqc189fbgiUAZYqeonfW8BRzBEAiAZ0wVedG9Oxdeykxa4c2c0kndfmMoabLaZ8oUTl5VNWgIgFusy+CKKP+KGJQYaHHfqi3BOQu9S5qgMQMj3r/PfrTUBTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQOMUBepnYu3gwc3XAJnmp0+vrK+3Q4lEzEOltlsHf0CjaxzZAKgMrJoA0cwRAIgH9kWvMfJHqSpHwna5wPVCoOgjuLjsTaUHIdKEWlJxe0CIHmXhLQCH6Ju3xsmsWJNxXXR5c/8Yo/RJdkO2cbIxiMRAUcwRAIgXRwKSCmjPdjtuplEd6H+xTI3DGVcqp27dsT/4no9xuQCIGrxp0/5+QAnwSOG9ouaVZ8uX7WvRLAS/Nxeec1TM0vpAU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSEDjFAXqZ2Lt4MHN1wCZ5qdPr6yvt0OJRMxDpbZbB39Ao2sc2QCoDKyaAAAAAA=",
                     *         "blocks": [
                     *           {
                     *             "height": 126,
                     *             "requests": 7
                     *           }
                     *         ],
                     *         "createdAt": 1795645446406,
                     *         "distributeRuneAt": null,
                     *         "distributeRuneTxId": null,
                     *         "id": "f1e0742089f8512433d40686b2216d417be620e906884254067afb0c37c8fc52",
                     *         "isRefundable": false,
                     *         "mintId": "01a214cf-150f-7fe9-ab17-a3f85b971ae4",
                     *         "notTakenSats": 0,
                     *         "paidSats": 16800,
                     *         "prices": [
                     *           {
                     *             "inBlocks": 0,
                     *             "price": 1000,
                     *             "requests": 6
                     *           },
                     *           {
                     *             "inBlocks": 3,
                     *             "price": 2000,
                     *             "requests": 3
                     *           },
                     *           {
                     *             "inBlocks": 4,
                     *             "price": 1200,
                     *             "requests": 4
                     *           }
                     *         ],
                     *         "refundState": "none",
                     *         "refundTxId": null,
                     *         "replaceTxId": "a353f05785fce71a8a39348a3f89d29685e4ed8a00a567a1ad2829b88610e827",
                     *         "replacedByTxId": null,
                     *         "replacedRequestsCount": 9,
                     *         "requestsInBlocksCount": 7,
                     *         "requestsInMempoolCount": 6,
                     *         "runeId": "117:1",
                     *         "satsNewRequests": 4800,
                     *         "satsPerNewRequest": 1200,
                     *         "satsPreviousRequests": 12000,
                     *         "state": "partiallyInBlock",
                     *         "timestamp": 1795645446406,
                     *         "tradingAddress": "bcrt1qvtdeh0vvr4k0hyxfft5kp9sglw2tjuww7n0asersgfsw7dys6d5qdtw3z2",
                     *         "transferBtcAt": null,
                     *         "transferBtcTxId": null,
                     *         "txId": "f1e0742089f8512433d40686b2216d417be620e906884254067afb0c37c8fc52",
                     *         "vmDistributionId": null
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
                    "application/json": Single_OneVmTransaction;
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
            400: responses["getVmTransaction400"];
            401: responses["Unauthorized"];
            404: responses["getVmTransaction404"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
