// Generated from infra/openapi.json by `npm run generate`.

/**
 * Webhooks: URLs to which the service sends events.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    AccountId,
    CoinsRenewalAdvisedEvent,
    CoinsRenewalNeededEvent,
    DepositConfirmedEvent,
    DepositSeenEvent,
    Envelope_Nothing,
    ExportCompletedEvent,
    ExportFailedEvent,
    MetaData,
    RefundStateChangedEvent,
    SessionEndedEvent,
    Timestamp,
    TransactionStateChangedEvent,
    VmTransactionStateChangedEvent,
    XchainStatusChangedEvent,
    headers,
} from './shared.js';
export type {
    AccountId,
    CoinsRenewalAdvisedEvent,
    CoinsRenewalNeededEvent,
    DepositConfirmedEvent,
    DepositSeenEvent,
    Envelope_Nothing,
    ExportCompletedEvent,
    ExportFailedEvent,
    MetaData,
    Nothing,
    RefundStateChangedEvent,
    SessionEndedEvent,
    Timestamp,
    TransactionStateChangedEvent,
    VmTransactionStateChangedEvent,
    XchainStatusChangedEvent,
} from './shared.js';

/**
 * The type of an event of an account.
 * @enum {string}
 */
export type AccountEventType = "transaction.stateChanged" | "xchain.statusChanged" | "vmTransaction.stateChanged" | "refund.stateChanged" | "export.completed" | "export.failed" | "session.ended" | "deposit.seen" | "deposit.confirmed" | "coins.renewalAdvised" | "coins.renewalNeeded";

/** A webhook to add. */
export type AddWebhook = {
    /**
     * Format: label
     *
     * A note, at most 100 characters.
     */
    note?: string | null;
    scope?: WebhookScope | null;
    /** The types of events that the webhook sends; all if missing or empty. */
    types?: AccountEventType[] | null;
    /**
     * Format: uri
     *
     * The URL that receives the events: https, port 443, a host name whose addresses are public.
     * @example https://example.com/hooks/runeport
     */
    url: string;
};

/** A delivery that was requested. */
export type AskedDelivery = {
    /**
     * Format: event-id
     *
     * The `webhook-id` of the delivery. Its outcome appears in the list of deliveries, usually within seconds.
     */
    eventId: string;
};

/** Changes to a webhook; missing fields keep their values. */
export type ChangeWebhook = {
    /**
     * Whether the webhook is on. A webhook that is switched on continues with the event after the last one
     *     that was delivered.
     */
    enabled?: boolean | null;
    /**
     * Format: label
     *
     * The new note; empty removes the note.
     */
    note?: string | null;
    /** The types of events that the webhook sends from now on; empty means all. */
    types?: AccountEventType[] | null;
    /**
     * Format: uri
     *
     * The new URL, used once the receiver there has confirmed.
     */
    url?: string | null;
};

/**
 * Why a delivery was sent.
 * @enum {string}
 */
