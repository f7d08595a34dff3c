//! Settings that only this function reads.

use base::{section, settings::optional_base_url};

section! {
    /// Where the API is served.
    pub struct ApiConfig {
        /// Base address of the API, which the served OpenAPI documents name as their server; empty: they name
        /// `/`
        pub url: Option<String> = "API_URL" or "" via optional_base_url,
    }
}
