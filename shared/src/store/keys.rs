//! The keys of all rows. No other module builds a key.
//!
//! | Row | Table | pk | sk |
//! |---|---|---|---|
//! | account | accounts | `account#<id>` | `account` |
//! | session | accounts | `account#<id>` | `session#<sid>` |
//! | SRP verifier, keystore, second factor | accounts | `credential#<account>` | `srp`, `keystore`, `totp` |
//! | passkey | accounts | `credential#<account>` | `passkey#<id>` |
//! | passkey (uniqueness) | accounts | `passkey#<id>` | `passkey` |
//! | e-mail address (uniqueness) | accounts | `email#<canonical address>` | `email` |
//! | data key, pointer to the current one | accounts | `dataKey#<kid>`, `dataKey#current` | `dataKey` |
//! | wallet (uniqueness) | accounts | `wallet#<chain>#<address>` | `wallet` |
//! | trading key (uniqueness) | accounts | `tradingKey#<x-only, hex>` | `tradingKey` |
//! | referral code (uniqueness) | accounts | `referral#<code>` | `referral` |
//! | prize (uniqueness) | activity | `prize#<number>`, `prize#inscription#<id>`, `prize#utxo#<outpoint>` | `prize` |
//! | issued transaction | activity | `transaction#<txid>` | `transaction` |
//! | coin that a signed transaction spends | activity | `spend#<outpoint>` | `spend` |
//! | cross-chain withdrawal | activity | `xchain#withdrawal#<txid>` | `xchain` |
//! | swap, one row per registering account | activity | `xchain#intent#<hash>` | `account#<account>` |
//! | account whose swap the hub has confirmed | activity | `xchain#intent#<hash>` | `verified` |
//! | swaps by their transaction on the source chain | activity | `xchain#spoke#<hash>` | `account#<account>#<chain>`, `verified#<chain>` |
//! | count of open swaps of an address | activity | `xchain#open#<address>` | `xchainOpen` |
//! | export of a history | activity | `export#<id>` | `export` |
//! | mint | activity | `mint#<id>` | `mint` |
//! | VM transaction, payout of a mint | activity | `mint#<mint>` | `vm#<txid>`, `payout#<n, 6 digits>` |
//! | unsigned VM transaction | activity | `vm#draft#<mint>#<txid>` | `vmDraft` |
//! | newest mint of a rune | activity | `mint#rune#<runeId>` | `mint` |
//! | chain of VM transactions that replace each other | activity | `vm#chain#<mint>#<anchor>` | `vmChain` |
//! | newest VM transaction of an account in a mint | activity | `vm#account#<mint>#<account>` | `vmAccount` |
//! | count of VM transactions in a state | activity | `vm#states#<runeId>` | `<state>` |
//! | count of waiting requests, in total and by address | activity | `vm#waiting#all`, `vm#waiting#address#<address>` | `<runeId>` |
//! | count of open VM transactions of an address | activity | `vm#open#<address>` | `vmOpen` |
//! | refundable VM transaction | activity | `vm#refundable#<address>` | `<runeId>#<txid>` |
//! | newest refund of an account | activity | `refund#<account>` | `refund` |
//! | fee rate of refunds | activity | `feeRate` | `feeRate` |
//! | list head, member | the list's table | `list#<name>` | `head`, `<n, 12 digits>` |
//! | token of the catalogue | activity | `token#<tokenId>` | `token` |
//! | none (read by health checks) | each | `ping` | `ping` |
//! | challenge | ephemeral | `challenge#<id>` | `challenge` |
//! | handshake (SRP, passkey) | ephemeral | `handshake#<id>` | `handshake` |
//! | mailed token of a registration | ephemeral | `emailToken#<sha256>` | `emailToken` |
//! | change of e-mail address | ephemeral | `emailChange#<account>` | `emailChange` |
//! | coin that an unsigned transaction spends | ephemeral | `reservation#<outpoint>` | `reservation` |
//! | hits of a rate limit | ephemeral | `limit#<name>#<subject>` | `limit` |
//! | known device of an account | ephemeral | `device#<account>#<sha256>` | `device` |
//! | failed proofs of an account in one hour | ephemeral | `failedProofs#<subject>` | `<hour, seconds, 12 digits>` |
//! | used sign-in message | ephemeral | `signInMessage#<sha256>` | `signInMessage` |
//! | spent refresh token | ephemeral | `refresh#<sha256>` | `refresh` |
//! | mail being sent, or sent | ephemeral | `mail#<id>` | `mail` |
//! | response to an idempotent request | ephemeral | `idempotency#<account>#<sha256 of method, route, key>` | `idempotency` |

