//! ord's JSON API: the contents of outputs.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use base::{
    breaker::{self, Breaker},
    clock::Clock,
    outbound::{ArrayLimits, Call, Outbound, OutboundError, remaining},
    provider::{Provider, ProviderUrl, encrypted},
    section,
};
use bitcoin::{Address, ScriptBuf};
use bytes::Bytes;
use futures_util::stream::{FuturesUnordered, StreamExt};
use ordinals::RuneId;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use crate::{
    core::Core,
    models::bitcoin::{InscriptionId, OutPoint, RuneName},
    party,
    source::SourceError,
};

section! {
    /// Where the contents of outputs are read.
    pub struct OrdConfig {
        /// Base address of the ord server, or `ssm:` and the name of the SSM parameter that holds it
        pub url: ProviderUrl = "ORD_URL",
    }
}

const TIMEOUT: Duration = Duration::from_secs(5);
const UP_TIMEOUT: Duration = Duration::from_secs(2);
/// Outputs per request. ord asks its node about each of them.
const BATCH: usize = 100;
/// Parts into which a failed batch is split: after three consecutive failures the output at fault is alone.
const PARTS: usize = 8;
/// Short enough that three of these fit into the time of one reading.
const OUTPUTS_TIMEOUT: Duration = Duration::from_secs(3);
/// Concurrent requests.
const AT_ONCE: usize = 4;
/// Most requests of one reading. An output that makes its batch fail costs some 17 more.
const MOST_REQUESTS: usize = 400;
/// Time limit of one reading.
const READING: Duration = Duration::from_secs(10);
/// Least time of a request's budget that a reading leaves.
const REST: Duration = Duration::from_secs(4);
/// An output with a few runes takes some 500 bytes; 1 MiB holds 14,000 inscriptions, or 30,000 sat ranges if
/// ord indexes those.
const LONGEST_OUTPUT: usize = 1024 * 1024;
/// Seven outputs of the maximum length fit; a batch with more of them is split.
const OUTPUTS_LIMITS: ArrayLimits =
    ArrayLimits { answer: 16 * 1024 * 1024, element: LONGEST_OUTPUT };
/// Some 60,000 outputs with a rune.
const RUNIC_LIMITS: ArrayLimits = ArrayLimits { answer: 32 * 1024 * 1024, element: LONGEST_OUTPUT };

/// An output according to ord (`GET /output/<outpoint>`, ord 0.29; only the fields used here).
#[derive(Clone, Debug, Deserialize)]
pub struct Output {
    /// The outpoint.
    pub outpoint: OutPoint,
    /// Whether ord knows its contents; unconfirmed outputs are not indexed.
    pub indexed: bool,
    /// Whether it is spent.
    pub spent: bool,
    /// Inscriptions in it; null if ord does not index them.
    pub inscriptions: Option<Vec<InscriptionId>>,
    /// Runes in it by name; null if ord does not index them.
    pub runes: Option<BTreeMap<RuneName, Pile>>,
    /// The script that locks it.
    pub script_pubkey: ScriptBuf,
    /// In sats.
    pub value: u64,
}

/// The result of reading an output.
#[derive(Clone, Debug)]
pub enum Reading {
    /// The output with its contents.
    Known(Box<Output>),
    /// ord does not know the output.
    Absent,
    /// ord works, but fails for this output or exceeds the limits.
    Unreadable,
    /// The time did not suffice.
    NotRead,
}

/// An amount of a rune in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Pile {
    /// In the rune's smallest unit.
    pub amount: u128,
    /// Decimals of displayed amounts.
    #[serde(default)]
    pub divisibility: u8,
    /// The rune's symbol.
    #[serde(default)]
    pub symbol: Option<char>,
}

/// An inscription according to ord (`GET /inscription/<id>`; only the field used here).
#[derive(Clone, Debug, Deserialize)]
pub struct Inscription {
    /// The address of its output; null if there is none.
    pub address: Option<String>,
}

/// A rune according to ord (`GET /rune/<id>`; only the fields used here).
#[derive(Clone, Debug, Deserialize)]
pub struct Rune {
    /// The rune's id.
    pub id: RuneId,
    /// Its etching.
    pub entry: RuneEntry,
    /// Whether the next block can mint it.
    #[serde(default)]
    pub mintable: bool,
}

/// The etching of a rune.
#[derive(Clone, Debug, Deserialize)]
pub struct RuneEntry {
    /// Its name, with spacers.
    pub spaced_rune: RuneName,
    /// Decimals of displayed amounts.
    pub divisibility: u8,
    /// Its symbol.
    #[serde(default)]
    pub symbol: Option<char>,
    /// What its etcher received, in the smallest unit.
    #[serde(default)]
    pub premine: u128,
    /// How often it was minted.
    #[serde(default)]
    pub mints: u128,
    /// The terms of its mint, if it has one.
    #[serde(default)]
    pub terms: Option<RuneTerms>,
}

