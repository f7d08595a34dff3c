//! `POST /api/vm-transactions?dryRun=true`.

use shared::problem::Problem;

use super::*;

const PATH: &str = "/api/vm-transactions";

async fn send(world: &MintWorld, trader: &Trader, path: &str, body: &Value) -> Answer {
    world.client.post(path).bearer(&world.token(trader).await).json(body).send().await
}

async fn tried(world: &MintWorld, trader: &Trader, body: &Value) -> Answer {
    send(world, trader, &format!("{PATH}?dryRun=true"), body).await
}

/// Tries a batch, which must write nothing.
async fn previewed(world: &MintWorld, trader: &Trader, body: &Value) -> Answer {
    let before = world.stack.rows_but_limits();
    let preview = tried(world, trader, body).await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before, "{body}");
    preview
}

/// Compares a preview with what was created, and with the balance.
async fn is_as_previewed(world: &MintWorld, trader: &Trader, preview: &Answer, created: &Answer) {
    let psbt = psbt_of(created);
    assert_eq!(preview.data()["fee"], created.data()["fee"]);
    let all = |list: &str, field: &str| -> Vec<Value> {
        let list = preview.data()[list].as_array().unwrap().iter();
        list.map(|it| it[field].clone()).collect()
    };
    let inputs = psbt.unsigned_tx.input.iter();
    let inputs: Vec<_> = inputs.map(|input| json!(input.previous_output.to_string())).collect();
    assert_eq!(all("inputs", "id"), inputs);
    let outputs = psbt.unsigned_tx.output.iter();
    let outputs: Vec<_> = outputs.map(|output| json!(output.value.to_sat())).collect();
    assert_eq!(all("outputs", "sats"), outputs);
    let path = "/api/account/trading-wallet/balance";
    let balance = world.client.get(path).bearer(&world.token(trader).await).send().await;
    let balance = balance.expect(200);
    assert_eq!(preview.data()["remaining"]["sats"], balance.data()["btc"]["available"]);
}

/// The body of a refusal without the id of its request.
fn refusal(answer: &Answer) -> Value {
    let mut body = answer.body.clone();
    body.as_object_mut().unwrap().remove("requestId");
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_of_a_batch_shows_what_it_pays_and_writes_nothing() {
    let (world, mint, alice) = world_with(&[60_000, 200_000]).await;
    let batch = world.batch_of(&alice, 7, 3_000);
    let preview = previewed(&world, &alice, &batch).await;
    assert!(world.vms(mint).await.is_empty());
    let outputs = preview.data()["outputs"].as_array().unwrap();
    let treasury = world.treasury.address(local::wallets::NETWORK).to_string();
    let paid = outputs.iter().find(|output| output["address"] == treasury).unwrap();
    assert_eq!((&paid["sats"], &paid["isOwn"]), (&json!(21_000), &json!(false)));
    assert_eq!(preview.body["metaData"]["amount"], "21000");
    assert_eq!(preview.body["metaData"]["warnings"], json!([]));
    let created = send(&world, &alice, PATH, &batch).await.expect(201);
    is_as_previewed(&world, &alice, &preview, &created).await;
    // The draft answers the same request; it stays, and so does the preview.
    assert_eq!(previewed(&world, &alice, &batch).await.body, preview.body);
    assert_eq!(state(&world, txid_of(&created)).await, TransactionState::Unsigned);
    // A small batch has a high share of fees.
    let small = previewed(&world, &alice, &world.batch_of(&alice, 1, 1_000)).await;
    assert_eq!(small.body["metaData"]["warnings"][0]["kind"], "feeShareHigh");
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect(201);
    world.recount(mint).await;
}

/// The one coin is held by a draft that the next batch supersedes.
#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_counts_a_superseded_batch_as_ended_and_does_not_end_it() {
    let (world, mint, alice) = world_with(&[100_000]).await;
    let first = world.create(&alice, 3, 2_000).await.expect(201);
    let other = world.batch_of(&alice, 4, 2_000);
    let preview = previewed(&world, &alice, &other).await;
    assert_eq!(world.vm(mint, txid_of(&first)).await.state, VmState::Unsigned);
    let created = send(&world, &alice, PATH, &other).await.expect(201);
    is_as_previewed(&world, &alice, &preview, &created).await;
    assert_eq!(world.vm(mint, txid_of(&first)).await.state, VmState::Expired);
    // Nor does it expire an overdue one, as the request does.
    world.stack.clock().advance(Duration::from_secs(601));
    let third = world.batch_of(&alice, 5, 2_000);
    let preview = previewed_after_sign_in(&world, &alice, &third).await;
    assert_eq!(world.vm(mint, txid_of(&created)).await.state, VmState::Unsigned);
    let created = send(&world, &alice, PATH, &third).await.expect(201);
    assert_eq!(preview.data()["fee"], created.data()["fee"]);
    world.recount(mint).await;
}

