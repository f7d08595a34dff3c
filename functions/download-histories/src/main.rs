//! The Lambda function of the group `download-histories`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(download_histories::routes()).await
}
