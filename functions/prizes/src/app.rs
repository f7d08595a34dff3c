//! The application of this function, and the settings that it reads.

use std::ops::Deref;

use axum::extract::FromRef;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ingress::IngressConfig},
    network::TreasuryConfig,
    ord::{OrdClient, OrdConfig},
};

/// The application of `prizes`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Ingress,
    /// Reads the contents of Bitcoin outputs.
    pub ord: OrdClient,
    /// The treasury that holds the prizes.
    pub treasury: TreasuryConfig,
}

impl Deref for App {
    type Target = Ingress;

    fn deref(&self) -> &Ingress {
        &self.gate
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, OrdConfig, TreasuryConfig);

    fn new((core, gate, ord, treasury): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let ord = OrdClient::over(&core, ord);
        Self { gate: Ingress::new(core, gate), ord, treasury }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
