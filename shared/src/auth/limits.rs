//! Rate limits per account and per source address.
//!
//! If strangers could use up an account's limit, they would lock out its owner. So account limits never count
//! anything before a proof; the module `guess` of the crate `identity` slows
//! guessing instead.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use sha2::{Digest, Sha256};
use store::{Hit, StoreError};

use super::{AuthError, error::seconds_until};
use crate::{
    core::Core,
    keys,
    models::{account::AccountId, change::AccountChange},
};

tokio::task_local! {
    static TOLD: Arc<Mutex<Vec<Left>>>;
}

/// A number of hits allowed in a window. The first hit opens the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Name used in keys and in the table of limits.
    pub name: &'static str,
    /// What it counts, as shown in the table of limits.
    pub counts: &'static str,
    /// Hits allowed per window.
    pub most: u32,
    /// Length of the window.
    pub window: Duration,
    /// Whether each hit restarts the window.
    pub stretch: bool,
    /// Whether answers report the remaining quota. They do not if others use up the same limit, or if
    /// exceeding it refuses nothing.
    pub is_told: bool,
}

/// The remaining quota of a limit that a request used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The limit.
    pub limit: Limit,
    /// How many more hits the window takes.
    pub hits: u32,
    /// Whole seconds until the window ends, at least 1.
    pub seconds: u64,
}

impl Limit {
    const fn new(name: &'static str, most: u32, minutes: u64) -> Self {
        let window = Duration::from_secs(minutes.saturating_mul(60));
        Self { name, counts: "", most, window, stretch: false, is_told: true }
    }

    const fn untold(self) -> Self {
        Self { is_told: false, ..self }
    }
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $limit:expr;)+) => {
        $(
            $(#[doc = $doc])+
            pub const $name: Limit = Limit { counts: concat!($($doc),+), ..$limit };
        )+
        /// Every limit, in the order of the table.
        pub const ALL: &[Limit] = &[$($name),+];
    };
}

