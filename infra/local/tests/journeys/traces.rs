//! Traces: which spans a request and the workers after it leave with a collector, and what they cost without one.

use std::time::Duration;

use futures_util::future::join_all;
use local::{
    Client, LocalStack, SocketClient,
    client::Answer,
    collector::{ReceivedSpan, ReceivedTrace},
    mood::Mood,
    patience::{TIMES_AS_LONG, skip},
    srp_accounts::SrpAccount,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};

/// A caller's own span.
const CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A world that records everything, and serves every function.
async fn world() -> (LocalStack, Client) {
    let stack = LocalStack::builder().traces().build().await;
    let client = stack.serve(local::functions::routes()).await;
    (stack, client)
}

async fn user(client: &Client) -> SignedIn {
    sign_in(client, &Wallet::p2wpkh(1)).await
}

/// The trace of an answered request.
fn trace(stack: &LocalStack, answer: &Answer) -> ReceivedTrace {
    let id = answer.header("x-request-id");
    stack.collector().of_request(id).unwrap_or_else(|| panic!("no trace of {id}"))
}

fn parts(trace: &ReceivedTrace, of: &ReceivedSpan) -> Vec<String> {
    let parts = trace.spans.iter().filter(|span| span.parent.as_ref() == Some(&of.id));
    parts.map(|span| span.name.clone()).collect()
}

#[tokio::test]
async fn a_request_is_a_trace_of_what_it_asked_for() {
    let (stack, client) = world().await;
    let user = user(&client).await;
    let answer = client.get("/api/account/me").bearer(&user.access_token);
    let answer = answer.header("traceparent", CALLER).send().await.expect(200);
    let trace = trace(&stack, &answer);
    let root = trace.request().unwrap();
    assert_eq!((root.name.as_str(), root.kind, &root.parent), ("GET /api/account/me", 2, &None));
    assert_eq!(root.attributes["http.response.status_code"], 200);
    assert_eq!(root.attributes["http.route"], "/api/account/me");
    assert_eq!(root.links, ["4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"]);
    assert_ne!(trace.id, "4bf92f3577b34da6a3ce929d0e0e4736", "a caller does not choose the trace");

    let calls: Vec<_> =
        trace.spans.iter().filter(|span| span.name.starts_with("DynamoDB ")).collect();
    assert!(!calls.is_empty(), "{trace:#?}");
    for call in calls {
        assert_eq!((call.kind, call.parent.as_ref()), (3, Some(&root.id)), "{call:?}");
        assert_eq!(call.attributes["peer.service"], "DynamoDB");
        assert_eq!(call.attributes["http.response.status_code"], 200);
        assert_eq!(call.attributes["aws.dynamodb.table_names"], "accounts");
        assert!(call.attributes["aws.dynamodb.consumed_units"].as_f64().unwrap() >= 0.5);
        assert!(call.begun_us >= root.begun_us);
        assert!(call.begun_us + call.took_us <= root.begun_us + root.took_us + 1);
    }
}

#[tokio::test]
async fn spans_hold_no_secret_and_nothing_that_a_client_sent() {
    let (stack, client) = world().await;
    let account = SrpAccount::new("someone@example.com", "a long enough password");
    let user = account.register(&client).await;
    stack.deliver_mail().await;
    let bearer = |path: &str| client.get(path.to_owned()).bearer(&user.access_token);
    bearer("/api/account/me?select=role&token=hush-hush").send().await;
    bearer("/hush-hush").send().await.expect(404);
    client.request("HUSH".parse().unwrap(), "/api/account/me").send().await;
    let text = serde_json::to_string(&stack.collector().traces()).unwrap();
    assert!(text.contains("\"POST /auth/") && text.contains("\"mail\""), "{text}");
    for hidden in [
        &*user.access_token,
        &*user.account,
        "hush",
        "HUSH",
        "example.com",
        "127.0.0.1",
        "http://",
        stack.settings()["ACCOUNTS_TABLE"].as_str(),
        stack.settings()["AWS_SECRET_ACCESS_KEY"].as_str(),
    ] {
        assert!(!text.contains(hidden), "{hidden} in {text}");
    }
}

#[tokio::test]
async fn a_call_to_a_party_is_named_by_its_operation() {
    let (stack, client) = world().await;
    let admin = sign_in(&client, &local::wallets::admin_wallet()).await;
    stack.set_role(&admin.account, shared::models::account::Role::Admin).await;
    let body = json!({
        "prizeNumber": 1, "name": "A prize",
        "inscriptionId": format!("{}i0", "ab".repeat(32)),
        "controllingUtxo": format!("{}:0", "cd".repeat(32)),
    });
    let register = || client.post("/api/prizes").bearer(&admin.access_token).json(&body).send();
    let asked = |answer: &Answer| {
        let trace = trace(&stack, answer);
        let root = trace.request().unwrap().clone();
        let call = trace.spans.iter().find(|span| span.name.starts_with("ord GET /")).unwrap();
        (root, call.clone())
    };
    let refused = register().await.expect_error_shape();
    let (root, call) = asked(&refused);
    assert_eq!(call.attributes["http.response.status_code"], 404);
    assert!(call.name.contains('{') && !call.failed && !root.failed, "{call:?}");
    assert_eq!(root.attributes["error.type"], *refused.code());

    stack.ord().be(Mood { status: Some(500), ..Mood::default() });
    let (_, call) = asked(&register().await);
    assert!(call.failed && call.attributes["http.response.status_code"] == 500, "{call:?}");
    stack.ord().be(Mood { down: true, ..Mood::default() });
    let answer = register().await.expect(502);
    let (root, call) = asked(&answer);
    assert_eq!(call.attributes["error.type"], "unreachable");
    assert_eq!(call.attributes["http.request.resend_count"], 1);
    assert!(root.failed && call.failed);
}

