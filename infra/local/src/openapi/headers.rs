//! The headers of answers, and answers without a body.

use serde_json::{Value, json};

use super::walk::{change_operations, insert};

/// The schemas of answers that carry an `ETag`.
const SINGLE: &str = "#/components/schemas/Single_";

/// Further paths whose answers carry one.
const TAGGED: [&str; 4] =
    ["/api/docs", "/api/openapi.json", "/api/config", "/api/vm-transactions/mints/{id}/blocks"];

/// Names the headers of every answer.
pub(super) fn with_headers(mut document: Value) -> Value {
    let components = json!({
        "X-Request-Id": {
            "description": "Finds the request in the service's log.",
            "required": true,
            "schema": { "type": "string", "minLength": 1 },
        },
        "Retry-After": {
            "description": "If it is known: seconds to wait before the next attempt.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "ETag": {
            "description": "Names this state of the answer, for `If-None-Match`.",
            "required": true,
            "schema": { "type": "string", "pattern": "^\"[A-Za-z0-9_-]+\"$" },
        },
    });
    if let Some(all) = document.get_mut("components") {
        insert(all, "headers", components);
    }
    let shared = document.pointer_mut("/components/responses").and_then(Value::as_object_mut);
    for (name, response) in shared.into_iter().flatten() {
        let status = if name == "Unavailable" { "503" } else { "500" };
        insert(response, "headers", headers(status, false));
    }
    change_operations(&mut document, |path, _, operation| {
        let Some(responses) = operation.get_mut("responses") else { return };
        let has_tag = TAGGED.contains(&path) || has_tag(responses);
        for (status, response) in responses.as_object_mut().into_iter().flatten() {
            if response.get("$ref").is_none() {
                insert(response, "headers", headers(status, has_tag));
            }
        }
        if has_tag {
            let unchanged = json!({
                "description": "The client has this answer already.",
                "headers": references(&["X-Request-Id", "ETag"]),
            });
            insert(responses, "304", unchanged);
            let condition = json!({
                "name": "If-None-Match",
                "in": "header",
                "description": "The `ETag` of an earlier answer: if nothing has changed, the answer is 304.",
                "schema": { "type": "string", "format": "entity-tag", "maxLength": 1024 },
            });
            let parameters = operation.entry("parameters").or_insert(json!([]));
            parameters.as_array_mut().into_iter().for_each(|all| all.push(condition.clone()));
        }
    });
    document
}

/// The headers of an answer with this status.
fn headers(status: &str, has_tag: bool) -> Value {
    references(match status {
        "200" if has_tag => &["X-Request-Id", "ETag"],
        "429" | "503" => &["X-Request-Id", "Retry-After"],
        _ => &["X-Request-Id"],
    })
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
