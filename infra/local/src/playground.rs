//! The playground at `/playground/`: a prebuilt page that uses every endpoint.

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use http::{HeaderValue, StatusCode, header};
use tower_http::services::ServeDir;

use crate::base::workspace;

/// The page may load nothing from other origins. Apart from the service, it may only reach the service's
/// sockets, whose address does not name `localhost`, and storage, media and Esplora, which have their own
/// ports. Argon2 is WebAssembly; a component that positions itself needs inline styles.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: http://127.0.0.1:*; \
    connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page and its files; if it was not built, a line that says how to build it.
pub fn router() -> Router {
    let files = ServeDir::new(workspace::root().join("infra/frontend/playground/dist"))
        .precompressed_gzip()
        .fallback(get(missing));
    Router::new()
        .route("/playground", get(|| async { Redirect::permanent("/playground/") }))
        .nest_service("/playground/", files)
        .layer(middleware::from_fn(policy))
}

/// URL of the page for a service at `url`: passkeys work on `localhost`, not on an IP address.
pub fn url(url: &str) -> String {
    format!("{}/playground/", url.replace("127.0.0.1", "localhost"))
}

async fn missing() -> Response {
    let text = "There is no such file. `make frontend` builds the playground.\n";
    (StatusCode::NOT_FOUND, text).into_response()
}

async fn policy(request: Request, next: Next) -> Response {
    // Names of assets contain a hash of their contents.
    let forever = request.uri().path().starts_with("/playground/assets/");
    let mut response = next.run(request).await;
    let cache = match forever && response.status().is_success() {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
