//! Each form of a wallet's signature signs in. Each row of the table in docs/guides/sign-in.md names one of
//! these tests; `infra/local/tests/checklist.rs` compares the two.

use local::{
    LocalStack,
    client::{Answer, Client},
    wallets::{Form, Kind, Wallet, challenge, malleated, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

use crate::{world, world_of};

/// The body of a sign-in with a signature of a challenge.
async fn proof(client: &Client, wallet: &Wallet, sign: impl Fn(&str) -> String) -> Value {
    let asked = challenge(client, wallet, "signIn", None).await;
    let signature = json!({ "signature": sign(asked.text_of("message")) });
    with(wallet.signed_challenge(&asked), &signature)
}

async fn sign_in(client: &Client, wallet: &Wallet, sign: impl Fn(&str) -> String) -> Answer {
    let body = proof(client, wallet, sign).await;
    client.post("/auth/authenticate").json(&body).send().await
}

/// The form signs in; the same form of another text or by another key does not.
async fn signs_in(client: &Client, wallet: &Wallet, sign: impl Fn(&Wallet, &str) -> String) {
    let answer = sign_in(client, wallet, |message| sign(wallet, message)).await.expect(200);
    let back = sign_in(client, wallet, |message| wallet.sign(message)).await.expect(200);
    assert_eq!(answer.data()["account"]["id"], back.data()["account"]["id"], "{wallet:?}");
    let other = sign_in(client, wallet, |message| sign(wallet, &format!("{message} "))).await;
    other.expect_error(Problem::SignatureInvalid);
    let stranger = Wallet::new(wallet.kind(), 99);
    sign_in(client, wallet, |message| sign(&stranger, message))
        .await
        .expect_error(Problem::SignatureInvalid);
}

#[tokio::test]
async fn p2tr_signs_in_by_bip_322() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2tr(1);
    signs_in(&client, &wallet, Wallet::sign).await;
    signs_in(&client, &wallet, |wallet, text| wallet.sign_as(Form::Bip322Full, text)).await;
}

#[tokio::test]
async fn p2wpkh_signs_in_by_bip_322() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    signs_in(&client, &wallet, Wallet::sign).await;
    signs_in(&client, &wallet, |wallet, text| wallet.sign_as(Form::Bip322Full, text)).await;
}

#[tokio::test]
async fn p2wpkh_signs_in_by_signed_message() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    for first in [31, 35, 39] {
        let form = Form::SignedMessage(first);
        signs_in(&client, &wallet, |wallet, text| wallet.sign_as(form, text)).await;
    }
    for first in [27, 43] {
        let sign = |text: &str| wallet.sign_as(Form::SignedMessage(first), text);
        sign_in(&client, &wallet, sign).await.expect_error(Problem::SignatureInvalid);
    }
}

#[tokio::test]
async fn p2sh_p2wpkh_signs_in_by_bip_322() {
    let (_stack, client) = world().await;
    let wallet = Wallet::new(Kind::P2shP2wpkh, 1);
    signs_in(&client, &wallet, |wallet, text| wallet.sign_as(Form::Bip322Full, text)).await;
}

#[tokio::test]
async fn p2sh_p2wpkh_signs_in_by_signed_message() {
    let (_stack, client) = world().await;
    let wallet = Wallet::new(Kind::P2shP2wpkh, 1);
    for first in [31, 35] {
        let form = Form::SignedMessage(first);
        signs_in(&client, &wallet, |wallet, text| wallet.sign_as(form, text)).await;
    }
}

#[tokio::test]
async fn p2pkh_signs_in_by_bip_322() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2pkh(1);
    signs_in(&client, &wallet, |wallet, text| wallet.sign_as(Form::Bip322Full, text)).await;
}

#[tokio::test]
async fn p2pkh_signs_in_by_signed_message() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2pkh(1);
    signs_in(&client, &wallet, Wallet::sign).await;
    signs_in(&client, &wallet, |wallet, text| malleated(&wallet.sign(text))).await;
}

#[tokio::test]
async fn evm_signs_in_by_eip_191() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(1);
    signs_in(&client, &wallet, Wallet::sign).await;
    signs_in(&client, &wallet, |wallet, text| wallet.sign(text).replacen("0x", "", 1)).await;
}

#[tokio::test]
async fn evm_signs_in_by_erc_8010() {
    let (_stack, client) = world().await;
    let wallet = Wallet::evm(1);
    signs_in(&client, &wallet, |wallet, text| wallet.sign_as(Form::PreDelegated, text)).await;
}

/// A retry does not help, so the answer says what is missing.
#[tokio::test]
async fn without_a_node_a_contract_wallet_learns_what_is_missing() {
    let stack = LocalStack::builder().setting("EVM_RPC_URL", "").build().await;
    let (_stack, client) = world_of(stack).await;
    let wallet = Wallet::evm(1);
    let other = Wallet::evm(2);
    for signature in [
        format!("0x{}", "ab".repeat(200)),
        other.sign_as(Form::PreDelegated, "a text of another wallet"),
    ] {
        let refused = sign_in(&client, &wallet, |_| signature.clone()).await;
        let refused = refused.expect_error(Problem::SignatureInvalid);
        let details = refused.body["details"].as_str().unwrap();
        assert!(details.contains("EVM_RPC_URL") && details.contains("own key"), "{details}");
    }
}

#[tokio::test]
async fn solana_signs_in_by_message() {
    let (_stack, client) = world().await;
    signs_in(&client, &Wallet::solana(1), Wallet::sign).await;
}

#[tokio::test]
async fn solana_signs_in_by_off_chain_message() {
    let (_stack, client) = world().await;
    let wallet = Wallet::solana(1);
    for form in [Form::OffChain, Form::OffChainEnvelope] {
        signs_in(&client, &wallet, |wallet, text| wallet.sign_as(form, text)).await;
    }
}
