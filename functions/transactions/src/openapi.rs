use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(paths(
    crate::balance::get_trading_wallet_balance,
    crate::coins::list_coins,
    crate::deposits::list_deposits,
    crate::deposits::announce_deposit,
    crate::details::get_wallet_details,
    crate::details::get_own_wallet,
    crate::fee_rates::get_fee_rates,
    crate::rune::get_rune,
    crate::list::list_bitcoin_transactions,
    crate::list::get_bitcoin_transaction,
    crate::max_spent::calculate_max_spent,
    crate::recovery_kit::get_recovery_kit,
    crate::published::get_address_balance,
    crate::published::list_utxos,
    crate::create::create_bitcoin_transaction,
    crate::sign::sign_bitcoin_transaction,
    crate::release::release_bitcoin_transaction,
    crate::replace::replace_bitcoin_transaction
))]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}
