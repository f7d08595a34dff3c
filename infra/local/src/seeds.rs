//! Demo data: an admin, a few users, twelve prizes, all through the service's own HTTP.

use bitcoin::{Address, address::NetworkUnchecked};
use http::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shared::models::bitcoin::{InscriptionId, OutPoint};

use crate::{
    client::Client,
    failure::{Context, Failure, Result},
    ord_double::Output,
    stack::{LocalStack, treasury},
    wallets::{SignedIn, Wallet, try_admin, try_sign_in},
};

/// How many prizes there are.
const PRIZES: u64 = 12;

/// Plants what is missing; answers the demo admin, signed in.
///
/// # Errors
/// The service refuses.
pub async fn plant(stack: &LocalStack, client: &Client) -> Result<SignedIn> {
    let admin = try_admin(stack, client).await?;
    let treasury: Address<NetworkUnchecked> = treasury().address().parse().context("treasury")?;
    let treasury = treasury.assume_checked();
    for number in 1..=PRIZES {
        let (outpoint, inscription) = prize(number)?;
        stack.ord().set(Output::holding(outpoint, &treasury, inscription));
    }
    let list = client
        .get("/api/prizes?pageSize=1")
        .bearer(&admin.access_token)
        .try_send()
        .await?
        .check(200)?;
    if list.body.pointer("/metaData/totalItems").and_then(Value::as_u64) >= Some(PRIZES) {
        return Ok(admin);
    }
    for user in [Wallet::p2tr(1), Wallet::p2pkh(2), Wallet::evm(3), Wallet::solana(4)] {
        try_sign_in(client, &user).await?;
    }
    for number in 1..=PRIZES {
        register(client, &admin, number).await?;
    }
    Ok(admin)
}

async fn register(client: &Client, admin: &SignedIn, number: u64) -> Result<()> {
    let (outpoint, inscription) = prize(number)?;
    let body = json!({
        "prizeNumber": number,
        "name": format!("Runestone No. {number}"),
        "inscriptionId": inscription,
        "controllingUtxo": outpoint,
    });
    let call = client.request(Method::POST, "/api/prizes").bearer(&admin.access_token).json(&body);
    match call.try_send().await? {
        // 409: an earlier start was interrupted after this one.
        answer if matches!(answer.status, 201 | 409) => Ok(()),
        answer => Err(Failure::new(format!("demo prize {number}: {answer}"))),
    }
}

/// An output and the inscription in it, the same ones for a number every time.
fn prize(number: u64) -> Result<(OutPoint, InscriptionId)> {
    let txid = hex::encode(Sha256::digest(format!("runeport demo prize {number}")));
    let outpoint = format!("{txid}:0").parse().context("demo prize")?;
    let inscription = format!("{txid}i0").parse().context("demo prize")?;
    Ok((outpoint, inscription))
}
