//! Contract wallets whose code burns gas, hangs or returns nonsense count as an invalid signature, never as a
//! failure of the service. A contract's proof counts only on its own chain.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use axum::{Json, Router, extract::State, response::IntoResponse, routing::post};
use http::StatusCode;
use local::{
    LocalStack,
    client::{Answer, Client},
    evm::Evm,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::problem::Problem;

/// `JUMPDEST PUSH1 0 JUMP`: runs forever.
const LOOP: &str = "5b600056";
/// `PUSH3 2,097,151 PUSH1 0 RETURN`: returns more than the service ever reads.
const FLOOD: &str = "621fffff6000f3";
/// `PUSH1 0 PUSH1 0 REVERT`.
const REVERT: &str = "60006000fd";
/// `INVALID`: consumes all gas.
const INVALID: &str = "fe";
/// `CALLDATASIZE PUSH1 0 PUSH1 0 CALLDATACOPY CALLDATASIZE PUSH1 0 RETURN`: returns its input.
const ECHO: &str = "366000600037366000f3";
/// Accepts every signature: `PUSH4 1626ba7e PUSH1 e0 SHL PUSH1 0 MSTORE PUSH1 20 PUSH1 0 RETURN`.
const YES: &str = "631626ba7e60e01b60005260206000f3";

/// Creation code of a contract with this code: `PUSH1 n PUSH1 c PUSH1 0 CODECOPY PUSH1 n PUSH1 0 RETURN`,
/// then the code.
fn creation(code: &str) -> String {
    let length = code.len() / 2;
    format!("60{length:02x}600c60003960{length:02x}6000f3{code}")
}

async fn deploy(evm: &Evm, code: &str) -> String {
    let from = evm.call("eth_accounts", json!([])).await.unwrap()[0].clone();
    let data = format!("0x{}", creation(code));
    let transaction = json!([{ "from": from, "data": data, "gas": "0x200000" }]);
    let sent = evm.call("eth_sendTransaction", transaction).await.unwrap();
    evm.call("evm_mine", json!([])).await.unwrap();
    let receipt = evm.call("eth_getTransactionReceipt", json!([sent])).await.unwrap();
    let address = receipt["contractAddress"].as_str().unwrap().to_owned();
    let stored = evm.call("eth_getCode", json!([address, "latest"])).await.unwrap();
    assert_eq!(stored, format!("0x{code}"));
    address
}

async fn attempt(client: &Client, address: &str, signature: &str) -> Answer {
    let path = format!("/auth/wallet/challenge?address={address}&chain=evm");
    let challenge = client.get(path).send().await.expect(200);
    let body = json!({
        "challengeId": challenge.text_of("challengeId"), "signature": signature,
        "address": address, "publicKey": "", "chain": "evm",
    });
    client.post("/auth/authenticate").json(&body).send().await
}

/// An EIP-6492 signature with this factory.
fn wrapped(factory: &str) -> String {
    let word = |number: u64| format!("{number:064x}");
    let factory = format!("{:0>64}", factory.trim_start_matches("0x"));
    let empty = word(0);
    format!("0x{factory}{}{}{empty}{empty}{}", word(96), word(128), "6492".repeat(16))
}

#[tokio::test]
async fn custody_24_code_that_burns_gas_is_an_invalid_signature() {
    let evm = Evm::start(1, None).await.unwrap();
    let stack = LocalStack::builder().evm_rpc(evm.url()).build().await;
    let client = stack.serve(local::functions::routes()).await;
    let long = format!("0x{}", "ab".repeat(66));
    for code in [LOOP, FLOOD, REVERT, INVALID, ECHO] {
        let contract = deploy(&evm, code).await;
        // Execution ends by itself: a local world waits for it as long as a request may take, and then answers 503.
        attempt(&client, &contract, &long).await.expect_error(Problem::SignatureInvalid);
        // The same code as a factory, for an address without a contract.
        let no_contract = "0x00000000000000000000000000000000000000aa";
        attempt(&client, no_contract, &wrapped(&contract))
            .await
            .expect_error(Problem::SignatureInvalid);
        // And for one with a contract, whose deployment is never run.
        attempt(&client, &contract, &wrapped(&contract))
            .await
            .expect_error(Problem::SignatureInvalid);
    }
    let agrees = deploy(&evm, YES).await;
    attempt(&client, &agrees, &long).await.expect(200);
}

/// A node in front of another one that hangs in executions or in everything.
struct SlowNode {
    url: String,
    everything: Arc<AtomicBool>,
}

impl SlowNode {
    async fn in_front_of(evm: &Evm) -> Self {
        let everything = Arc::new(AtomicBool::new(false));
        let state = (Client::new(evm.url()), everything.clone());
        let router = Router::new().route("/", post(Self::answer)).with_state(state);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, everything }
    }

    async fn answer(
        State((node, everything)): State<(Client, Arc<AtomicBool>)>,
        Json(question): Json<Value>,
    ) -> axum::response::Response {
        let runs = question["method"] == "eth_call" && question["params"][0]["data"] != "0x";
        if runs || everything.load(Ordering::Relaxed) {
            return std::future::pending().await;
        }
        Json(node.post("/").json(&question).send().await.body).into_response()
    }
}

