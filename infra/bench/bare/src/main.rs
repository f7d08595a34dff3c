//! The minimal implementation of the measured endpoints: the runtime, the calls of DynamoDB and SQS that each
//! endpoint makes, and an answer of the same size. It checks no tokens, reads no input, enforces no limits
//! and distinguishes no errors.
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
    types::{
        AttributeValue, KeysAndAttributes, Put, ReturnValue, ReturnValuesOnConditionCheckFailure,
        TransactWriteItem,
    },
};
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use base::outbound::Outbound;
use lambda_http::{Body, Error, Request, Response, run, service_fn};
use serde_json::{Value, json};

type Item = HashMap<String, AttributeValue>;

// Values of a registration's rows, each as long as the service's own.
const AT: i64 = 1_795_702_718_531;
const NOW: i64 = 1_795_702_718;
const ID: &str = "01a21838-ffd4-737e-ac66-7bf0bd228a2a";
const CLAIM: &str = "ad0c9fc2c96b7910343c70ed565a2f10";
const HASH: &str = "53c5e1ad0c9fc2c96b7910343c70ed565a2f1098303fdecfd42cb6649f459a0d";
const IS_FREE: &str = "attribute_not_exists(pk) OR expiresAt <= :now";

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

/// Makes the calls of a registration. The rows have the same attributes as the service's, and the same size
/// except for what the service encrypts. Single writes: the windows of five limits, and the mailed token. Two
/// reads: the owner of the address, and the head of the list of accounts with its baton. One transaction: the
/// account and everything that belongs to it. One message: the mail.
async fn register(body: &[u8]) -> Result<Value, Error> {
    let body: Value = serde_json::from_slice(body)?;
    let who = body["email"].as_str().unwrap_or_default();
    for kind in ["signIn", "registration", "mail", "registrationMail", "address"] {
        hit(&format!("bare#limit#{kind}#{who}")).await?;
    }
    get("ACCOUNTS_TABLE", &format!("bare#email#{who}"), "email").await?;
    let keys = ["head", "baton"].map(|kind| {
        [("pk", "bare#list#accounts"), ("sk", kind)]
            .map(|(name, value)| (name.to_owned(), text(value)))
            .into()
    });
    let keys = KeysAndAttributes::builder().set_keys(Some(keys.into())).consistent_read(true);
    let rows = dynamodb().batch_get_item().request_items(setting("ACCOUNTS_TABLE"), keys.build()?);
    rows.send().await?;
    let mut transaction = dynamodb().transact_write_items();
    for row in rows_of(who, &body) {
        let put = Put::builder()
            .table_name(setting("ACCOUNTS_TABLE"))
            .set_item(Some(serde_dynamo::to_item(row)?))
            .condition_expression(IS_FREE)
            .expression_attribute_values(":now", number(NOW))
            .build()?;
        transaction = transaction.transact_items(TransactWriteItem::builder().put(put).build());
    }
    transaction.send().await?;
    let token = json!({
        "pk": format!("bare#emailToken#{HASH}#{who}"), "sk": "emailToken",
        "entity": "emailVerification", "version": 1, "createdAt": AT, "expiresAt": NOW,
        "claim": CLAIM, "accountId": ID, "email": who, "emailReleases": 0,
    });
    let put = dynamodb().put_item().table_name(setting("EPHEMERAL_TABLE"));
    put.set_item(Some(serde_dynamo::to_item(token)?))
        .condition_expression(IS_FREE)
        .expression_attribute_values(":now", number(NOW))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await?;
    let letter = json!({ "verifyEmail": { "token": HASH, "expiresAt": AT } });
    let mail = json!({ "id": ID, "to": who, "letter": letter, "at": AT });
    let entry = SendMessageBatchRequestEntry::builder().id("0").message_body(mail.to_string());
    let batch = sqs().send_message_batch().queue_url(setting("MAIL_QUEUE_URL"));
    batch.entries(entry.build()?).send().await?;
    Ok(json!({ "account": body["email"], "accessToken": body["srpVerifier"] }))
}

fn number(value: i64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// Counts a hit in the window of a limit.
async fn hit(window: &str) -> Result<(), Error> {
    let update = dynamodb().update_item().table_name(setting("EPHEMERAL_TABLE"));
    update
        .key("pk", text(window))
        .key("sk", text("limit"))
        .update_expression(
            "SET #entity = :v0, #expiresAt = if_not_exists(#expiresAt, :v2) ADD #hits :v1",
        )
        .condition_expression("attribute_not_exists(pk) OR (#hits < :v3 AND #expiresAt > :v4)")
        .expression_attribute_names("#entity", "entity")
        .expression_attribute_names("#expiresAt", "expiresAt")
        .expression_attribute_names("#hits", "hits")
        .expression_attribute_values(":v0", text("window"))
        .expression_attribute_values(":v1", number(1))
        .expression_attribute_values(":v2", number(NOW))
        .expression_attribute_values(":v3", number(100))
        .expression_attribute_values(":v4", number(0))
        .return_values(ReturnValue::AllNew)
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await?;
    Ok(())
}

/// The rows of a new account, with the attributes that the service writes.
fn rows_of(who: &str, body: &Value) -> [Value; 11] {
    let mut rows = [
        json!({
            "entity": "account", "id": ID, "role": "user", "status": "active", "authMethod": "srp",
            "epoch": 0, "email": who, "emailVerified": false, "emailReleases": 0, "wallet": null,
            "walletSince": 0, "addresses": [], "earlierAddresses": [], "avatar": null,
            "defaultTokens": { "usdc": null }, "referralCode": "XT5V45H3", "referredBy": null,
            "passwordHint": body["passwordHint"], "passkeys": 0, "totpEnabled": false,
            "hasKeystore": true, "lastSignInAt": AT,
        }),
        json!({ "entity": "uniqueness", "accountId": ID }),
        json!({
            "entity": "session", "id": ID, "accountId": ID, "epoch": 0, "refreshHash": HASH,
            "userAgent": null, "sourceIp": "127.0.0.1", "authTime": AT, "lastUsedAt": AT,
            "expiresAt": NOW,
        }),
        json!({
            "entity": "listMember", "n": 1, "appendedBy": "",
            "value": {
                "id": ID, "change": "accountCreated", "requestId": ID, "createdAt": AT,
                "sourceHash": CLAIM, "sessionId": ID,
            },
        }),
        json!({ "entity": "listHead", "count": 1, "lastAt": AT }),
        json!({ "entity": "knownDevice", "device": HASH, "epoch": 0, "expiresAt": NOW }),
        json!({
            "entity": "srpCredential", "group": 3072, "salt": body["srpSalt"],
            "verifier": body["srpVerifier"],
        }),
        json!({ "entity": "emailOwner", "accountId": ID, "verified": false }),
        json!({ "entity": "keystore", "blob": body["encryptedBlob"] }),
        json!({ "entity": "listMember", "n": 1, "value": ID, "appendedBy": CLAIM }),
        json!({ "entity": "listHead", "count": 1, "lastAt": AT }),
    ];
    for (row, number) in rows.iter_mut().zip(0..) {
        row["pk"] = format!("bare#{ID}#{who}").into();
        row["sk"] = format!("row#{number}").into();
        row["version"] = 1.into();
        row["createdAt"] = AT.into();
    }
    rows
}
