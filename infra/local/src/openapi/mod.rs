//! The OpenAPI document of the whole service, built from the handlers' own types.

mod enums;
mod envelopes;
mod errors;
mod headers;
mod links;
mod operations;
pub mod texts;
mod walk;

use std::fmt::Write;

use serde_json::{Map, Value};
use shared::{
    http::{FieldError, Problem},
    problem::ErrorBody,
};
use utoipa::{
    PartialSchema,
    openapi::{
        Components, Info, License, OpenApi, OpenApiBuilder, Server,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    base::{
        answers,
        failure::{Context, Result},
    },
    functions,
};

/// Description of the whole service, above the table of errors.
const DESCRIPTION: &str = "\
Accounts, swaps, refunds and perpetuals funding of a Bitcoin-asset exchange. The service never asks for a
client's keys: wallets sign, and the service verifies.

## Start here

1. `GET /api/config` names the network and what wallets sign; `GET /api/tokens` needs no token either.
2. `GET /auth/wallet/challenge` returns a text. The wallet signs it, and `POST /auth/authenticate` returns a token for 10 \
minutes and a refresh token. Accounts may also sign in with a password or a passkey.
3. `GET /api/account/me` with `Authorization: Bearer <token>` returns the account, and \
`GET /api/account/trading-wallet/balance` what it can spend.
4. Money moves in two steps: one operation returns a PSBT, the wallet signs it, and the operation's `sign` \
co-signs and broadcasts it.

## Answers

Every success is `{code: \"1\", message: \"common.success\", data}`; lists and some others add `metaData`. Every error is \
`{code, message, details, requestId}`, plus `errors: [{field, message}]` if fields are missing or \
invalid. `code` and `message` are stable, `details` is for people. Times are milliseconds since the epoch. Amounts that \
can exceed 2^53 are texts of digits.

Each operation lists its errors by status. A path that does not exist is a 404 with `1003`; another method of a path is a \
405 with `1004`, and its `Allow` names the methods. The gateway in front of a deployment may answer 413, 429 and 503 by \
itself, without this body. A POST with an `Idempotency-Key` can be repeated safely.

## Errors

| code | message | status | |
|---|---|---|---|
";

/// The document.
///
/// # Errors
/// A schema is not valid JSON.
pub fn document() -> Result<Value> {
    let mut document = functions::openapi().into_iter().fold(frame(), OpenApi::merge_from);
    document.tags = Some(operations::tags());
    let document = serde_json::to_value(document).context("OpenAPI")?;
    let document = operations::with_access(operations::with_summaries(document));
    let document = operations::with_aliases(operations::with_optional_bodies(document));
    let document = errors::with_errors(document, answers::listed()?);
    let document = envelopes::without_foreign_sorts(envelopes::with_envelopes(document));
    let document = links::with_links(headers::with_headers(texts::with_texts(document)));
    Ok(sorted(enums::with_meanings(envelopes::without_unused_schemas(document))?))
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
    let mut local = Server::new("http://127.0.0.1:9000");
    local.description = Some("The local world of `make dev`.".to_owned());
    let mut same = Server::new("/");
    same.description = Some("The deployment that serves this document.".to_owned());
    let builder = OpenApiBuilder::new().info(info).components(Some(components));
    builder.servers(Some([same, local])).build()
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
