//! Prizes: inscriptions that the treasury holds as giveaways.

mod app;
pub mod list;
#[cfg(feature = "openapi")]
mod openapi;
pub mod prize;
pub mod register;

use shared::http::{
    Access::{Admin, Bearer},
    Routes,
};

pub use app::App;
#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Bearer, "/api/prizes", list::list_prizes)
        .post(Admin, "/api/prizes", register::register_prize)
        .get(Bearer, "/api/prizes/{prizeNumber}", list::get_prize)
}
