//! Histories of virtual mints and refunds, on a real node: signing a transaction enters it into the lists.

use local::mints::{MintWorld, txid_of};
use serde_json::json;
use shared::models::{
    account::AccountId,
    export::{HistoryChain, HistoryFilter, HistoryType},
};

use crate::{ask, make};

/// The cells of a file without quotes, row by row.
fn rows(text: &str) -> Vec<Vec<(String, String)>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<_> = lines.next().unwrap().collect();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(head, _)| head == name).unwrap().1
}

#[tokio::test]
async fn mints_and_refunds_have_a_history() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let mint = world.mint(&json!({ "totalRequests": 1_000, "tokensPerRequest": "1" })).await;
    let bid = world.bid(&alice, 3, 1_500).await;
    world.mine(1).await;
    world.close(mint).await;
    world.watch().await;
    world.mine(7).await;
    world.watch().await;
    let created = world.create_refund(&alice).await.expect(201);
    let refund = txid_of(&created);
    world.sign_refund(&alice, &alice.signed(created.text_of("base64Psbt"))).await.expect(201);

    let stack = &world.stack;
    let now = base::clock::Clock::now(stack.clock());
    let filter = |kind| HistoryFilter {
        chain: Some(HistoryChain::Bitcoin),
        kind,
        from: now.minus(std::time::Duration::from_secs(86_400)),
        to: now,
    };
    let history = async |account: &str, kind| {
        let account: AccountId = account.parse().unwrap();
        rows(&make(stack, &ask(stack, account, filter(kind)).await).await)
    };
    let vm = history(&alice.session.account, HistoryType::VirtualMint).await;
    let [row] = vm.as_slice() else { panic!("{vm:?}") };
    assert_eq!(cell(row, "txId"), bid.to_string());
    assert_eq!((cell(row, "requests"), cell(row, "requestedSats")), ("3", "4500"));
    assert_eq!((cell(row, "paidSats"), cell(row, "refundState")), ("4500", "broadcast"));
    assert_eq!(cell(row, "refundTxId"), refund.to_string());
    let issued = world.issued(bid).await;
    assert_eq!(cell(row, "feeSats"), issued.fee.to_string());

    let withdrawn = history(&alice.session.account, HistoryType::Withdraw).await;
    assert!(withdrawn.is_empty(), "{withdrawn:?}");
    // All movements: the batch, the refund and the deposit.
    let moved = history(&alice.session.account, HistoryType::All).await;
    let of_kind = |kind: &str| moved.iter().find(|row| cell(row, "type") == kind).unwrap();
    let batch = of_kind("virtual_mint");
    assert_eq!((cell(batch, "txId"), cell(batch, "state")), (&*bid.to_string(), "notTaken"));
    assert_eq!((cell(batch, "tokenId"), cell(batch, "amount")), ("0:0", "4500"));
    let back = of_kind("refund");
    let fee = world.issued(refund).await.fee;
    assert_eq!((cell(back, "txId"), cell(back, "receivedTokenId")), (&*refund.to_string(), "0:0"));
    assert_eq!(cell(back, "receivedAmount"), (4_500 - fee).to_string());

    let refunds = history(&alice.session.account, HistoryType::Refund).await;
    let [row] = refunds.as_slice() else { panic!("{refunds:?}") };
    assert_eq!(cell(row, "txId"), refund.to_string());
    assert_eq!(cell(row, "refundedTxIds"), bid.to_string());
    assert_eq!((cell(row, "totalSats"), cell(row, "state")), ("4500", "inMempool"));
    let fee = world.issued(refund).await.fee;
    assert_eq!(cell(row, "feeSats"), fee.to_string());
    assert_eq!(cell(row, "refundedSats"), (4_500 - fee).to_string());

    // Custody rule 13: another account's file has none of these rows.
    for kind in [HistoryType::VirtualMint, HistoryType::Refund, HistoryType::All] {
        assert!(history(&bob.session.account, kind).await.is_empty());
    }
}

/// A withdrawal is in the history, whether or not it goes through the hub.
#[tokio::test]
async fn withdrawals_through_the_hub_and_plain_ones_have_one_history() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000, 100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let to = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
    let mut made = Vec::new();
    for (path, params) in [
        ("/api/transactions", json!({ "amount": "20000", "tokenId": "0:0", "withdrawTo": to })),
        (
            "/api/xchain/transaction",
            json!({ "amount": "30000", "tokenId": "0:0", "withdrawTo": to, "xchainData": "00" }),
        ),
    ] {
        let kind = if path.contains("xchain") { "xchain-withdraw" } else { "withdraw" };
        let body = json!({ "type": kind, "params": params });
        let call = world.client.post(path).bearer(&alice.session.access_token).json(&body);
        let created = call.send().await.expect(201);
        let signed = alice.signed(created.text_of("base64Psbt"));
        let body = json!({ "type": kind, "params": { "signedBase64Tx": signed } });
        let call = world.client.post(format!("{path}/sign")).bearer(&alice.session.access_token);
        call.json(&body).send().await.expect(201);
        // The change of the first pays for the second.
        world.mine(1).await;
        made.push((kind, params["amount"].as_str().unwrap().to_owned(), txid_of(&created)));
    }
    let stack = &world.stack;
    let now = base::clock::Clock::now(stack.clock());
    let filter = |kind, chain| HistoryFilter {
        chain,
        kind,
        from: now.minus(std::time::Duration::from_secs(86_400)),
        to: now,
    };
    let history = async |account: &str, kind, chain| {
        let account: AccountId = account.parse().unwrap();
        rows(&make(stack, &ask(stack, account, filter(kind, chain)).await).await)
    };
    let own = &alice.session.account;
    for kind in [HistoryType::Withdraw, HistoryType::All] {
        for chain in [None, Some(HistoryChain::Bitcoin)] {
            let found = history(own, kind, chain).await;
            let found: Vec<_> = found.iter().filter(|row| cell(row, "type") != "deposit").collect();
            assert_eq!(found.len(), 2, "{found:?}");
            for (row, (kind, amount, txid)) in found.iter().zip(&made) {
                assert_eq!((cell(row, "type"), cell(row, "amount")), (*kind, amount.as_str()));
                assert_eq!((cell(row, "txId"), cell(row, "withdrawTo")), (&*txid.to_string(), to));
                let fee = world.issued(*txid).await.fee;
                assert_eq!(cell(row, "feeSats"), fee.to_string());
            }
        }
    }
    assert!(history(own, HistoryType::Withdraw, Some(HistoryChain::Id(30))).await.is_empty());
    assert!(history(&bob.session.account, HistoryType::Withdraw, None).await.is_empty());

    // Each of the three addresses finds the withdrawal through the hub.
    let (_, _, txid) = &made[1];
    let listed = async |address: &str| {
        let path = format!("/api/xchain/transactions?relatedAddress_eq={address}");
        world.client.get(path).send().await.expect(200).data().clone()
    };
    let row = listed(to).await[0].clone();
    assert_eq!(row["id"], txid.to_string(), "{row}");
    for name in ["userAddress", "tradingAddress", "withdrawTo"] {
        assert_eq!(listed(row[name].as_str().unwrap()).await[0], row, "{name}");
    }
    assert_ne!(row["userAddress"], row["tradingAddress"], "{row}");
}
