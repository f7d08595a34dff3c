//! Virtual mints and their requests. Users request tokens of a rune in batches and pay in advance.

mod app;
pub mod blocks;
pub mod close_mint;
pub mod count;
pub mod create;
pub mod create_mint;
mod error;
pub mod list;
pub mod list_mints;
pub mod mint_events;
pub mod next_block;
#[cfg(feature = "openapi")]
mod openapi;
mod place;
pub mod settings;
pub mod sign;

use shared::http::{
    Access::{Admin, Bearer, Public},
    Routes,
};

pub use app::App;
pub use error::VmError;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Public, "/api/vm-transactions", list::list_vm_transactions)
        .post_or_try(Bearer, "/api/vm-transactions", create::create_vm_transaction)
        .post(Bearer, "/api/vm-transactions/sign", sign::sign_vm_transaction)
        .get(
            Public,
            "/api/vm-transactions/count-unconfirmed-requests",
            count::count_unconfirmed_requests,
        )
        .get(Public, "/api/vm-transactions/{txId}", list::get_vm_transaction)
        .get(Public, "/api/vm-transactions/mints", list_mints::list_mints)
        .get(Public, "/api/vm-transactions/mints/{id}", list_mints::get_mint)
        .get(
            Public,
            "/api/vm-transactions/mints/{id}/next-block",
            next_block::get_next_virtual_block,
        )
        .get(Public, "/api/vm-transactions/mints/{id}/blocks", blocks::list_virtual_blocks)
        .get(Public, "/api/vm-transactions/mints/{id}/events", mint_events::list_mint_events)
        .post(Admin, "/api/vm-transactions/mints", create_mint::create_mint)
        .post(Admin, "/api/vm-transactions/mints/{id}/close", close_mint::close_mint)
}
