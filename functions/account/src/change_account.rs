//! Changes of an account that end no sessions.

use shared::{
    auth::{AuthError, refused},
    http::LiveCaller,
    keys,
    models::account::Account,
};
use store::{Update, Writes};

use crate::app::App;

/// Updates only the caller's row. For fields that are not credentials, so that no session ends.
pub(crate) async fn change_account(
    app: &App,
    caller: &LiveCaller,
    update: Update<Account>,
) -> Result<(), AuthError> {
    let key = keys::account(caller.account.id);
    let row = Writes::new().update(&key, update, AuthError::Changed);
    app.store.commit(row).await.map_err(refused)
}
