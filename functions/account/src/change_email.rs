//! `POST /api/account/change-email/init` and `verify`.

use std::{iter, time::Duration};

use axum::extract::State;
use base::clock::Timestamp;
use identity::{
    activity::{self, Entry},
    credentials::{self, SrpCredential},
    device,
    email_proof::{self, EmailClaim, EmailToken},
    failed_proofs::{self, Proof},
    guess,
    handshake::{self, HandshakePurpose, SrpProof, SrpSession, VerifierProof},
    second_factor::{self, Accepted, Code, LONGEST_CODE},
};
use serde::{Deserialize, Serialize};
use shared::{
    accounts::{self, EmailOwner},
    auth::{
        AuthError,
        limits::{
            self, CHANGE_MAIL_BY_ADDRESS, CHANGE_NOTICE_BY_ADDRESS, EMAIL_BY_ACCOUNT,
            EMAIL_BY_ADDRESS, EMAIL_BY_SOURCE, EMAIL_TOKEN_BY_ACCOUNT, hit_by_source, hit_source,
            subject_of_email,
        },
        refused,
    },
    http::{Envelope, Fields, Input, LiveCaller, OkWith, Result, Valid},
    keys,
    mail::{Letter, Mail},
    models::{
        account::{Account, AuthMethod, Me},
        change::AccountChange,
        email::{self, EmailAddress},
    },
};
use store::{Entity, Update, Writes, fields};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AccountError, app::App, password};

/// A change that waits for its mailed token.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EmailChange {
    new_email: EmailAddress,
    /// SHA-256 of the token, hex.
    token_hash: String,
    /// Tokens mailed earlier for the same address. They stay valid, because a mail may arrive after the user
    /// has requested the next one.
    earlier: Vec<EarlierToken>,
    /// Hash of the first of all these tokens: attempts with any of them are counted together (custody rule 20).
    first_token_hash: String,
    /// The account's [`Account::email_releases`] when the change was requested.
    email_releases: u32,
    /// When both mails were queued. If absent, the next request mails another token.
    mailed_at: Option<Timestamp>,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
    /// When the token was used, whole seconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    used_at: Option<i64>,
}

impl Entity for EmailChange {
    const ENTITY: &'static str = "emailChange";
}

fields!(EmailChange {
    TOKEN_HASH: String = token_hash,
    MAILED_AT: Option<Timestamp> = mailed_at,
});

/// A token that was mailed before the current one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EarlierToken {
    token_hash: String,
    /// Whole seconds since the epoch.
    expires_at: i64,
}

impl EmailChange {
    /// The tokens that are still valid at `now` (whole seconds since the epoch), as the earlier tokens of the
    /// next change.
    fn into_earlier(self, now: i64) -> Vec<EarlierToken> {
        let last = EarlierToken { token_hash: self.token_hash, expires_at: self.expires_at };
        let tokens = iter::once(last).chain(self.earlier);
        tokens.filter(|token| token.expires_at > now).collect()
    }

    fn accepts(&self, token: &EmailToken, now: i64) -> bool {
        let earlier = self.earlier.iter().filter(|earlier| earlier.expires_at > now);
        let mut hashes = iter::once(&self.token_hash).chain(earlier.map(|one| &one.token_hash));
        hashes.any(|hash| token.has_hash(hash))
    }
}

/// The account's pending change, if any. A change to the account's current address is already complete: a
/// concurrent request for the same address finished it. A change requested before an operator released the
/// account's address is void.
async fn pending_change(app: &App, account: &Account) -> Result<Option<EmailChange>, AuthError> {
    let row = app.store.get::<EmailChange>(&keys::email_change(account.id)).await?;
    let now = app.clock.now().past_seconds();
    let still_applies = |row: &EmailChange| {
        row.email_releases == account.email_releases
            && account.email.as_ref() != Some(&row.new_email)
    };
    Ok(row.filter(|row| row.used_at.is_none() && row.expires_at > now && still_applies(row)))
}

/// For how long after a mail a repeated request sends no further mail.
const MAIL_PAUSE: Duration = Duration::from_secs(60);

