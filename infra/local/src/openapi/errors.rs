//! The errors of every operation: those that its tests have seen, and those that its access and its input
//! imply.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use shared::http::{Access, Problem, routes::Route};

use super::walk::{change_operations, insert};
use crate::base::{
    answers::Answers,
    refusals::{FIELDS, Refusals},
};

/// The field of the document with the answers to requests that match no operation.
pub(super) const OTHER_REQUESTS: &str = "x-other-requests";

/// Responses that many operations share, by name.
const SHARED: &[(&str, &[Problem])] = &[
    ("PayloadTooLarge", &[Problem::PayloadTooLarge]),
    ("UnsupportedMediaType", &[Problem::UnsupportedMediaType]),
    ("Unauthorized", &[Problem::InvalidToken, Problem::TokenExpired, Problem::NoAuthorization]),
    ("Internal", &[Problem::Internal]),
    ("Unavailable", &[Problem::Unavailable]),
];

/// Problems of requests that match no operation.
const OTHERS: [Problem; 2] = [Problem::NotFound, Problem::MethodNotAllowed];

/// Lists the errors of every operation by status, each with an example.
pub(super) fn with_errors(
    mut document: Value,
    answers: &Answers,
    refusals: &Refusals,
    routes: &[Route],
) -> Value {
    let mut used = Map::new();
    let mut examples = Map::new();
    let access_of = |path: &str, method: &str| {
        let is_it =
            |it: &&Route| it.path == path && it.method.as_str().eq_ignore_ascii_case(method);
        routes.iter().find(is_it).map_or(Access::Public, |route| route.access)
    };
    change_operations(&mut document, |path, method, operation| {
        let first = path.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let key = format!("{} {}", method.to_uppercase(), first.unwrap_or(path));
        let (seen, access) = (answers.get(&key), access_of(path, method));
        let is_seen = |problem: &Problem| seen.is_some_and(|seen| seen.contains(problem.code()));
        let mut by_status = BTreeMap::<u16, Vec<Problem>>::new();
        for problem in Problem::ALL {
            if is_implied(*problem, access, operation) || is_seen(problem) {
                by_status.entry(problem.status().as_u16()).or_default().push(*problem);
            }
        }
        let Some(responses) = operation.get_mut("responses") else { return };
        for (status, problems) in by_status {
            let mut answer = response(&problems, &key, refusals, &mut examples);
            if let Some((name, _)) = SHARED.iter().find(|(_, all)| *all == problems) {
                used.insert((*name).to_owned(), answer);
                answer = json!({ "$ref": format!("#/components/responses/{name}") });
            }
            insert(responses, &status.to_string(), answer);
        }
    });
    let mut others = json!({
        "description": "The responses to requests for unknown paths, and to methods that a path does not support.",
    });
    for problem in OTHERS {
        let content =
            json!({ "schema": schema(problem), "example": refusals.of("", problem.code()) });
        let answer = json!({
            "description": problem.meaning(),
            "content": { "application/json": content },
        });
        insert(&mut others, problem.status().as_str(), answer);
    }
    insert(&mut document, OTHER_REQUESTS, others);
    if let Some(components) = document.get_mut("components") {
        insert(components, "responses", Value::Object(used));
        insert(components, "examples", Value::Object(examples));
    }
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    let each = Problem::ALL.iter().map(|problem| (name(*problem), schema(*problem)));
    schemas.into_iter().for_each(|schemas| schemas.extend(each.clone()));
    document
}

/// Whether every operation with this access or this kind of input can answer with this error.
fn is_implied(problem: Problem, access: Access, operation: &Map<String, Value>) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let any_has = |key: &str, value: &str| {
        let has = |parameter: &Value| parameter.get(key).is_some_and(|own| own == value);
        parameters.is_some_and(|all| all.iter().any(has))
    };
    let takes = |name| any_has("name", name);
    match problem {
        Problem::Internal | Problem::Unavailable | Problem::PayloadTooLarge => true,
        Problem::InvalidToken | Problem::TokenExpired | Problem::NoAuthorization => {
            access != Access::Public
        }
        Problem::Forbidden => access == Access::Admin,
        Problem::MalformedBody | Problem::UnsupportedMediaType => {
            operation.contains_key("requestBody")
        }
        Problem::Validation => {
            operation.contains_key("requestBody") || takes("pageSize") || any_has("in", "path")
        }
        Problem::InProgress | Problem::IdempotencyKeyReused => takes("Idempotency-Key"),
        _ => false,
    }
}

/// The name of a problem's schema.
fn name(problem: Problem) -> String {
    format!("{problem:?}Problem")
}

/// The error with the code and the key of one problem.
fn schema(problem: Problem) -> Value {
    json!({
        "description": format!("{} `{}`: {}", problem.code(), problem.key(), problem.meaning()),
        "allOf": [
            { "$ref": "#/components/schemas/Error" },
            {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": { "type": "string", "enum": [problem.code()] },
                    "message": { "type": "string", "enum": [problem.key()] },
                },
            },
        ],
    })
}

/// An answer of an operation with one of these problems, which have the same status. Adds the examples that
/// it references.
fn response(
    problems: &[Problem],
    operation: &str,
    refusals: &Refusals,
    shared: &mut Map<String, Value>,
) -> Value {
    let mut examples = Map::new();
    for problem in problems {
        let Some(body) = refusals.of(operation, problem.code()) else { continue };
        let (name, value) = (format!("{problem:?}"), json!({ "value": body }));
        let example = if problem.code() == FIELDS {
            value
        } else {
            let reference = format!("#/components/examples/{name}");
            shared.insert(name.clone(), value);
            json!({ "$ref": reference })
        };
        examples.insert(name, example);
    }
    let line = |problem: &Problem| {
        format!("- {} `{}`: {}", problem.code(), problem.key(), problem.meaning())
    };
    let lines = problems.iter().map(line).collect::<Vec<_>>().join("\n");
    let reference =
        |problem: &Problem| json!({ "$ref": format!("#/components/schemas/{}", name(*problem)) });
    let schema = match problems {
        [only] => reference(only),
        several => json!({ "oneOf": several.iter().map(reference).collect::<Vec<_>>() }),
    };
    let content = json!({ "schema": schema, "examples": examples });
    json!({ "description": lines, "content": { "application/json": content } })
}