// The doc comment of a limit is its row in docs/reference/limits.md: `make reference`.
limits! {
    /// sign-ins and registrations
    SIGN_IN_BY_SOURCE = Limit::new("signInBySource", 100, 5);
    /// sign-ins of an account, counted once all of its factors are proved
    SIGN_IN_BY_ACCOUNT = Limit::new("signInByAccount", 60, 5);
    /// handshakes that start a proof by password or passkey
    HANDSHAKE_BY_SOURCE = Limit::new("handshakeBySource", 60, 5);
    /// handshakes that start a password proof for one account on one known device
    HANDSHAKE_BY_DEVICE = Limit::new("handshakeByDevice", 20, 15);
    /// wallet challenges
    CHALLENGE_BY_SOURCE = Limit::new("challengeBySource", 120, 5);
    /// wallet challenges requested by a signed-in account
    CHALLENGE_BY_ACCOUNT = Limit::new("challengeByAccount", 60, 5);
    // A client that changes its source address and sends no device token looks like another device each time.
    /// repeated refreshes on other devices that are entered in an account's audit trail; later ones are not
    REPEATED_REFRESH_BY_ACCOUNT = Limit::new("repeatedRefreshByAccount", 20, 24 * 60).untold();
    // The fifth wrong code locks the second factor for 15 minutes.
    /// codes since the last correct one on one known device; each code restarts the window
    OTP_BY_DEVICE = Limit { stretch: true, ..Limit::new("otpByDevice", 5, 15) };
    /// codes of the second factor
    OTP_BY_SOURCE = Limit::new("otpBySource", 60, 15);
    /// changes of e-mail address and repeated verification mails requested by an account
    EMAIL_BY_ACCOUNT = Limit::new("emailByAccount", 3, 60);
    /// attempts with mailed tokens on one known device
    EMAIL_TOKEN_BY_DEVICE = Limit::new("emailTokenByDevice", 20, 10);
    // No change waits for longer than the window: at most three mails an hour keep it alive.
    /// attempts with all tokens of one change of e-mail address (custody rule 20), per known device and
    /// for all other devices together
    EMAIL_TOKEN_BY_ACCOUNT = Limit::new("emailTokenByAccount", 5, 60).untold();
    /// mails with a link requested by accounts
    EMAIL_BY_SOURCE = Limit::new("emailBySource", 10, 60);
    /// mails with a link to one address: repeated mails per account, registrations per source, and changes to
    /// the address per account and per source
    EMAIL_BY_ADDRESS = Limit::new("emailByAddress", 5, 60).untold();
    // Large enough that strangers need many accounts and many sources to deny an owner the address.
    /// changes to one address that all accounts together request
    CHANGE_MAIL_BY_ADDRESS = Limit::new("changeMailByAddress", 40, 60).untold();
    // The account has not proved that it reads the mailbox.
    /// notices of a change to an unverified address, of all accounts together; beyond the limit the change goes on
    /// without a notice
    CHANGE_NOTICE_BY_ADDRESS = Limit::new("changeNoticeByAddress", 5, 60).untold();
    /// registrations with an e-mail address
    REGISTRATION_BY_SOURCE = Limit::new("registrationBySource", 50, 60);
    // Mails that an account requests later count only for that account (custody rule 27).
    /// mails with a link to one address caused by registrations from all sources; beyond the limit a
    /// registration succeeds without a mail, and its account can request one
    REGISTRATION_MAIL_BY_ADDRESS = Limit::new("registrationMailByAddress", 20, 60).untold();
    // Counted by kind, so that many changes of one kind never hide a change of another. A client that does
    // not keep its device token is a new device at every sign-in.
    /// mails to an account about one kind of change; later changes of that kind appear only in its audit trail
    NOTICE_BY_ACCOUNT = Limit::new("noticeByAccount", 20, 24 * 60).untold();
    // Each choice makes ord read a whole transaction of the chain.
    /// inscriptions that an account chooses as its avatar
    AVATAR_BY_ACCOUNT = Limit::new("avatarByAccount", 30, 60);
    // Each call may query a contract wallet. Removals are not limited, so that an owner can always remove
    // what a thief has added.
    /// addresses that an account links, and rotations of its sign-in wallet
    ADDRESS_BY_ACCOUNT = Limit::new("addressByAccount", 60, 60);
    /// passkeys that an account adds
    PASSKEY_BY_ACCOUNT = Limit::new("passkeyByAccount", 60, 60);
    /// new passwords of an account, counted once the current one is proved
    PASSWORD_BY_ACCOUNT = Limit::new("passwordByAccount", 30, 60);
    // Each request reads the chain.
    /// Bitcoin transactions that an account creates or signs
    TRANSACTION_BY_ACCOUNT = Limit::new("transactionByAccount", 60, 5);
    // Each request reads the chain.
    /// reads of an account's trading wallet: balance, coins, the largest amount, dry runs
    WALLET_BY_ACCOUNT = Limit::new("walletByAccount", 120, 5);
    // A page that shows a wallet makes three requests, and a hundred people may share one address of an
    // office or a carrier.
    /// reads of a trading address, which need no token
    WALLET_BY_SOURCE = Limit::new("walletBySource", 300, 5);
    // Each request reads the chain.
    /// deposits that an account announces
    DEPOSIT_BY_ACCOUNT = Limit::new("depositByAccount", 60, 60);
    // The worker asks Esplora about each of them for an hour.
    /// deposits that an account announces before Esplora knows their transactions
    AWAITED_DEPOSIT_BY_ACCOUNT = Limit::new("awaitedDepositByAccount", 5, 60);
    // Each read queries ord.
    /// reads of a rune, which need no token
    RUNE_BY_SOURCE = Limit::new("runeBySource", 300, 5);
    // Each refund reserves outputs of the treasury (custody rule 9).
    /// refunds that an account created and did not sign in time; beyond the limit it can create no more
    REFUND_EXPIRY_BY_ACCOUNT = Limit::new("refundExpiryByAccount", 3, 60);
    /// refund calculations, which need no token
    REFUND_BY_SOURCE = Limit::new("refundBySource", 300, 5);
    // Each registration queries the hub.
    /// swaps registered by an account
    SWAP_BY_ACCOUNT = Limit::new("swapByAccount", 60, 60);
    /// upload forms for media requested by an account
    MEDIA_BY_ACCOUNT = Limit::new("mediaByAccount", 20, 60);
    // A file has up to 10 MiB and is kept: that is 5 GB a month.
    /// files of the upload forms for media requested by an account
    MEDIA_FILE_BY_ACCOUNT = Limit::new("mediaFileByAccount", 500, 30 * 24 * 60);
    /// history exports requested by an account
    EXPORT_BY_ACCOUNT = Limit::new("exportByAccount", 10, 60);
    // Each of them may call a server of someone else.
    /// webhooks that an account adds or changes, tests, redeliveries and replays
    WEBHOOK_BY_ACCOUNT = Limit::new("webhookByAccount", 30, 60);
    // A limit of its own, so that an owner whose secret has leaked can always replace it.
    /// new secrets of an account's webhooks
    WEBHOOK_SECRET_BY_ACCOUNT = Limit::new("webhookSecretByAccount", 10, 60);
    /// tests of webhooks by an account, each of which may wait for its outcome
    WEBHOOK_TEST_BY_ACCOUNT = Limit::new("webhookTestByAccount", 5, 5);
    // Large enough that strangers need many accounts to keep an owner from a host that many people share, and
    // small enough to be no burden for a host that has not asked for the requests.
    /// requests to confirm a webhook's URL that all accounts together cause at one host
    WEBHOOK_VERIFICATION_BY_HOST = Limit::new("webhookVerificationByHost", 300, 60).untold();
    // Each replay sends up to 1,000 events again.
    /// replays of webhooks of an account that send events again
    WEBHOOK_REPLAY_BY_ACCOUNT = Limit::new("webhookReplayByAccount", 10, 24 * 60);
    /// tickets for sockets that an account draws
    TICKET_BY_ACCOUNT = Limit::new("ticketByAccount", 60, 5);
    // Each socket has a row for two hours.
    /// sockets that are opened
    SOCKET_BY_SOURCE = Limit::new("socketBySource", 120, 5);
    // The venue limits requests per source and minute.
    /// calls by an account about a wallet at the perpetuals venue
    VENUE_BY_ACCOUNT = Limit::new("venueByAccount", 60, 5);
    // A page about one account makes about ten requests.
    /// reads of other accounts by an admin
    SUPPORT_BY_ACCOUNT = Limit::new("supportByAccount", 300, 5);
    // A stolen session of an admin sees at most this many accounts, in lists and search results together.
    // Each request may be about another account, so the limit of requests would allow 300 in five minutes.
    /// other accounts that an admin reads, each counted once
    SUPPORT_SUBJECT_BY_ACCOUNT = Limit::new("supportSubjectByAccount", 100, 60);
}

