//! Sign-in, sessions, and the tokens that name them.

mod accounts;
pub mod authenticate;
pub mod challenge;
mod error;
pub mod jwks;
pub mod logout;
#[cfg(feature = "openapi")]
mod openapi;
pub mod refresh_token;
pub mod sessions;
mod tokens;

use shared::http::{
    Access::{Bearer, Public},
    Routes,
};

pub use error::AuthError;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function. Those of `/auth` are served under `/api/auth` too, where
/// published clients call them.
pub fn routes() -> Routes {
    Routes::new()
        .post(Public, "/auth/authenticate", authenticate::authenticate)
        .get(Public, "/auth/wallet/challenge", challenge::wallet_challenge)
        .post(Public, "/auth/refresh-token", refresh_token::refresh_token)
        .post(Bearer, "/auth/logout", logout::logout)
        .get(Bearer, "/auth/sessions", sessions::list_sessions)
        .delete(Bearer, "/auth/sessions/{id}", sessions::revoke_session)
        .also_under("/api")
        .get(Public, "/.well-known/jwks.json", jwks::jwks)
}