use std::fmt;

use bitcoin::{Txid, XOnlyPublicKey};
use ordinals::RuneId;
use uuid::Uuid;

use crate::models::{
    account::AccountId,
    bitcoin::{InscriptionId, OutPoint},
    email::EmailAddress,
    export::ExportId,
    mint::MintId,
    passkey::PasskeyId,
    session::SessionId,
    token::TokenId,
    vm_transaction::{PayoutKey, VmState, VmTransactionKey},
    wallet::WalletAddress,
    xchain::{IntentHash, TokenAddress, TokenPair, TxHash, XchainKey},
};

/// One of the three tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Accounts, uniqueness records, credentials, sessions.
    Accounts,
    /// Transactions, mints, swaps, prizes and lists: what accounts do.
    Activity,
    /// Rows that expire within minutes or days.
    Ephemeral,
}

/// The key of one row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    table: Table,
    pk: String,
    sk: String,
}

impl Key {
    fn new(table: Table, pk: impl fmt::Display, sk: impl fmt::Display) -> Self {
        let key = Self { table, pk: pk.to_string(), sk: sk.to_string() };
        // DynamoDB refuses an empty key, even as the end of a range; the local database does not.
        debug_assert!(!key.pk.is_empty() && !key.sk.is_empty(), "an empty key: {key:?}");
        key
    }

    /// The key of a row as read from the table.
    pub(super) fn stored(table: Table, pk: String, sk: String) -> Self {
        Self { table, pk, sk }
    }

    /// The row's table.
    pub fn table(&self) -> Table {
        self.table
    }

    /// Partition key.
    pub fn pk(&self) -> &str {
        &self.pk
    }

    /// Sort key.
    pub fn sk(&self) -> &str {
        &self.sk
    }

    /// A row that never exists; reading it shows whether the table responds.
    pub fn ping(table: Table) -> Self {
        Self::new(table, "ping", "ping")
    }

    /// An account.
    pub fn account(id: AccountId) -> Self {
        Self::account_row(id, "account")
    }

    /// A session, in its account's partition.
    pub fn session(account: AccountId, session: SessionId) -> Self {
        Self::account_row(account, format_args!("session#{session}"))
    }

    /// The first and last possible key of an account's sessions.
    pub fn sessions(account: AccountId) -> (Self, Self) {
        (Self::account_row(account, "session#"), Self::account_row(account, "session#~"))
    }

    /// The account that has a wallet address.
    pub fn wallet(address: &WalletAddress) -> Self {
        let (chain, address) = (address.chain(), address.as_str());
        Self::new(Table::Accounts, format_args!("wallet#{chain}#{address}"), "wallet")
    }

    fn account_row(account: AccountId, sk: impl fmt::Display) -> Self {
        Self::new(Table::Accounts, format_args!("account#{account}"), sk)
    }

    /// Credentials have a partition of their own, because other functions may read the account's.
    fn credential(account: AccountId, sk: impl fmt::Display) -> Self {
        Self::new(Table::Accounts, format_args!("credential#{account}"), sk)
    }

    /// An account's SRP verifier.
    pub fn srp(account: AccountId) -> Self {
        Self::credential(account, "srp")
    }

    /// An account's keystore.
    pub fn keystore(account: AccountId) -> Self {
        Self::credential(account, "keystore")
    }

    /// An account's second factor.
    pub fn totp(account: AccountId) -> Self {
        Self::credential(account, "totp")
    }

    /// A passkey, among its account's credentials.
    pub fn passkey(account: AccountId, id: &PasskeyId) -> Self {
        Self::credential(account, format_args!("passkey#{id}"))
    }

    /// The first and last possible key of an account's passkeys.
    pub fn passkeys(account: AccountId) -> (Self, Self) {
        (Self::credential(account, "passkey#"), Self::credential(account, "passkey#~"))
    }

