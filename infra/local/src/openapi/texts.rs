//! Formats of the texts in requests, for texts whose type does not define one.
//!
//! A pattern matches at least everything that the service accepts (`tests/patterns.rs`), so that no valid
//! request contradicts the document. Texts that no pattern describes, such as signatures, only have a format.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::walk::{change_operations, operations, references};

/// A kind of text.
#[derive(Debug)]
pub struct Text {
    /// Its name in the document.
    pub format: &'static str,
    /// What it matches.
    pub pattern: Option<&'static str>,
    /// The fields and parameters that contain it.
    pub(super) fields: &'static [&'static str],
}

/// A kind of text with a pattern.
pub(super) const fn text(
    format: &'static str,
    pattern: &'static str,
    fields: &'static [&'static str],
) -> Text {
    Text { format, pattern: Some(pattern), fields }
}

/// A kind of text that no pattern describes.
pub(super) const fn free(format: &'static str, fields: &'static [&'static str]) -> Text {
    Text { format, pattern: None, fields }
}

/// All kinds.
pub const ALL: &[Text] = &[
    text(
        "base64-of-32-bytes",
        "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$",
        &["newSrpSalt", "srpSalt"],
    ),
    text(
        "byte",
        "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$",
        &[
            "clientProof",
            "clientPublic",
            "encryptedBlob",
            "newClientProof",
            "newClientPublic",
            "newEncryptedBlob",
            "newSrpVerifier",
            "srpVerifier",
        ],
    ),
    // Empty counts as missing. People copy recovery codes with other spaces and dashes than the printed ones.
    text("otp-code", "^(([\\s-]*[0-9]){6}[\\s-]*|([\\s-]*[0-9A-Za-z]){24}[\\s-]*)?$", &["otpCode"]),
    text("mailed-token", "^[A-Za-z0-9_-]{43}$", &["token"]),
    text("refresh-token", "^[A-Za-z0-9_-]+$", &["refreshToken"]),
    text("device-token", "^[A-Za-z0-9_-]{64}$", &["Device-Token"]),
    text(
        "address",
        "^[!-~]*$",
        &[
            "address",
            "address_eq",
            "proceedsAddress",
            "relatedAddress_eq",
            "tradingAddress_eq",
            "userAddress",
            "userAddress_eq",
            "walletAddress",
            "withdrawTo",
        ],
    ),
    text("trading-key", "^[0-9A-Fa-f]*$", &["tradingPublicKey"]),
    text("psbt", "^[A-Za-z0-9+/\\s]+(=\\s*){0,2}$", &["base64Psbt", "signedBase64Tx"]),
    text("outpoint", "^[0-9a-fA-F]{64}:(0|[1-9][0-9]{0,9})$", &["txIdVouts"]),
    text(
        "instant",
        "^([0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2}))?)$",
        &["from", "to"],
    ),
    text(
        "media-filename",
        "[.]([pP][nN][gG]|[jJ][pP][eE]?[gG]|[gG][iI][fF]|[wW][eE][bB][pP]|[aA][vV][iI][fF])$",
        &["filename"],
    ),
    text(
        "label",
        "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
        &["PrizeName", "name", "note", "provider"],
    ),
    text("field-names", "^[A-Za-z0-9_+, -]*$", &["populate", "select", "sort"]),
    text("event-types", "^[A-Za-z., ]*$", &["types"]),
    text("rune-ids", "^\\s*[0-9]+:[0-9]+\\s*(,\\s*[0-9]+:[0-9]+\\s*)*$", &["runeIds"]),
    text("flag", "^(0|1|true|false)?$", &["deep"]),
    free("referral-code", &["code", "referralCode"]),
    free("email-or-account-id", &["email"]),
    free("password-hint", &["newPasswordHint", "passwordHint"]),
    free("sign-in-message", &["message"]),
    free("public-key", &["publicKey"]),
    free("signature", &["signature"]),
    free("token-pair", &["intentTokenPair_eq"]),
    free("token-address", &["intentToken_eq"]),
    free("transport", &["transports"]),
    free("uri", &["url"]),
];

/// Formats of types whose pattern allows texts with a wrong checksum.
const KNOWN: &[(&str, &str)] =
    &[("address", "^[!\"$-~]{1,128}$"), ("evm-address", "^0x[0-9a-fA-F]{40}$")];

/// Adds the formats and patterns to the bodies and parameters of requests.
pub(super) fn with_texts(mut document: Value) -> Value {
    let inputs = inputs(&document);
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten().filter(|(name, _)| inputs.contains(*name)) {
        describe(name, schema);
        describe_fields(schema);
    }
    change_operations(&mut document, |_, _, operation| {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            if let Some(schema) = parameter.get_mut("schema") {
                describe(&name, schema);
            }
        }
        if let Some(body) = operation.get_mut("requestBody") {
            describe_fields(body);
        }
    });
    document
}

/// The schemas that requests use.
fn inputs(document: &Value) -> BTreeSet<String> {
    let mut next = Vec::new();
    for (_, operation) in operations(document) {
        for part in ["requestBody", "parameters"] {
            operation.get(part).into_iter().for_each(|part| references(part, &mut next));
        }
    }
    let schemas = document.pointer("/components/schemas");
    let mut inputs = BTreeSet::new();
    while let Some(name) = next.pop() {
        if inputs.insert(name.to_owned()) {
            let schema = schemas.and_then(|schemas| schemas.get(name));
            schema.into_iter().for_each(|schema| references(schema, &mut next));
        }
    }
    inputs
}

fn describe_fields(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
            for (name, property) in properties.into_iter().flatten() {
                describe(name, property);
            }
            fields.values_mut().for_each(describe_fields);
        }
        Value::Array(items) => items.iter_mut().for_each(describe_fields),
        _ => {}
    }
}

/// Whether a schema is a text for which it states nothing but its length.
pub fn is_bare_text(schema: &Map<String, Value>) -> bool {
    let kind = schema.get("type");
    let is_text = kind.is_some_and(|kind| {
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
    });
    is_text && !["enum", "pattern", "format"].iter().any(|said| schema.contains_key(*said))
}

fn describe(name: &str, schema: &mut Value) {
    let schema = match schema.get_mut("items") {
        Some(_) => schema.get_mut("items").and_then(Value::as_object_mut),
        None => schema.as_object_mut(),
    };
    let Some(schema) = schema else { return };
    let known = KNOWN.iter().find(|(_, known)| schema.get("pattern").is_some_and(|it| it == known));
    if let Some((format, _)) = known {
        schema.entry("format").or_insert((*format).into());
    }
    if !is_bare_text(schema) {
        return;
    }
    let Some(text) = ALL.iter().find(|text| text.fields.contains(&name)) else { return };
    schema.insert("format".to_owned(), text.format.into());
    if let Some(pattern) = text.pattern {
        schema.insert("pattern".to_owned(), pattern.into());
    }
}
