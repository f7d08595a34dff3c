//! ord's JSON API: what an output holds.

use std::time::Duration;

use bitcoin::ScriptBuf;
use serde::Deserialize;

use crate::{
    http::{AreaError, Problem},
    models::bitcoin::{InscriptionId, OutPoint},
    outbound::{Outbound, OutboundError},
};

const TIMEOUT: Duration = Duration::from_secs(5);

/// What ord says of an output (`GET /output/<outpoint>`, ord 0.29; the fields read here).
#[derive(Clone, Debug, Deserialize)]
pub struct Output {
    /// Whether ord knows its contents; an unconfirmed output is not indexed.
    pub indexed: bool,
    /// Whether it is spent.
    pub spent: bool,
    /// Inscriptions in it; null where ord does not index them.
    pub inscriptions: Option<Vec<InscriptionId>>,
    /// What it pays to.
    pub script_pubkey: ScriptBuf,
}

/// What ord says of an inscription (`GET /inscription/<id>`; the field read here).
#[derive(Clone, Debug, Deserialize)]
pub struct Inscription {
    /// The address that its output pays; null where that has none, or there is no output.
    pub address: Option<String>,
}

/// The chain source did not answer, or not as it should.
#[derive(Debug, thiserror::Error)]
#[error("ord does not answer as it should")]
pub struct OrdError(#[from] OutboundError);

impl AreaError for OrdError {
    fn problem(&self) -> Problem {
        Problem::ChainUnavailable
    }
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
    /// [`OrdError`].
    pub async fn inscription(&self, id: InscriptionId) -> Result<Option<Inscription>, OrdError> {
        Ok(self.outbound.get_json(&format!("{}/inscription/{id}", self.base), TIMEOUT).await?)
    }

    /// What an output holds; `None` where there is no such output.
    ///
    /// # Errors
    /// [`OrdError`].
    pub async fn output(&self, outpoint: OutPoint) -> Result<Option<Output>, OrdError> {
        Ok(self.outbound.get_json(&format!("{}/output/{outpoint}", self.base), TIMEOUT).await?)
    }
}
