//! The Lambda function that finds new events for webhooks and sockets. It is started once a minute.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_schedule(event_worker::run).await
}
