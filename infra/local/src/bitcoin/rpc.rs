//! Bitcoin Core's JSON-RPC.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::base::{
    client::Client,
    failure::{Context, Failure, Result},
};

/// A client of one node. Clones count together.
#[derive(Clone, Debug)]
pub struct Rpc {
    client: Client,
    authorization: String,
    calls: Arc<AtomicU64>,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RpcError {
    /// The node refused the call.
    #[error("{method} RPC error: {{\"code\":{code},\"message\":{}}}", quoted(.message))]
    Refused {
        /// Method that was called.
        method: String,
        /// Error code of Core's `rpc/protocol.h`.
        code: i64,
        /// The node's message.
        message: String,
    },
    /// The node is unreachable, or its answer is malformed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

fn quoted(text: &str) -> Value {
    text.into()
}

impl From<RpcError> for Failure {
    fn from(error: RpcError) -> Self {
        Self::new(error.to_string())
    }
}

#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    result: Value,
    error: Option<ReplyError>,
}

#[derive(Deserialize)]
struct ReplyError {
    code: i64,
    message: String,
}

impl Rpc {
    /// A client of the node on a local port, with its authentication cookie.
    ///
    /// # Errors
    /// The cookie cannot be read because the node is not up yet.
    pub fn new(port: u16, cookie: &Path) -> Result<Self> {
        let cookie = std::fs::read(cookie).context("the node's cookie")?;
        Ok(Self {
            client: Client::new(format!("http://127.0.0.1:{port}")),
            authorization: format!("Basic {}", BASE64_STANDARD.encode(cookie)),
            calls: Arc::default(),
        })
    }

    /// Number of calls so far.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Calls a method. The parameters are an array, or an object of named parameters.
    ///
    /// # Errors
    /// [`RpcError::Refused`] if the node refuses the call; another [`RpcError`] if it does not answer as it
    /// should.
    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        params: Value,
    ) -> Result<T, RpcError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        // In JSON-RPC 2.0, errors have status 200 too.
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
        let call = self
            .client
            .post("/")
            .header("authorization", &self.authorization)
            .json(&body)
            .try_send();
        let answer = call.await?.check(200)?;
        let reply: Reply = serde_json::from_value(answer.body).context("bitcoind")?;
        match reply.error {
            Some(ReplyError { code, message }) => {
                Err(RpcError::Refused { method: method.to_owned(), code, message })
            }
            None => {
                Ok(serde_json::from_value(reply.result)
                    .context(format_args!("bitcoind: {method}"))?)
            }
        }
    }
}
