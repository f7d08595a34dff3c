//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use chain::{BitcoinContext, ChainConfig};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    deployment::HubVaultConfig,
    http::{Ingress, ingress::IngressConfig},
};

use crate::rune_ids::RuneIds;

/// The application of `transactions`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: BitcoinContext,
    gate: Ingress,
    /// Where withdrawals through the hub go.
    pub vault: Arc<HubVaultConfig>,
    /// Ids of runes that this instance remembers.
    pub rune_ids: RuneIds,
}

impl Deref for App {
    type Target = BitcoinContext;

    fn deref(&self) -> &BitcoinContext {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, ChainConfig, HubVaultConfig);

    fn new((core, gate, chain, vault): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        Self {
            gate: Ingress::new(core.clone(), gate),
            chain: BitcoinContext::new(core, chain),
            vault: Arc::new(vault),
            rune_ids: RuneIds::default(),
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
