//! The OpenAPI document of the whole service, built from the handlers' own types.

use std::{collections::BTreeSet, fmt::Write};

use serde_json::{Map, Value, json};
use shared::{
    http::{FieldError, Problem},
    problem::ErrorBody,
};
use utoipa::{
    PartialSchema,
    openapi::{
        Components, Info, License, OpenApi, OpenApiBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    base::failure::{Context, Result},
    functions,
};

/// Description of the whole service, above the table of errors.
const DESCRIPTION: &str = "\
Accounts, swaps, refunds and perpetuals funding of a Bitcoin-asset exchange. The service never asks for a
client's keys: wallets sign, and the service verifies.

Every success is `{code: \"1\", message: \"common.success\", data}`; lists and some others add `metaData`. Every error is \
`{code, message, details, requestId}`, plus `errors: [{field, message}]` if fields are missing or \
invalid. `code` and `message` are stable, `details` is for people. Times are milliseconds since the epoch.

| code | message | status | |
|---|---|---|---|
";

/// The document.
///
/// # Errors
/// A schema is not valid JSON.
pub fn document() -> Result<Value> {
    let mut document = functions::openapi().into_iter().fold(frame(), OpenApi::merge_from);
    document.tags = None;
    let document = serde_json::to_value(document).context("OpenAPI")?;
    let document = with_errors(without_repeated_ids(document));
    Ok(sorted(with_envelopes(with_optional_bodies(document))))
}

/// The document as it is committed.
///
/// # Errors
/// A schema is not valid JSON.
pub fn text() -> Result<String> {
    let document = document()?;
    serde_json::to_string_pretty(&document).map(|text| text + "\n").context("OpenAPI")
}

fn frame() -> OpenApi {
    let mut info = Info::new("Runeport", "1.0");
    info.description = Some(description());
    let mut license = License::new("MIT OR Apache-2.0");
    license.identifier = Some("MIT OR Apache-2.0".to_owned());
    info.license = Some(license);
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("The access token of `POST /auth/authenticate`; valid for 10 minutes."))
        .build();
    let mut components = Components::new();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.schemas.insert("Error".to_owned(), ErrorBody::schema());
    components.schemas.insert("FieldError".to_owned(), FieldError::schema());
    OpenApiBuilder::new().info(info).components(Some(components)).build()
}

fn description() -> String {
    let mut text = DESCRIPTION.to_owned();
    for problem in Problem::ALL {
        let (code, key, status) = (problem.code(), problem.key(), problem.status().as_u16());
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| {code} | `{key}` | {status} | {} |", problem.meaning());
    }
    text
}

/// A handler that is served at two paths gets two operation ids, because OpenAPI requires unique ones.
fn without_repeated_ids(mut document: Value) -> Value {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        let operations =
            item.as_object_mut().into_iter().flatten().filter(|_| path.starts_with("/api/auth/"));
        for (_, operation) in operations {
            if let Some(Value::String(id)) = operation.get_mut("operationId") {
                id.push_str("_under_api");
            }
        }
    }
    document
}

/// A body without required fields may be omitted.
fn with_optional_bodies(mut document: Value) -> Value {
    let schemas = document.pointer("/components/schemas").cloned().unwrap_or_default();
    let has_required = |schema: &Value| {
        let name = schema.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|name| name.rsplit('/').next());
        let schema = name.and_then(|name| schemas.get(name)).unwrap_or(schema);
        let is_plain_object = schema.get("properties").is_some();
        !is_plain_object || schema.get("required").is_some()
    };
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let items = paths.into_iter().flatten().filter_map(|(_, item)| item.as_object_mut());
    for (_, operation) in items.flatten() {
        let Some(body) = operation.get_mut("requestBody").and_then(Value::as_object_mut) else {
            continue;
        };
        let schema = body.get("content").and_then(|content| {
            content.get("application/json").and_then(|content| content.get("schema"))
        });
        if schema.is_some_and(|schema| !has_required(schema)) {
            body.insert("required".to_owned(), json!(false));
        }
    }
    document
}

