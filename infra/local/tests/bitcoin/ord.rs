//! Runes and inscriptions according to ord.

use local::{BitcoinWorld, Client, bitcoin::Etching};
use serde_json::json;

use crate::address;

fn etching(supply: u128) -> Etching {
    Etching { name: "RUNEPORT•LOCAL•RUNE".to_owned(), supply, divisibility: 2, to: None }
}

#[tokio::test]
async fn a_rune_is_etched_and_handed_out() {
    let world = BitcoinWorld::start().await.unwrap();
    let ord = Client::new(world.ord_url());
    let supply = u128::from(u64::MAX) * 1_000;
    let rune = world.etch(&etching(supply)).await.unwrap();
    let told = ord.get(format!("/rune/{rune}")).send().await.expect(200).body;
    assert_eq!(told["id"], rune.to_string());
    assert_eq!(told["entry"]["spaced_rune"], "RUNEPORT•LOCAL•RUNE");
    assert_eq!(told["entry"]["divisibility"], 2);
    assert_eq!(told["entry"]["block"], rune.block);
    assert!(world.etch(&etching(1)).await.unwrap_err().to_string().contains("already"));

    // Two payments without a block in between: the second spends the first one's change.
    let first = world.fund_rune(&address(1), 10_000, rune, 7_500).await.unwrap();
    let second = world.fund_rune(&address(1), 546, rune, 1).await.unwrap();
    let waiting = ord.get(format!("/output/{first}")).send().await.expect(200).body;
    assert_eq!((&waiting["indexed"], &waiting["runes"]), (&json!(false), &json!({})));
    assert_eq!(world.runes_in(first).await.unwrap(), None);

    world.mine(1).await.unwrap();
    let output = ord.get(format!("/output/{first}")).send().await.expect(200).body;
    assert_eq!(output["indexed"], true);
    assert_eq!(output["value"], 10_000);
    assert_eq!(output["address"], address(1).to_string());
    assert_eq!(output["inscriptions"], json!([]));
    assert_eq!(output["runes"]["RUNEPORT•LOCAL•RUNE"]["amount"], 7_500);
    let balance = ord.get(format!("/address/{}", address(1))).send().await.expect(200).body;
    assert_eq!(balance["runes_balances"][0][1], "75.01");
    assert_eq!(world.runes_in(second).await.unwrap().unwrap()["RUNEPORT•LOCAL•RUNE"], 1);
    assert_eq!(world.runes_of(&address(1)).await.unwrap()["RUNEPORT•LOCAL•RUNE"], 7_501);

    // The whole remainder, to the last unit, and not one more.
    let left = supply - 7_501;
    let error = world.fund_rune(&address(2), 546, rune, left + 1).await.unwrap_err();
    assert!(error.to_string().contains(&left.to_string()), "{error}");
    world.fund_rune(&address(2), 546, rune, left).await.unwrap();
    world.mine(1).await.unwrap();
    assert_eq!(world.runes_of(&address(2)).await.unwrap()["RUNEPORT•LOCAL•RUNE"], left);
}

#[tokio::test]
async fn a_rune_is_etched_to_its_recipient() {
    let world = BitcoinWorld::start().await.unwrap();
    let etching = Etching { to: Some(address(3)), ..etching(21_000) };
    let rune = world.etch(&etching).await.unwrap();
    assert_eq!(world.runes_of(&address(3)).await.unwrap()["RUNEPORT•LOCAL•RUNE"], 21_000);
    let error = world.fund_rune(&address(4), 546, rune, 1).await.unwrap_err();
    assert!(error.to_string().contains("the faucet has 0"), "{error}");
    let nothing = "1:1".parse().unwrap();
    let error = world.fund_rune(&address(4), 546, nothing, 1).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no rune 1:1");
}

#[tokio::test]
async fn an_inscription_is_read_back() {
    let world = BitcoinWorld::start().await.unwrap();
    let ord = Client::new(world.ord_url());
    let body = vec![b'x'; 2_000];
    let made = world.inscribe(&address(1), "text/plain;charset=utf-8", &body).await.unwrap();
    let told = ord.get(format!("/inscription/{}", made.id)).send().await.expect(200).body;
    assert_eq!(told["id"], made.id.to_string());
    assert_eq!(told["address"], address(1).to_string());
    assert_eq!(told["content_type"], "text/plain;charset=utf-8");
    assert_eq!(told["satpoint"], format!("{}:0", made.outpoint));
    let output = ord.get(format!("/output/{}", made.outpoint)).send().await.expect(200).body;
    assert_eq!(output["inscriptions"], json!([made.id.to_string()]));
    let content = ord.get(format!("/content/{}", made.id)).send().await.expect(200);
    assert_eq!(content.text.into_bytes(), body);
    let unknown = format!("/inscription/{}i0", "11".repeat(32));
    ord.get(unknown).send().await.expect(404);
}

#[tokio::test]
async fn ord_is_behind_only_if_the_lever_says_so() {
    let world = BitcoinWorld::start().await.unwrap();
    let ord = Client::new(world.ord_url());
    for _block in 0..5 {
        world.rpc("generatetodescriptor", json!([1, "raw(51)"])).await.unwrap();
        let height = world.height().await.unwrap().to_string();
        assert_eq!(ord.get("/blockheight").send().await.expect(200).text, height);
    }

    world.let_ord_lag(true).await.unwrap();
    let before = world.height().await.unwrap();
    let coin = world.fund(&address(1), 1_000).await.unwrap();
    world.mine(2).await.unwrap();
    assert_eq!(ord.get("/blockheight").send().await.expect(200).text, before.to_string());
    assert_eq!(world.runes_in(coin).await.unwrap(), None);

    world.let_ord_lag(false).await.unwrap();
    assert_eq!(ord.get("/blockheight").send().await.expect(200).text, (before + 2).to_string());
    assert!(world.runes_in(coin).await.unwrap().is_some());
}
