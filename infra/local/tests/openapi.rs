//! The OpenAPI document: committed, complete, and correct about access.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
};

use local::{
    answers, examples, functions, masks,
    openapi::{self, changes},
    refusals, workspace,
};
use regex::Regex;
use serde_json::{Value, json};
use shared::{
    http::{Access, Problem},
    models::event::EventType,
};

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

/// Clients rely on the document of the latest release: its tag is the nearest one of the history.
#[test]
fn the_document_keeps_what_the_latest_release_promised() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(workspace::root()).args(arguments).output();
        let output = output.ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    // Without one, nothing is promised yet.
    let Some(tag) = git(&["describe", "--tags", "--abbrev=0", "HEAD"]) else { return };
    let released = git(&["show", &format!("{}:infra/openapi.json", tag.trim())]);
    let Some(released) = released else { return };
    let released = serde_json::from_str(&released).unwrap();
    let broken = changes::broken(&released, &openapi::document().unwrap());
    assert!(broken.is_empty(), "since {}: {broken:#?}", tag.trim());
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
                        "/api/wallets/details/{userAddress}",
                        "/api/xchain/transactions",
                        "/api/xchain/transactions/{txId}",
                    ]
                    .contains(&&*route.path) =>
            {
                json!([{}, { "bearer": [] }])
            }
            Access::Public => json!([]),
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

/// How ids of operations begin. Those that read one thing begin with `get`, those of a list with `list`.
const VERBS: [&str; 32] = [
    "announce",
    "authenticate",
    "build",
    "calculate",
    "close",
    "count",
    "create",
    "delete",
    "get",
    "init",
    "link",
    "list",
    "log",
    "reauthenticate",
    "redeliver",
    "refresh",
    "register",
    "release",
    "remove",
    "replace",
    "replay",
    "resend",
    "revoke",
    "rotate",
    "search",
    "set",
    "sign",
    "test",
    "toggle",
    "unlink",
    "update",
    "verify",
];

#[test]
fn operation_ids_are_unique_and_references_resolve() {
    let document = openapi::document().unwrap();
    let mut ids = BTreeSet::new();
    for (key, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        assert!(ids.insert(id.to_owned()), "{key:?}");
        // Generated code has functions of these names.
        let end = id.find(|letter: char| letter.is_ascii_uppercase()).unwrap_or(id.len());
        assert!(VERBS.contains(&&id[..end]), "{key:?}: {id} begins with no verb");
        assert!(id.bytes().all(|letter| letter.is_ascii_alphanumeric()), "{key:?}: {id}");
    }
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(document.pointer(reference).is_some(), "{reference} does not resolve");
    }
}

/// What a reference leads to, or the value itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let reference = value["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    reference.map_or(value, |reference| document.pointer(reference).unwrap())
}

