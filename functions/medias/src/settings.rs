//! Settings of this function alone.

use shared::{section, settings::base_url};

section! {
    /// Media: where they are uploaded to, and where they are served.
    pub struct MediaConfig {
        /// Bucket that media are uploaded to
        pub bucket: String = "MEDIA_BUCKET",
        /// Base address that media are served at
        pub url: String = "MEDIA_URL" via base_url,
    }
}
