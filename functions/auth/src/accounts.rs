//! Accounts: made by a registration or by a wallet's first sign-in, and signed in.

use bitcoin::PublicKey;
use shared::{
    app::App,
    auth::{
        AuthError,
        activity::{self, Entry},
        outcome,
        passkey::Updated,
        rate_limit::{self, SIGN_IN_BY_ACCOUNT},
        second_factor::{self, Accepted},
        trading_wallet::{self, TradingKeyError},
        vault::Sealed,
        wallet::WalletError,
    },
    clock::Timestamp,
    models::{
        account::{Account, AccountId, AuthMethod, OwnedAddress, Role, Status},
        change::Change,
        email::EmailAddress,
        passkey::PasskeyId,
        trading_wallet::TradingWallet,
        wallet::{Chain, WalletAddress},
    },
    store::{
        Key, Transaction, Update,
        accounts::{AddressOwner, EmailOwner, KnownSource, Uniqueness},
        credentials::{Credentials, Keystore, SrpCredential, StoredPasskey, TotpCredential},
        keys::List,
        lists,
    },
};

use crate::{
    client::Client,
    tokens::{Opening, TokenPair},
};

/// A wallet that has proved itself.
#[derive(Clone, Debug)]
pub(crate) struct ProvenWallet {
    pub(crate) address: WalletAddress,
    /// The address as accounts have it: on which chains it is proved.
    pub(crate) proved: OwnedAddress,
    pub(crate) public_key: Option<String>,
    pub(crate) provider: Option<String>,
}

impl ProvenWallet {
    /// A wallet that has proved its address by a key, or, without one, by its contract.
    pub(crate) fn new(
        app: &App,
        address: WalletAddress,
        public_key: Option<String>,
        provider: Option<String>,
    ) -> Self {
        let evm_chain_id = app.config.sign_in.evm_chain_id;
        let proved = OwnedAddress::proved(&address, public_key.as_deref(), evm_chain_id);
        Self { address, proved, public_key, provider }
    }

    /// Whether it proves as much as the account's owner has: a contract wallet, which proves its
    /// address on one chain, does not sign in for a key, nor for a contract on another chain.
    ///
    /// # Errors
    /// [`WalletError::ContractProvesLess`].
    pub(crate) fn proves_enough_for(&self, account: &Account) -> Result<(), WalletError> {
        if self.proved.contract_chain_id.is_none() || account.addresses.contains(&self.proved) {
            Ok(())
        } else {
            Err(WalletError::ContractProvesLess)
        }
    }

    /// The key that it has proved, where that can be the user's in a trading wallet: of Bitcoin, and
    /// compressed. Taproot wallets may name theirs x-only, which leaves its parity open.
    pub(crate) fn trading_key(&self) -> Option<PublicKey> {
        let key = self.public_key.as_ref().filter(|_| self.address.chain() == Chain::Bitcoin)?;
        trading_wallet::read_key(key).ok()
    }
}

/// The way into a new account.
#[derive(Clone, Debug)]
pub(crate) enum WayIn {
    Wallet(ProvenWallet),
    Srp(SrpCredential),
    Passkey(StoredPasskey),
}

/// A new account: its way in, and what else it begins with.
#[derive(Clone)]
pub(crate) struct NewAccount {
    pub(crate) id: AccountId,
    pub(crate) way_in: WayIn,
    pub(crate) email: Option<EmailAddress>,
    pub(crate) keystore: Option<Keystore>,
    pub(crate) referred_by: Option<AccountId>,
    pub(crate) password_hint: Option<String>,
    /// The key of its trading wallet, proved by its own signature.
    pub(crate) trading_key: Option<PublicKey>,
}

impl NewAccount {
    /// A new account with this way in, and nothing else but what follows from it.
    pub(crate) fn of(id: AccountId, way_in: WayIn) -> Self {
        let trading_key = match &way_in {
            WayIn::Wallet(wallet) => wallet.trading_key(),
            WayIn::Srp(_) | WayIn::Passkey(_) => None,
        };
        Self {
            id,
            way_in,
            email: None,
            keystore: None,
            referred_by: None,
            password_hint: None,
            trading_key,
        }
    }

