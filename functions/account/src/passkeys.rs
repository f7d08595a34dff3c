//! `/api/account/passkeys`: the account's passkeys.

use axum::{extract::State, response::Response};
use base::clock::Timestamp;
use identity::{
    activity::{self, Entry},
    credentials::{self, StoredPasskey},
    device,
    handshake::{self, PasskeySession, State as Handshake},
    passkey::{RegistrationResponse, User},
};
use serde::Serialize;
use shared::{
    accounts::UniqueOwner,
    auth::{
        AuthError,
        limits::{HANDSHAKE_BY_SOURCE, PASSKEY_BY_ACCOUNT, hit, hit_source},
    },
    http::{
        Created, Envelope, Fields, FreshCaller, IdempotencyHeader, Idempotent, Input, LiveCaller,
        Nothing, Result, Segment,
    },
    keys,
    models::{
        account::{Account, AuthMethod},
        change::AccountChange,
        passkey::PasskeyId,
    },
};
use store::{Update, Writes};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AccountError, app::App};

/// The most passkeys an account may have.
const MOST: usize = 20;

/// A passkey as shown to its owner.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyRow {
    /// Passkey id.
    id: PasskeyId,
    /// The name given by its owner.
    name: String,
    /// When it was added, ms since the epoch.
    created_at: Timestamp,
    /// When it was last used to sign in, ms since the epoch.
    #[schema(required = true)]
    last_used_at: Option<Timestamp>,
    /// Whether the passkey is backed up to other devices.
    backed_up: bool,
}

impl From<StoredPasskey> for PasskeyRow {
    fn from(passkey: StoredPasskey) -> Self {
        Self {
            id: passkey.id,
            name: passkey.name,
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
            backed_up: passkey.credential.backup_state,
        }
    }
}

/// Lists the caller's passkeys.
#[utoipa::path(
    get,
    path = "/api/account/passkeys",
    tag = "credentials",
    security(("bearer" = [])),
    responses((status = 200, description = "The passkeys", body = Envelope<Vec<PasskeyRow>>))
)]
pub async fn list_passkeys(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<Envelope<Vec<PasskeyRow>>> {
    let passkeys = credentials::passkeys(&app.store, caller.account.id).await?;
    Ok(Envelope::ok(passkeys.into_iter().map(PasskeyRow::from).collect()))
}

/// Starts adding a passkey. Requires a sign-in within the last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/account/passkeys/init",
    tag = "credentials",
    security(("bearer" = [])),
    responses((status = 200, description = "The ceremony", body = Envelope<PasskeySession>))
)]
pub async fn init_passkey(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
) -> Result<Envelope<PasskeySession>> {
    hit_source(&app, HANDSHAKE_BY_SOURCE, caller.context.source_ip).await?;
    let account = &caller.account;
    check_room(account)?;
    let passkeys = credentials::passkeys(&app.store, account.id).await?;
    let name = account.display_name();
    let user = User { handle: account.id.0, name: &name, display_name: &name };
    let held = passkeys.iter().map(|passkey| passkey.credential.credential_id.as_str());
    let rp = &app.relying_party;
    let (options, ceremony) = rp.start_registration(&*app.random, user, held);
    let state = Handshake::PasskeyRegistration { ceremony, known: true };
    let session_id = handshake::begin(&app, state).await?;
    Ok(Envelope::ok(PasskeySession { session_id, options }))
}

/// Checks that the account may have another passkey.
fn check_room(account: &Account) -> Result<(), AccountError> {
    match usize::try_from(account.passkeys) {
        Ok(count) if count < MOST => Ok(()),
        _ => Err(AccountError::TooMany(MOST)),
    }
}

/// A passkey to add.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct AddPasskey {
    /// From the first step.
    session_id: Uuid,
    /// The result of `navigator.credentials.create()`, serialized with `toJSON()`.
    credential: RegistrationResponse,
    /// A name for the passkey, at most 64 characters.
    #[schema(required = false, max_length = 64)]
    name: Option<String>,
}

