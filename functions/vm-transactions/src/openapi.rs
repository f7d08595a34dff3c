use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::list::list_vm_transactions,
    crate::list::get_vm_transaction,
    crate::create::create_vm_transaction,
    crate::sign::sign_vm_transaction,
    crate::count::count_unconfirmed_requests,
    crate::list_mints::list_mints,
    crate::list_mints::get_mint,
    crate::next_block::get_next_virtual_block,
    crate::blocks::list_virtual_blocks,
    crate::mint_events::list_mint_events,
    crate::create_mint::create_mint,
    crate::close_mint::close_mint
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