/// The e-mail address to change to.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChangeEmailInit {
    /// The new e-mail address.
    #[schema(max_length = 254)]
    new_email: EmailAddress,
}

impl Input for ChangeEmailInit {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { new_email: fields.parsed("newEmail", email::LONGEST)? })
    }
}

/// What the client needs in addition to the mailed token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeEmailSession {
    /// For an account with a password: the handshake to prove it, with the *old* address as the identity.
    /// Valid for 10 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = SrpSession)]
    srp_session: Option<SrpSession>,
}

/// Whether a mail was sent.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct ChangeEmailMailed {
    /// Whether this request mailed a token. False within a minute of the last mail, whose link stays valid.
    mailed: bool,
}

/// Mails a token to the new address and a notice to the current one. A repeated request with the same address
/// gets a new handshake. If the last mail is at least 60 seconds old, it also mails a new token; the earlier
/// one stays valid until it expires or the address changes. A request for another address voids all earlier
/// tokens. At most 3 requests per hour may send mail.
#[utoipa::path(
    post,
    path = "/api/account/change-email/init",
    tag = "account",
    security(("bearer" = [])),
    request_body = ChangeEmailInit,
    responses((
        status = 200,
        description = "The token was mailed, now or less than a minute ago",
        body = OkWith<ChangeEmailSession, ChangeEmailMailed>
    ))
)]
pub async fn init_change_email(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<ChangeEmailInit>,
) -> Result<OkWith<ChangeEmailSession, ChangeEmailMailed>> {
    let account = &caller.account;
    let before = pending_change(&app, account).await?.filter(|row| row.new_email == body.new_email);
    let last = before.as_ref().and_then(|row| row.mailed_at);
    let mailed = last.is_none_or(|last| last.plus(MAIL_PAUSE) <= app.clock.now());
    if mailed {
        // Count before the response reveals whether an address is taken.
        limits::hit(&app, EMAIL_BY_ACCOUNT, &account.id.to_string()).await?;
        hit_source(&app, EMAIL_BY_SOURCE, caller.context.source_ip).await?;
    }
    if account.email.as_ref() == Some(&body.new_email) {
        return Err(AccountError::EmailUnchanged.into());
    }
    let owner = accounts::email_owner(&app.store, &body.new_email).await?;
    if owner.is_some_and(|owner| owner.verified && owner.account_id != account.id) {
        return Err(AccountError::EmailTaken.into());
    }
    if mailed {
        let before = before.filter(|_| last.is_some());
        request_change(&app, &caller, body.new_email, before).await?;
    }
    let srp_session = match account.auth_method {
        AuthMethod::Srp => {
            Some(password::begin(&app, &caller, HandshakePurpose::ChangeEmail).await?)
        }
        AuthMethod::Passkey | AuthMethod::Wallet => None,
    };
    Ok(OkWith::new(ChangeEmailSession { srp_session }, ChangeEmailMailed { mailed }))
}

/// Stores the change and queues both mails. The tokens of `before`, an earlier change to the same address, stay
/// valid.
async fn request_change(
    app: &App,
    caller: &LiveCaller,
    new_email: EmailAddress,
    before: Option<EmailChange>,
) -> Result<(), AuthError> {
    let account = &caller.account;
    let address = subject_of_email(&new_email);
    limits::hit(app, EMAIL_BY_ADDRESS, &format!("{address}#{}", account.id)).await?;
    let by_address = format!("{address}#");
    hit_by_source(app, EMAIL_BY_ADDRESS, &by_address, caller.context.source_ip).await?;
    // Hit this limit last: all accounts share it, so refused requests must not use it up.
    limits::hit(app, CHANGE_MAIL_BY_ADDRESS, &address).await?;
    let token = EmailToken::new(app);
    let now = app.clock.now();
    let expires_at = now.plus(email_proof::LIFETIME);
    let first = before.as_ref().map(|before| before.first_token_hash.clone());
    let row = EmailChange {
        new_email: new_email.clone(),
        token_hash: token.hash(),
        earlier: before.map_or_else(Vec::new, |before| before.into_earlier(now.past_seconds())),
        first_token_hash: first.unwrap_or_else(|| token.hash()),
        email_releases: account.email_releases,
        mailed_at: None,
        expires_at: expires_at.seconds(),
        used_at: None,
    };
    let key = keys::email_change(account.id);
    let entry = Entry::by_caller(app, caller, AccountChange::EmailChangeRequested).await?;
    let committed =
        activity::commit(app, account, entry, || Writes::new().put(&key, &row, AuthError::Changed));
    committed.await?;
    let mut mails = vec![token.confirmation(app, &new_email, expires_at)];
    if let Some(present) = &account.email
        && may_notify(app, account, present).await?
    {
        mails.push(Mail {
            id: app.random.id(now),
            to: present.to_string().into(),
            letter: Letter::EmailChange { new_email: new_email.to_string() },
            at: now,
        });
    }
    app.mail.send_all(&mails).await?;
    record_mailed(app, account, &row, Some(now)).await
}