export type DeliveryCause = "event" | "redelivery" | "test" | "verification";

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_AskedDelivery = {
    /** @enum {string} */
    code: "1";
    data: AskedDelivery;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_WebhookRow = {
    /** @enum {string} */
    code: "1";
    data: WebhookRow[];
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_WebhookRow = {
    /** @enum {string} */
    code: "1";
    data: WebhookRow;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_WebhookTest = {
    /** @enum {string} */
    code: "1";
    data: WebhookTest;
    /** @enum {string} */
    message: "common.success";
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_DeliveriesMeta = MetaData & {
    next: SentId | null;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_WebhookDelivery_DeliveriesMeta = {
    /** @enum {string} */
    code: "1";
    data: WebhookDelivery[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_DeliveriesMeta;
};

/** The position at which a webhook continues. */
export type ReplayWebhook = {
    accountId?: AccountId | null;
    /**
     * Format: int64
     *
     * The number of the event after which the webhook continues.
     */
    after: number;
};

/** @example 1795244700000-2813546912 */
export type SentId = string;

/** A delivery attempt of a webhook. */
export type WebhookDelivery = {
    accountId: AccountId | null;
    /**
     * Format: prose
     *
     * The first kilobyte of the response body; null if it was empty.
     */
    answer: string | null;
    /** When the attempt began, ms since the epoch. */
    at: Timestamp;
    /**
     * Format: int32
     *
     * The number of the attempt, from 1.
     */
    attempt: number;
    /** Why the delivery was sent. */
    cause: DeliveryCause;
    /** Whether the receiver answered with a status from 200 to 299 and, for a verification, with its challenge. */
    delivered: boolean;
    /**
     * Format: int64
     *
     * How long the attempt took, in ms.
     */
    durationMs: number;
    /**
     * Format: prose
     *
     * Why the attempt failed; null if it was delivered.
     */
    error: string | null;
    /**
     * Format: event-id
     *
     * The `webhook-id` that was sent, the same in every attempt.
     */
    eventId: string;
    /** The attempt's position in the list. */
    id: SentId;
    /**
     * Format: int64
     *
     * The number of the event; null for a test or a verification.
     */
    sequence: number | null;
    /**
     * Format: int32
     *
     * The HTTP status of the receiver's response; null if there was none.
     */
    status: number | null;
    /**
     * Format: event-type
     *
     * The type that was sent: the event's type, `webhook.test` or `webhook.verification`.
     */
    type: string;
};

/** Failures of a webhook since its last delivered event. */
export type WebhookFailures = {
    /**
     * Format: prose
     *
     * Why the last attempt failed.
     */
    cause: string;
    /** When the webhook tries again, ms since the epoch. */
    nextAt: Timestamp;
    /** When the first failure occurred, ms since the epoch. */
    since: Timestamp;
    /**
     * Format: int32
     *
     * How often the webhook has tried its next event. If the scope is `deployment`, how often the pauses have
     *     grown.
     */
    tries: number;
};

/** @example 0197d3f0-0000-7000-8000-000000000000 */
export type WebhookId = string;

/**
 * Why a webhook is off.
 * @enum {string}
 */
export type WebhookOff = "owner" | "gone" | "failing" | "disabled";

/** A webhook. */
export type WebhookRow = {
    /** When it was added, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int64
     *
     * The number of the last event that the webhook delivered or gave up; all events up to it are done. Null
     *     if the scope is `deployment`, because each account has its own numbers.
     */
    delivered: number | null;
    earlierSecretUntil: Timestamp | null;
    failures: WebhookFailures | null;
    /** Webhook id. */
    id: WebhookId;
    /**
     * Format: label
     *
     * The owner's note.
     */
    note: string | null;
    offReason: WebhookOff | null;
    /** Whose events the webhook sends. */
    scope: WebhookScope;
    /**
     * Format: webhook-secret
     *
     * The secret that verifies the webhook's requests (Standard Webhooks): `whsec_` and base64 of 32 bytes.
     *     Shown only once, when it is created.
     */
    secret?: string;
    /** Whether the webhook sends events. */
    state: WebhookState;
    /** The types of events that the webhook sends; empty means all, including types added in later versions. */
    types: AccountEventType[];
    /**
     * Format: uri
     *
     * The URL that receives the events.
     */
    url: string;
};

/**
 * Whose events a webhook sends.
 * @enum {string}
 */
export type WebhookScope = "account" | "deployment";

/**
 * Whether a webhook sends events.
 * @enum {string}
 */
export type WebhookState = "on" | "unverified" | "off";

/** The result of a test. */
export type WebhookTest = {
    /** Whether the outcome is known. If not, it appears in the list of deliveries later. */
    done: boolean;
    /**
     * Format: int64
     *
     * How long the test took, in ms; null if that is not known yet.
     */
    durationMs: number | null;
    /**
     * Format: prose
     *
     * Why the test failed; null if it was delivered, or if its outcome is not known yet.
     */
    error: string | null;
    /**
     * Format: event-id
     *
     * The `webhook-id` of the test.
     */
    eventId: string;
    /**
     * Format: int32
     *
     * The HTTP status of the receiver's response; null if there was none, or none yet.
     */
    status: number | null;
};

/** A test, requested with `POST /api/webhooks/{id}/test`. */
export type WebhookTestEvent = {
    data: {
        /**
         * Format: uuid
         *
         * The id of the webhook.
         */
        webhookId: string;
    };
    /** The id of the request. */
    id: string;
    /** Always 0, because no list contains this request. */
    sequence: number;
    timestamp: Timestamp;
    /** @enum {string} */
    type: "webhook.test";
};

/** Asks the receiver to confirm that it wants events. */
export type WebhookVerificationEvent = {
    data: {
        /** The challenge that the receiver must return. */
        challenge: string;
        /**
         * Format: uuid
         *
         * The id of the webhook.
         */
        webhookId: string;
    };
    /** The id of the request. */
    id: string;
    /** Always 0, because no list contains this request. */
    sequence: number;
    timestamp: Timestamp;
    /** @enum {string} */
    type: "webhook.verification";
};

export interface schemas {
    AccountEventType: AccountEventType;
    AddWebhook: AddWebhook;
    AskedDelivery: AskedDelivery;
    ChangeWebhook: ChangeWebhook;
    DeliveryCause: DeliveryCause;
    Envelope_AskedDelivery: Envelope_AskedDelivery;
    Envelope_Vec_WebhookRow: Envelope_Vec_WebhookRow;
    Envelope_WebhookRow: Envelope_WebhookRow;
    Envelope_WebhookTest: Envelope_WebhookTest;
    MetaDataWith_DeliveriesMeta: MetaDataWith_DeliveriesMeta;
    OkWith_Vec_WebhookDelivery_DeliveriesMeta: OkWith_Vec_WebhookDelivery_DeliveriesMeta;
    ReplayWebhook: ReplayWebhook;
    SentId: SentId;
    WebhookDelivery: WebhookDelivery;
    WebhookFailures: WebhookFailures;
    WebhookId: WebhookId;
    WebhookOff: WebhookOff;
    WebhookRow: WebhookRow;
    WebhookScope: WebhookScope;
    WebhookState: WebhookState;
    WebhookTest: WebhookTest;
    WebhookTestEvent: WebhookTestEvent;
    WebhookVerificationEvent: WebhookVerificationEvent;
}

export interface paths {
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's webhooks, or those of the deployment, oldest first.
         *
         * Lists the caller's webhooks, or those of the deployment, oldest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Adds a webhook.
         *
         * The response shows its secret once.
         *
         *     The service sends the receiver a `webhook.verification`, and the receiver must answer with its `challenge`.
         *     Once it has confirmed, the webhook sends the events from now on. An account may have 3 webhooks. A webhook
         *     of the deployment, which requires the role admin, sends the events of all accounts, beginning half a minute
         *     later; the deployment may have 5. Requires a sign-in within the last 15 minutes.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one of the caller's webhooks, or one of the deployment.
         *
         * Returns one of the caller's webhooks, or one of the deployment.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Removes a webhook.
         *
         * Requires a sign-in within the last 15 minutes.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook, or switches it on or off.
         *
         * If the URL changes, events wait until the receiver at the new URL has confirmed. If the request changes nothing, nothing is recorded or mailed. Requires a sign-in within the last 15 minutes.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the delivery attempts of a webhook, newest first.
         *
         * Attempts are kept for 30 days. If the scope is `deployment`, events that were delivered at the first attempt are not listed.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{sequence}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends one event to a webhook again, even if the webhook does not send events of that type.
         *
         * The webhook's position in the list of events does not change. Requires a sign-in within the last 15 minutes.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends all events after a given one again, in order, at most 1,000; or skips events, with a number above `delivered`.
         *
         * Older events are in `GET /api/events`. If the scope is `deployment`, the number is not limited. Requires a sign-in within the last 15 minutes.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the secret of a webhook; the response shows the new secret once.
         *
         * For 24 hours, each request has two signatures, one by each secret; secrets replaced earlier no longer sign. Requires a sign-in within the last 15 minutes.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a `webhook.test` to a webhook once, even if it is off, and waits up to 8 seconds for the outcome.
         *
         * If the receiver has not confirmed yet, the service sends another `webhook.verification` instead. Requires a sign-in within the last 15 minutes.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface webhooks {
    "coins.renewalAdvised": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Coins should be renewed: in fewer than 4,032 blocks, their user alone can spend them. */
        post: operations["receiveCoinsRenewalAdvised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "coins.renewalNeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Coins must be renewed: in fewer than 1,152 blocks, their user alone can spend them, and mints refuse them. */
        post: operations["receiveCoinsRenewalNeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deposit is in a block. */
        post: operations["receiveDepositConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deposit waits for a block, because it was announced or a reorganisation removed its block; or the deposit is gone. */
        post: operations["receiveDepositSeen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The file of an export is ready. */
        post: operations["receiveExportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The file of an export will not be written. */
        post: operations["receiveExportFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.stateChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The state of a refund's transaction has changed. */
        post: operations["receiveRefundStateChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session was ended before it expired, or a change of a credential ended all sessions. */
        post: operations["receiveSessionEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.stateChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The state of a withdrawal, a renewal or the commitment of a batch has changed. */
        post: operations["receiveTransactionStateChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vmTransaction.stateChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The state of a batch of requests has changed. */
        post: operations["receiveVmTransactionStateChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test, requested with `POST /api/webhooks/{id}/test`. */
        post: operations["receiveWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the receiver to confirm that it wants events. */
        post: operations["receiveWebhookVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "xchain.statusChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The status of a swap or of a withdrawal through the hub has changed. */
        post: operations["receiveXchainStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    listWebhooks: {
        parameters: {
            query?: {
                /** `account` for the caller's own webhooks, or `deployment`, which requires the role admin. */
                scope?: WebhookScope;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhooks */
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
                     *           "createdAt": 1795600563060,
                     *           "delivered": 0,
                     *           "earlierSecretUntil": null,
                     *           "failures": null,
                     *           "id": "01a21222-3b74-7f08-9655-a26c09efca0e",
                     *           "note": "shop",
                     *           "offReason": null,
                     *           "scope": "account",
                     *           "state": "on",
                     *           "types": [
                     *             "refund.stateChanged",
                     *             "export.completed"
                     *           ],
                     *           "url": "http://127.0.0.1:9/hooks"
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Vec_WebhookRow;
                };
            };
            400: responses["listWebhooks400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createWebhook: {
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
                 *       "note": "shop",
                 *       "types": [
                 *         "refund.stateChanged",
                 *         "export.completed",
                 *         "refund.stateChanged"
                 *       ],
                 *       "url": "http://127.0.0.1:9/hooks"
                 *     }
                 */
                "application/json": AddWebhook;
            };
        };
        responses: {
            /** The webhook, with its secret */
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
                     *         "createdAt": 1795600563060,
                     *         "delivered": 0,
                     *         "earlierSecretUntil": null,
                     *         "failures": null,
                     *         "id": "01a21222-3b74-7f08-9655-a26c09efca0e",
                     *         "note": "shop",
                     *         "offReason": null,
                     *         "scope": "account",
                     *         "secret": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                     *         "state": "on",
                     *         "types": [
                     *           "refund.stateChanged",
                     *           "export.completed"
                     *         ],
                     *         "url": "http://127.0.0.1:9/hooks"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WebhookRow;
                };
            };
            400: responses["createWebhook400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011_4024"];
            403: responses["Error403_1007"];
            409: responses["createWebhook409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-3fd2-7d63-b419-6f0b80353e77
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook */
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
                     *         "createdAt": 1795600564178,
                     *         "delivered": 0,
                     *         "earlierSecretUntil": null,
                     *         "failures": {
                     *           "cause": "The receiver answered with the status 410.",
                     *           "nextAt": 1795600564238,
                     *           "since": 1795600564238,
                     *           "tries": 1
                     *         },
                     *         "id": "01a21222-3fd2-7d63-b419-6f0b80353e77",
                     *         "note": null,
                     *         "offReason": "gone",
                     *         "scope": "account",
                     *         "state": "off",
                     *         "types": [],
                     *         "url": "http://127.0.0.1:36945/hooks?a=b"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WebhookRow;
                };
            };
            400: responses["getWebhook400"];
            401: responses["listAccounts401"];
            404: responses["Error404_1103"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-3b74-7f08-9655-a26c09efca0e
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook is removed */
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
            400: responses["deleteWebhook400"];
            401: responses["setUpTotp401"];
            404: responses["Error404_1103"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-4be3-7ded-b11d-d12414b464bc
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": ChangeWebhook;
            };
        };
        responses: {
            /** The webhook */
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
                     *         "createdAt": 1795600567267,
                     *         "delivered": 5,
                     *         "earlierSecretUntil": null,
                     *         "failures": null,
                     *         "id": "01a21222-4be3-7ded-b11d-d12414b464bc",
                     *         "note": null,
                     *         "offReason": "owner",
                     *         "scope": "account",
                     *         "state": "off",
                     *         "types": [],
                     *         "url": "http://127.0.0.1:46223/hooks?a=b"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WebhookRow;
                };
            };
            400: responses["updateWebhook400"];
            401: responses["setUpTotp401"];
            404: responses["Error404_1103"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** Only deliveries before the one with this id: `metaData.next` of the previous response. */
                before?: SentId;
                /**
                 * The maximum number of deliveries in the response; 20 by default.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-3f90-7a2d-a5e3-372f063fdf9a
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Deliveries */
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
                     *           "accountId": "01a21222-3f7a-7f4c-8bd7-a884bfcc4c6a",
                     *           "answer": "hi",
                     *           "at": 1795600564170,
                     *           "attempt": 1,
                     *           "cause": "event",
                     *           "delivered": false,
                     *           "durationMs": 0,
                     *           "error": "The receiver answered with the status 500.",
                     *           "eventId": "account-01a21222-3f7a-7f4c-8bd7-a884bfcc4c6a-1",
                     *           "id": "1795600564170-2177033052",
                     *           "sequence": 1,
                     *           "status": 500,
                     *           "type": "refund.stateChanged"
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
                    "application/json": OkWith_Vec_WebhookDelivery_DeliveriesMeta;
                };
            };
            400: responses["listWebhookDeliveries400"];
            401: responses["listAccounts401"];
            404: responses["Error404_1103"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    redeliverEvent: {
        parameters: {
            query?: {
                /** The account, required if the scope of the webhook is `deployment`; otherwise it is the caller's. */
                accountId?: AccountId;
            };
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-4be3-7ded-b11d-d12414b464bc
                 */
                id: WebhookId;
                /**
                 * The number of the event
                 * @example 2
                 */
                sequence: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The requested delivery */
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
                     *         "eventId": "account-01a21222-4bcf-792a-8278-5df05d09e3b3-2"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_AskedDelivery;
                };
            };
            400: responses["redeliverEvent400"];
            401: responses["setUpTotp401"];
            404: responses["Error404_1103"];
            409: responses["redeliverEvent409"];
            410: responses["Error410_1101"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-4145-78e2-964e-0dfeeae4c7f1
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "after": 0
                 *     }
                 */
                "application/json": ReplayWebhook;
            };
        };
        responses: {
            /** The webhook */
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
                     *         "createdAt": 1795600564549,
                     *         "delivered": 0,
                     *         "earlierSecretUntil": null,
                     *         "failures": null,
                     *         "id": "01a21222-4145-78e2-964e-0dfeeae4c7f1",
                     *         "note": null,
                     *         "offReason": "failing",
                     *         "scope": "account",
                     *         "state": "off",
                     *         "types": [],
                     *         "url": "http://127.0.0.1:39221/hooks?a=b"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WebhookRow;
                };
            };
            400: responses["replayWebhook400"];
            401: responses["setUpTotp401"];
            404: responses["Error404_1103"];
            409: responses["Error409_1014"];
            410: responses["Error410_1101"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-3b74-7f08-9655-a26c09efca0e
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The webhook, with its secret */
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
                     *         "createdAt": 1795600563060,
                     *         "delivered": 0,
                     *         "earlierSecretUntil": 1795686963110,
                     *         "failures": null,
                     *         "id": "01a21222-3b74-7f08-9655-a26c09efca0e",
                     *         "note": null,
                     *         "offReason": null,
                     *         "scope": "account",
                     *         "secret": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                     *         "state": "on",
                     *         "types": [],
                     *         "url": "http://127.0.0.1:9/other"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WebhookRow;
                };
            };
            400: responses["rotateWebhookSecret400"];
            401: responses["setUpTotp401"];
            404: responses["Error404_1103"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The webhook
                 * @example 01a21222-3c2e-766f-96a7-734af45a3a7e
                 */
                id: WebhookId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The outcome */
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
                     *         "done": true,
                     *         "durationMs": 3,
                     *         "error": null,
                     *         "eventId": "test-01a21222-3c2e-766f-96a7-734af45a3a7e-0332405dbafb8cb9",
                     *         "status": 204
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_WebhookTest;
                };
            };
            400: responses["testWebhook400"];
            401: responses["setUpTotp401"];
            404: responses["Error404_1103"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    receiveCoinsRenewalAdvised: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CoinsRenewalAdvisedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCoinsRenewalNeeded: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CoinsRenewalNeededEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDepositConfirmed: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DepositConfirmedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDepositSeen: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DepositSeenEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveExportCompleted: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExportCompletedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveExportFailed: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExportFailedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRefundStateChanged: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": RefundStateChangedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionEnded: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SessionEndedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTransactionStateChanged: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TransactionStateChangedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveVmTransactionStateChanged: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": VmTransactionStateChangedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookTestEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookVerification: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookVerificationEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** The challenge from the request. */
                        challenge: string;
                    };
                };
            };
        };
    };
    receiveXchainStatusChanged: {
        parameters: {
            query?: never;
            header: {
                /** The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** When this attempt was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** The signatures of the request, one for each secret of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": XchainStatusChangedEvent;
            };
        };
        responses: {
            /** The receiver no longer exists. The service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The receiver has accepted the request. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