#[test]
fn every_operation_documents_its_errors_and_parameters() {
    let document = openapi::document().unwrap();
    let listed = answers::listed().unwrap();
    for (key, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        let mut codes = BTreeSet::new();
        for (status, response) in responses.iter().filter(|(status, _)| status.as_str() >= "400") {
            let schema = &resolved(&document, response)["content"]["application/json"]["schema"];
            let one = std::slice::from_ref(schema);
            for schema in schema["oneOf"].as_array().map_or(one, Vec::as_slice) {
                let schema = resolved(&document, schema);
                assert_eq!(
                    schema["allOf"][0]["$ref"], "#/components/schemas/Error",
                    "{key:?} {status}"
                );
                let own = &schema["allOf"][1]["properties"];
                let code = &own["code"]["enum"][0];
                let problem = Problem::ALL.iter().find(|it| *code == it.code()).unwrap();
                assert_eq!(problem.status().as_str(), status, "{key:?} {code}");
                assert_eq!(problem.key(), own["message"]["enum"][0], "{key:?} {code}");
                codes.insert(problem.code().to_owned());
            }
        }
        assert!(responses.contains_key("500") && responses.contains_key("503"), "{key:?}");
        let first = key.1.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let seen = &listed[&format!("{} {}", key.0, first.unwrap_or(&key.1))];
        assert!(seen.is_subset(&codes), "{key:?}: {seen:?} are seen, {codes:?} documented");
        let always = ["1005", "1008", "1009"].map(str::to_owned).into();
        let known: BTreeSet<_> = seen.union(&always).cloned().collect();
        let unseen: Vec<_> = codes.difference(&known).collect();
        assert!(unseen.is_empty(), "{key:?}: no test has seen {unseen:?}");
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

/// Problems that no operation answers are those of other paths and methods, and a few that are rare.
#[test]
fn nearly_every_problem_is_the_answer_of_an_operation() {
    let document = openapi::document().unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let unused = Problem::ALL.iter().filter(|problem| {
        let name = format!("{problem:?}Problem");
        !schemas.contains_key(&name)
    });
    let unused: Vec<_> = unused.map(|problem| problem.code()).collect();
    assert!(unused.starts_with(&["1003", "1004"]) && unused.len() <= 6, "{unused:?}");
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
        if answer["content"]["text/html"].is_object() {
            assert_eq!(key.1, "/api/docs");
            continue;
        }
        let schema = &answer["content"]["application/json"]["schema"]["$ref"];
        let name = schema.as_str().unwrap().rsplit('/').next().unwrap();
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let is_list = parameters.iter().any(|parameter| parameter["name"] == "pageSize");
        let meta_data = schemas[name]["properties"].get("metaData");
        let has_page = meta_data.is_some_and(|it| field(&document, it, "totalPages").is_some());
        // Every metaData has the four numbers.
        assert_eq!(meta_data.is_some(), has_page, "{key:?}");
        assert!(has_page || !is_list, "{key:?}");
        lists += usize::from(is_list);
        if is_list {
            let row = schemas[name]["properties"]["data"]["items"]["$ref"].as_str().unwrap();
            let row = document.pointer(row.trim_start_matches('#')).unwrap();
            assert_eq!(row["required"], json!(["id"]), "{key:?}");
        }
    }
    assert_eq!(lists, 21);
}

/// In every answer, a client finds the id of a transaction under the same name.
#[test]
fn transactions_are_named_by_their_tx_id() {
    let document = openapi::document().unwrap();
    let operations = operations(&document);
    let data = |method: &str, path: &str| {
        let operation = operations.get(&(method.to_owned(), path.to_owned()))?;
        let mut answers = operation["responses"].as_object().unwrap().iter();
        let (_, success) = answers.find(|(status, _)| status.starts_with("20")).unwrap();
        field(&document, &success["content"]["application/json"]["schema"], "data")
    };
    let mut lists = BTreeSet::new();
    let paths = operations
        .keys()
        .filter_map(|(method, path)| Some((method, path, path.split_once("/{txId}")?.0)));
    for (method, path, list) in paths {
        let answer = data(method, path).unwrap();
        assert!(field(&document, answer, "txId").is_some(), "{method} {path}");
        if let Some(rows) = data("GET", list) {
            let row = field(&document, rows, "0").unwrap();
            assert!(field(&document, row, "txId").is_some(), "GET {list}");
            lists.insert(list);
        }
    }
    let all = ["/api/transactions", "/api/vm-transactions", "/api/xchain/transactions"];
    assert_eq!(lists, all.into());
}

/// The properties in a value, at any depth: name and schema.
fn properties<'a>(value: &'a Value, found: &mut Vec<(&'a str, &'a Value)>) {
    match value {
        Value::Object(fields) => {
            let own = fields.get("properties").and_then(Value::as_object);
            found.extend(own.into_iter().flatten().map(|(name, own)| (name.as_str(), own)));
            fields.values().for_each(|field| properties(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| properties(item, found)),
        _ => {}
    }
}

/// Names that the interface or published clients gave to something that has another name here, that name, and the schemas
/// that need them (`docs/decisions/0035-names.md`). No other schema has them.
const SECOND_NAMES: [(&str, &str, &[&str]); 16] = [
    ("_id", "id", &["ListedUtxoRow"]),
    ("btcSatoshi", "sats", &["AddressBalance"]),
    ("decimals", "divisibility", &[]),
    ("externalPendingSatoshi", "sats", &["AddressBalance"]),
    ("fee", "feeSats", &["LargestAmount", "TransactionPreview", "UnsignedTransaction"]),
    ("maxSatsAmt", "sats", &["LargestAmount"]),
    ("networkFee", "feeSats", &["Calculation"]),
    ("pendingSatoshi", "sats", &["AddressBalance"]),
    ("runeid", "runeId", &["UtxoRune"]),
    ("satoshi", "sats", &["ListedUtxoRow"]),
    ("spacedRune", "name", &["UtxoRune"]),
    ("totalFee", "feeSats", &["Fee"]),
    ("txIdVouts", "id", &["RenewUtxoParams"]),
    ("txid", "txId", &["ListedUtxoRow"]),
    ("txidVout", "id", &["ListedUtxoRow"]),
    ("walletAddress", "userAddress", &["OwnWallet", "Swap"]),
];

#[test]
fn second_names_are_only_where_others_set_them() {
    let document = openapi::document().unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (schema, value) in schemas {
        let mut found = Vec::new();
        properties(value, &mut found);
        for (name, _) in found {
            places.entry(name).or_default().insert(schema);
        }
    }
    for (second, first, allowed) in SECOND_NAMES {
        let found = places.remove(second).unwrap_or_default();
        let allowed: BTreeSet<_> = allowed.iter().copied().collect();
        assert_eq!(found, allowed, "{second}: the name is {first}");
        assert!(places.contains_key(first), "no schema has {first}");
    }
}

#[test]
fn meta_data_does_not_repeat_the_data() {
    let document = openapi::document().unwrap();
    let mut checked = 0;
    for (key, operation) in operations(&document) {
        let mut answers = operation["responses"].as_object().unwrap().iter();
        let (_, success) = answers.find(|(status, _)| status.starts_with("20")).unwrap();
        let schema = &success["content"]["application/json"]["schema"];
        let [data, meta_data] = ["data", "metaData"].map(|name| field(&document, schema, name));
        let (Some(data), Some(meta_data)) = (data, meta_data) else { continue };
        let row = field(&document, data, "0").unwrap_or(data);
        let mut names = Vec::new();
        own_names(&document, meta_data, &mut names);
        let mut own = Vec::new();
        own_names(&document, row, &mut own);
        let both: Vec<_> = names.iter().filter(|name| own.contains(name)).collect();
        assert!(both.is_empty(), "{key:?}: {both:?}");
        checked += usize::from(!own.is_empty());
    }
    assert!(checked > 30, "{checked}");
}

/// The names of a schema's properties, through references and compositions.
fn own_names<'a>(document: &'a Value, schema: &'a Value, names: &mut Vec<&'a str>) {
    let schema = resolved(document, schema);
    let own = schema["properties"].as_object().into_iter().flatten();
    names.extend(own.map(|(name, _)| name.as_str()));
    for composed in ["allOf", "oneOf", "anyOf"] {
        let parts = schema[composed].as_array().into_iter().flatten();
        parts.for_each(|part| own_names(document, part, names));
    }
}

/// A client shows the warnings of every answer alike.
#[test]
fn warnings_have_one_shape() {
    let document = openapi::document().unwrap();
    let mut found = Vec::new();
    properties(&document["components"]["schemas"], &mut found);
    let warnings: Vec<_> = found.into_iter().filter(|(name, _)| *name == "warnings").collect();
    assert!(warnings.len() >= 3, "{warnings:?}");
    for (_, list) in warnings {
        let warning = resolved(&document, &list["items"]);
        assert_eq!(warning["required"], json!(["kind", "message"]), "{list}");
        assert!(field(&document, warning, "kind").is_some(), "{list}");
        let kinds = resolved(&document, &warning["properties"]["kind"]);
        assert!(kinds["enum"].is_array(), "{list}");
    }
}

#[test]
fn every_value_of_an_enum_has_a_meaning() {
    let document = openapi::document().unwrap();
    let mut enums = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let Some(values) = schema["enum"].as_array().filter(|values| values.len() > 1) else {
            continue;
        };
        let meanings = schema["x-enum-descriptions"].as_array();
        let meanings = meanings.unwrap_or_else(|| panic!("{name} has no meanings"));
        assert_eq!(values.len(), meanings.len(), "{name}");
        let is_sentence = |text: &Value| text.as_str().is_some_and(|text| text.ends_with('.'));
        assert!(meanings.iter().all(is_sentence), "{name}: {meanings:?}");
        enums += 1;
    }
    assert!(enums >= 25, "{enums}");
}