/// The limits whose keys are an account's id and nothing else. Others also have a device, an address or a
/// kind of change in their keys.
const OF_ACCOUNT: [Limit; 25] = [
    SIGN_IN_BY_ACCOUNT,
    CHALLENGE_BY_ACCOUNT,
    EMAIL_BY_ACCOUNT,
    AVATAR_BY_ACCOUNT,
    ADDRESS_BY_ACCOUNT,
    PASSKEY_BY_ACCOUNT,
    PASSWORD_BY_ACCOUNT,
    TRANSACTION_BY_ACCOUNT,
    WALLET_BY_ACCOUNT,
    DEPOSIT_BY_ACCOUNT,
    AWAITED_DEPOSIT_BY_ACCOUNT,
    REFUND_EXPIRY_BY_ACCOUNT,
    SWAP_BY_ACCOUNT,
    MEDIA_BY_ACCOUNT,
    MEDIA_FILE_BY_ACCOUNT,
    EXPORT_BY_ACCOUNT,
    WEBHOOK_BY_ACCOUNT,
    WEBHOOK_SECRET_BY_ACCOUNT,
    WEBHOOK_TEST_BY_ACCOUNT,
    WEBHOOK_REPLAY_BY_ACCOUNT,
    TICKET_BY_ACCOUNT,
    VENUE_BY_ACCOUNT,
    REPEATED_REFRESH_BY_ACCOUNT,
    SUPPORT_BY_ACCOUNT,
    SUPPORT_SUBJECT_BY_ACCOUNT,
];

