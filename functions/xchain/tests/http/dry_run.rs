//! `POST /api/xchain/transaction?dryRun=true`.

use shared::problem::Problem;

use super::*;

const PATH: &str = "/api/xchain/transaction";

async fn send(world: &World, user: &User, path: &str, params: &Value) -> Answer {
    let body = json!({ "type": "xchain-withdraw", "params": params });
    world.client.post(path).bearer(&user.session.access_token).json(&body).send().await
}

async fn tried(world: &World, user: &User, params: &Value) -> Answer {
    send(world, user, &format!("{PATH}?dryRun=true"), params).await
}

fn is_as_previewed(preview: &Answer, created: &Answer) {
    let psbt = psbt_of(created);
    assert_eq!(preview.data()["fee"], created.data()["fee"]);
    assert_eq!(preview.body["metaData"], created.body["metaData"]);
    let all = |list: &str, field: &str| -> Vec<Value> {
        let list = preview.data()[list].as_array().unwrap().iter();
        list.map(|it| it[field].clone()).collect()
    };
    let inputs: Vec<_> = spent(&psbt).iter().map(|coin| json!(coin.to_string())).collect();
    assert_eq!(all("inputs", "id"), inputs);
    let outputs = psbt.unsigned_tx.output.iter();
    let outputs: Vec<_> = outputs.map(|output| json!(output.value.to_sat())).collect();
    assert_eq!(all("outputs", "sats"), outputs);
}

/// The body of a refusal without the id of its request.
fn refusal(answer: &Answer) -> Value {
    let mut body = answer.body.clone();
    body.as_object_mut().unwrap().remove("requestId");
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_of_a_hub_withdrawal_writes_nothing_and_tells_nobody() {
    let world = world().await;
    let user = world.user_with(1, &[100_000, 40_000]).await;
    let before = world.stack.rows_but_limits();
    let preview = tried(&world, &user, &btc(20_000)).await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before);
    assert!(world.stack.hub().withdrawals().is_empty());
    // The OP_RETURN with the hash of the instructions has no address.
    let outputs = preview.data()["outputs"].as_array().unwrap();
    let data = outputs.iter().filter(|output| output["address"].is_null());
    assert_eq!(data.map(|output| &output["sats"]).collect::<Vec<_>>(), [0]);
    let created = send(&world, &user, PATH, &btc(20_000)).await.expect(201);
    is_as_previewed(&preview, &created);
    let before = world.stack.rows_but_limits();
    assert_eq!(tried(&world, &user, &btc(20_000)).await.expect(200).body, preview.body);
    assert_eq!(world.stack.rows_but_limits(), before);

    for (params, status, code) in [
        (withdrawal("0:0", 0), 400, "1001"),
        (withdrawal("0:0", 329), 400, "2005"),
        (withdrawal("0:0", 500_000), 400, "2002"),
        (withdrawal("1:9", 5), 400, "2008"),
    ] {
        let refused = tried(&world, &user, &params).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{params}: {refused}");
        let real = send(&world, &user, PATH, &params).await;
        assert_eq!(refusal(&refused), refusal(&real), "{params}");
    }
    assert_eq!(world.stack.rows_but_limits(), before);
    world.stack.use_up_limits().await;
    tried(&world, &user, &btc(20_000)).await.expect_error(Problem::RateLimited);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_of_a_replacement_shows_what_it_outbids_and_no_foreign_transaction() {
    let world = world().await;
    let user = world.user_with(1, &[60_000, 60_000]).await;
    let other = world.user_with(2, &[60_000]).await;
    let old = withdrawn(&world, &user).await;
    let mut params = btc(20_000);
    params["replaceTxId"] = json!(old);
    let before = world.stack.rows_but_limits();
    let preview = tried(&world, &user, &params).await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before);
    let old_fee = world.row(old).await.fee;
    assert!(preview.data()["fee"]["totalFee"].as_u64().unwrap() > old_fee, "{preview}");

    // The answer is the same for a transaction of another account as for one that does not exist.
    let foreign =
        tried(&world, &other, &params).await.expect_error(Problem::NotTheIssuedTransaction);
    params["replaceTxId"] = json!(Txid::from_byte_array([7; 32]));
    let unknown =
        tried(&world, &other, &params).await.expect_error(Problem::NotTheIssuedTransaction);
    assert_eq!(refusal(&foreign), refusal(&unknown));

    params["replaceTxId"] = json!(old);
    let created = send(&world, &user, PATH, &params).await.expect(201);
    is_as_previewed(&preview, &created);
    // The draft answers now. The mempool spends the coin that it shares with the replaced transaction.
    let before = world.stack.rows_but_limits();
    let again = tried(&world, &user, &params).await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before);
    is_as_previewed(&again, &created);
    assert_eq!(again.data()["remaining"], preview.data()["remaining"]);
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(&user, &signed).await.expect(201);
    assert!(world.in_mempool(txid_of(&created)).await && !world.in_mempool(old).await);
}
