//! The headers of responses, and responses without a body.

use serde_json::{Map, Value, json};

use super::{
    errors::OTHER_REQUESTS,
    walk::{change_operations, insert},
};

/// The schemas of responses that carry an `ETag`.
const SINGLE: &str = "#/components/schemas/Single_";

/// Further paths whose responses carry one.
const TAGGED: [&str; 5] = [
    "/api/docs",
    "/api/openapi.json",
    "/api/openapi-3.0.json",
    "/api/config",
    "/api/vm-transactions/mints/{id}/blocks",
];

/// The pattern of a list of named limits (RFC 9651), each with two parameters.
fn items(first: &str, second: &str) -> String {
    let item = format!("\"[A-Za-z]+\";{first}=[0-9]+;{second}=[0-9]+");
    format!("^{item}(, {item})*$")
}

/// Names the headers of every response.
pub(super) fn with_headers(mut document: Value) -> Value {
    let components = json!({
        "X-Request-Id": {
            "description": "The id of the request in the service's log. Quote it when you report a problem.",
            "required": true,
            "schema": { "type": "string", "minLength": 1 },
        },
        "Retry-After": {
            "description": "The seconds to wait before the next attempt. Missing if the service does not know them.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "ETag": {
            "description": "Identifies this version of the response. Send it as `If-None-Match` to get 304 while nothing has changed.",
            "required": true,
            "schema": { "type": "string", "pattern": "^\"[A-Za-z0-9_-]+\"$" },
        },
        "RateLimit": {
            "description": "For each limit that the request counts towards: the remaining hits (`r`), and the seconds until the window ends (`t`).",
            "schema": { "type": "string", "pattern": items("r", "t") },
        },
        "RateLimit-Policy": {
            "description": "For each limit that the request counts towards: the allowed hits (`q`) and the length of the window in seconds (`w`).",
            "schema": { "type": "string", "pattern": items("q", "w") },
        },
        "Idempotent-Replayed": {
            "description": "This response was already sent for an earlier request with the same `Idempotency-Key`.",
            "schema": { "type": "string", "enum": ["true"] },
        },
    });
    if let Some(all) = document.get_mut("components") {
        insert(all, "headers", components);
    }
    let shared = document.pointer_mut("/components/responses").and_then(Value::as_object_mut);
    for (name, response) in shared.into_iter().flatten() {
        let status = if name == "Unavailable" { "503" } else { "500" };
        insert(response, "headers", headers(status, Kind::default()));
    }
    let others = document.get_mut(OTHER_REQUESTS).and_then(Value::as_object_mut);
    for (status, response) in others.into_iter().flatten() {
        let mut own = headers(status, Kind::default());
        if status == "405" {
            let allow = json!({
                "description": "The methods that the path supports.",
                "required": true,
                "schema": { "type": "string", "pattern": "^[A-Z]+(,[A-Z]+)*$" },
            });
            insert(&mut own, "Allow", allow);
        }
        insert(response, "headers", own);
    }
    change_operations(&mut document, |path, _, operation| {
        let takes_key = takes_key(operation);
        let Some(responses) = operation.get_mut("responses") else { return };
        let has_tag = TAGGED.contains(&path) || has_tag(responses);
        let kind = Kind {
            has_tag,
            takes_key,
            has_dry_run: responses.get("200").is_some() && responses.get("201").is_some(),
            is_limited: responses.get("429").is_some(),
        };
        for (status, response) in responses.as_object_mut().into_iter().flatten() {
            if response.get("$ref").is_none() {
                insert(response, "headers", headers(status, kind));
            }
        }
        if has_tag {
            let unchanged = json!({
                "description": "Nothing has changed: the client already has this response.",
                "headers": headers("304", kind),
            });
            insert(responses, "304", unchanged);
            let condition = json!({
                "name": "If-None-Match",
                "in": "header",
                "description": "The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body.",
                "schema": { "type": "string", "format": "entity-tag", "maxLength": 1024 },
            });
            let parameters = operation.entry("parameters").or_insert(json!([]));
            parameters.as_array_mut().into_iter().for_each(|all| all.push(condition.clone()));
        }
    });
    document
}

/// The properties of an operation that add headers to its responses.
#[derive(Clone, Copy, Default)]
struct Kind {
    has_tag: bool,
    takes_key: bool,
    has_dry_run: bool,
    is_limited: bool,
}

/// The headers of a response with this status.
fn headers(status: &str, Kind { has_tag, takes_key, has_dry_run, is_limited }: Kind) -> Value {
    let is_dry_run = has_dry_run && status == "200";
    let is_error = status >= "400";
    let headers = [
        ("X-Request-Id", true),
        ("ETag", has_tag && ["200", "304"].contains(&status)),
        ("Retry-After", ["429", "503"].contains(&status)),
        ("RateLimit", is_limited && (!is_error || status == "429")),
        ("RateLimit-Policy", is_limited && (!is_error || status == "429")),
        // Failures, refusals for too many requests, and dry runs are not kept.
        ("Idempotent-Replayed", takes_key && status < "500" && status != "429" && !is_dry_run),
    ];
    let names = headers.into_iter().filter(|(_, has)| *has).map(|(name, _)| name);
    references(&names.collect::<Vec<_>>())
}

fn takes_key(operation: &Map<String, Value>) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let is_key =
        |parameter: &Value| parameter.get("name").is_some_and(|name| name == "Idempotency-Key");
    parameters.into_iter().flatten().any(is_key)
}

fn has_tag(responses: &Value) -> bool {
    let schema = responses.pointer("/200/content/application~1json/schema/$ref");
    schema.and_then(Value::as_str).is_some_and(|name| name.starts_with(SINGLE))
}

fn references(names: &[&str]) -> Value {
    let reference = |name: &&str| {
        let reference = json!({ "$ref": format!("#/components/headers/{name}") });
        ((*name).to_owned(), reference)
    };
    Value::Object(names.iter().map(reference).collect())
}