/// The terms of a rune's mint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct RuneTerms {
    /// Amount of each mint, in the smallest unit.
    pub amount: Option<u128>,
}

impl RuneEntry {
    /// Premine and mints so far, in the smallest unit, including units burned since. `None` if it overflows, which no
    /// rune can.
    pub fn supply(&self) -> Option<u128> {
        let minted = self.terms.and_then(|terms| terms.amount).unwrap_or_default();
        minted.checked_mul(self.mints)?.checked_add(self.premine)
    }
}

const fn ord(operation: &'static str) -> Call {
    Call::new(party::ORD, operation)
}

/// The outputs of an answer.
#[derive(Default)]
struct OutputsFound {
    known: BTreeMap<OutPoint, Output>,
    too_long: usize,
}

/// A client of one ord server.
#[derive(Clone, Debug)]
pub struct OrdClient {
    base: Provider,
    outbound: Outbound,
    /// A breaker only for lookups of inscriptions: their ids come from clients, and each lookup makes ord
    /// read a whole transaction.
    inscriptions: Breaker,
}

impl OrdClient {
    /// The server at `base`; does not connect yet.
    pub fn new(base: Provider, outbound: Outbound, clock: Arc<dyn Clock>) -> Self {
        Self { base, outbound, inscriptions: Breaker::new(clock) }
    }

    /// The server of the settings; does not connect yet.
    pub fn over(core: &Core, config: OrdConfig) -> Self {
        let base = core.provider(config.url, Arc::new(encrypted));
        Self::new(base, core.outbound.clone(), core.clock.clone())
    }

