//! The application of the functions of sockets, and the settings that they read.

use std::{ops::Deref, sync::Arc};

use shared::core::{Application, Core, CoreConfig, Machine};

use super::{SocketConfig, SocketQueue, SocketQueueConfig, connections::Connections};

/// The application of `socket` and `socket-worker`. Cloning is cheap.
#[derive(Clone)]
pub struct SocketApp(Arc<Parts>);

/// The parts of a [`SocketApp`].
pub struct Parts {
    core: Core,
    /// Queue of the events to push to sockets.
    pub queue: SocketQueue,
    /// The gateway's connections.
    pub connections: Connections,
}

impl Deref for SocketApp {
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

impl Application for SocketApp {
    type Config = (CoreConfig, SocketConfig, SocketQueueConfig);

    fn new((core, socket, queue): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let connections = Connections::new(&core, &socket);
        Self(Arc::new(Parts { queue: SocketQueue::new(&core, queue), connections, core }))
    }
}