    fn account(
        &self,
        referral_code: &str,
        trading_wallet: Option<&TradingWallet>,
        at: Timestamp,
    ) -> Account {
        let method = match self.way_in {
            WayIn::Wallet(_) => AuthMethod::Wallet,
            WayIn::Srp(_) => AuthMethod::Srp,
            WayIn::Passkey(_) => AuthMethod::Passkey,
        };
        let mut account = Account::new(self.id, method, referral_code.to_owned(), at);
        account.email.clone_from(&self.email);
        account.has_keystore = self.keystore.is_some();
        account.referred_by = self.referred_by;
        account.password_hint.clone_from(&self.password_hint);
        account.trading_wallet = trading_wallet.cloned();
        match &self.way_in {
            WayIn::Wallet(wallet) => account.set_wallet(
                wallet.proved.clone(),
                wallet.public_key.clone(),
                wallet.provider.clone(),
            ),
            WayIn::Passkey(_) => account.passkeys = 1,
            WayIn::Srp(_) => {}
        }
        account
    }
}

/// A fresh account id.
pub(crate) fn fresh_id(app: &App) -> AccountId {
    AccountId(app.random.id(app.clock.now()))
}

/// What a failed condition means: which of its things is another account's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Wallet,
    Email,
    Passkey,
    TradingKey,
    /// The referral code, or an id: another attempt makes others.
    Code,
}

impl From<Taken> for AuthError {
    fn from(taken: Taken) -> Self {
        match taken {
            Taken::Wallet => Self::AddressTaken,
            Taken::Email => Self::EmailTaken,
            Taken::Passkey => Self::PasskeyTaken,
            Taken::TradingKey => TradingKeyError::Taken.into(),
            Taken::Code => Self::Contended,
        }
    }
}

/// Makes an account and opens its first session, in one transaction.
pub(crate) async fn make(
    app: &App,
    new: &NewAccount,
    client: &Client,
) -> Result<Result<(Account, TokenPair), Taken>, AuthError> {
    let id = new.id;
    let referral_code = app.random.code::<8>();
    let trading_wallet = match new.trading_key {
        Some(key) => Some(trading_wallet::make(app, id, key).await?),
        None => None,
    };
    let opening = Opening::new(app, id, Role::User, 0, client).await?;
    let session = Some(opening.session.id);
    let entry = Entry::new(app, id, Change::AccountCreated, session, &client.context).await?;
    let uniqueness = Uniqueness { account_id: id };
    let appended = lists::append(&app.store, &[List::accounts()], |at| {
        let entry = Entry { created_at: at, ..entry.clone() };
        let account = new.account(&referral_code, trading_wallet.as_ref(), at);
        let mut rows = Transaction::new(&app.store)
            .insert(&Key::account(id), &account, Taken::Code)
            .insert(&Key::referral(&referral_code), &uniqueness, Taken::Code)
            .insert(&opening.key(), &opening.session, Taken::Code);
        rows = lists::start(rows, &List::activity(id), entry, at, Taken::Code);
        rows = match &new.way_in {
            WayIn::Wallet(wallet) => rows.insert(
                &Key::wallet(&wallet.address),
                &AddressOwner::signs_in(id),
                Taken::Wallet,
            ),
            WayIn::Srp(credential) => rows.insert(&Key::srp(id), credential, Taken::Code),
            WayIn::Passkey(passkey) => rows
                .insert(&Key::passkey_owner(&passkey.id), &uniqueness, Taken::Passkey)
                .insert(&Key::passkey(id, &passkey.id), passkey, Taken::Code),
        };
        // After the wallet: where that is taken, its key is too, and whose it is signs in.
        if let Some(wallet) = &trading_wallet {
            let key = trading_wallet::key_of(wallet);
            rows = rows.insert(&key, &uniqueness, Taken::TradingKey);
        }
        if let Some(email) = &new.email {
            let owner = EmailOwner::unverified(id, at);
            let lapsed = Some(EmailOwner::lapsed(at));
            rows = rows.insert_or(&Key::email(email), &owner, lapsed, Taken::Email);
        }
        if let Some(keystore) = &new.keystore {
            rows = rows.insert(&Key::keystore(id), keystore, Taken::Code);
        }
        (rows, id)
    })
    .await;
    match outcome(appended)? {
        Ok(at) => {
            remember_source(app, id, client).await;
            let account = new.account(&referral_code, trading_wallet.as_ref(), at);
            Ok(Ok((account, opening.tokens)))
        }
        Err(taken) => Ok(Err(taken)),
    }
}

