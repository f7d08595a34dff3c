// Generated from infra/openapi.json by `npm run generate`.

/**
 * Funding of an account at the perpetuals venue.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    MetaData,
    VenueChain,
    headers,
} from './shared.js';
export type {
    MetaData,
    VenueChain,
} from './shared.js';

/** The approval to sign. */
export type ApproveBuilderFee = {
    /** The action that the wallet signs. */
    action: ApproveBuilderFeeAction;
    /**
     * Format: kind
     *
     * Always `approve_builder_fee`.
     * @example approve_builder_fee
     */
    kind: string;
    /** What the wallet signs for the action. */
    signing: Signing;
};

/** A user-signed action of the venue. */
export type ApproveBuilderFeeAction = {
    /**
     * Format: evm-address
     *
     * Address of the builder that earns the fee, in lowercase.
     * @example 0x00000000000000000000000000000000000000aa
     */
    builder: string;
    /** The highest fee that the wallet approves: `0.05%` is a `maxBuilderFee` of 50. */
    maxFeeRate: BuilderFee;
    /**
     * Format: chain-id
     *
     * The chain id that the signature covers, 0x and hex.
     * @example 0x3e7
     */
    signatureChainId: string;
    /**
     * Format: venue-action
     *
     * Always `approveBuilderFee`.
     * @example approveBuilderFee
     */
    type: string;
    /** The network. The venue calls this key `hyperliquidChain`. */
    venueChain: VenueChain;
};

/** @example 0.05% */
export type BuilderFee = string;

/**
 * Whether every check could run.
 * @enum {string}
 */
export type Checks = "complete" | "unavailable";

/** A deposit to sign and send. */
export type Deposit = {
    /** In USDC, without trailing zeros. */
    amount: Usdc;
    /**
     * Format: evm-address-with-checksum
     *
     * The contract that accepts deposits, with its EIP-55 checksum. Call it and never transfer to it: USDC
     *     sent by a plain transfer is lost.
     * @example 0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24
     */
    depositContract: string;
    /**
     * Format: evm-address-with-checksum
     *
     * The wallet that deposits, with its EIP-55 checksum.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    from: string;
    /**
     * Format: uri
     *
     * JSON-RPC endpoint of the venue's EVM chain.
     */
    rpcUrl: string;
    /**
     * The approval of exactly the amount, then the deposit that uses it up. Every deposit sends both in this
     *     order, with consecutive nonces.
     */
    txs: EvmTransaction[];
    /**
     * Format: evm-address-with-checksum
     *
     * The USDC contract on the venue's EVM chain, with its EIP-55 checksum.
     * @example 0xb88339CB7199b77E23DB6E890353E22632Ba630f
     */
    usdcToken: string;
};

/** A transaction without nonce, gas and signature; the sender adds them. */
export type EvmTransaction = {
    /**
     * Format: int64
     *
     * The chain on which it is valid (EIP-155).
     * @example 999
     */
    chainId: number;
    /** Call data, 0x and hex. */
    data: string;
    /**
     * Format: evm-address-with-checksum
     *
     * The contract to call, with its EIP-55 checksum.
     */
    to: string;
    /**
     * Format: wei
     *
     * Wei sent along: always `0x0`.
     * @example 0x0
     */
    value: string;
};

/**
 * Format: evm-address
 * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
 */
export type EvmWallet = string;

/**
 * A step that the wallet has to take before it can trade.
 * @enum {string}
 */
