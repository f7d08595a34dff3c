//! ord's JSON API over one index and its node: the calls that the service and its wallets make, as ord 0.29 answers
//! them (`Accept: application/json`).

use std::collections::BTreeMap;

use bitcoin::{Address, OutPoint, ScriptBuf, TxOut, Txid, address::NetworkUnchecked, hashes::Hash};
use ordinals::{Pile, RuneId, SatPoint, SpacedRune};
use serde::Serialize;

use crate::{
    face::{Answer, Lie, Request},
    index::Index,
    inscriptions::{Inscription, InscriptionId},
    node::Node,
    runes::Entry,
};

/// Longest name of a rune. The parser of the crate `ordinals` shifts by the length of its input.
const LONGEST_NAME: usize = 28;

/// What one server knows.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Its index, which may be behind its node.
    pub index: &'a Index,
    /// Its node, which knows unconfirmed and spent outputs.
    pub node: &'a Node,
    /// Its lies.
    pub lies: &'a [Lie],
}

impl<'a> View<'a> {
    /// A server that is honest.
    pub fn new(index: &'a Index, node: &'a Node) -> Self {
        Self { index, node, lies: &[] }
    }

    fn says(&self, lie: Lie) -> bool {
        self.lies.contains(&lie)
    }

    fn height(&self) -> u32 {
        let told = self.lies.iter().find_map(|lie| match lie {
            Lie::Height(height) => Some(*height),
            _ => None,
        });
        told.unwrap_or_else(|| self.index.height())
    }
}

/// An output.
#[derive(Clone, Debug, Serialize)]
struct Output {
    address: Option<String>,
    confirmations: u32,
    indexed: bool,
    inscriptions: Vec<String>,
    outpoint: OutPoint,
    runes: BTreeMap<SpacedRune, Pile>,
    /// Null without an index of sats.
    sat_ranges: Option<()>,
    script_pubkey: ScriptBuf,
    spent: bool,
    transaction: Txid,
    value: u64,
}

#[derive(Serialize)]
struct InscriptionJson<'a> {
    address: Option<String>,
    content_type: Option<&'a str>,
    fee: u64,
    height: u32,
    id: String,
    number: i64,
    satpoint: SatPoint,
    timestamp: u32,
    value: Option<u64>,
}

#[derive(Serialize)]
struct RuneJson<'a> {
    entry: &'a Entry,
    id: RuneId,
    mintable: bool,
    parent: Option<String>,
}

#[derive(Serialize)]
struct AddressJson {
    outputs: Vec<OutPoint>,
    inscriptions: Vec<String>,
    sat_balance: u64,
    runes_balances: Vec<(SpacedRune, String, Option<char>)>,
}

type Found = Result<Answer, Answer>;

