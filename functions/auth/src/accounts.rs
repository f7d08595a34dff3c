//! Accounts: made by a registration or by a wallet's first sign-in, and signed in.

use shared::{
    app::App,
    auth::{
        AuthError,
        activity::{self, Entry},
        outcome,
        passkey::Updated,
        rate_limit::{self, SIGN_IN_BY_ACCOUNT},
        second_factor::{self, Accepted},
        vault::Sealed,
    },
    clock::Timestamp,
    models::{
        account::{Account, AccountId, AuthMethod, Role, Status},
        change::Change,
        email::EmailAddress,
        passkey::PasskeyId,
        wallet::WalletAddress,
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
    pub(crate) public_key: Option<String>,
    pub(crate) provider: Option<String>,
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
}

impl NewAccount {
    /// A new account with this way in and nothing else.
    pub(crate) fn of(id: AccountId, way_in: WayIn) -> Self {
        Self { id, way_in, email: None, keystore: None, referred_by: None, password_hint: None }
    }

    fn account(&self, referral_code: &str, at: Timestamp) -> Account {
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
        match &self.way_in {
            WayIn::Wallet(wallet) => account.set_wallet(
                &wallet.address,
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
    /// The referral code, or an id: another attempt makes others.
    Code,
}

impl From<Taken> for AuthError {
    fn from(taken: Taken) -> Self {
        match taken {
            Taken::Wallet => Self::AddressTaken,
            Taken::Email => Self::EmailTaken,
            Taken::Passkey => Self::PasskeyTaken,
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
    let opening = Opening::new(app, id, Role::User, 0, client).await?;
    let session = Some(opening.session.id);
    let entry = Entry::new(app, id, Change::AccountCreated, session, &client.context).await?;
    let uniqueness = Uniqueness { account_id: id };
    let appended = lists::append(&app.store, &[List::accounts()], |at| {
        let entry = Entry { created_at: at, ..entry.clone() };
        let mut rows = Transaction::new(&app.store)
            .insert(&Key::account(id), &new.account(&referral_code, at), Taken::Code)
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
            Ok(Ok((new.account(&referral_code, at), opening.tokens)))
        }
        Err(taken) => Ok(Err(taken)),
    }
}

/// What a sign-in has to write beside its session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spending {
    /// The code of the second factor.
    code: Option<Accepted>,
    /// What proved the account, where that stands in a row of its own.
    proved: Option<Proved>,
}

/// What proved an account, as it was when it did: none of it may have changed since.
#[derive(Clone, Debug)]
pub(crate) enum Proved {
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
    let spending = Spending { code, proved };
    let tokens = open(app, &mut account, &spending, client).await?;
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

/// What a failed condition means.
#[derive(Clone, Copy, Debug)]
enum Refused {
    /// The account is not as it was read.
    Changed,
    /// The code was used meanwhile.
    CodeUsed,
    /// The passkey was used meanwhile, or removed.
    PasskeyUsed,
}

impl From<Refused> for AuthError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Changed => Self::Changed,
            Refused::CodeUsed => Self::Otp,
            Refused::PasskeyUsed => Self::PasskeyUnknown,
        }
    }
}

/// Opens a session of an account that exists, in one transaction.
async fn open(
    app: &App,
    account: &mut Account,
    spending: &Spending,
    client: &Client,
) -> Result<TokenPair, AuthError> {
    let opening = Opening::new(app, account.id, account.role, account.epoch, client).await?;
    account.last_sign_in_at = opening.session.auth_time;
    let (id, account) = (account.id, &*account);
    let draft = || {
        let unchanged = Update::new()
            .set("lastSignInAt", account.last_sign_in_at)
            .if_equal("epoch", account.epoch)
            .if_equal("status", account.status);
        let mut rows = Transaction::new(&app.store)
            .insert(&opening.key(), &opening.session, Refused::Changed)
            .update(&Key::account(id), unchanged, Refused::Changed);
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
                    .set("lastUsedAt", opening.session.auth_time)
                    .if_equal("credential.signCount", before);
                rows.update(&Key::passkey(id, passkey), update, Refused::PasskeyUsed)
            }
            None => rows,
        }
    };
    let committed = match spending.code {
        Some(Accepted::Recovery { .. }) => {
            let (session, change) = (Some(opening.session.id), Change::RecoveryCodeUsed);
            let entry = Entry::new(app, id, change, session, &client.context).await?;
            activity::commit(app, account, entry, draft).await?
        }
        _ => outcome(app.store.commit(draft).await)?,
    };
    committed?;
    Ok(opening.tokens)
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
