//! The pages of `docs/reference`, generated from the code: settings, limits, problems, endpoints.

use std::{collections::BTreeMap, fmt::Write, fs};

use base::settings::Setting;
use identity::guess;
use serde_json::Value;
use shared::{
    auth::limits,
    http::{Access, Problem},
};

use crate::{
    base::{
        failure::{Context, Result},
        workspace,
    },
    functions, openapi,
};

/// Folder of the pages.
pub const FOLDER: &str = "docs/reference";

const SETTINGS_PAGE: &str = "\
# Settings

Every setting is an environment variable. `template.yaml` sets those of a deployment, `make dev` those of the
local world. A function reads and requires its own settings only. If one of them is missing or invalid, it stops at
start-up with one line that names all of them.

| Variable | Default | Meaning | Read by |
|---|---|---|---|
";

const LIMITS_PAGE: &str = "\
# Limits

A limit counts hits in a window that starts with the first hit. Above the limit, the service answers 429 with
`Retry-After` in seconds. A source is an IPv4 address or a /64 network of IPv6, as seen by the
gateway; a /56 network has four times the limit, and a /48 sixteen times.

| Limit | Hits | Window | Counts |
|---|---|---|---|
";

const GUESSES: &str = "
## Guesses by strangers

A stranger is a device that the account does not know ([devices](../guides/sign-in.md#devices)). The service
counts the guesses of all strangers at one account together, and counts each guess before it checks it. After
the first guesses, each guess starts a pause, which doubles up to the longest one. During a pause the service
answers 429 with `Retry-After`. The count is reset 24 hours after the last guess. A correct guess that signs in
does not count. The service treats an e-mail address without an account in the same way.

| Guesses | Free guesses | First pause, s | Longest pause, s | Maximum in 24 hours |
|---|---|---|---|---|
";

const PROBLEMS_PAGE: &str = "\
# Problems

Every error is `{code, message, details, requestId}`; an error about input also has
`errors: [{field, message}]`. The `code`, `message` and status of a problem never change. `details` is for humans:
the sentence below, or a more specific one.

| `code` | `message` | Status | Meaning |
|---|---|---|---|
";

const ENDPOINTS_PAGE: &str = "\
# Endpoints

`infra/openapi.json` contains schemas, parameters and examples; `GET /api/docs` of a
deployment or of `make dev` shows them.
Each path under `/auth` is also served under `/api/auth`.

*Public* needs no token. *Token* needs `Authorization: Bearer <access token>`. *Admin* needs the token of an
admin. With *Public, token* a token adds to the answer.

*Errors* are [codes](problems.md) that the tests have seen. Not repeated are those of every endpoint of its kind: 1005, 1008
and 1009; 1001, 1002 and 1006 if it has a body or is a list; 1010 and 1011 if it takes an `Idempotency-Key`; 4002, 4003
and 4004 if it needs a token; 1007 if it is for admins.
";

/// The beginning of the index for language models (llmstxt.org).
const MODELS_PAGE: &str = "\
# Runeport

> Accounts, swaps, refunds and perpetuals funding of a Bitcoin-asset exchange, over HTTP and JSON. The service never asks
> for a client's keys: wallets sign, and the service verifies.

`GET /api/openapi.json` of a deployment is its OpenAPI 3.1 document, and `GET /api/docs` the same as one page, also without
scripts. `GET /api/openapi-3.0.json` is the same for tools that read no 3.1. Every success is `{code: \"1\", message: \"common.success\", data}`, every error `{code, message, details, requestId}`.

## Documents

- [OpenAPI document](../../infra/openapi.json): schemas, parameters, examples and errors of every operation
- [Guide](../guides/api.md): first requests, lists, polling, events, errors
- [Sign-in](../guides/sign-in.md): wallets, passwords, passkeys, sessions
- [Password proofs](../guides/srp.md): every formula of SRP, values to compare with
- [Trading wallet](../guides/trading-wallet.md): balance, coins, withdrawals, renewals, deposits
- [Problems](problems.md): the code of every error
- [Limits](limits.md): how many requests are allowed
- [Client](../../infra/frontend/client/README.md): the package for TypeScript
";

/// Codes that every endpoint of some kind has.
const COMMON: [&str; 12] = [
    "1001", "1002", "1005", "1006", "1007", "1008", "1009", "1010", "1011", "4002", "4003", "4004",
];

/// All pages: file name and text.
///
/// # Errors
/// The OpenAPI document cannot be built.
pub fn pages() -> Result<Vec<(&'static str, String)>> {
    let document = openapi::document()?;
    Ok(vec![
        ("settings.md", settings()),
        ("limits.md", limits()),
        ("problems.md", problems()),
        ("endpoints.md", endpoints(&document)),
        ("llms.txt", for_models(&document)),
    ])
}

/// Writes the pages; returns their names.
///
/// # Errors
/// A page cannot be written.
pub fn write() -> Result<String> {
    let folder = workspace::root().join(FOLDER);
    fs::create_dir_all(&folder).context(FOLDER)?;
    let mut written = String::new();
    for (name, text) in pages()? {
        fs::write(folder.join(name), text).context(name)?;
        line(&mut written, format_args!("{FOLDER}/{name}"));
    }
    Ok(written)
}

fn line(page: &mut String, text: impl std::fmt::Display) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(page, "{text}");
}

/// A text as a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn settings() -> String {
    let mut page = SETTINGS_PAGE.to_owned();
    let functions = functions::settings();
    let mut settings: Vec<(Setting, Vec<&str>)> = Vec::new();
    for &(function, ref own) in &functions {
        for setting in own {
            match settings.iter_mut().find(|(known, _)| known == setting) {
                Some((_, readers)) if readers.contains(&function) => {}
                Some((_, readers)) => readers.push(function),
                None => settings.push((*setting, vec![function])),
            }
        }
    }
    // Settings that all functions share come first.
    settings.sort_by_key(|(_, readers)| std::cmp::Reverse(readers.len()));
    let has_routes = |own: &[Setting]| own.iter().any(|setting| setting.name == "CORS_ORIGINS");
    let routed = functions.iter().filter(|(_, own)| has_routes(own));
    let routed: Vec<_> = routed.map(|(name, _)| *name).collect();
    for (setting, readers) in settings {
        let readers = if readers.len() == functions.len() {
            "all".to_owned()
        } else if readers == routed {
            "all with routes".to_owned()
        } else {
            readers.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let default = match setting.default {
            None => "required".to_owned(),
            Some("") => "empty".to_owned(),
            Some(value) => format!("`{value}`"),
        };
        let (name, meaning) = (setting.name, cell(setting.meaning));
        line(&mut page, format_args!("| `{name}` | {default} | {meaning} | {readers} |"));
    }
    page
}

fn limits() -> String {
    let mut page = LIMITS_PAGE.to_owned();
    for limit in limits::ALL {
        let minutes = limit.window.as_secs().checked_div(60).unwrap_or_default();
        let (name, most, counts) = (limit.name, limit.most, cell(limit.counts));
        line(&mut page, format_args!("| `{name}` | {most} | {minutes} min | {counts} |"));
    }
    page.push_str(GUESSES);
    for guessed in guess::ALL {
        let (name, free, most) = (guessed.name, guessed.free, guessed.most_a_day());
        let (first, longest) = (guessed.first_pause.as_secs(), guessed.longest_pause.as_secs());
        line(&mut page, format_args!("| `{name}` | {free} | {first} | {longest} | {most} |"));
    }
    page
}

fn problems() -> String {
    let mut page = PROBLEMS_PAGE.to_owned();
    for problem in Problem::ALL {
        let (code, key, status) = (problem.code(), problem.key(), problem.status().as_u16());
        let meaning = cell(problem.meaning());
        line(&mut page, format_args!("| {code} | `{key}` | {status} | {meaning} |"));
    }
    page
}

/// The codes that an operation returns, except the common ones.
fn own_errors(document: &Value, operation: Option<&Value>) -> String {
    let responses = operation.and_then(|operation| operation.get("responses")?.as_object());
    let resolved = |response: &Value| {
        let reference = response.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|it| document.pointer(it.strip_prefix('#')?));
        target.unwrap_or(response).to_string()
    };
    let text: String = responses.into_iter().flatten().map(|(_, it)| resolved(it)).collect();
    let answers = |problem: &&Problem| text.contains(&format!("/{problem:?}Problem\""));
    let codes = Problem::ALL.iter().filter(answers).map(|problem| problem.code());
    codes.filter(|code| !COMMON.contains(code)).collect::<Vec<_>>().join(" ")
}