#[test]
fn lists_are_sorted_by_a_field_of_their_rows_by_default() {
    let document = openapi::document().unwrap();
    let mut without = BTreeSet::new();
    for ((_, path), operation) in operations(&document) {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let Some(sort) = parameters.iter().find(|parameter| parameter["name"] == "sort") else {
            continue;
        };
        let Some(default) = sort["schema"]["default"].as_str() else {
            without.insert(path);
            continue;
        };
        let answer = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let rows = field(&document, answer, "data").and_then(|it| field(&document, it, "0"));
        let name = default.trim_start_matches('-');
        assert!(rows.and_then(|row| field(&document, row, name)).is_some(), "{path}: {default}");
    }
    let own = [
        "/api/account/trading-wallet/coins",
        "/api/support/stuck",
        "/api/tokens",
        "/api/utxos",
        "/api/vm-transactions/mints/{id}/blocks",
    ];
    assert_eq!(without, own.map(str::to_owned).into());
}

#[test]
fn summaries_have_one_line_and_operations_and_tags_a_description() {
    let document = openapi::document().unwrap();
    let tags = document["tags"].as_array().unwrap();
    let tags: BTreeSet<_> = tags.iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut used = BTreeSet::new();
    let operations = operations(&document);
    for (key, operation) in &operations {
        let summary = operation["summary"].as_str().unwrap();
        assert!(summary.len() <= 120 && !summary.contains('\n'), "{key:?}: {summary}");
        assert!(summary.ends_with('.') && summary.len() > 1, "{key:?}: {summary}");
        let description = operation["description"].as_str().unwrap_or_default();
        assert!(description.ends_with('.') && description.len() > 1, "{key:?}: {description}");
        used.insert(operation["tags"][0].as_str().unwrap());
    }
    assert_eq!(used, tags);
}

