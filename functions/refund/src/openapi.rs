use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::create::create_refund,
    crate::sign::sign_refund,
    crate::calculate::calculate_refund,
    crate::one::get_refund
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
