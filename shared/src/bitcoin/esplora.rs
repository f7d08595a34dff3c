//! Esplora's REST API (<https://github.com/Blockstream/esplora/blob/master/API.md>): coins,
//! transactions, fees, broadcast.

use std::{collections::BTreeMap, time::Duration};

use bitcoin::{Address, FeeRate, Transaction, Txid, consensus::encode};
use bytes::Bytes;
use http::StatusCode;
use serde::Deserialize;
use serde_json::Number;

use super::SourceError;
use crate::{
    config::FeeConfig,
    models::bitcoin::OutPoint,
    outbound::{Outbound, OutboundError},
};

const TIMEOUT: Duration = Duration::from_secs(5);
/// Of one attempt at a broadcast.
const BROADCAST_TIMEOUT: Duration = Duration::from_secs(3);

/// An unspent output of an address (`GET /address/:address/utxo`). One that the mempool spends is
/// not listed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Utxo {
    /// The transaction that made it.
    pub txid: Txid,
    /// Its place in that.
    pub vout: u32,
    /// Sats.
    pub value: u64,
    /// Where that transaction is.
    pub status: Status,
}

/// Where a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Status {
    /// Whether a block has it.
    pub confirmed: bool,
    /// That block's height.
    pub block_height: Option<u32>,
}

#[derive(Deserialize)]
struct Found {
    status: Status,
}

/// Where a block has a transaction (`GET /tx/:txid/merkle-proof`; the fields read here).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Place {
    /// The block's height.
    pub block_height: u32,
    /// The transaction's place in the block, from 0.
    pub pos: u32,
}

/// What became of an output (`GET /tx/:txid/outspend/:vout`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Outspend {
    /// Whether a transaction spends it, of a block or of the mempool.
    pub spent: bool,
    /// Which one.
    pub txid: Option<Txid>,
    /// Where that one is.
    pub status: Option<Status>,
}

/// What became of a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broadcast {
    /// The mempool has it, now or already.
    Accepted,
    /// A block has it.
    InBlock,
    /// The node does not take it; what it said.
    Refused(String),
}

/// A client of one Esplora server.
#[derive(Clone, Debug)]
pub struct EsploraClient {
    base: String,
    outbound: Outbound,
}

impl EsploraClient {
    /// The server at `base`; connects nowhere yet.
    pub fn new(base: String, outbound: Outbound) -> Self {
        Self { base, outbound }
    }

    async fn get<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<Option<T>, SourceError> {
        Ok(self.outbound.get_json(&format!("{}{path}", self.base), TIMEOUT).await?)
    }

    async fn known<T: serde::de::DeserializeOwned>(&self, path: &str) -> Result<T, SourceError> {
        Ok(self.get(path).await?.ok_or(OutboundError::Status(404))?)
    }

