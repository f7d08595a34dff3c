// Generated from infra/openapi.json by `npm run generate`.

/**
 * Fee rates and runes.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    EtchedRune,
    MetaDataWith_Polling,
    Timestamp,
    Units,
    headers,
} from './shared.js';
export type {
    EtchedRune,
    MetaData,
    MetaDataWith_Polling,
    Timestamp,
    Units,
} from './shared.js';

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_FeeRates = {
    /** @enum {string} */
    code: "1";
    data: FeeRates;
    /** @enum {string} */
    message: "common.success";
};

/** The fee rates of the service's transactions, in sat/vB. */
export type FeeRates = {
    /**
     * Format: double
     *
     * The rate of `feeTarget: "economy"`, for confirmation within a few hours.
     * @example 1.5
     */
    economy: number;
    /**
     * Format: double
     *
     * The rate of `feeTarget: "fast"`, for the next block.
     * @example 6.25
     */
    fast: number;
    /**
     * Format: int32
     *
     * The height of the chain when the rates were read.
     */
    height: number;
    /**
     * Format: double
     *
     * The lowest rate that the service uses.
     * @example 1
     */
    minimum: number;
    /**
     * Format: double
     *
     * The rate of `feeTarget: "normal"`, the default.
     * @example 4
     */
    normal: number;
    /** When the rates were read, ms since the epoch. */
    updatedAt: Timestamp;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_RuneInfo_Polling = {
    /** @enum {string} */
    code: "1";
    data: RuneInfo;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A rune. */
export type RuneInfo = {
    /**
     * Format: int32
     *
     * Decimals of displayed amounts.
     */
    divisibility: number;
    /** Whether the next Bitcoin block can mint it, by the terms of its etching. */
    mintable: boolean;
    /**
     * Format: rune-name
     *
     * The name with spacers.
     */
    name: string;
    /** Block and index of its etching. */
    runeId: EtchedRune;
    /** Premine and mints so far in the smallest unit, including amounts burned since then. */
    supply: Units;
    /**
     * Format: symbol
     *
     * Null if it has none.
     */
    symbol: string | null;
};

/** A single item, and when to poll for it again. */
export type Single_RuneInfo = OkWith_RuneInfo_Polling;

export interface schemas {
    Envelope_FeeRates: Envelope_FeeRates;
    FeeRates: FeeRates;
    OkWith_RuneInfo_Polling: OkWith_RuneInfo_Polling;
    RuneInfo: RuneInfo;
    Single_RuneInfo: Single_RuneInfo;
}

export interface paths {
    "/api/bitcoin/fee-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the fee rates that the service read last: at most six hours ago, and usually within the last ten minutes.
         *
         * Returns the fee rates that the service read last: at most six hours ago, and usually within the last ten minutes.
         */
        get: operations["getFeeRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runes/{runeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns what a client needs to display amounts of a rune.
         *
         * Returns what a client needs to display amounts of a rune.
         */
        get: operations["getRune"];
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
    getFeeRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The rates */
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
                     *         "economy": 2,
                     *         "fast": 30.5,
                     *         "height": 110,
                     *         "minimum": 1,
                     *         "normal": 12,
                     *         "updatedAt": 1795596981964
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": Envelope_FeeRates;
                };
            };
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Unavailable"];
        };
    };
    getRune: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The rune
                 * @example 117:1
                 */
                runeId: EtchedRune;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The rune */
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
                     *         "divisibility": 2,
                     *         "mintable": false,
                     *         "name": "GOODRUNEGOODRUNE",
                     *         "runeId": "117:1",
                     *         "supply": "100000",
                     *         "symbol": null
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
                    "application/json": Single_RuneInfo;
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
            400: responses["getRune400"];
            404: responses["getRune404"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
}
