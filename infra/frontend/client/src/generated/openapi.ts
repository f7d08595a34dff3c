// Generated from infra/openapi.json by `npm run generate`.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys of access tokens (RFC 7517), not in the envelope: libraries read it as it is. */
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
         * Every account, newest first. Admins only.
         * @description Sorts: `createdAt`, `email`. Hidden fields: `referredBy`, `lastSignInAt`. Relations: `wallet`,
         *     and `referrer`: who invited the account, or null.
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
         * Makes a secret for the second factor. One that is in use stays in use until the new one is
         *     confirmed by `2fa/toggle`.
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
         * Switches the second factor on by a code of the secret that was set up, or off by one of the
         *     secret in use. A code of a new secret replaces the one in use, within 15 minutes of a sign-in. Every
         *     other session ends.
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
         * What changed in the caller's account, newest first: who did it, when, and from where. Sign-ins
         *     are among it. Proofs that failed are counted by hour, in `metaData.failedProofs`.
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
        /** The caller's addresses: the sign-in wallet first, then those that were linked. */
        get: operations["list_addresses"];
        put?: never;
        /**
         * Links an address: it can be used wherever an address of the caller's own is asked for. It does
         *     not sign in. Needs a sign-in within the last 15 minutes.
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
         * Unlinks an address. Needs a sign-in within the last 15 minutes. One that acts for VM transactions
         *     or swaps which are not over stays.
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
        /** Chooses or removes the account's picture. */
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
         * Mails a token to the new address, and a notice to the present one. A repeated request with the
         *     same address gets a fresh handshake; it mails another token, which replaces the earlier one, if
         *     the last mail is at least 60 seconds old. At most 3 requests that mail an hour.
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
         * Changes the e-mail address, and with it the verifier where there is one: in one transaction with
         *     the uniqueness records and the token. Every other session ends.
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
        /** Empties a slot. `tokenId` names the token that is in it. */
        delete: operations["remove_default_token"];
        options?: never;
        head?: never;
        /** Chooses the account's default token of a slot. */
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
        /** The caller's keystore. */
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
        /** The caller's account. */
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
        /** The caller's passkeys. */
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
        /** Begins to add a passkey. Needs a sign-in within the last 15 minutes. */
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
         * Adds a passkey; it signs the account in from now on. Every other session ends. Needs a sign-in
         *     within the last 15 minutes.
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
         * Removes a passkey, unless nobody could sign in without it. Every other session ends. Needs a
         *     sign-in within the last 15 minutes.
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
        /** Whether a referral code can be used. Case does not matter; an unknown code is no error. */
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
        /** The first half of a change of the password: the handshake in which the current one is proved. */
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
         * Changes the password: salt, verifier, keystore and hint together, on the condition that the
         *     verifier is still the one that the proof was checked against. Every other session ends.
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
         * The caller's trading wallet, and how to spend from it without the platform: to be kept where it
         *     is found when the platform is no more. It holds no secret.
         */
        get: operations["trading_wallet"];
        put?: never;
        /**
         * Makes the trading wallet of an account that has none: where no Bitcoin wallet signs it in. It is
         *     made once, and no key of it ever changes. Needs a sign-in within the last 15 minutes.
         */
        post: operations["make_trading_wallet"];
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
         * Proves the account's e-mail address by a mailed token. An address that another account holds
         *     without having proved it becomes the caller's; that account keeps everything else, and signs in
         *     by its id where it has a password.
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
        /** Mails another token to the account's e-mail address. At most 3 an hour. */
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
         * Replaces the sign-in wallet and the keystore, together. The old wallet signs in no more, and no
         *     account can be made with it for 90 days. Every other session ends.
         */
        post: operations["rotate_wallet"];
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
         * Signs in. The first sign-in of a wallet makes its account.
         * @description The body has one of four forms: a Bitcoin wallet's signature of the deployment's message, which
         *     ends in a time at most 5 minutes old and is good once; any wallet's signature of a challenge;
         *     the second half of a handshake by password (SRP); or a passkey's answer. Each takes `otpCode`,
         *     6 digits or a recovery code, which is needed where the account has a second factor: without it
         *     the answer is 401 `auth.otpRequired`, and the proof is used up.
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
         * Ends the caller's session: its refresh token is dead at once, and so is its access token for
         *     whatever is sensitive; for the rest that ends within 10 minutes.
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
        /** The first half of a sign-in with whatever passkey the user picks. */
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
        /** Spends a refresh token for a new pair. A token that was spent before ends its session. */
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
        /** The first half of a registration with a passkey. */
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
        /** Makes an account that a passkey signs in. */
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
         * Makes an account that a password signs in. The password never reaches the service: it stores a
         *     verifier of it (SRP-6a, RFC 5054), and the client's keys, which the client encrypted.
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
         * Makes a wallet's account, with a keystore and an e-mail address where they are sent.
         * @description The proof is a signature of a challenge, as for a sign-in; the message that ends in a time only
         *     signs in.
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
        /** The caller's sessions that are alive, newest first; at most 100. */
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
        /** Ends one of the caller's sessions. */
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
         * The first half of a sign-in by password.
         * @description `email` may also be an account id. The identity `I` of the proof is the e-mail address that the
         *     account was registered with or changed to, in either case: an account whose address another one
         *     has proved since, or whose own proof is still to come, signs in by its id and that address. A
         *     name that is no account's is answered alike: its salt never changes, and the work is the same.
         *
         *     Guesses of devices that the account does not know are slowed: 429 with `Retry-After`.
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
         * Issues a challenge: bound to this service, to the address, and to a purpose; good once, for 5
         *     minutes. With a token, the text names the account too; `link` needs one.
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
         * Asks for a file of the caller's history. It has the rows that the history has now, as they stand when
         *     the file is made, in the background: the list says how far it is, and has the link.
         */
        post: operations["create_download_history"];
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
        /** Whether the service is up; with `deep=1`, whether what it depends on is too. */
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
         * A form for each file, by which the client uploads it to the storage itself.
         * @description Send each as `multipart/form-data` to `signedUrl.url`: the fields of `signedUrl.fields` as they
         *     are, in any order, then the file, in a field `file`. The storage refuses what is larger, of
         *     another type or key, or late. Forms are not kept: `Idempotency-Key` is ignored.
         */
        post: operations["presigned_url"];
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
         * The action that approves the builder fee of the platform. A wallet signs it once, after its first
         *     deposit: the venue refuses it before.
         * @description The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs by the venue's
         *     user-signed-action signing (EIP-712), and posts it to the venue itself. Nothing is kept:
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
         * The two transactions that deposit USDC from a wallet's address on the venue's EVM chain into its
         *     account at the venue.
         * @description The client signs both, and broadcasts them by `eth_sendRawTransaction` to `rpcUrl`: the approval,
         *     then the deposit. What would fail is refused, as far as the chain can be asked; where it cannot,
         *     `metaData.checks` is `unavailable` and the transactions are answered all the same. Where the chain
         *     contradicts the settings of the service there are none: 503. The gas of the deposit cannot be
         *     estimated before the approval is mined: 300,000 is enough. Nothing is kept: `Idempotency-Key` is
         *     ignored.
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
         * The action that sets the referrer of a wallet at the venue; null where there is none to be set: no
         *     code is configured, the wallet has a referrer, or it has traded 10,000 USD, from where on the venue
         *     takes none.
         * @description The client signs it by the venue's L1-action signing, and posts it to the venue itself. Where the
         *     venue cannot be asked, `metaData.checks` is `unavailable` and the action is answered all the same, to a
         *     wallet that has a referrer too: it would bounce. Nothing is kept: `Idempotency-Key` is ignored.
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
         * Where a wallet stands at the venue: its balances on both sides, and what it has yet to do.
         * @description The venue's answers about a wallet are kept for 5 seconds.
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
         * The action that moves USDC from a wallet's account at the venue to its own address on the venue's
         *     EVM chain.
         * @description The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs by the venue's
         *     user-signed-action signing (EIP-712, send-asset types), and posts it to the venue itself. What would
         *     bounce is refused, as far as the venue can be asked; where it cannot, `metaData.checks` is
         *     `unavailable` and the action is answered all the same. Nothing is kept: `Idempotency-Key` is ignored.
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
        /** Every prize, newest first; can be sorted by every field. */
        get: operations["list_prizes"];
        put?: never;
        /**
         * Registers a prize that the treasury holds. Admins only.
         * @description The chain must say that the output is unspent, holds the inscription, and pays the treasury.
         */
        post: operations["register_prize"];
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
         * Creates the refund that was calculated, to be signed within ten minutes. It is paid to the
         *     trading address that the transactions were paid from.
         * @description One at a time: the same refund asked for again is answered by the same transaction until that
         *     expires. The transaction spends the outputs that are refunded and, where the trading address has
         *     one, a coin of the user's, who signs for it and gets it back in full. Where `userInputIndexes` is
         *     empty, it is sent back as it is.
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
         * Calculates a refund: what creating one now would pay. The fee rate behind it is kept for ten
         *     minutes.
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
         * Takes the user's signatures, adds the platform's, and broadcasts.
         * @description What is refused was not broadcast, and can be refunded anew. The same transaction signed again is
         *     answered as it stands. `signing` and `broadcasting` mean that it is under way: the service goes on
         *     by itself.
         */
        post: operations["sign_refund"];
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
         * The token catalogue, the latest entry first.
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
    "/api/vm-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * VM transactions, newest first: those that were signed, and with a token and `state_eq=unsigned`
         *     or `expired` the caller's own. A token that is not good is 401 there, and counts as none elsewhere.
         * @description Filters: `state_eq` with `runeId_eq`; or one of `tradingAddress_eq` and `userAddress_eq`, with or
         *     without `runeId_eq`; or `runeId_eq` alone.
         */
        get: operations["list_vm_transactions"];
        put?: never;
        /**
         * Creates a batch of requests, to be signed within ten minutes: a Bitcoin transaction that pays the
         *     mint's treasury.
         * @description While the batch before, of the same rune and account, is in no block, the new one replaces it: it
         *     pays for the requests of both (BIP 125). So it does where the network has refused that one, or has
         *     dropped it and not taken it back, for half an hour. The same batch asked for again is answered by the same
         *     transaction until that expires; another one takes its place.
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
        /** How many requests of open mints the network has and no virtual block. */
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
        /** Every mint, newest first. */
        get: operations["list_mints"];
        put?: never;
        /**
         * Makes a mint. Admins only. A rune has one mint at a time, and the pool must hold its runes.
         *     The rune's etching must be seven blocks deep.
         */
        post: operations["create_mint"];
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
         * Closes a mint now instead of at its time. Admins only. What is closed already stays as it is.
         * @description The newest block is the last one that its requests can be in. Whether every request was taken is
         *     known for good seven blocks later.
         */
        post: operations["close_mint"];
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
         * Takes the user's signatures, adds the platform's, and broadcasts.
         * @description What is refused was not broadcast, and its coins are free again. The same transaction signed
         *     again is answered as it stands. `broadcasting` means that it is under way: the service goes on by
         *     itself.
         */
        post: operations["sign_vm_transaction"];
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
        /** The affiliate fee of cross-chain swaps, and who earns it. */
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
         * Creates a withdrawal from the caller's trading address, to be signed within ten minutes.
         * @description No inscription is spent, and no rune but the one that is withdrawn; runes of the same coins come
         *     back to the trading address. SHA-256 of `xchainData` stands in an OP_RETURN; of runes, where the
         *     deployment has it so.
         *
         *     With `replaceTxId` it takes the place of a withdrawal that waits in the mempool, or that the network
         *     has refused for half an hour (BIP 125): it spends a coin of that one, so that only one of the two
         *     can confirm.
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
         * Takes the user's signatures, adds the platform's, and broadcasts.
         * @description What is refused was not broadcast, and its coins are free again. The same transaction signed
         *     again is answered as it stands. `signing` and `broadcasting` mean that it is under way: the
         *     service goes on by itself.
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
         * Cross-chain transactions, newest first: registered swaps, and withdrawals that were signed. Filters
         *     can be combined as one likes.
         * @description Relations: `inputToken` and `outputToken`, as the catalogue of tokens has them, or null; `token` is
         *     the one that is given.
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
         * @description `walletAddress` and `srcAddress` are the account's addresses where they are EVM, Solana or Bitcoin
         *     addresses, and stay linked until the swap is over; one that a contract wallet has proved counts on
         *     that wallet's chain alone, which `srcChain` must be. Addresses of chains whose signatures cannot be
         *     checked need no proof. Asked again with the same content, the
         *     answer is `registered: false`. A swap that the hub knows otherwise is refused; one that it does not
         *     know yet is in the lists as `verified: false` until it does. One that has failed because the hub did
         *     not know it in a day can be registered again.
         */
        post: operations["register_swap"];
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
         * Where a cross-chain transaction stands: by the hash of its intent, of its transaction on the source
         *     chain, or of the Bitcoin transaction of a withdrawal.
         * @description Of several registrations of one hash this is the one that the hub has confirmed, or else the
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
         * Signs in. The first sign-in of a wallet makes its account.
         * @description The body has one of four forms: a Bitcoin wallet's signature of the deployment's message, which
         *     ends in a time at most 5 minutes old and is good once; any wallet's signature of a challenge;
         *     the second half of a handshake by password (SRP); or a passkey's answer. Each takes `otpCode`,
         *     6 digits or a recovery code, which is needed where the account has a second factor: without it
         *     the answer is 401 `auth.otpRequired`, and the proof is used up.
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
         * Ends the caller's session: its refresh token is dead at once, and so is its access token for
         *     whatever is sensitive; for the rest that ends within 10 minutes.
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
        /** The first half of a sign-in with whatever passkey the user picks. */
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
        /** Spends a refresh token for a new pair. A token that was spent before ends its session. */
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
        /** The first half of a registration with a passkey. */
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
        /** Makes an account that a passkey signs in. */
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
         * Makes an account that a password signs in. The password never reaches the service: it stores a
         *     verifier of it (SRP-6a, RFC 5054), and the client's keys, which the client encrypted.
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
         * Makes a wallet's account, with a keystore and an e-mail address where they are sent.
         * @description The proof is a signature of a challenge, as for a sign-in; the message that ends in a time only
         *     signs in.
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
        /** The caller's sessions that are alive, newest first; at most 100. */
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
         * The first half of a sign-in by password.
         * @description `email` may also be an account id. The identity `I` of the proof is the e-mail address that the
         *     account was registered with or changed to, in either case: an account whose address another one
         *     has proved since, or whose own proof is still to come, signs in by its id and that address. A
         *     name that is no account's is answered alike: its salt never changes, and the work is the same.
         *
         *     Guesses of devices that the account does not know are slowed: 429 with `Retry-After`.
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
         * Issues a challenge: bound to this service, to the address, and to a purpose; good once, for 5
         *     minutes. With a token, the text names the account too; `link` needs one.
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
        /** @example 018bcfe5-6800-7000-8000-000000000001 */
        AccountId: string;
        /** @description An account, as an admin sees it. */
        AccountRow: {
            /** @description The way in that the account was made with. */
            authMethod: components["schemas"]["AuthMethod"];
            /** @description When the account was made, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            email?: components["schemas"]["EmailAddress"] | null;
            /** @description Account id. */
            id: components["schemas"]["AccountId"];
            /** @description When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`. */
            lastSignInAt: components["schemas"]["Timestamp"];
            referredBy?: components["schemas"]["AccountId"] | null;
            referrer?: null | components["schemas"]["Referrer"];
            /** @description What the account may do. */
            role: components["schemas"]["Role"];
            /** @description Whether sign-in asks for a second factor. */
            totpEnabled: boolean;
            /** @description The two-signature Bitcoin address. */
            tradingAddress?: string | null;
            wallet?: components["schemas"]["Wallet"] | null;
        };
        /** @description Where the page stands in its list, and what else the owner should see. */
        ActivityMeta: components["schemas"]["MetaData"] & {
            /** @description Proofs that failed, by hour, the newest first: at most 100 hours of the last 90 days. */
            failedProofs: components["schemas"]["FailedProofs"][];
        };
        /** @description A change of the account. */
        ActivityRow: {
            /** @description What changed. */
            change: components["schemas"]["Change"];
            /** @description When, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description Its id.
             */
            id: string;
            /** @description The request that changed it; `operator` for an operator's command. */
            requestId: string;
            sessionId?: components["schemas"]["SessionId"] | null;
            /** @description Where it came from: a keyed hash of the source address. Equal hashes are equal addresses. */
            sourceHash?: string | null;
        };
        /** @description A passkey to be added. */
        AddPasskey: {
            /** @description What `navigator.credentials.create()` made, by `toJSON()`. */
            credential: components["schemas"]["RegistrationResponse"];
            /** @description What its owner calls it, at most 64 characters. */
            name?: string | null;
            /**
             * Format: uuid
             * @description From the first half.
             */
            sessionId: string;
        };
        /** @example 0x00000000000000000000000000000000000000aa */
        AddressText: string;
        /** @description The affiliate fee of cross-chain swaps. */
        Affiliate: {
            /** @description Who earns it. */
            affiliateAddress: string;
            /**
             * Format: int32
             * @description Hundredths of a percent: 1% is 100.
             */
            feeBps: number;
            /**
             * Format: double
             * @description The same in percent.
             * @example 0.25
             */
            feePercent: number;
        };
        /** @description What approves the builder fee. */
        ApproveBuilderFee: {
            /** @description What is signed. */
            action: components["schemas"]["ApproveBuilderFeeAction"];
            /**
             * @description `approve_builder_fee`.
             * @example approve_builder_fee
             */
            kind: string;
        };
        /** @description A user-signed action of the venue. */
        ApproveBuilderFeeAction: {
            /**
             * @description Who earns it, in lowercase.
             * @example 0x00000000000000000000000000000000000000aa
             */
            builder: string;
            /** @description The highest fee that is approved; `0.05%` are the 50 of `maxBuilderFee`. */
            maxFeeRate: components["schemas"]["BuilderFee"];
            /**
             * @description The chain id that it is signed for, 0x and hex.
             * @example 0x3e7
             */
            signatureChainId: string;
            /**
             * @description `approveBuilderFee`.
             * @example approveBuilderFee
             */
            type: string;
            /** @description The network. The venue's own name of this key is `hyperliquidChain`. */
            venueChain: components["schemas"]["VenueChain"];
        };
        /** @description `AuthenticatorAssertionResponseJSON`. */
        AssertionResponse: {
            /** @description Authenticator data (section 6.1). */
            authenticatorData: components["schemas"]["Base64Url"];
            /** @description JSON of the client data (section 5.8.1). */
            clientDataJSON: components["schemas"]["Base64Url"];
            /** @description Signature of the authenticator data and the SHA-256 hash of the client data. */
            signature: components["schemas"]["Base64Url"];
            userHandle?: components["schemas"]["Base64Url"] | null;
        };
        /** @description `AuthenticatorAttestationResponseJSON`. */
        AttestationResponse: {
            /** @description CBOR of the attestation object (section 6.5). */
            attestationObject: components["schemas"]["Base64Url"];
            /** @description JSON of the client data (section 5.8.1). */
            clientDataJSON: components["schemas"]["Base64Url"];
            /** @description How clients reach the authenticator. */
            transports?: string[];
        };
        /**
         * @description The way in that an account was made with.
         * @enum {string}
         */
        AuthMethod: "srp" | "passkey" | "wallet";
        Authenticate: components["schemas"]["SignedMessage"] | components["schemas"]["SignedChallenge"] | components["schemas"]["SrpAnswer"] | components["schemas"]["PasskeyAnswer"];
        /**
         * @description What `navigator.credentials.get()` made, by `toJSON()`: `AuthenticationResponseJSON`. Members
         *     that are not named here are ignored.
         */
        AuthenticationResponse: {
            /** @description The credential id. */
            id: components["schemas"]["Base64Url"];
            /** @description What the authenticator says. */
            response: components["schemas"]["AssertionResponse"];
            /** @description Always `public-key`. */
            type: components["schemas"]["CredentialType"];
        };
        /** @description Bytes that are base64url without padding as text (RFC 4648, section 5): one text each. */
        Base64Url: string;
        /** @example 840000:3 */
        BitcoinToken: string;
        /** @example 0.05% */
        BuilderFee: string;
        /** @description What a refund would be. */
        Calculation: {
            /** @description By rune. */
            items: components["schemas"]["RefundItem"][];
            /** @description Whether there are more VM transactions than one refund takes. */
            more: boolean;
            /**
             * Format: int64
             * @description What the network takes of it, sats.
             */
            networkFee: number;
            /**
             * Format: int64
             * @description What arrives, sats; 0 where it is not worth the fee.
             */
            refundableSats: number;
            /**
             * Format: int64
             * @description What was paid, sats.
             */
            totalSats: number;
            /** @description What is refunded. */
            type: components["schemas"]["RefundType"];
            /** @description The address that was asked for. */
            userAddress: string;
        };
        /**
         * @description A chain whose wallets can sign in.
         * @enum {string}
         */
        Chain: "evm" | "solana" | "bitcoin";
        /**
         * @description A change to how an account is reached or protected: a row of its audit trail, and what a notice
         *     by mail tells.
         * @enum {string}
         */
        Change: "accountCreated" | "signedIn" | "newDevice" | "emailVerified" | "emailLost" | "emailChangeRequested" | "emailChanged" | "passwordChanged" | "walletRotated" | "totpEnabled" | "totpDisabled" | "recoveryCodeUsed" | "passkeyAdded" | "passkeyRemoved" | "addressLinked" | "addressUnlinked" | "tradingWalletMade" | "sessionRevoked" | "refreshTokenReused" | "roleChanged" | "accountDisabled" | "accountEnabled" | "sessionsEnded" | "emailReleased";
        /** @description Where the account's e-mail address shall go. */
        ChangeEmailInit: {
            /** @description The new address. */
            newEmail: components["schemas"]["EmailAddress"];
        };
        /** @description What is said besides the handshake. */
        ChangeEmailMailed: {
            /**
             * @description Whether this request mailed a token. False within a minute of the last one: its link stays
             *     good.
             */
            mailed: boolean;
        };
        /** @description The proof of the password, and the verifier of the same password with the new address. */
        ChangeEmailProof: {
            /** @description `M1`, base64 of 32 bytes. */
            clientProof: string;
            /** @description `A`, base64. */
            clientPublic: string;
            /** @description The verifier of the new address and the current password, with the salt that stays, base64. */
            newSrpVerifier: string;
            /**
             * Format: uuid
             * @description From `srpSession`.
             */
            sessionId: string;
        };
        /** @description What the change needs beside the mailed token. */
        ChangeEmailSession: {
            /**
             * @description For an account with a password: the handshake in which it is proved, with the *old* address
             *     as the identity. Good for 10 minutes.
             */
            srpSession?: components["schemas"]["SrpSession"];
        };
        /** @description The token, and the proof of the password where there is one. */
        ChangeEmailVerify: {
            /** @description The new address. */
            email: components["schemas"]["EmailAddress"];
            /** @description A code of the second factor: checked where one is sent, never required. */
            otpCode?: string | null;
            /** @description Required where the account has a password. */
            srpData?: components["schemas"]["ChangeEmailProof"];
            /** @description From the mailed link. */
            token: string;
        };
        /** @description The second half: the proof of the current password, and what comes with the new one. */
        ChangePassword: {
            /** @description `M1`, base64 of 32 bytes. */
            clientProof: string;
            /** @description `A`, base64. */
            clientPublic: string;
            /** @description The keystore, encrypted for the new password by the client, base64. */
            newEncryptedBlob: string;
            /** @description A new hint; empty for none. The old one stays where nothing is sent. */
            newPasswordHint?: string | null;
            /** @description Base64 of 32 bytes. */
            newSrpSalt: string;
            /** @description The new verifier, base64; in the group that the first half named. */
            newSrpVerifier: string;
            /**
             * Format: uuid
             * @description From the first half.
             */
            sessionId: string;
        };
        /**
         * @description Whether everything could be checked.
         * @enum {string}
         */
        Checks: "complete" | "unavailable";
        /** @description An export to be made. */
        CreateDownloadHistory: {
            filter?: components["schemas"]["DownloadHistoryFilter"] | null;
            /** @description The form of the file. */
            format: components["schemas"]["ExportFormat"];
        };
        /** @description A mint to be made. */
        CreateMint: {
            /** @description Until when, ms since the epoch. */
            closesAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The lowest price of a request, sats.
             */
            minSatsPerRequest: number;
            opensAt?: components["schemas"]["Timestamp"] | null;
            /** @description Who receives what is paid for requests that are taken: a Bitcoin address. */
            proceedsAddress: string;
            /**
             * Format: int64
             * @description Requests that a virtual block takes; at most all.
             */
            requestsPerBlock: number;
            /** @description The rune. The pool has to hold what all requests are worth. */
            runeId: components["schemas"]["EtchedRune"];
            /** @description What a request is worth, in the rune's smallest unit; at least 1. */
            tokensPerRequest: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Requests in all.
             */
            totalRequests: number;
        };
        /** @description A refund to be created. */
        CreateRefund: {
            /**
             * Format: int64
             * @description What is expected to arrive, sats, as it was calculated; 409 where it would be another amount.
             */
            refundableSats?: number | null;
            /** @description The runes whose mints are meant; at most 40. */
            runeIds: components["schemas"]["EtchedRune"][];
            /** @description What is refunded. */
            type: components["schemas"]["RefundType"];
            /**
             * @description The address that the transactions were created with, or the trading address that they were
             *     paid from.
             */
            userAddress: string;
        };
        /** @description A transaction to be created. */
        CreateTransaction: {
            /** @description What it does. */
            params: components["schemas"]["WithdrawParams"];
            /** @description What kind. */
            type: components["schemas"]["TransactionType"];
        };
        /** @description A batch of requests. */
        CreateVmTransaction: {
            /**
             * Format: int64
             * @description How many requests.
             */
            requestCount: number;
            /** @description The rune that is minted. */
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description What they cost together, sats: a multiple of `requestCount`.
             */
            satsNewRequests: number;
            /** @description An address of the caller's own. */
            userAddress: string;
        };
        /** @description A success that made something, and what is to be said beside it: status 201. */
        CreatedWith_UnsignedTransaction_Notes: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["UnsignedTransaction"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["Notes"];
        };
        /** @description A success that made something, and what is to be said beside it: status 201. */
        CreatedWith_VmTransactionStatus_NoMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VmTransactionStatus"];
            /** @enum {string} */
            message: "common.success";
            /** @description Nothing. */
            metaData: Record<string, never>;
        };
        /** @enum {string} */
        CredentialType: "public-key";
        /** @description A token in a slot. */
        DefaultToken: {
            /** @description The slot. */
            slot: components["schemas"]["Slot"];
            /** @description The token, by its id in the catalogue (`GET /api/tokens`). */
            tokenId: components["schemas"]["TokenId"];
        };
        /** @description The token that an account prefers in each slot. */
        DefaultTokens: {
            usdc: components["schemas"]["TokenId"] | null;
        };
        /** @description What deposits. */
        Deposit: {
            /** @description In USDC, without needless zeros. */
            amount: components["schemas"]["Usdc"];
            /**
             * @description The contract that takes deposits. Call it, never transfer to it: USDC that is transferred to it is
             *     lost.
             * @example 0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24
             */
            depositContract: string;
            /**
             * @description The wallet.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            from: string;
            /** @description JSON-RPC of the venue's EVM chain. */
            rpcUrl: string;
            /**
             * @description The approval of exactly the amount, and the deposit, which uses it up. Both are sent, in this
             *     order, with consecutive nonces, at every deposit.
             */
            txs: components["schemas"]["EvmTransaction"][];
            /**
             * @description The contract of USDC, on the venue's EVM chain.
             * @example 0xb88339CB7199b77E23DB6E890353E22632Ba630f
             */
            usdcToken: string;
        };
        /** @description An export of a history. */
        DownloadHistory: {
            completedAt?: components["schemas"]["Timestamp"] | null;
            /** @description When it was asked for, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Why there will be no file, where it `failed`. */
            error?: string | null;
            /** @description Which part of the history, with what was left to the service. */
            filter: components["schemas"]["HistoryFilter"];
            /** @description The form of the file. */
            format: components["schemas"]["ExportFormat"];
            /** @description Its id. */
            id: components["schemas"]["ExportId"];
            /**
             * Format: int64
             * @description Rows that were written so far.
             */
            rowCount: number;
            /**
             * Format: int64
             * @description Bytes of the file; 0 until it is there.
             */
            sizeBytes: number;
            /** @description Where it stands. */
            status: components["schemas"]["ExportStatus"];
            /** @description Downloads the file; there while it is `completed`. */
            url?: string | null;
            urlExpiresAt?: components["schemas"]["Timestamp"] | null;
        };
        /**
         * @description Which part of a history. Mints, refunds and withdrawals are Bitcoin's: of other chains there are
         *     none.
         */
        DownloadHistoryFilter: {
            chain?: components["schemas"]["HistoryChain"] | null;
            /**
             * @description What was created at this moment or later: RFC 3339, or milliseconds since the epoch as a
             *     number or in digits. Missing: 366 days before `to`.
             * @example 2026-01-01T00:00:00Z
             */
            from?: string | null;
            /**
             * @description What was created at this moment or earlier, at most 366 days after `from`. Missing: now.
             * @example 1767225600000
             */
            to?: string | null;
            type?: components["schemas"]["HistoryType"] | null;
        };
        /** @example name@example.com */
        EmailAddress: string;
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Affiliate: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Affiliate"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Calculation: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Calculation"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_DownloadHistory: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["DownloadHistory"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Health: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Health"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_IssuedChallenge: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["IssuedChallenge"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_KeystoreBlob: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["KeystoreBlob"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Me: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Me"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_MintRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MintRow"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Nothing: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Nothing"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_PasskeyRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasskeyRow"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_PasskeySession: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasskeySession"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_PasswordChanged: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasswordChanged"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Prize: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Prize"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_ReferralCodeCheck: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ReferralCodeCheck"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Registration: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Registration"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_SignedIn: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["SignedIn"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_SrpSession: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["SrpSession"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_SwapStatus: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["SwapStatus"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TokenPair: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TokenPair"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TotpSetup: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TotpSetup"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TotpState: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TotpState"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TradingWalletBackup: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TradingWalletBackup"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_TransactionStatus: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["TransactionStatus"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_UnconfirmedRequests: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["UnconfirmedRequests"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_UnsignedTransaction: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["UnsignedTransaction"];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_AccountRow: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description The way in that the account was made with. */
                authMethod?: components["schemas"]["AuthMethod"];
                /** @description When the account was made, ms since the epoch. */
                createdAt?: components["schemas"]["Timestamp"];
                email?: components["schemas"]["EmailAddress"] | null;
                /** @description Account id. */
                id: components["schemas"]["AccountId"];
                /** @description When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`. */
                lastSignInAt?: components["schemas"]["Timestamp"];
                referredBy?: components["schemas"]["AccountId"] | null;
                referrer?: null | components["schemas"]["Referrer"];
                /** @description What the account may do. */
                role?: components["schemas"]["Role"];
                /** @description Whether sign-in asks for a second factor. */
                totpEnabled?: boolean;
                /** @description The two-signature Bitcoin address. */
                tradingAddress?: string | null;
                wallet?: components["schemas"]["Wallet"] | null;
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_DownloadHistory: {
            /** @enum {string} */
            code: "1";
            data: {
                completedAt?: components["schemas"]["Timestamp"] | null;
                /** @description When it was asked for, ms since the epoch. */
                createdAt?: components["schemas"]["Timestamp"];
                /** @description Why there will be no file, where it `failed`. */
                error?: string | null;
                /** @description Which part of the history, with what was left to the service. */
                filter?: components["schemas"]["HistoryFilter"];
                /** @description The form of the file. */
                format?: components["schemas"]["ExportFormat"];
                /** @description Its id. */
                id: components["schemas"]["ExportId"];
                /**
                 * Format: int64
                 * @description Rows that were written so far.
                 */
                rowCount?: number;
                /**
                 * Format: int64
                 * @description Bytes of the file; 0 until it is there.
                 */
                sizeBytes?: number;
                /** @description Where it stands. */
                status?: components["schemas"]["ExportStatus"];
                /** @description Downloads the file; there while it is `completed`. */
                url?: string | null;
                urlExpiresAt?: components["schemas"]["Timestamp"] | null;
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_LiveSession: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["LiveSession"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_MintRow: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description Until when, ms since the epoch. */
                closesAt?: components["schemas"]["Timestamp"];
                /** @description When it was made, ms since the epoch. */
                createdAt?: components["schemas"]["Timestamp"];
                /** @description Its id. */
                id: components["schemas"]["MintId"];
                /**
                 * Format: int64
                 * @description The lowest price of a request, sats.
                 */
                minSatsPerRequest?: number;
                /** @description From when on requests are taken, ms since the epoch. */
                opensAt?: components["schemas"]["Timestamp"];
                /** @description Where the runes come from. */
                poolAddress?: string;
                /** @description Who receives what was paid for requests that were taken. */
                proceedsAddress?: string;
                /**
                 * Format: int64
                 * @description Requests of its transactions that are in virtual blocks.
                 */
                requestsInBlocksCount?: number;
                /**
                 * Format: int64
                 * @description Requests of its transactions that are in no virtual block.
                 */
                requestsInMempoolCount?: number;
                /**
                 * Format: int64
                 * @description Requests that a virtual block takes.
                 */
                requestsPerBlock?: number;
                /** @description The rune that is minted. */
                runeId?: string;
                /** @description That rune's name, with spacers. */
                runeName?: string;
                /** @description Where it stands. */
                state?: components["schemas"]["MintState"];
                /** @description What a request is worth, in the rune's smallest unit. */
                tokensPerRequest?: components["schemas"]["Units"];
                /**
                 * Format: int64
                 * @description Requests in all.
                 */
                totalRequests?: number;
                /** @description What commitments pay to. */
                treasuryAddress?: string;
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_OwnedAddress: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["OwnedAddress"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_PasskeyRow: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["PasskeyRow"][];
            /** @enum {string} */
            message: "common.success";
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_Prize: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description The treasury's output that holds the inscription, unique. */
                controllingUtxo?: components["schemas"]["OutPoint"];
                /** @description When it was registered, ms since the epoch. */
                createdAt?: components["schemas"]["Timestamp"];
                /** @description Its id: the number, as text. */
                id: string;
                /** @description The inscription, unique. */
                inscriptionId?: components["schemas"]["InscriptionId"];
                /** @description What it is called. */
                name?: components["schemas"]["PrizeName"];
                /** @description 1 to 100, unique. */
                prizeNumber?: components["schemas"]["PrizeNumber"];
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_TokenRow: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description Its chain. */
                chain?: components["schemas"]["TokenChain"];
                /**
                 * Format: int32
                 * @description Digits after the point of one whole token.
                 * @example 6
                 */
                decimals?: number;
                /** @description The same as `tokenId`. */
                id: components["schemas"]["TokenId"];
                /** @description The slots that it may be the default token of. */
                slots?: components["schemas"]["Slot"][];
                /**
                 * @description Its symbol.
                 * @example USDC
                 */
                symbol?: string;
                /** @description Token id. */
                tokenId?: components["schemas"]["TokenId"];
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_VmTransactionRow: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description The PSBT as issued, or, once that is signed, the transaction; base64. */
                base64Tx?: string | null;
                /** @description The same. */
                createdAt?: components["schemas"]["Timestamp"];
                distributeRuneAt?: components["schemas"]["Timestamp"] | null;
                /** @description The transaction that sent its runes. */
                distributeRuneTxId?: string | null;
                /** @description The commitment's id. */
                id: string;
                /** @description Whether a refund can be created for it. */
                isRefundable?: boolean;
                /** @description Its mint. */
                mintId?: components["schemas"]["MintId"];
                /**
                 * Format: int64
                 * @description What its own confirmed commitment has paid, sats.
                 */
                paidSats?: number;
                /** @description Where its refund stands. */
                refundState?: components["schemas"]["RefundState"];
                /** @description The transaction that refunds it. */
                refundTxId?: string | null;
                /**
                 * Format: int64
                 * @description What was paid for requests that no virtual block took, once that is decided; sats.
                 */
                refundableSats?: number;
                /** @description The one that it replaces. */
                replaceTxId?: string | null;
                /** @description The one that replaced it. */
                replacedByTxId?: string | null;
                /**
                 * Format: int64
                 * @description Requests that it took over from those that it replaced.
                 */
                replacedRequestsCount?: number;
                /**
                 * Format: int64
                 * @description Its requests that are in virtual blocks.
                 */
                requestsInBlocksCount?: number;
                /**
                 * Format: int64
                 * @description Its requests that wait for a virtual block; none where it does not take part.
                 */
                requestsInMempoolCount?: number;
                /** @description The rune that is minted. */
                runeId?: components["schemas"]["EtchedRune"];
                /**
                 * Format: int64
                 * @description What its new requests cost together, sats.
                 */
                satsNewRequests?: number;
                /**
                 * Format: int64
                 * @description The price of each new request, sats.
                 */
                satsPerNewRequest?: number;
                /**
                 * Format: int64
                 * @description What the requests that it took over cost together, sats.
                 */
                satsPreviousRequests?: number;
                /** @description Where it stands. */
                state?: components["schemas"]["VmState"];
                /** @description When it was created; of one that was signed, when it was. ms since the epoch. */
                timestamp?: components["schemas"]["Timestamp"];
                /** @description Where it is paid from, and what refunds and runes are sent to. */
                tradingAddress?: string;
                transferBtcAt?: components["schemas"]["Timestamp"] | null;
                /** @description The transaction that moved its funds out of the treasury. */
                transferBtcTxId?: string | null;
                /** @description The same. */
                txId?: string;
                /** @description What it is distributed with. */
                vmDistributionId?: string | null;
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
        };
        /** @description A success: `code` is the text `1`, `message` is `common.success`. */
        Envelope_Vec_XchainRow: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description When it was registered, or signed; ms since the epoch. */
                createdAt?: components["schemas"]["Timestamp"];
                /**
                 * Format: int64
                 * @description The hub's id of the destination chain; null where the service is not told.
                 */
                dstChain?: number | null;
                /** @description The step at which it failed. */
                failedAtStep?: string | null;
                /** @description Why it failed. */
                failureReason?: string | null;
                /** @description The transaction that filled it, on the destination chain. */
                fillTxHash?: string | null;
                /** @description Its id. */
                id: string;
                /** @description What for what. */
                intent?: components["schemas"]["Intent"];
                intentTxHash?: components["schemas"]["IntentHash"] | null;
                /** @description Of a withdrawal, the one that it replaces; null of others. */
                replaceTxId?: string | null;
                /** @description Of a withdrawal, the one that its owner has signed to replace it; null of others. */
                replacedByTxId?: string | null;
                spokeTxHash?: components["schemas"]["TxHash"] | null;
                /**
                 * Format: int64
                 * @description The hub's id of the source chain; null of a withdrawal, which is Bitcoin's.
                 */
                srcChain?: number | null;
                /** @description Where it stands. */
                status?: components["schemas"]["XchainStatus"];
                /** @description Where it comes from. */
                tradingAddress?: string;
                /** @description Of a withdrawal the Bitcoin transaction, of a swap the intent's hash. */
                txId?: string;
                /** @description What kind. */
                type?: components["schemas"]["XchainType"];
                /** @description When it changed last, ms since the epoch. */
                updatedAt?: components["schemas"]["Timestamp"];
                /** @description The wallet that began it; of a withdrawal the trading address. */
                userAddress?: string;
                /** @description Whether it is known to be as it says: a withdrawal is, a swap once the hub agrees. */
                verified?: boolean;
                /** @description Where it goes. */
                withdrawTo?: string;
            }[];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["MetaData"];
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
        /** @description A transaction without nonce, gas and signature, which are its sender's to add. */
        EvmTransaction: {
            /**
             * Format: int64
             * @description The chain that it is good on (EIP-155).
             * @example 999
             */
            chainId: number;
            /** @description What it is called with, 0x and hex. */
            data: string;
            /** @description The contract that it calls, with the checksum of EIP-55. */
            to: string;
            /**
             * @description Wei that it pays: `0x0`.
             * @example 0x0
             */
            value: string;
        };
        /** @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed */
        EvmWallet: string;
        /**
         * @description The form of the file.
         * @enum {string}
         */
        ExportFormat: "csv";
        /** @example 0197d3f0-0000-7000-8000-000000000000 */
        ExportId: string;
        /**
         * @description Where an export stands.
         *
         *     ```text
         *     pending ──▶ processing ──▶ completed ──▶ expired
         *        │             │
         *        └─────────────┴──────▶ failed
         *     ```
         * @enum {string}
         */
        ExportStatus: "pending" | "processing" | "completed" | "failed" | "expired";
        /** @description What every registration may say beside its proof. */
        Extras: {
            email?: components["schemas"]["EmailAddress"] | null;
            /** @description The client's keys, encrypted by the client, base64. */
            encryptedBlob?: string;
            /** @description The code of whoever invited this one. */
            referralCode?: string | null;
        };
        /** @description Failed proofs of one hour. */
        FailedProofs: {
            /**
             * Format: int32
             * @description Wrong mailed tokens.
             * @default 0
             */
            emailToken: number;
            /**
             * @description When the hour began, ms since the epoch.
             * @default 0
             */
            hour: components["schemas"]["Timestamp"];
            /**
             * @description When the last one failed, ms since the epoch.
             * @default 0
             */
            lastAt: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description Wrong answers of passkeys.
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
        /** @description What a transaction costs. */
        Fee: {
            /**
             * Format: double
             * @description sat/vB.
             * @example 5.25
             */
            feeRate: number;
            /**
             * Format: int64
             * @description Sats.
             */
            totalFee: number;
        };
        /** @description A field that is missing or wrong. */
        FieldError: {
            /** @description Where: a name, or a path such as `params.amount`. */
            field: string;
            /** @description What is wrong with it, one English sentence or phrase. */
            message: string;
        };
        /** @description A file that is to be uploaded. */
        FileToUpload: {
            /**
             * @description Its name, without control characters; it ends in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or
             *     `.avif`, in any case.
             */
            filename: string;
        };
        /** @description The fields of a form: those that are signed, and what they are signed by. */
        FormFields: components["schemas"]["SignedFields"] & {
            /** @description What the storage checks: an expiry, and a condition for every other field. */
            Policy: string;
            /** @description Of the policy. */
            "X-Amz-Signature": string;
        };
        /**
         * @description Something that a wallet has yet to do.
         * @enum {string}
         */
        Gate: "builderFeeNotApproved";
        /**
         * @example 3072
         * @enum {integer}
         */
        Group: 2048 | 3072 | 4096;
        /** @description How the service is. */
        Health: {
            /**
             * @description What was asked besides, and answered.
             * @example [
             *       "database",
             *       "token keys"
             *     ]
             */
            asked: string[];
            /**
             * @description Always `ok`: who is not says so by an error.
             * @example ok
             */
            status: string;
        };
        /** @example bitcoin */
        HistoryChain: string;
        /** @description Which part of a history is meant. */
        HistoryFilter: {
            chain: components["schemas"]["HistoryChain"] | null;
            /** @description What was created at this moment or later, ms since the epoch. */
            from: components["schemas"]["Timestamp"];
            /** @description What was created at this moment or earlier, ms since the epoch. */
            to: components["schemas"]["Timestamp"];
            /** @description Of what. */
            type: components["schemas"]["HistoryType"];
        };
        /**
         * @description What a history is of.
         * @enum {string}
         */
        HistoryType: "swap" | "virtual-mint" | "refund" | "withdraw";
        /** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0 */
        InscriptionId: string;
        /** @description What was to be exchanged for what. */
        Intent: {
            /** @description How much is given, smallest unit. */
            inputAmount: components["schemas"]["Units"];
            /** @description The token given: its address on the source chain, or a rune id. */
            inputToken: components["schemas"]["TokenAddress"];
            minOutputAmount: components["schemas"]["Units"] | null;
            outputToken: components["schemas"]["TokenAddress"] | null;
        };
        /** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
        IntentHash: string;
        /** @description A challenge, as issued. */
        IssuedChallenge: {
            /**
             * Format: uuid
             * @description To be sent back with the signature.
             */
            challengeId: string;
            /** @description When it ends, ms since the epoch. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description The text, to be signed byte for byte: of EIP-4361 for EVM, the like for others. */
            message: string;
        };
        /** @description A public key that checks access tokens (RFC 8037, section 2). */
        Jwk: {
            /** @description `EdDSA`. */
            alg: string;
            /** @description `Ed25519`. */
            crv: string;
            /** @description The key's id, as tokens name it. */
            kid: string;
            /** @description `OKP`. */
            kty: string;
            /** @description `sig`. */
            use: string;
            /** @description The public key, 32 bytes, base64url without padding. */
            x: string;
        };
        /** @description The public keys (RFC 7517, section 5), the newest first. */
        Jwks: {
            /** @description At most two: the one that signs, and the one before it. */
            keys: components["schemas"]["Jwk"][];
        };
        /** @description The client's keys, as it encrypted them. */
        KeystoreBlob: {
            /** @description Base64, as the client sent it. */
            encryptedBlob: string;
        };
        /** @description Coins of a wallet that a transaction cannot spend now, and why. */
        LeftAside: {
            /** @description They hold an inscription. */
            inscribed: number;
            /** @description They are worth least, and the address has too many for all to be read. */
            notRead: number;
            /** @description Another transaction of the account holds them. */
            reserved: number;
            /** @description They wait for a block. */
            unconfirmed: number;
            /**
             * @description Their contents are not known, or more than is read: over 100 runes, or thousands of
             *     inscriptions.
             */
            unknown: number;
        };
        /** @description An address to be linked, and the proof that it is the caller's. */
        LinkAddress: {
            /** @description The address. */
            address: string;
            /** @description Its chain. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge?purpose=link`, asked for with the caller's token.
             */
            challengeId: string;
            /** @description Its public key: required for Bitcoin, may be empty for others. */
            publicKey?: string | null;
            /** @description The wallet's signature of the challenge. */
            signature: string;
        };
        /** @description A session that is alive. */
        LiveSession: {
            /** @description When it was opened, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Whether it is the one that asks. */
            current: boolean;
            /** @description When it ends unless it is refreshed, ms since the epoch. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description Session id. */
            id: components["schemas"]["SessionId"];
            /** @description When it was last refreshed, ms since the epoch. */
            lastUsedAt: components["schemas"]["Timestamp"];
            /**
             * @description The address that it was opened from.
             * @example 192.0.2.1
             */
            sourceIp: string | null;
            /** @description The client program, as it named itself at sign-in. */
            userAgent: string | null;
        };
        /** @description The user's key in a trading wallet, and its own signature. */
        MakeTradingWallet: {
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge?purpose=tradingWallet`, asked for with the caller's token,
             *     for any Bitcoin address of the key: P2WPKH, P2TR, P2PKH or P2SH-P2WPKH.
             */
            challengeId: string;
            /**
             * @description The key, hex: 33 bytes, or 32 where the challenge is for its Taproot address. A signature
             *     for that one proves the key without its parity: the wallet then takes either.
             */
            publicKey: string;
            /** @description The challenge signed for that address: base64, as for a sign-in. */
            signature: string;
        };
        /** @description An account as its owner sees it. */
        Me: {
            /** @description Addresses that the account has proved, its sign-in wallet first. */
            addresses: components["schemas"]["OwnedAddress"][];
            /** @description The way in that the account was made with. */
            authMethod: components["schemas"]["AuthMethod"];
            avatar: components["schemas"]["InscriptionId"] | null;
            /** @description When the account was made, ms since the epoch. */
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
            /** @description The code to invite others with. */
            referralCode: string;
            referredBy: components["schemas"]["AccountId"] | null;
            /** @description What the account may do. */
            role: components["schemas"]["Role"];
            /** @description Whether sign-in asks for a second factor. */
            totpEnabled: boolean;
            /** @description The two-signature Bitcoin address; null until there is one. */
            tradingAddress: string | null;
            wallet: components["schemas"]["Wallet"] | null;
        };
        /** @description How a file is uploaded, and where it is then. */
        MediaUpload: {
            /** @description Its name, as it was sent. */
            fileName: string;
            /** @description Its key in the storage. */
            key: string;
            /**
             * @description The media type that it is stored as, whatever it holds.
             * @example image/png
             */
            mimeType: string;
            /** @description The form that uploads it, good for 15 minutes. */
            signedUrl: components["schemas"]["SignedUrl"];
            /**
             * Format: int64
             * @description The most bytes that the storage takes.
             * @example 10485760
             */
            size: number;
            /** @description Where everybody gets it, once it is uploaded. */
            url: string;
        };
        /** @description Where a page stands in its list. */
        MetaData: {
            /**
             * Format: int64
             * @description This page, from 1.
             */
            currentPage: number;
            /**
             * Format: int64
             * @description Items per page.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description How many items the whole list has.
             */
            totalItems: number;
            /**
             * Format: int64
             * @description How many pages that makes.
             */
            totalPages: number;
        };
        /** @example 018bcfe5-6800-7000-8000-000000000002 */
        MintId: string;
        /** @description A mint. */
        MintRow: {
            /** @description Until when, ms since the epoch. */
            closesAt: components["schemas"]["Timestamp"];
            /** @description When it was made, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Its id. */
            id: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description The lowest price of a request, sats.
             */
            minSatsPerRequest: number;
            /** @description From when on requests are taken, ms since the epoch. */
            opensAt: components["schemas"]["Timestamp"];
            /** @description Where the runes come from. */
            poolAddress: string;
            /** @description Who receives what was paid for requests that were taken. */
            proceedsAddress: string;
            /**
             * Format: int64
             * @description Requests of its transactions that are in virtual blocks.
             */
            requestsInBlocksCount: number;
            /**
             * Format: int64
             * @description Requests of its transactions that are in no virtual block.
             */
            requestsInMempoolCount: number;
            /**
             * Format: int64
             * @description Requests that a virtual block takes.
             */
            requestsPerBlock: number;
            /** @description The rune that is minted. */
            runeId: string;
            /** @description That rune's name, with spacers. */
            runeName: string;
            /** @description Where it stands. */
            state: components["schemas"]["MintState"];
            /** @description What a request is worth, in the rune's smallest unit. */
            tokensPerRequest: components["schemas"]["Units"];
            /**
             * Format: int64
             * @description Requests in all.
             */
            totalRequests: number;
            /** @description What commitments pay to. */
            treasuryAddress: string;
        };
        /**
         * @description Where a mint stands.
         *
         *     ```text
         *     open ──▶ mintedOut ──▶ distributed
         *       └────▶ failed
         *     ```
         * @enum {string}
         */
        MintState: "open" | "mintedOut" | "failed" | "distributed";
        /** @description A new passkey. */
        NewPasskey: {
            /** @description What `navigator.credentials.create()` made, by `toJSON()`. */
            credential: components["schemas"]["RegistrationResponse"];
            /**
             * Format: uuid
             * @description From the first half.
             */
            sessionId: string;
        };
        /** @description Nothing. */
        NoMetaData: Record<string, never>;
        /** @description What is said beside a transaction. */
        Notes: {
            /** @description Coins of the trading address that the transaction could not spend. */
            coinsLeftAside: components["schemas"]["LeftAside"];
            /**
             * Format: int32
             * @description Blocks until the user alone can spend the first of the coins.
             */
            expiresInBlocks: number;
            /** @description What is worth a second look. */
            warnings: components["schemas"]["Warning"][];
        };
        Nothing: null;
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_ApproveBuilderFee_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ApproveBuilderFee"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_ChangeEmailSession_ChangeEmailMailed: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["ChangeEmailSession"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["ChangeEmailMailed"];
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_Deposit_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Deposit"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_Option_SetReferrer_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: null | components["schemas"]["SetReferrer"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_Vec_ActivityRow_ActivityMeta: {
            /** @enum {string} */
            code: "1";
            data: {
                /** @description What changed. */
                change?: components["schemas"]["Change"];
                /** @description When, ms since the epoch. */
                createdAt?: components["schemas"]["Timestamp"];
                /**
                 * Format: uuid
                 * @description Its id.
                 */
                id: string;
                /** @description The request that changed it; `operator` for an operator's command. */
                requestId?: string;
                sessionId?: components["schemas"]["SessionId"] | null;
                /** @description Where it came from: a keyed hash of the source address. Equal hashes are equal addresses. */
                sourceHash?: string | null;
            }[];
            /** @enum {string} */
            message: "common.success";
            /** @description Where the page stands in its list, and what else the owner should see. */
            metaData: components["schemas"]["MetaData"] & {
                /** @description Proofs that failed, by hour, the newest first: at most 100 hours of the last 90 days. */
                failedProofs: components["schemas"]["FailedProofs"][];
            };
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_Vec_MediaUpload_NoMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["MediaUpload"][];
            /** @enum {string} */
            message: "common.success";
            /** @description Nothing. */
            metaData: Record<string, never>;
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_VenueStatus_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["VenueStatus"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @description A success, and what is to be said beside it: status 200. */
        OkWith_Withdraw_VenueMetaData: {
            /** @enum {string} */
            code: "1";
            data: components["schemas"]["Withdraw"];
            /** @enum {string} */
            message: "common.success";
            metaData: components["schemas"]["VenueMetaData"];
        };
        /** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0 */
        OutPoint: string;
        /** @description An address that the account has proved: its sign-in wallet, then those linked later. */
        OwnedAddress: {
            /** @description Canonical address. */
            address: string;
            /** @description Its chain. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: int64
             * @description EIP-155 chain id of the EVM chain on which a contract wallet has proved it. The address is the
             *     account's on that chain alone. Absent where a key has proved it: on every chain.
             */
            contractChainId?: number | null;
        };
        /** @description The second half of a sign-in by passkey. */
        PasskeyAnswer: {
            /** @description What `navigator.credentials.get()` made, by `toJSON()`. */
            credential: components["schemas"]["AuthenticationResponse"];
            /** @description 6 digits or a recovery code, where the account has a second factor. */
            otpCode?: string | null;
            /**
             * Format: uuid
             * @description From `POST /auth/passkey/init`.
             */
            sessionId: string;
        };
        /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
        PasskeyId: string;
        /** @description A passkey, as its owner sees it. */
        PasskeyRow: {
            /** @description Whether it is on more than one device. */
            backedUp: boolean;
            /** @description When it was added, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Its id. */
            id: components["schemas"]["PasskeyId"];
            lastUsedAt: components["schemas"]["Timestamp"] | null;
            /** @description What its owner calls it. */
            name: string;
        };
        /** @description The first half of a ceremony with a passkey, as clients get it. */
        PasskeySession: {
            /**
             * @description For `PublicKeyCredential.parseRequestOptionsFromJSON()`, or `parseCreationOptionsFromJSON()`
             *     where a passkey is to be made.
             */
            options: Record<string, never>;
            /**
             * Format: uuid
             * @description To be sent back with the answer; good once, for 5 minutes.
             */
            sessionId: string;
        };
        /** @description The service's own proof. */
        PasswordChanged: {
            /** @description `M2`, base64 of 32 bytes. */
            serverProof: string;
        };
        /** @description Files that are to be uploaded. */
        PresignUploads: {
            /** @description 1 to 20 of them. */
            files: components["schemas"]["FileToUpload"][];
            /** @description An address of the account's own. */
            userAddress?: string | null;
        };
        /** @description An inscription that the treasury holds to give away. */
        Prize: {
            /** @description The treasury's output that holds the inscription, unique. */
            controllingUtxo: components["schemas"]["OutPoint"];
            /** @description When it was registered, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description Its id: the number, as text. */
            id: string;
            /** @description The inscription, unique. */
            inscriptionId: components["schemas"]["InscriptionId"];
            /** @description What it is called. */
            name: components["schemas"]["PrizeName"];
            /** @description 1 to 100, unique. */
            prizeNumber: components["schemas"]["PrizeNumber"];
        };
        /**
         * @description What a prize is called: 1 to 100 characters, no control characters, no blank at either end.
         * @example Runestone No. 7
         */
        PrizeName: string;
        /**
         * Format: int32
         * @description A prize's number, 1 to 100.
         * @example 7
         */
        PrizeNumber: number;
        /**
         * @description What a challenge is for.
         * @enum {string}
         */
        Purpose: "signIn" | "link" | "rotate" | "tradingWallet";
        /** @description How the user alone spends a coin of a trading wallet that has rested for its delay. */
        Recovery: {
            /**
             * @description The keys that the script takes, any of which is enough: one, or two where Taproot alone has
             *     proved the key; of the two the user has one.
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
             * @description The version of the transaction, or a higher one (BIP 68).
             * @example 2
             */
            transactionVersion: number;
            /** @description The script that coins are locked by, hex. */
            witnessScript: string;
        };
        /** @description How one key of the user's spends. */
        RecoveryKey: {
            /** @description The steps as calls of Bitcoin Core 25 or later. */
            commands: string[];
            /**
             * @description The descriptor, to be completed by the private key of `publicKey` (WIF) where it says
             *     `<PRIVATE KEY>`. It needs a checksum of its own.
             */
            descriptorToComplete: string;
            /** @description The key, hex of 33 bytes. */
            publicKey: string;
            /**
             * @description The witness of each input, its first element first: an empty one in the place of the
             *     platform's signature, the user's signature (DER with the sighash byte, BIP 143), an empty one
             *     for a key that the script asks before this one, and the witness script.
             */
            witness: string[];
        };
        /** @example RUNEPORT */
        ReferralCode: string;
        /** @description Whether a referral code can be used. */
        ReferralCodeCheck: {
            /** @description Whether somebody has this code to give. */
            valid: boolean;
        };
        /** @description Who invited an account: its relation `referrer`. */
        Referrer: {
            email: components["schemas"]["EmailAddress"] | null;
            /** @description Account id. */
            id: components["schemas"]["AccountId"];
            /** @description The code that was used. */
            referralCode: string;
        };
        /** @description A refresh token, to be spent. */
        RefreshRequest: {
            /** @description From the sign-in, or from the last refresh. */
            refreshToken: string;
        };
        /** @description What can be refunded of a rune. */
        RefundItem: {
            /** @description The rune. */
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description What was paid for them, sats.
             */
            sats: number;
            /** @description The VM transactions. */
            txIds: string[];
        };
        /**
         * @description Where the refund of a VM transaction stands.
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
         * @description What is refunded.
         * @enum {string}
         */
        RefundType: "virtual_mint";
        RegisterPasskey: components["schemas"]["NewPasskey"] & components["schemas"]["Extras"];
        /** @description Who will make a passkey. */
        RegisterPasskeyInit: {
            email?: components["schemas"]["EmailAddress"] | null;
        };
        /** @description A prize to be registered. */
        RegisterPrize: {
            /** @description The treasury's output that holds the inscription, unique. */
            controllingUtxo: components["schemas"]["OutPoint"];
            /** @description The inscription, unique. */
            inscriptionId: components["schemas"]["InscriptionId"];
            /** @description What it is called. */
            name: components["schemas"]["PrizeName"];
            /** @description 1 to 100, unique. */
            prizeNumber: components["schemas"]["PrizeNumber"];
        };
        /** @description A registration with a password. */
        RegisterSrp: {
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge` for any Bitcoin address of that key, without a token.
             */
            challengeId?: string | null;
            /**
             * @description The e-mail address: the identity `I`. A link to verify it is mailed. Where another account
             *     has named the address earlier and neither has verified it, this one signs in by its account
             *     id until it does.
             */
            email: components["schemas"]["EmailAddress"];
            /** @description The client's keys, encrypted by the client, base64. */
            encryptedBlob: string;
            /** @description A hint for the owner alone, at most 200 characters. */
            passwordHint?: string | null;
            /** @description The code of whoever invited this one. */
            referralCode?: string | null;
            /** @description The challenge signed for that address: base64, as for a sign-in. */
            signature?: string | null;
            /**
             * @description Bits of the group's prime that the verifier was made in: 3072 unless it says otherwise. An
             *     account of another group can be told from an address that is nobody's.
             */
            srpGroup?: components["schemas"]["Group"];
            /** @description Base64 of 32 bytes. */
            srpSalt: string;
            /** @description The verifier `v`, base64. */
            srpVerifier: string;
            /**
             * @description The user's key in the account's trading wallet, hex of 33 bytes, or 32 where the challenge is
             *     for its Taproot address: with `challengeId` and `signature`, or none of the three.
             */
            tradingPublicKey?: string | null;
        };
        RegisterWallet: components["schemas"]["SignedChallenge"] & components["schemas"]["Extras"];
        /** @description What came of it. */
        Registration: {
            /** @description False where the very same swap was registered before. */
            registered: boolean;
        };
        /**
         * @description What `navigator.credentials.create()` made, by `toJSON()`: `RegistrationResponseJSON`. Members
         *     that are not named here are ignored.
         */
        RegistrationResponse: {
            /** @description The credential id. */
            id: components["schemas"]["Base64Url"];
            /** @description What the authenticator says. */
            response: components["schemas"]["AttestationResponse"];
            /** @description Always `public-key`. */
            type: components["schemas"]["CredentialType"];
        };
        /** @description Whose approval it is, if that matters. */
        RequestApproval: {
            userAddress?: components["schemas"]["EvmWallet"] | null;
        };
        /** @description Whose referrer is to be set. */
        RequestReferral: {
            /** @description The wallet: one of the account's own. */
            userAddress: components["schemas"]["EvmWallet"];
        };
        /**
         * @description What an account may do.
         * @enum {string}
         */
        Role: "user" | "admin";
        /** @description The new wallet, its proof, and the keystore encrypted for it. */
        RotateWallet: {
            /** @description The new wallet's address. */
            address: string;
            /** @description Its chain. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge?purpose=rotate` for the new address.
             */
            challengeId: string;
            /** @description The keystore, encrypted for the new wallet by the client, base64. */
            encryptedBlob: string;
            /** @description The wallet program, at most 64 characters. */
            provider: string;
            /** @description Its public key; for EVM and Solana it may be empty. */
            publicKey: string;
            /** @description The new wallet's signature of the challenge. */
            signature: string;
        };
        /** @description The code of a second factor, beside a proof. */
        SecondFactor: {
            /** @description 6 digits or a recovery code, where the account has a second factor. */
            otpCode?: string | null;
        };
        /** @description A user-signed action of the venue. */
        SendAssetAction: {
            /** @description In USDC, without needless zeros. */
            amount: components["schemas"]["Usdc"];
            /**
             * @description The address of USDC's own at the venue: what is sent there is credited to its sender on the
             *     venue's EVM chain, and to nobody else.
             * @example 0x2000000000000000000000000000000000000000
             */
            destination: string;
            /**
             * @description `spot`.
             * @example spot
             */
            destinationDex: string;
            /**
             * @description Empty: no sub-account.
             * @example
             */
            fromSubAccount: string;
            /**
             * @description The chain id that it is signed for, 0x and hex.
             * @example 0x3e7
             */
            signatureChainId: string;
            /**
             * @description The balance that it leaves from: empty is that of perpetuals. `spot` is the one balance of an account
             *     that has one for all, or of any other the one that holds enough where that of perpetuals does not.
             *     Where the venue does not tell, it is empty.
             * @example
             */
            sourceDex: string;
            /** @description USDC, as the venue names it. */
            token: components["schemas"]["UsdcToken"];
            /**
             * @description `sendAsset`.
             * @example sendAsset
             */
            type: string;
            /** @description The network. The venue's own name of this key is `hyperliquidChain`. */
            venueChain: components["schemas"]["VenueChain"];
        };
        /** @example 018bcfe5-6800-7000-8000-000000000002 */
        SessionId: string;
        /** @description The picture to show. */
        SetAvatar: {
            inscriptionId?: components["schemas"]["InscriptionId"] | null;
        };
        /** @description What sets the referrer. */
        SetReferrer: {
            /** @description What is signed. */
            action: components["schemas"]["SetReferrerAction"];
            /**
             * @description `set_referrer`.
             * @example set_referrer
             */
            kind: string;
        };
        /** @description An L1 action of the venue. Its MessagePack form is hashed, so its keys have to stay in this order. */
        SetReferrerAction: {
            /** @description The code, 1 to 20 characters. */
            code: components["schemas"]["ReferralCode"];
            /**
             * @description `setReferrer`.
             * @example setReferrer
             */
            type: string;
        };
        /** @description A refund that was signed. */
        SignRefund: {
            /**
             * @description The PSBT as it was issued, with the user's signature of each of his inputs: base64, or hex.
             *     Where none is his, as it was issued.
             */
            base64Psbt: string;
            /** @description The address that the refund was created with, or the trading address. */
            userAddress: string;
        };
        /** @description A transaction that was signed. */
        SignTransaction: {
            /** @description The transaction. */
            params: components["schemas"]["SignedTransaction"];
            /** @description What kind. */
            type: components["schemas"]["TransactionType"];
        };
        /** @description A batch of requests that was signed. */
        SignVmTransaction: {
            /** @description The PSBT as it was issued, with the user's signature of each input: base64, or hex. */
            signedBase64Tx: string;
            /** @description The address that the batch was created with. */
            userAddress: string;
        };
        /** @description A wallet's signature of an issued challenge. */
        SignedChallenge: {
            /** @description The address that the challenge was issued for. */
            address: string;
            /** @description The address's chain. */
            chain: components["schemas"]["Chain"];
            /**
             * Format: uuid
             * @description From `GET /auth/wallet/challenge`.
             */
            challengeId: string;
            /** @description 6 digits or a recovery code, where the account has a second factor. */
            otpCode?: string | null;
            /** @description The wallet program, at most 64 characters. */
            provider?: string | null;
            /** @description Bitcoin: required, as for a message. EVM: hex, may be empty. Solana: base58, may be empty. */
            publicKey?: string | null;
            /**
             * @description EVM: hex (EIP-191; EIP-1271 and EIP-6492 for contract wallets). Solana: base58, base64 or
             *     hex (Ed25519). Bitcoin: base64, as for a message.
             */
            signature: string;
        };
        /** @description The fields that the policy has a condition for. */
        SignedFields: {
            /** @description The media type that it is stored as. */
            "Content-Type": string;
            /** @description `AWS4-HMAC-SHA256`. */
            "X-Amz-Algorithm": string;
            /** @description The access key, and the day, region and service that the signature is for. */
            "X-Amz-Credential": string;
            /**
             * @description When it was signed.
             * @example 20261121T103000Z
             */
            "X-Amz-Date": string;
            /** @description Where the service has temporary credentials, their token. */
            "X-Amz-Security-Token"?: string;
            /** @description The bucket. */
            bucket: string;
            /** @description The key that the file gets. */
            key: string;
        };
        /** @description A sign-in. */
        SignedIn: components["schemas"]["TokenPair"] & {
            /** @description The account. */
            account: components["schemas"]["Me"];
            /**
             * @description For the header `Device-Token` of later requests from this device: 64 characters, good for 90
             *     days after a sign-in with it. A client keeps one for all of its accounts.
             */
            deviceToken: string;
            /** @description The account's keystore, where there is one: base64, as the client sent it. */
            encryptedBlob?: string;
            /**
             * @description After a proof by password: the service's proof `M2`, base64 of 32 bytes. A client that finds
             *     it wrong does not talk to the service that knows its verifier.
             */
            serverProof?: string;
            /** @description The two-signature Bitcoin address; null until there is one. */
            tradingAddress: string | null;
            wallet: components["schemas"]["Wallet"] | null;
        };
        /** @description A Bitcoin wallet's signature of the deployment's sign-in message. */
        SignedMessage: {
            /** @description The wallet's Bitcoin address. */
            address: string;
            /**
             * @description The deployment's sign-in message; ends in the present time, ms since the epoch.
             * @example Sign in to Runeport: 1700000000000
             */
            message: string;
            /** @description 6 digits or a recovery code, where the account has a second factor. */
            otpCode?: string | null;
            /** @description Its public key, hex: 33 bytes, for P2TR also 32 (x-only, before the BIP-86 tweak). */
            publicKey: string;
            /** @description Base64. P2WPKH and P2TR: BIP-322. P2PKH and P2SH-P2WPKH: legacy signed message. */
            signature: string;
        };
        /** @description The PSBT, signed by the user. */
        SignedTransaction: {
            /** @description The PSBT as it was issued, with the user's signature of each input: base64, or hex. */
            signedBase64Tx: string;
        };
        /** @description A form: where it is sent, and its fields. The file comes last, in a field `file`. */
        SignedUrl: {
            /** @description Every field but the file, each to be sent as it is here. */
            fields: components["schemas"]["FormFields"];
            /** @description Where the form is sent, by POST. */
            url: string;
        };
        /**
         * @description A place for a preferred token.
         * @enum {string}
         */
        Slot: "usdc";
        SrpAnswer: components["schemas"]["SrpProof"] & components["schemas"]["SecondFactor"];
        /** @description Who will prove a password. */
        SrpInit: {
            /**
             * @description The account's e-mail address, or its id: an address that two accounts name, and neither has
             *     proved, leads to the one that named it first.
             * @example name@example.com
             */
            email: string;
        };
        /** @description The second half of a proof of a password, as clients send it. Both values are base64. */
        SrpProof: {
            /** @description `M1`, base64 of 32 bytes. */
            clientProof: string;
            /** @description `A`, base64. */
            clientPublic: string;
            /**
             * Format: uuid
             * @description From the first half.
             */
            sessionId: string;
        };
        /** @description The first half of a proof of a password, as clients get it. */
        SrpSession: {
            /** @description Bits of the group's prime (RFC 5054, appendix A). */
            group: components["schemas"]["Group"];
            /**
             * @description The hash function.
             * @example SHA-256
             */
            hash: string;
            /** @description The account's salt, base64 of 32 bytes. */
            salt: string;
            /** @description `B`, base64, as long as the group's prime. */
            serverPublic: string;
            /**
             * Format: uuid
             * @description To be sent back with the proof; good once, for 5 minutes (10 for a change of the e-mail
             *     address).
             */
            sessionId: string;
        };
        /** @description When a cross-chain transaction came to stand where. */
        StatusChange: {
            /** @description When the service learned of it, ms since the epoch. */
            at: components["schemas"]["Timestamp"];
            /** @description Where. */
            status: components["schemas"]["XchainStatus"];
        };
        /**
         * @description A swap between chains other than Bitcoin, as its owner registers it and as the hub's record of its
         *     intent has it.
         */
        Swap: {
            /** @description The address on the destination chain. */
            dstAddress: components["schemas"]["AddressText"];
            /**
             * Format: int64
             * @description The hub's id of the destination chain.
             */
            dstChain: number;
            /** @description How much is given, smallest unit; at least 1. */
            inputAmount: components["schemas"]["Units"];
            /** @description The token given: its address on the source chain. */
            inputToken: components["schemas"]["TokenAddress"];
            /** @description Hash of the intent on the hub's chain. */
            intentTxHash: components["schemas"]["IntentHash"];
            /** @description How much is wanted at least, smallest unit. */
            minOutputAmount: components["schemas"]["Units"];
            /** @description The token wanted: its address on the destination chain. */
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
            /** @description The wallet that began it. */
            walletAddress: components["schemas"]["AddressText"];
        };
        /** @description Where a cross-chain transaction stands, and has stood. */
        SwapStatus: {
            /**
             * Format: int64
             * @description The hub's id of the destination chain; null where the service is not told.
             */
            dstChain: number | null;
            /**
             * @description The step at which it failed, in the hub's words; `verification` where the hub's record of the
             *     intent is not what was registered, `bitcoin` where the Bitcoin transaction cannot confirm.
             */
            failedAtStep?: string | null;
            /** @description Why it failed. */
            failureReason?: string | null;
            /** @description The transaction that filled it, on the destination chain. */
            fillTxHash?: string | null;
            /** @description Where it has stood, oldest first, and stands. */
            history: components["schemas"]["StatusChange"][];
            /** @description Whether nothing follows. */
            isFinal: boolean;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null of a withdrawal, which is Bitcoin's.
             */
            srcChain: number | null;
            /** @description Whether the hub could not be asked: this is what was known before. */
            stale: boolean;
            /** @description Where it stands. */
            status: components["schemas"]["XchainStatus"];
            /** @description Of a swap the intent's hash, of a withdrawal the Bitcoin transaction. */
            txId: string;
            /** @description When it changed last, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
            /** @description Whether the hub agrees with what was registered. */
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
             * @description 6 digits; to switch off, a recovery code does too. `code`, `otp` and `token` are other names
             *     of this field.
             */
            otpCode: string;
        };
        /** @example 0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
        TokenAddress: string;
        /** @example 42161 */
        TokenChain: string;
        /** @example 42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
        TokenId: string;
        /** @description The tokens of a session. */
        TokenPair: {
            /** @description JWT for the header `Authorization: Bearer <accessToken>`. */
            accessToken: string;
            /**
             * Format: int64
             * @description Seconds until the access token ends.
             * @example 600
             */
            expiresIn: number;
            /** @description Good once, for `POST /auth/refresh-token`, within 7 days. */
            refreshToken: string;
        };
        /** @description A token of the catalogue. */
        TokenRow: {
            /** @description Its chain. */
            chain: components["schemas"]["TokenChain"];
            /**
             * Format: int32
             * @description Digits after the point of one whole token.
             * @example 6
             */
            decimals: number;
            /** @description The same as `tokenId`. */
            id: components["schemas"]["TokenId"];
            /** @description The slots that it may be the default token of. */
            slots: components["schemas"]["Slot"][];
            /**
             * @description Its symbol.
             * @example USDC
             */
            symbol: string;
            /** @description Token id. */
            tokenId: components["schemas"]["TokenId"];
        };
        /** @description What an authenticator app needs. Until a code of it is sent to `2fa/toggle`, nothing changes. */
        TotpSetup: {
            /** @description `otpauth://totp/...` (SHA-1, 6 digits, 30 s). */
            otpauthUri: string;
            /** @description The URI as a QR code: `data:image/svg+xml;base64,...`. */
            qrCode: string;
            /** @description The secret, base32 of 20 bytes, for those who cannot scan. */
            secret: string;
        };
        /** @description How the second factor is now. */
        TotpState: {
            /** @description Whether sign-in asks for a code. */
            enabled: boolean;
            /** @description After switching on: ten codes for when the app is lost, each good once. Shown this once. */
            recoveryCodes?: string[];
        };
        /** @example wsh(and_v(v:pk(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798),or_d(pk(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5),older(12960))))#m4uhhjp7 */
        TradingDescriptor: string;
        /** @description A trading wallet, and how to spend from it without the platform. */
        TradingWalletBackup: {
            /** @description The address. */
            address: string;
            /** @description When it was made, ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description Blocks that a coin must rest, counted from the one that confirmed it, until the user's key
             *     alone spends it.
             * @example 12960
             */
            delayBlocks: number;
            /** @description The script that it stands for: a descriptor with its checksum (BIP 380). */
            descriptor: components["schemas"]["TradingDescriptor"];
            /** @description The platform's key, hex of 33 bytes. */
            platformPublicKey: string;
            /**
             * @description The user's key, hex: 33 bytes, or 32 (x-only) where Taproot alone has proved it, so that the
             *     script takes the signature of either key with this x.
             */
            publicKey: string;
            /** @description How to spend without the platform. */
            recovery: components["schemas"]["Recovery"];
        };
        /**
         * @description Where an issued transaction stands.
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
         *     A transaction that was replaced is `broadcasting` again, or `signing` where the platform has not
         *     signed it, once the version that has its place has failed.
         *
         *     Until the platform signs, nothing has happened. From then on the transaction is out of its hands,
         *     and only the chain ends it: confirmed, or its coins spent by another. A transaction in `signing`
         *     may have been signed, so the same holds for it: where it cannot be signed any more, the next
         *     version of it, which spends one of its coins, takes its place (custody rules 7 and 25).
         * @enum {string}
         */
        TransactionState: "unsigned" | "signing" | "broadcasting" | "inMempool" | "confirmed" | "expired" | "replaced" | "failed";
        /** @description Where a transaction stands. */
        TransactionStatus: {
            /** @description Where it stands. */
            state: components["schemas"]["TransactionState"];
            /** @description The transaction's id. */
            txId: string;
        };
        /**
         * @description What kind of transaction is meant.
         * @enum {string}
         */
        TransactionType: "xchain-withdraw";
        /** @example 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b */
        TxHash: string;
        /** @description Requests for a rune that wait for a virtual block. */
        UnconfirmedOfRune: {
            /**
             * Format: int64
             * @description How many.
             */
            count: number;
            /** @description The rune. */
            runeId: string;
        };
        /** @description Requests that wait for a virtual block. */
        UnconfirmedRequests: {
            /** @description The same by rune; runes without any are left out. */
            byRune: components["schemas"]["UnconfirmedOfRune"][];
            /**
             * Format: int64
             * @description All that were asked for.
             */
            count: number;
        };
        /** @example 150000 */
        Units: string;
        /** @description A transaction to be signed. */
        UnsignedTransaction: {
            /** @description The PSBT (BIP 174), base64. Sign the inputs of `userInputIndexes` with SIGHASH_ALL. */
            base64Psbt: string;
            /** @description Until when it can be signed, ms since the epoch; its coins are reserved until then. */
            expiresAt: components["schemas"]["Timestamp"];
            /** @description What it costs. */
            fee: components["schemas"]["Fee"];
            /** @description The transaction's id, which signatures do not change. */
            txId: string;
            /** @description The inputs that the user signs, from 0. */
            userInputIndexes: number[];
        };
        /** @example 12.5 */
        Usdc: string;
        /** @example 12.5 */
        UsdcAmount: string;
        /** @example USDC:0x6d1e7cde53ba9467b783cb7c530ce054 */
        UsdcToken: string;
        /**
         * @description A network of the venue, in the venue's own words.
         * @enum {string}
         */
        VenueChain: "Mainnet" | "Testnet";
        /** @description What is to be said beside what is signed. */
        VenueMetaData: {
            /** @description Whether everything could be checked; missing where no wallet was named. */
            checks?: components["schemas"]["Checks"];
            /**
             * @description What the wallet has yet to do before it can trade; empty says so where `checks` is `complete`, else
             *     it says nothing. Gates never stop a deposit or a withdrawal.
             */
            gates: components["schemas"]["Gate"][];
            /** @description What the wallet's owner should know before signing. */
            warnings: components["schemas"]["VenueWarning"][];
        };
        /** @description Who brought a wallet to the venue. */
        VenueReferrer: {
            /** @description The referrer's address, in lowercase. */
            address: string;
            /** @description The code that was set. */
            code: string;
        };
        /**
         * @description Where a wallet stands at the venue. What the venue or its chain did not tell is null, and
         *     `metaData.checks` is `unavailable` then.
         */
        VenueStatus: {
            allowance: components["schemas"]["Usdc"] | null;
            cumulativeVolumeUsd: components["schemas"]["Usdc"] | null;
            /** @description What it has yet to do before it can trade; empty says so where `checks` is `complete`. */
            gates: components["schemas"]["Gate"][];
            /**
             * Format: int64
             * @description The builder fee that it has approved, in tenths of a basis point: 50 are 0.05%.
             * @example 50
             */
            maxBuilderFee: number | null;
            referrer: components["schemas"]["VenueReferrer"] | null;
            usdcBalance: components["schemas"]["Usdc"] | null;
            venueBalance: components["schemas"]["Usdc"] | null;
        };
        /** @description How much is to be moved, and whose it is. */
        VenueTransfer: {
            /** @description In USDC: digits, and at most 6 decimals; more than 0. */
            amount: components["schemas"]["UsdcAmount"];
            /**
             * @description The wallet that signs and owns the position, one of the account's own: a deposit leaves from its
             *     address on the venue's EVM chain, a withdrawal arrives there.
             */
            userAddress: components["schemas"]["EvmWallet"];
        };
        /** @description Something that the wallet's owner should know before signing. */
        VenueWarning: {
            /** @description How much, in USDC, where it is about an amount. */
            amount?: components["schemas"]["Usdc"];
            /** @description What it is about. */
            kind: components["schemas"]["VenueWarningKind"];
            /** @description The same, one English sentence. */
            message: string;
        };
        /**
         * @description What a warning is about.
         * @enum {string}
         */
        VenueWarningKind: "lowGas" | "activationFee" | "netCredited" | "creditedToSpot" | "transferFee";
        /** @description A mailed token. */
        VerifyEmail: {
            /** @description From the mailed link. */
            token: string;
        };
        /**
         * @description Where a VM transaction stands.
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
         *     Mempool and blocks are virtual ones. Whatever the chain takes back, the state takes back:
         *     `replaced` and `failed` too, as long as the commitment can still confirm.
         * @enum {string}
         */
        VmState: "unsigned" | "broadcasting" | "allInMempool" | "partiallyInBlock" | "allInBlock" | "distributing" | "distributed" | "expired" | "replaced" | "failed";
        /** @description A VM transaction, listed. */
        VmTransactionRow: {
            /** @description The PSBT as issued, or, once that is signed, the transaction; base64. */
            base64Tx: string | null;
            /** @description The same. */
            createdAt: components["schemas"]["Timestamp"];
            distributeRuneAt: components["schemas"]["Timestamp"] | null;
            /** @description The transaction that sent its runes. */
            distributeRuneTxId: string | null;
            /** @description The commitment's id. */
            id: string;
            /** @description Whether a refund can be created for it. */
            isRefundable: boolean;
            /** @description Its mint. */
            mintId: components["schemas"]["MintId"];
            /**
             * Format: int64
             * @description What its own confirmed commitment has paid, sats.
             */
            paidSats: number;
            /** @description Where its refund stands. */
            refundState: components["schemas"]["RefundState"];
            /** @description The transaction that refunds it. */
            refundTxId: string | null;
            /**
             * Format: int64
             * @description What was paid for requests that no virtual block took, once that is decided; sats.
             */
            refundableSats: number;
            /** @description The one that it replaces. */
            replaceTxId: string | null;
            /** @description The one that replaced it. */
            replacedByTxId: string | null;
            /**
             * Format: int64
             * @description Requests that it took over from those that it replaced.
             */
            replacedRequestsCount: number;
            /**
             * Format: int64
             * @description Its requests that are in virtual blocks.
             */
            requestsInBlocksCount: number;
            /**
             * Format: int64
             * @description Its requests that wait for a virtual block; none where it does not take part.
             */
            requestsInMempoolCount: number;
            /** @description The rune that is minted. */
            runeId: components["schemas"]["EtchedRune"];
            /**
             * Format: int64
             * @description What its new requests cost together, sats.
             */
            satsNewRequests: number;
            /**
             * Format: int64
             * @description The price of each new request, sats.
             */
            satsPerNewRequest: number;
            /**
             * Format: int64
             * @description What the requests that it took over cost together, sats.
             */
            satsPreviousRequests: number;
            /** @description Where it stands. */
            state: components["schemas"]["VmState"];
            /** @description When it was created; of one that was signed, when it was. ms since the epoch. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Where it is paid from, and what refunds and runes are sent to. */
            tradingAddress: string;
            transferBtcAt: components["schemas"]["Timestamp"] | null;
            /** @description The transaction that moved its funds out of the treasury. */
            transferBtcTxId: string | null;
            /** @description The same. */
            txId: string;
            /** @description What it is distributed with. */
            vmDistributionId: string | null;
        };
        /** @description Where a VM transaction stands. */
        VmTransactionStatus: {
            /** @description Where it stands. */
            state: components["schemas"]["VmState"];
            /** @description The commitment's id. */
            txId: string;
        };
        /** @description The wallet that signs an account in. */
        Wallet: {
            /** @description Canonical address: EVM and bech32 in lowercase. */
            address: string;
            /** @description Its chain. */
            chain: components["schemas"]["Chain"];
            /** @description The wallet program, as the client named it. */
            provider: string | null;
            /** @description The key that proved it; null for contract wallets. */
            publicKey: string | null;
        };
        /**
         * @description What is worth a second look before a transaction is signed.
         * @enum {string}
         */
        Warning: "feeShareHigh" | "coinsExpireSoon" | "feeRateStale";
        /** @description What withdraws. */
        Withdraw: {
            /** @description What is signed. */
            action: components["schemas"]["SendAssetAction"];
            /**
             * @description `withdraw`.
             * @example withdraw
             */
            kind: string;
        };
        /** @description A withdrawal. */
        WithdrawParams: {
            /** @description How much, in the smallest unit; at least 1. */
            amount: components["schemas"]["Units"];
            /**
             * @description A withdrawal of the caller's that no block has, and that this one replaces at the current fee
             *     rate. Once the hub may have heard of it, all else has to be the same.
             */
            replaceTxId?: string | null;
            /** @description What: a rune id, or `0:0` for BTC. */
            tokenId: components["schemas"]["BitcoinToken"];
            /** @description The recipient: a Bitcoin address, not the caller's trading address. */
            withdrawTo: string;
            /** @description What the hub is told, hex, at most 8 KiB. */
            xchainData: components["schemas"]["XchainData"];
        };
        /** @example 0xdeadbeef */
        XchainData: string;
        /** @description A cross-chain transaction, listed. */
        XchainRow: {
            /** @description When it was registered, or signed; ms since the epoch. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The hub's id of the destination chain; null where the service is not told.
             */
            dstChain: number | null;
            /** @description The step at which it failed. */
            failedAtStep: string | null;
            /** @description Why it failed. */
            failureReason: string | null;
            /** @description The transaction that filled it, on the destination chain. */
            fillTxHash: string | null;
            /** @description Its id. */
            id: string;
            /** @description What for what. */
            intent: components["schemas"]["Intent"];
            intentTxHash: components["schemas"]["IntentHash"] | null;
            /** @description Of a withdrawal, the one that it replaces; null of others. */
            replaceTxId: string | null;
            /** @description Of a withdrawal, the one that its owner has signed to replace it; null of others. */
            replacedByTxId: string | null;
            spokeTxHash: components["schemas"]["TxHash"] | null;
            /**
             * Format: int64
             * @description The hub's id of the source chain; null of a withdrawal, which is Bitcoin's.
             */
            srcChain: number | null;
            /** @description Where it stands. */
            status: components["schemas"]["XchainStatus"];
            /** @description Where it comes from. */
            tradingAddress: string;
            /** @description Of a withdrawal the Bitcoin transaction, of a swap the intent's hash. */
            txId: string;
            /** @description What kind. */
            type: components["schemas"]["XchainType"];
            /** @description When it changed last, ms since the epoch. */
            updatedAt: components["schemas"]["Timestamp"];
            /** @description The wallet that began it; of a withdrawal the trading address. */
            userAddress: string;
            /** @description Whether it is known to be as it says: a withdrawal is, a swap once the hub agrees. */
            verified: boolean;
            /** @description Where it goes. */
            withdrawTo: string;
        };
        /**
         * @description Where a cross-chain transaction stands.
         * @enum {string}
         */
        XchainStatus: "registered" | "pending" | "relaying" | "relayed" | "solving" | "filled" | "failed" | "refunded";
        /**
         * @description What kind of cross-chain transaction a record is.
         * @enum {string}
         */
        XchainType: "swap" | "xchain-withdraw";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_accounts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_AccountRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TotpSetup"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TotpState"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_activity: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Vec_ActivityRow_ActivityMeta"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_OwnedAddress"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    link_address: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Mailed, now or less than a minute ago */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_ChangeEmailSession_ChangeEmailMailed"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_KeystoreBlob"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_PasskeyRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verify_passkey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeyRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_ReferralCodeCheck"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasswordChanged"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TradingWalletBackup"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    make_trading_wallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Me"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    authenticate_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TokenPair"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_passkey_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_srp_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_wallet_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_LiveSession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    srp_init_under_api: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    wallet_challenge_under_api: {
        parameters: {
            query: {
                /** @description The wallet's address. */
                address: string;
                /** @description The address's chain, where it is not plain from the address. */
                chain?: components["schemas"]["Chain"];
                /**
                 * @description What the signature will be used for: `signIn`, if nothing is said, but with a token, for an
                 *     address that is not the account's, `rotate`.
                 */
                purpose?: components["schemas"]["Purpose"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_IssuedChallenge"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_download_histories: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_DownloadHistory"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_download_history: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_DownloadHistory"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: {
                /**
                 * @description `1`: also ask what the service depends on.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Health"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Vec_MediaUpload_NoMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_ApproveBuilderFee_VenueMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description The transactions, in the order in which they are sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Deposit_VenueMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Option_SetReferrer_VenueMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    perp_venue_status: {
        parameters: {
            query: {
                /** @description The wallet: one of the account's own, now or before a rotation. */
                userAddress: components["schemas"]["EvmWallet"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_VenueStatus_VenueMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkWith_Withdraw_VenueMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_prizes: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_Prize"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_prize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Prize"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_refund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
            /** @description The transaction, to be signed */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UnsignedTransaction"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @description The address that the transactions were created with, or the trading address that they were
                 *     paid from.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Calculation"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sign_refund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
            /** @description Where it stands */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_TokenRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_vm_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
                /**
                 * @description Those in this state; only together with `runeId_eq`. `unsigned` and `expired` are the
                 *     caller's own.
                 */
                state_eq?: components["schemas"]["VmState"];
                /** @description Those of this rune. */
                runeId_eq?: components["schemas"]["EtchedRune"];
                /** @description Those that are paid from this address. */
                tradingAddress_eq?: string;
                /** @description Those that this address acts for. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_VmTransactionRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_vm_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
            /** @description The transaction, to be signed */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UnsignedTransaction"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    count_unconfirmed_requests: {
        parameters: {
            query?: {
                /** @description Those for this rune. */
                runeId?: components["schemas"]["EtchedRune"];
                /** @description Those that this address acts for. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UnconfirmedRequests"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_mints: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_MintRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_mint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_MintRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_MintRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sign_vm_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
            /** @description Where it stands */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWith_VmTransactionStatus_NoMetaData"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Affiliate"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    create_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
            /** @description The transaction, to be signed */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWith_UnsignedTransaction_Notes"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sign_transaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of the client's own. The same request sent again with it within 24 hours gets the
                 *     first answer; 409 while the first is being worked on, and for another body.
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
            /** @description Where it stands */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TransactionStatus"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items per page; more than 100 count as 100. */
                pageSize?: number;
                /** @description Fields to sort by, separated by comma or space; `-` before one means descending. */
                sort?: string;
                /**
                 * @description Fields to return, separated by comma or space. `a b`: only those; `-a`: all but that one;
                 *     `+h`: also the hidden `h`.
                 */
                select?: string;
                /**
                 * @description Relations to add, separated by comma or space. Every list has `token`, the row's token or rune
                 *     with symbol and divisibility as the catalogue of tokens has it, and `wallet`, the sign-in
                 *     wallet of the row's account: on the list of accounts, and else on the caller's own rows. Either
                 *     is null where there is none.
                 */
                populate?: string;
                /** @description Those whose tradingAddress, withdrawTo or userAddress is this one. */
                relatedAddress_eq?: string;
                /**
                 * @description Those that give one of two tokens for the other, in either direction: two addresses with a
                 *     comma between them.
                 */
                intentTokenPair_eq?: string;
                /** @description Those that give this token, or want it. */
                intentToken_eq?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_XchainRow"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description It is registered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Registration"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    status: {
        parameters: {
            query?: {
                /** @description The hub's id of the chain that `txId` is a transaction of, where it is the source chain's. */
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
            /** @description Where it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SwapStatus"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    authenticate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TokenPair"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasskeySession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_passkey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_srp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    register_wallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SignedIn"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_LiveSession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Nothing"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    srp_init: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `deviceToken` of an earlier sign-in on this device. An account that knows the device is not
                 *     locked out on it by the guesses of others.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SrpSession"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    wallet_challenge: {
        parameters: {
            query: {
                /** @description The wallet's address. */
                address: string;
                /** @description The address's chain, where it is not plain from the address. */
                chain?: components["schemas"]["Chain"];
                /**
                 * @description What the signature will be used for: `signIn`, if nothing is said, but with a token, for an
                 *     address that is not the account's, `rotate`.
                 */
                purpose?: components["schemas"]["Purpose"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_IssuedChallenge"];
                };
            };
            /** @description Refused: `code` says why, see the table of errors. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Failed: nothing is wrong with the request. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
