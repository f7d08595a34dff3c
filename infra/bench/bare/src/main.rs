//! The minimal implementation of the measured endpoints: the runtime, the calls of DynamoDB and SQS that each of them
//! makes, and an answer of the same size. It checks no tokens, reads no input, enforces no limits and
//! distinguishes no errors.
//!
//! Everything that a function needs beyond this is its own cost.
// Not part of the service: an error aborts the measurement.
#![allow(clippy::expect_used, clippy::indexing_slicing)]
#![allow(clippy::disallowed_types, reason = "rows of the AWS SDK are hash tables")]

use std::{collections::HashMap, env, sync::OnceLock};

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::{
    Client, Config,
    config::Region,
    types::{AttributeValue, KeysAndAttributes, Put, TransactWriteItem},
};
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use lambda_http::{Body, Error, Request, Response, run, service_fn};
use serde_json::{Value, json};
use shared::outbound::Outbound;

type Item = HashMap<String, AttributeValue>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    // Create the client before the first request, as AWS recommends and as the functions do.
    dynamodb();
    // Boxed like in the functions.
    run(service_fn(|request| Box::pin(answer(request)))).await
}

async fn answer(request: Request) -> Result<Response<Body>, Error> {
    let data = match request.uri().path() {
        "/api/account/me" => me().await?,
        "/api/prizes" => page().await?,
        _ => register(request.body()).await?,
    };
    let body = json!({ "code": "1", "message": "common.success", "data": data });
    let response = Response::builder().header("content-type", "application/json");
    Ok(response.body(Body::Text(body.to_string()))?)
}

fn credentials() -> Credentials {
    Credentials::new(
        setting("AWS_ACCESS_KEY_ID"),
        setting("AWS_SECRET_ACCESS_KEY"),
        env::var("AWS_SESSION_TOKEN").ok(),
        None,
        "environment",
    )
}

fn sqs() -> &'static aws_sdk_sqs::Client {
    static CLIENT: OnceLock<aws_sdk_sqs::Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let config = aws_sdk_sqs::Config::builder()
            .region(Region::new(setting("AWS_REGION")))
            .credentials_provider(credentials())
            .http_client(Outbound::new())
            .endpoint_url(setting("AWS_ENDPOINT_URL_SQS"));
        aws_sdk_sqs::Client::from_conf(config.build())
    })
}

fn dynamodb() -> &'static Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let config = Config::builder()
            .region(Region::new(setting("AWS_REGION")))
            .credentials_provider(credentials())
            .http_client(Outbound::new())
            .endpoint_url(setting("AWS_ENDPOINT_URL_DYNAMODB"));
        Client::from_conf(config.build())
    })
}

fn setting(name: &str) -> String {
    env::var(name).expect(name)
}

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn json_of(item: Item) -> Result<Value, Error> {
    Ok(serde_dynamo::from_item(item)?)
}

async fn get(table: &str, pk: &str, sk: &str) -> Result<Value, Error> {
    let found = dynamodb().get_item().table_name(setting(table)).consistent_read(true);
    let found = found.key("pk", text(pk)).key("sk", text(sk)).send().await?;
    json_of(found.item.unwrap_or_default())
}

async fn me() -> Result<Value, Error> {
    get("ACCOUNTS_TABLE", &format!("account#{}", setting("BENCH_ACCOUNT")), "account").await
}

async fn page() -> Result<Value, Error> {
    get("ACTIVITY_TABLE", "list#prizes", "head").await?;
    let query = dynamodb()
        .query()
        .table_name(setting("ACTIVITY_TABLE"))
        .consistent_read(true)
        .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
        .expression_attribute_values(":pk", text("list#prizes"))
        .expression_attribute_values(":low", text(format!("{:012}", 11)))
        .expression_attribute_values(":high", text(format!("{:012}", 35)))
        .send()
        .await?;
    query.items.unwrap_or_default().into_iter().map(json_of).collect()
}

/// Makes the calls of a registration. Single writes: the windows of four limits, the known source and the
/// mailed token. Two reads: the head of the list of accounts, and rows that must be free. One message: the mail. One transaction: the account, its session, credential and uniqueness rows, and the heads and
/// members of two lists.
async fn register(body: &[u8]) -> Result<Value, Error> {
    let body: Value = serde_json::from_slice(body)?;
    let who = body["email"].as_str().unwrap_or_default();
    for kind in ["limit", "limit#registration", "source", "limit#mail", "limit#address"] {
        let update = dynamodb().update_item().table_name(setting("EPHEMERAL_TABLE"));
        let update = update.key("pk", text(format!("bare#{kind}#{who}"))).key("sk", text(kind));
        let update = update.update_expression("ADD hits :one SET expiresAt = :end");
        let update = update.expression_attribute_values(":one", AttributeValue::N("1".to_owned()));
        let end = AttributeValue::N("4102444800".to_owned());
        update.expression_attribute_values(":end", end).send().await?;
    }
    let put = dynamodb().put_item().table_name(setting("EPHEMERAL_TABLE"));
    put.set_item(Some(row(&format!("bare#token#{who}"), "token", &json!({})))).send().await?;
    get("ACCOUNTS_TABLE", "list#accounts", "head").await?;
    let keys = ["email", "referral"].map(|kind| {
        [("pk", format!("bare#{who}")), ("sk", kind.to_owned())]
            .map(|(name, value)| (name.to_owned(), text(value)))
            .into()
    });
    let keys = KeysAndAttributes::builder().set_keys(Some(keys.into())).consistent_read(true);
    let rows = dynamodb().batch_get_item().request_items(setting("ACCOUNTS_TABLE"), keys.build()?);
    rows.send().await?;
    let mut transaction = dynamodb().transact_write_items();
    for kind in [
        "account",
        "session",
        "srp",
        "keystore",
        "email",
        "referral",
        "head",
        "member",
        "activity#head",
        "activity",
    ] {
        let content = match kind {
            "srp" => &body["srpVerifier"],
            "keystore" => &body["encryptedBlob"],
            _ => &body["email"],
        };
        let put = Put::builder()
            .table_name(setting("ACCOUNTS_TABLE"))
            .set_item(Some(row(&format!("bare#{who}"), kind, content)))
            .condition_expression("attribute_not_exists(pk)")
            .build()?;
        transaction = transaction.transact_items(TransactWriteItem::builder().put(put).build());
    }
    transaction.send().await?;
    let mail =
        json!({ "id": who, "to": who, "letter": { "verifyEmail": body["srpVerifier"] }, "at": 0 });
    let entry = SendMessageBatchRequestEntry::builder().id("0").message_body(mail.to_string());
    let batch = sqs().send_message_batch().queue_url(setting("MAIL_QUEUE_URL"));
    batch.entries(entry.build()?).send().await?;
    Ok(json!({ "account": body["email"], "accessToken": body["srpVerifier"] }))
}

fn row(pk: &str, sk: &str, content: &Value) -> Item {
    let content = content.as_str().unwrap_or_default();
    [("pk", pk), ("sk", sk), ("content", content), ("createdAt", "2026-01-01T00:00:00.000Z")]
        .map(|(name, value)| (name.to_owned(), text(value)))
        .into()
}
