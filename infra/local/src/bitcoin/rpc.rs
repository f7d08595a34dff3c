//! Bitcoin Core's JSON-RPC.

use std::{path::Path, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    client::Client,
    failure::{Context, Failure, Result},
};

/// How long one call may take: mining a few thousand blocks does.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of one node.
#[derive(Clone, Debug)]
pub struct Rpc {
    client: Client,
    authorization: String,
}

/// Why a call gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RpcError {
    /// The node says no.
    #[error("{method} RPC error: {{\"code\":{code},\"message\":{}}}", quoted(.message))]
    Refused {
        /// What was called.
        method: String,
        /// As Core's `rpc/protocol.h` has it.
        code: i64,
        /// In its words.
        message: String,
    },
    /// The node is not there, or does not make sense.
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
    /// A client of the node on a port of this machine, by its cookie.
    ///
    /// # Errors
    /// The cookie cannot be read: the node is not up yet.
    pub fn new(port: u16, cookie: &Path) -> Result<Self> {
        let cookie = std::fs::read(cookie).context("the node's cookie")?;
        Ok(Self {
            client: Client::new(format!("http://127.0.0.1:{port}")),
            authorization: format!("Basic {}", BASE64_STANDARD.encode(cookie)),
        })
    }

    /// Calls a method; parameters are an array, or an object by their names.
    ///
    /// # Errors
    /// [`RpcError`].
    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        params: Value,
    ) -> Result<T, RpcError> {
        // By JSON-RPC 2.0 an error is answered with status 200 too.
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
        let call = self
            .client
            .post("/")
            .header("authorization", &self.authorization)
            .json(&body)
            .try_send();
        let answer = tokio::time::timeout(PATIENCE, call)
            .await
            .map_err(|_| Failure::new(format!("bitcoind: no answer to {method} in time")))??;
        let answer = answer.check(200)?;
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
