//! Account rows and uniqueness records that several functions read and write.

use std::{collections::BTreeSet, time::Duration};

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Entity, Key, Store, StoreError, UntypedRow, Update, fields};

use crate::{
    keys,
    models::{
        account::{Account, AccountId, DefaultTokens, OwnedAddress, Role, Status, Wallet},
        bitcoin::InscriptionId,
        email::EmailAddress,
        session::{Session, SessionId},
        trading_wallet::TradingWallet,
        wallet::WalletAddress,
    },
};

impl Entity for Account {
    const ENTITY: &'static str = "account";
}

fields!(Account {
    pub VERSION: u64 = version,
    pub EMAIL: Option<EmailAddress> = email,
    pub EMAIL_VERIFIED: bool = email_verified,
    pub EMAIL_RELEASES: u32 = email_releases,
    pub HAS_KEYSTORE: bool = has_keystore,
    pub ROLE: Role = role,
    pub STATUS: Status = status,
    pub EPOCH: u64 = epoch,
    pub WALLET: Option<Wallet> = wallet,
    pub WALLET_SINCE: Timestamp = wallet_since,
    pub ADDRESSES: Vec<OwnedAddress> = addresses,
    pub EARLIER_ADDRESSES: Vec<OwnedAddress> = earlier_addresses,
    pub TRADING_WALLET: Option<TradingWallet> = trading_wallet,
    pub TOTP_ENABLED: bool = totp_enabled,
    pub PASSKEYS: u32 = passkeys,
    pub AVATAR: Option<InscriptionId> = avatar,
    pub DEFAULT_TOKENS: DefaultTokens = default_tokens,
    pub REFERRED_BY: Option<AccountId> = referred_by,
    pub PASSWORD_HINT: Option<String> = password_hint,
    pub LAST_SIGN_IN_AT: Timestamp = last_sign_in_at,
});

impl Entity for Session {
    const ENTITY: &'static str = "session";
}

fields!(Session {
    pub ID: SessionId = id,
    pub EPOCH: u64 = epoch,
    pub REFRESH_HASH: String = refresh_hash,
    pub AUTH_TIME: Timestamp = auth_time,
    pub LAST_USED_AT: Timestamp = last_used_at,
    pub EXPIRES_AT: i64 = expires_at,
    pub REFRESHED_ON: Option<String> = refreshed_on,
    pub REPEATED_ON: Option<String> = repeated_on,
});

/// A uniqueness record: it assigns to one account something that no other account can have.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UniqueOwner {
    /// The account that has it.
    pub account_id: AccountId,
}

impl Entity for UniqueOwner {
    const ENTITY: &'static str = "uniqueness";
}

fields!(UniqueOwner {
    pub ACCOUNT_ID: AccountId = account_id,
});

/// How an account uses an address. Sign-in wallets and linked addresses share one namespace (custody rule
/// 14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AddressUse {
    /// Signs the account in.
    SignIn,
    /// Linked; cannot sign in.
    Linked,
    /// The sign-in wallet before a rotation. It can neither sign in nor register for 90 days.
    Retired,
}

/// The account that has a wallet address, and how it uses it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressOwner {
    /// The account that has the address.
    pub account_id: AccountId,
    /// How the account uses it.
    #[serde(rename = "use")]
    pub usage: AddressUse,
    /// When a retired address becomes free, whole seconds since the epoch (DynamoDB's TTL attribute).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expires_at: Option<i64>,
}

impl AddressOwner {
    /// How long an address stays retired.
    const RETIRED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

    /// A record of a sign-in wallet.
    pub fn signs_in(account_id: AccountId) -> Self {
        Self { account_id, usage: AddressUse::SignIn, expires_at: None }
    }

    /// A record of a linked address.
    pub fn linked(account_id: AccountId) -> Self {
        Self { account_id, usage: AddressUse::Linked, expires_at: None }
    }

    /// A record of an address that was rotated away at `now`.
    pub fn retired(account_id: AccountId, now: Timestamp) -> Self {
        let expires_at = Some(now.plus(Self::RETIRED).seconds());
        Self { account_id, usage: AddressUse::Retired, expires_at }
    }
}

impl Entity for AddressOwner {
    const ENTITY: &'static str = "addressOwner";
}

fields!(AddressOwner {
    pub ACCOUNT_ID: AccountId = account_id,
    pub USAGE: AddressUse = usage as "use",
    pub EXPIRES_AT: Option<i64> = expires_at,
});

/// The account that has an e-mail address.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmailOwner {
    /// The account that has the address.
    pub account_id: AccountId,
    /// Whether the account proved that it reads the mailbox. Until then another account takes the address
    /// over by proving it, and in no other way (custody rule 20).
    pub verified: bool,
}

