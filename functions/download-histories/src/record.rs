//! Exports by their ids.

use outbox::exports::Export;
use shared::{
    keys,
    models::{account::AccountId, export::ExportId},
};
use store::StoreError;

use crate::app::App;

/// An export, if it belongs to the account (custody rule 13).
pub(crate) async fn own_export(
    app: &App,
    account: AccountId,
    id: ExportId,
) -> Result<Option<Export>, StoreError> {
    let found = app.store.get_many::<Export>(&[keys::export(id)]).await?;
    Ok(found.into_iter().flatten().find(|export| export.account_id == account))
}