    /// The account that has a passkey.
    pub fn passkey_owner(id: &PasskeyId) -> Self {
        Self::new(Table::Accounts, format_args!("passkey#{id}"), "passkey")
    }

    /// The account that has an e-mail address.
    pub fn email(address: &EmailAddress) -> Self {
        Self::new(Table::Accounts, format_args!("email#{address}"), "email")
    }

    /// A wrapped data key.
    pub fn data_key(kid: &str) -> Self {
        Self::new(Table::Accounts, format_args!("dataKey#{kid}"), "dataKey")
    }

    /// The account whose trading wallet has this user key, with either parity.
    pub fn trading_key(key: XOnlyPublicKey) -> Self {
        Self::new(Table::Accounts, format_args!("tradingKey#{key}"), "tradingKey")
    }

    /// The account that has a referral code.
    pub fn referral(code: &str) -> Self {
        Self::new(Table::Accounts, format_args!("referral#{code}"), "referral")
    }

    /// Marks a prize number as taken.
    pub fn prize(number: u8) -> Self {
        Self::new(Table::Activity, format_args!("prize#{number}"), "prize")
    }

    /// Marks an inscription as a prize.
    pub fn prize_inscription(id: InscriptionId) -> Self {
        Self::new(Table::Activity, format_args!("prize#inscription#{id}"), "prize")
    }

    /// Marks an output as holding a prize.
    pub fn prize_utxo(outpoint: OutPoint) -> Self {
        Self::new(Table::Activity, format_args!("prize#utxo#{outpoint}"), "prize")
    }

    /// A token of the catalogue.
    pub fn token(id: &TokenId) -> Self {
        Self::new(Table::Activity, format_args!("token#{id}"), "token")
    }

    /// A transaction issued by the service.
    pub fn transaction(txid: Txid) -> Self {
        Self::new(Table::Activity, format_args!("transaction#{txid}"), "transaction")
    }

    /// The transaction that may spend a coin, once the platform may have signed one (custody rule 7).
    pub fn spend(coin: OutPoint) -> Self {
        Self::new(Table::Activity, format_args!("spend#{coin}"), "spend")
    }

    /// The unsigned transaction for which a coin is reserved.
    pub fn reservation(coin: OutPoint) -> Self {
        Self::new(Table::Ephemeral, format_args!("reservation#{coin}"), "reservation")
    }

    /// A withdrawal among the cross-chain transactions.
    pub fn xchain_withdrawal(txid: Txid) -> Self {
        Self::new(Table::Activity, format_args!("xchain#withdrawal#{txid}"), "xchain")
    }

    fn intent_row(intent: IntentHash, sk: impl fmt::Display) -> Self {
        Self::new(Table::Activity, format_args!("xchain#intent#{intent}"), sk)
    }

    /// A swap as registered by an account.
    pub fn xchain_swap(intent: IntentHash, account: AccountId) -> Self {
        Self::intent_row(intent, format_args!("account#{account}"))
    }

    /// The first and last possible key of an intent's swaps.
    pub fn xchain_swaps(intent: IntentHash) -> (Self, Self) {
        (Self::intent_row(intent, "account#"), Self::intent_row(intent, "account#~"))
    }

    /// The account whose swap of an intent the hub has confirmed.
    pub fn xchain_verified(intent: IntentHash) -> Self {
        Self::intent_row(intent, "verified")
    }

    /// A cross-chain transaction.
    pub fn xchain(key: XchainKey) -> Self {
        match key {
            XchainKey::Withdrawal(txid) => Self::xchain_withdrawal(txid),
            XchainKey::Swap { intent, account } => Self::xchain_swap(intent, account),
        }
    }

    /// Counts the open swaps that an address registered or that come from it.
    pub fn xchain_open(address: &str) -> Self {
        Self::new(Table::Activity, format_args!("xchain#open#{address}"), "xchainOpen")
    }

    fn spoke_row(hash: &TxHash, sk: impl fmt::Display) -> Self {
        Self::new(Table::Activity, format_args!("xchain#spoke#{}", hash.digits()), sk)
    }

    /// The swap that an account registered for a transaction on its source chain. Without an account, the
    /// swap that the hub has confirmed.
    pub fn xchain_spoke(hash: &TxHash, account: Option<AccountId>, chain: u64) -> Self {
        match account {
            Some(account) => Self::spoke_row(hash, format_args!("account#{account}#{chain}")),
            None => Self::spoke_row(hash, format_args!("verified#{chain}")),
        }
    }

