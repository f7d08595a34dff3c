//! The Esplora face answers as Esplora does.

use bitcoin::{
    Txid,
    consensus::encode::serialize_hex,
    hashes::{Hash, sha256d},
};
use local::{BitcoinWorld, Client, bitcoin::Replica};
use serde_json::json;

use crate::{address, wallet::Somebody};

#[tokio::test]
async fn an_address_lists_confirmed_and_unconfirmed_outputs() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let to = address(1);
    let path = format!("/address/{to}/utxo");
    assert_eq!(esplora.get(&path).send().await.expect(200).body, json!([]));

    let coin = world.fund(&to, 12_345).await.unwrap();
    let waiting = json!([{
        "txid": coin.txid, "vout": coin.vout, "status": { "confirmed": false }, "value": 12_345,
    }]);
    assert_eq!(esplora.get(&path).send().await.expect(200).body, waiting);

    let height = world.mine(1).await.unwrap();
    let hash = esplora.get("/blocks/tip/hash").send().await.expect(200).text;
    let listed = esplora.get(&path).send().await.expect(200).body;
    assert_eq!(listed[0]["status"]["confirmed"], true);
    assert_eq!(listed[0]["status"]["block_height"], height);
    assert_eq!(listed[0]["status"]["block_hash"], hash);
    assert!(listed[0]["status"]["block_time"].as_u64().unwrap() > 1_700_000_000);

    let wrong = esplora.get("/address/nonsense/utxo").send().await.expect(400);
    assert_eq!(wrong.text, "Invalid Bitcoin address");
    let mainnet = "/address/bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4/utxo";
    assert_eq!(esplora.get(mainnet).send().await.expect(400).text, "Address on invalid network");
}

#[tokio::test]
async fn an_output_spent_in_the_mempool_is_not_listed() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let somebody = Somebody::new(1);
    let coin = world.fund(&somebody.address(), 50_000).await.unwrap();
    world.mine(1).await.unwrap();
    let spending = somebody.spend(coin, 50_000, 1_000, &address(2));
    let txid = spending.compute_txid();
    let sent = esplora.post("/tx").body(serialize_hex(&spending)).send().await.expect(200);
    assert_eq!(sent.text, txid.to_string());
    // As in Core: a transaction that is already in the mempool is not an error.
    esplora.post("/tx").body(serialize_hex(&spending)).send().await.expect(200);

    let from = format!("/address/{}/utxo", somebody.address());
    assert_eq!(esplora.get(&from).send().await.expect(200).body, json!([]));
    let to = format!("/address/{}/utxo", address(2));
    assert_eq!(esplora.get(&to).send().await.expect(200).body[0]["value"], 49_000);
    let outspends = format!("/tx/{}/outspends", coin.txid);
    let spent = esplora.get(&outspends).send().await.expect(200).body;
    let vout = usize::try_from(coin.vout).unwrap();
    let expected =
        json!({ "spent": true, "txid": txid, "vin": 0, "status": { "confirmed": false } });
    assert_eq!(spent[vout], expected);
    assert!(spent.as_array().unwrap().iter().any(|output| *output == json!({ "spent": false })));

    world.mine(1).await.unwrap();
    let spent = esplora.get(&outspends).send().await.expect(200).body;
    assert_eq!(spent[vout]["status"]["confirmed"], true);
    assert_eq!(world.confirmations(txid).await.unwrap(), Some(1));
    // Its output is still unspent, so Core reports that it is already in the chain.
    let again = esplora.post("/tx").body(serialize_hex(&spending)).send().await.expect(400);
    assert!(again.text.contains("\"code\":-27"), "{again}");
}

#[tokio::test]
async fn a_transaction_has_esploras_format() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let somebody = Somebody::new(2);
    let coin = world.fund(&somebody.address(), 30_000).await.unwrap();
    let spending = somebody.spend(coin, 30_000, 777, &address(3));
    let txid = world.send_raw(&spending).await.unwrap();

    let told = esplora.get(format!("/tx/{txid}")).send().await.expect(200).body;
    let witness: Vec<String> = spending.input[0].witness.iter().map(hex::encode).collect();
    let script = somebody.address().script_pubkey();
    let paid = address(3).script_pubkey();
    let expected = json!({
        "txid": txid,
        "version": 2,
        "locktime": 0,
        "vin": [{
            "txid": coin.txid,
            "vout": coin.vout,
            "prevout": {
                "scriptpubkey": script.to_hex_string(),
                "scriptpubkey_asm": format!("OP_0 OP_PUSHBYTES_20 {}", &script.to_hex_string()[4..]),
                "scriptpubkey_type": "v0_p2wpkh",
                "scriptpubkey_address": somebody.address().to_string(),
                "value": 30_000,
            },
            "scriptsig": "",
            "scriptsig_asm": "",
            "witness": witness,
            "is_coinbase": false,
            "sequence": 0xffff_fffd_u32,
        }],
        "vout": [{
            "scriptpubkey": paid.to_hex_string(),
            "scriptpubkey_asm": format!("OP_PUSHNUM_1 OP_PUSHBYTES_32 {}", &paid.to_hex_string()[4..]),
            "scriptpubkey_type": "v1_p2tr",
            "scriptpubkey_address": address(3).to_string(),
            "value": 29_223,
        }],
        "size": spending.total_size(),
        "weight": spending.weight().to_wu(),
        "sigops": 1,
        "fee": 777,
        "status": { "confirmed": false },
    });
    assert_eq!(told, expected);
    let hex = esplora.get(format!("/tx/{txid}/hex")).send().await.expect(200);
    assert_eq!(hex.text, serialize_hex(&spending));
    let status = esplora.get(format!("/tx/{txid}/status")).send().await.expect(200);
    assert_eq!(status.body, json!({ "confirmed": false }));

    let unknown = "00".repeat(32);
    for path in ["", "/outspends", "/hex"] {
        let answer = esplora.get(format!("/tx/{unknown}{path}")).send().await.expect(404);
        assert_eq!(answer.text, "Transaction not found");
    }
    let status = esplora.get(format!("/tx/{unknown}/status")).send().await.expect(200);
    assert_eq!(status.body, json!({ "confirmed": false }));
    esplora.get("/tx/nonsense").send().await.expect(400);
}

