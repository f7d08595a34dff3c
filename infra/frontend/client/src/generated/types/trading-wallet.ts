// Generated from infra/openapi.json by `npm run generate`.

/**
 * The caller's trading wallet: keys, balance, coins, deposits.
 *
 * @packageDocumentation
 */

import type {
    responses,
} from './errors.js';
import type {
    Envelope_Me,
    EtchedRune,
    MetaData,
    Timestamp,
    Units,
    headers,
} from './shared.js';
export type {
    AccountId,
    AuthMethod,
    Chain,
    DefaultTokens,
    EmailAddress,
    Envelope_Me,
    EtchedRune,
    InscriptionId,
    Me,
    MetaData,
    OwnedAddress,
    Role,
    Timestamp,
    TokenId,
    Units,
    Wallet,
} from './shared.js';

/** A transaction that pays the caller's trading address. */
export type AnnounceDeposit = {
    /** The transaction. */
    txId: string;
};

/** The deposits of an announced transaction. */
export type AnnouncedDeposits = {
    /**
     * One for each of its outputs to the address, at most 20; only one if the network does not know the
     *     transaction yet.
     */
    deposits: DepositRow[];
};

/** The balance of a trading wallet. */
export type Balance = {
    /**
     * Format: bitcoin-address
     *
     * The trading address.
     */
    address: string;
    btc: BtcBalance;
    coins: CoinCounts;
    /**
     * Format: int32
     *
     * The height of the chain.
     */
    height: number;
    /** When the balance was read, ms since the epoch. */
    readAt: Timestamp;
    /** Each rune that the wallet holds or receives; null if the contents of its coins could not be read. */
    runes: RuneBalance[] | null;
};

/** Sats of a trading wallet. Sats of one coin may count in several figures. */
export type BtcBalance = {
    /**
     * Format: int64
     *
     * In coins that can pay amounts and fees now: free, and without runes.
     */
    available: number;
    /**
     * Format: int64
     *
     * In confirmed coins.
     */
    confirmed: number;
    /**
     * Format: int64
     *
     * In mined coins with fewer than 100 confirmations, which cannot be spent yet by the rules of the network.
     */
    immature: number;
    incoming: Incoming;
    /**
     * Format: int64
     *
     * In coins whose delay ends within 4,032 blocks, or has ended.
     */
    needsRenewal: number;
    /**
     * Format: int64
     *
     * Confirmed and incoming, minus what is being spent.
     */
    projected: number;
    /**
     * Format: int64
     *
     * In coins that unsigned transactions reserve.
     */
    reserved: number;
    /**
     * Format: int64
     *
     * In coins that signed transactions spend, as long as the network has not seen them spent.
     */
    spending: number;
    /**
     * Format: int64
     *
     * In coins whose contents are unknown, or too many to read.
     */
    unknown: number;
    /**
     * Format: int64
     *
     * In coins with inscriptions, which the service never spends.
     */
    withInscriptions: number;
    /**
     * Format: int64
     *
     * In coins with runes.
     */
    withRunes: number;
};

/** Numbers of coins by state. */
export type CoinCounts = {
    free: number;
    ignored: number;
    immature: number;
    inscribed: number;
    /** Further coins that were not read, the least valuable ones. */
    notRead: number;
    pending: number;
    reserved: number;
    spending: number;
    unknown: number;
};

/**
 * Where a coin comes from.
 * @enum {string}
 */
export type CoinOrigin = "deposit" | "change" | "renewal" | "refund" | "mint" | "payout" | "unknown";

/**
 * Whether a coin can be spent and, if not, why.
 * @enum {string}
 */
export type CoinState = "free" | "reserved" | "spending" | "pending" | "immature" | "inscribed" | "unknown" | "ignored";

/**
 * Whether the contents of the coins could be read.
 * @enum {string}
 */
export type ContentsCheck = "complete" | "unavailable";

