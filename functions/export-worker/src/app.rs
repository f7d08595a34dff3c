//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use base::blob::Bucket;
use outbox::exports::{ExportConfig, ExportQueue};
use shared::core::{Application, Core, CoreConfig, Machine};

/// The application of this worker. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    core: Core,
    /// Queue of the exports to make.
    pub export_queue: Arc<ExportQueue>,
    /// Bucket of the files.
    pub export_files: Arc<Bucket>,
}

impl Deref for App {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Application for App {
    type Config = (CoreConfig, ExportConfig);

    fn new((core, exports): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let (queue, files) = exports.open(&core);
        Self { core, export_queue: Arc::new(queue), export_files: Arc::new(files) }
    }
}