export type Gate = "builderFeeNotApproved";

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_VenueMetaData = MetaData & {
    /** Whether every check could run; missing if the request names no wallet. */
    checks?: Checks;
    /**
     * Steps that the wallet has to take before it can trade. An empty list means none only if `checks` is
     *     `complete`. Gates never stop a deposit or a withdrawal.
     */
    gates: Gate[];
    /** What the owner should know before signing. */
    warnings: VenueWarning[];
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_VenueStatusMetaData = MetaData & {
    /** Whether every question was answered. */
    checks: Checks;
    /** What the owner should know about the balances. */
    warnings: VenueWarning[];
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_ApproveBuilderFee_VenueMetaData = {
    /** @enum {string} */
    code: "1";
    data: ApproveBuilderFee;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_VenueMetaData;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Deposit_VenueMetaData = {
    /** @enum {string} */
    code: "1";
    data: Deposit;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_VenueMetaData;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Option_SetReferrer_VenueMetaData = {
    /** @enum {string} */
    code: "1";
    data: null | SetReferrer;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_VenueMetaData;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_VenueStatus_VenueStatusMetaData = {
    /** @enum {string} */
    code: "1";
    data: VenueStatus;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_VenueStatusMetaData;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Withdraw_VenueMetaData = {
    /** @enum {string} */
    code: "1";
    data: Withdraw;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_VenueMetaData;
};

/**
 * Name of the type that is signed.
 * @example HyperliquidTransaction:SendAsset
 */
export type PrimaryType = string;

/** @example RUNEPORT */
export type ReferralCode = string;

/** Request body of the builder-fee approval. */
export type RequestApproval = {
    userAddress?: EvmWallet | null;
};

/** Request body of the referral. */
export type RequestReferral = {
    /** The EVM wallet that signs. */
    userAddress: EvmWallet;
};

/** A user-signed action of the venue. */
export type SendAssetAction = {
    /** In USDC, without trailing zeros. */
    amount: Usdc;
    /**
     * Format: evm-address
     *
     * The venue's system address of USDC: the venue credits the sender of such a transfer, and only the
     *     sender, on its EVM chain.
     * @example 0x2000000000000000000000000000000000000000
     */
    destination: string;
    /**
     * Format: venue-account
     *
     * Always `spot`.
     * @example spot
     */
    destinationDex: string;
    /**
     * Format: venue-account
     *
     * Always empty: no sub-account.
     * @example
     */
    fromSubAccount: string;
    /**
     * Format: chain-id
     *
     * The chain id that the signature covers, 0x and hex.
     * @example 0x3e7
     */
    signatureChainId: string;
    /**
     * Format: venue-account
     *
     * The balance that pays. Empty means the perpetuals balance. `spot` is used for an account with a single
     *     unified balance, and for any other account if only its spot balance holds enough. If the venue does
     *     not answer, it is empty.
     * @example
     */
    sourceDex: string;
    /** The venue's name of USDC. */
    token: UsdcToken;
    /**
     * Format: venue-action
     *
     * Always `sendAsset`.
     * @example sendAsset
     */
    type: string;
    /** The network. The venue calls this key `hyperliquidChain`. */
    venueChain: VenueChain;
};

/** The referral to sign. */
export type SetReferrer = {
    /** The action that the wallet signs. */
    action: SetReferrerAction;
    /**
     * Format: kind
     *
     * Always `set_referrer`.
     * @example set_referrer
     */
    kind: string;
    /** What the wallet signs for the action. */
    signing: Signing;
};

/** An L1 action of the venue. The venue hashes its MessagePack form, so the order of the keys is fixed. */
export type SetReferrerAction = {
    /** The referral code, 1 to 20 characters. */
    code: ReferralCode;
    /**
     * Format: venue-action
     *
     * Always `setReferrer`.
     * @example setReferrer
     */
    type: string;
};

/** What the wallet signs for an action. */
export type Signing = {
    /** The digest that the wallet signs if it uses this nonce, 0x and hex. */
    digest: string;
    /** The domain. */
    domain: SigningDomain;
    /**
     * Format: int64
     *
     * A nonce to sign with: the service's time in ms.
     * @example 1700000000000
     */
    nonce: number;
    primaryType: PrimaryType;
    /** How the venue hashes the action. */
    scheme: SigningScheme;
    /** The fields of the primary type, in order, under its name. */
    types: {
        [key: string]: TypedField[];
    };
};

/** The domain of the typed data (EIP-712). */
export type SigningDomain = {
    /**
     * Format: int64
     *
     * Chain id of the domain: that of the action, or 1337 for an L1 action.
     * @example 999
     */
    chainId: number;
    /**
     * Name of the domain.
     * @example HyperliquidSignTransaction
     */
    name: string;
    /**
     * Always the zero address.
     * @example 0x0000000000000000000000000000000000000000
     */
    verifyingContract: string;
    /**
     * Version of the domain.
     * @example 1
     */
    version: string;
};

/**
 * How the venue hashes an action.
 * @enum {string}
 */
export type SigningScheme = "userSignedAction" | "l1Action";

/** A field of the typed data. */
export type TypedField = {
    /**
     * Its name.
     * @example amount
     */
    name: string;
    /**
     * Its Solidity type.
     * @example string
     */
    type: string;
};

/** @example 12.5 */
export type Usdc = string;

/** @example 12.5 */
export type UsdcAmount = string;

/** @example USDC:0x6d1e7cde53ba9467b783cb7c530ce054 */
export type UsdcToken = string;

/** The referrer of a wallet. */
export type VenueReferrer = {
    /**
     * Format: evm-address
     *
     * The referrer's address, in lowercase.
     */
    address: string;
    /**
     * Format: referral-code
     *
     * The referral code that was set.
     */
    code: string;
};

/**
 * State of a wallet at the venue. If the venue or its chain did not answer, the affected fields are null and
 *     `metaData.checks` is `unavailable`.
 */
export type VenueStatus = {
    allowance: Usdc | null;
    cumulativeVolumeUsd: Usdc | null;
    /**
     * Steps that the wallet has to take before it can trade. An empty list means none only if
     *     `metaData.checks` is `complete`.
     */
    gates: Gate[];
    /**
     * Format: int64
     *
     * The builder fee that the wallet has approved, in tenths of a basis point: 50 is 0.05%.
     * @example 50
     */
    maxBuilderFee: number | null;
    referrer: VenueReferrer | null;
    usdcBalance: Usdc | null;
    venueBalance: Usdc | null;
};

/** Request body of a deposit or withdrawal. */
export type VenueTransfer = {
    /** In USDC: digits with at most 6 decimals; more than 0. */
    amount: UsdcAmount;
    /**
     * The EVM wallet that signs and owns the position. A deposit leaves from its address on the venue's EVM
     *     chain; a withdrawal arrives there.
     */
    userAddress: EvmWallet;
};

/** Something the wallet's owner should know before signing. */
export type VenueWarning = {
    /** The amount in USDC; missing if the warning concerns no amount. */
    amount?: Usdc;
    kind: VenueWarningKind;
    /**
     * Format: prose
     *
     * The warning as one English sentence.
     */
    message: string;
};

/**
 * The subject of a warning.
 * @enum {string}
 */
export type VenueWarningKind = "lowGas" | "activationFee" | "netCredited" | "creditedToSpot" | "transferFee" | "transferGas" | "escrowed" | "sanctioned" | "ownReferralCode";

/** A withdrawal to sign. */
export type Withdraw = {
    /** The action that the wallet signs. */
    action: SendAssetAction;
    /**
     * Format: kind
     *
     * Always `withdraw`.
     * @example withdraw
     */
    kind: string;
    /** What the wallet signs for the action. */
    signing: Signing;
};

export interface schemas {
    ApproveBuilderFee: ApproveBuilderFee;
    ApproveBuilderFeeAction: ApproveBuilderFeeAction;
    BuilderFee: BuilderFee;
    Checks: Checks;
    Deposit: Deposit;
    EvmTransaction: EvmTransaction;
    EvmWallet: EvmWallet;
    Gate: Gate;
    MetaDataWith_VenueMetaData: MetaDataWith_VenueMetaData;
    MetaDataWith_VenueStatusMetaData: MetaDataWith_VenueStatusMetaData;
    OkWith_ApproveBuilderFee_VenueMetaData: OkWith_ApproveBuilderFee_VenueMetaData;
    OkWith_Deposit_VenueMetaData: OkWith_Deposit_VenueMetaData;
    OkWith_Option_SetReferrer_VenueMetaData: OkWith_Option_SetReferrer_VenueMetaData;
    OkWith_VenueStatus_VenueStatusMetaData: OkWith_VenueStatus_VenueStatusMetaData;
    OkWith_Withdraw_VenueMetaData: OkWith_Withdraw_VenueMetaData;
    PrimaryType: PrimaryType;
    ReferralCode: ReferralCode;
    RequestApproval: RequestApproval;
    RequestReferral: RequestReferral;
    SendAssetAction: SendAssetAction;
    SetReferrer: SetReferrer;
    SetReferrerAction: SetReferrerAction;
    Signing: Signing;
    SigningDomain: SigningDomain;
    SigningScheme: SigningScheme;
    TypedField: TypedField;
    Usdc: Usdc;
    UsdcAmount: UsdcAmount;
    UsdcToken: UsdcToken;
    VenueReferrer: VenueReferrer;
    VenueStatus: VenueStatus;
    VenueTransfer: VenueTransfer;
    VenueWarning: VenueWarning;
    VenueWarningKind: VenueWarningKind;
    Withdraw: Withdraw;
}

export interface paths {
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
         *
         * A wallet signs the action once, after its first deposit; before the deposit, the venue refuses it.
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
         *
         * The address is on the venue's EVM chain.
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
         *
         * The action is null if no code is configured, if the wallet already has a referrer, or if the wallet has traded 10,000 USD, from which point the venue accepts no referrer.
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
         *
         * The venue's answers about a wallet are cached for 5 seconds.
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
         *
         * The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs with the venue's
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
}

export interface operations {
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
                "application/json": RequestApproval;
            };
        };
        responses: {
            /** The action */
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
                    "application/json": OkWith_ApproveBuilderFee_VenueMetaData;
                };
            };
            400: responses["buildVenueBuilderFeeApproval400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
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
                "application/json": VenueTransfer;
            };
        };
        responses: {
            /** The transactions, in the order to send them */
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
                    "application/json": OkWith_Deposit_VenueMetaData;
                };
            };
            400: responses["buildVenueDeposit400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Error503_1009_9001"];
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
                "application/json": RequestReferral;
            };
        };
        responses: {
            /** The action, or null */
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
                    "application/json": OkWith_Option_SetReferrer_VenueMetaData;
                };
            };
            400: responses["buildVenueReferral400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    getVenueStatus: {
        parameters: {
            query: {
                /**
                 * An EVM wallet.
                 * @example 0xdD62b5A1857c32a3140C7c962ecbE622Aa61ABAa
                 */
                userAddress: EvmWallet;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** State of the wallet */
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
                    "application/json": OkWith_VenueStatus_VenueStatusMetaData;
                };
            };
            400: responses["getVenueStatus400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
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
                "application/json": VenueTransfer;
            };
        };
        responses: {
            /** The action */
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
                    "application/json": OkWith_Withdraw_VenueMetaData;
                };
            };
            400: responses["buildVenueWithdrawal400"];
            401: responses["listAccounts401"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Error503_1009_9001"];
        };
    };
}
