//! Creates accounts, at a registration or at a wallet's first sign-in, and signs them in.

use base::clock::Timestamp;
use identity::{
    activity::{self, Entry},
    credentials::{Credentials, Keystore, SrpCredential, StoredPasskey, TotpCredential},
    device, guess,
    passkey::Updated,
    second_factor::{self, Accepted, Code},
    trading_key::proved_key,
    trading_wallet,
    wallet::WalletError,
};
use shared::{
    accounts::{self, AddressOwner, EmailOwner, UniqueOwner},
    auth::{
        AuthError, LiveCaller,
        device_token::DeviceToken,
        limits::{self, SIGN_IN_BY_ACCOUNT},
        refused,
    },
    crypto::vault::Sealed,
    keys,
    models::{
        account::{Account, AccountId, AuthMethod, OwnedAddress, Role, Status},
        change::AccountChange,
        email::EmailAddress,
        passkey::PasskeyId,
        session::Session,
        trading_wallet::{TradingWallet, UserKey},
        wallet::WalletAddress,
    },
};
use store::{Update, Writes, lists};

use crate::{
    app::App,
    client::Client,
    guessed,
    refresh_token::{Refused, Successor},
    tokens::{NewSession, TokenPair},
};

/// A wallet whose signature was verified.
#[derive(Clone, Debug)]
pub(crate) struct ProvenWallet {
    pub(crate) address: WalletAddress,
    /// The address as stored with accounts, including the chains on which it is proved.
    pub(crate) proved: OwnedAddress,
    pub(crate) public_key: Option<String>,
    pub(crate) provider: Option<String>,
}

impl ProvenWallet {
    /// A wallet whose address was proved by a key or, without one, by its contract.
    pub(crate) fn new(
        app: &App,
        address: WalletAddress,
        public_key: Option<String>,
        provider: Option<String>,
    ) -> Self {
        let evm_chain_id = app.sign_in.evm_chain_id;
        let proved = OwnedAddress::proved(&address, public_key.as_deref(), evm_chain_id);
        Self { address, proved, public_key, provider }
    }

    /// Checks that this proof is as strong as the account's earlier one. A contract wallet proves its address
    /// on one chain only, so it signs in neither for a key nor for a contract on another chain.
    ///
    /// # Errors
    /// [`WalletError::ContractProvesLess`] if a contract wallet proves an address that the account proved in
    /// another way.
    pub(crate) fn proves_enough_for(&self, account: &Account) -> Result<(), WalletError> {
        if self.proved.contract_chain_id.is_none() || account.addresses.contains(&self.proved) {
            Ok(())
        } else {
            Err(WalletError::ContractProvesLess)
        }
    }

    /// The proved key, if it can be the user's key in a trading wallet; Bitcoin only.
    pub(crate) fn trading_key(&self) -> Option<UserKey> {
        proved_key(&self.address, self.public_key.as_ref()?).ok()
    }
}

/// The credential with which an account is created.
#[derive(Clone, Debug)]
pub(crate) enum FirstCredential {
    Wallet(ProvenWallet),
    Srp(SrpCredential),
    Passkey(StoredPasskey),
}

/// A new account: its first credential and its initial contents.
#[derive(Clone)]
pub(crate) struct NewAccount {
    pub(crate) id: AccountId,
    pub(crate) first_credential: FirstCredential,
    pub(crate) email: Option<EmailAddress>,
    pub(crate) keystore: Option<Keystore>,
    pub(crate) referred_by: Option<AccountId>,
    pub(crate) password_hint: Option<String>,
    /// The user's key of its trading wallet, proved by its own signature.
    pub(crate) trading_key: Option<UserKey>,
}

