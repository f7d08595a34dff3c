//! Settings that only this worker has.

use std::num::NonZeroU32;

use base::section;

section! {
    /// How fast events are pushed to readers.
    #[derive(Copy)]
    pub struct PushConfig {
        /// Calls of the gateway that one run makes in a second: requests to the API have the account's rate in common with them
        pub per_second: NonZeroU32 = "SOCKET_PUSHES_PER_SECOND" or "200",
    }
}
