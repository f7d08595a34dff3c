//! The Lambda function that sends events to webhooks.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_queue(webhook_worker::handle).await
}