#[tokio::test]
async fn traces_of_concurrent_requests_do_not_mix() {
    let (stack, client) = world().await;
    let user = user(&client).await;
    let ask = |_| {
        let call = client.get("/api/account/me").bearer(&user.access_token);
        call.header("traceparent", CALLER).send()
    };
    let answers = join_all((0..20).map(ask)).await;
    let mut traces = std::collections::BTreeSet::new();
    for answer in answers {
        let trace = trace(&stack, &answer.expect(200));
        let root = trace.request().unwrap();
        assert_eq!(parts(&trace, root).len(), trace.spans.len() - 1, "{trace:#?}");
        let requests = trace.spans.iter().filter(|span| span.kind == 2).count();
        assert_eq!(requests, 1);
        traces.insert(trace.id);
    }
    assert_eq!(traces.len(), 20);
}

#[tokio::test]
async fn what_is_not_chosen_leaves_nothing() {
    let stack = LocalStack::builder().traces().setting("TRACES_ONE_IN", "4294967295");
    let stack = stack.build().await;
    let client = stack.serve(local::functions::routes()).await;
    let user = user(&client).await;
    let call = client.get("/api/account/me").bearer(&user.access_token);
    call.header("traceparent", CALLER).send().await.expect(200);
    assert_eq!(stack.collector().requests(), 0);
}

#[tokio::test]
async fn without_a_collector_nothing_is_recorded() {
    let stack = LocalStack::start().await;
    assert!(stack.app().tracer.is_none() && !stack.app().outbound.is_traced());
}

/// A collector that is slow, or answers wrongly, costs an answer at most a quarter of a second; after five failures
/// it is left alone.
#[tokio::test]
async fn a_collector_that_fails_is_left_alone() {
    const FAILURES: usize = 5;
    let quarter = Duration::from_millis(250) * TIMES_AS_LONG;
    for (mood, expected) in [
        (Mood { delay_ms: 600_000, ..Mood::default() }, FAILURES),
        (Mood { status: Some(500), ..Mood::default() }, FAILURES),
        // It hears of nothing.
        (Mood { down: true, ..Mood::default() }, 0),
    ] {
        let (stack, client) = world().await;
        let collector = stack.collector().mood();
        let before = collector.asked();
        collector.set(mood);
        for failure in 1..=FAILURES {
            let late = async {
                if mood.delay_ms > 0 {
                    collector.is_asked(before + failure).await;
                    skip(quarter).await;
                }
            };
            let (answer, ()) = tokio::join!(client.get("/api/health").send(), late);
            answer.expect(200);
        }
        for _ in 0..40 {
            client.get("/api/health").send().await.expect(200);
        }
        assert_eq!(collector.asked() - before, expected, "{mood:?}");
        collector.set(Mood::default());
        client.get("/api/health").send().await.expect(200);
        assert!(stack.collector().traces().is_empty(), "it is left alone");
        stack.clock().advance(Duration::from_secs(31));
        client.get("/api/health").send().await.expect(200);
        assert_eq!(stack.collector().traces().len(), 1, "it is tried again");
    }
}

#[tokio::test]
async fn a_mail_belongs_to_the_trace_of_its_request() {
    let (stack, client) = world().await;
    SrpAccount::new("someone@example.com", "a long enough password").register(&client).await;
    assert_eq!(stack.deliver_mail().await, 1);
    let traces = stack.collector().traces();
    let [trace] =
        traces.iter().filter(|trace| !trace.named("mail").is_empty()).collect::<Vec<_>>()[..]
    else {
        panic!("{traces:#?}")
    };
    let (root, work) = (trace.request().unwrap(), trace.named("mail")[0]);
    assert_eq!((work.kind, work.parent.as_ref()), (5, Some(&root.id)));
    assert!(parts(trace, root).contains(&"SQS SendMessageBatch".to_owned()), "{trace:#?}");
    let asked = parts(trace, work);
    assert!(asked.contains(&"SESv2 SendEmail".to_owned()), "{asked:?}");
    assert!(asked.contains(&"DynamoDB PutItem".to_owned()), "{asked:?}");
}

