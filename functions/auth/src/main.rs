//! The Lambda function of the group `auth`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(auth::routes()).await
}
