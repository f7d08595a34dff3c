//! Trading wallets: their contents and their transactions, which are withdrawals and renewals that the owner
//! signs and the platform co-signs. This function has no permission to use a key of a treasury (custody rule
//! 11).

mod app;
pub mod balance;
pub mod coins;
pub mod create;
pub mod deposits;
pub mod details;
pub mod fee_rates;
pub mod list;
pub mod max_spent;
#[cfg(feature = "openapi")]
mod openapi;
pub mod published;
pub mod recovery_kit;
pub mod release;
pub mod replace;
pub mod rune;
pub mod rune_ids;
pub mod sign;

use shared::http::{
    Access::{Bearer, Public},
    Routes,
};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Bearer, "/api/account/trading-wallet/balance", balance::get_trading_wallet_balance)
        .get(Bearer, "/api/account/trading-wallet/coins", coins::list_coins)
        .get(Bearer, "/api/account/trading-wallet/deposits", deposits::list_deposits)
        .post(Bearer, "/api/account/trading-wallet/deposits", deposits::announce_deposit)
        .get(Bearer, "/api/account/trading-wallet/recovery-kit", recovery_kit::get_recovery_kit)
        .get(Public, "/api/wallets/details/{userAddress}", details::get_wallet_details)
        .post(Bearer, "/api/wallets", details::get_own_wallet)
        .get(Public, "/api/wallets/balance", published::get_address_balance)
        .get(Public, "/api/utxos", published::list_utxos)
        .get(Public, "/api/bitcoin/fee-rates", fee_rates::get_fee_rates)
        .get(Public, "/api/runes/{runeId}", rune::get_rune)
        .get(Bearer, "/api/transactions", list::list_bitcoin_transactions)
        .post(Bearer, "/api/transactions/max-spent", max_spent::calculate_max_spent)
        .post_or_try(Bearer, "/api/transactions", create::create_bitcoin_transaction)
        .post(Bearer, "/api/transactions/sign", sign::sign_bitcoin_transaction)
        .post(Bearer, "/api/transactions/{txId}/replace", replace::replace_bitcoin_transaction)
        .get(Bearer, "/api/transactions/{txId}", list::get_bitcoin_transaction)
        .delete(Bearer, "/api/transactions/{txId}", release::release_bitcoin_transaction)
}
