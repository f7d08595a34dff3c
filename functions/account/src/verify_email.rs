//! `POST /api/account/verify-email`, and `verify-email/resend`.

use axum::extract::State;
use identity::{
    activity::{self, Entry},
    device,
    email_proof::{self, EmailClaim, EmailToken, Verification},
    failed_proofs::{self, Proof},
    guess,
};
use shared::{
    accounts,
    auth::{
        AuthError,
        limits::{EMAIL_BY_ACCOUNT, EMAIL_BY_SOURCE, hit, hit_source},
    },
    http::{Envelope, Fields, Input, LiveCaller, Nothing, Result, Valid},
    keys,
    models::{
        account::{Account, Me},
        change::AccountChange,
    },
};
use store::{Update, Writes};
use utoipa::ToSchema;

use crate::{AccountError, app::App};

/// A mailed token.
#[derive(Debug, ToSchema)]
pub struct VerifyEmail {
    /// From the mailed link.
    #[schema(max_length = 128, value_type = String)]
    token: EmailToken,
}

impl Input for VerifyEmail {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { token: EmailToken::read(fields, "token")? })
    }
}

/// Attempts while another account concurrently proves or changes the address.
const ATTEMPTS: u32 = 4;

/// Verifies the account's e-mail address with a mailed token. If another account holds the address without
/// having verified it, the caller takes it over. That account keeps everything else and, if it has a
/// password, signs in by its id.
#[utoipa::path(
    post,
    path = "/api/account/verify-email",
    tag = "account",
    security(("bearer" = [])),
    request_body = VerifyEmail,
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn verify_email(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<VerifyEmail>,
) -> Result<Envelope<Me>> {
    let id = caller.account.id;
    let subject = id.to_string();
    let device = device::known_to(&app, &caller.account, caller.context.device.as_ref()).await?;
    guess::EMAIL_TOKEN.count(&app, &subject, device.as_deref()).await?;
    match verify(&app, &caller, &body.token).await {
        Err(AuthError::EmailToken) => {
            failed_proofs::record(&app, &subject, Proof::EmailToken).await;
            Err(AuthError::EmailToken.into())
        }
        verified => {
            let account = verified?;
            guess::EMAIL_TOKEN.forgive(&app, &subject, device.as_deref()).await;
            Ok(Envelope::ok(account.into()))
        }
    }
}

async fn verify(
    app: &App,
    caller: &LiveCaller,
    token: &EmailToken,
) -> std::result::Result<Account, AuthError> {
    let verification = email_proof::verification(app, token).await?;
    let mut account = caller.account.clone();
    let email = &verification.email;
    let own = verification.account_id == account.id
        && verification.email_releases == account.email_releases
        && account.email.as_ref() == Some(email);
    // One token suffices: once the address is verified, the others count as used.
    if !own || account.email_verified {
        return Err(AuthError::EmailToken);
    }
    account.email_verified = true;
    for _attempt in 0..ATTEMPTS {
        let claim = EmailClaim::read(app, email, account.id).await?;
        let entry = [Entry::by_caller(app, caller, AccountChange::EmailVerified).await?];
        let loser = claim.previous_owner(app, &caller.context);
        let committed = activity::commit_entries(app, &account, &entry, loser, || {
            let unused = Update::new().if_equal(Verification::ACCOUNT_ID, account.id);
            let rows = Writes::new().use_up(
                &keys::email_token(&token.hash()),
                unused,
                AuthError::EmailToken,
            );
            claim.write(rows, email, AuthError::EmailTaken).update(
                &keys::account(account.id),
                caller.update().set(Account::EMAIL_VERIFIED, true),
                AuthError::Changed,
            )
        });
        match committed.await {
            // The record of the address has changed since it was read.
            Err(AuthError::EmailTaken) => {}
            committed => return committed.map(|()| account),
        }
    }
    Err(AuthError::Contended)
}

/// Mails another token to the account's e-mail address. An account may request at most 3 mails per hour.
#[utoipa::path(
    post,
    path = "/api/account/verify-email/resend",
    tag = "account",
    security(("bearer" = [])),
    responses((status = 200, description = "The token was mailed", body = Envelope<Nothing>))
)]
pub async fn resend_verification(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<Envelope<Nothing>> {
    let account = &caller.account;
    let email = account.email.as_ref().filter(|_| !account.email_verified);
    let email = email.ok_or(AccountError::NothingToVerify)?;
    // Another account may have verified it in the meantime.
    let owner = accounts::email_owner(&app.store, email).await?;
    if owner.is_some_and(|owner| owner.verified) {
        return Err(AccountError::NothingToVerify.into());
    }
    hit(&app, EMAIL_BY_ACCOUNT, &account.id.to_string()).await?;
    hit_source(&app, EMAIL_BY_SOURCE, caller.context.source_ip).await?;
    email_proof::send_verification(&app, account, email).await?;
    Ok(Envelope::ok(Nothing))
}
