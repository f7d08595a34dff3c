//! `POST /auth/reauthenticate`: a proof of the signed-in account, for changes of credentials.

use axum::extract::State;
use base::secret::reveal;
use identity::credentials::Credentials;
use secrecy::SecretString;
use serde::Serialize;
use shared::{
    accounts::{AddressOwner, AddressUse},
    auth::{
        AuthError,
        device_token::DeviceHeader,
        limits::{self, SIGN_IN_BY_SOURCE},
    },
    http::{Envelope, LiveCaller, Result, Valid},
};
use utoipa::ToSchema;

use crate::{
    accounts::{self, ProvenWallet, UsedProof},
    app::App,
    authenticate::{Authenticate, credentials_of},
    client::Client,
    srp::SrpProved,
    tokens::TokenPair,
};

/// A renewed session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reauthenticated {
    /// The session's new tokens.
    #[serde(flatten)]
    tokens: TokenPair,
    /// As after a sign-in.
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    device_token: SecretString,
    /// After a password proof: the service's proof `M2`, base64 of 32 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    server_proof: Option<String>,
}

/// Authenticates the signed-in account again, without opening another session.
///
/// Changes of credentials require an authentication within the last 15 minutes; without one, they return 401
/// `auth.reauthRequired`. The body has one of the four forms of `POST /auth/authenticate`, and must prove the
/// account of the token. The response contains new tokens of the same session.
#[utoipa::path(
    post,
    path = "/auth/reauthenticate",
    tag = "auth",
    security(("bearer" = [])),
    params(DeviceHeader),
    request_body = Authenticate,
    responses((status = 200, description = "Authenticated", body = Envelope<Reauthenticated>))
)]
pub async fn reauthenticate(
    State(app): State<App>,
    caller: LiveCaller,
    client: Client,
    Valid(body): Valid<Authenticate>,
) -> Result<Envelope<Reauthenticated>> {
    limits::hit_source(&app, SIGN_IN_BY_SOURCE, client.source_ip()).await?;
    let mut server_proof = None;
    let (credentials, proved) = match &body {
        Authenticate::Message(proof) => {
            of_wallet(&app, &caller, proof.prove(&app).await?, &client).await?
        }
        Authenticate::Challenge(proof) => {
            of_wallet(&app, &caller, proof.prove(&app).await?, &client).await?
        }
        Authenticate::Srp(answer) => {
            let proved = answer.prove(&app, &client).await?;
            let used = proved.used();
            let SrpProved { credentials, server_proof: proof, .. } = proved;
            server_proof = Some(proof);
            (credentials, used)
        }
        Authenticate::Passkey(answer) => {
            let (credentials, used) = answer.prove(&app, &client).await?;
            (credentials, Some(used))
        }
    };
    let code = body.otp_code();
    let renewed =
        accounts::reauthenticate(&app, &caller, &credentials, proved, code, &client).await?;
    let (tokens, device) = renewed;
    Ok(Envelope::ok(Reauthenticated { tokens, device_token: device.into_secret(), server_proof }))
}

/// The credentials of the caller's account, if the proved wallet signs it in.
async fn of_wallet(
    app: &App,
    caller: &LiveCaller,
    (wallet, owner): (ProvenWallet, Option<AddressOwner>),
    client: &Client,
) -> Result<(Credentials, Option<UsedProof>), AuthError> {
    let own = |owner: &AddressOwner| {
        owner.account_id == caller.account.id && owner.usage == AddressUse::SignIn
    };
    let owner = owner.filter(own).ok_or(AuthError::AnotherAccount)?;
    let credentials = credentials_of(app, owner, &wallet, client).await?;
    let credentials = credentials.ok_or(AuthError::AnotherAccount)?;
    wallet.proves_enough_for(&credentials.account)?;
    Ok((credentials, None))
}
