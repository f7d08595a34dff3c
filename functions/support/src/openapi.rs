use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::search::search_support,
    crate::account::get_support_account,
    crate::lists::list_support_transactions,
    crate::transaction::get_support_transaction,
    crate::lists::list_support_xchain,
    crate::lists::list_support_deposits,
    crate::lists::list_support_batches,
    crate::lists::list_support_refunds,
    crate::lists::list_support_exports,
    crate::webhooks::list_support_webhooks,
    crate::webhooks::list_support_deliveries,
    crate::lists::list_support_activity,
    crate::stuck::list_stuck_rows,
    crate::stuck::list_open_payouts,
    crate::reads::list_support_reads
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