#[test]
fn second_paths_name_the_first_ones() {
    let document = openapi::document().unwrap();
    let operations = operations(&document);
    let mut aliases = 0;
    for ((method, path), operation) in &operations {
        let first = path.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let expected = first.map_or(Value::Null, |first| format!("{method} {first}").into());
        assert_eq!(operation["x-alias-of"], expected, "{method} {path}");
        if let Some(first) = first {
            let same = &operations[&(method.clone(), first.to_owned())];
            assert_eq!(operation["responses"], same["responses"], "{method} {path}");
            aliases += 1;
        }
    }
    assert_eq!(aliases, 13);
}

/// The schema of a field, through references and compositions.
fn field<'a>(document: &'a Value, schema: &'a Value, name: &str) -> Option<&'a Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        return field(document, document.pointer(reference.trim_start_matches('#'))?, name);
    }
    let own = match name {
        "0" => schema.get("items"),
        name => schema["properties"].get(name),
    };
    let parts = ["allOf", "oneOf", "anyOf"].map(|composed| schema[composed].as_array());
    let mut parts = parts.into_iter().flatten().flatten();
    own.or_else(|| parts.find_map(|part| field(document, part, name)))
}

/// openapi-generator does not support a type that is only null, or a link whose body is not a text.
#[test]
fn generators_of_clients_take_the_document() {
    fn only_null(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if fields.get("type").is_some_and(|kind| kind == "null") {
                    found.push(at.to_owned());
                }
                let fields = fields.iter().filter(|(name, _)| {
                    !["example", "examples", "oneOf", "anyOf"].contains(&name.as_str())
                });
                fields.for_each(|(name, field)| only_null(field, &format!("{at}.{name}"), found));
            }
            Value::Array(items) => items.iter().for_each(|item| only_null(item, at, found)),
            _ => {}
        }
    }
    let document = openapi::document().unwrap();
    let mut found = Vec::new();
    only_null(&document, "", &mut found);
    assert_eq!(found, Vec::<String>::new());
    for (key, operation) in operations(&document) {
        for answer in operation["responses"].as_object().unwrap().values() {
            for link in answer["links"].as_object().into_iter().flat_map(|links| links.values()) {
                assert!(link.get("requestBody").is_none_or(Value::is_string), "{key:?}");
            }
        }
    }
}

/// Fuzzers and generators follow links: each leads from a field of the answer to an input of another operation.
#[test]
fn links_lead_from_fields_to_inputs() {
    let document = openapi::document().unwrap();
    let operations = operations(&document);
    let by_id: BTreeMap<_, _> =
        operations.values().map(|it| (it["operationId"].as_str().unwrap(), it)).collect();
    let mut links = 0;
    let mut from = BTreeSet::new();
    for (key, operation) in &operations {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            for (name, link) in answer["links"].as_object().into_iter().flatten() {
                assert!(status.starts_with("20"), "{key:?} {status}");
                let target = by_id[link["operationId"].as_str().unwrap()];
                let body = link["requestBody"].as_str().unwrap_or("null");
                let body: Value = serde_json::from_str(body).unwrap();
                let (mut input, mut value) =
                    if let Some(parameters) = link["parameters"].as_object() {
                        let (name, value) = parameters.iter().next().unwrap();
                        let parameters = target["parameters"].as_array().unwrap();
                        let parameter = parameters.iter().find(|it| it["name"] == **name).unwrap();
                        assert_eq!(parameter["in"], "path", "{key:?}: {name}");
                        (&parameter["schema"], value)
                    } else {
                        (&target["requestBody"]["content"]["application/json"]["schema"], &body)
                    };
                while let Some((field_name, inner)) =
                    value.as_object().and_then(|it| it.iter().next())
                {
                    let found = field(&document, input, field_name);
                    input =
                        found.unwrap_or_else(|| panic!("{key:?}, {name}: no input {field_name}"));
                    value = inner;
                }
                let text = value.as_str().unwrap().trim_start_matches('{').trim_end_matches('}');
                let part = text.strip_prefix("$response.body#/").unwrap();
                let mut schema = &answer["content"]["application/json"]["schema"];
                for part in part.split('/') {
                    let found = field(&document, schema, part);
                    schema = found.unwrap_or_else(|| panic!("{key:?}, {name}: no field {part}"));
                }
                links += 1;
                from.insert(operation["operationId"].as_str().unwrap());
            }
        }
    }
    assert!(links >= 35 && from.contains("getWalletChallenge"), "{links}");
}

