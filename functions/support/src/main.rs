//! The Lambda function of the group `support`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(support::routes()).await
}
