//! The Lambda function of the group `transactions`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(transactions::routes()).await
}