/// Answers that operations of any kind share.
const OF_ALL: [&str; 5] =
    ["Internal", "PayloadTooLarge", "Unauthorized", "Unavailable", "UnsupportedMediaType"];

/// A document repeats no answer: each error is one component.
#[test]
fn errors_are_shared_components() {
    let document = openapi::document().unwrap();
    let mut used = BTreeSet::new();
    for (key, operation) in operations(&document) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let reference = answer["$ref"].as_str();
            assert_eq!(reference.is_some(), status.as_str() >= "400", "{key:?} {status}");
            used.extend(reference.map(|it| it.rsplit('/').next().unwrap().to_owned()));
        }
    }
    let components = document["components"]["responses"].as_object().unwrap();
    assert_eq!(used, components.keys().cloned().collect());
    let texts: BTreeSet<_> = components.values().map(Value::to_string).collect();
    assert_eq!(texts.len(), components.len());
}

/// Generated code identifies errors by their code, and requests by their type, without trying each schema.
#[test]
fn choices_name_what_decides() {
    fn choices<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
        match value {
            Value::Object(fields) => {
                if fields.get("oneOf").is_some_and(Value::is_array) {
                    found.push(value);
                }
                fields.values().for_each(|field| choices(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| choices(item, found)),
            _ => {}
        }
    }
    let document = openapi::document().unwrap();
    let responses = document["components"]["responses"].as_object().unwrap();
    let mut decided = 0;
    for (name, response) in responses {
        let schema = &response["content"]["application/json"]["schema"];
        let Some(all) = schema["oneOf"].as_array() else { continue };
        let discriminator = &schema["discriminator"];
        assert_eq!(discriminator["propertyName"], "code", "{name}");
        let mapping = discriminator["mapping"].as_object().unwrap();
        assert_eq!(mapping.len(), all.len(), "{name}");
        for (code, reference) in mapping {
            let problem = document.pointer(reference.as_str().unwrap().trim_start_matches('#'));
            let own = &problem.unwrap()["allOf"][1]["properties"]["code"]["enum"];
            assert_eq!(*own, json!([code]), "{name}");
        }
        decided += 1;
    }
    assert!(decided > 50, "{decided}");
    let create = &document["components"]["schemas"]["CreateTransaction"]["discriminator"];
    assert_eq!(create["propertyName"], "type");
    assert_eq!(create["mapping"].as_object().unwrap().len(), 3);
    // The others are a value or null, or are distinguished by their fields.
    let mut found = Vec::new();
    choices(&document["components"]["schemas"], &mut found);
    let undecided = found.iter().filter(|it| it["discriminator"].is_null());
    let undecided = undecided
        .filter(|it| !it["oneOf"].as_array().unwrap().iter().any(|part| part["type"] == "null"));
    assert_eq!(undecided.count(), 2, "Authenticate and the params of errors");
}

/// An event of a list has the schema of its type, which is that of the request to a webhook.
#[test]
fn events_of_a_list_are_told_apart_by_their_type() {
    let document = openapi::document().unwrap();
    let schemas = &document["components"]["schemas"];
    let item = &schemas["EventItem"];
    assert_eq!(item["discriminator"]["propertyName"], "type");
    let mapping = item["discriminator"]["mapping"].as_object().unwrap();
    let kinds = EventType::OF_ACCOUNTS.into_iter().chain(EventType::OF_MINTS);
    let names: BTreeSet<_> = kinds.map(EventType::name).collect();
    assert_eq!(mapping.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
    let references = item["oneOf"].as_array().unwrap().iter().map(|it| it["$ref"].clone());
    assert_eq!(
        references.map(|it| it.to_string()).collect::<BTreeSet<_>>(),
        mapping.values().map(Value::to_string).collect()
    );
    for (name, reference) in mapping {
        let path = reference.as_str().unwrap().trim_start_matches('#');
        let schema = document.pointer(path).unwrap();
        assert_eq!(schema["properties"]["type"]["enum"], json!([name]));
        if let Some(webhook) = document["webhooks"].get(name) {
            let body = &webhook["post"]["requestBody"]["content"]["application/json"]["schema"];
            assert_eq!(body["$ref"], *reference, "{name}");
            continue;
        }
        let data = &schema["properties"]["data"];
        let required = data["required"].as_array().unwrap().iter().map(|it| it.as_str().unwrap());
        assert_eq!(required.collect::<BTreeSet<_>>(), ["after", "before", "mintId"].into());
        let expected = match name.as_str() {
            "vmBlock.filled" => [json!("integer"), json!("integer")],
            _ => [json!(["string", "null"]), json!("string")],
        };
        let states = ["before", "after"].map(|it| data["properties"][it]["type"].clone());
        assert_eq!(states, expected, "{name}");
        assert!(schema["properties"]["accountId"].is_null(), "{name}");
    }
    // Webhooks send no events of mints.
    for name in ["AddWebhook", "ChangeWebhook", "WebhookRow"] {
        let items = &schemas[name]["properties"]["types"]["items"];
        assert_eq!(items["$ref"], "#/components/schemas/AccountEventType", "{name}");
    }
    let own = EventType::OF_ACCOUNTS.map(EventType::name);
    assert_eq!(schemas["AccountEventType"]["enum"], json!(own));
    // A bag of all fields says nothing.
    for name in ["EventData", "EventState", "EventType"] {
        assert!(schemas[name].is_null(), "{name}");
    }
}

/// Receivers are generated from the document too.
#[test]
fn each_event_of_an_account_is_a_webhook() {
    let document = openapi::document().unwrap();
    let webhooks = document["webhooks"].as_object().unwrap();
    let names = EventType::OF_ACCOUNTS.map(EventType::name);
    let others = ["webhook.test", "webhook.verification"];
    let expected: BTreeSet<_> = names.into_iter().chain(others).collect();
    assert_eq!(webhooks.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    let operations = operations(&document);
    let ids = operations.values().map(|it| it["operationId"].as_str().unwrap());
    let mut ids: BTreeSet<_> = ids.collect();
    for (name, webhook) in webhooks {
        let operation = &webhook["post"];
        assert!(operation["summary"].as_str().unwrap().ends_with('.'), "{name}");
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{name}");
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let schema = resolved(&document, body);
        assert_eq!(schema["properties"]["type"]["enum"], json!([name]));
        assert_eq!(schema["required"], json!(["id", "sequence", "type", "timestamp", "data"]));
        let data = &schema["properties"]["data"]["properties"];
        let fields: BTreeSet<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
        let (of_others, expected) = match name.split('.').next().unwrap() {
            "transaction" | "xchain" | "vmTransaction" | "refund" => (false, "txId"),
            "export" => (false, "exportId"),
            "session" => (false, "sessionId"),
            "deposit" => (false, "depositId"),
            "coins" => (false, "blockHeight"),
            _ => (true, "webhookId"),
        };
        assert!(fields.contains(expected), "{name}: {fields:?}");
        let expected = if of_others { 1 + usize::from(name == "webhook.verification") } else { 3 };
        assert_eq!(fields.len(), expected, "{name}: {fields:?}");
    }
}

#[test]
fn answers_name_their_headers() {
    let document = openapi::document().unwrap();
    for (key, operation) in operations(&document) {
        let answers = operation["responses"].as_object().unwrap();
        for (status, answer) in answers {
            let headers = resolved(&document, answer)["headers"].as_object().unwrap();
            assert!(headers.contains_key("X-Request-Id"), "{key:?} {status}");
            let waits = ["429", "503"].contains(&&**status);
            assert_eq!(headers.contains_key("Retry-After"), waits, "{key:?} {status}");
            let is_error = status.as_str() >= "400";
            let is_limited = answers.contains_key("429") && (!is_error || status == "429");
            let is_shared = OF_ALL
                .iter()
                .any(|name| answer["$ref"] == format!("#/components/responses/{name}"));
            for name in ["RateLimit", "RateLimit-Policy"] {
                assert_eq!(
                    headers.contains_key(name),
                    is_limited && !is_shared,
                    "{key:?} {status}"
                );
            }
            let is_dry_run = status == "200" && answers.contains_key("201");
            let is_kept =
                takes_key(&operation) && status.as_str() < "500" && status != "429" && !is_dry_run;
            let is_told = headers.contains_key("Idempotent-Replayed");
            assert_eq!(is_told, is_kept && !is_shared, "{key:?} {status}");
            let is_tagged = ["200", "304"].contains(&&**status) && answers.contains_key("304");
            assert_eq!(headers.contains_key("ETag"), is_tagged, "{key:?} {status}");
        }
    }
    let tagged =
        operations(&document).into_values().filter(|it| it["responses"]["304"].is_object());
    assert_eq!(tagged.count(), 18);
    let other = &document["x-other-requests"];
    assert!(other["404"]["headers"]["Allow"].is_null());
    let allow = &other["405"]["headers"]["Allow"]["schema"]["pattern"];
    assert!(Regex::new(allow.as_str().unwrap()).unwrap().is_match("GET,HEAD,POST"));
    for (status, code) in [("404", "1003"), ("405", "1004")] {
        let content = &other[status]["content"]["application/json"];
        assert_eq!(content["example"]["code"], code);
        assert_eq!(content["schema"]["allOf"][1]["properties"]["code"]["enum"], json!([code]));
    }
}

fn takes_key(operation: &Value) -> bool {
    let parameters = operation["parameters"].as_array();
    parameters.into_iter().flatten().any(|parameter| parameter["name"] == "Idempotency-Key")
}

#[test]
fn headers_of_limits_fit_their_patterns() {
    let document = openapi::document().unwrap();
    let pattern = |name: &str| {
        let schema = &document["components"]["headers"][name]["schema"];
        Regex::new(schema["pattern"].as_str().unwrap()).unwrap()
    };
    let (left, policy) = (pattern("RateLimit"), pattern("RateLimit-Policy"));
    assert!(left.is_match("\"a\";r=0;t=300") && left.is_match("\"a\";r=9;t=1, \"b\";r=0;t=3"));
    assert!(policy.is_match("\"a\";q=60;w=300"));
    for wrong in ["", "a;r=0;t=300", "\"a\";r=-1;t=300", "\"a\";q=0;w=300", "\"a\";r=0;t=1,"] {
        assert!(!left.is_match(wrong), "{wrong}");
    }
}

/// Examples are exchanges that tests have had. `make contract` checks that they fit their schemas.
#[test]
fn every_operation_has_an_example() {
    let document = openapi::document().unwrap();
    let listed = examples::listed().unwrap();
    let mut used = BTreeSet::new();
    for ((method, path), operation) in operations(&document) {
        let first = path.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let key = format!("{method} {}", first.unwrap_or(&path));
        if examples::WITHOUT.contains(&&*key) {
            continue;
        }
        let example = listed.get(&key);
        let example = example.unwrap_or_else(|| panic!("{key} has no example: {RECORDED}"));
        let answers = operation["responses"].as_object().unwrap();
        let shown = |answer: &Value| answer["content"]["application/json"]["example"].clone();
        let mut successes: Vec<_> =
            answers.iter().filter(|(status, _)| status.starts_with("20")).collect();
        let (_, success) = successes.pop().unwrap();
        assert_eq!(shown(success), example.answer, "{key}");
        // Another success is a dry run, which the parameter asks for.
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let has_dry_run = parameters.clone().any(|parameter| parameter["name"] == "dryRun");
        let others: Vec<_> = successes.iter().map(|(status, _)| status.as_str()).collect();
        assert_eq!(others, if has_dry_run { &["200"][..] } else { &[] }, "{key}");
        if let Some((_, dry_run)) = successes.pop() {
            let key = format!("{key}{}", examples::DRY_RUN);
            let example = listed.get(&key);
            let example = example.unwrap_or_else(|| panic!("{key} has no example: {RECORDED}"));
            assert_eq!(shown(dry_run), example.answer, "{key}");
            used.insert(key);
        }
        let body = &operation["requestBody"];
        if body.is_object() {
            let shown = &body["content"]["application/json"]["example"];
            assert!(is_part(shown, &example.body), "{key}: {shown}");
            assert!(example.body.is_object() || body["required"] == false, "{key}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["in"] != "path" || !parameter["example"].is_null(), "{key}");
        }
        used.insert(key);
    }
    assert_eq!(used, listed.keys().cloned().collect(), "examples of operations that do not exist");
    assert!(used.len() > 90, "{}", used.len());
}

/// Whether each field of a value is in another one: a body may lose fields that its schema does not name.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            let is_in =
                |(name, own): (&String, &Value)| whole.get(name).is_some_and(|it| is_part(own, it));
            part.iter().all(is_in) && part.is_empty() == whole.is_empty()
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, it)| is_part(part, it))
        }
        (part, whole) => part == whole,
    }
}

