//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use identity::{Identity, IdentityConfig};
use outbox::{sockets::SocketConfig, webhooks::WebhookTargetConfig};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ReauthConfig, ingress::IngressConfig},
    ord::{OrdClient, OrdConfig},
};

/// The application of `account`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    identity: Identity,
    /// Access tokens and CORS.
    pub gate: Ingress,
    /// Reads the contents of Bitcoin outputs.
    pub ord: OrdClient,
    /// The targets that webhooks may have.
    pub webhook_targets: WebhookTargetConfig,
    /// The URL at which clients open sockets.
    pub sockets: Arc<SocketConfig>,
    reauth: ReauthConfig,
}

impl Deref for App {
    type Target = Identity;

    fn deref(&self) -> &Identity {
        &self.identity
    }
}

impl Application for App {
    type Config = (
        CoreConfig,
        IngressConfig,
        IdentityConfig,
        OrdConfig,
        ReauthConfig,
        WebhookTargetConfig,
        SocketConfig,
    );

    fn new(
        (core, gate, identity, ord, reauth, webhook_targets, sockets): Self::Config,
        machine: &Machine,
    ) -> Self {
        let core = Core::new(core, machine);
        Self {
            gate: Ingress::new(core.clone(), gate),
            ord: OrdClient::over(&core, ord),
            identity: Identity::new(core, identity),
            webhook_targets,
            sockets: Arc::new(sockets),
            reauth,
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}

impl FromRef<App> for ReauthConfig {
    fn from_ref(app: &App) -> Self {
        app.reauth.clone()
    }
}