#[tokio::test]
async fn an_endless_execution_differs_from_a_node_that_is_down() {
    let evm = Evm::start(1, None).await.unwrap();
    let node = SlowNode::in_front_of(&evm).await;
    let stack = LocalStack::builder().evm_rpc(&node.url).impatient().build().await;
    let client = stack.serve(local::functions::routes()).await;
    let contract = deploy(&evm, LOOP).await;
    let long = format!("0x{}", "ab".repeat(66));
    attempt(&client, &contract, &long).await.expect_error(Problem::SignatureInvalid);
    node.everything.store(true, Ordering::Relaxed);
    attempt(&client, &contract, &long).await.expect_error(Problem::ContractWalletUnavailable);
    // Accounts with a key need no node.
    sign_in(&client, &Wallet::evm(1)).await;
}

#[tokio::test]
async fn a_node_of_another_chain_is_not_trusted() {
    let evm = Evm::start(10, None).await.unwrap();
    let contract = deploy(&evm, YES).await;
    let world = async |chain: &str| {
        let builder = LocalStack::builder().evm_rpc(evm.url()).setting("EVM_CHAIN_ID", chain);
        let stack = builder.build().await;
        let client = stack.serve(local::functions::routes()).await;
        (stack, client)
    };
    let (_stack, client) = world("1").await;
    let long = format!("0x{}", "ab".repeat(66));
    attempt(&client, &contract, &long).await.expect_error(Problem::ContractWalletUnavailable);
    sign_in(&client, &Wallet::evm(1)).await;
    let (_stack, client) = world("10").await;
    attempt(&client, &contract, &long).await.expect(200);
}

#[tokio::test]
async fn a_contracts_address_names_the_chain_of_its_proof() {
    let evm = Evm::start(1, None).await.unwrap();
    let stack = LocalStack::builder().evm_rpc(evm.url()).build().await;
    let client = stack.serve(local::functions::routes()).await;
    let (contract, linked) = (deploy(&evm, YES).await, deploy(&evm, YES).await);
    let any = "0xabab";
    let by_contract = SignedIn::of(&attempt(&client, &contract, any).await.expect(200)).unwrap();
    assert_eq!(by_contract.data["account"]["addresses"][0]["contractChainId"], 1);

    let wallet = Wallet::evm(1);
    let by_key = sign_in(&client, &wallet).await;
    assert_eq!(by_key.data["account"]["addresses"][0].get("contractChainId"), None);
    let path = format!("/auth/wallet/challenge?address={linked}&chain=evm&purpose=link");
    let asked = client.get(path).bearer(&by_key.access_token).send().await.expect(200);
    let body = json!({
        "challengeId": asked.text_of("challengeId"), "signature": any,
        "address": linked, "chain": "evm",
    });
    let link = client.post("/api/account/addresses").bearer(&by_key.access_token).json(&body);
    link.send().await.expect(201);
    let me = client.get("/api/account/me").bearer(&by_key.access_token).send().await.expect(200);
    assert_eq!(me.data()["addresses"][1]["address"], linked.to_lowercase());
    assert_eq!(me.data()["addresses"][1]["contractChainId"], 1);
}

