use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(crate::presigned_url::presigned_url))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
