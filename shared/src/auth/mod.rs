//! Authentication: who the caller is, how often it may ask, and which device it uses. The crate `identity` checks how
//! callers prove it.

mod caller;
mod context;
pub mod device_token;
mod error;
pub mod limits;

pub use caller::{Caller, LiveCaller, NotLive, SessionsEnd, tell_sessions_ended};
pub use context::{PeerAddress, RequestContext};
pub use error::{AuthError, RefusedProof, refused};
