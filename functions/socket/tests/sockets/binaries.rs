//! The function and its worker, started as Lambda starts them.

use std::path::Path;

use local::{LocalStack, lambda::Function};
use serde_json::{Value, json};

/// An event as API Gateway sends it (Developer Guide, "Set up integration request in API Gateway", WebSocket APIs).
pub(crate) fn event(kind: &str, more: Value) -> Value {
    let mut event = json!({
        "requestContext": {
            "routeKey": "$default", "eventType": kind, "extendedRequestId": "HcnZ-EQVoAMFqAA=",
            "requestTime": "25/Nov/2026:12:00:00 +0000", "messageDirection": "IN", "stage": "live",
            "connectedAt": 1_795_608_000_000_u64, "requestTimeEpoch": 1_795_608_000_001_u64,
            "identity": { "userAgent": "x", "sourceIp": "192.0.2.1" }, "requestId": "HcnZ-EQVoAMFqAA=",
            "domainName": "abc.execute-api.us-east-1.amazonaws.com", "connectionId": "HcnZ+cV/oAMCJQg=",
            "apiId": "abc",
        },
        "isBase64Encoded": false,
    });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

#[tokio::test]
async fn the_function_answers_the_events_of_the_gateway() {
    let stack = LocalStack::start().await;
    let binary = Path::new(env!("CARGO_BIN_EXE_socket"));
    let function = Function::start(binary, stack.settings()).await.unwrap();
    let invoke = async |event| function.invoke(event).await.unwrap().answer;
    let opened = event(
        "CONNECT",
        json!({
            "headers": { "Host": "abc.execute-api.us-east-1.amazonaws.com", "Sec-WebSocket-Version": "13" },
            "multiValueHeaders": { "Host": ["abc.execute-api.us-east-1.amazonaws.com"] },
        }),
    );
    assert_eq!(invoke(opened.clone()).await, json!({ "statusCode": 200 }));
    let ticket = json!({ "queryStringParameters": { "ticket": "x" }, "multiValueQueryStringParameters": { "ticket": ["x"] } });
    assert_eq!(invoke(event("CONNECT", ticket)).await, json!({ "statusCode": 401 }));
    let ping = event("MESSAGE", json!({ "body": r#"{"ping":1}"# }));
    let pong = json!({ "statusCode": 200, "body": r#"{"lists":[],"pong":1}"# });
    assert_eq!(invoke(ping.clone()).await, pong);
    let gone = json!({ "headers": {}, "multiValueHeaders": {} });
    assert_eq!(invoke(event("DISCONNECT", gone)).await, json!({ "statusCode": 200 }));
    // The connection's row does not exist, so the connection is closed and no answer is sent.
    assert_eq!(invoke(ping).await, json!({ "statusCode": 200 }));
    let failed = invoke(json!({ "requestContext": 7 })).await;
    assert!(failed["errorType"].is_string(), "{failed}");
}
