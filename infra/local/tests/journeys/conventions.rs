//! What HTTP libraries send by default: capitals in ids, content types of empty bodies, whole numbers with a fraction,
//! parameters left empty or spelled differently.

use http::Method;
use local::wallets::{Wallet, sign_in};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{concrete, world};

#[tokio::test]
async fn an_options_request_that_is_no_preflight_is_answered_like_any_other() {
    let (_stack, client) = world().await;
    let options = |path: &str| client.request(Method::OPTIONS, path.to_owned());
    options("/api/nothing").send().await.expect_error(Problem::NotFound);
    for route in local::functions::table() {
        let answer =
            options(&concrete(&route.path)).send().await.expect_error(Problem::MethodNotAllowed);
        let mut allowed = answer.header("allow").split(',').map(str::trim);
        assert!(allowed.any(|it| it == route.method.as_str()), "{} {answer}", route.path);
    }
    let origin = ("origin", "http://localhost:5173");
    let lone = options("/api/nothing").header(origin.0, origin.1).send().await;
    lone.expect_error(Problem::NotFound);
    let asks = options("/api/prizes").header("access-control-request-method", "POST").send().await;
    asks.expect_error(Problem::MethodNotAllowed);
}

/// A client that asks for a dry run changes nothing, even if the operation has none.
#[tokio::test]
async fn what_has_no_dry_run_refuses_the_parameter_before_anything_else() {
    const TRIED: [&str; 3] =
        ["/api/transactions", "/api/vm-transactions", "/api/xchain/transaction"];
    let (stack, client) = world().await;
    let before = stack.contents();
    let (mut tried, mut refused) = (0, 0);
    for route in local::functions::table().iter().filter(|route| route.method != Method::GET) {
        for query in ["dryRun=true", "dryrun=1", "_dryRun=true", "dryRun%5B%5D=true"] {
            let path = format!("{}?{query}", concrete(&route.path));
            let answer = client.request(route.method.clone(), path.clone()).send().await;
            if route.method == Method::POST && TRIED.contains(&&*route.path) {
                answer.expect_error(Problem::NoAuthorization);
                tried += 1;
                continue;
            }
            let answer = answer.expect_error(Problem::Validation);
            assert_eq!(answer.body["errors"][0]["field"], "dryRun", "{path}: {answer}");
            refused += 1;
        }
    }
    assert_eq!(tried, 4 * TRIED.len());
    assert!(refused > 200, "{refused}");
    assert_eq!(stack.contents(), before);
}

