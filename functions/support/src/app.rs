//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Gate, gate::GateConfig},
    network::{Network, NetworkConfig},
};

use crate::{dead_letters::DeadLetters, settings::DeadLetterConfig};

/// The application of `support`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Gate,
    /// The network that Bitcoin addresses belong to.
    pub network: Network,
    /// Messages that a worker has given up.
    pub dead_letters: Arc<DeadLetters>,
}

impl Deref for App {
    type Target = Gate;

    fn deref(&self) -> &Gate {
        &self.gate
    }
}

impl Application for App {
    type Config = (CoreConfig, GateConfig, NetworkConfig, DeadLetterConfig);

    fn new((core, gate, network, letters): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let dead_letters = Arc::new(DeadLetters::new(&core, letters));
        let NetworkConfig { network } = network;
        Self { gate: Gate::new(core, gate), network, dead_letters }
    }
}

impl FromRef<App> for Gate {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
