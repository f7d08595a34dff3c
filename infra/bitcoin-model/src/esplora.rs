//! Esplora's API over one chain: the calls that the service and its checks make, answered as blockstream.info does
//! (<https://github.com/Blockstream/esplora/blob/master/API.md>).

use std::{collections::BTreeMap, fmt::Write};

use bitcoin::{
    Address, BlockHash, Network, OutPoint, ScriptBuf, Transaction, TxIn, TxMerkleNode, TxOut, Txid,
    address::NetworkUnchecked,
    consensus::encode::{serialize, serialize_hex},
    hashes::Hash as _,
    opcodes::all::OP_RETURN,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    chain::Chain,
    face::{Answer, Lie, Request},
    node::{Node, SendError},
};

/// Number of blocks in one list.
const LISTED: u32 = 10;
/// Number of transactions on a page of the history of an address.
const HISTORY_PAGE: usize = 25;

/// What one server knows.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Its network.
    pub network: Network,
    /// Its chain and mempool.
    pub chain: &'a Chain,
    /// Its lies.
    pub lies: &'a [Lie],
}

impl<'a> View<'a> {
    /// A server that is honest.
    pub fn new(network: Network, chain: &'a Chain) -> Self {
        Self { network, chain, lies: &[] }
    }

    fn says(&self, lie: Lie) -> bool {
        self.lies.contains(&lie)
    }

    fn transaction(&self, txid: &Txid) -> Option<&'a Transaction> {
        let is_hidden = self.says(Lie::Unknown(*txid));
        self.chain.transaction(txid).filter(|_| !is_hidden)
    }

    fn status(&self, txid: &Txid) -> Status {
        let is_hidden = self.says(Lie::Unknown(*txid)) || self.says(Lie::Unconfirmed(*txid));
        let block = self.chain.block_of(txid).filter(|_| !is_hidden);
        Status {
            confirmed: block.is_some(),
            block_height: block.map(|(height, _)| height),
            block_hash: block.map(|(_, link)| link.hash),
            block_time: block.map(|(_, link)| link.time),
        }
    }

    fn spender(&self, output: &OutPoint) -> Option<(Txid, u32)> {
        let told = self.lies.iter().find_map(|lie| match lie {
            Lie::Unspent(other) if other == output => Some(None),
            Lie::Spent(other, by) if other == output => Some(Some((*by, 0))),
            _ => None,
        });
        told.unwrap_or_else(|| self.chain.spender(output))
    }

    fn tip_height(&self) -> Option<u32> {
        let told = self.lies.iter().find_map(|lie| match lie {
            Lie::Height(height) => Some(*height),
            _ => None,
        });
        told.or_else(|| self.chain.tip().map(|(height, _)| height))
    }
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

type Found = Result<Answer, Answer>;

fn not_found(text: &str) -> Answer {
    Answer::text(404, text)
}

fn bad(text: &str) -> Answer {
    Answer::text(400, text)
}

fn no_transaction() -> Answer {
    not_found("Transaction not found")
}

fn no_block() -> Answer {
    not_found("Block not found")
}

/// Answers everything except broadcasts ([`broadcast`]) and estimates ([`fee_estimates`]).
pub fn answer(view: &View<'_>, request: &Request<'_>) -> Answer {
    let (parts, _query) = request.split();
    let found = match (request.method, parts.as_slice()) {
        ("GET", ["address", address, "utxo"]) => unspent(view, address),
        ("GET", ["address", address, "txs", "chain"]) => history(view, address, None),
        ("GET", ["address", address, "txs", "chain", last]) => {
            parse_txid(last).and_then(|last| history(view, address, Some(last)))
        }
        ("GET", ["tx", txid, rest @ ..]) => about_transaction(view, txid, rest),
        ("GET", ["blocks", "tip", "height"]) => view
            .tip_height()
            .map(|height| Answer::text(200, height.to_string()))
            .ok_or_else(no_block),
        ("GET", ["blocks", "tip", "hash"]) => hash_at(view, view.chain.height()),
        ("GET", ["block-height", height]) => {
            parse_height(height).and_then(|height| hash_at(view, height))
        }
        ("GET", ["blocks"]) => list_blocks(view, view.chain.height()),
        ("GET", ["blocks", start]) => {
            parse_height(start).and_then(|start| list_blocks(view, start))
        }
        ("GET", ["block", hash]) => height_of(view, hash).and_then(|height| {
            block_json(view, height).map(|block| Answer::json(&block)).ok_or_else(no_block)
        }),
        ("GET", ["block", hash, "txids"]) => height_of(view, hash).and_then(|height| {
            view.chain.link(height).map(|link| Answer::json(&link.txids)).ok_or_else(no_block)
        }),
        ("GET", ["block", hash, "txid", index]) => height_of(view, hash).and_then(|height| {
            let index: usize = index.parse().map_err(|_| bad("Invalid number"))?;
            let link = view.chain.link(height).ok_or_else(no_block)?;
            let txid = link.txids.get(index).ok_or_else(|| not_found("tx index out of range"))?;
            Ok(Answer::text(200, txid.to_string()))
        }),
        ("GET", ["block", hash, "raw"]) => height_of(view, hash).and_then(|height| {
            let block = view.chain.block(height).ok_or_else(no_block)?;
            Ok(Answer::bytes(serialize(&block)))
        }),
        _ => Err(not_found("endpoint does not exist")),
    };
    found.unwrap_or_else(|refusal| refusal)
}

