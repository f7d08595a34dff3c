//! The application of this function, and the settings that it reads.

use std::ops::Deref;

use axum::extract::FromRef;
use chain::{BitcoinContext, ChainConfig};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ingress::IngressConfig},
};

/// The application of `refund`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: BitcoinContext,
    gate: Ingress,
}

impl Deref for App {
    type Target = BitcoinContext;

    fn deref(&self) -> &BitcoinContext {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, ChainConfig);

    fn new((core, gate, chain): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        Self { gate: Ingress::new(core.clone(), gate), chain: BitcoinContext::new(core, chain) }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
