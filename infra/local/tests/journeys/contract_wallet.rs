//! Contract wallets on a local EVM: EIP-1271 for deployed ones, EIP-6492 for those that are not deployed yet.

use alloy::primitives::{Address, B256, U256, hex, keccak256};
use local::{
    LocalStack,
    client::{Answer, Client},
    evm::Evm,
    wallets::{Wallet, register},
};
use serde_json::{Value, json};
use shared::problem::Problem;

/// `Wallet.sol` has the source and the compiler settings.
const CREATION_CODE: &str = include_str!("../contract_wallet/Wallet.hex");
/// Arachnid's deterministic deployment proxy, which anvil deploys at its start.
const FACTORY: &str = "0x4e59b44847b379578588920ca78fbf26c0b4956c";

/// Deploys the wallet of an owner; returns its address.
async fn deploy(evm: &Evm, owner: &Wallet) -> String {
    let from = evm.call("eth_accounts", json!([])).await.unwrap()[0].clone();
    let data = hex::encode_prefixed(creation_code(owner));
    let transaction = json!([{ "from": from, "data": data, "gas": "0x200000" }]);
    let sent = evm.call("eth_sendTransaction", transaction).await.unwrap();
    evm.call("evm_mine", json!([])).await.unwrap();
    let receipt = evm.call("eth_getTransactionReceipt", json!([sent])).await.unwrap();
    assert_eq!(receipt["status"], "0x1");
    receipt["contractAddress"].as_str().unwrap().to_owned()
}

fn creation_code(owner: &Wallet) -> Vec<u8> {
    let owner: Address = owner.address().parse().unwrap();
    [hex::decode(CREATION_CODE.trim()).unwrap(), owner.into_word().to_vec()].concat()
}

/// Signs a contract in with a signature of `signer` that `wrap` transforms.
async fn sign_in(
    client: &Client,
    contract: &str,
    signer: &Wallet,
    wrap: impl Fn(String) -> String,
) -> Answer {
    let path = format!("/auth/wallet/challenge?address={contract}&chain=evm");
    let challenge = client.get(path).send().await.expect(200);
    let body = json!({
        "challengeId": challenge.text_of("challengeId"),
        "signature": wrap(signer.sign(challenge.text_of("message"))),
        "address": contract, "publicKey": "", "chain": "evm", "provider": "safe",
    });
    client.post("/auth/authenticate").json(&body).send().await
}

/// EIP-6492: the signature of a wallet that its factory has not deployed yet.
fn undeployed(signature: &str, salt: B256, creation_code: &[u8]) -> String {
    let word = |number: usize| U256::from(number).to_be_bytes::<32>().to_vec();
    let bytes = |bytes: &[u8]| {
        let mut padded = word(bytes.len());
        padded.extend(bytes);
        padded.resize(padded.len().next_multiple_of(32), 0);
        padded
    };
    let factory: Address = FACTORY.parse().unwrap();
    let deploy = bytes(&[salt.as_slice(), creation_code].concat());
    let inner = bytes(&hex::decode(signature).unwrap());
    let offsets = [factory.into_word().to_vec(), word(96), word(96 + deploy.len())].concat();
    hex::encode_prefixed([offsets, deploy, inner, [0x64, 0x92].repeat(16)].concat())
}

#[tokio::test]
async fn a_contract_wallet_signs_in() {
    let evm = Evm::start(1, None).await.unwrap();
    let stack = LocalStack::builder().evm_rpc(evm.url()).build().await;
    let client = stack.serve(local::functions::routes()).await;
    let (owner, other) = (Wallet::evm(1), Wallet::evm(2));
    let contract = deploy(&evm, &owner).await;

    let signed_in = sign_in(&client, &contract, &owner, |signature| signature).await.expect(200);
    assert_eq!(signed_in.data()["wallet"]["address"], contract.to_lowercase().as_str());
    assert_eq!(signed_in.data()["wallet"]["publicKey"], Value::Null);
    sign_in(&client, &contract, &other, |signature| signature)
        .await
        .expect_error(Problem::SignatureInvalid);
    sign_in(&client, &contract, &owner, |_| "0x".to_owned())
        .await
        .expect_error(Problem::SignatureInvalid);
    let own = sign_in(&client, owner.address(), &owner, |signature| signature).await.expect(200);
    assert_ne!(
        own.data()["account"]["id"],
        signed_in.data()["account"]["id"],
        "the owner is not the wallet"
    );

    let (salt, code) = (B256::repeat_byte(7), creation_code(&owner));
    let planned =
        FACTORY.parse::<Address>().unwrap().create2(salt, keccak256(&code)).to_checksum(None);
    let wrap = |signature: String| undeployed(&signature, salt, &code);
    sign_in(&client, &planned, &owner, wrap).await.expect(200);
    sign_in(&client, &planned, &other, wrap).await.expect_error(Problem::SignatureInvalid);
    assert_eq!(
        evm.call("eth_getCode", json!([planned, "latest"])).await.unwrap(),
        "0x",
        "asking deploys nothing"
    );
}

#[tokio::test]
async fn contract_wallets_need_a_reachable_node() {
    let contract = "0x00000000000000000000000000000000000000aa";
    let (owner, long) = (Wallet::evm(1), |signature: String| format!("{signature}00"));
    let stack = LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    sign_in(&client, contract, &owner, long).await.expect_error(Problem::SignatureInvalid);

    let stack = LocalStack::builder().evm_rpc("http://127.0.0.1:1").build().await;
    let client = stack.serve(local::functions::routes()).await;
    sign_in(&client, contract, &owner, long).await.expect_error(Problem::ContractWalletUnavailable);
    sign_in(&client, owner.address(), &owner, |signature| signature).await.expect(200);
    let user = register(&client, &Wallet::evm(2), &json!({ "encryptedBlob": "AAEC" })).await;
    for (path, purpose, token) in [
        ("/auth/register/wallet", "signIn", None),
        ("/api/account/addresses", "link", Some(&user.access_token)),
        ("/api/account/wallet/rotate", "rotate", Some(&user.access_token)),
    ] {
        let ask = format!("/auth/wallet/challenge?address={contract}&chain=evm&purpose={purpose}");
        let ask = token.into_iter().fold(client.get(ask), |call, token| call.bearer(token));
        let challenge = ask.send().await.expect(200);
        let body = json!({
            "challengeId": challenge.text_of("challengeId"),
            "signature": long(owner.sign(challenge.text_of("message"))),
            "address": contract, "publicKey": "", "chain": "evm", "provider": "safe",
            "encryptedBlob": "AAEC",
        });
        let call = token.into_iter().fold(client.post(path), |call, token| call.bearer(token));
        call.json(&body).send().await.expect_error(Problem::ContractWalletUnavailable);
    }
}