    /// The first and last key of those swaps on any chain.
    pub fn xchain_spokes(hash: &TxHash, account: Option<AccountId>) -> (Self, Self) {
        let key = |end: &str| match account {
            Some(account) => Self::spoke_row(hash, format_args!("account#{account}#{end}")),
            None => Self::spoke_row(hash, format_args!("verified#{end}")),
        };
        (key(""), key("~"))
    }

    /// An export of a history.
    pub fn export(id: ExportId) -> Self {
        Self::new(Table::Activity, format_args!("export#{id}"), "export")
    }

    fn mint_row(mint: MintId, sk: impl fmt::Display) -> Self {
        Self::new(Table::Activity, format_args!("mint#{mint}"), sk)
    }

    /// A mint.
    pub fn mint(id: MintId) -> Self {
        Self::mint_row(id, "mint")
    }

    /// The newest mint of a rune.
    pub fn mint_of_rune(rune: RuneId) -> Self {
        Self::new(Table::Activity, format_args!("mint#rune#{rune}"), "mint")
    }

    /// A VM transaction, in its mint's partition.
    pub fn vm_transaction(key: VmTransactionKey) -> Self {
        Self::mint_row(key.mint_id, format_args!("vm#{}", key.txid))
    }

    /// An unsigned VM transaction, stored apart from those that determine the mint's state.
    pub fn vm_draft(key: VmTransactionKey) -> Self {
        let VmTransactionKey { mint_id, txid } = key;
        Self::new(Table::Activity, format_args!("vm#draft#{mint_id}#{txid}"), "vmDraft")
    }

    /// The first and last possible key of a mint's VM transactions.
    pub fn vm_transactions(mint: MintId) -> (Self, Self) {
        (Self::mint_row(mint, "vm#"), Self::mint_row(mint, "vm#~"))
    }

    /// A payout of a mint, in its mint's partition.
    pub fn payout(key: PayoutKey) -> Self {
        Self::mint_row(key.mint_id, format_args!("payout#{:06}", key.number))
    }

    /// The first and last possible key of a mint's payouts.
    pub fn payouts(mint: MintId) -> (Self, Self) {
        (Self::mint_row(mint, "payout#"), Self::mint_row(mint, "payout#~"))
    }

    /// The VM transactions that replace each other, identified by the coin they all spend.
    pub fn vm_chain(mint: MintId, anchor: OutPoint) -> Self {
        Self::new(Table::Activity, format_args!("vm#chain#{mint}#{anchor}"), "vmChain")
    }

    /// The newest VM transactions of an account in a mint.
    pub fn vm_account(mint: MintId, account: AccountId) -> Self {
        Self::new(Table::Activity, format_args!("vm#account#{mint}#{account}"), "vmAccount")
    }

    /// Counts the VM transactions of a rune in a state.
    pub fn vm_state_count(rune: RuneId, state: VmState) -> Self {
        Self::new(Table::Activity, format_args!("vm#states#{rune}"), state)
    }

    /// Counts the requests for a rune that wait for a virtual block, of one address or of all.
    pub fn vm_waiting(address: Option<&str>, rune: RuneId) -> Self {
        Self::waiting_row(address, rune)
    }

    /// The first and last possible key of such counts.
    pub fn vm_waiting_runes(address: Option<&str>) -> (Self, Self) {
        // Rune ids begin with a digit.
        (Self::waiting_row(address, "0"), Self::waiting_row(address, "~"))
    }

    fn waiting_row(address: Option<&str>, rune: impl fmt::Display) -> Self {
        match address {
            Some(address) => {
                Self::new(Table::Activity, format_args!("vm#waiting#address#{address}"), rune)
            }
            None => Self::new(Table::Activity, "vm#waiting#all", rune),
        }
    }

    /// Counts the open VM transactions that an address acts for.
    pub fn vm_open(address: &str) -> Self {
        Self::new(Table::Activity, format_args!("vm#open#{address}"), "vmOpen")
    }

    fn refundable_row(address: &str, sk: impl fmt::Display) -> Self {
        Self::new(Table::Activity, format_args!("vm#refundable#{address}"), sk)
    }

