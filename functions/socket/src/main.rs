//! The Lambda function behind the WebSocket API.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_socket(socket::handle).await
}
