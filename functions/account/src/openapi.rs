use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::health::health,
    crate::list::list_accounts,
    crate::me::me,
    crate::referral_code::verify_referral_code,
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
