// Generated from infra/openapi.json by `npm run generate`.

/**
 * What admins read to answer questions about other accounts; each read is recorded.
 *
 * @packageDocumentation
 */

import type {
    FailedProofs,
    OkWith_Vec_ActivityRow_ActivityMeta,
} from './account.js';
import type {
    Envelope_Vec_DownloadHistory,
    ExportStatus,
} from './download-histories.js';
import type {
    responses,
} from './errors.js';
import type {
    AccountId,
    AuthMethod,
    BitcoinToken,
    EmailAddress,
    MetaData,
    MetaDataWith_Polling,
    MintId,
    OwnedAddress,
    Role,
    Timestamp,
    TransactionProgress,
    TransactionState,
    Wallet,
    headers,
} from './shared.js';
import type {
    DepositState,
    Envelope_Vec_DepositRow,
} from './trading-wallet.js';
import type {
    Envelope_Vec_TransactionRow,
    Kind,
    TransactionRow,
} from './transactions.js';
import type {
    Envelope_Vec_VmTransactionRow,
} from './vm-transactions.js';
import type {
    AccountEventType,
    OkWith_Vec_WebhookDelivery_DeliveriesMeta,
    SentId,
    WebhookFailures,
    WebhookId,
    WebhookOff,
    WebhookState,
} from './webhooks.js';
import type {
    Envelope_Vec_XchainRow,
    XchainStatus,
    XchainType,
} from './xchain.js';
export type {
    Change,
    FailedProofs,
    ListedActivityRow,
    MetaDataWith_ActivityMeta,
    OkWith_Vec_ActivityRow_ActivityMeta,
} from './account.js';
export type {
    Envelope_Vec_DownloadHistory,
    ExportFormat,
    ExportId,
    ExportStatus,
    HistoryChain,
    HistoryFilter,
    HistoryType,
    ListedDownloadHistory,
} from './download-histories.js';
export type {
    AccountId,
    AuthMethod,
    BitcoinToken,
    Chain,
    EmailAddress,
    EtchedRune,
    MetaData,
    MetaDataWith_Polling,
    MintId,
    OwnedAddress,
    RefundState,
    Role,
    SessionId,
    StateSince,
    Timestamp,
    TransactionProgress,
    TransactionState,
    Units,
    Wallet,
} from './shared.js';
export type {
    DepositState,
    Envelope_Vec_DepositRow,
    HeldRune,
    ListedDepositRow,
    More,
} from './trading-wallet.js';
export type {
    Envelope_Vec_TransactionRow,
    Kind,
    ListedTransactionRow,
    TransactionRow,
} from './transactions.js';
export type {
    Envelope_Vec_VmTransactionRow,
    ListedVmTransactionRow,
    VmState,
} from './vm-transactions.js';
export type {
    AccountEventType,
    DeliveryCause,
    MetaDataWith_DeliveriesMeta,
    OkWith_Vec_WebhookDelivery_DeliveriesMeta,
    SentId,
    WebhookDelivery,
    WebhookFailures,
    WebhookId,
    WebhookOff,
    WebhookState,
} from './webhooks.js';
export type {
    Envelope_Vec_XchainRow,
    Intent,
    IntentHash,
    ListedXchainRow,
    TokenAddress,
    TxHash,
    XchainStatus,
    XchainType,
} from './xchain.js';

/** How many messages a worker has given up. */
export type DeadLetterCount = {
    kind: DeadLetterKind;
    /**
     * Format: int64
     *
     * About how many messages wait for an operator.
     */
    messages: number;
};

/**
 * Whose messages they are.
 * @enum {string}
 */