#[tokio::test]
async fn a_coinbase_transaction_has_no_prevout() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let block = world.rpc("getbestblockhash", json!([])).await.unwrap();
    let block = world.rpc("getblock", json!([block, 1])).await.unwrap();
    let txid = block["tx"][0].as_str().unwrap();
    let told = esplora.get(format!("/tx/{txid}")).send().await.expect(200).body;
    assert_eq!((&told["vin"][0]["is_coinbase"], &told["fee"]), (&json!(true), &json!(0)));
    assert!(told["vin"][0]["prevout"].is_null());
    let commitment = told["vout"].as_array().unwrap().last().unwrap();
    assert_eq!(commitment["scriptpubkey_type"], "op_return");
    assert!(commitment.get("scriptpubkey_address").is_none());
}

#[tokio::test]
async fn a_merkle_proof_leads_to_the_root_in_the_header() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let proof = |txid: &str| esplora.get(format!("/tx/{txid}/merkle-proof")).send();
    // Alone in its block; with an odd number of nodes on one level, on two, and on none.
    for count in [1, 3, 5, 8] {
        for _transaction in 1..count {
            world.fund(&address(6), 10_000).await.unwrap();
        }
        let height = world.mine(1).await.unwrap();
        let block = world.rpc("getbestblockhash", json!([])).await.unwrap();
        let block = world.rpc("getblock", json!([block, 1])).await.unwrap();
        let root: sha256d::Hash = block["merkleroot"].as_str().unwrap().parse().unwrap();
        let txids = block["tx"].as_array().unwrap();
        assert_eq!(txids.len(), count);
        for (place, txid) in txids.iter().enumerate() {
            let told = proof(txid.as_str().unwrap()).await.expect(200).body;
            let merkle: Vec<sha256d::Hash> =
                serde_json::from_value(told["merkle"].clone()).unwrap();
            assert_eq!(told, json!({ "block_height": height, "merkle": merkle, "pos": place }));
            let leaf: sha256d::Hash = txid.as_str().unwrap().parse().unwrap();
            let folded = merkle.iter().enumerate().fold(leaf, |node, (level, sibling)| {
                let is_right = (place >> level) & 1 == 1;
                let (left, right) = if is_right { (sibling, &node) } else { (&node, sibling) };
                sha256d::Hash::hash(&[left.to_byte_array(), right.to_byte_array()].concat())
            });
            assert_eq!(folded, root, "{place} of {count}");
        }
    }

    let waiting = world.fund(&address(6), 10_000).await.unwrap().txid;
    for txid in [waiting, Txid::all_zeros()] {
        let answer = proof(&txid.to_string()).await.expect(404);
        assert_eq!(answer.text, "Transaction not found or is unconfirmed");
    }
    proof("nonsense").await.expect(400);
}

#[tokio::test]
async fn the_nodes_refusals_are_400_in_esploras_words() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let somebody = Somebody::new(3);
    let coin = world.fund(&somebody.address(), 20_000).await.unwrap();
    let refused = |body: String| {
        let call = esplora.post("/tx").body(body).send();
        async { call.await.expect(400).text }
    };

    let high_s = somebody.spend_by_high_s(coin, 20_000, 1_000, &address(4));
    let text = refused(serialize_hex(&high_s)).await;
    assert!(text.starts_with("sendrawtransaction RPC error: {\"code\":-26,"), "{text}");
    assert!(text.contains("Non-canonical signature: S value is unnecessarily high"), "{text}");
    assert!(world.mempool_accepts(&high_s).await.unwrap().unwrap_err().contains("Non-canonical"));

    let cheap = somebody.spend(coin, 20_000, 1, &address(4));
    let text = refused(serialize_hex(&cheap)).await;
    assert!(text.contains("min relay fee not met"), "{text}");

    let good = somebody.spend(coin, 20_000, 1_000, &address(4));
    assert_eq!(world.mempool_accepts(&good).await.unwrap(), Ok(()));
    assert!(refused("00".to_owned()).await.contains("TX decode failed"));
    assert!(refused(String::new()).await.contains("TX decode failed"));
}

