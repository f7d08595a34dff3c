//! The business events, each from its first request to its end.

use std::time::Duration;

use base::clock::Timestamp;
use local::{SrpAccount, Wallet, dynamodb::row, histories, hub::swap};
use serde_json::json;
use shared::models::account::AccountId;
use simulation::{
    aws::{
        dynamodb::{DynamoDb, text},
        expression::Row,
        mail::Mails,
    },
    hub::Hub,
    instances::Answer,
    people::{Admin, Bidder, Call, Client, Refunded, Session},
    setup::{self, Stage},
};
use tokio::time::{Instant, sleep};

use super::book::{Book, HEAD};
use crate::signed_in;

/// Batches of the mint whose runes are handed out.
const BATCHES: u8 = 42;
/// Batches of the mint that fails.
const REFUNDED: u8 = 7;
/// Coins that the funder gives in one block.
const GIFTS: usize = 20;
/// Rows of the export.
const ROWS: u64 = 10_000;
/// Sats of each request.
const PRICE: u64 = 2_000;

/// Measures and prints every event.
pub(crate) async fn measure(mut book: Book) {
    sign_up_with_a_wallet(&mut book).await;
    sign_up_with_a_password(&mut book).await;
    swap_from_registration_to_final(&mut book).await;
    export(&mut book).await;
    withdrawal(&mut book).await;
    let mut admin = Admin::new(client(&book, "admin", 200), book.stage.chain.clone());
    let session = admin.sign_in().await.expect("a session");
    admin.promote(&session).await;
    batches(&mut book, &mut admin).await;
    refunds(&mut book, &mut admin).await;
}

fn client(book: &Book, name: &str, number: u8) -> Client {
    Client::new(&book.stage.lambda, name, number, Instant::now())
}

fn succeeded(answer: &Answer) {
    assert!((200..300).contains(&answer.status), "{answer:?}");
}

async fn sign_up_with_a_wallet(book: &mut Book) {
    let mark = book.mark();
    signed_in(&mut client(book, "wallet", 1), &Wallet::evm(1)).await;
    book.enter("challenge", mark, "GET /auth/wallet/challenge");
    book.enter("sign-in, which makes the account", mark, "POST /auth/authenticate");
    book.close("Sign-up with a wallet", 1);
}

async fn sign_up_with_a_password(book: &mut Book) {
    let mut client = client(book, "password", 2);
    let account = SrpAccount::new("password@example.com", "a password");
    let mark = book.mark();
    let body = account.registration(&"A".repeat(400));
    let answer = client.send(&Call::post("/auth/register/srp", body)).await;
    let session = Session::of(&answer).unwrap_or_else(|| panic!("{answer:?}"));
    sleep(Duration::from_secs(5)).await;
    let token = book.stage.net.world().host::<Mails>("ses").sent.last().and_then(|it| it.token());
    let body = json!({ "token": token.expect("a mail with a link") });
    let call = Call::post("/api/account/verify-email", body).bearer(&session.access);
    succeeded(&client.send(&call).await);
    book.enter("registration", mark, "POST /auth/register/srp");
    book.enter("mail", mark, "message mail-worker");
    book.enter("verification of the address", mark, "POST /api/account/verify-email");
    book.close("Sign-up with a password", 1);
}

async fn swap_from_registration_to_final(book: &mut Book) {
    let (mut client, wallet) = (client(book, "swapper", 3), Wallet::evm(3));
    let session = signed_in(&mut client, &wallet).await;
    let body = serde_json::to_value(swap(&wallet, 1)).expect("a swap is JSON");
    let known_at = client.now() + 30_000;
    book.stage.net.world().host::<Hub>("hub").begin(&body, known_at, 60_000);
    let mark = book.mark();
    let call = Call::post("/api/xchain/transactions/register", body).bearer(&session.access);
    succeeded(&client.send(&call).await);
    book.blocks_until("a swap that is over", |stage| !stage.waits_for_chain()).await;
    book.enter("registration", mark, "POST /api/xchain/transactions/register");
    book.enter_watched("four changes of its status, a minute each", mark);
    book.close("Swap", 1);
}

async fn export(book: &mut Book) {
    let (mut client, wallet) = (client(book, "exporter", 4), Wallet::evm(4));
    let session = signed_in(&mut client, &wallet).await;
    let account: AccountId = serde_json::from_value(json!(session.account)).expect("an account id");
    let begun = Timestamp(client.now()).minus(Duration::from_secs(2 * ROWS));
    let record =
        |place: u64| histories::swap(account, place, begun.plus(Duration::from_secs(place)));
    let tables = setup::resources().settings();
    for planted in histories::rows(account, ROWS, record) {
        let (key, entity, fields) = planted.expect("a row");
        let mut row = row(&key, entity, &fields);
        // The rows are finished.
        row.remove("watch");
        let mut world = book.stage.net.world();
        let dynamodb = world.host::<DynamoDb>("dynamodb");
        dynamodb.import(&tables["ACTIVITY_TABLE"], row);
    }
    let mark = book.mark();
    let body = json!({ "format": "csv", "filter": { "type": "swap" } });
    let call = Call::post("/api/download-histories", body).bearer(&session.access);
    succeeded(&client.send(&call).await);
    sleep(Duration::from_secs(120)).await;
    let made = |row: &Row| text(row, "entity") == Some("export") && row["rowCount"]["N"] == "10000";
    assert!(book.stage.any_row(made), "the export is made");
    book.enter("request", mark, "POST /api/download-histories");
    book.enter("the worker", mark, "message export-worker");
    book.close("Export of 10,000 rows", 1);
}

