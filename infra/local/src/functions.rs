//! All functions in one process. A new function needs a line in each of these two lists.

use shared::http::Routes;
use utoipa::openapi::OpenApi;

/// The routes of every function.
pub fn routes() -> Routes {
    auth::routes()
        .merge(account::routes())
        .merge(prizes::routes())
        .merge(xchain::routes())
        .merge(vm_transactions::routes())
        .merge(refund::routes())
        .merge(perp_venue::routes())
        .merge(medias::routes())
        .merge(download_histories::routes())
}

/// The OpenAPI document of every function.
pub fn openapi() -> Vec<OpenApi> {
    vec![
        auth::openapi(),
        account::openapi(),
        prizes::openapi(),
        xchain::openapi(),
        vm_transactions::openapi(),
        refund::openapi(),
        perp_venue::openapi(),
        medias::openapi(),
        download_histories::openapi(),
    ]
}
