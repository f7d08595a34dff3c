//! Demo data: an admin, some users, twelve prizes and a mint, all created through the service's own HTTP.

use std::time::Duration;

use bitcoin::{Address, address::NetworkUnchecked};
use chain::models::platform_wallet::PlatformWallet;
use http::Method;
use serde_json::{Value, json};

use crate::{
    base::{
        client::Client,
        failure::{Context, Failure, Result},
    },
    bitcoin::{Etching, Inscribed},
    stack::{LocalStack, admins::try_admin, treasury},
    users::wallets::{NETWORK, SignedIn, Wallet, try_sign_in},
};

/// Number of prizes.
const PRIZES: u64 = 12;

/// Creates the missing users; returns the demo admin, signed in.
pub async fn plant(stack: &LocalStack, client: &Client) -> Result<SignedIn> {
    let admin = try_admin(stack, client).await?;
    for user in [Wallet::p2tr(1), Wallet::p2pkh(2), Wallet::evm(3), Wallet::solana(4)] {
        try_sign_in(client, &user).await?;
    }
    Ok(admin)
}

/// Creates the missing prizes: inscribes each to the treasury, and registers it.
///
/// # Errors
/// The service or the Bitcoin world refuses.
pub async fn plant_prizes(stack: &LocalStack, client: &Client) -> Result<()> {
    let admin = try_admin(stack, client).await?;
    let list = client
        .get("/api/prizes?pageSize=100&select=prizeNumber")
        .bearer(&admin.access_token)
        .try_send()
        .await?
        .check(200)?;
    let rows = list.data().as_array().map(Vec::as_slice).unwrap_or_default();
    let number = |row: &Value| row.get("prizeNumber").and_then(Value::as_u64);
    let missing: Vec<u64> = (1..=PRIZES)
        .filter(|wanted| !rows.iter().any(|row| number(row) == Some(*wanted)))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let treasury: Address<NetworkUnchecked> = treasury().address().parse().context("treasury")?;
    let bodies: Vec<Vec<u8>> = missing.iter().map(|number| name(*number).into_bytes()).collect();
    let bitcoin = stack.try_bitcoin().context("demo prizes need a Bitcoin world")?;
    let inscribed = bitcoin
        .inscribe_all(&treasury.assume_checked(), "text/plain;charset=utf-8", &bodies)
        .await
        .context("demo prizes")?;
    for (number, inscribed) in missing.into_iter().zip(inscribed) {
        register(client, &admin, number, inscribed).await?;
    }
    Ok(())
}

/// Creates a mint if there is none: a rune in the pool, coins to pay fees with, and a year to bid.
///
/// # Errors
/// The service or the Bitcoin world refuses.
pub async fn plant_mint(stack: &LocalStack, client: &Client) -> Result<()> {
    let mints = client.get("/api/vm-transactions/mints").try_send().await?.check(200)?;
    if mints.data().as_array().is_some_and(|mints| !mints.is_empty()) {
        return Ok(());
    }
    let admin = try_admin(stack, client).await?;
    let app = stack.app();
    let key = app.signer.key(&app.config.mint_keys.distribution).await.context("pool")?;
    let pool = PlatformWallet::new(key.public_key, key.id, NETWORK).address(NETWORK);
    let bitcoin = stack.try_bitcoin().context("a demo mint needs a Bitcoin world")?;
    let etching = Etching {
        name: "RUNEPORT•DEMO•MINT".to_owned(),
        supply: 1_000_000,
        divisibility: 0,
        to: Some(pool.clone()),
    };
    let rune = bitcoin.etch(&etching).await.context("demo mint")?;
    for _coin in 0..4 {
        bitcoin.fund(&pool, 100_000).await.context("demo mint")?;
    }
    // The etching must be seven blocks deep.
    bitcoin.mine(6).await.context("demo mint")?;
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let body = json!({
        "runeId": rune.to_string(),
        "proceedsAddress": Wallet::p2tr(5).address(),
        "tokensPerRequest": "1000",
        "totalRequests": 30,
        "requestsPerBlock": 10,
        "minSatsPerRequest": 1_000,
        "closesAt": app.clock.now().plus(YEAR),
    });
    let call = client.post("/api/vm-transactions/mints").bearer(&admin.access_token);
    call.json(&body).try_send().await?.check(201)?;
    Ok(())
}

fn name(number: u64) -> String {
    format!("Runestone No. {number}")
}

async fn register(
    client: &Client,
    admin: &SignedIn,
    number: u64,
    Inscribed { id, outpoint }: Inscribed,
) -> Result<()> {
    let body = json!({
        "prizeNumber": number,
        "name": name(number),
        "inscriptionId": id,
        "controllingUtxo": outpoint.to_string(),
    });
    let call = client.request(Method::POST, "/api/prizes").bearer(&admin.access_token).json(&body);
    match call.try_send().await? {
        answer if answer.status == 201 => Ok(()),
        answer => Err(Failure::new(format!("demo prize {number}: {answer}"))),
    }
}
