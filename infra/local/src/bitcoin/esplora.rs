//! Esplora's API over the node: the calls that the service makes, answered as blockstream.info does
//! (<https://github.com/Blockstream/esplora/blob/master/API.md>).

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bitcoin::{
    Address, BlockHash, OutPoint, ScriptBuf, Transaction, TxIn, TxMerkleNode, TxOut, Txid,
    address::NetworkUnchecked,
    consensus::encode::{serialize, serialize_hex},
    hashes::Hash as _,
    opcodes::all::OP_RETURN,
};
use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    chain::Chain,
    forwarder::not_there,
    rpc::RpcError,
    state::{Replica, Shared},
};
use crate::base::{failure::Failure, names::NETWORK};

type Face = State<Arc<Shared>>;

/// An answer other than JSON with status 200.
struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self.0 {
            StatusCode::SERVICE_UNAVAILABLE => not_there(),
            status => (status, self.1).into_response(),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, failure.to_string())
    }
}

type Answer<T> = Result<T, Refusal>;

/// The routes of the API.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/address/{address}/utxo", get(unspent))
        .route("/tx/{txid}", get(transaction))
        .route("/tx/{txid}/status", get(transaction_status))
        .route("/tx/{txid}/merkle-proof", get(merkle_proof))
        .route("/tx/{txid}/outspends", get(outspends))
        .route("/tx/{txid}/outspend/{vout}", get(outspend))
        .route("/tx/{txid}/hex", get(transaction_hex))
        .route("/tx", post(broadcast))
        .route("/fee-estimates", get(fee_estimates))
        .route("/blocks/tip/height", get(tip_height))
        .route("/blocks/tip/hash", get(tip_hash))
        .route("/block-height/{height}", get(block_at))
        .route("/blocks", get(newest_blocks))
        .route("/blocks/{start}", get(blocks))
        .route("/block/{hash}", get(block))
        .route("/block/{hash}/txids", get(block_txids))
        .with_state(shared)
}

/// Runs `view` on the chain as the server whose turn it is sees it.
async fn on_chain<T>(shared: &Shared, view: impl FnOnce(&Chain) -> Answer<T>) -> Answer<T> {
    let running = shared.running().ok_or_else(absent)?;
    let chain = running.index.read().await?;
    match shared.next_replica() {
        Replica::Tip => view(&chain),
        Replica::Behind(blocks) => view(&chain.clone().behind(blocks)),
        Replica::Fork(blocks) => view(&chain.clone().forked(blocks)),
    }
}

fn absent() -> Refusal {
    Refusal(StatusCode::SERVICE_UNAVAILABLE, String::new())
}

fn not_found(text: &str) -> Refusal {
    Refusal(StatusCode::NOT_FOUND, text.to_owned())
}

fn bad(text: &str) -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, text.to_owned())
}

fn parse_txid(text: &str) -> Answer<Txid> {
    text.parse().map_err(|_| bad("Invalid hex string"))
}

#[derive(Serialize)]
struct Status {
    confirmed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_hash: Option<BlockHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_time: Option<u32>,
}

fn status(chain: &Chain, txid: &Txid) -> Status {
    let block = chain.block_of(txid);
    Status {
        confirmed: block.is_some(),
        block_height: block.map(|(height, _)| height),
        block_hash: block.map(|(_, link)| link.hash),
        block_time: block.map(|(_, link)| link.time),
    }
}

async fn unspent(State(shared): Face, Path(address): Path<String>) -> Answer<Json<Value>> {
    let address: Address<NetworkUnchecked> =
        address.parse().map_err(|_| bad("Invalid Bitcoin address"))?;
    let address =
        address.require_network(NETWORK).map_err(|_| bad("Address on invalid network"))?;
    on_chain(&shared, |chain| {
        let coins = chain.unspent(&address.script_pubkey());
        let json = coins.iter().map(|coin| {
            json!({
                "txid": coin.outpoint.txid,
                "vout": coin.outpoint.vout,
                "status": status(chain, &coin.outpoint.txid),
                "value": coin.output.value.to_sat(),
            })
        });
        Ok(Json(json.collect()))
    })
    .await
}

async fn transaction(State(shared): Face, Path(txid): Path<String>) -> Answer<Json<Value>> {
    let txid = parse_txid(&txid)?;
    on_chain(&shared, |chain| {
        let transaction = find(chain, &txid)?;
        Ok(Json(transaction_json(chain, &txid, transaction)))
    })
    .await
}

fn find<'a>(chain: &'a Chain, txid: &Txid) -> Answer<&'a Transaction> {
    chain.transaction(txid).ok_or_else(|| not_found("Transaction not found"))
}

