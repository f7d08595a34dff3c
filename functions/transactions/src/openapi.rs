use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::create::create_trading_transaction,
    crate::sign::sign_trading_transaction,
    crate::release::release_transaction,
    crate::replace::replace_transaction
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
