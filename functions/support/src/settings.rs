//! Settings that only this function has.

use base::section;

section! {
    /// Where messages end that a worker has given up.
    pub struct DeadLetterConfig {
        /// URL of the queue of mails that were given up
        pub mails: String = "MAIL_DEAD_LETTERS_URL",
        /// URL of the queue of messages about exports that were given up
        pub exports: String = "EXPORT_DEAD_LETTERS_URL",
        /// URL of the queue of messages about webhooks that were given up
        pub webhooks: String = "WEBHOOK_DEAD_LETTERS_URL",
        /// URL of the queue of messages about sockets that were given up
        pub sockets: String = "SOCKET_DEAD_LETTERS_URL",
    }
}
