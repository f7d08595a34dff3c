//! The keys of all rows, except those of the chain, which are in the crate `chain`. No other module of this
//! crate builds a key.
//!
//! | Row | Table | pk | sk |
//! |---|---|---|---|
//! | account | accounts | `account#<id>` | `account` |
//! | session | accounts | `account#<id>` | `session#<sid>` |
//! | SRP verifier, keystore, second factor | accounts | `credential#<account>` | `srp`, `keystore`, `totp` |
//! | passkey | accounts | `credential#<account>` | `passkey#<id>` |
//! | passkey (uniqueness) | accounts | `passkey#<id>` | `passkey` |
//! | e-mail address (uniqueness) | accounts | `email#<canonical address>` | `email` |
//! | data key of a ring, pointer to the current one | accounts | `dataKey#<kid>`, `dataKey#webhooks#<kid>`; `dataKey#current`, `dataKey#webhooks#current` | `dataKey` |
//! | wallet (uniqueness) | accounts | `wallet#<chain>#<address>` | `wallet` |
//! | trading key (uniqueness) | accounts | `tradingKey#<x-only, hex>` | `tradingKey` |
//! | trading address | accounts | `tradingAddress#<address>` | `tradingAddress` |
//! | referral code (uniqueness) | accounts | `referral#<code>` | `referral` |
//! | prize (uniqueness) | activity | `prize#<number>`, `prize#inscription#<id>`, `prize#utxo#<outpoint>` | `prize` |
//! | count of an account's open swaps of an address | activity | `xchain#open#<account>#<address>` | `xchainOpen` |
//! | count of open VM transactions of an address | activity | `vm#open#<address>` | `vmOpen` |
//! | export of a history | activity | `export#<id>` | `export` |
//! | events of an account or a mint: the open row; closed rows, by the number of their last event | activity | `events#account#<account>`, `events#mint#<mint>` | `open`; `<n, 12 digits>` |
//! | number of deployment-wide webhooks | activity | `events#deployment` | `open` |
//! | webhook of an account; deployment-wide webhook | activity | `webhooks#<account>`, `webhooks#deployment` | `<id>` |
//! | lane of a deployment-wide webhook; account with unsent events; account whose next event is tried later; cursor of an account | activity | `webhook#<id>#<0..7>` | `lane`; `pending#<account>`; `later#<ms, 15 digits>#<account>`; `cursor#<account>` |
//! | request of a webhook's owner; entry of its log | activity | `webhook#<id>` | `ask#<ms, 15 digits>#<8 random bytes, hex>`; `sent#<ms, 15 digits>#<n, 12 digits>` |
//! | what an admin read of others, twice: by the admin, by the account | accounts | `reads#admin#<account>`, `reads#account#<account>` | `<ms, 15 digits>-<8 random bytes, hex>` |
//! | list head, members | the list's table | `list#<name>` | `head`, `<n of the last one, 12 digits>` |
//! | ticket, baton of a log's tail | the log's table | `tail#<log>#<0..3>`, `tail#<log>` | `<ms, 15 digits>#<8 random bytes, hex>`, `baton` |
//! | token of the catalogue | activity | `token#<tokenId>` | `token` |
//! | no row (health checks read this key) | each | `ping` | `ping` |
//! | challenge | ephemeral | `challenge#<id>` | `challenge` |
//! | handshake (SRP, passkey) | ephemeral | `handshake#<id>` | `handshake` |
//! | mailed token of a registration | ephemeral | `emailToken#<sha256>` | `emailToken` |
//! | change of e-mail address | ephemeral | `emailChange#<account>` | `emailChange` |
//! | hits of a rate limit | ephemeral | `limit#<name>#<subject>` | `limit` |
//! | known device of an account | ephemeral | `device#<account>#<sha256>` | `device` |
//! | failed proofs of an account in one hour | ephemeral | `failedProofs#<subject>` | `<hour, seconds, 12 digits>` |
//! | used sign-in message | ephemeral | `signInMessage#<sha256>` | `signInMessage` |
//! | spent refresh token | ephemeral | `refresh#<sha256>` | `refresh` |
//! | mail being sent, or sent | ephemeral | `mail#<id>` | `mail` |
//! | ticket of a socket | ephemeral | `ticket#<sha256>` | `ticket` |
//! | socket | ephemeral | `socket#<connection>` | `socket` |
//! | reader of a list of events | ephemeral | `readers#account#<account>`, `readers#mint#<mint>` | `<connection>`; of an account's list `<0 to 19, 2 digits>` |
//! | response to an idempotent request | ephemeral | `idempotency#<account>#<sha256 of method, route, key>` | `idempotency` |

pub mod lists;

use std::fmt;

