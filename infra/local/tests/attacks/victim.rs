//! What every user must still be able to do during an attack.

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Address, OutPoint, Psbt, Txid};
use chain::models::mint::MintState;
use local::{
    bitcoin::BitcoinWorld,
    client::{Answer, Client},
    mints::{MintWorld, Trader, txid_of},
    wallets::{NETWORK, Wallet},
};
use serde_json::json;

/// The longest answer of a source that is read whole, in bytes.
pub(crate) const LONGEST_ANSWER: usize = 1024 * 1024;

/// Length of a source's answer, in bytes.
pub(crate) async fn length_of(source: &str, path: &str) -> usize {
    let answer = Client::new(source.to_owned()).get(path).send().await.expect(200);
    answer.text.len()
}

/// A recipient of withdrawals.
pub(crate) fn recipient() -> Address {
    let address: Address<_> = Wallet::p2tr(999).address().parse().unwrap();
    address.require_network(NETWORK).unwrap()
}

/// Creates a withdrawal; `token` is a rune's id or `0:0`.
pub(crate) async fn create_withdrawal(
    world: &MintWorld,
    trader: &Trader,
    token: &str,
    amount: u128,
) -> Answer {
    let body = json!({ "type": "xchain-withdraw", "params": {
        "amount": amount.to_string(),
        "tokenId": token,
        "withdrawTo": recipient().to_string(),
        "xchainData": "0xdeadbeef",
    } });
    let call = world.client.post("/api/xchain/transaction").bearer(&world.token(trader).await);
    call.json(&body).send().await
}

/// The coins that the transaction of an answer spends.
pub(crate) fn inputs(created: &Answer) -> Vec<OutPoint> {
    let psbt = BASE64_STANDARD.decode(created.text_of("base64Psbt")).unwrap();
    let psbt = Psbt::deserialize(&psbt).unwrap();
    psbt.unsigned_tx.input.iter().map(|input| input.previous_output).collect()
}

/// Signs a withdrawal.
pub(crate) async fn sign_withdrawal(
    world: &MintWorld,
    trader: &Trader,
    created: &Answer,
) -> Answer {
    let signed = trader.signed(created.text_of("base64Psbt"));
    let body = json!({ "type": "xchain-withdraw", "params": { "signedBase64Tx": signed } });
    let path = "/api/xchain/transaction/sign";
    world.client.post(path).bearer(&world.token(trader).await).json(&body).send().await
}

/// Withdraws, and asserts that the network accepts it and the amount arrives. Returns the created
/// transaction.
pub(crate) async fn withdraws(
    world: &MintWorld,
    trader: &Trader,
    token: &str,
    amount: u128,
) -> Answer {
    let chain = world.stack.bitcoin();
    let before = held(chain, token).await;
    let created = create_withdrawal(world, trader, token, amount).await.expect(201);
    let answer = sign_withdrawal(world, trader, &created).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool", "{answer}");
    world.mine(1).await;
    assert_eq!(held(chain, token).await, before + amount);
    created
}

async fn held(chain: &BitcoinWorld, token: &str) -> u128 {
    let recipient = recipient();
    if token == "0:0" {
        let coins = chain.coins(&recipient).await.unwrap();
        return coins.iter().map(|coin| u128::from(coin.output.value.to_sat())).sum();
    }
    chain.runes_of(&recipient).await.unwrap().values().sum()
}

/// Bids for all 12 requests of a mint, is outbid for 4 of them, and receives 8 payouts and a refund of the
/// rest.
pub(crate) async fn mints_and_is_refunded(world: &MintWorld, trader: &Trader) -> Txid {
    let chain = world.stack.bitcoin();
    let runes = async || -> u128 {
        let coins = chain.coins(&trader.trading).await.unwrap().into_iter();
        let mut sum = 0;
        // Not all of the dust: runes come with 546 sats.
        for coin in coins.filter(|coin| coin.output.value.to_sat() == 546) {
            let runes = chain.runes_in(coin.outpoint).await.unwrap().unwrap_or_default();
            sum += runes.values().sum::<u128>();
        }
        sum
    };
    let before = runes().await;
    let mint = world.mint(&json!({ "totalRequests": 12 })).await;
    let other = world.trader(2, &[100_000]).await;
    let batch = world.bid(trader, 12, 5_000).await;
    world.bid(&other, 4, 6_000).await;
    for _block in 0..20 {
        world.mine(1).await;
        if world.mint_row(mint).await.state == MintState::Distributed {
            break;
        }
    }
    assert_eq!(world.mint_row(mint).await.state, MintState::Distributed);
    assert_eq!(runes().await, before + 8_000);

    let created = world.create_refund(trader).await.expect(201);
    let signed = trader.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(trader, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool", "{answer}");
    let refund = txid_of(&created);
    world.mine(7).await;
    assert_eq!(world.listed(batch).await["refundState"], "refunded");
    refund
}

/// Sees what the trading wallet holds, and can empty it and renew a coin, as far as one transaction goes. Both
/// transactions are released again.
pub(crate) async fn sees_and_empties_the_wallet(world: &MintWorld, trader: &Trader) {
    let token = world.token(trader).await;
    for path in ["/api/account/trading-wallet/balance", "/api/account/trading-wallet/coins"] {
        let answer = world.client.get(path).bearer(&token).send().await.expect(200);
        assert_eq!(answer.body["metaData"]["checks"], "complete", "{answer}");
    }
    let kit = world.client.get("/api/account/trading-wallet/recovery-kit").bearer(&token);
    let kit = kit.send().await.expect(200);
    assert!(kit.data()["coins"].as_array().is_some_and(|coins| !coins.is_empty()), "{kit}");
    let to = recipient().to_string();
    let params = json!({ "tokenId": "0:0", "amount": "max", "withdrawTo": to });
    let max = json!({ "type": "withdraw", "params": params });
    let create = async |body: &serde_json::Value| {
        let call = world.client.post("/api/transactions").bearer(&token);
        let created = call.json(body).send().await.expect(201);
        let path = format!("/api/transactions/{}", txid_of(&created));
        world.client.delete(path).bearer(&token).send().await.expect(200);
        created
    };
    let created = create(&max).await;
    let coin = inputs(&created)[0].to_string();
    create(&json!({ "type": "renew-utxo", "params": { "txIdVouts": [coin] } })).await;
}
