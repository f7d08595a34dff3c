//! Settings of this function alone.

use shared::{section, settings::optional_base_url};

section! {
    /// Media: where they are uploaded to, and where they are served.
    pub struct MediaConfig {
        /// Bucket that media are uploaded to
        pub bucket: String = "MEDIA_BUCKET",
        /// Base address that media are served at; empty: they are not served, and uploads are refused
        pub url: Option<String> = "MEDIA_URL" or "" via optional_base_url,
    }
}