use base::clock::Timestamp;
use bitcoin::XOnlyPublicKey;
use store::Key;
use uuid::Uuid;

use crate::{
    models::{
        account::AccountId,
        bitcoin::{InscriptionId, OutPoint},
        email::EmailAddress,
        export::ExportId,
        passkey::PasskeyId,
        session::SessionId,
        token::TokenId,
        wallet::WalletAddress,
        webhook::WebhookId,
    },
    tables::{ACCOUNTS, ACTIVITY, EPHEMERAL},
};

/// An account.
pub fn account(id: AccountId) -> Key {
    account_row(id, "account")
}

/// A session, in its account's partition.
pub fn session(account: AccountId, session: SessionId) -> Key {
    account_row(account, format_args!("session#{session}"))
}

/// The first and last possible key of an account's sessions.
pub fn sessions(account: AccountId) -> (Key, Key) {
    (account_row(account, "session#"), account_row(account, "session#~"))
}

/// The account that has a wallet address.
pub fn wallet(address: &WalletAddress) -> Key {
    let (chain, address) = (address.chain(), address.as_str());
    Key::new(ACCOUNTS, format_args!("wallet#{chain}#{address}"), "wallet")
}

fn account_row(account: AccountId, sk: impl fmt::Display) -> Key {
    Key::new(ACCOUNTS, format_args!("account#{account}"), sk)
}

/// Credentials have a partition of their own, because more functions may read the account's partition.
fn credential(account: AccountId, sk: impl fmt::Display) -> Key {
    Key::new(ACCOUNTS, format_args!("credential#{account}"), sk)
}

/// An account's SRP verifier.
pub fn srp(account: AccountId) -> Key {
    credential(account, "srp")
}

/// An account's keystore.
pub fn keystore(account: AccountId) -> Key {
    credential(account, "keystore")
}

/// An account's second factor.
pub fn totp(account: AccountId) -> Key {
    credential(account, "totp")
}

/// A passkey, among its account's credentials.
pub fn passkey(account: AccountId, id: &PasskeyId) -> Key {
    credential(account, format_args!("passkey#{id}"))
}

/// The first and last possible key of an account's passkeys.
pub fn passkeys(account: AccountId) -> (Key, Key) {
    (credential(account, "passkey#"), credential(account, "passkey#~"))
}

/// The account that has a passkey.
pub fn passkey_owner(id: &PasskeyId) -> Key {
    Key::new(ACCOUNTS, format_args!("passkey#{id}"), "passkey")
}

/// The account that has an e-mail address.
pub fn email(address: &EmailAddress) -> Key {
    Key::new(ACCOUNTS, format_args!("email#{address}"), "email")
}

/// A wrapped data key.
pub fn data_key(kid: &str) -> Key {
    Key::new(ACCOUNTS, format_args!("dataKey#{kid}"), "dataKey")
}

/// The account whose trading wallet has this user key, with either parity.
pub fn trading_key(key: XOnlyPublicKey) -> Key {
    Key::new(ACCOUNTS, format_args!("tradingKey#{key}"), "tradingKey")
}

/// The account that has a trading address.
pub fn trading_address(address: &str) -> Key {
    Key::new(ACCOUNTS, format_args!("tradingAddress#{address}"), "tradingAddress")
}

/// The account that has a referral code.
pub fn referral(code: &str) -> Key {
    Key::new(ACCOUNTS, format_args!("referral#{code}"), "referral")
}

/// What an admin has read of other accounts; `place` sorts in the order of time.
pub fn read_by(admin: AccountId, place: impl fmt::Display) -> Key {
    Key::new(ACCOUNTS, format_args!("reads#admin#{admin}"), place)
}

/// What admins have read of an account; `place` sorts in the order of time.
pub fn read_of(account: AccountId, place: impl fmt::Display) -> Key {
    Key::new(ACCOUNTS, format_args!("reads#account#{account}"), place)
}

/// Marks a prize number as taken.
pub fn prize(number: u8) -> Key {
    Key::new(ACTIVITY, format_args!("prize#{number}"), "prize")
}

/// Marks an inscription as a prize.
pub fn prize_inscription(id: InscriptionId) -> Key {
    Key::new(ACTIVITY, format_args!("prize#inscription#{id}"), "prize")
}

/// Marks an output as holding a prize.
pub fn prize_utxo(outpoint: OutPoint) -> Key {
    Key::new(ACTIVITY, format_args!("prize#utxo#{outpoint}"), "prize")
}

/// A token of the catalogue.
pub fn token(id: &TokenId) -> Key {
    Key::new(ACTIVITY, format_args!("token#{id}"), "token")
}

