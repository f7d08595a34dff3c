//! The Lambda function of the group `perp-venue`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(perp_venue::routes()).await
}
