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
    let now = shared::clock::Clock::now(stack.clock());
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
    assert_eq!(cell(row, "networkFeeSats"), issued.fee.to_string());

    let refunds = history(&alice.session.account, HistoryType::Refund).await;
    let [row] = refunds.as_slice() else { panic!("{refunds:?}") };
    assert_eq!(cell(row, "txId"), refund.to_string());
    assert_eq!(cell(row, "refundedTxIds"), bid.to_string());
    assert_eq!((cell(row, "refundedSats"), cell(row, "state")), ("4500", "inMempool"));
    let fee = world.issued(refund).await.fee;
    assert_eq!(cell(row, "networkFeeSats"), fee.to_string());
    assert_eq!(cell(row, "receivedSats"), (4_500 - fee).to_string());

    // Custody rule 13: another account's file has none of these rows.
    for kind in [HistoryType::VirtualMint, HistoryType::Refund] {
        assert!(history(&bob.session.account, kind).await.is_empty());
    }
}