#[tokio::test]
async fn heights_hashes_and_fees_are_answered() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let height = world.height().await.unwrap();
    assert_eq!(esplora.get("/blocks/tip/height").send().await.expect(200).text, height.to_string());
    let hash = world.rpc("getbestblockhash", json!([])).await.unwrap();
    let at = esplora.get(format!("/block-height/{height}")).send().await.expect(200);
    assert_eq!(at.text, hash.as_str().unwrap());
    esplora.get(format!("/block-height/{}", height + 1)).send().await.expect(404);
    esplora.get("/block-height/x").send().await.expect(400);

    let fees = esplora.get("/fee-estimates").send().await.expect(200).body;
    assert_eq!(fees, json!({ "1": 10.0, "3": 5.0, "6": 2.0, "144": 1.0 }));
    world.set_fees([(1, 42.5)].into()).unwrap();
    let fees = esplora.get("/fee-estimates").send().await.expect(200).body;
    assert_eq!(fees, json!({ "1": 42.5 }));
    for wrong in [[(0, 1.0)], [(1_009, 1.0)], [(1, -1.0)], [(1, f64::NAN)]] {
        world.set_fees(wrong.into()).unwrap_err();
    }
}

/// The service requests these lists whenever it builds a transaction: once the blocks are known, the node is asked for its
/// newest one, before and after, and for its mempool.
#[tokio::test]
async fn a_list_of_outputs_takes_milliseconds() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let path = format!("/address/{}/utxo", address(5));
    world.fund(&address(5), 1_000).await.unwrap();
    esplora.get(&path).send().await.expect(200);
    for _list in 0..3 {
        let before = world.rpc_calls().unwrap();
        esplora.get(&path).send().await.expect(200);
        assert_eq!(world.rpc_calls().unwrap() - before, 3);
    }
}

#[tokio::test]
async fn blocks_are_listed_in_tens_by_each_server_in_turn() {
    let world = BitcoinWorld::start().await.unwrap();
    let esplora = Client::new(world.esplora_url());
    let paid = world.fund(&address(6), 10_000).await.unwrap().txid;
    let height = world.mine(3).await.unwrap();
    let listed = esplora.get(format!("/blocks/{height}")).send().await.expect(200).body;
    assert_eq!(esplora.get("/blocks").send().await.expect(200).body, listed);
    let listed = listed.as_array().unwrap().clone();
    assert_eq!(listed.len(), 10);
    for (block, below) in listed.iter().zip(listed.iter().skip(1)) {
        assert_eq!(block["previousblockhash"], below["id"]);
        assert_eq!(block["height"].as_u64().unwrap(), below["height"].as_u64().unwrap() + 1);
        let node = world.rpc("getblock", json!([block["id"], 1])).await.unwrap();
        assert_eq!(block["merkle_root"], node["merkleroot"]);
        assert_eq!(block["tx_count"], node["nTx"]);
        let id = block["id"].as_str().unwrap();
        assert_eq!(esplora.get(format!("/block/{id}")).send().await.expect(200).body, *block);
        let txids = esplora.get(format!("/block/{id}/txids")).send().await.expect(200).body;
        assert_eq!(txids, node["tx"]);
        let first = esplora.get(format!("/block/{id}/txid/0")).send().await.expect(200).text;
        assert_eq!(first, node["tx"][0]);
        let beyond = format!("/block/{id}/txid/{}", node["nTx"]);
        assert_eq!(esplora.get(beyond).send().await.expect(404).text, "tx index out of range");
    }
    let first = esplora.get("/blocks/1").send().await.expect(200).body;
    assert_eq!(first.as_array().unwrap().len(), 2);
    assert!(first[1]["previousblockhash"].is_null());
    let none = format!("/block/{}", "00".repeat(32));
    for path in [format!("/blocks/{}", height + 1), format!("{none}/txid/0"), none] {
        assert_eq!(esplora.get(path).send().await.expect(404).text, "Block not found");
    }

    world.set_esplora_replicas([Replica::Tip, Replica::Behind(3), Replica::Fork(2)]);
    let tip = esplora.get("/blocks/tip/height").send().await.expect(200).text;
    let behind = esplora.get("/blocks/tip/height").send().await.expect(200).text;
    let fork = esplora.get("/blocks/tip/hash").send().await.expect(200).text;
    assert_eq!((tip, behind), (height.to_string(), (height - 3).to_string()));
    assert_ne!(json!(fork), listed[0]["id"]);
    world.set_esplora_replicas([Replica::Behind(3)]);
    let status = esplora.get(format!("/tx/{paid}/status")).send().await.expect(200).body;
    assert_eq!(status, json!({ "confirmed": false }));
    esplora.get(format!("/tx/{paid}")).send().await.expect(200);
}
