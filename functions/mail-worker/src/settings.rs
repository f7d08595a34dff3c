//! Settings that only this worker has.

use base::section;

section! {
    /// Who mails come from.
    pub struct SenderConfig {
        /// Sender address of mails
        pub from: String = "MAIL_FROM",
    }
}
