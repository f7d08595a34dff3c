//! The OpenAPI document: committed, complete, and correct about access.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use local::{functions, openapi, workspace};
use serde_json::{Value, json};
use shared::http::Access;

/// Every operation of the document: method and path.
fn operations(document: &Value) -> BTreeMap<(String, String), Value> {
    let paths = document["paths"].as_object().unwrap();
    let each = paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().unwrap().iter();
        operations
            .map(|(method, operation)| ((method.to_uppercase(), path.clone()), operation.clone()))
    });
    each.collect()
}

#[test]
fn the_committed_document_matches_the_code() {
    let committed =
        fs::read_to_string(workspace::root().join("infra/openapi.json")).unwrap_or_default();
    // Not `assert_eq!`, which would print both.
    assert!(
        committed == openapi::text().unwrap(),
        "infra/openapi.json is out of date: run `make openapi`"
    );
}

#[test]
fn exactly_the_served_routes_are_documented_with_their_access() {
    let operations = operations(&openapi::document().unwrap());
    let mut served = BTreeSet::new();
    for route in functions::table() {
        let key = (route.method.to_string(), route.path.to_string());
        let operation = operations.get(&key).unwrap_or_else(|| panic!("{key:?} is not documented"));
        let security = match route.access {
            // A token adds the account's name to the text, and the caller's own data to lists.
            Access::Public
                if route.path.ends_with("/wallet/challenge")
                    || [
                        "/api/vm-transactions",
                        "/api/vm-transactions/{txId}",
                        "/api/xchain/transactions",
                    ]
                    .contains(&&*route.path) =>
            {
                json!([{}, { "bearer": [] }])
            }
            Access::Public => Value::Null,
            Access::Bearer | Access::Admin => json!([{ "bearer": [] }]),
        };
        assert_eq!(operation["security"], security, "{key:?}");
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert_eq!(summary.contains("Admins only."), route.access == Access::Admin, "{key:?}");
        served.insert(key);
    }
    let documented: BTreeSet<_> = operations.into_keys().collect();
    assert_eq!(documented, served, "documented, but not served");
}

#[test]
fn operation_ids_are_unique_and_references_resolve() {
    let document = openapi::document().unwrap();
    let mut ids = BTreeSet::new();
    for (key, operation) in operations(&document) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{key:?}");
    }
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(document.pointer(reference).is_some(), "{reference} does not resolve");
    }
}

#[test]
fn every_operation_documents_its_errors_and_parameters() {
    let document = openapi::document().unwrap();
    for (key, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.contains_key("4XX") && responses.contains_key("5XX"), "{key:?}");
        for (status, response) in responses.iter().filter(|(status, _)| !status.starts_with('2')) {
            let schema = &response["content"]["application/json"]["schema"];
            assert_eq!(schema["$ref"], "#/components/schemas/Error", "{key:?} {status}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let bare = name.strip_suffix("_eq").unwrap_or(name);
            assert!(!bare.contains('_'), "{key:?}: {name}");
            assert!(parameter["description"].is_string(), "{key:?}: {name}");
        }
    }
    let required = &document["components"]["schemas"]["Error"]["required"];
    assert_eq!(required, &json!(["code", "message", "details", "requestId"]));
}

#[test]
fn functions_agree_on_shared_schemas() {
    let mut seen: BTreeMap<String, Value> = BTreeMap::new();
    for part in functions::openapi() {
        for (name, schema) in part.components.into_iter().flat_map(|components| components.schemas)
        {
            let schema = serde_json::to_value(schema).unwrap();
            let earlier = seen.entry(name.clone()).or_insert_with(|| schema.clone());
            assert_eq!(*earlier, schema, "two schemas are called {name}");
        }
    }
}

/// Client generators produce one type per schema, and can tell lists from other answers.
#[test]
fn envelopes_reference_their_data() {
    let document = openapi::document().unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut lists = 0;
    for (key, operation) in operations(&document) {
        let answer = operation["responses"].as_object().unwrap().values().next().unwrap();
        let schema = &answer["content"]["application/json"]["schema"]["$ref"];
        let name = schema.as_str().unwrap().rsplit('/').next().unwrap();
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let is_list = parameters.iter().any(|parameter| parameter["name"] == "pageSize");
        let meta_data = schemas[name]["properties"]["metaData"].to_string();
        let has_page = meta_data.contains("schemas/MetaData\"");
        assert_eq!(is_list, has_page, "{key:?}");
        lists += usize::from(is_list);
        if is_list {
            let items = &schemas[name]["properties"]["data"]["items"];
            assert_eq!(items["required"], json!(["id"]), "{key:?}");
        }
    }
    assert_eq!(lists, 11);
}
