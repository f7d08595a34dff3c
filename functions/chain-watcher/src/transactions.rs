//! Transactions that the service issued.

use shared::{
    app::App,
    cosigning::{self, CosigningError, IssuedTransaction},
    store::Key,
};

/// Looks at one.
pub(crate) async fn look(app: App, key: Key) -> Result<(), CosigningError> {
    match app.store.get::<IssuedTransaction>(&key).await? {
        Some(row) => {
            cosigning::track(&app, &row).await?;
            cosigning::bump_refund(&app, &row).await.map(drop)
        }
        None => Ok(()),
    }
}
