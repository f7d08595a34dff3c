//! Settings of this function alone.

use shared::section;

section! {
    /// Where media are uploaded to.
    pub struct MediaConfig {
        /// Bucket that media are uploaded to
        pub bucket: String = "MEDIA_BUCKET",
    }
}
