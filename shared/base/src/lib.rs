//! What any service on AWS Lambda needs: time, randomness and settings; calls
//! to AWS and to other parties; files, queues and keys that sign; logs, spans, traces and metrics.

pub mod aws;
pub mod blob;
pub mod breaker;
pub mod cached;
pub mod clock;
pub mod log;
pub mod metrics;
pub mod outbound;
pub mod provider;
pub mod queue;
pub mod random;
pub mod secret;
pub mod settings;
pub mod signer;
pub mod span;
pub mod traces;
