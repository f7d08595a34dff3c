// Generated from infra/openapi.json by `npm run generate`.

/**
 * The catalogue of tokens.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    MetaData,
    MetaDataWith_Polling,
    Slot,
    TokenId,
    headers,
} from './shared.js';
export type {
    MetaData,
    MetaDataWith_Polling,
    Slot,
    TokenId,
} from './shared.js';

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_TokenRow = {
    /** @enum {string} */
    code: "1";
    data: ListedTokenRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** A token of the catalogue. */
export type ListedTokenRow = {
    /** Chain of the token. */
    chain?: TokenChain;
    /**
     * Format: int32
     *
     * Decimals of displayed amounts.
     * @example 6
     */
    divisibility?: number;
    /** Same as `tokenId`. */
    id: TokenId;
    /** The slots in which it may be the default token. */
    slots?: Slot[];
    /**
     * Format: symbol
     *
     * Symbol of the token.
     * @example USDC
     */
    symbol?: string;
    /** Token id. */
    tokenId?: TokenId;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_TokenRow_Polling = {
    /** @enum {string} */
    code: "1";
    data: TokenRow;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Polling;
};

/** A single item, and when to poll for it again. */
export type Single_TokenRow = OkWith_TokenRow_Polling;

/** @example 42161 */
export type TokenChain = string;

/** A token of the catalogue. */
export type TokenRow = {
    /** Chain of the token. */
    chain: TokenChain;
    /**
     * Format: int32
     *
     * Decimals of displayed amounts.
     * @example 6
     */
    divisibility: number;
    /** Same as `tokenId`. */
    id: TokenId;
    /** The slots in which it may be the default token. */
    slots: Slot[];
    /**
     * Format: symbol
     *
     * Symbol of the token.
     * @example USDC
     */
    symbol: string;
    /** Token id. */
    tokenId: TokenId;
};

export interface schemas {
    Envelope_Vec_TokenRow: Envelope_Vec_TokenRow;
    ListedTokenRow: ListedTokenRow;
    OkWith_TokenRow_Polling: OkWith_TokenRow_Polling;
    Single_TokenRow: Single_TokenRow;
    TokenChain: TokenChain;
    TokenRow: TokenRow;
}

export interface paths {
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the token catalogue, latest entry first.
         *
         * Lists the token catalogue, latest entry first.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one token of the catalogue.
         *
         * Returns one token of the catalogue.
         */
        get: operations["getToken"];
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
    listTokens: {
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
                 * Only tokens of one of these chains.
                 * @example [
                 *       "1"
                 *     ]
                 */
                chain_eq?: TokenChain[];
                /** Only tokens that may be the default token of one of these slots. */
                slot_eq?: Slot[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of tokens */
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
                     *           "chain": "1",
                     *           "divisibility": 6,
                     *           "id": "b",
                     *           "slots": [
                     *             "usdc"
                     *           ],
                     *           "symbol": "USDC",
                     *           "tokenId": "b"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 3,
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": Envelope_Vec_TokenRow;
                };
            };
            400: responses["listTokens400"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The token
                 * @example 42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831
                 */
                tokenId: TokenId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The token */
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
                     *         "chain": "42161",
                     *         "divisibility": 6,
                     *         "id": "42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831",
                     *         "slots": [
                     *           "usdc"
                     *         ],
                     *         "symbol": "USDC",
                     *         "tokenId": "42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831"
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
                    "application/json": Single_TokenRow;
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
            400: responses["getToken400"];
            404: responses["getToken404"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
