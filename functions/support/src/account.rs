//! `GET /api/support/accounts/{accountId}`.

use axum::extract::State;
use base::clock::Timestamp;
use identity::failed_proofs::{self, FailedProofs};
use outbox::webhooks;
use serde::Serialize;
use shared::{
    auth::limits,
    http::{Result, Segment, Single},
    keys,
    models::{
        account::{Account, AccountId, AuthMethod, OwnedAddress, Role, Status, Wallet},
        email::EmailAddress,
    },
};
use store::{Store, StoreError, lists};
use utoipa::ToSchema;

use crate::{
    app::App,
    reader::{Reader, SupportReadKind},
};

/// An account as admins see it. It contains nothing that proves its owner.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportAccount {
    /// Account id.
    id: AccountId,
    /// When the account was created, ms since the epoch.
    created_at: Timestamp,
    /// Whether the account may be used.
    status: Status,
    /// Permissions of the account.
    role: Role,
    /// How the account was created.
    auth_method: AuthMethod,
    /// E-mail address; null if there is none.
    #[schema(required = true)]
    email: Option<EmailAddress>,
    /// Whether the address is verified.
    email_verified: bool,
    /// The sign-in wallet; null if there is none.
    #[schema(required = true)]
    wallet: Option<Wallet>,
    /// Addresses that the account has proved, the sign-in wallet first.
    addresses: Vec<OwnedAddress>,
    /// Addresses replaced by a rotation.
    earlier_addresses: Vec<OwnedAddress>,
    /// The two-signature Bitcoin address; null until it is created.
    #[schema(required = true)]
    trading_address: Option<String>,
    /// Whether there is a keystore.
    has_keystore: bool,
    /// Whether sign-in requires a second factor.
    totp_enabled: bool,
    /// Number of passkeys.
    passkeys: u32,
    /// Code for inviting others.
    referral_code: String,
    /// The account that invited this one.
    #[schema(required = true)]
    referred_by: Option<AccountId>,
    /// When a session was last opened, ms since the epoch.
    last_sign_in_at: Timestamp,
    /// Failed proofs of identity by hour, newest first; at most 100 hours of the last 90 days.
    failed_proofs: Vec<FailedProofs>,
    /// The rate limits of the account whose windows are open.
    limits: Vec<OpenLimit>,
    /// How much each list of the account has.
    counts: SupportCounts,
}

/// A rate limit whose window is open.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenLimit {
    /// The name in the table of limits.
    name: &'static str,
    /// What it counts.
    counts: &'static str,
    /// Requests allowed per window.
    most: u32,
    /// Requests left; the next one is refused if it is 0.
    left: u32,
    /// When the window ends, ms since the epoch.
    until: Timestamp,
}

/// The lengths of an account's lists.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportCounts {
    /// Signed Bitcoin transactions.
    transactions: u64,
    /// Cross-chain transactions.
    cross_chain: u64,
    /// Deposits.
    deposits: u64,
    /// Batches of requests.
    batches: u64,
    /// Refunds.
    refunds: u64,
    /// Exports.
    exports: u64,
    /// Entries of the audit trail.
    activity: u64,
    /// Webhooks.
    webhooks: usize,
}

impl SupportCounts {
    async fn of(store: &Store, account: AccountId) -> Result<Self, StoreError> {
        let lists = [
            keys::lists::transactions(account),
            keys::lists::xchain_by_account(account),
            keys::lists::deposits(account),
            keys::lists::vm_by_account(account),
            keys::lists::refunds_by_account(account),
            keys::lists::exports(account),
            keys::lists::activity(account),
        ];
        let (totals, webhooks) =
            tokio::try_join!(lists::totals(store, &lists), webhooks::of_account(store, account))?;
        let [transactions, cross_chain, deposits, batches, refunds, exports, activity] = totals;
        let webhooks = webhooks.len();
        Ok(Self {
            transactions,
            cross_chain,
            deposits,
            batches,
            refunds,
            exports,
            activity,
            webhooks,
        })
    }
}

impl SupportAccount {
    fn of(
        account: Account,
        failed_proofs: Vec<FailedProofs>,
        limits: Vec<OpenLimit>,
        counts: SupportCounts,
    ) -> Self {
        Self {
            id: account.id,
            created_at: account.created_at,
            status: account.status,
            role: account.role,
            auth_method: account.auth_method,
            email: account.email,
            email_verified: account.email_verified,
            wallet: account.wallet,
            addresses: account.addresses,
            earlier_addresses: account.earlier_addresses,
            trading_address: account.trading_wallet.map(|wallet| wallet.address),
            has_keystore: account.has_keystore,
            totp_enabled: account.totp_enabled,
            passkeys: account.passkeys,
            referral_code: account.referral_code,
            referred_by: account.referred_by,
            last_sign_in_at: account.last_sign_in_at,
            failed_proofs,
            limits,
            counts,
        }
    }
}

/// Returns an account, its failed proofs, open limits, and how much its lists have. Admins only.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}",
    tag = "support",
    security(("bearer" = [])),
    params(("accountId" = AccountId, Path, description = "The account")),
    responses((status = 200, description = "The account", body = Single<SupportAccount>))
)]
pub async fn get_support_account(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
) -> Result<Single<SupportAccount>> {
    let account = reader.account(&app, id).await?;
    let (failed, open, counts) = tokio::join!(
        failed_proofs::newest(&app, id),
        limits::open_of_account(&app, id),
        SupportCounts::of(&app.store, id),
    );
    let open = open?.into_iter().map(|(limit, hit)| OpenLimit {
        name: limit.name,
        counts: limit.counts.trim(),
        most: limit.most,
        left: hit.left,
        until: hit.until,
    });
    let found = SupportAccount::of(account, failed?, open.collect(), counts?);
    reader.record(&app, SupportReadKind::Account, id).await?;
    Ok(Single::of(found))
}