/// The endpoints by subject, in the order in which the routes are served.
fn endpoints(document: &Value) -> String {
    let mut groups: Vec<&str> = Vec::new();
    let mut rows: BTreeMap<&str, String> = BTreeMap::new();
    for route in &functions::table() {
        let method = route.method.as_str();
        let operation = document
            .get("paths")
            .and_then(|paths| paths.get(&*route.path))
            .and_then(|path| path.get(method.to_lowercase()));
        let text = |field: &str| operation.and_then(|operation| operation.get(field));
        // This is the second path of a handler.
        if route.path.starts_with("/api/auth/") {
            continue;
        }
        let is_optional = text("security")
            .is_some_and(|security| security.as_array().is_some_and(|ways| ways.len() > 1));
        let who = match route.access {
            Access::Public if is_optional => "Public, token",
            Access::Public => "Public",
            Access::Bearer => "Token",
            Access::Admin => "Admin",
        };
        let group = text("tags").and_then(|tags| tags.get(0)).and_then(Value::as_str);
        let group = group.unwrap_or("other");
        if !groups.contains(&group) {
            groups.push(group);
        }
        let summary = text("summary").and_then(Value::as_str).unwrap_or_default();
        let summary = cell(summary).replace(" Admins only.", "");
        let row = rows.entry(group).or_default();
        let errors = own_errors(document, operation);
        line(row, format_args!("| `{method} {}` | {who} | {summary} | {errors} |", route.path));
    }
    let mut page = ENDPOINTS_PAGE.to_owned();
    for group in groups {
        line(
            &mut page,
            format_args!("\n## {group}\n\n| Endpoint | Who | What | Errors |\n|---|---|---|---|"),
        );
        page.push_str(rows.get(group).map(String::as_str).unwrap_or_default());
    }
    page
}

/// The index of the documents and of every operation.
fn for_models(document: &Value) -> String {
    let mut page = MODELS_PAGE.to_owned();
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let text = |field: &str| operation.get(field).and_then(Value::as_str);
            let group = operation.pointer("/tags/0").and_then(Value::as_str);
            let (Some(group), Some(summary), None) = (group, text("summary"), text("x-alias-of"))
            else {
                continue;
            };
            let name = format!("{} {path}", method.to_uppercase());
            let line =
                format!("- [{name}](endpoints.md#{group}): {}", summary.trim_end_matches('.'));
            groups.entry(group).or_default().push(line);
        }
    }
    for (group, lines) in groups {
        line(&mut page, format_args!("\n## {group}\n\n{}", lines.join("\n")));
    }
    page
}
