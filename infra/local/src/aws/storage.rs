//! S3: s3s-fs in this process. A bucket is a folder.

use std::{
    convert::Infallible,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Router,
    body::Body,
    error_handling::HandleError,
    extract::Request,
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use http::{HeaderName, HeaderValue, StatusCode, header::CONTENT_TYPE};
use s3s::{
    auth::SimpleAuth,
    config::{S3Config, StaticConfigProvider},
    service::S3ServiceBuilder,
};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tower_http::cors::{Any, CorsLayer};

use crate::base::{
    failure::{Context, Result},
    names::{ACCESS_KEY_ID, SECRET_ACCESS_KEY},
    server::Server,
};

/// How much of a form s3s reads at a time, in bytes: less than 64 KiB, and more than the first line of a
/// form.
const FORM_PIECE_BYTES: usize = 32 * 1024;

/// A private S3.
#[derive(Debug)]
pub struct Storage {
    server: Server,
    root: PathBuf,
    _temporary: Option<TempDir>,
}

impl Storage {
    /// Starts a storage with these buckets on a free port. Without a `folder`, its objects are deleted when
    /// it is dropped.
    ///
    /// # Errors
    /// No port is free, or the folder cannot be created.
    pub async fn start(folder: Option<&Path>, buckets: &[String]) -> Result<Self> {
        let (root, temporary) = match folder {
            Some(folder) => (folder.to_owned(), None),
            None => {
                let folder =
                    tempfile::Builder::new().prefix("runeport-s3-").tempdir().context("S3")?;
                (folder.path().to_owned(), Some(folder))
            }
        };
        for bucket in buckets {
            fs::create_dir_all(root.join(bucket)).context(format!("bucket {bucket}"))?;
        }
        fs::create_dir_all(&root).context("S3")?;
        let server = Server::start(router(&root)?).await?;
        Ok(Self { server, root, _temporary: temporary })
    }

    /// Endpoint for the SDK; buckets are in the path.
    pub fn url(&self) -> &str {
        self.server.url()
    }

    /// Folder that holds the buckets.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The keys of all objects in a bucket, sorted.
    ///
    /// # Errors
    /// The bucket does not exist.
    pub fn keys(&self, bucket: &str) -> Result<Vec<String>> {
        let root = self.root.join(bucket);
        let (mut keys, mut folders) = (Vec::new(), vec![root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).context(format!("bucket {bucket}"))? {
                let path = entry.context(format!("bucket {bucket}"))?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(key) = path.strip_prefix(&root) {
                    keys.push(key.to_string_lossy().into_owned());
                }
            }
        }
        keys.sort();
        Ok(keys)
    }
}

fn router(root: &Path) -> Result<Router> {
    let files = FileSystem::new(root).map_err(|error| format!("{error:?}")).context("S3")?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
    // Signed requests carry their own expiry, and may be signed at a time other than the machine's: the
    // world's clock can be moved, this server's cannot.
    let mut config = S3Config::default();
    config.presigned_url_max_skew_time_secs = u32::MAX;
    service.set_config(Arc::new(StaticConfigProvider::new(Arc::new(config))));
    let service =
        HandleError::new(service.build(), |_| async { StatusCode::INTERNAL_SERVER_ERROR });
    let service = Router::new()
        .fallback_service(service)
        .layer(from_fn(unknown_uploads))
        .layer(from_fn(whole_forms));
    // CORS as the deployed buckets have it: browsers upload from the frontend's origin.
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods(Any)
        .allow_headers(Any)
        .expose_headers([http::header::ETAG, HeaderName::from_static("x-amz-request-id")]);
    Ok(service.layer(cors))
}

/// s3s-fs answers requests about unknown uploads with "access denied"; S3 names the cause
/// (Amazon S3 API Reference, "Error responses", `NoSuchUpload`).
async fn unknown_uploads(request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let of_upload = query.split('&').any(|pair| pair.starts_with("uploadId="));
    let response = next.run(request).await;
    if !of_upload || response.status() != StatusCode::FORBIDDEN {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&body);
    if !text.contains("<Code>AccessDenied</Code>") {
        return Response::from_parts(head, Body::from(body));
    }
    head.status = StatusCode::NOT_FOUND;
    head.headers.remove(http::header::CONTENT_LENGTH);
    let said = text.replace("<Code>AccessDenied</Code>", "<Code>NoSuchUpload</Code>");
    Response::from_parts(head, Body::from(said))
}

/// Passes each form to s3s in pieces of one size. s3s refuses a form if one piece of its body ends with the
/// beginning of a boundary, such as a carriage return, and the next piece has 64 KiB, or if the first piece
/// is shorter than the first line. Without this layer, the sizes depend on how busy this server is. The form
/// is read to its end first, because an earlier answer would close the connection while the browser is still
/// sending.
async fn whole_forms(request: Request, next: Next) -> Response {
    let kind = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"multipart/form-data")) {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(form) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let pieces: Vec<_> = form
        .chunks(FORM_PIECE_BYTES)
        .map(|piece| Ok::<_, Infallible>(form.slice_ref(piece)))
        .collect();
    next.run(Request::from_parts(head, Body::from_stream(stream::iter(pieces)))).await
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tower::ServiceExt as _;

    use super::*;

    #[tokio::test]
    async fn forms_are_read_in_any_pieces() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("media")).unwrap();
        let head = "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n\
            --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
        for pieces in [
            vec![format!("{head}\r"), "x".repeat(64 * 1024), "\r\n--b--\r\n".to_owned()],
            vec!["--".to_owned(), format!("{}x\r\n--b--\r\n", head.strip_prefix("--").unwrap())],
        ] {
            let pieces = pieces.into_iter().map(Ok::<_, Infallible>);
            let request = http::Request::post("/media")
                .header("host", "localhost")
                .header(CONTENT_TYPE, "multipart/form-data; boundary=b")
                .body(Body::from_stream(stream::iter(pieces)))
                .unwrap();
            let answer = router(folder.path()).unwrap().oneshot(request).await.unwrap();
            // An unsigned form, read completely.
            assert_eq!(answer.status(), StatusCode::FORBIDDEN);
        }
    }
}