#[tokio::test]
async fn an_export_belongs_to_the_trace_of_its_request() {
    let (stack, client) = world().await;
    let user = user(&client).await;
    let now = stack.app().clock.now();
    let filter =
        json!({ "type": "swap", "from": now.minus(Duration::from_secs(3_600)), "to": now });
    let answer = client.post("/api/download-histories").bearer(&user.access_token);
    let answer =
        answer.json(&json!({ "format": "csv", "filter": filter })).send().await.expect(201);
    assert_eq!(stack.make_exports().await, 1);
    let trace = trace(&stack, &answer);
    let work = trace.named("export")[0];
    assert_eq!(work.parent.as_ref(), Some(&trace.request().unwrap().id));
    let asked = parts(&trace, work);
    assert!(asked.iter().any(|name| name.starts_with("S3 ")), "{asked:?}");
}

#[tokio::test]
async fn what_webhooks_and_sockets_are_told_are_traces() {
    let (stack, client) = world().await;
    let user = user(&client).await;
    let post = |path: &str| client.post(path).bearer(&user.access_token);
    let receiver = local::server::Server::start(axum::Router::new()).await.unwrap();
    post("/api/webhooks").json(&json!({ "url": receiver.url() })).send().await.expect(201);
    let ticket = post("/api/events/ticket").send().await.expect(200);
    let opened = SocketClient::open(ticket.text_of("url"), Some(ticket.text_of("ticket"))).await;
    let mut socket = opened.unwrap();
    socket.ask(&json!({ "subscribe": ["account"], "after": 0 })).await.unwrap().unwrap();
    let other = sign_in(&client, &Wallet::p2wpkh(1)).await;
    client.post("/auth/logout").bearer(&other.access_token).send().await;
    assert!(stack.tell_sockets().await > 0);
    let traces = stack.collector().traces();
    for (name, call) in [("webhook", "DynamoDB GetItem"), ("push", "DynamoDB Query")] {
        let all = traces
            .iter()
            .flat_map(|trace| trace.named(name).into_iter().map(move |span| (trace, span)));
        let asked: Vec<_> = all.flat_map(|(trace, span)| parts(trace, span)).collect();
        assert!(asked.contains(&call.to_owned()), "{name}: {asked:?}");
    }
}

#[tokio::test]
async fn the_worker_continues_the_trace_of_a_swap() {
    let (stack, client) = world().await;
    let wallet = Wallet::evm(1);
    let user = sign_in(&client, &wallet).await;
    let body = json!({
        "intentTxHash": format!("0x{}", "cd".repeat(32)),
        "spokeTxHash": format!("0x{}", "ef".repeat(32)),
        "walletAddress": wallet.address(),
        "inputToken": "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
        "outputToken": "So11111111111111111111111111111111111111112",
        "inputAmount": "100",
        "minOutputAmount": "7",
        "srcChain": 42_161,
        "dstChain": 1,
        "srcAddress": wallet.address(),
        "dstAddress": "So11111111111111111111111111111111111111112",
    });
    let call = client.post("/api/xchain/transactions/register").bearer(&user.access_token);
    let answer = call.json(&body).send().await.expect(200);
    for _ in 0..2 {
        stack.clock().advance(Duration::from_secs(3_600));
        stack.tick("chain-watcher").await.unwrap();
    }
    let trace = trace(&stack, &answer);
    let looks = trace.named("look at a cross-chain transaction");
    assert!(!looks.is_empty(), "{trace:#?}");
    for look in looks {
        assert_eq!(look.parent.as_ref(), Some(&trace.request().unwrap().id));
        assert!(parts(&trace, look).iter().any(|name| name.starts_with("hub GET /intents/{hash}")));
    }
    // No answer shows the trace that the row names.
    let listed = client.get("/api/xchain/transactions").bearer(&user.access_token).send().await;
    assert!(!listed.text.contains(&trace.id), "{listed}");
}

#[tokio::test]
async fn a_run_of_the_worker_is_a_trace_of_its_own() {
    let (stack, _client) = world().await;
    stack.tick("chain-watcher").await.unwrap();
    let traces = stack.collector().traces();
    let run = traces.iter().find(|trace| !trace.named("chain-watcher").is_empty()).unwrap();
    let root = run.named("chain-watcher")[0];
    assert_eq!((root.kind, &root.parent), (1, &None));
    assert!(parts(run, root).contains(&"DynamoDB Query".to_owned()), "{run:#?}");
}

#[tokio::test]
async fn a_lever_shows_the_trace_of_a_request() {
    let (stack, client) = world().await;
    let stack = std::sync::Arc::new(stack);
    let levers = local::server::Server::start(local::levers::router(stack.clone())).await.unwrap();
    let levers = Client::new(levers.url());
    let answer = client.get("/api/health?deep=1").send().await;
    let path = format!("/_local/traces/{}", answer.header("x-request-id"));
    let shown: Value = levers.get(path).send().await.expect(200).body;
    assert_eq!(shown["spans"][0]["name"], "GET /api/health");
    assert!(shown["spans"][0]["tookUs"].is_u64() && shown["spans"][0]["begunUs"].is_u64());
    levers.get("/_local/traces/none").send().await.expect(404);
}
