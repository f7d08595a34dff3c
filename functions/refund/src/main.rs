//! The Lambda function of the group `refund`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(refund::routes()).await
}
