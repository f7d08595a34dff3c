//! What the faces of Esplora and ord have in common: requests, answers, and lies.

use std::borrow::Cow;

use bitcoin::{OutPoint, Txid};
use serde::Serialize;

/// A request of a client.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The method, such as `GET`.
    pub method: &'a str,
    /// Path and query.
    pub path: &'a str,
    /// The body.
    pub body: &'a [u8],
}

impl<'a> Request<'a> {
    /// A request without a body.
    pub fn get(path: &'a str) -> Self {
        Self { method: "GET", path, body: &[] }
    }

    /// A request with a body.
    pub fn post(path: &'a str, body: &'a [u8]) -> Self {
        Self { method: "POST", path, body }
    }

    /// The parts of the path, and the query.
    pub(crate) fn split(&self) -> (Vec<&'a str>, &'a str) {
        let (path, query) = self.path.split_once('?').unwrap_or((self.path, ""));
        (path.split('/').skip(1).collect(), query)
    }
}

/// An answer of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Plain text.
    pub fn text(status: u16, body: impl Into<String>) -> Self {
        let body: String = body.into();
        Self { status, content_type: "text/plain; charset=utf-8", body: body.into() }
    }

    /// Bytes with status 200.
    pub fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, content_type: "application/octet-stream", body }
    }

    /// JSON with status 200.
    pub fn json(value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self { status: 200, content_type: "application/json", body },
            Err(error) => Self::text(500, error.to_string()),
        }
    }

    /// The body as text.
    pub fn text_of_body(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// Something false that a server says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    /// Esplora does not know a transaction.
    Unknown(Txid),
    /// Esplora says that no block contains a transaction.
    Unconfirmed(Txid),
    /// Esplora says that an output is unspent.
    Unspent(OutPoint),
    /// Esplora says that a transaction spends an output.
    Spent(OutPoint, Txid),
    /// Esplora has no estimates of fees.
    NoEstimates,
    /// Esplora or ord says that the newest block has this height.
    Height(u32),
    /// ord has not read an output.
    Unindexed(OutPoint),
    /// ord says that an output holds only sats.
    Plain(OutPoint),
    /// ord says that an output is unspent.
    Held(OutPoint),
    /// ord fails on each request about an output.
    Fails(OutPoint),
}