impl NewAccount {
    /// A new account with only this credential and the trading key that its wallet may have.
    pub(crate) fn new(id: AccountId, first_credential: FirstCredential) -> Self {
        let trading_key = match &first_credential {
            FirstCredential::Wallet(wallet) => wallet.trading_key(),
            FirstCredential::Srp(_) | FirstCredential::Passkey(_) => None,
        };
        Self {
            id,
            first_credential,
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
        let method = match self.first_credential {
            FirstCredential::Wallet(_) => AuthMethod::Wallet,
            FirstCredential::Srp(_) => AuthMethod::Srp,
            FirstCredential::Passkey(_) => AuthMethod::Passkey,
        };
        let mut account = Account::new(self.id, method, referral_code.to_owned(), at);
        account.email.clone_from(&self.email);
        account.has_keystore = self.keystore.is_some();
        account.referred_by = self.referred_by;
        account.password_hint.clone_from(&self.password_hint);
        account.trading_wallet = trading_wallet.cloned();
        match &self.first_credential {
            FirstCredential::Wallet(wallet) => account.set_wallet(
                wallet.proved.clone(),
                wallet.public_key.clone(),
                wallet.provider.clone(),
            ),
            FirstCredential::Passkey(_) => account.passkeys = 1,
            FirstCredential::Srp(_) => {}
        }
        account
    }
}

/// A fresh account id.
pub(crate) fn fresh_id(app: &App) -> AccountId {
    AccountId(app.random.id(app.clock.now()))
}

/// Why an account was not created.
#[derive(Debug)]
pub(crate) enum NotCreated {
    /// The referral code or an id belongs to another account; another attempt draws new ones.
    CodeTaken,
    /// Any other reason, for example that another of the account's unique values is taken.
    For(AuthError),
}

impl From<AuthError> for NotCreated {
    fn from(error: AuthError) -> Self {
        Self::For(error)
    }
}

impl From<NotCreated> for AuthError {
    fn from(error: NotCreated) -> Self {
        match error {
            NotCreated::CodeTaken => Self::Contended,
            NotCreated::For(error) => error,
        }
    }
}

/// An account with a session that was just opened.
pub(crate) struct Opened {
    pub(crate) account: Account,
    pub(crate) tokens: TokenPair,
    /// The device on which it was opened; the account now knows it.
    pub(crate) device: DeviceToken,
}

/// Attempts to create an account while other requests claim its address.
const ATTEMPTS: u32 = 4;

/// Creates an account and opens its first session, in one commit.
///
/// An account that holds the e-mail address unverified keeps it. The new account names the address too, and
/// takes it over by verifying it (custody rule 20).
pub(crate) async fn create(
    app: &App,
    new: &NewAccount,
    client: &Client,
) -> Result<Opened, NotCreated> {
    for _attempt in 0..ATTEMPTS {
        let holder = match &new.email {
            Some(email) => {
                accounts::email_owner(&app.store, email).await.map_err(AuthError::from)?
            }
            None => None,
        };
        if holder.is_some_and(|holder| holder.verified) {
            return Err(AuthError::EmailTaken.into());
        }
        let unclaimed_email = new.email.as_ref().filter(|_| holder.is_none());
        match create_with(app, new, unclaimed_email, client).await {
            // Another account has just claimed the address.
            Err(NotCreated::For(AuthError::EmailTaken)) => {}
            made => return made,
        }
    }
    Err(AuthError::Contended.into())
}

/// Creates the account, which claims `unclaimed_email`. If another account has just claimed that address, this
/// fails with [`AuthError::EmailTaken`] and writes nothing.
async fn create_with(
    app: &App,
    new: &NewAccount,
    unclaimed_email: Option<&EmailAddress>,
    client: &Client,
) -> Result<Opened, NotCreated> {
    let id = new.id;
    let device = device::keep_or_make_token(app, client.device()).await?;
    let referral_code = app.random.code::<8>();
    let trading_wallet = match new.trading_key {
        Some(key) => Some(trading_wallet::make(app, id, key).await?),
        None => None,
    };
    let opening = NewSession::new(app, id, Role::User, 0, client).await?;
    let session = Some(opening.session.id);
    let entry =
        Entry::new(app, id, AccountChange::AccountCreated, session, &client.context).await?;
    let uniqueness = UniqueOwner { account_id: id };
    let appended = lists::append(&app.store, &[keys::lists::accounts()], |at| {
        let entry = Entry { created_at: at, ..entry.clone() };
        let account = new.account(&referral_code, trading_wallet.as_ref(), at);
        let mut rows = Writes::new()
            .insert(&keys::account(id), &account, NotCreated::CodeTaken)
            .insert(&keys::referral(&referral_code), &uniqueness, NotCreated::CodeTaken)
            .insert(&opening.key(), &opening.session, NotCreated::CodeTaken);
        rows = lists::start(rows, &keys::lists::activity(id), entry, at, || NotCreated::CodeTaken);
        rows = device::with_known_device(rows, &account, &device, at, NotCreated::CodeTaken);
        rows = match &new.first_credential {
            FirstCredential::Wallet(wallet) => rows.insert(
                &keys::wallet(&wallet.address),
                &AddressOwner::signs_in(id),
                AuthError::AddressTaken.into(),
            ),
            FirstCredential::Srp(credential) => {
                rows.insert(&keys::srp(id), credential, NotCreated::CodeTaken)
            }
            FirstCredential::Passkey(passkey) => rows
                .insert(
                    &keys::passkey_owner(&passkey.id),
                    &uniqueness,
                    AuthError::PasskeyTaken.into(),
                )
                .insert(&keys::passkey(id, &passkey.id), passkey, NotCreated::CodeTaken),
        };
        // Write the trading key after the wallet. If the wallet is taken, so is its key, and the wallet's
        // owner must be signed in instead.
        if let Some(wallet) = &trading_wallet {
            rows = trading_wallet::claim(rows, wallet, id);
        }
        if let Some(email) = unclaimed_email {
            rows = rows.insert(
                &keys::email(email),
                &EmailOwner::unverified(id),
                AuthError::EmailTaken.into(),
            );
        }
        if let Some(keystore) = &new.keystore {
            rows = rows.insert(&keys::keystore(id), keystore, NotCreated::CodeTaken);
        }
        (rows, id)
    })
    .await;
    let at = appended.map_err(refused)?;
    let account = new.account(&referral_code, trading_wallet.as_ref(), at);
    Ok(Opened { account, tokens: opening.tokens, device })
}

/// What a sign-in writes in addition to its session.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignInWrites {
    /// The code of the second factor.
    code: Option<Accepted>,
    /// The proof of identity.
    proved: Option<UsedProof>,
    /// A trading wallet that the account gets.
    trading_wallet: Option<TradingWallet>,
}