/// Answers a request.
pub fn answer(view: &View<'_>, request: &Request<'_>) -> Answer {
    let (parts, query) = request.split();
    let found = match (request.method, parts.as_slice()) {
        ("GET", ["blockheight"]) => Ok(Answer::text(200, view.height().to_string())),
        ("GET", ["blockhash"]) => block_hash(view, view.index.height()),
        ("GET", ["blockhash", height]) => {
            parse::<u32>(height).and_then(|height| block_hash(view, height))
        }
        ("GET", ["output", outpoint]) => parse(outpoint)
            .and_then(|outpoint| output(view, outpoint))
            .map(|output| Answer::json(&output)),
        ("POST", ["outputs"]) => outputs(view, request.body),
        ("GET", ["outputs", address]) => outputs_of(view, address, query),
        ("GET", ["address", address]) => about_address(view, address),
        ("GET", ["inscription", id]) => parse(id).and_then(|id| inscription(view, id)),
        ("GET", ["rune", rune]) => about_rune(view, rune),
        _ => Err(Answer::text(404, "")),
    };
    found.unwrap_or_else(|refusal| refusal)
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, Answer> {
    text.parse().map_err(|error| Answer::text(400, format!("Invalid URL: {error}")))
}

fn block_hash(view: &View<'_>, height: u32) -> Found {
    let hash = view.index.block_at(height).map(|hash| Answer::text(200, hash.to_string()));
    hash.ok_or_else(|| Answer::text(404, "blockhash not found"))
}

fn output(view: &View<'_>, outpoint: OutPoint) -> Result<Output, Answer> {
    if view.says(Lie::Fails(outpoint)) {
        return Err(Answer::text(500, "Internal Server Error"));
    }
    let chain = view.node.chain();
    let found: Option<&TxOut> = chain.output(&outpoint);
    let found = found.ok_or_else(|| Answer::text(404, format!("output {outpoint} not found")))?;
    let depth = |height: u32| chain.height().saturating_sub(height).saturating_add(1);
    let confirmations = chain.block_of(&outpoint.txid).map_or(0, |(height, _)| depth(height));
    let is_indexed = view.index.inscriptions.output(&outpoint).is_some();
    // The node's set of unspent outputs leaves out unspendable ones.
    let is_gone = chain.spender(&outpoint).is_some()
        || confirmations > 0 && found.script_pubkey.is_op_return();
    let is_silent = view.says(Lie::Plain(outpoint)) || view.says(Lie::Unindexed(outpoint));
    let (mut inscriptions, mut runes) = (Vec::new(), BTreeMap::new());
    if !is_silent {
        let ids = view.index.inscriptions.inscriptions_in(&outpoint);
        inscriptions.extend(ids.iter().map(ToString::to_string));
        runes = piles(view, &outpoint);
    }
    Ok(Output {
        address: address_of(view, &found.script_pubkey),
        confirmations,
        indexed: is_indexed && !view.says(Lie::Unindexed(outpoint)),
        inscriptions,
        outpoint,
        runes,
        sat_ranges: None,
        script_pubkey: found.script_pubkey.clone(),
        spent: is_gone && !view.says(Lie::Held(outpoint)),
        transaction: outpoint.txid,
        value: found.value.to_sat(),
    })
}

fn address_of(view: &View<'_>, script: &ScriptBuf) -> Option<String> {
    let address = Address::from_script(script, view.index.rules().network).ok()?;
    Some(address.to_string())
}

fn piles(view: &View<'_>, outpoint: &OutPoint) -> BTreeMap<SpacedRune, Pile> {
    let runes = &view.index.runes;
    let held = runes.balances(outpoint).into_iter().flatten();
    let piles = held.filter_map(|(id, amount)| {
        let Entry { spaced_rune, divisibility, symbol, .. } = *runes.entry(id)?;
        Some((spaced_rune, Pile { amount: *amount, divisibility, symbol }))
    });
    piles.collect()
}

/// All outputs or none, as ord answers.
fn outputs(view: &View<'_>, body: &[u8]) -> Found {
    let outpoints: Vec<OutPoint> =
        serde_json::from_slice(body).map_err(|error| Answer::text(422, error.to_string()))?;
    let unbound = OutPoint { txid: Txid::all_zeros(), vout: 0 };
    if let Some(special) = outpoints.iter().find(|one| one.is_null() || **one == unbound) {
        let text = format!("outpoint {special} may not be queried in batch");
        return Err(Answer::text(400, text));
    }
    let outputs = outpoints.into_iter().map(|outpoint| output(view, outpoint));
    Ok(Answer::json(&outputs.collect::<Result<Vec<_>, _>>()?))
}

fn parse_address(view: &View<'_>, text: &str) -> Result<ScriptBuf, Answer> {
    let address: Address<NetworkUnchecked> = parse(text)?;
    let address = address
        .require_network(view.index.rules().network)
        .map_err(|error| Answer::text(400, error.to_string()))?;
    Ok(address.script_pubkey())
}

fn outputs_of(view: &View<'_>, address: &str, query: &str) -> Found {
    let script = parse_address(view, address)?;
    let kind = query.split('&').find_map(|pair| pair.strip_prefix("type=")).unwrap_or("any");
    let mut listed = Vec::new();
    for outpoint in view.index.inscriptions.outputs_of(&script) {
        let is_inscribed = !view.index.inscriptions.inscriptions_in(&outpoint).is_empty();
        let is_runic = view.index.runes.balances(&outpoint).is_some();
        let is_wanted = match kind {
            "any" => true,
            "cardinal" => !is_inscribed && !is_runic,
            "inscribed" => is_inscribed,
            "runic" => is_runic,
            _ => return Err(Answer::text(400, "Failed to deserialize query string")),
        };
        if is_wanted {
            listed.push(output(view, outpoint)?);
        }
    }
    Ok(Answer::json(&listed))
}

fn about_address(view: &View<'_>, address: &str) -> Found {
    let script = parse_address(view, address)?;
    let mut answer = AddressJson {
        outputs: view.index.inscriptions.outputs_of(&script).collect(),
        inscriptions: Vec::new(),
        sat_balance: 0,
        runes_balances: Vec::new(),
    };
    let mut sums: BTreeMap<SpacedRune, Pile> = BTreeMap::new();
    for outpoint in &answer.outputs {
        let value = view.index.inscriptions.output(outpoint).map_or(0, |output| output.value);
        answer.sat_balance = answer.sat_balance.saturating_add(value);
        let ids = view.index.inscriptions.inscriptions_in(outpoint);
        answer.inscriptions.extend(ids.iter().map(ToString::to_string));
        for (name, pile) in piles(view, outpoint) {
            let sum = sums.entry(name).or_insert(Pile { amount: 0, ..pile });
            sum.amount = sum.amount.saturating_add(pile.amount);
        }
    }
    let sums = sums.into_iter();
    answer.runes_balances = sums.map(|(name, pile)| (name, decimal(&pile), pile.symbol)).collect();
    Ok(Answer::json(&answer))
}

/// An amount with its decimals, without zeros at the end.
fn decimal(pile: &Pile) -> String {
    let places = usize::from(pile.divisibility);
    let digits = format!("{:0>width$}", pile.amount, width = places.saturating_add(1));
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(places));
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

fn inscription(view: &View<'_>, id: InscriptionId) -> Found {
    let found: Option<&Inscription> = view.index.inscriptions.inscription(&id);
    let Some(found) = found else {
        // ord answers with the JSON null.
        return Err(Answer { status: 404, ..Answer::json(&()) });
    };
    let output = view.index.inscriptions.output(&found.satpoint.outpoint);
    Ok(Answer::json(&InscriptionJson {
        address: output.and_then(|output| address_of(view, &output.script)),
        content_type: found.content_type.as_deref(),
        fee: found.fee,
        height: found.height,
        id: found.id.to_string(),
        number: found.number,
        satpoint: found.satpoint,
        timestamp: found.timestamp,
        value: output.map(|output| output.value),
    }))
}

fn about_rune(view: &View<'_>, rune: &str) -> Found {
    let runes = &view.index.runes;
    let id = if rune.contains(':') {
        Some(parse::<RuneId>(rune)?)
    } else if rune.bytes().all(|byte| byte.is_ascii_digit()) {
        runes.id_at(parse(rune)?)
    } else if rune.chars().filter(char::is_ascii_uppercase).count() > LONGEST_NAME {
        return Err(Answer::text(400, "Invalid URL: name out of range"));
    } else {
        runes.id_of(&parse::<SpacedRune>(&decode(rune))?.rune)
    };
    let found = id.and_then(|id| Some((id, runes.entry(&id)?)));
    let (id, entry) = found.ok_or_else(|| Answer::text(404, format!("rune {rune} not found")))?;
    let next = u64::from(view.height()).saturating_add(1);
    let parent = InscriptionId { txid: entry.etching, index: 0 };
    let parent = view.index.inscriptions.inscription(&parent).map(|_| parent.to_string());
    Ok(Answer::json(&RuneJson { entry, id, mintable: entry.mintable(next).is_some(), parent }))
}

/// The only characters of a name that URLs escape.
fn decode(name: &str) -> String {
    name.replace("%E2%80%A2", "•").replace("%e2%80%a2", "•")
}
