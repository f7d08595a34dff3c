//! The API page at `/api/docs`. It works offline: its files are in this binary.

use axum::Router;
use utoipa_swagger_ui::SwaggerUi;

use crate::{base::failure::Result, openapi};

/// The page, and the document it shows at `/api/openapi.json`.
///
/// # Errors
/// The document cannot be built.
pub fn router() -> Result<Router> {
    let page = SwaggerUi::new("/api/docs")
        .external_url_unchecked("/api/openapi.json", openapi::document()?);
    Ok(page.into())
}