/// As [`previewed`], when the session may have to be renewed: compares the rows of the chain alone.
async fn previewed_after_sign_in(world: &MintWorld, trader: &Trader, body: &Value) -> Answer {
    let token = world.token(trader).await;
    let before = world.stack.rows_but_limits();
    let path = format!("{PATH}?dryRun=true");
    let preview = world.client.post(path).bearer(&token).json(body).send().await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before, "{body}");
    preview
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_of_a_further_batch_pays_for_the_one_it_would_replace() {
    let (world, mint, alice) = world_with(&[60_000, 200_000]).await;
    let first = world.bid(&alice, 2, 1_000).await;
    let further = world.batch_of(&alice, 3, 1_500);
    let preview = previewed(&world, &alice, &further).await;
    assert_eq!(preview.body["metaData"]["amount"], "6500");
    let fee = preview.data()["fee"]["totalFee"].as_u64().unwrap();
    assert!(fee > world.issued(first).await.fee, "{preview}");
    assert_eq!(world.listed(first).await["state"], "allInMempool");
    let created = send(&world, &alice, PATH, &further).await.expect(201);
    is_as_previewed(&world, &alice, &preview, &created).await;
    // A different one supersedes this draft, and replaces the same batch.
    let other = world.batch_of(&alice, 4, 1_500);
    let preview = previewed(&world, &alice, &other).await;
    let created = send(&world, &alice, PATH, &other).await.expect(201);
    is_as_previewed(&world, &alice, &preview, &created).await;
    let signed = alice.signed(created.text_of("base64Psbt"));
    world.sign(&alice, &signed).await.expect(201);
    assert_eq!(world.listed(first).await["state"], "replaced");
    world.recount(mint).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_of_a_batch_is_refused_as_the_batch_is() {
    let (world, _mint, alice) = world_with(&[200_000]).await;
    let before = world.stack.rows_but_limits();
    for (differs, status, code) in [
        (json!({ "requestCount": 0 }), 400, "1001"),
        (json!({ "satsNewRequests": 2_001 }), 400, "1001"),
        (json!({ "satsNewRequests": 1_998 }), 400, "6003"),
        (json!({ "requestCount": 31, "satsNewRequests": 31_000 }), 400, "6004"),
        (json!({ "runeId": "1:9" }), 400, "6001"),
        (json!({ "userAddress": Wallet::p2wpkh(9).address() }), 403, "1007"),
        (json!({ "satsNewRequests": 200_000 }), 400, "2002"),
    ] {
        let body = with(world.batch_of(&alice, 2, 1_000), &differs);
        let refused = tried(&world, &alice, &body).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{differs}: {refused}");
        let real = send(&world, &alice, PATH, &body).await;
        assert_eq!(refusal(&refused), refusal(&real), "{differs}");
        assert_eq!(world.stack.rows_but_limits(), before, "{differs}");
    }
    let body = world.batch_of(&alice, 2, 1_000);
    let call = world.client.post(format!("{PATH}?dryRun=true"));
    call.json(&body).send().await.expect_error(Problem::NoAuthorization);
    let odd = send(&world, &alice, &format!("{PATH}?dryRun=maybe"), &body).await;
    odd.expect_error(Problem::Validation);
    for name in ["dryrun", "dry_run", "_dryRun", "_dry-run"] {
        let odd = send(&world, &alice, &format!("{PATH}?{name}=true"), &body).await;
        let error = odd.expect_error(Problem::Validation).body["errors"][0].clone();
        assert_eq!(error["field"], name);
        assert!(error["message"].as_str().unwrap().contains("dryRun"), "{error}");
    }
    let odd = send(&world, &alice, PATH, &with(body.clone(), &json!({ "dryRun": true }))).await;
    assert_eq!(odd.expect_error(Problem::Validation).body["errors"][0]["field"], "dryRun");
    assert_eq!(world.stack.rows_but_limits(), before);

    // While a batch is being broadcast, it cannot be replaced, and a dry run of a replacement is refused too.
    let created = send(&world, &alice, PATH, &body).await.expect(201);
    let params = json!([txid_of(&created), 0, -1_000_000]);
    world.stack.bitcoin().rpc("prioritisetransaction", params).await.unwrap();
    let signed = alice.signed(created.text_of("base64Psbt"));
    assert_eq!(world.sign(&alice, &signed).await.expect(201).data()["state"], "broadcasting");
    let further = world.batch_of(&alice, 3, 1_500);
    tried(&world, &alice, &further).await.expect_error(Problem::VmBatchUnderWay);

    world.stack.use_up_limits().await;
    tried(&world, &alice, &further).await.expect_error(Problem::RateLimited);
}
