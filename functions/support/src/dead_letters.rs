//! Messages that a worker has given up.

use base::queue::{Queue, QueueError};
use serde::Serialize;
use shared::core::Core;
use utoipa::ToSchema;

use crate::settings::DeadLetterConfig;

/// Whose messages they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeadLetterKind {
    /// Mails.
    Mails,
    /// Exports.
    Exports,
    /// Webhooks.
    Webhooks,
    /// Sockets.
    Sockets,
}

/// How many messages a worker has given up.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetterCount {
    kind: DeadLetterKind,
    /// About how many messages wait for an operator.
    messages: u64,
}

/// The queues of such messages.
#[derive(Debug)]
pub struct DeadLetters {
    mails: Queue,
    exports: Queue,
    webhooks: Queue,
    sockets: Queue,
}

impl DeadLetters {
    /// The queues at these addresses; connects only to count.
    pub fn new(core: &Core, config: DeadLetterConfig) -> Self {
        let queue = |url| Queue::new(core.aws.clone(), url, core.outbound.clone());
        let DeadLetterConfig { mails, exports, webhooks, sockets } = config;
        Self {
            mails: queue(mails),
            exports: queue(exports),
            webhooks: queue(webhooks),
            sockets: queue(sockets),
        }
    }

    /// Counts the messages of each queue.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn count(&self) -> Result<Vec<DeadLetterCount>, QueueError> {
        let Self { mails, exports, webhooks, sockets } = self;
        let (mails, exports, webhooks, sockets) = tokio::try_join!(
            mails.length(),
            exports.length(),
            webhooks.length(),
            sockets.length()
        )?;
        let counts = [
            (DeadLetterKind::Mails, mails),
            (DeadLetterKind::Exports, exports),
            (DeadLetterKind::Webhooks, webhooks),
            (DeadLetterKind::Sockets, sockets),
        ];
        Ok(counts.map(|(kind, messages)| DeadLetterCount { kind, messages }).to_vec())
    }
}
