//! Conditions between the fields of a request: which are sent together, which exclude each other, and what
//! the chain of a wallet or the group of a verifier requires of other fields.
//!
//! Each condition is exactly what the service checks, so null counts as missing. Tools that do not know the
//! keywords, such as generators of types, ignore them.

use serde_json::{Map, Value, json};

/// Schemas with fields that a request has all of or none of.
const TOGETHER: &[(&str, &[&str])] = &[
    ("ChangeEmailProof", &["newClientPublic", "newClientProof"]),
    ("ChangePassword", &["newClientPublic", "newClientProof"]),
    ("RegisterSrp", &["clientPublic", "clientProof"]),
    ("RegisterSrp", &["tradingPublicKey", "challengeId", "signature"]),
];

/// Schemas with two fields that exclude each other.
const APART: &[(&str, [&str; 2])] = &[("ReplaceTransaction", ["feeTarget", "feeRate"])];

/// Schemas in which `chain` decides the format of `address` and `publicKey`.
const OF_A_CHAIN: &[&str] = &["LinkAddress", "RotateWallet", "SignedChallenge"];

/// The patterns of addresses, by chain. They do not verify checksums.
const EVM: &str = "^0x[0-9a-fA-F]{40}$";
const SOLANA: &str = "^[1-9A-HJ-NP-Za-km-z]{32,44}$";
const BITCOIN: &str = "^[0-9A-Za-z]{14,90}$";
/// A Bitcoin key, which a Bitcoin address needs.
const BITCOIN_KEY: &str = "^(0[23])?[0-9A-Fa-f]{64}$";

/// For each group, the pattern of base64 with as many bytes as the group's prime has; the default group comes
/// last.
const NUMBERS: [(Option<u16>, &str); 3] = [
    (Some(2048), "^(.{0,340}|.{342}==)$"),
    (Some(4096), "^(.{0,680}|.{683}=)$"),
    (None, "^.{0,512}$"),
];

/// Adds the conditions. Runs after the schemas have their texts.
pub(super) fn with_conditions(mut document: Value) -> Value {
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    let Some(schemas) = schemas else { return document };
    for (name, fields) in TOGETHER {
        let Some(schema) = schemas.get_mut(*name).and_then(Value::as_object_mut) else { continue };
        let dependent = schema.entry("dependentSchemas").or_insert_with(|| json!({}));
        if let Some(dependent) = dependent.as_object_mut() {
            dependent.extend(fields.iter().map(|field| ((*field).to_owned(), together(fields))));
        }
    }
    for (name, [first, second]) in APART {
        let missing = |field: &str| json!({ "properties": { field: { "type": "null" } } });
        let either = [missing(first), missing(second)];
        add(schemas, name, json!({ "dependentSchemas": { *first: { "anyOf": either } } }));
    }
    for name in OF_A_CHAIN {
        add(schemas, name, of_its_chain());
    }
    add(schemas, "RegisterSrp", of_its_group(&NUMBERS));
    document
}

fn add(schemas: &mut Map<String, Value>, name: &str, condition: Value) {
    let schema = schemas.get_mut(name).and_then(Value::as_object_mut);
    if let (Some(schema), Value::Object(condition)) = (schema, condition) {
        schema.extend(condition);
    }
}

/// Requires all of these fields, or none of them: null counts as missing.
fn together(fields: &[&str]) -> Value {
    let each = |kind: &str| -> Map<String, Value> {
        fields.iter().map(|field| ((*field).to_owned(), json!({ "type": kind }))).collect()
    };
    json!({ "anyOf": [
        { "properties": each("null") },
        { "required": fields, "properties": each("string") },
    ] })
}

fn of_its_chain() -> Value {
    let is = |chain: &str| json!({ "properties": { "chain": { "enum": [chain] } } });
    let address = |pattern: &str| json!({ "properties": { "address": { "pattern": pattern } } });
    let bitcoin = json!({
        "required": ["publicKey"],
        "properties": {
            "address": { "pattern": BITCOIN },
            "publicKey": { "type": "string", "pattern": BITCOIN_KEY },
        },
    });
    let others = json!({ "if": is("solana"), "then": address(SOLANA), "else": bitcoin });
    json!({ "if": is("evm"), "then": address(EVM), "else": others })
}

/// A number of a group has at most the bytes of its prime.
fn of_its_group(numbers: &[(Option<u16>, &str)]) -> Value {
    let Some(((group, pattern), others)) = numbers.split_first() else { return json!({}) };
    let number = json!({ "pattern": pattern });
    let numbers = json!({ "properties": { "clientPublic": number, "srpVerifier": number } });
    let Some(group) = group else { return numbers };
    let is = json!({ "required": ["srpGroup"], "properties": { "srpGroup": { "enum": [group] } } });
    json!({ "if": is, "then": numbers, "else": of_its_group(others) })
}