impl SignInWrites {
    /// Adds the writes that use up the proof and the code.
    fn use_up<E: From<AuthError>>(
        &self,
        mut rows: Writes<E>,
        id: AccountId,
        at: Timestamp,
    ) -> Writes<E> {
        if let Some(code) = &self.code {
            rows = code.spend(rows, id, AuthError::Otp.into());
        }
        match &self.proved {
            Some(UsedProof::Password { verifier, .. }) => {
                let unchanged = Update::new().if_equal(SrpCredential::VERIFIER, verifier);
                rows.check(&keys::srp(id), unchanged, AuthError::Changed.into())
            }
            Some(UsedProof::Passkey(passkey, before, after)) => {
                let update = Update::new()
                    .set(StoredPasskey::CREDENTIAL_SIGN_COUNT, after.sign_count)
                    .set(StoredPasskey::CREDENTIAL_BACKUP_STATE, after.backup_state)
                    .set(StoredPasskey::LAST_USED_AT, at)
                    .if_equal(StoredPasskey::CREDENTIAL_SIGN_COUNT, before);
                rows.update(&keys::passkey(id, passkey), update, AuthError::PasskeyUnknown.into())
            }
            Some(UsedProof::TradingKey(_)) | None => rows,
        }
    }

    /// The changes that the audit trail records in addition to the sign-in itself.
    fn changes(&self) -> impl Iterator<Item = AccountChange> {
        let recovery = matches!(self.code, Some(Accepted::Recovery { .. }));
        let trading_wallet = self.trading_wallet.is_some();
        [
            (recovery, AccountChange::RecoveryCodeUsed),
            (trading_wallet, AccountChange::TradingWalletMade),
        ]
        .into_iter()
        .filter_map(|(done, change)| done.then_some(change))
    }
}

/// A proof of identity, with the state that it was checked against. The commit requires that this state has
/// not changed.
#[derive(Clone, Debug)]
pub(crate) enum UsedProof {
    /// A wallet with a key that can be the user's key in a trading wallet.
    TradingKey(UserKey),
    /// A password, checked with this verifier.
    Password {
        /// The verifier that it was checked against.
        verifier: Sealed,
        /// The name for which the guess was counted if the account does not know the device.
        guessed_for: String,
    },
    /// A passkey: its counter before the ceremony and its state after it.
    Passkey(PasskeyId, u32, Updated),
}

