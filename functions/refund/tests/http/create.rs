//! `POST /api/refund`.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::Amount;
use chain::{
    bitcoin::runes::Rune,
    keys,
    mints::{Mint, VmTransaction},
    models::mint::MintId,
};
use local::{
    bitcoin::Etching,
    client::twenty_at_once,
    mints::Paid,
    mood::Mood,
    wallets::{Wallet, challenge, sign_in},
};
use ordinals::RuneId;
use shared::problem::Problem;
use store::{Update, Writes, lists};

use super::*;

/// Sets the rate of later calculations, in sat/vB.
async fn set_rate(world: &MintWorld, rate: f64) {
    world.stack.bitcoin().set_fees([(1, rate)].into()).unwrap();
    world.pass(Duration::from_secs(11 * 60)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_pays_exactly_what_was_calculated() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 2, 3_000)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    world.stack.bitcoin().fund(&alice.trading, 40_000).await.unwrap();
    world.mine(1).await;
    let (total, fee, refunded) = figures(&world, &alice).await;
    assert_eq!(total, 11_000);
    for (field, value) in [
        ("type", json!("withdraw")),
        ("runeIds", json!([])),
        ("runeIds", json!(vec!["1:1"; 41])),
        ("runeIds", json!("1:1")),
        ("runeIds", json!(["0:0"])),
        ("userAddress", json!("")),
        ("refundableSats", json!("1")),
        ("refundableSats", json!(-1)),
    ] {
        let refused = create_with(&world, &alice, &json!({ field: value })).await;
        let refused = refused.expect_error(Problem::Validation);
        assert!(refused.body["errors"][0]["field"].as_str().unwrap().starts_with(field));
    }
    for expected in [0, refunded - 1, refunded + 1, total] {
        let echo = json!({ "refundableSats": expected });
        create_with(&world, &alice, &echo).await.expect_error(Problem::RefundChanged);
    }
    // A rate change in between makes it a different refund.
    set_rate(&world, 20.0).await;
    let echo = json!({ "refundableSats": refunded });
    create_with(&world, &alice, &echo).await.expect_error(Problem::RefundChanged);
    let (_, higher, less) = figures(&world, &alice).await;
    assert!(higher > 3 * fee && less == total - higher);
    set_rate(&world, 5.0).await;
    assert_eq!(figures(&world, &alice).await, (total, fee, refunded));
    assert!(!is_stored(&world, "reservation#"));
    let none = (RefundState::None, None);
    assert_eq!(refund_states(&world, mint, &txids).await, [none, none]);

    let created = create_with(&world, &alice, &echo).await.expect(201);
    let (psbt, data) = (psbt_of(&created), created.data());
    let (mut inputs, mut paid) = (spent(&psbt), sources(&world, mint, &txids).await);
    let own = inputs.pop().unwrap();
    inputs.sort_unstable();
    paid.sort_unstable();
    assert_eq!(inputs, paid);
    let coins = world.stack.bitcoin().coins(&alice.trading).await.unwrap();
    let own = coins.iter().find(|coin| coin.outpoint == own).unwrap();
    let outputs: Vec<_> = psbt.unsigned_tx.output.iter().map(|output| output.value).collect();
    assert_eq!(outputs, [Amount::from_sat(refunded), own.output.value]);
    let script = alice.trading.script_pubkey();
    assert!(psbt.unsigned_tx.output.iter().all(|output| output.script_pubkey == script));
    assert_eq!(psbt.fee().unwrap(), Amount::from_sat(fee));
    assert_eq!((&data["fee"]["totalFee"], &data["userInputIndexes"]), (&json!(fee), &json!([2])));
    // Rounded to whole vbytes.
    assert!((4.98..5.01).contains(&data["fee"]["feeRate"].as_f64().unwrap()), "{created}");
    assert_eq!(data["txId"], psbt.unsigned_tx.compute_txid().to_string());
    let left = data["expiresAt"].as_i64().unwrap() - world.client.now().0;
    assert!((500_000..=600_000).contains(&left), "{left}");
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Unsigned);
    assert!(!world.is_known(txid_of(&created)).await);
    let open = (RefundState::Open, Some(txid_of(&created)));
    assert_eq!(refund_states(&world, mint, &txids).await, [open, open]);
    // An unsigned transaction is not visible to others.
    let listed = world.listed(txids[0]).await;
    assert_eq!((&listed["refundState"], &listed["refundTxId"]), (&json!("open"), &Value::Null));
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_an_account_has_one_open_refund_until_it_expires_and_frees_its_outputs() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let created = world.create_refund(&alice).await.expect(201);
    let again = world.create_refund(&alice).await.expect(201);
    assert_eq!(again.data(), created.data());
    // A refund of runes for which nothing is owed leaves it alone.
    create_with(&world, &alice, &json!({ "runeIds": ["1:1"] }))
        .await
        .expect_error(Problem::RefundNothing);
    let twice = json!({ "runeIds": [world.rune.to_string(), world.rune.to_string()] });
    let same = create_with(&world, &alice, &twice).await.expect(201);
    assert_eq!(same.data(), created.data());
    assert_eq!(figures(&world, &alice).await, (0, 0, 0));

    // The worker expires it, or the next request does; then its coins are free.
    world.pass(TOO_LONG).await;
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Expired);
    assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::None, None)]);
    let late = alice.signed(created.text_of("base64Psbt"));
    world.sign_refund(&alice, &late).await.expect_error(Problem::ReservationExpired);
    // DynamoDB may delete the immutable row of an expired transaction before the row of its state.
    let body = keys::transaction_body(txid_of(&created));
    assert!(world.stack.app().store.delete(&body).await.unwrap());
    let second = world.create_refund(&alice).await.expect(201);
    world.stack.clock().advance(TOO_LONG);
    let unseen = alice.signed(second.text_of("base64Psbt"));
    world.sign_refund(&alice, &unseen).await.expect_error(Problem::ReservationExpired);
    let third = world.create_refund(&alice).await.expect(201);
    assert_ne!(third.data()["expiresAt"], second.data()["expiresAt"]);

    // Three refunds an hour: the fourth waits until the hour is over.
    world.stack.clock().advance(TOO_LONG);
    let limited = world.create_refund(&alice).await.expect_error(Problem::RateLimited);
    let seconds: u64 = limited.header("retry-after").parse().unwrap();
    assert!((1..=3_600).contains(&seconds), "{seconds}");
    world.watch().await;
    assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::None, None)]);
    world.pass(Duration::from_secs(seconds)).await;
    refund(&world, &alice).await;
    world.recount(mint).await;
}

