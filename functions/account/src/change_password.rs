//! `POST /api/account/srp/change-password/init` and `verify`.

use axum::extract::State;
use base64::{Engine, prelude::BASE64_STANDARD};
use identity::{
    activity::{self, Entry},
    credentials::SrpCredential,
    device,
    handshake::{self, HandshakePurpose, SrpProof, SrpSession, VerifierProof},
    keystore,
};
use secrecy::SecretString;
use serde::Serialize;
use shared::{
    auth::{
        AuthError,
        limits::{HANDSHAKE_BY_SOURCE, PASSWORD_BY_ACCOUNT, hit, hit_source},
    },
    http::{Envelope, Fields, Input, LiveCaller, Result, Valid},
    keys,
    models::{account::Account, change::AccountChange},
};
use store::{Update, Writes};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::App, password};

/// Starts a change of password with the handshake that proves the current password.
#[utoipa::path(
    post,
    path = "/api/account/srp/change-password/init",
    tag = "credentials",
    security(("bearer" = [])),
    responses((status = 200, description = "The handshake", body = Envelope<SrpSession>))
)]
pub async fn init_change_password(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<Envelope<SrpSession>> {
    hit_source(&app, HANDSHAKE_BY_SOURCE, caller.context.source_ip).await?;
    let session = password::begin(&app, &caller, HandshakePurpose::ChangePassword).await?;
    Ok(Envelope::ok(session))
}

/// The second step: the proof of the current password, and the credentials for the new one.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChangePassword {
    /// From the first step.
    session_id: Uuid,
    /// `A`, base64.
    #[schema(max_length = 684, value_type = String)]
    client_public: Vec<u8>,
    /// `M1`, base64 of 32 bytes.
    #[schema(max_length = 44, value_type = String)]
    client_proof: Vec<u8>,
    /// The new salt: base64 of 32 bytes.
    #[schema(max_length = 44)]
    new_srp_salt: String,
    /// The new verifier, base64, in the group named by the first step.
    #[schema(max_length = 684, value_type = String)]
    new_srp_verifier: Vec<u8>,
    /// `A` for the new verifier, base64. With `newClientProof`, made with `B = k v + g`, it proves that client
    /// and service compute the same values. A wrong proof changes nothing. Send both fields or neither.
    // `new_client_proof` has its value.
    #[schema(required = false, max_length = 684, value_type = Option<String>)]
    #[allow(dead_code)]
    new_client_public: (),
    /// `M1` for the new verifier, base64 of 32 bytes.
    #[schema(required = false, max_length = 44, value_type = Option<String>)]
    new_client_proof: Option<VerifierProof>,
    /// The keystore, encrypted by the client for the new password, base64.
    #[schema(max_length = 13708, value_type = String)]
    new_encrypted_blob: SecretString,
    /// The new hint; empty removes the hint. If missing, the old hint stays.
    #[schema(required = false, max_length = 200)]
    new_password_hint: Option<String>,
}

impl Input for ChangePassword {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let proof = SrpProof::read(fields);
        let new_srp_salt = handshake::read_salt(fields, "newSrpSalt");
        let new_srp_verifier = fields.base64("newSrpVerifier", handshake::LONGEST_VALUE);
        let new_client_proof =
            handshake::read_verifier_proof(fields, ["newClientPublic", "newClientProof"]);
        let new_encrypted_blob = keystore::read(fields, "newEncryptedBlob");
        let new_password_hint = fields.optional_line("newPasswordHint", handshake::LONGEST_HINT);
        let SrpProof { session_id, client_public, client_proof } = proof?;
        Some(Self {
            session_id,
            client_public,
            client_proof,
            new_srp_salt: new_srp_salt?,
            new_srp_verifier: new_srp_verifier?,
            new_client_public: (),
            new_client_proof: new_client_proof?,
            new_encrypted_blob: new_encrypted_blob?,
            new_password_hint: new_password_hint?,
        })
    }
}

/// The result of a change of password: the service's own proof.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordChanged {
    /// `M2`, base64 of 32 bytes.
    server_proof: String,
}

/// Changes the password. Salt, verifier, keystore and hint change together, provided that the verifier is still
/// the one against which the proof was checked. Every other session ends.
#[utoipa::path(
    post,
    path = "/api/account/srp/change-password/verify",
    tag = "credentials",
    security(("bearer" = [])),
    request_body = ChangePassword,
    responses((status = 200, description = "The password is changed", body = Envelope<PasswordChanged>))
)]
pub async fn verify_change_password(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<ChangePassword>,
) -> Result<Envelope<PasswordChanged>> {
    let proof = SrpProof {
        session_id: body.session_id,
        client_public: body.client_public,
        client_proof: body.client_proof,
    };
    let account = &caller.account;
    let purpose = HandshakePurpose::ChangePassword;
    let new_verifier = ("newSrpVerifier", body.new_srp_verifier.as_slice());
    let (prepared, verifier) =
        password::prepare(&app, account, purpose, &proof, new_verifier).await?;
    let (before, server_proof) = password::check(&app, account, &prepared).await?;
    hit(&app, PASSWORD_BY_ACCOUNT, &account.id.to_string()).await?;
    if let Some(proof) = &body.new_client_proof {
        // The name of the handshake is the account's address.
        proof.check(&prepared.name, &body.new_srp_salt, &verifier)?;
    }

    let after = handshake::seal_verifier(&app, account.id, body.new_srp_salt, &verifier).await?;
    let keystore = keystore::seal(&app, account.id, &body.new_encrypted_blob).await?;
    let entry = Entry::by_caller(&app, &caller, AccountChange::PasswordChanged).await?;
    let committed = activity::commit(&app, account, entry, || {
        let verifier = Update::new()
            .set(SrpCredential::GROUP, after.group)
            .set(SrpCredential::SALT, &after.salt)
            .set(SrpCredential::VERIFIER, &after.verifier)
            .if_equal(SrpCredential::VERIFIER, &before.verifier);
        let mut update = caller.update().set(Account::HAS_KEYSTORE, true);
        if let Some(hint) = &body.new_password_hint {
            update = update.set(Account::PASSWORD_HINT, Some(hint).filter(|hint| !hint.is_empty()));
        }
        let rows = Writes::new().update(&keys::srp(account.id), verifier, AuthError::Changed).put(
            &keys::keystore(account.id),
            &keystore,
            AuthError::Changed,
        );
        caller.end_other_sessions(rows, update)
    });
    committed.await?;
    password::forgive(&app, &caller).await;
    device::carry_over(&app, &caller.account, caller.context.device.as_ref()).await;
    Ok(Envelope::ok(PasswordChanged { server_proof: BASE64_STANDARD.encode(server_proof) }))
}
