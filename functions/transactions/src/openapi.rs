use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::balance::trading_wallet_balance,
    crate::coins::list_coins,
    crate::deposits::list_deposits,
    crate::deposits::announce_deposit,
    crate::details::wallet_details,
    crate::details::own_wallet,
    crate::fee_rates::fee_rates,
    crate::rune::rune_by_id,
    crate::list::list_own_transactions,
    crate::list::one_transaction,
    crate::max_spent::max_spent,
    crate::recovery_kit::recovery_kit,
    crate::published::address_balance,
    crate::published::list_utxos,
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
