//! The reference is complete, compressed, cached, and harmless in a browser.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::read::GzDecoder;
use http::Method;
use local::{LocalStack, client::Client, openapi};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shared::problem::Problem;

const PATHS: [&str; 3] = ["/api/openapi.json", "/api/openapi-3.0.json", "/api/docs"];

async fn serve() -> (LocalStack, Client) {
    let stack = LocalStack::start().await;
    let client = stack.serve(medias::routes()).await;
    (stack, client)
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

#[tokio::test]
async fn each_text_comes_plain_or_compressed() {
    let (_stack, client) = serve().await;
    for path in PATHS {
        let plain = client.get(path).send().await.expect(200);
        assert_eq!(plain.header("content-encoding"), "");
        let gzip = client.get(path).header("accept-encoding", "gzip, br").send().await.expect(200);
        assert_eq!(gzip.header("content-encoding"), "gzip");
        assert_eq!(unpacked(&gzip.bytes), plain.text, "{path}");
        assert!(gzip.bytes.len() * 5 < plain.bytes.len(), "{path}: {}", gzip.bytes.len());
        assert_ne!(gzip.header("etag"), plain.header("etag"), "other bytes, another tag");
        for answer in [&plain, &gzip] {
            assert_eq!(answer.header("cache-control"), "public, max-age=300");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            let varies = answer.headers.get_all("vary").iter();
            let varies: Vec<_> = varies.map(|value| value.to_str().unwrap()).collect();
            assert!(varies.contains(&"accept-encoding"), "{path}: {varies:?}");
        }
        let head = client.request(Method::HEAD, path).send().await.expect(200);
        assert_eq!((head.header("etag"), head.text.as_str()), (plain.header("etag"), ""));
        client.post(path).send().await.expect_error(Problem::MethodNotAllowed);
    }
}

#[tokio::test]
async fn a_client_that_has_the_text_gets_304() {
    let (_stack, client) = serve().await;
    for path in PATHS {
        for accepted in ["gzip", "identity"] {
            let ask = |tag: &str| {
                let call = client.get(path).header("accept-encoding", accepted);
                call.header("if-none-match", tag).send()
            };
            let whole = ask("\"other\"").await.expect(200);
            let tag = whole.header("etag");
            let same = ask(tag).await.expect(304);
            assert_eq!((same.header("etag"), same.text.as_str()), (tag, ""));
            assert_eq!(same.header("cache-control"), "public, max-age=300");
            assert_eq!(same.header("content-encoding"), "");
            // The tag of the other form does not match this one.
            let other = if accepted == "gzip" { "identity" } else { "gzip" };
            let call = client.get(path).header("accept-encoding", other);
            call.header("if-none-match", tag).send().await.expect(200);
        }
    }
}

#[tokio::test]
async fn the_document_is_that_of_the_code() {
    let (_stack, client) = serve().await;
    let answer = client.get("/api/openapi.json").send().await.expect(200);
    assert_eq!(answer.header("content-type"), "application/json");
    // Not `assert_eq!`, which would print both.
    assert!(answer.body == openapi::document().unwrap(), "run `make openapi`");
}

/// Importers take the first server literally, and a client's own headers do not change it.
#[tokio::test]
async fn the_documents_name_the_address_of_the_settings() {
    let url = "https://api.example.com";
    let stack = LocalStack::builder().setting("API_URL", format!("{url}/")).build().await;
    let client = stack.serve(medias::routes()).await;
    let (_built, without) = serve().await;
    for path in ["/api/openapi.json", "/api/openapi-3.0.json"] {
        let forged = client.get(path).header("x-forwarded-host", "evil.example");
        let forged = forged.header("forwarded", "host=evil.example");
        let plain = forged.send().await.expect(200);
        let servers = plain.body["servers"].as_array().unwrap();
        let urls: Vec<_> = servers.iter().map(|server| server["url"].as_str().unwrap()).collect();
        assert_eq!(urls, [url], "{path}");
        let gzip = client.get(path).header("accept-encoding", "gzip").send().await.expect(200);
        assert_eq!(unpacked(&gzip.bytes), plain.text, "{path}");
        let built = without.get(path).send().await.expect(200);
        assert_eq!(built.body["servers"][0]["url"], "/");
        let tags = [&plain, &gzip, &built].map(|answer| answer.header("etag").to_owned());
        assert_eq!(BTreeSet::from(tags.clone()).len(), 3, "other bytes, another tag: {tags:?}");
        let call = client.get(path).header("if-none-match", &tags[0]);
        call.send().await.expect(304);
        // Nothing else differs.
        let (mut own, mut other) = (plain.body, built.body);
        own["servers"].take();
        other["servers"].take();
        assert!(own == other, "{path}");
    }
}

/// Version 3.0 has the same operations, answers and schemas, without the features that it lacks.
#[tokio::test]
async fn the_older_document_says_the_same() {
    let (_stack, client) = serve().await;
    let answer = client.get("/api/openapi-3.0.json").send().await.expect(200);
    assert_eq!(answer.header("content-type"), "application/json");
    let (older, newer) = (&answer.body, openapi::document().unwrap());
    assert_eq!(older["openapi"], "3.0.3");
    let names = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    for part in ["/paths", "/components/schemas", "/components/responses"] {
        let (own, expected) = (older.pointer(part).unwrap(), newer.pointer(part).unwrap());
        assert_eq!(names(own), names(expected), "{part}");
    }
    assert_eq!(names(&older["x-webhooks"]), names(&newer["webhooks"]));
    let mut nullable = 0;
    check(older, "", &mut nullable);
    let may_be_null = newer.to_string().matches("\"null\"").count();
    assert!(nullable > 100 && nullable <= may_be_null, "{nullable} of {may_be_null}");
    let text = answer.body.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|it| it.split('"').next()) {
        assert!(older.pointer(reference).is_some(), "{reference} does not resolve");
    }
}

