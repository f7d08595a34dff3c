//! The Lambda function of the group `vm-transactions`.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    shared::lambda::serve(vm_transactions::routes()).await
}
