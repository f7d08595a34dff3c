//! `DELETE /api/medias/{name}`.

use axum::extract::State;
use shared::http::{Envelope, LiveCaller, Nothing, Result, Segment};

use crate::{app::App, name::MediaName};

/// Deletes a file that the caller has uploaded.
///
/// `name` is the last part of the file's `key`. The response is the same if the file does not exist or has
/// already been deleted. Caches may serve a deleted file for up to a day. Until its form expires, the file can
/// be uploaded again.
#[utoipa::path(
    delete,
    path = "/api/medias/{name}",
    tag = "medias",
    security(("bearer" = [])),
    params(("name" = MediaName, Path, description = "The last part of the file's key")),
    responses((status = 200, description = "The file is deleted", body = Envelope<Nothing>))
)]
pub async fn delete_media(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(name): Segment<MediaName>,
) -> Result<Envelope<Nothing>> {
    // The folder is the caller's, so no name leads to a file of another account.
    app.files.delete(&name.key(caller.account.id)).await?;
    Ok(Envelope::ok(Nothing))
}
