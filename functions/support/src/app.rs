//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ingress::IngressConfig},
    network::{Network, NetworkConfig},
};

use crate::{dead_letters::DeadLetters, settings::DeadLetterConfig};

/// The application of `support`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Ingress,
    /// The network that Bitcoin addresses belong to.
    pub network: Network,
    /// Messages that a worker has given up.
    pub dead_letters: Arc<DeadLetters>,
}

impl Deref for App {
    type Target = Ingress;

    fn deref(&self) -> &Ingress {
        &self.gate
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, NetworkConfig, DeadLetterConfig);

    fn new((core, gate, network, letters): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let dead_letters = Arc::new(DeadLetters::new(&core, letters));
        let NetworkConfig { network } = network;
        Self { gate: Ingress::new(core, gate), network, dead_letters }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
