use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    components(schemas(
        crate::passkey::PasskeyAnswer,
        crate::register::Extras,
        crate::register::NewPasskey,
        crate::srp::SecondFactor,
        crate::srp::SrpAnswer,
        crate::wallet_proof::SignedChallenge,
        crate::wallet_proof::SignedMessage,
        identity::challenge::ChallengePurpose,
        identity::handshake::SrpProof,
        identity::srp::Group,
    )),
    paths(
        crate::authenticate::authenticate,
        crate::challenge::get_wallet_challenge,
        crate::srp::init_srp_sign_in,
        crate::passkey::init_passkey_sign_in,
        crate::register::register_wallet,
        crate::register::register_srp,
        crate::register::init_passkey_registration,
        crate::register::register_passkey,
        crate::refresh_token::refresh_token,
        crate::reauthenticate::reauthenticate,
        crate::logout::log_out,
        crate::sessions::list_sessions,
        crate::sessions::revoke_session,
        crate::jwks::get_jwks,
        crate::config::get_config,
    )
)]
struct Document;

/// This function's part of the OpenAPI document. Paths under `/auth` are repeated under `/api/auth`.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let aliases: Vec<_> = document
        .paths
        .paths
        .iter()
        .filter(|(path, _)| path.starts_with("/auth/"))
        .map(|(path, item)| (format!("/api{path}"), item.clone()))
        .collect();
    document.paths.paths.extend(aliases);
    document
}
