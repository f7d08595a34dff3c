//! The basis of the local world: processes, servers, clients, the clock, faults.

pub mod answers;
pub mod client;
pub mod clock;
pub mod effects;
pub mod examples;
pub mod failure;
pub mod faulty_http;
pub mod latch;
pub mod masks;
pub mod mood;
pub mod names;
pub mod overheard;
pub mod patience;
pub mod ports;
pub mod process;
pub mod refusals;
pub mod server;
pub mod socket_client;
pub mod workspace;
