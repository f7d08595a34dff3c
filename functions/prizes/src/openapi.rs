use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::list::list_prizes,
    crate::list::get_prize,
    crate::register::register_prize
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