/// Whether the account's current address may get a notice of the change. An unverified address may belong to
/// another person, whom many accounts together could flood with mail, so its notices are limited.
async fn may_notify(
    app: &App,
    account: &Account,
    present: &EmailAddress,
) -> Result<bool, AuthError> {
    if account.email_verified {
        return Ok(true);
    }
    match limits::hit(app, CHANGE_NOTICE_BY_ADDRESS, &subject_of_email(present)).await {
        Err(AuthError::RateLimited { .. }) => Ok(false),
        hit => hit.map(|()| true),
    }
}

/// Records when the token of a change was mailed; `None` makes the next request mail another one.
async fn record_mailed(
    app: &App,
    account: &Account,
    change: &EmailChange,
    mailed_at: Option<Timestamp>,
) -> Result<(), AuthError> {
    let update = Update::new()
        .set(EmailChange::MAILED_AT, mailed_at)
        .if_equal(EmailChange::TOKEN_HASH, &change.token_hash);
    let noted = Writes::new().update(&keys::email_change(account.id), update, AuthError::Changed);
    match app.store.commit(noted).await.map_err(refused) {
        // Already used, or replaced by a later change: there is nothing to record.
        Err(AuthError::Changed) => Ok(()),
        recorded => recorded,
    }
}

/// The token, and the password proof if the account has a password.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChangeEmailVerify {
    /// From the mailed link.
    #[schema(max_length = 128, value_type = String)]
    token: EmailToken,
    /// The new e-mail address.
    #[schema(max_length = 254)]
    email: EmailAddress,
    /// Required if the account has a password.
    #[schema(required = false, value_type = Option<ChangeEmailProof>)]
    srp_data: Option<ChangeEmailProof>,
    /// A code of the second factor: checked if sent, never required.
    #[schema(required = false, max_length = 64, value_type = Option<String>)]
    otp_code: Option<Code>,
}

/// The paths of the fields that prove the new verifier.
const NEW_PROOF: [&str; 2] = ["srpData.newClientPublic", "srpData.newClientProof"];

/// The password proof, and the verifier of the same password for the new address.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChangeEmailProof {
    /// The verifier of the current password for the new address, with the unchanged salt, base64.
    #[schema(max_length = 684, value_type = String)]
    new_srp_verifier: Vec<u8>,
    /// `A` for the new verifier, base64. With `newClientProof`, made with the new address and `B = k v + g`, it
    /// proves that client and service compute the same values. A wrong proof changes nothing. Send both fields
    /// or neither.
    // `new_client_proof` has its value.
    #[schema(required = false, max_length = 684, value_type = Option<String>)]
    #[allow(dead_code)]
    new_client_public: (),
    /// `M1` for the new verifier, base64 of 32 bytes.
    #[schema(required = false, max_length = 44, value_type = Option<String>)]
    new_client_proof: Option<VerifierProof>,
    /// From `srpSession`.
    session_id: Uuid,
    /// `A`, base64.
    #[schema(max_length = 684, value_type = String)]
    client_public: Vec<u8>,
    /// `M1`, base64 of 32 bytes.
    #[schema(max_length = 44, value_type = String)]
    client_proof: Vec<u8>,
}

