//! Accounts.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    bitcoin::InscriptionId,
    email::EmailAddress,
    token::TokenId,
    trading_wallet::TradingWallet,
    wallet::{Chain, WalletAddress},
};
use crate::clock::Timestamp;

super::id!(
    /// An account's id.
    AccountId,
    "must be an account id, a UUID",
    "018bcfe5-6800-7000-8000-000000000001"
);

/// The way in that an account was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuthMethod {
    /// A password, proved by SRP.
    Srp,
    /// A passkey.
    Passkey,
    /// An external wallet signs a message.
    Wallet,
}

/// What an account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// Its own things.
    User,
    /// Also the admin routes.
    Admin,
}

impl FromStr for Role {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "user" => Ok(Self::User),
            "admin" => Ok(Self::Admin),
            _ => Err("must be user or admin"),
        }
    }
}

/// Whether an account may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// It may.
    Active,
    /// It may not: its sessions are dead and none opens.
    Disabled,
}

/// The wallet that signs an account in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    /// Canonical address: EVM and bech32 in lowercase.
    pub address: String,
    /// Its chain.
    pub chain: Chain,
    /// The key that proved it; null for contract wallets.
    #[schema(required = true)]
    pub public_key: Option<String>,
    /// The wallet program, as the client named it.
    #[schema(required = true)]
    pub provider: Option<String>,
}

/// An address that the account has proved: its sign-in wallet, then those linked later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnedAddress {
    /// Canonical address.
    pub address: String,
    /// Its chain.
    pub chain: Chain,
    /// EIP-155 chain id of the EVM chain on which a contract wallet has proved it. The address is the
    /// account's on that chain alone. Absent where a key has proved it: on every chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub contract_chain_id: Option<u64>,
}

impl OwnedAddress {
    /// An address that was proved by `public_key`, or, without one, by a contract wallet on the
    /// chain `evm_chain_id`.
    pub fn proved(address: &WalletAddress, public_key: Option<&str>, evm_chain_id: u64) -> Self {
        Self {
            address: address.as_str().to_owned(),
            chain: address.chain(),
            contract_chain_id: public_key.is_none().then_some(evm_chain_id),
        }
    }
}

/// The token that an account prefers in each slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DefaultTokens {
    /// Token id for the slot `usdc`.
    #[schema(required = true)]
    pub usdc: Option<TokenId>,
}

/// An account, as stored. What leaves the service is [`Me`] and the admin list's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Optimistic lock, raised by every replacement of the row.
    pub version: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// Canonical e-mail address.
    pub email: Option<EmailAddress>,
    /// Whether its owner proved to read that mailbox.
    pub email_verified: bool,
    /// How often an operator took its address from it. Mailed tokens of earlier counts are not good.
    pub email_releases: u32,
    /// The way in that it was made with.
    pub auth_method: AuthMethod,
    /// Whether it has a keystore (the client's keys, encrypted by the client).
    pub has_keystore: bool,
    /// What it may do.
    pub role: Role,
    /// Whether it may be used.
    pub status: Status,
    /// Raised by every credential change; sessions of another epoch are dead (custody rule 19).
    pub epoch: u64,
    /// The wallet that signs it in.
    pub wallet: Option<Wallet>,
    /// When it became the wallet by a rotation: challenges of before replace it no more.
    #[serde(default)]
    pub wallet_since: Timestamp,
    /// Addresses that it has proved.
    pub addresses: Vec<OwnedAddress>,
    /// Addresses that were rotated away: what was begun by one is still the account's.
    #[serde(default)]
    pub earlier_addresses: Vec<OwnedAddress>,
    /// The two-signature Bitcoin wallet, once it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trading_wallet: Option<TradingWallet>,
    /// Whether sign-in asks for a second factor.
    pub totp_enabled: bool,
    /// How many passkeys it has.
    pub passkeys: u32,
    /// Inscription shown as its picture.
    pub avatar: Option<InscriptionId>,
    /// Preferred tokens.
    pub default_tokens: DefaultTokens,
    /// What it gives to those it invites.
    pub referral_code: String,
    /// Who invited it.
    pub referred_by: Option<AccountId>,
    /// Hint for its owner.
    pub password_hint: Option<String>,
    /// When a session was last opened.
    pub last_sign_in_at: Timestamp,
}

