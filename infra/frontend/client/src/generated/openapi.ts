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
         * The public keys of access tokens (RFC 7517).
         * @description The response has no envelope, so that libraries can read it directly.
         */
        get: operations["jwks"];
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
         * @description Sorts: `createdAt`, `email`. Hidden fields: `referredBy`, `lastSignInAt`. Relations: `wallet`, and
         *     `referrer`, the account that invited this one, or null.
         */
        get: operations["list_accounts"];
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
        post: operations["set_up_totp"];
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
         * @description Within 15 minutes of a sign-in, a code of a new secret replaces the one in use. Every other session ends.
         */
        post: operations["toggle_totp"];
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
        get: operations["list_activity"];
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
        get: operations["list_addresses"];
        put?: never;
        /**
         * Links an address to the account.
         * @description It can then be used wherever one of the caller's own addresses is required, but it cannot sign in. Requires a sign-in within the last 15 minutes.
         */
        post: operations["link_address"];
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
        delete: operations["unlink_address"];
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
        patch: operations["set_avatar"];
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
         * @description A repeated request with the same address gets a new handshake. If the last mail is at least 60 seconds old, it also mails a new token, which replaces the earlier one. At most 3 requests per hour may send mail.
         */
        post: operations["init_change_email"];
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
         * @description Both change together with the uniqueness records and the token, all or none. Every other session ends.
         */
        post: operations["verify_change_email"];
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
         * @description `tokenId` must name the token in it.
         */
        delete: operations["remove_default_token"];
        options?: never;
        head?: never;
        /** Sets the account's default token for a slot. */
        patch: operations["set_default_token"];
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
        get: operations["keystore"];
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
        get: operations["me"];
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
        get: operations["list_passkeys"];
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
        post: operations["init_passkey"];
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
        post: operations["verify_passkey"];
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
        delete: operations["delete_passkey"];
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
        get: operations["verify_referral_code"];
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
        /** Starts a change of password with the handshake that proves the current one. */
        post: operations["init_change_password"];
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
         * @description Salt, verifier, keystore and hint change together, if the verifier is still the one that the proof was checked against. Every other session ends.
         */
        post: operations["verify_change_password"];
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
        get: operations["trading_wallet"];
        put?: never;
        /**
         * Creates the trading wallet of an account that has none because it does not sign in with a Bitcoin wallet.
         * @description It is created only once, and its keys never change. Requires a sign-in within the last 15 minutes.
         */
        post: operations["make_trading_wallet"];
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
        get: operations["trading_wallet_balance"];
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
         * @description Each says what it holds, what keeps it from being spent, and when the user alone can spend it. The list is read from the chain and filtered and sorted as a whole.
         */
        get: operations["list_coins"];
        put?: never;
        post?: never;
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
         * @description It is everything needed to spend the coins of the trading wallet without the platform after their delay, except for the private key. Store it outside the platform. It contains no secret. If the chain cannot be read, the kit has no coins and is still complete: the recovery page finds them.
         */
        get: operations["recovery_kit"];
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
        post: operations["verify_email"];
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
         * @description At most 3 per hour.
         */
        post: operations["resend_verification"];
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
        post: operations["rotate_wallet"];
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
        /** One account. Admins only. */
        get: operations["account_by_id"];
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
         * @description The same as `POST /auth/authenticate`.
         */
        post: operations["authenticate_under_api"];
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
         * @description The same as `POST /auth/logout`.
         */
        post: operations["logout_under_api"];
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
         * @description The same as `POST /auth/passkey/init`.
         */
        post: operations["passkey_init_under_api"];
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
         * @description The same as `POST /auth/refresh-token`.
         */
        post: operations["refresh_token_under_api"];
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
         * @description The same as `POST /auth/register/passkey/init`.
         */
        post: operations["register_passkey_init_under_api"];
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
         * @description The same as `POST /auth/register/passkey/verify`.
         */
        post: operations["register_passkey_under_api"];
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
         * @description The same as `POST /auth/register/srp`.
         */
        post: operations["register_srp_under_api"];
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
         * @description The same as `POST /auth/register/wallet`.
         */
        post: operations["register_wallet_under_api"];
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
         * @description The same as `GET /auth/sessions`.
         */
        get: operations["list_sessions_under_api"];
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
         * @description The same as `DELETE /auth/sessions/{id}`.
         */
        delete: operations["revoke_session_under_api"];
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
         * @description The same as `POST /auth/srp/init`.
         */
        post: operations["srp_init_under_api"];
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
         * @description The same as `GET /auth/wallet/challenge`.
         */
        get: operations["wallet_challenge_under_api"];
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
        /** Returns the fee rates that the service read last, at most six hours ago and usually within ten minutes. */
        get: operations["fee_rates"];
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
         * What a frontend needs to know about this deployment before a user signs in.
         * @description Clients may cache it for five minutes.
         */
        get: operations["config"];
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
         * The reference as a page.
         * @description It is made of the OpenAPI document, contains no scripts, and loads nothing. Clients may cache it for five minutes.
         */
        get: operations["page"];
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
        /** The caller's exports, newest first. */
        get: operations["list_download_histories"];
        put?: never;
        /**
         * Requests a file of the caller's history.
         * @description A background worker makes the file from the rows that the history has at the time of the request, in their state at the time of writing. The list shows the progress and, once the file is complete, a download link.
         */
        post: operations["create_download_history"];
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
        /** One of the caller's exports. */
        get: operations["download_history"];
        put?: never;
        post?: never;
        /**
         * Deletes the file of one of the caller's exports, or stops the export if there is no file yet.
         * @description The row stays in the list as `expired`; a failed export stays `failed`. A worker deletes the file within seconds, and links to it stop working.
         */
        delete: operations["delete_download_history"];
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
        get: operations["health"];
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
        post: operations["presigned_url"];
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
         * The OpenAPI document of this deployment.
         * @description The response has no envelope, so that tools can read it directly. Clients may cache it for five minutes.
         */
        get: operations["document"];
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
         * @description A wallet signs it once, after its first deposit; before that the venue refuses it.
         *
         *     The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs with the venue's
         *     user-signed-action scheme (EIP-712) and posts it to the venue itself. The service stores nothing, so
         *     `Idempotency-Key` is ignored.
         */
        post: operations["perp_venue_builder_fee_approval"];
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
        post: operations["perp_venue_deposit"];
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
         * @description It is null if no code is configured, if the wallet already has a referrer, or if the wallet has traded 10,000 USD, from which point the venue accepts none.
         *
         *     The client signs it with the venue's L1-action scheme and posts it to the venue itself. If the venue
         *     cannot be reached, `metaData.checks` is `unavailable` and the action is returned even for a wallet that
         *     may have a referrer; the venue then rejects it. The service stores nothing, so `Idempotency-Key` is
         *     ignored.
         */
        post: operations["perp_venue_referral"];
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
        get: operations["perp_venue_status"];
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
         *     user-signed-action scheme (EIP-712, send-asset types) and posts it to the venue itself. The service
         *     refuses a withdrawal that the venue would reject. If the venue cannot be reached to check,
         *     `metaData.checks` is `unavailable` and the action is returned anyway. The service stores nothing, so
         *     `Idempotency-Key` is ignored.
         */
        post: operations["perp_venue_withdraw"];
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
        get: operations["list_prizes"];
        put?: never;
        /**
         * Registers a prize that the treasury holds. Admins only.
         * @description On the chain, the output must be unspent, hold the inscription, and pay the treasury.
         */
        post: operations["register_prize"];
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
        /** One prize. */
        get: operations["prize_by_number"];
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
         * @description The caller has ten minutes to sign it. It pays the trading address that paid for the transactions.
         *
         *     An account has one open refund at a time: the same request returns the same transaction until it expires.
         *     The transaction spends the refunded outputs and, if the trading address has one, a coin of the user, who
         *     signs for it and gets it back in full. If `userInputIndexes` is empty, the client returns the transaction
         *     unchanged.
         */
        post: operations["create_refund"];
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
        get: operations["calculate_refund"];
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
        post: operations["sign_refund"];
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
        /** Returns one refund of the caller, signed or not, with what it pays back. */
        get: operations["one_refund"];
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
        /** Returns a rune: what a client needs to display amounts of it. */
        get: operations["rune_by_id"];
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
        /**
         * Lists the token catalogue, latest entry first.
         * @description Sorts: `tokenId`, `chain`, `symbol`.
         */
        get: operations["list_tokens"];
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
        /** One token of the catalogue. */
        get: operations["token_by_id"];
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
         */
        get: operations["list_own_transactions"];
        put?: never;
        /**
         * Creates a transaction of the caller's trading wallet.
         * @description It is a withdrawal through the hub or to a Bitcoin address, or a renewal of coins. The caller has ten minutes to sign it.
         *
         *     It spends no inscription. Runes that it does not pay return to the trading address.
         *
         *     - `xchain-withdraw` is the withdrawal of `POST /api/xchain/transaction`.
         *     - `withdraw` pays any Bitcoin address. Its only OP_RETURN is the runestone of a rune payment. The hub is not
         *       notified, and it appears in no public list. `amount: "max"` pays as much as one transaction can, worked out and reserved in one
         *       step.
         *     - `renew-utxo` returns coins to the trading address, so that their delay of 90 days begins again: plain coins
         *       merge into one, and all their runes into another.
         */
        post: operations["create_trading_transaction"];
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
         * @description It reserves nothing: a withdrawal with `amount: "max"` works it out and reserves its coins in one step.
         */
        post: operations["max_spent"];
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
        post: operations["sign_trading_transaction"];
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
        get: operations["one_transaction"];
        put?: never;
        post?: never;
        /**
         * Ends an unsigned transaction of the caller, of any kind, so that its coins are free again immediately.
         * @description A refund that is ended counts as one that was not signed in time.
         *
         *     If the transaction has ended already, the answer is the same. A repetition of the request that created it, with
         *     the same idempotency key, then fails with 2015.
         */
        delete: operations["release_transaction"];
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
         * @description That transaction waits in the mempool, or the network has refused it for half an hour. Sign the replacement with `POST /api/transactions/sign`.
         *
         *     `bump` is the same at a higher fee. `cancel` returns a coin of the transaction to the trading address, so that the
         *     transaction can no longer confirm; which of the two confirms, the network decides. If the transaction was replaced
         *     before, its newest version is replaced. An earlier replacement that was not signed ends. A bump pays the same
         *     amount, so one of a transaction that pays all that its coins hold takes another free coin. Other kinds are not
         *     replaced here: a withdrawal through the hub with its `replaceTxId`, a batch by a further batch, a refund by the
         *     service itself.
         */
        post: operations["replace_transaction"];
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
        get: operations["list_utxos"];
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
         * @description With a token and `state_eq=unsigned` or `expired` it lists the caller's own. There an invalid token is a 401; elsewhere it is ignored.
         *
         *     Filters: `state_eq` with `runeId_eq`; or one of `tradingAddress_eq` and `userAddress_eq`, with or without
         *     `runeId_eq`; or `runeId_eq` alone. With `state_eq=allInMempool`, pages sorted by `satsPerNewRequest` cost the same however
         *     many wait.
         */
        get: operations["list_vm_transactions"];
        put?: never;
        /**
         * Creates a batch of requests: a Bitcoin transaction that pays the mint's treasury.
         * @description The caller has ten minutes to sign it.
         *
         *     If the account's previous batch for the same rune is unconfirmed, the new one replaces it and pays for the
         *     requests of both (BIP 125). The same holds if the network has refused the previous batch, or dropped it
         *     and not taken it back, for half an hour. Until the transaction expires, the same request returns the same
         *     transaction; a different request supersedes it.
         */
        post: operations["create_vm_transaction"];
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
        get: operations["count_unconfirmed_requests"];
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
        /** Lists all mints, newest first. */
        get: operations["list_mints"];
        put?: never;
        /**
         * Creates a mint. Admins only.
         * @description A rune can have one mint at a time, and the pool must hold its tokens. The rune's etching must be seven blocks deep.
         */
        post: operations["create_mint"];
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
        /** One mint. */
        get: operations["mint_by_id"];
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
         * @description A reorganisation can change those that are not final.
         */
        get: operations["list_blocks"];
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
        post: operations["close_mint"];
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
         * Returns the next virtual block of a mint: what it takes as things are, and the price to enter it.
         * @description The worker computes it every minute and after each block, with the newest 1,000 batches in the mempool.
         */
        get: operations["next_block"];
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
        post: operations["sign_vm_transaction"];
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
         * One VM transaction.
         * @description One that is unsigned or expired exists for its owner alone.
         */
        get: operations["vm_transaction_by_id"];
        put?: never;
        post?: never;
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
        get: operations["address_balance"];
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
        /** Returns the trading wallet behind one of the caller's own addresses. */
        get: operations["wallet_details"];
        put?: never;
        post?: never;
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
        get: operations["affiliate"];
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
        post: operations["create_transaction"];
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
        post: operations["sign_transaction"];
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
         *     Relations: `inputToken` and `outputToken` are the token catalogue's entries or null; `token` is the token
         *     given.
         */
        get: operations["list_transactions"];
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
         * Registers a swap that the caller has begun between chains other than Bitcoin.
         * @description If `walletAddress` and `srcAddress` are EVM, Solana or Bitcoin addresses, they must be linked to the
         *     account, and they stay linked until the swap ends. An address proved by a contract wallet counts only on
         *     that wallet's chain, which must be `srcChain`. Addresses of chains whose signatures the service cannot
         *     verify need no proof. A repeated registration with the same content returns `registered: false`. A swap
         *     that contradicts the hub's record is refused; one that the hub does not know yet is listed with `verified:
         *     false` until it does. A swap that failed because the hub did not know it within a day can be registered
         *     again.
         */
        post: operations["register_swap"];
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
         * @description It is found by the hash of its intent, by its transaction on the source chain, or by the Bitcoin transaction of a withdrawal.
         *
         *     If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
         *     caller's own; without a token, none.
         */
        get: operations["xchain_transaction"];
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
         * @description It is found by the hash of its intent, by its transaction on the source chain, or by the Bitcoin transaction of a withdrawal.
         *
         *     If several registrations share a hash, the one that the hub has confirmed is returned, otherwise the
         *     caller's own.
         */
        get: operations["status"];
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
        post: operations["logout"];
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
        post: operations["passkey_init"];
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
         * @description Presenting a spent token ends its session.
         */
        post: operations["refresh_token"];
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
        post: operations["register_passkey_init"];
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
        post: operations["register_passkey"];
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
        post: operations["register_srp"];
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
        post: operations["register_wallet"];
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
        get: operations["list_sessions"];
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
        delete: operations["revoke_session"];
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
         *     account was registered or to which it was changed. An account that has not verified its address, or has
         *     lost it to an account that did, signs in by its id with that address as `I`. For an unknown name the
         *     response looks the same: its salt never changes, and the work is identical.
         *
         *     Guesses from devices that the account does not know are slowed: 429 with `Retry-After`.
         */
        post: operations["srp_init"];
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
         * @description It can be used once, within 5 minutes. With a token, the text also names the account; `link` requires a token.
         */
        get: operations["wallet_challenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description 4011 `auth.accountDisabled`: The account is disabled. */
        AccountDisabledProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4011";
            /** @enum {string} */
            message: "auth.accountDisabled";
        };
        /** @example 018bcfe5-6800-7000-8000-000000000001 */
        AccountId: string;
        /** @description 4006 `auth.accountNotFound`: The account does not exist. */
        AccountNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4006";
            /** @enum {string} */
            message: "auth.accountNotFound";
        };
        /** @description The position of the page, and the failed proofs. */
        ActivityMeta: components["schemas"]["MetaData"] & {
            /** @description Failed proofs of identity by hour, newest first; at most 100 hours of the last 90 days. */
            failedProofs: components["schemas"]["FailedProofs"][];
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
        /** @description The sats of a trading address. */
        AddressBalance: {
            /**
             * Format: int64
             * @description In blocks, in coins without runes and inscriptions.
             */
            btcSatoshi: number;
            /**
             * Format: int64
             * @description What others sent and no block has yet.
             */
            externalPendingSatoshi: number;
            /**
             * Format: int64
             * @description Change and renewals of the address's own transactions that no block has yet.
             */
            pendingSatoshi: number;
            /** @description Coins in blocks. */
            totalUtxos: number;
        };
        /** @description 3027 `account.addressInUse`: This address is used by open virtual-mint transactions or swaps. */
        AddressInUseProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3027";
            /** @enum {string} */
            message: "account.addressInUse";
        };
        /** @description 4020 `auth.addressLinked`: The address is linked to an account but cannot sign in. */
        AddressLinkedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4020";
            /** @enum {string} */
            message: "auth.addressLinked";
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
        };
        /** @description 4022 `auth.addressTaken`: The address already belongs to an account. */
        AddressTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4022";
            /** @enum {string} */
            message: "auth.addressTaken";
        };
        /**
         * Format: address
         * @example 0x00000000000000000000000000000000000000aa
         */
        AddressText: string;
        /** @description The affiliate fee of cross-chain swaps. */
        Affiliate: {
            /** @description The address that earns it. */
            affiliateAddress: string;
            /**
             * Format: int32
             * @description Basis points: 100 is 1%.
             */
            feeBps: number;
            /**
             * Format: double
             * @description The same in percent.
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
        };
        /** @description The approval to sign. */
        ApproveBuilderFee: {
            /** @description The action that the wallet signs. */
            action: components["schemas"]["ApproveBuilderFeeAction"];
            /**
             * @description Always `approve_builder_fee`.
             * @example approve_builder_fee
             */
            kind: string;
        };
        /** @description A user-signed action of the venue. */
        ApproveBuilderFeeAction: {
            /**
             * @description Address of the builder that earns the fee, in lowercase.
             * @example 0x00000000000000000000000000000000000000aa
             */
            builder: string;
            /** @description The highest fee that the wallet approves: `0.05%` is a `maxBuilderFee` of 50. */
            maxFeeRate: components["schemas"]["BuilderFee"];
            /**
             * @description The chain id that the signature covers, 0x and hex.
             * @example 0x3e7
             */
            signatureChainId: string;
            /**
             * @description Always `approveBuilderFee`.
             * @example approveBuilderFee
             */
            type: string;
            /** @description The network. The venue calls this key `hyperliquidChain`. */
            venueChain: components["schemas"]["VenueChain"];
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
            transports?: string[];
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
            /** @description The trading address. */
            address: string;
            btc: components["schemas"]["BtcBalance"];
            coins: components["schemas"]["CoinCounts"];
            /**
             * Format: int32
             * @description The height of the chain.
             */
            height: number;
            /** @description When it was read, ms since the epoch. */
            readAt: components["schemas"]["Timestamp"];
            /** @description Each rune that the wallet holds or receives; null if the contents of its coins could not be read. */
            runes: components["schemas"]["RuneBalance"][] | null;
        };
        /** @description Information about a balance. */
        BalanceMeta: {
            /** @description Whether the contents of the coins could be read. If not, only sats are known. */
            checks: components["schemas"]["ContentsCheck"];
        };
        /** @description Bytes as base64url without padding (RFC 4648, section 5). Each value has exactly one encoding. */
        Base64Url: string;
        /** @example 840000:3 */
        BitcoinToken: string;
        /** @description Sats of a trading wallet. Sats of one coin may count in several figures. */
        BtcBalance: {
            /**
             * Format: int64
             * @description In coins that can pay amounts and fees now: free, and without runes.
             */
            available: number;
            /**
             * Format: int64
             * @description In blocks.
             */
            confirmed: number;
            incoming: components["schemas"]["Incoming"];
            /**
             * Format: int64
             * @description In coins whose delay ends within 4,032 blocks, or has ended.
             */
            needsRenewal: number;
            /**
             * Format: int64
             * @description Confirmed and incoming, without what is being spent.
             */
            projected: number;
            /**
             * Format: int64
             * @description In coins that unsigned transactions reserve.
             */
            reserved: number;
            /**
             * Format: int64
             * @description In coins that signed transactions spend and that the network has not seen spent yet.
             */
            spending: number;
            /**
             * Format: int64
             * @description In coins whose contents are not known, or too many to read.
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
            /** @description The address of the query. */
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
        Change: "accountCreated" | "signedIn" | "newDevice" | "emailVerified" | "emailLost" | "emailChangeRequested" | "emailChanged" | "passwordChanged" | "walletRotated" | "totpEnabled" | "totpDisabled" | "recoveryCodeUsed" | "passkeyAdded" | "passkeyRemoved" | "addressLinked" | "addressUnlinked" | "tradingWalletMade" | "sessionRevoked" | "refreshTokenReused" | "roleChanged" | "accountDisabled" | "accountEnabled" | "sessionsEnded" | "emailReleased";
        /** @description The e-mail address to change to. */
        ChangeEmailInit: {
            /** @description The new e-mail address. */
            newEmail: components["schemas"]["EmailAddress"];
        };
        /** @description Whether a mail was sent. */
        ChangeEmailMailed: {
            /** @description Whether this request mailed a token. False within a minute of the last mail, whose link stays valid. */
            mailed: boolean;
        };
        /** @description The password proof, and the verifier of the same password for the new address. */
        ChangeEmailProof: {
            /**
             * Format: base64-of-32-bytes
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
             * Format: base64-of-32-bytes
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
             * @description The keystore, encrypted by the client for the new password, base64.
             */
            newEncryptedBlob: string;
            /**
             * Format: password-hint
             * @description A new hint; empty removes it. If missing, the old hint stays.
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
        /** @description 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
        ChangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1014";
            /** @enum {string} */
            message: "common.changed";
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
            inscribed: number;
            /** @description Further coins that were not read, the least valuable ones. */
            notRead: number;
            pending: number;
            reserved: number;
            spending: number;
            unknown: number;
        };
        /**
         * @description What keeps a coin from being spent, if anything.
         * @enum {string}
         */
        CoinState: "free" | "reserved" | "spending" | "pending" | "inscribed" | "unknown" | "ignored";
        /** @description 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
        CoinUnknownProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2017";
            /** @enum {string} */
            message: "bitcoin.coinUnknown";
        };
        /** @description 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction. */
        CoinsChangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2016";
            /** @enum {string} */
            message: "bitcoin.coinsChanged";
        };
        /** @description The position of the page, and what the coins were read from. */
        CoinsMeta: components["schemas"]["MetaData"] & {
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
             * @description Most requests that one virtual block takes; at most `totalRequests`.
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
        CreateTransaction: {
            params: components["schemas"]["XchainWithdrawParams"];
            /** @enum {string} */
            type: "xchain-withdraw";
        } | {
            params: components["schemas"]["WithdrawParams"];
            /** @enum {string} */
            type: "withdraw";
        } | {
            params: components["schemas"]["RenewUtxoParams"];
            /** @enum {string} */
            type: "renew-utxo";
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
            metaData: components["schemas"]["Notes"];
        };
        /** @description A response with status 201 that carries further information about the created item in `metaData`. */
        CreatedWith_VmTransactionStatus_NoMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VmTransactionStatus"];
            /** @enum {string} */
            message: "common.success";
            /** @description Empty metadata. */
            metaData: Record<string, never>;
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
        /** @description What a frontend needs to know about the deployment that it calls. */
        Deployment: {
            /**
             * Format: int32
             * @description Number of blocks after which the user alone can spend a coin of the trading wallet.
             */
            delayBlocks: number;
            /** @description The rate limits. */
            limits: components["schemas"]["RateLimit"][];
            /** @description The Bitcoin network. */
            network: string;
            /** @description The domain that passkeys belong to (WebAuthn's RP ID). */
            passkeyRpId: string;
            renewal: components["schemas"]["RenewalBlocks"];
            signIn: components["schemas"]["SignIn"];
            /** @description The version of the service. */
            version: string;
        };
        /** @description A deposit to sign and send. */
        Deposit: {
            /** @description In USDC, without trailing zeros. */
            amount: components["schemas"]["Usdc"];
            /**
             * @description The contract that accepts deposits. Call it and never transfer to it: USDC sent by a plain transfer is
             *     lost.
             * @example 0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24
             */
            depositContract: string;
            /**
             * @description The wallet that deposits.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            from: string;
            /** @description JSON-RPC of the venue's EVM chain. */
            rpcUrl: string;
            /**
             * @description The approval of exactly the amount, then the deposit that uses it up. Every deposit sends both in this
             *     order, with consecutive nonces.
             */
            txs: components["schemas"]["EvmTransaction"][];
            /**
             * @description The USDC contract on the venue's EVM chain.
             * @example 0xb88339CB7199b77E23DB6E890353E22632Ba630f
             */
            usdcToken: string;
        };
        /** @description An export of a history. */
        DownloadHistory: {
            completedAt?: components["schemas"]["Timestamp"] | null;
            /** @description When the export was requested, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Why the export has no file, if `status` is `failed`. */
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
            /** @description Download link of the file; present while `status` is `completed`. */
            url?: string | null;
            urlExpiresAt?: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Part of a history. Mints, refunds and withdrawals happen on Bitcoin only, so for another chain the
         *     file has no rows.
         */
        DownloadHistoryFilter: {
            chain?: components["schemas"]["HistoryChain"] | null;
            /**
             * Format: instant
             * @description Only what was created at this moment or later: RFC 3339, or milliseconds since the epoch as a number
             *     or a string of digits. If missing: 366 days before `to`.
             * @example 2026-01-01T00:00:00Z
             */
            from?: string | null;
            /**
             * Format: instant
             * @description Only what was created at this moment or earlier, at most 366 days after `from`. If missing: now.
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
        };
        /** @description 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
        EmailTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4023";
            /** @enum {string} */
            message: "auth.emailTaken";
        };
        /** @description 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one. */
        EmailTokenInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3008";
            /** @enum {string} */
            message: "account.emailTokenInvalid";
        };
        /** @description 3007 `account.emailUnchanged`: This is already the e-mail address of the account. */
        EmailUnchangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3007";
            /** @enum {string} */
            message: "account.emailUnchanged";
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
        Envelope_NextVirtualBlock: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["NextVirtualBlock"];
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
        /** @description The body of every error. */
        Error: {
            /**
             * @description Digits, stable.
             * @example 1001
             */
            code: string;
            /** @description One English sentence; may change. */
            details: string;
            /** @description Every field that is missing or wrong. */
            errors?: components["schemas"]["FieldError"][];
            /**
             * @description A key for the frontend's own texts, stable.
             * @example common.validation
             */
            message: string;
            /** @description Finds the request in the service's log. */
            requestId: string;
        };
        /** @example 840000:3 */
        EtchedRune: string;
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
            /** @description The contract to call, with its EIP-55 checksum. */
            to: string;
            /**
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
        /** @description What transactions of the service cost, in sat/vB. */
        FeeRates: {
            /**
             * Format: double
             * @description Of `feeTarget: "economy"`: a few hours.
             * @example 1.5
             */
            economy: number;
            /**
             * Format: double
             * @description Of `feeTarget: "fast"`: the next block.
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
             * @description Of `feeTarget: "normal"`, the default.
             * @example 4
             */
            normal: number;
            /** @description When they were read, ms since the epoch. */
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
        };
        /** @description A field that is missing or wrong. */
        FieldError: {
            /** @description Where: a name, or a path such as `params.amount`. */
            field: string;
            /** @description What is wrong with it, one English sentence or phrase. */
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
            /** @description The policy that S3 checks: an expiry, and one condition per field. */
            Policy: string;
            /** @description The signed policy. */
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
             * @description Always `ok`; a failed check is an error instead.
             * @example ok
             */
            status: string;
        };
        /** @description The transaction that holds a coin. */
        HeldBy: {
            /** @description The transaction. */
            txId: string;
            until: components["schemas"]["Timestamp"] | null;
        };
        /** @description An amount of a rune. */
        HeldRune: {
            /** @description In the smallest unit. */
            amount: components["schemas"]["Units"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts; null in a coin that no block has yet.
             */
            divisibility: number | null;
            /** @description The name with spacers. */
            name: string;
            runeId: components["schemas"]["EtchedRune"] | null;
            /** @description Null if the rune has none, or in a coin that no block has yet. */
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
        HistoryType: "swap" | "virtual-mint" | "refund" | "withdraw";
        /** @description 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body. */
        IdempotencyKeyReusedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1011";
            /** @enum {string} */
            message: "common.idempotencyKeyReused";
        };
        /** @description 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly. */
        InProgressProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1010";
            /** @enum {string} */
            message: "common.inProgress";
        };
        /** @description Sats that no block has yet. */
        Incoming: {
            /**
             * Format: int64
             * @description What others sent.
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
        };
        /** @description 3014 `account.inscriptionNotOwned`: None of the account's addresses holds the inscription. */
        InscriptionNotOwnedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3014";
            /** @enum {string} */
            message: "account.inscriptionNotOwned";
        };
        /** @description 2002 `bitcoin.insufficientBalance`: The BTC balance is too low. */
        InsufficientBtcProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2002";
            /** @enum {string} */
            message: "bitcoin.insufficientBalance";
        };
        /** @description 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low. */
        InsufficientRuneProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2004";
            /** @enum {string} */
            message: "bitcoin.insufficientRuneBalance";
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
        };
        /** @description 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again. */
        InvalidRefreshTokenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4005";
            /** @enum {string} */
            message: "auth.invalidRefreshToken";
        };
        /** @description 4002 `auth.invalidToken`: The access token is invalid. */
        InvalidTokenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4002";
            /** @enum {string} */
            message: "auth.invalidToken";
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
            /** @description The text to sign byte for byte: an EIP-4361 message for EVM, the same layout for other chains. */
            message: string;
        };
        /** @description A public key that verifies access tokens (RFC 8037, section 2). */
        Jwk: {
            /** @description Algorithm: `EdDSA`. */
            alg: string;
            /** @description Curve: `Ed25519`. */
            crv: string;
            /** @description The key id that tokens refer to. */
            kid: string;
            /** @description Key type: `OKP`. */
            kty: string;
            /** @description Use: `sig`. */
            use: string;
            /** @description The public key, 32 bytes, base64url without padding. */
            x: string;
        };
        /** @description The public keys (RFC 7517, section 5), newest first. */
        Jwks: {
            /** @description At most two: the key that signs, and the previous one. */
            keys: components["schemas"]["Jwk"][];
        };
        /** @description The client's keys, encrypted by the client. */
        KeystoreBlob: {
            /** @description Base64, as sent by the client. */
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
        Kind: "withdraw" | "xchain-withdraw" | "renew-utxo" | "virtual-mint" | "refund";
        /** @description A coin in a recovery kit. */
        KitCoin: {
            /**
             * Format: int32
             * @description The height of its block; null if it has none yet.
             */
            confirmedHeight: number | null;
            /** @description The outpoint, `<txid>:<vout>`. */
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
            /** @description Coins that it would leave, by reason. */
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
        };
        /** @description Numbers of a wallet's coins that a transaction cannot spend now, by reason. */
        LeftAside: {
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
        /** @description Coins that a transaction would leave. */
        LeftOut: {
            coins: number;
            reason: components["schemas"]["Reason"];
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
            /** @description The two-signature Bitcoin address. */
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
            /** @description Id of the request that made the change; `operator` for an operator's command. */
            requestId?: string;
            sessionId?: components["schemas"]["SessionId"] | null;
            /** @description Keyed hash of the source address. Equal hashes mean equal addresses. */
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
             * @description Blocks until then; null if it has no block yet.
             */
            expiresInBlocks?: number | null;
            heldBy?: components["schemas"]["HeldBy"] | null;
            /** @description The outpoint, `<txid>:<vout>`. */
            id: string;
            /** @description The inscriptions on its sats. */
            inscriptions?: string[];
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
        /** @description An export of a history. */
        ListedDownloadHistory: {
            completedAt?: components["schemas"]["Timestamp"] | null;
            /** @description When the export was requested, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /** @description Why the export has no file, if `status` is `failed`. */
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
            /** @description Download link of the file; present while `status` is `completed`. */
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
            /** @description The address that sends the runes. */
            poolAddress?: string;
            /** @description The Bitcoin address that receives the payments for taken requests. */
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
             * @description Most requests that one virtual block takes.
             */
            requestsPerBlock?: number;
            /** @description The rune to mint. */
            runeId?: string;
            /** @description Name of the rune, with spacers. */
            runeName?: string;
            state?: components["schemas"]["MintState"];
            /** @description Tokens per request, in the rune's smallest unit. */
            tokensPerRequest?: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Total number of requests.
             */
            totalRequests?: number;
            /** @description The address that commitments pay. */
            treasuryAddress?: string;
        };
        /** @description An inscription that the treasury holds to give away. */
        ListedPrize: {
            /** @description The treasury's output that holds the inscription, unique. */
            controllingUtxo?: components["schemas"]["OutPoint"];
            /** @description When it was registered, ms since the epoch. */
            createdAt?: components["schemas"]["Timestamp"];
            /** @description The id: the prize number as text. */
            id: string;
            /** @description The inscription, unique. */
            inscriptionId?: components["schemas"]["InscriptionId"];
            /** @description What it is called. */
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
             * @description Decimal places of one whole token.
             * @example 6
             */
            decimals?: number;
            /** @description Same as `tokenId`. */
            id: components["schemas"]["TokenId"];
            /** @description The slots in which it may be the default token. */
            slots?: components["schemas"]["Slot"][];
            /**
             * @description Symbol of the token.
             * @example USDC
             */
            symbol?: string;
            /** @description Token id. */
            tokenId?: components["schemas"]["TokenId"];
        };
        /** @description A signed transaction of the caller. */
        ListedTransactionRow: {
            amount?: components["schemas"]["Units"] | null;
            /**
             * Format: int32
             * @description The height of its block.
             */
            blockHeight?: number | null;
            /** @description When it was signed; ms since the epoch. Of one that is not signed, when it was created. */
            createdAt?: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The fee, in sats.
             */
            feeSats?: number;
            /** @description The txid. */
            id: string;
            /** @description The transaction that it replaces. */
            replaceTxId?: string | null;
            /** @description The signed transaction that replaces it. */
            replacedByTxId?: string | null;
            state?: components["schemas"]["TransactionState"];
            tokenId?: components["schemas"]["BitcoinToken"] | null;
            type?: components["schemas"]["Kind"];
            /** @description The recipient of a withdrawal; null for other kinds. */
            withdrawTo?: string | null;
        };
        /** @description An unspent output of a trading address. */
        ListedUtxoRow: {
            /** @description The same, under the name that published clients read. */
            _id?: string;
            /** @description The trading address. */
            address?: string;
            /** @description The same as digits. */
            amount?: components["schemas"]["Units"];
            /**
             * Format: int32
             * @description Blocks from its own to the newest; 0 if it has none yet.
             */
            confirmations?: number;
            /**
             * Format: int32
             * @description The height of its block; null if it has none yet.
             */
            height?: number | null;
            /** @description The outpoint, `<txid>:<vout>`. */
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
            /** @description Whether a block has it. */
            status?: components["schemas"]["UtxoStatus"];
            txid?: string;
            /** @description The outpoint, `<txid>:<vout>`. */
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
            /** @description Its height, as text. */
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
            /** @description The PSBT as issued or, once both keys have signed, the transaction; base64. */
            base64Tx?: string | null;
            /** @description Same as `timestamp`. */
            createdAt?: components["schemas"]["Timestamp"];
            distributeRuneAt?: components["schemas"]["Timestamp"] | null;
            /** @description The transaction that sent its runes. */
            distributeRuneTxId?: string | null;
            /** @description Txid of the commitment. */
            id: string;
            /** @description Whether a refund can be created for it. */
            isRefundable?: boolean;
            mintId?: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description Amount that its own confirmed commitment paid, in sats.
             */
            paidSats?: number;
            refundState?: components["schemas"]["RefundState"];
            /** @description The transaction that refunds it. */
            refundTxId?: string | null;
            /**
             * Format: int64
             * @description Amount paid for requests that no virtual block took, in sats; set once that is final.
             */
            refundableSats?: number;
            /** @description The VM transaction that this one replaces. */
            replaceTxId?: string | null;
            /** @description The VM transaction that replaced this one. */
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
            /** @description The address that pays for it and receives refunds and runes. */
            tradingAddress?: string;
            transferBtcAt?: components["schemas"]["Timestamp"] | null;
            /** @description The transaction that moved its payment out of the treasury. */
            transferBtcTxId?: string | null;
            /** @description Same as `id`. */
            txId?: string;
            /** @description The distribution that includes it. */
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
            /** @description The step that failed. */
            failedAtStep?: string | null;
            /** @description The reason of the failure. */
            failureReason?: string | null;
            /** @description The transaction on the destination chain that filled it. */
            fillTxHash?: string | null;
            id: string;
            /** @description The tokens and amounts of the exchange. */
            intent?: components["schemas"]["Intent"];
            intentTxHash?: components["schemas"]["IntentHash"] | null;
            /** @description The withdrawal that this one replaces; null otherwise. */
            replaceTxId?: string | null;
            /** @description The withdrawal that its owner signed to replace this one; null otherwise. */
            replacedByTxId?: string | null;
            spokeTxHash?: components["schemas"]["TxHash"] | null;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
             */
            srcChain?: number | null;
            status?: components["schemas"]["XchainStatus"];
            /** @description The address that pays. */
            tradingAddress?: string;
            /** @description Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent. */
            txId?: string;
            type?: components["schemas"]["XchainType"];
            /** @description When it last changed, ms since the epoch. */
            updatedAt?: components["schemas"]["Timestamp"];
            /** @description The wallet that began it; for a withdrawal the trading address. */
            userAddress?: string;
            /**
             * @description Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
             *     it.
             */
            verified?: boolean;
            /** @description The recipient's address. */
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
             * @description The source address of the sign-in.
             * @example 192.0.2.1
             */
            sourceIp: string | null;
            /** @description The client software, as reported at sign-in. */
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
        };
        /** @description Request body of a largest amount. */
        MaxSpent: {
            params: components["schemas"]["MaxSpentParams"];
            type: components["schemas"]["SpendType"];
        };
        /** @description Parameters of a largest amount. */
        MaxSpentParams: {
            feeTarget?: components["schemas"]["FeeTarget"] | null;
            /**
             * Format: int64
             * @description The number of requests of a batch; the amount is a multiple of it.
             */
            requestCount?: number | null;
            /** @description The token: a rune id, or `0:0` for BTC; a mint takes BTC alone. */
            tokenId: components["schemas"]["BitcoinToken"];
            /**
             * Format: address
             * @description The recipient, whose address decides the weight of its output; by default the heaviest one.
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
             * Format: int32
             * @description How many passkeys there are.
             */
            passkeys: number;
            /** @description Password hint. */
            passwordHint: string | null;
            /** @description Code for inviting others. */
            referralCode: string;
            referredBy: components["schemas"]["AccountId"] | null;
            /** @description Permissions of the account. */
            role: components["schemas"]["Role"];
            /** @description Whether sign-in requires a second factor. */
            totpEnabled: boolean;
            /** @description The two-signature Bitcoin address; null until it is created. */
            tradingAddress: string | null;
            wallet: components["schemas"]["Wallet"] | null;
        };
        /** @description 5101 `medias.notServed`: The service does not serve media yet, so it accepts no uploads. */
        MediaNotServedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5101";
            /** @enum {string} */
            message: "medias.notServed";
        };
        /** @description How to upload a file, and where to download it afterwards. */
        MediaUpload: {
            /** @description File name as sent in the request. */
            fileName: string;
            /** @description Key of the file in the bucket. */
            key: string;
            /**
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
            /** @description Public URL of the file, once it is uploaded. */
            url: string;
        };
        /** @description The position of a page in its list. */
        MetaData: {
            /**
             * Format: int64
             * @description The length of the list, to be sent as `asOf` with the next pages; absent if its rows come and go.
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
        /** @description 3003 `account.methodNotAllowed`: This account does not sign in with a wallet. */
        MethodNotAllowedForAccountProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3003";
            /** @enum {string} */
            message: "account.methodNotAllowed";
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
            /** @description The address that sends the runes. */
            poolAddress: string;
            /** @description The Bitcoin address that receives the payments for taken requests. */
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
             * @description Most requests that one virtual block takes.
             */
            requestsPerBlock: number;
            /** @description The rune to mint. */
            runeId: string;
            /** @description Name of the rune, with spacers. */
            runeName: string;
            state: components["schemas"]["MintState"];
            /** @description Tokens per request, in the rune's smallest unit. */
            tokensPerRequest: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Total number of requests.
             */
            totalRequests: number;
            /** @description The address that commitments pay. */
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
        /** @description 3005 `account.addressTaken`: The address already belongs to an account. */
        NewAddressTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3005";
            /** @enum {string} */
            message: "account.addressTaken";
        };
        /** @description 3006 `account.emailTaken`: The e-mail address already belongs to an account. */
        NewEmailTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3006";
            /** @enum {string} */
            message: "account.emailTaken";
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
            /** @description Those of the 200 highest prices, highest first. */
            byPrice: components["schemas"]["RequestsAtPrice"][];
            /**
             * Format: int32
             * @description The height of its Bitcoin block; null if the mint has no further block, or the worker has not looked at it yet.
             */
            height: number | null;
            /**
             * Format: int64
             * @description The highest price of them, in sats; null if there are none.
             */
            highestPrice: number | null;
            /**
             * Format: int64
             * @description The lowest price of them, in sats; null if there are none.
             */
            lowestPrice: number | null;
            /**
             * Format: int64
             * @description The lowest price at which it also takes `requestCount` further requests, in sats each; null if it has no room
             *     for so many.
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
             * @description Most requests that it can take.
             */
            room: number;
            /** @description All requests that wait. */
            waiting: components["schemas"]["WaitingRequests"];
        };
        /** @description 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token. */
        NoAuthorizationProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4004";
            /** @enum {string} */
            message: "auth.noAuthorization";
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
        };
        /** @description 3004 `account.notAWalletKeystore`: The account has no keystore. */
        NotAWalletKeystoreProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3004";
            /** @enum {string} */
            message: "account.notAWalletKeystore";
        };
        /** @description 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced. */
        NotReplaceableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2021";
            /** @enum {string} */
            message: "bitcoin.notReplaceable";
        };
        /** @description 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued. */
        NotTheIssuedTransactionProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2011";
            /** @enum {string} */
            message: "bitcoin.notTheIssuedTransaction";
        };
        /** @description Information that accompanies a transaction. */
        Notes: {
            amount: components["schemas"]["Units"] | null;
            /** @description Coins of the trading address that the transaction could not spend. */
            coinsLeftAside: components["schemas"]["LeftAside"];
            /**
             * Format: int32
             * @description Blocks until the user alone can spend the first of the coins.
             */
            expiresInBlocks: number;
            /**
             * @description Coins that belong to the request and did not fit: with `max`, further coins with the token; in a renewal
             *     without `txIdVouts`, further coins whose delay ends soon.
             */
            left: number;
            /** @description Reasons to review the transaction before signing. */
            warnings: components["schemas"]["Warning"][];
        };
        Nothing: null;
        /** @description 2018 `bitcoin.nothingToRenew`: No coin needs a renewal. */
        NothingToRenewProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2018";
            /** @enum {string} */
            message: "bitcoin.nothingToRenew";
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
                /** @description The two-signature Bitcoin address. */
                tradingAddress?: string | null;
                wallet?: components["schemas"]["Wallet"] | null;
            };
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_ApproveBuilderFee_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ApproveBuilderFee"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Balance_BalanceMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Balance"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["BalanceMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_ChangeEmailSession_ChangeEmailMailed: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ChangeEmailSession"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["ChangeEmailMailed"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Deposit_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Deposit"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_DownloadHistory_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["DownloadHistory"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_MintRow_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MintRow"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneRefund_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneRefund"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneTransaction_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneTransaction"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_OneXchainTransaction_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OneXchainTransaction"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Option_SetReferrer_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: null | components["schemas"]["SetReferrer"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Prize_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Prize"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_RuneInfo_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["RuneInfo"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_TokenRow_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TokenRow"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_ActivityRow_ActivityMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedActivityRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["ActivityMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_CoinRow_CoinsMeta: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ListedCoinRow"][];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["CoinsMeta"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Vec_MediaUpload_NoMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MediaUpload"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Empty metadata. */
            metaData: Record<string, never>;
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_VenueStatus_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VenueStatus"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_VmTransactionRow_Polling: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VmTransactionRow"];
            /** @enum {string} */
            message: "common.success";
            /** @description When to ask again. */
            metaData: {
                /**
                 * Format: int32
                 * @description After how many ms an answer may be another one; null where nothing is expected to change by itself.
                 */
                pollAfterMs: number | null;
            };
        };
        /** @description A response with status 200 that carries further information about the result in `metaData`. */
        OkWith_Withdraw_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Withdraw"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
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
             * @description The fee, which the refund pays itself, in sats.
             */
            feeSats: number;
            /** @description The txid. */
            id: string;
            /** @description What is paid back. */
            items: components["schemas"]["RefundedBatch"][];
            /**
             * Format: int64
             * @description Amount that arrives, in sats. A coin that the caller adds returns in full and is not in it.
             */
            refundedSats: number;
            /** @description The refund that it replaces. */
            replaceTxId: string | null;
            /** @description The signed refund that replaces it. */
            replacedByTxId: string | null;
            state: components["schemas"]["TransactionState"];
            /**
             * Format: int64
             * @description The sum of the items, in sats.
             */
            totalSats: number;
            /** @description The address for which the caller asked for it. */
            userAddress: string;
        };
        /** @description One transaction of the caller. */
        OneTransaction: components["schemas"]["TransactionRow"] & components["schemas"]["TransactionProgress"];
        /** @description One cross-chain transaction. */
        OneXchainTransaction: components["schemas"]["XchainRow"] & {
            /** @description All statuses so far, oldest first, including the current one. */
            history: components["schemas"]["StatusChange"][];
        };
        /** @description An OpenAPI 3.1 document. */
        OpenApiDocument: Record<string, never>;
        /** @description 4018 `auth.otpInvalid`: The code is wrong or already used. */
        OtpInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4018";
            /** @enum {string} */
            message: "auth.otpInvalid";
        };
        /** @description 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After. */
        OtpLockedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4019";
            /** @enum {string} */
            message: "auth.otpLocked";
        };
        /** @description 4017 `auth.otpRequired`: The account requires a code of its second factor in otpCode. */
        OtpRequiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4017";
            /** @enum {string} */
            message: "auth.otpRequired";
        };
        /** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0 */
        OutPoint: string;
        /** @description The newest Bitcoin block that was applied. */
        OutlookRevision: {
            /** @description Its hash. */
            hash: string;
            /**
             * Format: int32
             * @description Its height.
             */
            height: number;
        };
        /** @description An address that the account has proved: its sign-in wallet or a linked address. */
        OwnedAddress: {
            /** @description Canonical address. */
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
             * @description 6 digits or a recovery code; required if the account has a second factor.
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
        };
        /** @description A passkey as shown to its owner. */
        PasskeyRow: {
            /** @description Whether it is backed up to other devices. */
            backedUp: boolean;
            /** @description When it was added, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Passkey id. */
            id: components["schemas"]["PasskeyId"];
            lastUsedAt: components["schemas"]["Timestamp"] | null;
            /** @description The name given by its owner. */
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
        };
        /** @description The result of a change of password: the service's own proof. */
        PasswordChanged: {
            /** @description `M2`, base64 of 32 bytes. */
            serverProof: string;
        };
        /** @description 3011 `account.passwordProofInvalid`: The current password is wrong. */
        PasswordProofInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3011";
            /** @enum {string} */
            message: "account.passwordProofInvalid";
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
        };
        /** @description 9005 `perpVenue.contractWallet`: Contract wallets cannot sign the venue's messages. Use another wallet. */
        PerpVenueContractWalletProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9005";
            /** @enum {string} */
            message: "perpVenue.contractWallet";
        };
        /** @description 9004 `perpVenue.insufficientVenueBalance`: The wallet's balance at the venue does not cover the amount and the transfer fee. */
        PerpVenueInsufficientBalanceProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9004";
            /** @enum {string} */
            message: "perpVenue.insufficientVenueBalance";
        };
        /** @description 9002 `perpVenue.insufficientUsdc`: The wallet's USDC balance on the venue's EVM chain is too low. */
        PerpVenueInsufficientUsdcProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9002";
            /** @enum {string} */
            message: "perpVenue.insufficientUsdc";
        };
        /** @description 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later. */
        PerpVenuePausedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "9001";
            /** @enum {string} */
            message: "perpVenue.paused";
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
        /** @description An inscription that the treasury holds to give away. */
        Prize: {
            /** @description The treasury's output that holds the inscription, unique. */
            controllingUtxo: components["schemas"]["OutPoint"];
            /** @description When it was registered, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description The id: the prize number as text. */
            id: string;
            /** @description The inscription, unique. */
            inscriptionId: components["schemas"]["InscriptionId"];
            /** @description What it is called. */
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
        };
        /** @description 5002 `prizes.inscriptionTaken`: The inscription is already a prize. */
        PrizeInscriptionTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5002";
            /** @enum {string} */
            message: "prizes.inscriptionTaken";
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
        };
        /** @description 5003 `prizes.utxoTaken`: The output holds another prize. */
        PrizeUtxoTakenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5003";
            /** @enum {string} */
            message: "prizes.utxoTaken";
        };
        /** @description 5004 `prizes.utxoUnusable`: The output does not exist, is spent, or is unconfirmed. */
        PrizeUtxoUnusableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "5004";
            /** @enum {string} */
            message: "prizes.utxoUnusable";
        };
        /** @description 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed. */
        PsbtMalformedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2010";
            /** @enum {string} */
            message: "bitcoin.psbtMalformed";
        };
        /** @description A rate limit. Above it, the service answers 429 with `Retry-After`. */
        RateLimit: {
            /** @description What it counts. */
            counts: string;
            /**
             * Format: int32
             * @description Hits in a window.
             */
            hits: number;
            /**
             * @description Its name.
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
        };
        /**
         * @description Why coins are left.
         * @enum {string}
         */
        Reason: "notSpent" | "unconfirmed" | "reserved" | "inscribed" | "unknown" | "notRead";
        /** @description 3010 `account.reauthMissing`: The account has a password: send a proof of it in srpData. */
        ReauthMissingProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3010";
            /** @enum {string} */
            message: "account.reauthMissing";
        };
        /** @description 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again. */
        ReauthRequiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4024";
            /** @enum {string} */
            message: "auth.reauthRequired";
        };
        /** @description How the user alone spends coins of a trading wallet after the delay. */
        Recovery: {
            /**
             * @description The user keys that the script accepts; one of them suffices. There are two if only Taproot has proved
             *     the key; the user has one of the two.
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
            /** @description The script that locks the coins, hex. */
            witnessScript: string;
        };
        /** @description How to spend with one of the user's keys. */
        RecoveryKey: {
            /** @description The steps as commands of Bitcoin Core 25 or later. */
            commands: string[];
            /**
             * @description The descriptor to complete: replace `<PRIVATE KEY>` with the private key of `publicKey` (WIF), then
             *     add the checksum of the result.
             */
            descriptorToComplete: string;
            /** @description The key, hex of 33 bytes. */
            publicKey: string;
            /**
             * @description The witness of each input, first element first: an empty one in place of the platform's signature, the
             *     user's signature (DER with the sighash byte, BIP 143), an empty one for a key that the script checks
             *     earlier, and the witness script.
             */
            witness: string[];
        };
        /** @description What the owner of a trading wallet needs to spend its coins without the platform, except for the private key. */
        RecoveryKit: {
            /** @description The trading address. */
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
             * @description The script behind the address: a descriptor with its checksum (BIP 380). All other fields except for the coins
             *     follow from it and the network.
             */
            descriptor: components["schemas"]["TradingDescriptor"];
            /**
             * Format: int32
             * @description The height of the chain; null if the coins could not be read.
             */
            height: number | null;
            /**
             * @description Always `runeport-recovery-kit`.
             * @example runeport-recovery-kit
             */
            kind: string;
            /** @description The Bitcoin network: `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`. */
            network: string;
            /** @description Further coins of the address that were not read, the least valuable ones. */
            notRead: number;
            /** @description The platform's key, hex of 33 bytes. */
            platformPublicKey: string;
            /** @description The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it. */
            publicKey: string;
            /**
             * @description The user's keys that the script accepts, 33 bytes each, in the order in which the script checks them. The user
             *     has one of them.
             */
            publicKeys: string[];
            /**
             * Format: int32
             * @description The version of this format.
             * @example 1
             */
            version: number;
            /** @description When the trading wallet was created, ms since the epoch. */
            walletCreatedAt: components["schemas"]["Timestamp"];
            /** @description The script that locks the coins, hex. */
            witnessScript: string;
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
        };
        /** @description The account that invited another one: its relation `referrer`. */
        Referrer: {
            email: components["schemas"]["EmailAddress"] | null;
            /** @description Account id. */
            id: components["schemas"]["AccountId"];
            /** @description The referral code that was used. */
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
        };
        /** @description 7004 `refund.changed`: The refundable amount has changed. Request the refund again. */
        RefundChangedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "7004";
            /** @enum {string} */
            message: "refund.changed";
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
        };
        /** @description 7003 `refund.open`: Another refund of the account is waiting for its signature. */
        RefundOpenProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "7003";
            /** @enum {string} */
            message: "refund.open";
        };
        /**
         * @description The state of a VM transaction's refund.
         *
         *     ```text
         *     none ◀──▶ open ──▶ broadcast ──▶ refunded
         *       ▲                    │
         *       └────────────────────┘ (its transaction can never confirm)
         *     ```
         * @enum {string}
         */
        RefundState: "none" | "open" | "broadcast" | "refunded";
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
            /** @description The VM transaction. */
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
             * @description The e-mail address, which is also the SRP identity `I`. The service mails a link to verify it. If
             *     another account named the address earlier and neither has verified it, this account signs in by its
             *     account id until it does.
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
            /** @description False if the identical swap was already registered. */
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
        /** @description Parameters of a renewal. */
        RenewUtxoParams: {
            feeTarget?: components["schemas"]["FeeTarget"] | null;
            /**
             * @description The coins to renew, `<txid>:<vout>`; at most 40. By default those whose delay ends within four weeks: the
             *     most urgent first, then the most valuable, and at most half of them with runes if there are enough others.
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
             * @description Below this number, the service advises it.
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
            feeTarget?: components["schemas"]["FeeTarget"] | null;
        };
        /**
         * @description What replaces a transaction.
         * @enum {string}
         */
        Replacement: "bump" | "cancel";
        /** @description Request body of the builder-fee approval. */
        RequestApproval: {
            userAddress?: components["schemas"]["EvmWallet"] | null;
        };
        /** @description Request body of the referral. */
        RequestReferral: {
            /** @description One of the account's own wallets. */
            userAddress: components["schemas"]["EvmWallet"];
        };
        /** @description Requests that wait at one price. */
        RequestsAtPrice: {
            /**
             * Format: int64
             * @description Those of them whose commitment is in a Bitcoin block.
             */
            confirmed: number;
            /**
             * Format: int64
             * @description Number of requests.
             */
            requests: number;
            /**
             * Format: int64
             * @description The price of each, in sats.
             */
            sats: number;
        };
        /** @description 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one. */
        ReservationExpiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2015";
            /** @enum {string} */
            message: "bitcoin.reservationExpired";
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
             * @description From `GET /auth/wallet/challenge?purpose=rotate` for the new address.
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
        /** @description The balance of a rune, in its smallest unit. */
        RuneBalance: {
            /** @description In coins that can be spent now. */
            available: components["schemas"]["Units"];
            /** @description In blocks. */
            confirmed: components["schemas"]["Units"];
            /**
             * Format: int32
             * @description Decimals of displayed amounts; null if no block has any of it yet.
             */
            divisibility: number | null;
            /**
             * @description In change and renewals of the account's own transactions that no block has yet. What others sent is known once
             *     a block has it.
             */
            incoming: components["schemas"]["Units"];
            /** @description The name with spacers. */
            name: string;
            /** @description In coins that transactions reserve or spend. */
            reserved: components["schemas"]["Units"];
            runeId: components["schemas"]["EtchedRune"] | null;
            /** @description Null if the rune has none, or if no block has any of it yet. */
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
            /** @description The name with spacers. */
            name: string;
            /** @description Block and index of its etching. */
            runeId: components["schemas"]["EtchedRune"];
            /** @description Premine and mints so far in the smallest unit, including what was burned since. */
            supply: components["schemas"]["Units"];
            /** @description Null if it has none. */
            symbol: string | null;
        };
        /** @description 2008 `bitcoin.runeUnknown`: The rune does not exist. */
        RuneUnknownProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2008";
            /** @enum {string} */
            message: "bitcoin.runeUnknown";
        };
        /** @description The code of the second factor, sent with a proof. */
        SecondFactor: {
            /**
             * Format: otp-code
             * @description 6 digits or a recovery code; required if the account has a second factor.
             */
            otpCode?: string | null;
        };
        /** @description A user-signed action of the venue. */
        SendAssetAction: {
            /** @description In USDC, without trailing zeros. */
            amount: components["schemas"]["Usdc"];
            /**
             * @description The venue's system address of USDC: the venue credits the sender of such a transfer, and only the
             *     sender, on its EVM chain.
             * @example 0x2000000000000000000000000000000000000000
             */
            destination: string;
            /**
             * @description Always `spot`.
             * @example spot
             */
            destinationDex: string;
            /**
             * @description Always empty: no sub-account.
             * @example
             */
            fromSubAccount: string;
            /**
             * @description The chain id that the signature covers, 0x and hex.
             * @example 0x3e7
             */
            signatureChainId: string;
            /**
             * @description The balance that pays. Empty means the perpetuals balance. `spot` is used for an account with a single
             *     unified balance, and for any other account if only its spot balance holds enough. If the venue does
             *     not answer, it is empty.
             * @example
             */
            sourceDex: string;
            /** @description USDC by the venue's name. */
            token: components["schemas"]["UsdcToken"];
            /**
             * @description Always `sendAsset`.
             * @example sendAsset
             */
            type: string;
            /** @description The network. The venue calls this key `hyperliquidChain`. */
            venueChain: components["schemas"]["VenueChain"];
        };
        /** @description 4010 `auth.sessionEnded`: The session has ended. Sign in again. */
        SessionEndedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4010";
            /** @enum {string} */
            message: "auth.sessionEnded";
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
             * @description Always `set_referrer`.
             * @example set_referrer
             */
            kind: string;
        };
        /** @description An L1 action of the venue. The venue hashes its MessagePack form, so the order of the keys is fixed. */
        SetReferrerAction: {
            /** @description The referral code, 1 to 20 characters. */
            code: components["schemas"]["ReferralCode"];
            /**
             * @description Always `setReferrer`.
             * @example setReferrer
             */
            type: string;
        };
        /** @description What wallets sign to sign in. */
        SignIn: {
            /** @description The domain that messages are bound to. */
            domain: string;
            /**
             * Format: int64
             * @description The chain id that messages of EVM wallets name.
             */
            evmChainId: number;
            /**
             * @description The message that a Bitcoin wallet signs without a challenge. Replace `{address}`, if present, and the closing `{timestamp}`
             *     (ms since the epoch). Null if any text that ends in the time is accepted.
             */
            messageTemplate: string | null;
            /** @description The URI that messages name. */
            uri: string;
        };
        /** @description 4013 `auth.signInMessageInvalid`: The signed message is not from this service, is too old, or was already used. Sign a new one. */
        SignInMessageInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4013";
            /** @enum {string} */
            message: "auth.signInMessageInvalid";
        };
        /** @description Request body of a refund's signature. */
        SignRefund: {
            /**
             * Format: psbt
             * @description The PSBT as issued, with the user's signature on each of the user's inputs: base64 or hex. If none is
             *     the user's, the PSBT as issued.
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
        };
        /** @description 2012 `bitcoin.signatureMissing`: A signature is missing. */
        SignatureMissingProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2012";
            /** @enum {string} */
            message: "bitcoin.signatureMissing";
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
             * @description 6 digits or a recovery code; required if the account has a second factor.
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
            /** @description Media type that S3 stores the file with. */
            "Content-Type": string;
            /** @description `AWS4-HMAC-SHA256`. */
            "X-Amz-Algorithm": string;
            /** @description The access key and the scope of the signature: day, region and service. */
            "X-Amz-Credential": string;
            /**
             * @description Time of the signature.
             * @example 20261121T103000Z
             */
            "X-Amz-Date": string;
            /** @description Where the service has temporary credentials, their token. */
            "X-Amz-Security-Token"?: string;
            /** @description Name of the bucket. */
            bucket: string;
            /** @description Key of the file. */
            key: string;
        };
        /** @description A successful sign-in. */
        SignedIn: components["schemas"]["TokenPair"] & {
            /** @description The account. */
            account: components["schemas"]["Me"];
            /**
             * @description Send it in the header `Device-Token` of later requests from this device. It has 64 characters and is
             *     valid for 90 days after a sign-in with it. A client uses one token for all of its accounts.
             */
            deviceToken: string;
            /** @description The account's keystore, if it has one: base64, as sent by the client. */
            encryptedBlob?: string;
            /**
             * @description After a password proof: the service's proof `M2`, base64 of 32 bytes. If it is wrong, the client is
             *     not connected to the service that stores its verifier.
             */
            serverProof?: string;
            /** @description The two-signature Bitcoin address; null until it is created. */
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
             * @description 6 digits or a recovery code; required if the account has a second factor.
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
            /** @description Every field but the file; the client sends each unchanged. */
            fields: components["schemas"]["FormFields"];
            /** @description URL that the form is sent to by POST. */
            url: string;
        };
        /** @description One thing, and when to ask for it again. */
        Single_AccountRow: components["schemas"]["OkWith_AccountRow_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_DownloadHistory: components["schemas"]["OkWith_DownloadHistory_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_MintRow: components["schemas"]["OkWith_MintRow_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_OneRefund: components["schemas"]["OkWith_OneRefund_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_OneTransaction: components["schemas"]["OkWith_OneTransaction_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_OneXchainTransaction: components["schemas"]["OkWith_OneXchainTransaction_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_Prize: components["schemas"]["OkWith_Prize_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_RuneInfo: components["schemas"]["OkWith_RuneInfo_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_TokenRow: components["schemas"]["OkWith_TokenRow_Polling"];
        /** @description One thing, and when to ask for it again. */
        Single_VmTransactionRow: components["schemas"]["OkWith_VmTransactionRow_Polling"];
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
        };
        /**
         * @description What the amount is for.
         * @enum {string}
         */
        SpendType: "withdraw" | "xchain-withdraw" | "virtual-mint";
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
             * Format: base64-of-32-bytes
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
             * @description The hash function of the SRP profile.
             * @example SHA-256
             */
            hash: string;
            /** @description The account's salt, base64 of 32 bytes. */
            salt: string;
            /** @description `B`, base64, padded to the length of the group's prime. */
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
        };
        /** @description 8001 `xchain.registered`: The swap is already registered with different content. */
        SwapRegisteredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "8001";
            /** @enum {string} */
            message: "xchain.registered";
        };
        /** @description Status and history of a cross-chain transaction. */
        SwapStatus: {
            /**
             * Format: int64
             * @description The hub's id of the destination chain; null if the service does not know it.
             */
            dstChain: number | null;
            /**
             * @description The step that failed, in the hub's words; `verification` if the hub's record of the intent differs
             *     from the registration, `bitcoin` if the Bitcoin transaction cannot confirm.
             */
            failedAtStep?: string | null;
            /** @description The reason of the failure. */
            failureReason?: string | null;
            /** @description The transaction on the destination chain that filled it. */
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
            /** @description True if the hub could not be reached: the answer is the last known state. */
            stale: boolean;
            status: components["schemas"]["XchainStatus"];
            /** @description Swap: the hash of the intent. Withdrawal: the Bitcoin transaction id. */
            txId: string;
            /** @description When it last changed, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
            /** @description Whether the hub confirms the registration. */
            verified: boolean;
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
             * @description 6 digits; to disable the second factor, a recovery code also works. `code`, `otp` and `token` are
             *     aliases of this field.
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
        };
        /** @description 4003 `auth.tokenExpired`: The access token has expired. Refresh it. */
        TokenExpiredProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "4003";
            /** @enum {string} */
            message: "auth.tokenExpired";
        };
        /** @example 42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
        TokenId: string;
        /** @description 3015 `account.tokenNotFound`: The catalogue does not contain this token. */
        TokenNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3015";
            /** @enum {string} */
            message: "account.tokenNotFound";
        };
        /** @description 3018 `account.tokenNotInSlot`: The slot contains a different token. */
        TokenNotInSlotProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3018";
            /** @enum {string} */
            message: "account.tokenNotInSlot";
        };
        /** @description The tokens of a session. */
        TokenPair: {
            /** @description JWT for the header `Authorization: Bearer <accessToken>`. */
            accessToken: string;
            /**
             * Format: int64
             * @description Seconds until the access token expires.
             * @example 600
             */
            expiresIn: number;
            /** @description For `POST /auth/refresh-token`, usable once within 7 days. */
            refreshToken: string;
        };
        /** @description A token of the catalogue. */
        TokenRow: {
            /** @description Chain of the token. */
            chain: components["schemas"]["TokenChain"];
            /**
             * Format: int32
             * @description Decimal places of one whole token.
             * @example 6
             */
            decimals: number;
            /** @description Same as `tokenId`. */
            id: components["schemas"]["TokenId"];
            /** @description The slots in which it may be the default token. */
            slots: components["schemas"]["Slot"][];
            /**
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
        };
        /** @description 3022 `account.tooMany`: The account has reached the maximum number. Remove one first. */
        TooManyProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3022";
            /** @enum {string} */
            message: "account.tooMany";
        };
        /** @description 3001 `account.otpInvalid`: The code is wrong or already used. */
        TotpCodeInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3001";
            /** @enum {string} */
            message: "account.otpInvalid";
        };
        /** @description 3002 `account.totpNotSetUp`: Set up the second factor first. */
        TotpNotSetUpProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "3002";
            /** @enum {string} */
            message: "account.totpNotSetUp";
        };
        /** @description What an authenticator app needs. Nothing changes until one of its codes is sent to `2fa/toggle`. */
        TotpSetup: {
            /** @description `otpauth://totp/...` (SHA-1, 6 digits, 30 s). */
            otpauthUri: string;
            /** @description The URI as a QR code: `data:image/svg+xml;base64,...`. */
            qrCode: string;
            /** @description The secret for users who cannot scan: base32 of 20 bytes. */
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
            /** @description The two-signature Bitcoin address. */
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
            /** @description The platform's key, hex of 33 bytes. */
            platformPublicKey: string;
            /**
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
        };
        /** @description 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
        TransactionNotFoundProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2019";
            /** @enum {string} */
            message: "bitcoin.transactionNotFound";
        };
        /** @description The progress of a transaction. */
        TransactionProgress: {
            /** @description While it is unsigned, the PSBT as issued, base64; null otherwise. */
            base64Psbt: string | null;
            /**
             * Format: int32
             * @description Blocks from its own to the newest that the worker has applied, both included; null if no block has it.
             */
            confirmations: number | null;
            expiresAt: components["schemas"]["Timestamp"] | null;
            /** @description Whether nothing can change it any more. */
            isFinal: boolean;
        };
        /** @description A signed transaction of the caller. */
        TransactionRow: {
            amount: components["schemas"]["Units"] | null;
            /**
             * Format: int32
             * @description The height of its block.
             */
            blockHeight: number | null;
            /** @description When it was signed; ms since the epoch. Of one that is not signed, when it was created. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The fee, in sats.
             */
            feeSats: number;
            /** @description The txid. */
            id: string;
            /** @description The transaction that it replaces. */
            replaceTxId: string | null;
            /** @description The signed transaction that replaces it. */
            replacedByTxId: string | null;
            state: components["schemas"]["TransactionState"];
            tokenId: components["schemas"]["BitcoinToken"] | null;
            type: components["schemas"]["Kind"];
            /** @description The recipient of a withdrawal; null for other kinds. */
            withdrawTo: string | null;
        };
        /** @description 2013 `bitcoin.signatureInvalid`: A signature is not valid for this transaction and the account's key. */
        TransactionSignatureInvalidProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "2013";
            /** @enum {string} */
            message: "bitcoin.signatureInvalid";
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
         *     A replaced transaction returns to `broadcasting`, or to `signing` if the platform has not signed it, when
         *     the version that took its place has failed.
         *
         *     Nothing has happened until the platform signs. After that only the chain can end a transaction: it
         *     confirms, or another transaction spends its coins. A transaction in `signing` may already have been
         *     signed, so the same applies to it. If it can no longer be signed, its next version, which spends one of
         *     its coins, takes its place (custody rules 7 and 25).
         * @enum {string}
         */
        TransactionState: "unsigned" | "signing" | "broadcasting" | "inMempool" | "confirmed" | "expired" | "replaced" | "failed";
        /** @description Status of a transaction. */
        TransactionStatus: {
            /** @description Its state. */
            state: components["schemas"]["TransactionState"];
            /** @description Its txid. */
            txId: string;
        };
        /**
         * @description The kind of transaction.
         * @enum {string}
         */
        TransactionType: "xchain-withdraw" | "withdraw" | "renew-utxo";
        /** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
        TxHash: string;
        /** @description 1009 `common.unavailable`: The service is temporarily unavailable. Try again. */
        UnavailableProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1009";
            /** @enum {string} */
            message: "common.unavailable";
        };
        /** @description Requests for one rune that wait for a virtual block. */
        UnconfirmedOfRune: {
            /**
             * Format: int64
             * @description Number of requests.
             */
            count: number;
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
            /** @description The PSBT (BIP 174), base64. Sign the inputs of `userInputIndexes` with SIGHASH_ALL. */
            base64Psbt: string;
            /** @description The end of the reservation of its coins, ms since the epoch. It must be signed before. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description The fee. */
            fee: components["schemas"]["Fee"];
            /** @description The transaction's id, which signatures do not change. */
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
             * @description Decimals of displayed amounts; null in an output that no block has yet.
             */
            divisibility: number | null;
            runeid: components["schemas"]["EtchedRune"] | null;
            /** @description The name with spacers. */
            spacedRune: string;
            /** @description Null if the rune has none. */
            symbol: string | null;
        };
        /**
         * @description Whether a block has an output.
         * @enum {string}
         */
        UtxoStatus: "confirmed" | "unconfirmed";
        /** @description 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
        ValidationProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "1001";
            /** @enum {string} */
            message: "common.validation";
        };
        /**
         * @description A network of the venue, in the venue's own words.
         * @enum {string}
         */
        VenueChain: "Mainnet" | "Testnet";
        /** @description Information that accompanies an action to sign. */
        VenueMetaData: {
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
        /** @description The referrer of a wallet. */
        VenueReferrer: {
            /** @description The referrer's address, in lowercase. */
            address: string;
            /** @description The referral code that was set. */
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
             * @description Steps that the wallet has to take before it can trade. An empty list means none only if `checks` is
             *     `complete`.
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
             * @description The wallet that signs and owns the position, one of the account's own. A deposit leaves from its
             *     address on the venue's EVM chain; a withdrawal arrives there.
             */
            userAddress: components["schemas"]["EvmWallet"];
        };
        /** @description Something the wallet's owner should know before signing. */
        VenueWarning: {
            /** @description In USDC; missing if the warning concerns no amount. */
            amount?: components["schemas"]["Usdc"];
            kind: components["schemas"]["VenueWarningKind"];
            /** @description The warning as one English sentence. */
            message: string;
        };
        /**
         * @description The subject of a warning.
         * @enum {string}
         */
        VenueWarningKind: "lowGas" | "activationFee" | "netCredited" | "creditedToSpot" | "transferFee";
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
        };
        /** @description 6010 `vm.filtersUnsupported`: These filters cannot be combined. */
        VmFiltersUnsupportedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6010";
            /** @enum {string} */
            message: "vm.filtersUnsupported";
        };
        /** @description 6002 `vm.mintClosed`: The mint no longer accepts requests. */
        VmMintClosedProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6002";
            /** @enum {string} */
            message: "vm.mintClosed";
        };
        /** @description 6007 `vm.mintExists`: The rune already has a mint that has not ended. */
        VmMintExistsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6007";
            /** @enum {string} */
            message: "vm.mintExists";
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
        };
        /** @description 6011 `vm.pageTooDeep`: A list filtered by state has no pages this deep. */
        VmPageTooDeepProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6011";
            /** @enum {string} */
            message: "vm.pageTooDeep";
        };
        /** @description 6009 `vm.poolTooSmall`: The pool does not hold enough runes for the mint. */
        VmPoolTooSmallProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6009";
            /** @enum {string} */
            message: "vm.poolTooSmall";
        };
        /** @description 6003 `vm.priceTooLow`: The price per request is below the minimum of the mint. */
        VmPriceTooLowProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6003";
            /** @enum {string} */
            message: "vm.priceTooLow";
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
         *     Mempool and blocks are virtual. When a reorganisation of the chain removes a commitment's block, the state
         *     goes back too. A `replaced` or `failed` VM transaction can return as long as its commitment can still
         *     confirm.
         * @enum {string}
         */
        VmState: "unsigned" | "broadcasting" | "allInMempool" | "partiallyInBlock" | "allInBlock" | "distributing" | "distributed" | "expired" | "replaced" | "failed";
        /** @description 6006 `vm.tooManyPrices`: The batch was replaced too often to add another price. */
        VmTooManyPricesProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6006";
            /** @enum {string} */
            message: "vm.tooManyPrices";
        };
        /** @description 6004 `vm.tooManyRequests`: The mint has fewer requests in total. */
        VmTooManyRequestsProblem: components["schemas"]["Error"] & {
            /** @enum {string} */
            code: "6004";
            /** @enum {string} */
            message: "vm.tooManyRequests";
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
            /** @description The PSBT as issued or, once both keys have signed, the transaction; base64. */
            base64Tx: string | null;
            /** @description Same as `timestamp`. */
            createdAt: components["schemas"]["Timestamp"];
            distributeRuneAt: components["schemas"]["Timestamp"] | null;
            /** @description The transaction that sent its runes. */
            distributeRuneTxId: string | null;
            /** @description Txid of the commitment. */
            id: string;
            /** @description Whether a refund can be created for it. */
            isRefundable: boolean;
            mintId: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description Amount that its own confirmed commitment paid, in sats.
             */
            paidSats: number;
            refundState: components["schemas"]["RefundState"];
            /** @description The transaction that refunds it. */
            refundTxId: string | null;
            /**
             * Format: int64
             * @description Amount paid for requests that no virtual block took, in sats; set once that is final.
             */
            refundableSats: number;
            /** @description The VM transaction that this one replaces. */
            replaceTxId: string | null;
            /** @description The VM transaction that replaced this one. */
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
            /** @description The address that pays for it and receives refunds and runes. */
            tradingAddress: string;
            transferBtcAt: components["schemas"]["Timestamp"] | null;
            /** @description The transaction that moved its payment out of the treasury. */
            transferBtcTxId: string | null;
            /** @description Same as `id`. */
            txId: string;
            /** @description The distribution that includes it. */
            vmDistributionId: string | null;
        };
        /** @description Status of a VM transaction. */
        VmTransactionStatus: {
            state: components["schemas"]["VmState"];
            /** @description Txid of the commitment. */
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
            /** @description Canonical address: EVM and bech32 in lowercase. */
            address: string;
            /** @description Chain of the address. */
            chain: components["schemas"]["Chain"];
            /** @description The wallet software, as named by the client. */
            provider: string | null;
            /** @description The public key that proved the address; null for contract wallets. */
            publicKey: string | null;
        };
        /** @description The trading wallet of an address. */
        WalletDetails: {
            /** @description The trading address. */
            tradingAddress: string;
            /** @description The address of the request. */
            userAddress: string;
            /** @description The user's key in the trading wallet, hex: 33 bytes, or 32 if only Taproot has proved it. */
            userPublicKey: string;
        };
        /**
         * @description A reason to review the transaction before signing.
         * @enum {string}
         */
        Warning: "feeShareHigh" | "coinsExpireSoon" | "feeRateStale";
        /** @description A withdrawal to sign. */
        Withdraw: {
            /** @description The action that the wallet signs. */
            action: components["schemas"]["SendAssetAction"];
            /**
             * @description Always `withdraw`.
             * @example withdraw
             */
            kind: string;
        };
        /** @description Parameters of a withdrawal to a Bitcoin address. */
        WithdrawParams: {
            /**
             * @description In the smallest unit, at least 1; or `max` for as much as one transaction can pay.
             * @example 150000
             */
            amount: string;
            feeTarget?: components["schemas"]["FeeTarget"] | null;
            /** @description The token: a rune id, or `0:0` for BTC. */
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
            /** @description The step that failed. */
            failedAtStep: string | null;
            /** @description The reason of the failure. */
            failureReason: string | null;
            /** @description The transaction on the destination chain that filled it. */
            fillTxHash: string | null;
            id: string;
            /** @description The tokens and amounts of the exchange. */
            intent: components["schemas"]["Intent"];
            intentTxHash: components["schemas"]["IntentHash"] | null;
            /** @description The withdrawal that this one replaces; null otherwise. */
            replaceTxId: string | null;
            /** @description The withdrawal that its owner signed to replace this one; null otherwise. */
            replacedByTxId: string | null;
            spokeTxHash: components["schemas"]["TxHash"] | null;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
             */
            srcChain: number | null;
            status: components["schemas"]["XchainStatus"];
            /** @description The address that pays. */
            tradingAddress: string;
            /** @description Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent. */
            txId: string;
            type: components["schemas"]["XchainType"];
            /** @description When it last changed, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
            /** @description The wallet that began it; for a withdrawal the trading address. */
            userAddress: string;
            /**
             * @description Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
             *     it.
             */
            verified: boolean;
            /** @description The recipient's address. */
            withdrawTo: string;
        };
        /**
         * @description The state of a cross-chain transaction.
         * @enum {string}
         */
        XchainStatus: "registered" | "pending" | "relaying" | "relayed" | "solving" | "filled" | "failed" | "refunded";
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
            /** @description The token: a rune id, or `0:0` for BTC. */
            tokenId: components["schemas"]["BitcoinToken"];
            /**
             * Format: address
             * @description The recipient: a Bitcoin address, not the caller's trading address.
             */
            withdrawTo: string;
            /** @description Instructions for the hub, hex, at most 8 KiB. */
            xchainData: components["schemas"]["XchainData"];
        };
    };
    responses: {
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
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this state of the answer, for `If-None-Match`. */
        ETag: string;
        /** @description If it is known: seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description Finds the request in the service's log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    jwks: {
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
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_accounts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
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
                    "application/json": components["schemas"]["Envelope_Vec_AccountRow"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1012 `common.sortTooLarge`: The list is too long to be sorted by this field.
             */
            400: {
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_up_totp: {
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
                    "application/json": components["schemas"]["Envelope_TotpSetup"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /** @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    toggle_totp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToggleTotp"];
            };
        };
        responses: {
            /** @description How it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TotpState"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3001 `account.otpInvalid`: The code is wrong or already used.
             *     - 3002 `account.totpNotSetUp`: Set up the second factor first.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TotpCodeInvalidProblem"] | components["schemas"]["TotpNotSetUpProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OtpLockedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_activity: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
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
                    "application/json": components["schemas"]["OkWith_Vec_ActivityRow_ActivityMeta"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_addresses: {
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
                    "application/json": components["schemas"]["Envelope_Vec_OwnedAddress"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    link_address: {
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
                "application/json": components["schemas"]["LinkAddress"];
            };
        };
        responses: {
            /** @description The account */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
             *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
             *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TooManyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["ChallengeInvalidProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 4022 `auth.addressTaken`: The address already belongs to an account.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["AddressTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
                };
            };
        };
    };
    unlink_address: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The address */
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
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /** @description - 3023 `account.addressNotLinked`: The address is not linked to the account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressNotLinkedProblem"];
                };
            };
            /** @description - 3027 `account.addressInUse`: This address is used by open virtual-mint transactions or swaps. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressInUseProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SetAvatar"];
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
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3013 `account.inscriptionNotFound`: The inscription does not exist.
             *     - 3014 `account.inscriptionNotOwned`: None of the account's addresses holds the inscription.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InscriptionNotFoundProblem"] | components["schemas"]["InscriptionNotOwnedProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    init_change_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailInit"];
            };
        };
        responses: {
            /** @description The token was mailed, now or less than a minute ago */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_ChangeEmailSession_ChangeEmailMailed"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3006 `account.emailTaken`: The e-mail address already belongs to an account.
             *     - 3007 `account.emailUnchanged`: This is already the e-mail address of the account.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["NewEmailTakenProblem"] | components["schemas"]["EmailUnchangedProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_change_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmailVerify"];
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
                    "application/json": components["schemas"]["Envelope_Me"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TotpCodeInvalidProblem"] | components["schemas"]["NewEmailTakenProblem"] | components["schemas"]["EmailTokenInvalidProblem"] | components["schemas"]["EmailMismatchProblem"] | components["schemas"]["ReauthMissingProblem"] | components["schemas"]["PasswordProofInvalidProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["SrpValueInvalidProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /** @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_default_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3018 `account.tokenNotInSlot`: The slot contains a different token.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TokenNotInSlotProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_default_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3015 `account.tokenNotFound`: The catalogue does not contain this token.
             *     - 3016 `account.tokenChainUnsupported`: This slot does not accept tokens of this chain.
             *     - 3017 `account.tokenInvalidForSlot`: This slot does not accept this token.
             */
            400: {
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
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    keystore: {
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
                    "application/json": components["schemas"]["Envelope_KeystoreBlob"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 3019 `account.keystoreNotFound`: The account has no keystore. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeystoreNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    me: {
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
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_passkeys: {
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
                    "application/json": components["schemas"]["Envelope_Vec_PasskeyRow"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    init_passkey: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /** @description - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_passkey: {
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
                "application/json": components["schemas"]["AddPasskey"];
            };
        };
        responses: {
            /** @description The passkey */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeyRow"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3022 `account.tooMany`: The account has reached the maximum number. Remove one first.
             *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["TooManyProblem"] | components["schemas"]["HandshakeInvalidProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             *     - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"] | components["schemas"]["PasskeyRefusedProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 4029 `auth.passkeyTaken`: The passkey already belongs to an account.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["PasskeyTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey id */
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /** @description - 3020 `account.passkeyNotFound`: The account has no such passkey. */
            404: {
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
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProblem"] | components["schemas"]["LastWayInProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_referral_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The code
                 * @example 7K3M9QXZ
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
                    "application/json": components["schemas"]["Envelope_ReferralCodeCheck"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    init_change_password: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            /** @description - 3012 `account.noPassword`: The account has no password. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoPasswordProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasswordChanged"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3011 `account.passwordProofInvalid`: The current password is wrong.
             *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
             *     - 4026 `auth.srpValueInvalid`: An SRP value is invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PasswordProofInvalidProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["SrpValueInvalidProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /** @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    trading_wallet: {
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
                    "application/json": components["schemas"]["Envelope_TradingWalletBackup"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    make_trading_wallet: {
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
                "application/json": components["schemas"]["MakeTradingWallet"];
            };
        };
        responses: {
            /** @description The account */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 4007 `auth.signatureInvalid`: The signature does not prove control of the wallet.
             *     - 4008 `auth.tradingWallet`: The trading wallet cannot be created, or its public key is already used.
             *     - 4012 `auth.challengeInvalid`: The challenge is unknown, used, expired, or was issued for another wallet or purpose. Request a new one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 1014 `common.changed`: Another request changed the same data at the same time. Try again.
             *     - 3025 `account.tradingWalletExists`: The account already has a trading wallet.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ChangedProblem"] | components["schemas"]["TradingWalletExistsProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    trading_wallet_balance: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Balance_BalanceMeta"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    list_coins: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
                /** @description Only coins in one of these states. */
                state_eq?: components["schemas"]["CoinState"][];
                /** @description Only coins with one of these `renewal`. */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Vec_CoinRow_CoinsMeta"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    recovery_kit: {
        parameters: {
            query?: {
                /**
                 * @description `1`: the browser saves the answer as a file.
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_RecoveryKit"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmail"];
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
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 3008 `account.emailTokenInvalid`: The link is unknown, used or expired. Request a new one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["EmailTokenInvalidProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resend_verification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Mailed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description - 3024 `account.nothingToVerify`: The account has no unverified e-mail address. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NothingToVerifyProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_wallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWallet"];
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
                    "application/json": components["schemas"]["Envelope_Me"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["MethodNotAllowedForAccountProblem"] | components["schemas"]["NotAWalletKeystoreProblem"] | components["schemas"]["NewAddressTakenProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["ChallengeInvalidProblem"];
                };
            };
            /**
             * @description - 4002 `auth.invalidToken`: The access token is invalid.
             *     - 4003 `auth.tokenExpired`: The access token has expired. Refresh it.
             *     - 4004 `auth.noAuthorization`: The request has no Authorization header with a Bearer token.
             *     - 4006 `auth.accountNotFound`: The account does not exist.
             *     - 4010 `auth.sessionEnded`: The session has ended. Sign in again.
             *     - 4011 `auth.accountDisabled`: The account is disabled.
             *     - 4024 `auth.reauthRequired`: This requires a recent sign-in. Sign in again.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"] | components["schemas"]["ReauthRequiredProblem"];
                };
            };
            /** @description - 1014 `common.changed`: Another request changed the same data at the same time. Try again. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
                };
            };
        };
    };
    account_by_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The account */
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - 3028 `account.noSuchAccount`: The account does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoSuchAccountProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    authenticate_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Authenticate"];
            };
        };
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
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
            400: {
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDisabledProblem"] | components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["OtpRequiredProblem"] | components["schemas"]["OtpInvalidProblem"] | components["schemas"]["AddressLinkedProblem"] | components["schemas"]["AddressRetiredProblem"] | components["schemas"]["PasskeyRefusedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After.
             *     - 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"] | components["schemas"]["OtpLockedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
                };
            };
        };
    };
    logout_under_api: {
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    passkey_init_under_api: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refresh_token_under_api: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Envelope_TokenPair"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InvalidRefreshTokenProblem"];
                };
            };
            /** @description - 4011 `auth.accountDisabled`: The account is disabled. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_passkey_init_under_api: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RegisterPasskeyInit"];
            };
        };
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_passkey_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterPasskey"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
             *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["PasskeyMalformedProblem"];
                };
            };
            /** @description - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRefusedProblem"];
                };
            };
            /** @description - 4029 `auth.passkeyTaken`: The passkey already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_srp_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterSrp"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
                };
            };
            /** @description - 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_wallet_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterWallet"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
                };
            };
            /** @description - 4022 `auth.addressTaken`: The address already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
                };
            };
        };
    };
    list_sessions_under_api: {
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
                    "application/json": components["schemas"]["Envelope_Vec_LiveSession"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_session_under_api: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id */
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 4015 `auth.sessionNotFound`: The session does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    srp_init_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SrpInit"];
            };
        };
        responses: {
            /** @description The handshake */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    wallet_challenge_under_api: {
        parameters: {
            query: {
                /** @description The wallet's address. */
                address: string;
                /** @description The chain of the address. Required only if the address is ambiguous. */
                chain?: components["schemas"]["Chain"];
                /**
                 * @description The use of the signature. The default is `signIn`; with a token and an address that does not belong to
                 *     the account it is `rotate`.
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_IssuedChallenge"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    fee_rates: {
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
                    "application/json": components["schemas"]["Envelope_FeeRates"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Deployment"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    page: {
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
    list_download_histories: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
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
                    "application/json": components["schemas"]["Envelope_Vec_DownloadHistory"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_download_history: {
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
                "application/json": components["schemas"]["CreateDownloadHistory"];
            };
        };
        responses: {
            /** @description The export, pending */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_DownloadHistory"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    download_history: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The export */
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description - 1104 `exports.notFound`: The export does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_download_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The export */
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
                    "application/json": components["schemas"]["Envelope_DownloadHistory"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    health: {
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
            /** @description Up */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Health"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    presigned_url: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresignUploads"];
            };
        };
        responses: {
            /** @description The forms, in the order of the files */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Vec_MediaUpload_NoMetaData"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 5101 `medias.notServed`: The service does not serve media yet, so it accepts no uploads.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["MediaNotServedProblem"];
                };
            };
        };
    };
    document: {
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
    perp_venue_builder_fee_approval: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RequestApproval"];
            };
        };
        responses: {
            /** @description The action */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_ApproveBuilderFee_VenueMetaData"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    perp_venue_deposit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VenueTransfer"];
            };
        };
        responses: {
            /** @description The transactions, in the order to send them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Deposit_VenueMetaData"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 9002 `perpVenue.insufficientUsdc`: The wallet's USDC balance on the venue's EVM chain is too low.
             *     - 9003 `perpVenue.amountBelowActivationFee`: The first deposit of a new account must exceed the venue's activation fee.
             *     - 9005 `perpVenue.contractWallet`: Contract wallets cannot sign the venue's messages. Use another wallet.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PerpVenueInsufficientUsdcProblem"] | components["schemas"]["PerpVenueAmountBelowActivationFeeProblem"] | components["schemas"]["PerpVenueContractWalletProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["PerpVenuePausedProblem"];
                };
            };
        };
    };
    perp_venue_referral: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestReferral"];
            };
        };
        responses: {
            /** @description The action, or null */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Option_SetReferrer_VenueMetaData"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    perp_venue_status: {
        parameters: {
            query: {
                /** @description One of the account's own wallets, including one used before a wallet rotation. */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_VenueStatus_VenueMetaData"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    perp_venue_withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VenueTransfer"];
            };
        };
        responses: {
            /** @description The action */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Withdraw_VenueMetaData"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 9004 `perpVenue.insufficientVenueBalance`: The wallet's balance at the venue does not cover the amount and the transfer fee.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PerpVenueInsufficientBalanceProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 9001 `perpVenue.paused`: USDC transfers to and from the venue are paused. Try again later.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["PerpVenuePausedProblem"];
                };
            };
        };
    };
    list_prizes: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
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
                    "application/json": components["schemas"]["Envelope_Vec_Prize"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_prize: {
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
                "application/json": components["schemas"]["RegisterPrize"];
            };
        };
        responses: {
            /** @description The prize */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Prize"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 5004 `prizes.utxoUnusable`: The output does not exist, is spent, or is unconfirmed.
             *     - 5005 `prizes.inscriptionElsewhere`: The output does not hold the inscription.
             *     - 5006 `prizes.notInTreasury`: The output does not belong to the treasury.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PrizeUtxoUnusableProblem"] | components["schemas"]["PrizeInscriptionElsewhereProblem"] | components["schemas"]["PrizeNotInTreasuryProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 5001 `prizes.numberTaken`: The prize number is already used.
             *     - 5002 `prizes.inscriptionTaken`: The inscription is already a prize.
             *     - 5003 `prizes.utxoTaken`: The output holds another prize.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["PrizeNumberTakenProblem"] | components["schemas"]["PrizeInscriptionTakenProblem"] | components["schemas"]["PrizeUtxoTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    prize_by_number: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The prize's number */
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description - 5007 `prizes.notFound`: No prize has this number. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrizeNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_refund: {
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
                "application/json": components["schemas"]["CreateRefund"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UnsignedTransaction"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
             *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
             *     - 7001 `refund.nothing`: There is nothing to refund.
             *     - 7002 `refund.belowFee`: The refund is worth less than its network fee.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["RefundNothingProblem"] | components["schemas"]["RefundBelowFeeProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 7003 `refund.open`: Another refund of the account is waiting for its signature.
             *     - 7004 `refund.changed`: The refundable amount has changed. Request the refund again.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["RefundOpenProblem"] | components["schemas"]["RefundChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    calculate_refund: {
        parameters: {
            query: {
                /** @description What is refunded. */
                type: components["schemas"]["RefundType"];
                /**
                 * @description Rune ids, separated by commas.
                 * @example 840000:3,840000:4
                 */
                runeIds: string;
                /** @description The address that created the VM transactions, or the trading address that paid for them. */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Calculation"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    sign_refund: {
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
                "application/json": components["schemas"]["SignRefund"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2010 `bitcoin.psbtMalformed`: The PSBT cannot be parsed.
             *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
             *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["ReservationExpiredProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    one_refund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The refund */
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
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rune_by_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The rune */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Single_RuneInfo"];
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
    list_tokens: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
                /** @description Only tokens of one of these chains. */
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
                    "application/json": components["schemas"]["Envelope_Vec_TokenRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    token_by_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The token */
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description - 1105 `tokens.notFound`: The catalogue does not contain this token. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoSuchTokenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_own_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
                /** @description Only transactions in one of these states. */
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
                    "application/json": components["schemas"]["Envelope_Vec_TransactionRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_trading_transaction: {
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
                "application/json": components["schemas"]["CreateTransaction"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
             *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
             *     - 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it.
             *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
             *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
             *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
             *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
             *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
             *     - 2018 `bitcoin.nothingToRenew`: No coin needs a renewal.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["InsufficientRuneProblem"] | components["schemas"]["AmountBelowDustProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["ReservationExpiredProblem"] | components["schemas"]["NothingToRenewProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoinUnknownProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["NotReplaceableProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
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
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ChainBusyProblem"];
                };
            };
        };
    };
    max_spent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaxSpent"];
            };
        };
        responses: {
            /** @description The largest amount */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_LargestAmount"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
             *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["RuneUnknownProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sign_trading_transaction: {
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
                "application/json": components["schemas"]["SignTransaction"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    one_transaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The transaction */
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description - 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    release_transaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction */
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
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionNotFoundProblem"];
                };
            };
            /** @description - 2020 `bitcoin.alreadySigned`: The transaction is signed. Only the network can end it now. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlreadySignedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replace_transaction: {
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
                /** @description The transaction */
                txId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceTransaction"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 2019 `bitcoin.transactionNotFound`: The account has no such transaction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionNotFoundProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
             *     - 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"] | components["schemas"]["NotReplaceableProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_utxos: {
        parameters: {
            query: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
                /** @description A trading address; required. */
                address_eq: string;
                /** @description `true` lists nothing: spent outputs are not listed. */
                isSpent_eq?: boolean;
                /** @description Only outputs that mints refuse, or only others. */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_UtxoRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_vm_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
                /**
                 * @description Only rows in this state; requires `runeId_eq`. `unsigned` and `expired` return only the caller's own
                 *     rows.
                 */
                state_eq?: components["schemas"]["VmState"];
                /** @description Only rows of this rune. */
                runeId_eq?: components["schemas"]["EtchedRune"];
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
                    "application/json": components["schemas"]["Envelope_Vec_VmTransactionRow"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 6010 `vm.filtersUnsupported`: These filters cannot be combined.
             *     - 6011 `vm.pageTooDeep`: A list filtered by state has no pages this deep.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["VmFiltersUnsupportedProblem"] | components["schemas"]["VmPageTooDeepProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_vm_transaction: {
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
                "application/json": components["schemas"]["CreateVmTransaction"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UnsignedTransaction"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
             *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
             *     - 6001 `vm.noMint`: No open mint of this rune accepts requests.
             *     - 6003 `vm.priceTooLow`: The price per request is below the minimum of the mint.
             *     - 6004 `vm.tooManyRequests`: The mint has fewer requests in total.
             *     - 6006 `vm.tooManyPrices`: The batch was replaced too often to add another price.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["VmNoMintProblem"] | components["schemas"]["VmPriceTooLowProblem"] | components["schemas"]["VmTooManyRequestsProblem"] | components["schemas"]["VmTooManyPricesProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
             *     - 6002 `vm.mintClosed`: The mint no longer accepts requests.
             *     - 6005 `vm.batchUnderWay`: Your previous batch is still being broadcast. Try again once it is in the mempool.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"] | components["schemas"]["VmMintClosedProblem"] | components["schemas"]["VmBatchUnderWayProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    count_unconfirmed_requests: {
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
                    "application/json": components["schemas"]["Envelope_UnconfirmedRequests"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_mints: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
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
                    "application/json": components["schemas"]["Envelope_Vec_MintRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_mint: {
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
                "application/json": components["schemas"]["CreateMint"];
            };
        };
        responses: {
            /** @description The mint */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_MintRow"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
             *     - 6009 `vm.poolTooSmall`: The pool does not hold enough runes for the mint.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["VmPoolTooSmallProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 6007 `vm.mintExists`: The rune already has a mint that has not ended.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["VmMintExistsProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    mint_by_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The mint */
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description - 6008 `vm.mintNotFound`: The mint does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VmMintNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_blocks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
            };
            header?: never;
            path: {
                /** @description The mint */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of virtual blocks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_VirtualBlockRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    close_mint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mint */
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
                    "application/json": components["schemas"]["Envelope_MintRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - 6008 `vm.mintNotFound`: The mint does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VmMintNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    next_block: {
        parameters: {
            query?: {
                /** @description How many requests `priceToEnter` is for; 1 by default. */
                requestCount?: number;
            };
            header?: never;
            path: {
                /** @description The mint */
                id: components["schemas"]["MintId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next virtual block */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_NextVirtualBlock"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sign_vm_transaction: {
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
                "application/json": components["schemas"]["SignVmTransaction"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWith_VmTransactionStatus_NoMetaData"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
             *     - 6002 `vm.mintClosed`: The mint no longer accepts requests.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"] | components["schemas"]["VmMintClosedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    vm_transaction_by_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier answer: if nothing has changed, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Txid of the commitment */
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
                    "application/json": components["schemas"]["Single_VmTransactionRow"];
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
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description - 6013 `vm.transactionNotFound`: The VM transaction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VmTransactionNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    address_balance: {
        parameters: {
            query: {
                /** @description A trading address. */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_AddressBalance"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    wallet_details: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One of the caller's own addresses */
                userAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trading wallet */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_WalletDetails"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - 3026 `account.tradingWalletNotFound`: The account has no trading wallet. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradingWalletNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    affiliate: {
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
                    "application/json": components["schemas"]["Envelope_Affiliate"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_transaction: {
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
                "application/json": components["schemas"]["CreateTransaction"];
            };
        };
        responses: {
            /** @description The transaction to sign */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 2002 `bitcoin.insufficientBalance`: The BTC balance is too low.
             *     - 2004 `bitcoin.insufficientRuneBalance`: The balance of this rune is too low.
             *     - 2005 `bitcoin.amountBelowDust`: An amount is below the dust limit. Increase it.
             *     - 2006 `bitcoin.feeTooHigh`: The network fee would exceed the maximum per transaction. Try again when fees are lower.
             *     - 2008 `bitcoin.runeUnknown`: The rune does not exist.
             *     - 2009 `bitcoin.noTradingWallet`: The account has no trading wallet.
             *     - 2011 `bitcoin.notTheIssuedTransaction`: The PSBT does not match the transaction that was issued.
             *     - 2015 `bitcoin.reservationExpired`: The time to sign has expired, or the transaction was refused. Request a new one.
             *     - 2018 `bitcoin.nothingToRenew`: No coin needs a renewal.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InsufficientBtcProblem"] | components["schemas"]["InsufficientRuneProblem"] | components["schemas"]["AmountBelowDustProblem"] | components["schemas"]["FeeTooHighProblem"] | components["schemas"]["RuneUnknownProblem"] | components["schemas"]["NoTradingWalletProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["ReservationExpiredProblem"] | components["schemas"]["NothingToRenewProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - 2017 `bitcoin.coinUnknown`: The trading address has no such coin that it can spend now. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoinUnknownProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2021 `bitcoin.notReplaceable`: The transaction is confirmed or in progress and cannot be replaced.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["NotReplaceableProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
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
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ChainBusyProblem"];
                };
            };
        };
    };
    sign_transaction: {
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
                "application/json": components["schemas"]["SignTransaction"];
            };
        };
        responses: {
            /** @description Status of the transaction */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["PsbtMalformedProblem"] | components["schemas"]["NotTheIssuedTransactionProblem"] | components["schemas"]["SignatureMissingProblem"] | components["schemas"]["TransactionSignatureInvalidProblem"] | components["schemas"]["WrongSighashProblem"] | components["schemas"]["ReservationExpiredProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /**
             * @description - 1010 `common.inProgress`: A request with this Idempotency-Key is still being processed. Try again shortly.
             *     - 1011 `common.idempotencyKeyReused`: This Idempotency-Key was already used with a different body.
             *     - 2016 `bitcoin.coinsChanged`: A coin of the transaction was spent or changed in the meantime. Request a new transaction.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InProgressProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["CoinsChangedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description - 2003 `bitcoin.chainUnavailable`: The Bitcoin data source is unavailable, so nothing was done. Try again. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainUnavailableProblem"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    list_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page. Values above 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; every list has `id`. A leading `-` means descending. */
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
                 * @description The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a list that
                 *     grows then neither repeat nor skip a row. Lists whose rows come and go do not accept it; their
                 *     answers have no `metaData.asOf`.
                 */
                asOf?: number;
                /** @description Only transactions whose tradingAddress, withdrawTo or userAddress is this address. */
                relatedAddress_eq?: string;
                /**
                 * @description Only transactions that exchange these two tokens, in either direction: two token addresses separated
                 *     by a comma.
                 */
                intentTokenPair_eq?: string;
                /** @description Only transactions that give or want this token. */
                intentToken_eq?: string;
                /** @description Only transactions with one of these statuses; requires `relatedAddress_eq`. */
                status_eq?: components["schemas"]["XchainStatus"][];
                /** @description Only transactions of one of these kinds; requires `relatedAddress_eq`. */
                type_eq?: components["schemas"]["XchainType"][];
                /** @description Only transactions from one of these chains, the hub's ids; requires `relatedAddress_eq`. */
                srcChain_eq?: number[];
                /** @description Only transactions to one of these chains, the hub's ids; requires `relatedAddress_eq`. */
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
                    "application/json": components["schemas"]["Envelope_Vec_XchainRow"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_swap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Swap"];
            };
        };
        responses: {
            /** @description The swap is registered */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Registration"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 8002 `xchain.contradicted`: The hub's record of the intent differs from the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SwapContradictedProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 1007 `common.forbidden`: This account is not allowed to do this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - 8001 `xchain.registered`: The swap is already registered with different content. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwapRegisteredProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    xchain_transaction: {
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
                /** @description The hash: 32 bytes in hex, or 32 or 64 in base58 */
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
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    status: {
        parameters: {
            query?: {
                /** @description The hub's id of the source chain, if `txId` is a transaction on it. */
                srcChain?: number;
            };
            header?: never;
            path: {
                /** @description The hash: 32 bytes in hex, or 32 or 64 in base58 */
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
                    "application/json": components["schemas"]["Envelope_SwapStatus"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description - 8003 `xchain.notFound`: The cross-chain transaction does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["XchainNotFoundProblem"];
                };
            };
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
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Authenticate"];
            };
        };
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
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
            400: {
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDisabledProblem"] | components["schemas"]["InvalidCredentialsProblem"] | components["schemas"]["OtpRequiredProblem"] | components["schemas"]["OtpInvalidProblem"] | components["schemas"]["AddressLinkedProblem"] | components["schemas"]["AddressRetiredProblem"] | components["schemas"]["PasskeyRefusedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After.
             *     - 4019 `auth.otpLocked`: Too many wrong codes. Try again after the time in Retry-After.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"] | components["schemas"]["OtpLockedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
                };
            };
        };
    };
    logout: {
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    passkey_init: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refresh_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["Envelope_TokenPair"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 4005 `auth.invalidRefreshToken`: The refresh token is invalid. Sign in again.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["InvalidRefreshTokenProblem"];
                };
            };
            /** @description - 4011 `auth.accountDisabled`: The account is disabled. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_passkey_init: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RegisterPasskeyInit"];
            };
        };
        responses: {
            /** @description The ceremony */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_passkey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterPasskey"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             *     - 4025 `auth.handshakeInvalid`: The handshake is unknown, used, expired, or was started for another purpose. Start a new one.
             *     - 4027 `auth.passkeyMalformed`: The passkey response is malformed.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["HandshakeInvalidProblem"] | components["schemas"]["PasskeyMalformedProblem"];
                };
            };
            /** @description - 4028 `auth.passkeyRefused`: The passkey is unknown, or its response is invalid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRefusedProblem"];
                };
            };
            /** @description - 4029 `auth.passkeyTaken`: The passkey already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_srp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterSrp"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
                };
            };
            /** @description - 4023 `auth.emailTaken`: The e-mail address already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    register_wallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterWallet"];
            };
        };
        responses: {
            /** @description The account, signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
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
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"] | components["schemas"]["SignatureInvalidProblem"] | components["schemas"]["TradingWalletProblem"] | components["schemas"]["ChallengeInvalidProblem"] | components["schemas"]["ReferralCodeUnknownProblem"];
                };
            };
            /** @description - 4022 `auth.addressTaken`: The address already belongs to an account. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressTakenProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description - 1009 `common.unavailable`: The service is temporarily unavailable. Try again.
             *     - 4014 `auth.contractWalletUnavailable`: Signatures of contract wallets cannot be checked right now. Try again.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableProblem"] | components["schemas"]["ContractWalletUnavailableProblem"];
                };
            };
        };
    };
    list_sessions: {
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
                    "application/json": components["schemas"]["Envelope_Vec_LiveSession"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id */
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
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
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
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTokenProblem"] | components["schemas"]["TokenExpiredProblem"] | components["schemas"]["NoAuthorizationProblem"] | components["schemas"]["AccountNotFoundProblem"] | components["schemas"]["SessionEndedProblem"] | components["schemas"]["AccountDisabledProblem"];
                };
            };
            /** @description - 4015 `auth.sessionNotFound`: The session does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionNotFoundProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    srp_init: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made
                 *     elsewhere do not lock it out here.
                 */
                "Device-Token"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SrpInit"];
            };
        };
        responses: {
            /** @description The handshake */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            /**
             * @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each.
             *     - 1002 `common.malformedBody`: The body is not JSON, or not a JSON object.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"] | components["schemas"]["MalformedBodyProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    wallet_challenge: {
        parameters: {
            query: {
                /** @description The wallet's address. */
                address: string;
                /** @description The chain of the address. Required only if the address is ambiguous. */
                chain?: components["schemas"]["Chain"];
                /**
                 * @description The use of the signature. The default is `signIn`; with a token and an address that does not belong to
                 *     the account it is `rotate`.
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_IssuedChallenge"];
                };
            };
            /** @description - 1001 `common.validation`: Fields of the request are missing or wrong; `errors` names each. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description - 1013 `common.rateLimited`: Too many requests. Try again after the time in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedProblem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
