//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use outbox::{
    sockets::{SocketQueue, SocketQueueConfig},
    webhooks::{WebhookQueue, WebhookQueueConfig},
};
use shared::core::{Application, Core, CoreConfig, Machine};

/// The application of this worker. Cloning is cheap.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    core: Core,
    /// Queue of the webhooks that have something to send.
    pub(crate) webhooks: WebhookQueue,
    /// Queue of the events to push to sockets.
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
