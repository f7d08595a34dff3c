//! The Lambda function that makes the files of exports.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_queue(export_worker::handle).await
}
