//! The Lambda function that sends the mails of the queue.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_queue(|app, event, _| mail_worker::handle(app, event)).await
}
