//! Settings of this worker alone.

use shared::{section, settings::base_url};

section! {
    /// Who mails come from, and where their links lead.
    pub struct SenderConfig {
        /// Sender address of mails
        pub from: String = "MAIL_FROM",
        /// Base address of the frontend, for links in mails
        pub app_url: String = "APP_URL" via base_url,
    }
}
