//! The answers: their envelopes, and one named schema for the rows of each list.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::walk::{change_operations, insert, operations, references};

/// Adds to envelopes what their Rust type cannot express: constants, and `metaData` only for lists, whose
/// rows may lack fields because of `select`. Named schemas become references.
pub(super) fn with_envelopes(mut document: Value) -> Value {
    let lists = lists(&document);
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut)
    else {
        return document;
    };
    let named = schemas.clone();
    let mut listed = Map::new();
    for (name, schema) in schemas.iter_mut() {
        if name.starts_with("OkWith_") || name.starts_with("CreatedWith_") {
            if let Some(properties) = schema.get_mut("properties") {
                if let Some(row) = properties.pointer_mut("/data/items")
                    && lists.contains(name)
                {
                    *row = named_row(row, &named, &mut listed);
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
                let whole = named.get(row).cloned().unwrap_or_default();
                json!({ "type": "array", "items": named_row(&whole, &named, &mut listed) })
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
    schemas.extend(listed);
    document
}

/// Names the schema of a list's row, from which `select` may remove every field except the id.
fn named_row(whole: &Value, named: &Map<String, Value>, listed: &mut Map<String, Value>) -> Value {
    let mut row = whole.clone();
    insert(&mut row, "required", json!(["id"]));
    let Some((name, _)) = named.iter().find(|(_, schema)| *schema == whole) else { return row };
    let name = format!("Listed{name}");
    let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
    listed.insert(name, row);
    reference
}

/// Drops the default of `sort` from lists whose rows do not have that field: those have their own order.
pub(super) fn without_foreign_sorts(mut document: Value) -> Value {
    let schemas = document.pointer("/components/schemas").cloned().unwrap_or_default();
    let resolved = |value: &Value| {
        let name = value.get("$ref").and_then(Value::as_str)?.rsplit('/').next()?;
        schemas.get(name).cloned()
    };
    change_operations(&mut document, |_, _, operation| {
        let answer = operation.get("responses").and_then(|responses| {
            resolved(responses.pointer("/200/content/application~1json/schema")?)
        });
        let row = answer.and_then(|answer| resolved(answer.pointer("/properties/data/items")?));
        let has_field = |name: &str| row.as_ref()?.get("properties")?.get(name);
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            let is_sort = parameter.get("name").is_some_and(|name| name == "sort");
            let schema = parameter.get_mut("schema").and_then(Value::as_object_mut);
            let Some(schema) = schema.filter(|_| is_sort) else { continue };
            let field = schema.get("default").and_then(Value::as_str).unwrap_or_default();
            if has_field(field.trim_start_matches('-')).is_none() {
                schema.remove("default");
            }
        }
    });
    document
}

/// Drops the schemas that no operation uses.
pub(super) fn without_unused_schemas(mut document: Value) -> Value {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
    let mut used = BTreeSet::new();
    let mut next = Vec::new();
    for (_, operation) in operations(&document) {
        operation.values().for_each(|part| references(part, &mut next));
    }
    let shared = document.pointer("/components/responses");
    shared.into_iter().for_each(|part| references(part, &mut next));
    while let Some(name) = next.pop() {
        if used.insert(name.to_owned()) {
            let schema = schemas.and_then(|schemas| schemas.get(name));
            schema.into_iter().for_each(|schema| references(schema, &mut next));
        }
    }
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    schemas.into_iter().for_each(|schemas| schemas.retain(|name, _| used.contains(name)));
    document
}

/// A schema for one constant string.
fn constant(text: &str) -> Value {
    json!({ "type": "string", "enum": [text] })
}

/// Replaces a schema that has a name by a reference.
fn refer(value: &mut Value, named: &Map<String, Value>) {
    let name = named.iter().find(|(_, schema)| **schema == *value).map(|(name, _)| name);
    let is_composed = value.get("properties").is_some() || value.get("allOf").is_some();
    if let Some(name) = name.filter(|_| is_composed) {
        *value = json!({ "$ref": format!("#/components/schemas/{name}") });
        return;
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| refer(field, named)),
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, named)),
        _ => {}
    }
}

/// The envelopes of the operations that return a page.
fn lists(document: &Value) -> BTreeSet<String> {
    let paged = operations(document).filter(|(_, operation)| {
        let parameters = operation.get("parameters").and_then(Value::as_array);
        let named =
            |parameter: &Value| parameter.get("name").is_some_and(|name| name == "pageSize");
        parameters.into_iter().flatten().any(named)
    });
    let schema = |operation: &Map<String, Value>| {
        let responses = operation.get("responses")?;
        let schema = responses.pointer("/200/content/application~1json/schema/$ref")?;
        Some(schema.as_str()?.rsplit('/').next()?.to_owned())
    };
    paged.filter_map(|(_, operation)| schema(operation)).collect()
}