/// Requires the second factor if the account has one, then opens a session. The commit that opens the session
/// checks again everything that the session depends on.
pub(crate) async fn sign_in(
    app: &App,
    credentials: &Credentials,
    proved: Option<UsedProof>,
    code: Option<&Code>,
    client: &Client,
) -> Result<Opened, AuthError> {
    let mut account = credentials.account.clone();
    if account.status != Status::Active {
        return Err(AuthError::AccountDisabled);
    }
    let known_until = credentials.device_known_until;
    let known = known_until.and_then(|_| client.device_hash(account.id));
    let known = known.as_deref();
    let code = accept(app, credentials, code, known, client).await?;
    let device = device::keep_or_make_token(app, client.device()).await?;
    let trading_wallet = match proved {
        Some(UsedProof::TradingKey(key)) => missing_trading_wallet(app, &account, key).await,
        _ => None,
    };
    let mut spending = SignInWrites { code, proved, trading_wallet };
    let sign_in = if known.is_some() { AccountChange::SignedIn } else { AccountChange::NewDevice };
    let opened = match open(app, &account, &spending, sign_in, client).await {
        Err(AuthError::TradingKeyTaken) => {
            // Sign in without a trading wallet: the account is unchanged and nothing was written.
            tracing::warn!(account = %account.id, "signing in without a trading wallet: its key is taken");
            spending.trading_wallet = None;
            open(app, &account, &spending, sign_in, client).await
        }
        opened => opened,
    };
    let (tokens, at) = opened?;
    account.last_sign_in_at = at;
    account.trading_wallet = account.trading_wallet.or(spending.trading_wallet.take());
    forgive(app, account.id, &spending, known).await;
    device::remember(app, &account, &device, known_until).await;
    Ok(Opened { account, tokens, device })
}

/// Checks the code if the account has a second factor, and counts the sign-in against the account's limit.
async fn accept(
    app: &App,
    credentials: &Credentials,
    code: Option<&Code>,
    known_device: Option<&str>,
    client: &Client,
) -> Result<Option<Accepted>, AuthError> {
    let (id, context) = (credentials.account.id, &client.context);
    let accepted = match (credentials.account.totp_enabled, code) {
        (false, _) => None,
        (true, None) => return Err(AuthError::OtpRequired),
        (true, Some(code)) => {
            let none = TotpCredential::default();
            let totp = credentials.totp.as_ref().unwrap_or(&none);
            Some(second_factor::check(app, id, totp, code, false, context, known_device).await?)
        }
    };
    // Counted after the code, so that a stranger with the password cannot use up the limit.
    limits::hit(app, SIGN_IN_BY_ACCOUNT, &id.to_string()).await?;
    Ok(accepted)
}

/// Removes the correct guesses from the counts of guesses.
async fn forgive(app: &App, id: AccountId, spending: &SignInWrites, known: Option<&str>) {
    if spending.code.is_some() {
        second_factor::forget_attempts(app, id, known).await;
    }
    if let Some(UsedProof::Password { guessed_for, .. }) = &spending.proved {
        let subject = guessed::subject(id, guessed_for, known);
        guess::PASSWORD.forgive(app, &subject, known).await;
    }
}

/// Renews the caller's session after its owner has proved the account again: issues new tokens and restarts
/// the window for changes of credentials. The session's absolute lifetime is unchanged.
///
/// # Errors
/// [`AuthError::AnotherAccount`] if another account was proved.
pub(crate) async fn reauthenticate(
    app: &App,
    caller: &LiveCaller,
    credentials: &Credentials,
    proved: Option<UsedProof>,
    code: Option<&Code>,
    client: &Client,
) -> Result<(TokenPair, DeviceToken), AuthError> {
    let account = &credentials.account;
    if account.id != caller.account.id {
        return Err(AuthError::AnotherAccount);
    }
    let known_until = credentials.device_known_until;
    let known = known_until.and_then(|_| client.device_hash(account.id));
    let known = known.as_deref();
    let code = accept(app, credentials, code, known, client).await?;
    let device = device::keep_or_make_token(app, client.device()).await?;
    let spending = SignInWrites { code, proved, trading_wallet: None };
    let new_device = known.is_none().then_some(AccountChange::NewDevice);
    let changes: Vec<_> = [AccountChange::Reauthenticated]
        .into_iter()
        .chain(new_device)
        .chain(spending.changes())
        .collect();
    let tokens = renew(app, caller, &spending, &changes).await?;
    forgive(app, account.id, &spending, known).await;
    device::remember(app, account, &device, known_until).await;
    Ok((tokens, device))
}

