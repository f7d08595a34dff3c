//! The APIs, and their lies.

use bitcoin::{Network, OutPoint, Txid, consensus::encode::serialize_hex, hashes::Hash};
use bitcoin_model::{
    esplora,
    face::{Answer, Lie, Request},
    node::Node,
    ord,
    policy::Policy,
};
use serde_json::{Value, json};

use crate::town::{Town, output_of, pay, person};

fn ask(node: &Node, path: &str, lies: &[Lie]) -> Answer {
    let view = esplora::View { network: Network::Regtest, chain: node.chain(), lies };
    esplora::answer(&view, &Request::get(path))
}

fn value(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text_of_body());
    serde_json::from_slice(&answer.body).unwrap()
}

#[test]
fn replicas_differ_in_height_fork_and_mempool() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let sent = town.sent(pay(&coins[..1], &[1], 1_000));
    let txid = sent.compute_txid();
    let mut behind = town.node.clone();
    let mut other = Node::new(&town.tree, Policy::core_30());
    other.follow(&town.tree, town.tree.best(), town.time);
    town.mine(1);
    let status = format!("/tx/{txid}/status");
    assert_eq!(value(&ask(&town.node, &status, &[]))["confirmed"], true);
    assert_eq!(value(&ask(&behind, &status, &[])), json!({ "confirmed": false }));
    assert_eq!(ask(&behind, &format!("/tx/{txid}"), &[]).status, 200);
    assert_eq!(ask(&other, &format!("/tx/{txid}"), &[]).status, 404);
    behind.follow(&town.tree, town.tree.best(), town.time);
    let proof = format!("/tx/{txid}/merkle-proof");
    assert_eq!(ask(&behind, &proof, &[]), ask(&town.node, &proof, &[]));
    let spender = value(&ask(&behind, &format!("/tx/{}/outspend/0", coins[0].0.txid), &[]));
    assert_eq!((&spender["spent"], &spender["txid"]), (&json!(true), &json!(txid)));
    let unknown = format!("/tx/{}/outspend/0", Txid::all_zeros());
    assert_eq!(value(&ask(&behind, &unknown, &[])), json!({ "spent": false }));
}

#[test]
fn esplora_lies_as_it_is_told() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let sent = town.sent(pay(&coins[..1], &[1], 1_000));
    town.mine(1);
    let (txid, spent) = (sent.compute_txid(), coins[0].0);
    let at = |rest: &str| format!("/tx/{txid}{rest}");
    let unknown = [Lie::Unknown(txid)];
    assert_eq!(ask(&town.node, &at(""), &unknown).status, 404);
    let utxos = format!("/address/{}/utxo", person(1).address());
    assert_eq!(value(&ask(&town.node, &utxos, &unknown)), json!([]));
    assert_eq!(value(&ask(&town.node, &utxos, &[])).as_array().unwrap().len(), 1);
    let unconfirmed = [Lie::Unconfirmed(txid)];
    assert_eq!(value(&ask(&town.node, &at("/status"), &unconfirmed))["confirmed"], false);
    assert_eq!(ask(&town.node, &at("/merkle-proof"), &unconfirmed).status, 404);
    let spender = format!("/tx/{}/outspend/{}", spent.txid, spent.vout);
    let honest = value(&ask(&town.node, &spender, &[]));
    assert_eq!(honest["txid"], json!(txid));
    let told = value(&ask(&town.node, &spender, &[Lie::Unspent(spent)]));
    assert_eq!(told, json!({ "spent": false }));
    let other = Txid::from_byte_array([7; 32]);
    let told = value(&ask(&town.node, &spender, &[Lie::Spent(spent, other)]));
    assert_eq!(told["txid"], json!(other));
    assert_eq!(ask(&town.node, "/blocks/tip/height", &[Lie::Height(7)]).text_of_body(), "7");

    let estimates = [(1, 10_000), (6, 2_500), (144, 101)].into();
    let fees = esplora::fee_estimates(&estimates, &[]);
    assert_eq!(value(&fees), json!({ "1": 10.0, "6": 2.5, "144": 0.101 }));
    let none = esplora::fee_estimates(&estimates, &[Lie::NoEstimates]);
    assert_eq!(value(&none), json!({}));
}

#[test]
fn a_broadcast_is_judged_and_left_to_the_caller() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let good = pay(&coins[..1], &[1], 1_000);
    let hex = serialize_hex(&good);
    let (answer, transaction) = esplora::broadcast(&town.node, hex.as_bytes());
    assert_eq!((answer.status, &*answer.text_of_body()), (200, &*good.compute_txid().to_string()));
    assert_eq!(transaction, Some(good.clone()));
    assert!(town.node.mempool().is_empty());
    town.sent(good);
    let (answer, transaction) = esplora::broadcast(&town.node, hex.as_bytes());
    assert_eq!((answer.status, transaction), (200, None));
    town.mine(1);
    let (answer, _) = esplora::broadcast(&town.node, hex.as_bytes());
    let text = r#"sendrawtransaction RPC error: {"code":-27,"message":"Transaction outputs already in utxo set"}"#;
    assert_eq!((answer.status, &*answer.text_of_body()), (400, text));
    let cheap = pay(&coins[1..2], &[1], 1);
    let (answer, _) = esplora::broadcast(&town.node, serialize_hex(&cheap).as_bytes());
    assert!(
        answer.text_of_body().contains("\"code\":-26,\"message\":\"min relay fee not met, 1 <")
    );
}

#[test]
fn ord_lags_and_lies_as_it_is_told() {
    let mut town = Town::new(Policy::core_30());
    let lagging = town.index.clone();
    let sent = town.sent(pay(&town.coins()[..1], &[1], 1_000));
    let outpoint: OutPoint = output_of(&sent, 0).0;
    let path = format!("/output/{outpoint}");
    let ask = |index, lies: &[Lie]| {
        ord::answer(&ord::View { index, node: &town.node, lies }, &Request::get(&path))
    };
    // Unconfirmed: known, but not read.
    let told = value(&ask(&town.index, &[]));
    assert_eq!((&told["indexed"], &told["spent"]), (&json!(false), &json!(false)));
    town.mine(1);
    let ask = |index, lies: &[Lie]| {
        ord::answer(&ord::View { index, node: &town.node, lies }, &Request::get(&path))
    };
    assert_eq!(value(&ask(&town.index, &[]))["indexed"], true);
    assert_eq!(value(&ask(&lagging, &[]))["indexed"], false);
    assert_eq!(value(&ask(&town.index, &[Lie::Unindexed(outpoint)]))["indexed"], false);
    assert_eq!(ask(&town.index, &[Lie::Fails(outpoint)]).status, 500);
    let view = ord::View { index: &lagging, node: &town.node, lies: &[] };
    assert_eq!(ord::answer(&view, &Request::get("/blockheight")).text_of_body(), "110");
    let batch = json!([outpoint, OutPoint { txid: outpoint.txid, vout: 9 }]).to_string();
    let answer = ord::answer(&view, &Request::post("/outputs", batch.as_bytes()));
    assert_eq!(answer.status, 404);
    for path in ["/rune/1:1", "/rune/AAAAAAAAAAAAAA", "/rune/0"] {
        assert_eq!(ord::answer(&view, &Request::get(path)).status, 404, "{path}");
    }
    let long = format!("/rune/{}", "A".repeat(200));
    assert_eq!(ord::answer(&view, &Request::get(&long)).status, 400);
}
