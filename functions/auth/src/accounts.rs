//! Accounts: made by a registration or by a wallet's first sign-in, and signed in.

use shared::{
    app::App,
    auth::{
        AuthError,
        activity::{self, Entry},
        credentials::{Credentials, Keystore, SrpCredential, StoredPasskey, TotpCredential},
        device::{self, DeviceToken},
        guess, outcome,
        passkey::Updated,
        rate_limit::{self, SIGN_IN_BY_ACCOUNT},
        second_factor::{self, Accepted},
        trading_wallet::{self, TradingKeyError},
        wallet::WalletError,
    },
    clock::Timestamp,
    keys::vault::Sealed,
    models::{
        account::{Account, AccountId, AuthMethod, OwnedAddress, Role, Status},
        change::Change,
        email::EmailAddress,
        passkey::PasskeyId,
        trading_wallet::{TradingWallet, UserKey},
        wallet::WalletAddress,
    },
    store::{
        Key, Update, Writes,
        accounts::{self, AddressOwner, EmailOwner, Uniqueness},
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

    /// The key that it has proved, where that can be the user's in a trading wallet: of Bitcoin.
    pub(crate) fn trading_key(&self) -> Option<UserKey> {
        trading_wallet::proved_key(&self.address, self.public_key.as_ref()?).ok()
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
    pub(crate) trading_key: Option<UserKey>,
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

/// An account whose session was opened.
pub(crate) struct Opened {
    pub(crate) account: Account,
    pub(crate) tokens: TokenPair,
    /// The device that it was opened on, which the account knows now.
    pub(crate) device: DeviceToken,
}

/// Attempts to make an account whose address others name at the same time.
const ATTEMPTS: u32 = 4;

/// Makes an account and opens its first session, in one transaction.
///
/// An address that another account holds and has not proved stays with that one: the new account
/// names it too, and gets it by proving it (custody rule 20).
pub(crate) async fn make(
    app: &App,
    new: &NewAccount,
    client: &Client,
) -> Result<Result<Opened, Taken>, AuthError> {
    for _attempt in 0..ATTEMPTS {
        let holder = match &new.email {
            Some(email) => accounts::email_owner(&app.store, email).await?,
            None => None,
        };
        if holder.is_some_and(|holder| holder.verified) {
            return Ok(Err(Taken::Email));
        }
        let free = new.email.as_ref().filter(|_| holder.is_none());
        match make_with(app, new, free, client).await? {
            // Another account has just named it.
            Err(Taken::Email) => {}
            made => return Ok(made),
        }
    }
    Err(AuthError::Contended)
}

/// The same with an address that no account holds, if there is one.
async fn make_with(
    app: &App,
    new: &NewAccount,
    free: Option<&EmailAddress>,
    client: &Client,
) -> Result<Result<Opened, Taken>, AuthError> {
    let id = new.id;
    let device = DeviceToken::keep_or_make(app, client.device()).await?;
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
        let mut rows = Writes::new()
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
        if let Some(email) = free {
            rows = rows.insert(&Key::email(email), &EmailOwner::unverified(id), Taken::Email);
        }
        if let Some(keystore) = &new.keystore {
            rows = rows.insert(&Key::keystore(id), keystore, Taken::Code);
        }
        (rows, id)
    })
    .await;
    match outcome(appended)? {
        Ok(at) => {
            let account = new.account(&referral_code, trading_wallet.as_ref(), at);
            device::remember(app, &account, &device, None).await;
            Ok(Ok(Opened { account, tokens: opening.tokens, device }))
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
    /// The changes that the audit trail gets next to the sign-in.
    fn changes(&self) -> impl Iterator<Item = Change> {
        let recovery = matches!(self.code, Some(Accepted::Recovery { .. }));
        let trading_wallet = self.trading_wallet.is_some();
        [(recovery, Change::RecoveryCodeUsed), (trading_wallet, Change::TradingWalletMade)]
            .into_iter()
            .filter_map(|(done, change)| done.then_some(change))
    }
}

/// What proved an account, as it was when it did: none of it may have changed since.
#[derive(Clone, Debug)]
pub(crate) enum Proved {
    /// A wallet, by a key that can be the user's in a trading wallet.
    TradingKey(UserKey),
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
) -> Result<Opened, AuthError> {
    let mut account = credentials.account.clone();
    if account.status != Status::Active {
        return Err(AuthError::AccountDisabled);
    }
    let known_until = credentials.device_known_until;
    let known = known_until.and_then(|_| client.device_hash(account.id));
    let known = known.as_deref();
    let code = match (account.totp_enabled, code) {
        (false, _) => None,
        (true, None) => return Err(AuthError::OtpRequired),
        (true, Some(code)) => Some(accept(app, credentials, code, known, client).await?),
    };
    // After the code, so that the password alone does not use it up.
    rate_limit::hit(app, SIGN_IN_BY_ACCOUNT, &account.id.to_string()).await?;
    let device = DeviceToken::keep_or_make(app, client.device()).await?;
    let trading_wallet = match proved {
        Some(Proved::TradingKey(key)) => missing_trading_wallet(app, &account, key).await,
        _ => None,
    };
    let mut spending = Spending { code, proved, trading_wallet };
    let sign_in = if known.is_some() { Change::SignedIn } else { Change::NewDevice };
    let opened = match open(app, &account, &spending, sign_in, client).await? {
        Err(Refused::TradingKeyTaken) => {
            // No reason to let nobody in: the account is as it was, and nothing was written.
            tracing::warn!(account = %account.id, "no trading wallet: its key is taken");
            spending.trading_wallet = None;
            open(app, &account, &spending, sign_in, client).await?
        }
        opened => opened,
    };
    let (tokens, at) = opened?;
    account.last_sign_in_at = at;
    account.trading_wallet = account.trading_wallet.or(spending.trading_wallet);
    if spending.code.is_some() {
        second_factor::forget_attempts(app, account.id, known).await;
    }
    if matches!(spending.proved, Some(Proved::Password(_))) {
        guess::PASSWORD.forgive(app, &account.id.to_string(), known).await;
    }
    device::remember(app, &account, &device, known_until).await;
    Ok(Opened { account, tokens, device })
}

async fn accept(
    app: &App,
    credentials: &Credentials,
    code: &str,
    known_device: Option<&str>,
    client: &Client,
) -> Result<Accepted, AuthError> {
    let none = TotpCredential::default();
    let totp = credentials.totp.as_ref().unwrap_or(&none);
    let (id, context) = (credentials.account.id, &client.context);
    second_factor::check(app, id, totp, code, false, context, known_device).await
}

/// The trading wallet of an account that was made without one, now that its wallet has proved a key
/// for it. It is no reason to let nobody in: the account can have it later.
async fn missing_trading_wallet(
    app: &App,
    account: &Account,
    key: UserKey,
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
    sign_in: Change,
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
        let mut rows = Writes::new()
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
    let session = Some(opening.session.id);
    let mut entries = Vec::new();
    for change in [sign_in].into_iter().chain(spending.changes()) {
        entries.push(Entry::new(app, id, change, session, &client.context).await?);
    }
    let committed = activity::commit_entries(app, account, &entries, None, draft).await?;
    Ok(committed.map(|()| (opening.tokens, at)))
}
