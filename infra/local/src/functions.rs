//! All functions in one process. A new function needs a line in each of these three lists.

use base::settings::Setting;
use shared::{http::routes::Route, lambda::settings_of};
use utoipa::openapi::OpenApi;

use crate::app::Served;

/// The routes of every function.
pub fn routes() -> impl Served {
    let accounts = (auth::routes(), account::routes());
    let chain = (xchain::routes(), (vm_transactions::routes(), refund::routes()));
    let chain = (chain, transactions::routes());
    let others = (perp_venue::routes(), (medias::routes(), download_histories::routes()));
    (accounts, ((prizes::routes(), support::routes()), (chain, others)))
}

/// Every route, in the order in which they are served.
pub fn table() -> Vec<Route> {
    routes().list()
}

/// The settings of every function, with its name.
pub fn settings() -> [(&'static str, Vec<Setting>); 18] {
    [
        ("auth", settings_of::<auth::App>()),
        ("account", settings_of::<account::App>()),
        ("prizes", settings_of::<prizes::App>()),
        ("xchain", settings_of::<xchain::App>()),
        ("transactions", settings_of::<transactions::App>()),
        ("vm-transactions", settings_of::<vm_transactions::App>()),
        ("refund", settings_of::<refund::App>()),
        ("perp-venue", settings_of::<perp_venue::App>()),
        ("medias", settings_of::<medias::App>()),
        ("download-histories", settings_of::<download_histories::App>()),
        ("support", settings_of::<support::App>()),
        ("chain-watcher", settings_of::<chain_watcher::App>()),
        ("event-worker", settings_of::<event_worker::App>()),
        ("export-worker", settings_of::<export_worker::App>()),
        ("mail-worker", settings_of::<mail_worker::App>()),
        ("webhook-worker", settings_of::<webhook_worker::App>()),
        ("socket", settings_of::<socket::App>()),
        ("socket-worker", settings_of::<socket_worker::App>()),
    ]
}

/// The OpenAPI document of every function.
pub fn openapi() -> Vec<OpenApi> {
    vec![
        auth::openapi(),
        account::openapi(),
        prizes::openapi(),
        xchain::openapi(),
        transactions::openapi(),
        vm_transactions::openapi(),
        refund::openapi(),
        perp_venue::openapi(),
        medias::openapi(),
        download_histories::openapi(),
        support::openapi(),
    ]
}
