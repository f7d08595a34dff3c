//! The Lambda function that follows the transactions that the service issued. It is started once a minute.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve_schedule(chain_watcher::run_as_asked).await
}
