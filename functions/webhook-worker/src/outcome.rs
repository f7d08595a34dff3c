//! How a run ends.

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing is left to send.
    Done,
    /// The next event is tried again later.
    Waiting,
    /// The webhook is off.
    Off,
    /// The receiver has not confirmed that it wants events.
    Unverified,
    /// The run reached its deadline. The next sweep queues the webhook again.
    Late,
    /// Another run holds the webhook.
    Held,
    /// The webhook does not exist.
    Unknown,
}

impl Outcome {
    /// Its name in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Waiting => "waiting",
            Self::Off => "off",
            Self::Unverified => "unverified",
            Self::Late => "late",
            Self::Held => "held",
            Self::Unknown => "unknown",
        }
    }
}