fn transaction_json(chain: &Chain, txid: &Txid, transaction: &Transaction) -> Value {
    let inputs: Vec<Value> =
        transaction.input.iter().map(|input| input_json(chain, input)).collect();
    let outputs: Vec<Value> = transaction.output.iter().map(output_json).collect();
    let value = |output: &TxOut| output.value.to_sat();
    let paid: u64 = transaction.output.iter().map(value).fold(0, u64::saturating_add);
    let spent = transaction.input.iter().filter_map(|input| chain.output(&input.previous_output));
    let spent: u64 = spent.map(value).fold(0, u64::saturating_add);
    let fee = if transaction.is_coinbase() { 0 } else { spent.saturating_sub(paid) };
    let sigops = transaction.total_sigop_cost(|outpoint| chain.output(outpoint).cloned());
    json!({
        "txid": txid,
        "version": transaction.version.0,
        "locktime": transaction.lock_time.to_consensus_u32(),
        "vin": inputs,
        "vout": outputs,
        "size": serialize(transaction).len(),
        "weight": transaction.weight().to_wu(),
        "sigops": sigops,
        "fee": fee,
        "status": status(chain, txid),
    })
}

fn input_json(chain: &Chain, input: &TxIn) -> Value {
    let is_coinbase = input.previous_output.is_null();
    let prevout = chain.output(&input.previous_output);
    let mut json = json!({
        "txid": input.previous_output.txid,
        "vout": input.previous_output.vout,
        "prevout": prevout.map(output_json),
        "scriptsig": hex::encode(input.script_sig.as_bytes()),
        "scriptsig_asm": input.script_sig.to_asm_string(),
        "is_coinbase": is_coinbase,
        "sequence": input.sequence.0,
    });
    let witness: Vec<String> = input.witness.iter().map(hex::encode).collect();
    let redeem = prevout
        .filter(|output| output.script_pubkey.is_p2sh())
        .and_then(|_| input.script_sig.redeem_script())
        .map(|script| script.to_asm_string());
    let wrapped =
        |output: &&TxOut| output.script_pubkey.is_p2wsh() || output.script_pubkey.is_p2sh();
    let witness_script = prevout
        .filter(wrapped)
        .and_then(|_| input.witness.last())
        .map(|script| ScriptBuf::from_bytes(script.to_vec()).to_asm_string());
    if let Some(fields) = json.as_object_mut() {
        if !witness.is_empty() {
            fields.insert("witness".to_owned(), json!(witness));
        }
        if let Some(asm) = redeem {
            fields.insert("inner_redeemscript_asm".to_owned(), asm.into());
        }
        if let Some(asm) = witness_script {
            fields.insert("inner_witnessscript_asm".to_owned(), asm.into());
        }
    }
    json
}

fn output_json(output: &TxOut) -> Value {
    let script = &output.script_pubkey;
    let mut json = json!({
        "scriptpubkey": hex::encode(script.as_bytes()),
        "scriptpubkey_asm": script.to_asm_string(),
        "scriptpubkey_type": script_type(script),
        "value": output.value.to_sat(),
    });
    if let (Some(fields), Ok(address)) =
        (json.as_object_mut(), Address::from_script(script, NETWORK))
    {
        fields.insert("scriptpubkey_address".to_owned(), address.to_string().into());
    }
    json
}

/// Script types as electrs names them (`src/rest.rs`).
fn script_type(script: &ScriptBuf) -> &'static str {
    let opcode = script.as_bytes().first();
    match script {
        script if script.is_empty() => "empty",
        _ if opcode == Some(&OP_RETURN.to_u8()) => "op_return",
        script if script.is_p2pk() => "p2pk",
        script if script.is_p2pkh() => "p2pkh",
        script if script.is_p2sh() => "p2sh",
        script if script.is_p2wpkh() => "v0_p2wpkh",
        script if script.is_p2wsh() => "v0_p2wsh",
        script if script.is_p2tr() => "v1_p2tr",
        _ => "unknown",
    }
}

/// As in Esplora: an unknown transaction is reported as unconfirmed.
async fn transaction_status(State(shared): Face, Path(txid): Path<String>) -> Answer<Json<Status>> {
    let txid = parse_txid(&txid)?;
    on_chain(&shared, |chain| Ok(Json(status(chain, &txid)))).await
}

/// As in Electrum's `blockchain.transaction.get_merkle`.
async fn merkle_proof(State(shared): Face, Path(txid): Path<String>) -> Answer<Json<Value>> {
    let txid = parse_txid(&txid)?;
    on_chain(&shared, |chain| {
        let proof = chain.block_of(&txid).and_then(|(height, link)| {
            let (place, branch) = link.merkle_branch(&txid)?;
            Some(json!({ "block_height": height, "merkle": branch, "pos": place }))
        });
        proof.map(Json).ok_or_else(|| not_found("Transaction not found or is unconfirmed"))
    })
    .await
}

async fn outspends(State(shared): Face, Path(txid): Path<String>) -> Answer<Json<Value>> {
    let txid = parse_txid(&txid)?;
    on_chain(&shared, |chain| {
        let outputs = &find(chain, &txid)?.output;
        let spent = (0..).zip(outputs).map(|(vout, _)| spender(chain, &OutPoint { txid, vout }));
        Ok(Json(spent.collect()))
    })
    .await
}

