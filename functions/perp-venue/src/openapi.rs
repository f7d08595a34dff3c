use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::deposit::build_venue_deposit,
    crate::referral::build_venue_referral,
    crate::builder_fee_approval::build_venue_builder_fee_approval,
    crate::withdraw::build_venue_withdrawal,
    crate::status::get_venue_status
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
