//! Accounts.

use std::str::FromStr;

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{
    bitcoin::InscriptionId,
    email::EmailAddress,
    token::TokenId,
    trading_wallet::TradingWallet,
    wallet::{Chain, WalletAddress},
};

super::id!(
    /// An account's id.
    AccountId,
    "must be an account id, a UUID",
    "018bcfe5-6800-7000-8000-000000000001"
);

impl AccountId {
    /// The folder of the account's media. Everyone can see it, and it does not reveal the id. An id has 74
    /// random bits, so nobody can guess it.
    pub fn media_folder(self) -> String {
        let hash = Sha256::digest(format!("media#{self}"));
        hex::encode(hash.get(..16).unwrap_or_default())
    }
}

/// How an account was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuthMethod {
    /// With a password, proved by SRP.
    Srp,
    /// With a passkey.
    Passkey,
    /// With a message signed by an external wallet.
    Wallet,
}

/// The permissions of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// May use its own resources.
    User,
    /// May also use the admin routes.
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
    /// May be used.
    Active,
    /// May not be used: it has no valid session and cannot sign in.
    Disabled,
}

/// The sign-in wallet of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    /// Canonical address: EVM and bech32 in lowercase.
    pub address: String,
    /// Chain of the address.
    pub chain: Chain,
    /// The public key that proved the address; null for contract wallets.
    #[schema(required = true)]
    pub public_key: Option<String>,
    /// The wallet software, as named by the client.
    #[schema(required = true)]
    pub provider: Option<String>,
}

/// An address that the account has proved: its sign-in wallet or a linked address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnedAddress {
    /// Canonical address.
    pub address: String,
    /// Chain of the address.
    pub chain: Chain,
    /// EIP-155 id of the EVM chain on which a contract wallet proved the address; the account owns it on that
    /// chain only. Absent if a key proved the address, which then belongs to the account on every chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub contract_chain_id: Option<u64>,
}

impl OwnedAddress {
    /// An address proved by `public_key` or, if that is missing, by a contract wallet on the chain
    /// `evm_chain_id`.
    pub fn proved(address: &WalletAddress, public_key: Option<&str>, evm_chain_id: u64) -> Self {
        Self {
            address: address.as_str().to_owned(),
            chain: address.chain(),
            contract_chain_id: public_key.is_none().then_some(evm_chain_id),
        }
    }
}

/// The preferred token of an account for each slot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DefaultTokens {
    /// Token id in the slot `usdc`.
    #[schema(required = true)]
    pub usdc: Option<TokenId>,
}

/// An account as stored. Only [`Me`] and the rows of the admin list leave the service.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Optimistic lock, incremented by every replacement of the row.
    pub version: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// Canonical e-mail address.
    pub email: Option<EmailAddress>,
    /// Whether its owner proved access to the mailbox.
    pub email_verified: bool,
    /// How many times an operator has released its address. Tokens mailed under an earlier count are invalid.
    pub email_releases: u32,
    /// How it was created.
    pub auth_method: AuthMethod,
    /// Whether it has a keystore (the client's keys, encrypted by the client).
    pub has_keystore: bool,
    /// Its permissions.
    pub role: Role,
    /// Whether it may be used.
    pub status: Status,
    /// Incremented by every change of credentials. Sessions of an earlier epoch are invalid (custody rule
    /// 19).
    pub epoch: u64,
    /// Its sign-in wallet.
    pub wallet: Option<Wallet>,
    /// When the wallet was set by a rotation. Challenges issued earlier can no longer replace it.
    #[serde(default)]
    pub wallet_since: Timestamp,
    /// Addresses it has proved.
    pub addresses: Vec<OwnedAddress>,
    /// Addresses replaced by a rotation. The account still owns what it started with them.
    #[serde(default)]
    pub earlier_addresses: Vec<OwnedAddress>,
    /// Its two-signature Bitcoin wallet, once created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trading_wallet: Option<TradingWallet>,
    /// Whether sign-in requires a second factor.
    pub totp_enabled: bool,
    /// How many passkeys it has.
    pub passkeys: u32,
    /// Inscription shown as its avatar.
    pub avatar: Option<InscriptionId>,
    /// Preferred tokens.
    pub default_tokens: DefaultTokens,
    /// Its code for inviting others.
    pub referral_code: String,
    /// The account that invited it.
    pub referred_by: Option<AccountId>,
    /// A hint for its owner.
    pub password_hint: Option<String>,
    /// When a session was last opened.
    pub last_sign_in_at: Timestamp,
}

impl Account {
    /// A new account that has only its way of signing in.
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

    /// The name shown in authenticators: the e-mail address, or the account id if there is none.
    pub fn display_name(&self) -> String {
        self.email.as_ref().map_or_else(|| self.id.to_string(), EmailAddress::to_string)
    }

    /// Replaces the sign-in wallet with a proved address.
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
}

/// An account as shown to its owner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Account id.
    pub id: AccountId,
    /// E-mail address; null if there is none.
    #[schema(required = true)]
    pub email: Option<EmailAddress>,
    /// Whether the address is verified.
    pub email_verified: bool,
    /// How the account was created.
    pub auth_method: AuthMethod,
    /// Whether there is a keystore.
    pub has_keystore: bool,
    /// Permissions of the account.
    pub role: Role,
    /// The sign-in wallet; null if there is none.
    #[schema(required = true)]
    pub wallet: Option<Wallet>,
    /// Addresses that the account has proved, the sign-in wallet first.
    pub addresses: Vec<OwnedAddress>,
    /// The two-signature Bitcoin address; null until it is created.
    #[schema(required = true)]
    pub trading_address: Option<String>,
    /// Whether sign-in requires a second factor.
    pub totp_enabled: bool,
    /// Number of passkeys.
    pub passkeys: u32,
    /// Inscription id of the avatar.
    #[schema(required = true)]
    pub avatar: Option<InscriptionId>,
    /// Preferred tokens.
    pub default_tokens: DefaultTokens,
    /// Code for inviting others.
    pub referral_code: String,
    /// Whether another account invited this one. Its id is not shown, because accounts can sign in by their
    /// ids.
    pub is_referred: bool,
    /// Password hint.
    #[schema(required = true)]
    pub password_hint: Option<String>,
    /// When the account was created, ms since the epoch.
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
            is_referred: account.referred_by.is_some(),
            password_hint: account.password_hint,
            created_at: account.created_at,
        }
    }
}