/** A deposit to the trading address of an account. */
export type DepositRow = {
    /**
     * Format: int32
     *
     * The height of its block; null if it has none.
     */
    blockHeight: number | null;
    /**
     * Format: int32
     *
     * The number of blocks from its own to the newest; 0 if it has none.
     */
    confirmations: number;
    confirmedAt: Timestamp | null;
    /** When it was listed, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: deposit-id
     *
     * The outpoint, `<txid>:<vout>`; for an awaited deposit, the txid.
     */
    id: string;
    more: More | null;
    /** The runes in it; null until it is in a block and indexed, and again once it is spent. */
    runes: HeldRune[] | null;
    /**
     * Format: int64
     *
     * Its sats; null until the transaction is known.
     */
    sats: number | null;
    seenAt: Timestamp | null;
    state: DepositState;
    /**
     * Format: txid
     *
     * Its transaction.
     */
    txId: string;
    /**
     * Format: int32
     *
     * Its index in the transaction; null until that is known.
     */
    vout: number | null;
};

/**
 * The state of a deposit.
 * @enum {string}
 */
export type DepositState = "awaited" | "seen" | "confirmed" | "final" | "gone";

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_AnnouncedDeposits = {
    /** @enum {string} */
    code: "1";
    data: AnnouncedDeposits;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_RecoveryKit = {
    /** @enum {string} */
    code: "1";
    data: RecoveryKit;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_TradingWalletBackup = {
    /** @enum {string} */
    code: "1";
    data: TradingWalletBackup;
    /** @enum {string} */
    message: "common.success";
};

/** A successful response: `code` is the text `1`, `message` is `common.success`. */
export type Envelope_Vec_DepositRow = {
    /** @enum {string} */
    code: "1";
    data: ListedDepositRow[];
    /** @enum {string} */
    message: "common.success";
    metaData: MetaData;
};

/** The transaction that holds a coin. */
export type HeldBy = {
    /**
     * Format: txid
     *
     * The transaction.
     */
    txId: string;
    until: Timestamp | null;
};

/** An amount of a rune. */
export type HeldRune = {
    /** In the smallest unit. */
    amount: Units;
    /**
     * Format: int32
     *
     * Decimals of displayed amounts; null in an unconfirmed coin.
     */
    divisibility: number | null;
    /**
     * Format: rune-name
     *
     * The name with spacers.
     */
    name: string;
    runeId: EtchedRune | null;
    /**
     * Format: symbol
     *
     * Null if the rune has none, or in an unconfirmed coin.
     */
    symbol: string | null;
};

/** Unconfirmed sats. */
export type Incoming = {
    /**
     * Format: int64
     *
     * Sats that others sent.
     */
    external: number;
    /**
     * Format: int64
     *
     * Change and renewals of the account's own transactions.
     */
    own: number;
};

/** A coin in a recovery kit. */
export type KitCoin = {
    /**
     * Format: int32
     *
     * The height of its block; null if it has none yet.
     */
    confirmedHeight: number | null;
    /**
     * Format: outpoint
     *
     * The outpoint, `<txid>:<vout>`.
     */
    id: string;
    /** The inscriptions on its sats; empty too if its contents are unknown. */
    inscriptions: string[];
    /** The runes in it; null if its contents are unknown. */
    runes: HeldRune[] | null;
    /**
     * Format: int64
     *
     * Its sats.
     */
    sats: number;
    /**
     * Format: int32
     *
     * The height of the first block in which the user alone can spend it; null if it has no block yet.
     */
    userOnlyFromHeight: number | null;
};

/** A coin of a trading wallet. */
export type ListedCoinRow = {
    /**
     * Format: int32
     *
     * The height of its block; null if it has none yet.
     */
    confirmedHeight?: number | null;
    /**
     * Format: int32
     *
     * Blocks until the user alone can spend it; null if it has no block yet.
     */
    expiresInBlocks?: number | null;
    heldBy?: HeldBy | null;
    /**
     * Format: outpoint
     *
     * The outpoint, `<txid>:<vout>`.
     */
    id: string;
    /** The inscriptions on its sats. */
    inscriptions?: string[];
    origin?: CoinOrigin;
    renewal?: Renewal;
    /** The runes in it; null if they are unknown. */
    runes?: HeldRune[] | null;
    /**
     * Format: int64
     *
     * Its sats.
     */
    sats?: number;
    state?: CoinState;
    /** What it can be used for now. */
    usableFor?: Use[];
    /**
     * Format: int32
     *
     * The height from which the user alone can spend it; null if it has no block yet.
     */
    userOnlyFromHeight?: number | null;
};

/** A deposit to the trading address of an account. */
export type ListedDepositRow = {
    /**
     * Format: int32
     *
     * The height of its block; null if it has none.
     */
    blockHeight?: number | null;
    /**
     * Format: int32
     *
     * The number of blocks from its own to the newest; 0 if it has none.
     */
    confirmations?: number;
    confirmedAt?: Timestamp | null;
    /** When it was listed, ms since the epoch. */
    createdAt?: Timestamp;
    /**
     * Format: deposit-id
     *
     * The outpoint, `<txid>:<vout>`; for an awaited deposit, the txid.
     */
    id: string;
    more?: More | null;
    /** The runes in it; null until it is in a block and indexed, and again once it is spent. */
    runes?: HeldRune[] | null;
    /**
     * Format: int64
     *
     * Its sats; null until the transaction is known.
     */
    sats?: number | null;
    seenAt?: Timestamp | null;
    state?: DepositState;
    /**
     * Format: txid
     *
     * Its transaction.
     */
    txId?: string;
    /**
     * Format: int32
     *
     * Its index in the transaction; null until that is known.
     */
    vout?: number | null;
};

/** The user's key in a trading wallet, and its signature of a challenge. */
export type MakeTradingWallet = {
    /**
     * Format: uuid
     *
     * From `GET /auth/wallet/challenge?purpose=tradingWallet`, requested with the caller's token for any
     *     Bitcoin address of the key: P2WPKH, P2TR, P2PKH or P2SH-P2WPKH.
     */
    challengeId: string;
    /**
     * Format: bitcoin-key
     *
     * The key in hex: 33 bytes, or 32 if the challenge is for its Taproot address. A signature for a Taproot
     *     address does not prove the key's parity, so the wallet then accepts both.
     */
    publicKey: string;
    /**
     * Format: signature
     *
     * The signature of the challenge for that address: base64, as for sign-in.
     */
    signature: string;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_BalanceMeta = MetaData & {
    /** Whether the contents of the coins could be read. If not, only sats are known. */
    checks: ContentsCheck;
};

/** The position of a response in its list, and the other fields of `metaData`. */
export type MetaDataWith_CoinsMeta = MetaData & {
    /** Whether the contents of the coins could be read. */
    checks: ContentsCheck;
    /**
     * Format: int32
     *
     * The height of the chain.
     */
    height: number;
    /** Further coins of the address that were not read, the least valuable ones. */
    notRead: number;
};

/** Outputs that are not listed. */
export type More = {
    /**
     * Format: int64
     *
     * The number of these outputs.
     */
    outputs: number;
    /**
     * Format: int64
     *
     * Their sats.
     */
    sats: number;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Balance_BalanceMeta = {
    /** @enum {string} */
    code: "1";
    data: Balance;
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_BalanceMeta;
};

/** A response with status 200 that carries further information about the result in `metaData`. */
export type OkWith_Vec_CoinRow_CoinsMeta = {
    /** @enum {string} */
    code: "1";
    data: ListedCoinRow[];
    /** @enum {string} */
    message: "common.success";
    /** Further information about the result. */
    metaData: MetaDataWith_CoinsMeta;
};

/** How the user alone spends coins of a trading wallet after the delay. */
export type Recovery = {
    /**
     * The user keys that the script accepts; one of them suffices. There are two keys if only Taproot has
     *     proved the key; the user has one of them.
     */
    keys: RecoveryKey[];
    /**
     * Format: int32
     *
     * nSequence of each input (BIP 68).
     * @example 12960
     */
    sequence: number;
    /** What to do, step by step. */
    steps: string[];
    /**
     * Format: int32
     *
     * The minimum version of the transaction (BIP 68).
     * @example 2
     */
    transactionVersion: number;
    /**
     * Format: script
     *
     * The script that locks the coins, hex.
     */
    witnessScript: string;
};

/** How to spend with one of the user's keys. */
export type RecoveryKey = {
    /** The steps as commands of Bitcoin Core 25 or later. */
    commands: string[];
    /**
     * Format: descriptor
     *
     * The descriptor to complete: replace `<PRIVATE KEY>` with the private key of `publicKey` (WIF), then
     *     add the checksum of the result.
     */
    descriptorToComplete: string;
    /**
     * Format: compressed-key
     *
     * The key, hex of 33 bytes.
     */
    publicKey: string;
    /**
     * The witness of each input, in order: an empty element in place of the platform's signature; the user's
     *     signature (DER with the sighash byte, BIP 143); an empty element for a key that the script checks
     *     earlier, if there is one; and the witness script.
     */
    witness: string[];
};

/**
 * What the owner of a trading wallet needs to spend its coins without the platform, except for the private
 *     key.
 */
export type RecoveryKit = {
    /**
     * Format: bitcoin-address
     *
     * The trading address.
     */
    address: string;
    /** The coins at that height; null if they could not be read. */
    coins: KitCoin[] | null;
    /** When this kit was created, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int32
     *
     * Confirmations that a coin needs before the user's key alone can spend it.
     * @example 12960
     */
    delayBlocks: number;
    /**
     * The script behind the address: a descriptor with its checksum (BIP 380). All other fields except for the
     *     coins follow from it and the network.
     */
    descriptor: TradingDescriptor;
    /**
     * Format: int32
     *
     * The height of the chain; null if the coins could not be read.
     */
    height: number | null;
    /**
     * Format: kind
     *
     * Always `runeport-recovery-kit`.
     * @example runeport-recovery-kit
     */
    kind: string;
    /**
     * Format: network
     *
     * The Bitcoin network: `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`.
     */
    network: string;
    /** Further coins of the address that were not read, the least valuable ones. */
    notRead: number;
    /**
     * Format: compressed-key
     *
     * The platform's key, hex of 33 bytes.
     */
    platformPublicKey: string;
    /**
     * Format: trading-key
     *
     * The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it.
     */
    publicKey: string;
    /**
     * The user's keys that the script accepts, 33 bytes each, in the order in which the script checks them.
     *     The user has one of them.
     */
    publicKeys: string[];
    /** The recovery page that was current when this kit was created. */
    tool: RecoveryTool;
    /**
     * Format: int32
     *
     * The version of this format.
     * @example 1
     */
    version: number;
    /** When the trading wallet was created, ms since the epoch. */
    walletCreatedAt: Timestamp;
    /**
     * Format: script
     *
     * The script that locks the coins, hex.
     */
    witnessScript: string;
};

/** A release of the recovery page. */
export type RecoveryTool = {
    /**
     * The SHA-256 of its file, `runeport-recovery.html`, in hex. A copy with another hash is another version
     *     or has been modified.
     */
    sha256: string;
    /**
     * Format: version
     *
     * Its version.
     */
    version: string;
};

/**
 * Whether a coin should be renewed.
 * @enum {string}
 */
export type Renewal = "none" | "advised" | "needed" | "userOnly";

/** The balance of a rune, in its smallest unit. */
export type RuneBalance = {
    /** In coins that can be spent now. */
    available: Units;
    /** In confirmed coins. */
    confirmed: Units;
    /**
     * Format: int32
     *
     * Decimals of displayed amounts; null if none of it is in a block yet.
     */
    divisibility: number | null;
    /**
     * In unconfirmed change and renewals of the account's own transactions. Amounts that others sent are known
     *     once they are in a block.
     */
    incoming: Units;
    /**
     * Format: rune-name
     *
     * The name with spacers.
     */
    name: string;
    /** In coins that unsigned transactions reserve. */
    reserved: Units;
    runeId: EtchedRune | null;
    /** In coins that signed transactions spend, as long as the network has not seen them spent. */
    spending: Units;
    /**
     * Format: symbol
     *
     * Null if the rune has none, or if none of it is in a block yet.
     */
    symbol: string | null;
};

/** @example wsh(and_v(v:pk(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798),or_d(pk(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5),older(12960))))#m4uhhjp7 */
export type TradingDescriptor = string;

/** A trading wallet, and how to spend from it without the platform. */
export type TradingWalletBackup = {
    /**
     * Format: bitcoin-address
     *
     * The two-signature Bitcoin address.
     */
    address: string;
    /** When it was created, ms since the epoch. */
    createdAt: Timestamp;
    /**
     * Format: int32
     *
     * Confirmations that a coin needs before the user's key alone can spend it.
     * @example 12960
     */
    delayBlocks: number;
    /** The script behind the address: a descriptor with its checksum (BIP 380). */
    descriptor: TradingDescriptor;
    /**
     * Format: compressed-key
     *
     * The platform's key, hex of 33 bytes.
     */
    platformPublicKey: string;
    /**
     * Format: trading-key
     *
     * The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it; the script then accepts
     *     either key with this x coordinate.
     */
    publicKey: string;
    /** How to spend without the platform. */
    recovery: Recovery;
};

/**
 * What a coin can be used for.
 * @enum {string}
 */
export type Use = "withdraw" | "renew" | "mint";

export interface schemas {
    AnnounceDeposit: AnnounceDeposit;
    AnnouncedDeposits: AnnouncedDeposits;
    Balance: Balance;
    BtcBalance: BtcBalance;
    CoinCounts: CoinCounts;
    CoinOrigin: CoinOrigin;
    CoinState: CoinState;
    ContentsCheck: ContentsCheck;
    DepositRow: DepositRow;
    DepositState: DepositState;
    Envelope_AnnouncedDeposits: Envelope_AnnouncedDeposits;
    Envelope_RecoveryKit: Envelope_RecoveryKit;
    Envelope_TradingWalletBackup: Envelope_TradingWalletBackup;
    Envelope_Vec_DepositRow: Envelope_Vec_DepositRow;
    HeldBy: HeldBy;
    HeldRune: HeldRune;
    Incoming: Incoming;
    KitCoin: KitCoin;
    ListedCoinRow: ListedCoinRow;
    ListedDepositRow: ListedDepositRow;
    MakeTradingWallet: MakeTradingWallet;
    MetaDataWith_BalanceMeta: MetaDataWith_BalanceMeta;
    MetaDataWith_CoinsMeta: MetaDataWith_CoinsMeta;
    More: More;
    OkWith_Balance_BalanceMeta: OkWith_Balance_BalanceMeta;
    OkWith_Vec_CoinRow_CoinsMeta: OkWith_Vec_CoinRow_CoinsMeta;
    Recovery: Recovery;
    RecoveryKey: RecoveryKey;
    RecoveryKit: RecoveryKit;
    RecoveryTool: RecoveryTool;
    Renewal: Renewal;
    RuneBalance: RuneBalance;
    TradingDescriptor: TradingDescriptor;
    TradingWalletBackup: TradingWalletBackup;
    Use: Use;
}

export interface paths {
    "/api/account/trading-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the caller's trading wallet and how to spend from it without the platform.
         *
         * Store the document outside the platform. It contains no secret.
         */
        get: operations["getTradingWallet"];
        put?: never;
        /**
         * Creates the trading wallet of an account that has none because it does not sign in with a Bitcoin wallet.
         *
         * A trading wallet is created only once, and its keys never change. Requires a sign-in within the last 15 minutes.
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
        /**
         * Returns the balance of the caller's trading wallet: confirmed, available now, incoming, and held back.
         *
         * Returns the balance of the caller's trading wallet: confirmed, available now, incoming, and held back.
         */
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
         *
         * Each coin shows what it holds, what prevents it from being spent, and when the user alone can spend it. The list is read from the chain and filtered and sorted as a whole.
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
         *
         * The list contains payments by others since the service began to read blocks, and announced deposits. It
         *     omits outputs with which the account's own transactions return funds to the address. The filter works on up
         *     to 5,000 deposits.
         */
        get: operations["listDeposits"];
        put?: never;
        /**
         * Announces a transaction that pays the caller's trading address, so its deposits are listed before they confirm.
         *
         * The response contains the deposits: `seen`, or `confirmed` if the service has read their block. If the
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
         *
         * The kit contains everything needed to spend the coins of the trading wallet without the platform after their delay, except for the private key. Store it outside the platform. It contains no secret. If the chain cannot be read, the kit has no coins and is still complete: the recovery page finds them.
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
}

export interface operations {
    getTradingWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The wallet */
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
                    "application/json": Envelope_TradingWalletBackup;
                };
            };
            401: responses["listAccounts401"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    createTradingWallet: {
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
                 *       "challengeId": "f2b98db0-509d-8c63-5829-07b5d4429529",
                 *       "publicKey": "03a0c467ffd2a57f3135a4f3b240f1ddeb0cf864af190616128e275fcc82c052ac",
                 *       "signature": "smpAkgwRQIhAJgTsxXheOoKAmDBEKWDuU97we/KEGKK/MTj0o2saFOAAiBdaSjM3qEZVJI79ugy7lgahclo192PeVucmzLG6dm4agEhA6DEZ//SpX8xNaTzskDx3esM+GSvGQYWEo4nX8yCwFKs"
                 *     }
                 */
                "application/json": MakeTradingWallet;
            };
        };
        responses: {
            /** The account */
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
                    "application/json": Envelope_Me;
                };
            };
            400: responses["createTradingWallet400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011_4024"];
            409: responses["createTradingWallet409"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            500: responses["Internal"];
            503: responses["Unavailable"];
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
            /** The balance */
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
                    "application/json": OkWith_Balance_BalanceMeta;
                };
            };
            401: responses["listAccounts401"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    listCoins: {
        parameters: {
            query?: {
                /** Page number, from 1. */
                page?: number;
                /**
                 * Items per page. Values above 100 count as 100.
                 * @example 100
                 */
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
                /** Only coins in one of these states. */
                state_eq?: CoinState[];
                /** Only coins with one of these values of `renewal`. */
                renewal_eq?: Renewal[];
                /** Only coins with this rune. */
                runeId_eq?: EtchedRune;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of coins */
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
                    "application/json": OkWith_Vec_CoinRow_CoinsMeta;
                };
            };
            400: responses["listCoins400"];
            401: responses["listAccounts401"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    listDeposits: {
        parameters: {
            query?: {
                /** Page number, from 1. */
                page?: number;
                /**
                 * Items per page. Values above 100 count as 100.
                 * @example 100
                 */
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
                /** Only deposits in one of these states. */
                state_eq?: DepositState[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of deposits */
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
                    "application/json": Envelope_Vec_DepositRow;
                };
            };
            400: responses["listDeposits400"];
            401: responses["Unauthorized"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
    announceDeposit: {
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
                 *       "txId": "34e35674daed064dfe03b4ecb80ca0cc89da2d7e92c9dc127c013d53048179cb"
                 *     }
                 */
                "application/json": AnnounceDeposit;
            };
        };
        responses: {
            /** The deposits of the transaction */
            201: {
                headers: {
                    "Idempotent-Replayed": headers["Idempotent-Replayed"];
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
                    "application/json": Envelope_AnnouncedDeposits;
                };
            };
            400: responses["announceDeposit400"];
            401: responses["Error401_4002_4003_4004_4006_4010_4011"];
            404: responses["announceDeposit404"];
            409: responses["Error409_1010_1011"];
            413: responses["PayloadTooLarge"];
            415: responses["UnsupportedMediaType"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            502: responses["Error502_2003"];
            503: responses["Error503_1009_2022"];
        };
    };
    getRecoveryKit: {
        parameters: {
            query?: {
                /**
                 * With `1`, the browser saves the response as a file.
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
            /** The kit */
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
                    "application/json": Envelope_RecoveryKit;
                };
            };
            400: responses["getRecoveryKit400"];
            401: responses["listAccounts401"];
            404: responses["Error404_3026"];
            413: responses["PayloadTooLarge"];
            429: responses["Error429_1013"];
            500: responses["Internal"];
            503: responses["Unavailable"];
        };
    };
}
