use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::affiliate::get_affiliate,
    crate::transaction::create_xchain_withdrawal,
    crate::sign::sign_xchain_withdrawal,
    crate::register::register_swap,
    crate::status::get_swap_status,
    crate::list::list_xchain_transactions,
    crate::one::get_xchain_transaction
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
