use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    paths(
        crate::presigned_url::presigned_url,
        crate::delete::delete_media,
        crate::reference::document,
        crate::reference::page,
    ),
    components(schemas(crate::name::MediaName))
)]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
