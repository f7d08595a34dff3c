//! What this function works with, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use shared::{
    core::{Application, Core, CoreConfig, Machine},
    deployment::FrontendConfig,
};

use crate::settings::SenderConfig;

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    core: Core,
    /// Who mails come from.
    pub sender: Arc<SenderConfig>,
    /// Where their links lead.
    pub frontend: Arc<FrontendConfig>,
}

impl Deref for App {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Application for App {
    type Config = (CoreConfig, SenderConfig, FrontendConfig);

    fn new((core, sender, frontend): Self::Config, machine: &Machine) -> Self {
        Self {
            core: Core::new(core, machine),
            sender: Arc::new(sender),
            frontend: Arc::new(frontend),
        }
    }
}
