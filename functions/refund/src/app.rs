//! The application of this function, and the settings that it reads.

use std::ops::Deref;

use axum::extract::FromRef;
use chain::{Chain, ChainConfig};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Gate, gate::GateConfig},
};

/// The application of `refund`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: Chain,
    gate: Gate,
}

impl Deref for App {
    type Target = Chain;

    fn deref(&self) -> &Chain {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, GateConfig, ChainConfig);

    fn new((core, gate, chain): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        Self { gate: Gate::new(core.clone(), gate), chain: Chain::new(core, chain) }
    }
}

impl FromRef<App> for Gate {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
