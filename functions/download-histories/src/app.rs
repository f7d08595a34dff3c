//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use axum::extract::FromRef;
use base::blob::Bucket;
use outbox::exports::{ExportConfig, ExportQueue};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    http::{Ingress, ingress::IngressConfig},
};

/// The application of `download-histories`. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    gate: Ingress,
    /// Queue of the exports to make.
    pub export_queue: Arc<ExportQueue>,
    /// Bucket of the files.
    pub export_files: Arc<Bucket>,
}

impl Deref for App {
    type Target = Ingress;

    fn deref(&self) -> &Ingress {
        &self.gate
    }
}

impl Application for App {
    type Config = (CoreConfig, IngressConfig, ExportConfig);

    fn new((core, gate, exports): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let (queue, files) = exports.open(&core);
        Self {
            gate: Ingress::new(core, gate),
            export_queue: Arc::new(queue),
            export_files: Arc::new(files),
        }
    }
}

impl FromRef<App> for Ingress {
    fn from_ref(app: &App) -> Self {
        app.gate.clone()
    }
}
