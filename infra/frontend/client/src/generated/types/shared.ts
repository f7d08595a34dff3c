// Generated from infra/openapi.json by `npm run generate`.

/**
 * Types that several areas use.
 *
 * @packageDocumentation
 */


/** @example 018bcfe5-6800-7000-8000-000000000001 */
export type AccountId = string;

/**
 * Format: address
 * @example 0x00000000000000000000000000000000000000aa
 */
export type AddressText = string;

/** The affiliate fee of cross-chain swaps. */
export type Affiliate = {
    /**
     * Format: address
     *
     * The address that earns it.
     */
    affiliateAddress: string;
    /**
     * Format: int32
     *
     * Basis points: 100 is 1%.
     */
    feeBps: number;
    /**
     * Format: double
     *
     * The same fee in percent.
     * @example 0.25
     */
    feePercent: number;
};

/** `AuthenticatorAttestationResponseJSON`. */
export type AttestationResponse = {
    /** CBOR of the attestation object (section 6.5). */
    attestationObject: Base64Url;
    /** JSON of the client data (section 5.8.1). */
    clientDataJSON: Base64Url;
    /** How clients reach the authenticator, such as `internal` or `hybrid`. */
    transports?: string[] | null;
};

/**
 * How an account was created.
 * @enum {string}
 */
export type AuthMethod = "srp" | "passkey" | "wallet";

/** Bytes as base64url without padding (RFC 4648, section 5). Each value has exactly one encoding. */
export type Base64Url = string;

/** @example 840000:3 */
export type BitcoinToken = string;

/**
 * A chain whose wallets can sign in.
 * @enum {string}
 */
export type Chain = "evm" | "solana" | "bitcoin";

/** Coins should be renewed: in fewer than 4,032 blocks, their user alone can spend them. */
export type CoinsRenewalAdvisedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: int32
         *
         * The height of the block that has the coins.
         */
        blockHeight: number;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "coins.renewalAdvised";
};

/** Coins must be renewed: in fewer than 1,152 blocks, their user alone can spend them, and mints refuse them. */
export type CoinsRenewalNeededEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: int32
         *
         * The height of the block that has the coins.
         */
        blockHeight: number;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "coins.renewalNeeded";
};

export type CreateTransaction = CreateTransactionXchainWithdraw | CreateTransactionWithdraw | CreateTransactionRenewUtxo;

export type CreateTransactionRenewUtxo = {
    params: RenewUtxoParams;
    type: "renew-utxo";
};

export type CreateTransactionWithdraw = {
    params: WithdrawParams;
    type: "withdraw";
};

export type CreateTransactionXchainWithdraw = {
    params: XchainWithdrawParams;
    type: "xchain-withdraw";
};

/** A response with status 201 that carries further information about the created item in `metaData`. */
export type CreatedWith_UnsignedTransaction_Notes = {
    /** @enum {string} */
    code: "1";
    data: UnsignedTransaction;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the created item. */
    metaData: MetaDataWith_Notes;
};

/** @enum {string} */
export type CredentialType = "public-key";

/** The preferred token of an account for each slot. */
export type DefaultTokens = {
    usdc: TokenId | null;
};

/** A deposit is in a block. */
export type DepositConfirmedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: deposit-id
         *
         * The deposit.
         */
        depositId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "deposit.confirmed";
};

/** A deposit waits for a block, because it was announced or a reorganisation removed its block; or the deposit is gone. */
export type DepositSeenEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: deposit-id
         *
         * The deposit.
         */
        depositId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "deposit.seen";
};

/**
 * Format: email-address
 * @example name@example.com
 */
