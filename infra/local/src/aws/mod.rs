//! AWS on this machine: the emulators of its services, and what the template declares in them.

pub mod data_dir;
pub mod distribution;
pub mod dynamodb;
pub(crate) mod kms_keys;
pub mod lambda;
pub mod mailbox;
pub mod ministack;
pub(crate) mod paths;
pub mod provision;
pub mod pump;
pub mod sockets;
pub mod storage;
pub mod template;