/// A mint of another rune, which owes the trader this.
async fn owing_mint(world: &MintWorld, trader: &Trader, like: MintId, sats: u64) -> Mint {
    let like = world.mint_row(like).await;
    let app = world.stack.app();
    let id = RuneId { block: 1_001, tx: 1 };
    let other =
        Mint { id: MintId(app.random.id(app.clock.now())), rune: Rune { id, ..like.rune }, ..like };
    app.store.put(&keys::mint(other.id), &other).await.unwrap();
    owed(world, trader, &other, &[sats]).await;
    other
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_another_refund_ends_the_unsigned_one_which_counts_as_not_signed() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let other = owing_mint(&world, &alice, mint, 20_000).await.rune.id.to_string();
    let own = world.rune.to_string();
    let of =
        async |runes: &[&String]| create_with(&world, &alice, &json!({ "runeIds": runes })).await;
    let first = of(&[&own]).await.expect(201);
    assert_eq!(of(&[&own]).await.expect(201).data(), first.data());
    let both = of(&[&own, &other]).await.expect(201);
    assert_eq!(state(&world, txid_of(&first)).await, TransactionState::Expired);
    let late = alice.signed(first.text_of("base64Psbt"));
    world.sign_refund(&alice, &late).await.expect_error(Problem::ReservationExpired);
    assert_eq!(
        refund_states(&world, mint, &txids).await,
        [(RefundState::Open, Some(txid_of(&both)))]
    );
    let of_other = of(&[&other]).await.expect(201);
    assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::None, None)]);
    of(&[&own]).await.expect(201);
    // Three refunds were not signed. The fourth is kept, because no further one may be created.
    of(&[&other]).await.expect_error(Problem::RateLimited);
    assert_eq!(state(&world, txid_of(&of_other)).await, TransactionState::Expired);
    let kept = of(&[&own]).await.expect(201);
    let signed = alice.signed(kept.text_of("base64Psbt"));
    world.sign_refund(&alice, &signed).await.expect(201);
    world.mine(7).await;
    let refunded = (RefundState::Refunded, Some(txid_of(&kept)));
    assert_eq!(refund_states(&world, mint, &txids).await, [refunded]);
}

