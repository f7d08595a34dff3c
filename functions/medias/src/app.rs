//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use base::blob::Bucket;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    deployment::{MediaConfig, ServedMediaConfig},
    http::{Ingress, ingress::IngressConfig},
    network::{Network, NetworkConfig},
};

use crate::{documents::Documents, settings::ApiConfig};

/// The application of `medias`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Ingress,
    /// The Bitcoin network that addresses must belong to.
    pub network: Network,
    /// The bucket to which clients upload media.
    pub media: Arc<MediaConfig>,
    /// The files in that bucket.
    pub files: Arc<Bucket>,
    /// Where media are served.
    pub served: Arc<ServedMediaConfig>,
    /// The OpenAPI documents of this deployment.
    pub documents: Arc<Documents>,
}

impl Deref for App {
    type Target = Ingress;

    fn deref(&self) -> &Ingress {
        &self.gate
    }
}

impl Application for App {
    type Config =
        (CoreConfig, IngressConfig, NetworkConfig, MediaConfig, ServedMediaConfig, ApiConfig);

    fn new((core, gate, network, media, served, api): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let files = Bucket::new(core.aws.clone(), media.bucket.clone(), core.outbound.clone());
        Self {
            gate: Ingress::new(core, gate),
            network: network.network,
            media: Arc::new(media),
            files: Arc::new(files),
            served: Arc::new(served),
            documents: Arc::new(Documents::new(api)),
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