/// Writes the renewal of the caller's session. Other requests may refresh it concurrently.
async fn renew(
    app: &App,
    caller: &LiveCaller,
    spending: &SignInWrites,
    changes: &[AccountChange],
) -> Result<TokenPair, AuthError> {
    let (account, context) = (&caller.account, &caller.context);
    let mut session = caller.session.clone();
    for _attempt in 0..ATTEMPTS {
        let now = app.clock.now();
        let next = Successor::new(app, &session, context).await?;
        let tokens = next.issue(app, account.role, now).await?;
        let mut entries = Vec::new();
        for change in changes {
            entries.push(Entry::by_caller(app, caller, *change).await?);
        }
        let committed = activity::commit_entries(app, account, &entries, None, || {
            let renewed = next.update(now).set(Session::AUTH_TIME, now);
            let unchanged = Update::new()
                .if_equal(Account::EPOCH, account.epoch)
                .if_equal(Account::STATUS, account.status);
            let rows = next.writes(renewed);
            let rows = rows.check(&keys::account(account.id), unchanged, AuthError::Changed.into());
            spending.use_up(rows, account.id, now)
        });
        match committed.await {
            Err(Refused::Moved) => {}
            Err(Refused::For(error)) => return Err(error),
            Ok(()) => return Ok(tokens),
        }
        let (_, moved) = accounts::with_session(&app.store, account.id, session.id).await?;
        let alive = moved.filter(|moved| moved.is_alive(account, now));
        session = alive.ok_or(AuthError::Changed)?;
    }
    Err(AuthError::Contended)
}

/// The trading wallet of an account without one, if its wallet has now proved a suitable key. A failure must
/// not prevent the sign-in, because the account can get the wallet later.
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
            tracing::warn!(account = %account.id, %error, "signing in without a trading wallet");
            None
        }
    }
}

/// Opens a session of an existing account and commits everything that belongs to it. Returns the tokens and
/// the time of the sign-in.
///
/// # Errors
/// [`AuthError::Changed`] if the account has changed since it was read; [`AuthError::Otp`] or
/// [`AuthError::PasskeyUnknown`] if the code or the passkey was used in the meantime;
/// [`TradingKeyError::Taken`] if the key is the user's key in another trading wallet.
async fn open(
    app: &App,
    account: &Account,
    spending: &SignInWrites,
    sign_in: AccountChange,
    client: &Client,
) -> Result<(TokenPair, Timestamp), AuthError> {
    let id = account.id;
    let opening = NewSession::new(app, id, account.role, account.epoch, client).await?;
    let at = opening.session.auth_time;
    let draft = || {
        let mut unchanged = Update::new()
            .set(Account::LAST_SIGN_IN_AT, at)
            .if_equal(Account::EPOCH, account.epoch)
            .if_equal(Account::STATUS, account.status);
        if let Some(wallet) = &spending.trading_wallet {
            unchanged =
                unchanged.set(Account::TRADING_WALLET, wallet).if_absent(Account::TRADING_WALLET);
        }
        let mut rows = Writes::new()
            .insert(&opening.key(), &opening.session, AuthError::Changed)
            .update(&keys::account(id), unchanged, AuthError::Changed);
        if let Some(wallet) = &spending.trading_wallet {
            rows = trading_wallet::claim(rows, wallet, id);
        }
        spending.use_up(rows, id, at)
    };
    let session = Some(opening.session.id);
    let mut entries = Vec::new();
    for change in [sign_in].into_iter().chain(spending.changes()) {
        entries.push(Entry::new(app, id, change, session, &client.context).await?);
    }
    activity::commit_entries(app, account, &entries, None, draft).await?;
    Ok((opening.tokens, at))
}