    /// The unspent outputs of an address, those of the mempool too.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn utxos(&self, address: &Address) -> Result<Vec<Utxo>, SourceError> {
        self.known(&format!("/address/{address}/utxo")).await
    }

    /// Where a transaction is; `None` where neither a block nor the mempool has it.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn status(&self, txid: Txid) -> Result<Option<Status>, SourceError> {
        // `/tx/:txid/status` answers of a transaction that nobody knows that it is unconfirmed.
        let found: Option<Found> = self.get(&format!("/tx/{txid}")).await?;
        Ok(found.map(|found| found.status))
    }

    /// Where a block has a transaction; `None` where none does.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn place(&self, txid: Txid) -> Result<Option<Place>, SourceError> {
        self.get(&format!("/tx/{txid}/merkle-proof")).await
    }

    /// What became of an output; `None` where it is not known.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn outspend(&self, output: OutPoint) -> Result<Option<Outspend>, SourceError> {
        let bitcoin::OutPoint { txid, vout } = output.0;
        self.get(&format!("/tx/{txid}/outspend/{vout}")).await
    }

    /// The height of the newest block.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn tip_height(&self) -> Result<u32, SourceError> {
        self.known("/blocks/tip/height").await
    }

    /// The rate for a transaction to confirm within the target, within the limits.
    ///
    /// # Errors
    /// [`SourceError`]; also where nothing is estimated for so short a time.
    pub async fn fee_rate(&self, fees: &FeeConfig) -> Result<FeeRate, SourceError> {
        let estimates: BTreeMap<u16, Number> = self.known("/fee-estimates").await?;
        let none = || OutboundError::Malformed("no fee estimate for the target".to_owned());
        let within = estimates.range(..=fees.target_blocks).next_back().ok_or_else(none)?;
        let rate = rate(&within.1.to_string()).ok_or_else(none)?;
        Ok(rate.clamp(fees.lowest, fees.highest))
    }

    /// Gives a transaction to the network. Safe to repeat.
    ///
    /// # Errors
    /// [`SourceError`]: whether it was accepted is not known.
    pub async fn broadcast(&self, transaction: &Transaction) -> Result<Broadcast, SourceError> {
        let request = http::Request::post(format!("{}/tx", self.base))
            .header(http::header::CONTENT_TYPE, "text/plain")
            .body(Bytes::from(encode::serialize_hex(transaction)))
            .map_err(|error| OutboundError::Malformed(error.to_string()))?;
        let answer = self.outbound.send(request, BROADCAST_TIMEOUT).await?;
        match answer.status() {
            StatusCode::OK => Ok(Broadcast::Accepted),
            StatusCode::BAD_REQUEST => Ok(verdict(&String::from_utf8_lossy(answer.body()))),
            status => Err(OutboundError::Status(status.as_u16()).into()),
        }
    }
}

/// What a node's refusal means (`sendrawtransaction`, Bitcoin Core 25 to 30).
fn verdict(refusal: &str) -> Broadcast {
    const IN_MEMPOOL: [&str; 3] =
        ["txn-already-in-mempool", "txn-already-known", "already in mempool"];
    const IN_BLOCK: [&str; 3] = [
        "Transaction already in block chain",
        "Transaction outputs already in utxo set",
        "txn-already-confirmed",
    ];
    let says = |texts: [&str; 3]| texts.iter().any(|text| refusal.contains(text));
    if says(IN_MEMPOOL) {
        Broadcast::Accepted
    } else if says(IN_BLOCK) {
        Broadcast::InBlock
    } else {
        Broadcast::Refused(refusal.chars().take(300).collect())
    }
}

/// A rate in sat/vB as a decimal number, rounded up to what weight is counted in.
fn rate(text: &str) -> Option<FeeRate> {
    const KWU_PER_KVB: u64 = 4;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let thousandths = fraction.get(..3.min(fraction.len()))?;
    // A digit further on is rounded up.
    let more = u64::from(fraction.len() > 3);
    let per_kvb = whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1_000)?
        .checked_add(format!("{thousandths:0<3}").parse::<u64>().ok()?)?
        .checked_add(more)?;
    Some(FeeRate::from_sat_per_kwu(per_kvb.div_ceil(KWU_PER_KVB)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_exactly_and_rounded_up() {
        for (text, per_kwu) in [
            ("1", 250),
            ("1.0", 250),
            ("1.001", 251),
            ("12.345", 3_087),
            ("0.1", 25),
            ("2.0004", 501),
            ("0", 0),
        ] {
            assert_eq!(rate(text), Some(FeeRate::from_sat_per_kwu(per_kwu)), "{text}");
        }
        for text in ["", "-1", "1e3", "1.2.3", "99999999999999999999", "NaN", " 1"] {
            assert_eq!(rate(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_node_already_has_is_no_refusal() {
        let said = |reason: &str| {
            verdict(&format!(
                r#"sendrawtransaction RPC error: {{"code":-27,"message":"{reason}"}}"#
            ))
        };
        assert_eq!(said("txn-already-known"), Broadcast::Accepted);
        assert_eq!(said("Transaction outputs already in utxo set"), Broadcast::InBlock);
        for refused in
            ["bad-txns-inputs-missingorspent", "min relay fee not met", "txn-mempool-conflict"]
        {
            assert!(matches!(said(refused), Broadcast::Refused(_)), "{refused}");
        }
    }
}