/// What a sign-in has to write beside its session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spending {
    /// The code of the second factor.
    code: Option<Accepted>,
    /// What proved the account.
    proved: Option<Proved>,
    /// A trading wallet that the account gets.
    trading_wallet: Option<TradingWallet>,
}

impl Spending {
    /// What the account's owner is told of.
    fn change(&self) -> Option<Change> {
        match self.code {
            Some(Accepted::Recovery { .. }) => Some(Change::RecoveryCodeUsed),
            _ => self.trading_wallet.as_ref().map(|_| Change::TradingWalletMade),
        }
    }
}

/// What proved an account, as it was when it did: none of it may have changed since.
#[derive(Clone, Debug)]
pub(crate) enum Proved {
    /// A wallet, by a key that can be the user's in a trading wallet.
    TradingKey(PublicKey),
    /// A password, by this verifier.
    Password(Sealed),
    /// A passkey: its counter as it was checked, and as it is now.
    Passkey(PasskeyId, u32, Updated),
}

/// Asks for the second factor where the account has one, then opens a session; all that a session
/// of the account rests on is checked again when it is written.
pub(crate) async fn sign_in(
    app: &App,
    credentials: &Credentials,
    proved: Option<Proved>,
    code: Option<&str>,
    client: &Client,
) -> Result<(Account, TokenPair), AuthError> {
    let mut account = credentials.account.clone();
    if account.status != Status::Active {
        return Err(AuthError::AccountDisabled);
    }
    rate_limit::hit(app, SIGN_IN_BY_ACCOUNT, &account.id.to_string()).await?;
    let code = match (account.totp_enabled, code) {
        (false, _) => None,
        (true, None) => return Err(AuthError::OtpRequired),
        (true, Some(code)) => Some(accept(app, credentials, code, client).await?),
    };
    let trading_wallet = match proved {
        // An entry of the audit trail tells of one change: beside a recovery code it waits.
        Some(Proved::TradingKey(key)) if !matches!(code, Some(Accepted::Recovery { .. })) => {
            missing_trading_wallet(app, &account, key).await
        }
        _ => None,
    };
    let mut spending = Spending { code, proved, trading_wallet };
    let opened = match open(app, &account, &spending, client).await? {
        Err(Refused::TradingKeyTaken) => {
            // No reason to let nobody in: the account is as it was, and nothing was written.
            tracing::warn!(account = %account.id, "no trading wallet: its key is taken");
            spending.trading_wallet = None;
            open(app, &account, &spending, client).await?
        }
        opened => opened,
    };
    let (tokens, at) = opened?;
    account.last_sign_in_at = at;
    account.trading_wallet = account.trading_wallet.or(spending.trading_wallet);
    if spending.code.is_some() {
        second_factor::forget_attempts(app, account.id).await;
    }
    if !credentials.knows_source {
        remember_source(app, account.id, client).await;
    }
    Ok((account, tokens))
}

async fn accept(
    app: &App,
    credentials: &Credentials,
    code: &str,
    client: &Client,
) -> Result<Accepted, AuthError> {
    let none = TotpCredential::default();
    let totp = credentials.totp.as_ref().unwrap_or(&none);
    second_factor::check(app, credentials.account.id, totp, code, false, &client.context).await
}

