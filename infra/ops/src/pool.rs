//! The coins of the pools of mints, and clean-ups of the pools (custody rule 29).

use std::{fmt::Write as _, time::Duration};

use base::{outbound::within, settings::from_env};
use bitcoin::{Address, FeeRate};
use chain::{
    BitcoinContext, ChainConfig,
    bitcoin::{
        address::parse_recipient,
        coins::{CoinSum, LeftAside},
    },
    cleanups::{self, Order, Pool, Proposal, Purpose},
};
use shared::core::{Core, CoreConfig, Machine};

use crate::{CommandError, cli::PoolCommand, options::UsageError};

/// How long reading a pool, and ordering what is proposed, may take. A pool with tens of thousands of coins takes most of a
/// minute.
const LONGEST: Duration = Duration::from_secs(120);

/// Runs the command on the pools that the environment names; returns what it has to say.
///
/// # Errors
/// As [`clean_up`]; [`CommandError::Settings`] if settings are missing or wrong.
pub async fn run(command: PoolCommand) -> Result<String, CommandError> {
    let (core, chain): (CoreConfig, ChainConfig) = from_env()?;
    let app = BitcoinContext::new(Core::new(core, &Machine::new()), chain);
    within(LONGEST, clean_up(&app, &command)).await
}

/// Proposes clean-ups for all pools, and orders them if the command says so.
///
/// # Errors
/// [`CommandError::OwnAddress`] if runes would go to an address of the platform; [`CommandError::Chain`] if a
/// pool cannot be read or an order fails. Earlier orders stay.
pub async fn clean_up(app: &BitcoinContext, command: &PoolCommand) -> Result<String, CommandError> {
    let sweep_to = command.to.as_deref().map(|text| recipient(app, text)).transpose()?;
    let pools = cleanups::pools(app).await?;
    if let Some(to) = &sweep_to {
        let mut own =
            pools.iter().flat_map(|pool| pool.treasuries.iter().chain([&pool.wallet.address]));
        if own.any(|address| *address == to.to_string()) {
            return Err(CommandError::OwnAddress(to.to_string()));
        }
    }
    let order = Order {
        sweep_to,
        keep: command.keep.clone(),
        also: command.also.clone(),
        highest_rate: command.highest_rate,
        most: command.most,
    };
    if pools.is_empty() {
        return Ok("There are no mints, and so no pools.\n".to_owned());
    }
    let mut said = String::new();
    for pool in &pools {
        let proposal = cleanups::propose(app, pool, &order).await?;
        said += &inventory(pool, &proposal);
        said += &plans(&proposal, &order);
        if command.orders {
            said += &orders(app, pool, &order, &proposal).await?;
        } else if !proposal.transactions.is_empty() {
            said += "  Nothing is ordered: --do order (SEND=yes) does it.\n";
        }
    }
    Ok(said)
}

fn recipient(app: &BitcoinContext, text: &str) -> Result<Address, UsageError> {
    parse_recipient(text, app.network).map_err(|error| UsageError(format!("--to: {error}")))
}

fn sum(coins: CoinSum) -> String {
    format!("{} coins, {} sats", coins.coins, coins.sats)
}

/// The coins of a pool, as text.
fn inventory(pool: &Pool, Proposal { inventory, .. }: &Proposal) -> String {
    let mut said = format!("Pool {}\n", pool.wallet.address);
    let mut line = |what: &str, rest: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(said, "  {what}: {rest}");
    };
    line("plain", sum(inventory.plain));
    for (name, rune) in &inventory.runes {
        let whose = if rune.stays { "stays" } else { "junk" };
        line(&name.to_string(), format!("{}, amount {} ({whose})", sum(rune.coins), rune.amount));
    }
    line("for payouts under way, or for what mints promise", sum(inventory.needed));
    let LeftAside { unconfirmed, immature, reserved, inscribed, unknown, not_read, .. } =
        inventory.left_aside;
    for (what, coins) in [
        ("held by transactions", reserved),
        ("with inscriptions", inscribed),
        ("unconfirmed", unconfirmed),
        ("mined less than 100 blocks ago", immature),
        ("unreadable", unknown),
        ("not read", not_read),
    ] {
        if coins.coins > 0 {
            line(what, sum(coins));
        }
    }
    said
}

fn per_vbyte(rate: FeeRate) -> String {
    let hundredths = rate.to_sat_per_kwu().saturating_mul(400).div_ceil(1_000);
    format!("{}.{:02} sat/vB", hundredths.div_euclid(100), hundredths.rem_euclid(100))
}

/// The proposed clean-ups, as text.
fn plans(proposal: &Proposal, order: &Order) -> String {
    let rate = per_vbyte(proposal.rate);
    if proposal.rate > order.highest_rate {
        let highest = per_vbyte(order.highest_rate);
        return format!("  The fee rate is {rate}, above {highest}: nothing is done.\n");
    }
    let mut said = String::new();
    for (batch, fee) in &proposal.transactions {
        let what = match (&batch.purpose, &order.sweep_to) {
            (Purpose::MergeRune(rune), _) => format!("merges coins with {rune}"),
            (Purpose::MergePlain, _) => "merges plain coins".to_owned(),
            (Purpose::Sweep, Some(to)) => format!("sweeps junk to {to}"),
            (Purpose::Sweep, None) => "sweeps junk".to_owned(),
        };
        let coins = batch.coins.iter().map(|coin| coin.value.to_sat()).collect();
        // Writing to a string cannot fail.
        let _ =
            writeln!(said, "  One transaction {what}: {}, fee {fee} sats at {rate}", sum(coins));
    }
    if proposal.not_worth_it > 0 {
        let coins = proposal.not_worth_it;
        let _ = writeln!(said, "  {coins} coins are not worth their fee at {rate}.");
    }
    if proposal.transactions.is_empty() {
        said += "  Nothing to merge or sweep.\n";
    }
    said
}

/// Orders what is proposed.
async fn orders(
    app: &BitcoinContext,
    pool: &Pool,
    order: &Order,
    proposal: &Proposal,
) -> Result<String, CommandError> {
    let mut said = String::new();
    for (batch, _) in &proposal.transactions {
        let line = match cleanups::place(app, pool, order, (batch, proposal.rate)).await? {
            Some(txid) => format!("  Ordered {txid}; the chain watcher signs and sends it.\n"),
            None => "  Not ordered: another transaction took a coin. Run it again.\n".to_owned(),
        };
        said += &line;
    }
    Ok(said)
}
