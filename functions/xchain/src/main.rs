//! The Lambda function of the group `xchain`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(xchain::routes()).await
}