impl Input for ChangeEmailProof {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let new_srp_verifier = fields.base64("newSrpVerifier", handshake::LONGEST_VALUE);
        let new_client_proof = handshake::read_verifier_proof(fields, NEW_PROOF);
        let SrpProof { session_id, client_public, client_proof } = SrpProof::read(fields)?;
        Some(Self {
            new_srp_verifier: new_srp_verifier?,
            new_client_public: (),
            new_client_proof: new_client_proof?,
            session_id,
            client_public,
            client_proof,
        })
    }
}

impl Input for ChangeEmailVerify {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let token = EmailToken::read(fields, "token");
        let email = fields.parsed("email", email::LONGEST);
        let srp_data =
            if fields.has("srpData") { fields.object("srpData").map(Some) } else { Some(None) };
        let otp_code = fields.optional_parsed("otpCode", LONGEST_CODE);
        Some(Self { token: token?, email: email?, srp_data: srp_data?, otp_code: otp_code? })
    }
}

/// The current and the new verifier.
type Verifiers = (SrpCredential, SrpCredential);

/// Changes the e-mail address and, if the account has a password, the verifier. The address, the verifier, the
/// uniqueness records and the token change together or not at all. Every other session ends.
#[utoipa::path(
    post,
    path = "/api/account/change-email/verify",
    tag = "account",
    security(("bearer" = [])),
    request_body = ChangeEmailVerify,
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn verify_change_email(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<ChangeEmailVerify>,
) -> Result<Envelope<Me>> {
    let account = &caller.account;
    let waiting = pending_change(&app, account).await?.ok_or(AuthError::EmailToken)?;
    if body.email != waiting.new_email {
        return Err(AccountError::EmailMismatch.into());
    }
    if account.auth_method == AuthMethod::Srp && body.srp_data.is_none() {
        return Err(AccountError::ReauthMissing.into());
    }
    let device = device::known_to(&app, account, caller.context.device.as_ref()).await?;
    let device = device.as_deref();
    try_token(&app, account, &waiting, &body.token, device).await?;
    let code = check_code(&app, &caller, body.otp_code.as_ref(), device).await?;
    let verifiers = match (account.auth_method, body.srp_data) {
        (AuthMethod::Srp, Some(proof)) => {
            Some(prove(&app, account, &waiting.new_email, proof).await?)
        }
        _ => None,
    };
    let changed = commit(&app, &caller, &waiting, verifiers.as_ref(), code.as_ref()).await?;
    if code.is_some() {
        second_factor::forget_attempts(&app, account.id, device).await;
    }
    if verifiers.is_some() {
        guess::PASSWORD.forgive(&app, &account.id.to_string(), device).await;
    }
    guess::EMAIL_TOKEN.forgive(&app, &account.id.to_string(), device).await;
    Ok(Envelope::ok(changed.into()))
}

/// Counts an attempt with the token, then compares it. After too many attempts on this device, or on all
/// unknown devices together, the token is treated as expired there (custody rule 20), and the next request
/// mails another one.
async fn try_token(
    app: &App,
    account: &Account,
    waiting: &EmailChange,
    token: &EmailToken,
    device: Option<&str>,
) -> Result<(), AuthError> {
    guess::EMAIL_TOKEN.count(app, &account.id.to_string(), device).await?;
    let guesser = device.unwrap_or("strangers");
    let subject = format!("{}#{}#{guesser}", account.id, waiting.first_token_hash);
    match limits::hit(app, EMAIL_TOKEN_BY_ACCOUNT, &subject).await {
        Err(AuthError::RateLimited { .. }) => {
            record_mailed(app, account, waiting, None).await?;
            return Err(AuthError::EmailToken);
        }
        counted => counted?,
    }
    if waiting.accepts(token, app.clock.now().past_seconds()) {
        return Ok(());
    }
    failed_proofs::record(app, &account.id.to_string(), Proof::EmailToken).await;
    Err(AuthError::EmailToken)
}

