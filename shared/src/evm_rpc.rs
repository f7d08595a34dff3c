//! Ethereum JSON-RPC: the one call that signatures of contract wallets need.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    auth::wallet::{EthCall, EthCallError, EthCallFuture},
    outbound::Outbound,
};

const TIMEOUT: Duration = Duration::from_secs(5);
/// `execution reverted` in the answers of go-ethereum and the nodes that follow it.
const REVERTED: i64 = 3;

/// A client of one node.
#[derive(Clone, Debug)]
pub struct EvmRpc {
    url: String,
    outbound: Outbound,
}

impl EvmRpc {
    /// The node at `url`; connects nowhere yet.
    pub fn new(url: String, outbound: Outbound) -> Self {
        Self { url, outbound }
    }

    async fn call(&self, data: &[u8]) -> Result<Vec<u8>, EthCallError> {
        let unavailable = |text: String| EthCallError::Unavailable(text);
        let data = format!("0x{}", hex::encode(data));
        let request = json!({
            "jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [{ "data": data }, "latest"],
        });
        let answer: Value = self
            .outbound
            .post_json(&self.url, &request, TIMEOUT)
            .await
            .map_err(|error| unavailable(error.to_string()))?
            .ok_or_else(|| unavailable("status 404".to_owned()))?;
        if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
            let reverted = error.get("code").and_then(Value::as_i64) == Some(REVERTED);
            return Err(if reverted {
                EthCallError::Reverted
            } else {
                unavailable(error.to_string())
            });
        }
        let result = answer
            .get("result")
            .and_then(Value::as_str)
            .and_then(|text| text.strip_prefix("0x"));
        result
            .and_then(|digits| hex::decode(digits).ok())
            .ok_or_else(|| unavailable("an answer without a result".to_owned()))
    }
}

impl EthCall for EvmRpc {
    fn eth_call(&self, data: Vec<u8>) -> EthCallFuture<'_> {
        Box::pin(async move { self.call(&data).await })
    }
}
