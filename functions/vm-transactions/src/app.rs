//! What this function works with, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use chain::{BitcoinContext, ChainConfig};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ingress::IngressConfig},
    network::CosigningConfig,
};

use crate::settings::MintKeyConfig;

/// What the handlers of `vm-transactions` work with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: BitcoinContext,
    gate: Ingress,
    /// The keys of mints.
    pub mint_keys: Arc<MintKeyConfig>,
    /// The keys that co-sign trading wallets, which mints must not have.
    pub cosigning: Arc<CosigningConfig>,
}

impl Deref for App {
    type Target = BitcoinContext;

    fn deref(&self) -> &BitcoinContext {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, ChainConfig, MintKeyConfig, CosigningConfig);

    fn new((core, gate, chain, keys, cosigning): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        Self {
            gate: Ingress::new(core.clone(), gate),
            chain: BitcoinContext::new(core, chain),
            mint_keys: Arc::new(keys),
            cosigning: Arc::new(cosigning),
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
