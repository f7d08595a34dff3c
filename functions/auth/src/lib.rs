//! Sign-in, sessions and their tokens.

mod accounts;
mod app;
pub mod authenticate;
pub mod challenge;
mod client;
pub mod config;
mod guessed;
pub mod jwks;
pub mod logout;
#[cfg(feature = "openapi")]
mod openapi;
pub mod passkey;
mod placeholder_account;
pub mod reauthenticate;
pub mod refresh_token;
pub mod register;
pub mod sessions;
pub mod settings;
pub mod sign_in_message;
pub mod srp;
mod tokens;
pub mod wallet_proof;

use shared::http::{
    Access::{Bearer, Public},
    Routes,
};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function. Those of `/auth` are also served under `/api/auth`, where published
/// clients call them.
pub fn routes() -> Routes<App> {
    Routes::new()
        .post(Public, "/auth/authenticate", authenticate::authenticate)
        .post(Public, "/auth/srp/init", srp::init_srp_sign_in)
        .post(Public, "/auth/passkey/init", passkey::init_passkey_sign_in)
        .get(Public, "/auth/wallet/challenge", challenge::get_wallet_challenge)
        .post(Public, "/auth/register/srp", register::register_srp)
        .post(Public, "/auth/register/wallet", register::register_wallet)
        .post(Public, "/auth/register/passkey/init", register::init_passkey_registration)
        .post(Public, "/auth/register/passkey/verify", register::register_passkey)
        .post(Public, "/auth/refresh-token", refresh_token::refresh_token)
        .post(Bearer, "/auth/reauthenticate", reauthenticate::reauthenticate)
        .post(Bearer, "/auth/logout", logout::log_out)
        .get(Bearer, "/auth/sessions", sessions::list_sessions)
        .delete(Bearer, "/auth/sessions/{id}", sessions::revoke_session)
        .also_under("/api")
        .get(Public, "/.well-known/jwks.json", jwks::get_jwks)
        .get(Public, "/api/config", config::get_config)
}
