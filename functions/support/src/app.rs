//! The application of this function, and the settings that it reads.

use std::ops::Deref;

use axum::extract::FromRef;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Gate, gate::GateConfig},
    network::{Network, NetworkConfig},
};

/// The application of `support`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Gate,
    /// The network that Bitcoin addresses belong to.
    pub network: Network,
}

impl Deref for App {
    type Target = Gate;

    fn deref(&self) -> &Gate {
        &self.gate
    }
}

impl Application for App {
    type Config = (CoreConfig, GateConfig, NetworkConfig);

    fn new((core, gate, NetworkConfig { network }): Self::Config, machine: &Machine) -> Self {
        Self { gate: Gate::new(Core::new(core, machine), gate), network }
    }
}

impl FromRef<App> for Gate {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