/// Whether a schema allows null by the rules of the document's version.
fn allows_null(document: &Value, schema: &Value) -> bool {
    if let Some(reference) = schema["$ref"].as_str() {
        let named = document.pointer(reference.trim_start_matches('#')).unwrap();
        return allows_null(document, named);
    }
    let parts = |name: &str| schema[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let allowing = |name: &str| parts(name).iter().filter(|it| allows_null(document, it)).count();
    let by_type = match &schema["type"] {
        Value::String(kind) => kind == "null" || schema["nullable"] == true,
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "null"),
        _ => true,
    };
    by_type
        && schema["enum"].as_array().is_none_or(|values| values.contains(&Value::Null))
        && allowing("allOf") == parts("allOf").len()
        && (parts("oneOf").is_empty() || allowing("oneOf") == 1)
        && (parts("anyOf").is_empty() || allowing("anyOf") > 0)
}

/// The fields of objects in a schema, by their path.
fn properties<'a>(schema: &'a Value, at: &str, found: &mut BTreeMap<String, &'a Value>) {
    match schema {
        Value::Object(fields) => {
            for (name, part) in fields {
                let at = format!("{at}/{name}");
                match part {
                    Value::Object(own) if name == "properties" => {
                        for (name, property) in own {
                            found.insert(format!("{at}/{name}"), property);
                            properties(property, &format!("{at}/{name}"), found);
                        }
                    }
                    part => properties(part, &at, found),
                }
            }
        }
        Value::Array(parts) => parts.iter().for_each(|part| properties(part, at, found)),
        _ => {}
    }
}

/// Validators refuse an answer with a null that the document does not allow. In version 3.0, `nullable`
/// affects only the type next to it, and no referenced schema.
#[tokio::test]
async fn the_older_document_allows_null_where_the_newer_one_does() {
    let (_stack, client) = serve().await;
    let older = client.get("/api/openapi-3.0.json").send().await.expect(200).body;
    let newer = openapi::document().unwrap();
    let [mut found, mut wanted] = [BTreeMap::new(), BTreeMap::new()];
    for (document, found) in [(&older, &mut found), (&newer, &mut wanted)] {
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            properties(schema, name, found);
        }
    }
    let (mut compared, mut nullable) = (0, 0);
    for (at, schema) in wanted {
        // The fields of an object that may be null itself have another path.
        let Some(other) = found.get(&at) else { continue };
        let is_allowed = allows_null(&newer, schema);
        assert_eq!(allows_null(&older, other), is_allowed, "{at}: {other}");
        compared += 1;
        nullable += usize::from(is_allowed);
    }
    assert!(compared > 1_000 && nullable > 100, "{nullable} of {compared}");
}

