//! Ethereum JSON-RPC: the one call that signatures of contract wallets need.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{
    auth::wallet::{EthCall, EthCallError, EthCallFuture},
    outbound::Outbound,
};

const TIMEOUT: Duration = Duration::from_secs(5);

/// A client of one node.
#[derive(Clone, Debug)]
pub struct EvmRpc {
    /// With the key that the provider knows its customer by.
    url: SecretString,
    outbound: Outbound,
}

impl EvmRpc {
    /// The node at `url`; connects nowhere yet.
    pub fn new(url: SecretString, outbound: Outbound) -> Self {
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
            .post_json(self.url.expose_secret(), &request, TIMEOUT)
            .await
            .map_err(|error| unavailable(error.to_string()))?
            .ok_or_else(|| unavailable("status 404".to_owned()))?;
        if let Some(error) = answer.get("error").filter(|error| !error.is_null()) {
            return Err(if is_revert(error) {
                EthCallError::Reverted
            } else {
                unavailable(error.to_string())
            });
        }
        let result =
            answer.get("result").and_then(Value::as_str).and_then(|text| text.strip_prefix("0x"));
        result
            .and_then(|digits| hex::decode(digits).ok())
            .ok_or_else(|| unavailable("an answer without a result".to_owned()))
    }
}

/// Whether the code that was called failed, and not the node: code 3 of go-ethereum and those that
/// follow it, other codes with a text elsewhere. What a client signs must raise no alarm.
fn is_revert(error: &Value) -> bool {
    let message =
        error.get("message").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let failed = ["revert", "invalid opcode", "out of gas", "stack", "invalid jump"];
    error.get("code").and_then(Value::as_i64) == Some(3)
        || failed.iter().any(|text| message.contains(text))
}

impl EthCall for EvmRpc {
    fn eth_call(&self, data: Vec<u8>) -> EthCallFuture<'_> {
        Box::pin(async move { self.call(&data).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_contract_are_told_from_those_of_the_node() {
        for (error, reverted) in [
            (json!({"code": 3, "message": "execution reverted"}), true),
            (json!({"code": -32000, "message": "execution reverted: no"}), true),
            (json!({"code": -32015, "message": "VM execution error: Reverted"}), true),
            (json!({"code": -32000, "message": "out of gas"}), true),
            (json!({"code": -32005, "message": "limit exceeded"}), false),
            (json!({"code": -32000}), false),
        ] {
            assert_eq!(is_revert(&error), reverted, "{error}");
        }
    }
}
