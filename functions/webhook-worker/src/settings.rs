//! Settings that only this worker has.

use std::{num::ParseIntError, time::Duration};

use base::section;

section! {
    /// How requests are sent.
    #[derive(Copy)]
    pub struct SendConfig {
        /// How long a receiver may take to answer, in milliseconds
        pub limit: Duration = "WEBHOOK_LIMIT_MS" or "15000" via millis,
    }
}

fn millis(text: &str) -> Result<Duration, ParseIntError> {
    text.parse().map(Duration::from_millis)
}
