use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    paths(
        crate::presigned_url::create_media_upload,
        crate::delete::delete_media,
        crate::reference::get_openapi,
        crate::reference::get_older_openapi,
        crate::reference::get_reference,
    ),
    components(schemas(crate::name::MediaName))
)]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