    /// Marks a VM transaction as refundable.
    pub fn vm_refundable(address: &str, rune: RuneId, txid: Txid) -> Self {
        Self::refundable_row(address, format_args!("{rune}#{txid}"))
    }

    /// The first and last possible key of a rune's refundable VM transactions.
    pub fn vm_refundables(address: &str, rune: RuneId) -> (Self, Self) {
        let key = |end: &str| Self::refundable_row(address, format_args!("{rune}#{end}"));
        (key(""), key("~"))
    }

    /// The newest refund of an account.
    pub fn refund(account: AccountId) -> Self {
        Self::new(Table::Activity, format_args!("refund#{account}"), "refund")
    }

    /// The fee rate of refunds.
    pub fn fee_rate() -> Self {
        Self::new(Table::Activity, "feeRate", "feeRate")
    }

    /// The state of a handshake between its two steps.
    pub fn handshake(id: Uuid) -> Self {
        Self::new(Table::Ephemeral, format_args!("handshake#{id}"), "handshake")
    }

    /// A mailed token of a registration; `hash` is hex.
    pub fn email_token(hash: &str) -> Self {
        Self::new(Table::Ephemeral, format_args!("emailToken#{hash}"), "emailToken")
    }

    /// An account's change of e-mail address.
    pub fn email_change(account: AccountId) -> Self {
        Self::new(Table::Ephemeral, format_args!("emailChange#{account}"), "emailChange")
    }

    /// The hits of a rate limit.
    pub fn limit(name: &str, subject: &str) -> Self {
        Self::new(Table::Ephemeral, format_args!("limit#{name}#{subject}"), "limit")
    }

    /// A device on which an account has signed in; `hash` is hex.
    pub fn known_device(account: AccountId, hash: &str) -> Self {
        Self::new(Table::Ephemeral, format_args!("device#{account}#{hash}"), "device")
    }

    /// Counts an account's failed proofs in the hour that starts at `hour`, seconds since the epoch.
    pub fn failed_proofs(subject: &str, hour: i64) -> Self {
        Self::failed_proofs_row(subject, format_args!("{hour:012}"))
    }

    /// The first and last possible key of such hours.
    pub fn failed_proofs_of(subject: &str) -> (Self, Self) {
        (Self::failed_proofs_row(subject, "0"), Self::failed_proofs_row(subject, "~"))
    }

    fn failed_proofs_row(subject: &str, sk: impl fmt::Display) -> Self {
        Self::new(Table::Ephemeral, format_args!("failedProofs#{subject}"), sk)
    }

    /// A wallet challenge.
    pub fn challenge(id: Uuid) -> Self {
        Self::new(Table::Ephemeral, format_args!("challenge#{id}"), "challenge")
    }

    /// Marks a sign-in message as used; `digest` is hex.
    pub fn sign_in_message(digest: &str) -> Self {
        Self::new(Table::Ephemeral, format_args!("signInMessage#{digest}"), "signInMessage")
    }

    /// Marks a refresh token as spent; `hash` is hex.
    pub fn spent_refresh_token(hash: &str) -> Self {
        Self::new(Table::Ephemeral, format_args!("refresh#{hash}"), "refresh")
    }

    /// Marks a mail as being sent or sent; `id` is given by its sender.
    pub fn mail(id: Uuid) -> Self {
        Self::new(Table::Ephemeral, format_args!("mail#{id}"), "mail")
    }

    /// The response to an idempotent request; `digest` is hex.
    pub fn idempotency(account: AccountId, digest: &str) -> Self {
        Self::new(Table::Ephemeral, format_args!("idempotency#{account}#{digest}"), "idempotency")
    }
}

/// A list: see [`super::lists`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    table: Table,
    name: String,
}

impl List {
    fn new(table: Table, name: impl fmt::Display) -> Self {
        Self { table, name: name.to_string() }
    }

    /// Every account. It is in the accounts table, so that creating an account needs no rights on another
    /// table.
    pub fn accounts() -> Self {
        Self::new(Table::Accounts, "accounts")
    }

    /// Every prize.
    pub fn prizes() -> Self {
        Self::new(Table::Activity, "prizes")
    }

