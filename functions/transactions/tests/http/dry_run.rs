//! `POST /api/transactions?dryRun=true`.

use local::{
    bitcoin::Etching,
    wallets::{sign_in, with},
};
use shared::problem::Problem;

use super::*;

const DRY: &str = "/api/transactions?dryRun=true";

impl World {
    async fn tried(&self, user: &User, kind: &str, params: &Value) -> Answer {
        let body = json!({ "type": kind, "params": params });
        self.client.post(DRY).bearer(&user.session.access_token).json(&body).send().await
    }

    /// Compares a preview with what was created: fee, coins, outputs and notes.
    async fn is_as_previewed(&self, user: &User, preview: &Answer, created: &Answer) {
        let (shown, psbt) = (preview.data(), psbt_of(created));
        assert_eq!(shown["fee"], created.data()["fee"]);
        assert_eq!(preview.body["metaData"], created.body["metaData"]);
        let spent: Vec<_> = psbt.unsigned_tx.input.iter().zip(&psbt.inputs).collect();
        let inputs = shown["inputs"].as_array().unwrap();
        assert_eq!(inputs.len(), spent.len());
        for (shown, (input, fields)) in inputs.iter().zip(spent) {
            assert_eq!(shown["id"], input.previous_output.to_string());
            let sats = fields.witness_utxo.as_ref().unwrap().value.to_sat();
            assert_eq!(shown["sats"], sats);
        }
        let own = user.trading.script_pubkey();
        let shown_outputs = shown["outputs"].as_array().unwrap();
        assert_eq!(shown_outputs.len(), psbt.unsigned_tx.output.len());
        for (shown, output) in shown_outputs.iter().zip(&psbt.unsigned_tx.output) {
            assert_eq!(shown["sats"], output.value.to_sat());
            assert_eq!(shown["isOwn"], output.script_pubkey == own);
            let address = Address::from_script(&output.script_pubkey, NETWORK).ok();
            assert_eq!(address.is_none(), output.script_pubkey.is_op_return());
            assert_eq!(shown["address"], json!(address.map(|address| address.to_string())));
        }
        let row = self.row(txid_of(created)).await;
        assert_eq!(shown["vbytes"], row.weight.div_ceil(4));
        // The remaining amounts are those that the balance calls available once the coins are reserved.
        let path = "/api/account/trading-wallet/balance";
        let call = self.client.get(path).bearer(&user.session.access_token);
        let balance = call.send().await.expect(200).data().clone();
        assert_eq!(shown["remaining"]["sats"], balance["btc"]["available"]);
        let available = |runes: &Value, amount: &str| -> Vec<(Value, Value)> {
            let runes = runes.as_array().unwrap().iter();
            let some = runes.filter(|rune| rune[amount] != "0");
            some.map(|rune| (rune["name"].clone(), rune[amount].clone())).collect()
        };
        let left = available(&shown["remaining"]["runes"], "amount");
        assert_eq!(left, available(&balance["runes"], "available"));
    }
}

