//! What this function works with, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use shared::{
    core::{Application, Core, CoreConfig, Machine},
    sockets::{SocketConfig, SocketQueue, SocketQueueConfig, connections::Connections},
};

/// What the handlers work with. Cloning is cheap.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
pub struct Parts {
    core: Core,
    /// Events that sockets are to be told of.
    pub(crate) queue: SocketQueue,
    /// The gateway's connections.
    pub(crate) connections: Connections,
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
    type Config = (CoreConfig, SocketConfig, SocketQueueConfig);

    fn new((core, socket, queue): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let connections = Connections::new(&core, &socket);
        Self(Arc::new(Parts { queue: SocketQueue::new(&core, queue), connections, core }))
    }
}
