//! The service is gone, and users get their coins out: with the page, with the command, and with a wallet of another
//! maker, on a real node and a real ord. The script `browser/recovery.mjs` is the users' side.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::{path::Path, process::Stdio, sync::Arc};

use bitcoin::{Address, OutPoint, PrivateKey};
use local::{
    BitcoinWorld, Client, LocalStack,
    bitcoin::Etching,
    functions, levers,
    server::Server,
    wallets::{NETWORK, Wallet, sign_in},
    workspace,
};
use serde_json::{Value, json};
use shared::models::trading_wallet::DELAY;

const SUPPLY: u128 = 1_000_000;
/// The coins that pay fees, and what is left of them.
const PLAIN: [u64; 2] = [60_000, 40_000];

/// A user whose trading wallet holds a coin of each kind.
struct Owner {
    how: &'static str,
    token: String,
    trading: Address,
    key: String,
    kit: Value,
    destination: Address,
    rune: String,
    inscription: String,
    inscribed_sats: u64,
}

fn address(wallet: &Wallet) -> Address {
    wallet.address().parse::<Address<_>>().unwrap().require_network(NETWORK).unwrap()
}

/// Gives a new user a rune and an inscription.
async fn owner(chain: &BitcoinWorld, client: &Client, how: &'static str, wallet: &Wallet) -> Owner {
    let session = sign_in(client, wallet).await;
    let trading = session.data["tradingAddress"].as_str().unwrap();
    let trading = trading.parse::<Address<_>>().unwrap().require_network(NETWORK).unwrap();
    let name = format!("GETITOUTBY{}", how.to_uppercase());
    let to = Some(trading.clone());
    chain.etch(&Etching { name: name.clone(), supply: SUPPLY, divisibility: 2, to }).await.unwrap();
    let inscribed = chain.inscribe(&trading, "text/plain", how.as_bytes()).await.unwrap();
    let coins = chain.coins(&trading).await.unwrap();
    let coin = coins.iter().find(|coin| coin.outpoint == inscribed.outpoint).unwrap();
    let inscribed_sats = coin.output.value.to_sat();
    let secret = wallet.private_key().parse().unwrap();
    let destination = address(&Wallet::p2tr(900 + u64::from(how.as_bytes()[0])));
    Owner {
        how,
        token: session.access_token,
        trading,
        key: PrivateKey::new(secret, NETWORK).to_wif(),
        kit: Value::Null,
        destination,
        rune: name,
        inscription: inscribed.id.to_string(),
        inscribed_sats,
    }
}

async fn kit(client: &Client, token: &str) -> Value {
    let call = client.get("/api/account/trading-wallet/recovery-kit?download=1").bearer(token);
    call.send().await.expect(200).data().clone()
}

/// Runs the users' side.
async fn run(world: &Arc<LocalStack>, owners: &[Owner]) {
    let root = workspace::root();
    let tool = root.join("infra/frontend/recovery/dist");
    for built in ["runeport-recovery.html", "runeport-recovery.mjs"] {
        assert!(tool.join(built).exists(), "{built} is missing: run `make frontend`");
    }
    let folder = tempfile::tempdir().unwrap();
    for owner in owners {
        let file = folder.path().join(format!("{}.json", owner.how));
        std::fs::write(file, owner.kit.to_string()).unwrap();
    }
    let told: Vec<_> = owners.iter().map(told).collect();
    // This server offers only the levers: of the world, only the Bitcoin network is left.
    let server = Server::start(levers::router(world.clone())).await.unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/recovery.mjs");
    let output = tokio::process::Command::new("node")
        .arg(script)
        .env("LEVERS", server.url())
        .env("ESPLORA", world.bitcoin().esplora_url())
        .env("ORD", world.bitcoin().ord_url())
        .env("KITS", folder.path())
        .env("OWNERS", json!(told).to_string())
        .env("TOOL", tool)
        .env("CHROMIUM", workspace::local_dir().join("chromium"))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("node runs");
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{}", said.join("\n"));
}

fn told(owner: &Owner) -> Value {
    json!({
        "how": owner.how,
        "key": owner.key,
        "destination": owner.destination.to_string(),
        "rune": owner.rune,
        "inscription": owner.inscription,
    })
}

/// Asserts that, by ord's word, everything has arrived whole.
async fn check(chain: &BitcoinWorld, ord: &Client, owner: &Owner) {
    let Owner { how, destination, .. } = owner;
    let runes = chain.runes_of(destination).await.unwrap();
    let amounts: Vec<_> = runes.values().copied().collect();
    assert_eq!(amounts, [SUPPLY], "{how}");
    let answer = ord.get(format!("/inscription/{}", owner.inscription)).send().await.expect(200);
    assert_eq!(answer.body["address"], destination.to_string(), "{how}");
    let satpoint = answer.body["satpoint"].as_str().unwrap();
    let (outpoint, offset) = satpoint.rsplit_once(':').unwrap();
    assert_eq!(offset, "0", "{how}");
    let outpoint: OutPoint = outpoint.parse().unwrap();
    let coins = chain.coins(destination).await.unwrap();
    let coin = |at: OutPoint| coins.iter().find(|coin| coin.outpoint == at).unwrap();
    assert_eq!(coin(outpoint).output.value.to_sat(), owner.inscribed_sats, "{how}");
    // The inscription and the rune are in different coins.
    assert!(chain.runes_in(outpoint).await.unwrap().unwrap().is_empty(), "{how}");
    // Only the plain coins have paid fees.
    let all: u64 = coins.iter().map(|coin| coin.output.value.to_sat()).sum();
    let kit_coins = owner.kit["coins"].as_array().unwrap();
    let before: u64 = kit_coins.iter().map(|coin| coin["sats"].as_u64().unwrap()).sum();
    assert!(before > all && before - all < 20_000, "{how}: {before} before, {all} after");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_service_a_plain_a_rune_and_an_inscribed_coin_arrive_whole() {
    let world = Arc::new(LocalStack::builder().bitcoin().build().await);
    let chain = world.bitcoin();
    let service = Server::start(world.service(functions::routes())).await.unwrap();
    let client = Client::new(service.url());
    let mut owners = Vec::new();
    for (how, wallet) in [
        ("page", Wallet::p2wpkh(61)),
        ("command", Wallet::p2tr_of_parity(true, 62)),
        ("signer", Wallet::p2wpkh(63)),
    ] {
        owners.push(owner(chain, &client, how, &wallet).await);
    }
    // The plain coins of all owners confirm in the same block, the last one.
    for owner in &owners {
        for sats in PLAIN {
            chain.fund(&owner.trading, sats).await.unwrap();
        }
    }
    chain.mine(1).await.unwrap();
    for owner in &mut owners {
        owner.kit = kit(&client, &owner.token).await;
        assert_eq!(owner.kit["coins"].as_array().unwrap().len(), 4);
    }
    // From here on there is no service.
    drop(service);

    // ord would index every block, and plays no part until the end.
    chain.let_ord_lag(true).await.unwrap();
    // One confirmation exists already, and the block of the transaction counts too: one block is missing.
    chain.mine(u32::from(DELAY) - 2).await.unwrap();
    // Lets the source index all blocks once.
    chain.coins(&owners[0].destination).await.unwrap();
    run(&world, &owners).await;

    chain.let_ord_lag(false).await.unwrap();
    let ord = Client::new(chain.ord_url());
    // As long as it indexes something: these are thousands of blocks.
    chain.indexed().await.unwrap();
    for owner in &owners {
        check(chain, &ord, owner).await;
    }
}
