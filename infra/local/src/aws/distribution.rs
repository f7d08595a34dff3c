//! CloudFront: serves a bucket to everyone as the template says.
//!
//! The storage itself answers only signed requests.

use std::{path::Path, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;

use crate::{
    aws::template,
    base::{
        failure::{Context, Result},
        server::Server,
    },
};

/// Request headers that reach the origin, besides method and path: no cookie and no query, because nothing
/// that a cached answer could depend on may pass. (The storage does not support conditional requests.)
const PASSED_ON: [HeaderName; 1] = [header::RANGE];
/// Response headers of the origin that are passed on.
const PASSED_BACK: [HeaderName; 6] = [
    header::ACCEPT_RANGES,
    header::CONTENT_LENGTH,
    header::CONTENT_RANGE,
    header::CONTENT_TYPE,
    header::ETAG,
    header::LAST_MODIFIED,
];

/// A distribution.
#[derive(Debug)]
pub struct Distribution(Server);

impl Distribution {
    /// Serves a bucket of the storage in `root` on a free port.
    ///
    /// # Errors
    /// No port is free, or the template's methods or headers are invalid.
    pub async fn start(root: &Path, plan: &template::Distribution) -> Result<Self> {
        let files = FileSystem::new(root).map_err(|error| format!("{error:?}")).context("S3")?;
        let methods = plan.methods.iter().map(|method| method.parse());
        let mut headers = HeaderMap::new();
        for (name, value) in &plan.headers {
            let header: HeaderName = name.parse().context(name)?;
            headers.append(header, value.parse::<HeaderValue>().context(name)?);
        }
        let face = Face {
            // Needs no credentials, because only the distribution reaches this copy of the storage.
            origin: S3ServiceBuilder::new(files).build(),
            bucket: plan.bucket.clone(),
            methods: methods.collect::<Result<_, _>>().context("methods")?,
            headers,
        };
        let router = Router::new().fallback(answer).with_state(Arc::new(face));
        Server::start(router).await.map(Self)
    }

    /// Base address without a trailing slash.
    pub fn url(&self) -> &str {
        self.0.url()
    }
}

struct Face {
    origin: S3Service,
    bucket: String,
    methods: Vec<Method>,
    headers: HeaderMap,
}

async fn answer(State(face): State<Arc<Face>>, request: Request) -> Response {
    // S3 also answers 403 for a missing object if the caller may not list the bucket.
    let answer = face.fetch(request.into_parts().0).await;
    let mut answer = answer.unwrap_or_else(|| StatusCode::FORBIDDEN.into_response());
    answer.headers_mut().extend(face.headers.clone());
    answer
}

impl Face {
    async fn fetch(&self, request: Parts) -> Option<Response> {
        let key = request.uri.path().strip_prefix('/')?;
        if !self.methods.contains(&request.method) || !is_plain(key) {
            return None;
        }
        let mut asked = http::Request::new(s3s::Body::empty());
        *asked.uri_mut() = format!("/{}/{key}", self.bucket).parse().ok()?;
        *asked.method_mut() = request.method;
        copy(&PASSED_ON, &request.headers, asked.headers_mut());
        let (found, body) = self.origin.call(asked).await.ok()?.into_parts();
        if !found.status.is_success() && found.status != StatusCode::RANGE_NOT_SATISFIABLE {
            return None;
        }
        let mut answer = Response::new(Body::new(body));
        *answer.status_mut() = found.status;
        copy(&PASSED_BACK, &found.headers, answer.headers_mut());
        Some(answer)
    }
}

/// Whether a path is a key in the service's format. Other paths could leave the bucket's folder, or name the
/// bucket itself.
fn is_plain(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    key.split('/').all(|part| !matches!(part, "" | "." | "..") && part.bytes().all(plain))
}

fn copy(names: &[HeaderName], from: &HeaderMap, to: &mut HeaderMap) {
    for name in names {
        if let Some(value) = from.get(name) {
            to.insert(name.clone(), value.clone());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::*;
    use crate::base::client::Client;

    #[tokio::test]
    async fn one_bucket_is_served_read_only() {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [("media/media/a/b.png", "pixels"), ("exports/secret.csv", "rows")] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let plan = template::Distribution {
            bucket: "media".into(),
            methods: vec!["GET".into(), "HEAD".into()],
            headers: vec![("X-Content-Type-Options".into(), "nosniff".into())],
        };
        let distribution = Distribution::start(root.path(), &plan).await.unwrap();
        let client = Client::new(distribution.url());

        let whole = client.get("/media/a/b.png?versionId=x&acl").header("cookie", "a=b");
        let whole = whole.send().await.expect(200);
        assert_eq!(whole.text, "pixels");
        assert_eq!(whole.header("x-content-type-options"), "nosniff");
        assert_eq!(whole.header("set-cookie"), "");
        let head = client.request(Method::HEAD, "/media/a/b.png").send().await.expect(200);
        assert_eq!((head.header("content-length"), head.text.as_str()), ("6", ""));
        let part = client.get("/media/a/b.png").header("range", "bytes=1-2").send().await;
        assert_eq!(part.expect(206).text, "ix");
        let beyond = client.get("/media/a/b.png").header("range", "bytes=9-");
        beyond.send().await.expect(416);

        for path in [
            "/",
            "",
            "/?list-type=2",
            "/media",
            "/media/",
            "/media/a/none.png",
            "//media/a/b.png",
            "/../exports/secret.csv",
            "/media/../../exports/secret.csv",
            "/%2e%2e/exports/secret.csv",
            "/..%2fexports/secret.csv",
            "/exports/secret.csv",
            "/media/a/./b.png",
        ] {
            let refused = client.get(path).send().await.expect(403);
            assert_eq!(refused.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(refused.text, "", "{path}");
        }
        for method in [Method::PUT, Method::POST, Method::DELETE, Method::PATCH, Method::OPTIONS] {
            for path in ["/media/a/b.png", "/media/a/new.png", "/"] {
                client.request(method.clone(), path).body("x").send().await.expect(403);
            }
        }
        assert_eq!(fs::read_to_string(root.path().join("media/media/a/b.png")).unwrap(), "pixels");
        assert!(!root.path().join("media/media/a/new.png").exists());
    }
}
