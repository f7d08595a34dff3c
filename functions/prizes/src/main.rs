//! The Lambda function of the group `prizes`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(prizes::routes()).await
}
