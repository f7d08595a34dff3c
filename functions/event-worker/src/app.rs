//! What this function works with, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use shared::{
    core::{Application, Core, CoreConfig, Machine},
    sockets::{SocketQueue, SocketQueueConfig},
    webhooks::{WebhookQueue, WebhookQueueConfig},
};

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
pub struct Parts {
    core: Core,
    /// Webhooks that have something to send.
    pub(crate) webhooks: WebhookQueue,
    /// Events that sockets are to be told of.
    pub(crate) sockets: SocketQueue,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Application for App {
    type Config = (CoreConfig, WebhookQueueConfig, SocketQueueConfig);

    fn new((core, webhooks, sockets): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        Self(Arc::new(Parts {
            webhooks: WebhookQueue::new(&core, webhooks),
            sockets: SocketQueue::new(&core, sockets),
            core,
        }))
    }
}
