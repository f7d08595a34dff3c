//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use chain::{
    BitcoinContext, ChainConfig,
    hub::{HubClient, HubConfig},
};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    deployment::{AffiliateConfig, HubVaultConfig},
    http::{Ingress, ingress::IngressConfig},
};

/// The application of `xchain`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: BitcoinContext,
    gate: Ingress,
    /// The partner that settles cross-chain swaps.
    pub hub: HubClient,
    /// The affiliate fee of cross-chain swaps.
    pub affiliate: Arc<AffiliateConfig>,
    /// Where withdrawals through the hub go.
    pub vault: Arc<HubVaultConfig>,
}

impl Deref for App {
    type Target = BitcoinContext;

    fn deref(&self) -> &BitcoinContext {
        &self.chain
    }
}

impl Application for App {
    type Config =
        (CoreConfig, IngressConfig, ChainConfig, HubConfig, AffiliateConfig, HubVaultConfig);

    fn new((core, gate, chain, hub, affiliate, vault): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        Self {
            gate: Ingress::new(core.clone(), gate),
            hub: HubClient::new(hub, &core),
            chain: BitcoinContext::new(core, chain),
            affiliate: Arc::new(affiliate),
            vault: Arc::new(vault),
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
