use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::affiliate::affiliate,
    crate::transaction::create_transaction,
    crate::sign::sign_transaction,
    crate::register::register_swap,
    crate::status::status,
    crate::list::list_transactions,
    crate::one::xchain_transaction
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
