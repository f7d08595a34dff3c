// Generated from infra/openapi.json by `npm run generate`.

/**
 * The prizes that the treasury holds.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    InscriptionId,
    MetaData,
    MetaDataWith_Polling,
    Timestamp,
    headers,
} from './shared.js';
export type {
    InscriptionId,
    MetaData,
    MetaDataWith_Polling,
    Timestamp,
} from './shared.js';

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Prize = {
    /** @enum {string} */
    code: "1";
    data: Prize;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_Prize = {
    /** @enum {string} */
    code: "1";
    data: ListedPrize[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** An inscription that the treasury holds to give away. */
export type ListedPrize = {
    /** The treasury's output that holds the inscription, unique. */
    controllingUtxo?: OutPoint;
    /** When it was registered, ms since the epoch. */
    createdAt?: Timestamp;
    /**
     * Format: number
     *
     * The id: the prize number as text.
     */
    id: string;
    /** The inscription, unique. */
    inscriptionId?: InscriptionId;
    /** The prize's name. */
    name?: PrizeName;
    /** From 1 to 100, unique. */
    prizeNumber?: PrizeNumber;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Prize_Polling = {
    /** @enum {string} */
    code: "1";
    data: Prize;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0 */
export type OutPoint = string;

/** An inscription that the treasury holds to give away. */
export type Prize = {
    /** The treasury's output that holds the inscription, unique. */
    controllingUtxo: OutPoint;
    /** When it was registered, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: number
     *
     * The id: the prize number as text.
     */
    id: string;
    /** The inscription, unique. */
    inscriptionId: InscriptionId;
    /** The prize's name. */
    name: PrizeName;
    /** From 1 to 100, unique. */
    prizeNumber: PrizeNumber;
};

/**
 * Format: label
 *
 * A prize's name: 1 to 100 characters, no control characters, no blank at either end.
 * @example Runestone No. 7
 */
export type PrizeName = string;

/**
 * Format: int32
 *
 * A prize's number, 1 to 100.
 * @example 7
 */
export type PrizeNumber = number;

/** A prize to register. */
export type RegisterPrize = {
    /** The treasury's output that holds the inscription, `<txid>:<vout>`, unique. */
    controllingUtxo: OutPoint;
    /** Id of the inscription, unique. */
    inscriptionId: InscriptionId;
    /** Name of the prize. */
    name: PrizeName;
    /** Number of the prize, 1 to 100, unique. */
    prizeNumber: PrizeNumber;
};

/** A single item, and when to poll for it again. */
export type Single_Prize = OkWith_Prize_Polling;

export interface schemas {
    Envelope_Prize: Envelope_Prize;
    Envelope_Vec_Prize: Envelope_Vec_Prize;
    ListedPrize: ListedPrize;
    OkWith_Prize_Polling: OkWith_Prize_Polling;
    OutPoint: OutPoint;
    Prize: Prize;
    PrizeName: PrizeName;
    PrizeNumber: PrizeNumber;
    RegisterPrize: RegisterPrize;
    Single_Prize: Single_Prize;
}

export interface paths {
    "/api/prizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all prizes, newest first; sortable by every field.
         *
         * Lists all prizes, newest first; sortable by every field.
         */
        get: operations["listPrizes"];
        put?: never;
        /**
         * Registers a prize that the treasury holds. Admins only.
         *
         * On the chain, the output must be unspent, hold the inscription, and pay the treasury.
         */
        post: operations["registerPrize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prizes/{prizeNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one prize.
         *
         * Returns one prize.
         */
        get: operations["getPrize"];
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
    listPrizes: {
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
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of prizes */
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
                     *           "controllingUtxo": "00000000000000000000000000000000000000000000000000000000000003ef:1",
                     *           "createdAt": 1795595832562,
                     *           "id": "7",
                     *           "inscriptionId": "0000000000000000000000000000000000000000000000000000000000000007i0",
                     *           "name": "Prize 7",
                     *           "prizeNumber": 7
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
                    "application/json": Envelope_Vec_Prize;
                };
            };
            400: responses["listPrizes400"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    registerPrize: {
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
                 *       "controllingUtxo": "00000000000000000000000000000000000000000000000000000000000003e9:1",
                 *       "inscriptionId": "0000000000000000000000000000000000000000000000000000000000000001i0",
                 *       "name": "Prize 1",
                 *       "prizeNumber": 1
                 *     }
                 */
                "application/json": RegisterPrize;
            };
        };
        responses: {
            /** The prize */
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
                     *         "controllingUtxo": "00000000000000000000000000000000000000000000000000000000000003e9:1",
                     *         "createdAt": 1795595827685,
                     *         "id": "1",
                     *         "inscriptionId": "0000000000000000000000000000000000000000000000000000000000000001i0",
                     *         "name": "Prize 1",
                     *         "prizeNumber": 1
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_Prize;
                };
            };
            400: responses["registerPrize400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            403: responses["Error403_1007"];
            409: responses["registerPrize409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getPrize: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The prize's number
                 * @example 3
                 */
                prizeNumber: PrizeNumber;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The prize */
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
                     *         "controllingUtxo": "00000000000000000000000000000000000000000000000000000000000003eb:1",
                     *         "createdAt": 1795595830310,
                     *         "id": "3",
                     *         "inscriptionId": "0000000000000000000000000000000000000000000000000000000000000003i0",
                     *         "name": "Prize 3",
                     *         "prizeNumber": 3
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
                    "application/json": Single_Prize;
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
            400: responses["getPrize400"];
            401: responses["Unauthorized"];
            404: responses["getPrize404"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