    /// The audit trail of an account. It is in the accounts table, next to the rows that change.
    pub fn activity(account: AccountId) -> Self {
        Self::new(Table::Accounts, format_args!("activity#{account}"))
    }

    /// The token catalogue.
    pub fn tokens() -> Self {
        Self::new(Table::Activity, "tokens")
    }

    /// Every cross-chain transaction.
    pub fn xchain() -> Self {
        Self::new(Table::Activity, "xchain")
    }

    /// Cross-chain transactions that come from an address, go to it, or were created by it.
    pub fn xchain_by_address(address: &str) -> Self {
        Self::new(Table::Activity, format_args!("xchain#addr#{address}"))
    }

    /// Cross-chain transactions that sell or buy a token.
    pub fn xchain_by_token(token: &TokenAddress) -> Self {
        Self::new(Table::Activity, format_args!("xchain#token#{token}"))
    }

    /// Cross-chain transactions between two tokens, in either direction.
    pub fn xchain_by_pair(pair: &TokenPair) -> Self {
        let TokenPair(one, other) = pair;
        let (one, other) = (one.min(other), one.max(other));
        Self::new(Table::Activity, format_args!("xchain#pair#{one}#{other}"))
    }

    /// Cross-chain transactions of both a pair and an address.
    pub fn xchain_by_address_and_pair(address: &str, pair: &TokenPair) -> Self {
        let TokenPair(one, other) = pair;
        let (one, other) = (one.min(other), one.max(other));
        Self::new(Table::Activity, format_args!("xchain#addr#{address}#pair#{one}#{other}"))
    }

    /// Cross-chain transactions of an account.
    pub fn xchain_by_account(account: AccountId) -> Self {
        Self::new(Table::Activity, format_args!("xchain#account#{account}"))
    }

    /// Exports of an account.
    pub fn exports(account: AccountId) -> Self {
        Self::new(Table::Activity, format_args!("exports#{account}"))
    }

    /// Cross-chain transactions of both an address and a token.
    pub fn xchain_by_address_and_token(address: &str, token: &TokenAddress) -> Self {
        Self::new(Table::Activity, format_args!("xchain#addr#{address}#token#{token}"))
    }

    /// Every mint.
    pub fn mints() -> Self {
        Self::new(Table::Activity, "mints")
    }

    /// Every signed VM transaction.
    pub fn vm() -> Self {
        Self::new(Table::Activity, "vm")
    }

    /// Signed VM transactions of a rune.
    pub fn vm_by_rune(rune: RuneId) -> Self {
        Self::new(Table::Activity, format_args!("vm#rune#{rune}"))
    }

    /// Signed VM transactions of an account.
    pub fn vm_by_account(account: AccountId) -> Self {
        Self::new(Table::Activity, format_args!("vm#account#{account}"))
    }

    /// Signed refunds of an account.
    pub fn refunds_by_account(account: AccountId) -> Self {
        Self::new(Table::Activity, format_args!("refunds#{account}"))
    }

    /// Signed VM transactions paid from a trading address, for one rune or all.
    pub fn vm_by_trading_address(address: &str, rune: Option<RuneId>) -> Self {
        Self::vm_by("addr", address, rune)
    }

    /// Signed VM transactions that an address acts for, for one rune or all.
    pub fn vm_by_user_address(address: &str, rune: Option<RuneId>) -> Self {
        Self::vm_by("user", address, rune)
    }

    fn vm_by(what: &str, address: &str, rune: Option<RuneId>) -> Self {
        match rune {
            Some(rune) => {
                Self::new(Table::Activity, format_args!("vm#{what}#{address}#rune#{rune}"))
            }
            None => Self::new(Table::Activity, format_args!("vm#{what}#{address}")),
        }
    }

    /// A list without a meaning, for tests and benchmarks of lists.
    pub fn scratch(name: &str) -> Self {
        Self::new(Table::Activity, format_args!("scratch#{name}"))
    }

    /// The row with the number of members.
    pub fn head(&self) -> Key {
        Key::new(self.table, format_args!("list#{}", self.name), "head")
    }

    /// The `n`-th member, starting at 1.
    pub fn member(&self, n: u64) -> Key {
        Key::new(self.table, format_args!("list#{}", self.name), format_args!("{n:012}"))
    }
}