/// The limits of an account whose windows are open, with what is left of each. Counts nothing. One batch read.
///
/// # Errors
/// [`StoreError`].
pub async fn open_of_account(
    app: &Core,
    account: AccountId,
) -> Result<Vec<(Limit, Hit)>, StoreError> {
    let subject = account.to_string();
    let limits = OF_ACCOUNT.map(|limit| (keys::limit(limit.name, &subject), limit.most));
    let open = app.store.windows(&limits).await?;
    Ok(OF_ACCOUNT.into_iter().zip(open).filter_map(|(limit, hit)| Some((limit, hit?))).collect())
}

/// Runs a request and also returns the remaining quota of each limit it used, in order, for the `RateLimit`
/// headers.
pub async fn told<F: Future>(request: F) -> (F::Output, Vec<Left>) {
    let told = Arc::<Mutex<Vec<Left>>>::default();
    let output = TOLD.scope(told.clone(), request).await;
    let left = told.lock().map(|mut left| std::mem::take(&mut *left));
    (output, left.unwrap_or_default())
}

/// Records the remaining quota for [`told`]; outside a request it does nothing. If a limit was used for
/// several subjects, the smallest quota counts.
fn note(app: &Core, limit: Limit, hit: Hit) {
    if !limit.is_told {
        return;
    }
    let seconds = seconds_until(hit.until, app.clock.now());
    let left = Left { limit, hits: hit.left, seconds };
    // Outside a request there is nothing to record.
    let _ = TOLD.try_with(|told| {
        let Ok(mut told) = told.lock() else { return };
        match told.iter_mut().find(|known| known.limit == limit) {
            Some(known) if known.hits <= left.hits => {}
            Some(known) => *known = left,
            None => told.push(left),
        }
    });
}

/// Counts a hit with one atomic write, or two if the row of an earlier window is still there.
///
/// # Errors
/// [`AuthError::RateLimited`] if the limit is exceeded; [`AuthError::Store`] if the store fails.
pub async fn hit(app: &Core, limit: Limit, subject: &str) -> Result<(), AuthError> {
    hit_times(app, limit, subject, 1).await
}

/// Counts several hits, all or none, at most as many as the limit.
///
/// # Errors
/// As [`hit`].
pub async fn hit_times(
    app: &Core,
    limit: Limit,
    subject: &str,
    hits: u32,
) -> Result<(), AuthError> {
    let key = keys::limit(limit.name, subject);
    let hit = app.store.hit(&key, (hits, limit.most), limit.window, limit.stretch).await?;
    note(app, limit, hit);
    if hit.is_allowed { Ok(()) } else { Err(AuthError::limited_until(hit.until, app.clock.now())) }
}

/// Counts one hit for each of these things that has not been counted for the subject in the window: all of them, or
/// none. Two concurrent requests may both count a thing. One batch read; for new things, one more write than things.
///
/// # Errors
/// As [`hit`].
pub async fn hit_for_each(
    app: &Core,
    limit: Limit,
    subject: &str,
    things: &[String],
) -> Result<(), AuthError> {
    let mark = |thing: &String| (keys::limit(limit.name, &format!("{subject}#{thing}")), 1);
    let marks: Vec<_> = things.iter().map(mark).collect();
    let counted = app.store.windows(&marks).await?;
    let new = marks.iter().zip(&counted).filter(|(_, counted)| counted.is_none());
    let new: Vec<_> = new.map(|((key, most), _)| (key, *most)).collect();
    if new.is_empty() {
        return Ok(());
    }
    hit_times(app, limit, subject, u32::try_from(new.len()).unwrap_or(u32::MAX)).await?;
    for (key, most) in new {
        app.store.hit(key, (1, most), limit.window, limit.stretch).await?;
    }
    Ok(())
}

/// Whether an account may get another mail about a change of this kind; counts it. Only the owner makes such
/// changes, so strangers cannot use up these mails.
pub async fn may_notify(app: &Core, account: AccountId, change: AccountChange) -> bool {
    match hit(app, NOTICE_BY_ACCOUNT, &format!("{account}#{change:?}")).await {
        Err(AuthError::RateLimited { .. }) => false,
        // On a store failure, prefer one mail too many.
        Ok(()) | Err(_) => true,
    }
}

