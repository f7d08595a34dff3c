//! ord's JSON API: what an output holds.

use std::{collections::BTreeMap, time::Duration};

use bitcoin::ScriptBuf;
use ordinals::RuneId;
use serde::Deserialize;
use serde_json::json;

use super::{SourceError, coins::RuneName};
use crate::{
    models::bitcoin::{InscriptionId, OutPoint},
    outbound::{Outbound, OutboundError},
};

const TIMEOUT: Duration = Duration::from_secs(5);
/// Outputs that are asked for at once: their answer stays below what is read of one.
const BATCH: usize = 500;

/// What ord says of an output (`GET /output/<outpoint>`, ord 0.29; the fields read here).
#[derive(Clone, Debug, Deserialize)]
pub struct Output {
    /// Which one.
    pub outpoint: OutPoint,
    /// Whether ord knows its contents; an unconfirmed output is not indexed.
    pub indexed: bool,
    /// Whether it is spent.
    pub spent: bool,
    /// Inscriptions in it; null where ord does not index them.
    pub inscriptions: Option<Vec<InscriptionId>>,
    /// Runes in it by their names; null where ord does not index them.
    pub runes: Option<BTreeMap<RuneName, Pile>>,
    /// What it pays to.
    pub script_pubkey: ScriptBuf,
    /// Sats.
    pub value: u64,
}

/// An amount of a rune in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Pile {
    /// In the rune's smallest unit.
    pub amount: u128,
}

/// What ord says of an inscription (`GET /inscription/<id>`; the field read here).
#[derive(Clone, Debug, Deserialize)]
pub struct Inscription {
    /// The address that its output pays; null where that has none, or there is no output.
    pub address: Option<String>,
}

/// What ord says of a rune (`GET /rune/<id>`; the fields read here).
#[derive(Clone, Debug, Deserialize)]
pub struct Rune {
    /// Its id.
    pub id: RuneId,
    /// What else is known of it.
    pub entry: RuneEntry,
}

/// What was etched.
#[derive(Clone, Debug, Deserialize)]
pub struct RuneEntry {
    /// Its name, with spacers.
    pub spaced_rune: RuneName,
    /// Digits after the point, to show amounts by.
    pub divisibility: u8,
}

/// A client of one ord server.
#[derive(Clone, Debug)]
pub struct OrdClient {
    base: String,
    outbound: Outbound,
}

impl OrdClient {
    /// The server at `base`; connects nowhere yet.
    pub fn new(base: String, outbound: Outbound) -> Self {
        Self { base, outbound }
    }

    /// Where an inscription is; `None` where there is no such inscription.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn inscription(&self, id: InscriptionId) -> Result<Option<Inscription>, SourceError> {
        Ok(self.outbound.get_json(&format!("{}/inscription/{id}", self.base), TIMEOUT).await?)
    }

    /// What an output holds; `None` where there is no such output.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn output(&self, outpoint: OutPoint) -> Result<Option<Output>, SourceError> {
        Ok(self.outbound.get_json(&format!("{}/output/{outpoint}", self.base), TIMEOUT).await?)
    }

    /// What outputs hold (`POST /outputs`), in any order.
    ///
    /// # Errors
    /// [`SourceError`]; also where ord does not know one of them, since it refuses them all then.
    pub async fn outputs(&self, outpoints: &[OutPoint]) -> Result<Vec<Output>, SourceError> {
        let mut outputs = Vec::with_capacity(outpoints.len());
        let url = format!("{}/outputs", self.base);
        for batch in outpoints.chunks(BATCH) {
            let found: Option<Vec<Output>> =
                self.outbound.post_json(&url, &json!(batch), TIMEOUT).await?;
            outputs.extend(found.ok_or(OutboundError::Status(404))?);
        }
        Ok(outputs)
    }

    /// The height of the newest block that it has indexed.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn height(&self) -> Result<u32, SourceError> {
        let height = self.outbound.get_json(&format!("{}/blockheight", self.base), TIMEOUT).await?;
        Ok(height.ok_or(OutboundError::Status(404))?)
    }

    /// A rune; `None` where there is no such rune.
    ///
    /// # Errors
    /// [`SourceError`].
    pub async fn rune(&self, id: RuneId) -> Result<Option<Rune>, SourceError> {
        Ok(self.outbound.get_json(&format!("{}/rune/{id}", self.base), TIMEOUT).await?)
    }
}