/// The answer to `GET /fee-estimates`: rates in sat per 1,000 virtual bytes, by target in blocks.
pub fn fee_estimates(estimates: &BTreeMap<u16, u64>, lies: &[Lie]) -> Answer {
    let mut body = String::from("{");
    let estimates = estimates.iter().filter(|_| !lies.contains(&Lie::NoEstimates));
    for (place, (target, rate)) in estimates.enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let (whole, thousandths) = (rate / 1_000, rate % 1_000);
        // Writing to a string does not fail.
        let _ = write!(body, "{comma}\"{target}\":{whole}.{thousandths:03}");
    }
    body.push('}');
    Answer { status: 200, content_type: "application/json", body: body.into() }
}

/// The answer to `POST /tx`, and the transaction if the node's mempool would take it up.
pub fn broadcast(node: &Node, body: &[u8]) -> (Answer, Option<Transaction>) {
    match node.decode_and_check(&String::from_utf8_lossy(body)) {
        Ok((transaction, is_new)) => {
            let answer = Answer::text(200, transaction.compute_txid().to_string());
            (answer, is_new.then_some(transaction))
        }
        Err(error) => (refusal(&error), None),
    }
}

/// The answer to a broadcast that the node refuses.
pub fn refusal(error: &SendError) -> Answer {
    let (code, message) = (error.code(), Value::from(error.to_string()));
    bad(&format!("sendrawtransaction RPC error: {{\"code\":{code},\"message\":{message}}}"))
}

fn parse_txid(text: &str) -> Result<Txid, Answer> {
    text.parse().map_err(|_| bad("Invalid hex string"))
}

fn parse_height(text: &str) -> Result<u32, Answer> {
    text.parse().map_err(|_| bad("Invalid number"))
}

fn script_of(view: &View<'_>, address: &str) -> Result<ScriptBuf, Answer> {
    let address: Address<NetworkUnchecked> =
        address.parse().map_err(|_| bad("Invalid Bitcoin address"))?;
    let address =
        address.require_network(view.network).map_err(|_| bad("Address on invalid network"))?;
    Ok(address.script_pubkey())
}

/// A page of the transactions in blocks that pay an address or spend from it, newest first, after the `last` one
/// of the page before. An unknown `last` has nothing after it.
fn history(view: &View<'_>, address: &str, last: Option<Txid>) -> Found {
    let seen = view.chain.history(&script_of(view, address)?);
    let seen = seen.into_iter().filter(|txid| view.status(txid).confirmed);
    let after = match last {
        None => seen.collect::<Vec<_>>(),
        Some(last) => seen.skip_while(|txid| *txid != last).skip(1).collect(),
    };
    let page = after
        .iter()
        .take(HISTORY_PAGE)
        .filter_map(|txid| view.transaction(txid).map(|found| transaction_json(view, txid, found)));
    Ok(Answer::json(&page.collect::<Vec<_>>()))
}

fn unspent(view: &View<'_>, address: &str) -> Found {
    let coins = view.chain.unspent(&script_of(view, address)?);
    let coins = coins.iter().filter(|coin| view.transaction(&coin.outpoint.txid).is_some());
    let json = coins.map(|coin| {
        json!({
            "txid": coin.outpoint.txid,
            "vout": coin.outpoint.vout,
            "status": view.status(&coin.outpoint.txid),
            "value": coin.output.value.to_sat(),
        })
    });
    Ok(Answer::json(&json.collect::<Vec<_>>()))
}

