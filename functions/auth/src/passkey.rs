//! Sign-in by passkey: `POST /auth/passkey/init`, and the second step of its ceremony.

use axum::extract::State;
use identity::{
    credentials::{self, Credentials, StoredPasskey},
    failed_proofs::{self, Proof},
    handshake::{self, PasskeySession, State as Handshake},
    passkey::AuthenticationResponse,
    second_factor::{Code, LONGEST_CODE},
};
use shared::{
    accounts::UniqueOwner,
    auth::{
        AuthError,
        limits::{self, HANDSHAKE_BY_SOURCE},
    },
    http::{Envelope, Fields, Input, Result},
    keys,
    models::passkey::PasskeyId,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{accounts::UsedProof, app::App, client::Client};

/// Starts a sign-in with any passkey that the user picks.
#[utoipa::path(
    post,
    path = "/auth/passkey/init",
    tag = "auth",
    responses((status = 200, description = "The ceremony", body = Envelope<PasskeySession>))
)]
pub async fn init_passkey_sign_in(
    State(app): State<App>,
    client: Client,
) -> Result<Envelope<PasskeySession>> {
    limits::hit_source(&app, HANDSHAKE_BY_SOURCE, client.source_ip()).await?;
    let (options, ceremony) = app.relying_party.start_authentication(&*app.random);
    let session_id = handshake::begin(&app, Handshake::PasskeySignIn(ceremony)).await?;
    Ok(Envelope::ok(PasskeySession { session_id, options }))
}

/// The second step of a sign-in by passkey.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PasskeyAnswer {
    /// From `POST /auth/passkey/init`.
    session_id: Uuid,
    /// The result of `navigator.credentials.get()`, serialized with `toJSON()`.
    credential: AuthenticationResponse,
    /// 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
    /// count.
    #[schema(required = false, max_length = 64, value_type = Option<String>)]
    pub(crate) otp_code: Option<Code>,
}

impl Input for PasskeyAnswer {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let session_id = fields.required("sessionId");
        let credential = fields.required("credential");
        let otp_code = fields.optional_parsed("otpCode", LONGEST_CODE);
        Some(Self { session_id: session_id?, credential: credential?, otp_code: otp_code? })
    }
}

impl PasskeyAnswer {
    /// Checks a passkey's response. Returns the credentials of its account and the proof for the sign-in to
    /// use up.
    pub(crate) async fn prove(
        &self,
        app: &App,
        client: &Client,
    ) -> Result<(Credentials, UsedProof), AuthError> {
        let id = PasskeyId::of(&self.credential.credential_id());
        let owner = keys::passkey_owner(&id);
        // Consume the ceremony before the proof, because it allows only one attempt.
        let (ceremony, owner) = tokio::join!(
            handshake::consume(app, self.session_id),
            app.store.get::<UniqueOwner>(&owner),
        );
        let Handshake::PasskeySignIn(ceremony) = ceremony? else {
            return Err(AuthError::Handshake);
        };
        let account = owner?.ok_or(AuthError::PasskeyUnknown)?.account_id;
        let device = client.device_hash(account);
        let key = keys::passkey(account, &id);
        let (passkey, found) = tokio::join!(
            app.store.get::<StoredPasskey>(&key),
            credentials::find(&app.store, account, device.as_deref()),
        );
        let passkey = passkey?.ok_or(AuthError::PasskeyUnknown)?.credential;
        let rp = &app.relying_party;
        let updated = match rp.finish_authentication(&ceremony, &self.credential, &passkey) {
            Ok(updated) => updated,
            Err(error) => {
                failed_proofs::record(app, &account.to_string(), Proof::Passkey).await;
                return Err(error.into());
            }
        };
        let found = found?.ok_or(AuthError::PasskeyUnknown)?;
        Ok((found, UsedProof::Passkey(id, passkey.sign_count, updated)))
    }
}
