// Generated from infra/openapi.json by `npm run generate`.

/**
 * Exports of the caller's histories.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    MetaData,
    MetaDataWith_Polling,
    Timestamp,
    headers,
} from './shared.js';
export type {
    MetaData,
    MetaDataWith_Polling,
    Timestamp,
} from './shared.js';

/** A request for an export. */
export type CreateDownloadHistory = {
    filter?: DownloadHistoryFilter | null;
    /** Format of the file. */
    format: ExportFormat;
};

/** An export of a history. */
export type DownloadHistory = {
    completedAt?: Timestamp | null;
    /** When the export was requested, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: prose
     *
     * Why the export has no file, if `status` is `failed`.
     */
    error?: string | null;
    /** Which part of the history, with the defaults filled in. */
    filter: HistoryFilter;
    /** Format of the file. */
    format: ExportFormat;
    /** Id of the export. */
    id: ExportId;
    /**
     * Format: int64
     *
     * Number of rows written so far.
     */
    rowCount: number;
    /**
     * Format: int64
     *
     * Size of the file in bytes; 0 until the file is complete.
     */
    sizeBytes: number;
    /** State of the export. */
    status: ExportStatus;
    /**
     * Format: uri
     *
     * Download link of the file; present while `status` is `completed`.
     */
    url?: string | null;
    urlExpiresAt?: Timestamp | null;
};

/**
 * Part of a history. Mints, refunds, withdrawals and deposits happen on Bitcoin only, so for another chain the
 *     file has no rows of them.
 */