    async fn get<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        path: &str,
    ) -> Result<Option<T>, OutboundError> {
        self.outbound.get_json(ord(operation), &self.base.at(path).await?, TIMEOUT).await
    }

    /// Looks up an inscription; `None` if it does not exist. After five failures in a row, ord is not asked for
    /// half a minute.
    ///
    /// # Errors
    /// [`SourceError`], also without a request while the breaker is open.
    pub async fn inscription(&self, id: InscriptionId) -> Result<Option<Inscription>, SourceError> {
        let retry_after = breaker::PAUSE.as_secs();
        let permit =
            self.inscriptions.permit().map_err(|_open| OutboundError::Busy { retry_after })?;
        let answer = self.get("GET /inscription/{id}", &format!("/inscription/{id}")).await;
        permit.note(answer.is_ok());
        Ok(answer?)
    }

    /// Looks up an output; `None` if it does not exist.
    pub async fn output(&self, outpoint: OutPoint) -> Result<Option<Output>, SourceError> {
        Ok(self.get("GET /output/{outpoint}", &format!("/output/{outpoint}")).await?)
    }

    /// Reads the contents of outputs (`POST /outputs`), in order of preference. One output never makes the
    /// others fail: a failed batch is split and retried after all others. An output without an answer is
    /// [`Reading::NotRead`].
    ///
    /// # Errors
    /// [`SourceError`] if ord itself fails: no request succeeds, or ord does not report its height after a
    /// failure.
    pub async fn outputs(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<BTreeMap<OutPoint, Reading>, SourceError> {
        let time = self.outbound.waits(READING).min(remaining().saturating_sub(REST));
        let end = Instant::now().checked_add(time).unwrap_or_else(Instant::now);
        let mut readings: BTreeMap<OutPoint, Reading> =
            outpoints.iter().map(|outpoint| (*outpoint, Reading::NotRead)).collect();
        let mut waiting: VecDeque<Vec<OutPoint>> =
            outpoints.chunks(BATCH).map(<[OutPoint]>::to_vec).collect();
        let (mut under_way, mut requests) = (FuturesUnordered::new(), 0_usize);
        let (mut has_answered, mut is_up, mut failure) = (false, false, None);
        loop {
            while under_way.len() < AT_ONCE && requests < MOST_REQUESTS {
                let Some(batch) = waiting.pop_front() else { break };
                requests = requests.saturating_add(1);
                under_way.push(self.batch(batch));
            }
            let answer = match timeout_at(end, under_way.next()).await {
                Ok(Some(answer)) => answer,
                Ok(None) => break,
                // ord is slow but works.
                Err(_elapsed) if has_answered => break,
                Err(_elapsed) => {
                    failure.get_or_insert(OutboundError::Timeout);
                    break;
                }
            };
            match answer {
                (batch, Ok(Some(found))) => {
                    has_answered = true;
                    let found = batch.into_iter().zip(found);
                    readings.extend(found);
                }
                (batch, refused) => {
                    match (&refused, batch.as_slice()) {
                        (Ok(_), [alone]) => {
                            has_answered = true;
                            readings.insert(*alone, Reading::Absent);
                        }
                        (Err(error), [alone]) => {
                            has_answered |= matches!(error, OutboundError::TooLong);
                            readings.insert(*alone, Reading::Unreadable);
                        }
                        (_, batch) => {
                            let parts = batch.chunks(batch.len().div_ceil(PARTS));
                            waiting.extend(parts.map(<[OutPoint]>::to_vec));
                        }
                    }
                    if let Err(error) = refused {
                        if !is_up && !self.is_up().await {
                            return Err(error.into());
                        }
                        is_up = true;
                        failure = Some(error);
                    }
                }
            }
        }
        match failure {
            // It may have gone down during the reading.
            Some(error) if !has_answered || !self.is_up().await => Err(error.into()),
            _ => Ok(readings),
        }
    }

    /// Requests some outputs; `None` if ord does not know one of them, because it then refuses the whole
    /// batch.
    async fn batch(
        &self,
        batch: Vec<OutPoint>,
    ) -> (Vec<OutPoint>, Result<Option<Vec<Reading>>, OutboundError>) {
        let request = self.request(http::Method::POST, "/outputs", json!(batch).to_string());
        let found = match request.await {
            Ok(request) => {
                let call = ord("POST /outputs");
                self.read(call, request, OUTPUTS_TIMEOUT, OUTPUTS_LIMITS).await
            }
            Err(error) => Err(error),
        };
        let readings = match found {
            Ok(Some(mut found)) => batch
                .iter()
                .map(|outpoint| match found.known.remove(outpoint) {
                    Some(output) => Ok(Reading::Known(Box::new(output))),
                    None if found.too_long > 0 => Ok(Reading::Unreadable),
                    None => Err(OutboundError::Malformed("an output is missing".to_owned())),
                })
                .collect::<Result<_, _>>()
                .map(Some),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        (batch, readings)
    }

    /// The outputs of an address that hold runes (`GET /outputs/<address>`); `None` if ord has no address
    /// index.
    pub async fn runic_outputs(
        &self,
        address: &Address,
    ) -> Result<Option<BTreeMap<OutPoint, Output>>, SourceError> {
        let path = format!("/outputs/{address}?type=runic");
        let request = self.request(http::Method::GET, &path, String::new()).await?;
        let call = ord("GET /outputs/{address}");
        let found = self.read(call, request, TIMEOUT, RUNIC_LIMITS).await?;
        Ok(found.map(|found| found.known))
    }

    async fn read(
        &self,
        call: Call,
        request: http::Request<Bytes>,
        time: Duration,
        limits: ArrayLimits,
    ) -> Result<Option<OutputsFound>, OutboundError> {
        let mut found = OutputsFound::default();
        let take = |element: Option<&[u8]>| {
            match element.map(serde_json::from_slice::<Output>) {
                Some(Ok(output)) => {
                    found.known.insert(output.outpoint, output);
                }
                Some(Err(error)) => return Err(OutboundError::Malformed(error.to_string())),
                None => found.too_long = found.too_long.saturating_add(1),
            }
            Ok(())
        };
        let answered = self.outbound.read_array(call, request, time, limits, take).await?;
        Ok(answered.map(|()| found))
    }

    async fn request(
        &self,
        method: http::Method,
        path: &str,
        body: String,
    ) -> Result<http::Request<Bytes>, OutboundError> {
        http::Request::builder()
            .method(method)
            .uri(self.base.at(path).await?)
            .header(http::header::ACCEPT, "application/json")
            .header(http::header::CONTENT_TYPE, "application/json")
            .body(Bytes::from(body))
            .map_err(|error| OutboundError::Malformed(error.to_string()))
    }

    /// Whether ord answers at all.
    async fn is_up(&self) -> bool {
        let Ok(url) = self.base.at("/blockheight").await else { return false };
        let call = ord("GET /blockheight");
        let answer = self.outbound.get_status(call, &url, UP_TIMEOUT).await;
        answer.is_ok_and(|status| status.is_success())
    }

    /// The height of the newest indexed block.
    pub async fn height(&self) -> Result<u32, SourceError> {
        let height = self.get("GET /blockheight", "/blockheight").await?;
        Ok(height.ok_or(OutboundError::Status(404))?)
    }

    /// Looks up a rune by its name; `None` if it does not exist.
    pub async fn rune_named(&self, name: RuneName) -> Result<Option<Rune>, SourceError> {
        let letters: String = name.to_string().chars().filter(char::is_ascii_alphabetic).collect();
        Ok(self.get("GET /rune/{name}", &format!("/rune/{letters}")).await?)
    }

    /// Looks up a rune; `None` if it does not exist.
    pub async fn rune(&self, id: RuneId) -> Result<Option<Rune>, SourceError> {
        Ok(self.get("GET /rune/{id}", &format!("/rune/{id}")).await?)
    }
}