/// A refund that is being signed either wins or ends: its outputs are never in two refunds.
#[tokio::test(flavor = "multi_thread")]
async fn custody_08_a_signature_and_another_refund_have_one_outcome() {
    let world = MintWorld::start(1_000_000).await;
    let traders: Vec<_> = {
        let mut traders = Vec::new();
        for seed in 1..=20 {
            traders.push(world.trader(seed, &[100_000]).await);
        }
        traders
    };
    let bids: Vec<_> = traders.iter().map(|trader| (trader, 5, 1_000)).collect();
    let (mint, _) = failed_mint(&world, &[&bids]).await;
    for (round, trader) in traders.iter().enumerate() {
        let other = owing_mint(&world, trader, mint, 20_000).await.rune.id.to_string();
        let first = world.create_refund(trader).await.expect(201);
        let signed = trader.signed(first.text_of("base64Psbt"));
        let both = json!({ "runeIds": [world.rune.to_string(), other] });
        let sign = async {
            for _turn in 0..round % 5 {
                tokio::task::yield_now().await;
            }
            world.sign_refund(trader, &signed).await
        };
        let (signature, request) = tokio::join!(sign, create_with(&world, trader, &both));
        let is_signed = signature.status == 201;
        assert_eq!(world.is_known(txid_of(&first)).await, is_signed);
        if !is_signed {
            signature.expect_error(Problem::ReservationExpired);
        }
        // After a signature, only the other rune's payment is left to refund.
        let request = request.expect(201);
        let inputs: BTreeSet<_> = spent(&psbt_of(&request)).into_iter().collect();
        let of_first = spent(&psbt_of(&first));
        let shared = of_first.iter().filter(|coin| inputs.contains(coin)).count();
        assert_eq!(shared == 0, is_signed, "{request}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_a_refund_takes_no_payment_of_another_account() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000), (&bob, 6, 2_000)], &[(&bob, 3, 1_500)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    let (a, b) = tokio::join!(world.create_refund(&alice), world.create_refund(&bob));
    let (a, b) = (a.expect(201), b.expect(201));
    let own = async |trader: &Trader, answer: &Answer, txids: &[Txid]| {
        let inputs: BTreeSet<_> = spent(&psbt_of(answer)).into_iter().collect();
        let coins = world.stack.bitcoin().coins(&trader.trading).await.unwrap();
        let trading = coins.iter().map(|coin| coin.outpoint);
        let mut own: BTreeSet<_> = sources(&world, mint, txids).await.into_iter().collect();
        assert!(own.iter().all(|source| inputs.contains(source)));
        own.extend(trading);
        assert!(inputs.is_subset(&own));
    };
    own(&alice, &a, &txids[..1]).await;
    own(&bob, &b, &txids[1..]).await;
    // An unsigned refund holds treasury outputs only temporarily, and never a stranger's.
    for source in sources(&world, mint, &txids).await {
        assert!(!is_stored(&world, &format!("reservation#{source}")));
        assert!(!is_stored(&world, &format!("spend#{source}")));
    }
    for (trader, created) in [(&bob, &b), (&alice, &a)] {
        let signed = trader.signed(created.text_of("base64Psbt"));
        world.sign_refund(trader, &signed).await.expect(201);
    }
    world.mine(7).await;
    for (txid, by) in txids.iter().zip([&a, &b, &b]) {
        let row = world.vm(mint, *txid).await;
        assert_eq!((row.refund_state, row.refund_txid), (RefundState::Refunded, Some(txid_of(by))));
    }
    assert_eq!(sats_of_treasury(&world).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_a_refund_pays_its_own_fee_and_is_refused_below_it() {
    let world = MintWorld::start(1_000_000).await;
    let (mint, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(mint).await;
    let rich = world.trader(1, &[]).await;
    owed(&world, &rich, &mint, &[50_000]).await;
    let (_, fee, _) = figures(&world, &rich).await;
    // 330 sats is the dust limit of a trading address's output.
    let (poor, worthy) = (world.trader(2, &[]).await, world.trader(3, &[]).await);
    let of_poor = owed(&world, &poor, &mint, &[fee + 329]).await;
    owed(&world, &worthy, &mint, &[fee + 330]).await;
    assert_eq!(figures(&world, &poor).await, (fee + 329, fee, 0));
    world.create_refund(&poor).await.expect_error(Problem::RefundBelowFee);
    assert_eq!(figures(&world, &worthy).await, (fee + 330, fee, 330));
    let txid = refund(&world, &worthy).await;
    let outputs = world.stack.bitcoin().transaction(txid).await.unwrap().unwrap().output;
    assert_eq!((outputs.len(), outputs[0].value), (1, Amount::from_sat(330)));

    set_rate(&world, 300.0).await;
    let (total, fee, refunded) = figures(&world, &rich).await;
    assert!(fee > total && refunded == 0, "{fee}");
    world.create_refund(&rich).await.expect_error(Problem::RefundBelowFee);
    assert!(!is_stored(&world, "reservation#"));
    let rows = [of_poor[0].txid];
    assert_eq!(refund_states(&world, mint.id, &rows).await, [(RefundState::None, None)]);
    set_rate(&world, 1.0).await;
    refund(&world, &rich).await;
    refund(&world, &poor).await;
}

/// A refund spends only plain coins on both sides: coins that carry something else, or whose content is
/// unknown, are never inputs.
#[tokio::test(flavor = "multi_thread")]
async fn custody_10_a_refund_spends_no_coin_with_an_inscription_or_rune_and_no_unindexed_coin() {
    let world = MintWorld::start(1_000_000).await;
    let chain = world.stack.bitcoin();
    let (alice, bob) = (world.trader(1, &[]).await, world.trader(2, &[100_000]).await);
    let (mint, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(mint).await;
    let etching =
        Etching { name: "ANOTHERANOTHERONE".to_owned(), supply: 1_000, divisibility: 0, to: None };
    let rune = chain.etch(&etching).await.unwrap();

    // The user's side: the trading address has no other coin to add.
    let rows = owed(&world, &alice, &mint, &[20_000, 30_000]).await;
    let inscribed = chain.inscribe(&alice.trading, "text/plain", b"hers").await.unwrap().outpoint;
    let runic = chain.fund_rune(&alice.trading, 5_000, rune, 10).await.unwrap();
    world.mine(1).await;
    let unconfirmed = chain.fund(&alice.trading, 50_000).await.unwrap();
    let created = world.create_refund(&alice).await.expect(201);
    let mut inputs = spent(&psbt_of(&created));
    assert!([inscribed, runic, unconfirmed].iter().all(|coin| !inputs.contains(coin)));
    let mut paid: Vec<_> = rows.iter().map(|row| row.output.0).collect();
    inputs.sort_unstable();
    paid.sort_unstable();
    assert_eq!((inputs, &created.data()["userInputIndexes"]), (paid, &json!([])));

    // The treasury's side.
    let treasury = world.treasury.address(NETWORK);
    let inscribed = chain.inscribe(&treasury, "text/plain", b"ours").await.unwrap().outpoint;
    let runic = chain.fund_rune(&treasury, 20_000, rune, 10).await.unwrap();
    let height = chain.mine(1).await.unwrap();
    let coins = chain.coins(&treasury).await.unwrap();
    for output in [inscribed, runic] {
        let coin = coins.iter().find(|coin| coin.outpoint == output).unwrap();
        let sats = coin.output.value.to_sat();
        let place = Confirmation { height, position: 1 };
        let paid = Paid { anchor: output, output };
        world.plant(&bob.owed(&mint, paid, sats, place)).await;
        world.create_refund(&bob).await.expect_error(Problem::RefundChanged);
        assert_eq!(world.vm(mint.id, output.txid).await.refund_state, RefundState::None);
        assert!(!is_stored(&world, "reservation#"));
        let refunded = Update::new().set(VmTransaction::REFUND_STATE, RefundState::Refunded);
        change_row(&world, mint.id, output.txid, refunded).await;
    }

    // The same for a coin that ord has not indexed yet.
    chain.let_ord_lag(true).await.unwrap();
    let rows = owed(&world, &bob, &mint, &[25_000]).await;
    let refused = world.create_refund(&bob).await;
    assert!(
        [("7004", 409), ("2003", 502)].contains(&(refused.code(), refused.status)),
        "{refused}"
    );
    assert_eq!(world.vm(mint.id, rows[0].txid).await.refund_state, RefundState::None);
    assert!(!is_stored(&world, "reservation#"));
    chain.let_ord_lag(false).await.unwrap();
    world.mine(1).await;
    refund(&world, &bob).await;
    assert_eq!(
        world.stack.bitcoin().runes_of(&treasury).await.unwrap().into_values().sum::<u128>(),
        10
    );
}

async fn change_row(world: &MintWorld, mint: MintId, txid: Txid, update: Update<VmTransaction>) {
    let store = &world.stack.app().store;
    let key = keys::vm_transaction(world.vm(mint, txid).await.key());
    store.commit(Writes::new().update(&key, update, ())).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_source_no_refund_is_created_signed_or_held() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, bob) = (world.trader(1, &[100_000]).await, world.trader(2, &[100_000]).await);
    let bids: [&[_]; 1] = [&[(&alice, 5, 1_000), (&bob, 5, 1_000)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    let created = world.create_refund(&alice).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let chain = world.stack.bitcoin();
    let moods = [
        Mood { down: true, ..Mood::default() },
        Mood { malformed: true, ..Mood::default() },
        Mood { status: Some(500), ..Mood::default() },
    ];
    for mood in moods {
        for set in [local::BitcoinWorld::set_ord_mood, local::BitcoinWorld::set_esplora_mood] {
            set(chain, mood);
            world.create_refund(&bob).await.expect_error(Problem::ChainUnavailable);
            world.sign_refund(&alice, &signed).await.expect_error(Problem::ChainUnavailable);
            set(chain, Mood::default());
        }
    }
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Unsigned);
    assert_eq!(refund_states(&world, mint, &txids[1..]).await, [(RefundState::None, None)]);
    world.sign_refund(&alice, &signed).await.expect(201);
    refund(&world, &bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_a_refund_pays_the_trading_address_of_its_rows_and_only_their_account_signs_it()
{
    let world = MintWorld::start(1_000_000).await;
    let (alice, bob) = (world.trader(1, &[100_000]).await, world.trader(2, &[100_000]).await);
    // Alice also acts through a linked address.
    let (linked, token) = (Wallet::evm(1), world.token(&alice).await);
    let proof =
        linked.signed_challenge(&challenge(&world.client, &linked, "link", Some(&token)).await);
    let link = world.client.post("/api/account/addresses").bearer(&token).json(&proof);
    link.send().await.expect(201);
    let (mint, _) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let mint = world.mint_row(mint).await;
    let output = world.pay_treasury(&alice, 30_000).await;
    let other = world.pay_treasury(&alice, 30_000).await;
    let height = world.stack.bitcoin().mine(1).await.unwrap();
    let place = Confirmation { height, position: 1 };
    let by_linked = VmTransaction {
        user_address: linked.address().to_ascii_lowercase(),
        ..alice.owed(&mint, output, 30_000, place)
    };
    world.plant(&by_linked).await;

    // No other account can create it, and under his own address he finds none of her payments.
    for address in [alice.address(), &alice.trading.to_string(), linked.address()] {
        let hers = json!({ "userAddress": address });
        create_with(&world, &bob, &hers).await.expect_error(Problem::Forbidden);
    }
    world.create_refund(&bob).await.expect_error(Problem::RefundNothing);
    // A payment that she made under his address is hers.
    let foreign = VmTransaction {
        user_address: bob.address().to_owned(),
        ..alice.owed(&mint, other, 30_000, place)
    };
    world.plant(&foreign).await;
    world.create_refund(&bob).await.expect_error(Problem::RefundNothing);

    let created = create_with(&world, &alice, &json!({ "userAddress": linked.address() })).await;
    let created = created.expect(201);
    assert_eq!(spent(&psbt_of(&created))[0], output.output);
    let script = alice.trading.script_pubkey();
    assert!(psbt_of(&created).unsigned_tx.output.iter().all(|out| out.script_pubkey == script));
    // It can be signed under the address that created it, or under the trading address.
    let signed = alice.signed(created.text_of("base64Psbt"));
    sign_as(&world, &alice, alice.address(), &signed)
        .await
        .expect_error(Problem::NotTheIssuedTransaction);
    sign_as(&world, &alice, bob.address(), &signed).await.expect_error(Problem::Forbidden);
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Unsigned);
    sign_as(&world, &alice, linked.address(), &signed).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_13_a_row_paid_from_another_address_is_not_refunded() {
    let world = MintWorld::start(1_000_000).await;
    let (alice, bob) = (world.trader(1, &[100_000]).await, world.trader(2, &[]).await);
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let elsewhere = Update::new().set(VmTransaction::TRADING_ADDRESS, bob.trading.to_string());
    change_row(&world, mint, txids[0], elsewhere).await;
    world.create_refund(&alice).await.expect_error(Problem::Internal);
    assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::None, None)]);
    assert!(!is_stored(&world, "reservation#"));
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_09_twenty_concurrent_requests_create_one_refund() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bids: [&[_]; 2] = [&[(&alice, 5, 1_000)], &[(&alice, 4, 2_000)]];
    let (mint, txids) = failed_mint(&world, &bids).await;
    let (client, token) = (world.client.clone(), world.token(&alice).await);
    let body = json!({
        "type": "virtual_mint",
        "runeIds": [world.rune.to_string()],
        "userAddress": alice.address(),
    });
    let answers = twenty_at_once(move |_n| {
        let (client, token, body) = (client.clone(), token.clone(), body.clone());
        async move { client.post("/api/refund").bearer(&token).json(&body).send().await }
    })
    .await;
    let refunds: BTreeSet<_> = answers.iter().map(|answer| answer.text_of("txId")).collect();
    assert_eq!(refunds.len(), 1, "{}", answers[0]);
    for answer in &answers {
        let answer = answer.clone().expect(201);
        assert_eq!(answer.data(), answers[0].data());
    }
    let open = (RefundState::Open, Some(txid_of(&answers[0])));
    assert_eq!(refund_states(&world, mint, &txids).await, [open, open]);
    assert_eq!(json!(world.stack.contents()).to_string().matches("\"reservation\"").count(), 1);
    world.recount(mint).await;
}

/// Creates a refund under an idempotency key.
async fn create_by_key(world: &MintWorld, trader: &Trader, key: &str) -> Answer {
    let body = json!({
        "type": "virtual_mint",
        "runeIds": [world.rune.to_string()],
        "userAddress": trader.address(),
    });
    let call = world.client.post("/api/refund").bearer(&world.token(trader).await);
    call.header("Idempotency-Key", key).json(&body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_21_an_idempotency_key_returns_the_first_refund_again() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let create = async || create_by_key(&world, &alice, "once").await.expect(201);
    let first = create().await;
    world.pass(TOO_LONG).await;
    assert_eq!(create().await.body, first.body);
    assert_eq!(state(&world, txid_of(&first)).await, TransactionState::Expired);
}

/// A refund that its owner ends counts as one that was not signed in time.
#[tokio::test(flavor = "multi_thread")]
async fn custody_09_a_released_refund_frees_its_payments_and_counts() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, txids) = failed_mint(&world, &[&[(&alice, 5, 1_000)]]).await;
    let release = async |txid: Txid| {
        let call = world.client.delete(format!("/api/transactions/{txid}"));
        call.bearer(&world.token(&alice).await).send().await
    };
    let mut last = None;
    for key in ["first", "second", "third"] {
        let created = create_by_key(&world, &alice, key).await.expect(201);
        let txid = txid_of(&created);
        release(txid).await.expect(200);
        create_by_key(&world, &alice, key).await.expect_error(Problem::ReservationExpired);
        assert_eq!(refund_states(&world, mint, &txids).await, [(RefundState::None, None)]);
        assert!(!is_stored(&world, "reservation#"));
        last = Some((txid, created));
    }
    let (txid, created) = last.unwrap();
    // Ending it once more counts nothing and frees nothing.
    release(txid).await.expect(200);
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign_refund(&alice, &signed).await.expect_error(Problem::ReservationExpired);
    world.create_refund(&alice).await.expect_error(Problem::RateLimited);
    world.recount(mint).await;
    // An hour later it can be refunded.
    world.pass(Duration::from_secs(60 * 60 + 1)).await;
    let signed = refund(&world, &alice).await;
    release(signed).await.expect_error(Problem::AlreadySigned);
}

#[tokio::test]
async fn custody_19_ended_sessions_and_accounts_without_a_trading_wallet_refund_nothing() {
    let stack = local::LocalStack::start().await;
    let client = stack.serve(local::functions::routes()).await;
    let wallet = Wallet::p2wpkh(1);
    let session = sign_in(&client, &wallet).await;
    let create = async |token: &str, address: &str| {
        let body = json!({ "type": "virtual_mint", "runeIds": ["1:1"], "userAddress": address });
        client.post("/api/refund").bearer(token).json(&body).send().await
    };
    let sign = async |token: &str| {
        let body = json!({ "userAddress": wallet.address(), "base64Psbt": "garbage" });
        client.post("/api/refund/sign").bearer(token).json(&body).send().await
    };
    sign(&session.access_token).await.expect_error(Problem::PsbtMalformed);
    let logout = client.post("/auth/logout").bearer(&session.access_token);
    logout.send().await.expect(200);
    create(&session.access_token, wallet.address()).await.expect_error(Problem::SessionEnded);
    sign(&session.access_token).await.expect_error(Problem::SessionEnded);
    let body = json!({});
    client.post("/api/refund").json(&body).send().await.expect_error(Problem::NoAuthorization);
    client.post("/api/refund/sign").json(&body).send().await.expect_error(Problem::NoAuthorization);

    let evm = Wallet::evm(1);
    let stranger = sign_in(&client, &evm).await;
    create(&stranger.access_token, evm.address()).await.expect_error(Problem::NoTradingWallet);
}

/// A refund takes at most forty; the rest can be refunded immediately afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_takes_forty_vm_transactions_and_reports_more() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(mint).await;
    let sats: Vec<_> = (0..43).map(|n| 2_000 + n).collect();
    let rows = owed(&world, &alice, &mint, &sats).await;
    let paid: BTreeMap<_, _> = rows.iter().map(|row| (row.txid, row.refundable_sats())).collect();
    let offered = async || {
        let calculated = world.calculate(&alice).await.expect(200);
        let items = calculated.data()["items"].as_array().unwrap().clone();
        assert_eq!(items.len(), 1);
        let txids = items[0]["txIds"].as_array().unwrap().iter();
        let txids: Vec<Txid> = txids.map(|id| id.as_str().unwrap().parse().unwrap()).collect();
        assert_eq!(items[0]["sats"], txids.iter().map(|txid| paid[txid]).sum::<u64>());
        (txids, calculated.data()["more"].as_bool().unwrap())
    };
    let (first, more) = offered().await;
    assert_eq!((first.len(), more), (40, true));

    // A tampered refund is refused and frees all of its outputs, however many there are.
    let created = world.create_refund(&alice).await.expect(201);
    let mut changed = psbt_of(&created);
    assert_eq!((changed.inputs.len(), &created.data()["userInputIndexes"]), (41, &json!([40])));
    changed.unsigned_tx.output[0].value -= Amount::from_sat(1);
    let changed = alice.signed(&text(&changed));
    world.sign_refund(&alice, &changed).await.expect_error(Problem::NotTheIssuedTransaction);
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Expired);
    assert_eq!(offered().await, (first.clone(), true));

    let one = refund(&world, &alice).await;
    let (rest, more) = offered().await;
    assert_eq!((rest.len(), more), (3, false));
    let other = refund(&world, &alice).await;
    world.mine(6).await;
    let broadcast = (RefundState::Broadcast, Some(one));
    assert_eq!(refund_states(&world, mint.id, &first).await, vec![broadcast; 40]);
    world.mine(1).await;
    let refunded = |by| (RefundState::Refunded, Some(by));
    assert_eq!(refund_states(&world, mint.id, &first).await, vec![refunded(one); 40]);
    assert_eq!(refund_states(&world, mint.id, &rest).await, vec![refunded(other); 3]);
    assert_eq!(sats_of_treasury(&world).await, 0);
    assert!(!is_stored(&world, "vm#refundable#"));
}

/// One DynamoDB batch commits at most a hundred writes, however many mints are involved.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_of_forty_runes_is_signed_in_one_write_batch() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let (mint, _) = failed_mint(&world, &[]).await;
    let (app, like) = (world.stack.app(), world.mint_row(mint).await);
    let mut mints = Vec::new();
    for number in 1..=40 {
        let id = RuneId { block: 1_000 + number, tx: 1 };
        let mint = Mint {
            id: MintId(app.random.id(app.clock.now())),
            rune: Rune { id, ..like.rune },
            ..like.clone()
        };
        app.store.put(&keys::mint(mint.id), &mint).await.unwrap();
        mints.push(mint);
    }
    let runes: Vec<_> = mints.iter().map(|mint| mint.rune.id.to_string()).collect();
    let each: Vec<_> = mints.iter().map(|mint| (mint, 2_000)).collect();
    let rows = owed_of(&world, &alice, &each).await;
    let created = create_with(&world, &alice, &json!({ "runeIds": runes })).await.expect(201);
    assert_eq!(psbt_of(&created).inputs.len(), 41);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let answer = world.sign_refund(&alice, &signed).await.expect(201);
    assert_eq!(answer.data()["state"], "inMempool");
    world.mine(7).await;
    for row in rows {
        let row = world.vm(row.mint_id, row.txid).await;
        assert_eq!(row.refund_state, RefundState::Refunded);
    }
    assert_eq!(sats_of_treasury(&world).await, 0);
}

/// At a high rate a refund takes fewer payments and costs at most the cap of a transaction.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_takes_no_more_vm_transactions_than_the_fee_cap_allows() {
    let stack = local::LocalStack::builder().setting("FEE_CAP", "3000").bitcoin().build().await;
    let world = MintWorld::of(stack, 1_000_000).await;
    let alice = world.trader(1, &[]).await;
    let (mint, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(mint).await;
    let rows = owed(&world, &alice, &mint, &[10_000; 9]).await;
    let calculated = world.calculate(&alice).await.expect(200);
    assert_eq!(calculated.data()["more"], true);
    let (total, fee, _) = figures(&world, &alice).await;
    let taken = total / 10_000;
    // One more would exceed the cap: its input takes 68 vbytes at 5 sat/vB.
    assert!((2..9).contains(&taken) && (3_000 - 5 * 69..=3_000).contains(&fee), "{taken} {fee}");
    refund(&world, &alice).await;
    let left = figures(&world, &alice).await.0;
    assert_eq!(left + total, 90_000);
    set_rate(&world, 20.0).await;
    let calculated = world.calculate(&alice).await.expect(200);
    let data = calculated.data();
    assert_eq!((&data["totalSats"], &data["more"]), (&json!(10_000), &json!(true)));
    world.create_refund(&alice).await.expect_error(Problem::FeeTooHigh);
    let states: Vec<_> = rows.iter().map(|row| row.txid).collect();
    let states = refund_states(&world, mint.id, &states).await;
    let none = states.iter().filter(|state| **state == (RefundState::None, None)).count();
    assert_eq!(none as u64, 9 - taken);
}

/// The wallet and the trading address find the same transactions and the same sats.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_can_name_the_wallet_or_the_trading_address() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[100_000]).await;
    let bob = world.trader(2, &[100_000]).await;
    let (mint, txids) =
        failed_mint(&world, &[&[(&alice, 5, 1_000), (&bob, 5, 1_000)], &[(&alice, 3, 1_100)]])
            .await;
    let trading = alice.trading.to_string();
    let calculate = async |address: &str| {
        let rune = world.rune;
        let path = format!("/api/refund/calculate?type=virtual_mint&runeIds={rune}&userAddress=");
        let answer = world.client.get(format!("{path}{address}")).send().await.expect(200);
        let mut data = answer.data().clone();
        data.as_object_mut().unwrap().remove("userAddress");
        data
    };
    let by_wallet = calculate(alice.address()).await;
    assert_eq!(by_wallet["totalSats"], 5 * 1_000 + 3 * 1_100);
    assert_eq!(calculate(&trading).await, by_wallet);
    assert_eq!(calculate(&trading.to_uppercase()).await, by_wallet);

    let expected = json!({ "userAddress": trading, "refundableSats": by_wallet["refundableSats"] });
    let foreign = json!({ "userAddress": bob.trading.to_string() });
    create_with(&world, &alice, &foreign).await.expect_error(Problem::Forbidden);
    let created = create_with(&world, &alice, &expected).await.expect(201);
    let signed = alice.signed(created.text_of("base64Psbt"));
    let answer = sign_as(&world, &alice, alice.address(), &signed).await.expect(201);
    assert_eq!(*answer.data(), json!({ "txId": txid_of(&created), "state": "inMempool" }));
    let of_alice = [txids[0], txids[2]];
    let states = refund_states(&world, mint, &of_alice).await;
    assert_eq!(states, [(RefundState::Broadcast, Some(txid_of(&created))); 2]);

    // And the other way round.
    let created = world.create_refund(&bob).await.expect(201);
    let signed = bob.signed(created.text_of("base64Psbt"));
    sign_as(&world, &bob, &bob.trading.to_string(), &signed).await.expect(201);
}

