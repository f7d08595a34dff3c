//! S3: s3s-fs in this process. A bucket is a folder.

use std::{
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
    response::Response,
};
use http::{HeaderName, StatusCode};
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
    let service = Router::new().fallback_service(service).layer(from_fn(unknown_uploads));
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
