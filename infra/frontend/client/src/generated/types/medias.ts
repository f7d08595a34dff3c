// Generated from infra/openapi.json by `npm run generate`.

/**
 * Uploads of images and other media.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Envelope_Nothing,
    MetaDataWith_NoMetaData,
    headers,
} from './shared.js';
export type {
    Envelope_Nothing,
    MetaData,
    MetaDataWith_NoMetaData,
    Nothing,
} from './shared.js';

/** A file to upload. */
export type FileToUpload = {
    /**
     * Format: media-filename
     *
     * File name without control characters. It must end in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or
     *     `.avif`, in any case.
     */
    filename: string;
};

/** The fields of a form: the signed ones, the policy and its signature. */
export type FormFields = SignedFields & {
    /**
     * Format: byte
     *
     * The policy that S3 checks: an expiry, and one condition per field.
     */
    Policy: string;
    /**
     * Format: signing-signature
     *
     * The signed policy.
     */
    "X-Amz-Signature": string;
};

/** @example 018bcfe5-6800-7000-8000-000000000001.png */
export type MediaName = string;

/** How to upload a file, and where to download it afterwards. */
export type MediaUpload = {
    /**
     * Format: filename
     *
     * File name as sent in the request.
     */
    fileName: string;
    /**
     * Format: object-key
     *
     * Key of the file in the bucket.
     */
    key: string;
    /**
     * Format: media-type
     *
     * Media type that the file is stored with, regardless of its content.
     * @example image/png
     */
    mimeType: string;
    /** The form that uploads the file, valid for 15 minutes. */
    signedUrl: SignedUrl;
    /**
     * Format: int64
     *
     * Maximum size of the file in bytes.
     * @example 10485760
     */
    size: number;
    /**
     * Format: uri
     *
     * Public URL of the file, once it is uploaded.
     */
    url: string;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_MediaUpload_NoMetaData = {
    /** @enum {string} */
    code: "1";
    data: MediaUpload[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_NoMetaData;
};

/** A request to upload files. */
export type PresignUploads = {
    /** The files, 1 to 20. */
    files: FileToUpload[];
    /**
     * Format: address
     *
     * An address of the caller's account.
     */
    userAddress?: string | null;
};

/** The fields that the policy has a condition for. */
export type SignedFields = {
    /**
     * Format: media-type
     *
     * Media type that S3 stores the file with.
     */
    "Content-Type": string;
    /**
     * Format: signing-algorithm
     *
     * `AWS4-HMAC-SHA256`.
     */
    "X-Amz-Algorithm": string;
    /**
     * Format: signing-scope
     *
     * The access key and the scope of the signature: day, region and service.
     */
    "X-Amz-Credential": string;
    /**
     * Format: signing-time
     *
     * Time of the signature.
     * @example 20261121T103000Z
     */
    "X-Amz-Date": string;
    /**
     * Format: signing-token
     *
     * The token of the service's temporary credentials, if it has such credentials.
     */
    "X-Amz-Security-Token"?: string;
    /**
     * Format: bucket
     *
     * Name of the bucket.
     */
    bucket: string;
    /**
     * Format: object-key
     *
     * Key of the file.
     */
    key: string;
};

/** A form: its URL and its fields. The file follows them as the field `file`. */
export type SignedUrl = {
    /** Every field except the file; the client sends each unchanged. */
    fields: FormFields;
    /**
     * Format: uri
     *
     * URL that the form is sent to by POST.
     */
    url: string;
};

export interface schemas {
    FileToUpload: FileToUpload;
    FormFields: FormFields;
    MediaName: MediaName;
    MediaUpload: MediaUpload;
    OkWith_Vec_MediaUpload_NoMetaData: OkWith_Vec_MediaUpload_NoMetaData;
    PresignUploads: PresignUploads;
    SignedFields: SignedFields;
    SignedUrl: SignedUrl;
}

export interface paths {
    "/api/medias/presigned-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns a form for each file, with which the client uploads it directly to S3.
         *
         * Send each form as `multipart/form-data` to `signedUrl.url`: first the fields of `signedUrl.fields`,
         *     unchanged and in any order, then the file as the field `file`. S3 refuses files that are too large, have
         *     another type or key, or arrive after the form has expired. Forms are not stored, so `Idempotency-Key` is
         *     ignored.
         */
        post: operations["createMediaUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/medias/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a file that the caller has uploaded.
         *
         * `name` is the last part of the file's `key`. The response is the same if the file does not exist or has
         *     already been deleted. Caches may serve a deleted file for up to a day. Until its form expires, the file can
         *     be uploaded again.
         */
        delete: operations["deleteMedia"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}

export interface operations {
    createMediaUpload: {
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
                 *       "files": [
                 *         {
                 *           "filename": "a.png"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": PresignUploads;
            };
        };
        responses: {
            /** The forms, in the order of the files */
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
                     *           "fileName": "a.png",
                     *           "key": "media/5d41402abc4b2a76b9719d911017c592/01a211d9-11af-7573-83d4-848d3d28b7cb.png",
                     *           "mimeType": "image/png",
                     *           "signedUrl": {
                     *             "fields": {
                     *               "Content-Type": "image/png",
                     *               "Policy": "eyJjb25kaXRpb25zIjpbeyJDb250ZW50LVR5cGUiOiJpbWFnZS9wbmcifSx7IlgtQW16LUFsZ29yaXRobSI6IkFXUzQtSE1BQy1TSEEyNTYifSx7IlgtQW16LUNyZWRlbnRpYWwiOiJ0ZXN0LzIwMjYxMTI1L3VzLWVhc3QtMS9zMy9hd3M0X3JlcXVlc3QifSx7IlgtQW16LURhdGUiOiIyMDI2MTEyNVQwODM2MDhaIn0seyJYLUFtei1TZWN1cml0eS1Ub2tlbiI6Im9mLWFuLWhvdXIifSx7ImJ1Y2tldCI6InJ1bmVwb3J0LWE4ZTEyMDg2ODUwNzEwZWItbWVkaWFidWNrZXQifSx7ImtleSI6Im1lZGlhLzAxYTIxMWQ5LTExYTEtNzBmOC04MDVlLTY3MmJkMWM0OTRjOC8wMWEyMTFkOS0xMWFmLTc1NzMtODNkNC04NDhkM2QyOGI3Y2IucG5nIn0sWyJjb250ZW50LWxlbmd0aC1yYW5nZSIsMSwxMDQ4NTc2MF1dLCJleHBpcmF0aW9uIjoiMjAyNi0xMS0yNVQwODo1MTowOFoifQ==",
                     *               "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
                     *               "X-Amz-Credential": "test/20261125/us-east-1/s3/aws4_request",
                     *               "X-Amz-Date": "20261125T083608Z",
                     *               "X-Amz-Security-Token": "AAAAAAAAAA",
                     *               "X-Amz-Signature": "0000000000000000000000000000000000000000000000000000000000000000",
                     *               "bucket": "runeport-a8e12086850710eb-mediabucket",
                     *               "key": "media/5d41402abc4b2a76b9719d911017c592/01a211d9-11af-7573-83d4-848d3d28b7cb.png"
                     *             },
                     *             "url": "http://127.0.0.1:38149/runeport-a8e12086850710eb-mediabucket"
                     *           },
                     *           "size": 10485760,
                     *           "url": "http://127.0.0.1:45251/media/5d41402abc4b2a76b9719d911017c592/01a211d9-11af-7573-83d4-848d3d28b7cb.png"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": OkWith_Vec_MediaUpload_NoMetaData;
                };
            };
            400: responses["createMediaUpload400"];
            401: responses["listAccounts401"];
            403: responses["listAccounts403"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["createMediaUpload503"];
        };
    };
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The last part of the file's key
                 * @example 01a21222-3b74-7f08-9655-a26c09efca0e.png
                 */
                name: MediaName;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file is deleted */
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
            400: responses["deleteMedia400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
