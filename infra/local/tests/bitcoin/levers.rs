//! The levers through HTTP: their answers and their refusals.

use std::sync::Arc;

use local::{Client, LocalStack, levers, server::Server};
use serde_json::{Value, json};

use crate::address;

async fn pull(client: &Client, lever: &str, body: &Value, status: u16) -> Value {
    let path = format!("/_local/bitcoin/{lever}");
    client.post(path).json(body).send().await.expect(status).body
}

#[tokio::test]
async fn each_lever_works_as_listed() {
    let stack = Arc::new(LocalStack::builder().bitcoin().build().await);
    let server = Server::start(levers::router(stack.clone())).await.unwrap();
    let client = Client::new(server.url());
    let list = client.get("/_local").send().await.expect(200).body;
    assert!(list["POST /_local/bitcoin/fund"]["does"].is_string());
    assert!(list["POST /_local/ord"].is_null());
    client.post("/_local/ord").json(&json!({})).send().await.expect(404);

    let state = client.get("/_local/bitcoin").send().await.expect(200).body;
    assert_eq!((&state["state"], &state["height"]), (&json!("ready"), &json!(110)));
    assert_eq!(state["esplora"], stack.settings()["ESPLORA_URL"]);
    assert_eq!(state["ord"], stack.settings()["ORD_URL"]);

    let to = address(1).to_string();
    let mined = pull(&client, "mine", &json!({ "blocks": 2 }), 200).await;
    assert_eq!(mined, json!({ "height": 112 }));
    let etch = json!({ "name": "RUNEPORT•LOCAL•RUNE", "supply": "1000", "divisibility": 0 });
    let rune = pull(&client, "etch", &etch, 200).await["runeId"].as_str().unwrap().to_owned();
    assert_eq!(rune.split(':').next(), Some("119"));
    let fund = json!({ "address": to, "sats": 600, "runeId": rune, "amount": 40 });
    let outpoint = pull(&client, "fund", &fund, 200).await["outpoint"].as_str().unwrap().to_owned();
    let inscribe = json!({ "to": to, "contentType": "text/plain", "body": "hello" });
    let made = pull(&client, "inscribe", &inscribe, 200).await;
    assert!(made["inscriptionId"].as_str().unwrap().ends_with("i0"));
    let runes = stack.bitcoin().runes_in(outpoint.parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(runes.values().copied().collect::<Vec<_>>(), [40]);
    let txid = outpoint.split(':').next().unwrap();
    let reorg = pull(&client, "reorg", &json!({ "depth": 1, "drop": [txid] }), 200).await;
    assert_eq!(reorg, json!({ "height": 121 }));
    let fees = pull(&client, "fees", &json!({ "2": 3.5 }), 200).await;
    assert_eq!(fees, json!({ "2": 3.5 }));

    let esplora = Client::new(stack.bitcoin().esplora_url());
    let mood = json!({ "source": "esplora", "status": 500 });
    pull(&client, "mood", &mood, 200).await;
    esplora.get("/blocks/tip/height").send().await.expect(500);
    pull(&client, "mood", &json!({ "source": "esplora", "down": true }), 200).await;
    assert!(esplora.get("/blocks/tip/height").try_send().await.is_err());
    pull(&client, "mood", &json!({ "source": "esplora" }), 200).await;
    esplora.get("/blocks/tip/height").send().await.expect(200);
    let servers = json!([{ "behind": 2 }, "tip"]);
    assert_eq!(pull(&client, "replicas", &servers, 200).await, servers);
    for height in ["119", "121"] {
        let told = esplora.get("/blocks/tip/height").send().await.expect(200);
        assert_eq!(told.text, height);
    }
    pull(&client, "replicas", &json!([]), 200).await;
}

#[tokio::test]
async fn invalid_input_is_refused_in_one_sentence() {
    let stack = Arc::new(LocalStack::builder().bitcoin().build().await);
    let server = Server::start(levers::router(stack.clone())).await.unwrap();
    let client = Client::new(server.url());
    let to = address(1).to_string();
    let mainnet = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    let name = "RUNEPORT•LOCAL•RUNE";
    let most = u64::MAX;
    for (lever, body) in [
        ("mine", json!({ "blocks": 0 })),
        ("mine", json!({ "blocks": 20_001 })),
        ("mine", json!({ "blocks": -1 })),
        ("mine", json!({})),
        ("fund", json!({ "address": mainnet, "sats": 1_000 })),
        ("fund", json!({ "address": "x", "sats": 1_000 })),
        ("fund", json!({ "address": to, "sats": 0 })),
        ("fund", json!({ "address": to, "sats": 329 })),
        ("fund", json!({ "address": to, "sats": most })),
        ("fund", json!({ "address": to, "sats": 2_000_000_000_000_000_u64 })),
        ("fund", json!({ "address": to, "sats": 1.5 })),
        ("fund", json!({ "address": to, "sats": 1_000, "runeId": "1:0" })),
        ("fund", json!({ "address": to, "sats": 1_000, "amount": 5 })),
        ("fund", json!({ "address": to, "sats": 1_000, "runeId": "x", "amount": 5 })),
        ("fund", json!({ "address": to, "sats": 1_000, "runeId": "9:9", "amount": 5 })),
        ("fund", json!({ "address": to, "sats": 1_000, "runeId": "9:9", "amount": "1e3" })),
        ("fund", json!({ "address": to, "sats": 1_000, "runeId": "9:9", "amount": "-1" })),
        ("fund", json!({ "address": to, "sats": 1_000, "runeId": "9:9", "amount": 0 })),
        ("fund", json!({ "address": to, "sats": 1_000, "other": 1 })),
        ("etch", json!({ "name": "SHORT", "supply": 1, "divisibility": 0 })),
        ("etch", json!({ "name": name, "supply": 0, "divisibility": 0 })),
        ("etch", json!({ "name": name, "supply": "", "divisibility": 0 })),
        ("etch", json!({ "name": name, "supply": "9".repeat(50), "divisibility": 0 })),
        ("etch", json!({ "name": name, "supply": 1, "divisibility": 39 })),
        ("etch", json!({ "name": name, "supply": 1, "divisibility": 0, "to": mainnet })),
        ("inscribe", json!({ "to": to, "contentType": "", "body": "x" })),
        ("inscribe", json!({ "to": to, "contentType": "text/plain", "body": "x".repeat(380_001) })),
        ("inscribe", json!({ "to": "x", "contentType": "text/plain", "body": "x" })),
        ("reorg", json!({ "depth": 0 })),
        ("reorg", json!({ "depth": 21 })),
        ("reorg", json!({ "depth": 1, "drop": ["x"] })),
        ("reorg", json!({ "depth": 1, "drop": ["00".repeat(32)] })),
        ("fees", json!({})),
        ("fees", json!({ "0": 1.0 })),
        ("fees", json!({ "x": 1.0 })),
        ("replicas", json!(["nowhere"])),
        ("mood", json!({ "source": "nobody" })),
        ("mood", json!({ "source": "esplora", "lags": true })),
        ("mood", json!({ "source": "ord", "status": 99 })),
    ] {
        let refused = pull(&client, lever, &body, 400).await;
        let sentence = refused["error"].as_str().unwrap();
        assert!(!sentence.is_empty() && !sentence.contains('\n'), "{lever} {body}: {sentence}");
    }
    assert_eq!(stack.bitcoin().height().await.unwrap(), 110, "a refused lever did something");
}

#[tokio::test]
async fn a_world_without_a_node_lists_other_levers() {
    let stack = Arc::new(LocalStack::start().await);
    assert_eq!(stack.settings()["ESPLORA_URL"], "http://127.0.0.1:1");
    let server = Server::start(levers::router(stack)).await.unwrap();
    let client = Client::new(server.url());
    client.get("/_local/bitcoin").send().await.expect(404);
    pull(&client, "mine", &json!({ "blocks": 1 }), 404).await;
    let list = client.get("/_local").send().await.expect(200).body;
    assert!(list["POST /_local/ord"].is_array());
}