/// RFC 6750, section 3.1.
#[tokio::test]
async fn a_refused_token_is_named_in_the_challenge() {
    let (stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let me = |token: Option<String>| {
        let call = client.get("/api/account/me").header("origin", "http://localhost:5173");
        match token {
            Some(token) => call.bearer(&token).send(),
            None => call.send(),
        }
    };
    let none = me(None).await.expect_error(Problem::NoAuthorization);
    assert_eq!(none.header("www-authenticate"), "Bearer");
    let bad = me(Some("bad".to_owned())).await.expect_error(Problem::InvalidToken);
    assert_eq!(bad.header("www-authenticate"), r#"Bearer error="invalid_token""#);
    let mut exposed = bad.header("access-control-expose-headers").split(',');
    assert!(exposed.any(|it| it == "www-authenticate"), "{bad}");
    stack.clock().advance(std::time::Duration::from_secs(16 * 60));
    let late = me(Some(user.access_token)).await.expect_error(Problem::TokenExpired);
    assert_eq!(late.header("www-authenticate"), r#"Bearer error="invalid_token""#);
}

#[tokio::test]
async fn ids_may_be_written_in_capitals() {
    let (_stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let body = json!({ "format": "csv" });
    let made = client.post("/api/download-histories").bearer(&user.access_token).json(&body);
    let made = made.send().await.expect(201);
    let id = made.text_of("id");
    let path = format!("/api/download-histories/{}", id.to_uppercase());
    let found = client.get(path).bearer(&user.access_token).send().await.expect(200);
    assert_eq!(found.text_of("id"), id);
    for bad in [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}")] {
        let path = format!("/api/download-histories/{bad}");
        client.get(path).bearer(&user.access_token).send().await.expect_error(Problem::Validation);
    }
    let path = format!("/auth/sessions/{}", "018bcfe5-6800-7000-8000-00000000000A");
    client
        .delete(path)
        .bearer(&user.access_token)
        .send()
        .await
        .expect_error(Problem::SessionNotFound);
}

#[tokio::test]
async fn an_empty_body_may_have_any_content_type() {
    let (_stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    for path in ["/api/account/2fa/setup", "/api/perp-venue/builder-fee-approval"] {
        for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"] {
            let call = client.post(path).bearer(&user.access_token).header("content-type", kind);
            let answer = call.send().await;
            assert_eq!(answer.status, 200, "{path} {kind}: {answer}");
        }
    }
    let form = client.post("/api/perp-venue/builder-fee-approval").bearer(&user.access_token);
    let form = form.header("content-type", "application/x-www-form-urlencoded").body("a=1");
    form.send().await.expect_error(Problem::UnsupportedMediaType);
}

#[tokio::test]
async fn numbers_are_whole_and_may_be_written_with_a_fraction_of_zero() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let prize = |number: &str| {
        let body = format!(
            r#"{{"prizeNumber":{number},"name":"x","inscriptionId":"{0:064x}i0","controllingUtxo":"x"}}"#,
            1
        );
        let call = client.post("/api/prizes").bearer(&admin.access_token);
        call.header("content-type", "application/json").body(body).send()
    };
    let named = |answer: &local::client::Answer| -> Vec<(String, String)> {
        let errors = answer.body["errors"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        errors.map(|error| (text(&error["field"]), text(&error["message"]))).collect()
    };
    let whole = prize("7.0").await.expect_error(Problem::Validation);
    assert_eq!(whole.body["errors"][0]["field"], "controllingUtxo", "{whole}");
    for wrong in ["7.5", "\"7\"", "1e300", "true"] {
        let refused = prize(wrong).await.expect_error(Problem::Validation);
        let expected = ("prizeNumber".to_owned(), "must be a whole number".to_owned());
        assert!(named(&refused).contains(&expected), "{wrong}: {refused}");
    }
    let types = json!({ "url": "https://example.com/x", "types": ["refund.stateChanged", "x"] });
    let call = client.post("/api/webhooks").bearer(&admin.access_token).json(&types);
    let refused = call.send().await.expect_error(Problem::Validation);
    let (field, message) = named(&refused).pop().unwrap();
    assert_eq!(field, "types[1]", "{refused}");
    assert!(message.starts_with("must be one of "), "{refused}");
}

/// Forms send fields that were left empty, and libraries write arrays differently.
#[tokio::test]
async fn empty_parameters_count_as_absent_and_unknown_ones_are_refused() {
    let (_stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let address = Wallet::evm(9).address().to_owned();
    let get = async |path: &str| client.get(path).bearer(&user.access_token).send().await;
    for path in [
        format!("/auth/wallet/challenge?address={address}&chain=&purpose="),
        "/api/webhooks?scope=".to_owned(),
        "/api/xchain/transactions?relatedAddress_eq=&intentToken_eq=&intentTokenPair_eq="
            .to_owned(),
        "/api/xchain/transactions?status_eq=&type_eq=&srcChain_eq=".to_owned(),
        "/api/vm-transactions/count-unconfirmed-requests?runeId=&userAddress=".to_owned(),
        "/api/events?after=&limit=&types=&_=1&utm_source=mail".to_owned(),
        "/api/health?_=1".to_owned(),
    ] {
        get(&path).await.expect(200);
    }
    for (path, field, allowed) in [
        ("/api/xchain/transactions?relatedAddress_eq[]=0x01", "relatedAddress_eq[]", "pageSize"),
        ("/api/xchain/transactions?relatedAddress_eq[0]=0x01", "relatedAddress_eq[0]", "pageSize"),
        ("/api/xchain/transactions?filter[status]=filled", "filter[status]", "relatedAddress_eq"),
        ("/api/xchain/transactions?relatedAddress=0x01", "relatedAddress", "relatedAddress_eq"),
        ("/api/vm-transactions?runeId=1:1&state=unsigned&limit=1", "limit", "runeId_eq"),
        ("/api/vm-transactions/count-unconfirmed-requests?runeId_eq=1:1", "runeId_eq", "runeId"),
        ("/api/vm-transactions/count-unconfirmed-requests?runeId[]=1:1", "runeId[]", "runeId"),
        ("/api/events?pageSize=5", "pageSize", "after, limit, types"),
        // The underscore of caches and statistics does not hide another spelling of a parameter.
        ("/api/events?_after=5", "_after", "after, limit, types"),
        ("/api/vm-transactions?_runeId_eq=1:1", "_runeId_eq", "runeId_eq"),
        ("/api/vm-transactions?_page=2", "_page", "pageSize"),
        ("/api/webhooks?page=1", "page", "scope"),
        ("/api/health?depth=1", "depth", "deep"),
        ("/auth/wallet/challenge?adress=0x01", "adress", "address, chain, purpose"),
    ] {
        let refused = get(path).await.expect_error(Problem::Validation);
        let mut errors = refused.body["errors"].as_array().unwrap().iter();
        let error = errors.find(|error| error["field"] == field).unwrap_or(&Value::Null);
        assert!(error["message"].as_str().is_some_and(|it| it.contains(allowed)), "{refused}");
    }
}

/// A list can be sorted by every visible field that has a single value.
#[tokio::test]
async fn lists_can_be_sorted_by_the_fields_that_the_error_names() {
    let (stack, client) = world().await;
    let admin = local::admin(&stack, &client).await;
    let get = async |path: String| client.get(path).bearer(&admin.access_token).send().await;
    for (path, contained) in [
        (
            "/api/vm-transactions",
            &[
                "state",
                "runeId",
                "mintId",
                "tradingAddress",
                "isRefundable",
                "transferBtcAt",
                "distributeRuneAt",
            ][..],
        ),
        ("/api/xchain/transactions", &["userAddress", "withdrawTo", "status", "spokeTxHash"]),
        ("/api/account", &["role", "authMethod", "totpEnabled", "tradingAddress"]),
        ("/api/download-histories", &["status", "format"]),
        ("/api/transactions", &["amount", "replaceTxId"]),
        ("/api/prizes", &["prizeNumber", "name", "inscriptionId", "controllingUtxo"]),
        ("/api/tokens", &["divisibility"]),
    ] {
        let refused = get(format!("{path}?sort=unknown")).await.expect_error(Problem::Validation);
        let message = refused.body["errors"][0]["message"].as_str().unwrap();
        let (_, allowed) = message.split_once("allowed: ").unwrap();
        let allowed: Vec<_> = allowed.split(", ").collect();
        assert!(contained.iter().all(|field| allowed.contains(field)), "{path}: {message}");
        for field in allowed {
            get(format!("{path}?sort={field}")).await.expect(200);
            get(format!("{path}?sort=-{field},id")).await.expect(if field == "id" {
                400
            } else {
                200
            });
        }
    }
}

#[tokio::test]
async fn a_repeated_request_for_a_webhook_returns_the_first_one_and_its_secret() {
    let (stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let add = |key: &'static str, url: &str| {
        let call = client.post("/api/webhooks").bearer(&user.access_token);
        call.header("idempotency-key", key).json(&json!({ "url": url })).send()
    };
    let hook = "https://127.0.0.1:9/hook";
    let first = add("one", hook).await.expect(201);
    let again = add("one", hook).await.expect(201);
    assert_eq!(again.data(), first.data());
    assert_eq!(again.header("idempotent-replayed"), "true");
    let secret = first.text_of("secret");
    assert!(secret.starts_with("whsec_"), "{first}");
    assert!(
        !json!(stack.contents()).to_string().contains(secret),
        "the secret is stored unencrypted"
    );
    add("one", "https://127.0.0.1:9/other").await.expect_error(Problem::IdempotencyKeyReused);
    let listed = client.get("/api/webhooks").bearer(&user.access_token).send().await.expect(200);
    assert_eq!(listed.data().as_array().unwrap().len(), 1);
    let twice = client.post("/api/webhooks").bearer(&user.access_token);
    let twice = twice.header("idempotency-key", "a").header("idempotency-key", "b");
    let twice = twice.json(&json!({ "url": hook })).send().await.expect_error(Problem::Validation);
    assert_eq!(twice.body["errors"][0]["field"], "Idempotency-Key", "{twice}");
}

/// A cache that stores several answers may name each in an `If-None-Match` line of its own.
#[tokio::test]
async fn every_line_of_if_none_match_is_read() {
    let (_stack, client) = world().await;
    let config = client.get("/api/config").send().await.expect(200);
    let ask = |first: &str, second: &str| {
        let call = client.get("/api/config").header("if-none-match", first);
        call.header("if-none-match", second).send()
    };
    let (tag, other) = (config.header("etag"), "\"other\"");
    ask(other, tag).await.expect(304);
    ask(tag, other).await.expect(304);
    ask(other, "\"another\"").await.expect(200);
}

#[tokio::test]
async fn an_ip_address_is_no_mail_domain() {
    let (_stack, client) = world().await;
    let user = sign_in(&client, &Wallet::evm(1)).await;
    let body = json!({ "newEmail": "a@127.0.0.1" });
    let call = client.post("/api/account/change-email/init").bearer(&user.access_token);
    let refused = call.json(&body).send().await.expect_error(Problem::Validation);
    assert_eq!(refused.body["errors"][0]["field"], "newEmail", "{refused}");
}