/// Asserts that a part of a document uses nothing that version 3.0 lacks.
fn check(value: &Value, at: &str, nullable: &mut usize) {
    match value {
        Value::Object(fields) => {
            let is_named = at.ends_with("/properties") || at.ends_with("/schemas");
            if !is_named {
                assert!(
                    fields.get("type").is_none_or(|kind| !kind.is_array() && kind != "null"),
                    "{at}"
                );
                assert!(
                    !fields.contains_key("propertyNames") && !fields.contains_key("const"),
                    "{at}"
                );
                for condition in ["dependentSchemas", "if", "then", "else"] {
                    assert!(!fields.contains_key(condition), "{at}");
                }
                assert!(!fields.contains_key("$ref") || fields.len() == 1, "{at}");
                let bound = fields.get("exclusiveMinimum");
                assert!(bound.is_none_or(Value::is_boolean), "{at}");
                *nullable += usize::from(fields.get("nullable").is_some_and(|it| it == true));
            }
            for (name, field) in fields {
                if is_named
                    || !["example", "examples", "default", "mapping"].contains(&name.as_str())
                {
                    check(field, &format!("{at}/{name}"), nullable);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check(item, at, nullable)),
        _ => {}
    }
}

/// The values of an attribute of a page.
fn values<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let attribute = format!(" {name}=\"");
    let rests = page.split(attribute.as_str()).skip(1);
    rests.filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test]
async fn the_page_guides_first_and_explains_the_codes_last() {
    let (_stack, client) = serve().await;
    let answer = client.get("/api/docs").send().await.expect(200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let page = &answer.text;
    let ids = values(page, "id");
    let place = |id: &str| ids.iter().position(|it| *it == id).unwrap_or_else(|| panic!("{id}"));
    let mut headings = Vec::new();
    for heading in [
        "Base address",
        "Sign in",
        "Responses",
        "Errors",
        "Idempotency",
        "Lists",
        "Polling",
        "Limits",
        "Samples",
        "auth",
        "reference",
        "Events sent to webhooks",
        "Schemas",
        "Codes",
    ] {
        let found = page.split("<h2").skip(1).position(|rest| {
            rest.split("</h2>").next().is_some_and(|it| it.ends_with(&format!(">{heading}")))
        });
        headings.push(found.unwrap_or_else(|| panic!("{heading}")));
    }
    assert!(headings.is_sorted(), "{headings:?}");
    assert_eq!(headings.first(), Some(&0));
    // Every operation is there, or named by its first path.
    let document = openapi::document().unwrap();
    let mut operations = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            if operation["x-alias-of"].is_null() {
                place(id);
                operations += 1;
            }
            assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
        }
    }
    assert!(operations > 80, "{operations}");
    // Links of the page have a target, and codes link to the last table.
    let anchors: BTreeSet<_> = ids.iter().copied().collect();
    assert_eq!(anchors.len(), ids.len(), "an anchor is twice there");
    let links = values(page, "href");
    for link in links.iter().filter_map(|link| link.strip_prefix('#')) {
        assert!(anchors.contains(link), "#{link} leads nowhere");
    }
    assert!(links.contains(&"#code-1001") && place("code-1001") > place("codes"));
    assert!(place("code-9005") == ids.len() - 1);
}

/// Each chapter has an anchor that the navigation links to, and each column a heading.
#[tokio::test]
async fn chapters_have_anchors_and_columns_headings() {
    let (_stack, client) = serve().await;
    let page = client.get("/api/docs").send().await.expect(200).text;
    let (navigation, main) = page.split_once("<main>").unwrap();
    let (guide, _) = main.split_once("<h2 id=\"group-").unwrap();
    let ids = values(guide, "id");
    assert_eq!(ids.len(), guide.matches("<h1").count() + guide.matches("<h2").count());
    let links = values(navigation, "href");
    for id in ["guide-sign-in", "guide-errors", "guide-limits"] {
        assert!(ids.contains(&id), "{id}: {ids:?}");
    }
    for id in ids {
        assert!(links.contains(&format!("#{id}").as_str()), "{id}");
    }
    assert!(page.contains("<th>") && !page.contains("<th></th>"));
}