export type DeadLetterKind = "mails" | "exports" | "webhooks" | "sockets";

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_OpenPayout = {
    /** @enum {string} */
    code: "1";
    data: OpenPayout[];
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_SupportWebhook = {
    /** @enum {string} */
    code: "1";
    data: SupportWebhook[];
    /** @enum {string} */
    message: "common.success";
};

/**
 * By what it was found.
 * @enum {string}
 */
export type FoundBy = "email" | "accountId" | "signInWallet" | "linkedAddress" | "retiredAddress" | "tradingAddress" | "relatedAddress" | "txId" | "intentHash" | "sourceTx" | "mintId" | "exportId" | "payoutId";

/**
 * What was found.
 * @enum {string}
 */
export type FoundKind = "account" | "transaction" | "batch" | "refund" | "payout" | "crossChain" | "mint" | "export";

/** A row that the chain watcher cannot take further. */
export type ListedStuckItem = {
    accountId?: AccountId | null;
    /**
     * Format: prose
     *
     * The cause of the last failure.
     */
    cause?: string;
    /**
     * Format: int32
     *
     * Failed attempts in a row; 0 for a row that has only waited too long.
     */
    failures?: number;
    /**
     * Format: found-id
     *
     * The key of the row: partition key, `/`, sort key.
     */
    id: string;
    /**
     * Format: queue
     *
     * The kind of work.
     * @example payout
     */
    kind?: string;
    /** When the failures began, ms since the epoch. */
    since?: Timestamp;
    /**
     * Format: name
     *
     * Its state or status.
     */
    state?: string;
    stuckAt?: Timestamp | null;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_QueuesMeta = MetaData & {
    /** Messages that a worker has given up after five attempts. They wait for an operator. */
    deadLetters: DeadLetterCount[];
    /** One for each kind of work. */
    queues: WaitingRows[];
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_ReadsMeta = MetaData & {
    next: ReadId | null;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_SearchMeta = MetaData & {
    /** The forms that the text has. */
    forms: SearchForm[];
    /**
     * Format: prose
     *
     * The query for CloudWatch Logs Insights that finds the text as the id of a request, in all log groups of the
     *     stack; null if it is no such id.
     */
    logsQuery: string | null;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_SupportAccount_Polling = {
    /** @enum {string} */
    code: "1";
    data: SupportAccount;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_SupportTransaction_Polling = {
    /** @enum {string} */
    code: "1";
    data: SupportTransaction;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_StuckItem_QueuesMeta = {
    /** @enum {string} */
    code: "1";
    data: ListedStuckItem[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_QueuesMeta;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_SupportHit_SearchMeta = {
    /** @enum {string} */
    code: "1";
    data: SupportHit[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_SearchMeta;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_SupportRead_ReadsMeta = {
    /** @enum {string} */
    code: "1";
    data: SupportRead[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_ReadsMeta;
};

/** A rate limit whose window is open. */
export type OpenLimit = {
    /**
     * Format: prose
     *
     * What it counts.
     */
    counts: string;
    /**
     * Format: int32
     *
     * Requests left; the next one is refused if it is 0.
     */
    left: number;
    /**
     * Format: int32
     *
     * Requests allowed per window.
     */
    most: number;
    /**
     * Format: name
     *
     * The name in the table of limits.
     */
    name: string;
    /** When the window ends, ms since the epoch. */
    until: Timestamp;
};

/** A payout that is not final. */
export type OpenPayout = {
    /** How many batches it has. */
    batches: number;
    /** When it was planned, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: found-id
     *
     * The id: that of the mint, `-` and the number.
     */
    id: string;
    leg: PayoutLeg;
    mintId: MintId;
    /**
     * Format: int64
     *
     * Its number within the mint, from 1.
     */
    number: number;
    /**
     * Format: int64
     *
     * The sum of their requests.
     */
    requests: number;
    sentAt: Timestamp | null;
    state: PayoutState;
    /**
     * Format: txid
     *
     * Its newest transaction; null until there is one.
     */
    txId: string | null;
};

/**
 * What a payout moves.
 * @enum {string}
 */
export type PayoutLeg = "transfer" | "distribution";

/**
 * How far a payout is.
 * @enum {string}
 */
export type PayoutState = "planned" | "issued" | "sent" | "final";

/** @example 001764547200000-00f1e2d3c4b5a697 */
export type ReadId = string;

/**
 * A form that a text can have.
 * @enum {string}
 */
export type SearchForm = "email" | "uuid" | "address" | "hash" | "payoutId" | "requestId";

/** A single item, and when to poll for it again. */
export type Single_SupportAccount = OkWith_SupportAccount_Polling;

/** A single item, and when to poll for it again. */
export type Single_SupportTransaction = OkWith_SupportTransaction_Polling;

/**
 * Whether an account may be used.
 * @enum {string}
 */
export type Status = "active" | "disabled";

/** An account as admins see it. It contains nothing that proves its owner. */
export type SupportAccount = {
    /** Addresses that the account has proved, the sign-in wallet first. */
    addresses: OwnedAddress[];
    /** How the account was created. */
    authMethod: AuthMethod;
    /** How much each list of the account has. */
    counts: SupportCounts;
    /** When the account was created, ms since the epoch. */
    createdAt: Timestamp;
    /** Addresses replaced by a rotation. */
    earlierAddresses: OwnedAddress[];
    email: EmailAddress | null;
    /** Whether the address is verified. */
    emailVerified: boolean;
    /** Failed proofs of identity by hour, newest first; at most 100 hours of the last 90 days. */
    failedProofs: FailedProofs[];
    /** Whether there is a keystore. */
    hasKeystore: boolean;
    /** Account id. */
    id: AccountId;
    /** When a session was last opened, ms since the epoch. */
    lastSignInAt: Timestamp;
    /** The rate limits of the account whose windows are open. */
    limits: OpenLimit[];
    /**
     * Format: int32
     *
     * Number of passkeys.
     */
    passkeys: number;
    /**
     * Format: referral-code
     *
     * Code for inviting others.
     */
    referralCode: string;
    referredBy: AccountId | null;
    /** Permissions of the account. */
    role: Role;
    /** Whether the account may be used. */
    status: Status;
    /** Whether sign-in requires a second factor. */
    totpEnabled: boolean;
    /**
     * Format: bitcoin-address
     *
     * The two-signature Bitcoin address; null until it is created.
     */
    tradingAddress: string | null;
    wallet: Wallet | null;
};

/** The lengths of an account's lists. */
export type SupportCounts = {
    /**
     * Format: int64
     *
     * Entries of the audit trail.
     */
    activity: number;
    /**
     * Format: int64
     *
     * Batches of requests.
     */
    batches: number;
    /**
     * Format: int64
     *
     * Cross-chain transactions.
     */
    crossChain: number;
    /**
     * Format: int64
     *
     * Deposits.
     */
    deposits: number;
    /**
     * Format: int64
     *
     * Exports.
     */
    exports: number;
    /**
     * Format: int64
     *
     * Refunds.
     */
    refunds: number;
    /**
     * Format: int64
     *
     * Signed Bitcoin transactions.
     */
    transactions: number;
    /** Webhooks. */
    webhooks: number;
};

/** What the worker notes about a row that it cannot take further. */
export type SupportFailing = {
    /**
     * Format: prose
     *
     * The cause of the last failure.
     */
    cause: string;
    /** When the failures began, ms since the epoch. */
    since: Timestamp;
    stuckAt: Timestamp | null;
    /**
     * Format: int32
     *
     * Failed attempts in a row.
     */
    times: number;
};

/** Something that a search has found. */
export type SupportHit = {
    accountId: AccountId | null;
    /** When it was created, ms since the epoch. */
    createdAt: Timestamp;
    email: EmailAddress | null;
    foundBy: FoundBy;
    /**
     * Format: found-id
     *
     * Its id, as other endpoints take it.
     */
    id: string;
    kind: FoundKind;
    /**
     * Format: name
     *
     * Its state or status.
     */
    state: string;
    /**
     * Whether the hub's record of a cross-chain transaction says the same; null for everything else. Anyone may
     *     register a swap under any hash, so one that is not verified proves nothing.
     */
    verified: boolean | null;
};

/** An entry in the record of reads. */
export type SupportRead = {
    /** The accounts whose data was read; empty if it belongs to no account. */
    accountIds: AccountId[];
    /** The admin who read. */
    adminId: AccountId;
    /** When, ms since the epoch. */
    at: Timestamp;
    /** Its place in the record. */
    id: ReadId;
    /**
     * Format: search
     *
     * What was searched for, if its form was recognised: `sha256:` and its digest if it could also be a private key and
     *     nothing was found. Or the transaction or the webhook that was read.
     */
    query: string | null;
    /** What was read. */
    read: SupportReadKind;
    /**
     * Format: request-id
     *
     * Id of the request.
     */
    requestId: string;
};

/**
 * What an admin has read.
 * @enum {string}
 */
export type SupportReadKind = "search" | "account" | "transactions" | "transaction" | "crossChain" | "deposits" | "batches" | "refunds" | "exports" | "activity" | "webhooks" | "deliveries" | "stuck" | "payouts" | "reads";

/** One transaction of an account, as admins see it. */
export type SupportTransaction = TransactionRow & TransactionProgress & {
    /** The account whose transaction it is. */
    accountId: AccountId;
    /**
     * Format: name
     *
     * Why the platform does not sign the transaction: `promise` if it would not do what was promised, or one of its
     *     coins is gone; `permission` if its work does not allow the signature.
     */
    blocked: string | null;
    email: EmailAddress | null;
    failing: SupportFailing | null;
};

/** A webhook as admins see it: without its secret, and without the path of its URL, which may contain one. */
export type SupportWebhook = {
    /** When it was added, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int64
     *
     * The number of the last event that the webhook delivered or gave up.
     */
    delivered: number;
    failures: WebhookFailures | null;
    /**
     * Format: host
     *
     * The host that receives the events.
     */
    host: string;
    /** Webhook id. */
    id: WebhookId;
    /**
     * Format: label
     *
     * The owner's note.
     */
    note: string | null;
    offReason: WebhookOff | null;
    /** Whether the webhook sends events. */
    state: WebhookState;
    /** The types of events that the webhook sends; empty means all. */
    types: AccountEventType[];
};

/** How many rows of a kind wait for the chain watcher. */
export type WaitingRows = {
    /**
     * Format: queue
     *
     * The kind of work.
     * @example payout
     */
    kind: string;
    /**
     * Format: int64
     *
     * Stuck rows.
     */
    stuck: number;
    /**
     * Format: int64
     *
     * Rows that wait, apart from stuck ones; if there are more than about 5,000, only so many are counted.
     */
    waiting: number;
};

export interface schemas {
    DeadLetterCount: DeadLetterCount;
    DeadLetterKind: DeadLetterKind;
    Envelope_Vec_OpenPayout: Envelope_Vec_OpenPayout;
    Envelope_Vec_SupportWebhook: Envelope_Vec_SupportWebhook;
    FoundBy: FoundBy;
    FoundKind: FoundKind;
    ListedStuckItem: ListedStuckItem;
    MetaDataWith_QueuesMeta: MetaDataWith_QueuesMeta;
    MetaDataWith_ReadsMeta: MetaDataWith_ReadsMeta;
    MetaDataWith_SearchMeta: MetaDataWith_SearchMeta;
    OkWith_SupportAccount_Polling: OkWith_SupportAccount_Polling;
    OkWith_SupportTransaction_Polling: OkWith_SupportTransaction_Polling;
    OkWith_Vec_StuckItem_QueuesMeta: OkWith_Vec_StuckItem_QueuesMeta;
    OkWith_Vec_SupportHit_SearchMeta: OkWith_Vec_SupportHit_SearchMeta;
    OkWith_Vec_SupportRead_ReadsMeta: OkWith_Vec_SupportRead_ReadsMeta;
    OpenLimit: OpenLimit;
    OpenPayout: OpenPayout;
    PayoutLeg: PayoutLeg;
    PayoutState: PayoutState;
    ReadId: ReadId;
    SearchForm: SearchForm;
    Single_SupportAccount: Single_SupportAccount;
    Single_SupportTransaction: Single_SupportTransaction;
    Status: Status;
    SupportAccount: SupportAccount;
    SupportCounts: SupportCounts;
    SupportFailing: SupportFailing;
    SupportHit: SupportHit;
    SupportRead: SupportRead;
    SupportReadKind: SupportReadKind;
    SupportTransaction: SupportTransaction;
    SupportWebhook: SupportWebhook;
    WaitingRows: WaitingRows;
}

export interface paths {
    "/api/support/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an account, its failed proofs, open limits, and how much its lists have. Admins only.
         *
         * Returns an account, its failed proofs, open limits, and how much its lists have. Admins only.
         */
        get: operations["getSupportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes to an account and its sign-ins, newest first. Admins only.
         *
         * Failed proofs of identity are counted by hour in `metaData.failedProofs`.
         */
        get: operations["listSupportActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the signed batches of an account, newest first. Admins only.
         *
         * Lists the signed batches of an account, newest first. Admins only.
         */
        get: operations["listSupportBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/cross-chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the cross-chain transactions of an account, newest first. Admins only.
         *
         * Relations: `inputToken` and `outputToken` are the token catalogue's entries or null; `token` is the same as
         *     `inputToken`.
         */
        get: operations["listSupportXchain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the deposits of an account, newest first. Admins only.
         *
         * `runes` is always null: ord is not asked.
         */
        get: operations["listSupportDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the exports of an account without links to their files, newest first. Admins only.
         *
         * Lists the exports of an account without links to their files, newest first. Admins only.
         */
        get: operations["listSupportExports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the signed refunds of an account, newest first. Admins only.
         *
         * Lists the signed refunds of an account, newest first. Admins only.
         */
        get: operations["listSupportRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the Bitcoin transactions of an account, newest first. Admins only.
         *
         * They are listed once they are signed; with `state_eq=unsigned`, those that wait for a signature.
         */
        get: operations["listSupportTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the webhooks of an account, oldest first. Admins only.
         *
         * Lists the webhooks of an account, oldest first. Admins only.
         */
        get: operations["listSupportWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the delivery attempts of an account's webhook, newest first. Admins only.
         *
         * Attempts are kept for 30 days. `answer` is always null: only the owner sees what the receiver said.
         */
        get: operations["listSupportDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the payouts that are not final, by mint and number. Admins only.
         *
         * At most 1,000 of each mint are listed.
         */
        get: operations["listOpenPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the reads of an account or by an admin, newest first. Admins only.
         *
         * Lists the reads of an account or by an admin, newest first. Admins only.
         */
        get: operations["listSupportReads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finds accounts, transactions and other things by a text. Admins only.
         *
         * The answer is empty if nothing has this address, id or hash. Of cross-chain transactions, those that the hub has
         *     confirmed come first. A text that is clearly a private key, a seed phrase or a token is refused. Nothing indexes the ids of requests, except for the
         *     entries in audit trails; the answer then contains the query that finds them in the logs. Deposits are in the
         *     list of their account.
         */
        get: operations["searchSupport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/stuck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the rows that the chain watcher cannot take further, latest first. Admins only.
         *
         * A row is stuck after three failures in a row, or if it waits for an overdue event. `sort=since` begins with those
         *     that have failed longest. If more than 1,000 rows of a kind are stuck, those with the earliest next look are
         *     listed.
         */
        get: operations["listStuckRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one transaction of any account, signed or not. Admins only.
         *
         * `base64Psbt` is always null. Transactions that only the platform signs are not found.
         */
        get: operations["getSupportTransaction"];
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
    getSupportAccount: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The account
                 * @example 01a21fa9-291c-7528-8817-a372d3ab11ce
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The account */
            200: {
                headers: {
                    ETag: headers["ETag"];
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
                     *         "counts": {
                     *           "activity": 1,
                     *           "batches": 0,
                     *           "crossChain": 0,
                     *           "deposits": 0,
                     *           "exports": 1,
                     *           "refunds": 0,
                     *           "transactions": 0,
                     *           "webhooks": 0
                     *         },
                     *         "createdAt": 1795827509533,
                     *         "earlierAddresses": [],
                     *         "email": "ann@example.com",
                     *         "emailVerified": true,
                     *         "failedProofs": [],
                     *         "hasKeystore": false,
                     *         "id": "01a21fa9-291c-7528-8817-a372d3ab11ce",
                     *         "lastSignInAt": 1795827509533,
                     *         "limits": [
                     *           {
                     *             "counts": "history exports requested by an account",
                     *             "left": 9,
                     *             "most": 10,
                     *             "name": "exportByAccount",
                     *             "until": 1795831110000
                     *           }
                     *         ],
                     *         "passkeys": 0,
                     *         "referralCode": "NVD89SDK",
                     *         "referredBy": null,
                     *         "role": "user",
                     *         "status": "active",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qjdkk8lzacxm7y62cxavrchvlutnahfgjetn87s3wz3rljtxvu8rsxt7nma",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
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
                    "application/json": Single_SupportAccount;
                };
            };
            /** Nothing has changed: the client already has this response. */
            304: {
                headers: {
                    ETag: headers["ETag"];
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: responses["getSupportAccount400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportActivity: {
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
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-2976-7564-be1f-63ec93b5823c
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of changes */
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
                     *           "change": "accountCreated",
                     *           "createdAt": 1795827509628,
                     *           "id": "01a21fa9-297b-7349-a17d-b526e240b4ee",
                     *           "requestId": "01a21fa9-2975-76b2-9402-72c6cec9035a",
                     *           "sessionId": "01a21fa9-297b-7cf8-87ec-ace6439262d9",
                     *           "sourceHash": "c91cbdcc80b21e344a42ca713e7aa843"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 1,
                     *         "currentPage": 1,
                     *         "failedProofs": [
                     *           {
                     *             "emailToken": 0,
                     *             "hour": 1795824000000,
                     *             "lastAt": 1795827509653,
                     *             "passkey": 0,
                     *             "password": 1,
                     *             "secondFactor": 0,
                     *             "wallet": 0
                     *           }
                     *         ],
                     *         "pageSize": 10,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_ActivityRow_ActivityMeta;
                };
            };
            400: responses["listSupportActivity400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportBatches: {
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
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-29e4-7aa1-9f5f-1597e915ff31
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of batches */
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
                     *       "data": [],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 0,
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 0,
                     *         "totalPages": 0
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_VmTransactionRow;
                };
            };
            400: responses["listSupportBatches400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportXchain: {
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
                /** Only transactions with one of these statuses. */
                status_eq?: XchainStatus[];
                /** Only transactions of one of these kinds. */
                type_eq?: XchainType[];
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-29e4-7aa1-9f5f-1597e915ff31
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of cross-chain transactions */
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
                     *           "createdAt": 1795827509802,
                     *           "dstChain": 8453,
                     *           "id": "01a21fa9-2a27-7983-a885-bee63af02c7d",
                     *           "intent": {
                     *             "inputAmount": "1000000",
                     *             "inputToken": "0x00000000000000000000000000000000000000aa",
                     *             "minOutputAmount": "990000",
                     *             "outputToken": "0x00000000000000000000000000000000000000bb"
                     *           },
                     *           "intentTxHash": "0x1100000000000000000000000000000000000000000000000000000000000001",
                     *           "spokeTxHash": "0x2200000000000000000000000000000000000000000000000000000000000001",
                     *           "srcChain": 42161,
                     *           "status": "registered",
                     *           "tradingAddress": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "txId": "0x1100000000000000000000000000000000000000000000000000000000000001",
                     *           "type": "swap",
                     *           "updatedAt": 1795827509802,
                     *           "userAddress": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "verified": true,
                     *           "withdrawTo": "0x00000000000000000000000000000000000000dd"
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
            400: responses["listSupportXchain400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportDeposits: {
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
                /** Only deposits in one of these states. */
                state_eq?: DepositState[];
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-36d1-7d6c-aa83-1a91ccae8ab9
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of deposits */
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
                     *           "blockHeight": 111,
                     *           "confirmations": 1,
                     *           "confirmedAt": 1795827635251,
                     *           "createdAt": 1795827635251,
                     *           "id": "8f6a58570ca503af92bd26c7c6a3370b2c5bf3b7db12d63f3f9b857d26ba4d78:0",
                     *           "more": null,
                     *           "runes": null,
                     *           "sats": 60000,
                     *           "seenAt": 1795827635251,
                     *           "state": "confirmed",
                     *           "txId": "8f6a58570ca503af92bd26c7c6a3370b2c5bf3b7db12d63f3f9b857d26ba4d78",
                     *           "vout": 0
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
                    "application/json": Envelope_Vec_DepositRow;
                };
            };
            400: responses["listSupportDeposits400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportExports: {
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
                /** Only exports with one of these statuses. */
                status_eq?: ExportStatus[];
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-29e4-7aa1-9f5f-1597e915ff31
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of exports */
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
                     *           "completedAt": 1795827509789,
                     *           "createdAt": 1795827509772,
                     *           "filter": {
                     *             "chain": null,
                     *             "from": 1764205109770,
                     *             "to": 1795827509770,
                     *             "type": "swap"
                     *           },
                     *           "format": "csv",
                     *           "id": "01a21fa9-2a0c-741e-a53f-6285d342131c",
                     *           "rowCount": 0,
                     *           "sizeBytes": 211,
                     *           "status": "completed"
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
                    "application/json": Envelope_Vec_DownloadHistory;
                };
            };
            400: responses["listSupportExports400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportRefunds: {
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
            path: {
                /**
                 * The account
                 * @example 01a21fa9-29e4-7aa1-9f5f-1597e915ff31
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of refunds */
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
                     *       "data": [],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 0,
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 0,
                     *         "totalPages": 0
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_TransactionRow;
                };
            };
            400: responses["listSupportRefunds400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportTransactions: {
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
                /**
                 * Only transactions of one of these kinds.
                 * @example [
                 *       "withdraw"
                 *     ]
                 */
                type_eq?: Kind[];
                /** Only withdrawals of one of these tokens. */
                tokenId_eq?: BitcoinToken[];
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-36d1-7d6c-aa83-1a91ccae8ab9
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of transactions */
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
                     *           "amount": "20000",
                     *           "blockHeight": null,
                     *           "createdAt": 1795827635321,
                     *           "feeSats": 970,
                     *           "id": "4979e6c1a6fb629e3c8cbbc6211af545609c9b4b8a5e75307f641d244b7b0816",
                     *           "replaceTxId": null,
                     *           "replacedByTxId": null,
                     *           "state": "inMempool",
                     *           "tokenId": "0:0",
                     *           "txId": "4979e6c1a6fb629e3c8cbbc6211af545609c9b4b8a5e75307f641d244b7b0816",
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
            400: responses["listSupportTransactions400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-2c7d-73b8-8962-d8263c9dfdd4
                 */
                accountId: AccountId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhooks */
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
                     *           "createdAt": 1795827510414,
                     *           "delivered": 0,
                     *           "failures": null,
                     *           "host": "127.0.0.1",
                     *           "id": "01a21fa9-2c8e-7e48-9da8-19da6e767d44",
                     *           "note": "shop",
                     *           "offReason": null,
                     *           "state": "unverified",
                     *           "types": []
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_SupportWebhook;
                };
            };
            400: responses["listSupportWebhooks400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_3028"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportDeliveries: {
        parameters: {
            query?: {
                /** Only deliveries before the one with this id: `metaData.next` of the previous response. */
                before?: SentId;
                /**
                 * The maximum number of deliveries in the response; 20 by default.
                 * @example 1
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * The account
                 * @example 01a21fa9-2c7d-73b8-8962-d8263c9dfdd4
                 */
                accountId: AccountId;
                /**
                 * The webhook
                 * @example 01a21fa9-2c8e-7e48-9da8-19da6e767d44
                 */
                webhookId: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Deliveries */
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
                     *           "accountId": null,
                     *           "answer": null,
                     *           "at": 1795827510456,
                     *           "attempt": 1,
                     *           "cause": "verification",
                     *           "delivered": false,
                     *           "durationMs": 0,
                     *           "error": "There was no connection: Connection refused (os error 111)",
                     *           "eventId": "verification-01a21fa9-2c8e-7e48-9da8-19da6e767d44-58f3e43f9ae63e09",
                     *           "id": "1795827510456-1481971144",
                     *           "sequence": null,
                     *           "status": null,
                     *           "type": "webhook.verification"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "next": "1795827510456-1481971144",
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_WebhookDelivery_DeliveriesMeta;
                };
            };
            400: responses["listSupportDeliveries400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["listSupportDeliveries404"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listOpenPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The open payouts */
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
                     *           "batches": 2,
                     *           "createdAt": 1000,
                     *           "id": "01a21fa9-359b-76a7-aec2-f790fbd77810-1",
                     *           "leg": "distribution",
                     *           "mintId": "01a21fa9-359b-76a7-aec2-f790fbd77810",
                     *           "number": 1,
                     *           "requests": 30,
                     *           "sentAt": null,
                     *           "state": "planned",
                     *           "txId": null
                     *         },
                     *         {
                     *           "batches": 2,
                     *           "createdAt": 1000,
                     *           "id": "01a21fa9-359b-76a7-aec2-f790fbd77810-2",
                     *           "leg": "distribution",
                     *           "mintId": "01a21fa9-359b-76a7-aec2-f790fbd77810",
                     *           "number": 2,
                     *           "requests": 30,
                     *           "sentAt": null,
                     *           "state": "issued",
                     *           "txId": "1111111111111111111111111111111111111111111111111111111111111111"
                     *         },
                     *         {
                     *           "batches": 2,
                     *           "createdAt": 1000,
                     *           "id": "01a21fa9-359b-76a7-aec2-f790fbd77810-3",
                     *           "leg": "transfer",
                     *           "mintId": "01a21fa9-359b-76a7-aec2-f790fbd77810",
                     *           "number": 3,
                     *           "requests": 30,
                     *           "sentAt": 2000,
                     *           "state": "sent",
                     *           "txId": "1111111111111111111111111111111111111111111111111111111111111111"
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_OpenPayout;
                };
            };
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listSupportReads: {
        parameters: {
            query?: {
                /**
                 * Who has read the data of this account. Give this or `adminId`.
                 * @example 01a21fa9-2d17-75ae-b823-6946ef19bd1d
                 */
                accountId?: AccountId;
                /** What this admin has read. */
                adminId?: AccountId;
                /** Only entries before the one with this id: `metaData.next` of the previous response. */
                before?: ReadId;
                /**
                 * The maximum number of entries in the response; 20 by default.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Reads */
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
                     *           "accountIds": [
                     *             "01a21fa9-2d17-75ae-b823-6946ef19bd1d"
                     *           ],
                     *           "adminId": "01a21fa9-2d02-798b-a6da-c14fc87afefc",
                     *           "at": 1795827510561,
                     *           "id": "001795827510561-cac1cd23dfcb6bdc",
                     *           "query": "ann@example.com",
                     *           "read": "search",
                     *           "requestId": "01a21fa9-2d1c-7f2e-8c6c-2bef3e87ef5b"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "next": null,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_SupportRead_ReadsMeta;
                };
            };
            400: responses["listSupportReads400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    searchSupport: {
        parameters: {
            query: {
                /**
                 * An e-mail address; the id of an account, a mint, an export, a distribution or a request; a wallet address of
                 *     any chain; the hash of a transaction or an intent.
                 * @example 01a21fa9-29e4-7aa1-9f5f-1597e915ff31
                 */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** What was found */
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
                     *           "accountId": "01a21fa9-29e4-7aa1-9f5f-1597e915ff31",
                     *           "createdAt": 1795827509737,
                     *           "email": "alice@example.com",
                     *           "foundBy": "accountId",
                     *           "id": "01a21fa9-29e4-7aa1-9f5f-1597e915ff31",
                     *           "kind": "account",
                     *           "state": "active",
                     *           "verified": null
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "forms": [
                     *           "uuid",
                     *           "requestId"
                     *         ],
                     *         "logsQuery": "filter request_id = \"01a21fa9-29e4-7aa1-9f5f-1597e915ff31\"\n| fields @timestamp, @log, method, route, status, code, cause, duration_us, account, error, integration_status, integration_error, ms\n| sort @timestamp asc",
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_SupportHit_SearchMeta;
                };
            };
            400: responses["searchSupport400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listStuckRows: {
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of stuck rows */
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
                     *           "accountId": "01a21fa9-312c-7c80-a9e1-2282da741618",
                     *           "cause": "the hub failed: status 500",
                     *           "failures": 3,
                     *           "id": "xchain#intent#0x1100000000000000000000000000000000000000000000000000000000000001/account#01a21fa9-312c-7c80-a9e1-2282da741618",
                     *           "kind": "swap",
                     *           "since": 1795827873922,
                     *           "state": "relaying",
                     *           "stuckAt": 1795827936382
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "deadLetters": [
                     *           {
                     *             "kind": "mails",
                     *             "messages": 0
                     *           },
                     *           {
                     *             "kind": "exports",
                     *             "messages": 0
                     *           },
                     *           {
                     *             "kind": "webhooks",
                     *             "messages": 0
                     *           },
                     *           {
                     *             "kind": "sockets",
                     *             "messages": 0
                     *           }
                     *         ],
                     *         "pageSize": 10,
                     *         "queues": [
                     *           {
                     *             "kind": "draft",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "transaction",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "payout",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "sent transaction",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "sent payout",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "mint",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "withdrawal",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "swap",
                     *             "stuck": 1,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "new swap",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "deposit",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "deposits of a block",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           },
                     *           {
                     *             "kind": "coins to renew",
                     *             "stuck": 0,
                     *             "waiting": 0
                     *           }
                     *         ],
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_StuckItem_QueuesMeta;
                };
            };
            400: responses["listStuckRows400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getSupportTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The transaction
                 * @example 4979e6c1a6fb629e3c8cbbc6211af545609c9b4b8a5e75307f641d244b7b0816
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
                     *         "accountId": "01a21fa9-36d1-7d6c-aa83-1a91ccae8ab9",
                     *         "amount": "20000",
                     *         "base64Psbt": null,
                     *         "blockHeight": null,
                     *         "blocked": null,
                     *         "confirmations": null,
                     *         "createdAt": 1795827635278,
                     *         "email": "ann@example.com",
                     *         "expiresAt": 1795828235278,
                     *         "failing": null,
                     *         "feeSats": 970,
                     *         "history": [
                     *           {
                     *             "at": 1795827635278,
                     *             "state": "unsigned"
                     *           }
                     *         ],
                     *         "id": "4979e6c1a6fb629e3c8cbbc6211af545609c9b4b8a5e75307f641d244b7b0816",
                     *         "isFinal": false,
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "state": "unsigned",
                     *         "tokenId": "0:0",
                     *         "txId": "4979e6c1a6fb629e3c8cbbc6211af545609c9b4b8a5e75307f641d244b7b0816",
                     *         "type": "withdraw",
                     *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39"
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
                    "application/json": Single_SupportTransaction;
                };
            };
            /** Nothing has changed: the client already has this response. */
            304: {
                headers: {
                    ETag: headers["ETag"];
                    RateLimit: headers["RateLimit"];
                    "RateLimit-Policy": headers["RateLimit-Policy"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: responses["getSupportTransaction400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            404: responses["Error404_2019"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