/// The trading wallet of an account that was made without one, now that its wallet has proved a key
/// for it. It is no reason to let nobody in: the account can have it later.
async fn missing_trading_wallet(
    app: &App,
    account: &Account,
    key: PublicKey,
) -> Option<TradingWallet> {
    if account.trading_wallet.is_some() {
        return None;
    }
    match trading_wallet::make(app, account.id, key).await {
        Ok(wallet) => Some(wallet),
        Err(error) => {
            tracing::warn!(account = %account.id, %error, "no trading wallet");
            None
        }
    }
}

/// What a failed condition means.
#[derive(Clone, Copy, Debug)]
enum Refused {
    /// The account is not as it was read.
    Changed,
    /// The code was used meanwhile.
    CodeUsed,
    /// The passkey was used meanwhile, or removed.
    PasskeyUsed,
    /// The key is the user's in another trading wallet.
    TradingKeyTaken,
}

impl From<Refused> for AuthError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Changed => Self::Changed,
            Refused::CodeUsed => Self::Otp,
            Refused::PasskeyUsed => Self::PasskeyUnknown,
            Refused::TradingKeyTaken => TradingKeyError::Taken.into(),
        }
    }
}

/// Opens a session of an account that exists, in one transaction; its tokens, and when it was.
async fn open(
    app: &App,
    account: &Account,
    spending: &Spending,
    client: &Client,
) -> Result<Result<(TokenPair, Timestamp), Refused>, AuthError> {
    let id = account.id;
    let opening = Opening::new(app, id, account.role, account.epoch, client).await?;
    let at = opening.session.auth_time;
    let draft = || {
        let mut unchanged = Update::new()
            .set("lastSignInAt", at)
            .if_equal("epoch", account.epoch)
            .if_equal("status", account.status);
        if let Some(wallet) = &spending.trading_wallet {
            unchanged = unchanged.set("tradingWallet", wallet).if_absent("tradingWallet");
        }
        let mut rows = Transaction::new(&app.store)
            .insert(&opening.key(), &opening.session, Refused::Changed)
            .update(&Key::account(id), unchanged, Refused::Changed);
        if let Some(wallet) = &spending.trading_wallet {
            let owner = Uniqueness { account_id: id };
            let key = trading_wallet::key_of(wallet);
            rows = rows.insert(&key, &owner, Refused::TradingKeyTaken);
        }
        if let Some(code) = &spending.code {
            rows = code.spend(rows, id, Refused::CodeUsed);
        }
        match &spending.proved {
            Some(Proved::Password(verifier)) => {
                let unchanged = Update::new().if_equal("verifier", verifier);
                rows.check(&Key::srp(id), unchanged, Refused::Changed)
            }
            Some(Proved::Passkey(passkey, before, after)) => {
                let update = Update::new()
                    .set("credential.signCount", after.sign_count)
                    .set("credential.backupState", after.backup_state)
                    .set("lastUsedAt", at)
                    .if_equal("credential.signCount", before);
                rows.update(&Key::passkey(id, passkey), update, Refused::PasskeyUsed)
            }
            Some(Proved::TradingKey(_)) | None => rows,
        }
    };
    let committed = match spending.change() {
        Some(change) => {
            let session = Some(opening.session.id);
            let entry = Entry::new(app, id, change, session, &client.context).await?;
            activity::commit(app, account, entry, draft).await?
        }
        None => outcome(app.store.commit(draft).await)?,
    };
    Ok(committed.map(|()| (opening.tokens, at)))
}

/// How long a source stays known.
const KNOWN: std::time::Duration = std::time::Duration::from_secs(90 * 24 * 60 * 60);

/// Notes that the account signs in from here, so that strangers cannot lock it out here. Without
/// the note it still signs in, so a failure is no failure of the sign-in.
async fn remember_source(app: &App, account: AccountId, client: &Client) {
    let Some(source) = client.source_ip().map(rate_limit::subject_of) else { return };
    let known = KnownSource { expires_at: app.clock.now().plus(KNOWN).seconds() };
    if let Err(error) = app.store.put(&Key::known_source(account, &source), &known).await {
        tracing::warn!(%account, %error, "known source not noted");
    }
}