fn about_transaction(view: &View<'_>, txid: &str, rest: &[&str]) -> Found {
    let txid = parse_txid(txid)?;
    let find = || view.transaction(&txid).ok_or_else(no_transaction);
    match rest {
        [] => Ok(Answer::json(&transaction_json(view, &txid, find()?))),
        ["hex"] => Ok(Answer::text(200, serialize_hex(find()?))),
        // An unknown transaction is reported as unconfirmed.
        ["status"] => Ok(Answer::json(&view.status(&txid))),
        ["merkle-proof"] => merkle_proof(view, &txid),
        ["outspends"] => {
            let outputs = (0..).zip(&find()?.output);
            let spent = outputs.map(|(vout, _)| spender_json(view, &OutPoint { txid, vout }));
            Ok(Answer::json(&spent.collect::<Vec<_>>()))
        }
        // An unknown output is reported as unspent.
        ["outspend", vout] => {
            let vout = parse_height(vout)?;
            Ok(Answer::json(&spender_json(view, &OutPoint { txid, vout })))
        }
        _ => Err(not_found("endpoint does not exist")),
    }
}

fn transaction_json(view: &View<'_>, txid: &Txid, transaction: &Transaction) -> Value {
    let chain = view.chain;
    let inputs: Vec<Value> =
        transaction.input.iter().map(|input| input_json(view, input)).collect();
    let outputs: Vec<Value> =
        transaction.output.iter().map(|output| output_json(view.network, output)).collect();
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
        "status": view.status(txid),
    })
}

fn input_json(view: &View<'_>, input: &TxIn) -> Value {
    let is_coinbase = input.previous_output.is_null();
    let prevout = view.chain.output(&input.previous_output);
    let mut json = json!({
        "txid": input.previous_output.txid,
        "vout": input.previous_output.vout,
        "prevout": prevout.map(|output| output_json(view.network, output)),
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

fn output_json(network: Network, output: &TxOut) -> Value {
    let script = &output.script_pubkey;
    let mut json = json!({
        "scriptpubkey": hex::encode(script.as_bytes()),
        "scriptpubkey_asm": script.to_asm_string(),
        "scriptpubkey_type": script_type(script),
        "value": output.value.to_sat(),
    });
    if let (Some(fields), Ok(address)) =
        (json.as_object_mut(), Address::from_script(script, network))
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

/// As in Electrum's `blockchain.transaction.get_merkle`.
fn merkle_proof(view: &View<'_>, txid: &Txid) -> Found {
    let is_hidden = !view.status(txid).confirmed;
    let proof = view.chain.block_of(txid).filter(|_| !is_hidden).and_then(|(height, link)| {
        let (place, branch) = link.merkle_branch(txid)?;
        Some(json!({ "block_height": height, "merkle": branch, "pos": place }))
    });
    proof
        .map(|proof| Answer::json(&proof))
        .ok_or_else(|| not_found("Transaction not found or is unconfirmed"))
}

fn spender_json(view: &View<'_>, output: &OutPoint) -> Value {
    match view.spender(output) {
        None => json!({ "spent": false }),
        Some((by, vin)) => {
            json!({ "spent": true, "txid": by, "vin": vin, "status": view.status(&by) })
        }
    }
}

fn hash_at(view: &View<'_>, height: u32) -> Found {
    let link = view.chain.link(height).ok_or_else(no_block)?;
    Ok(Answer::text(200, link.hash.to_string()))
}

fn block_json(view: &View<'_>, height: u32) -> Option<Value> {
    let link = view.chain.link(height)?;
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

fn list_blocks(view: &View<'_>, start: u32) -> Found {
    view.chain.link(start).ok_or_else(no_block)?;
    let heights = (0..LISTED).map_while(|below| start.checked_sub(below));
    let blocks: Vec<Value> = heights.filter_map(|height| block_json(view, height)).collect();
    Ok(Answer::json(&blocks))
}

/// The height of a block in this server's chain; a forked server has other blocks.
fn height_of(view: &View<'_>, hash: &str) -> Result<u32, Answer> {
    let hash: BlockHash = hash.parse().map_err(|_| bad("Invalid hex string"))?;
    view.chain.height_of(&hash).ok_or_else(no_block)
}
