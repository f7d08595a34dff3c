//! What this function works with, and the settings that it reads.

use std::ops::Deref;

use chain::{
    Chain, ChainConfig,
    hub::{HubClient, HubConfig},
};
use shared::core::{Application, Core, CoreConfig, Machine};

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: Chain,
    /// The partner that settles cross-chain swaps.
    pub hub: HubClient,
}

impl Deref for App {
    type Target = Chain;

    fn deref(&self) -> &Chain {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, ChainConfig, HubConfig);

    fn new((core, chain, hub): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let hub = HubClient::new(hub, core.outbound.clone(), core.clock.clone());
        Self { chain: Chain::new(core, chain), hub }
    }
}