/// Users with a trading wallet and a confirmed coin, each with an access token.
async fn bidders(book: &Book, first: u8, count: u8) -> Vec<(Bidder, String)> {
    let mut bidders = Vec::new();
    for number in 0..count {
        let place = first + number;
        let client = client(book, &format!("bidder{place}"), place);
        let mut bidder = Bidder::new(client, book.stage.chain.clone(), u64::from(place));
        bidder.token().await.expect("a session");
        bidders.push(bidder);
    }
    for some in bidders.chunks_mut(GIFTS) {
        some.iter_mut().for_each(Bidder::receive);
        book.block().await;
    }
    let mut ready = Vec::new();
    for mut bidder in bidders {
        let token = bidder.token().await.expect("a session");
        ready.push((bidder, token));
    }
    ready
}

async fn withdrawal(book: &mut Book) {
    let (mut bidder, token) = bidders(book, 5, 1).await.remove(0);
    let mark = book.mark();
    bidder.withdraw_sats(&token, 10_000).await;
    sleep(Duration::from_secs(300)).await;
    book.enter("creation", mark, "POST /api/xchain/transaction");
    let signed = book.mark();
    book.enter("signing", mark, "POST /api/xchain/transaction/sign");
    book.enter_watched("five minutes in the mempool", mark);
    book.blocks_until("a withdrawal that is over", |stage| !stage.waits_for_chain()).await;
    book.enter_watched("blocks, until it is final and the hub has made a swap of it", signed);
    book.close("Withdrawal", 1);
}

/// Whether `is_so` holds for every signed batch.
fn all_batches(is_so: impl Fn(&Row) -> bool) -> impl Fn(&Stage) -> bool {
    move |stage| {
        let is_batch = |row: &Row| text(row, "entity") == Some("vmTransaction");
        !stage.any_row(|row| is_batch(row) && !is_so(row))
    }
}

async fn bid(book: &mut Book, bidders: &mut [(Bidder, String)]) {
    let mark = book.mark();
    for (bidder, token) in bidders {
        let psbt = bidder.create_batch(token, 1, PRICE).await.expect("a batch");
        bidder.sign_batch(token, &psbt).await;
    }
    book.enter("creation", mark, "POST /api/vm-transactions");
    book.enter("signing", mark, "POST /api/vm-transactions/sign");
}

async fn mint(book: &mut Book, admin: &mut Admin) {
    let session = admin.sign_in().await.expect("a session");
    admin.create_mint(&session, 30, BATCHES.into(), 1).await;
    assert!(book.stage.any_row(|row| text(row, "sk") == Some("mint")), "there is a mint");
}

async fn batches(book: &mut Book, admin: &mut Admin) {
    let mut bidders = bidders(book, 10, BATCHES).await;
    mint(book, admin).await;
    let state = |row: &Row| text(row, "state").unwrap_or_default().to_owned();
    bid(book, &mut bidders).await;
    let mark = book.mark();
    sleep(Duration::from_secs(300)).await;
    book.enter_watched("five minutes in the mempool", mark);
    let mark = book.mark();
    book.empty_block().await;
    let quiet = book.writes_watched(mark);
    let mark = book.mark();
    book.block().await;
    book.enter_watched("its block, and its place in a virtual block", mark);
    let mark = book.mark();
    let settled = move |row: &Row| matches!(&*state(row), "distributing" | "distributed");
    book.blocks_until("settled", all_batches(settled)).await;
    book.enter_watched("six more blocks, the end of the mint, its place in a payout", mark);
    let mark = book.mark();
    book.blocks_until("distributed", |stage| !stage.waits_for_chain()).await;
    assert!(all_batches(move |row| state(row) == "distributed")(&book.stage));
    book.enter_watched(
        "its shares of a transfer and of a distribution, until they are final",
        mark,
    );
    let units = book.close("Batch of one request, a mint of 42", BATCHES.into());
    println!("\nfigure batch_write_units {units}\nfigure quiet_block_writes {quiet}\n");
    println!("{HEAD}");
}

async fn refunds(book: &mut Book, admin: &mut Admin) {
    let mut bidders = bidders(book, 100, REFUNDED).await;
    mint(book, admin).await;
    bid(book, &mut bidders).await;
    let mark = book.mark();
    book.blocks_until("the end of the mint", |stage| !stage.waits_for_chain()).await;
    book.enter_watched("blocks, until it is final and the mint has failed", mark);
    book.close("Batch of one request, a mint that fails", REFUNDED.into());
    let mark = book.mark();
    for (bidder, _) in &mut bidders {
        let token = bidder.token().await.expect("a session");
        let refunded = bidder.refund(&token).await;
        assert!(matches!(refunded, Refunded::Sent), "{refunded:?}");
    }
    book.enter("calculation", mark, "GET /api/refund/calculate");
    book.enter("creation", mark, "POST /api/refund");
    book.enter("signing", mark, "POST /api/refund/sign");
    book.blocks_until("refunds that are over", |stage| !stage.waits_for_chain()).await;
    book.enter_watched("blocks, until it is final", mark);
    book.close("Refund of a batch", REFUNDED.into());
}
