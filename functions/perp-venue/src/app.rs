//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ingress::IngressConfig},
};

use crate::venue::{PerpVenueClient, PerpVenueConfig};

/// The application of `perp-venue`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Ingress,
    /// The deployment's settings for the venue.
    pub venue: Arc<PerpVenueConfig>,
    /// The client of the venue.
    pub perp_venue: PerpVenueClient,
}

impl Deref for App {
    type Target = Ingress;

    fn deref(&self) -> &Ingress {
        &self.gate
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, PerpVenueConfig);

    fn new((core, gate, venue): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let venue = Arc::new(venue);
        Self {
            perp_venue: PerpVenueClient::new(venue.clone(), &core),
            gate: Ingress::new(core, gate),
            venue,
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
