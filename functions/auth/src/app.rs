//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use identity::{Identity, IdentityConfig};
use outbox::sockets::SocketConfig;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    crypto::{
        signing::{KeyConfig, KeyStore},
        token::TokenIssuer,
    },
    deployment::{AffiliateConfig, FrontendConfig, HubVaultConfig, ServedMediaConfig},
    fees::FeeConfig,
    http::{Ingress, ingress::IngressConfig},
    venue::VenueChainConfig,
};

use crate::{settings::MessageConfig, sign_in_message::SignInMessage};

/// The application of `auth`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    identity: Identity,
    /// Access tokens and CORS.
    pub gate: Ingress,
    /// Issues the access tokens of new and renewed sessions.
    pub issuer: Arc<TokenIssuer>,
    /// The sign-in message without a challenge.
    pub message: Arc<SignInMessage>,
    /// Settings that only `GET /api/config` uses.
    pub published: Arc<PublishedSettings>,
}

/// Settings that `GET /api/config` publishes and no other endpoint of this function uses.
#[derive(Debug)]
pub struct PublishedSettings {
    /// Where sockets are opened.
    pub sockets: SocketConfig,
    /// Where the frontend is.
    pub frontend: FrontendConfig,
    /// Fees of Bitcoin transactions.
    pub fees: FeeConfig,
    /// The affiliate fee of cross-chain swaps.
    pub affiliate: AffiliateConfig,
    /// Where withdrawals through the hub go.
    pub hub: HubVaultConfig,
    /// The network of the perpetuals venue.
    pub venue: VenueChainConfig,
    /// Where media are served.
    pub media: ServedMediaConfig,
}

type PublishedConfig = (
    SocketConfig,
    FrontendConfig,
    FeeConfig,
    AffiliateConfig,
    HubVaultConfig,
    VenueChainConfig,
    ServedMediaConfig,
);

impl From<PublishedConfig> for PublishedSettings {
    fn from((sockets, frontend, fees, affiliate, hub, venue, media): PublishedConfig) -> Self {
        Self { sockets, frontend, fees, affiliate, hub, venue, media }
    }
}

impl Deref for App {
    type Target = Identity;

    fn deref(&self) -> &Identity {
        &self.identity
    }
}

impl Application for App {
    type Config =
        (CoreConfig, IngressConfig, IdentityConfig, KeyConfig, MessageConfig, PublishedConfig);

    fn new(
        (core, gate, identity, keys, message, published): Self::Config,
        machine: &Machine,
    ) -> Self {
        let core = Core::new(core, machine);
        let gate = Ingress::new(core.clone(), gate);
        let (aws, outbound, clock) = (core.aws.clone(), core.outbound.clone(), core.clock.clone());
        let keys = KeyStore::new(aws, keys, outbound, clock);
        Self {
            issuer: Arc::new(TokenIssuer::new(gate.tokens.clone(), keys)),
            message: Arc::new(message.message),
            published: Arc::new(published.into()),
            identity: Identity::new(core, identity),
            gate,
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
