//! The Lambda function that pushes events to sockets.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_queue(|app, event, _| socket_worker::handle(app, event)).await
}
