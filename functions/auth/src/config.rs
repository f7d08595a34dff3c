//! `GET /api/config`.

use axum::extract::State;
use http::HeaderValue;
use serde::Serialize;
use serde_json::Number;
use shared::{
    auth::limits,
    deployment::Affiliate,
    fees::{TargetBlocks, number_in_sat_per_vb},
    http::{Envelope, Result, Tagged},
    models::trading_wallet::{DELAY, RENEWAL_ADVISED_BELOW, RENEWAL_NEEDED_BELOW},
    venue::VenueChain,
};
use utoipa::ToSchema;

use crate::{app::App, sign_in_message::SignInMessage};

/// How long caches may keep the answer.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// The settings of the deployment that a frontend calls.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deployment {
    /// The Bitcoin network.
    #[schema(value_type = String, pattern = "^(bitcoin|testnet|testnet4|signet|regtest)$")]
    network: String,
    sign_in: SignIn,
    /// The domain that passkeys belong to (WebAuthn's RP ID).
    passkey_rp_id: String,
    /// The base address of the frontend, to which links in mails point.
    #[schema(example = "https://app.example.com")]
    app_url: String,
    fees: FeeLimits,
    /// Number of blocks after which the user alone can spend a coin of the trading wallet.
    delay_blocks: u16,
    renewal: RenewalBlocks,
    /// The URL at which clients open sockets: with a ticket or, for the events of mints only, without one.
    #[schema(example = "wss://abc123.execute-api.eu-central-1.amazonaws.com/live")]
    socket_url: String,
    /// The rate limits.
    limits: Vec<RateLimit>,
    /// The optional features that this deployment has enabled.
    features: Vec<Feature>,
    venue: VenueNetwork,
    affiliate: Affiliate,
    /// The Bitcoin address that receives withdrawals through the hub that name no recipient. Null if every such
    /// withdrawal must name one.
    #[schema(required = true)]
    hub_vault: Option<String>,
    /// Whether withdrawals through the hub to any other address are refused.
    hub_vault_only: bool,
    /// The version of the service.
    version: &'static str,
}

/// When coins of the trading wallet should be renewed, in blocks until the user alone can spend them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenewalBlocks {
    /// Below this number, the service advises a renewal.
    advised: u32,
    /// Below this number, mints refuse the coin.
    needed: u32,
}

/// Limits on the fees of Bitcoin transactions. `GET /api/bitcoin/fee-rates` returns the current rates.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeLimits {
    range: FeeRange,
    /// The highest fee that one transaction of a user may pay, in sats.
    #[schema(example = 100000)]
    cap: u64,
    /// The number of blocks within which transactions of each `feeTarget` should confirm.
    targets: TargetBlocks,
}

/// The fee rates that the service uses, regardless of estimates, in sat/vB.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeRange {
    /// The lowest rate.
    #[schema(value_type = f64, example = 1)]
    lowest: Number,
    /// The highest rate.
    #[schema(value_type = f64, example = 500)]
    highest: Number,
}

/// An optional feature of a deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Feature {
    /// Contract wallets can sign in: their signatures are checked on the chain `signIn.evmChainId`.
    ContractWallets,
    /// Media can be uploaded and downloaded.
    Media,
}

/// The perpetuals venue, whose transactions clients send themselves.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueNetwork {
    /// Its network.
    chain: VenueChain,
    /// The chain id of its EVM chain.
    #[schema(example = 999)]
    chain_id: u64,
    /// A JSON-RPC endpoint of that chain.
    #[schema(example = "https://rpc.hyperliquid.xyz/evm")]
    rpc_url: String,
}

/// A rate limit. Above it, the service answers 429 with `Retry-After`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateLimit {
    /// The name of the limit.
    #[schema(example = "walletByAccount")]
    name: &'static str,
    /// What the limit counts.
    counts: &'static str,
    /// The number of hits allowed in a window.
    hits: u32,
    /// Length of the window, which begins with its first hit, in seconds.
    window_seconds: u64,
}

/// The messages that wallets sign to sign in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignIn {
    /// The domain that messages are bound to.
    domain: String,
    /// The URI that messages name.
    uri: String,
    /// The chain id that messages of EVM wallets name.
    evm_chain_id: u64,
    /// The message that a Bitcoin wallet signs without a challenge. Replace `{address}`, if present, and the
    /// closing `{timestamp}` (ms since the epoch). Null if the service accepts any text that ends in the time.
    #[schema(required = true)]
    message_template: Option<String>,
}

/// Returns the settings of this deployment that a frontend needs before a user signs in. Clients may cache the
/// response for five minutes.
#[utoipa::path(
    get,
    path = "/api/config",
    tag = "service",
    responses((status = 200, description = "The deployment", body = Envelope<Deployment>))
)]
pub async fn get_config(State(app): State<App>) -> Result<Tagged<Envelope<Deployment>>> {
    let message_template = match app.message.as_ref() {
        SignInMessage::Template(template) => Some(template.clone()),
        SignInMessage::AnyText => None,
    };
    let published = &app.published;
    let is_on = [
        (Feature::ContractWallets, app.evm.is_some()),
        (Feature::Media, published.media.url.is_some()),
    ];
    let features = is_on.into_iter().filter_map(|(feature, is_on)| is_on.then_some(feature));
    let deployment = Deployment {
        network: app.network.to_string(),
        sign_in: SignIn {
            domain: app.sign_in.domain.clone(),
            uri: app.sign_in.uri.clone(),
            evm_chain_id: app.sign_in.evm_chain_id,
            message_template,
        },
        passkey_rp_id: app.relying_party.id.clone(),
        app_url: published.frontend.app_url.clone(),
        fees: FeeLimits {
            range: FeeRange {
                lowest: number_in_sat_per_vb(published.fees.rates.lowest)?,
                highest: number_in_sat_per_vb(published.fees.rates.highest)?,
            },
            cap: published.fees.cap.to_sat(),
            targets: published.fees.targets(),
        },
        delay_blocks: DELAY,
        renewal: RenewalBlocks { advised: RENEWAL_ADVISED_BELOW, needed: RENEWAL_NEEDED_BELOW },
        socket_url: published.sockets.url.clone(),
        limits: limits::ALL.iter().map(rate_limit).collect(),
        features: features.collect(),
        venue: VenueNetwork {
            chain: published.venue.chain,
            chain_id: published.venue.chain_id,
            rpc_url: published.venue.rpc_url.clone(),
        },
        affiliate: Affiliate::of(&published.affiliate)?,
        hub_vault: published.hub.vault.as_ref().map(ToString::to_string),
        hub_vault_only: published.hub.is_only,
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(Tagged::new(Envelope::ok(deployment), KEPT))
}

fn rate_limit(limit: &limits::Limit) -> RateLimit {
    RateLimit {
        name: limit.name,
        counts: limit.counts.trim(),
        hits: limit.most,
        window_seconds: limit.window.as_secs(),
    }
}