/// Counts the open swaps that an account registered and that an address started or sends from.
pub fn xchain_open(account: AccountId, address: &str) -> Key {
    Key::new(ACTIVITY, format_args!("xchain#open#{account}#{address}"), "xchainOpen")
}

/// Counts the open VM transactions that an address acts for.
pub fn vm_open(address: &str) -> Key {
    Key::new(ACTIVITY, format_args!("vm#open#{address}"), "vmOpen")
}

/// An export of a history.
pub fn export(id: ExportId) -> Key {
    Key::new(ACTIVITY, format_args!("export#{id}"), "export")
}

/// A webhook of an account.
pub fn webhook(account: AccountId, id: WebhookId) -> Key {
    Key::new(ACTIVITY, format_args!("webhooks#{account}"), id)
}

/// A deployment-wide webhook.
pub fn deployment_webhook(id: WebhookId) -> Key {
    Key::new(ACTIVITY, "webhooks#deployment", id)
}

/// The webhook whose row this is, and its account unless it is deployment-wide.
pub fn as_webhook(key: &Key) -> Option<(Option<AccountId>, WebhookId)> {
    let account = match key.pk().strip_prefix("webhooks#")? {
        "deployment" => None,
        account => Some(account.parse().ok()?),
    };
    Some((account, key.sk().parse().ok()?))
}

/// The first and last possible key of the deployment-wide webhooks.
pub fn deployment_webhooks() -> (Key, Key) {
    let key = |sk| Key::new(ACTIVITY, "webhooks#deployment", sk);
    (key("0"), key("~"))
}

/// A lane of a deployment-wide webhook.
pub fn webhook_lane(id: WebhookId, lane: u8) -> Key {
    lane_part(id, lane, "lane")
}

/// The lane whose row this is.
pub fn as_webhook_lane(key: &Key) -> Option<(WebhookId, u8)> {
    let (id, lane) = key.pk().strip_prefix("webhook#")?.split_once('#')?;
    (key.sk() == "lane").then_some(())?;
    Some((id.parse().ok()?, lane.parse().ok()?))
}

/// Marks an account with events that the lane has not sent.
pub fn lane_pending(id: WebhookId, lane: u8, account: AccountId) -> Key {
    lane_part(id, lane, format_args!("pending#{account}"))
}

/// The lane and the account that this row marks.
pub fn as_lane_pending(key: &Key) -> Option<(WebhookId, u8, AccountId)> {
    let (id, lane) = key.pk().strip_prefix("webhook#")?.split_once('#')?;
    let account = key.sk().strip_prefix("pending#")?;
    Some((id.parse().ok()?, lane.parse().ok()?, account.parse().ok()?))
}

/// The first and last possible key of such marks.
pub fn lane_pendings(id: WebhookId, lane: u8) -> (Key, Key) {
    (lane_part(id, lane, "pending#"), lane_part(id, lane, "pending#~"))
}

/// An account whose next event is tried again at `at`.
pub fn lane_later(id: WebhookId, lane: u8, at: Timestamp, account: AccountId) -> Key {
    lane_part(id, lane, format_args!("later#{:015}#{account}", at.0))
}

/// The first and last possible key of such rows.
pub fn lane_laters(id: WebhookId, lane: u8) -> (Key, Key) {
    (lane_part(id, lane, "later#"), lane_part(id, lane, "later#~"))
}

/// How far a deployment-wide webhook has read the events of an account.
pub fn lane_cursor(id: WebhookId, lane: u8, account: AccountId) -> Key {
    lane_part(id, lane, format_args!("cursor#{account}"))
}

fn lane_part(id: WebhookId, lane: u8, sk: impl fmt::Display) -> Key {
    Key::new(ACTIVITY, format_args!("webhook#{id}#{lane}"), sk)
}

/// The first and last possible key of an account's webhooks.
pub fn webhooks(account: AccountId) -> (Key, Key) {
    let key = |sk| Key::new(ACTIVITY, format_args!("webhooks#{account}"), sk);
    (key("0"), key("~"))
}

/// A request of a webhook's owner, made at `at`; `random` is hex.
pub fn webhook_ask(id: WebhookId, at: Timestamp, random: &str) -> Key {
    webhook_part(id, format_args!("ask#{:015}#{random}", at.0))
}

/// The first and last possible key of such requests.
pub fn webhook_asks(id: WebhookId) -> (Key, Key) {
    (webhook_part(id, "ask#"), webhook_part(id, "ask#~"))
}

/// An entry in the log of a webhook; `place` is the time in ms, 15 digits, `#`, and a number, 12 digits.
pub fn webhook_sent(id: WebhookId, place: &str) -> Key {
    webhook_part(id, format_args!("sent#{place}"))
}