/// As in Esplora: an unknown output is reported as unspent.
async fn outspend(
    State(shared): Face,
    Path((txid, vout)): Path<(String, u32)>,
) -> Answer<Json<Value>> {
    let txid = parse_txid(&txid)?;
    on_chain(&shared, |chain| Ok(Json(spender(chain, &OutPoint { txid, vout })))).await
}

fn spender(chain: &Chain, output: &OutPoint) -> Value {
    match chain.spender(output) {
        None => json!({ "spent": false }),
        Some((by, vin)) => {
            json!({ "spent": true, "txid": by, "vin": vin, "status": status(chain, &by) })
        }
    }
}

async fn transaction_hex(State(shared): Face, Path(txid): Path<String>) -> Answer<String> {
    let txid = parse_txid(&txid)?;
    on_chain(&shared, |chain| Ok(serialize_hex(find(chain, &txid)?))).await
}

async fn broadcast(State(shared): Face, hex: String) -> Answer<String> {
    let running = shared.running().ok_or_else(absent)?;
    match running.node.rpc().call("sendrawtransaction", json!([hex.trim()])).await {
        Ok(Value::String(txid)) => Ok(txid),
        Ok(_) => Err(Failure::new("sendrawtransaction returned no transaction id").into()),
        Err(RpcError::Failed(failure)) => Err(failure.into()),
        Err(error) => Err(bad(&error.to_string())),
    }
}

async fn fee_estimates(State(shared): Face) -> Answer<Json<BTreeMap<u16, f64>>> {
    shared.running().ok_or_else(absent)?;
    Ok(Json(shared.fees()))
}

async fn tip_height(State(shared): Face) -> Answer<String> {
    on_chain(&shared, |chain| {
        let (height, _) = chain.tip().ok_or_else(|| not_found("Block not found"))?;
        Ok(height.to_string())
    })
    .await
}

async fn tip_hash(State(shared): Face) -> Answer<String> {
    on_chain(&shared, |chain| {
        let (_, link) = chain.tip().ok_or_else(|| not_found("Block not found"))?;
        Ok(link.hash.to_string())
    })
    .await
}

async fn block_at(State(shared): Face, Path(height): Path<String>) -> Answer<String> {
    let height: u32 = height.parse().map_err(|_| bad("Invalid number"))?;
    on_chain(&shared, |chain| {
        let link = chain.link(height).ok_or_else(|| not_found("Block not found"))?;
        Ok(link.hash.to_string())
    })
    .await
}

/// Number of blocks in one list, as in Esplora.
const LISTED: u32 = 10;

fn block_json(chain: &Chain, height: u32) -> Option<Value> {
    let link = chain.link(height)?;
    let previous = (height > 0).then_some(link.previous);
    Some(json!({
        "id": link.hash,
        "height": height,
        "timestamp": link.time,
        "tx_count": link.txids.len(),
        "merkle_root": link.merkle_root().unwrap_or_else(TxMerkleNode::all_zeros),
        "previousblockhash": previous,
    }))
}

async fn newest_blocks(State(shared): Face) -> Answer<Json<Value>> {
    on_chain(&shared, |chain| list_blocks(chain, chain.tip().map(|(height, _)| height))).await
}

async fn blocks(State(shared): Face, Path(start): Path<String>) -> Answer<Json<Value>> {
    let start: u32 = start.parse().map_err(|_| bad("Invalid number"))?;
    on_chain(&shared, |chain| list_blocks(chain, Some(start))).await
}

fn list_blocks(chain: &Chain, start: Option<u32>) -> Answer<Json<Value>> {
    let start = start.filter(|start| chain.link(*start).is_some());
    let start = start.ok_or_else(|| not_found("Block not found"))?;
    let heights = (0..LISTED).map_while(|below| start.checked_sub(below));
    Ok(Json(heights.filter_map(|height| block_json(chain, height)).collect()))
}

/// The height of a block in this server's chain; a forked server has other blocks.
fn height_of(chain: &Chain, hash: &str) -> Answer<u32> {
    let hash: BlockHash = hash.parse().map_err(|_| bad("Invalid hex string"))?;
    chain.height_of(&hash).ok_or_else(|| not_found("Block not found"))
}

async fn block(State(shared): Face, Path(hash): Path<String>) -> Answer<Json<Value>> {
    on_chain(&shared, |chain| {
        let block = block_json(chain, height_of(chain, &hash)?);
        block.map(Json).ok_or_else(|| not_found("Block not found"))
    })
    .await
}

async fn block_txids(State(shared): Face, Path(hash): Path<String>) -> Answer<Json<Vec<Txid>>> {
    on_chain(&shared, |chain| {
        let link = chain.link(height_of(chain, &hash)?);
        link.map(|link| Json(link.txids.clone())).ok_or_else(|| not_found("Block not found"))
    })
    .await
}