async fn prove(
    app: &App,
    account: &Account,
    new_email: &EmailAddress,
    data: ChangeEmailProof,
) -> Result<Verifiers> {
    let proof = SrpProof {
        session_id: data.session_id,
        client_public: data.client_public,
        client_proof: data.client_proof,
    };
    let purpose = HandshakePurpose::ChangeEmail;
    let new_verifier = ("srpData.newSrpVerifier", data.new_srp_verifier.as_slice());
    let (prepared, verifier) =
        password::prepare(app, account, purpose, &proof, new_verifier).await?;
    let (before, _) = password::check(app, account, &prepared).await?;
    let salt = before.salt.clone();
    if let Some(proof) = &data.new_client_proof {
        proof.check(new_email.as_str(), &salt, &verifier)?;
    }
    let after = handshake::seal_verifier(app, account.id, salt, &verifier).await?;
    Ok((before, after))
}

async fn check_code(
    app: &App,
    caller: &LiveCaller,
    code: Option<&Code>,
    device: Option<&str>,
) -> Result<Option<Accepted>> {
    let Some(code) = code.filter(|_| caller.account.totp_enabled) else { return Ok(None) };
    let id = caller.account.id;
    let found = credentials::find(&app.store, id, None).await?;
    let totp = found.and_then(|found| found.totp).unwrap_or_default();
    match second_factor::check(app, id, &totp, code, false, &caller.context, device).await {
        Err(AuthError::Otp) => Err(AccountError::TotpCode.into()),
        accepted => Ok(Some(accepted?)),
    }
}

/// Attempts while another account concurrently proves or changes the address.
const ATTEMPTS: u32 = 4;

async fn commit(
    app: &App,
    caller: &LiveCaller,
    waiting: &EmailChange,
    verifiers: Option<&Verifiers>,
    code: Option<&Accepted>,
) -> Result<Account> {
    let before = &caller.account;
    let id = before.id;
    // If the old address was never verified, its record may belong to another account.
    let released = match &before.email {
        Some(email) => {
            let owner = accounts::email_owner(&app.store, email).await?;
            owner.filter(|owner| owner.account_id == id).map(|_| keys::email(email))
        }
        None => None,
    };
    let mut after = before.clone();
    after.email = Some(waiting.new_email.clone());
    after.email_verified = true;
    let write = |claim: &EmailClaim| {
        let own = Update::new().if_equal(EmailOwner::ACCOUNT_ID, id);
        let used = Update::new().if_equal(EmailChange::TOKEN_HASH, &waiting.token_hash);
        let rows = claim.write(Writes::new(), &waiting.new_email, AuthError::EmailTaken);
        let mut rows = rows.use_up(&keys::email_change(id), used, AuthError::EmailToken);
        if let Some(key) = &released {
            rows = rows.delete(key, own, AuthError::Changed);
        }
        if let Some((old, new)) = verifiers {
            let update = Update::new()
                .set(SrpCredential::VERIFIER, &new.verifier)
                .if_equal(SrpCredential::VERIFIER, &old.verifier);
            rows = rows.update(&keys::srp(id), update, AuthError::Changed);
        }
        if let Some(code) = code {
            rows = code.spend(rows, id, AuthError::Otp);
        }
        let update = caller
            .update()
            .set(Account::EMAIL, &after.email)
            .set(Account::EMAIL_VERIFIED, after.email_verified);
        caller.end_other_sessions(rows, update)
    };
    for _attempt in 0..ATTEMPTS {
        let claim = match EmailClaim::read(app, &waiting.new_email, id).await {
            Err(AuthError::EmailTaken) => return Err(AccountError::EmailTaken.into()),
            claim => claim?,
        };
        let entry = [Entry::by_caller(app, caller, AccountChange::EmailChanged).await?];
        let previous_owner = claim.previous_owner(app, &caller.context);
        // The notice goes to the old address (checklist, 7).
        let committed =
            activity::commit_entries(app, before, &entry, previous_owner, || write(&claim)).await;
        match committed {
            Ok(()) => {
                device::carry_over(app, before, caller.context.device.as_ref()).await;
                return Ok(after);
            }
            // The record of the new address has changed since it was read.
            Err(AuthError::EmailTaken) => {}
            // The code was used in the meantime.
            Err(AuthError::Otp) => return Err(AccountError::TotpCode.into()),
            Err(error) => return Err(error.into()),
        }
    }
    Err(AuthError::Contended.into())
}