/// Counts a hit that has already happened, even beyond the limit.
pub async fn count(app: &Core, limit: Limit, subject: &str) -> Result<(), StoreError> {
    let key = keys::limit(limit.name, subject);
    app.store.hit(&key, (1, limit.most), limit.window, limit.stretch).await.map(drop)
}

/// Fails if a limit is used up. Counts nothing.
///
/// # Errors
/// As [`hit`].
pub async fn check(app: &Core, limit: Limit, subject: &str) -> Result<(), AuthError> {
    let open = app.store.window(&keys::limit(limit.name, subject), limit.most).await?;
    let Some(open) = open else { return Ok(()) };
    note(app, limit, open);
    if open.is_allowed {
        Ok(())
    } else {
        Err(AuthError::limited_until(open.until, app.clock.now()))
    }
}

/// Counts a hit of the request's source. Without a gateway a request has no source, and nothing is counted.
///
/// # Errors
/// As [`hit`].
pub async fn hit_source(app: &Core, limit: Limit, source: Option<IpAddr>) -> Result<(), AuthError> {
    hit_by_source(app, limit, "", source).await
}

/// Counts a hit of the request's source that concerns `what`. The widest network is counted last, so that
/// refused requests use up nothing that the network's other customers need.
///
/// # Errors
/// As [`hit`].
pub async fn hit_by_source(
    app: &Core,
    limit: Limit,
    what: &str,
    source: Option<IpAddr>,
) -> Result<(), AuthError> {
    for (network, limit) in source.map(|source| networks_of(source, limit)).unwrap_or_default() {
        hit(app, limit, &format!("{what}{network}")).await?;
    }
    Ok(())
}

/// Networks that one customer may have (RFC 6177): the length of their prefix in bits, and the factor by
/// which their limit exceeds that of the narrowest network.
const NETWORKS: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// The networks of a source address that count as a source, each with its limit. An IPv4 address has no wider
/// network that counts. Wider networks may belong to several customers, so answers do not report the quota of
/// their limits.
fn networks_of(source: IpAddr, limit: Limit) -> Vec<(String, Limit)> {
    let address = match source.to_canonical() {
        IpAddr::V4(address) => return vec![(address.to_string(), limit)],
        IpAddr::V6(address) => address.to_bits(),
    };
    let network = |(bits, times): (u8, u32)| {
        let host = u128::MAX.checked_shr(bits.into()).unwrap_or_default();
        let network = std::net::Ipv6Addr::from_bits(address & !host);
        let most = limit.most.saturating_mul(times);
        let is_told = limit.is_told && times == 1;
        (format!("{network}/{bits}"), Limit { most, is_told, ..limit })
    };
    NETWORKS.into_iter().map(network).collect()
}

/// The subject of an e-mail address: see [`subject_of_name`].
pub fn subject_of_email(address: &crate::models::email::EmailAddress) -> String {
    subject_of_name(address.as_str())
}

/// The subject of a name that may or may not belong to an account: SHA-256, hex, so that limit rows contain
/// no addresses.
pub fn subject_of_name(name: &str) -> String {
    hex::encode(Sha256::digest(name))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_ipv6_source_counts_with_three_networks() {
        let of = |source: &str| -> Vec<(String, u32, bool)> {
            let networks = networks_of(source.parse().unwrap(), SIGN_IN_BY_SOURCE);
            networks.into_iter().map(|(it, limit)| (it, limit.most, limit.is_told)).collect()
        };
        for source in ["192.0.2.1", "::ffff:192.0.2.1"] {
            assert_eq!(of(source), [("192.0.2.1".to_owned(), 100, true)]);
        }
        let networks = [
            ("2001:db8:1:203::/64".to_owned(), 100, true),
            ("2001:db8:1:200::/56".to_owned(), 400, false),
            ("2001:db8:1::/48".to_owned(), 1_600, false),
        ];
        assert_eq!(of("2001:db8:1:203:3:4:5:6"), networks);
    }

    #[test]
    fn limit_names_are_unique() {
        let names: BTreeSet<_> = ALL.iter().map(|limit| limit.name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