fn webhook_part(id: WebhookId, sk: impl fmt::Display) -> Key {
    Key::new(ACTIVITY, format_args!("webhook#{id}"), sk)
}

/// The state of a handshake between its two steps.
pub fn handshake(id: Uuid) -> Key {
    Key::new(EPHEMERAL, format_args!("handshake#{id}"), "handshake")
}

/// A mailed token of a registration; `hash` is hex.
pub fn email_token(hash: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("emailToken#{hash}"), "emailToken")
}

/// An account's change of e-mail address.
pub fn email_change(account: AccountId) -> Key {
    Key::new(EPHEMERAL, format_args!("emailChange#{account}"), "emailChange")
}

/// The hits of a rate limit.
pub fn limit(name: &str, subject: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("limit#{name}#{subject}"), "limit")
}

/// A device on which an account has signed in; `hash` is hex.
pub fn known_device(account: AccountId, hash: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("device#{account}#{hash}"), "device")
}

/// Counts an account's failed proofs in the hour that starts at `hour`, seconds since the epoch.
pub fn failed_proofs(subject: &str, hour: i64) -> Key {
    failed_proofs_row(subject, format_args!("{hour:012}"))
}

/// The first and last possible key of such hours.
pub fn failed_proofs_of(subject: &str) -> (Key, Key) {
    (failed_proofs_row(subject, "0"), failed_proofs_row(subject, "~"))
}

fn failed_proofs_row(subject: &str, sk: impl fmt::Display) -> Key {
    Key::new(EPHEMERAL, format_args!("failedProofs#{subject}"), sk)
}

/// A wallet challenge.
pub fn challenge(id: Uuid) -> Key {
    Key::new(EPHEMERAL, format_args!("challenge#{id}"), "challenge")
}

/// Marks a sign-in message as used; `digest` is hex.
pub fn sign_in_message(digest: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("signInMessage#{digest}"), "signInMessage")
}

/// Marks a refresh token as spent; `hash` is hex.
pub fn spent_refresh_token(hash: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("refresh#{hash}"), "refresh")
}

/// Marks a mail as being sent or sent; `id` is given by its sender.
pub fn mail(id: Uuid) -> Key {
    Key::new(EPHEMERAL, format_args!("mail#{id}"), "mail")
}

/// A ticket that opens a socket; `hash` is hex.
pub fn socket_ticket(hash: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("ticket#{hash}"), "ticket")
}

/// A socket, by the gateway's id of its connection.
pub fn socket(connection: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("socket#{connection}"), "socket")
}

/// A reader of a list of events; `place` distinguishes it from the list's other readers.
pub fn reader(list: &EventList, place: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("readers#{}", list.name()), place)
}

/// The first and last possible key of the readers of a list.
pub fn readers(list: &EventList) -> (Key, Key) {
    (reader(list, "!"), reader(list, "~"))
}

/// The response to an idempotent request; `digest` is hex.
pub fn idempotency(account: AccountId, digest: &str) -> Key {
    Key::new(EPHEMERAL, format_args!("idempotency#{account}#{digest}"), "idempotency")
}

/// A numbered list of events: see [`events`](super::events).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventList {
    name: String,
}

impl EventList {
    /// A list of events. Only the files that list the keys of rows call this.
    pub fn new(name: impl fmt::Display) -> Self {
        Self { name: name.to_string() }
    }

    /// The list with this name, as rows and messages store it.
    pub fn named(name: &str) -> Self {
        Self::new(name)
    }

    /// The events of an account, which only the account itself may read.
    pub fn of_account(account: AccountId) -> Self {
        Self::new(format_args!("account#{account}"))
    }

    /// Not a list: its open row counts the deployment-wide webhooks, which read the events of all accounts.
    pub fn of_deployment() -> Self {
        Self::new("deployment")
    }

    /// A list for tests.
    pub fn scratch(name: &str) -> Self {
        Self::new(format_args!("scratch#{name}"))
    }

    /// The list whose open row this is.
    pub fn at(open: &Key) -> Option<Self> {
        open.pk().strip_prefix("events#").map(Self::new)
    }

    /// The account whose list this is; `None` for another kind of list.
    pub fn account(&self) -> Option<AccountId> {
        self.name.strip_prefix("account#")?.parse().ok()
    }

    /// The name, which no other list of events has.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The row with the newest events.
    pub fn open(&self) -> Key {
        Key::new(ACTIVITY, format_args!("events#{}", self.name), "open")
    }

    /// The row of earlier events whose last one has this number.
    pub fn closed(&self, last: u64) -> Key {
        Key::new(ACTIVITY, format_args!("events#{}", self.name), format_args!("{last:012}"))
    }
}
