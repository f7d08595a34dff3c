//! `GET /api/openapi.json`, `GET /api/openapi-3.0.json` and `GET /api/docs`: the reference of the API.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};
use utoipa::ToSchema;

use crate::{app::App, documents::PAGE};

/// How long caches may keep the documents and the page.
const KEPT: &str = "public, max-age=300";
/// What the page may load and run: its own style and script, by their hashes, and nothing else.
const PAGE_POLICY: &str = env!("PAGE_POLICY");

/// An OpenAPI document.
#[derive(Debug, ToSchema)]
#[schema(value_type = Object)]
pub struct OpenApiDocument(Response);

impl IntoResponse for OpenApiDocument {
    fn into_response(self) -> Response {
        self.0
    }
}

/// The OpenAPI 3.1 document of this deployment.
///
/// The response has no envelope, so that tools can read it directly. Clients may cache it for five minutes.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    tag = "reference",
    responses((status = 200, description = "The document", body = OpenApiDocument))
)]
pub async fn get_openapi(State(app): State<App>, headers: HeaderMap) -> OpenApiDocument {
    OpenApiDocument(app.documents.newer().answer(&headers, KEPT))
}

/// The OpenAPI document of this deployment in version 3.0.
///
/// It says the same, for tools that do not read 3.1: what may be null is `nullable`, and webhooks are in `x-webhooks`.
#[utoipa::path(
    get,
    path = "/api/openapi-3.0.json",
    tag = "reference",
    responses((status = 200, description = "The document", body = OpenApiDocument))
)]
pub async fn get_older_openapi(State(app): State<App>, headers: HeaderMap) -> OpenApiDocument {
    OpenApiDocument(app.documents.older().answer(&headers, KEPT))
}

/// The reference as a page.
///
/// It is made of the OpenAPI document, needs no scripts, and loads nothing. Clients may cache it for five minutes.
#[utoipa::path(
    get,
    path = "/api/docs",
    tag = "reference",
    responses((status = 200, description = "The page", body = String, content_type = "text/html"))
)]
pub async fn get_reference(headers: HeaderMap) -> Response {
    let mut response = PAGE.answer(&headers, KEPT);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
