//! What this function works with, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use shared::{
    blob::Bucket,
    core::{Application, Core, CoreConfig, Machine},
    exports::{ExportConfig, ExportQueue},
};

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    core: Core,
    /// Exports that are to be made.
    pub export_queue: Arc<ExportQueue>,
    /// Files of exports.
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
