//! Ethereum JSON-RPC: what signatures of contract wallets need.

use std::{pin::Pin, sync::Arc, time::Duration};

use alloy::primitives::Address;
use base::{
    breaker::Breaker,
    clock::Clock,
    outbound::{Call, Outbound, OutboundError},
    provider::Provider,
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::party;

/// The result of a query to an [`EvmChain`].
pub type EvmAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, EvmChainError>> + Send + 'a>>;

/// One EVM chain at its latest block. It is a trait so that this module needs no HTTP client.
pub trait EvmChain: Send + Sync {
    /// Whether a contract is deployed at an address.
    fn has_code(&self, address: Address) -> EvmAnswer<'_, bool>;

    /// Runs `eth_call`: calls the contract `to` with `data` or, without `to`, runs `data` as creation code
    /// and returns what it returns. Stores nothing.
    fn call(&self, to: Option<Address>, data: Vec<u8>) -> EvmAnswer<'_, Vec<u8>>;
}

/// Why an [`EvmChain`] gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvmChainError {
    /// The node ran the code and the code failed: it reverted, ran out of gas or was too long. This is a
    /// result of the chain, not a fault.
    #[error("execution failed")]
    Failed,
    /// The node was unreachable, is on another chain, or gave no usable response; with the reason.
    #[error("no answer from the node: {0}")]
    Unavailable(String),
}

/// How long the node may work on one question.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The same for the question whether the node is well.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// The most gas that one execution may use. A wallet that is deployed for the time of the call
/// stores at most 24,576 bytes of code at 200 gas each (EIP-170, EIP-3541), which is 4.9 million;
/// a signature that is checked in plain EVM code takes at most one more million. Nodes run twice
/// that within a fraction of a second, so a loop ends long before a timeout.
const GAS: u64 = 10_000_000;

/// A client of one node.
#[derive(Clone, Debug)]
pub struct EvmRpc {
    node: Provider,
    /// The chain that it must be of.
    chain_id: u64,
    /// Set once the node has said that it is.
    checked: Arc<OnceCell<()>>,
    outbound: Outbound,
    breaker: Breaker,
}

/// Why a question has no result.
#[derive(Debug, thiserror::Error)]
enum RpcError {
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    /// The node answered with an error.
    #[error("{0}")]
    Refused(Value),
    #[error("an answer without a result")]
    NoResult,
}

