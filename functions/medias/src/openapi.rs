use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::presigned_url::presigned_url,
    crate::reference::document,
    crate::reference::page,
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
