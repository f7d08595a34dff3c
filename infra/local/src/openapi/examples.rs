//! Examples of requests and answers: recorded by the tests, so that they are real.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::walk::{change_operations, dry_run_of, insert, success_of};
use crate::base::examples::{DRY_RUN, Example, Examples};

/// Adds the recorded example of each operation to its parameters, its body and its answer. In a body, only
/// fields that its schema names are kept: browsers add fields to a passkey's response, which the service
/// ignores.
pub(super) fn with_examples(mut document: Value, examples: &Examples) -> Value {
    let schemas = document.pointer("/components/schemas").cloned().unwrap_or_default();
    change_operations(&mut document, |path, method, operation| {
        let first = path.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let key = format!("{} {}", method.to_uppercase(), first.unwrap_or(path));
        let dry_run = dry_run_of(operation).and_then(answer_of);
        if let (Some(answer), Some(example)) = (dry_run, examples.get(&format!("{key}{DRY_RUN}"))) {
            insert(answer, "example", example.answer.clone());
        }
        let Some(example) = examples.get(&key) else { return };
        for_segments(first.unwrap_or(path), example, operation);
        for_query(example, operation);
        let body = operation.get_mut("requestBody").filter(|_| !example.body.is_null());
        if let Some(content) = body.and_then(|body| body.pointer_mut("/content/application~1json"))
        {
            let named =
                content.get("schema").map(|schema| named(&schemas, &[schema], &example.body));
            insert(content, "example", named.unwrap_or_default());
        }
        if let Some(answer) = success_of(operation).and_then(answer_of) {
            insert(answer, "example", example.answer.clone());
        }
    });
    document
}

/// The body of an answer.
fn answer_of(answer: &mut Value) -> Option<&mut Value> {
    answer.pointer_mut("/content/application~1json")
}

/// The part of a value that consists of fields named by these alternative schemas.
fn named(schemas: &Value, of_value: &[&Value], value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut properties = Properties::new();
            of_value.iter().for_each(|schema| collect(schemas, schema, &mut properties));
            let each = fields.iter().filter_map(|(name, field)| {
                let of_field = properties.get(name.as_str())?;
                Some((name.clone(), named(schemas, of_field, field)))
            });
            // A schema without fields allows any.
            if properties.is_empty() { value.clone() } else { each.collect() }
        }
        Value::Array(items) => {
            let of_item: Vec<_> = of_value.iter().filter_map(|it| it.get("items")).collect();
            items.iter().map(|item| named(schemas, &of_item, item)).collect()
        }
        scalar => scalar.clone(),
    }
}

/// The schemas of the fields of an object, by name.
type Properties<'a> = BTreeMap<&'a str, Vec<&'a Value>>;

/// Collects the fields of an object, through references and compositions.
fn collect<'a>(schemas: &'a Value, schema: &'a Value, properties: &mut Properties<'a>) {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.rsplit('/').next());
    if let Some(schema) = name.and_then(|name| schemas.get(name)) {
        collect(schemas, schema, properties);
    }
    let own = schema.get("properties").and_then(Value::as_object);
    for (name, schema) in own.into_iter().flatten() {
        properties.entry(name).or_default().push(schema);
    }
    for composed in ["allOf", "oneOf", "anyOf"] {
        let parts = schema.get(composed).and_then(Value::as_array);
        parts.into_iter().flatten().for_each(|part| collect(schemas, part, properties));
    }
}

/// Adds the variable segments of the path.
fn for_segments(pattern: &str, example: &Example, operation: &mut Map<String, Value>) {
    let sent = example.path.split('?').next().unwrap_or_default();
    let sent = sent.strip_prefix("/api").filter(|it| it.starts_with("/auth/")).unwrap_or(sent);
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        if parameter.get("in").is_none_or(|place| place != "path") {
            continue;
        }
        let name = parameter.get("name").and_then(Value::as_str).map(|name| format!("{{{name}}}"));
        let segments = pattern.split('/').zip(sent.split('/'));
        let segment = segments.into_iter().find(|(own, _)| Some(*own) == name.as_deref());
        let is_text = parameter.pointer("/schema/type").is_some_and(|kind| kind == "string");
        if let Some((_, value)) = segment {
            let number = value.parse::<u64>().ok().filter(|_| !is_text);
            insert(parameter, "example", number.map_or_else(|| value.into(), Value::from));
        }
    }
}

/// Adds the values of the recorded query, each as its parameter's type.
fn for_query(example: &Example, operation: &mut Map<String, Value>) {
    let (_, query) = example.path.split_once('?').unwrap_or_default();
    let sent: BTreeMap<_, _> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default();
        let value = sent.get(name).filter(|_| parameter.get("in").is_some_and(|it| it == "query"));
        let Some(value) = value else { continue };
        let text = percent_decode_str(value).decode_utf8_lossy().into_owned();
        // Numbers and booleans are JSON.
        let value = match parameter.pointer("/schema/type").and_then(Value::as_str) {
            Some("integer" | "number" | "boolean") => serde_json::from_str(&text).ok(),
            Some("array") => Some(text.split(',').map(Value::from).collect()),
            _ => Some(Value::from(text)),
        };
        if let Some(value) = value {
            insert(parameter, "example", value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_keeps_what_its_schema_names() {
        let schemas = json!({
            "A": { "allOf": [{ "$ref": "#/components/schemas/B" }, { "properties": { "b": {} } }] },
            "B": { "properties": { "a": { "items": { "properties": { "c": {} } } } } },
            "C": { "oneOf": [
                { "properties": { "a": { "properties": { "b": {} } } } },
                { "properties": { "a": { "properties": { "c": {} } } } },
            ] },
        });
        let schema = json!({ "$ref": "#/components/schemas/A" });
        let body = json!({ "a": [{ "c": 1, "d": 2 }], "b": { "any": 1 }, "e": 3 });
        let expected = json!({ "a": [{ "c": 1 }], "b": { "any": 1 } });
        assert_eq!(named(&schemas, &[&schema], &body), expected);
        let either = json!({ "$ref": "#/components/schemas/C" });
        let body = json!({ "a": { "b": 1, "c": 2, "d": 3 } });
        assert_eq!(named(&schemas, &[&either], &body), json!({ "a": { "b": 1, "c": 2 } }));
    }

    #[test]
    fn a_query_is_recorded_by_the_types_of_its_parameters() {
        let parameter = |name: &str, place: &str, kind: &str| json!({ "name": name, "in": place, "schema": { "type": kind } });
        let mut operation = Map::new();
        let parameters = json!([
            parameter("page", "query", "integer"),
            parameter("state_eq", "query", "array"),
            parameter("isSpent_eq", "query", "boolean"),
            parameter("runeIds", "query", "string"),
            parameter("sort", "query", "string"),
            parameter("page", "header", "string"),
        ]);
        operation.insert("parameters".to_owned(), parameters);
        let path = "/a?page=2&state_eq=a,b&isSpent_eq=true&runeIds=117%3A1&".to_owned();
        let example = Example { path, body: Value::Null, answer: Value::Null };
        for_query(&example, &mut operation);
        let parameters = operation.get("parameters").and_then(Value::as_array);
        let examples: Vec<_> =
            parameters.into_iter().flatten().map(|it| it.get("example").cloned()).collect();
        let expected = [
            Some(json!(2)),
            Some(json!(["a", "b"])),
            Some(json!(true)),
            Some(json!("117:1")),
            None,
            None,
        ];
        assert_eq!(examples, expected);
    }
}
