//! Why a call to another party failed.

/// Why a party outside AWS gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// No connection, or one that broke.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// No whole answer in time.
    #[error("no answer in time")]
    Timeout,
    /// Not available now; said when it will be (503 with `Retry-After` in seconds).
    #[error("not available for {retry_after} s")]
    Busy {
        /// Seconds until then.
        retry_after: u64,
    },
    /// An answer with a status that is neither success nor "not found".
    #[error("status {0}")]
    Status(u16),
    /// An answer beyond the limits.
    #[error("the answer is too long")]
    TooLong,
    /// The same of AWS, which says why.
    #[error("status {status}: {reason}")]
    Refused {
        /// The status.
        status: u16,
        /// The name of the error, and what AWS says of it.
        reason: String,
    },
    /// The parameter in SSM cannot be read, or has an invalid value, so no request was sent.
    #[error("the SSM parameter {parameter} cannot be used: {reason}")]
    NotStored {
        /// The name of the parameter.
        parameter: String,
        /// Why; nothing of the parameter's value.
        reason: String,
    },
    /// An answer that does not have the promised shape.
    #[error("malformed answer: {0}")]
    Malformed(String),
}

impl OutboundError {
    /// What kind of failure it is, in a word, for spans: the text of an error may quote a party.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::Timeout => "timeout",
            Self::Busy { .. } => "busy",
            Self::Status(_) => "status",
            Self::TooLong => "too long",
            Self::Refused { .. } => "refused",
            Self::NotStored { .. } => "not stored",
            Self::Malformed(_) => "malformed",
        }
    }

    /// The status of the answer, if that is what failed.
    pub(super) fn status(&self) -> Option<u16> {
        match self {
            Self::Busy { .. } => Some(503),
            Self::Status(status) | Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }
}
