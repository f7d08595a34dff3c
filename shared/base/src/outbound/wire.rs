//! What carries requests.

use aws_smithy_types::body::SdkBody;
use futures_util::future::BoxFuture;

/// Why a request got no response: its text says what happened to the connection.
pub type WireError = Box<dyn std::error::Error + Send + Sync>;

/// A response on its way. The response's body may still be arriving when the future ends.
pub type Sending = BoxFuture<'static, Result<http::Response<SdkBody>, WireError>>;

/// What carries requests to other parties: HTTPS, or a network that a test controls.
pub trait Wire: Send + Sync + 'static {
    /// Sends one request, without any time limit or retry.
    fn send(&self, request: http::Request<SdkBody>) -> Sending;
}