/// The body of a refusal without the id of its request.
fn refusal(answer: &Answer) -> Value {
    let mut body = answer.body.clone();
    body.as_object_mut().unwrap().remove("requestId");
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_shows_what_the_request_creates_and_writes_nothing() {
    let world = world().await;
    let user = world.user_with(1, &[90_000, 50_000, 20_000]).await;
    let chain = world.stack.bitcoin();
    chain.inscribe(&user.trading, "text/plain", b"mine").await.unwrap();
    let to = Some(user.trading.clone());
    let etching =
        Etching { name: "WANTEDWANTEDWANTED".to_owned(), supply: 1_000, divisibility: 2, to };
    let rune = chain.etch(&etching).await.unwrap().to_string();
    world.mine(1).await;
    let coins = chain.coins(&user.trading).await.unwrap();
    let coin = coins.iter().find(|coin| coin.output.value.to_sat() == 50_000).unwrap();
    let coin = coin.outpoint.to_string();
    let mut fast = btc(20_000);
    fast["feeTarget"] = json!("fast");
    let mut through_hub = withdrawal(&rune, "40");
    through_hub["xchainData"] = json!("0xdeadbeef");
    for (kind, params) in [
        ("withdraw", btc(20_000)),
        ("withdraw", fast),
        ("withdraw", withdrawal("0:0", "max")),
        ("withdraw", withdrawal(&rune, "40")),
        ("withdraw", withdrawal(&rune, "max")),
        ("xchain-withdraw", through_hub),
        ("renew-utxo", json!({ "txIdVouts": [coin] })),
    ] {
        let before = world.stack.rows_but_limits();
        let preview = world.tried(&user, kind, &params).await.expect(200);
        assert_eq!(world.stack.rows_but_limits(), before, "{kind} {params}");
        let fields: Vec<_> = preview.data().as_object().unwrap().keys().collect();
        assert_eq!(fields, ["fee", "inputs", "outputs", "remaining", "vbytes"]);

        let created = world.create(&user, kind, &params).await.expect(201);
        world.is_as_previewed(&user, &preview, &created).await;
        // The draft answers the same request, so the preview stays the same, and the draft stays.
        let before = world.stack.rows_but_limits();
        assert_eq!(world.tried(&user, kind, &params).await.expect(200).body, preview.body);
        assert_eq!(world.stack.rows_but_limits(), before, "{kind} {params}");
        world.release(&user, txid_of(&created)).await.expect(200);
    }
    // Runes are shown where they are and where they go.
    let preview = world.tried(&user, "withdraw", &withdrawal(&rune, "40")).await.expect(200);
    let named = |amount: &str| json!([{ "name": "WANTEDWANTEDWANTED", "amount": amount }]);
    let of = |list: &str, amount: &str| -> Vec<Value> {
        let list = preview.data()[list].as_array().unwrap().iter();
        list.filter(|it| it["runes"] == named(amount)).cloned().collect()
    };
    assert_eq!(of("inputs", "1000").len(), 1);
    assert_eq!(of("outputs", "40")[0]["address"], somewhere());
    assert_eq!(of("outputs", "960")[0]["isOwn"], true);
    assert_eq!(preview.data()["remaining"]["runes"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_is_refused_as_the_request_is_and_writes_nothing() {
    let world = world().await;
    let user = world.user_with(1, &[40_000]).await;
    let stranger = sign_in(&world.client, &Wallet::evm(1)).await;
    let with = |field: &str, value: Value| {
        let mut params = btc(10_000);
        params[field] = value;
        json!({ "type": "withdraw", "params": params })
    };
    let hub = json!({ "type": "xchain-withdraw", "params": btc(10_000) });
    let renewal = |coin: &str| json!({ "type": "renew-utxo", "params": { "txIdVouts": [coin] } });
    let nowhere = format!("{:064x}:0", 7);
    let token = user.session.access_token.as_str();
    let before = world.stack.rows_but_limits();
    for (token, body, status, code) in [
        (token, with("amount", json!("0")), 400, "1001"),
        (token, with("withdrawTo", json!(user.trading.to_string())), 400, "1001"),
        (token, with("feeTarget", json!("soon")), 400, "1001"),
        (token, json!({ "type": "withdraw" }), 400, "1001"),
        (token, hub, 400, "1001"),
        (token, with("userAddress", json!(Wallet::evm(7).address())), 403, "1007"),
        (token, with("amount", json!("40000")), 400, "2002"),
        (token, with("amount", json!("329")), 400, "2005"),
        (token, with("tokenId", json!("1:9")), 400, "2008"),
        (token, renewal(&nowhere), 404, "2017"),
        (stranger.access_token.as_str(), with("amount", json!("10000")), 400, "2009"),
        ("none", with("amount", json!("10000")), 401, "4002"),
    ] {
        let send = |path: &str| world.client.post(path).bearer(token).json(&body).send();
        let tried = send(DRY).await;
        assert_eq!((tried.status, tried.code()), (status, code), "{body}: {tried}");
        let real = send("/api/transactions").await;
        assert_eq!((tried.status, refusal(&tried)), (real.status, refusal(&real)), "{body}");
        assert_eq!(world.stack.rows_but_limits(), before, "{body}");
    }
    world.client.post(DRY).json(&hub_body()).send().await.expect_error(Problem::NoAuthorization);

    // A signed transaction holds the only coin.
    let sent = world.created(&user, 20_000).await;
    let txid = txid_of(&sent);
    world.refuse(txid).await;
    world.sign(&user, &text(&signed(&psbt_of(&sent), &user.wallet))).await.expect(201);
    let tried =
        world.tried(&user, "withdraw", &btc(10_000)).await.expect_error(Problem::CoinsReserved);
    assert_eq!(tried.body["params"], json!({ "holders": [txid] }));
    let real = world.withdraw(&user, &btc(10_000)).await;
    assert_eq!(refusal(&tried), refusal(&real));
}

fn hub_body() -> Value {
    let mut params = btc(10_000);
    params["xchainData"] = json!("0x00");
    json!({ "type": "xchain-withdraw", "params": params })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_ends_no_draft_and_counts_the_coins_of_drafts_as_the_request_does() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let first = world.created(&user, 20_000).await;
    let before = world.stack.rows_but_limits();
    let preview = world.tried(&user, "withdraw", &btc(30_000)).await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before);
    assert_eq!(preview.data()["inputs"][0]["id"], spent(&psbt_of(&first))[0].to_string());
    assert_eq!(world.state(txid_of(&first)).await, TransactionState::Unsigned);
    let second = world.created(&user, 30_000).await;
    world.is_as_previewed(&user, &preview, &second).await;
    assert_eq!(world.state(txid_of(&first)).await, TransactionState::Expired);
    // Two drafts on two coins: a third amount that needs both shows what the end of both leaves.
    world.stack.bitcoin().fund(&user.trading, 60_000).await.unwrap();
    world.mine(1).await;
    world.created(&user, 25_000).await;
    let before = world.stack.rows_but_limits();
    let preview = world.tried(&user, "withdraw", &btc(120_000)).await.expect(200);
    assert_eq!(world.stack.rows_but_limits(), before);
    assert_eq!(preview.data()["remaining"], json!({ "sats": 0, "runes": [] }));
    let all = world.created(&user, 120_000).await;
    world.is_as_previewed(&user, &preview, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_uses_no_idempotency_key_and_no_quota_of_transactions() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let body = json!({ "type": "withdraw", "params": btc(20_000) });
    let send = |path: &'static str| {
        let call = world.client.post(path).bearer(&user.session.access_token);
        call.header("idempotency-key", "one-key").json(&body).send()
    };
    let before = world.stack.rows_but_limits();
    let preview = send(DRY).await.expect(200);
    assert_eq!(send(DRY).await.expect(200).body, preview.body);
    assert_eq!(world.stack.rows_but_limits(), before);
    // Its own limit, which is that of wallet reads, is used up; that of transactions is not.
    world.stack.use_up_limits().await;
    send(DRY).await.expect_error(Problem::RateLimited);
    let created = send("/api/transactions").await.expect(201);
    world.is_previewed_with(&preview, &created);
    // The key has its answer, and a dry run neither repeats nor replaces it.
    assert_eq!(send("/api/transactions").await.expect(201).body, created.body);
    let bad = world.client.post(DRY).bearer(&user.session.access_token);
    let bad = bad.header("idempotency-key", "two words").json(&body).send().await;
    bad.expect_error(Problem::Validation);
}

impl World {
    fn is_previewed_with(&self, preview: &Answer, created: &Answer) {
        assert_eq!(preview.data()["fee"], created.data()["fee"]);
        let inputs = preview.data()["inputs"].as_array().unwrap().iter();
        let inputs: Vec<_> = inputs.map(|input| input["id"].as_str().unwrap().to_owned()).collect();
        let own: Vec<_> = spent(&psbt_of(created)).iter().map(ToString::to_string).collect();
        assert_eq!(inputs, own);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_true_and_false_are_understood_and_anything_else_does_nothing() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let body = json!({ "type": "withdraw", "params": btc(20_000) });
    let before = world.stack.rows_but_limits();
    for query in [
        "dryRun=",
        "dryRun",
        "dryRun=1",
        "dryRun=True",
        "dryRun=yes",
        "dryrun=true",
        "dry_run=true",
        "_dryRun=true",
        "_dry_run=true",
        "dryRun[]=true",
        "dryRun=true&dryRun=false",
        "dryRun=false&dryRun=true",
        "dryRun=true&preview=1",
    ] {
        for path in ["/api/transactions", "/api/xchain/transaction"] {
            let call = world.client.post(format!("{path}?{query}"));
            let call = call.bearer(&user.session.access_token).json(&body);
            call.send().await.expect_error(Problem::Validation);
        }
    }
    // Nor does the body: what asks for a dry run there is not done.
    for (field, differs) in [
        ("dryRun", json!({ "dryRun": true })),
        ("dry_run", json!({ "dry_run": "yes" })),
        ("params.dryRun", json!({ "params": with(btc(20_000), &json!({ "dryRun": true })) })),
    ] {
        let call = world.client.post("/api/transactions").bearer(&user.session.access_token);
        let refused = call.json(&with(body.clone(), &differs)).send().await;
        let error = refused.expect_error(Problem::Validation).body["errors"][0].clone();
        assert_eq!(error["field"], field);
        assert!(error["message"].as_str().unwrap().contains("parameter dryRun"), "{error}");
    }
    assert_eq!(world.stack.rows_but_limits(), before);
    let call = world.client.post("/api/transactions?dryRun=false&utm_source=mail&_dry=1");
    let call = call.bearer(&user.session.access_token).json(&body);
    let created = call.send().await.expect(201);

    // Endpoints that have no dry run do nothing instead of everything.
    let before = world.stack.rows_but_limits();
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    let token = &user.session.access_token;
    let body = json!({ "params": { "signedBase64Tx": signed } });
    for query in ["dryRun=true", "dryrun=1", "dry-run", "dryRun=false"] {
        let call = world.client.post(format!("/api/transactions/sign?{query}")).bearer(token);
        let refused = call.json(&body).send().await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], "dryRun", "{refused}");
        let path = format!("/api/transactions/{}", txid_of(&created));
        let call = world.client.delete(format!("{path}?{query}")).bearer(token);
        call.send().await.expect_error(Problem::Validation);
        let call = world.client.post(format!("{path}/replace?{query}")).bearer(token);
        call.json(&json!({ "action": "bump" })).send().await.expect_error(Problem::Validation);
    }
    assert_eq!(world.stack.rows_but_limits(), before);
    world.sent(&user, &created).await;
}