/// Each operation has its request in three languages, its errors with their sentences, and the fields of its
/// body in one place.
#[tokio::test]
async fn operations_are_whole_in_one_place() {
    let (_stack, client) = serve().await;
    let page = client.get("/api/docs").send().await.expect(200).text;
    let (_, main) = page.split_once("<main>").unwrap();
    let document = openapi::document().unwrap();
    let place = |id: &str| {
        let (_, rest) = main.split_once(&format!("<h3 id=\"{id}\">")).unwrap();
        let end = ["<h3 ", "<h2 "].into_iter().filter_map(|next| rest.find(next)).min();
        &rest[..end.unwrap()]
    };
    let problems = document["components"]["schemas"].as_object().unwrap();
    let mut described = 0;
    for item in document["paths"].as_object().unwrap().values() {
        for (method, operation) in item.as_object().unwrap() {
            if !operation["x-alias-of"].is_null() {
                continue;
            }
            let id = operation["operationId"].as_str().unwrap();
            let text = place(id);
            let is_recorded = operation["responses"].as_object().unwrap().iter().any(|it| {
                let (status, answer) = it;
                status.starts_with('2')
                    && answer.pointer("/content/application~1json/example").is_some()
            });
            for (language, starts) in [
                ("curl", "curl -s".to_owned()),
                ("TypeScript", format!("await call(api, &#39;{method}&#39;, ")),
                ("Python", format!("answer = send(&#34;{}&#34;, ", method.to_uppercase())),
            ] {
                let shown = text.contains(&format!("<summary>{language}</summary>"));
                assert_eq!(
                    (shown, text.contains(&starts)),
                    (is_recorded, is_recorded),
                    "{id}: {language}"
                );
            }
            for code in text.split("#code-").skip(1).filter_map(|rest| rest.get(..4)) {
                let problem = problems.values().find(|it| {
                    it["description"]
                        .as_str()
                        .is_some_and(|it| it.starts_with(&format!("{code} `")))
                });
                let (named, meaning) =
                    problem.unwrap()["description"].as_str().unwrap().split_once(": ").unwrap();
                let key = named.split('`').nth(1).unwrap();
                let start = format!("#code-{code}\">{code}</a> <code>{key}</code> ");
                let (_, sentence) =
                    text.split_once(&start).unwrap_or_else(|| panic!("{id}: {code}"));
                assert!(
                    sentence.starts_with(meaning.split(['\'', '"', '&', '<', '>']).next().unwrap()),
                    "{id}: {code}"
                );
                described += 1;
            }
        }
    }
    assert!(described > 1_000, "{described}");
    // A body that is one of several, with the fields of the object in it.
    let text = place("createBitcoinTransaction");
    for part in [
        "Body, one of",
        "<summary>CreateTransactionWithdraw</summary>",
        "Fields of WithdrawParams",
        "<code>withdrawTo</code>",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(place("listUtxos").contains("$BASE/api/utxos?address_eq="), "a query is in the sample");
    let events = document["webhooks"].as_object().unwrap();
    assert!(events.len() > 10);
    for (event, item) in events {
        let text = place(item["post"]["operationId"].as_str().unwrap());
        assert!(
            text.contains(&format!("<code>{event}</code>")) && text.contains("webhook-id"),
            "{event}"
        );
    }
}

/// The policy lets the browser run only the page's own script and load nothing, so a mistake in a text of the
/// document does no harm.
#[tokio::test]
async fn the_page_runs_its_own_script_and_loads_nothing() {
    let (_stack, client) = serve().await;
    let answer = client.get("/api/docs").send().await.expect(200);
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    for part in ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("-src 'self'"), "{policy}");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let page = answer.text.to_lowercase();
    for active in ["javascript:", "<iframe", "<img", "<link", "<form", " style=", " onload"] {
        assert!(!page.contains(active), "{active}");
    }
    // The style and the script are the ones that the policy names.
    for name in ["style", "script"] {
        assert_eq!(page.matches(&format!("<{name}")).count(), 1);
        let (_, rest) = answer.text.split_once(&format!("<{name}>")).unwrap();
        let (own, _) = rest.split_once(&format!("</{name}>")).unwrap();
        let hash = BASE64_STANDARD.encode(Sha256::digest(own));
        assert!(policy.contains(&format!("{name}-src 'sha256-{hash}';")), "{policy}");
    }
}
