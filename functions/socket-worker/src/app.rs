//! What this function works with, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use outbox::sockets::SocketApp;
use shared::core::{Application, Machine};

use crate::{pace::Pace, settings::PushConfig};

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    sockets: SocketApp,
    /// The turns of all calls of the gateway.
    pub(crate) pace: Arc<Pace>,
}

impl Deref for App {
    type Target = SocketApp;

    fn deref(&self) -> &SocketApp {
        &self.sockets
    }
}

impl Application for App {
    type Config = (<SocketApp as Application>::Config, PushConfig);

    fn new((sockets, push): Self::Config, machine: &Machine) -> Self {
        let pace = Arc::new(Pace::new(push.per_second));
        Self { sockets: SocketApp::new(sockets, machine), pace }
    }
}