impl Account {
    /// A new account, with nothing but its way in.
    pub fn new(
        id: AccountId,
        auth_method: AuthMethod,
        referral_code: String,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            version: 1,
            created_at: now,
            email: None,
            email_verified: false,
            email_releases: 0,
            auth_method,
            has_keystore: false,
            role: Role::User,
            status: Status::Active,
            epoch: 0,
            wallet: None,
            wallet_since: Timestamp::default(),
            addresses: Vec::new(),
            earlier_addresses: Vec::new(),
            trading_wallet: None,
            totp_enabled: false,
            passkeys: 0,
            avatar: None,
            default_tokens: DefaultTokens::default(),
            referral_code,
            referred_by: None,
            password_hint: None,
            last_sign_in_at: now,
        }
    }

    /// The two-signature Bitcoin address, if it has one.
    pub fn trading_address(&self) -> Option<&str> {
        self.trading_wallet.as_ref().map(|wallet| wallet.address.as_str())
    }

    /// What authenticators show the account as: its e-mail address, or else its id.
    pub fn display_name(&self) -> String {
        self.email.as_ref().map_or_else(|| self.id.to_string(), EmailAddress::to_string)
    }

    /// Makes a proved address the sign-in wallet, in place of the one before.
    pub fn set_wallet(
        &mut self,
        proved: OwnedAddress,
        public_key: Option<String>,
        provider: Option<String>,
    ) {
        if let Some(old) = self.wallet.take() {
            let is_old =
                |owned: &OwnedAddress| (owned.chain, &owned.address) == (old.chain, &old.address);
            self.earlier_addresses
                .extend(self.addresses.iter().filter(|owned| is_old(owned)).cloned());
            self.earlier_addresses.dedup();
            self.addresses.retain(|owned| !is_old(owned));
        }
        let (chain, address) = (proved.chain, proved.address.clone());
        self.addresses.insert(0, proved);
        self.wallet = Some(Wallet { address, chain, public_key, provider });
    }

    /// Whether an address of the account's, or an earlier one, is its own on an EVM chain: a
    /// contract wallet proves an address on one chain alone.
    pub fn owns_on(&self, address: &str, chain_id: u64) -> bool {
        let all = self.addresses.iter().chain(&self.earlier_addresses);
        let mut proofs = all.filter(|owned| owned.address == address);
        proofs.any(|owned| owned.contract_chain_id.is_none_or(|proved_on| proved_on == chain_id))
    }
}

/// An account as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Account id.
    pub id: AccountId,
    /// E-mail address; null where there is none.
    #[schema(required = true)]
    pub email: Option<EmailAddress>,
    /// Whether the address is verified.
    pub email_verified: bool,
    /// The way in that the account was made with.
    pub auth_method: AuthMethod,
    /// Whether there is a keystore.
    pub has_keystore: bool,
    /// What the account may do.
    pub role: Role,
    /// The sign-in wallet; null where there is none.
    #[schema(required = true)]
    pub wallet: Option<Wallet>,
    /// Addresses that the account has proved, its sign-in wallet first.
    pub addresses: Vec<OwnedAddress>,
    /// The two-signature Bitcoin address; null until there is one.
    #[schema(required = true)]
    pub trading_address: Option<String>,
    /// Whether sign-in asks for a second factor.
    pub totp_enabled: bool,
    /// How many passkeys there are.
    pub passkeys: u32,
    /// Inscription id of the picture.
    #[schema(required = true)]
    pub avatar: Option<InscriptionId>,
    /// Preferred tokens.
    pub default_tokens: DefaultTokens,
    /// The code to invite others with.
    pub referral_code: String,
    /// Account id of who invited this one.
    #[schema(required = true)]
    pub referred_by: Option<AccountId>,
    /// Password hint.
    #[schema(required = true)]
    pub password_hint: Option<String>,
    /// When the account was made, ms since the epoch.
    pub created_at: Timestamp,
}

impl From<Account> for Me {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            email: account.email,
            email_verified: account.email_verified,
            auth_method: account.auth_method,
            has_keystore: account.has_keystore,
            role: account.role,
            wallet: account.wallet,
            addresses: account.addresses,
            trading_address: account.trading_wallet.map(|wallet| wallet.address),
            totp_enabled: account.totp_enabled,
            passkeys: account.passkeys,
            avatar: account.avatar,
            default_tokens: account.default_tokens,
            referral_code: account.referral_code,
            referred_by: account.referred_by,
            password_hint: account.password_hint,
            created_at: account.created_at,
        }
    }
}
