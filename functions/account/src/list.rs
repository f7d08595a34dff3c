//! `GET /api/account`: all accounts, for admins.

use axum::extract::State;
use base::clock::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use shared::{
    http::{
        Admin, Envelope, Error, ListQuery, Problem, Result, Segment, Single,
        list::{AsOf, Field, ListPage, ListParameters, Resource},
        relations::WALLET,
    },
    keys,
    models::{
        account::{Account, AccountId, AuthMethod, Role, Wallet},
        email::EmailAddress,
    },
};
use store::{Store, StoreError, lists::Member};
use utoipa::ToSchema;

use crate::app::App;

const REFERRER: &str = "referrer";

/// An account as shown to admins.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountRow {
    /// Account id.
    id: AccountId,
    /// E-mail address.
    email: Option<EmailAddress>,
    /// How the account was created.
    auth_method: AuthMethod,
    /// Permissions of the account.
    role: Role,
    /// The sign-in wallet.
    wallet: Option<Wallet>,
    /// The two-signature Bitcoin address.
    trading_address: Option<String>,
    /// Whether sign-in requires a second factor.
    totp_enabled: bool,
    /// When the account was created, ms since the epoch.
    created_at: Timestamp,
    /// Id of the account that invited this one. Hidden: `select=+referredBy`.
    referred_by: Option<AccountId>,
    /// When a session was last opened, ms since the epoch. Hidden: `select=+lastSignInAt`.
    last_sign_in_at: Timestamp,
}

/// The account that invited another one: its relation `referrer`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Referrer {
    /// Account id.
    id: AccountId,
    /// E-mail address.
    #[schema(required = true)]
    email: Option<EmailAddress>,
    /// The referral code that was used.
    referral_code: String,
}

impl Resource for AccountRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("email"),
        Field::visible("authMethod"),
        Field::visible("role"),
        Field::visible("wallet").unsorted(),
        Field::visible("tradingAddress"),
        Field::visible("totpEnabled"),
        Field::visible("createdAt"),
        Field::hidden("referredBy"),
        Field::hidden("lastSignInAt"),
    ];
    const RELATIONS: &'static [&'static str] = &[REFERRER];
}

impl From<Account> for AccountRow {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            email: account.email,
            auth_method: account.auth_method,
            role: account.role,
            wallet: account.wallet,
            trading_address: account.trading_wallet.map(|wallet| wallet.address),
            totp_enabled: account.totp_enabled,
            created_at: account.created_at,
            referred_by: account.referred_by,
            last_sign_in_at: account.last_sign_in_at,
        }
    }
}

/// Lists all accounts, newest first. Admins only.
///
/// Hidden fields: `referredBy`, `lastSignInAt`. Relations: `wallet`, and
/// `referrer`, the account that invited this one, or null.
#[utoipa::path(
    get,
    path = "/api/account",
    tag = "account",
    security(("bearer" = [])),
    params(ListParameters, AsOf),
    responses((status = 200, description = "A page of accounts", body = Envelope<Vec<AccountRow>>))
)]
pub async fn list_accounts(
    State(app): State<App>,
    _admin: Admin,
    query: ListQuery<AccountRow>,
) -> Result<Envelope<Vec<Value>>> {
    let load = async |members| load(&app.store, members).await;
    let found = query.read(&app.store, &keys::lists::accounts(), load).await?;
    let referrers =
        if query.populates(REFERRER) { referrers(&app.store, &found).await? } else { Vec::new() };
    query.answer(&found, |relation, place| match relation {
        WALLET => json!(found.rows.get(place).and_then(|row| row.wallet.as_ref())),
        REFERRER => referrers.get(place).cloned().unwrap_or_default(),
        _ => Value::Null,
    })
}

/// Returns one account. Admins only.
#[utoipa::path(
    get,
    path = "/api/account/{id}",
    tag = "account",
    security(("bearer" = [])),
    params(("id" = AccountId, Path, description = "The account")),
    responses((status = 200, description = "The account", body = Single<AccountRow>))
)]
pub async fn get_account(
    State(app): State<App>,
    _admin: Admin,
    Segment(id): Segment<AccountId>,
) -> Result<Single<AccountRow>> {
    let account = app.store.get::<Account>(&keys::account(id)).await?;
    Ok(Single::of(account.ok_or(Error::new(Problem::NoSuchAccount))?.into()))
}

async fn load(
    store: &Store,
    members: Vec<Member<AccountId>>,
) -> Result<Vec<AccountRow>, StoreError> {
    let keys: Vec<_> = members.iter().map(|member| keys::account(member.value)).collect();
    let accounts = store.get_many::<Account>(&keys).await?;
    Ok(accounts.into_iter().flatten().map(AccountRow::from).collect())
}

/// The account that invited each row's account, read in one batch.
async fn referrers(store: &Store, found: &ListPage<AccountRow>) -> Result<Vec<Value>, StoreError> {
    let invited =
        || found.rows.iter().enumerate().filter_map(|(place, row)| Some((place, row.referred_by?)));
    let keys: Vec<_> = invited().map(|(_, id)| keys::account(id)).collect();
    let accounts = store.get_many::<Account>(&keys).await?;
    let mut referrers = vec![Value::Null; found.rows.len()];
    for ((place, _), account) in invited().zip(accounts) {
        if let (Some(slot), Some(account)) = (referrers.get_mut(place), account) {
            *slot = json!(Referrer {
                id: account.id,
                email: account.email,
                referral_code: account.referral_code,
            });
        }
    }
    Ok(referrers)
}
