//! Reads of other accounts, for admins who answer their questions. Nothing here changes what it reads, and each
//! read is recorded.

pub mod account;
mod app;
pub mod dead_letters;
pub mod lists;
#[cfg(feature = "openapi")]
mod openapi;
pub mod reader;
pub mod reads;
pub mod search;
mod secrets;
pub mod settings;
pub mod stuck;
mod text;
pub mod transaction;
pub mod webhooks;

use shared::http::{Access::Admin, Routes};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Admin, "/api/support/search", search::search_support)
        .get(Admin, "/api/support/accounts/{accountId}", account::get_support_account)
        .get(
            Admin,
            "/api/support/accounts/{accountId}/transactions",
            lists::list_support_transactions,
        )
        .get(Admin, "/api/support/accounts/{accountId}/cross-chain", lists::list_support_xchain)
        .get(Admin, "/api/support/accounts/{accountId}/deposits", lists::list_support_deposits)
        .get(Admin, "/api/support/accounts/{accountId}/batches", lists::list_support_batches)
        .get(Admin, "/api/support/accounts/{accountId}/refunds", lists::list_support_refunds)
        .get(Admin, "/api/support/accounts/{accountId}/exports", lists::list_support_exports)
        .get(Admin, "/api/support/accounts/{accountId}/activity", lists::list_support_activity)
        .get(Admin, "/api/support/accounts/{accountId}/webhooks", webhooks::list_support_webhooks)
        .get(
            Admin,
            "/api/support/accounts/{accountId}/webhooks/{webhookId}/deliveries",
            webhooks::list_support_deliveries,
        )
        .get(Admin, "/api/support/transactions/{txId}", transaction::get_support_transaction)
        .get(Admin, "/api/support/stuck", stuck::list_stuck_rows)
        .get(Admin, "/api/support/payouts", stuck::list_open_payouts)
        .get(Admin, "/api/support/reads", reads::list_support_reads)
}
