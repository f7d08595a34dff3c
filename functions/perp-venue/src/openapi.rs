use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::deposit::deposit,
    crate::referral::referral,
    crate::builder_fee_approval::approve_builder_fee,
    crate::withdraw::withdraw,
    crate::status::status
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
