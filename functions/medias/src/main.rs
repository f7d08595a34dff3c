//! The Lambda function of the group `medias`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(medias::routes()).await
}