impl Input for AddPasskey {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let session_id = fields.required("sessionId");
        let credential = fields.required("credential");
        let name = fields.optional_name("name", 64);
        Some(Self { session_id: session_id?, credential: credential?, name: name? })
    }
}

/// Adds a passkey, which can sign in from now on. Every other session ends. Requires a sign-in within the
/// last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/account/passkeys/verify",
    tag = "credentials",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = AddPasskey,
    responses((status = 201, description = "The passkey", body = Envelope<PasskeyRow>))
)]
pub async fn verify_passkey(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    request: Idempotent<AddPasskey>,
) -> Result<Response> {
    let work = async |body| add(&app, &caller, body).await.map(Created);
    request.once(&app, caller.account.id, work).await
}

async fn add(app: &App, caller: &LiveCaller, body: AddPasskey) -> Result<PasskeyRow> {
    let account = &caller.account;
    // Check again: several ceremonies may have started below the limit.
    check_room(account)?;
    hit(app, PASSKEY_BY_ACCOUNT, &account.id.to_string()).await?;
    let state = handshake::consume(app, body.session_id).await?;
    let ceremony = match state {
        Handshake::PasskeyRegistration { ceremony, known: true }
            if ceremony.user_handle == account.id.0 =>
        {
            ceremony
        }
        _ => return Err(AuthError::Handshake.into()),
    };
    let rp = &app.relying_party;
    let credential =
        rp.finish_registration(&ceremony, &body.credential).map_err(AuthError::from)?;
    let passkey = StoredPasskey::new(body.name, credential, app.clock.now());
    let owner = UniqueOwner { account_id: account.id };
    let entry = Entry::by_caller(app, caller, AccountChange::PasskeyAdded).await?;
    let committed = activity::commit(app, account, entry, || {
        let rows = Writes::new()
            .insert(&keys::passkey_owner(&passkey.id), &owner, AuthError::PasskeyTaken)
            .insert(&keys::passkey(account.id, &passkey.id), &passkey, AuthError::Changed);
        let update = caller.update().set(Account::PASSKEYS, account.passkeys.saturating_add(1));
        caller.end_other_sessions(rows, update)
    });
    committed.await?;
    device::carry_over(app, &caller.account, caller.context.device.as_ref()).await;
    Ok(passkey.into())
}

/// Removes a passkey, unless it is the only way to sign in. Every other session ends. Requires a sign-in
/// within the last 15 minutes.
#[utoipa::path(
    delete,
    path = "/api/account/passkeys/{id}",
    tag = "credentials",
    security(("bearer" = [])),
    params(("id" = PasskeyId, Path, description = "Passkey id")),
    responses((status = 200, description = "The passkey is removed", body = Envelope<Nothing>))
)]
pub async fn delete_passkey(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(id): Segment<PasskeyId>,
) -> Result<Envelope<Nothing>> {
    let account = &caller.account;
    let key = keys::passkey(account.id, &id);
    if app.store.get::<StoredPasskey>(&key).await?.is_none() {
        return Err(AccountError::PasskeyNotFound.into());
    }
    if account.auth_method == AuthMethod::Passkey && account.passkeys <= 1 {
        return Err(AccountError::LastWayIn.into());
    }
    let entry = Entry::by_caller(&app, &caller, AccountChange::PasskeyRemoved).await?;
    let committed = activity::commit(&app, account, entry, || {
        let own = Update::new().if_equal(StoredPasskey::ACCOUNT_ID, account.id);
        let owner = Update::new().if_equal(UniqueOwner::ACCOUNT_ID, account.id);
        let rows = Writes::new().delete(&key, own, AuthError::Changed).delete(
            &keys::passkey_owner(&id),
            owner,
            AuthError::Changed,
        );
        let update = caller.update().set(Account::PASSKEYS, account.passkeys.saturating_sub(1));
        caller.end_other_sessions(rows, update)
    });
    committed.await?;
    device::carry_over(&app, &caller.account, caller.context.device.as_ref()).await;
    Ok(Envelope::ok(Nothing))
}