export type EmailAddress = string;

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Me = {
    /** @enum {string} */
    code: "1";
    data: Me;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Nothing = {
    /** @enum {string} */
    code: "1";
    data: Nothing;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_PasskeySession = {
    /** @enum {string} */
    code: "1";
    data: PasskeySession;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_SrpSession = {
    /** @enum {string} */
    code: "1";
    data: SrpSession;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_TransactionStatus = {
    /** @enum {string} */
    code: "1";
    data: TransactionStatus;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_UnsignedTransaction = {
    /** @enum {string} */
    code: "1";
    data: UnsignedTransaction;
    /** @enum {string} */
    message: "common.success";
};

/** @example 840000:3 */
export type EtchedRune = string;

/** An event. `type` determines the fields of `data`. */
export type EventItem = TransactionStateChangedEvent | XchainStatusChangedEvent | VmTransactionStateChangedEvent | RefundStateChangedEvent | ExportCompletedEvent | ExportFailedEvent | SessionEndedEvent | DepositSeenEvent | DepositConfirmedEvent | CoinsRenewalAdvisedEvent | CoinsRenewalNeededEvent | VmBlockFilledEvent | MintStateChangedEvent;

/** The file of an export is ready. */
export type ExportCompletedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: uuid
         *
         * The export.
         */
        exportId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "export.completed";
};

/** The file of an export will not be written. */
export type ExportFailedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: uuid
         *
         * The export.
         */
        exportId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "export.failed";
};

/** The fee of a transaction. */
export type Fee = {
    /**
     * Format: double
     *
     * In sat/vB.
     * @example 5.25
     */
    feeRate: number;
    /**
     * Format: int64
     *
     * In sats.
     */
    totalFee: number;
};

/**
 * How fast a transaction should confirm.
 * @enum {string}
 */
export type FeeTarget = "economy" | "normal" | "fast";

/**
 * @example 3072
 * @enum {integer}
 */
export type Group = 2048 | 3072 | 4096;

/** @example 6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0 */
export type InscriptionId = string;

/** Numbers of a wallet's coins that a transaction cannot spend now, by reason. */
export type LeftAside = {
    /** Mined, with fewer than 100 confirmations. */
    immature: number;
    /** With an inscription. */
    inscribed: number;
    /** Not read, because the address has too many coins; these are the least valuable. */
    notRead: number;
    /** Held by another transaction of the account. */
    reserved: number;
    /** Unconfirmed. */
    unconfirmed: number;
    /** With unknown contents, or more than is read: over 100 runes, or thousands of inscriptions. */
    unknown: number;
};

/** An account as shown to its owner. */
export type Me = {
    /** Addresses that the account has proved, the sign-in wallet first. */
    addresses: OwnedAddress[];
    /** How the account was created. */
    authMethod: AuthMethod;
    avatar: InscriptionId | null;
    /** When the account was created, ms since the epoch. */
    createdAt: Timestamp;
    /** Preferred tokens. */
    defaultTokens: DefaultTokens;
    email: EmailAddress | null;
    /** Whether the address is verified. */
    emailVerified: boolean;
    /** Whether there is a keystore. */
    hasKeystore: boolean;
    /** Account id. */
    id: AccountId;
    /**
     * Whether another account invited this one. Its id is not shown, because accounts can sign in by their
     *     ids.
     */
    isReferred: boolean;
    /**
     * Format: int32
     *
     * Number of passkeys.
     */
    passkeys: number;
    /**
     * Format: label
     *
     * Password hint.
     */
    passwordHint: string | null;
    /**
     * Format: referral-code
     *
     * Code for inviting others.
     */
    referralCode: string;
    /** Permissions of the account. */
    role: Role;
    /** Whether sign-in requires a second factor. */
    totpEnabled: boolean;
    /**
     * Format: bitcoin-address
     *
     * The two-signature Bitcoin address; null until it is created.
     */
    tradingAddress: string | null;
    wallet: Wallet | null;
};

/** The position of a page in its list. */
export type MetaData = {
    /**
     * Format: int64
     *
     * The length of the list. Send it as `asOf` in requests for the next pages. Absent if rows of the list
     *     come and go.
     */
    asOf?: number | null;
    /**
     * Format: int64
     *
     * Number of this page, from 1.
     */
    currentPage: number;
    /**
     * Format: int64
     *
     * Items per page.
     */
    pageSize: number;
    /**
     * Format: int64
     *
     * Items in the whole list.
     */
    totalItems: number;
    /**
     * Format: int64
     *
     * Pages in the whole list.
     */
    totalPages: number;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_EventsMeta = MetaData & {
    /**
     * Format: int64
     *
     * The number of the newest event; 0 if there has been none.
     */
    newest: number;
    /**
     * Format: int64
     *
     * Send it as `after` in the next request. If it equals `newest`, the response reaches the end of the list.
     */
    next: number;
    /**
     * Format: int64
     *
     * The number of the oldest event that is kept; one more than `newest` if no event is kept.
     */
    oldest: number;
    /**
     * Format: int32
     *
     * The number of ms after which to poll again; 0 if there are more events.
     */
    pollAfterMs: number;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_NoMetaData = MetaData & Record<string, never>;

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_Notes = MetaData & {
    amount: Units | null;
    /** Coins of the trading address that the transaction could not spend. */
    coinsLeftAside: LeftAside;
    /**
     * Format: int32
     *
     * Blocks until the user alone can spend the first of the coins.
     */
    expiresInBlocks: number;
    /**
     * Coins that belong to the request but did not fit: with `max`, further coins with the token; in a renewal
     *     without `txIdVouts`, further coins whose delay ends soon.
     */
    left: number;
    /** Reasons to review the transaction before signing. */
    warnings: TransactionWarning[];
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_Polling = MetaData & {
    /**
     * Format: int32
     *
     * The number of ms after which the response may have changed; null if nothing is expected to change by
     *     itself.
     */
    pollAfterMs: number | null;
};

/** @example 018bcfe5-6800-7000-8000-000000000002 */
export type MintId = string;

/** The state of a mint has changed. */
export type MintStateChangedEvent = {
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: uuid
         *
         * The mint.
         */
        mintId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "mint.stateChanged";
};

export type Nothing = Record<string, never> | null;

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_TransactionPreview_Notes = {
    /** @enum {string} */
    code: "1";
    data: TransactionPreview;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_Notes;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_EventItem_EventsMeta = {
    /** @enum {string} */
    code: "1";
    data: EventItem[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_EventsMeta;
};

/** An address that the account has proved: its sign-in wallet or a linked address. */
export type OwnedAddress = {
    /**
     * Format: address
     *
     * Canonical address.
     */
    address: string;
    /** Chain of the address. */
    chain: Chain;
    /**
     * Format: int64
     *
     * EIP-155 id of the EVM chain on which a contract wallet proved the address; the account owns it on that
     *     chain only. Absent if a key proved the address, which then belongs to the account on every chain.
     */
    contractChainId?: number | null;
};

/** The first step of a passkey ceremony, as returned to the client. */
export type PasskeySession = {
    /**
     * For `PublicKeyCredential.parseRequestOptionsFromJSON()`, or `parseCreationOptionsFromJSON()` when
     *     registering a passkey.
     */
    options: Record<string, never>;
    /**
     * Format: uuid
     *
     * Send it back with the response. Single use, valid for 5 minutes.
     */
    sessionId: string;
};

/** @example 150000 */
export type PositiveUnits = string;

/** A coin that a transaction would spend. */
export type PreviewInput = {
    /**
     * Format: outpoint
     *
     * The outpoint, `<txid>:<vout>`.
     */
    id: string;
    /**
     * The runes in it. Null if an unsigned transaction answers the request, and a transaction in the mempool
     *     spends the coin.
     */
    runes: RuneAmount[] | null;
    /**
     * Format: int64
     *
     * Its sats.
     */
    sats: number;
};

/** An output of a transaction. */
export type PreviewOutput = {
    /**
     * Format: bitcoin-address
     *
     * Null for an OP_RETURN.
     */
    address: string | null;
    /** Whether it returns to the trading address. Its contents can be spent once a block has the transaction. */
    isOwn: boolean;
    /** The runes that it receives. */
    runes: RuneAmount[];
    /**
     * Format: int64
     *
     * Its sats.
     */
    sats: number;
};

/**
 * The state of a VM transaction's refund.
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
export type RefundState = "none" | "open" | "broadcast" | "refunded";

/** The state of a refund's transaction has changed. */
export type RefundStateChangedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: transaction-id
         *
         * The transaction: its txid or, for a swap, the hash of its intent.
         */
        txId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "refund.stateChanged";
};

/**
 * The result of `navigator.credentials.create()`, serialized with `toJSON()`: `RegistrationResponseJSON`.
 *     Members not listed here are ignored.
 */
export type RegistrationResponse = {
    /** The credential id. */
    id: Base64Url;
    /** The authenticator's response. */
    response: AttestationResponse;
    /** Always `public-key`. */
    type: CredentialType;
};

/**
 * What a trading wallet could still spend after a request, while its transaction waits: what `available`
 *     says in `GET /api/account/trading-wallet/balance` after the real request.
 */
export type Remaining = {
    /** In free coins. */
    runes: RuneAmount[];
    /**
     * Format: int64
     *
     * In coins that can pay amounts and fees: free, and without runes.
     */
    sats: number;
};

/** Parameters of a renewal. */
export type RenewUtxoParams = {
    feeTarget?: FeeTarget | null;
    /**
     * The coins to renew, `<txid>:<vout>`; at most 40. By default those whose delay ends within four weeks:
     *     the most urgent first, then the most valuable, and at most half of them with runes if there are enough
     *     others.
     */
    txIdVouts?: string[] | null;
};

/**
 * The permissions of an account.
 * @enum {string}
 */
export type Role = "user" | "admin";

/** An amount of a rune. */
export type RuneAmount = {
    /** In the smallest unit. */
    amount: Units;
    /**
     * Format: rune-name
     *
     * The name with spacers.
     */
    name: string;
};

/** A session was ended before it expired, or a change of a credential ended all sessions. */
export type SessionEndedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: uuid
         *
         * The session. Missing if all sessions ended together, except for the one in which a credential was
         *     changed.
         */
        sessionId?: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "session.ended";
};

/** @example 018bcfe5-6800-7000-8000-000000000002 */
export type SessionId = string;

/** Request body of a signature. */
export type SignTransaction = {
    params: SignedTransaction;
    type?: TransactionType | null;
};

/** The PSBT, signed by the user. */
export type SignedTransaction = {
    /**
     * Format: psbt
     *
     * The PSBT as issued, with the user's signature on every input: base64 or hex.
     */
    signedBase64Tx: string;
};

/**
 * A use for which an account can prefer a token.
 * @enum {string}
 */
export type Slot = "usdc";

/** The first step of a password proof, as returned to the client. */
export type SrpSession = {
    /** Bits of the group's prime (RFC 5054, appendix A). */
    group: Group;
    /**
     * Format: hash-function
     *
     * The hash function of the SRP profile.
     * @example SHA-256
     */
    hash: string;
    /**
     * Format: base64-of-32-bytes
     *
     * The account's salt, base64 of 32 bytes.
     */
    salt: string;
    /**
     * Format: byte
     *
     * `B`, base64, padded to the length of the group's prime.
     */
    serverPublic: string;
    /**
     * Format: uuid
     *
     * Send it back with the proof. Single use, valid for 5 minutes (10 for a change of e-mail address).
     */
    sessionId: string;
};

/** A state of a transaction, and when the transaction entered it. */
export type StateSince = {
    /** When the service recorded it, ms since the epoch. */
    at: Timestamp;
    /** The state. */
    state: TransactionState;
};

/**
 * Format: int64
 *
 * A moment: milliseconds since the Unix epoch, UTC. A JSON number on the wire.
 * @example 1700000000000
 */
export type Timestamp = number;

/** @example 42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831 */
export type TokenId = string;

/** A transaction that a request would create now. */
export type TransactionPreview = {
    fee: Fee;
    /** The coins that it would spend, in order. */
    inputs: PreviewInput[];
    /** Its outputs, in order. */
    outputs: PreviewOutput[];
    remaining: Remaining;
    /**
     * Format: int64
     *
     * Size of the signed transaction in vB, an upper bound. The fee is calculated for it.
     */
    vbytes: number;
};

/** The progress of a transaction. */
export type TransactionProgress = {
    /**
     * Format: psbt
     *
     * While it is unsigned, the PSBT as issued, base64; null otherwise.
     */
    base64Psbt: string | null;
    /**
     * Format: int32
     *
     * The number of blocks from its own to the newest that the worker has applied, both included; null if it
     *     is not in a block.
     */
    confirmations: number | null;
    expiresAt: Timestamp | null;
    /** Its states since it was created, oldest first. If there were more than 16 changes, only the newest. */
    history: StateSince[];
    /** Whether its state can no longer change. */
    isFinal: boolean;
};

/**
 * The state of an issued transaction.
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
export type TransactionState = "unsigned" | "signing" | "broadcasting" | "inMempool" | "confirmed" | "expired" | "replaced" | "failed";

/** The state of a withdrawal, a renewal or the commitment of a batch has changed. */
export type TransactionStateChangedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: transaction-id
         *
         * The transaction: its txid or, for a swap, the hash of its intent.
         */
        txId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "transaction.stateChanged";
};

/** Status of a transaction. */
export type TransactionStatus = {
    /** Its state. */
    state: TransactionState;
    /**
     * Format: txid
     *
     * Its txid.
     */
    txId: string;
};

/**
 * The kind of transaction.
 * @enum {string}
 */
export type TransactionType = "xchain-withdraw" | "withdraw" | "renew-utxo";

/** A reason to review the transaction before signing. */
export type TransactionWarning = {
    kind: TransactionWarningKind;
    /**
     * Format: prose
     *
     * The warning as one English sentence.
     */
    message: string;
};

/**
 * The subject of a warning about a transaction.
 * @enum {string}
 */
export type TransactionWarningKind = "feeShareHigh" | "coinsExpireSoon" | "feeRateStale" | "amountLowered";

/** @example 150000 */
export type Units = string;

/** A transaction to sign. */
export type UnsignedTransaction = {
    /**
     * Format: psbt
     *
     * The PSBT (BIP 174), base64. Sign the inputs of `userInputIndexes` with SIGHASH_ALL.
     */
    base64Psbt: string;
    /** The end of the reservation of its coins, ms since the epoch. It must be signed before. */
    expiresAt: Timestamp;
    /** The fee. */
    fee: Fee;
    /**
     * Format: txid
     *
     * The transaction's id, which signatures do not change.
     */
    txId: string;
    /** Indexes of the inputs that the user signs, from 0. */
    userInputIndexes: number[];
};

/**
 * A network of the venue, in the venue's own words.
 * @enum {string}
 */
export type VenueChain = "Mainnet" | "Testnet";

/** Virtual blocks of a mint have been filled, or a reorganisation has emptied some. */
export type VmBlockFilledEvent = {
    data: {
        /**
         * Format: int64
         *
         * The number of filled virtual blocks after the change. It is lower if a reorganisation has emptied some.
         */
        after: number;
        /**
         * Format: int64
         *
         * The number of filled virtual blocks before the change.
         */
        before: number;
        /**
         * Format: uuid
         *
         * The mint.
         */
        mintId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "vmBlock.filled";
};

/** The state of a batch of requests has changed. */
export type VmTransactionStateChangedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: transaction-id
         *
         * The transaction: its txid or, for a swap, the hash of its intent.
         */
        txId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "vmTransaction.stateChanged";
};

/** The sign-in wallet of an account. */
export type Wallet = {
    /**
     * Format: address
     *
     * Canonical address: EVM and bech32 in lowercase.
     */
    address: string;
    /** Chain of the address. */
    chain: Chain;
    /**
     * Format: label
     *
     * The wallet software, as named by the client.
     */
    provider: string | null;
    /**
     * Format: public-key
     *
     * The public key that proved the address; null for contract wallets.
     */
    publicKey: string | null;
};

/** Parameters of a withdrawal to a Bitcoin address. */
export type WithdrawParams = {
    /**
     * In the smallest unit, at least 1; or `max` for as much as one transaction can pay.
     * @example 150000
     */
    amount: string;
    feeTarget?: FeeTarget | null;
    /** @default 0:0 */
    tokenId: BitcoinToken | null;
    /**
     * Format: address
     *
     * One of the caller's own addresses. It is checked and not used further.
     */
    userAddress?: string | null;
    /**
     * Format: bitcoin-address
     *
     * The recipient: any Bitcoin address except the caller's trading address.
     */
    withdrawTo: string;
};

/** @example 0xdeadbeef */
export type XchainData = string;

/** The status of a swap or of a withdrawal through the hub has changed. */
export type XchainStatusChangedEvent = {
    /**
     * Format: uuid
     *
     * The account that the event is about. Only webhooks with the scope `deployment` receive it.
     */
    accountId?: string;
    data: {
        /**
         * Format: state
         *
         * The state after the change.
         */
        after: string;
        /**
         * Format: state
         *
         * The state before the change; null if the item is new.
         */
        before: string | null;
        /**
         * Format: transaction-id
         *
         * The transaction: its txid or, for a swap, the hash of its intent.
         */
        txId: string;
    };
    /**
     * Format: event-id
     *
     * The id of the event, unique in the service.
     */
    id: string;
    /**
     * Format: int64
     *
     * The number of the event in its list: 1, 2, 3, without gaps.
     */
    sequence: number;
    /**
     * When the event was written, ms since the epoch. Events are ordered by number: the times of two events
     *     written concurrently may be in another order.
     */
    timestamp: Timestamp;
    type: "xchain.statusChanged";
};

/** Parameters of a withdrawal through the hub. */
export type XchainWithdrawParams = {
    /** In the smallest unit; at least 1. */
    amount: PositiveUnits;
    /**
     * The caller's unconfirmed withdrawal that this one replaces at the current fee rate. Once the hub may
     *     know that withdrawal, all other parameters must be identical.
     */
    replaceTxId?: string | null;
    /** @default 0:0 */
    tokenId: BitcoinToken | null;
    /**
     * Format: bitcoin-address
     *
     * The recipient: a Bitcoin address, not the caller's trading address. By default `hubVault` of
     *     `GET /api/config`. Required if `hubVault` is null; no other address is accepted if `hubVaultOnly` is
     *     true.
     */
    withdrawTo?: string | null;
    /** Instructions for the hub, hex, at most 8 KiB. */
    xchainData: XchainData;
};

export interface schemas {
    AccountId: AccountId;
    AddressText: AddressText;
    Affiliate: Affiliate;
    AttestationResponse: AttestationResponse;
    AuthMethod: AuthMethod;
    Base64Url: Base64Url;
    BitcoinToken: BitcoinToken;
    Chain: Chain;
    CoinsRenewalAdvisedEvent: CoinsRenewalAdvisedEvent;
    CoinsRenewalNeededEvent: CoinsRenewalNeededEvent;
    CreateTransaction: CreateTransaction;
    CreateTransactionRenewUtxo: CreateTransactionRenewUtxo;
    CreateTransactionWithdraw: CreateTransactionWithdraw;
    CreateTransactionXchainWithdraw: CreateTransactionXchainWithdraw;
    CreatedWith_UnsignedTransaction_Notes: CreatedWith_UnsignedTransaction_Notes;
    CredentialType: CredentialType;
    DefaultTokens: DefaultTokens;
    DepositConfirmedEvent: DepositConfirmedEvent;
    DepositSeenEvent: DepositSeenEvent;
    EmailAddress: EmailAddress;
    Envelope_Me: Envelope_Me;
    Envelope_Nothing: Envelope_Nothing;
    Envelope_PasskeySession: Envelope_PasskeySession;
    Envelope_SrpSession: Envelope_SrpSession;
    Envelope_TransactionStatus: Envelope_TransactionStatus;
    Envelope_UnsignedTransaction: Envelope_UnsignedTransaction;
    EtchedRune: EtchedRune;
    EventItem: EventItem;
    ExportCompletedEvent: ExportCompletedEvent;
    ExportFailedEvent: ExportFailedEvent;
    Fee: Fee;
    FeeTarget: FeeTarget;
    Group: Group;
    InscriptionId: InscriptionId;
    LeftAside: LeftAside;
    Me: Me;
    MetaData: MetaData;
    MetaDataWith_EventsMeta: MetaDataWith_EventsMeta;
    MetaDataWith_NoMetaData: MetaDataWith_NoMetaData;
    MetaDataWith_Notes: MetaDataWith_Notes;
    MetaDataWith_Polling: MetaDataWith_Polling;
    MintId: MintId;
    MintStateChangedEvent: MintStateChangedEvent;
    Nothing: Nothing;
    OkWith_TransactionPreview_Notes: OkWith_TransactionPreview_Notes;
    OkWith_Vec_EventItem_EventsMeta: OkWith_Vec_EventItem_EventsMeta;
    OwnedAddress: OwnedAddress;
    PasskeySession: PasskeySession;
    PositiveUnits: PositiveUnits;
    PreviewInput: PreviewInput;
    PreviewOutput: PreviewOutput;
    RefundState: RefundState;
    RefundStateChangedEvent: RefundStateChangedEvent;
    RegistrationResponse: RegistrationResponse;
    Remaining: Remaining;
    RenewUtxoParams: RenewUtxoParams;
    Role: Role;
    RuneAmount: RuneAmount;
    SessionEndedEvent: SessionEndedEvent;
    SessionId: SessionId;
    SignTransaction: SignTransaction;
    SignedTransaction: SignedTransaction;
    Slot: Slot;
    SrpSession: SrpSession;
    StateSince: StateSince;
    Timestamp: Timestamp;
    TokenId: TokenId;
    TransactionPreview: TransactionPreview;
    TransactionProgress: TransactionProgress;
    TransactionState: TransactionState;
    TransactionStateChangedEvent: TransactionStateChangedEvent;
    TransactionStatus: TransactionStatus;
    TransactionType: TransactionType;
    TransactionWarning: TransactionWarning;
    TransactionWarningKind: TransactionWarningKind;
    Units: Units;
    UnsignedTransaction: UnsignedTransaction;
    VenueChain: VenueChain;
    VmBlockFilledEvent: VmBlockFilledEvent;
    VmTransactionStateChangedEvent: VmTransactionStateChangedEvent;
    Wallet: Wallet;
    WithdrawParams: WithdrawParams;
    XchainData: XchainData;
    XchainStatusChangedEvent: XchainStatusChangedEvent;
    XchainWithdrawParams: XchainWithdrawParams;
}

export interface headers {
    /** Identifies this version of the response. Send it as `If-None-Match` to get 304 while nothing has changed. */
    ETag: string;
    /** This response was already sent for an earlier request with the same `Idempotency-Key`. */
    "Idempotent-Replayed": "true";
    /** For each limit that the request counts towards: the remaining hits (`r`), and the seconds until the window ends (`t`). */
    RateLimit: string;
    /** For each limit that the request counts towards: the allowed hits (`q`) and the length of the window in seconds (`w`). */
    "RateLimit-Policy": string;
    /** The seconds to wait before the next attempt. Missing if the service does not know them. */
    "Retry-After": number;
    /** The id of the request in the service's log. Quote it when you report a problem. */
    "X-Request-Id": string;
}
