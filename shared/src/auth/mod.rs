//! Authentication: who the caller is, and how often it may ask. How callers prove it is the crate `identity`.

mod caller;
mod context;
pub mod device_token;
mod error;
pub mod limits;

pub use caller::{Caller, LiveCaller, NotLive, SessionsEnd, tell_sessions_ended};
pub use context::{PeerAddress, RequestContext};
pub use error::{AuthError, RefusedProof, refused};
