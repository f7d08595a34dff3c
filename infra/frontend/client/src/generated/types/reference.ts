// Generated from infra/openapi.json by `npm run generate`.

/**
 * This reference, as a page and as OpenAPI documents.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    headers,
} from './shared.js';

/** An OpenAPI document. */
export type OpenApiDocument = Record<string, never>;

export interface schemas {
    OpenApiDocument: OpenApiDocument;
}

export interface paths {
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the reference as a page.
         *
         * The page is generated from the OpenAPI document, needs no scripts, and loads no other resources. Clients may
         *     cache it for five minutes.
         */
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi-3.0.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the OpenAPI document of this deployment in version 3.0.
         *
         * It has the same content as version 3.1, for tools that do not read 3.1: fields that may be null are
         *     `nullable`, and webhooks are in `x-webhooks`. It lacks conditions, such as which fields must be sent
         *     together, because version 3.0 cannot state them.
         */
        get: operations["getOlderOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the OpenAPI 3.1 document of this deployment.
         *
         * The response has no envelope, so that tools can read it directly. Clients may cache it for five minutes.
         */
        get: operations["getOpenapi"];
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
    getReference: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The page */
            200: {
                headers: {
                    ETag: headers["ETag"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
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
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getOlderOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The document */
            200: {
                headers: {
                    ETag: headers["ETag"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenApiDocument;
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
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /** The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The document */
            200: {
                headers: {
                    ETag: headers["ETag"];
                    "X-Request-Id": headers["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": OpenApiDocument;
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
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