/// Every operation can be refused or fail, always in the same shape.
fn with_errors(mut document: Value) -> Value {
    let error = |description: &str| {
        json!({
            "description": description,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
        })
    };
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let items = paths.into_iter().flatten().filter_map(|(_, item)| item.as_object_mut());
    for (_, operation) in items.flatten() {
        if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
            responses.insert(
                "4XX".to_owned(),
                error("Refused. `code` gives the reason; see the table of errors."),
            );
            responses.insert(
                "5XX".to_owned(),
                error("The service failed; the request itself may be valid."),
            );
        }
    }
    document
}

/// Adds to envelopes what their Rust type cannot express: constants, and `metaData` for lists only, whose
/// rows may lack fields because of `select`. Named schemas are referenced.
fn with_envelopes(mut document: Value) -> Value {
    let lists = lists(&document);
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
    else {
        return document;
    };
    let named = schemas.clone();
    for (name, schema) in schemas.iter_mut() {
        if name.starts_with("OkWith_") || name.starts_with("CreatedWith_") {
            if let Some(properties) = schema.get_mut("properties") {
                if let Some(row) = properties.pointer_mut("/data/items")
                    && lists.contains(name)
                {
                    insert(row, "required", json!(["id"]));
                }
                refer(properties, &named);
                insert(properties, "code", constant("1"));
                insert(properties, "message", constant("common.success"));
            }
            continue;
        }
        let Some(data_of) = name.strip_prefix("Envelope_") else { continue };
        let (row, is_list) = (data_of.trim_start_matches("Vec_"), lists.contains(name));
        let reference = json!({ "$ref": format!("#/components/schemas/{row}") });
        let data = match (data_of == row, is_list) {
            (true, _) => reference,
            (false, false) => json!({ "type": "array", "items": reference }),
            (false, true) => {
                let mut selected = named.get(row).cloned().unwrap_or_default();
                if let Some(selected) = selected.as_object_mut() {
                    selected.insert("required".to_owned(), json!(["id"]));
                }
                json!({ "type": "array", "items": selected })
            }
        };
        let mut properties = json!({
            "code": constant("1"),
            "message": constant("common.success"),
            "data": data,
        });
        let mut required = vec!["code", "message", "data"];
        if is_list {
            insert(&mut properties, "metaData", json!({ "$ref": "#/components/schemas/MetaData" }));
            required.push("metaData");
        }
        insert(schema, "properties", properties);
        insert(schema, "required", json!(required));
    }
    document
}

/// A schema for one constant string.
fn constant(text: &str) -> Value {
    json!({ "type": "string", "enum": [text] })
}

/// Replaces a schema that has a name by a reference.
fn refer(value: &mut Value, named: &Map<String, Value>) {
    let name = named.iter().find(|(_, schema)| **schema == *value).map(|(name, _)| name);
    if let Some(name) = name.filter(|_| value.get("properties").is_some()) {
        *value = json!({ "$ref": format!("#/components/schemas/{name}") });
        return;
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| refer(field, named)),
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, named)),
        _ => {}
    }
}

/// Envelopes of the operations that take a page.
fn lists(document: &Value) -> BTreeSet<String> {
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let operations = items.filter_map(|(_, item)| item.as_object()).flatten();
    let paged = operations.filter(|(_, operation)| {
        let parameters = operation.get("parameters").and_then(Value::as_array);
        let named =
            |parameter: &Value| parameter.get("name").is_some_and(|name| name == "pageSize");
        parameters.into_iter().flatten().any(named)
    });
    let schema = |operation: &Value| {
        let schema = operation.pointer("/responses/200/content/application~1json/schema/$ref")?;
        Some(schema.as_str()?.rsplit('/').next()?.to_owned())
    };
    paged.filter_map(|(_, operation)| schema(operation)).collect()
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

/// The same value with the keys in alphabetical order at every depth.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<_> = object.into_iter().collect();
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            entries
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