/// Patterns of texts that look like secrets to readers of the document. Each finds the secret itself, not its
/// name.
const SECRETS: [&str; 8] = [
    r"eyJ[A-Za-z0-9_-]+[.]eyJ[A-Za-z0-9_-]+[.]([A-Za-z0-9_-]+)",
    r"whsec_([A-Za-z0-9+/]+)",
    r#""(?:refreshToken|deviceToken|ticket|otpCode|clientProof|serverProof)":"([^"]+)""#,
    r#""token":"([A-Za-z0-9_-]{32,})""#,
    r#""secret":"([A-Z2-7]{16,})""#,
    r"[?&](?:secret|ticket|token)=([^&\x22]+)",
    r#"X-Amz-(?:Signature|Security-Token)(?:=|":")([^&"]+)"#,
    r"\b([0-9A-Z]{4}(?:-[0-9A-Z]{4}){5})\b",
];

/// The secrets in a text that no placeholder has replaced.
fn secrets(text: &str) -> Vec<String> {
    let each = SECRETS.iter().map(|secret| Regex::new(secret).unwrap());
    let mut found = Vec::new();
    for secret in each {
        for captures in secret.captures_iter(text) {
            let blank = |letter: char| matches!(letter, 'A' | '0' | '=' | '-');
            if !captures[1].chars().all(blank) {
                found.push(captures[0].to_owned());
            }
        }
    }
    // The secret of a second factor, as an image.
    let images = Regex::new(r#""qrCode":"([^"]+)""#).unwrap();
    let large = images.captures_iter(text).filter(|image| image[1].len() > 200);
    found.extend(large.map(|image| image[0].to_owned()));
    found
}

#[test]
fn examples_contain_no_secrets() {
    let secret = [
        r#"{"accessToken":"eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmVk"}"#,
        r#"{"refreshToken":"AaIR4s"}"#,
        r#"{"deviceToken":"ZulqkK"}"#,
        r#"{"ticket":"06ff"}"#,
        r#"{"otpCode":"540767"}"#,
        r#"{"token":"bsvIM6NhomMIuNlt6lZxixHP1Vr4exgr-pKCwkeZUnU"}"#,
        r#"{"secret":"45IMRCCNL35USAMU7RUGLYWC7O55HAJY"}"#,
        r#"{"secret":"whsec_XbL4w8pqfKhEDfVrn2UTheUwrPPV8D+ol0lMkIRGGiI="}"#,
        r#"{"otpauthUri":"otpauth://totp/R:1?secret=45IM&issuer=R"}"#,
        r#"{"url":"https://a/b?X-Amz-Signature=8bc7&X-Amz-Security-Token=c"}"#,
        r#"{"fields":{"X-Amz-Signature":"8bc7"}}"#,
        r#"{"recoveryCodes":["WJTD-BSF1-271A-DG2X-P5DP-1H96"]}"#,
    ];
    for secret in secret {
        let value: Value = serde_json::from_str(secret).unwrap();
        assert!(!secrets(&value.to_string()).is_empty(), "{secret}");
        let masked = masks::masked(&value).to_string();
        assert_eq!(secrets(&masked), Vec::<String>::new(), "{secret}");
        assert_eq!(masked.len(), value.to_string().len(), "{secret}");
    }
    for (name, example) in examples::listed().unwrap() {
        let text = format!("{}{}{}", example.path, example.body, example.answer);
        assert_eq!(secrets(&text), Vec::<String>::new(), "{name}");
    }
    let refusals = refusals::listed().unwrap();
    for body in refusals.codes.values().chain(refusals.fields.values()) {
        assert_eq!(secrets(&body.to_string()), Vec::<String>::new());
    }
}

/// Errors of an operation have an example each, which a test has seen.
#[test]
fn every_error_has_an_example() {
    let document = openapi::document().unwrap();
    let listed = refusals::listed().unwrap();
    let (mut used, mut missing) = (BTreeSet::new(), BTreeSet::new());
    for ((method, path), operation) in operations(&document) {
        let first = path.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let key = format!("{method} {}", first.unwrap_or(&path));
        let answers = operation["responses"].as_object().unwrap().iter();
        for (status, answer) in answers.filter(|(status, _)| status.as_str() >= "400") {
            let content = &resolved(&document, answer)["content"]["application/json"];
            let one = std::slice::from_ref(&content["schema"]);
            for schema in content["schema"]["oneOf"].as_array().map_or(one, Vec::as_slice) {
                let own = &resolved(&document, schema)["allOf"][1]["properties"];
                let code = own["code"]["enum"][0].as_str().unwrap();
                let examples = content["examples"].as_object().unwrap().values();
                let mut bodies = examples.map(|it| &resolved(&document, it)["value"]);
                match bodies.find(|body| body["code"] == code) {
                    Some(body) => {
                        assert_eq!(body["message"], own["message"]["enum"][0], "{key} {status}");
                        assert_eq!(Some(body), listed.of(&key, code), "{key} {status}");
                    }
                    None => drop(missing.insert(format!("{key} {code}"))),
                }
                used.insert(code.to_owned());
            }
        }
    }
    let first: Vec<_> = missing.iter().take(20).collect();
    assert!(missing.is_empty(), "{} have none: {RECORDED}: {first:?}", missing.len());
    assert!(used.len() > 90, "{}", used.len());
}

/// How examples come to be.
const RECORDED: &str = "run `make answers PACKAGE=<crate of its tests>`";
