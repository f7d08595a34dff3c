//! The page of the API, at `/api/docs`. It needs no internet: its files are in this binary.

use axum::Router;
use utoipa_swagger_ui::SwaggerUi;

use crate::{failure::Result, openapi};

/// The page, and the document that it shows at `/api/openapi.json`.
///
/// # Errors
/// There is no document.
pub fn router() -> Result<Router> {
    let page = SwaggerUi::new("/api/docs")
        .external_url_unchecked("/api/openapi.json", openapi::document()?);
    Ok(page.into())
}
