//! `GET /api/config`.

use axum::{extract::State, response::IntoResponse};
use http::header;
use serde::Serialize;
use shared::{
    auth::limits,
    http::Envelope,
    models::trading_wallet::{DELAY, RENEWAL_ADVISED_BELOW, RENEWAL_NEEDED_BELOW},
};
use utoipa::ToSchema;

use crate::{app::App, sign_in_message::SignInMessage};

/// What a frontend needs to know about the deployment that it calls.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deployment {
    /// The Bitcoin network.
    #[schema(value_type = String, pattern = "^(bitcoin|testnet|testnet4|signet|regtest)$")]
    network: String,
    sign_in: SignIn,
    /// The domain that passkeys belong to (WebAuthn's RP ID).
    passkey_rp_id: String,
    /// Number of blocks after which the user alone can spend a coin of the trading wallet.
    delay_blocks: u16,
    renewal: RenewalBlocks,
    /// Where sockets are opened, with a ticket or, for the events of mints alone, without one.
    #[schema(example = "wss://abc123.execute-api.eu-central-1.amazonaws.com/live")]
    socket_url: String,
    /// The rate limits.
    limits: Vec<RateLimit>,
    /// The version of the service.
    version: &'static str,
}

/// When coins of the trading wallet should be renewed, in blocks until the user alone can spend them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenewalBlocks {
    /// Below this number, the service advises it.
    advised: u32,
    /// Below this number, mints refuse the coin.
    needed: u32,
}

/// A rate limit. Above it, the service answers 429 with `Retry-After`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateLimit {
    /// Its name.
    #[schema(example = "walletByAccount")]
    name: &'static str,
    /// What it counts.
    counts: &'static str,
    /// Hits in a window.
    hits: u32,
    /// Length of the window, which begins with its first hit, in seconds.
    window_seconds: u64,
}

/// What wallets sign to sign in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignIn {
    /// The domain that messages are bound to.
    domain: String,
    /// The URI that messages name.
    uri: String,
    /// The chain id that messages of EVM wallets name.
    evm_chain_id: u64,
    /// The message that a Bitcoin wallet signs without a challenge. Replace `{address}`, if present, and the closing `{timestamp}`
    /// (ms since the epoch). Null if any text that ends in the time is accepted.
    #[schema(required = true)]
    message_template: Option<String>,
}

/// What a frontend needs to know about this deployment before a user signs in. Clients may cache it for five minutes.
#[utoipa::path(
    get,
    path = "/api/config",
    tag = "auth",
    responses((status = 200, description = "The deployment", body = Envelope<Deployment>))
)]
pub async fn config(State(app): State<App>) -> impl IntoResponse {
    let message_template = match app.message.as_ref() {
        SignInMessage::Template(template) => Some(template.clone()),
        SignInMessage::AnyText => None,
    };
    let deployment = Deployment {
        network: app.network.to_string(),
        sign_in: SignIn {
            domain: app.sign_in.domain.clone(),
            uri: app.sign_in.uri.clone(),
            evm_chain_id: app.sign_in.evm_chain_id,
            message_template,
        },
        passkey_rp_id: app.relying_party.id.clone(),
        delay_blocks: DELAY,
        renewal: RenewalBlocks { advised: RENEWAL_ADVISED_BELOW, needed: RENEWAL_NEEDED_BELOW },
        socket_url: app.sockets.url.clone(),
        limits: limits::ALL.iter().map(rate_limit).collect(),
        version: env!("CARGO_PKG_VERSION"),
    };
    ([(header::CACHE_CONTROL, "public, max-age=300")], Envelope::ok(deployment))
}

fn rate_limit(limit: &limits::Limit) -> RateLimit {
    RateLimit {
        name: limit.name,
        counts: limit.counts.trim(),
        hits: limit.most,
        window_seconds: limit.window.as_secs(),
    }
}
