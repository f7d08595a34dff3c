//! The venue's EVM chain: test contracts on a local EVM, and the proxy that clients reach it through.

use std::{
    fmt::LowerHex,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use alloy::{
    primitives::{Address, B256, U256, keccak256},
    sol_types::SolValue,
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::post,
};
use http::StatusCode;
use perp_venue::venue::{ACCOUNT_EXISTS, PerpVenueConfig, usdc::Usdc};
use serde_json::{Value, json};
use tower_http::cors::CorsLayer;

use crate::{
    base::{
        failure::{Context, Result},
        mood::SharedMood,
    },
    doubles::evm::Evm,
};

/// Runtime code of `contracts/Usdc.sol`.
const USDC: &str = include_str!("contracts/Usdc.hex");
/// Runtime code of `contracts/DepositWallet.sol`.
const DEPOSIT_WALLET: &str = include_str!("contracts/DepositWallet.hex");
/// Runtime code that returns the word stored under the word it is called with.
const LOOKUP: &str = "6000355460005260206000f3";

/// Slot in [`USDC`]: the mapping of balances.
const BALANCES: u8 = 0;
/// Slot in [`DEPOSIT_WALLET`]: the address of USDC.
const TOKEN: u8 = 0;
/// Slot in [`DEPOSIT_WALLET`]: the fee withheld from a first deposit.
const ACTIVATION_FEE: u8 = 1;
/// Slot in [`DEPOSIT_WALLET`]: whether deposits are paused.
const PAUSED: u8 = 2;
/// Slot in [`DEPOSIT_WALLET`]: the mapping of credits to perpetuals balances, in 10^-8 USDC.
const CREDITED: u8 = 3;
/// Slot in [`DEPOSIT_WALLET`]: the mapping of opened accounts.
const OPENED: u8 = 4;
/// Slot in [`DEPOSIT_WALLET`]: whether all deposits go to the spot balance.
const FORWARDING_OFF: u8 = 5;
/// Slot in [`DEPOSIT_WALLET`]: like `CREDITED`, for spot balances.
const CREDITED_TO_SPOT: u8 = 7;

/// Activation fee of an account on the real chain: 1 USDC, with 8 decimals.
const USUAL_FEE: u64 = 100_000_000;

/// The chain of a world, once it is started.
pub(super) type SharedChain = Arc<OnceLock<Chain>>;

/// A local EVM with the contracts.
#[derive(Debug)]
pub(super) struct Chain {
    evm: Evm,
    usdc: Address,
    deposit_contract: Address,
}

impl Chain {
    /// Installs the contracts at the addresses in the settings.
    pub(super) async fn prepare(evm: Evm, config: &PerpVenueConfig) -> Result<Self> {
        let chain = Self { evm, usdc: config.usdc, deposit_contract: config.deposit_contract };
        for (address, code) in
            [(chain.usdc, USDC), (chain.deposit_contract, DEPOSIT_WALLET), (ACCOUNT_EXISTS, LOOKUP)]
        {
            let code = format!("0x{}", code.trim());
            chain.evm.call("anvil_setCode", json!([text(address), code])).await?;
        }
        chain.store(chain.deposit_contract, slot(TOKEN), chain.usdc.into_word()).await?;
        chain.set_activation_fee(USUAL_FEE).await?;
        Ok(chain)
    }

    pub(super) const fn evm(&self) -> &Evm {
        &self.evm
    }

    async fn store(&self, of: Address, slot: B256, value: B256) -> Result<()> {
        self.evm
            .call("anvil_setStorageAt", json!([text(of), text(slot), text(value)]))
            .await
            .map(drop)
    }

    async fn load(&self, of: Address, slot: B256) -> Result<U256> {
        let params = json!([text(of), text(slot), "latest"]);
        let word = self.evm.call("eth_getStorageAt", params).await?;
        let word = word.as_str().unwrap_or_default().parse::<B256>();
        Ok(U256::from_be_bytes(word.context("a word of the storage")?.0))
    }

    pub(super) async fn set_usdc(&self, wallet: Address, amount: Usdc) -> Result<()> {
        self.store(self.usdc, entry(BALANCES, wallet), amount.micros().into()).await
    }

    /// Adds to a wallet's USDC.
    pub(super) async fn receive(&self, wallet: Address, amount: Usdc) -> Result<()> {
        let held = self.load(self.usdc, entry(BALANCES, wallet)).await?;
        let sum = Usdc::from_micros(held).checked_add(amount);
        self.set_usdc(wallet, sum.context("the sum of two amounts")?).await
    }

    pub(super) async fn set_gas(&self, wallet: Address, wei: U256) -> Result<()> {
        self.evm.call("anvil_setBalance", json!([text(wallet), text(wei)])).await.map(drop)
    }

    pub(super) async fn set_exists(&self, wallet: Address, exists: bool) -> Result<()> {
        self.store(ACCOUNT_EXISTS, wallet.into_word(), flag(exists)).await?;
        self.store(self.deposit_contract, entry(OPENED, wallet), flag(exists)).await
    }

    pub(super) async fn pause(&self, paused: bool) -> Result<()> {
        self.store(self.deposit_contract, slot(PAUSED), flag(paused)).await
    }

    pub(super) async fn set_activation_fee(&self, fee: u64) -> Result<()> {
        self.store(self.deposit_contract, slot(ACTIVATION_FEE), U256::from(fee).into()).await
    }

    pub(super) async fn forward_nothing(&self, off: bool) -> Result<()> {
        self.store(self.deposit_contract, slot(FORWARDING_OFF), flag(off)).await
    }

    pub(super) async fn set_code(&self, wallet: Address, code: &str) -> Result<()> {
        self.evm.call("anvil_setCode", json!([text(wallet), code])).await.map(drop)
    }

    /// Credits of a wallet from deposits: its perpetuals balance and its spot balance.
    pub(super) async fn credited(&self, wallet: Address) -> Result<(Usdc, Usdc)> {
        let perps = self.credited_by(CREDITED, wallet).await?;
        Ok((perps, self.credited_by(CREDITED_TO_SPOT, wallet).await?))
    }

    async fn credited_by(&self, mapping: u8, wallet: Address) -> Result<Usdc> {
        let credited = self.load(self.deposit_contract, entry(mapping, wallet)).await?;
        Ok(Usdc::from_micros(credited.wrapping_div(U256::from(100))))
    }
}

/// Hex with the prefix 0x.
fn text(value: impl LowerHex) -> String {
    format!("{value:#x}")
}

fn slot(number: u8) -> B256 {
    U256::from(number).into()
}

/// Slot of an address in a mapping.
fn entry(mapping: u8, of: Address) -> B256 {
    keccak256((of, U256::from(mapping)).abi_encode())
}

fn flag(is_set: bool) -> B256 {
    slot(u8::from(is_set))
}

/// The proxy in front of the EVM, which exists before the EVM is up.
pub(super) struct Proxy {
    chain: SharedChain,
    lies: Mutex<Vec<(String, Value)>>,
    calls: AtomicUsize,
    refuses_batches: AtomicBool,
}

impl Proxy {
    pub(super) fn new(chain: SharedChain) -> Self {
        Self {
            chain,
            lies: Mutex::default(),
            calls: AtomicUsize::new(0),
            refuses_batches: AtomicBool::new(false),
        }
    }

    pub(super) fn lie(&self, part: &str, members: Value) {
        let mut lies = self.lies.lock().unwrap_or_else(PoisonError::into_inner);
        lies.retain(|(of, _)| of != part);
        if !members.is_null() {
            lies.push((part.to_owned(), members));
        }
    }

    pub(super) fn refuse_batches(&self, refuses: bool) {
        self.refuses_batches.store(refuses, Ordering::SeqCst);
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Replaces members of the answers that a lie matches.
    fn falsify(&self, requests: &Value, answers: &mut Value) {
        let lies = self.lies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let requests = requests.as_array().map_or(std::slice::from_ref(requests), Vec::as_slice);
        let answers = match answers {
            Value::Array(answers) => answers.as_mut_slice(),
            one => std::slice::from_mut(one),
        };
        for answer in answers {
            let request = requests.iter().find(|request| request.get("id") == answer.get("id"));
            let text = request.map(Value::to_string).unwrap_or_default();
            for (_, members) in lies.iter().filter(|(part, _)| text.contains(part.as_str())) {
                if let (Value::Object(answer), Value::Object(members)) = (&mut *answer, members) {
                    answer.remove("result");
                    answer.extend(members.clone());
                }
            }
        }
    }
}

/// Allows calls from any origin, as the real one does.
pub(super) fn router(proxy: Arc<Proxy>, mood: &SharedMood) -> Router {
    let router = Router::new().route("/", post(forward)).with_state(proxy.clone());
    let router = mood.over(router).layer(CorsLayer::permissive());
    router.layer(middleware::from_fn_with_state(proxy, count))
}

async fn count(State(proxy): State<Arc<Proxy>>, request: Request, next: Next) -> Response {
    if request.method() == http::Method::POST {
        proxy.calls.fetch_add(1, Ordering::SeqCst);
    }
    next.run(request).await
}

async fn forward(State(proxy): State<Arc<Proxy>>, body: Bytes) -> Response {
    let Some(chain) = proxy.chain.get() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "this world has no EVM").into_response();
    };
    let Ok(requests) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    if requests.is_array() && proxy.refuses_batches.load(Ordering::SeqCst) {
        let error = json!({ "code": -32005, "message": "batch limit exceeded" });
        return Json(json!({ "jsonrpc": "2.0", "id": null, "error": error })).into_response();
    }
    match chain.evm.client().post("/").json(&requests).try_send().await {
        Ok(mut answer) => {
            proxy.falsify(&requests, &mut answer.body);
            Json(answer.body).into_response()
        }
        Err(failure) => (StatusCode::BAD_GATEWAY, failure.to_string()).into_response(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A contract must be recompiled after a change to its source.
    #[test]
    fn the_committed_code_has_the_called_functions() {
        for (code, selector, name) in [
            (USDC, "095ea7b3", "approve"),
            (USDC, "70a08231", "balanceOf"),
            (USDC, "dd62ed3e", "allowance"),
            (USDC, "23b872dd", "transferFrom"),
            (DEPOSIT_WALLET, "2b2dfd2c", "deposit"),
            (DEPOSIT_WALLET, "5c975abb", "paused"),
            (DEPOSIT_WALLET, "820b3e1e", "newCoreAccountFee"),
            (DEPOSIT_WALLET, "a7917af3", "isDexForwardingDisabled"),
            (DEPOSIT_WALLET, "0e721e6e", "enabledDestinationDexes"),
        ] {
            // As the dispatcher compares it: PUSH4, without leading zeros.
            let compared = selector.trim_start_matches('0');
            assert!(code.contains(compared), "{name} is not in the code");
        }
    }
}
