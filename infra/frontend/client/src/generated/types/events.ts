// Generated from infra/openapi.json by `npm run generate`.

/**
 * Changes of the caller's account, transactions and other items.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    OkWith_Vec_EventItem_EventsMeta,
    Timestamp,
    headers,
} from './shared.js';
export type {
    CoinsRenewalAdvisedEvent,
    CoinsRenewalNeededEvent,
    DepositConfirmedEvent,
    DepositSeenEvent,
    EventItem,
    ExportCompletedEvent,
    ExportFailedEvent,
    MetaData,
    MetaDataWith_EventsMeta,
    MintStateChangedEvent,
    OkWith_Vec_EventItem_EventsMeta,
    RefundStateChangedEvent,
    SessionEndedEvent,
    Timestamp,
    TransactionStateChangedEvent,
    VmBlockFilledEvent,
    VmTransactionStateChangedEvent,
    XchainStatusChangedEvent,
} from './shared.js';

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Ticket = {
    /** @enum {string} */
    code: "1";
    data: Ticket;
    /** @enum {string} */
    message: "common.success";
};

/** A ticket that opens a socket. */
export type Ticket = {
    /** When the ticket expires, ms since the epoch: 60 seconds after it was issued. */
    expiresAt: Timestamp;
    /** The ticket, which opens one socket: `<url>?ticket=<ticket>`. */
    ticket: string;
    /**
     * Format: socket-url
     *
     * The URL at which clients open sockets.
     * @example wss://abc123.execute-api.eu-central-1.amazonaws.com/live
     */
    url: string;
};

export interface schemas {
    Envelope_Ticket: Envelope_Ticket;
    Ticket: Ticket;
}

export interface paths {
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes to the caller's transactions, swaps, batches, refunds, exports and sessions, oldest first.
         *
         * Events are numbered 1, 2, 3 without gaps and kept for 90 days.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a ticket, which opens one socket for the events of the account.
         *
         * The socket closes when the caller's session ends.
         */
        post: operations["createSocketTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    listEvents: {
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
            path?: never;
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
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-3",
                     *           "sequence": 3,
                     *           "timestamp": 1795600567604,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-4",
                     *           "sequence": 4,
                     *           "timestamp": 1795600567609,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-5",
                     *           "sequence": 5,
                     *           "timestamp": 1795600567611,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-6",
                     *           "sequence": 6,
                     *           "timestamp": 1795600567614,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-7",
                     *           "sequence": 7,
                     *           "timestamp": 1795600567622,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-8",
                     *           "sequence": 8,
                     *           "timestamp": 1795600567624,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-9",
                     *           "sequence": 9,
                     *           "timestamp": 1795600567631,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-10",
                     *           "sequence": 10,
                     *           "timestamp": 1795600567633,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-11",
                     *           "sequence": 11,
                     *           "timestamp": 1795600567634,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-12",
                     *           "sequence": 12,
                     *           "timestamp": 1795600567636,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-13",
                     *           "sequence": 13,
                     *           "timestamp": 1795600567642,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-14",
                     *           "sequence": 14,
                     *           "timestamp": 1795600567644,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-15",
                     *           "sequence": 15,
                     *           "timestamp": 1795600567647,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-16",
                     *           "sequence": 16,
                     *           "timestamp": 1795600567649,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-17",
                     *           "sequence": 17,
                     *           "timestamp": 1795600567651,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-18",
                     *           "sequence": 18,
                     *           "timestamp": 1795600567654,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-19",
                     *           "sequence": 19,
                     *           "timestamp": 1795600567657,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-20",
                     *           "sequence": 20,
                     *           "timestamp": 1795600567659,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-21",
                     *           "sequence": 21,
                     *           "timestamp": 1795600567660,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-22",
                     *           "sequence": 22,
                     *           "timestamp": 1795600567663,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-23",
                     *           "sequence": 23,
                     *           "timestamp": 1795600567666,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-24",
                     *           "sequence": 24,
                     *           "timestamp": 1795600567669,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-25",
                     *           "sequence": 25,
                     *           "timestamp": 1795600567671,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-26",
                     *           "sequence": 26,
                     *           "timestamp": 1795600567673,
                     *           "type": "refund.stateChanged"
                     *         },
                     *         {
                     *           "data": {
                     *             "after": "signed",
                     *             "before": "unsigned",
                     *             "txId": "abababababababababababababababababababababababababababababababab"
                     *           },
                     *           "id": "account-01a21222-4d09-72e2-9bee-602587bfb2ec-27",
                     *           "sequence": 27,
                     *           "timestamp": 1795600567674,
                     *           "type": "refund.stateChanged"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "newest": 27,
                     *         "next": 27,
                     *         "oldest": 1,
                     *         "pageSize": 25,
                     *         "pollAfterMs": 5000,
                     *         "totalItems": 25,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_EventItem_EventsMeta;
                };
            };
            400: responses["listEvents400"];
            401: responses["Unauthorized"];
            410: responses["Error410_1101"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createSocketTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A ticket */
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
                     *         "expiresAt": 1795612047000,
                     *         "ticket": "0000000000000000000000000000000000000000000000000000000000000000",
                     *         "url": "ws://127.0.0.1:40585/socket"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Ticket;
                };
            };
            400: responses["Error400_1001"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