export type DownloadHistoryFilter = {
    chain?: HistoryChain | null;
    /**
     * Format: instant
     *
     * Only entries created at this moment or later: RFC 3339, a date (in UTC), or milliseconds since the epoch
     *     as a number or a string of digits. If missing: 366 days before `to`.
     * @example 2026-01-01T00:00:00Z
     */
    from?: string | null;
    /**
     * Format: instant
     *
     * Only entries created at this moment or earlier (on this date or earlier), at most 366 days after `from`.
     *     If missing: now.
     * @example 1767225600000
     */
    to?: string | null;
    type?: HistoryType | null;
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_DownloadHistory = {
    /** @enum {string} */
    code: "1";
    data: DownloadHistory;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_DownloadHistory = {
    /** @enum {string} */
    code: "1";
    data: ListedDownloadHistory[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/**
 * The format of the file.
 * @enum {string}
 */
export type ExportFormat = "csv";

/** @example 0197d3f0-0000-7000-8000-000000000000 */
export type ExportId = string;

/**
 * The state of an export.
 *
 *     ```text
 *     pending ──▶ processing ──▶ completed ──▶ expired ◀── by its owner: from every state but failed
 *        │             │
 *        └─────────────┴──────▶ failed
 *     ```
 * @enum {string}
 */
export type ExportStatus = "pending" | "processing" | "completed" | "failed" | "expired";

/** @example bitcoin */
export type HistoryChain = string;

/** The part of a history to export. */
export type HistoryFilter = {
    chain: HistoryChain | null;
    /** Only entries created at this time or later, ms since the epoch. */
    from: Timestamp;
    /** Only entries created at this time or earlier, ms since the epoch. */
    to: Timestamp;
    /** Only entries of this kind. */
    type: HistoryType;
};

/**
 * The kind of history.
 * @enum {string}
 */
export type HistoryType = "swap" | "virtual_mint" | "refund" | "withdraw" | "all";

/** An export of a history. */
export type ListedDownloadHistory = {
    completedAt?: Timestamp | null;
    /** When the export was requested, ms since the epoch. */
    createdAt?: Timestamp;
    /**
     * Format: prose
     *
     * Why the export has no file, if `status` is `failed`.
     */
    error?: string | null;
    /** Which part of the history, with the defaults filled in. */
    filter?: HistoryFilter;
    /** Format of the file. */
    format?: ExportFormat;
    /** Id of the export. */
    id: ExportId;
    /**
     * Format: int64
     *
     * Number of rows written so far.
     */
    rowCount?: number;
    /**
     * Format: int64
     *
     * Size of the file in bytes; 0 until the file is complete.
     */
    sizeBytes?: number;
    /** State of the export. */
    status?: ExportStatus;
    /**
     * Format: uri
     *
     * Download link of the file; present while `status` is `completed`.
     */
    url?: string | null;
    urlExpiresAt?: Timestamp | null;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_DownloadHistory_Polling = {
    /** @enum {string} */
    code: "1";
    data: DownloadHistory;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A single item, and when to poll for it again. */
export type Single_DownloadHistory = OkWith_DownloadHistory_Polling;

export interface schemas {
    CreateDownloadHistory: CreateDownloadHistory;
    DownloadHistory: DownloadHistory;
    DownloadHistoryFilter: DownloadHistoryFilter;
    Envelope_DownloadHistory: Envelope_DownloadHistory;
    Envelope_Vec_DownloadHistory: Envelope_Vec_DownloadHistory;
    ExportFormat: ExportFormat;
    ExportId: ExportId;
    ExportStatus: ExportStatus;
    HistoryChain: HistoryChain;
    HistoryFilter: HistoryFilter;
    HistoryType: HistoryType;
    ListedDownloadHistory: ListedDownloadHistory;
    OkWith_DownloadHistory_Polling: OkWith_DownloadHistory_Polling;
    Single_DownloadHistory: Single_DownloadHistory;
}

export interface paths {
    "/api/download-histories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's exports, newest first.
         *
         * Lists the caller's exports, newest first.
         */
        get: operations["listDownloadHistories"];
        put?: never;
        /**
         * Requests a file of the caller's history.
         *
         * A background worker writes the file. It contains the rows that the history has at the time of the request, in their state at the time of writing. The list shows the progress and, once the file is complete, a download link.
         */
        post: operations["createDownloadHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download-histories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one of the caller's exports.
         *
         * Returns one of the caller's exports.
         */
        get: operations["getDownloadHistory"];
        put?: never;
        post?: never;
        /**
         * Deletes the file of one of the caller's exports, or stops the export if there is no file yet.
         *
         * The row stays in the list as `expired`; a failed export stays `failed`. A worker deletes the file within seconds, and links to it stop working.
         */
        delete: operations["deleteDownloadHistory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    listDownloadHistories: {
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
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of exports */
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
                     *           "completedAt": 1795595893601,
                     *           "createdAt": 1795595893423,
                     *           "filter": {
                     *             "chain": "30",
                     *             "from": 1763973493407,
                     *             "to": 1795595893407,
                     *             "type": "swap"
                     *           },
                     *           "format": "csv",
                     *           "id": "01a211da-faaf-74e3-8047-0a3516f9c66b",
                     *           "rowCount": 3,
                     *           "sizeBytes": 1909,
                     *           "status": "completed",
                     *           "url": "http://127.0.0.1:38735/runeport-db2325301b65b200-exportbucket/exports/01a211da-f8e4-754b-86be-c0ae80f6986f/01a211da-faaf-74e3-8047-0a3516f9c66b.csv?x-id=GetObject&response-content-disposition=attachment%3B%20filename%3D%22runeport-swap-01a211da-faaf-74e3-8047-0a3516f9c66b.csv%22&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20261125%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261125T083500Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=0000000000000000000000000000000000000000000000000000000000000000",
                     *           "urlExpiresAt": 1795596600000
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
            400: responses["listDownloadHistories400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createDownloadHistory: {
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
                 *       "filter": {
                 *         "chain": "30",
                 *         "type": "swap"
                 *       },
                 *       "format": "csv"
                 *     }
                 */
                "application/json": CreateDownloadHistory;
            };
        };
        responses: {
            /** The export, pending */
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
                     *         "createdAt": 1795595893423,
                     *         "filter": {
                     *           "chain": "30",
                     *           "from": 1763973493407,
                     *           "to": 1795595893407,
                     *           "type": "swap"
                     *         },
                     *         "format": "csv",
                     *         "id": "01a211da-faaf-74e3-8047-0a3516f9c66b",
                     *         "rowCount": 0,
                     *         "sizeBytes": 0,
                     *         "status": "pending"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_DownloadHistory;
                };
            };
            400: responses["createDownloadHistory400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            409: responses["Error409_1010_1011"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getDownloadHistory: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The export
                 * @example 01a211db-1c00-7205-a933-47527e0595d9
                 */
                id: ExportId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The export */
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
                     *         "completedAt": 1795595902180,
                     *         "createdAt": 1795595901952,
                     *         "filter": {
                     *           "chain": null,
                     *           "from": 1763973501940,
                     *           "to": 1795595901940,
                     *           "type": "swap"
                     *         },
                     *         "format": "csv",
                     *         "id": "01a211db-1c00-7205-a933-47527e0595d9",
                     *         "rowCount": 2,
                     *         "sizeBytes": 1343,
                     *         "status": "completed",
                     *         "url": "http://127.0.0.1:40519/runeport-d579285dbb6626b8-exportbucket/exports/01a211db-1ab3-757a-8d7b-02e2d1008df7/01a211db-1c00-7205-a933-47527e0595d9.csv?x-id=GetObject&response-content-disposition=attachment%3B%20filename%3D%22runeport-swap-01a211db-1c00-7205-a933-47527e0595d9.csv%22&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20261125%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20261125T083500Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=0000000000000000000000000000000000000000000000000000000000000000",
                     *         "urlExpiresAt": 1795596600000
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
                    "application/json": Single_DownloadHistory;
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
            400: responses["getDownloadHistory400"];
            401: responses["listAccounts401"];
            404: responses["Error404_1104"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    deleteDownloadHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The export
                 * @example 01a211db-26ec-7f5d-a5a8-f686e9e78a80
                 */
                id: ExportId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The export */
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
                     *         "completedAt": 1795595904920,
                     *         "createdAt": 1795595904748,
                     *         "filter": {
                     *           "chain": null,
                     *           "from": 1763973504746,
                     *           "to": 1795595904746,
                     *           "type": "swap"
                     *         },
                     *         "format": "csv",
                     *         "id": "01a211db-26ec-7f5d-a5a8-f686e9e78a80",
                     *         "rowCount": 0,
                     *         "sizeBytes": 211,
                     *         "status": "expired"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_DownloadHistory;
                };
            };
            400: responses["deleteDownloadHistory400"];
            401: responses["listAccounts401"];
            404: responses["Error404_1104"];
            409: responses["Error409_1014"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