impl EmailOwner {
    /// A record of an address that no account has proved yet.
    pub fn unverified(account_id: AccountId) -> Self {
        Self { account_id, verified: false }
    }

    /// A record of an address that its account has proved.
    pub fn verified(account_id: AccountId) -> Self {
        Self { account_id, verified: true }
    }

    /// The conditions under which this record may be replaced after another account's proof.
    pub fn yields(&self) -> Update<Self> {
        Update::new()
            .if_equal(EmailOwner::VERIFIED, false)
            .if_equal(EmailOwner::ACCOUNT_ID, self.account_id)
    }
}

impl Entity for EmailOwner {
    const ENTITY: &'static str = "emailOwner";
}

fields!(EmailOwner {
    pub ACCOUNT_ID: AccountId = account_id,
    pub VERIFIED: bool = verified,
});

/// A device on which an account has signed in. Guesses made elsewhere do not lock it out.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownDevice {
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
    /// The account's epoch at the last sign-in. A change of credentials raises the epoch, so only the device
    /// on which the change was made stays known.
    pub epoch: u64,
}

impl Entity for KnownDevice {
    const ENTITY: &'static str = "knownDevice";
}

fields!(KnownDevice {
    pub EPOCH: u64 = epoch,
});

/// Reads an account in one round trip.
pub async fn get(store: &Store, id: AccountId) -> Result<Option<Account>, StoreError> {
    store.get(&keys::account(id)).await
}

/// Reads an account and one of its sessions, strongly consistent, in one round trip.
pub async fn with_session(
    store: &Store,
    account: AccountId,
    session: SessionId,
) -> Result<(Option<Account>, Option<Session>), StoreError> {
    let keys = [keys::account(account), keys::session(account, session)];
    let mut found = read_both(store, &keys).await?;
    // A batch read is not a snapshot: a change of credentials may have been written between the two reads.
    if let (Some(account), Some(session)) = &found
        && account.epoch != session.epoch
    {
        found = read_both(store, &keys).await?;
    }
    Ok(found)
}

/// Which sessions of an account may be used now; none if the account is disabled. One strongly consistent
/// batch, or two if a change of credentials was written in between.
pub async fn alive_sessions(
    store: &Store,
    account: AccountId,
    sessions: &BTreeSet<SessionId>,
) -> Result<BTreeSet<SessionId>, StoreError> {
    let keys = sessions.iter().map(|session| keys::session(account, *session));
    let keys: Vec<_> = [keys::account(account)].into_iter().chain(keys).collect();
    let now = store.now();
    for is_last in [false, true] {
        let mut rows = store.get_all(&keys).await?.into_iter();
        let owner = rows.next().flatten().map(UntypedRow::read::<Account>).transpose()?;
        let Some(owner) = owner.filter(|owner| owner.status == Status::Active) else { break };
        let rows =
            rows.flatten().map(UntypedRow::read::<Session>).collect::<Result<Vec<_>, _>>()?;
        // As in `with_session`.
        if is_last || rows.iter().all(|session| session.epoch == owner.epoch) {
            let alive = rows.iter().filter(|session| session.is_alive(&owner, now));
            return Ok(alive.map(|session| session.id).collect());
        }
    }
    Ok(BTreeSet::new())
}

async fn read_both(
    store: &Store,
    keys: &[Key; 2],
) -> Result<(Option<Account>, Option<Session>), StoreError> {
    let mut rows = store.get_all(keys).await?.into_iter();
    let account = rows.next().flatten().map(UntypedRow::read).transpose()?;
    let session = rows.next().flatten().map(UntypedRow::read).transpose()?;
    Ok((account, session))
}

/// Reads which account has a wallet address, and how it uses it, in one round trip.
pub async fn owner(
    store: &Store,
    address: &WalletAddress,
) -> Result<Option<AddressOwner>, StoreError> {
    let owner = store.get::<AddressOwner>(&keys::wallet(address)).await?;
    let now = store.now().past_seconds();
    Ok(owner.filter(|owner| owner.expires_at.is_none_or(|end| end > now)))
}

/// Reads which account has an e-mail address, in one round trip.
pub async fn email_owner(
    store: &Store,
    address: &EmailAddress,
) -> Result<Option<EmailOwner>, StoreError> {
    store.get(&keys::email(address)).await
}

/// Reads which account has a referral code, in one round trip.
pub async fn referrer(store: &Store, code: &str) -> Result<Option<AccountId>, StoreError> {
    Ok(store.get::<UniqueOwner>(&keys::referral(code)).await?.map(|claimed| claimed.account_id))
}