/// The setting names another chain later: the owner of a contract at the same address there gains no access
/// to the account.
#[tokio::test]
async fn a_contract_on_another_chain_cannot_sign_in_to_the_account() {
    let (first, second) = (Evm::start(1, None).await.unwrap(), Evm::start(10, None).await.unwrap());
    let contract = deploy(&first, YES).await;
    assert_eq!(deploy(&second, YES).await, contract, "the same deployer, the same address");
    let stack = LocalStack::builder().evm_rpc(first.url()).build().await;
    let client = stack.serve(local::functions::routes()).await;
    for _twice in 0..2 {
        attempt(&client, &contract, "0xab").await.expect(200);
    }

    let moved = [("EVM_RPC_URL", second.url()), ("EVM_CHAIN_ID", "10")];
    let moved = stack.app().changed(&moved);
    let client = stack.serve_app(moved, local::functions::routes()).await;
    attempt(&client, &contract, "0xab").await.expect_error(Problem::SignatureInvalid);
    sign_in(&client, &Wallet::evm(2)).await;
}

/// A node in front of another one that counts what it is asked, and may be down.
struct CountingNode {
    url: String,
    asked: Arc<AtomicUsize>,
    is_down: Arc<AtomicBool>,
}

impl CountingNode {
    async fn in_front_of(evm: &Evm) -> Self {
        let (asked, is_down) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let state = (Client::new(evm.url()), asked.clone(), is_down.clone());
        let router = Router::new().route("/", post(Self::answer)).with_state(state);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, asked, is_down }
    }

    async fn answer(
        State((node, asked, is_down)): State<(Client, Arc<AtomicUsize>, Arc<AtomicBool>)>,
        Json(question): Json<Value>,
    ) -> axum::response::Response {
        asked.fetch_add(1, Ordering::Relaxed);
        if is_down.load(Ordering::Relaxed) {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        Json(node.post("/").json(&question).send().await.body).into_response()
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

/// While the node is down, a flood of signatures of contract wallets does not hold up functions. A contract
/// whose code fails does not make the node unavailable to the others.
#[tokio::test]
async fn custody_32_a_node_that_fails_is_left_alone_and_failing_code_changes_nothing() {
    let evm = Evm::start(1, None).await.unwrap();
    let node = CountingNode::in_front_of(&evm).await;
    let stack = LocalStack::builder().evm_rpc(&node.url).build().await;
    let client = stack.serve(local::functions::routes()).await;
    let (reverts, agrees) = (deploy(&evm, REVERT).await, deploy(&evm, YES).await);
    let long = format!("0x{}", "ab".repeat(66));
    for _more_than_open_it in 0..8 {
        let asked = node.asked();
        attempt(&client, &reverts, &long).await.expect_error(Problem::SignatureInvalid);
        assert!(node.asked() > asked);
    }
    attempt(&client, &agrees, &long).await.expect(200);

    node.is_down.store(true, Ordering::Relaxed);
    for _ in 0..5 {
        attempt(&client, &agrees, &long).await.expect_error(Problem::ContractWalletUnavailable);
    }
    let asked = node.asked();
    for _ in 0..5 {
        attempt(&client, &agrees, &long).await.expect_error(Problem::ContractWalletUnavailable);
    }
    assert_eq!(node.asked(), asked, "the open breaker asks nothing");
    // Wallets with a key need no node.
    sign_in(&client, &Wallet::evm(1)).await;
    node.is_down.store(false, Ordering::Relaxed);
    stack.clock().advance(base::breaker::PAUSE);
    attempt(&client, &agrees, &long).await.expect(200);
}