impl From<RpcError> for EvmChainError {
    fn from(error: RpcError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl EvmRpc {
    /// This node, of the chain `chain_id`; connects nowhere yet.
    pub fn new(node: Provider, chain_id: u64, outbound: Outbound, clock: Arc<dyn Clock>) -> Self {
        Self { node, chain_id, checked: Arc::default(), outbound, breaker: Breaker::new(clock) }
    }

    /// Asks the node, unless it has failed five times in a row within the last half minute. Code that fails is an answer of the
    /// node: clients choose it, and must not be able to take the node from others.
    async fn guarded<T>(
        &self,
        question: impl Future<Output = Result<T, EvmChainError>> + Send,
    ) -> Result<T, EvmChainError> {
        let permit = self.breaker.permit();
        let permit = permit.map_err(|open| EvmChainError::Unavailable(open.to_string()))?;
        let answer = question.await;
        permit.note(!matches!(answer, Err(EvmChainError::Unavailable(_))));
        answer
    }

    async fn ask(
        &self,
        method: &'static str,
        params: Value,
        limit: Duration,
    ) -> Result<String, RpcError> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let url = self.node.at("").await?;
        let call = Call::new(party::EVM_NODE, method);
        let answer = self.outbound.post_json(call, &url, &request, limit).await?;
        let mut answer: Value = answer.ok_or(OutboundError::Status(404))?;
        match answer.get_mut("error").map(Value::take).filter(|error| !error.is_null()) {
            Some(error) => Err(RpcError::Refused(error)),
            None => match answer.get_mut("result").map(Value::take) {
                Some(Value::String(result)) => Ok(result),
                _ => Err(RpcError::NoResult),
            },
        }
    }

    /// Compares the node's chain with the setting, once an instance: what contracts of another chain
    /// say of an address is nothing here.
    async fn check_chain(&self) -> Result<(), EvmChainError> {
        let check = || async {
            let answer = self.ask("eth_chainId", json!([]), TIMEOUT).await?;
            let digits = answer.strip_prefix("0x").unwrap_or(&answer);
            match u64::from_str_radix(digits, 16) {
                Ok(id) if id == self.chain_id => Ok(()),
                _ => Err(EvmChainError::Unavailable(format!(
                    "the node's chain id is {answer}, and EVM_CHAIN_ID says {:#x}",
                    self.chain_id
                ))),
            }
        };
        self.checked.get_or_try_init(check).await.copied()
    }

    /// Whether the node answers a call that runs nothing: then it was the code that failed.
    async fn is_well(&self) -> bool {
        let nothing =
            json!({ "to": hex_address(Address::ZERO), "data": "0x", "gas": hex_number(GAS) });
        self.ask("eth_call", json!([nothing, "latest"]), PROBE_TIMEOUT).await.is_ok()
    }

    async fn run(&self, to: Option<Address>, data: &[u8]) -> Result<Vec<u8>, EvmChainError> {
        self.check_chain().await?;
        let mut call = json!({
            "data": format!("0x{}", hex::encode(data)), "gas": hex_number(GAS),
        });
        if let (Some(to), Some(call)) = (to, call.as_object_mut()) {
            call.insert("to".to_owned(), json!(hex_address(to)));
        }
        match self.ask("eth_call", json!([call, "latest"]), TIMEOUT).await {
            Ok(result) => {
                let digits = result.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
                digits.ok_or(RpcError::NoResult.into())
            }
            Err(error) if is_of_execution(&error) => Err(EvmChainError::Failed),
            // Too long, too large, or in words that are not known here: of the code that a client
            // chose, or of the node?
            Err(error) if may_be_of_execution(&error) && self.is_well().await => {
                tracing::info!(%error, "the code of a contract signature failed");
                Err(EvmChainError::Failed)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn hex_address(address: Address) -> String {
    format!("{address:#x}")
}

fn hex_number(number: u64) -> String {
    format!("{number:#x}")
}

/// Whether the node says that the code failed: code 3 of go-ethereum and those that follow it, other
/// codes with a text elsewhere.
fn is_of_execution(error: &RpcError) -> bool {
    const FAILED: [&str; 7] = [
        "revert",
        "invalid opcode",
        "out of gas",
        "outofgas",
        "stack",
        "invalid jump",
        "execution aborted",
    ];
    let RpcError::Refused(error) = error else { return false };
    let message =
        error.get("message").and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    error.get("code").and_then(Value::as_i64) == Some(3)
        || FAILED.iter().any(|text| message.contains(text))
}

/// Whether the code may be the reason. It is not where the node is out of reach, or refuses its
/// customer: by a status, or by code -32005 (EIP-1474, "Limit exceeded").
fn may_be_of_execution(error: &RpcError) -> bool {
    match error {
        RpcError::Outbound(
            OutboundError::Timeout | OutboundError::TooLong | OutboundError::Malformed(_),
        ) => true,
        RpcError::Outbound(
            OutboundError::Status(status) | OutboundError::Refused { status, .. },
        ) => *status >= 500,
        RpcError::Outbound(
            OutboundError::Unreachable(_)
            | OutboundError::Busy { .. }
            | OutboundError::NotStored { .. },
        ) => false,
        RpcError::Refused(error) => error.get("code").and_then(Value::as_i64) != Some(-32005),
        RpcError::NoResult => false,
    }
}

impl EvmChain for EvmRpc {
    fn has_code(&self, address: Address) -> EvmAnswer<'_, bool> {
        Box::pin(self.guarded(async move {
            self.check_chain().await?;
            let code =
                self.ask("eth_getCode", json!([hex_address(address), "latest"]), TIMEOUT).await?;
            Ok(code.len() > "0x".len())
        }))
    }

    fn call(&self, to: Option<Address>, data: Vec<u8>) -> EvmAnswer<'_, Vec<u8>> {
        Box::pin(self.guarded(async move { self.run(to, &data).await }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_contract_are_told_from_those_of_the_node() {
        for (error, failed, may_have_failed) in [
            (json!({"code": 3, "message": "execution reverted"}), true, true),
            (json!({"code": -32000, "message": "execution reverted: no"}), true, true),
            (json!({"code": -32015, "message": "VM execution error: Reverted"}), true, true),
            (json!({"code": -32000, "message": "out of gas"}), true, true),
            (json!({"code": -32603, "message": "EVM error OutOfGas"}), true, true),
            (json!({"code": -32000, "message": "execution aborted (timeout = 5s)"}), true, true),
            (json!({"code": -32005, "message": "limit exceeded"}), false, false),
            (json!({"code": -32000, "message": "header not found"}), false, true),
            (json!({"code": -32000}), false, true),
        ] {
            let error = RpcError::Refused(error);
            assert_eq!(is_of_execution(&error), failed, "{error}");
            assert_eq!(may_be_of_execution(&error), may_have_failed, "{error}");
        }
        for (error, may_have_failed) in [
            (OutboundError::Timeout, true),
            (OutboundError::Malformed("length limit exceeded".to_owned()), true),
            (OutboundError::Status(504), true),
            (OutboundError::Status(429), false),
            (OutboundError::Unreachable("refused".to_owned()), false),
            (OutboundError::Busy { retry_after: 1 }, false),
        ] {
            assert_eq!(may_be_of_execution(&error.into()), may_have_failed);
        }
    }
}
