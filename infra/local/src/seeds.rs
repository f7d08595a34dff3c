//! Demo data: an admin, a few users, twelve prizes, all through the service's own HTTP.

use bitcoin::{Address, address::NetworkUnchecked};
use http::Method;
use serde_json::{Value, json};

use crate::{
    bitcoin::Inscribed,
    client::Client,
    failure::{Context, Failure, Result},
    stack::{LocalStack, treasury},
    wallets::{SignedIn, Wallet, try_admin, try_sign_in},
};

/// How many prizes there are.
const PRIZES: u64 = 12;

/// Plants the people that are missing; answers the demo admin, signed in.
///
/// # Errors
/// The service refuses.
pub async fn plant(stack: &LocalStack, client: &Client) -> Result<SignedIn> {
    let admin = try_admin(stack, client).await?;
    for user in [Wallet::p2tr(1), Wallet::p2pkh(2), Wallet::evm(3), Wallet::solana(4)] {
        try_sign_in(client, &user).await?;
    }
    Ok(admin)
}

/// Plants the prizes that are missing: inscribes each to the treasury, and registers it.
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
