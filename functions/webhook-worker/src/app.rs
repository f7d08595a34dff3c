//! The application of this function, and the settings that it reads.

use std::{ops::Deref, sync::Arc};

use outbox::webhooks::WebhookTargetConfig;
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    crypto::vault::{DataKeyConfig, KeyRing, Vault},
    mail::{MailQueue, MailQueueConfig},
};

use crate::{send::Sender, settings::SendConfig};

/// The application of this worker. Cloning is cheap.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    core: Core,
    /// Decrypts the secrets of webhooks.
    pub(crate) vault: Vault,
    /// Queue of the mails to owners of webhooks.
    pub(crate) mail: MailQueue,
    /// Sends requests to receivers.
    pub(crate) sender: Sender,
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
    type Config = (CoreConfig, DataKeyConfig, WebhookTargetConfig, MailQueueConfig, SendConfig);

    fn new((core, data_key, targets, mail, send): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let (aws, outbound) = (&core.aws, &core.outbound);
        let vault = Vault::over_kms(
            KeyRing::Webhooks,
            aws.clone(),
            data_key.id,
            core.store.clone(),
            outbound.clone(),
            core.random.clone(),
        );
        Self(Arc::new(Parts {
            vault,
            mail: MailQueue::new(aws.clone(), mail, outbound.clone()),
            sender: Sender::new(targets, send),
            core,
        }))
    }
}
