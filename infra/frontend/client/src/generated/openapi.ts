// Generated from infra/openapi.json by `npm run generate`.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the public keys of access tokens (RFC 7517).
         * @description The response has no envelope, so that libraries can read it directly.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all accounts, newest first. Admins only.
         * @description Hidden fields: `referredBy`, `lastSignInAt`. Relations: `wallet`, and
         *     `referrer`, the account that invited this one, or null.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a secret for the second factor.
         * @description A secret in use stays in use until the new one is confirmed with `2fa/toggle`.
         */
        post: operations["setUpTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/2fa/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enables the second factor with a code of the new secret, or disables it with a code of the secret in use.
         * @description Within 15 minutes after a sign-in, a code of a new secret replaces the secret in use. Every other session ends.
         */
        post: operations["toggleTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes to the caller's account, newest first: what changed, when and from where.
         * @description Sign-ins are included. Failed proofs of identity are counted by hour in `metaData.failedProofs`.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's addresses: the sign-in wallet first, then linked addresses. */
        get: operations["listAddresses"];
        put?: never;
        /**
         * Links an address to the account.
         * @description A linked address can be used wherever one of the caller's own addresses is required, but it cannot sign in. Requires a sign-in within the last 15 minutes.
         */
        post: operations["linkAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/addresses/{address}": {
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
         * Unlinks an address.
         * @description Requires a sign-in within the last 15 minutes. An address stays linked while it is used by open VM transactions or swaps.
         */
        delete: operations["unlinkAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Sets or removes the account's avatar. */
        patch: operations["setAvatar"];
        trace?: never;
    };
    "/api/account/change-email/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a token to the new address and a notice to the current one.
         * @description A repeated request with the same address gets a new handshake. If the last mail is at least 60 seconds old, it also mails a new token; the earlier one stays valid until it expires or the address changes. A request for another address voids all earlier tokens. At most 3 requests per hour may send mail.
         */
        post: operations["initChangeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/change-email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the e-mail address and, if the account has a password, the verifier.
         * @description The address, the verifier, the uniqueness records and the token change together or not at all. Every other session ends.
         */
        post: operations["verifyChangeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/default-token": {
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
         * Empties a slot.
         * @description `tokenId` must name the token in the slot.
         */
        delete: operations["removeDefaultToken"];
        options?: never;
        head?: never;
        /** Sets the account's default token for a slot. */
        patch: operations["setDefaultToken"];
        trace?: never;
    };
    "/api/account/keystore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's keystore. */
        get: operations["getKeystore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's account. */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's passkeys. */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts adding a passkey.
         * @description Requires a sign-in within the last 15 minutes.
         */
        post: operations["initPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a passkey, which can sign in from now on.
         * @description Every other session ends. Requires a sign-in within the last 15 minutes.
         */
        post: operations["verifyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/passkeys/{id}": {
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
         * Removes a passkey, unless it is the only way to sign in.
         * @description Every other session ends. Requires a sign-in within the last 15 minutes.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/referral-code/{code}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Checks whether a referral code can be used.
         * @description Case is ignored; an unknown code is not an error.
         */
        get: operations["verifyReferralCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/srp/change-password/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a change of password with the handshake that proves the current password. */
        post: operations["initChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/srp/change-password/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the password.
         * @description Salt, verifier, keystore and hint change together, provided that the verifier is still the one against which the proof was checked. Every other session ends.
         */
        post: operations["verifyChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/trading-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller's trading wallet and how to spend from it without the platform.
         * @description Store the document outside the platform. It contains no secret.
         */
        get: operations["getTradingWallet"];
        put?: never;
        /**
         * Creates the trading wallet of an account that has none because it does not sign in with a Bitcoin wallet.
         * @description A trading wallet is created only once, and its keys never change. Requires a sign-in within the last 15 minutes.
         */
        post: operations["createTradingWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/trading-wallet/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the balance of the caller's trading wallet: confirmed, available now, incoming, and held back. */
        get: operations["getTradingWalletBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/trading-wallet/coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the coins of the caller's trading wallet, the most valuable first.
         * @description Each coin shows what it holds, what prevents it from being spent, and when the user alone can spend it. The list is read from the chain and filtered and sorted as a whole.
         */
        get: operations["listCoins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/trading-wallet/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the deposits to the caller's trading address, newest first.
         * @description The list contains payments by others since the service began to read blocks, and announced deposits. It
         *     omits outputs with which the account's own transactions return funds to the address. The filter works on up
         *     to 5,000 deposits.
         */
        get: operations["listDeposits"];
        put?: never;
        /**
         * Announces a transaction that pays the caller's trading address, so its deposits are listed before they confirm.
         * @description The response contains the deposits: `seen`, or `confirmed` if the service has read their block. If the
         *     network does not know the transaction yet, its deposit is `awaited` for an hour. A repeated request for the
         *     same transaction returns the same deposits.
         *
         *     The service refuses a transaction that pays nothing to the address. It also refuses a transaction of the
         *     caller's own wallet, because change is not a deposit.
         */
        post: operations["announceDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/trading-wallet/recovery-kit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller's recovery kit.
         * @description The kit contains everything needed to spend the coins of the trading wallet without the platform after their delay, except for the private key. Store it outside the platform. It contains no secret. If the chain cannot be read, the kit has no coins and is still complete: the recovery page finds them.
         */
        get: operations["getRecoveryKit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies the account's e-mail address with a mailed token.
         * @description If another account holds the address without having verified it, the caller takes it over. That account keeps everything else and, if it has a password, signs in by its id.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails another token to the account's e-mail address.
         * @description An account may request at most 3 mails per hour.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/wallet/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the sign-in wallet together with the keystore.
         * @description The old wallet can no longer sign in, and cannot register an account for 90 days. Every other session ends.
         */
        post: operations["rotateWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one account. Admins only. */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in.
         * @deprecated
         * @description The same as `POST /auth/authenticate`.
         */
        post: operations["authenticateUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the caller's session.
         * @deprecated
         * @description The same as `POST /auth/logout`.
         */
        post: operations["logOutUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in with any passkey that the user picks.
         * @deprecated
         * @description The same as `POST /auth/passkey/init`.
         */
        post: operations["initPasskeySignInUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticates the signed-in account again, without opening another session.
         * @deprecated
         * @description The same as `POST /auth/reauthenticate`.
         */
        post: operations["reauthenticateUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair of tokens.
         * @deprecated
         * @description The same as `POST /auth/refresh-token`.
         */
        post: operations["refreshTokenUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a registration with a passkey.
         * @deprecated
         * @description The same as `POST /auth/register/passkey/init`.
         */
        post: operations["initPasskeyRegistrationUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/passkey/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a passkey.
         * @deprecated
         * @description The same as `POST /auth/register/passkey/verify`.
         */
        post: operations["registerPasskeyUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/srp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a password.
         * @deprecated
         * @description The same as `POST /auth/register/srp`.
         */
        post: operations["registerSrpUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account with a sign-in wallet, and optionally a keystore and an e-mail address.
         * @deprecated
         * @description The same as `POST /auth/register/wallet`.
         */
        post: operations["registerWalletUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's valid sessions, newest first; at most 100.
         * @deprecated
         * @description The same as `GET /auth/sessions`.
         */
        get: operations["listSessionsUnderApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{id}": {
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
         * Ends one of the caller's sessions.
         * @deprecated
         * @description The same as `DELETE /auth/sessions/{id}`.
         */
        delete: operations["revokeSessionUnderApi"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/srp/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in by password.
         * @deprecated
         * @description The same as `POST /auth/srp/init`.
         */
        post: operations["initSrpSignInUnderApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/wallet/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Issues a challenge bound to this service, the address and a purpose.
         * @deprecated
         * @description The same as `GET /auth/wallet/challenge`.
         */
        get: operations["getWalletChallengeUnderApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bitcoin/fee-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the fee rates that the service read last: at most six hours ago, and usually within the last ten minutes. */
        get: operations["getFeeRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the settings of this deployment that a frontend needs before a user signs in.
         * @description Clients may cache the response for five minutes.
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the reference as a page.
         * @description The page is generated from the OpenAPI document, needs no scripts, and loads no other resources. Clients may
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
    "/api/download-histories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's exports, newest first. */
        get: operations["listDownloadHistories"];
        put?: never;
        /**
         * Requests a file of the caller's history.
         * @description A background worker writes the file. It contains the rows that the history has at the time of the request, in their state at the time of writing. The list shows the progress and, once the file is complete, a download link.
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
        /** Returns one of the caller's exports. */
        get: operations["getDownloadHistory"];
        put?: never;
        post?: never;
        /**
         * Deletes the file of one of the caller's exports, or stops the export if there is no file yet.
         * @description The row stays in the list as `expired`; a failed export stays `failed`. A worker deletes the file within seconds, and links to it stop working.
         */
        delete: operations["deleteDownloadHistory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes to the caller's transactions, swaps, batches, refunds, exports and sessions, oldest first.
         * @description Events are numbered 1, 2, 3 without gaps and kept for 90 days.
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
         * @description The socket closes when the caller's session ends.
         */
        post: operations["createSocketTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports whether the service is up and, with `deep=1`, whether its dependencies are too. */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
         * @description Send each form as `multipart/form-data` to `signedUrl.url`: first the fields of `signedUrl.fields`,
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
         * @description `name` is the last part of the file's `key`. The response is the same if the file does not exist or has
         *     already been deleted. Caches may serve a deleted file for up to a day. Until its form expires, the file can
         *     be uploaded again.
         */
        delete: operations["deleteMedia"];
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
         * @description It has the same content as version 3.1, for tools that do not read 3.1: fields that may be null are
         *     `nullable`, and webhooks are in `x-webhooks`.
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
         * @description The response has no envelope, so that tools can read it directly. Clients may cache it for five minutes.
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
    "/api/perp-venue/builder-fee-approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Builds the action that approves the platform's builder fee.
         * @description A wallet signs the action once, after its first deposit; before the deposit, the venue refuses it.
         *
         *     The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs with the venue's
         *     user-signed-action scheme (EIP-712) and posts it to the venue itself. `signing` contains the typed data and
         *     the digest to compare with. The service stores nothing, so `Idempotency-Key` is ignored.
         */
        post: operations["buildVenueBuilderFeeApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/perp-venue/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Builds the two transactions that move USDC from a wallet's address into its account at the venue.
         * @description The address is on the venue's EVM chain.
         *
         *     The client signs both and broadcasts them with `eth_sendRawTransaction` to `rpcUrl`: first the approval,
         *     then the deposit. The service refuses a deposit that would fail. If it cannot reach the chain to check,
         *     `metaData.checks` is `unavailable` and the transactions are returned anyway. If the chain contradicts the
         *     settings of the service, the answer is 503 without transactions. The gas of the deposit cannot be
         *     estimated before the approval is mined; 300,000 is enough. The service stores nothing, so
         *     `Idempotency-Key` is ignored.
         */
        post: operations["buildVenueDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/perp-venue/referral": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Builds the action that sets the referrer of a wallet at the venue.
         * @description The action is null if no code is configured, if the wallet already has a referrer, or if the wallet has traded 10,000 USD, from which point the venue accepts no referrer.
         *
         *     The client signs it with the venue's L1-action scheme and posts it to the venue itself. `signing` contains
         *     the typed data and the digest to compare with. If the venue cannot be reached, `metaData.checks` is
         *     `unavailable` and the action is returned even for a wallet that may have a referrer; the venue then rejects
         *     it. The service stores nothing, so `Idempotency-Key` is ignored.
         */
        post: operations["buildVenueReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/perp-venue/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a wallet's state at the venue: its balances on both sides, and the steps it has to take before it can trade.
         * @description The venue's answers about a wallet are cached for 5 seconds.
         */
        get: operations["getVenueStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/perp-venue/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Builds the action that moves USDC from a wallet's account at the venue to its own address on the venue's EVM chain.
         * @description The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs with the venue's
         *     user-signed-action scheme (EIP-712, send-asset types) and posts it to the venue itself. `signing` contains
         *     the typed data and the digest to compare with. The service refuses a withdrawal that the venue would reject.
         *     If the venue cannot be reached to check, `metaData.checks` is `unavailable` and the action is returned
         *     anyway. The service stores nothing, so `Idempotency-Key` is ignored.
         */
        post: operations["buildVenueWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all prizes, newest first; sortable by every field. */
        get: operations["listPrizes"];
        put?: never;
        /**
         * Registers a prize that the treasury holds. Admins only.
         * @description On the chain, the output must be unspent, hold the inscription, and pay the treasury.
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
        /** Returns one prize. */
        get: operations["getPrize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates the refund that was calculated.
         * @description The caller has ten minutes to sign the refund. It pays the trading address that paid for the transactions.
         *
         *     An account has one unsigned refund at a time. Until it expires, the same request returns the same
         *     transaction, and a different request ends it. The ended refund counts as a refund that was not signed in
         *     time. The transaction spends the refunded outputs and, if the trading address has one, a coin of the user.
         *     The user signs for this coin and gets it back in full. If `userInputIndexes` is empty, the client sends the
         *     transaction back unchanged.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/calculate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calculates what a refund created now would pay.
         * @description The fee rate used is cached for ten minutes.
         */
        get: operations["calculateRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/sign": {
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
         * @description A refused transaction was not broadcast, and its payments can be refunded again. Signing the same
         *     transaction again returns its current status. `signing` and `broadcasting` mean that it is in progress;
         *     the service finishes it without another request.
         */
        post: operations["signRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refund/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one refund of the caller, signed or not, with the payments that it returns. */
        get: operations["getRefund"];
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
        /** Returns what a client needs to display amounts of a rune. */
        get: operations["getRune"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the token catalogue, latest entry first. */
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
        /** Returns one token of the catalogue. */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the caller's signed Bitcoin transactions of every kind, newest first.
         * @description Filters work on up to 5,000 transactions.
         *
         *     With `state_eq=unsigned`, the list contains the transactions that wait for the caller's signature. They hold
         *     coins until they are signed or end.
         */
        get: operations["listBitcoinTransactions"];
        put?: never;
        /**
         * Creates a transaction of the caller's trading wallet.
         * @description The transaction is a withdrawal through the hub or to a Bitcoin address, or a renewal of coins. The caller has ten minutes to sign it.
         *
         *     The transaction spends no inscription. Runes that it does not pay to the recipient return to the trading
         *     address.
         *
         *     - `xchain-withdraw` is the withdrawal of `POST /api/xchain/transaction`.
         *     - `withdraw` pays any Bitcoin address. Its only OP_RETURN is the runestone of a rune payment. The hub is not
         *       notified, and it appears in no public list. `amount: "max"` pays as much as one transaction can; the
         *       service calculates the amount and reserves the coins in one step.
         *     - `renew-utxo` returns coins to the trading address, so that their delay of 90 days begins again. Plain
         *       coins merge into one coin, and all their runes into another coin.
         */
        post: operations["createBitcoinTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/max-spent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the largest amount that one transaction of the caller's trading wallet can pay now.
         * @description The request reserves nothing: a withdrawal with `amount: "max"` calculates the amount and reserves its coins in one step. Coins of unsigned transactions count, because the withdrawal ends those transactions.
         */
        post: operations["calculateMaxSpent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepts the user's signatures of a withdrawal or renewal, adds the platform's and broadcasts the transaction.
         * @description A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
         *     returns its current status. `signing` and `broadcasting` mean that it is in progress; the service finishes
         *     it without another request.
         */
        post: operations["signBitcoinTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one transaction of the caller, signed or not. */
        get: operations["getBitcoinTransaction"];
        put?: never;
        post?: never;
        /**
         * Ends an unsigned transaction of the caller, of any kind, so that its coins are free again immediately.
         * @description An ended refund counts as a refund that was not signed in time.
         *
         *     If the transaction has already ended, the response is the same. Repeating the request that created it with
         *     the same idempotency key then fails with 2015.
         */
        delete: operations["releaseBitcoinTransaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions/{txId}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a replacement of an unconfirmed `withdraw` or `renew-utxo` transaction (BIP 125).
         * @description The transaction to replace waits in the mempool, or the network has refused it for half an hour. Sign the
         *     replacement with `POST /api/transactions/sign`.
         *
         *     `bump` creates the same transaction at a higher fee. `cancel` returns a coin of the transaction to the
         *     trading address, so only one of the two can confirm; the network decides which. If the transaction has
         *     already been replaced, its newest version is replaced. An earlier unsigned replacement ends. A bump pays the
         *     same amount. If a withdrawal of BTC has no change and no other coin is free, the higher fee is taken from
         *     its amount: `metaData.amount` is the lower amount, and the response has the warning `amountLowered`.
         *
         *     A batch whose mint has ended without it (`notTaken`) can be cancelled too, but not bumped. This operation
         *     does not replace other transactions: a withdrawal through the hub is replaced by one with `replaceTxId`, a
         *     batch of an open mint by a further batch, a refund by the service itself.
         */
        post: operations["replaceBitcoinTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/utxos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the unspent outputs of a trading address of this service, the most valuable first. */
        get: operations["listUtxos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists signed VM transactions, newest first.
         * @description With a token and `state_eq=unsigned` or `expired`, it lists the caller's own. An invalid token is then a 401; in other requests it is ignored.
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
         * @description The caller has ten minutes to sign it.
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
        /** Counts the requests of open mints that the network has accepted and no virtual block has taken. */
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
         * @description The filter by state works on up to 5,000 mints.
         */
        get: operations["listMints"];
        put?: never;
        /**
         * Creates a mint. Admins only.
         * @description A rune can have one mint at a time, and the pool must hold its tokens. The rune's etching must be seven blocks deep.
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
        /** Returns one mint. */
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
         * @description A reorganisation can change virtual blocks that are not final.
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
         * @description Closing a closed mint changes nothing.
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
         * @description Events are numbered 1, 2, 3 without gaps and kept for 90 days.
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
         * @description The worker computes it every minute and after each block, with the 1,000 batches in the mempool whose new requests have the highest prices.
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
         * @description A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
         *     returns its current status. `broadcasting` means that it is in progress; the service finishes it without
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
         * @description Only its owner can read it while it is unsigned or expired.
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
    "/api/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the caller's trading wallet in the form that published clients use.
         * @description It does not create a wallet; `POST /api/account/trading-wallet` does.
         */
        post: operations["getOwnWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallets/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the sats of a trading address of this service. */
        get: operations["getAddressBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallets/details/{userAddress}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the trading wallet of a sign-in wallet or of a trading address, without a token.
         * @description The owner of the wallet also receives the user's key, and can name any of the account's addresses.
         */
        get: operations["getWalletDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's webhooks, or those of the deployment, oldest first. */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Adds a webhook.
         * @description The response shows its secret once.
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
        /** Returns one of the caller's webhooks, or one of the deployment. */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Removes a webhook.
         * @description Requires a sign-in within the last 15 minutes.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook, or switches it on or off.
         * @description If the URL changes, events wait until the receiver at the new URL has confirmed. If the request changes nothing, nothing is recorded or mailed. Requires a sign-in within the last 15 minutes.
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
         * @description Attempts are kept for 30 days. If the scope is `deployment`, events that were delivered at the first attempt are not listed.
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
         * @description The webhook's position in the list of events does not change. Requires a sign-in within the last 15 minutes.
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
         * @description Older events are in `GET /api/events`. If the scope is `deployment`, the number is not limited. Requires a sign-in within the last 15 minutes.
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
         * @description For 24 hours, each request has two signatures, one by each secret; secrets replaced earlier no longer sign. Requires a sign-in within the last 15 minutes.
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
         * @description If the receiver has not confirmed yet, the service sends another `webhook.verification` instead. Requires a sign-in within the last 15 minutes.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/affiliate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the affiliate fee of cross-chain swaps and the address that earns it. */
        get: operations["getAffiliate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a withdrawal from the caller's trading address.
         * @description The caller has ten minutes to sign it.
         *
         *     It spends no inscription and no rune other than the one withdrawn; other runes of the same coins return to
         *     the trading address. An OP_RETURN holds the SHA-256 of `xchainData`; for runes only if the deployment
         *     enables it.
         *
         *     With `replaceTxId` it replaces a withdrawal that waits in the mempool or that the network has refused for
         *     half an hour (BIP 125). It spends a coin of that withdrawal, so only one of the two can confirm.
         *
         *     The other types are those of `POST /api/transactions`.
         */
        post: operations["createXchainWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transaction/sign": {
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
         * @description A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
         *     returns its current status. `signing` and `broadcasting` mean that it is in progress; the service finishes
         *     it without another request.
         */
        post: operations["signXchainWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists cross-chain transactions, newest first: registered swaps and signed withdrawals.
         * @description Filters can be combined freely; those by status, kind and chains work on up to 5,000 transactions of one address.
         *
         *     Relations: `inputToken` and `outputToken` are the token catalogue's entries or null; `token` is the same as
         *     `inputToken`.
         */
        get: operations["listXchainTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a swap between chains other than Bitcoin.
         * @description Addresses and tokens are compared by the rules of their chains and need no proof: a registration counts only if the hub's record confirms it.
         *
         *     Each account that registers a swap follows it in its own history; the public list shows the swap once. A
         *     repeated registration with the same content returns `registered: false`. A swap that contradicts the hub's
         *     record is refused; a swap that the hub does not know yet is listed with `verified: false` until the hub
         *     knows it. A swap that failed because the hub did not know it within a day can be registered again.
         */
        post: operations["registerSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions/{txId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a cross-chain transaction with its history.
         * @description `txId` is the hash of its intent, of its transaction on the source chain or, for a withdrawal, of the Bitcoin transaction.
         *
         *     If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
         *     caller's own; without a token, none.
         */
        get: operations["getXchainTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/xchain/transactions/{txId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the status of a cross-chain transaction.
         * @description `txId` is the hash of its intent, of its transaction on the source chain or, for a withdrawal, of the Bitcoin transaction.
         *
         *     If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
         *     caller's own.
         */
        get: operations["getSwapStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signs in.
         * @description A wallet's first sign-in creates its account.
         *
         *     The body has one of four forms: a Bitcoin wallet's signature of the deployment's message, which ends in a
         *     timestamp, is valid for 5 minutes and can be used once; any wallet's signature of a challenge; the second
         *     step of a password handshake (SRP); or a passkey's response. Each form accepts `otpCode`, 6 digits or a
         *     recovery code, which is required if the account has a second factor. Without it the response is 401
         *     `auth.otpRequired`, and the proof is used up.
         */
        post: operations["authenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the caller's session.
         * @description Its refresh token becomes invalid immediately, and so does its access token for sensitive endpoints; elsewhere the access token expires within 10 minutes.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a sign-in with any passkey that the user picks. */
        post: operations["initPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticates the signed-in account again, without opening another session.
         * @description Changes of credentials require an authentication within the last 15 minutes; without one, they return 401
         *     `auth.reauthRequired`. The body has one of the four forms of `POST /auth/authenticate`, and must prove the
         *     account of the token. The response contains new tokens of the same session.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair of tokens.
         * @description If the response is lost, or two tabs refresh, the same request returns the same refresh token again until that token is used. Presenting an earlier token ends its session.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/passkey/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a registration with a passkey. */
        post: operations["initPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/passkey/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an account that signs in with a passkey. */
        post: operations["registerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/srp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account that signs in with a password.
         * @description The password never reaches the service, which stores a verifier (SRP-6a, RFC 5054) and the client's keys as encrypted by the client.
         */
        post: operations["registerSrp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account with a sign-in wallet, and optionally a keystore and an e-mail address.
         * @description The proof is a signed challenge, as for sign-in. The timestamped message can only sign in.
         */
        post: operations["registerWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's valid sessions, newest first; at most 100. */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one of the caller's sessions. */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/srp/init": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a sign-in by password.
         * @description `email` may also be an account id. The SRP identity `I` is in both cases the e-mail address with which the
         *     account was registered or to which it was changed. An account that has not verified its address, or has lost
         *     it to an account that did, signs in by its id with that address as `I`. For an unknown name, the response
         *     looks the same: its salt never changes, and the service does the same work.
         *
         *     The service slows down guesses from devices that the account does not know: it returns 429 with
         *     `Retry-After`.
         */
        post: operations["initSrpSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/wallet/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Issues a challenge bound to this service, the address and a purpose.
         * @description The challenge can be used once, within 5 minutes. With a token, the text also names the account; `link` requires a token.
         */
        get: operations["getWalletChallenge"];
        put?: never;
        post?: never;
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
        /** `POST /api/webhooks/{id}/test` has sent it. */
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
        /** Asks whether the receiver wants events. */
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
export interface components {
    schemas: {
        /** @description 4011 `auth.accountDisabled`: The account is disabled. */
        AccountDisabledProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4011";
            /** @enum {string} */
            message: "auth.accountDisabled";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4011";
        };
        /** @example 018bcfe5-6800-7000-8000-000000000001 */
        AccountId: string;
        /** @description 4006 `auth.accountNotFound`: The account does not exist. */
        AccountNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4006";
            /** @enum {string} */
            message: "auth.accountNotFound";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4006";
        };
        /** @description A passkey to add. */
        AddPasskey: {
            /** @description The result of `navigator.credentials.create()`, serialized with `toJSON()`. */
            credential: components["schemas"]["RegistrationResponse"];
            /**
             * Format: label
             * @description A name for the passkey, at most 64 characters.
             */
            name?: string | null;
            /**
             * Format: uuid
             * @description From the first step.
             */
            sessionId: string;
        };
        /** @description A webhook to add. */
        AddWebhook: {
            /**
             * Format: label
             * @description A note, at most 100 characters.
             */
            note?: string | null;
            /**
             * @description Whose events the webhook sends: `account` for the caller's, or `deployment` for those of all accounts,
             *     which requires the role admin. If missing, `account`.
             */
            scope?: components["schemas"]["WebhookScope"];
            /** @description The types of events that the webhook sends; all if missing or empty. */
            types?: components["schemas"]["EventType"][];
            /**
             * Format: uri
             * @description The URL that receives the events: https, port 443, a host name whose addresses are public.
             * @example https://example.com/hooks/runeport
             */
            url: string;
        };
        /** @description The sats of a trading address. */
        AddressBalance: {
            /**
             * Format: int64
             * @description Sats in confirmed coins without runes and inscriptions, except for mined coins with fewer than 100
             *     confirmations.
             */
            btcSatoshi: number;
            /**
             * Format: int64
             * @description Unconfirmed sats that others sent.
             */
            externalPendingSatoshi: number;
            /**
             * Format: int64
             * @description Unconfirmed change and renewals of the address's own transactions.
             */
            pendingSatoshi: number;
            /** @description Number of confirmed coins. */
            totalUtxos: number;
        };
        /** @description 3027 `account.addressInUse`: This address is used by open virtual-mint transactions or swaps. */
        AddressInUseProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3027";
            /** @enum {string} */
            message: "account.addressInUse";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3027";
        };
        /** @description 4020 `auth.addressLinked`: The address is linked to an account but cannot sign in. */
        AddressLinkedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4020";
            /** @enum {string} */
            message: "auth.addressLinked";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4020";
        };
        /** @description 3023 `account.addressNotLinked`: The address is not linked to the account. */
        AddressNotLinkedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3023";
            /** @enum {string} */
            message: "account.addressNotLinked";
        };
        /** @description 4021 `auth.addressRetired`: The address was replaced by another one and can no longer sign in. */
        AddressRetiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4021";
            /** @enum {string} */
            message: "auth.addressRetired";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4021";
        };
        /** @description 4022 `auth.addressTaken`: The address already belongs to an account. */
        AddressTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4022";
            /** @enum {string} */
            message: "auth.addressTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4022";
        };
        /**
         * Format: address
         * @example 0x00000000000000000000000000000000000000aa
         */
        AddressText: string;
        /** @description The affiliate fee of cross-chain swaps. */
        Affiliate: {
            /**
             * Format: address
             * @description The address that earns it.
             */
            affiliateAddress: string;
            /**
             * Format: int32
             * @description Basis points: 100 is 1%.
             */
            feeBps: number;
            /**
             * Format: double
             * @description The same fee in percent.
             * @example 0.25
             */
            feePercent: number;
        };
        /** @description 2020 `bitcoin.alreadySigned`: The transaction is signed. Only the network can end it now. */
        AlreadySignedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2020";
            /** @enum {string} */
            message: "bitcoin.alreadySigned";
        };
        /** @description 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it. */
        AmountBelowDustProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2005";
            /** @enum {string} */
            message: "bitcoin.amountBelowDust";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2005";
        };
        /** @description A transaction that pays the caller's trading address. */
        AnnounceDeposit: {
            /** @description The transaction. */
            txId: string;
        };
        /** @description The deposits of an announced transaction. */
        AnnouncedDeposits: {
            /**
             * @description One for each of its outputs to the address, at most 20; only one if the network does not know the
             *     transaction yet.
             */
            deposits: components["schemas"]["DepositRow"][];
        };
        /** @description The approval to sign. */
        ApproveBuilderFee: {
            /** @description The action that the wallet signs. */
            action: components["schemas"]["ApproveBuilderFeeAction"];
            /**
             * Format: kind
             * @description Always `approve_builder_fee`.
             * @example approve_builder_fee
             */
            kind: string;
            /** @description What the wallet signs for the action. */
            signing: components["schemas"]["Signing"];
        };
        /** @description A user-signed action of the venue. */
        ApproveBuilderFeeAction: {
            /**
             * Format: evm-address
             * @description Address of the builder that earns the fee, in lowercase.
             * @example 0x00000000000000000000000000000000000000aa
             */
            builder: string;
            /** @description The highest fee that the wallet approves: `0.05%` is a `maxBuilderFee` of 50. */
            maxFeeRate: components["schemas"]["BuilderFee"];
            /**
             * Format: chain-id
             * @description The chain id that the signature covers, 0x and hex.
             * @example 0x3e7
             */
            signatureChainId: string;
            /**
             * Format: venue-action
             * @description Always `approveBuilderFee`.
             * @example approveBuilderFee
             */
            type: string;
            /** @description The network. The venue calls this key `hyperliquidChain`. */
            venueChain: components["schemas"]["VenueChain"];
        };
        /** @description A delivery that was requested. */
        AskedDelivery: {
            /**
             * Format: event-id
             * @description The `webhook-id` of the delivery. Its outcome appears in the list of deliveries, usually within seconds.
             */
            eventId: string;
        };
        /** @description `AuthenticatorAssertionResponseJSON`. */
        AssertionResponse: {
            /** @description Authenticator data (section 6.1). */
            authenticatorData: components["schemas"]["Base64Url"];
            /** @description JSON of the client data (section 5.8.1). */
            clientDataJSON: components["schemas"]["Base64Url"];
            /** @description Signature over the authenticator data and the SHA-256 hash of the client data. */
            signature: components["schemas"]["Base64Url"];
            userHandle?: components["schemas"]["Base64Url"] | null;
        };
        /** @description `AuthenticatorAttestationResponseJSON`. */
        AttestationResponse: {
            /** @description CBOR of the attestation object (section 6.5). */
            attestationObject: components["schemas"]["Base64Url"];
            /** @description JSON of the client data (section 5.8.1). */
            clientDataJSON: components["schemas"]["Base64Url"];
            /** @description How clients reach the authenticator, such as `internal` or `hybrid`. */
            transports?: string[] | null;
        };
        /**
         * @description How an account was created.
         * @enum {string}
         */
        AuthMethod: "srp" | "passkey" | "wallet";
        Authenticate: components["schemas"]["SignedMessage"] | components["schemas"]["SignedChallenge"] | components["schemas"]["SrpAnswer"] | components["schemas"]["PasskeyAnswer"];
        /**
         * @description The result of `navigator.credentials.get()`, serialized with `toJSON()`: `AuthenticationResponseJSON`.
         *     Members not listed here are ignored.
         */
        AuthenticationResponse: {
            /** @description The credential id. */
            id: components["schemas"]["Base64Url"];
            /** @description The authenticator's response. */
            response: components["schemas"]["AssertionResponse"];
            /** @description Always `public-key`. */
            type: components["schemas"]["CredentialType"];
        };
        /** @description The balance of a trading wallet. */
        Balance: {
            /**
             * Format: bitcoin-address
             * @description The trading address.
             */
            address: string;
            btc: components["schemas"]["BtcBalance"];
            coins: components["schemas"]["CoinCounts"];
            /**
             * Format: int32
             * @description The height of the chain.
             */
            height: number;
            /** @description When the balance was read, ms since the epoch. */
            readAt: components["schemas"]["Timestamp"];
            /** @description Each rune that the wallet holds or receives; null if the contents of its coins could not be read. */
            runes: components["schemas"]["RuneBalance"][] | null;
        };
        /** @description Bytes as base64url without padding (RFC 4648, section 5). Each value has exactly one encoding. */
        Base64Url: string;
        /** @example 840000:3 */
        BitcoinToken: string;
        /** @description Requests of a VM transaction in one virtual block. */
        BlockOfTransaction: {
            /**
             * Format: int32
             * @description The height of its Bitcoin block.
             */
            height: number;
            /**
             * Format: int64
             * @description Number of requests that it took.
             */
            requests: number;
        };
        /** @description Sats of a trading wallet. Sats of one coin may count in several figures. */
        BtcBalance: {
            /**
             * Format: int64
             * @description In coins that can pay amounts and fees now: free, and without runes.
             */
            available: number;
            /**
             * Format: int64
             * @description In confirmed coins.
             */
            confirmed: number;
            /**
             * Format: int64
             * @description In mined coins with fewer than 100 confirmations, which cannot be spent yet by the rules of the network.
             */
            immature: number;
            incoming: components["schemas"]["Incoming"];
            /**
             * Format: int64
             * @description In coins whose delay ends within 4,032 blocks, or has ended.
             */
            needsRenewal: number;
            /**
             * Format: int64
             * @description Confirmed and incoming, minus what is being spent.
             */
            projected: number;
            /**
             * Format: int64
             * @description In coins that unsigned transactions reserve.
             */
            reserved: number;
            /**
             * Format: int64
             * @description In coins that signed transactions spend, as long as the network has not seen them spent.
             */
            spending: number;
            /**
             * Format: int64
             * @description In coins whose contents are unknown, or too many to read.
             */
            unknown: number;
            /**
             * Format: int64
             * @description In coins with inscriptions, which the service never spends.
             */
            withInscriptions: number;
            /**
             * Format: int64
             * @description In coins with runes.
             */
            withRunes: number;
        };
        /** @example 0.05% */
        BuilderFee: string;
        /** @description The refund that could be created now. */
        Calculation: {
            /** @description One item per rune. */
            items: components["schemas"]["RefundItem"][];
            /** @description Whether more VM transactions are refundable than fit into one refund. */
            more: boolean;
            /**
             * Format: int64
             * @description Network fee of the refund, in sats.
             */
            networkFee: number;
            /**
             * Format: int64
             * @description Amount that would arrive, in sats; 0 if the refund is not worth its fee.
             */
            refundableSats: number;
            /**
             * Format: int64
             * @description Total amount paid, in sats.
             */
            totalSats: number;
            type: components["schemas"]["RefundType"];
            /**
             * Format: address
             * @description The address of the query.
             */
            userAddress: string;
        };
        /**
         * @description A chain whose wallets can sign in.
         * @enum {string}
         */
        Chain: "evm" | "solana" | "bitcoin";
        /** @description 2022 `bitcoin.chainBusy`: The Bitcoin data source is not ready, so nothing was done. Try again after the time in Retry-After. */
        ChainBusyProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2022";
            /** @enum {string} */
            message: "bitcoin.chainBusy";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2022";
        };
        /** @description 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
        ChainUnavailableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2003";
            /** @enum {string} */
            message: "bitcoin.chainUnavailable";
        };
        /** @description 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one. */
        ChallengeInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4012";
            /** @enum {string} */
            message: "auth.challengeInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4012";
        };
        /**
         * @description What a challenge is for.
         * @enum {string}
         */
        ChallengePurpose: "signIn" | "link" | "rotate" | "tradingWallet";
        /**
         * @description A change to how an account is accessed or protected. It is recorded in the audit trail and reported by
         *     mail.
         * @enum {string}
         */
        Change: "accountCreated" | "signedIn" | "newDevice" | "reauthenticated" | "emailVerified" | "emailLost" | "emailChangeRequested" | "emailChanged" | "passwordChanged" | "walletRotated" | "totpEnabled" | "totpDisabled" | "recoveryCodeUsed" | "passkeyAdded" | "passkeyRemoved" | "addressLinked" | "addressUnlinked" | "tradingWalletMade" | "webhookAdded" | "webhookChanged" | "webhookRemoved" | "webhookFailed" | "sessionRevoked" | "refreshTokenReused" | "mediaDeleted" | "refreshTokenRepeated" | "roleChanged" | "accountDisabled" | "accountEnabled" | "sessionsEnded" | "emailReleased";
        /** @description The e-mail address to change to. */
        ChangeEmailInit: {
            /** @description The new e-mail address. */
            newEmail: components["schemas"]["EmailAddress"];
        };
        /** @description The password proof, and the verifier of the same password for the new address. */
        ChangeEmailProof: {
            /**
             * Format: byte
             * @description `M1`, base64 of 32 bytes.
             */
            clientProof: string;
            /**
             * Format: byte
             * @description `A`, base64.
             */
            clientPublic: string;
            /**
             * Format: byte
             * @description `M1` for the new verifier, base64 of 32 bytes.
             */
            newClientProof?: string | null;
            /**
             * Format: byte
             * @description `A` for the new verifier, base64. With `newClientProof`, made with the new address and `B = k v + g`, it
             *     proves that client and service compute the same values. A wrong proof changes nothing. Send both fields
             *     or neither.
             */
            newClientPublic?: string | null;
            /**
             * Format: byte
             * @description The verifier of the current password for the new address, with the unchanged salt, base64.
             */
            newSrpVerifier: string;
            /**
             * Format: uuid
             * @description From `srpSession`.
             */
            sessionId: string;
        };
        /** @description What the client needs in addition to the mailed token. */
        ChangeEmailSession: {
            /**
             * @description For an account with a password: the handshake to prove it, with the *old* address as the identity.
             *     Valid for 10 minutes.
             */
            srpSession?: components["schemas"]["SrpSession"];
        };
        /** @description The token, and the password proof if the account has a password. */
        ChangeEmailVerify: {
            /** @description The new e-mail address. */
            email: components["schemas"]["EmailAddress"];
            /**
             * Format: otp-code
             * @description A code of the second factor: checked if sent, never required.
             */
            otpCode?: string | null;
            /** @description Required if the account has a password. */
            srpData?: components["schemas"]["ChangeEmailProof"];
            /**
             * Format: mailed-token
             * @description From the mailed link.
             */
            token: string;
        };
        /** @description The second step: the proof of the current password, and the credentials for the new one. */
        ChangePassword: {
            /**
             * Format: byte
             * @description `M1`, base64 of 32 bytes.
             */
            clientProof: string;
            /**
             * Format: byte
             * @description `A`, base64.
             */
            clientPublic: string;
            /**
             * Format: byte
             * @description `M1` for the new verifier, base64 of 32 bytes.
             */
            newClientProof?: string | null;
            /**
             * Format: byte
             * @description `A` for the new verifier, base64. With `newClientProof`, made with `B = k v + g`, it proves that client
             *     and service compute the same values. A wrong proof changes nothing. Send both fields or neither.
             */
            newClientPublic?: string | null;
            /**
             * Format: byte
             * @description The keystore, encrypted by the client for the new password, base64.
             */
            newEncryptedBlob: string;
            /**
             * Format: password-hint
             * @description The new hint; empty removes the hint. If missing, the old hint stays.
             */
            newPasswordHint?: string | null;
            /**
             * Format: base64-of-32-bytes
             * @description The new salt: base64 of 32 bytes.
             */
            newSrpSalt: string;
            /**
             * Format: byte
             * @description The new verifier, base64, in the group named by the first step.
             */
            newSrpVerifier: string;
            /**
             * Format: uuid
             * @description From the first step.
             */
            sessionId: string;
        };
        /** @description Changes to a webhook; missing fields keep their values. */
        ChangeWebhook: {
            /**
             * @description Whether the webhook is on. A webhook that is switched on continues with the event after the last one
             *     that was delivered.
             */
            enabled?: boolean | null;
            /**
             * Format: label
             * @description The new note; empty removes the note.
             */
            note?: string | null;
            /** @description The types of events that the webhook sends from now on; empty means all. */
            types?: components["schemas"]["EventType"][] | null;
            /**
             * Format: uri
             * @description The new URL, used once the receiver there has confirmed.
             */
            url?: string | null;
        };
        /** @description 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
        ChangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1014";
            /** @enum {string} */
            message: "common.changed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1014";
        };
        /**
         * @description Whether every check could run.
         * @enum {string}
         */
        Checks: "complete" | "unavailable";
        /** @description Numbers of coins by state. */
        CoinCounts: {
            free: number;
            ignored: number;
            immature: number;
            inscribed: number;
            /** @description Further coins that were not read, the least valuable ones. */
            notRead: number;
            pending: number;
            reserved: number;
            spending: number;
            unknown: number;
        };
        /**
         * @description Where a coin comes from.
         * @enum {string}
         */
        CoinOrigin: "deposit" | "change" | "renewal" | "refund" | "mint" | "payout" | "unknown";
        /**
         * @description Whether a coin can be spent and, if not, why.
         * @enum {string}
         */
        CoinState: "free" | "reserved" | "spending" | "pending" | "immature" | "inscribed" | "unknown" | "ignored";
        /** @description 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
        CoinUnknownProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2017";
            /** @enum {string} */
            message: "bitcoin.coinUnknown";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2017";
        };
        /** @description 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction. */
        CoinsChangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2016";
            /** @enum {string} */
            message: "bitcoin.coinsChanged";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2016";
        };
        /** @description Coins should be renewed: in fewer than 4,032 blocks, their user alone can spend them. */
        CoinsRenewalAdvisedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: int32
                 * @description The height of the block that has the coins.
                 */
                blockHeight: number;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coins.renewalAdvised";
        };
        /** @description Coins must be renewed: in fewer than 1,152 blocks, their user alone can spend them, and mints refuse them. */
        CoinsRenewalNeededEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: int32
                 * @description The height of the block that has the coins.
                 */
                blockHeight: number;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coins.renewalNeeded";
        };
        /** @description 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less. */
        CoinsReservedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2023";
            /** @enum {string} */
            message: "bitcoin.coinsReserved";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2023";
        };
        /**
         * @description Whether the contents of the coins could be read.
         * @enum {string}
         */
        ContentsCheck: "complete" | "unavailable";
        /** @description 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again. */
        ContractWalletUnavailableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4014";
            /** @enum {string} */
            message: "auth.contractWalletUnavailable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4014";
        };
        /** @description A request for an export. */
        CreateDownloadHistory: {
            filter?: components["schemas"]["DownloadHistoryFilter"] | null;
            /** @description Format of the file. */
            format: components["schemas"]["ExportFormat"];
        };
        /** @description Request body of a mint. */
        CreateMint: {
            /** @description When the mint closes, ms since the epoch. */
            closesAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The lowest price of a request, in sats.
             */
            minSatsPerRequest: number;
            opensAt?: components["schemas"]["Timestamp"] | null;
            /**
             * Format: address
             * @description The Bitcoin address that receives the payments for taken requests.
             */
            proceedsAddress: string;
            /**
             * Format: int64
             * @description The maximum number of requests that one virtual block takes; at most `totalRequests`.
             */
            requestsPerBlock: number;
            /** @description The rune. The pool must hold the tokens of all requests. */
            runeId: components["schemas"]["EtchedRune"];
            /** @description Tokens per request, in the rune's smallest unit; at least 1. */
            tokensPerRequest: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Total number of requests.
             */
            totalRequests: number;
        };
        /** @description Request body of a refund. */
        CreateRefund: {
            /**
             * Format: int64
             * @description The amount that the client expects to arrive, in sats, from the calculation; the service answers 409
             *     if it would differ.
             */
            refundableSats?: number | null;
            /** @description The runes whose mints to refund; at most 40. */
            runeIds: components["schemas"]["EtchedRune"][];
            type: components["schemas"]["RefundType"];
            /**
             * Format: address
             * @description The address that created the VM transactions, or the trading address that paid for them.
             */
            userAddress: string;
        };
        CreateTransaction: components["schemas"]["CreateTransactionXchainWithdraw"] | components["schemas"]["CreateTransactionWithdraw"] | components["schemas"]["CreateTransactionRenewUtxo"];
        CreateTransactionRenewUtxo: {
            params: components["schemas"]["RenewUtxoParams"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "renew-utxo";
        };
        CreateTransactionWithdraw: {
            params: components["schemas"]["WithdrawParams"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "withdraw";
        };
        CreateTransactionXchainWithdraw: {
            params: components["schemas"]["XchainWithdrawParams"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "xchain-withdraw";
        };
        /** @description Request body of a batch. */
        CreateVmTransaction: {
            /**
             * Format: int64
             * @description Number of requests.
             */
            requestCount: number;
            /** @description The rune to mint. */
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description Their total price in sats: a multiple of `requestCount`.
             */
            satsNewRequests: number;
            /**
             * Format: address
             * @description One of the caller's own addresses.
             */
            userAddress: string;
        };
        /** @description A response with status 201 that carries further information about the created item in `metaData`. */
        CreatedWith_UnsignedTransaction_Notes: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["UnsignedTransaction"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the created item. */
            metaData: components["schemas"]["MetaDataWith_Notes"];
        };
        /** @description A response with status 201 that carries further information about the created item in `metaData`. */
        CreatedWith_VmTransactionStatus_NoMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VmTransactionStatus"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the created item. */
            metaData: components["schemas"]["MetaDataWith_NoMetaData"];
        };
        /** @enum {string} */
        CredentialType: "public-key";
        /** @description A token for a slot. */
        DefaultToken: {
            /** @description The slot to set or empty. */
            slot: components["schemas"]["Slot"];
            /** @description The token's id in the catalogue (`GET /api/tokens`). */
            tokenId: components["schemas"]["TokenId"];
        };
        /** @description The preferred token of an account for each slot. */
        DefaultTokens: {
            usdc: components["schemas"]["TokenId"] | null;
        };
        /**
         * @description Why a delivery was sent.
         * @enum {string}
         */
        DeliveryCause: "event" | "redelivery" | "test" | "verification";
        /** @description The settings of the deployment that a frontend calls. */
        Deployment: {
            affiliate: components["schemas"]["Affiliate"];
            /**
             * Format: uri
             * @description The base address of the frontend, to which links in mails point.
             * @example https://app.example.com
             */
            appUrl: string;
            /**
             * Format: int32
             * @description Number of blocks after which the user alone can spend a coin of the trading wallet.
             */
            delayBlocks: number;
            /** @description The optional features that this deployment has enabled. */
            features: components["schemas"]["Feature"][];
            fees: components["schemas"]["FeeLimits"];
            /**
             * Format: bitcoin-address
             * @description The Bitcoin address that receives withdrawals through the hub that name no recipient. Null if every such
             *     withdrawal must name one.
             */
            hubVault: string | null;
            /** @description Whether withdrawals through the hub to any other address are refused. */
            hubVaultOnly: boolean;
            /** @description The rate limits. */
            limits: components["schemas"]["RateLimit"][];
            /** @description The Bitcoin network. */
            network: string;
            /**
             * Format: host
             * @description The domain that passkeys belong to (WebAuthn's RP ID).
             */
            passkeyRpId: string;
            renewal: components["schemas"]["RenewalBlocks"];
            signIn: components["schemas"]["SignIn"];
            /**
             * Format: socket-url
             * @description The URL at which clients open sockets: with a ticket or, for the events of mints only, without one.
             * @example wss://abc123.execute-api.eu-central-1.amazonaws.com/live
             */
            socketUrl: string;
            venue: components["schemas"]["VenueNetwork"];
            /**
             * Format: version
             * @description The version of the service.
             */
            version: string;
        };
        /** @description A deposit to sign and send. */
        Deposit: {
            /** @description In USDC, without trailing zeros. */
            amount: components["schemas"]["Usdc"];
            /**
             * Format: evm-address-with-checksum
             * @description The contract that accepts deposits, with its EIP-55 checksum. Call it and never transfer to it: USDC
             *     sent by a plain transfer is lost.
             * @example 0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24
             */
            depositContract: string;
            /**
             * Format: evm-address-with-checksum
             * @description The wallet that deposits, with its EIP-55 checksum.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            from: string;
            /**
             * Format: uri
             * @description JSON-RPC endpoint of the venue's EVM chain.
             */
            rpcUrl: string;
            /**
             * @description The approval of exactly the amount, then the deposit that uses it up. Every deposit sends both in this
             *     order, with consecutive nonces.
             */
            txs: components["schemas"]["EvmTransaction"][];
            /**
             * Format: evm-address-with-checksum
             * @description The USDC contract on the venue's EVM chain, with its EIP-55 checksum.
             * @example 0xb88339CB7199b77E23DB6E890353E22632Ba630f
             */
            usdcToken: string;
        };
        /** @description A deposit is in a block. */
        DepositConfirmedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: deposit-id
                 * @description The deposit.
                 */
                depositId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deposit.confirmed";
        };
        /** @description A deposit to the caller's trading address. */
        DepositRow: {
            /**
             * Format: int32
             * @description The height of its block; null if it has none.
             */
            blockHeight: number | null;
            /**
             * Format: int32
             * @description The number of blocks from its own to the newest; 0 if it has none.
             */
            confirmations: number;
            confirmedAt: components["schemas"]["Timestamp"] | null;
            /** @description When it was listed, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: deposit-id
             * @description The outpoint, `<txid>:<vout>`; for an awaited deposit, the txid.
             */
            id: string;
            more: components["schemas"]["More"] | null;
            /** @description The runes in it; null until it is in a block and indexed, and again once it is spent. */
            runes: components["schemas"]["HeldRune"][] | null;
            /**
             * Format: int64
             * @description Its sats; null until the transaction is known.
             */
            sats: number | null;
            seenAt: components["schemas"]["Timestamp"] | null;
            state: components["schemas"]["DepositState"];
            /**
             * Format: txid
             * @description Its transaction.
             */
            txId: string;
            /**
             * Format: int32
             * @description Its index in the transaction; null until that is known.
             */
            vout: number | null;
        };
        /** @description A deposit waits for a block, because it was announced or a reorganisation removed its block; or the deposit is gone. */
        DepositSeenEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: deposit-id
                 * @description The deposit.
                 */
                depositId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deposit.seen";
        };
        /**
         * @description The state of a deposit.
         * @enum {string}
         */
        DepositState: "awaited" | "seen" | "confirmed" | "final" | "gone";
        /** @description An export of a history. */
        DownloadHistory: {
            completedAt?: components["schemas"]["Timestamp"] | null;
            /** @description When the export was requested, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: prose
             * @description Why the export has no file, if `status` is `failed`.
             */
            error?: string | null;
            /** @description Which part of the history, with the defaults filled in. */
            filter: components["schemas"]["HistoryFilter"];
            /** @description Format of the file. */
            format: components["schemas"]["ExportFormat"];
            /** @description Id of the export. */
            id: components["schemas"]["ExportId"];
            /**
             * Format: int64
             * @description Number of rows written so far.
             */
            rowCount: number;
            /**
             * Format: int64
             * @description Size of the file in bytes; 0 until the file is complete.
             */
            sizeBytes: number;
            /** @description State of the export. */
            status: components["schemas"]["ExportStatus"];
            /**
             * Format: uri
             * @description Download link of the file; present while `status` is `completed`.
             */
            url?: string | null;
            urlExpiresAt?: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Part of a history. Mints, refunds, withdrawals and deposits happen on Bitcoin only, so for another chain the
         *     file has no rows of them.
         */
        DownloadHistoryFilter: {
            chain?: components["schemas"]["HistoryChain"] | null;
            /**
             * Format: instant
             * @description Only entries created at this moment or later: RFC 3339, a date (in UTC), or milliseconds since the epoch
             *     as a number or a string of digits. If missing: 366 days before `to`.
             * @example 2026-01-01T00:00:00Z
             */
            from?: string | null;
            /**
             * Format: instant
             * @description Only entries created at this moment or earlier (on this date or earlier), at most 366 days after `from`.
             *     If missing: now.
             * @example 1767225600000
             */
            to?: string | null;
            type?: components["schemas"]["HistoryType"] | null;
        };
        /** @example name@example.com */
        EmailAddress: string;
        /** @description 3009 `account.emailMismatch`: The link was mailed to a different e-mail address. */
        EmailMismatchProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3009";
            /** @enum {string} */
            message: "account.emailMismatch";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3009";
        };
        /** @description 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
        EmailTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4023";
            /** @enum {string} */
            message: "auth.emailTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4023";
        };
        /** @description 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one. */
        EmailTokenInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3008";
            /** @enum {string} */
            message: "account.emailTokenInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3008";
        };
        /** @description 3007 `account.emailUnchanged`: This is already the e-mail address of the account. */
        EmailUnchangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3007";
            /** @enum {string} */
            message: "account.emailUnchanged";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3007";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_AddressBalance: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["AddressBalance"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Affiliate: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Affiliate"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_AnnouncedDeposits: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["AnnouncedDeposits"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_AskedDelivery: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["AskedDelivery"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Calculation: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Calculation"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Deployment: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Deployment"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_DownloadHistory: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["DownloadHistory"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_FeeRates: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["FeeRates"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Health: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Health"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_IssuedChallenge: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["IssuedChallenge"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_KeystoreBlob: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["KeystoreBlob"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_LargestAmount: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["LargestAmount"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Me: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Me"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_MintRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MintRow"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Nothing: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Nothing"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_PasskeyRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasskeyRow"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_PasskeySession: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasskeySession"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_PasswordChanged: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasswordChanged"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Prize: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Prize"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Reauthenticated: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Reauthenticated"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_RecoveryKit: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["RecoveryKit"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_ReferralCodeCheck: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ReferralCodeCheck"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Registration: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Registration"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_SignedIn: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["SignedIn"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_SrpSession: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["SrpSession"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_SwapStatus: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["SwapStatus"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Ticket: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Ticket"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TokenPair: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TokenPair"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TotpSetup: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TotpSetup"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TotpState: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TotpState"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TradingWalletBackup: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TradingWalletBackup"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TransactionStatus: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TransactionStatus"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_UnconfirmedRequests: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["UnconfirmedRequests"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_UnsignedTransaction: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["UnsignedTransaction"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_AccountRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedAccountRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_DepositRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedDepositRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_DownloadHistory: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedDownloadHistory"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_LiveSession: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["LiveSession"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_MintRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedMintRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_OwnedAddress: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OwnedAddress"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_PasskeyRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasskeyRow"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_Prize: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedPrize"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_TokenRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedTokenRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_TransactionRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedTransactionRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_UtxoRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedUtxoRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_VirtualBlockRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedVirtualBlockRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_VmTransactionRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedVmTransactionRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_WebhookRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["WebhookRow"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_XchainRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedXchainRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_WalletDetails: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["WalletDetails"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_WebhookRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["WebhookRow"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A successful response: `code` is the text `1`, `message` is `common.success`. */
        Envelope_WebhookTest: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["WebhookTest"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description The body of every error. */
        Error: {
            /**
             * Format: code
             * @description Digits, stable.
             * @example 1001
             */
            code: string;
            /**
             * Format: prose
             * @description What is wrong and what to do, in whole English sentences; may change.
             */
            details: string;
            /** @description Every field that is missing or wrong. */
            errors?: components["schemas"]["FieldError"][];
            /**
             * Format: key
             * @description A key for the frontend's own texts, stable.
             * @example common.validation
             */
            message: string;
            /** @description The numbers and ids that `details` mentions, by name; absent if there are none. Amounts that may exceed 2^53 are digits. */
            params?: {
                [key: string]: number | string | string[];
            };
            /**
             * Format: request-id
             * @description Identifies the request in the service's log.
             */
            requestId: string;
        };
        /** @example 840000:3 */
        EtchedRune: string;
        /** @description An event. Its type says what its data has. */
        EventItem: components["schemas"]["TransactionStateChangedEvent"] | components["schemas"]["XchainStatusChangedEvent"] | components["schemas"]["VmTransactionStateChangedEvent"] | components["schemas"]["RefundStateChangedEvent"] | components["schemas"]["ExportCompletedEvent"] | components["schemas"]["ExportFailedEvent"] | components["schemas"]["SessionEndedEvent"] | components["schemas"]["DepositSeenEvent"] | components["schemas"]["DepositConfirmedEvent"] | components["schemas"]["CoinsRenewalAdvisedEvent"] | components["schemas"]["CoinsRenewalNeededEvent"] | components["schemas"]["VmBlockFilledEvent"] | components["schemas"]["MintStateChangedEvent"];
        /**
         * @description The type of an event.
         * @enum {string}
         */
        EventType: "transaction.stateChanged" | "xchain.statusChanged" | "vmTransaction.stateChanged" | "refund.stateChanged" | "export.completed" | "export.failed" | "session.ended" | "deposit.seen" | "deposit.confirmed" | "coins.renewalAdvised" | "coins.renewalNeeded" | "vmBlock.filled" | "mint.stateChanged";
        /** @description 1101 `events.tooOld`: These events are no longer kept. Read the current state again. */
        EventsTooOldProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1101";
            /** @enum {string} */
            message: "events.tooOld";
        };
        /** @description A transaction without nonce, gas and signature; the sender adds them. */
        EvmTransaction: {
            /**
             * Format: int64
             * @description The chain on which it is valid (EIP-155).
             * @example 999
             */
            chainId: number;
            /** @description Call data, 0x and hex. */
            data: string;
            /**
             * Format: evm-address-with-checksum
             * @description The contract to call, with its EIP-55 checksum.
             */
            to: string;
            /**
             * Format: wei
             * @description Wei sent along: always `0x0`.
             * @example 0x0
             */
            value: string;
        };
        /**
         * Format: evm-address
         * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
         */
        EvmWallet: string;
        /** @description The file of an export is ready. */
        ExportCompletedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: uuid
                 * @description The export.
                 */
                exportId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "export.completed";
        };
        /** @description The file of an export will not be written. */
        ExportFailedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: uuid
                 * @description The export.
                 */
                exportId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "export.failed";
        };
        /**
         * @description The format of the file.
         * @enum {string}
         */
        ExportFormat: "csv";
        /** @example 0197d3f0-0000-7000-8000-000000000000 */
        ExportId: string;
        /** @description 1104 `exports.notFound`: The export does not exist. */
        ExportNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1104";
            /** @enum {string} */
            message: "exports.notFound";
        };
        /**
         * @description The state of an export.
         *
         *     ```text
         *     pending ──▶ processing ──▶ completed ──▶ expired ◀── by its owner: from every state but failed
         *        │             │
         *        └─────────────┴──────▶ failed
         *     ```
         * @enum {string}
         */
        ExportStatus: "pending" | "processing" | "completed" | "failed" | "expired";
        /** @description Optional fields that every registration accepts. */
        Extras: {
            email?: components["schemas"]["EmailAddress"] | null;
            /**
             * Format: byte
             * @description The keystore: the client's keys, encrypted by the client, base64.
             */
            encryptedBlob?: string;
            /**
             * Format: referral-code
             * @description The referral code of the account that invited this one.
             */
            referralCode?: string | null;
        };
        /** @description Failed proofs of one hour. */
        FailedProofs: {
            /**
             * Format: int32
             * @description Wrong tokens from mails.
             * @default 0
             */
            emailToken: number;
            /**
             * @description When the hour began, ms since the epoch.
             * @default 0
             */
            hour: components["schemas"]["Timestamp"];
            /**
             * @description When the last proof failed, ms since the epoch.
             * @default 0
             */
            lastAt: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description Refused passkey responses.
             * @default 0
             */
            passkey: number;
            /**
             * Format: int32
             * @description Wrong passwords.
             * @default 0
             */
            password: number;
            /**
             * Format: int32
             * @description Wrong codes of the second factor.
             * @default 0
             */
            secondFactor: number;
            /**
             * Format: int32
             * @description Wrong signatures of the sign-in wallet.
             * @default 0
             */
            wallet: number;
        };
        /**
         * @description An optional feature of a deployment.
         * @enum {string}
         */
        Feature: "contractWallets" | "media";
        /** @description The fee of a transaction. */
        Fee: {
            /**
             * Format: double
             * @description In sat/vB.
             * @example 5.25
             */
            feeRate: number;
            /**
             * Format: int64
             * @description In sats.
             */
            totalFee: number;
        };
        /** @description Limits on the fees of Bitcoin transactions. `GET /api/bitcoin/fee-rates` returns the current rates. */
        FeeLimits: {
            /**
             * Format: int64
             * @description The highest fee that one transaction of a user may pay, in sats.
             * @example 100000
             */
            cap: number;
            range: components["schemas"]["FeeRange"];
            /** @description The number of blocks within which transactions of each `feeTarget` should confirm. */
            targets: components["schemas"]["TargetBlocks"];
        };
        /** @description The fee rates that the service uses, regardless of estimates, in sat/vB. */
        FeeRange: {
            /**
             * Format: double
             * @description The highest rate.
             * @example 500
             */
            highest: number;
            /**
             * Format: double
             * @description The lowest rate.
             * @example 1
             */
            lowest: number;
        };
        /** @description The fee rates of the service's transactions, in sat/vB. */
        FeeRates: {
            /**
             * Format: double
             * @description The rate of `feeTarget: "economy"`, for confirmation within a few hours.
             * @example 1.5
             */
            economy: number;
            /**
             * Format: double
             * @description The rate of `feeTarget: "fast"`, for the next block.
             * @example 6.25
             */
            fast: number;
            /**
             * Format: int32
             * @description The height of the chain when the rates were read.
             */
            height: number;
            /**
             * Format: double
             * @description The lowest rate that the service uses.
             * @example 1
             */
            minimum: number;
            /**
             * Format: double
             * @description The rate of `feeTarget: "normal"`, the default.
             * @example 4
             */
            normal: number;
            /** @description When the rates were read, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
        };
        /**
         * @description How fast a transaction should confirm.
         * @enum {string}
         */
        FeeTarget: "economy" | "normal" | "fast";
        /** @description 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower. */
        FeeTooHighProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2006";
            /** @enum {string} */
            message: "bitcoin.feeTooHigh";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2006";
        };
        /** @description A field that is missing or wrong. */
        FieldError: {
            /**
             * Format: field-path
             * @description The name or path of the field, such as `params.amount`.
             */
            field: string;
            /**
             * Format: prose
             * @description What is wrong with it, one English sentence or phrase.
             */
            message: string;
        };
        /** @description A file to upload. */
        FileToUpload: {
            /**
             * Format: media-filename
             * @description File name without control characters. It must end in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or
             *     `.avif`, in any case.
             */
            filename: string;
        };
        /** @description 1007 `common.forbidden`: This account is not allowed to do this. */
        ForbiddenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1007";
            /** @enum {string} */
            message: "common.forbidden";
        };
        /** @description The fields of a form: the signed ones, the policy and its signature. */
        FormFields: components["schemas"]["SignedFields"] & {
            /**
             * Format: byte
             * @description The policy that S3 checks: an expiry, and one condition per field.
             */
            Policy: string;
            /**
             * Format: signing-signature
             * @description The signed policy.
             */
            "X-Amz-Signature": string;
        };
        /**
         * @description A step that the wallet has to take before it can trade.
         * @enum {string}
         */
        Gate: "builderFeeNotApproved";
        /**
         * @example 3072
         * @enum {integer}
         */
        Group: 2048 | 3072 | 4096;
        /** @description 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one. */
        HandshakeInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4025";
            /** @enum {string} */
            message: "auth.handshakeInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4025";
        };
        /** @description The state of the service. */
        Health: {
            /**
             * @description The dependencies that were checked.
             * @example [
             *       "database",
             *       "token keys"
             *     ]
             */
            asked: string[];
            /**
             * Format: health
             * @description Always `ok`; a failed check is an error instead.
             * @example ok
             */
            status: string;
        };
        /** @description The transaction that holds a coin. */
        HeldBy: {
            /**
             * Format: txid
             * @description The transaction.
             */
            txId: string;
            until: components["schemas"]["Timestamp"] | null;
        };
        /** @description An amount of a rune. */
        HeldRune: {
            /** @description In the smallest unit. */
            amount: components["schemas"]["Units"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts; null in an unconfirmed coin.
             */
            divisibility: number | null;
            /**
             * Format: rune-name
             * @description The name with spacers.
             */
            name: string;
            runeId: components["schemas"]["EtchedRune"] | null;
            /**
             * Format: symbol
             * @description Null if the rune has none, or in an unconfirmed coin.
             */
            symbol: string | null;
        };
        /** @example bitcoin */
        HistoryChain: string;
        /** @description The part of a history to export. */
        HistoryFilter: {
            chain: components["schemas"]["HistoryChain"] | null;
            /** @description Only entries created at this time or later, ms since the epoch. */
            from: components["schemas"]["Timestamp"];
            /** @description Only entries created at this time or earlier, ms since the epoch. */
            to: components["schemas"]["Timestamp"];
            /** @description Only entries of this kind. */
            type: components["schemas"]["HistoryType"];
        };
        /**
         * @description The kind of history.
         * @enum {string}
         */
        HistoryType: "swap" | "virtual_mint" | "refund" | "withdraw" | "all";
        /** @description 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body. */
        IdempotencyKeyReusedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1011";
            /** @enum {string} */
            message: "common.idempotencyKeyReused";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1011";
        };
        /** @description 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly. */
        InProgressProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1010";
            /** @enum {string} */
            message: "common.inProgress";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1010";
        };
        /** @description Unconfirmed sats. */
        Incoming: {
            /**
             * Format: int64
             * @description Sats that others sent.
             */
            external: number;
            /**
             * Format: int64
             * @description Change and renewals of the account's own transactions.
             */
            own: number;
        };
        /** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0 */
        InscriptionId: string;
        /** @description 3013 `account.inscriptionNotFound`: The inscription does not exist. */
        InscriptionNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3013";
            /** @enum {string} */
            message: "account.inscriptionNotFound";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3013";
        };
        /** @description 3014 `account.inscriptionNotOwned`: None of the account's addresses holds the inscription. */
        InscriptionNotOwnedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3014";
            /** @enum {string} */
            message: "account.inscriptionNotOwned";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3014";
        };
        /** @description 2002 `bitcoin.insufficientBalance`: The BTC balance is too low. */
        InsufficientBtcProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2002";
            /** @enum {string} */
            message: "bitcoin.insufficientBalance";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2002";
        };
        /** @description 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low. */
        InsufficientRuneProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2004";
            /** @enum {string} */
            message: "bitcoin.insufficientRuneBalance";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2004";
        };
        /** @description The tokens and amounts to exchange. */
        Intent: {
            /** @description Amount sold, smallest unit. */
            inputAmount: components["schemas"]["Units"];
            /** @description The token sold: its address on the source chain, or a rune id. */
            inputToken: components["schemas"]["TokenAddress"];
            minOutputAmount: components["schemas"]["Units"] | null;
            outputToken: components["schemas"]["TokenAddress"] | null;
        };
        /** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
        IntentHash: string;
        /** @description 1008 `common.internal`: The service failed. Contact support with the request id. */
        InternalProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1008";
            /** @enum {string} */
            message: "common.internal";
        };
        /** @description 4016 `auth.invalidCredentials`: The e-mail address or the password is wrong. */
        InvalidCredentialsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4016";
            /** @enum {string} */
            message: "auth.invalidCredentials";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4016";
        };
        /** @description 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again. */
        InvalidRefreshTokenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4005";
            /** @enum {string} */
            message: "auth.invalidRefreshToken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4005";
        };
        /** @description 4002 `auth.invalidToken`: The access token is invalid. */
        InvalidTokenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4002";
            /** @enum {string} */
            message: "auth.invalidToken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4002";
        };
        /** @description A challenge, as issued. */
        IssuedChallenge: {
            /**
             * Format: uuid
             * @description Send it back with the signature.
             */
            challengeId: string;
            /** @description When the challenge expires, ms since the epoch. */
            expiresAt: components["schemas"]["Timestamp"];
            /**
             * Format: sign-in-message
             * @description The text to sign byte for byte: an EIP-4361 message for EVM, the same layout for other chains.
             */
            message: string;
        };
        /** @description A public key that verifies access tokens (RFC 8037, section 2). */
        Jwk: {
            /**
             * Format: key-algorithm
             * @description Algorithm: `EdDSA`.
             */
            alg: string;
            /**
             * Format: key-curve
             * @description Curve: `Ed25519`.
             */
            crv: string;
            /**
             * Format: base64url
             * @description The key id that tokens refer to.
             */
            kid: string;
            /**
             * Format: key-type
             * @description Key type: `OKP`.
             */
            kty: string;
            /**
             * Format: key-use
             * @description Use: `sig`.
             */
            use: string;
            /**
             * Format: base64url-of-32-bytes
             * @description The public key, 32 bytes, base64url without padding.
             */
            x: string;
        };
        /** @description The public keys (RFC 7517, section 5), newest first. */
        Jwks: {
            /** @description At most two: the key that signs, and the previous one. */
            keys: components["schemas"]["Jwk"][];
        };
        /** @description The client's keys, encrypted by the client. */
        KeystoreBlob: {
            /**
             * Format: byte
             * @description Base64, as sent by the client.
             */
            encryptedBlob: string;
        };
        /** @description 3019 `account.keystoreNotFound`: The account has no keystore. */
        KeystoreNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3019";
            /** @enum {string} */
            message: "account.keystoreNotFound";
        };
        /**
         * @description The kind of a transaction of an account.
         * @enum {string}
         */
        Kind: "withdraw" | "xchain-withdraw" | "renew-utxo" | "virtual_mint" | "refund";
        /** @description A coin in a recovery kit. */
        KitCoin: {
            /**
             * Format: int32
             * @description The height of its block; null if it has none yet.
             */
            confirmedHeight: number | null;
            /**
             * Format: outpoint
             * @description The outpoint, `<txid>:<vout>`.
             */
            id: string;
            /** @description The inscriptions on its sats; empty too if its contents are unknown. */
            inscriptions: string[];
            /** @description The runes in it; null if its contents are unknown. */
            runes: components["schemas"]["HeldRune"][] | null;
            /**
             * Format: int64
             * @description Its sats.
             */
            sats: number;
            /**
             * Format: int32
             * @description The height of the first block in which the user alone can spend it; null if it has no block yet.
             */
            userOnlyFromHeight: number | null;
        };
        /** @description The largest amount that one transaction can pay now. */
        LargestAmount: {
            /** @description Coins that it would spend. */
            coins: number;
            /**
             * Format: int64
             * @description Its fee, in sats.
             */
            fee: number;
            /**
             * Format: double
             * @description The fee rate of the transaction, in sat/vB.
             * @example 5.25
             */
            feeRate: number;
            /** @description Coins that it would not spend, by reason. */
            leftOut: components["schemas"]["LeftOut"][];
            /** @description The amount in the token's smallest unit. */
            maxAmount: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Sats that the recipient can get; 0 if the token is a rune.
             */
            maxSatsAmt: number;
        };
        /** @description 3021 `account.lastWayIn`: This is the account's last way to sign in. Add another one first. */
        LastWayInProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3021";
            /** @enum {string} */
            message: "account.lastWayIn";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3021";
        };
        /** @description Numbers of a wallet's coins that a transaction cannot spend now, by reason. */
        LeftAside: {
            /** @description Mined, with fewer than 100 confirmations. */
            immature: number;
            /** @description With an inscription. */
            inscribed: number;
            /** @description Not read, because the address has too many coins; these are the least valuable. */
            notRead: number;
            /** @description Held by another transaction of the account. */
            reserved: number;
            /** @description Unconfirmed. */
            unconfirmed: number;
            /** @description With unknown contents, or more than is read: over 100 runes, or thousands of inscriptions. */
            unknown: number;
        };
        /** @description Coins that a transaction would not spend. */
        LeftOut: {
            /** @description Number of coins. */
            coins: number;
            reason: components["schemas"]["Reason"];
            /**
             * Format: int64
             * @description Their total in sats.
             */
            sats: number;
        };
        /** @description An address to link, and the proof that the caller controls it. */
        LinkAddress: {
            /**
             * Format: address
             * @description The address to link.
             */
            address: string;
            /** @description The chain of the address. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge?purpose=link`, requested with the caller's token.
             */
            challengeId: string;
            /**
             * Format: public-key
             * @description The public key: required for Bitcoin, may be empty for other chains.
             */
            publicKey?: string | null;
            /**
             * Format: signature
             * @description The wallet's signature of the challenge.
             */
            signature: string;
        };
        /** @description An account as shown to admins. */
        ListedAccountRow: {
            /** @description How the account was created. */
            authMethod?: components["schemas"]["AuthMethod"];
            /** @description When the account was created, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            email?: components["schemas"]["EmailAddress"] | null;
            /** @description Account id. */
            id: components["schemas"]["AccountId"];
            /** @description When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`. */
            lastSignInAt?: components["schemas"]["Timestamp"];
            referredBy?: components["schemas"]["AccountId"] | null;
            referrer?: null | components["schemas"]["Referrer"];
            /** @description Permissions of the account. */
            role?: components["schemas"]["Role"];
            /** @description Whether sign-in requires a second factor. */
            totpEnabled?: boolean;
            /**
             * Format: bitcoin-address
             * @description The two-signature Bitcoin address.
             */
            tradingAddress?: string | null;
            wallet?: components["schemas"]["Wallet"] | null;
        };
        /** @description A change to the account. */
        ListedActivityRow: {
            /** @description What changed. */
            change?: components["schemas"]["Change"];
            /** @description When, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description Entry id.
             */
            id: string;
            /**
             * Format: request-id
             * @description Id of the request that made the change; `operator` for an operator's command.
             */
            requestId?: string;
            sessionId?: components["schemas"]["SessionId"] | null;
            /**
             * Format: source-hash
             * @description Keyed hash of the source address. Equal hashes mean equal addresses.
             */
            sourceHash?: string | null;
        };
        /** @description A coin of a trading wallet. */
        ListedCoinRow: {
            /**
             * Format: int32
             * @description The height of its block; null if it has none yet.
             */
            confirmedHeight?: number | null;
            /**
             * Format: int32
             * @description Blocks until the user alone can spend it; null if it has no block yet.
             */
            expiresInBlocks?: number | null;
            heldBy?: components["schemas"]["HeldBy"] | null;
            /**
             * Format: outpoint
             * @description The outpoint, `<txid>:<vout>`.
             */
            id: string;
            /** @description The inscriptions on its sats. */
            inscriptions?: string[];
            origin?: components["schemas"]["CoinOrigin"];
            renewal?: components["schemas"]["Renewal"];
            /** @description The runes in it; null if they are unknown. */
            runes?: components["schemas"]["HeldRune"][] | null;
            /**
             * Format: int64
             * @description Its sats.
             */
            sats?: number;
            state?: components["schemas"]["CoinState"];
            /** @description What it can be used for now. */
            usableFor?: components["schemas"]["Use"][];
            /**
             * Format: int32
             * @description The height from which the user alone can spend it; null if it has no block yet.
             */
            userOnlyFromHeight?: number | null;
        };
        /** @description A deposit to the caller's trading address. */
        ListedDepositRow: {
            /**
             * Format: int32
             * @description The height of its block; null if it has none.
             */
            blockHeight?: number | null;
            /**
             * Format: int32
             * @description The number of blocks from its own to the newest; 0 if it has none.
             */
            confirmations?: number;
            confirmedAt?: components["schemas"]["Timestamp"] | null;
            /** @description When it was listed, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: deposit-id
             * @description The outpoint, `<txid>:<vout>`; for an awaited deposit, the txid.
             */
            id: string;
            more?: components["schemas"]["More"] | null;
            /** @description The runes in it; null until it is in a block and indexed, and again once it is spent. */
            runes?: components["schemas"]["HeldRune"][] | null;
            /**
             * Format: int64
             * @description Its sats; null until the transaction is known.
             */
            sats?: number | null;
            seenAt?: components["schemas"]["Timestamp"] | null;
            state?: components["schemas"]["DepositState"];
            /**
             * Format: txid
             * @description Its transaction.
             */
            txId?: string;
            /**
             * Format: int32
             * @description Its index in the transaction; null until that is known.
             */
            vout?: number | null;
        };
        /** @description An export of a history. */
        ListedDownloadHistory: {
            completedAt?: components["schemas"]["Timestamp"] | null;
            /** @description When the export was requested, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: prose
             * @description Why the export has no file, if `status` is `failed`.
             */
            error?: string | null;
            /** @description Which part of the history, with the defaults filled in. */
            filter?: components["schemas"]["HistoryFilter"];
            /** @description Format of the file. */
            format?: components["schemas"]["ExportFormat"];
            /** @description Id of the export. */
            id: components["schemas"]["ExportId"];
            /**
             * Format: int64
             * @description Number of rows written so far.
             */
            rowCount?: number;
            /**
             * Format: int64
             * @description Size of the file in bytes; 0 until the file is complete.
             */
            sizeBytes?: number;
            /** @description State of the export. */
            status?: components["schemas"]["ExportStatus"];
            /**
             * Format: uri
             * @description Download link of the file; present while `status` is `completed`.
             */
            url?: string | null;
            urlExpiresAt?: components["schemas"]["Timestamp"] | null;
        };
        /** @description A mint as clients see it. */
        ListedMintRow: {
            /** @description When the mint closes, ms since the epoch. */
            closesAt?: components["schemas"]["Timestamp"];
            /** @description When the mint was created, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            id: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description The lowest price of a request, in sats.
             */
            minSatsPerRequest?: number;
            /** @description When the mint opens, ms since the epoch. */
            opensAt?: components["schemas"]["Timestamp"];
            /**
             * Format: bitcoin-address
             * @description The address that sends the runes.
             */
            poolAddress?: string;
            /**
             * Format: bitcoin-address
             * @description The Bitcoin address that receives the payments for taken requests.
             */
            proceedsAddress?: string;
            /**
             * Format: int64
             * @description Number of its requests in virtual blocks.
             */
            requestsInBlocksCount?: number;
            /**
             * Format: int64
             * @description Number of its requests that wait for a virtual block.
             */
            requestsInMempoolCount?: number;
            /**
             * Format: int64
             * @description The maximum number of requests that one virtual block takes.
             */
            requestsPerBlock?: number;
            /**
             * Format: rune-id
             * @description The rune to mint.
             */
            runeId?: string;
            /**
             * Format: rune-name
             * @description Name of the rune, with spacers.
             */
            runeName?: string;
            state?: components["schemas"]["MintState"];
            /** @description Tokens per request, in the rune's smallest unit. */
            tokensPerRequest?: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Total number of requests.
             */
            totalRequests?: number;
            /**
             * Format: bitcoin-address
             * @description The address that commitments pay.
             */
            treasuryAddress?: string;
        };
        /** @description An inscription that the treasury holds to give away. */
        ListedPrize: {
            /** @description The treasury's output that holds the inscription, unique. */
            controllingUtxo?: components["schemas"]["OutPoint"];
            /** @description When it was registered, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: number
             * @description The id: the prize number as text.
             */
            id: string;
            /** @description The inscription, unique. */
            inscriptionId?: components["schemas"]["InscriptionId"];
            /** @description The prize's name. */
            name?: components["schemas"]["PrizeName"];
            /** @description From 1 to 100, unique. */
            prizeNumber?: components["schemas"]["PrizeNumber"];
        };
        /** @description A token of the catalogue. */
        ListedTokenRow: {
            /** @description Chain of the token. */
            chain?: components["schemas"]["TokenChain"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts.
             * @example 6
             */
            divisibility?: number;
            /** @description Same as `tokenId`. */
            id: components["schemas"]["TokenId"];
            /** @description The slots in which it may be the default token. */
            slots?: components["schemas"]["Slot"][];
            /**
             * Format: symbol
             * @description Symbol of the token.
             * @example USDC
             */
            symbol?: string;
            /** @description Token id. */
            tokenId?: components["schemas"]["TokenId"];
        };
        /** @description A transaction of the caller. */
        ListedTransactionRow: {
            amount?: components["schemas"]["Units"] | null;
            /**
             * Format: int32
             * @description The height of its block.
             */
            blockHeight?: number | null;
            /** @description When it was signed or, if it is unsigned, when it was created; ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The fee, in sats.
             */
            feeSats?: number;
            /**
             * Format: txid
             * @description Same as `txId`.
             */
            id: string;
            /**
             * Format: txid
             * @description The transaction that it replaces.
             */
            replaceTxId?: string | null;
            /**
             * Format: txid
             * @description The signed transaction that replaces it.
             */
            replacedByTxId?: string | null;
            state?: components["schemas"]["TransactionState"];
            tokenId?: components["schemas"]["BitcoinToken"] | null;
            /** Format: txid */
            txId?: string;
            type?: components["schemas"]["Kind"];
            /**
             * Format: address
             * @description The recipient of a withdrawal; null for other kinds.
             */
            withdrawTo?: string | null;
        };
        /** @description An unspent output of a trading address. */
        ListedUtxoRow: {
            /**
             * Format: outpoint
             * @description Same as `id`, under the name that published clients read.
             */
            _id?: string;
            /**
             * Format: bitcoin-address
             * @description The trading address.
             */
            address?: string;
            /**
             * @description The same amount in BTC, as published clients show it.
             * @example 0.002
             */
            amount?: string;
            /**
             * Format: int32
             * @description The number of blocks from its own to the newest; 0 if it has none yet.
             */
            confirmations?: number;
            /**
             * Format: int32
             * @description The height of its block; null if it has none yet.
             */
            height?: number | null;
            /**
             * Format: outpoint
             * @description The outpoint, `<txid>:<vout>`.
             */
            id: string;
            /** @description Whether mints refuse it, because its delay ends within 1,152 blocks or has ended. */
            isExpired?: boolean;
            /** @description Always false: spent outputs are not listed. */
            isSpent?: boolean;
            /** @description The runes in it; null if they are unknown. */
            runes?: components["schemas"]["UtxoRune"][] | null;
            /**
             * Format: int64
             * @description Its sats.
             */
            satoshi?: number;
            /** @description Whether the output is in a block. */
            status?: components["schemas"]["UtxoStatus"];
            /** Format: txid */
            txid?: string;
            /**
             * Format: outpoint
             * @description The outpoint, `<txid>:<vout>`.
             */
            txidVout?: string;
            /** Format: int32 */
            vout?: number;
        };
        /** @description A virtual block that has taken requests. */
        ListedVirtualBlockRow: {
            /**
             * Format: int64
             * @description The average price of its requests, in sats, rounded down.
             */
            averagePrice?: number;
            /**
             * Format: int64
             * @description Batches that have requests in it.
             */
            batches?: number;
            /** @description Whether it is seven blocks deep: a reorganisation of six blocks cannot change it. */
            final?: boolean;
            /**
             * Format: int32
             * @description The height of its Bitcoin block.
             */
            height?: number;
            /**
             * Format: int64
             * @description The highest price of a request in it, in sats.
             */
            highestPrice?: number;
            /**
             * Format: number
             * @description Its height, as text.
             */
            id: string;
            /**
             * Format: int64
             * @description The lowest price of a request in it, in sats.
             */
            lowestPrice?: number;
            /**
             * Format: int64
             * @description Number of requests that it took.
             */
            requests?: number;
        };
        /** @description One VM transaction of a list. */
        ListedVmTransactionRow: {
            /**
             * Format: psbt
             * @description The PSBT as issued or, once both keys have signed, the transaction; base64.
             */
            base64Tx?: string | null;
            /** @description Same as `timestamp`. */
            createdAt?: components["schemas"]["Timestamp"];
            distributeRuneAt?: components["schemas"]["Timestamp"] | null;
            /**
             * Format: txid
             * @description The transaction that sent its runes.
             */
            distributeRuneTxId?: string | null;
            /**
             * Format: txid
             * @description Same as `txId`.
             */
            id: string;
            /** @description Whether a refund can be created for it. */
            isRefundable?: boolean;
            mintId?: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description Amount paid for requests that no virtual block took, in sats; set once that is final. A refund pays it
             *     back, less its fee.
             */
            notTakenSats?: number;
            /**
             * Format: int64
             * @description Amount that its own confirmed commitment paid, in sats.
             */
            paidSats?: number;
            refundState?: components["schemas"]["RefundState"];
            /**
             * Format: txid
             * @description The transaction that refunds it.
             */
            refundTxId?: string | null;
            /**
             * Format: txid
             * @description The VM transaction that this one replaces.
             */
            replaceTxId?: string | null;
            /**
             * Format: txid
             * @description The VM transaction that replaced this one.
             */
            replacedByTxId?: string | null;
            /**
             * Format: int64
             * @description Number of requests taken over from replaced VM transactions.
             */
            replacedRequestsCount?: number;
            /**
             * Format: int64
             * @description Number of its requests in virtual blocks.
             */
            requestsInBlocksCount?: number;
            /**
             * Format: int64
             * @description Number of its requests that wait for a virtual block; 0 if it is not active.
             */
            requestsInMempoolCount?: number;
            /** @description The rune to mint. */
            runeId?: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description Total price of its new requests, in sats.
             */
            satsNewRequests?: number;
            /**
             * Format: int64
             * @description Price of each new request, in sats.
             */
            satsPerNewRequest?: number;
            /**
             * Format: int64
             * @description Total price of the requests taken over, in sats.
             */
            satsPreviousRequests?: number;
            state?: components["schemas"]["VmState"];
            /** @description When it was created or, if signed, when it was signed; ms since the epoch. */
            timestamp?: components["schemas"]["Timestamp"];
            /**
             * Format: bitcoin-address
             * @description The address that pays for it and receives refunds and runes.
             */
            tradingAddress?: string;
            transferBtcAt?: components["schemas"]["Timestamp"] | null;
            /**
             * Format: txid
             * @description The transaction that moved its payment out of the treasury.
             */
            transferBtcTxId?: string | null;
            /**
             * Format: txid
             * @description Txid of the commitment.
             */
            txId?: string;
            /**
             * Format: distribution-id
             * @description The distribution that includes it.
             */
            vmDistributionId?: string | null;
        };
        /** @description One cross-chain transaction of a list. */
        ListedXchainRow: {
            /** @description When the swap was registered or the withdrawal signed; ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The hub's id of the destination chain; null if the service does not know it.
             */
            dstChain?: number | null;
            /**
             * Format: hub-text
             * @description The step that failed.
             */
            failedAtStep?: string | null;
            /**
             * Format: hub-text
             * @description The reason of the failure.
             */
            failureReason?: string | null;
            /**
             * Format: hub-text
             * @description The transaction on the destination chain that filled it.
             */
            fillTxHash?: string | null;
            /** Format: xchain-id */
            id: string;
            /** @description The tokens and amounts of the exchange. */
            intent?: components["schemas"]["Intent"];
            intentTxHash?: components["schemas"]["IntentHash"] | null;
            /**
             * Format: txid
             * @description The withdrawal that this one replaces; null otherwise.
             */
            replaceTxId?: string | null;
            /**
             * Format: txid
             * @description The withdrawal that its owner signed to replace this one; null otherwise.
             */
            replacedByTxId?: string | null;
            spokeTxHash?: components["schemas"]["TxHash"] | null;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
             */
            srcChain?: number | null;
            status?: components["schemas"]["XchainStatus"];
            /**
             * Format: address
             * @description The address that pays, on its own chain; for a withdrawal the trading address.
             */
            tradingAddress?: string;
            /**
             * Format: transaction-id
             * @description Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent.
             */
            txId?: string;
            type?: components["schemas"]["XchainType"];
            /** @description When it last changed, ms since the epoch. */
            updatedAt?: components["schemas"]["Timestamp"];
            /**
             * Format: address
             * @description The wallet that started it. For a withdrawal, the sign-in wallet of its account, or the trading address
             *     if the account has none.
             */
            userAddress?: string;
            /**
             * @description Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
             *     it.
             */
            verified?: boolean;
            /**
             * Format: address
             * @description The recipient's address.
             */
            withdrawTo?: string;
        };
        /** @description A valid session. */
        LiveSession: {
            /** @description When it was opened, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Whether it is the session of this request. */
            current: boolean;
            /** @description When it expires unless refreshed, ms since the epoch. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description Session id. */
            id: components["schemas"]["SessionId"];
            /** @description When it was last refreshed, ms since the epoch. */
            lastUsedAt: components["schemas"]["Timestamp"];
            /**
             * Format: ip-address
             * @description The source address of the sign-in.
             * @example 192.0.2.1
             */
            sourceIp: string | null;
            /**
             * Format: user-agent
             * @description The client software, as reported at sign-in.
             */
            userAgent: string | null;
        };
        /** @description The user's key in a trading wallet, and its signature of a challenge. */
        MakeTradingWallet: {
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge?purpose=tradingWallet`, requested with the caller's token for any
             *     Bitcoin address of the key: P2WPKH, P2TR, P2PKH or P2SH-P2WPKH.
             */
            challengeId: string;
            /**
             * Format: public-key
             * @description The key in hex: 33 bytes, or 32 if the challenge is for its Taproot address. A signature for a Taproot
             *     address does not prove the key's parity, so the wallet then accepts both.
             */
            publicKey: string;
            /**
             * Format: signature
             * @description The signature of the challenge for that address: base64, as for sign-in.
             */
            signature: string;
        };
        /** @description 1002 `common.malformedBody`: The body is not JSON, or not a JSON object. */
        MalformedBodyProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1002";
            /** @enum {string} */
            message: "common.malformedBody";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1002";
        };
        /** @description Request body for the largest amount. */
        MaxSpent: {
            params: components["schemas"]["MaxSpentParams"];
            type: components["schemas"]["SpendType"];
        };
        /** @description Parameters for the largest amount. */
        MaxSpentParams: {
            feeTarget?: components["schemas"]["FeeTarget"] | null;
            /**
             * Format: int64
             * @description The number of requests of a batch; the amount is a multiple of it.
             */
            requestCount?: number | null;
            /** @description The token: a rune id, or `0:0` for BTC; a mint accepts only BTC. */
            tokenId: components["schemas"]["BitcoinToken"];
            /**
             * Format: address
             * @description The recipient, whose address determines the weight of its output; by default, the heaviest output is
             *     assumed.
             */
            withdrawTo?: string | null;
        };
        /** @description An account as shown to its owner. */
        Me: {
            /** @description Addresses that the account has proved, the sign-in wallet first. */
            addresses: components["schemas"]["OwnedAddress"][];
            /** @description How the account was created. */
            authMethod: components["schemas"]["AuthMethod"];
            avatar: components["schemas"]["InscriptionId"] | null;
            /** @description When the account was created, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Preferred tokens. */
            defaultTokens: components["schemas"]["DefaultTokens"];
            email: components["schemas"]["EmailAddress"] | null;
            /** @description Whether the address is verified. */
            emailVerified: boolean;
            /** @description Whether there is a keystore. */
            hasKeystore: boolean;
            /** @description Account id. */
            id: components["schemas"]["AccountId"];
            /**
             * @description Whether another account invited this one. Its id is not shown, because accounts can sign in by their
             *     ids.
             */
            isReferred: boolean;
            /**
             * Format: int32
             * @description Number of passkeys.
             */
            passkeys: number;
            /**
             * Format: label
             * @description Password hint.
             */
            passwordHint: string | null;
            /**
             * Format: referral-code
             * @description Code for inviting others.
             */
            referralCode: string;
            /** @description Permissions of the account. */
            role: components["schemas"]["Role"];
            /** @description Whether sign-in requires a second factor. */
            totpEnabled: boolean;
            /**
             * Format: bitcoin-address
             * @description The two-signature Bitcoin address; null until it is created.
             */
            tradingAddress: string | null;
            wallet: components["schemas"]["Wallet"] | null;
        };
        /** @example 018bcfe5-6800-7000-8000-000000000001.png */
        MediaName: string;
        /** @description 5101 `medias.notServed`: The service does not serve media yet, so it accepts no uploads. */
        MediaNotServedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5101";
            /** @enum {string} */
            message: "medias.notServed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5101";
        };
        /** @description How to upload a file, and where to download it afterwards. */
        MediaUpload: {
            /**
             * Format: filename
             * @description File name as sent in the request.
             */
            fileName: string;
            /**
             * Format: object-key
             * @description Key of the file in the bucket.
             */
            key: string;
            /**
             * Format: media-type
             * @description Media type that the file is stored with, regardless of its content.
             * @example image/png
             */
            mimeType: string;
            /** @description The form that uploads the file, valid for 15 minutes. */
            signedUrl: components["schemas"]["SignedUrl"];
            /**
             * Format: int64
             * @description Maximum size of the file in bytes.
             * @example 10485760
             */
            size: number;
            /**
             * Format: uri
             * @description Public URL of the file, once it is uploaded.
             */
            url: string;
        };
        /** @description The position of a page in its list. */
        MetaData: {
            /**
             * Format: int64
             * @description The length of the list. Send it as `asOf` in requests for the next pages. Absent if rows of the list
             *     come and go.
             */
            asOf?: number | null;
            /**
             * Format: int64
             * @description Number of this page, from 1.
             */
            currentPage: number;
            /**
             * Format: int64
             * @description Items per page.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Items in the whole list.
             */
            totalItems: number;
            /**
             * Format: int64
             * @description Pages in the whole list.
             */
            totalPages: number;
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_ActivityMeta: components["schemas"]["MetaData"] & {
            /** @description Failed proofs of identity by hour, newest first; at most 100 hours of the last 90 days. */
            failedProofs: components["schemas"]["FailedProofs"][];
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_BalanceMeta: components["schemas"]["MetaData"] & {
            /** @description Whether the contents of the coins could be read. If not, only sats are known. */
            checks: components["schemas"]["ContentsCheck"];
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_ChangeEmailMailed: components["schemas"]["MetaData"] & {
            /** @description Whether this request mailed a token. False within a minute of the last mail, whose link stays valid. */
            mailed: boolean;
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_CoinsMeta: components["schemas"]["MetaData"] & {
            /** @description Whether the contents of the coins could be read. */
            checks: components["schemas"]["ContentsCheck"];
            /**
             * Format: int32
             * @description The height of the chain.
             */
            height: number;
            /** @description Further coins of the address that were not read, the least valuable ones. */
            notRead: number;
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_DeliveriesMeta: components["schemas"]["MetaData"] & {
            next: components["schemas"]["SentId"] | null;
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_EventsMeta: components["schemas"]["MetaData"] & {
            /**
             * Format: int64
             * @description The number of the newest event; 0 if there has been none.
             */
            newest: number;
            /**
             * Format: int64
             * @description Send it as `after` in the next request. If it equals `newest`, the response reaches the end of the list.
             */
            next: number;
            /**
             * Format: int64
             * @description The number of the oldest event that is kept; one more than `newest` if no event is kept.
             */
            oldest: number;
            /**
             * Format: int32
             * @description The number of ms after which to poll again; 0 if there are more events.
             */
            pollAfterMs: number;
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_NoMetaData: components["schemas"]["MetaData"] & Record<string, never>;
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_Notes: components["schemas"]["MetaData"] & {
            amount: components["schemas"]["Units"] | null;
            /** @description Coins of the trading address that the transaction could not spend. */
            coinsLeftAside: components["schemas"]["LeftAside"];
            /**
             * Format: int32
             * @description Blocks until the user alone can spend the first of the coins.
             */
            expiresInBlocks: number;
            /**
             * @description Coins that belong to the request but did not fit: with `max`, further coins with the token; in a renewal
             *     without `txIdVouts`, further coins whose delay ends soon.
             */
            left: number;
            /** @description Reasons to review the transaction before signing. */
            warnings: components["schemas"]["TransactionWarning"][];
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_Polling: components["schemas"]["MetaData"] & {
            /**
             * Format: int32
             * @description The number of ms after which the response may have changed; null if nothing is expected to change by
             *     itself.
             */
            pollAfterMs: number | null;
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_VenueMetaData: components["schemas"]["MetaData"] & {
            /** @description Whether every check could run; missing if the request names no wallet. */
            checks?: components["schemas"]["Checks"];
            /**
             * @description Steps that the wallet has to take before it can trade. An empty list means none only if `checks` is
             *     `complete`. Gates never stop a deposit or a withdrawal.
             */
            gates: components["schemas"]["Gate"][];
            /** @description What the owner should know before signing. */
            warnings: components["schemas"]["VenueWarning"][];
        };
        /** @description The position of a response in its list, and the other fields of `metaData`. */
        MetaDataWith_VenueStatusMetaData: components["schemas"]["MetaData"] & {
            /** @description Whether every question was answered. */
            checks: components["schemas"]["Checks"];
            /** @description What the owner should know about the balances. */
            warnings: components["schemas"]["VenueWarning"][];
        };
        /** @description 3003 `account.methodNotAllowed`: This account does not sign in with a wallet. */
        MethodNotAllowedForAccountProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3003";
            /** @enum {string} */
            message: "account.methodNotAllowed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3003";
        };
        /** @example 018bcfe5-6800-7000-8000-000000000002 */
        MintId: string;
        /** @description A mint as clients see it. */
        MintRow: {
            /** @description When the mint closes, ms since the epoch. */
            closesAt: components["schemas"]["Timestamp"];
            /** @description When the mint was created, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            id: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description The lowest price of a request, in sats.
             */
            minSatsPerRequest: number;
            /** @description When the mint opens, ms since the epoch. */
            opensAt: components["schemas"]["Timestamp"];
            /**
             * Format: bitcoin-address
             * @description The address that sends the runes.
             */
            poolAddress: string;
            /**
             * Format: bitcoin-address
             * @description The Bitcoin address that receives the payments for taken requests.
             */
            proceedsAddress: string;
            /**
             * Format: int64
             * @description Number of its requests in virtual blocks.
             */
            requestsInBlocksCount: number;
            /**
             * Format: int64
             * @description Number of its requests that wait for a virtual block.
             */
            requestsInMempoolCount: number;
            /**
             * Format: int64
             * @description The maximum number of requests that one virtual block takes.
             */
            requestsPerBlock: number;
            /**
             * Format: rune-id
             * @description The rune to mint.
             */
            runeId: string;
            /**
             * Format: rune-name
             * @description Name of the rune, with spacers.
             */
            runeName: string;
            state: components["schemas"]["MintState"];
            /** @description Tokens per request, in the rune's smallest unit. */
            tokensPerRequest: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Total number of requests.
             */
            totalRequests: number;
            /**
             * Format: bitcoin-address
             * @description The address that commitments pay.
             */
            treasuryAddress: string;
        };
        /**
         * @description The state of a mint.
         *
         *     ```text
         *     open ──▶ mintedOut ──▶ distributed
         *       └────▶ failed
         *     ```
         * @enum {string}
         */
        MintState: "open" | "mintedOut" | "failed" | "distributed";
        /** @description The state of a mint has changed. */
        MintStateChangedEvent: {
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: uuid
                 * @description The mint.
                 */
                mintId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mint.stateChanged";
        };
        /** @description Outputs that are not listed. */
        More: {
            /**
             * Format: int64
             * @description The number of these outputs.
             */
            outputs: number;
            /**
             * Format: int64
             * @description Their sats.
             */
            sats: number;
        };
        /** @description 3005 `account.addressTaken`: The address already belongs to an account. */
        NewAddressTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3005";
            /** @enum {string} */
            message: "account.addressTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3005";
        };
        /** @description 3006 `account.emailTaken`: The e-mail address already belongs to an account. */
        NewEmailTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3006";
            /** @enum {string} */
            message: "account.emailTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3006";
        };
        /** @description A new passkey. */
        NewPasskey: {
            /** @description The result of `navigator.credentials.create()`, serialized with `toJSON()`. */
            credential: components["schemas"]["RegistrationResponse"];
            /**
             * Format: uuid
             * @description From the first step.
             */
            sessionId: string;
        };
        /** @description The next virtual block of a mint, if everything in the mempool confirms in its Bitcoin block. */
        NextVirtualBlock: {
            /**
             * Format: int64
             * @description Their average price, in sats, rounded down; null if there are none.
             */
            averagePrice: number | null;
            /** @description The waiting requests of the 200 highest prices, highest first. */
            byPrice: components["schemas"]["RequestsAtPrice"][];
            /**
             * Format: int32
             * @description The height of its Bitcoin block; null if the mint has no further block, or if the worker has not
             *     processed the mint yet.
             */
            height: number | null;
            /**
             * Format: int64
             * @description Their highest price, in sats; null if there are none.
             */
            highestPrice: number | null;
            /**
             * Format: int64
             * @description Their lowest price, in sats; null if there are none.
             */
            lowestPrice: number | null;
            /**
             * Format: int64
             * @description The lowest price at which it also takes `requestCount` further requests, in sats each; null if it has no
             *     room for them.
             */
            priceToEnter: number | null;
            /**
             * Format: int64
             * @description Number of requests that it takes.
             */
            requests: number;
            revision: components["schemas"]["OutlookRevision"] | null;
            /**
             * Format: int64
             * @description The maximum number of requests that it can take.
             */
            room: number;
            /** @description All waiting requests. */
            waiting: components["schemas"]["WaitingRequests"];
        };
        /** @description 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token. */
        NoAuthorizationProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4004";
            /** @enum {string} */
            message: "auth.noAuthorization";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4004";
        };
        /** @description 3012 `account.noPassword`: The account has no password. */
        NoPasswordProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3012";
            /** @enum {string} */
            message: "account.noPassword";
        };
        /** @description 3028 `account.noSuchAccount`: The account does not exist. */
        NoSuchAccountProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3028";
            /** @enum {string} */
            message: "account.noSuchAccount";
        };
        /** @description 1106 `runes.notFound`: The rune does not exist. */
        NoSuchRuneProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1106";
            /** @enum {string} */
            message: "runes.notFound";
        };
        /** @description 1105 `tokens.notFound`: The catalogue does not contain this token. */
        NoSuchTokenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1105";
            /** @enum {string} */
            message: "tokens.notFound";
        };
        /** @description 2009 `bitcoin.noTradingWallet`: The account has no trading wallet. */
        NoTradingWalletProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2009";
            /** @enum {string} */
            message: "bitcoin.noTradingWallet";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2009";
        };
        /** @description 3004 `account.notAWalletKeystore`: The account has no keystore. */
        NotAWalletKeystoreProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3004";
            /** @enum {string} */
            message: "account.notAWalletKeystore";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3004";
        };
        /** @description 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced. */
        NotReplaceableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2021";
            /** @enum {string} */
            message: "bitcoin.notReplaceable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2021";
        };
        /** @description 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued. */
        NotTheIssuedTransactionProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2011";
            /** @enum {string} */
            message: "bitcoin.notTheIssuedTransaction";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2011";
        };
        Nothing: Record<string, never> | null;
        /** @description 2018 `bitcoin.nothingToRenew`: No coin needs a renewal. */
        NothingToRenewProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2018";
            /** @enum {string} */
            message: "bitcoin.nothingToRenew";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2018";
        };
        /** @description 3024 `account.nothingToVerify`: The account has no unverified e-mail address. */
        NothingToVerifyProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3024";
            /** @enum {string} */
            message: "account.nothingToVerify";
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_AccountRow_Polling: {
            /** @enum {string} */
            code: "1";
            /** @description An account as shown to admins. */
            data: {
                /** @description How the account was created. */
                authMethod: components["schemas"]["AuthMethod"];
                /** @description When the account was created, ms since the epoch. */
                createdAt: components["schemas"]["Timestamp"];
                email?: components["schemas"]["EmailAddress"] | null;
                /** @description Account id. */
                id: components["schemas"]["AccountId"];
                /** @description When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`. */
                lastSignInAt: components["schemas"]["Timestamp"];
                referredBy?: components["schemas"]["AccountId"] | null;
                /** @description Permissions of the account. */
                role: components["schemas"]["Role"];
                /** @description Whether sign-in requires a second factor. */
                totpEnabled: boolean;
                /**
                 * Format: bitcoin-address
                 * @description The two-signature Bitcoin address.
                 */
                tradingAddress?: string | null;
                wallet?: components["schemas"]["Wallet"] | null;
            };
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_ApproveBuilderFee_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ApproveBuilderFee"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Balance_BalanceMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Balance"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_BalanceMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_ChangeEmailSession_ChangeEmailMailed: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ChangeEmailSession"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_ChangeEmailMailed"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Deposit_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Deposit"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_DownloadHistory_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["DownloadHistory"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_MintRow_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MintRow"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_NextVirtualBlock_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["NextVirtualBlock"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneRefund_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneRefund"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneTransaction_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneTransaction"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneVmTransaction_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneVmTransaction"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneXchainTransaction_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneXchainTransaction"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Option_SetReferrer_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: null | components["schemas"]["SetReferrer"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Prize_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Prize"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_RuneInfo_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["RuneInfo"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_TokenRow_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TokenRow"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Polling"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_TransactionPreview_Notes: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TransactionPreview"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_Notes"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_ActivityRow_ActivityMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedActivityRow"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_ActivityMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_CoinRow_CoinsMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedCoinRow"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_CoinsMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_EventItem_EventsMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["EventItem"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_EventsMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_MediaUpload_NoMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MediaUpload"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_NoMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_WebhookDelivery_DeliveriesMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["WebhookDelivery"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_DeliveriesMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_VenueStatus_VenueStatusMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VenueStatus"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_VenueStatusMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Withdraw_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Withdraw"];
            /** @enum {string} */
            message: "common.success";
            /** @description Further information about the result. */
            metaData: components["schemas"]["MetaDataWith_VenueMetaData"];
        };
        /** @description One refund of the caller. */
        OneRefund: components["schemas"]["TransactionProgress"] & {
            /**
             * Format: int32
             * @description The height of its block.
             */
            blockHeight: number | null;
            /** @description When it was created, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The fee in sats, which is taken from the refund.
             */
            feeSats: number;
            /** @description The payments that the refund returns. */
            items: components["schemas"]["RefundedBatch"][];
            /**
             * Format: int64
             * @description Amount that arrives, in sats. A coin that the caller adds returns in full and is not included.
             */
            refundedSats: number;
            /**
             * Format: txid
             * @description The refund that it replaces.
             */
            replaceTxId: string | null;
            /**
             * Format: txid
             * @description The signed refund that replaces it.
             */
            replacedByTxId: string | null;
            state: components["schemas"]["TransactionState"];
            /**
             * Format: int64
             * @description The sum of the items, in sats.
             */
            totalSats: number;
            /** Format: txid */
            txId: string;
            /**
             * Format: address
             * @description The address for which the caller requested the refund.
             */
            userAddress: string;
        };
        /** @description One transaction of the caller. */
        OneTransaction: components["schemas"]["TransactionRow"] & components["schemas"]["TransactionProgress"];
        /** @description One VM transaction, with its prices and its virtual blocks. */
        OneVmTransaction: components["schemas"]["VmTransactionRow"] & {
            /**
             * @description The virtual blocks that contain its requests, newest first; at most 100, and fewer if the batch is in
             *     very many blocks. `requestsInBlocksCount` counts all its requests in virtual blocks. A reorganisation
             *     can change those of the last six Bitcoin blocks.
             */
            blocks: components["schemas"]["BlockOfTransaction"][];
            /**
             * @description Its requests by price. Requests of the VM transactions that it replaces come first, in the order of
             *     their creation.
             */
            prices: components["schemas"]["RequestsOfTransaction"][];
        };
        /** @description One cross-chain transaction. */
        OneXchainTransaction: components["schemas"]["XchainRow"] & {
            /** @description All statuses so far, oldest first, including the current one. */
            history: components["schemas"]["StatusChange"][];
        };
        /** @description An OpenAPI document. */
        OpenApiDocument: Record<string, never>;
        /** @description 4018 `auth.otpInvalid`: The code is wrong or already used. */
        OtpInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4018";
            /** @enum {string} */
            message: "auth.otpInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4018";
        };
        /** @description 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After. */
        OtpLockedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4019";
            /** @enum {string} */
            message: "auth.otpLocked";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4019";
        };
        /** @description 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode. */
        OtpRequiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4017";
            /** @enum {string} */
            message: "auth.otpRequired";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4017";
        };
        /** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0 */
        OutPoint: string;
        /** @description The newest Bitcoin block that was applied. */
        OutlookRevision: {
            /**
             * Format: block-hash
             * @description Its hash.
             */
            hash: string;
            /**
             * Format: int32
             * @description Its height.
             */
            height: number;
        };
        /** @description Request body of published clients that request the trading wallet of a wallet. */
        OwnWallet: {
            /** @description The user's key in the trading wallet, hex: 33 bytes or, without its parity, 32. */
            publicKey?: string | null;
            /** @description One of the caller's own addresses. */
            walletAddress: components["schemas"]["AddressText"];
        };
        /** @description An address that the account has proved: its sign-in wallet or a linked address. */
        OwnedAddress: {
            /**
             * Format: address
             * @description Canonical address.
             */
            address: string;
            /** @description Chain of the address. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: int64
             * @description EIP-155 id of the EVM chain on which a contract wallet proved the address; the account owns it on that
             *     chain only. Absent if a key proved the address, which then belongs to the account on every chain.
             */
            contractChainId?: number | null;
        };
        /** @description The second step of a sign-in by passkey. */
        PasskeyAnswer: {
            /** @description The result of `navigator.credentials.get()`, serialized with `toJSON()`. */
            credential: components["schemas"]["AuthenticationResponse"];
            /**
             * Format: otp-code
             * @description 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
             *     count.
             */
            otpCode?: string | null;
            /**
             * Format: uuid
             * @description From `POST /auth/passkey/init`.
             */
            sessionId: string;
        };
        /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
        PasskeyId: string;
        /** @description 4027 `auth.passkeyMalformed`: The passkey response is malformed. */
        PasskeyMalformedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4027";
            /** @enum {string} */
            message: "auth.passkeyMalformed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4027";
        };
        /** @description 3020 `account.passkeyNotFound`: The account has no such passkey. */
        PasskeyNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3020";
            /** @enum {string} */
            message: "account.passkeyNotFound";
        };
        /** @description 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid. */
        PasskeyRefusedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4028";
            /** @enum {string} */
            message: "auth.passkeyRefused";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4028";
        };
        /** @description A passkey as shown to its owner. */
        PasskeyRow: {
            /** @description Whether the passkey is backed up to other devices. */
            backedUp: boolean;
            /** @description When it was added, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Passkey id. */
            id: components["schemas"]["PasskeyId"];
            lastUsedAt: components["schemas"]["Timestamp"] | null;
            /**
             * Format: label
             * @description The name given by its owner.
             */
            name: string;
        };
        /** @description The first step of a passkey ceremony, as returned to the client. */
        PasskeySession: {
            /**
             * @description For `PublicKeyCredential.parseRequestOptionsFromJSON()`, or `parseCreationOptionsFromJSON()` when
             *     registering a passkey.
             */
            options: Record<string, never>;
            /**
             * Format: uuid
             * @description Send it back with the response. Single use, valid for 5 minutes.
             */
            sessionId: string;
        };
        /** @description 4029 `auth.passkeyTaken`: The passkey already belongs to an account. */
        PasskeyTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4029";
            /** @enum {string} */
            message: "auth.passkeyTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4029";
        };
        /** @description The result of a change of password: the service's own proof. */
        PasswordChanged: {
            /**
             * Format: base64-of-32-bytes
             * @description `M2`, base64 of 32 bytes.
             */
            serverProof: string;
        };
        /** @description 3011 `account.passwordProofInvalid`: The current password is wrong. */
        PasswordProofInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3011";
            /** @enum {string} */
            message: "account.passwordProofInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3011";
        };
        /** @description 1005 `common.payloadTooLarge`: The body is larger than 256 KiB. */
        PayloadTooLargeProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1005";
            /** @enum {string} */
            message: "common.payloadTooLarge";
        };
        /** @description 9003 `perpVenue.amountBelowActivationFee`: The first deposit of a new account must exceed the venue's activation fee. */
        PerpVenueAmountBelowActivationFeeProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9003";
            /** @enum {string} */
            message: "perpVenue.amountBelowActivationFee";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "9003";
        };
        /** @description 9005 `perpVenue.contractWallet`: Contract wallets cannot sign the venue's messages. Use another wallet. */
        PerpVenueContractWalletProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9005";
            /** @enum {string} */
            message: "perpVenue.contractWallet";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "9005";
        };
        /** @description 9004 `perpVenue.insufficientVenueBalance`: The wallet's balance at the venue does not cover the amount and the transfer fee. */
        PerpVenueInsufficientBalanceProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9004";
            /** @enum {string} */
            message: "perpVenue.insufficientVenueBalance";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "9004";
        };
        /** @description 9002 `perpVenue.insufficientUsdc`: The wallet's USDC balance on the venue's EVM chain is too low. */
        PerpVenueInsufficientUsdcProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9002";
            /** @enum {string} */
            message: "perpVenue.insufficientUsdc";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "9002";
        };
        /** @description 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later. */
        PerpVenuePausedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9001";
            /** @enum {string} */
            message: "perpVenue.paused";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "9001";
        };
        /** @description A request to upload files. */
        PresignUploads: {
            /** @description The files, 1 to 20. */
            files: components["schemas"]["FileToUpload"][];
            /**
             * Format: address
             * @description An address of the caller's account.
             */
            userAddress?: string | null;
        };
        /** @description A coin that a transaction would spend. */
        PreviewInput: {
            /**
             * Format: outpoint
             * @description The outpoint, `<txid>:<vout>`.
             */
            id: string;
            /**
             * @description The runes in it. Null if an unsigned transaction answers the request, and a transaction in the mempool
             *     spends the coin.
             */
            runes: components["schemas"]["RuneAmount"][] | null;
            /**
             * Format: int64
             * @description Its sats.
             */
            sats: number;
        };
        /** @description An output of a transaction. */
        PreviewOutput: {
            /**
             * Format: bitcoin-address
             * @description Null for an OP_RETURN.
             */
            address: string | null;
            /** @description Whether it returns to the trading address. Its contents can be spent once a block has the transaction. */
            isOwn: boolean;
            /** @description The runes that it receives. */
            runes: components["schemas"]["RuneAmount"][];
            /**
             * Format: int64
             * @description Its sats.
             */
            sats: number;
        };
        /**
         * @description Name of the type that is signed.
         * @example HyperliquidTransaction:SendAsset
         */
        PrimaryType: string;
        /** @description An inscription that the treasury holds to give away. */
        Prize: {
            /** @description The treasury's output that holds the inscription, unique. */
            controllingUtxo: components["schemas"]["OutPoint"];
            /** @description When it was registered, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: number
             * @description The id: the prize number as text.
             */
            id: string;
            /** @description The inscription, unique. */
            inscriptionId: components["schemas"]["InscriptionId"];
            /** @description The prize's name. */
            name: components["schemas"]["PrizeName"];
            /** @description From 1 to 100, unique. */
            prizeNumber: components["schemas"]["PrizeNumber"];
        };
        /** @description 5005 `prizes.inscriptionElsewhere`: The output does not hold the inscription. */
        PrizeInscriptionElsewhereProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5005";
            /** @enum {string} */
            message: "prizes.inscriptionElsewhere";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5005";
        };
        /** @description 5002 `prizes.inscriptionTaken`: The inscription is already a prize. */
        PrizeInscriptionTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5002";
            /** @enum {string} */
            message: "prizes.inscriptionTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5002";
        };
        /**
         * Format: label
         * @description A prize's name: 1 to 100 characters, no control characters, no blank at either end.
         * @example Runestone No. 7
         */
        PrizeName: string;
        /** @description 5007 `prizes.notFound`: No prize has this number. */
        PrizeNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5007";
            /** @enum {string} */
            message: "prizes.notFound";
        };
        /** @description 5006 `prizes.notInTreasury`: The output does not belong to the treasury. */
        PrizeNotInTreasuryProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5006";
            /** @enum {string} */
            message: "prizes.notInTreasury";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5006";
        };
        /**
         * Format: int32
         * @description A prize's number, 1 to 100.
         * @example 7
         */
        PrizeNumber: number;
        /** @description 5001 `prizes.numberTaken`: The prize number is already used. */
        PrizeNumberTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5001";
            /** @enum {string} */
            message: "prizes.numberTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5001";
        };
        /** @description 5003 `prizes.utxoTaken`: The output holds another prize. */
        PrizeUtxoTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5003";
            /** @enum {string} */
            message: "prizes.utxoTaken";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5003";
        };
        /** @description 5004 `prizes.utxoUnusable`: The output does not exist, is spent, or is unconfirmed. */
        PrizeUtxoUnusableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5004";
            /** @enum {string} */
            message: "prizes.utxoUnusable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "5004";
        };
        /** @description 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed. */
        PsbtMalformedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2010";
            /** @enum {string} */
            message: "bitcoin.psbtMalformed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2010";
        };
        /** @description A rate limit. Above it, the service answers 429 with `Retry-After`. */
        RateLimit: {
            /**
             * Format: prose
             * @description What the limit counts.
             */
            counts: string;
            /**
             * Format: int32
             * @description The number of hits allowed in a window.
             */
            hits: number;
            /**
             * Format: limit
             * @description The name of the limit.
             * @example walletByAccount
             */
            name: string;
            /**
             * Format: int64
             * @description Length of the window, which begins with its first hit, in seconds.
             */
            windowSeconds: number;
        };
        /** @description 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
        RateLimitedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1013";
            /** @enum {string} */
            message: "common.rateLimited";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1013";
        };
        /**
         * @description Why coins are not spent.
         * @enum {string}
         */
        Reason: "notSpent" | "unconfirmed" | "immature" | "reserved" | "inscribed" | "unknown" | "notRead";
        /** @description 3010 `account.reauthMissing`: The account has a password: send a proof of it in srpData. */
        ReauthMissingProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3010";
            /** @enum {string} */
            message: "account.reauthMissing";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3010";
        };
        /** @description 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request. */
        ReauthRequiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4024";
            /** @enum {string} */
            message: "auth.reauthRequired";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4024";
        };
        /** @description A renewed session. */
        Reauthenticated: components["schemas"]["TokenPair"] & {
            /**
             * Format: device-token
             * @description As after a sign-in.
             */
            deviceToken: string;
            /**
             * Format: base64-of-32-bytes
             * @description After a password proof: the service's proof `M2`, base64 of 32 bytes.
             */
            serverProof?: string;
        };
        /** @description How the user alone spends coins of a trading wallet after the delay. */
        Recovery: {
            /**
             * @description The user keys that the script accepts; one of them suffices. There are two keys if only Taproot has
             *     proved the key; the user has one of them.
             */
            keys: components["schemas"]["RecoveryKey"][];
            /**
             * Format: int32
             * @description nSequence of each input (BIP 68).
             * @example 12960
             */
            sequence: number;
            /** @description What to do, step by step. */
            steps: string[];
            /**
             * Format: int32
             * @description The minimum version of the transaction (BIP 68).
             * @example 2
             */
            transactionVersion: number;
            /**
             * Format: script
             * @description The script that locks the coins, hex.
             */
            witnessScript: string;
        };
        /** @description How to spend with one of the user's keys. */
        RecoveryKey: {
            /** @description The steps as commands of Bitcoin Core 25 or later. */
            commands: string[];
            /**
             * Format: descriptor
             * @description The descriptor to complete: replace `<PRIVATE KEY>` with the private key of `publicKey` (WIF), then
             *     add the checksum of the result.
             */
            descriptorToComplete: string;
            /**
             * Format: compressed-key
             * @description The key, hex of 33 bytes.
             */
            publicKey: string;
            /**
             * @description The witness of each input, in order: an empty element in place of the platform's signature; the user's
             *     signature (DER with the sighash byte, BIP 143); an empty element for a key that the script checks
             *     earlier, if there is one; and the witness script.
             */
            witness: string[];
        };
        /**
         * @description What the owner of a trading wallet needs to spend its coins without the platform, except for the private
         *     key.
         */
        RecoveryKit: {
            /**
             * Format: bitcoin-address
             * @description The trading address.
             */
            address: string;
            /** @description The coins at that height; null if they could not be read. */
            coins: components["schemas"]["KitCoin"][] | null;
            /** @description When this kit was created, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description Confirmations that a coin needs before the user's key alone can spend it.
             * @example 12960
             */
            delayBlocks: number;
            /**
             * @description The script behind the address: a descriptor with its checksum (BIP 380). All other fields except for the
             *     coins follow from it and the network.
             */
            descriptor: components["schemas"]["TradingDescriptor"];
            /**
             * Format: int32
             * @description The height of the chain; null if the coins could not be read.
             */
            height: number | null;
            /**
             * Format: kind
             * @description Always `runeport-recovery-kit`.
             * @example runeport-recovery-kit
             */
            kind: string;
            /**
             * Format: network
             * @description The Bitcoin network: `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`.
             */
            network: string;
            /** @description Further coins of the address that were not read, the least valuable ones. */
            notRead: number;
            /**
             * Format: compressed-key
             * @description The platform's key, hex of 33 bytes.
             */
            platformPublicKey: string;
            /**
             * Format: trading-key
             * @description The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it.
             */
            publicKey: string;
            /**
             * @description The user's keys that the script accepts, 33 bytes each, in the order in which the script checks them.
             *     The user has one of them.
             */
            publicKeys: string[];
            /** @description The recovery page that was current when this kit was created. */
            tool: components["schemas"]["RecoveryTool"];
            /**
             * Format: int32
             * @description The version of this format.
             * @example 1
             */
            version: number;
            /** @description When the trading wallet was created, ms since the epoch. */
            walletCreatedAt: components["schemas"]["Timestamp"];
            /**
             * Format: script
             * @description The script that locks the coins, hex.
             */
            witnessScript: string;
        };
        /** @description A release of the recovery page. */
        RecoveryTool: {
            /**
             * @description The SHA-256 of its file, `runeport-recovery.html`, in hex. A copy with another hash is another version
             *     or has been modified.
             */
            sha256: string;
            /**
             * Format: version
             * @description Its version.
             */
            version: string;
        };
        /** @example RUNEPORT */
        ReferralCode: string;
        /** @description Whether a referral code can be used. */
        ReferralCodeCheck: {
            /** @description Whether the code belongs to an account. */
            valid: boolean;
        };
        /** @description 4030 `auth.referralCodeUnknown`: The referral code does not exist. */
        ReferralCodeUnknownProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4030";
            /** @enum {string} */
            message: "auth.referralCodeUnknown";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4030";
        };
        /** @description The account that invited another one: its relation `referrer`. */
        Referrer: {
            email: components["schemas"]["EmailAddress"] | null;
            /** @description Account id. */
            id: components["schemas"]["AccountId"];
            /**
             * Format: referral-code
             * @description The referral code that was used.
             */
            referralCode: string;
        };
        /** @description The refresh token to spend. */
        RefreshRequest: {
            /**
             * Format: refresh-token
             * @description From the sign-in or the last refresh.
             */
            refreshToken: string;
        };
        /** @description 7002 `refund.belowFee`: The refund is worth less than its network fee. */
        RefundBelowFeeProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "7002";
            /** @enum {string} */
            message: "refund.belowFee";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "7002";
        };
        /** @description 7004 `refund.changed`: The refundable amount has changed. Request the refund again. */
        RefundChangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "7004";
            /** @enum {string} */
            message: "refund.changed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "7004";
        };
        /** @description The refundable VM transactions of one rune. */
        RefundItem: {
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description Amount paid for them, in sats.
             */
            sats: number;
            /** @description The refundable VM transactions. */
            txIds: string[];
        };
        /** @description 7001 `refund.nothing`: There is nothing to refund. */
        RefundNothingProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "7001";
            /** @enum {string} */
            message: "refund.nothing";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "7001";
        };
        /**
         * @description The state of a VM transaction's refund.
         *
         *     ```text
         *     none ◀──▶ open ──▶ broadcast ──▶ refunded
         *       ▲                    │
         *       └────────────────────┘ (its transaction can never confirm)
         *     ```
         *
         *     A failed refund can still get into a block; the state is then `broadcast` again.
         * @enum {string}
         */
        RefundState: "none" | "open" | "broadcast" | "refunded";
        /** @description The state of a refund's transaction has changed. */
        RefundStateChangedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: transaction-id
                 * @description The transaction: its txid or, for a swap, the hash of its intent.
                 */
                txId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refund.stateChanged";
        };
        /**
         * @description The kind of payment to refund.
         * @enum {string}
         */
        RefundType: "virtual_mint";
        /** @description A VM transaction that a refund pays back. */
        RefundedBatch: {
            mintId: components["schemas"]["MintId"];
            /** @description The state of its refund: by this transaction, or by a later one. */
            refundState: components["schemas"]["RefundState"];
            /** @description The rune that was to be minted. */
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description Amount that was paid for requests that no virtual block took, in sats.
             */
            sats: number;
            /**
             * Format: txid
             * @description The VM transaction.
             */
            txId: string;
        };
        RegisterPasskey: components["schemas"]["NewPasskey"] & components["schemas"]["Extras"];
        /** @description The user for whom a passkey will be created. */
        RegisterPasskeyInit: {
            email?: components["schemas"]["EmailAddress"] | null;
        };
        /** @description A prize to register. */
        RegisterPrize: {
            /** @description The treasury's output that holds the inscription, `<txid>:<vout>`, unique. */
            controllingUtxo: components["schemas"]["OutPoint"];
            /** @description Id of the inscription, unique. */
            inscriptionId: components["schemas"]["InscriptionId"];
            /** @description Name of the prize. */
            name: components["schemas"]["PrizeName"];
            /** @description Number of the prize, 1 to 100, unique. */
            prizeNumber: components["schemas"]["PrizeNumber"];
        };
        /** @description A registration with a password. */
        RegisterSrp: {
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge` for any Bitcoin address of that key, requested without a token.
             */
            challengeId?: string | null;
            /**
             * Format: byte
             * @description `M1`, base64 of 32 bytes. The response then has `serverProof`.
             */
            clientProof?: string | null;
            /**
             * Format: byte
             * @description `A`, base64. With `clientProof`, made as for a sign-in but with `B = k v + g`, it proves that client and
             *     service compute the same values. A wrong proof is refused before the account is created. Send both
             *     fields or neither.
             */
            clientPublic?: string | null;
            /**
             * @description The e-mail address, which is also the SRP identity `I`. The service mails a link to verify it. If
             *     another account named the address earlier and neither has verified it, this account signs in by its
             *     account id until it verifies the address.
             */
            email: components["schemas"]["EmailAddress"];
            /**
             * Format: byte
             * @description The keystore: the client's keys, encrypted by the client, base64.
             */
            encryptedBlob: string;
            /**
             * Format: password-hint
             * @description A hint shown only to the owner, at most 200 characters.
             */
            passwordHint?: string | null;
            /**
             * Format: referral-code
             * @description The referral code of the account that invited this one.
             */
            referralCode?: string | null;
            /**
             * Format: signature
             * @description The signature of the challenge for that address: base64, as for sign-in.
             */
            signature?: string | null;
            /**
             * @description Bits of the prime of the verifier's group; 3072 by default. An account with another group can be
             *     distinguished from an unknown address.
             */
            srpGroup?: components["schemas"]["Group"];
            /**
             * Format: base64-of-32-bytes
             * @description The salt: base64 of 32 bytes.
             */
            srpSalt: string;
            /**
             * Format: byte
             * @description The verifier `v`, base64.
             */
            srpVerifier: string;
            /**
             * Format: trading-key
             * @description The user's key in the account's trading wallet: hex of 33 bytes, or 32 if the challenge is for its
             *     Taproot address. Send it together with `challengeId` and `signature`, or send none of the three.
             */
            tradingPublicKey?: string | null;
        };
        RegisterWallet: components["schemas"]["SignedChallenge"] & components["schemas"]["Extras"];
        /** @description Outcome of a registration. */
        Registration: {
            /** @description False if the account has already registered the identical swap. */
            registered: boolean;
        };
        /**
         * @description The result of `navigator.credentials.create()`, serialized with `toJSON()`: `RegistrationResponseJSON`.
         *     Members not listed here are ignored.
         */
        RegistrationResponse: {
            /** @description The credential id. */
            id: components["schemas"]["Base64Url"];
            /** @description The authenticator's response. */
            response: components["schemas"]["AttestationResponse"];
            /** @description Always `public-key`. */
            type: components["schemas"]["CredentialType"];
        };
        /**
         * @description What a trading wallet could still spend after a request, while its transaction waits: what `available`
         *     says in `GET /api/account/trading-wallet/balance` after the real request.
         */
        Remaining: {
            /** @description In free coins. */
            runes: components["schemas"]["RuneAmount"][];
            /**
             * Format: int64
             * @description In coins that can pay amounts and fees: free, and without runes.
             */
            sats: number;
        };
        /** @description Parameters of a renewal. */
        RenewUtxoParams: {
            feeTarget?: components["schemas"]["FeeTarget"] | null;
            /**
             * @description The coins to renew, `<txid>:<vout>`; at most 40. By default those whose delay ends within four weeks:
             *     the most urgent first, then the most valuable, and at most half of them with runes if there are enough
             *     others.
             */
            txIdVouts?: string[] | null;
        };
        /**
         * @description Whether a coin should be renewed.
         * @enum {string}
         */
        Renewal: "none" | "advised" | "needed" | "userOnly";
        /** @description When coins of the trading wallet should be renewed, in blocks until the user alone can spend them. */
        RenewalBlocks: {
            /**
             * Format: int32
             * @description Below this number, the service advises a renewal.
             */
            advised: number;
            /**
             * Format: int32
             * @description Below this number, mints refuse the coin.
             */
            needed: number;
        };
        /** @description Request body of a replacement. */
        ReplaceTransaction: {
            action: components["schemas"]["Replacement"];
            /**
             * Format: double
             * @description Instead of `feeTarget`: the fee rate in sat/vB, within `fees.range` of `GET /api/config`. If the network
             *     requires a higher fee of a replacement (BIP 125), the replacement pays what the network requires.
             * @example 12.5
             */
            feeRate?: number | null;
            feeTarget?: components["schemas"]["FeeTarget"] | null;
        };
        /**
         * @description The kind of a replacement.
         * @enum {string}
         */
        Replacement: "bump" | "cancel";
        /** @description The position at which a webhook continues. */
        ReplayWebhook: {
            accountId?: components["schemas"]["AccountId"] | null;
            /**
             * Format: int64
             * @description The number of the event after which the webhook continues.
             */
            after: number;
        };
        /** @description Request body of the builder-fee approval. */
        RequestApproval: {
            userAddress?: components["schemas"]["EvmWallet"] | null;
        };
        /** @description Request body of the referral. */
        RequestReferral: {
            /** @description The EVM wallet that signs. */
            userAddress: components["schemas"]["EvmWallet"];
        };
        /** @description Requests that wait at one price. */
        RequestsAtPrice: {
            /**
             * Format: int64
             * @description Number of these requests whose commitment is in a Bitcoin block.
             */
            confirmed: number;
            /**
             * Format: int64
             * @description The price of each request, in sats.
             */
            price: number;
            /**
             * Format: int64
             * @description Number of requests.
             */
            requests: number;
        };
        /** @description Requests of a VM transaction at one price. */
        RequestsOfTransaction: {
            /**
             * Format: int64
             * @description Number of these requests that are in virtual blocks.
             */
            inBlocks: number;
            /**
             * Format: int64
             * @description The price of each request, in sats.
             */
            price: number;
            /**
             * Format: int64
             * @description Number of requests.
             */
            requests: number;
        };
        /** @description 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one. */
        ReservationExpiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2015";
            /** @enum {string} */
            message: "bitcoin.reservationExpired";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2015";
        };
        /**
         * @description The permissions of an account.
         * @enum {string}
         */
        Role: "user" | "admin";
        /** @description The new wallet, its proof, and the keystore encrypted for it. */
        RotateWallet: {
            /**
             * Format: address
             * @description The new wallet's address.
             */
            address: string;
            /** @description The chain of the address. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge` for the new address.
             */
            challengeId: string;
            /**
             * Format: byte
             * @description The keystore, encrypted by the client for the new wallet, base64.
             */
            encryptedBlob: string;
            /**
             * Format: label
             * @description The wallet software, at most 64 characters.
             */
            provider: string;
            /**
             * Format: public-key
             * @description The public key; may be empty for EVM and Solana.
             */
            publicKey: string;
            /**
             * Format: signature
             * @description The new wallet's signature of the challenge.
             */
            signature: string;
        };
        /** @description An amount of a rune. */
        RuneAmount: {
            /** @description In the smallest unit. */
            amount: components["schemas"]["Units"];
            /**
             * Format: rune-name
             * @description The name with spacers.
             */
            name: string;
        };
        /** @description The balance of a rune, in its smallest unit. */
        RuneBalance: {
            /** @description In coins that can be spent now. */
            available: components["schemas"]["Units"];
            /** @description In confirmed coins. */
            confirmed: components["schemas"]["Units"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts; null if none of it is in a block yet.
             */
            divisibility: number | null;
            /**
             * @description In unconfirmed change and renewals of the account's own transactions. Amounts that others sent are known
             *     once they are in a block.
             */
            incoming: components["schemas"]["Units"];
            /**
             * Format: rune-name
             * @description The name with spacers.
             */
            name: string;
            /** @description In coins that unsigned transactions reserve. */
            reserved: components["schemas"]["Units"];
            runeId: components["schemas"]["EtchedRune"] | null;
            /** @description In coins that signed transactions spend, as long as the network has not seen them spent. */
            spending: components["schemas"]["Units"];
            /**
             * Format: symbol
             * @description Null if the rune has none, or if none of it is in a block yet.
             */
            symbol: string | null;
        };
        /** @description A rune. */
        RuneInfo: {
            /**
             * Format: int32
             * @description Decimals of displayed amounts.
             */
            divisibility: number;
            /** @description Whether the next Bitcoin block can mint it, by the terms of its etching. */
            mintable: boolean;
            /**
             * Format: rune-name
             * @description The name with spacers.
             */
            name: string;
            /** @description Block and index of its etching. */
            runeId: components["schemas"]["EtchedRune"];
            /** @description Premine and mints so far in the smallest unit, including amounts burned since then. */
            supply: components["schemas"]["Units"];
            /**
             * Format: symbol
             * @description Null if it has none.
             */
            symbol: string | null;
        };
        /** @description 2008 `bitcoin.runeUnknown`: The rune does not exist. */
        RuneUnknownProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2008";
            /** @enum {string} */
            message: "bitcoin.runeUnknown";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2008";
        };
        /** @description The code of the second factor, sent with a proof. */
        SecondFactor: {
            /**
             * Format: otp-code
             * @description 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
             *     count.
             */
            otpCode?: string | null;
        };
        /** @description A user-signed action of the venue. */
        SendAssetAction: {
            /** @description In USDC, without trailing zeros. */
            amount: components["schemas"]["Usdc"];
            /**
             * Format: evm-address
             * @description The venue's system address of USDC: the venue credits the sender of such a transfer, and only the
             *     sender, on its EVM chain.
             * @example 0x2000000000000000000000000000000000000000
             */
            destination: string;
            /**
             * Format: venue-account
             * @description Always `spot`.
             * @example spot
             */
            destinationDex: string;
            /**
             * Format: venue-account
             * @description Always empty: no sub-account.
             * @example
             */
            fromSubAccount: string;
            /**
             * Format: chain-id
             * @description The chain id that the signature covers, 0x and hex.
             * @example 0x3e7
             */
            signatureChainId: string;
            /**
             * Format: venue-account
             * @description The balance that pays. Empty means the perpetuals balance. `spot` is used for an account with a single
             *     unified balance, and for any other account if only its spot balance holds enough. If the venue does
             *     not answer, it is empty.
             * @example
             */
            sourceDex: string;
            /** @description The venue's name of USDC. */
            token: components["schemas"]["UsdcToken"];
            /**
             * Format: venue-action
             * @description Always `sendAsset`.
             * @example sendAsset
             */
            type: string;
            /** @description The network. The venue calls this key `hyperliquidChain`. */
            venueChain: components["schemas"]["VenueChain"];
        };
        /** @example 1795244700000-2813546912 */
        SentId: string;
        /** @description A session was ended before it expired, or a change of a credential ended all sessions. */
        SessionEndedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: uuid
                 * @description The session. Missing if all sessions ended together, except for the one in which a credential was
                 *     changed.
                 */
                sessionId?: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.ended";
        };
        /** @description 4010 `auth.sessionEnded`: The session has ended. Sign in again. */
        SessionEndedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4010";
            /** @enum {string} */
            message: "auth.sessionEnded";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4010";
        };
        /** @example 018bcfe5-6800-7000-8000-000000000002 */
        SessionId: string;
        /** @description 4015 `auth.sessionNotFound`: The session does not exist. */
        SessionNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4015";
            /** @enum {string} */
            message: "auth.sessionNotFound";
        };
        /** @description The avatar to show. */
        SetAvatar: {
            inscriptionId?: components["schemas"]["InscriptionId"] | null;
        };
        /** @description The referral to sign. */
        SetReferrer: {
            /** @description The action that the wallet signs. */
            action: components["schemas"]["SetReferrerAction"];
            /**
             * Format: kind
             * @description Always `set_referrer`.
             * @example set_referrer
             */
            kind: string;
            /** @description What the wallet signs for the action. */
            signing: components["schemas"]["Signing"];
        };
        /** @description An L1 action of the venue. The venue hashes its MessagePack form, so the order of the keys is fixed. */
        SetReferrerAction: {
            /** @description The referral code, 1 to 20 characters. */
            code: components["schemas"]["ReferralCode"];
            /**
             * Format: venue-action
             * @description Always `setReferrer`.
             * @example setReferrer
             */
            type: string;
        };
        /** @description The messages that wallets sign to sign in. */
        SignIn: {
            /**
             * Format: host
             * @description The domain that messages are bound to.
             */
            domain: string;
            /**
             * Format: int64
             * @description The chain id that messages of EVM wallets name.
             */
            evmChainId: number;
            /**
             * Format: sign-in-message
             * @description The message that a Bitcoin wallet signs without a challenge. Replace `{address}`, if present, and the
             *     closing `{timestamp}` (ms since the epoch). Null if the service accepts any text that ends in the time.
             */
            messageTemplate: string | null;
            /**
             * Format: uri
             * @description The URI that messages name.
             */
            uri: string;
        };
        /** @description 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one. */
        SignInMessageInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4013";
            /** @enum {string} */
            message: "auth.signInMessageInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4013";
        };
        /** @description Request body of a refund's signature. */
        SignRefund: {
            /**
             * Format: psbt
             * @description The PSBT as issued, with the user's signature on each of the user's inputs: base64 or hex. If no input
             *     is the user's, send the PSBT as issued.
             */
            base64Psbt: string;
            /**
             * Format: address
             * @description The address that the refund was created with, or the trading address.
             */
            userAddress: string;
        };
        /** @description Request body of a signature. */
        SignTransaction: {
            params: components["schemas"]["SignedTransaction"];
            type?: components["schemas"]["TransactionType"] | null;
        };
        /** @description Request body of a batch's signature. */
        SignVmTransaction: {
            /**
             * Format: psbt
             * @description The PSBT as issued, with the user's signature on every input: base64 or hex.
             */
            signedBase64Tx: string;
            /**
             * Format: address
             * @description The address that created the batch.
             */
            userAddress: string;
        };
        /** @description 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet. */
        SignatureInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4007";
            /** @enum {string} */
            message: "auth.signatureInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4007";
        };
        /** @description 2012 `bitcoin.signatureMissing`: A signature is missing. */
        SignatureMissingProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2012";
            /** @enum {string} */
            message: "bitcoin.signatureMissing";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2012";
        };
        /** @description A wallet's signature of an issued challenge. */
        SignedChallenge: {
            /**
             * Format: address
             * @description The address for which the challenge was issued.
             */
            address: string;
            /** @description The chain of the address. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge`.
             */
            challengeId: string;
            /**
             * Format: otp-code
             * @description 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
             *     count.
             */
            otpCode?: string | null;
            /**
             * Format: label
             * @description The wallet software, at most 64 characters.
             */
            provider?: string | null;
            /**
             * Format: public-key
             * @description Bitcoin: required, as for a signed message. EVM: hex, may be empty. Solana: base58, may be empty.
             */
            publicKey?: string | null;
            /**
             * Format: signature
             * @description EVM: hex (EIP-191; EIP-1271 and EIP-6492 for contract wallets). Solana: base58, base64 or hex
             *     (Ed25519). Bitcoin: base64, as for a signed message.
             */
            signature: string;
        };
        /** @description The fields that the policy has a condition for. */
        SignedFields: {
            /**
             * Format: media-type
             * @description Media type that S3 stores the file with.
             */
            "Content-Type": string;
            /**
             * Format: signing-algorithm
             * @description `AWS4-HMAC-SHA256`.
             */
            "X-Amz-Algorithm": string;
            /**
             * Format: signing-scope
             * @description The access key and the scope of the signature: day, region and service.
             */
            "X-Amz-Credential": string;
            /**
             * Format: signing-time
             * @description Time of the signature.
             * @example 20261121T103000Z
             */
            "X-Amz-Date": string;
            /**
             * Format: signing-token
             * @description The token of the service's temporary credentials, if it has such credentials.
             */
            "X-Amz-Security-Token"?: string;
            /**
             * Format: bucket
             * @description Name of the bucket.
             */
            bucket: string;
            /**
             * Format: object-key
             * @description Key of the file.
             */
            key: string;
        };
        /** @description A successful sign-in. */
        SignedIn: components["schemas"]["TokenPair"] & {
            /** @description The account. */
            account: components["schemas"]["Me"];
            /**
             * Format: device-token
             * @description Send it in the header `Device-Token` of later requests from this device. It has 64 characters and is
             *     valid for 90 days after a sign-in with it. A client uses one token for all of its accounts.
             */
            deviceToken: string;
            /**
             * Format: byte
             * @description The account's keystore, if it has one: base64, as sent by the client.
             */
            encryptedBlob?: string;
            /**
             * Format: base64-of-32-bytes
             * @description After a password proof: the service's proof `M2`, base64 of 32 bytes. If it is wrong, the client is
             *     not connected to the service that stores its verifier.
             */
            serverProof?: string;
            /**
             * Format: bitcoin-address
             * @description The two-signature Bitcoin address; null until it is created.
             */
            tradingAddress: string | null;
            wallet: components["schemas"]["Wallet"] | null;
        };
        /** @description A Bitcoin wallet's signature of the deployment's sign-in message. */
        SignedMessage: {
            /**
             * Format: address
             * @description The wallet's Bitcoin address.
             */
            address: string;
            /**
             * Format: sign-in-message
             * @description The deployment's sign-in message; ends in the current time, ms since the epoch.
             * @example Sign in to Runeport: 1700000000000
             */
            message: string;
            /**
             * Format: otp-code
             * @description 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
             *     count.
             */
            otpCode?: string | null;
            /**
             * Format: public-key
             * @description The wallet's public key, hex: 33 bytes, for P2TR also 32 (x-only, before the BIP-86 tweak).
             */
            publicKey: string;
            /**
             * Format: signature
             * @description Base64. P2WPKH and P2TR: BIP-322. P2PKH and P2SH-P2WPKH: legacy signed message.
             */
            signature: string;
        };
        /** @description The PSBT, signed by the user. */
        SignedTransaction: {
            /**
             * Format: psbt
             * @description The PSBT as issued, with the user's signature on every input: base64 or hex.
             */
            signedBase64Tx: string;
        };
        /** @description A form: its URL and its fields. The file follows them as the field `file`. */
        SignedUrl: {
            /** @description Every field except the file; the client sends each unchanged. */
            fields: components["schemas"]["FormFields"];
            /**
             * Format: uri
             * @description URL that the form is sent to by POST.
             */
            url: string;
        };
        /** @description What the wallet signs for an action. */
        Signing: {
            /** @description The digest that the wallet signs if it uses this nonce, 0x and hex. */
            digest: string;
            /** @description The domain. */
            domain: components["schemas"]["SigningDomain"];
            /**
             * Format: int64
             * @description A nonce to sign with: the service's time in ms.
             * @example 1700000000000
             */
            nonce: number;
            primaryType: components["schemas"]["PrimaryType"];
            /** @description How the venue hashes the action. */
            scheme: components["schemas"]["SigningScheme"];
            /** @description The fields of the primary type, in order, under its name. */
            types: {
                [key: string]: components["schemas"]["TypedField"][];
            };
        };
        /** @description The domain of the typed data (EIP-712). */
        SigningDomain: {
            /**
             * Format: int64
             * @description Chain id of the domain: that of the action, or 1337 for an L1 action.
             * @example 999
             */
            chainId: number;
            /**
             * @description Name of the domain.
             * @example HyperliquidSignTransaction
             */
            name: string;
            /**
             * @description Always the zero address.
             * @example 0x0000000000000000000000000000000000000000
             */
            verifyingContract: string;
            /**
             * @description Version of the domain.
             * @example 1
             */
            version: string;
        };
        /**
         * @description How the venue hashes an action.
         * @enum {string}
         */
        SigningScheme: "userSignedAction" | "l1Action";
        /** @description A single item, and when to poll for it again. */
        Single_AccountRow: components["schemas"]["OkWith_AccountRow_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_DownloadHistory: components["schemas"]["OkWith_DownloadHistory_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_MintRow: components["schemas"]["OkWith_MintRow_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_NextVirtualBlock: components["schemas"]["OkWith_NextVirtualBlock_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_OneRefund: components["schemas"]["OkWith_OneRefund_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_OneTransaction: components["schemas"]["OkWith_OneTransaction_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_OneVmTransaction: components["schemas"]["OkWith_OneVmTransaction_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_OneXchainTransaction: components["schemas"]["OkWith_OneXchainTransaction_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_Prize: components["schemas"]["OkWith_Prize_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_RuneInfo: components["schemas"]["OkWith_RuneInfo_Polling"];
        /** @description A single item, and when to poll for it again. */
        Single_TokenRow: components["schemas"]["OkWith_TokenRow_Polling"];
        /**
         * @description A use for which an account can prefer a token.
         * @enum {string}
         */
        Slot: "usdc";
        /** @description 1012 `common.sortTooLarge`: The list is too long to be sorted by this field. */
        SortTooLargeProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1012";
            /** @enum {string} */
            message: "common.sortTooLarge";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1012";
        };
        /**
         * @description What the amount is for.
         * @enum {string}
         */
        SpendType: "withdraw" | "xchain-withdraw" | "virtual_mint";
        SrpAnswer: components["schemas"]["SrpProof"] & components["schemas"]["SecondFactor"];
        /** @description The account whose password will be proved. */
        SrpInit: {
            /**
             * Format: email-or-account-id
             * @description The account's e-mail address or id. If two accounts name an address that neither has verified, it
             *     refers to the one that named it first.
             * @example name@example.com
             */
            email: string;
        };
        /** @description The second step of a password proof, as sent by the client. Both values are base64. */
        SrpProof: {
            /**
             * Format: byte
             * @description `M1`, base64 of 32 bytes.
             */
            clientProof: string;
            /**
             * Format: byte
             * @description `A`, base64.
             */
            clientPublic: string;
            /**
             * Format: uuid
             * @description From the first step.
             */
            sessionId: string;
        };
        /** @description The first step of a password proof, as returned to the client. */
        SrpSession: {
            /** @description Bits of the group's prime (RFC 5054, appendix A). */
            group: components["schemas"]["Group"];
            /**
             * Format: hash-function
             * @description The hash function of the SRP profile.
             * @example SHA-256
             */
            hash: string;
            /**
             * Format: base64-of-32-bytes
             * @description The account's salt, base64 of 32 bytes.
             */
            salt: string;
            /**
             * Format: byte
             * @description `B`, base64, padded to the length of the group's prime.
             */
            serverPublic: string;
            /**
             * Format: uuid
             * @description Send it back with the proof. Single use, valid for 5 minutes (10 for a change of e-mail address).
             */
            sessionId: string;
        };
        /** @description 4026 `auth.srpValueInvalid`: An SRP value is invalid. */
        SrpValueInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4026";
            /** @enum {string} */
            message: "auth.srpValueInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4026";
        };
        /** @description A state of a transaction, and when the transaction entered it. */
        StateSince: {
            /** @description When the service recorded it, ms since the epoch. */
            at: components["schemas"]["Timestamp"];
            /** @description The state. */
            state: components["schemas"]["TransactionState"];
        };
        /** @description A change of a cross-chain transaction's state. */
        StatusChange: {
            /** @description When the service learned of it, ms since the epoch. */
            at: components["schemas"]["Timestamp"];
            /** @description The new state. */
            status: components["schemas"]["XchainStatus"];
        };
        /**
         * @description A swap between chains other than Bitcoin, as registered by its owner and as found in the hub's record of
         *     its intent.
         */
        Swap: {
            /** @description The address on the destination chain. */
            dstAddress: components["schemas"]["AddressText"];
            /**
             * Format: int64
             * @description The hub's id of the destination chain.
             */
            dstChain: number;
            /** @description Amount sold, smallest unit; at least 1. */
            inputAmount: components["schemas"]["Units"];
            /** @description The token sold: its address on the source chain. */
            inputToken: components["schemas"]["TokenAddress"];
            /** @description Hash of the intent on the hub's chain. */
            intentTxHash: components["schemas"]["IntentHash"];
            /** @description Minimum amount bought, smallest unit. */
            minOutputAmount: components["schemas"]["Units"];
            /** @description The token bought: its address on the destination chain. */
            outputToken: components["schemas"]["TokenAddress"];
            /** @description Hash of the transaction on the source chain. */
            spokeTxHash: components["schemas"]["TxHash"];
            /** @description The address on the source chain. */
            srcAddress: components["schemas"]["AddressText"];
            /**
             * Format: int64
             * @description The hub's id of the source chain.
             */
            srcChain: number;
            /** @description The wallet that started it. */
            walletAddress: components["schemas"]["AddressText"];
        };
        /** @description 8002 `xchain.contradicted`: The hub's record of the intent differs from the request. */
        SwapContradictedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "8002";
            /** @enum {string} */
            message: "xchain.contradicted";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "8002";
        };
        /** @description 8001 `xchain.registered`: The swap is already registered with different content. */
        SwapRegisteredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "8001";
            /** @enum {string} */
            message: "xchain.registered";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "8001";
        };
        /** @description Status and history of a cross-chain transaction. */
        SwapStatus: {
            /**
             * Format: int64
             * @description The hub's id of the destination chain; null if the service does not know it.
             */
            dstChain: number | null;
            /**
             * Format: hub-text
             * @description The step that failed, in the hub's words; `verification` if the hub's record of the intent differs
             *     from the registration, `bitcoin` if the Bitcoin transaction cannot confirm.
             */
            failedAtStep?: string | null;
            /**
             * Format: hub-text
             * @description The reason of the failure.
             */
            failureReason?: string | null;
            /**
             * Format: hub-text
             * @description The transaction on the destination chain that filled it.
             */
            fillTxHash?: string | null;
            /** @description All statuses so far, oldest first, including the current one. */
            history: components["schemas"]["StatusChange"][];
            /** @description Whether the status is final. */
            isFinal: boolean;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
             */
            srcChain: number | null;
            /** @description True if the hub could not be reached; the status is then the last known one. */
            stale: boolean;
            status: components["schemas"]["XchainStatus"];
            /**
             * Format: transaction-id
             * @description Swap: the hash of the intent. Withdrawal: the Bitcoin transaction id.
             */
            txId: string;
            /** @description When it last changed, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
            /** @description Whether the hub confirms the registration. */
            verified: boolean;
        };
        /** @description The number of blocks within which transactions of each `feeTarget` should confirm. */
        TargetBlocks: {
            /**
             * Format: int32
             * @description The number of blocks for `economy`.
             * @example 24
             */
            economy: number;
            /**
             * Format: int32
             * @description The number of blocks for `fast`.
             * @example 1
             */
            fast: number;
            /**
             * Format: int32
             * @description The number of blocks for `normal`, the default.
             * @example 3
             */
            normal: number;
        };
        /** @description A ticket that opens a socket. */
        Ticket: {
            /** @description When the ticket expires, ms since the epoch: 60 seconds after it was issued. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description The ticket, which opens one socket: `<url>?ticket=<ticket>`. */
            ticket: string;
            /**
             * Format: socket-url
             * @description The URL at which clients open sockets.
             * @example wss://abc123.execute-api.eu-central-1.amazonaws.com/live
             */
            url: string;
        };
        /**
         * Format: int64
         * @description A moment: milliseconds since the Unix epoch, UTC. A JSON number on the wire.
         * @example 1700000000000
         */
        Timestamp: number;
        /** @description A code of the second factor. */
        ToggleTotp: {
            /**
             * Format: otp-code
             * @description 6 digits; to disable the second factor, a recovery code also works. White space and dashes do not count.
             *     `code`, `otp` and `token` are aliases of this field.
             */
            otpCode: string;
        };
        /** @example 0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
        TokenAddress: string;
        /** @example 42161 */
        TokenChain: string;
        /** @description 3016 `account.tokenChainUnsupported`: This slot does not accept tokens of this chain. */
        TokenChainUnsupportedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3016";
            /** @enum {string} */
            message: "account.tokenChainUnsupported";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3016";
        };
        /** @description 4003 `auth.tokenExpired`: The access token has expired. Refresh it. */
        TokenExpiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4003";
            /** @enum {string} */
            message: "auth.tokenExpired";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4003";
        };
        /** @example 42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
        TokenId: string;
        /** @description 3015 `account.tokenNotFound`: The catalogue does not contain this token. */
        TokenNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3015";
            /** @enum {string} */
            message: "account.tokenNotFound";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3015";
        };
        /** @description 3018 `account.tokenNotInSlot`: The slot contains a different token. */
        TokenNotInSlotProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3018";
            /** @enum {string} */
            message: "account.tokenNotInSlot";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3018";
        };
        /** @description The tokens of a session. */
        TokenPair: {
            /**
             * Format: jwt
             * @description JWT for the header `Authorization: Bearer <accessToken>`.
             */
            accessToken: string;
            /**
             * Format: int64
             * @description Seconds until the access token expires.
             * @example 600
             */
            expiresIn: number;
            /**
             * Format: refresh-token
             * @description For `POST /auth/refresh-token`, within 7 days. Until this token is used, the token that it replaced can
             *     still be exchanged for it.
             */
            refreshToken: string;
        };
        /** @description A token of the catalogue. */
        TokenRow: {
            /** @description Chain of the token. */
            chain: components["schemas"]["TokenChain"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts.
             * @example 6
             */
            divisibility: number;
            /** @description Same as `tokenId`. */
            id: components["schemas"]["TokenId"];
            /** @description The slots in which it may be the default token. */
            slots: components["schemas"]["Slot"][];
            /**
             * Format: symbol
             * @description Symbol of the token.
             * @example USDC
             */
            symbol: string;
            /** @description Token id. */
            tokenId: components["schemas"]["TokenId"];
        };
        /** @description 3017 `account.tokenInvalidForSlot`: This slot does not accept this token. */
        TokenUnfitProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3017";
            /** @enum {string} */
            message: "account.tokenInvalidForSlot";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3017";
        };
        /** @description 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it. */
        TooManyInputsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2007";
            /** @enum {string} */
            message: "bitcoin.tooManyInputs";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2007";
        };
        /** @description 3022 `account.tooMany`: The account has reached the maximum number. Remove one first. */
        TooManyProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3022";
            /** @enum {string} */
            message: "account.tooMany";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3022";
        };
        /** @description 3001 `account.otpInvalid`: The code is wrong or already used. */
        TotpCodeInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3001";
            /** @enum {string} */
            message: "account.otpInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3001";
        };
        /** @description 3002 `account.totpNotSetUp`: Set up the second factor first. */
        TotpNotSetUpProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3002";
            /** @enum {string} */
            message: "account.totpNotSetUp";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3002";
        };
        /** @description What an authenticator app needs. Nothing changes until one of its codes is sent to `2fa/toggle`. */
        TotpSetup: {
            /**
             * Format: otpauth-uri
             * @description `otpauth://totp/...` (SHA-1, 6 digits, 30 s).
             */
            otpauthUri: string;
            /**
             * Format: image-uri
             * @description The URI as a QR code: `data:image/svg+xml;base64,...`.
             */
            qrCode: string;
            /**
             * Format: base32-of-20-bytes
             * @description The secret for users who cannot scan: base32 of 20 bytes.
             */
            secret: string;
        };
        /** @description The state of the second factor. */
        TotpState: {
            /** @description Whether sign-in requires a code. */
            enabled: boolean;
            /** @description After enabling: ten single-use codes in case the app is lost. They are shown only once. */
            recoveryCodes?: string[];
        };
        /** @example wsh(and_v(v:pk(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798),or_d(pk(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5),older(12960))))#m4uhhjp7 */
        TradingDescriptor: string;
        /** @description A trading wallet, and how to spend from it without the platform. */
        TradingWalletBackup: {
            /**
             * Format: bitcoin-address
             * @description The two-signature Bitcoin address.
             */
            address: string;
            /** @description When it was created, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description Confirmations that a coin needs before the user's key alone can spend it.
             * @example 12960
             */
            delayBlocks: number;
            /** @description The script behind the address: a descriptor with its checksum (BIP 380). */
            descriptor: components["schemas"]["TradingDescriptor"];
            /**
             * Format: compressed-key
             * @description The platform's key, hex of 33 bytes.
             */
            platformPublicKey: string;
            /**
             * Format: trading-key
             * @description The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it; the script then accepts
             *     either key with this x coordinate.
             */
            publicKey: string;
            /** @description How to spend without the platform. */
            recovery: components["schemas"]["Recovery"];
        };
        /** @description 3025 `account.tradingWalletExists`: The account already has a trading wallet. */
        TradingWalletExistsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3025";
            /** @enum {string} */
            message: "account.tradingWalletExists";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "3025";
        };
        /** @description 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
        TradingWalletNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3026";
            /** @enum {string} */
            message: "account.tradingWalletNotFound";
        };
        /** @description 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used. */
        TradingWalletProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4008";
            /** @enum {string} */
            message: "auth.tradingWallet";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "4008";
        };
        /** @description 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
        TransactionNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2019";
            /** @enum {string} */
            message: "bitcoin.transactionNotFound";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2019";
        };
        /** @description A transaction that a request would create now. */
        TransactionPreview: {
            fee: components["schemas"]["Fee"];
            /** @description The coins that it would spend, in order. */
            inputs: components["schemas"]["PreviewInput"][];
            /** @description Its outputs, in order. */
            outputs: components["schemas"]["PreviewOutput"][];
            remaining: components["schemas"]["Remaining"];
            /**
             * Format: int64
             * @description Size of the signed transaction in vB, an upper bound. The fee is calculated for it.
             */
            vbytes: number;
        };
        /** @description The progress of a transaction. */
        TransactionProgress: {
            /**
             * Format: psbt
             * @description While it is unsigned, the PSBT as issued, base64; null otherwise.
             */
            base64Psbt: string | null;
            /**
             * Format: int32
             * @description The number of blocks from its own to the newest that the worker has applied, both included; null if it
             *     is not in a block.
             */
            confirmations: number | null;
            expiresAt: components["schemas"]["Timestamp"] | null;
            /** @description Its states since it was created, oldest first. If there were more than 16 changes, only the newest. */
            history: components["schemas"]["StateSince"][];
            /** @description Whether its state can no longer change. */
            isFinal: boolean;
        };
        /** @description A transaction of the caller. */
        TransactionRow: {
            amount: components["schemas"]["Units"] | null;
            /**
             * Format: int32
             * @description The height of its block.
             */
            blockHeight: number | null;
            /** @description When it was signed or, if it is unsigned, when it was created; ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The fee, in sats.
             */
            feeSats: number;
            /**
             * Format: txid
             * @description Same as `txId`.
             */
            id: string;
            /**
             * Format: txid
             * @description The transaction that it replaces.
             */
            replaceTxId: string | null;
            /**
             * Format: txid
             * @description The signed transaction that replaces it.
             */
            replacedByTxId: string | null;
            state: components["schemas"]["TransactionState"];
            tokenId: components["schemas"]["BitcoinToken"] | null;
            /** Format: txid */
            txId: string;
            type: components["schemas"]["Kind"];
            /**
             * Format: address
             * @description The recipient of a withdrawal; null for other kinds.
             */
            withdrawTo: string | null;
        };
        /** @description 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key. */
        TransactionSignatureInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2013";
            /** @enum {string} */
            message: "bitcoin.signatureInvalid";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2013";
        };
        /**
         * @description The state of an issued transaction.
         *
         *     ```text
         *     unsigned ──▶ signing ──▶ broadcasting ◀──▶ inMempool ◀──▶ confirmed
         *        │            │             │  ▲            │  │         │  ▲ │
         *        ▼            │             │  └────────────┼──┼─────────┘  │ │
         *     expired         │             ├───▶ failed ◀──┤  └ (a block that is no more)
         *                     │             │      ▲ ▲      ▼               │ │
         *                     ├─────────────┼──────┘ └── replaced ◀─────────┼─┘
         *                     └─────────────┴───────────────▲──┴────────────┘
         *     ```
         *
         *     A failed transaction can still get into a block, if a coin that had been missing for a day returns with the
         *     transaction that created it. The failed transaction then becomes `confirmed`, with all effects.
         *
         *     A replaced transaction returns to `broadcasting`, or to `signing` if the platform has not signed it, when
         *     the version that replaced it has failed.
         *
         *     Nothing has happened until the platform signs. After that only the chain can end a transaction: it
         *     confirms, or another transaction spends its coins. A transaction in `signing` may already have been
         *     signed, so the same applies to it. If it can no longer be signed, its next version, which spends one of
         *     its coins, takes its place (custody rules 7 and 25).
         * @enum {string}
         */
        TransactionState: "unsigned" | "signing" | "broadcasting" | "inMempool" | "confirmed" | "expired" | "replaced" | "failed";
        /** @description The state of a withdrawal, a renewal or the commitment of a batch has changed. */
        TransactionStateChangedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: transaction-id
                 * @description The transaction: its txid or, for a swap, the hash of its intent.
                 */
                txId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transaction.stateChanged";
        };
        /** @description Status of a transaction. */
        TransactionStatus: {
            /** @description Its state. */
            state: components["schemas"]["TransactionState"];
            /**
             * Format: txid
             * @description Its txid.
             */
            txId: string;
        };
        /**
         * @description The kind of transaction.
         * @enum {string}
         */
        TransactionType: "xchain-withdraw" | "withdraw" | "renew-utxo";
        /** @description A reason to review the transaction before signing. */
        TransactionWarning: {
            kind: components["schemas"]["TransactionWarningKind"];
            /**
             * Format: prose
             * @description The warning as one English sentence.
             */
            message: string;
        };
        /**
         * @description The subject of a warning about a transaction.
         * @enum {string}
         */
        TransactionWarningKind: "feeShareHigh" | "coinsExpireSoon" | "feeRateStale" | "amountLowered";
        /** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
        TxHash: string;
        /** @description A field of the typed data. */
        TypedField: {
            /**
             * @description Its name.
             * @example amount
             */
            name: string;
            /**
             * @description Its Solidity type.
             * @example string
             */
            type: string;
        };
        /** @description 1009 `common.unavailable`: The service is temporarily unavailable. Try again. */
        UnavailableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1009";
            /** @enum {string} */
            message: "common.unavailable";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1009";
        };
        /** @description Requests for one rune that wait for a virtual block. */
        UnconfirmedOfRune: {
            /**
             * Format: int64
             * @description Number of requests.
             */
            count: number;
            /** Format: rune-id */
            runeId: string;
        };
        /** @description Requests that wait for a virtual block. */
        UnconfirmedRequests: {
            /** @description The same by rune; runes without requests are omitted. */
            byRune: components["schemas"]["UnconfirmedOfRune"][];
            /**
             * Format: int64
             * @description Number of requests.
             */
            count: number;
        };
        /** @example 150000 */
        Units: string;
        /** @description A transaction to sign. */
        UnsignedTransaction: {
            /**
             * Format: psbt
             * @description The PSBT (BIP 174), base64. Sign the inputs of `userInputIndexes` with SIGHASH_ALL.
             */
            base64Psbt: string;
            /** @description The end of the reservation of its coins, ms since the epoch. It must be signed before. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description The fee. */
            fee: components["schemas"]["Fee"];
            /**
             * Format: txid
             * @description The transaction's id, which signatures do not change.
             */
            txId: string;
            /** @description Indexes of the inputs that the user signs, from 0. */
            userInputIndexes: number[];
        };
        /** @description 1006 `common.unsupportedMediaType`: The body must be JSON: set Content-Type to application/json. */
        UnsupportedMediaTypeProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1006";
            /** @enum {string} */
            message: "common.unsupportedMediaType";
        };
        /** @example 12.5 */
        Usdc: string;
        /** @example 12.5 */
        UsdcAmount: string;
        /** @example USDC:0x6d1e7cde53ba9467b783cb7c530ce054 */
        UsdcToken: string;
        /**
         * @description What a coin can be used for.
         * @enum {string}
         */
        Use: "withdraw" | "renew" | "mint";
        /** @description An amount of a rune in an output. */
        UtxoRune: {
            /** @description In the smallest unit. */
            amount: components["schemas"]["Units"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts; null in an unconfirmed output.
             */
            divisibility: number | null;
            runeid: components["schemas"]["EtchedRune"] | null;
            /**
             * Format: rune-name
             * @description The name with spacers.
             */
            spacedRune: string;
            /**
             * Format: symbol
             * @description Null if the rune has none.
             */
            symbol: string | null;
        };
        /**
         * @description Whether an output is in a block.
         * @enum {string}
         */
        UtxoStatus: "confirmed" | "unconfirmed";
        /** @description 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        ValidationProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1001";
            /** @enum {string} */
            message: "common.validation";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1001";
        };
        /**
         * @description A network of the venue, in the venue's own words.
         * @enum {string}
         */
        VenueChain: "Mainnet" | "Testnet";
        /** @description The perpetuals venue, whose transactions clients send themselves. */
        VenueNetwork: {
            /** @description Its network. */
            chain: components["schemas"]["VenueChain"];
            /**
             * Format: int64
             * @description The chain id of its EVM chain.
             * @example 999
             */
            chainId: number;
            /**
             * Format: uri
             * @description A JSON-RPC endpoint of that chain.
             * @example https://rpc.hyperliquid.xyz/evm
             */
            rpcUrl: string;
        };
        /** @description The referrer of a wallet. */
        VenueReferrer: {
            /**
             * Format: evm-address
             * @description The referrer's address, in lowercase.
             */
            address: string;
            /**
             * Format: referral-code
             * @description The referral code that was set.
             */
            code: string;
        };
        /**
         * @description State of a wallet at the venue. If the venue or its chain did not answer, the affected fields are null and
         *     `metaData.checks` is `unavailable`.
         */
        VenueStatus: {
            allowance: components["schemas"]["Usdc"] | null;
            cumulativeVolumeUsd: components["schemas"]["Usdc"] | null;
            /**
             * @description Steps that the wallet has to take before it can trade. An empty list means none only if
             *     `metaData.checks` is `complete`.
             */
            gates: components["schemas"]["Gate"][];
            /**
             * Format: int64
             * @description The builder fee that the wallet has approved, in tenths of a basis point: 50 is 0.05%.
             * @example 50
             */
            maxBuilderFee: number | null;
            referrer: components["schemas"]["VenueReferrer"] | null;
            usdcBalance: components["schemas"]["Usdc"] | null;
            venueBalance: components["schemas"]["Usdc"] | null;
        };
        /** @description Request body of a deposit or withdrawal. */
        VenueTransfer: {
            /** @description In USDC: digits with at most 6 decimals; more than 0. */
            amount: components["schemas"]["UsdcAmount"];
            /**
             * @description The EVM wallet that signs and owns the position. A deposit leaves from its address on the venue's EVM
             *     chain; a withdrawal arrives there.
             */
            userAddress: components["schemas"]["EvmWallet"];
        };
        /** @description Something the wallet's owner should know before signing. */
        VenueWarning: {
            /** @description The amount in USDC; missing if the warning concerns no amount. */
            amount?: components["schemas"]["Usdc"];
            kind: components["schemas"]["VenueWarningKind"];
            /**
             * Format: prose
             * @description The warning as one English sentence.
             */
            message: string;
        };
        /**
         * @description The subject of a warning.
         * @enum {string}
         */
        VenueWarningKind: "lowGas" | "activationFee" | "netCredited" | "creditedToSpot" | "transferFee" | "transferGas" | "escrowed" | "sanctioned" | "ownReferralCode";
        /** @description A mailed token. */
        VerifyEmail: {
            /**
             * Format: mailed-token
             * @description From the mailed link.
             */
            token: string;
        };
        /** @description 6005 `vm.batchUnderWay`: Your previous batch is still being broadcast. Try again once it is in the mempool. */
        VmBatchUnderWayProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6005";
            /** @enum {string} */
            message: "vm.batchUnderWay";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6005";
        };
        /** @description Virtual blocks of a mint have been filled, or a reorganisation has emptied some. */
        VmBlockFilledEvent: {
            data: {
                /**
                 * Format: int64
                 * @description Their number since, which is lower if a reorganisation has emptied some.
                 */
                after: number;
                /**
                 * Format: int64
                 * @description The number of filled virtual blocks before.
                 */
                before: number;
                /**
                 * Format: uuid
                 * @description The mint.
                 */
                mintId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "vmBlock.filled";
        };
        /** @description 6010 `vm.filtersUnsupported`: These filters cannot be combined. */
        VmFiltersUnsupportedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6010";
            /** @enum {string} */
            message: "vm.filtersUnsupported";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6010";
        };
        /** @description 6002 `vm.mintClosed`: The mint no longer accepts requests. */
        VmMintClosedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6002";
            /** @enum {string} */
            message: "vm.mintClosed";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6002";
        };
        /** @description 6007 `vm.mintExists`: The rune already has a mint that has not ended. */
        VmMintExistsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6007";
            /** @enum {string} */
            message: "vm.mintExists";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6007";
        };
        /** @description 6008 `vm.mintNotFound`: The mint does not exist. */
        VmMintNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6008";
            /** @enum {string} */
            message: "vm.mintNotFound";
        };
        /** @description 6001 `vm.noMint`: No open mint of this rune accepts requests. */
        VmNoMintProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6001";
            /** @enum {string} */
            message: "vm.noMint";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6001";
        };
        /** @description 6011 `vm.pageTooDeep`: A list filtered by state has no pages this deep. */
        VmPageTooDeepProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6011";
            /** @enum {string} */
            message: "vm.pageTooDeep";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6011";
        };
        /** @description 6009 `vm.poolTooSmall`: The pool does not hold enough runes for the mint. */
        VmPoolTooSmallProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6009";
            /** @enum {string} */
            message: "vm.poolTooSmall";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6009";
        };
        /** @description 6003 `vm.priceTooLow`: The price per request is below the minimum of the mint. */
        VmPriceTooLowProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6003";
            /** @enum {string} */
            message: "vm.priceTooLow";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6003";
        };
        /** @description 6012 `vm.runeTooYoung`: The etching of the rune needs seven confirmations. Try again later. */
        VmRuneTooYoungProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6012";
            /** @enum {string} */
            message: "vm.runeTooYoung";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6012";
        };
        /**
         * @description The state of a VM transaction.
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
        VmState: "unsigned" | "broadcasting" | "allInMempool" | "partiallyInBlock" | "allInBlock" | "distributing" | "distributed" | "notTaken" | "expired" | "replaced" | "failed";
        /** @description 6006 `vm.tooManyPrices`: The batch was replaced too often to add another price. */
        VmTooManyPricesProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6006";
            /** @enum {string} */
            message: "vm.tooManyPrices";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6006";
        };
        /** @description 6004 `vm.tooManyRequests`: The mint has fewer requests in total. */
        VmTooManyRequestsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6004";
            /** @enum {string} */
            message: "vm.tooManyRequests";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "6004";
        };
        /** @description 6013 `vm.transactionNotFound`: The VM transaction does not exist. */
        VmTransactionNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6013";
            /** @enum {string} */
            message: "vm.transactionNotFound";
        };
        /** @description One VM transaction of a list. */
        VmTransactionRow: {
            /**
             * Format: psbt
             * @description The PSBT as issued or, once both keys have signed, the transaction; base64.
             */
            base64Tx: string | null;
            /** @description Same as `timestamp`. */
            createdAt: components["schemas"]["Timestamp"];
            distributeRuneAt: components["schemas"]["Timestamp"] | null;
            /**
             * Format: txid
             * @description The transaction that sent its runes.
             */
            distributeRuneTxId: string | null;
            /**
             * Format: txid
             * @description Same as `txId`.
             */
            id: string;
            /** @description Whether a refund can be created for it. */
            isRefundable: boolean;
            mintId: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description Amount paid for requests that no virtual block took, in sats; set once that is final. A refund pays it
             *     back, less its fee.
             */
            notTakenSats: number;
            /**
             * Format: int64
             * @description Amount that its own confirmed commitment paid, in sats.
             */
            paidSats: number;
            refundState: components["schemas"]["RefundState"];
            /**
             * Format: txid
             * @description The transaction that refunds it.
             */
            refundTxId: string | null;
            /**
             * Format: txid
             * @description The VM transaction that this one replaces.
             */
            replaceTxId: string | null;
            /**
             * Format: txid
             * @description The VM transaction that replaced this one.
             */
            replacedByTxId: string | null;
            /**
             * Format: int64
             * @description Number of requests taken over from replaced VM transactions.
             */
            replacedRequestsCount: number;
            /**
             * Format: int64
             * @description Number of its requests in virtual blocks.
             */
            requestsInBlocksCount: number;
            /**
             * Format: int64
             * @description Number of its requests that wait for a virtual block; 0 if it is not active.
             */
            requestsInMempoolCount: number;
            /** @description The rune to mint. */
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description Total price of its new requests, in sats.
             */
            satsNewRequests: number;
            /**
             * Format: int64
             * @description Price of each new request, in sats.
             */
            satsPerNewRequest: number;
            /**
             * Format: int64
             * @description Total price of the requests taken over, in sats.
             */
            satsPreviousRequests: number;
            state: components["schemas"]["VmState"];
            /** @description When it was created or, if signed, when it was signed; ms since the epoch. */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * Format: bitcoin-address
             * @description The address that pays for it and receives refunds and runes.
             */
            tradingAddress: string;
            transferBtcAt: components["schemas"]["Timestamp"] | null;
            /**
             * Format: txid
             * @description The transaction that moved its payment out of the treasury.
             */
            transferBtcTxId: string | null;
            /**
             * Format: txid
             * @description Txid of the commitment.
             */
            txId: string;
            /**
             * Format: distribution-id
             * @description The distribution that includes it.
             */
            vmDistributionId: string | null;
        };
        /** @description The state of a batch of requests has changed. */
        VmTransactionStateChangedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: transaction-id
                 * @description The transaction: its txid or, for a swap, the hash of its intent.
                 */
                txId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "vmTransaction.stateChanged";
        };
        /** @description Status of a VM transaction. */
        VmTransactionStatus: {
            state: components["schemas"]["VmState"];
            /**
             * Format: txid
             * @description Txid of the commitment.
             */
            txId: string;
        };
        /** @description Requests that wait for a virtual block. */
        WaitingRequests: {
            /**
             * Format: int64
             * @description Number of requests.
             */
            requests: number;
            /**
             * Format: int64
             * @description Their total price, in sats.
             */
            sats: number;
        };
        /** @description The sign-in wallet of an account. */
        Wallet: {
            /**
             * Format: address
             * @description Canonical address: EVM and bech32 in lowercase.
             */
            address: string;
            /** @description Chain of the address. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: label
             * @description The wallet software, as named by the client.
             */
            provider: string | null;
            /**
             * Format: public-key
             * @description The public key that proved the address; null for contract wallets.
             */
            publicKey: string | null;
        };
        /** @description The trading wallet of an address. */
        WalletDetails: {
            /**
             * Format: bitcoin-address
             * @description The trading address.
             */
            tradingAddress: string;
            /**
             * Format: address
             * @description The address of the request, or the sign-in wallet if that is the trading address.
             */
            userAddress: string;
            /**
             * Format: trading-key
             * @description For the owner of the wallet: the user's key in it, hex of 33 bytes, or of 32 if only Taproot has proved
             *     it.
             */
            userPublicKey?: string | null;
        };
        /** @description A delivery attempt of a webhook. */
        WebhookDelivery: {
            accountId: components["schemas"]["AccountId"] | null;
            /**
             * Format: prose
             * @description The first kilobyte of the response body; null if it was empty.
             */
            answer: string | null;
            /** @description When the attempt began, ms since the epoch. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The number of the attempt, from 1.
             */
            attempt: number;
            /** @description Why the delivery was sent. */
            cause: components["schemas"]["DeliveryCause"];
            /** @description Whether the receiver answered with a status from 200 to 299 and, for a verification, with its challenge. */
            delivered: boolean;
            /**
             * Format: int64
             * @description How long the attempt took, in ms.
             */
            durationMs: number;
            /**
             * Format: prose
             * @description Why the attempt failed; null if it was delivered.
             */
            error: string | null;
            /**
             * Format: event-id
             * @description The `webhook-id` that was sent, the same in every attempt.
             */
            eventId: string;
            /** @description The attempt's position in the list. */
            id: components["schemas"]["SentId"];
            /**
             * Format: int64
             * @description The number of the event; null for a test or a verification.
             */
            sequence: number | null;
            /**
             * Format: int32
             * @description The HTTP status of the receiver's response; null if there was none.
             */
            status: number | null;
            /**
             * Format: event-type
             * @description The type that was sent: the event's type, `webhook.test` or `webhook.verification`.
             */
            type: string;
        };
        /** @description Failures of a webhook since its last delivered event. */
        WebhookFailures: {
            /**
             * Format: prose
             * @description Why the last attempt failed.
             */
            cause: string;
            /** @description When the webhook tries again, ms since the epoch. */
            nextAt: components["schemas"]["Timestamp"];
            /** @description When the first failure occurred, ms since the epoch. */
            since: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description How often the webhook has tried its next event. If the scope is `deployment`, how often the pauses have
             *     grown.
             */
            tries: number;
        };
        /** @example 0197d3f0-0000-7000-8000-000000000000 */
        WebhookId: string;
        /** @description 1103 `webhooks.notFound`: The webhook does not exist. */
        WebhookNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1103";
            /** @enum {string} */
            message: "webhooks.notFound";
        };
        /**
         * @description Why a webhook is off.
         * @enum {string}
         */
        WebhookOff: "owner" | "gone" | "failing" | "disabled";
        /** @description A webhook. */
        WebhookRow: {
            /** @description When it was added, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of the last event that the webhook delivered or gave up; all events up to it are done. Null
             *     if the scope is `deployment`, because each account has its own numbers.
             */
            delivered: number | null;
            earlierSecretUntil: components["schemas"]["Timestamp"] | null;
            failures: components["schemas"]["WebhookFailures"] | null;
            /** @description Webhook id. */
            id: components["schemas"]["WebhookId"];
            /**
             * Format: label
             * @description The owner's note.
             */
            note: string | null;
            offReason: components["schemas"]["WebhookOff"] | null;
            /** @description Whose events the webhook sends. */
            scope: components["schemas"]["WebhookScope"];
            /**
             * Format: webhook-secret
             * @description The secret that verifies the webhook's requests (Standard Webhooks): `whsec_` and base64 of 32 bytes.
             *     Shown only once, when it is created.
             */
            secret?: string;
            /** @description Whether the webhook sends events. */
            state: components["schemas"]["WebhookState"];
            /** @description The types of events that the webhook sends; empty means all, including types added in later versions. */
            types: components["schemas"]["EventType"][];
            /**
             * Format: uri
             * @description The URL that receives the events.
             */
            url: string;
        };
        /**
         * @description Whose events a webhook sends.
         * @enum {string}
         */
        WebhookScope: "account" | "deployment";
        /**
         * @description Whether a webhook sends events.
         * @enum {string}
         */
        WebhookState: "on" | "unverified" | "off";
        /** @description The result of a test. */
        WebhookTest: {
            /** @description Whether the outcome is known. If not, it appears in the list of deliveries later. */
            done: boolean;
            /**
             * Format: int64
             * @description How long the test took, in ms; null if that is not known yet.
             */
            durationMs: number | null;
            /**
             * Format: prose
             * @description Why the test failed; null if it was delivered, or if its outcome is not known yet.
             */
            error: string | null;
            /**
             * Format: event-id
             * @description The `webhook-id` of the test.
             */
            eventId: string;
            /**
             * Format: int32
             * @description The HTTP status of the receiver's response; null if there was none, or none yet.
             */
            status: number | null;
        };
        /** @description `POST /api/webhooks/{id}/test` has sent it. */
        WebhookTestEvent: {
            data: {
                /**
                 * Format: uuid
                 * @description The webhook.
                 */
                webhookId: string;
            };
            /** @description Its id. */
            id: string;
            /** @description Always 0: it is in no list. */
            sequence: number;
            timestamp: components["schemas"]["Timestamp"];
            /** @enum {string} */
            type: "webhook.test";
        };
        /** @description 1107 `webhooks.unverified`: The receiver has not confirmed the webhook's URL yet. Answer `webhook.verification`, then try again. */
        WebhookUnverifiedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1107";
            /** @enum {string} */
            message: "webhooks.unverified";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1107";
        };
        /** @description 1102 `webhooks.urlRefused`: Webhooks may not send to this URL. */
        WebhookUrlRefusedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1102";
            /** @enum {string} */
            message: "webhooks.urlRefused";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "1102";
        };
        /** @description Asks whether the receiver wants events. */
        WebhookVerificationEvent: {
            data: {
                /** @description What the receiver answers. */
                challenge: string;
                /**
                 * Format: uuid
                 * @description The webhook.
                 */
                webhookId: string;
            };
            /** @description Its id. */
            id: string;
            /** @description Always 0: it is in no list. */
            sequence: number;
            timestamp: components["schemas"]["Timestamp"];
            /** @enum {string} */
            type: "webhook.verification";
        };
        /** @description A withdrawal to sign. */
        Withdraw: {
            /** @description The action that the wallet signs. */
            action: components["schemas"]["SendAssetAction"];
            /**
             * Format: kind
             * @description Always `withdraw`.
             * @example withdraw
             */
            kind: string;
            /** @description What the wallet signs for the action. */
            signing: components["schemas"]["Signing"];
        };
        /** @description Parameters of a withdrawal to a Bitcoin address. */
        WithdrawParams: {
            /**
             * @description In the smallest unit, at least 1; or `max` for as much as one transaction can pay.
             * @example 150000
             */
            amount: string;
            feeTarget?: components["schemas"]["FeeTarget"] | null;
            /**
             * @description The token: a rune id, or `0:0` for BTC.
             * @default 0:0
             */
            tokenId: components["schemas"]["BitcoinToken"];
            /**
             * Format: address
             * @description One of the caller's own addresses. It is checked and not used further.
             */
            userAddress?: string | null;
            /**
             * Format: address
             * @description The recipient: any Bitcoin address except the caller's trading address.
             */
            withdrawTo: string;
        };
        /** @description 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL. */
        WrongSighashProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2014";
            /** @enum {string} */
            message: "bitcoin.wrongSighash";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            code: "2014";
        };
        /** @example 0xdeadbeef */
        XchainData: string;
        /** @description 8003 `xchain.notFound`: The cross-chain transaction does not exist. */
        XchainNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "8003";
            /** @enum {string} */
            message: "xchain.notFound";
        };
        /** @description One cross-chain transaction of a list. */
        XchainRow: {
            /** @description When the swap was registered or the withdrawal signed; ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The hub's id of the destination chain; null if the service does not know it.
             */
            dstChain: number | null;
            /**
             * Format: hub-text
             * @description The step that failed.
             */
            failedAtStep: string | null;
            /**
             * Format: hub-text
             * @description The reason of the failure.
             */
            failureReason: string | null;
            /**
             * Format: hub-text
             * @description The transaction on the destination chain that filled it.
             */
            fillTxHash: string | null;
            /** Format: xchain-id */
            id: string;
            /** @description The tokens and amounts of the exchange. */
            intent: components["schemas"]["Intent"];
            intentTxHash: components["schemas"]["IntentHash"] | null;
            /**
             * Format: txid
             * @description The withdrawal that this one replaces; null otherwise.
             */
            replaceTxId: string | null;
            /**
             * Format: txid
             * @description The withdrawal that its owner signed to replace this one; null otherwise.
             */
            replacedByTxId: string | null;
            spokeTxHash: components["schemas"]["TxHash"] | null;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
             */
            srcChain: number | null;
            status: components["schemas"]["XchainStatus"];
            /**
             * Format: address
             * @description The address that pays, on its own chain; for a withdrawal the trading address.
             */
            tradingAddress: string;
            /**
             * Format: transaction-id
             * @description Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent.
             */
            txId: string;
            type: components["schemas"]["XchainType"];
            /** @description When it last changed, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
            /**
             * Format: address
             * @description The wallet that started it. For a withdrawal, the sign-in wallet of its account, or the trading address
             *     if the account has none.
             */
            userAddress: string;
            /**
             * @description Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
             *     it.
             */
            verified: boolean;
            /**
             * Format: address
             * @description The recipient's address.
             */
            withdrawTo: string;
        };
        /**
         * @description The state of a cross-chain transaction.
         * @enum {string}
         */
        XchainStatus: "registered" | "pending" | "relaying" | "relayed" | "solving" | "filled" | "failed" | "refunded";
        /** @description The status of a swap or of a withdrawal through the hub has changed. */
        XchainStatusChangedEvent: {
            /**
             * Format: uuid
             * @description The account that it concerns, in a webhook of the deployment alone.
             */
            accountId?: string;
            data: {
                /**
                 * Format: state
                 * @description Its state since.
                 */
                after: string;
                /**
                 * Format: state
                 * @description Its state before; null if it is new.
                 */
                before: string | null;
                /**
                 * Format: transaction-id
                 * @description The transaction: its txid or, for a swap, the hash of its intent.
                 */
                txId: string;
            };
            /**
             * Format: event-id
             * @description The id of the event, unique in the service.
             */
            id: string;
            /**
             * Format: int64
             * @description The number of the event in its list: 1, 2, 3, without gaps.
             */
            sequence: number;
            /**
             * @description When the event was written, ms since the epoch. Events are ordered by number: the times of two events
             *     written concurrently may be in another order.
             */
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "xchain.statusChanged";
        };
        /**
         * @description The kind of a cross-chain transaction.
         * @enum {string}
         */
        XchainType: "swap" | "xchain-withdraw";
        /** @description Parameters of a withdrawal through the hub. */
        XchainWithdrawParams: {
            /** @description In the smallest unit; at least 1. */
            amount: components["schemas"]["Units"];
            /**
             * @description The caller's unconfirmed withdrawal that this one replaces at the current fee rate. Once the hub may
             *     know that withdrawal, all other parameters must be identical.
             */
            replaceTxId?: string | null;
            /**
             * @description The token: a rune id, or `0:0` for BTC.
             * @default 0:0
             */
            tokenId: components["schemas"]["BitcoinToken"];
            /**
             * Format: address
             * @description The recipient: a Bitcoin address, not the caller's trading address. By default `hubVault` of
             *     `GET /api/config`. Required if `hubVault` is null; no other address is accepted if `hubVaultOnly` is
             *     true.
             */
            withdrawTo?: string | null;
            /** @description Instructions for the hub, hex, at most 8 KiB. */
            xchainData: components["schemas"]["XchainData"];
        };
    };
    responses: {
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         */
        Error401_4002_4003_4004_4006_4010_4011: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         *     - 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request.
         */
        Error401_4002_4003_4004_4006_4010_4011_4024: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
            };
        };
        /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
        Error403_1007: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description - 1103 `webhooks.notFound`: The webhook does not exist. */
        Error404_1103: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookNotFoundProblem"];
            };
        };
        /** @description - 1104 `exports.notFound`: The export does not exist. */
        Error404_1104: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExportNotFoundProblem"];
            };
        };
        /** @description - 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
        Error404_2017: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CoinUnknownProblem"];
            };
        };
        /** @description - 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
        Error404_2019: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TransactionNotFoundProblem"];
            };
        };
        /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
        Error404_3026: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
            };
        };
        /** @description - 6008 `vm.mintNotFound`: The mint does not exist. */
        Error404_6008: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VmMintNotFoundProblem"];
            };
        };
        /** @description - 8003 `xchain.notFound`: The cross-chain transaction does not exist. */
        Error404_8003: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["XchainNotFoundProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         */
        Error409_1010_1011: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
         */
        Error409_1010_1011_2016: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
         *     - 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced.
         *     - 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less.
         */
        Error409_1010_1011_2016_2021_2023: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"] | components["schemas"]["NotReplaceableProblem"] | components["schemas"]["CoinsReservedProblem"];
            };
        };
        /** @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
        Error409_1014: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedProblem"];
            };
        };
        /** @description - 1101 `events.tooOld`: These events are no longer kept. Read the current state again. */
        Error410_1101: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventsTooOldProblem"];
            };
        };
        /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
        Error429_1013: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /**
         * @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After.
         *     - 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After.
         */
        Error429_1013_4019: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedProblem"] | components["schemas"]["OtpLockedProblem"];
            };
        };
        /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
        Error502_2003: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChainUnavailableProblem"];
            };
        };
        /**
         * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
         *     - 2022 `bitcoin.chainBusy`: The Bitcoin data source is not ready, so nothing was done. Try again after the time in Retry-After.
         */
        Error503_1009_2022: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ChainBusyProblem"];
            };
        };
        /**
         * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
         *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
         */
        Error503_1009_4014: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
            };
        };
        /**
         * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
         *     - 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later.
         */
        Error503_1009_9001: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["PerpVenuePausedProblem"];
            };
        };
        /** @description - 1008 `common.internal`: The service failed. Contact support with the request id. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalProblem"];
            };
        };
        /** @description - 1005 `common.payloadTooLarge`: The body is larger than 256 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"];
            };
        };
        /** @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableProblem"];
            };
        };
        /** @description - 1006 `common.unsupportedMediaType`: The body must be JSON: set Content-Type to application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        announceDeposit400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
        announceDeposit404: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         *     - 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one.
         *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
         *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
         *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
         */
        authenticate400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["SignInMessageInvalidProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["SrpValueInvalidProblem"] | components["schemas"]["PasskeyMalformedProblem"];
            };
        };
        /**
         * @description - 4011 `auth.accountDisabled`: The account is disabled.
         *     - 4016 `auth.invalidCredentials`: The e-mail address or the password is wrong.
         *     - 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode.
         *     - 4018 `auth.otpInvalid`: The code is wrong or already used.
         *     - 4020 `auth.addressLinked`: The address is linked to an account but cannot sign in.
         *     - 4021 `auth.addressRetired`: The address was replaced by another one and can no longer sign in.
         *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
         */
        authenticate401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountDisabledProblem"] | components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["OtpRequiredProblem"] | components["schemas"]["OtpInvalidProblem"] | components["schemas"]["AddressLinkedProblem"] | components["schemas"]["AddressRetiredProblem"] | components["schemas"]["PasskeyRefusedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        buildVenueBuilderFeeApproval400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 9002 `perpVenue.insufficientUsdc`: The wallet's USDC balance on the venue's EVM chain is too low.
         *     - 9003 `perpVenue.amountBelowActivationFee`: The first deposit of a new account must exceed the venue's activation fee.
         *     - 9005 `perpVenue.contractWallet`: Contract wallets cannot sign the venue's messages. Use another wallet.
         */
        buildVenueDeposit400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PerpVenueInsufficientUsdcProblem"] | components["schemas"]["PerpVenueAmountBelowActivationFeeProblem"] | components["schemas"]["PerpVenueContractWalletProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        buildVenueReferral400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 9004 `perpVenue.insufficientVenueBalance`: The wallet's balance at the venue does not cover the amount and the transfer fee.
         */
        buildVenueWithdrawal400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PerpVenueInsufficientBalanceProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
         *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
         *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
         *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
         *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
         */
        calculateMaxSpent400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["InsufficientRuneProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["NoTradingWalletProblem"];
            };
        };
        /** @description - 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less. */
        calculateMaxSpent409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CoinsReservedProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        calculateRefund400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        closeMint400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        countUnconfirmedRequests400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
         *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
         *     - 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it.
         *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
         *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
         *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
         *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
         *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         *     - 2018 `bitcoin.nothingToRenew`: No coin needs a renewal.
         */
        createBitcoinTransaction400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["InsufficientRuneProblem"] | components["schemas"]["AmountBelowDustProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["TooManyInputsProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["ReservationExpiredProblem"] | components["schemas"]["NothingToRenewProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        createDownloadHistory400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        createMediaUpload400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /**
         * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
         *     - 5101 `medias.notServed`: The service does not serve media yet, so it accepts no uploads.
         */
        createMediaUpload503: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["MediaNotServedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
         *     - 6009 `vm.poolTooSmall`: The pool does not hold enough runes for the mint.
         */
        createMint400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["VmPoolTooSmallProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 6007 `vm.mintExists`: The rune already has a mint that has not ended.
         *     - 6012 `vm.runeTooYoung`: The etching of the rune needs seven confirmations. Try again later.
         */
        createMint409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["VmMintExistsProblem"] | components["schemas"]["VmRuneTooYoungProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
         *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         *     - 7001 `refund.nothing`: There is nothing to refund.
         *     - 7002 `refund.belowFee`: The refund is worth less than its network fee.
         */
        createRefund400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["ReservationExpiredProblem"] | components["schemas"]["RefundNothingProblem"] | components["schemas"]["RefundBelowFeeProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 7004 `refund.changed`: The refundable amount has changed. Request the refund again.
         */
        createRefund409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["RefundChangedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         */
        createTradingWallet400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 3025 `account.tradingWalletExists`: The account already has a trading wallet.
         */
        createTradingWallet409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ChangedProblem"] | components["schemas"]["TradingWalletExistsProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
         *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
         *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
         *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         *     - 6001 `vm.noMint`: No open mint of this rune accepts requests.
         *     - 6003 `vm.priceTooLow`: The price per request is below the minimum of the mint.
         *     - 6004 `vm.tooManyRequests`: The mint has fewer requests in total.
         *     - 6006 `vm.tooManyPrices`: The batch was replaced too often to add another price.
         */
        createVmTransaction400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["TooManyInputsProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["ReservationExpiredProblem"] | components["schemas"]["VmNoMintProblem"] | components["schemas"]["VmPriceTooLowProblem"] | components["schemas"]["VmTooManyRequestsProblem"] | components["schemas"]["VmTooManyPricesProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
         *     - 2023 `bitcoin.coinsReserved`: Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less.
         *     - 6002 `vm.mintClosed`: The mint no longer accepts requests.
         *     - 6005 `vm.batchUnderWay`: Your previous batch is still being broadcast. Try again once it is in the mempool.
         */
        createVmTransaction409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ChangedProblem"] | components["schemas"]["CoinsChangedProblem"] | components["schemas"]["CoinsReservedProblem"] | components["schemas"]["VmMintClosedProblem"] | components["schemas"]["VmBatchUnderWayProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 1102 `webhooks.urlRefused`: Webhooks may not send to this URL.
         *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
         */
        createWebhook400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["WebhookUrlRefusedProblem"] | components["schemas"]["TooManyProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         */
        createWebhook409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ChangedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
         *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
         *     - 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it.
         *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
         *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
         *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
         *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
         *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         *     - 2018 `bitcoin.nothingToRenew`: No coin needs a renewal.
         */
        createXchainWithdrawal400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["InsufficientRuneProblem"] | components["schemas"]["AmountBelowDustProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["TooManyInputsProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["ReservationExpiredProblem"] | components["schemas"]["NothingToRenewProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        deleteDownloadHistory400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        deleteMedia400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        deletePasskey400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 3020 `account.passkeyNotFound`: The account has no such passkey. */
        deletePasskey404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PasskeyNotFoundProblem"];
            };
        };
        /**
         * @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 3021 `account.lastWayIn`: This is the account's last way to sign in. Add another one first.
         */
        deletePasskey409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedProblem"] | components["schemas"]["LastWayInProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        deleteWebhook400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getAccount400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 3028 `account.noSuchAccount`: The account does not exist. */
        getAccount404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoSuchAccountProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getAddressBalance400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getBitcoinTransaction400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getDownloadHistory400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getHealth400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 3019 `account.keystoreNotFound`: The account has no keystore. */
        getKeystore404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeystoreNotFoundProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         */
        getMe401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["AccountDisabledProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getMint400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getNextVirtualBlock400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        getOwnWallet400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getPrize400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 5007 `prizes.notFound`: No prize has this number. */
        getPrize404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrizeNotFoundProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getRecoveryKit400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getRefund400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getRune400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1106 `runes.notFound`: The rune does not exist. */
        getRune404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoSuchRuneProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getSwapStatus400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getToken400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1105 `tokens.notFound`: The catalogue does not contain this token. */
        getToken404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoSuchTokenProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getVenueStatus400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getVmTransaction400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 6013 `vm.transactionNotFound`: The VM transaction does not exist. */
        getVmTransaction404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VmTransactionNotFoundProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getWalletChallenge400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getWalletDetails400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getWebhook400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        getXchainTransaction400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3006 `account.emailTaken`: The e-mail address already belongs to an account.
         *     - 3007 `account.emailUnchanged`: This is already the e-mail address of the account.
         */
        initChangeEmail400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["NewEmailTakenProblem"] | components["schemas"]["EmailUnchangedProblem"];
            };
        };
        /** @description - 3012 `account.noPassword`: The account has no password. */
        initChangePassword400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoPasswordProblem"];
            };
        };
        /** @description - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first. */
        initPasskey400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        initPasskeyRegistration400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        initSrpSignIn400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         */
        linkAddress400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TooManyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["ChallengeInvalidProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 4022 `auth.addressTaken`: The address already belongs to an account.
         */
        linkAddress409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ChangedProblem"] | components["schemas"]["AddressTakenProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listAccounts400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         */
        listAccounts401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
            };
        };
        /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
        listAccounts403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listActivity400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listBitcoinTransactions400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listCoins400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listDeposits400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listDownloadHistories400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listEvents400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listMintEvents400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listMints400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listPrizes400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listTokens400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listUtxos400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listVirtualBlocks400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         *     - 6010 `vm.filtersUnsupported`: These filters cannot be combined.
         *     - 6011 `vm.pageTooDeep`: A list filtered by state has no pages this deep.
         */
        listVmTransactions400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"] | components["schemas"]["VmFiltersUnsupportedProblem"] | components["schemas"]["VmPageTooDeepProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listWebhookDeliveries400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        listWebhooks400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
         */
        listXchainTransactions400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["SortTooLargeProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         *     - 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one.
         *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
         *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
         *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
         */
        reauthenticate400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["SignInMessageInvalidProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["SrpValueInvalidProblem"] | components["schemas"]["PasskeyMalformedProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         *     - 4016 `auth.invalidCredentials`: The e-mail address or the password is wrong.
         *     - 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode.
         *     - 4018 `auth.otpInvalid`: The code is wrong or already used.
         *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
         */
        reauthenticate401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["OtpRequiredProblem"] | components["schemas"]["OtpInvalidProblem"] | components["schemas"]["PasskeyRefusedProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        redeliverEvent400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 1107 `webhooks.unverified`: The receiver has not confirmed the webhook's URL yet. Answer `webhook.verification`, then try again.
         */
        redeliverEvent409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedProblem"] | components["schemas"]["WebhookUnverifiedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again.
         */
        refreshToken400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InvalidRefreshTokenProblem"];
            };
        };
        /** @description - 4011 `auth.accountDisabled`: The account is disabled. */
        refreshToken401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountDisabledProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
         *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
         *     - 4030 `auth.referralCodeUnknown`: The referral code does not exist.
         */
        registerPasskey400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["PasskeyMalformedProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
            };
        };
        /** @description - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid. */
        registerPasskey401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PasskeyRefusedProblem"];
            };
        };
        /**
         * @description - 4023 `auth.emailTaken`: The e-mail address already belongs to an account.
         *     - 4029 `auth.passkeyTaken`: The passkey already belongs to an account.
         */
        registerPasskey409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EmailTakenProblem"] | components["schemas"]["PasskeyTakenProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 5004 `prizes.utxoUnusable`: The output does not exist, is spent, or is unconfirmed.
         *     - 5005 `prizes.inscriptionElsewhere`: The output does not hold the inscription.
         *     - 5006 `prizes.notInTreasury`: The output does not belong to the treasury.
         */
        registerPrize400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PrizeUtxoUnusableProblem"] | components["schemas"]["PrizeInscriptionElsewhereProblem"] | components["schemas"]["PrizeNotInTreasuryProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 5001 `prizes.numberTaken`: The prize number is already used.
         *     - 5002 `prizes.inscriptionTaken`: The inscription is already a prize.
         *     - 5003 `prizes.utxoTaken`: The output holds another prize.
         */
        registerPrize409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["PrizeNumberTakenProblem"] | components["schemas"]["PrizeInscriptionTakenProblem"] | components["schemas"]["PrizeUtxoTakenProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         *     - 4030 `auth.referralCodeUnknown`: The referral code does not exist.
         */
        registerSrp400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
            };
        };
        /** @description - 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
        registerSrp409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EmailTakenProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 8002 `xchain.contradicted`: The hub's record of the intent differs from the request.
         */
        registerSwap400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SwapContradictedProblem"];
            };
        };
        /**
         * @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 8001 `xchain.registered`: The swap is already registered with different content.
         */
        registerSwap409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedProblem"] | components["schemas"]["SwapRegisteredProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         *     - 4030 `auth.referralCodeUnknown`: The referral code does not exist.
         */
        registerWallet400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
            };
        };
        /**
         * @description - 4022 `auth.addressTaken`: The address already belongs to an account.
         *     - 4023 `auth.emailTaken`: The e-mail address already belongs to an account.
         */
        registerWallet409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AddressTakenProblem"] | components["schemas"]["EmailTakenProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        releaseBitcoinTransaction400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 2020 `bitcoin.alreadySigned`: The transaction is signed. Only the network can end it now. */
        releaseBitcoinTransaction409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AlreadySignedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3018 `account.tokenNotInSlot`: The slot contains a different token.
         */
        removeDefaultToken400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TokenNotInSlotProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
         *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
         *     - 2007 `bitcoin.tooManyInputs`: The amount is spread over more coins than one transaction can spend. Split it.
         *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         */
        replaceBitcoinTransaction400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["TooManyInputsProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["ReservationExpiredProblem"];
            };
        };
        /**
         * @description - 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now.
         *     - 2019 `bitcoin.transactionNotFound`: The account has no such transaction.
         */
        replaceBitcoinTransaction404: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CoinUnknownProblem"] | components["schemas"]["TransactionNotFoundProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         */
        replayWebhook400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
            };
        };
        /** @description - 3024 `account.nothingToVerify`: The account has no unverified e-mail address. */
        resendVerification400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NothingToVerifyProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        revokeSession400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 4015 `auth.sessionNotFound`: The session does not exist. */
        revokeSession404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SessionNotFoundProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3003 `account.methodNotAllowed`: This account does not sign in with a wallet.
         *     - 3004 `account.notAWalletKeystore`: The account has no keystore.
         *     - 3005 `account.addressTaken`: The address already belongs to an account.
         *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
         *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
         */
        rotateWallet400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["MethodNotAllowedForAccountProblem"] | components["schemas"]["NotAWalletKeystoreProblem"] | components["schemas"]["NewAddressTakenProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["ChallengeInvalidProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        rotateWebhookSecret400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3013 `account.inscriptionNotFound`: The inscription does not exist.
         *     - 3014 `account.inscriptionNotOwned`: None of the account's addresses holds the inscription.
         */
        setAvatar400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InscriptionNotFoundProblem"] | components["schemas"]["InscriptionNotOwnedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3015 `account.tokenNotFound`: The catalogue does not contain this token.
         *     - 3016 `account.tokenChainUnsupported`: This slot does not accept tokens of this chain.
         *     - 3017 `account.tokenInvalidForSlot`: This slot does not accept this token.
         */
        setDefaultToken400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TokenNotFoundProblem"] | components["schemas"]["TokenChainUnsupportedProblem"] | components["schemas"]["TokenUnfitProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         *     - 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request.
         */
        setUpTotp401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
         *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
         *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
         *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
         *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         */
        signBitcoinTransaction400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
         *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
         *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
         *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
         *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         */
        signRefund400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
         *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
         *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
         *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
         *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         */
        signVmTransaction400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
         *     - 6002 `vm.mintClosed`: The mint no longer accepts requests.
         */
        signVmTransaction409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"] | components["schemas"]["VmMintClosedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
         *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
         *     - 2012 `bitcoin.signatureMissing`: A signature is missing.
         *     - 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key.
         *     - 2014 `bitcoin.wrongSighash`: Every signature must use SIGHASH_ALL.
         *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
         */
        signXchainWithdrawal400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        testWebhook400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3001 `account.otpInvalid`: The code is wrong or already used.
         *     - 3002 `account.totpNotSetUp`: Set up the second factor first.
         */
        toggleTotp400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TotpCodeInvalidProblem"] | components["schemas"]["TotpNotSetUpProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        unlinkAddress400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
        /** @description - 3023 `account.addressNotLinked`: The address is not linked to the account. */
        unlinkAddress404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AddressNotLinkedProblem"];
            };
        };
        /**
         * @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 3027 `account.addressInUse`: This address is used by open virtual-mint transactions or swaps.
         */
        unlinkAddress409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedProblem"] | components["schemas"]["AddressInUseProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 1102 `webhooks.urlRefused`: Webhooks may not send to this URL.
         */
        updateWebhook400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["WebhookUrlRefusedProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3001 `account.otpInvalid`: The code is wrong or already used.
         *     - 3006 `account.emailTaken`: The e-mail address already belongs to an account.
         *     - 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one.
         *     - 3009 `account.emailMismatch`: The link was mailed to a different e-mail address.
         *     - 3010 `account.reauthMissing`: The account has a password: send a proof of it in srpData.
         *     - 3011 `account.passwordProofInvalid`: The current password is wrong.
         *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
         *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
         */
        verifyChangeEmail400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TotpCodeInvalidProblem"] | components["schemas"]["NewEmailTakenProblem"] | components["schemas"]["EmailTokenInvalidProblem"] | components["schemas"]["EmailMismatchProblem"] | components["schemas"]["ReauthMissingProblem"] | components["schemas"]["PasswordProofInvalidProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["SrpValueInvalidProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3011 `account.passwordProofInvalid`: The current password is wrong.
         *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
         *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
         */
        verifyChangePassword400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PasswordProofInvalidProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["SrpValueInvalidProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one.
         */
        verifyEmail400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["EmailTokenInvalidProblem"];
            };
        };
        /**
         * @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 4023 `auth.emailTaken`: The e-mail address already belongs to an account.
         */
        verifyEmail409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangedProblem"] | components["schemas"]["EmailTakenProblem"];
            };
        };
        /**
         * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
         *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
         *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
         *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
         *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
         */
        verifyPasskey400: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TooManyProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["PasskeyMalformedProblem"];
            };
        };
        /**
         * @description - 4002 `auth.invalidToken`: The access token is invalid.
         *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
         *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
         *     - 4006 `auth.accountNotFound`: The account does not exist.
         *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
         *     - 4011 `auth.accountDisabled`: The account is disabled.
         *     - 4024 `auth.reauthRequired`: This requires an authentication within the last 15 minutes. Use POST /auth/reauthenticate, then repeat the request.
         *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
         */
        verifyPasskey401: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"] | components["schemas"]["PasskeyRefusedProblem"];
            };
        };
        /**
         * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
         *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
         *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
         *     - 4029 `auth.passkeyTaken`: The passkey already belongs to an account.
         */
        verifyPasskey409: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ChangedProblem"] | components["schemas"]["PasskeyTakenProblem"];
            };
        };
        /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        verifyReferralCode400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationProblem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this state of the answer, for `If-None-Match`. */
        ETag: string;
        /** @description The answer was given before, under the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
        /** @description Of each limit that the request met: the hits that are left (`r`), and the seconds until its window ends (`t`). */
        RateLimit: string;
        /** @description Of each limit that the request met: its hits (`q`) in a window of so many seconds (`w`). */
        "RateLimit-Policy": string;
        /** @description If it is known: seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description Finds the request in the service's log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "alg": "EdDSA",
                     *           "crv": "Ed25519",
                     *           "kid": "YNhS__Lt49LR-TR9",
                     *           "kty": "OKP",
                     *           "use": "sig",
                     *           "x": "YNhS__Lt49LR-TR9PY_grbvbZDTmaqJAoB2Z_G0VEFE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Values above 100 count as 100.
                 * @example 1
                 */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 * @example +lastSignInAt
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
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
            /** @description A page of accounts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "authMethod": "wallet",
                     *           "createdAt": 1795596138914,
                     *           "email": null,
                     *           "id": "01a211de-b98d-797b-8a8c-f512b1ad2d11",
                     *           "lastSignInAt": 1795596138914,
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qk2m83ct7k0zeuvx9450feqdggjswlkksgc20qhk8y00wynzsa0gsk4ywp5",
                     *           "wallet": {
                     *             "address": "bcrt1q0xmfp89z05dxhdtua90hq2d9mypx7096lga0jl",
                     *             "chain": "bitcoin",
                     *             "provider": null,
                     *             "publicKey": "03c552efed7a98552cce9be79524631a413132b64ecc76de2e9cb8d81ffe3ac5de"
                     *           }
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 13,
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "totalItems": 13,
                     *         "totalPages": 13
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_AccountRow"];
                };
            };
            400: components["responses"]["listAccounts400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUpTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "otpauthUri": "otpauth://totp/Runeport:01a211e0-720d-7a53-8f92-640766174707?secret=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&issuer=Runeport",
                     *         "qrCode": "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
                     *         "secret": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TotpSetup"];
                };
            };
            401: components["responses"]["setUpTotp401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggleTotp: {
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
                 *       "otpCode": "000000"
                 *     }
                 */
                "application/json": components["schemas"]["ToggleTotp"];
            };
        };
        responses: {
            /** @description The new state of the second factor */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "enabled": true,
                     *         "recoveryCodes": [
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA",
                     *           "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA"
                     *         ]
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TotpState"];
                };
            };
            400: components["responses"]["toggleTotp400"];
            401: components["responses"]["setUpTotp401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013_4019"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Values above 100 count as 100.
                 * @example 100
                 */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
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
            /** @description A page of changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "change": "accountCreated",
                     *           "createdAt": 1795596153428,
                     *           "id": "01a211de-f253-7235-9516-e77d284f95b0",
                     *           "requestId": "01a211de-f22b-73ef-93e0-8ccf423d3edd",
                     *           "sessionId": "01a211de-f253-7077-ae90-f531abb6ec29",
                     *           "sourceHash": "fefe1bb4aa90fdc9c3a8416841f7650d"
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 1,
                     *         "currentPage": 1,
                     *         "failedProofs": [
                     *           {
                     *             "emailToken": 0,
                     *             "hour": 1795593600000,
                     *             "lastAt": 1795596154746,
                     *             "passkey": 0,
                     *             "password": 4,
                     *             "secondFactor": 0,
                     *             "wallet": 0
                     *           }
                     *         ],
                     *         "pageSize": 100,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_Vec_ActivityRow_ActivityMeta"];
                };
            };
            400: components["responses"]["listActivity400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The addresses */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm"
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_OwnedAddress"];
                };
            };
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    linkAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "address": "2FG9nouHFpx6sUu99RVRWNQ7Ms5sVZ2HWtjQPy6dgEgf",
                 *       "chain": "solana",
                 *       "challengeId": "33c54e2e-b49e-1c3f-c096-994b3177212c",
                 *       "publicKey": "2FG9nouHFpx6sUu99RVRWNQ7Ms5sVZ2HWtjQPy6dgEgf",
                 *       "signature": "3W7uL6dAua3ho1FpWMvmDDr8DD8mnZY2WKNT35kt8iDHvfz9ime4sZZDjZRuP3uyrmSRyGznH276KdztDwwQozhU"
                 *     }
                 */
                "application/json": components["schemas"]["LinkAddress"];
            };
        };
        responses: {
            /** @description The account */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                     *           },
                     *           {
                     *             "address": "2FG9nouHFpx6sUu99RVRWNQ7Ms5sVZ2HWtjQPy6dgEgf",
                     *             "chain": "solana"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596242696,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": true,
                     *         "id": "01a211e0-4efa-72ad-a02e-f742c3b3de1a",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "XZWN92H0",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qwy80cun7537n053mxs7nc3gpxpaazsf5glhjwdyh69c57t85eudsdaecp9",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["linkAddress400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011_4024"];
            409: components["responses"]["linkAddress409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_4014"];
        };
    };
    unlinkAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address
                 * @example 0xB483D87d0ef3Af2FaDBE88ff7228B535F3875011
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *             "chain": "evm"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596792675,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211e8-b358-7c56-ab6c-a5a76b031157",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "BEXYG0XF",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm",
                     *           "provider": "metamask",
                     *           "publicKey": "0x0341df024c85ef5a614a9072d66dc77c7be48c1f8e142b2312d4d32f769134a06e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["unlinkAddress400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["unlinkAddress404"];
            409: components["responses"]["unlinkAddress409"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "inscriptionId": "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0"
                 *     }
                 */
                "application/json": components["schemas"]["SetAvatar"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "bcrt1psasx9rcz36xy68rt8yvfdx6acw4k8ctfam00yh90vp7lfuxqxcnqzjvmn3",
                     *             "chain": "bitcoin"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0",
                     *         "createdAt": 1795596157941,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-03e0-75f6-9a15-b08b5591e5e5",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "BFS9V1XW",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qh0ftuprk2mx8kwlu6yrcry2m66ahuu66jrzwr3uqrh9y40vv73hqeud3fk",
                     *         "wallet": {
                     *           "address": "bcrt1psasx9rcz36xy68rt8yvfdx6acw4k8ctfam00yh90vp7lfuxqxcnqzjvmn3",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "03b37a8401ef6ac964667d005395c87a7d49000e720ded73787163214bf595263e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["setAvatar400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    initChangeEmail: {
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
                 *       "newEmail": "new@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeEmailInit"];
            };
        };
        responses: {
            /** @description The token was mailed, now or less than a minute ago */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "srpSession": {
                     *           "group": 3072,
                     *           "hash": "SHA-256",
                     *           "salt": "DIzbeYDHJB0I72MviA+t3xaE2op0lyBPSiWoGN0YOYc=",
                     *           "serverPublic": "Ewk3ti0CEz5gKTA7NwFPyYrrUvW2AOZo8+U4FuFGkeEZmuETmRxcnMThNqE9zqiKT5siIe0vSwjpsapHJb2pXTfXanz+k5s+gMAMe8i5dK7paKk+WC7hCBKqxa0rG0+NzSC8/cyGYKHPE3XR3ug6kFmja4LD0YiQCFGcJk9rnEyodJFO49K5vrd4RAcrdBMAy0xHU9GruYFE7xcFv/sevqx96Y2MNXbgC8Oy275Kp6pP8k/wLQ65VnQuw2/zrvpmj6N22JHZUF5cCGz/Et7LS/NSrvyIhb4ZV9hPRfJz246zRtBWekjNfjnmXcp4OIViuMTpdqbeQzb2uUbL+Xv+VSfr+Hz9tZezay71iv8rYvoaO33ROmzyJqAvrTpXd/5sH508nR/fw+hmnKqI5QmTK8BvYwIK4XWhwlPXhgrEn9DdVYXiis88XLiTE1RTvg4LybbrYXTqb5XEPDsPjNf6cwXNXV4+k66o4kBT27Fni4gBQNGJlq1sCjrnQLgyd78f",
                     *           "sessionId": "53438122-ea6f-22e2-3fb0-e24d6a6c0e5e"
                     *         }
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "mailed": true,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_ChangeEmailSession_ChangeEmailMailed"];
                };
            };
            400: components["responses"]["initChangeEmail400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyChangeEmail: {
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
                 *       "email": "b@example.com",
                 *       "token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeEmailVerify"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                     *         "avatar": null,
                     *         "createdAt": 1795596175400,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": "b@example.com",
                     *         "emailVerified": true,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-4827-77aa-9b44-a8503a5d5d79",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "CJAHXSFM",
                     *         "role": "user",
                     *         "totpEnabled": true,
                     *         "tradingAddress": "bcrt1q6e5w4kr0csg7zl24syunpqdqsjvqvvxtgdeeh3tda6x8jes3738qtyfgrt",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["verifyChangeEmail400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013_4019"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeDefaultToken: {
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
                 *       "slot": "usdc",
                 *       "tokenId": "solana-usdc"
                 *     }
                 */
                "application/json": components["schemas"]["DefaultToken"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *             "chain": "evm"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596171986,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-3ac5-7986-935d-36ea5afa44e7",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "0A7BMBXF",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm",
                     *           "provider": "metamask",
                     *           "publicKey": "0x0341df024c85ef5a614a9072d66dc77c7be48c1f8e142b2312d4d32f769134a06e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["removeDefaultToken400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setDefaultToken: {
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
                 *       "slot": "usdc",
                 *       "tokenId": "solana-usdc"
                 *     }
                 */
                "application/json": components["schemas"]["DefaultToken"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *             "chain": "evm"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596171986,
                     *         "defaultTokens": {
                     *           "usdc": "solana-usdc"
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-3ac5-7986-935d-36ea5afa44e7",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "0A7BMBXF",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm",
                     *           "provider": "metamask",
                     *           "publicKey": "0x0341df024c85ef5a614a9072d66dc77c7be48c1f8e142b2312d4d32f769134a06e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["setDefaultToken400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKeystore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keystore */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "encryptedBlob": "0013"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_KeystoreBlob"];
                };
            };
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["getKeystore404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *             "chain": "evm"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596171986,
                     *         "defaultTokens": {
                     *           "usdc": "solana-usdc"
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": false,
                     *         "id": "01a211df-3ac5-7986-935d-36ea5afa44e7",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "0A7BMBXF",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm",
                     *           "provider": "metamask",
                     *           "publicKey": "0x0341df024c85ef5a614a9072d66dc77c7be48c1f8e142b2312d4d32f769134a06e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            401: components["responses"]["getMe401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkeys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "backedUp": false,
                     *           "createdAt": 1795596233837,
                     *           "id": "b9c10228791f31c694ae2699e339fd7e2756348f50ae2f34fe756c69a2f55c72",
                     *           "lastUsedAt": 1795596234054,
                     *           "name": "Ada's phone"
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_PasskeyRow"];
                };
            };
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "options": {
                     *           "attestation": "none",
                     *           "authenticatorSelection": {
                     *             "requireResidentKey": true,
                     *             "residentKey": "required",
                     *             "userVerification": "required"
                     *           },
                     *           "challenge": "6Qj_3aiORl7PzoKyXasGXk6Sq2Smbth_MzM5LzHBTpg",
                     *           "excludeCredentials": [
                     *             {
                     *               "id": "qvuE0aZrugBIWuci9XPKw2rulEUflDCuGhpABlo-0ow",
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "pubKeyCredParams": [
                     *             {
                     *               "alg": -7,
                     *               "type": "public-key"
                     *             },
                     *             {
                     *               "alg": -257,
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "rp": {
                     *             "id": "localhost",
                     *             "name": "Runeport"
                     *           },
                     *           "timeout": 300000,
                     *           "user": {
                     *             "displayName": "01a211e0-31d5-7f92-a359-305022f3f861",
                     *             "id": "AaIR4DHVf5KjWTBQIvP4YQ",
                     *             "name": "01a211e0-31d5-7f92-a359-305022f3f861"
                     *           }
                     *         },
                     *         "sessionId": "7decfc20-00f4-9edc-7d1b-222467d3820e"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            400: components["responses"]["initPasskey400"];
            401: components["responses"]["setUpTotp401"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "credential": {
                 *         "id": "YGz33_xKYW4hwy8i4K3VD8Hj7lnPzL95SYtHpGo07to",
                 *         "response": {
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIGBs99_8SmFuIcMvIuCt1Q_B4-5Zz8y_eUmLR6RqNO7apQECAyYgASFYICy8tu7kx8lFWJHiXT49nqb0TTgULnS9b2rQnZ7XswWQIlgg-tip-kgKKZgDyYfeWvkJz-BsIkqE2OSWk3O8enPQhK8",
                 *           "clientDataJSON": "eyJjaGFsbGVuZ2UiOiItU09ZNldmRFAyV3R3b2dkZ240YVpBTEdOXzRFb1AzZkMyaE5ydi16ZGVFIiwiY3Jvc3NPcmlnaW4iOmZhbHNlLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0OjUxNzMiLCJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                 *           "transports": [
                 *             "internal",
                 *             "hybrid"
                 *           ]
                 *         },
                 *         "type": "public-key"
                 *       },
                 *       "sessionId": "d7a933a8-8810-e2f5-e6c2-1d0684e5a62d"
                 *     }
                 */
                "application/json": components["schemas"]["AddPasskey"];
            };
        };
        responses: {
            /** @description The passkey */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "backedUp": false,
                     *         "createdAt": 1795596157549,
                     *         "id": "c1c4498f98a12ea1553aff917af2d4a7903d7a97a12c4819fa8f63f31c1faba8",
                     *         "lastUsedAt": null,
                     *         "name": "Passkey"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasskeyRow"];
                };
            };
            400: components["responses"]["verifyPasskey400"];
            401: components["responses"]["verifyPasskey401"];
            409: components["responses"]["verifyPasskey409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Passkey id
                 * @example 31fb61a08af0c88075267900de1638c334c641465ee97dc38bd2e163f1996e2b
                 */
                id: components["schemas"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkey is removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            400: components["responses"]["deletePasskey400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["deletePasskey404"];
            409: components["responses"]["deletePasskey409"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyReferralCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The code
                 * @example A5BKPSHP
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it can be used */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "valid": true
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_ReferralCodeCheck"];
                };
            };
            400: components["responses"]["verifyReferralCode400"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initChangePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The handshake */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "group": 3072,
                     *         "hash": "SHA-256",
                     *         "salt": "NenNv/iHM/SBt/oPXLbpYYtRGn3tOzK1fUTXiMYCay0=",
                     *         "serverPublic": "LDi3sPni7wFcQ3VwNJa13SUYMLM5U/j9xqJo23xFW0YyCAqP/FsmGLRWy1lE/TkAfuOHbgo2DMwk42uFWU2qizjT85JaqizbPxOOi3Od9c+/pdg7X/sCGF4HFbWvorxjhXFLC2FNTtUIX9oMLRJDQReklQLrUBuZqqHQGlOnAsfjh9ttWbDCky3YNRfC801aAxilWXsD6lYo0LXo3HZ8Hv3zUHeDWvcU8Sp+VMLHuwVUoJYPbxzL0tq2czc/4NqWZootREskB4ZAGH9MJEtNEKKQYrDchK6IHhX9gjnv0QF9/Yz2MGcOwmekr1/R4ahUGTX6cqQNuuD+S2uYFGy/lLHg31sthEzNNLlIRm2icqa5DzMFVQuhe21WdrTOAQXFGXzj+oEnLQ1O2vms2FlYIug0V+pGokLo3CRxLa7W+GRwbKdP7IGrTnz6Ycqjm37Tw519Jbbt3YxJ7LMOXQLShbAdwg7A8zzjOWSH6XswDEDojZWo3P2RrmypN40cYgNg",
                     *         "sessionId": "0e754f3e-5367-d922-a1da-1613a1b9630f"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            400: components["responses"]["initChangePassword400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyChangePassword: {
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
                 *       "clientProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "clientPublic": "lA2IrNW+HoctQyiWLlAiJ2AaoMicvpMu9fftVHx4UMe3Mf5x2GwaKe9ABqJOclE3Tn9J84GgnQO1XpGd9KrWfm6d1uXbl1RRFJxdgs23Dj1p/InAWCpFyJSfm9zAUXZ/SZXFtzWSbGDF6oF5JxhjOSuqHA3sYaoEhOygi7EmmcFduqsLZBvail48BffSBgATthiiPzmKaK+r3X/Qj9X61PZZf4HsaBVcxM13VenRZx5aaS2urGsnJzROwr0hg7gxNCb/EqDR4sl+WqUTrqh34ZvXBwMJxVMFl3y+StJUpUKVd92s7r688ij7PKGVVoYMzd2D810+kvp8QOhWatLT6C5fPBn3mN7nsk0cPeZPmmIAknlWLz41VA5lm6jgyZqQ9iUOarqcWACYj8HKbFbtqrLjiOZy6Em1pJYJkwaVN0dyBzbA2do4QvVx8OnPWah3lonigxx14aXoYLjNKvImapTJgsWteH9zBvz4BUhSa6DgZx25qEHJIYqK0n8ym8hd",
                 *       "newEncryptedBlob": "AAAA",
                 *       "newSrpSalt": "6NqdKWp2091WGJgbwvzmTV5hx9Kd1+urMhK6iX/cBXo=",
                 *       "newSrpVerifier": "f5ES0V1PERpYqeeXAZhrShum0DX4zABxdsnJpu/9fJNcFzPYRbIAKwBGxqgmlrt9vRllkw0qVJ3fOr0b7HDff5vevvCpazsNm2pJtmMGYWouHGlIUEJ0IGpBkfCa5AAGwhbxu92PHJeT+i5ygG7R4gD42YQfTf39y/CnvDajz0OGXntSRvhOvS5eZHMCalOXo7ycc+TZr+HiRAOIZ5uA9w6udItQrru74T8aPMklRBEDh6AijaRGRYZZauj8wZ4dxAHjHXlYJhtM0AdqnrnLjezHWOTtDtdS1QHAmi8LVczG3Eh4VkFaVnvSlW2lc0o58jUsEoedXQp7t/UViFJIjDYaT8ehNZcBvwo6zo1pjKwEneyO96446IW1cgva6AeTD2+iNLSwtC/M4vfWOx6aUBSts53h2d7unjEtoACKZg5vsr0Ko00OOeMs1mUQbhZJfKL366uIFYPiXcUGjy5gCU8Pkb0NcsCcoCztK9A5XHbe8DjcFnQll2YpruY+8bB4",
                 *       "sessionId": "cddeff32-907f-7e9f-4a35-282b416fa310"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description The password is changed */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "serverProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasswordChanged"];
                };
            };
            400: components["responses"]["verifyChangePassword400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTradingWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "address": "bcrt1q5v3g4ematmnncq4dnw735zkup8qeda0j0ve90684pj85ppx4pteqr9duta",
                     *         "createdAt": 1795596264183,
                     *         "delayBlocks": 12960,
                     *         "descriptor": "wsh(and_v(v:pk(03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac),or_d(pk(0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815),older(12960))))#qdt2wdaf",
                     *         "platformPublicKey": "0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815",
                     *         "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                     *         "recovery": {
                     *           "keys": [
                     *             {
                     *               "commands": [
                     *                 "bitcoin-cli createwallet recovery false true",
                     *                 "bitcoin-cli getdescriptorinfo 'wsh(and_v(v:pk(<PRIVATE KEY>),or_d(pk(0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815),older(12960))))'",
                     *                 "bitcoin-cli deriveaddresses 'wsh(and_v(v:pk(<PRIVATE KEY>),or_d(pk(0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815),older(12960))))#<CHECKSUM>'",
                     *                 "bitcoin-cli -rpcwallet=recovery importdescriptors '[{\"desc\":\"wsh(and_v(v:pk(<PRIVATE KEY>),or_d(pk(0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815),older(12960))))#<CHECKSUM>\",\"timestamp\":1795596264}]'",
                     *                 "bitcoin-cli -rpcwallet=recovery listunspent 12960",
                     *                 "bitcoin-cli -named createpsbt inputs='[{\"txid\":\"<TXID>\",\"vout\":<VOUT>,\"sequence\":12960}]' outputs='[{\"<YOUR ADDRESS>\":<AMOUNT LESS FEE>}]'",
                     *                 "bitcoin-cli -rpcwallet=recovery walletprocesspsbt '<PSBT>'",
                     *                 "bitcoin-cli finalizepsbt '<PSBT>'",
                     *                 "bitcoin-cli sendrawtransaction '<HEX>'"
                     *               ],
                     *               "descriptorToComplete": "wsh(and_v(v:pk(<PRIVATE KEY>),or_d(pk(0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815),older(12960))))",
                     *               "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                     *               "witness": [
                     *                 "",
                     *                 "<SIGNATURE>",
                     *                 "2103a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052acad210257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815ac736402a032b268"
                     *               ]
                     *             }
                     *           ],
                     *           "sequence": 12960,
                     *           "steps": [
                     *             "Keep this document and the private key of 03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac. Coins of bcrt1q5v3g4ematmnncq4dnw735zkup8qeda0j0ve90684pj85ppx4pteqr9duta need the signatures of that key and of the platform's key, 0257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815. After 12960 confirmations (about 90 days) a coin needs only the signature of your key.",
                     *             "Import the descriptor into a wallet that signs miniscript: Bitcoin Core 25 or later, or another wallet that supports such descriptors. To sign with Bitcoin Core, replace <PRIVATE KEY> in descriptorToComplete with your private key (WIF), and append the checksum that getdescriptorinfo returns. To only watch the address, import descriptor unchanged.",
                     *             "Choose coins with at least 12960 confirmations. A coin with fewer cannot be spent without the platform yet. The delay is counted separately for each coin.",
                     *             "Create a transaction of version 2 or higher that spends them to your own address, with nSequence 12960 on each of these inputs.",
                     *             "Sign it (SIGHASH_ALL). Each of these inputs gets the witness listed for your key. A wallet that signs miniscript creates it automatically.",
                     *             "Broadcast it."
                     *           ],
                     *           "transactionVersion": 2,
                     *           "witnessScript": "2103a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052acad210257ea29c96dc360872ae4dce47d3ad070d4fd65570c44c36d1075fbbe73b75815ac736402a032b268"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TradingWalletBackup"];
                };
            };
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTradingWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "challengeId": "f2b98db0-509d-8c63-5829-07b5d4429529",
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "signature": "smpAkgwRQIhAJgTsxXheOoKAmDBEKWDuU97we/KEGKK/MTj0o2saFOAAiBdaSjM3qEZVJI79ugy7lgahclo192PeVucmzLG6dm4agEhA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKs"
                 *     }
                 */
                "application/json": components["schemas"]["MakeTradingWallet"];
            };
        };
        responses: {
            /** @description The account */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *             "chain": "evm"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596264383,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": "ada@example.com",
                     *         "emailVerified": true,
                     *         "hasKeystore": false,
                     *         "id": "01a211e0-a3be-7f8c-87f7-432c1e702f34",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "BK01JCSR",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qxf8jtxrfgvjajwkvy0yl5n8mmee9rc6mywtsxwl2hmw0f6nsfcjs6nwrh6",
                     *         "wallet": {
                     *           "address": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *           "chain": "evm",
                     *           "provider": "metamask",
                     *           "publicKey": "0x0341df024c85ef5a614a9072d66dc77c7be48c1f8e142b2312d4d32f769134a06e"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["createTradingWallet400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011_4024"];
            409: components["responses"]["createTradingWallet409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTradingWalletBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "address": "bcrt1qcq4845tktswacdwcuycrf0e495kvtzdm22y0megkj655sf2elecqdwqn9y",
                     *         "btc": {
                     *           "available": 93648,
                     *           "confirmed": 104194,
                     *           "immature": 0,
                     *           "incoming": {
                     *             "external": 0,
                     *             "own": 0
                     *           },
                     *           "needsRenewal": 0,
                     *           "projected": 104194,
                     *           "reserved": 0,
                     *           "spending": 0,
                     *           "unknown": 0,
                     *           "withInscriptions": 10000,
                     *           "withRunes": 546
                     *         },
                     *         "coins": {
                     *           "free": 3,
                     *           "ignored": 0,
                     *           "immature": 0,
                     *           "inscribed": 1,
                     *           "notRead": 0,
                     *           "pending": 0,
                     *           "reserved": 0,
                     *           "spending": 0,
                     *           "unknown": 0
                     *         },
                     *         "height": 121,
                     *         "readAt": 1795596983720,
                     *         "runes": [
                     *           {
                     *             "available": "600",
                     *             "confirmed": "600",
                     *             "divisibility": 2,
                     *             "incoming": "0",
                     *             "name": "WANTEDWANTEDWANTED",
                     *             "reserved": "0",
                     *             "runeId": "119:1",
                     *             "spending": "0",
                     *             "symbol": null
                     *           }
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_Balance_BalanceMeta"];
                };
            };
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    listCoins: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Values above 100 count as 100.
                 * @example 100
                 */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /** @description Only coins in one of these states. */
                state_eq?: components["schemas"]["CoinState"][];
                /** @description Only coins with one of these values of `renewal`. */
                renewal_eq?: components["schemas"]["Renewal"][];
                /** @description Only coins with this rune. */
                runeId_eq?: components["schemas"]["EtchedRune"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of coins */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "confirmedHeight": 111,
                     *           "expiresInBlocks": 12957,
                     *           "heldBy": {
                     *             "txId": "1a3cd063ad32b0b3b73b32d4259da0eac5ec092851c9e9c2ff0a4147bba8310e",
                     *             "until": 1795645881000
                     *           },
                     *           "id": "02e245e2b8fee9a3f4cd7648a7ab7700fcc34f8714275cfef4d2ac68187cba83:0",
                     *           "inscriptions": [],
                     *           "origin": "deposit",
                     *           "renewal": "none",
                     *           "runes": [],
                     *           "sats": 50000,
                     *           "state": "reserved",
                     *           "usableFor": [],
                     *           "userOnlyFromHeight": 13071
                     *         },
                     *         {
                     *           "confirmedHeight": 111,
                     *           "expiresInBlocks": 12957,
                     *           "heldBy": null,
                     *           "id": "860d2893f950b277bbc6877e1a50a53754bce7f752864c0e645a8b59ada06d71:0",
                     *           "inscriptions": [],
                     *           "origin": "deposit",
                     *           "renewal": "none",
                     *           "runes": [],
                     *           "sats": 30000,
                     *           "state": "free",
                     *           "usableFor": [
                     *             "withdraw",
                     *             "renew",
                     *             "mint"
                     *           ],
                     *           "userOnlyFromHeight": 13071
                     *         },
                     *         {
                     *           "confirmedHeight": 112,
                     *           "expiresInBlocks": 12958,
                     *           "heldBy": null,
                     *           "id": "a409ba381451071582ac98867de8494ee18890845e47077f6d79e39e32a6e4a7:0",
                     *           "inscriptions": [
                     *             "a409ba381451071582ac98867de8494ee18890845e47077f6d79e39e32a6e4a7i0"
                     *           ],
                     *           "origin": "deposit",
                     *           "renewal": "none",
                     *           "runes": [],
                     *           "sats": 10000,
                     *           "state": "inscribed",
                     *           "usableFor": [],
                     *           "userOnlyFromHeight": 13072
                     *         },
                     *         {
                     *           "confirmedHeight": null,
                     *           "expiresInBlocks": null,
                     *           "heldBy": null,
                     *           "id": "aa76633f67842d24205417e2bc39084493893135bc42a5994e71ba416b8878e8:0",
                     *           "inscriptions": [],
                     *           "origin": "deposit",
                     *           "renewal": "none",
                     *           "runes": null,
                     *           "sats": 7000,
                     *           "state": "pending",
                     *           "usableFor": [],
                     *           "userOnlyFromHeight": null
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "height": 113,
                     *         "notRead": 0,
                     *         "pageSize": 100,
                     *         "totalItems": 4,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_Vec_CoinRow_CoinsMeta"];
                };
            };
            400: components["responses"]["listCoins400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /**
                 * @description Items per page. Values above 100 count as 100.
                 * @example 100
                 */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /** @description Only deposits in one of these states. */
                state_eq?: components["schemas"]["DepositState"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deposits */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "blockHeight": 117,
                     *           "confirmations": 2,
                     *           "confirmedAt": 1795611836576,
                     *           "createdAt": 1795611836576,
                     *           "id": "a2ad479a2c4695c8bdb7e50436363be6d91bd092600893d1b6c58b86dd074ab3:1",
                     *           "more": null,
                     *           "runes": [
                     *             {
                     *               "amount": "1000",
                     *               "divisibility": 2,
                     *               "name": "WANTEDWANTEDWANTED",
                     *               "runeId": "117:1",
                     *               "symbol": null
                     *             }
                     *           ],
                     *           "sats": 10000,
                     *           "seenAt": 1795611836576,
                     *           "state": "confirmed",
                     *           "txId": "a2ad479a2c4695c8bdb7e50436363be6d91bd092600893d1b6c58b86dd074ab3",
                     *           "vout": 1
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "asOf": 1,
                     *         "currentPage": 1,
                     *         "pageSize": 100,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_DepositRow"];
                };
            };
            400: components["responses"]["listDeposits400"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    announceDeposit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "txId": "34e35674daed064dfe03b4ecb80ca0cc89da2d7e92c9dc127c013d53048179cb"
                 *     }
                 */
                "application/json": components["schemas"]["AnnounceDeposit"];
            };
        };
        responses: {
            /** @description The deposits of the transaction */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "deposits": [
                     *           {
                     *             "blockHeight": 111,
                     *             "confirmations": 1,
                     *             "confirmedAt": 1795612405693,
                     *             "createdAt": 1795612343454,
                     *             "id": "34e35674daed064dfe03b4ecb80ca0cc89da2d7e92c9dc127c013d53048179cb:0",
                     *             "more": null,
                     *             "runes": null,
                     *             "sats": 40000,
                     *             "seenAt": 1795612343454,
                     *             "state": "confirmed",
                     *             "txId": "34e35674daed064dfe03b4ecb80ca0cc89da2d7e92c9dc127c013d53048179cb",
                     *             "vout": 0
                     *           }
                     *         ]
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_AnnouncedDeposits"];
                };
            };
            400: components["responses"]["announceDeposit400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            404: components["responses"]["announceDeposit404"];
            409: components["responses"]["Error409_1010_1011"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getRecoveryKit: {
        parameters: {
            query?: {
                /**
                 * @description With `1`, the browser saves the response as a file.
                 * @example 1
                 */
                download?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kit */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "address": "bcrt1qgwu8dzfulu7pd8dglsx5hywcwa8wx35ryq0jtnjgx7v7xny793hq9r04pl",
                     *         "coins": [
                     *           {
                     *             "confirmedHeight": 111,
                     *             "id": "4217fb18d92eaf0a1497d1eb4f2be38f903bad5c114c956735bafcd0f1d5dc08:0",
                     *             "inscriptions": [],
                     *             "runes": [],
                     *             "sats": 50000,
                     *             "userOnlyFromHeight": 13071
                     *           },
                     *           {
                     *             "confirmedHeight": 112,
                     *             "id": "dd0987ceec25dd1df758d2be7874747c3f618e3e8b14827b86e7e509c3ec953a:0",
                     *             "inscriptions": [
                     *               "dd0987ceec25dd1df758d2be7874747c3f618e3e8b14827b86e7e509c3ec953ai0"
                     *             ],
                     *             "runes": [],
                     *             "sats": 10000,
                     *             "userOnlyFromHeight": 13072
                     *           },
                     *           {
                     *             "confirmedHeight": 119,
                     *             "id": "3593bac04523bb0823011e1bff7c381df9de316b21690ab3f57329c2e20ad628:1",
                     *             "inscriptions": [],
                     *             "runes": [
                     *               {
                     *                 "amount": "1000",
                     *                 "divisibility": 2,
                     *                 "name": "WANTEDWANTEDWANTED",
                     *                 "runeId": "119:1",
                     *                 "symbol": null
                     *               }
                     *             ],
                     *             "sats": 10000,
                     *             "userOnlyFromHeight": 13079
                     *           },
                     *           {
                     *             "confirmedHeight": null,
                     *             "id": "6f2daa14e59ea6dc3fd5b877180ce2dcd76a9c18b4e7696d08685d84e4f82228:0",
                     *             "inscriptions": [],
                     *             "runes": null,
                     *             "sats": 7000,
                     *             "userOnlyFromHeight": null
                     *           }
                     *         ],
                     *         "createdAt": 1795596962471,
                     *         "delayBlocks": 12960,
                     *         "descriptor": "wsh(and_v(v:pk(03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac),or_d(pk(02a31e934c8fb51b0737561b73276c4454b65369bd79796b821167d9c577091e1b),older(12960))))#mwl2chte",
                     *         "height": 120,
                     *         "kind": "runeport-recovery-kit",
                     *         "network": "regtest",
                     *         "notRead": 0,
                     *         "platformPublicKey": "02a31e934c8fb51b0737561b73276c4454b65369bd79796b821167d9c577091e1b",
                     *         "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                     *         "publicKeys": [
                     *           "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         ],
                     *         "tool": {
                     *           "sha256": "4ae650583c86afe905c00f396d164ae435277c857f6a7c8345d20718cc1d4644",
                     *           "version": "0.1.0"
                     *         },
                     *         "version": 1,
                     *         "walletCreatedAt": 1795596961597,
                     *         "witnessScript": "2103a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052acad2102a31e934c8fb51b0737561b73276c4454b65369bd79796b821167d9c577091e1bac736402a032b268"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_RecoveryKit"];
                };
            };
            400: components["responses"]["getRecoveryKit400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyEmail: {
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
                 *       "token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [],
                     *         "authMethod": "srp",
                     *         "avatar": null,
                     *         "createdAt": 1795596182692,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": "old@example.com",
                     *         "emailVerified": true,
                     *         "hasKeystore": true,
                     *         "id": "01a211df-6496-7c0f-ba53-764080c11778",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": "stays",
                     *         "referralCode": "EXY6G7JZ",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": null,
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["verifyEmail400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["verifyEmail409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token was mailed */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            400: components["responses"]["resendVerification400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWallet: {
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
                 *       "address": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                 *       "chain": "solana",
                 *       "challengeId": "b58a0c3c-2d2d-0059-3890-52701c9bc5ab",
                 *       "encryptedBlob": "bmV3",
                 *       "provider": "phantom",
                 *       "publicKey": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                 *       "signature": "5MYZ6RBSuzH3RreDUVqV4YZwtb7HQZfH3WpoL55ZGPhUpswevR9CkroZ39Pr2Yr4VLTtZgbqZw9QePumb7w2ZrNH"
                 *     }
                 */
                "application/json": components["schemas"]["RotateWallet"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "addresses": [
                     *           {
                     *             "address": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                     *             "chain": "solana"
                     *           }
                     *         ],
                     *         "authMethod": "wallet",
                     *         "avatar": null,
                     *         "createdAt": 1795596242743,
                     *         "defaultTokens": {
                     *           "usdc": null
                     *         },
                     *         "email": null,
                     *         "emailVerified": false,
                     *         "hasKeystore": true,
                     *         "id": "01a211e0-4f18-7cb8-afd3-d46df8c6212d",
                     *         "isReferred": false,
                     *         "passkeys": 0,
                     *         "passwordHint": null,
                     *         "referralCode": "CPA3PWJ9",
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *         "wallet": {
                     *           "address": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9",
                     *           "chain": "solana",
                     *           "provider": "phantom",
                     *           "publicKey": "ha9xc6Q872B2qJzRtqDfBvP9ngq3D26H8iT5U6S7od9"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            400: components["responses"]["rotateWallet400"];
            401: components["responses"]["setUpTotp401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_4014"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The account
                 * @example 01a211df-3d23-7305-962a-503ccc8b81a8
                 */
                id: components["schemas"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "authMethod": "wallet",
                     *         "createdAt": 1795596172580,
                     *         "email": null,
                     *         "id": "01a211df-3d23-7305-962a-503ccc8b81a8",
                     *         "lastSignInAt": 1795596172580,
                     *         "referredBy": null,
                     *         "role": "user",
                     *         "totpEnabled": false,
                     *         "tradingAddress": "bcrt1qkec688nkg3rcn7h03z6y0v7hn7zclm4z9tl7rz7xh5k0mkeks5dqfpwelz",
                     *         "wallet": {
                     *           "address": "bcrt1qu4ysvkvvtcyg4d9vq5xdz4jzg8dvdf35pkapam",
                     *           "chain": "bitcoin",
                     *           "provider": null,
                     *           "publicKey": "024264cd74f1cabea0d06f3f72c90f9b52881576750aa7fb30b0a8610ff229ba92"
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
                    "application/json": components["schemas"]["Single_AccountRow"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getAccount400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            404: components["responses"]["getAccount404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    authenticateUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                 *       "chain": "bitcoin",
                 *       "challengeId": "1a7f6085-4f3b-ec0d-55db-5a755e0773bc",
                 *       "provider": "xverse",
                 *       "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1",
                 *       "signature": "smpAUHOSpTn5e8bFIgIgafsIskIPORlz6goW7EbyxDwc5KO1YL+OB/mJuAJFfgpE1oigUBry7cZvMMWt/lE4snWjPr2AQ=="
                 *     }
                 */
                "application/json": components["schemas"]["Authenticate"];
            };
        };
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjBuN1NHSnRkREpDWTVrS2cifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMzllZS03NDA4LTkxM2YtNDlkMDMxMDVjM2E5Iiwic2lkIjoiMDFhMjExZTItM2FkMi03ZDVkLWE0ZDEtYmE4OWQ0ZWY0MDM3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjgsImlhdCI6MTc5NTU5NjM2OCwiZXhwIjoxNzk1NTk2OTY4LCJqdGkiOiIwMWEyMTFlMi0zYWQyLTcwMTktYjRhMC00ZTQxNjc1NWViOTIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596368431,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-39ee-7408-913f-49d03105c3a9",
                     *           "isReferred": true,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "ZZQR54Y7",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *           "wallet": {
                     *             "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "encryptedBlob": "a2V5cw==",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *         "wallet": {
                     *           "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["authenticate400"];
            401: components["responses"]["authenticate401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013_4019"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_4014"];
        };
    };
    logOutUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initPasskeySignInUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "options": {
                     *           "allowCredentials": [],
                     *           "challenge": "-5eOsjDZsR8kWQnqxOeWMZkcBK_9p2SFgl02VFNsKIo",
                     *           "rpId": "localhost",
                     *           "timeout": 300000,
                     *           "userVerification": "required"
                     *         },
                     *         "sessionId": "3a4df8b7-fc6d-ebc6-a551-29a9324fac47"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    reauthenticateUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "clientPublic": "J1UKA1sK2l7ljwYhCw+ohgYQ8CKaVaW7R+BgvoSi8ZG58JY5RU/gtpkzi4MaZ2LP8H/JkDtjWPKqhcWrDBHjvBPnxFtenNnR1ER+Qsm3kiIg2Jd744wxG1ufL4d1O53AzjgbhqAejXwEYCfAWtX2odNK55EMZ/tIH2xlrAsKrbrNPTHRzQRsB5cZM9Imsbvfv4C16mQBaogJQPE0ZvtYB35gBUZLwh4/7PE94hTYjWGS9rIBgGEc76AoUEnvhD4pTKhFhr9LqV74ceovPBkLhxPuKRMwztX7uB/bbsgSuJYIlpZuxLFmnNiKXQMnw23fVlgj8fu5DFwIcYMcNT5Qq442m6vA6K9R/I2YBVcJ2DA6VCRx+vdOnXCDrCAZQKncVYt1DUjohsZF2kqBwZZZD2JAeMwtf7cd52i9V1pmLkhGPr7jBQkh2P/jCF6cSRFsE023xr4xp131drY40y5WBcDoh9pyqWv9gnIP5Hg39SuQoZbbNb7at7VrqmVCGPAo",
                 *       "sessionId": "9a940898-b820-d916-a8c1-c866a1f81ce0"
                 *     }
                 */
                "application/json": components["schemas"]["Authenticate"];
            };
        };
        responses: {
            /** @description Authenticated */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjN6azF0SnZfTHZTZ0tub2kifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjFkNzYtYzNiYS03MjY3LThmOGItYjcwNWI2OWE1NTZkIiwic2lkIjoiMDFhMjFkNzYtYzNkNS03M2I2LWFiYmItMmZhNDY2ZjI3OTkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU3OTE4NTIsImlhdCI6MTc5NTc5MTg1MiwiZXhwIjoxNzk1NzkyNDUyLCJqdGkiOiIwMWEyMWQ4OS0xNDBmLTdjMjUtOTkzMi03YTI3ZWMwNzFjYzIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "serverProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Reauthenticated"];
                };
            };
            400: components["responses"]["reauthenticate400"];
            401: components["responses"]["reauthenticate401"];
            403: components["responses"]["listAccounts403"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013_4019"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshTokenUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description A new pair */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjI0NlJZZTdyYnJZMkZXVE0ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMmY3Zi03YTdmLThmYTktNWVhMjJjYTEzYjljIiwic2lkIjoiMDFhMjExZTItMmY5OS03NDJjLWIxNzctMDI4ODFhN2M2NDk5Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjUsImlhdCI6MTc5NTU5NjM2NSwiZXhwIjoxNzk1NTk2OTY1LCJqdGkiOiIwMWEyMTFlMi0yZmVhLTdiZTctODc2Ny0wZDk0OTYxMDcxZWYifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TokenPair"];
                };
            };
            400: components["responses"]["refreshToken400"];
            401: components["responses"]["refreshToken401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initPasskeyRegistrationUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "Ada@Example.com"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterPasskeyInit"];
            };
        };
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "options": {
                     *           "attestation": "none",
                     *           "authenticatorSelection": {
                     *             "requireResidentKey": true,
                     *             "residentKey": "required",
                     *             "userVerification": "required"
                     *           },
                     *           "challenge": "0sOjjSAuaBhX_AMN5x0Ywp4LGmKxDp-ObY4d2ZOIVNo",
                     *           "excludeCredentials": [],
                     *           "pubKeyCredParams": [
                     *             {
                     *               "alg": -7,
                     *               "type": "public-key"
                     *             },
                     *             {
                     *               "alg": -257,
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "rp": {
                     *             "id": "localhost",
                     *             "name": "Runeport"
                     *           },
                     *           "timeout": 300000,
                     *           "user": {
                     *             "displayName": "ada@example.com",
                     *             "id": "AaIR4gtze2q7I-CmaLCpag",
                     *             "name": "ada@example.com"
                     *           }
                     *         },
                     *         "sessionId": "8f460c82-5098-0bf9-6dda-b235eb4f8fc1"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            400: components["responses"]["initPasskeyRegistration400"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerPasskeyUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "id": "_TixGm0cIF5v_HJTIAiHfIoR9EV-h7ECQxAVxirDmCk",
                 *         "response": {
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIP04sRptHCBeb_xyUyAIh3yKEfRFfoexAkMQFcYqw5gppQECAyYgASFYIL0Huc0ZAEaqLBmHVAfe50WDqRinl_29nX6jzhKvMZfDIlggeZ-QJsF3L2FbTqKKIyhzLsNMUv5vVHKbSkDykho16Ls",
                 *           "clientDataJSON": "eyJjaGFsbGVuZ2UiOiJUdHVyeEdnRFljT1VNRG5oOUpOSVphaUUzRG5fVF9oamhSRkRNUi1pSjlNIiwiY3Jvc3NPcmlnaW4iOmZhbHNlLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0OjUxNzMiLCJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                 *           "transports": [
                 *             "internal",
                 *             "hybrid"
                 *           ]
                 *         },
                 *         "type": "public-key"
                 *       },
                 *       "email": "Ada@Example.com",
                 *       "encryptedBlob": "a2V5cw==",
                 *       "referralCode": "wxv34te7",
                 *       "sessionId": "5b4687b4-9456-b1c6-6da4-f645e2d09868"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterPasskey"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6Im5od3MwNUdHVjdLTFpUeG4ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTEtZmRhMC03NDA2LTk5NjgtZmYyMjVkODM5ZGUyIiwic2lkIjoiMDFhMjExZTEtZmRmOC03ZTI3LWE4MmMtYjFmMTgxNWY0OTU3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNTMsImlhdCI6MTc5NTU5NjM1MywiZXhwIjoxNzk1NTk2OTUzLCJqdGkiOiIwMWEyMTFlMS1mZGY4LTcxYzUtYTYyNC1mYTlmYzVhNGYzNGMifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "passkey",
                     *           "avatar": null,
                     *           "createdAt": 1795596353038,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e1-fda0-7406-9968-ff225d839de2",
                     *           "isReferred": true,
                     *           "passkeys": 1,
                     *           "passwordHint": null,
                     *           "referralCode": "CWEBTG6Z",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": null,
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": null,
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["registerPasskey400"];
            401: components["responses"]["registerPasskey401"];
            409: components["responses"]["registerPasskey409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerSrpUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challengeId": "9195b3ce-788d-3b07-8f1b-97f0758b2ec4",
                 *       "email": "p2pkh@example.com",
                 *       "encryptedBlob": "AAAA",
                 *       "signature": "H9iUxNqzOqx9GL/S7Dw8B/ycqXYt9WtkVCEeuorZ+flMDspaeAcT9ssMw7OM5jXUBpqqg9p9cYjc9hQC5k9HuCY=",
                 *       "srpGroup": 3072,
                 *       "srpSalt": "e/Ufppvqj8FpgMl3zaOXZFXi9QBIlZWsTOr1KXUELpo=",
                 *       "srpVerifier": "3qQm7Bsd/hIJUqEx3D/XIfyoNjws3/mKltmx4CsEvsCIhxddaNP0VP90qiFfHXfOH9F5qbanQYobNa3jwvPkCXJB/dvccTmKtpLZzSUKKK+7QTK7rkToIE4JDmneg4xKNVRnKUk+nXTewd10SWZQnrWMCKbMEjtRWao3+9LKtuonC64V7+9PaqvCispxmdiUx/7fUHsJq9sgaL1HbTsiJ4yImtXSZdV5wmkNRWZVJqbe9P+RcDqMBqajmpICnt++087NuU+24atix6pTRHY8SiMIpXzYj4aQkSIfto9j3SxeefjkAO25f4SrsxH+1c7SSRW10Bw39yF0k6B/KRHMCVs8fHZX1yFCqLTMG6SFub20l9J/EGmK2IGOm0aV+6jaElPkHYeHdQRh8E/lQydCbD2WnIToe5GmfCKIKCgAMdmBbXnSKRceSHGZkCYr+vm5XerjjDGWXaKBYaPUQyWQRQCaisA0DsMvkkuCE/Gc3k6pSKzHOdoesNaWJG0eoupV",
                 *       "tradingPublicKey": "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterSrp"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjZpMDRnX01jT081dU1GeW8ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItY2MzZC03NTQ3LWJkZmMtODBlMmI3NThiNzFmIiwic2lkIjoiMDFhMjExZTItY2M0MC03MzA1LTlhOWItNDk1NzYxNzM3ZmUzIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTY0MDUsImlhdCI6MTc5NTU5NjQwNSwiZXhwIjoxNzk1NTk3MDA1LCJqdGkiOiIwMWEyMTFlMi1jYzQwLTc5NTUtOGNiNC01YzUyYzI4Yzk3MTEifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "srp",
                     *           "avatar": null,
                     *           "createdAt": 1795596405838,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "p2pkh@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-cc3d-7547-bdfc-80e2b758b71f",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "EG8T0CRF",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["registerSrp400"];
            409: components["responses"]["registerSrp409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerWalletUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                 *       "chain": "bitcoin",
                 *       "challengeId": "6272ff2c-c6e8-3d4e-d2d2-024a8bf58efa",
                 *       "encryptedBlob": "b2xk",
                 *       "provider": "xverse",
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "signature": "smpAkcwRAIgKDYYHwwzISj/kcopYYrsHW5sOyxYvpG/a/5MEgX+POoCIHQ0EN+3GzUJhoa3XQPiNYe/tsGEc+rT+7n904ykITo0ASEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqw="
                 *     }
                 */
                "application/json": components["schemas"]["RegisterWallet"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjRUZGF5WEZVYUNNQVhwZGUifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTAtNGYxOC03Y2I4LWFmZDMtZDQ2ZGY4YzYyMTJkIiwic2lkIjoiMDFhMjExZTAtNGYzNi03ZTBiLWEyYmEtZjliOGQxYTY0NjkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYyNDIsImlhdCI6MTc5NTU5NjI0MiwiZXhwIjoxNzk1NTk2ODQyLCJqdGkiOiIwMWEyMTFlMC00ZjM2LTdjYTUtOGU1ZC03NWNlYzhjZjZkNjQifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596242743,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": null,
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e0-4f18-7cb8-afd3-d46df8c6212d",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "CPA3PWJ9",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *           "wallet": {
                     *             "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["registerWallet400"];
            409: components["responses"]["registerWallet409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_4014"];
        };
    };
    listSessionsUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "createdAt": 1795596107454,
                     *           "current": true,
                     *           "expiresAt": 1796200908000,
                     *           "id": "01a211de-3ebe-7ee4-8395-b34ad597a24e",
                     *           "lastUsedAt": 1795596107454,
                     *           "sourceIp": "127.0.0.1",
                     *           "userAgent": null
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_LiveSession"];
                };
            };
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSessionUnderApi: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Session id
                 * @example 01a211de-3c3e-7843-8693-e62ecc4b7e39
                 */
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            400: components["responses"]["revokeSession400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["revokeSession404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initSrpSignInUnderApi: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "a2048@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SrpInit"];
            };
        };
        responses: {
            /** @description The handshake */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "group": 2048,
                     *         "hash": "SHA-256",
                     *         "salt": "9Lwpu24Jsoz503fjUFtCrNCLiKGQ+lstPfpFy90vufs=",
                     *         "serverPublic": "IE/0UbKpE3VXOymqp1aUIqfrE/Xaw4G5pjic06pI3/ZwLPQYLRVdJw798Qz+i4oFTCZLCighoxJe6pUo1Lb12jBUG6mwQ6bLID/YSDiOn0PpH9ci759omtGgif3u5rpQmoZla0aI7e7JkxLwmq9B83APEFEV3jQRcYXwH3Ir9UU5eIM25c9bP5sxizQHwTNgtKD9rmEQeX9uGDjHZg5hDDbfefdYkV4fINHBl4rUOF5ViRNYxVm5X4zjBejvKxsTRAwZ9k6pCtpqo0C0mi7XcjfqG+1xmVLU+U5QbsnnMmiNFyh77R67kjZQ/BrwnvB7WOyFwinHDcD5GQ8V/KwAUA==",
                     *         "sessionId": "06a86f07-2b0c-5a72-e290-b260726a765c"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            400: components["responses"]["initSrpSignIn400"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletChallengeUnderApi: {
        parameters: {
            query: {
                /**
                 * @description The wallet's address.
                 * @example mjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP
                 */
                address: string;
                /** @description The chain of the address. Required only if the address is ambiguous. */
                chain?: components["schemas"]["Chain"];
                /**
                 * @description The use of the signature. By default, it serves both `signIn` and `rotate`; with a token, it serves
                 *     `signIn` if the address belongs to the account, and otherwise `rotate`.
                 */
                purpose?: components["schemas"]["ChallengePurpose"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "challengeId": "2f5e6326-f67e-b08b-b466-a94a597828f6",
                     *         "expiresAt": 1795596680591,
                     *         "message": "localhost wants you to sign in with your Bitcoin account:\nmjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP\n\nProve to Runeport that this wallet is yours. This costs nothing and moves nothing. Purpose: sign in.\n\nURI: http://localhost:5173\nVersion: 1\nChain ID: regtest\nNonce: 5079DQMQJQJ2FSRS5A77\nIssued At: 2026-11-25T08:46:20.591Z\nExpiration Time: 2026-11-25T08:51:20.591Z\nRequest ID: 2f5e6326-f67e-b08b-b466-a94a597828f6"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_IssuedChallenge"];
                };
            };
            400: components["responses"]["getWalletChallenge400"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFeeRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_FeeRates"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "affiliate": {
                     *           "affiliateAddress": "0x00000000000000000000000000000000000000aa",
                     *           "feeBps": 25,
                     *           "feePercent": 0.25
                     *         },
                     *         "appUrl": "http://localhost:5173",
                     *         "delayBlocks": 12960,
                     *         "features": [
                     *           "media"
                     *         ],
                     *         "fees": {
                     *           "cap": 100000,
                     *           "range": {
                     *             "highest": 500,
                     *             "lowest": 1
                     *           },
                     *           "targets": {
                     *             "economy": 24,
                     *             "fast": 1,
                     *             "normal": 3
                     *           }
                     *         },
                     *         "hubVault": null,
                     *         "hubVaultOnly": false,
                     *         "limits": [
                     *           {
                     *             "counts": "sign-ins and registrations",
                     *             "hits": 100,
                     *             "name": "signInBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "sign-ins of an account, counted once all of its factors are proved",
                     *             "hits": 60,
                     *             "name": "signInByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "handshakes that start a proof by password or passkey",
                     *             "hits": 60,
                     *             "name": "handshakeBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "handshakes that start a password proof for one account on one known device",
                     *             "hits": 20,
                     *             "name": "handshakeByDevice",
                     *             "windowSeconds": 900
                     *           },
                     *           {
                     *             "counts": "wallet challenges",
                     *             "hits": 120,
                     *             "name": "challengeBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "wallet challenges requested by a signed-in account",
                     *             "hits": 60,
                     *             "name": "challengeByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "codes since the last correct one on one known device; each code restarts the window",
                     *             "hits": 5,
                     *             "name": "otpByDevice",
                     *             "windowSeconds": 900
                     *           },
                     *           {
                     *             "counts": "codes of the second factor",
                     *             "hits": 60,
                     *             "name": "otpBySource",
                     *             "windowSeconds": 900
                     *           },
                     *           {
                     *             "counts": "changes of e-mail address and repeated verification mails requested by an account",
                     *             "hits": 3,
                     *             "name": "emailByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "attempts with mailed tokens on one known device",
                     *             "hits": 20,
                     *             "name": "emailTokenByDevice",
                     *             "windowSeconds": 600
                     *           },
                     *           {
                     *             "counts": "attempts with one mailed token for a change of e-mail address (custody rule 20), per known device and for all other devices together",
                     *             "hits": 5,
                     *             "name": "emailTokenByAccount",
                     *             "windowSeconds": 600
                     *           },
                     *           {
                     *             "counts": "mails with a link requested by accounts",
                     *             "hits": 10,
                     *             "name": "emailBySource",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "mails with a link to one address: repeated mails per account, registrations per source, and changes to the address",
                     *             "hits": 5,
                     *             "name": "emailByAddress",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "registrations with an e-mail address",
                     *             "hits": 50,
                     *             "name": "registrationBySource",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "mails with a link to one address caused by registrations from all sources; beyond the limit a registration succeeds without a mail, and its account can request one",
                     *             "hits": 20,
                     *             "name": "registrationMailByAddress",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "mails to an account about new devices; later sign-ins appear only in its audit trail",
                     *             "hits": 20,
                     *             "name": "noticeByAccount",
                     *             "windowSeconds": 86400
                     *           },
                     *           {
                     *             "counts": "Bitcoin transactions that an account creates or signs",
                     *             "hits": 60,
                     *             "name": "transactionByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "reads of an account's trading wallet: balance, coins, the largest amount",
                     *             "hits": 120,
                     *             "name": "walletByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "reads of a trading address, which need no token",
                     *             "hits": 300,
                     *             "name": "walletBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "deposits that an account announces",
                     *             "hits": 60,
                     *             "name": "depositByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "deposits that an account announces before Esplora knows their transactions",
                     *             "hits": 5,
                     *             "name": "awaitedDepositByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "reads of a rune, which need no token",
                     *             "hits": 300,
                     *             "name": "runeBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "refunds that an account created and did not sign in time; beyond the limit it can create no more",
                     *             "hits": 3,
                     *             "name": "refundExpiryByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "refund calculations, which need no token",
                     *             "hits": 300,
                     *             "name": "refundBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "swaps registered by an account",
                     *             "hits": 60,
                     *             "name": "swapByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "upload forms for media requested by an account",
                     *             "hits": 20,
                     *             "name": "mediaByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "history exports requested by an account",
                     *             "hits": 10,
                     *             "name": "exportByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "webhooks that an account adds or whose URL it changes, tests, redeliveries and replays",
                     *             "hits": 30,
                     *             "name": "webhookByAccount",
                     *             "windowSeconds": 3600
                     *           },
                     *           {
                     *             "counts": "tickets for sockets that an account draws",
                     *             "hits": 60,
                     *             "name": "ticketByAccount",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "sockets that are opened",
                     *             "hits": 120,
                     *             "name": "socketBySource",
                     *             "windowSeconds": 300
                     *           },
                     *           {
                     *             "counts": "calls by an account about a wallet at the perpetuals venue",
                     *             "hits": 60,
                     *             "name": "venueByAccount",
                     *             "windowSeconds": 300
                     *           }
                     *         ],
                     *         "network": "regtest",
                     *         "passkeyRpId": "localhost",
                     *         "renewal": {
                     *           "advised": 4032,
                     *           "needed": 1152
                     *         },
                     *         "signIn": {
                     *           "domain": "localhost",
                     *           "evmChainId": 1,
                     *           "messageTemplate": "Runeport signs {address} in: {timestamp}",
                     *           "uri": "http://localhost:5173"
                     *         },
                     *         "socketUrl": "ws://127.0.0.1:43865/socket",
                     *         "venue": {
                     *           "chain": "Testnet",
                     *           "chainId": 998,
                     *           "rpcUrl": "https://rpc.hyperliquid-testnet.xyz/evm"
                     *         },
                     *         "version": "1.0.0"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Deployment"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReference: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDownloadHistories: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /** @description Only exports with one of these statuses. */
                status_eq?: components["schemas"]["ExportStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of exports */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_DownloadHistory"];
                };
            };
            400: components["responses"]["listDownloadHistories400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDownloadHistory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                "application/json": components["schemas"]["CreateDownloadHistory"];
            };
        };
        responses: {
            /** @description The export, pending */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_DownloadHistory"];
                };
            };
            400: components["responses"]["createDownloadHistory400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            409: components["responses"]["Error409_1010_1011"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDownloadHistory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The export
                 * @example 01a211db-1c00-7205-a933-47527e0595d9
                 */
                id: components["schemas"]["ExportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_DownloadHistory"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getDownloadHistory400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_1104"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDownloadHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The export
                 * @example 01a211db-26ec-7f5d-a5a8-f686e9e78a80
                 */
                id: components["schemas"]["ExportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_DownloadHistory"];
                };
            };
            400: components["responses"]["deleteDownloadHistory400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_1104"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events after the one with this number: `metaData.next` of the previous response, or 0. Without it,
                 *     the list begins with the oldest event that is kept.
                 * @example 2
                 */
                after?: number;
                /** @description The maximum number of events in the response; 100 by default. */
                limit?: number;
                /** @description Only events of these types, separated by comma or space. */
                types?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["OkWith_Vec_EventItem_EventsMeta"];
                };
            };
            400: components["responses"]["listEvents400"];
            401: components["responses"]["Unauthorized"];
            410: components["responses"]["Error410_1101"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
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
            /** @description A ticket */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Ticket"];
                };
            };
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /**
                 * @description `1`: also check the dependencies of the service.
                 * @example 1
                 */
                deep?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "asked": [
                     *           "database",
                     *           "token keys"
                     *         ],
                     *         "status": "ok"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Health"];
                };
            };
            400: components["responses"]["getHealth400"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
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
                "application/json": components["schemas"]["PresignUploads"];
            };
        };
        responses: {
            /** @description The forms, in the order of the files */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["OkWith_Vec_MediaUpload_NoMetaData"];
                };
            };
            400: components["responses"]["createMediaUpload400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["createMediaUpload503"];
        };
    };
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of the file's key
                 * @example 01a21222-3b74-7f08-9655-a26c09efca0e.png
                 */
                name: components["schemas"]["MediaName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is deleted */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            400: components["responses"]["deleteMedia400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOlderOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    buildVenueBuilderFeeApproval: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "userAddress": "0x73CEB339294a2206e651fcD555028872F0B80C9A"
                 *     }
                 */
                "application/json": components["schemas"]["RequestApproval"];
            };
        };
        responses: {
            /** @description The action */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "action": {
                     *           "builder": "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359",
                     *           "maxFeeRate": "0.05%",
                     *           "signatureChainId": "0x3e6",
                     *           "type": "approveBuilderFee",
                     *           "venueChain": "Testnet"
                     *         },
                     *         "kind": "approve_builder_fee",
                     *         "signing": {
                     *           "digest": "0x8cc17e2536a25960f58a31f78a113209ca0cf5973b1d9bc45cea116c79ef2d35",
                     *           "domain": {
                     *             "chainId": 998,
                     *             "name": "HyperliquidSignTransaction",
                     *             "verifyingContract": "0x0000000000000000000000000000000000000000",
                     *             "version": "1"
                     *           },
                     *           "nonce": 1795596368000,
                     *           "primaryType": "HyperliquidTransaction:ApproveBuilderFee",
                     *           "scheme": "userSignedAction",
                     *           "types": {
                     *             "HyperliquidTransaction:ApproveBuilderFee": [
                     *               {
                     *                 "name": "hyperliquidChain",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "maxFeeRate",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "builder",
                     *                 "type": "address"
                     *               },
                     *               {
                     *                 "name": "nonce",
                     *                 "type": "uint64"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "gates": [
                     *           "builderFeeNotApproved"
                     *         ],
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_ApproveBuilderFee_VenueMetaData"];
                };
            };
            400: components["responses"]["buildVenueBuilderFeeApproval400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    buildVenueDeposit: {
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
                 *       "amount": "2",
                 *       "userAddress": "0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa"
                 *     }
                 */
                "application/json": components["schemas"]["VenueTransfer"];
            };
        };
        responses: {
            /** @description The transactions, in the order to send them */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "amount": "2",
                     *         "depositContract": "0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206",
                     *         "from": "0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa",
                     *         "rpcUrl": "http://127.0.0.1:9/evm",
                     *         "txs": [
                     *           {
                     *             "chainId": 998,
                     *             "data": "0x095ea7b30000000000000000000000000b80659a4076e9e93c7dbe0f10675a16a3e5c20600000000000000000000000000000000000000000000000000000000001e8480",
                     *             "to": "0x2B3370eE501B4a559b57D449569354196457D8Ab",
                     *             "value": "0x0"
                     *           },
                     *           {
                     *             "chainId": 998,
                     *             "data": "0x2b2dfd2c00000000000000000000000000000000000000000000000000000000001e84800000000000000000000000000000000000000000000000000000000000000000",
                     *             "to": "0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206",
                     *             "value": "0x0"
                     *           }
                     *         ],
                     *         "usdcToken": "0x2B3370eE501B4a559b57D449569354196457D8Ab"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "gates": [
                     *           "builderFeeNotApproved"
                     *         ],
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": [
                     *           {
                     *             "kind": "lowGas",
                     *             "message": "The wallet may not have enough of the chain's own coin to pay for both transactions."
                     *           },
                     *           {
                     *             "amount": "1",
                     *             "kind": "activationFee",
                     *             "message": "The first deposit pays 1 USDC for the activation of the account."
                     *           },
                     *           {
                     *             "amount": "1",
                     *             "kind": "netCredited",
                     *             "message": "The account is credited with 1 USDC."
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_Deposit_VenueMetaData"];
                };
            };
            400: components["responses"]["buildVenueDeposit400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_9001"];
        };
    };
    buildVenueReferral: {
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
                 *       "userAddress": "0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa"
                 *     }
                 */
                "application/json": components["schemas"]["RequestReferral"];
            };
        };
        responses: {
            /** @description The action, or null */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "action": {
                     *           "code": "RUNEPORT",
                     *           "type": "setReferrer"
                     *         },
                     *         "kind": "set_referrer",
                     *         "signing": {
                     *           "digest": "0xfb100936bf4ca8373dfee2e10deeaff5a62e78dccf41517021d07adbf37f7c37",
                     *           "domain": {
                     *             "chainId": 1337,
                     *             "name": "Exchange",
                     *             "verifyingContract": "0x0000000000000000000000000000000000000000",
                     *             "version": "1"
                     *           },
                     *           "nonce": 1795596368000,
                     *           "primaryType": "Agent",
                     *           "scheme": "l1Action",
                     *           "types": {
                     *             "Agent": [
                     *               {
                     *                 "name": "source",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "connectionId",
                     *                 "type": "bytes32"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "gates": [
                     *           "builderFeeNotApproved"
                     *         ],
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_Option_SetReferrer_VenueMetaData"];
                };
            };
            400: components["responses"]["buildVenueReferral400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVenueStatus: {
        parameters: {
            query: {
                /**
                 * @description An EVM wallet.
                 * @example 0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa
                 */
                userAddress: components["schemas"]["EvmWallet"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the wallet */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "allowance": "0",
                     *         "cumulativeVolumeUsd": "1234.5",
                     *         "gates": [
                     *           "builderFeeNotApproved"
                     *         ],
                     *         "maxBuilderFee": 10,
                     *         "referrer": {
                     *           "address": "0x00000000000000000000000000000000000000ff",
                     *           "code": "FRIEND"
                     *         },
                     *         "usdcBalance": "100",
                     *         "venueBalance": "7.25"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_VenueStatus_VenueStatusMetaData"];
                };
            };
            400: components["responses"]["getVenueStatus400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    buildVenueWithdrawal: {
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
                 *       "amount": "2",
                 *       "userAddress": "0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa"
                 *     }
                 */
                "application/json": components["schemas"]["VenueTransfer"];
            };
        };
        responses: {
            /** @description The action */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "action": {
                     *           "amount": "2",
                     *           "destination": "0x2000000000000000000000000000000000000000",
                     *           "destinationDex": "spot",
                     *           "fromSubAccount": "",
                     *           "signatureChainId": "0x3e6",
                     *           "sourceDex": "",
                     *           "token": "USDC:0xeb62eee3685fc4c43992febcd9e75443",
                     *           "type": "sendAsset",
                     *           "venueChain": "Testnet"
                     *         },
                     *         "kind": "withdraw",
                     *         "signing": {
                     *           "digest": "0x1607b66b2915abc57ae60a669c2a3d123b57ae5debe63b92e11261e2b6308831",
                     *           "domain": {
                     *             "chainId": 998,
                     *             "name": "HyperliquidSignTransaction",
                     *             "verifyingContract": "0x0000000000000000000000000000000000000000",
                     *             "version": "1"
                     *           },
                     *           "nonce": 1795596368000,
                     *           "primaryType": "HyperliquidTransaction:SendAsset",
                     *           "scheme": "userSignedAction",
                     *           "types": {
                     *             "HyperliquidTransaction:SendAsset": [
                     *               {
                     *                 "name": "hyperliquidChain",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "destination",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "sourceDex",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "destinationDex",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "token",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "amount",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "fromSubAccount",
                     *                 "type": "string"
                     *               },
                     *               {
                     *                 "name": "nonce",
                     *                 "type": "uint64"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "checks": "complete",
                     *         "currentPage": 1,
                     *         "gates": [],
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": [
                     *           {
                     *             "amount": "1",
                     *             "kind": "transferFee",
                     *             "message": "The venue takes 1 USDC for the transfer, on top of the amount."
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OkWith_Withdraw_VenueMetaData"];
                };
            };
            400: components["responses"]["buildVenueWithdrawal400"];
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_9001"];
        };
    };
    listPrizes: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
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
            /** @description A page of prizes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_Prize"];
                };
            };
            400: components["responses"]["listPrizes400"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerPrize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                "application/json": components["schemas"]["RegisterPrize"];
            };
        };
        responses: {
            /** @description The prize */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Prize"];
                };
            };
            400: components["responses"]["registerPrize400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["registerPrize409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getPrize: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The prize's number
                 * @example 3
                 */
                prizeNumber: components["schemas"]["PrizeNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prize */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_Prize"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getPrize400"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["getPrize404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "runeIds": [
                 *         "117:1"
                 *       ],
                 *       "type": "virtual_mint",
                 *       "userAddress": "0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa"
                 *     }
                 */
                "application/json": components["schemas"]["CreateRefund"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "base64Psbt": "cHNidP8BALICAAAAArstUIpDs3J/svXwr0Nnq8nM8YLkXbG8AAwVPvvwI1R8AAAAAAD9////OE9IQykRSUGaL2IVYh9ypflTDojDR4JOkQQiZYeQ1cYBAAAAAP3///8C428AAAAAAAAiACCUnVUgy63aLmFVMA/BXApOw4tv5DZWL9sHiuCj+n0oQYpvAQAAAAAAIgAglJ1VIMut2i5hVTAPwVwKTsOLb+Q2Vi/bB4rgo/p9KEEAAAAAAAEBHzB1AAAAAAAAFgAUcC4ezUF1Tq/qDXv5AVqrn1IFOGgBAwQBAAAAAAEBK4pvAQAAAAAAIgAglJ1VIMut2i5hVTAPwVwKTsOLb+Q2Vi/bB4rgo/p9KEEBAwQBAAAAAQVNIQOgxGf/0qV/MTWk87JA8d3rDPhkrxkGFhKOJ1/MgsBSrK0hA1vqdyk+kzz2oYHJ+Y5jjwV6dEc+WWDTvod/V+j454k9rHNkAqAysmgAAAA=",
                     *         "expiresAt": 1795597350970,
                     *         "fee": {
                     *           "feeRate": 4.988,
                     *           "totalFee": 1357
                     *         },
                     *         "txId": "a58e11b6fe3774d31dc52e105190b17c3a41faeaa5c5272e08402927beda953e",
                     *         "userInputIndexes": [
                     *           1
                     *         ]
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_UnsignedTransaction"];
                };
            };
            400: components["responses"]["createRefund400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["createRefund409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    calculateRefund: {
        parameters: {
            query: {
                /**
                 * @description The kind of payment to refund.
                 * @example virtual_mint
                 */
                type: components["schemas"]["RefundType"];
                /**
                 * @description Rune ids, separated by commas.
                 * @example 117:1
                 */
                runeIds: string;
                /**
                 * @description The address that created the VM transactions, or the trading address that paid for them.
                 * @example bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2
                 */
                userAddress: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "runeId": "117:1",
                     *             "sats": 335,
                     *             "txIds": [
                     *               "908034f223985bf34868038a17a03596cae307c6062a57f707c1fec29a30aac1"
                     *             ]
                     *           }
                     *         ],
                     *         "more": false,
                     *         "networkFee": 1357,
                     *         "refundableSats": 0,
                     *         "totalSats": 335,
                     *         "type": "virtual_mint",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Calculation"];
                };
            };
            400: components["responses"]["calculateRefund400"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    signRefund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "base64Psbt": "cHNidP8BAF4CAAAAAXdekk0go62KYcKuLuZ5cX2AsVnbWBiUQNO8wNbs3l7iAAAAAAD9////ATsOAAAAAAAAIgAgtOFiPyhkIzs4dTIx5hVrTxjI6vNO5z7dXElphMyJZeIAAAAAAAEBH4gTAAAAAAAAFgAUcDDJSa2jqJ+j39fS3tVwDja8ZtsBAwQBAAAAAAA=",
                 *       "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                 *     }
                 */
                "application/json": components["schemas"]["SignRefund"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "state": "inMempool",
                     *         "txId": "001bf7618f134f5a008df86e746e14867f015b5fca30ee78823859249e307568"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            400: components["responses"]["signRefund400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["Error409_1010_1011_2016"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The refund
                 * @example 50cccdd71702ce08c5d659d0a3d420662499234d081efd824e1f8e47c4eebd7e
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "base64Psbt": "cHNidP8BANsCAAAAA7Sys0Px8nm56pr2Jxv4N/+iSRbm5XsyHmkOKkhB16NmAAAAAAD9////1ZWbmV4bthQZFieMr9NKueRQcqvkCCaKCr1m56p2wPwAAAAAAP3///+0srND8fJ5ueqa9icb+Df/okkW5uV7Mh5pDipIQdejZgEAAAAA/f///wInLAAAAAAAACIAIGSrMXsQ9sMexwlGTEmgtTPQfbwQUaxWtUPv/tvLqmRNvEwBAAAAAAAiACBkqzF7EPbDHscJRkxJoLUz0H28EFGsVrVD7/7by6pkTQAAAAAAAQEfQB8AAAAAAAAWABRx2wofTqYmGcuB/2owUKEWcpIoaQEDBAEAAAAAAQEfiBMAAAAAAAAWABRx2wofTqYmGcuB/2owUKEWcpIoaQEDBAEAAAAAAQErvEwBAAAAAAAiACBkqzF7EPbDHscJRkxJoLUz0H28EFGsVrVD7/7by6pkTQEDBAEAAAABBU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSECdEcCwEuyE/PeSufxfvLx6112Y/ZNQzvwrThgjV5GuD+sc2QCoDKyaAAAAA==",
                     *         "blockHeight": null,
                     *         "confirmations": null,
                     *         "createdAt": 1795646736417,
                     *         "expiresAt": 1795647336417,
                     *         "feeSats": 1697,
                     *         "history": [
                     *           {
                     *             "at": 1795646736417,
                     *             "state": "unsigned"
                     *           }
                     *         ],
                     *         "isFinal": false,
                     *         "items": [
                     *           {
                     *             "mintId": "01a214de-f5f8-710a-8542-ba0c0574d69d",
                     *             "refundState": "open",
                     *             "runeId": "117:1",
                     *             "sats": 8000,
                     *             "txId": "66a3d741482a0e691e327be5e61649a2ff37f81b27f69aeab979f2f143b3b2b4"
                     *           },
                     *           {
                     *             "mintId": "01a214de-f5f8-710a-8542-ba0c0574d69d",
                     *             "refundState": "open",
                     *             "runeId": "117:1",
                     *             "sats": 5000,
                     *             "txId": "fcc076aae766bd0a8a2608e4ab7250e4b94ad3af8c27161914b61b5e999b95d5"
                     *           }
                     *         ],
                     *         "refundedSats": 11303,
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "state": "unsigned",
                     *         "totalSats": 13000,
                     *         "txId": "50cccdd71702ce08c5d659d0a3d420662499234d081efd824e1f8e47c4eebd7e",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
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
                    "application/json": components["schemas"]["Single_OneRefund"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getRefund400"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Error404_2019"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRune: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The rune
                 * @example 117:1
                 */
                runeId: components["schemas"]["EtchedRune"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rune */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_RuneInfo"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getRune400"];
            404: components["responses"]["getRune404"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /**
                 * @description Only tokens of one of these chains.
                 * @example [
                 *       "1"
                 *     ]
                 */
                chain_eq?: components["schemas"]["TokenChain"][];
                /** @description Only tokens that may be the default token of one of these slots. */
                slot_eq?: components["schemas"]["Slot"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_TokenRow"];
                };
            };
            400: components["responses"]["listTokens400"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The token
                 * @example 42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831
                 */
                tokenId: components["schemas"]["TokenId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_TokenRow"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getToken400"];
            404: components["responses"]["getToken404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBitcoinTransactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /**
                 * @description Only transactions in one of these states. Transactions that are not signed are listed only if `unsigned`
                 *     is among them.
                 */
                state_eq?: components["schemas"]["TransactionState"][];
                /** @description Only transactions of one of these kinds. */
                type_eq?: components["schemas"]["Kind"][];
                /** @description Only withdrawals of one of these tokens. */
                tokenId_eq?: components["schemas"]["BitcoinToken"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                     *           "createdAt": 1795597659696,
                     *           "feeSats": 970,
                     *           "id": "53b5cf4f26473c0f527c85167e02eeaa12218f12faf9f77eaf9e057915404456",
                     *           "replaceTxId": null,
                     *           "replacedByTxId": null,
                     *           "state": "inMempool",
                     *           "tokenId": "0:0",
                     *           "txId": "53b5cf4f26473c0f527c85167e02eeaa12218f12faf9f77eaf9e057915404456",
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
                    "application/json": components["schemas"]["Envelope_Vec_TransactionRow"];
                };
            };
            400: components["responses"]["listBitcoinTransactions400"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBitcoinTransaction: {
        parameters: {
            query?: {
                /**
                 * @description With `true`, the request is checked and planned as usual, and the response with status 200 shows the
                 *     transaction that it would create. Nothing is created, no coin is reserved, no draft ends, and
                 *     `Idempotency-Key` is ignored. It counts against the limit of wallet reads, not against that of
                 *     transactions.
                 */
                dryRun?: boolean;
            };
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "params": {
                 *         "amount": "40000",
                 *         "tokenId": "0:0",
                 *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39"
                 *       },
                 *       "type": "withdraw"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTransaction"];
            };
        };
        responses: {
            /** @description With `dryRun`: the transaction that would be created */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_TransactionPreview_Notes"];
                };
            };
            /** @description The transaction to sign */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "base64Psbt": "cHNidP8BAIkCAAAAAUwFnz5xniFB3wfM3SQjtucAiRovp0NfFuj9i1FCOn9oAAAAAAD9////AkCcAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk1UEAAAAAAAACIAIBMFXZzlcJZgw++OoXj5Ncvya32TTwzZfElMmCRW9rK9AAAAAAABAStQwwAAAAAAACIAIBMFXZzlcJZgw++OoXj5Ncvya32TTwzZfElMmCRW9rK9AQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQPnuAwUaoyRKTTiv/ARrqCX2VW0pqWpW3WMLMyBimGEwqxzZAKgMrJoAAAA",
                     *         "expiresAt": 1795597581161,
                     *         "fee": {
                     *           "feeRate": 30,
                     *           "totalFee": 5820
                     *         },
                     *         "txId": "e0c2699a8bf0cc17a7e6bf013d65cadfb885e18902799a5047530cf64daa36ca",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "40000",
                     *         "coinsLeftAside": {
                     *           "immature": 0,
                     *           "inscribed": 1,
                     *           "notRead": 0,
                     *           "reserved": 0,
                     *           "unconfirmed": 1,
                     *           "unknown": 0
                     *         },
                     *         "currentPage": 1,
                     *         "expiresInBlocks": 12957,
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
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            400: components["responses"]["createBitcoinTransaction400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            404: components["responses"]["Error404_2017"];
            409: components["responses"]["Error409_1010_1011_2016_2021_2023"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    calculateMaxSpent: {
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
                 *       "params": {
                 *         "tokenId": "0:0"
                 *       },
                 *       "type": "xchain-withdraw"
                 *     }
                 */
                "application/json": components["schemas"]["MaxSpent"];
            };
        };
        responses: {
            /** @description The largest amount */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "coins": 2,
                     *         "fee": 1455,
                     *         "feeRate": 5,
                     *         "leftOut": [
                     *           {
                     *             "coins": 1,
                     *             "reason": "inscribed",
                     *             "sats": 10000
                     *           }
                     *         ],
                     *         "maxAmount": "78545",
                     *         "maxSatsAmt": 78545
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_LargestAmount"];
                };
            };
            400: components["responses"]["calculateMaxSpent400"];
            401: components["responses"]["listAccounts401"];
            409: components["responses"]["calculateMaxSpent409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    signBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "params": {
                 *         "signedBase64Tx": "cHNidP8BAF4CAAAAAcPo1YYYzQk53JgfhumFIhSYnlO2S8aTvWV2SczhtjzyAAAAAAD9////Aa7YAAAAAAAAIgAgPN++O9z5ErMQEYFAhs2O9j0viHIkcOwCWQshlxVIsxgAAAAAAAEBK2DqAAAAAAAAIgAgPN++O9z5ErMQEYFAhs2O9j0viHIkcOwCWQshlxVIsxgiAgOgxGf/0qV/MTWk87JA8d3rDPhkrxkGFhKOJ1/MgsBSrEcwRAIgGsrWupDYESQDX+uQq7TFc1qLiA31Ld9/7nEMdziy66kCIBnqGcmZM5osnKAlS6JAK0XETNysSMrAbpgfHAQreNXXAQEDBAEAAAABBU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSECh+xv7PnLPdpg35YuyzXI5FGe5RXXIHpGFOtpRSD8WnCsc2QCoDKyaAAA"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignTransaction"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "state": "inMempool",
                     *         "txId": "20968e3b8bbd691ea4191bcf1993d51e6ce3686d8531e34beec10a18c4340206"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            400: components["responses"]["signBitcoinTransaction400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            409: components["responses"]["Error409_1010_1011_2016"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The transaction
                 * @example 34a3f278e97b17563abb800dad9c088a8dc7a6078746f4b0c31e1491da19d5b2
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "amount": "10000",
                     *         "base64Psbt": null,
                     *         "blockHeight": 112,
                     *         "confirmations": 1,
                     *         "createdAt": 1795645254246,
                     *         "expiresAt": null,
                     *         "feeSats": 970,
                     *         "history": [
                     *           {
                     *             "at": 1795645254246,
                     *             "state": "unsigned"
                     *           },
                     *           {
                     *             "at": 1795645254283,
                     *             "state": "signing"
                     *           },
                     *           {
                     *             "at": 1795645254312,
                     *             "state": "broadcasting"
                     *           },
                     *           {
                     *             "at": 1795645254322,
                     *             "state": "inMempool"
                     *           },
                     *           {
                     *             "at": 1795645315542,
                     *             "state": "confirmed"
                     *           }
                     *         ],
                     *         "id": "34a3f278e97b17563abb800dad9c088a8dc7a6078746f4b0c31e1491da19d5b2",
                     *         "isFinal": false,
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "state": "confirmed",
                     *         "tokenId": "0:0",
                     *         "txId": "34a3f278e97b17563abb800dad9c088a8dc7a6078746f4b0c31e1491da19d5b2",
                     *         "type": "withdraw",
                     *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39"
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
                    "application/json": components["schemas"]["Single_OneTransaction"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getBitcoinTransaction400"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Error404_2019"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The transaction
                 * @example 0cf859cb6a1863de314da06c57acff5940b11971fbfb0f7263f721fa4992562b
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction, `expired` */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "state": "expired",
                     *         "txId": "0cf859cb6a1863de314da06c57acff5940b11971fbfb0f7263f721fa4992562b"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            400: components["responses"]["releaseBitcoinTransaction400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_2019"];
            409: components["responses"]["releaseBitcoinTransaction409"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceBitcoinTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
                 *     response again. It gets 409 while the first request is in progress, or if the body differs.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The transaction
                 * @example c3800d0bcb05cad0ba3e9e324f0575ec3bf8296c02a23186ba5797786b9b37bc
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "bump"
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceTransaction"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "base64Psbt": "cHNidP8BAIkCAAAAAVkSfN6vqMizOfvWN21kfcCaKJrYrZj9p1IFGnm45sYVAAAAAAD9////AiBOAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk30MwEAAAAAACIAINcgiHiM+r7Yd62+LGM4yhLPjAspa24X14dHIF8+eaBzAAAAAAABASughgEAAAAAACIAINcgiHiM+r7Yd62+LGM4yhLPjAspa24X14dHIF8+eaBzAQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQLaUdljRDGFZPoBcSQa8R9m9GVgw7xHaGpiuifsD5CiSaxzZAKgMrJoAAAA",
                     *         "expiresAt": 1795597577230,
                     *         "fee": {
                     *           "feeRate": 6,
                     *           "totalFee": 1164
                     *         },
                     *         "txId": "28bca0be5c923dea17d6790fa619b6d608969f3fd83738d55b372954b384fcce",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "20000",
                     *         "coinsLeftAside": {
                     *           "immature": 0,
                     *           "inscribed": 0,
                     *           "notRead": 0,
                     *           "reserved": 0,
                     *           "unconfirmed": 1,
                     *           "unknown": 0
                     *         },
                     *         "currentPage": 1,
                     *         "expiresInBlocks": 12959,
                     *         "left": 0,
                     *         "pageSize": 1,
                     *         "totalItems": 1,
                     *         "totalPages": 1,
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            400: components["responses"]["replaceBitcoinTransaction400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            404: components["responses"]["replaceBitcoinTransaction404"];
            409: components["responses"]["Error409_1010_1011_2016_2021_2023"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    listUtxos: {
        parameters: {
            query: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description A trading address; required.
                 * @example BCRT1Q5ZQPF6QH8UK7QSSUE248END2YTDZWS9UXZQZAWE2HQKVFXKYAT7QLX7D6K
                 */
                address_eq: string;
                /** @description `true` lists nothing: spent outputs are not listed. */
                isSpent_eq?: boolean;
                /** @description `true`: only outputs that mints refuse. `false`: only other outputs. */
                isExpired_eq?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of outputs */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "_id": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d:0",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.0005",
                     *           "confirmations": 9,
                     *           "height": 111,
                     *           "id": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d:0",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": [],
                     *           "satoshi": 50000,
                     *           "status": "confirmed",
                     *           "txid": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d",
                     *           "txidVout": "a3c814e9d45b0624c08b2f2adb4c49c8334115d4d2017a41ed501dfd1b75656d:0",
                     *           "vout": 0
                     *         },
                     *         {
                     *           "_id": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d:0",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.0003",
                     *           "confirmations": 9,
                     *           "height": 111,
                     *           "id": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d:0",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": [],
                     *           "satoshi": 30000,
                     *           "status": "confirmed",
                     *           "txid": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d",
                     *           "txidVout": "ce38bd95f49bee40f7e4166f82f8f1008c6f5cd1ba42e9f30ee1695c7a1ab67d:0",
                     *           "vout": 0
                     *         },
                     *         {
                     *           "_id": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e:1",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.0001",
                     *           "confirmations": 2,
                     *           "height": 118,
                     *           "id": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e:1",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": [
                     *             {
                     *               "amount": "1000",
                     *               "divisibility": 2,
                     *               "runeid": "118:1",
                     *               "spacedRune": "WANTEDWANTEDWANTED",
                     *               "symbol": null
                     *             }
                     *           ],
                     *           "satoshi": 10000,
                     *           "status": "confirmed",
                     *           "txid": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e",
                     *           "txidVout": "b45ddb7b90e90d9a440f189c4e506ca06647d6972747ff827aa85b2bd60a392e:1",
                     *           "vout": 1
                     *         },
                     *         {
                     *           "_id": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1:0",
                     *           "address": "bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k",
                     *           "amount": "0.00007",
                     *           "confirmations": 0,
                     *           "height": null,
                     *           "id": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1:0",
                     *           "isExpired": false,
                     *           "isSpent": false,
                     *           "runes": null,
                     *           "satoshi": 7000,
                     *           "status": "unconfirmed",
                     *           "txid": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1",
                     *           "txidVout": "0183e3584e267f4f21417bef3c0827031c4aa4fc288822a546146e51a8b7c4d1:0",
                     *           "vout": 0
                     *         }
                     *       ],
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 10,
                     *         "totalItems": 4,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_UtxoRow"];
                };
            };
            400: components["responses"]["listUtxos400"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    listVmTransactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /**
                 * @description Only rows in one of these states. `unsigned` and `expired` return only the caller's own rows, and
                 *     require `runeId_eq`.
                 * @example [
                 *       "distributed"
                 *     ]
                 */
                state_eq?: components["schemas"]["VmState"][];
                /**
                 * @description Only rows of this rune.
                 * @example 117:1
                 */
                runeId_eq?: components["schemas"]["EtchedRune"];
                /** @description Only rows of one of these mints. A rune can have several mints, one after the other. */
                mintId_eq?: components["schemas"]["MintId"][];
                /** @description Only rows paid from this trading address. */
                tradingAddress_eq?: string;
                /** @description Only rows that this address created. */
                userAddress_eq?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of VM transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_VmTransactionRow"];
                };
            };
            400: components["responses"]["listVmTransactions400"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createVmTransaction: {
        parameters: {
            query?: {
                /**
                 * @description With `true`, the request is checked and planned as usual, and the response with status 200 shows the
                 *     transaction that it would create. Nothing is created, no coin is reserved, no draft ends, and
                 *     `Idempotency-Key` is ignored. It counts against the limit of wallet reads, not against that of
                 *     transactions.
                 */
                dryRun?: boolean;
            };
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                "application/json": components["schemas"]["CreateVmTransaction"];
            };
        };
        responses: {
            /** @description With `dryRun`: the transaction that would be created */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_TransactionPreview_Notes"];
                };
            };
            /** @description The transaction to sign */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_UnsignedTransaction"];
                };
            };
            400: components["responses"]["createVmTransaction400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["createVmTransaction409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    countUnconfirmedRequests: {
        parameters: {
            query?: {
                /** @description Only requests for this rune. */
                runeId?: components["schemas"]["EtchedRune"];
                /** @description Only requests that this address created. */
                userAddress?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_UnconfirmedRequests"];
                };
            };
            400: components["responses"]["countUnconfirmedRequests400"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMints: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /** @description Only mints of this rune. */
                runeId_eq?: components["schemas"]["EtchedRune"];
                /** @description Only mints in one of these states. */
                state_eq?: components["schemas"]["MintState"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mints */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_MintRow"];
                };
            };
            400: components["responses"]["listMints400"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                "application/json": components["schemas"]["CreateMint"];
            };
        };
        responses: {
            /** @description The mint */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_MintRow"];
                };
            };
            400: components["responses"]["createMint400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["createMint409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getMint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The mint
                 * @example 01a211f6-8a39-7bbf-b52a-e3ebd4f31346
                 */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mint */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_MintRow"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getMint400"];
            404: components["responses"]["Error404_6008"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVirtualBlocks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The mint
                 * @example 01a211ed-3541-7b07-ac4c-6edf7f4d97e2
                 */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of virtual blocks */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_VirtualBlockRow"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["listVirtualBlocks400"];
            404: components["responses"]["Error404_6008"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeMint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The mint
                 * @example 01a211ec-295a-74cc-a779-f7d1b470aba7
                 */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mint */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_MintRow"];
                };
            };
            400: components["responses"]["closeMint400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            404: components["responses"]["Error404_6008"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMintEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events after the one with this number: `metaData.next` of the previous response, or 0. Without it,
                 *     the list begins with the oldest event that is kept.
                 * @example 2
                 */
                after?: number;
                /** @description The maximum number of events in the response; 100 by default. */
                limit?: number;
                /** @description Only events of these types, separated by comma or space. */
                types?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The mint
                 * @example 01a2123d-b4be-7a6b-83ed-101664548997
                 */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["OkWith_Vec_EventItem_EventsMeta"];
                };
            };
            400: components["responses"]["listMintEvents400"];
            404: components["responses"]["Error404_6008"];
            410: components["responses"]["Error410_1101"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNextVirtualBlock: {
        parameters: {
            query?: {
                /** @description The number of requests that `priceToEnter` applies to; 1 by default. */
                requestCount?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The mint
                 * @example 01a214ce-5b43-7d42-83a5-5e5cc6abe9b6
                 */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next virtual block */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_NextVirtualBlock"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getNextVirtualBlock400"];
            404: components["responses"]["Error404_6008"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    signVmTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                "application/json": components["schemas"]["SignVmTransaction"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["CreatedWith_VmTransactionStatus_NoMetaData"];
                };
            };
            400: components["responses"]["signVmTransaction400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["signVmTransaction409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getVmTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Txid of the commitment
                 * @example f1e0742089f8512433d40686b2216d417be620e906884254067afb0c37c8fc52
                 */
                txId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The VM transaction */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Single_OneVmTransaction"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getVmTransaction400"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["getVmTransaction404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnWallet: {
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
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "walletAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                 *     }
                 */
                "application/json": components["schemas"]["OwnWallet"];
            };
        };
        responses: {
            /** @description The trading wallet */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "tradingAddress": "bcrt1q299chf6perjwt3080vtr4hz2y7walady5ft86zttlangrnwecm3svvk4g8",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *         "userPublicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_WalletDetails"];
                };
            };
            400: components["responses"]["getOwnWallet400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAddressBalance: {
        parameters: {
            query: {
                /**
                 * @description A trading address.
                 * @example bcrt1q5zqpf6qh8uk7qssue248end2ytdzws9uxzqzawe2hqkvfxkyat7qlx7d6k
                 */
                address: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "btcSatoshi": 80000,
                     *         "externalPendingSatoshi": 7000,
                     *         "pendingSatoshi": 0,
                     *         "totalUtxos": 3
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_AddressBalance"];
                };
            };
            400: components["responses"]["getAddressBalance400"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    getWalletDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The address of a sign-in wallet, or a trading address
                 * @example bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2
                 */
                userAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trading wallet */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "tradingAddress": "bcrt1q299chf6perjwt3080vtr4hz2y7walady5ft86zttlangrnwecm3svvk4g8",
                     *         "userAddress": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_WalletDetails"];
                };
            };
            400: components["responses"]["getWalletDetails400"];
            404: components["responses"]["Error404_3026"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description `account` for the caller's own webhooks, or `deployment`, which requires the role admin. */
                scope?: components["schemas"]["WebhookScope"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Vec_WebhookRow"];
                };
            };
            400: components["responses"]["listWebhooks400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                "application/json": components["schemas"]["AddWebhook"];
            };
        };
        responses: {
            /** @description The webhook, with its secret */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_WebhookRow"];
                };
            };
            400: components["responses"]["createWebhook400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011_4024"];
            403: components["responses"]["Error403_1007"];
            409: components["responses"]["createWebhook409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-3fd2-7d63-b419-6f0b80353e77
                 */
                id: components["schemas"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_WebhookRow"];
                };
            };
            400: components["responses"]["getWebhook400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_1103"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-3b74-7f08-9655-a26c09efca0e
                 */
                id: components["schemas"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            400: components["responses"]["deleteWebhook400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["Error404_1103"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-4be3-7ded-b11d-d12414b464bc
                 */
                id: components["schemas"]["WebhookId"];
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
                "application/json": components["schemas"]["ChangeWebhook"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_WebhookRow"];
                };
            };
            400: components["responses"]["updateWebhook400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["Error404_1103"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries before the one with this id: `metaData.next` of the previous response. */
                before?: components["schemas"]["SentId"];
                /**
                 * @description The maximum number of deliveries in the response; 20 by default.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-3f90-7a2d-a5e3-372f063fdf9a
                 */
                id: components["schemas"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["OkWith_Vec_WebhookDelivery_DeliveriesMeta"];
                };
            };
            400: components["responses"]["listWebhookDeliveries400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["Error404_1103"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverEvent: {
        parameters: {
            query?: {
                /** @description The account, required if the scope of the webhook is `deployment`; otherwise it is the caller's. */
                accountId?: components["schemas"]["AccountId"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-4be3-7ded-b11d-d12414b464bc
                 */
                id: components["schemas"]["WebhookId"];
                /**
                 * @description The number of the event
                 * @example 2
                 */
                sequence: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested delivery */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_AskedDelivery"];
                };
            };
            400: components["responses"]["redeliverEvent400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["Error404_1103"];
            409: components["responses"]["redeliverEvent409"];
            410: components["responses"]["Error410_1101"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-4145-78e2-964e-0dfeeae4c7f1
                 */
                id: components["schemas"]["WebhookId"];
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
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_WebhookRow"];
                };
            };
            400: components["responses"]["replayWebhook400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["Error404_1103"];
            409: components["responses"]["Error409_1014"];
            410: components["responses"]["Error410_1101"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-3b74-7f08-9655-a26c09efca0e
                 */
                id: components["schemas"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, with its secret */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_WebhookRow"];
                };
            };
            400: components["responses"]["rotateWebhookSecret400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["Error404_1103"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook
                 * @example 01a21222-3c2e-766f-96a7-734af45a3a7e
                 */
                id: components["schemas"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_WebhookTest"];
                };
            };
            400: components["responses"]["testWebhook400"];
            401: components["responses"]["setUpTotp401"];
            404: components["responses"]["Error404_1103"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAffiliate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fee */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "affiliateAddress": "0x00000000000000000000000000000000000000aa",
                     *         "feeBps": 25,
                     *         "feePercent": 0.25
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Affiliate"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createXchainWithdrawal: {
        parameters: {
            query?: {
                /**
                 * @description With `true`, the request is checked and planned as usual, and the response with status 200 shows the
                 *     transaction that it would create. Nothing is created, no coin is reserved, no draft ends, and
                 *     `Idempotency-Key` is ignored. It counts against the limit of wallet reads, not against that of
                 *     transactions.
                 */
                dryRun?: boolean;
            };
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "params": {
                 *         "amount": "5000",
                 *         "tokenId": "0:0",
                 *         "withdrawTo": "bcrt1pnngdl0zq5u7ud030wd8g8rakrhywd3kjys2ydkutttmzgcampexsl8cv39",
                 *         "xchainData": "0xdeadbeef"
                 *       },
                 *       "type": "xchain-withdraw"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTransaction"];
            };
        };
        responses: {
            /** @description With `dryRun`: the transaction that would be created */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_TransactionPreview_Notes"];
                };
            };
            /** @description The transaction to sign */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "base64Psbt": "cHNidP8BALQCAAAAATykcjqGrKjPUwdAxJ9oRwofTDs1Sb3xeKiwKnQVYM3TAAAAAAD9////A4gTAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk0AAAAAAAAAACJqIF94wzJ05D+p3lZZJlwdkX4lwDci3LC40n241f6qgTlTd24BAAAAAAAiACCBvNRIGLPKWdxqMqbMc4EWs36/I+mLz7iizL7oMmG71QAAAAAAAQEroIYBAAAAAAAiACCBvNRIGLPKWdxqMqbMc4EWs36/I+mLz7iizL7oMmG71QEDBAEAAAABBU0hA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsrSECKA4OVUctNbFaCN451iN/4VDyVgEOqoIkbboyE2BiPRmsc2QCoDKyaAAAAAA=",
                     *         "expiresAt": 1795597314197,
                     *         "fee": {
                     *           "feeRate": 5,
                     *           "totalFee": 1185
                     *         },
                     *         "txId": "ff24ad807d8b78d8d8165376827ba163195b2ecc609c0a81a38b5caeeb2e8dc8",
                     *         "userInputIndexes": [
                     *           0
                     *         ]
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "amount": "5000",
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
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            400: components["responses"]["createXchainWithdrawal400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            403: components["responses"]["Error403_1007"];
            404: components["responses"]["Error404_2017"];
            409: components["responses"]["Error409_1010_1011_2016_2021_2023"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    signXchainWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text chosen by the client. Within 24 hours the same request with the same key gets the first
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
                 *       "params": {
                 *         "signedBase64Tx": "cHNidP8BALQCAAAAAfphN8idV0VN8GWzCfbWd/PRK7QdfC6EXL1j3CJngky5AAAAAAD9////AyBOAAAAAAAAIlEgnNDfvECnPca+L3NOg4+2HcjmxtIkFEbbi1r2JGO7Dk0AAAAAAAAAACJqIF94wzJ05D+p3lZZJlwdkX4lwDci3LC40n241f6qgTlT3zMBAAAAAAAiACBec2tcZai4mb4L7qlZ8zybrsz3F8j/6h99jfPzl8KwpwAAAAAAAQEroIYBAAAAAAAiACBec2tcZai4mb4L7qlZ8zybrsz3F8j/6h99jfPzl8KwpyICA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKsRzBEAiBCgNKcAfLOCF23WIysYRnh6pF/t658bCVeMSLDUA1HGAIgTleIo7qaXL53Z/UiCGDbWzQKblXGuTHLesp/YC/1380BAQMEAQAAAAEFTSEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqytIQNmU+pTcdmq2SkAKgAGI6Y8jC7EtzjXRURzxuvCEcxwo6xzZAKgMrJoAAAAAA=="
                 *       },
                 *       "type": "xchain-withdraw"
                 *     }
                 */
                "application/json": components["schemas"]["SignTransaction"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "state": "signing",
                     *         "txId": "34c4c9eed3e5acce23a53d44076967141cc9f4ddff1f217c8a0593adca98033c"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            400: components["responses"]["signXchainWithdrawal400"];
            401: components["responses"]["Error401_4002_4003_4004_4006_4010_4011"];
            409: components["responses"]["Error409_1010_1011_2016"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            502: components["responses"]["Error502_2003"];
            503: components["responses"]["Error503_1009_2022"];
        };
    };
    listXchainTransactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /**
                 * @description Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
                 *     names them. A leading `-` means descending.
                 */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
                 *     also the hidden field `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
                 *     with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
                 *     account; outside the list of accounts it is set only on the caller's own rows. Either is null if
                 *     absent.
                 */
                populate?: string;
                /**
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
                 *     list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
                 *     go.
                 */
                asOf?: number;
                /** @description Only transactions whose tradingAddress, withdrawTo or userAddress is this address. */
                relatedAddress_eq?: string;
                /**
                 * @description Only transactions that exchange these two tokens, in either direction: two token addresses separated
                 *     by a comma.
                 */
                intentTokenPair_eq?: string;
                /** @description Only transactions that sell or buy this token. */
                intentToken_eq?: string;
                /** @description Only transactions with one of these statuses; requires `relatedAddress_eq`. */
                status_eq?: components["schemas"]["XchainStatus"][];
                /** @description Only transactions of one of these kinds; requires `relatedAddress_eq`. */
                type_eq?: components["schemas"]["XchainType"][];
                /** @description Only transactions from one of these chains, by the hub's ids; requires `relatedAddress_eq`. */
                srcChain_eq?: number[];
                /** @description Only transactions to one of these chains, by the hub's ids; requires `relatedAddress_eq`. */
                dstChain_eq?: number[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of cross-chain transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "createdAt": 1795596985299,
                     *           "dstChain": null,
                     *           "id": "f5d1ba516d300a9753996d762a7e52740e1430661135c33525a594a34ed2c1cf",
                     *           "intent": {
                     *             "inputAmount": "10000",
                     *             "inputToken": "0:0",
                     *             "minOutputAmount": null,
                     *             "outputToken": null
                     *           },
                     *           "intentTxHash": null,
                     *           "spokeTxHash": null,
                     *           "srcChain": null,
                     *           "status": "pending",
                     *           "tradingAddress": "bcrt1qufyqql4lpr25sqyv32vjcj6vf9fjc7fl97zcj4kxp3z5ygf63qzss7rzvs",
                     *           "txId": "f5d1ba516d300a9753996d762a7e52740e1430661135c33525a594a34ed2c1cf",
                     *           "type": "xchain-withdraw",
                     *           "updatedAt": 1795596985299,
                     *           "userAddress": "bcrt1qufyqql4lpr25sqyv32vjcj6vf9fjc7fl97zcj4kxp3z5ygf63qzss7rzvs",
                     *           "verified": true,
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
                    "application/json": components["schemas"]["Envelope_Vec_XchainRow"];
                };
            };
            400: components["responses"]["listXchainTransactions400"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerSwap: {
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
                 *       "dstAddress": "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
                 *       "dstChain": 8453,
                 *       "inputAmount": "1000000",
                 *       "inputToken": "0:0",
                 *       "intentTxHash": "0x110000000000000000000000000000000000000000000000000000000000000f",
                 *       "minOutputAmount": "990000",
                 *       "outputToken": "0:0",
                 *       "spokeTxHash": "0x220000000000000000000000000000000000000000000000000000000000000f",
                 *       "srcAddress": "0xb483d87d0ef3af2fadbe88ff7228b535f3875011",
                 *       "srcChain": 42161,
                 *       "walletAddress": "0xb483d87d0ef3af2fadbe88ff7228b535f3875011"
                 *     }
                 */
                "application/json": components["schemas"]["Swap"];
            };
        };
        responses: {
            /** @description The swap is registered */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "registered": true
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Registration"];
                };
            };
            400: components["responses"]["registerSwap400"];
            401: components["responses"]["listAccounts401"];
            403: components["responses"]["listAccounts403"];
            409: components["responses"]["registerSwap409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getXchainTransaction: {
        parameters: {
            query?: {
                /** @description The hub's id of the source chain, if `txId` is a transaction on it. */
                srcChain?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The hash: 32 bytes in hex, or 32 or 64 in base58
                 * @example 0x1100000000000000000000000000000000000000000000000000000000000001
                 */
                txId: components["schemas"]["TxHash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "createdAt": 1795596728079,
                     *         "dstChain": 8453,
                     *         "failedAtStep": null,
                     *         "failureReason": null,
                     *         "fillTxHash": null,
                     *         "history": [
                     *           {
                     *             "at": 1795596728079,
                     *             "status": "registered"
                     *           }
                     *         ],
                     *         "id": "01a211e7-b6d9-75e1-9a35-4a778a3d98ec",
                     *         "intent": {
                     *           "inputAmount": "1000000",
                     *           "inputToken": "0x00000000000000000000000000000000000000aa",
                     *           "minOutputAmount": "990000",
                     *           "outputToken": "0x00000000000000000000000000000000000000bb"
                     *         },
                     *         "intentTxHash": "0x1100000000000000000000000000000000000000000000000000000000000001",
                     *         "replaceTxId": null,
                     *         "replacedByTxId": null,
                     *         "spokeTxHash": "0x2200000000000000000000000000000000000000000000000000000000000001",
                     *         "srcChain": 42161,
                     *         "status": "registered",
                     *         "tradingAddress": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *         "txId": "0x1100000000000000000000000000000000000000000000000000000000000001",
                     *         "type": "swap",
                     *         "updatedAt": 1795596728079,
                     *         "userAddress": "0xdd62b5a1857c32a3140c7c962ecbe622aa61abaa",
                     *         "verified": false,
                     *         "withdrawTo": "0x00000000000000000000000000000000000000dd"
                     *       },
                     *       "message": "common.success",
                     *       "metaData": {
                     *         "currentPage": 1,
                     *         "pageSize": 1,
                     *         "pollAfterMs": 5000,
                     *         "totalItems": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Single_OneXchainTransaction"];
                };
            };
            /** @description The client has this answer already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["getXchainTransaction400"];
            404: components["responses"]["Error404_8003"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSwapStatus: {
        parameters: {
            query?: {
                /** @description The hub's id of the source chain, if `txId` is a transaction on it. */
                srcChain?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The hash: 32 bytes in hex, or 32 or 64 in base58
                 * @example 0x1100000000000000000000000000000000000000000000000000000000000002
                 */
                txId: components["schemas"]["TxHash"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Status of the transaction */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "dstChain": 8453,
                     *         "failedAtStep": "verification",
                     *         "failureReason": "The hub's record differs: dstChain.",
                     *         "history": [
                     *           {
                     *             "at": 1795596793130,
                     *             "status": "registered"
                     *           },
                     *           {
                     *             "at": 1795596824378,
                     *             "status": "failed"
                     *           }
                     *         ],
                     *         "isFinal": true,
                     *         "srcChain": 42161,
                     *         "stale": false,
                     *         "status": "failed",
                     *         "txId": "0x1100000000000000000000000000000000000000000000000000000000000002",
                     *         "updatedAt": 1795596824378,
                     *         "verified": false
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SwapStatus"];
                };
            };
            400: components["responses"]["getSwapStatus400"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Error404_8003"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    authenticate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                 *       "chain": "bitcoin",
                 *       "challengeId": "1a7f6085-4f3b-ec0d-55db-5a755e0773bc",
                 *       "provider": "xverse",
                 *       "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1",
                 *       "signature": "smpAUHOSpTn5e8bFIgIgafsIskIPORlz6goW7EbyxDwc5KO1YL+OB/mJuAJFfgpE1oigUBry7cZvMMWt/lE4snWjPr2AQ=="
                 *     }
                 */
                "application/json": components["schemas"]["Authenticate"];
            };
        };
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjBuN1NHSnRkREpDWTVrS2cifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMzllZS03NDA4LTkxM2YtNDlkMDMxMDVjM2E5Iiwic2lkIjoiMDFhMjExZTItM2FkMi03ZDVkLWE0ZDEtYmE4OWQ0ZWY0MDM3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjgsImlhdCI6MTc5NTU5NjM2OCwiZXhwIjoxNzk1NTk2OTY4LCJqdGkiOiIwMWEyMTFlMi0zYWQyLTcwMTktYjRhMC00ZTQxNjc1NWViOTIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596368431,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-39ee-7408-913f-49d03105c3a9",
                     *           "isReferred": true,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "ZZQR54Y7",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *           "wallet": {
                     *             "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "encryptedBlob": "a2V5cw==",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qhyeecm3xwdznlxxqvnsf0vlzgzf8de8962w09y57ssf328ng0pcql90ked",
                     *         "wallet": {
                     *           "address": "bcrt1py4ss3pegl0lgdzn307l5lt0hjme3mp598f8yrvrk64j50ut08ftqgvqmk6",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "02c058797c8b1427dbc009086d0f854af0f96abeb2066264dc47861beffd23f6e1"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["authenticate400"];
            401: components["responses"]["authenticate401"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013_4019"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_4014"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "options": {
                     *           "allowCredentials": [],
                     *           "challenge": "-5eOsjDZsR8kWQnqxOeWMZkcBK_9p2SFgl02VFNsKIo",
                     *           "rpId": "localhost",
                     *           "timeout": 300000,
                     *           "userVerification": "required"
                     *         },
                     *         "sessionId": "3a4df8b7-fc6d-ebc6-a551-29a9324fac47"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "clientPublic": "J1UKA1sK2l7ljwYhCw+ohgYQ8CKaVaW7R+BgvoSi8ZG58JY5RU/gtpkzi4MaZ2LP8H/JkDtjWPKqhcWrDBHjvBPnxFtenNnR1ER+Qsm3kiIg2Jd744wxG1ufL4d1O53AzjgbhqAejXwEYCfAWtX2odNK55EMZ/tIH2xlrAsKrbrNPTHRzQRsB5cZM9Imsbvfv4C16mQBaogJQPE0ZvtYB35gBUZLwh4/7PE94hTYjWGS9rIBgGEc76AoUEnvhD4pTKhFhr9LqV74ceovPBkLhxPuKRMwztX7uB/bbsgSuJYIlpZuxLFmnNiKXQMnw23fVlgj8fu5DFwIcYMcNT5Qq442m6vA6K9R/I2YBVcJ2DA6VCRx+vdOnXCDrCAZQKncVYt1DUjohsZF2kqBwZZZD2JAeMwtf7cd52i9V1pmLkhGPr7jBQkh2P/jCF6cSRFsE023xr4xp131drY40y5WBcDoh9pyqWv9gnIP5Hg39SuQoZbbNb7at7VrqmVCGPAo",
                 *       "sessionId": "9a940898-b820-d916-a8c1-c866a1f81ce0"
                 *     }
                 */
                "application/json": components["schemas"]["Authenticate"];
            };
        };
        responses: {
            /** @description Authenticated */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjN6azF0SnZfTHZTZ0tub2kifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjFkNzYtYzNiYS03MjY3LThmOGItYjcwNWI2OWE1NTZkIiwic2lkIjoiMDFhMjFkNzYtYzNkNS03M2I2LWFiYmItMmZhNDY2ZjI3OTkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU3OTE4NTIsImlhdCI6MTc5NTc5MTg1MiwiZXhwIjoxNzk1NzkyNDUyLCJqdGkiOiIwMWEyMWQ4OS0xNDBmLTdjMjUtOTkzMi03YTI3ZWMwNzFjYzIifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "serverProof": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Reauthenticated"];
                };
            };
            400: components["responses"]["reauthenticate400"];
            401: components["responses"]["reauthenticate401"];
            403: components["responses"]["listAccounts403"];
            409: components["responses"]["Error409_1014"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013_4019"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description A new pair */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjI0NlJZZTdyYnJZMkZXVE0ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItMmY3Zi03YTdmLThmYTktNWVhMjJjYTEzYjljIiwic2lkIjoiMDFhMjExZTItMmY5OS03NDJjLWIxNzctMDI4ODFhN2M2NDk5Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNjUsImlhdCI6MTc5NTU5NjM2NSwiZXhwIjoxNzk1NTk2OTY1LCJqdGkiOiIwMWEyMTFlMi0yZmVhLTdiZTctODc2Ny0wZDk0OTYxMDcxZWYifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_TokenPair"];
                };
            };
            400: components["responses"]["refreshToken400"];
            401: components["responses"]["refreshToken401"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "Ada@Example.com"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterPasskeyInit"];
            };
        };
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "options": {
                     *           "attestation": "none",
                     *           "authenticatorSelection": {
                     *             "requireResidentKey": true,
                     *             "residentKey": "required",
                     *             "userVerification": "required"
                     *           },
                     *           "challenge": "0sOjjSAuaBhX_AMN5x0Ywp4LGmKxDp-ObY4d2ZOIVNo",
                     *           "excludeCredentials": [],
                     *           "pubKeyCredParams": [
                     *             {
                     *               "alg": -7,
                     *               "type": "public-key"
                     *             },
                     *             {
                     *               "alg": -257,
                     *               "type": "public-key"
                     *             }
                     *           ],
                     *           "rp": {
                     *             "id": "localhost",
                     *             "name": "Runeport"
                     *           },
                     *           "timeout": 300000,
                     *           "user": {
                     *             "displayName": "ada@example.com",
                     *             "id": "AaIR4gtze2q7I-CmaLCpag",
                     *             "name": "ada@example.com"
                     *           }
                     *         },
                     *         "sessionId": "8f460c82-5098-0bf9-6dda-b235eb4f8fc1"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            400: components["responses"]["initPasskeyRegistration400"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "id": "_TixGm0cIF5v_HJTIAiHfIoR9EV-h7ECQxAVxirDmCk",
                 *         "response": {
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIP04sRptHCBeb_xyUyAIh3yKEfRFfoexAkMQFcYqw5gppQECAyYgASFYIL0Huc0ZAEaqLBmHVAfe50WDqRinl_29nX6jzhKvMZfDIlggeZ-QJsF3L2FbTqKKIyhzLsNMUv5vVHKbSkDykho16Ls",
                 *           "clientDataJSON": "eyJjaGFsbGVuZ2UiOiJUdHVyeEdnRFljT1VNRG5oOUpOSVphaUUzRG5fVF9oamhSRkRNUi1pSjlNIiwiY3Jvc3NPcmlnaW4iOmZhbHNlLCJvcmlnaW4iOiJodHRwOi8vbG9jYWxob3N0OjUxNzMiLCJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
                 *           "transports": [
                 *             "internal",
                 *             "hybrid"
                 *           ]
                 *         },
                 *         "type": "public-key"
                 *       },
                 *       "email": "Ada@Example.com",
                 *       "encryptedBlob": "a2V5cw==",
                 *       "referralCode": "wxv34te7",
                 *       "sessionId": "5b4687b4-9456-b1c6-6da4-f645e2d09868"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterPasskey"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6Im5od3MwNUdHVjdLTFpUeG4ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTEtZmRhMC03NDA2LTk5NjgtZmYyMjVkODM5ZGUyIiwic2lkIjoiMDFhMjExZTEtZmRmOC03ZTI3LWE4MmMtYjFmMTgxNWY0OTU3Iiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYzNTMsImlhdCI6MTc5NTU5NjM1MywiZXhwIjoxNzk1NTk2OTUzLCJqdGkiOiIwMWEyMTFlMS1mZGY4LTcxYzUtYTYyNC1mYTlmYzVhNGYzNGMifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "passkey",
                     *           "avatar": null,
                     *           "createdAt": 1795596353038,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "ada@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e1-fda0-7406-9968-ff225d839de2",
                     *           "isReferred": true,
                     *           "passkeys": 1,
                     *           "passwordHint": null,
                     *           "referralCode": "CWEBTG6Z",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": null,
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": null,
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["registerPasskey400"];
            401: components["responses"]["registerPasskey401"];
            409: components["responses"]["registerPasskey409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerSrp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challengeId": "9195b3ce-788d-3b07-8f1b-97f0758b2ec4",
                 *       "email": "p2pkh@example.com",
                 *       "encryptedBlob": "AAAA",
                 *       "signature": "H9iUxNqzOqx9GL/S7Dw8B/ycqXYt9WtkVCEeuorZ+flMDspaeAcT9ssMw7OM5jXUBpqqg9p9cYjc9hQC5k9HuCY=",
                 *       "srpGroup": 3072,
                 *       "srpSalt": "e/Ufppvqj8FpgMl3zaOXZFXi9QBIlZWsTOr1KXUELpo=",
                 *       "srpVerifier": "3qQm7Bsd/hIJUqEx3D/XIfyoNjws3/mKltmx4CsEvsCIhxddaNP0VP90qiFfHXfOH9F5qbanQYobNa3jwvPkCXJB/dvccTmKtpLZzSUKKK+7QTK7rkToIE4JDmneg4xKNVRnKUk+nXTewd10SWZQnrWMCKbMEjtRWao3+9LKtuonC64V7+9PaqvCispxmdiUx/7fUHsJq9sgaL1HbTsiJ4yImtXSZdV5wmkNRWZVJqbe9P+RcDqMBqajmpICnt++087NuU+24atix6pTRHY8SiMIpXzYj4aQkSIfto9j3SxeefjkAO25f4SrsxH+1c7SSRW10Bw39yF0k6B/KRHMCVs8fHZX1yFCqLTMG6SFub20l9J/EGmK2IGOm0aV+6jaElPkHYeHdQRh8E/lQydCbD2WnIToe5GmfCKIKCgAMdmBbXnSKRceSHGZkCYr+vm5XerjjDGWXaKBYaPUQyWQRQCaisA0DsMvkkuCE/Gc3k6pSKzHOdoesNaWJG0eoupV",
                 *       "tradingPublicKey": "03c4b1f3709e8296e2ac9a517ba47596729ca1a0f82565fc529033c8a5d953ad62"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterSrp"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjZpMDRnX01jT081dU1GeW8ifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTItY2MzZC03NTQ3LWJkZmMtODBlMmI3NThiNzFmIiwic2lkIjoiMDFhMjExZTItY2M0MC03MzA1LTlhOWItNDk1NzYxNzM3ZmUzIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTY0MDUsImlhdCI6MTc5NTU5NjQwNSwiZXhwIjoxNzk1NTk3MDA1LCJqdGkiOiIwMWEyMTFlMi1jYzQwLTc5NTUtOGNiNC01YzUyYzI4Yzk3MTEifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [],
                     *           "authMethod": "srp",
                     *           "avatar": null,
                     *           "createdAt": 1795596405838,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": "p2pkh@example.com",
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e2-cc3d-7547-bdfc-80e2b758b71f",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "EG8T0CRF",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *           "wallet": null
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qm74zn63l4uk3a8ddhfmj6uew2qta9d5rdehckl44485fatdg7ccqw75m48",
                     *         "wallet": null
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["registerSrp400"];
            409: components["responses"]["registerSrp409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                 *       "chain": "bitcoin",
                 *       "challengeId": "6272ff2c-c6e8-3d4e-d2d2-024a8bf58efa",
                 *       "encryptedBlob": "b2xk",
                 *       "provider": "xverse",
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "signature": "smpAkcwRAIgKDYYHwwzISj/kcopYYrsHW5sOyxYvpG/a/5MEgX+POoCIHQ0EN+3GzUJhoa3XQPiNYe/tsGEc+rT+7n904ykITo0ASEDoMRn/9KlfzE1pPOyQPHd6wz4ZK8ZBhYSjidfzILAUqw="
                 *     }
                 */
                "application/json": components["schemas"]["RegisterWallet"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "accessToken": "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSIsImtpZCI6IjRUZGF5WEZVYUNNQVhwZGUifQ.eyJpc3MiOiJydW5lcG9ydC1sb2NhbCIsImF1ZCI6InJ1bmVwb3J0Iiwic3ViIjoiMDFhMjExZTAtNGYxOC03Y2I4LWFmZDMtZDQ2ZGY4YzYyMTJkIiwic2lkIjoiMDFhMjExZTAtNGYzNi03ZTBiLWEyYmEtZjliOGQxYTY0NjkwIiwicm9sZSI6InVzZXIiLCJhdXRoX3RpbWUiOjE3OTU1OTYyNDIsImlhdCI6MTc5NTU5NjI0MiwiZXhwIjoxNzk1NTk2ODQyLCJqdGkiOiIwMWEyMTFlMC00ZjM2LTdjYTUtOGU1ZC03NWNlYzhjZjZkNjQifQ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "account": {
                     *           "addresses": [
                     *             {
                     *               "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *               "chain": "bitcoin"
                     *             }
                     *           ],
                     *           "authMethod": "wallet",
                     *           "avatar": null,
                     *           "createdAt": 1795596242743,
                     *           "defaultTokens": {
                     *             "usdc": null
                     *           },
                     *           "email": null,
                     *           "emailVerified": false,
                     *           "hasKeystore": true,
                     *           "id": "01a211e0-4f18-7cb8-afd3-d46df8c6212d",
                     *           "isReferred": false,
                     *           "passkeys": 0,
                     *           "passwordHint": null,
                     *           "referralCode": "CPA3PWJ9",
                     *           "role": "user",
                     *           "totpEnabled": false,
                     *           "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *           "wallet": {
                     *             "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *             "chain": "bitcoin",
                     *             "provider": "xverse",
                     *             "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *           }
                     *         },
                     *         "deviceToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "expiresIn": 600,
                     *         "refreshToken": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *         "tradingAddress": "bcrt1qj8dk855wrhy33amltzvmlnjevzgukeexzfus03ex6g7ucncdqnxq3fkpnx",
                     *         "wallet": {
                     *           "address": "bcrt1qeyplct3ktmk6mhlgq0v5spy08ajy0w8wtdv6q2",
                     *           "chain": "bitcoin",
                     *           "provider": "xverse",
                     *           "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac"
                     *         }
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            400: components["responses"]["registerWallet400"];
            409: components["responses"]["registerWallet409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Error503_1009_4014"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": [
                     *         {
                     *           "createdAt": 1795596107454,
                     *           "current": true,
                     *           "expiresAt": 1796200908000,
                     *           "id": "01a211de-3ebe-7ee4-8395-b34ad597a24e",
                     *           "lastUsedAt": 1795596107454,
                     *           "sourceIp": "127.0.0.1",
                     *           "userAgent": null
                     *         }
                     *       ],
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_Vec_LiveSession"];
                };
            };
            401: components["responses"]["listAccounts401"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Session id
                 * @example 01a211de-3c3e-7843-8693-e62ecc4b7e39
                 */
                id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            400: components["responses"]["revokeSession400"];
            401: components["responses"]["listAccounts401"];
            404: components["responses"]["revokeSession404"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    initSrpSignIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
                 *     other devices do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "a2048@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SrpInit"];
            };
        };
        responses: {
            /** @description The handshake */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "group": 2048,
                     *         "hash": "SHA-256",
                     *         "salt": "9Lwpu24Jsoz503fjUFtCrNCLiKGQ+lstPfpFy90vufs=",
                     *         "serverPublic": "IE/0UbKpE3VXOymqp1aUIqfrE/Xaw4G5pjic06pI3/ZwLPQYLRVdJw798Qz+i4oFTCZLCighoxJe6pUo1Lb12jBUG6mwQ6bLID/YSDiOn0PpH9ci759omtGgif3u5rpQmoZla0aI7e7JkxLwmq9B83APEFEV3jQRcYXwH3Ir9UU5eIM25c9bP5sxizQHwTNgtKD9rmEQeX9uGDjHZg5hDDbfefdYkV4fINHBl4rUOF5ViRNYxVm5X4zjBejvKxsTRAwZ9k6pCtpqo0C0mi7XcjfqG+1xmVLU+U5QbsnnMmiNFyh77R67kjZQ/BrwnvB7WOyFwinHDcD5GQ8V/KwAUA==",
                     *         "sessionId": "06a86f07-2b0c-5a72-e290-b260726a765c"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            400: components["responses"]["initSrpSignIn400"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletChallenge: {
        parameters: {
            query: {
                /**
                 * @description The wallet's address.
                 * @example mjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP
                 */
                address: string;
                /** @description The chain of the address. Required only if the address is ambiguous. */
                chain?: components["schemas"]["Chain"];
                /**
                 * @description The use of the signature. By default, it serves both `signIn` and `rotate`; with a token, it serves
                 *     `signIn` if the address belongs to the account, and otherwise `rotate`.
                 */
                purpose?: components["schemas"]["ChallengePurpose"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "1",
                     *       "data": {
                     *         "challengeId": "2f5e6326-f67e-b08b-b466-a94a597828f6",
                     *         "expiresAt": 1795596680591,
                     *         "message": "localhost wants you to sign in with your Bitcoin account:\nmjuYK2hgh8Rxu5Z7vFEbCtV2wJxcn8KadP\n\nProve to Runeport that this wallet is yours. This costs nothing and moves nothing. Purpose: sign in.\n\nURI: http://localhost:5173\nVersion: 1\nChain ID: regtest\nNonce: 5079DQMQJQJ2FSRS5A77\nIssued At: 2026-11-25T08:46:20.591Z\nExpiration Time: 2026-11-25T08:51:20.591Z\nRequest ID: 2f5e6326-f67e-b08b-b466-a94a597828f6"
                     *       },
                     *       "message": "common.success"
                     *     }
                     */
                    "application/json": components["schemas"]["Envelope_IssuedChallenge"];
                };
            };
            400: components["responses"]["getWalletChallenge400"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["Error429_1013"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveCoinsRenewalAdvised: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CoinsRenewalAdvisedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CoinsRenewalNeededEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositConfirmedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositSeenEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportCompletedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportFailedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundStateChangedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionEndedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransactionStateChangedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VmTransactionStateChangedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookVerificationEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The challenge of the request. */
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
                /** @description The id of the event, the same in each attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since the epoch. */
                "webhook-timestamp": string;
                /** @description Its signatures by the secrets of the webhook, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["XchainStatusChangedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone: the service turns the webhook off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver has it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
