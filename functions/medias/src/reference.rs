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

/// Returns the OpenAPI 3.1 document of this deployment.
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

/// Returns the OpenAPI document of this deployment in version 3.0.
///
/// It has the same content as version 3.1, for tools that do not read 3.1: fields that may be null are
/// `nullable`, and webhooks are in `x-webhooks`. It lacks conditions, such as which fields must be sent
/// together, because version 3.0 cannot state them.
#[utoipa::path(
    get,
    path = "/api/openapi-3.0.json",
    tag = "reference",
    responses((status = 200, description = "The document", body = OpenApiDocument))
)]
pub async fn get_older_openapi(State(app): State<App>, headers: HeaderMap) -> OpenApiDocument {
    OpenApiDocument(app.documents.older().answer(&headers, KEPT))
}

/// Returns the reference as a page.
///
/// The page is generated from the OpenAPI document, needs no scripts, and loads no other resources. Clients may
/// cache it for five minutes.
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
