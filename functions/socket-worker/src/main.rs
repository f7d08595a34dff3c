//! The Lambda function that tells sockets of events.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_queue(|app, event, _| socket_worker::handle(app, event)).await
}