/// The batch that ends a refund updates a count per address, and a batch has at most a hundred writes.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_of_forty_batches_of_forty_addresses_becomes_final() {
    let world = MintWorld::start(1_000_000).await;
    let alice = world.trader(1, &[50_000]).await;
    let (id, _) = failed_mint(&world, &[]).await;
    let mint = world.mint_row(id).await;
    let (store, chain) = (&world.stack.app().store, world.stack.bitcoin());
    let list = keys::lists::vm_by_trading_address(&alice.trading.to_string(), Some(mint.rune.id));
    for some in [0..20, 20..40] {
        let mut outputs = Vec::new();
        for number in some {
            outputs.push((number, world.pay_treasury(&alice, 5_000).await));
        }
        let height = chain.mine(1).await.unwrap();
        for ((number, output), position) in outputs.into_iter().zip(1..) {
            let mut row = alice.owed(&mint, output, 5_000, Confirmation { height, position });
            row.user_address = Wallet::p2wpkh(1_000 + number).address().to_owned();
            world.plant(&row).await;
            let append = lists::append(store, std::slice::from_ref(&list), |_| {
                (Writes::<()>::new(), row.key())
            });
            append.await.unwrap();
        }
    }
    let trading = json!({ "userAddress": alice.trading.to_string() });
    let mut refunded = 0;
    while refunded < 40 {
        let created = create_with(&world, &alice, &trading).await.expect(201);
        let signed = alice.signed(created.text_of("base64Psbt"));
        sign_as(&world, &alice, &alice.trading.to_string(), &signed).await.expect(201);
        world.mine(7).await;
        world.watch().await;
        assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Confirmed);
        let rows = world.vms(id).await;
        let done = rows.iter().filter(|row| row.refund_state == RefundState::Refunded).count();
        assert!(done > refunded && done - refunded <= 16, "{done}");
        refunded = done;
    }
    create_with(&world, &alice, &trading).await.expect_error(Problem::RefundNothing);
}
