use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::list::list_download_histories,
    crate::list::get_download_history,
    crate::create::create_download_history,
    crate::remove::delete_download_history
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
